/* turn.c: create, open, close and destroy overlap in the miniport, but not for one process
 * (D-055).
 *
 *     adapter->miniport->inside --> process 7 (a thread creates) --> process 9 (the pump destroys)
 *
 * A thread of a process waits until nobody is inside for it. The pump never waits: an object that
 * it cannot destroy now is put aside and comes back when the process's other thread leaves.
 *
 * Source: Threading and synchronization, zero level; rule D-055.
 */
#include "vidmm/ddi/turn.h"

#include "vidmm/ddi/gate.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/object/mutex.h"

#include "base/assert.h"

static bool is_inside(const struct vidmm_adapter *adapter, uint64_t process)
{
    const struct vidmm_inside *inside = adapter->miniport->inside;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    while (inside && inside->process != process)
        inside = inside->next;
    return inside != NULL;
}

bool vidmm_turn_try(struct vidmm_adapter *adapter, uint64_t process, struct vidmm_inside *inside)
{
    if (is_inside(adapter, process)) {
        adapter->inside_waits = true;
        return false;
    }
    *inside = (struct vidmm_inside){
        .next = adapter->miniport->inside, .adapter = adapter, .process = process};
    adapter->miniport->inside = inside;
    return true;
}

static bool may_enter(void *argument)
{
    const struct vidmm_inside *inside = argument;
    bool may;

    vidmm_adapter_lock(inside->adapter);
    may = !is_inside(inside->adapter, inside->process);
    if (!may)
        inside->adapter->inside_waits = true; /* A3 (recovery.c) */
    vidmm_adapter_unlock(inside->adapter);
    return may;
}

void vidmm_turn_begin(struct vidmm_adapter *adapter, uint64_t process, struct vidmm_inside *inside)
{
    vidmm_turn_take_and_lock(adapter, process, inside);
    vidmm_adapter_unlock(adapter);
    vidmm_turn_enter(inside);
}

void vidmm_turn_enter(struct vidmm_inside *inside)
{
    vidmm_driver_enter(inside->adapter);
    inside->thread = true;
}

void vidmm_turn_take_and_lock(struct vidmm_adapter *adapter, uint64_t process,
                              struct vidmm_inside *inside)
{
    const struct vidmm_host *host = adapter->host;

    for (;;) {
        vidmm_adapter_lock(adapter);
        if (vidmm_turn_try(adapter, process, inside))
            return;
        vidmm_adapter_unlock(adapter);
        *inside = (struct vidmm_inside){.adapter = adapter, .process = process};
        host->wait(host->context, may_enter, inside, UINT64_MAX);
    }
}

bool vidmm_turn_leave(struct vidmm_inside *inside)
{
    struct vidmm_adapter *adapter = inside->adapter;
    struct vidmm_inside **link = &adapter->miniport->inside;
    bool waiting = adapter->inside_waits;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    while (*link != inside) {
        VIDMM_ASSERT(*link);
        link = &(*link)->next;
    }
    *link = inside->next;
    adapter->inside_waits = false;
    return waiting;
}

bool vidmm_turn_end_and_lock(struct vidmm_inside *inside)
{
    if (inside->thread)
        vidmm_driver_leave(inside->adapter);
    vidmm_adapter_lock(inside->adapter);
    return vidmm_turn_leave(inside);
}

void vidmm_turn_end(struct vidmm_inside *inside)
{
    struct vidmm_adapter *adapter = inside->adapter;
    bool waiting = vidmm_turn_end_and_lock(inside);

    vidmm_adapter_unlock(adapter);
    if (waiting)
        adapter->host->wake(adapter->host->context);
}
