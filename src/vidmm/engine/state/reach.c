/* reach.c: the places from which the CPU can have an allocation, with explicit residency.
 *
 * Invariants
 * RE1. An allocation that is lent or staged may live in a memory segment, and its content is in
 *     none while it is lent; it is not both. Residency is explicit.
 */
#include "vidmm/engine/state/reach.h"

#include <base/assert.h>

#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/host_mapping.h"
#include "vidmm/engine/state/host_state.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/wish.h"

static uint32_t memory_set(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement)
{
    return vidmm_placement_set(placement, true) & ~vidmm_apertures(engine);
}

bool vidmm_reach_is_visible(const struct vidmm_engine *engine,
                            const struct vidmm_placement *placement, uint32_t segment)
{
    const struct vidmm_engine_segment *config = &engine->config.segments[segment];

    VIDMM_ASSERT(segment >= 1 && segment <= engine->config.segment_count && !config->aperture);
    /* obeys S2-016 */
    return config->cpu_visible && !config->pitch_aligned &&     /* other rows than the pointer's */
           (placement->wish.flags & VIDMM_CPU_VISIBLE) != 0 &&  /* obeys S2-020 */
           (placement->wish.flags & VIDMM_CACHED_CONTENT) == 0; /* obeys S2-015 */
}

/* Whether addresses of its backing store follow it into every memory segment of its set. */
static bool follows(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    uint32_t set = memory_set(engine, placement), segment;

    for (segment = 1; segment <= engine->config.segment_count; segment++)
        if ((set >> segment & 1) != 0 && !vidmm_reach_is_visible(engine, placement, segment))
            return false;
    return true;
}

/* Whether pages of the CPU host aperture would show it wherever residency may bring it: its memory
 * is the segment that has the aperture, and no other. */
static bool is_hosted(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    uint32_t segment = engine->host->segment;

    return segment != 0 && memory_set(engine, placement) == 1u << segment &&
           vidmm_host_reaches(engine, placement, segment);
}

uint32_t vidmm_reach_set(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    uint32_t set = vidmm_placement_set(placement, true);

    return placement->staged ? set & vidmm_apertures(engine) : set; /* obeys S2-021 */
}

void vidmm_reach_lend(const struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (!engine->config.explicit_residency || memory_set(engine, placement) == 0 ||
        (placement->wish.flags & VIDMM_KEEPS_COPY) != 0)
        return;
    placement->lent = !placement->staged;
    placement->follows = follows(engine, placement);
    placement->hosted = is_hosted(engine, placement);
}

void vidmm_reach_unlock(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    VIDMM_ASSERT(placement->staged && !placement->lent); /* RE1 */
    placement->staged = false;
    vidmm_reach_lend(engine, placement); /* others may have locked it since */
    engine->room_freed = true;           /* it may go back into memory */
}

void vidmm_reach_check(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    if (!placement->lent && !placement->staged)
        return;
    VIDMM_VERIFY(engine->config.explicit_residency);                          /* RE1 */
    VIDMM_VERIFY(!placement->lent || !placement->staged);                     /* RE1 */
    VIDMM_VERIFY(memory_set(engine, placement) != 0);                         /* RE1 */
    VIDMM_VERIFY(!placement->lent || !vidmm_place_is_memory(&placement->at)); /* RE1 */
}
