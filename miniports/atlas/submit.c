/* submit.c: the ring: submission, preemption, interrupts, reset.
 *
 *     DxgkDdiSubmitCommandVirtual --> entry, tail --> GPU --> interrupt --> DxgkCbNotifyInterrupt
 *                                                                 |
 *                                                                 +--> DPC --> DxgkCbNotifyDpc
 *
 * Two sides use the ring: calls at DISPATCH_LEVEL, and the interrupt routine.
 * DxgkCbSynchronizeExecution runs the first as if they were part of the second, so that each finds
 * the ring whole.
 */
#include "atlas.h"

/* ---- start and stop ---- */

/* Give the GPU an empty ring. At device level, or while nobody else is there. */
static VOID Program(struct atlas_adapter *Adapter)
{
    AtlasWrite(Adapter, ATLAS_CONTROL, ATLAS_CONTROL_RESET);
    AtlasWrite(Adapter, ATLAS_BASE, Adapter->RingAddress.LowPart);
    AtlasWrite(Adapter, ATLAS_BASE + 4, (ULONG)Adapter->RingAddress.HighPart);
    AtlasWrite(Adapter, ATLAS_SIZE, ATLAS_ENTRIES);
    AtlasWrite(Adapter, ATLAS_CONTROL, ATLAS_CONTROL_RUN);
    Adapter->Tail = 0;
}

NTSTATUS AtlasStart(struct atlas_adapter *Adapter)
{
    PHYSICAL_ADDRESS Lowest, Highest, Boundary;

    Lowest.QuadPart = Boundary.QuadPart = 0;
    Highest.QuadPart = -1;
    Adapter->Ring = (struct atlas_entry *)MmAllocateContiguousMemorySpecifyCache(
        ATLAS_ENTRIES * sizeof(struct atlas_entry), Lowest, Highest, Boundary, MmCached);
    if (!Adapter->Ring)
        return STATUS_NO_MEMORY;
    Adapter->RingAddress = MmGetPhysicalAddress(Adapter->Ring);
    Program(Adapter);
    return STATUS_SUCCESS;
}

VOID AtlasStop(struct atlas_adapter *Adapter)
{
    AtlasWrite(Adapter, ATLAS_CONTROL, ATLAS_CONTROL_RESET);
    MmFreeContiguousMemory(Adapter->Ring);
    Adapter->Ring = NULL;
}

/* ---- submission ---- */

struct push {
    struct atlas_adapter *Adapter;
    struct atlas_entry Entry;
};

static BOOLEAN Push(PVOID Context)
{
    const struct push *New = (const struct push *)Context;
    struct atlas_adapter *Adapter = New->Adapter;

    Adapter->Ring[Adapter->Tail] = New->Entry;
    Adapter->Tail = (Adapter->Tail + 1) % ATLAS_ENTRIES;
    Adapter->Submitted = New->Entry.fence;
    KeMemoryBarrier(); /* the entry is there before the GPU hears of it */
    AtlasWrite(Adapter, ATLAS_TAIL, Adapter->Tail);
    return TRUE;
}

/* Commands of paging lie in system memory, at the address that AtlasBuildPagingBuffer noted first;
 * those of a program where its page tables say. */
static struct atlas_entry EntryOf(const DXGKARG_SUBMITCOMMANDVIRTUAL *Arg)
{
    const struct atlas_context *Context = (const struct atlas_context *)Arg->hContext;
    struct atlas_entry Entry;

    RtlZeroMemory(&Entry, sizeof(Entry));
    Entry.address = Arg->DmaBufferVirtualAddress;
    Entry.root = Context->Root;
    Entry.bytes = Arg->DmaBufferSize;
    Entry.fence = Arg->SubmissionFenceId;
    if (Arg->Flags.NullRendering) /* the fence is wanted, the work is not */
        Entry.bytes = 0;
    if (Arg->Flags.Paging && Entry.bytes != 0) {
        Entry.flags = ATLAS_ENTRY_KERNEL;
        Entry.address = *(const ULONG64 *)Arg->pDmaBufferPrivateData;
    }
    return Entry;
}

