/* ex.c: routines built upon pools and locks: lookaside lists, fast mutexes, rundown protection,
 * lists that many threads use. */
#include "kit/state.h"

#include <sched.h>

/* ---- lists under a driver's spin lock, at any level: the lock alone is taken ---- */

static KIRQL take(PKSPIN_LOCK lock)
{
    KIRQL irql = KeGetCurrentIrql();

    if (irql < DISPATCH_LEVEL)
        KfRaiseIrql(DISPATCH_LEVEL);
    KeAcquireSpinLockAtDpcLevel(lock);
    return irql;
}

static void give(PKSPIN_LOCK lock, KIRQL irql)
{
    KeReleaseSpinLockFromDpcLevel(lock);
    KeLowerIrql(irql);
}

PLIST_ENTRY ExInterlockedInsertHeadList(PLIST_ENTRY head, PLIST_ENTRY entry, PKSPIN_LOCK lock)
{
    KIRQL irql = take(lock);
    PLIST_ENTRY first = IsListEmpty(head) ? NULL : head->Flink;

    InsertHeadList(head, entry);
    give(lock, irql);
    return first;
}

PLIST_ENTRY ExInterlockedInsertTailList(PLIST_ENTRY head, PLIST_ENTRY entry, PKSPIN_LOCK lock)
{
    KIRQL irql = take(lock);
    PLIST_ENTRY last = IsListEmpty(head) ? NULL : head->Blink;

    InsertTailList(head, entry);
    give(lock, irql);
    return last;
}

PLIST_ENTRY ExInterlockedRemoveHeadList(PLIST_ENTRY head, PKSPIN_LOCK lock)
{
    KIRQL irql = take(lock);
    PLIST_ENTRY first = IsListEmpty(head) ? NULL : RemoveHeadList(head);

    give(lock, irql);
    return first;
}

PSINGLE_LIST_ENTRY ExInterlockedPushEntryList(PSINGLE_LIST_ENTRY head, PSINGLE_LIST_ENTRY entry,
                                              PKSPIN_LOCK lock)
{
    KIRQL irql = take(lock);
    PSINGLE_LIST_ENTRY first = head->Next;

    PushEntryList(head, entry);
    give(lock, irql);
    return first;
}

PSINGLE_LIST_ENTRY ExInterlockedPopEntryList(PSINGLE_LIST_ENTRY head, PKSPIN_LOCK lock)
{
    KIRQL irql = take(lock);
    PSINGLE_LIST_ENTRY first = PopEntryList(head);

    give(lock, irql);
    return first;
}

LARGE_INTEGER ExInterlockedAddLargeInteger(PLARGE_INTEGER addend, LARGE_INTEGER increment,
                                           PKSPIN_LOCK lock)
{
    KIRQL irql = take(lock);
    LARGE_INTEGER before = *addend;

    addend->QuadPart += increment.QuadPart;
    give(lock, irql);
    return before;
}

ULONG ExInterlockedAddUlong(PULONG addend, ULONG increment, PKSPIN_LOCK lock)
{
    KIRQL irql = take(lock);
    ULONG before = *addend;

    *addend += increment;
    give(lock, irql);
    return before;
}

/* ---- sequenced lists ---- */

