/* mirror.h: a fence that processes of the system share: each has a fence of its own machine, and
 * the values go from one to the others.
 *
 *     process A                  a memory file                 process B
 *     fence 41 --is signaled--> [ value 41, changes ] --> B's thread signals --> fence 41
 *        ^                                                                         |
 *        '------ A's thread signals <-- [ value 42, changes ] <------ 42 ----------'
 *
 * A mirror is what a process has of it: a thread, which sleeps until the value in the file changes
 * or its own fence does. Nothing polls. Values grow: one that is set back is not carried.
 *
 * Invariants
 * R1. The thread is over before the fence is destroyed.
 * R2. A notice that is outstanding keeps the mirror, and touches nothing else.
 */
#ifndef VIDMM_THUNK_MIRROR_H
#define VIDMM_THUNK_MIRROR_H

#include <stdint.h>

struct vidmm_device;
struct vidmm_fence;
struct vidmm_mirror;

enum { VIDMM_MIRROR_BYTES = 4096 }; /* of its file */

/* Begin to carry the values of a fence, which any device may name. file: of VIDMM_MIRROR_BYTES, a
 * copy is taken. NULL: no memory, no thread, no descriptor. */
struct vidmm_mirror *vidmm_mirror_create(struct vidmm_device *device, struct vidmm_fence *fence,
                                         int file);
/* The file, which is the mirror's. */
int vidmm_mirror_file(const struct vidmm_mirror *mirror);
/* Carry no more; the fence is there still. Waits for the thread. Takes NULL. */
void vidmm_mirror_end(struct vidmm_mirror *mirror);

/* The value in a file. */
uint64_t vidmm_mirror_value(int file);

#endif
