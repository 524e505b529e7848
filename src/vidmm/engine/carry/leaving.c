/* leaving.c: from the decision that some are to leave to the moves that follow from it.
 *
 *     leaving: a b c        b was given another place in its segment      queue: out(a) out(c)
 *                           meanwhile, and nothing stands there                  direct(b)
 *
 * A placement is in the list from the moment it lost its range until its moves are queued. By then
 * it may have a range again: the same (nothing is moved), or another one, to which it may go
 * directly.
 *
 * Invariant: behind vidmm_leaving_queue() the list is empty.
 */
#include "vidmm/engine/carry/leaving.h"

#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/state/dying.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/wish.h"

/* Whether the content may go straight to its new place: what is there now, others of the list or a
 * part of itself, must not be overwritten. */
static bool may_go_directly(const struct vidmm_engine *engine,
                            const struct vidmm_placement *placement)
{
    const struct vidmm_placement *other;
    uint64_t target;

    if (!engine->config.move_directly || !vidmm_placement_has_range(placement) ||
        placement->given.segment != placement->at.segment ||
        vidmm_place_is_aperture(&placement->at))
        return false;
    target = placement->given.offset;
    for (other = engine->leaving_first; other; other = other->next) {
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
    struct vidmm_placement *placement = engine->leaving_first;

    VIDMM_ASSERT(placement && placement->leaving);
    engine->leaving_first = placement->next;
    if (!engine->leaving_first)
        engine->leaving_last = NULL;
    placement->next = NULL;
    placement->leaving = false;
    return placement;
}

void vidmm_leaving_queue(struct vidmm_engine *engine)
{
    struct vidmm_placement *direct = NULL, **last = &direct;

    while (engine->leaving_first) {
        bool directly = may_go_directly(engine, engine->leaving_first);
        struct vidmm_placement *placement = take_leaving(engine);

        if (directly) {
            *last = placement;
            last = &placement->next;
        } else if (!vidmm_placement_is_settled(placement)) {
            vidmm_move_queue_out(engine, placement);
        }
        vidmm_dying_reconsider(engine, placement);
    }
    while (direct) { /* after the page-outs, which make room; each makes room for the next */
        struct vidmm_placement *placement = direct;

        direct = placement->next;
        placement->next = NULL;
        vidmm_move_queue_direct(engine, placement);
    }
}
