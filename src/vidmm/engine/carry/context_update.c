/* context_update.c: the driver changes the content of a context allocation, by the GPU.
 *
 *     memory segment <-- scratch range of the paging process <-- UpdateContextAllocation
 *                                                                      |
 *         UpdatePageTable, FlushTlb, UpdateContextAllocation --> fence --> GRANT
 *
 * The page-in of the placement does it, so that it is ordered like one: what the device submits
 * behind it finds the new content. The operation names no part of the allocation, so all of it is
 * mapped at once. Its place does not change.
 *
 * Source: "Context allocation", DXGKCB_UPDATECONTEXTALLOCATION.
 */
#include "vidmm/engine/carry/context_update.h"

#include <base/assert.h>
#include <vidmm/engine.h>

#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/placement_table.h"
#include "vidmm/engine/state/plan.h"

bool vidmm_context_update_may_begin(const struct vidmm_placement *placement)
{
    return vidmm_place_is_memory(&placement->at) && vidmm_placement_is_still(placement) &&
           !placement->leaving;
}

void vidmm_context_update_begin(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                uint32_t request)
{
    VIDMM_ASSERT(placement->context_allocation && placement->update_request == 0 && request != 0);
    VIDMM_ASSERT(vidmm_context_update_may_begin(placement));
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_IN));
    placement->update_request = request;
    placement->dirty = true;
    vidmm_move_init(&placement->moves->in, LIST_UPDATE_CONTEXT, &placement->at);
    vidmm_move_enqueue(engine, &placement->moves->in);
    vidmm_listing_follow(engine, placement); /* I1 */
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_QUEUE_IN));
}

/* obeys D-140: not before it has been executed */
void vidmm_context_update_end(struct vidmm_engine *engine, struct vidmm_placement *placement,
                              NTSTATUS status)
{
    struct vidmm_operation *grant;

    if (!placement->context_allocation || placement->update_request == 0)
        return;
    grant = vidmm_emit(engine, VIDMM_DO_GRANT);
    grant->allocation = placement->id;
    grant->grant.request = placement->update_request;
    grant->grant.status = (uint32_t)status;
    placement->update_request = 0;
}
