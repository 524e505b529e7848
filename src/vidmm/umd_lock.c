/* umd_lock.c: Lock and Unlock.
 *
 *     51         50         43        42      41            40            39..16   15..0
 *     GPU wrote  CPU wrote  followed  wanted  open segment  open backing  busy     locks
 *
 * One word says all that a lock depends on. While `address` is known to be right (open) and no DMA
 * buffer names the allocation (busy is 0), a lock is one compare-and-swap. What closes it:
 *   - a DMA buffer that may bring the allocation into a memory segment, if the backing store was open
 *   - the engine's claim, before a place in a memory segment changes. If locks are held, the
 *     allocation's window is closed and the word marked as followed: the address stays, whoever
 *     touches it waits, and the window opens where the content has come to
 * Otherwise the lock asks the engine, which answers when nothing is in the way.
 *
 * Source: D3DDDICB_LOCK, D3DKMTLock; rules S0-004, D-147, D-148, D-160.
 */
#include "adapter_state.h"

/* Any of these: `address` is right. */
#define WORD_RIGHT (WORD_OPEN_BACKING | WORD_OPEN_SEGMENT | WORD_FOLLOWED)

/* One more lock without asking. False: ask. */
static bool lock_at_once(struct vidmm_allocation *allocation)
{
    uint64_t word = atomic_load(&allocation->word);

    while ((word & WORD_RIGHT) != 0 && (word & WORD_BUSY) == 0 &&
           (word & WORD_LOCKS) != WORD_LOCKS) {
        if (atomic_compare_exchange_weak(&allocation->word, &word, word + 1)) {
            return true;
        }
    }
    return false;
}

/* Count the lock and mark the word open, unless a thread is about to render from the allocation: it has
 * seen no lock and must not see one now (D-160, C2). */
static NTSTATUS take_word(struct vidmm_allocation *allocation, uint64_t open)
{
    uint64_t word = atomic_load(&allocation->word);

    do {
        if ((allocation->local || allocation->incoherent) && (word & WORD_BUSY) != 0) {
            return STATUS_GRAPHICS_ALLOCATION_BUSY;
        }
    } while (!atomic_compare_exchange_weak(&allocation->word, &word,
                                           ((word & ~WORD_FOLLOWED) | open) + 1));
    return STATUS_SUCCESS;
}

/* The engine has granted a lock: find the address, then open the word. The mutex is held. */
static NTSTATUS open_word(struct vidmm_allocation *allocation, struct vidmm_place place)
{
    if (allocation->windowed) {
        if (!vidmm_window_open(allocation, place)) {
            return STATUS_NO_MEMORY;
        }
        allocation->address = allocation->window.address;
    } else {
        if (!vidmm_backing_map(&allocation->backing, allocation->adapter->host)) {
            return STATUS_NO_MEMORY;
        }
        allocation->address = allocation->backing.address;
    }
    if (place.segment == 0) {
        vidmm_cache_take(allocation);
    }
    return take_word(allocation, place.segment != 0 ? WORD_OPEN_SEGMENT : WORD_OPEN_BACKING);
}

static NTSTATUS ask_engine(struct vidmm_allocation *allocation, bool wait)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    struct vidmm_event event = {.kind = VIDMM_EVENT_LOCK};
    struct vidmm_request request;
    NTSTATUS status;

    vidmm_adapter_lock(adapter);
    if (adapter->stopped) {
        vidmm_adapter_unlock(adapter);
        return STATUS_DEVICE_REMOVED;
    }
    vidmm_request_begin(adapter, &request);
    request.allocation = allocation;
    event.lock.request = request.id;
    event.lock.allocation = allocation->id;
    event.lock.wait = wait;
    status = vidmm_pump_step(adapter, &event);
    vidmm_adapter_unlock(adapter);
    if (status == STATUS_SUCCESS) {
        status = vidmm_request_wait(adapter, &request);
    }
    vidmm_adapter_lock(adapter);
    vidmm_request_end(adapter, &request);
    vidmm_adapter_unlock(adapter);
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

static NTSTATUS lock_by_engine(struct vidmm_allocation *allocation, bool wait)
{
    const struct vidmm_host *host = allocation->adapter->host;
    NTSTATUS status = ask_engine(allocation, wait);

    while (status == STATUS_GRAPHICS_ALLOCATION_BUSY && wait) { /* take_word() said so */
        if (!host->wait(host->context, is_out_of_use, allocation, UINT64_MAX)) {
            return STATUS_TIMEOUT;
        }
        status = ask_engine(allocation, wait);
    }
    return status;
}

void vidmm_lock_granted(struct vidmm_request *request)
{
    if (request->allocation && request->status == STATUS_SUCCESS) {
        request->status = open_word(request->allocation, request->place);
    }
}

/* obeys S0-006, D-383: of a shared one, the process that created it, and all of a primary's */
static bool may_lock(const struct vidmm_allocation *allocation)
{
    const struct vidmm_resource *resource = allocation->resource;

    return !allocation->original || resource->original->primary ||
           resource->original->process == resource->process;
}

