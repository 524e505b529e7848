/* fence_queue.c: waits and signals, by the CPU and in the queues of contexts.
 *
 * A wait or a signal in a context's queue is a work there, like a DMA buffer. A wait that comes to
 * the head and does not hold keeps the queue from having a turn; nothing looks at it again before
 * one of its fences has changed. Works before it go on: they have left the queue already.
 *
 * A signal is drawn when everything of its context that was queued before it has been executed
 * (D-251). It is no packet: the driver never hears of it, and it hangs nothing.
 *
 * Invariants (D5 and D6 are in fence_list.c, AR1 to AR3 in arbiter.c)
 * D7. A work in `signals` is FOLLOWING, and in no queue. Signals of one context stand there in
 *     order of arrival.
 */
#include "vidmm/engine/work/fence_queue.h"

#include <base/assert.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence_list.h"
#include "vidmm/engine/state/fence_object.h"
#include "vidmm/engine/state/fence_state.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/work/arbiter.h"
#include "vidmm/engine/work/suspension.h"
#include "vidmm/engine/work/work.h"

/* ---- the CPU --------------------------------------------------------------------------------- */

NTSTATUS vidmm_fence_queue_signal_now(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    NTSTATUS status = vidmm_fence_list_judge(engine, event, true);
    uint32_t index;

    if (status != STATUS_SUCCESS)
        return status;
    for (index = 0; index < event->fences.count; index++) {
        const struct vidmm_fence_value *signal = &event->fences.values[index];

        vidmm_fence_object_signal(engine, vidmm_fence_object_find(engine, signal->fence),
                                  signal->value); /* obeys D-187 */
    }
    return STATUS_SUCCESS;
}

static bool is_waiting(const struct vidmm_engine *engine, uint32_t request)
{
    const struct vidmm_fence_list *list = engine->monitored->waiting;

    while (list && (list->work || list->request != request))
        list = list->next;
    return list != NULL;
}

NTSTATUS vidmm_fence_queue_wait_now(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    NTSTATUS status = vidmm_fence_list_judge(engine, event, false);
    struct vidmm_fence_list *list;

    if (status != STATUS_SUCCESS)
        return status;
    if (event->fences.request == 0 || is_waiting(engine, event->fences.request))
        return STATUS_INVALID_PARAMETER;
    if (engine->stopping)
        return STATUS_DEVICE_REMOVED;
    list = vidmm_fence_list_create(engine, event, false);
    if (!list)
        return STATUS_NO_MEMORY;
    if (!vidmm_fence_list_begin(engine, list))
        return STATUS_PENDING; /* obeys D-188 */
    vidmm_fence_list_destroy(engine, list);
    return STATUS_SUCCESS;
}

/* ---- in a queue ------------------------------------------------------------------------------ */

