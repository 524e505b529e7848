/*
 * wdm_ex.h: the Ex routines and the interlocked ones: pools, lookaside lists, fast mutexes,
 * resources, lists that many threads use, work items.
 *
 * A pool block carries a tag of four characters. Blocks smaller than a page are 16-byte aligned,
 * others page-aligned. The kit fills a fresh block with 0xA7 (unless zeroed memory was asked for),
 * a freed one with 0xDE, guards both ends, and lists by tag what is left at the end.
 *
 * Source: wdm.h pages ex*, interlocked*.
 */
#ifndef KIT_WDM_EX_H
#define KIT_WDM_EX_H

#include "wdm_ke.h"

KIT_BEGIN

/* ---- Pools ---- */

typedef enum _POOL_TYPE {
    NonPagedPool = 0,
    NonPagedPoolExecute = NonPagedPool,
    PagedPool = 1,
    NonPagedPoolMustSucceed = 2,
    DontUseThisType = 3,
    NonPagedPoolCacheAligned = 4,
    PagedPoolCacheAligned = 5,
    NonPagedPoolCacheAlignedMustS = 6,
    MaxPoolType = 7,
    NonPagedPoolBase = 0,
    NonPagedPoolSession = 32,
    PagedPoolSession = 33,
    NonPagedPoolNx = 512,
    NonPagedPoolNxCacheAligned = 516,
    NonPagedPoolSessionNx = 544
} POOL_TYPE;
#define POOL_COLD_ALLOCATION 256
#define POOL_NX_ALLOCATION 512
#define POOL_ZERO_ALLOCATION 1024
#define POOL_QUOTA_FAIL_INSTEAD_OF_RAISE 8
#define POOL_RAISE_IF_ALLOCATION_FAILURE 16
#define POOL_NX_OPTIN_AUTO 1
#define POOL_TAGGING 1

typedef ULONG64 POOL_FLAGS;
#define POOL_FLAG_REQUIRED_START 0x0000000000000001ULL
#define POOL_FLAG_USE_QUOTA 0x0000000000000001ULL
#define POOL_FLAG_UNINITIALIZED 0x0000000000000002ULL
#define POOL_FLAG_SESSION 0x0000000000000004ULL
#define POOL_FLAG_CACHE_ALIGNED 0x0000000000000008ULL
#define POOL_FLAG_RESERVED1 0x0000000000000010ULL
#define POOL_FLAG_RAISE_ON_FAILURE 0x0000000000000020ULL
#define POOL_FLAG_NON_PAGED 0x0000000000000040ULL
#define POOL_FLAG_NON_PAGED_EXECUTE 0x0000000000000080ULL
#define POOL_FLAG_PAGED 0x0000000000000100ULL
#define POOL_FLAG_OPTIONAL_START 0x0000000100000000ULL
#define POOL_FLAG_SPECIAL_POOL 0x0000000100000000ULL

typedef enum _EX_POOL_PRIORITY {
    LowPoolPriority = 0,
    NormalPoolPriority = 16,
    HighPoolPriority = 32
} EX_POOL_PRIORITY;

/* Take a block; NULL: there is none now. IRQL: DISPATCH_LEVEL at most, paged: below. */
PVOID ExAllocatePoolWithTag(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag);
PVOID ExAllocatePool(POOL_TYPE PoolType, SIZE_T NumberOfBytes);
PVOID ExAllocatePoolWithTagPriority(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag,
                                    EX_POOL_PRIORITY Priority);
PVOID ExAllocatePoolWithQuotaTag(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag);
PVOID ExAllocatePoolZero(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag);
PVOID ExAllocatePoolUninitialized(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag);
PVOID ExAllocatePoolQuotaZero(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag);
/* Allocate by flags instead of a type; zeroed unless POOL_FLAG_UNINITIALIZED. */
PVOID ExAllocatePool2(POOL_FLAGS Flags, SIZE_T NumberOfBytes, ULONG Tag);
/* The parameters of a type POOL_EXTENDED_PARAMETER are not looked at. */
typedef struct _POOL_EXTENDED_PARAMETER *PPOOL_EXTENDED_PARAMETER;
typedef const struct _POOL_EXTENDED_PARAMETER *PCPOOL_EXTENDED_PARAMETER;
#define ExAllocatePool3(Flags, NumberOfBytes, Tag, Parameters, Count)                              \
    ((void)(Parameters), (void)(Count), ExAllocatePool2((Flags), (NumberOfBytes), (Tag)))
