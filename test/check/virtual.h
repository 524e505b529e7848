/* virtual.h: paging by address, for drivers with page tables (WDDM 2.0 and above). */

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

/* The pattern of the private data, a page at a time. */
static NTSTATUS UpdateContext(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION *Update = &Arg->UpdateContextAllocation;
    ULONG64 Size = Update->ContextAllocationSize + (Is(Device, "context_update_past") ? 64 : 0);

    for (; Arg->MultipassOffset * (ULONG64)PAGE_SIZE < Size; Arg->MultipassOffset++) {
        ULONG64 Offset = Arg->MultipassOffset * (ULONG64)PAGE_SIZE;
        struct command Command;

        RtlZeroMemory(&Command, sizeof(Command));
        Command.Kind = 1;
        Command.Pattern = *(const ULONG *)Update->pDriverPrivateData;
        Command.Size = Size - Offset < PAGE_SIZE ? Size - Offset : PAGE_SIZE;
        Command.DestinationSegment = BY_ADDRESS;
        Command.Destination = Update->ContextAllocation + Offset;
        if (!Put(Arg, &Command))
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    }
    return STATUS_SUCCESS;
}

/* The driver hears what comes and goes; the GPU needs no page of an allocation while it is away. */
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

static SIZE_T APIENTRY GetRootPageTableSize(CONST HANDLE Adapter, DXGKARG_GETROOTPAGETABLESIZE *Arg)
{
    SIZE_T Size = Arg->NumberOfPte * sizeof(DXGK_PTE);

    (void)Adapter;
    return (Size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
}

static VOID APIENTRY SetRootPageTable(CONST HANDLE Adapter, CONST DXGKARG_SETROOTPAGETABLE *Arg)
{
    struct device *Device = (struct device *)Adapter;

    Device->RootSegment = Arg->Address.SegmentId;
    Device->Root = Arg->Address.SegmentOffset;
    Device->RootEntries = Arg->NumEntries;
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
    New.IsPrivate = FALSE;
    Enqueue((struct device *)Adapter, &New);
    return STATUS_SUCCESS;
}
#endif
