/* patch_list.c: the places that DxgkDdiRender or DxgkDdiPresent wants patched, held against the
 * possible ones, and put into the engine's numbers.
 *
 * A patch location names an element of the allocation list and a byte of the DMA buffer, and may
 * ask for the DMA buffer to be cut at its SplitOffset. A location that names nothing is a
 * miniport's bug that Windows finds when it splits the buffer (0x10e, 8); here the DMA buffer is
 * refused before it is queued.
 *
 * Source: D3DDDI_PATCHLOCATIONLIST; rules D-086, D-087, D-332, D-338, D-339.
 */
#include "vidmm/ddi/patch_list.h"

#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/report.h"

#include "base/assert.h"

/* The mistake in a patch location; NULL: none. *value receives the number that is wrong. */
static const char *find_wrong(const struct vidmm_adapter *adapter,
                              const struct vidmm_dma_buffer *dma_buffer, uint32_t index,
                              uint64_t *value)
{
    const D3DDDI_PATCHLOCATIONLIST *location = &dma_buffer->patch_list[index];
    uint32_t slots = adapter->miniport->caps.MaxAllocationListSlotId;

    VIDMM_ASSERT(index < dma_buffer->context->patch_list_size);
    *value = location->AllocationIndex;
    if (location->AllocationIndex >= dma_buffer->list_count)
        return "AllocationIndex names no element of the allocation list (D-087)";
    *value = location->PatchOffset;
    if (location->PatchOffset > dma_buffer->used)
        return "PatchOffset lies outside the DMA buffer (D-332)";
    *value = location->SplitOffset;
    if (location->SplitOffset > dma_buffer->used)
        return "SplitOffset lies outside the DMA buffer (D-086)";
    if (index > 0 && location->SplitOffset < dma_buffer->patch_list[index - 1].SplitOffset)
        return "SplitOffset is below that of the location before it (D-086)";
    *value = location->Value;
    if (slots != 0 && location->Value >= slots)
        return "SlotId is not below MaxAllocationListSlotId (D-339)";
    return "Reserved is not 0"; /* the only case left: a SlotId of all ones, where there is no
                                 * table */
}

/* Whether all is well with a patch location, the one before it ending at `before`. */
static bool is_possible(const struct vidmm_dma_buffer *dma_buffer,
                        const D3DDDI_PATCHLOCATIONLIST *location, uint32_t before, uint32_t slots)
{
    return location->AllocationIndex < dma_buffer->list_count &&
           location->PatchOffset <= dma_buffer->used && location->SplitOffset >= before &&
           location->SplitOffset <= dma_buffer->used && location->Value < slots;
}

/* A patch location in the engine's numbers. Elements without an allocation are no references. */
static struct vidmm_patch_location translate(const struct vidmm_dma_buffer *dma_buffer,
                                             const D3DDDI_PATCHLOCATIONLIST *location)
{
    VIDMM_ASSERT(location->AllocationIndex < dma_buffer->list_count);
    return (struct vidmm_patch_location){
        .reference = dma_buffer->reference_of[location->AllocationIndex], /* obeys D-338 */
        .slot = location->Value,
        .split_offset = location->SplitOffset,
    };
}

static NTSTATUS refuse(struct vidmm_dma_buffer *dma_buffer, uint32_t index, const char *what,
                       struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = dma_buffer->context->device->adapter;
    uint64_t value;
    const char *wrong = find_wrong(adapter, dma_buffer, index, &value);

    adapter->findings++;
    return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, what, value, wrong);
}

NTSTATUS vidmm_patch_list_take(struct vidmm_dma_buffer *dma_buffer, const char *what,
                               struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = dma_buffer->context->device->adapter;
    const D3DDDI_PATCHLOCATIONLIST *list = dma_buffer->patch_list;
    uint32_t slots = adapter->miniport->caps.MaxAllocationListSlotId;
    uint32_t index, before = 0, count = dma_buffer->patch_count;

    slots = slots != 0 ? slots : UINT32_MAX;
    for (index = 0; index < count; index++) {
        if (!is_possible(dma_buffer, &list[index], before, slots))
            return refuse(dma_buffer, index, what, report);
        before = list[index].SplitOffset;
    }
    for (index = 0; index < count; index++)
        dma_buffer->patches[index] = translate(dma_buffer, &dma_buffer->patch_list[index]);
    return STATUS_SUCCESS;
}
