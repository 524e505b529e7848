/* relief.c: a thread that finds no memory waits for allocations that are due to go.
 *
 * An allocation that a program destroys goes when the pump comes to it, and the pump may be in the
 * driver for long. A program that creates and destroys would run ahead of it, until there is no
 * memory left: so it is made to wait here before it is refused.
 *
 *     creates, no memory --> is anything due?  no      refused
 *                                              yes     pumps, or waits for who does --> tries again
 *
 * The parts that an attempt has made and given back are no relief: by them alone the next attempt
 * would find as little.
 *
 * Due is what the engine has let go: allocations that stand among the chores and the graves, or are
 * in the hands of the pump. Nobody waits here for allocations that the GPU still uses, nor for
 * those that wait for power.
 *
 * It cannot deadlock: a waiter holds neither a turn, nor a place inside the gate, nor the adapter's
 * rest (A2), so the pump, which waits for nobody, comes to its end without it, and a process's
 * other thread comes out of the driver. Both wake (A3).
 */
#include "vidmm/pump/relief.h"

#include <stdint.h>

#include "vidmm/object/mutex.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"

struct relief {
    struct vidmm_adapter *adapter;
    uint64_t buried; /* before the attempt */
};

/* The mutex is held. */
static bool is_due(const struct vidmm_adapter *adapter)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    return !adapter->stopped && (adapter->pumping || adapter->chores.first || adapter->graves);
}

/* Whether memory came back, or it is the caller's turn to pump. */
static bool may_go_on(void *argument)
{
    const struct relief *relief = argument;
    struct vidmm_adapter *adapter = relief->adapter;
    bool at_work;

    vidmm_adapter_lock(adapter);
    at_work = adapter->pumping || (adapter->graves && adapter->inside_waits);
    at_work = at_work && !adapter->stopped && adapter->buried == relief->buried;
    if (at_work)
        adapter->changed = true; /* A3: the pump wakes at its end */
    vidmm_adapter_unlock(adapter);
    return !at_work;
}

uint64_t vidmm_relief_count(const struct vidmm_adapter *adapter)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    return adapter->buried;
}

bool vidmm_relief(struct vidmm_adapter *adapter, uint64_t since)
{
    const struct vidmm_host *host = adapter->host;
    struct relief relief = {.adapter = adapter, .buried = since};
    bool due, freed;

    vidmm_adapter_lock(adapter);
    due = is_due(adapter) && adapter->buried == since;
    adapter->relief_waits++;
    vidmm_adapter_unlock(adapter);
    while (due) {
        vidmm_pump(adapter);
        due = host->wait(host->context, may_go_on, &relief, UINT64_MAX);
        vidmm_adapter_lock(adapter);
        due = due && is_due(adapter) && adapter->buried == relief.buried;
        vidmm_adapter_unlock(adapter);
    }
    vidmm_adapter_lock(adapter);
    freed = adapter->buried != relief.buried;
    adapter->relief_waits--;
    vidmm_adapter_unlock(adapter);
    return freed;
}
