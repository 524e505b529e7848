/* compaction.c: what a segment has, towards one end of it.
 *
 *   | hole | a | hole | b: stays | hole | c | d in two | hole | d |
 *
 *   | a | hole, too small for c | b: stays | c | d, in one | hole                    |   downward
 *
 * In order of address each goes to the first aligned place behind the one before it that nothing
 * which stays is in the way of. So nobody passes another, and what is in one range never moves
 * away from the end. An allocation in several runs gets one range; if the segment has no room for
 * that in this order, they stay as well, and then the place of each of the others is free at worst.
 *
 * These stay: buffers, the pinned and displayed, those that the CPU has locked by an address that
 * cannot follow, those that a running context is bound to, page tables, what is offered, and what
 * is on its way to its end.
 *
 * It decides, as room.c does, and has changed nothing but that memory for the answer is ready.
 */
#include "vidmm/engine/decide/compaction.h"

#include <base/grow.h>

#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/wish.h"
#include "vidmm/engine/state/work_state.h"

/* One question. */
struct compaction {
    struct vidmm_engine *engine;
    const struct vidmm_segment *ranges;
    uint32_t segment, count; /* engine->missing: so many may move, in their order */
    bool up;
    bool one_range; /* what is in runs may move, too */
};

bool vidmm_compaction_must_wait(const struct vidmm_engine *engine, uint32_t segment)
{
    const struct vidmm_placement *placement = engine->segments[segment].oldest;

    for (; placement; placement = placement->newer)
        if (!vidmm_placement_is_still(placement))
            return true;
    return engine->segments[segment].evictions > 0;
}

static bool may_move(const struct compaction *compaction, const struct vidmm_placement *placement)
{
    const struct vidmm_engine *engine = compaction->engine;

    return placement && placement->id < VIDMM_TABLE_IDS && vidmm_room_may_move(engine, placement) &&
           !placement->dying && !vidmm_placement_has_offer(placement) &&
           vidmm_placement_is_settled(placement) && placement->lock_range == 0 &&
           !(vidmm_placement_is_swizzled(placement) && vidmm_placement_is_followed(placement)) &&
           (compaction->one_range || placement->given.runs == 0);
}

/* The range behind it, as the order goes; with 0, the first one. 0: there is none. */
static vidmm_range next_range(const struct compaction *compaction, vidmm_range range)
{
    if (range != 0)
        return compaction->up ? vidmm_range_prev(compaction->ranges, range)
                              : vidmm_range_next(compaction->ranges, range);
    range = vidmm_segment_first(compaction->ranges);
    while (compaction->up && vidmm_range_next(compaction->ranges, range) != 0)
        range = vidmm_range_next(compaction->ranges, range);
    return range;
}

/* Put those that may move into engine->missing, each once, and mark them. */
static void gather(struct compaction *compaction)
{
    struct vidmm_engine *engine = compaction->engine;
    vidmm_range range = next_range(compaction, 0);

    compaction->count = 0;
    for (; range != 0; range = next_range(compaction, range)) {
        struct vidmm_placement *there = vidmm_room_resident(engine, compaction->segment, range);

        if (may_move(compaction, there) && !there->marked) {
            VIDMM_ASSERT(compaction->count < engine->missing_capacity); /* S3 */
            there->marked = true;
            engine->missing[compaction->count++].placement = there;
        }
    }
}

static void unmark(const struct compaction *compaction)
{
    uint32_t index;

    for (index = 0; index < compaction->count; index++)
        compaction->engine->missing[index].placement->marked = false; /* R1 */
}

/* Whether something is there that stays. */
static bool is_obstacle(const struct compaction *compaction, vidmm_range range)
{
    const struct vidmm_placement *there;

    if (vidmm_range_is_hole(compaction->ranges, range))
        return false;
    there = vidmm_room_resident(compaction->engine, compaction->segment, range);
    return !there || !there->marked;
}

/* The lowest aligned offset from `cursor` on that nothing is in the way of; UINT64_MAX: none. */
static uint64_t place_above(const struct compaction *compaction, uint64_t cursor,
                            const struct vidmm_range_request *request, vidmm_range *walk)
{
    uint64_t mask = request->alignment - 1;
    uint64_t offset = (cursor + mask) & ~mask;
    vidmm_range range = *walk;

    for (; range != 0; range = vidmm_range_next(compaction->ranges, range)) {
        uint64_t start = vidmm_range_offset(compaction->ranges, range);
        uint64_t end = start + vidmm_range_size(compaction->ranges, range);

        if (start >= offset + request->size)
            break;
        if (end <= cursor)
            *walk = range;
        else if (end > offset && is_obstacle(compaction, range))
            offset = (end + mask) & ~mask;
    }
    return offset + request->size <= compaction->engine->config.segments[compaction->segment].size
               ? offset
               : UINT64_MAX;
}

