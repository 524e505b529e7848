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

CHECKER(D_362)
{
    const DXGKARG_QUERYCURRENTFENCE *query = VIDMM_EVENT_ARGUMENT(event, DXGKARG_QUERYCURRENTFENCE);

    if (event->record->returned && NT_SUCCESS(event->record->status) &&
        vidmm_shadow_fence(event->shadow, query->NodeOrdinal, query->CurrentFence) ==
            VIDMM_FENCE_IN_FLIGHT)
        BREACH(event, D_362, "CurrentFence 0x%x of node %u was not reported", query->CurrentFence,
               query->NodeOrdinal);
}

CHECKER(D_367)
{
    const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data =
        VIDMM_EVENT_ARGUMENT(event, DXGKARGCB_NOTIFY_INTERRUPT_DATA);
    UINT fence = data->DmaPreempted.LastCompletedFenceId, ordinal = data->DmaPreempted.NodeOrdinal;
    const struct vidmm_shadow_node *node;

    if (data->InterruptType != DXGK_INTERRUPT_DMA_PREEMPTED || ordinal >= VIDMM_SHADOW_NODES)
        return;
    node = &event->shadow->nodes[ordinal];
    if (!node->has_reported || fence == node->reported)
        return; /* after a reset it is the reset's */
    if (vidmm_shadow_fence(event->shadow, ordinal, fence) != VIDMM_FENCE_IN_FLIGHT)
        BREACH(event, D_367, "LastCompletedFenceId of node %u is 0x%x; 0x%x was reported", ordinal,
               fence, node->reported);
}

CHECKER(D_369)
{
    const DXGKARG_RESETENGINE *reset = VIDMM_EVENT_ARGUMENT(event, DXGKARG_RESETENGINE);
    const struct vidmm_shadow_node *node;

    if (!event->record->returned || !NT_SUCCESS(event->record->status) ||
        reset->NodeOrdinal >= VIDMM_SHADOW_NODES)
        return;
    node = &event->shadow->nodes[reset->NodeOrdinal];
    if (node->count == 0 && node->has_reported && reset->LastAbortedFenceId != node->reported)
        BREACH(event, D_369, "the queue of node %u is empty: LastAbortedFenceId is 0x%x, not 0x%x",
               reset->NodeOrdinal, reset->LastAbortedFenceId, node->reported);
}

CHECKER(D_364)
{
    if (event->record->returned && !NT_SUCCESS(event->record->status))
        BREACH(event, D_364, "it answered 0x%x", (unsigned)event->record->status);
}
