/* switch.c: packets without commands, by which a node leaves its context.
 *
 * context.c says why, and has the invariants N1 to N3. A paging buffer that moves what the context
 * has used waits for the fence of the switch.
 */
#include "vidmm/engine/carry/switch.h"

#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/standstill.h"

void vidmm_switch_tell(struct vidmm_engine *engine, uint32_t node, bool again)
{
    struct vidmm_node_state *state = &engine->nodes[node];
    struct vidmm_operation *operation = vidmm_emit(engine, VIDMM_DO_SWITCH);

    VIDMM_ASSERT(node < engine->config.node_count);
    VIDMM_ASSERT(engine->call == CALL_NONE);
    operation->switching.node = node;
    operation->switching.context = state->left;
    operation->switching.paging = state->left_paging;
    operation->switching.again = again;
    operation->switching.fence = (uint32_t)state->switch_flight.fence;
    engine->call = CALL_SUBMIT;
}

static enum vidmm_progress switch_off(struct vidmm_engine *engine, uint32_t node)
{
    struct vidmm_node_state *state = &engine->nodes[node];

    VIDMM_ASSERT(node < engine->config.node_count);
    VIDMM_ASSERT(state->context != 0);
    if (state->switching || !vidmm_fence_room(engine, node) || !vidmm_plan_has_room(engine) ||
        vidmm_recovery_blocks(engine, node) || engine->reading) /* J1: it may write its state */
        return PROGRESS_WAIT;
    state->switching = true; /* N1 */
    state->left = state->context;
    state->left_paging = state->paged;
    state->paged = false;
    vidmm_fence_submit(engine, &state->switch_flight, node);
    state->context = 0;
    state->since = state->switch_flight.fence; /* N2 */
    engine->statistics.context_switches++;
    vidmm_switch_tell(engine, node, false); /* obeys D-256 */
    return PROGRESS_CALL;
}

enum vidmm_progress vidmm_switch_leave(struct vidmm_engine *engine,
                                       const struct vidmm_placement *placement)
{
    uint32_t node;

    if (!engine->config.context_switches)
        return PROGRESS_IDLE;
    for (node = 0; node < engine->config.node_count; node++)
        if (vidmm_context_has_used(engine, placement, node) &&
            !vidmm_context_is_inside(engine, node))
            return switch_off(engine, node);
    return PROGRESS_IDLE;
}

/* Whether a context allocation stands in a segment for what the node runs. */
static bool keeps_any(const struct vidmm_engine *engine, uint32_t node)
{
    uint32_t segment;

    for (segment = 1; segment <= engine->config.segment_count; segment++) {
        const struct vidmm_placement *placement = engine->segments[segment].oldest;

        for (; placement; placement = placement->newer)
            if (placement->context_allocation && vidmm_context_has_used(engine, placement, node))
                return true;
    }
    return false;
}

enum vidmm_progress vidmm_switch_yield(struct vidmm_engine *engine)
{
    uint32_t node;

    for (node = 0; engine->config.context_switches && node < engine->config.node_count; node++)
        if (!vidmm_context_is_inside(engine, node) && keeps_any(engine, node))
            return switch_off(engine, node);
    return PROGRESS_IDLE;
}
