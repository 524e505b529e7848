/* check_fill.c: the rules of fill.def. */
#include <wddm/ntstatus.h>

#include "contract/checker.h"

static bool is_operation(const struct vidmm_audit_event *event,
                         DXGK_BUILDPAGINGBUFFER_OPERATION operation, bool returned)
{
    return event->record->returned == returned && event->build.asked->Operation == operation;
}

/* Earlier paging operations on it are no use: they run before, on the same node. */
CHECKER(S4_029)
{
    const struct vidmm_shadow_allocation *allocation = event->build.allocation;
    unsigned node;

    if (!is_operation(event, DXGK_OPERATION_FILL, false) || allocation == NULL)
        return;
    node = vidmm_shadow_busy_node(event->shadow, allocation, VIDMM_SHADOW_NODES);
    if (node != VIDMM_SHADOW_NODES)
        BREACH(event, S4_029, "node %u has not completed a DMA buffer that references it", node);
}

CHECKER(S4_030)
{
    unsigned id = event->build.destination.segment;

    if (!is_operation(event, DXGK_OPERATION_FILL, false))
        return;
    if (vidmm_shadow_is_aperture(event->shadow, id))
        BREACH(event, S4_030, "segment %u is an aperture", id);
    else if (vidmm_shadow_segment(event->shadow, id) == NULL)
        BREACH(event, S4_030, "segment %u is no memory segment", id);
}

CHECKER(S4_032)
{
    if (is_operation(event, DXGK_OPERATION_DISCARD_CONTENT, true) && event->build.idle &&
        event->record->status == STATUS_GRAPHICS_ALLOCATION_BUSY)
        BREACH(event, S4_032, "it answered busy, with AllocationIsIdle set");
}

CHECKER(S4_033)
{
    const struct vidmm_shadow_build *build = &event->build;
    char who[160];

    if (!is_operation(event, DXGK_OPERATION_DISCARD_CONTENT, false))
        return;
    if (build->repeats && build->before.answer == STATUS_GRAPHICS_ALLOCATION_BUSY && !build->idle)
        BREACH(event, S4_033, "asked for again without AllocationIsIdle");
    if (build->idle && vidmm_shadow_referenced(event->shadow, build, who, sizeof who))
        BREACH(event, S4_033, "AllocationIsIdle is set, but it is referenced by %s", who);
}
