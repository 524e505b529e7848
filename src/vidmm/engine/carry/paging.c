/* paging.c: the lists of steps that moves are, the paging buffers that carry them, and the call
 * protocol of BuildPagingBuffer.
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
 * All moves are run here, whatever their reason. This source knows no more of a move than its steps
 * (move_steps.h): a step needs something before its first call, waits for something before it is
 * executed, is called until the driver has done all of it, and another follows, or follows behind
 * the fence. An unmap that waits for its fence is never in the buffer of its transfer.
 *
 * Invariants (M1 is in move.c, M4 in paging_buffer.c, M8 in by_address.c)
 * M2. At most one paging buffer is open. Its moves are those completed by calls into it.
 * M3. Between TransferStart and TransferEnd of one move no other transfer is handed out (S4-020).
 * M5. For a SynchronousPaging placement nothing is built before all that was submitted for it has
 *     ended, and no DMA buffer is submitted until its moves have (S0-050, S0-051).
 */
#include "vidmm/engine/carry/paging.h"

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/by_address.h"
#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/carry/isolation.h"
#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/carry/paging_buffer.h"
#include "vidmm/engine/carry/switch.h"
#include "vidmm/engine/carry/host_aperture.h"
#include "vidmm/engine/carry/swizzling_range.h"
#include "vidmm/engine/carry/table_tell.h"
#include "vidmm/engine/carry/table_write.h"
#include "vidmm/engine/state/buffer_table.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/move_table.h"
#include "vidmm/engine/state/operation_table.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/refreshes.h"
#include "vidmm/engine/state/standstill.h"
#include "vidmm/engine/state/test_faults.h"
#include "vidmm/engine/state/wish.h"
#include "wddm/rule.h"

static struct vidmm_paging_buffer *open_buffer(struct vidmm_engine *engine)
{
    return &engine->paging_buffers[engine->open_buffer];
}

/* ---- building -------------------------------------------------------------------------------- */

/* Bytes of the step. */
static uint64_t whole_size(const struct vidmm_engine *engine, const struct vidmm_move *move,
                           const struct vidmm_move_step *step)
{
    const struct vidmm_placement *placement = vidmm_move_owner(move);

    switch ((enum step_size)step->size) {
    case SIZE_ALLOCATION:
    case SIZE_CHUNK:
        break;
    case SIZE_RANGE:
        return vidmm_wish_size_in(engine, &placement->wish, move->place.segment);
    case SIZE_WRITTEN:
        return (uint64_t)placement->refreshes->first.count * VIDMM_PAGE_SIZE; /* obeys D-154 */
    case SIZE_ALTERNATE:
        return (uint64_t)placement->alternate_pages * VIDMM_PAGE_SIZE;
    case SIZE_NONE:
        return 0;
    }
    return placement->wish.size;
}

/* Bytes of the next sub-transfer; together they are all of it (obeys S4-017). */
static uint64_t piece(const struct vidmm_engine *engine, const struct vidmm_move *move,
                      const struct vidmm_move_step *step)
{
    uint64_t split = engine->call_piece;
    uint64_t size = whole_size(engine, move, step), left = size - move->progress;

    if ((step->flags & STEP_RANGES) != 0)
        return 0; /* `progress` is the range that was told last */
    VIDMM_ASSERT(move->progress <= size);
    if (step->size == SIZE_CHUNK) {
        VIDMM_ASSERT(engine->mmu->chunk > 0 && engine->mmu->chunk <= left); /* M8 */
        return engine->mmu->chunk;
    }
    /* a special-lock transfer has no MdlOffset: it goes in one */
    return step->operation == VIDMM_TRANSFER && split != 0 && left > split ? split : left;
}

static uint32_t swizzle_flag(const struct vidmm_move *move)
{
    if (!move->swizzles)
        return 0;
    return move->inward ? VIDMM_PAGING_SWIZZLE : VIDMM_PAGING_UNSWIZZLE;
}

