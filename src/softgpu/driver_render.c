/*
 * Theory. A TOUCH of user mode becomes a TOUCH of the engine: each reference loses its index into
 * the allocation list and gains a place for an address, which a patch location names. All
 * references of a command share one split offset, the beginning of the command: there the DMA
 * buffer may be cut, and what follows needs them all at once.
 *
 *     command 1: a b c     patch locations  a slot 0 @0   b slot 1 @0   c slot 2 @0
 *     command 2: a d                        d slot 1 @n   (unbound) slot 2 @n
 *                                           a is said to be bound: it stays, and has no location
 *
 * The patch-location list is the table of slots: the content of a slot is found by looking back in
 * it.
 *
 * A command is copied piece by piece and each piece is checked in the copy (obeys D-336): user mode
 * may change the original at any time.
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

/* The output of Render. */
struct output {
    unsigned char *dma;
    D3DDDI_PATCHLOCATIONLIST *patch;
    UINT dma_offset; /* of `dma`, from the start of the buffer */
    UINT dma_room;
    UINT patch_room;
    UINT commands;
    UINT bound; /* slots that may hold something, from 0 on */
};

/* The element that a reference names; NULL: none, or not such a one. */
static const DXGK_ALLOCATIONLIST *element_of(const DXGKARG_RENDER *args,
                                             const struct softgpu_reference *reference)
{
    const DXGK_ALLOCATIONLIST *element;
    const struct softgpu_opened *opened;
    UINT64 pages;

    if (reference->allocation_index >= args->AllocationListSize)
        return NULL;
    element = &args->pAllocationList[reference->allocation_index];
    opened = element->hDeviceSpecificAllocation;
    if (opened == NULL || opened->kind != SOFTGPU_OPENED)
        return NULL;
    pages = (softgpu_size_of(opened->allocation) + SOFTGPU_PAGE_SIZE - 1) / SOFTGPU_PAGE_SIZE;
    if (reference->pages == 0 || reference->pages > pages)
        return NULL;
    if ((reference->flags & ~(SOFTGPU_REFERENCE_WRITE | SOFTGPU_REFERENCE_BOUND)) != 0)
        return NULL;
    if ((reference->flags & SOFTGPU_REFERENCE_WRITE) != 0 && !element->WriteOperation)
        return NULL;
    return element;
}

static void lie_about_patch(const struct softgpu_adapter *adapter, const DXGKARG_RENDER *args,
                            D3DDDI_PATCHLOCATIONLIST *patch)
{
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_RENDER_PATCH_RANGE))
        patch->PatchOffset = args->DmaSize + 8;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_RENDER_PATCH_INDEX))
        patch->AllocationIndex = args->AllocationListSize;
}

/* Whether the slot holds the allocation of this element since an earlier command of the buffer. */
static BOOLEAN stands_in_slot(const DXGKARG_RENDER *args, const struct output *out, UINT slot,
                              UINT element)
{
    const D3DDDI_PATCHLOCATIONLIST *patch = out->patch;

    while (patch != args->pPatchLocationListOut) {
        patch--;
        if (patch->SlotId == slot)
            return patch->SplitOffset != out->dma_offset && patch->AllocationIndex == element;
    }
    return FALSE;
}

static void add_location(struct output *out, UINT element, UINT slot, UINT offset)
{
    memset(out->patch, 0, sizeof(*out->patch));
    out->patch->AllocationIndex = element;
    out->patch->SlotId = slot & 0xffffff;
    out->patch->DriverId = slot;
    out->patch->PatchOffset = offset;
    out->patch->SplitOffset = out->dma_offset;
    out->patch++;
    out->patch_room--;
}

/* obeys D-338: bindings of the commands before in further slots are let go */
static void unbind_slots(const DXGKARG_RENDER *args, struct output *out, UINT count)
{
    if (args->AllocationListSize == 0 ||
        args->pAllocationList[0].hDeviceSpecificAllocation != NULL) {
        out->bound = out->bound > count ? out->bound : count;
        return;
    }
    while (out->bound > count)
        add_location(out, 0, --out->bound, out->dma_offset);
    out->bound = count;
}

