/* rules_interrupt.c: the rules of interrupt.def, broken and kept. */
#include "rig_virtual.h"

#include "wddm/call.h"

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
    UINT fence = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);

    query_fence(rig, fence);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_362), 1);
    rig_complete(rig, RIG_RENDER_NODE, fence);
    rig->reports_fence = true; /* once more, from inside the call: nothing newer */
    rig_allow(rig, VIDMM_RULE_D_083);
    query_fence(rig, fence);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_083), 1);
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

static void page_fault(struct rig *rig, UINT fence, UINT flags)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {.InterruptType = DXGK_INTERRUPT_DMA_PAGE_FAULTED};

    data.DmaPageFaulted.FaultedFenceId = fence;
    data.DmaPageFaulted.PageFaultFlags = (DXGK_PAGE_FAULT_FLAGS)flags;
    data.DmaPageFaulted.NodeOrdinal = RIG_RENDER_NODE;
    rig->seen.DxgkCbNotifyInterrupt(rig->seen.DeviceHandle, &data);
}

static void run_three_virtual(struct rig *rig, UINT *fences)
{
    rig_set_root(rig, rig->context, RIG_TABLES);
    for (unsigned i = 0; i < 3; i++)
        fences[i] = rig_run_virtual(rig, rig->context);
}

/* No packet is named, and nothing is to be reset. */
void breaks_D_269(struct rig *rig)
{
    UINT fences[3];

    run_three_virtual(rig, fences);
    page_fault(rig, 0, DXGK_PAGE_FAULT_FENCE_INVALID);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_269), 1);
    page_fault(rig, 0, DXGK_PAGE_FAULT_FENCE_INVALID | DXGK_PAGE_FAULT_WRITE);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_269), 2);
}

/* The packets up to the one that is named are complete, that one too unless something is reset for
 * it; who asks for the fence is told nothing new then. */
void keeps_D_269(struct rig *rig)
{
    static const UINT resets[] = {DXGK_PAGE_FAULT_ADAPTER_RESET_REQUIRED,
                                  DXGK_PAGE_FAULT_ENGINE_RESET_REQUIRED,
                                  DXGK_PAGE_FAULT_FATAL_HARDWARE_ERROR};
    UINT fences[3];

    run_three_virtual(rig, fences);
    page_fault(rig, fences[1], DXGK_PAGE_FAULT_WRITE);
    query_fence(rig, fences[1]);
    query_fence(rig, fences[0]);
    rig_complete(rig, RIG_RENDER_NODE, fences[2]);
    for (unsigned i = 0; i < 3; i++)
        page_fault(rig, 0, DXGK_PAGE_FAULT_FENCE_INVALID | resets[i]);
    fences[0] = rig_run_virtual(rig, rig->context);
    fences[1] = rig_run_virtual(rig, rig->context);
    page_fault(rig, fences[1], DXGK_PAGE_FAULT_ENGINE_RESET_REQUIRED);
    query_fence(rig, fences[0]);
    rig_complete(rig, RIG_RENDER_NODE, fences[1]); /* it is not, until it is reset */
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

/* All of the node goes, by one call or the other. */
static void reset_adapter(struct rig *rig)
{
    rig->driver->DxgkDdiResetFromTimeout(rig->adapter);
    rig->driver->DxgkDdiRestartFromTimeout(rig->adapter);
}

static void reset_with(struct rig *rig, UINT fence)
{
    DXGKARG_RESETENGINE reset = {.NodeOrdinal = RIG_RENDER_NODE};

    rig->current_fence = fence;
    assert_int_equal(rig->driver->DxgkDdiResetEngine(rig->adapter, &reset), STATUS_SUCCESS);
}

void breaks_D_367(struct rig *rig)
{
    UINT fences[3];

    run_three(rig, fences);
    rig_preempted(rig, RIG_RENDER_NODE, fences[0]); /* it went back */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_367), 1);
    rig_preempted(rig, RIG_RENDER_NODE, fences[2] + 1); /* never submitted */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_367), 2);
    run_three(rig, fences);
    reset_with(rig, fences[2]);
    rig_preempted(rig, RIG_RENDER_NODE, fences[1]); /* as if there had been no reset */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_367), 3);
    run_three(rig, fences);
    reset_adapter(rig);
    rig_preempted(rig, RIG_RENDER_NODE, fences[1]);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_367), 4);
}

void keeps_D_367(struct rig *rig)
{
    UINT fences[3];

    run_three(rig, fences);
    rig_preempted(rig, RIG_RENDER_NODE, fences[1]); /* the newest that was reported */
    run_three(rig, fences);
    rig_preempted(rig, RIG_RENDER_NODE, fences[2]); /* by this report */
    rig_preempted(rig, RIG_RENDER_NODE, fences[2]);
    run_three(rig, fences);
    reset_with(rig, fences[2]);
    rig_preempted(rig, RIG_RENDER_NODE, fences[2]);
    run_three(rig, fences);
    reset_adapter(rig);
    rig_preempted(rig, RIG_RENDER_NODE, fences[2]);
    rig_preempted(rig, RIG_RENDER_NODE, fences[2]); /* and again: nothing was complete since */
}

void breaks_D_369(struct rig *rig)
{
    UINT fences[3];

    run_three(rig, fences);
    rig_complete(rig, RIG_RENDER_NODE, fences[2]);
    reset_with(rig, fences[2] + 1);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_369), 1);
    run_three(rig, fences);
    rig_allow(rig, VIDMM_RULE_D_083);
    reset_with(rig, fences[1]);                    /* the third was in the queue, */
    rig_complete(rig, RIG_RENDER_NODE, fences[2]); /* and is there yet */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_083), 1);
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

