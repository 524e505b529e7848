/* room.c: where an allocation goes, and who has to leave for it.
 *
 * Three ways, each tried when the one before has failed:
 *   by cost     cheapest.c: the stretch of addresses that costs least, of what is not held
 *   by window   the stretch of addresses of the fewest bytes, in which smaller allocations of the
 *               work being prepared may also lie: they leave and are placed again after this one
 *   by packing  packing.c
 *
 * In a segment of a GPU with an MMU, runs.c comes before all of them for what needs no stretch of
 * addresses. An allocation that does need one may find runs of others in its way: then all of
 * those others leave.
 *
 * If the commit limit of an aperture is in the way, and not only addresses, the oldest leave
 * besides, the lowest class of priority first.
 *
 * All of it decides, and has changed nothing (settlement.h).
 *
 * Invariants
 * R2. A victim is not held, not a buffer, not pinned, not locked, not kept by what a node runs
 *     (N3), and has no page-in or page-out queued, nor a page-out in flight.
 * R3. A kept placement (bound to a slot at a split point, D-340) does not leave its range for any
 *     request.
 */
#include "vidmm/engine/decide/room.h"

#include "vidmm/engine/decide/cheapest.h"
#include "vidmm/engine/decide/runs.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/wish.h"
#include "vidmm/engine/state/work_state.h"

uint64_t vidmm_room_commit(const struct vidmm_engine *engine, uint32_t segment)
{
    const struct vidmm_engine_segment *config = &engine->config.segments[segment];
    const struct vidmm_segment_state *state = &engine->segments[segment];
    uint64_t room;

    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    if (!config->aperture)
        return UINT64_MAX;
    room = config->commit_limit > state->committed ? config->commit_limit - state->committed : 0;
    if (engine->config.aperture_commit_limit != 0) {
        uint64_t limit = engine->config.aperture_commit_limit;
        uint64_t all = limit > engine->aperture_committed ? limit - engine->aperture_committed : 0;

        room = all < room ? all : room; /* obeys D-011 */
    }
    return room;
}

/* ---- by cost --------------------------------------------------------------------------------- */

/* Bytes that must be uncommitted before the request can be committed. */
static uint64_t short_of(const struct vidmm_engine *engine, uint32_t segment, uint64_t size)
{
    uint64_t room = vidmm_room_commit(engine, segment);

    return room < size ? size - room : 0;
}

/* Choose one to leave; forget() ends the choice. */
static void add(const struct vidmm_engine *engine, struct vidmm_leavers *leavers,
                struct vidmm_placement *placement)
{
    VIDMM_ASSERT(!placement->chosen);
    placement->chosen = true;
    vidmm_leavers_add(engine, leavers, placement);
}

/* Those that stand where the request goes. */
static void add_stretch(const struct vidmm_engine *engine, const struct vidmm_choice *choice,
                        struct vidmm_leavers *leavers)
{
    const struct vidmm_segment *ranges = &engine->segments[choice->segment].ranges;
    uint64_t end = choice->offset + choice->request->size;
    vidmm_range range = choice->first;

    for (; range && vidmm_range_offset(ranges, range) < end;
         range = vidmm_range_live_next(ranges, range, NULL))
        if (vidmm_range_offset(ranges, range) + vidmm_range_size(ranges, range) > choice->offset) {
            struct vidmm_placement *there = vidmm_room_resident(engine, choice->segment, range);

            if (!there->chosen) /* by another run of it */
                add(engine, leavers, there);
        }
}

/* The oldest, by class, until enough can be committed. False: it cannot. */
static bool add_for_commit(struct vidmm_engine *engine, struct vidmm_choice *choice,
                           struct vidmm_leavers *leavers)
{
    uint64_t shortage = short_of(engine, choice->segment, choice->request->size);
    struct vidmm_placement *placement;
    uint32_t rank;

    for (rank = 0; rank < choice->ranks && leavers->freed < shortage; rank++) {
        placement = engine->segments[choice->segment].classes[rank] == 0
                        ? NULL
                        : vidmm_choice_oldest(engine, choice);
        for (; placement && leavers->freed < shortage; placement = placement->newer) {
            if (placement->priority_class != rank || placement->chosen)
                continue;
            if (vidmm_choice_allows(engine, choice, placement))
                add(engine, leavers, placement);
            else
                choice->transient |= vidmm_room_is_transient(engine, placement);
        }
    }
    return leavers->freed >= shortage;
}

