/* page_out.c: allocations leave for system memory because a test says so.
 *
 *     which --> counted, then their numbers noted, under the mutex --> one event --> its grant
 *
 * One that goes between the look and the event is passed over by the engine; who names allocations
 * keeps them.
 *
 * Source: D3DKMT_VIDMM_ESCAPE.
 */
#include <vidmm/page_out.h>

#include <vidmm/engine.h>
#include <vidmm/plan.h>
#include <wddm/d3dkmddi_segment.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/group.h"
#include "vidmm/client/instance.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/device.h"
#include "vidmm/object/lock_word.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/pump/ask.h"
#include "vidmm/pump/grant.h"

#include "base/assert.h"

/* ---- which ----------------------------------------------------------------------------------- */

/* One of these is set. */
struct which {
    struct vidmm_allocation *allocation;
    const struct vidmm_resource *resource;
    const struct vidmm_page_out_criteria *criteria;
};

/* Their numbers. NULL: they are counted only. */
struct numbers {
    uint32_t *ids;
    uint32_t count;
    uint32_t offered; /* the number of one that is offered; 0: none is */
};

static void note(struct numbers *numbers, struct vidmm_allocation *original)
{
    VIDMM_ASSERT(!original->original && original->id != 0);
    if (numbers->ids)
        numbers->ids[numbers->count] = original->id;
    numbers->count++;
    if (atomic_load(&original->offered))
        numbers->offered = original->id;
}

static bool is_in_aperture(const struct vidmm_adapter *adapter, uint32_t id)
{
    uint32_t segment = vidmm_engine_where(adapter->engine, id).segment;
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[segment].info.flags};

    return segment != 0 && (flags.Aperture || flags.Agp);
}

static bool meets(struct vidmm_allocation *allocation,
                  const struct vidmm_page_out_criteria *criteria)
{
    struct vidmm_allocation *original = vidmm_original(allocation);
    const struct vidmm_wish *wish;

    if (allocation->destroyed || (criteria->primaries && !allocation->primary) ||
        (criteria->locked && (atomic_load(&original->word) & WORD_LOCKS) == 0) ||
        (criteria->apertures && !is_in_aperture(allocation->adapter, original->id)))
        return false;
    wish = vidmm_engine_wish(allocation->adapter->engine, original->id);
    return wish && wish->size >= criteria->minimum && wish->size <= criteria->maximum;
}

static void note_all(const struct vidmm_adapter *adapter,
                     const struct vidmm_page_out_criteria *criteria, struct numbers *numbers)
{
    const struct vidmm_device *device;
    struct vidmm_allocation *allocation;

    for (device = adapter->devices; device; device = device->next) {
        if (device->system || (criteria->one_process && device->process != criteria->process))
            continue;
        for (allocation = device->allocations; allocation; allocation = allocation->next)
            if (meets(allocation, criteria))
                note(numbers, vidmm_original(allocation));
    }
}

static void walk(const struct vidmm_adapter *adapter, const struct which *which,
                 struct numbers *numbers)
{
    struct vidmm_allocation *member = which->resource ? which->resource->members : NULL;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    numbers->count = 0;
    if (which->allocation)
        note(numbers, vidmm_original(which->allocation));
    for (; member; member = member->sibling)
        note(numbers, vidmm_instance_newest(vidmm_original(member)));
    if (which->criteria)
        note_all(adapter, which->criteria, numbers);
}

/* Whether memory can move now. The mutex is held. */
static NTSTATUS check_adapter(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    if (adapter->stopped)
        return vidmm_report_stopped(adapter, report);
    if (adapter->power != VIDMM_POWER_D0) {
        return vidmm_report_refusal(report, STATUS_DEVICE_BUSY, "power", adapter->power,
                                    "the adapter has no power");
    }
    return STATUS_SUCCESS;
}

/* The mutex is held. all: as below. */
static NTSTATUS take_numbers(const struct vidmm_adapter *adapter, const struct which *which,
                             bool all, struct numbers *numbers, struct vidmm_report *report)
{
    NTSTATUS status = check_adapter(adapter, report);

    *numbers = (struct numbers){NULL, 0, 0};
    if (status != STATUS_SUCCESS)
        return status;
    walk(adapter, which, numbers);
    if (all && numbers->offered != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "allocation",
                                    numbers->offered, "one that is not offered: reclaim it first");
    }
    if (numbers->count == 0)
        return STATUS_SUCCESS;
    numbers->ids = vidmm_allocate(adapter->host, numbers->count * sizeof(*numbers->ids));
    if (!numbers->ids) {
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "count", numbers->count,
                                    "no memory for their numbers");
    }
    walk(adapter, which, numbers);
    return STATUS_SUCCESS;
}

