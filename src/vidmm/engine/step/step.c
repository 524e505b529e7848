/* step.c: an event in, a plan out.
 *
 * A step checks the event, takes it in, and then goes on as far as it can: it draws the
 * consequences of what has ended (retire, finish, bury, grant), and hands out the next call if none
 * is under way. Consequences wait in lists that need no memory, so a plan that is full simply goes
 * on in the next step.
 *
 * Invariants
 * E1. At most one call is under way, and it is the last operation of its plan.
 * E2. Nothing waits for a fence while a paging buffer is open: it is submitted first.
 * E3. After any answer of vidmm_step() but STATUS_SUCCESS the engine is as it was, apart from what
 *     a plan of the same step carries (consequences that were due anyway).
 * E4. An engine that is idle has nothing to do.
 */
#include "vidmm/engine/state/engine_state.h"

#include <base/assert.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/carry/finish.h"
#include "vidmm/engine/carry/host_aperture.h"
#include "vidmm/engine/carry/paging.h"
#include "vidmm/engine/carry/paging_buffer.h"
#include "vidmm/engine/carry/refresh.h"
#include "vidmm/engine/carry/segment_read.h"
#include "vidmm/engine/carry/show.h"
#include "vidmm/engine/carry/swizzling_range.h"
#include "vidmm/engine/carry/table_tell.h"
#include "vidmm/engine/carry/table_write.h"
#include "vidmm/engine/recover/preempt.h"
#include "vidmm/engine/recover/recovery.h"
#include "vidmm/engine/recover/reset.h"
#include "vidmm/engine/recover/rest.h"
#include "vidmm/engine/state/budget.h"
#include "vidmm/engine/state/claim.h"
#include "vidmm/engine/state/companion.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/state/fence_object.h"
#include "vidmm/engine/state/fence_state.h"
#include "vidmm/engine/state/host_state.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/offer.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/recovery_state.h"
#include "vidmm/engine/state/residency_list.h"
#include "vidmm/engine/state/standstill.h"
#include "vidmm/engine/state/test_faults.h"
#include "vidmm/engine/work/address_change.h"
#include "vidmm/engine/work/arbiter.h"
#include "vidmm/engine/work/burial.h"
#include "vidmm/engine/work/cancel.h"
#include "vidmm/engine/work/compact.h"
#include "vidmm/engine/work/context_request.h"
#include "vidmm/engine/work/discard.h"
#include "vidmm/engine/work/display.h"
#include "vidmm/engine/work/evict_all.h"
#include "vidmm/engine/work/eviction.h"
#include "vidmm/engine/work/fence_queue.h"
#include "vidmm/engine/work/landing.h"
#include "vidmm/engine/work/lock.h"
#include "vidmm/engine/work/make_resident.h"
#include "vidmm/engine/work/paging_queue.h"
#include "vidmm/engine/work/prepare.h"
#include "vidmm/engine/work/property.h"
#include "vidmm/engine/work/submit.h"
#include "vidmm/engine/work/suspension.h"
#include "vidmm/engine/work/trim_interval.h"
#include "vidmm/engine/work/work.h"

/* ---- going on -------------------------------------------------------------------------------- */

/* One attempt to hand out a call for the DMA buffer at the head. */
static enum vidmm_progress try_work(struct vidmm_engine *engine)
{
    enum vidmm_progress progress;
    enum vidmm_found found;

    if (engine->turn->fences)
        return vidmm_fence_queue_turn(engine);
    found = vidmm_prepare(engine);
    if (found == FOUND_CALL)
        return PROGRESS_CALL;
    if (found == FOUND_NONE || engine->moves.first || engine->unmaps.first)
        return PROGRESS_MADE; /* it was dropped, or moves are to be built first */
    if (found == FOUND_LATER)
        return PROGRESS_WAIT;
    /* E2. A value that a paging buffer writes may stand in the one that is open. */
    progress = vidmm_paging_queue_is_written(engine, engine->turn->paging_queue)
                   ? PROGRESS_IDLE
                   : vidmm_paging_flush(engine);
    return progress == PROGRESS_IDLE ? vidmm_submit_work(engine) : progress;
}

