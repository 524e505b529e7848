/* place_runs.h: places of several runs of pages (space/page_runs.h), in an engine with a GPU MMU.
 *
 *     placement     given --> segment 2, list 1 --> |====|  |==|   |======|
 *                   at    --> segment 2, list 2 --> |==|       |==========|   on its way out of it
 *
 * A place of several runs names a list of its placement; a place of one run is a place like any
 * other. Two lists are enough: one for the range that it was given, and one for the place that its
 * content is in, or is leaving (place_runs.c). The place of a page is asked for
 * here, and found by nobody who adds to the offset of a place.
 */
#ifndef VIDMM_ENGINE_STATE_PLACE_RUNS_H
#define VIDMM_ENGINE_STATE_PLACE_RUNS_H

#include <vidmm/plan.h>

#include "vidmm/engine/space/page_runs.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement_state.h"

struct place;
struct vidmm_engine;
struct vidmm_placement;

/* The runs of a place of the placement. NULL: it is one range, or none. */
static inline struct vidmm_page_runs *vidmm_place_runs(const struct vidmm_placement *placement,
                                                       const struct place *place)
{
    return place->runs == 0 ? NULL : placement->runs[place->runs - 1];
}

/* Find the place of a byte of the placement, as an operation says it, by one of its places.
 * `offset`: bytes from its start, whole pages. *size receives how many bytes follow there in one
 * piece, to its end at most. */
struct vidmm_place vidmm_place_at(const struct vidmm_placement *placement,
                                  const struct place *place, uint64_t offset, uint64_t *size);

/* Ranges that it was given: 1, or as many as there are runs. It was given some. */
static inline uint32_t vidmm_place_ranges(const struct vidmm_placement *placement)
{
    const struct vidmm_page_runs *runs = vidmm_place_runs(placement, &placement->given);

    return runs ? runs->count : 1;
}

/* One of these ranges. */
static inline vidmm_range vidmm_place_range(const struct vidmm_placement *placement, uint32_t index)
{
    const struct vidmm_page_runs *runs = vidmm_place_runs(placement, &placement->given);

    return runs ? runs->runs[index].range : placement->given.range;
}

/* Whether a byte of [start, end) of its segment is given to the placement. It was given a range. */
bool vidmm_place_overlaps(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement, uint64_t start, uint64_t end);
/* Whether all of what it was given lies below an offset of the segment. */
bool vidmm_place_is_below(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement, uint64_t end);

/* Have all memory ready that taking the request in runs may need. False: there is no memory; only
 * what was ready has grown. */
bool vidmm_place_reserve_runs(struct vidmm_engine *engine, uint32_t segment,
                              const struct vidmm_range_request *request);
/* Take what was reserved for, and is free: the place that the placement is given. */
struct place vidmm_place_take_runs(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                   uint32_t segment, const struct vidmm_range_request *request);
/* Give the ranges of a place that was taken back to the segment. */
void vidmm_place_release(struct vidmm_engine *engine, struct vidmm_placement *placement,
                         struct place *place);
/* Drop the lists that no place of the placement names any more. */
void vidmm_place_drop_runs(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Drop all of them: the record goes. */
void vidmm_place_finish_runs(const struct vidmm_engine *engine, struct vidmm_placement *placement);

/* Stop the program if an invariant of place_runs.c does not hold. */
void vidmm_place_check_runs(const struct vidmm_engine *engine,
                            const struct vidmm_placement *placement);

#endif
