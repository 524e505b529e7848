/* property.c: UpdateAllocationProperty, as programs ask for it.
 *
 *     properties --> may they be, of this allocation? --> does the driver say so too? --> one event
 *
 * An allocation's record holds what follows from the segments that it was created for, and is read
 * without the mutex: whether the CPU's address is one that follows it into memory, and whether its
 * caches are flushed. Segments for which that would have to be otherwise are refused.
 *
 * Source: pfnUpdateAllocationPropertyCb, D3DDDI_UPDATEALLOCPROPERTY; rule D-254.
 */
#include <vidmm/engine.h>
#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/paging_queue.h"
#include "vidmm/ddi/gate.h"
#include "vidmm/ddi/property.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/cache.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/paging_queue.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"
#include "wddm/level.h"

#define PROPERTIES (VIDMM_PROPERTY_PHYSICAL | VIDMM_PROPERTY_SEGMENTS | VIDMM_PROPERTY_PREFERRED)
#define APERTURE_FOR_CPU 0xf002u /* Version from which CpuVisible needs an aperture (W-024) */

/* ---- is it legal? ---------------------------------------------------------------------------- */

static NTSTATUS check_support(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    if (adapter->level < VIDMM_LEVEL(2, 1)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "DriverVersion",
                                    adapter->interface_version,
                                    "properties of allocations change from WDDM 2.1 on (D-254)");
    }
    if (!vidmm_ddi_validates(adapter)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED,
                                    "DxgkDdiValidateUpdateAllocationProperty", 0,
                                    "a driver without it has no allocations that change (D-254)");
    }
    return STATUS_SUCCESS;
}

static NTSTATUS check_members(const struct vidmm_adapter *adapter,
                              const struct vidmm_property *property, struct vidmm_report *report)
{
    uint64_t segments = property->segments;

    if (property->mask == 0 || (property->mask & ~PROPERTIES) != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "PropertyMaskValue",
                                    property->mask,
                                    "SetAccessedPhysically (1), SetSupportedSegmentSet (2), "
                                    "SetPreferredSegment (4); one of them at least");
    }
    if ((property->mask & VIDMM_PROPERTY_PHYSICAL) != 0 && property->physical > 1) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "AccessedPhysically",
                                    property->physical, "0 or 1");
    }
    if ((property->mask & VIDMM_PROPERTY_SEGMENTS) != 0 &&
        (segments == 0 || segments >> adapter->segment_count != 0)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "SupportedSegmentSet",
                                    segments, "one segment at least, none that does not exist");
    }
    return STATUS_SUCCESS;
}

/* Whether each preference names a segment of the set; a slot 0 ends them (D-018). */
static bool names_of(uint32_t preferred, uint32_t set)
{
    uint32_t slot, id;

    if (preferred >> 30 != 0)
        return false;
    for (slot = 0; slot < 5; slot++) {
        id = preferred >> (6 * slot) & 0x1f;
        if (id == 0)
            break;
        if ((set >> (id - 1) & 1) == 0)
            return false;
    }
    return true;
}

/* A description with such a set would be refused for the same reasons. */
static NTSTATUS check_set(const struct vidmm_allocation *allocation, const struct vidmm_wish *wish,
                          struct vidmm_report *report)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = wish->flags};
    uint32_t set = wish->write_set, apertures = adapter->sets.apertures;

    if ((set & adapter->sets.rows) != 0 && wish->pitch_aligned_size == 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "SupportedSegmentSet", set,
                                    "no pitch-aligned segment: its PitchAlignedSize is 0 (S1-006)");
    }
    if (flags.CpuVisible && (set & apertures) == 0 &&
        (adapter->interface_version >= APERTURE_FOR_CPU || (set & adapter->sets.hidden) != 0)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "SupportedSegmentSet", set,
                                    "an aperture too, for CpuVisible (S2-018, W-024)");
    }
    if (allocation->shares && (set & ~apertures) != 0) { /* obeys D-268 */
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "SupportedSegmentSet", set,
                                    "apertures alone, of what the GPU finds by the CPU's page "
                                    "tables (D-268)");
    }
    if (flags.CpuVisible && allocation->resource && allocation->resource->shared &&
        (set & ~apertures) != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "SupportedSegmentSet", set,
                                    "apertures alone, of what is shared and CpuVisible (W-023)");
    }
    return STATUS_SUCCESS;
}

/* The facts that follow from the segments that it was created for have to hold for the new ones. */
static NTSTATUS check_record(const struct vidmm_allocation *allocation,
                             const struct vidmm_wish *wish, struct vidmm_report *report)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = wish->flags};

    if (!allocation->windowed && !allocation->keeps_copy && flags.CpuVisible &&
        (wish->write_set & adapter->sets.windowed) != 0) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "SupportedSegmentSet",
                                    wish->write_set,
                                    "this version brings nothing into memory that the CPU sees "
                                    "that was not created for it");
    }
    if (!allocation->incoherent && vidmm_cache_is_incoherent(adapter, wish, &allocation->backing)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "SupportedSegmentSet",
                                    wish->write_set,
                                    "this version brings cached content that was created for "
                                    "cache-coherent apertures into no other segment");
    }
    return STATUS_SUCCESS;
}

