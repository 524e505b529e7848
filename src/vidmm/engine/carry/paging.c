/* paging.c: moves, the paging buffers that carry them, and the call protocol of BuildPagingBuffer.
 *
 *   unmaps: out(x) ...                   always first: they wait for nothing that is queued
 *   queue:  out(b) out(d) in(a) ...      the first is built, one call at a time
 *              |
 *              v                                        submit           fence
 *      open paging buffer [map|transfer|...]  --------------------> flying -----> free
 *
 *   a call answers   SUCCESS       next step of the move, or the next move
 *                    INSUFFICIENT  submit what was written, take a fresh buffer, call again with
 *                                  MultipassOffset untouched (S4-012, S4-013, S4-016)
 *                    BUSY          wait until no packet in flight names the allocation, call again
 *                                  with AllocationIsIdle (S4-024, S4-033)
 *                    else          the adapter is at its end (S4-002, S4-003)
 *
 * When a step takes effect decides what it waits for. Transfer, Fill and Discard take effect when
 * executed: packets of the paging node come before by order, those of other nodes are waited for
 * before the buffer is submitted. Map and Unmap may take effect inside the call: whatever uses the
 * range has ended before the call. So a page-out through an aperture is
 *
 *      map, transfer, (submit, fence,) unmap
 *
 * and the unmap is never in the buffer of its transfer.
 *
 * Invariants (M1 is in move.c)
 * M2. At most one paging buffer is open. Its moves are those completed by calls into it.
 * M3. Between TransferStart and TransferEnd of one move no other transfer is handed out (S4-020).
 * M4. A buffer is reused after its fence, never before.
 * M5. Of a SynchronousPaging placement nothing is built before all that was submitted for it has
 *     ended, and no DMA buffer is submitted until its moves have (S0-050, S0-051).
 */
#include "vidmm/engine/carry/paging.h"

#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/carry/posted.h"
#include "vidmm/engine/carry/switch.h"
#include "vidmm/engine/carry/swizzling_range.h"
#include "vidmm/engine/decide/exception.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/state/move_table.h"
#include "vidmm/engine/state/operation_table.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/refreshes.h"
#include "vidmm/engine/state/standstill.h"
#include "vidmm/engine/state/swizzle.h"
#include "vidmm/engine/state/wish.h"
#include "wddm/rule.h"

/* ---- paging buffers -------------------------------------------------------------------------- */

void vidmm_paging_complete(struct vidmm_engine *engine, struct vidmm_paging_buffer *buffer)
{
    VIDMM_ASSERT(buffer->state == PAGING_BUFFER_FLYING);
    while (buffer->moves) {
        struct vidmm_move *move = buffer->moves;

        buffer->moves = move->next;
        move->next = engine->finished;
        engine->finished = move;
    }
    buffer->written = 0;
    buffer->wait_fence = 0;
    buffer->asked = false;
    buffer->state = PAGING_BUFFER_FREE; /* M4 */
}

static struct vidmm_paging_buffer *open_buffer(struct vidmm_engine *engine)
{
    return &engine->paging_buffers[engine->open_buffer];
}

/* Open a fresh buffer if none is open: the one that has rested longest. False: all are in
 * flight. */
static bool ensure_open(struct vidmm_engine *engine)
{
    uint32_t tried;

    if (engine->open_buffer != 0)
        return true;
    for (tried = 0; tried < engine->paging_count; tried++) {
        uint32_t id = engine->paging_first + (engine->paging_next + tried) % engine->paging_count;

        if (engine->paging_buffers[id].state == PAGING_BUFFER_FREE) { /* M4 */
            engine->paging_next = (id - engine->paging_first + 1) % engine->paging_count;
            engine->paging_buffers[id].state = PAGING_BUFFER_OPEN;
            engine->paging_buffers[id].wait_fence = engine->owed_wait;
            engine->owed_wait = 0;
            engine->open_buffer = id;
            return true;
        }
    }
    return false;
}

/* Nothing was written: what the driver did, it did in the calls. It ends with what is before it. */
static void close_unwritten(struct vidmm_engine *engine, struct vidmm_paging_buffer *buffer)
{
    VIDMM_ASSERT(buffer->state == PAGING_BUFFER_OPEN);
    engine->open_buffer = 0;
    engine->owed_wait = buffer->wait_fence; /* what is built next may use the places vacated */
    buffer->state = PAGING_BUFFER_FLYING;
    if (!vidmm_fence_follow(engine, &buffer->flight, engine->config.paging_node))
        vidmm_paging_complete(engine, buffer);
}

