/* room.c: where an allocation goes, and who has to leave for it.
 *
 * Three ways, each tried when the one before has failed:
 *   by cost     the cheapest stretch of addresses among the least recently used. What leaving costs
 *               is its bytes over the square root of its age: old counts for more than small, but
 *               one large allocation that is used in every frame is not thrown out for many small
 *               ones.
 *
 *                 | a: old | hole | b: older | c: held | d: old | hole |
 *                 '------- a + hole + b -----'         '-- d + hole ---'
 *
 *               Among many of mixed sizes the oldest lie apart, and no stretch of them is long
 *               enough: then what lies beside each is looked at too, so that the work does not grow
 *               with their number.
 *
 *   by window   the stretch of addresses of the fewest bytes, in which smaller allocations of the
 *               work being prepared may also lie: they leave and are placed again after this one
 *   by packing  packing.c
 *
 * Priority comes before age: an allocation leaves only where those of lower classes are not enough.
 *
 * All of it decides; nothing moves yet (engine_state.h). An answer of CALL or LATER leaves the
 * ranges as they were.
 *
 * Invariants
 * R1. Between calls no placement is marked; within one, what is marked is in the list of the
 *     choice.
 * R2. A victim is not held, not a buffer, not pinned, not locked, not kept by what a node runs
 *     (N3), and has no page-in or page-out queued, nor a page-out in flight.
 * R3. What is kept (bound to a slot at a split point, D-340) does not leave its range, whoever
 *     asks.
 */
#include "vidmm/engine/decide/room.h"

#include <base/bits.h>

#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/wish.h"

/* ---- what may leave -------------------------------------------------------------------------- */

/* Whether its moves let it leave now. */
bool vidmm_room_may_move(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return !placement->buffer && !placement->locked && !placement->kept &&
           !vidmm_wish_is_pinned(&placement->wish) && placement->out.state == MOVE_IDLE &&
           placement->in.state != MOVE_QUEUED && !vidmm_context_keeps(engine, placement);
}

/* Destroyed, and named by nothing but what is in flight: its range will be free without paging. */
bool vidmm_room_is_ending(const struct vidmm_placement *placement)
{
    return placement->on_dying ||
           (placement->dying && placement->uses > 0 && placement->uses == placement->references);
}

static bool is_victim(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return vidmm_room_may_move(engine, placement) && !placement->held &&
           !vidmm_room_is_ending(placement); /* R2 */
}

/* What the work at the head names can still give up its range of an aperture: it is mapped again
 * afterwards. */
static bool is_spare(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return vidmm_room_may_move(engine, placement) && placement->held &&
           placement->in.state == MOVE_IDLE;
}

/* Whether it cannot leave now but will be able to, or will be gone, by what is in flight. A lock is
 * not of that kind: its holder may wait for us. Nor is a queued move: it may stand behind the one
 * that asks. */
static bool is_transient(const struct vidmm_placement *placement)
{
    bool leaves = placement->out.state == MOVE_BUILT || placement->out.state == MOVE_DUE;

    return !placement->held && !placement->locked && (vidmm_room_is_ending(placement) || leaves);
}

/* The placement that a range belongs to; NULL: a hole, or a range of an eviction aperture. */
struct vidmm_placement *vidmm_room_resident(const struct vidmm_engine *engine, uint32_t segment,
                                            vidmm_range range)
{
    const struct vidmm_segment *ranges = &engine->segments[segment].ranges;
    struct vidmm_placement *placement;

    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    if (vidmm_range_is_hole(ranges, range))
        return NULL;
    placement = vidmm_placement_find(engine, vidmm_range_owner(ranges, range));
    return placement && vidmm_place_is_in(&placement->given, segment) &&
                   placement->given.range == range
               ? placement
               : NULL;
}

