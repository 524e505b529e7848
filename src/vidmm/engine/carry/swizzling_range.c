/* swizzling_range.c: hardware apertures through which the CPU sees content in linear order, and
 * whose they are.
 *
 *                acquire                          unlock
 *      free --------------> owned, locked ---------------> owned, cached
 *       ^                        |     ^---- lock, same data ----'  |
 *       '--- release ------------'----------------------------------'
 *            the owner leaves its place; it is destroyed; another lock needs the range (a cached
 *            one); the adapter is reset, or loses its power
 *
 * A lock with AcquireAperture of what is in a memory segment that the CPU sees is given a range:
 * one that the allocation has for the same data already, a free one, or the cached one that was not
 * locked for longest. If the driver cannot set it up for want of means, a cached one is released
 * and it is asked again, until none is left. Without a range the content is evicted, unswizzled,
 * and the lock is of the backing store; a placement that is in order where it is stays there.
 *
 * A locked range stays until its owner has to leave; then the claim keeps the CPU off, the range is
 * released, and the addresses show what has been unswizzled.
 *
 * Invariants
 * H1. The driver has set up the ranges that have an owner, and no others, apart from the call under
 *     way.
 * H2. `ranges` of a placement counts those that it owns; `lock_range` is the locked one, and 1
 *     more.
 * H3. A placement that owns a range does not go, and does not change its place.
 *
 * Source: DXGKDDI_ACQUIRESWIZZLINGRANGE, DXGKDDI_RELEASESWIZZLINGRANGE, "Locking swizzled
 * allocations".
 */
#include "vidmm/engine/carry/swizzling_range.h"

#include <base/assert.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/dying.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/lock_table.h"
#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/standstill.h"
#include "wddm/rule.h"

#define NO_RANGE UINT32_MAX

static bool is_settled(const struct vidmm_placement *placement)
{
    return placement->references == 0 && vidmm_placement_is_still(placement) &&
           !placement->leaving && !placement->dying;
}

/* An alternate address leads wherever the driver wants. */
static bool is_alternate(const struct vidmm_lock_request *request)
{
    return (request->flags & VIDMM_LOCKING_ALTERNATE) != 0;
}

/* Whether the lock is one for a swizzling range. */
static bool is_for_range(const struct vidmm_engine *engine,
                         const struct vidmm_lock_request *request)
{
    const struct vidmm_placement *placement = request->placement;

    return engine->config.swizzling_ranges > 0 && !request->no_range &&
           (request->flags & VIDMM_LOCKING_APERTURE) != 0 &&
           vidmm_place_is_memory(&placement->at) && placement->at.runs == 0 &&
           (placement->wish.flags & VIDMM_KEEPS_COPY) == 0 &&
           !engine->config.segments[placement->at.segment]
                .pitch_aligned && /* its rows are not the pointer's */
           (is_alternate(request) || engine->config.segments[placement->at.segment].cpu_visible);
}

bool vidmm_swizzling_may_serve(const struct vidmm_engine *engine,
                               const struct vidmm_lock_request *request)
{
    return !engine->faults.no_swizzling && is_for_range(engine, request);
}

/* Whether the driver is being asked about the range. */
static bool is_in_call(const struct vidmm_engine *engine, uint32_t index)
{
    return (engine->call == CALL_ACQUIRE || engine->call == CALL_RELEASE) &&
           engine->call_range == index;
}

static uint32_t find(const struct vidmm_engine *engine, const struct vidmm_placement *placement,
                     uint32_t data, bool alternate)
{
    uint32_t index;

    for (index = 0; index < engine->config.swizzling_ranges; index++)
        if (engine->ranges[index].owner == placement && engine->ranges[index].data == data &&
            engine->ranges[index].alternate == alternate && !is_in_call(engine, index))
            return index;
    return NO_RANGE;
}

uint32_t vidmm_swizzling_find(const struct vidmm_engine *engine,
                              const struct vidmm_lock_request *request)
{
    return is_for_range(engine, request)
               ? find(engine, request->placement, request->data, is_alternate(request)) + 1
               : 0;
}

void vidmm_swizzling_lock(struct vidmm_engine *engine, struct vidmm_placement *placement,
                          uint32_t range)
{
    VIDMM_ASSERT(range >= 1 && range <= engine->config.swizzling_ranges);
    VIDMM_ASSERT(engine->ranges[range - 1].owner == placement);
    placement->lock_range = (uint8_t)range;
    placement->alternate = engine->ranges[range - 1].alternate;
    if (placement->alternate) {
        placement->alternate_range = (uint8_t)range;
        placement->alternate_data = engine->ranges[range - 1].data;
    }
    engine->ranges[range - 1].locked = true;
    engine->ranges[range - 1].used = ++engine->range_uses;
}

