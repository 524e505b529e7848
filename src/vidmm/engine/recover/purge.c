/* purge.c: after a reset, everything leaves and nothing is copied (D-239).
 *
 *     where the driver was told it is      what it is told now
 *     memory segment                       Transfer of size 0 to system memory: it has left, its
 *                                          content is lost
 *     aperture segment                     UnmapApertureSegment
 *     eviction aperture (half-way out)     UnmapApertureSegment
 *     nowhere                              nothing
 *
 * One placement after the other, by id. What the driver was told follows from the states that the
 * moves had when the reset came: a move that was queued has not been called, one that was built
 * has.
 *
 * Then the placement has no range, unless it is a command buffer, which goes back to the same
 * place, or the CPU holds a lock whose pointer cannot follow: then the range stays taken until the
 * last unlock, for the pointer leads there. Content is lost, but for what the backing store has:
 * what was mapped, what was not paged in, permanent copies that are clean.
 *
 * Invariants
 * U1. While placements are purged nothing else changes them: the work, the moves and the locks
 *     rest.
 * U2. Placements with ids below the cursor are purged.
 *
 * Source: "Thread synchronization and TDR".
 */
#include "vidmm/engine/recover/purge.h"

#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/carry/segment_read.h"
#include "vidmm/engine/carry/show.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/dying.h"
#include "vidmm/engine/state/lock_table.h"
#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/move_table.h"
#include "vidmm/engine/state/operation_table.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_table.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/refreshes.h"
#include "vidmm/engine/state/swizzle.h"

void vidmm_purge_begin(struct vidmm_engine *engine)
{
    uint32_t id;

    for (id = 1; id < VIDMM_PAGING_BUFFERS; id++) {
        struct vidmm_paging_buffer *buffer = &engine->paging_buffers[id];

        buffer->moves = NULL;
        buffer->written = 0;
        buffer->wait_fence = 0;
        buffer->asked = false;
        buffer->state = PAGING_BUFFER_FREE;
    }
    if (engine->call_again && engine->call_move)
        engine->call_move->progress += engine->call_move->progress == 0 ? 1 : 0; /* half told */
    engine->open_buffer = 0;
    engine->owed_wait = 0;
    engine->move_first = engine->move_last = NULL;
    engine->unmap_first = engine->unmap_last = NULL;
    engine->finished = NULL;
    engine->synchronous = 0;
    VIDMM_ASSERT(vidmm_operation_may(engine, OPERATION_FORGET));
    engine->call_again = engine->call_idle = engine->flush_first = false;
    engine->call_move = NULL;
    VIDMM_ASSERT(vidmm_operation_did(engine, OPERATION_FORGET));
}

/* ---- what the driver was told ---------------------------------------------------------------- */

static bool is_known(const struct vidmm_move *in)
{
    return in->state != MOVE_QUEUED || vidmm_move_list(in)->stays || vidmm_move_has_begun(in);
}

/* Segment 0: nowhere. */
static struct vidmm_place told(const struct vidmm_placement *placement)
{
    const struct vidmm_move *in = &placement->in, *out = &placement->out;
    struct vidmm_place left = {out->segment, 0, out->offset};
    struct vidmm_place nowhere = {0, 0, 0};

    if (placement->reads)
        return nowhere; /* nothing of it is in a segment */
    if (vidmm_place_is_segment(&placement->at) && is_known(in))
        return vidmm_place_tell(&placement->at);
    if (in->state == MOVE_QUEUED && !is_known(in) && in->source_segment != 0)
        return vidmm_move_source(in);
    if (out->state != MOVE_QUEUED)
        return nowhere;
    /* a page-out that follows its page-in: neither was called */
    return !vidmm_place_is_segment(&placement->at) && in->state == MOVE_QUEUED && !is_known(in)
               ? nowhere
               : left;
}

static bool eviction_is_mapped(const struct vidmm_move *out)
{
    return out->eviction_range != 0 && (out->state != MOVE_QUEUED || vidmm_move_has_begun(out));
}

/* ---- calls ----------------------------------------------------------------------------------- */

