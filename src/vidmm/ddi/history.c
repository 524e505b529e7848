/* history.c: DxgkDdiFormatHistoryBuffer.
 *
 * Source: DXGKARG_FORMATHISTORYBUFFER; rule D-234.
 */
#include "vidmm/ddi/history.h"

#include <string.h>

#include <vidmm/host.h>

#include "vidmm/ddi/context.h"
#include "vidmm/ddi/gate.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"

#include "base/assert.h"

NTSTATUS vidmm_ddi_format_history(const struct vidmm_context *context,
                                  struct vidmm_history_formatting *formatting)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    const struct vidmm_host *host = adapter->host;
    DXGKARG_FORMATHISTORYBUFFER arguments;
    NTSTATUS status;
    uint8_t irql;

    VIDMM_ASSERT(vidmm_ddi_formats_history(adapter));
    memset(&arguments, 0, sizeof(arguments));
    arguments.pHistoryBuffer = formatting->buffer;
    arguments.HistoryBufferSize = formatting->buffer_size;
    arguments.pFormattedBuffer = formatting->formatted;
    arguments.FormattedBufferSize = formatting->formatted_size;
    arguments.Offset = formatting->offset;
    vidmm_driver_enter(adapter);
    irql = host->raise_irql(host->context, VIDMM_DISPATCH_LEVEL);
    status = adapter->miniport->driver.DxgkDdiFormatHistoryBuffer(vidmm_context_handle(context, 0),
                                                                  &arguments);
    host->lower_irql(host->context, irql);
    vidmm_driver_leave(adapter);
    formatting->offset = arguments.Offset;
    formatting->count = arguments.NumTimestamps;
    formatting->bits = arguments.Precision.PrecisionBits;
    return status;
}

bool vidmm_ddi_formats_history(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->driver.DxgkDdiFormatHistoryBuffer != NULL;
}
