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
 * Whoever finds nobody pumping pumps; so the calls of the scheduler class have one caller at a time
 * (D-078), and none is made with the mutex held. The chores are worked off before the call: what
 * the engine said first happens first. A chore is a member of its allocation and cannot run out.
 *
 * A driver may interrupt inside StartDevice, long before there is an engine. Nobody pumps then, and
 * its reports stay in the ring until the engine is there.
 */
#include "vidmm/object/adapter.h"

/* ---- operations that are data only ----------------------------------------------------------- */

static struct vidmm_allocation *find_allocation(const struct vidmm_adapter *adapter, uint32_t id)
{
    return vidmm_slot_find(&adapter->handles, id - 1, VIDMM_HANDLE_ALLOCATION);
}

static struct vidmm_dma_buffer *find_dma_buffer(const struct vidmm_adapter *adapter, uint32_t id)
{
    return vidmm_slot_find(&adapter->dma_buffers, id - 1, VIDMM_HANDLE_ALLOCATION);
}

static void add_chore(struct vidmm_adapter *adapter, uint32_t id, uint32_t chores)
{
    struct vidmm_allocation *allocation = find_allocation(adapter, id);

    if (allocation->chores == 0) {
        allocation->next_chore = NULL;
        if (adapter->chores_last)
            adapter->chores_last->next_chore = allocation;
        else
            adapter->chores_first = allocation;
        adapter->chores_last = allocation;
    }
    allocation->chores |= (uint8_t)chores;
    allocation->in_chores = true;
}

/* Who destroys a context allocation waits for that, maybe where nobody else can pump. */
static void destroy(struct vidmm_adapter *adapter, uint32_t id)
{
    struct vidmm_allocation *allocation = find_allocation(adapter, id);

    if (allocation->context_allocation && !allocation->in_chores)
        allocation->gone = true;
    else
        add_chore(adapter, id, CHORE_DESTROY);
}

static void placed(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_dma_buffer *dma_buffer = find_dma_buffer(adapter, operation->placed.dma_buffer);
    struct vidmm_place place = operation->placed.place;
    uint64_t base = adapter->segments[place.segment].info.base_address; /* 0 of segment 0 */
    DXGK_ALLOCATIONLIST *entry;

    if (operation->placed.index >= dma_buffer->allocation_count)
        return; /* its context's own: the driver was told by BuildPagingBuffer */
    entry = &dma_buffer->allocation_list[dma_buffer->element_of[operation->placed.index]];
    if (VIDMM_LIES(VIDMM_LIE_BARE_OFFSET))
        base = 0;
    entry->SegmentId = place.segment & 0x1f;
    entry->PhysicalAddress.QuadPart = (LONGLONG)(base + place.offset); /* obeys D-007 */
}

/* Hand the answer to whoever waits, unless the pages that he is to see are still being cleared. */
static void answer(struct vidmm_request *request)
{
    if (!request->allocation || !request->allocation->in_chores) {
        request->done = true;
        vidmm_lock_granted(request);
    }
}

static void grant(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_request *request = adapter->requests;

    while (request && request->id != operation->grant.request)
        request = request->next;
    if (request) {
        request->granted = true;
        request->status = (NTSTATUS)operation->grant.status;
        request->place = operation->grant.place;
        request->range = operation->grant.range;
        request->flags = operation->grant.flags;
        answer(request);
    }
}

/* All that was to be done with the allocation's pages is done. */
static void answer_waiting(struct vidmm_adapter *adapter, const struct vidmm_allocation *allocation)
{
    struct vidmm_request *request;

    for (request = adapter->requests; request; request = request->next) {
        if (request->allocation == allocation && request->granted && !request->done) {
            answer(request);
            adapter->changed = true;
        }
    }
}

