/* submit.c: the ring: submission, preemption, interrupts, reset.
 *
 *     DxgkDdiSubmitCommand --> entry, tail --> GPU --> interrupt --> DxgkCbNotifyInterrupt
 *                                                          |
 *                                                          +--> DPC --> DxgkCbNotifyDpc
 *
 * Two sides use the ring: calls at DISPATCH_LEVEL, and the interrupt routine.
 * DxgkCbSynchronizeExecution runs the first as if they were part of the second, so that each finds
 * the ring whole.
 */
#include "ring.h"

/* ---- start and stop ---- */

/* Give the GPU an empty ring. At device level, or while nobody else is there. */
static VOID Program(struct ring_adapter *Adapter)
{
    RingWrite(Adapter, RING_CONTROL, RING_CONTROL_RESET);
    RingWrite(Adapter, RING_BASE, Adapter->RingAddress.LowPart);
    RingWrite(Adapter, RING_BASE + 4, (ULONG)Adapter->RingAddress.HighPart);
    RingWrite(Adapter, RING_SIZE, RING_ENTRIES);
    RingWrite(Adapter, RING_CONTROL, RING_CONTROL_RUN);
    Adapter->Tail = 0;
}

NTSTATUS RingStart(struct ring_adapter *Adapter)
{
    PHYSICAL_ADDRESS Lowest, Highest, Boundary;

    Lowest.QuadPart = Boundary.QuadPart = 0;
    Highest.QuadPart = -1;
    Adapter->Ring = (struct ring_entry *)MmAllocateContiguousMemorySpecifyCache(
        RING_ENTRIES * sizeof(struct ring_entry), Lowest, Highest, Boundary, MmCached);
    if (!Adapter->Ring)
        return STATUS_NO_MEMORY;
    Adapter->RingAddress = MmGetPhysicalAddress(Adapter->Ring);
    Program(Adapter);
    return STATUS_SUCCESS;
}

VOID RingStop(struct ring_adapter *Adapter)
{
    RingWrite(Adapter, RING_CONTROL, RING_CONTROL_RESET);
    MmFreeContiguousMemory(Adapter->Ring);
    Adapter->Ring = NULL;
}

/* ---- submission ---- */

struct push {
    struct ring_adapter *Adapter;
    struct ring_entry Entry;
};

static BOOLEAN Push(PVOID Context)
{
    const struct push *New = (const struct push *)Context;
    struct ring_adapter *Adapter = New->Adapter;

    Adapter->Ring[Adapter->Tail] = New->Entry;
    Adapter->Tail = (Adapter->Tail + 1) % RING_ENTRIES;
    Adapter->Submitted = New->Entry.fence;
    KeMemoryBarrier(); /* the entry is there before the GPU hears of it */
    RingWrite(Adapter, RING_TAIL, Adapter->Tail);
    return TRUE;
}

NTSTATUS RingSubmitCommand(CONST HANDLE hAdapter, CONST DXGKARG_SUBMITCOMMAND *Arg)
{
    struct push New;
    BOOLEAN Pushed = FALSE;

    New.Adapter = (struct ring_adapter *)hAdapter;
    New.Entry.address =
        (ULONG64)Arg->DmaBufferPhysicalAddress.QuadPart + Arg->DmaBufferSubmissionStartOffset;
    New.Entry.bytes = Arg->DmaBufferSubmissionEndOffset - Arg->DmaBufferSubmissionStartOffset;
    New.Entry.fence = Arg->SubmissionFenceId;
    if (Arg->Flags.NullRendering) /* the fence is wanted, the work is not */
        New.Entry.bytes = 0;
    return New.Adapter->Dxgk.DxgkCbSynchronizeExecution(New.Adapter->Dxgk.DeviceHandle, Push, &New,
                                                        0, &Pushed);
}

/* ---- preemption ---- */

static VOID ReportStopped(struct ring_adapter *Adapter)
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
static BOOLEAN IsIdle(const struct ring_adapter *Adapter)
{
    return RingRead(Adapter, RING_HEAD) == Adapter->Tail && RingRead(Adapter, RING_STATUS) == 0 &&
           RingRead(Adapter, RING_FENCE) == Adapter->Reported;
}

/* Take back what the GPU has not begun. It stops behind the entry that it is executing, and says so
 * by an interrupt; the scheduler will submit again what was dropped. A GPU that has done all has
 * nothing to stop: the driver answers by itself. One that stands at a command which it cannot
 * execute gives nothing back, since it would stand there again: the scheduler's timeout ends
 * that. */
static BOOLEAN Preempt(PVOID Context)
{
    struct ring_adapter *Adapter = (struct ring_adapter *)Context;

    if ((RingRead(Adapter, RING_CONTROL) & RING_CONTROL_RUN) == 0) /* an error clears it */
        return TRUE;
    Adapter->Preempting = TRUE;
    if (IsIdle(Adapter)) {
        ReportStopped(Adapter);
        Adapter->Dxgk.DxgkCbQueueDpc(Adapter->Dxgk.DeviceHandle);
        return TRUE;
    }
    RingWrite(Adapter, RING_CONTROL, RING_CONTROL_RUN | RING_CONTROL_STOP);
    return TRUE;
}

