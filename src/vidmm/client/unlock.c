/* unlock.c: Unlock, and what it brings about.
 *
 * An allocation that is always locked in its backing store may have a copy in a memory segment.
 * Then the pages that locks may have written are noted, and the last unlock has them refreshed
 * before it is one (S0-013).
 *
 * Source: D3DKMTUnlock; rules S0-013, S0-064.
 */
#include "vidmm/client/unlock.h"

#include <string.h>

#include <vidmm/lock.h>
#include <vidmm/lock2.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/paging_queue.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/device.h"
#include "vidmm/object/lock_word.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/window.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"
#include "wddm/rule.h"

void vidmm_unlock_tell(struct vidmm_allocation *allocation)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_UNLOCK};

    VIDMM_ASSERT(!allocation->original && allocation->id != 0);
    event.unlock.allocation = allocation->id;
    vidmm_pump_event(allocation->adapter, &event);
}

static bool is_written(const struct vidmm_allocation *allocation, uint64_t page)
{
    VIDMM_ASSERT(page < allocation->backing.pages);
    return allocation->written_all ||
           (allocation->written && (allocation->written[page / 64] >> page % 64 & 1) != 0);
}

/* Tell the engine of all runs of noted pages, and forget them. */
static void refresh_written(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    uint64_t pages = allocation->backing.pages, first, end;

    VIDMM_ASSERT(allocation->keeps_copy && !allocation->original);
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

/* obeys S0-064: no lock is held, unless another has come meanwhile */
static void give_up_address(struct vidmm_allocation *allocation)
{
    uint64_t word = atomic_load(&allocation->word);

    VIDMM_ASSERT(allocation->on_demand && !allocation->original);
    vidmm_adapter_lock(allocation->adapter);
    do {
        if ((word & (WORD_LOCKS | WORD_FOLLOWED)) != 0) {
            vidmm_adapter_unlock(allocation->adapter);
            return;
        }
    } while (!atomic_compare_exchange_weak(&allocation->word, &word,
                                           word & ~(WORD_OPEN_BACKING | WORD_OPEN_SEGMENT)));
    vidmm_window_close_all(allocation);
    /* the driver, or the GPU, sees it until the allocation is destroyed */
    if (!allocation->told && !allocation->shares)
        vidmm_backing_unmap(&allocation->backing, allocation->adapter->host);
    vidmm_adapter_unlock(allocation->adapter);
}

/* The only lock, by a swizzling range: the engine knows of its end before anybody can lock again.
 * Its address may have come to show the backing store since. */
static void unlock_ranged(struct vidmm_allocation *allocation)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_UNLOCK};

    VIDMM_ASSERT(!allocation->original);
    vidmm_adapter_lock(allocation->adapter);
    if (allocation->incoherent)
        atomic_fetch_or(&allocation->word, WORD_CPU_WROTE);
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
        vidmm_unlock_tell(allocation);
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

VIDMM_SEES(D_166);
NTSTATUS vidmm_unlock2(struct vidmm_allocation *allocation, struct vidmm_report *report)
{
    if (vidmm_report_null(allocation, "allocation", report))
        return STATUS_INVALID_PARAMETER;
    if (!vidmm_residency_is_explicit(allocation->adapter, report))
        return STATUS_NOT_SUPPORTED;
    if (is_locked(allocation) && vidmm_unlock(allocation) == STATUS_SUCCESS)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "allocation",
                                vidmm_allocation_handle(allocation), "one that is locked (D-166)");
}

void vidmm_unlock_all(struct vidmm_allocation *opened)
{
    while (is_locked(opened) && vidmm_unlock(opened) == STATUS_SUCCESS)
        atomic_fetch_add(&opened->device->unmatched, 1);
}
