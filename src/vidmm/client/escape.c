/* escape.c: messages of programs to the miniport.
 *
 *     HardwareAccess clear    on the program's thread, beside other calls
 *     HardwareAccess set      level two: nothing is begun, what is in flight ends (rest.c, at D0),
 *                             nobody else is in the driver; then the call. Memory stays where it is
 *
 * Source: DXGKDDI_ESCAPE, D3DDDI_ESCAPEFLAGS; "Threading and synchronization second level"; rule
 * D-309.
 */
#include <vidmm/adapter.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/escape.h"
#include "vidmm/ddi/gate.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/alone.h"

struct message {
    struct vidmm_device *device;
    void *data;
    uint32_t size;
};

static NTSTATUS escape_alone(void *argument)
{
    const struct message *message = argument;

    return vidmm_ddi_escape(message->device, message->data, message->size, true);
}

static NTSTATUS wait_and_escape(struct vidmm_device *device, void *data, uint32_t size)
{
    struct message message = {device, data, size};
    struct vidmm_adapter *adapter = device->adapter;
    NTSTATUS status = STATUS_DEVICE_BUSY;

    if (!vidmm_alone_begin(adapter))
        return STATUS_TIMEOUT;
    if (adapter->power == VIDMM_POWER_D0) /* nobody changes it meanwhile */
        status = vidmm_driver_call_alone(adapter, escape_alone, &message); /* obeys D-309 */
    vidmm_alone_end(adapter);
    return status;
}

NTSTATUS vidmm_escape(struct vidmm_device *device, void *data, uint32_t size, bool hardware_access,
                      struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = device->adapter;
    NTSTATUS status = vidmm_device_condition(device, report);

    if (status != STATUS_SUCCESS)
        return status;
    if (vidmm_report_lacking(data, size, "data", report))
        return STATUS_INVALID_PARAMETER;
    if (!vidmm_ddi_escapes(adapter)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "DxgkDdiEscape", 0,
                                    "the driver takes no messages");
    }
    if (hardware_access) {
        status = wait_and_escape(device, data, size);
    } else {
        vidmm_driver_enter(adapter);
        status = vidmm_ddi_escape(device, data, size, false);
        vidmm_driver_leave(adapter);
    }
    if (status != STATUS_SUCCESS) {
        vidmm_report_refusal(report, status, "status of DxgkDdiEscape", (uint32_t)status,
                             "the driver refused it, or the adapter cannot rest for it");
        return vidmm_report_reason(adapter, report, status);
    }
    return STATUS_SUCCESS;
}