static BOOLEAN is_tiled(const DXGK_ALLOCATIONLIST *element)
{
    const struct softgpu_opened *opened = element->hDeviceSpecificAllocation;

    return opened->allocation->tiled;
}

/* Whether it is marked HistoryBuffer, as that is to be marked (S0-056, S0-058). */
static BOOLEAN is_history(const DXGK_ALLOCATIONLIST *element)
{
    const struct softgpu_opened *opened = element->hDeviceSpecificAllocation;
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = opened->allocation->wanted.flags};
    DXGK_ALLOCATIONINFOFLAGS marked = {.CpuVisible = 1, .HistoryBuffer = 1};

    flags.Cached = 0;
    return flags.Value == marked.Value;
}

/* Whether each GPU of the link has an instance of its own. */
static BOOLEAN is_instanced(const struct softgpu_adapter *adapter,
                            const DXGK_ALLOCATIONLIST *element)
{
    const struct softgpu_opened *opened = element->hDeviceSpecificAllocation;
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = opened->allocation->wanted.flags};

    return adapter->level < 20 && adapter->chain != NULL && flags.LinkInstanced;
}

/* One reference: into the buffer, and into the patch list. */
static BOOLEAN write_reference(struct softgpu_adapter *adapter, const DXGKARG_RENDER *args,
                               struct output *out, UINT position,
                               const struct softgpu_reference *reference)
{
    const DXGK_ALLOCATIONLIST *element = element_of(args, reference);
    UINT offset =
        (UINT)(sizeof(struct softgpu_op_touch) + position * sizeof(struct softgpu_op_reference));
    struct softgpu_op_reference op = {
        .pages = reference->pages,
        .digest = reference->digest,
        .content_id = reference->content_id,
        .generation = reference->generation,
        .flags = reference->flags,
    };

    if (element == NULL)
        return FALSE;
    if (is_tiled(element))
        op.flags |= SOFTGPU_REFERENCE_TILED;
    if (adapter->level >= 13 && is_history(element))
        op.flags |= SOFTGPU_REFERENCE_HISTORY;
    if (is_instanced(adapter, element))
        op.flags |= SOFTGPU_REFERENCE_INSTANCED;
    if ((op.flags & SOFTGPU_REFERENCE_BOUND) != 0 &&
        !stands_in_slot(args, out, position, reference->allocation_index))
        op.flags &= ~SOFTGPU_REFERENCE_BOUND;
    if ((op.flags & SOFTGPU_REFERENCE_BOUND) == 0) {
        if (element->SegmentId != 0) { /* obeys D-087: pre-patch what has a place already */
            op.address = (UINT64)element->PhysicalAddress.QuadPart;
            atomic_fetch_add(&adapter->registers->driver.prepatched, 1);
        }
        add_location(out, reference->allocation_index, position, out->dma_offset + offset);
        lie_about_patch(adapter, args, out->patch - 1);
    }
    memcpy(out->dma + offset, &op, sizeof(op));
    return TRUE;
}

static UINT size_of_touch(UINT references)
{
    return (UINT)(sizeof(struct softgpu_op_touch) +
                  references * sizeof(struct softgpu_op_reference));
}

const char *softgpu_read_touch(const unsigned char *user, UINT left, struct softgpu_touch *touch)
{
    if (left < sizeof(*touch))
        return "a command is cut short";
    memcpy(touch, user, sizeof(*touch));
    if (touch->command.opcode != SOFTGPU_TOUCH)
        return "unknown opcode";
    if (touch->reference_count > SOFTGPU_TOUCH_REFERENCES || touch->reserved != 0)
        return "more references than 65536";
    if (touch->command.size != softgpu_touch_size(touch->reference_count))
        return "size of a command";
    return touch->command.size > left ? "a command is cut short" : NULL;
}

