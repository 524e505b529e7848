/* swizzling_range.h: the driver's swizzling ranges, and whose they are; swizzling_range.c draws
 * it. Nothing here allocates. */
#ifndef VIDMM_ENGINE_CARRY_SWIZZLING_RANGE_H
#define VIDMM_ENGINE_CARRY_SWIZZLING_RANGE_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_event;
struct vidmm_lock_request;
struct vidmm_placement;

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
/* Release what a placement has before it leaves its place; everything. IDLE: it is released. CALL:
 * a release is handed out. WAIT: there is no room for it now. */
enum vidmm_progress vidmm_swizzling_vacate(struct vidmm_engine *engine,
                                           const struct vidmm_placement *placement);
enum vidmm_progress vidmm_swizzling_release_all(struct vidmm_engine *engine);
/* Hand out the next call that a lock or a burial waits for. IDLE: there is none. */
enum vidmm_progress vidmm_swizzling_call(struct vidmm_engine *engine);
/* Take in VIDMM_EVENT_RANGED. STATUS_INVALID_PARAMETER: no such call is under way. */
NTSTATUS vidmm_swizzling_answer(struct vidmm_engine *engine, const struct vidmm_event *event);
/* Stop the program if an invariant does not hold. */
void vidmm_swizzling_check(const struct vidmm_engine *engine);

#endif
