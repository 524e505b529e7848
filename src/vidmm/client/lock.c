/* lock.c: Lock and Unlock.
 *
 *     53, 52              51 50 44 43 42 41 40 39..16 15..0
 *     ranged, aperture    GPU wrote CPU wrote copy followed wanted open segment open backing busy
 *                         locks
 *
 * One word says all that a lock depends on. While `address` is known to be right (open) and no DMA
 * buffer names the allocation (busy is 0), a lock is one compare-and-swap. What closes it:
 *   - a DMA buffer that may bring the allocation into a memory segment, if the backing store was
 *     open
 *   - the engine's claim, before a place in a memory segment changes. If locks are held, the
 *     allocation's window is closed and the word marked as followed: the address stays, whoever
 *     touches it waits, and the window opens where the content has come to
 * Otherwise the lock asks the engine, which answers when nothing is in the way.
 *
 * What is always locked in its backing store may have a copy in a memory segment. Then the pages
 * that locks may have written are noted, and the last unlock has them refreshed before it is one
 * (S0-013).
 *
 * Source: D3DDDICB_LOCK, D3DKMTLock; rules S0-004, D-147, D-148, D-160.
 */
#include "vidmm/object/adapter.h"

/* Any of these: `address` is right. */
#define WORD_RIGHT (WORD_OPEN_BACKING | WORD_OPEN_SEGMENT | WORD_FOLLOWED)

/* One more lock without asking. False: ask. */
static bool lock_at_once(struct vidmm_allocation *allocation)
{
    uint64_t word = atomic_load(&allocation->word);

    while ((word & WORD_RIGHT) != 0 && (word & (WORD_BUSY | WORD_APERTURE)) == 0 &&
           (word & WORD_LOCKS) != WORD_LOCKS)
        if (atomic_compare_exchange_weak(&allocation->word, &word, word + 1))
            return true;
    return false;
}

/* Count the lock and mark the word open, unless a thread is about to render from the allocation: it
 * has seen no lock and must not see one now (D-160, C2). If the engine knows of that use, the lock
 * is apart from it: the backing store, whose next lock has to ask again. */
static NTSTATUS take_word(const struct vidmm_request *request, uint64_t open)
{
    struct vidmm_allocation *allocation = request->allocation;
    uint64_t word = atomic_load(&allocation->word), next;
    uint32_t flags = request->flags;

    do {
        bool asks = allocation->local || allocation->incoherent || allocation->bridged;
        bool busy = asks && (word & WORD_BUSY) != 0;

        if (busy && (flags & VIDMM_GRANT_APART) == 0)
            return STATUS_GRAPHICS_ALLOCATION_BUSY;
        if ((word & WORD_LOCKS) != 0 && (request->aperture || (word & WORD_APERTURE) != 0))
            return STATUS_INVALID_PARAMETER; /* obeys D-156 */
        next = word & ~(WORD_FOLLOWED | WORD_COPY);
        next |= request->aperture ? WORD_APERTURE : 0;
        if ((flags & VIDMM_GRANT_RANGED) != 0) /* the engine forgets the place at its unlock */
            next = (next & ~(WORD_OPEN_SEGMENT | WORD_OPEN_BACKING)) | WORD_RANGED;
        next |= (flags & VIDMM_GRANT_ALTERNATE) != 0 ? WORD_ALTERNATE : 0;
        next |= busy ? 0 : open;
        next |= (flags & VIDMM_GRANT_APART) != 0 ? WORD_WANTED : 0;
        next |= (flags & VIDMM_GRANT_COPY) != 0 ? WORD_COPY : 0;
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next + 1));
    return STATUS_SUCCESS;
}

/* The engine has granted a lock: find the address, then open the word. The mutex is held. */
static NTSTATUS open_word(const struct vidmm_request *request)
{
    struct vidmm_allocation *allocation = request->allocation;
    struct vidmm_place place = request->place;
    uint64_t open = place.segment != 0 ? WORD_OPEN_SEGMENT : WORD_OPEN_BACKING;

    if ((atomic_load(&allocation->word) & WORD_LOCKS) == 0)
        allocation->by_alternate = (request->flags & VIDMM_GRANT_ALTERNATE) != 0;
    else if ((atomic_load(&allocation->word) & WORD_APERTURE) != 0)
        return STATUS_INVALID_PARAMETER; /* obeys D-156 */
    if (allocation->windowed || allocation->by_alternate) {
        if (!vidmm_window_open(allocation, place, request->range))
            return STATUS_NO_MEMORY;
        allocation->address = vidmm_window_address(allocation);
    } else {
        if (!vidmm_backing_map(&allocation->backing, allocation->adapter->host))
            return STATUS_NO_MEMORY;
        allocation->address = allocation->backing.address;
    }
    if (place.segment == 0)
        vidmm_cache_take(allocation);
    return take_word(request, request->range != 0 ? 0 : open);
}

