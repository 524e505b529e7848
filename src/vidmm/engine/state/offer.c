/* offer.c: allocations that their program does without for now, and priorities.
 *
 *             OFFER                  last earlier DMA buffer done          room is wanted
 *     in use --------> asked for ---------------------------------> offered ------------> discarded
 *        ^                 |                                           |                      |
 *        '-----------------'----------------- RECLAIM -----------------'----------------------'
 *
 * What is offered leaves before anything else does: its class of priority lies below all others,
 * low offers below normal and high ones. It leaves without its content, unless the backing store
 * has to keep a copy anyway.
 *
 * Invariants
 * B1. What is offered or asked for is named by no DMA buffer that arrived after the offer.
 * B2. What is offered is named by none at all: work before the offer still finds its content.
 * B3. priority_class is that of the offer if it is offered, else that of the priority.
 *
 * Source: pfnOfferAllocationsCb, pfnReclaimAllocationsCb, pfnSetPriorityCb; D-208, D-210, D-212,
 * D-214.
 */
#include "vidmm/engine/state/offer.h"

#include <base/assert.h>

#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/wish.h"

/* Classes of what is offered, the lowest of all: the order in which they leave. */
enum { RANK_LOW, RANK_NORMAL, RANK_HIGH };
_Static_assert(RANK_HIGH + 1 == VIDMM_PRIORITY_OFFERS, "a class for each offer but AUTO");

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

static void reclassify(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    uint32_t rank =
        placement->offered ? offer_rank(placement) : vidmm_priority_class(placement->wish.priority);

    vidmm_placement_set_class(engine, placement, rank); /* B3 */
}

void vidmm_offer_consider(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    VIDMM_ASSERT(!placement->offered || !placement->offer_asked);
    if (placement->offer_asked && placement->references == 0) { /* obeys D-210 */
        placement->offer_asked = false;
        placement->offered = true;
        reclassify(engine, placement);
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
    placement->offer_asked = !placement->offered;
    if (placement->offered)
        reclassify(engine, placement);
    vidmm_offer_consider(engine, placement);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_reclaim_event(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = find(engine, event->reclaim.allocation);

    if (!placement)
        return STATUS_INVALID_PARAMETER;
    placement->offer_asked = false;
    placement->offered = false;
    placement->discarded = false;
    placement->offer = 0;
    reclassify(engine, placement);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_priority_event(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = find(engine, event->priority.allocation);

    if (!placement)
        return STATUS_INVALID_PARAMETER;
    placement->wish.priority = event->priority.priority;
    reclassify(engine, placement);
    return STATUS_SUCCESS;
}

bool vidmm_offer_discards(const struct vidmm_placement *placement)
{
    return placement->offered && (placement->wish.flags & VIDMM_KEEPS_COPY) == 0;
}

bool vidmm_engine_discarded(const struct vidmm_engine *engine, uint32_t allocation)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, allocation);

    return placement && placement->discarded;
}

void vidmm_offer_check(const struct vidmm_placement *placement)
{
    VIDMM_VERIFY(!placement->offered || placement->references == 0); /* B2 */
    VIDMM_VERIFY(!placement->offered || !placement->offer_asked);    /* one or the other */
    VIDMM_VERIFY(!placement->discarded || placement->offered);       /* until reclaimed */
    VIDMM_VERIFY(placement->buffer ||
                 placement->priority_class ==
                     (placement->offered
                          ? offer_rank(placement)
                          : vidmm_priority_class(placement->wish.priority))); /* B3 */
}
