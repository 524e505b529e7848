/* context_record.c: the record of a context, and its number in events. */
#include "vidmm/client/context_record.h"

#include "vidmm/object/adapter.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/slot_table.h"

static bool take_context_number(struct vidmm_context *context)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    uint32_t index;
    bool taken;

    vidmm_adapter_lock(adapter);
    taken = vidmm_slot_take(&adapter->handles, &adapter->host->memory, context,
                            VIDMM_HANDLE_CONTEXT, &index);
    context->id = taken ? index + 1 : 0;
    vidmm_adapter_unlock(adapter);
    return taken;
}

void vidmm_context_free(struct vidmm_context *context)
{
    struct vidmm_adapter *adapter = context->device->adapter;

    vidmm_adapter_lock(adapter);
    if (context->id != 0)
        vidmm_slot_release(&adapter->handles, context->id - 1);
    vidmm_adapter_unlock(adapter);
    vidmm_free(adapter->host, context);
}

struct vidmm_context *vidmm_context_new(struct vidmm_device *device, uint32_t node)
{
    uint32_t count = device->adapter->options.dma_buffers;
    struct vidmm_context *context = vidmm_allocate(
        device->adapter->host, sizeof(*context) + count * sizeof(struct vidmm_dma_buffer));

    if (!context)
        return NULL;
    context->device = device;
    context->node = node;
    context->engines = 1;
    context->next_value = 1;
    context->dma_buffer_count = count;
    if (take_context_number(context))
        return context;
    vidmm_context_free(context);
    return NULL;
}
