/* simulated.c: the host and the bus of a machine whose processors are a choice by seed. */
#include "host/simulated.h"
#include "host/fiber.h"
#include "host/state.h"
#include "host/window.h"

#include <stdlib.h>
#include <string.h>

enum { STEP_NS = 50, CLOCK_READ_NS = 5 };

static void activity_init(struct vidmm_activity *activity, enum activity_kind kind, void *owner)
{
    *activity = (struct vidmm_activity){.kind = kind, .owner = owner};
}

static void make_ready(struct vidmm_machine *machine, struct vidmm_activity *activity)
{
    if (!activity->running)
        vidmm_schedule_add(&machine->simulation->schedule, activity);
}

/* Interrupts */

/* Serve the oldest message. */
static void serve(struct vidmm_slot *slot)
{
    struct vidmm_simulation *simulation = slot->machine->simulation;
    struct vidmm_simulated_slot *own = slot->simulated;
    uint32_t message = own->messages[own->message_head];
    uint8_t level = simulation->irql;

    own->message_head = (own->message_head + 1) % SIMULATED_MESSAGES;
    own->message_count--;
    if (!own->connected)
        return;
    simulation->irql = VIDMM_DEVICE_LEVEL;
    own->in_service = true;
    own->client.service(own->client.argument, message);
    own->in_service = false;
    simulation->irql = level;
}

/* Have the rest of the messages served later. */
static void serve_rest(struct vidmm_slot *slot)
{
    if (slot->simulated->message_count > 0 && !slot->simulated->in_service)
        make_ready(slot->machine, &slot->simulated->interrupt);
}

static void raise_interrupt(void *context, uint32_t message)
{
    struct vidmm_slot *slot = context;
    struct vidmm_simulated_slot *own = slot->simulated;
    struct vidmm_schedule *schedule = &slot->machine->simulation->schedule;

    while (own->message_count == SIMULATED_MESSAGES && !own->in_service)
        serve(slot);
    if (own->message_count == SIMULATED_MESSAGES) {
        vidmm_machine_misuse(slot->machine, "%u interrupts raised while one was being served",
                             SIMULATED_MESSAGES);
        return;
    }
    own->messages[(own->message_head + own->message_count++) % SIMULATED_MESSAGES] = message;
    if (!own->in_service && vidmm_schedule_chance(schedule, schedule->at_once))
        while (own->message_count > 0)
            serve(slot);
    serve_rest(slot);
}

static bool synchronize(void *context, bool (*routine)(void *argument), void *argument,
                        bool *result)
{
    struct vidmm_slot *slot = context;
    struct vidmm_simulation *simulation = slot->machine->simulation;
    struct vidmm_simulated_slot *own = slot->simulated;

    if (!own->connected)
        return false;
    if (own->in_service) {
        vidmm_machine_misuse(slot->machine, "synchronize from within the service routine");
        return false;
    }
    uint8_t level = simulation->irql;
    simulation->irql = VIDMM_DEVICE_LEVEL;
    own->in_service = true;
    *result = routine(argument);
    own->in_service = false;
    simulation->irql = level;
    serve_rest(slot);
    vidmm_simulated_point(slot->machine);
    return true;
}

/* Engines */

static int add_engine(void *context, const char *name, bool (*step)(void *engine), void *engine)
{
    struct vidmm_slot *slot = context;
    struct vidmm_simulated_slot *own = slot->simulated;

    (void)name;
    if (own->engine_count == VIDMM_MACHINE_ENGINES)
        return -1;
    struct vidmm_simulated_engine *record = calloc(1, sizeof(*record));
    if (record == NULL)
        return -1;
    if (!vidmm_schedule_reserve(&slot->machine->simulation->schedule, 1)) {
        free(record);
        return -1;
    }
    activity_init(&record->activity, ACTIVITY_ENGINE, record);
    record->slot = slot;
    record->step = step;
    record->engine = engine;
    own->engines[own->engine_count] = record;
    return (int)own->engine_count++;
}

