/* move_pair.c: who has a pair of moves.
 *
 * Invariants
 * MP1. A placement has a pair of its own if it has a range, if its content is in a segment, if a
 *      residency list names it, or a work that may give it a range; a buffer and a context
 *      allocation from their creation on. A page table never moves, and has none.
 * MP2. A pair says whose it is. The one that is nobody's is idle, and is not written.
 */
#include "vidmm/engine/state/move_pair.h"

#include <base/assert.h>
#include <base/pool.h>

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement_state.h"

const struct vidmm_move_pair vidmm_no_moves = {.in = {.inward = true}};

void vidmm_move_pair_init(struct vidmm_placement *placement)
{
    placement->moves = (struct vidmm_move_pair *)(uintptr_t)&vidmm_no_moves; /* MP2 */
}

bool vidmm_move_pair_create(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_move_pair *moves = vidmm_pool_take(engine->move_pool);

    VIDMM_ASSERT(!vidmm_move_pair_is_own(placement) && placement->id < VIDMM_TABLE_IDS); /* MP1 */
    if (!moves)
        return false;
    moves->placement = placement; /* MP2 */
    moves->in.inward = true;
    placement->moves = moves;
    return true;
}

void vidmm_move_pair_destroy(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (!vidmm_move_pair_is_own(placement))
        return;
    VIDMM_ASSERT(placement->moves->in.state == MOVE_IDLE);
    VIDMM_ASSERT(placement->moves->out.state == MOVE_IDLE);
    vidmm_pool_release(engine->move_pool, placement->moves);
    vidmm_move_pair_init(placement);
}

/* Whether it has to have one, whatever works name it. MP1 */
static bool is_needed(const struct vidmm_placement *placement)
{
    return vidmm_place_is_segment(&placement->given) || vidmm_place_is_segment(&placement->at) ||
           placement->listings || placement->buffer || placement->context_allocation;
}

void vidmm_move_pair_reconsider(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    const struct vidmm_move_pair *moves = placement->moves;

    if (is_needed(placement) || placement->references > 0 || moves->in.state != MOVE_IDLE ||
        moves->out.state != MOVE_IDLE || vidmm_move_has_passage(&moves->out))
        return;
    vidmm_move_pair_destroy(engine, placement);
}

void vidmm_move_pair_check(const struct vidmm_placement *placement)
{
    bool table = placement->id >= VIDMM_TABLE_IDS;

    VIDMM_VERIFY(vidmm_move_pair_is_own(placement) || table || !is_needed(placement)); /* MP1 */
    VIDMM_VERIFY(!vidmm_move_pair_is_own(placement) ||
                 placement->moves->placement == placement); /* MP2 */
    VIDMM_VERIFY(!table || !vidmm_move_pair_is_own(placement));
}
