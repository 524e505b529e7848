/* exception.h: pinned placements, and the occasions on which even they are evicted; exception.c. */
#ifndef VIDMM_ENGINE_DECIDE_EXCEPTION_H
#define VIDMM_ENGINE_DECIDE_EXCEPTION_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine;
struct vidmm_placement;
struct vidmm_settlement;

/* Decide that everything leaves but DMA and paging buffers, pinned or not, for a reason that allows
 * it (enum vidmm_exception; S0-042). Nothing has changed; once the answer is applied, FOUND:
 * nothing else has a range. CALL: some have left, and a claim is under way. LATER: some have left,
 * and something under way ends first, or the CPU holds a lock. */
struct vidmm_settlement vidmm_exception_decide(const struct vidmm_engine *engine, uint32_t reason);

/* Whether only pinned allocations keep the placement from every aperture of its
 * EvictionSegmentSet (S0-045). */
bool vidmm_is_pinned_out(const struct vidmm_engine *engine,
                         const struct vidmm_placement *placement);

#endif
