/* escape.c: messages of programs to the miniport.
 *
 *     HardwareAccess clear    on the program's thread, beside other calls
 *     HardwareAccess set      level two: nothing is begun, what is in flight ends (rest.c, at D0),
 *                             nobody else is in the driver; then the call. Memory stays where it is
 *
 * Source: DXGKDDI_ESCAPE, D3DDDI_ESCAPEFLAGS; "Threading and synchronization second level"; rule
 * D-309.
 */
#include "vidmm/object/seen.h"

static NTSTATUS escape(struct vidmm_device *device, void *data, uint32_t size, bool hardware_access)
{
    DXGKARG_ESCAPE arguments;

    memset(&arguments, 0, sizeof(arguments));
    arguments.hDevice = device->h_device;
    arguments.Flags.HardwareAccess = hardware_access;
    arguments.pPrivateDriverData = data;
    arguments.PrivateDriverDataSize = size;
    return device->adapter->driver.DxgkDdiEscape(device->adapter->h_adapter, &arguments);
}

static NTSTATUS escape_alone(struct vidmm_device *device, void *data, uint32_t size)
{
    struct vidmm_adapter *adapter = device->adapter;
    NTSTATUS status, answer;

    status = vidmm_kmd_rest(adapter, VIDMM_EVENT_REST, VIDMM_POWER_D0);
    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_kmd_take_driver(adapter);
    if (status == STATUS_SUCCESS) {
        status = escape(device, data, size, true); /* obeys D-309 */
        vidmm_kmd_give_driver(adapter);
    }
    answer = vidmm_kmd_rest(adapter, VIDMM_EVENT_RESUME, VIDMM_POWER_D0);
    return status != STATUS_SUCCESS ? status : answer;
}

static NTSTATUS wait_and_escape(struct vidmm_device *device, void *data, uint32_t size)
{
    struct vidmm_adapter *adapter = device->adapter;
    NTSTATUS status = STATUS_DEVICE_BUSY;

    if (!vidmm_kmd_begin_rest(adapter))
        return STATUS_TIMEOUT;
    if (adapter->power == VIDMM_POWER_D0) /* nobody changes it meanwhile */
        status = escape_alone(device, data, size);
    vidmm_kmd_end_rest(adapter);
    return status;
}

NTSTATUS vidmm_escape(struct vidmm_device *device, void *data, uint32_t size, bool hardware_access,
                      struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = device->adapter;
    NTSTATUS status = vidmm_device_condition(device, report);

    if (status != STATUS_SUCCESS)
        return status;
    if (!adapter->driver.DxgkDdiEscape) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "DxgkDdiEscape", 0,
                                    "the driver takes no messages");
    }
    if (hardware_access) {
        status = wait_and_escape(device, data, size);
    } else {
        vidmm_driver_enter(adapter);
        status = escape(device, data, size, false);
        vidmm_driver_leave(adapter);
    }
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, status, "status of DxgkDdiEscape", (uint32_t)status,
                                    "the driver refused it, or the adapter cannot rest for it");
    }
    return STATUS_SUCCESS;
}
