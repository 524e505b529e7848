/* The machine under both kinds: a fake device with two engines, a client that counts, callers. */
#include "harness.h"

#include <stdio.h>

#include <vidmm/bus.h>
#include <vidmm/host.h>

#include "host/machine.h"

enum { REGISTER_DOORBELL = 0x40 };

/* An engine that counts up to what it was asked for and raises an interrupt for each. */
struct fake_engine {
    struct fake_device *device;
    int number;
    atomic_uint asked, done;
    atomic_uint inside; /* steps at a time */
};

struct fake_device {
    const struct vidmm_bus *bus;
    struct fake_engine engines[2];
};

static bool engine_step(void *context)
{
    struct fake_engine *engine = context;

    assert_int_equal(atomic_fetch_add(&engine->inside, 1), 0);
    unsigned done = atomic_load(&engine->done);
    bool work = done < atomic_load(&engine->asked);
    if (work) {
        atomic_store(&engine->done, done + 1);
        engine->device->bus->raise_interrupt(engine->device->bus->context,
                                             (uint32_t)engine->number);
    }
    atomic_fetch_sub(&engine->inside, 1);
    return work;
}

static bool device_read(void *context, uint32_t offset, void *buffer, uint32_t length)
{
    (void)context;
    (void)offset;
    (void)buffer;
    (void)length;
    return false;
}

/* A write of 2 n + e asks engine e for n counts. */
static bool device_write(void *context, uint32_t offset, const void *buffer, uint32_t length)
{
    struct fake_device *device = context;
    uint32_t value;

    if (length != sizeof(value) || offset != REGISTER_DOORBELL)
        return false;
    memcpy(&value, buffer, sizeof(value));
    struct fake_engine *engine = &device->engines[value & 1];
    atomic_fetch_add(&engine->asked, value >> 1);
    device->bus->kick_engine(device->bus->context, engine->number);
    return true;
}

/* A client in place of a manager. */
struct fake_client {
    const struct vidmm_host *host;
    atomic_uint in_service, in_dpc, in_work;
    unsigned served[2]; /* under the interrupt lock */
    unsigned seen[2];   /* under the mutex; the dpc's copy of served */
    atomic_uint dpcs, works;
    atomic_bool leaving; /* being disconnected: a dpc may find it so */
};

static bool client_service(void *argument, uint32_t message)
{
    struct fake_client *client = argument;

    assert_int_equal(atomic_fetch_add(&client->in_service, 1), 0);
    assert_int_equal(client->host->current_irql(client->host->context), VIDMM_DEVICE_LEVEL);
    client->served[message]++;
    client->host->queue_dpc(client->host->context);
    atomic_fetch_sub(&client->in_service, 1);
    return true;
}

static bool read_served(void *argument)
{
    struct fake_client *client = argument;

    assert_int_equal(atomic_load(&client->in_service), 0);
    assert_int_equal(client->host->current_irql(client->host->context), VIDMM_DEVICE_LEVEL);
    memcpy(client->seen, client->served, sizeof(client->seen));
    return true;
}

static void client_dpc(void *argument)
{
    struct fake_client *client = argument;
    const struct vidmm_host *host = client->host;
    bool result = false;

    assert_int_equal(atomic_fetch_add(&client->in_dpc, 1), 0);
    assert_int_equal(host->current_irql(host->context), VIDMM_DISPATCH_LEVEL);
    host->lock(host->context);
    if (host->synchronize(host->context, read_served, client, &result))
        assert_true(result);
    else
        assert_true(atomic_load(&client->leaving));
    host->unlock(host->context);
    atomic_fetch_add(&client->dpcs, 1);
    host->wake(host->context);
    atomic_fetch_sub(&client->in_dpc, 1);
}

