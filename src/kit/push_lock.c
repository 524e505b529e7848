/* push_lock.c: push locks (any number shared, or one exclusive; a wait blocks), and the forms of
 * rundown protection that count.
 *
 *     EX_PUSH_LOCK   0: free; 1: exclusive; 2 n: n shared
 */
#include "kit/state.h"

/* ---- push locks ---- */

static void acquire(const void *caller, PEX_PUSH_LOCK lock, bool exclusive, const char *routine)
{
    vidmm_kit_irql_max(caller, APC_LEVEL, routine);
    vidmm_kit_lock_dispatcher();
    while (exclusive ? *lock != 0 : (*lock & 1) != 0)
        pthread_cond_wait(&vidmm_kit_kernel.changed, &vidmm_kit_kernel.dispatcher);
    *lock += exclusive ? 1 : 2;
    vidmm_kit_unlock_dispatcher();
}

static void release(const void *caller, PEX_PUSH_LOCK lock, bool exclusive, const char *routine)
{
    vidmm_kit_lock_dispatcher();
    bool held = exclusive ? *lock == 1 : *lock >= 2 && (*lock & 1) == 0;
    if (held)
        *lock -= exclusive ? 1 : 2;
    pthread_cond_broadcast(&vidmm_kit_kernel.changed);
    vidmm_kit_unlock_dispatcher();
    if (!held)
        vidmm_kit_find(caller, VIDMM_KIT_LOCK_NOT_HELD, "%s: %p", routine, (void *)lock);
}

VOID ExInitializePushLock(PEX_PUSH_LOCK lock)
{
    *lock = 0;
}

VOID ExAcquirePushLockExclusive(PEX_PUSH_LOCK lock)
{
    acquire(CALLER, lock, true, "ExAcquirePushLockExclusive");
}

VOID ExReleasePushLockExclusive(PEX_PUSH_LOCK lock)
{
    release(CALLER, lock, true, "ExReleasePushLockExclusive");
}

VOID ExAcquirePushLockShared(PEX_PUSH_LOCK lock)
{
    acquire(CALLER, lock, false, "ExAcquirePushLockShared");
}

VOID ExReleasePushLockShared(PEX_PUSH_LOCK lock)
{
    release(CALLER, lock, false, "ExReleasePushLockShared");
}

/* ---- rundown protection, several at once ---- */

BOOLEAN ExAcquireRundownProtectionEx(PEX_RUNDOWN_REF reference, ULONG count)
{
    IRQL_MAX(DISPATCH_LEVEL);
    vidmm_kit_lock_dispatcher();
    bool open = !(reference->Count & 1);
    if (open)
        reference->Count += 2 * (ULONG_PTR)count;
    vidmm_kit_unlock_dispatcher();
    return open;
}

VOID ExReleaseRundownProtectionEx(PEX_RUNDOWN_REF reference, ULONG count)
{
    IRQL_MAX(DISPATCH_LEVEL);
    vidmm_kit_lock_dispatcher();
    bool held = reference->Count >= 2 * (ULONG_PTR)count;
    if (held)
        reference->Count -= 2 * (ULONG_PTR)count;
    pthread_cond_broadcast(&vidmm_kit_kernel.changed);
    vidmm_kit_unlock_dispatcher();
    if (!held)
        vidmm_kit_find(CALLER, VIDMM_KIT_LOCK_NOT_HELD, "ExReleaseRundownProtectionEx: %p, %u",
                       (void *)reference, count);
}

VOID ExRundownCompleted(PEX_RUNDOWN_REF reference)
{
    IRQL_MAX(APC_LEVEL);
    vidmm_kit_lock_dispatcher();
    reference->Count = 1;
    vidmm_kit_unlock_dispatcher();
}

VOID ExReInitializeRundownProtection(PEX_RUNDOWN_REF reference)
{
    IRQL_MAX(APC_LEVEL);
    vidmm_kit_lock_dispatcher();
    bool over = reference->Count == 1;
    reference->Count = 0;
    vidmm_kit_unlock_dispatcher();
    if (!over)
        vidmm_kit_find(CALLER, VIDMM_KIT_FREED_IN_USE,
                       "ExReInitializeRundownProtection: %p has not run down", (void *)reference);
}
