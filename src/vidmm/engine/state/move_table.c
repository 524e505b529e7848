/* move_table.c: the facts that hold in each state of a move, and the transitions between states.
 *
 * Invariants
 * T1. An idle page-out has no place in an eviction aperture, unless a reset has yet to tell the
 *     driver that it is gone.
 * T2. A queued move has been called in part at most; the unmap of an eviction aperture is due, not
 *     queued.
 * T3. A built move has no map of an eviction aperture before it any more.
 * T4. A due move is a page-out with a place in an eviction aperture, and its unmap comes next.
 * T5. A page-in never takes content away, a page-out never brings any: each has a list of its own
 *     direction. Only a transfer changes the order of the bytes, only one inside a segment has a
 *     place where it comes from.
 */
#include "vidmm/engine/state/move_table.h"

#include <base/assert.h>

#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/standstill.h"

const struct vidmm_transition vidmm_move_table[] = {
    {MOVE_IDLE, MOVE_ENQUEUE, MOVE_QUEUED, "vidmm_move_enqueue"},
    {MOVE_QUEUED, MOVE_BUILD, MOVE_BUILT, "complete_build"},
    {MOVE_DUE, MOVE_BUILD, MOVE_BUILT, "complete_build"},
    {MOVE_BUILT, MOVE_MAKE_DUE, MOVE_DUE, "vidmm_move_make_due"},
    {MOVE_BUILT, MOVE_FINISH, MOVE_IDLE, "vidmm_move_finish"},
    {MOVE_IDLE, MOVE_FORGET, MOVE_IDLE, "leave"},
    {MOVE_QUEUED, MOVE_FORGET, MOVE_IDLE, "leave"},
    {MOVE_BUILT, MOVE_FORGET, MOVE_IDLE, "leave"},
    {MOVE_DUE, MOVE_FORGET, MOVE_IDLE, "leave"},
    {MOVE_QUEUED, MOVE_TELL, MOVE_IDLE, "complete_build"},
};
const uint32_t vidmm_move_rows = sizeof(vidmm_move_table) / sizeof(vidmm_move_table[0]);

void vidmm_move_change(struct vidmm_move *move, enum move_event event)
{
    uint32_t to = vidmm_transition_to(vidmm_move_table, vidmm_move_rows, move->state, event);

    VIDMM_ASSERT(event < MOVE_EVENTS);
    VIDMM_ASSERT(to != VIDMM_NO_STATE);
    move->state = (uint8_t)to;
}

const char *vidmm_move_string(enum move_state state)
{
    switch (state) {
    case MOVE_IDLE:
        return "idle";
    case MOVE_QUEUED:
        return "queued";
    case MOVE_BUILT:
        return "built";
    case MOVE_DUE:
        return "due";
    }
    return "unknown";
}

/* T5 */
static void check_list(const struct vidmm_move *move)
{
    const struct vidmm_move_list *list = vidmm_move_list(move);
    const struct vidmm_move_step *step = vidmm_move_step(move);
    bool through = move->list == LIST_OUT_THROUGH;

    VIDMM_VERIFY(list->inward == move->inward || move->list == LIST_NONE);
    VIDMM_VERIFY(step->kind != STEP_NONE || move->list == LIST_NONE);
    VIDMM_VERIFY(!move->swizzles || vidmm_step_transfers(step) || through);
    VIDMM_VERIFY(!move->inward ||
                 (move->list == LIST_DIRECT) == vidmm_place_is_segment(&move->source) ||
                 move->state == MOVE_IDLE);
}

void vidmm_move_check_state(const struct vidmm_engine *engine, const struct vidmm_move *move)
{
    bool through = vidmm_move_has_passage(move);
    bool behind = (vidmm_move_step(move)->flags & STEP_AFTER_FENCE) != 0;

    check_list(move);
    switch ((enum move_state)move->state) {
    case MOVE_IDLE:
        VIDMM_VERIFY(!through || vidmm_reset_rests(engine)); /* T1 */
        return;
    case MOVE_QUEUED:
        VIDMM_VERIFY(!behind); /* T2 */
        VIDMM_VERIFY(vidmm_place_is_segment(&move->place) || move->list == LIST_SIGNAL_FENCE);
        VIDMM_VERIFY(move->place.range == 0);
        VIDMM_VERIFY(!through || move->list == LIST_OUT_THROUGH || vidmm_reset_rests(engine));
        return;
    case MOVE_BUILT:
        VIDMM_VERIFY(!through || move->step > 0); /* T3 */
        VIDMM_VERIFY(!behind || !through);
        return;
    case MOVE_DUE:
        VIDMM_VERIFY(through && behind); /* T4 */
        return;
    }
    VIDMM_VERIFY(move->state <= MOVE_DUE);
}