/* ---- Preemption of what is idle ---- */

static void preempt_as(struct rig *rig, UINT fence)
{
    DXGKARG_PREEMPTCOMMAND preempt = {.NodeOrdinal = RIG_RENDER_NODE, .PreemptionFenceId = fence};

    rig_irql = VIDMM_IRQL_DISPATCH;
    assert_int_equal(rig->driver->DxgkDdiPreemptCommand(rig->adapter, &preempt), STATUS_SUCCESS);
    rig_irql = VIDMM_IRQL_PASSIVE;
}

void breaks_D_365(struct rig *rig)
{
    UINT fences[3];

    preempt_as(rig, 5); /* nothing was ever submitted */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_365), 1);
    run_three(rig, fences);
    rig_complete(rig, RIG_RENDER_NODE, fences[2]);
    preempt_as(rig, 6);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_365), 2);
}

/* Reported at once where the node is idle; later where it is not, and where only what was preempted
 * before stands in its queue. */
void keeps_D_365(struct rig *rig)
{
    UINT fences[3];

    run_three(rig, fences);
    preempt_as(rig, 5);
    rig_complete(rig, RIG_RENDER_NODE, fences[2]);
    rig->reports_preemption = true;
    rig->current_fence = fences[2];
    preempt_as(rig, 6);
    preempt_as(rig, 7);
}

/* ---- The interrupt routine ---- */

static UINT reported;

static void report_display(struct rig *rig, DXGK_INTERRUPT_TYPE type)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {.InterruptType = type};

    rig->seen.DxgkCbNotifyInterrupt(rig->seen.DeviceHandle, &data);
}

static void display_first(struct rig *rig)
{
    report_display(rig, DXGK_INTERRUPT_CRTC_VSYNC);
    rig_complete(rig, RIG_RENDER_NODE, reported);
}

static void display_first_by_overlay(struct rig *rig)
{
    report_display(rig, DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY);
    rig_preempted(rig, RIG_RENDER_NODE, reported);
}

static void display_last(struct rig *rig)
{
    rig_complete(rig, RIG_RENDER_NODE, reported);
    report_display(rig, DXGK_INTERRUPT_CRTC_VSYNC);
    rig->seen.DxgkCbQueueDpc(rig->seen.DeviceHandle);
}

static void display_alone(struct rig *rig)
{
    report_display(rig, DXGK_INTERRUPT_CRTC_VSYNC);
}

static void interrupt(struct rig *rig, void (*routine)(struct rig *rig))
{
    rig->in_interrupt_routine = routine;
    rig_irql = VIDMM_IRQL_DEVICE;
    rig->driver->DxgkDdiInterruptRoutine(rig->adapter, 0);
    rig_irql = VIDMM_IRQL_PASSIVE;
}

void breaks_D_351(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    reported = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    interrupt(rig, display_first);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_351), 1);
    interrupt(rig, display_first_by_overlay);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_351), 2);
}

/* In order in one run; and one run after the other. */
void keeps_D_351(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    reported = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    interrupt(rig, display_last);
    interrupt(rig, display_alone);
    reported = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    interrupt(rig, display_last);
    interrupt(rig, display_alone);
    rig_complete(rig, RIG_RENDER_NODE, rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE));
}

static void read_configuration(struct rig *rig)
{
    ULONG read;

    rig->seen.DxgkCbReadDeviceSpace(rig->seen.DeviceHandle, 0, NULL, 0, 4, &read);
}

static void ask_for_handle(struct rig *rig)
{
    DXGKARGCB_GETHANDLEDATA question = {.hObject = 1, .Type = DXGK_HANDLE_ALLOCATION};

    rig->seen.DxgkCbGetHandleData(&question);
}

static void notify_dpc(struct rig *rig)
{
    rig->seen.DxgkCbNotifyDpc(rig->seen.DeviceHandle);
}

void breaks_D_352(struct rig *rig)
{
    static void (*const routines[])(struct rig * rig) = {read_configuration, ask_for_handle,
                                                         notify_dpc};

    for (unsigned i = 0; i < 3; i++) {
        interrupt(rig, routines[i]);
        rig_simple(rig); /* notices are judged at the next call */
        assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_352), i + 1);
    }
}

/* The two callbacks inside, and others outside of it. */
void keeps_D_352(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    reported = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    interrupt(rig, display_last);
    read_configuration(rig);
    ask_for_handle(rig);
    notify_dpc(rig);
}

static void control(struct rig *rig, DXGK_INTERRUPT_TYPE type, NTSTATUS status)
{
    rig->status = status;
    assert_int_equal(rig->driver->DxgkDdiControlInterrupt(rig->adapter, type, TRUE), status);
    rig->status = STATUS_SUCCESS;
}

void breaks_D_360(struct rig *rig)
{
    control(rig, DXGK_INTERRUPT_DMA_COMPLETED, STATUS_SUCCESS);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_360), 1);
    control(rig, DXGK_INTERRUPT_DISPLAYONLY_VSYNC, STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_360), 2);
}

void keeps_D_360(struct rig *rig)
{
    control(rig, DXGK_INTERRUPT_CRTC_VSYNC, STATUS_SUCCESS);
    control(rig, DXGK_INTERRUPT_DMA_COMPLETED, STATUS_NOT_IMPLEMENTED);
    control(rig, DXGK_INTERRUPT_DMA_PREEMPTED, STATUS_NOT_IMPLEMENTED);
}
