/* lock_table.c: the facts that hold in each state of a lock, and the transitions between states.
 *
 *                 the client may grant   a claim failed   addresses wait for SHOW
 *      closed     -                      -                -
 *      open       x                      -                -
 *      refused    x                      x                -
 *      followed   -                      -                x
 *      stranded   -                      x                -
 *
 * claim.c has the invariants L1, L3 and L4.
 */
#include "vidmm/engine/state/lock_table.h"

#include <base/assert.h>

#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"

const struct vidmm_transition vidmm_lock_table[] = {
    {LOCK_CLOSED, LOCK_GRANT, LOCK_OPEN, "answer"},
    {LOCK_OPEN, LOCK_GRANT, LOCK_OPEN, "answer"},
    {LOCK_REFUSED, LOCK_GRANT, LOCK_REFUSED, "answer"},
    {LOCK_STRANDED, LOCK_GRANT, LOCK_REFUSED, "answer"},
    {LOCK_CLOSED, LOCK_SHOW, LOCK_OPEN, "vidmm_show"},
    {LOCK_OPEN, LOCK_CLOSE, LOCK_CLOSED, "vidmm_claim_answered"},
    {LOCK_OPEN, LOCK_REFUSE, LOCK_REFUSED, "vidmm_claim_answered"},
    {LOCK_OPEN, LOCK_FOLLOW, LOCK_FOLLOWED, "vidmm_claim_answered"},
    {LOCK_CLOSED, LOCK_FOLLOW, LOCK_FOLLOWED, "vidmm_claim_answered"},
    {LOCK_FOLLOWED, LOCK_FORGET, LOCK_CLOSED, "vidmm_claim_forget"},
    {LOCK_REFUSED, LOCK_UNLOCK, LOCK_OPEN, "vidmm_lock_unlocked"},
    {LOCK_STRANDED, LOCK_UNLOCK, LOCK_CLOSED, "vidmm_lock_unlocked"},
    {LOCK_OPEN, LOCK_CLOSE, LOCK_CLOSED, "vidmm_swizzling_unlock"},
    {LOCK_CLOSED, LOCK_CLOSE, LOCK_CLOSED, "vidmm_swizzling_unlock"},
    {LOCK_FOLLOWED, LOCK_CLOSE, LOCK_FOLLOWED, "vidmm_swizzling_unlock"},
    {LOCK_CLOSED, LOCK_STRAND, LOCK_CLOSED, "leave"},
    {LOCK_OPEN, LOCK_STRAND, LOCK_CLOSED, "leave"},
    {LOCK_REFUSED, LOCK_STRAND, LOCK_STRANDED, "leave"},
    {LOCK_FOLLOWED, LOCK_STRAND, LOCK_FOLLOWED, "leave"},
    {LOCK_STRANDED, LOCK_STRAND, LOCK_STRANDED, "leave"},
};
const uint32_t vidmm_lock_rows = sizeof(vidmm_lock_table) / sizeof(vidmm_lock_table[0]);

void vidmm_lock_change(struct vidmm_engine *engine, struct vidmm_placement *placement,
                       enum lock_event event)
{
    uint32_t to = vidmm_transition_to(vidmm_lock_table, vidmm_lock_rows, placement->lock, event);
    bool locked = vidmm_placement_is_locked(placement);

    VIDMM_ASSERT(event < LOCK_EVENTS);
    VIDMM_ASSERT(to != VIDMM_NO_STATE);
    placement->lock = (uint8_t)to;
    engine->locked +=
        (vidmm_placement_is_locked(placement) ? 1u : 0u) - (locked ? 1u : 0u); /* L4 */
}

const char *vidmm_lock_string(enum lock_state state)
{
    switch (state) {
    case LOCK_CLOSED:
        return "closed";
    case LOCK_OPEN:
        return "open";
    case LOCK_REFUSED:
        return "refused";
    case LOCK_FOLLOWED:
        return "followed";
    case LOCK_STRANDED:
        return "stranded";
    case LOCK_STATES:
        break;
    }
    return "unknown";
}

void vidmm_lock_check_state(const struct vidmm_placement *placement)
{
    VIDMM_VERIFY(placement->lock < LOCK_STATES);
    VIDMM_VERIFY(!placement->purged || vidmm_placement_is_locked(placement));
    VIDMM_VERIFY(!placement->buffer || placement->lock == LOCK_CLOSED);
    VIDMM_VERIFY(!vidmm_placement_is_open(placement) ||
                 vidmm_place_is_in(&placement->at, placement->given.segment)); /* L1 */
    VIDMM_VERIFY(!vidmm_placement_is_open(placement) || vidmm_place_is_memory(&placement->at));
    VIDMM_VERIFY(placement->lock_range == 0 || placement->ranges > 0);
    VIDMM_VERIFY(!placement->alternate || placement->lock_range != 0);
}