NTSTATUS AtlasSubmitCommandVirtual(CONST HANDLE hAdapter, CONST DXGKARG_SUBMITCOMMANDVIRTUAL *Arg)
{
    struct push New;
    BOOLEAN Pushed = FALSE;

    New.Adapter = (struct atlas_adapter *)hAdapter;
    New.Entry = EntryOf(Arg);
    return New.Adapter->Dxgk.DxgkCbSynchronizeExecution(New.Adapter->Dxgk.DeviceHandle, Push, &New,
                                                        0, &Pushed);
}

/* ---- preemption ---- */

static VOID ReportStopped(struct atlas_adapter *Adapter)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA Data;

    if (!Adapter->Preempting)
        return;
    Adapter->Preempting = FALSE;
    Program(Adapter); /* an empty ring: its packets are the scheduler's again */
    RtlZeroMemory(&Data, sizeof(Data));
    Data.InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED;
    Data.DmaPreempted.PreemptionFenceId = Adapter->Preemption;
    Data.DmaPreempted.LastCompletedFenceId = Adapter->Reported;
    Adapter->Dxgk.DxgkCbNotifyInterrupt(Adapter->Dxgk.DeviceHandle, &Data);
}

/* All is done, and the scheduler knows of it. */
static BOOLEAN IsIdle(const struct atlas_adapter *Adapter)
{
    return AtlasRead(Adapter, ATLAS_HEAD) == Adapter->Tail &&
           AtlasRead(Adapter, ATLAS_STATUS) == 0 &&
           AtlasRead(Adapter, ATLAS_FENCE) == Adapter->Reported;
}

/* Take back what the GPU has not begun. It stops behind the entry that it is executing, and says so
 * by an interrupt; the scheduler will submit again what was dropped. A GPU that has done all has
 * nothing to stop: the driver answers by itself. One that stands at a command which it cannot
 * execute gives nothing back, since it would stand there again: the scheduler's timeout ends
 * that. */
static BOOLEAN Preempt(PVOID Context)
{
    struct atlas_adapter *Adapter = (struct atlas_adapter *)Context;

    if ((AtlasRead(Adapter, ATLAS_CONTROL) & ATLAS_CONTROL_RUN) == 0) /* an error clears it */
        return TRUE;
    Adapter->Preempting = TRUE;
    if (IsIdle(Adapter)) {
        ReportStopped(Adapter);
        Adapter->Dxgk.DxgkCbQueueDpc(Adapter->Dxgk.DeviceHandle);
        return TRUE;
    }
    AtlasWrite(Adapter, ATLAS_CONTROL, ATLAS_CONTROL_RUN | ATLAS_CONTROL_STOP);
    return TRUE;
}

NTSTATUS AtlasPreemptCommand(CONST HANDLE hAdapter, CONST DXGKARG_PREEMPTCOMMAND *Arg)
{
    struct atlas_adapter *Adapter = (struct atlas_adapter *)hAdapter;
    BOOLEAN Done = FALSE;

    Adapter->Preemption = Arg->PreemptionFenceId;
    return Adapter->Dxgk.DxgkCbSynchronizeExecution(Adapter->Dxgk.DeviceHandle, Preempt, Adapter, 0,
                                                    &Done);
}

/* ---- interrupts ---- */

static VOID ReportDone(struct atlas_adapter *Adapter)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA Data;
    UINT Fence = AtlasRead(Adapter, ATLAS_FENCE);

    /* One interrupt may stand for several entries; then the next has nothing new to say. */
    if (Fence == Adapter->Reported)
        return;
    Adapter->Reported = Fence;
    RtlZeroMemory(&Data, sizeof(Data));
    Data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
    Data.DmaCompleted.SubmissionFenceId = Fence;
    Adapter->Dxgk.DxgkCbNotifyInterrupt(Adapter->Dxgk.DeviceHandle, &Data);
}

