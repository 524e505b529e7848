/* placement_table.c: the facts that hold in each state of a placement, and the transitions between
 * states.
 *
 *                 given       at                            its moves
 *      out        nowhere     nowhere, system               none
 *      promised   a segment   nowhere, system               a page-out at most
 *      coming     a segment   as given                      a page-in
 *      resident   a segment   as given                      no page-in
 *      leaving    any         a segment, and not as given   no page-out
 *      going      nowhere     nowhere, system               one at least
 *
 * The bits of a placement are no states of it:
 *
 *      buffer, reads, context_allocation, shared    what it is, from its creation to its burial
 *      dying                                        its owner's word; all states go on below it
 *      leaving, on_dying                            that it stands in a list; by the first of them
 *                                                   the state leaving is known
 *      held, kept                                   that the work whose turn it is needs it (W3)
 *      marked, chosen                               notes of one decision, clear outside of it (R1)
 *      dirty, lost, posted, unswizzled, away        facts about its bytes: the copies that differ,
 *                                                   what a bridge holds back, their order
 *      apart, alternate, purged, unswizzles         facts about its locks, whatever their state
 *
 * Invariants
 * T8. A place says of its segment what it is: an aperture shows the backing store, a memory segment
 *     has the content and nothing else has it.
 * T9. When a step ends nothing is leaving: its moves are queued.
 */
#include "vidmm/engine/state/placement_table.h"

#include <base/assert.h>

#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/standstill.h"

const struct vidmm_transition vidmm_placement_table[] = {
    {PLACEMENT_OUT, PLACEMENT_SETTLE, PLACEMENT_PROMISED, "vidmm_placement_settle"},
    {PLACEMENT_GOING, PLACEMENT_SETTLE, PLACEMENT_PROMISED, "vidmm_placement_settle"},
    {PLACEMENT_LEAVING, PLACEMENT_SETTLE, PLACEMENT_LEAVING, "vidmm_placement_settle"},
    {PLACEMENT_PROMISED, PLACEMENT_UNSETTLE, PLACEMENT_OUT, "vidmm_placement_unsettle"},
    {PLACEMENT_PROMISED, PLACEMENT_UNSETTLE, PLACEMENT_GOING, "vidmm_placement_unsettle"},
    {PLACEMENT_COMING, PLACEMENT_UNSETTLE, PLACEMENT_LEAVING, "vidmm_placement_unsettle"},
    {PLACEMENT_RESIDENT, PLACEMENT_UNSETTLE, PLACEMENT_LEAVING, "vidmm_placement_unsettle"},
    {PLACEMENT_LEAVING, PLACEMENT_UNSETTLE, PLACEMENT_LEAVING, "vidmm_placement_unsettle"},
    {PLACEMENT_LEAVING, PLACEMENT_QUEUE_OUT, PLACEMENT_GOING, "vidmm_move_queue_out"},
    {PLACEMENT_LEAVING, PLACEMENT_QUEUE_OUT, PLACEMENT_PROMISED, "vidmm_move_queue_out"},
    {PLACEMENT_COMING, PLACEMENT_QUEUE_OUT, PLACEMENT_PROMISED, "vidmm_move_queue_out"},
    {PLACEMENT_RESIDENT, PLACEMENT_QUEUE_OUT, PLACEMENT_PROMISED, "vidmm_move_queue_out"},
    {PLACEMENT_OUT, PLACEMENT_QUEUE_OUT, PLACEMENT_GOING, "vidmm_segment_read_event"},
    {PLACEMENT_OUT, PLACEMENT_QUEUE_OUT, PLACEMENT_GOING, "vidmm_fence_signal_begin"},
    {PLACEMENT_PROMISED, PLACEMENT_QUEUE_IN, PLACEMENT_COMING, "vidmm_move_queue_in"},
    {PLACEMENT_RESIDENT, PLACEMENT_QUEUE_IN, PLACEMENT_COMING, "vidmm_move_queue_refresh"},
    {PLACEMENT_RESIDENT, PLACEMENT_QUEUE_IN, PLACEMENT_COMING, "vidmm_posted_push"},
    {PLACEMENT_LEAVING, PLACEMENT_QUEUE_DIRECT, PLACEMENT_COMING, "vidmm_move_queue_direct"},
    {PLACEMENT_COMING, PLACEMENT_FINISH, PLACEMENT_RESIDENT, "vidmm_move_finish"},
    {PLACEMENT_COMING, PLACEMENT_FINISH, PLACEMENT_COMING, "vidmm_move_finish"},
    {PLACEMENT_RESIDENT, PLACEMENT_FINISH, PLACEMENT_RESIDENT, "vidmm_move_finish"},
    {PLACEMENT_RESIDENT, PLACEMENT_FINISH, PLACEMENT_COMING, "vidmm_move_finish"},
    {PLACEMENT_PROMISED, PLACEMENT_FINISH, PLACEMENT_PROMISED, "vidmm_move_finish"},
    {PLACEMENT_GOING, PLACEMENT_FINISH, PLACEMENT_GOING, "vidmm_move_finish"},
    {PLACEMENT_GOING, PLACEMENT_FINISH, PLACEMENT_OUT, "vidmm_move_finish"},
    {PLACEMENT_OUT, PLACEMENT_FORGET, PLACEMENT_OUT, "leave"},
    {PLACEMENT_PROMISED, PLACEMENT_FORGET, PLACEMENT_PROMISED, "leave"},
    {PLACEMENT_COMING, PLACEMENT_FORGET, PLACEMENT_PROMISED, "leave"},
    {PLACEMENT_RESIDENT, PLACEMENT_FORGET, PLACEMENT_PROMISED, "leave"},
    {PLACEMENT_GOING, PLACEMENT_FORGET, PLACEMENT_GOING, "leave"},
    {PLACEMENT_GOING, PLACEMENT_FORGET, PLACEMENT_OUT, "leave"},
    {PLACEMENT_OUT, PLACEMENT_FREE, PLACEMENT_OUT, "vidmm_placement_free"},
    {PLACEMENT_LEAVING, PLACEMENT_FREE, PLACEMENT_OUT, "vidmm_placement_free"},
};
const uint32_t vidmm_placement_rows =
    sizeof(vidmm_placement_table) / sizeof(vidmm_placement_table[0]);

