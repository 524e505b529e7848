/* reference.h: from which segments a reference of a DMA buffer may be used; reference.c.
 *
 * Source: DXGK_ALLOCATIONINFO, SupportedReadSegmentSet, SupportedWriteSegmentSet.
 */
#ifndef VIDMM_ENGINE_STATE_REFERENCE_H
#define VIDMM_ENGINE_STATE_REFERENCE_H

#include "vidmm/engine/state/engine_state.h"

/* A reference that is no DMA buffer's: memory segments alone will do. */
#define VIDMM_REFERENCE_FETCHES 0x80000000u

static inline bool vidmm_reference_writes(const struct vidmm_reference *reference)
{
    return (reference->write & VIDMM_REFERENCE_WRITES) != 0;
}

/* The segments a reference may be used from: bit n is segment n; of apertures only while the CPU
 * holds a lock (D-160). 0: from none. */
uint32_t vidmm_reference_set(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement,
                             const struct vidmm_reference *reference);

#endif
