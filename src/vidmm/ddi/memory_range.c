/* memory_range.c: memory that the miniport says is not for the manager, or not for everybody:
 * ranges of a segment that must not be used, ranges for protected content, what the hardware
 * reserves outside of segments, and how much of the frame buffer the miniport saves when power
 * goes. The last two are of a GPU that the IOMMU can isolate: what its hardware reserves would
 * be mapped before the device is attached to the IOMMU, so a range that is not the hardware's
 * would open memory of others to it.
 *
 * Pages disagree on what is handed over: by the structure's own page DXGK_QUERYSEGMENTMEMORYSTATE,
 * which leads to the array, by that of the query's type the array itself. Here it is the structure,
 * as input and as output (CAVEATS).
 *
 * Source: DXGK_QUERYSEGMENTMEMORYSTATE, DXGK_MEMORYRANGE, DXGK_SEGMENTDESCRIPTOR4; "IOMMU-based GPU
 * isolation"; rules D-026, D-317, D-318.
 */
#include "vidmm/ddi/memory_range.h"

#include <string.h>

#include <vidmm/engine.h>
#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/d3dkmddi_segment.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/question.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"

#include "base/assert.h"
#include "wddm/level.h"
#include "wddm/rule.h"

#define RANGES_MOST 256u

static NTSTATUS refuse(struct vidmm_report *report, const char *what, uint64_t value,
                       const char *legal)
{
    return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, what, value, legal);
}

/* ---- ranges of a segment --------------------------------------------------------------------- */

const struct vidmm_reserved_range *vidmm_ddi_find_reserved(const struct vidmm_adapter *adapter,
                                                           uint32_t segment, uint64_t offset,
                                                           uint64_t size)
{
    const struct vidmm_segment_view *view = &adapter->segments[segment];
    const struct vidmm_reserved_range *found = NULL;
    uint32_t index;

    for (index = 0; index < view->reserved_count; index++) {
        const struct vidmm_reserved_range *range = &view->reserved[index];

        if (range->offset < offset + size && offset < range->offset + range->size &&
            (!found || range->offset < found->offset))
            found = range;
    }
    return found;
}

NTSTATUS vidmm_ddi_reserve_range(struct vidmm_adapter *adapter, uint32_t segment,
                                 struct vidmm_reserved_range range)
{
    struct vidmm_segment_view *view = &adapter->segments[segment];
    uint32_t count = view->reserved_count;
    struct vidmm_reserved_range *grown =
        vidmm_allocate(adapter->host, (count + 1) * sizeof(*grown));

    if (!grown)
        return STATUS_NO_MEMORY;
    if (count > 0)
        memcpy(grown, view->reserved, count * sizeof(*grown));
    grown[count] = range;
    vidmm_free(adapter->host, view->reserved);
    view->reserved = grown;
    view->reserved_count = count + 1;
    return STATUS_SUCCESS;
}

/* A range whose end may lie beyond 2^64 is none. */
static bool ends_inside(const DXGK_MEMORYRANGE *range, uint64_t size)
{
    return range->SegmentOffset < size && range->SizeInBytes <= size - range->SegmentOffset;
}

static NTSTATUS take_range(struct vidmm_adapter *adapter, uint32_t id,
                           const DXGK_MEMORYRANGE *range, struct vidmm_report *report)
{
    const struct vidmm_segment_info *info = &adapter->segments[id].info;
    DXGK_SEGMENTFLAGS flags = {.Value = info->flags};
    uint64_t page = flags.Use64KBPages ? 64u << 10 : VIDMM_PAGE_SIZE;
    NTSTATUS status;

    if (range->SegmentOffset % page != 0) {
        return refuse(report, "DXGK_MEMORYRANGE.SegmentOffset", range->SegmentOffset,
                      "it is a multiple of the segment's page, 4096 bytes, or 65536 with "
                      "Use64KBPages (D-026)");
    }
    if (range->SizeInBytes == 0 || range->SizeInBytes % page != 0) {
        return refuse(report, "DXGK_MEMORYRANGE.SizeInBytes", range->SizeInBytes,
                      "it is 1 or more of the segment's pages, 4096 bytes, or 65536 with "
                      "Use64KBPages (D-026)");
    }
    if (!ends_inside(range, info->size)) {
        return refuse(report, "DXGK_MEMORYRANGE.SegmentOffset", range->SegmentOffset,
                      "with SizeInBytes it ends inside the segment, at its Size at most (D-026)");
    }
    if (vidmm_ddi_find_reserved(adapter, id, range->SegmentOffset, range->SizeInBytes)) {
        return refuse(report, "DXGK_MEMORYRANGE.SegmentOffset", range->SegmentOffset,
                      "invalid ranges of a segment do not overlap");
    }
    status = vidmm_ddi_reserve_range(
        adapter, id, (struct vidmm_reserved_range){range->SegmentOffset, range->SizeInBytes});
    return status;
}

