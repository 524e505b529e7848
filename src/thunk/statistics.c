/* statistics.c: D3DKMTQueryStatistics: what a question names, and who answers it.
 *
 *     type               names                                   as the types up to
 *     up to              nothing, or one number of 32 bits       PHYSICAL_ADAPTER
 *     from ADAPTER2 on   PhysicalAdapterIndex of 16 bits,
 *                        and behind it a number of 16 bits
 *
 * The physical adapters of a link act as one, so each of them gets the numbers of all.
 */
#include "thunk/statistics.h"

#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/caps.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"

/* A question names this beside its physical adapter. */
enum named { NAMES_NOTHING, NAMES_SEGMENT, NAMES_GROUP, NAMES_NODE, NAMES_SOURCE };

/* How it names a physical adapter. */
enum physical { PHYSICAL_LEAD, PHYSICAL_FIRST, PHYSICAL_ALONE };

static const struct {
    vidmm_statistics_answer *answer;
    enum named named;
    enum physical physical;
} types[] = {
    [D3DKMT_QUERYSTATISTICS_ADAPTER] = {vidmm_statistics_adapter, NAMES_NOTHING, PHYSICAL_LEAD},
    [D3DKMT_QUERYSTATISTICS_PROCESS] = {vidmm_statistics_process, NAMES_NOTHING, PHYSICAL_LEAD},
    [D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER] = {vidmm_statistics_process_adapter, NAMES_NOTHING,
                                                PHYSICAL_LEAD},
    [D3DKMT_QUERYSTATISTICS_SEGMENT] = {vidmm_statistics_segment, NAMES_SEGMENT, PHYSICAL_LEAD},
    [D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT] = {vidmm_statistics_process_segment, NAMES_SEGMENT,
                                                PHYSICAL_LEAD},
    [D3DKMT_QUERYSTATISTICS_NODE] = {vidmm_statistics_node, NAMES_NODE, PHYSICAL_LEAD},
    [D3DKMT_QUERYSTATISTICS_PROCESS_NODE] = {vidmm_statistics_process_node, NAMES_NODE,
                                             PHYSICAL_LEAD},
    [D3DKMT_QUERYSTATISTICS_VIDPNSOURCE] = {vidmm_statistics_source, NAMES_SOURCE, PHYSICAL_LEAD},
    [D3DKMT_QUERYSTATISTICS_PROCESS_VIDPNSOURCE] = {vidmm_statistics_process_source, NAMES_SOURCE,
                                                    PHYSICAL_LEAD},
    [D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP] = {vidmm_statistics_process_group, NAMES_GROUP,
                                                      PHYSICAL_LEAD},
    [D3DKMT_QUERYSTATISTICS_PHYSICAL_ADAPTER] = {vidmm_statistics_physical_adapter, NAMES_NOTHING,
                                                 PHYSICAL_ALONE},
    [D3DKMT_QUERYSTATISTICS_ADAPTER2] = {vidmm_statistics_adapter, NAMES_NOTHING, PHYSICAL_FIRST},
    [D3DKMT_QUERYSTATISTICS_SEGMENT2] = {vidmm_statistics_segment, NAMES_SEGMENT, PHYSICAL_FIRST},
    [D3DKMT_QUERYSTATISTICS_PROCESS_ADAPTER2] = {vidmm_statistics_process_adapter, NAMES_NOTHING,
                                                 PHYSICAL_FIRST},
    [D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT2] = {vidmm_statistics_process_segment, NAMES_SEGMENT,
                                                 PHYSICAL_FIRST},
    [D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP2] = {vidmm_statistics_process_group, NAMES_GROUP,
                                                       PHYSICAL_FIRST},
    [D3DKMT_QUERYSTATISTICS_SEGMENT_USAGE] = {vidmm_statistics_segment_usage, NAMES_SEGMENT,
                                              PHYSICAL_FIRST},
    [D3DKMT_QUERYSTATISTICS_SEGMENT_GROUP_USAGE] = {vidmm_statistics_group_usage, NAMES_GROUP,
                                                    PHYSICAL_FIRST},
    [D3DKMT_QUERYSTATISTICS_NODE2] = {vidmm_statistics_node, NAMES_NODE, PHYSICAL_FIRST},
    [D3DKMT_QUERYSTATISTICS_PROCESS_NODE2] = {vidmm_statistics_process_node, NAMES_NODE,
                                              PHYSICAL_FIRST},
};

