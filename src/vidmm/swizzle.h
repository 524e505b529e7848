/* swizzle.h: the order of the bytes of swizzled allocations, and the ranges that show them in
 * order; for the modules of the engine (engine_state.h). */
#ifndef VIDMM_SWIZZLE_H
#define VIDMM_SWIZZLE_H

#include "engine_state.h"

/* ---- swizzle.c ------------------------------------------------------------------------------- */

/* Whether it can be brought into a memory segment for every reference, and so be unswizzled. */
bool vidmm_swizzle_may_unswizzle(const struct vidmm_engine *engine,
                                 const struct vidmm_placement *placement);
/* Whether the backing store is what the CPU is to see. */
bool vidmm_swizzle_is_linear(const struct vidmm_engine *engine,
                             const struct vidmm_placement *placement);
/* Whether the backing store is in the CPU's order, or will be when it leaves its segment. */
bool vidmm_swizzle_keeps_from_apertures(const struct vidmm_engine *engine,
                                        const struct vidmm_placement *placement);
/* The backing store was zeroed for the CPU. */
void vidmm_swizzle_cleared(struct vidmm_placement *placement);
/* A move is queued: whether it changes the order of the bytes. */
void vidmm_swizzle_out(struct vidmm_engine *engine, struct vidmm_placement *placement,
                       struct vidmm_move *move);
void vidmm_swizzle_in(struct vidmm_placement *placement, struct vidmm_move *move);
/* Whether what keeps a copy may leave its segment without a transfer. */
bool vidmm_swizzle_copy_is_good(const struct vidmm_engine *engine,
                                const struct vidmm_placement *placement);
/* Begin to bring it where it can be unswizzled. STATUS_SUCCESS: it is on its way, or its turn will
 * come. */
NTSTATUS vidmm_swizzle_fetch(struct vidmm_engine *engine, struct vidmm_lock_request *request);

/* ---- swizzling_range.c ----------------------------------------------------------------------- */

/* Whether the lock may be by a swizzling range where the content is. */
bool vidmm_swizzling_may_serve(const struct vidmm_engine *engine,
                               const struct vidmm_lock_request *request);
/* The range that serves the lock, from 1; 0: there is none yet. */
uint32_t vidmm_swizzling_find(const struct vidmm_engine *engine,
                              const struct vidmm_lock_request *request);
/* The CPU uses the range; it does not any more. */
void vidmm_swizzling_lock(struct vidmm_engine *engine, struct vidmm_placement *placement,
                          uint32_t range);
void vidmm_swizzling_unlock(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Release what a placement has before it leaves its place; everything. DONE: it is. */
enum vidmm_outcome vidmm_swizzling_vacate(struct vidmm_engine *engine,
                                          const struct vidmm_placement *placement);
enum vidmm_outcome vidmm_swizzling_release_all(struct vidmm_engine *engine);
/* Hand out the next call that a lock or a burial waits for. DONE: there is none. */
enum vidmm_outcome vidmm_swizzling_call(struct vidmm_engine *engine);
NTSTATUS vidmm_swizzling_answer(struct vidmm_engine *engine, const struct vidmm_event *event);
void vidmm_swizzling_check(const struct vidmm_engine *engine);

#endif
