/* query.c: the miniport's answers about its GPU, asked in the order and the form that its level
 * expects, and checked before anything is built on them.
 *
 * Source: DXGKDDI_QUERYADAPTERINFO, DXGK_DRIVERCAPS, DXGK_QUERYSEGMENTOUT, ..3, ..4; rules D-001 to
 * D-012, D-027, D-282, D-284 to D-288, D-300 to D-302.
 */
#include "vidmm/ddi/query.h"

#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/page.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/memory_range.h"
#include "vidmm/ddi/linked_mmu.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/mmu.h"
#include "vidmm/ddi/node.h"
#include "vidmm/ddi/question.h"
#include "vidmm/ddi/segment.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"

#include "base/assert.h"
#include "wddm/level.h"
#include "wddm/rule.h"

static NTSTATUS refuse(struct vidmm_report *report, const char *what, uint64_t value,
                       const char *legal)
{
    return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, what, value, legal);
}

/* ---- caps ------------------------------------------------------------------------------------ */

VIDMM_SEES(D_300);
VIDMM_SEES(D_301);
VIDMM_SEES(D_302);
static NTSTATUS check_caps(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const DXGK_VIDSCHCAPS *scheduling = &adapter->miniport->caps.SchedulingCaps;
    uint32_t nodes = adapter->miniport->caps.GpuEngineTopology.NbAsymetricProcessingNodes;

    if (scheduling->PreemptionAware && !scheduling->MultiEngineAware) {
        return refuse(report, "SchedulingCaps", scheduling->Value,
                      "PreemptionAware needs MultiEngineAware (D-300)");
    }
    if (scheduling->NoDmaPatching &&
        (!scheduling->PreemptionAware || !scheduling->MultiEngineAware)) {
        return refuse(report, "SchedulingCaps", scheduling->Value,
                      "NoDmaPatching needs PreemptionAware and MultiEngineAware (D-301)");
    }
    if (scheduling->CancelCommandAware && !scheduling->MultiEngineAware) {
        return refuse(report, "SchedulingCaps", scheduling->Value,
                      "CancelCommandAware needs MultiEngineAware (D-302)");
    }
    if (scheduling->MultiEngineAware && (nodes < 1 || nodes > VIDMM_NODES)) {
        return refuse(report, "NbAsymetricProcessingNodes", nodes,
                      "a MultiEngineAware driver has 1 to 64 nodes (D-295)");
    }
    if (scheduling->MultiEngineAware && adapter->level < VIDMM_LEVEL(2, 0) &&
        adapter->miniport->caps.MemoryManagementCaps.PagingNode >= nodes) {
        return refuse(report, "PagingNode", adapter->miniport->caps.MemoryManagementCaps.PagingNode,
                      "it must be below NbAsymetricProcessingNodes (D-260)");
    }
    return STATUS_SUCCESS;
}

/* The entries by which single engines are reset, and the whole adapter. */
static bool can_reset(const DRIVER_INITIALIZATION_DATA *driver)
{
    return driver->DxgkDdiQueryDependentEngineGroup && driver->DxgkDdiQueryEngineStatus &&
           driver->DxgkDdiResetEngine && driver->DxgkDdiResetFromTimeout &&
           driver->DxgkDdiRestartFromTimeout;
}

/* Breaches that are no reason to refuse the adapter. */
VIDMM_SEES(D_304);
VIDMM_SEES(D_306);
static NTSTATUS judge_caps(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    const DXGK_VIDSCHCAPS *scheduling = &adapter->miniport->caps.SchedulingCaps;
    bool incomplete = adapter->level >= VIDMM_LEVEL(1, 2) &&
                      adapter->miniport->caps.SupportPerEngineTDR &&
                      !can_reset(&adapter->miniport->driver);
    bool old = adapter->level >= VIDMM_LEVEL(1, 2) && scheduling->MultiEngineAware &&
               !scheduling->PreemptionAware;

    if (incomplete &&
        vidmm_breach_is_refused(adapter, VIDMM_RULE_D_304, false, "SupportPerEngineTDR", 1, report))
        return STATUS_GRAPHICS_DRIVER_MISMATCH;
    if (incomplete)
        vidmm_seen(adapter, VIDMM_RULE_D_304, "SupportPerEngineTDR", 1);
    if (old) /* a note: it is treated as a driver for Windows 7 */
        vidmm_seen(adapter, VIDMM_RULE_D_306, "SchedulingCaps", scheduling->Value);
    return STATUS_SUCCESS;
}

