/* evict_all.c: somebody asks that everything leaves, pinned or not, and waits for it.
 *
 * exception.c says when that may be, and decides who leaves; the DMA buffer that is begun goes
 * first.
 */
#include "vidmm/engine/work/evict_all.h"

#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/decide/exception.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/work_state.h"

/* Whether page-outs are still under way. */
static bool is_leaving(const struct vidmm_engine *engine)
{
    uint32_t id;

    for (id = 1; id < engine->placement_capacity; id++) {
        const struct vidmm_placement *placement = engine->placements[id];

        if (placement && (placement->out.state != MOVE_IDLE || placement->in.state != MOVE_IDLE))
            return true;
    }
    return false;
}

enum vidmm_progress vidmm_evict_all_begin(struct vidmm_engine *engine, uint32_t reason)
{
    struct vidmm_settlement all = vidmm_exception_decide(engine, reason);

    VIDMM_ASSERT(!engine->turn || !engine->turn->begun);
    vidmm_settlement_apply(engine, &all);
    vidmm_leaving_queue(engine);
    if (all.found == FOUND_CALL)
        return PROGRESS_CALL;
    if (engine->moves.first || engine->unmaps.first)
        return PROGRESS_MADE;
    return all.found == FOUND ? PROGRESS_IDLE : PROGRESS_WAIT;
}

enum vidmm_progress vidmm_evict_all_serve(struct vidmm_engine *engine)
{
    struct vidmm_operation *grant;
    enum vidmm_progress progress;

    if (engine->evict_all_request == 0 || (engine->turn && engine->turn->begun))
        return PROGRESS_IDLE;
    progress = vidmm_evict_all_begin(engine, engine->evict_all_reason);
    if (progress != PROGRESS_IDLE)
        return progress;
    if (is_leaving(engine))
        return PROGRESS_WAIT;
    grant = vidmm_emit(engine, VIDMM_DO_GRANT);
    grant->grant.request = engine->evict_all_request;
    engine->evict_all_request = 0;
    engine->locks_may_go = true;
    return PROGRESS_IDLE;
}