/* One attempt to hand out a call. IDLE: there is nothing to do. */
static enum vidmm_progress try_call(struct vidmm_engine *engine)
{
    enum vidmm_progress progress = vidmm_recovery_call(engine);

    vidmm_suspension_look(engine);
    if (progress == PROGRESS_IDLE && engine->reset->stage != RESET_NONE)
        return vidmm_reset_call(engine);
    if (progress == PROGRESS_IDLE)
        progress = vidmm_cancel_call(engine);
    if (progress == PROGRESS_IDLE)
        progress = vidmm_swizzling_call(engine);
    if (progress == PROGRESS_IDLE)
        progress = vidmm_host_aperture_call(engine);
    if (progress == PROGRESS_IDLE)
        progress = vidmm_preempt_resubmit(engine); /* obeys D-084 */
    if (progress == PROGRESS_IDLE && vidmm_adapter_rests(engine))
        return PROGRESS_WAIT; /* Q1 */
    if (progress == PROGRESS_IDLE && engine->alone > 0) {
        progress = vidmm_paging_flush(engine);
        return progress == PROGRESS_IDLE ? PROGRESS_WAIT : progress; /* obeys D-144 */
    }
    if (progress == PROGRESS_IDLE)
        progress = vidmm_paging_go_on(engine);
    if (progress == PROGRESS_IDLE)
        progress = vidmm_table_write(engine);
    if (progress == PROGRESS_IDLE)
        progress = vidmm_paging_queue_signal(engine); /* obeys D-145 */
    if (progress == PROGRESS_IDLE)
        progress = vidmm_root_switch(engine);
    if (progress == PROGRESS_IDLE)
        progress = vidmm_evict_all_serve(engine);
    if (progress == PROGRESS_IDLE)
        progress = vidmm_discard_all(engine);
    if (progress == PROGRESS_IDLE)
        progress = vidmm_rest_call(engine);
    if (progress == PROGRESS_IDLE)
        progress = vidmm_promote_serve(engine);
    if (progress != PROGRESS_IDLE || !engine->turn)
        return progress;
    return try_work(engine);
}

/* Build, prepare and submit until a call is handed out or nothing can be done. */
static void next_call(struct vidmm_engine *engine)
{
    enum vidmm_progress progress = PROGRESS_MADE;

    VIDMM_ASSERT(engine->call == CALL_NONE);
    while (progress == PROGRESS_MADE && !engine->stopped && vidmm_plan_has_room(engine))
        progress = try_call(engine);
    engine->call_since_ns = engine->time_ns;
    if ((progress == PROGRESS_IDLE || progress == PROGRESS_WAIT) &&
        engine->reset->stage == RESET_NONE)
        vidmm_paging_flush(engine); /* E2 */
}

static bool is_at_rest(const struct vidmm_engine *engine)
{
    return !engine->turn && !engine->moves.first && !engine->unmaps.first && !engine->finished &&
           !engine->retired.first && !engine->dying && !engine->arriving.first &&
           engine->open_buffer == 0 && engine->in_flight == 0 && engine->call == CALL_NONE &&
           engine->evict_all_request == 0 && engine->recovery->nodes == 0 &&
           engine->reset->stage == RESET_NONE;
}

bool vidmm_engine_is_quiet(const struct vidmm_engine *engine)
{
    return is_at_rest(engine) && !vidmm_fence_any_in_flight(engine);
}

/* Whether page tables are to be written, or wait to be given back: not those that wait for memory,
 * which nobody gives them any more. */
static bool has_last_tables(const struct vidmm_engine *engine)
{
    return engine->mmu->left || engine->mmu->dead || engine->mmu->loose ||
           vidmm_table_may_go_on(engine);
}

/* Whether page tables are to be written, or wait to be given back. */
static bool has_tables_due(const struct vidmm_engine *engine)
{
    return engine->mmu->due || engine->mmu->left || engine->mmu->dead || engine->mmu->loose ||
           engine->mmu->call.process || vidmm_root_will_switch(engine);
}

/* E4: no consequence is due and no call can follow, whatever the time is. So it is for all of a
 * program's creations and destructions that nothing else goes on beside. */
