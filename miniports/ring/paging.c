/* paging.c: DxgkDdiBuildPagingBuffer.
 *
 * The memory manager decides what moves; this file writes down how, as commands that the GPU will
 * execute in the order of submission. Everything is done by the GPU, the aperture's table included:
 * so a mapping changes behind the work that still uses the old one, and nobody has to wait.
 *
 * An operation may need more than what is left of the buffer. Then what fits is written,
 * MultipassOffset keeps how far it got (in pages, here), and
 * STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER asks for the same call with a fresh buffer.
 */
#include "ring.h"

/* Begin a command with a list of at most *Pages pages; *Pages becomes how many of them fit. NULL:
 * none, or not even the command. */
static struct ring_command *Begin(DXGKARG_BUILDPAGINGBUFFER *Arg, UINT Opcode, ULONG64 *Pages)
{
    struct ring_command *Command = (struct ring_command *)Arg->pDmaBuffer;
    ULONG64 Wanted = *Pages, Fit;

    if (Arg->DmaSize < sizeof(*Command))
        return NULL;
    Fit = (Arg->DmaSize - sizeof(*Command)) / sizeof(ULONG64);
    *Pages = min(Wanted, Fit);
    if (Wanted && !*Pages)
        return NULL;
    RtlZeroMemory(Command, sizeof(*Command));
    Command->opcode = Opcode;
    Command->bytes = (UINT)(sizeof(*Command) + *Pages * sizeof(ULONG64));
    Arg->pDmaBuffer = (UCHAR *)Arg->pDmaBuffer + Command->bytes;
    Arg->DmaSize -= Command->bytes;
    return Command;
}

/* The list behind the command: where the pages of an MDL are, from one of them on. */
static VOID ListPages(struct ring_command *Command, MDL *Mdl, ULONG64 First, ULONG64 Pages)
{
    const PFN_NUMBER *Frames = MmGetMdlPfnArray(Mdl) + First;
    ULONG64 *List = (ULONG64 *)(Command + 1);
    ULONG64 i;

    for (i = 0; i < Pages; i++)
        List[i] = (ULONG64)Frames[i] << PAGE_SHIFT;
}

/* A command without a list. */
static NTSTATUS Write(DXGKARG_BUILDPAGINGBUFFER *Arg, UINT Opcode, ULONG64 First, ULONG64 Second,
                      ULONG64 Count)
{
    ULONG64 None = 0;
    struct ring_command *Command = Begin(Arg, Opcode, &None);

    if (!Command)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    Command->first = First;
    Command->second = Second;
    Command->count = Count;
    return STATUS_SUCCESS;
}

/* Between the GPU's memory and system pages, piece by piece. */
static NTSTATUS CopyPages(DXGKARG_BUILDPAGINGBUFFER *Arg, UINT Opcode, ULONG64 Address, MDL *Mdl)
{
    ULONG64 Size = Arg->Transfer.TransferSize;
    ULONG64 Total = (Size + PAGE_SIZE - 1) >> PAGE_SHIFT;

    while (Arg->MultipassOffset < Total) {
        ULONG64 Done = (ULONG64)Arg->MultipassOffset << PAGE_SHIFT;
        ULONG64 Pages = Total - Arg->MultipassOffset;
        struct ring_command *Command = Begin(Arg, Opcode, &Pages);

        if (!Command)
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
        Command->first = Address + Done;
        Command->count = min(Pages << PAGE_SHIFT, Size - Done); /* the last page may be a part */
        ListPages(Command, Mdl, (ULONG64)Arg->Transfer.MdlOffset + Arg->MultipassOffset, Pages);
        Arg->MultipassOffset += (UINT)Pages;
    }
    return STATUS_SUCCESS;
}

/* TransferOffset counts on the segment's side only; the MDL has MdlOffset, in pages. A size of 0
 * says that the allocation has left and nobody wants its content: no command. */
static NTSTATUS Transfer(DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    ULONG64 From = (ULONG64)Arg->Transfer.Source.SegmentAddress.QuadPart;
    ULONG64 To = (ULONG64)Arg->Transfer.Destination.SegmentAddress.QuadPart;
    ULONG64 Offset = Arg->Transfer.TransferOffset;

    if (Arg->Transfer.TransferSize == 0)
        return STATUS_SUCCESS;
    if (Arg->Transfer.Source.SegmentId == 0)
        return CopyPages(Arg, RING_COPY_IN, To + Offset, Arg->Transfer.Source.pMdl);
    if (Arg->Transfer.Destination.SegmentId == 0)
        return CopyPages(Arg, RING_COPY_OUT, From + Offset, Arg->Transfer.Destination.pMdl);
    return Write(Arg, RING_COPY, To + Offset, From + Offset, Arg->Transfer.TransferSize);
}

static NTSTATUS MapAperture(DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    ULONG64 Total = Arg->MapApertureSegment.NumberOfPages;

    while (Arg->MultipassOffset < Total) {
        ULONG64 Pages = Total - Arg->MultipassOffset;
        struct ring_command *Command = Begin(Arg, RING_MAP, &Pages);

        if (!Command)
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
        Command->first = Arg->MapApertureSegment.OffsetInPages + Arg->MultipassOffset;
        Command->count = Pages;
        ListPages(Command, Arg->MapApertureSegment.pMdl,
                  (ULONG64)Arg->MapApertureSegment.MdlOffset + Arg->MultipassOffset, Pages);
        Arg->MultipassOffset += (UINT)Pages;
    }
    return STATUS_SUCCESS;
}

/* The GPU may still touch the range, so it must lead somewhere: to the dummy page, never to the
 * pages that were there, which soon belong to somebody else. */
static NTSTATUS UnmapAperture(DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    return Write(Arg, RING_UNMAP, Arg->UnmapApertureSegment.OffsetInPages,
                 (ULONG64)Arg->UnmapApertureSegment.DummyPage.QuadPart,
                 Arg->UnmapApertureSegment.NumberOfPages);
}

NTSTATUS RingBuildPagingBuffer(CONST HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    UNREFERENCED_PARAMETER(hAdapter);
    switch (Arg->Operation) {
    case DXGK_OPERATION_TRANSFER:
        return Transfer(Arg);
    case DXGK_OPERATION_FILL:
        return Write(Arg, RING_FILL, (ULONG64)Arg->Fill.Destination.SegmentAddress.QuadPart,
                     Arg->Fill.FillPattern, Arg->Fill.FillSize);
    case DXGK_OPERATION_DISCARD_CONTENT:
        /* Content goes, and nothing has to happen: this GPU keeps no state beside the bytes. One
         * with compression would forget here which tiles are compressed. */
        return STATUS_SUCCESS;
    case DXGK_OPERATION_READ_PHYSICAL:
        return Write(Arg, RING_READ, (ULONG64)Arg->ReadPhysical.PhysicalAddress.QuadPart, 0, 4);
    case DXGK_OPERATION_WRITE_PHYSICAL:
        return Write(Arg, RING_FILL, (ULONG64)Arg->WritePhysical.PhysicalAddress.QuadPart, 0, 4);
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        return MapAperture(Arg);
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        return UnmapAperture(Arg);
    default: /* operations that this driver's caps do not ask for are not sent */
        return STATUS_NOT_SUPPORTED;
    }
}