static void client_work(void *argument)
{
    struct fake_client *client = argument;

    assert_int_equal(atomic_fetch_add(&client->in_work, 1), 0);
    assert_int_equal(client->host->current_irql(client->host->context), VIDMM_PASSIVE_LEVEL);
    atomic_fetch_add(&client->works, 1);
    atomic_fetch_sub(&client->in_work, 1);
}

struct bench {
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    const struct vidmm_host *host;
    struct fake_device device;
    struct fake_client client;
    atomic_uint misuses;
    char text[200];
};

static void note_misuse(void *argument, const char *text)
{
    struct bench *bench = argument;

    atomic_fetch_add(&bench->misuses, 1);
    strncpy(bench->text, text, sizeof(bench->text) - 1);
}

/* Plug the fake device in. */
static void plug(struct bench *bench)
{
    struct fake_device *device = &bench->device;

    device->bus = vidmm_slot_bus(bench->slot);
    for (int i = 0; i < 2; i++) {
        device->engines[i].device = device;
        device->engines[i].number =
            device->bus->add_engine(device->bus->context, "fake", engine_step, &device->engines[i]);
        assert_int_equal(device->engines[i].number, i);
    }
    struct vidmm_device_model model = {
        .device = device,
        .read_config = device_read,
        .write_config = device_write,
    };
    assert_true(vidmm_slot_plug(bench->slot, &model));
    assert_false(vidmm_slot_plug(bench->slot, &model));
}

static void connect_fake(struct bench *bench, void (*work)(void *argument), bool never_waits)
{
    struct vidmm_host_client client = {
        .argument = &bench->client,
        .service = client_service,
        .dpc = client_dpc,
        .work = work,
        .work_never_waits = never_waits,
    };

    assert_true(bench->host->connect(bench->host->context, &client));
    assert_false(bench->host->connect(bench->host->context, &client));
}

static void bench_init(struct bench *bench, struct vidmm_machine_options options)
{
    char error[200] = "";

    memset(bench, 0, sizeof(*bench));
    options.misuse = note_misuse;
    options.misuse_argument = bench;
    options.system_memory = 1 << 20;
    bench->machine = vidmm_machine_create(&options, error, sizeof(error));
    assert_string_equal(error, "");
    assert_non_null(bench->machine);
    bench->slot = vidmm_machine_add_slot(bench->machine);
    assert_non_null(bench->slot);
    bench->host = vidmm_slot_host(bench->slot);
    plug(bench);
    bench->client.host = bench->host;
    connect_fake(bench, client_work, true);
}

static void bench_finish(struct bench *bench)
{
    bench->host->disconnect(bench->host->context);
    vidmm_slot_unplug(bench->slot);
    assert_int_equal(atomic_load(&bench->misuses), 0);
    vidmm_machine_destroy(bench->machine);
}

/* Ask an engine for n counts. */
static void ring_doorbell(struct bench *bench, unsigned engine, unsigned n)
{
    uint32_t value = engine | n << 1;

    assert_true(
        bench->host->write_config(bench->host->context, REGISTER_DOORBELL, &value, sizeof(value)));
}

/* The dpc's count of an engine's interrupts. */
static unsigned seen(struct bench *bench, unsigned engine)
{
    bench->host->lock(bench->host->context);
    unsigned answer = bench->client.seen[engine];
    bench->host->unlock(bench->host->context);
    return answer;
}

static const struct vidmm_machine_options all_kinds[] = {
    {.kind = VIDMM_MACHINE_THREADED, .seed = 7},  {.kind = VIDMM_MACHINE_SIMULATED, .seed = 0},
    {.kind = VIDMM_MACHINE_SIMULATED, .seed = 1}, {.kind = VIDMM_MACHINE_SIMULATED, .seed = 2},
    {.kind = VIDMM_MACHINE_SIMULATED, .seed = 3},
};

enum { KINDS = sizeof(all_kinds) / sizeof(all_kinds[0]) };

/* A program: rings the doorbell, blocks until its count has been seen, some rounds. */
struct program {
    struct bench *bench;
    unsigned engine;
    unsigned rounds, round, n;
    unsigned goal;
    bool waits; /* by wait() instead of answering that it is blocked */
    uint64_t steps;
};

