/* spinlock.c: locks that are held at DISPATCH_LEVEL.
 *
 * The word holds the owner's record, so that taking a lock twice is seen instead of waited for.
 *
 * I1  A lock is 0, or the owner's address.
 * I2  A thread that holds one is at DISPATCH_LEVEL or above.
 */
#include "kit/state.h"

#include <sched.h>

static void take(const void *caller, PKSPIN_LOCK lock, const char *routine)
{
    struct _KTHREAD *thread = vidmm_kit_thread();
    KSPIN_LOCK me = (KSPIN_LOCK)(uintptr_t)thread, none = 0;

    while (
        !__atomic_compare_exchange_n(lock, &none, me, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        if (none == me) {
            vidmm_kit_find(caller, VIDMM_KIT_LOCK_TAKEN_TWICE, "%s: lock %p", routine,
                           (void *)lock);
            vidmm_kit_bug_check(SPIN_LOCK_ALREADY_OWNED, (uintptr_t)lock, 0, 0, 0);
        }
        none = 0;
        sched_yield();
    }
    thread->spin_locks++;
}

static void give(const void *caller, PKSPIN_LOCK lock, const char *routine)
{
    struct _KTHREAD *thread = vidmm_kit_thread();

    if (__atomic_load_n(lock, __ATOMIC_RELAXED) != (KSPIN_LOCK)(uintptr_t)thread) {
        vidmm_kit_find(caller, VIDMM_KIT_LOCK_NOT_HELD, "%s: lock %p", routine, (void *)lock);
        return;
    }
    thread->spin_locks--;
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

static void irql_min(const void *caller, const char *routine)
{
    KIRQL irql = KeGetCurrentIrql();

    if (irql < DISPATCH_LEVEL)
        vidmm_kit_find(caller, VIDMM_KIT_IRQL_TOO_LOW, "%s at IRQL %u, at least %u", routine, irql,
                       DISPATCH_LEVEL);
}

static KIRQL raise_and_take(const void *caller, PKSPIN_LOCK lock, const char *routine)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    KIRQL before = KeGetCurrentIrql();

    if (vidmm_kit_irql_max(caller, DISPATCH_LEVEL, routine))
        host->raise_irql(host->context, DISPATCH_LEVEL);
    vidmm_kit_page_out();
    take(caller, lock, routine);
    return before;
}

static void give_and_lower(const void *caller, PKSPIN_LOCK lock, KIRQL irql, const char *routine)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    KIRQL now = KeGetCurrentIrql();

    irql_min(caller, routine);
    give(caller, lock, routine);
    if (irql > now)
        vidmm_kit_find(caller, VIDMM_KIT_IRQL_WRONG_WAY, "%s: NewIrql %u at IRQL %u", routine, irql,
                       now);
    else
        host->lower_irql(host->context, irql);
}

VOID KeInitializeSpinLock(PKSPIN_LOCK lock)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELAXED);
}

KIRQL KeAcquireSpinLockRaiseToDpc(PKSPIN_LOCK lock)
{
    return raise_and_take(CALLER, lock, "KeAcquireSpinLock");
}

VOID KeReleaseSpinLock(PKSPIN_LOCK lock, KIRQL irql)
{
    give_and_lower(CALLER, lock, irql, "KeReleaseSpinLock");
}

VOID KeAcquireSpinLockAtDpcLevel(PKSPIN_LOCK lock)
{
    irql_min(CALLER, "KeAcquireSpinLockAtDpcLevel");
    take(CALLER, lock, "KeAcquireSpinLockAtDpcLevel");
}

VOID KeReleaseSpinLockFromDpcLevel(PKSPIN_LOCK lock)
{
    irql_min(CALLER, "KeReleaseSpinLockFromDpcLevel");
    give(CALLER, lock, "KeReleaseSpinLockFromDpcLevel");
}

BOOLEAN KeTryToAcquireSpinLockAtDpcLevel(PKSPIN_LOCK lock)
{
    struct _KTHREAD *thread = vidmm_kit_thread();
    KSPIN_LOCK none = 0;

    irql_min(CALLER, "KeTryToAcquireSpinLockAtDpcLevel");
    if (!__atomic_compare_exchange_n(lock, &none, (KSPIN_LOCK)(uintptr_t)thread, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return FALSE;
    thread->spin_locks++;
    return TRUE;
}

KIRQL KeAcquireSpinLockForDpc(PKSPIN_LOCK lock)
{
    return raise_and_take(CALLER, lock, "KeAcquireSpinLockForDpc");
}

VOID KeReleaseSpinLockForDpc(PKSPIN_LOCK lock, KIRQL irql)
{
    give_and_lower(CALLER, lock, irql, "KeReleaseSpinLockForDpc");
}

BOOLEAN KeTestSpinLock(PKSPIN_LOCK lock)
{
    return __atomic_load_n(lock, __ATOMIC_RELAXED) == 0;
}

VOID KeAcquireInStackQueuedSpinLock(PKSPIN_LOCK lock, PKLOCK_QUEUE_HANDLE handle)
{
    handle->Lock = lock;
    handle->OldIrql = raise_and_take(CALLER, lock, "KeAcquireInStackQueuedSpinLock");
}

VOID KeReleaseInStackQueuedSpinLock(PKLOCK_QUEUE_HANDLE handle)
{
    give_and_lower(CALLER, handle->Lock, handle->OldIrql, "KeReleaseInStackQueuedSpinLock");
}

VOID KeAcquireInStackQueuedSpinLockAtDpcLevel(PKSPIN_LOCK lock, PKLOCK_QUEUE_HANDLE handle)
{
    handle->Lock = lock;
    irql_min(CALLER, "KeAcquireInStackQueuedSpinLockAtDpcLevel");
    take(CALLER, lock, "KeAcquireInStackQueuedSpinLockAtDpcLevel");
}

VOID KeReleaseInStackQueuedSpinLockFromDpcLevel(PKLOCK_QUEUE_HANDLE handle)
{
    irql_min(CALLER, "KeReleaseInStackQueuedSpinLockFromDpcLevel");
    give(CALLER, handle->Lock, "KeReleaseInStackQueuedSpinLockFromDpcLevel");
}
