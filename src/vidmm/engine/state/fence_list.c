/* fence_list.c: waits and signals of several fences together, from their event until they are over.
 *
 * Invariants (D4 is in fence_object.c)
 * D5. A list is WAITING if and only if it stands in `waiting` of the engine. Its waiter has waits
 *     left then, or has been met and was not taken yet.
 * D6. A list of signals never waits, and a list of the CPU is never queued nor following.
 */
#include "vidmm/engine/state/fence_list.h"

#include <base/assert.h>
#include <vidmm/engine.h>
#include <vidmm/memory.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence_object.h"
#include "vidmm/engine/state/fence_state.h"

const struct vidmm_transition vidmm_fence_list_table[] = {
    {FENCE_LIST_QUEUED, FENCE_LIST_REACH_HEAD, FENCE_LIST_WAITING, "vidmm_fence_list_begin"},
    {FENCE_LIST_QUEUED, FENCE_LIST_MEET, FENCE_LIST_OVER, "vidmm_fence_list_begin"},
    {FENCE_LIST_QUEUED, FENCE_LIST_FOLLOW, FENCE_LIST_FOLLOWING, "vidmm_fence_queue_turn"},
    {FENCE_LIST_QUEUED, FENCE_LIST_END, FENCE_LIST_OVER, "vidmm_fence_list_begin"},
    {FENCE_LIST_WAITING, FENCE_LIST_MEET, FENCE_LIST_OVER, "vidmm_fence_list_take_over"},
    {FENCE_LIST_WAITING, FENCE_LIST_END, FENCE_LIST_OVER, "vidmm_fence_list_end"},
    {FENCE_LIST_FOLLOWING, FENCE_LIST_PASS, FENCE_LIST_OVER, "serve_signals"},
    {FENCE_LIST_FOLLOWING, FENCE_LIST_END, FENCE_LIST_OVER, "serve_signals"},
};
const uint32_t vidmm_fence_list_rows =
    sizeof(vidmm_fence_list_table) / sizeof(vidmm_fence_list_table[0]);

void vidmm_fence_list_move(struct vidmm_fence_list *list, enum fence_list_event event)
{
    uint32_t to =
        vidmm_transition_to(vidmm_fence_list_table, vidmm_fence_list_rows, list->state, event);

    VIDMM_ASSERT(to != VIDMM_NO_STATE);
    list->state = (uint8_t)to;
}

const char *vidmm_fence_list_string(enum fence_list_state state)
{
    switch (state) {
    case FENCE_LIST_QUEUED:
        return "queued";
    case FENCE_LIST_WAITING:
        return "waiting";
    case FENCE_LIST_FOLLOWING:
        return "following";
    case FENCE_LIST_OVER:
        return "over";
    case FENCE_LIST_STATES:
        break;
    }
    return "unknown";
}

/* ---- beginning ------------------------------------------------------------------------------- */

static NTSTATUS judge_one(const struct vidmm_engine *engine, uint32_t device,
                          const struct vidmm_fence_value *value, bool signals)
{
    const struct vidmm_fence_object *object = vidmm_fence_object_find(engine, value->fence);

    if (!object || (object->device != device && (object->flags & VIDMM_FENCE_SHARED) == 0))
        return STATUS_INVALID_PARAMETER;
    if ((object->flags & (signals ? VIDMM_FENCE_NO_SIGNAL : VIDMM_FENCE_NO_WAIT)) != 0)
        return STATUS_ACCESS_DENIED; /* obeys D-191 */
    return vidmm_monitored_fence_reaches(&object->fence, value->value)
               ? STATUS_SUCCESS
               : STATUS_INVALID_PARAMETER; /* obeys D-185 */
}

NTSTATUS vidmm_fence_list_judge(const struct vidmm_engine *engine, const struct vidmm_event *event,
                                bool signals)
{
    NTSTATUS status;
    uint32_t index;

    if (!engine->config.explicit_residency || event->device >= engine->device_capacity ||
        !engine->devices[event->device].exists || event->fences.count == 0 ||
        event->fences.count > VIDMM_FENCES_AT_ONCE)
        return STATUS_INVALID_PARAMETER;
    status = vidmm_device_record_status(engine, event->device);
    for (index = 0; index < event->fences.count && status == STATUS_SUCCESS; index++)
        status = judge_one(engine, event->device, &event->fences.values[index], signals);
    return status;
}

struct vidmm_fence_list *vidmm_fence_list_create(struct vidmm_engine *engine,
                                                 const struct vidmm_event *event, bool signals)
{
    uint32_t count = event->fences.count, index;
    struct vidmm_fence_list *list = engine->memory.allocate(
        engine->memory.context, sizeof(*list) + count * sizeof(list->waits[0]));

    if (!list)
        return NULL;
    list->request = event->fences.request;
    list->device = event->device;
    list->count = count;
    list->any = event->fences.any != 0;
    list->signals = signals;
    for (index = 0; index < count; index++) {
        struct vidmm_fence_object *object =
            vidmm_fence_object_find(engine, event->fences.values[index].fence);

        list->waits[index].fence = &object->fence;
        list->waits[index].value = event->fences.values[index].value;
        vidmm_fence_object_take(object); /* D4 */
    }
    return list;
}

/* ---- the lists that wait, and those that were ended ------------------------------------------ */

static void link_to(struct vidmm_fence_list **first, struct vidmm_fence_list *list)
{
    list->previous = NULL;
    list->next = *first;
    if (*first)
        (*first)->previous = list;
    *first = list;
}

