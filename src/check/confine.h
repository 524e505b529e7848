/* confine.h: what the process in which the driver runs can reach.
 *
 *      tool        draws progress, reports                      its own descriptors
 *       | fork
 *      keeper      a session of its own; watches, ends whatever is left
 *       | fork
 *      child       a session of its own; the driver             standard output and error: pipes
 *
 * In the child, a filter of system calls refuses what no driver can need: processes, signals to
 * others, programs, and calls on the tool's descriptors. A refused call does nothing, answers EPERM
 * and raises SIGSYS (crash.h tells it). If the system denies such filters, the keeper
 * alone remains, and the report says so. This is no jail: files, for one, are reached as before.
 */
#ifndef CHECK_CONFINE_H
#define CHECK_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A build with a sanitizer, whose runtime starts processes of its own. */
bool vidmm_confine_is_sanitized(void);

/* The child's first act: a session, limits, the pipes, the filter of calls for processes. `memory`
 * is the most bytes of its own that it may take. Answers 0, or the errno by which the system denies
 * a filter: then nothing is refused. */
int vidmm_confine_begin(int output, int error, uint64_t memory);

/* All descriptors that are open now are the tool's; those that the child was born with are closed.
 * Once, before anything of the driver's is loaded. Answers as above. */
int vidmm_confine_descriptors(void);

/* Name a system call that the filter refuses: "kill". NULL: it refuses no such call. */
const char *vidmm_confine_name(int call);

#endif
