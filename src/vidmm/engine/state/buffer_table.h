/* buffer_table.h: the states of a paging buffer.
 *
 *                       SUBMIT: something was written
 *             BEGIN     FOLLOW: nothing was; it ends with what is before it
 *     free ---------> open --------------------------> flying
 *      ^ ^             |                                 |  |
 *      | '-- FORGET ---' <------------- FORGET ----------'  |
 *      '-------------------- COMPLETE ----------------------'
 *
 *     free     it may be opened
 *     open     operations are being added; one at most
 *     flying   submitted, or behind the paging before it
 *
 * FORGET: the adapter was reset, whatever the state. paging.c fills and submits them.
 */
#ifndef VIDMM_ENGINE_STATE_BUFFER_TABLE_H
#define VIDMM_ENGINE_STATE_BUFFER_TABLE_H

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/transition.h"

enum paging_buffer_event {
    PAGING_BUFFER_BEGIN,
    PAGING_BUFFER_SUBMIT,
    PAGING_BUFFER_FOLLOW,
    PAGING_BUFFER_COMPLETE,
    PAGING_BUFFER_FORGET,
    PAGING_BUFFER_EVENTS,
};

extern const struct vidmm_transition vidmm_buffer_table[];
extern const uint32_t vidmm_buffer_rows;

/* Bring it into the state that the event leads to. It is one that the table has. */
void vidmm_buffer_change(struct vidmm_paging_buffer *buffer, enum paging_buffer_event event);
/* Name of a state, for people. Never NULL. */
const char *vidmm_buffer_string(enum paging_buffer_state state);
/* Stop the program if a buffer is not what its state says. */
void vidmm_buffer_check_state(const struct vidmm_paging_buffer *buffer);

#endif
