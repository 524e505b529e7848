/* test_thunk_messages.c: D3DKMTEscape to the driver, and who it is told that the message is about.
 */
#include "test_thunk_rig.h"

static struct {
    DRIVER_INITIALIZATION_DATA driver; /* its own functions */
    HANDLE device, context, process;   /* its handles for the newest of them */
    DXGKARG_ESCAPE escape;             /* the newest message */
    unsigned escapes;
} seen;

static NTSTATUS see_process(HANDLE adapter, DXGKARG_CREATEPROCESS *arguments)
{
    NTSTATUS status = seen.driver.DxgkDdiCreateProcess(adapter, arguments);

    seen.process = arguments->hKmdProcess;
    return status;
}

static NTSTATUS see_device(HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    NTSTATUS status = seen.driver.DxgkDdiCreateDevice(adapter, arguments);

    seen.device = arguments->hDevice;
    return status;
}

static NTSTATUS see_context(HANDLE device, DXGKARG_CREATECONTEXT *arguments)
{
    NTSTATUS status = seen.driver.DxgkDdiCreateContext(device, arguments);

    seen.context = arguments->hContext;
    return status;
}

static NTSTATUS see_escape(HANDLE adapter, const DXGKARG_ESCAPE *arguments)
{
    seen.escape = *arguments;
    seen.escapes++;
    return seen.driver.DxgkDdiEscape(adapter, arguments);
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    seen.driver = *driver;
    driver->DxgkDdiCreateProcess = see_process;
    driver->DxgkDdiCreateDevice = see_device;
    driver->DxgkDdiCreateContext = see_context;
    driver->DxgkDdiEscape = see_escape;
}

static void start(void)
{
    memset(&seen, 0, sizeof(seen));
    thunk_bend = bend;
    thunk_start(THUNK_GPU);
    thunk_bend = NULL;
}

static NTSTATUS escape(D3DKMT_HANDLE adapter, D3DKMT_HANDLE device, D3DKMT_HANDLE context,
                       UINT flags)
{
    struct softgpu_escape message = {.magic = SOFTGPU_ESCAPE_MAGIC, .queued = 77};
    D3DKMT_ESCAPE arguments = {.hAdapter = adapter,
                               .hDevice = device,
                               .Flags.Value = flags,
                               .pPrivateDriverData = &message,
                               .PrivateDriverDataSize = sizeof(message),
                               .hContext = context};
    NTSTATUS status = vidmm_thunk_Escape(one.process, &arguments);

    assert_int_equal(message.queued, status == STATUS_SUCCESS ? 0 : 77); /* answered in place */
    return status;
}

/* Nothing of the other program is told, which came last. */
static void a_driver_is_told_what_a_message_is_about(void **state)
{
    HANDLE device, context, process;

    (void)state;
    start();
    begin_program(&one);
    device = seen.device;
    context = seen.context;
    process = seen.process;
    begin_program(&other);
    assert_true(device != seen.device && context != seen.context && process != seen.process);
    succeeds(escape(one.adapter, one.device, one.context, 0));
    assert_ptr_equal(seen.escape.hDevice, device);
    assert_ptr_equal(seen.escape.hContext, context);
    assert_ptr_equal(seen.escape.hKmdProcessHandle, process);
    assert_int_equal(seen.escape.Flags.Value, 0);
    succeeds(escape(0, one.device, 0, 1));
    assert_ptr_equal(seen.escape.hDevice, device);
    assert_null(seen.escape.hContext);
    assert_ptr_equal(seen.escape.hKmdProcessHandle, process);
    assert_int_equal(seen.escape.Flags.Value, 1); /* HardwareAccess */
    succeeds(escape(one.adapter, one.device, 0, 8));
    assert_int_equal(seen.escape.Flags.Value, 8); /* NoAdapterSynchronization */
    thunk_finish();
}

/* A program needs no device to talk to the driver, and its process is told if it has one. */
static void a_message_may_be_about_the_adapter(void **state)
{
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = THUNK_LUID};

    (void)state;
    start();
    succeeds(vidmm_thunk_OpenAdapterFromLuid(one.process, &open));
    succeeds(escape(open.hAdapter, 0, 0, 0));
    assert_null(seen.escape.hDevice);
    assert_null(seen.escape.hContext);
    assert_null(seen.escape.hKmdProcessHandle);
    begin_program(&one);
    succeeds(escape(one.adapter, 0, 0, 1));
    assert_null(seen.escape.hDevice);
    assert_ptr_equal(seen.escape.hKmdProcessHandle, seen.process);
    assert_int_equal(seen.escape.Flags.Value, 1);
    assert_int_equal(seen.escapes, 2);
    thunk_finish();
}

/* The driver hears nothing of them. */
static void what_does_not_go_together_is_refused(void **state)
{
    static const char *const names[] = {[1] = "DeviceStatusQuery",
                                        [2] = "ChangeFrameLatency",
                                        [5] = "VirtualMachineData",
                                        [6] = "DriverKnownEscape",
                                        [7] = "DriverCommonEscape"};
    D3DKMT_CREATEDEVICE second = {0};

    (void)state;
    start();
    begin_program(&one);
    seen.escapes = 0;
    second.hAdapter = one.adapter;
    succeeds(vidmm_thunk_CreateDevice(one.process, &second));
    refused(escape(one.adapter, second.hDevice, one.context, 0), "of another device than hDevice");
    refused(escape(one.adapter, 0, one.context, 0), "hDevice is 0");
    refused(escape(0, 0, 0, 0), "hAdapter is 0x0");
    for (unsigned bit = 1; bit < 32; bit++)
        if (bit < 8 && names[bit] != NULL)
            refused_with(escape(one.adapter, one.device, 0, 1u << bit), STATUS_NOT_SUPPORTED,
                         names[bit]);
        else if (bit != 3)
            refused(escape(one.adapter, one.device, 0, 1u << bit), "reserved bits");
    assert_int_equal(seen.escapes, 0);
    /* A device in error says nothing; its program still speaks for itself. */
    succeeds(vidmm_thunk_MarkDeviceAsError(
        one.process,
        &(D3DKMT_MARKDEVICEASERROR){second.hDevice, D3DKMT_DEVICE_ERROR_REASON_GENERIC}));
    refused_with(escape(one.adapter, second.hDevice, 0, 0), STATUS_INTERNAL_ERROR, "");
    assert_int_equal(seen.escapes, 0);
    succeeds(escape(one.adapter, 0, 0, 0));
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driver_is_told_what_a_message_is_about),
        cmocka_unit_test(a_message_may_be_about_the_adapter),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
