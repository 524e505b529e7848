/*
 * Theory. A blt is a command for each sub-rectangle: rows of bytes from one surface to another, and
 * two patch locations, one for the address of each surface. Nothing is stretched and no colour
 * converted; clipping is done already. MultipassOffset counts the sub-rectangles that are in a DMA
 * buffer.
 *
 *     source          destination       DstRect - SrcRect is how far the picture moves
 *     +-------+       +---------+
 *     | a  b  |       |         |       Each command can be split from the next.
 *     |       |  -->  |   a  b  |
 *     +-------+       +---------+
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

/* The output of Present, and the two surfaces. */
struct output {
    struct softgpu_adapter *adapter;
    DXGKARG_PRESENT *args;
    const struct softgpu_driver_allocation *source, *destination;
    UINT bytes_of_pixel;
    UINT written; /* bytes */
    UINT patches, commands;
};

/* The surface of an element of the list; NULL: it is none. */
static const struct softgpu_driver_allocation *surface_of(const DXGK_ALLOCATIONLIST *element)
{
    const struct softgpu_opened *opened = element->hDeviceSpecificAllocation;

    if (opened == NULL || opened->kind != SOFTGPU_OPENED || opened->allocation->wanted.width == 0 ||
        opened->allocation->wanted.height == 0)
        return NULL;
    return opened->allocation;
}

static UINT pitch_of(const struct softgpu_driver_allocation *surface)
{
    return softgpu_pitch(surface->wanted.width, (D3DDDIFORMAT)surface->wanted.format);
}

/* Whether a rectangle lies in the surface, and that in its memory. */
static BOOLEAN holds(const struct softgpu_driver_allocation *surface, const RECT *rect)
{
    const struct softgpu_allocation *wanted = &surface->wanted;

    return rect->left >= 0 && rect->top >= 0 && rect->left < rect->right &&
           rect->top < rect->bottom && (UINT)rect->right <= wanted->width &&
           (UINT)rect->bottom <= wanted->height &&
           (UINT64)pitch_of(surface) * wanted->height <= wanted->size;
}

static struct softgpu_op_surface describe(const struct output *out,
                                          const struct softgpu_driver_allocation *surface,
                                          UINT index, LONG left, LONG top)
{
    const DXGK_ALLOCATIONLIST *element = &out->args->pAllocationList[index];
    UINT pitch = pitch_of(surface);

    return (struct softgpu_op_surface){
        /* an allocation in place is told now, another is patched */
        .address = element->SegmentId != 0 ? (UINT64)element->PhysicalAddress.QuadPart : 0,
        .offset = (UINT64)top * pitch + (UINT64)left * out->bytes_of_pixel,
        .pitch = pitch,
        .flags = surface->tiled ? SOFTGPU_REFERENCE_TILED : 0,
    };
}

static void add_location(struct output *out, UINT index, size_t offset)
{
    D3DDDI_PATCHLOCATIONLIST *patch = &out->args->pPatchLocationListOut[out->patches++];

    memset(patch, 0, sizeof(*patch));
    patch->AllocationIndex = index;
    patch->SlotId = (index - DXGK_PRESENT_SOURCE_INDEX) & 0xffffff;
    patch->PatchOffset = out->written + (UINT)offset;
    patch->SplitOffset = out->written;
}

