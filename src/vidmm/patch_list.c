/* patch_list.c: what DxgkDdiRender says of the places it wants patched, held against what is possible,
 * and put into the engine's numbers.
 *
 * A patch location names an element of the allocation list and a byte of the DMA buffer, and may ask
 * for the DMA buffer to be cut at its SplitOffset. What names nothing is a miniport's bug that Windows
 * finds when it splits the buffer (0x10e, 8); here the DMA buffer is refused before it is queued.
 *
 * Source: D3DDDI_PATCHLOCATIONLIST; rules D-086, D-087, D-332, D-338, D-339.
 */
#include "adapter_state.h"

/* What is wrong with a patch location; NULL: nothing. *value receives the number that is. */
static const char *find_wrong(const struct vidmm_adapter *adapter,
                              const struct vidmm_dma_buffer *dma_buffer, uint32_t index,
                              uint64_t *value)
{
    const D3DDDI_PATCHLOCATIONLIST *location = &dma_buffer->patch_list[index];
    uint32_t slots = adapter->caps.MaxAllocationListSlotId;

    *value = location->AllocationIndex;
    if (location->AllocationIndex >= dma_buffer->list_count) {
        return "AllocationIndex names no element of the allocation list (D-087)";
    }
    *value = location->PatchOffset;
    if (location->PatchOffset > dma_buffer->used) {
        return "PatchOffset lies outside the DMA buffer (D-332)";
    }
    *value = location->SplitOffset;
    if (location->SplitOffset > dma_buffer->used) {
        return "SplitOffset lies outside the DMA buffer (D-086)";
    }
    if (index > 0 && location->SplitOffset < dma_buffer->patch_list[index - 1].SplitOffset) {
        return "SplitOffset is below that of the location before it (D-086)";
    }
    *value = location->Value;
    if (slots != 0 && location->Value >= slots) {
        return "SlotId is not below MaxAllocationListSlotId (D-339)";
    }
    return NULL;
}

/* A patch location in the engine's numbers. Elements without an allocation are no references. */
static struct vidmm_patch_location translate(const struct vidmm_dma_buffer *dma_buffer,
                                             const D3DDDI_PATCHLOCATIONLIST *location)
{
    return (struct vidmm_patch_location){
        .reference = dma_buffer->reference_of[location->AllocationIndex], /* obeys D-338 */
        .slot = location->Value,
        .split_offset = location->SplitOffset,
    };
}

NTSTATUS vidmm_patch_list_take(struct vidmm_dma_buffer *dma_buffer, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = dma_buffer->context->device->adapter;
    uint32_t index, count = dma_buffer->patch_count;
    bool splits = false;

    for (index = 0; index < count; index++) {
        uint64_t value;
        const char *wrong = find_wrong(adapter, dma_buffer, index, &value);

        if (wrong) {
            adapter->findings++;
            return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER,
                                        "a patch location of DxgkDdiRender", value, wrong);
        }
        splits |=
            dma_buffer->patch_list[index].SplitOffset != dma_buffer->patch_list[0].SplitOffset;
    }
    dma_buffer->splits = splits;
    for (index = 0; splits && index < count; index++) {
        dma_buffer->patches[index] = translate(dma_buffer, &dma_buffer->patch_list[index]);
    }
    return STATUS_SUCCESS;
}
