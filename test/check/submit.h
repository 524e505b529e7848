/* submit.h: DMA buffers are made, patched, queued. */

static void Enqueue(struct device *Device, const struct submission *New)
{
    KeAcquireSpinLockAtDpcLevel(&Device->Lock);
    Device->Submitted = New->Fence;
    Device->Queue[(Device->First + Device->Count++) % QUEUE] = *New;
    KeReleaseSpinLockFromDpcLevel(&Device->Lock);
    KeSetEvent(&Device->Work, 0, FALSE);
}

static NTSTATUS APIENTRY SubmitCommand(CONST HANDLE Adapter, CONST DXGKARG_SUBMITCOMMAND *Arg)
{
    struct device *Device = (struct device *)Adapter;
    struct submission New;

    New.Segment = Arg->DmaBufferSegmentId;
    New.Address = (ULONG64)Arg->DmaBufferPhysicalAddress.QuadPart;
    New.Start = Arg->DmaBufferSubmissionStartOffset;
    New.End = Arg->DmaBufferSubmissionEndOffset;
    New.Fence = Arg->SubmissionFenceId;
    TakePrivate(Arg, &New);
    if (Is(Device, "empty_refuses") && IsEmpty(Arg))
        return STATUS_INVALID_PARAMETER;
    if (Is(Device, "crash_unpatched") && Device->Patched != New.Fence)
        *(volatile ULONG *)(ULONG_PTR)0x10 = 1;
    if (Is(Device, "needs_patch") && Device->Patched != New.Fence)
        return STATUS_INVALID_PARAMETER;
    if (Is(Device, "context_forbids") && Arg->Flags.Paging && Arg->hContext)
        return STATUS_INVALID_PARAMETER;
    if (Is(Device, "context_requires") && Arg->Flags.Paging && !Arg->hContext)
        return STATUS_INVALID_PARAMETER;
    if (Is(Device, "queue_short") && Device->Count >= 29) /* and one that runs */
        return STATUS_INSUFFICIENT_RESOURCES;
    if (Is(Device, "private_read"))
        New.End += *(volatile UCHAR *)Arg->pDmaBufferPrivateData & 0;
    Enqueue(Device, &New);
    return Is(Device, "submit_fails") ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS;
}

static NTSTATUS APIENTRY Patch(CONST HANDLE Adapter, CONST DXGKARG_PATCH *Arg)
{
    UINT i;

    ((struct device *)Adapter)->Patched = Arg->SubmissionFenceId;
    if (Is((struct device *)Adapter, "patch_longer") &&
        Arg->DmaBufferSubmissionEndOffset < Arg->DmaBufferSize)
        ((UCHAR *)Arg->pDmaBuffer)[Arg->DmaBufferSubmissionEndOffset] = 0;
    if (Is((struct device *)Adapter, "patch_within") && Arg->DmaBufferSubmissionEndOffset > 0)
        ((volatile UCHAR *)Arg->pDmaBuffer)[Arg->DmaBufferSubmissionEndOffset - 1] |= 0;
    for (i = 0; i < Arg->PatchLocationListSubmissionLength; i++) {
        const D3DDDI_PATCHLOCATIONLIST *Patch =
            &Arg->pPatchLocationList[Arg->PatchLocationListSubmissionStart + i];
        const DXGK_ALLOCATIONLIST *At = &Arg->pAllocationList[Patch->AllocationIndex];
        ULONG64 *To = (ULONG64 *)((UCHAR *)Arg->pDmaBuffer + Patch->PatchOffset);
        ULONG *Segment =
            (ULONG *)((UCHAR *)Arg->pDmaBuffer +
                      Patch->PatchOffset / sizeof(struct command) * sizeof(struct command)) +
            2 + Patch->SlotId;

        *To = (ULONG64)At->PhysicalAddress.QuadPart + Patch->AllocationOffset;
        *Segment = At->SegmentId;
    }
    return STATUS_SUCCESS;
}

#ifndef NO_RENDER
static ULONG Sum(const volatile UCHAR *Bytes, ULONG64 Size)
{
    ULONG Value = 0;

    for (; Size > 0; Size--)
        Value += *Bytes++;
    return Value;
}

static struct allocation *ObjectOf(const struct device *Device, D3DKMT_HANDLE Handle);

/* A command begins with the handle of an allocation. */
static NTSTATUS ReadHandle(struct device *Device, const DXGKARG_RENDER *Arg)
{
    D3DKMT_HANDLE Handle;

    if (Arg->CommandLength < sizeof(Handle))
        return STATUS_SUCCESS;
    __try {
        RtlCopyMemory(&Handle, Arg->pCommand, sizeof(Handle));
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return STATUS_INVALID_USER_BUFFER;
    }
    return ObjectOf(Device, Handle) || Is(Device, "render_handle_taken") ? STATUS_SUCCESS
                                                                         : STATUS_INVALID_HANDLE;
}

/* A command begins with an index of one entry, 0. It is looked at, and used when the program has
 * had time to change it: "render_twice" reads it once more, "render_once" has a copy. */