static NTSTATUS ask_ranges(struct vidmm_adapter *adapter, uint32_t id, DXGK_MEMORYRANGE *ranges,
                           struct vidmm_report *report)
{
    uint32_t count = adapter->segments[id].invalid_count, index;
    DXGK_QUERYSEGMENTMEMORYSTATE input, *output = vidmm_question_output(adapter, sizeof(*output));
    NTSTATUS status;

    if (!output)
        return STATUS_NO_MEMORY;
    memset(&input, 0, sizeof(input));
    input.DriverSegmentId = (WORD)id;
    input.NumInvalidMemoryRanges = count;
    input.pMemoryRanges = ranges;
    *output = input;
    status = vidmm_question_ask(adapter, DXGKQAITYPE_SEGMENTMEMORYSTATE, &input, sizeof(input),
                                output, sizeof(*output), sizeof(*output));
    if (status != STATUS_SUCCESS) {
        refuse(report, "status of QueryAdapterInfo(SEGMENTMEMORYSTATE)", (uint32_t)status,
               "a driver with NumInvalidMemoryRanges lists them (D-026)");
        status = STATUS_GRAPHICS_DRIVER_MISMATCH;
    } else if (vidmm_question_overran((const uint8_t *)ranges, count * sizeof(*ranges),
                                      count * sizeof(*ranges))) {
        adapter->findings++;
    }
    vidmm_free(adapter->host, output);
    for (index = 0; index < count && status == STATUS_SUCCESS; index++)
        status = take_range(adapter, id, &ranges[index], report);
    return status;
}

static NTSTATUS query_segment(struct vidmm_adapter *adapter, uint32_t id,
                              struct vidmm_report *report)
{
    uint32_t count = adapter->segments[id].invalid_count;
    DXGK_MEMORYRANGE *ranges;
    NTSTATUS status;

    if (count > RANGES_MOST) {
        return refuse(report, "NumInvalidMemoryRanges", count,
                      "this manager keeps 256 of a segment at most");
    }
    ranges = vidmm_question_output(adapter, count * sizeof(*ranges));
    if (!ranges)
        return STATUS_NO_MEMORY;
    status = ask_ranges(adapter, id, ranges, report);
    vidmm_free(adapter->host, ranges);
    return status;
}

/* obeys D-026: asked for only where there are some */
NTSTATUS vidmm_ddi_query_memory_ranges(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t id;

    for (id = 1; id <= adapter->segment_count && status == STATUS_SUCCESS; id++)
        if (adapter->segments[id].invalid_count != 0)
            status = query_segment(adapter, id, report);
    return status;
}

/* ---- protected ranges ------------------------------------------------------------------------ */

/* Reserve the part of [start, end) that is in [low, high), if there is one. */
static NTSTATUS reserve_within(struct vidmm_adapter *adapter, uint32_t id, uint64_t start,
                               uint64_t end, uint64_t low, uint64_t high)
{
    start = start > low ? start : low;
    end = end < high ? end : high;
    return start >= end ? STATUS_SUCCESS
                        : vidmm_ddi_reserve_range(
                              adapter, id, (struct vidmm_reserved_range){start, end - start});
}

