/*
 * wdm_ke.h: the Ke routines: levels, locks, things to wait for, timers, deferred calls, time.
 *
 * A level (IRQL) belongs to a thread. A thread that holds a spin lock is at DISPATCH_LEVEL and may
 * not wait. Everything one can wait for begins with a DISPATCHER_HEADER; its members are the
 * kernel's.
 *
 *     PASSIVE 0 -- APC 1 -- DISPATCH 2 -- device 5 -- HIGH 15
 *     waits, paged memory | spin locks, DPCs | interrupt routines
 *
 * Source: wdm.h pages ke*, "Managing hardware priorities", "Introduction to kernel dispatcher
 * objects". The kit's answers to misuse are its findings (src/kit/finding.def).
 */
#ifndef KIT_WDM_KE_H
#define KIT_WDM_KE_H

#include "ntdef.h"

KIT_BEGIN

#define PASSIVE_LEVEL 0
#define LOW_LEVEL 0
#define APC_LEVEL 1
#define DISPATCH_LEVEL 2
#define CMCI_LEVEL 5
#define CLOCK_LEVEL 13
#define IPI_LEVEL 14
#define DRS_LEVEL 14
#define POWER_LEVEL 14
#define PROFILE_LEVEL 15
#define HIGH_LEVEL 15

typedef enum _MODE { KernelMode, UserMode, MaximumMode } MODE;
typedef CCHAR KPROCESSOR_MODE;

typedef enum _KWAIT_REASON {
    Executive,
    FreePage,
    PageIn,
    PoolAllocation,
    DelayExecution,
    Suspended,
    UserRequest,
    WrExecutive,
    MaximumWaitReason = 40
} KWAIT_REASON;

typedef enum _KINTERRUPT_MODE { LevelSensitive, Latched } KINTERRUPT_MODE;
typedef enum _KDPC_IMPORTANCE {
    LowImportance,
    MediumImportance,
    HighImportance,
    MediumHighImportance
} KDPC_IMPORTANCE;

/* ---- Objects; sizes are those of x64 Windows ---- */

typedef struct _DISPATCHER_HEADER {
    UCHAR Type; /* the kind of object; the kit's numbers */
    UCHAR Signalling;
    UCHAR Size;
    UCHAR Reserved1;
    LONG SignalState; /* above 0: a wait is satisfied */
    LIST_ENTRY WaitListHead;
} DISPATCHER_HEADER, *PDISPATCHER_HEADER;

typedef struct _KEVENT {
    DISPATCHER_HEADER Header;
} KEVENT, *PKEVENT, *PRKEVENT;

typedef struct _KSEMAPHORE {
    DISPATCHER_HEADER Header;
    LONG Limit;
} KSEMAPHORE, *PKSEMAPHORE, *PRKSEMAPHORE;

typedef struct _KMUTANT {
    DISPATCHER_HEADER Header;
    LIST_ENTRY MutantListEntry;
    struct _KTHREAD *OwnerThread;
    BOOLEAN Abandoned;
    UCHAR ApcDisable;
} KMUTANT, *PKMUTANT, *PRKMUTANT, KMUTEX, *PKMUTEX, *PRKMUTEX;

struct _KDPC;
typedef VOID KDEFERRED_ROUTINE(struct _KDPC *Dpc, PVOID DeferredContext, PVOID SystemArgument1,
                               PVOID SystemArgument2);
typedef KDEFERRED_ROUTINE *PKDEFERRED_ROUTINE;

typedef struct _KDPC {
    ULONG TargetInfoAsUlong;
    ULONG Reserved;
    LIST_ENTRY DpcListEntry;
    PKDEFERRED_ROUTINE DeferredRoutine;
    PVOID DeferredContext;
    PVOID SystemArgument1;
    PVOID SystemArgument2;
    PVOID DpcData; /* not NULL while it is queued */
} KDPC, *PKDPC, *PRKDPC;

typedef struct _KTIMER {
    DISPATCHER_HEADER Header;
    ULARGE_INTEGER DueTime;
    LIST_ENTRY TimerListEntry;
    struct _KDPC *Dpc;
    ULONG Processor;
    ULONG Period;
} KTIMER, *PKTIMER, *PRKTIMER;