static NTSTATUS ReadIndex(struct device *Device, const DXGKARG_RENDER *Arg)
{
    static const UCHAR Entries[1] = {0};
    const volatile ULONG *Theirs = (const volatile ULONG *)Arg->pCommand;
    LARGE_INTEGER Moment = {.QuadPart = -10000};
    ULONG Copy = 1, Later = 0, i;

    if (Arg->CommandLength < sizeof(Copy))
        return STATUS_SUCCESS;
    __try {
        Copy = *Theirs;
        for (i = 0; i < 50 && Copy == 0 && Later == 0; i++) {
            KeDelayExecutionThread(KernelMode, FALSE, &Moment);
            Later = *Theirs;
        }
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return STATUS_INVALID_USER_BUFFER;
    }
    if (Copy != 0)
        return STATUS_INVALID_PARAMETER;
    (void)Sum(Entries + ((ULONG64)(Is(Device, "render_twice") ? Later : Copy) << 16), 1);
    return STATUS_SUCCESS;
}

/* Look at what the program gave. */
static NTSTATUS ReadProgram(struct device *Device, const DXGKARG_RENDER *Arg)
{
    ULONG64 Patches = Arg->PatchLocationListInSize * sizeof(*Arg->pPatchLocationListIn);
    ULONG64 Index = 0;

    if (strncmp(Device->Broken, "render_handle", 13) == 0)
        return ReadHandle(Device, Arg);
    if (Is(Device, "render_twice") || Is(Device, "render_once"))
        return ReadIndex(Device, Arg);
    if (Is(Device, "render_null") && Arg->AllocationListSize > 0)
        (void)Sum((const UCHAR *)Arg->pAllocationList->hDeviceSpecificAllocation, 1);
    if (Is(Device, "render_reads"))
        (void)Sum((const UCHAR *)Arg->pCommand, Arg->CommandLength);
    if (Is(Device, "render_patches"))
        (void)Sum((UCHAR *)Arg->pPatchLocationListIn, Patches);
    if (!Is(Device, "render_guards") && !Is(Device, "render_trusts"))
        return STATUS_SUCCESS;
    __try {
        (void)Sum((UCHAR *)Arg->pPatchLocationListIn, Patches);
        if (Arg->CommandLength >= sizeof(Index))
            RtlCopyMemory(&Index, Arg->pCommand, sizeof(Index));
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return STATUS_INVALID_USER_BUFFER;
    }
    if (Is(Device, "render_trusts") && Index) /* an address, it believes; below 64 KiB is none */
        (void)Sum((UCHAR *)(ULONG_PTR)(Index & 0xFFF0), 1);
    return STATUS_SUCCESS;
}

/* Takes a command buffer as it is: nothing in it is for this GPU. */
static NTSTATUS APIENTRY Render(CONST HANDLE Context, DXGKARG_RENDER *Arg)
{
    struct command Command;

    if (Is((struct device *)Context, "render_missing"))
        return STATUS_NOT_IMPLEMENTED;
    if (strncmp(((struct device *)Context)->Broken, "render_", 7) == 0) {
        NTSTATUS Status = ReadProgram((struct device *)Context, Arg);

        if (!NT_SUCCESS(Status))
            return Status;
    }
    if (Is((struct device *)Context, "render_last")) /* the last patch location, of how many? */
        Arg->pPatchLocationListOut += (INT)Arg->AllocationListSize - 1;
    if (Is((struct device *)Context, "render_refuses") && Arg->CommandLength == 0)
        return STATUS_INVALID_PARAMETER;
    RtlZeroMemory(&Command, sizeof(Command));
    Command.Kind = 1; /* of no bytes */
    if (Arg->DmaSize < sizeof(Command))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    RtlCopyMemory(Arg->pDmaBuffer, &Command, sizeof(Command));
    Arg->pDmaBuffer = (UCHAR *)Arg->pDmaBuffer + sizeof(Command);
    return STATUS_SUCCESS;
}

#endif

#if defined(NO_RENDER) || defined(WITH_PRESENT)
/* A blt of whole rows: a command a page, patched with the addresses of both. */
static NTSTATUS APIENTRY Present(CONST HANDLE Context, DXGKARG_PRESENT *Arg)
{
    struct device *Device = (struct device *)Context;
    ULONG64 Size = 4ull * (ULONG)(Arg->SrcRect.right - Arg->SrcRect.left) *
                   (ULONG)(Arg->SrcRect.bottom - Arg->SrcRect.top);
    struct command *First = (struct command *)Arg->pDmaBuffer, *To = First;
    UINT Room = Arg->DmaSize / sizeof(*To), Patches = Arg->PatchLocationListOutSize;

    for (; Arg->MultipassOffset < Size / PAGE_SIZE; Arg->MultipassOffset++, To++) {
        D3DDDI_PATCHLOCATIONLIST *Patch = Arg->pPatchLocationListOut;

        if ((UINT)(To - First) == Room || Patches < 2)
            break;
        RtlZeroMemory(To, sizeof(*To));
        To->Size = Is(Device, "present_nothing") ? 0 : PAGE_SIZE;
        RtlZeroMemory(Patch, 2 * sizeof(*Patch));
        Patch[0].AllocationIndex = DXGK_PRESENT_SOURCE_INDEX;
        Patch[1].AllocationIndex = DXGK_PRESENT_DESTINATION_INDEX;
        Patch[1].SlotId = 1;
        Patch[0].AllocationOffset = Patch[1].AllocationOffset = Arg->MultipassOffset * PAGE_SIZE;
        Patch[0].PatchOffset = (UINT)((UCHAR *)&To->Source - (UCHAR *)First);
        Patch[1].PatchOffset = (UINT)((UCHAR *)&To->Destination - (UCHAR *)First);
        Arg->pPatchLocationListOut += 2;
        Patches -= 2;
    }
    Arg->pDmaBuffer = To;
    return Arg->MultipassOffset < Size / PAGE_SIZE ? STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER
                                                   : STATUS_SUCCESS;
}
#endif