static void kick_engine(void *context, int engine)
{
    struct vidmm_slot *slot = context;
    struct vidmm_simulated_slot *own = slot->simulated;

    if (engine < 0 || (unsigned)engine >= own->engine_count) {
        vidmm_machine_misuse(slot->machine, "kick of engine %d, of %u", engine, own->engine_count);
        return;
    }
    own->engines[engine]->kicked = true;
    make_ready(slot->machine, &own->engines[engine]->activity);
}

static void end_engines(struct vidmm_slot *slot)
{
    struct vidmm_simulated_slot *own = slot->simulated;
    struct vidmm_schedule *schedule = &slot->machine->simulation->schedule;

    if (own->connected)
        vidmm_machine_misuse(slot->machine, "a device is unplugged whose host is connected");
    for (unsigned i = 0; i < own->engine_count; i++) {
        vidmm_schedule_remove(schedule, &own->engines[i]->activity);
        schedule->members--;
        free(own->engines[i]);
    }
    own->engine_count = 0;
    own->message_count = 0;
}

/* Clients */

static void change_timer(struct vidmm_slot *slot, uint64_t at_ns)
{
    const struct vidmm_machine *machine = slot->machine;
    uint64_t next = UINT64_MAX;

    if (slot->simulated->timer == at_ns)
        return;
    slot->simulated->timer = at_ns;
    for (unsigned i = 0; i < machine->slot_count; i++)
        if (machine->slots[i]->simulated->timer < next)
            next = machine->slots[i]->simulated->timer;
    machine->simulation->next_timer = next;
}

static void set_timer(void *context, uint64_t at_ns)
{
    struct vidmm_slot *slot = context;

    if (slot->simulated->connected)
        change_timer(slot, at_ns);
}

static bool connect_client(void *context, const struct vidmm_host_client *client)
{
    struct vidmm_slot *slot = context;
    struct vidmm_simulated_slot *own = slot->simulated;

    if (!vidmm_slot_level(slot, VIDMM_PASSIVE_LEVEL, "connect") || own->connected)
        return false;
    own->client = *client;
    own->dpc_pending = own->work_pending = false;
    own->message_count = 0;
    own->connected = true;
    return true;
}

static bool work_has_ended(void *argument)
{
    struct vidmm_simulated_slot *own = argument;

    return !own->work.running;
}

static void disconnect(void *context)
{
    struct vidmm_slot *slot = context;
    struct vidmm_simulated_slot *own = slot->simulated;

    if (!vidmm_slot_level(slot, VIDMM_PASSIVE_LEVEL, "disconnect"))
        return;
    own->connected = false;
    own->dpc_pending = own->work_pending = false;
    change_timer(slot, UINT64_MAX);
    own->message_count = 0;
    /* Work may be waiting, on a stack of its own. */
    if (!work_has_ended(own) &&
        !vidmm_simulated_wait(slot->machine, work_has_ended, own, UINT64_MAX))
        vidmm_machine_misuse(slot->machine, "disconnect, but the client's work does not end");
}

static bool queue_dpc(void *context)
{
    struct vidmm_slot *slot = context;
    struct vidmm_simulated_slot *own = slot->simulated;

    if (!own->connected || own->dpc_pending)
        return false;
    own->dpc_pending = true;
    make_ready(slot->machine, &own->dpc);
    return true;
}

/* A call that is running has been interrupted by the service routine alone, and nobody flushes
 * there. */
static void flush_dpcs(void *context)
{
    struct vidmm_slot *slot = context;
    struct vidmm_simulated_slot *own = slot->simulated;
    struct vidmm_simulation *simulation = slot->machine->simulation;

    if (!vidmm_slot_level(slot, VIDMM_PASSIVE_LEVEL, "flush_dpcs"))
        return;
    while (own->connected && own->dpc_pending && !own->dpc.running) {
        own->dpc_pending = false;
        simulation->irql = VIDMM_DISPATCH_LEVEL;
        own->client.dpc(own->client.argument);
        simulation->irql = VIDMM_PASSIVE_LEVEL;
    }
}