static bool goal_is_reached(void *argument)
{
    struct program *program = argument;

    return seen(program->bench, program->engine) >= program->goal;
}

static enum vidmm_caller_state program_step(void *argument)
{
    struct program *program = argument;
    const struct vidmm_host *host = program->bench->host;

    program->steps++;
    assert_int_equal(host->current_irql(host->context), VIDMM_PASSIVE_LEVEL);
    if (!goal_is_reached(program)) {
        if (!program->waits)
            return VIDMM_CALLER_BLOCKED;
        assert_true(host->wait(host->context, goal_is_reached, program, UINT64_MAX));
    }
    if (program->round++ == program->rounds)
        return VIDMM_CALLER_DONE;
    program->goal += program->n;
    ring_doorbell(program->bench, program->engine, program->n);
    return VIDMM_CALLER_RAN;
}

static void run_programs(struct vidmm_machine_options options, bool waits, unsigned rounds)
{
    struct bench bench;
    bench_init(&bench, options);
    struct program programs[2] = {
        {.bench = &bench, .engine = 0, .rounds = rounds, .n = 3, .waits = waits},
        {.bench = &bench, .engine = 1, .rounds = rounds, .n = 1, .waits = waits},
    };
    assert_true(vidmm_machine_add_caller(bench.machine, "first", program_step, &programs[0]));
    assert_true(vidmm_machine_add_caller(bench.machine, "second", program_step, &programs[1]));
    char report[200] = "";
    bool done = vidmm_machine_run(bench.machine, report, sizeof(report));
    assert_string_equal(report, "");
    assert_true(done);
    vidmm_machine_settle(bench.machine);
    assert_int_equal(bench.client.served[0], rounds * 3);
    assert_int_equal(bench.client.served[1], rounds);
    assert_true(atomic_load(&bench.client.dpcs) <= rounds * 4);
    assert_true(atomic_load(&bench.client.works) > 0);
    bench_finish(&bench);
}

static void callers_that_block_are_stepped_again_after_each_wake(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++)
        run_programs(all_kinds[i], false, 200);
}

static void callers_that_wait_go_on_when_their_condition_is_met(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++)
        run_programs(all_kinds[i], true, 200);
}

static void a_work_of_its_own_thread_runs_as_well(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, all_kinds[i]);
        bench.host->disconnect(bench.host->context);
        connect_fake(&bench, client_work, false);
        ring_doorbell(&bench, 0, 20);
        vidmm_machine_settle(bench.machine);
        assert_int_equal(bench.client.served[0], 20);
        assert_in_range(atomic_load(&bench.client.works), 1, 20);
        bench_finish(&bench);
    }
}

/* The machine as a whole can get nowhere */

static enum vidmm_caller_state blocked_for_ever(void *argument)
{
    (*(unsigned *)argument)++;
    return VIDMM_CALLER_BLOCKED;
}

static enum vidmm_caller_state done_at_once(void *argument)
{
    (*(unsigned *)argument)++;
    return VIDMM_CALLER_DONE;
}

static void callers_that_nothing_can_free_are_named(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        unsigned steps[3] = {0};
        char report[200] = "";
        bench_init(&bench, all_kinds[i]);
        assert_true(vidmm_machine_add_caller(bench.machine, "ann", blocked_for_ever, &steps[0]));
        assert_true(vidmm_machine_add_caller(bench.machine, "ben", done_at_once, &steps[1]));
        assert_true(vidmm_machine_add_caller(bench.machine, "cay", blocked_for_ever, &steps[2]));
        assert_false(vidmm_machine_run(bench.machine, report, sizeof(report)));
        assert_string_equal(report,
                            "nothing in the machine can change any more; blocked: ann, cay");
        assert_int_equal(steps[1], 1);
        assert_false(vidmm_machine_run(bench.machine, NULL, 0));
        assert_int_equal(steps[1], 1);
        assert_true(steps[0] >= 2);
        bench_finish(&bench);
    }
}

