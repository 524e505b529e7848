/* settlement.c: who leaves and who settles: a decision as data, and its application.
 *
 * Deciding marks who is chosen, and links who leaves; nothing else of the engine is written. Those
 * marks mean something within one question only.
 *
 * Invariants
 * SE1. Nobody leaves a place in a memory segment that the CPU may use: whoever is not off is
 *     claimed first, and the decision is asked for again (L1).
 * SE2. Applying has no way to refuse: the place that was answered is free once the leavers have
 *     left, and the records of its range were reserved when the placement was created (P4), those
 *     of runs by the question.
 */
#include "vidmm/engine/decide/settlement.h"

#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/wish.h"
#include "vidmm/engine/state/work_state.h"

/* ---- who leaves ------------------------------------------------------------------------------ */

struct vidmm_placement *vidmm_leavers_next(const struct vidmm_engine *engine,
                                           const struct vidmm_placement *placement)
{
    return placement->marked_next == 0 ? NULL
                                       : vidmm_placement_find(engine, placement->marked_next);
}

void vidmm_leavers_add(const struct vidmm_engine *engine, struct vidmm_leavers *leavers,
                       struct vidmm_placement *placement)
{
    VIDMM_ASSERT(vidmm_placement_has_range(placement) && !placement->buffer);
    VIDMM_ASSERT(!leavers->first == !leavers->last && placement != leavers->last);
    placement->marked_next = 0;
    if (leavers->last)
        leavers->last->marked_next = placement->id;
    else
        leavers->first = placement;
    leavers->last = placement;
    leavers->freed += vidmm_placement_extent(engine, placement);
}

void vidmm_leavers_add_chosen(const struct vidmm_engine *engine, struct vidmm_leavers *leavers,
                              uint32_t segment)
{
    struct vidmm_placement *placement;

    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    for (placement = engine->segments[segment].oldest; placement; placement = placement->newer) {
        if (placement->chosen)
            vidmm_leavers_add(engine, leavers, placement);
        placement->chosen = false; /* R1 */
    }
}

enum vidmm_found vidmm_settlement_evicts(const struct vidmm_engine *engine,
                                         struct vidmm_settlement *settlement,
                                         const struct vidmm_leavers *leavers)
{
    struct vidmm_placement *placement = leavers->first;

    for (; placement; placement = vidmm_leavers_next(engine, placement)) {
        enum vidmm_found found = vidmm_claim_state(placement);

        VIDMM_ASSERT(!placement->chosen); /* R1 */
        settlement->claim = found == FOUND_CALL ? placement : NULL;
        if (found != FOUND)
            return found; /* SE1 */
    }
    settlement->leavers = *leavers;
    return FOUND;
}

/* ---- doing it -------------------------------------------------------------------------------- */

void vidmm_settlement_evict(struct vidmm_engine *engine, struct vidmm_placement *leaver)
{
    VIDMM_ASSERT(vidmm_placement_has_range(leaver) && !leaver->buffer);
    VIDMM_ASSERT(!leaver->kept);                      /* R3 */
    VIDMM_ASSERT(vidmm_claim_state(leaver) == FOUND); /* SE1 */
    if (leaver->listings)
        vidmm_residency_displace(engine, leaver);
    vidmm_placement_unsettle(engine, leaver);
    if (vidmm_place_is_segment(&leaver->at) && !leaver->leaving) {
        leaver->leaving = true;
        vidmm_placements_add(&engine->leaving, leaver);
    }
}

void vidmm_settlement_evict_all(struct vidmm_engine *engine, const struct vidmm_leavers *leavers)
{
    struct vidmm_placement *leaver = leavers->first, *next;

    for (; leaver; leaver = next) {
        next = vidmm_leavers_next(engine, leaver);
        vidmm_settlement_evict(engine, leaver);
    }
}

/* Give a placement the range of so many bytes as it needs there. */
static void settle(struct vidmm_engine *engine, struct vidmm_placement *placement, uint32_t segment,
                   struct vidmm_fit fit)
{
    struct vidmm_segment *ranges = &engine->segments[segment].ranges;
    uint64_t size = vidmm_wish_size_in(engine, &placement->wish, segment);
    vidmm_range range;

    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    VIDMM_ASSERT(!vidmm_placement_has_range(placement));
    range = fit.hole != 0 ? vidmm_segment_take_fit(ranges, fit, size, placement->id)
                          : vidmm_segment_take_at(ranges, fit.offset, size, placement->id);
    VIDMM_ASSERT(range != 0); /* SE2 */
    vidmm_placement_settle(engine, placement, segment, range);
}

/* Give a placement as many runs as it needs there. */
static void settle_in_runs(struct vidmm_engine *engine, struct vidmm_placement *placement,
                           uint32_t segment)
{
    struct vidmm_range_request request = vidmm_wish_request(engine, placement, segment);
    struct place place = vidmm_place_take_runs(engine, placement, segment, &request);

    VIDMM_ASSERT(!vidmm_placement_has_range(placement));
    vidmm_placement_settle_at(engine, placement, &place);
}

void vidmm_settlement_apply(struct vidmm_engine *engine, const struct vidmm_settlement *settlement)
{
    uint32_t index;

    VIDMM_ASSERT((settlement->found == FOUND_CALL) == (settlement->claim != NULL));
    VIDMM_ASSERT(!settlement->settler || settlement->found == FOUND);
    VIDMM_ASSERT(!settlement->settler || settlement->fit.hole == 0 || !settlement->leavers.first);
    vidmm_settlement_evict_all(engine, &settlement->leavers);
    if (settlement->settler && settlement->in_runs)
        settle_in_runs(engine, settlement->settler, settlement->segment);
    else if (settlement->settler)
        settle(engine, settlement->settler, settlement->segment, settlement->fit);
    for (index = 0; settlement->work && index < settlement->packed; index++) {
        struct vidmm_placement *placement = engine->missing[index].placement;

        if (!vidmm_placement_has_range(placement))
            settle(engine, placement, settlement->segment,
                   (struct vidmm_fit){0, engine->missing[index].target});
    }
    engine->statistics.compactions += settlement->work ? 1 : 0;
    if (settlement->found == FOUND_CALL)
        vidmm_claim_call(engine, settlement->claim);
}
