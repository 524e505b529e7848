/* threaded.c: the host and the bus of a machine whose processors are threads. */
#include "host/threaded.h"
#include "host/state.h"
#include "host/window.h"

#include <stdlib.h>
#include <string.h>

/* A thread is a processor: its level, and the locks it has. */
static _Thread_local uint8_t level;
static _Thread_local unsigned mutexes_held;
static _Thread_local struct vidmm_slot *in_service;
static _Thread_local struct vidmm_slot *in_work;

static uintptr_t this_thread(void)
{
    return (uintptr_t)&level;
}

/* Interrupts */

static void serve(struct vidmm_slot *slot, uint32_t message)
{
    struct vidmm_threaded_slot *own = slot->threaded;

    if (atomic_load(&own->connected))
        own->client.service(own->client.argument, message);
}

/* Begin what excludes the service routine; answers the level before. */
static uint8_t begin_service(struct vidmm_slot *slot)
{
    uint8_t before = level;

    pthread_mutex_lock(&slot->threaded->interrupt_mutex);
    level = VIDMM_DEVICE_LEVEL;
    in_service = slot;
    return before;
}

/* Serve what was raised meanwhile by this thread, and end. */
static void end_service(struct vidmm_slot *slot, uint8_t before)
{
    struct vidmm_threaded_slot *own = slot->threaded;

    for (unsigned i = 0; i < own->message_count; i++)
        serve(slot, own->messages[i]);
    own->message_count = 0;
    in_service = NULL;
    level = before;
    pthread_mutex_unlock(&own->interrupt_mutex);
}

static void raise_interrupt(void *context, uint32_t message)
{
    struct vidmm_slot *slot = context;
    struct vidmm_threaded_slot *own = slot->threaded;

    if (in_service == slot) {
        if (own->message_count < THREADED_MESSAGES)
            own->messages[own->message_count++] = message;
        else
            vidmm_machine_misuse(slot->machine, "%u interrupts raised while one was being served",
                                 THREADED_MESSAGES);
        return;
    }
    uint8_t before = begin_service(slot);
    serve(slot, message);
    end_service(slot, before);
}

static bool synchronize(void *context, bool (*routine)(void *argument), void *argument,
                        bool *result)
{
    struct vidmm_slot *slot = context;

    if (!atomic_load(&slot->threaded->connected))
        return false;
    if (in_service == slot) {
        vidmm_machine_misuse(slot->machine, "synchronize from within the service routine");
        return false;
    }
    uint8_t before = begin_service(slot);
    *result = routine(argument);
    end_service(slot, before);
    return true;
}

/* Engines */

static void run_engine(struct vidmm_runner *runner)
{
    while (runner->step(runner->owner))
        if ((atomic_load_explicit(&runner->bits, memory_order_relaxed) & RUNNER_STOP) != 0)
            return;
}

static int add_engine(void *context, const char *name, bool (*step)(void *engine), void *engine)
{
    struct vidmm_slot *slot = context;
    struct vidmm_threaded_slot *own = slot->threaded;

    if (own->engine_count == VIDMM_MACHINE_ENGINES)
        return -1;
    struct vidmm_runner *runner = vidmm_runner_create(slot->machine, run_engine, engine, step);
    if (runner == NULL)
        return -1;
    char short_name[16]; /* the length that Linux keeps of a thread's name */
    strncpy(short_name, name, sizeof(short_name) - 1);
    short_name[sizeof(short_name) - 1] = '\0';
    pthread_setname_np(runner->thread, short_name);
    own->engines[own->engine_count] = runner;
    return (int)own->engine_count++;
}

static void kick_engine(void *context, int engine)
{
    struct vidmm_slot *slot = context;
    struct vidmm_threaded_slot *own = slot->threaded;

    if (engine < 0 || (unsigned)engine >= own->engine_count)
        vidmm_machine_misuse(slot->machine, "kick of engine %d, of %u", engine, own->engine_count);
    else
        vidmm_runner_post(own->engines[engine], RUNNER_RUN);
}

static void end_engines(struct vidmm_slot *slot)
{
    struct vidmm_threaded_slot *own = slot->threaded;

    if (atomic_load(&own->connected))
        vidmm_machine_misuse(slot->machine, "a device is unplugged whose host is connected");
    for (unsigned i = 0; i < own->engine_count; i++)
        vidmm_runner_destroy(own->engines[i]);
    own->engine_count = 0;
}

/* Clients */

static void call_dpc(struct vidmm_slot *slot)
{
    struct vidmm_threaded_slot *own = slot->threaded;

    if (!atomic_load(&own->connected))
        return;
    level = VIDMM_DISPATCH_LEVEL;
    own->client.dpc(own->client.argument);
    level = VIDMM_PASSIVE_LEVEL;
}

static void call_work(struct vidmm_slot *slot)
{
    struct vidmm_threaded_slot *own = slot->threaded;
    struct vidmm_slot *before = in_work;

    if (!atomic_load(&own->connected))
        return;
    in_work = slot;
    own->client.work(own->client.argument);
    in_work = before;
}

