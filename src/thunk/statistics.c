/* statistics.c: D3DKMTQueryStatistics.
 *
 *     ADAPTER                 numbers since the adapter was started, how many segments and nodes
 *     SEGMENT                 size, and how full it is
 *     NODE                    how long it ran, and how many packets of each kind
 *     PROCESS_ADAPTER         how many segments and nodes
 *     PROCESS_SEGMENT_GROUP   budget and usage of the calling process
 *
 * Each member that is written is counted by the manager; all others of the answer are 0
 * (docs/thunks.md lists which are which). Other types answer STATUS_NOT_SUPPORTED and are counted
 * with the functions that are not built.
 */
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/budget.h>
#include <vidmm/caps.h>
#include <vidmm/engine.h>
#include <wddm/d3dkmddi_segment.h>
#include <wddm/d3dkmthk_statistics.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"

/* A counter of 32 bits stays at its end. */
static ULONG clamp(uint64_t value)
{
    return value < UINT32_MAX ? (ULONG)value : UINT32_MAX;
}

static NTSTATUS adapter_statistics(const struct vidmm_thunk_process *process,
                                   struct vidmm_adapter *adapter, D3DKMT_QUERYSTATISTICS *query)
{
    D3DKMT_QUERYSTATISTICS_ADAPTER_INFORMATION *info = &query->QueryResult.AdapterInformation;
    struct vidmm_statistics statistics;
    struct vidmm_adapter_caps caps;

    (void)process;
    vidmm_adapter_get_caps(adapter, &caps);
    vidmm_adapter_statistics(adapter, &statistics);
    info->NbSegments = vidmm_adapter_segments(adapter);
    info->NodeCount = caps.nodes;
    info->VidPnSourceCount = caps.video_present_sources;
    info->TdrDetectedCount = clamp(statistics.engine_resets + statistics.resets);
    info->Renaming.NbAllocationsRenamed = clamp(statistics.renames);
    info->Renaming.NbAllocationsShrinked = clamp(statistics.instances_gone);
    info->Preparation.NbDMAPrepared = clamp(statistics.submissions);
    info->PagingFault.Evictions.Count = clamp(statistics.evictions);
    info->PagingTransfer.BytesFilled = statistics.bytes_filled;
    info->PagingTransfer.BytesDiscarded = statistics.bytes_discarded;
    info->PagingTransfer.BytesMappedIntoAperture = statistics.bytes_mapped;
    info->PagingTransfer.BytesUnmappedFromAperture = statistics.bytes_unmapped;
    info->PagingTransfer.BytesTransferredFromMdlToMemory = statistics.bytes_in;
    info->PagingTransfer.BytesTransferredFromMemoryToMdl = statistics.bytes_out;
    return STATUS_SUCCESS;
}

static NTSTATUS segment_statistics(const struct vidmm_thunk_process *process,
                                   struct vidmm_adapter *adapter, D3DKMT_QUERYSTATISTICS *query)
{
    D3DKMT_QUERYSTATISTICS_SEGMENT_INFORMATION *info = &query->QueryResult.SegmentInformation;
    uint32_t id = query->QuerySegment.SegmentId + 1;
    struct vidmm_segment_info segment;
    struct vidmm_segment_use use;
    DXGK_SEGMENTFLAGS flags;

    (void)process;
    if (query->QuerySegment.SegmentId >= vidmm_adapter_segments(adapter))
        return vidmm_thunk_refuse("SegmentId is %u; expected 0 to %u, counted from 0",
                                  (unsigned)query->QuerySegment.SegmentId,
                                  (unsigned)vidmm_adapter_segments(adapter) - 1);
    vidmm_adapter_segment(adapter, id, &segment);
    vidmm_adapter_segment_use(adapter, id, &use);
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
    return STATUS_SUCCESS;
}

/* Units of 100 ns. */
static LONGLONG running_time(const struct vidmm_packet_use *use)
{
    return (LONGLONG)(use->running_ns / 100);
}

static void tell_packets(D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION *info,
                         D3DKMT_QUERYSTATISTICS_DMA_PACKET_TYPE type,
                         const struct vidmm_packet_use *use)
{
    D3DKMT_QUERYSTATISTICS_DMA_PACKET_TYPE_INFORMATION *packets =
        &info->PacketStatistics.DmaPacket[type];

    packets->PacketSubmited = clamp(use->submitted);
    packets->PacketCompleted = clamp(use->completed);
    packets->PacketPreempted = clamp(use->preempted);
    packets->PacketFaulted = clamp(use->faulted);
    info->RunningTime.QuadPart += running_time(use);
}

