/* exception.c: pinned placements, and the three occasions on which they leave all the same.
 *
 * An overlay or capture allocation is nobody's victim. It goes for a reset, a PnP stop and a
 * synchronisation of level three, when everything goes (S0-042, S0-046). Between them it may stand
 * where a page-out needs room: an eviction aperture of which it occupies a part holds nothing
 * larger than the rest, and what is larger than 80 percent of it loses its content (S0-045). If the
 * aperture itself is too small, or command buffers are in the way, the page-out goes straight to
 * the MDL instead.
 */
#include "vidmm/engine/decide/exception.h"

#include <base/assert.h>

#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/host_mapping.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/recovery_state.h"
#include "vidmm/engine/state/wish.h"

static enum vidmm_found may_leave(const struct vidmm_placement *placement)
{
    if (placement->moves->in.state == MOVE_QUEUED || placement->moves->out.state != MOVE_IDLE)
        return FOUND_LATER;
    return vidmm_claim_state(placement);
}

static bool is_preserved(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    const struct vidmm_engine_segment *segment = &engine->config.segments[placement->given.segment];

    if (engine->rest->stage == REST_NONE || placement->lock_range != 0 ||
        vidmm_host_has(engine, placement)) /* what shows it goes with the power */
        return false;
    switch ((enum vidmm_power)engine->rest->power) {
    case VIDMM_POWER_D0:
    case VIDMM_POWER_D3:
        break;
    case VIDMM_POWER_STANDBY:
        return segment->preserved_standby;
    case VIDMM_POWER_HIBERNATE:
    case VIDMM_POWER_HYBRID_SLEEP: /* obeys D-040 */
        return segment->preserved_hibernate ||
               vidmm_place_is_below(engine, placement, segment->preserved_end); /* obeys D-028 */
    }
    return false;
}

struct vidmm_settlement vidmm_exception_decide(const struct vidmm_engine *engine, uint32_t reason)
{
    struct vidmm_settlement settlement = {.found = FOUND};
    uint32_t segment;

    VIDMM_ASSERT(reason >= VIDMM_EXCEPTION_RESET && reason <= VIDMM_EXCEPTION_LEVEL_THREE);
    (void)reason;
    for (segment = 1; segment <= engine->config.segment_count; segment++) {
        struct vidmm_placement *placement = engine->segments[segment].oldest;

        for (; placement; placement = placement->newer) {
            enum vidmm_found found;

            if (placement->buffer || is_preserved(engine, placement))
                continue;
            found = may_leave(placement);
            if (found == FOUND)
                vidmm_leavers_add(engine, &settlement.leavers, placement);
            else
                settlement.found = found;
            if (found == FOUND_CALL) {
                settlement.claim = placement;
                return settlement;
            }
        }
    }
    return settlement;
}

/* ---- pinned in an eviction aperture ---------------------------------------------------------- */

static bool is_obstacle(const struct vidmm_engine *engine, uint32_t segment, vidmm_range range,
                        bool pinned_too)
{
    const struct vidmm_placement *there = vidmm_room_resident(engine, segment, range);

    return there && (there->buffer || (pinned_too && vidmm_wish_is_pinned(&there->wish)));
}

/* The longest stretch of addresses without obstacles. */
static uint64_t longest_stretch(const struct vidmm_engine *engine, uint32_t segment,
                                bool pinned_too)
{
    const struct vidmm_segment *ranges = &engine->segments[segment].ranges;
    uint64_t length = 0, longest = 0;
    vidmm_range range;

    VIDMM_ASSERT(engine->segments[segment].evictions == 0); /* else the page-out waits for them */
    for (range = vidmm_segment_first(ranges); range; range = vidmm_range_next(ranges, range)) {
        length = is_obstacle(engine, segment, range, pinned_too)
                     ? 0
                     : length + vidmm_range_size(ranges, range);
        longest = length > longest ? length : longest;
    }
    return longest;
}

bool vidmm_is_pinned_out(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    uint64_t size = placement->wish.size;
    uint32_t segment;

    for (segment = 1; segment <= engine->config.segment_count; segment++)
        if ((placement->wish.eviction_set >> (segment - 1) & 1) != 0 &&
            size > engine->config.segments[segment].size / VIDMM_CONFINED *
                       (VIDMM_CONFINED - 1) && /* the driver broke S0-044 */
            size <= engine->config.segments[segment].commit_limit &&
            size <= longest_stretch(engine, segment, false) &&
            size > longest_stretch(engine, segment, true))
            return true;
    return false;
}
