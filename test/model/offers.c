/* offers.c: the order of leaving. */
#include "world_state.h"

#include <stdio.h>

/* How gladly it is given away: more gladly, the lower. */
static uint32_t rank(const struct allocation *allocation)
{
    return allocation->offer == VIDMM_OFFER_LOW    ? 1
           : allocation->offer == VIDMM_OFFER_HIGH ? 2
           : allocation->offer == 0                ? 3
                                                   : 0; /* neither: not judged */
}

bool world_stays(const struct world *world, uint32_t wanted)
{
    uint32_t id;

    for (id = 1; id < ALLOCATIONS; id++) {
        const struct allocation *allocation = &world->allocations[id];

        if (allocation->alive && rank(allocation) == wanted && allocation->busy == 0 &&
            allocation->locks == 0 && vidmm_engine_where(world->engine, id).segment == 2)
            return true;
    }
    return false;
}

const char *world_see_leave(struct world *world)
{
    uint32_t id, lower;

    for (id = 1; id < ALLOCATIONS; id++) {
        struct allocation *allocation = &world->allocations[id];
        bool was = allocation->stood;

        allocation->stood = vidmm_engine_where(world->engine, id).segment == 2;
        if (!was || allocation->stood || !allocation->alive)
            continue;
        world->counts.left[rank(allocation)]++;
        for (lower = 1; lower < rank(allocation); lower++) {
            if (world_stays(world, lower)) {
                return FAIL(world, "allocation %u leaves, and what is offered %s stays", id,
                            lower == 1 ? "low" : "high");
            }
        }
    }
    return NULL;
}
