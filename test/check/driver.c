/* driver.c: a small miniport, and its wrong brothers.
 *
 * It is what `vidmm check` is tried on: one memory segment (BAR 0, which the CPU sees), one aperture
 * segment whose table the CPU writes, paging buffers of 4 KiB, and a GPU that is a system thread. A
 * command moves or fills a page; a transfer of many pages takes several paging buffers. It compiles
 * for every DXGKDDI_INTERFACE_VERSION.
 *
 * The registry value Broken names the one way in which it is wrong; without it, it is right.
 */
#include <ntddk.h>
#include <ntstrsafe.h>
#include <dispmprt.h>
#include <d3dkmddi.h>

#define TAG 'tseT'
#define MEMORY_BASE 0x40000000ull
#define APERTURE_BASE 0x80000000ull
#define APERTURE_PAGES 65536
#define QUEUE 64
#define HAS_MMU (DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0)

enum { MEMORY_SEGMENT = 1, APERTURE_SEGMENT = 2, BY_ADDRESS = 100 };
enum { LEVELS = 2, ENTRY_BITS = 9 };

struct command {
    ULONG Kind; /* 0: copy, 1: fill */
    ULONG Pattern;
    ULONG SourceSegment, DestinationSegment; /* 0: physical address; BY_ADDRESS: by page tables */
    ULONG64 Source, Destination;
    ULONG64 Size;
};

struct submission {
    ULONG Segment, Start, End, Fence;
    ULONG64 Address;
};

struct device {
    PDEVICE_OBJECT Object;
    DXGKRNL_INTERFACE Dxgk;
    UCHAR *Video;
    ULONG64 VideoAddress, VideoSize;
    ULONG64 Aperture[APERTURE_PAGES]; /* physical addresses; 0: nothing */
    KSPIN_LOCK Lock;
    struct submission Queue[QUEUE];
    ULONG First, Count, Done;
    KEVENT Work;
    PVOID Thread;
    BOOLEAN Stop;
    DXGK_DEVICEINFO Info;
    HANDLE ContextAllocation;
    ULONG Mmu; /* it has page tables */
    ULONG RootSegment;
    ULONG64 Root; /* offset in the segment, or physical address */
    BOOLEAN Reset;
    char Broken[32];
};

struct allocation {
    SIZE_T Size;
};

static BOOLEAN Is(const struct device *Device, const char *Name)
{
    return strcmp(Device->Broken, Name) == 0;
}

/* ---- the GPU ---- */

#if HAS_MMU
static UCHAR *Map(struct device *Device, ULONG Segment, ULONG64 Address, BOOLEAN *Mapped);
static void Unmap(UCHAR *Bytes, BOOLEAN Mapped);

/* Walk the page tables. FALSE: there is no translation. */
static BOOLEAN Walk(struct device *Device, ULONG64 Address, ULONG *Segment, ULONG64 *Found)
{
    ULONG Level, At = Device->RootSegment;
    ULONG64 Table = Device->Root;
    DXGK_PTE Entry;
    BOOLEAN Mapped;

    for (Level = LEVELS; Level > 0; Level--) {
        ULONG64 Index =
            Address >> (PAGE_SHIFT + ENTRY_BITS * (Level - 1)) & ((1 << ENTRY_BITS) - 1);
        UCHAR *Bytes = Map(Device, At, At == MEMORY_SEGMENT ? MEMORY_BASE + Table : Table, &Mapped);

        if (!Bytes)
            return FALSE;
        RtlCopyMemory(&Entry, Bytes + Index * sizeof(Entry), sizeof(Entry));
        Unmap(Bytes, Mapped);
        if (!Entry.Valid)
            return FALSE;
        At = (ULONG)Entry.Segment;
        Table = Entry.PageAddress << PAGE_SHIFT;
    }
    *Segment = At;
    *Found = (At == MEMORY_SEGMENT ? MEMORY_BASE + Table : Table) + Address % PAGE_SIZE;
    return TRUE;
}
#endif

static UCHAR *Map(struct device *Device, ULONG Segment, ULONG64 Address, BOOLEAN *Mapped)
{
    PHYSICAL_ADDRESS Physical;

    *Mapped = FALSE;
#if HAS_MMU
    if (Segment == BY_ADDRESS && !Walk(Device, Address, &Segment, &Address))
        return NULL;
#endif
    if (Segment == MEMORY_SEGMENT)
        return Device->Video + (Address - MEMORY_BASE);
    if (Segment == APERTURE_SEGMENT) {
        ULONG64 Offset = Address - APERTURE_BASE;
        ULONG64 Page = Device->Aperture[Offset / PAGE_SIZE % APERTURE_PAGES];

        if (Page == 0)
            return NULL;
        Address = Page + Offset % PAGE_SIZE;
    }
    Physical.QuadPart = (LONGLONG)Address;
    *Mapped = TRUE;
    return (UCHAR *)MmMapIoSpace(Physical, PAGE_SIZE, MmCached);
}

static void Unmap(UCHAR *Bytes, BOOLEAN Mapped)
{
    if (Mapped && Bytes)
        MmUnmapIoSpace(Bytes, PAGE_SIZE);
}

static void Execute(struct device *Device, const struct command *Command)
{
    BOOLEAN SourceMapped = FALSE, DestinationMapped = FALSE;
    UCHAR *Source = NULL, *Destination;
    ULONG64 i;

    if (Command->Size == 0)
        return;
    Destination =
        Map(Device, Command->DestinationSegment, Command->Destination, &DestinationMapped);
    if (Command->Kind == 0)
        Source = Map(Device, Command->SourceSegment, Command->Source, &SourceMapped);
    if (Destination && Command->Kind == 1)
        for (i = 0; i < Command->Size; i += sizeof(ULONG))
            RtlCopyMemory(Destination + i, &Command->Pattern, sizeof(ULONG));
    else if (Destination && Source)
        RtlCopyMemory(Destination, Source, Command->Size);
    Unmap(Source, SourceMapped);
    Unmap(Destination, DestinationMapped);
}

static BOOLEAN NotifyFence(PVOID Context)
{
    struct device *Device = (struct device *)Context;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA Data;

    RtlZeroMemory(&Data, sizeof(Data));
    Data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
    Data.DmaCompleted.SubmissionFenceId = Device->Done + (Is(Device, "wrong_fence") ? 100 : 0);
    Device->Dxgk.DxgkCbNotifyInterrupt(Device->Dxgk.DeviceHandle, &Data);
    if (Is(Device, "wrong_fence")) {
        Data.DmaCompleted.SubmissionFenceId = Device->Done;
        Device->Dxgk.DxgkCbNotifyInterrupt(Device->Dxgk.DeviceHandle, &Data);
    }
    return TRUE;
}

