/* offer.c: priorities, offers, and questions about residency.
 *
 * A selection is walked twice: once to see that all of it may be done, once to do it, both under
 * the mutex. The lock word of an allocation is closed before the allocation is offered. Every lock
 * then goes through the engine, which refuses locks of offered allocations.
 *
 * An allocation with renamed instances is offered by its newest instance, and only that one may be
 * offered (D-271); a priority is for all instances.
 *
 * One that was offered with AllowDecommit may be decommitted (client/decommit.c): it stays offered.
 *
 * Source: pages of residency.h; rules D-155, D-208 to D-215, D-252, D-271.
 */
#include "vidmm/client/offer.h"

#include <vidmm/engine.h>
#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <vidmm/residency.h>
#include <wddm/d3dkmddi_segment.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/display.h"
#include "vidmm/client/instance.h"
#include "vidmm/client/lock_word.h"
#include "vidmm/client/paging_queue.h"
#include "vidmm/client/renaming.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/paging_queue.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"
#include "vidmm/object/seen.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"
#include "wddm/rule.h"

/* Called for each allocation of an element, the mutex held; false ends the walk. */
typedef bool visit_function(void *argument, struct vidmm_allocation *allocation, uint32_t element);

static bool walk(const struct vidmm_selection *selection, visit_function *visit, void *argument)
{
    struct vidmm_allocation *member;
    uint32_t index;

    for (index = 0; index < selection->allocation_count; index++)
        if (!visit(argument, vidmm_original(selection->allocations[index]), index))
            return false;
    for (index = 0; index < selection->resource_count; index++) {
        for (member = selection->resources[index]->members; member; member = member->sibling)
            if (!visit(argument, vidmm_instance_newest(vidmm_original(member)), index))
                return false;
    }
    return true;
}

/* Each is there, and all are of one device. */
static NTSTATUS check_elements(const struct vidmm_selection *selection, struct vidmm_report *report)
{
    uint32_t index, count = selection->resource_count + selection->allocation_count;
    const struct vidmm_device *first = NULL, *device;

    if (vidmm_report_lacking(selection->resources, selection->resource_count, "resources",
                             report) ||
        vidmm_report_lacking(selection->allocations, selection->allocation_count, "allocations",
                             report))
        return STATUS_INVALID_PARAMETER;
    for (index = 0; index < count; index++) {
        const void *element = selection->resource_count > 0
                                  ? (const void *)selection->resources[index]
                                  : (const void *)selection->allocations[index];

        if (vidmm_report_null(element, "an element of a selection", report))
            return STATUS_INVALID_PARAMETER;
        device = selection->resource_count > 0 ? selection->resources[index]->device
                                               : selection->allocations[index]->device;
        first = index == 0 ? device : first;
        if (device != first) {
            return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "element of a selection",
                                        index, "it is of another device than those before it");
        }
    }
    return STATUS_SUCCESS;
}

static bool has_primary(const struct vidmm_resource *resource)
{
    const struct vidmm_allocation *member = resource->members;

    while (member && !member->primary)
        member = member->sibling;
    return member != NULL;
}

/* A primary is bound for present: its resource is named by allocation. */
VIDMM_SEES(D_213);
static NTSTATUS check_present(const struct vidmm_selection *selection, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter;
    uint32_t index = 0;

    while (index < selection->resource_count && !has_primary(selection->resources[index]))
        index++;
    if (index == selection->resource_count)
        return STATUS_SUCCESS;
    adapter = selection->resources[index]->adapter;
    if (vidmm_breach_is_refused(adapter, VIDMM_RULE_D_213, false, "resource in a selection", index,
                                report))
        return STATUS_INVALID_PARAMETER;
    vidmm_seen(adapter, VIDMM_RULE_D_213, "resource in a selection", index);
    return STATUS_SUCCESS;
}