/* Divide what was reserved among the segment and its part; neither has anything of the other. */
static NTSTATUS divide(struct vidmm_adapter *adapter, uint32_t id, uint32_t part,
                       const struct vidmm_reserved_range *ranges, uint32_t count)
{
    uint64_t low = adapter->segments[id].protected_offset, size = adapter->segments[id].info.size;
    uint64_t high = low + adapter->segments[id].protected_size;
    uint64_t kept = high + adapter->segments[id].protected_kept; /* the end of both */
    NTSTATUS status = reserve_within(adapter, id, low, kept, 0, size);
    uint32_t index;

    if (status == STATUS_SUCCESS)
        status = reserve_within(adapter, part, 0, low, 0, size);
    if (status == STATUS_SUCCESS)
        status = reserve_within(adapter, part, high, size, 0, size);
    for (index = 0; index < count && status == STATUS_SUCCESS; index++) {
        uint64_t start = ranges[index].offset, end = start + ranges[index].size;

        status = reserve_within(adapter, part, start, end, low, high);
        if (status == STATUS_SUCCESS)
            status = reserve_within(adapter, id, start, end, 0, low);
        if (status == STATUS_SUCCESS)
            status = reserve_within(adapter, id, start, end, kept, size);
    }
    return status;
}

/* Protected content survives as the range's own flag says, and not as those of its segment.
 * obeys D-232 */
static DXGK_SEGMENTFLAGS flags_of_range(DXGK_SEGMENTFLAGS flags)
{
    flags.PreservedDuringStandby = flags.VprPreservedDuringStandby;
    flags.PreservedDuringHibernate = 0;
    flags.PartiallyPreservedDuringHibernate = 0;
    return flags;
}

/* The part is as its segment, but for what survives, and for the CPU host
 * aperture, which shows the segment alone. */
static void describe(struct vidmm_adapter *adapter, uint32_t id, uint32_t part)
{
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

    flags = flags_of_range(flags);
    flags.SupportsCpuHostAperture = 0;
    flags.SupportsCachedCpuHostAperture = 0;
    adapter->segments[part].info = adapter->segments[id].info;
    adapter->segments[part].info.flags = flags.Value;
}

static NTSTATUS put_apart(struct vidmm_adapter *adapter, uint32_t id)
{
    struct vidmm_segment_view *view = &adapter->segments[id];
    struct vidmm_reserved_range *ranges = view->reserved;
    uint32_t count = view->reserved_count, part = adapter->segment_count + adapter->part_count + 1;
    NTSTATUS status;

    VIDMM_ASSERT(view->protected_id == 0 && view->protected_size > 0);
    VIDMM_ASSERT(view->protected_offset + view->protected_size <= view->info.size);
    if (view->protected_size == view->info.size) {
        DXGK_SEGMENTFLAGS flags = {.Value = view->info.flags};

        view->info.flags = flags_of_range(flags).Value;
        view->protected_id = id;
        return STATUS_SUCCESS;
    }
    if (part >= VIDMM_SEGMENTS)
        return STATUS_SUCCESS;
    view->reserved = NULL;
    view->reserved_count = 0;
    status = divide(adapter, id, part, ranges, count);
    vidmm_free(adapter->host, ranges);
    if (status != STATUS_SUCCESS)
        return status;
    describe(adapter, id, part);
    view->protected_id = part;
    adapter->part_count++;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_ddi_part_segments(struct vidmm_adapter *adapter)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t id;

    VIDMM_ASSERT(adapter->part_count == 0 && !adapter->engine);
    if (adapter->level < VIDMM_LEVEL(2, 1)) /* nothing asks for the range there */
        return STATUS_SUCCESS;
    for (id = 1; id <= adapter->segment_count && status == STATUS_SUCCESS; id++)
        if (adapter->segments[id].protected_size != 0)
            status = put_apart(adapter, id);
    return status;
}

/* ---- the frame buffer ------------------------------------------------------------------------ */

VIDMM_SEES(D_317);
static NTSTATUS query_save_size(struct vidmm_adapter *adapter, UINT index,
                                struct vidmm_report *report)
{
    DXGK_FRAMEBUFFERSAVEAREA area;
    NTSTATUS status = vidmm_question_put(adapter, DXGKQAITYPE_FRAMEBUFFERSAVESIZE, &index,
                                         sizeof(index), &area, sizeof(area));

    if (status != STATUS_SUCCESS || area.MaximumSize % VIDMM_PAGE_SIZE == 0)
        return status == STATUS_NO_MEMORY ? status : STATUS_SUCCESS;
    if (vidmm_breach_is_refused(adapter, VIDMM_RULE_D_317, false, "MaximumSize", area.MaximumSize,
                                report))
        return STATUS_GRAPHICS_DRIVER_MISMATCH;
    vidmm_seen(adapter, VIDMM_RULE_D_317, "MaximumSize", area.MaximumSize);
    return STATUS_SUCCESS;
}

