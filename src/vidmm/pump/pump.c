/* pump.c: events into the engine, and its plans carried out.
 *
 *     any thread --- vidmm_pump_step() --> engine --> plan
 *                     (mutex held)          |
 *                                           +-- data only: done at once, under the mutex
 *                                           +-- clear, drop, destroy: into the list of chores
 *                                           '-- a DDI call: `call`, at most one
 *     one thread --- vidmm_pump() ---- takes chores and the call, mutex not held,
 *                                      and steps the answer
 *
 * A thread that finds nobody pumping pumps; so the calls of the scheduler class have one caller at
 * a time (D-078), and none is made with the mutex held. The chores are worked off before the call
 * (chores.c).
 *
 * A driver may interrupt inside StartDevice, long before there is an engine. Nobody pumps then, and
 * its reports stay in the ring until the engine is there.
 */
#include "vidmm/pump/pump.h"

#include <vidmm/engine.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/call.h"
#include "vidmm/ddi/gate.h"
#include "vidmm/ddi/hw_queue.h"
#include "vidmm/ddi/linked.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/reports.h"
#include "vidmm/object/mutex.h"
#include "vidmm/pump/carry_out.h"
#include "vidmm/pump/chores.h"
#include "vidmm/pump/client.h"
#include "vidmm/pump/fence_value.h"
#include "vidmm/pump/state.h"

#include "base/assert.h"

/* The engine has asked what fences hold, and nobody is telling it. */
static bool may_read(const struct vidmm_adapter *adapter)
{
    return adapter->pump->fence_reads && !adapter->pump->reading;
}

NTSTATUS vidmm_pump_step(struct vidmm_adapter *adapter, struct vidmm_event *event)
{
    const struct vidmm_observer *observer = adapter->options.observer;
    struct vidmm_event answer; /* if `claimed` */
    struct vidmm_plan plan;
    bool claimed = false;
    NTSTATUS status;
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(adapter->engine && event->kind != 0);
    event->time_ns = adapter->host->now_ns(adapter->host->context);
    if (observer && observer->event)
        observer->event(observer->context, event);
    status = vidmm_step(adapter->engine, event, &plan);
    if (observer && observer->answered)
        observer->answered(observer->context, event, status);
    for (;;) {
        for (index = 0; index < plan.count; index++) {
            if (observer && observer->operation)
                observer->operation(observer->context, event->time_ns, &plan.operations[index]);
            claimed |= vidmm_carry_out(adapter, &plan.operations[index], &answer);
        }
        adapter->changed |= plan.count > 0;
        if (!plan.more)
            break;
        vidmm_step(adapter->engine, NULL, &plan);
    }
    if (claimed)
        vidmm_pump_step(adapter, &answer);
    while (may_read(adapter)) {
        adapter->pump->reading = true;
        while (vidmm_fence_value_next(adapter, &answer))
            vidmm_pump_step(adapter, &answer);
        adapter->pump->reading = false;
    }
    return status;
}

static bool has_report(const struct vidmm_reports *reports)
{
    return atomic_load_explicit(&reports->read, memory_order_relaxed) !=
           atomic_load_explicit(&reports->written, memory_order_acquire);
}

/* A node that is none of the driver's is none of the engine's either. */
static uint32_t node_of(const struct vidmm_adapter *adapter, uint32_t node)
{
    return adapter->hw_queue_count > 0 && node >= adapter->node_count ? UINT32_MAX : node;
}

/* By any report fences of hardware queues may have been written. */
static void take_progress(struct vidmm_adapter *adapter)
{
    struct vidmm_event event;

    while (!adapter->stopped && vidmm_ddi_hw_queue_next(adapter, &event))
        vidmm_pump_step(adapter, &event);
}

/* Take in a report of one physical adapter. */
static void take_report_of(struct vidmm_adapter *adapter, struct vidmm_reports *reports)
{
    uint32_t read = atomic_load_explicit(&reports->read, memory_order_relaxed);
    struct vidmm_notice notice = reports->entries[read % REPORTS];
    struct vidmm_event event = {.kind = VIDMM_EVENT_FENCE};

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(adapter->pumping);
    atomic_store_explicit(&reports->read, read + 1, memory_order_release);
    notice.node = node_of(adapter, notice.node);
    if (notice.faulted && notice.fails == VIDMM_REASON_NONE) {
        if (!vidmm_engine_pages(adapter->engine, notice.node, notice.fence))
            return; /* told by D-358; the packet is late, and that has its own end */
        notice.fails = VIDMM_REASON_COMMAND_FAILED;
    }
    if (notice.fails != VIDMM_REASON_NONE) {
        event.kind = VIDMM_EVENT_FAIL;
        event.fail.reason = notice.fails;
    } else if (notice.page_faulted) {
        event.kind = VIDMM_EVENT_FAULT;
        event.fault.node = notice.node;
        event.fault.fence = notice.fence;
        event.fault.flags = notice.flags;
        event.fault.address = notice.address;
        if (notice.queue_faulted)
            vidmm_ddi_hw_queue_fault(adapter, &notice, &event);
    } else if (notice.signaled) {
        event.kind = VIDMM_EVENT_FENCES_SIGNALED;
        event.fences_signaled.node = notice.node;
    } else if (notice.preempted) {
        event.kind = VIDMM_EVENT_PREEMPTED;
        event.preempted.node = notice.node;
        event.preempted.fence = notice.fence;
        event.preempted.last_completed = notice.last_completed;
    } else {
        event.fence.node = notice.node;
        event.fence.fence = notice.fence;
        if (vidmm_adapter_is_linked(adapter) &&
            !vidmm_linked_completed(adapter, notice.engine, notice.node, &event.fence.fence))
            return;
    }
    if (!adapter->stopped)
        vidmm_pump_step(adapter, &event);
    if (adapter->hw_queue_count > 0)
        take_progress(adapter);
}

