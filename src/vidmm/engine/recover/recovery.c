/* recovery.c: a fence is late: ask, preempt, reset.
 *
 *   a node is late ---> QueryCurrentFence ---> it was only the interrupt that was lost: all is well
 *                              |
 *                              v
 *                       PreemptCommand, and TdrDelay to stop ---> stopped: submit again (preempt.c)
 *                              |
 *                              v  hung
 *             QueryEngineStatus, for the record
 *                              |
 *                              v
 *             QueryDependentEngineGroup: its group is preempted too, and has 500 ms
 *                              |
 *                              v
 *             ResetEngine, each that is hung, in order ---> what was aborted ends, and its device
 *                              |                            is in error
 *                              v  cannot, failed, or paging was aborted
 *                       reset of the adapter (reset.c)
 *
 * One recovery at a time. Its nodes get no submission meanwhile; the others go on.
 *
 * Invariants
 * V1. to_ask, to_preempt, preempting and hung are parts of `nodes`, and grouped of queried, that of
 *     hung.
 * V2. A reset of an engine comes after a preemption of it, where the driver is PreemptionAware
 *     (D-363).
 * V3. From VIDMM_DO_RESET_ENGINE to its answer nothing that is reported of the node counts (D-368).
 *
 * Source: "TDR changes in Windows 8"; "Timeout detection and recovery"; rules D-361 to D-376.
 */
#include "vidmm/engine/recover/recovery.h"

#include <wddm/ntstatus.h>

#include "vidmm/engine/recover/preempt.h"
#include "vidmm/engine/recover/reset.h"
#include "vidmm/engine/state/context.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/engine_state.h"
#include "vidmm/engine/state/fence.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "vidmm/engine/state/recovery_state.h"
#include "vidmm/engine/state/work_state.h"
#include "vidmm/engine/work/landing.h"
#include "wddm/rule.h"

#define GROUP_TIMEOUT_NS UINT64_C(500000000) /* D-372 */

static uint64_t bit(uint32_t node)
{
    return UINT64_C(1) << node;
}

static uint32_t lowest(uint64_t nodes)
{
    VIDMM_ASSERT(nodes != 0);
    return (uint32_t)__builtin_ctzll(nodes);
}

/* Those that the driver knows by a number. */
static uint64_t all_nodes(const struct vidmm_engine *engine)
{
    uint32_t first = engine->config.hw_first, count = first ? first : engine->config.node_count;

    VIDMM_ASSERT(count >= 1 && count <= VIDMM_NODES);
    return UINT64_MAX >> (64 - count);
}

