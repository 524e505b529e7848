/* make_resident.c: what programs ask of residency lists: MakeResident, Evict, Reclaim.
 *
 *     MAKE_RESIDENT --> is it legal? --> does the budget allow it? --> is there memory for all of
 *        the list? --> counted --> all in place: success
 *                              '-> a work of the paging queue: pending, and its value
 *
 * Whether the list fits is a matter of bytes; where it goes is decided when the work has its turn
 * (listed.c). Evict needs no queue: it counts less at once, and what no list wants any more leaves
 * now, or when room is wanted.
 */
#include "vidmm/engine/work/make_resident.h"

#include <base/assert.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/carry/move.h"
#include "vidmm/engine/decide/listed.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/budget.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/offer.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/recovery_state.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/eviction.h"
#include "vidmm/engine/work/paging_queue.h"
#include "vidmm/engine/work/work.h"

#define MAKE_RESIDENT_FLAGS                                                                        \
    (VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER | VIDMM_MAKE_RESIDENT_MUST_SUCCEED)
#define EVICT_FLAGS (VIDMM_EVICT_ONLY_IF_NECESSARY | VIDMM_EVICT_NOT_WRITTEN_TO | VIDMM_EVICT_KEEPS)

/* The allocation `index` of the event, if the device may list it. NULL: it may not. */
static struct vidmm_placement *find(const struct vidmm_engine *engine,
                                    const struct vidmm_event *event, uint32_t index,
                                    uint32_t device)
{
    struct vidmm_placement *placement =
        vidmm_placement_find(engine, event->residency.allocations[index]);

    return placement && !placement->dying && !placement->buffer &&
                   (placement->device == device || placement->shared) /* obeys D-198 */
               ? placement
               : NULL;
}

static bool are_legal(const struct vidmm_engine *engine, const struct vidmm_event *event,
                      uint32_t device)
{
    uint32_t index;

    for (index = 0; index < event->residency.count; index++)
        if (!find(engine, event, index, device))
            return false;
    return true;
}

/* Whether it is where the GPU can use it. */
static bool is_in_place(const struct vidmm_placement *placement)
{
    return vidmm_placement_has_range(placement) && vidmm_placement_is_settled(placement) &&
           !placement->leaving && placement->moves->in.state == MOVE_IDLE;
}

/* ---- pending --------------------------------------------------------------------------------- */

/* Whether the device has to wait for it, once the event has been obeyed. */
static bool must_come(const struct vidmm_engine *engine, const struct vidmm_event *event,
                      const struct vidmm_placement *placement, uint32_t device)
{
    const struct vidmm_listing *listing = vidmm_listing_find(placement, device);

    if (event->kind == VIDMM_EVENT_RECLAIM_QUEUED && (!listing || listing->count == 0))
        return false; /* obeys D-215: only what is on the list is paged in */
    if (event->kind == VIDMM_EVENT_MAKE_RESIDENT && vidmm_placement_is_offered(placement))
        return false; /* when it is reclaimed */
    return engine->devices[device].list.suspended || !is_in_place(placement);
}

/* How many of the event's allocations have to come in. */
static uint32_t count_absent(const struct vidmm_engine *engine, const struct vidmm_event *event,
                             uint32_t device)
{
    uint32_t index, count = 0;

    for (index = 0; index < event->residency.count; index++)
        if (must_come(engine, event, find(engine, event, index, device), device))
            count++;
    return count;
}

/* Queue a work for those that have to come in. */
static void queue_work(struct vidmm_engine *engine, const struct vidmm_event *event,
                       uint32_t device, struct vidmm_work *work)
{
    uint32_t index, count = 0;

    VIDMM_ASSERT(work->count > 0);
    for (index = 0; index < event->residency.count; index++) {
        struct vidmm_placement *placement = find(engine, event, index, device);

        if (must_come(engine, event, placement, device))
            work->references[count++].placement = placement;
    }
    VIDMM_ASSERT(count == work->count);
    work->value = vidmm_paging_queue_add(engine, event->residency.queue);
    work->must_succeed = (event->residency.flags & VIDMM_MAKE_RESIDENT_MUST_SUCCEED) != 0;
    engine->answer.value = work->value;
    vidmm_work_create_paging(engine, event->residency.queue, device, work);
}

/* Queue the work for what has to come in; NULL: nothing has. */
static NTSTATUS answer(struct vidmm_engine *engine, const struct vidmm_event *event,
                       uint32_t device, struct vidmm_work *work)
{
    if (!work)
        return STATUS_SUCCESS;
    queue_work(engine, event, device, work);
    return STATUS_PENDING;
}

