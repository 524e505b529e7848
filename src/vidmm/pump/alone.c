/* alone.c: the adapter rests, so that its driver can be called with nobody else inside.
 *
 * The invariants A1 to A3 are in ddi/gate.c.
 */
#include "vidmm/pump/alone.h"

#include <wddm/ntstatus.h>

#include "vidmm/ddi/gate.h"
#include "vidmm/ddi/interrupt.h"
#include "vidmm/object/mutex.h"
#include "vidmm/pump/ask.h"
#include "vidmm/pump/grant.h"
#include "vidmm/pump/pump.h"
#include "vidmm/pump/state.h"

#include "base/assert.h"

NTSTATUS vidmm_alone_rest(struct vidmm_adapter *adapter, uint32_t kind, enum vidmm_power power)
{
    struct vidmm_event event = {.kind = kind};
    struct vidmm_request request = {0};

    event.rest.power = power;
    return vidmm_request_ask(adapter, &event, &event.rest.request, &request);
}

struct attempt {
    struct vidmm_adapter *adapter;
    bool yields; /* to a thread that is inside and wants the engine */
    bool taken;
};

/* Nobody is in the driver, and nobody pumps: from here on that is us. Shut under the mutex: the
 * pumping thread may open the gate behind it (A1). True too if it cannot be had like this (A2). */
static bool take_the_driver(void *argument)
{
    struct attempt *attempt = argument;
    struct vidmm_adapter *adapter = attempt->adapter;
    bool wanted;

    vidmm_adapter_lock(adapter);
    attempt->taken = vidmm_gate_shut(adapter) && !adapter->pumping;
    if (adapter->pumping)
        adapter->changed = true; /* A3 */
    if (attempt->taken)
        adapter->pumping = true;
    wanted = adapter->engine_wanted > 0;
    vidmm_adapter_unlock(adapter);
    return attempt->taken || (attempt->yields && wanted);
}

/* STATUS_DEVICE_BUSY: a thread inside wants the engine, which rests. */
static NTSTATUS take(struct vidmm_adapter *adapter, bool yields)
{
    const struct vidmm_host *host = adapter->host;
    struct attempt attempt = {.adapter = adapter, .yields = yields};
    bool over = host->wait(host->context, take_the_driver, &attempt, UINT64_MAX);

    if (!attempt.taken) {
        vidmm_gate_open(adapter);
        return over ? STATUS_DEVICE_BUSY : STATUS_TIMEOUT;
    }
    vidmm_flush_dpcs(adapter);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_driver_take(struct vidmm_adapter *adapter)
{
    return take(adapter, false);
}

static bool nobody_wants_engine(void *argument)
{
    struct vidmm_adapter *adapter = argument;
    bool wanted;

    vidmm_adapter_lock(adapter);
    wanted = adapter->engine_wanted > 0;
    vidmm_adapter_unlock(adapter);
    return !wanted;
}

/* The engine goes on until nobody in the driver wants it. */
static bool yield(struct vidmm_adapter *adapter, enum vidmm_power power)
{
    const struct vidmm_host *host = adapter->host;

    return vidmm_alone_rest(adapter, VIDMM_EVENT_RESUME, power) == STATUS_SUCCESS &&
           host->wait(host->context, nobody_wants_engine, adapter, UINT64_MAX);
}

NTSTATUS vidmm_driver_take_at_rest(struct vidmm_adapter *adapter, enum vidmm_power power)
{
    NTSTATUS status = STATUS_DEVICE_BUSY;

    while (status == STATUS_DEVICE_BUSY) {
        status = vidmm_alone_rest(adapter, VIDMM_EVENT_REST, power);
        if (status == STATUS_SUCCESS)
            status = take(adapter, true);
        if (status == STATUS_DEVICE_BUSY && !yield(adapter, power))
            status = STATUS_TIMEOUT;
    }
    return status;
}

void vidmm_driver_give(struct vidmm_adapter *adapter)
{
    vidmm_gate_open(adapter); /* A1 */
    vidmm_adapter_lock(adapter);
    VIDMM_ASSERT(adapter->pumping);
    adapter->pumping = false;
    adapter->changed = true; /* A3 */
    vidmm_pump_and_unlock(adapter);
}

NTSTATUS vidmm_driver_call_alone(struct vidmm_adapter *adapter, NTSTATUS (*call)(void *),
                                 void *argument)
{
    NTSTATUS status = vidmm_driver_take_at_rest(adapter, VIDMM_POWER_D0), answer;

    if (status != STATUS_SUCCESS && status != STATUS_TIMEOUT)
        return status;
    if (status == STATUS_SUCCESS) {
        status = call(argument); /* obeys D-309 */
        vidmm_driver_give(adapter);
    }
    /* in vain or not, the engine goes on */
    answer = vidmm_alone_rest(adapter, VIDMM_EVENT_RESUME, VIDMM_POWER_D0);
    return status != STATUS_SUCCESS ? status : answer;
}

/* Nobody else has the adapter rest. */
static bool take_rest(void *argument)
{
    struct vidmm_adapter *adapter = argument;
    bool taken;

    vidmm_adapter_lock(adapter);
    taken = !adapter->pump->resting;
    adapter->pump->resting = true;
    vidmm_adapter_unlock(adapter);
    return taken;
}

bool vidmm_alone_begin(struct vidmm_adapter *adapter)
{
    return adapter->host->wait(adapter->host->context, take_rest, adapter, UINT64_MAX);
}

void vidmm_alone_end(struct vidmm_adapter *adapter)
{
    vidmm_adapter_lock(adapter);
    VIDMM_ASSERT(adapter->pump->resting);
    adapter->pump->resting = false;
    vidmm_adapter_unlock(adapter);
    adapter->host->wake(adapter->host->context);
}