/* Paging is the system's alone; everything is of the one or the other. */
static NTSTATUS node_statistics(const struct vidmm_thunk_process *process,
                                struct vidmm_adapter *adapter, D3DKMT_QUERYSTATISTICS *query)
{
    D3DKMT_QUERYSTATISTICS_NODE_INFORMATION *info = &query->QueryResult.NodeInformation;
    struct vidmm_adapter_caps caps;
    struct vidmm_node_use use;

    (void)process;
    vidmm_adapter_get_caps(adapter, &caps);
    if (query->QueryNode.NodeId >= caps.nodes)
        return vidmm_thunk_refuse("NodeId is %u; expected 0 to %u",
                                  (unsigned)query->QueryNode.NodeId, (unsigned)caps.nodes - 1);
    vidmm_adapter_node_use(adapter, query->QueryNode.NodeId, &use);
    tell_packets(&info->GlobalInformation, D3DKMT_ClientRenderBuffer, &use.render);
    tell_packets(&info->GlobalInformation, D3DKMT_SystemPagingBuffer, &use.paging);
    tell_packets(&info->SystemInformation, D3DKMT_SystemPagingBuffer, &use.paging);
    info->GlobalInformation.ContextSwitch = clamp(use.context_switches);
    return STATUS_SUCCESS;
}

static NTSTATUS process_adapter_statistics(const struct vidmm_thunk_process *process,
                                           struct vidmm_adapter *adapter,
                                           D3DKMT_QUERYSTATISTICS *query)
{
    D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER_INFORMATION *info =
        &query->QueryResult.ProcessAdapterInformation;
    struct vidmm_adapter_caps caps;

    (void)process;
    vidmm_adapter_get_caps(adapter, &caps);
    info->NbSegments = vidmm_adapter_segments(adapter);
    info->NodeCount = caps.nodes;
    info->VidPnSourceCount = caps.video_present_sources;
    return STATUS_SUCCESS;
}

static NTSTATUS process_group_statistics(const struct vidmm_thunk_process *process,
                                         struct vidmm_adapter *adapter,
                                         D3DKMT_QUERYSTATISTICS *query)
{
    struct vidmm_budget_info budget;
    NTSTATUS status = vidmm_query_video_memory(
        adapter, process->number, (enum vidmm_segment_group)query->QueryProcessSegmentGroup,
        &budget, vidmm_thunk_report());

    if (status == STATUS_SUCCESS) {
        query->QueryResult.ProcessSegmentGroupInformation.Budget = budget.budget;
        query->QueryResult.ProcessSegmentGroupInformation.Usage = budget.usage;
    }
    return status;
}

static const struct {
    D3DKMT_QUERYSTATISTICS_TYPE type;
    NTSTATUS(*answer)
    (const struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
     D3DKMT_QUERYSTATISTICS *query);
} types[] = {
    {D3DKMT_QUERYSTATISTICS_ADAPTER, adapter_statistics},
    {D3DKMT_QUERYSTATISTICS_SEGMENT, segment_statistics},
    {D3DKMT_QUERYSTATISTICS_NODE, node_statistics},
    {D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER, process_adapter_statistics},
    {D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP, process_group_statistics},
};

static NTSTATUS answer_of_type(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                               D3DKMT_QUERYSTATISTICS *query)
{
    memset(&query->QueryResult, 0, sizeof(query->QueryResult));
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (types[i].type == query->Type)
            return types[i].answer(process, adapter, query);
    atomic_fetch_add_explicit(&process->missed[VIDMM_THUNK_QueryStatistics], 1,
                              memory_order_relaxed);
    vidmm_thunk_refuse("Type is %d, which is not built", (int)query->Type);
    return STATUS_NOT_SUPPORTED;
}

NTSTATUS vidmm_thunk_QueryStatistics(struct vidmm_thunk_process *process,
                                     D3DKMT_QUERYSTATISTICS *arguments)
{
    const struct vidmm_thunk_adapter *adapter;
    D3DKMT_QUERYSTATISTICS query;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Type < D3DKMT_QUERYSTATISTICS_ADAPTER ||
        arguments->Type > D3DKMT_QUERYSTATISTICS_PROCESS_NODE2)
        return vidmm_thunk_refuse("Type is %d; expected 0 to 19", (int)arguments->Type);
    if (arguments->hProcess != NULL)
        return vidmm_thunk_refuse("hProcess is not NULL; this version answers for the calling "
                                  "process alone");
    adapter = vidmm_thunk_adapter_by_luid(process->machine, arguments->AdapterLuid);
    if (adapter == NULL)
        return STATUS_INVALID_PARAMETER;
    query = *arguments;
    status = answer_of_type(process, adapter->adapter, &query);
    if (status == STATUS_SUCCESS)
        *arguments = query;
    return status;
}