static void tell_unlocked(struct vidmm_allocation *allocation)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_UNLOCK};

    event.unlock.allocation = allocation->id;
    vidmm_pump_event(allocation->adapter, &event);
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

    return ((flags & VIDMM_LOCK_IGNORE_READ_SYNC) != 0 ? VIDMM_LOCKING_IGNORE_READS : 0) |
           ((flags & VIDMM_LOCK_IGNORE_SYNC) != 0 && counts ? VIDMM_LOCKING_IGNORE_ALL : 0) |
           ((flags & VIDMM_LOCK_ACQUIRE_APERTURE) != 0 ? VIDMM_LOCKING_APERTURE : 0) |
           ((flags & VIDMM_LOCK_USE_ALTERNATE_VA) != 0 ? VIDMM_LOCKING_ALTERNATE : 0) |
           ((flags & VIDMM_LOCK_DONOT_EVICT) != 0 ? VIDMM_LOCKING_DONOT_EVICT : 0);
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

    event.lock.allocation = allocation->id;
    event.lock.wait = waits(flags);
    event.lock.flags = locking_flags(flags);
    event.lock.data = data;
    status = vidmm_request_ask(adapter, &event, &event.lock.request, &request);
    if (status != STATUS_SUCCESS && (request.flags & (VIDMM_GRANT_APART | VIDMM_GRANT_RANGED)) != 0)
        tell_unlocked(allocation); /* granted, and not taken */
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
    if (request->allocation && request->status == STATUS_SUCCESS)
        request->status = open_word(request);
}

/* obeys S0-006, D-383: of a shared one, the process that created it, and all of a primary's */
static bool may_lock(const struct vidmm_allocation *allocation)
{
    const struct vidmm_resource *resource = allocation->resource;

    return !allocation->original || resource->original->primary ||
           resource->original->process == resource->process;
}

/* ---- pages that the CPU may have written ----------------------------------------------------- */

/* Note the pages of a lock, if a copy is to be refreshed from them. */
static void note_written(const struct vidmm_lock_arguments *arguments)
{
    struct vidmm_allocation *allocation = vidmm_original(arguments->allocation);
    uint64_t words = ((uint64_t)allocation->backing.pages + 63) / 64, index;
    bool entire = (arguments->flags & VIDMM_LOCK_ENTIRE) != 0;

    if ((atomic_load(&allocation->word) & WORD_COPY) == 0 ||
        (arguments->flags & VIDMM_LOCK_READ_ONLY) != 0)
        return;
    vidmm_adapter_lock(allocation->adapter);
    if (!allocation->written && !entire)
        allocation->written = vidmm_allocate(allocation->adapter->host, words * sizeof(uint64_t));
    allocation->written_all |= entire || !allocation->written;
    for (index = 0; !allocation->written_all && index < arguments->page_count; index++) {
        uint32_t page = arguments->pages[index];

        allocation->written[page / 64] |= UINT64_C(1) << page % 64; /* obeys D-154 */
    }
    vidmm_adapter_unlock(allocation->adapter);
}

static bool is_written(const struct vidmm_allocation *allocation, uint64_t page)
{
    return allocation->written_all ||
           (allocation->written && (allocation->written[page / 64] >> page % 64 & 1) != 0);
}

/* Tell the engine of all runs of noted pages, and forget them. */
static void refresh_written(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    uint64_t pages = allocation->backing.pages, first, end;

    vidmm_adapter_lock(adapter);
    for (first = 0; first < pages && !adapter->stopped; first = end + 1) {
        struct vidmm_event event = {.kind = VIDMM_EVENT_REFRESH};

        for (end = first; end < pages && is_written(allocation, end); end++) {
        }
        if (end > first) {
            event.refresh.allocation = allocation->id;
            event.refresh.first = (uint32_t)first;
            event.refresh.count = (uint32_t)(end - first);
            vidmm_pump_step(adapter, &event);
        }
    }
    if (allocation->written)
        memset(allocation->written, 0, (pages + 63) / 64 * sizeof(uint64_t));
    allocation->written_all = false;
    vidmm_adapter_unlock(adapter);
}