#define ExFreePool2(P, Tag, Parameters, Count)                                                     \
    ((void)(Parameters), (void)(Count), ExFreePoolWithTag((P), (Tag)))
/* Give one back. The tag must be the block's (0: any); P may not be NULL. */
VOID ExFreePool(PVOID P);
VOID ExFreePoolWithTag(PVOID P, ULONG Tag);
VOID ExInitializeDriverRuntime(ULONG RuntimeFlags);
#define DrvRtPoolNxOptIn 0x00000001

/* ---- Lookaside lists ---- */

struct _LOOKASIDE_LIST_EX;
typedef PVOID ALLOCATE_FUNCTION(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag);
typedef ALLOCATE_FUNCTION *PALLOCATE_FUNCTION;
typedef VOID FREE_FUNCTION(PVOID Buffer);
typedef FREE_FUNCTION *PFREE_FUNCTION;
typedef PVOID ALLOCATE_FUNCTION_EX(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag,
                                   struct _LOOKASIDE_LIST_EX *Lookaside);
typedef ALLOCATE_FUNCTION_EX *PALLOCATE_FUNCTION_EX;
typedef VOID FREE_FUNCTION_EX(PVOID Buffer, struct _LOOKASIDE_LIST_EX *Lookaside);
typedef FREE_FUNCTION_EX *PFREE_FUNCTION_EX;

typedef struct _GENERAL_LOOKASIDE {
    SLIST_HEADER ListHead;
    USHORT Depth;
    USHORT MaximumDepth;
    ULONG TotalAllocates;
    ULONG TotalFrees;
    POOL_TYPE Type;
    ULONG Tag;
    ULONG Size;
    PVOID AllocateEx;
    PVOID FreeEx;
    ULONG Kind;
    ULONG Live;
    ULONG Future[14];
} GENERAL_LOOKASIDE, *PGENERAL_LOOKASIDE;
typedef struct DECLSPEC_ALIGN(16) _NPAGED_LOOKASIDE_LIST {
    GENERAL_LOOKASIDE L;
} NPAGED_LOOKASIDE_LIST, *PNPAGED_LOOKASIDE_LIST;
typedef struct DECLSPEC_ALIGN(16) _PAGED_LOOKASIDE_LIST {
    GENERAL_LOOKASIDE L;
} PAGED_LOOKASIDE_LIST, *PPAGED_LOOKASIDE_LIST;
typedef struct DECLSPEC_ALIGN(16) _LOOKASIDE_LIST_EX {
    GENERAL_LOOKASIDE L;
} LOOKASIDE_LIST_EX, *PLOOKASIDE_LIST_EX;
#define EX_LOOKASIDE_LIST_EX_FLAGS_RAISE_ON_FAIL 0x00000001
#define EX_LOOKASIDE_LIST_EX_FLAGS_FAIL_NO_RAISE 0x00000002

VOID ExInitializeNPagedLookasideList(PNPAGED_LOOKASIDE_LIST Lookaside, PALLOCATE_FUNCTION Allocate,
                                     PFREE_FUNCTION Free, ULONG Flags, SIZE_T Size, ULONG Tag,
                                     USHORT Depth);
VOID ExDeleteNPagedLookasideList(PNPAGED_LOOKASIDE_LIST Lookaside);
PVOID ExAllocateFromNPagedLookasideList(PNPAGED_LOOKASIDE_LIST Lookaside);
VOID ExFreeToNPagedLookasideList(PNPAGED_LOOKASIDE_LIST Lookaside, PVOID Entry);
VOID ExInitializePagedLookasideList(PPAGED_LOOKASIDE_LIST Lookaside, PALLOCATE_FUNCTION Allocate,
                                    PFREE_FUNCTION Free, ULONG Flags, SIZE_T Size, ULONG Tag,
                                    USHORT Depth);
