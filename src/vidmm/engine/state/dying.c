/* dying.c: allocations that their owner has destroyed, until nothing refers to them any more.
 *
 *     dying --> nothing refers to it: in the list --> burial.c looks at it
 *
 * When the thing that a dying placement waits for ends, the placement is looked at again.
 * placement.c has the whole life, and the invariant P5.
 */
#include "vidmm/engine/state/dying.h"

#include <vidmm/engine.h>

#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/host_mapping.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/placement_state.h"

bool vidmm_dying_may_go(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return placement->dying &&
           !(placement->context_allocation && vidmm_context_stays_inside(engine, placement)) &&
           placement->references == 0 && !placement->listings && !placement->leaving &&
           !placement->held && vidmm_placement_is_still(placement) && placement->ranges == 0 &&
           !vidmm_host_has(engine, placement) && engine->call_claim != placement &&
           engine->mmu->call.names != placement->id; /* P5 */
}

void vidmm_dying_reconsider(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (vidmm_dying_may_go(engine, placement) && !placement->on_dying) {
        placement->on_dying = true;
        placement->next = engine->dying;
        engine->dying = placement;
    }
}

void vidmm_dying_reconsider_contexts(struct vidmm_engine *engine)
{
    uint32_t segment;

    for (segment = 1; segment <= engine->config.segment_count; segment++) {
        struct vidmm_placement *placement = engine->segments[segment].oldest;

        for (; placement; placement = placement->newer)
            if (placement->context_allocation)
                vidmm_dying_reconsider(engine, placement);
    }
}
