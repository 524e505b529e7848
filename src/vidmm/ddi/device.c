/* device.c: DxgkDdiCreateDevice and DxgkDdiDestroyDevice.
 *
 * Source: DXGKARG_CREATEDEVICE, DXGKDDI_DESTROYDEVICE; rules D-293, D-294, D-303, D-391.
 */
#include "vidmm/ddi/device.h"

#include <string.h>

#include <wddm/ntstatus.h>

#include "vidmm/ddi/gate.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/process.h"
#include "vidmm/object/seen.h"

#include "base/assert.h"
#include "wddm/rule.h"

VIDMM_SEES(D_293);
NTSTATUS vidmm_ddi_create_device(struct vidmm_device *device, bool system)
{
    struct vidmm_adapter *adapter = device->adapter;
    DXGKARG_CREATEDEVICE arguments;
    NTSTATUS status;

    VIDMM_ASSERT(device->id != 0 && !device->made);
    memset(&arguments, 0, sizeof(arguments));
    /* obeys D-294: for callbacks; the answer is the miniport's own */
    arguments.hDevice = (HANDLE)(uintptr_t)device->handle;
    if (adapter->miniport->multi_engine)
        arguments.Flags.SystemDevice = system;
    else
        arguments.pInfo = device->info;
    if (device->owner) { /* obeys D-268 */
        arguments.Pasid = device->owner->pasid;
        arguments.hKmdProcess = device->owner->h_process;
    }
    vidmm_driver_enter(adapter);
    if (system && device->owner) /* obeys D-391 */
        device->owner->in_creation = true;
    status =
        adapter->miniport->driver.DxgkDdiCreateDevice(adapter->miniport->h_adapter, &arguments);
    if (system && device->owner)
        device->owner->in_creation = false;
    vidmm_driver_leave(adapter);
    device->h_device = arguments.hDevice;
    device->made = status == STATUS_SUCCESS;
    if (status != STATUS_SUCCESS && status != STATUS_NO_MEMORY)
        vidmm_seen(adapter, VIDMM_RULE_D_293, "status of DxgkDdiCreateDevice", (uint32_t)status);
    if (status == STATUS_SUCCESS && !adapter->miniport->multi_engine && arguments.pInfo &&
        arguments.pInfo != device->info)
        *device->info = *arguments.pInfo; /* it may fill ours, or point to its own */
    return status;
}

void vidmm_ddi_destroy_device(struct vidmm_device *device)
{
    struct vidmm_adapter *adapter = device->adapter;

    if (!device->made)
        return;
    vidmm_driver_enter(adapter);
    adapter->miniport->driver.DxgkDdiDestroyDevice(device->h_device);
    vidmm_driver_leave(adapter);
    device->made = false;
}
