/* listed.c: where everything goes that a device's residency list names.
 *
 *     missing --> 1. a hole, or the place of allocations that no list wants: in each segment, the
 *                    best first
 *                 2. the place of allocations that the list of another device wants: they are
 *                    demoted, or that device is suspended
 *                 3. the list anew, by decreasing alignment, if only the size of the holes was in
 *                    the way
 *
 * So an allocation that may live in an aperture is demoted to it before another device has to do
 * without anything; and devices whose lists do not fit together take turns. The device whose turn
 * it is cannot fail for the sake of another: all others give way, and its own list did fit when it
 * was taken on (make_resident.c). A list that waits for work in flight keeps the places that it has
 * got.
 *
 * A demoted allocation goes back when there is room again, and its program does not notice.
 *
 * An allocation that the CPU may have locked in its backing store is claimed before a memory
 * segment gets it (reach.h). If it is staged then, apertures alone may show it; if there is no room
 * in one, its device waits for UNLOCK.
 *
 * Invariants (I1 to I4 are in residency_list.c)
 * I5. An allocation that the device whose turn it is wants leaves its range only when the list is
 *     placed anew, which is tried once; and once more when page tables have left for it. While they
 *     are to leave nothing moves, for tables that change do not leave.
 */
#include "vidmm/engine/decide/listed.h"

#include <base/assert.h>

#include "vidmm/engine/decide/packing.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/decide/runs.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/reach.h"
#include "vidmm/engine/state/wish.h"
#include "vidmm/engine/state/work_state.h"

/* ---- order ----------------------------------------------------------------------------------- */

/* Whether it is placed before the other: one that no aperture may show goes first, since the other
 * can give way to it. */
static bool goes_before(const struct vidmm_engine *engine, const struct vidmm_placement *one,
                        const struct vidmm_placement *other)
{
    bool confined = (vidmm_placement_set(one, true) & vidmm_apertures(engine)) == 0;
    bool other_is = (vidmm_placement_set(other, true) & vidmm_apertures(engine)) == 0;

    return confined != other_is ? confined : vidmm_packing_goes_before(one, other);
}

/* Merge two lists that are in order. */
static struct vidmm_listing *merge(const struct vidmm_engine *engine, struct vidmm_listing *a,
                                   struct vidmm_listing *b)
{
    struct vidmm_listing *first = NULL, **end = &first;

    while (a && b) {
        struct vidmm_listing **from = goes_before(engine, b->placement, a->placement) ? &b : &a;
        *end = *from;
        *from = (*from)->behind;
        end = &(*end)->behind;
    }
    *end = a ? a : b;
    return first;
}

/* Bring the missing entries into the order that packs best. Runs of doubling length are merged, so
 * that it takes no memory. */
static void sort_missing(struct vidmm_engine *engine, uint32_t device)
{
    struct vidmm_residency_list *list = &engine->devices[device].list;
    struct vidmm_listing *runs[32] = {NULL}, *rest = list->first[LISTED_MISSING], *before = NULL;
    uint32_t run;

    while (rest) {
        struct vidmm_listing *one = rest;

        rest = rest->behind;
        one->behind = NULL;
        for (run = 0; runs[run]; run++) {
            one = merge(engine, runs[run], one);
            runs[run] = NULL;
        }
        runs[run] = one;
    }
    for (run = 0; run < sizeof(runs) / sizeof(runs[0]); run++)
        rest = runs[run] ? merge(engine, runs[run], rest) : rest;
    list->first[LISTED_MISSING] = rest;
    for (; rest; rest = rest->behind) {
        rest->before = before;
        before = rest;
    }
    list->last[LISTED_MISSING] = before; /* I1 */
}

/* ---- places ---------------------------------------------------------------------------------- */

/* In each segment of the set in turn, with those that are of lower classes than `ranks`. */
static enum vidmm_found try_ranks(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                  uint32_t set, uint32_t ranks, struct vidmm_settlement *settlement)
{
    enum vidmm_found worst = FOUND_NONE;
    uint8_t order[VIDMM_SEGMENTS];
    uint32_t index, count = vidmm_wish_order(engine, &placement->wish, set, order);

    for (index = 0; index < count; index++) {
        enum vidmm_found found =
            vidmm_room_below(engine, placement, order[index], ranks, settlement);

        if (found == FOUND || found == FOUND_CALL)
            return found;
        worst = found == FOUND_LATER ? FOUND_LATER : worst;
    }
    return worst;
}

/* In each segment of the set in turn: what others want leaves if nothing else makes room. */
static enum vidmm_found try_room(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                 uint32_t set, struct vidmm_settlement *settlement)
{
    enum vidmm_found found = try_ranks(engine, placement, set, VIDMM_PRIORITY_WANTED, settlement);

    return found == FOUND_NONE
               ? try_ranks(engine, placement, set, VIDMM_PRIORITY_CLASSES, settlement)
               : found;
}

/* The segments that are tried first: a test may keep it out of apertures. */
static uint32_t first_set(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement)
{
    uint32_t set = vidmm_reach_set(engine, placement), memory = set & ~vidmm_apertures(engine);

    return engine->faults.no_demotion && memory != 0 ? memory : set;
}

/* Choose those of a segment that can leave. LATER: one of them cannot yet, and nobody is chosen. */
static enum vidmm_found choose_all(const struct vidmm_engine *engine, uint32_t segment)
{
    struct vidmm_placement *placement;
    bool moves = false;

    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    for (placement = engine->segments[segment].oldest; placement; placement = placement->newer)
        moves |= !vidmm_placement_is_still(placement) || vidmm_room_is_ending(engine, placement);
    for (placement = engine->segments[segment].oldest; placement; placement = placement->newer)
        placement->chosen = !moves && vidmm_room_may_move(engine, placement);
    return moves ? FOUND_LATER : FOUND;
}