static uint32_t flags_of(const struct vidmm_engine *engine, const struct vidmm_move *move,
                         const struct vidmm_move_step *step)
{
    uint32_t flags = 0;

    if (vidmm_step_transfers(step)) {
        bool last = move->progress + piece(engine, move, step) == whole_size(engine, move, step);

        flags |= move->progress == 0 ? VIDMM_PAGING_START : 0; /* obeys S4-018, S4-019 */
        flags |= last ? VIDMM_PAGING_END : 0;
        flags |= swizzle_flag(move);
    }
    if (engine->call_idle)
        flags |= VIDMM_PAGING_IDLE; /* obeys S4-024, S4-033 */
    if ((step->flags & STEP_TELLS) != 0)
        flags |= VIDMM_PAGING_PURGE | (vidmm_step_transfers(step) ? VIDMM_PAGING_IDLE : 0);
    if (step->operation == VIDMM_MAP_APERTURE_SEGMENT && step->destination == END_SEGMENT &&
        (vidmm_move_owner(move)->wish.flags & VIDMM_WISH_DISPLAYED) != 0)
        flags |= VIDMM_PAGING_DISPLAYED;
    return flags | (engine->call_again ? VIDMM_PAGING_AGAIN : 0);
}

/* The place at one end of a step, as an operation says it. */
static struct vidmm_place place_of(const struct vidmm_engine *engine, const struct vidmm_move *move,
                                   enum step_end end)
{
    switch (end) {
    case END_NONE:
    case END_BACKING:
        break;
    case END_SEGMENT:
        return vidmm_place_tell(&move->place);
    case END_OLD_PLACE:
        return vidmm_place_tell(&move->source);
    case END_EVICTION:
        return vidmm_place_tell(&move->through);
    case END_OWN_PAGE:
        return vidmm_place_tell(&engine->own_page->at);
    case END_SOURCE:
    case END_TARGET:
        break;
    }
    return (struct vidmm_place){0, 0, 0};
}

/* A step that is executed must not be so before packets of other nodes that use the place. */
static void wait_for_uses(struct vidmm_engine *engine, const struct vidmm_move_step *step,
                          const struct vidmm_placement *placement)
{
    if ((step->flags & (STEP_AFTER_USES | STEP_VACATES)) != 0 && placement->uses > 0)
        vidmm_paging_wait_for(engine, placement->last_use);
    if ((step->flags & (STEP_AFTER_USES | STEP_VACATES)) != 0 && placement->listings)
        vidmm_paging_wait_for(engine, vidmm_listing_fence(engine, placement));
    if ((step->flags & STEP_VACATES) != 0)
        vidmm_paging_wait_for(engine, vidmm_context_fence(engine, placement));
}

/* Do the steps that no call is made for. They stand in the plan of the call that follows. */
static void do_without_call(struct vidmm_engine *engine, struct vidmm_move *move)
{
    while (vidmm_move_step(move)->kind == STEP_CLEAR) {
        vidmm_emit(engine, VIDMM_DO_CLEAR)->allocation = vidmm_move_owner(move)->id;
        move->step++;
    }
    VIDMM_ASSERT(vidmm_move_step(move)->kind == STEP_BUILD); /* T10 */
}

/* Append the call for the step to the plan. */
static void emit_build(struct vidmm_engine *engine, const struct vidmm_move *move,
                       const struct vidmm_move_step *step)
{
    const struct vidmm_placement *placement = vidmm_move_owner(move);
    struct vidmm_operation *build = vidmm_emit(engine, VIDMM_DO_BUILD);

    build->allocation = placement->id;
    build->build.paging_buffer = engine->open_buffer;
    build->build.operation = step->operation;
    build->build.flags = flags_of(engine, move, step);
    build->build.multipass_offset = engine->multipass_offset;
    build->build.transfer_offset = move->progress;
    build->build.size = piece(engine, move, step);
    build->build.source = place_of(engine, move, (enum step_end)step->source);
    build->build.destination = place_of(engine, move, (enum step_end)step->destination);
    if (step->size == SIZE_WRITTEN)
        build->build.transfer_offset +=
            (uint64_t)placement->refreshes->first.first * VIDMM_PAGE_SIZE;
    if (step->size == SIZE_ALTERNATE) {
        build->build.range = placement->alternate_range;
        build->build.data = placement->alternate_data;
    }
}