/* ---- lock and unlock ------------------------------------------------------------------------- */

const char *vidmm_lock_why_not(const struct vidmm_allocation *allocation, NTSTATUS status)
{
    if (status == STATUS_INVALID_PARAMETER && atomic_load(&allocation->offered))
        return "it is offered, and not reclaimed (D-155)";
    switch (status) {
    case STATUS_GRAPHICS_ALLOCATION_BUSY:
        return "DonotWait, and the GPU or a move is not done with it (D-148)";
    case STATUS_DEVICE_REMOVED:
        return "its device is removed (D-244)";
    case STATUS_GRAPHICS_CANT_LOCK_MEMORY:
        return "DonotEvict, and it would have to leave its segment (D-152)";
    case STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION:
        return "it is pinned where the CPU cannot see it (D-158)";
    case STATUS_TIMEOUT:
        return "it did not come, and cannot";
    default:
        return "the lock cannot be had";
    }
}

NTSTATUS vidmm_lock_one(struct vidmm_allocation *allocation, uint32_t flags)
{
    return lock_at_once(allocation) ? STATUS_SUCCESS : lock_by_engine(allocation, flags, 0);
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

/* With AcquireAperture: the engine knows which range, if any. */
static NTSTATUS lock_by_aperture(struct vidmm_allocation *allocation,
                                 const struct vidmm_lock_arguments *arguments)
{
    return lock_by_engine(allocation, arguments->flags, arguments->private_data);
}

/* obeys D-156 */
static bool excludes(const struct vidmm_allocation *allocation, uint32_t flags)
{
    uint64_t word = atomic_load(&allocation->word);

    return (word & WORD_LOCKS) != 0 &&
           ((flags & VIDMM_LOCK_ACQUIRE_APERTURE) != 0 || (word & WORD_APERTURE) != 0);
}

static bool is_retired(const struct vidmm_allocation *allocation)
{
    bool retired;

    vidmm_adapter_lock(allocation->adapter);
    retired = vidmm_instance_is_retired(allocation);
    vidmm_adapter_unlock(allocation->adapter);
    return retired;
}

/* renames: a discard may answer with another instance than the one that is named. */
static NTSTATUS lock(struct vidmm_lock_arguments *arguments, bool renames,
                     struct vidmm_report *report)
{
    struct vidmm_allocation *opened = arguments->allocation;
    struct vidmm_allocation *allocation = vidmm_original(opened);
    NTSTATUS status;

    if (vidmm_renaming_of(allocation) && is_retired(allocation)) {
        return vidmm_report_refusal(
            report, STATUS_INVALID_PARAMETER, "allocation", vidmm_allocation_handle(allocation),
            "a newer instance was referenced since, and retired it (D-155, D-172)");
    }
    status = vidmm_lock_check(arguments, report);
    if (status != STATUS_SUCCESS)
        return status;
    if (!may_lock(opened)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "allocation",
                                    vidmm_allocation_handle(allocation),
                                    "the process that created it may lock it, no other (S0-006)");
    }
    if (opened->original && vidmm_device_condition(opened->device, NULL) != STATUS_SUCCESS)
        return STATUS_DEVICE_REMOVED; /* obeys D-244 */
    if (excludes(allocation, arguments->flags)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "Flags", arguments->flags,
                                    "it is locked; with AcquireAperture there is one lock at a "
                                    "time (D-156)");
    }
    if ((arguments->flags & VIDMM_LOCK_ACQUIRE_APERTURE) != 0) {
        status = lock_by_aperture(allocation, arguments);
    } else if (renames && vidmm_rename_may(allocation)) {
        status = vidmm_rename_lock(arguments, report);
        if (status != STATUS_SUCCESS)
            return status;
        allocation = arguments->allocation;
    } else {
        status = vidmm_lock_one(allocation, arguments->flags);
    }
    if (status != STATUS_SUCCESS) {
        return vidmm_report_refusal(report, status, "Flags", arguments->flags,
                                    vidmm_lock_why_not(allocation, status));
    }
    if (allocation->keeps_copy)
        note_written(arguments);
    if (opened->original)
        atomic_fetch_add(&opened->opening_locks, 1);
    arguments->data = allocation->address;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_lock_pages(struct vidmm_lock_arguments *arguments, struct vidmm_report *report)
{
    return lock(arguments, (arguments->flags & VIDMM_LOCK_DISCARD) != 0, report);
}

