/* paging_buffer.c: the paging buffers, from the first operation to their fence.
 *
 *      free --> open [map|transfer|...] --> flying: submitted --------------> free
 *                                     '---> flying behind the one before: nothing was written
 *
 * The system's context runs them, on the paging node. Page tables may be written by a companion
 * context instead (companion.h), on a node that the driver has named. Its buffers are in one order
 * with all others all the same: none is submitted while some are in flight on another node.
 *
 * Invariants (M2 is in paging.c, AC1 and AC2 are in companion.c)
 * M4. A buffer is reused after its fence, never before.
 * AC6. All that is in one paging buffer is run by one context. Paging is in flight on one node at a
 *      time, so buffers are executed in the order in which they were opened.
 */
#include "vidmm/engine/carry/paging_buffer.h"

#include <base/assert.h>
#include <vidmm/plan.h>

#include "vidmm/engine/carry/table_tell.h"
#include "vidmm/engine/state/buffer_table.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/standstill.h"

void vidmm_paging_complete(struct vidmm_engine *engine, struct vidmm_paging_buffer *buffer)
{
    VIDMM_ASSERT(buffer->state == PAGING_BUFFER_FLYING);
    while (buffer->moves) {
        struct vidmm_move *move = buffer->moves;

        buffer->moves = move->next;
        move->next = engine->finished;
        engine->finished = move;
    }
    if (buffer->number > engine->mmu->completed)
        engine->mmu->completed = buffer->number;
    engine->arrivals_may_go = true;
    buffer->written = 0;
    buffer->wait_fence = 0;
    buffer->asked = false;
    buffer->companion = (struct vidmm_companion){.context = 0};
    vidmm_buffer_change(buffer, PAGING_BUFFER_COMPLETE); /* M4 */
}

static struct vidmm_paging_buffer *open_buffer(struct vidmm_engine *engine)
{
    return &engine->paging_buffers[engine->open_buffer];
}

/* The node that runs a paging buffer. */
static uint32_t node_of(const struct vidmm_engine *engine, const struct vidmm_paging_buffer *buffer)
{
    return buffer->companion.context != 0 ? buffer->companion.node : engine->config.paging_node;
}

/* Open a fresh buffer: the one that has rested longest. */
static enum vidmm_progress open_fresh(struct vidmm_engine *engine,
                                      const struct vidmm_companion *companion)
{
    uint32_t tried;

    for (tried = 0; tried < engine->paging_count; tried++) {
        uint32_t id = engine->paging_first + (engine->paging_next + tried) % engine->paging_count;

        if (engine->paging_buffers[id].state == PAGING_BUFFER_FREE) { /* M4 */
            engine->paging_next = (id - engine->paging_first + 1) % engine->paging_count;
            vidmm_buffer_change(&engine->paging_buffers[id], PAGING_BUFFER_BEGIN);
            engine->paging_buffers[id].wait_fence = engine->owed_wait;
            engine->paging_buffers[id].number = ++engine->mmu->opened;
            if (companion)
                engine->paging_buffers[id].companion = *companion;
            engine->owed_wait = 0;
            engine->open_buffer = id;
            return PROGRESS_IDLE;
        }
    }
    return PROGRESS_WAIT;
}

enum vidmm_progress vidmm_paging_open(struct vidmm_engine *engine,
                                      const struct vidmm_companion *companion)
{
    uint32_t context = companion ? companion->context : 0;

    if (engine->open_buffer != 0 && open_buffer(engine)->companion.context != context) {
        enum vidmm_progress progress = vidmm_paging_flush(engine); /* AC6 */

        if (progress != PROGRESS_IDLE)
            return progress;
    }
    return engine->open_buffer != 0 ? PROGRESS_IDLE /* obeys S4-057 */
                                    : open_fresh(engine, companion);
}

