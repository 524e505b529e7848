/* show.c: the CPU's addresses follow a placement that was claimed while locks were held.
 *
 *     claimed, follows --> its moves --> arrived --> SHOW: the addresses lead to the new place
 *                      '-- none: the decision came to nothing --> SHOW: to the old one
 *
 * claim.c has the states, and the invariants L1 and L3. Writes that a bridge may hold back are
 * pushed through first (posted.c).
 */
#include "vidmm/engine/carry/show.h"

#include "vidmm/engine/carry/host_aperture.h"
#include "vidmm/engine/carry/posted.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/host_mapping.h"
#include "vidmm/engine/state/lock_table.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/reach.h"

/* An unmap that is still due does not touch it,
 * unless a bridge may hold some of it back until then (posted.c). */
bool vidmm_show_has_arrived(const struct vidmm_engine *engine,
                            const struct vidmm_placement *placement)
{
    const struct vidmm_move *out = &placement->moves->out;
    bool there = (vidmm_move_step(out)->flags & STEP_AFTER_FENCE) != 0 &&
                 !engine->config.segments[out->through.segment].agp;

    return placement->moves->in.state == MOVE_IDLE && !placement->leaving &&
           (out->state == MOVE_IDLE || there);
}

void vidmm_show(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_operation *show;

    if (!vidmm_placement_is_followed(placement) || !vidmm_show_has_arrived(engine, placement))
        return;
    if (vidmm_posted_is_due(engine, placement)) {
        vidmm_posted_push(engine, placement); /* all waiters wait for that, too */
        return;
    }
    if (vidmm_host_aperture_is_due(engine, placement))
        return; /* obeys S2-023: it is shown when its pages are mapped */
    VIDMM_ASSERT(!placement->leaving && placement->moves->in.state == MOVE_IDLE);
    vidmm_claim_forget(engine, placement);
    show = vidmm_emit(engine, VIDMM_DO_SHOW);
    show->allocation = placement->id;
    if (vidmm_place_is_memory(&placement->at)) {
        show->show.place = vidmm_place_tell(&placement->at);
        show->show.range = placement->lock_range;
        vidmm_lock_change(engine, placement, LOCK_SHOW);
        vidmm_host_renew(engine, placement);
    } else {
        vidmm_host_release(engine, placement);
        vidmm_reach_lend(engine, placement);
    }
    show->show.alternate = !vidmm_place_is_memory(&placement->at) && placement->away;
}

bool vidmm_show_unmoved(struct vidmm_engine *engine)
{
    struct vidmm_placement *placement = engine->followed, *next;
    bool moves = false;

    if (engine->call == CALL_CLAIM)
        return false; /* the decision is not over */
    for (; placement && vidmm_plan_has_room(engine); placement = next) {
        bool moved = placement->moves->in.state != MOVE_IDLE;

        next = placement->followed_next;
        vidmm_show(engine, placement);
        moves = moves || (!moved && placement->moves->in.state != MOVE_IDLE);
    }
    return moves;
}
