/* rules_interrupt.c: the rules of interrupt.def, broken and kept. */
#include "rig.h"

void breaks_D_083(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    UINT fence;

    rig_page_in(rig, allocation, 0);
    fence = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    rig_complete(rig, RIG_RENDER_NODE, fence);
    rig_complete(rig, RIG_RENDER_NODE, fence);
}

/* The ids wrap meanwhile: they begin shortly below. One report may stand for several. */
void keeps_D_083(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    for (int i = 0; i < 40; i++) {
        UINT fence = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
        if (i % 3 == 2)
            rig_complete(rig, RIG_RENDER_NODE, fence);
    }
    assert_true(rig->fence < 0x1000);
}

void breaks_D_357(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    UINT fence;

    rig_page_in(rig, allocation, 0);
    fence = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    rig_complete(rig, RIG_RENDER_NODE, fence + 1);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_357), 1);
    rig_complete(rig, RIG_PAGING_NODE, fence); /* the other node's */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_357), 2);
    rig_complete(rig, 5000, fence); /* no node at all */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_357), 3);
}

void keeps_D_357(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    rig_complete(rig, RIG_RENDER_NODE, rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE));
}

static void preempt(struct rig *rig, NTSTATUS status)
{
    DXGKARG_PREEMPTCOMMAND preempt = {.NodeOrdinal = RIG_RENDER_NODE};

    rig_irql = VIDMM_IRQL_DISPATCH;
    rig->status = status;
    assert_int_equal(rig->driver->DxgkDdiPreemptCommand(rig->adapter, &preempt), status);
    rig->status = STATUS_SUCCESS;
    rig_irql = VIDMM_IRQL_PASSIVE;
}

void breaks_D_364(struct rig *rig)
{
    preempt(rig, STATUS_INVALID_PARAMETER);
}

void keeps_D_364(struct rig *rig)
{
    preempt(rig, STATUS_SUCCESS);
}