/* The numbers that the rooms above need from the caps: obeys D-029, D-260. */
static void take_numbers(struct vidmm_adapter *adapter)
{
    const DXGK_DRIVERCAPS *caps = &adapter->miniport->caps;
    uint64_t highest = (uint64_t)caps->HighestAcceptableAddress.QuadPart;

    if (caps->SchedulingCaps.MultiEngineAware) {
        adapter->node_count = caps->GpuEngineTopology.NbAsymetricProcessingNodes;
        adapter->paging_node = caps->MemoryManagementCaps.PagingNode;
    }
    if (highest != 0)
        adapter->highest_frame = highest >> VIDMM_PAGE_SHIFT;
}

static NTSTATUS query_caps(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    size_t told = vidmm_level_caps_size(adapter->level), newest = sizeof(DXGK_DRIVERCAPS);
    DXGK_DRIVERCAPS *caps = vidmm_question_output(adapter, newest);
    NTSTATUS status;

    if (!caps)
        return STATUS_NO_MEMORY;
    status = vidmm_question_ask(adapter, DXGKQAITYPE_DRIVERCAPS, NULL, 0, caps, told, newest);
    if (status == STATUS_SUCCESS) {
        memcpy(&adapter->miniport->caps, caps, told);
        adapter->miniport->multi_engine = caps->SchedulingCaps.MultiEngineAware;
        take_numbers(adapter);
        status = check_caps(adapter, report);
        if (status == STATUS_SUCCESS)
            status = judge_caps(adapter, report);
        if (status == STATUS_SUCCESS)
            status = vidmm_ddi_take_model(adapter, report);
        if (status == STATUS_SUCCESS)
            status = vidmm_ddi_judge_iommu(adapter, report);
    } else {
        refuse(report, "status of QueryAdapterInfo(DRIVERCAPS)", (uint32_t)status,
               "the adapter cannot start without its caps (D-287)");
    }
    vidmm_free(adapter->host, caps);
    return status;
}

/* ---- segments -------------------------------------------------------------------------------- */

/* The three forms of the query, as one. */
struct segment_query {
    DXGK_QUERYADAPTERINFOTYPE type;
    size_t out_size;
    size_t stride; /* bytes from one descriptor to the next */
};

/* obeys D-027: longer than the descriptor, as it was measured; who steps by sizeof goes wrong */
#define STRIDE 104u
_Static_assert(STRIDE >= sizeof(DXGK_SEGMENTDESCRIPTOR4), "a descriptor has room");

static struct segment_query query_of(uint16_t level)
{
    if (level >= VIDMM_LEVEL(2, 0)) {
        return (struct segment_query){DXGKQAITYPE_QUERYSEGMENT4, sizeof(DXGK_QUERYSEGMENTOUT4),
                                      STRIDE};
    }
    if (level >= VIDMM_LEVEL(1, 2)) {
        return (struct segment_query){DXGKQAITYPE_QUERYSEGMENT3, sizeof(DXGK_QUERYSEGMENTOUT3),
                                      sizeof(DXGK_SEGMENTDESCRIPTOR3)};
    }
    return (struct segment_query){DXGKQAITYPE_QUERYSEGMENT, sizeof(DXGK_QUERYSEGMENTOUT),
                                  sizeof(DXGK_SEGMENTDESCRIPTOR)};
}

/* The members up to PagingBufferPrivateDataSize lie alike in all three. */
_Static_assert(offsetof(DXGK_QUERYSEGMENTOUT, PagingBufferSize) ==
                       offsetof(DXGK_QUERYSEGMENTOUT4, PagingBufferSize) &&
                   offsetof(DXGK_QUERYSEGMENTOUT, PagingBufferSize) ==
                       offsetof(DXGK_QUERYSEGMENTOUT3, PagingBufferSize) &&
                   offsetof(DXGK_QUERYSEGMENTOUT, pSegmentDescriptor) ==
                       offsetof(DXGK_QUERYSEGMENTOUT4, pSegmentDescriptor),
               "one structure can stand for the three");

