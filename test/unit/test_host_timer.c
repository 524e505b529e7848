/* The host's timer under both kinds of machine: when work is called, and what time does to
 * waits. */
#include "harness.h"

#include <vidmm/bus.h>
#include <vidmm/host.h>

#include "host/machine.h"
#include "host/random.h"

#define MS UINT64_C(1000000)
#define HOUR (3600 * 1000 * MS)

/* Counts the calls of its work; wakes nobody, so that all calls are the timer's. */
struct client {
    struct bench *bench;
    const struct vidmm_host *host;
    atomic_uint calls;
    atomic_uint_fast64_t called_at; /* the last of them */
    atomic_uint chain;              /* set the timer anew, to a time long past, so many times */
    atomic_uint place;              /* the first call was the n-th of all clients' */
};

struct bench {
    struct vidmm_machine *machine;
    struct vidmm_slot *slots[2];
    struct client clients[2]; /* one a slot */
    const struct vidmm_host *host;
    struct client *client; /* the first, as is host */
    atomic_uint first_calls;
    bool simulated;
};

static uint64_t now(const struct bench *bench)
{
    return bench->host->now_ns(bench->host->context);
}

static void set_timer(const struct client *client, uint64_t at_ns)
{
    client->host->set_timer(client->host->context, at_ns);
}

static void count_call(void *argument)
{
    struct client *client = argument;

    assert_int_equal(client->host->current_irql(client->host->context), VIDMM_PASSIVE_LEVEL);
    atomic_store(&client->called_at, client->host->now_ns(client->host->context));
    if (atomic_load(&client->chain) > 0) {
        atomic_fetch_sub(&client->chain, 1);
        set_timer(client, 0);
    }
    if (atomic_fetch_add(&client->calls, 1) == 0)
        atomic_store(&client->place, atomic_fetch_add(&client->bench->first_calls, 1) + 1);
}

/* Sets the timer where a manager might: at device level, and with the mutex locked. */
static bool service_and_set(void *argument, uint32_t message)
{
    (void)message;
    set_timer(argument, 0);
    return true;
}

static void dpc_and_set(void *argument)
{
    struct client *client = argument;

    client->host->lock(client->host->context);
    set_timer(client, 0);
    client->host->unlock(client->host->context);
}

static void connect_work(struct client *client, void (*work)(void *argument), bool never_waits)
{
    struct vidmm_host_client table = {
        .argument = client,
        .service = service_and_set,
        .dpc = dpc_and_set,
        .work = work,
        .work_never_waits = never_waits,
    };

    assert_true(client->host->connect(client->host->context, &table));
}

static void disconnect(const struct client *client)
{
    client->host->disconnect(client->host->context);
}

static void bench_init(struct bench *bench, const struct vidmm_machine_options *options)
{
    memset(bench, 0, sizeof(*bench));
    bench->machine = vidmm_machine_create(options, NULL, 0);
    assert_non_null(bench->machine);
    for (unsigned i = 0; i < 2; i++) {
        struct client *client = &bench->clients[i];
        bench->slots[i] = vidmm_machine_add_slot(bench->machine);
        assert_non_null(bench->slots[i]);
        client->bench = bench;
        client->host = vidmm_slot_host(bench->slots[i]);
        connect_work(client, count_call, true);
    }
    bench->client = &bench->clients[0];
    bench->host = bench->client->host;
    bench->simulated = options->kind == VIDMM_MACHINE_SIMULATED;
}

static void bench_finish(struct bench *bench)
{
    for (unsigned i = 0; i < 2; i++)
        disconnect(&bench->clients[i]);
    vidmm_machine_destroy(bench->machine);
}

#define MEMORY (1 << 20)

static const struct vidmm_machine_options all_kinds[] = {
    {.kind = VIDMM_MACHINE_THREADED, .system_memory = MEMORY},
    {.kind = VIDMM_MACHINE_SIMULATED, .system_memory = MEMORY, .seed = 0},
    {.kind = VIDMM_MACHINE_SIMULATED, .system_memory = MEMORY, .seed = 1},
    {.kind = VIDMM_MACHINE_SIMULATED, .system_memory = MEMORY, .seed = 2},
};