static void queue_work(struct vidmm_slot *slot)
{
    if (!slot->simulated->connected || slot->simulated->work_pending)
        return;
    slot->simulated->work_pending = true;
    make_ready(slot->machine, &slot->simulated->work);
}

static void wake(void *context)
{
    struct vidmm_slot *slot = context;
    struct vidmm_simulation *simulation = slot->machine->simulation;

    simulation->wakes++;
    vidmm_schedule_unblock(&simulation->schedule);
    queue_work(slot);
}

void vidmm_simulated_fire(struct vidmm_machine *machine)
{
    for (unsigned i = 0; i < machine->slot_count; i++) {
        struct vidmm_slot *slot = machine->slots[i];
        if (slot->simulated->timer <= machine->simulation->now) {
            change_timer(slot, UINT64_MAX);
            queue_work(slot);
        }
    }
}

/* Levels, time, the mutex */

static uint8_t current_irql(void *context)
{
    const struct vidmm_slot *slot = context;

    return slot->machine->simulation->irql;
}

static uint8_t raise_irql(void *context, uint8_t irql)
{
    struct vidmm_slot *slot = context;
    uint8_t before = slot->machine->simulation->irql;

    if (irql < before)
        vidmm_machine_misuse(slot->machine, "raise_irql from %u to %u", before, irql);
    else
        slot->machine->simulation->irql = irql;
    return before;
}

static void lower_irql(void *context, uint8_t irql)
{
    struct vidmm_slot *slot = context;
    uint8_t before = slot->machine->simulation->irql;

    if (irql > before)
        vidmm_machine_misuse(slot->machine, "lower_irql from %u to %u", before, irql);
    else
        slot->machine->simulation->irql = irql;
}

static uint64_t now_ns(void *context)
{
    const struct vidmm_slot *slot = context;

    /* Reading takes time, so that nobody waits for ever who only reads the clock. */
    return slot->machine->simulation->now += CLOCK_READ_NS;
}

static void lock(void *context)
{
    struct vidmm_slot *slot = context;

    if (slot->machine->simulation->irql > VIDMM_DISPATCH_LEVEL)
        vidmm_slot_level(slot, VIDMM_DISPATCH_LEVEL, "lock");
    if (slot->simulated->locked)
        vidmm_machine_misuse(slot->machine, "lock of a mutex that is locked");
    slot->simulated->locked = true;
}

static void unlock(void *context)
{
    struct vidmm_slot *slot = context;

    if (!slot->simulated->locked)
        vidmm_machine_misuse(slot->machine, "unlock of a mutex that is not locked");
    slot->simulated->locked = false;
    if (!slot->machine->simulation->schedule.eager) /* nobody intrudes upon an eager machine */
        vidmm_simulated_point(slot->machine);
}

/* Nobody else runs while work does, unless it waits. */
static bool is_in_work(void *context)
{
    const struct vidmm_slot *slot = context;

    return slot->simulated->work.running && slot->simulated->client.work_never_waits;
}

static bool wait_ready(void *context, bool (*ready)(void *argument), void *argument,
                       uint64_t timeout_ns)
{
    struct vidmm_slot *slot = context;

    if (!vidmm_slot_level(slot, VIDMM_PASSIVE_LEVEL, "wait"))
        return false;
    if (slot->simulated->locked) {
        vidmm_machine_misuse(slot->machine, "wait with the mutex locked");
        return false;
    }
    if (is_in_work(slot)) {
        vidmm_machine_misuse(slot->machine, "wait from within work that never waits");
        return false;
    }
    return vidmm_simulated_wait(slot->machine, ready, argument, timeout_ns);
}

static void touched(struct vidmm_slot *slot)
{
    vidmm_simulated_point(slot->machine);
}

/* Running */

static void perform_engine(struct vidmm_machine *machine, struct vidmm_simulated_engine *engine)
{
    engine->kicked = false;
    bool more = engine->step(engine->engine);
    engine->activity.running = false;
    if (more || engine->kicked)
        make_ready(machine, &engine->activity);
}

