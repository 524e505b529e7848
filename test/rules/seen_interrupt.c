/* seen_interrupt.c: interrupt.def broken, and answered. */
#include "flag_words.h"
#include "rules_rig.h"

#include <vidmm/host.h>

static struct shown shown;
static DXGKRNL_INTERFACE kernel;
static PDXGKDDI_START_DEVICE start_device;
static DXGKDDI_SUBMITCOMMAND *submit_command;
static ULONG has_sources;  /* whether the driver has sources and children */
static bool faults;        /* ... its next paging packet has faulted */
static unsigned links;     /* GPUs of its link; 0: there is none */
static NTSTATUS condition; /* of the adapter, after the report */
static char stopped_for[400];

static NTSTATUS start_and_keep(void *context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *interface,
                               ULONG *sources, ULONG *children)
{
    NTSTATUS status = start_device(context, info, interface, sources, children);

    kernel = *interface;
    *sources = has_sources;
    return status;
}

static BOOLEAN notify(PVOID data)
{
    kernel.DxgkCbNotifyInterrupt(kernel.DeviceHandle, data);
    return TRUE;
}

static NTSTATUS submit_and_fault(HANDLE adapter, const DXGKARG_SUBMITCOMMAND *arguments)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;
    BOOLEAN answer;

    if (faults && arguments->Flags.Paging) {
        faults = false;
        memset(&data, 0, sizeof(data));
        data.InterruptType = DXGK_INTERRUPT_DMA_FAULTED;
        data.DmaFaulted.FaultedFenceId = arguments->SubmissionFenceId;
        data.DmaFaulted.NodeOrdinal = arguments->NodeOrdinal;
        kernel.DxgkCbSynchronizeExecution(kernel.DeviceHandle, notify, &data, 0, &answer);
    }
    return submit_command(adapter, arguments);
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    start_device = driver->DxgkDdiStartDevice;
    submit_command = driver->DxgkDdiSubmitCommand;
    driver->DxgkDdiStartDevice = start_and_keep;
    driver->DxgkDdiSubmitCommand = submit_and_fault;
}

/* The driver reports this, at the level of the device or of whoever runs; how often the rule was
 * seen broken. The auditor may find more: it is not asked. */