static bool never(void *argument)
{
    (void)argument;
    return false;
}

static enum vidmm_caller_state waits_for_nothing(void *argument)
{
    struct bench *bench = argument;

    assert_false(bench->host->wait(bench->host->context, never, NULL, UINT64_MAX));
    return VIDMM_CALLER_DONE;
}

static void waits_end_with_no_when_nothing_can_change(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, all_kinds[i]);
        assert_false(bench.host->wait(bench.host->context, never, NULL, UINT64_MAX));
        for (unsigned k = 0; k < 3; k++)
            assert_true(vidmm_machine_add_caller(bench.machine, "", waits_for_nothing, &bench));
        assert_true(vidmm_machine_run(bench.machine, NULL, 0));
        bench_finish(&bench);
    }
}

static void waits_end_with_no_when_their_time_is_over(void **state)
{
    enum { TIME_NS = 2000000 };

    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, all_kinds[i]);
        uint64_t before = bench.host->now_ns(bench.host->context);
        assert_false(bench.host->wait(bench.host->context, never, NULL, TIME_NS));
        uint64_t after = bench.host->now_ns(bench.host->context);
        assert_true(after - before >= TIME_NS);
        assert_false(bench.host->wait(bench.host->context, never, NULL, 0));
        bench_finish(&bench);
    }
}

/* Two who wait for each other's flags: the first for the second's end. */
struct pair {
    struct bench *bench;
    atomic_uint *set, *awaited;
    bool first;
};

static bool flag_is_set(void *argument)
{
    return atomic_load((atomic_uint *)argument) != 0;
}

static enum vidmm_caller_state pair_step(void *argument)
{
    struct pair *pair = argument;
    const struct vidmm_host *host = pair->bench->host;

    if (pair->first)
        assert_true(host->wait(host->context, flag_is_set, pair->awaited, UINT64_MAX));
    atomic_store(pair->set, 1);
    host->wake(host->context);
    if (!pair->first)
        assert_true(host->wait(host->context, flag_is_set, pair->awaited, UINT64_MAX));
    return VIDMM_CALLER_DONE;
}

static void a_wait_is_not_held_up_by_later_ones(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS * 20; i++) {
        struct bench bench;
        atomic_uint flags[2] = {0, 0};
        struct vidmm_machine_options options = all_kinds[i % KINDS];
        options.seed += options.seed != 0 ? i : 0;
        bench_init(&bench, options);
        struct pair pairs[2] = {
            {.bench = &bench, .set = &flags[0], .awaited = &flags[1], .first = true},
            {.bench = &bench, .set = &flags[1], .awaited = &flags[0]},
        };
        for (unsigned k = 0; k < 2; k++)
            assert_true(vidmm_machine_add_caller(bench.machine, "", pair_step, &pairs[k]));
        assert_true(vidmm_machine_run(bench.machine, NULL, 0));
        bench_finish(&bench);
    }
}

/* A caller that never blocks, until told to end by one that does little at a time. */
struct hog {
    atomic_uint *end;
    unsigned steps;
};

static enum vidmm_caller_state hog_step(void *argument)
{
    struct hog *hog = argument;

    hog->steps++;
    return atomic_load(hog->end) < 50 ? VIDMM_CALLER_RAN : VIDMM_CALLER_DONE;
}

static enum vidmm_caller_state modest_step(void *argument)
{
    atomic_uint *end = argument;

    return atomic_fetch_add(end, 1) < 50 ? VIDMM_CALLER_RAN : VIDMM_CALLER_DONE;
}

static bool endless_step(void *engine)
{
    return atomic_load((atomic_uint *)engine) < 50;
}

