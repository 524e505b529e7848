/* reset.c: the reset of the whole adapter, from ResetFromTimeout to work again.
 *
 *   STOPPING   the CPU is kept off the memory segments (D-241)
 *              ResetFromTimeout: nobody else is in the driver; the GPU touches no memory when it
 *              returns
 *                 |  everything in flight has ended, executed or not; every device but the
 *                 |  system's is removed; every queue is forgotten; all page tables are due
 *   PURGING    BuildPagingBuffer, a call for each placement that the driver knows (purge.c), into
 *              the paging buffer in system memory; then RestartFromTimeout, and it is submitted
 *                 |  (if it does not hold all of them, the restart comes first, and the rest after)
 *   MAPPING    command buffers go back into the aperture, where they were
 *                 |
 *              the paging buffers are in use as before; new devices work
 *
 * Invariants
 * Z1. From VIDMM_DO_RESET to the end of MAPPING no DMA buffer is prepared or submitted.
 * Z2. Up to VIDMM_DO_RESTART nothing is submitted at all, and no report counts.
 * Z3. At most RESETS_A_MINUTE resets begin within any 60 seconds (D-242).
 *
 * Source: "Thread synchronization and TDR"; "TDR registry keys".
 */
#include "vidmm/engine/recover/reset.h"

#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/carry/paging.h"
#include "vidmm/engine/carry/paging_buffer.h"
#include "vidmm/engine/carry/host_aperture.h"
#include "vidmm/engine/carry/swizzling_range.h"
#include "vidmm/engine/carry/table_write.h"
#include "vidmm/engine/recover/purge.h"
#include "vidmm/engine/recover/rest.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/recovery_state.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/landing.h"
#include "vidmm/engine/work/work.h"
#include "wddm/rule.h"

#define MINUTE_NS UINT64_C(60000000000)
#define BOOTSTRAP 1u /* the paging buffer that is in no aperture */

/* Z3 */
static bool is_too_often(const struct vidmm_engine *engine)
{
    uint64_t oldest = engine->reset->times[engine->reset->next_time];

    return oldest != 0 && engine->time_ns + 1 - oldest < MINUTE_NS;
}

void vidmm_reset_begin(struct vidmm_engine *engine)
{
    struct vidmm_reset *reset = engine->reset;

    VIDMM_ASSERT(reset->stage != RESET_STOPPING && reset->next_time < RESETS_A_MINUTE);
    if (is_too_often(engine)) {
        vidmm_engine_fail(engine, VIDMM_REASON_TIMEOUT, STATUS_SUCCESS); /* obeys D-242 */
        return;
    }
    reset->times[reset->next_time] = engine->time_ns + 1;
    reset->next_time = (reset->next_time + 1) % RESETS_A_MINUTE;
    reset->stage = RESET_STOPPING;
    reset->restarted = false;
    reset->cursor = 0;
    *engine->recovery = (struct vidmm_recovery){.nodes = 0};
    engine->statistics.resets++;
}

/* ---- the GPU has stopped --------------------------------------------------------------------- */

/* All that was submitted counts as completed (D-367); flights that had come back and not gone again
 * only end. */
static void end_flights(struct vidmm_engine *engine)
{
    uint32_t node;

    VIDMM_ASSERT(engine->reset->stage == RESET_STOPPING);
    for (node = 0; node < engine->config.node_count; node++) {
        struct vidmm_node_state *state = &engine->nodes[node];
        struct vidmm_flight *flight;

        for (flight = state->timeline.flights.first; flight; flight = flight->next)
            if (!flight->paging && !flight->switches)
                ((struct vidmm_part *)flight)->work->status = STATUS_DEVICE_REMOVED;
        state->preempt_fence = 0;
        flight = state->timeline.flights.last;
        vidmm_land(engine, node, flight ? flight->fence : state->timeline.newest);
        state->timeline.completed = state->timeline.newest;
        vidmm_context_forget(engine, node);
    }
}

static void remove_devices(struct vidmm_engine *engine)
{
    uint32_t id;

    for (id = 0; id < engine->device_capacity; id++)
        vidmm_device_record_fail(engine, id, VIDMM_REASON_REMOVED, 0, STATUS_DEVICE_REMOVED);
}

void vidmm_reset_use_bootstrap(struct vidmm_engine *engine)
{
    struct vidmm_reset *reset = engine->reset;

    if (!reset->bootstrap) {
        reset->paging_first = engine->paging_first;
        reset->paging_count = engine->paging_count;
        reset->bootstrap = true;
    }
    engine->paging_first = BOOTSTRAP;
    engine->paging_count = 1;
    engine->paging_next = 0;
}

