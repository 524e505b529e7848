/* context.c: which context each node runs, and how it is made to leave it.
 *
 *      packets of a node     A   A   P   B   B   switch
 *      runs                  A---------->B------>nothing
 *      since                 |           |       |
 *
 * A GPU may keep the state of a context after the context's last command, and write it to memory
 * only when a packet of another context begins. So what a context has used since the node runs it
 * is not moved while the node may still hold that state: a packet without commands and with
 * ContextSwitch goes to the node first, and the paging buffer that moves it waits for that packet.
 * The allocations that the context before has used wait for the packet that took its place. Paging
 * buffers belong to no context: the node runs the same one behind them.
 *
 * A context allocation is where the GPU keeps that state. It is a reference of each of the
 * context's DMA buffers that no allocation list shows, and it stays while a node runs the context
 * (D-138): it is nobody's victim. Only where there is no room without it is the node made to leave
 * the context first. One that is destroyed gives its place up by DiscardContent, behind the same
 * switch.
 *
 * A preemption changes nothing of this: packets that come back go again in their order, and end in
 * the same run.
 *
 * On a GPU with page tables nobody says what a context has used: only context allocations are known
 * to be its own. A written primary is moved when its packet is done, without a switch.
 *
 * From WDDM 2.0 on a context allocation is on the residency list of its device besides
 * (make_resident.c), as long as it lives.
 *
 * A driver that is not MultiEngineAware knows no contexts: there a node runs a device.
 *
 * Before Windows 8 there is no ContextSwitch, and all of this is nothing (config.context_switches).
 *
 * Invariants
 * N1. The switch of a node is among its flights exactly while `switching`.
 * N2. `since` of a node is the fence of the packet that began the run, or ended the last: a later
 *     use of a placement that is `used_on` the node is a use by what it runs.
 * N3. The range of a context allocation is given up for another only when no node keeps it.
 *
 * Source: DXGK_SUBMITCOMMANDFLAGS / ContextSwitch; DXGKCB_CREATECONTEXTALLOCATION.
 */
#include "vidmm/engine/state/context.h"

#include <vidmm/engine.h>

#include "base/assert.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/timeline.h"
#include "vidmm/engine/state/work_state.h"

static uint64_t bit(uint32_t node)
{
    return UINT64_C(1) << node;
}

/* Whether what the node runs has used the placement. */
bool vidmm_context_has_used(const struct vidmm_engine *engine,
                            const struct vidmm_placement *placement, uint32_t node)
{
    const struct vidmm_node_state *state = &engine->nodes[node];

    VIDMM_ASSERT(node < engine->config.node_count);
    return state->context != 0 && (placement->used_on & bit(node)) != 0 &&
           placement->last_use >= state->since; /* N2 */
}

void vidmm_context_use(const struct vidmm_engine *engine, struct vidmm_placement *placement,
                       uint32_t node)
{
    uint32_t other;

    VIDMM_ASSERT(node < engine->config.node_count);
    if (!engine->config.context_switches ||
        (engine->config.mmu.levels != 0 && !placement->context_allocation))
        return;
    for (other = 0; placement->used_on >> other != 0 && other < engine->config.node_count;
         other++) {
        const struct vidmm_node_state *state = &engine->nodes[other];

        if (placement->last_use < state->since && state->since <= state->timeline.completed)
            placement->used_on &= ~bit(other); /* N2: and it has left that run */
    }
    placement->used_on |= bit(node);
}

void vidmm_context_run(struct vidmm_engine *engine, uint32_t node, uint32_t context, uint64_t fence)
{
    struct vidmm_node_state *state = &engine->nodes[node];

    VIDMM_ASSERT(node < engine->config.node_count);
    VIDMM_ASSERT(fence != 0);
    if (vidmm_node_is_hw_queue(engine, node))
        return; /* the GPU itself says which context it runs, and nobody can have it leave one */
    state->paged = false;
    if (state->context != context || context == 0) {
        state->context = context;
        state->since = fence;
    }
}

void vidmm_context_page(struct vidmm_engine *engine, uint32_t node)
{
    VIDMM_ASSERT(node < engine->config.node_count);
    engine->nodes[node].paged = true;
}

void vidmm_context_renumber(struct vidmm_engine *engine, uint32_t node, uint64_t old,
                            uint64_t fence)
{
    VIDMM_ASSERT(node < engine->config.node_count);
    VIDMM_ASSERT(fence > old);
    if (engine->nodes[node].since == old)
        engine->nodes[node].since = fence;
}

void vidmm_context_forget(struct vidmm_engine *engine, uint32_t node)
{
    VIDMM_ASSERT(node < engine->config.node_count);
    if (!engine->nodes[node].timeline.flights.first) { /* packets that come back will run as they
                                                        * did */
        engine->nodes[node].context = 0;
        engine->nodes[node].paged = false;
    }
}

/* Whether the node stands between two parts of a DMA buffer: the rest of it leans on what the first
 * parts left in the GPU, and only paging comes between them (D-342). */
bool vidmm_context_is_inside(const struct vidmm_engine *engine, uint32_t node)
{
    const struct vidmm_work *work = engine->turn;

    return work && work->begun && work->dma_buffer != 0 && work->node == node && work->first > 0;
}

/* ---- switches -------------------------------------------------------------------------------- */

void vidmm_context_left(struct vidmm_engine *engine, const struct vidmm_flight *flight)
{
    uint32_t node;

    VIDMM_ASSERT(flight->switches);
    for (node = 0; node < engine->config.node_count; node++)
        if (flight == &engine->nodes[node].switch_flight)
            engine->nodes[node].switching = false; /* N1 */
}

uint64_t vidmm_context_fence(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement)
{
    uint64_t fence = 0;
    uint32_t node;

    for (node = 0; engine->config.context_switches && node < engine->config.node_count; node++) {
        const struct vidmm_node_state *state = &engine->nodes[node];

        if ((placement->used_on & bit(node)) != 0 && state->since > fence)
            fence = state->since;
    }
    return fence;
}

/* ---- context allocations --------------------------------------------------------------------- */

bool vidmm_context_keeps(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    uint32_t node;

    if (!placement->context_allocation || !engine->config.context_switches)
        return false;
    for (node = 0; node < engine->config.node_count; node++)
        if (vidmm_context_has_used(engine, placement, node))
            return true;
    return false;
}

bool vidmm_context_holds(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return placement->context_allocation &&
           (vidmm_context_keeps(engine, placement) ||
            !vidmm_fence_passed_elsewhere(engine, vidmm_context_fence(engine, placement),
                                          VIDMM_NODES));
}

bool vidmm_context_stays_inside(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement)
{
    uint32_t node;

    VIDMM_ASSERT(placement->context_allocation);
    for (node = 0; node < engine->config.node_count; node++)
        if (engine->config.context_switches && vidmm_context_has_used(engine, placement, node) &&
            vidmm_context_is_inside(engine, node))
            return true;
    return false;
}