static void describe_error(struct vidmm_adapter *adapter, struct vidmm_device *device,
                           const struct vidmm_operation *operation)
{
    const struct vidmm_dma_buffer *dma_buffer =
        find_dma_buffer(adapter, operation->error.dma_buffer);
    struct vidmm_text text = vidmm_report_begin(&device->report);

    vidmm_text_string(&text, vidmm_reason_text(operation->error.reason));
    if (operation->error.reason == VIDMM_REASON_REMOVED) {
        vidmm_text_string(&text, "; the device is removed, new ones work (D-239)");
        return;
    }
    vidmm_text_string(&text, ": DMA buffer ");
    vidmm_text_number(&text, dma_buffer ? dma_buffer->value : 0);
    if (operation->error.reason == VIDMM_REASON_HUNG) {
        vidmm_text_string(&text, " of its context was cut off (D-243)");
        return;
    }
    vidmm_text_string(&text, " of its context needs ");
    vidmm_text_number(&text, operation->error.needed);
    vidmm_text_string(&text, operation->error.reason == VIDMM_REASON_BINDING_LEAK
                                 ? " bytes where they are (D-343)"
                                 : " bytes in one segment (D-089)");
}

static void device_error(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_device *device =
        vidmm_slot_find(&adapter->handles, operation->error.device - 1, VIDMM_HANDLE_DEVICE);

    if (device) {
        device->status = (NTSTATUS)operation->error.status;
        if (device->status == STATUS_DEVICE_REMOVED)
            vidmm_lock_close(device); /* obeys D-244 */
        describe_error(adapter, device, operation);
    }
}

/* What Windows would stop with: code, first parameter. */
static const char *bug_check(uint32_t reason)
{
    static const char *const codes[] = {
        [VIDMM_REASON_ILLEGAL_STATUS] = "0x10e, 0xb",
        [VIDMM_REASON_BUSY_WHEN_IDLE] = "0x10e, 0xb",
        [VIDMM_REASON_SUBMIT_FAILED] = "0x119, 2",
        [VIDMM_REASON_UNKNOWN_FENCE] = "0x119, 1",
        [VIDMM_REASON_TIMEOUT] = "0x116",
        [VIDMM_REASON_CANCEL_FAILED] = "0x119, 9 (D-347)",
        [VIDMM_REASON_PREEMPT_FAILED] = "0x119, 2",
        [VIDMM_REASON_ABORTED_FENCE] = "0x119, 0xa",
        [VIDMM_REASON_ENGINE_GROUP] = "0x119, 8",
        [VIDMM_REASON_RESET_FAILED] = "0x116",
        [VIDMM_REASON_DRIVER_TIMEOUT] = "0x116",
        [VIDMM_REASON_EARLY_REPORT] = "0x119, 0x10",
        [VIDMM_REASON_GUARANTEE] = "0x10e, 0x16",
        [VIDMM_REASON_ACQUIRE_STATUS] = "0x10e, 0xf",
        [VIDMM_REASON_RELEASE_STATUS] = "0x10e, 0x10",
        [VIDMM_REASON_PATCH_FAILED] = "0x119, 3",
        [VIDMM_REASON_OVERRUN] = "0x10e, 0x12",
        [VIDMM_REASON_PRIVATE_OVERRUN] = "0x10e, 0x13",
        [VIDMM_REASON_DISPLAY_REPORT] = "0x119, 7",
        [VIDMM_REASON_COMMAND_FAILED] = "0x119, 5",
        [VIDMM_REASON_DISPLAY_MASK] = "0x119, 6",
    };
    const char *code = reason < sizeof(codes) / sizeof(codes[0]) ? codes[reason] : NULL;

    return code ? code : "0x10e";
}

static void describe_stop(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    struct vidmm_text text = vidmm_report_begin(&adapter->stop_report);

    vidmm_text_string(&text, vidmm_reason_text(operation->error.reason));
    if (operation->error.status != 0) {
        vidmm_text_string(&text, ": status ");
        vidmm_text_hex(&text, operation->error.status);
    }
    vidmm_text_string(&text, "; Windows would bug-check ");
    vidmm_text_string(&text, bug_check(operation->error.reason));
}

static void stopped(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    adapter->stopped = true;
    adapter->call_due = false;
    adapter->at_rest = operation->error.reason == VIDMM_REASON_NONE;
    adapter->stop_reason = operation->error.reason;
    adapter->stop_status = (NTSTATUS)operation->error.status;
    vidmm_lock_abandon(adapter);
    if (!adapter->at_rest) {
        adapter->findings++;
        describe_stop(adapter, operation);
    }
}