/* Whether whatever uses the places that the buffer vacates has ended. On the paging node itself
 * order sees to it, unless a preemption may change the order (preempt.c), or the GPU of a link that
 * is ahead would write a backing store that another has yet to read. */
static bool uses_are_over(const struct vidmm_engine *engine,
                          const struct vidmm_paging_buffer *buffer)
{
    bool unordered = engine->config.preemption || engine->config.linked;
    uint32_t but = unordered ? VIDMM_NODES : engine->config.paging_node;

    return vidmm_fence_passed_elsewhere(engine, buffer->wait_fence, but);
}

enum vidmm_progress vidmm_paging_flush(struct vidmm_engine *engine)
{
    struct vidmm_paging_buffer *buffer = open_buffer(engine);
    struct vidmm_operation *submit;

    if (engine->open_buffer == 0)
        return PROGRESS_IDLE;
    if (buffer->written == 0 && !(engine->config.submit_empty && buffer->moves && buffer->asked)) {
        close_unwritten(engine, buffer);
        return PROGRESS_IDLE;
    }
    if (!vidmm_fence_room(engine) || !vidmm_plan_has_room(engine) ||
        !uses_are_over(engine, buffer) || vidmm_recovery_blocks(engine, engine->config.paging_node))
        return PROGRESS_WAIT;
    vidmm_fence_submit(engine, &buffer->flight, engine->config.paging_node);
    vidmm_context_page(engine);
    buffer->state = PAGING_BUFFER_FLYING;
    engine->statistics.paging_buffers++;
    submit = vidmm_emit(engine, VIDMM_DO_SUBMIT_PAGING);
    submit->submit_paging.paging_buffer = engine->open_buffer;
    submit->submit_paging.fence = (uint32_t)buffer->flight.fence;
    engine->open_buffer = 0;
    engine->call = CALL_SUBMIT_PAGING;
    return PROGRESS_CALL;
}

/* ---- building -------------------------------------------------------------------------------- */

static bool is_transfer(const struct vidmm_move *move)
{
    return move->step == STEP_CONTENT &&
           (move->operation == VIDMM_TRANSFER || move->operation == VIDMM_SPECIAL_LOCK_TRANSFER);
}

static bool is_special(const struct vidmm_move *move)
{
    return move->step == STEP_CONTENT && move->operation == VIDMM_SPECIAL_LOCK_TRANSFER;
}

static bool is_refresh(const struct vidmm_move *move)
{
    return move->inward && move->refresh;
}

/* Bytes of the operation: of the backing store, or of the range where that alone is meant. In a
 * segment with PitchAlignment they differ, and the driver reconciles them (D-037). */
static uint64_t whole_size(const struct vidmm_engine *engine, const struct vidmm_move *move)
{
    const struct vidmm_placement *placement = vidmm_move_owner(move);

    if (is_refresh(move))
        return (uint64_t)placement->refreshes->first.count * VIDMM_PAGE_SIZE; /* obeys D-154 */
    if (vidmm_posted_moves(move))
        return 0; /* the driver chooses 1 to 8 bytes */
    if (is_special(move))
        return (uint64_t)placement->alternate_pages * VIDMM_PAGE_SIZE;
    return move->step == STEP_CONTENT && vidmm_move_makes_content(move)
               ? vidmm_wish_size_in(engine, &placement->wish, move->segment)
               : placement->wish.size;
}

/* Bytes of the next sub-transfer. */
static uint64_t piece(const struct vidmm_engine *engine, const struct vidmm_move *move,
                      uint64_t size)
{
    uint64_t split = engine->config.split_transfer_size;
    uint64_t left = size - move->progress;

    VIDMM_ASSERT(move->progress <= size);
    /* a special-lock transfer has no MdlOffset: it goes in one */
    return is_transfer(move) && !is_special(move) && split != 0 && left > split ? split : left;
}

static uint32_t swizzle_flag(const struct vidmm_move *move)
{
    if (!move->swizzles)
        return 0;
    return move->inward ? VIDMM_PAGING_SWIZZLE : VIDMM_PAGING_UNSWIZZLE;
}

