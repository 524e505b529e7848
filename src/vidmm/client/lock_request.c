/* lock_request.c: locks that the engine is asked for: it answers when nothing is in the way, and
 * then the word is opened.
 *
 * Source: D3DDDICB_LOCK, D3DKMTLock; rules D-148, D-150, D-156, D-160.
 */
#include "vidmm/client/lock_request.h"

#include <vidmm/lock.h>
#include <vidmm/plan.h>
#include <vidmm/test_fault.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/lock_word.h"
#include "vidmm/client/unlock.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/cache.h"
#include "vidmm/object/lock_word.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/window.h"
#include "vidmm/pump/ask.h"

#include "base/assert.h"
#include "vidmm/pump/grant.h"

/* Count the lock and mark the word open, unless a thread is about to render from the allocation: it
 * has seen no lock and must not see one now (D-160, C2). If the engine knows of that use, the lock
 * is apart from it: the backing store, whose next lock has to ask again. */
static NTSTATUS take_word(const struct vidmm_request *request, uint64_t open)
{
    struct vidmm_allocation *allocation = request->allocation;
    uint64_t word = atomic_load(&allocation->word), next;
    uint32_t flags = request->flags;

    VIDMM_ASSERT(!allocation->original && (open & ~(WORD_OPEN_SEGMENT | WORD_OPEN_BACKING)) == 0);
    do {
        bool asks = (allocation->local || allocation->incoherent || allocation->bridged) &&
                    !allocation->untracked;
        uint64_t own = request->aperture ? WORD_BUSY_ONE : 0; /* begin_to_fetch() */
        bool busy = asks && (word & WORD_BUSY) > own;

        if (busy && (flags & VIDMM_GRANT_APART) == 0)
            return STATUS_GRAPHICS_ALLOCATION_BUSY;
        if ((word & WORD_LOCKS) == WORD_LOCKS)
            return STATUS_GRAPHICS_TOO_MANY_REFERENCES;
        if ((word & WORD_LOCKS) != 0 && (request->aperture || (word & WORD_APERTURE) != 0))
            return STATUS_INVALID_PARAMETER;                    /* obeys D-156 */
        next = word & ~(WORD_FOLLOWED | WORD_COPY | WORD_USED); /* the engine knows of this one */
        next |= request->aperture ? WORD_APERTURE : 0;
        if ((flags & VIDMM_GRANT_RANGED) != 0) /* the engine forgets the place at its unlock */
            next = (next & ~(WORD_OPEN_SEGMENT | WORD_OPEN_BACKING)) | WORD_RANGED;
        next |= (flags & VIDMM_GRANT_ALTERNATE) != 0 ? WORD_ALTERNATE : 0;
        next |= busy || (allocation->untracked && (flags & VIDMM_GRANT_COPY) != 0) ? 0 : open;
        next |= (flags & (VIDMM_GRANT_APART | VIDMM_GRANT_STAGED)) != 0 ? WORD_WANTED : 0;
        next |= (flags & VIDMM_GRANT_COPY) != 0 ? WORD_COPY : 0;
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next + 1));
    return STATUS_SUCCESS;
}

/* Whether a test keeps the allocation from getting an address, which it never had. */
static bool is_kept_unmapped(const struct vidmm_allocation *allocation)
{
    return (atomic_load(&allocation->adapter->faults) & VIDMM_TEST_NO_USER_MODE_MAPPING) != 0 &&
           !allocation->window && !allocation->backing.address;
}

/* The engine has granted a lock: find the address, then open the word. The mutex is held. */
static NTSTATUS open_word(const struct vidmm_request *request)
{
    struct vidmm_allocation *allocation = request->allocation;
    struct vidmm_place place = request->place;
    uint64_t open = place.segment != 0 ? WORD_OPEN_SEGMENT : WORD_OPEN_BACKING;

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    VIDMM_ASSERT(request->granted);
    if ((atomic_load(&allocation->word) & WORD_LOCKS) == 0)
        allocation->by_alternate = (request->flags & VIDMM_GRANT_ALTERNATE) != 0;
    else if ((atomic_load(&allocation->word) & WORD_APERTURE) != 0)
        return STATUS_INVALID_PARAMETER; /* obeys D-156 */
    if (is_kept_unmapped(allocation))
        return STATUS_NO_MEMORY;
    if (allocation->windowed || allocation->by_alternate) {
        if (!vidmm_window_open(allocation, place, request->range))
            return STATUS_NO_MEMORY;
        allocation->address = vidmm_window_address(allocation);
    } else {
        if (!vidmm_backing_map(&allocation->backing, allocation->adapter->host))
            return STATUS_NO_MEMORY;
        allocation->address = allocation->backing.address;
    }
    if (place.segment == 0 && request->done)
        vidmm_cache_take(allocation);
    return take_word(request, request->range != 0 || !request->done ||
                                      !vidmm_lock_word_stays_open(allocation)
                                  ? 0
                                  : open);
}

