/* fence_queue.h: who waits for monitored fences and signals them: the CPU, and works in the queues
 * of contexts; fence_queue.c says what holds.
 *
 *     queue of context 7   [ wait 5 >= 42 ] [ DMA buffer 3 ] [ signal 6 := 8 ]
 *                            held: what stands behind it has no turn, others have
 *
 * Source: "Context monitoring"; D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU, ...FROMGPU; D-187 to
 * D-189, D-251.
 */
#ifndef VIDMM_ENGINE_WORK_FENCE_QUEUE_H
#define VIDMM_ENGINE_WORK_FENCE_QUEUE_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;

/* VIDMM_EVENT_SIGNAL_FENCES. As vidmm_fence_list_judge(). */
NTSTATUS vidmm_fence_queue_signal_now(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_WAIT_FENCES. STATUS_SUCCESS: nobody has to wait. STATUS_PENDING: VIDMM_DO_WAITED
 * follows. STATUS_INVALID_PARAMETER: request 0, or one that waits already; STATUS_DEVICE_REMOVED:
 * the engine is stopping; STATUS_NO_MEMORY; or as vidmm_fence_list_judge(). */
NTSTATUS vidmm_fence_queue_wait_now(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_QUEUE_WAIT, VIDMM_EVENT_QUEUE_SIGNAL. STATUS_INVALID_PARAMETER: a context that is 0
 * or too large, WaitAny; STATUS_NO_MEMORY; or as vidmm_fence_list_judge(). */
NTSTATUS vidmm_fence_queue_add(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_FENCES_SIGNALED. STATUS_INVALID_PARAMETER: there is no such node. */
NTSTATUS vidmm_fence_queue_signaled(struct vidmm_engine *engine, const struct vidmm_event *event);

/* It is the turn of a wait that is over, or of a signal. */
enum vidmm_progress vidmm_fence_queue_turn(struct vidmm_engine *engine);
/* Draw one consequence. False: none is due. */
bool vidmm_fence_queue_serve(struct vidmm_engine *engine);
/* Whether vidmm_fence_queue_serve() may have something to do. */
bool vidmm_fence_queue_is_due(const struct vidmm_engine *engine);

/* Whether waits or signals of the device have not ended in the queues of its contexts. */
bool vidmm_fence_queue_is_busy(const struct vidmm_engine *engine, uint32_t device);
/* The device is destroyed, and its fences with it; it is not busy. */
void vidmm_fence_queue_clear(struct vidmm_engine *engine, uint32_t device);
/* Give back all memory, at the end of the engine: the works are gone. */
void vidmm_fence_queue_finish(struct vidmm_engine *engine);
/* Stop the program if an invariant does not hold. */
void vidmm_fence_queue_check(const struct vidmm_engine *engine);

#endif