static void perform_dpc(struct vidmm_slot *slot)
{
    struct vidmm_simulated_slot *own = slot->simulated;

    if (own->connected && own->dpc_pending) {
        own->dpc_pending = false;
        slot->machine->simulation->irql = VIDMM_DISPATCH_LEVEL;
        own->client.dpc(own->client.argument);
    }
    own->dpc.running = false;
    if (own->dpc_pending)
        make_ready(slot->machine, &own->dpc);
}

static void perform_work(struct vidmm_slot *slot)
{
    struct vidmm_simulated_slot *own = slot->simulated;

    if (own->connected && own->work_pending) {
        own->work_pending = false;
        own->client.work(own->client.argument);
    }
    own->work.running = false;
    if (own->work_pending)
        make_ready(slot->machine, &own->work);
}

static void perform_caller(struct vidmm_machine *machine, struct vidmm_simulated_caller *own)
{
    struct vidmm_simulation *simulation = machine->simulation;
    uint64_t wakes = simulation->wakes;

    own->caller->state = own->caller->step(own->caller->argument);
    own->activity.running = false;
    if (own->caller->state == VIDMM_CALLER_DONE)
        simulation->callers_left--;
    else if (own->caller->state == VIDMM_CALLER_BLOCKED && wakes == simulation->wakes)
        vidmm_schedule_block(&simulation->schedule, &own->activity);
    else
        make_ready(machine, &own->activity);
}

void vidmm_simulated_perform(struct vidmm_machine *machine, struct vidmm_activity *activity)
{
    struct vidmm_simulation *simulation = machine->simulation;
    struct vidmm_slot *slot = activity->owner;
    uint8_t level = simulation->irql;

    VIDMM_ASSERT(!activity->running);
    activity->running = true;
    simulation->irql = VIDMM_PASSIVE_LEVEL;
    simulation->now += STEP_NS;
    simulation->steps++;
    switch (activity->kind) {
    case ACTIVITY_ENGINE:
        perform_engine(machine, activity->owner);
        break;
    case ACTIVITY_INTERRUPT:
        activity->running = false;
        if (slot->simulated->message_count > 0 && !slot->simulated->in_service)
            serve(slot);
        serve_rest(slot);
        break;
    case ACTIVITY_DPC:
        perform_dpc(slot);
        break;
    case ACTIVITY_WORK:
        perform_work(slot);
        break;
    case ACTIVITY_CALLER:
        perform_caller(machine, activity->owner);
        break;
    case ACTIVITY_WAITER:
        activity->running = false;
        vidmm_simulated_check_waiter(machine, activity->owner);
        break;
    }
    simulation->irql = level;
}

void vidmm_simulated_point(struct vidmm_machine *machine)
{
    struct vidmm_schedule *schedule = &machine->simulation->schedule;
    struct vidmm_activity *activity;

    while ((activity = vidmm_schedule_intruder(schedule)) != NULL) {
        struct vidmm_slot *slot = activity->owner;
        if (activity->kind == ACTIVITY_DPC && slot->simulated->locked) {
            /* It would want the mutex of whoever it intrudes upon. */
            vidmm_schedule_add(schedule, activity);
            return;
        }
        vidmm_simulated_perform(machine, activity);
    }
}

/* Beginning and ending */

static bool begin(struct vidmm_machine *machine)
{
    struct vidmm_simulation *simulation = calloc(1, sizeof(*simulation));

    if (simulation == NULL)
        return false;
    machine->simulation = simulation;
    simulation->next_deadline = simulation->next_timer = UINT64_MAX;
    simulation->base = simulation->current = vidmm_fiber_adopt();
    if (simulation->base != NULL &&
        vidmm_schedule_init(&simulation->schedule, machine->options.seed))
        return true;
    vidmm_fiber_destroy(simulation->base);
    vidmm_schedule_finish(&simulation->schedule);
    free(simulation);
    return false;
}

