/* move.c: one page-in or page-out, from its queueing until its fence has passed.
 *
 *     idle --> queued --> built --> finished --> idle
 *                                      '-- page-out through an aperture --> due --> built --> ...
 *
 * paging.c builds what is queued here, first come first built, unmaps before everything else;
 * what is to leave comes before what is to come in (leaving.c).
 *
 * Invariant
 * M1. A placement's page-in and page-out are queued at most once each; what is queued for the
 *     addresses of a range is built after whatever makes that range free.
 */
#include "vidmm/engine/carry/move.h"

#include <base/assert.h>

#include "vidmm/engine/state/move_table.h"
#include "vidmm/engine/state/offer.h"
#include "vidmm/engine/state/operation_table.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_table.h"
#include "vidmm/engine/state/refreshes.h"
#include "vidmm/engine/state/swizzle.h"

/* ---- the queue ------------------------------------------------------------------------------- */

static void append(struct vidmm_move **first, struct vidmm_move **last, struct vidmm_move *move)
{
    move->next = NULL;
    if (*last)
        (*last)->next = move;
    else
        *first = move;
    *last = move;
}

void vidmm_move_enqueue(struct vidmm_engine *engine, struct vidmm_move *move)
{
    vidmm_move_change(move, MOVE_ENQUEUE);
    engine->synchronous += vidmm_move_is_synchronous(move) ? 1 : 0;
    move->step = STEP_CONTENT;
    move->progress = 0;
    if (move->operation == VIDMM_UNMAP_APERTURE_SEGMENT)
        append(&engine->unmap_first, &engine->unmap_last, move);
    else
        append(&engine->move_first, &engine->move_last, move);
}

void vidmm_move_queue_out(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_move *move = &placement->out;
    bool keeps_copy = (placement->wish.flags & VIDMM_KEEPS_COPY) != 0; /* obeys S0-033 */
    bool discards = vidmm_offer_discards(placement);

    VIDMM_ASSERT(vidmm_place_is_segment(&placement->at) && move->state == MOVE_IDLE); /* M1 */
    VIDMM_ASSERT(!placement->open);                                                   /* L1 */
    VIDMM_ASSERT(!move->inward);
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_OUT));
    move->segment = placement->at.segment;
    move->offset = placement->at.offset;
    move->eviction_range = 0;
    move->direct = placement->wish.eviction_set == 0;
    if (vidmm_place_is_aperture(&placement->at))
        move->operation = VIDMM_UNMAP_APERTURE_SEGMENT;
    else if ((keeps_copy && vidmm_swizzle_copy_is_good(engine, placement)) || discards)
        move->operation = VIDMM_DISCARD_CONTENT; /* obeys S0-010 */
    else if (placement->followed && placement->alternate)
        move->operation = VIDMM_SPECIAL_LOCK_TRANSFER; /* obeys S4-050 */
    else
        move->operation = VIDMM_TRANSFER; /* obeys S0-011 */
    vidmm_swizzle_out(engine, placement, move);
    vidmm_refreshes_forget(engine, placement);
    placement->at = discards ? vidmm_place_nowhere() : vidmm_place_system();
    placement->discarded = placement->discarded || discards; /* D-214 tells of it */
    vidmm_move_enqueue(engine, move);
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_QUEUE_OUT));
}

void vidmm_move_queue_discard(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_move *move = &placement->out;

    VIDMM_ASSERT(vidmm_place_is_memory(&placement->at) && move->state == MOVE_IDLE); /* M1 */
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_OUT));
    move->segment = placement->at.segment;
    move->offset = placement->at.offset;
    move->eviction_range = 0;
    move->direct = true;
    move->swizzles = false;
    move->operation = VIDMM_DISCARD_CONTENT;
    placement->at = vidmm_place_nowhere();
    vidmm_move_enqueue(engine, move);
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_QUEUE_OUT));
}

/* The operation that makes the first content in a memory segment. */
static uint8_t first_content(const struct vidmm_placement *placement)
{
    return placement->context_allocation ? VIDMM_INIT_CONTEXT_RESOURCE /* obeys D-137 */
                                         : VIDMM_FILL;
}

