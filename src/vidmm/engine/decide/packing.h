/* packing.h: the last way to find room: everything anew from the segment's base; packing.c. */
#ifndef VIDMM_ENGINE_DECIDE_PACKING_H
#define VIDMM_ENGINE_DECIDE_PACKING_H

#include <stdbool.h>
#include <stdint.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_missing;
struct vidmm_placement;
struct vidmm_settlement;
struct vidmm_work;

/* Pack everything of `work` that can be nowhere else from the segment's base by decreasing
 * alignment, around what is pinned. *needed receives the bytes that had to fit. Answers as room.h
 * says. */
enum vidmm_found vidmm_room_by_packing(struct vidmm_engine *engine, struct vidmm_work *work,
                                       uint32_t segment, uint64_t *needed,
                                       struct vidmm_settlement *settlement);

/* Whether it comes before the other in that order. */
bool vidmm_packing_goes_before(const struct vidmm_placement *placement,
                               const struct vidmm_placement *other);
/* Sort by decreasing alignment, then decreasing size, then id; pinned ones last. Allocates
 * nothing. */
void vidmm_packing_sort(struct vidmm_missing *missing, uint32_t count);

#endif