/* `index`: the physical adapter; from 2.0 on the driver is told of which. */
static NTSTATUS ask_segments(struct vidmm_adapter *adapter, const struct segment_query *query,
                             uint32_t index, DXGK_QUERYSEGMENTOUT4 *out)
{
    DXGK_QUERYSEGMENTIN input; /* obeys D-284: zero without an AGP aperture */
    DXGK_QUERYSEGMENTIN4 input4;
    uint64_t base, size;

    memset(&input, 0, sizeof(input));
    memset(&input4, 0, sizeof(input4));
    input4.PhysicalAdapterIndex = index;
    if (vidmm_find_agp(adapter, &base, &size)) {
        input.AgpApertureBase.QuadPart = (LONGLONG)base;
        input.AgpApertureSize.QuadPart = (LONGLONG)size;
        input.AgpFlags.Agp = 1;
    }
    if (query->type == DXGKQAITYPE_QUERYSEGMENT4) {
        out->SegmentDescriptorStride = STRIDE;
        return vidmm_question_ask(adapter, query->type, &input4, sizeof(input4), out,
                                  query->out_size, sizeof(*out));
    }
    return vidmm_question_ask(adapter, query->type, &input, sizeof(input), out, query->out_size,
                              sizeof(*out));
}

VIDMM_SEES(D_012);
static NTSTATUS check_paging_buffer(const struct vidmm_adapter *adapter,
                                    struct vidmm_report *report)
{
    uint32_t segment = adapter->miniport->paging_segment;
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[segment & 31].info.flags};

    if (segment > adapter->segment_count ||
        (segment != 0 && !flags.Aperture && adapter->level < VIDMM_LEVEL(2, 0))) {
        return refuse(report, "PagingBufferSegmentId", segment,
                      "it must be 0 or the id of an aperture segment (D-012)");
    }
    if (adapter->paging_size == 0 || adapter->paging_size > 1u << 30) {
        return refuse(report, "PagingBufferSize", adapter->paging_size,
                      "it must be 1 byte to 1 GiB (D-286)");
    }
    if (adapter->paging_private_size > 1u << 24) {
        return refuse(report, "PagingBufferPrivateDataSize", adapter->paging_private_size,
                      "it must be at most 16 MiB");
    }
    return STATUS_SUCCESS;
}

static NTSTATUS take_segments(struct vidmm_adapter *adapter, const DXGK_QUERYSEGMENTOUT4 *out,
                              const uint8_t *descriptors, size_t stride,
                              struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t id;

    VIDMM_ASSERT(out->NbSegment >= 1 && out->NbSegment < VIDMM_SEGMENTS);
    adapter->segment_count = out->NbSegment;
    for (id = 1; id <= out->NbSegment && status == STATUS_SUCCESS; id++)
        status = vidmm_ddi_take_segment(adapter, id, descriptors + (id - 1) * stride, report);
    adapter->miniport->paging_segment =
        out->PagingBufferSegmentId; /* obeys D-285: of the second pass */
    adapter->paging_size = out->PagingBufferSize;
    adapter->paging_private_size = out->PagingBufferPrivateDataSize;
    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_check_segments(adapter, report);
    return status == STATUS_SUCCESS ? check_paging_buffer(adapter, report) : status;
}

/* Hold what the two passes say of paging buffers against each other. */
struct paging_answer {
    uint32_t segment, size, private_size;
};

/* Take what the first pass has said, and leave nothing of it for the second to find. From 2.0 on it
 * says the number of segments and no more. */
VIDMM_SEES(D_283);
static struct paging_answer take_first(struct vidmm_adapter *adapter, DXGK_QUERYSEGMENTOUT4 *out)
{
    struct paging_answer first = {out->PagingBufferSegmentId, out->PagingBufferSize,
                                  out->PagingBufferPrivateDataSize};
    bool newer = adapter->level >= VIDMM_LEVEL(2, 0);

    if (newer && (first.segment != 0 || first.size != 0 || first.private_size != 0))
        vidmm_seen(adapter, VIDMM_RULE_D_283, "PagingBufferSize of the first pass", first.size);
    if (newer && out->pSegmentDescriptor)
        vidmm_seen(adapter, VIDMM_RULE_D_283, "pSegmentDescriptor of the first pass",
                   (uint64_t)(uintptr_t)out->pSegmentDescriptor);
    if (newer && out->SegmentDescriptorStride != STRIDE)
        vidmm_seen(adapter, VIDMM_RULE_D_283, "SegmentDescriptorStride of the first pass",
                   out->SegmentDescriptorStride);
    out->PagingBufferSegmentId = 0;
    out->PagingBufferSize = 0;
    out->PagingBufferPrivateDataSize = 0;
    return first;
}