NTSTATUS vidmm_fence_queue_add(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    bool signals = event->kind == VIDMM_EVENT_QUEUE_SIGNAL;
    NTSTATUS status = vidmm_fence_list_judge(engine, event, signals);
    struct vidmm_fence_list *list;
    struct vidmm_work *work;

    if (status != STATUS_SUCCESS)
        return status;
    if (event->fences.context == 0 || event->fences.context >= VIDMM_PAGING_QUEUE_CONTEXT ||
        event->fences.any != 0)
        return STATUS_INVALID_PARAMETER;
    list = vidmm_fence_list_create(engine, event, signals);
    if (!list)
        return STATUS_NO_MEMORY;
    status = vidmm_work_check_fences(engine, event->fences.context, &work);
    if (status != STATUS_SUCCESS) {
        vidmm_fence_list_destroy(engine, list);
        return status;
    }
    vidmm_work_create_fences(engine, event->device, list, work);
    vidmm_suspension_wake(engine, event->device);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_fence_queue_signaled(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    if (event->fences_signaled.node >= engine->config.node_count)
        return STATUS_INVALID_PARAMETER;
    vidmm_fence_object_look_all(engine);
    return STATUS_SUCCESS;
}

enum vidmm_progress vidmm_fence_queue_turn(struct vidmm_engine *engine)
{
    struct vidmm_work *work = engine->turn;
    NTSTATUS status = vidmm_device_record_status(engine, work->device);

    VIDMM_ASSERT(work->fences && !work->queue->held); /* AR3 */
    if (!work->fences->signals) {
        vidmm_work_drop(engine, status); /* obeys D-189 */
        return PROGRESS_MADE;
    }
    vidmm_work_dequeue(engine);
    vidmm_fence_list_move(work->fences, FENCE_LIST_FOLLOW);
    vidmm_works_add(&engine->monitored->signals, work); /* D7 */
    engine->monitored->signals_may_go = true;
    return PROGRESS_MADE;
}

/* ---- consequences ---------------------------------------------------------------------------- */

/* Whether something of its context that arrived before it is in flight. */
static bool is_preceded(const struct vidmm_engine *engine, const struct vidmm_work *signal)
{
    uint32_t node;

    for (node = 0; node < engine->config.node_count; node++) {
        const struct vidmm_flight *flight = engine->nodes[node].timeline.flights.first;

        for (; flight; flight = flight->next) {
            const struct vidmm_work *work = vidmm_flight_work(flight);

            if (work && work->context == signal->context && work->arrival < signal->arrival)
                return true;
        }
    }
    return false;
}

/* Let one signal go: it retires, and its values are written as it does. */
static bool serve_signals(struct vidmm_engine *engine)
{
    struct vidmm_work *work = engine->monitored->signals.first, *before = NULL;

    for (; engine->monitored->signals_may_go && work; work = work->next) {
        NTSTATUS status = vidmm_device_record_status(engine, work->device);

        if (status != STATUS_SUCCESS || !is_preceded(engine, work)) { /* obeys D-251 */
            vidmm_works_remove(&engine->monitored->signals, before, work);
            vidmm_fence_list_move(work->fences,
                                  status == STATUS_SUCCESS ? FENCE_LIST_PASS : FENCE_LIST_END);
            work->status = status;
            vidmm_works_add(&engine->retired, work);
            return true;
        }
        before = work;
    }
    engine->monitored->signals_may_go = false;
    return false;
}

/* A wait is over: its queue goes on, or the CPU is told. */
static bool serve_waits(struct vidmm_engine *engine)
{
    struct vidmm_fence_list *list = vidmm_fence_list_take_over(engine);
    struct vidmm_operation *waited;

    if (!list)
        return false;
    if (list->work) {
        vidmm_arbiter_release(engine, list->work->queue);
        return true;
    }
    waited = vidmm_emit(engine, VIDMM_DO_WAITED);
    waited->waited.request = list->request;
    waited->waited.status = (uint32_t)list->status;
    vidmm_fence_list_destroy(engine, list);
    return true;
}

bool vidmm_fence_queue_serve(struct vidmm_engine *engine)
{
    return serve_waits(engine) || vidmm_fence_list_fail(engine) || serve_signals(engine) ||
           vidmm_fence_object_tell_read(engine);
}

bool vidmm_fence_queue_is_due(const struct vidmm_engine *engine)
{
    const struct vidmm_fences *fences = engine->monitored;

    return fences->watch.met.first || fences->ended || fences->failed || fences->reads.first ||
           (fences->signals_may_go && fences->signals.first);
}

/* ---- ends ------------------------------------------------------------------------------------ */

bool vidmm_fence_queue_is_busy(const struct vidmm_engine *engine, uint32_t device)
{
    const struct vidmm_context_queue *queue;
    const struct vidmm_work *work;

    for (work = engine->monitored->signals.first; work; work = work->next)
        if (work->device == device)
            return true;
    for (queue = engine->queues.first; queue; queue = queue->next)
        for (work = queue->works.first; work; work = work->next)
            if (work->device == device && work->fences)
                return true;
    return false;
}

void vidmm_fence_queue_clear(struct vidmm_engine *engine, uint32_t device)
{
    VIDMM_ASSERT(!vidmm_fence_queue_is_busy(engine, device));
    vidmm_fence_list_clear(engine, device);
    vidmm_fence_object_clear(engine, device);
}

void vidmm_fence_queue_finish(struct vidmm_engine *engine)
{
    while (engine->monitored->waiting)
        vidmm_fence_list_destroy(engine, engine->monitored->waiting);
    while (engine->monitored->ended)
        vidmm_fence_list_destroy(engine, engine->monitored->ended);
    vidmm_fence_object_finish(engine);
}

void vidmm_fence_queue_check(const struct vidmm_engine *engine)
{
    const struct vidmm_work *work, *later;

    vidmm_fence_object_check(engine);
    vidmm_fence_list_check(engine);
    for (work = engine->monitored->signals.first; work; work = work->next) {
        VIDMM_VERIFY(work->fences->state == FENCE_LIST_FOLLOWING && !work->queue); /* D7 */
        for (later = work->next; later; later = later->next)
            VIDMM_VERIFY(later->context != work->context || later->arrival > work->arrival);
    }
}