typedef ULONG_PTR KSPIN_LOCK, *PKSPIN_LOCK;

typedef struct _KLOCK_QUEUE_HANDLE {
    PKSPIN_LOCK Lock;
    PVOID Reserved;
    KIRQL OldIrql;
} KLOCK_QUEUE_HANDLE, *PKLOCK_QUEUE_HANDLE;

typedef struct _KGATE {
    DISPATCHER_HEADER Header;
} KGATE, *PKGATE;

typedef struct _KWAIT_BLOCK {
    PVOID Reserved[6];
} KWAIT_BLOCK, *PKWAIT_BLOCK, *PRKWAIT_BLOCK;
#define THREAD_WAIT_OBJECTS 3
#define MAXIMUM_WAIT_OBJECTS 64

typedef struct _KTHREAD *PKTHREAD, *PRKTHREAD;
typedef struct _KPROCESS *PKPROCESS, *PRKPROCESS;
typedef struct _KINTERRUPT *PKINTERRUPT;
typedef struct _KAPC KAPC, *PKAPC;

typedef struct _KFLOATING_SAVE {
    ULONG Dummy;
} KFLOATING_SAVE, *PKFLOATING_SAVE;
/* Bits of Mask, as XCR0 of the processor has them. */
#define XSTATE_MASK_LEGACY_FLOATING_POINT 1
#define XSTATE_MASK_LEGACY_SSE 2
#define XSTATE_MASK_LEGACY (XSTATE_MASK_LEGACY_FLOATING_POINT | XSTATE_MASK_LEGACY_SSE)
#define XSTATE_MASK_GSSE 4
typedef struct _XSTATE_SAVE {
    ULONG64 Mask;
    PVOID Reserved[4];
} XSTATE_SAVE, *PXSTATE_SAVE;

/* ---- Levels ---- */

/* Tell the level of this thread. */
KIRQL KeGetCurrentIrql(VOID);
/* Raise it, and lower it to what it was. Raising downward and lowering upward are findings. */
KIRQL KfRaiseIrql(KIRQL NewIrql);
KIRQL KeRaiseIrqlToDpcLevel(VOID);
VOID KeLowerIrql(KIRQL NewIrql);
#define KeRaiseIrql(NewIrql, OldIrql) (*(OldIrql) = KfRaiseIrql(NewIrql))
#define KfLowerIrql(Irql) KeLowerIrql(Irql)

/* Report a routine that may not run at this level. */
VOID vidmm_kit_paged_code(const char *Function);
#define PAGED_CODE() vidmm_kit_paged_code(__func__)
#define PAGED_CODE_LOCKED() ((void)0)
#define PAGED_ASSERT(Truth) NT_ASSERT(Truth)

/* ---- Spin locks ---- */

VOID KeInitializeSpinLock(PKSPIN_LOCK SpinLock);
KIRQL KeAcquireSpinLockRaiseToDpc(PKSPIN_LOCK SpinLock);
#define KeAcquireSpinLock(SpinLock, OldIrql) (*(OldIrql) = KeAcquireSpinLockRaiseToDpc(SpinLock))
VOID KeReleaseSpinLock(PKSPIN_LOCK SpinLock, KIRQL NewIrql);
VOID KeAcquireSpinLockAtDpcLevel(PKSPIN_LOCK SpinLock);
VOID KeReleaseSpinLockFromDpcLevel(PKSPIN_LOCK SpinLock);
BOOLEAN KeTryToAcquireSpinLockAtDpcLevel(PKSPIN_LOCK SpinLock);
KIRQL KeAcquireSpinLockForDpc(PKSPIN_LOCK SpinLock);
VOID KeReleaseSpinLockForDpc(PKSPIN_LOCK SpinLock, KIRQL OldIrql);
BOOLEAN KeTestSpinLock(PKSPIN_LOCK SpinLock);
VOID KeAcquireInStackQueuedSpinLock(PKSPIN_LOCK SpinLock, PKLOCK_QUEUE_HANDLE LockHandle);
VOID KeReleaseInStackQueuedSpinLock(PKLOCK_QUEUE_HANDLE LockHandle);
VOID KeAcquireInStackQueuedSpinLockAtDpcLevel(PKSPIN_LOCK SpinLock, PKLOCK_QUEUE_HANDLE LockHandle);
/* For a threaded DPC, which may run at PASSIVE_LEVEL; here every DPC is at DISPATCH_LEVEL. */
#define KeAcquireInStackQueuedSpinLockForDpc(SpinLock, LockHandle)                                 \
    KeAcquireInStackQueuedSpinLock((SpinLock), (LockHandle))
