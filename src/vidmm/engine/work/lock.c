/* lock.c: the slow half of Lock: a request is answered when the CPU can have what it asks for.
 *
 *     LOCK --> is the GPU done with it?  is it where the CPU can see it?  in the CPU's order?
 *                 |  no: later             |  no: it is evicted, fetched into a memory segment, or
 *                 |                        |      a swizzling range is got for it, and then later
 *                 '---------------------------------------------------> GRANT
 *
 * A swizzled allocation that no memory segment holds is *fetched*: brought into one as a DMA buffer
 * that names it would be, and unswizzled on its way out again.
 *
 * With explicit residency the GPU's use is in nobody's way, and reach.h says from where the CPU can
 * have the allocation.
 *
 * Invariant (L1, L3 and L4 are in claim.c; Y3, that at most one request fetches, is in swizzle.c)
 * L2. A request is answered when no DMA buffer names the placement, unless it is one that ignores
 *     that, and no move of it is under way.
 */
#include "vidmm/engine/work/lock.h"

#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/host_aperture.h"
#include "vidmm/engine/carry/leaving.h"
#include "vidmm/engine/carry/posted.h"
#include "vidmm/engine/carry/swizzling_range.h"
#include "vidmm/engine/decide/room.h"
#include "vidmm/engine/decide/settlement.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/host_mapping.h"
#include "vidmm/engine/state/lock_table.h"
#include "vidmm/engine/state/place.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/reach.h"
#include "vidmm/engine/state/recovery_state.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/swizzle.h"
#include "vidmm/engine/state/wish.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/arbiter.h"
#include "vidmm/engine/work/suspension.h"
#include "vidmm/engine/work/work.h"

NTSTATUS vidmm_lock_request(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, event->lock.allocation);
    struct vidmm_lock_request *request;

    if (!placement || placement->dying || placement->buffer || event->lock.request == 0)
        return STATUS_INVALID_PARAMETER;
    if (event->lock.flags == VIDMM_LOCKING_LOCK2 && !engine->config.explicit_residency)
        return STATUS_INVALID_PARAMETER;
    if ((placement->wish.flags & VIDMM_CPU_VISIBLE) == 0 &&
        event->lock.flags != VIDMM_LOCKING_LOCK2)
        return STATUS_INVALID_PARAMETER; /* obeys S0-004, S3-004 */
    if (vidmm_placement_has_offer(placement))
        return STATUS_INVALID_PARAMETER; /* obeys D-155 */
    if (vidmm_device_record_status(engine, placement->device) == STATUS_DEVICE_REMOVED)
        return STATUS_DEVICE_REMOVED; /* obeys D-244 */
    request = engine->memory.allocate(engine->memory.context, sizeof(*request));
    if (!request)
        return STATUS_NO_MEMORY;
    request->request = event->lock.request;
    request->wait = event->lock.wait != 0;
    request->flags = event->lock.flags;
    request->data = event->lock.data;
    request->placement = placement;
    request->next = engine->lock_requests;
    engine->lock_requests = request;
    engine->locks_may_go = true;
    return STATUS_SUCCESS;
}

static bool keeps_copy(const struct vidmm_placement *placement)
{
    return (placement->wish.flags & VIDMM_KEEPS_COPY) != 0; /* obeys S0-033 */
}

/* Whether the CPU can reach the content where it is. */
static bool in_reach(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    if (!vidmm_place_is_memory(&placement->at) || vidmm_placement_is_swizzled(placement))
        return vidmm_swizzle_is_linear(engine, placement); /* obeys S2-019 */
    if (keeps_copy(placement)) /* the backing store is as good: obeys S0-012, S3-008 */
        return !placement->dirty && !vidmm_residency_wrote(engine, placement);
    if (engine->config.explicit_residency)
        return vidmm_reach_is_visible(engine, placement, placement->at.segment) ||
               vidmm_host_is_mapped(engine, placement); /* obeys S2-023 */
    return engine->config.segments[placement->at.segment].cpu_visible &&
           placement->at.runs == 0 && /* one pointer leads to one range */
           !engine->config.segments[placement->at.segment]
                .pitch_aligned; /* other rows than the pointer's */
}