static bool connect_client(void *context, const struct vidmm_host_client *client)
{
    struct vidmm_slot *slot = context;
    struct vidmm_threaded_slot *own = slot->threaded;

    if (!vidmm_slot_level(slot, VIDMM_PASSIVE_LEVEL, "connect") || atomic_load(&own->connected))
        return false;
    vidmm_job_cancel(&own->dpc);
    vidmm_job_cancel(&own->work);
    own->client = *client;
    atomic_store(&own->work.helped, client->work_never_waits);
    atomic_store(&own->connected, true);
    return true;
}

static void disconnect(void *context)
{
    struct vidmm_slot *slot = context;
    struct vidmm_threaded_slot *own = slot->threaded;

    if (!vidmm_slot_level(slot, VIDMM_PASSIVE_LEVEL, "disconnect"))
        return;
    if (in_work == slot) {
        vidmm_machine_misuse(slot->machine, "disconnect, but the client's work does not end");
        return;
    }
    pthread_mutex_lock(&own->interrupt_mutex);
    atomic_store(&own->connected, false);
    pthread_mutex_unlock(&own->interrupt_mutex);
    vidmm_job_cancel(&own->dpc);
    vidmm_job_cancel(&own->work);
    vidmm_runner_cancel_timer(own->work.runner); /* last: they may have set it */
}

static bool queue_dpc(void *context)
{
    struct vidmm_slot *slot = context;
    struct vidmm_threaded_slot *own = slot->threaded;

    return atomic_load(&own->connected) && vidmm_job_post(&own->dpc);
}

static void flush_dpcs(void *context)
{
    struct vidmm_slot *slot = context;

    if (vidmm_slot_level(slot, VIDMM_PASSIVE_LEVEL, "flush_dpcs"))
        vidmm_job_flush(&slot->threaded->dpc);
}

static void wake(void *context)
{
    struct vidmm_slot *slot = context;
    struct vidmm_threaded_slot *own = slot->threaded;

    /* The work first: then whoever spins for the wake finds it, and it needs no other thread. */
    if (atomic_load(&own->connected))
        vidmm_job_post(&own->work);
    vidmm_threads_wake(slot->machine->threads);
}

static void set_timer(void *context, uint64_t at_ns)
{
    struct vidmm_slot *slot = context;
    struct vidmm_threaded_slot *own = slot->threaded;

    if (atomic_load(&own->connected))
        vidmm_runner_set_timer(own->work.runner, at_ns);
}

/* Levels, time, the mutex */

static uint8_t current_irql(void *context)
{
    (void)context;
    return level;
}

static uint8_t raise_irql(void *context, uint8_t irql)
{
    struct vidmm_slot *slot = context;
    uint8_t before = level;

    if (irql < before)
        vidmm_machine_misuse(slot->machine, "raise_irql from %u to %u", before, irql);
    else
        level = irql;
    return before;
}

static void lower_irql(void *context, uint8_t irql)
{
    struct vidmm_slot *slot = context;

    if (irql > level)
        vidmm_machine_misuse(slot->machine, "lower_irql from %u to %u", level, irql);
    else
        level = irql;
}

static uint64_t now_ns(void *context)
{
    (void)context;
    return vidmm_threads_now();
}

static void lock(void *context)
{
    struct vidmm_slot *slot = context;
    struct vidmm_threaded_slot *own = slot->threaded;

    vidmm_slot_level(slot, VIDMM_DISPATCH_LEVEL, "lock");
    if (atomic_load_explicit(&own->mutex_owner, memory_order_relaxed) == this_thread()) {
        vidmm_machine_misuse(slot->machine, "lock of a mutex that is locked");
        return;
    }
    pthread_mutex_lock(&own->mutex);
    atomic_store_explicit(&own->mutex_owner, this_thread(), memory_order_relaxed);
    mutexes_held++;
}

static void unlock(void *context)
{
    struct vidmm_slot *slot = context;
    struct vidmm_threaded_slot *own = slot->threaded;

    if (atomic_load_explicit(&own->mutex_owner, memory_order_relaxed) != this_thread()) {
        vidmm_machine_misuse(slot->machine, "unlock of a mutex that is not locked");
        return;
    }
    mutexes_held--;
    atomic_store_explicit(&own->mutex_owner, 0, memory_order_relaxed);
    pthread_mutex_unlock(&own->mutex);
}

static uint64_t deadline_after(uint64_t timeout_ns)
{
    if (timeout_ns == UINT64_MAX) /* the clock takes longer than all the rest of a wait */
        return UINT64_MAX;
    uint64_t now = vidmm_threads_now();
    return timeout_ns < UINT64_MAX - now ? now + timeout_ns : UINT64_MAX;
}