/* The first pass is for the number of segments; its words about paging buffers are not heard. */
VIDMM_SEES(D_285);
static NTSTATUS judge_passes(struct vidmm_adapter *adapter, const struct paging_answer *first,
                             const DXGK_QUERYSEGMENTOUT4 *out, struct vidmm_report *report)
{
    const struct {
        const char *what;
        uint32_t first, second;
    } members[] = {
        {"PagingBufferSize of the first pass alone", first->size, out->PagingBufferSize},
        {"PagingBufferSegmentId of the first pass alone", first->segment,
         out->PagingBufferSegmentId},
        {"PagingBufferPrivateDataSize of the first pass alone", first->private_size,
         out->PagingBufferPrivateDataSize},
    };
    size_t index;

    for (index = 0; index < sizeof(members) / sizeof(members[0]); index++) {
        bool broken = members[index].first != 0 && members[index].second == 0;

        if (broken && vidmm_breach_is_refused(adapter, VIDMM_RULE_D_285, out->PagingBufferSize == 0,
                                              members[index].what, members[index].first, report))
            return STATUS_GRAPHICS_DRIVER_MISMATCH;
        if (broken)
            vidmm_seen(adapter, VIDMM_RULE_D_285, members[index].what, members[index].first);
    }
    return STATUS_SUCCESS;
}

VIDMM_SEES(D_002);
static NTSTATUS second_pass(struct vidmm_adapter *adapter, const struct segment_query *query,
                            DXGK_QUERYSEGMENTOUT4 *out, struct vidmm_report *report)
{
    struct paging_answer first = take_first(adapter, out);
    uint32_t count = out->NbSegment;
    size_t stride = query->stride;
    size_t bytes = count * stride;
    uint8_t *descriptors;
    NTSTATUS status;

    descriptors = vidmm_question_output(adapter, bytes);
    if (!descriptors)
        return STATUS_NO_MEMORY;
    out->pSegmentDescriptor = descriptors;
    status = ask_segments(adapter, query, 0, out);
    if (vidmm_question_overran(descriptors, bytes, bytes))
        adapter->findings++;
    if (status != STATUS_SUCCESS) {
        refuse(report, "status of the second segment query", (uint32_t)status,
               "it must succeed (D-001)");
    } else if (out->NbSegment != count) {
        status = refuse(report, "NbSegment of the second pass", out->NbSegment,
                        "it must be that of the first (D-002)");
    } else {
        status = judge_passes(adapter, &first, out, report);
        if (status == STATUS_SUCCESS)
            status = take_segments(adapter, out, descriptors, stride, report);
    }
    vidmm_free(adapter->host, descriptors);
    return status;
}

static NTSTATUS query_segments(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    struct segment_query query = query_of(adapter->level);
    DXGK_QUERYSEGMENTOUT4 *out = vidmm_question_output(adapter, sizeof(*out));
    NTSTATUS status;

    if (!out)
        return STATUS_NO_MEMORY;
    status = ask_segments(adapter, &query, 0, out); /* obeys D-001: the first pass asks how many */
    if (status != STATUS_SUCCESS) {
        refuse(report, "status of the first segment query", (uint32_t)status,
               "it must succeed (D-001)");
    } else if (out->NbSegment == 0 || out->NbSegment >= VIDMM_SEGMENTS) {
        status = refuse(report, "NbSegment", out->NbSegment, "it must be 1 to 31 (D-005)");
    } else {
        status = second_pass(adapter, &query, out, report);
    }
    vidmm_free(adapter->host, out);
    return status;
}

NTSTATUS vidmm_ddi_ask_segments_of(struct vidmm_adapter *adapter, uint32_t index,
                                   const uint8_t **descriptors, size_t *stride, uint32_t *count)
{
    struct segment_query query = query_of(adapter->level);
    DXGK_QUERYSEGMENTOUT4 *out = vidmm_question_output(adapter, sizeof(*out));
    size_t bytes = VIDMM_SEGMENTS * query.stride;
    uint8_t *room = vidmm_question_output(adapter, bytes);
    NTSTATUS status = out && room ? STATUS_SUCCESS : STATUS_NO_MEMORY;

    *stride = query.stride;
    *count = 0;
    if (status == STATUS_SUCCESS)
        status = ask_segments(adapter, &query, index, out); /* obeys D-001, D-002 */
    if (status == STATUS_SUCCESS && out->NbSegment < VIDMM_SEGMENTS) {
        *count = out->NbSegment;
        out->pSegmentDescriptor = room;
        status = ask_segments(adapter, &query, index, out);
    }
    vidmm_free(adapter->host, out);
    *descriptors = room;
    if (status != STATUS_SUCCESS)
        vidmm_free(adapter->host, room);
    return status;
}