void vidmm_move_bring_first_content(struct vidmm_placement *placement)
{
    struct vidmm_move *in = &placement->in;
    bool aperture = in->operation == VIDMM_MAP_APERTURE_SEGMENT;

    VIDMM_ASSERT(in->state == MOVE_QUEUED && !in->refresh);
    VIDMM_ASSERT(in->progress == 0);
    in->clear = aperture;
    in->initializes = aperture && placement->context_allocation;
    in->swizzles = false;
    in->operation = aperture ? in->operation : first_content(placement);
    VIDMM_ASSERT(aperture == vidmm_place_is_aperture(&placement->at));
    placement->dirty = !aperture;
}

void vidmm_move_queue_in(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_move *move = &placement->in;
    bool aperture = vidmm_place_is_aperture(&placement->given);
    bool empty = vidmm_place_is_nowhere(&placement->at);

    VIDMM_ASSERT(!vidmm_place_is_segment(&placement->at) && move->state == MOVE_IDLE); /* M1 */
    VIDMM_ASSERT(vidmm_placement_has_range(placement) && !placement->open);
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_IN));
    move->segment = placement->given.segment;
    move->offset = placement->given.offset;
    move->source_segment = 0;
    move->refresh = false;
    placement->posted = false;
    placement->purged = false; /* the range is its own again, lock or no lock */
    move->clear = aperture && empty && !placement->buffer;
    if (aperture)
        move->operation = VIDMM_MAP_APERTURE_SEGMENT;
    else
        move->operation = empty ? first_content(placement) : VIDMM_TRANSFER;
    move->initializes = move->clear && placement->context_allocation;
    vidmm_swizzle_in(placement, move);
    placement->at = vidmm_place_addresses(&placement->given);
    placement->dirty = vidmm_move_makes_content(move); /* the backing store has no copy of it */
    vidmm_move_enqueue(engine, move);
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_QUEUE_IN));
}

void vidmm_move_queue_refresh(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_move *move = &placement->in;

    VIDMM_ASSERT(vidmm_place_is_memory(&placement->at) && vidmm_refresh_is_due(placement));
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_IN));
    move->segment = placement->at.segment;
    move->offset = placement->at.offset;
    move->source_segment = 0;
    move->operation = VIDMM_TRANSFER; /* obeys S0-013 */
    move->swizzles = placement->unswizzled;
    move->clear = false;
    move->refresh = true;
    move->initializes = false;
    vidmm_move_enqueue(engine, move);
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_QUEUE_IN));
}

void vidmm_move_queue_direct(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_move *move = &placement->in;

    VIDMM_ASSERT(!placement->open); /* L1 */
    VIDMM_ASSERT(vidmm_place_is_in(&placement->at, placement->given.segment));
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_QUEUE_DIRECT));
    move->source_segment = placement->at.segment;
    move->source_offset = placement->at.offset;
    placement->at = vidmm_place_addresses(&placement->given);
    move->segment = placement->at.segment;
    move->offset = placement->at.offset;
    move->operation = VIDMM_TRANSFER;
    move->swizzles = false;
    move->clear = false;
    move->refresh = false;
    move->initializes = false;
    vidmm_move_enqueue(engine, move);
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_QUEUE_DIRECT));
}

struct vidmm_place vidmm_move_eviction(const struct vidmm_engine *engine,
                                       const struct vidmm_move *move)
{
    struct vidmm_place nowhere = {0, 0, 0};

    if (move->inward || move->eviction_range == 0)
        return nowhere;
    return (struct vidmm_place){
        move->eviction_segment, 0,
        vidmm_range_offset(&engine->segments[move->eviction_segment].ranges, move->eviction_range)};
}

/* ---- what a finished move brings about ------------------------------------------------------- */

void vidmm_move_make_due(struct vidmm_engine *engine, struct vidmm_move *move)
{
    VIDMM_ASSERT(!move->inward && move->eviction_range != 0); /* T4 */
    VIDMM_ASSERT(vidmm_step_may_follow(move->step, STEP_UNMAP_EVICTION));
    vidmm_move_change(move, MOVE_MAKE_DUE);
    move->progress = 0;
    move->step = STEP_UNMAP_EVICTION;
    append(&engine->unmap_first, &engine->unmap_last, move);
}
