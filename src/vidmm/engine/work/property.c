/* property.c: an allocation gets other segments, other preferences, or is accessed physically from
 * here on.
 *
 *     UPDATE_PROPERTY --> is it legal, and anything new? --> a work of the paging queue
 *                                                                 |  its turn
 *        the CPU is off it --> it leaves a place that its new wish does not want
 *                                  --> the wish changes --> what lists it brings it in again
 *
 * The request is judged by what is true when it is made, and once more at its turn, by what is true
 * then: what lists name may have grown meanwhile, or addresses may have been mapped. Then its
 * device is in error (D-254), as prepare.c says.
 *
 * A later request sees an earlier one only at its turn. So one that asks for what is true now is
 * passed over only if no other waits.
 */
#include "vidmm/engine/work/property.h"

#include <base/assert.h>
#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/budget.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/page_size.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/reach.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/wish.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/paging_queue.h"
#include "vidmm/engine/work/work.h"

#define PROPERTIES (VIDMM_PROPERTY_PHYSICAL | VIDMM_PROPERTY_SEGMENTS | VIDMM_PROPERTY_PREFERRED)

/* ---- the wish -------------------------------------------------------------------------------- */

/* The preferences that name segments of the set, in their order; a slot 0 ends them (D-018). */
static uint32_t preferences_in(uint32_t preferred, uint32_t set)
{
    uint32_t kept = 0, slot, count = 0;

    for (slot = 0; slot < VIDMM_PREFERENCES; slot++) {
        uint32_t group = preferred >> (6 * slot) & 0x3f, id = group & 0x1f;

        if (id == 0)
            break;
        if ((set >> (id - 1) & 1) != 0)
            kept |= group << (6 * count++);
    }
    return kept;
}

/* The wish as it will be. */
static struct vidmm_wish changed(const struct vidmm_wish *wish, const struct vidmm_property *to)
{
    struct vidmm_wish next = *wish;

    if ((to->mask & VIDMM_PROPERTY_PHYSICAL) != 0 && to->physical != 0)
        next.flags |= VIDMM_ACCESSED_PHYSICALLY;
    else if ((to->mask & VIDMM_PROPERTY_PHYSICAL) != 0)
        next.flags &= ~VIDMM_ACCESSED_PHYSICALLY;
    if ((to->mask & VIDMM_PROPERTY_SEGMENTS) != 0)
        next.read_set = next.write_set = to->segments;
    if ((to->mask & VIDMM_PROPERTY_PREFERRED) != 0)
        next.preferred = to->preferred;
    next.preferred = preferences_in(next.preferred, next.write_set);
    if ((next.preferred & 0x1f) != (wish->preferred & 0x1f))
        next.hinted_bank = 0; /* obeys S1-007: of another segment */
    return next;
}

static bool is_same(const struct vidmm_wish *one, const struct vidmm_wish *other)
{
    return one->flags == other->flags && one->write_set == other->write_set &&
           one->read_set == other->read_set && one->preferred == other->preferred;
}

static bool fits_somewhere(const struct vidmm_engine *engine, const struct vidmm_wish *wish)
{
    uint32_t segment = 1;

    while (segment <= engine->config.segment_count &&
           ((wish->write_set >> (segment - 1) & 1) == 0 || !vidmm_wish_fits(engine, wish, segment)))
        segment++;
    return segment <= engine->config.segment_count;
}

