/* private.h: private data of paging buffers. "commands_private": commands are there alone;
 * "marks_private": it keeps something there from one use of a buffer to the next;
 * "empty_refuses": a submission without bytes and without private data is none. */

/* One command, for the whole range, in the private data of a buffer with nothing else. */
static NTSTATUS PutPrivate(DXGKARG_BUILDPAGINGBUFFER *Arg, const struct command *Command)
{
    if (Arg->DmaSize < PAGING_BUFFER || Arg->DmaBufferPrivateDataSize < PRIVATE_DATA)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    RtlCopyMemory(Arg->pDmaBufferPrivateData, Command, sizeof(*Command));
    Arg->pDmaBufferPrivateData = (UCHAR *)Arg->pDmaBufferPrivateData + sizeof(*Command);
    return STATUS_SUCCESS;
}

/* The memory is linear, so a fill of it needs one command. */
static NTSTATUS FillPrivate(DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    struct command Command;

    RtlZeroMemory(&Command, sizeof(Command));
    Command.Kind = 1;
    Command.Pattern = Arg->Fill.FillPattern;
    Command.Size = Arg->Fill.FillSize;
    Command.DestinationSegment = Arg->Fill.Destination.SegmentId;
    Command.Destination = (ULONG64)Arg->Fill.Destination.SegmentAddress.QuadPart;
    return PutPrivate(Arg, &Command);
}

/* Whether the buffer has a command there: then it has no room for others. */
static BOOLEAN IsPrivate(const DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    return Arg->DmaBufferPrivateDataSize > 0 && Arg->DmaBufferPrivateDataSize < PRIVATE_DATA;
}

/* Take the command out of what is submitted. */
static VOID TakePrivate(const DXGKARG_SUBMITCOMMAND *Arg, struct submission *New)
{
    UINT Start = Arg->DmaBufferPrivateDataSubmissionStartOffset;

    New->IsPrivate = Arg->DmaBufferPrivateDataSubmissionEndOffset - Start >= sizeof(New->Private);
    if (New->IsPrivate)
        RtlCopyMemory(&New->Private, (UCHAR *)Arg->pDmaBufferPrivateData + Start,
                      sizeof(New->Private));
}

/* A packet without a buffer is another thing: the node leaves its context. */
static BOOLEAN IsEmpty(const DXGKARG_SUBMITCOMMAND *Arg)
{
    return Arg->DmaBufferSize > 0 &&
           Arg->DmaBufferSubmissionStartOffset == Arg->DmaBufferSubmissionEndOffset &&
           Arg->DmaBufferPrivateDataSubmissionStartOffset ==
               Arg->DmaBufferPrivateDataSubmissionEndOffset;
}

/* Private data begins with the mark if this buffer was seen before, and with zeros if it was not.
 */
static BOOLEAN IsMarked(DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    static const ULONG64 Mark = 0x4B72614D65766F4Cull;
    static PVOID Known[128];
    static ULONG Count;
    ULONG64 *First = (ULONG64 *)Arg->pDmaBufferPrivateData;
    ULONG i = 0;

    while (i < Count && Known[i] != First)
        i++;
    if (i < Count)
        return *First == Mark;
    if (*First != 0 || Count == sizeof(Known) / sizeof(Known[0]))
        return FALSE;
    Known[Count++] = First;
    *First = Mark;
    return TRUE;
}