/* Translate one command. SUCCESS: it is written, and `out` has moved on. */
static NTSTATUS translate(struct softgpu_adapter *adapter, const DXGKARG_RENDER *args,
                          struct output *out, const unsigned char *user,
                          const struct softgpu_touch *touch)
{
    UINT count = touch->reference_count, size = size_of_touch(count);
    struct softgpu_op_touch op = {
        .command = {.opcode = SOFTGPU_OP_TOUCH, .size = size},
        .reference_count = count,
        .seed = touch->seed,
    };

    if (size > SOFTGPU_WINDOW_SIZE)
        return softgpu_refuse(
            adapter, STATUS_INVALID_PARAMETER,
            "Render: a command of %u references, %u fit into one", count,
            (UINT)((SOFTGPU_WINDOW_SIZE - sizeof(op)) / sizeof(struct softgpu_op_reference)));
    if (size > out->dma_room || (count > out->bound ? count : out->bound) > out->patch_room)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    for (UINT i = 0; i < count; i++) {
        struct softgpu_reference reference;

        memcpy(&reference, user + sizeof(*touch) + i * sizeof(reference), sizeof(reference));
        if (!write_reference(adapter, args, out, i, &reference))
            return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                                  "Render: reference %u: element %u of %u, %llu pages, flags %u", i,
                                  reference.allocation_index, args->AllocationListSize,
                                  (unsigned long long)reference.pages, reference.flags);
    }
    unbind_slots(args, out, count);
    memcpy(out->dma, &op, sizeof(op));
    out->dma += size;
    out->dma_offset += size;
    out->dma_room -= size;
    out->commands++;
    return STATUS_SUCCESS;
}

/* Return the progress of Render; on any answer but these two nothing has changed. */
static void finish(const struct softgpu_adapter *adapter, DXGKARG_RENDER *args,
                   const struct output *out)
{
    struct softgpu_private_record record = {.mark = SOFTGPU_PRIVATE_MARK,
                                            .commands = out->commands};

    if (args->pDmaBufferPrivateData != NULL && args->DmaBufferPrivateDataSize >= sizeof(record)) {
        memcpy(args->pDmaBufferPrivateData, &record, sizeof(record));
        args->pDmaBufferPrivateData = (char *)args->pDmaBufferPrivateData + sizeof(record);
    }
    args->pDmaBuffer = out->dma;
    args->pPatchLocationListOut = out->patch;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_RENDER_OVERRUN))
        args->pDmaBuffer = out->dma + out->dma_room + 64;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_RENDER_WRITES_BEHIND))
        memset(out->dma + out->dma_room, 0x5a, 8);
}

static NTSTATUS render(HANDLE hContext, DXGKARG_RENDER *pRender)
{
    struct softgpu_adapter *adapter = softgpu_device_of(hContext)->adapter;
    struct output out = {.dma = pRender->pDmaBuffer,
                         .dma_room = pRender->DmaSize,
                         .patch = pRender->pPatchLocationListOut,
                         .patch_room = pRender->PatchLocationListOutSize};
    UINT at = pRender->MultipassOffset; /* bytes of the command buffer translated so far */
    NTSTATUS status = STATUS_SUCCESS;

    if (softgpu_is_virtual(hContext))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "Render: the context has virtual addresses");
    if (at > pRender->CommandLength)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "Render: MultipassOffset %u in a command buffer of %u bytes", at,
                              pRender->CommandLength);
    while (at < pRender->CommandLength && NT_SUCCESS(status)) {
        const unsigned char *user = (const unsigned char *)pRender->pCommand + at;
        struct softgpu_touch touch;
        const char *wrong = softgpu_read_touch(user, pRender->CommandLength - at, &touch);

        if (wrong != NULL)
            return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER, "Render: byte %u: %s", at,
                                  wrong);
        status = translate(adapter, pRender, &out, user, &touch);
        if (NT_SUCCESS(status))
            at += touch.command.size;
    }
    if (status != STATUS_SUCCESS && status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
        return status;
    if (status != STATUS_SUCCESS && out.commands == 0 &&
        pRender->DmaSize >= adapter->registers->dma_buffer)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "Render: one command needs more than a DMA buffer of %u bytes and %u "
                              "patch locations",
                              pRender->DmaSize, pRender->PatchLocationListOutSize);
    pRender->MultipassOffset = at;
    finish(adapter, pRender, &out);
    return status;
}

