/* discard.c: what is offered loses its content before anybody wants the room that it has.
 *
 *     a test says so (ALWAYS_DISCARD), of every offer, --> in a segment: it leaves, and its content
 *     as soon as it takes effect                      |    is discarded
 *     the client says so (VIDMM_EVENT_DISCARD),       |
 *     of one, if that may be done now                 '--> in system memory: its bytes are dropped
 *
 * Content of which the backing store keeps a copy anyway is not discarded.
 */
#include "vidmm/engine/work/discard.h"

#include <base/assert.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/offer.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/work_state.h"

/* FOUND: it is to lose its content, and may now. NONE: it is not to, or cannot. */
static enum vidmm_found may_discard(const struct vidmm_engine *engine,
                                    const struct vidmm_placement *placement)
{
    if (!placement || placement->dying || placement->offer_state != OFFER_OFFERED ||
        !vidmm_offer_discards(engine, placement) || vidmm_place_is_nowhere(&placement->at))
        return FOUND_NONE;
    if (!vidmm_placement_is_still(placement) || placement->leaving)
        return FOUND_LATER;
    if (!vidmm_placement_has_range(placement))
        return FOUND;
    return vidmm_room_may_move(engine, placement) ? vidmm_claim_state(placement) : FOUND_NONE;
}

static void discard(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (vidmm_placement_has_range(placement)) {
        vidmm_settlement_evict(engine, placement);
        vidmm_leaving_queue(engine);
        return;
    }
    placement->at = vidmm_place_nowhere();
    vidmm_offer_change(placement, OFFER_DISCARD); /* D-214 tells of it */
    vidmm_emit(engine, VIDMM_DO_DROP)->allocation = placement->id;
}

/* Nothing is being made resident for a DMA buffer. */
static bool may_go(const struct vidmm_engine *engine)
{
    return !engine->turn || !engine->turn->begun;
}

enum vidmm_progress vidmm_discard_all(struct vidmm_engine *engine)
{
    bool later = false;
    uint32_t id;

    if (!engine->discards_may_go || !may_go(engine))
        return PROGRESS_IDLE;
    for (id = 1; id < engine->placement_capacity; id++) {
        enum vidmm_found found = may_discard(engine, engine->placements[id]);

        if (found == FOUND_CALL) {
            vidmm_claim_call(engine, engine->placements[id]);
            return PROGRESS_CALL;
        }
        if (found == FOUND) {
            discard(engine, engine->placements[id]);
            return PROGRESS_MADE; /* the plan may be full */
        }
        later |= found == FOUND_LATER;
    }
    engine->discards_may_go = later;
    return PROGRESS_IDLE;
}

NTSTATUS vidmm_discard_event(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, event->discard.allocation);

    if (!placement || placement->dying || placement->buffer)
        return STATUS_INVALID_PARAMETER;
    if (may_go(engine) && may_discard(engine, placement) == FOUND)
        discard(engine, placement);
    return STATUS_SUCCESS;
}
