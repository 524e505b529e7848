/* burial.c: the end of an allocation.
 *
 *     destroyed by its owner --> dying --> nothing refers to it --+--> its record is given back
 *                                                                 '--> unmapped, or discarded,
 *                                                                      first; then it comes again
 *
 * placement.c says when nothing refers to it (P5). Its addresses go when no residency list names it
 * any more: commands that were queued before its end still find it there.
 */
#include "vidmm/engine/work/burial.h"

#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/dying.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/host_mapping.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/work/eviction.h"
#include "vidmm/engine/work/work.h"

void vidmm_burial_begin(struct vidmm_engine *engine, struct vidmm_placement *placement,
                        uint32_t unused_by)
{
    VIDMM_ASSERT(!placement->dying);
    vidmm_eviction_forget(engine, placement); /* EV1 */
    placement->dying = true;
    vidmm_host_die(engine, placement);
    engine->locks_may_go = true;
    if (placement->buffer && placement->references > 0)
        vidmm_work_unpin(engine, placement->id);
    if (placement->listings)
        vidmm_residency_end(engine, placement, unused_by); /* obeys S2-005, D-181 */
    if (!placement->listings)
        vidmm_process_unmap(engine, placement); /* obeys D-184 */
    vidmm_dying_reconsider(engine, placement);
}

/* A placement that is mapped into an aperture is unmapped before its pages go; a place in a memory
 * segment is free at once, unless it is a context's that a node still runs. */
static void bury(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    bool mapped = vidmm_place_is_aperture(&placement->at);
    bool discards = vidmm_place_is_memory(&placement->at) && vidmm_context_holds(engine, placement);

    VIDMM_ASSERT(placement->dying && placement->references == 0 && !placement->listings);
    vidmm_process_unmap(engine, placement); /* obeys D-184 */
    if (vidmm_placement_has_range(placement))
        vidmm_placement_unsettle(engine, placement);
    if (mapped) {
        vidmm_move_queue_out(engine, placement);
        return;
    }
    if (discards) {
        vidmm_move_queue_discard(engine, placement); /* obeys D-138 */
        return;
    }
    VIDMM_ASSERT(!vidmm_placement_has_range(placement));
    vidmm_emit(engine, VIDMM_DO_DESTROY)->allocation = placement->id;
    vidmm_placement_free(engine, placement);
}

bool vidmm_burial_serve(struct vidmm_engine *engine)
{
    struct vidmm_placement *placement = engine->dying;

    if (!placement)
        return false;
    VIDMM_ASSERT(placement->on_dying && placement->dying);
    engine->dying = placement->next;
    placement->next = NULL;
    placement->on_dying = false;
    if (vidmm_dying_may_go(engine, placement))
        bury(engine, placement);
    return true;
}
