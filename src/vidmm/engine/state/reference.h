/* reference.h: from which segments a reference of a DMA buffer may be used; reference.c.
 *
 * Source: DXGK_ALLOCATIONINFO, SupportedReadSegmentSet, SupportedWriteSegmentSet.
 */
#ifndef VIDMM_ENGINE_STATE_REFERENCE_H
#define VIDMM_ENGINE_STATE_REFERENCE_H

#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"

/* A reference that is no DMA buffer's: memory segments alone will do. */
#define VIDMM_REFERENCE_FETCHES 0x80000000u

/* `write`: VIDMM_REFERENCE_..., here and below. */
static inline bool vidmm_reference_writes(uint32_t write)
{
    return (write & VIDMM_REFERENCE_WRITES) != 0;
}

/* vidmm_reference_set() of a placement that may not be used from all segments of its set. */
uint32_t vidmm_reference_set_less(const struct vidmm_engine *engine,
                                  const struct vidmm_placement *placement, uint32_t write);

/* The segments a reference may be used from: bit n is segment n; of apertures only while the CPU
 * holds a lock (D-160). 0: from none. */
static inline uint32_t vidmm_reference_set(const struct vidmm_engine *engine,
                                           const struct vidmm_placement *placement, uint32_t write)
{
    const uint32_t special = VIDMM_REFERENCE_LOCKED | VIDMM_REFERENCE_FETCHES;

    if ((write & special) != 0 || placement->apart || placement->away ||
        vidmm_placement_is_swizzled(placement))
        return vidmm_reference_set_less(engine, placement, write);
    return vidmm_placement_set(placement, vidmm_reference_writes(write));
}

#endif
