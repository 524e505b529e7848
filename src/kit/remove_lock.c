/* remove_lock.c: remove locks: a device is not removed while a routine uses it.
 *
 *     Acquire, Release    one use each, under a tag, any level up to DISPATCH_LEVEL
 *     ReleaseAndWait      no use begins any more; waits for those there are
 *
 * Holders are remembered by tag, as in the debug version of Windows: a release under a tag that
 * nobody acquired with is found.
 *
 * Source: "Using Remove Locks", IoInitializeRemoveLock and its kin.
 */
#include "kit/state.h"

/* Under dispatcher: forget one use. */
static bool forget(PIO_REMOVE_LOCK lock, PVOID tag)
{
    for (ULONG i = 0; i < lock->KitUses && i < RTL_NUMBER_OF(lock->KitTags); i++)
        if (lock->KitTags[i] == tag) {
            ULONG last = lock->KitUses - 1;
            lock->KitTags[i] = last < RTL_NUMBER_OF(lock->KitTags) ? lock->KitTags[last] : NULL;
            lock->KitUses--;
            return true;
        }
    if (lock->KitUses <= RTL_NUMBER_OF(lock->KitTags))
        return false;
    lock->KitUses--; /* one of those whose tag had no room */
    return true;
}

static bool usable(const void *caller, const IO_REMOVE_LOCK *lock, const char *routine)
{
    bool made = lock->KitMade == KIT_REMOVE_LOCK_MADE;

    if (!made)
        vidmm_kit_find(caller, VIDMM_KIT_NOT_INITIALIZED, "%s: remove lock %p", routine,
                       (const void *)lock);
    return made;
}

VOID IoInitializeRemoveLock(PIO_REMOVE_LOCK lock, ULONG tag, ULONG minutes, ULONG high)
{
    (void)tag, (void)minutes, (void)high;
    IRQL_MAX(PASSIVE_LEVEL);
    *lock = (IO_REMOVE_LOCK){.KitMade = KIT_REMOVE_LOCK_MADE};
}

NTSTATUS IoAcquireRemoveLock(PIO_REMOVE_LOCK lock, PVOID tag)
{
    IRQL_MAX(DISPATCH_LEVEL);
    if (!usable(CALLER, lock, __func__))
        return STATUS_DELETE_PENDING;
    vidmm_kit_lock_dispatcher();
    bool removed = lock->KitRemoved;
    if (!removed) {
        if (lock->KitUses < RTL_NUMBER_OF(lock->KitTags))
            lock->KitTags[lock->KitUses] = tag;
        lock->KitUses++;
    }
    vidmm_kit_unlock_dispatcher();
    return removed ? STATUS_DELETE_PENDING : STATUS_SUCCESS;
}

static bool release(const void *caller, PIO_REMOVE_LOCK lock, PVOID tag, const char *routine)
{
    vidmm_kit_lock_dispatcher();
    bool held = forget(lock, tag);
    pthread_cond_broadcast(&vidmm_kit_kernel.changed);
    vidmm_kit_unlock_dispatcher();
    if (!held)
        vidmm_kit_find(caller, VIDMM_KIT_LOCK_NOT_HELD, "%s: %p, tag %p", routine, (void *)lock,
                       tag);
    return held;
}

VOID IoReleaseRemoveLock(PIO_REMOVE_LOCK lock, PVOID tag)
{
    IRQL_MAX(DISPATCH_LEVEL);
    if (usable(CALLER, lock, __func__))
        release(CALLER, lock, tag, __func__);
}

VOID IoReleaseRemoveLockAndWait(PIO_REMOVE_LOCK lock, PVOID tag)
{
    IRQL_MAX(PASSIVE_LEVEL);
    if (!usable(CALLER, lock, __func__))
        return;
    vidmm_kit_lock_dispatcher();
    lock->KitRemoved = TRUE;
    vidmm_kit_unlock_dispatcher();
    release(CALLER, lock, tag, __func__);
    vidmm_kit_lock_dispatcher();
    while (lock->KitUses > 0)
        pthread_cond_wait(&vidmm_kit_kernel.changed, &vidmm_kit_kernel.dispatcher);
    vidmm_kit_unlock_dispatcher();
}
