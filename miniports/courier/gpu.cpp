// gpu.cpp: class Gpu: the queue, the thread, fences.
//
//     Submit, Preempt --> queue --> thread --> Report: DxgkCbNotifyInterrupt, then a DPC
//
// The thread runs at PASSIVE_LEVEL and may wait; the submitter is at DISPATCH_LEVEL and may not.
// Between them stand a spin lock and an event.
#include "courier.h"
#include "gpu.tmh"

// ---- start and stop ----

NTSTATUS Gpu::Start(const DXGKRNL_INTERFACE &Dxgk, UCHAR *Memory, ULONG64 Base, SIZE_T Size)
{
    HANDLE Thread;
    NTSTATUS Status;

    m_Dxgk = Dxgk;
    m_Memory = Memory;
    m_Base = Base;
    m_Size = Size;
    m_First = m_Count = m_Submitted = m_Completed = m_Reported = 0;
    m_Stop = m_Preempting = FALSE;
    KeInitializeSpinLock(&m_Lock);
    KeInitializeEvent(&m_Wake, SynchronizationEvent, FALSE);
    KeInitializeEvent(&m_Idle, NotificationEvent, TRUE);
    Status =
        PsCreateSystemThread(&Thread, THREAD_ALL_ACCESS, NULL, NULL, NULL, ThreadRoutine, this);
    if (!NT_SUCCESS(Status))
        return Status;
    // A handle ends with a process; a reference to the object does not. Stop waits for the object.
    Status = ObReferenceObjectByHandle(Thread, THREAD_ALL_ACCESS, *PsThreadType, KernelMode,
                                       &m_Thread, NULL);
    ZwClose(Thread);
    return Status;
}

// The thread runs code of this driver: it must be gone before the driver is.
VOID Gpu::Stop()
{
    {
        Hold Locked(m_Lock);

        m_Stop = TRUE;
    }
    KeSetEvent(&m_Wake, IO_NO_INCREMENT, FALSE);
    KeWaitForSingleObject(m_Thread, Executive, KernelMode, FALSE, NULL);
    ObDereferenceObject(m_Thread);
    m_Thread = NULL;
}

// ---- the queue ----

VOID Gpu::Submit(const Work &New)
{
    {
        Hold Locked(m_Lock);

        m_Queue[(m_First + m_Count++) % QueueSize] = New;
        m_Submitted = New.Fence;
        KeClearEvent(&m_Idle);
    }
    KeSetEvent(&m_Wake, IO_NO_INCREMENT, FALSE);
}

// The queue is the scheduler's again; what is being executed comes to its end, and the thread
// answers. If all is done and reported, there is nothing to wait for: the answer is given here.
VOID Gpu::Preempt(UINT Request)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA Data = {};

    Data.InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED;
    Data.DmaPreempted.PreemptionFenceId = Request;
    {
        Hold Locked(m_Lock);

        Data.DmaPreempted.LastCompletedFenceId = m_Submitted;
    }
    if (Report(Data, TRUE))
        return;
    {
        Hold Locked(m_Lock);

        m_Count = 0;
        m_Preempting = TRUE;
        m_Request = Request;
    }
    KeSetEvent(&m_Wake, IO_NO_INCREMENT, FALSE);
}

UINT Gpu::Reset()
{
    UINT Last;

    {
        Hold Locked(m_Lock);

        m_Count = 0;
        m_Preempting = FALSE;
        Last = m_Submitted;
    }
    KeSetEvent(&m_Wake, IO_NO_INCREMENT, FALSE);
    KeWaitForSingleObject(&m_Idle, Executive, KernelMode, FALSE, NULL);
    {
        Hold Locked(m_Lock);

        m_Submitted = m_Completed; // the rest is gone
    }
    return Last;
}

UINT Gpu::Completed()
{
    Hold Locked(m_Lock);

    return m_Completed;
}

VOID Gpu::Complete(UINT Fence)
{
    Hold Locked(m_Lock);

    m_Completed = Fence;
}

// Take the thread's next task. Only Answer fills in Preempted, only Perform fills in Next.
Gpu::Task Gpu::Take(Work *Next, DXGKARGCB_NOTIFY_INTERRUPT_DATA *Preempted)
{
    Hold Locked(m_Lock);

    if (m_Stop)
        return Leave;
    if (m_Preempting) {
        m_Preempting = FALSE;
        Preempted->DmaPreempted.PreemptionFenceId = m_Request;
        Preempted->DmaPreempted.LastCompletedFenceId = m_Submitted = m_Completed;
        return Answer;
    }
    if (m_Count == 0) {
        KeSetEvent(&m_Idle, IO_NO_INCREMENT, FALSE);
        return Wait;
    }
    *Next = m_Queue[m_First];
    m_First = (m_First + 1) % QueueSize;
    m_Count--;
    return Perform;
}

// ---- the thread ----

VOID Gpu::ThreadRoutine(PVOID Context)
{
    static_cast<Gpu *>(Context)->Run();
    PsTerminateSystemThread(STATUS_SUCCESS);
}