VOID ExDeletePagedLookasideList(PPAGED_LOOKASIDE_LIST Lookaside);
PVOID ExAllocateFromPagedLookasideList(PPAGED_LOOKASIDE_LIST Lookaside);
VOID ExFreeToPagedLookasideList(PPAGED_LOOKASIDE_LIST Lookaside, PVOID Entry);
NTSTATUS ExInitializeLookasideListEx(PLOOKASIDE_LIST_EX Lookaside, PALLOCATE_FUNCTION_EX Allocate,
                                     PFREE_FUNCTION_EX Free, POOL_TYPE PoolType, ULONG Flags,
                                     SIZE_T Size, ULONG Tag, USHORT Depth);
VOID ExDeleteLookasideListEx(PLOOKASIDE_LIST_EX Lookaside);
PVOID ExAllocateFromLookasideListEx(PLOOKASIDE_LIST_EX Lookaside);
VOID ExFreeToLookasideListEx(PLOOKASIDE_LIST_EX Lookaside, PVOID Entry);

/* ---- Fast mutexes: APC_LEVEL while held ---- */

typedef struct _FAST_MUTEX {
    LONG Count;
    PVOID Owner;
    ULONG Contention;
    KEVENT Event;
    ULONG OldIrql;
} FAST_MUTEX, *PFAST_MUTEX, KGUARDED_MUTEX, *PKGUARDED_MUTEX;
#define FM_LOCK_BIT 0x1

VOID ExInitializeFastMutex(PFAST_MUTEX FastMutex);
VOID ExAcquireFastMutex(PFAST_MUTEX FastMutex);
VOID ExReleaseFastMutex(PFAST_MUTEX FastMutex);
BOOLEAN ExTryToAcquireFastMutex(PFAST_MUTEX FastMutex);
VOID ExAcquireFastMutexUnsafe(PFAST_MUTEX FastMutex);
VOID ExReleaseFastMutexUnsafe(PFAST_MUTEX FastMutex);
VOID KeInitializeGuardedMutex(PKGUARDED_MUTEX Mutex);
VOID KeAcquireGuardedMutex(PKGUARDED_MUTEX Mutex);
#define KeAcquireGuardedMutexUnsafe(Mutex) KeAcquireGuardedMutex(Mutex)
#define KeReleaseGuardedMutexUnsafe(Mutex) KeReleaseGuardedMutex(Mutex)
VOID KeReleaseGuardedMutex(PKGUARDED_MUTEX Mutex);
BOOLEAN KeTryToAcquireGuardedMutex(PKGUARDED_MUTEX Mutex);

/* ---- Resources (shared or exclusive), rundown protection, push locks ---- */

typedef struct _ERESOURCE {
    LIST_ENTRY SystemResourcesList;
    PVOID KitOwner;
    LONG KitShared;    /* holders, each as often as it took it */
    LONG KitExclusive; /* how often the owner took it */
    LONG KitWaiting;   /* for exclusive use */
    ULONG KitMark;
    PVOID Reserved[8];
} ERESOURCE, *PERESOURCE;
NTSTATUS ExInitializeResourceLite(PERESOURCE Resource);
NTSTATUS ExDeleteResourceLite(PERESOURCE Resource);
BOOLEAN ExAcquireResourceExclusiveLite(PERESOURCE Resource, BOOLEAN Wait);
#define ExEnterCriticalRegionAndAcquireResourceExclusive(Resource)                                 \
    (KeEnterCriticalRegion(), (void)ExAcquireResourceExclusiveLite((Resource), TRUE))
#define ExEnterCriticalRegionAndAcquireResourceShared(Resource)                                    \
    (KeEnterCriticalRegion(), (void)ExAcquireResourceSharedLite((Resource), TRUE))
#define ExReleaseResourceAndLeaveCriticalRegion(Resource)                                          \
    (ExReleaseResourceLite(Resource), KeLeaveCriticalRegion())
BOOLEAN ExAcquireResourceSharedLite(PERESOURCE Resource, BOOLEAN Wait);
VOID ExReleaseResourceLite(PERESOURCE Resource);
BOOLEAN ExIsResourceAcquiredExclusiveLite(PERESOURCE Resource);
ULONG ExIsResourceAcquiredSharedLite(PERESOURCE Resource);
#define ExIsResourceAcquiredLite(Resource) ExIsResourceAcquiredSharedLite(Resource)

