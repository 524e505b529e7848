/* make_resident.c: MakeResident and Evict, as programs ask for them.
 *
 *     allocations --> all of the device, and there --> counted elsewhere (counted.c) --> answer
 *                                                  '-> their numbers --> one event --> answer
 *
 * The numbers are in a block of memory that is had before anything is asked for. All is judged
 * under the mutex, under which the engine is asked too, so a refusal names the argument and nothing
 * has changed.
 *
 *     queued: addresses mapped to it       Evict       --> its count goes, and the list names it
 *     queued: addresses copied, of which     |             still: it is held
 *             some lead to it now          the changes are made, or given up
 *                                            '---------> it leaves, if nobody counts it
 *
 * A queued change of addresses needs an allocation at the moment when it is made, and nobody knows
 * when its fence comes. An eviction is the one thing that takes an allocation off a list, so that
 * is when somebody looks; an allocation that is on no list is not put there. A copy needs what its
 * source leads to now. If an earlier change gives that another meaning, that change needs the
 * allocation until then, and as it goes the copy is asked again.
 *
 * Source: D3DDDI_MAKERESIDENT, D3DKMT_EVICT, "Tile resources"; rules D-194 to D-200, D-203.
 */
#include <vidmm/engine.h>
#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/counted.h"
#include "vidmm/client/evict.h"
#include "vidmm/client/paging_queue.h"
#include "vidmm/client/update_batch.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/paging_queue.h"
#include "vidmm/object/process.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"
#include "wddm/rule.h"

#define SMALL_COUNT 16u /* allocations whose numbers need no block */

/* One request: its event, and the numbers in it. */
struct request {
    struct vidmm_device *device;
    struct vidmm_event event;
    uint32_t *ids;
    uint32_t room[SMALL_COUNT];
};

/* ---- the numbers ----------------------------------------------------------------------------- */

static NTSTATUS begin(struct request *request, uint32_t count, struct vidmm_report *report)
{
    const struct vidmm_host *host = request->device->adapter->host;

    VIDMM_ASSERT(count >= 1 && count <= VIDMM_RESIDENCY_MOST);
    request->ids =
        count <= SMALL_COUNT ? request->room : vidmm_allocate(host, count * sizeof(uint32_t));
    request->event.residency.allocations = request->ids;
    request->event.residency.count = count;
    return request->ids ? STATUS_SUCCESS
                        : vidmm_report_refusal(report, STATUS_NO_MEMORY, "count", count,
                                               "no memory for their numbers");
}

static void end(struct request *request)
{
    if (request->ids != request->room)
        vidmm_free(request->device->adapter->host, request->ids);
}

VIDMM_SEES(D_198);
static NTSTATUS check_allocations(const struct vidmm_device *device,
                                  struct vidmm_allocation *const *allocations, uint32_t count,
                                  struct vidmm_report *report)
{
    uint32_t index;

    if (count == 0 || count > VIDMM_RESIDENCY_MOST) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "count", count,
                                    "1 to 10240 allocations");
    }
    if (vidmm_report_null(allocations, "allocations", report))
        return STATUS_INVALID_PARAMETER;
    for (index = 0; index < count; index++) {
        if (!allocations[index] || allocations[index]->device != device) {
            return vidmm_report_refusal(
                report, STATUS_INVALID_PARAMETER, "index of an allocation", index,
                allocations[index] ? "it is of another device (D-198)"
                                   : "it is NULL, and has to be an allocation");
        }
    }
    return STATUS_SUCCESS;
}

/* ---- MakeResident ---------------------------------------------------------------------------- */

VIDMM_SEES(D_197);
static NTSTATUS check_flags(uint32_t flags, struct vidmm_report *report)
{
    const uint32_t all = VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER | VIDMM_MAKE_RESIDENT_MUST_SUCCEED;

    if ((flags & ~all) != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "flags", flags,
                                    "CantTrimFurther (1) and MustSucceed (2)");
    }
    if (flags == VIDMM_MAKE_RESIDENT_MUST_SUCCEED) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "flags", flags,
                                    "MustSucceed only with CantTrimFurther (D-197)");
    }
    return STATUS_SUCCESS;
}

/* The engine does not hear of it. False: it has to, and nothing has changed. */
static bool count_again(const struct vidmm_device *device,
                        struct vidmm_allocation *const *allocations, uint32_t count)
{
    bool counted;

    vidmm_adapter_lock(device->adapter);
    counted = vidmm_counted_again(device, allocations, count);
    vidmm_adapter_unlock(device->adapter);
    return counted;
}

/* All is judged but what the engine judges. */
static NTSTATUS make_resident(struct vidmm_paging_queue *queue,
                              struct vidmm_allocation *const *allocations, uint32_t count,
                              uint32_t flags, struct vidmm_residency_result *result,
                              struct vidmm_report *report)
{
    struct request request = {.device = queue->device,
                              .event = {.kind = VIDMM_EVENT_MAKE_RESIDENT}};
    NTSTATUS status = begin(&request, count, report);
    uint32_t index;

