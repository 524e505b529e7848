/* placement.c: the engine's record of an allocation, from creation to burial.
 *
 *      create               residency                       destroy         nothing refers to it
 *     --------> no range <-------------> a range -----------------> dying ---------------> gone
 *               (at = nowhere, system)   (at = the range)
 *
 * placement_table.h has the states in detail.
 *
 * Invariants
 * P1. placements[id] is the placement with that id, or NULL.
 * P2. A placement with a range stands in the list of its segment, oldest use first; without, in
 *     none.
 * P3. `committed` of a segment is the sum of the sizes of the placements with a range there, and of
 *     the ranges of eviction apertures.
 * P4. `potential` of a segment counts what may ever ask it for a range; the segment's records for
 *     all of them are reserved when a placement is created, so that taking a range cannot fail
 *     later. Runs need more, and reserve them before they are decided for (place_runs.c).
 * P5. A dying placement is buried when no DMA buffer and no residency list names it, no move of it
 *     is under way, it is in no list of decided page-outs, no claim on it and no call for page
 *     tables that names it waits for its answer, and it has no swizzling range; a context
 *     allocation, when the node that keeps it can be made to leave its context.
 */
#include "vidmm/engine/state/placement.h"

#include <base/assert.h>
#include <base/bits.h>
#include <base/grow.h>
#include <base/pool.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/host_mapping.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/lock_table.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/move_pair.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/placement_table.h"
#include "vidmm/engine/state/refreshes.h"
#include "vidmm/engine/state/wish.h"

static uint32_t all_segments(const struct vidmm_engine *engine)
{
    return (uint32_t)(((uint64_t)1 << engine->config.segment_count) - 1);
}

static bool fits_somewhere(const struct vidmm_engine *engine, const struct vidmm_wish *wish)
{
    uint32_t id;

    for (id = 1; id <= engine->config.segment_count; id++)
        if (((wish->read_set | wish->write_set) >> (id - 1) & 1) != 0 &&
            vidmm_wish_fits(engine, wish, id))
            return true;
    return false;
}

/* Whether the allocation may be created. */
static NTSTATUS judge(const struct vidmm_engine *engine, const struct vidmm_event *event)
{
    const struct vidmm_wish *wish = &event->create.wish;
    uint32_t sets = wish->read_set | wish->write_set;

    if (event->create.allocation == 0 || event->create.allocation >= VIDMM_IDS ||
        (engine->config.mmu.levels != 0 && event->create.allocation >= VIDMM_TABLE_IDS) ||
        vidmm_placement_find(engine, event->create.allocation))
        return STATUS_INVALID_PARAMETER;
    if (event->device >= engine->device_capacity || !engine->devices[event->device].exists)
        return STATUS_INVALID_PARAMETER;
    if (vidmm_device_record_status(engine, event->device) == STATUS_DEVICE_REMOVED)
        return STATUS_DEVICE_REMOVED;
    if (wish->size == 0 || wish->size % VIDMM_PAGE_SIZE != 0 || wish->alignment < VIDMM_PAGE_SIZE ||
        (wish->alignment & (wish->alignment - 1)) != 0)
        return STATUS_INVALID_PARAMETER;
    if (wish->pitch_aligned_size % VIDMM_PAGE_SIZE != 0 ||
        (wish->pitch_aligned_size != 0 && wish->pitch_aligned_size < wish->size))
        return STATUS_INVALID_PARAMETER; /* S1-006 */
    if (event->create.buffer == VIDMM_BUFFER_READS || event->create.buffer == VIDMM_BUFFER_FENCES) {
        return (sets | wish->eviction_set | wish->flags) == 0 ? STATUS_SUCCESS
                                                              : STATUS_INVALID_PARAMETER;
    }
    if (sets == 0 || ((sets | wish->eviction_set) & ~all_segments(engine)) != 0)
        return STATUS_INVALID_PARAMETER;
    return fits_somewhere(engine, wish) ? STATUS_SUCCESS : STATUS_GRAPHICS_NO_VIDEO_MEMORY;
}

/* The segments of which a placement with this wish may hold a range: bit n - 1 is segment n.
 * Nothing leaves through an aperture if the GPU has page tables. */
static uint32_t stays_in(const struct vidmm_wish *wish)
{
    return wish->read_set | wish->write_set;
}

static uint32_t leaves_through(const struct vidmm_engine *engine, const struct vidmm_wish *wish)
{
    return engine->config.mmu.levels == 0 ? wish->eviction_set : 0;
}

