/* place_runs.c: places of several runs of pages.
 *
 * The ranges of a list go back to the segment when the placement leaves them, and the addresses
 * stay as long as a move leads there. So a placement that was given another place in runs, while
 * its content is still on its way out of the first, has two lists. There is no third: it leaves a
 * place only when its page-out is over (R2).
 *
 * Taking runs cannot fail once it was decided. The question reserves what the act may need: records
 * of ranges, and a list with room for as many runs as there may be. Such a list is the engine's
 * spare one; the placement gets a copy without the room, or the spare one itself if there is no
 * memory for a copy.
 *
 * Invariants
 * PR1. A list belongs to a placement as long as a place of it says so: the one that was given, that
 *     of the content, or that of a move under way.
 * PR2. A place that was given in runs lies in a memory segment, in two runs or more; each belongs
 *     to the placement, and they are as long as its extent and begin where its alignment allows.
 */
#include "vidmm/engine/state/place_runs.h"

#include <vidmm/engine.h>
#include <vidmm/page.h>

#include "base/assert.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/wish.h"

struct vidmm_placement;

struct vidmm_place vidmm_place_at(const struct vidmm_placement *placement,
                                  const struct place *place, uint64_t offset, uint64_t *size)
{
    const struct vidmm_page_runs *runs = vidmm_place_runs(placement, place);
    struct vidmm_place told = vidmm_place_tell(place);
    uint32_t pages;

    VIDMM_ASSERT(offset < placement->wish.size && offset % VIDMM_PAGE_SIZE == 0);
    *size = placement->wish.size - offset;
    if (!runs) {
        told.offset += offset;
        return told;
    }
    told.offset = vidmm_page_runs_at(runs, (uint32_t)(offset >> VIDMM_PAGE_SHIFT), &pages);
    *size = (uint64_t)pages << VIDMM_PAGE_SHIFT;
    return told;
}

/* [*start, *end) is a range that the placement was given. */
static void find_range(const struct vidmm_engine *engine, const struct vidmm_placement *placement,
                       uint32_t index, uint64_t *start, uint64_t *end)
{
    const struct vidmm_segment *ranges = &engine->segments[placement->given.segment].ranges;
    vidmm_range range = vidmm_place_range(placement, index);

    VIDMM_ASSERT(vidmm_place_is_segment(&placement->given));
    *start = vidmm_range_offset(ranges, range);
    *end = *start + vidmm_range_size(ranges, range);
}

bool vidmm_place_overlaps(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement, uint64_t start, uint64_t end)
{
    uint32_t index, count = vidmm_place_ranges(placement);

    for (index = 0; index < count; index++) {
        uint64_t low, high;

        find_range(engine, placement, index, &low, &high);
        if (low < end && start < high)
            return true;
    }
    return false;
}

bool vidmm_place_is_below(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement, uint64_t end)
{
    uint32_t index, count = vidmm_place_ranges(placement);

    for (index = 0; index < count; index++) {
        uint64_t low, high;

        find_range(engine, placement, index, &low, &high);
        if (high > end)
            return false;
    }
    return true;
}

/* ---- taking and giving back ---- */

bool vidmm_place_reserve_runs(struct vidmm_engine *engine, uint32_t segment,
                              const struct vidmm_range_request *request)
{
    struct vidmm_segment_state *state = &engine->segments[segment];
    uint32_t most = vidmm_page_runs_most(&state->ranges, request);
    struct vidmm_page_runs *spare;

    VIDMM_ASSERT(state->potential >= state->live); /* P4 */
    if (!vidmm_segment_reserve(&state->ranges, state->potential - state->live + most))
        return false;
    if (engine->spare_runs && engine->spare_runs->capacity >= most)
        return true;
    spare = vidmm_page_runs_create(&engine->memory, most);
    if (!spare)
        return false;
    if (engine->spare_runs)
        engine->memory.free(engine->memory.context, engine->spare_runs);
    engine->spare_runs = spare;
    return true;
}

/* Give the placement a list of the runs that were taken. Answers its number. */
static uint8_t keep(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_page_runs *runs = vidmm_page_runs_copy(&engine->memory, engine->spare_runs);
    uint8_t number = placement->runs[0] ? 1 : 0;

    VIDMM_ASSERT(!placement->runs[number]); /* PR1 */
    if (!runs) {
        runs = engine->spare_runs;
        engine->spare_runs = NULL;
    }
    placement->runs[number] = runs;
    return (uint8_t)(number + 1);
}