static uint32_t flags_of(const struct vidmm_engine *engine, const struct vidmm_move *move,
                         uint64_t size)
{
    uint32_t flags = 0;

    if (is_transfer(move)) {
        bool last = move->progress + piece(engine, move, size) == size;

        flags |= move->progress == 0 ? VIDMM_PAGING_START : 0; /* obeys S4-018, S4-019 */
        flags |= last ? VIDMM_PAGING_END : 0;
        flags |= swizzle_flag(move);
    }
    if (engine->call_idle)
        flags |= VIDMM_PAGING_IDLE; /* obeys S4-024, S4-033 */
    return flags | (engine->call_again ? VIDMM_PAGING_AGAIN : 0);
}

static uint32_t operation_of(const struct vidmm_move *move)
{
    switch ((enum move_step)move->step) {
    case STEP_CONTENT:
        break;
    case STEP_MAP_EVICTION:
        return VIDMM_MAP_APERTURE_SEGMENT;
    case STEP_UNMAP_EVICTION:
        return VIDMM_UNMAP_APERTURE_SEGMENT;
    case STEP_INIT_CONTEXT:
        return VIDMM_INIT_CONTEXT_RESOURCE;
    }
    return move->operation;
}

static void set_places(const struct vidmm_engine *engine, const struct vidmm_move *move,
                       struct vidmm_operation *build)
{
    struct vidmm_place segment = {move->segment, 0, move->offset};

    if (move->step == STEP_MAP_EVICTION || move->step == STEP_UNMAP_EVICTION) {
        build->build.destination = vidmm_move_eviction(engine, move);
    } else if (vidmm_posted_moves(move)) {
        build->build.destination = vidmm_posted_place(engine, move);
    } else if (!is_transfer(move)) {
        build->build.destination = segment;
    } else if (move->inward) {
        build->build.source = vidmm_move_source(move);
        build->build.destination = segment;
    } else {
        build->build.source = segment;
        build->build.destination = vidmm_move_eviction(engine, move);
    }
}

/* Whether the next call takes the placement's content or pages away from where they are. */
static bool vacates(const struct vidmm_move *move)
{
    return move->step == STEP_CONTENT && (!move->inward || move->source_segment != 0) &&
           !vidmm_move_owner(move)->reads;
}

static void wait_for(struct vidmm_paging_buffer *buffer, uint64_t fence)
{
    buffer->wait_fence = fence > buffer->wait_fence ? fence : buffer->wait_fence;
}

/* A move that executes later must not run before packets of other nodes that use the old place. */
static void wait_for_uses(struct vidmm_engine *engine, const struct vidmm_move *move,
                          const struct vidmm_placement *placement)
{
    struct vidmm_paging_buffer *buffer = open_buffer(engine);
    bool refreshes = move->step == STEP_CONTENT && move->refresh;

    if ((vacates(move) || refreshes) && placement->uses > 0)
        wait_for(buffer, placement->last_use);
    if (vacates(move))
        wait_for(buffer, vidmm_context_fence(engine, placement));
}

static enum vidmm_progress hand_out(struct vidmm_engine *engine, struct vidmm_move *move)
{
    struct vidmm_placement *placement = vidmm_move_owner(move);
    uint64_t size = whole_size(engine, move);
    struct vidmm_operation *build;

    if (!vidmm_plan_has_room(engine))
        return PROGRESS_WAIT;
    if (!ensure_open(engine))
        return PROGRESS_WAIT;
    VIDMM_ASSERT(vidmm_operation_may(engine, OPERATION_HAND_OUT));
    VIDMM_ASSERT(move->state == MOVE_QUEUED || move->state == MOVE_DUE); /* M1 */
    VIDMM_ASSERT(engine->call == CALL_NONE);                             /* E1 */
    if (move->clear) {
        move->clear = false;
        vidmm_emit(engine, VIDMM_DO_CLEAR)->allocation = placement->id;
    }
    wait_for_uses(engine, move, placement);
    engine->reading = placement->reads ? placement : engine->reading;
    if (!engine->call_again) {
        engine->multipass_offset = 0; /* obeys S4-015 */
        engine->passes = 0;
    }
    build = vidmm_emit(engine, VIDMM_DO_BUILD);
    build->allocation = placement->id;
    build->build.paging_buffer = engine->open_buffer;
    build->build.operation = operation_of(move);
    build->build.flags = flags_of(engine, move, size);
    build->build.multipass_offset = engine->multipass_offset;
    build->build.transfer_offset =
        move->progress +
        (is_refresh(move) ? (uint64_t)placement->refreshes->first.first * VIDMM_PAGE_SIZE : 0);
    build->build.size = piece(engine, move, size);
    set_places(engine, move, build);
    if (is_special(move)) {
        build->build.range = placement->alternate_range;
        build->build.data = placement->alternate_data;
    }
    engine->call = CALL_BUILD;
    engine->call_move = move;
    VIDMM_ASSERT(vidmm_operation_did(engine, OPERATION_HAND_OUT));
    return PROGRESS_CALL;
}

