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

static void query_fence(struct rig *rig, UINT fence)
{
    DXGKARG_QUERYCURRENTFENCE query = {.NodeOrdinal = RIG_RENDER_NODE};

    rig->current_fence = fence;
    rig->driver->DxgkDdiQueryCurrentFence(rig->adapter, &query);
}

void breaks_D_362(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    query_fence(rig, rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE));
}

/* Reported before, or not finished yet. */
void keeps_D_362(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    UINT fence;

    rig_page_in(rig, allocation, 0);
    fence = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    rig_complete(rig, RIG_RENDER_NODE, fence);
    query_fence(rig, fence);
    rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    query_fence(rig, fence);
}

/* Two are complete, a third is in flight. */
static void run_three(struct rig *rig, UINT *fences)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    for (unsigned i = 0; i < 3; i++) {
        fences[i] = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
        if (i < 2)
            rig_complete(rig, RIG_RENDER_NODE, fences[i]);
    }
}

void breaks_D_367(struct rig *rig)
{
    UINT fences[3];

    run_three(rig, fences);
    rig_preempted(rig, RIG_RENDER_NODE, fences[0]); /* it went back */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_367), 1);
    rig_preempted(rig, RIG_RENDER_NODE, fences[2] + 1); /* never submitted */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_367), 2);
}

void keeps_D_367(struct rig *rig)
{
    UINT fences[3];

    run_three(rig, fences);
    rig_preempted(rig, RIG_RENDER_NODE, fences[1]); /* the newest that was reported */
    run_three(rig, fences);
    rig_preempted(rig, RIG_RENDER_NODE, fences[2]); /* by this report */
    rig_preempted(rig, RIG_RENDER_NODE, fences[2]);
}

static void reset_with(struct rig *rig, UINT fence)
{
    DXGKARG_RESETENGINE reset = {.NodeOrdinal = RIG_RENDER_NODE};

    rig->current_fence = fence;
    assert_int_equal(rig->driver->DxgkDdiResetEngine(rig->adapter, &reset), STATUS_SUCCESS);
}

void breaks_D_369(struct rig *rig)
{
    UINT fences[3];

    run_three(rig, fences);
    rig_complete(rig, RIG_RENDER_NODE, fences[2]);
    reset_with(rig, fences[2] + 1);
}

void keeps_D_369(struct rig *rig)
{
    UINT fences[3];

    run_three(rig, fences);
    reset_with(rig, fences[2]); /* it was in the queue */
    run_three(rig, fences);
    rig_complete(rig, RIG_RENDER_NODE, fences[2]);
    reset_with(rig, fences[2]);
    reset_with(rig, 0); /* nothing was complete since */
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
