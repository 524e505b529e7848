// work.cpp: the requests: paging operations, command buffers, patches.
//
// Both kinds of request end as an array of Command in a buffer of the memory manager's, and are
// executed when that is submitted. A paging operation is one command, whatever its size: the thread
// goes through the pages of an MDL itself. So nothing is ever done in several passes.
#include "courier.h"
#include "work.tmh"

// ---- paging ----

// The buffer's end; NULL: it is full.
static Command *Append(DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    BufferInfo *Info = static_cast<BufferInfo *>(Arg->pDmaBufferPrivateData);
    Command *New = static_cast<Command *>(Arg->pDmaBuffer);

    if (Arg->DmaSize < sizeof(*New))
        return NULL;
    // Private data is zeroed when a buffer is fresh. It is not advanced: all operations share it.
    if (!Info->Start)
        Info->Start = static_cast<UCHAR *>(Arg->pDmaBuffer);
    Arg->pDmaBuffer = New + 1;
    Arg->DmaSize -= sizeof(*New);
    RtlZeroMemory(New, sizeof(*New));
    return New;
}

static ULONG64 Address(const LARGE_INTEGER &Segment, ULONG64 Offset)
{
    return static_cast<ULONG64>(Segment.QuadPart) + Offset;
}

// The MDL's pages stay locked until the fence, so the thread may look at them later.
static NTSTATUS Transfer(DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    const auto &Source = Arg->Transfer.Source;
    const auto &Destination = Arg->Transfer.Destination;
    ULONG64 Offset = Arg->Transfer.TransferOffset; // of the segment's side alone
    Command *New;

    if (Arg->Transfer.TransferSize == 0) // the allocation leaves, and nobody wants its content
        return STATUS_SUCCESS;
    New = Append(Arg);
    if (!New)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    New->Kind = Source.SegmentId == 0        ? Command::CopyIn
                : Destination.SegmentId == 0 ? Command::CopyOut
                                             : Command::Copy;
    New->Size = Arg->Transfer.TransferSize;
    New->Skip = static_cast<ULONG64>(Arg->Transfer.MdlOffset) << PAGE_SHIFT;
    if (Source.SegmentId == 0)
        New->Mdl = Source.pMdl;
    else
        New->From = Address(Source.SegmentAddress, Offset);
    if (Destination.SegmentId == 0)
        New->Mdl = Destination.pMdl;
    else
        New->To = Address(Destination.SegmentAddress, Offset);
    return STATUS_SUCCESS;
}

static NTSTATUS Fill(DXGKARG_BUILDPAGINGBUFFER *Arg, ULONG64 To, ULONG64 Size, ULONG Pattern)
{
    Command *New = Append(Arg);

    if (!New)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    New->Kind = Command::Fill;
    New->To = To;
    New->Size = Size;
    New->Pattern = Pattern;
    return STATUS_SUCCESS;
}

NTSTATUS CourierBuildPagingBuffer(CONST HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER *Arg)
{
    UNREFERENCED_PARAMETER(hAdapter);
    switch (Arg->Operation) {
    case DXGK_OPERATION_TRANSFER:
        return Transfer(Arg);
    case DXGK_OPERATION_FILL:
        return Fill(Arg, Address(Arg->Fill.Destination.SegmentAddress, 0), Arg->Fill.FillSize,
                    Arg->Fill.FillPattern);
    case DXGK_OPERATION_WRITE_PHYSICAL:
        return Fill(Arg, Address(Arg->WritePhysical.PhysicalAddress, 0), sizeof(ULONG), 0);
    case DXGK_OPERATION_READ_PHYSICAL:   // for the order of bus accesses: there is no bus
    case DXGK_OPERATION_DISCARD_CONTENT: // bytes are all there is of an allocation
        return STATUS_SUCCESS;
    default:
        TraceError(WORK, "paging operation %u is not known", static_cast<ULONG>(Arg->Operation));
        return STATUS_NOT_SUPPORTED;
    }
}

// ---- command buffers ----

// Note that `Place` is to get the address of an allocation, and fill in the one that is known: if
// the allocation stays there, DxgkDdiPatch need not be called.
static VOID AddPatch(DXGKARG_RENDER *Arg, UINT Index, const UCHAR *Start, ULONG64 *Place)
{
    D3DDDI_PATCHLOCATIONLIST *Patch = Arg->pPatchLocationListOut++;
    const DXGK_ALLOCATIONLIST &Entry = Arg->pAllocationList[Index];

    RtlZeroMemory(Patch, sizeof(*Patch));
    Patch->AllocationIndex = Index;
    Patch->PatchOffset = static_cast<UINT>(reinterpret_cast<const UCHAR *>(Place) - Start);
    Patch->SplitOffset = static_cast<UINT>(static_cast<UCHAR *>(Arg->pDmaBuffer) - Start);
    if (Entry.SegmentId != 0)
        *Place = static_cast<ULONG64>(Entry.PhysicalAddress.QuadPart);
}

// May user mode do that with the allocation of that index?
static NTSTATUS CheckUse(const DXGKARG_RENDER *Arg, UINT Index, ULONG64 Size, BOOLEAN Write)
{
    const DXGK_ALLOCATIONLIST *Entry = &Arg->pAllocationList[Index];

    if (Index >= Arg->AllocationListSize || !Entry->hDeviceSpecificAllocation)
        return STATUS_INVALID_HANDLE;
    if (Write && !Entry->WriteOperation)
        return STATUS_PRIVILEGED_INSTRUCTION;
    return Size <= static_cast<Allocation *>(Entry->hDeviceSpecificAllocation)->Size()
               ? STATUS_SUCCESS
               : STATUS_INVALID_USER_BUFFER;
}