#define KeReleaseInStackQueuedSpinLockForDpc(LockHandle) KeReleaseInStackQueuedSpinLock(LockHandle)
#define KeShouldYieldProcessor() FALSE
VOID KeReleaseInStackQueuedSpinLockFromDpcLevel(PKLOCK_QUEUE_HANDLE LockHandle);
KIRQL KeAcquireInterruptSpinLock(PKINTERRUPT Interrupt);
VOID KeReleaseInterruptSpinLock(PKINTERRUPT Interrupt, KIRQL OldIrql);

/* ---- Events, semaphores, mutexes ---- */

VOID KeInitializeEvent(PRKEVENT Event, EVENT_TYPE Type, BOOLEAN State);
/* The answer is the state before: not 0 if it was set. Wait TRUE: a wait follows at once. */
LONG KeSetEvent(PRKEVENT Event, KPRIORITY Increment, BOOLEAN Wait);
LONG KeResetEvent(PRKEVENT Event);
VOID KeClearEvent(PRKEVENT Event);
LONG KeReadStateEvent(PRKEVENT Event);
LONG KePulseEvent(PRKEVENT Event, KPRIORITY Increment, BOOLEAN Wait);

VOID KeInitializeSemaphore(PRKSEMAPHORE Semaphore, LONG Count, LONG Limit);
LONG KeReleaseSemaphore(PRKSEMAPHORE Semaphore, KPRIORITY Increment, LONG Adjustment, BOOLEAN Wait);
LONG KeReadStateSemaphore(PRKSEMAPHORE Semaphore);

VOID KeInitializeMutex(PRKMUTEX Mutex, ULONG Level);
LONG KeReleaseMutex(PRKMUTEX Mutex, BOOLEAN Wait);
LONG KeReadStateMutex(PRKMUTEX Mutex);

/* ---- Waits ---- */

/* Wait until Object is signaled. Timeout in 100 ns: negative from now, positive a system time, 0
 * only looks, NULL for ever. Answers STATUS_SUCCESS or STATUS_TIMEOUT. IRQL: below DISPATCH_LEVEL,
 * or DISPATCH_LEVEL if *Timeout is 0. */
NTSTATUS KeWaitForSingleObject(PVOID Object, KWAIT_REASON WaitReason, KPROCESSOR_MODE WaitMode,
                               BOOLEAN Alertable, PLARGE_INTEGER Timeout);
/* Wait for several objects: WaitAny answers STATUS_WAIT_0 + index. More than THREAD_WAIT_OBJECTS
 * need WaitBlockArray. */
NTSTATUS KeWaitForMultipleObjects(ULONG Count, PVOID Object[], WAIT_TYPE WaitType,
                                  KWAIT_REASON WaitReason, KPROCESSOR_MODE WaitMode,
                                  BOOLEAN Alertable, PLARGE_INTEGER Timeout,
                                  PKWAIT_BLOCK WaitBlockArray);
#define KeWaitForMutexObject KeWaitForSingleObject
NTSTATUS KeDelayExecutionThread(KPROCESSOR_MODE WaitMode, BOOLEAN Alertable,
                                PLARGE_INTEGER Interval);
/* Spin for so long; at most 50 is meant. */
VOID KeStallExecutionProcessor(ULONG MicroSeconds);

/* ---- Timers and deferred procedure calls ---- */

VOID KeInitializeTimer(PKTIMER Timer);
VOID KeInitializeTimerEx(PKTIMER Timer, TIMER_TYPE Type);
/* Set it; TRUE: it was set already, and is set anew. */
BOOLEAN KeSetTimer(PKTIMER Timer, LARGE_INTEGER DueTime, PKDPC Dpc);
BOOLEAN KeSetTimerEx(PKTIMER Timer, LARGE_INTEGER DueTime, LONG Period, PKDPC Dpc);
BOOLEAN KeSetCoalescableTimer(PKTIMER Timer, LARGE_INTEGER DueTime, ULONG Period,
                              ULONG TolerableDelay, PKDPC Dpc);
