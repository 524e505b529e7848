/*
 * Theory. Each answer is built whole, as the newest level that the driver knows has it, and copied
 * as far as the adapter's own level goes: a system of 1.0 gave room for no more (kit habit 16).
 */
#include "softgpu/driver_private.h"

#include <string.h>

static BOOLEAN broken(const struct softgpu_adapter *adapter, enum softgpu_broken which)
{
    return softgpu_adapter_is_broken(adapter, which);
}

/* ---- DRIVERCAPS ------------------------------------------------------------------------------ */

/* Bytes of DXGK_DRIVERCAPS at a level. */
static UINT caps_size(UINT level)
{
    static const UINT sizes[] = {336, 528, 544, sizeof(DXGK_DRIVERCAPS)};

    return sizes[level - 10];
}

/* Paging runs on the first copy engine, or on node 0. */
static UINT paging_node(const struct softgpu_registers *registers)
{
    if (registers->multi_engine)
        for (UINT i = 0; i < registers->engine_count; i++)
            if (registers->engines[i].kind == SOFTGPU_ENGINE_COPY)
                return i;
    return 0;
}

static UINT64 aperture_limit(const struct softgpu_registers *registers)
{
    UINT64 limit = 0;

    for (UINT i = 0; i < registers->segment_count; i++)
        if (registers->segments[i].kind == SOFTGPU_SEGMENT_APERTURE)
            limit += registers->segments[i].commit_limit;
        else if (registers->segments[i].kind == SOFTGPU_SEGMENT_AGP)
            return 0; /* nobody knows how large that one will be */
    return limit;
}

static void fill_scheduling(const struct softgpu_adapter *adapter, DXGK_DRIVERCAPS *caps)
{
    const struct softgpu_registers *registers = adapter->registers;

    caps->SchedulingCaps.MultiEngineAware = registers->multi_engine & 1;
    if (adapter->level >= 12 && registers->multi_engine)
        caps->SchedulingCaps.CancelCommandAware = registers->cancel & 1; /* obeys D-302 */
    /* obeys D-300 */
    if (adapter->level >= 12 && registers->preemption && registers->multi_engine) {
        caps->SchedulingCaps.PreemptionAware = 1;
        caps->SupportPerEngineTDR = registers->engine_reset & 1;
        caps->PreemptionCaps.GraphicsPreemptionGranularity =
            D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY;
        caps->PreemptionCaps.ComputePreemptionGranularity =
            D3DKMDT_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY;
    }
    caps->SupportNonVGA = adapter->level >= 12 && registers->non_vga != 0;
    if (broken(adapter, SOFTGPU_BROKEN_PREEMPTION_ALONE)) {
        caps->SchedulingCaps.MultiEngineAware = 0;
        caps->SchedulingCaps.PreemptionAware = 1;
    }
    caps->GpuEngineTopology.NbAsymetricProcessingNodes = registers->engine_count;
    if (broken(adapter, SOFTGPU_BROKEN_NODES_ZERO))
        caps->GpuEngineTopology.NbAsymetricProcessingNodes = 0;
    if (broken(adapter, SOFTGPU_BROKEN_NODES_MANY))
        caps->GpuEngineTopology.NbAsymetricProcessingNodes = 65;
    caps->MemoryManagementCaps.PagingNode = broken(adapter, SOFTGPU_BROKEN_PAGING_NODE)
                                                ? registers->engine_count
                                                : paging_node(registers);
}