static void nobody_starves_beside_those_who_never_rest(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        atomic_uint end = 0;
        struct hog hog = {.end = &end};
        bench_init(&bench, all_kinds[i]);
        const struct vidmm_bus *bus = vidmm_slot_bus(bench.slot);
        int engine = bus->add_engine(bus->context, "endless", endless_step, &end);
        bus->kick_engine(bus->context, engine);
        assert_true(vidmm_machine_add_caller(bench.machine, "hog", hog_step, &hog));
        assert_true(vidmm_machine_add_caller(bench.machine, "modest", modest_step, &end));
        assert_true(vidmm_machine_run(bench.machine, NULL, 0));
        assert_true(hog.steps > 0);
        bench_finish(&bench);
    }
}

/* Work that waits for the engines, as long as its own thread is its own. */

static bool both_engines_done(void *argument)
{
    struct bench *bench = argument;

    return seen(bench, 0) >= 5 && seen(bench, 1) >= 5;
}

static struct bench *waiting_bench;

static void work_that_waits(void *argument)
{
    struct bench *bench = waiting_bench;

    client_work(argument);
    if (atomic_load(&bench->client.works) == 1)
        assert_true(bench->host->wait(bench->host->context, both_engines_done, bench, UINT64_MAX));
}

static void work_may_wait_and_disconnecting_awaits_its_end(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, all_kinds[i]);
        waiting_bench = &bench;
        bench.host->disconnect(bench.host->context);
        connect_fake(&bench, work_that_waits, false);
        bench.host->wake(bench.host->context);
        ring_doorbell(&bench, 0, 5);
        ring_doorbell(&bench, 1, 5);
        vidmm_machine_settle(bench.machine);
        assert_int_equal(bench.client.served[0] + bench.client.served[1], 10);
        bench_finish(&bench);
        assert_int_equal(atomic_load(&bench.client.in_work), 0);
    }
}

static void nothing_of_a_client_runs_once_it_is_disconnected(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS * 10; i++) {
        struct bench bench;
        bench_init(&bench, all_kinds[i % KINDS]);
        ring_doorbell(&bench, i & 1, 200);
        bench.host->wake(bench.host->context);
        atomic_store(&bench.client.leaving, true);
        bench.host->disconnect(bench.host->context);
        unsigned dpcs = atomic_load(&bench.client.dpcs), works = atomic_load(&bench.client.works);
        unsigned served = bench.client.served[i & 1];
        assert_false(bench.host->queue_dpc(bench.host->context));
        bool result;
        assert_false(
            bench.host->synchronize(bench.host->context, read_served, &bench.client, &result));
        bench.host->wake(bench.host->context);
        vidmm_machine_settle(bench.machine);
        assert_int_equal(atomic_load(&bench.client.dpcs), dpcs);
        assert_int_equal(atomic_load(&bench.client.works), works);
        assert_int_equal(bench.client.served[i & 1], served);
        atomic_store(&bench.client.leaving, false);
        connect_fake(&bench, client_work, true);
        ring_doorbell(&bench, i & 1, 1);
        vidmm_machine_settle(bench.machine);
        assert_int_equal(bench.client.served[i & 1], served + 1);
        bench_finish(&bench);
    }
}

/* A device that raises again while its interrupt is served: the client rings the doorbell. */

static struct bench *chain_bench;
static unsigned chain_left; /* under the interrupt lock */

static bool service_and_raise(void *argument, uint32_t message)
{
    bool ours = client_service(argument, message);

    if (chain_left > 0) {
        const struct vidmm_bus *bus = vidmm_slot_bus(chain_bench->slot);
        chain_left--;
        bus->raise_interrupt(bus->context, 0);
    }
    return ours;
}

static void an_interrupt_raised_while_one_is_served_is_served_after_it(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, all_kinds[i]);
        chain_bench = &bench;
        chain_left = 5;
        bench.host->disconnect(bench.host->context);
        struct vidmm_host_client client = {
            .argument = &bench.client,
            .service = service_and_raise,
            .dpc = client_dpc,
            .work = client_work,
        };
        assert_true(bench.host->connect(bench.host->context, &client));
        ring_doorbell(&bench, 0, 1);
        vidmm_machine_settle(bench.machine);
        assert_int_equal(bench.client.served[0], 6);
        bench_finish(&bench);
    }
}

