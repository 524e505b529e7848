/* paging.c: DxgkDdiBuildPagingBuffer.
 *
 * The memory manager decides what moves and which entries of which page table change; this file
 * writes down how, as commands that the GPU will execute in the order of submission. Only the
 * tables of the paging process are first written by the processor (CPU_VIRTUAL), when there is no
 * address yet by which the GPU could be told anything.
 *
 * The paging buffer lies in no segment, so that its virtual address means nothing to the GPU. The
 * physical one of each operation goes into the private data, where DxgkDdiSubmitCommandVirtual
 * finds the first.
 */
#include "atlas.h"

/* Begin a command with a list of at most *Words words; *Words becomes how many of them fit. NULL:
 * none, or not even the command. */
static struct atlas_command *Begin(DXGKARG_BUILDPAGINGBUFFER *Arg, UINT Opcode, UINT *Words)
{
    struct atlas_command *Command = (struct atlas_command *)Arg->pDmaBuffer;
    UINT Wanted = *Words, Fit;

    if (Arg->DmaSize < sizeof(*Command) || Arg->DmaBufferPrivateDataSize < sizeof(ULONG64))
        return NULL;
    Fit = (UINT)((Arg->DmaSize - sizeof(*Command)) / sizeof(ULONG64));
    *Words = min(Wanted, Fit);
    if (Wanted && !*Words)
        return NULL;
    *(ULONG64 *)Arg->pDmaBufferPrivateData =
        (ULONG64)MmGetPhysicalAddress(Arg->pDmaBuffer).QuadPart;
    Arg->pDmaBufferPrivateData = (UCHAR *)Arg->pDmaBufferPrivateData + sizeof(ULONG64);
    Arg->DmaBufferPrivateDataSize -= (UINT)sizeof(ULONG64);
    RtlZeroMemory(Command, sizeof(*Command));
    Command->opcode = Opcode;
    Command->bytes = (UINT)(sizeof(*Command) + *Words * sizeof(ULONG64));
    Arg->pDmaBuffer = (UCHAR *)Arg->pDmaBuffer + Command->bytes;
    Arg->DmaSize -= Command->bytes;
    return Command;
}

/* A command without a list. */
static NTSTATUS Write(DXGKARG_BUILDPAGINGBUFFER *Arg, UINT Opcode, ULONG64 First, ULONG64 Second,
                      ULONG64 Count)
{
    UINT None = 0;
    struct atlas_command *Command = Begin(Arg, Opcode, &None);

    if (!Command)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    Command->first = First;
    Command->second = Second;
    Command->count = Count;
    return STATUS_SUCCESS;
}

/* ---- page tables ---- */

/* The GPU's word for an entry. */
static ULONG64 Word(const DXGK_PTE *Entry)
{
    ULONG64 Value = Entry->PageAddress << PAGE_SHIFT;

    if (!Entry->Valid)
        return 0;
    Value |= ATLAS_PTE_VALID;
    if (Entry->Segment == 0)
        Value |= ATLAS_PTE_SYSTEM;
    if (Entry->ReadOnly)
        Value |= ATLAS_PTE_READ_ONLY;
    return Value;
}

static VOID WriteByCpu(const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *Update)
{
    ULONG64 *Table = (ULONG64 *)Update->PageTableAddress.CpuVirtual;
    UINT i;

    for (i = 0; i < Update->NumPageTableEntries; i++)
        Table[Update->StartIndex + i] =
            Word(&Update->pPageTableEntries[Update->Flags.Repeat ? 0 : i]);
}

/* MultipassOffset counts entries that are written. */
static NTSTATUS WriteByGpu(DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *Update = &Arg->UpdatePageTable;
    UINT Total = Update->NumPageTableEntries;

    while (Arg->MultipassOffset < Total) {
        UINT Words = Update->Flags.Repeat ? 1 : Total - Arg->MultipassOffset, i;
        struct atlas_command *Command = Begin(Arg, ATLAS_TABLE_WRITE, &Words);
        ULONG64 *List;

        if (!Command)
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
        List = (ULONG64 *)(Command + 1);
        Command->first = Update->PageTableAddress.GpuPhysical.SegmentOffset +
                         (ULONG64)(Update->StartIndex + Arg->MultipassOffset) * sizeof(ULONG64);
        Command->second = Update->Flags.Repeat;
        Command->count = Update->Flags.Repeat ? Total - Arg->MultipassOffset : Words;
        for (i = 0; i < Words; i++)
            List[i] = Word(
                &Update->pPageTableEntries[Update->Flags.Repeat ? 0 : Arg->MultipassOffset + i]);
        Arg->MultipassOffset += (UINT)Command->count;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS UpdatePageTable(DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    if (Arg->UpdatePageTable.UpdateMode == DXGK_PAGETABLEUPDATE_GPU_PHYSICAL)
        return WriteByGpu(Arg);
    WriteByCpu(&Arg->UpdatePageTable);
    return STATUS_SUCCESS;
}

NTSTATUS AtlasBuildPagingBuffer(CONST HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    UNREFERENCED_PARAMETER(hAdapter);
    switch (Arg->Operation) {
    case DXGK_OPERATION_VIRTUAL_TRANSFER:
        return Write(Arg, ATLAS_COPY, Arg->TransferVirtual.DestinationVirtualAddress,
                     Arg->TransferVirtual.SourceVirtualAddress,
                     Arg->TransferVirtual.TransferSizeInBytes);
    case DXGK_OPERATION_VIRTUAL_FILL:
        return Write(Arg, ATLAS_FILL, Arg->FillVirtual.DestinationVirtualAddress,
                     Arg->FillVirtual.FillPattern, Arg->FillVirtual.FillSizeInBytes);
    case DXGK_OPERATION_UPDATE_PAGE_TABLE:
        return UpdatePageTable(Arg);
    case DXGK_OPERATION_FLUSH_TLB:
        return Write(Arg, ATLAS_FORGET, Arg->FlushTlb.RootPageTableAddress.SegmentOffset, 0, 0);
    default: /* operations that this driver's caps do not ask for are not sent */
        return STATUS_NOT_SUPPORTED;
    }
}