static NTSTATUS query_caps(struct softgpu_adapter *adapter,
                           const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo)
{
    const struct softgpu_registers *registers = adapter->registers;
    UINT size = caps_size(adapter->level);
    DXGK_DRIVERCAPS caps;

    if (broken(adapter, SOFTGPU_BROKEN_CAPS_FAIL))
        return STATUS_NO_MEMORY;
    if (pQueryAdapterInfo->OutputDataSize < size)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "QueryAdapterInfo DRIVERCAPS: OutputDataSize %u, %u expected",
                              pQueryAdapterInfo->OutputDataSize, size);
    memset(&caps, 0, sizeof(caps));
    caps.HighestAcceptableAddress.QuadPart = (LONGLONG)registers->highest_address - 1;
    caps.MaxAllocationListSlotId = SOFTGPU_SLOTS;
    caps.NumberOfSwizzlingRanges = registers->range_count;
    caps.ApertureSegmentCommitLimit = aperture_limit(registers);
    fill_scheduling(adapter, &caps);
    memcpy(pQueryAdapterInfo->pOutputData, &caps, size);
    if (broken(adapter, SOFTGPU_BROKEN_CAPS_OVERRUN))
        memset((char *)pQueryAdapterInfo->pOutputData + pQueryAdapterInfo->OutputDataSize, 0x5a, 8);
    return STATUS_SUCCESS;
}

/* ---- segments -------------------------------------------------------------------------------- */

/* A segment as every version of the query describes it. */
struct description {
    DXGK_SEGMENTFLAGS flags;
    UINT64 base_address, cpu_address, size, commit_limit, preserved_end;
    UINT banks;
    SIZE_T *bank_ends;
};

static void lie_about_segment(const struct softgpu_adapter *adapter, UINT index,
                              struct description *segment)
{
    BOOLEAN last = index + 1 == adapter->registers->segment_count;

    if (broken(adapter, SOFTGPU_BROKEN_SEGMENTS_OVERLAP))
        segment->base_address = SOFTGPU_SEGMENT_BASE(1);
    if (last && broken(adapter, SOFTGPU_BROKEN_SEGMENT_EMPTY))
        segment->size = 0;
    if (last && broken(adapter, SOFTGPU_BROKEN_SEGMENT_RAGGED))
        segment->size -= 100;
    if (last && broken(adapter, SOFTGPU_BROKEN_SEGMENT_HUGE))
        segment->size = (UINT64)1 << 63;
    if (segment->flags.Aperture && broken(adapter, SOFTGPU_BROKEN_SEGMENT_FLAGS)) {
        segment->flags.CacheCoherent = 1;
        segment->flags.Agp = 1;
    }
    if (segment->flags.Aperture && broken(adapter, SOFTGPU_BROKEN_COMMIT_LIMIT))
        segment->commit_limit = segment->size + SOFTGPU_PAGE_SIZE;
}

/* obeys D-015: all ends but the last, which may be left out */
static void describe_banks(struct softgpu_adapter *adapter, UINT index, struct description *segment)
{
    const struct softgpu_segment_register *at = &adapter->registers->segments[index];

    for (UINT i = 0; i + 1 < at->bank_count; i++)
        adapter->bank_ends[index][i] = at->bank_ends[i];
    segment->flags.UseBanking = at->bank_count != 0;
    segment->banks = at->bank_count;
    segment->bank_ends = at->bank_count != 0 ? adapter->bank_ends[index] : NULL;
}

static struct description describe(struct softgpu_adapter *adapter, UINT segment_index)
{
    const struct softgpu_registers *registers = adapter->registers;
    UINT index = segment_index < registers->segment_count ? segment_index : 0;
    const struct softgpu_segment_register *at = &registers->segments[index];
    struct description segment = {
        .base_address = at->base_address,
        .cpu_address = at->cpu_address,
        .size = at->size,
        .commit_limit = at->commit_limit,
        .preserved_end = at->preserved_end,
    };