BOOLEAN AtlasInterruptRoutine(CONST PVOID Context, ULONG MessageNumber)
{
    struct atlas_adapter *Adapter = (struct atlas_adapter *)Context;
    ULONG Status = AtlasRead(Adapter, ATLAS_STATUS);

    UNREFERENCED_PARAMETER(MessageNumber);
    if (Status == 0)
        return FALSE; /* not ours */
    /* First clear, then read the fence: packets done in between interrupt again. */
    AtlasWrite(Adapter, ATLAS_STATUS, Status);
    if (Status & ATLAS_STATUS_ERROR)
        /* The GPU stands still. The fence will not come, and the scheduler's timeout will lead to
         * AtlasResetEngine: the same way that a hang takes. */
        DbgPrint("atlas: the command at 0x%x cannot be executed\n", AtlasRead(Adapter, ATLAS_WHY));
    ReportDone(Adapter);
    if (Status & ATLAS_STATUS_STOPPED)
        ReportStopped(Adapter);
    Adapter->Dxgk.DxgkCbQueueDpc(Adapter->Dxgk.DeviceHandle);
    return TRUE;
}

VOID AtlasDpcRoutine(CONST PVOID Context)
{
    struct atlas_adapter *Adapter = (struct atlas_adapter *)Context;

    Adapter->Dxgk.DxgkCbNotifyDpc(Adapter->Dxgk.DeviceHandle);
}

/* ---- timeouts ---- */

NTSTATUS AtlasQueryCurrentFence(CONST HANDLE hAdapter, DXGKARG_QUERYCURRENTFENCE *Arg)
{
    Arg->CurrentFence = AtlasRead((struct atlas_adapter *)hAdapter, ATLAS_FENCE);
    return STATUS_SUCCESS;
}

NTSTATUS AtlasQueryEngineStatus(CONST HANDLE hAdapter, DXGKARG_QUERYENGINESTATUS *Arg)
{
    ULONG Control = AtlasRead((struct atlas_adapter *)hAdapter, ATLAS_CONTROL);

    Arg->EngineStatus.Value = 0;
    Arg->EngineStatus.Responsive = (Control & ATLAS_CONTROL_RUN) != 0; /* an error clears it */
    return STATUS_SUCCESS;
}

/* Nodes that are reset with this one: there is no other. */
NTSTATUS AtlasQueryDependentEngineGroup(CONST HANDLE hAdapter,
                                        DXGKARG_QUERYDEPENDENTENGINEGROUP *Arg)
{
    UNREFERENCED_PARAMETER(hAdapter);
    Arg->DependentNodeOrdinalMask = 1;
    return STATUS_SUCCESS;
}

static BOOLEAN Reset(PVOID Context)
{
    struct atlas_adapter *Adapter = (struct atlas_adapter *)Context;

    Adapter->Preempting = FALSE;
    Program(Adapter);
    return TRUE;
}

static NTSTATUS ResetNow(struct atlas_adapter *Adapter)
{
    BOOLEAN Done = FALSE;

    return Adapter->Dxgk.DxgkCbSynchronizeExecution(Adapter->Dxgk.DeviceHandle, Reset, Adapter, 0,
                                                    &Done);
}

/* All that was submitted is gone, and will not be reported any more. */
NTSTATUS AtlasResetEngine(CONST HANDLE hAdapter, DXGKARG_RESETENGINE *Arg)
{
    struct atlas_adapter *Adapter = (struct atlas_adapter *)hAdapter;

    Arg->LastAbortedFenceId = Adapter->Submitted;
    return ResetNow(Adapter);
}

NTSTATUS AtlasResetFromTimeout(CONST HANDLE hAdapter)
{
    return ResetNow((struct atlas_adapter *)hAdapter);
}

NTSTATUS AtlasRestartFromTimeout(CONST HANDLE hAdapter)
{
    UNREFERENCED_PARAMETER(hAdapter);
    return STATUS_SUCCESS; /* the reset left the GPU running */
}
