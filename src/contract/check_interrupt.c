/* check_interrupt.c: the rules of interrupt.def. */
#include <wddm/ntstatus.h>

#include "contract/audit.h"

/* The fence id that a completion names. False: it is no completion. */
static bool completed(const struct vidmm_audit_event *event, UINT *node, UINT *fence)
{
    const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data =
        VIDMM_EVENT_ARGUMENT(event, DXGKARGCB_NOTIFY_INTERRUPT_DATA);

    if (data->InterruptType == DXGK_INTERRUPT_DMA_COMPLETED) {
        *node = data->DmaCompleted.NodeOrdinal;
        *fence = data->DmaCompleted.SubmissionFenceId;
    } else if (data->InterruptType == DXGK_INTERRUPT_DMA_FAULTED) {
        *node = data->DmaFaulted.NodeOrdinal;
        *fence = data->DmaFaulted.FaultedFenceId;
    } else {
        return false;
    }
    return true;
}

CHECKER(D_083)
{
    UINT node, fence;

    if (completed(event, &node, &fence) &&
        vidmm_shadow_fence(event->shadow, node, fence) == VIDMM_FENCE_COMPLETED)
        BREACH(event, D_083, "fence 0x%x of node %u was complete already", fence, node);
}

CHECKER(D_357)
{
    UINT node, fence;

    if (completed(event, &node, &fence) &&
        vidmm_shadow_fence(event->shadow, node, fence) == VIDMM_FENCE_UNKNOWN)
        BREACH(event, D_357, "fence 0x%x was never submitted to node %u", fence, node);
}

CHECKER(D_364)
{
    if (event->record->returned && !NT_SUCCESS(event->record->status))
        BREACH(event, D_364, "it answered 0x%x", (unsigned)event->record->status);
}
