/* move_pair.h: the page-in and the page-out of an allocation, as long as it may have one.
 *
 *     created, or evicted, and named by nobody    the pair that is nobody's: both are idle
 *     named, or with a place in a segment         a pair of its own
 *
 * The moves of an allocation are a third of its record, and those that are at rest need none. An
 * event that names an allocation reserves its pair with all else that the act may need, so that the
 * pair is there for all that follows.
 */
#ifndef VIDMM_ENGINE_STATE_MOVE_PAIR_H
#define VIDMM_ENGINE_STATE_MOVE_PAIR_H

#include "vidmm/engine/state/placement_state.h"

struct vidmm_engine;

/* The pair of those that have none. Nobody writes it. */
extern const struct vidmm_move_pair vidmm_no_moves;

/* Whether it has a pair of its own. */
static inline bool vidmm_move_pair_is_own(const struct vidmm_placement *placement)
{
    return placement->moves != &vidmm_no_moves;
}

/* Begin without one. */
void vidmm_move_pair_init(struct vidmm_placement *placement);
/* Give it one. False: no memory, and nothing has changed. */
bool vidmm_move_pair_create(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Give its own back, if it has one. Both are idle. */
void vidmm_move_pair_destroy(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Give it back if it is not needed any more: the placement is named by nobody, and has no place. */
void vidmm_move_pair_reconsider(struct vidmm_engine *engine, struct vidmm_placement *placement);
/* Stop the program if the placement has no pair and needs one. */
void vidmm_move_pair_check(const struct vidmm_placement *placement);

/* See to it that it has one. False: no memory, and nothing has changed. */
static inline bool vidmm_move_pair_reserve(struct vidmm_engine *engine,
                                           struct vidmm_placement *placement)
{
    return vidmm_move_pair_is_own(placement) || vidmm_move_pair_create(engine, placement);
}

#endif
