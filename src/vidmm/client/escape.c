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
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/escape.h"
#include "vidmm/ddi/gate.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/alone.h"

static NTSTATUS escape_alone(struct vidmm_device *device, void *data, uint32_t size)
{
    struct vidmm_adapter *adapter = device->adapter;
    NTSTATUS status = vidmm_driver_take_at_rest(adapter, VIDMM_POWER_D0), answer;

    if (status != STATUS_SUCCESS && status != STATUS_TIMEOUT)
        return status;
    if (status == STATUS_SUCCESS) {
        status = vidmm_ddi_escape(device, data, size, true); /* obeys D-309 */
        vidmm_driver_give(adapter);
    }
    /* in vain or not, the engine goes on */
    answer = vidmm_alone_rest(adapter, VIDMM_EVENT_RESUME, VIDMM_POWER_D0);
    return status != STATUS_SUCCESS ? status : answer;
}

static NTSTATUS wait_and_escape(struct vidmm_device *device, void *data, uint32_t size)
{
    struct vidmm_adapter *adapter = device->adapter;
    NTSTATUS status = STATUS_DEVICE_BUSY;

    if (!vidmm_alone_begin(adapter))
        return STATUS_TIMEOUT;
    if (adapter->power == VIDMM_POWER_D0) /* nobody changes it meanwhile */
        status = escape_alone(device, data, size);
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
