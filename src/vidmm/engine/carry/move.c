/* move.c: one page-in or page-out, from its queueing until its fence has passed.
 *
 *     idle --> queued --> built --> finished --> idle
 *                                      '-- page-out through an aperture --> due --> built --> ...
 *
 * paging.c builds what is queued here, first come first built, unmaps before everything else;
 * moves out come before moves in (leaving.c).
 *
 * Invariant
 * M1. A placement's page-in and page-out are queued at most once each; a move for the addresses of
 *     a range is built after the move that makes that range free.
 */
#include "vidmm/engine/carry/move.h"

#include <base/assert.h>

#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/move_table.h"
#include "vidmm/engine/state/offer.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/placement_table.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/refreshes.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/swizzle.h"

/* ---- the queue ------------------------------------------------------------------------------- */

void vidmm_move_init(struct vidmm_move *move, enum move_list list, const struct place *place)
{
    VIDMM_ASSERT(move->state == MOVE_IDLE); /* M1 */
    VIDMM_ASSERT(vidmm_move_owner(move));   /* MP1 */
    VIDMM_ASSERT(vidmm_place_is_segment(place) || vidmm_move_owner(move)->fences);
    vidmm_move_assign(move, list);
    move->place = vidmm_place_addresses(place);
    move->source = vidmm_place_nowhere(); /* and so is `through` */
    move->swizzles = false;
    move->shown = false;
}

void vidmm_move_enqueue(struct vidmm_engine *engine, struct vidmm_move *move)
{
    vidmm_move_change(move, MOVE_ENQUEUE);
    engine->synchronous += vidmm_move_is_synchronous(move) ? 1 : 0;
    VIDMM_ASSERT(move->step == 0 && move->progress == 0 && move->mapped == 0);
    if ((vidmm_move_step(move)->flags & STEP_FIRST) != 0)
        vidmm_moves_add(&engine->unmaps, move);
    else
        vidmm_moves_add(&engine->moves, move);
}

struct vidmm_move *vidmm_move_next(const struct vidmm_engine *engine)
{
    if (engine->call_again)
        return engine->call_move;
    if (engine->reading && engine->reading->moves->out.state == MOVE_QUEUED)
        return engine->moves.first; /* its other parts: J1, M3 */
    return engine->unmaps.first ? engine->unmaps.first : engine->moves.first;
}

/* Whether paging operations use addresses of the paging process. */
static bool by_address(const struct vidmm_engine *engine)
{
    return engine->config.mmu.levels != 0;
}

/* Choose between two lists by address: the driver is told as it wants to be. */
static enum move_list told(const struct vidmm_placement *placement, enum move_list plain,
                           enum move_list notified)
{
    return (placement->wish.flags & VIDMM_NOTIFIES) != 0 ? notified : plain; /* obeys S3-032 */
}

static enum move_list transfer_in(const struct vidmm_placement *placement)
{
    return told(placement, LIST_VIRTUAL_IN, LIST_VIRTUAL_IN_NOTIFY);
}

static enum move_list discard_by_address(const struct vidmm_placement *placement)
{
    return told(placement, LIST_VIRTUAL_DISCARD, LIST_VIRTUAL_DISCARD_NOTIFY);
}

/* The list by which it leaves an aperture: the driver is told as it asks to be. No call has mapped
 * an aperture for it then; of its end it is told anyway. */
static enum move_list out_of_aperture(const struct vidmm_engine *engine,
                                      const struct vidmm_placement *placement)
{
    uint32_t flags = placement->wish.flags;
    bool evicted = (flags & VIDMM_WISH_NOTIFIES_EVICTION) != 0;
    bool unmapped = (flags & VIDMM_WISH_NOTIFIES_UNMAP) != 0 && engine->config.isolated;

    if (!by_address(engine) || placement->dying ||
        (flags & (VIDMM_ACCESSED_PHYSICALLY | VIDMM_WISH_DISPLAYED)) != 0)
        return LIST_UNMAP;
    if (evicted)
        return unmapped ? LIST_NOTIFY_BOTH : LIST_NOTIFY_EVICTION;
    return unmapped ? LIST_NOTIFY_UNMAP : LIST_UNMAP;
}

/* The list by which content leaves a segment. */
static enum move_list way_out(const struct vidmm_engine *engine,
                              const struct vidmm_placement *placement)
{
    bool keeps_copy = (placement->wish.flags & VIDMM_KEEPS_COPY) != 0; /* obeys S0-033 */

    if (vidmm_place_is_aperture(&placement->at))
        return out_of_aperture(engine, placement);
    if (by_address(engine))
        return (keeps_copy && !placement->dirty) || vidmm_offer_discards(engine, placement)
                   ? discard_by_address(placement)
                   : told(placement, LIST_VIRTUAL_OUT, LIST_VIRTUAL_OUT_NOTIFY);
    if ((keeps_copy && vidmm_swizzle_copy_is_good(engine, placement)) ||
        vidmm_offer_discards(engine, placement))
        return LIST_DISCARD; /* obeys S0-010 */
    if (vidmm_placement_is_followed(placement) && placement->alternate)
        return LIST_SPECIAL_OUT;                                           /* obeys S4-050 */
    return placement->wish.eviction_set != 0 ? LIST_OUT : LIST_OUT_DIRECT; /* S0-011, S1-015 */
}