NTSTATUS vidmm_lock(struct vidmm_allocation *opened, uint32_t flags, void **data)
{
    struct vidmm_allocation *allocation = vidmm_original(opened);
    DXGK_ALLOCATIONINFOFLAGS allocation_flags = {.Value = allocation->flags};
    NTSTATUS status = STATUS_SUCCESS;

    if ((flags & ~VIDMM_LOCK_DONOT_WAIT) != 0 || !allocation_flags.CpuVisible ||
        allocation_flags.Protected || !may_lock(opened)) {
        return STATUS_INVALID_PARAMETER; /* obeys S0-004, S0-026 */
    }
    if (opened->original && vidmm_device_condition(opened->device, NULL) != STATUS_SUCCESS) {
        return STATUS_DEVICE_REMOVED; /* obeys D-244 */
    }
    if (!lock_at_once(allocation)) {
        status = lock_by_engine(allocation, (flags & VIDMM_LOCK_DONOT_WAIT) == 0);
    }
    if (status == STATUS_SUCCESS) {
        *data = allocation->address;
    }
    return status;
}

NTSTATUS vidmm_unlock(struct vidmm_allocation *opened)
{
    struct vidmm_allocation *allocation = vidmm_original(opened);
    uint64_t word = atomic_load(&allocation->word), next;

    do {
        if ((word & WORD_LOCKS) == 0) {
            return STATUS_INVALID_PARAMETER;
        }
        next = word - 1;
        if (allocation->incoherent) {
            next |= WORD_CPU_WROTE;
        }
        if ((next & WORD_LOCKS) == 0) {
            next &= ~WORD_WANTED;
        }
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next));
    if ((word & WORD_WANTED) != 0 && (next & WORD_LOCKS) == 0) {
        struct vidmm_event event = {.kind = VIDMM_EVENT_UNLOCK};

        event.unlock.allocation = allocation->id;
        vidmm_pump_event(allocation->adapter, &event);
    }
    return STATUS_SUCCESS;
}

uint32_t vidmm_lock_word_claim(struct vidmm_allocation *allocation)
{
    uint64_t word = atomic_load(&allocation->word), next;
    bool closed = false;

    do {
        next = word & ~WORD_OPEN_SEGMENT;
        if ((word & WORD_LOCKS) != 0) { /* closed, then marked: who comes later finds it closed */
            closed = closed || vidmm_window_try_close(allocation);
            next = closed ? next | WORD_FOLLOWED : word | WORD_WANTED;
        }
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next));
    if ((word & WORD_LOCKS) == 0) {
        return VIDMM_CLAIM_GRANTED;
    }
    return closed ? VIDMM_CLAIM_FOLLOWS : VIDMM_CLAIM_REFUSED;
}

void vidmm_lock_shown(struct vidmm_allocation *allocation, struct vidmm_place place)
{
    uint64_t open = place.segment != 0 ? WORD_OPEN_SEGMENT : WORD_OPEN_BACKING;
    uint64_t word, next;
    bool shown;

    if (place.segment == 0) {
        vidmm_cache_take(allocation); /* before anybody looks */
    }
    shown = vidmm_window_open(allocation, place);
    VIDMM_ASSERT(shown); /* it was reserved when the window was closed */
    (void)shown;
    word = atomic_load(&allocation->word);
    do {
        bool leaves = place.segment == 0 && (word & WORD_BUSY) != 0; /* for a memory segment, maybe */

        leaves |= allocation->device->status == STATUS_DEVICE_REMOVED; /* obeys D-244 */
        next = (word & ~WORD_FOLLOWED) | (leaves ? 0 : open);
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next));
}

void vidmm_lock_close(struct vidmm_device *device)
{
    struct vidmm_allocation *allocation;

    for (allocation = device->allocations; allocation; allocation = allocation->next) {
        atomic_fetch_and(&allocation->word, ~(WORD_OPEN_SEGMENT | WORD_OPEN_BACKING));
    }
}

void vidmm_lock_abandon(struct vidmm_adapter *adapter)
{
    struct vidmm_device *device;
    struct vidmm_allocation *allocation;

    for (device = adapter->devices; device; device = device->next) {
        for (allocation = device->allocations; allocation; allocation = allocation->next) {
            if ((atomic_load(&allocation->word) & WORD_FOLLOWED) != 0) {
                vidmm_lock_shown(allocation, (struct vidmm_place){0, 0, 0});
            }
        }
    }
}

bool vidmm_lock_word_use(struct vidmm_allocation *allocation, bool write, bool *locked)
{
    bool aperture = write ? allocation->aperture_written : allocation->aperture_read;
    uint64_t word = atomic_load(&allocation->word), next;

    do {
        *locked = allocation->local && (word & WORD_LOCKS) != 0;
        if (*locked && !aperture) {
            return false; /* obeys D-160 */
        }
        next = word + WORD_BUSY_ONE;
        if (allocation->local) {
            next &= ~WORD_OPEN_BACKING;
        }
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next));
    vidmm_cache_give(allocation, write);
    return true;
}

void vidmm_lock_word_unuse(struct vidmm_allocation *allocation)
{
    atomic_fetch_sub(&allocation->word, WORD_BUSY_ONE);
}