static NTSTATUS check(const struct vidmm_selection *selection, struct vidmm_report *report)
{
    vidmm_report_clear(report);
    if (vidmm_report_null(selection, "selection", report))
        return STATUS_INVALID_PARAMETER;
    if (selection->resource_count > 0 && selection->allocation_count > 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "resources in a selection",
                                    selection->resource_count,
                                    "resources and allocations exclude each other (D-209, D-213)");
    }
    if (selection->resource_count == 0 && selection->allocation_count == 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "elements of a selection", 0,
                                    "a resource or an allocation at least");
    }
    return check_elements(selection, report);
}

/* The selection is not empty. */
static struct vidmm_adapter *adapter_of(const struct vidmm_selection *selection)
{
    VIDMM_ASSERT(selection->resource_count + selection->allocation_count > 0);
    return selection->resource_count > 0 ? selection->resources[0]->adapter
                                         : selection->allocations[0]->adapter;
}

static const struct vidmm_device *device_of(const struct vidmm_selection *selection)
{
    return selection->resource_count > 0 ? selection->resources[0]->device
                                         : selection->allocations[0]->device;
}

static uint32_t elements_of(const struct vidmm_selection *selection)
{
    return selection->resource_count + selection->allocation_count;
}

static bool is_there(void *argument, struct vidmm_allocation *allocation, uint32_t element)
{
    struct vidmm_report *report = argument;

    (void)element;
    if (allocation->device->status != STATUS_DEVICE_REMOVED)
        return true;
    if (report)
        *report = allocation->device->report;
    return false;
}

/* Take the mutex, unless the adapter has stopped or the device is removed. obeys D-244 */
static NTSTATUS begin(const struct vidmm_selection *selection, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = adapter_of(selection);

    vidmm_adapter_lock(adapter);
    if (!adapter->stopped && walk(selection, is_there, report))
        return STATUS_SUCCESS;
    if (adapter->stopped)
        vidmm_report_stopped(adapter, report);
    vidmm_adapter_unlock(adapter);
    return STATUS_DEVICE_REMOVED;
}

static void end(const struct vidmm_selection *selection)
{
    struct vidmm_adapter *adapter = adapter_of(selection);

    vidmm_adapter_unlock(adapter);
    vidmm_pump(adapter);
}

static void step(struct vidmm_adapter *adapter, struct vidmm_event *event)
{
    NTSTATUS status = vidmm_pump_step(adapter, event);

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(status == STATUS_SUCCESS || adapter->stopped); /* it was checked */
    (void)status;
}

/* ---- offer and reclaim ---- */

struct offer {
    uint32_t priority;
    bool may_decommit;
    uint32_t refused; /* the element that cannot be offered */
    const char *why;
};

VIDMM_SEES(D_271);
static bool may_offer(void *argument, struct vidmm_allocation *allocation, uint32_t element)
{
    struct offer *offer = argument;

    VIDMM_ASSERT(!allocation->original);
    offer->refused = element;
    if (vidmm_display_keeps(allocation)) {
        offer->why = "it is displayed";
        return false;
    }
    offer->why = "it is locked";
    if (vidmm_instance_newest(allocation) != allocation) {
        offer->why = "it is not the newest instance of its allocation (D-271)";
        return false;
    }
    return vidmm_lock_word_close(allocation);
}

static bool offer_one(void *argument, struct vidmm_allocation *allocation, uint32_t element)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_OFFER};

    VIDMM_ASSERT(!allocation->original && allocation->id != 0);
    (void)element;
    event.offer.allocation = allocation->id;
    event.offer.priority = ((const struct offer *)argument)->priority;
    allocation->may_decommit = ((const struct offer *)argument)->may_decommit;
    atomic_store(&allocation->offered, true);
    step(allocation->adapter, &event);
    return true;
}

static NTSTATUS check_offer(const struct vidmm_selection *selection, uint32_t priority,
                            uint32_t flags, struct vidmm_report *report)
{
    NTSTATUS status = check(selection, report);

    if (status != STATUS_SUCCESS)
        return status;
    if (priority < VIDMM_OFFER_LOW || priority > VIDMM_OFFER_AUTO) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "priority of an offer",
                                    priority, "LOW, NORMAL, HIGH or AUTO, 1 to 4 (D-212)");
    }
    if ((flags & ~VIDMM_OFFER_ALLOW_DECOMMIT) != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "flags of an offer", flags,
                                    "0, or 1: ALLOW_DECOMMIT");
    }
    if (flags != 0 && !vidmm_residency_is_explicit(adapter_of(selection), report))
        return STATUS_NOT_SUPPORTED;
    return check_present(selection, report);
}

