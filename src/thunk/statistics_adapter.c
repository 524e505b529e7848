/* statistics_adapter.c: D3DKMTQueryStatistics about an adapter, whoever uses it.
 *
 *     ADAPTER, ADAPTER2             numbers since the adapter was started
 *     PHYSICAL_ADAPTER              its index: no driver is asked for its clocks and fans
 *     SEGMENT, SEGMENT2             size, how full it is, what has left it
 *     SEGMENT_USAGE, ..._GROUP_...  bytes that are taken and free
 *     NODE, NODE2                   how long it ran, and how many packets of each kind
 *     VIDPNSOURCE                   frames that it has shown
 *
 * The system presents nothing, and of a node it has the paging alone.
 */
#include <vidmm/adapter.h>
#include <vidmm/statistics.h>
#include <wddm/ntstatus.h>

#include "thunk/query.h"
#include "thunk/statistics.h"

static uint64_t evicted_from_all(const struct vidmm_adapter *adapter)
{
    uint64_t bytes[VIDMM_PRIORITY_RANKS], sum = 0;

    for (uint32_t id = 1; id <= vidmm_adapter_segments(adapter); id++) {
        vidmm_segment_evicted(adapter, id, bytes);
        for (uint32_t rank = 0; rank < VIDMM_PRIORITY_RANKS; rank++)
            sum += bytes[rank];
    }
    return sum;
}

