/* companion.h: companion contexts, on which page tables change behind fences (D-266).
 *
 *     UPDATE_ADDRESSES on a queue with a companion     the process is due, and `companion` of it is
 *                                                      the queue
 *     its records                                      in paging buffers of that context alone, on
 *                                                      its node
 *     all of them are built                            the next records are for the system's again
 *
 * A companion runs in the addresses of a privileged process of its own kind: nothing of a program
 * is mapped there. Its tables are written before the first change is taken, and do not leave.
 *
 * Source: "Tile resources"; "Per-process GPU virtual address spaces".
 */
#ifndef VIDMM_ENGINE_STATE_COMPANION_H
#define VIDMM_ENGINE_STATE_COMPANION_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_companion;
struct vidmm_engine;
struct vidmm_event;
struct vidmm_process;

/* VIDMM_EVENT_COMPANION: changes of addresses by a queue run on the context from here on; or with a
 * context of 0, on its companion no more. STATUS_INVALID_PARAMETER: no such queue, node or
 * privileged process, a queue that has a companion, or of which none is taken away, a link, or
 * tables that the CPU writes. */
NTSTATUS vidmm_companion_set(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Whether a queue may change addresses of the process now. It has a companion, and
 * STATUS_DEVICE_BUSY: the changes of another one are not yet built; STATUS_DEVICE_NOT_READY: the
 * addresses that it runs in are not yet written. */
NTSTATUS vidmm_companion_check(const struct vidmm_engine *engine,
                               const struct vidmm_process *process, uint32_t queue);
/* A queue has changed addresses of the process: if it has a companion, that one tells the GPU. */
void vidmm_companion_begin(const struct vidmm_engine *engine, struct vidmm_process *process,
                           uint32_t queue);
/* The one that tells the GPU of what is due for the process. NULL: the system's context does. */
const struct vidmm_companion *vidmm_companion_of(const struct vidmm_engine *engine,
                                                 const struct vidmm_process *process);
/* The queue goes, or page tables are written anew (queue 0: all): what is due is for the system's
 * context. */
void vidmm_companion_end(const struct vidmm_engine *engine, uint32_t queue);
/* Whether a queue has a companion that runs in the process, which has an id: it may not end. */
bool vidmm_companion_runs_in(const struct vidmm_engine *engine, uint32_t process);
/* Stop the program if an invariant of companion.c does not hold. */
void vidmm_companion_verify(const struct vidmm_engine *engine);

#endif
