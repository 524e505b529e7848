/* escape.c: DxgkDdiEscape.
 *
 * Source: DXGKDDI_ESCAPE, D3DDDI_ESCAPEFLAGS; rule D-309.
 */
#include "vidmm/ddi/escape.h"

#include <string.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"

#include "base/assert.h"

NTSTATUS vidmm_ddi_escape(struct vidmm_device *device, void *data, uint32_t size,
                          bool hardware_access)
{
    DXGKARG_ESCAPE arguments;

    VIDMM_ASSERT(vidmm_ddi_escapes(device->adapter));
    memset(&arguments, 0, sizeof(arguments));
    arguments.hDevice = device->h_device;
    arguments.Flags.HardwareAccess = hardware_access;
    arguments.pPrivateDriverData = data;
    arguments.PrivateDriverDataSize = size;
    return device->adapter->miniport->driver.DxgkDdiEscape(device->adapter->miniport->h_adapter,
                                                           &arguments);
}

bool vidmm_ddi_escapes(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->driver.DxgkDdiEscape != NULL;
}