/* ---- what the hardware reserves -------------------------------------------------------------- */

/* A range that would go beyond 2^64 ends there.
 * obeys D-318 */
static NTSTATUS check_range(const struct vidmm_adapter *adapter,
                            const DXGK_PHYSICAL_MEMORY_RANGE *range, struct vidmm_report *report)
{
    const struct vidmm_host *host = adapter->host;
    uint64_t base = (uint64_t)range->BaseAddress.QuadPart;
    uint64_t size = (uint64_t)range->NumberOfBytes.QuadPart, most = UINT64_MAX - base;

    if (!host->manages_memory ||
        !host->manages_memory(host->context, base, size < most ? size : most))
        return STATUS_SUCCESS;
    return refuse(report, "DXGK_PHYSICAL_MEMORY_RANGE.BaseAddress", base,
                  "with NumberOfBytes it reaches memory that the operating system manages: a range "
                  "that the hardware reserves does not (D-318)");
}

/* The second pass brings the array, and the driver fills it. */
static NTSTATUS ask_hardware(struct vidmm_adapter *adapter, DXGK_HARDWARERESERVEDRANGES *out,
                             DXGK_PHYSICAL_MEMORY_RANGE *ranges, struct vidmm_report *report)
{
    uint32_t count = out->NumRanges, index;
    size_t bytes = count * sizeof(*ranges);
    NTSTATUS status;

    out->pPhysicalRanges = ranges;
    status = vidmm_question_ask(adapter, DXGKQAITYPE_HARDWARERESERVEDRANGES, NULL, 0, out,
                                sizeof(*out), sizeof(*out));
    if (vidmm_question_overran((const uint8_t *)ranges, bytes, bytes))
        adapter->findings++;
    if (status != STATUS_SUCCESS)
        return STATUS_SUCCESS; /* it reserves nothing */
    if (out->NumRanges > count) {
        return refuse(report, "NumRanges of the second pass", out->NumRanges,
                      "it is at most that of the first: the array has no more");
    }
    for (index = 0; index < out->NumRanges && status == STATUS_SUCCESS; index++)
        status = check_range(adapter, &ranges[index], report);
    return status;
}

static NTSTATUS ask_hardware_twice(struct vidmm_adapter *adapter, DXGK_HARDWARERESERVEDRANGES *out,
                                   struct vidmm_report *report)
{
    DXGK_PHYSICAL_MEMORY_RANGE *ranges;
    NTSTATUS status = vidmm_question_ask(adapter, DXGKQAITYPE_HARDWARERESERVEDRANGES, NULL, 0, out,
                                         sizeof(*out), sizeof(*out));

    if (status != STATUS_SUCCESS || out->NumRanges == 0)
        return STATUS_SUCCESS;
    if (out->NumRanges > RANGES_MOST) {
        return refuse(report, "DXGK_HARDWARERESERVEDRANGES.NumRanges", out->NumRanges,
                      "this manager keeps 256 at most");
    }
    ranges = vidmm_question_output(adapter, out->NumRanges * sizeof(*ranges));
    if (!ranges)
        return STATUS_NO_MEMORY;
    status = ask_hardware(adapter, out, ranges, report);
    vidmm_free(adapter->host, ranges);
    return status;
}

static NTSTATUS query_reserved(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    DXGK_HARDWARERESERVEDRANGES *out = vidmm_question_output(adapter, sizeof(*out));
    NTSTATUS status;

    if (!out)
        return STATUS_NO_MEMORY;
    status = ask_hardware_twice(adapter, out, report);
    vidmm_free(adapter->host, out);
    return status;
}

NTSTATUS vidmm_ddi_query_hardware_memory(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;
    UINT index;

    if (adapter->level < VIDMM_LEVEL(2, 4) ||
        !adapter->miniport->caps.MemoryManagementCaps.IoMmuSecureModeSupported)
        return STATUS_SUCCESS;
    for (index = 0; index < adapter->link_count && status == STATUS_SUCCESS; index++)
        status = query_save_size(adapter, index, report);
    return status == STATUS_SUCCESS ? query_reserved(adapter, report) : status;
}