static void count_eviction(struct vidmm_engine *engine, const struct vidmm_placement *placement,
                           uint32_t segment)
{
    uint64_t size = vidmm_wish_size_in(engine, &placement->wish, segment);
    uint32_t rank = vidmm_priority_class(placement->wish.priority) - VIDMM_PRIORITY_OFFERS;

    VIDMM_ASSERT(rank < VIDMM_EVICTED_CLASSES && placement->device < engine->device_capacity);
    engine->statistics.evictions++;
    engine->segments[segment].evicted[rank] += size;
    engine->devices[placement->device].evicted += size;
}

static void count_move(struct vidmm_engine *engine, const struct vidmm_move *move)
{
    const struct vidmm_placement *placement = vidmm_move_owner(move);

    if (placement->dying || placement->buffer || vidmm_move_list(move)->stays)
        return;
    if (move->inward)
        engine->statistics.page_ins++;
    else
        count_eviction(engine, placement, move->place.segment);
}

/* The move is built, as far as it goes before a fence: off its queue, onto the open buffer. A move
 * that tells of a reset waits for no fence. */
static void complete_build(struct vidmm_engine *engine, struct vidmm_move *move)
{
    struct vidmm_paging_buffer *buffer = open_buffer(engine);

    VIDMM_ASSERT(buffer->state == PAGING_BUFFER_OPEN);
    VIDMM_ASSERT(move == engine->unmaps.first || move == engine->moves.first);
    vidmm_moves_take(move == engine->unmaps.first ? &engine->unmaps : &engine->moves);
    if ((vidmm_move_step(move)->flags & STEP_TELLS) != 0) {
        vidmm_move_change(move, MOVE_TELL);
        engine->synchronous -= vidmm_move_is_synchronous(move) ? 1 : 0; /* M5 */
        return;
    }
    if ((vidmm_move_step(move)->flags & STEP_ALONE) != 0)
        engine->alone++;
    if (move->state == MOVE_QUEUED)
        count_move(engine, move);
    vidmm_move_change(move, MOVE_BUILD);
    move->next = buffer->moves;
    buffer->moves = move; /* M2 */
    if (vidmm_move_list(move)->stays)
        vidmm_process_touch(engine, vidmm_move_owner(move));
    else if (move->inward && !move->shown)
        vidmm_process_show(engine, vidmm_move_owner(move));
    if (move->shown)
        vidmm_process_hold(engine, vidmm_move_owner(move));
}

/* The step that is next is built: go on with the one behind it. */
static void end_step(struct vidmm_engine *engine, struct vidmm_move *move)
{
    const struct vidmm_move_step *step = vidmm_move_step(move), *next = vidmm_move_next_step(move);

    if (step->operation == VIDMM_UNMAP_APERTURE_SEGMENT && step->destination == END_EVICTION)
        vidmm_move_release_passage(engine, move);
    if (!next || (next->flags & STEP_AFTER_FENCE) != 0) {
        complete_build(engine, move);
    } else {
        move->step++;
        if ((step->flags & STEP_IN_LOOP) == 0 || (step->flags & STEP_LOOPS) != 0)
            move->progress = 0;
    }
}

/* Whether the next call is the first of a turn of the loop. */
static bool begins_chunk(const struct vidmm_move *move)
{
    return (vidmm_move_step(move)->flags & STEP_IN_LOOP) != 0 && move->mapped == 0 &&
           move->step == vidmm_move_loop(move);
}

static enum vidmm_progress hand_out(struct vidmm_engine *engine, struct vidmm_move *move)
{
    const struct vidmm_placement *placement = vidmm_move_owner(move);

    enum vidmm_progress progress;

    if (!vidmm_plan_has_room(engine))
        return PROGRESS_WAIT;
    progress = vidmm_paging_open(engine, NULL);
    if (progress != PROGRESS_IDLE)
        return progress;
    VIDMM_ASSERT(vidmm_operation_may(engine, OPERATION_HAND_OUT));
    VIDMM_ASSERT(move->state == MOVE_QUEUED || move->state == MOVE_DUE); /* M1 */
    VIDMM_ASSERT(engine->call == CALL_NONE);                             /* E1 */
    VIDMM_ASSERT(move->list != LIST_OUT);                                /* M6 */
    do_without_call(engine, move);
    vidmm_isolation_lead(engine, move); /* obeys D-235 */
    wait_for_uses(engine, vidmm_move_step(move), placement);
    if ((vidmm_move_step(move)->flags & STEP_NEEDS_SILENCE) != 0)
        engine->reading = placement;
    if (!engine->call_again) {
        engine->multipass_offset = 0; /* obeys S4-015 */
        engine->passes = 0;
        engine->call_piece = vidmm_test_faults_piece(engine, engine->config.split_transfer_size);
    }
    if (!engine->call_again && begins_chunk(move))
        vidmm_by_address_begin(engine, move);
    if ((vidmm_move_step(move)->flags & STEP_RANGES) != 0)
        vidmm_isolation_tell(engine, move);
    else if (vidmm_is_by_address(vidmm_move_step(move)))
        vidmm_by_address_emit(engine, move);
    else
        emit_build(engine, move, vidmm_move_step(move));
    engine->call = CALL_BUILD;
    engine->call_move = move;
    VIDMM_ASSERT(vidmm_operation_did(engine, OPERATION_HAND_OUT));
    return PROGRESS_CALL;
}

