/* exception.h: what is pinned, and the occasions on which even that is evicted; exception.c. */
#ifndef VIDMM_ENGINE_DECIDE_EXCEPTION_H
#define VIDMM_ENGINE_DECIDE_EXCEPTION_H

#include "vidmm/engine/state/engine_state.h"

/* Decide that everything leaves but DMA and paging buffers, pinned or not, for a reason that allows
 * it (enum vidmm_exception; S0-042). FOUND: nothing else has a range; page-outs of what had one
 * stand in the list of those leaving, or in the queue. CALL: a claim. LATER: something under way
 * ends first, or the CPU holds a lock. Call vidmm_leaving_queue() after each answer. */
enum vidmm_found vidmm_evict_all(struct vidmm_engine *engine, uint32_t reason);

/* Whether only pinned allocations keep the placement from every aperture of its
 * EvictionSegmentSet (S0-045). */
bool vidmm_is_pinned_out(const struct vidmm_engine *engine,
                         const struct vidmm_placement *placement);

#endif