NTSTATUS RingPreemptCommand(CONST HANDLE hAdapter, CONST DXGKARG_PREEMPTCOMMAND *Arg)
{
    struct ring_adapter *Adapter = (struct ring_adapter *)hAdapter;
    BOOLEAN Done = FALSE;

    Adapter->Preemption = Arg->PreemptionFenceId;
    return Adapter->Dxgk.DxgkCbSynchronizeExecution(Adapter->Dxgk.DeviceHandle, Preempt, Adapter, 0,
                                                    &Done);
}

/* ---- interrupts ---- */

static VOID ReportDone(struct ring_adapter *Adapter)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA Data;
    UINT Fence = RingRead(Adapter, RING_FENCE);

    /* One interrupt may stand for several entries; then the next has nothing new to say. */
    if (Fence == Adapter->Reported)
        return;
    Adapter->Reported = Fence;
    RtlZeroMemory(&Data, sizeof(Data));
    Data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
    Data.DmaCompleted.SubmissionFenceId = Fence;
    Adapter->Dxgk.DxgkCbNotifyInterrupt(Adapter->Dxgk.DeviceHandle, &Data);
}

BOOLEAN RingInterruptRoutine(CONST PVOID Context, ULONG MessageNumber)
{
    struct ring_adapter *Adapter = (struct ring_adapter *)Context;
    ULONG Status = RingRead(Adapter, RING_STATUS);

    UNREFERENCED_PARAMETER(MessageNumber);
    if (Status == 0)
        return FALSE; /* not ours */
    /* First clear, then read the fence: packets done in between interrupt again. */
    RingWrite(Adapter, RING_STATUS, Status);
    if (Status & RING_STATUS_ERROR)
        /* The GPU stands still. The fence will not come, and the scheduler's timeout will lead to
         * RingResetEngine: the same way that a hang takes. */
        DbgPrint("ring: the command at 0x%x cannot be executed\n", RingRead(Adapter, RING_WHY));
    ReportDone(Adapter);
    if (Status & RING_STATUS_STOPPED)
        ReportStopped(Adapter);
    Adapter->Dxgk.DxgkCbQueueDpc(Adapter->Dxgk.DeviceHandle);
    return TRUE;
}

VOID RingDpcRoutine(CONST PVOID Context)
{
    struct ring_adapter *Adapter = (struct ring_adapter *)Context;

    Adapter->Dxgk.DxgkCbNotifyDpc(Adapter->Dxgk.DeviceHandle);
}

/* ---- timeouts ---- */

NTSTATUS RingQueryCurrentFence(CONST HANDLE hAdapter, DXGKARG_QUERYCURRENTFENCE *Arg)
{
    Arg->CurrentFence = RingRead((struct ring_adapter *)hAdapter, RING_FENCE);
    return STATUS_SUCCESS;
}

NTSTATUS RingQueryEngineStatus(CONST HANDLE hAdapter, DXGKARG_QUERYENGINESTATUS *Arg)
{
    ULONG Control = RingRead((struct ring_adapter *)hAdapter, RING_CONTROL);

    Arg->EngineStatus.Value = 0;
    Arg->EngineStatus.Responsive = (Control & RING_CONTROL_RUN) != 0; /* an error clears it */
    return STATUS_SUCCESS;
}

/* Nodes that are reset with this one: there is no other. */
NTSTATUS RingQueryDependentEngineGroup(CONST HANDLE hAdapter,
                                       DXGKARG_QUERYDEPENDENTENGINEGROUP *Arg)
{
    UNREFERENCED_PARAMETER(hAdapter);
    Arg->DependentNodeOrdinalMask = 1;
    return STATUS_SUCCESS;
}

static BOOLEAN Reset(PVOID Context)
{
    struct ring_adapter *Adapter = (struct ring_adapter *)Context;

    Adapter->Preempting = FALSE;
    Program(Adapter);
    return TRUE;
}

static NTSTATUS ResetNow(struct ring_adapter *Adapter)
{
    BOOLEAN Done = FALSE;

    return Adapter->Dxgk.DxgkCbSynchronizeExecution(Adapter->Dxgk.DeviceHandle, Reset, Adapter, 0,
                                                    &Done);
}

/* All that was submitted is gone, and will not be reported any more. */
NTSTATUS RingResetEngine(CONST HANDLE hAdapter, DXGKARG_RESETENGINE *Arg)
{
    struct ring_adapter *Adapter = (struct ring_adapter *)hAdapter;

    Arg->LastAbortedFenceId = Adapter->Submitted;
    return ResetNow(Adapter);
}

NTSTATUS RingResetFromTimeout(CONST HANDLE hAdapter)
{
    return ResetNow((struct ring_adapter *)hAdapter);
}

NTSTATUS RingRestartFromTimeout(CONST HANDLE hAdapter)
{
    UNREFERENCED_PARAMETER(hAdapter);
    return STATUS_SUCCESS; /* the reset left the GPU running */
}