void vidmm_swizzling_unlock(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (placement->lock_range != 0) {
        engine->ranges[placement->lock_range - 1].locked = false;
        placement->lock_range = 0;
        placement->alternate = false;
        vidmm_lock_change(engine, placement, LOCK_CLOSE); /* nobody has its address */
        engine->locks_may_go = true;
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

static enum vidmm_progress hand_out(struct vidmm_engine *engine, uint32_t kind, uint32_t index)
{
    const struct vidmm_swizzling_range *range = &engine->ranges[index];
    const struct vidmm_placement *owner = range->owner;
    struct vidmm_operation *operation = vidmm_emit(engine, kind);

    VIDMM_ASSERT(engine->call == CALL_NONE);
    VIDMM_ASSERT(index < engine->config.swizzling_ranges);
    operation->allocation = owner->id;
    operation->range.range = index + 1;
    operation->range.data = range->data;
    operation->range.alternate = range->alternate;
    operation->range.size = owner->wish.size;
    operation->range.place = vidmm_place_tell(&owner->at);
    engine->call = kind == VIDMM_DO_ACQUIRE_RANGE ? CALL_ACQUIRE : CALL_RELEASE;
    engine->call_range = index;
    return PROGRESS_CALL;
}

static enum vidmm_progress release(struct vidmm_engine *engine, uint32_t index)
{
    struct vidmm_swizzling_range *range = &engine->ranges[index];

    VIDMM_ASSERT(range->owner && range->owner->ranges > 0);
    if (!vidmm_plan_has_room(engine))
        return PROGRESS_WAIT;
    if (range->locked) {
        range->owner->lock_range = 0;
        range->owner->alternate = false;
        range->locked = false;
    }
    return hand_out(engine, VIDMM_DO_RELEASE_RANGE, index);
}

enum vidmm_progress vidmm_swizzling_vacate(struct vidmm_engine *engine,
                                           const struct vidmm_placement *placement)
{
    uint32_t index;

    for (index = 0; placement->ranges > 0 && index < engine->config.swizzling_ranges; index++)
        if (engine->ranges[index].owner == placement)
            return release(engine, index); /* H3 */
    return PROGRESS_IDLE;
}

enum vidmm_progress vidmm_swizzling_release_all(struct vidmm_engine *engine)
{
    uint32_t index;

    for (index = 0; index < engine->config.swizzling_ranges; index++)
        if (engine->ranges[index].owner)
            return release(engine, index);
    return PROGRESS_IDLE;
}

/* Whether a special-lock transfer takes it away, by the range that it has (S4-050). */
static bool leaves_by_range(const struct vidmm_placement *owner)
{
    return owner->moves->out.state != MOVE_IDLE && owner->moves->out.list == LIST_SPECIAL_OUT;
}

/* A placement that left by a special-lock transfer keeps its range until that is done. */
static bool is_over(const struct vidmm_placement *owner)
{
    return (owner->dying && !leaves_by_range(owner)) ||
           (owner->away && !vidmm_place_is_segment(&owner->at) &&
            owner->moves->out.state == MOVE_IDLE);
}

static enum vidmm_progress release_of_gone(struct vidmm_engine *engine)
{
    uint32_t index;

    for (index = 0; index < engine->config.swizzling_ranges; index++)
        if (engine->ranges[index].owner && is_over(engine->ranges[index].owner))
            return release(engine, index);
    return PROGRESS_IDLE;
}

static uint32_t find_free(const struct vidmm_engine *engine)
{
    uint32_t index;

    for (index = 0; index < engine->config.swizzling_ranges; index++)
        if (!engine->ranges[index].owner)
            return index;
    return NO_RANGE;
}

/* The one that was not locked for longest. */
static uint32_t find_cached(const struct vidmm_engine *engine)
{
    uint32_t index, oldest = NO_RANGE;

    for (index = 0; index < engine->config.swizzling_ranges; index++) {
        const struct vidmm_swizzling_range *range = &engine->ranges[index];

        if (range->owner && !range->locked && !leaves_by_range(range->owner) &&
            (oldest == NO_RANGE || range->used < engine->ranges[oldest].used))
            oldest = index;
    }
    return oldest;
}

/* The lock goes on without: it is looked at again. */
static void give_up(struct vidmm_engine *engine, struct vidmm_lock_request *request, bool for_good)
{
    request->wants_range = false;
    request->no_range = for_good;
    engine->locks_may_go = true;
}

/* The next call on the way to a range for the lock. MADE: there is none to be had. */
static enum vidmm_progress serve(struct vidmm_engine *engine, struct vidmm_lock_request *request)
{
    uint32_t index = request->range_failed ? NO_RANGE : find_free(engine);

    if (!vidmm_plan_has_room(engine))
        return PROGRESS_WAIT;
    if (!is_settled(request->placement) || !vidmm_swizzling_may_serve(engine, request)) {
        give_up(engine, request, false);
        return PROGRESS_MADE;
    }
    if (index != NO_RANGE) {
        engine->ranges[index].owner = request->placement;
        engine->ranges[index].data = request->data;
        engine->ranges[index].alternate = is_alternate(request);
        request->placement->ranges++; /* H2 */
        return hand_out(engine, VIDMM_DO_ACQUIRE_RANGE, index);
    }
    request->range_failed = false;
    index = find_cached(engine);
    if (index == NO_RANGE) {
        give_up(engine, request, true);
        return PROGRESS_MADE;
    }
    return release(engine, index); /* obeys D-161 */
}

enum vidmm_progress vidmm_swizzling_call(struct vidmm_engine *engine)
{
    struct vidmm_lock_request *request = engine->lock_requests;
    enum vidmm_progress progress = release_of_gone(engine);

    while (request && !request->wants_range)
        request = request->next;
    return progress != PROGRESS_IDLE || !request ? progress : serve(engine, request);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void disown(struct vidmm_engine *engine, uint32_t index)
{
    struct vidmm_placement *owner = engine->ranges[index].owner;

    VIDMM_ASSERT(owner && owner->ranges > 0);
    engine->ranges[index] = (struct vidmm_swizzling_range){0};
    owner->ranges--;
    engine->locks_may_go = true;
    vidmm_dying_reconsider(engine, owner);
}

/* The lock for which the range was to be; it may have been answered meanwhile. */
static struct vidmm_lock_request *find_request(const struct vidmm_engine *engine, uint32_t index)
{
    struct vidmm_lock_request *request = engine->lock_requests;

    while (request && (!request->wants_range || request->placement != engine->ranges[index].owner ||
                       request->data != engine->ranges[index].data))
        request = request->next;
    return request;
}

VIDMM_SEES(D_161);
static void acquired(struct vidmm_engine *engine, uint32_t index, NTSTATUS status, uint64_t size)
{
    struct vidmm_lock_request *request = find_request(engine, index);

    VIDMM_ASSERT(index < engine->config.swizzling_ranges);
    if (status == STATUS_SUCCESS) {
        engine->ranges[index].used = ++engine->range_uses;
        if (engine->ranges[index].alternate)
            engine->ranges[index].owner->alternate_pages = (uint32_t)(size / VIDMM_PAGE_SIZE);
        if (request)
            give_up(engine, request, false); /* it finds it now */
        return;
    }
    disown(engine, index);
    if (status == STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE && request)
        request->range_failed = true;
    else if (status == STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED && request)
        give_up(engine, request, true);
    else if (status != STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE &&
             status != STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED)
        vidmm_engine_fail(engine, VIDMM_REASON_ACQUIRE_STATUS, status);
}

NTSTATUS vidmm_swizzling_answer(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    NTSTATUS status = (NTSTATUS)event->ranged.status;
    enum vidmm_call call = engine->call;

    if (call != CALL_ACQUIRE && call != CALL_RELEASE)
        return STATUS_INVALID_PARAMETER;
    engine->call = CALL_NONE;
    if (call == CALL_ACQUIRE)
        acquired(engine, engine->call_range, status, event->ranged.size);
    else if (status == STATUS_SUCCESS)
        disown(engine, engine->call_range);
    else
        vidmm_engine_fail(engine, VIDMM_REASON_RELEASE_STATUS, status);
    return STATUS_SUCCESS;
}

void vidmm_swizzling_check(const struct vidmm_engine *engine)
{
    uint32_t index, id, owned = 0;

    for (index = 0; index < engine->config.swizzling_ranges; index++) {
        const struct vidmm_swizzling_range *range = &engine->ranges[index];

        owned += range->owner ? 1 : 0;
        VIDMM_VERIFY(!range->locked || (range->owner && range->owner->lock_range == index + 1));
    }
    for (id = 0; id < engine->placement_capacity; id++) {
        const struct vidmm_placement *placement = engine->placements[id];

        if (placement) {
            owned -= placement->ranges;
            VIDMM_VERIFY(placement->lock_range == 0 ||
                         engine->ranges[placement->lock_range - 1].owner == placement); /* H2 */
            VIDMM_VERIFY(placement->ranges == 0 || vidmm_place_is_segment(&placement->at) ||
                         placement->moves->out.state != MOVE_IDLE || placement->dying ||
                         placement->away || vidmm_reset_rests(engine)); /* H3 */
        }
    }
    VIDMM_VERIFY(owned == 0); /* H2 */
}