typedef struct _EX_RUNDOWN_REF {
    ULONG_PTR Count;
} EX_RUNDOWN_REF, *PEX_RUNDOWN_REF;
VOID ExInitializeRundownProtection(PEX_RUNDOWN_REF RunRef);
BOOLEAN ExAcquireRundownProtection(PEX_RUNDOWN_REF RunRef);
VOID ExReleaseRundownProtection(PEX_RUNDOWN_REF RunRef);
VOID ExWaitForRundownProtectionRelease(PEX_RUNDOWN_REF RunRef);
BOOLEAN ExAcquireRundownProtectionEx(PEX_RUNDOWN_REF RunRef, ULONG Count);
VOID ExReleaseRundownProtectionEx(PEX_RUNDOWN_REF RunRef, ULONG Count);
VOID ExRundownCompleted(PEX_RUNDOWN_REF RunRef);
VOID ExReInitializeRundownProtection(PEX_RUNDOWN_REF RunRef);

typedef LONG EX_SPIN_LOCK, *PEX_SPIN_LOCK;
KIRQL ExAcquireSpinLockExclusive(PEX_SPIN_LOCK SpinLock);
VOID ExReleaseSpinLockExclusive(PEX_SPIN_LOCK SpinLock, KIRQL OldIrql);
KIRQL ExAcquireSpinLockShared(PEX_SPIN_LOCK SpinLock);
VOID ExReleaseSpinLockShared(PEX_SPIN_LOCK SpinLock, KIRQL OldIrql);
VOID ExAcquireSpinLockExclusiveAtDpcLevel(PEX_SPIN_LOCK SpinLock);
VOID ExReleaseSpinLockExclusiveFromDpcLevel(PEX_SPIN_LOCK SpinLock);
VOID ExAcquireSpinLockSharedAtDpcLevel(PEX_SPIN_LOCK SpinLock);
VOID ExReleaseSpinLockSharedFromDpcLevel(PEX_SPIN_LOCK SpinLock);
BOOLEAN ExTryConvertSharedSpinLockExclusive(PEX_SPIN_LOCK SpinLock);

/* Push locks: shared or exclusive, in a critical region; a wait blocks. */
typedef ULONG_PTR EX_PUSH_LOCK, *PEX_PUSH_LOCK;
VOID ExInitializePushLock(PEX_PUSH_LOCK PushLock);
VOID ExAcquirePushLockExclusive(PEX_PUSH_LOCK PushLock);
VOID ExReleasePushLockExclusive(PEX_PUSH_LOCK PushLock);
VOID ExAcquirePushLockShared(PEX_PUSH_LOCK PushLock);
VOID ExReleasePushLockShared(PEX_PUSH_LOCK PushLock);
#define EX_DEFAULT_PUSH_LOCK_FLAGS 0
#define ExAcquirePushLockExclusiveEx(Lock, Flags) ((void)(Flags), ExAcquirePushLockExclusive(Lock))
#define ExReleasePushLockExclusiveEx(Lock, Flags) ((void)(Flags), ExReleasePushLockExclusive(Lock))
#define ExAcquirePushLockSharedEx(Lock, Flags) ((void)(Flags), ExAcquirePushLockShared(Lock))
#define ExReleasePushLockSharedEx(Lock, Flags) ((void)(Flags), ExReleasePushLockShared(Lock))

/* ---- Lists that many threads use ---- */

PLIST_ENTRY ExInterlockedInsertHeadList(PLIST_ENTRY ListHead, PLIST_ENTRY ListEntry,
                                        PKSPIN_LOCK Lock);
PLIST_ENTRY ExInterlockedInsertTailList(PLIST_ENTRY ListHead, PLIST_ENTRY ListEntry,
                                        PKSPIN_LOCK Lock);
PLIST_ENTRY ExInterlockedRemoveHeadList(PLIST_ENTRY ListHead, PKSPIN_LOCK Lock);
PSINGLE_LIST_ENTRY ExInterlockedPushEntryList(PSINGLE_LIST_ENTRY ListHead,
                                              PSINGLE_LIST_ENTRY ListEntry, PKSPIN_LOCK Lock);
PSINGLE_LIST_ENTRY ExInterlockedPopEntryList(PSINGLE_LIST_ENTRY ListHead, PKSPIN_LOCK Lock);
LARGE_INTEGER ExInterlockedAddLargeInteger(PLARGE_INTEGER Addend, LARGE_INTEGER Increment,
                                           PKSPIN_LOCK Lock);