static bool is_idle(const struct vidmm_engine *engine)
{
    return vidmm_engine_is_quiet(engine) && !engine->lock_requests && !engine->followed &&
           !engine->leaving.first && engine->untold == 0 && engine->range_uses == 0 &&
           engine->host->dead == VIDMM_NO_HOST_PAGE && !has_tables_due(engine) &&
           !vidmm_fence_queue_is_due(engine) && engine->untold_trims == 0 && !engine->room_freed &&
           !engine->any_barred && !engine->discards_may_go && !engine->suspension_failed &&
           engine->rest->stage == REST_NONE && !engine->stopping;
}

/* Whether it need not go on. In builds that look, an idle engine goes on all the same, and has to
 * come to nothing. */
static bool rests(struct vidmm_engine *engine)
{
    VIDMM_ASSERT(!engine->idle || is_idle(engine)); /* E4 */
    engine->idle = engine->idle || is_idle(engine);
#ifdef VIDMM_CHECK
    return false;
#else
    return engine->idle;
#endif
}

/* Whether an engine that was idle before the event is idle behind it. So it is while a program
 * creates and destroys what nobody else has to do with: nothing is left of an allocation that is
 * gone at once. */
static bool stays_idle(const struct vidmm_engine *engine, const struct vidmm_event *event)
{
    if (event->kind == VIDMM_EVENT_CREATE_ALLOCATION)
        return true;
    return event->kind == VIDMM_EVENT_DESTROY_ALLOCATION && !engine->config.explicit_residency &&
           engine->config.mmu.levels == 0 &&
           !vidmm_placement_find(engine, event->destroy.allocation);
}

static bool may_bury(const struct vidmm_engine *engine)
{
    return engine->dying && !vidmm_reset_rests(engine); /* U1 */
}

static bool may_serve_locks(const struct vidmm_engine *engine)
{
    return engine->locks_may_go && !vidmm_reset_rests(engine); /* U1 */
}

static bool may_arrive(const struct vidmm_engine *engine)
{
    return engine->arrivals_may_go && engine->arriving.first && !vidmm_reset_rests(engine); /* U1 */
}

/* Draw one consequence of what has ended. False: all are drawn. */
static bool draw_consequence(struct vidmm_engine *engine)
{
    return vidmm_device_record_tell(engine) || vidmm_budget_tell(engine) ||
           vidmm_work_retire(engine) || vidmm_move_finish(engine) ||
           (may_arrive(engine) && vidmm_paging_queue_serve(engine)) ||
           (may_serve_locks(engine) && vidmm_lock_serve(engine)) ||
           (may_bury(engine) && vidmm_burial_serve(engine)) || vidmm_table_free_left(engine) ||
           vidmm_fence_queue_serve(engine);
}

static bool has_consequences(const struct vidmm_engine *engine)
{
    const struct vidmm_work *retired = engine->retired.first;

    return engine->untold > 0 || engine->untold_trims > 0 || may_arrive(engine) ||
           (retired && retired->cancel == CANCEL_NONE) || engine->finished ||
           may_serve_locks(engine) || may_bury(engine) || vidmm_fence_queue_is_due(engine) ||
           vidmm_table_has_left(engine);
}

/* Go on with what a step has brought about. */
static void go_through(struct vidmm_engine *engine)
{
    while (!engine->stopped && vidmm_plan_has_room(engine) && !rests(engine)) {
        if (draw_consequence(engine))
            continue;
        if (engine->call == CALL_NONE)
            next_call(engine);
        if (engine->call != CALL_NONE || !has_consequences(engine))
            break;
    }
}

/* Whether showing what was not moved has begun something. */
static bool show_unmoved(struct vidmm_engine *engine)
{
    return !engine->stopped && !vidmm_reset_rests(engine) && vidmm_show_unmoved(engine) &&
           engine->call == CALL_NONE;
}

static void advance(struct vidmm_engine *engine)
{
    do {
        go_through(engine);
    } while (show_unmoved(engine));
    if (engine->stopping && !engine->stopped && is_at_rest(engine) && !has_last_tables(engine))
        vidmm_engine_fail(engine, VIDMM_REASON_NONE, STATUS_SUCCESS);
}