static void Report(struct device *Device, ULONG Fence)
{
    BOOLEAN Answer = FALSE;

    if (Is(Device, "no_fence") && Fence > 3)
        return;
    Device->Done = Fence;
    Device->Dxgk.DxgkCbSynchronizeExecution(Device->Dxgk.DeviceHandle, NotifyFence, Device, 0,
                                            &Answer);
    Device->Dxgk.DxgkCbQueueDpc(Device->Dxgk.DeviceHandle);
}

static void Run(struct device *Device, const struct submission *Submission)
{
    BOOLEAN Mapped;
    ULONG Offset;

    for (Offset = Submission->Start; Offset < Submission->End;) {
        ULONG64 Page = (Submission->Address + Offset) & ~(ULONG64)(PAGE_SIZE - 1);
        ULONG InPage = (ULONG)(Submission->Address + Offset - Page);
        UCHAR *Bytes = Map(Device, Submission->Segment, Page, &Mapped);

        while (Bytes && Offset < Submission->End && InPage + sizeof(struct command) <= PAGE_SIZE) {
            struct command Command;

            RtlCopyMemory(&Command, Bytes + InPage, sizeof(Command));
            if (!Is(Device, "moves_nothing") &&
                !(Device->Reset && (Is(Device, "reset_stuck") || Is(Device, "engine_stuck"))))
                Execute(Device, &Command);
            InPage += sizeof(Command);
            Offset += sizeof(Command);
        }
        Unmap(Bytes, Mapped);
        if (!Bytes)
            break;
        if (InPage + sizeof(struct command) > PAGE_SIZE && Offset < Submission->End)
            Offset += PAGE_SIZE - InPage;
    }
    Report(Device, Submission->Fence);
}

static VOID Gpu(PVOID Context)
{
    struct device *Device = (struct device *)Context;
    struct submission Submission;
    BOOLEAN Any = FALSE;
    KIRQL Irql;

    while (!Device->Stop) {
        KeWaitForSingleObject(&Device->Work, Executive, KernelMode, FALSE, NULL);
        do {
            KeAcquireSpinLock(&Device->Lock, &Irql);
            Any = Device->Count > 0;
            if (Any) {
                Submission = Device->Queue[Device->First];
                Device->First = (Device->First + 1) % QUEUE;
                Device->Count--;
            }
            KeReleaseSpinLock(&Device->Lock, Irql);
            if (Any)
                Run(Device, &Submission);
        } while (Any);
    }
    PsTerminateSystemThread(STATUS_SUCCESS);
}

/* ---- paging ---- */

/* One page of an operation; FALSE: the buffer is full. */
static BOOLEAN Put(DXGKARG_BUILDPAGINGBUFFER *Arg, const struct command *Command)
{
    if (Arg->DmaSize < sizeof(*Command))
        return FALSE;
    RtlCopyMemory(Arg->pDmaBuffer, Command, sizeof(*Command));
    Arg->pDmaBuffer = (UCHAR *)Arg->pDmaBuffer + sizeof(*Command);
    Arg->DmaSize -= sizeof(*Command);
    return TRUE;
}

static ULONG64 PageOf(MDL *Mdl, ULONG64 Page)
{
    return (ULONG64)MmGetMdlPfnArray(Mdl)[Page] << PAGE_SHIFT;
}

