/* decommit.c: backing stores of offered allocations, given up when system memory is short.
 *
 *     offered, AllowDecommit --> discarded --> no memory for somebody else --> decommitted
 *                          '--- as that is asked of the engine now ---'
 *
 * A backing store goes for good, and with it the allocation: it stays offered, so nobody may use
 * it, and a reclaim answers NOT_COMMITTED. Low offers go before normal and high ones.
 *
 * Only pages that nothing asks for any more may go. The engine says so of what it has discarded and
 * has no place. Memory of a program or of the driver is not the manager's to give up, nor are
 * pages at whose address the driver or the GPU finds an allocation for life.
 *
 * Source: OfferResources1, DXGI_RECLAIM_RESOURCE_RESULTS, D3DDDI_RECLAIM_RESULT; D-212, D-215.
 */
#include "vidmm/client/decommit.h"

#include <vidmm/engine.h>
#include <vidmm/page.h>
#include <vidmm/plan.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"

static bool may_ever(const struct vidmm_allocation *allocation)
{
    return allocation->may_decommit && !allocation->decommitted && !allocation->destroyed &&
           !allocation->original && allocation->backing.mdl && !allocation->backing.existing &&
           !allocation->told && !allocation->shares;
}

/* Answers the bytes of an allocation of which the content was asked for, is on its way, or is gone
 * and the backing store given up; else 0. */
typedef uint64_t part_function(struct vidmm_allocation *allocation);

static uint64_t bytes_of(const struct vidmm_allocation *allocation)
{
    return vidmm_allocation_size(allocation) *
           (allocation->instances ? allocation->adapter->link_count : 1);
}

static uint64_t ask(struct vidmm_allocation *allocation)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DISCARD, .discard = {allocation->id}};

    vidmm_pump_step(allocation->adapter, &event);
    return vidmm_engine_discarded(allocation->adapter->engine, allocation->id)
               ? bytes_of(allocation)
               : 0;
}

static uint64_t is_on_its_way(struct vidmm_allocation *allocation)
{
    const struct vidmm_engine *engine = allocation->adapter->engine;

    return vidmm_engine_discarded(engine, allocation->id) &&
                   !vidmm_engine_needs_no_backing(engine, allocation->id)
               ? bytes_of(allocation)
               : 0;
}

static uint64_t give_up(struct vidmm_allocation *allocation)
{
    uint64_t size = bytes_of(allocation);

    if (allocation->in_chores ||
        !vidmm_engine_needs_no_backing(allocation->adapter->engine, allocation->id))
        return 0;
    vidmm_allocation_decommit(allocation);
    allocation->adapter->bytes_decommitted += size;
    return size;
}

static uint64_t do_rank(const struct vidmm_adapter *adapter, uint32_t rank, uint64_t size,
                        part_function *part)
{
    const struct vidmm_device *device;
    struct vidmm_allocation *allocation;
    uint64_t done = 0;

    for (device = adapter->devices; device; device = device->next) {
        for (allocation = device->allocations; allocation; allocation = allocation->next)
            if (done < size && may_ever(allocation) &&
                vidmm_engine_offer_rank(adapter->engine, allocation->id) == rank)
                done += part(allocation);
    }
    return done;
}

/* Do that of one after the other, until `size` bytes have come together. obeys D-212. The mutex is
 * held. */
static uint64_t do_all(const struct vidmm_adapter *adapter, uint64_t size, part_function *part)
{
    uint64_t done = 0;
    uint32_t rank;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    for (rank = 0; rank < VIDMM_OFFER_RANKS && done < size && !adapter->stopped; rank++)
        done += do_rank(adapter, rank, size - done, part);
    return done;
}

/* Whether nothing is on its way any more, or has no power to go. */
static bool has_left(void *argument)
{
    struct vidmm_adapter *adapter = argument;
    bool left;

    vidmm_adapter_lock(adapter);
    left = adapter->power != VIDMM_POWER_D0 || do_all(adapter, 1, is_on_its_way) == 0;
    adapter->changed |= !left; /* A3: the pump wakes at its end */
    vidmm_adapter_unlock(adapter);
    return left;
}

bool vidmm_decommit(struct vidmm_adapter *adapter, uint64_t size)
{
    uint64_t done, asked = 0;

    VIDMM_ASSERT(size > 0);
    vidmm_adapter_lock(adapter);
    done = do_all(adapter, size, give_up);
    if (done == 0)
        asked = do_all(adapter, size, ask);
    vidmm_adapter_unlock(adapter);
    if (asked == 0)
        return done > 0;
    vidmm_pump(adapter);
    adapter->host->wait(adapter->host->context, has_left, adapter, UINT64_MAX);
    vidmm_adapter_lock(adapter);
    done = do_all(adapter, size, give_up);
    vidmm_adapter_unlock(adapter);
    return done > 0;
}