/* P4. Records that were reserved in vain stay, and serve the next placement. */
static bool reserve_ranges(struct vidmm_engine *engine, const struct vidmm_wish *wish)
{
    uint32_t stays = stays_in(wish), leaves = leaves_through(engine, wish), left;

    for (left = stays | leaves; left != 0; left &= left - 1) {
        struct vidmm_segment_state *segment = &engine->segments[vidmm_lowest_bit(left) + 1];
        uint32_t wanted = (stays & leaves & left & (0 - left)) != 0 ? 2 : 1;

        if (!vidmm_segment_reserve(&segment->ranges, segment->potential - segment->live + wanted))
            return false;
    }
    return true;
}

/* Count a range more, or one less, of each segment. */
static void count_ranges(struct vidmm_engine *engine, uint32_t segments, bool add)
{
    for (; segments != 0; segments &= segments - 1) {
        struct vidmm_segment_state *segment = &engine->segments[vidmm_lowest_bit(segments) + 1];

        segment->potential = add ? segment->potential + 1 : segment->potential - 1;
    }
}

static void add_potential(struct vidmm_engine *engine, const struct vidmm_wish *wish, bool add)
{
    count_ranges(engine, stays_in(wish), add);
    count_ranges(engine, leaves_through(engine, wish), add);
}

bool vidmm_placement_rewish(struct vidmm_engine *engine, struct vidmm_placement *placement,
                            const struct vidmm_wish *wish)
{
    VIDMM_ASSERT(!placement->buffer && wish->size == placement->wish.size);
    if (!reserve_ranges(engine, wish)) /* P4 */
        return false;
    add_potential(engine, &placement->wish, false);
    placement->wish = *wish;
    add_potential(engine, wish, true);
    return true;
}

struct vidmm_placement *vidmm_placement_of_table(const struct vidmm_engine *engine, uint32_t id)
{
    uint32_t index = id - VIDMM_TABLE_IDS;

    return index < engine->mmu->capacity ? engine->mmu->tables[index] : NULL;
}

/* Take what it needs from its creation on. False: no memory. */
static bool take_parts(struct vidmm_engine *engine, const struct vidmm_event *event,
                       struct vidmm_placement *placement)
{
    bool moves = event->create.buffer != VIDMM_BUFFER_NONE || event->create.context_allocation != 0;

    if (moves && !vidmm_move_pair_create(engine, placement)) /* MP1 */
        return false;
    return vidmm_refreshes_init(engine, placement);
}

NTSTATUS vidmm_placement_check(struct vidmm_engine *engine, const struct vidmm_event *event,
                               struct vidmm_placement **placement)
{
    struct vidmm_placement **placements;
    NTSTATUS status = judge(engine, event);

    if (status != STATUS_SUCCESS)
        return status;
    placements = vidmm_grow(&engine->memory, engine->placements, &engine->placement_capacity,
                            event->create.allocation, sizeof(*placements));
    if (!placements)
        return STATUS_NO_MEMORY;
    engine->placements = placements;
    if (!reserve_ranges(engine, &event->create.wish))
        return STATUS_NO_MEMORY;
    *placement = vidmm_pool_take(engine->placement_pool);
    if (!*placement)
        return STATUS_NO_MEMORY;
    (*placement)->wish = event->create.wish;
    vidmm_move_pair_init(*placement);
    if (take_parts(engine, event, *placement))
        return STATUS_SUCCESS;
    vidmm_move_pair_destroy(engine, *placement);
    vidmm_pool_release(engine->placement_pool, *placement);
    return STATUS_NO_MEMORY;
}

void vidmm_placement_create(struct vidmm_engine *engine, const struct vidmm_event *event,
                            struct vidmm_placement *placement)
{
    VIDMM_ASSERT(!vidmm_placement_find(engine, event->create.allocation)); /* P1 */
    VIDMM_ASSERT(event->create.allocation < engine->placement_capacity);
    placement->id = event->create.allocation;
    placement->device = event->device;
    placement->buffer = event->create.buffer != VIDMM_BUFFER_NONE;
    placement->reads = event->create.buffer == VIDMM_BUFFER_READS;
    placement->fences = event->create.buffer == VIDMM_BUFFER_FENCES;
    placement->shared = event->create.shared != 0;
    placement->context_allocation = event->create.context_allocation != 0;
    placement->priority_class = placement->buffer
                                    ? VIDMM_PRIORITY_NORMAL
                                    : (uint8_t)vidmm_priority_class(placement->wish.priority);
    if ((placement->wish.flags & VIDMM_EXISTING_MEMORY) != 0 || placement->fences) /* S0-029 */
        placement->at = vidmm_place_system();
    add_potential(engine, &placement->wish, true);
    engine->placements[placement->id] = placement;
    if (event->create.buffer == VIDMM_BUFFER_OWN_PAGE)
        engine->own_page = placement;
}