static bool has_stopped(struct vidmm_adapter *adapter)
{
    bool stopped;

    vidmm_adapter_lock(adapter);
    stopped = adapter->stopped;
    vidmm_adapter_unlock(adapter);
    return stopped;
}

NTSTATUS vidmm_query_private(struct vidmm_adapter *adapter, void *data, uint32_t size,
                             struct vidmm_report *report)
{
    uint8_t *output;
    NTSTATUS status;

    if (vidmm_report_null(adapter, "adapter", report) ||
        vidmm_report_lacking(data, size, "data", report))
        return STATUS_INVALID_PARAMETER;
    if (has_stopped(adapter)) {
        return vidmm_report_refusal(report, STATUS_DEVICE_REMOVED, "bytes of private data", size,
                                    "the adapter has stopped, and its driver is not asked");
    }
    output = vidmm_question_output(adapter, size);
    if (!output) {
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "bytes of private data", size,
                                    "no memory for them");
    }
    status = vidmm_question_ask(adapter, DXGKQAITYPE_UMDRIVERPRIVATE, NULL, 0, output, size, size);
    if (status == STATUS_SUCCESS) {
        memcpy(data, output, size);
    } else {
        vidmm_report_refusal(report, status, "status of QueryAdapterInfo(UMDRIVERPRIVATE)",
                             (uint32_t)status, "the driver tells nothing of that size");
    }
    vidmm_free(adapter->host, output);
    return status;
}

/* obeys D-234: an element for each node; it is asked for when it is wanted */
NTSTATUS vidmm_ddi_query_precision(struct vidmm_adapter *adapter, uint32_t node, uint32_t *bits)
{
    DXGK_QUERYHISTORYBUFFERPRECISIONIN input = {.PhysicalAdapterIndex = 0};
    bool newer = adapter->level >= VIDMM_LEVEL(2, 0);
    uint32_t count = adapter->miniport->caps.GpuEngineTopology.NbAsymetricProcessingNodes;
    size_t size = (count > node && count <= VIDMM_NODES ? count : node + 1) *
                  sizeof(DXGKARG_HISTORYBUFFERPRECISION);
    DXGKARG_HISTORYBUFFERPRECISION *output = vidmm_question_output(adapter, size);
    NTSTATUS status;

    if (!output)
        return STATUS_NO_MEMORY;
    status = vidmm_question_ask(adapter, DXGKQAITYPE_HISTORYBUFFERPRECISION, newer ? &input : NULL,
                                newer ? sizeof(input) : 0, output, size, size);
    *bits = output[node].PrecisionBits;
    vidmm_free(adapter->host, output);
    return status;
}

/* The answers are for who shows and who profiles. obeys W-028: refusing them keeps nobody from
 * starting */
static void query_what_may_fail(struct vidmm_adapter *adapter)
{
    uint32_t bits, extension;

    vidmm_ddi_query_precision(adapter, 0, &bits);
    vidmm_question_put(adapter, DXGKQAITYPE_DISPLAY_DRIVERCAPS_EXTENSION, NULL, 0, &extension,
                       sizeof(extension));
}

NTSTATUS vidmm_ddi_query(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    bool newer = adapter->level >= VIDMM_LEVEL(2, 0);
    NTSTATUS status = query_caps(adapter, report);

    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_query_mmu(adapter, report);
    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_query_linked_mmu(adapter, report);
    if (status == STATUS_SUCCESS && newer)
        status = vidmm_ddi_query_nodes(adapter, report);
    if (status == STATUS_SUCCESS)
        status = query_segments(adapter, report);
    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_query_linked_segments(adapter, report);
    if (status == STATUS_SUCCESS && !newer)
        return vidmm_ddi_query_nodes(adapter, report);
    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_check_tables(adapter, report);
    if (status == STATUS_SUCCESS)
        query_what_may_fail(adapter);
    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_query_memory_ranges(adapter, report);
    return status == STATUS_SUCCESS ? vidmm_ddi_part_segments(adapter) : status;
}
