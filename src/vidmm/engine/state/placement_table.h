/* placement_table.h: the states of a placement: where its content is, and where it is to be.
 *
 *              SETTLE                QUEUE_IN               FINISH
 *      out -----------> promised ----------------> coming ---------> resident
 *      ^ |   UNSETTLE    |    ^                    ^    ^ |              | |
 *      | '<--------------'    |       QUEUE_DIRECT |    | '--------------' | QUEUE_IN: a refresh,
 *      |                      |    .---------------'    '------------------' a push of writes
 *      | FINISH       SETTLE  |    |
 *      |                      |    |                       UNSETTLE
 *     going <---------------- leaving <------------------- coming, resident
 *                 QUEUE_OUT
 *
 *     out        no range; its content, if it has any, is in the backing store
 *     promised   a range, and no page-in is queued to it yet
 *     coming     a range, and something is queued or under way to it
 *     resident   a range, and its content is there
 *     leaving    its content is in a segment where it has no range any more; moves follow from that
 *                when the decision stands. A range that it is given meanwhile changes nothing yet
 *     going      no range, and the content is on its way out
 *
 * A reset leads from everywhere to out, or to promised: command buffers go back where they were,
 * and a range that a lock's pointer leads to stays taken.
 */
#ifndef VIDMM_ENGINE_STATE_PLACEMENT_TABLE_H
#define VIDMM_ENGINE_STATE_PLACEMENT_TABLE_H

#include "vidmm/engine/state/transition.h"

struct vidmm_engine;
struct vidmm_placement;

enum placement_state {
    PLACEMENT_OUT,
    PLACEMENT_PROMISED,
    PLACEMENT_COMING,
    PLACEMENT_RESIDENT,
    PLACEMENT_LEAVING,
    PLACEMENT_GOING,
    PLACEMENT_STATES,
};

enum placement_event {
    PLACEMENT_SETTLE,
    PLACEMENT_UNSETTLE,
    PLACEMENT_QUEUE_OUT, /* a page-out, or a discard */
    PLACEMENT_QUEUE_IN,
    PLACEMENT_QUEUE_DIRECT,
    PLACEMENT_FINISH,
    PLACEMENT_FORGET, /* a reset */
    PLACEMENT_FREE,
    PLACEMENT_EVENTS,
};

extern const struct vidmm_transition vidmm_placement_table[];
extern const uint32_t vidmm_placement_rows;

/* The state that the placement is in. */
enum placement_state vidmm_placement_state(const struct vidmm_placement *placement);
/* Whether the event may happen to it now; whether the state is one that it leaves. For
 * assertions. */
bool vidmm_placement_may(const struct vidmm_placement *placement, enum placement_event event);
bool vidmm_placement_did(const struct vidmm_placement *placement, enum placement_event event);
/* Name of a state, for people. Never NULL. */
const char *vidmm_placement_string(enum placement_state state);
/* Stop the program if the placement is not what its state says. */
void vidmm_placement_check_state(const struct vidmm_engine *engine,
                                 const struct vidmm_placement *placement);

#endif