static void lock_list(PSLIST_HEADER head)
{
    LONG none = 0;

    while (!__atomic_compare_exchange_n(&head->KitLock, &none, 1, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
        none = 0;
        sched_yield();
    }
}

static void unlock_list(PSLIST_HEADER head)
{
    __atomic_store_n(&head->KitLock, 0, __ATOMIC_RELEASE);
}

VOID InitializeSListHead(PSLIST_HEADER head)
{
    memset(head, 0, sizeof(*head));
}

VOID ExInitializeSListHead(PSLIST_HEADER head)
{
    InitializeSListHead(head);
}

PSLIST_ENTRY InterlockedPushEntrySList(PSLIST_HEADER head, PSLIST_ENTRY entry)
{
    lock_list(head);
    PSLIST_ENTRY first = head->KitFirst;
    entry->Next = first;
    head->KitFirst = entry;
    head->KitDepth++;
    unlock_list(head);
    return first;
}

PSLIST_ENTRY InterlockedPopEntrySList(PSLIST_HEADER head)
{
    lock_list(head);
    PSLIST_ENTRY first = head->KitFirst;
    if (first) {
        head->KitFirst = first->Next;
        head->KitDepth--;
    }
    unlock_list(head);
    return first;
}

PSLIST_ENTRY InterlockedFlushSList(PSLIST_HEADER head)
{
    lock_list(head);
    PSLIST_ENTRY first = head->KitFirst;
    head->KitFirst = NULL;
    head->KitDepth = 0;
    unlock_list(head);
    return first;
}

USHORT ExQueryDepthSList(PSLIST_HEADER head)
{
    lock_list(head);
    USHORT depth = head->KitDepth;
    unlock_list(head);
    return depth;
}

/* ---- lookaside lists: every entry comes from the pool, so that the pool sees each ---- */

enum { PLAIN_LIST = 1, EX_LIST };

static NTSTATUS init_list(const void *caller, PGENERAL_LOOKASIDE list, PVOID allocate, PVOID free_,
                          POOL_TYPE type, SIZE_T size, ULONG tag, ULONG kind)
{
    if (size == 0 || size > UINT32_MAX) {
        vidmm_kit_find(caller, VIDMM_KIT_BAD_ARGUMENT, "a lookaside list of entries of %llu bytes",
                       size);
        return STATUS_INVALID_PARAMETER;
    }
    memset(list, 0, sizeof(*list));
    list->Type = type;
    list->Size = (ULONG)size;
    list->Tag = tag;
    list->AllocateEx = allocate;
    list->FreeEx = free_;
    list->Kind = kind;
    return STATUS_SUCCESS;
}

static PVOID take_entry(const void *caller, PGENERAL_LOOKASIDE list)
{
    if (list->Kind == 0) {
        vidmm_kit_find(caller, VIDMM_KIT_NOT_INITIALIZED, "lookaside list %p", (void *)list);
        return NULL;
    }
    InterlockedIncrement((LONG *)&list->Live);
    if (list->AllocateEx && list->Kind == EX_LIST)
        return ((PALLOCATE_FUNCTION_EX)list->AllocateEx)(list->Type, list->Size, list->Tag,
                                                         (PLOOKASIDE_LIST_EX)list);
    if (list->AllocateEx)
        return ((PALLOCATE_FUNCTION)list->AllocateEx)(list->Type, list->Size, list->Tag);
    return ExAllocatePoolWithTag(list->Type, list->Size, list->Tag);
}

static void give_entry(PGENERAL_LOOKASIDE list, PVOID entry)
{
    InterlockedDecrement((LONG *)&list->Live);
    if (list->FreeEx && list->Kind == EX_LIST)
        ((PFREE_FUNCTION_EX)list->FreeEx)(entry, (PLOOKASIDE_LIST_EX)list);
    else if (list->FreeEx)
        ((PFREE_FUNCTION)list->FreeEx)(entry);
    else
        ExFreePoolWithTag(entry, list->Tag);
}

static void delete_list(const void *caller, PGENERAL_LOOKASIDE list)
{
    if (list->Kind == 0)
        vidmm_kit_find(caller, VIDMM_KIT_NOT_INITIALIZED, "lookaside list %p", (void *)list);
    else if ((LONG)list->Live > 0)
        vidmm_kit_find(caller, VIDMM_KIT_FREED_IN_USE,
                       "lookaside list %p is deleted with %u entries taken", (void *)list,
                       list->Live);
    list->Kind = 0;
}

#define LOOKASIDE(Kind, Type, Pool)                                                                \
    VOID ExInitialize##Kind##LookasideList(Type list, PALLOCATE_FUNCTION allocate,                 \
                                           PFREE_FUNCTION free_, ULONG flags, SIZE_T size,         \
                                           ULONG tag, USHORT depth)                                \
    {                                                                                              \
        (void)flags, (void)depth;                                                                  \
        init_list(CALLER, &list->L, (PVOID)(uintptr_t)allocate, (PVOID)(uintptr_t)free_, Pool,     \
                  size, tag, PLAIN_LIST);                                                          \
    }                                                                                              \
    VOID ExDelete##Kind##LookasideList(Type list)                                                  \
    {                                                                                              \
        delete_list(CALLER, &list->L);                                                             \
    }                                                                                              \
    PVOID ExAllocateFrom##Kind##LookasideList(Type list)                                           \
    {                                                                                              \
        return take_entry(CALLER, &list->L);                                                       \
    }                                                                                              \
    VOID ExFreeTo##Kind##LookasideList(Type list, PVOID entry)                                     \
    {                                                                                              \
        give_entry(&list->L, entry);                                                               \
    }