uint64_t vidmm_room_commit(const struct vidmm_engine *engine, uint32_t segment)
{
    const struct vidmm_engine_segment *config = &engine->config.segments[segment];
    const struct vidmm_segment_state *state = &engine->segments[segment];
    uint64_t room;

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

void vidmm_room_evict(struct vidmm_engine *engine, struct vidmm_placement *victim)
{
    VIDMM_ASSERT(vidmm_placement_has_range(victim) && !victim->buffer);
    VIDMM_ASSERT(!victim->kept);
    vidmm_placement_unsettle(engine, victim);
    if (vidmm_place_is_segment(&victim->at) && !victim->leaving) {
        victim->leaving = true;
        victim->next = NULL;
        if (engine->leaving_last)
            engine->leaving_last->next = victim;
        else
            engine->leaving_first = victim;
        engine->leaving_last = victim;
    }
}

/* ---- the request ----------------------------------------------------------------------------- */

/* The offset at which the request lies in [low, high); UINT64_MAX: nowhere. */
static uint64_t fit(const struct vidmm_range_request *request, uint64_t low, uint64_t high)
{
    uint64_t mask = request->alignment - 1;
    uint64_t start;

    if (low < request->window_start)
        low = request->window_start;
    start = (low + mask) & ~mask;
    if (start > high || high - start < request->size)
        return UINT64_MAX;
    if (request->direction == VIDMM_FROM_END)
        start = (high - request->size) & ~mask;
    return start;
}

/* ---- sliding over addresses ------------------------------------------------------------------ */

/* The cost of vacating the range; NEVER: it cannot be. */
#define NEVER UINT64_MAX
typedef uint64_t cost_function(const struct vidmm_engine *, uint32_t segment, vidmm_range,
                               const struct vidmm_placement *for_this);

/* The cheapest place for a request so far. */
struct stretch {
    const struct vidmm_range_request *request;
    const struct vidmm_placement *for_this; /* who asks; NULL: an eviction aperture */
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

    while (window->first != window->last) {
        vidmm_range second = vidmm_range_next(ranges, window->first);

        if (fit(stretch->request, vidmm_range_offset(ranges, second), end) == UINT64_MAX)
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
        at = fit(stretch->request, vidmm_range_offset(ranges, window.first), end);
        if (at != UINT64_MAX && window.cost < stretch->cost) {
            stretch->cost = window.cost;
            stretch->offset = at;
        }
    }
}

/* ---- by cost --------------------------------------------------------------------------------- */

struct choice {
    uint64_t offset; /* UINT64_MAX: none yet */
    uint64_t size;
    const struct vidmm_placement *not_this;
    struct vidmm_placement *first, *last; /* that were marked, in this order */
    uint32_t count;                       /* of these */
    uint64_t freed;                       /* their bytes */
    bool held_too;                        /* what is held may leave as well */
    bool transient;                       /* somebody was passed over who can leave later */
};

typedef vidmm_range beside_function(const struct vidmm_segment *, vidmm_range);

/* The live range beside `range`, over a hole if there is one; 0: the end of the segment. */
static vidmm_range live_beside(const struct vidmm_segment *ranges, vidmm_range range,
                               beside_function *beside)
{
    range = beside(ranges, range);
    return range && vidmm_range_is_hole(ranges, range) ? beside(ranges, range) : range;
}

static struct vidmm_placement *run_end(const struct vidmm_engine *engine,
                                       const struct vidmm_placement *placement)
{
    return engine->placements[placement->run_end];
}

/* The far end, in one direction, of the run of marked ranges that a newly marked one joins; *stop
 * receives the live range that ends the run. The two ends of a run know each other, so it is
 * crossed in one step. */
static struct vidmm_placement *far_end(struct vidmm_engine *engine, uint32_t segment,
                                       struct vidmm_placement *victim, beside_function *beside,
                                       vidmm_range *stop)
{
    const struct vidmm_segment *ranges = &engine->segments[segment].ranges;
    struct vidmm_placement *next;

    *stop = live_beside(ranges, victim->given.range, beside);
    next = *stop ? vidmm_room_resident(engine, segment, *stop) : NULL;
    if (!next || !next->marked)
        return victim;
    next = run_end(engine, next);
    *stop = live_beside(ranges, next->given.range, beside);
    return next;
}

/* A run of marked ranges: the hole [low, high) that they will make, and the live ranges that end
 * it; 0: the segment does. */
struct run {
    uint64_t low, high;
    vidmm_range before, behind;
};

/* Mark a victim. The run that it and its marked neighbours make. */
static struct run mark(struct vidmm_engine *engine, uint32_t segment,
                       struct vidmm_placement *victim)
{
    const struct vidmm_segment *ranges = &engine->segments[segment].ranges;
    struct vidmm_placement *first, *last;
    struct run run = {.high = engine->config.segments[segment].size};

    VIDMM_ASSERT(!victim->marked && vidmm_placement_has_range(victim));
    victim->marked = true;
    first = far_end(engine, segment, victim, vidmm_range_prev, &run.before);
    last = far_end(engine, segment, victim, vidmm_range_next, &run.behind);
    first->run_end = last->id;
    last->run_end = first->id;
    if (run.before)
        run.low = vidmm_range_offset(ranges, run.before) + vidmm_range_size(ranges, run.before);
    if (run.behind)
        run.high = vidmm_range_offset(ranges, run.behind);
    return run;
}

/* Bytes that must be uncommitted before the request can be committed. */
static uint64_t short_of(const struct vidmm_engine *engine, uint32_t segment, uint64_t size)
{
    uint64_t room = vidmm_room_commit(engine, segment);

    return room < size ? size - room : 0;
}

/* Whether no stretch can cost less than the oldest, which hold the request and not a byte more:
 * there are no holes, so as many bytes have to leave wherever it is, and of none are they older. */
static bool nothing_is_cheaper(const struct vidmm_engine *engine, uint32_t segment,
                               const struct choice *choice)
{
    return choice->freed == choice->size &&
           vidmm_segment_largest_hole(&engine->segments[segment].ranges) == 0;
}

#define LOOK_AT 32u /* of the oldest, how many are looked at, if fewer would do */
#define ALONE 64u   /* of the oldest, how many are looked at before their neighbours are as well */

static bool may_be_marked(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement, const struct choice *choice)
{
    return placement != choice->not_this &&
           (is_victim(engine, placement) || (choice->held_too && is_spare(engine, placement)));
}

/* Mark a victim of the choice. */
static struct run add(struct vidmm_engine *engine, const struct vidmm_range_request *request,
                      uint32_t segment, struct vidmm_placement *victim, struct choice *choice)
{
    struct run run = mark(engine, segment, victim);

    victim->marked_next = 0;
    if (choice->last)
        choice->last->marked_next = victim->id;
    else
        choice->first = victim;
    choice->last = victim;
    choice->count++;
    choice->freed += vidmm_placement_extent(engine, victim);
    if (choice->offset == UINT64_MAX)
        choice->offset = fit(request, run.low, run.high);
    return run;
}

static struct vidmm_placement *marked_next(const struct vidmm_engine *engine,
                                           const struct vidmm_placement *placement)
{
    return placement->marked_next == 0 ? NULL : engine->placements[placement->marked_next];
}

/* What is in a range that ends a run, if it may be marked with those of a class; NULL: it may
 * not. */
static struct vidmm_placement *neighbour(struct vidmm_engine *engine, uint32_t segment,
                                         vidmm_range range, uint32_t rank,
                                         const struct choice *choice)
{
    struct vidmm_placement *there = range ? vidmm_room_resident(engine, segment, range) : NULL;

    if (there && (there->priority_class > rank || !may_be_marked(engine, there, choice)))
        return NULL;
    return there;
}

/* The oldest lie apart: mark what lies beside a run, what was not used for longer first, until the
 * request fits there. */
static void add_neighbours(struct vidmm_engine *engine, const struct vidmm_range_request *request,
                           uint32_t segment, uint32_t rank, struct choice *choice, struct run run)
{
    while (fit(request, run.low, run.high) == UINT64_MAX) {
        struct vidmm_placement *before = neighbour(engine, segment, run.before, rank, choice);
        struct vidmm_placement *behind = neighbour(engine, segment, run.behind, rank, choice);
        struct vidmm_placement *next = before ? before : behind;

        if (!next)
            return;
        if (before && behind && behind->last_use < before->last_use)
            next = behind;
        run = add(engine, request, segment, next, choice);
    }
}

/* The oldest of the segment that is not held for the work at the head. Those before it are looked
 * at once, and not again for each allocation that the work wants a place for. */
static struct vidmm_placement *oldest_free(struct vidmm_engine *engine, uint32_t segment,
                                           const struct choice *choice)
{
    struct vidmm_segment_state *state = &engine->segments[segment];
    struct vidmm_placement *placement;

    if (choice->held_too)
        return state->oldest;
    if (state->held_at != engine->events) {
        state->held_at = engine->events;
        state->held_end = NULL;
    }
    placement = state->held_end ? state->held_end->newer : state->oldest;
    for (; placement && placement->held && !is_transient(placement); placement = placement->newer)
        state->held_end = placement;
    return placement;
}

/* Of one class of priority, mark the oldest until the request fits and enough can be committed, and
 * some more to choose from. */
static void mark_class(struct vidmm_engine *engine, const struct vidmm_range_request *request,
                       uint32_t segment, uint32_t rank, struct choice *choice)
{
    uint64_t shortage = short_of(engine, segment, choice->size);
    struct vidmm_placement *victim;
    uint32_t looked = 0;

    for (victim = oldest_free(engine, segment, choice); victim; victim = victim->newer) {
        struct run run;

        if (victim->priority_class != rank || victim->marked)
            continue;
        if (choice->offset != UINT64_MAX && choice->freed >= shortage && looked++ >= LOOK_AT)
            return;
        if (!may_be_marked(engine, victim, choice)) {
            choice->transient |= is_transient(victim);
            continue;
        }
        run = add(engine, request, segment, victim, choice);
        if (choice->count > ALONE)
            add_neighbours(engine, request, segment, rank, choice, run);
        if (choice->offset != UINT64_MAX && choice->freed >= shortage &&
            nothing_is_cheaper(engine, segment, choice))
            return;
    }
}

/* Mark by class, the lowest first: a higher one only where those below it are not enough. */
static void mark_oldest(struct vidmm_engine *engine, const struct vidmm_range_request *request,
                        uint32_t segment, struct choice *choice)
{
    const struct vidmm_segment_state *state = &engine->segments[segment];
    uint64_t shortage = short_of(engine, segment, choice->size);
    uint32_t rank;

    for (rank = 0; rank < VIDMM_PRIORITY_CLASSES; rank++) {
        if (state->classes[rank] == 0)
            continue;
        if (choice->offset != UINT64_MAX && choice->freed >= shortage)
            break;
        mark_class(engine, request, segment, rank, choice);
    }
    if (choice->freed < shortage)
        choice->offset = UINT64_MAX;
}

/* The square root, rounded down; of 0 too. Newton's steps, from a power of two above it: none goes
 * below it, and the first that does not go down has begun at it. */
static uint64_t square_root(uint64_t number)
{
    uint64_t root = (uint64_t)1 << (vidmm_highest_bit(number | 1) / 2 + 1), next;

    while (root != 0 && (next = (root + number / root) / 2) < root)
        root = next;
    return root;
}

#define COST_BITS 16u /* a cost is a number of pages in 1/65536 */
#define ROOT_BITS 4u  /* ... over a root in 1/16 */
#define CLASS_BITS 6u /* a class of priority more or less counts 64 times as much */

/* Pages over the square root of the age in packets. */
static uint64_t cost_by_age(const struct vidmm_engine *engine, uint32_t segment, vidmm_range range,
                            const struct vidmm_placement *for_this)
{
    const struct vidmm_placement *there = vidmm_room_resident(engine, segment, range);
    uint64_t age, cost;

    (void)for_this;
    if (vidmm_range_is_hole(&engine->segments[segment].ranges, range))
        return 0;
    if (!there || !there->marked)
        return NEVER;
    age = engine->next_fence - there->last_use;
    cost = ((vidmm_placement_extent(engine, there) / VIDMM_PAGE_SIZE) << (COST_BITS + ROOT_BITS)) /
           (square_root(age << 2 * ROOT_BITS) + 1);
    return there->priority_class < VIDMM_PRIORITY_NORMAL
               ? cost >> CLASS_BITS * (VIDMM_PRIORITY_NORMAL - there->priority_class)
               : cost << CLASS_BITS * (there->priority_class - VIDMM_PRIORITY_NORMAL);
}

/* Among the runs of marked ranges, the cheapest place. */
static void choose_by_cost(const struct vidmm_engine *engine,
                           const struct vidmm_range_request *request, uint32_t segment,
                           struct choice *choice)
{
    const struct vidmm_segment *ranges = &engine->segments[segment].ranges;
    struct stretch stretch = {request, NULL, cost_by_age, UINT64_MAX, NEVER};
    const struct vidmm_placement *first;

    for (first = choice->first; first; first = marked_next(engine, first)) {
        vidmm_range before = live_beside(ranges, first->given.range, vidmm_range_prev);
        const struct vidmm_placement *lower =
            before ? vidmm_room_resident(engine, segment, before) : NULL;

        if (!(lower && lower->marked)) { /* the low end of a run */
            vidmm_range from =
                before ? vidmm_range_next(ranges, before) : vidmm_segment_first(ranges);

            slide(engine, segment, from,
                  live_beside(ranges, run_end(engine, first)->given.range, vidmm_range_next),
                  &stretch);
        }
    }
    if (stretch.offset != UINT64_MAX)
        choice->offset = stretch.offset;
}

static bool overlaps(const struct vidmm_engine *engine, const struct vidmm_placement *placement,
                     uint64_t offset, uint64_t size)
{
    uint64_t own = placement->given.offset;

    return own < offset + size && offset < own + vidmm_placement_extent(engine, placement);
}

/* Keep marked those that must leave, and clear the others. */
static void thin_out(struct vidmm_engine *engine, uint32_t segment, struct choice *choice)
{
    uint64_t shortage = short_of(engine, segment, choice->size);
    struct vidmm_placement *placement;
    uint64_t freed = 0;

    for (placement = choice->first; placement; placement = marked_next(engine, placement)) {
        if (choice->offset != UINT64_MAX &&
            overlaps(engine, placement, choice->offset, choice->size)) {
            freed += vidmm_placement_extent(engine, placement);
            placement->chosen = true;
        }
    }
    for (placement = choice->first; placement; placement = marked_next(engine, placement)) {
        if (!placement->chosen && freed < shortage && choice->offset != UINT64_MAX) {
            freed += vidmm_placement_extent(engine, placement);
            placement->chosen = true;
        }
        placement->marked = false; /* R1 */
    }
}

/* Claim and evict the chosen ones of those that were marked. CALL: one must be claimed first, none
 * has left. */
static enum vidmm_found evict_marked(struct vidmm_engine *engine, const struct choice *choice)
{
    struct vidmm_placement *placement;
    enum vidmm_found found = FOUND;

    for (placement = choice->first; placement; placement = marked_next(engine, placement))
        if (placement->chosen && found == FOUND)
            found = vidmm_claim(engine, placement);
    for (placement = choice->first; placement; placement = marked_next(engine, placement)) {
        if (placement->chosen && found == FOUND)
            vidmm_room_evict(engine, placement);
        placement->chosen = false;
    }
    return found;
}

/* The same with all of the segment. */
enum vidmm_found vidmm_room_evict_chosen(struct vidmm_engine *engine, uint32_t segment)
{
    struct vidmm_placement *placement, *newer;
    enum vidmm_found found = FOUND;

    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    for (placement = engine->segments[segment].oldest; placement; placement = placement->newer)
        if (placement->chosen && found == FOUND)
            found = vidmm_claim(engine, placement);
    for (placement = engine->segments[segment].oldest; placement; placement = newer) {
        newer = placement->newer;
        if (placement->chosen && found == FOUND)
            vidmm_room_evict(engine, placement);
        placement->chosen = false;
    }
    return found;
}

/* Find an offset for the request, and who leaves for it: they are chosen, and have not left. */
static enum vidmm_found find_room(struct vidmm_engine *engine,
                                  const struct vidmm_range_request *request, uint32_t segment,
                                  struct choice *choice)
{
    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    if (request->size > engine->config.segments[segment].size)
        return FOUND_NONE;
    if (vidmm_segment_largest_hole(&engine->segments[segment].ranges) >= request->size) {
        vidmm_range range = vidmm_segment_take(&engine->segments[segment].ranges, request, 0);

        if (range) { /* there is a place; only the commit limit was in the way */
            choice->offset = vidmm_range_offset(&engine->segments[segment].ranges, range);
            vidmm_segment_release(&engine->segments[segment].ranges, range);
        }
    }
    mark_oldest(engine, request, segment, choice);
    if (choice->offset != UINT64_MAX && choice->first)
        choose_by_cost(engine, request, segment, choice);
    thin_out(engine, segment, choice);
    if (choice->offset == UINT64_MAX) {
        choice->transient |= engine->segments[segment].evictions > 0;
        return choice->transient ? FOUND_LATER : FOUND_NONE;
    }
    return FOUND;
}

/* Find an offset for the request, evicting what it takes. */
static enum vidmm_found make_room(struct vidmm_engine *engine,
                                  const struct vidmm_range_request *request, uint32_t segment,
                                  const struct vidmm_placement *not_this, uint64_t *offset)
{
    struct choice choice = {.offset = UINT64_MAX, .size = request->size, .not_this = not_this};
    enum vidmm_found found = find_room(engine, request, segment, &choice);

    *offset = choice.offset;
    return found == FOUND ? evict_marked(engine, &choice) : found;
}

/* Take a hole if there is one and the commit limits allow. */
static vidmm_range take_hole(struct vidmm_engine *engine, const struct vidmm_range_request *request,
                             uint32_t segment, uint32_t owner)
{
    if (vidmm_room_commit(engine, segment) < request->size)
        return 0;
    return vidmm_segment_take(&engine->segments[segment].ranges, request, owner);
}

/* A hole of a preferred bank, the most preferred first. */
static vidmm_range take_hole_of_bank(struct vidmm_engine *engine,
                                     const struct vidmm_placement *placement, uint32_t segment)
{
    struct vidmm_range_request request;
    vidmm_range range = 0;
    uint32_t group;

    for (group = 0; group < VIDMM_BANK_GROUPS && !range; group++)
        if (vidmm_wish_bank_request(engine, placement, segment, group, &request))
            range = take_hole(engine, &request, segment, placement->id);
    return range;
}

enum vidmm_found vidmm_room_by_cost(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                    uint32_t segment)
{
    struct vidmm_range_request request = vidmm_wish_request(engine, placement, segment);
    vidmm_range range = take_hole_of_bank(engine, placement, segment);
    uint64_t offset = 0;

    VIDMM_ASSERT(!vidmm_placement_has_range(placement));
    if (!range)
        range = take_hole(engine, &request, segment, placement->id); /* obeys D-017 */
    if (!range) {
        enum vidmm_found found = make_room(engine, &request, segment, placement, &offset);

        if (found != FOUND)
            return found;
        range = vidmm_segment_take_at(&engine->segments[segment].ranges, offset, request.size,
                                      placement->id);
    }
    vidmm_placement_settle(engine, placement, segment, range);
    return FOUND;
}

/* ---- through an eviction aperture ------------------------------------------------------------ */

/* Make a list of the chosen ones, who leave if the passage is taken. */
static void list_leavers(const struct vidmm_engine *engine, const struct choice *choice,
                         struct vidmm_passage *passage)
{
    struct vidmm_placement *placement = choice->first, *last = NULL, *next;

    for (; placement; placement = next) {
        next = marked_next(engine, placement);
        placement->marked_next = 0;
        if (!placement->chosen)
            continue;
        VIDMM_ASSERT(!placement->open && !placement->locked); /* L1: no claim for an aperture */
        placement->chosen = false;
        if (last)
            last->marked_next = placement->id;
        else
            passage->leavers = placement;
        last = placement;
    }
}

/* A place in one eviction aperture. */
static enum vidmm_found find_passage(struct vidmm_engine *engine,
                                     const struct vidmm_placement *placement, uint32_t segment,
                                     struct vidmm_passage *passage)
{
    struct vidmm_range_request request = vidmm_wish_request(engine, placement, segment);
    struct choice choice = {.offset = UINT64_MAX, .size = request.size};
    enum vidmm_found found;
    vidmm_range range;

    request.window_start = 0; /* it goes through, it does not live here */
    *passage = (struct vidmm_passage){.segment = segment};
    range = take_hole(engine, &request, segment, placement->id);
    if (range) {
        passage->offset = vidmm_range_offset(&engine->segments[segment].ranges, range);
        vidmm_segment_release(&engine->segments[segment].ranges, range);
        return FOUND;
    }
    found = find_room(engine, &request, segment, &choice);
    if (found == FOUND_NONE) {
        choice = (struct choice){.offset = UINT64_MAX, .size = request.size, .held_too = true};
        found = find_room(engine, &request, segment, &choice);
    }
    if (found == FOUND) {
        passage->offset = choice.offset;
        passage->held_too = choice.held_too;
        list_leavers(engine, &choice, passage);
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
    struct vidmm_placement *leaver = passage->leavers, *next;

    VIDMM_ASSERT(placement->out.state == MOVE_QUEUED && placement->out.eviction_range == 0);
    for (; leaver; leaver = next) {
        next = marked_next(engine, leaver);
        vidmm_room_evict(engine, leaver);
    }
    if (passage->held_too && engine->work_first)
        engine->work_first->ready = false; /* some of what it names must be mapped again */
    placement->out.eviction_range = vidmm_segment_take_at(&segment->ranges, passage->offset,
                                                          placement->wish.size, placement->id);
    placement->out.eviction_segment = (uint8_t)passage->segment;
    segment->evictions++;
    vidmm_segment_commit(engine, passage->segment, placement->wish.size);
    VIDMM_ASSERT(placement->out.eviction_range != 0);
}

/* ---- by window ------------------------------------------------------------------------------- */

/* Bytes. What is held is moved, there and back, so it counts twice. */
static uint64_t cost_in_bytes(const struct vidmm_engine *engine, uint32_t segment,
                              vidmm_range range, const struct vidmm_placement *for_this)
{
    const struct vidmm_placement *there = vidmm_room_resident(engine, segment, range);

    if (vidmm_range_is_hole(&engine->segments[segment].ranges, range))
        return 0;
    if (!there || !vidmm_room_may_move(engine, there) || vidmm_room_is_ending(there))
        return NEVER;
    if (!there->held)
        return vidmm_placement_extent(engine, there);
    return vidmm_placement_extent(engine, there) <
                       vidmm_wish_size_in(engine, &for_this->wish, segment) &&
                   there->in.state == MOVE_IDLE
               ? 2 * vidmm_placement_extent(engine, there)
               : NEVER;
}

enum vidmm_found vidmm_room_by_window(struct vidmm_engine *engine,
                                      struct vidmm_placement *placement, uint32_t segment)
{
    struct vidmm_range_request request = vidmm_wish_request(engine, placement, segment);
    struct stretch stretch = {&request, placement, cost_in_bytes, UINT64_MAX, NEVER};
    struct vidmm_placement *other;
    enum vidmm_found found;
    vidmm_range range;

    VIDMM_ASSERT(!vidmm_placement_has_range(placement));
    if (vidmm_segment_is_aperture(engine, segment))
        return FOUND_NONE; /* the commit limit, not only addresses, may be in the way */
    slide(engine, segment, vidmm_segment_first(&engine->segments[segment].ranges), 0, &stretch);
    if (stretch.offset == UINT64_MAX)
        return FOUND_NONE;
    for (other = engine->segments[segment].oldest; other; other = other->newer)
        other->chosen = overlaps(engine, other, stretch.offset, request.size);
    found = vidmm_room_evict_chosen(engine, segment);
    if (found != FOUND)
        return found;
    range = vidmm_segment_take_at(&engine->segments[segment].ranges, stretch.offset, request.size,
                                  placement->id);
    vidmm_placement_settle(engine, placement, segment, range);
    return FOUND;
}