static uint64_t report(const char *rule, DXGKARGCB_NOTIFY_INTERRUPT_DATA data, bool at_level)
{
    struct rig_allocation *one[] = {&shown.rig.allocations[0]};
    struct rig_options options = rig_defaults();
    bool later = faults; /* not what is paged at the start */
    BOOLEAN answer;
    uint64_t findings;

    faults = false;
    options.links = links;
    options.sets = links > 1 ? 2 : 0;
    shown_init(&shown, &options, bend);
    if (later) {
        faults = true;
        assert_int_equal(rig_create(&shown.rig, one[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
        assert_int_equal(rig_render(&shown.rig, one, 1, 1), STATUS_SUCCESS);
    } else {
        rig_work(&shown.rig, 2, 30);
    }
    shown_settle(&shown);
    if (data.InterruptType != 0 && at_level)
        assert_int_equal(
            kernel.DxgkCbSynchronizeExecution(kernel.DeviceHandle, notify, &data, 0, &answer),
            STATUS_SUCCESS);
    else if (data.InterruptType != 0)
        notify(&data);
    kernel.DxgkCbQueueDpc(kernel.DeviceHandle);
    shown_settle(&shown);
    condition = vidmm_adapter_condition(shown.rig.adapter, &shown.rig.report);
    snprintf(stopped_for, sizeof(stopped_for), "%s", shown.rig.report.text);
    findings = shown_findings(&shown, rule);
    shown_end(&shown);
    return findings;
}

/* Windows would stop: the adapter has, and says why. */
static void assert_stopped(const char *why)
{
    assert_int_not_equal(condition, STATUS_SUCCESS);
    assert_non_null(strstr(stopped_for, why));
}

static DXGKARGCB_NOTIFY_INTERRUPT_DATA of_type(DXGK_INTERRUPT_TYPE type)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;

    memset(&data, 0, sizeof(data));
    data.InterruptType = type;
    return data;
}

/* Run with this driver; how often the rule was seen broken. The auditor is not asked. */
static uint64_t run_with(const char *rule, const char *gpu)
{
    struct rig_options options = rig_defaults();
    uint64_t findings;

    options.gpu = gpu;
    shown_init(&shown, &options, bend);
    assert_int_equal(rig_create(&shown.rig, &shown.rig.allocations[0], 5000, 2, CPU_VISIBLE),
                     STATUS_SUCCESS);
    shown_use_one(&shown, &shown.rig.allocations[0], true);
    findings = shown_findings(&shown, rule);
    rig_read(&shown.rig); /* it has gone on */
    rig_stop(&shown.rig);
    shown_end(&shown);
    return findings;
}

#define NOTHING ((DXGKARGCB_NOTIFY_INTERRUPT_DATA){.InterruptType = 0})

void breaks_D_348(void **state)
{
    (void)state;
    assert_int_equal(report("D-348", of_type(DXGK_INTERRUPT_DMA_FAULTED), false), 1);
}

void keeps_D_348(void **state)
{
    (void)state;
    assert_int_equal(report("D-348", of_type(DXGK_INTERRUPT_DMA_FAULTED), true), 0);
    assert_int_equal(report("D-348", NOTHING, true), 0);
}

void breaks_D_358(void **state)
{
    (void)state;
    assert_int_equal(report("D-358", of_type(DXGK_INTERRUPT_DMA_FAULTED), true), 1);
    assert_int_equal(condition, STATUS_SUCCESS); /* no packet is meant */
    faults = true;
    assert_int_equal(report("D-358", NOTHING, true), 1); /* in the course of the work */
    assert_stopped("0x119, 5");
}

void keeps_D_358(void **state)
{
    (void)state;
    assert_int_equal(report("D-358", NOTHING, true), 0);
}

static const DXGK_INTERRUPT_TYPE of_display[] = {
    DXGK_INTERRUPT_CRTC_VSYNC, DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY,
    DXGK_INTERRUPT_DISPLAYONLY_VSYNC /* has no mask */};
enum { OF_DISPLAY = sizeof(of_display) / sizeof(of_display[0]) };

/* With this mask, said to be valid. */
static DXGKARGCB_NOTIFY_INTERRUPT_DATA of_gpus(DXGK_INTERRUPT_TYPE type, UINT mask)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = of_type(type);

    data.Flags.ValidPhysicalAdapterMask = 1;
    if (type == DXGK_INTERRUPT_CRTC_VSYNC)
        data.CrtcVsync.PhysicalAdapterMask = mask;
    if (type == DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY)
        data.CrtcVsyncWithMultiPlaneOverlay.PhysicalAdapterMask = mask;
    return data;
}

void breaks_D_359(void **state)
{
    (void)state;
    has_sources = 0;
    for (unsigned i = 0; i < OF_DISPLAY; i++) {
        assert_int_equal(report("D-359", of_type(of_display[i]), true), 1);
        assert_stopped("0x119, 7");
    }
    has_sources = 1;
    links = 2;
    for (unsigned i = 0; i < OF_DISPLAY - 1; i++) {
        DXGKARGCB_NOTIFY_INTERRUPT_DATA unsaid = of_gpus(of_display[i], 1);

        unsaid.Flags.ValidPhysicalAdapterMask = 0;
        assert_int_equal(report("D-359", unsaid, true), 1);
        assert_stopped("0x119, 6");
        assert_int_equal(report("D-359", of_gpus(of_display[i], 0), true), 1); /* of none */
        assert_stopped("0x119, 6");
    }
    has_sources = links = 0;
}

void keeps_D_359(void **state)
{
    (void)state;
    has_sources = 1;
    for (unsigned i = 0; i < OF_DISPLAY; i++) {
        links = 0;
        assert_int_equal(report("D-359", of_type(of_display[i]), true), 0);
        assert_int_equal(condition, STATUS_SUCCESS);
        links = 2;
        assert_int_equal(report("D-359", of_gpus(of_display[i], 1), true), 0);
        assert_int_equal(condition, STATUS_SUCCESS);
    }
    has_sources = links = 0;
}

/* ---- once at a time, by one message ---- */

static uint8_t (*real_irql)(void *context);
static bool interrupts_itself;

/* Asked for its level by the manager, another processor is interrupted too, and reports. */
static uint8_t irql_of_two(void *context)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = of_type(DXGK_INTERRUPT_CRTC_VSYNC);

    if (interrupts_itself) {
        interrupts_itself = false;
        kernel.DxgkCbNotifyInterrupt(kernel.DeviceHandle, &data);
    }
    return real_irql(context);
}

