/*
 * Theory. A context of GDI with virtual addresses has its command buffers copied, command by
 * command, with the address of each allocation in the process: there is nothing to patch later.
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

/* The element that a reference names, if it has an address; NULL: none such. */
static const DXGK_ALLOCATIONLIST *element_of(const DXGKARG_RENDERGDI *args,
                                             const struct softgpu_reference *reference)
{
    const DXGK_ALLOCATIONLIST *element;

    if (reference->allocation_index >= args->AllocationListSize)
        return NULL;
    element = &args->pAllocationList[reference->allocation_index];
    if (element->VirtualAddress == 0 || (reference->flags & ~SOFTGPU_REFERENCE_WRITE) != 0)
        return NULL;
    return (reference->flags & SOFTGPU_REFERENCE_WRITE) == 0 || element->WriteOperation ? element
                                                                                        : NULL;
}

static BOOLEAN write_reference(const DXGKARG_RENDERGDI *args, const unsigned char *user,
                               unsigned char *dma)
{
    const DXGK_ALLOCATIONLIST *element;
    struct softgpu_reference reference;
    struct softgpu_virtual_reference virtual;

    memcpy(&reference, user, sizeof(reference));
    element = element_of(args, &reference);
    if (element == NULL)
        return FALSE;
    virtual = (struct softgpu_virtual_reference){
        .gpuva = element->VirtualAddress,
        .pages = reference.pages,
        .digest = reference.digest,
        .content_id = reference.content_id,
        .generation = reference.generation,
        .flags = reference.flags,
    };
    memcpy(dma, &virtual, sizeof(virtual));
    return TRUE;
}

/* Write one command to the DMA buffer. SUCCESS: it has moved on. */
static NTSTATUS translate(struct softgpu_adapter *adapter, DXGKARG_RENDERGDI *args,
                          const unsigned char *user, const struct softgpu_touch *touch, UINT room,
                          UINT *size)
{
    unsigned char *dma = args->pDmaBuffer;
    struct softgpu_virtual_touch op = {.command = {.opcode = SOFTGPU_VIRTUAL_TOUCH},
                                       .reference_count = touch->reference_count,
                                       .seed = touch->seed};

    *size = (UINT)(sizeof(op) + touch->reference_count * sizeof(struct softgpu_virtual_reference));
    if (*size > SOFTGPU_WINDOW_SIZE)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "RenderGdi: a command of %u references", touch->reference_count);
    if (*size > room)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    for (UINT i = 0; i < touch->reference_count; i++)
        if (!write_reference(args, user + sizeof(*touch) + i * sizeof(struct softgpu_reference),
                             dma + sizeof(op) + i * sizeof(struct softgpu_virtual_reference)))
            return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                                  "RenderGdi: reference %u names no element with an address", i);
    op.command.size = *size;
    memcpy(dma, &op, sizeof(op));
    args->pDmaBuffer = dma + *size;
    return STATUS_SUCCESS;
}

static NTSTATUS render(HANDLE hContext, DXGKARG_RENDERGDI *pRenderGdi)
{
    struct softgpu_adapter *adapter = softgpu_device_of(hContext)->adapter;
    UINT at = pRenderGdi->MultipassOffset, room = pRenderGdi->DmaSize, size = 0;
    NTSTATUS status = STATUS_SUCCESS;

    if (!softgpu_is_virtual(hContext) || at > pRenderGdi->CommandLength)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "RenderGdi: MultipassOffset %u of %u, or no virtual addresses", at,
                              pRenderGdi->CommandLength);
    while (at < pRenderGdi->CommandLength) {
        const unsigned char *user = (const unsigned char *)pRenderGdi->pCommand + at;
        struct softgpu_touch touch;
        const char *wrong = softgpu_read_touch(user, pRenderGdi->CommandLength - at, &touch);

        if (wrong != NULL)
            return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER, "RenderGdi: byte %u: %s", at,
                                  wrong);
        status = translate(adapter, pRenderGdi, user, &touch, room, &size);
        if (!NT_SUCCESS(status))
            break;
        at += touch.command.size;
        room -= size;
    }
    pRenderGdi->MultipassOffset = at;
    return status;
}

/* obeys D-336 */
NTSTATUS SoftgpuRenderGdi(HANDLE hContext, DXGKARG_RENDERGDI *pRenderGdi)
{
    NTSTATUS status = STATUS_SUCCESS;

    SOFTGPU_GUARDED
    {
        status = render(hContext, pRenderGdi);
    }
    SOFTGPU_IF_GONE
    {
        status = softgpu_refuse(softgpu_device_of(hContext)->adapter, STATUS_INVALID_PARAMETER,
                                "RenderGdi: a command buffer of %u bytes that cannot be read",
                                pRenderGdi->CommandLength);
    }
    return status;
}
