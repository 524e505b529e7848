/* update_queue.c: changes of addresses that wait for monitored fences.
 *
 *     of a context     [ batch: fence 5 >= 42 ] [ batch: fence 5 >= 44 ] ...    made one at a time
 *
 *     waits ------------------> due ------------------> made -----------------------> gone
 *        its notice comes, or     it is the first: the     the paging queue has come    the fence
 *        it waits for nothing     engine knows the         to `written`                 is signaled
 *                                 changes
 *
 * A queue has a paging queue of its own, so that its changes wait for nothing that the program
 * queues, and a companion context that makes them, if its context has one (companion.h). The engine
 * makes a change when it is asked, so a batch is kept here until its fence has come. A program that
 * asks, a notice, and the pump when such a paging queue has gone on, all go on as far as they can,
 * inside one hold of the mutex; nothing on the way needs memory.
 *
 * Source: D3DKMT_UPDATEGPUVIRTUALADDRESS, D3DKMTUpdateGpuVirtualAddress; rules D-222, W-029.
 */
#include "vidmm/client/update_queue.h"

#include <vidmm/engine.h>
#include <vidmm/fence.h>
#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <vidmm/process.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/address.h"
#include "vidmm/client/companion.h"
#include "vidmm/client/evict.h"
#include "vidmm/client/fence.h"
#include "vidmm/client/fence_wait.h"
#include "vidmm/client/paging_queue.h"
#include "vidmm/client/update_batch.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/fence.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/paging_queue.h"
#include "vidmm/object/process.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"

/* ---- the end --------------------------------------------------------------------------------- */

void vidmm_update_queue_finish(struct vidmm_context *context)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    struct vidmm_update_queue *queue = context->updates;
    uint64_t newest;

    if (!queue)
        return;
    vidmm_adapter_lock(adapter);
    context->updates = NULL;
    vidmm_update_queue_drop_all(queue);
    vidmm_evictions_let_go(adapter);
    *queue->link = queue->next;
    if (queue->next)
        queue->next->link = queue->link;
    queue->paging->makes_updates = false;
    newest = queue->paging->newest;
    vidmm_adapter_unlock(adapter);
    vidmm_pump(adapter);
    vidmm_paging_queue_wait(queue->paging, newest, NULL); /* what is made runs where it was to */
    vidmm_companion_destroy(queue->companion, queue->paging);
    vidmm_paging_queue_destroy(queue->paging);
    vidmm_free(adapter->host, queue);
    vidmm_adapter_lock(adapter);
    adapter->updates_due = true; /* another companion of the process may go on */
    vidmm_pump_and_unlock(adapter);
}

/* ---- step by step ---------------------------------------------------------------------------- */

/* The engine is asked for each change. A change that it refuses is left out: the program has freed
 * the addresses, or there is no memory. False: the companion of another context of the process
 * still has changes to make, or this one has no addresses yet; the rest is asked for when a paging
 * queue has gone on. obeys W-029 */
static bool make_changes(struct vidmm_update_queue *queue, struct vidmm_update_batch *batch)
{
    for (; batch->done < batch->count; batch->done++) {
        struct vidmm_residency_result result = {0, 0};
        struct vidmm_event *change = &batch->changes[batch->done];
        NTSTATUS status;

        if (change->kind == VIDMM_LEFT_OUT)
            continue;
        change->addresses.queue = queue->paging->id;
        status = vidmm_residency_ask(queue->device, queue->paging, change, &result);
        if (status == STATUS_PENDING)
            batch->written = result.value;
        if (status == STATUS_DEVICE_BUSY ||
            (status == STATUS_DEVICE_NOT_READY &&
             vidmm_companion_await(queue->companion, queue->paging)))
            return false;
    }
    batch->made = true;
    return true;
}

static void signal_fence(struct vidmm_device *device, const struct vidmm_fence_point *after)
{
    struct vidmm_fence_value value = {.fence = after->fence->id, .value = after->value + 1};
    struct vidmm_event event = {.kind = VIDMM_EVENT_SIGNAL_FENCES, .device = device->id};

    event.fences.count = 1;
    event.fences.values = &value;
    if (!device->adapter->stopped)
        vidmm_pump_step(device->adapter, &event);
}

