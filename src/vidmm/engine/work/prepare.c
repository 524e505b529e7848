/* prepare.c: the first DMA buffer, from its turn until all that it names is in place.
 *
 *      begun --> a place for everything (residency.c) --> moves queued --> ready
 *        ^            |  too much at once
 *        '-- less of it (split.c), down to one split point: then its device is in error (D-089)
 *
 * Invariants (W1 to W3 are in work.c)
 * W4. The work whose turn it is waits only for what is in flight, for a claim's answer, or (bounded
 *     by the timeout) for the CPU to unlock; none of these needs another work to be submitted. So a
 *     full memory ends in progress or in an error, never in a deadlock.
 */
#include "vidmm/engine/work/prepare.h"

#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/carry/switch.h"
#include "vidmm/engine/carry/table_write.h"
#include "vidmm/engine/decide/listed.h"
#include "vidmm/engine/decide/residency.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/decide/split.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/arbiter.h"
#include "vidmm/engine/work/compact.h"
#include "vidmm/engine/work/display.h"
#include "vidmm/engine/work/evict_all.h"
#include "vidmm/engine/work/property.h"
#include "vidmm/engine/work/work.h"

static void queue_moves(struct vidmm_engine *engine, const struct vidmm_work *work)
{
    uint32_t index;

    VIDMM_ASSERT(work == engine->turn && work->begun); /* W1 */
    for (index = 0; index < work->count; index++) {
        struct vidmm_placement *placement = work->references[index].placement;

        if (vidmm_work_needs(work, index) && vidmm_placement_has_range(placement) &&
            !vidmm_placement_is_settled(placement))
            vidmm_move_queue_in(engine, placement);
    }
}

/* Whether less of the work can be prepared at once. */
static bool shorten(struct vidmm_engine *engine, struct vidmm_work *work)
{
    bool shorter;

    VIDMM_ASSERT(work == engine->turn && work->begun);
    vidmm_work_hold(engine, work, false);
    shorter = vidmm_split_shorten(work);
    vidmm_work_hold(engine, work, true); /* W3 */
    if (shorter)
        vidmm_residency_let_go(engine, work);
    return shorter;
}

static void fail_device(struct vidmm_engine *engine, const struct vidmm_work *work, uint32_t reason,
                        NTSTATUS status, uint64_t needed)
{
    VIDMM_ASSERT(status != STATUS_SUCCESS);
    vidmm_device_record_fail(engine, work->device, reason, work->dma_buffer, status);
    engine->devices[work->device].needed = needed;
    vidmm_device_record_tell(engine); /* before what comes of it */
}

/* Bytes that are kept in place for the part, besides what it must be given a place for. */
static uint64_t kept_bytes(const struct vidmm_work *work)
{
    uint64_t bytes = 0;
    uint32_t index;

    for (index = 0; work->split && index < work->count; index++) {
        const struct vidmm_placement *placement = work->references[index].placement;

        bytes += (work->needs[index] & SPLIT_KEEPS) != 0 ? placement->wish.size : 0;
    }
    return bytes;
}