static NTSTATUS Transfer(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    ULONG64 Pages = (Arg->Transfer.TransferSize + PAGE_SIZE - 1) / PAGE_SIZE;
    ULONG64 Offset = Is(Device, "split") ? 0 : Arg->Transfer.TransferOffset;
    ULONG64 Skip = Is(Device, "shift") ? 8 : 0;

    if (Is(Device, "half"))
        Pages = (Pages + 1) / 2;
    if (Is(Device, "busy") && !Arg->Transfer.Flags.AllocationIsIdle)
        return STATUS_GRAPHICS_ALLOCATION_BUSY;
    for (; Arg->MultipassOffset < Pages; Arg->MultipassOffset++) {
        ULONG64 Page = Arg->MultipassOffset;
        struct command Command;

        RtlZeroMemory(&Command, sizeof(Command));
        Command.Size = PAGE_SIZE - Skip;
        Command.SourceSegment = Arg->Transfer.Source.SegmentId;
        Command.DestinationSegment = Arg->Transfer.Destination.SegmentId;
        Command.Source =
            Command.SourceSegment
                ? (ULONG64)Arg->Transfer.Source.SegmentAddress.QuadPart + Offset + Page * PAGE_SIZE
                : PageOf(Arg->Transfer.Source.pMdl, Arg->Transfer.MdlOffset + Page);
        Command.Destination =
            (Command.DestinationSegment
                 ? (ULONG64)Arg->Transfer.Destination.SegmentAddress.QuadPart + Offset +
                       Page * PAGE_SIZE
                 : PageOf(Arg->Transfer.Destination.pMdl, Arg->Transfer.MdlOffset + Page)) +
            Skip;
        if (!Put(Arg, &Command))
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS Fill(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    ULONG64 Pages = (Arg->Fill.FillSize + PAGE_SIZE - 1) / PAGE_SIZE;

    for (; Arg->MultipassOffset < Pages; Arg->MultipassOffset++) {
        struct command Command;

        RtlZeroMemory(&Command, sizeof(Command));
        Command.Kind = 1;
        Command.Pattern = Arg->Fill.FillPattern;
        Command.Size = PAGE_SIZE;
        if (Is(Device, "fill_tail") && Arg->MultipassOffset == Pages - 1)
            Command.Size += PAGE_SIZE;
        Command.DestinationSegment = Arg->Fill.Destination.SegmentId;
        Command.Destination = (ULONG64)Arg->Fill.Destination.SegmentAddress.QuadPart +
                              Arg->MultipassOffset * (ULONG64)PAGE_SIZE;
        if (!Put(Arg, &Command))
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    }
    return STATUS_SUCCESS;
}

#if HAS_MMU
static NTSTATUS TransferVirtual(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    ULONG64 Pages = Arg->TransferVirtual.TransferSizeInBytes / PAGE_SIZE;

    if (Is(Device, "half"))
        Pages = (Pages + 1) / 2;
    for (; Arg->MultipassOffset < Pages; Arg->MultipassOffset++) {
        struct command Command;

        RtlZeroMemory(&Command, sizeof(Command));
        Command.Size = PAGE_SIZE;
        Command.SourceSegment = Command.DestinationSegment = BY_ADDRESS;
        Command.Source =
            Arg->TransferVirtual.SourceVirtualAddress + Arg->MultipassOffset * (ULONG64)PAGE_SIZE;
        Command.Destination = Arg->TransferVirtual.DestinationVirtualAddress +
                              Arg->MultipassOffset * (ULONG64)PAGE_SIZE;
        if (!Put(Arg, &Command))
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS FillVirtual(DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    for (; Arg->MultipassOffset < Arg->FillVirtual.FillSizeInBytes / PAGE_SIZE;
         Arg->MultipassOffset++) {
        struct command Command;

        RtlZeroMemory(&Command, sizeof(Command));
        Command.Kind = 1;
        Command.Pattern = Arg->FillVirtual.FillPattern;
        Command.Size = PAGE_SIZE;
        Command.DestinationSegment = BY_ADDRESS;
        Command.Destination =
            Arg->FillVirtual.DestinationVirtualAddress + Arg->MultipassOffset * (ULONG64)PAGE_SIZE;
        if (!Put(Arg, &Command))
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    }
    return STATUS_SUCCESS;
}

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
/* Eight bytes, half by half. */
static NTSTATUS SignalFence(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    for (; Arg->MultipassOffset < 2; Arg->MultipassOffset++) {
        struct command Command;

        RtlZeroMemory(&Command, sizeof(Command));
        Command.Kind = 1;
        Command.Pattern = (ULONG)(Arg->SignalMonitoredFence.MonitoredFenceValue >>
                                  (Is(Device, "half") ? 0 : 32 * Arg->MultipassOffset));
        Command.Size = sizeof(ULONG);
        Command.DestinationSegment = BY_ADDRESS;
        Command.Destination =
            Arg->SignalMonitoredFence.MonitoredFenceGpuVa + 4 * Arg->MultipassOffset;
        if (!Put(Arg, &Command))
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS SubmitCommandToHwQueue(CONST HANDLE Adapter,
                                       CONST DXGKARG_SUBMITCOMMANDTOHWQUEUE *Arg)
{
    (void)Adapter, (void)Arg;
    return STATUS_NOT_SUPPORTED;
}
#endif

/* What comes and goes is told; the GPU needs no page of it while it is away. */
static NTSTATUS NotifyResidency(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    const DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY *Notice = &Arg->NotifyResidency;

    if (Is(Device, "clears") && Notice->Resident)
        RtlZeroMemory(Device->Video + Notice->PhysicalAddress.SegmentOffset, 64);
    return Notice->hAllocation ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

static NTSTATUS UpdatePageTable(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    DXGK_PTE *Table = (DXGK_PTE *)Arg->UpdatePageTable.PageTableAddress.CpuVirtual;
    UINT i;

    for (i = 0; i < Arg->UpdatePageTable.NumPageTableEntries; i++) {
        DXGK_PTE *To = &Table[Arg->UpdatePageTable.StartIndex + i];

        if (Is(Device, "stale_entry") && To->Valid && !Arg->UpdatePageTable.Flags.InitialUpdate)
            continue;
        *To = Arg->UpdatePageTable.pPageTableEntries[Arg->UpdatePageTable.Flags.Repeat ? 0 : i];
    }
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY CreateProcess(CONST HANDLE Adapter, DXGKARG_CREATEPROCESS *Arg)
{
    Arg->hKmdProcess = Adapter;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY DestroyProcess(CONST HANDLE Adapter, CONST HANDLE Process)
{
    (void)Adapter, (void)Process;
    return STATUS_SUCCESS;
}

static VOID APIENTRY SetRootPageTable(CONST HANDLE Adapter, CONST DXGKARG_SETROOTPAGETABLE *Arg)
{
    struct device *Device = (struct device *)Adapter;

    Device->RootSegment = Arg->Address.SegmentId;
    Device->Root = Arg->Address.SegmentOffset;
}

static void Enqueue(struct device *Device, const struct submission *New);

static NTSTATUS APIENTRY SubmitCommandVirtual(CONST HANDLE Adapter,
                                              CONST DXGKARG_SUBMITCOMMANDVIRTUAL *Arg)
{
    struct submission New;

    New.Segment = BY_ADDRESS;
    New.Address = Arg->DmaBufferVirtualAddress;
    New.Start = 0;
    New.End = Arg->DmaBufferSize;
    New.Fence = Arg->SubmissionFenceId;
    Enqueue((struct device *)Adapter, &New);
    return STATUS_SUCCESS;
}
#endif

static NTSTATUS MapAperture(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    SIZE_T i;

    for (i = 0; i < Arg->MapApertureSegment.NumberOfPages; i++)
        Device->Aperture[Arg->MapApertureSegment.OffsetInPages + i] =
            PageOf(Arg->MapApertureSegment.pMdl,
                   (Is(Device, "mdl_offset") ? 0 : Arg->MapApertureSegment.MdlOffset) + i);
    return STATUS_SUCCESS;
}

static NTSTATUS UnmapAperture(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    SIZE_T i;

    for (i = 0; i < Arg->UnmapApertureSegment.NumberOfPages && !Is(Device, "stays_mapped"); i++)
        Device->Aperture[Arg->UnmapApertureSegment.OffsetInPages + i] =
            Is(Device, "dummy") ? 0 : (ULONG64)Arg->UnmapApertureSegment.DummyPage.QuadPart;
    return STATUS_SUCCESS;
}

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
static NTSTATUS InitContext(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    struct command Command;

    RtlZeroMemory(&Command, sizeof(Command));
    Command.Kind = 1;
    Command.Size = (Is(Device, "context_past") ? 3 : 2) * PAGE_SIZE;
    Command.DestinationSegment = Arg->InitContextResource.Destination.SegmentId;
    Command.Destination = (ULONG64)Arg->InitContextResource.Destination.SegmentAddress.QuadPart;
    return Put(Arg, &Command) ? STATUS_SUCCESS : STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}
#endif

/* The GPU touches eight bytes of its own memory. */
static NTSTATUS Touch(DXGKARG_BUILDPAGINGBUFFER *Arg, BOOLEAN Write)
{
    struct command Command;

    RtlZeroMemory(&Command, sizeof(Command));
    if (!Write)
        return STATUS_SUCCESS;
    Command.Kind = 1;
    Command.Size = 8;
    Command.DestinationSegment = Arg->WritePhysical.SegmentId;
    Command.Destination = (ULONG64)Arg->WritePhysical.PhysicalAddress.QuadPart;
    return Put(Arg, &Command) ? STATUS_SUCCESS : STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

/* ---- being wrong while a paging buffer is built ---- */

static void WaitAtDispatch(struct device *Device)
{
    LARGE_INTEGER Timeout;
    KIRQL Irql;

    Timeout.QuadPart = -10000;
    KeRaiseIrql(DISPATCH_LEVEL, &Irql);
    KeWaitForSingleObject(&Device->Work, Executive, KernelMode, FALSE, &Timeout);
    KeLowerIrql(Irql);
}

static void Overrun(void)
{
    UCHAR *Block = (UCHAR *)ExAllocatePoolWithTag(NonPagedPool, 24, TAG);

    if (!Block)
        return;
    ((volatile UCHAR *)Block)[25] = 1;
    ExFreePoolWithTag(Block, TAG);
}

static void TouchFreedMdl(void)
{
    UCHAR *Block = (UCHAR *)ExAllocatePoolWithTag(NonPagedPool, PAGE_SIZE, TAG);
    MDL *Mdl = Block ? IoAllocateMdl(Block, PAGE_SIZE, FALSE, FALSE, NULL) : NULL;

    if (!Mdl)
        return;
    MmBuildMdlForNonPagedPool(Mdl);
    IoFreeMdl(Mdl);
    DbgPrint("%p\n", ((volatile MDL *)Mdl)->StartVa);
    ExFreePoolWithTag(Block, TAG);
}

static void Misbehave(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    volatile BOOLEAN Forever = TRUE;

    if (Is(Device, "wait"))
        WaitAtDispatch(Device);
    else if (Is(Device, "overrun"))
        Overrun();
    else if (Is(Device, "freed_mdl"))
        TouchFreedMdl();
    else if (Is(Device, "hang"))
        while (Forever)
            YieldProcessor();
    else if (Is(Device, "crash"))
        *(volatile ULONG *)(ULONG_PTR)0x10 = 1;
    else if (Is(Device, "bug_check"))
        KeBugCheckEx(0x10E, 0xB, 1, 2, 3);
    else if (Is(Device, "past_buffer"))
        ((volatile UCHAR *)Arg->pDmaBuffer)[Arg->DmaSize] = 1;
    else if (Is(Device, "past_private"))
        ((volatile UCHAR *)Arg->pDmaBufferPrivateData)[Arg->DmaBufferPrivateDataSize] = 1;
    else if (Is(Device, "irql"))
        KeRaiseIrql(DISPATCH_LEVEL, &(KIRQL){0});
}

static NTSTATUS APIENTRY BuildPagingBuffer(CONST HANDLE Adapter, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    struct device *Device = (struct device *)Adapter;

    Misbehave(Device, Arg);
    if (Is(Device, "status"))
        return STATUS_NO_MEMORY;
    if (Is(Device, "no_room"))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    if (MmGetPhysicalAddress(Arg->pDmaBuffer).QuadPart == 0) /* the kernel knows its page */
        return STATUS_UNSUCCESSFUL;
    switch (Arg->Operation) {
    case DXGK_OPERATION_TRANSFER:
        return Transfer(Device, Arg);
    case DXGK_OPERATION_FILL:
        return Fill(Device, Arg);
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        return MapAperture(Device, Arg);
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        return UnmapAperture(Device, Arg);
    case DXGK_OPERATION_READ_PHYSICAL:
    case DXGK_OPERATION_WRITE_PHYSICAL:
        return Touch(Arg, Arg->Operation == DXGK_OPERATION_WRITE_PHYSICAL);
    case DXGK_OPERATION_DISCARD_CONTENT:
        return STATUS_SUCCESS;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    case DXGK_OPERATION_INIT_CONTEXT_RESOURCE:
        return InitContext(Device, Arg);
#endif
#if HAS_MMU
    case DXGK_OPERATION_VIRTUAL_TRANSFER:
        return TransferVirtual(Device, Arg);
    case DXGK_OPERATION_VIRTUAL_FILL:
        return FillVirtual(Arg);
    case DXGK_OPERATION_UPDATE_PAGE_TABLE:
        return UpdatePageTable(Device, Arg);
    case DXGK_OPERATION_FLUSH_TLB:
        return STATUS_SUCCESS;
    case DXGK_OPERATION_NOTIFY_RESIDENCY:
        return NotifyResidency(Device, Arg);
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
    case DXGK_OPERATION_SIGNAL_MONITORED_FENCE:
        return SignalFence(Device, Arg);
#endif
#endif
    default:
        return STATUS_NOT_SUPPORTED;
    }
}

static void Enqueue(struct device *Device, const struct submission *New)
{
    KeAcquireSpinLockAtDpcLevel(&Device->Lock);
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
    Enqueue(Device, &New);
    return Is(Device, "submit_fails") ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS;
}

static NTSTATUS APIENTRY Patch(CONST HANDLE Adapter, CONST DXGKARG_PATCH *Arg)
{
    UINT i;

    (void)Adapter;
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

/* Everything that was submitted is complete, or will be: this GPU does not hang. */
static NTSTATUS APIENTRY QueryCurrentFence(CONST HANDLE Adapter, DXGKARG_QUERYCURRENTFENCE *Arg)
{
    struct device *Device = (struct device *)Adapter;

    Arg->CurrentFence = Device->Done - (Is(Device, "current_fence") ? 1 : 0);
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY ResetFromTimeout(CONST HANDLE Adapter)
{
    struct device *Device = (struct device *)Adapter;

    Device->Reset = TRUE;
    return Is(Device, "reset_fails") ? STATUS_DEVICE_CONFIGURATION_ERROR : STATUS_SUCCESS;
}

static NTSTATUS APIENTRY RestartFromTimeout(CONST HANDLE Adapter)
{
    return Is((struct device *)Adapter, "restart_fails") ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS;
}

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
static NTSTATUS APIENTRY QueryDependentEngineGroup(CONST HANDLE Adapter,
                                                   DXGKARG_QUERYDEPENDENTENGINEGROUP *Arg)
{
    (void)Adapter;
    Arg->DependentNodeOrdinalMask = 1ull << Arg->NodeOrdinal;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY QueryEngineStatus(CONST HANDLE Adapter, DXGKARG_QUERYENGINESTATUS *Arg)
{
    (void)Adapter;
    Arg->EngineStatus.Value = 0;
    Arg->EngineStatus.Responsive = 1;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY ResetEngine(CONST HANDLE Adapter, DXGKARG_RESETENGINE *Arg)
{
    struct device *Device = (struct device *)Adapter;

    Arg->LastAbortedFenceId = Device->Done + (Is(Device, "engine_fence") ? 1 : 0);
    Device->Reset = Is(Device, "engine_stuck");
    return Is(Device, "engine_fails") ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS;
}
#endif

static NTSTATUS APIENTRY PreemptCommand(CONST HANDLE Adapter, CONST DXGKARG_PREEMPTCOMMAND *Arg)
{
    (void)Adapter, (void)Arg;
    return STATUS_SUCCESS;
}

#ifndef NO_RENDER
/* Takes a command buffer as it is: nothing in it is for this GPU. */
static NTSTATUS APIENTRY Render(CONST HANDLE Context, DXGKARG_RENDER *Arg)
{
    struct command Command;

    (void)Context;
    RtlZeroMemory(&Command, sizeof(Command));
    Command.Kind = 1; /* of no bytes */
    if (Arg->DmaSize < sizeof(Command))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    RtlCopyMemory(Arg->pDmaBuffer, &Command, sizeof(Command));
    Arg->pDmaBuffer = (UCHAR *)Arg->pDmaBuffer + sizeof(Command);
    return STATUS_SUCCESS;
}

#endif

#ifdef NO_RENDER
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

/* ---- interrupts ---- */

static BOOLEAN InterruptRoutine(CONST PVOID Context, ULONG Message)
{
    (void)Context, (void)Message;
    return FALSE;
}

static VOID DpcRoutine(CONST PVOID Context)
{
    struct device *Device = (struct device *)Context;

    Device->Dxgk.DxgkCbNotifyDpc(Device->Dxgk.DeviceHandle);
}

/* ---- what it is ---- */

static void DescribeSegments(struct device *Device, UCHAR *First, SIZE_T Stride)
{
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    DXGK_SEGMENTDESCRIPTOR4 *Memory = (DXGK_SEGMENTDESCRIPTOR4 *)First;
    DXGK_SEGMENTDESCRIPTOR4 *Aperture = (DXGK_SEGMENTDESCRIPTOR4 *)(First + Stride);
#elif DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    DXGK_SEGMENTDESCRIPTOR3 *Memory = (DXGK_SEGMENTDESCRIPTOR3 *)First, *Aperture = Memory + 1;
#else
    DXGK_SEGMENTDESCRIPTOR *Memory = (DXGK_SEGMENTDESCRIPTOR *)First, *Aperture = Memory + 1;
#endif
    (void)Stride;
    Memory->BaseAddress.QuadPart = MEMORY_BASE;
    Memory->CpuTranslatedAddress.QuadPart = (LONGLONG)Device->VideoAddress;
    Memory->Size = Is(Device, "no_size") ? 0 : Device->VideoSize;
    Memory->CommitLimit = Device->VideoSize;
    Memory->Flags.CpuVisible = !Is(Device, "invisible");
    Aperture->BaseAddress.QuadPart = APERTURE_BASE;
    Aperture->Size = APERTURE_PAGES * PAGE_SIZE;
    Aperture->CommitLimit = APERTURE_PAGES * PAGE_SIZE;
    Aperture->Flags.Aperture = 1;
    Aperture->Flags.CacheCoherent = 1;
}

static void QuerySegments(struct device *Device, CONST DXGKARG_QUERYADAPTERINFO *Arg)
{
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    DXGK_QUERYSEGMENTOUT4 *Out = (DXGK_QUERYSEGMENTOUT4 *)Arg->pOutputData;
    SIZE_T Stride = Out->SegmentDescriptorStride;
#elif DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    DXGK_QUERYSEGMENTOUT3 *Out = (DXGK_QUERYSEGMENTOUT3 *)Arg->pOutputData;
    SIZE_T Stride = 0;
#else
    DXGK_QUERYSEGMENTOUT *Out = (DXGK_QUERYSEGMENTOUT *)Arg->pOutputData;
    SIZE_T Stride = 0;
#endif

    if (Out->pSegmentDescriptor == NULL) {
        Out->NbSegment = 2;
        return;
    }
    DescribeSegments(Device, (UCHAR *)Out->pSegmentDescriptor, Stride);
    Out->PagingBufferSegmentId = Is(Device, "in_aperture") ? APERTURE_SEGMENT : 0;
    Out->PagingBufferSize = 4096;
    Out->PagingBufferPrivateDataSize = 64;
}

static NTSTATUS APIENTRY QueryAdapterInfo(CONST HANDLE Adapter, CONST DXGKARG_QUERYADAPTERINFO *Arg)
{
    struct device *Device = (struct device *)Adapter;

    switch (Arg->Type) {
    case DXGKQAITYPE_DRIVERCAPS: {
        DXGK_DRIVERCAPS *Caps = (DXGK_DRIVERCAPS *)Arg->pOutputData;

        RtlZeroMemory(Caps, sizeof(*Caps));
        Caps->HighestAcceptableAddress.QuadPart = -1;
        Caps->MaxAllocationListSlotId = 64;
        if (strncmp(Device->Broken, "context", 7) == 0) {
            Caps->SchedulingCaps.MultiEngineAware = 1;
            Caps->GpuEngineTopology.NbAsymetricProcessingNodes = 1;
        }
        Caps->ApertureSegmentCommitLimit = APERTURE_PAGES * PAGE_SIZE;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
        Caps->SupportPerEngineTDR = TRUE;
        if (Is(Device, "preempt_ignored")) {
            Caps->SchedulingCaps.MultiEngineAware = Caps->SchedulingCaps.PreemptionAware = 1;
            Caps->GpuEngineTopology.NbAsymetricProcessingNodes = 1;
        }
#endif
#if HAS_MMU
        Caps->MemoryManagementCaps.VirtualAddressingSupported = Device->Mmu;
        Caps->MemoryManagementCaps.GpuMmuSupported = Device->Mmu;
#endif
        if (Is(Device, "past_output"))
            ((volatile UCHAR *)(Caps + 1))[3] = 1;
        return STATUS_SUCCESS;
    }
#if HAS_MMU
    case DXGKQAITYPE_GPUMMUCAPS: {
        DXGK_GPUMMUCAPS *Caps = (DXGK_GPUMMUCAPS *)Arg->pOutputData;

        Caps->PageTableUpdateMode = DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
        Caps->VirtualAddressBitCount = PAGE_SHIFT + LEVELS * ENTRY_BITS;
        Caps->PageTableLevelCount = LEVELS;
        return STATUS_SUCCESS;
    }
    case DXGKQAITYPE_PAGETABLELEVELDESC: {
        DXGK_PAGE_TABLE_LEVEL_DESC *Level = (DXGK_PAGE_TABLE_LEVEL_DESC *)Arg->pOutputData;

        Level->PageTableIndexBitCount = ENTRY_BITS;
        Level->PageTableSizeInBytes = sizeof(DXGK_PTE) << ENTRY_BITS;
        Level->PagingProcessPageTableSegmentId =
            ((DXGK_QUERYPAGETABLELEVELDESCIN *)Arg->pInputData)->LevelIndex == 0 ? MEMORY_SEGMENT
                                                                                 : 0;
        return STATUS_SUCCESS;
    }
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
    case DXGKQAITYPE_QUERYSEGMENT4:
#elif DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    case DXGKQAITYPE_QUERYSEGMENT3:
#else
    case DXGKQAITYPE_QUERYSEGMENT:
#endif
        QuerySegments(Device, Arg);
        return STATUS_SUCCESS;
    default:
        return STATUS_NOT_SUPPORTED;
    }
}

/* ---- devices, contexts, allocations ---- */

static NTSTATUS APIENTRY CreateDevice(CONST HANDLE Adapter, DXGKARG_CREATEDEVICE *Arg)
{
    struct device *Device = (struct device *)Adapter;

    Device->Info.AllocationListSize = 64;
    Device->Info.PatchLocationListSize = 96;
    Device->Info.DmaBufferSize = 4096;
    Arg->hDevice = Adapter;
    Arg->pInfo = &Device->Info; /* takes the place of Flags, which are input */
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY DestroyDevice(CONST HANDLE Device)
{
    (void)Device;
    return STATUS_SUCCESS;
}

#define HAS_CONTEXT_ALLOCATIONS                                                                    \
    (DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8 && !HAS_MMU)

#if HAS_CONTEXT_ALLOCATIONS
/* Two pages in the memory segment for what a context keeps. */
static NTSTATUS MakeContextAllocation(struct device *Device)
{
    DXGKARGCB_CREATECONTEXTALLOCATION Make;
    NTSTATUS Status;

    RtlZeroMemory(&Make, sizeof(Make));
    Make.hAdapter = Device->Dxgk.DeviceHandle;
    Make.hDriverAllocation = Device;
    Make.Size = 2 * PAGE_SIZE;
    Make.Alignment = PAGE_SIZE;
    Make.SupportedSegmentSet = 1;
    Make.Flags.CpuVisible = 1;
    Status = Device->Dxgk.DxgkCbCreateContextAllocation(&Make);
    Device->ContextAllocation = Make.hAllocation;
    return Status;
}
#endif

static NTSTATUS APIENTRY CreateContext(CONST HANDLE Device, DXGKARG_CREATECONTEXT *Arg)
{
#if HAS_CONTEXT_ALLOCATIONS
    if (Is((struct device *)Device, "context") || Is((struct device *)Device, "context_past") ||
        Is((struct device *)Device, "context_left")) {
        if (!Arg->Flags.SystemContext && MakeContextAllocation((struct device *)Device))
            return STATUS_NO_MEMORY;
    }
#endif
    Arg->hContext = Device;
    Arg->ContextInfo.DmaBufferSize = 4096;
    Arg->ContextInfo.AllocationListSize = 64;
    Arg->ContextInfo.PatchLocationListSize = 96;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY DestroyContext(CONST HANDLE Context)
{
#if HAS_CONTEXT_ALLOCATIONS
    struct device *Device = (struct device *)Context;

    if (Device->ContextAllocation && !Is(Device, "context_left"))
        Device->Dxgk.DxgkCbDestroyContextAllocation(Device->Dxgk.DeviceHandle,
                                                    Device->ContextAllocation);
    Device->ContextAllocation = NULL;
#else
    (void)Context;
#endif
    return STATUS_SUCCESS;
}

/* The private data is the size. */
static NTSTATUS APIENTRY GetStandard(CONST HANDLE Adapter,
                                     DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *Arg)
{
    if (Is((struct device *)Adapter, "no_standard"))
        return STATUS_NOT_SUPPORTED;
    if (Arg->StandardAllocationType != D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE)
        return STATUS_NOT_SUPPORTED;
    Arg->AllocationPrivateDriverDataSize = sizeof(ULONG64);
    Arg->ResourcePrivateDriverDataSize = 0;
    Arg->pCreateShadowSurfaceData->Pitch = Arg->pCreateShadowSurfaceData->Width * 4;
    if (Arg->pAllocationPrivateDriverData)
        *(ULONG64 *)Arg->pAllocationPrivateDriverData =
            (ULONG64)Arg->pCreateShadowSurfaceData->Pitch * Arg->pCreateShadowSurfaceData->Height;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY CreateAllocation(CONST HANDLE Adapter, DXGKARG_CREATEALLOCATION *Arg)
{
    struct device *Device = (struct device *)Adapter;
    DXGK_ALLOCATIONINFO *Info = Arg->pAllocationInfo;
    struct allocation *Allocation;

    if (Info->PrivateDriverDataSize != sizeof(ULONG64) || Arg->NumAllocations != 1)
        return STATUS_INVALID_PARAMETER;
    Allocation = (struct allocation *)ExAllocatePoolWithTag(NonPagedPool, sizeof(*Allocation), TAG);
    if (!Allocation)
        return STATUS_NO_MEMORY;
    Allocation->Size = (SIZE_T) * (ULONG64 *)Info->pPrivateDriverData;
    Info->Size = Allocation->Size;
    Info->SupportedReadSegmentSet = Info->SupportedWriteSegmentSet = 3;
    if (Is(Device, "bad_set"))
        Info->SupportedReadSegmentSet = 8;
    Info->Flags.CpuVisible = 1;
    Info->AllocationPriority = 0x78000000;
#if HAS_MMU
    if (Device->Mmu)
        Info->FlagsWddm2.AccessedPhysically = Info->FlagsWddm2.ExplicitResidencyNotification = 1;
#endif
    Info->hAllocation = Allocation;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY DestroyAllocation(CONST HANDLE Adapter,
                                           CONST DXGKARG_DESTROYALLOCATION *Arg)
{
    UINT i;

    for (i = 0; i < Arg->NumAllocations; i++)
        if (!Is((struct device *)Adapter, "leak"))
            ExFreePoolWithTag((PVOID)Arg->pAllocationList[i], TAG);
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY OpenAllocation(CONST HANDLE Device, CONST DXGKARG_OPENALLOCATION *Arg)
{
    UINT i;

    for (i = 0; i < Arg->NumAllocations; i++)
        Arg->pOpenAllocation[i].hDeviceSpecificAllocation =
            (HANDLE)(ULONG_PTR)Arg->pOpenAllocation[i].hAllocation;
    return STATUS_SUCCESS;
}

static NTSTATUS APIENTRY CloseAllocation(CONST HANDLE Device, CONST DXGKARG_CLOSEALLOCATION *Arg)
{
    (void)Device, (void)Arg;
    return STATUS_SUCCESS;
}

#ifdef WITH_DISPLAY
#include "display.h"
#endif

/* ---- life ---- */

static NTSTATUS AddDevice(CONST PDEVICE_OBJECT Object, PVOID *Context)
{
    struct device *Device =
        (struct device *)ExAllocatePoolWithTag(NonPagedPool, sizeof(*Device), TAG);

    if (!Device)
        return STATUS_NO_MEMORY;
    RtlZeroMemory(Device, sizeof(*Device));
    Device->Object = Object;
    KeInitializeSpinLock(&Device->Lock);
    KeInitializeEvent(&Device->Work, SynchronizationEvent, FALSE);
    *Context = Device;
    return STATUS_SUCCESS;
}

static ULONG ReadValue(HANDLE Key, PCWSTR Text, UCHAR *Buffer, ULONG Room)
{
    KEY_VALUE_PARTIAL_INFORMATION *Value = (KEY_VALUE_PARTIAL_INFORMATION *)Buffer;
    UNICODE_STRING Name;
    ULONG Size;

    RtlInitUnicodeString(&Name, Text);
    return NT_SUCCESS(ZwQueryValueKey(Key, &Name, KeyValuePartialInformation, Value, Room, &Size))
               ? Value->DataLength
               : 0;
}

/* Broken: how it is wrong. VideoSize: how much of its memory it uses. */
static void ReadRegistry(struct device *Device, UNICODE_STRING *Path)
{
    ULONG64 Buffer[32];
    KEY_VALUE_PARTIAL_INFORMATION *Value = (KEY_VALUE_PARTIAL_INFORMATION *)Buffer;
    OBJECT_ATTRIBUTES Attributes;
    HANDLE Key;
    ULONG Length, i;

    InitializeObjectAttributes(&Attributes, Path, OBJ_KERNEL_HANDLE, NULL, NULL);
    if (!NT_SUCCESS(ZwOpenKey(&Key, KEY_READ, &Attributes)))
        return;
    Length = ReadValue(Key, L"Broken", (UCHAR *)Buffer, sizeof(Buffer));
    for (i = 0; i + 1 < sizeof(Device->Broken) && i * 2 < Length; i++)
        Device->Broken[i] = (char)((WCHAR *)Value->Data)[i];
    Length = ReadValue(Key, L"VideoSize", (UCHAR *)Buffer, sizeof(Buffer));
    if (Length == sizeof(ULONG))
        Device->VideoSize = *(ULONG UNALIGNED *)Value->Data;
    if (ReadValue(Key, L"Mmu", (UCHAR *)Buffer, sizeof(Buffer)) == sizeof(ULONG))
        Device->Mmu = *(ULONG UNALIGNED *)Value->Data;
    if (!Is(Device, "handle"))
        ZwClose(Key);
}

/* BAR 0 is the video memory. */
static NTSTATUS FindVideo(struct device *Device, CM_RESOURCE_LIST *Resources)
{
    CM_PARTIAL_RESOURCE_LIST *List;
    PHYSICAL_ADDRESS Start;
    ULONG i;

    if (!Resources)
        return STATUS_DEVICE_CONFIGURATION_ERROR;
    List = &Resources->List[0].PartialResourceList;
    for (i = 0; i < List->Count; i++) {
        if (List->PartialDescriptors[i].Type != CmResourceTypeMemory)
            continue;
        Start = List->PartialDescriptors[i].u.Memory.Start;
        Device->VideoAddress = (ULONG64)Start.QuadPart;
        if (Device->VideoSize == 0 ||
            Device->VideoSize > List->PartialDescriptors[i].u.Memory.Length)
            Device->VideoSize = List->PartialDescriptors[i].u.Memory.Length;
        return Device->Dxgk.DxgkCbMapMemory(Device->Dxgk.DeviceHandle, Start,
                                            (ULONG)Device->VideoSize, FALSE, FALSE, MmCached,
                                            (PVOID *)&Device->Video);
    }
    return STATUS_DEVICE_CONFIGURATION_ERROR;
}

static NTSTATUS StartDevice(CONST PVOID Context, DXGK_START_INFO *Info, DXGKRNL_INTERFACE *Dxgk,
                            ULONG *Sources, ULONG *Children)
{
    struct device *Device = (struct device *)Context;
    DXGK_DEVICE_INFO DeviceInfo;
    NTSTATUS Status;
    HANDLE Thread;

    (void)Info;
    Device->Dxgk = *Dxgk;
#ifdef WITH_DISPLAY
    *Sources = *Children = 1;
#else
    *Sources = *Children = 0;
#endif
    RtlZeroMemory(&DeviceInfo, sizeof(DeviceInfo));
    Status = Dxgk->DxgkCbGetDeviceInformation(Dxgk->DeviceHandle, &DeviceInfo);
    if (!NT_SUCCESS(Status))
        return Status;
    ReadRegistry(Device, &DeviceInfo.DeviceRegistryPath);
    if (Is(Device, "start"))
        return STATUS_DEVICE_CONFIGURATION_ERROR;
    Status = FindVideo(Device, DeviceInfo.TranslatedResourceList);
    if (!NT_SUCCESS(Status))
        return Status;
#ifdef DISPLAY_ONLY
    Status = TakeFrameBuffer(Device);
    if (!NT_SUCCESS(Status))
        return Status;
#endif
    Status = PsCreateSystemThread(&Thread, THREAD_ALL_ACCESS, NULL, NULL, NULL, Gpu, Device);
    if (!NT_SUCCESS(Status))
        return Status;
    ObReferenceObjectByHandle(Thread, THREAD_ALL_ACCESS, NULL, KernelMode, &Device->Thread, NULL);
    ZwClose(Thread);
    return STATUS_SUCCESS;
}

static NTSTATUS StopDevice(CONST PVOID Context)
{
    struct device *Device = (struct device *)Context;

    Device->Stop = TRUE;
    KeSetEvent(&Device->Work, 0, FALSE);
    KeWaitForSingleObject(Device->Thread, Executive, KernelMode, FALSE, NULL);
    ObDereferenceObject(Device->Thread);
    Device->Dxgk.DxgkCbUnmapMemory(Device->Dxgk.DeviceHandle, Device->Video);
    return STATUS_SUCCESS;
}

static NTSTATUS RemoveDevice(CONST PVOID Context)
{
    ExFreePoolWithTag(Context, TAG);
    return STATUS_SUCCESS;
}

static VOID Unload(VOID)
{
}

#ifdef DISPLAY_ONLY
NTSTATUS DriverEntry(PDRIVER_OBJECT Object, PUNICODE_STRING Path)
{
    KMDDOD_INITIALIZATION_DATA Data;

    RtlZeroMemory(&Data, sizeof(Data));
    Data.Version = DXGKDDI_INTERFACE_VERSION;
    Data.DxgkDdiAddDevice = AddDevice;
    Data.DxgkDdiStartDevice = StartDevice;
    Data.DxgkDdiStopDevice = StopDevice;
    Data.DxgkDdiRemoveDevice = RemoveDevice;
    Data.DxgkDdiUnload = Unload;
    Data.DxgkDdiInterruptRoutine = InterruptRoutine;
    Data.DxgkDdiDpcRoutine = DpcRoutine;
    Data.DxgkDdiQueryAdapterInfo = QueryAdapterInfo;
    Data.DxgkDdiQueryChildRelations = QueryChildRelations;
    Data.DxgkDdiQueryChildStatus = QueryChildStatus;
    Data.DxgkDdiIsSupportedVidPn = IsSupportedVidPn;
    Data.DxgkDdiRecommendFunctionalVidPn = RecommendFunctionalVidPn;
    Data.DxgkDdiEnumVidPnCofuncModality = EnumVidPnCofuncModality;
    Data.DxgkDdiCommitVidPn = CommitVidPn;
    Data.DxgkDdiSetVidPnSourceVisibility = SetVidPnSourceVisibility;
    Data.DxgkDdiPresentDisplayOnly = PresentDisplayOnly;
    return DxgkInitializeDisplayOnlyDriver(Object, Path, &Data);
}
#else
NTSTATUS DriverEntry(PDRIVER_OBJECT Object, PUNICODE_STRING Path)
{
    DRIVER_INITIALIZATION_DATA Data;

    RtlZeroMemory(&Data, sizeof(Data));
    Data.Version = DXGKDDI_INTERFACE_VERSION;
    Data.DxgkDdiAddDevice = AddDevice;
    Data.DxgkDdiStartDevice = StartDevice;
    Data.DxgkDdiStopDevice = StopDevice;
    Data.DxgkDdiRemoveDevice = RemoveDevice;
    Data.DxgkDdiUnload = Unload;
    Data.DxgkDdiInterruptRoutine = InterruptRoutine;
    Data.DxgkDdiDpcRoutine = DpcRoutine;
    Data.DxgkDdiQueryAdapterInfo = QueryAdapterInfo;
    Data.DxgkDdiCreateDevice = CreateDevice;
    Data.DxgkDdiDestroyDevice = DestroyDevice;
    Data.DxgkDdiCreateContext = CreateContext;
    Data.DxgkDdiDestroyContext = DestroyContext;
    Data.DxgkDdiCreateAllocation = CreateAllocation;
    Data.DxgkDdiDestroyAllocation = DestroyAllocation;
    Data.DxgkDdiOpenAllocation = OpenAllocation;
    Data.DxgkDdiCloseAllocation = CloseAllocation;
    Data.DxgkDdiGetStandardAllocationDriverData = GetStandard;
    Data.DxgkDdiBuildPagingBuffer = BuildPagingBuffer;
    Data.DxgkDdiSubmitCommand = SubmitCommand;
    Data.DxgkDdiPreemptCommand = PreemptCommand;
    Data.DxgkDdiQueryCurrentFence = QueryCurrentFence;
    Data.DxgkDdiResetFromTimeout = ResetFromTimeout;
    Data.DxgkDdiRestartFromTimeout = RestartFromTimeout;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
    Data.DxgkDdiQueryDependentEngineGroup = QueryDependentEngineGroup;
    Data.DxgkDdiQueryEngineStatus = QueryEngineStatus;
#ifndef NO_RESET_ENGINE
    Data.DxgkDdiResetEngine = ResetEngine;
#endif
#endif
    Data.DxgkDdiPatch = Patch;
#ifdef NO_RENDER
    Data.DxgkDdiPresent = Present;
#else
    Data.DxgkDdiRender = Render;
#endif
#ifdef WITH_DISPLAY
    Data.DxgkDdiQueryChildRelations = QueryChildRelations;
    Data.DxgkDdiQueryChildStatus = QueryChildStatus;
    Data.DxgkDdiIsSupportedVidPn = IsSupportedVidPn;
    Data.DxgkDdiRecommendFunctionalVidPn = RecommendFunctionalVidPn;
    Data.DxgkDdiEnumVidPnCofuncModality = EnumVidPnCofuncModality;
    Data.DxgkDdiCommitVidPn = CommitVidPn;
    Data.DxgkDdiSetVidPnSourceVisibility = SetVidPnSourceVisibility;
#endif
#if HAS_MMU
    Data.DxgkDdiCreateProcess = CreateProcess;
    Data.DxgkDdiDestroyProcess = DestroyProcess;
    Data.DxgkDdiSetRootPageTable = SetRootPageTable;
    Data.DxgkDdiSubmitCommandVirtual = SubmitCommandVirtual;
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
    Data.DxgkDdiSubmitCommandToHwQueue = SubmitCommandToHwQueue;
#endif
#endif
    return DxgkInitialize(Object, Path, &Data);
}
#endif