/* The mutex is held. */
static NTSTATUS check_wish(const struct vidmm_allocation *allocation,
                           const struct vidmm_property *property, struct vidmm_report *report)
{
    const struct vidmm_wish *wish = vidmm_engine_wish(allocation->adapter->engine, allocation->id);
    struct vidmm_wish next;
    NTSTATUS status = STATUS_SUCCESS;

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter) && wish);
    next = *wish;
    if ((property->mask & VIDMM_PROPERTY_SEGMENTS) != 0)
        next.write_set = next.read_set = property->segments;
    if ((property->mask & VIDMM_PROPERTY_PREFERRED) != 0 &&
        !names_of(property->preferred, next.write_set)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "PreferredSegment",
                                    property->preferred,
                                    "segments of the supported set, from SegmentId0 on");
    }
    if ((wish->write_set >> allocation->adapter->segment_count) != 0) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "hAllocation", allocation->id,
                                    "one without CreateInVpr: its place is a protected range, "
                                    "which this version does not change");
    }
    if ((wish->flags & VIDMM_WISH_DISPLAYED) != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "hAllocation", allocation->id,
                                    "one that is not displayed");
    }
    if (wish->pinned != 0 || allocation->context_allocation) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "hAllocation", allocation->id,
                                    "a shared primary and a context's allocation stay what they "
                                    "were created for");
    }
    if ((property->mask & VIDMM_PROPERTY_SEGMENTS) != 0) {
        status = check_set(allocation, &next, report);
        if (status == STATUS_SUCCESS)
            status = check_record(allocation, &next, report);
    }
    return status;
}

static NTSTATUS check(const struct vidmm_paging_queue *queue, struct vidmm_allocation *allocation,
                      const struct vidmm_property *property, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = queue->device->adapter;
    NTSTATUS status = check_support(adapter, report);

    if (status != STATUS_SUCCESS)
        return status;
    if (vidmm_report_null(allocation, "allocation", report) ||
        vidmm_report_null(property, "property", report))
        return STATUS_INVALID_PARAMETER;
    if (allocation->device != queue->device) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "hAllocation", allocation->id,
                                    "an allocation of the paging queue's device");
    }
    status = check_members(adapter, property, report);
    if (status == STATUS_SUCCESS)
        status = vidmm_device_condition(queue->device, report);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_adapter_lock(adapter);
    status = check_wish(vidmm_original(allocation), property, report);
    vidmm_adapter_unlock(adapter);
    return status;
}

/* ---- the request ----------------------------------------------------------------------------- */

static NTSTATUS ask_driver(struct vidmm_allocation *allocation,
                           const struct vidmm_property *property, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    NTSTATUS status;

    vidmm_driver_enter(adapter);
    status = vidmm_ddi_validate(allocation, property);
    vidmm_driver_leave(adapter);
    if (status == STATUS_SUCCESS)
        return status;
    vidmm_report_refusal(report, STATUS_INVALID_PARAMETER,
                         "status of DxgkDdiValidateUpdateAllocationProperty", (uint32_t)status,
                         "the driver does not allow it");
    return vidmm_report_reason(adapter, report, STATUS_INVALID_PARAMETER);
}

/* Commands are held against it from here on, by its record (D-096). */
static void note_flag(struct vidmm_allocation *allocation, const struct vidmm_property *property)
{
    DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 flags = {.AccessedPhysically = 1};

    if ((property->mask & VIDMM_PROPERTY_PHYSICAL) == 0)
        return;
    if (property->physical != 0)
        atomic_fetch_or(&allocation->flags, flags.Value);
    else
        atomic_fetch_and(&allocation->flags, ~flags.Value);
}

NTSTATUS vidmm_update_property(struct vidmm_paging_queue *queue, struct vidmm_allocation *named,
                               const struct vidmm_property *property,
                               struct vidmm_residency_result *result, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = queue->device->adapter;
    struct vidmm_event event = {.kind = VIDMM_EVENT_UPDATE_PROPERTY};
    struct vidmm_allocation *allocation;
    struct vidmm_residency_result ours;
    NTSTATUS status = check(queue, named, property, report);

    result = result ? result : &ours;
    *result = (struct vidmm_residency_result){0, 0};
    if (status != STATUS_SUCCESS)
        return status;
    allocation = vidmm_original(named);
    status = ask_driver(allocation, property, report);
    if (status != STATUS_SUCCESS)
        return status;
    event.property.queue = queue->id;
    event.property.allocation = allocation->id;
    event.property.to = *property;
    vidmm_adapter_lock(adapter);
    status = vidmm_residency_ask(queue->device, queue, &event, result);
    if (status == STATUS_SUCCESS || status == STATUS_PENDING)
        note_flag(allocation, property);
    vidmm_pump_and_unlock(adapter);
    if (status == STATUS_NOT_SUPPORTED) {
        return vidmm_report_refusal(report, status, "SupportedSegmentSet", property->segments,
                                    "addresses lead to it by pages of a size that these segments "
                                    "do not have, which this version does not change");
    }
    if (status == STATUS_INVALID_PARAMETER) {
        return vidmm_report_refusal(report, status, "SupportedSegmentSet", property->segments,
                                    "a segment that is large enough for it");
    }
    return vidmm_residency_refuse(queue->device, status, result, 1, report);
}
