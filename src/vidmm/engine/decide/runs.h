/* runs.h: room in runs of pages, for what a GPU with an MMU reaches by address alone.
 *
 *     segment    | a: oldest | hole | b | c: held | d: oldest but one | hole |
 *                '-----------------'          '------------------------------'
 *                 a and d leave: so many bytes are free then, and nobody asks where
 *
 * Those that leave are the least recently used, those of lower classes of priority first, until
 * enough is free. No stretch of addresses is looked for, so what is new never leaves for the sake
 * of its neighbours.
 *
 * In one range, as ever, goes what is used by other means than its address: AccessedPhysically
 * (which a primary is, too), what is pinned, a buffer without hAllocation, page tables, a context's
 * own; what is swizzled, or keeps its backing store, because it is brought up to date by physical
 * transfers; everything in an aperture; and everything where the configuration says so.
 *
 * A bank (HintedBank) that holds all of it in one piece is taken first.
 */
#ifndef VIDMM_ENGINE_DECIDE_RUNS_H
#define VIDMM_ENGINE_DECIDE_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;
struct vidmm_placement;
struct vidmm_settlement;

/* Whether the placement goes into runs of the segment. */
bool vidmm_runs_serve(const struct vidmm_engine *engine, const struct vidmm_placement *placement,
                      uint32_t segment);
/* Find room for a placement that goes into runs, evicting only those of a lower class than `ranks`;
 * 0: nobody. Answers as room.h says; *possible false: there is no memory for the records of runs,
 * and it is to have one range. */
enum vidmm_found vidmm_runs_find(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                 uint32_t segment, uint32_t ranks,
                                 struct vidmm_settlement *settlement, bool *possible);
/* Whether as much is free in the segment as a placement needs that goes into runs, and memory for
 * the records is ready. */
bool vidmm_runs_are_free(struct vidmm_engine *engine, const struct vidmm_placement *placement,
                         uint32_t segment);

#endif