NTSTATUS vidmm_offer(const struct vidmm_selection *selection, uint32_t priority, uint32_t flags,
                     struct vidmm_report *report)
{
    struct offer offer = {.priority = priority,
                          .may_decommit = (flags & VIDMM_OFFER_ALLOW_DECOMMIT) != 0};
    NTSTATUS status = check_offer(selection, priority, flags, report);

    if (status == STATUS_SUCCESS)
        status = begin(selection, report);
    if (status != STATUS_SUCCESS)
        return status;
    if (walk(selection, may_offer, &offer)) {
        walk(selection, offer_one, &offer);
    } else {
        status = vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "element of a selection",
                                      offer.refused, offer.why);
    }
    end(selection);
    return status;
}

/* obeys D-272: queued work goes before the offer (D-210) */
void vidmm_offer_referenced(struct vidmm_context *context,
                            const struct vidmm_render_reference *references, uint32_t count)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    bool offered = false;
    uint32_t index;

    for (index = 0; index < count; index++) {
        struct offer offer = {.priority = references[index].offer_priority};
        struct vidmm_allocation *allocation;

        if (!references[index].allocation || offer.priority == 0)
            continue;
        allocation = vidmm_original(references[index].allocation);
        vidmm_adapter_lock(adapter);
        if (!adapter->stopped && context->device->status == STATUS_SUCCESS &&
            may_offer(&offer, allocation, index))
            offered = offer_one(&offer, allocation, index);
        vidmm_adapter_unlock(adapter);
    }
    if (offered)
        vidmm_pump(adapter);
}

static bool reclaim_one(void *argument, struct vidmm_allocation *allocation, uint32_t element)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_RECLAIM};
    bool *discarded = argument;

    if (!atomic_load(&allocation->offered))
        return true;
    if (discarded && vidmm_engine_discarded(allocation->adapter->engine, allocation->id))
        discarded[element] = true; /* obeys D-214 */
    event.reclaim.allocation = allocation->id;
    step(allocation->adapter, &event);
    atomic_store(&allocation->offered, false);
    return true;
}

NTSTATUS vidmm_reclaim(const struct vidmm_selection *selection, bool *discarded,
                       struct vidmm_report *report)
{
    NTSTATUS status = check(selection, report);
    uint32_t index;

    if (status == STATUS_SUCCESS && vidmm_residency_is_explicit(adapter_of(selection), NULL)) {
        status = vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "DriverVersion",
                                      adapter_of(selection)->interface_version,
                                      "from WDDM 2.0 on a paging queue reclaims (D-215)");
    }
    if (status == STATUS_SUCCESS)
        status = check_present(selection, report);
    if (status == STATUS_SUCCESS)
        status = begin(selection, report);
    if (status != STATUS_SUCCESS)
        return status;
    for (index = 0; discarded && index < elements_of(selection); index++)
        discarded[index] = false;
    walk(selection, reclaim_one, discarded);
    end(selection);
    return STATUS_SUCCESS;
}

/* ---- reclaim by a paging queue ---- */

struct reclaim {
    uint32_t *ids;
    bool *lost; /* by id: its content is gone */
    uint32_t count;
    enum vidmm_reclaimed *results; /* by element, or NULL */
};

static bool comes_back(const struct vidmm_allocation *allocation)
{
    return atomic_load(&allocation->offered) && !allocation->decommitted;
}

/* False: a result was to tell whether it is there still. */
static bool count_offered(void *argument, struct vidmm_allocation *allocation, uint32_t element)
{
    struct reclaim *reclaim = argument;

    (void)element;
    reclaim->count += comes_back(allocation) ? 1 : 0;
    return reclaim->results || !allocation->may_decommit || !atomic_load(&allocation->offered);
}