VOID Gpu::Run()
{
    for (;;) {
        DXGKARGCB_NOTIFY_INTERRUPT_DATA Data = {};
        Work Next;

        switch (Take(&Next, &Data)) {
        case Leave:
            return;
        case Wait:
            KeWaitForSingleObject(&m_Wake, Executive, KernelMode, FALSE, NULL);
            break;
        case Answer:
            Data.InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED;
            Report(Data, FALSE);
            break;
        case Perform:
            Execute(Next);
            Complete(Next.Fence);
            Data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
            Data.DmaCompleted.SubmissionFenceId = Next.Fence;
            Report(Data, FALSE);
            break;
        }
    }
}

// DxgkCbNotifyInterrupt wants the level of an interrupt. A driver with hardware is there anyway;
// this one gets there by DxgkCbSynchronizeExecution.
namespace
{
struct Notification {
    Gpu *Owner;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA Data;
    BOOLEAN IfIdle; // only if all that was submitted is reported
};
} // namespace

BOOLEAN Gpu::NotifyRoutine(PVOID Context)
{
    Notification *This = static_cast<Notification *>(Context);
    Gpu *Owner = This->Owner;

    if (This->IfIdle && Owner->m_Reported != This->Data.DmaPreempted.LastCompletedFenceId)
        return FALSE;
    Owner->m_Dxgk.DxgkCbNotifyInterrupt(Owner->m_Dxgk.DeviceHandle, &This->Data);
    if (This->Data.InterruptType == DXGK_INTERRUPT_DMA_COMPLETED)
        Owner->m_Reported = This->Data.DmaCompleted.SubmissionFenceId;
    return TRUE;
}

BOOLEAN Gpu::Report(const DXGKARGCB_NOTIFY_INTERRUPT_DATA &Data, BOOLEAN IfIdle)
{
    Notification Context = {this, Data, IfIdle};
    BOOLEAN Done = FALSE;

    m_Dxgk.DxgkCbSynchronizeExecution(m_Dxgk.DeviceHandle, NotifyRoutine, &Context, 0, &Done);
    if (Done)
        m_Dxgk.DxgkCbQueueDpc(m_Dxgk.DeviceHandle); // FALSE: it is queued already, one serves both
    return Done;
}

// ---- commands ----

// The thread's pointer to bytes of video memory; NULL: there are none. An address that a patch
// should have set and did not must not become a pointer.
UCHAR *Gpu::At(ULONG64 Address, ULONG64 Size) const
{
    ULONG64 Offset = Address - m_Base;

    return Offset <= m_Size && Size <= m_Size - Offset ? m_Memory + Offset : NULL;
}

VOID Gpu::Execute(const Work &Job)
{
    TraceWork("fence %u, %u bytes", Job.Fence, Job.Size);
    for (UINT Offset = 0; Offset + sizeof(Command) <= Job.Size; Offset += sizeof(Command))
        Execute(*reinterpret_cast<const Command *>(Job.Commands + Offset));
}

VOID Gpu::Execute(const Command &One)
{
    UCHAR *To = At(One.To, One.Size), *From = At(One.From, One.Size);

    switch (One.Kind) {
    case Command::Read:
        for (ULONG64 i = 0; From && i < One.Size; i += PAGE_SIZE)
            static_cast<void>(*const_cast<volatile UCHAR *>(From + i));
        break;
    case Command::Fill:
        for (ULONG64 i = 0; To && i < One.Size; i++)
            To[i] = static_cast<UCHAR>(One.Pattern >> i % sizeof(One.Pattern) * 8);
        break;
    case Command::Copy:
        if (To && From)
            RtlMoveMemory(To, From, One.Size);
        break;
    case Command::CopyIn:
    case Command::CopyOut:
        CopyMdl(One);
        break;
    default:
        break;
    }
}

// The pages of an MDL lie anywhere; mapped, they look contiguous. Page-table entries of the system
// may run out. By now nobody can be told any more, but they come back: wait for them.
VOID Gpu::CopyMdl(const Command &One)
{
    UCHAR *Bytes = At(One.Kind == Command::CopyIn ? One.To : One.From, One.Size);
    LARGE_INTEGER Millisecond = {};
    UCHAR *Mapped;

    if (!Bytes)
        return;
    Millisecond.QuadPart = -10000; // negative: from now on, in units of 100 ns
    while ((Mapped = static_cast<UCHAR *>(
                MmMapLockedPagesSpecifyCache(One.Mdl, KernelMode, MmCached, NULL, FALSE,
                                             NormalPagePriority | MdlMappingNoExecute))) == NULL)
        KeDelayExecutionThread(KernelMode, FALSE, &Millisecond);
    if (One.Kind == Command::CopyIn)
        RtlCopyMemory(Bytes, Mapped + One.Skip, One.Size);
    else
        RtlCopyMemory(Mapped + One.Skip, Bytes, One.Size);
    MmUnmapLockedPages(Mapped, One.Mdl);
}
