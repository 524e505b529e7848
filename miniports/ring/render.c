/* render.c: from a command buffer to a DMA buffer.
 *
 * DxgkDdiRender gets what user mode wrote. It may hold anything, and may change while it is read:
 * so each command is copied once, checked, and written anew. The place of each allocation becomes
 * an entry of the patch-location list, and is filled in where it is known already. DxgkDdiPatch
 * fills it in just before the GPU runs, when the memory manager has placed or moved the allocation.
 */
#include "ring.h"

/* One of the two addresses in a command. */
static NTSTATUS AddPatch(DXGKARG_RENDER *Arg, UINT Allocation, ULONG64 Offset, ULONG64 Count,
                         ULONG64 *Place, const UCHAR *Start)
{
    D3DDDI_PATCHLOCATIONLIST *Patch = Arg->pPatchLocationListOut;
    const DXGK_ALLOCATIONLIST *At = &Arg->pAllocationList[Allocation];
    const struct ring_allocation *Opened;

    if (Allocation >= Arg->AllocationListSize || !At->hDeviceSpecificAllocation)
        return STATUS_INVALID_HANDLE;
    Opened = (const struct ring_allocation *)At->hDeviceSpecificAllocation;
    if (Count > Opened->Size || Offset > Opened->Size - Count || Offset > MAXULONG)
        return STATUS_INVALID_USER_BUFFER;
    RtlZeroMemory(Patch, sizeof(*Patch));
    Patch->AllocationIndex = Allocation;
    Patch->AllocationOffset = (UINT)Offset;
    Patch->PatchOffset = (UINT)((const UCHAR *)Place - Start);
    /* Between any two commands the DMA buffer may be cut. */
    Patch->SplitOffset = (UINT)((const UCHAR *)Arg->pDmaBuffer - Start);
    Arg->pPatchLocationListOut++;
    if (At->SegmentId != 0) /* where it stays there, DxgkDdiPatch need not be called */
        *Place = (ULONG64)At->PhysicalAddress.QuadPart + Offset;
    return STATUS_SUCCESS;
}

/* A target of a command must have been announced as written: the memory manager relies on it. */
static BOOLEAN MayWrite(const DXGKARG_RENDER *Arg, UINT Allocation)
{
    return Allocation < Arg->AllocationListSize && Arg->pAllocationList[Allocation].WriteOperation;
}

/* Start is the DMA buffer's; Patches is the end of the patch-location list. */
static NTSTATUS Translate(DXGKARG_RENDER *Arg, const struct ring_user_command *User,
                          const UCHAR *Start, const D3DDDI_PATCHLOCATIONLIST *Patches)
{
    struct ring_command *To = (struct ring_command *)Arg->pDmaBuffer;
    NTSTATUS Status;

    if (User->opcode == RING_NOP)
        return STATUS_SUCCESS;
    if (User->opcode > RING_COPY || (User->opcode != RING_READ && !MayWrite(Arg, User->allocation)))
        return STATUS_PRIVILEGED_INSTRUCTION;
    if (Arg->DmaSize - (UINT)((const UCHAR *)To - Start) < sizeof(*To) ||
        Patches - Arg->pPatchLocationListOut < (User->opcode == RING_COPY ? 2 : 1))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    RtlZeroMemory(To, sizeof(*To));
    To->opcode = User->opcode;
    To->bytes = sizeof(*To);
    To->second = User->pattern;
    To->count = User->count;
    Status = AddPatch(Arg, User->allocation, User->offset, User->count, &To->first, Start);
    if (NT_SUCCESS(Status) && User->opcode == RING_COPY)
        Status = AddPatch(Arg, User->source, User->source_offset, User->count, &To->second, Start);
    if (NT_SUCCESS(Status))
        Arg->pDmaBuffer = To + 1;
    return Status;
}

/* User memory: it may be gone when it is read. */
static NTSTATUS ReadCommand(const DXGKARG_RENDER *Arg, UINT Index,
                            struct ring_user_command *Command)
{
    __try {
        RtlCopyMemory(Command, (const struct ring_user_command *)Arg->pCommand + Index,
                      sizeof(*Command));
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return STATUS_INVALID_USER_BUFFER;
    }
    return STATUS_SUCCESS;
}

/* MultipassOffset is the index of the command that did not fit. */
NTSTATUS RingRender(CONST HANDLE hContext, DXGKARG_RENDER *Arg)
{
    const D3DDDI_PATCHLOCATIONLIST *Patches =
        Arg->pPatchLocationListOut + Arg->PatchLocationListOutSize;
    const UCHAR *Start = (const UCHAR *)Arg->pDmaBuffer;
    UINT Count = Arg->CommandLength / sizeof(struct ring_user_command);
    NTSTATUS Status = STATUS_SUCCESS;

    UNREFERENCED_PARAMETER(hContext);
    for (; Arg->MultipassOffset < Count; Arg->MultipassOffset++) {
        struct ring_user_command Command;

        Status = ReadCommand(Arg, Arg->MultipassOffset, &Command);
        if (NT_SUCCESS(Status))
            Status = Translate(Arg, &Command, Start, Patches);
        if (!NT_SUCCESS(Status))
            break;
    }
    return Status;
}

/* Fill in the places of the allocations, now. A paging buffer needs no patches: its addresses were
 * known. */
NTSTATUS RingPatch(CONST HANDLE hAdapter, CONST DXGKARG_PATCH *Arg)
{
    UINT i;

    UNREFERENCED_PARAMETER(hAdapter);
    for (i = 0; i < Arg->PatchLocationListSubmissionLength; i++) {
        const D3DDDI_PATCHLOCATIONLIST *Patch =
            &Arg->pPatchLocationList[Arg->PatchLocationListSubmissionStart + i];
        const DXGK_ALLOCATIONLIST *At = &Arg->pAllocationList[Patch->AllocationIndex];

        *(ULONG64 *)((UCHAR *)Arg->pDmaBuffer + Patch->PatchOffset) =
            (ULONG64)At->PhysicalAddress.QuadPart + Patch->AllocationOffset;
    }
    return STATUS_SUCCESS;
}