static struct vidmm_paging_buffer *open_buffer(struct vidmm_engine *engine)
{
    if (engine->open_buffer == 0 &&
        engine->paging_buffers[engine->paging_first].state == PAGING_BUFFER_FREE) {
        engine->open_buffer = engine->paging_first;
        engine->paging_buffers[engine->open_buffer].state = PAGING_BUFFER_OPEN;
    }
    return engine->open_buffer == 0 ? NULL : &engine->paging_buffers[engine->open_buffer];
}

static enum vidmm_progress hand_out(struct vidmm_engine *engine,
                                    const struct vidmm_placement *placement,
                                    struct vidmm_place place, uint64_t size)
{
    bool aperture = vidmm_segment_is_aperture(engine, place.segment);
    struct vidmm_operation *build;

    if (!vidmm_plan_has_room(engine) || !open_buffer(engine))
        return PROGRESS_WAIT;
    if (!engine->call_again) {
        engine->multipass_offset = 0;
        engine->passes = 0;
    }
    VIDMM_ASSERT(vidmm_operation_may(engine, OPERATION_HAND_OUT));
    VIDMM_ASSERT(place.segment >= 1 && place.segment <= engine->config.segment_count);
    VIDMM_ASSERT(engine->call == CALL_NONE); /* E1 */
    build = vidmm_emit(engine, VIDMM_DO_BUILD);
    build->allocation = placement->id;
    build->build.paging_buffer = engine->open_buffer;
    build->build.operation = aperture ? VIDMM_UNMAP_APERTURE_SEGMENT : VIDMM_TRANSFER;
    build->build.flags = VIDMM_PAGING_PURGE | (engine->call_again ? VIDMM_PAGING_AGAIN : 0);
    build->build.multipass_offset = engine->multipass_offset;
    if (aperture) {
        build->build.destination = place;
        build->build.size = size;
    } else {
        build->build.source = place; /* obeys D-239: of size 0 */
        build->build.flags |= VIDMM_PAGING_START | VIDMM_PAGING_END | VIDMM_PAGING_IDLE;
        build->build.size = 0;
    }
    engine->call = CALL_PURGE;
    return PROGRESS_CALL;
}

/* ---- what is left of it ---------------------------------------------------------------------- */

/* Whether content leaves by it. */
static bool transfers(const struct vidmm_move *out)
{
    const struct vidmm_move_step *step = vidmm_move_list(out)->steps;

    while (step->kind != STEP_NONE && !vidmm_step_transfers(step))
        step++;
    return step->kind != STEP_NONE;
}

static bool keeps_content(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement, struct vidmm_place place)
{
    const struct vidmm_move *in = &placement->in, *out = &placement->out;
    bool clean_copy = (placement->wish.flags & VIDMM_KEEPS_COPY) != 0 && !placement->dirty;
    bool saved = out->state == MOVE_IDLE || out->state == MOVE_DUE || !transfers(out);
    bool never_written = in->state == MOVE_QUEUED &&
                         (vidmm_move_makes_content(in) || vidmm_move_step(in)->kind == STEP_CLEAR);
    bool never_made = in->state != MOVE_IDLE && in->list == LIST_CLEAR_MAP_INIT;

    if (vidmm_place_is_nowhere(&placement->at) || never_written || never_made || !saved)
        return false;
    return place.segment == 0 || clean_copy || vidmm_segment_is_aperture(engine, place.segment);
}

/* Locks that follow: their pointers lead to the backing store now, and to zeros if that is not
 * good. */
static void show(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (placement->followed && vidmm_place_is_nowhere(&placement->at)) {
        vidmm_emit(engine, VIDMM_DO_CLEAR)->allocation = placement->id;
        placement->at = vidmm_place_system();
        vidmm_swizzle_cleared(placement);
    }
    vidmm_show(engine, placement);
}

