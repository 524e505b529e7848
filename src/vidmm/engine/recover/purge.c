/* purge.c: after a reset, everything leaves and nothing is copied (D-239).
 *
 *     where the driver was told it is      what it is told now
 *     memory segment                       Transfer of size 0 to system memory: it has left, its
 *                                          content is lost. By address: nothing, or NotifyResidency
 *     aperture segment                     UnmapApertureSegment
 *     eviction aperture (half-way out)     UnmapApertureSegment
 *     nowhere                              nothing
 *
 * One placement after the other, by id: its page-out becomes a list of steps that says so
 * (move_lists.def), and paging.c runs it as it runs all others. Nothing is executed any more, so a
 * step is done when the driver has been called. The states that the moves had when the reset came
 * say what the driver was told: a move that was queued has not been called, one that was built has.
 *
 * Then the placement has no range, unless it is a command buffer, which goes back to the same
 * place, or the CPU holds a lock whose pointer cannot follow: then the range stays taken until the
 * last unlock, for the pointer leads there. Content is lost, but for what the backing store has:
 * mapped pages, pages that were not paged in, permanent copies that are clean.
 *
 * Invariants
 * U1. While placements are purged nothing else changes them: the work, the moves and the locks
 *     rest.
 * U2. Placements with ids below the cursor are purged.
 *
 * Source: "Thread synchronization and TDR".
 */
#include "vidmm/engine/recover/purge.h"

#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/context_update.h"
#include "vidmm/engine/carry/fence_signal.h"
#include "vidmm/engine/carry/isolation.h"
#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/carry/paging.h"
#include "vidmm/engine/carry/segment_read.h"
#include "vidmm/engine/carry/show.h"
#include "vidmm/engine/state/buffer_table.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/dying.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/lock_table.h"
#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/move_pair.h"
#include "vidmm/engine/state/move_table.h"
#include "vidmm/engine/state/operation_table.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/placement_table.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/recovery_state.h"
#include "vidmm/engine/state/refreshes.h"
#include "vidmm/engine/state/swizzle.h"

