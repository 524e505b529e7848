/* buffer_table.c: the facts that hold in each state of a paging buffer, and the transitions between
 * states.
 *
 * Invariants
 * T12. In a free buffer nothing is written, no move ends with it, and it waits for no fence.
 * T13. A move that ends with a buffer is built, as far as it goes before a fence.
 */
#include "vidmm/engine/state/buffer_table.h"

#include <base/assert.h>

const struct vidmm_transition vidmm_buffer_table[] = {
    {PAGING_BUFFER_FREE, PAGING_BUFFER_BEGIN, PAGING_BUFFER_OPEN, "vidmm_paging_open"},
    {PAGING_BUFFER_OPEN, PAGING_BUFFER_SUBMIT, PAGING_BUFFER_FLYING, "vidmm_paging_flush"},
    {PAGING_BUFFER_OPEN, PAGING_BUFFER_FOLLOW, PAGING_BUFFER_FLYING, "close_unwritten"},
    {PAGING_BUFFER_FLYING, PAGING_BUFFER_COMPLETE, PAGING_BUFFER_FREE, "vidmm_paging_complete"},
    {PAGING_BUFFER_FREE, PAGING_BUFFER_FORGET, PAGING_BUFFER_FREE, "vidmm_purge_begin"},
    {PAGING_BUFFER_OPEN, PAGING_BUFFER_FORGET, PAGING_BUFFER_FREE, "vidmm_purge_begin"},
    {PAGING_BUFFER_FLYING, PAGING_BUFFER_FORGET, PAGING_BUFFER_FREE, "vidmm_purge_begin"},
};
const uint32_t vidmm_buffer_rows = sizeof(vidmm_buffer_table) / sizeof(vidmm_buffer_table[0]);

void vidmm_buffer_change(struct vidmm_paging_buffer *buffer, enum paging_buffer_event event)
{
    uint32_t to = vidmm_transition_to(vidmm_buffer_table, vidmm_buffer_rows, buffer->state, event);

    VIDMM_ASSERT(event < PAGING_BUFFER_EVENTS);
    VIDMM_ASSERT(to != VIDMM_NO_STATE);
    buffer->state = (uint8_t)to;
}

const char *vidmm_buffer_string(enum paging_buffer_state state)
{
    switch (state) {
    case PAGING_BUFFER_FREE:
        return "free";
    case PAGING_BUFFER_OPEN:
        return "open";
    case PAGING_BUFFER_FLYING:
        return "flying";
    case PAGING_BUFFER_STATES:
        break;
    }
    return "unknown";
}

void vidmm_buffer_check_state(const struct vidmm_paging_buffer *buffer)
{
    const struct vidmm_move *move;

    VIDMM_VERIFY(buffer->state < PAGING_BUFFER_STATES);
    if (buffer->state == PAGING_BUFFER_FREE)
        VIDMM_VERIFY(!buffer->moves && buffer->written == 0 && buffer->wait_fence == 0 &&
                     !buffer->asked); /* T12 */
    for (move = buffer->moves; move; move = move->next)
        VIDMM_VERIFY(move->state == MOVE_BUILT); /* T13 */
}
