/* query.c: the GPU's capabilities, its segments and page tables. */
#include "atlas.h"

/* Members that are not named stay 0: the graphics kernel gives a zeroed buffer, of the size that
 * this driver's version has. */
static VOID DescribeGpu(DXGK_DRIVERCAPS *Caps)
{
    Caps->HighestAcceptableAddress.QuadPart = -1; /* it reaches all of system memory */
    Caps->MaxAllocationListSlotId = ATLAS_LIST;
    Caps->ApertureSegmentCommitLimit = ATLAS_APERTURE_SIZE;
    Caps->InterruptMessageNumber = 0;
    /* Contexts, and preemption between DMA buffers. One node does everything, paging too. */
    Caps->SchedulingCaps.MultiEngineAware = 1;
    Caps->SchedulingCaps.PreemptionAware = 1;
    Caps->PreemptionCaps.GraphicsPreemptionGranularity =
        D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY;
    Caps->PreemptionCaps.ComputePreemptionGranularity =
        D3DKMDT_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY;
    Caps->GpuEngineTopology.NbAsymetricProcessingNodes = 1;
    Caps->MemoryManagementCaps.PagingNode = 0;
    /* Page tables of its own. */
    Caps->MemoryManagementCaps.VirtualAddressingSupported = 1;
    Caps->MemoryManagementCaps.GpuMmuSupported = 1;
    Caps->SupportPerEngineTDR = TRUE;
    Caps->SupportNonVGA = TRUE; /* required from WDDM 1.2 */
    Caps->WDDMVersion = DXGKDDI_WDDMv2;
}

/* ---- segments ---- */

static VOID DescribeSegments(const struct atlas_adapter *Adapter, DXGK_SEGMENTDESCRIPTOR4 *Memory,
                             DXGK_SEGMENTDESCRIPTOR4 *Aperture)
{
    Memory->BaseAddress.QuadPart = 0;
    Memory->CpuTranslatedAddress = Adapter->MemoryAddress;
    Memory->Size = Adapter->MemorySize;
    Memory->CommitLimit = Adapter->MemorySize;
    Memory->Flags.CpuVisible = 1; /* page tables lie there, and the processor writes the first */

    Aperture->Size = ATLAS_APERTURE_SIZE;
    Aperture->CommitLimit = Aperture->Size;
    Aperture->Flags.Aperture = 1;
    Aperture->Flags.CacheCoherent = 1; /* the GPU snoops: allocations in it may be cached */
}

/* Asked twice: how many, and then what they are. The kernel says how far apart descriptors are. */
static NTSTATUS QuerySegments(const struct atlas_adapter *Adapter, DXGK_QUERYSEGMENTOUT4 *Out)
{
    BYTE *First = Out->pSegmentDescriptor;

    if (!First) {
        Out->NbSegment = 2;
        return STATUS_SUCCESS;
    }
    DescribeSegments(Adapter,
                     (DXGK_SEGMENTDESCRIPTOR4 *)(First + (ATLAS_SEGMENT_MEMORY - 1) *
                                                             Out->SegmentDescriptorStride),
                     (DXGK_SEGMENTDESCRIPTOR4 *)(First + (ATLAS_SEGMENT_APERTURE - 1) *
                                                             Out->SegmentDescriptorStride));
    /* Paging buffers are contiguous system memory, which the ring takes by physical address. */
    Out->PagingBufferSegmentId = 0;
    Out->PagingBufferSize = ATLAS_PAGING_BUFFER;
    Out->PagingBufferPrivateDataSize = ATLAS_PAGING_PRIVATE;
    return STATUS_SUCCESS;
}

/* ---- page tables ---- */

static VOID DescribeTables(DXGK_GPUMMUCAPS *Caps)
{
    Caps->ReadOnlyMemorySupported = 1;
    Caps->CacheCoherentMemorySupported = 1;
    Caps->PageTableUpdateMode = DXGK_PAGETABLEUPDATE_GPU_PHYSICAL;
    Caps->VirtualAddressBitCount = ATLAS_LEVELS * ATLAS_INDEX_BITS + PAGE_SHIFT;
    Caps->PageTableLevelCount = ATLAS_LEVELS;
}

