/* rest.c: everything leaves, and nothing is submitted, until the adapter has its power back.
 *
 *     REST: EVICTING ----> UNMAPPING ------> RESTING ----> RESUME: command buffers are mapped again
 *           allocations    command buffers   granted       (reset.c, MAPPING), then it is granted
 *           page out       are unmapped
 *
 * Content is saved: it pages out as for want of room, what is pinned too (S0-046). If the driver
 * preserves a segment through this change of power, its placements stay (D-040). If it preserves a
 * part of the segment, those that end within the part stay (D-028).
 *
 * Page tables keep their memory, whose bytes are lost: those of programs are written anew behind
 * RESUME, before a packet of theirs runs. The adapter has written those of the paging process then
 * (D-263). Addresses that a program changes meanwhile are written with them.
 *
 * RESUME may come before the rest is there, from who waited for it in vain. EVICTING ends at once:
 * allocations that have left come back when they are needed. UNMAPPING, which the GPU alone can
 * hold up, goes on to the rest and from there at once to its end.
 *
 * For a call of level two (D-309) the adapter keeps its power, D0: nothing is begun, what is in
 * flight ends, and all memory stays.
 *
 * Invariants
 * Q1. While RESTING nothing is in flight, no paging buffer is open, nothing is built, nothing is in
 *     an aperture, and in a memory segment only what is preserved. At D0 only the first three.
 * Q2. From REST to RESUME no DMA buffer is begun.
 *
 * Source: DXGK_SEGMENTFLAGS; DXGK_SEGMENTDESCRIPTOR4; "Threading and synchronization third level".
 */
#include "vidmm/engine/recover/rest.h"

#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/carry/refresh.h"
#include "vidmm/engine/carry/host_aperture.h"
#include "vidmm/engine/carry/swizzling_range.h"
#include "vidmm/engine/carry/table_write.h"
#include "vidmm/engine/recover/reset.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/recovery_state.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/evict_all.h"

NTSTATUS vidmm_rest_begin(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint32_t power = event->rest.power;

    if (engine->rest->stage != REST_NONE || engine->rest->request != 0 ||
        event->rest.request == 0 || power > VIDMM_POWER_HYBRID_SLEEP)
        return STATUS_INVALID_PARAMETER;
    *engine->rest = (struct vidmm_rest){REST_EVICTING, power, event->rest.request, false};
    return STATUS_SUCCESS;
}

/* The end of a rest: granted when command buffers are in place. */
static void end(struct vidmm_engine *engine)
{
    bool unmapped = engine->rest->stage == REST_RESTING && engine->rest->power != VIDMM_POWER_D0;

    VIDMM_ASSERT(engine->rest->stage != REST_NONE);
    if (unmapped && !engine->rest->withdrawn)
        vidmm_table_write_anew(engine);
    *engine->rest = (struct vidmm_rest){REST_NONE, 0, engine->rest->request, false};
    engine->locks_may_go = true;
    vidmm_refresh_resume(engine);
    if (unmapped)
        vidmm_reset_map_again(engine);
    else
        vidmm_rest_grant(engine);
}

NTSTATUS vidmm_rest_end(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    if (engine->rest->stage == REST_NONE || engine->rest->withdrawn || event->rest.request == 0)
        return STATUS_INVALID_PARAMETER;
    engine->rest->request = event->rest.request; /* the former requester waits no more */
    if (engine->rest->stage == REST_UNMAPPING)
        engine->rest->withdrawn = true;
    else
        end(engine);
    return STATUS_SUCCESS;
}

void vidmm_rest_grant(struct vidmm_engine *engine)
{
    if (engine->rest->request != 0) {
        vidmm_emit(engine, VIDMM_DO_GRANT)->grant.request = engine->rest->request;
        engine->rest->request = 0;
    }
}

static bool is_quiet(const struct vidmm_engine *engine)
{
    return engine->in_flight == 0 && engine->open_buffer == 0 && !engine->finished &&
           !engine->moves.first && !engine->unmaps.first && engine->synchronous == 0;
}

static void unmap_buffers(struct vidmm_engine *engine)
{
    uint32_t id;

    VIDMM_ASSERT(engine->rest->stage == REST_EVICTING);
    VIDMM_ASSERT(is_quiet(engine));
    vidmm_reset_use_bootstrap(engine);
    for (id = 0; id < engine->placement_capacity; id++) {
        struct vidmm_placement *placement = engine->placements[id];

        if (placement && placement->buffer && vidmm_place_is_segment(&placement->at) &&
            !placement->dying)
            vidmm_move_queue_out(engine, placement);
    }
    engine->rest->stage = REST_UNMAPPING;
}

static void rest(struct vidmm_engine *engine)
{
    VIDMM_ASSERT(is_quiet(engine));
    engine->rest->stage = REST_RESTING; /* Q1 */
    if (engine->rest->withdrawn)
        end(engine);
    else
        vidmm_rest_grant(engine);
}

/* Nothing leaves. */
static enum vidmm_progress come_to_rest(struct vidmm_engine *engine)
{
    VIDMM_ASSERT(engine->rest->power == VIDMM_POWER_D0);
    if (engine->turn && engine->turn->begun)
        return PROGRESS_IDLE; /* it goes first */
    if (is_quiet(engine))
        rest(engine);
    return PROGRESS_WAIT;
}

static enum vidmm_progress evict(struct vidmm_engine *engine)
{
    enum vidmm_progress progress;

    VIDMM_ASSERT(engine->rest->power != VIDMM_POWER_D0);
    if (engine->turn && engine->turn->begun)
        return PROGRESS_IDLE; /* it goes first */
    progress = vidmm_evict_all_begin(engine, VIDMM_EXCEPTION_LEVEL_THREE);
    if (progress != PROGRESS_IDLE)
        return progress;
    if (!is_quiet(engine))
        return PROGRESS_WAIT;
    progress = vidmm_swizzling_release_all(engine);
    if (progress == PROGRESS_IDLE)
        progress = vidmm_host_aperture_release_all(engine);
    if (progress != PROGRESS_IDLE)
        return progress;
    unmap_buffers(engine);
    return PROGRESS_MADE;
}

enum vidmm_progress vidmm_rest_call(struct vidmm_engine *engine)
{
    switch (engine->rest->stage) {
    case REST_NONE:
        return PROGRESS_IDLE;
    case REST_EVICTING:
        if (engine->rest->withdrawn) { /* a reset came while it was UNMAPPING */
            end(engine);
            return PROGRESS_MADE;
        }
        return engine->rest->power == VIDMM_POWER_D0 ? come_to_rest(engine) : evict(engine);
    case REST_UNMAPPING:
        if (!is_quiet(engine))
            return PROGRESS_WAIT;
        rest(engine);
        return engine->rest->stage == REST_RESTING ? PROGRESS_WAIT : PROGRESS_MADE;
    case REST_RESTING:
        break;
    }
    return PROGRESS_WAIT; /* Q2 */
}