/* Let everything leave that can, of every segment where the placement may be: the list's own
 * included (I5). */
static enum vidmm_found vacate(struct vidmm_engine *engine, const struct vidmm_placement *misfit,
                               struct vidmm_settlement *settlement)
{
    struct vidmm_leavers leavers = {0};
    enum vidmm_found found = FOUND;
    uint32_t segment;

    VIDMM_ASSERT(!vidmm_placement_has_range(misfit));
    for (segment = 1; segment <= engine->config.segment_count && found == FOUND; segment++) {
        if ((vidmm_placement_set(misfit, true) >> segment & 1) == 0)
            continue;
        found = choose_all(engine, segment);
        vidmm_leavers_add_chosen(engine, &leavers, segment);
    }
    return found == FOUND ? vidmm_settlement_evicts(engine, settlement, &leavers) : found;
}

struct vidmm_listed vidmm_listed_begin(struct vidmm_engine *engine, struct vidmm_work *work)
{
    struct vidmm_listed listed = {
        .work = work, .all = work->dma_buffer != 0, .anew = work->awaits_tables};
    uint32_t index;

    VIDMM_ASSERT(work == engine->turn && work->begun); /* W1 */
    if (listed.all) {
        sort_missing(engine, work->device);
        return listed;
    }
    for (index = 0; index < work->count; index++) {
        struct vidmm_placement *placement = work->references[index].placement;
        const struct vidmm_listing *listing = vidmm_listing_find(placement, work->device);

        if (listing && listing->state == LISTED_MISSING)
            engine->missing[listed.count++].placement = placement;
    }
    vidmm_packing_sort(engine->missing, listed.count);
    return listed;
}

/* The placement that comes next. NULL: nothing is missing. */
static struct vidmm_placement *next_missing(const struct vidmm_engine *engine,
                                            struct vidmm_listed *listed)
{
    const struct vidmm_listing *first =
        engine->devices[listed->work->device].list.first[LISTED_MISSING];

    if (listed->all)
        return first ? first->placement : NULL;
    while (listed->index < listed->count &&
           vidmm_placement_has_range(engine->missing[listed->index].placement))
        listed->index++;
    return listed->index < listed->count ? engine->missing[listed->index].placement : NULL;
}

struct vidmm_settlement vidmm_listed_next(struct vidmm_engine *engine, struct vidmm_listed *listed)
{
    struct vidmm_settlement settlement = {.found = FOUND};
    struct vidmm_placement *placement;
    uint32_t all;

    VIDMM_ASSERT(listed->work == engine->turn && listed->work->begun); /* W1 */
    if (listed->unsorted)
        sort_missing(engine, listed->work->device);
    listed->unsorted = false;
    placement = next_missing(engine, listed);
    if (!placement)
        return settlement;
    listed->needed = placement->wish.size;
    if (placement->moves->in.state != MOVE_IDLE) {
        settlement.found = FOUND_LATER;
        return settlement;
    }
    if (placement->lent) {
        settlement.found = FOUND_CALL;
        settlement.claim = placement;
        return settlement;
    }
    VIDMM_ASSERT(!vidmm_placement_has_range(placement));
    all = vidmm_reach_set(engine, placement);
    settlement.found = try_room(engine, placement, first_set(engine, placement), &settlement);
    listed->staged = placement->staged;
    if (settlement.found == FOUND_NONE && !listed->anew && !placement->staged) {
        settlement.found = vacate(engine, placement, &settlement);
        listed->anew = listed->all = listed->unsorted = settlement.found == FOUND;
    }
    if (settlement.found == FOUND_NONE && first_set(engine, placement) != all)
        settlement.found = try_room(engine, placement, all, &settlement); /* the list is too long */
    settlement.more = settlement.found == FOUND;
    return settlement;
}

/* ---- back into memory ------------------------------------------------------------------------ */

/* A memory segment of its set with room for it, the best first. 0: there is none. */
static uint32_t find_memory(struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    uint8_t order[VIDMM_SEGMENTS];
    uint32_t index, count = vidmm_wish_order(
                        engine, &placement->wish,
                        vidmm_placement_set(placement, true) & ~vidmm_apertures(engine), order);

    for (index = 0; index < count; index++) {
        struct vidmm_range_request request = vidmm_wish_request(engine, placement, order[index]);

        if (vidmm_runs_serve(engine, placement, order[index]) &&
            vidmm_runs_are_free(engine, placement, order[index]))
            return order[index];
        if (vidmm_segment_find(&engine->segments[order[index]].ranges, &request).hole != 0)
            return order[index];
    }
    return 0;
}

struct vidmm_placement *vidmm_listed_promotes(struct vidmm_engine *engine, uint32_t device,
                                              uint32_t *segment)
{
    const struct vidmm_listing *listing = engine->devices[device].list.first[LISTED_DEMOTED];

    VIDMM_ASSERT(!engine->turn || !engine->turn->begun);
    for (; listing; listing = listing->behind) {
        struct vidmm_placement *placement = listing->placement;

        if (!vidmm_room_is_victim(engine, placement) || vidmm_claim_state(placement) != FOUND ||
            placement->staged)
            continue;
        *segment = find_memory(engine, placement);
        if (*segment != 0)
            return placement;
    }
    return NULL;
}