static NTSTATUS DescribeLevel(const DXGKARG_QUERYADAPTERINFO *Arg)
{
    const DXGK_QUERYPAGETABLELEVELDESCIN *In =
        (const DXGK_QUERYPAGETABLELEVELDESCIN *)Arg->pInputData;
    DXGK_PAGE_TABLE_LEVEL_DESC *Level = (DXGK_PAGE_TABLE_LEVEL_DESC *)Arg->pOutputData;

    if (In->LevelIndex >= ATLAS_LEVELS)
        return STATUS_INVALID_PARAMETER;
    Level->PageTableIndexBitCount = ATLAS_INDEX_BITS;
    Level->PageTableSegmentId = ATLAS_SEGMENT_MEMORY;
    Level->PagingProcessPageTableSegmentId = ATLAS_SEGMENT_MEMORY;
    Level->PageTableSizeInBytes = ATLAS_TABLE * sizeof(ULONG64);
    Level->PageTableAlignmentInBytes = PAGE_SIZE;
    return STATUS_SUCCESS;
}

static VOID DescribePhysicalAdapter(DXGK_PHYSICALADAPTERCAPS *Caps)
{
    Caps->NumExecutionNodes = 1;
    Caps->PagingNodeIndex = 0;
    Caps->Flags.GpuMmuSupported = 1;
}

NTSTATUS AtlasGetNodeMetadata(CONST HANDLE hAdapter, UINT NodeOrdinalAndAdapterIndex,
                              DXGKARG_GETNODEMETADATA *Metadata)
{
    UNREFERENCED_PARAMETER(hAdapter);
    if (NodeOrdinalAndAdapterIndex != 0)
        return STATUS_INVALID_PARAMETER;
    Metadata->EngineType = DXGK_ENGINE_TYPE_3D;
    Metadata->GpuMmuSupported = TRUE;
    return STATUS_SUCCESS;
}

/* ---- questions ---- */

/* The bytes that an answer needs; 0: it is not known. */
static SIZE_T SizeOf(DXGK_QUERYADAPTERINFOTYPE Type)
{
    switch (Type) {
    case DXGKQAITYPE_DRIVERCAPS:
        return sizeof(DXGK_DRIVERCAPS);
    case DXGKQAITYPE_QUERYSEGMENT4:
        return sizeof(DXGK_QUERYSEGMENTOUT4);
    case DXGKQAITYPE_GPUMMUCAPS:
        return sizeof(DXGK_GPUMMUCAPS);
    case DXGKQAITYPE_PAGETABLELEVELDESC:
        return sizeof(DXGK_PAGE_TABLE_LEVEL_DESC);
    case DXGKQAITYPE_PHYSICALADAPTERCAPS:
        return sizeof(DXGK_PHYSICALADAPTERCAPS);
    default:
        return 0;
    }
}

NTSTATUS AtlasQueryAdapterInfo(CONST HANDLE hAdapter, CONST DXGKARG_QUERYADAPTERINFO *Arg)
{
    SIZE_T Size = SizeOf(Arg->Type);

    if (Size == 0)
        return STATUS_NOT_SUPPORTED;
    if (Arg->OutputDataSize < Size)
        return STATUS_BUFFER_TOO_SMALL;
    switch (Arg->Type) {
    case DXGKQAITYPE_DRIVERCAPS:
        DescribeGpu((DXGK_DRIVERCAPS *)Arg->pOutputData);
        return STATUS_SUCCESS;
    case DXGKQAITYPE_QUERYSEGMENT4:
        return QuerySegments((const struct atlas_adapter *)hAdapter,
                             (DXGK_QUERYSEGMENTOUT4 *)Arg->pOutputData);
    case DXGKQAITYPE_GPUMMUCAPS:
        DescribeTables((DXGK_GPUMMUCAPS *)Arg->pOutputData);
        return STATUS_SUCCESS;
    case DXGKQAITYPE_PAGETABLELEVELDESC:
        return DescribeLevel(Arg);
    default:
        DescribePhysicalAdapter((DXGK_PHYSICALADAPTERCAPS *)Arg->pOutputData);
        return STATUS_SUCCESS;
    }
}
