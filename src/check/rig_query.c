/* rig_query.c: the driver's answers about its GPU, in the form that its version expects.
 *
 * Output buffers are zeroed and of the newest size; the driver is told the size of its own version,
 * and behind that a guard stands (kit.md, 16).
 */
#include "check/rig.h"

#include <stdlib.h>
#include <string.h>

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "check/board.h"
#include "check/host.h"
#include "kit/kit.h"
#include "wddm/level.h"

#define GUARD 256u
#define GUARD_BYTE 0xA7

static NTSTATUS try(struct vidmm_rig *rig, DXGK_QUERYADAPTERINFOTYPE type, const char *name,
                    void *input, size_t input_size, void *output, size_t size)
{
    DXGKARG_QUERYADAPTERINFO arguments;
    uint8_t *buffer = calloc(1, size + GUARD);
    NTSTATUS status;

    if (!buffer)
        return STATUS_NO_MEMORY;
    memcpy(buffer, output, size);
    memset(buffer + size, GUARD_BYTE, GUARD);
    memset(&arguments, 0, sizeof(arguments));
    arguments.Type = type;
    arguments.pInputData = input;
    arguments.InputDataSize = (UINT)input_size;
    arguments.pOutputData = buffer;
    arguments.OutputDataSize = (UINT)size;
    vidmm_board_operation(rig->board, "QueryAdapterInfo(%s)", name);
    status = rig->driver->DxgkDdiQueryAdapterInfo(rig->adapter, &arguments);
    for (size_t i = 0; i < GUARD; i++) {
        if (buffer[size + i] != GUARD_BYTE) {
            vidmm_check_find(rig->board, VIDMM_CHECK_PAST_OUTPUT, "",
                             "%s: %zu bytes were asked for, and byte %zu was written", name, size,
                             size + i);
            break;
        }
    }
    memcpy(output, buffer, size);
    free(buffer);
    return status;
}

static bool ask(struct vidmm_rig *rig, DXGK_QUERYADAPTERINFOTYPE type, const char *name,
                void *input, size_t input_size, void *output, size_t size)
{
    NTSTATUS status = try(rig, type, name, input, input_size, output, size);

    return status == STATUS_SUCCESS ||
           vidmm_board_problem(rig->board, "DxgkDdiQueryAdapterInfo(%s) answered %s", name,
                               vidmm_rig_status(status));
}

static bool query_caps(struct vidmm_rig *rig)
{
    if (!ask(rig, DXGKQAITYPE_DRIVERCAPS, "DRIVERCAPS", NULL, 0, &rig->caps,
             vidmm_level_caps_size(rig->level)))
        return false;
    if (rig->level >= VIDMM_LEVEL(2, 4) && rig->caps.MemoryManagementCaps.IoMmuSecureModeSupported)
        vidmm_kit_isolate();
    rig->multi_engine = rig->caps.SchedulingCaps.MultiEngineAware;
    if (rig->multi_engine) {
        rig->nodes = rig->caps.GpuEngineTopology.NbAsymetricProcessingNodes;
        rig->paging_node = rig->caps.MemoryManagementCaps.PagingNode;
    }
    if (rig->nodes < 1 || rig->nodes > VIDMM_RIG_NODES || rig->paging_node >= rig->nodes) {
        vidmm_check_find(rig->board, VIDMM_CHECK_CAPS, "",
                         "%u nodes, of which node %u pages: 1 to 64, and PagingNode one of them "
                         "(D-295, D-260)",
                         rig->nodes, rig->paging_node);
        return false;
    }
    return true;
}

/* ---- segments ---- */

static bool ask_segments(struct vidmm_rig *rig, DXGK_QUERYSEGMENTOUT4 *out)
{
    DXGK_QUERYSEGMENTIN in;
    DXGK_QUERYSEGMENTIN4 in4;

    memset(&in, 0, sizeof(in));
    memset(&in4, 0, sizeof(in4));
    switch (rig->segment_form) {
    case 4:
        return ask(rig, DXGKQAITYPE_QUERYSEGMENT4, "QUERYSEGMENT4", &in4, sizeof(in4), out,
                   sizeof(DXGK_QUERYSEGMENTOUT4));
    case 3:
        return ask(rig, DXGKQAITYPE_QUERYSEGMENT3, "QUERYSEGMENT3", &in, sizeof(in), out,
                   sizeof(DXGK_QUERYSEGMENTOUT3));
    default:
        return ask(rig, DXGKQAITYPE_QUERYSEGMENT, "QUERYSEGMENT", &in, sizeof(in), out,
                   sizeof(DXGK_QUERYSEGMENTOUT));
    }
}

