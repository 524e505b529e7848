/* run_state.h: a run while it is under way. For src/tool/run*.c only.
 *
 *     run.c      everything is made, started, and taken apart
 *     run_end.c  what came of it: errors, the numbers, the picture
 */
#ifndef VIDMM_TOOL_RUN_STATE_H
#define VIDMM_TOOL_RUN_STATE_H

#include <stdatomic.h>
#include <stdio.h>

#include "story/linked.h"
#include "tool/dialect.h"
#include "tool/pictures.h"
#include "tool/progress.h"
#include "tool/run.h"

struct vidmm_run;

struct player {
    struct vidmm_run *run;
    struct vidmm_trace *trace;
    struct vidmm_program *program;
    uint32_t steps;
    bool added; /* as a caller */
};

struct vidmm_run {
    const struct vidmm_run_options *options; /* `fitted` */
    struct vidmm_run_options fitted;         /* as the caller's, but for the lists of the GPU */
    struct vidmm_run_result *result;
    struct player players[VIDMM_RUN_PROGRAMS];
    struct vidmm_dialect dialect;
    struct vidmm_replay_driver driver;
    struct vidmm_pictures pictures;
    bool pictured;
    FILE *ddi_log, *events;
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    struct softgpu_device *device;
    bool plugged;
    struct vidmm_linked linked;
    struct vidmm_tap *tap;
    struct vidmm_adapter *adapter;
    struct vidmm_progress progress;
    atomic_bool failed; /* a program has: the others stop */
    atomic_flag misused;
    char misuse[200];
    uint64_t begun_ns;
};

/* Say why it does not work, once: the first sentence stays. Always false. */
bool vidmm_run_problem(struct vidmm_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The least memory, in bytes, with which no submission of any of the traces runs out of it. */
uint64_t vidmm_run_least_memory(const struct vidmm_run *run);
/* Report a status as the problem: "WHAT: STATUS_...: WHY"; why may be empty. Always false. */
bool vidmm_run_status_problem(struct vidmm_run *run, const char *what, NTSTATUS status,
                              const char *why);

/* Open a file to be written, "-" is standard output; path NULL: none, and that is fine. False, and
 * a problem: it cannot be. */
bool vidmm_run_open(struct vidmm_run *run, const char *path, FILE **file);
/* Close it, if it is open. False, and a problem: not all of it was written. */
bool vidmm_run_close(struct vidmm_run *run, const char *path, FILE **file);

/* After the machine has run: find out what went wrong, if anything did. `stuck` says what the
 * machine said if it had not ended. */
void vidmm_run_check_end(struct vidmm_run *run, bool ended, const char *stuck);
/* Collect the numbers, while adapter, device and programs are there. */
void vidmm_run_count(struct vidmm_run *run);
/* Collect what the auditor says, after the last call of the driver. */
void vidmm_run_judge(struct vidmm_run *run);
/* Draw the timeline, after vidmm_run_count(). */
void vidmm_run_draw(struct vidmm_run *run);

#endif