/* obeys S0-045: what is pinned takes the room that the page-out needs */
static void lose(struct vidmm_engine *engine, struct vidmm_move *move)
{
    struct vidmm_placement *placement = vidmm_move_owner(move);

    VIDMM_ASSERT(move->state == MOVE_QUEUED && move->step == STEP_CONTENT);
    VIDMM_ASSERT(!move->inward && move->progress == 0);
    move->operation = VIDMM_DISCARD_CONTENT;
    move->swizzles = false; /* T5 */
    placement->dirty = false;
    if (placement->followed) { /* the CPU will look at zeros */
        vidmm_emit(engine, VIDMM_DO_CLEAR)->allocation = placement->id;
        vidmm_swizzle_cleared(placement);
    }
    if (placement->in.state == MOVE_QUEUED)
        vidmm_move_bring_first_content(placement);
    else
        placement->at = placement->followed ? vidmm_place_system() : vidmm_place_nowhere();
    if (!placement->context_allocation) {
        placement->lost = true;
        engine->any_lost = true;
        vidmm_emit(engine, VIDMM_DO_LOST)->allocation = placement->id;
    }
}

/* Before the first call of a page-out from a memory segment: a range of an eviction aperture. */
static enum vidmm_found find_eviction_range(struct vidmm_engine *engine, struct vidmm_move *move)
{
    enum vidmm_found found;

    if (move->operation != VIDMM_TRANSFER || move->inward || move->direct ||
        move->eviction_range != 0)
        return FOUND;
    found = vidmm_room_for_eviction(engine, vidmm_move_owner(move));
    if (found == FOUND_NONE && vidmm_is_pinned_out(engine, vidmm_move_owner(move))) {
        lose(engine, move);
        return FOUND;
    }
    if (found == FOUND_NONE) {
        move->direct = true;
        return FOUND;
    }
    if (found == FOUND) {
        move->step = STEP_MAP_EVICTION; /* obeys S1-014 */
        vidmm_leaving_queue(engine);
    }
    return found;
}

/* Whether paging is under way: in flight, or built and not yet submitted. */
static bool has_paging(const struct vidmm_engine *engine)
{
    const struct vidmm_flight *flight = engine->nodes[engine->config.paging_node].first;
    const struct vidmm_paging_buffer *open = &engine->paging_buffers[engine->open_buffer];

    while (flight && !flight->paging)
        flight = flight->next;
    return flight || (engine->open_buffer != 0 && (open->written > 0 || open->moves));
}

/* Whether something must end before the call: an unmap waits until nothing uses its range; a call
 * with AllocationIsIdle, or of a SynchronousPaging allocation, until nothing at all is under way
 * for it, paging included. */
static bool must_wait(const struct vidmm_engine *engine, const struct vidmm_move *move)
{
    const struct vidmm_placement *placement = vidmm_move_owner(move);
    bool unmap = move->step == STEP_CONTENT && move->operation == VIDMM_UNMAP_APERTURE_SEGMENT;

    if ((engine->call_idle || vidmm_move_is_synchronous(move)) &&
        has_paging(engine)) /* obeys S0-050 */
        return true;
    if (!unmap && !engine->call_idle && !vidmm_move_is_synchronous(move))
        return false;
    if (placement->reads && vidmm_fence_any_in_flight(engine))
        return true; /* J1 */
    if (placement->in.state == MOVE_BUILT && placement->in.initializes)
        return true; /* InitContextResource writes there when it is executed */
    if (unmap && placement->in.state == MOVE_BUILT && vidmm_posted_moves(&placement->in))
        return true; /* O3 */
    return placement->uses > 0 || !vidmm_fence_passed_elsewhere(
                                      engine, vidmm_context_fence(engine, placement), VIDMM_NODES);
}

/* The move whose next call is due; NULL: there is none. */
static struct vidmm_move *first_move(const struct vidmm_engine *engine)
{
    if (engine->call_again)
        return engine->call_move;
    if (engine->reading && engine->reading->out.state == MOVE_QUEUED)
        return engine->move_first; /* its other parts: J1, M3 */
    return engine->unmap_first ? engine->unmap_first : engine->move_first;
}