    if (status != STATUS_SUCCESS)
        return status;
    for (index = 0; index < count; index++)
        request.ids[index] = vidmm_original(allocations[index])->id;
    request.event.residency.queue = queue->id;
    request.event.residency.flags = flags;
    vidmm_adapter_lock(queue->device->adapter);
    status = vidmm_residency_ask(queue->device, queue, &request.event, result);
    vidmm_pump_and_unlock(queue->device->adapter);
    end(&request);
    return vidmm_residency_refuse(queue->device, status, result, count, report);
}

NTSTATUS vidmm_make_resident(struct vidmm_paging_queue *queue,
                             struct vidmm_allocation *const *allocations, uint32_t count,
                             uint32_t flags, struct vidmm_residency_result *result,
                             struct vidmm_report *report)
{
    struct vidmm_residency_result ours;
    NTSTATUS status = check_flags(flags, report);

    result = result ? result : &ours;
    *result = (struct vidmm_residency_result){0, 0};
    if (status == STATUS_SUCCESS)
        status = check_allocations(queue->device, allocations, count, report);
    if (status != STATUS_SUCCESS || count_again(queue->device, allocations, count))
        return status;
    return make_resident(queue, allocations, count, flags, result, report);
}

/* ---- evictions that are held back ------------------------------------------------------------ */

/* Whether some of the addresses lead to the allocation, on one physical adapter. */
static bool lead_to(const struct vidmm_device *device, const struct vidmm_event *copy, uint32_t id,
                    uint32_t physical_adapter)
{
    uint64_t at = copy->addresses.offset, end = at + copy->addresses.size;
    struct vidmm_address_info run;

    while (at < end &&
           vidmm_engine_addresses(device->adapter->engine, device->owner->id, physical_adapter, at,
                                  &run) &&
           run.start < end) {
        if (run.state == VIDMM_ADDRESSES_MAPPED && run.allocation == id)
            return true;
        at = run.end;
    }
    return false;
}

static bool needs(const struct vidmm_device *device, const struct vidmm_event *change, uint32_t id)
{
    bool copied = change->addresses.state == VIDMM_ADDRESSES_COPIED, needed = false;
    uint32_t index;

    if (change->kind == VIDMM_LEFT_OUT)
        return false;
    for (index = 0; copied && index < device->adapter->link_count; index++)
        needed |= lead_to(device, change, id, index);
    return copied ? needed : change->addresses.allocation == id;
}

/* Whether a queued change of its process needs the allocation. */
static bool is_needed(const struct vidmm_adapter *adapter,
                      const struct vidmm_allocation *allocation, uint32_t id)
{
    const struct vidmm_update_queue *queue;
    const struct vidmm_update_batch *batch;
    uint32_t index;

    for (queue = adapter->update_queues; queue; queue = queue->next) {
        if (queue->device->owner != allocation->device->owner)
            continue;
        for (batch = queue->first; batch; batch = batch->next)
            for (index = 0; index < batch->count; index++)
                if (needs(queue->device, &batch->changes[index], id))
                    return true;
    }
    return false;
}

/* False: it is on no list of its device. */
static bool hold(struct vidmm_adapter *adapter, const struct vidmm_allocation *allocation,
                 uint32_t id, bool held)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_HOLD, .device = allocation->device->id};

    event.hold.allocation = id;
    event.hold.held = held ? 1 : 0;
    return vidmm_pump_step(adapter, &event) == STATUS_SUCCESS;
}

/* obeys D-203 */
static void hold_needed(struct vidmm_adapter *adapter, struct vidmm_allocation *const *allocations,
                        uint32_t count)
{
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if (!adapter->update_queues || adapter->stopped)
        return;
    for (index = 0; index < count; index++) {
        struct vidmm_allocation *allocation = allocations[index];
        uint32_t id = vidmm_original(allocation)->id;

        if (allocation->held_by_changes || !is_needed(adapter, allocation, id) ||
            !hold(adapter, allocation, id, true))
            continue;
        allocation->held_by_changes = true;
        adapter->updates_hold = true;
    }
}

void vidmm_evictions_let_go(struct vidmm_adapter *adapter)
{
    const struct vidmm_device *device;
    struct vidmm_allocation *allocation;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if (!adapter->updates_hold || adapter->stopped)
        return;
    adapter->updates_hold = false;
    for (device = adapter->devices; device; device = device->next) {
        for (allocation = device->allocations; allocation; allocation = allocation->next) {
            uint32_t id = vidmm_original(allocation)->id;

            if (!allocation->held_by_changes)
                continue;
            allocation->held_by_changes = is_needed(adapter, allocation, id);
            if (allocation->held_by_changes)
                adapter->updates_hold = true;
            else
                hold(adapter, allocation, id, false);
        }
    }
}

