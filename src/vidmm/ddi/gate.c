/* gate.c: the gate for calls of level three.
 *
 * Every call to the miniport on a program's own thread goes through the gate. A call of level three
 * (D-307) shuts it, is made when the last one is out, and opens it again:
 *
 *     gate:  SHUT | threads inside
 *
 * The pump never waits: while somebody is inside, the call stays due, and the last one out pumps.
 * A thread that wants the driver to itself (pump/alone.c) shuts the gate, waits until the last one
 * is out and nobody pumps, and is the pump until it gives the driver back.
 *
 * Invariants (A)
 *   A1  The thread that opens the gate pumps, or has waited for the driver in vain. So nobody
 *       comes in while a call of level two or three is made.
 *   A2  The waits have an order; a waiter holds nothing that stands behind the thing it waits for:
 *         a process's turn, then the gate;   to have the adapter rest, then the engine's rest, then
 *         the driver, which is the gate and the pump. A thread that found no memory (pump/relief.c)
 *         waits for the pump and for turns, holding nothing.
 *       A thread inside the gate waits for none of these, for the engine only as long as for a
 *       fence (DxgkCbDestroyContextAllocation), and enters it once. While it waits, no thread that
 *       wants the driver lets the engine rest. The pump waits for nobody. So
 *       those inside come out, the pump comes to its end, and the thread that wants the driver gets
 *       it.
 *   A3  A thread that makes a wait come true wakes the waiters: the last one out of a gate that is
 *       shut, the one that opens it, the pump that ends after somebody has found it at work, the
 *       one that leaves a turn that another has found taken, the one that no longer has the
 *       adapter rest.
 *
 * Source: "Thread synchronization and TDR"; rules D-241, D-307.
 */
#include "vidmm/ddi/gate.h"

#include "vidmm/ddi/above.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/object/mutex.h"

#include "base/assert.h"

#define GATE_SHUT 0x80000000u

static bool has_stopped(const struct vidmm_adapter *adapter)
{
    bool stopped;

    vidmm_adapter_lock(adapter);
    stopped = adapter->stopped;
    vidmm_adapter_unlock(adapter);
    return stopped;
}

static bool gate_is_open(void *argument)
{
    const struct vidmm_adapter *adapter = argument;

    return (atomic_load(&adapter->miniport->gate) & GATE_SHUT) == 0 || has_stopped(adapter);
}

static void go_out(struct vidmm_adapter *adapter)
{
    VIDMM_ASSERT((atomic_load(&adapter->miniport->gate) & ~GATE_SHUT) != 0);
    if (atomic_fetch_sub(&adapter->miniport->gate, 1) != (GATE_SHUT | 1))
        return;
    adapter->above->pump(adapter);
    adapter->host->wake(adapter->host->context); /* A3 */
}

void vidmm_driver_enter(struct vidmm_adapter *adapter)
{
    while ((atomic_fetch_add(&adapter->miniport->gate, 1) & GATE_SHUT) != 0) {
        go_out(adapter);
        if (!adapter->host->wait(adapter->host->context, gate_is_open, adapter, UINT64_MAX) ||
            has_stopped(adapter)) {
            atomic_fetch_add(&adapter->miniport->gate, 1);
            break; /* nothing can change any more */
        }
    }
}

void vidmm_driver_leave(struct vidmm_adapter *adapter)
{
    go_out(adapter);
}

bool vidmm_gate_shut(struct vidmm_adapter *adapter)
{
    return (atomic_fetch_or(&adapter->miniport->gate, GATE_SHUT) & ~GATE_SHUT) == 0;
}

void vidmm_gate_open(struct vidmm_adapter *adapter)
{
    VIDMM_ASSERT((atomic_load(&adapter->miniport->gate) & GATE_SHUT) != 0);
    atomic_fetch_and(&adapter->miniport->gate, ~GATE_SHUT);
    adapter->host->wake(adapter->host->context);
}