static void stopped(struct vidmm_engine *engine)
{
    VIDMM_ASSERT(engine->reset->stage == RESET_STOPPING);
    end_flights(engine);
    VIDMM_ASSERT(engine->in_flight == 0); /* F2 */
    remove_devices(engine);
    vidmm_work_unprepare(engine);
    vidmm_purge_begin(engine);
    if (engine->rest->stage == REST_UNMAPPING)
        engine->rest->stage = REST_EVICTING;
    vidmm_reset_use_bootstrap(engine);
    vidmm_table_write_anew(engine);
    engine->locks_may_go = true;
    engine->reset->telling = false;
    engine->reset->cursor = 0;
    engine->reset->stage = RESET_PURGING;
}

VIDMM_SEES(D_374);

void vidmm_reset_answer(struct vidmm_engine *engine, NTSTATUS status)
{
    VIDMM_ASSERT(engine->reset->stage == RESET_STOPPING || engine->reset->stage == RESET_PURGING);
    if (status != STATUS_SUCCESS)
        vidmm_engine_fail(engine, VIDMM_REASON_RESET_FAILED, status); /* obeys D-374 */
    else if (engine->reset->stage == RESET_STOPPING)
        stopped(engine);
    else
        engine->reset->restarted = true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static enum vidmm_progress call(struct vidmm_engine *engine, uint32_t kind, enum vidmm_call which)
{
    VIDMM_ASSERT(engine->call == CALL_NONE);
    if (!vidmm_plan_has_room(engine))
        return PROGRESS_WAIT;
    vidmm_emit(engine, kind);
    engine->call = which;
    return PROGRESS_CALL;
}

static enum vidmm_progress stop(struct vidmm_engine *engine)
{
    enum vidmm_progress progress = vidmm_purge_claim(engine);

    return progress == PROGRESS_IDLE ? call(engine, VIDMM_DO_RESET, CALL_RESET) : progress;
}

void vidmm_reset_map_again(struct vidmm_engine *engine)
{
    uint32_t id;

    for (id = 0; id < engine->placement_capacity; id++) {
        struct vidmm_placement *placement = engine->placements[id];

        if (placement && placement->buffer && vidmm_placement_has_range(placement) &&
            !placement->dying)
            vidmm_move_queue_in(engine, placement);
    }
    engine->reset->restarted = true;
    engine->reset->stage = RESET_MAPPING;
}

static enum vidmm_progress purge(struct vidmm_engine *engine)
{
    struct vidmm_reset *reset = engine->reset;
    enum vidmm_progress progress = vidmm_swizzling_release_all(engine); /* obeys D-239 */

    if (progress == PROGRESS_IDLE)
        progress = vidmm_host_aperture_release_all(engine);
    if (progress == PROGRESS_IDLE && !engine->flush_first) /* the buffer is full */
        progress = vidmm_purge_call(engine);

    if (progress == PROGRESS_IDLE && !reset->restarted) {
        return call(engine, VIDMM_DO_RESTART,
                    CALL_RESTART); /* obeys D-240: before any submission */
    }
    if (progress == PROGRESS_IDLE)
        progress = vidmm_paging_flush(engine);
    if (progress != PROGRESS_IDLE)
        return progress;
    if (engine->flush_first)
        engine->flush_first = false;
    else
        vidmm_reset_map_again(engine);
    return PROGRESS_MADE;
}

/* Command buffers are mapped by what is in the queue of moves. */
static enum vidmm_progress map(struct vidmm_engine *engine)
{
    enum vidmm_progress progress = vidmm_paging_go_on(engine);

    if (progress == PROGRESS_IDLE)
        progress = vidmm_paging_flush(engine);
    if (progress == PROGRESS_WAIT && vidmm_paging_flush(engine) == PROGRESS_CALL)
        return PROGRESS_CALL;
    if (progress != PROGRESS_IDLE)
        return progress;
    if (engine->in_flight > 0 || engine->finished)
        return PROGRESS_WAIT;
    VIDMM_ASSERT(engine->reset->bootstrap && engine->open_buffer == 0);
    engine->paging_first = engine->reset->paging_first;
    engine->paging_count = engine->reset->paging_count;
    engine->paging_next = 0;
    engine->reset->bootstrap = false;
    engine->reset->stage = RESET_NONE;
    if (engine->rest->stage == REST_NONE)
        vidmm_rest_grant(engine);
    return PROGRESS_MADE;
}

enum vidmm_progress vidmm_reset_call(struct vidmm_engine *engine)
{
    VIDMM_ASSERT(engine->reset->stage != RESET_NONE);
    switch (engine->reset->stage) {
    case RESET_NONE:
        break;
    case RESET_STOPPING:
        return stop(engine);
    case RESET_PURGING:
        return purge(engine);
    case RESET_MAPPING:
        return map(engine);
    }
    return PROGRESS_IDLE;
}