static void unlink_from(struct vidmm_fence_list **first, struct vidmm_fence_list *list)
{
    if (list->next)
        list->next->previous = list->previous;
    if (list->previous)
        list->previous->next = list->next;
    else
        *first = list->next;
}

static bool is_ended(const struct vidmm_engine *engine, const struct vidmm_fence_list *list)
{
    const struct vidmm_fence_list *at = engine->monitored->ended;

    while (at && at != list)
        at = at->next;
    return at != NULL;
}

void vidmm_fence_list_destroy(struct vidmm_engine *engine, struct vidmm_fence_list *list)
{
    uint32_t index;

    if (!list)
        return;
    vidmm_fence_waiter_end(&list->waiter);
    if (list->state == FENCE_LIST_WAITING)
        unlink_from(&engine->monitored->waiting, list); /* D5 */
    else if (list->state == FENCE_LIST_OVER && is_ended(engine, list))
        unlink_from(&engine->monitored->ended, list);
    for (index = 0; index < list->count; index++)
        vidmm_fence_object_release(engine, (struct vidmm_fence_object *)list->waits[index].fence);
    engine->memory.free(engine->memory.context, list);
}

bool vidmm_fence_list_begin(struct vidmm_engine *engine, struct vidmm_fence_list *list)
{
    uint32_t index;

    VIDMM_ASSERT(!list->signals && list->state == FENCE_LIST_QUEUED); /* D6 */
    if (engine->stopping || vidmm_device_record_status(engine, list->device) != STATUS_SUCCESS) {
        vidmm_fence_list_move(list, FENCE_LIST_END);
        return true;
    }
    if (vidmm_fence_waiter_begin(&list->waiter, list->any, list->waits, list->count)) {
        vidmm_fence_list_move(list, FENCE_LIST_MEET);
        return true;
    }
    vidmm_fence_list_move(list, FENCE_LIST_REACH_HEAD);
    link_to(&engine->monitored->waiting, list); /* D5 */
    for (index = 0; index < list->count; index++)
        if (list->waits[index].waiting) /* what it holds now may never be reported again */
            vidmm_fence_object_look(engine, (struct vidmm_fence_object *)list->waits[index].fence);
    return false;
}

void vidmm_fence_list_end(struct vidmm_engine *engine, struct vidmm_fence_list *list,
                          NTSTATUS status)
{
    VIDMM_ASSERT(list->state == FENCE_LIST_WAITING);
    vidmm_fence_waiter_end(&list->waiter);
    unlink_from(&engine->monitored->waiting, list);
    vidmm_fence_list_move(list, FENCE_LIST_END);
    list->status = status;
    link_to(&engine->monitored->ended, list);
}

struct vidmm_fence_list *vidmm_fence_list_take_over(struct vidmm_engine *engine)
{
    struct vidmm_fence_waiter *waiter = vidmm_fence_waiter_take_met(&engine->monitored->watch);
    struct vidmm_fence_list *list = (struct vidmm_fence_list *)waiter;

    if (list) {
        unlink_from(&engine->monitored->waiting, list);
        vidmm_fence_list_move(list, FENCE_LIST_MEET);
        return list;
    }
    list = engine->monitored->ended;
    if (list)
        unlink_from(&engine->monitored->ended, list);
    return list;
}

bool vidmm_fence_list_fail(struct vidmm_engine *engine)
{
    struct vidmm_fence_list *list = engine->monitored->waiting;

    if (!engine->monitored->failed)
        return false;
    for (; list; list = list->next) {
        NTSTATUS status = vidmm_device_record_status(engine, list->device);

        if (engine->stopping && status == STATUS_SUCCESS)
            status = STATUS_DEVICE_REMOVED;
        if (status != STATUS_SUCCESS) {
            vidmm_fence_list_end(engine, list, status);
            return true;
        }
    }
    engine->monitored->failed = vidmm_fence_object_give_up(engine);
    return engine->monitored->failed;
}

void vidmm_fence_list_clear(struct vidmm_engine *engine, uint32_t device)
{
    struct vidmm_fence_list *list = engine->monitored->waiting, *next;

    for (; list; list = next) {
        next = list->next;
        if (list->device == device)
            vidmm_fence_list_end(engine, list, STATUS_CANCELLED);
    }
}

bool vidmm_fence_list_write(struct vidmm_engine *engine, struct vidmm_fence_list *list)
{
    struct vidmm_fence_wait *signal = &list->waits[list->written];

    VIDMM_ASSERT(list->signals && list->state == FENCE_LIST_OVER);
    if (list->written == list->count)
        return false;
    list->written++;
    vidmm_fence_object_signal(engine, (struct vidmm_fence_object *)signal->fence, signal->value);
    return true;
}

void vidmm_fence_list_check(const struct vidmm_engine *engine)
{
    const struct vidmm_fence_list *list, *previous = NULL;

    for (list = engine->monitored->waiting; list; previous = list, list = list->next) {
        VIDMM_VERIFY(list->state == FENCE_LIST_WAITING && list->previous == previous); /* D5 */
        VIDMM_VERIFY(list->waiter.left > 0 || list->waiter.met);                       /* D5 */
        VIDMM_VERIFY(!list->signals);                                                  /* D6 */
        VIDMM_VERIFY(!list->work || list->work->queue->held);                          /* AR3 */
    }
    for (list = engine->monitored->ended; list; list = list->next)
        VIDMM_VERIFY(list->state == FENCE_LIST_OVER && !list->signals);
}