/* Nothing was written: the driver did its work in the calls. It ends with what is before it. */
static void close_unwritten(struct vidmm_engine *engine, struct vidmm_paging_buffer *buffer)
{
    VIDMM_ASSERT(buffer->state == PAGING_BUFFER_OPEN);
    engine->open_buffer = 0;
    engine->owed_wait = buffer->wait_fence; /* the next operations may use the places vacated */
    vidmm_buffer_change(buffer, PAGING_BUFFER_FOLLOW);
    if (!vidmm_timeline_follow(&engine->nodes[node_of(engine, buffer)].timeline, &buffer->flight))
        vidmm_paging_complete(engine, buffer);
}

/* Whether whatever uses the places that the buffer vacates has ended. On its own node
 * order sees to it, unless a preemption or the reset of an engine may change the order (preempt.c),
 * or the GPU of a link that is ahead would write a backing store that another has yet to read. */
static bool uses_are_over(const struct vidmm_engine *engine,
                          const struct vidmm_paging_buffer *buffer)
{
    bool unordered =
        engine->config.preemption || engine->config.per_engine_reset || engine->config.linked;
    uint32_t but = unordered ? VIDMM_NODES : node_of(engine, buffer);

    return vidmm_fence_passed_elsewhere(engine, buffer->wait_fence, but);
}

bool vidmm_paging_flies(const struct vidmm_engine *engine, uint32_t but)
{
    uint32_t node;

    for (node = 0; node < engine->config.node_count; node++) {
        const struct vidmm_flight *flight = engine->nodes[node].timeline.flights.first;

        while (flight && !flight->paging)
            flight = flight->next;
        if (flight && node != but)
            return true;
    }
    return false;
}

/* Tell of the root of what runs the buffer, if that has one that the engine writes. */
static void tell_root(struct vidmm_engine *engine, const struct vidmm_paging_buffer *buffer)
{
    const struct vidmm_process *process =
        buffer->companion.context != 0 ? vidmm_process_find(engine, buffer->companion.process)
                                       : engine->mmu->paging;

    if (process && (buffer->companion.context != 0 || vidmm_process_is_told(engine, process)))
        vidmm_root_tell(engine, process);
}

enum vidmm_progress vidmm_paging_flush(struct vidmm_engine *engine)
{
    struct vidmm_paging_buffer *buffer = open_buffer(engine);
    uint32_t node = node_of(engine, buffer);

    if (engine->open_buffer == 0)
        return PROGRESS_IDLE;
    if (vidmm_paging_flies(engine, node))
        return PROGRESS_WAIT; /* AC6 */
    if (buffer->written == 0 && !(engine->config.submit_empty && buffer->moves && buffer->asked)) {
        close_unwritten(engine, buffer);
        return PROGRESS_IDLE;
    }
    if (!vidmm_fence_room(engine, node) || !vidmm_plan_has_room(engine) ||
        !uses_are_over(engine, buffer) || vidmm_recovery_blocks(engine, node))
        return PROGRESS_WAIT;
    vidmm_fence_submit(engine, &buffer->flight, node);
    vidmm_context_page(engine, node);
    vidmm_buffer_change(buffer, PAGING_BUFFER_SUBMIT);
    engine->statistics.paging_buffers++;
    vidmm_paging_tell(engine, buffer);
    engine->open_buffer = 0;
    engine->call = CALL_SUBMIT_PAGING;
    return PROGRESS_CALL;
}

struct vidmm_operation *vidmm_paging_tell(struct vidmm_engine *engine,
                                          const struct vidmm_paging_buffer *buffer)
{
    struct vidmm_operation *submit;

    tell_root(engine, buffer);
    submit = vidmm_emit(engine, VIDMM_DO_SUBMIT_PAGING);
    submit->submit_paging.paging_buffer = (uint32_t)(buffer - engine->paging_buffers);
    submit->submit_paging.fence = (uint32_t)buffer->flight.fence;
    submit->submit_paging.node = node_of(engine, buffer);
    submit->submit_paging.context = buffer->companion.context;
    return submit;
}

void vidmm_paging_wait_for(struct vidmm_engine *engine, uint64_t fence)
{
    struct vidmm_paging_buffer *buffer = open_buffer(engine);

    VIDMM_ASSERT(engine->open_buffer != 0);
    buffer->wait_fence = fence > buffer->wait_fence ? fence : buffer->wait_fence;
}
