/* paging.h: operations of paging buffers, a command a page. */

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

#if !HAS_MMU
/* A transfer, but for its pages: those of the alternate address. */
static NTSTATUS Transfer(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg);

static NTSTATUS SpecialTransfer(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    DXGKARG_BUILDPAGINGBUFFER Plain = *Arg;
    NTSTATUS Status;

    RtlZeroMemory(&Plain.Transfer, sizeof(Plain.Transfer));
    Plain.Transfer.TransferSize = Arg->SpecialLockTransfer.TransferSize;
    Plain.Transfer.Flags = Arg->SpecialLockTransfer.Flags;
    Plain.Transfer.Source.SegmentId = Arg->SpecialLockTransfer.Source.SegmentId;
    Plain.Transfer.Source.SegmentAddress = Arg->SpecialLockTransfer.Source.SegmentAddress;
    Plain.Transfer.Destination.SegmentId = Arg->SpecialLockTransfer.Destination.SegmentId;
    Plain.Transfer.Destination.SegmentAddress = Arg->SpecialLockTransfer.Destination.SegmentAddress;
    if (Is(Device, "ranges_half"))
        Plain.Transfer.TransferSize = PAGE_SIZE;
    Status = Transfer(Device, &Plain);
    Arg->pDmaBuffer = Plain.pDmaBuffer;
    Arg->DmaSize = Plain.DmaSize;
    Arg->MultipassOffset = Plain.MultipassOffset;
    return Status;
}
#endif