void vidmm_move_queue_out(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_move *move = &placement->moves->out;
    bool discards = vidmm_offer_discards(engine, placement);

    placement->dirty |= vidmm_residency_wrote(engine, placement);

    VIDMM_ASSERT(!vidmm_placement_is_open(placement)); /* L1 */
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_OUT));
    vidmm_move_init(move, way_out(engine, placement), &placement->at);
    vidmm_swizzle_out(engine, placement, move);
    vidmm_refreshes_forget(engine, placement);
    placement->at = discards ? vidmm_place_nowhere() : vidmm_place_system();
    if (discards)
        vidmm_offer_change(placement, OFFER_DISCARD); /* D-214 tells of it */
    vidmm_move_enqueue(engine, move);
    vidmm_listing_follow(engine, placement); /* I1 */
    vidmm_process_touch(engine, placement);
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_QUEUE_OUT));
}

void vidmm_move_queue_discard(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    VIDMM_ASSERT(vidmm_place_is_memory(&placement->at));
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_OUT));
    vidmm_move_init(&placement->moves->out,
                    by_address(engine) ? discard_by_address(placement) : LIST_DISCARD,
                    &placement->at);
    placement->at = vidmm_place_nowhere();
    vidmm_move_enqueue(engine, &placement->moves->out);
    vidmm_listing_follow(engine, placement); /* I1 */
    vidmm_process_touch(engine, placement);
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_QUEUE_OUT));
}

/* The list that makes the first content of a placement. */
static enum move_list first_content(const struct vidmm_engine *engine,
                                    const struct vidmm_placement *placement, bool aperture)
{
    if (placement->context_allocation && by_address(engine)) /* obeys D-137 */
        return told(placement, LIST_VIRTUAL_INIT, LIST_VIRTUAL_INIT_NOTIFY);
    if (placement->context_allocation)
        return aperture ? LIST_CLEAR_MAP_INIT : LIST_INIT_CONTEXT;
    if (aperture)
        return LIST_CLEAR_MAP;
    return by_address(engine) ? told(placement, LIST_VIRTUAL_FILL, LIST_VIRTUAL_FILL_NOTIFY)
                              : LIST_FILL;
}

void vidmm_move_bring_first_content(const struct vidmm_engine *engine,
                                    struct vidmm_placement *placement)
{
    struct vidmm_move *in = &placement->moves->in;
    bool aperture = vidmm_place_is_aperture(&placement->at);

    VIDMM_ASSERT(in->state == MOVE_QUEUED && !vidmm_move_list(in)->stays);
    VIDMM_ASSERT(!vidmm_move_has_begun(in));
    vidmm_move_assign(in, first_content(engine, placement, aperture));
    in->swizzles = false;
    placement->dirty = !aperture;
}

void vidmm_move_queue_in(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_move *move = &placement->moves->in;
    bool aperture = vidmm_place_is_aperture(&placement->given);
    bool empty = vidmm_place_is_nowhere(&placement->at) && !(aperture && placement->buffer);

    VIDMM_ASSERT(!vidmm_place_is_segment(&placement->at)); /* M1 */
    VIDMM_ASSERT(vidmm_placement_has_range(placement) && !vidmm_placement_is_open(placement));
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_IN));
    placement->posted = false;
    placement->purged = false; /* the range is its own again, lock or no lock */
    if (empty)
        vidmm_move_init(move, first_content(engine, placement, aperture), &placement->given);
    else
        vidmm_move_init(move,
                        aperture             ? LIST_MAP
                        : by_address(engine) ? transfer_in(placement)
                                             : LIST_IN,
                        &placement->given);
    vidmm_swizzle_in(placement, move);
    placement->at = vidmm_place_addresses(&placement->given);
    placement->dirty = vidmm_move_makes_content(move); /* the backing store has no copy of it */
    vidmm_move_enqueue(engine, move);
    vidmm_listing_follow(engine, placement); /* I1 */
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_QUEUE_IN));
}

void vidmm_move_queue_refresh(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_move *move = &placement->moves->in;

    VIDMM_ASSERT(vidmm_place_is_memory(&placement->at) && vidmm_refresh_is_due(placement));
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_IN));
    vidmm_move_init(move, LIST_REFRESH, &placement->at); /* obeys S0-013 */
    move->swizzles = placement->unswizzled;
    vidmm_move_enqueue(engine, move);
    vidmm_listing_follow(engine, placement); /* I1 */
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_QUEUE_IN));
}

void vidmm_move_queue_direct(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_move *move = &placement->moves->in;

    VIDMM_ASSERT(!vidmm_placement_is_open(placement)); /* L1 */
    VIDMM_ASSERT(vidmm_place_is_in(&placement->at, placement->given.segment));
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_DIRECT));
    vidmm_move_init(move, LIST_DIRECT, &placement->given);
    move->source = placement->at;
    placement->at = vidmm_place_addresses(&placement->given);
    vidmm_move_enqueue(engine, move);
    vidmm_listing_follow(engine, placement); /* I1 */
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_QUEUE_DIRECT));
}

void vidmm_move_release_passage(struct vidmm_engine *engine, struct vidmm_move *move)
{
    struct vidmm_segment_state *segment = &engine->segments[move->through.segment];

    VIDMM_ASSERT(vidmm_move_has_passage(move) && segment->evictions > 0);
    vidmm_segment_release(&segment->ranges, move->through.range);
    vidmm_segment_uncommit(engine, move->through.segment, vidmm_move_owner(move)->wish.size);
    segment->evictions--;
    move->through = vidmm_place_addresses(&move->through);
}

/* ---- what a finished move brings about ------------------------------------------------------- */

void vidmm_move_make_due(struct vidmm_engine *engine, struct vidmm_move *move)
{
    VIDMM_ASSERT(vidmm_move_has_passage(move)); /* T4 */
    VIDMM_ASSERT((vidmm_move_next_step(move)->flags & STEP_AFTER_FENCE) != 0);
    vidmm_move_change(move, MOVE_MAKE_DUE);
    move->progress = 0;
    move->step++;
    vidmm_moves_add(&engine->unmaps, move);
}
