/* landing.c: packets end, in order of their fences, and each kind has its own consequences.
 *
 *     fence reported ---.                         .--> paging buffer: its moves are finished
 *     engine reset -----+--> flights up to it ----+--> DMA buffer: its part is complete
 *     adapter reset ----'                         '--> context switch: the node has left
 *
 * fence.c has the flights, and the invariants F1 to F4.
 */
#include "vidmm/engine/work/landing.h"

#include "vidmm/engine/carry/paging.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/work/work.h"

static void land(struct vidmm_engine *engine, struct vidmm_flight *flight)
{
    if (!flight->follows && !flight->returned)
        engine->in_flight--;
    flight->returned = false;
    if (flight->paging)
        vidmm_paging_complete(engine, (struct vidmm_paging_buffer *)flight);
    else if (flight->switches)
        vidmm_context_left(engine, flight);
    else
        vidmm_work_complete(engine, (struct vidmm_part *)flight);
}

void vidmm_land(struct vidmm_engine *engine, uint32_t node, uint64_t fence)
{
    struct vidmm_node_state *state = &engine->nodes[node];

    VIDMM_ASSERT(node < engine->config.node_count);
    state->completed = fence > state->completed ? fence : state->completed;
    while (state->flights.first && state->flights.first->fence <= fence) {
        struct vidmm_flight *flight = vidmm_flights_take(&state->flights);

        state->returned -= flight->returned ? 1 : 0;
        land(engine, flight);
    }
    state->head_since_ns = engine->time_ns;
}

bool vidmm_land_reported(struct vidmm_engine *engine, uint32_t node, uint32_t fence)
{
    struct vidmm_node_state *state = &engine->nodes[node];
    uint64_t full = vidmm_fence_widen(engine, node, fence);

    VIDMM_ASSERT(node < engine->config.node_count);
    if (full <= state->completed || fence == 0)
        return true; /* reports coalesce, and an old one may come late */
    if (!vidmm_fence_is_in_flight(engine, node, full))
        return false; /* D-357 */
    vidmm_land(engine, node, full);
    return true;
}