NTSTATUS vidmm_lock(struct vidmm_allocation *allocation, uint32_t flags, void **data)
{
    struct vidmm_lock_arguments arguments = {.allocation = allocation,
                                             .flags = flags | VIDMM_LOCK_ENTIRE};
    NTSTATUS status = lock(&arguments, false, NULL);

    if (status == STATUS_SUCCESS)
        *data = arguments.data;
    return status;
}

/* obeys S0-064: no lock is held, unless another has come meanwhile */
static void give_up_address(struct vidmm_allocation *allocation)
{
    uint64_t word = atomic_load(&allocation->word);

    vidmm_adapter_lock(allocation->adapter);
    do {
        if ((word & (WORD_LOCKS | WORD_FOLLOWED)) != 0) {
            vidmm_adapter_unlock(allocation->adapter);
            return;
        }
    } while (!atomic_compare_exchange_weak(&allocation->word, &word,
                                           word & ~(WORD_OPEN_BACKING | WORD_OPEN_SEGMENT)));
    vidmm_window_close_all(allocation);
    vidmm_backing_unmap(&allocation->backing, allocation->adapter->host);
    vidmm_adapter_unlock(allocation->adapter);
}

/* The only lock, by a swizzling range: the engine knows of its end before anybody can lock
 * again. */
static void unlock_ranged(struct vidmm_allocation *allocation)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_UNLOCK};

    vidmm_adapter_lock(allocation->adapter);
    atomic_fetch_and(&allocation->word,
                     ~(WORD_LOCKS | WORD_WANTED | WORD_APERTURE | WORD_RANGED | WORD_ALTERNATE |
                       (allocation->by_alternate ? WORD_FOLLOWED : 0)));
    allocation->by_alternate = false;
    event.unlock.allocation = allocation->id;
    if (!allocation->adapter->stopped)
        vidmm_pump_step(allocation->adapter, &event);
    vidmm_adapter_unlock(allocation->adapter);
    vidmm_pump(allocation->adapter);
}

NTSTATUS vidmm_unlock(struct vidmm_allocation *opened)
{
    struct vidmm_allocation *allocation = vidmm_original(opened);
    uint64_t word = atomic_load(&allocation->word), next;
    bool refreshed = false;

    if ((word & WORD_RANGED) != 0) {
        unlock_ranged(allocation);
        if (allocation->on_demand)
            give_up_address(allocation);
        return STATUS_SUCCESS;
    }

    do {
        if ((word & WORD_LOCKS) == 0)
            return STATUS_INVALID_PARAMETER;
        next = word - 1;
        if (allocation->incoherent)
            next |= WORD_CPU_WROTE;
        if ((next & WORD_LOCKS) == 0)
            next &= ~(WORD_WANTED | WORD_APERTURE);
        if ((next & WORD_LOCKS) == 0 && (word & WORD_COPY) != 0) {
            refresh_written(allocation); /* obeys S0-013; before anybody can render from it */
            refreshed = true;
        }
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next));
    if ((word & WORD_WANTED) != 0 && (next & WORD_LOCKS) == 0)
        tell_unlocked(allocation);
    else if (refreshed)
        vidmm_pump(allocation->adapter);
    if (allocation->on_demand && (next & WORD_LOCKS) == 0)
        give_up_address(allocation);
    if (opened->original && atomic_load(&opened->opening_locks) > 0)
        atomic_fetch_sub(&opened->opening_locks, 1);
    return STATUS_SUCCESS;
}

static bool is_locked(const struct vidmm_allocation *opened)
{
    return opened->original ? atomic_load(&opened->opening_locks) > 0
                            : (atomic_load(&opened->word) & WORD_LOCKS) != 0;
}

void vidmm_unlock_all(struct vidmm_allocation *opened)
{
    while (is_locked(opened) && vidmm_unlock(opened) == STATUS_SUCCESS)
        atomic_fetch_add(&opened->device->unmatched, 1);
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
        next = (word & ~WORD_FOLLOWED) | (leaves ? 0 : open);
    } while (!atomic_compare_exchange_weak(&allocation->word, &word, next));
}

void vidmm_lock_close(struct vidmm_device *device)
{
    struct vidmm_allocation *allocation;

    for (allocation = device->allocations; allocation; allocation = allocation->next)
        atomic_fetch_and(&allocation->word, ~(WORD_OPEN_SEGMENT | WORD_OPEN_BACKING));
}

void vidmm_lock_abandon(struct vidmm_adapter *adapter)
{
    struct vidmm_device *device;
    struct vidmm_allocation *allocation;

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
    atomic_fetch_sub(&allocation->word, WORD_BUSY_ONE);
}
