/* cheapest.c: the cheapest stretch of addresses that others can leave for a request.
 *
 * It costs the bytes of who leaves over the square root of its age: old counts for more than small,
 * but one large allocation that is used in every frame is not thrown out for many small ones. A
 * stretch grows from one of the least recently used to both sides, towards what is older, until the
 * request fits; then what it does not need falls off its ends:
 *
 *                 | a: newer | hole | b: oldest | c: old | d: held |
 *                            '------ b ---------'                      too short
 *                            '------ b + c --------------'             the request fits
 *
 * The neighbours of the oldest placements decide more than their age does, so many of them are
 * looked at (LOOK_AT). Most are given up after a few instructions, because they cannot become
 * cheaper than the cheapest so far: by themselves, or with what they lack at the price of the
 * oldest page there is. The search ends at the first that is too new to begin a cheaper stretch. If
 * a placement has no room beside it, because something stays where it is, it is marked with all
 * that lies between, and not looked at again; so the search is O(n) even if there is no place at
 * all.
 *
 * Priority comes before age: an allocation leaves only where those of lower classes are not enough.
 *
 * Invariant
 * R1. Between calls no placement is marked; within one, what is marked is in the list of the
 *     search.
 */
#include "vidmm/engine/decide/cheapest.h"

#include <base/bits.h>
#include <vidmm/page.h>

#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"

#define LOOK_AT 512u /* of the oldest, how many are looked at, once there is a place */

uint64_t vidmm_request_fit(const struct vidmm_range_request *request, uint64_t low, uint64_t high)
{
    uint64_t mask = request->alignment - 1;
    uint64_t start;

    VIDMM_ASSERT(request->alignment != 0 && (request->alignment & mask) == 0);
    if (low < request->window_start)
        low = request->window_start;
    start = (low + mask) & ~mask;
    if (start > high || high - start < request->size)
        return VIDMM_NOWHERE;
    if (request->direction == VIDMM_FROM_END)
        start = (high - request->size) & ~mask;
    return start;
}

bool vidmm_choice_allows(const struct vidmm_engine *engine, const struct vidmm_choice *choice,
                         const struct vidmm_placement *placement)
{
    return placement != choice->not_this &&
           (vidmm_room_is_victim(engine, placement) ||
            (choice->held_too && vidmm_room_is_spare(engine, placement)));
}

/* Those before it are looked at once, and not again for each allocation that the work wants a place
 * for. */
struct vidmm_placement *vidmm_choice_oldest(struct vidmm_engine *engine,
                                            const struct vidmm_choice *choice)
{
    struct vidmm_segment_state *state = &engine->segments[choice->segment];
    struct vidmm_placement *placement;

    VIDMM_ASSERT(choice->segment >= 1 && choice->segment <= engine->config.segment_count);
    if (choice->held_too)
        return state->oldest;
    if (state->held_at != engine->events) {
        state->held_at = engine->events;
        state->held_end = NULL;
    }
    placement = state->held_end ? state->held_end->newer : state->oldest;
    for (; placement && placement->held && !vidmm_room_is_transient(engine, placement);
         placement = placement->newer)
        state->held_end = placement;
    return placement;
}

/* ---- what leaving costs ---------------------------------------------------------------------- */

/* 2^15 over the square roots of 16/16 to 63/16. */
static const uint16_t roots[] = {
    32768, 31790, 30894, 30070, 29309, 28602, 27945, 27330, 26755, 26214, 25705, 25225,
    24770, 24339, 23930, 23541, 23170, 22817, 22479, 22155, 21845, 21548, 21263, 20988,
    20724, 20470, 20225, 19988, 19760, 19539, 19326, 19119, 18919, 18725, 18536, 18354,
    18176, 18004, 17837, 17674, 17515, 17361, 17211, 17064, 16921, 16782, 16646, 16514,
};

/* A page of it: one over the square root of its age in packets, times 2^28. */
static uint64_t weight_of(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement)
{
    uint64_t age = engine->fences.next - placement->last_use;
    uint32_t half = vidmm_highest_bit(age | 1) / 2;
    uint64_t index = half >= 2 ? age >> (2 * half - 4) : (age | (age == 0)) << (4 - 2 * half);

    VIDMM_ASSERT(placement->last_use <= engine->fences.next);
    VIDMM_ASSERT(index >= 16 && index < 16 + sizeof(roots) / sizeof(roots[0]));
    return (uint64_t)roots[index - 16] << 13 >> half;
}

static uint64_t pages_of(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return vidmm_placement_extent(engine, placement) / VIDMM_PAGE_SIZE;
}

/* ---- a stretch ------------------------------------------------------------------------------- */