static void end(struct vidmm_machine *machine)
{
    struct vidmm_simulation *simulation = machine->simulation;

    while (simulation->idle != NULL) {
        struct vidmm_fiber *fiber = simulation->idle;
        simulation->idle = fiber->next;
        vidmm_fiber_destroy(fiber);
    }
    vidmm_fiber_destroy(simulation->base);
    for (unsigned i = 0; i < machine->caller_count; i++)
        free(simulation->callers[i]);
    free(simulation->callers);
    vidmm_schedule_finish(&simulation->schedule);
    free(simulation);
}

static void fill_tables(struct vidmm_slot *slot)
{
    slot->bus.raise_interrupt = raise_interrupt;
    slot->bus.add_engine = add_engine;
    slot->bus.kick_engine = kick_engine;
    slot->host.connect = connect_client;
    slot->host.disconnect = disconnect;
    slot->host.queue_dpc = queue_dpc;
    slot->host.flush_dpcs = flush_dpcs;
    slot->host.synchronize = synchronize;
    slot->host.wake = wake;
    slot->host.set_timer = set_timer;
    slot->host.raise_irql = raise_irql;
    slot->host.lower_irql = lower_irql;
    slot->host.current_irql = current_irql;
    slot->host.now_ns = now_ns;
    slot->host.lock = lock;
    slot->host.unlock = unlock;
    slot->host.wait = wait_ready;
    slot->host.is_in_work = is_in_work;
}

static bool begin_slot(struct vidmm_slot *slot)
{
    struct vidmm_simulated_slot *own = calloc(1, sizeof(*own));

    if (own == NULL)
        return false;
    /* Interrupt, deferred procedure call, work, and the work's wait. */
    if (!vidmm_schedule_reserve(&slot->machine->simulation->schedule, 4)) {
        free(own);
        return false;
    }
    own->timer = UINT64_MAX;
    activity_init(&own->interrupt, ACTIVITY_INTERRUPT, slot);
    activity_init(&own->dpc, ACTIVITY_DPC, slot);
    activity_init(&own->work, ACTIVITY_WORK, slot);
    slot->simulated = own;
    fill_tables(slot);
    return true;
}

static void end_slot(struct vidmm_slot *slot)
{
    struct vidmm_schedule *schedule = &slot->machine->simulation->schedule;

    vidmm_schedule_remove(schedule, &slot->simulated->interrupt);
    vidmm_schedule_remove(schedule, &slot->simulated->dpc);
    vidmm_schedule_remove(schedule, &slot->simulated->work);
    free(slot->simulated);
}

static bool begin_caller(struct vidmm_machine *machine, unsigned index)
{
    struct vidmm_simulation *simulation = machine->simulation;
    struct vidmm_simulated_caller **callers =
        realloc(simulation->callers, (index + 1) * sizeof(*callers));

    if (callers == NULL)
        return false;
    simulation->callers = callers;
    struct vidmm_simulated_caller *own = calloc(1, sizeof(*own));
    if (own == NULL)
        return false;
    /* The caller and its wait. */
    if (!vidmm_schedule_reserve(&simulation->schedule, 2)) {
        free(own);
        return false;
    }
    activity_init(&own->activity, ACTIVITY_CALLER, own);
    own->caller = machine->callers[index];
    callers[index] = own;
    simulation->callers_left++;
    return true;
}

static uint64_t steps(const struct vidmm_machine *machine)
{
    return machine->simulation->steps;
}

static bool is_open(void *argument)
{
    return vidmm_window_is_open(argument);
}

static bool await_window(struct vidmm_window *window)
{
    struct vidmm_simulation *simulation = window->machine->simulation;

    return simulation->irql == VIDMM_PASSIVE_LEVEL &&
           vidmm_simulated_wait(window->machine, is_open, window, UINT64_MAX);
}

const struct vidmm_machine_calls vidmm_simulated_calls = {
    .begin = begin,
    .end = end,
    .begin_slot = begin_slot,
    .end_slot = end_slot,
    .end_engines = end_engines,
    .begin_caller = begin_caller,
    .run = vidmm_simulated_run,
    .settle = vidmm_simulated_settle,
    .touched = touched,
    .steps = steps,
    .begin_window = vidmm_simulated_keep_fiber,
    .await_window = await_window,
};
