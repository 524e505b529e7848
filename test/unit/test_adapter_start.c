/* test_adapter_start.c: a driver that interrupts while it is being started. */
#include "test_adapter_rig.h"

#include <vidmm/host.h>

enum { NEVER_SUBMITTED = 77 };

static struct rig rig;
static PDXGKDDI_START_DEVICE start_really;
static DXGKDDI_QUERYADAPTERINFO *query_really;
static ULONG message; /* the message that reports, and that the driver names when it is asked */
static DXGKARGCB_NOTIFY_INTERRUPT_DATA reported; /* inside StartDevice; type 0: nothing */
static DXGKRNL_INTERFACE kernel;

static bool never(void *argument)
{
    (void)argument;
    return false;
}

static BOOLEAN notify(PVOID data)
{
    kernel.DxgkCbNotifyInterrupt(kernel.DeviceHandle, data);
    return TRUE;
}

/* The device is up, interrupts, and its DPC runs, before the driver returns. */
static NTSTATUS start_with_interrupt(void *context, DXGK_START_INFO *info,
                                     DXGKRNL_INTERFACE *interface, ULONG *sources, ULONG *children)
{
    NTSTATUS status = start_really(context, info, interface, sources, children);
    const struct vidmm_host *host = vidmm_slot_host(rig.slot);
    BOOLEAN answer;

    kernel = *interface;
    *sources = 1;
    if (reported.InterruptType != 0)
        assert_int_equal(kernel.DxgkCbSynchronizeExecution(kernel.DeviceHandle, notify, &reported,
                                                           message, &answer),
                         STATUS_SUCCESS);
    kernel.DxgkCbQueueDpc(kernel.DeviceHandle);
    host->wait(host->context, never, NULL, 1000000); /* everybody else goes on meanwhile */
    return status;
}

static NTSTATUS query_with_message(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    NTSTATUS status = query_really(adapter, query);

    if (query->Type == DXGKQAITYPE_DRIVERCAPS)
        ((DXGK_DRIVERCAPS *)query->pOutputData)->InterruptMessageNumber = message;
    return status;
}

static NTSTATUS start(enum vidmm_machine_kind kind, uint32_t type, uint32_t links)
{
    struct rig_options options = rig_defaults();

    options.kind = kind;
    options.links = links;
    memset(&reported, 0, sizeof(reported));
    reported.InterruptType = type;
    if (type == DXGK_INTERRUPT_DMA_COMPLETED)
        reported.DmaCompleted.SubmissionFenceId = NEVER_SUBMITTED;
    rig_build(&rig, &options);
    start_really = rig.driver.DxgkDdiStartDevice;
    query_really = rig.driver.DxgkDdiQueryAdapterInfo;
    rig.driver.DxgkDdiStartDevice = start_with_interrupt;
    rig.driver.DxgkDdiQueryAdapterInfo = query_with_message;
    return rig_start(&rig);
}

static void a_driver_may_interrupt_inside_start_device(void **state)
{
    (void)state;
    for (uint32_t links = 1; links <= 2; links++) {
        assert_int_equal(start(VIDMM_MACHINE_SIMULATED, 0, links), STATUS_SUCCESS);
        rig_finish(&rig);
        assert_int_equal(start(VIDMM_MACHINE_THREADED, 0, links), STATUS_SUCCESS);
        rig_finish(&rig);
    }
}

/* Its displays are not known yet. */
static void a_vertical_blank_inside_start_device_is_no_breach(void **state)
{
    struct vidmm_statistics statistics;

    (void)state;
    assert_int_equal(start(VIDMM_MACHINE_SIMULATED, DXGK_INTERRUPT_CRTC_VSYNC, 1), STATUS_SUCCESS);
    vidmm_adapter_statistics(rig.adapter, &statistics);
    assert_int_equal(statistics.findings, 0);
    rig_finish(&rig);
}

/* Nor is the number of its message: softgpu's own later report, by another, is the first. */
static void a_message_is_judged_once_its_number_is_known(void **state)
{
    struct vidmm_finding finding;

    (void)state;
    message = 3;
    assert_int_equal(start(VIDMM_MACHINE_SIMULATED, DXGK_INTERRUPT_CRTC_VSYNC, 1), STATUS_SUCCESS);
    message = 0;
    assert_true(vidmm_adapter_finding(rig.adapter, 0, &finding));
    assert_string_equal(finding.rule, "D-349");
    assert_non_null(strstr(finding.first, "that reports is 0x0:"));
    rig_finish(&rig);
}

/* The report waits for the engine, which knows of no such packet. */
static void a_fence_of_no_packet_inside_start_device_stops_the_adapter(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 2; kind++) {
        assert_int_not_equal(start(kind == 0 ? VIDMM_MACHINE_SIMULATED : VIDMM_MACHINE_THREADED,
                                   DXGK_INTERRUPT_DMA_COMPLETED, 1),
                             STATUS_SUCCESS);
        assert_non_null(strstr(rig.report.text, "0x119"));
        rig_finish(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driver_may_interrupt_inside_start_device),
        cmocka_unit_test(a_vertical_blank_inside_start_device_is_no_breach),
        cmocka_unit_test(a_message_is_judged_once_its_number_is_known),
        cmocka_unit_test(a_fence_of_no_packet_inside_start_device_stops_the_adapter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
