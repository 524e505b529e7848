/* chores.c: the work of a plan with pages and records.
 *
 * The chores are worked off in their order, before the call that is due: the engine's first chore
 * is done first. A chore that calls the miniport is put aside if it would call on a thread of a
 * process of which another thread is inside. It comes back when that thread has left (D-055).
 */
#include "vidmm/pump/chores.h"

#include "vidmm/ddi/turn.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/pump/client.h"
#include "vidmm/pump/grant.h"

#include "base/assert.h"

VIDMM_QUEUE_FUNCTIONS(vidmm_chore_queue, struct vidmm_allocation, next_chore);

void vidmm_chore_add(struct vidmm_adapter *adapter, struct vidmm_allocation *allocation,
                     uint32_t chore)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(chore != 0 && (allocation->chores == 0 || allocation->in_chores));
    if (allocation->chores == 0)
        vidmm_chore_queue_add(&adapter->chores, allocation);
    allocation->chores |= (uint8_t)chore;
    allocation->in_chores = true;
}

/* The destroyer of a context allocation waits for that, maybe in a place from which nobody else can
 * pump. */
void vidmm_chore_destroy(struct vidmm_adapter *adapter, struct vidmm_allocation *allocation)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT((allocation->chores & CHORE_DESTROY) == 0 && !allocation->gone);
    if (allocation->context_allocation && !allocation->in_chores)
        allocation->gone = true;
    else
        vidmm_chore_add(adapter, allocation, CHORE_DESTROY);
}

static void do_chores(struct vidmm_adapter *adapter, struct vidmm_allocation *allocation,
                      uint32_t chores)
{
    uint32_t count = allocation->instances ? adapter->link_count : 1, engine;

    for (engine = 0; engine < count; engine++) {
        if ((chores & CHORE_CLEAR) != 0)
            vidmm_backing_clear(vidmm_backing_of(allocation, engine), adapter->host);
        if ((chores & CHORE_DROP) != 0)
            vidmm_backing_drop(vidmm_backing_of(allocation, engine), adapter->host);
    }
}

/* Take it out of the driver and of the world, unless another thread of its process is in the
 * driver: then it comes back (D-055). The mutex is held. */
static void bury(struct vidmm_adapter *adapter, struct vidmm_allocation *allocation)
{
    struct vidmm_inside inside;
    bool tried = allocation->tried;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(adapter->pumping);
    VIDMM_ASSERT(allocation->chores == 0);
    if (allocation->context_allocation) { /* the miniport knows */
        allocation->gone = true;
        adapter->changed = true;
        return;
    }
    if (allocation->holds != 0) { /* obeys D-386: it comes back when it is let go */
        allocation->held_back = true;
        return;
    }
    if (!vidmm_turn_try(adapter, vidmm_allocation_process(allocation), &inside)) {
        allocation->next_chore = adapter->graves;
        adapter->graves = allocation;
        return;
    }
    allocation->going = true;
    vidmm_adapter_unlock(adapter);
    adapter->client->gone(allocation); /* and the mutex is held again */
    adapter->buried += !tried;
    if (vidmm_turn_leave(&inside) || adapter->relief_waits > 0) {
        vidmm_adapter_unlock(adapter);
        adapter->host->wake(adapter->host->context);
        vidmm_adapter_lock(adapter);
    }
}

bool vidmm_graves_take(struct vidmm_adapter *adapter)
{
    struct vidmm_allocation *allocation = adapter->graves, *next;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(adapter->pumping);
    if (!allocation || adapter->inside_waits)
        return false;
    adapter->graves = NULL;
    for (; allocation; allocation = next) {
        next = allocation->next_chore;
        bury(adapter, allocation);
    }
    return true;
}

bool vidmm_chores_take(struct vidmm_adapter *adapter)
{
    struct vidmm_allocation *allocation = vidmm_chore_queue_take(&adapter->chores);
    uint32_t chores;
    bool gone;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(adapter->pumping);
    if (!allocation)
        return false;
    chores = allocation->chores & ~CHORE_DESTROY;
    gone = (allocation->chores & CHORE_DESTROY) != 0;
    allocation->chores = 0;
    if (chores != 0) {
        vidmm_adapter_unlock(adapter);
        do_chores(adapter, allocation, chores);
        vidmm_adapter_lock(adapter);
    }
    if (gone) {
        bury(adapter, allocation);
    } else if (allocation->chores == 0) {
        allocation->in_chores = false;
        vidmm_request_answer_waiting(adapter, allocation);
    }
    return true;
}