BOOLEAN KeCancelTimer(PKTIMER Timer);
BOOLEAN KeReadStateTimer(PKTIMER Timer);

VOID KeInitializeDpc(PRKDPC Dpc, PKDEFERRED_ROUTINE DeferredRoutine, PVOID DeferredContext);
VOID KeInitializeThreadedDpc(PRKDPC Dpc, PKDEFERRED_ROUTINE DeferredRoutine, PVOID DeferredContext);
/* FALSE: it is queued already; the arguments of this call are lost. IRQL: any. */
BOOLEAN KeInsertQueueDpc(PRKDPC Dpc, PVOID SystemArgument1, PVOID SystemArgument2);
BOOLEAN KeRemoveQueueDpc(PRKDPC Dpc);
VOID KeFlushQueuedDpcs(VOID);
VOID KeSetImportanceDpc(PRKDPC Dpc, KDPC_IMPORTANCE Importance);
VOID KeSetTargetProcessorDpc(PRKDPC Dpc, CCHAR Number);
NTSTATUS KeSetTargetProcessorDpcEx(PKDPC Dpc, PPROCESSOR_NUMBER ProcNumber);

/* ---- Time ---- */

/* Ticks since the start; one lasts KeQueryTimeIncrement() times 100 ns. */
VOID KeQueryTickCount(PLARGE_INTEGER CurrentCount);
ULONG KeQueryTimeIncrement(VOID);
ULONGLONG KeQueryInterruptTime(VOID);
ULONGLONG KeQueryInterruptTimePrecise(PULONG64 QpcTimeStamp);
ULONGLONG KeQueryUnbiasedInterruptTime(VOID);
VOID KeQuerySystemTime(PLARGE_INTEGER CurrentTime);
VOID KeQuerySystemTimePrecise(PLARGE_INTEGER CurrentTime);
LARGE_INTEGER KeQueryPerformanceCounter(PLARGE_INTEGER PerformanceFrequency);

/* ---- Threads, processors, regions ---- */

PKTHREAD KeGetCurrentThread(VOID);
#define LOW_PRIORITY 0
#define LOW_REALTIME_PRIORITY 16
#define HIGH_PRIORITY 31
#define MAXIMUM_PRIORITY 32
KPRIORITY KeSetPriorityThread(PKTHREAD Thread, KPRIORITY Priority);
KPRIORITY KeQueryPriorityThread(PKTHREAD Thread);
LONG KeSetBasePriorityThread(PKTHREAD Thread, LONG Increment);
VOID KeEnterCriticalRegion(VOID);
VOID KeLeaveCriticalRegion(VOID);
VOID KeEnterGuardedRegion(VOID);
VOID KeLeaveGuardedRegion(VOID);
BOOLEAN KeAreApcsDisabled(VOID);
BOOLEAN KeAreAllApcsDisabled(VOID);
ULONG KeGetCurrentProcessorNumberEx(PPROCESSOR_NUMBER ProcNumber);
ULONG KeGetCurrentProcessorNumber(VOID);
ULONG KeQueryActiveProcessorCount(PKAFFINITY ActiveProcessors);
#define ALL_PROCESSOR_GROUPS 0xFFFF
ULONG KeQueryActiveProcessorCountEx(USHORT GroupNumber);
ULONG KeQueryMaximumProcessorCount(VOID);
ULONG KeQueryMaximumProcessorCountEx(USHORT GroupNumber);
KAFFINITY KeQueryActiveProcessors(VOID);
KAFFINITY KeSetSystemAffinityThreadEx(KAFFINITY Affinity);
VOID KeRevertToUserAffinityThreadEx(KAFFINITY Affinity);
VOID KeSetSystemGroupAffinityThread(PGROUP_AFFINITY Affinity, PGROUP_AFFINITY PreviousAffinity);
VOID KeRevertToUserGroupAffinityThread(PGROUP_AFFINITY PreviousAffinity);
NTSTATUS KeGetProcessorNumberFromIndex(ULONG ProcIndex, PPROCESSOR_NUMBER ProcNumber);
typedef ULONG_PTR KIPI_BROADCAST_WORKER(ULONG_PTR Argument);
typedef KIPI_BROADCAST_WORKER *PKIPI_BROADCAST_WORKER;
ULONG_PTR KeIpiGenericCall(PKIPI_BROADCAST_WORKER BroadcastFunction, ULONG_PTR Context);
BOOLEAN KeSynchronizeExecution(PKINTERRUPT Interrupt, PKSYNCHRONIZE_ROUTINE SynchronizeRoutine,
                               PVOID SynchronizeContext);