/* The form of the level. Drivers at 2.0 and above that page physically may know the older one
 * only. */
static void choose_form(struct vidmm_rig *rig, const DXGK_QUERYSEGMENTOUT4 *out)
{
    DXGK_QUERYSEGMENTOUT4 tried = *out;
    DXGK_QUERYSEGMENTIN4 in;

    rig->segment_form = rig->level >= VIDMM_LEVEL(2, 0)   ? 4
                        : rig->level >= VIDMM_LEVEL(1, 2) ? 3
                                                          : 1;
    if (rig->segment_form != 4)
        return;
    memset(&in, 0, sizeof(in));
    if (try(rig, DXGKQAITYPE_QUERYSEGMENT4, "QUERYSEGMENT4", &in, sizeof(in), &tried,
            sizeof(tried)) == STATUS_SUCCESS)
        return;
    rig->segment_form = 3;
    vidmm_board_fact(rig->board, "segments by QUERYSEGMENT3; the driver has no QUERYSEGMENT4");
}

static size_t descriptor_size(const struct vidmm_rig *rig, const DXGK_QUERYSEGMENTOUT4 *out)
{
    if (rig->segment_form == 4)
        return out->SegmentDescriptorStride ? out->SegmentDescriptorStride
                                            : sizeof(DXGK_SEGMENTDESCRIPTOR4);
    return rig->segment_form == 3 ? sizeof(DXGK_SEGMENTDESCRIPTOR3)
                                  : sizeof(DXGK_SEGMENTDESCRIPTOR);
}

#define TAKE(segment, d)                                                                           \
    *(segment) = (struct vidmm_rig_segment)                                                        \
    {                                                                                              \
        (d)->Flags, (uint64_t)(d)->BaseAddress.QuadPart,                                           \
            (uint64_t)(d)->CpuTranslatedAddress.QuadPart, (d)->Size, (d)->CommitLimit, 0, 0, NULL  \
    }

/* Let the CPU see it; or as much of it as there is. */
static void map_segment(struct vidmm_rig *rig, uint32_t id)
{
    struct vidmm_rig_segment *segment = &rig->segments[id];
    const struct vidmm_host *host = rig->host;
    uint64_t wished = segment->size, size = wished;
    bool fresh = (wished >> 16 & 0xFFFF) == 0xA7A7;

    segment->cpu = host->map_physical(host->context, segment->cpu_translated, size);
    while (!segment->cpu && size > VIDMM_PAGE_SIZE) {
        size = size / 2 / VIDMM_PAGE_SIZE * VIDMM_PAGE_SIZE;
        segment->cpu = host->map_physical(host->context, segment->cpu_translated, size);
    }
    segment->size = segment->cpu ? size : wished;
    if (size < wished || !segment->cpu)
        vidmm_check_find(
            rig->board, VIDMM_CHECK_CAPS, "",
            "segment %u is CpuVisible, and at CpuTranslatedAddress 0x%llx there are no "
            "0x%llx bytes of the device (D-009); 0x%llx are used%s",
            id, (unsigned long long)segment->cpu_translated, (unsigned long long)wished,
            segment->cpu ? (unsigned long long)size : 0,
            fresh ? ". 0xa7 is what fresh pool holds: was the size ever written?" : "");
}

/* Does the segment take part in the one space of addresses? From 2.0 on the GPU has virtual ones,
 * and an aperture's base is nobody's. */
static bool has_addresses(const struct vidmm_rig *rig, uint32_t id)
{
    return rig->level < VIDMM_LEVEL(2, 0) || !rig->segments[id].flags.Aperture;
}