/* The highest aligned offset of a place that ends at `cursor` or below; UINT64_MAX: none. */
static uint64_t place_below(const struct compaction *compaction, uint64_t cursor,
                            const struct vidmm_range_request *request, vidmm_range *walk)
{
    uint64_t mask = request->alignment - 1;
    uint64_t offset = (cursor - request->size) & ~mask;
    vidmm_range range = *walk;

    if (cursor < request->size)
        return UINT64_MAX;
    for (; range != 0; range = vidmm_range_prev(compaction->ranges, range)) {
        uint64_t start = vidmm_range_offset(compaction->ranges, range);
        uint64_t end = start + vidmm_range_size(compaction->ranges, range);

        if (end <= offset)
            break;
        if (start >= cursor) {
            *walk = range;
        } else if (start < offset + request->size && is_obstacle(compaction, range)) {
            if (start < request->size)
                return UINT64_MAX;
            offset = (start - request->size) & ~mask;
        }
    }
    return offset;
}

/* A target for each that may move. False: one has none. */
static bool plan(const struct compaction *compaction)
{
    struct vidmm_engine *engine = compaction->engine;
    uint64_t cursor = compaction->up ? engine->config.segments[compaction->segment].size : 0;
    vidmm_range walk = next_range(compaction, 0);
    uint32_t index;

    for (index = 0; index < compaction->count; index++) {
        struct vidmm_missing *one = &engine->missing[index];
        struct vidmm_range_request request =
            vidmm_wish_request(engine, one->placement, compaction->segment);

        VIDMM_ASSERT(request.window_start == 0); /* it is not pinned */
        one->target = compaction->up ? place_below(compaction, cursor, &request, &walk)
                                     : place_above(compaction, cursor, &request, &walk);
        if (one->target == UINT64_MAX)
            return false;
        cursor = compaction->up ? one->target : one->target + request.size;
    }
    return true;
}

/* Keep those that have another target than their place, and make them leavers. */
static uint64_t keep_movers(struct compaction *compaction, struct vidmm_leavers *leavers)
{
    struct vidmm_engine *engine = compaction->engine;
    uint32_t index, count = 0;

    for (index = 0; index < compaction->count; index++) {
        struct vidmm_missing one = engine->missing[index];

        if (one.placement->given.runs == 0 && one.placement->given.offset == one.target)
            continue;
        engine->missing[count++] = one;
        vidmm_leavers_add(engine, leavers, one.placement);
    }
    compaction->count = count;
    return leavers->freed;
}

bool vidmm_compaction_decide(struct vidmm_engine *engine, const struct vidmm_work *work,
                             uint32_t segment, bool up, uint64_t *bytes,
                             struct vidmm_settlement *settlement)
{
    struct compaction compaction = {.engine = engine,
                                    .ranges = &engine->segments[segment].ranges,
                                    .segment = segment,
                                    .up = up,
                                    .one_range = true};
    struct vidmm_leavers leavers = {0};
    struct vidmm_missing *missing =
        vidmm_grow(&engine->memory, engine->missing, &engine->missing_capacity,
                   engine->segments[segment].live + 1, sizeof(*missing));
    bool planned;

    VIDMM_ASSERT(!vidmm_compaction_must_wait(engine, segment));
    if (!missing)
        return false;
    engine->missing = missing; /* S3 */
    gather(&compaction);
    planned = plan(&compaction);
    unmark(&compaction);
    if (!planned) {
        compaction.one_range = false;
        gather(&compaction);
        planned = plan(&compaction);
        unmark(&compaction);
        VIDMM_ASSERT(planned);
    }
    *bytes = keep_movers(&compaction, &leavers);
    *settlement = (struct vidmm_settlement){.segment = segment};
    settlement->found = vidmm_settlement_evicts(engine, settlement, &leavers);
    settlement->work = settlement->found == FOUND && compaction.count > 0 ? work : NULL;
    settlement->packed = compaction.count;
    return true;
}