/* By how many bytes the fullest list that names it would be larger than its memory. */
static uint64_t shortage(const struct vidmm_engine *engine, struct vidmm_placement *placement,
                         const struct vidmm_wish *next)
{
    enum listed_kind was = vidmm_listed_kind(engine, &placement->wish);
    enum listed_kind is = vidmm_listed_kind(engine, next);
    const struct vidmm_listing *listing;
    uint64_t most = 0;

    for (listing = placement->listings; listing && was != is; listing = listing->next) {
        uint64_t kinds[LISTED_KINDS] = {0}, bytes;

        kinds[was] = 0 - placement->wish.size; /* it counts there already */
        kinds[is] = placement->wish.size;
        bytes = listing->count > 0 ? vidmm_budget_shortage(engine, listing->device, kinds) : 0;
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Whether addresses lead to it by pages of a size that it may not have any more, or may have
 * now. */
static bool changes_pages(const struct vidmm_engine *engine,
                          const struct vidmm_placement *placement, const struct vidmm_wish *next)
{
    return placement->ring && vidmm_page_size_differs(engine, &placement->wish, next);
}

/* ---- the request ----------------------------------------------------------------------------- */

/* Whether a request for it waits, or has its turn. */
static bool is_asked_for(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    const struct vidmm_context_queue *queue;
    const struct vidmm_work *work;

    for (queue = engine->queues.first; queue; queue = queue->next)
        for (work = queue->works.first; work; work = work->next)
            if (work->property.mask != 0 && work->references[0].placement == placement)
                return true;
    return false;
}

static NTSTATUS judge(const struct vidmm_engine *engine, const struct vidmm_event *event,
                      struct vidmm_placement **found, uint32_t *device)
{
    const struct vidmm_paging_queue *queue = vidmm_paging_queue_find(engine, event->property.queue);
    struct vidmm_placement *placement = vidmm_placement_find(engine, event->property.allocation);
    const struct vidmm_property *to = &event->property.to;
    uint64_t segments = to->segments;

    if (!queue || !placement || to->mask == 0 || (to->mask & ~PROPERTIES) != 0)
        return STATUS_INVALID_PARAMETER;
    if ((to->mask & VIDMM_PROPERTY_SEGMENTS) != 0 &&
        (segments == 0 || segments >> engine->config.segment_count != 0))
        return STATUS_INVALID_PARAMETER;
    if (placement->dying || placement->buffer || placement->context_allocation ||
        vidmm_wish_is_pinned(&placement->wish) ||
        (placement->device != queue->device && !placement->shared))
        return STATUS_INVALID_PARAMETER;
    *found = placement;
    *device = queue->device;
    return vidmm_device_record_status(engine, queue->device);
}

/* Whether it may have them, by what is true now. */
static NTSTATUS judge_wish(struct vidmm_engine *engine, struct vidmm_placement *placement,
                           const struct vidmm_wish *next)
{
    if (!fits_somewhere(engine, next))
        return STATUS_INVALID_PARAMETER;
    if (changes_pages(engine, placement, next))
        return STATUS_NOT_SUPPORTED;
    if ((next->flags & VIDMM_ACCESSED_PHYSICALLY) != 0 &&
        (next->flags & (VIDMM_WISH_NOTIFIES_EVICTION | VIDMM_WISH_NOTIFIES_UNMAP)) != 0)
        return STATUS_NOT_SUPPORTED; /* its aperture would be mapped (move_lists.def) */
    engine->answer.bytes_to_trim = shortage(engine, placement, next);
    return engine->answer.bytes_to_trim > 0 ? STATUS_NO_MEMORY : STATUS_SUCCESS;
}

NTSTATUS vidmm_property_update(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement;
    struct vidmm_work *work;
    struct vidmm_wish next;
    uint32_t device;
    NTSTATUS status;

    engine->answer = (struct vidmm_residency_answer){0, 0};
    status = judge(engine, event, &placement, &device);
    if (status != STATUS_SUCCESS)
        return status;
    next = changed(&placement->wish, &event->property.to);
    if (is_same(&placement->wish, &next) && !is_asked_for(engine, placement))
        return STATUS_SUCCESS; /* obeys D-254 */
    status = judge_wish(engine, placement, &next);
    if (status == STATUS_SUCCESS)
        status = vidmm_work_check_paging(engine, event->property.queue, 1, &work);
    if (status != STATUS_SUCCESS)
        return status;
    work->references[0].placement = placement;
    work->property = event->property.to;
    work->value = vidmm_paging_queue_add(engine, event->property.queue);
    engine->answer.value = work->value;
    vidmm_work_create_paging(engine, event->property.queue, device, work);
    return STATUS_PENDING;
}

/* ---- its turn -------------------------------------------------------------------------------- */

/* Whether the range that it has is none that the new wish would have chosen. */
static bool must_leave(const struct vidmm_engine *engine, const struct vidmm_placement *placement,
                       const struct vidmm_wish *next)
{
    uint32_t segment = placement->given.segment;
    uint8_t order[VIDMM_SEGMENTS];

    if (!vidmm_placement_has_range(placement))
        return false;
    if ((next->flags & VIDMM_ACCESSED_PHYSICALLY) != 0 && placement->given.runs != 0)
        return true; /* by its address alone it could lie in several */
    if (((next->flags ^ placement->wish.flags) & VIDMM_ACCESSED_PHYSICALLY) != 0 &&
        (engine->config.mmu.levels != 0 ||
         (placement->wish.flags & VIDMM_WISH_SHARES_ADDRESS) != 0) &&
        placement->given.aperture)
        return true; /* obeys D-099: the aperture is to show it, or no more */
    if (next->write_set == placement->wish.write_set &&
        next->preferred == placement->wish.preferred)
        return false;
    vidmm_wish_order(engine, next, next->write_set << 1, order);
    return order[0] != segment;
}

/* Whether nothing moves it, and the CPU is off it. */
static enum vidmm_found get_hold(struct vidmm_engine *engine, struct vidmm_placement *placement,
                                 bool *staged)
{
    enum vidmm_found found = vidmm_claim_state(placement);

    if (!vidmm_placement_is_still(placement) || placement->leaving)
        return FOUND_LATER;
    if (placement->lent || found == FOUND_CALL) {
        vidmm_claim_call(engine, placement);
        return FOUND_CALL;
    }
    *staged = placement->staged;
    return found == FOUND_LATER || placement->staged ? FOUND_NONE : FOUND;
}

/* It has the new wish. False: no memory for the records of its ranges. */
static bool take_on(struct vidmm_engine *engine, struct vidmm_placement *placement,
                    const struct vidmm_wish *next)
{
    uint32_t apertures = vidmm_apertures(engine);
    bool was_memory = (vidmm_placement_set(placement, true) & ~apertures) != 0;

    if (!vidmm_residency_rewish(engine, placement, next))
        return false;
    if (!was_memory && !vidmm_place_is_memory(&placement->at))
        vidmm_reach_lend(engine, placement); /* the CPU may have been in its backing store ever */
    vidmm_budget_look(engine);
    return true;
}

enum vidmm_found vidmm_property_apply(struct vidmm_engine *engine, struct vidmm_work *work,
                                      bool *staged)
{
    struct vidmm_placement *placement = work->references[0].placement;
    struct vidmm_wish next = changed(&placement->wish, &work->property);
    enum vidmm_found found = FOUND;
    bool leaves;

    VIDMM_ASSERT(work == engine->turn && work->begun && work->count == 1);
    if (placement->dying || is_same(&placement->wish, &next)) {
        work->property.mask = 0;
        return FOUND;
    }
    if (changes_pages(engine, placement, &next) || shortage(engine, placement, &next) > 0)
        return FOUND_NONE;
    leaves = must_leave(engine, placement, &next);
    if (leaves || next.write_set != placement->wish.write_set)
        found = get_hold(engine, placement, staged);
    if (found != FOUND)
        return found;
    if (leaves && vidmm_placement_has_range(placement)) {
        vidmm_settlement_evict(engine, placement);
        vidmm_leaving_queue(engine);
    }
    if (!take_on(engine, placement, &next))
        return FOUND_NONE;
    work->property.mask = 0;
    return FOUND;
}
