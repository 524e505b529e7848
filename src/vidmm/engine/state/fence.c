/* fence.c: packets in flight, by node, in order of their fences.
 *
 * One counter of fences serves the whole adapter, so an order between packets of different nodes
 * exists. The driver sees the low 32 bits, and those wrap; inside, fences are 64 bits and never do.
 * 0 as a SubmissionFenceId is left out: drivers begin with it as "nothing completed yet".
 *
 * Invariants
 * F1. The flights of a node stand in order of fence, and all are above `completed`, except flights
 *     that follow (no submission of their own): those share the fence of the one before.
 * F2. in_flight is the number of submitted flights of all nodes, at most config.queue_limit.
 * F3. A fence is on its node before the driver hears of it: an interrupt may come inside the call.
 * F4. `returned` of a node counts its flights that were preempted and wait to be submitted again;
 *     they stand behind those that are submitted, and no report can end them.
 */
#include "vidmm/engine/state/fence.h"

#include <base/assert.h>

bool vidmm_fence_room(const struct vidmm_engine *engine)
{
    return engine->in_flight < engine->config.queue_limit; /* obeys D-278 */
}

static void append(struct vidmm_engine *engine, struct vidmm_flight *flight, uint32_t node)
{
    struct vidmm_node_state *state = &engine->nodes[node];

    if (!state->flights.first)
        state->head_since_ns = engine->time_ns;
    vidmm_flights_add(&state->flights, flight);
}

uint64_t vidmm_fence_next(struct vidmm_engine *engine)
{
    if ((uint32_t)engine->next_fence == 0)
        engine->next_fence++;
    return engine->next_fence++;
}

void vidmm_fence_submit(struct vidmm_engine *engine, struct vidmm_flight *flight, uint32_t node)
{
    VIDMM_ASSERT(node < engine->config.node_count);
    VIDMM_ASSERT(!flight->returned);
    VIDMM_ASSERT(vidmm_fence_room(engine)); /* F2 */
    flight->fence = vidmm_fence_next(engine);
    flight->follows = false;
    engine->nodes[node].newest = flight->fence;
    engine->in_flight++;
    append(engine, flight, node);
}

bool vidmm_fence_follow(struct vidmm_engine *engine, struct vidmm_flight *flight, uint32_t node)
{
    VIDMM_ASSERT(node < engine->config.node_count);
    if (!engine->nodes[node].flights.last)
        return false;
    flight->fence = engine->nodes[node].flights.last->fence;
    flight->follows = true;
    append(engine, flight, node);
    return true;
}

/* The 64 bits behind an id are those nearest to the newest complete fence. */
uint64_t vidmm_fence_widen(const struct vidmm_engine *engine, uint32_t node, uint32_t fence)
{
    uint64_t near = engine->nodes[node].completed;

    VIDMM_ASSERT(node < engine->config.node_count);
    return near + (uint64_t)(int64_t)(int32_t)(fence - (uint32_t)near);
}

static const struct vidmm_flight *find(const struct vidmm_node_state *state, uint64_t fence)
{
    const struct vidmm_flight *flight = state->flights.first;

    while (flight && flight->fence < fence)
        flight = flight->next;
    return flight && flight->fence == fence && !flight->returned ? flight : NULL; /* F4 */
}

bool vidmm_fence_is_in_flight(const struct vidmm_engine *engine, uint32_t node, uint64_t fence)
{
    VIDMM_ASSERT(node < engine->config.node_count);
    return find(&engine->nodes[node], fence) != NULL;
}

bool vidmm_engine_pages(const struct vidmm_engine *engine, uint32_t node, uint32_t fence)
{
    const struct vidmm_flight *flight =
        node < engine->config.node_count
            ? find(&engine->nodes[node], vidmm_fence_widen(engine, node, fence))
            : NULL;

    return flight && flight->paging;
}

bool vidmm_fence_passed_elsewhere(const struct vidmm_engine *engine, uint64_t fence, uint32_t node)
{
    uint32_t other;

    for (other = 0; other < engine->config.node_count; other++) {
        const struct vidmm_flight *first = engine->nodes[other].flights.first;

        if (other != node && first && first->fence <= fence)
            return false;
    }
    return true;
}

bool vidmm_fence_any_in_flight(const struct vidmm_engine *engine)
{
    return !vidmm_fence_passed_elsewhere(engine, UINT64_MAX, VIDMM_NODES);
}

/* When the first flight of the node is overdue. */
static uint64_t due_at(const struct vidmm_engine *engine, uint32_t node)
{
    const struct vidmm_node_state *state = &engine->nodes[node];

    VIDMM_ASSERT(node < engine->config.node_count);
    return state->flights.first && !state->flights.first->returned
               ? state->head_since_ns + engine->config.timeout_ns
               : UINT64_MAX;
}

uint64_t vidmm_fence_deadline(const struct vidmm_engine *engine)
{
    uint64_t deadline = UINT64_MAX;
    uint32_t node;

    for (node = 0; node < engine->config.node_count; node++)
        if (due_at(engine, node) < deadline)
            deadline = due_at(engine, node);
    return deadline;
}

bool vidmm_fence_is_overdue(const struct vidmm_engine *engine, uint32_t node)
{
    return engine->time_ns >= due_at(engine, node);
}
