/* witness.c: primaries that commands have written and do not list (D-092).
 *
 *     submitted    the primaries on the device's residency list, and where they are
 *     executed     has the GPU written there? --> is it a written primary of the submission?
 *
 * The manager sees addresses and no commands, so somebody who sees into the GPU has to say where a
 * packet has written (`gpu_wrote` of the adapter's options). A place that is noted is the primary's
 * until the packet has ended: what is on the list stays there as long. One that is destroyed as not
 * in use (D-181) is noted no more. So nobody is accused of writing what has come to that place
 * afterwards.
 *
 * Source: D3DDDICB_SUBMITCOMMAND, WrittenPrimaries; D-092.
 */
#include "vidmm/client/witness.h"

#include <vidmm/engine.h>
#include <vidmm/page.h>
#include <vidmm/plan.h>
#include <vidmm/process.h>
#include <wddm/ntstatus.h>

#include "vidmm/object/allocation.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/resource.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/witness.h"

#include "base/assert.h"
#include "wddm/rule.h"

/* Note a primary that is in memory, in one piece, or in pages of its own. */
static void note(struct vidmm_witness *witness, struct vidmm_adapter *adapter,
                 struct vidmm_allocation *primary)
{
    uint64_t size, whole = vidmm_allocation_size(primary);
    struct vidmm_place place = vidmm_engine_where_at(adapter->engine, primary->id, 0, &size);
    bool own_pages = (adapter->sets.apertures << 1 >> place.segment & 1) != 0;

    if (place.segment == 0 || (!own_pages && size < whole) ||
        witness->count == VIDMM_WRITTEN_PRIMARIES)
        return;
    witness->seen[witness->count++] = (struct vidmm_witnessed){
        .primary = primary, .place = place, .size = whole, .own_pages = own_pages};
}

void vidmm_witness_submitted(struct vidmm_dma_buffer *dma_buffer, uint32_t node, uint32_t fence)
{
    struct vidmm_device *device = dma_buffer->context->device;
    struct vidmm_witness *witness = dma_buffer->witness;
    const struct vidmm_resource *resource;
    struct vidmm_allocation *member;

    VIDMM_ASSERT(vidmm_adapter_is_locked(device->adapter));
    if (!witness)
        return;
    witness->node = node;
    witness->fence = fence;
    witness->count = 0;
    for (resource = device->resources; resource; resource = resource->next)
        for (member = resource->members; member; member = member->sibling)
            if (member->primary && vidmm_engine_residency_count(device->adapter->engine, device->id,
                                                                vidmm_original(member)->id) > 0)
                note(witness, device->adapter, vidmm_original(member));
}

static bool wrote(const struct vidmm_adapter *adapter, const struct vidmm_witness *witness,
                  const struct vidmm_witnessed *seen)
{
    struct vidmm_gpu_write question = {.node = witness->node,
                                       .fence = witness->fence,
                                       .segment = seen->place.segment,
                                       .offset = seen->place.offset,
                                       .size = seen->size};
    const struct vidmm_backing *backing = &seen->primary->backing;
    uint64_t offset, end = (uint64_t)backing->pages << VIDMM_PAGE_SHIFT;

    if (!seen->own_pages)
        return adapter->options.gpu_wrote(adapter->options.gpu_wrote_context, &question);
    question.segment = 0;
    question.size = VIDMM_PAGE_SIZE;
    for (offset = 0; offset < end; offset += VIDMM_PAGE_SIZE) {
        question.offset = vidmm_backing_page(backing, offset) << VIDMM_PAGE_SHIFT;
        if (adapter->options.gpu_wrote(adapter->options.gpu_wrote_context, &question))
            return true;
    }
    return false;
}

static bool is_listed(const struct vidmm_dma_buffer *dma_buffer,
                      const struct vidmm_allocation *primary)
{
    uint32_t index = 0;

    while (index < dma_buffer->primary_count &&
           dma_buffer->references[index].allocation != primary->id)
        index++;
    return index < dma_buffer->primary_count;
}

VIDMM_SEES(D_092);
void vidmm_witness_retired(struct vidmm_dma_buffer *dma_buffer, NTSTATUS status)
{
    struct vidmm_adapter *adapter = dma_buffer->context->device->adapter;
    struct vidmm_witness *witness = dma_buffer->witness;
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter) && witness);
    for (index = 0; status == STATUS_SUCCESS && index < witness->count; index++) {
        const struct vidmm_witnessed *seen = &witness->seen[index];

        if (!is_listed(dma_buffer, seen->primary) && wrote(adapter, witness, seen))
            vidmm_seen(adapter, VIDMM_RULE_D_092, "id of a primary that is written and not listed",
                       seen->primary->id);
    }
    witness->count = 0;
}

static void forget_in(struct vidmm_witness *witness, const struct vidmm_allocation *allocation)
{
    uint32_t index, kept = 0;

    for (index = 0; witness && index < witness->count; index++)
        if (witness->seen[index].primary != allocation)
            witness->seen[kept++] = witness->seen[index];
    if (witness)
        witness->count = kept;
}

void vidmm_witness_forget(struct vidmm_allocation *allocation)
{
    const struct vidmm_device *device;
    const struct vidmm_context *context;
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    for (device = allocation->adapter->devices; device; device = device->next)
        for (context = device->contexts; context; context = context->next)
            for (index = 0; index < context->dma_buffer_count; index++)
                forget_in(context->dma_buffers[index].witness, allocation);
}
