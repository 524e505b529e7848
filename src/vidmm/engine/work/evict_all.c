/* evict_all.c: memory leaves because somebody says so, and waits for it.
 *
 *     EVICT_ALL    everything, pinned or not: exception.c says when that may be, and decides who
 *                  leaves; the DMA buffer that is begun goes first
 *
 *     PAGE_OUT --> a work of its own --> its turn: who may leave, does --> all is out: GRANT
 *                                          '-- ALL, and one stays: GRANT, busy; nothing moves
 *
 * At a page-out all that was queued before has been submitted, and packets in flight keep their
 * places until they have ended, as for every page-out. All that comes behind has its allocations
 * brought in again: a list that names one is not in place, or its device is suspended, until then.
 *
 * These stay: the pinned, with displayed primaries; those that the CPU has locked by an address
 * that cannot follow; those that a context is bound to that runs. A lock whose address follows
 * keeps nobody.
 */
#include "vidmm/engine/work/evict_all.h"

#include <base/assert.h>
#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/decide/exception.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/work.h"

/* ---- everything ------------------------------------------------------------------------------ */

/* Whether page-outs are still under way. */
static bool is_leaving(const struct vidmm_engine *engine)
{
    uint32_t id;

    for (id = 1; id < engine->placement_capacity; id++) {
        const struct vidmm_placement *placement = engine->placements[id];

        if (placement &&
            (placement->moves->out.state != MOVE_IDLE || placement->moves->in.state != MOVE_IDLE))
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

/* ---- some: the request ----------------------------------------------------------------------- */

/* NULL: nothing to be paged out has that id. An offer would lose its content (B2). */
static struct vidmm_placement *find(const struct vidmm_engine *engine, uint32_t id)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, id);

    return placement && !placement->dying && !placement->buffer &&
                   !vidmm_placement_has_offer(placement)
               ? placement
               : NULL;
}

static NTSTATUS judge(const struct vidmm_engine *engine, const struct vidmm_event *event,
                      uint32_t *found)
{
    bool all = event->residency.flags == VIDMM_PAGE_OUT_ALL;
    uint32_t index;

    *found = 0;
    if (event->device >= engine->device_capacity || !engine->devices[event->device].exists ||
        event->residency.request == 0 || event->residency.flags > VIDMM_PAGE_OUT_ALL ||
        event->residency.count == 0)
        return STATUS_INVALID_PARAMETER;
    for (index = 0; index < event->residency.count; index++)
        *found += find(engine, event->residency.allocations[index]) ? 1 : 0;
    return all && *found < event->residency.count ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS;
}

NTSTATUS vidmm_page_out_request(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint32_t index, found, count = 0;
    struct vidmm_work *work;
    NTSTATUS status = judge(engine, event, &found);

    if (status == STATUS_SUCCESS && found == 0) {
        vidmm_emit(engine, VIDMM_DO_GRANT)->grant.request = event->residency.request;
        return STATUS_SUCCESS;
    }
    if (status == STATUS_SUCCESS)
        status = vidmm_work_check_page_out(engine, found, &work);
    if (status != STATUS_SUCCESS)
        return status;
    for (index = 0; index < event->residency.count; index++) {
        struct vidmm_placement *placement = find(engine, event->residency.allocations[index]);

        if (placement)
            work->references[count++] = (struct vidmm_work_reference){placement, 0};
    }
    VIDMM_ASSERT(count == found && count == work->count);
    vidmm_work_create_page_out(engine, event, work);
    return STATUS_SUCCESS;
}

/* ---- ... and its turn ------------------------------------------------------------------------ */

/* Whether it may leave now: FOUND. NONE: it stays. */
static enum vidmm_found may_leave(const struct vidmm_engine *engine,
                                  const struct vidmm_placement *placement)
{
    if (!vidmm_placement_is_still(placement) || placement->leaving)
        return FOUND_LATER;
    if (!vidmm_room_may_move(engine, placement))
        return FOUND_NONE;
    return vidmm_claim_state(placement);
}

/* It has no place, or will have none without a move. */
static bool is_out(const struct vidmm_placement *placement)
{
    return placement->dying ||
           (!vidmm_placement_has_range(placement) && placement->moves->out.state == MOVE_IDLE);
}

/* Claim whom the CPU may reach, and wait for whom a move is under way. FOUND: all others are known
 * to leave, or to stay. NONE: one of them stays. */
static enum vidmm_found ask(struct vidmm_engine *engine, const struct vidmm_work *work)
{
    enum vidmm_found found = FOUND;
    uint32_t index;

    for (index = 0; index < work->count && found != FOUND_LATER; index++) {
        struct vidmm_placement *placement = work->references[index].placement;
        enum vidmm_found one = is_out(placement) ? FOUND : may_leave(engine, placement);

        if (one == FOUND_CALL) {
            vidmm_claim_call(engine, placement);
            return FOUND_CALL;
        }
        found = one == FOUND ? found : one;
    }
    return found;
}

enum vidmm_found vidmm_page_out_serve(struct vidmm_engine *engine, struct vidmm_work *work)
{
    enum vidmm_found found = ask(engine, work);
    bool moved = false;
    uint32_t index;

    VIDMM_ASSERT(work == engine->turn && work->pages_out != PAGES_OUT_NOTHING && !work->begun);
    if (found == FOUND_CALL || found == FOUND_LATER)
        return found;
    if (found == FOUND_NONE && work->pages_out == PAGES_OUT_ALL) {
        vidmm_work_drop(engine, STATUS_GRAPHICS_ALLOCATION_BUSY);
        return FOUND_NONE;
    }
    for (index = 0; index < work->count; index++) {
        struct vidmm_placement *placement = work->references[index].placement;

        if (!is_out(placement) && may_leave(engine, placement) == FOUND) {
            vidmm_settlement_evict(engine, placement);
            moved = true;
        }
    }
    vidmm_leaving_queue(engine);
    if (moved)
        return vidmm_page_out_serve(engine,
                                    work); /* their moves are under way, or they needed none */
    vidmm_work_drop(engine, STATUS_SUCCESS);
    return FOUND_NONE;
}