struct search {
    struct vidmm_engine *engine;
    struct vidmm_choice *choice;
    uint32_t rank; /* the highest class that may leave */
    uint64_t cost; /* of the cheapest place; UINT64_MAX: there is none */
    uint64_t
        least; /* the least weight of a page: one of the oldest; 0: some are of lower classes */
    struct vidmm_placement *hopeless; /* the marked ones */
};

/* Live ranges that can leave, first to last, and the addresses that are free then. */
struct stretch {
    uint64_t low, high;
    vidmm_range first, last;
    uint64_t cost;
};

#define CLASS_BITS 6u /* a class of priority less counts a 64th */
#define COST_BITS 63u /* of what is far below, nothing is left */

static uint64_t cost_of(const struct search *search, const struct vidmm_placement *placement)
{
    uint64_t cost = pages_of(search->engine, placement) * weight_of(search->engine, placement);
    uint32_t bits = CLASS_BITS * (search->rank - placement->priority_class);

    VIDMM_ASSERT(placement->priority_class <= search->rank);
    return cost >> (bits < COST_BITS ? bits : COST_BITS);
}

static const struct vidmm_segment *ranges_of(const struct search *search)
{
    return &search->engine->segments[search->choice->segment].ranges;
}

/* The placement in a live range, if it may leave now; NULL: it may not, or there is no range. */
static struct vidmm_placement *who_leaves(struct search *search, vidmm_range range)
{
    struct vidmm_placement *there;

    if (range == 0)
        return NULL;
    there = vidmm_room_owner(search->engine, search->choice->segment, range);
    return there && there->priority_class <= search->rank &&
                   vidmm_choice_allows(search->engine, search->choice, there)
               ? there
               : NULL;
}

/* Between two placements that stay there is no place for the request. Beside other runs of what
 * lies there, there may be. */
static void mark(struct search *search, const struct stretch *stretch)
{
    const struct vidmm_segment *ranges = ranges_of(search);
    vidmm_range range = stretch->first, stop = vidmm_range_live_next(ranges, stretch->last, NULL);

    for (; range != stop; range = vidmm_range_live_next(ranges, range, NULL)) {
        struct vidmm_placement *placement =
            vidmm_room_resident(search->engine, search->choice->segment, range);

        VIDMM_ASSERT(placement); /* ranges of others end a stretch */
        if (!placement->marked && placement->given.runs == 0) {
            placement->marked = true;
            placement->marked_next = search->hopeless ? search->hopeless->id : 0;
            search->hopeless = placement;
        }
    }
}

static void clear_marks(struct search *search)
{
    while (search->hopeless) {
        struct vidmm_placement *placement = search->hopeless;

        placement->marked = false; /* R1 */
        search->hopeless = placement->marked_next
                               ? vidmm_placement_find(search->engine, placement->marked_next)
                               : NULL;
    }
}

static bool holds(const struct search *search, const struct stretch *stretch)
{
    return vidmm_request_fit(search->choice->request, stretch->low, stretch->high) != VIDMM_NOWHERE;
}

/* Let fall what the request does not need: at the low end, then at the high one. */
static void trim(const struct search *search, struct stretch *stretch)
{
    const struct vidmm_segment *ranges = ranges_of(search);
    uint32_t segment = search->choice->segment;

    VIDMM_ASSERT(holds(search, stretch));
    while (stretch->first != stretch->last) {
        uint64_t low =
            vidmm_range_offset(ranges, stretch->first) + vidmm_range_size(ranges, stretch->first);

        if (vidmm_request_fit(search->choice->request, low, stretch->high) == VIDMM_NOWHERE)
            break;
        stretch->cost -=
            cost_of(search, vidmm_room_resident(search->engine, segment, stretch->first));
        stretch->low = low;
        stretch->first = vidmm_range_live_next(ranges, stretch->first, NULL);
    }
    while (stretch->first != stretch->last) {
        uint64_t high = vidmm_range_offset(ranges, stretch->last);

        if (vidmm_request_fit(search->choice->request, stretch->low, high) == VIDMM_NOWHERE)
            break;
        stretch->cost -=
            cost_of(search, vidmm_room_resident(search->engine, segment, stretch->last));
        stretch->high = high;
        stretch->last = vidmm_range_live_prev(ranges, stretch->last, NULL);
    }
    VIDMM_ASSERT(holds(search, stretch));
}

/* Whether a stretch that is to grow will cost more than the cheapest so far: no page that it lacks
 * weighs less than one of the oldest. Holes that it may come to are left out: they are few where
 * room has to be made. */
static bool is_dear(const struct search *search, const struct stretch *stretch)
{
    uint64_t size = search->choice->request->size, length = stretch->high - stretch->low;
    uint64_t lacks = length < size ? (size - length) / VIDMM_PAGE_SIZE : 0;

    return search->cost <= stretch->cost || search->cost - stretch->cost <= lacks * search->least;
}