/* ---- stepping -------------------------------------------------------------------------------- */

/* True: *answer is the answer to a claim. */
static bool carry_out(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                      struct vidmm_event *answer)
{
    switch (operation->kind) {
    case VIDMM_DO_CLAIM:
        *answer = (struct vidmm_event){.kind = VIDMM_EVENT_CLAIMED};
        answer->claimed.allocation = operation->allocation;
        answer->claimed.granted =
            vidmm_lock_word_claim(find_allocation(adapter, operation->allocation));
        return true;
    case VIDMM_DO_PLACED:
        placed(adapter, operation);
        break;
    case VIDMM_DO_GRANT:
        grant(adapter, operation);
        break;
    case VIDMM_DO_SHOW:
        vidmm_lock_shown(find_allocation(adapter, operation->allocation), operation->show.place,
                         operation->show.range, operation->show.alternate != 0);
        break;
    case VIDMM_DO_RETIRE:
        vidmm_context_retired(adapter, find_dma_buffer(adapter, operation->retire.dma_buffer));
        break;
    case VIDMM_DO_CLEAR:
        add_chore(adapter, operation->allocation, CHORE_CLEAR);
        break;
    case VIDMM_DO_DROP:
        add_chore(adapter, operation->allocation, CHORE_DROP);
        break;
    case VIDMM_DO_DESTROY:
        destroy(adapter, operation->allocation);
        break;
    case VIDMM_DO_ERROR:
        device_error(adapter, operation);
        break;
    case VIDMM_DO_STOPPED:
        stopped(adapter, operation);
        break;
    case VIDMM_DO_LOST:
        break; /* the engine refuses what names it */
    default:
        VIDMM_ASSERT(!adapter->call_due);
        adapter->call = *operation;
        adapter->call_due = true;
        break;
    }
    return false;
}

NTSTATUS vidmm_pump_step(struct vidmm_adapter *adapter, struct vidmm_event *event)
{
    const struct vidmm_observer *observer = adapter->options.observer;
    struct vidmm_event answer; /* if `claimed` */
    struct vidmm_plan plan;
    bool claimed = false;
    NTSTATUS status;
    uint32_t index;

    event->time_ns = adapter->host->now_ns(adapter->host->context);
    if (observer && observer->event)
        observer->event(observer->context, event);
    status = vidmm_step(adapter->engine, event, &plan);
    for (;;) {
        for (index = 0; index < plan.count; index++) {
            if (observer && observer->operation)
                observer->operation(observer->context, event->time_ns, &plan.operations[index]);
            claimed |= carry_out(adapter, &plan.operations[index], &answer);
        }
        adapter->changed |= plan.count > 0;
        if (!plan.more)
            break;
        vidmm_step(adapter->engine, NULL, &plan);
    }
    if (claimed)
        vidmm_pump_step(adapter, &answer);
    return status;
}

/* ---- pumping --------------------------------------------------------------------------------- */

static void do_chores(struct vidmm_adapter *adapter, struct vidmm_allocation *allocation,
                      uint32_t chores)
{
    uint32_t count = allocation->instances ? adapter->link_count : 1, engine;

    for (engine = 0; engine < count; engine++) {
        if ((chores & CHORE_CLEAR) != 0)
            vidmm_backing_clear(vidmm_backing_of(allocation, engine), adapter->host);
        if ((chores & CHORE_DROP) != 0)
            vidmm_backing_drop(vidmm_backing_of(allocation, engine), adapter->host);
    }
    if ((chores & CHORE_DESTROY) != 0)
        vidmm_allocation_gone(allocation);
}

/* Take it out of the driver and of the world, unless another thread of its process is in the
 * driver: then it comes back (D-055). The mutex is held. */