ULONG ExInterlockedAddUlong(PULONG Addend, ULONG Increment, PKSPIN_LOCK Lock);
VOID InitializeSListHead(PSLIST_HEADER SListHead);
VOID ExInitializeSListHead(PSLIST_HEADER SListHead);
PSLIST_ENTRY InterlockedPushEntrySList(PSLIST_HEADER ListHead, PSLIST_ENTRY ListEntry);
PSLIST_ENTRY InterlockedPopEntrySList(PSLIST_HEADER ListHead);
PSLIST_ENTRY InterlockedFlushSList(PSLIST_HEADER ListHead);
USHORT ExQueryDepthSList(PSLIST_HEADER SListHead);
#define ExInterlockedPushEntrySList(Head, Entry, Lock) InterlockedPushEntrySList(Head, Entry)
#define ExInterlockedPopEntrySList(Head, Lock) InterlockedPopEntrySList(Head)
#define ExInterlockedFlushSList(Head) InterlockedFlushSList(Head)
#define ExInterlockedCompareExchange64(Destination, Exchange, Comparand, Lock)                     \
    InterlockedCompareExchange64((Destination), *(Exchange), *(Comparand))
#define ExInterlockedAddLargeStatistic(Addend, Increment)                                          \
    ((void)InterlockedExchangeAdd64((LONG64 volatile *)&(Addend)->QuadPart, (LONG64)(Increment)))
#define QueryDepthSList(Head) ExQueryDepthSList(Head)

/* ---- Interlocked: the answer of And, Or, Xor, ExchangeAdd, Exchange, CompareExchange is the value
 * before; of Increment, Decrement, Add the value after ---- */

#define KIT_INTERLOCKED(Suffix, Type)                                                              \
    FORCEINLINE Type InterlockedIncrement##Suffix(Type volatile *Addend)                           \
    {                                                                                              \
        return __sync_add_and_fetch(Addend, 1);                                                    \
    }                                                                                              \
    FORCEINLINE Type InterlockedDecrement##Suffix(Type volatile *Addend)                           \
    {                                                                                              \
        return __sync_sub_and_fetch(Addend, 1);                                                    \
    }                                                                                              \
    FORCEINLINE Type InterlockedAdd##Suffix(Type volatile *Addend, Type Value)                     \
    {                                                                                              \
        return __sync_add_and_fetch(Addend, Value);                                                \
    }                                                                                              \
    FORCEINLINE Type InterlockedExchangeAdd##Suffix(Type volatile *Addend, Type Value)             \
    {                                                                                              \
        return __sync_fetch_and_add(Addend, Value);                                                \
    }                                                                                              \
    FORCEINLINE Type InterlockedExchange##Suffix(Type volatile *Target, Type Value)                \
    {                                                                                              \
        return __atomic_exchange_n(Target, Value, __ATOMIC_SEQ_CST);                               \
    }                                                                                              \
    FORCEINLINE Type InterlockedCompareExchange##Suffix(Type volatile *Target, Type Value,         \
                                                        Type Comperand)                            \
    {                                                                                              \
        return __sync_val_compare_and_swap(Target, Comperand, Value);                              \
    }                                                                                              \
    FORCEINLINE Type InterlockedAnd##Suffix(Type volatile *Target, Type Value)                     \
    {                                                                                              \
        return __sync_fetch_and_and(Target, Value);                                                \
    }                                                                                              \
    FORCEINLINE Type InterlockedOr##Suffix(Type volatile *Target, Type Value)                      \
    {                                                                                              \
        return __sync_fetch_and_or(Target, Value);                                                 \
    }                                                                                              \
    FORCEINLINE Type InterlockedXor##Suffix(Type volatile *Target, Type Value)                     \
    {                                                                                              \
        return __sync_fetch_and_xor(Target, Value);                                                \
    }
KIT_INTERLOCKED(, LONG)
KIT_INTERLOCKED(64, LONG64)
KIT_INTERLOCKED(16, SHORT)
#undef KIT_INTERLOCKED