static void go_on(struct vidmm_engine *engine)
{
    bool idle = engine->idle;
    uint32_t told = engine->plan_count;

    vidmm_recovery_check(engine);
    advance(engine);
    VIDMM_ASSERT(!idle || engine->plan_count == told); /* E4 */
    (void)idle, (void)told;
}

/* ---- events ---------------------------------------------------------------------------------- */

static NTSTATUS create_device(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint32_t process = event->create_device.process;

    if (engine->config.mmu.levels != 0 && process != 0 && !vidmm_process_find(engine, process))
        return STATUS_INVALID_PARAMETER;
    return vidmm_device_record_create(engine, event);
}

static NTSTATUS create_allocation(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement;
    NTSTATUS status = vidmm_placement_check(engine, event, &placement);

    if (status != STATUS_SUCCESS)
        return status;
    vidmm_placement_create(engine, event, placement);
    if (placement->context_allocation && engine->config.explicit_residency) {
        status = vidmm_residency_make_context(engine, placement);
        if (status != STATUS_SUCCESS)
            vidmm_placement_free(engine, placement);
    }
    return status;
}

static NTSTATUS destroy_allocation(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, event->destroy.allocation);
    bool idle = engine->idle, at_once = event->kind == VIDMM_EVENT_DESTROY_AT_ONCE;

    if (!placement || placement->dying || placement->id >= VIDMM_TABLE_IDS)
        return STATUS_INVALID_PARAMETER;
    if (at_once &&
        (!engine->config.explicit_residency || event->device >= engine->device_capacity ||
         !engine->devices[event->device].exists))
        return STATUS_INVALID_PARAMETER;
    vidmm_burial_begin(engine, placement, at_once ? event->device : VIDMM_NO_DEVICE);
    if (idle) /* nothing that might still be about it: no need to look for consequences */
        vidmm_burial_serve(engine);
    return STATUS_SUCCESS;
}

static NTSTATUS destroy_device(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    if (event->device >= engine->device_capacity || !engine->devices[event->device].exists ||
        vidmm_paging_queue_is_busy(engine, event->device) ||
        vidmm_fence_queue_is_busy(engine, event->device))
        return STATUS_INVALID_PARAMETER;
    vidmm_residency_clear(engine, event->device);
    vidmm_budget_part(engine, event->device);
    vidmm_paging_queue_clear(engine, event->device);
    vidmm_fence_queue_clear(engine, event->device);
    vidmm_device_record_destroy(engine, event);
    vidmm_arbiter_choose_anew(engine); /* a suspension ends with its device */
    return STATUS_SUCCESS;
}

static NTSTATUS submit(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_work *work;
    NTSTATUS status = vidmm_work_check(engine, event, &work);

    if (status != STATUS_SUCCESS)
        return status;
    vidmm_work_create(engine, event, work);
    vidmm_suspension_wake(engine, event->device);
    return STATUS_SUCCESS;
}

static NTSTATUS pin(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_work *work;
    NTSTATUS status = vidmm_work_check_pin(engine, event, &work);

    if (status == STATUS_SUCCESS)
        vidmm_work_create_pin(engine, event, work);
    return status;
}