    if (at->kind ==
        SOFTGPU_SEGMENT_AGP) /* obeys D-032: it stands alone, and nothing else is read */
        return (struct description){.flags = {.Agp = 1}};
    segment.flags.Aperture = at->kind == SOFTGPU_SEGMENT_APERTURE;
    segment.flags.CpuVisible = (at->flags & SOFTGPU_SEGMENT_CPU_VISIBLE) != 0;
    segment.flags.CacheCoherent = (at->flags & SOFTGPU_SEGMENT_CACHE_COHERENT) != 0;
    segment.flags.PitchAlignment = (at->flags & SOFTGPU_SEGMENT_PITCH_ALIGNED) != 0;
    segment.flags.PopulatedFromSystemMemory = (at->flags & SOFTGPU_SEGMENT_POPULATED) != 0;
    segment.flags.PreservedDuringStandby = (at->flags & SOFTGPU_SEGMENT_STANDBY) != 0;
    segment.flags.PreservedDuringHibernate = (at->flags & SOFTGPU_SEGMENT_HIBERNATE) != 0;
    segment.flags.PartiallyPreservedDuringHibernate = (at->flags & SOFTGPU_SEGMENT_PARTLY) != 0;
    segment.flags.DirectFlip = /* obeys D-041: every memory can be shown from */
        adapter->level >= 12 && (at->flags & SOFTGPU_SEGMENT_DIRECT_FLIP) != 0;
    describe_banks(adapter, index, &segment);
    lie_about_segment(adapter, segment_index, &segment);
    return segment;
}

static UINT count_segments(const struct softgpu_adapter *adapter, BOOLEAN second)
{
    if (broken(adapter, SOFTGPU_BROKEN_SEGMENTS_ZERO))
        return 0;
    if (broken(adapter, SOFTGPU_BROKEN_SEGMENTS_MANY))
        return 33;
    if (second && broken(adapter, SOFTGPU_BROKEN_SEGMENTS_CHANGE))
        return adapter->registers->segment_count + 1;
    return adapter->registers->segment_count;
}

static UINT paging_segment(const struct softgpu_adapter *adapter)
{
    const struct softgpu_registers *registers = adapter->registers;

    if (broken(adapter, SOFTGPU_BROKEN_PAGING_NOWHERE))
        return registers->segment_count + 1;
    if (broken(adapter, SOFTGPU_BROKEN_PAGING_IN_MEMORY))
        for (UINT i = 0; i < registers->segment_count; i++)
            if (registers->segments[i].kind == SOFTGPU_SEGMENT_MEMORY)
                return i + 1;
    return registers->paging_buffer_segment;
}

static UINT paging_size(const struct softgpu_adapter *adapter)
{
    return broken(adapter, SOFTGPU_BROKEN_PAGING_SIZE_ZERO) ? 0 : adapter->registers->paging_buffer;
}

static void query_segments(struct softgpu_adapter *adapter, DXGK_QUERYSEGMENTOUT *out)
{
    DXGK_SEGMENTDESCRIPTOR *descriptors = out->pSegmentDescriptor;
    UINT room = out->NbSegment;

    out->NbSegment = count_segments(adapter, descriptors != NULL);
    if (descriptors == NULL) /* obeys D-001, D-285: the first pass counts, and no more */
        return;
    for (UINT i = 0; i < room && i < out->NbSegment; i++) {
        struct description segment = describe(adapter, i);

        descriptors[i].BaseAddress.QuadPart = (LONGLONG)segment.base_address;
        descriptors[i].CpuTranslatedAddress.QuadPart = (LONGLONG)segment.cpu_address;
        descriptors[i].Size = segment.size;
        descriptors[i].NbOfBanks = segment.banks;
        descriptors[i].pBankRangeTable = segment.bank_ends;
        descriptors[i].CommitLimit = segment.commit_limit;
        descriptors[i].Flags = segment.flags;
    }
    out->PagingBufferSegmentId = paging_segment(adapter);
    out->PagingBufferSize = paging_size(adapter);
    out->PagingBufferPrivateDataSize = adapter->registers->private_data;
}