/* obeys D-336: the command buffer may go at any time. Nothing has changed then. */
NTSTATUS SoftgpuRender(HANDLE hContext, DXGKARG_RENDER *pRender)
{
    NTSTATUS status = STATUS_SUCCESS;

    SOFTGPU_GUARDED
    {
        status = render(hContext, pRender);
    }
    SOFTGPU_IF_GONE
    {
        status = softgpu_refuse(softgpu_device_of(hContext)->adapter, STATUS_INVALID_PARAMETER,
                                "Render: a command buffer of %u bytes that cannot be read",
                                pRender->CommandLength);
    }
    return status;
}

/* ---- Patch ----------------------------------------------------------------------------------- */

/* Write one address. An address that does not fit is the system's mistake, and is not written. */
static BOOLEAN patch_one(struct softgpu_driver_register *counters, const DXGKARG_PATCH *args,
                         const D3DDDI_PATCHLOCATIONLIST *location)
{
    const DXGK_ALLOCATIONLIST *element;
    UINT64 address, before;

    if (location->AllocationIndex >= args->AllocationListSize ||
        location->PatchOffset < args->DmaBufferSubmissionStartOffset ||
        location->PatchOffset > args->DmaBufferSubmissionEndOffset ||
        args->DmaBufferSubmissionEndOffset - location->PatchOffset < sizeof(address))
        return FALSE;
    element = &args->pAllocationList[location->AllocationIndex];
    if (element->hDeviceSpecificAllocation == NULL)
        return TRUE; /* a slot is emptied: nothing is written */
    if (element->SegmentId == 0)
        return FALSE;
    address = (UINT64)element->PhysicalAddress.QuadPart + location->AllocationOffset;
    memcpy(&before, (char *)args->pDmaBuffer + location->PatchOffset, sizeof(before));
    if (before != 0 && before != address)
        atomic_fetch_add(&counters->repatched, 1);
    memcpy((char *)args->pDmaBuffer + location->PatchOffset, &address, sizeof(address));
    return TRUE;
}

NTSTATUS SoftgpuPatch(HANDLE hAdapter, const DXGKARG_PATCH *pPatch)
{
    struct softgpu_adapter *adapter = softgpu_engine(hAdapter, pPatch->EngineOrdinal);
    UINT start = pPatch->PatchLocationListSubmissionStart;
    UINT length = pPatch->PatchLocationListSubmissionLength;

    if (adapter == NULL)
        return softgpu_refuse(hAdapter, STATUS_INVALID_PARAMETER, "Patch: EngineOrdinal %u",
                              pPatch->EngineOrdinal);
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_PATCH_FAILS))
        return STATUS_UNSUCCESSFUL;
    if (start > pPatch->PatchLocationListSize || length > pPatch->PatchLocationListSize - start ||
        pPatch->DmaBufferSubmissionEndOffset > pPatch->DmaBufferSize)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "Patch: locations %u and %u more of %u, bytes to %u of %u", start,
                              length, pPatch->PatchLocationListSize,
                              pPatch->DmaBufferSubmissionEndOffset, pPatch->DmaBufferSize);
    for (UINT i = start; i < start + length; i++)
        if (!patch_one(&adapter->registers->driver, pPatch, &pPatch->pPatchLocationList[i]))
            softgpu_refuse(adapter, STATUS_SUCCESS,
                           "Patch: location %u: allocation %u of %u, byte %u of %u .. %u", i,
                           pPatch->pPatchLocationList[i].AllocationIndex,
                           pPatch->AllocationListSize, pPatch->pPatchLocationList[i].PatchOffset,
                           pPatch->DmaBufferSubmissionStartOffset,
                           pPatch->DmaBufferSubmissionEndOffset);
    return STATUS_SUCCESS;
}