static NTSTATUS use_paging_buffers(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint32_t first = event->paging_buffers.first, count = event->paging_buffers.count;

    if (first == 0 || count == 0 || first >= VIDMM_PAGING_BUFFERS ||
        count > VIDMM_PAGING_BUFFERS - first ||
        (!engine->reset->bootstrap &&
         (engine->open_buffer != 0 || engine->moves.first || engine->unmaps.first)))
        return STATUS_INVALID_PARAMETER;
    if (engine->reset->bootstrap) {
        engine->reset->paging_first = first;
        engine->reset->paging_count = count;
        return STATUS_SUCCESS;
    }
    engine->paging_first = first;
    engine->paging_count = count;
    engine->paging_next = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS claimed(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    if (engine->call != CALL_CLAIM || event->claimed.allocation != engine->call_claim->id ||
        !vidmm_claim_may_end(engine, event->claimed.granted))
        return STATUS_INVALID_PARAMETER;
    vidmm_claim_answered(engine, event->claimed.granted);
    return STATUS_SUCCESS;
}

static NTSTATUS refresh(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    NTSTATUS status = vidmm_refresh_check(engine, event);

    if (status == STATUS_SUCCESS)
        vidmm_refresh_add(engine, event);
    return status;
}

static NTSTATUS unlocked(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_placement *placement = vidmm_placement_find(engine, event->unlock.allocation);

    if (!placement || (!vidmm_placement_is_locked(placement) && !placement->apart &&
                       placement->lock_range == 0 && !placement->staged))
        return STATUS_INVALID_PARAMETER;
    vidmm_lock_unlocked(engine, placement);
    return STATUS_SUCCESS;
}

static NTSTATUS built(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    if (engine->call != CALL_BUILD)
        return STATUS_INVALID_PARAMETER;
    vidmm_paging_built(engine, event);
    return STATUS_SUCCESS;
}

static NTSTATUS submitted(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    if (engine->call != CALL_SUBMIT && engine->call != CALL_SUBMIT_PAGING &&
        engine->call != CALL_CANCEL)
        return STATUS_INVALID_PARAMETER;
    if (engine->call == CALL_CANCEL) {
        engine->call = CALL_NONE;
        vidmm_cancel_answered(engine, (NTSTATUS)event->submitted.status);
        return STATUS_SUCCESS;
    }
    engine->call = CALL_NONE;
    if ((NTSTATUS)event->submitted.status != STATUS_SUCCESS) {
        vidmm_engine_fail(engine, VIDMM_REASON_SUBMIT_FAILED,
                          (NTSTATUS)event->submitted.status); /* obeys D-079 */
    }
    return STATUS_SUCCESS;
}

static NTSTATUS fence(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    if (event->fence.node < engine->config.node_count &&
        vidmm_recovery_ignores(engine, event->fence.node))
        return STATUS_SUCCESS; /* obeys D-368 */
    if (event->fence.node >= engine->config.node_count ||
        !vidmm_land_reported(engine, event->fence.node, event->fence.fence))
        vidmm_engine_fail(engine, VIDMM_REASON_UNKNOWN_FENCE, STATUS_SUCCESS); /* obeys D-357 */
    return STATUS_SUCCESS;
}

static NTSTATUS evict_all(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint32_t reason = event->evict_all.reason;

    if (engine->evict_all_request != 0 || event->evict_all.request == 0 ||
        reason < VIDMM_EXCEPTION_RESET || reason > VIDMM_EXCEPTION_LEVEL_THREE)
        return STATUS_INVALID_PARAMETER;
    engine->evict_all_request = event->evict_all.request;
    engine->evict_all_reason = reason;
    return STATUS_SUCCESS;
}

static NTSTATUS failed(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    vidmm_engine_fail(engine, event->fail.reason, (NTSTATUS)event->fail.status);
    return STATUS_SUCCESS;
}

static NTSTATUS stop(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    (void)event;
    engine->stopping = true;
    vidmm_suspension_end_all(engine);
    vidmm_arbiter_pass_time(engine);  /* nor does anything rest */
    engine->monitored->failed = true; /* nobody waits any more */
    return STATUS_SUCCESS;
}

/* Time has passed: what is due by it is looked at behind every event. */
static NTSTATUS tick(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    (void)engine, (void)event;
    return STATUS_SUCCESS;
}

typedef NTSTATUS event_function(struct vidmm_engine *, const struct vidmm_event *);

/* The functions that take an event in, by its kind. */
static event_function *const takers[VIDMM_EVENTS] = {
    [VIDMM_EVENT_CREATE_DEVICE] = create_device,
    [VIDMM_EVENT_DESTROY_DEVICE] = destroy_device,
    [VIDMM_EVENT_CREATE_ALLOCATION] = create_allocation,
    [VIDMM_EVENT_DESTROY_ALLOCATION] = destroy_allocation,
    [VIDMM_EVENT_SUBMIT] = submit,
    [VIDMM_EVENT_PIN] = pin,
    [VIDMM_EVENT_LOCK] = vidmm_lock_request,
    [VIDMM_EVENT_REFRESH] = refresh,
    [VIDMM_EVENT_UNLOCK] = unlocked,
    [VIDMM_EVENT_PAGING_BUFFERS] = use_paging_buffers,
    [VIDMM_EVENT_CLAIMED] = claimed,
    [VIDMM_EVENT_BUILT] = built,
    [VIDMM_EVENT_SUBMITTED] = submitted,
    [VIDMM_EVENT_FENCE] = fence,
    [VIDMM_EVENT_TICK] = tick,
    [VIDMM_EVENT_EVICT_ALL] = evict_all,
    [VIDMM_EVENT_STOP] = stop,
    [VIDMM_EVENT_PREEMPTED] = vidmm_recovery_preempted,
    [VIDMM_EVENT_RECOVERED] = vidmm_recovery_answer,
    [VIDMM_EVENT_OFFER] = vidmm_offer_event,
    [VIDMM_EVENT_RECLAIM] = vidmm_reclaim_event,
    [VIDMM_EVENT_DISCARD] = vidmm_discard_event,
    [VIDMM_EVENT_PRIORITY] = vidmm_priority_event,
    [VIDMM_EVENT_REST] = vidmm_rest_begin,
    [VIDMM_EVENT_RESUME] = vidmm_rest_end,
    [VIDMM_EVENT_FAIL] = failed,
    [VIDMM_EVENT_RANGED] = vidmm_swizzling_answer,
    [VIDMM_EVENT_READ_SEGMENT] = vidmm_segment_read_event,
    [VIDMM_EVENT_ABANDON] = vidmm_work_abandon,
    [VIDMM_EVENT_JOIN] = vidmm_budget_join,
    [VIDMM_EVENT_CREATE_PAGING_QUEUE] = vidmm_paging_queue_admit,
    [VIDMM_EVENT_DESTROY_PAGING_QUEUE] = vidmm_paging_queue_dismiss,
    [VIDMM_EVENT_MAKE_RESIDENT] = vidmm_residency_make,
    [VIDMM_EVENT_EVICT] = vidmm_residency_evict,
    [VIDMM_EVENT_RECLAIM_QUEUED] = vidmm_residency_reclaim,
    [VIDMM_EVENT_BUDGET] = vidmm_budget_set,
    [VIDMM_EVENT_RESERVE] = vidmm_budget_reserve,
    [VIDMM_EVENT_TRIM] = vidmm_budget_trim,
    [VIDMM_EVENT_UPDATE_PROPERTY] = vidmm_property_update,
    [VIDMM_EVENT_CREATE_FENCE] = vidmm_fence_object_create,
    [VIDMM_EVENT_DESTROY_FENCE] = vidmm_fence_object_destroy,
    [VIDMM_EVENT_SIGNAL_FENCES] = vidmm_fence_queue_signal_now,
    [VIDMM_EVENT_WAIT_FENCES] = vidmm_fence_queue_wait_now,
    [VIDMM_EVENT_QUEUE_WAIT] = vidmm_fence_queue_add,
    [VIDMM_EVENT_QUEUE_SIGNAL] = vidmm_fence_queue_add,
    [VIDMM_EVENT_FENCES_SIGNALED] = vidmm_fence_queue_signaled,
    [VIDMM_EVENT_FENCE_READ] = vidmm_fence_object_read,
    [VIDMM_EVENT_FAULT] = vidmm_recovery_fault,
    [VIDMM_EVENT_CREATE_PROCESS] = vidmm_process_create,
    [VIDMM_EVENT_DESTROY_PROCESS] = vidmm_process_destroy,
    [VIDMM_EVENT_UPDATE_CONTEXT] = vidmm_context_request,
    [VIDMM_EVENT_RESERVE_ADDRESSES] = vidmm_address_change,
    [VIDMM_EVENT_MAP_ADDRESSES] = vidmm_address_change,
    [VIDMM_EVENT_UPDATE_ADDRESSES] = vidmm_address_change,
    [VIDMM_EVENT_FREE_ADDRESSES] = vidmm_address_change,
    [VIDMM_EVENT_DESTROY_AT_ONCE] = destroy_allocation,
    [VIDMM_EVENT_HOST_ANSWERED] = vidmm_host_aperture_answer,
    [VIDMM_EVENT_HOLD] = vidmm_residency_hold,
    [VIDMM_EVENT_DISPLAY] = vidmm_display_request,
    [VIDMM_EVENT_ROOT_SET] = vidmm_root_set,
    [VIDMM_EVENT_PAGE_OUT] = vidmm_page_out_request,
    [VIDMM_EVENT_COMPANION] = vidmm_companion_set,
    [VIDMM_EVENT_SET_FAULTS] = vidmm_test_faults_set,
    [VIDMM_EVENT_SUSPEND_DEVICE] = vidmm_suspension_begin,
    [VIDMM_EVENT_RESUME_DEVICES] = vidmm_suspension_resume,
    [VIDMM_EVENT_COMPACT] = vidmm_compact_request,
    [VIDMM_EVENT_DELAY] = vidmm_paging_queue_rest,
    [VIDMM_EVENT_EVICTION_DELAY] = vidmm_eviction_set_delay,
    [VIDMM_EVENT_TRIM_INTERVALS] = vidmm_trim_interval_set,
};

/* `event->kind` is one that there is. */
static NTSTATUS take_in(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    VIDMM_ASSERT(event->kind < VIDMM_EVENTS && takers[event->kind]);
    return takers[event->kind](engine, event);
}

/* The numbers of an event that a switch or a table is asked with. All else in it is judged by
 * whoever takes it in. */
static bool is_event(const struct vidmm_event *event)
{
    if (event->kind < VIDMM_EVENT_CREATE_DEVICE || event->kind >= VIDMM_EVENTS)
        return false;
    return event->kind != VIDMM_EVENT_CREATE_ALLOCATION ||
           event->create.buffer <= VIDMM_BUFFER_FENCES;
}

/* D-242: a thread may be in the driver for so long. */
static void check_call(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    bool answers = event->kind == VIDMM_EVENT_BUILT || event->kind == VIDMM_EVENT_SUBMITTED ||
                   event->kind == VIDMM_EVENT_RECOVERED || event->kind == VIDMM_EVENT_RANGED ||
                   event->kind == VIDMM_EVENT_HOST_ANSWERED || event->kind == VIDMM_EVENT_ROOT_SET;
    uint64_t limit = engine->config.driver_timeout_ns;

    if (answers && limit != 0 && engine->call != CALL_NONE &&
        engine->time_ns - engine->call_since_ns > limit)
        vidmm_engine_fail(engine, VIDMM_REASON_DRIVER_TIMEOUT, STATUS_SUCCESS);
}

/* Serve all that waits for a time because a test says so. True: something goes on by it. */
static bool pass_time(struct vidmm_engine *engine)
{
    bool any;

    if (!engine->timed)
        return false;
    any = vidmm_arbiter_pass_time(engine);
    any = vidmm_eviction_pass_time(engine) || any;
    return vidmm_trim_interval_pass_time(engine) || any;
}

NTSTATUS vidmm_step(struct vidmm_engine *engine, const struct vidmm_event *event,
                    struct vidmm_plan *plan)
{
    NTSTATUS status = STATUS_SUCCESS;
    bool idle = engine->idle;

    engine->plan_count = 0;
    engine->undisturbed = false;
    if (event && engine->stopped) {
        status = STATUS_DEVICE_REMOVED;
    } else if (event) {
        engine->time_ns = event->time_ns > engine->time_ns ? event->time_ns : engine->time_ns;
        engine->events++;
        engine->mmu->retry_ns = 0;
        check_call(engine, event);
        vidmm_arbiter_unbar(engine); /* AR4 */
        idle = !pass_time(engine) && idle;
        status = is_event(event) ? take_in(engine, event) : STATUS_INVALID_PARAMETER;
        engine->idle = idle && (engine->undisturbed || stays_idle(engine, event));
    }
    if (!rests(engine))
        go_on(engine);
#ifdef VIDMM_CHECK
    vidmm_engine_check(engine);
#endif
    plan->operations = engine->plan;
    plan->count = engine->plan_count;
    plan->more = !engine->stopped && !vidmm_plan_has_room(engine);
    return status;
}