static void forget(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    bool keeps = keeps_content(engine, placement, told(placement));

    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_FORGET));
    VIDMM_ASSERT(told(placement).segment == 0 && !eviction_is_mapped(&placement->out));
    if (placement->out.eviction_range != 0)
        vidmm_move_release_eviction(engine, &placement->out);
    if (placement->in.state == MOVE_QUEUED && placement->in.list == LIST_SPECIAL_IN)
        placement->away = true;
    else if (placement->in.state == MOVE_QUEUED && placement->in.swizzles)
        placement->unswizzled = true; /* it has not been brought in */
    vidmm_refreshes_forget(engine, placement);
    vidmm_move_change(&placement->in, MOVE_FORGET);
    vidmm_move_change(&placement->out, MOVE_FORGET);
    placement->in.progress = placement->out.progress = 0;
    placement->in.source_segment = 0;
    placement->away = placement->away && keeps;
    placement->dirty = false;
    vidmm_lock_change(engine, placement, LOCK_STRAND);
    placement->at = keeps ? vidmm_place_system() : vidmm_place_nowhere();
    if (vidmm_placement_has_range(placement) && !placement->buffer) {
        if (placement->locked)
            placement->purged = true;
        else
            vidmm_placement_unsettle(engine, placement);
    }
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_FORGET));
    show(engine, placement);
    vidmm_segment_read_end(engine, placement, STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST);
    vidmm_dying_reconsider(engine, placement);
}

enum vidmm_progress vidmm_purge_claim(struct vidmm_engine *engine)
{
    for (; engine->reset.cursor < engine->placement_capacity; engine->reset.cursor++) {
        struct vidmm_placement *placement = engine->placements[engine->reset.cursor];

        if (placement && placement->open && !placement->locked)
            return vidmm_plan_has_room(engine) ? vidmm_progress_of(vidmm_claim(engine, placement))
                                               : PROGRESS_WAIT;
    }
    return PROGRESS_IDLE;
}

/* The next call for one placement. IDLE: it is purged. First what is said to be idle, while nothing
 * of it stands in the buffer (S4-026). */
static enum vidmm_progress visit(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_move *out = &placement->out;
    struct vidmm_place place = told(placement);

    if (place.segment != 0)
        return hand_out(engine, placement, place, placement->wish.size);
    if (eviction_is_mapped(out))
        return hand_out(engine, placement, vidmm_move_eviction(engine, out), placement->wish.size);
    return PROGRESS_IDLE;
}

enum vidmm_progress vidmm_purge_call(struct vidmm_engine *engine)
{
    for (; engine->reset.cursor < engine->placement_capacity; engine->reset.cursor++) {
        struct vidmm_placement *placement = engine->placements[engine->reset.cursor];
        enum vidmm_progress progress = placement ? visit(engine, placement) : PROGRESS_IDLE;

        if (progress != PROGRESS_IDLE)
            return progress;
        if (!vidmm_plan_has_room(engine))
            return PROGRESS_WAIT;
        if (placement)
            forget(engine, placement);
    }
    return PROGRESS_IDLE;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* The call that visit() would make first is made. */
static void succeed(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    bool keeps = keeps_content(engine, placement, told(placement));
    struct vidmm_move *in = &placement->in, *out = &placement->out;

    engine->call_again = false;
    engine->statistics.paging_operations++;
    if (told(placement).segment == 0) { /* it was the eviction aperture */
        vidmm_move_release_eviction(engine, out);
        return;
    }
    if (out->eviction_range != 0 && !eviction_is_mapped(out))
        vidmm_move_release_eviction(engine, out); /* nor will it be */
    /* it is nowhere from here on, and what visit() looks at next says so */
    vidmm_move_change(in, MOVE_FORGET);
    vidmm_move_change(out, MOVE_FORGET);
    in->progress = in->source_segment = 0;
    vidmm_lock_change(engine, placement, LOCK_STRAND);
    placement->at = keeps ? vidmm_place_system() : vidmm_place_nowhere();
}

void vidmm_purge_built(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = engine->placements[engine->reset.cursor];
    struct vidmm_paging_buffer *buffer = &engine->paging_buffers[engine->open_buffer];
    bool fresh = buffer->written == 0;
    NTSTATUS status = (NTSTATUS)event->built.status;

    engine->call = CALL_NONE;
    engine->multipass_offset = event->built.multipass_offset;
    buffer->written += event->built.written;
    if (status == STATUS_SUCCESS) {
        succeed(engine, placement);
    } else if (status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER) {
        vidmm_engine_fail(engine,
                          status == STATUS_GRAPHICS_ALLOCATION_BUSY ? VIDMM_REASON_BUSY_WHEN_IDLE
                                                                    : VIDMM_REASON_ILLEGAL_STATUS,
                          status);
    } else if (fresh && event->built.written == 0) {
        vidmm_engine_fail(engine, VIDMM_REASON_NO_PROGRESS, status);
    } else {
        engine->call_again = true;
        engine->reset.full = true;
    }
}