static void bury(struct vidmm_adapter *adapter, struct vidmm_allocation *allocation)
{
    struct vidmm_inside inside;

    if (allocation->context_allocation) { /* the miniport knows */
        allocation->gone = true;
        adapter->changed = true;
        return;
    }
    if (!vidmm_turn_try(adapter, vidmm_allocation_process(allocation), &inside)) {
        allocation->next_chore = adapter->graves;
        adapter->graves = allocation;
        return;
    }
    vidmm_adapter_unlock(adapter);
    do_chores(adapter, allocation, CHORE_DESTROY);
    vidmm_adapter_lock(adapter);
    if (vidmm_turn_leave(&inside)) {
        vidmm_adapter_unlock(adapter);
        adapter->host->wake(adapter->host->context);
        vidmm_adapter_lock(adapter);
    }
}

/* Look at each that was put aside once. */
static bool take_graves(struct vidmm_adapter *adapter)
{
    struct vidmm_allocation *allocation = adapter->graves, *next;

    if (!allocation || adapter->inside_waits)
        return false;
    adapter->graves = NULL;
    for (; allocation; allocation = next) {
        next = allocation->next_chore;
        bury(adapter, allocation);
    }
    return true;
}

static bool take_chores(struct vidmm_adapter *adapter)
{
    struct vidmm_allocation *allocation = adapter->chores_first;
    uint32_t chores;
    bool gone;

    if (!allocation)
        return false;
    adapter->chores_first = allocation->next_chore;
    if (!adapter->chores_first)
        adapter->chores_last = NULL;
    chores = allocation->chores & ~CHORE_DESTROY;
    gone = (allocation->chores & CHORE_DESTROY) != 0;
    allocation->chores = 0;
    if (chores != 0) {
        vidmm_adapter_unlock(adapter);
        do_chores(adapter, allocation, chores);
        vidmm_adapter_lock(adapter);
    }
    if (gone) {
        bury(adapter, allocation);
    } else if (allocation->chores == 0) {
        allocation->in_chores = false;
        answer_waiting(adapter, allocation);
    }
    return true;
}

static bool has_report(const struct vidmm_reports *reports)
{
    return atomic_load_explicit(&reports->read, memory_order_relaxed) !=
           atomic_load_explicit(&reports->written, memory_order_acquire);
}