/* Whether paging is under way: in flight, or built and not yet submitted. */
static bool has_paging(const struct vidmm_engine *engine)
{
    const struct vidmm_paging_buffer *open = &engine->paging_buffers[engine->open_buffer];

    return vidmm_paging_flies(engine, VIDMM_NODES) ||
           (engine->open_buffer != 0 && (open->written > 0 || open->moves));
}

/* Whether the next step writes entries that steps before it go by: the first of a turn of the loop,
 * and one that makes them invalid. */
static bool writes_over(const struct vidmm_move *move)
{
    const struct vidmm_move_step *step = vidmm_move_step(move);

    return move->step == vidmm_move_loop(move) ||
           (step->operation == VIDMM_UPDATE_PAGE_TABLE && step->source == END_NONE);
}

/* Whether something must end before the call. An unmap, which may take effect inside the call, and
 * a fill, whose driver is promised it, wait until nothing uses the allocation. A call with
 * AllocationIsIdle, or of a SynchronousPaging allocation, waits until nothing at all is under way
 * for it, paging included. */
static bool must_wait(const struct vidmm_engine *engine, const struct vidmm_move *move)
{
    const struct vidmm_placement *placement = vidmm_move_owner(move);
    uint32_t flags = vidmm_move_step(move)->flags;
    bool disuse = (flags & STEP_NEEDS_DISUSE) != 0;

    if ((flags & STEP_TELLS) != 0)
        return false; /* the GPU has stopped */
    if ((flags & STEP_IN_LOOP) != 0 && writes_over(move) && engine->config.mmu.written_at_once &&
        has_paging(engine))
        return true; /* what is built already goes by the entries that are to be written */
    if ((engine->call_idle || vidmm_move_is_synchronous(move)) &&
        has_paging(engine)) /* obeys S0-050 */
        return true;
    if (!disuse && !engine->call_idle && !vidmm_move_is_synchronous(move))
        return false;
    if ((flags & STEP_NEEDS_SILENCE) != 0 && vidmm_fence_any_in_flight(engine))
        return true; /* J1 */
    if (placement->moves->in.state == MOVE_BUILT &&
        placement->moves->in.list == LIST_CLEAR_MAP_INIT)
        return true; /* InitContextResource writes there when it is executed */
    if (disuse && placement->moves->in.state == MOVE_BUILT &&
        vidmm_move_pushes(&placement->moves->in))
        return true; /* O3 */
    return placement->uses > 0 ||
           !vidmm_fence_passed_elsewhere(engine, vidmm_context_fence(engine, placement),
                                         VIDMM_NODES) ||
           (placement->listings &&
            !vidmm_fence_passed_elsewhere(engine, vidmm_listing_fence(engine, placement),
                                          VIDMM_NODES));
}

/* Before the first call of a page-in that is not shown yet: tables of programs lead to the places
 * of all that come one after the other from here on. Others have left those places: page-outs are
 * built first (M1). One that is shown looks for no further ones: a queue is gone through once.
 * obeys D-390 */
static enum vidmm_progress show_coming(struct vidmm_engine *engine, struct vidmm_move *move)
{
    struct vidmm_move *next;

    if (engine->config.mmu.levels == 0 || !move->inward || vidmm_move_list(move)->stays)
        return PROGRESS_IDLE;
    for (next = move->shown ? NULL : move; next && next->inward; next = next->next) {
        if (next->shown || vidmm_move_list(next)->stays)
            continue;
        next->shown = true;
        vidmm_process_show(engine, vidmm_move_owner(next));
    }
    return vidmm_table_write_ready(engine);
}