/* The pages of a lock that was taken have been cleared: others may see them too, unless there may
 * be a copy, or the content has been on its way since (D-147). The mutex is held. */
static void open_taken(const struct vidmm_request *request)
{
    struct vidmm_allocation *allocation = request->allocation;
    uint64_t word = atomic_load(&allocation->word);

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    VIDMM_ASSERT(request->done && allocation->untracked);
    vidmm_cache_take(allocation);
    if ((request->flags & VIDMM_GRANT_COPY) != 0 || !vidmm_lock_word_stays_open(allocation))
        return; /* each lock asks, as take_word() has it */
    while ((word & WORD_RIGHT) == 0 &&
           !atomic_compare_exchange_weak(&allocation->word, &word, word | WORD_OPEN_BACKING)) {
    }
}

static bool waits(uint32_t flags)
{
    return (flags & VIDMM_LOCK_DONOT_WAIT) == 0 ||
           (flags & VIDMM_LOCK_DISCARD) != 0; /* obeys D-148 */
}

static uint32_t locking_flags(uint32_t flags)
{
    bool counts =
        (flags & VIDMM_LOCK_DONOT_WAIT) != 0 && (flags & VIDMM_LOCK_DISCARD) == 0; /* obeys D-150 */

    if ((flags & VIDMM_LOCK_BY_LOCK2) != 0)
        return VIDMM_LOCKING_LOCK2;
    return ((flags & VIDMM_LOCK_IGNORE_READ_SYNC) != 0 ? VIDMM_LOCKING_IGNORE_READS : 0) |
           ((flags & VIDMM_LOCK_IGNORE_SYNC) != 0 && counts ? VIDMM_LOCKING_IGNORE_ALL : 0) |
           ((flags & VIDMM_LOCK_ACQUIRE_APERTURE) != 0 ? VIDMM_LOCKING_APERTURE : 0) |
           ((flags & VIDMM_LOCK_USE_ALTERNATE_VA) != 0 ? VIDMM_LOCKING_ALTERNATE : 0) |
           ((flags & VIDMM_LOCK_DONOT_EVICT) != 0 ? VIDMM_LOCKING_DONOT_EVICT : 0);
}

/* A lock with AcquireAperture may bring the content into a memory segment. So it uses the
 * allocation meanwhile, as a DMA buffer does: no lock passes by the engine, nor is one taken.
 * False: it is locked. */
static bool begin_to_fetch(struct vidmm_allocation *allocation)
{
    uint64_t word = atomic_load(&allocation->word);

    VIDMM_ASSERT(!allocation->original);
    do {
        if ((word & WORD_LOCKS) != 0)
            return false; /* obeys D-156 */
    } while (!atomic_compare_exchange_weak(&allocation->word, &word,
                                           (word + WORD_BUSY_ONE) & ~WORD_OPEN_BACKING));
    return true;
}

static void end_to_fetch(struct vidmm_allocation *allocation)
{
    vidmm_lock_word_unuse(allocation);
    allocation->adapter->host->wake(allocation->adapter->host->context);
}