static bool note_offered(void *argument, struct vidmm_allocation *allocation, uint32_t element)
{
    struct reclaim *reclaim = argument;

    (void)element;
    if (!comes_back(allocation))
        return true;
    reclaim->lost[reclaim->count] =
        vidmm_engine_discarded(allocation->adapter->engine, allocation->id);
    reclaim->ids[reclaim->count++] = allocation->id;
    return true;
}

/* The worst of an element's allocations is what it hears. obeys D-214, D-215 */
static void tell(struct reclaim *reclaim, uint32_t element, enum vidmm_reclaimed result)
{
    if (reclaim->results && result > reclaim->results[element])
        reclaim->results[element] = result;
}

static bool take_back(void *argument, struct vidmm_allocation *allocation, uint32_t element)
{
    struct reclaim *reclaim = argument;

    if (allocation->decommitted)
        tell(reclaim, element, VIDMM_NOT_COMMITTED);
    if (!comes_back(allocation))
        return true;
    atomic_store(&allocation->offered, false);
    if (reclaim->lost[reclaim->count])
        tell(reclaim, element, VIDMM_RECLAIMED_DISCARDED);
    reclaim->count++;
    return true;
}

/* The mutex is held. reclaim: so many as are offered, with room for them. */
static NTSTATUS reclaim_all(const struct vidmm_selection *selection, struct reclaim *reclaim,
                            struct vidmm_paging_queue *queue, struct vidmm_residency_result *result)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_RECLAIM_QUEUED};
    uint32_t element;
    NTSTATUS status;

    reclaim->count = 0;
    walk(selection, note_offered, reclaim);
    event.residency.queue = queue->id;
    event.residency.count = reclaim->count;
    event.residency.allocations = reclaim->ids;
    status = vidmm_residency_ask(queue->device, queue, &event, result);
    if (status != STATUS_SUCCESS && status != STATUS_PENDING)
        return status;
    for (element = 0; reclaim->results && element < elements_of(selection); element++)
        reclaim->results[element] = VIDMM_RECLAIMED;
    reclaim->count = 0;
    walk(selection, take_back, reclaim);
    return status;
}

static NTSTATUS check_reclaim(const struct vidmm_paging_queue *queue,
                              const struct vidmm_selection *selection, struct vidmm_report *report)
{
    NTSTATUS status = check(selection, report);

    if (status != STATUS_SUCCESS)
        return status;
    if (device_of(selection) != queue->device) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "element of a selection", 0,
                                    "it is of another device than the paging queue");
    }
    status = check_present(selection, report);
    return status == STATUS_SUCCESS ? begin(selection, report) : status;
}

NTSTATUS vidmm_reclaim_queued(struct vidmm_paging_queue *queue,
                              const struct vidmm_selection *selection,
                              enum vidmm_reclaimed *results, struct vidmm_residency_result *result,
                              struct vidmm_report *report)
{
    const struct vidmm_host *host = queue->device->adapter->host;
    struct reclaim reclaim = {.results = results};
    struct vidmm_residency_result ours;
    NTSTATUS status = check_reclaim(queue, selection, report);

    result = result ? result : &ours;
    *result = (struct vidmm_residency_result){0, 0};
    if (status != STATUS_SUCCESS)
        return status;
    if (!walk(selection, count_offered, &reclaim)) {
        end(selection);
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "results", 0,
                                    "an array, for what was offered with ALLOW_DECOMMIT (D-215)");
    }
    reclaim.ids = vidmm_allocate(host, reclaim.count * (sizeof(uint32_t) + sizeof(bool)) + 1);
    if (reclaim.ids) {
        reclaim.lost = (bool *)(reclaim.ids + reclaim.count);
        status = reclaim_all(selection, &reclaim, queue, result);
    } else {
        status = STATUS_NO_MEMORY;
    }
    end(selection);
    vidmm_free(host, reclaim.ids);
    return vidmm_residency_refuse(queue->device, status, result, elements_of(selection), report);
}

/* ---- priority ---- */

