/* escape.c: messages of programs to the miniport.
 *
 *     HardwareAccess clear    on the program's thread, beside other calls
 *     HardwareAccess set      level two: nothing is begun, what is in flight ends (rest.c, at D0),
 *                             nobody else is in the driver; then the call. Memory stays where it is
 *
 * Source: DXGKDDI_ESCAPE, DXGKARG_ESCAPE, D3DDDI_ESCAPEFLAGS; "Threading and synchronization second
 * level"; rule D-309.
 */
#include <vidmm/adapter.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/escape.h"
#include "vidmm/ddi/gate.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/alone.h"

struct alone {
    struct vidmm_adapter *adapter;
    const struct vidmm_message *message;
};

static NTSTATUS escape_alone(void *argument)
{
    const struct alone *alone = argument;

    return vidmm_ddi_escape(alone->adapter, alone->message);
}

static NTSTATUS wait_and_escape(struct vidmm_adapter *adapter, const struct vidmm_message *message)
{
    struct alone alone = {adapter, message};
    NTSTATUS status = STATUS_DEVICE_BUSY;

    if (!vidmm_alone_begin(adapter))
        return STATUS_TIMEOUT;
    if (adapter->power == VIDMM_POWER_D0) /* nobody changes it meanwhile */
        status = vidmm_driver_call_alone(adapter, escape_alone, &alone); /* obeys D-309 */
    vidmm_alone_end(adapter);
    return status;
}

static NTSTATUS check_condition(const struct vidmm_adapter *adapter,
                                const struct vidmm_device *device, struct vidmm_report *report)
{
    NTSTATUS status = STATUS_SUCCESS;

    if (device)
        return vidmm_device_condition(device, report);
    vidmm_adapter_lock(adapter);
    if (adapter->stopped)
        status = vidmm_report_stopped(adapter, report);
    vidmm_adapter_unlock(adapter);
    return status;
}

static NTSTATUS check_message(const struct vidmm_adapter *adapter,
                              const struct vidmm_message *message, struct vidmm_report *report)
{
    const struct vidmm_device *device = message->device, *sender = message->sender;
    NTSTATUS status;

    if ((device && device->adapter != adapter) || (sender && sender->adapter != adapter)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "device", 0,
                                    "a device of the adapter");
    }
    if (message->context && message->context->device != device) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "context", 0,
                                    "a context of the device");
    }
    status = check_condition(adapter, device, report);
    if (status != STATUS_SUCCESS)
        return status;
    if (vidmm_report_lacking(message->data, message->size, "data", report))
        return STATUS_INVALID_PARAMETER;
    if (!vidmm_ddi_escapes(adapter)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "DxgkDdiEscape", 0,
                                    "the driver takes no messages");
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_escape_to(struct vidmm_adapter *adapter, const struct vidmm_message *message,
                         struct vidmm_report *report)
{
    NTSTATUS status;

    if (vidmm_report_null(adapter, "adapter", report) ||
        vidmm_report_null(message, "message", report))
        return STATUS_INVALID_PARAMETER;
    status = check_message(adapter, message, report);
    if (status != STATUS_SUCCESS)
        return status;
    if (message->hardware_access) {
        status = wait_and_escape(adapter, message);
    } else {
        vidmm_driver_enter(adapter);
        status = vidmm_ddi_escape(adapter, message);
        vidmm_driver_leave(adapter);
    }
    if (status != STATUS_SUCCESS) {
        vidmm_report_refusal(report, status, "status of DxgkDdiEscape", (uint32_t)status,
                             "the driver refused it, or the adapter cannot rest for it");
        return vidmm_report_reason(adapter, report, status);
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_escape(struct vidmm_device *device, void *data, uint32_t size, bool hardware_access,
                      struct vidmm_report *report)
{
    const struct vidmm_message message = {.device = device,
                                          .sender = device,
                                          .data = data,
                                          .size = size,
                                          .hardware_access = hardware_access};

    if (vidmm_report_null(device, "device", report))
        return STATUS_INVALID_PARAMETER;
    return vidmm_escape_to(device->adapter, &message, report);
}
