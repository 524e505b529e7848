/* swizzle.h: in which order the bytes of a Swizzled allocation are, and where; swizzle.c draws it.
 *
 * Source: DXGK_ALLOCATIONINFOFLAGS, Swizzled; D-075.
 */
#ifndef VIDMM_ENGINE_STATE_SWIZZLE_H
#define VIDMM_ENGINE_STATE_SWIZZLE_H

#include <stdbool.h>

struct vidmm_engine;
struct vidmm_move;
struct vidmm_placement;

/* Whether it can be brought into a memory segment for every reference, and so be unswizzled. */
bool vidmm_swizzle_may_unswizzle(const struct vidmm_engine *engine,
                                 const struct vidmm_placement *placement);
/* Whether the backing store is what the CPU is to see. */
bool vidmm_swizzle_is_linear(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement);
/* Whether the backing store is in the CPU's order, or will be when it leaves its segment. */
bool vidmm_swizzle_keeps_from_apertures(const struct vidmm_engine *engine,
                                        const struct vidmm_placement *placement);
/* Whether what keeps a copy may leave its segment without a transfer. */
bool vidmm_swizzle_copy_is_good(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement);

/* The backing store was zeroed for the CPU. */
void vidmm_swizzle_cleared(struct vidmm_placement *placement);
/* A page-out, or a page-in, is being queued: set whether it changes the order of the bytes. */
void vidmm_swizzle_out(struct vidmm_engine *engine, struct vidmm_placement *placement,
                       struct vidmm_move *move);
void vidmm_swizzle_in(struct vidmm_placement *placement, struct vidmm_move *move);

#endif