FORCEINLINE PVOID InterlockedExchangePointer(PVOID volatile *Target, PVOID Value)
{
    return __atomic_exchange_n(Target, Value, __ATOMIC_SEQ_CST);
}
FORCEINLINE PVOID InterlockedCompareExchangePointer(PVOID volatile *Destination, PVOID ExChange,
                                                    PVOID Comperand)
{
    return __sync_val_compare_and_swap(Destination, Comperand, ExChange);
}
FORCEINLINE BOOLEAN InterlockedBitTestAndSet(LONG volatile *Base, LONG Offset)
{
    LONG Bit = (LONG)(1u << (Offset & 31));

    return (__sync_fetch_and_or(Base + Offset / 32, Bit) & Bit) != 0;
}
FORCEINLINE BOOLEAN InterlockedBitTestAndReset(LONG volatile *Base, LONG Offset)
{
    LONG Bit = (LONG)(1u << (Offset & 31));

    return (__sync_fetch_and_and(Base + Offset / 32, ~Bit) & Bit) != 0;
}
/* The unsigned kinds are names of C functions on the same words. */
#define InterlockedIncrementAcquire InterlockedIncrement
#define InterlockedIncrementRelease InterlockedIncrement
#define InterlockedDecrementAcquire InterlockedDecrement
#define InterlockedDecrementRelease InterlockedDecrement
#define InterlockedIncrementNoFence InterlockedIncrement
#define InterlockedDecrementNoFence InterlockedDecrement
#define InterlockedCompareExchangeAcquire InterlockedCompareExchange
#define InterlockedCompareExchangeRelease InterlockedCompareExchange
#define InterlockedExchangeAcquire InterlockedExchange
#define InterlockedExchangeNoFence InterlockedExchange
#define InterlockedIncrementSizeT(P) ((SIZE_T)InterlockedIncrement64((LONG64 volatile *)(P)))
#define InterlockedDecrementSizeT(P) ((SIZE_T)InterlockedDecrement64((LONG64 volatile *)(P)))
#define InterlockedExchangeAddSizeT(P, V)                                                          \
    ((SIZE_T)InterlockedExchangeAdd64((LONG64 volatile *)(P), (LONG64)(V)))
#define InterlockedAddSizeT(P, V) ((SIZE_T)InterlockedAdd64((LONG64 volatile *)(P), (LONG64)(V)))
#define ReadAcquire(P) __atomic_load_n((P), __ATOMIC_ACQUIRE)
#define ReadNoFence(P) __atomic_load_n((P), __ATOMIC_RELAXED)
#define ReadULongAcquire(P) ReadAcquire(P)
#define ReadULongNoFence(P) ReadNoFence(P)
#define ReadPointerAcquire(P) ReadAcquire(P)
#define ReadPointerNoFence(P) ReadNoFence(P)
#define WriteRelease(P, V) __atomic_store_n((P), (V), __ATOMIC_RELEASE)
#define WriteNoFence(P, V) __atomic_store_n((P), (V), __ATOMIC_RELAXED)
#define WriteULongRelease(P, V) WriteRelease(P, V)
#define WritePointerRelease(P, V) WriteRelease(P, V)

/* ---- Work items, timers, callbacks, others ---- */

typedef enum _WORK_QUEUE_TYPE {
    CriticalWorkQueue,
    DelayedWorkQueue,
    HyperCriticalWorkQueue,
    NormalWorkQueue,
    BackgroundWorkQueue,
    RealTimeWorkQueue,
    SuperCriticalWorkQueue,
    MaximumWorkQueue,
    CustomPriorityWorkQueue = 32
} WORK_QUEUE_TYPE;
typedef VOID WORKER_THREAD_ROUTINE(PVOID Parameter);
typedef WORKER_THREAD_ROUTINE *PWORKER_THREAD_ROUTINE;
typedef struct _WORK_QUEUE_ITEM {
    LIST_ENTRY List;
    PWORKER_THREAD_ROUTINE WorkerRoutine;
    PVOID Parameter;
} WORK_QUEUE_ITEM, *PWORK_QUEUE_ITEM;
#define ExInitializeWorkItem(Item, Routine, Context)                                               \
    ((Item)->WorkerRoutine = (Routine), (Item)->Parameter = (Context), (Item)->List.Flink = NULL)
VOID ExQueueWorkItem(PWORK_QUEUE_ITEM WorkItem, WORK_QUEUE_TYPE QueueType);