LOOKASIDE(NPaged, PNPAGED_LOOKASIDE_LIST, NonPagedPoolNx)
LOOKASIDE(Paged, PPAGED_LOOKASIDE_LIST, PagedPool)

NTSTATUS ExInitializeLookasideListEx(PLOOKASIDE_LIST_EX list, PALLOCATE_FUNCTION_EX allocate,
                                     PFREE_FUNCTION_EX free_, POOL_TYPE type, ULONG flags,
                                     SIZE_T size, ULONG tag, USHORT depth)
{
    (void)flags, (void)depth;
    return init_list(CALLER, &list->L, (PVOID)(uintptr_t)allocate, (PVOID)(uintptr_t)free_, type,
                     size, tag, EX_LIST);
}

VOID ExDeleteLookasideListEx(PLOOKASIDE_LIST_EX list)
{
    delete_list(CALLER, &list->L);
}

PVOID ExAllocateFromLookasideListEx(PLOOKASIDE_LIST_EX list)
{
    return take_entry(CALLER, &list->L);
}

VOID ExFreeToLookasideListEx(PLOOKASIDE_LIST_EX list, PVOID entry)
{
    give_entry(&list->L, entry);
}

/* ---- fast mutexes: an event that is set while the mutex is free ---- */

enum apcs { RAISE, GUARD, LEAVE }; /* how they are disabled: level, guarded region, by the caller */

static bool own(const FAST_MUTEX *mutex)
{
    return __atomic_load_n(&mutex->Owner, __ATOMIC_RELAXED) == (PVOID)vidmm_kit_thread();
}

/* Wait for it, or only look; whether the caller has it now. */
static bool enter(PFAST_MUTEX mutex, enum apcs apcs, LARGE_INTEGER *timeout)
{
    KIRQL irql = KeGetCurrentIrql();

    if (KeWaitForSingleObject(&mutex->Event, Executive, KernelMode, FALSE, timeout) !=
        STATUS_SUCCESS)
        return false;
    if (apcs == RAISE && irql < APC_LEVEL)
        KfRaiseIrql(APC_LEVEL);
    if (apcs == GUARD)
        vidmm_kit_thread()->guarded++;
    __atomic_store_n(&mutex->Owner, (PVOID)vidmm_kit_thread(), __ATOMIC_RELAXED);
    mutex->OldIrql = irql;
    return true;
}

static void acquire(const void *caller, PFAST_MUTEX mutex, enum apcs apcs, const char *routine)
{
    vidmm_kit_irql_max(caller, APC_LEVEL, routine);
    if (own(mutex)) {
        vidmm_kit_find(caller, VIDMM_KIT_LOCK_TAKEN_TWICE, "%s: mutex %p", routine, (void *)mutex);
        vidmm_kit_bug_check(SPIN_LOCK_ALREADY_OWNED, (uintptr_t)mutex, 0, 0, 0);
    }
    enter(mutex, apcs, NULL);
}

static bool try_to_acquire(const void *caller, PFAST_MUTEX mutex, enum apcs apcs,
                           const char *routine)
{
    LARGE_INTEGER now = {.QuadPart = 0};

    vidmm_kit_irql_max(caller, APC_LEVEL, routine);
    return enter(mutex, apcs, &now);
}

static void release(const void *caller, PFAST_MUTEX mutex, enum apcs apcs, const char *routine)
{
    vidmm_kit_irql_max(caller, APC_LEVEL, routine);
    if (!own(mutex)) {
        vidmm_kit_find(caller, VIDMM_KIT_NOT_OWNER, "%s: mutex %p", routine, (void *)mutex);
        return;
    }
    KIRQL irql = (KIRQL)mutex->OldIrql;
    __atomic_store_n(&mutex->Owner, NULL, __ATOMIC_RELAXED);
    KeSetEvent(&mutex->Event, 0, FALSE);
    if (apcs == RAISE)
        KeLowerIrql(irql);
    if (apcs == GUARD && vidmm_kit_thread()->guarded > 0)
        vidmm_kit_thread()->guarded--;
}

VOID ExInitializeFastMutex(PFAST_MUTEX mutex)
{
    memset(mutex, 0, sizeof(*mutex));
    mutex->Count = 1;
    KeInitializeEvent(&mutex->Event, SynchronizationEvent, TRUE);
}

