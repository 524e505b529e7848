/* way_out.c: how the content of a memory segment leaves it.
 *
 *     a place in an aperture of its EvictionSegmentSet?    yes: through it
 *        | no
 *     something in flight ends, and makes one?             yes: later
 *        | no
 *     is only what is pinned in the way?                   yes: the content is lost (S0-045)
 *        | no
 *     straight to the MDL
 *
 * It is decided when the page-out is next to be built, and not before: the moves before it in the
 * queue give their own passages back by then.
 */
#include "vidmm/engine/decide/way_out.h"

#include <base/assert.h>

#include "vidmm/engine/decide/exception.h"
#include "vidmm/engine/state/placement_state.h"

struct vidmm_way_out vidmm_way_out_decide(struct vidmm_engine *engine,
                                          const struct vidmm_placement *placement)
{
    struct vidmm_way_out out = {.way = WAY_THROUGH};

    VIDMM_ASSERT(placement->moves->out.state == MOVE_QUEUED && placement->wish.eviction_set != 0);
    switch (vidmm_room_find_passage(engine, placement, &out.passage)) {
    case FOUND:
        break;
    case FOUND_LATER:
        out.way = WAY_LATER;
        break;
    case FOUND_CALL: /* a place in an aperture needs no claim */
    case FOUND_NONE:
        out.way = vidmm_is_pinned_out(engine, placement) ? WAY_LOST : WAY_DIRECT;
        break;
    }
    return out;
}
