/* statistics_process.c: D3DKMTQueryStatistics about the calling process.
 *
 *     PROCESS                             pages of system memory for its allocations
 *     PROCESS_ADAPTER, ..._ADAPTER2       DMA buffers, what its allocations have and have lost
 *     PROCESS_SEGMENT, ..._SEGMENT2       its allocations in a segment
 *     PROCESS_SEGMENT_GROUP, ..._GROUP2   budget and usage
 *     PROCESS_NODE, ..._NODE2             its DMA buffers on a node
 *     PROCESS_VIDPNSOURCE                 frames of it that a source has shown
 */
#include <vidmm/budget.h>
#include <vidmm/engine.h>
#include <vidmm/statistics.h>
#include <wddm/ntstatus.h>

#include "thunk/statistics.h"

_Static_assert(VIDMM_PRIORITY_RANKS == D3DKMT_MaxAllocationPriorityClass,
               "the manager's classes are those of the interface");

NTSTATUS vidmm_statistics_process(const struct vidmm_statistics_question *question,
                                  D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    D3DKMT_QUERYSTATISTICS_PROCESS_INFORMATION *info = &result->ProcessInformation;
    struct vidmm_process_use use;

    vidmm_process_use(question->adapter, question->process, &use);
    info->NodeCount = question->nodes;
    info->VidPnSourceCount = question->sources;
    info->SystemMemory.BytesAllocated = use.system_memory;
    info->SystemMemory.WriteCombinedBytesAllocated = use.write_combined;
    info->SystemMemory.CachedBytesAllocated = use.cached;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_statistics_process_adapter(const struct vidmm_statistics_question *question,
                                          D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER_INFORMATION *info = &result->ProcessAdapterInformation;
    struct vidmm_process_use use;

    vidmm_process_use(question->adapter, question->process, &use);
    info->NbSegments = question->segments;
    info->NodeCount = question->nodes;
    info->VidPnSourceCount = question->sources;
    info->DmaBuffer.Size.Count = vidmm_statistics_clamp(use.dma_buffers.count);
    info->DmaBuffer.Size.Bytes = use.dma_buffers.bytes;
    info->DmaBuffer.AllocationListBytes = vidmm_statistics_clamp(use.allocation_lists);
    info->DmaBuffer.PatchLocationListBytes = vidmm_statistics_clamp(use.patch_lists);
    info->CommitmentData.TotalBytesEvictedFromProcess = use.evicted;
    for (uint32_t slot = 0; slot < VIDMM_PREFERENCE_SLOTS; slot++)
        info->CommitmentData.BytesBySegmentPreference[slot] = use.by_preference[slot];
    return STATUS_SUCCESS;
}

static D3DKMT_QUERYSTATISTICS_COUNTER counter(const struct vidmm_amount *amount)
{
    return (D3DKMT_QUERYSTATISTICS_COUNTER){.Count = vidmm_statistics_clamp(amount->count),
                                            .Bytes = amount->bytes};
}

NTSTATUS vidmm_statistics_process_segment(const struct vidmm_statistics_question *question,
                                          D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_INFORMATION *info = &result->ProcessSegmentInformation;
    struct vidmm_allocations_in use;

    vidmm_process_allocations(question->adapter, question->process, question->number + 1, &use);
    info->BytesCommitted = use.committed.bytes;
    info->VideoMemory.AllocsCommitted = vidmm_statistics_clamp(use.committed.count);
    for (uint32_t slot = 0; slot < VIDMM_PREFERENCE_SLOTS; slot++)
        info->VideoMemory.AllocsResidentInP[slot] = counter(&use.resident[slot]);
    info->VideoMemory.AllocsResidentInNonPreferred = counter(&use.resident[VIDMM_PREFERENCE_SLOTS]);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_statistics_process_group(const struct vidmm_statistics_question *question,
                                        D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP_INFORMATION *info =
        &result->ProcessSegmentGroupInformation;
    struct vidmm_budget_info budget;
    struct vidmm_process_use use;
    NTSTATUS status = vidmm_query_video_memory(question->adapter, question->process,
                                               (enum vidmm_segment_group)question->number, &budget,
                                               question->report);

    if (status != STATUS_SUCCESS)
        return status;
    vidmm_process_use(question->adapter, question->process, &use);
    info->Budget = budget.budget;
    info->Usage = budget.usage;
    for (uint32_t rank = 0; rank < VIDMM_PRIORITY_RANKS; rank++)
        info->Demoted[rank] = use.demoted[question->number][rank];
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_statistics_process_node(const struct vidmm_statistics_question *question,
                                       D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    struct vidmm_packet_use use;

    vidmm_process_packets(question->adapter, question->process, question->number, &use);
    vidmm_statistics_packets(&result->ProcessNodeInformation, D3DKMT_ClientRenderBuffer, &use);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_statistics_process_source(const struct vidmm_statistics_question *question,
                                         D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    result->ProcessVidPnSourceInformation.Frame = vidmm_statistics_clamp(
        vidmm_process_frames(question->adapter, question->process, question->number));
    return STATUS_SUCCESS;
}
