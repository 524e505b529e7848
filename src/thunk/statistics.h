/* statistics.h: a question of D3DKMTQueryStatistics, checked, and who answers it.
 *
 *     Type, what it names ---> statistics.c: in range? ---> statistics_adapter.c   of all programs
 *                                                     '---> statistics_process.c   of the caller
 *
 * An answer begins as zeros, and receives what the manager counts: docs/thunks.md lists it.
 */
#ifndef VIDMM_THUNK_STATISTICS_H
#define VIDMM_THUNK_STATISTICS_H

#include <wddm/d3dkmthk_statistics.h>

struct vidmm_adapter;
struct vidmm_packet_use;
struct vidmm_report;

struct vidmm_statistics_question {
    uint64_t process; /* the calling one's number */
    struct vidmm_adapter *adapter;
    struct vidmm_report *report;       /* of this thread, for why the manager refuses */
    uint32_t segments, nodes, sources; /* of the adapter */
    uint32_t physical;                 /* PhysicalAdapterIndex; 0 for a type that names none */
    uint32_t number; /* of the segment, group, node or source, from 0; 0 where none is named */
};

/* STATUS_SUCCESS, or why the manager refuses the question. */
typedef NTSTATUS vidmm_statistics_answer(const struct vidmm_statistics_question *question,
                                         D3DKMT_QUERYSTATISTICS_RESULT *result);

vidmm_statistics_answer vidmm_statistics_adapter;
vidmm_statistics_answer vidmm_statistics_physical_adapter;
vidmm_statistics_answer vidmm_statistics_segment;
vidmm_statistics_answer vidmm_statistics_segment_usage;
vidmm_statistics_answer vidmm_statistics_group_usage;
vidmm_statistics_answer vidmm_statistics_node;
vidmm_statistics_answer vidmm_statistics_source;

vidmm_statistics_answer vidmm_statistics_process;
vidmm_statistics_answer vidmm_statistics_process_adapter;
vidmm_statistics_answer vidmm_statistics_process_segment;
vidmm_statistics_answer vidmm_statistics_process_group;
vidmm_statistics_answer vidmm_statistics_process_node;
vidmm_statistics_answer vidmm_statistics_process_source;

/* A counter of 32 bits stays at its end. */
static inline ULONG vidmm_statistics_clamp(uint64_t value)
{
    return value < UINT32_MAX ? (ULONG)value : UINT32_MAX;
}

/* Write the packets of one type, and add their time. */
void vidmm_statistics_packets(D3DKMT_QUERYSTATISTICS_PROCESS_NODE_INFORMATION *info,
                              D3DKMT_QUERYSTATISTICS_DMA_PACKET_TYPE type,
                              const struct vidmm_packet_use *use);

#endif
