/* render.c: DxgkDdiRender and DxgkDdiPresent, which fill a DMA buffer.
 *
 * Source: DXGKARG_RENDER, DXGKARG_PRESENT; rules D-303, D-331, D-333, D-334.
 */
#include "vidmm/ddi/render.h"

#include <string.h>

#include <vidmm/present.h>

#include "vidmm/ddi/address.h"
#include "vidmm/ddi/context.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/command_memory.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"

#include "base/assert.h"

NTSTATUS vidmm_ddi_render(struct vidmm_dma_buffer *dma_buffer, const void *command,
                          uint32_t command_length, UINT *multipass, struct vidmm_dma_answer *answer)
{
    struct vidmm_context *context = dma_buffer->context;
    struct vidmm_adapter *adapter = context->device->adapter;
    struct vidmm_command_memory *memory = &dma_buffer->memory;
    DXGKARG_RENDER arguments;
    NTSTATUS status;

    VIDMM_ASSERT(vidmm_ddi_renders(adapter) && !dma_buffer->busy);
    VIDMM_ASSERT(dma_buffer->list_count <= context->allocation_list_size);
    memset(&arguments, 0, sizeof(arguments));
    arguments.pCommand = command;
    arguments.CommandLength = command_length;
    arguments.pDmaBuffer = memory->backing.address; /* page aligned: obeys D-331 */
    arguments.DmaSize = memory->size;
    arguments.pDmaBufferPrivateData = memory->private_data;
    arguments.DmaBufferPrivateDataSize = memory->private_size;
    arguments.pAllocationList = dma_buffer->allocation_list;
    arguments.AllocationListSize = dma_buffer->list_count;
    arguments.pPatchLocationListOut = dma_buffer->patch_list;
    arguments.PatchLocationListOutSize = context->patch_list_size;
    arguments.MultipassOffset = *multipass; /* obeys D-333 */
    arguments.DmaBufferSegmentId = memory->place.segment;
    arguments.DmaBufferPhysicalAddress =
        vidmm_ddi_command_address(adapter, memory); /* obeys D-334: never 0 */
    status = adapter->miniport->driver.DxgkDdiRender(vidmm_context_handle(context, 0), &arguments);
    *multipass = arguments.MultipassOffset;
    *answer = (struct vidmm_dma_answer){arguments.pDmaBuffer, arguments.pDmaBufferPrivateData,
                                        arguments.pPatchLocationListOut};
    return status;
}

NTSTATUS vidmm_ddi_present(struct vidmm_dma_buffer *dma_buffer, const struct vidmm_present *copy,
                           UINT *multipass, struct vidmm_dma_answer *answer)
{
    struct vidmm_context *context = dma_buffer->context;
    struct vidmm_adapter *adapter = context->device->adapter;
    struct vidmm_command_memory *memory = &dma_buffer->memory;
    DXGKARG_PRESENT arguments;
    NTSTATUS status;

    VIDMM_ASSERT(vidmm_ddi_presents(adapter) && !dma_buffer->busy);
    memset(&arguments, 0, sizeof(arguments));
    arguments.pDmaBuffer = memory->backing.address;
    arguments.DmaSize = memory->size;
    arguments.pDmaBufferPrivateData = memory->private_data;
    arguments.DmaBufferPrivateDataSize = memory->private_size;
    arguments.pAllocationList = dma_buffer->allocation_list;
    arguments.pPatchLocationListOut = dma_buffer->patch_list;
    arguments.PatchLocationListOutSize = context->patch_list_size;
    arguments.MultipassOffset = *multipass;
    arguments.DstRect = copy->destination_rect;
    arguments.SrcRect = copy->source_rect;
    arguments.SubRectCnt = copy->sub_rect_count > 0 ? copy->sub_rect_count : 1;
    arguments.pDstSubRects = copy->sub_rect_count > 0 ? copy->sub_rects : &copy->destination_rect;
    arguments.Flags.Blt = 1;
    arguments.DmaBufferSegmentId = memory->place.segment;
    arguments.DmaBufferPhysicalAddress = vidmm_ddi_command_address(adapter, memory);
    status = adapter->miniport->driver.DxgkDdiPresent(vidmm_context_handle(context, 0), &arguments);
    *multipass = arguments.MultipassOffset;
    *answer = (struct vidmm_dma_answer){arguments.pDmaBuffer, arguments.pDmaBufferPrivateData,
                                        arguments.pPatchLocationListOut};
    return status;
}

bool vidmm_ddi_renders(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->driver.DxgkDdiRender != NULL;
}

bool vidmm_ddi_presents(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->driver.DxgkDdiPresent != NULL;
}