struct vidmm_placement *vidmm_placement_create_table(struct vidmm_engine *engine, uint32_t id,
                                                     const struct vidmm_wish *wish)
{
    struct vidmm_placement *placement;

    VIDMM_ASSERT(id >= VIDMM_TABLE_IDS && !vidmm_placement_find(engine, id)); /* P1 */
    if (!reserve_ranges(engine, wish))
        return NULL;
    placement = vidmm_pool_take(engine->placement_pool);
    if (!placement)
        return NULL;
    placement->wish = *wish;
    placement->id = id;
    placement->buffer = true;
    placement->priority_class = VIDMM_PRIORITY_NORMAL;
    vidmm_move_pair_init(placement);
    add_potential(engine, wish, true);
    engine->mmu->tables[id - VIDMM_TABLE_IDS] = placement;
    return placement;
}

void vidmm_placement_free(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    VIDMM_ASSERT(vidmm_placement_find(engine, placement->id) == placement);
    VIDMM_ASSERT(!placement->on_dying && !placement->held);
    VIDMM_ASSERT(!vidmm_placement_has_range(placement) && !placement->leaving &&
                 placement->references == 0);
    VIDMM_ASSERT(vidmm_placement_is_still(placement));                       /* P5 */
    VIDMM_ASSERT(engine->call_claim != placement && placement->ranges == 0); /* P5 */
    VIDMM_ASSERT(!vidmm_host_has(engine, placement));                        /* P5 */
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_FREE));
    VIDMM_ASSERT(placement->uses == 0 && placement->writers == 0); /* W2 */
    VIDMM_ASSERT(!placement->listings);                            /* P5 */
    vidmm_claim_forget(engine, placement);
    if (vidmm_placement_is_locked(placement))
        vidmm_lock_change(engine, placement, LOCK_UNLOCK); /* L4 */
    vidmm_refreshes_finish(engine, placement);
    vidmm_move_pair_destroy(engine, placement);
    vidmm_place_finish_runs(engine, placement);
    add_potential(engine, &placement->wish, false);
    if (placement->ring)
        engine->memory.free(engine->memory.context, placement->ring);
    if (placement->id >= VIDMM_TABLE_IDS)
        engine->mmu->tables[placement->id - VIDMM_TABLE_IDS] = NULL;
    else
        engine->placements[placement->id] = NULL;
    if (engine->own_page == placement)
        engine->own_page = NULL;
    vidmm_pool_release(engine->placement_pool, placement);
}

static void list_add(struct vidmm_segment_state *segment, struct vidmm_placement *placement)
{
    VIDMM_ASSERT(placement->priority_class < VIDMM_PRIORITY_CLASSES);
    placement->older = segment->newest;
    placement->newer = NULL;
    if (segment->newest)
        segment->newest->newer = placement;
    else
        segment->oldest = placement;
    segment->newest = placement;
    segment->classes[placement->priority_class]++;
}

/* Take it out of its place in the order, but for what its newer neighbour says of it. */
static void part_from_older(struct vidmm_segment_state *segment, struct vidmm_placement *placement)
{
    if (segment->held_end == placement)
        segment->held_end = placement->older;
    if (placement->older)
        placement->older->newer = placement->newer;
    else
        segment->oldest = placement->newer;
}

static void list_remove(struct vidmm_segment_state *segment, struct vidmm_placement *placement)
{
    VIDMM_ASSERT(segment->classes[placement->priority_class] > 0);
    segment->classes[placement->priority_class]--;
    part_from_older(segment, placement);
    if (placement->newer)
        placement->newer->older = placement->older;
    else
        segment->newest = placement->older;
}

void vidmm_placement_set_class(struct vidmm_engine *engine, struct vidmm_placement *placement,
                               uint32_t rank)
{
    VIDMM_ASSERT(rank < VIDMM_PRIORITY_CLASSES);
    if (vidmm_placement_has_range(placement)) {
        engine->segments[placement->given.segment].classes[placement->priority_class]--;
        engine->segments[placement->given.segment].classes[rank]++;
    }
    placement->priority_class = (uint8_t)rank;
}

