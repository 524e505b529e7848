/* move_table.c: what holds in each state of a move, and what leads from one to another.
 *
 * Invariants
 * T1. An idle page-out has no range of an eviction aperture, unless a reset has yet to tell the
 *     driver that it is gone.
 * T2. What is queued has been called in part at most; the unmap of an eviction aperture is due, not
 *     queued.
 * T3. What is built has no map of an eviction aperture before it any more.
 * T4. What is due is a page-out with a range of an eviction aperture, and its unmap comes next.
 * T5. A page-in never takes content away, a page-out never brings any; only a transfer refreshes or
 *     changes the order of the bytes, and only a map is behind a cleared backing store.
 */
#include "vidmm/engine/state/move_table.h"

#include <base/assert.h>

#include "vidmm/engine/state/standstill.h"

const struct vidmm_transition vidmm_move_table[] = {
    {MOVE_IDLE, MOVE_ENQUEUE, MOVE_QUEUED, "vidmm_move_enqueue"},
    {MOVE_QUEUED, MOVE_BUILD, MOVE_BUILT, "complete_build"},
    {MOVE_DUE, MOVE_BUILD, MOVE_BUILT, "complete_build"},
    {MOVE_BUILT, MOVE_MAKE_DUE, MOVE_DUE, "vidmm_move_make_due"},
    {MOVE_BUILT, MOVE_FINISH, MOVE_IDLE, "vidmm_move_finish"},
    {MOVE_IDLE, MOVE_FORGET, MOVE_IDLE, "forget"},
    {MOVE_QUEUED, MOVE_FORGET, MOVE_IDLE, "forget"},
    {MOVE_BUILT, MOVE_FORGET, MOVE_IDLE, "forget"},
    {MOVE_DUE, MOVE_FORGET, MOVE_IDLE, "forget"},
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
static bool is_legal(const struct vidmm_move *move)
{
    switch ((enum vidmm_paging_kind)move->operation) {
    case VIDMM_TRANSFER:
    case VIDMM_SPECIAL_LOCK_TRANSFER:
        return true;
    case VIDMM_DISCARD_CONTENT:
    case VIDMM_UNMAP_APERTURE_SEGMENT:
        return !move->inward;
    case VIDMM_FILL:
    case VIDMM_READ_PHYSICAL:
    case VIDMM_WRITE_PHYSICAL:
    case VIDMM_MAP_APERTURE_SEGMENT:
    case VIDMM_INIT_CONTEXT_RESOURCE:
        return move->inward;
    }
    return false;
}

static void check_flags(const struct vidmm_move *move)
{
    bool transfers =
        move->operation == VIDMM_TRANSFER || move->operation == VIDMM_SPECIAL_LOCK_TRANSFER;

    VIDMM_VERIFY(is_legal(move));                                                      /* T5 */
    VIDMM_VERIFY(!move->refresh || (move->inward && transfers));                       /* T5 */
    VIDMM_VERIFY(!move->swizzles || transfers);                                        /* T5 */
    VIDMM_VERIFY(!move->clear || move->operation == VIDMM_MAP_APERTURE_SEGMENT);       /* T5 */
    VIDMM_VERIFY(!move->initializes || move->operation == VIDMM_MAP_APERTURE_SEGMENT); /* T5 */
    VIDMM_VERIFY(!move->direct || !move->inward);
    VIDMM_VERIFY(move->step != STEP_INIT_CONTEXT || move->inward);
    VIDMM_VERIFY(move->step != STEP_MAP_EVICTION || !move->inward);
}

void vidmm_move_check_state(const struct vidmm_engine *engine, const struct vidmm_move *move)
{
    bool through = !move->inward && move->eviction_range != 0;

    check_flags(move);
    switch ((enum move_state)move->state) {
    case MOVE_IDLE:
        VIDMM_VERIFY(!through || vidmm_reset_rests(engine)); /* T1 */
        return;
    case MOVE_QUEUED:
        VIDMM_VERIFY(move->step != STEP_UNMAP_EVICTION); /* T2 */
        VIDMM_VERIFY(move->segment != 0);
        VIDMM_VERIFY(!through || move->operation == VIDMM_TRANSFER ||
                     move->operation == VIDMM_DISCARD_CONTENT);
        return;
    case MOVE_BUILT:
        VIDMM_VERIFY(move->step != STEP_MAP_EVICTION); /* T3 */
        VIDMM_VERIFY(move->step != STEP_UNMAP_EVICTION || !through);
        return;
    case MOVE_DUE:
        VIDMM_VERIFY(through && move->step == STEP_UNMAP_EVICTION); /* T4 */
        return;
    }
    VIDMM_VERIFY(move->state <= MOVE_DUE);
}