/* ---- Evict ----------------------------------------------------------------------------------- */

/* The index of the first that is counted less often than it is named up to there; count: there is
 * none. The mutex is held. */
static uint32_t find_uncounted(const struct vidmm_device *device,
                               struct vidmm_allocation *const *allocations, uint32_t count)
{
    uint32_t index, before, named;

    for (index = 0; index < count; index++) {
        const struct vidmm_allocation *original = vidmm_original(allocations[index]);
        uint32_t counted =
            allocations[index]->counted +
            vidmm_engine_residency_count(device->adapter->engine, device->id, original->id);

        named = 1;
        for (before = 0; before < index && counted <= index; before++)
            named += vidmm_original(allocations[before]) == original ? 1 : 0;
        if (named > counted)
            break;
    }
    return index;
}

/* The engine does not hear of it. False: it has to, and nothing has changed. */
static bool count_less(const struct vidmm_device *device,
                       struct vidmm_allocation *const *allocations, uint32_t count, uint32_t flags)
{
    bool counted;

    if ((flags & VIDMM_EVICT_NOT_WRITTEN_TO) != 0)
        return false;
    vidmm_adapter_lock(device->adapter);
    counted = vidmm_counted_less(device, allocations, count);
    vidmm_adapter_unlock(device->adapter);
    return counted;
}

/* Ask the engine. It is told of those that are counted elsewhere, too, if they are all there is, or
 * it is to know that they were not written. The mutex is held. */
static NTSTATUS ask(struct request *request, struct vidmm_allocation *const *allocations,
                    uint32_t flags, struct vidmm_residency_result *result)
{
    struct vidmm_event *event = &request->event;
    uint32_t count = event->residency.count;
    uint32_t others = vidmm_counted_part(allocations, count, request->ids);
    NTSTATUS status = STATUS_SUCCESS;

    event->residency.count = others;
    event->residency.flags = flags;
    if (others > 0)
        status = vidmm_residency_ask(request->device, NULL, event, result);
    event->residency.allocations = request->ids + others;
    event->residency.count = count - others;
    event->residency.flags = flags | VIDMM_EVICT_KEEPS;
    if (status == STATUS_SUCCESS && others < count &&
        (others == 0 || (flags & VIDMM_EVICT_NOT_WRITTEN_TO) != 0))
        status = vidmm_residency_ask(request->device, NULL, event, result);
    if (status != STATUS_SUCCESS)
        vidmm_counted_restore(request->device->adapter, request->ids + others, count - others);
    return status;
}

/* All is judged but what the engine judges. */
static NTSTATUS evict(struct vidmm_device *device, struct vidmm_allocation *const *allocations,
                      uint32_t count, uint32_t flags, struct vidmm_residency_result *result,
                      struct vidmm_report *report)
{
    struct request request = {.device = device,
                              .event = {.kind = VIDMM_EVENT_EVICT, .device = device->id}};
    NTSTATUS status = begin(&request, count, report);
    uint32_t uncounted = count;

    if (status != STATUS_SUCCESS)
        return status;
    vidmm_adapter_lock(device->adapter);
    hold_needed(device->adapter, allocations, count);
    status = ask(&request, allocations, flags, result);
    if (status == STATUS_INVALID_PARAMETER)
        uncounted = find_uncounted(device, allocations, count);
    vidmm_pump_and_unlock(device->adapter);
    end(&request);
    if (uncounted < count) {
        return vidmm_report_refusal(report, status, "index of an allocation", uncounted,
                                    "the residency list counts it less often than that (D-194)");
    }
    return vidmm_residency_refuse(device, status, result, count, report);
}

NTSTATUS vidmm_evict(struct vidmm_device *device, struct vidmm_allocation *const *allocations,
                     uint32_t count, uint32_t flags, struct vidmm_residency_result *result,
                     struct vidmm_report *report)
{
    const uint32_t all = VIDMM_EVICT_ONLY_IF_NECESSARY | VIDMM_EVICT_NOT_WRITTEN_TO;
    struct vidmm_residency_result ours;
    NTSTATUS status;

    result = result ? result : &ours;
    *result = (struct vidmm_residency_result){0, 0};
    if (!vidmm_residency_is_explicit(device->adapter, report))
        return STATUS_NOT_SUPPORTED;
    if ((flags & ~all) != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "flags", flags,
                                    "EvictOnlyIfNecessary (1) and NotWrittenTo (2)");
    }
    status = check_allocations(device, allocations, count, report);
    if (status != STATUS_SUCCESS || count_less(device, allocations, count, flags))
        return status;
    return evict(device, allocations, count, flags, result, report);
}