/* The command of one sub-rectangle. */
static NTSTATUS write_blt(struct output *out, const RECT *to)
{
    const DXGKARG_PRESENT *args = out->args;
    LONG right = args->SrcRect.left - args->DstRect.left,
         down = args->SrcRect.top - args->DstRect.top;
    const RECT from = {to->left + right, to->top + down, to->right + right, to->bottom + down};
    struct softgpu_op_blt op = {.command = {.opcode = SOFTGPU_OP_BLT, .size = sizeof(op)}};

    if (!holds(out->source, &from) || !holds(out->destination, to))
        return softgpu_refuse(out->adapter, STATUS_INVALID_PARAMETER,
                              "Present: rectangle %d, %d to %d, %d is not on both surfaces",
                              (int)to->left, (int)to->top, (int)to->right, (int)to->bottom);
    if (sizeof(op) > args->DmaSize - out->written ||
        args->PatchLocationListOutSize - out->patches < 2)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    op.source = describe(out, out->source, DXGK_PRESENT_SOURCE_INDEX, from.left, from.top);
    op.destination =
        describe(out, out->destination, DXGK_PRESENT_DESTINATION_INDEX, to->left, to->top);
    op.row_bytes = (UINT)(to->right - to->left) * out->bytes_of_pixel;
    op.rows = (UINT)(to->bottom - to->top);
    memcpy((char *)args->pDmaBuffer + out->written, &op, sizeof(op));
    add_location(out, DXGK_PRESENT_SOURCE_INDEX, offsetof(struct softgpu_op_blt, source.address));
    add_location(out, DXGK_PRESENT_DESTINATION_INDEX,
                 offsetof(struct softgpu_op_blt, destination.address));
    out->written += (UINT)sizeof(op);
    out->commands++;
    return STATUS_SUCCESS;
}

static NTSTATUS find_surfaces(struct output *out)
{
    const DXGKARG_PRESENT *args = out->args;

    out->source = surface_of(&args->pAllocationList[DXGK_PRESENT_SOURCE_INDEX]);
    out->destination = surface_of(&args->pAllocationList[DXGK_PRESENT_DESTINATION_INDEX]);
    if (!args->Flags.Blt || out->source == NULL || out->destination == NULL ||
        !args->pAllocationList[DXGK_PRESENT_DESTINATION_INDEX].WriteOperation)
        return softgpu_refuse(out->adapter, STATUS_INVALID_HANDLE,
                              "Present: flags 0x%x, and not a surface to read and one to write",
                              args->Flags.Value);
    out->bytes_of_pixel = softgpu_bytes_of_pixel((D3DDDIFORMAT)out->source->wanted.format);
    if (out->bytes_of_pixel !=
        softgpu_bytes_of_pixel((D3DDDIFORMAT)out->destination->wanted.format))
        return STATUS_GRAPHICS_CANNOTCOLORCONVERT;
    if (args->SrcRect.right - args->SrcRect.left != args->DstRect.right - args->DstRect.left ||
        args->SrcRect.bottom - args->SrcRect.top != args->DstRect.bottom - args->DstRect.top)
        return softgpu_refuse(out->adapter, STATUS_INVALID_PARAMETER, "Present: a stretch");
    return STATUS_SUCCESS;
}

/* Return the progress of Present. */
static void finish(const struct output *out)
{
    DXGKARG_PRESENT *args = out->args;
    struct softgpu_private_record record = {.mark = SOFTGPU_PRIVATE_MARK,
                                            .commands = out->commands};

    if (args->pDmaBufferPrivateData != NULL && args->DmaBufferPrivateDataSize >= sizeof(record)) {
        memcpy(args->pDmaBufferPrivateData, &record, sizeof(record));
        args->pDmaBufferPrivateData = (char *)args->pDmaBufferPrivateData + sizeof(record);
    }
    args->pDmaBuffer = (char *)args->pDmaBuffer + out->written;
    args->pPatchLocationListOut += out->patches;
    args->MultipassOffset += out->commands;
}

NTSTATUS SoftgpuPresent(HANDLE hContext, DXGKARG_PRESENT *pPresent)
{
    struct output out = {.adapter = softgpu_device_of(hContext)->adapter, .args = pPresent};
    NTSTATUS status;

    if (softgpu_is_virtual(hContext))
        return softgpu_refuse(out.adapter, STATUS_INVALID_PARAMETER,
                              "Present: the context has virtual addresses");
    status = find_surfaces(&out);
    for (UINT i = pPresent->MultipassOffset; i < pPresent->SubRectCnt && NT_SUCCESS(status); i++)
        status = write_blt(&out, &pPresent->pDstSubRects[i]);
    if (status == STATUS_SUCCESS || status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
        finish(&out);
    return status;
}
