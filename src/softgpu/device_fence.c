/*
 * Theory. A monitored fence is a value in memory. An engine signals one by writing it, and waits
 * for one by looking: if the value is not there yet, the command is held, and with it the engine,
 * which has nothing more to do in its step.
 *
 *     RUNNING -- WAIT, value not there --> held -- woken, value there --> RUNNING
 *                                           |  `-- preempted --> the packet is given back
 *                                           `----- reset     --> the packet is lost
 *
 * Nothing looks by itself. Engines are woken, and look again, whenever something has happened that
 * may have brought the value: a signal or the end of a packet, on any GPU of the link, or a write
 * to the config space, whatever it says. The processor writes without telling anybody:
 * SOFTGPU_DOORBELL_LOOK is for the driver to say that it did.
 *
 * Invariants:
 *   F1  `held` is set before the value is looked at, and it is read after a value was written: so
 *       either the one who waits sees the value, or the one who writes sees that somebody waits
 */
#include <string.h>

#include <vidmm/bus.h>

#include "softgpu/device_private.h"

/* The bytes of a fence, whole to whoever else uses them. False: a fault was reported. */
static bool begin(struct softgpu_walk *walk, struct softgpu_engine *engine, const char *what,
                  uint64_t address, uint32_t access, uint64_t size)
{
    struct softgpu_place place = {.segment = SOFTGPU_PLACE_VIRTUAL | access, .address = address};

    if (address % sizeof(uint64_t) != 0) {
        softgpu_fault(engine, "%s: 0x%llx is not aligned", what, (unsigned long long)address);
        return false;
    }
    return softgpu_walk_begin(walk, engine, what, &place, NULL, size) && walk->here >= size;
}

/* ---- signals --------------------------------------------------------------------------------- */

void softgpu_run_signal(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_signal *signal = (const void *)command;
    struct softgpu_device *device = engine->device;
    /* obeys D-185: half of the value, where the GPU cannot write it whole */
    uint64_t size = device->config.atomics_64 ? 8 : 4;
    struct softgpu_walk walk;

    softgpu_mover_drain(&device->mover);
    if (!begin(&walk, engine, "signal", signal->address, SOFTGPU_PLACE_WRITTEN, size))
        return;
    if (size == 8)
        atomic_store((_Atomic uint64_t *)(void *)walk.at, signal->value); /* obeys F1 */
    else
        atomic_store((_Atomic uint32_t *)(void *)walk.at, (uint32_t)signal->value);
    softgpu_walk_take(&walk, size);
    SOFTGPU_COUNT(device, signals, 1);
    atomic_fetch_add(&device->registers->engines[engine->number].signals, 1);
    engine->signalled = true;
    engine->waking = true;
}

/* ---- waits ----------------------------------------------------------------------------------- */

/* Whether the value is there: at or above the one that is waited for (obeys D-188). Half a value
 * wraps: it is there if it is not more than half of the numbers behind. */
static bool is_there(struct softgpu_walk *walk, const struct softgpu_op_wait *wait)
{
    if (wait->bits == 64)
        return atomic_load((_Atomic uint64_t *)(void *)walk->at) >= wait->value;
    return (int32_t)(atomic_load((_Atomic uint32_t *)(void *)walk->at) - (uint32_t)wait->value) >=
           0;
}

void softgpu_run_wait(struct softgpu_engine *engine, const struct softgpu_command *command)
{
    const struct softgpu_op_wait *wait = (const void *)command;
    bool again = atomic_load(&engine->held) != 0, there = true;
    struct softgpu_walk walk;

    if (wait->bits != 32 && (wait->bits != 64 || !engine->device->config.atomics_64)) {
        softgpu_fault(engine, "wait: %u bits; this GPU compares %s", wait->bits,
                      engine->device->config.atomics_64 ? "32 or 64" : "32");
        return;
    }
    atomic_store(&engine->held, 1); /* obeys F1 */
    softgpu_push(engine->device);
    if (begin(&walk, engine, "wait", wait->address, 0, wait->bits / 8))
        there = is_there(&walk, wait);
    if (there)
        atomic_store(&engine->held, 0);
    else if (!again)
        SOFTGPU_COUNT(engine->device, waits, 1);
}

static void wake_engines(struct softgpu_device *device)
{
    for (uint32_t i = 0; i < softgpu_rings(&device->config); i++)
        if (atomic_load(&device->engines[i].held) != 0)
            device->bus->kick_engine(device->bus->context, device->engines[i].bus_engine);
}

void softgpu_wake(struct softgpu_device *device)
{
    struct softgpu_device *at = device->lead != NULL ? device->lead : device;

    for (; at != NULL; at = at->next)
        wake_engines(at);
}