static NTSTATUS Check(const DXGKARG_RENDER *Arg, const CourierRequest &Request)
{
    NTSTATUS Status = STATUS_SUCCESS;

    if (Request.Kind > COURIER_COPY)
        return STATUS_PRIVILEGED_INSTRUCTION;
    if (Request.Kind != COURIER_READ)
        Status = CheckUse(Arg, Request.Destination, Request.Size, TRUE);
    if (NT_SUCCESS(Status) && Request.Kind != COURIER_FILL)
        Status = CheckUse(Arg, Request.Source, Request.Size, FALSE);
    return Status;
}

static NTSTATUS Translate(DXGKARG_RENDER *Arg, const CourierRequest &Request, const UCHAR *Start,
                          UINT DmaLeft, UINT PatchesLeft)
{
    Command *New = static_cast<Command *>(Arg->pDmaBuffer);
    NTSTATUS Status = Check(Arg, Request);

    if (!NT_SUCCESS(Status))
        return Status;
    if (DmaLeft < sizeof(*New) || PatchesLeft < 2)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    RtlZeroMemory(New, sizeof(*New));
    New->Kind = Request.Kind == COURIER_READ   ? Command::Read
                : Request.Kind == COURIER_FILL ? Command::Fill
                                               : Command::Copy;
    New->Pattern = Request.Pattern;
    New->Size = Request.Size;
    if (Request.Kind != COURIER_READ)
        AddPatch(Arg, Request.Destination, Start, &New->To);
    if (Request.Kind != COURIER_FILL)
        AddPatch(Arg, Request.Source, Start, &New->From);
    Arg->pDmaBuffer = New + 1;
    return STATUS_SUCCESS;
}

// The command buffer is user memory: it may be unmapped, or written to, while it is read. So it is
// read once, under __try, and checked afterwards.
static NTSTATUS ReadRequest(const DXGKARG_RENDER *Arg, CourierRequest *Request)
{
    __try {
        *Request = static_cast<const CourierRequest *>(Arg->pCommand)[Arg->MultipassOffset];
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        TraceError(WORK, "the command buffer is not readable: %!STATUS!", GetExceptionCode());
        return STATUS_INVALID_USER_BUFFER;
    }
    return STATUS_SUCCESS;
}

// MultipassOffset counts the requests that are done, over all DMA buffers that it takes.
NTSTATUS CourierRender(CONST HANDLE hContext, DXGKARG_RENDER *Arg)
{
    UCHAR *Start = static_cast<UCHAR *>(Arg->pDmaBuffer);
    const D3DDDI_PATCHLOCATIONLIST *Patches = Arg->pPatchLocationListOut;
    UINT Count = Arg->CommandLength / sizeof(CourierRequest);
    NTSTATUS Status = STATUS_SUCCESS;

    UNREFERENCED_PARAMETER(hContext);
    static_cast<BufferInfo *>(Arg->pDmaBufferPrivateData)->Start = Start;
    while (Arg->MultipassOffset < Count && NT_SUCCESS(Status)) {
        CourierRequest Request = {};

        Status = ReadRequest(Arg, &Request);
        if (NT_SUCCESS(Status) && Request.Kind != COURIER_NOTHING)
            Status = Translate(Arg, Request, Start,
                               Arg->DmaSize -
                                   static_cast<UINT>(static_cast<UCHAR *>(Arg->pDmaBuffer) - Start),
                               Arg->PatchLocationListOutSize -
                                   static_cast<UINT>(Arg->pPatchLocationListOut - Patches));
        if (NT_SUCCESS(Status))
            Arg->MultipassOffset++;
    }
    return Status;
}

// ---- on the way to the GPU ----

NTSTATUS CourierPatch(CONST HANDLE hAdapter, CONST DXGKARG_PATCH *Arg)
{
    UNREFERENCED_PARAMETER(hAdapter);
    for (UINT i = 0; i < Arg->PatchLocationListSubmissionLength; i++) {
        const D3DDDI_PATCHLOCATIONLIST &Patch =
            Arg->pPatchLocationList[Arg->PatchLocationListSubmissionStart + i];
        UCHAR *Place = static_cast<UCHAR *>(Arg->pDmaBuffer) + Patch.PatchOffset;

        *reinterpret_cast<ULONG64 *>(Place) = static_cast<ULONG64>(
            Arg->pAllocationList[Patch.AllocationIndex].PhysicalAddress.QuadPart);
    }
    return STATUS_SUCCESS;
}

NTSTATUS CourierSubmitCommand(CONST HANDLE hAdapter, CONST DXGKARG_SUBMITCOMMAND *Arg)
{
    const BufferInfo *Info = static_cast<const BufferInfo *>(Arg->pDmaBufferPrivateData);
    Work New = {};

    if (Info && Info->Start && !Arg->Flags.NullRendering) {
        New.Commands = Info->Start + Arg->DmaBufferSubmissionStartOffset;
        New.Size = Arg->DmaBufferSubmissionEndOffset - Arg->DmaBufferSubmissionStartOffset;
    }
    New.Fence = Arg->SubmissionFenceId;
    static_cast<Adapter *>(hAdapter)->m_Gpu.Submit(New);
    return STATUS_SUCCESS;
}