enum placement_state vidmm_placement_state(const struct vidmm_placement *placement)
{
    bool moves = !vidmm_placement_is_still(placement);

    if (!vidmm_place_is_segment(&placement->at) && !placement->leaving &&
        vidmm_placement_has_range(placement))
        return PLACEMENT_PROMISED;
    if (!vidmm_place_is_segment(&placement->at) && !placement->leaving)
        return moves ? PLACEMENT_GOING : PLACEMENT_OUT;
    if (placement->leaving || !vidmm_placement_is_settled(placement))
        return PLACEMENT_LEAVING;
    return placement->moves->in.state == MOVE_IDLE ? PLACEMENT_RESIDENT : PLACEMENT_COMING;
}

bool vidmm_placement_may(const struct vidmm_placement *placement, enum placement_event event)
{
    return vidmm_transition_to(vidmm_placement_table, vidmm_placement_rows,
                               vidmm_placement_state(placement), event) != VIDMM_NO_STATE;
}

bool vidmm_placement_did(const struct vidmm_placement *placement, enum placement_event event)
{
    return vidmm_transition_leaves(vidmm_placement_table, vidmm_placement_rows, event,
                                   vidmm_placement_state(placement));
}

const char *vidmm_placement_string(enum placement_state state)
{
    switch (state) {
    case PLACEMENT_OUT:
        return "out";
    case PLACEMENT_PROMISED:
        return "promised";
    case PLACEMENT_COMING:
        return "coming";
    case PLACEMENT_RESIDENT:
        return "resident";
    case PLACEMENT_LEAVING:
        return "leaving";
    case PLACEMENT_GOING:
        return "going";
    case PLACEMENT_STATES:
        break;
    }
    return "unknown";
}

/* Check the segment that has the content. */
static void check_in_place(const struct vidmm_engine *engine,
                           const struct vidmm_placement *placement)
{
    VIDMM_VERIFY(vidmm_placement_is_settled(placement));
    VIDMM_VERIFY(placement->at.aperture ==
                 vidmm_segment_is_aperture(engine, placement->at.segment)); /* T8 */
    VIDMM_VERIFY(!placement->purged);
}

void vidmm_placement_check_state(const struct vidmm_engine *engine,
                                 const struct vidmm_placement *placement)
{
    switch (vidmm_placement_state(placement)) {
    case PLACEMENT_OUT:
        VIDMM_VERIFY(!vidmm_placement_is_open(placement));
        return;
    case PLACEMENT_PROMISED:
        VIDMM_VERIFY(placement->moves->in.state == MOVE_IDLE || vidmm_reset_rests(engine));
        VIDMM_VERIFY(!vidmm_placement_is_open(placement));
        return;
    case PLACEMENT_COMING:
        check_in_place(engine, placement);
        VIDMM_VERIFY(vidmm_place_is_same(&placement->moves->in.place, &placement->at));
        return;
    case PLACEMENT_RESIDENT:
        check_in_place(engine, placement);
        return;
    case PLACEMENT_GOING:
        VIDMM_VERIFY(!vidmm_placement_is_open(placement));
        return;
    case PLACEMENT_LEAVING:
    case PLACEMENT_STATES:
        break;
    }
    VIDMM_VERIFY(engine->stopped); /* T9 */
}