/* The reports of a physical adapter that has some that were not taken in; NULL: none has. */
static inline struct vidmm_reports *waiting_reports(const struct vidmm_adapter *adapter)
{
    uint32_t index;

    for (index = 0; index < adapter->link_count; index++)
        if (has_report(adapter->reports[index]))
            return adapter->reports[index];
    return NULL;
}

static bool take_report(struct vidmm_adapter *adapter)
{
    struct vidmm_reports *reports = waiting_reports(adapter);

    if (reports)
        take_report_of(adapter, reports);
    return reports != NULL;
}

/* Make the call, with nobody else in the driver if its level says so. False: somebody is. The mutex
 * is held, but not during the call. */
static bool make_call(struct vidmm_adapter *adapter, const struct vidmm_operation *call,
                      struct vidmm_event *answer)
{
    bool gate = vidmm_ddi_needs_gate(call);

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(adapter->pumping);
    if (gate && !vidmm_gate_shut(adapter))
        return false; /* obeys D-241, D-307 */
    adapter->pump->call_due = false;
    vidmm_adapter_unlock(adapter);
    vidmm_ddi_perform(adapter, call, answer);
    if (gate)
        vidmm_gate_open(adapter);
    vidmm_adapter_lock(adapter);
    return true;
}

/* False: it cannot be made now. */
static bool take_call(struct vidmm_adapter *adapter)
{
    struct vidmm_operation call = adapter->pump->call;
    struct vidmm_event answer = {0};

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(adapter->pump->call_due && !adapter->stopped);
    if (!make_call(adapter, &call, &answer))
        return false;
    while (answer.kind == VIDMM_EVENT_RECOVERED && take_report(adapter)) {
        /* the events of the call come before its answer: D-362, D-368 */
    }
    if (!adapter->stopped)
        vidmm_pump_step(adapter, &answer);
    return true;
}

static void set_timer(struct vidmm_adapter *adapter)
{
    uint64_t deadline = adapter->stopped ? UINT64_MAX : vidmm_engine_deadline(adapter->engine);

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(adapter->pumping);
    if (deadline != adapter->pump->deadline_ns && adapter->host->set_timer) {
        adapter->pump->deadline_ns = deadline;
        adapter->host->set_timer(adapter->host->context, deadline);
    }
}

static bool take_tick(struct vidmm_adapter *adapter)
{
    struct vidmm_event event;

    if (adapter->stopped || adapter->pump->deadline_ns == UINT64_MAX ||
        adapter->host->now_ns(adapter->host->context) < adapter->pump->deadline_ns)
        return false;
    adapter->pump->deadline_ns = UINT64_MAX; /* set anew below, when it has been looked at */
    event = (struct vidmm_event){.kind = VIDMM_EVENT_TICK};
    vidmm_pump_step(adapter, &event);
    return true;
}

void vidmm_pump_and_unlock(struct vidmm_adapter *adapter)
{
    bool changed;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if (adapter->pumping || !adapter->engine) {
        vidmm_adapter_unlock(adapter);
        return;
    }
    adapter->pumping = true;
    while ((adapter->chores.first && vidmm_chores_take(adapter)) ||
           (adapter->graves && vidmm_graves_take(adapter)) ||
           ((adapter->fence_news || adapter->updates_due) && adapter->client->tell(adapter)) ||
           (waiting_reports(adapter) && take_report(adapter)) ||
           (adapter->pump->call_due && take_call(adapter)) || take_tick(adapter)) {
    }
    set_timer(adapter);
    adapter->pumping = false;
    changed = adapter->changed;
    adapter->changed = false;
    vidmm_adapter_unlock(adapter);
    if (changed)
        adapter->host->wake(adapter->host->context);
}

void vidmm_pump(struct vidmm_adapter *adapter)
{
    vidmm_adapter_lock(adapter);
    vidmm_pump_and_unlock(adapter);
}

NTSTATUS vidmm_pump_event(struct vidmm_adapter *adapter, struct vidmm_event *event)
{
    NTSTATUS status = STATUS_DEVICE_REMOVED;

    vidmm_adapter_lock(adapter);
    if (!adapter->stopped)
        status = vidmm_pump_step(adapter, event);
    vidmm_pump_and_unlock(adapter);
    return status;
}
