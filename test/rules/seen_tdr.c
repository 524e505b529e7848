/* seen_tdr.c: tdr.def broken, and answered. */
#include "flag_words.h"
#include "hang.h"

static struct shown shown;

/* The engine hangs, and the driver takes part in it so: the adapter stops, with this number. */
static void stops_bent(const char *gpu, void (*bend)(DRIVER_INITIALIZATION_DATA *driver),
                       const char *number)
{
    struct rig_options options = hang_options(gpu);

    shown_init(&shown, &options, bend);
    hang_render(&shown);
    assert_int_not_equal(vidmm_adapter_condition(shown.rig.adapter, &shown.rig.report),
                         STATUS_SUCCESS);
    assert_non_null(strstr(shown.rig.report.text, number));
    assert_int_equal(vidmm_device_condition(shown.rig.device, NULL), STATUS_DEVICE_REMOVED);
    rig_stop(&shown.rig);
    shown_end(&shown);
}

static void stops(const char *gpu, const char *number)
{
    stops_bent(gpu, NULL, number);
}

/* Or it goes on, the device alone with this status. */
static void goes_on(const char *gpu, NTSTATUS status)
{
    struct rig_options options = hang_options(gpu);

    shown_init(&shown, &options, NULL);
    hang_render(&shown);
    assert_int_equal(vidmm_adapter_condition(shown.rig.adapter, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_device_condition(shown.rig.device, NULL), status);
    hang_finish(&shown);
}

static DXGKDDI_RESETENGINE *reset_engine;
static int fence_shift;

static NTSTATUS reset_shifted(HANDLE adapter, DXGKARG_RESETENGINE *arguments)
{
    NTSTATUS status = reset_engine(adapter, arguments);

    arguments->LastAbortedFenceId += (UINT)fence_shift;
    return status;
}

static void bend_engine(DRIVER_INITIALIZATION_DATA *driver)
{
    reset_engine = driver->DxgkDdiResetEngine;
    driver->DxgkDdiResetEngine = reset_shifted;
}

/* The second of two DMA buffers hangs, and their fences follow each other. Whether an answer so far
 * from the fence of that one stops the adapter. */
static bool is_stopped_by(int shift)
{
    struct rig_options options = hang_options("hang 0 2\nengine_reset on\n");
    struct rig_allocation *one[] = {&shown.rig.allocations[0]};
    bool stopped;

    fence_shift = shift;
    shown_init(&shown, &options, bend_engine);
    assert_int_equal(rig_create(&shown.rig, one[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(rig_render(&shown.rig, one, 1, 1), STATUS_SUCCESS);
        vidmm_context_wait(shown.rig.context, shown.rig.value);
        shown_settle(&shown);
    }
    stopped = vidmm_adapter_condition(shown.rig.adapter, &shown.rig.report) != STATUS_SUCCESS;
    assert_int_equal(stopped, strstr(shown.rig.report.text, "0x119, 0xa") != NULL);
    rig_stop(&shown.rig);
    shown_end(&shown);
    return stopped;
}

void breaks_D_243(void **state)
{
    (void)state;
    stops("hang 0 1\nengine_reset on\nrecovery aborted_fence\n", "0x119, 0xa");
    assert_true(is_stopped_by(1));  /* behind what was submitted last */
    assert_true(is_stopped_by(-2)); /* before what was completed last */
}

/* A paging packet is hit: the adapter is reset, and its owner is in error. */
static void paging_is_promoted(void)
{
    struct rig_options options = hang_options("engine_reset on\n");
    char gpu[64];

    shown_init(&shown, &options, NULL);
    snprintf(gpu, sizeof(gpu), "engine_reset on\nhang 1 %u\n", /* the copy engine */
             (unsigned)shown_count(&shown, 0, VIDMM_DDI_SUBMIT_COMMAND) + 1);
    hang_finish(&shown);
    options.gpu = gpu;
    shown_init(&shown, &options, NULL);
    hang_render(&shown);
    assert_true(shown_count(&shown, 0, VIDMM_DDI_RESET_FROM_TIMEOUT) == 1);
    assert_int_equal(vidmm_adapter_condition(shown.rig.adapter, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_device_condition(shown.rig.device, NULL), STATUS_DEVICE_REMOVED);
    hang_finish(&shown);
}

void keeps_D_243(void **state)
{
    (void)state;
    goes_on("hang 0 1\nengine_reset on\n", STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    assert_false(is_stopped_by(0)); /* the newest submission */
    paging_is_promoted();
}

static NTSTATUS group_failing(HANDLE adapter, DXGKARG_QUERYDEPENDENTENGINEGROUP *arguments)
{
    (void)adapter;
    arguments->DependentNodeOrdinalMask = 1ull << arguments->NodeOrdinal;
    return STATUS_UNSUCCESSFUL;
}

static void bend_group(DRIVER_INITIALIZATION_DATA *driver)
{
    driver->DxgkDdiQueryDependentEngineGroup = group_failing;
}

void breaks_D_373(void **state)
{
    (void)state;
    stops("hang 0 1\nengine_reset on\nrecovery group_empty\n", "0x119, 8");
    stops_bent("hang 0 1\nengine_reset on\n", bend_group, "0x119, 8");
}

void keeps_D_373(void **state)
{
    (void)state;
    goes_on("hang 0 1\nengine_reset on\nrecovery group_all\n",
            STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
}

static NTSTATUS restart_failing(HANDLE adapter)
{
    (void)adapter;
    return STATUS_UNSUCCESSFUL;
}

static void bend_restart(DRIVER_INITIALIZATION_DATA *driver)
{
    driver->DxgkDdiRestartFromTimeout = restart_failing;
}

void breaks_D_374(void **state)
{
    (void)state;
    stops("hang 0 1\nrecovery reset_fails\n", "0x116");
    stops_bent("hang 0 1\n", bend_restart, "0x116");
}

void keeps_D_374(void **state)
{
    (void)state;
    goes_on("hang 0 1\n", STATUS_DEVICE_REMOVED);
}

/* ---- silence after a reset ---- */

static DXGKRNL_INTERFACE kernel;
static DXGKDDI_START_DEVICE *start_device;
static DXGKDDI_RESETFROMTIMEOUT *reset_from_timeout;
static DXGKDDI_RESTARTFROMTIMEOUT *restart_from_timeout;
static DXGKDDI_BUILDPAGINGBUFFER *build_paging_buffer;
static bool has_reset, speaks_early;

static NTSTATUS start_and_keep(PVOID context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *interface,
                               PULONG sources, PULONG children)
{
    kernel = *interface;
    return start_device(context, info, interface, sources, children);
}

static NTSTATUS reset_and_say_so(HANDLE adapter)
{
    has_reset = true;
    return reset_from_timeout(adapter);
}

static NTSTATUS restart_and_say_so(HANDLE adapter)
{
    has_reset = false;
    return restart_from_timeout(adapter);
}

/* Node 0 reports fence 1, which it has completed long ago. */
static BOOLEAN report_on_node_0(PVOID context)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;

    (void)context;
    memset(&data, 0, sizeof(data));
    data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
    data.DmaCompleted.SubmissionFenceId = 1;
    kernel.DxgkCbNotifyInterrupt(kernel.DeviceHandle, &data);
    kernel.DxgkCbQueueDpc(kernel.DeviceHandle);
    return TRUE;
}

static void speak(void)
{
    BOOLEAN answer;

    assert_int_equal(
        kernel.DxgkCbSynchronizeExecution(kernel.DeviceHandle, report_on_node_0, NULL, 0, &answer),
        STATUS_SUCCESS);
}

static NTSTATUS build_and_speak(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    if (has_reset && speaks_early) {
        speaks_early = false;
        speak();
    }
    return build_paging_buffer(adapter, arguments);
}

static void bend_reset(DRIVER_INITIALIZATION_DATA *driver)
{
    start_device = driver->DxgkDdiStartDevice;
    driver->DxgkDdiStartDevice = start_and_keep;
    reset_from_timeout = driver->DxgkDdiResetFromTimeout;
    driver->DxgkDdiResetFromTimeout = reset_and_say_so;
    restart_from_timeout = driver->DxgkDdiRestartFromTimeout;
    driver->DxgkDdiRestartFromTimeout = restart_and_say_so;
    build_paging_buffer = driver->DxgkDdiBuildPagingBuffer;
    driver->DxgkDdiBuildPagingBuffer = build_and_speak;
}

/* The adapter, or (per_engine) its render engine, was reset; it reports at once, or not. */
static void reset_it(bool per_engine, bool early)
{
    struct rig_options options =
        hang_options(per_engine ? "hang 0 1\nengine_reset on\n" : "hang 0 1\n");

    has_reset = false;
    speaks_early = early && !per_engine;
    shown_init(&shown, &options, bend_reset);
    hang_render(&shown);
    if (early && per_engine)
        speak(); /* nothing was submitted to node 0 since */
    shown_settle(&shown);
    assert_int_equal(shown_findings(&shown, "D-371"), early ? 1 : 0);
    if (early) {
        assert_int_not_equal(vidmm_adapter_condition(shown.rig.adapter, &shown.rig.report),
                             STATUS_SUCCESS);
        assert_non_null(strstr(shown.rig.report.text, "0x119, 0x10"));
    } else {
        assert_int_equal(vidmm_adapter_condition(shown.rig.adapter, NULL), STATUS_SUCCESS);
        hang_replace_device(&shown);
        hang_render(&shown); /* resumed: it reports */
        assert_int_equal(shown_findings(&shown, "D-371"), 0);
        assert_int_equal(vidmm_device_condition(shown.rig.device, NULL), STATUS_SUCCESS);
    }
    rig_stop(&shown.rig);
    shown_end(&shown);
}

void breaks_D_371(void **state)
{
    (void)state;
    reset_it(false, true);
    reset_it(true, true);
}

void keeps_D_371(void **state)
{
    (void)state;
    reset_it(false, false);
    reset_it(true, false);
}
