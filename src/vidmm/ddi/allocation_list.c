/* allocation_list.c: the allocation list of a DMA buffer, with the places of what it names.
 *
 * Source: DXGK_ALLOCATIONLIST; rules D-007, D-337, D-338.
 */
#include "vidmm/ddi/allocation_list.h"

#include <string.h>

#include <vidmm/engine.h>
#include <vidmm/test_fault.h>
#include <wddm/d3dkmddi_submit.h>

#include "vidmm/ddi/address.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"

#include "base/assert.h"

/* The driver may pre-patch by it, unless a test keeps it from that. */
static struct vidmm_place place_of(const struct vidmm_adapter *adapter, uint32_t id)
{
    return (atomic_load(&adapter->faults) & VIDMM_TEST_NO_PRE_PATCHING) == 0
               ? vidmm_engine_where(adapter->engine, id)
               : (struct vidmm_place){0, 0, 0};
}

void vidmm_ddi_fill_list(struct vidmm_dma_buffer *dma_buffer,
                         const struct vidmm_render_reference *references)
{
    struct vidmm_adapter *adapter = dma_buffer->context->device->adapter;
    uint32_t index;

    VIDMM_ASSERT(!dma_buffer->busy);
    vidmm_adapter_lock(adapter);
    for (index = 0; index < dma_buffer->list_count; index++) {
        DXGK_ALLOCATIONLIST *entry = &dma_buffer->allocation_list[index];
        struct vidmm_place place;

        memset(entry, 0, sizeof(*entry));
        if (!references[index].allocation)
            continue;
        place = place_of(adapter, vidmm_original(references[index].allocation)->id);
        entry->hDeviceSpecificAllocation = references[index].allocation->h_device_specific;
        entry->WriteOperation = references[index].write;
        entry->SegmentId = place.segment & 0x1f; /* obeys D-337 */
        if (place.segment != 0)
            entry->PhysicalAddress = vidmm_ddi_address(adapter, place);
    }
    vidmm_adapter_unlock(adapter);
}

void vidmm_ddi_placed(struct vidmm_dma_buffer *dma_buffer, uint32_t index, struct vidmm_place place)
{
    DXGK_ALLOCATIONLIST *entry;

    VIDMM_ASSERT(dma_buffer && dma_buffer->busy);
    VIDMM_ASSERT(vidmm_adapter_is_locked(dma_buffer->context->device->adapter));
    if (index >= dma_buffer->allocation_count)
        return; /* its context's own: the driver was told by BuildPagingBuffer */
    entry = &dma_buffer->allocation_list[dma_buffer->element_of[index]];
    entry->SegmentId = place.segment & 0x1f;
    entry->PhysicalAddress = vidmm_ddi_address(dma_buffer->context->device->adapter, place);
}