/* The list stands; nobody is chosen any more. */
static void forget(const struct vidmm_engine *engine, const struct vidmm_leavers *leavers)
{
    struct vidmm_placement *placement;

    for (placement = leavers->first; placement; placement = vidmm_leavers_next(engine, placement))
        placement->chosen = false;
}

/* Find a place for the choice, and who leaves for it; nobody has left. */
static enum vidmm_found find_room(struct vidmm_engine *engine, struct vidmm_choice *choice,
                                  struct vidmm_leavers *leavers)
{
    struct vidmm_segment *ranges = &engine->segments[choice->segment].ranges;

    VIDMM_ASSERT(choice->segment >= 1 && choice->segment <= engine->config.segment_count);
    VIDMM_ASSERT(choice->offset == VIDMM_NOWHERE && !leavers->first);
    if (choice->request->size > engine->config.segments[choice->segment].size)
        return FOUND_NONE;
    if (vidmm_segment_largest_hole(ranges) >= choice->request->size) {
        struct vidmm_fit fit = vidmm_segment_find(ranges, choice->request);

        if (fit.hole != 0) /* there is a place; only the commit limit was in the way */
            choice->offset = fit.offset;
    }
    if (choice->offset == VIDMM_NOWHERE)
        vidmm_cheapest_find(engine, choice);
    if (choice->offset != VIDMM_NOWHERE) {
        bool enough;

        add_stretch(engine, choice, leavers);
        enough = add_for_commit(engine, choice, leavers);
        forget(engine, leavers);
        if (enough)
            return FOUND;
    }
    return choice->transient || engine->segments[choice->segment].evictions > 0 ? FOUND_LATER
                                                                                : FOUND_NONE;
}

/* A hole, if there is one and the commit limits allow it. */
static bool find_hole(struct vidmm_engine *engine, const struct vidmm_range_request *request,
                      uint32_t segment, struct vidmm_fit *fit)
{
    if (vidmm_room_commit(engine, segment) < request->size)
        return false;
    *fit = vidmm_segment_find(&engine->segments[segment].ranges, request);
    return fit->hole != 0;
}

/* A hole of a preferred bank, the most preferred first. */
static bool find_hole_of_bank(struct vidmm_engine *engine, const struct vidmm_placement *placement,
                              uint32_t segment, struct vidmm_fit *fit)
{
    struct vidmm_range_request request;
    bool found = false;
    uint32_t group;

    for (group = 0; group < VIDMM_BANK_GROUPS && !found; group++)
        found = vidmm_wish_bank_request(engine, placement, segment, group, &request) &&
                find_hole(engine, &request, segment, fit);
    return found;
}

/* A stretch of addresses that others leave. */
static enum vidmm_found find_stretch(struct vidmm_engine *engine,
                                     const struct vidmm_range_request *request, uint32_t segment,
                                     const struct vidmm_placement *placement, uint32_t ranks,
                                     struct vidmm_settlement *settlement)
{
    struct vidmm_choice choice = {.request = request,
                                  .segment = segment,
                                  .not_this = placement,
                                  .ranks = ranks,
                                  .offset = VIDMM_NOWHERE};
    struct vidmm_leavers leavers = {0};
    enum vidmm_found found = find_room(engine, &choice, &leavers);

    settlement->fit = (struct vidmm_fit){0, choice.offset};
    return found == FOUND ? vidmm_settlement_evicts(engine, settlement, &leavers) : found;
}

enum vidmm_found vidmm_room_below(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                  uint32_t segment, uint32_t ranks,
                                  struct vidmm_settlement *settlement)
{
    struct vidmm_range_request request = vidmm_wish_request(engine, placement, segment);
    bool in_runs = vidmm_runs_serve(engine, placement, segment);
    enum vidmm_found found = FOUND;

    VIDMM_ASSERT(!vidmm_placement_has_range(placement));
    settlement->in_runs = false;
    if (!find_hole_of_bank(engine, placement, segment, &settlement->fit)) {
        if (in_runs)
            found = vidmm_runs_find(engine, placement, segment, ranks, settlement, &in_runs);
        if (!in_runs && !find_hole(engine, &request, segment, &settlement->fit)) /* obeys D-017 */
            found = find_stretch(engine, &request, segment, placement, ranks, settlement);
        else if (!in_runs)
            found = FOUND;
    }
    settlement->settler = found == FOUND ? placement : NULL;
    settlement->segment = segment;
    return found;
}