/* Go on as far as nothing is waited for. The mutex is held. */
static void advance(struct vidmm_update_queue *queue)
{
    struct vidmm_update_batch *batch;

    while ((batch = queue->first) && !batch->waits) {
        if (!batch->made && !make_changes(queue, batch))
            break;
        if (vidmm_paging_queue_passed(queue->paging) < batch->written)
            break;
        if (batch->after.fence)
            signal_fence(queue->device, &batch->after); /* obeys D-222 */
        vidmm_update_queue_drop_first(queue);
        vidmm_evictions_let_go(queue->device->adapter);
    }
}

bool vidmm_update_queues_advance(struct vidmm_adapter *adapter)
{
    struct vidmm_update_queue *queue;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if (!adapter->updates_due)
        return false;
    adapter->updates_due = false;
    for (queue = adapter->update_queues; queue; queue = queue->next)
        advance(queue);
    return true;
}

/* The value of a batch has come, or its fence was destroyed; otherwise the device is in error, or
 * the adapter has stopped. */
static void over(void *argument, NTSTATUS status)
{
    struct vidmm_update_batch *batch = argument;
    struct vidmm_adapter *adapter = batch->adapter;

    vidmm_adapter_lock(adapter);
    VIDMM_ASSERT(batch->waits); /* V3 */
    batch->waits = false;
    if (!batch->queue)
        vidmm_free(adapter->host, batch);
    else if (status == STATUS_SUCCESS || status == STATUS_CANCELLED)
        advance(batch->queue);
    else
        vidmm_update_queue_drop_all(batch->queue);
    vidmm_evictions_let_go(adapter);
    vidmm_pump_and_unlock(adapter);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Whether addresses lie in one reservation, which was reserved; all of a link have the same. The
 * mutex is held. */
static bool is_one_reservation(const struct vidmm_device *device, uint64_t start, uint64_t end)
{
    struct vidmm_address_info run;
    uint64_t at;

    for (at = start; at < end; at = run.end)
        if (!vidmm_engine_addresses(device->adapter->engine, device->owner->id, 0, at, &run) ||
            run.start > at || run.mapped || (run.begins && run.start > start))
            return false;
    return true;
}

/* The addresses from the first one of the changes to the last; or of what copies copy. */
struct span {
    uint64_t start, end;
};

static void widen(struct span *span, uint64_t start, uint64_t size)
{
    if (span->end == 0 || start < span->start)
        span->start = start;
    if (start + size > span->end)
        span->end = start + size;
}

static NTSTATUS check_places(const struct vidmm_device *device,
                             const struct vidmm_update_batch *batch, struct vidmm_report *report)
{
    struct span changed = {0, 0}, copied = {0, 0};
    bool is_legal;
    uint32_t index;

    for (index = 0; index < batch->count; index++) {
        const struct vidmm_event *change = &batch->changes[index];

        widen(&changed, change->addresses.base, change->addresses.size);
        if (change->addresses.state == VIDMM_ADDRESSES_COPIED)
            widen(&copied, change->addresses.offset, change->addresses.size);
    }
    vidmm_adapter_lock(device->adapter);
    is_legal = is_one_reservation(device, changed.start, changed.end);
    if (is_legal && copied.end != 0 && !is_one_reservation(device, copied.start, copied.end)) {
        is_legal = false;
        changed = copied;
    }
    vidmm_adapter_unlock(device->adapter);
    if (is_legal)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "base", changed.start,
                                "with all others in one reservation, which was reserved, and so "
                                "all sources (D-222)");
}

/* Whether the fence may be waited for and signaled. */
static NTSTATUS check_fence(struct vidmm_device *device, const struct vidmm_fence_point *after,
                            struct vidmm_report *report)
{
    struct vidmm_fence_list_of list;
    struct vidmm_event event;
    NTSTATUS status = vidmm_fence_points(device, after, 1, false, &list, &event, report);

    if (status == STATUS_SUCCESS)
        status = vidmm_fence_points(device, after, 1, true, &list, &event, report);
    if (status == STATUS_SUCCESS && after->value == UINT64_MAX) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "value", after->value,
                                    "below 2^64 - 1, for one more is signaled");
    }
    return status;
}