static void change_message(DXGK_DRIVERCAPS *caps)
{
    caps->InterruptMessageNumber = 3;
}

static void bend_message(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend.caps = change_message;
    shown_bend_caps(driver);
}

void breaks_D_349(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_host host;
    BOOLEAN answer;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = of_type(DXGK_INTERRUPT_CRTC_VSYNC);

    (void)state;
    shown_build(&shown, &options, bend);
    host = *vidmm_slot_host(shown.rig.slot);
    real_irql = host.current_irql;
    host.current_irql = irql_of_two;
    interrupts_itself = false;
    assert_int_equal(vidmm_adapter_start(&host, &shown.rig.driver, &shown.rig,
                                         &shown.rig.options.adapter, &shown.rig.adapter,
                                         &shown.rig.report),
                     STATUS_SUCCESS);
    interrupts_itself = true;
    assert_int_equal(
        kernel.DxgkCbSynchronizeExecution(kernel.DeviceHandle, notify, &data, 0, &answer),
        STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, "D-349"), 1);
    rig_stop(&shown.rig);
    shown_end(&shown);

    shown_init(&shown, &options, bend_message);
    assert_true(shown_findings(&shown, "D-349") > 0); /* by message 0 */
    shown_bend.caps = NULL;
    shown_finish(&shown);
}

void keeps_D_349(void **state)
{
    (void)state;
    assert_int_equal(report("D-349", NOTHING, true), 0);
}

/* ---- a DPC for each report ---- */

void breaks_D_350(void **state)
{
    (void)state;
    assert_true(run_with("D-350", "broken no_dpc\n") > 0);
    assert_true(run_with("D-350", "broken no_notify_dpc\n") > 0);
}

void keeps_D_350(void **state)
{
    (void)state;
    assert_int_equal(run_with("D-350", NULL), 0);
    assert_int_equal(run_with("D-350", "interrupts late\n"), 0);
    assert_int_equal(run_with("D-350", "habit immediate\n"), 0);
}

/* ---- node and engine ---- */

static DXGKARGCB_NOTIFY_INTERRUPT_DATA completed(UINT node, UINT engine)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = of_type(DXGK_INTERRUPT_DMA_COMPLETED);

    data.DmaCompleted.NodeOrdinal = node;
    data.DmaCompleted.EngineOrdinal = engine;
    return data;
}

static DXGKARGCB_NOTIFY_INTERRUPT_DATA preempted(UINT node, UINT engine)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = of_type(DXGK_INTERRUPT_DMA_PREEMPTED);

    data.DmaPreempted.NodeOrdinal = node;
    data.DmaPreempted.EngineOrdinal = engine;
    return data;
}

void breaks_D_356(void **state)
{
    (void)state;
    assert_int_equal(report("D-356", completed(0, 1), true), 1);
    assert_int_equal(report("D-356", completed(2, 0), true), 1);
    assert_int_equal(report("D-356", preempted(0, 1), true), 1);
    assert_int_equal(report("D-356", preempted(2, 0), true), 1);
    links = 2;
    assert_int_equal(report("D-356", completed(0, 2), true), 1);
    assert_int_equal(report("D-356", preempted(0, 2), true), 1);
    links = 0;
}

void keeps_D_356(void **state)
{
    (void)state;
    assert_int_equal(report("D-356", completed(0, 0), true), 0);
    assert_int_equal(report("D-356", completed(1, 0), true), 0);
    assert_int_equal(report("D-356", preempted(1, 0), true), 0);
    links = 2;
    assert_int_equal(report("D-356", completed(0, 1), true), 0);
    assert_int_equal(report("D-356", preempted(0, 1), true), 0);
    links = 0;
}
