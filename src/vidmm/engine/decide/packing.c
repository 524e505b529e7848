/* packing.c: the last way to find room: everything that a work needs in a segment and nowhere else,
 * from the segment's base by decreasing alignment, around what is pinned. It fails only if that
 * does not fit. Pinned placements themselves come last, and from the lowest offset at which they
 * may begin (wish.c).
 *
 *   | x | y: pinned | x |   hole   | z |      ->      | a   | y: pinned | b  | c | d |  hole   |
 *
 * It decides, as room.c does, and has changed nothing.
 */
#include "vidmm/engine/decide/packing.h"

#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/decide/split.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/reference.h"
#include "vidmm/engine/state/wish.h"
#include "vidmm/engine/state/work_state.h"

/* ---- order ----------------------------------------------------------------------------------- */

bool vidmm_packing_goes_before(const struct vidmm_placement *a, const struct vidmm_placement *b)
{
    if (vidmm_wish_is_pinned(&a->wish) != vidmm_wish_is_pinned(&b->wish))
        return vidmm_wish_is_pinned(&b->wish); /* pinned placements begin high up (packing.c) */
    if (a->wish.alignment != b->wish.alignment)
        return a->wish.alignment > b->wish.alignment;
    if (a->wish.size != b->wish.size)
        return a->wish.size > b->wish.size;
    return a->id < b->id;
}

/* Shell's sort, with Ciura's gaps: no memory, and the lists are short. */
void vidmm_packing_sort(struct vidmm_missing *missing, uint32_t count)
{
    static const uint32_t gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    uint32_t step, index, at;

    for (step = 0; step < sizeof(gaps) / sizeof(gaps[0]); step++) {
        uint32_t gap = gaps[step];

        for (index = gap; index < count; index++) {
            struct vidmm_missing one = missing[index];

            for (at = index;
                 at >= gap && vidmm_packing_goes_before(one.placement, missing[at - gap].placement);
                 at -= gap)
                missing[at] = missing[at - gap];
            missing[at] = one;
        }
    }
}

/* Whether nothing moves it out of its range. */
static bool is_fixed(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    return placement->buffer || placement->kept || vidmm_wish_is_pinned(&placement->wish) ||
           vidmm_context_keeps(engine, placement);
}

/* In its place, and not to be packed. */
static bool stays(const struct vidmm_engine *engine, const struct vidmm_placement *placement,
                  uint32_t segment)
{
    return is_fixed(engine, placement) && vidmm_place_is_in(&placement->given, segment);
}

/* Put into engine->missing what the work needs in this segment and nowhere else; each once. */
static uint32_t gather(struct vidmm_engine *engine, struct vidmm_work *work, uint32_t segment,
                       uint64_t *needed)
{
    uint32_t index, count = 0;

    VIDMM_ASSERT(work == engine->turn && work->begun); /* W1 */
    *needed = 0;
    for (index = 0; index < work->count; index++) {
        const struct vidmm_work_reference *reference = &work->references[index];
        struct vidmm_placement *placement = reference->placement;

        if (vidmm_reference_set(engine, placement, reference->write) == 1u << segment &&
            vidmm_work_needs(work, index) && !placement->marked &&
            !stays(engine, placement, segment)) {
            placement->marked = true;
            engine->missing[count++].placement = placement;
            *needed += vidmm_wish_size_in(engine, &placement->wish, segment);
        }
    }
    VIDMM_ASSERT(count <= engine->missing_capacity); /* S3 */
    for (index = 0; index < count; index++)
        engine->missing[index].placement->marked = false; /* R1 */
    return count;
}

/* Whether the range must stay where it is: a buffer, what is locked or kept, an eviction
 * aperture. */
static bool is_pinned(const struct vidmm_engine *engine, uint32_t segment, vidmm_range range)
{
    const struct vidmm_placement *there = vidmm_room_resident(engine, segment, range);

    return !there || vidmm_placement_is_locked(there) || is_fixed(engine, there);
}

/* The lowest aligned offset from `cursor` that no pinned range touches; UINT64_MAX: none.
 * *walk is the first range that may end above the cursor. */
static uint64_t next_place(const struct vidmm_engine *engine, uint32_t segment, uint64_t cursor,
                           const struct vidmm_range_request *request, vidmm_range *walk)
{
    const struct vidmm_segment *ranges = &engine->segments[segment].ranges;
    uint64_t mask = request->alignment - 1;
    uint64_t from = cursor > request->window_start ? cursor : request->window_start;
    uint64_t offset = (from + mask) & ~mask;
    vidmm_range range = *walk;

    VIDMM_ASSERT(request->size > 0 && (request->alignment & mask) == 0);
    while (range && vidmm_range_offset(ranges, range) < offset + request->size) {
        uint64_t end = vidmm_range_offset(ranges, range) + vidmm_range_size(ranges, range);

        if (end > offset && !vidmm_range_is_hole(ranges, range) &&
            is_pinned(engine, segment, range))
            offset = (end + mask) & ~mask;
        range = vidmm_range_next(ranges, range);
    }
    if (offset + request->size > engine->config.segments[segment].size)
        return UINT64_MAX;
    while (*walk && vidmm_range_offset(ranges, *walk) + vidmm_range_size(ranges, *walk) <=
                        offset + request->size)
        *walk = vidmm_range_next(ranges, *walk);
    return offset;
}

