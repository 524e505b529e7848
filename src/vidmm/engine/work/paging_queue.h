/* paging_queue.h: the paging queues of devices: works that bring a residency list into place, each
 * with a fence value; paging_queue.c says what holds.
 *
 *     queue 3, of device 1      waits [ 7004 ] [ 7005 ]   in the arbiter, as a context's would
 *                               arriving [ 7003 ]         its page-ins are queued or under way
 *                               passed 7002               VIDMM_DO_SIGNAL has said so
 *
 * If the event that made the queue names memory with its fence's value, a paging buffer writes the
 * value there, behind all that the work needs, and the work ends when it has been executed.
 *
 * Source: "Device paging queues"; D3DKMT_CREATEPAGINGQUEUE; D-145, D-248, D-250, W-021.
 */
#ifndef VIDMM_ENGINE_WORK_PAGING_QUEUE_H
#define VIDMM_ENGINE_WORK_PAGING_QUEUE_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;
struct vidmm_work;

/* The queue with that id. NULL: there is none. */
struct vidmm_paging_queue *vidmm_paging_queue_find(const struct vidmm_engine *engine, uint32_t id);
/* VIDMM_EVENT_CREATE_PAGING_QUEUE. STATUS_INVALID_PARAMETER: no such device, an id that is 0, too
 * large or in use, a priority that there is not, memory of its value that is none, or that no
 * paging buffer writes; the status of a device in error; STATUS_NO_MEMORY. Refused: nothing has
 * changed. */
NTSTATUS vidmm_paging_queue_admit(struct vidmm_engine *engine, const struct vidmm_event *event);
/* VIDMM_EVENT_DESTROY_PAGING_QUEUE. STATUS_INVALID_PARAMETER: there is no such queue. Its id is
 * free when its works have ended. */
NTSTATUS vidmm_paging_queue_dismiss(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Whether works of the device's paging queues have not ended. */
bool vidmm_paging_queue_is_busy(const struct vidmm_engine *engine, uint32_t device);
/* The device is destroyed, and its paging queues with it; none is busy. */
void vidmm_paging_queue_clear(struct vidmm_engine *engine, uint32_t device);

/* VIDMM_EVENT_DELAY: the queue rests, behind what it was asked before, and passes a value then.
 * STATUS_PENDING: the value is in vidmm_engine_residency_answer(). STATUS_INVALID_PARAMETER: no
 * such queue, or no time of 1 to VIDMM_LONGEST_DELAY_NS; STATUS_NO_MEMORY; the status of a device
 * in error. */
NTSTATUS vidmm_paging_queue_rest(struct vidmm_engine *engine, const struct vidmm_event *event);

/* A work joins the queue: the value that the queue passes at its end. */
uint64_t vidmm_paging_queue_add(struct vidmm_engine *engine, uint32_t id);
/* The work whose turn it is has a place for everything: it arrives when its page-ins are done, and
 * the next one's turn begins. */
void vidmm_paging_queue_arrive(struct vidmm_engine *engine);
/* Let one work end whose page-ins are done. False: there is none. */
bool vidmm_paging_queue_serve(struct vidmm_engine *engine);
/* Whether paging buffers write the values of the queue; 0: of none. */
bool vidmm_paging_queue_is_written(const struct vidmm_engine *engine, uint32_t id);
/* Have paging buffers write the values of works for which nothing is left to be built: call it when
 * nothing else is to be built. MADE: a move is queued. IDLE: none is. */
enum vidmm_progress vidmm_paging_queue_signal(struct vidmm_engine *engine);
/* A work retires: append VIDMM_DO_SIGNAL. */
void vidmm_paging_queue_end(struct vidmm_engine *engine, const struct vidmm_work *work);
/* Stop the program if an invariant does not hold. */
void vidmm_paging_queue_check(const struct vidmm_engine *engine);

#endif
