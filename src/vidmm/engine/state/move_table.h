/* move_table.h: the states of a move.
 *
 *            ENQUEUE           BUILD          FINISH
 *     idle ----------> queued -------> built --------> idle
 *                                      ^   |
 *                                BUILD |   | MAKE_DUE: the transfer of a page-out through an
 *                                      |   v           aperture is complete
 *                                       due
 *
 *     any of them -- FORGET: the adapter was reset --> idle -- ENQUEUE --> queued -- TELL --> idle
 */
#ifndef VIDMM_ENGINE_STATE_MOVE_TABLE_H
#define VIDMM_ENGINE_STATE_MOVE_TABLE_H

#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/transition.h"

struct vidmm_engine;
struct vidmm_move;

enum move_event {
    MOVE_ENQUEUE,
    MOVE_BUILD,
    MOVE_MAKE_DUE,
    MOVE_FINISH,
    MOVE_FORGET,
    MOVE_TELL,
    MOVE_EVENTS,
};

extern const struct vidmm_transition vidmm_move_table[];
extern const uint32_t vidmm_move_rows;

/* Bring the move into the state that the event leads to. It is one that the table has. */
void vidmm_move_change(struct vidmm_move *move, enum move_event event);
/* Name of a state, for people. Never NULL. */
const char *vidmm_move_string(enum move_state state);
/* Stop the program if the move is not what its state says. */
void vidmm_move_check_state(const struct vidmm_engine *engine, const struct vidmm_move *move);

#endif