enum { KINDS = sizeof(all_kinds) / sizeof(all_kinds[0]) };

static bool never(void *argument)
{
    (void)argument;
    return false;
}

static bool is_called(void *argument)
{
    return atomic_load(&((struct client *)argument)->calls) > 0;
}

/* Nothing has been called; wait for the call, and look at its time. */
static void await_call(struct bench *bench, uint64_t at_ns)
{
    assert_true(bench->host->wait(bench->host->context, is_called, bench->client, UINT64_MAX));
    uint64_t called_at = atomic_load(&bench->client->called_at);
    assert_true(called_at >= at_ns);
    if (bench->simulated && at_ns > 0)
        assert_true(called_at < at_ns + MS / 100);
}

static void work_is_called_once_and_not_before_the_time(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, &all_kinds[i]);
        for (unsigned round = 0; round < 3; round++) {
            uint64_t at = round < 2 ? now(&bench) + 5 * MS : 0;
            atomic_store(&bench.client->calls, 0);
            set_timer(bench.client, at);
            set_timer(bench.client, at);
            bool late = now(&bench) >= at; /* then it may have been called in between */
            await_call(&bench, at);
            assert_false(bench.host->wait(bench.host->context, never, NULL, 5 * MS));
            assert_in_range(atomic_load(&bench.client->calls), 1, late ? 2 : 1);
        }
        bench_finish(&bench);
    }
}

static void the_time_set_last_is_the_one_that_counts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, &all_kinds[i]);
        uint64_t at = now(&bench) + 2 * MS;
        set_timer(bench.client, at + HOUR);
        vidmm_machine_settle(bench.machine); /* threaded: they sleep, to wake in an hour */
        set_timer(bench.client, at);
        await_call(&bench, at);
        assert_true(now(&bench) < at + HOUR);
        do { /* until it was set anew in time */
            atomic_store(&bench.client->calls, 0);
            at = now(&bench) + 10 * MS;
            set_timer(bench.client, at - 5 * MS);
            vidmm_machine_settle(bench.machine);
            set_timer(bench.client, at);
        } while (now(&bench) >= at - 5 * MS);
        await_call(&bench, at);
        bench_finish(&bench);
    }
}

static void a_timer_taken_back_calls_nothing_and_ends_no_wait(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, &all_kinds[i]);
        uint64_t at = now(&bench) + 500 * MS;
        set_timer(bench.client, at);
        set_timer(bench.client, UINT64_MAX);
        assert_false(bench.host->wait(bench.host->context, never, NULL, UINT64_MAX));
        assert_true(now(&bench) < at);
        assert_false(bench.host->wait(bench.host->context, never, NULL, 600 * MS));
        assert_int_equal(atomic_load(&bench.client->calls), 0);
        bench_finish(&bench);
    }
}

static void a_wait_is_not_given_up_before_the_time(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, &all_kinds[i]);
        uint64_t at = now(&bench) + 10 * MS;
        set_timer(bench.client, at);
        assert_false(bench.host->wait(bench.host->context, never, NULL, MS));
        unsigned calls = atomic_load(&bench.client->calls);
        assert_true(calls == 0 || now(&bench) >= at);
        assert_false(bench.host->wait(bench.host->context, never, NULL, UINT64_MAX));
        assert_true(now(&bench) >= at);
        assert_int_equal(atomic_load(&bench.client->calls), 1);
        bench_finish(&bench);
    }
}

/* Settling */

static void settling_leaves_the_far_future_alone_and_disconnecting_ends_it(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, &all_kinds[i]);
        uint64_t at = now(&bench) + HOUR;
        set_timer(bench.client, at);
        vidmm_machine_settle(bench.machine);
        disconnect(bench.client);
        connect_work(bench.client, count_call, false);
        assert_false(bench.host->wait(bench.host->context, never, NULL, UINT64_MAX));
        assert_true(now(&bench) < at);
        disconnect(bench.client);
        set_timer(bench.client, at);
        connect_work(bench.client, count_call, true);
        assert_false(bench.host->wait(bench.host->context, never, NULL, UINT64_MAX));
        assert_true(now(&bench) < at);
        assert_int_equal(atomic_load(&bench.client->calls), 0);
        bench_finish(&bench);
    }
}