static void answer(struct vidmm_engine *engine, const struct vidmm_lock_request *request,
                   NTSTATUS status)
{
    struct vidmm_placement *placement = request->placement;
    uint32_t range = status == STATUS_SUCCESS ? vidmm_swizzling_find(engine, request) : 0;
    struct vidmm_operation *grant;

    VIDMM_ASSERT(status != STATUS_PENDING);
    if (status == STATUS_SUCCESS && vidmm_place_is_nowhere(&placement->at)) {
        vidmm_emit(engine, VIDMM_DO_CLEAR)->allocation = placement->id;
        placement->at = vidmm_place_system();
        vidmm_swizzle_cleared(placement);
    }
    grant = vidmm_emit(engine, VIDMM_DO_GRANT);
    grant->allocation = placement->id;
    grant->grant.request = request->request;
    grant->grant.status = (uint32_t)status;
    if (status != STATUS_SUCCESS) {
        if (request->leaves && placement->staged)
            vidmm_reach_unlock(engine, placement);
        return;
    }
    if ((request->flags & VIDMM_LOCKING_SET_UP) != 0) {
        grant->grant.flags = VIDMM_GRANT_SET_UP;
        return; /* obeys S0-049: the range alone */
    }
    VIDMM_ASSERT(vidmm_placement_is_still(placement)); /* L2 */
    vidmm_claim_forget(engine, placement); /* the face shows the place that is granted */
    placement->apart |= placement->references > 0;
    grant->grant.flags = placement->apart ? VIDMM_GRANT_APART : 0;
    if (!vidmm_place_is_memory(&placement->at)) {
        grant->grant.flags |= placement->staged ? VIDMM_GRANT_STAGED : 0;
        if (engine->config.explicit_residency && keeps_copy(placement))
            grant->grant.flags |= VIDMM_GRANT_COPY; /* there may be one before the unlock */
        vidmm_host_release(engine, placement);
        vidmm_reach_lend(engine, placement);
        return;
    }
    if (keeps_copy(placement)) {
        grant->grant.flags |= VIDMM_GRANT_COPY;
        return;
    }
    grant->grant.place = vidmm_place_tell(&placement->at);
    vidmm_lock_change(engine, placement, LOCK_GRANT);
    vidmm_host_renew(engine, placement);
    if (range != 0) {
        vidmm_swizzling_lock(engine, placement, range);
        grant->grant.range = range;
        grant->grant.flags |=
            VIDMM_GRANT_RANGED | (placement->alternate ? VIDMM_GRANT_ALTERNATE : 0);
    }
}

/* Whether a memory segment is to have it for a lock that was refused meanwhile: then nothing else
 * may show it. */
static bool is_fetched(const struct vidmm_engine *engine, const struct vidmm_placement *placement)
{
    const struct vidmm_context_queue *queue = vidmm_arbiter_find(engine, 0);
    const struct vidmm_work *work = queue ? queue->works.first : NULL;

    while (work && !(work->fetch && work->references[0].placement == placement))
        work = work->next;
    return work != NULL;
}

/* Whether the GPU's use is in the way of the lock. The lock may ignore a use by the GPU if an
 * aperture shows the allocation, and nothing else may show it as long as both use it. */
static bool is_used(const struct vidmm_engine *engine, const struct vidmm_lock_request *request)
{
    const struct vidmm_placement *placement = request->placement;
    uint32_t sets = vidmm_placement_set(placement, false) & vidmm_placement_set(placement, true);
    bool apart = !vidmm_place_is_memory(&placement->at) && (sets & vidmm_apertures(engine)) != 0 &&
                 !vidmm_placement_is_swizzled(placement);

    if (engine->config.explicit_residency)
        return false; /* obeys S2-001 */
    apart = apart && (placement->references == 0 || !is_fetched(engine, placement));
    if (apart && (request->flags & VIDMM_LOCKING_IGNORE_ALL) != 0)
        return false; /* obeys D-150 */
    if (apart && (request->flags & VIDMM_LOCKING_IGNORE_READS) != 0)
        return placement->writers > 0; /* obeys D-151 */
    return placement->references > 0;
}