VOID ExAcquireFastMutex(PFAST_MUTEX mutex)
{
    acquire(CALLER, mutex, RAISE, "ExAcquireFastMutex");
}

VOID ExReleaseFastMutex(PFAST_MUTEX mutex)
{
    release(CALLER, mutex, RAISE, "ExReleaseFastMutex");
}

BOOLEAN ExTryToAcquireFastMutex(PFAST_MUTEX mutex)
{
    return try_to_acquire(CALLER, mutex, RAISE, "ExTryToAcquireFastMutex");
}

VOID ExAcquireFastMutexUnsafe(PFAST_MUTEX mutex)
{
    const struct _KTHREAD *thread = vidmm_kit_thread();

    if (KeGetCurrentIrql() < APC_LEVEL && thread->critical == 0 && thread->guarded == 0)
        vidmm_kit_find(CALLER, VIDMM_KIT_IRQL_TOO_LOW,
                       "ExAcquireFastMutexUnsafe at IRQL %u, outside of a critical region",
                       KeGetCurrentIrql());
    acquire(CALLER, mutex, LEAVE, "ExAcquireFastMutexUnsafe");
}

VOID ExReleaseFastMutexUnsafe(PFAST_MUTEX mutex)
{
    release(CALLER, mutex, LEAVE, "ExReleaseFastMutexUnsafe");
}

VOID KeInitializeGuardedMutex(PKGUARDED_MUTEX mutex)
{
    IRQL_MAX(APC_LEVEL);
    ExInitializeFastMutex(mutex);
}

VOID KeAcquireGuardedMutex(PKGUARDED_MUTEX mutex)
{
    acquire(CALLER, mutex, GUARD, "KeAcquireGuardedMutex");
}

VOID KeReleaseGuardedMutex(PKGUARDED_MUTEX mutex)
{
    release(CALLER, mutex, GUARD, "KeReleaseGuardedMutex");
}

BOOLEAN KeTryToAcquireGuardedMutex(PKGUARDED_MUTEX mutex)
{
    return try_to_acquire(CALLER, mutex, GUARD, "KeTryToAcquireGuardedMutex");
}

/* ---- rundown protection: bit 0 says that it ends, the rest counts who is inside ---- */

VOID ExInitializeRundownProtection(PEX_RUNDOWN_REF reference)
{
    reference->Count = 0;
}

BOOLEAN ExAcquireRundownProtection(PEX_RUNDOWN_REF reference)
{
    vidmm_kit_lock_dispatcher();
    bool open = !(reference->Count & 1);
    if (open)
        reference->Count += 2;
    vidmm_kit_unlock_dispatcher();
    return open;
}

VOID ExReleaseRundownProtection(PEX_RUNDOWN_REF reference)
{
    vidmm_kit_lock_dispatcher();
    bool held = reference->Count >= 2;
    if (held)
        reference->Count -= 2;
    pthread_cond_broadcast(&vidmm_kit_kernel.changed);
    vidmm_kit_unlock_dispatcher();
    if (!held)
        vidmm_kit_find(CALLER, VIDMM_KIT_LOCK_NOT_HELD, "ExReleaseRundownProtection: %p",
                       (void *)reference);
}

VOID ExWaitForRundownProtectionRelease(PEX_RUNDOWN_REF reference)
{
    IRQL_MAX(APC_LEVEL);
    vidmm_kit_lock_dispatcher();
    reference->Count |= 1;
    while (reference->Count > 1)
        pthread_cond_wait(&vidmm_kit_kernel.changed, &vidmm_kit_kernel.dispatcher);
    vidmm_kit_unlock_dispatcher();
}

/* The features that every x64 processor has: the 8-byte exchange, MMX, SSE, RDTSC, PAE, SSE2, NX,
 * SSE3, the 16-byte exchange; bits are values of PF_XXX. */
BOOLEAN ExIsProcessorFeaturePresent(ULONG feature)
{
    const ULONG there =
        1u << 2 | 1u << 3 | 1u << 6 | 1u << 8 | 1u << 9 | 1u << 10 | 1u << 12 | 1u << 13 | 1u << 14;

    IRQL_MAX(PASSIVE_LEVEL);
    return feature < 32 && (there >> feature & 1);
}

KPROCESSOR_MODE ExGetPreviousMode(VOID)
{
    return KernelMode;
}