static void a_second_dpc_is_not_queued_while_one_is_pending(void **state)
{
    (void)state;
    for (unsigned i = 1; i < KINDS; i++) { /* simulated: nothing runs between the calls */
        struct bench bench;
        bench_init(&bench, all_kinds[i]);
        assert_true(bench.host->queue_dpc(bench.host->context));
        assert_false(bench.host->queue_dpc(bench.host->context));
        vidmm_machine_settle(bench.machine);
        assert_int_equal(atomic_load(&bench.client.dpcs), 1);
        assert_true(bench.host->queue_dpc(bench.host->context));
        vidmm_machine_settle(bench.machine);
        assert_int_equal(atomic_load(&bench.client.dpcs), 2);
        bench_finish(&bench);
    }
}

static void devices_come_and_go(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, all_kinds[i]);
        for (unsigned round = 0; round < 5; round++) {
            unsigned served = bench.client.served[0];
            ring_doorbell(&bench, 0, 3);
            vidmm_machine_settle(bench.machine);
            assert_int_equal(bench.client.served[0], served + 3);
            bench.host->disconnect(bench.host->context);
            vidmm_slot_unplug(bench.slot);
            memset(&bench.device, 0, sizeof(bench.device));
            plug(&bench);
            connect_fake(&bench, client_work, round & 1);
        }
        bench_finish(&bench);
    }
}

/* Seeds: two devices' work and three callers, told as one number. */

static uint64_t fingerprint;

static void note(uint64_t what)
{
    fingerprint = (fingerprint ^ what) * UINT64_C(0x100000001B3);
}

static enum vidmm_caller_state noting_step(void *argument)
{
    struct program *program = argument;

    note(program->engine + 10);
    note(program->bench->host->now_ns(program->bench->host->context));
    return program_step(argument);
}

static uint64_t run_with_seed(uint64_t seed)
{
    struct bench bench;

    fingerprint = 14695981039346656037u;
    bench_init(&bench,
               (struct vidmm_machine_options){.kind = VIDMM_MACHINE_SIMULATED, .seed = seed});
    struct program programs[2] = {
        {.bench = &bench, .engine = 0, .rounds = 40, .n = 3, .waits = true},
        {.bench = &bench, .engine = 1, .rounds = 40, .n = 2, .waits = false},
    };
    for (unsigned i = 0; i < 2; i++)
        assert_true(vidmm_machine_add_caller(bench.machine, "", noting_step, &programs[i]));
    assert_true(vidmm_machine_run(bench.machine, NULL, 0));
    note(vidmm_machine_counts(bench.machine).steps);
    bench_finish(&bench);
    return fingerprint;
}

static void one_seed_is_one_interleaving_and_another_another(void **state)
{
    uint64_t seen_before[20];

    (void)state;
    for (unsigned seed = 0; seed < 20; seed++) {
        seen_before[seed] = run_with_seed(seed);
        assert_true(run_with_seed(seed) == seen_before[seed]);
        for (unsigned other = 0; other < seed; other++)
            assert_true(seen_before[other] != seen_before[seed]);
    }
}

/* Misuse */