void vidmm_segment_commit(struct vidmm_engine *engine, uint32_t segment, uint64_t size)
{
    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    VIDMM_ASSERT(size > 0 && size % VIDMM_PAGE_SIZE == 0);
    engine->segments[segment].live++;
    engine->segments[segment].committed += size;
    if (vidmm_segment_is_aperture(engine, segment))
        engine->aperture_committed += size;
}

void vidmm_segment_uncommit(struct vidmm_engine *engine, uint32_t segment, uint64_t size)
{
    VIDMM_ASSERT(engine->segments[segment].live > 0);
    VIDMM_ASSERT(engine->segments[segment].committed >= size);
    engine->segments[segment].live--;
    engine->segments[segment].committed -= size;
    if (vidmm_segment_is_aperture(engine, segment))
        engine->aperture_committed -= size;
}

void vidmm_placement_settle_at(struct vidmm_engine *engine, struct vidmm_placement *placement,
                               const struct place *place)
{
    uint32_t segment = place->segment;

    VIDMM_ASSERT(!vidmm_placement_has_range(placement) && vidmm_place_is_taken(place));
    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    VIDMM_ASSERT(vidmm_move_pair_is_own(placement) || placement->id >= VIDMM_TABLE_IDS); /* MP1 */
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_SETTLE));
    VIDMM_ASSERT(vidmm_range_owner(&engine->segments[segment].ranges, place->range) ==
                 placement->id);
    placement->given = *place;
    vidmm_segment_commit(engine, segment, vidmm_placement_extent(engine, placement));
    list_add(&engine->segments[segment], placement);
    vidmm_listing_follow(engine, placement); /* I1 */
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_SETTLE));
}

void vidmm_placement_settle(struct vidmm_engine *engine, struct vidmm_placement *placement,
                            uint32_t segment, vidmm_range range)
{
    const struct place place = {
        .offset = vidmm_range_offset(&engine->segments[segment].ranges, range),
        .range = range,
        .kind = PLACE_SEGMENT,
        .segment = (uint8_t)segment,
        .aperture = vidmm_segment_is_aperture(engine, segment),
        .whole = engine->config.segments[segment].part_of & 0x1f,
    };

    VIDMM_ASSERT(range != 0);
    vidmm_placement_settle_at(engine, placement, &place);
}

void vidmm_placement_unsettle(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    VIDMM_ASSERT(vidmm_placement_has_range(placement));
    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_UNSETTLE));
    list_remove(&engine->segments[placement->given.segment], placement);
    vidmm_segment_uncommit(engine, placement->given.segment,
                           vidmm_placement_extent(engine, placement));
    engine->room_freed |= engine->config.explicit_residency && !placement->given.aperture;
    vidmm_place_release(engine, placement, &placement->given);
    vidmm_listing_follow(engine, placement); /* I1 */
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_UNSETTLE));
}

void vidmm_placement_touch(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_segment_state *segment = &engine->segments[placement->given.segment];

    if (!vidmm_placement_has_range(placement) || segment->newest == placement)
        return;
    VIDMM_ASSERT(placement->newer && segment->newest); /* P2 */
    part_from_older(segment, placement);
    placement->newer->older = placement->older;
    placement->older = segment->newest;
    placement->newer = NULL;
    segment->newest->newer = placement;
    segment->newest = placement;
}

uint64_t vidmm_placement_extent(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement)
{
    return vidmm_wish_size_in(engine, &placement->wish, placement->given.segment);
}

const struct vidmm_wish *vidmm_engine_wish(const struct vidmm_engine *engine, uint32_t allocation)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, allocation);

    return placement ? &placement->wish : NULL;
}

struct vidmm_place vidmm_engine_where_at(const struct vidmm_engine *engine, uint32_t allocation,
                                         uint64_t offset, uint64_t *size)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, allocation);

    VIDMM_ASSERT(!placement || offset < placement->wish.size);
    *size = placement ? placement->wish.size - offset : 0;
    if (!placement || !vidmm_place_is_segment(&placement->at))
        return (struct vidmm_place){0, 0, 0};
    return vidmm_place_at(placement, &placement->at, offset, size);
}

struct vidmm_place vidmm_engine_where(const struct vidmm_engine *engine, uint32_t allocation)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, allocation);
    struct vidmm_place place = {0, 0, 0};

    if (placement && placement->moves->in.state != MOVE_QUEUED)
        place = vidmm_place_tell(&placement->at);
    return place;
}