NTSTATUS KeSaveFloatingPointState(PKFLOATING_SAVE FloatSave);
NTSTATUS KeRestoreFloatingPointState(PKFLOATING_SAVE FloatSave);
NTSTATUS KeSaveExtendedProcessorState(ULONG64 Mask, PXSTATE_SAVE XStateSave);
VOID KeRestoreExtendedProcessorState(PXSTATE_SAVE XStateSave);
BOOLEAN KeInvalidateAllCaches(VOID);
BOOLEAN KeInvalidateAllCachesEx(VOID);
#define KeMemoryBarrier() __sync_synchronize()
#define KeMemoryBarrierWithoutFence() __asm__ volatile("" ::: "memory")
#define KeFlushIoBuffers(Mdl, ReadOperation, DmaOperation) ((void)(Mdl))
#define MemoryBarrier() __sync_synchronize()
#ifdef __aarch64__
#define YieldProcessor() __asm__ volatile("yield")
#else
#define YieldProcessor() __builtin_ia32_pause()
#endif
#define PreFetchCacheLine(Level, Address) __builtin_prefetch(Address)
#define PF_TEMPORAL_LEVEL_1 1

/* ---- The end ---- */

/* Stop the machine. The run ends with this code; the call does not return. */
DECLSPEC_NORETURN VOID KeBugCheckEx(ULONG BugCheckCode, ULONG_PTR BugCheckParameter1,
                                    ULONG_PTR BugCheckParameter2, ULONG_PTR BugCheckParameter3,
                                    ULONG_PTR BugCheckParameter4);
DECLSPEC_NORETURN VOID KeBugCheck(ULONG BugCheckCode);

typedef enum _KBUGCHECK_CALLBACK_REASON {
    KbCallbackInvalid,
    KbCallbackReserved1,
    KbCallbackSecondaryDumpData,
    KbCallbackDumpIo,
    KbCallbackAddPages,
    KbCallbackSecondaryMultiPartDumpData,
    KbCallbackRemovePages,
    KbCallbackTriageDumpData
} KBUGCHECK_CALLBACK_REASON;
struct _KBUGCHECK_REASON_CALLBACK_RECORD;
typedef VOID KBUGCHECK_REASON_CALLBACK_ROUTINE(KBUGCHECK_CALLBACK_REASON Reason,
                                               struct _KBUGCHECK_REASON_CALLBACK_RECORD *Record,
                                               PVOID ReasonSpecificData,
                                               ULONG ReasonSpecificDataLength);
typedef KBUGCHECK_REASON_CALLBACK_ROUTINE *PKBUGCHECK_REASON_CALLBACK_ROUTINE;
typedef struct _KBUGCHECK_REASON_CALLBACK_RECORD {
    LIST_ENTRY Entry;
    PKBUGCHECK_REASON_CALLBACK_ROUTINE CallbackRoutine;
    PUCHAR Component;
    ULONG_PTR Checksum;
    KBUGCHECK_CALLBACK_REASON Reason;
    UCHAR State;
} KBUGCHECK_REASON_CALLBACK_RECORD, *PKBUGCHECK_REASON_CALLBACK_RECORD;
#define KeInitializeCallbackRecord(Record) ((Record)->State = 0)
BOOLEAN KeRegisterBugCheckReasonCallback(PKBUGCHECK_REASON_CALLBACK_RECORD CallbackRecord,
                                         PKBUGCHECK_REASON_CALLBACK_ROUTINE CallbackRoutine,
                                         KBUGCHECK_CALLBACK_REASON Reason, PUCHAR Component);
BOOLEAN KeDeregisterBugCheckReasonCallback(PKBUGCHECK_REASON_CALLBACK_RECORD CallbackRecord);

KIT_END

#endif /* KIT_WDM_KE_H */