static void calls_at_a_forbidden_level_are_misuse(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, all_kinds[i]);
        const struct vidmm_host *host = bench.host;
        assert_int_equal(host->raise_irql(host->context, VIDMM_DISPATCH_LEVEL), 0);
        assert_int_equal(host->current_irql(host->context), VIDMM_DISPATCH_LEVEL);
        assert_false(host->wait(host->context, never, NULL, 0));
        assert_string_equal(bench.text, "wait at level 2, allowed up to 0");
        void *block = host->memory.allocate(host->memory.context, 1);
        assert_non_null(block);
        host->memory.free(host->memory.context, block);
        assert_int_equal(host->raise_irql(host->context, VIDMM_DEVICE_LEVEL), 2);
        assert_null(host->memory.allocate(host->memory.context, 1));
        assert_string_equal(bench.text, "memory.allocate at level 5, allowed up to 2");
        host->lower_irql(host->context, 0);
        assert_int_equal(atomic_load(&bench.misuses), 2);
        host->lower_irql(host->context, 3);
        assert_string_equal(bench.text, "lower_irql from 0 to 3");
        assert_int_equal(host->current_irql(host->context), 0);
        host->lock(host->context);
        assert_false(host->wait(host->context, never, NULL, 0));
        assert_string_equal(bench.text, "wait with the mutex locked");
        host->unlock(host->context);
        host->unlock(host->context);
        assert_string_equal(bench.text, "unlock of a mutex that is not locked");
        vidmm_slot_bus(bench.slot)->kick_engine(vidmm_slot_bus(bench.slot)->context, 2);
        assert_string_equal(bench.text, "kick of engine 2, of 2");
        assert_int_equal(atomic_load(&bench.misuses), 6);
        atomic_store(&bench.misuses, 0);
        bench_finish(&bench);
    }
}

static void work_that_waits_against_its_word(void *argument)
{
    struct fake_client *client = argument;

    assert_false(client->host->wait(client->host->context, never, NULL, 0));
}

static void work_that_never_waits_is_held_to_it(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, all_kinds[i]);
        bench.host->disconnect(bench.host->context);
        connect_fake(&bench, work_that_waits_against_its_word, true);
        bench.host->wake(bench.host->context);
        vidmm_machine_settle(bench.machine);
        assert_int_equal(atomic_load(&bench.misuses), 1);
        assert_string_equal(bench.text, "wait from within work that never waits");
        atomic_store(&bench.misuses, 0);
        bench_finish(&bench);
    }
}

static void a_slot_runs_only_so_many_engines(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct bench bench;
        bench_init(&bench, all_kinds[i]);
        const struct vidmm_bus *bus = vidmm_slot_bus(bench.slot);
        for (unsigned k = 2; k < VIDMM_MACHINE_ENGINES; k++)
            assert_int_equal(bus->add_engine(bus->context, "", never, NULL), k);
        assert_int_equal(bus->add_engine(bus->context, "", never, NULL), -1);
        bench_finish(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_that_block_are_stepped_again_after_each_wake),
        cmocka_unit_test(callers_that_wait_go_on_when_their_condition_is_met),
        cmocka_unit_test(a_work_of_its_own_thread_runs_as_well),
        cmocka_unit_test(callers_that_nothing_can_free_are_named),
        cmocka_unit_test(waits_end_with_no_when_nothing_can_change),
        cmocka_unit_test(waits_end_with_no_when_their_time_is_over),
        cmocka_unit_test(a_wait_is_not_held_up_by_later_ones),
        cmocka_unit_test(nobody_starves_beside_those_who_never_rest),
        cmocka_unit_test(work_may_wait_and_disconnecting_awaits_its_end),
        cmocka_unit_test(nothing_of_a_client_runs_once_it_is_disconnected),
        cmocka_unit_test(an_interrupt_raised_while_one_is_served_is_served_after_it),
        cmocka_unit_test(a_second_dpc_is_not_queued_while_one_is_pending),
        cmocka_unit_test(devices_come_and_go),
        cmocka_unit_test(one_seed_is_one_interleaving_and_another_another),
        cmocka_unit_test(calls_at_a_forbidden_level_are_misuse),
        cmocka_unit_test(work_that_never_waits_is_held_to_it),
        cmocka_unit_test(a_slot_runs_only_so_many_engines),
    };
    return cmocka_run_group_tests_name("host_machine", tests, NULL, NULL);
}
