/* dma_buffer.c: the DMA buffers of a context, with the lists that go with each.
 *
 * Source: DXGK_CONTEXTINFO; rule D-330.
 */
#include "vidmm/client/dma_buffer.h"

#include <string.h>

#include <wddm/d3dkmddi_context.h>
#include <wddm/d3dkmddi_submit.h>
#include <wddm/ntstatus.h>

#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/pump/command_place.h"

#include "base/assert.h"

static void finish_dma_buffer(struct vidmm_adapter *adapter, struct vidmm_dma_buffer *dma_buffer)
{
    VIDMM_ASSERT(!dma_buffer->busy || adapter->stopped);
    vidmm_command_memory_finish(adapter, &dma_buffer->memory);
    vidmm_free(adapter->host, dma_buffer->allocation_list);
    vidmm_free(adapter->host, dma_buffer->allocations);
    vidmm_free(adapter->host, dma_buffer->references);
    vidmm_free(adapter->host, dma_buffer->element_of);
    vidmm_free(adapter->host, dma_buffer->reference_of);
    vidmm_free(adapter->host, dma_buffer->patch_list);
    vidmm_free(adapter->host, dma_buffer->patches);
    vidmm_free(adapter->host, dma_buffer->witness);
    if (dma_buffer->id != 0) {
        vidmm_adapter_lock(adapter);
        vidmm_slot_release(&adapter->dma_buffers, dma_buffer->id - 1);
        vidmm_adapter_unlock(adapter);
    }
    memset(dma_buffer, 0, sizeof(*dma_buffer));
}

static bool allocate_lists(const struct vidmm_host *host, struct vidmm_dma_buffer *dma_buffer,
                           const DXGK_CONTEXTINFO *info)
{
    size_t allocations = (size_t)info->AllocationListSize + VIDMM_PRESENT_LIST;
    size_t patches = info->PatchLocationListSize;

    dma_buffer->allocation_list =
        vidmm_allocate(host, allocations * sizeof(*dma_buffer->allocation_list));
    dma_buffer->allocations = vidmm_allocate(host, allocations * sizeof(struct vidmm_allocation *));
    dma_buffer->references = vidmm_allocate(host, allocations * sizeof(*dma_buffer->references));
    dma_buffer->reference_room = (uint32_t)allocations;
    dma_buffer->element_of = vidmm_allocate(host, allocations * sizeof(uint32_t));
    dma_buffer->reference_of = vidmm_allocate(host, allocations * sizeof(uint32_t));
    dma_buffer->patch_list = vidmm_allocate(host, (patches + 1) * sizeof(*dma_buffer->patch_list));
    dma_buffer->patches = vidmm_allocate(host, (patches + 1) * sizeof(*dma_buffer->patches));
    return dma_buffer->allocation_list && dma_buffer->allocations && dma_buffer->references &&
           dma_buffer->element_of && dma_buffer->reference_of && dma_buffer->patch_list &&
           dma_buffer->patches;
}

static NTSTATUS init_dma_buffer(struct vidmm_context *context, struct vidmm_dma_buffer *dma_buffer,
                                const DXGK_CONTEXTINFO *info)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    uint32_t index;
    bool taken;

    VIDMM_ASSERT(dma_buffer->id == 0 && !dma_buffer->context);
    dma_buffer->context = context;
    vidmm_adapter_lock(adapter);
    taken = vidmm_slot_take(&adapter->dma_buffers, &adapter->host->memory, dma_buffer,
                            VIDMM_HANDLE_ALLOCATION, &index);
    vidmm_adapter_unlock(adapter);
    if (!taken)
        return STATUS_NO_MEMORY;
    dma_buffer->id = index + 1;
    if (!allocate_lists(adapter->host, dma_buffer, info))
        return STATUS_NO_MEMORY;
    return vidmm_command_memory_init(adapter, context->device, &dma_buffer->memory,
                                     info->DmaBufferSegmentSet, info->DmaBufferSize,
                                     info->DmaBufferPrivateDataSize);
}

NTSTATUS vidmm_dma_buffers_init(struct vidmm_context *context, const DXGK_CONTEXTINFO *info)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    for (index = 0; index < context->dma_buffer_count && status == STATUS_SUCCESS; index++)
        status = init_dma_buffer(context, &context->dma_buffers[index], info);
    return status;
}

void vidmm_dma_buffers_finish(struct vidmm_context *context)
{
    uint32_t index;

    for (index = 0; index < context->dma_buffer_count; index++)
        finish_dma_buffer(context->device->adapter, &context->dma_buffers[index]);
}