/* Nothing can be done for the work now; a lock may be the reason, and the CPU may give it up. */
static enum vidmm_found give_up(struct vidmm_engine *engine, struct vidmm_work *work,
                                uint64_t needed)
{
    VIDMM_ASSERT(work == engine->turn && work->begun); /* W4 */
    if (engine->locked > 0) {
        if (engine->waiting_since_ns == 0)
            engine->waiting_since_ns = engine->time_ns + 1;
        if (engine->time_ns + 1 - engine->waiting_since_ns < engine->config.timeout_ns)
            return FOUND_LATER; /* W4 */
    }
    if (work->dma_buffer != 0 || work->paging_queue != 0) {
        fail_device(engine, work,
                    work->must_succeed ? VIDMM_REASON_MUST_SUCCEED : VIDMM_REASON_OUT_OF_MEMORY,
                    STATUS_GRAPHICS_NO_VIDEO_MEMORY, needed + kept_bytes(work)); /* obeys D-089 */
    }
    vidmm_work_drop(engine, STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    return FOUND_NONE;
}

/* There is no room; there may be some when a node has left its context. */
static enum vidmm_found yield(struct vidmm_engine *engine)
{
    VIDMM_ASSERT(engine->call == CALL_NONE);
    switch (vidmm_switch_yield(engine)) {
    case PROGRESS_CALL:
        return FOUND_CALL;
    case PROGRESS_WAIT:
        return FOUND_LATER;
    case PROGRESS_IDLE:
    case PROGRESS_MADE: /* it makes none without a call */
        break;
    }
    return FOUND_NONE;
}

/* There is no room; there may be some when page tables of who does not run have left. */
static enum vidmm_found evict_tables(struct vidmm_engine *engine)
{
    if (engine->config.mmu.levels == 0)
        return FOUND_NONE;
    switch (vidmm_table_evict(engine, NULL)) {
    case PROGRESS_MADE:
        return vidmm_table_write(engine) == PROGRESS_CALL ? FOUND_CALL : FOUND_LATER;
    case PROGRESS_WAIT:
    case PROGRESS_CALL: /* it makes none */
        return FOUND_LATER;
    case PROGRESS_IDLE:
        break;
    }
    return FOUND_NONE;
}

static bool names_lost(const struct vidmm_work *work)
{
    uint32_t index;

    for (index = 0; index < work->count; index++)
        if (work->references[index].placement->lost)
            return true;
    return false;
}

/* Give everything a range that the part needs, as far as that can be decided now: ask, apply, and
 * ask again. */
static enum vidmm_found settle(struct vidmm_engine *engine, struct vidmm_work *work,
                               uint64_t *needed)
{
    struct vidmm_residency residency = vidmm_residency_begin(work, *needed);
    struct vidmm_settlement next;

    do {
        next = vidmm_residency_next(engine, &residency);
        vidmm_settlement_apply(engine, &next);
    } while (next.more);
    *needed = residency.needed;
    if (residency.rest) /* no look at each again, before it is submitted */
        work->preceded = engine->events;
    return next.found;
}

/* ---- explicit residency ---------------------------------------------------------------------- */

/* Whether it needs what its device's residency list names, or some of that, and nothing else. */
static bool is_listed(const struct vidmm_engine *engine, const struct vidmm_work *work)
{
    return engine->config.explicit_residency && work->addresses_of == 0 &&
           (work->dma_buffer != 0 || work->paging_queue != 0 || work->updates ||
            work->display != DISPLAY_NEITHER);
}

/* Whether its device's list has grown, or lost a place, since the work was ready. */
static bool has_lost_places(const struct vidmm_engine *engine, const struct vidmm_work *work)
{
    return engine->config.explicit_residency && work->dma_buffer != 0 &&
           !vidmm_residency_is_whole(engine, work->device);
}

/* Whether it refers to what the list does not name (D-094). */
static bool names_unlisted(const struct vidmm_work *work)
{
    uint32_t index;

    for (index = 0; work->dma_buffer != 0 && index < work->count; index++) {
        const struct vidmm_listing *listing =
            vidmm_listing_find(work->references[index].placement, work->device);

        if (!listing || listing->count == 0 || listing->state == LISTED_OFFERED)
            return true;
    }
    return false;
}

/* Give everything a range that the work needs, as settle() does. */
static enum vidmm_found settle_list(struct vidmm_engine *engine, struct vidmm_work *work,
                                    uint64_t *needed, bool *staged)
{
    struct vidmm_listed listed = vidmm_listed_begin(engine, work);
    struct vidmm_settlement next;

    do {
        next = vidmm_listed_next(engine, &listed);
        vidmm_settlement_apply(engine, &next);
    } while (next.more);
    *needed = listed.needed;
    *staged = listed.staged;
    return next.found;
}

/* Queue the moves that follow from the decision for the list. */
static void queue_list(struct vidmm_engine *engine, uint32_t device)
{
    const struct vidmm_residency_list *list = &engine->devices[device].list;

    vidmm_leaving_queue(engine);
    while (list->first[LISTED_PROMISED]) {
        struct vidmm_placement *placement = list->first[LISTED_PROMISED]->placement;

        engine->statistics.demotions += vidmm_listing_is_demoted(engine, placement) ? 1 : 0;
        vidmm_move_queue_in(engine, placement);
        VIDMM_ASSERT(placement->moves->in.state != MOVE_IDLE); /* its entry is COMING now */
    }
}

/* Decide on places for the work, and queue the moves. One that changes a property does so first. */
static enum vidmm_found bring_in(struct vidmm_engine *engine, struct vidmm_work *work,
                                 uint64_t *needed, bool *staged)
{
    enum vidmm_found found = FOUND;

    if (work->property.mask != 0)
        found = vidmm_property_apply(engine, work, staged);
    if (found == FOUND) {
        found = settle_list(engine, work, needed, staged);
        queue_list(engine, work->device);
    }
    return found;
}

/* ... and if there is no room, have contexts and page tables leave. */
static enum vidmm_found make_room(struct vidmm_engine *engine, struct vidmm_work *work,
                                  uint64_t *needed, bool *staged)
{
    enum vidmm_found found = bring_in(engine, work, needed, staged);

    if (found == FOUND_NONE)
        found = yield(engine); /* obeys D-138 */
    if (found != FOUND_NONE)
        return found;
    found = evict_tables(engine);
    if (found == FOUND_NONE && work->awaits_tables) { /* they have left: I5 */
        work->awaits_tables = false;
        return make_room(engine, work, needed, staged);
    }
    work->awaits_tables = found != FOUND_NONE;
    return found;
}

/* Bring the residency list of the work's device into place. */
static enum vidmm_found prepare_list(struct vidmm_engine *engine, struct vidmm_work *work)
{
    enum vidmm_found found;
    uint64_t needed = 0;
    bool staged = false;

    VIDMM_ASSERT(work == engine->turn && work->begun); /* W1 */
    if (names_unlisted(work)) {
        fail_device(engine, work, VIDMM_REASON_NOT_RESIDENT, STATUS_INVALID_PARAMETER, 0);
        vidmm_work_drop(engine, STATUS_INVALID_PARAMETER); /* obeys D-094 */
        return FOUND_NONE;
    }
    found = make_room(engine, work, &needed, &staged);
    if (found == FOUND_NONE && staged && !engine->stopping) {
        vidmm_work_unprepare(engine);
        if (engine->turn == work)      /* else its device is suspended meanwhile */
            vidmm_arbiter_bar(engine); /* obeys S2-021 */
        return FOUND_NONE;
    }
    if (found == FOUND_NONE)
        return give_up(engine, work, needed);
    work->ready = found == FOUND;
    work->awaits_tables &= found != FOUND;
    if (vidmm_residency_is_whole(engine, work->device))
        vidmm_residency_resume(engine, work->device);
    return found;
}

/* The display of a primary ends, whatever has become of its device. */
static enum vidmm_found end_display(struct vidmm_engine *engine, struct vidmm_work *work)
{
    enum vidmm_found found = vidmm_display_end(engine, work->references[0].placement);

    if (found == FOUND)
        vidmm_work_drop(engine, STATUS_SUCCESS);
    return found == FOUND ? FOUND_NONE : found;
}

enum vidmm_found vidmm_prepare(struct vidmm_engine *engine)
{
    struct vidmm_work *work = engine->turn;
    enum vidmm_found found;
    uint64_t needed = 0;

    VIDMM_ASSERT(work && engine->call == CALL_NONE);
    if ((work->dma_buffer != 0 || work->fetch || work->updates || work->paging_queue != 0 ||
         work->display == DISPLAY_BEGINS) &&
        vidmm_device_record_status(engine, work->device) != STATUS_SUCCESS) {
        vidmm_work_drop(engine, vidmm_device_record_status(engine, work->device));
        return FOUND_NONE;
    }
    if (work->delay_ns != 0) { /* its time has come */
        vidmm_work_drop(engine, STATUS_SUCCESS);
        return FOUND_NONE;
    }
    if (work->ready && !has_lost_places(engine, work))
        return FOUND;
    if (work->display == DISPLAY_ENDS)
        return end_display(engine, work);
    if (work->pages_out != PAGES_OUT_NOTHING)
        return vidmm_page_out_serve(engine, work);
    if (work->compacts != 0)
        return vidmm_compact_serve(engine, work);
    if (engine->any_lost && names_lost(work)) {
        vidmm_work_drop(engine, STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST); /* obeys S0-045 */
        return FOUND_NONE;
    }
    if (!work->begun)
        vidmm_work_begin(engine, work);
    if (engine->config.reject_leaks && vidmm_split_leaks(work)) { /* obeys D-343 */
        fail_device(engine, work, VIDMM_REASON_BINDING_LEAK, STATUS_INVALID_PARAMETER,
                    kept_bytes(work));
        vidmm_work_drop(engine, STATUS_INVALID_PARAMETER);
        return FOUND_NONE;
    }
    if (work->display == DISPLAY_BEGINS) {
        found = vidmm_display_begin(engine, work);
        if (found != FOUND)
            return found;
    }
    if (is_listed(engine, work))
        return prepare_list(engine, work);
    found = settle(engine, work, &needed);
    if (found == FOUND_NONE)
        found = yield(engine); /* obeys D-138 */
    if (found == FOUND_NONE)
        found = evict_tables(engine);
    while (found == FOUND_NONE && shorten(engine, work)) /* obeys D-086 */
        found = settle(engine, work, &needed);
    vidmm_leaving_queue(engine);
    if (work->preceded != engine->events)
        queue_moves(engine, work);
    if (found == FOUND_NONE)
        return give_up(engine, work, needed);
    work->ready = found == FOUND;
    return found;
}