static void query_segments_3(struct softgpu_adapter *adapter, DXGK_QUERYSEGMENTOUT3 *out)
{
    DXGK_SEGMENTDESCRIPTOR3 *descriptors = out->pSegmentDescriptor;
    UINT room = out->NbSegment;

    out->NbSegment = count_segments(adapter, descriptors != NULL);
    if (descriptors == NULL)
        return;
    for (UINT i = 0; i < room && i < out->NbSegment; i++) {
        struct description segment = describe(adapter, i);

        descriptors[i].Flags = segment.flags;
        descriptors[i].BaseAddress.QuadPart = (LONGLONG)segment.base_address;
        descriptors[i].CpuTranslatedAddress.QuadPart = (LONGLONG)segment.cpu_address;
        descriptors[i].Size = segment.size;
        descriptors[i].NbOfBanks = segment.banks;
        descriptors[i].pBankRangeTable = segment.bank_ends;
        descriptors[i].CommitLimit = segment.commit_limit;
        descriptors[i].SystemMemoryEndAddress = segment.preserved_end;
    }
    out->PagingBufferSegmentId = paging_segment(adapter);
    out->PagingBufferSize = paging_size(adapter);
    out->PagingBufferPrivateDataSize = adapter->registers->private_data;
}

/* Both forms of the question have an input and an output of the same sizes. */
static NTSTATUS check_segment_query(struct softgpu_adapter *adapter,
                                    const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo)
{
    BOOLEAN newer = pQueryAdapterInfo->Type == DXGKQAITYPE_QUERYSEGMENT3;

    if (broken(adapter, SOFTGPU_BROKEN_SEGMENTS_FAIL))
        return STATUS_INVALID_PARAMETER;
    if (newer != (adapter->level >= 12)) /* D-282 */
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "QueryAdapterInfo: %s asked of a driver of WDDM 1.%u",
                              newer ? "QUERYSEGMENT3" : "QUERYSEGMENT", adapter->level - 10);
    if (pQueryAdapterInfo->pInputData == NULL ||
        pQueryAdapterInfo->InputDataSize < sizeof(DXGK_QUERYSEGMENTIN) ||
        pQueryAdapterInfo->pOutputData == NULL ||
        pQueryAdapterInfo->OutputDataSize < sizeof(DXGK_QUERYSEGMENTOUT))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "QueryAdapterInfo segments: input of %u bytes, output of %u",
                              pQueryAdapterInfo->InputDataSize, pQueryAdapterInfo->OutputDataSize);
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuQueryAdapterInfo(HANDLE hAdapter, const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo)
{
    struct softgpu_adapter *adapter = hAdapter;
    NTSTATUS status;

    switch (pQueryAdapterInfo->Type) {
    case DXGKQAITYPE_DRIVERCAPS:
        return query_caps(adapter, pQueryAdapterInfo);
    case DXGKQAITYPE_QUERYSEGMENT:
    case DXGKQAITYPE_QUERYSEGMENT3:
        status = check_segment_query(adapter, pQueryAdapterInfo);
        if (!NT_SUCCESS(status))
            return status;
        if (adapter->level < 12)
            query_segments(adapter, pQueryAdapterInfo->pOutputData);
        else
            query_segments_3(adapter, pQueryAdapterInfo->pOutputData);
        return STATUS_SUCCESS;
    case DXGKQAITYPE_HISTORYBUFFERPRECISION:
        return adapter->level >= 13 ? softgpu_query_history(adapter, pQueryAdapterInfo)
                                    : STATUS_NOT_SUPPORTED;
    default:
        return STATUS_NOT_SUPPORTED;
    }
}

/* obeys D-296 */
NTSTATUS SoftgpuGetNodeMetadata(HANDLE hAdapter, UINT NodeOrdinalAndAdapterIndex,
                                DXGKARG_GETNODEMETADATA *pGetNodeMetadata)
{
    const struct softgpu_adapter *adapter = hAdapter;
    const struct softgpu_registers *registers = adapter->registers;
    UINT node = NodeOrdinalAndAdapterIndex & 0xffff;

    if (node >= registers->engine_count || NodeOrdinalAndAdapterIndex >> 16 != 0)
        return STATUS_INVALID_PARAMETER;
    pGetNodeMetadata->EngineType = registers->engines[node].kind == SOFTGPU_ENGINE_COPY
                                       ? DXGK_ENGINE_TYPE_COPY
                                       : DXGK_ENGINE_TYPE_3D;
    return STATUS_SUCCESS;
}
