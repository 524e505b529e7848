/* posted.c: the GPU's writes to AGP memory, before the CPU looks at them.
 *
 *     GPU --- writes ---> [ bridge: posted ] ---> system memory <--- reads --- CPU
 *         <-- reads  ----   all of it first
 *
 * A fence says that the GPU has done its writes, not that the bridge has. So before a lock is
 * granted on what the GPU has written through an AGP-type segment, the GPU is to write to a page
 * that is nobody's, and to read from the allocation: the earlier writes cannot stay behind (obeys
 * S4-036, S4-038). The two are one move of the allocation, its page-in, so that it is ordered like
 * one; its place does not change.
 *
 * Unmapping pushes writes through: the GART is the bridge's own.
 *
 * Invariants
 * O1. `posted` is set while a DMA buffer that writes the placement through such a segment has been
 *     submitted since the last such move was queued, or since it was mapped there.
 * O2. No lock is granted or shown while `posted` is set and the GPU does not use the placement.
 * O3. Its place is not unmapped before such a move has been executed.
 */
#include "vidmm/engine/carry/posted.h"

#include <vidmm/engine.h>

#include "base/assert.h"
#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/placement_table.h"

bool vidmm_posted_is_due(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return placement->posted && vidmm_place_is_aperture(&placement->at) &&
           engine->config.segments[placement->at.segment].agp && placement->references == 0;
}

void vidmm_posted_note(const struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    placement->posted = placement->posted || engine->config.segments[placement->at.segment].agp;
}

void vidmm_posted_push(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    VIDMM_ASSERT(placement->posted && placement->references == 0); /* O1 */
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_IN));
    placement->posted = false;
    vidmm_move_init(&placement->moves->in, engine->own_page ? LIST_PUSH : LIST_READ_BACK,
                    &placement->at);
    vidmm_move_enqueue(engine, &placement->moves->in);
}