/* ---- MakeResident ---------------------------------------------------------------------------- */

/* The bytes that the list will name more, by budget and by kind. */
struct growth {
    uint64_t groups[VIDMM_SEGMENT_GROUPS + 1]; /* the last: of no budget */
    uint64_t kinds[LISTED_KINDS];              /* as `bytes` of a list */
};

/* Find them. Each allocation is noted, so that one that is named twice counts once. */
static struct growth measure(const struct vidmm_engine *engine, const struct vidmm_event *event,
                             uint32_t device)
{
    struct growth growth = {{0}, {0}};
    uint32_t index;

    for (index = 0; index < event->residency.count; index++) {
        const struct vidmm_placement *placement = find(engine, event, index, device);
        struct vidmm_listing *listing = vidmm_listing_find(placement, device);

        VIDMM_ASSERT(listing); /* reserve() made it */
        if (listing->count == 0 && listing->noted == 0) {
            growth.groups[vidmm_budget_group(engine, &placement->wish)] += placement->wish.size;
            growth.kinds[vidmm_listed_kind(engine, &placement->wish)] += placement->wish.size;
        }
        listing->noted++;
    }
    for (index = 0; index < event->residency.count; index++)
        vidmm_listing_find(find(engine, event, index, device), device)->noted = 0;
    return growth;
}

/* Give back what reserve() took. */
static void release(struct vidmm_engine *engine, const struct vidmm_event *event, uint32_t device,
                    uint32_t count)
{
    uint32_t index;

    for (index = 0; index < count; index++) {
        struct vidmm_listing *listing =
            vidmm_listing_find(find(engine, event, index, device), device);

        if (listing)
            vidmm_listing_release(engine, listing);
    }
}

static bool reserve(struct vidmm_engine *engine, const struct vidmm_event *event, uint32_t device)
{
    uint32_t index;

    for (index = 0; index < event->residency.count; index++) {
        if (!vidmm_listing_reserve(engine, find(engine, event, index, device), device)) {
            release(engine, event, device, index);
            return false;
        }
    }
    return true;
}

/* Whether so much more may be on the list. engine->answer receives the bytes to trim. */
static bool is_affordable(struct vidmm_engine *engine, const struct vidmm_event *event,
                          uint32_t device)
{
    struct growth growth = measure(engine, event, device);
    uint64_t shortage = vidmm_budget_shortage(engine, device, growth.kinds);
    uint64_t excess = vidmm_budget_excess(engine, device, growth.groups);
    bool grows = growth.kinds[LISTED_IN_MEMORY] + growth.kinds[LISTED_IN_APERTURES] +
                     growth.kinds[LISTED_IN_EITHER] >
                 0;
    bool trims = (event->residency.flags & VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER) == 0 && grows;

    VIDMM_ASSERT(engine->answer.bytes_to_trim == 0);
    if (shortage > 0 || (trims && excess > 0))
        engine->answer.bytes_to_trim = shortage > excess ? shortage : excess; /* obeys D-196 */
    return engine->answer.bytes_to_trim == 0;
}

/* Count all of it. */
static void add(struct vidmm_engine *engine, const struct vidmm_event *event, uint32_t device)
{
    uint32_t index;

    VIDMM_ASSERT(engine->answer.bytes_to_trim == 0); /* it is affordable */
    for (index = 0; index < event->residency.count; index++) {
        struct vidmm_placement *placement = find(engine, event, index, device);

        vidmm_residency_add(engine, vidmm_listing_find(placement, device));
        vidmm_eviction_forget(engine, placement);
        vidmm_placement_touch(engine, placement);
    }
}

NTSTATUS vidmm_residency_make_context(struct vidmm_engine *engine,
                                      struct vidmm_placement *placement)
{
    uint64_t kinds[LISTED_KINDS] = {0};
    struct vidmm_listing *listing;

    VIDMM_ASSERT(placement->context_allocation && engine->config.explicit_residency);
    kinds[vidmm_listed_kind(engine, &placement->wish)] = placement->wish.size;
    if (vidmm_budget_shortage(engine, placement->device, kinds) > 0)
        return STATUS_GRAPHICS_NO_VIDEO_MEMORY;
    listing = vidmm_listing_reserve(engine, placement, placement->device);
    if (!listing)
        return STATUS_NO_MEMORY;
    vidmm_residency_add(engine, listing); /* obeys D-138 */
    return STATUS_SUCCESS;
}

