/* escape.c: DxgkDdiEscape.
 *
 * Source: DXGKDDI_ESCAPE, D3DDDI_ESCAPEFLAGS; rule D-309.
 */
#include "vidmm/ddi/escape.h"

#include <string.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"

NTSTATUS vidmm_ddi_escape(struct vidmm_device *device, void *data, uint32_t size,
                          bool hardware_access)
{
    DXGKARG_ESCAPE arguments;

    memset(&arguments, 0, sizeof(arguments));
    arguments.hDevice = device->h_device;
    arguments.Flags.HardwareAccess = hardware_access;
    arguments.pPrivateDriverData = data;
    arguments.PrivateDriverDataSize = size;
    return device->adapter->driver.DxgkDdiEscape(device->adapter->h_adapter, &arguments);
}
