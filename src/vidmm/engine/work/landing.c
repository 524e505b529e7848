/* landing.c: packets end, in order of their fences, and each kind has its own consequences.
 *
 *     fence reported ---.                         .--> paging buffer: its moves are finished
 *     engine reset -----+--> flights up to it ----+--> DMA buffer: its part is complete
 *     adapter reset ----'                         '--> context switch: the node has left
 *
 * timeline.c and fence.c have the flights, and the invariants F1 to F4.
 */
#include "vidmm/engine/work/landing.h"

#include <vidmm/engine.h>

#include "vidmm/engine/carry/paging_buffer.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence_object.h"
#include "vidmm/engine/state/fence_state.h"
#include "vidmm/engine/work/work.h"

static void land(struct vidmm_engine *engine, struct vidmm_flight *flight)
{
    VIDMM_ASSERT(flight->follows || flight->returned || engine->in_flight > 0); /* F2 */

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
    struct vidmm_timeline *timeline = &engine->nodes[node].timeline;
    struct vidmm_flight *flight;

    VIDMM_ASSERT(node < engine->config.node_count);
    vidmm_timeline_complete(timeline, fence, engine->time_ns);
    while ((flight = vidmm_timeline_take(timeline, fence)))
        land(engine, flight);
    engine->monitored->signals_may_go = true;
    vidmm_fence_object_look_all(engine);
    VIDMM_ASSERT(timeline->completed >= fence);
}

bool vidmm_land_reported(struct vidmm_engine *engine, uint32_t node, uint32_t fence)
{
    const struct vidmm_timeline *timeline = &engine->nodes[node].timeline;
    uint64_t full = vidmm_timeline_widen(timeline, fence);

    VIDMM_ASSERT(node < engine->config.node_count);
    if (full <= timeline->completed || fence == 0)
        return true; /* reports coalesce, and an old one may come late */
    if (!vidmm_timeline_find(timeline, full))
        return false; /* D-357 */
    vidmm_land(engine, node, full);
    return true;
}