/* D-197: the device cannot go on without it. */
static NTSTATUS refuse(struct vidmm_engine *engine, const struct vidmm_event *event,
                       uint32_t device)
{
    if ((event->residency.flags & VIDMM_MAKE_RESIDENT_MUST_SUCCEED) != 0) {
        vidmm_device_record_fail(engine, device, VIDMM_REASON_MUST_SUCCEED, 0,
                                 STATUS_GRAPHICS_NO_VIDEO_MEMORY);
        engine->devices[device].needed = engine->answer.bytes_to_trim;
    }
    return STATUS_NO_MEMORY;
}

static NTSTATUS judge(const struct vidmm_engine *engine, const struct vidmm_event *event,
                      uint32_t flags, uint32_t *device)
{
    const struct vidmm_paging_queue *queue =
        vidmm_paging_queue_find(engine, event->residency.queue);

    if (!queue || (event->residency.flags & ~flags) != 0)
        return STATUS_INVALID_PARAMETER;
    *device = queue->device;
    if (vidmm_device_record_status(engine, *device) != STATUS_SUCCESS)
        return vidmm_device_record_status(engine, *device);
    return are_legal(engine, event, *device) ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

/* Room in the queue for what has to come in, after the listings are there. *work: NULL if nothing
 * has. False: no memory. */
static bool take_work(struct vidmm_engine *engine, const struct vidmm_event *event, uint32_t device,
                      struct vidmm_work **work)
{
    uint32_t absent = count_absent(engine, event, device);

    *work = NULL;
    return absent == 0 ||
           vidmm_work_check_paging(engine, event->residency.queue, absent, work) == STATUS_SUCCESS;
}

/* The request that programs make most: all of it is on the list and in place. False: it is not,
 * and nothing has changed. */
static bool count_again(struct vidmm_engine *engine, const struct vidmm_event *event,
                        uint32_t device)
{
    uint32_t index;

    for (index = 0; index < event->residency.count; index++) {
        const struct vidmm_placement *placement = find(engine, event, index, device);
        const struct vidmm_listing *listing = vidmm_listing_find(placement, device);

        if (!listing || !vidmm_residency_stands(engine, listing) || listing->count > UINT32_MAX / 2)
            return false;
    }
    for (index = 0; index < event->residency.count; index++)
        vidmm_listing_find(find(engine, event, index, device), device)->count++;
    engine->undisturbed = true;
    return true;
}

NTSTATUS vidmm_residency_make(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_work *work;
    uint32_t device;
    NTSTATUS status = judge(engine, event, MAKE_RESIDENT_FLAGS, &device);

    engine->answer = (struct vidmm_residency_answer){0, 0};
    if (status != STATUS_SUCCESS)
        return status;
    if (event->residency.flags == VIDMM_MAKE_RESIDENT_MUST_SUCCEED)
        return STATUS_INVALID_PARAMETER; /* obeys D-197: not without CantTrimFurther */
    if (count_again(engine, event, device))
        return STATUS_SUCCESS;
    if (!reserve(engine, event, device))
        return STATUS_NO_MEMORY;
    if (!is_affordable(engine, event, device)) {
        release(engine, event, device, event->residency.count);
        return refuse(engine, event, device);
    }
    if (!take_work(engine, event, device, &work)) {
        release(engine, event, device, event->residency.count);
        return STATUS_NO_MEMORY;
    }
    add(engine, event, device);
    vidmm_budget_look(engine);
    return answer(engine, event, device, work);
}

/* ---- Evict ----------------------------------------------------------------------------------- */

/* Whether each is counted as often as it is named. */
static bool are_counted(const struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint32_t index, first_wrong = event->residency.count;

    for (index = 0; index < event->residency.count; index++) {
        struct vidmm_listing *listing =
            vidmm_listing_find(find(engine, event, index, event->device), event->device);

        if (!listing || listing->noted == vidmm_listing_count(listing)) {
            first_wrong = index;
            break;
        }
        listing->noted++;
    }
    for (index = 0; index < first_wrong; index++)
        vidmm_listing_find(find(engine, event, index, event->device), event->device)->noted = 0;
    return first_wrong == event->residency.count;
}

/* The program counts it once less. `stays`: if that was the last time, it need not leave. */
static void count_less(struct vidmm_engine *engine, struct vidmm_listing *listing, bool stays)
{
    struct vidmm_placement *placement = listing->placement;

    listing->stays = stays;
    if (vidmm_listing_count(listing) == 1)
        vidmm_placement_touch(engine, placement);          /* it was in use up to now */
    if (vidmm_residency_remove(engine, listing) && !stays) /* obeys D-200 */
        vidmm_eviction_begin(engine, placement);
}

NTSTATUS vidmm_residency_evict(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    static const uint64_t none[VIDMM_SEGMENT_GROUPS];
    uint32_t flags = event->residency.flags, index;
    bool keeps = (flags & VIDMM_EVICT_KEEPS) != 0;

    engine->answer = (struct vidmm_residency_answer){0, 0};
    if (!engine->config.explicit_residency || event->device >= engine->device_capacity ||
        !engine->devices[event->device].exists || (flags & ~EVICT_FLAGS) != 0 ||
        !are_legal(engine, event, event->device) || (!keeps && !are_counted(engine, event)))
        return STATUS_INVALID_PARAMETER;
    for (index = 0; index < event->residency.count; index++) {
        struct vidmm_listing *listing =
            vidmm_listing_find(find(engine, event, index, event->device), event->device);

        if (listing && (flags & VIDMM_EVICT_NOT_WRITTEN_TO) != 0)
            vidmm_residency_clean(engine, listing); /* obeys D-200: however often it is counted */
        if (!keeps)
            count_less(engine, listing, (flags & VIDMM_EVICT_ONLY_IF_NECESSARY) != 0);
    }
    engine->answer.bytes_to_trim = vidmm_budget_excess(engine, event->device, none);
    if (engine->answer.bytes_to_trim == 0)
        engine->devices[event->device].trim.told = 0;
    return STATUS_SUCCESS;
}

/* No eviction takes it off the list from here on, or what was evicted meanwhile leaves. */
NTSTATUS vidmm_residency_hold(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, event->hold.allocation);
    struct vidmm_listing *listing =
        placement && !placement->dying ? vidmm_listing_find(placement, event->device) : NULL;
    bool held = event->hold.held != 0, stays;

    engine->answer = (struct vidmm_residency_answer){0, 0};
    if (!listing || listing->count == 0 || listing->held == held || listing->count == UINT32_MAX)
        return STATUS_INVALID_PARAMETER;
    listing->held = held; /* obeys D-203 */
    stays = listing->stays;
    if (held)
        listing->count++;
    else if (vidmm_residency_remove(engine, listing) && !stays)
        vidmm_eviction_begin(engine, placement);
    return STATUS_SUCCESS;
}

