/* runs.c: room in runs of pages.
 *
 * Free memory is counted in pages, or, if the alignment is more than a page, in whole units of it:
 * a unit is free when all of its pages are, whoever had them. So each range that is to leave is
 * looked at with what is free beside it, up to the next unit:
 *
 *      units        |       .       |       .       |
 *      segment      | hole  |   leaves  |  hole  |x |
 *                   '-----------'       two units become free, and none by the range alone
 *
 * Then the newest of those gathered stay, if they can be done without.
 *
 * At the end, if everything that may leave were not enough by that count, it is counted exactly.
 *
 * It decides, as room.c does, and has changed nothing but that memory for records is ready (SE2).
 */
#include "vidmm/engine/decide/runs.h"

#include <vidmm/page.h>

#include "vidmm/engine/decide/cheapest.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/wish.h"

/* Used by its place in the segment, not by address alone (obeys S0-059). */
#define BY_PLACE                                                                                   \
    (VIDMM_ACCESSED_PHYSICALLY | VIDMM_WISH_PRIMARY | VIDMM_SWIZZLED | VIDMM_KEEPS_COPY)

bool vidmm_runs_serve(const struct vidmm_engine *engine, const struct vidmm_placement *placement,
                      uint32_t segment)
{
    return engine->config.mmu.levels != 0 && !engine->config.mmu.contiguous &&
           !vidmm_segment_is_aperture(engine, segment) && !placement->buffer &&
           !placement->context_allocation && !vidmm_wish_is_pinned(&placement->wish) &&
           (placement->wish.flags & BY_PLACE) == 0;
}

/* The leavers of one question, and what is free with them. */
struct gathering {
    struct vidmm_engine *engine;
    struct vidmm_choice *choice;
    struct vidmm_leavers leavers;
    struct vidmm_page_supply supply;
};

/* Whether a range is a hole, or of one that is chosen to leave. */
static bool is_free(const struct gathering *gathering, vidmm_range range)
{
    uint32_t segment = gathering->choice->segment;
    const struct vidmm_placement *there;

    if (vidmm_range_is_hole(&gathering->engine->segments[segment].ranges, range))
        return true;
    there = vidmm_room_owner(gathering->engine, segment, range);
    return there && there->chosen;
}

/* A range becomes free, of somebody who is not chosen yet: its other ranges are not counted as free
 * beside it. */
static void join(struct gathering *gathering, vidmm_range range)
{
    const struct vidmm_segment *ranges =
        &gathering->engine->segments[gathering->choice->segment].ranges;
    uint64_t start = vidmm_range_offset(ranges, range), unit = gathering->supply.unit;
    uint64_t end = start + vidmm_range_size(ranges, range), low = start, high = end;
    uint64_t first = start / unit * unit, behind = (end + unit - 1) / unit * unit;
    vidmm_range beside = vidmm_range_prev(ranges, range);

    VIDMM_ASSERT(unit != 0 && start < end);
    while (low > first && beside && is_free(gathering, beside)) {
        low = vidmm_range_offset(ranges, beside);
        beside = vidmm_range_prev(ranges, beside);
    }
    beside = vidmm_range_next(ranges, range);
    while (high < behind && beside && is_free(gathering, beside)) {
        high = vidmm_range_offset(ranges, beside) + vidmm_range_size(ranges, beside);
        beside = vidmm_range_next(ranges, beside);
    }
    vidmm_page_supply_join(&gathering->supply, low > first ? low : first, start, end,
                           high < behind ? high : behind);
}

static void add(struct gathering *gathering, struct vidmm_placement *placement)
{
    uint32_t index, count = vidmm_place_ranges(placement);

    VIDMM_ASSERT(!placement->chosen);
    for (index = 0; index < count; index++)
        join(gathering, vidmm_place_range(placement, index));
    placement->chosen = true;
    vidmm_leavers_add(gathering->engine, &gathering->leavers, placement);
}

/* The oldest, by class, until there is enough. False: there is not. */
static bool add_oldest(struct gathering *gathering)
{
    struct vidmm_choice *choice = gathering->choice;
    const struct vidmm_segment_state *state = &gathering->engine->segments[choice->segment];
    struct vidmm_placement *placement;
    uint32_t rank;

    for (rank = 0; rank < choice->ranks; rank++) {
        placement =
            state->classes[rank] == 0 ? NULL : vidmm_choice_oldest(gathering->engine, choice);
        for (; placement; placement = placement->newer) {
            if (placement->priority_class != rank)
                continue;
            if (!vidmm_choice_allows(gathering->engine, choice, placement)) {
                choice->transient |= vidmm_room_is_transient(gathering->engine, placement);
                continue;
            }
            add(gathering, placement);
            if (vidmm_page_supply_is_enough(&gathering->supply))
                return true;
        }
    }
    return false;
}

