/* transition.h: a state machine as a table: from, event, to, and the function that performs it.
 *
 * Seven machines are written so: placement_table.h, move_table.h, operation_table.h,
 * buffer_table.h, lock_table.h, offer.h, fence_list.h. An event without a row does not happen: the
 * function that performs an event asserts that a row allows it. Each machine has a drawing in its
 * header, says in its source what holds in each state, and is checked as a whole by
 * vidmm_engine_check().
 */
#ifndef VIDMM_ENGINE_STATE_TRANSITION_H
#define VIDMM_ENGINE_STATE_TRANSITION_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_transition {
    uint8_t from, event, to;
    const char *by; /* the function that performs it */
};

/* No state: the answer where no row is found. */
#define VIDMM_NO_STATE UINT32_MAX

/* The state that the event leads to; VIDMM_NO_STATE: it does not happen there. */
static inline uint32_t vidmm_transition_to(const struct vidmm_transition *rows, uint32_t count,
                                           uint32_t from, uint32_t event)
{
    uint32_t index;

    for (index = 0; index < count; index++)
        if (rows[index].from == from && rows[index].event == event)
            return rows[index].to;
    return VIDMM_NO_STATE;
}

/* Whether the event may leave something in the state. */
static inline bool vidmm_transition_leaves(const struct vidmm_transition *rows, uint32_t count,
                                           uint32_t event, uint32_t to)
{
    uint32_t index = 0;

    while (index < count && (rows[index].event != event || rows[index].to != to))
        index++;
    return index < count;
}

#endif
