/* gpu.h: the GPU of driver.c: a system thread that runs commands, through page tables if it has
 * some. */

#if HAS_MMU
static UCHAR *Map(struct device *Device, ULONG Segment, ULONG64 Address, BOOLEAN *Mapped);
static void Unmap(UCHAR *Bytes, BOOLEAN Mapped);

/* Walk the page tables. FALSE: there is no translation. *Zero: it is to zeroes. */
static BOOLEAN Walk(struct device *Device, ULONG64 Address, ULONG *Segment, ULONG64 *Found,
                    BOOLEAN *Zero)
{
    ULONG Level, At = Device->RootSegment;
    ULONG64 Table = Device->Root;
    DXGK_PTE Entry;
    BOOLEAN Mapped;

    for (Level = LEVELS; Level > 0; Level--) {
        ULONG64 Index =
            Address >> (PAGE_SHIFT + ENTRY_BITS * (Level - 1)) & ((1 << ENTRY_BITS) - 1);
        UCHAR *Bytes;

        if (Level == LEVELS && Index >= Device->RootEntries && !Is(Device, "root_unbounded"))
            return FALSE;
        Bytes = Map(Device, At, At == MEMORY_SEGMENT ? MEMORY_BASE + Table : Table, &Mapped);

        if (!Bytes)
            return FALSE;
        RtlCopyMemory(&Entry, Bytes + Index * sizeof(Entry), sizeof(Entry));
        Unmap(Bytes, Mapped);
        if (!Entry.Valid && (Level > 1 || !Is(Device, "invalid_read")))
            return FALSE;
        *Zero = Entry.Zero && !Is(Device, "zero_ignored");
        if (*Zero)
            return TRUE;
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
    if (Segment == BY_ADDRESS) {
        BOOLEAN Zero = FALSE;

        if (!Walk(Device, Address, &Segment, &Address, &Zero)) {
            Device->Fault = !Is(Device, "fault_lost");
            return NULL;
        }
        if (Zero)
            return Device->Zeroes;
    }
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
    if (Destination == Device->Zeroes && !Is(Device, "zero_written"))
        Destination = NULL;
    if (Destination && Command->Kind == 1)
        for (i = 0; i < Command->Size; i += sizeof(ULONG))
            RtlCopyMemory(Destination + i, &Command->Pattern, sizeof(ULONG));
    else if (Destination && Source)
        RtlCopyMemory(Destination, Source, Command->Size);
    Unmap(Source, SourceMapped);
    Unmap(Destination, DestinationMapped);
}

/* Without end, and of every type. */
static void Storm(struct device *Device)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA Data;
    ULONG i;

    for (i = 0; !Device->Stop; i++) {
        RtlFillMemory(&Data, sizeof(Data), (UCHAR)(i >> 6));
        Data.InterruptType = (DXGK_INTERRUPT_TYPE)(i % 24);
        if (Data.InterruptType != DXGK_INTERRUPT_DMA_COMPLETED)
            Device->Dxgk.DxgkCbNotifyInterrupt(Device->Dxgk.DeviceHandle, &Data);
        Device->Dxgk.DxgkCbQueueDpc(Device->Dxgk.DeviceHandle);
    }
}

static BOOLEAN NotifyFence(PVOID Context)
{
    struct device *Device = (struct device *)Context;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA Data;

    if (Is(Device, "throws_synchronized"))
        Throw();
    if (Is(Device, "level_high"))
        CallHigh(Device);
    if (Is(Device, "level_again"))
        CallAgain(Device);
    RtlZeroMemory(&Data, sizeof(Data));
#if HAS_MMU
    if (Device->Fault) {
        Data.InterruptType = DXGK_INTERRUPT_DMA_PAGE_FAULTED;
        Data.DmaPageFaulted.FaultedFenceId = Device->Done;
        Device->Dxgk.DxgkCbNotifyInterrupt(Device->Dxgk.DeviceHandle, &Data);
        return TRUE;
    }
#endif
    Data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
    Data.DmaCompleted.SubmissionFenceId = Device->Done + (Is(Device, "wrong_fence") ? 100 : 0);
    Device->Dxgk.DxgkCbNotifyInterrupt(Device->Dxgk.DeviceHandle, &Data);
    if (Is(Device, "fence_twice"))
        Device->Dxgk.DxgkCbNotifyInterrupt(Device->Dxgk.DeviceHandle, &Data);
    if (Is(Device, "storm") && Device->Done == 5)
        Storm(Device);
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
    if (Is(Device, "throws_interrupt"))
        AskForInterrupt(Device);
    if (Is(Device, "level_low"))
        CallLow(Device, NotifyFence);
    else
        Device->Dxgk.DxgkCbSynchronizeExecution(Device->Dxgk.DeviceHandle, NotifyFence, Device, 0,
                                                &Answer);
    Device->Dxgk.DxgkCbQueueDpc(Device->Dxgk.DeviceHandle);
}

/* The register that makes it stand still. */
static ULONG *Stand(const struct device *Device)
{
    return (ULONG *)(Device->Registers + 16);
}

/* Wait until it may go on; FALSE: its work is to be dropped, for there was a reset. */
static BOOLEAN GoOn(struct device *Device)
{
    ULONG Resets = Device->Resets;
    LARGE_INTEGER Moment;

    Moment.QuadPart = -10000;
    while (Device->Registers && READ_REGISTER_ULONG(Stand(Device)) && !Device->Stop) {
        KeDelayExecutionThread(KernelMode, FALSE, &Moment);
        if (Resets != Device->Resets)
            return FALSE;
        Moment.QuadPart = Is(Device, "reset_late") ? -500000 : -10000;
    }
    return Resets == Device->Resets && !Device->Stop;
}

/* It takes its time, so that a driver that does not wait is too early: "busy_...". */
static void Linger(const struct device *Device)
{
    LARGE_INTEGER Moment;

    Moment.QuadPart = -20000;
    if (strncmp(Device->Broken, "busy_", 5) == 0)
        KeDelayExecutionThread(KernelMode, FALSE, &Moment);
}

static void Run(struct device *Device, const struct submission *Submission)
{
    BOOLEAN Mapped;
    ULONG Offset;

    if (!GoOn(Device))
        return;
    Linger(Device);
    Device->Fault = FALSE;
    if (Submission->IsPrivate)
        Execute(Device, &Submission->Private);

    for (Offset = Submission->Start; Offset < Submission->End;) {
        ULONG64 Page = (Submission->Address + Offset) & ~(ULONG64)(PAGE_SIZE - 1);
        ULONG InPage = (ULONG)(Submission->Address + Offset - Page);
        UCHAR *Bytes = Map(Device, Submission->Segment, Page, &Mapped);

        while (Bytes && !Device->Fault && Offset < Submission->End &&
               InPage + sizeof(struct command) <= PAGE_SIZE) {
            struct command Command;

            RtlCopyMemory(&Command, Bytes + InPage, sizeof(Command));
            if (!Is(Device, "moves_nothing") && !Device->Asleep &&
                !(Device->Reset && (Is(Device, "reset_stuck") || Is(Device, "engine_stuck"))))
                Execute(Device, &Command);
            InPage += sizeof(Command);
            Offset += sizeof(Command);
        }
        Unmap(Bytes, Mapped);
        if (!Bytes || Device->Fault)
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
        if (Is(Device, "throws_thread"))
            Throw();
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