/* Count again, from the first byte of the segment to the last. */
static bool is_enough_exactly(struct gathering *gathering)
{
    const struct vidmm_segment *ranges =
        &gathering->engine->segments[gathering->choice->segment].ranges;
    vidmm_range range = vidmm_segment_first(ranges);
    uint64_t low = 0, high = 0;

    vidmm_page_supply_clear(&gathering->supply);
    for (; range; range = vidmm_range_next(ranges, range)) {
        uint64_t start = vidmm_range_offset(ranges, range);

        if (!is_free(gathering, range)) {
            if (low < start)
                vidmm_page_supply_add(&gathering->supply, low, start);
            low = start + vidmm_range_size(ranges, range);
        }
        high = start + vidmm_range_size(ranges, range);
    }
    if (low < high)
        vidmm_page_supply_add(&gathering->supply, low, high);
    return vidmm_page_supply_is_enough(&gathering->supply);
}

/* The list stands; nobody is chosen any more. */
static void forget(const struct gathering *gathering)
{
    struct vidmm_placement *placement = gathering->leavers.first;

    for (; placement; placement = vidmm_leavers_next(gathering->engine, placement))
        placement->chosen = false; /* R1 */
}

/* Turn the list of the leavers round. */
static void turn_round(struct gathering *gathering)
{
    struct vidmm_placement *placement = gathering->leavers.first, *next;

    VIDMM_ASSERT(gathering->leavers.first);
    gathering->leavers = (struct vidmm_leavers){0};
    for (; placement; placement = next) {
        uint32_t first = gathering->leavers.first ? gathering->leavers.first->id : 0;

        next = vidmm_leavers_next(gathering->engine, placement);
        placement->marked_next = first;
        gathering->leavers.first = placement;
    }
}

/* The last leaver may free more than was missing: then the newest of the others that can be done
 * without stay. Pages alone are counted so: whole units depend on the neighbours. */
static void spare_newest(struct gathering *gathering)
{
    uint64_t surplus = gathering->supply.units - gathering->supply.wanted;
    struct vidmm_placement *placement, *next;

    VIDMM_ASSERT(gathering->supply.unit == VIDMM_PAGE_SIZE && gathering->supply.rest == 0);
    turn_round(gathering);
    placement = gathering->leavers.first;
    gathering->leavers = (struct vidmm_leavers){0};
    for (; placement; placement = next) {
        uint64_t pages = vidmm_placement_extent(gathering->engine, placement) / VIDMM_PAGE_SIZE;

        next = vidmm_leavers_next(gathering->engine, placement);
        placement->chosen = pages > surplus;
        surplus -= placement->chosen ? 0 : pages;
        if (placement->chosen)
            vidmm_leavers_add(gathering->engine, &gathering->leavers, placement);
    }
    turn_round(gathering); /* the oldest leaves first */
    for (placement = gathering->leavers.first; placement; placement = next) {
        next = vidmm_leavers_next(gathering->engine, placement);
        gathering->leavers.last = placement;
        gathering->leavers.freed += vidmm_placement_extent(gathering->engine, placement);
    }
}

/* Whether as much is free as the request needs once the leavers have left; they are gathered. */
static bool gather(struct gathering *gathering)
{
    const struct vidmm_choice *choice = gathering->choice;
    bool enough;

    vidmm_page_supply_init(&gathering->supply, &gathering->engine->segments[choice->segment].ranges,
                           choice->request);
    enough = vidmm_page_supply_is_enough(&gathering->supply);
    if (!enough && choice->ranks > 0)
        enough = add_oldest(gathering) || is_enough_exactly(gathering);
    if (enough && gathering->leavers.first && gathering->supply.unit == VIDMM_PAGE_SIZE)
        spare_newest(gathering);
    forget(gathering);
    return enough;
}

enum vidmm_found vidmm_runs_find(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                 uint32_t segment, uint32_t ranks,
                                 struct vidmm_settlement *settlement, bool *possible)
{
    struct vidmm_range_request request = vidmm_wish_request(engine, placement, segment);
    struct vidmm_choice choice = {
        .request = &request, .segment = segment, .not_this = placement, .ranks = ranks};
    struct gathering gathering = {.engine = engine, .choice = &choice};
    enum vidmm_found found = FOUND_NONE;

    VIDMM_ASSERT(vidmm_runs_serve(engine, placement, segment) && request.window_start == 0);
    VIDMM_ASSERT(!vidmm_placement_has_range(placement));
    *possible = true;
    if (request.size > engine->config.segments[segment].size)
        return FOUND_NONE;
    *possible = vidmm_place_reserve_runs(engine, segment, &request);
    if (!*possible)
        return FOUND_NONE;
    if (gather(&gathering))
        found = vidmm_settlement_evicts(engine, settlement, &gathering.leavers);
    else if (choice.transient)
        found = FOUND_LATER;
    settlement->in_runs = found == FOUND;
    return found;
}

bool vidmm_runs_are_free(struct vidmm_engine *engine, const struct vidmm_placement *placement,
                         uint32_t segment)
{
    struct vidmm_range_request request = vidmm_wish_request(engine, placement, segment);
    struct vidmm_page_supply supply;

    VIDMM_ASSERT(vidmm_runs_serve(engine, placement, segment));
    if (request.size > engine->config.segments[segment].size)
        return false;
    vidmm_page_supply_init(&supply, &engine->segments[segment].ranges, &request);
    return vidmm_page_supply_is_enough(&supply) &&
           vidmm_place_reserve_runs(engine, segment, &request);
}
