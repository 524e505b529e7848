/* finish.c: the consequences of a move whose fence has passed.
 *
 *     page-in   the backing store is dropped, if the content is in the segment alone
 *     page-out  through an aperture: its unmap is due
 *     both      whoever waited is shown, granted, buried
 *
 * move.c draws the states of a move.
 */
#include "vidmm/engine/carry/finish.h"

#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/context_update.h"
#include "vidmm/engine/carry/fence_signal.h"
#include "vidmm/engine/carry/isolation.h"
#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/carry/refresh.h"
#include "vidmm/engine/carry/segment_read.h"
#include "vidmm/engine/carry/show.h"
#include "vidmm/engine/state/dying.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/move_pair.h"
#include "vidmm/engine/state/move_table.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/placement_table.h"
#include "vidmm/engine/state/plan.h"

/* The content is in the segment alone from here on (S0-008), unless it is on its way back. */
static void drop_backing(struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    bool keeps_copy = (placement->wish.flags & VIDMM_KEEPS_COPY) != 0; /* obeys S0-009, S3-007 */

    if (vidmm_place_is_memory(&placement->at) && placement->moves->out.state == MOVE_IDLE &&
        vidmm_move_brings_bytes(&placement->moves->in) && !keeps_copy)
        vidmm_emit(engine, VIDMM_DO_DROP)->allocation = placement->id;
}

bool vidmm_move_finish(struct vidmm_engine *engine)
{
    struct vidmm_move *move = engine->finished;
    struct vidmm_placement *placement;

    if (!move)
        return false;
    engine->finished = move->next;
    move->next = NULL;
    placement = vidmm_move_owner(move);
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_FINISH));
    if (vidmm_move_next_step(move)) {
        vidmm_move_make_due(engine, move);
        vidmm_show(engine, placement); /* obeys D-147 */
        return true;
    }
    engine->alone -= (vidmm_move_step(move)->flags & STEP_ALONE) != 0 ? 1 : 0;
    vidmm_move_change(move, MOVE_FINISH);
    vidmm_place_drop_runs(engine, placement);
    vidmm_listing_follow(engine, placement);                        /* I1 */
    engine->synchronous -= vidmm_move_is_synchronous(move) ? 1 : 0; /* M5 */
    if (move->inward)
        drop_backing(engine, placement);
    vidmm_isolation_follow(engine, placement); /* obeys D-235 */
    vidmm_segment_read_end(engine, placement, STATUS_SUCCESS);
    vidmm_context_update_end(engine, placement, STATUS_SUCCESS);
    vidmm_fence_signal_end(engine, placement);
    vidmm_refresh_begin(engine, placement);
    vidmm_show(engine, placement); /* obeys D-147 */
    engine->locks_may_go = true;
    vidmm_dying_reconsider(engine, placement);
    vidmm_move_pair_reconsider(engine, placement);
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_FINISH));
    return true;
}