static bool wait_ready(void *context, bool (*ready)(void *argument), void *argument,
                       uint64_t timeout_ns)
{
    struct vidmm_slot *slot = context;
    struct vidmm_threads *threads = slot->machine->threads;
    struct vidmm_threaded_waiter waiter = {.deadline = UINT64_MAX};

    if (!vidmm_slot_level(slot, VIDMM_PASSIVE_LEVEL, "wait"))
        return false;
    if (mutexes_held > 0) {
        vidmm_machine_misuse(slot->machine, "wait with the mutex locked");
        return false;
    }
    if (in_work != NULL && in_work->threaded->client.work_never_waits) {
        vidmm_machine_misuse(slot->machine, "wait from within work that never waits");
        return false;
    }
    for (bool first = true;; first = false) {
        waiter.wakes = atomic_load(&threads->wakes);
        if (ready(argument))
            return true;
        if (first)
            waiter.deadline = deadline_after(timeout_ns);
        if (waiter.stuck || vidmm_threads_expired(&waiter))
            return false;
        vidmm_threads_await_wake(slot->machine, &waiter);
    }
}

static bool is_in_work(void *context)
{
    return in_work == context;
}

static void touched(struct vidmm_slot *slot)
{
    (void)slot;
}

/* Callers */

static void run_caller(struct vidmm_runner *runner)
{
    struct vidmm_threads *threads = runner->machine->threads;
    struct vidmm_caller *caller = runner->owner;
    struct vidmm_threaded_waiter waiter = {.deadline = UINT64_MAX, .blocked = true};

    while (!waiter.stuck) {
        waiter.wakes = atomic_load(&threads->wakes);
        caller->state = caller->step(caller->argument);
        if (caller->state == VIDMM_CALLER_DONE)
            break;
        if (caller->state == VIDMM_CALLER_BLOCKED)
            vidmm_threads_await_wake(runner->machine, &waiter);
    }
    pthread_mutex_lock(&threads->sleep_mutex);
    threads->callers_running--;
    pthread_cond_broadcast(&threads->quiet);
    pthread_mutex_unlock(&threads->sleep_mutex);
}

static bool begin_caller(struct vidmm_machine *machine, unsigned index)
{
    struct vidmm_threads *threads = machine->threads;
    struct vidmm_runner **callers = realloc(threads->callers, (index + 1) * sizeof(*callers));

    if (callers == NULL)
        return false;
    threads->callers = callers;
    callers[index] = vidmm_runner_create(machine, run_caller, machine->callers[index], NULL);
    return callers[index] != NULL;
}

static bool run(struct vidmm_machine *machine)
{
    struct vidmm_threads *threads = machine->threads;
    bool done = true;

    pthread_mutex_lock(&threads->sleep_mutex);
    for (unsigned i = 0; i < machine->caller_count; i++)
        threads->callers_running += machine->callers[i]->state != VIDMM_CALLER_DONE;
    pthread_mutex_unlock(&threads->sleep_mutex);
    for (unsigned i = 0; i < machine->caller_count; i++)
        if (machine->callers[i]->state != VIDMM_CALLER_DONE)
            vidmm_runner_post(threads->callers[i], RUNNER_RUN);
    vidmm_threads_settle(threads, true);
    for (unsigned i = 0; i < machine->caller_count; i++)
        done = done && machine->callers[i]->state == VIDMM_CALLER_DONE;
    return done;
}

static void settle(struct vidmm_machine *machine)
{
    vidmm_threads_settle(machine->threads, false);
}

/* Beginning and ending */

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
    struct vidmm_threaded_slot *own = calloc(1, sizeof(*own));

    if (own == NULL)
        return false;
    slot->threaded = own;
    fill_tables(slot);
    if (!vidmm_job_init(&own->dpc, slot, call_dpc) ||
        !vidmm_job_init(&own->work, slot, call_work)) {
        vidmm_job_finish(&own->dpc);
        free(own);
        return false;
    }
    atomic_store(&own->dpc.helped, true);
    pthread_mutexattr_t adaptive;
    pthread_mutexattr_init(&adaptive);
    pthread_mutexattr_settype(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&own->interrupt_mutex, &adaptive);
    pthread_mutex_init(&own->mutex, &adaptive);
    pthread_mutexattr_destroy(&adaptive);
    return true;
}

static void end_slot(struct vidmm_slot *slot)
{
    struct vidmm_threaded_slot *own = slot->threaded;

    vidmm_job_finish(&own->dpc);
    vidmm_job_finish(&own->work);
    pthread_mutex_destroy(&own->interrupt_mutex);
    pthread_mutex_destroy(&own->mutex);
    free(own);
}

static uint64_t steps(const struct vidmm_machine *machine)
{
    (void)machine;
    return 0;
}

static bool begin_window(struct vidmm_machine *machine)
{
    (void)machine;
    return true;
}

const struct vidmm_machine_calls vidmm_threaded_calls = {
    .begin = vidmm_threads_init,
    .end = vidmm_threads_finish,
    .begin_slot = begin_slot,
    .end_slot = end_slot,
    .end_engines = end_engines,
    .begin_caller = begin_caller,
    .run = run,
    .settle = settle,
    .touched = touched,
    .steps = steps,
    .begin_window = begin_window,
    .await_window = vidmm_window_sleep,
};