/* A batch of what is legal; NULL: *status says why not. */
static struct vidmm_update_batch *describe(struct vidmm_device *device,
                                           const struct vidmm_address_operation *operations,
                                           uint32_t count, NTSTATUS *status,
                                           struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_update_batch *batch =
        vidmm_allocate(adapter->host, sizeof(*batch) + count * sizeof(batch->changes[0]));
    uint32_t index;

    if (!batch) {
        *status = vidmm_report_refusal(report, STATUS_NO_MEMORY, "count", count,
                                       "no memory for so many changes");
        return NULL;
    }
    batch->adapter = adapter;
    batch->count = count;
    *status = STATUS_SUCCESS;
    for (index = 0; index < count && *status == STATUS_SUCCESS; index++)
        *status = vidmm_address_operation_judge(device, &operations[index], &batch->changes[index],
                                                report);
    if (*status == STATUS_SUCCESS)
        *status = check_places(device, batch, report);
    if (*status == STATUS_SUCCESS)
        return batch;
    vidmm_free(adapter->host, batch);
    return NULL;
}

/* obeys D-229: changes that name a context, and no paging queue, are for the GPUs that run it */
static void name_adapters(const struct vidmm_context *context, struct vidmm_update_batch *batch)
{
    uint32_t index;

    for (index = 0; vidmm_adapter_is_linked(batch->adapter) && index < batch->count; index++)
        batch->changes[index].addresses.adapters = context->engines;
}

/* The queue of a context, made if there is none yet: with a companion that makes its changes, if
 * the context has one (D-266). No other is made for the process meanwhile. */
static NTSTATUS make_queue(struct vidmm_context *context, struct vidmm_report *report)
{
    struct vidmm_device *device = context->device;
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_update_queue *queue = vidmm_allocate(adapter->host, sizeof(*queue));
    NTSTATUS status;

    if (!queue)
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "context", context->id,
                                    "no memory for its queue of changes");
    status = vidmm_paging_queue_create(device, VIDMM_PAGING_QUEUE_NORMAL, &queue->paging, report);
    if (status != STATUS_SUCCESS) {
        vidmm_free(adapter->host, queue);
        return status;
    }
    queue->device = device;
    queue->last = &queue->first;
    queue->companion = vidmm_companion_create(context, queue->paging);
    vidmm_adapter_lock(adapter);
    context->updates = queue;
    queue->paging->makes_updates = true;
    queue->next = adapter->update_queues;
    queue->link = &adapter->update_queues;
    if (queue->next)
        queue->next->link = &queue->next;
    adapter->update_queues = queue;
    vidmm_adapter_unlock(adapter);
    return STATUS_SUCCESS;
}

static bool nobody_accompanies(void *argument)
{
    const struct vidmm_device *device = argument;
    bool nobody;

    vidmm_adapter_lock(device->adapter);
    nobody = !device->owner->accompanies;
    vidmm_adapter_unlock(device->adapter);
    return nobody;
}

static NTSTATUS take_queue(struct vidmm_context *context, struct vidmm_report *report)
{
    struct vidmm_device *device = context->device;
    struct vidmm_adapter *adapter = device->adapter;
    NTSTATUS status = STATUS_SUCCESS;

    vidmm_adapter_lock(adapter);
    while (!context->updates && device->owner->accompanies) {
        vidmm_adapter_unlock(adapter);
        adapter->host->wait(adapter->host->context, nobody_accompanies, device, UINT64_MAX);
        vidmm_adapter_lock(adapter);
    }
    if (!context->updates) {
        device->owner->accompanies = true;
        vidmm_adapter_unlock(adapter);
        status = make_queue(context, report);
        vidmm_adapter_lock(adapter);
        device->owner->accompanies = false;
        adapter->changed = true;
    }
    vidmm_pump_and_unlock(adapter);
    return status;
}

struct room {
    const struct vidmm_update_queue *queue;
    uint32_t count;
};

static bool has_room(const struct vidmm_update_queue *queue, uint32_t count)
{
    return queue->changes == 0 || (queue->changes <= VIDMM_WAITING_UPDATES &&
                                   count <= VIDMM_WAITING_UPDATES - queue->changes);
}