enum vidmm_found vidmm_room_by_cost(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                    uint32_t segment, struct vidmm_settlement *settlement)
{
    return vidmm_room_below(engine, placement, segment, VIDMM_PRIORITY_CLASSES, settlement);
}

/* ---- through an eviction aperture ------------------------------------------------------------ */

/* A place in one eviction aperture. */
static enum vidmm_found find_passage(struct vidmm_engine *engine,
                                     const struct vidmm_placement *placement, uint32_t segment,
                                     struct vidmm_passage *passage)
{
    struct vidmm_range_request request = vidmm_wish_request(engine, placement, segment);
    struct vidmm_choice choice = {.request = &request,
                                  .segment = segment,
                                  .ranks = VIDMM_PRIORITY_CLASSES,
                                  .offset = VIDMM_NOWHERE};
    struct vidmm_leavers leavers = {0};
    enum vidmm_found found;

    request.window_start = 0; /* it goes through, it does not live here */
    *passage = (struct vidmm_passage){.segment = segment};
    if (find_hole(engine, &request, segment, &passage->fit))
        return FOUND;
    found = find_room(engine, &choice, &leavers);
    if (found == FOUND_NONE) {
        choice.held_too = true;
        choice.offset = VIDMM_NOWHERE;
        leavers = (struct vidmm_leavers){0};
        found = find_room(engine, &choice, &leavers);
    }
    if (found == FOUND) {
        passage->fit = (struct vidmm_fit){0, choice.offset};
        passage->held_too = choice.held_too;
        passage->leavers = leavers; /* L1: no claim for an aperture */
    }
    return found;
}

enum vidmm_found vidmm_room_find_passage(struct vidmm_engine *engine,
                                         const struct vidmm_placement *placement,
                                         struct vidmm_passage *passage)
{
    enum vidmm_found best = FOUND_NONE;
    uint32_t segment;

    for (segment = 1; segment <= engine->config.segment_count; segment++) {
        enum vidmm_found found = FOUND_NONE;

        if ((placement->wish.eviction_set >> (segment - 1) & 1) != 0)
            found = find_passage(engine, placement, segment, passage);
        VIDMM_ASSERT(found != FOUND_CALL);
        if (found == FOUND)
            return found;
        best = found == FOUND_LATER ? FOUND_LATER : best;
    }
    return best;
}

void vidmm_room_take_passage(struct vidmm_engine *engine, struct vidmm_placement *placement,
                             const struct vidmm_passage *passage)
{
    struct vidmm_segment_state *segment = &engine->segments[passage->segment];
    uint64_t size = placement->wish.size, offset = passage->fit.offset;

    VIDMM_ASSERT(placement->moves->out.state == MOVE_QUEUED &&
                 !vidmm_move_has_passage(&placement->moves->out));
    vidmm_settlement_evict_all(engine, &passage->leavers);
    if (passage->held_too && engine->turn)
        engine->turn->ready = false; /* some of what it names must be mapped again */
    placement->moves->out.through = (struct place){
        .kind = PLACE_SEGMENT,
        .segment = (uint8_t)passage->segment,
        .aperture = true,
        .offset = offset,
        .range = passage->fit.hole != 0
                     ? vidmm_segment_take_fit(&segment->ranges, passage->fit, size, placement->id)
                     : vidmm_segment_take_at(&segment->ranges, offset, size, placement->id),
    };
    segment->evictions++;
    vidmm_segment_commit(engine, passage->segment, size);
    VIDMM_ASSERT(vidmm_move_has_passage(&placement->moves->out));
}

/* ---- by window ------------------------------------------------------------------------------- */

/* The cost of vacating the range; NEVER: it cannot be. */
#define NEVER UINT64_MAX
typedef uint64_t cost_function(const struct vidmm_engine *, uint32_t segment, vidmm_range,
                               const struct vidmm_placement *for_this);

/* The cheapest place for a request so far. */
struct stretch {
    const struct vidmm_range_request *request;
    const struct vidmm_placement *for_this; /* the placement that needs room; NULL: an eviction
                                             * aperture */
    cost_function *cost_of;
    uint64_t offset, cost; /* NEVER: none yet */
};

/* A window of ranges, first to last, and what it costs to vacate it. */
struct window {
    vidmm_range first, last;
    uint64_t cost;
};