bool vidmm_recovery_ignores(const struct vidmm_engine *engine, uint32_t node)
{
    bool engine_reset = engine->call == CALL_RESET_ENGINE && engine->recovery->node == node;

    return engine_reset || (engine->reset->stage != RESET_NONE && !engine->reset->restarted);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* During a reset only paging is in flight, and not before the restart: it hangs again. */
static void begin(struct vidmm_engine *engine, uint32_t node)
{
    VIDMM_ASSERT(engine->recovery->nodes == 0 && node < engine->config.node_count);
    if (engine->reset->stage != RESET_NONE) {
        vidmm_reset_begin(engine);
        return;
    }
    *engine->recovery = (struct vidmm_recovery){.nodes = bit(node), .to_ask = bit(node)};
}

/* A node that has not stopped by now hangs. A node that has completed all it had meanwhile must
 * only say so (D-365), and has time for that once more; until then it gets nothing that the answer
 * could mean. */
static void expire(struct vidmm_engine *engine)
{
    struct vidmm_recovery *recovery = engine->recovery;
    uint32_t node = lowest(recovery->preempting);

    VIDMM_ASSERT(recovery->preempting != 0);
    if (recovery->hung == 0 && !engine->nodes[node].timeline.flights.first && !recovery->extended) {
        recovery->extended = true;
        recovery->deadline_ns = engine->time_ns + engine->config.timeout_ns;
        return;
    }
    recovery->hung |= recovery->preempting;
    recovery->preempting = 0;
}

void vidmm_recovery_check(struct vidmm_engine *engine)
{
    struct vidmm_recovery *recovery = engine->recovery;
    uint32_t node;

    if (engine->stopped || engine->reset->stage == RESET_STOPPING)
        return;
    if (recovery->nodes == 0) {
        for (node = 0; node < engine->config.node_count && recovery->nodes == 0; node++) {
            if (vidmm_fence_is_overdue(engine, node)) {
                begin(engine, node);
                break;
            }
        }
    } else if (recovery->preempting != 0 && recovery->to_preempt == 0 &&
               engine->time_ns >= recovery->deadline_ns) {
        expire(engine);
    }
}

uint64_t vidmm_recovery_deadline(const struct vidmm_engine *engine)
{
    const struct vidmm_recovery *recovery = engine->recovery;

    if (engine->reset->stage == RESET_STOPPING)
        return UINT64_MAX;
    if (recovery->nodes == 0)
        return vidmm_fence_deadline(engine);
    return recovery->preempting != 0 ? recovery->deadline_ns : UINT64_MAX;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static enum vidmm_progress call(struct vidmm_engine *engine, uint32_t kind, enum vidmm_call which,
                                uint32_t node)
{
    struct vidmm_operation *operation;

    VIDMM_ASSERT(engine->call == CALL_NONE && node < engine->config.node_count);
    if (!vidmm_plan_has_room(engine))
        return PROGRESS_WAIT;
    operation = vidmm_emit(engine, kind);
    operation->recover.node = node;
    operation->recover.fence = (uint32_t)engine->nodes[node].preempt_fence;
    engine->recovery->node = node;
    engine->call = which;
    return PROGRESS_CALL;
}

static enum vidmm_progress preempt(struct vidmm_engine *engine, uint32_t node)
{
    struct vidmm_recovery *recovery = engine->recovery;
    bool dependent = recovery->hung != 0;

    VIDMM_ASSERT(node < engine->config.node_count);
    VIDMM_ASSERT((recovery->to_preempt & bit(node)) != 0);
    engine->nodes[node].preempt_fence = vidmm_counter_next(&engine->fences);
    recovery->to_preempt &= ~bit(node);
    recovery->preempting |= bit(node); /* before the call: the answer may come inside it */
    recovery->deadline_ns =
        engine->time_ns + (dependent ? GROUP_TIMEOUT_NS : engine->config.timeout_ns);
    engine->statistics.preemptions++;
    return call(engine, VIDMM_DO_PREEMPT, CALL_PREEMPT, node); /* obeys D-363 */
}

/* All that can be done with engines alone is done. */
static enum vidmm_progress reset_engines(struct vidmm_engine *engine)
{
    struct vidmm_recovery *recovery = engine->recovery;

    VIDMM_ASSERT(recovery->hung != 0);
    VIDMM_ASSERT(recovery->to_preempt == 0 && recovery->preempting == 0); /* V2 */
    if (!engine->config.per_engine_reset || recovery->whole) {
        vidmm_reset_begin(engine);
        return PROGRESS_MADE;
    }
    if ((recovery->hung & ~recovery->queried) != 0) {
        uint32_t node = lowest(recovery->hung & ~recovery->queried);

        recovery->queried |= bit(node);
        return call(engine, VIDMM_DO_QUERY_ENGINE, CALL_QUERY_ENGINE, node);
    }
    if ((recovery->hung & ~recovery->grouped) != 0) {
        uint32_t node = lowest(recovery->hung & ~recovery->grouped);

        recovery->grouped |= bit(node);
        return call(engine, VIDMM_DO_QUERY_GROUP, CALL_QUERY_GROUP, node); /* obeys D-372 */
    }
    return call(engine, VIDMM_DO_RESET_ENGINE, CALL_RESET_ENGINE, lowest(recovery->hung));
}

enum vidmm_progress vidmm_recovery_call(struct vidmm_engine *engine)
{
    struct vidmm_recovery *recovery = engine->recovery;

    if (recovery->nodes == 0)
        return PROGRESS_IDLE;
    if (!vidmm_plan_has_room(engine))
        return PROGRESS_WAIT;
    if (recovery->to_ask != 0) {
        uint32_t node = lowest(recovery->to_ask);

        recovery->to_ask = 0;
        return call(engine, VIDMM_DO_QUERY_FENCE, CALL_QUERY_FENCE, node); /* obeys D-361 */
    }
    if (recovery->to_preempt != 0)
        return preempt(engine, lowest(recovery->to_preempt));
    if (recovery->preempting != 0)
        return PROGRESS_IDLE;
    if (recovery->hung != 0)
        return reset_engines(engine);
    recovery->nodes = 0;
    return PROGRESS_MADE;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Reports that the call brought about came before its answer; a fence that was not reported and is
 * complete is taken from the answer. STATUS_PENDING: the packet of a hardware queue may take as
 * long as it likes. A hardware queue that hangs takes the adapter's reset: nothing less is known to
 * help. */
static void asked(struct vidmm_engine *engine, uint32_t node, NTSTATUS status, uint32_t fence)
{
    struct vidmm_recovery *recovery = engine->recovery;

    VIDMM_ASSERT(recovery->to_preempt == 0 && recovery->preempting == 0); /* V1 */
    if (status == STATUS_SUCCESS)
        vidmm_land_reported(engine, node, fence); /* obeys D-362: nothing else is known of it */
    else if (status == STATUS_PENDING)
        vidmm_timeline_ran(&engine->nodes[node].timeline, engine->time_ns);
    if (!vidmm_fence_is_overdue(engine, node)) {
        recovery->nodes = 0;
    } else if (vidmm_node_is_hw_queue(engine, node)) {
        recovery->whole = true;
        recovery->hung = bit(node);
    } else if (engine->config.preemption) {
        recovery->to_preempt = bit(node);
    } else {
        recovery->hung = bit(node);
    }
}

VIDMM_SEES(D_373);

static void grouped(struct vidmm_engine *engine, uint32_t node, NTSTATUS status, uint64_t nodes)
{
    struct vidmm_recovery *recovery = engine->recovery;
    uint64_t more = nodes & all_nodes(engine) & ~recovery->nodes;

    VIDMM_ASSERT(node < engine->config.node_count);
    if (status != STATUS_SUCCESS || (nodes & bit(node)) == 0) {
        vidmm_engine_fail(engine, VIDMM_REASON_ENGINE_GROUP, status); /* obeys D-373 */
        return;
    }
    recovery->nodes |= more;
    if (engine->config.preemption)
        recovery->to_preempt |= more;
    else
        recovery->hung |= more; /* obeys D-372: those that cannot be preempted are not */
}

/* Whether paging was cut off. The DMA buffers that were end with an error, and so do their
 * devices. */
static bool abort_flights(struct vidmm_engine *engine, uint32_t node, uint64_t fence)
{
    struct vidmm_flight *flight = engine->nodes[node].timeline.flights.first;
    bool paging = false;

    VIDMM_ASSERT(node < engine->config.node_count);
    for (; flight && flight->fence <= fence; flight = flight->next) {
        if (flight->paging) {
            paging |= !flight->follows;
        } else if (!flight->switches) {
            struct vidmm_work *work = ((struct vidmm_part *)flight)->work;

            vidmm_timeline_fault(&engine->nodes[node].timeline, flight);
            work->status = STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE;
            vidmm_device_record_fail(engine, work->device, VIDMM_REASON_HUNG, work->dma_buffer,
                                     STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
        }
    }
    return paging;
}

VIDMM_SEES(D_243);

static void engine_reset(struct vidmm_engine *engine, uint32_t node, NTSTATUS status,
                         uint32_t fence)
{
    struct vidmm_recovery *recovery = engine->recovery;
    const struct vidmm_timeline *timeline = &engine->nodes[node].timeline;
    bool none = fence == 0 && timeline->completed + 1 == engine->config.first_fence;
    uint64_t aborted = none ? timeline->completed : vidmm_timeline_widen(timeline, fence);

    VIDMM_ASSERT((recovery->hung & bit(node)) != 0); /* V3 */
    if (status != STATUS_SUCCESS) {
        vidmm_reset_begin(engine); /* obeys D-370 */
        return;
    }
    if (aborted != timeline->completed && !vidmm_timeline_find(timeline, aborted)) {
        vidmm_engine_fail(engine, VIDMM_REASON_ABORTED_FENCE, status); /* obeys D-243 */
        return;
    }
    engine->statistics.engine_resets++;
    engine->nodes[node].preempt_fence = 0;
    recovery->hung &= ~bit(node);
    recovery->queried &= ~bit(node);
    recovery->grouped &= ~bit(node);
    if (abort_flights(engine, node, aborted)) {
        vidmm_reset_begin(engine); /* obeys D-243: paging was cut off */
        return;
    }
    vidmm_land(engine, node, aborted);
    vidmm_context_forget(engine, node);
    vidmm_preempt_return(engine, node);
}

/* ---- page faults ----------------------------------------------------------------------------- */

/* The packet has ended, and all before it were executed. False: there is no such packet, or what is
 * lost is paging; the engine has failed. */
static bool end_faulted(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_timeline *timeline = &engine->nodes[event->fault.node].timeline;
    uint64_t fence = vidmm_timeline_widen(timeline, event->fault.fence);
    const struct vidmm_flight *flight = vidmm_timeline_find(timeline, fence);

    if (!flight || flight->paging) {
        vidmm_engine_fail(engine, flight ? VIDMM_REASON_COMMAND_FAILED : VIDMM_REASON_UNKNOWN_FENCE,
                          STATUS_SUCCESS); /* obeys D-357, D-358 */
        return false;
    }
    if (!flight->switches) {
        struct vidmm_work *work = ((const struct vidmm_part *)flight)->work;

        vidmm_timeline_fault(timeline, flight);
        work->status = STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE;
        vidmm_device_record_fault(engine, work->device, work->dma_buffer, event);
    }
    vidmm_land(engine, event->fault.node, fence);
    return true;
}

NTSTATUS vidmm_recovery_fault(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    const uint32_t resets = VIDMM_FAULT_ADAPTER_RESET | VIDMM_FAULT_ENGINE_RESET;
    uint32_t node = event->fault.node, flags = event->fault.flags;
    bool unknown = (flags & VIDMM_FAULT_FENCE_INVALID) != 0;

    if (node < engine->config.node_count && vidmm_recovery_ignores(engine, node))
        return STATUS_SUCCESS; /* obeys D-368 */
    if (node >= engine->config.node_count)
        vidmm_engine_fail(engine, VIDMM_REASON_UNKNOWN_FENCE, STATUS_SUCCESS);
    else if ((flags & VIDMM_FAULT_FATAL) != 0)
        vidmm_engine_fail(engine, VIDMM_REASON_FATAL_FAULT, STATUS_SUCCESS);
    else if (unknown && (flags & resets) == 0)
        vidmm_engine_fail(engine, VIDMM_REASON_FAULT_FLAGS, STATUS_SUCCESS);
    else if ((unknown || end_faulted(engine, event)) && (flags & resets) != 0 &&
             engine->reset->stage == RESET_NONE) {
        engine->recovery->nodes |= bit(node);
        engine->recovery->hung |= bit(node);
        engine->recovery->whole |=
            (flags & VIDMM_FAULT_ADAPTER_RESET) != 0 || vidmm_node_is_hw_queue(engine, node);
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_recovery_answer(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    NTSTATUS status = (NTSTATUS)event->recovered.status;
    uint32_t node = engine->recovery->node;
    enum vidmm_call which = engine->call;

    if (which < CALL_QUERY_FENCE || which > CALL_RESTART)
        return STATUS_INVALID_PARAMETER;
    engine->call = CALL_NONE;
    switch (which) {
    case CALL_QUERY_FENCE:
        asked(engine, node, status, event->recovered.fence);
        break;
    case CALL_PREEMPT:
        if (status != STATUS_SUCCESS)
            vidmm_engine_fail(engine, VIDMM_REASON_PREEMPT_FAILED, status); /* obeys D-364 */
        break;
    case CALL_QUERY_ENGINE: /* its time is up, whatever it says (D-363) */
        break;
    case CALL_QUERY_GROUP:
        grouped(engine, node, status, event->recovered.nodes);
        break;
    case CALL_RESET_ENGINE:
        engine_reset(engine, node, status, event->recovered.fence);
        break;
    case CALL_RESET:
    case CALL_RESTART:
        vidmm_reset_answer(engine, status);
        break;
    case CALL_NONE: /* refused above */
    case CALL_CLAIM:
    case CALL_BUILD:
    case CALL_SUBMIT_PAGING:
    case CALL_SUBMIT:
    case CALL_CANCEL:
    case CALL_ACQUIRE:
    case CALL_RELEASE:
    case CALL_MAP_HOST:
    case CALL_UNMAP_HOST:
    case CALL_SET_ROOT:
        break;
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_recovery_preempted(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    uint32_t node = event->preempted.node;
    struct vidmm_node_state *state;

    if (node >= engine->config.node_count) {
        vidmm_engine_fail(engine, VIDMM_REASON_UNKNOWN_FENCE, STATUS_SUCCESS);
        return STATUS_SUCCESS;
    }
    state = &engine->nodes[node];
    if (vidmm_recovery_ignores(engine, node))
        return STATUS_SUCCESS;
    if (state->preempt_fence == 0 || event->preempted.fence != (uint32_t)state->preempt_fence ||
        !vidmm_land_reported(engine, node, event->preempted.last_completed)) {
        vidmm_engine_fail(engine, VIDMM_REASON_UNKNOWN_FENCE, STATUS_SUCCESS);
        return STATUS_SUCCESS;
    }
    state->preempt_fence = 0;
    engine->recovery->preempting &= ~bit(node);
    engine->recovery->hung &= ~bit(node);
    engine->recovery->queried &= ~bit(node);
    engine->recovery->grouped &= ~bit(node);
    vidmm_preempt_return(engine, node); /* obeys D-366 */
    return STATUS_SUCCESS;
}
