/* suspension.c: devices whose work a test holds back.
 *
 *     at work --SUSPEND_DEVICE--> suspended: what its contexts have queued has no turn
 *        ^                            |
 *        '----------------------------'  RESUME_DEVICES of its number; a submission, if that wakes;
 *                                        a lock that waits for what is queued; the device fails,
 *                                        or the engine is stopped
 *
 * Devices are suspended by a number, and all of a number are resumed together: those of a process.
 * A work that is begun goes on, all parts of it, and so does what is in flight. Paging queues and
 * locks are served as before. With explicit residency the list is not kept in place meanwhile, as
 * that of any device that is suspended (residency_list.h); if what it names has left, the next work
 * of the device brings it in again.
 *
 * Invariants
 * SU1. `suspended` of the engine counts the devices with a suspension.
 * SU2. The list of a device with a suspension is suspended, unless a work of it has its turn.
 */
#include "vidmm/engine/work/suspension.h"

#include <base/assert.h>
#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/arbiter.h"

NTSTATUS vidmm_suspension_begin(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_device_record *device = &engine->devices[event->device];
    bool begun = engine->turn && engine->turn->begun && engine->turn->device == event->device;

    if (event->device >= engine->device_capacity || !device->exists || device->system ||
        device->suspension != 0 || event->test.suspension == 0)
        return STATUS_INVALID_PARAMETER;
    if (vidmm_device_record_status(engine, event->device) != STATUS_SUCCESS)
        return vidmm_device_record_status(engine, event->device);
    device->suspension = event->test.suspension;
    device->wakes = event->test.wakes != 0;
    engine->suspended++; /* SU1 */
    if (engine->config.explicit_residency && !begun)
        vidmm_residency_suspend(engine, event->device); /* SU2 */
    vidmm_arbiter_choose_anew(engine);
    engine->locks_may_go = true; /* one may wait for what is held back */
    return STATUS_SUCCESS;
}

/* All that were suspended by that number go on. */
static void end(struct vidmm_engine *engine, uint32_t suspension)
{
    uint32_t id;

    VIDMM_ASSERT(suspension != 0);
    for (id = 1; id < engine->device_capacity; id++) {
        struct vidmm_device_record *device = &engine->devices[id];

        if (device->suspension != suspension)
            continue;
        device->suspension = 0;
        engine->suspended--; /* SU1 */
        if (engine->config.explicit_residency && vidmm_residency_is_whole(engine, id))
            vidmm_residency_resume(engine, id);
    }
    vidmm_arbiter_choose_anew(engine);
}

NTSTATUS vidmm_suspension_resume(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint32_t id, number = event->test.suspension;

    for (id = 1; id < engine->device_capacity && number != 0; id++)
        if (engine->devices[id].suspension == number) {
            end(engine, number);
            return STATUS_SUCCESS;
        }
    return STATUS_INVALID_PARAMETER;
}

void vidmm_suspension_wake(struct vidmm_engine *engine, uint32_t device)
{
    if (engine->devices[device].suspension != 0 && engine->devices[device].wakes)
        end(engine, engine->devices[device].suspension);
}

/* A work that is held back and names the placement. NULL: none does. */
static const struct vidmm_work *find_held_back(const struct vidmm_engine *engine,
                                               const struct vidmm_placement *placement)
{
    const struct vidmm_context_queue *queue;
    const struct vidmm_work *work;
    uint32_t index;

    for (queue = engine->queues.first; queue; queue = queue->next)
        for (work = queue->works.first; work; work = work->next)
            for (index = 0; index < work->count && engine->devices[work->device].suspension != 0;
                 index++)
                if (work->references[index].placement == placement)
                    return work;
    return NULL;
}

void vidmm_suspension_end_for(struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    const struct vidmm_work *work;

    while (engine->suspended > 0 && (work = find_held_back(engine, placement)) != NULL)
        end(engine, engine->devices[work->device].suspension);
}

void vidmm_suspension_end_all(struct vidmm_engine *engine)
{
    uint32_t id;

    for (id = 1; id < engine->device_capacity && engine->suspended > 0; id++)
        if (engine->devices[id].suspension != 0)
            end(engine, engine->devices[id].suspension);
}

void vidmm_suspension_look(struct vidmm_engine *engine)
{
    uint32_t id;

    if (!engine->suspension_failed)
        return;
    engine->suspension_failed = false;
    for (id = 1; id < engine->device_capacity; id++) {
        if (engine->devices[id].suspension != 0 &&
            vidmm_device_record_status(engine, id) != STATUS_SUCCESS) {
            engine->devices[id].suspension = 0;
            engine->suspended--; /* SU1 */
        }
    }
    vidmm_arbiter_choose_anew(engine);
}

uint32_t vidmm_engine_suspension(const struct vidmm_engine *engine, uint32_t device, bool *wakes)
{
    if (device >= engine->device_capacity)
        return 0;
    if (wakes)
        *wakes = engine->devices[device].wakes;
    return engine->devices[device].suspension;
}
