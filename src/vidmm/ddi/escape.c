/* escape.c: DxgkDdiEscape.
 *
 * Source: DXGKDDI_ESCAPE, DXGKARG_ESCAPE, D3DDDI_ESCAPEFLAGS; rule D-309.
 */
#include "vidmm/ddi/escape.h"

#include <string.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/process.h"

#include "base/assert.h"

NTSTATUS vidmm_ddi_escape(const struct vidmm_adapter *adapter, const struct vidmm_message *message)
{
    DXGKARG_ESCAPE arguments;

    VIDMM_ASSERT(vidmm_ddi_escapes(adapter));
    VIDMM_ASSERT(!message->context || message->context->device == message->device);
    memset(&arguments, 0, sizeof(arguments));
    if (message->device)
        arguments.hDevice = message->device->h_device;
    if (message->context)
        arguments.hContext = message->context->h_context;
    if (message->sender && message->sender->owner)
        arguments.hKmdProcessHandle = message->sender->owner->h_process;
    arguments.Flags.HardwareAccess = message->hardware_access;
    arguments.Flags.NoAdapterSynchronization = message->no_synchronization;
    arguments.pPrivateDriverData = message->data;
    arguments.PrivateDriverDataSize = message->size;
    return adapter->miniport->driver.DxgkDdiEscape(adapter->miniport->h_adapter, &arguments);
}

bool vidmm_ddi_escapes(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->driver.DxgkDdiEscape != NULL;
}
