/* escape_defrag.c: memory moves inside its segment because a test says so. */
#include "thunk/escape_defrag.h"

#include <vidmm/adapter.h>
#include <vidmm/page_out.h>
#include <wddm/ntstatus.h>

#include "thunk/escape_test.h"
#include "thunk/process.h"

/* Have memory move, if the operation says so, or leave and be compared. The segment is one that
 * there is. */
static NTSTATUS compact(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                        const D3DKMT_VIDMM_ESCAPE *escape)
{
    uint32_t id = escape->Defrag.SegmentId;

    switch (escape->Defrag.Operation) {
    case D3DKMT_DEFRAG_ESCAPE_GET_FRAGMENTATION_STATS:
        return STATUS_SUCCESS;
    case D3DKMT_DEFRAG_ESCAPE_DEFRAG_UPWARD:
        return vidmm_compact(adapter, id, VIDMM_COMPACT_UP, vidmm_thunk_report());
    case D3DKMT_DEFRAG_ESCAPE_DEFRAG_DOWNWARD:
        return vidmm_compact(adapter, id, VIDMM_COMPACT_DOWN, vidmm_thunk_report());
    case D3DKMT_DEFRAG_ESCAPE_DEFRAG_PASS:
        return vidmm_compact(adapter, id, VIDMM_COMPACT_CHEAPER, vidmm_thunk_report());
    case D3DKMT_DEFRAG_ESCAPE_VERIFY_TRANSFER:
        return vidmm_escape_check_transfers(process, adapter, id);
    default:
        return vidmm_thunk_refuse("Defrag.Operation is %d; expected 0 to 4",
                                  (int)escape->Defrag.Operation);
    }
}

NTSTATUS vidmm_escape_defragment(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                                 D3DKMT_VIDMM_ESCAPE *escape)
{
    uint32_t id = escape->Defrag.SegmentId;
    struct vidmm_segment_use use;
    NTSTATUS status;

    if (id == 0 || id > vidmm_adapter_segments(adapter))
        return vidmm_thunk_refuse("Defrag.SegmentId is %u; expected 1 to %u", (unsigned)id,
                                  (unsigned)vidmm_adapter_segments(adapter));
    vidmm_adapter_segment_use(adapter, id, &use);
    escape->Defrag.LargestGapBefore = use.largest_hole;
    status = compact(process, adapter, escape);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_adapter_segment_use(adapter, id, &use);
    escape->Defrag.TotalCommitted = use.taken;
    escape->Defrag.TotalFree = use.free;
    escape->Defrag.LargestGapAfter = use.largest_hole;
    return STATUS_SUCCESS;
}
