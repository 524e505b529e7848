/* wish.c: an allocation's wish in one segment: how many bytes, where, from which end.
 *
 *   segment with four banks     0        1        2                3        size
 *                               |  bank 1| bank 2 |     bank 3     | bank 4 |
 *   an overlay, by default                                     |<- last 20 %->|
 *
 * A pinned allocation (overlay, capture) has no other place than the last fifth. A bank is a hint:
 * it is looked at first, and where no preferred bank has room the rest of the segment will do,
 * across banks if need be.
 *
 * Source: DXGK_ALLOCATIONINFO; DXGK_SEGMENTBANKPREFERENCE; DXGK_ALLOCATIONINFOFLAGS, Overlay,
 * Capture; DXGK_SEGMENTFLAGS, PitchAlignment.
 */
#include "vidmm/engine/state/wish.h"

#include <vidmm/engine.h>
#include <vidmm/page.h>

#include "base/assert.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/placement_state.h"

struct vidmm_placement;

/* AllocationPriority: the lowest of each class but the first. */
#define PRIORITY_LOW 0x50000000u
#define PRIORITY_NORMAL 0x78000000u
#define PRIORITY_HIGH 0xa0000000u
#define PRIORITY_MAXIMUM 0xc8000000u

/* A slot of DXGK_SEGMENTPREFERENCE is six bits; a group of DXGK_SEGMENTBANKPREFERENCE eight. */
#define SLOT_FROM_END(slot) (0x20u << 6 * (slot))
#define GROUP_BANK 0x7fu
#define GROUP_FROM_END 0x80u

uint64_t vidmm_wish_size_in(const struct vidmm_engine *engine, const struct vidmm_wish *wish,
                            uint32_t segment)
{
    bool pitch = engine->config.segments[segment].pitch_aligned;

    return pitch && wish->pitch_aligned_size != 0 ? wish->pitch_aligned_size
                                                  : wish->size; /* obeys D-037 */
}

uint32_t vidmm_priority_class(uint32_t priority)
{
    static const uint32_t above[] = {PRIORITY_LOW, PRIORITY_NORMAL, PRIORITY_HIGH,
                                     PRIORITY_MAXIMUM};
    uint32_t rank = 0;

    while (rank < sizeof(above) / sizeof(above[0]) && priority >= above[rank])
        rank++;
    return VIDMM_PRIORITY_OFFERS + rank;
}

/* First byte at which a range may begin. */
static uint64_t lowest(const struct vidmm_engine *engine, const struct vidmm_placement *placement,
                       uint32_t segment)
{
    uint64_t size = engine->config.segments[segment].size;

    if (vidmm_wish_is_confined(&placement->wish))
        return (size - size / VIDMM_CONFINED + VIDMM_PAGE_SIZE - 1) &
               ~(uint64_t)(VIDMM_PAGE_SIZE - 1);    /* obeys S0-043 */
    return placement->buffer ? VIDMM_PAGE_SIZE : 0; /* obeys D-334 */
}

/* obeys S0-039, S0-040, D-018: a preferred segment's own direction bit comes before
 * FromEndOfSegment */
static enum vidmm_direction direction_in(const struct vidmm_wish *wish, uint32_t segment)
{
    uint32_t slot;

    for (slot = 0; slot < VIDMM_PREFERENCES; slot++) {
        uint32_t preferred = vidmm_wish_preferred(wish, slot);

        if (preferred == 0)
            break;
        if (preferred == segment)
            return (wish->preferred & SLOT_FROM_END(slot)) != 0 ? VIDMM_FROM_END : VIDMM_FROM_START;
    }
    return (wish->flags & VIDMM_FROM_END_OF_SEGMENT) != 0 ? VIDMM_FROM_END : VIDMM_FROM_START;
}

struct vidmm_range_request vidmm_wish_request(const struct vidmm_engine *engine,
                                              const struct vidmm_placement *placement,
                                              uint32_t segment)
{
    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    return (struct vidmm_range_request){
        .size = vidmm_wish_size_in(engine, &placement->wish, segment),
        .alignment = placement->wish.alignment,
        .direction = direction_in(&placement->wish, segment),
        .window_start = lowest(engine, placement, segment),
    };
}

/* [*start, *end) is the bank; false: there is none of that number. */
static bool find_bank(const struct vidmm_engine *engine, uint32_t segment, uint32_t bank,
                      uint64_t *start, uint64_t *end)
{
    const struct vidmm_engine_segment *config = &engine->config.segments[segment];

    if (bank == 0 || bank > config->bank_count) /* obeys D-016 */
        return false;
    *start = bank == 1 ? 0 : config->bank_ends[bank - 2];
    *end = config->bank_ends[bank - 1];
    return true;
}

bool vidmm_wish_bank_request(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement, uint32_t segment,
                             uint32_t group, struct vidmm_range_request *request)
{
    uint32_t hint = placement->wish.hinted_bank >> (8 * group) & 0xff;
    uint64_t start, end;

    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    if (group >= VIDMM_BANK_GROUPS ||
        vidmm_wish_preferred(&placement->wish, 0) != segment || /* obeys S1-007 */
        !find_bank(engine, segment, hint & GROUP_BANK, &start, &end))
        return false;
    *request = vidmm_wish_request(engine, placement, segment);
    request->direction = (hint & GROUP_FROM_END) != 0 ? VIDMM_FROM_END : VIDMM_FROM_START;
    request->window_start = start > request->window_start ? start : request->window_start;
    request->window_end = end;
    return request->window_start < end;
}

bool vidmm_wish_fits(const struct vidmm_engine *engine, const struct vidmm_wish *wish,
                     uint32_t segment)
{
    const struct vidmm_engine_segment *config = &engine->config.segments[segment];
    uint64_t usable = config->size - engine->segments[segment].parted;
    uint64_t limit = config->aperture ? config->commit_limit : usable;

    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count);
    if (vidmm_wish_is_confined(wish) && limit > config->size / VIDMM_CONFINED)
        limit = config->size / VIDMM_CONFINED;
    return vidmm_wish_size_in(engine, wish, segment) <= limit;
}

uint32_t vidmm_apertures(const struct vidmm_engine *engine)
{
    uint32_t segment, set = 0;

    for (segment = 1; segment <= engine->config.segment_count; segment++)
        set |= vidmm_segment_is_aperture(engine, segment) ? 1u << segment : 0;
    return set;
}

uint32_t vidmm_wish_order(const struct vidmm_engine *engine, const struct vidmm_wish *wish,
                          uint32_t set, uint8_t order[VIDMM_SEGMENTS])
{
    uint32_t slot, segment, count = 0;

    for (slot = 0; slot < VIDMM_PREFERENCES; slot++) {
        segment = vidmm_wish_preferred(wish, slot); /* obeys S1-008 */
        if (segment == 0)
            break; /* obeys D-018 */
        if ((set >> segment & 1) != 0) {
            order[count++] = (uint8_t)segment;
            set &= ~(1u << segment);
        }
    }
    for (segment = 1; segment <= engine->config.segment_count; segment++)
        if ((set >> segment & 1) != 0)
            order[count++] = (uint8_t)segment;
    return count;
}