static void settling_serves_timers_whose_time_has_come(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, &all_kinds[i]);
        atomic_store(&bench.client->chain, 5);
        set_timer(bench.client, 0);
        vidmm_machine_settle(bench.machine);
        assert_int_equal(atomic_load(&bench.client->calls), 6);
        bench_finish(&bench);
    }
}

static void a_timer_may_be_set_at_any_level_and_runs_nothing_at_once(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, &all_kinds[i]);
        const struct vidmm_bus *bus = vidmm_slot_bus(bench.slots[0]);
        bus->raise_interrupt(bus->context, 0);
        vidmm_machine_settle(bench.machine);
        assert_int_equal(atomic_load(&bench.client->calls), 1);
        assert_true(bench.host->queue_dpc(bench.host->context));
        vidmm_machine_settle(bench.machine);
        assert_int_equal(atomic_load(&bench.client->calls), 2);
        bench.host->lock(bench.host->context);
        set_timer(bench.client, 0);
        if (bench.simulated)
            assert_int_equal(atomic_load(&bench.client->calls), 2);
        bench.host->unlock(bench.host->context);
        vidmm_machine_settle(bench.machine);
        assert_int_equal(atomic_load(&bench.client->calls), 3);
        bench_finish(&bench);
    }
}

static void every_slot_has_a_timer_of_its_own(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, &all_kinds[i]);
        uint64_t start = now(&bench);
        set_timer(&bench.clients[0], start + 200 * MS);
        set_timer(&bench.clients[1], start + 2 * MS);
        assert_false(bench.host->wait(bench.host->context, never, NULL, UINT64_MAX));
        assert_int_equal(atomic_load(&bench.clients[1].place), 1);
        assert_int_equal(atomic_load(&bench.clients[0].place), 2);
        start = now(&bench);
        set_timer(&bench.clients[0], start + 200 * MS);
        set_timer(&bench.clients[1], start + 200 * MS);
        disconnect(&bench.clients[1]);
        assert_false(bench.host->wait(bench.host->context, never, NULL, UINT64_MAX));
        assert_int_equal(atomic_load(&bench.clients[0].calls), 2);
        assert_int_equal(atomic_load(&bench.clients[1].calls), 1);
        bench_finish(&bench);
    }
}

/* Work that waits for what never comes, with its own timer set: it cannot be called meanwhile. */
static void work_that_waits_in_vain(void *argument)
{
    struct client *client = argument;
    const struct vidmm_host *host = client->host;

    if (atomic_fetch_add(&client->calls, 1) > 0)
        return;
    uint64_t at = host->now_ns(host->context) + 3 * MS;
    set_timer(client, at);
    assert_false(host->wait(host->context, never, NULL, UINT64_MAX));
    assert_true(host->now_ns(host->context) >= at);
    assert_int_equal(atomic_load(&client->calls), 1);
    host->wake(host->context);
    assert_false(host->wait(host->context, never, NULL, UINT64_MAX));
    assert_int_equal(atomic_load(&client->calls), 1);
}

static void work_that_waits_is_called_again_when_it_has_ended(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, &all_kinds[i]);
        disconnect(bench.client);
        connect_work(bench.client, work_that_waits_in_vain, false);
        bench.host->wake(bench.host->context);
        vidmm_machine_settle(bench.machine);
        assert_int_equal(atomic_load(&bench.client->calls), 2);
        bench_finish(&bench);
    }
}

/* Programs that want to be woken at a time, through one client with one timer, as a manager has:
 * all under its mutex. */

enum { PROGRAMS = 3, ROUNDS = 200 };

struct alarm {
    uint64_t due;
    bool rung;
};

static struct alarm alarms[PROGRAMS];

struct program {
    struct client *client;
    struct alarm *alarm;
    uint64_t random;
    unsigned round;
    bool waits;  /* by wait() instead of answering that it is blocked */
    bool asleep; /* the alarm is set */
};