/* Drop the first range while what remains, up to `end`, still holds the request. */
static void shrink(const struct vidmm_engine *engine, uint32_t segment,
                   const struct stretch *stretch, struct window *window, uint64_t end)
{
    const struct vidmm_segment *ranges = &engine->segments[segment].ranges;

    VIDMM_ASSERT(window->first && window->last);
    while (window->first != window->last) {
        vidmm_range second = vidmm_range_next(ranges, window->first);

        if (vidmm_request_fit(stretch->request, vidmm_range_offset(ranges, second), end) ==
            UINT64_MAX)
            return;
        window->cost -= stretch->cost_of(engine, segment, window->first, stretch->for_this);
        window->first = second;
    }
}

/* Slide over the ranges from `range` until `stop` (0: to the end), keeping the cheapest place. */
static void slide(const struct vidmm_engine *engine, uint32_t segment, vidmm_range range,
                  vidmm_range stop, struct stretch *stretch)
{
    const struct vidmm_segment *ranges = &engine->segments[segment].ranges;
    struct window window = {0, 0, 0};

    for (; range != stop; range = vidmm_range_next(ranges, range)) {
        uint64_t cost = stretch->cost_of(engine, segment, range, stretch->for_this);
        uint64_t end = vidmm_range_offset(ranges, range) + vidmm_range_size(ranges, range);
        uint64_t at;

        if (cost == NEVER) {
            window = (struct window){0, 0, 0};
            continue;
        }
        window.first = window.first ? window.first : range;
        window.last = range;
        window.cost += cost;
        shrink(engine, segment, stretch, &window, end);
        at = vidmm_request_fit(stretch->request, vidmm_range_offset(ranges, window.first), end);
        if (at != UINT64_MAX && window.cost < stretch->cost) {
            stretch->cost = window.cost;
            stretch->offset = at;
        }
    }
}

/* Bytes. A held placement is moved, there and back, so it counts twice. One that is larger would
 * need such a stretch itself, if it does not go into runs. */
static uint64_t cost_in_bytes(const struct vidmm_engine *engine, uint32_t segment,
                              vidmm_range range, const struct vidmm_placement *for_this)
{
    const struct vidmm_placement *there = vidmm_room_resident(engine, segment, range);

    if (vidmm_range_is_hole(&engine->segments[segment].ranges, range))
        return 0;
    if (!there || !vidmm_room_may_move(engine, there) || vidmm_room_is_ending(engine, there))
        return NEVER;
    if (!there->held)
        return vidmm_placement_extent(engine, there);
    return (vidmm_runs_serve(engine, there, segment) ||
            vidmm_placement_extent(engine, there) <
                vidmm_wish_size_in(engine, &for_this->wish, segment)) &&
                   there->moves->in.state == MOVE_IDLE
               ? 2 * vidmm_placement_extent(engine, there)
               : NEVER;
}

enum vidmm_found vidmm_room_by_window(struct vidmm_engine *engine,
                                      struct vidmm_placement *placement, uint32_t segment,
                                      struct vidmm_settlement *settlement)
{
    struct vidmm_range_request request = vidmm_wish_request(engine, placement, segment);
    struct stretch stretch = {&request, placement, cost_in_bytes, UINT64_MAX, NEVER};
    struct vidmm_leavers leavers = {0};
    struct vidmm_placement *other;
    enum vidmm_found found;

    VIDMM_ASSERT(!vidmm_placement_has_range(placement));
    if (vidmm_segment_is_aperture(engine, segment))
        return FOUND_NONE; /* the commit limit, not only addresses, may be in the way */
    if (vidmm_runs_serve(engine, placement, segment))
        return FOUND_NONE; /* no stretch of addresses was in the way */
    slide(engine, segment, vidmm_segment_first(&engine->segments[segment].ranges), 0, &stretch);
    if (stretch.offset == UINT64_MAX)
        return FOUND_NONE;
    VIDMM_ASSERT(stretch.cost != NEVER);
    for (other = engine->segments[segment].oldest; other; other = other->newer)
        other->chosen =
            vidmm_place_overlaps(engine, other, stretch.offset, stretch.offset + request.size);
    vidmm_leavers_add_chosen(engine, &leavers, segment);
    found = vidmm_settlement_evicts(engine, settlement, &leavers);
    settlement->settler = found == FOUND ? placement : NULL;
    settlement->segment = segment;
    settlement->fit = (struct vidmm_fit){0, stretch.offset};
    return found;
}
