/* trim_interval.c: devices are asked for periodic trims by the clock, because a test says so.
 *
 *     asked ---- submits something ---- minimum: its process is above a budget --> asked
 *       |                          '--- maximum: it is not --> asked
 *       '------- submits nothing ------ idle --> asked, and not again before it submits
 *
 * So a machine on which nothing goes on comes to rest.
 */
#include "vidmm/engine/work/trim_interval.h"

#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/budget.h"
#include "vidmm/engine/state/engine_state.h"

/* When the device is asked next. UINT64_MAX: it is not, as things are. */
static uint64_t due_of(const struct vidmm_engine *engine, uint32_t id)
{
    static const uint64_t none[VIDMM_SEGMENT_GROUPS];
    const struct vidmm_trim_intervals *intervals = &engine->trim_intervals;
    const struct vidmm_device_record *device = &engine->devices[id];
    uint64_t interval = intervals->idle_ns;

    if (!device->exists || device->process == 0)
        return UINT64_MAX;
    if (device->trim.submitted)
        interval = vidmm_budget_excess(engine, id, none) > 0 ? intervals->minimum_ns
                                                             : intervals->maximum_ns;
    else if (device->trim.rests)
        return UINT64_MAX;
    return interval != 0 ? device->trim.asked_ns + interval : UINT64_MAX;
}

/* It is asked at this time. `rests`: and not again before it submits something. */
static void note(const struct vidmm_engine *engine, struct vidmm_trim *trim, bool rests)
{
    trim->asked_ns = engine->time_ns;
    trim->submitted = false;
    trim->rests = rests;
}

NTSTATUS vidmm_trim_interval_set(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint64_t minimum = event->test.time_ns[0], maximum = event->test.time_ns[1];
    uint32_t id;

    if (!engine->config.explicit_residency || maximum < minimum ||
        (minimum == 0) != (maximum == 0) || maximum > VIDMM_LONGEST_DELAY_NS ||
        event->test.time_ns[2] > VIDMM_LONGEST_DELAY_NS)
        return STATUS_INVALID_PARAMETER;
    engine->timed = true;
    engine->trim_intervals =
        (struct vidmm_trim_intervals){minimum, maximum, event->test.time_ns[2]};
    for (id = 0; id < engine->device_capacity; id++)
        note(engine, &engine->devices[id].trim, false);
    return STATUS_SUCCESS;
}

/* Whether a test has set any. */
static bool are_set(const struct vidmm_engine *engine)
{
    return engine->trim_intervals.maximum_ns != 0 || engine->trim_intervals.idle_ns != 0;
}

bool vidmm_trim_interval_pass_time(struct vidmm_engine *engine)
{
    uint32_t id, end = are_set(engine) ? engine->device_capacity : 0;
    bool any = false;

    for (id = 1; id < end; id++) {
        if (due_of(engine, id) <= engine->time_ns) {
            note(engine, &engine->devices[id].trim, !engine->devices[id].trim.submitted);
            vidmm_budget_ask(engine, id, VIDMM_TRIM_PERIODIC);
            any = true;
        }
    }
    return any;
}

uint64_t vidmm_trim_interval_deadline(const struct vidmm_engine *engine)
{
    uint32_t id, end = are_set(engine) ? engine->device_capacity : 0;
    uint64_t deadline = UINT64_MAX;

    for (id = 1; id < end; id++)
        if (due_of(engine, id) < deadline)
            deadline = due_of(engine, id);
    return deadline;
}
