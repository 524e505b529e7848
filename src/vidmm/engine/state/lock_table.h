/* lock_table.h: the users that may reach a placement's place in a memory segment: the states of a
 * lock.
 *
 *                   GRANT, SHOW                   REFUSE
 *      closed -------------------------> open ---------------> refused
 *       ^  ^  ^                          | | ^                    |  |
 *       |  |  '-------- CLOSE -----------' | '----- UNLOCK -------'  | STRAND
 *       |  |                               | FOLLOW                  v
 *       |  '--- FORGET --- followed <------'                      stranded
 *       '--------------------------- UNLOCK -------------------------'
 *
 *     closed     the client grants no lock by itself: the place may change
 *     open       the client may grant locks to the place without asking
 *     refused    a claim failed: a lock is held, and its address cannot follow
 *     followed   locks are held by addresses that wait for VIDMM_DO_SHOW
 *     stranded   refused, and a reset took the content: the pointer leads to the range all the same
 *
 * With explicit residency a backing store that is lent (reach.h) is claimed before a memory segment
 * gets it, too: FOLLOW leads from closed to followed then.
 *
 * claim.c says why a place is claimed.
 */
#ifndef VIDMM_ENGINE_STATE_LOCK_TABLE_H
#define VIDMM_ENGINE_STATE_LOCK_TABLE_H

#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/transition.h"

struct vidmm_engine;
struct vidmm_placement;

enum lock_event {
    LOCK_GRANT,
    LOCK_SHOW,
    LOCK_CLOSE,  /* a claim: no lock is held */
    LOCK_REFUSE, /* a claim: one is held */
    LOCK_FOLLOW, /* a claim: the addresses follow */
    LOCK_FORGET,
    LOCK_UNLOCK,
    LOCK_STRAND, /* a reset */
    LOCK_EVENTS,
};

extern const struct vidmm_transition vidmm_lock_table[];
extern const uint32_t vidmm_lock_rows;

/* Bring it into the state that the event leads to. It is one that the table has. The list of those
 * that are followed is the caller's. */
void vidmm_lock_change(struct vidmm_engine *engine, struct vidmm_placement *placement,
                       enum lock_event event);
/* Name of a state, for people. Never NULL. */
const char *vidmm_lock_string(enum lock_state state);
/* Stop the program if the placement is not what its state says. */
void vidmm_lock_check_state(const struct vidmm_placement *placement);

#endif
