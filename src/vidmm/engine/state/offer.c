/* offer.c: allocations that their program does without for now, and priorities.
 *
 *             OFFER                  last earlier DMA buffer done          room is wanted
 *     in use --------> asked for ---------------------------------> offered ------------> discarded
 *        ^                 |                                           |                      |
 *        '-----------------'----------------- RECLAIM -----------------'----------------------'
 *
 * Offered allocations leave before all others: their class of priority lies below all others, low
 * offers below normal and high ones. It leaves without its content, unless the backing store has to
 * keep a copy anyway.
 *
 * Invariants
 * B1. No DMA buffer that arrived after the offer names a placement that is offered, or for which an
 *     offer is asked.
 * B2. No DMA buffer at all names an offered placement: work before the offer still finds its
 *     content.
 * B3. priority_class is that of the offer if it is offered, else that of the priority, which is
 *     higher for a placement that a residency list wants (I3).
 *
 * Source: pfnOfferAllocationsCb, pfnReclaimAllocationsCb, pfnSetPriorityCb; D-208, D-210, D-212,
 * D-214.
 */
#include "vidmm/engine/state/offer.h"

#include <base/assert.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/wish.h"

const struct vidmm_transition vidmm_offer_table[] = {
    {OFFER_NONE, OFFER_ASK, OFFER_ASKED, "vidmm_offer_event"},
    {OFFER_ASKED, OFFER_ASK, OFFER_ASKED, "vidmm_offer_event"},
    {OFFER_OFFERED, OFFER_ASK, OFFER_OFFERED, "vidmm_offer_event"},
    {OFFER_DISCARDED, OFFER_ASK, OFFER_DISCARDED, "vidmm_offer_event"},
    {OFFER_ASKED, OFFER_SETTLE, OFFER_OFFERED, "vidmm_offer_consider"},
    {OFFER_OFFERED, OFFER_DISCARD, OFFER_DISCARDED, "vidmm_move_queue_out"},
    {OFFER_DISCARDED, OFFER_DISCARD, OFFER_DISCARDED, "vidmm_move_queue_out"},
    {OFFER_NONE, OFFER_RECLAIM, OFFER_NONE, "vidmm_reclaim_event"},
    {OFFER_ASKED, OFFER_RECLAIM, OFFER_NONE, "vidmm_reclaim_event"},
    {OFFER_OFFERED, OFFER_RECLAIM, OFFER_NONE, "vidmm_reclaim_event"},
    {OFFER_DISCARDED, OFFER_RECLAIM, OFFER_NONE, "vidmm_reclaim_event"},
};
const uint32_t vidmm_offer_rows = sizeof(vidmm_offer_table) / sizeof(vidmm_offer_table[0]);

void vidmm_offer_change(struct vidmm_placement *placement, enum offer_event event)
{
    uint32_t to =
        vidmm_transition_to(vidmm_offer_table, vidmm_offer_rows, placement->offer_state, event);

    VIDMM_ASSERT(event < OFFER_EVENTS);
    VIDMM_ASSERT(to != VIDMM_NO_STATE);
    placement->offer_state = (uint8_t)to;
}

const char *vidmm_offer_string(enum offer_state state)
{
    switch (state) {
    case OFFER_NONE:
        return "in use";
    case OFFER_ASKED:
        return "asked for";
    case OFFER_OFFERED:
        return "offered";
    case OFFER_DISCARDED:
        return "discarded";
    case OFFER_STATES:
        break;
    }
    return "unknown";
}

/* Classes of what is offered, the lowest of all: the order in which they leave. */
enum { RANK_LOW, RANK_NORMAL, RANK_HIGH };
_Static_assert(RANK_HIGH + 1 == VIDMM_PRIORITY_OFFERS, "a class for each offer but AUTO");
_Static_assert(VIDMM_OFFER_RANKS == VIDMM_PRIORITY_OFFERS, "told by the same classes");

/* AUTO: by the allocation's own priority. */
static uint32_t offer_rank(const struct vidmm_placement *placement)
{
    uint32_t own = vidmm_priority_class(placement->wish.priority);

    if (placement->offer != VIDMM_OFFER_AUTO)
        return placement->offer - VIDMM_OFFER_LOW;
    if (own < VIDMM_PRIORITY_NORMAL)
        return RANK_LOW;
    return own == VIDMM_PRIORITY_NORMAL ? RANK_NORMAL : RANK_HIGH;
}