/* ---- Reclaim --------------------------------------------------------------------------------- */

NTSTATUS vidmm_residency_reclaim(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_work *work = NULL;
    uint32_t device, index;
    NTSTATUS status = judge(engine, event, 0, &device);

    engine->answer = (struct vidmm_residency_answer){0, 0};
    if (status != STATUS_SUCCESS)
        return status;
    if (!take_work(engine, event, device, &work))
        return STATUS_NO_MEMORY;
    for (index = 0; index < event->residency.count; index++)
        vidmm_offer_reclaim(engine, find(engine, event, index, device));
    return answer(engine, event, device, work);
}

/* ---- back into memory ------------------------------------------------------------------------ */

/* It leaves its aperture for a hole in the memory segment. */
static void promote(struct vidmm_engine *engine, struct vidmm_placement *placement,
                    uint32_t segment)
{
    struct vidmm_settlement settlement = {.found = FOUND};

    VIDMM_ASSERT(!engine->turn || !engine->turn->begun);
    VIDMM_ASSERT(segment >= 1 && !vidmm_segment_is_aperture(engine, segment));
    vidmm_settlement_evict(engine, placement);
    settlement.found = vidmm_room_below(engine, placement, segment, 0, &settlement);
    VIDMM_ASSERT(settlement.found == FOUND); /* it was found before */
    vidmm_settlement_apply(engine, &settlement);
    vidmm_leaving_queue(engine);
    vidmm_move_queue_in(engine, placement);
    engine->statistics.promotions++;
}

enum vidmm_progress vidmm_promote_serve(struct vidmm_engine *engine)
{
    uint32_t device, segment = 0;

    if (!engine->room_freed || (engine->turn && engine->turn->begun) || engine->moves.first ||
        engine->unmaps.first || engine->rest->stage != REST_NONE)
        return PROGRESS_IDLE;
    for (device = 0; device < engine->device_capacity; device++) {
        struct vidmm_placement *placement = NULL;

        if (engine->devices[device].exists && !engine->devices[device].list.suspended)
            placement = vidmm_listed_promotes(engine, device, &segment);
        if (placement && placement->lent) { /* where it stays if a lock is held: no SHOW is due */
            if (!vidmm_plan_has_room(engine))
                return PROGRESS_WAIT;
            vidmm_claim_call(engine, placement);
            return PROGRESS_CALL;
        }
        if (placement) {
            promote(engine, placement, segment);
            return PROGRESS_MADE;
        }
    }
    engine->room_freed = false;
    return PROGRESS_IDLE;
}
