/* lock_word.c: the word that a lock is.
 *
 * One word says all that a lock depends on. While `address` is known to be right (open) and no DMA
 * buffer names the allocation (busy is 0), a lock is one compare-and-swap. Three things close it:
 *   - a DMA buffer that may bring the allocation into a memory segment, if the backing store was
 *     open
 *   - the engine's claim, before a place in a memory segment changes. If locks are held, the
 *     allocation's window is closed and the word marked as followed: the address stays, whoever
 *     touches it waits, and the window opens where the content has come to
 * From WDDM 2.0 on nobody is told what commands name, so nothing is ever busy (S2-001); the engine
 * claims the backing store too, before a memory segment gets what it holds.
 *
 * Otherwise the lock asks the engine, which answers when nothing is in the way.
 *
 * Source: D3DDDICB_LOCK; rules S0-004, D-147, D-160.
 */
#include "vidmm/client/lock_word.h"

#include <vidmm/plan.h>
#include <vidmm/test_fault.h>
#include <wddm/ntstatus.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/cache.h"
#include "vidmm/object/device.h"
#include "vidmm/object/lock_word.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/window.h"

#include "base/assert.h"

/* Close it if nobody uses it, and change nothing otherwise but that it was asked. */
static uint32_t peek(struct vidmm_allocation *allocation)
{
    uint64_t word = atomic_load(&allocation->word), next;

    do {
        if ((word & WORD_LOCKS) != 0)
            return VIDMM_CLAIM_REFUSED;
        next = (word & WORD_USED) != 0 ? word & ~WORD_USED
                                       : word & ~(WORD_OPEN_SEGMENT | WORD_OPEN_BACKING);
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next));
    return (word & WORD_USED) != 0 ? VIDMM_CLAIM_USED : VIDMM_CLAIM_GRANTED;
}

/* Whether an address stays while its pages change, which a test may forbid. */
static bool may_follow(const struct vidmm_allocation *allocation)
{
    return (atomic_load(&allocation->adapter->faults) & VIDMM_TEST_NO_VA_ROTATION) == 0;
}

bool vidmm_lock_word_stays_open(const struct vidmm_allocation *allocation)
{
    return (atomic_load(&allocation->adapter->faults) & VIDMM_TEST_COMPLEX_LOCK) == 0;
}

uint32_t vidmm_lock_word_claim(struct vidmm_allocation *allocation, bool stays, bool peeks)
{
    uint64_t open =
        allocation->untracked ? WORD_OPEN_SEGMENT | WORD_OPEN_BACKING : WORD_OPEN_SEGMENT;
    uint64_t word = atomic_load(&allocation->word), next;
    bool closed = false;

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    VIDMM_ASSERT(!allocation->original);
    if (peeks)
        return peek(allocation);
    do {
        next = word & ~open;
        if ((word & WORD_LOCKS) != 0) { /* closed, then marked: later locks find it closed */
            closed =
                closed || (!stays && may_follow(allocation) && vidmm_window_try_close(allocation));
            next = closed ? next | WORD_FOLLOWED : word | WORD_WANTED;
        }
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next));
    if ((word & WORD_LOCKS) == 0)
        return VIDMM_CLAIM_GRANTED;
    return closed ? VIDMM_CLAIM_FOLLOWS : VIDMM_CLAIM_REFUSED;
}

void vidmm_lock_shown(struct vidmm_allocation *allocation, struct vidmm_place place, uint32_t range,
                      bool alternate)
{
    uint64_t open = range != 0 || alternate ? 0
                    : place.segment != 0    ? WORD_OPEN_SEGMENT
                                            : WORD_OPEN_BACKING;
    uint64_t word, next;
    bool shown;

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    VIDMM_ASSERT(place.segment <= allocation->adapter->segment_count);
    if (alternate && !allocation->by_alternate)
        return; /* unlocked meanwhile: nobody looks at those pages any more */
    if (place.segment == 0 && !alternate)
        vidmm_cache_take(allocation); /* before anybody looks */
    shown = vidmm_window_open(allocation, place, range);
    VIDMM_ASSERT(shown); /* it was reserved when the window was closed */
    (void)shown;
    word = atomic_load(&allocation->word);
    do {
        bool leaves =
            place.segment == 0 && (word & WORD_BUSY) != 0; /* for a memory segment, maybe */

        leaves |= allocation->device->status == STATUS_DEVICE_REMOVED; /* obeys D-244 */
        leaves |= !vidmm_lock_word_stays_open(allocation);
        next = (word & ~WORD_FOLLOWED) | (leaves ? 0 : open);
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next));
}

void vidmm_lock_close(struct vidmm_device *device)
{
    struct vidmm_allocation *allocation;

    VIDMM_ASSERT(vidmm_adapter_is_locked(device->adapter));
    for (allocation = device->allocations; allocation; allocation = allocation->next)
        atomic_fetch_and(&allocation->word, ~(WORD_OPEN_SEGMENT | WORD_OPEN_BACKING));
}

void vidmm_lock_abandon(struct vidmm_adapter *adapter)
{
    struct vidmm_device *device;
    struct vidmm_allocation *allocation;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    for (device = adapter->devices; device; device = device->next) {
        for (allocation = device->allocations; allocation; allocation = allocation->next) {
            if ((atomic_load(&allocation->word) & WORD_FOLLOWED) != 0) {
                vidmm_lock_shown(allocation, (struct vidmm_place){0, 0, 0}, 0,
                                 allocation->by_alternate);
            }
        }
    }
}

bool vidmm_lock_word_close(struct vidmm_allocation *allocation)
{
    uint64_t word = atomic_load(&allocation->word);

    VIDMM_ASSERT(!allocation->original);
    do {
        if ((word & WORD_LOCKS) != 0)
            return false;
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, word & ~WORD_RIGHT));
    return true;
}

bool vidmm_lock_word_use(struct vidmm_allocation *allocation, bool write, bool *locked)
{
    bool aperture = write ? allocation->aperture_written : allocation->aperture_read;
    uint64_t word = atomic_load(&allocation->word), next;

    VIDMM_ASSERT(!allocation->original && !allocation->context_allocation);
    *locked = false;
    if (allocation->untracked)
        return true; /* obeys S2-001: nor are its caches flushed (S2-029) */
    do {
        *locked = allocation->local && (word & WORD_LOCKS) != 0;
        if (*locked && (!aperture || (word & WORD_ALTERNATE) != 0))
            return false; /* obeys D-160: an aperture shows the backing store */
        next = word + WORD_BUSY_ONE;
        if (allocation->local || (write && allocation->bridged)) /* the next lock asks */
            next &= ~WORD_OPEN_BACKING;
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next));
    vidmm_cache_give(allocation, write);
    return true;
}

void vidmm_lock_word_unuse(struct vidmm_allocation *allocation)
{
    if (allocation->untracked)
        return;
    VIDMM_ASSERT((atomic_load(&allocation->word) & WORD_BUSY) != 0);
    atomic_fetch_sub(&allocation->word, WORD_BUSY_ONE);
}
