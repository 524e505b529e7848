/* cancel.c: DxgkDdiCancelCommand, for what was rendered and never reached the GPU.
 *
 * A driver that is CancelCommandAware may keep something of each DMA buffer from Render to
 * SubmitCommand. If a DMA buffer waits in the software queue when its device fails, it is never
 * submitted; so the driver is told.
 *
 * Source: DXGKDDI_CANCELCOMMAND, DXGKARG_CANCELCOMMAND, DXGK_VIDSCHCAPS; rules D-346, D-347.
 */
#include "vidmm/ddi/cancel.h"

#include <string.h>

#include "vidmm/ddi/context.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/object/context.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/slot_table.h"

#include "base/assert.h"
#include "wddm/level.h"

bool vidmm_ddi_cancels(const struct vidmm_adapter *adapter)
{
    return adapter->level >= VIDMM_LEVEL(1, 2) &&
           adapter->miniport->caps.SchedulingCaps.CancelCommandAware &&
           adapter->miniport->driver.DxgkDdiCancelCommand;
}

static void fill(const struct vidmm_dma_buffer *dma_buffer, const struct vidmm_operation *operation,
                 DXGKARG_CANCELCOMMAND *arguments)
{
    const struct vidmm_command_memory *memory = &dma_buffer->memory;

    VIDMM_ASSERT(operation->submit.start <= operation->submit.end);
    VIDMM_ASSERT(operation->submit.end <= memory->size);
    memset(arguments, 0, sizeof(*arguments));
    arguments->pDmaBuffer = memory->backing.address;
    arguments->DmaBufferSize = memory->size;
    arguments->DmaBufferSubmissionStartOffset = operation->submit.start;
    arguments->DmaBufferSubmissionEndOffset = operation->submit.end;
    arguments->pDmaBufferPrivateData = memory->private_data;
    arguments->DmaBufferPrivateDataSize = memory->private_size;
    arguments->DmaBufferPrivateDataSubmissionEndOffset = dma_buffer->private_used;
    arguments->pAllocationList = dma_buffer->allocation_list;
    arguments->AllocationListSize = dma_buffer->list_count;
    arguments->pPatchLocationList = dma_buffer->patch_list;
    arguments->PatchLocationListSize = dma_buffer->patch_count;
    arguments->PatchLocationListSubmissionStart = operation->submit.patch_first;
    arguments->PatchLocationListSubmissionLength =
        dma_buffer->patch_count - operation->submit.patch_first;
}

NTSTATUS vidmm_ddi_cancel(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    const struct vidmm_dma_buffer *dma_buffer;
    DXGKARG_CANCELCOMMAND arguments;

    vidmm_adapter_lock(adapter);
    dma_buffer = vidmm_slot_find(&adapter->dma_buffers, operation->submit.dma_buffer - 1,
                                 VIDMM_HANDLE_ALLOCATION);
    vidmm_adapter_unlock(adapter);
    VIDMM_ASSERT(dma_buffer && dma_buffer->busy);
    fill(dma_buffer, operation, &arguments);
    arguments.hContext = vidmm_context_handle(vidmm_context_of_driver(dma_buffer->context), 0);
    return adapter->miniport->driver.DxgkDdiCancelCommand(adapter->miniport->h_adapter, &arguments);
}
