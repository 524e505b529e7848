/* seen_interrupt.c: interrupt.def broken, and answered. */
#include "rules_rig.h"

static struct shown shown;
static DXGKRNL_INTERFACE kernel;
static PDXGKDDI_START_DEVICE start_device;

static NTSTATUS start_and_keep(void *context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *interface,
                               ULONG *sources, ULONG *children)
{
    NTSTATUS status = start_device(context, info, interface, sources, children);

    kernel = *interface;
    *sources = 0;
    return status;
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    start_device = driver->DxgkDdiStartDevice;
    driver->DxgkDdiStartDevice = start_and_keep;
}

static BOOLEAN notify(PVOID data)
{
    kernel.DxgkCbNotifyInterrupt(kernel.DeviceHandle, data);
    return TRUE;
}

/* The driver reports this, at the level of the device or of whoever runs; how often the rule was seen
 * broken. The auditor may find more: it is not asked. */
static uint64_t report(const char *rule, DXGKARGCB_NOTIFY_INTERRUPT_DATA data, bool at_level)
{
    struct rig_options options = rig_defaults();
    BOOLEAN answer;
    uint64_t findings;

    shown_init(&shown, &options, bend);
    rig_work(&shown.rig, 2, 30);
    shown_settle(&shown);
    if (data.InterruptType != 0 && at_level)
        assert_int_equal(kernel.DxgkCbSynchronizeExecution(kernel.DeviceHandle, notify, &data, 0,
                                                           &answer),
                         STATUS_SUCCESS);
    else if (data.InterruptType != 0)
        notify(&data);
    findings = shown_findings(&shown, rule);
    shown_end(&shown);
    return findings;
}

static DXGKARGCB_NOTIFY_INTERRUPT_DATA of_type(DXGK_INTERRUPT_TYPE type)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;

    memset(&data, 0, sizeof(data));
    data.InterruptType = type;
    return data;
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
}

void keeps_D_358(void **state)
{
    (void)state;
    assert_int_equal(report("D-358", NOTHING, true), 0);
}

void breaks_D_359(void **state)
{
    (void)state;
    assert_int_equal(report("D-359", of_type(DXGK_INTERRUPT_CRTC_VSYNC), true), 1);
}

void keeps_D_359(void **state)
{
    (void)state;
    assert_int_equal(report("D-359", NOTHING, true), 0);
}