/* D-003, told as replay tells it. */
static void check_overlap(struct vidmm_rig *rig, uint32_t id)
{
    const struct vidmm_rig_segment *one = &rig->segments[id], *other;

    for (uint32_t i = 1; i < id; i++) {
        other = &rig->segments[i];
        if (has_addresses(rig, i) && has_addresses(rig, id) &&
            one->base < other->base + other->size && other->base < one->base + one->size)
            vidmm_check_find(rig->board, VIDMM_CHECK_CAPS, "",
                             "segments %u and %u overlap: 0x%llx bytes at 0x%llx, and 0x%llx bytes "
                             "at 0x%llx (D-003)",
                             i, id, (unsigned long long)other->size,
                             (unsigned long long)other->base, (unsigned long long)one->size,
                             (unsigned long long)one->base);
    }
}

/* A range that does not lie in the segment is told of by replay (D-231), and is none. */
static void take_range(struct vidmm_rig_segment *segment, const DXGK_SEGMENTDESCRIPTOR4 *descriptor)
{
    uint64_t start = descriptor->VprRangeStartOffset, size = descriptor->VprRangeSize;

    if (!segment->flags.VprSupported || start > segment->size || size > segment->size - start)
        return;
    segment->protected_start = start;
    segment->protected_size = size;
}

static bool take_segment(struct vidmm_rig *rig, uint32_t id, const void *descriptor)
{
    struct vidmm_rig_segment *segment = &rig->segments[id];

    if (rig->segment_form == 4)
        TAKE(segment, (const DXGK_SEGMENTDESCRIPTOR4 *)descriptor);
    else if (rig->segment_form == 3)
        TAKE(segment, (const DXGK_SEGMENTDESCRIPTOR3 *)descriptor);
    else
        TAKE(segment, (const DXGK_SEGMENTDESCRIPTOR *)descriptor);
    if (rig->segment_form == 4)
        take_range(segment, descriptor);
    segment->size &= ~(uint64_t)(VIDMM_PAGE_SIZE - 1);
    if (segment->size == 0 || segment->base + segment->size < segment->size) {
        vidmm_check_find(rig->board, VIDMM_CHECK_CAPS, "",
                         "segment %u: BaseAddress 0x%llx, Size 0x%llx: a page at least, and within "
                         "64 bits (D-006)",
                         id, (unsigned long long)segment->base, (unsigned long long)segment->size);
        return false;
    }
    check_overlap(rig, id);
    if (segment->flags.CpuVisible && !segment->flags.Aperture)
        map_segment(rig, id);
    vidmm_board_fact(rig->board, "segment %u: %s, %llu KiB%s", id,
                     segment->flags.Aperture ? "aperture" : "memory",
                     (unsigned long long)(segment->size >> 10),
                     segment->cpu ? ", the CPU sees it" : "");
    return true;
}

/* Tell a segment that no manager can use, and use the nearest that one can. From WDDM 2.0 on
 * Windows ends such an adapter behind the system context (W-002), and so does the rig. */
static void check_paging_segment(struct vidmm_rig *rig)
{
    uint32_t id = rig->paging_segment;

    if (id == 0 || (id <= rig->segment_count && rig->segments[id].flags.Aperture))
        return;
    rig->ends_early = rig->level >= VIDMM_LEVEL(2, 0);
    rig->paging_segment = 0;
    vidmm_check_find(rig->board, VIDMM_CHECK_CAPS, "",
                     "PagingBufferSegmentId is %u: 0, or an aperture segment (D-012); %s", id,
                     rig->ends_early
                         ? "from 2.0 on the adapter ends behind the system context (W-002)"
                         : "what follows goes on as with 0");
}

static void check_paging_size(struct vidmm_rig *rig)
{
    uint32_t size = rig->paging_size, private_size = rig->paging_private_size;

    rig->paging_size = size == 0 ? VIDMM_PAGE_SIZE : size > 1u << 26 ? 1u << 26 : size;
    rig->paging_private_size = private_size > 1u << 24 ? 1u << 24 : private_size;
    if (size != rig->paging_size || private_size != rig->paging_private_size)
        vidmm_check_find(rig->board, VIDMM_CHECK_CAPS, "",
                         "PagingBufferSize %u, PagingBufferPrivateDataSize %u: 1 byte to 64 MiB, "
                         "to 16 MiB (D-286); what follows goes on as with %u and %u",
                         size, private_size, rig->paging_size, rig->paging_private_size);
    vidmm_board_fact(rig->board, "paging buffers of %u bytes, private data of %u", rig->paging_size,
                     rig->paging_private_size);
}

