/* shared_lock.c: spin locks that many readers hold, or one writer.
 *
 * The word counts readers up from 1; a writer makes it -1. The word does not name its holders, so
 * each thread lists the locks that it holds: a lock that is taken again would wait for ever (its
 * page: "not allowed").
 *
 * I1  A thread's list names each such lock that it holds, once, but those beyond KIT_SHARED_LOCKS,
 *     which are only counted.
 */
#include "kit/state.h"

#include <sched.h>

enum { READER = 1, WRITER = -1 };

static struct kit_shared_lock *find(struct _KTHREAD *thread, const EX_SPIN_LOCK *lock)
{
    for (unsigned i = 0; i < KIT_SHARED_LOCKS; i++)
        if (thread->shared_locks[i].lock == lock)
            return &thread->shared_locks[i];
    return NULL;
}

static void note(struct _KTHREAD *thread, EX_SPIN_LOCK *lock, LONG step)
{
    struct kit_shared_lock *slot = find(thread, NULL);

    thread->spin_locks++;
    if (slot)
        *slot = (struct kit_shared_lock){lock, step};
    else
        thread->more_shared_locks++;
}

static void take(const void *caller, PEX_SPIN_LOCK lock, LONG step, const char *routine)
{
    struct _KTHREAD *thread = vidmm_kit_thread();
    LONG now;

    if (find(thread, lock)) {
        vidmm_kit_find(caller, VIDMM_KIT_LOCK_TAKEN_TWICE, "%s: lock %p", routine, (void *)lock);
        vidmm_kit_bug_check(SPIN_LOCK_ALREADY_OWNED, (uintptr_t)lock, 0, 0, 0);
    }
    for (;; sched_yield()) {
        now = __atomic_load_n(lock, __ATOMIC_RELAXED);
        if ((step == READER ? now >= 0 : now == 0) &&
            __atomic_compare_exchange_n(lock, &now, now + step, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            break;
    }
    note(thread, lock, step);
}

/* Whether it was held so. */
static bool give(const void *caller, PEX_SPIN_LOCK lock, LONG step, const char *routine)
{
    struct _KTHREAD *thread = vidmm_kit_thread();
    struct kit_shared_lock *slot = find(thread, lock);

    if (slot ? slot->step != step : thread->more_shared_locks == 0) {
        vidmm_kit_find(caller, VIDMM_KIT_LOCK_NOT_HELD, "%s: lock %p", routine, (void *)lock);
        return false;
    }
    if (slot)
        *slot = (struct kit_shared_lock){NULL, 0};
    else
        thread->more_shared_locks--;
    thread->spin_locks--;
    __atomic_fetch_sub(lock, step, __ATOMIC_RELEASE);
    return true;
}

static void irql_min(const void *caller, const char *routine)
{
    KIRQL irql = KeGetCurrentIrql();

    if (irql < DISPATCH_LEVEL)
        vidmm_kit_find(caller, VIDMM_KIT_IRQL_TOO_LOW, "%s at IRQL %u, at least %u", routine, irql,
                       DISPATCH_LEVEL);
}

static KIRQL raise_and_take(const void *caller, PEX_SPIN_LOCK lock, LONG step, const char *routine)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    KIRQL before = KeGetCurrentIrql();

    if (vidmm_kit_irql_max(caller, DISPATCH_LEVEL, routine))
        host->raise_irql(host->context, DISPATCH_LEVEL);
    vidmm_kit_page_out();
    take(caller, lock, step, routine);
    return before;
}

static void give_and_lower(const void *caller, PEX_SPIN_LOCK lock, LONG step, KIRQL irql,
                           const char *routine)
{
    const struct vidmm_host *host = vidmm_kit_kernel.host;
    KIRQL now = KeGetCurrentIrql();

    irql_min(caller, routine);
    if (!give(caller, lock, step, routine))
        return;
    if (irql > now)
        vidmm_kit_find(caller, VIDMM_KIT_IRQL_WRONG_WAY, "%s: OldIrql %u at IRQL %u", routine, irql,
                       now);
    else
        host->lower_irql(host->context, irql);
}

KIRQL ExAcquireSpinLockExclusive(PEX_SPIN_LOCK lock)
{
    return raise_and_take(CALLER, lock, WRITER, "ExAcquireSpinLockExclusive");
}

VOID ExReleaseSpinLockExclusive(PEX_SPIN_LOCK lock, KIRQL irql)
{
    give_and_lower(CALLER, lock, WRITER, irql, "ExReleaseSpinLockExclusive");
}

KIRQL ExAcquireSpinLockShared(PEX_SPIN_LOCK lock)
{
    return raise_and_take(CALLER, lock, READER, "ExAcquireSpinLockShared");
}

VOID ExReleaseSpinLockShared(PEX_SPIN_LOCK lock, KIRQL irql)
{
    give_and_lower(CALLER, lock, READER, irql, "ExReleaseSpinLockShared");
}

VOID ExAcquireSpinLockExclusiveAtDpcLevel(PEX_SPIN_LOCK lock)
{
    irql_min(CALLER, "ExAcquireSpinLockExclusiveAtDpcLevel");
    take(CALLER, lock, WRITER, "ExAcquireSpinLockExclusiveAtDpcLevel");
}

VOID ExReleaseSpinLockExclusiveFromDpcLevel(PEX_SPIN_LOCK lock)
{
    irql_min(CALLER, "ExReleaseSpinLockExclusiveFromDpcLevel");
    give(CALLER, lock, WRITER, "ExReleaseSpinLockExclusiveFromDpcLevel");
}

VOID ExAcquireSpinLockSharedAtDpcLevel(PEX_SPIN_LOCK lock)
{
    irql_min(CALLER, "ExAcquireSpinLockSharedAtDpcLevel");
    take(CALLER, lock, READER, "ExAcquireSpinLockSharedAtDpcLevel");
}

VOID ExReleaseSpinLockSharedFromDpcLevel(PEX_SPIN_LOCK lock)
{
    irql_min(CALLER, "ExReleaseSpinLockSharedFromDpcLevel");
    give(CALLER, lock, READER, "ExReleaseSpinLockSharedFromDpcLevel");
}

/* TRUE: the caller was the only one, and has it exclusively now. */
BOOLEAN ExTryConvertSharedSpinLockExclusive(PEX_SPIN_LOCK lock)
{
    struct kit_shared_lock *slot = find(vidmm_kit_thread(), lock);
    LONG one = READER;

    if (slot && slot->step != READER) {
        vidmm_kit_find(CALLER, VIDMM_KIT_LOCK_NOT_HELD,
                       "ExTryConvertSharedSpinLockExclusive: lock %p is held exclusively",
                       (void *)lock);
        return FALSE;
    }
    if (!__atomic_compare_exchange_n(lock, &one, WRITER, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return FALSE;
    if (slot)
        slot->step = WRITER;
    return TRUE;
}
