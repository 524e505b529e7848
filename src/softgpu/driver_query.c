/*
 * Theory. Each answer is built whole, as the newest level that the driver knows has it, and copied
 * as far as the adapter's own level goes: a system of 1.0 gave room for no more (kit habit 16).
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

static BOOLEAN broken(const struct softgpu_adapter *adapter, enum softgpu_broken which)
{
    return softgpu_adapter_is_broken(adapter, which);
}

/* ---- DRIVERCAPS ------------------------------------------------------------------------------ */

/* Bytes of DXGK_DRIVERCAPS at a level. */
static UINT caps_size(UINT level)
{
    static const struct {
        UINT level, size;
    } since[] = {{29, 592}, {24, 584}, {20, 576}, {13, 552}, {12, 544}, {11, 528}};

    for (size_t i = 0; i < sizeof(since) / sizeof(since[0]); i++)
        if (level >= since[i].level)
            return since[i].size;
    return 336;
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
    caps->MemoryManagementCaps.VirtualAddressingSupported = softgpu_has_addresses(adapter) != 0;
    caps->MemoryManagementCaps.IoMmuSupported = softgpu_shares_addresses(adapter) != 0;
    caps->MemoryManagementCaps.GpuMmuSupported = softgpu_has_tables(adapter) != 0;
    caps->MemoryManagementCaps.MapAperture2Supported =
        adapter->level >= 29 && registers->map_aperture2;
    caps->MemoryManagementCaps.IoMmuSecureModeSupported =
        adapter->level >= 24 && registers->isolation;
    caps->SchedulingCaps.No64BitAtomics = adapter->level >= 20 && !registers->atomics_64;
    caps->MemoryManagementCaps.PagingNode = broken(adapter, SOFTGPU_BROKEN_PAGING_NODE)
                                                ? registers->engine_count
                                                : registers->paging_node;
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

/* ---- what a physical adapter and a node are like --------------------------------------------- */

static NTSTATUS query_physical_adapter(struct softgpu_adapter *adapter,
                                       const DXGKARG_QUERYADAPTERINFO *args)
{
    const DXGK_QUERYPHYSICALADAPTERCAPSIN *in = args->pInputData;
    const struct softgpu_adapter *member = in != NULL && args->InputDataSize >= sizeof(*in)
                                               ? softgpu_engine(adapter, in->PhysicalAdapterIndex)
                                               : NULL;
    UINT size = adapter->level < 27 ? 24 : sizeof(DXGK_PHYSICALADAPTERCAPS);
    DXGK_PHYSICALADAPTERCAPS caps;

    if (member == NULL || args->OutputDataSize < size)
        return softgpu_refuse(
            adapter, STATUS_INVALID_PARAMETER,
            "QueryAdapterInfo PHYSICALADAPTERCAPS: adapter %u of %u, OutputDataSize "
            "%u, %u expected",
            in != NULL ? in->PhysicalAdapterIndex : 0,
            adapter->chain != NULL ? adapter->chain->count : 1, args->OutputDataSize, size);
    caps = (DXGK_PHYSICALADAPTERCAPS){
        .NumExecutionNodes = (WORD)member->registers->engine_count,
        .PagingNodeIndex = (WORD)member->registers->paging_node,
        .Flags.GpuMmuSupported = softgpu_has_tables(member) != 0,
        .Flags.IoMmuSupported = softgpu_shares_addresses(member) != 0,
        .Flags.MovePagingSupported = member->registers->move_paging & 1,
        .Flags.VPRPagingContextRequired = member->registers->vpr_context & 1,
        .Flags.AllowHardwareProtectedNoVpr = member->registers->hardware_protected & 1,
    };
    if (broken(adapter, SOFTGPU_BROKEN_PAGING_NODE))
        caps.PagingNodeIndex = caps.NumExecutionNodes;
    memcpy(args->pOutputData, &caps, size);
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuQueryAdapterInfo(HANDLE hAdapter, const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo)
{
    struct softgpu_adapter *adapter = hAdapter;
    BOOLEAN second = adapter->level >= 20;

    switch (pQueryAdapterInfo->Type) {
    case DXGKQAITYPE_DRIVERCAPS:
        return query_caps(adapter, pQueryAdapterInfo);
    case DXGKQAITYPE_QUERYSEGMENT:
    case DXGKQAITYPE_QUERYSEGMENT3:
        return softgpu_query_segments(adapter, pQueryAdapterInfo);
    case DXGKQAITYPE_QUERYSEGMENT4:
        return second ? softgpu_query_segments(adapter, pQueryAdapterInfo) : STATUS_NOT_SUPPORTED;
    case DXGKQAITYPE_GPUMMUCAPS:
        return second ? softgpu_query_mmu(adapter, pQueryAdapterInfo) : STATUS_NOT_SUPPORTED;
    case DXGKQAITYPE_PAGETABLELEVELDESC:
        return second ? softgpu_query_level(adapter, pQueryAdapterInfo) : STATUS_NOT_SUPPORTED;
    case DXGKQAITYPE_PHYSICALADAPTERCAPS:
        return second ? query_physical_adapter(adapter, pQueryAdapterInfo) : STATUS_NOT_SUPPORTED;
    case DXGKQAITYPE_HISTORYBUFFERPRECISION:
        return adapter->level >= 13 ? softgpu_query_history(adapter, pQueryAdapterInfo)
                                    : STATUS_NOT_SUPPORTED;
    default:
        return STATUS_NOT_SUPPORTED;
    }
}

/* ---- a GPU of 32 address lines --------------------------------------------------------------- */

/* The two questions come before StartDevice, so that no register answers them. */
static NTSTATUS query_remapped(HANDLE hAdapter, const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo)
{
    static const DXGK_PHYSICAL_MEMORY_CAPS reach = {.HighestVisibleAddress.QuadPart = 0xffffffff};
    static const DXGK_IOMMU_CAPS iommu = {.IommuIsolationSupported = 1, .DmaRemappingSupported = 1};
    BOOLEAN asks_reach = pQueryAdapterInfo->Type == DXGKQAITYPE_PHYSICAL_MEMORY_CAPS;
    UINT size = asks_reach ? sizeof(reach) : sizeof(iommu);

    if (!asks_reach && pQueryAdapterInfo->Type != DXGKQAITYPE_IOMMU_CAPS)
        return SoftgpuQueryAdapterInfo(hAdapter, pQueryAdapterInfo);
    if (pQueryAdapterInfo->OutputDataSize < size)
        return STATUS_INVALID_PARAMETER;
    memcpy(pQueryAdapterInfo->pOutputData, asks_reach ? (const void *)&reach : &iommu, size);
    return STATUS_SUCCESS;
}

void softgpu_driver_remap(DRIVER_INITIALIZATION_DATA *data)
{
    data->DxgkDdiQueryAdapterInfo = query_remapped;
}

/* obeys D-296 */
NTSTATUS SoftgpuGetNodeMetadata(HANDLE hAdapter, UINT NodeOrdinalAndAdapterIndex,
                                DXGKARG_GETNODEMETADATA *pGetNodeMetadata)
{
    const struct softgpu_adapter *adapter =
        softgpu_engine(hAdapter, NodeOrdinalAndAdapterIndex >> 16);
    UINT node = NodeOrdinalAndAdapterIndex & 0xffff;
    const struct softgpu_registers *registers;

    if (adapter == NULL || node >= adapter->registers->engine_count)
        return STATUS_INVALID_PARAMETER;
    registers = adapter->registers;
    pGetNodeMetadata->EngineType = registers->engines[node].kind == SOFTGPU_ENGINE_COPY
                                       ? DXGK_ENGINE_TYPE_COPY
                                       : DXGK_ENGINE_TYPE_3D;
    if (adapter->level < 20)
        return STATUS_SUCCESS;
    pGetNodeMetadata->GpuMmuSupported = softgpu_has_tables(adapter) != 0;
    pGetNodeMetadata->IoMmuSupported = softgpu_shares_addresses(adapter) != 0;
    if (registers->hw_queues != 0) {
        pGetNodeMetadata->Flags.ContextSchedulingSupported = 1;
        pGetNodeMetadata->Flags.RingBufferFenceRelease = 1;
    }
    return STATUS_SUCCESS;
}
