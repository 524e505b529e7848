/* check_interrupt.c: the rules of interrupt.def. */
#include <wddm/d3dkmddi_completion.h>
#include <wddm/ntstatus.h>

#include "contract/checker.h"

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
    } else if (data->InterruptType == DXGK_INTERRUPT_DMA_PAGE_FAULTED &&
               (data->DmaPageFaulted.PageFaultFlags & DXGK_PAGE_FAULT_FENCE_INVALID) == 0) {
        *node = data->DmaPageFaulted.NodeOrdinal;
        *fence = data->DmaPageFaulted.FaultedFenceId;
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

CHECKER(D_269)
{
    const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data =
        VIDMM_EVENT_ARGUMENT(event, DXGKARGCB_NOTIFY_INTERRUPT_DATA);
    UINT flags = (UINT)data->DmaPageFaulted.PageFaultFlags;

    if (data->InterruptType == DXGK_INTERRUPT_DMA_PAGE_FAULTED &&
        (flags & DXGK_PAGE_FAULT_FENCE_INVALID) != 0 && (flags & VIDMM_PAGE_FAULT_STOPS) == 0)
        BREACH(event, D_269,
               "PageFaultFlags is 0x%x: no packet is named, and nothing is to be reset", flags);
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
    if (vidmm_shadow_fence(event->shadow, ordinal, fence) == VIDMM_FENCE_IN_FLIGHT)
        return; /* complete by this report */
    if (node->has_reported && fence != node->reported)
        BREACH(event, D_367, "LastCompletedFenceId of node %u is 0x%x; 0x%x was reported", ordinal,
               fence, node->reported);
    else if (!node->has_reported && node->was_reset && fence != node->settled)
        BREACH(event, D_367,
               "LastCompletedFenceId of node %u is 0x%x; the reset advanced it to 0x%x", ordinal,
               fence, node->settled);
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

/* There is nothing that the hardware could be waited for. */
CHECKER(D_365)
{
    const DXGKARG_PREEMPTCOMMAND *asked = VIDMM_EVENT_ARGUMENT(event, DXGKARG_PREEMPTCOMMAND);

    if (event->record->returned && event->idle_node && NT_SUCCESS(event->record->status) &&
        event->shadow->nodes[asked->NodeOrdinal].preempted != asked->PreemptionFenceId)
        BREACH(event, D_365, "node %u had reported all, and preemption 0x%x is not reported",
               asked->NodeOrdinal, asked->PreemptionFenceId);
}

static bool is_of_dma(DXGK_INTERRUPT_TYPE type)
{
    return type == DXGK_INTERRUPT_DMA_COMPLETED || type == DXGK_INTERRUPT_DMA_PREEMPTED ||
           type == DXGK_INTERRUPT_DMA_FAULTED || type == DXGK_INTERRUPT_DMA_PAGE_FAULTED;
}

CHECKER(D_351)
{
    const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data =
        VIDMM_EVENT_ARGUMENT(event, DXGKARGCB_NOTIFY_INTERRUPT_DATA);

    if (event->record->run != 0 && event->record->run == event->shadow->run &&
        event->shadow->display != 0 && is_of_dma(data->InterruptType))
        BREACH(event, D_351,
               "interrupt type %d behind type %d, in one run of the interrupt routine",
               (int)data->InterruptType, (int)event->shadow->display);
}

CHECKER(D_352)
{
    const struct vidmm_ddi_call *call = vidmm_ddi_call(event->record->ddi);

    if (!event->record->returned && event->record->run != 0 && call->callback &&
        event->record->ddi != VIDMM_DDI_NOTIFY_INTERRUPT &&
        event->record->ddi != VIDMM_DDI_QUEUE_DPC)
        BREACH(event, D_352, "the interrupt routine calls %s", call->name);
}

CHECKER(D_360)
{
    const struct vidmm_ddi_control_interrupt *control =
        VIDMM_EVENT_ARGUMENT(event, struct vidmm_ddi_control_interrupt);

    if (event->record->returned && control->InterruptType != DXGK_INTERRUPT_CRTC_VSYNC &&
        event->record->status != STATUS_NOT_IMPLEMENTED)
        BREACH(event, D_360, "it answered 0x%x for interrupt type %d",
               (unsigned)event->record->status, control->InterruptType);
}