/* Whether the lock can be had as things are; a swizzling range makes even tiles linear. */
static bool is_reachable(const struct vidmm_engine *engine,
                         const struct vidmm_lock_request *request)
{
    const struct vidmm_placement *placement = request->placement;
    bool alternate = (request->flags & VIDMM_LOCKING_ALTERNATE) != 0;
    bool ranged = (request->flags & VIDMM_LOCKING_APERTURE) != 0 && !keeps_copy(placement) &&
                  vidmm_place_is_memory(&placement->at);

    if (ranged && vidmm_swizzling_find(engine, request) != 0)
        return true;
    if (alternate || (ranged && vidmm_swizzling_may_serve(engine, request)))
        return false;                   /* it has to be in a segment; a range is to be got first */
    return in_reach(engine, placement); /* nothing has to leave for want of a range: D-152 */
}

/* ---- deciding -------------------------------------------------------------------------------- */

/* The first thing to do for a lock before it can be granted. */
enum first_step {
    FIRST_NOTHING,   /* something ends first, or the answer is due */
    FIRST_PUSH,      /* the GPU's writes are pushed through a bridge */
    FIRST_GET_RANGE, /* a swizzling range is got */
    FIRST_GET_HOST,  /* pages of the CPU host aperture are got, and mapped */
    FIRST_FETCH,     /* it is brought into a memory segment, to be unswizzled on its way out */
    FIRST_CLAIM,     /* it is claimed; then ask again */
    FIRST_EVICT,     /* it leaves */
};

/* The result of a look at a request. */
struct decision {
    enum first_step step;
    NTSTATUS answer; /* STATUS_PENDING: not yet */
};

static struct decision answer_with(NTSTATUS status)
{
    return (struct decision){FIRST_NOTHING, status};
}

/* A caller that does not wait is told that the allocation is busy, and the step is taken all the
 * same. */
static struct decision wait_for(const struct vidmm_lock_request *request, enum first_step step)
{
    VIDMM_ASSERT(step != FIRST_CLAIM); /* a claim is answered before anything ends */
    return (struct decision){step,
                             request->wait ? STATUS_PENDING : STATUS_GRAPHICS_ALLOCATION_BUSY};
}

/* The content has to leave for the lock. A placement that was granted alone before is claimed
 * first, as always when a place is taken away (L1). */
static struct decision fetch_out(const struct vidmm_lock_request *request)
{
    const struct vidmm_placement *placement = request->placement;

    VIDMM_ASSERT(vidmm_place_is_memory(&placement->at));
    if (vidmm_placement_is_locked(placement) || vidmm_placement_is_followed(placement))
        return answer_with(STATUS_INVALID_PARAMETER); /* obeys D-156: somebody was faster */
    if (vidmm_claim_state(placement) == FOUND_CALL)
        return (struct decision){FIRST_CLAIM, STATUS_PENDING};
    return wait_for(request, FIRST_EVICT);
}

static bool another_fetches(const struct vidmm_engine *engine,
                            const struct vidmm_lock_request *request)
{
    const struct vidmm_lock_request *other = engine->lock_requests;

    while (other && (!other->fetches || other == request))
        other = other->next;
    return other != NULL;
}

static struct decision fetch_in(const struct vidmm_engine *engine,
                                const struct vidmm_lock_request *request)
{
    VIDMM_ASSERT(!vidmm_place_is_memory(&request->placement->at));
    if (!vidmm_swizzle_may_unswizzle(engine, request->placement))
        return answer_with(STATUS_GRAPHICS_CANT_LOCK_MEMORY);
    return wait_for(request,
                    another_fetches(engine, request) ? FIRST_NOTHING : FIRST_FETCH); /* Y3 */
}