void vidmm_purge_begin(struct vidmm_engine *engine)
{
    uint32_t id;

    VIDMM_ASSERT(engine->in_flight == 0 && engine->call == CALL_NONE);
    for (id = 1; id < VIDMM_PAGING_BUFFERS; id++) {
        struct vidmm_paging_buffer *buffer = &engine->paging_buffers[id];

        buffer->moves = NULL;
        buffer->written = 0;
        buffer->wait_fence = 0;
        buffer->asked = false;
        vidmm_buffer_change(buffer, PAGING_BUFFER_FORGET);
    }
    if (engine->call_again && engine->call_move)
        engine->call_move->progress += engine->call_move->progress == 0 ? 1 : 0; /* half told */
    engine->open_buffer = 0;
    engine->owed_wait = 0;
    engine->moves = (struct vidmm_moves){NULL, NULL};
    engine->unmaps = (struct vidmm_moves){NULL, NULL};
    engine->finished = NULL;
    engine->synchronous = 0;
    engine->alone = 0;
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

/* Whether one of the steps that are still to come leads away from its place in a segment. */
static bool has_to_leave(const struct vidmm_move *out)
{
    const struct vidmm_move_step *step = vidmm_move_step(out);

    while (step->kind != STEP_NONE && step->source != END_SEGMENT &&
           step->destination != END_SEGMENT)
        step++;
    return step->kind != STEP_NONE;
}

/* The place at which the driver believes it to be. */
static struct place told(const struct vidmm_placement *placement)
{
    const struct vidmm_move *in = &placement->moves->in, *out = &placement->moves->out;

    if (placement->reads)
        return vidmm_place_nowhere(); /* nothing of it is in a segment */
    if (vidmm_place_is_segment(&placement->at) && is_known(in))
        return placement->at;
    if (in->state == MOVE_QUEUED && !is_known(in) && vidmm_place_is_segment(&in->source))
        return in->source;
    if (out->state != MOVE_QUEUED || !has_to_leave(out))
        return vidmm_place_nowhere();
    /* a page-out that follows its page-in: neither was called */
    return !vidmm_place_is_segment(&placement->at) && in->state == MOVE_QUEUED && !is_known(in)
               ? vidmm_place_nowhere()
               : out->place;
}

static bool eviction_is_mapped(const struct vidmm_move *out)
{
    bool queued = out->state == MOVE_QUEUED && out->progress == 0 &&
                  vidmm_move_step(out)->operation == VIDMM_MAP_APERTURE_SEGMENT;

    return vidmm_move_has_passage(out) && !queued;
}

/* The steps that tell the driver so; LIST_NONE: there is nothing to tell. First what is said to be
 * idle, while nothing of it stands in the buffer (S4-026). A driver that pages by address has no
 * operation that says where an allocation was; the page tables are all written anew. */
static enum move_list list_to_tell(const struct vidmm_engine *engine,
                                   const struct vidmm_placement *placement,
                                   const struct place *place, bool eviction)
{
    if (vidmm_place_is_memory(place) && engine->config.mmu.levels != 0)
        return (placement->wish.flags & VIDMM_NOTIFIES) != 0 ? LIST_TELL_NOTIFY : LIST_NONE;
    if (!vidmm_place_is_segment(place))
        return eviction ? LIST_TELL_EVICTION : LIST_NONE;
    if (place->aperture)
        return eviction ? LIST_TELL_APERTURE_EVICTION : LIST_TELL_APERTURE;
    return eviction ? LIST_TELL_MEMORY_EVICTION : LIST_TELL_MEMORY;
}

/* ---- what is left of it ---------------------------------------------------------------------- */

/* Whether content leaves by it. */
static bool transfers(const struct vidmm_move *out)
{
    const struct vidmm_move_step *step = vidmm_move_list(out)->steps;

    while (step->kind != STEP_NONE && !vidmm_step_transfers(step))
        step++;
    return step->kind != STEP_NONE && (step->flags & STEP_TELLS) == 0;
}

static bool keeps_content(const struct vidmm_placement *placement, const struct place *place)
{
    const struct vidmm_move *in = &placement->moves->in, *out = &placement->moves->out;
    bool clean_copy = (placement->wish.flags & VIDMM_KEEPS_COPY) != 0 && !placement->dirty;
    bool saved = out->state == MOVE_IDLE || out->state == MOVE_DUE || !transfers(out);
    bool never_written = in->state == MOVE_QUEUED &&
                         (vidmm_move_makes_content(in) || vidmm_move_step(in)->kind == STEP_CLEAR);
    bool never_made = in->state != MOVE_IDLE && in->list == LIST_CLEAR_MAP_INIT;

    if (vidmm_place_is_nowhere(&placement->at) || never_written || never_made || !saved)
        return false;
    return !vidmm_place_is_memory(place) || clean_copy;
}

/* Locks that follow: their pointers lead to the backing store now, and to zeros if that is not
 * good. */
static void show(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (vidmm_placement_is_followed(placement) && vidmm_place_is_nowhere(&placement->at)) {
        vidmm_emit(engine, VIDMM_DO_CLEAR)->allocation = placement->id;
        placement->at = vidmm_place_system();
        vidmm_swizzle_cleared(placement);
    }
    vidmm_show(engine, placement);
}

/* A queued page-in has not brought it in, nor changed the order of its bytes. */
static void keep_as_it_was(struct vidmm_placement *placement)
{
    VIDMM_ASSERT(placement->moves->in.state == MOVE_QUEUED);
    if (placement->moves->in.list == LIST_SPECIAL_IN)
        placement->away = true;
    else if (placement->moves->in.swizzles)
        placement->unswizzled = true;
}

/* Its moves, if it has any, are over. */
static void forget_moves(struct vidmm_placement *placement)
{
    struct vidmm_move *in = &placement->moves->in, *out = &placement->moves->out;

    if (!vidmm_move_pair_is_own(placement))
        return; /* MP2 */
    vidmm_move_change(in, MOVE_FORGET);
    vidmm_move_change(out, MOVE_FORGET);
    in->progress = 0;
    in->mapped = 0;
    in->source = vidmm_place_nowhere();
}

/* It is nowhere from here on, for the CPU too, and its page-out tells the driver. */
static void leave(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    struct vidmm_move *in = &placement->moves->in, *out = &placement->moves->out;
    struct place place = told(placement);
    bool keeps = keeps_content(placement, &place), mapped = eviction_is_mapped(out);
    enum move_list list = list_to_tell(engine, placement, &place, mapped);

    VIDMM_ASSERT(vidmm_placement_may(placement, PLACEMENT_FORGET));
    if (vidmm_move_has_passage(out) && !mapped)
        vidmm_move_release_passage(engine, out); /* nor will it be */
    if (!vidmm_place_is_segment(&place) && in->state == MOVE_QUEUED)
        keep_as_it_was(placement);
    forget_moves(placement);
    vidmm_lock_change(engine, placement, LOCK_STRAND);
    placement->at = keeps ? vidmm_place_system() : vidmm_place_nowhere();
    if (list != LIST_NONE) {
        vidmm_move_assign(out, list);
        if (vidmm_place_is_segment(&place))
            out->place = vidmm_place_addresses(&place);
        out->swizzles = false;
        vidmm_move_enqueue(engine, out);
    }
    vidmm_listing_follow(engine, placement); /* I1 */
    VIDMM_ASSERT(vidmm_placement_did(placement, PLACEMENT_FORGET));
}

/* The driver has been told. */
static void forget(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    VIDMM_ASSERT(vidmm_placement_is_still(placement));
    VIDMM_ASSERT(!vidmm_move_has_passage(&placement->moves->out)); /* T1 */
    vidmm_refreshes_forget(engine, placement);
    placement->away = placement->away && vidmm_place_is_system(&placement->at);
    placement->dirty = false;
    placement->wish.flags &= ~VIDMM_WISH_DISPLAYED; /* the driver shows nothing now */
    if (vidmm_placement_has_range(placement) && !placement->buffer) {
        if (vidmm_placement_is_locked(placement))
            placement->purged = true;
        else
            vidmm_placement_unsettle(engine, placement);
    }
    show(engine, placement);
    vidmm_isolation_follow(engine, placement);
    vidmm_segment_read_end(engine, placement, STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST);
    vidmm_context_update_end(engine, placement, STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST);
    vidmm_fence_signal_end(engine, placement);
    vidmm_dying_reconsider(engine, placement);
}

enum vidmm_progress vidmm_purge_claim(struct vidmm_engine *engine)
{
    VIDMM_ASSERT(engine->reset->stage == RESET_STOPPING);
    for (; engine->reset->cursor < engine->placement_capacity; engine->reset->cursor++) {
        struct vidmm_placement *placement = engine->placements[engine->reset->cursor];

        if (!placement || !vidmm_placement_is_open(placement) ||
            vidmm_placement_is_locked(placement))
            continue;
        if (!vidmm_plan_has_room(engine))
            return PROGRESS_WAIT;
        vidmm_claim_call(engine, placement);
        return PROGRESS_CALL;
    }
    return PROGRESS_IDLE;
}

enum vidmm_progress vidmm_purge_call(struct vidmm_engine *engine)
{
    struct vidmm_reset *reset = engine->reset;

    VIDMM_ASSERT(reset->stage == RESET_PURGING); /* U1 */
    for (; reset->cursor < engine->placement_capacity; reset->cursor++) {
        struct vidmm_placement *placement = engine->placements[reset->cursor];
        enum vidmm_progress progress;

        if (!placement)
            continue;
        if (!reset->telling)
            leave(engine, placement);
        reset->telling = true;
        progress = vidmm_paging_build(engine);
        if (progress != PROGRESS_IDLE)
            return progress;
        if (!vidmm_plan_has_room(engine))
            return PROGRESS_WAIT;
        forget(engine, placement);
        reset->telling = false;
    }
    return PROGRESS_IDLE;
}