/* Do all that comes before the first call of the next step. IDLE: all of it has come. */
static enum vidmm_progress serve_needs(struct vidmm_engine *engine, struct vidmm_move *move)
{
    struct vidmm_placement *placement = vidmm_move_owner(move);
    enum vidmm_progress progress = PROGRESS_IDLE;

    if ((vidmm_move_step(move)->flags & STEP_NEEDS_RELEASE) != 0)
        progress = vidmm_swizzling_vacate(engine, placement);
    if (progress == PROGRESS_IDLE && (vidmm_move_step(move)->flags & STEP_NEEDS_RELEASE) != 0)
        progress = vidmm_host_aperture_vacate(engine, placement);
    if (progress == PROGRESS_IDLE && (vidmm_move_step(move)->flags & STEP_VACATES) != 0)
        progress = vidmm_switch_leave(engine, placement); /* obeys D-256 */
    if (progress == PROGRESS_IDLE && (vidmm_move_step(move)->flags & STEP_AFTER_TABLES) != 0)
        progress = vidmm_table_prepare_paging(engine);
    if (progress == PROGRESS_IDLE && move->step == 0)
        progress = show_coming(engine, move);
    return progress;
}

/* No call is made for the next step: what follows in its list comes now. */
static enum vidmm_progress pass_over(struct vidmm_engine *engine, struct vidmm_move *move)
{
    enum vidmm_progress progress = vidmm_paging_open(engine, NULL);

    if (progress != PROGRESS_IDLE)
        return progress;
    VIDMM_ASSERT(!engine->call_again && (vidmm_move_step(move)->flags & STEP_LOOPS) == 0);
    wait_for_uses(engine, vidmm_move_step(move), vidmm_move_owner(move));
    end_step(engine, move);
    return PROGRESS_MADE;
}

/* Whether there is nothing for the next step to do. */
static bool is_needless(const struct vidmm_engine *engine, const struct vidmm_move *move)
{
    const struct vidmm_move_step *step = vidmm_move_step(move);

    return (step->flags & STEP_RANGES) != 0 ? !vidmm_isolation_has_more(move)
                                            : vidmm_by_address_is_needless(engine, step);
}

enum vidmm_progress vidmm_paging_build(struct vidmm_engine *engine)
{
    struct vidmm_move *move = vidmm_move_next(engine);
    enum vidmm_progress progress = PROGRESS_IDLE;

    if (engine->mmu->call.process)
        return vidmm_table_write(engine); /* A19 */
    if (!move)
        return PROGRESS_IDLE;
    if (!engine->call_again && move->progress == 0 && move->mapped == 0)
        progress = serve_needs(engine, move);
    if (progress != PROGRESS_IDLE)
        return progress;
    if (must_wait(engine, move))
        return PROGRESS_WAIT; /* obeys S4-024, S4-026, S4-029, S4-043 */
    return is_needless(engine, move) ? pass_over(engine, move) : hand_out(engine, move);
}

enum vidmm_progress vidmm_paging_go_on(struct vidmm_engine *engine)
{
    enum vidmm_progress progress = PROGRESS_IDLE;

