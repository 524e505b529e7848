/* heap.c: standard allocations over memory of a program (an existing heap).
 *
 *     program     heap of whole pages, flags
 *     driver      DxgkDdiGetStandardAllocationDriverData: a GDI surface that adapters share, of one
 *                 row with as many bytes as the heap
 *     driver      DxgkDdiCreateAllocation, by those data: it is not told whose memory it is
 *     manager     the pages of the heap are the backing store
 *
 * Pages disagree with programs on CreateShared and CrossAdapter: public programs set neither, and
 * run on Windows. So a heap without them is told, and refused by a strict adapter alone.
 *
 * Source: D3DKMTCreateAllocation, D3DKMT_CREATEALLOCATIONFLAGS; rules D-059 to D-061.
 */
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/group.h"
#include "vidmm/ddi/standard.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/seen_flags.h"

#include "base/assert.h"
#include "wddm/flag_rule.h"
#include "wddm/level.h"

/* D3DKMT_CREATEALLOCATIONFLAGS. */
#define CREATE_RESOURCE 0x1u
#define CREATE_SHARED 0x2u
#define EXISTING_SYS_MEM 0x20u
#define STANDARD_ALLOCATION 0x10000u
#define EXISTING_SECTION 0x20000u

/* Why a standard allocation is none, and the value of that; NULL: it is one. */
static const char *not_standard(uint32_t flags, uint32_t count, bool adds, uint64_t *value)
{
    *value = flags;
    if ((flags & (EXISTING_SYS_MEM | EXISTING_SECTION)) == 0)
        return "Flags, without existing memory,";
    *value = count;
    if (count != 1)
        return "NumAllocations";
    *value = 1;
    return adds ? "the number of existing resources (hResource)" : NULL;
}

static bool asks_for_standard(const struct vidmm_adapter *adapter, uint32_t flags)
{
    return adapter->level >= VIDMM_LEVEL(2, 0) && (flags & STANDARD_ALLOCATION) != 0;
}

NTSTATUS vidmm_creation_check(const struct vidmm_device *device, uint32_t flags, uint32_t count,
                              bool adds, struct vidmm_report *report)
{
    const struct vidmm_adapter *adapter = device->adapter;
    const char *what = NULL;
    uint64_t value = 0;

    vidmm_report_clear(report);
    if (vidmm_flags_are_refused(adapter, VIDMM_FLAGS_CREATION, 0, flags, "Flags", report))
        return STATUS_INVALID_PARAMETER;
    if (asks_for_standard(adapter, flags))
        what = not_standard(flags, count, adds, &value);
    if (!what)
        return STATUS_SUCCESS;
    vidmm_breach_is_refused(adapter, VIDMM_RULE_D_060, true, what, value, report);
    return STATUS_INVALID_PARAMETER;
}

/* obeys D-060 */
static NTSTATUS check(const struct vidmm_device *device, const struct vidmm_heap *heap,
                      struct vidmm_report *report)
{
    NTSTATUS status = vidmm_creation_check(device, heap->flags, 1, false, report);

    if (status != STATUS_SUCCESS)
        return status;
    if (device->adapter->level < VIDMM_LEVEL(2, 0))
        return vidmm_report_value(report, STATUS_NOT_SUPPORTED,
                                  "standard allocations over existing memory: from WDDM 2.0 on",
                                  device->adapter->level);
    if ((heap->flags & STANDARD_ALLOCATION) == 0)
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "Flags: StandardAllocation is set (D-060)", heap->flags);
    if ((heap->flags & EXISTING_SECTION) != 0)
        return vidmm_report_value(report, STATUS_NOT_SUPPORTED,
                                  "Flags: ExistingSection is not supported by this version",
                                  heap->flags);
    if (!heap->address)
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "pSystemMem: the program's memory, not NULL (D-060)", 0);
    if (heap->size == 0 || heap->size > UINT32_MAX)
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "size of the heap: whole pages, below 4 GiB (D-060)", heap->size);
    if (!vidmm_ddi_describes_standard(device->adapter))
        return vidmm_report_value(report, STATUS_NOT_SUPPORTED,
                                  "the driver has no DxgkDdiGetStandardAllocationDriverData", 0);
    return vidmm_group_check_model(device->adapter, report);
}

static NTSTATUS create(struct vidmm_device *device, const struct vidmm_heap *heap,
                       const struct vidmm_standard_data *data, struct vidmm_resource **resource,
                       struct vidmm_allocation **allocation, struct vidmm_report *report)
{
    const struct vidmm_resource_options options = {.private_data = data->of_resource,
                                                   .private_data_size = data->resource_size,
                                                   .shared = (heap->flags & CREATE_SHARED) != 0};
    const struct vidmm_description description = {.private_data = data->of_allocation,
                                                  .private_data_size = data->allocation_size,
                                                  .vidpn_source = VIDMM_NO_SOURCE,
                                                  .address = heap->address,
                                                  .size = heap->size};
    const struct vidmm_group group = {.device = device,
                                      .descriptions = &description,
                                      .count = 1,
                                      .over_heap = true,
                                      .allocations = allocation,
                                      .report = report};

    VIDMM_ASSERT(data->allocation_size > 0 || data->resource_size > 0);
    if ((heap->flags & CREATE_RESOURCE) != 0)
        return vidmm_resource_build(device, &options, true, &description, 1, resource, allocation,
                                    report);
    return vidmm_group_explain(device, vidmm_group_create(&group), report);
}

NTSTATUS vidmm_heap_create(struct vidmm_device *device, const struct vidmm_heap *heap,
                           struct vidmm_resource **resource, struct vidmm_allocation **allocation,
                           struct vidmm_report *report)
{
    struct vidmm_standard standard = {.type = D3DKMDT_STANDARDALLOCATION_GDISURFACE,
                                      .gdi = D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER,
                                      .height = 1};
    struct vidmm_allocation *made = NULL;
    struct vidmm_standard_data data;
    NTSTATUS status;

    vidmm_report_clear(report);
    if (vidmm_report_null(heap, "heap", report) ||
        vidmm_report_null(resource, "resource", report) ||
        vidmm_report_null(allocation, "allocation", report))
        return STATUS_INVALID_PARAMETER;
    status = check(device, heap, report);
    if (status != STATUS_SUCCESS)
        return status;
    standard.width = (uint32_t)heap->size;
    standard.format = D3DDDIFMT_UNKNOWN;
    status = vidmm_ddi_describe_standard(device, &standard, &data, report);
    if (status != STATUS_SUCCESS)
        return status;
    *resource = NULL;
    status = create(device, heap, &data, resource, &made, report);
    vidmm_free(device->adapter->host, data.bytes);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_seen_flags(device->adapter, VIDMM_FLAGS_CREATION, 0, heap->flags, "Flags");
    *allocation = made;
    return status;
}

const void *vidmm_allocation_private_data(const struct vidmm_allocation *allocation, uint32_t *size)
{
    const struct vidmm_allocation *original =
        allocation->original ? allocation->original : allocation;

    *size = original->private_data ? original->private_data_size : 0;
    return original->private_data;
}
