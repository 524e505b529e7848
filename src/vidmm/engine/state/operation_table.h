/* operation_table.h: the states of a paging operation, from its first call to its success.
 *
 *            HAND_OUT           SUCCEED
 *     none ------------> called --------> none
 *                         ^  |
 *                HAND_OUT |  +-- RUN_OUT: INSUFFICIENT_DMA_BUFFER --> again  --- HAND_OUT, into a
 *                         |  |                                                   fresh buffer
 *                         |  '-- BUSY: ALLOCATION_BUSY --> again, idle -- HAND_OUT, when nothing
 *                         '-----------------------------------------------   uses the allocation
 *
 *     any of them -- FORGET: the adapter was reset --> none
 *
 * There is one at a time: DxgkDdiBuildPagingBuffer has one caller. The steps of a move are
 * operations of their own, one after the other (move_steps.h).
 */
#ifndef VIDMM_ENGINE_STATE_OPERATION_TABLE_H
#define VIDMM_ENGINE_STATE_OPERATION_TABLE_H

#include "vidmm/engine/state/transition.h"

struct vidmm_engine;

enum operation_state {
    OPERATION_NONE,
    OPERATION_CALLED,
    OPERATION_AGAIN,      /* as before, with MultipassOffset untouched, into a fresh buffer */
    OPERATION_AGAIN_IDLE, /* as AGAIN, and with AllocationIsIdle */
    OPERATION_STATES,
};

enum operation_event {
    OPERATION_HAND_OUT,
    OPERATION_SUCCEED,
    OPERATION_RUN_OUT,
    OPERATION_BUSY,
    OPERATION_FORGET,
    OPERATION_EVENTS,
};

extern const struct vidmm_transition vidmm_operation_table[];
extern const uint32_t vidmm_operation_rows;

/* The state of the operation that was handed out last. */
enum operation_state vidmm_operation_state(const struct vidmm_engine *engine);
/* Whether the event may happen now; whether the state is one that it leaves. For assertions. */
bool vidmm_operation_may(const struct vidmm_engine *engine, enum operation_event event);
bool vidmm_operation_did(const struct vidmm_engine *engine, enum operation_event event);
/* Name of a state, for people. Never NULL. */
const char *vidmm_operation_string(enum operation_state state);
/* Stop the program if the engine is not what the state says. */
void vidmm_operation_check_state(const struct vidmm_engine *engine);

#endif