NTSTATUS vidmm_statistics_adapter(const struct vidmm_statistics_question *question,
                                  D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION *info = &result->AdapterInformation;
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(question->adapter, &statistics);
    info->NbSegments = question->segments;
    info->NodeCount = question->nodes;
    info->VidPnSourceCount = question->sources;
    info->TdrDetectedCount = vidmm_statistics_clamp(statistics.engine_resets + statistics.resets);
    info->Renaming.NbAllocationsRenamed = vidmm_statistics_clamp(statistics.renames);
    info->Renaming.NbAllocationsShrinked = vidmm_statistics_clamp(statistics.instances_gone);
    info->Preparation.NbDMAPrepared = vidmm_statistics_clamp(statistics.submissions);
    info->PagingFault.Evictions.Count = vidmm_statistics_clamp(statistics.evictions);
    info->PagingFault.Evictions.Bytes = evicted_from_all(question->adapter);
    info->PagingTransfer.BytesFilled = statistics.bytes_filled;
    info->PagingTransfer.BytesDiscarded = statistics.bytes_discarded;
    info->PagingTransfer.BytesMappedIntoAperture = statistics.bytes_mapped;
    info->PagingTransfer.BytesUnmappedFromAperture = statistics.bytes_unmapped;
    info->PagingTransfer.BytesTransferredFromMdlToMemory = statistics.bytes_in;
    info->PagingTransfer.BytesTransferredFromMemoryToMdl = statistics.bytes_out;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_statistics_physical_adapter(const struct vidmm_statistics_question *question,
                                           D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    D3DKMT_QUERYSTATISTICS_PHYSICAL_ADAPTER_INFORMATION *info = &result->PhysAdapterInformation;

    info->AdapterPerfData.PhysicalAdapterIndex = question->physical;
    info->AdapterPerfDataCaps.PhysicalAdapterIndex = question->physical;
    info->GpuVersion.PhysicalAdapterIndex = question->physical;
    return STATUS_SUCCESS;
}

/* ---- segments -------------------------------------------------------------------------------- */

static void tell_memory(const struct vidmm_adapter *adapter, uint32_t id,
                        D3DKMT_QUERYSTATISTICS_SEGMENT_INFORMATION *info)
{
    uint64_t evicted[VIDMM_PRIORITY_RANKS], resident = 0;
    struct vidmm_allocations_in allocations;

    vidmm_segment_allocations(adapter, id, &allocations);
    for (uint32_t slot = 0; slot <= VIDMM_PREFERENCE_SLOTS; slot++)
        resident += allocations.resident[slot].count;
    info->Memory.AllocsCommitted = vidmm_statistics_clamp(allocations.committed.count);
    info->Memory.AllocsResident = vidmm_statistics_clamp(resident);
    vidmm_segment_evicted(adapter, id, evicted);
    for (uint32_t rank = 0; rank < VIDMM_PRIORITY_RANKS; rank++) {
        info->Memory.TotalBytesEvicted += evicted[rank];
        info->TotalBytesEvictedByPriority[rank] = evicted[rank];
    }
}

NTSTATUS vidmm_statistics_segment(const struct vidmm_statistics_question *question,
                                  D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    D3DKMT_QUERYSTATISTICS_SEGMENT_INFORMATION *info = &result->SegmentInformation;
    uint32_t id = question->number + 1;
    struct vidmm_segment_info segment;
    struct vidmm_segment_use use;
    DXGK_SEGMENTFLAGS flags;

    vidmm_adapter_segment(question->adapter, id, &segment);
    vidmm_adapter_segment_use(question->adapter, id, &use);
    flags.Value = segment.flags;
    info->CommitLimit = flags.Aperture || flags.Agp ? segment.commit_limit : segment.size;
    info->BytesCommitted = use.taken;
    info->BytesResident = use.taken;
    info->Aperture = flags.Aperture || flags.Agp;
    info->SystemMemoryEndAddress = segment.system_memory_end;
    info->PowerFlags.PreservedDuringStandby = flags.PreservedDuringStandby;
    info->PowerFlags.PreservedDuringHibernate = flags.PreservedDuringHibernate;
    info->PowerFlags.PartiallyPreservedDuringHibernate = flags.PartiallyPreservedDuringHibernate;
    info->SegmentProperties.SystemMemory = flags.PopulatedFromSystemMemory;
    tell_memory(question->adapter, id, info);
    return STATUS_SUCCESS;
}

static void add_usage(const struct vidmm_adapter *adapter, uint32_t id,
                      D3DKMT_QUERYSTATISTICS_MEMORY_USAGE *usage)
{
    struct vidmm_segment_use use;

    vidmm_adapter_segment_use(adapter, id, &use);
    usage->AllocatedBytes += use.taken;
    usage->FreeBytes += use.free;
}

NTSTATUS vidmm_statistics_segment_usage(const struct vidmm_statistics_question *question,
                                        D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    add_usage(question->adapter, question->number + 1, &result->SegmentUsageInformation);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_statistics_group_usage(const struct vidmm_statistics_question *question,
                                      D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    for (uint32_t id = 1; id <= question->segments; id++)
        if (vidmm_query_is_in_group(question->adapter, id, question->number))
            add_usage(question->adapter, id, &result->SegmentGroupUsageInformation);
    return STATUS_SUCCESS;
}

/* ---- nodes and sources ----------------------------------------------------------------------- */

void vidmm_statistics_packets(D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION *info,
                              D3DKMT_QUERYSTATISTICS_DMA_PACKET_TYPE type,
                              const struct vidmm_packet_use *use)
{
    D3DKMT_QUERYSTATISTICS_DMA_PACKET_TYPE_INFORMATION *packets =
        &info->PacketStatistics.DmaPacket[type];

    packets->PacketSubmited = vidmm_statistics_clamp(use->submitted);
    packets->PacketCompleted = vidmm_statistics_clamp(use->completed);
    packets->PacketPreempted = vidmm_statistics_clamp(use->preempted);
    packets->PacketFaulted = vidmm_statistics_clamp(use->faulted);
    info->RunningTime.QuadPart += (LONGLONG)(use->running_ns / 100); /* units of 100 ns */
}

/* Paging is the system's alone; everything is of the one or the other. */
NTSTATUS vidmm_statistics_node(const struct vidmm_statistics_question *question,
                               D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    D3DKMT_QUERYSTATISTICS_NODE_INFORMATION *info = &result->NodeInformation;
    struct vidmm_node_use use;

    vidmm_adapter_node_use(question->adapter, question->number, &use);
    vidmm_statistics_packets(&info->GlobalInformation, D3DKMT_ClientRenderBuffer, &use.render);
    vidmm_statistics_packets(&info->GlobalInformation, D3DKMT_SystemPagingBuffer, &use.paging);
    vidmm_statistics_packets(&info->SystemInformation, D3DKMT_SystemPagingBuffer, &use.paging);
    info->GlobalInformation.ContextSwitch = vidmm_statistics_clamp(use.context_switches);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_statistics_source(const struct vidmm_statistics_question *question,
                                 D3DKMT_QUERYSTATISTICS_RESULT *result)
{
    result->VidPnSourceInformation.GlobalInformation.Frame =
        vidmm_statistics_clamp(vidmm_source_frames(question->adapter, question->number));
    return STATUS_SUCCESS;
}