static void set_to_earliest(const struct client *client)
{
    uint64_t earliest = UINT64_MAX;

    for (unsigned i = 0; i < PROGRAMS; i++)
        if (alarms[i].due < earliest)
            earliest = alarms[i].due;
    set_timer(client, earliest);
}

static void ring_alarms(void *argument)
{
    struct client *client = argument;
    const struct vidmm_host *host = client->host;
    bool rung = false;

    host->lock(host->context);
    uint64_t time = host->now_ns(host->context);
    for (unsigned i = 0; i < PROGRAMS; i++)
        if (alarms[i].due <= time) {
            alarms[i] = (struct alarm){.due = UINT64_MAX, .rung = true};
            rung = true;
        }
    set_to_earliest(client);
    host->unlock(host->context);
    if (rung)
        host->wake(host->context);
}

static bool alarm_has_rung(void *argument)
{
    const struct program *program = argument;
    const struct vidmm_host *host = program->client->host;

    host->lock(host->context);
    bool rung = program->alarm->rung;
    host->unlock(host->context);
    return rung;
}

static enum vidmm_caller_state program_step(void *argument)
{
    struct program *program = argument;
    const struct vidmm_host *host = program->client->host;

    if (program->asleep && !alarm_has_rung(program)) {
        if (!program->waits)
            return VIDMM_CALLER_BLOCKED;
        assert_true(host->wait(host->context, alarm_has_rung, program, UINT64_MAX));
    }
    if (program->round++ == ROUNDS)
        return VIDMM_CALLER_DONE;
    uint64_t delay = vidmm_random_below(&program->random, 4) == 0
                         ? MS / 2
                         : vidmm_random_below(&program->random, 60000);
    host->lock(host->context);
    program->alarm->rung = false;
    program->alarm->due = host->now_ns(host->context) + delay;
    set_to_earliest(program->client);
    host->unlock(host->context);
    program->asleep = true;
    return VIDMM_CALLER_RAN;
}

static void run_programs(const struct vidmm_machine_options *options, bool work_never_waits,
                         unsigned waiting)
{
    struct bench bench;
    struct program programs[PROGRAMS];

    bench_init(&bench, options);
    disconnect(bench.client);
    connect_work(bench.client, ring_alarms, work_never_waits);
    for (unsigned k = 0; k < PROGRAMS; k++) {
        alarms[k] = (struct alarm){.due = UINT64_MAX};
        programs[k] = (struct program){.client = bench.client,
                                       .alarm = &alarms[k],
                                       .random = vidmm_random_seed(k),
                                       .waits = k < waiting};
        assert_true(vidmm_machine_add_caller(bench.machine, "", program_step, &programs[k]));
    }
    assert_true(vidmm_machine_run(bench.machine, NULL, 0));
    for (unsigned k = 0; k < PROGRAMS; k++)
        assert_int_equal(programs[k].round, ROUNDS + 1);
    bench_finish(&bench);
}

static void programs_that_sleep_on_one_timer_all_wake(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++)
        for (unsigned waiting = 0; waiting <= PROGRAMS; waiting++)
            run_programs(&all_kinds[i], waiting % 2 == 0, waiting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_called_once_and_not_before_the_time),
        cmocka_unit_test(the_time_set_last_is_the_one_that_counts),
        cmocka_unit_test(a_timer_taken_back_calls_nothing_and_ends_no_wait),
        cmocka_unit_test(a_wait_is_not_given_up_before_the_time),
        cmocka_unit_test(settling_leaves_the_far_future_alone_and_disconnecting_ends_it),
        cmocka_unit_test(settling_serves_timers_whose_time_has_come),
        cmocka_unit_test(a_timer_may_be_set_at_any_level_and_runs_nothing_at_once),
        cmocka_unit_test(every_slot_has_a_timer_of_its_own),
        cmocka_unit_test(work_that_waits_is_called_again_when_it_has_ended),
        cmocka_unit_test(programs_that_sleep_on_one_timer_all_wake),
    };
    return cmocka_run_group_tests_name("host_timer", tests, NULL, NULL);
}