/* Grow to both sides until the request fits. False: something stays in the way, or it costs too
 * much. */
static bool grow(struct search *search, struct stretch *stretch, vidmm_range before,
                 vidmm_range behind)
{
    const struct vidmm_segment *ranges = ranges_of(search);
    struct vidmm_placement *lower = who_leaves(search, before);
    struct vidmm_placement *upper = who_leaves(search, behind);

    VIDMM_ASSERT(!holds(search, stretch));
    while (lower || upper) {
        if (lower && (!upper || lower->last_use <= upper->last_use)) {
            stretch->cost += cost_of(search, lower);
            stretch->first = before;
            before = vidmm_range_live_prev(ranges, before, &stretch->low);
            lower = NULL;
        } else {
            stretch->cost += cost_of(search, upper);
            stretch->last = behind;
            behind = vidmm_range_live_next(ranges, behind, &stretch->high);
            upper = NULL;
        }
        if (is_dear(search, stretch))
            return false;
        if (holds(search, stretch))
            return true;
        lower = lower ? lower : who_leaves(search, before);
        upper = upper ? upper : who_leaves(search, behind);
    }
    mark(search, stretch);
    return false;
}

/* ---- the search ------------------------------------------------------------------------------ */

static void keep(struct search *search, struct stretch *stretch)
{
    trim(search, stretch);
    if (stretch->cost < search->cost) {
        search->cost = stretch->cost;
        search->choice->offset =
            vidmm_request_fit(search->choice->request, stretch->low, stretch->high);
        search->choice->first = stretch->first;
    }
}

/* Look at the stretch that grows from a range of one of the oldest. */
static void consider(struct search *search, const struct vidmm_placement *from, vidmm_range range,
                     uint64_t weight)
{
    const struct vidmm_segment *ranges = ranges_of(search);
    struct stretch stretch = {.first = range, .last = range};
    vidmm_range before = vidmm_range_live_prev(ranges, range, &stretch.low);
    vidmm_range behind = vidmm_range_live_next(ranges, range, &stretch.high);

    stretch.cost = pages_of(search->engine, from) * weight;
    if (is_dear(search, &stretch))
        return;
    if (!vidmm_choice_allows(search->engine, search->choice, from))
        search->choice->transient |= vidmm_room_is_transient(search->engine, from);
    else if (holds(search, &stretch) || grow(search, &stretch, before, behind))
        keep(search, &stretch);
}

/* Whether placements of lower classes are in the segment. */
static bool has_lower(const struct vidmm_segment_state *state, uint32_t rank)
{
    uint32_t lower = 0;

    while (rank-- > 0)
        lower += state->classes[rank];
    return lower != 0;
}

/* With what is of a class of priority or of one below it, from the oldest of the class on, until
 * what is left is too new: a stretch of nothing older costs more than the cheapest. */
static void search_class(struct search *search, uint32_t rank)
{
    struct vidmm_placement *from = vidmm_choice_oldest(search->engine, search->choice);
    uint64_t pages = search->choice->request->size / VIDMM_PAGE_SIZE;
    bool lower = has_lower(&search->engine->segments[search->choice->segment], rank);
    uint32_t looked = 0;

    VIDMM_ASSERT(!search->hopeless && rank < VIDMM_PRIORITY_CLASSES); /* R1 */
    search->rank = rank;
    search->least = 0;
    for (; from && looked < LOOK_AT; from = from->newer) {
        uint32_t index;
        uint64_t weight;

        if (from->priority_class != rank || from->marked)
            continue;
        weight = weight_of(search->engine, from);
        if (!lower && pages * weight >= search->cost)
            return;
        if (!lower && search->least == 0)
            search->least = weight;
        for (index = 0; index < vidmm_place_ranges(from); index++)
            consider(search, from, vidmm_place_range(from, index), weight);
        looked += search->cost != UINT64_MAX ? 1 : 0;
    }
}

void vidmm_cheapest_find(struct vidmm_engine *engine, struct vidmm_choice *choice)
{
    const struct vidmm_segment_state *state = &engine->segments[choice->segment];
    struct search search = {.engine = engine, .choice = choice, .cost = UINT64_MAX};
    uint32_t rank;

    VIDMM_ASSERT(choice->ranks <= VIDMM_PRIORITY_CLASSES && choice->offset == VIDMM_NOWHERE);
    for (rank = 0; rank < choice->ranks && search.cost == UINT64_MAX; rank++) {
        if (state->classes[rank] == 0)
            continue;
        search_class(&search, rank);
        clear_marks(&search); /* those of the next class may make room beside them */
    }
}