/* Out of the memory, by the CPU, whatever the GPU still does with it. */
static NTSTATUS CopyNow(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    ULONG64 From = (ULONG64)Arg->Transfer.Source.SegmentAddress.QuadPart - MEMORY_BASE;
    PHYSICAL_ADDRESS To;
    ULONG64 Page;
    PVOID Bytes;

    for (Page = 0; Page < Arg->Transfer.TransferSize / PAGE_SIZE; Page++) {
        To.QuadPart =
            (LONGLONG)PageOf(Arg->Transfer.Destination.pMdl, Arg->Transfer.MdlOffset + Page);
        Bytes = MmMapIoSpace(To, PAGE_SIZE, MmCached);
        if (!Bytes)
            return STATUS_NO_MEMORY;
        RtlCopyMemory(Bytes, Device->Video + From + Arg->Transfer.TransferOffset + Page * PAGE_SIZE,
                      PAGE_SIZE);
        MmUnmapIoSpace(Bytes, PAGE_SIZE);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS Transfer(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    ULONG64 Pages = (Arg->Transfer.TransferSize + PAGE_SIZE - 1) / PAGE_SIZE;
    ULONG64 Offset = Is(Device, "split") ? 0 : Arg->Transfer.TransferOffset;
    ULONG64 Skip = Is(Device, "shift") ? 8 : 0;

    if (Is(Device, "device_kept") && Arg->Transfer.hAllocation)
        Skip =
            *(volatile UCHAR *)((struct allocation *)Arg->Transfer.hAllocation)->Opener->Video & 0;
    if (Is(Device, "set_writes") && Arg->Transfer.hAllocation &&
        Arg->Transfer.Source.SegmentId == MEMORY_SEGMENT)
        return STATUS_INVALID_PARAMETER;
    if (Is(Device, "half"))
        Pages = (Pages + 1) / 2;
    if (Is(Device, "purge_copies") && Pages == 0)
        Pages = 1;
    if (Arg->Transfer.hAllocation && Arg->Transfer.Destination.SegmentId == MEMORY_SEGMENT)
        ((struct allocation *)Arg->Transfer.hAllocation)->Place =
            (ULONG64)Arg->Transfer.Destination.SegmentAddress.QuadPart - MEMORY_BASE;
    if (Is(Device, "busy") && !Arg->Transfer.Flags.AllocationIsIdle)
        return STATUS_GRAPHICS_ALLOCATION_BUSY;
    if (Is(Device, "busy_copies") && Arg->Transfer.Source.SegmentId == MEMORY_SEGMENT &&
        !Arg->Transfer.Flags.AllocationIsIdle && Arg->Transfer.Destination.SegmentId == 0)
        return CopyNow(Device, Arg);
    if (Is(Device, "restarts") && Arg->Transfer.Flags.TransferStart)
        Arg->MultipassOffset = 0;
    for (; Arg->MultipassOffset < Pages; Arg->MultipassOffset++) {
        ULONG64 Page = Arg->MultipassOffset, Tile = Page;
        struct command Command;

        if (Is(Device, "raw_tiled") && !Arg->Transfer.hAllocation && (Page ^ 1) < Pages)
            Tile ^= 1;
        if (Arg->Transfer.hAllocation && (Page ^ 1) < Pages &&
            (Is(Device, "ranges_tiled") ||
             (Is(Device, "evicts_tiled") && Arg->Transfer.Source.SegmentId != 0)))
            Tile ^= 1;
        RtlZeroMemory(&Command, sizeof(Command));
        Command.Size = PAGE_SIZE - Skip;
        Command.SourceSegment = Arg->Transfer.Source.SegmentId;
        Command.DestinationSegment = Arg->Transfer.Destination.SegmentId;
        Command.Source =
            Command.SourceSegment
                ? (ULONG64)Arg->Transfer.Source.SegmentAddress.QuadPart + Offset + Tile * PAGE_SIZE
                : PageOf(Arg->Transfer.Source.pMdl, Arg->Transfer.MdlOffset + Page);
        Command.Destination =
            (Command.DestinationSegment
                 ? (ULONG64)Arg->Transfer.Destination.SegmentAddress.QuadPart + Offset +
                       Tile * PAGE_SIZE
                 : PageOf(Arg->Transfer.Destination.pMdl, Arg->Transfer.MdlOffset + Page)) +
            Skip;
        if (!Put(Arg, &Command))
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    }
    return STATUS_SUCCESS;
}

#include "private.h"

static NTSTATUS Fill(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    ULONG64 Pages = (Arg->Fill.FillSize + PAGE_SIZE - 1) / PAGE_SIZE;

    if (Is(Device, "commands_private"))
        return FillPrivate(Arg);
    if (Is(Device, "crash_late") || Is(Device, "crash_twice"))
        *(volatile ULONG *)(ULONG_PTR)0x10 = 1;
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

#include "virtual.h"

/* Have the CPU see this page at a page of the aperture. */
static void Show(struct device *Device, ULONG64 Page, ULONG64 Address)
{
    if (!Device->View || Is(Device, "view_none"))
        return;
    WRITE_REGISTER_ULONG64((ULONG64 *)(Device->View + 8), Page);
    WRITE_REGISTER_ULONG64((ULONG64 *)(Device->View + 0x10), Address);
}

static NTSTATUS MapAperture(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    SIZE_T i;

    for (i = 0; i < Arg->MapApertureSegment.NumberOfPages; i++) {
        SIZE_T Page = Arg->MapApertureSegment.OffsetInPages + i;

        Device->Aperture[Page] = PageOf(Arg->MapApertureSegment.pMdl,
                                        (Is(Device, "mdl_offset") || Is(Device, "evict_none_offset")
                                             ? 0
                                             : Arg->MapApertureSegment.MdlOffset) +
                                            (Is(Device, "map_first") ? 0 : i));
        Show(Device, Is(Device, "view_shifted") ? Page + 1 : Page, Device->Aperture[Page]);
    }
    return STATUS_SUCCESS;
}

#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
/* The CPU has no business there: the page may be the GPU's alone. */
static void LookAtList(struct device *Device, ULONG64 Frame)
{
    if (Is(Device, "adl_map_space")) {
        PHYSICAL_ADDRESS Address;
        volatile UCHAR *Bytes;

        Address.QuadPart = (LONGLONG)(Frame << PAGE_SHIFT);
        Bytes = (volatile UCHAR *)MmMapIoSpace(Address, PAGE_SIZE, MmNonCached);
        if (Bytes) {
            (void)Bytes[0];
            MmUnmapIoSpace((PVOID)(ULONG_PTR)Bytes, PAGE_SIZE);
        }
    }
    if (Is(Device, "adl_map_mdl")) {
        MDL *Mdl = IoAllocateMdl(NULL, PAGE_SIZE, FALSE, FALSE, NULL);
        PVOID Bytes;

        if (!Mdl)
            return;
        MmGetMdlPfnArray(Mdl)[0] = Frame;
        Mdl->MdlFlags |= MDL_PAGES_LOCKED;
        Bytes = MmMapLockedPagesSpecifyCache(Mdl, KernelMode, MmNonCached, NULL, FALSE,
                                             NormalPagePriority);
        if (Bytes)
            MmUnmapLockedPages(Bytes, Mdl);
        Mdl->MdlFlags &= ~MDL_PAGES_LOCKED;
        IoFreeMdl(Mdl);
    }
}

/* Map the range to a list of addresses that need not be an array. */
static NTSTATUS MapAperture2(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    const DXGK_ADL *Adl = &Arg->MapApertureSegment2.Adl;
    SIZE_T i;

    for (i = 0; i < Arg->MapApertureSegment2.NumberOfPages; i++) {
        SIZE_T Page = (Is(Device, "adl_offset") ? 0 : Arg->MapApertureSegment2.AdlOffset) + i;
        ULONG64 Frame = Adl->Flags.Contiguous ? Adl->BasePageNumber + Page : Adl->Pages[Page];

        if (Is(Device, "adl_array") && Adl->Flags.Contiguous)
            Frame = Adl->BasePageNumber;
        LookAtList(Device, Frame);
        Device->Aperture[Arg->MapApertureSegment2.OffsetInPages + i] = Frame << PAGE_SHIFT;
    }
    return STATUS_SUCCESS;
}
#endif

static NTSTATUS UnmapAperture(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    SIZE_T i, Count = Arg->UnmapApertureSegment.NumberOfPages;

    if (Is(Device, "stays_mapped") || Is(Device, "evict_none_mapped"))
        return STATUS_SUCCESS;
    if (Is(Device, "unmaps_more"))
        Count++;
    for (i = 0; i < Count; i++)
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
static NTSTATUS Touch(struct device *Device, DXGKARG_BUILDPAGINGBUFFER *Arg, BOOLEAN Write)
{
    struct command Command;

    RtlZeroMemory(&Command, sizeof(Command));
    if (Is(Device, "touch_nothing") || (!Write && !Is(Device, "touch_both")))
        return STATUS_SUCCESS;
    if (!Write || Is(Device, "touch_none")) /* to itself, or of no bytes */
        Command.SourceSegment = Arg->ReadPhysical.SegmentId;
    Command.Source = (ULONG64)Arg->ReadPhysical.PhysicalAddress.QuadPart;
    Command.Kind = Command.SourceSegment == 0;
    Command.Size = Is(Device, "write_wide") ? 16 : Is(Device, "touch_none") ? 0 : 8;
    Command.DestinationSegment = Arg->WritePhysical.SegmentId;
    Command.Destination = (ULONG64)Arg->WritePhysical.PhysicalAddress.QuadPart;
    return Put(Arg, &Command) ? STATUS_SUCCESS : STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

#include "hostile.h"
#include "late.h"
#include "wrong.h"

/* No allocation's sets ask for it, so this driver does not know how. */
static BOOLEAN IsUnasked(const struct device *Device, const DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    switch (Arg->Operation) {
    case DXGK_OPERATION_TRANSFER:
        return strncmp(Device->Broken, "evict_none", 10) == 0 &&
               Arg->Transfer.Source.SegmentId == MEMORY_SEGMENT &&
               Arg->Transfer.Destination.SegmentId == APERTURE_SEGMENT;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        return Is(Device, "aperture_unused");
    default:
        return FALSE;
    }
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
    if (IsUnasked(Device, Arg) || (Is(Device, "marks_private") && !IsMarked(Arg)))
        return STATUS_INVALID_PARAMETER;
    if (Is(Device, "commands_private") && IsPrivate(Arg))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    switch (Arg->Operation) {
    case DXGK_OPERATION_TRANSFER:
        return Transfer(Device, Arg);
#if !HAS_MMU
    case DXGK_OPERATION_SPECIAL_LOCK_TRANSFER:
        return SpecialTransfer(Device, Arg);
#endif
    case DXGK_OPERATION_FILL:
        return Fill(Device, Arg);
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        if (strncmp(Device->Broken, "adl", 3) == 0 ||
            (strncmp(Device->Broken, "set_", 4) == 0 && !Is(Device, "set_writes") &&
             Arg->MapApertureSegment.hAllocation))
            return STATUS_NOT_SUPPORTED;
        return MapAperture(Device, Arg);
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT2:
        return MapAperture2(Device, Arg);
#endif
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        return UnmapAperture(Device, Arg);
    case DXGK_OPERATION_READ_PHYSICAL:
    case DXGK_OPERATION_WRITE_PHYSICAL:
        return Touch(Device, Arg, Arg->Operation == DXGK_OPERATION_WRITE_PHYSICAL);
    case DXGK_OPERATION_DISCARD_CONTENT:
        if (Is(Device, "crash_twice") &&
            ((struct allocation *)Arg->DiscardContent.hAllocation)->Size >= 16 * PAGE_SIZE)
            *(volatile ULONG *)(ULONG_PTR)0x20 = 1;
        if (Is(Device, "busy_clears") && !Arg->DiscardContent.Flags.AllocationIsIdle)
            RtlZeroMemory(Device->Video +
                              (Arg->DiscardContent.SegmentAddress.QuadPart - (LONGLONG)MEMORY_BASE),
                          ((struct allocation *)Arg->DiscardContent.hAllocation)->Size);
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
    case DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION:
        return UpdateContext(Device, Arg);
    case DXGK_OPERATION_NOTIFY_RESIDENCY:
        return NotifyResidency(Device, Arg);
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
    case DXGK_OPERATION_SIGNAL_MONITORED_FENCE:
        return SignalFence(Device, Arg);
#endif
#endif
    default:
        while (Is(Device, "unasked_hang"))
            YieldProcessor();
        return STATUS_NOT_SUPPORTED;
    }
}