    if (engine->flush_first) {
        progress = vidmm_paging_flush(engine);
        engine->flush_first = progress == PROGRESS_WAIT;
    }
    if (progress == PROGRESS_IDLE)
        progress = vidmm_leaving_decide(engine);
    if (progress == PROGRESS_IDLE)
        progress = vidmm_paging_build(engine);
    return progress;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* The bytes that a transfer counts as. */
static uint64_t *bytes_of(struct vidmm_engine_statistics *statistics, const struct vidmm_move *move)
{
    if (move->list == LIST_READ_SEGMENT)
        return &statistics->bytes_read;
    if (move->list == LIST_DIRECT)
        return &statistics->bytes_moved;
    return move->inward ? &statistics->bytes_in : &statistics->bytes_out;
}

static void count_operation(struct vidmm_engine *engine, const struct vidmm_move *move,
                            uint64_t size)
{
    struct vidmm_engine_statistics *statistics = &engine->statistics;

    statistics->paging_operations++;
    if ((vidmm_move_step(move)->flags & STEP_TELLS) != 0)
        return; /* no bytes */
    switch ((enum vidmm_paging_kind)vidmm_move_step(move)->operation) {
    case VIDMM_UPDATE_PAGE_TABLE:
        statistics->table_updates++;
        break;
    case VIDMM_FLUSH_TLB:
        statistics->flushes++;
        break;
    case VIDMM_SPECIAL_LOCK_TRANSFER:
    case VIDMM_TRANSFER_VIRTUAL:
    case VIDMM_TRANSFER:
        *bytes_of(statistics, move) += size;
        break;
    case VIDMM_INIT_CONTEXT_RESOURCE:
        statistics->context_inits++;
        statistics->bytes_filled += size;
        break;
    case VIDMM_FILL_VIRTUAL:
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
    case VIDMM_NOTIFY_RESIDENCY:
    case VIDMM_NOTIFY_ALLOCATION:
    case VIDMM_SIGNAL_MONITORED_FENCE:
    case VIDMM_UPDATE_CONTEXT_ALLOCATION: /* the driver knows how many */
        break;
    case VIDMM_UNMAP_APERTURE_SEGMENT:
        statistics->bytes_unmapped += size;
        break;
    }
}

static void succeeded(struct vidmm_engine *engine, struct vidmm_move *move)
{
    const struct vidmm_move_step *step = vidmm_move_step(move);
    uint64_t size = piece(engine, move, step);

    engine->call_again = false;
    engine->call_idle = false;
    VIDMM_ASSERT(vidmm_operation_did(engine, OPERATION_SUCCEED));
    if ((step->flags & STEP_TELLS) == 0) /* obeys D-240: nothing is submitted yet */
        engine->flush_first |= engine->config.one_operation;
    count_operation(engine, move, size);
    vidmm_by_address_built(engine, move);
    if ((step->flags & STEP_RANGES) != 0 && vidmm_isolation_told(move))
        return; /* the next range */
    if (step->operation == VIDMM_UPDATE_PAGE_TABLE) {
        uint64_t mapped =
            (uint64_t)move->mapped * VIDMM_PAGE_SIZE + vidmm_by_address_span(engine, move);

        move->mapped = mapped < size ? (uint32_t)(mapped / VIDMM_PAGE_SIZE) : 0;
        if (mapped < size)
            return; /* the next run of it */
    }
    if ((step->flags & STEP_LOOPS) != 0 && move->progress + size < whole_size(engine, move, step)) {
        move->progress += size;
        move->step = (uint8_t)vidmm_move_loop(move);
    } else if (vidmm_step_transfers(step) && move->progress + size < whole_size(engine, move, step))
        move->progress += size;
    else if ((step->flags & STEP_REPEATS) != 0 &&
             vidmm_refreshes_next(engine, vidmm_move_owner(move)))
        move->progress = 0;
    else
        end_step(engine, move);
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
    const struct vidmm_move_step *step = vidmm_move_step(move);
    bool may = (vidmm_step_transfers(step) || step->operation == VIDMM_DISCARD_CONTENT) &&
               (step->flags & STEP_TELLS) == 0;

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
    const struct vidmm_move_step *step = vidmm_move_step(move);
    uint32_t operation = step->operation;
    const struct place *mapped = step->destination == END_EVICTION ? &move->through : &move->place;

    return (operation == VIDMM_MAP_APERTURE_SEGMENT || operation == VIDMM_UNMAP_APERTURE_SEGMENT) &&
           engine->config.segments[mapped->segment].agp;
}

void vidmm_paging_built(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_move *move = engine->call_move;
    NTSTATUS status = (NTSTATUS)event->built.status;

    VIDMM_ASSERT(vidmm_operation_may(engine, OPERATION_SUCCEED));
    VIDMM_ASSERT(engine->call == CALL_BUILD && engine->open_buffer != 0); /* T6 */
    VIDMM_ASSERT(move || engine->mmu->call.handed);                       /* T6 */
    engine->call = CALL_NONE;
    engine->multipass_offset = event->built.multipass_offset; /* obeys S4-022 */
    open_buffer(engine)->written += event->built.written;
    if (!move) {
        open_buffer(engine)->asked = true;
        vidmm_table_built(engine, event, open_buffer(engine));
        return;
    }
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
