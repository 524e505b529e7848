/* leaving.c: from the decision that some are to leave to the moves that follow from it.
 *
 *     leaving: a b c        b was given another place in its segment      queue: out(a) out(c)
 *                           meanwhile, and nothing stands there                  direct(b)
 *
 * A placement is in the list from the moment it lost its range until its moves are queued. By then
 * it may have a range again: the same (nothing is moved), or another one, to which it may go
 * directly.
 *
 * A page-out from a memory segment may need a place in an eviction aperture. Before its first call
 * decide/way_out.c is asked, and what it answers is done here: the move gets its list of steps.
 *
 * Invariants (M1 is in move.c)
 * M6. Nothing is called for a page-out whose way is not decided.
 * M7. Behind vidmm_leaving_queue() the list of those leaving is empty.
 */
#include "vidmm/engine/carry/leaving.h"

#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/decide/way_out.h"
#include "vidmm/engine/state/dying.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/swizzle.h"
#include "vidmm/engine/state/wish.h"

/* Whether the content may go straight to its new place: the present content, of others of the list
 * or a part of itself, must not be overwritten. */
static bool may_go_directly(const struct vidmm_engine *engine,
                            const struct vidmm_placement *placement)
{
    const struct vidmm_placement *other;
    uint64_t target;

    if (!engine->config.move_directly || engine->config.mmu.levels != 0 ||
        !vidmm_placement_has_range(placement) ||
        placement->given.segment != placement->at.segment ||
        engine->config.segments[placement->at.segment].move_in_two || /* obeys D-233 */
        vidmm_place_is_aperture(&placement->at))
        return false;
    target = placement->given.offset;
    for (other = engine->leaving.first; other; other = other->next) {
        uint64_t size = vidmm_wish_size_in(engine, &placement->wish, placement->at.segment);

        if (vidmm_place_is_in(&other->at, placement->at.segment) &&
            other->at.offset < target + size &&
            target < other->at.offset + vidmm_wish_size_in(engine, &other->wish, other->at.segment))
            return false;
    }
    return true;
}

static struct vidmm_placement *take_leaving(struct vidmm_engine *engine)
{
    struct vidmm_placement *placement = vidmm_placements_take(&engine->leaving);

    VIDMM_ASSERT(placement && placement->leaving);
    placement->leaving = false;
    vidmm_listing_follow(engine, placement); /* I1 */
    return placement;
}

void vidmm_leaving_queue(struct vidmm_engine *engine)
{
    struct vidmm_placements direct = {NULL, NULL};
    struct vidmm_placement *placement;

    while (engine->leaving.first) {
        bool directly = may_go_directly(engine, engine->leaving.first);

        placement = take_leaving(engine);
        if (directly)
            vidmm_placements_add(&direct, placement);
        else if (!vidmm_placement_is_settled(placement))
            vidmm_move_queue_out(engine, placement);
        vidmm_dying_reconsider(engine, placement);
    }
    /* after the page-outs, which make room; each makes room for the next */
    while ((placement = vidmm_placements_take(&direct)))
        vidmm_move_queue_direct(engine, placement);
}

/* ---- the way out of a memory segment --------------------------------------------------------- */

/* obeys S0-045: a pinned placement takes the room that the page-out needs */
static void lose(struct vidmm_engine *engine, struct vidmm_move *move)
{
    struct vidmm_placement *placement = vidmm_move_owner(move);

    VIDMM_ASSERT(move->state == MOVE_QUEUED && move->list == LIST_OUT);
    VIDMM_ASSERT(!vidmm_move_has_begun(move));
    vidmm_move_assign(move, LIST_DISCARD);
    move->swizzles = false; /* T5 */
    placement->dirty = false;
    if (vidmm_placement_is_followed(placement)) { /* the CPU will look at zeros */
        vidmm_emit(engine, VIDMM_DO_CLEAR)->allocation = placement->id;
        vidmm_swizzle_cleared(placement);
    }
    if (placement->moves->in.state == MOVE_QUEUED)
        vidmm_move_bring_first_content(engine, placement);
    else
        placement->at =
            vidmm_placement_is_followed(placement) ? vidmm_place_system() : vidmm_place_nowhere();
    if (!placement->context_allocation) {
        placement->lost = true;
        engine->any_lost = true;
        vidmm_emit(engine, VIDMM_DO_LOST)->allocation = placement->id;
    }
}

/* Do what was decided. */
static void leave(struct vidmm_engine *engine, struct vidmm_move *move,
                  const struct vidmm_way_out *out)
{
    switch (out->way) {
    case WAY_THROUGH:
        vidmm_move_assign(move, LIST_OUT_THROUGH); /* obeys S1-014 */
        vidmm_room_take_passage(engine, vidmm_move_owner(move), &out->passage);
        vidmm_leaving_queue(engine);
        break;
    case WAY_DIRECT:
        vidmm_move_assign(move, LIST_OUT_DIRECT);
        break;
    case WAY_LOST:
        lose(engine, move);
        break;
    case WAY_LATER:
        break;
    }
}

enum vidmm_progress vidmm_leaving_decide(struct vidmm_engine *engine)
{
    struct vidmm_move *move = vidmm_move_next(engine);
    struct vidmm_way_out out;

    if (!move || move->list != LIST_OUT)
        return PROGRESS_IDLE;
    out = vidmm_way_out_decide(engine, vidmm_move_owner(move));
    leave(engine, move, &out);
    VIDMM_ASSERT((move->list == LIST_OUT) == (out.way == WAY_LATER)); /* M6 */
    return out.way == WAY_LATER ? PROGRESS_WAIT : PROGRESS_IDLE;
}