struct place vidmm_place_take_runs(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                   uint32_t segment, const struct vidmm_range_request *request)
{
    struct vidmm_segment *ranges = &engine->segments[segment].ranges;
    struct place place = {.kind = PLACE_SEGMENT,
                          .segment = (uint8_t)segment,
                          .whole = engine->config.segments[segment].part_of & 0x1f};
    bool taken;

    VIDMM_ASSERT(engine->spare_runs && !vidmm_segment_is_aperture(engine, segment));
    vidmm_place_drop_runs(engine, placement);
    taken = vidmm_page_runs_take(ranges, request, placement->id, engine->spare_runs);
    VIDMM_ASSERT(taken); /* SE2 */
    (void)taken;
    place.range = engine->spare_runs->runs[0].range;
    place.offset = engine->spare_runs->runs[0].offset;
    if (engine->spare_runs->count > 1)
        place.runs = keep(engine, placement); /* PR2 */
    return place;
}

void vidmm_place_release(struct vidmm_engine *engine, struct vidmm_placement *placement,
                         struct place *place)
{
    struct vidmm_segment *ranges = &engine->segments[place->segment].ranges;
    struct vidmm_page_runs *runs = vidmm_place_runs(placement, place);

    VIDMM_ASSERT(vidmm_place_is_taken(place));
    if (runs)
        vidmm_page_runs_release(ranges, runs);
    else
        vidmm_segment_release(ranges, place->range);
    *place = vidmm_place_nowhere();
}

/* Whether a place of the placement says so. */
static bool is_named(const struct vidmm_placement *placement, uint8_t number)
{
    const struct vidmm_move *in = &placement->moves->in, *out = &placement->moves->out;

    return placement->given.runs == number || placement->at.runs == number ||
           (in->state != MOVE_IDLE && in->place.runs == number) ||
           (out->state != MOVE_IDLE && out->place.runs == number);
}

void vidmm_place_drop_runs(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    uint8_t index;

    for (index = 0; index < VIDMM_RUN_LISTS; index++) {
        if (!placement->runs[index] || is_named(placement, (uint8_t)(index + 1)))
            continue;
        engine->memory.free(engine->memory.context, placement->runs[index]);
        placement->runs[index] = NULL; /* PR1 */
    }
}

void vidmm_place_finish_runs(const struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    uint32_t index;

    for (index = 0; index < VIDMM_RUN_LISTS; index++)
        if (placement->runs[index])
            engine->memory.free(engine->memory.context, placement->runs[index]);
    placement->runs[0] = placement->runs[1] = NULL;
}

/* ---- the check ---- */

/* Check what was given. */
static void check_given(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    const struct vidmm_segment *ranges = &engine->segments[placement->given.segment].ranges;
    const struct vidmm_page_runs *runs = vidmm_place_runs(placement, &placement->given);
    uint32_t index, count = vidmm_place_ranges(placement);
    uint64_t bytes = 0;

    VIDMM_VERIFY(placement->given.offset ==
                 vidmm_range_offset(ranges, vidmm_place_range(placement, 0)));
    for (index = 0; index < count; index++) {
        vidmm_range range = vidmm_place_range(placement, index);

        VIDMM_VERIFY(vidmm_range_owner(ranges, range) == placement->id);
        VIDMM_VERIFY(vidmm_range_offset(ranges, range) % placement->wish.alignment == 0);
        bytes += vidmm_range_size(ranges, range);
    }
    VIDMM_VERIFY(bytes ==
                 vidmm_wish_size_in(engine, &placement->wish, placement->given.segment)); /* PR2 */
    if (!runs)
        return;
    VIDMM_VERIFY(vidmm_place_is_memory(&placement->given) && runs->count > 1); /* PR2 */
    VIDMM_VERIFY(engine->config.mmu.levels != 0 && !engine->config.mmu.contiguous);
    vidmm_page_runs_check(ranges, runs);
}

void vidmm_place_check_runs(const struct vidmm_engine *engine,
                            const struct vidmm_placement *placement)
{
    uint8_t number;

    if (vidmm_place_is_segment(&placement->given))
        check_given(engine, placement);
    for (number = 1; number <= VIDMM_RUN_LISTS; number++)
        VIDMM_VERIFY(!is_named(placement, number) || placement->runs[number - 1]); /* PR1 */
}