static bool plan_targets(struct vidmm_engine *engine, uint32_t segment, uint32_t count)
{
    vidmm_range walk = vidmm_segment_first(&engine->segments[segment].ranges);
    uint64_t cursor = 0;
    uint32_t index;

    for (index = 0; index < count; index++) {
        const struct vidmm_placement *placement = engine->missing[index].placement;
        struct vidmm_range_request request = vidmm_wish_request(engine, placement, segment);

        engine->missing[index].target = next_place(engine, segment, cursor, &request, &walk);
        if (engine->missing[index].target == UINT64_MAX)
            return false;
        cursor = engine->missing[index].target + request.size;
        VIDMM_ASSERT(cursor <= engine->config.segments[segment].size);
    }
    return true;
}

/* Whether so many bytes may be committed once everything that can leave has left. */
static bool can_commit(const struct vidmm_engine *engine, uint32_t segment, uint64_t needed)
{
    const struct vidmm_segment_state *state = &engine->segments[segment];
    uint64_t limit = engine->config.segments[segment].commit_limit;
    uint64_t limit_of_all = engine->config.aperture_commit_limit;
    uint64_t elsewhere = engine->aperture_committed - state->committed, pinned = 0;
    const struct vidmm_placement *placement;

    if (!vidmm_segment_is_aperture(engine, segment))
        return true;
    VIDMM_ASSERT(engine->aperture_committed >= state->committed);
    for (placement = state->oldest; placement; placement = placement->newer)
        pinned += is_fixed(engine, placement) ? vidmm_placement_extent(engine, placement) : 0;
    return pinned + needed <= limit && /* obeys D-010, D-011 */
           (limit_of_all == 0 || elsewhere + pinned + needed <= limit_of_all);
}

static uint64_t end_of_targets(const struct vidmm_engine *engine, uint32_t segment, uint32_t count)
{
    uint64_t end = 0;
    uint32_t index;

    for (index = 0; index < count; index++) {
        uint64_t behind =
            engine->missing[index].target +
            vidmm_wish_size_in(engine, &engine->missing[index].placement->wish, segment);

        end = behind > end ? behind : end;
    }
    return end;
}

/* Choose whoever must leave: those that stand below `end` and not at their own target already. In
 * an aperture, where the commit limit counts and not only addresses, what stands above it leaves
 * too. */
static enum vidmm_found choose_for_packing(struct vidmm_engine *engine, uint32_t segment,
                                           uint32_t count, struct vidmm_settlement *settlement)
{
    struct vidmm_leavers leavers = {0};
    struct vidmm_placement *placement;
    uint64_t end = vidmm_segment_is_aperture(engine, segment)
                       ? UINT64_MAX
                       : end_of_targets(engine, segment, count);
    bool transient = engine->segments[segment].evictions > 0;
    uint32_t index;

    VIDMM_ASSERT(count > 0 && count <= engine->missing_capacity);
    for (placement = engine->segments[segment].oldest; placement; placement = placement->newer) {
        placement->chosen = !is_fixed(engine, placement) && !vidmm_placement_is_locked(placement) &&
                            vidmm_place_overlaps(engine, placement, 0, end);
    }
    for (index = 0; index < count; index++) {
        placement = engine->missing[index].placement;
        if (vidmm_place_is_in(&placement->given, segment))
            placement->chosen = placement->given.offset != engine->missing[index].target ||
                                placement->given.runs != 0;
    }
    for (placement = engine->segments[segment].oldest; placement; placement = placement->newer) {
        if (placement->chosen &&
            (!vidmm_room_may_move(engine, placement) || vidmm_room_is_ending(engine, placement) ||
             (placement->held && placement->moves->in.state != MOVE_IDLE))) {
            transient = true;
            placement->chosen = false;
        }
    }
    if (transient) {
        for (placement = engine->segments[segment].oldest; placement; placement = placement->newer)
            placement->chosen = false;
        return FOUND_LATER;
    }
    vidmm_leavers_add_chosen(engine, &leavers, segment);
    return vidmm_settlement_evicts(engine, settlement, &leavers);
}

enum vidmm_found vidmm_room_by_packing(struct vidmm_engine *engine, struct vidmm_work *work,
                                       uint32_t segment, uint64_t *needed,
                                       struct vidmm_settlement *settlement)
{
    uint32_t count = gather(engine, work, segment, needed);
    enum vidmm_found found;

    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    vidmm_packing_sort(engine->missing, count);
    if (count == 0 || !can_commit(engine, segment, *needed) ||
        !plan_targets(engine, segment, count))
        return FOUND_NONE;
    found = choose_for_packing(engine, segment, count, settlement);
    settlement->segment = segment;
    settlement->work = found == FOUND ? work : NULL;
    settlement->packed = count;
    return found;
}
