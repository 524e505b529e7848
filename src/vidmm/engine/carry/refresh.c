/* refresh.c: bringing the copy in a memory segment up to date when the CPU has written the backing
 * store.
 *
 *     lock (backing store)  write pages 3, 4, 9  unlock --> REFRESH 3+2, REFRESH 9+1
 *     ... as one move: transfer pages 3, 4; transfer page 9; and then the GPU may look again
 *
 * An allocation that keeps its backing store is locked there wherever it is (S0-012). The pages
 * that the CPU has written, and only those, are transferred to the segment by the page-in of the
 * placement: so the transfer is ordered like a page-in. If there is no copy when the pages become
 * known, or when their turn comes, nothing is to be done. refreshes.c keeps the pages that are due.
 *
 * Invariants (X1 is in refreshes.c)
 * X2. While pages are due no DMA buffer that names the placement is submitted.
 * X3. While the adapter rests pages stay due: nothing is built without power.
 */
#include "vidmm/engine/carry/refresh.h"

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/recovery_state.h"
#include "vidmm/engine/state/refreshes.h"

NTSTATUS vidmm_refresh_check(const struct vidmm_engine *engine, const struct vidmm_event *event)
{
    const struct vidmm_placement *placement =
        vidmm_placement_find(engine, event->refresh.allocation);
    uint64_t pages = placement ? placement->wish.size / VIDMM_PAGE_SIZE : 0;

    if (!placement || placement->dying || (placement->wish.flags & VIDMM_KEEPS_COPY) == 0 ||
        event->refresh.count == 0 || event->refresh.first >= pages ||
        event->refresh.count > pages - event->refresh.first)
        return STATUS_INVALID_PARAMETER;
    return STATUS_SUCCESS;
}

void vidmm_refresh_add(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, event->refresh.allocation);

    VIDMM_ASSERT(placement && !placement->dying);
    VIDMM_ASSERT((placement->wish.flags & VIDMM_KEEPS_COPY) != 0 && placement->refreshes);
    if (vidmm_place_is_memory(&placement->at)) {
        vidmm_refreshes_add(engine, placement, event->refresh.first, event->refresh.count);
        vidmm_refresh_begin(engine, placement);
    }
}

void vidmm_refresh_begin(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (!vidmm_refresh_is_due(placement) || !vidmm_placement_is_still(placement) ||
        placement->leaving || engine->rest->stage == REST_RESTING) /* X3 */
        return;
    vidmm_move_queue_refresh(engine, placement);
}

void vidmm_refresh_resume(struct vidmm_engine *engine)
{
    uint32_t id;

    for (id = 0; id < engine->placement_capacity; id++)
        if (engine->placements[id])
            vidmm_refresh_begin(engine, engine->placements[id]);
}