static NTSTATUS ask_engine(struct vidmm_allocation *allocation, uint32_t flags, uint32_t data)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    struct vidmm_event event = {.kind = VIDMM_EVENT_LOCK};
    struct vidmm_request request = {
        .allocation = allocation,
        .aperture = (flags & VIDMM_LOCK_ACQUIRE_APERTURE) != 0,
    };
    NTSTATUS status;

    VIDMM_ASSERT(!allocation->original && allocation->id != 0);
    event.lock.allocation = allocation->id;
    event.lock.wait = waits(flags);
    event.lock.flags = locking_flags(flags);
    event.lock.data = data;
    if (request.aperture && !begin_to_fetch(allocation))
        return STATUS_INVALID_PARAMETER;
    status = vidmm_request_ask(adapter, &event, &event.lock.request, &request);
    if (request.aperture)
        end_to_fetch(allocation);
    if (status != STATUS_SUCCESS && request.taken) /* the adapter has stopped */
        atomic_fetch_sub(&allocation->word, 1);
    if (status != STATUS_SUCCESS &&
        (request.flags & (VIDMM_GRANT_APART | VIDMM_GRANT_RANGED | VIDMM_GRANT_STAGED)) != 0)
        vidmm_unlock_tell(allocation); /* granted, and not taken */
    return status;
}

static bool is_out_of_use(void *argument)
{
    struct vidmm_allocation *allocation = argument;
    bool stopped;

    vidmm_adapter_lock(allocation->adapter);
    stopped = allocation->adapter->stopped;
    vidmm_adapter_unlock(allocation->adapter);
    return stopped || (atomic_load(&allocation->word) & WORD_BUSY) == 0;
}

static NTSTATUS lock_by_engine(struct vidmm_allocation *allocation, uint32_t flags, uint32_t data)
{
    const struct vidmm_host *host = allocation->adapter->host;
    NTSTATUS status = ask_engine(allocation, flags, data);

    while (status == STATUS_GRAPHICS_ALLOCATION_BUSY && waits(flags)) { /* take_word() said so */
        if (!host->wait(host->context, is_out_of_use, allocation, UINT64_MAX))
            return STATUS_TIMEOUT;
        status = ask_engine(allocation, flags, data);
    }
    return status;
}

void vidmm_lock_granted(struct vidmm_request *request)
{
    VIDMM_ASSERT(request->granted);
    if (!request->allocation || request->status != STATUS_SUCCESS)
        return;
    if (request->taken) {
        open_taken(request);
        return;
    }
    if (!request->done && !request->allocation->untracked)
        return; /* when its pages are clear: nobody claims backing store, uses may come first */
    request->status = open_word(request);
    request->taken = request->status == STATUS_SUCCESS;
}

const char *vidmm_lock_why_not(const struct vidmm_allocation *allocation, NTSTATUS status)
{
    if (status == STATUS_INVALID_PARAMETER && atomic_load(&allocation->offered))
        return "it is offered, and not reclaimed (D-155)";
    switch (status) {
    case STATUS_GRAPHICS_ALLOCATION_BUSY:
        return "DonotWait, and the GPU or a move is not done with it (D-148)";
    case STATUS_DEVICE_REMOVED:
        return "its device is removed (D-244)";
    case STATUS_GRAPHICS_TOO_MANY_REFERENCES:
        return "it is locked 65535 times, which is the most";
    case STATUS_GRAPHICS_CANT_LOCK_MEMORY:
        return allocation->untracked
                   ? "it would have to leave its segment, and has no aperture or may not (S2-017, "
                     "S2-020, D-152)"
                   : "DonotEvict, and it would have to leave its segment (D-152)";
    case STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION:
        return "it is pinned where the CPU cannot see it (D-158)";
    case STATUS_GRAPHICS_NO_VIDEO_MEMORY:
        return "it has to be in a memory segment for this lock, and there is no room";
    case STATUS_TIMEOUT:
        return "it did not come, and cannot";
    default:
        return "the lock cannot be had";
    }
}

NTSTATUS vidmm_lock_one(struct vidmm_allocation *allocation, uint32_t flags)
{
    return vidmm_lock_word_lock(allocation) ? STATUS_SUCCESS : lock_by_engine(allocation, flags, 0);
}

NTSTATUS vidmm_lock_set_up(struct vidmm_allocation *allocation)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_LOCK};
    struct vidmm_request request = {0};

    event.lock.allocation = allocation->id;
    event.lock.wait = 1;
    event.lock.flags = VIDMM_LOCKING_APERTURE | VIDMM_LOCKING_ALTERNATE | VIDMM_LOCKING_SET_UP;
    return vidmm_request_ask(allocation->adapter, &event, &event.lock.request, &request);
}

NTSTATUS vidmm_lock_by_aperture(struct vidmm_allocation *allocation, uint32_t flags, uint32_t data)
{
    return lock_by_engine(allocation, flags, data);
}