enum vidmm_progress vidmm_paging_build(struct vidmm_engine *engine)
{
    struct vidmm_move *move = first_move(engine);

    if (!move)
        return PROGRESS_IDLE;
    if (!engine->call_again && move->step == STEP_CONTENT && move->progress == 0) {
        enum vidmm_progress progress = PROGRESS_IDLE;

        if (!is_special(move)) /* it is told the range */
            progress = vidmm_swizzling_vacate(engine, vidmm_move_owner(move));
        if (progress == PROGRESS_IDLE)
            progress = vidmm_progress_of(find_eviction_range(engine, move));
        if (progress != PROGRESS_IDLE)
            return progress;
        if (move != first_move(engine))
            return PROGRESS_MADE; /* page-outs from the aperture have come before it */
    }
    if (!engine->call_again && move->progress == 0 && vacates(move)) {
        enum vidmm_progress progress = vidmm_switch_leave(engine, vidmm_move_owner(move));

        if (progress != PROGRESS_IDLE)
            return progress; /* obeys D-256 */
    }
    if (must_wait(engine, move))
        return PROGRESS_WAIT; /* obeys S4-024, S4-026, S4-043 */
    return hand_out(engine, move);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void count_operation(struct vidmm_engine *engine, const struct vidmm_move *move,
                            uint64_t size)
{
    struct vidmm_engine_statistics *statistics = &engine->statistics;

    statistics->paging_operations++;
    switch ((enum vidmm_paging_kind)operation_of(move)) {
    case VIDMM_SPECIAL_LOCK_TRANSFER:
    case VIDMM_TRANSFER:
        if (vidmm_move_owner(move)->reads)
            statistics->bytes_read += size;
        else if (move->source_segment != 0 && move->inward)
            statistics->bytes_moved += size;
        else
            *(move->inward ? &statistics->bytes_in : &statistics->bytes_out) += size;
        break;
    case VIDMM_INIT_CONTEXT_RESOURCE:
        statistics->context_inits++;
        statistics->bytes_filled += size;
        break;
    case VIDMM_FILL:
        statistics->bytes_filled += size;
        break;
    case VIDMM_DISCARD_CONTENT:
        statistics->bytes_discarded += size;
        break;
    case VIDMM_MAP_APERTURE_SEGMENT:
        statistics->bytes_mapped += size;
        break;
    case VIDMM_READ_PHYSICAL:
    case VIDMM_WRITE_PHYSICAL:
        break;
    case VIDMM_UNMAP_APERTURE_SEGMENT:
        statistics->bytes_unmapped += size;
        break;
    }
}

/* The move is built: off its queue, onto the open buffer. */
static void complete_build(struct vidmm_engine *engine, struct vidmm_move *move)
{
    struct vidmm_paging_buffer *buffer = open_buffer(engine);
    struct vidmm_placement *placement = vidmm_move_owner(move);

    VIDMM_ASSERT(buffer->state == PAGING_BUFFER_OPEN);
    VIDMM_ASSERT(move == engine->unmap_first || move == engine->move_first);
    if (move == engine->unmap_first) {
        engine->unmap_first = move->next;
        engine->unmap_last = engine->unmap_first ? engine->unmap_last : NULL;
    } else {
        engine->move_first = move->next;
        engine->move_last = engine->move_first ? engine->move_last : NULL;
    }
    if (move->step == STEP_UNMAP_EVICTION) {
        vidmm_segment_release(&engine->segments[move->eviction_segment].ranges,
                              move->eviction_range);
        vidmm_segment_uncommit(engine, move->eviction_segment, placement->wish.size);
        engine->segments[move->eviction_segment].evictions--;
        move->eviction_range = 0;
    } else {
        *(move->inward ? &engine->statistics.page_ins : &engine->statistics.evictions) +=
            placement->dying || placement->buffer || is_refresh(move) || vidmm_posted_moves(move)
                ? 0
                : 1;
    }
    vidmm_move_change(move, MOVE_BUILD);
    move->next = buffer->moves;
    buffer->moves = move; /* M2 */
}

static void succeeded(struct vidmm_engine *engine, struct vidmm_move *move)
{
    uint64_t whole = whole_size(engine, move);
    uint64_t size = piece(engine, move, whole);

    engine->call_again = false;
    engine->call_idle = false;
    VIDMM_ASSERT(vidmm_operation_did(engine, OPERATION_SUCCEED));
    engine->flush_first |= engine->config.one_operation;
    count_operation(engine, move, size);
    if (move->step == STEP_MAP_EVICTION) {
        VIDMM_ASSERT(vidmm_step_may_follow(move->step, STEP_CONTENT));
        move->step = STEP_CONTENT;
        return;
    }
    if (move->initializes && move->step == STEP_CONTENT) {
        VIDMM_ASSERT(vidmm_step_may_follow(move->step, STEP_INIT_CONTEXT));
        move->step = STEP_INIT_CONTEXT;
        return;
    }
    if (is_transfer(move)) {
        move->progress += size;
        if (move->progress < whole)
            return;
    }
    if (vidmm_posted_moves(move) && vidmm_posted_next(move))
        return;
    if (is_refresh(move) && vidmm_refreshes_next(engine, vidmm_move_owner(move))) {
        move->progress = 0;
        return;
    }
    complete_build(engine, move);
}

/* Bounds on passes that no honest driver reaches: each pass moves something. */
#define PASSES 1024u
#define PASSES_A_PAGE 64u

static bool too_many_passes(const struct vidmm_engine *engine, const struct vidmm_move *move)
{
    return engine->passes >
           PASSES + PASSES_A_PAGE * (vidmm_move_owner(move)->wish.size / VIDMM_PAGE_SIZE);
}

static void ran_out(struct vidmm_engine *engine, struct vidmm_move *move, uint64_t written)
{
    struct vidmm_paging_buffer *buffer = open_buffer(engine);
    bool fresh = buffer->written == written && !buffer->moves;

    VIDMM_ASSERT(buffer->state == PAGING_BUFFER_OPEN);
    engine->passes++;
    if ((fresh && written == 0) || too_many_passes(engine, move)) {
        vidmm_engine_fail(engine, VIDMM_REASON_NO_PROGRESS,
                          STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
        return;
    }
    engine->call_again = true;
    engine->flush_first = true; /* obeys S4-012, S4-013 */
    VIDMM_ASSERT(vidmm_operation_did(engine, OPERATION_RUN_OUT));
}

VIDMM_SEES(S4_052);
static void was_busy(struct vidmm_engine *engine, const struct vidmm_move *move)
{
    bool may = move->step == STEP_CONTENT &&
               (is_transfer(move) || move->operation == VIDMM_DISCARD_CONTENT);

    if (!may || engine->call_idle || ++engine->passes > PASSES) {
        vidmm_engine_fail(engine, VIDMM_REASON_BUSY_WHEN_IDLE, STATUS_GRAPHICS_ALLOCATION_BUSY);
        return;
    }
    engine->call_again = true;
    engine->call_idle = true;
    engine->flush_first = true; /* the reference waited for may be in it */
    VIDMM_ASSERT(vidmm_operation_did(engine, OPERATION_BUSY));
}

/* Whether the call under way is the GART's, which knows of no paging buffer (D-033). */
static bool is_for_gart(const struct vidmm_engine *engine, const struct vidmm_move *move)
{
    uint32_t operation = operation_of(move);
    uint32_t segment = move->step == STEP_CONTENT ? move->segment : move->eviction_segment;

    return (operation == VIDMM_MAP_APERTURE_SEGMENT || operation == VIDMM_UNMAP_APERTURE_SEGMENT) &&
           engine->config.segments[segment].agp;
}

void vidmm_paging_built(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_move *move = engine->call_move;
    NTSTATUS status = (NTSTATUS)event->built.status;

    VIDMM_ASSERT(vidmm_operation_may(engine, OPERATION_SUCCEED));
    VIDMM_ASSERT(engine->call == CALL_BUILD && move && engine->open_buffer != 0); /* T6 */
    engine->call = CALL_NONE;
    engine->multipass_offset = event->built.multipass_offset;
    open_buffer(engine)->written += event->built.written;
    open_buffer(engine)->asked |= !is_for_gart(engine, move);
    if (status == STATUS_SUCCESS)
        succeeded(engine, move);
    else if (status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
        ran_out(engine, move, event->built.written);
    else if (status == STATUS_GRAPHICS_ALLOCATION_BUSY)
        was_busy(engine, move);
    else
        vidmm_engine_fail(engine, VIDMM_REASON_ILLEGAL_STATUS, status); /* obeys S4-003 */
}
