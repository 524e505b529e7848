/* wish.h: a wish in one segment: how many bytes, where, from which end; wish.c draws it. Nothing
 * here changes or allocates anything.
 */
#ifndef VIDMM_ENGINE_STATE_WISH_H
#define VIDMM_ENGINE_STATE_WISH_H

#include <vidmm/plan.h>
#include <vidmm/segment.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_placement;

#define VIDMM_PREFERENCES 5u /* slots of DXGK_SEGMENTPREFERENCE */
#define VIDMM_BANK_GROUPS 4u /* of DXGK_SEGMENTBANKPREFERENCE */
#define VIDMM_CONFINED 5u    /* what is confined gets one part in so many of a segment: S0-043 */

/* The segment in slot `slot` of DXGK_SEGMENTPREFERENCE; 0: none, nor in the slots behind it. */
static inline uint32_t vidmm_wish_preferred(const struct vidmm_wish *wish, uint32_t slot)
{
    return wish->preferred >> (6 * slot) & 0x1f;
}

/* Whether nothing but the three exceptions of exception.c evicts it. */
static inline bool vidmm_wish_is_pinned(const struct vidmm_wish *wish)
{
    return (wish->flags & (VIDMM_OVERLAY | VIDMM_CAPTURE)) != 0 || /* obeys S0-042, S0-046 */
           wish->pinned != 0 ||                                    /* obeys D-383 */
           (wish->flags & VIDMM_WISH_DISPLAYED) != 0;
}

/* Whether it has no other place than the last fifth of a segment. */
static inline bool vidmm_wish_is_confined(const struct vidmm_wish *wish)
{
    return (wish->flags & (VIDMM_OVERLAY | VIDMM_CAPTURE)) != 0; /* obeys S0-043 */
}

/* Bytes that it takes of the segment: PitchAlignedSize in one with PitchAlignment. */
uint64_t vidmm_wish_size_in(const struct vidmm_engine *engine, const struct vidmm_wish *wish,
                            uint32_t segment);
/* Whether an empty segment, with its commit limit, could hold it. */
bool vidmm_wish_fits(const struct vidmm_engine *engine, const struct vidmm_wish *wish,
                     uint32_t segment);
/* The range to ask the segment for. */
struct vidmm_range_request vidmm_wish_request(const struct vidmm_engine *engine,
                                              const struct vidmm_placement *placement,
                                              uint32_t segment);
/* The range to ask for inside the bank of a group of HintedBank (0: the most preferred). False: the
 * group names no bank of this segment. */
bool vidmm_wish_bank_request(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement, uint32_t segment,
                             uint32_t group, struct vidmm_range_request *request);
/* The segments of `set` (bit n is segment n), in the order of DXGK_SEGMENTPREFERENCE, then of id.
 * Answers how many. */
uint32_t vidmm_wish_order(const struct vidmm_engine *engine, const struct vidmm_wish *wish,
                          uint32_t set, uint8_t order[VIDMM_SEGMENTS]);
/* The class of an AllocationPriority, 0 .. VIDMM_PRIORITY_WANTED - 1. */
uint32_t vidmm_priority_class(uint32_t priority);
/* The aperture segments: bit n is segment n. */
uint32_t vidmm_apertures(const struct vidmm_engine *engine);

#endif