struct priorities {
    const uint32_t *values;
    bool one; /* for all */
};

static void set_instance(struct vidmm_allocation *allocation, uint32_t priority)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PRIORITY};

    event.priority.allocation = allocation->id;
    event.priority.priority = priority;
    step(allocation->adapter, &event);
}

static bool set_one(void *argument, struct vidmm_allocation *allocation, uint32_t element)
{
    const struct priorities *priorities = argument;
    const struct vidmm_renaming *renaming = vidmm_renaming_of(allocation);
    uint32_t priority = priorities->values[priorities->one ? 0 : element], index;

    if (!renaming)
        set_instance(allocation, priority);
    for (index = 0; renaming && index < renaming->count; index++)
        if (renaming->instances[index].state == VIDMM_INSTANCE_READY)
            set_instance(renaming->instances[index].allocation, priority);
    return true;
}

NTSTATUS vidmm_set_priority(const struct vidmm_selection *selection, const uint32_t *values,
                            struct vidmm_report *report)
{
    struct priorities priorities = {values, selection && selection->resource_count > 0};
    NTSTATUS status = check(selection, report);

    if (status == STATUS_SUCCESS && vidmm_report_null(values, "priorities", report))
        return STATUS_INVALID_PARAMETER;
    if (status == STATUS_SUCCESS && selection->resource_count > 1) {
        status = vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "resources in a selection",
                                      selection->resource_count, "one (D-209)");
    }
    if (status == STATUS_SUCCESS)
        status = begin(selection, report);
    if (status != STATUS_SUCCESS)
        return status;
    walk(selection, set_one, &priorities); /* obeys D-209 */
    end(selection);
    return STATUS_SUCCESS;
}

static bool get_one(void *argument, struct vidmm_allocation *allocation, uint32_t element)
{
    const struct vidmm_wish *wish = vidmm_engine_wish(allocation->adapter->engine, allocation->id);
    uint32_t *priorities = argument;

    if (wish && wish->priority > priorities[element])
        priorities[element] = wish->priority;
    return true;
}

NTSTATUS vidmm_get_priority(const struct vidmm_selection *selection, uint32_t *priorities,
                            struct vidmm_report *report)
{
    NTSTATUS status = check(selection, report);
    uint32_t element;

    if (status == STATUS_SUCCESS && vidmm_report_null(priorities, "priorities", report))
        return STATUS_INVALID_PARAMETER;
    if (status == STATUS_SUCCESS)
        status = begin(selection, report);
    if (status != STATUS_SUCCESS)
        return status;
    for (element = 0; element < elements_of(selection); element++)
        priorities[element] = 0;
    walk(selection, get_one, priorities);
    end(selection);
    return STATUS_SUCCESS;
}

/* ---- residency ---- */

static bool look_at_one(void *argument, struct vidmm_allocation *allocation, uint32_t element)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    enum vidmm_residency *residency = argument, here = VIDMM_NOT_RESIDENT;
    struct vidmm_place place = vidmm_engine_where(adapter->engine, allocation->id);
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[place.segment].info.flags};

    if (place.segment != 0)
        here = flags.Aperture ? VIDMM_RESIDENT_IN_SHARED : VIDMM_RESIDENT_IN_GPU;
    if (here < residency[element]) /* obeys D-252 */
        residency[element] = here;
    return true;
}

NTSTATUS vidmm_query_residency(const struct vidmm_selection *selection,
                               enum vidmm_residency *residency, struct vidmm_report *report)
{
    NTSTATUS status = check(selection, report);
    uint32_t index;

    if (status == STATUS_SUCCESS && vidmm_report_null(residency, "residency", report))
        return STATUS_INVALID_PARAMETER;
    if (status == STATUS_SUCCESS)
        status = begin(selection, report);
    if (status != STATUS_SUCCESS)
        return status;
    for (index = 0; index < elements_of(selection); index++)
        residency[index] = VIDMM_NOT_RESIDENT;
    walk(selection, look_at_one, residency);
    vidmm_adapter_unlock(adapter_of(selection));
    return STATUS_SUCCESS;
}
