/* query.c: the GPU's capabilities, and its segments. */
#include "ring.h"

/* Members that are not named stay 0: the graphics kernel gives a zeroed buffer, of the size that
 * this driver's version has. */
static VOID DescribeGpu(DXGK_DRIVERCAPS *Caps)
{
    Caps->HighestAcceptableAddress.QuadPart = -1; /* it reaches all of system memory */
    Caps->MaxAllocationListSlotId = RING_LIST;
    Caps->ApertureSegmentCommitLimit = (SIZE_T)RING_APERTURE_PAGES * PAGE_SIZE;
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
    Caps->SupportPerEngineTDR = TRUE;
    Caps->SupportNonVGA = TRUE; /* required from WDDM 1.2 */
    Caps->WDDMVersion = DXGKDDI_WDDMv1_2;
}

static VOID DescribeSegments(const struct ring_adapter *Adapter, DXGK_SEGMENTDESCRIPTOR3 *Segments)
{
    DXGK_SEGMENTDESCRIPTOR3 *Memory = &Segments[RING_SEGMENT_MEMORY - 1];
    DXGK_SEGMENTDESCRIPTOR3 *Aperture = &Segments[RING_SEGMENT_APERTURE - 1];

    /* With these bases a segment address is the address that the GPU's commands take, and no
     * command needs to say which segment it means. */
    Memory->BaseAddress.QuadPart = RING_MEMORY_BASE;
    Memory->CpuTranslatedAddress = Adapter->MemoryAddress;
    Memory->Size = Adapter->MemorySize;
    Memory->CommitLimit = Adapter->MemorySize;
    Memory->Flags.CpuVisible = 1;

    Aperture->BaseAddress.QuadPart = RING_APERTURE_BASE;
    Aperture->Size = (SIZE_T)RING_APERTURE_PAGES * PAGE_SIZE;
    Aperture->CommitLimit = Aperture->Size;
    Aperture->Flags.Aperture = 1;
    Aperture->Flags.CacheCoherent = 1; /* the GPU snoops: allocations in it may be cached */
}

/* Asked twice: how many, and then what they are. */
static NTSTATUS QuerySegments(const struct ring_adapter *Adapter, DXGK_QUERYSEGMENTOUT3 *Out)
{
    if (!Out->pSegmentDescriptor) {
        Out->NbSegment = 2;
        return STATUS_SUCCESS;
    }
    DescribeSegments(Adapter, Out->pSegmentDescriptor);
    /* Paging buffers are contiguous system memory, which the ring takes by physical address. */
    Out->PagingBufferSegmentId = 0;
    Out->PagingBufferSize = RING_PAGING_BUFFER;
    Out->PagingBufferPrivateDataSize = 0;
    return STATUS_SUCCESS;
}

NTSTATUS RingQueryAdapterInfo(CONST HANDLE hAdapter, CONST DXGKARG_QUERYADAPTERINFO *Arg)
{
    const struct ring_adapter *Adapter = (const struct ring_adapter *)hAdapter;

    switch (Arg->Type) {
    case DXGKQAITYPE_DRIVERCAPS:
        if (Arg->OutputDataSize < sizeof(DXGK_DRIVERCAPS))
            return STATUS_BUFFER_TOO_SMALL;
        DescribeGpu((DXGK_DRIVERCAPS *)Arg->pOutputData);
        return STATUS_SUCCESS;
    case DXGKQAITYPE_QUERYSEGMENT3:
        if (Arg->OutputDataSize < sizeof(DXGK_QUERYSEGMENTOUT3))
            return STATUS_BUFFER_TOO_SMALL;
        return QuerySegments(Adapter, (DXGK_QUERYSEGMENTOUT3 *)Arg->pOutputData);
    default:
        return STATUS_NOT_SUPPORTED;
    }
}