/* Whether somebody else than the CPU has it, or its place is changing. */
static bool is_busy(const struct vidmm_engine *engine, const struct vidmm_lock_request *request)
{
    const struct vidmm_placement *placement = request->placement;

    return is_used(engine, request) || !vidmm_placement_is_still(placement) || placement->leaving ||
           /* out of everybody's reach until the power is back */
           (engine->rest->stage != REST_NONE && vidmm_place_is_memory(&placement->at));
}

/* With explicit residency: it has to leave its memory segment, and may if an aperture can show it
 * to those who want it in place. */
static struct decision stage(const struct vidmm_engine *engine,
                             const struct vidmm_lock_request *request)
{
    const struct vidmm_placement *placement = request->placement;
    bool bridged = (vidmm_placement_set(placement, true) & vidmm_apertures(engine)) != 0;

    VIDMM_ASSERT(engine->config.explicit_residency && vidmm_place_is_memory(&placement->at));
    if (vidmm_residency_is_counted(placement) && !bridged && !keeps_copy(placement))
        return answer_with(STATUS_GRAPHICS_CANT_LOCK_MEMORY); /* obeys S2-017, S2-020 */
    if (!vidmm_room_is_victim(engine, placement))
        return wait_for(request, FIRST_NOTHING); /* its device's turn, or its end, goes first */
    return wait_for(request, FIRST_EVICT);
}

/* The lock cannot be had where the content is: it has to move. Nothing else is in the way. */
static struct decision consider_move(const struct vidmm_engine *engine,
                                     const struct vidmm_lock_request *request)
{
    const struct vidmm_placement *placement = request->placement;

    VIDMM_ASSERT(!is_busy(engine, request));
    if (!vidmm_place_is_memory(&placement->at))
        return fetch_in(engine, request);                /* the GPU's order, in a backing store */
    if ((request->flags & VIDMM_LOCKING_ALTERNATE) != 0) /* nothing else would do */
        return answer_with(STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE);
    if (vidmm_wish_is_pinned(&placement->wish)) /* obeys S0-042, D-158 */
        return answer_with(STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION);
    if ((request->flags & VIDMM_LOCKING_DONOT_EVICT) != 0)
        return answer_with(STATUS_GRAPHICS_CANT_LOCK_MEMORY); /* obeys D-152 */
    if (engine->config.explicit_residency && vidmm_claim_state(placement) == FOUND)
        return stage(engine, request);
    return fetch_out(request);
}

/* Whether the client is being asked to claim its place: the answer, that no lock was held, would
 * close the place behind a grant (L1). */
static bool is_being_claimed(const struct vidmm_engine *engine,
                             const struct vidmm_lock_request *request)
{
    return engine->call == CALL_CLAIM && engine->call_claim == request->placement;
}

/* The thing to do for the request now; changes nothing. */
static struct decision consider(const struct vidmm_engine *engine,
                                const struct vidmm_lock_request *request)
{
    const struct vidmm_placement *placement = request->placement;
    bool busy = is_busy(engine, request);

    if (placement->dying || vidmm_placement_has_offer(placement))
        return answer_with(STATUS_INVALID_PARAMETER); /* obeys D-155 */
    if (vidmm_device_record_status(engine, placement->device) == STATUS_DEVICE_REMOVED)
        return answer_with(STATUS_DEVICE_REMOVED); /* obeys D-244 */
    if (placement->lock_range != 0)
        return answer_with(STATUS_INVALID_PARAMETER); /* obeys D-156 */
    if (is_being_claimed(engine, request))
        return (struct decision){FIRST_NOTHING, STATUS_PENDING}; /* even with DonotWait */
    if (!busy && is_reachable(engine, request)) {
        return vidmm_posted_is_due(engine, placement)
                   ? wait_for(request, FIRST_PUSH) /* obeys S4-036, S4-038 */
                   : answer_with(STATUS_SUCCESS);  /* L2 */
    }
    if (!busy && vidmm_swizzling_may_serve(engine, request)) /* PENDING even with DonotWait: */
        return (struct decision){FIRST_GET_RANGE, STATUS_PENDING}; /* no GPU is waited for */
    if (!busy && vidmm_host_aperture_may_serve(engine, request))
        return (struct decision){FIRST_GET_HOST, STATUS_PENDING}; /* even with DonotWait */
    if (request->status != STATUS_SUCCESS)
        return answer_with(request->status);
    return busy ? wait_for(request, FIRST_NOTHING) : consider_move(engine, request);
}