typedef struct _EX_TIMER *PEX_TIMER;
typedef VOID EXT_CALLBACK(PEX_TIMER Timer, PVOID Context);
typedef EXT_CALLBACK *PEXT_CALLBACK;
typedef VOID EXT_DELETE_CALLBACK(PVOID Context);
typedef EXT_DELETE_CALLBACK *PEXT_DELETE_CALLBACK;
typedef PVOID PEXT_CANCEL_PARAMETERS;
typedef struct _EXT_SET_PARAMETERS {
    ULONG Version;
    ULONG Reserved;
    LONGLONG NoWakeTolerance;
} EXT_SET_PARAMETERS, *PEXT_SET_PARAMETERS;
typedef struct _EXT_DELETE_PARAMETERS {
    ULONG Version;
    ULONG Reserved;
    PEXT_DELETE_CALLBACK DeleteCallback;
    PVOID DeleteContext;
} EXT_DELETE_PARAMETERS, *PEXT_DELETE_PARAMETERS;
#define EX_TIMER_HIGH_RESOLUTION 0x4
#define EX_TIMER_NO_WAKE 0x8
#define EX_TIMER_UNLIMITED_TOLERANCE ((LONGLONG)-1)
#define EX_TIMER_NOTIFICATION 0x80000000U
/* Make one; its callback runs at DISPATCH_LEVEL. NULL: no memory. */
PEX_TIMER ExAllocateTimer(PEXT_CALLBACK Callback, PVOID CallbackContext, ULONG Attributes);
/* DueTime and Period count 100 ns; a negative DueTime is from now. TRUE: it was set already. */
BOOLEAN ExSetTimer(PEX_TIMER Timer, LONGLONG DueTime, LONGLONG Period,
                   PEXT_SET_PARAMETERS Parameters);
BOOLEAN ExCancelTimer(PEX_TIMER Timer, PEXT_CANCEL_PARAMETERS Parameters);
BOOLEAN ExDeleteTimer(PEX_TIMER Timer, BOOLEAN Cancel, BOOLEAN Wait,
                      PEXT_DELETE_PARAMETERS Parameters);
VOID ExInitializeSetTimerParameters(PEXT_SET_PARAMETERS Parameters);
VOID ExInitializeDeleteTimerParameters(PEXT_DELETE_PARAMETERS Parameters);
ULONG ExSetTimerResolution(ULONG DesiredTime, BOOLEAN SetResolution);

typedef struct _CALLBACK_OBJECT *PCALLBACK_OBJECT;
typedef VOID CALLBACK_FUNCTION(PVOID CallbackContext, PVOID Argument1, PVOID Argument2);
typedef CALLBACK_FUNCTION *PCALLBACK_FUNCTION;
NTSTATUS ExCreateCallback(PCALLBACK_OBJECT *CallbackObject, POBJECT_ATTRIBUTES ObjectAttributes,
                          BOOLEAN Create, BOOLEAN AllowMultipleCallbacks);
PVOID ExRegisterCallback(PCALLBACK_OBJECT CallbackObject, PCALLBACK_FUNCTION CallbackFunction,
                         PVOID CallbackContext);
VOID ExUnregisterCallback(PVOID CallbackRegistration);

BOOLEAN ExIsProcessorFeaturePresent(ULONG ProcessorFeature);
NTSTATUS ExUuidCreate(UUID *Uuid);
KPROCESSOR_MODE ExGetPreviousMode(VOID);
VOID ExSystemTimeToLocalTime(PLARGE_INTEGER SystemTime, PLARGE_INTEGER LocalTime);
VOID ExLocalTimeToSystemTime(PLARGE_INTEGER LocalTime, PLARGE_INTEGER SystemTime);
NTSTATUS ExGetFirmwareEnvironmentVariable(PUNICODE_STRING VariableName, GUID *VendorGuid,
                                          PVOID Value, PULONG ValueLength, PULONG Attributes);

/* Raise an exception, for an __except (excpt.h). */
DECLSPEC_NORETURN VOID ExRaiseStatus(NTSTATUS Status);
DECLSPEC_NORETURN VOID ExRaiseAccessViolation(VOID);
DECLSPEC_NORETURN VOID ExRaiseDatatypeMisalignment(VOID);

KIT_END

#endif /* KIT_WDM_EX_H */
