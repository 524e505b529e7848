/* private.h: what paging buffers have beside their bytes: private data. "commands_private": commands
 * are there alone; "empty_refuses": a submission with neither is none. */

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