/* ---- the request ----------------------------------------------------------------------------- */

static NTSTATUS ask(struct vidmm_adapter *adapter, const struct numbers *numbers, bool all,
                    struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PAGE_OUT, .device = adapter->system_device->id};
    struct vidmm_request request = {0};
    NTSTATUS status;

    event.residency.flags = all ? VIDMM_PAGE_OUT_ALL : 0;
    event.residency.count = numbers->count;
    event.residency.allocations = numbers->ids;
    status = vidmm_request_ask(adapter, &event, &event.residency.request, &request);
    if (status == STATUS_SUCCESS)
        return status;
    return vidmm_report_refusal(report, status, "status of paging out", (uint32_t)status,
                                status == STATUS_GRAPHICS_ALLOCATION_BUSY
                                    ? "it is displayed, locked or in use where it has to stay"
                                    : "no memory for the request, or the adapter has stopped");
}

/* The mutex is held, and is not behind it. all: none of them, if one stays. */
static NTSTATUS page_out(struct vidmm_adapter *adapter, const struct which *which, bool all,
                         struct vidmm_report *report)
{
    struct numbers numbers;
    NTSTATUS status = take_numbers(adapter, which, all, &numbers, report);

    vidmm_adapter_unlock(adapter);
    if (status == STATUS_SUCCESS && numbers.count > 0)
        status = ask(adapter, &numbers, all, report);
    vidmm_free(adapter->host, numbers.ids);
    return status;
}

NTSTATUS vidmm_page_out(struct vidmm_allocation *allocation, struct vidmm_report *report)
{
    struct which which = {.allocation = allocation};

    if (vidmm_report_null(allocation, "allocation", report))
        return STATUS_INVALID_PARAMETER;
    vidmm_adapter_lock(allocation->adapter);
    return page_out(allocation->adapter, &which, true, report);
}

NTSTATUS vidmm_page_out_resource(struct vidmm_resource *resource, struct vidmm_report *report)
{
    struct which which = {.resource = resource};

    if (vidmm_report_null(resource, "resource", report))
        return STATUS_INVALID_PARAMETER;
    vidmm_adapter_lock(resource->adapter);
    return page_out(resource->adapter, &which, true, report);
}

NTSTATUS vidmm_page_out_shared(struct vidmm_adapter *adapter, uint32_t handle,
                               struct vidmm_report *report)
{
    struct which which = {0};

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    vidmm_adapter_lock(adapter);
    which.resource = vidmm_resource_shared(adapter, handle);
    if (which.resource)
        return page_out(adapter, &which, true, report);
    vidmm_adapter_unlock(adapter);
    return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                              "handle: of a shared resource that is open somewhere", handle);
}

NTSTATUS vidmm_page_out_all(struct vidmm_adapter *adapter,
                            const struct vidmm_page_out_criteria *criteria,
                            struct vidmm_report *report)
{
    struct which which = {.criteria = criteria};

    if (vidmm_report_null(adapter, "adapter", report) ||
        vidmm_report_null(criteria, "criteria", report))
        return STATUS_INVALID_PARAMETER;
    if (criteria->maximum < criteria->minimum) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "maximum", criteria->maximum,
                                    "no less than the minimum");
    }
    vidmm_adapter_lock(adapter);
    return page_out(adapter, &which, false, report);
}

/* ---- within a segment ------------------------------------------------------------------------ */

NTSTATUS vidmm_compact(struct vidmm_adapter *adapter, uint32_t segment, uint32_t way,
                       struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_COMPACT};
    struct vidmm_request request = {0};
    NTSTATUS status;

    if (vidmm_report_null(adapter, "adapter", report))
        return STATUS_INVALID_PARAMETER;
    if (segment == 0 || segment > adapter->segment_count)
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "segment", segment,
                                    "1 to the number of segments");
    if (way < VIDMM_COMPACT_DOWN || way > VIDMM_COMPACT_CHEAPER)
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "way", way,
                                    "one of enum vidmm_compaction, 1 to 3");
    vidmm_adapter_lock(adapter);
    status = check_adapter(adapter, report);
    vidmm_adapter_unlock(adapter);
    if (status != STATUS_SUCCESS)
        return status;
    event.device = adapter->system_device->id;
    event.test.segment = segment;
    event.test.way = way;
    status = vidmm_request_ask(adapter, &event, &event.test.request, &request);
    return status == STATUS_SUCCESS
               ? status
               : vidmm_report_refusal(report, status, "status of compacting", (uint32_t)status,
                                      "no memory for the request, or the adapter has stopped");
}