/* What one physical adapter reported. */
static void take_report_of(struct vidmm_adapter *adapter, struct vidmm_reports *reports)
{
    uint32_t read = atomic_load_explicit(&reports->read, memory_order_relaxed);
    struct vidmm_notice notice = reports->entries[read % REPORTS];
    struct vidmm_event event = {.kind = VIDMM_EVENT_FENCE};

    atomic_store_explicit(&reports->read, read + 1, memory_order_release);
    if (notice.faulted && notice.fails == VIDMM_REASON_NONE) {
        if (!vidmm_engine_pages(adapter->engine, notice.node, notice.fence))
            return; /* told by D-358; the packet is late, and that has its own end */
        notice.fails = VIDMM_REASON_COMMAND_FAILED;
    }
    if (notice.fails != VIDMM_REASON_NONE) {
        event.kind = VIDMM_EVENT_FAIL;
        event.fail.reason = notice.fails;
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
}

static bool take_report(struct vidmm_adapter *adapter)
{
    uint32_t index;

    for (index = 0; index < adapter->link_count; index++) {
        if (has_report(&adapter->links[index]->reports)) {
            take_report_of(adapter, &adapter->links[index]->reports);
            return true;
        }
    }
    return false;
}

/* Make the call, with nobody else in the driver if its level says so. False: somebody is. The mutex
 * is held, but not during the call. */
static bool make_call(struct vidmm_adapter *adapter, const struct vidmm_operation *call,
                      struct vidmm_event *answer)
{
    bool gate = vidmm_kmd_needs_gate(call);

    if (gate && !vidmm_gate_shut(adapter))
        return false; /* obeys D-241, D-307 */
    adapter->call_due = false;
    vidmm_adapter_unlock(adapter);
    vidmm_kmd_call(adapter, call, answer);
    if (gate)
        vidmm_gate_open(adapter);
    vidmm_adapter_lock(adapter);
    return true;
}

/* False: it cannot be made now. */
static bool take_call(struct vidmm_adapter *adapter)
{
    struct vidmm_operation call = adapter->call;
    struct vidmm_event answer = {0};

    if (!make_call(adapter, &call, &answer))
        return false;
    while (answer.kind == VIDMM_EVENT_RECOVERED && take_report(adapter)) {
        /* what the call brought about comes before its answer: D-362, D-368 */
    }
    if (!adapter->stopped)
        vidmm_pump_step(adapter, &answer);
    return true;
}

static void set_timer(struct vidmm_adapter *adapter)
{
    uint64_t deadline = adapter->stopped ? UINT64_MAX : vidmm_engine_deadline(adapter->engine);

    if (deadline != adapter->deadline_ns && adapter->host->set_timer) {
        adapter->deadline_ns = deadline;
        adapter->host->set_timer(adapter->host->context, deadline);
    }
}

static bool take_tick(struct vidmm_adapter *adapter)
{
    struct vidmm_event event;

    if (adapter->stopped || adapter->deadline_ns == UINT64_MAX ||
        adapter->host->now_ns(adapter->host->context) < adapter->deadline_ns)
        return false;
    adapter->deadline_ns = UINT64_MAX; /* set anew below, when it has been looked at */
    event = (struct vidmm_event){.kind = VIDMM_EVENT_TICK};
    vidmm_pump_step(adapter, &event);
    return true;
}

void vidmm_pump_and_unlock(struct vidmm_adapter *adapter)
{
    bool changed;

    if (adapter->pumping || !adapter->engine) {
        vidmm_adapter_unlock(adapter);
        return;
    }
    adapter->pumping = true;
    while (take_chores(adapter) || take_graves(adapter) || take_report(adapter) ||
           (adapter->call_due && take_call(adapter)) || take_tick(adapter)) {
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

void vidmm_pump_work(void *argument)
{
    const struct vidmm_link *link = argument;

    vidmm_pump(link->adapter);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* The mutex is held, here and in request_end(). */
static uint32_t request_begin(struct vidmm_adapter *adapter, struct vidmm_request *request)
{
    adapter->next_request += adapter->next_request == UINT32_MAX ? 2 : 1;
    request->id = adapter->next_request;
    request->next = adapter->requests;
    adapter->requests = request;
    return request->id;
}

static void request_end(struct vidmm_adapter *adapter, struct vidmm_request *request)
{
    struct vidmm_request **link = &adapter->requests;

    while (*link != request)
        link = &(*link)->next;
    *link = request->next;
}

struct waiting {
    struct vidmm_adapter *adapter;
    const struct vidmm_request *request;
};

static bool request_is_done(void *argument)
{
    const struct waiting *waiting = argument;
    bool done;

    vidmm_adapter_lock(waiting->adapter);
    done = waiting->request->done || waiting->adapter->stopped;
    vidmm_adapter_unlock(waiting->adapter);
    return done;
}

static NTSTATUS request_wait(struct vidmm_adapter *adapter, struct vidmm_request *request)
{
    struct waiting waiting = {adapter, request};

    vidmm_pump(adapter);
    adapter->host->wait(adapter->host->context, request_is_done, &waiting, UINT64_MAX);
    if (request->done)
        return request->status;
    return adapter->stopped ? STATUS_DEVICE_REMOVED : STATUS_TIMEOUT;
}

NTSTATUS vidmm_request_ask(struct vidmm_adapter *adapter, struct vidmm_event *event, uint32_t *id,
                           struct vidmm_request *request)
{
    NTSTATUS status;

    vidmm_adapter_lock(adapter);
    if (adapter->stopped) {
        vidmm_adapter_unlock(adapter);
        return STATUS_DEVICE_REMOVED;
    }
    *id = request_begin(adapter, request);
    status = vidmm_pump_step(adapter, event);
    vidmm_adapter_unlock(adapter);
    if (status == STATUS_SUCCESS)
        status = request_wait(adapter, request);
    vidmm_adapter_lock(adapter);
    request_end(adapter, request);
    vidmm_adapter_unlock(adapter);
    return status;
}