/* The class by which it leaves memory. */
static uint32_t leaving_class(const struct vidmm_engine *engine,
                              const struct vidmm_placement *placement)
{
    uint32_t own = vidmm_priority_class(placement->wish.priority);

    if (vidmm_placement_is_offered(placement))
        return offer_rank(placement);
    return placement->listings && vidmm_residency_wants(engine, placement)
               ? own + VIDMM_PRIORITY_WANTED - VIDMM_PRIORITY_OFFERS
               : own;
}

void vidmm_priority_reclassify(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    vidmm_placement_set_class(engine, placement, leaving_class(engine, placement)); /* B3 */
}

void vidmm_offer_consider(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (placement->offer_state == OFFER_ASKED && placement->references == 0 &&
        !vidmm_residency_lingers(placement)) { /* obeys D-210 */
        vidmm_offer_change(placement, OFFER_SETTLE);
        vidmm_listing_follow(engine, placement); /* I1 */
        vidmm_priority_reclassify(engine, placement);
        engine->discards_may_go |= engine->faults.always_discard;
    }
}

/* An allocation of a program, alive. NULL: it is none. */
static struct vidmm_placement *find(const struct vidmm_engine *engine, uint32_t allocation)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, allocation);

    return placement && !placement->dying && !placement->buffer ? placement : NULL;
}

NTSTATUS vidmm_offer_event(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = find(engine, event->offer.allocation);

    if (!placement || event->offer.priority < VIDMM_OFFER_LOW ||
        event->offer.priority > VIDMM_OFFER_AUTO) /* obeys D-212: NONE is none to offer with */
        return STATUS_INVALID_PARAMETER;
    placement->offer = (uint8_t)event->offer.priority;
    vidmm_offer_change(placement, OFFER_ASK);
    vidmm_residency_offer(engine, placement);
    if (vidmm_placement_is_offered(placement))
        vidmm_priority_reclassify(engine, placement);
    vidmm_offer_consider(engine, placement);
    return STATUS_SUCCESS;
}

void vidmm_offer_reclaim(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    vidmm_offer_change(placement, OFFER_RECLAIM);
    placement->offer = 0;
    vidmm_listing_follow(engine, placement); /* I1 */
    vidmm_priority_reclassify(engine, placement);
}

NTSTATUS vidmm_reclaim_event(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = find(engine, event->reclaim.allocation);

    if (!placement)
        return STATUS_INVALID_PARAMETER;
    vidmm_offer_reclaim(engine, placement);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_priority_event(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = find(engine, event->priority.allocation);

    if (!placement)
        return STATUS_INVALID_PARAMETER;
    placement->wish.priority = event->priority.priority;
    vidmm_priority_reclassify(engine, placement);
    return STATUS_SUCCESS;
}

bool vidmm_offer_discards(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement)
{
    return vidmm_placement_is_offered(placement) &&
           (placement->wish.flags & VIDMM_KEEPS_COPY) == 0 && !engine->faults.never_discard;
}

bool vidmm_engine_discarded(const struct vidmm_engine *engine, uint32_t allocation)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, allocation);

    return placement && placement->offer_state == OFFER_DISCARDED;
}

bool vidmm_engine_needs_no_backing(const struct vidmm_engine *engine, uint32_t allocation)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, allocation);

    return placement && placement->offer_state == OFFER_DISCARDED && !placement->dying &&
           vidmm_place_is_nowhere(&placement->at) && vidmm_placement_is_still(placement) &&
           !vidmm_placement_has_range(placement);
}

uint32_t vidmm_engine_offer_rank(const struct vidmm_engine *engine, uint32_t allocation)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, allocation);

    return placement && placement->offer != 0 ? offer_rank(placement) : VIDMM_OFFER_RANKS;
}

void vidmm_offer_check(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    VIDMM_VERIFY(placement->offer_state < OFFER_STATES);
    VIDMM_VERIFY((placement->offer == 0) == (placement->offer_state == OFFER_NONE));
    VIDMM_VERIFY(!vidmm_placement_is_offered(placement) || placement->references == 0); /* B2 */
    VIDMM_VERIFY(placement->buffer ||
                 placement->priority_class == leaving_class(engine, placement)); /* B3 */
}