static bool second_pass(struct vidmm_rig *rig, DXGK_QUERYSEGMENTOUT4 *out)
{
    uint32_t count = out->NbSegment;
    size_t stride = descriptor_size(rig, out);
    uint8_t *descriptors = stride >= 32 && stride <= 4096 ? calloc(count, stride + GUARD) : NULL;
    bool done;

    if (!descriptors) {
        vidmm_check_find(rig->board, VIDMM_CHECK_CAPS, "", "SegmentDescriptorStride is %zu (D-027)",
                         stride);
        return false;
    }
    out->pSegmentDescriptor = descriptors;
    done = ask_segments(rig, out);
    if (done && out->NbSegment != count)
        vidmm_check_find(rig->board, VIDMM_CHECK_CAPS, "",
                         "NbSegment was %u in the first pass and is %u in the second (D-002)",
                         count, out->NbSegment);
    rig->segment_count = done ? count : 0;
    for (uint32_t id = 1; done && id <= count; id++)
        done = take_segment(rig, id, descriptors + (id - 1) * stride);
    free(descriptors);
    vidmm_rig_judge_segments(rig);
    rig->paging_segment = out->PagingBufferSegmentId;
    rig->paging_size = out->PagingBufferSize;
    rig->paging_private_size = out->PagingBufferPrivateDataSize;
    if (done) {
        check_paging_segment(rig);
        check_paging_size(rig);
    }
    return done;
}

/* Page tables, and submission by address: then paging goes by address. */
static void query_mmu(struct vidmm_rig *rig)
{
    DXGK_QUERYGPUMMUCAPSIN in = {0};
    const DXGK_VIDMMCAPS *caps = &rig->caps.MemoryManagementCaps;

    if (rig->level < VIDMM_LEVEL(2, 0) || !caps->VirtualAddressingSupported ||
        !caps->GpuMmuSupported)
        return;
    if (try(rig, DXGKQAITYPE_GPUMMUCAPS, "GPUMMUCAPS", &in, sizeof(in), &rig->mmu,
            sizeof(rig->mmu)) != STATUS_SUCCESS) {
        vidmm_check_find(rig->board, VIDMM_CHECK_CAPS, "",
                         "GpuMmuSupported, and QueryAdapterInfo(GPUMMUCAPS) fails");
        return;
    }
    vidmm_board_fact(rig->board, "page tables of %u levels, addresses of %u bits",
                     rig->mmu.PageTableLevelCount, rig->mmu.VirtualAddressBitCount);
    rig->by_address =
        rig->driver->DxgkDdiSubmitCommandVirtual && rig->driver->DxgkDdiSetRootPageTable;
}

bool vidmm_rig_query(struct vidmm_rig *rig)
{
    DXGK_QUERYSEGMENTOUT4 out;

    memset(&out, 0, sizeof(out));
    if (rig->level >= VIDMM_LEVEL(2, 0)) /* as long as in the driver's version */
        out.SegmentDescriptorStride =
            rig->level >= VIDMM_LEVEL(2, 2)
                ? sizeof(DXGK_SEGMENTDESCRIPTOR4)
                : (offsetof(DXGK_SEGMENTDESCRIPTOR4, NumUEFIFrameBufferRanges) + 7) & ~(size_t)7;
    if (!query_caps(rig))
        return false;
    query_mmu(rig);
    choose_form(rig, &out);
    if (!ask_segments(rig, &out))
        return false;
    if (out.NbSegment == 0 || out.NbSegment >= VIDMM_RIG_SEGMENTS - 1) {
        vidmm_check_find(rig->board, VIDMM_CHECK_CAPS, "", "NbSegment is %u: 1 to 31 (D-005)",
                         out.NbSegment);
        return false;
    }
    return second_pass(rig, &out);
}
