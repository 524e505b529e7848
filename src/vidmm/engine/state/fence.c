/* fence.c: the packets in flight on all nodes of an adapter.
 *
 * One counter of fences serves the whole adapter, so an order between packets of different nodes
 * exists, and a fence that somebody waits for need not name a node.
 *
 * Invariants (F1 and F4 are in timeline.c)
 * F2. in_flight is the number of submitted flights of all nodes, at most config.queue_limit; those
 *     of one node are config.node_queue_limit at most, unless that is 0, and those of the hardware
 *     queues of one node together config.hw_queue_limit.
 * F3. A fence is on its node before the driver hears of it: an interrupt may come inside the call.
 */
#include "vidmm/engine/state/fence.h"

#include <base/assert.h>
#include <vidmm/engine.h>

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/timeline.h"

bool vidmm_node_is_hw_queue(const struct vidmm_engine *engine, uint32_t node)
{
    return engine->config.hw_first != 0 && node >= engine->config.hw_first;
}

/* Packets in flight on one node, counted up to a limit. */
static uint32_t count_on(const struct vidmm_engine *engine, uint32_t node, uint32_t limit)
{
    const struct vidmm_flight *flight = engine->nodes[node].timeline.flights.first;
    uint32_t count = 0;

    for (; flight && count < limit; flight = flight->next)
        count += flight->follows || flight->returned ? 0 : 1;
    return count;
}

/* Whether the hardware queues of its node have as many together as the driver takes. */
static bool are_full(const struct vidmm_engine *engine, uint32_t node)
{
    const struct vidmm_engine_config *config = &engine->config;
    uint32_t first = node - (node - config->hw_first) % config->hw_queues;
    uint32_t limit = config->hw_queue_limit, count = 0, other;

    for (other = first; other < first + config->hw_queues && count < limit; other++)
        count += count_on(engine, other, limit);
    return limit != 0 && count >= limit;
}

/* A driver states 15 at most for a node of its own. */
static bool is_full(const struct vidmm_engine *engine, uint32_t node)
{
    uint32_t limit = engine->config.node_queue_limit;

    if (vidmm_node_is_hw_queue(engine, node))
        return are_full(engine, node);
    return limit != 0 && count_on(engine, node, limit) >= limit;
}

bool vidmm_fence_room(const struct vidmm_engine *engine, uint32_t node)
{
    VIDMM_ASSERT(node < engine->config.node_count);
    return engine->in_flight < engine->config.queue_limit && /* obeys D-278 */
           !is_full(engine, node);                           /* obeys D-305 */
}

void vidmm_fence_submit(struct vidmm_engine *engine, struct vidmm_flight *flight, uint32_t node)
{
    VIDMM_ASSERT(node < engine->config.node_count);
    VIDMM_ASSERT(vidmm_fence_room(engine, node)); /* F2 */
    vidmm_timeline_submit(&engine->nodes[node].timeline, flight, engine->time_ns);
    engine->in_flight++;
}

bool vidmm_engine_pages(const struct vidmm_engine *engine, uint32_t node, uint32_t fence)
{
    const struct vidmm_timeline *timeline;
    const struct vidmm_flight *flight;

    if (node >= engine->config.node_count)
        return false;
    timeline = &engine->nodes[node].timeline;
    flight = vidmm_timeline_find(timeline, vidmm_timeline_widen(timeline, fence));
    return flight && flight->paging;
}

bool vidmm_fence_passed_elsewhere(const struct vidmm_engine *engine, uint64_t fence, uint32_t node)
{
    uint32_t other;

    for (other = 0; other < engine->config.node_count; other++)
        if (other != node && !vidmm_timeline_has_passed(&engine->nodes[other].timeline, fence))
            return false;
    return true;
}

bool vidmm_fence_any_in_flight(const struct vidmm_engine *engine)
{
    return !vidmm_fence_passed_elsewhere(engine, UINT64_MAX, VIDMM_NODES);
}

uint64_t vidmm_fence_deadline(const struct vidmm_engine *engine)
{
    uint64_t deadline = UINT64_MAX;
    uint32_t node;

    for (node = 0; node < engine->config.node_count; node++) {
        uint64_t due = vidmm_timeline_due(&engine->nodes[node].timeline, engine->config.timeout_ns);

        deadline = due < deadline ? due : deadline;
    }
    return deadline;
}

bool vidmm_fence_is_overdue(const struct vidmm_engine *engine, uint32_t node)
{
    VIDMM_ASSERT(node < engine->config.node_count);
    return engine->time_ns >=
           vidmm_timeline_due(&engine->nodes[node].timeline, engine->config.timeout_ns);
}