/* ---- doing it -------------------------------------------------------------------------------- */

static void evict(struct vidmm_engine *engine, struct vidmm_lock_request *request)
{
    struct vidmm_placement *placement = request->placement;

    VIDMM_ASSERT(vidmm_place_is_memory(&placement->at) && placement->moves->out.state == MOVE_IDLE);
    request->leaves = true;
    placement->staged = engine->config.explicit_residency && !keeps_copy(placement);
    placement->unswizzles = true;
    vidmm_settlement_evict(engine, placement);
    vidmm_leaving_queue(engine);
}

/* Take the step that was decided. `work` is what a fetch takes. */
static void take_step(struct vidmm_engine *engine, struct vidmm_lock_request *request,
                      enum first_step step, struct vidmm_work *work)
{
    struct vidmm_placement *placement = request->placement;

    VIDMM_ASSERT((step == FIRST_FETCH) == (work != NULL));
    switch (step) {
    case FIRST_NOTHING:
        return;
    case FIRST_PUSH:
        vidmm_posted_push(engine, placement);
        return;
    case FIRST_GET_RANGE:
        request->wants_range = true;
        return;
    case FIRST_GET_HOST:
        request->wants_host = true;
        return;
    case FIRST_FETCH:
        vidmm_work_create_fetch(engine, placement, request->request, work);
        request->fetches = true;
        return;
    case FIRST_CLAIM:
        if (engine->call == CALL_NONE && vidmm_plan_has_room(engine))
            vidmm_claim_call(engine, placement); /* else it is decided again */
        return;
    case FIRST_EVICT:
        evict(engine, request);
        return;
    }
}

bool vidmm_lock_serve(struct vidmm_engine *engine)
{
    struct vidmm_lock_request **link;
    bool call = false;

    if (!engine->locks_may_go)
        return false;
    for (link = &engine->lock_requests; *link; link = &(*link)->next) {
        struct vidmm_lock_request *request = *link;
        struct decision decision;
        struct vidmm_work *work = NULL;

        if (request->wait && is_used(engine, request))
            vidmm_suspension_end_for(engine, request->placement);
        decision = consider(engine, request);
        if (decision.step == FIRST_FETCH &&
            vidmm_work_check_fetch(engine, request->placement, &work) != STATUS_SUCCESS)
            decision = answer_with(STATUS_NO_MEMORY);
        take_step(engine, request, decision.step, work);
        call = call || decision.step == FIRST_CLAIM || is_being_claimed(engine, request);
        if (decision.answer != STATUS_PENDING) {
            answer(engine, request, decision.answer);
            *link = request->next;
            engine->memory.free(engine->memory.context, request);
            return true;
        }
    }
    engine->locks_may_go = call; /* again, when the call that is under way has been answered */
    return false;
}

void vidmm_lock_unlocked(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    if (vidmm_placement_is_locked(placement))
        vidmm_lock_change(engine, placement, LOCK_UNLOCK);
    placement->apart = false;
    if (placement->staged)
        vidmm_reach_unlock(engine, placement);
    vidmm_swizzling_unlock(engine, placement);
    if (placement->purged) {
        placement->purged = false;
        vidmm_placement_unsettle(engine, placement);
    }
    VIDMM_ASSERT(!vidmm_placement_is_locked(placement) && !placement->purged);
}