#define TYPES (sizeof(types) / sizeof(types[0]))

/* All of that union begins at the same byte, and so do the members of its structures. */
_Static_assert(sizeof(((D3DKMT_QUERYSTATISTICS *)0)->QuerySegment) == 4 &&
                   sizeof(((D3DKMT_QUERYSTATISTICS *)0)->QuerySegment2) == 4,
               "what a question names has 32 bits, or twice 16");

static void read_names(const D3DKMT_QUERYSTATISTICS *query,
                       struct vidmm_statistics_question *question)
{
    question->physical = 0;
    question->number = 0;
    switch (types[query->Type].physical) {
    case PHYSICAL_LEAD:
        if (types[query->Type].named != NAMES_NOTHING)
            question->number = query->QuerySegment.SegmentId;
        return;
    case PHYSICAL_FIRST:
        question->physical = query->QuerySegment2.PhysicalAdapterIndex;
        if (types[query->Type].named != NAMES_NOTHING)
            question->number = query->QuerySegment2.SegmentId;
        return;
    case PHYSICAL_ALONE:
        question->physical = query->QueryPhysAdapter.PhysicalAdapterIndex;
        return;
    }
}

static NTSTATUS check_below(const char *name, uint32_t value, uint32_t limit)
{
    if (value < limit)
        return STATUS_SUCCESS;
    if (limit == 0)
        return vidmm_thunk_refuse("%s is %u; the adapter has none of them", name, (unsigned)value);
    return vidmm_thunk_refuse("%s is %u; expected 0 to %u", name, (unsigned)value,
                              (unsigned)limit - 1);
}

static NTSTATUS check_named(const struct vidmm_statistics_question *question, enum named named)
{
    switch (named) {
    case NAMES_NOTHING:
        return STATUS_SUCCESS;
    case NAMES_SEGMENT:
        return check_below("SegmentId", question->number, question->segments);
    case NAMES_GROUP:
        return check_below("the segment group", question->number, VIDMM_SEGMENT_GROUPS);
    case NAMES_NODE:
        return check_below("NodeId", question->number, question->nodes);
    case NAMES_SOURCE:
        return check_below("VidPnSourceId", question->number, question->sources);
    }
    return STATUS_INVALID_PARAMETER;
}

static NTSTATUS answer_of_type(const struct vidmm_thunk_process *process,
                               struct vidmm_adapter *adapter, D3DKMT_QUERYSTATISTICS *query)
{
    struct vidmm_statistics_question question = {
        .process = process->number, .adapter = adapter, .report = vidmm_thunk_report()};
    struct vidmm_adapter_caps caps;
    NTSTATUS status;

    vidmm_adapter_get_caps(adapter, &caps);
    question.segments = vidmm_adapter_segments(adapter);
    question.nodes = caps.nodes;
    question.sources = caps.video_present_sources;
    read_names(query, &question);
    status = check_below("PhysicalAdapterIndex", question.physical, caps.physical_adapters);
    if (status == STATUS_SUCCESS)
        status = check_named(&question, types[query->Type].named);
    if (status != STATUS_SUCCESS)
        return status;
    memset(&query->QueryResult, 0, sizeof(query->QueryResult));
    return types[query->Type].answer(&question, &query->QueryResult);
}

NTSTATUS vidmm_thunk_QueryStatistics(struct vidmm_thunk_process *process,
                                     D3DKMT_QUERYSTATISTICS *arguments)
{
    const struct vidmm_thunk_adapter *adapter;
    D3DKMT_QUERYSTATISTICS query;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if ((uint32_t)arguments->Type >= TYPES)
        return vidmm_thunk_refuse("Type is %d; expected 0 to %d", (int)arguments->Type,
                                  (int)TYPES - 1);
    if (!vidmm_thunk_is_own(arguments->hProcess))
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
