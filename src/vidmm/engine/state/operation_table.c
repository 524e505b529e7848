/* operation_table.c: the facts that hold in each state of a paging operation, and the transitions
 * between states.
 *
 * Invariants
 * T6. A called operation is a step of a move, and stands in the open paging buffer.
 * T7. An operation that is called again belongs to the same move. AllocationIsIdle is asked for
 *     only with that.
 */
#include "vidmm/engine/state/operation_table.h"

#include <base/assert.h>

#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/placement_state.h"

const struct vidmm_transition vidmm_operation_table[] = {
    {OPERATION_NONE, OPERATION_HAND_OUT, OPERATION_CALLED, "hand_out"},
    {OPERATION_AGAIN, OPERATION_HAND_OUT, OPERATION_CALLED, "hand_out"},
    {OPERATION_AGAIN_IDLE, OPERATION_HAND_OUT, OPERATION_CALLED, "hand_out"},
    {OPERATION_CALLED, OPERATION_SUCCEED, OPERATION_NONE, "succeeded"},
    {OPERATION_CALLED, OPERATION_RUN_OUT, OPERATION_AGAIN, "ran_out"},
    {OPERATION_CALLED, OPERATION_RUN_OUT, OPERATION_AGAIN_IDLE, "ran_out"},
    {OPERATION_CALLED, OPERATION_BUSY, OPERATION_AGAIN_IDLE, "was_busy"},
    {OPERATION_NONE, OPERATION_FORGET, OPERATION_NONE, "vidmm_purge_begin"},
    {OPERATION_AGAIN, OPERATION_FORGET, OPERATION_NONE, "vidmm_purge_begin"},
    {OPERATION_AGAIN_IDLE, OPERATION_FORGET, OPERATION_NONE, "vidmm_purge_begin"},
};
const uint32_t vidmm_operation_rows =
    sizeof(vidmm_operation_table) / sizeof(vidmm_operation_table[0]);

enum operation_state vidmm_operation_state(const struct vidmm_engine *engine)
{
    if (engine->call == CALL_BUILD)
        return OPERATION_CALLED;
    if (!engine->call_again)
        return OPERATION_NONE;
    return engine->call_idle ? OPERATION_AGAIN_IDLE : OPERATION_AGAIN;
}

bool vidmm_operation_may(const struct vidmm_engine *engine, enum operation_event event)
{
    return vidmm_transition_to(vidmm_operation_table, vidmm_operation_rows,
                               vidmm_operation_state(engine), event) != VIDMM_NO_STATE;
}

bool vidmm_operation_did(const struct vidmm_engine *engine, enum operation_event event)
{
    return vidmm_transition_leaves(vidmm_operation_table, vidmm_operation_rows, event,
                                   vidmm_operation_state(engine));
}

const char *vidmm_operation_string(enum operation_state state)
{
    switch (state) {
    case OPERATION_NONE:
        return "none";
    case OPERATION_CALLED:
        return "called";
    case OPERATION_AGAIN:
        return "again";
    case OPERATION_AGAIN_IDLE:
        return "again, idle";
    case OPERATION_STATES:
        break;
    }
    return "unknown";
}

void vidmm_operation_check_state(const struct vidmm_engine *engine)
{
    bool again = engine->call_again;

    if (engine->stopped)
        return; /* failed work is left as it was */
    VIDMM_VERIFY(engine->call != CALL_BUILD || engine->open_buffer != 0); /* T6 */
    VIDMM_VERIFY(engine->call != CALL_BUILD || engine->call_move || engine->mmu->call.handed);
    VIDMM_VERIFY(!engine->call_idle || again); /* T7 */
    VIDMM_VERIFY(!again || engine->call_move); /* T7 */
    VIDMM_VERIFY(!again || !engine->call_move || engine->call_move->state == MOVE_QUEUED ||
                 engine->call_move->state == MOVE_DUE); /* T7 */
}