static bool room_has_come(void *argument)
{
    const struct room *room = argument;
    bool has;

    vidmm_adapter_lock(room->queue->device->adapter);
    has = has_room(room->queue, room->count) || room->queue->device->adapter->stopped;
    vidmm_adapter_unlock(room->queue->device->adapter);
    return has;
}

/* Add a batch, and have its fence waited for. The mutex is held. */
static NTSTATUS add(struct vidmm_update_queue *queue, struct vidmm_update_batch *batch,
                    uint32_t flags)
{
    const struct vidmm_fence_notice notice = {.over = over, .argument = batch};
    NTSTATUS status = STATUS_SUCCESS;

    if (batch->adapter->stopped)
        return STATUS_DEVICE_REMOVED;
    if ((flags & VIDMM_UPDATE_AT_ONCE) == 0)
        status = vidmm_fence_await(queue->device, batch->after.fence, batch->after.value, &notice);
    if (status != STATUS_SUCCESS && status != STATUS_PENDING)
        return status;
    batch->waits = status == STATUS_PENDING; /* V3 */
    batch->queue = queue;
    *queue->last = batch;
    queue->last = &batch->next;
    queue->changes += batch->count; /* V2 */
    advance(queue);
    return STATUS_SUCCESS;
}

/* obeys D-222 */
static NTSTATUS enqueue(struct vidmm_update_queue *queue, struct vidmm_update_batch *batch,
                        uint32_t flags, struct vidmm_report *report)
{
    const struct vidmm_fence_point after = batch->after; /* the batch may be made, and gone */
    struct room room = {.queue = queue, .count = batch->count};
    struct vidmm_adapter *adapter = batch->adapter;
    NTSTATUS status = STATUS_SUCCESS;

    vidmm_adapter_lock(adapter);
    while (!has_room(queue, room.count) && status == STATUS_SUCCESS) {
        if ((flags & VIDMM_UPDATE_DO_NOT_BLOCK) != 0) {
            vidmm_adapter_unlock(adapter);
            return vidmm_report_refusal(report, STATUS_DEVICE_BUSY, "count", room.count,
                                        "128 changes at once, with those that wait for a fence");
        }
        vidmm_pump_and_unlock(adapter);
        if (!adapter->host->wait(adapter->host->context, room_has_come, &room, UINT64_MAX))
            status = STATUS_TIMEOUT;
        vidmm_adapter_lock(adapter);
    }
    if (status == STATUS_SUCCESS)
        status = add(queue, batch, flags);
    vidmm_pump_and_unlock(adapter);
    if (status == STATUS_TIMEOUT) {
        return vidmm_report_refusal(report, status, "count", room.count,
                                    "128 changes at once, with those that wait for a fence; and "
                                    "none of these comes (D-222)");
    }
    return status == STATUS_SUCCESS ? status
                                    : vidmm_fence_refuse(queue->device, &after, 1, status, report);
}

NTSTATUS vidmm_update_addresses_after(struct vidmm_context *context,
                                      const struct vidmm_address_operation *operations,
                                      uint32_t count, const struct vidmm_fence_point *after,
                                      uint32_t flags, struct vidmm_report *report)
{
    struct vidmm_device *device = context->device;
    struct vidmm_update_batch *batch;
    NTSTATUS status;

    if (vidmm_report_null(operations, "operations", report) ||
        vidmm_report_null(after, "after", report))
        return STATUS_INVALID_PARAMETER;
    if (count == 0 || count > VIDMM_UPDATES_AT_ONCE) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "count", count,
                                    "1 to 65536 changes at once");
    }
    if ((flags & ~(VIDMM_UPDATE_AT_ONCE | VIDMM_UPDATE_DO_NOT_BLOCK)) != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "flags", flags,
                                    "at once (1), do not block (2), or both");
    }
    status = check_fence(device, after, report);
    if (status == STATUS_SUCCESS)
        status = vidmm_device_condition(device, report);
    if (status != STATUS_SUCCESS)
        return status;
    batch = describe(device, operations, count, &status, report);
    if (!batch)
        return status;
    batch->after = *after;
    name_adapters(context, batch);
    status = take_queue(context, report);
    if (status == STATUS_SUCCESS)
        status = enqueue(context->updates, batch, flags, report);
    if (status != STATUS_SUCCESS)
        vidmm_free(device->adapter->host, batch);
    return status;
}
