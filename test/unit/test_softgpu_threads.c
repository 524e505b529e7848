/*
 * The device half on a machine with threads: each engine has one, interrupts come from them, and
 * the driver's thread submits, preempts and resets meanwhile. Meant for the thread sanitizer, and
 * true without it.
 */
#include "harness.h"

#include <vidmm/bus.h>
#include <vidmm/host.h>

#include "host/machine.h"
#include "softgpu/device.h"
#include "softgpu/hardware.h"

enum { ENGINES = 2, MEMORY = 2, PACKETS = 1500 };

/* A client in place of a driver. */
static struct rig {
    struct vidmm_machine *machine;
    const struct vidmm_host *host;
    struct vidmm_slot *slot;
    struct softgpu_device *device;
    struct softgpu_registers *registers;
    uint64_t page[ENGINES][32]; /* physical: commands of each place of the rings */
    uint64_t result[ENGINES];   /* physical: where each engine's transfers go */
    uint32_t given[ENGINES];
    atomic_uint interrupts;
} rig;

static bool serve(void *argument, uint32_t message)
{
    (void)message;
    if (atomic_exchange(&rig.registers->interrupt, 0) == 0)
        return false;
    atomic_fetch_add(&rig.interrupts, 1);
    rig.host->wake(argument);
    return true;
}

static void nothing(void *argument)
{
    (void)argument;
}

static void *at(uint64_t physical)
{
    return vidmm_machine_memory(rig.machine, physical, 4096);
}

static uint64_t take_page(void)
{
    uint64_t frame;

    assert_true(
        rig.host->take_pages(rig.host->context, 1, VIDMM_ANY_FRAME, true, VIDMM_CACHED, &frame));
    return frame * 4096;
}

static void plug(const struct softgpu_config *config)
{
    struct vidmm_machine_options options = {.kind = VIDMM_MACHINE_THREADED,
                                            .system_memory = 16 << 20};
    struct vidmm_host_client client = {.service = serve, .dpc = nothing, .work = nothing};
    struct vidmm_device_model model;
    uint64_t bar = 0;
    char error[200] = "";

    memset(&rig, 0, sizeof(rig));
    rig.machine = vidmm_machine_create(&options, error, sizeof(error));
    assert_non_null(rig.machine);
    rig.slot = vidmm_machine_add_slot(rig.machine);
    rig.host = vidmm_slot_host(rig.slot);
    rig.device =
        softgpu_device_create(vidmm_slot_bus(rig.slot), config, &model, error, sizeof(error));
    assert_non_null(rig.device);
    assert_true(vidmm_slot_plug(rig.slot, &model));
    assert_true(rig.host->read_config(rig.host->context, 0x10, &bar, sizeof(bar)));
    rig.registers = vidmm_machine_memory(rig.machine, bar & ~(uint64_t)15, SOFTGPU_REGISTERS_SIZE);
    assert_non_null(rig.registers);
    client.argument = rig.host->context;
    assert_true(rig.host->connect(rig.host->context, &client));
    for (uint32_t i = 0; i < ENGINES; i++) {
        rig.result[i] = take_page();
        for (uint32_t j = 0; j < 32; j++)
            rig.page[i][j] = take_page();
    }
}

static void unplug(void)
{
    struct softgpu_statistics statistics;

    softgpu_device_statistics(rig.device, &statistics);
    assert_string_equal(statistics.fault, "");
    rig.host->disconnect(rig.host->context);
    vidmm_slot_unplug(rig.slot);
    softgpu_device_destroy(rig.device);
    vidmm_machine_destroy(rig.machine);
}

static void ring(uint32_t doorbell, uint32_t value)
{
    assert_true(rig.host->write_config(rig.host->context, doorbell, &value, sizeof(value)));
}

static bool has_room(void *argument)
{
    uint32_t engine = *(uint32_t *)argument;

    return rig.given[engine] - atomic_load(&rig.registers->engines[engine].retired) < 31;
}

static bool is_idle(void *argument)
{
    uint32_t engine = *(uint32_t *)argument;

    return rig.given[engine] == atomic_load(&rig.registers->engines[engine].retired);
}

static void wait_for(bool (*ready)(void *argument), uint32_t engine)
{
    while (!ready(&engine)) /* an interrupt may be under way still */
        rig.host->wait(rig.host->context, ready, &engine, 1000000);
}

/* Fill a page of memory of this engine's own, and move it out: two commands that need their
 * order. */
static void put(uint32_t engine, uint32_t number, uint32_t doorbell)
{
    uint32_t place = rig.given[engine] & 31;
    uint64_t address = SOFTGPU_SEGMENT_BASE(MEMORY) + engine * 4096;
    struct {
        struct softgpu_op_fill fill;
        struct softgpu_op_transfer transfer;
        uint64_t run;
    } commands = {
        .fill = {.command = {SOFTGPU_OP_FILL, sizeof(commands.fill)},
                 .bytes = 4096,
                 .address = address,
                 .segment = MEMORY,
                 .pattern = number},
        .transfer = {.command = {SOFTGPU_OP_TRANSFER, sizeof(commands.transfer) + 8},
                     .bytes = 4096,
                     .source = {.segment = MEMORY, .address = address},
                     .destination = {.runs = 1}},
        .run = rig.result[engine] / 4096,
    };
    struct softgpu_packet packet = {
        .address = rig.page[engine][place], .size = sizeof(commands), .fence = number};

    wait_for(has_room, engine);
    memcpy(at(rig.page[engine][place]), &commands, sizeof(commands));
    memcpy((char *)rig.registers + rig.registers->engines[engine].ring + place * sizeof(packet),
           &packet, sizeof(packet));
    ring(doorbell, ++rig.given[engine]);
}

static void submit(uint32_t engine, uint32_t number)
{
    put(engine, number, SOFTGPU_DOORBELL_SUBMIT(engine));
}

/* The value that the engine's last packet left: every word the same. */
static uint32_t result_of(uint32_t engine)
{
    const uint32_t *words = at(rig.result[engine]);

    for (uint32_t i = 1; i < 1024; i++)
        assert_int_equal(words[i], words[0]);
    return words[0];
}

static void packets_of_two_engines_end_in_their_order(void **state)
{
    struct softgpu_config config = softgpu_config_default();

    (void)state;
    for (int late = 0; late < 2; late++) {
        config.interrupts = late ? SOFTGPU_LATE : SOFTGPU_PROMPT;
        plug(&config);
        for (uint32_t n = 1; n <= PACKETS; n++)
            submit(n % 3 == 0, n);
        for (uint32_t i = 0; i < ENGINES; i++)
            wait_for(is_idle, i);
        assert_int_equal(result_of(0), PACKETS - 1);
        assert_int_equal(result_of(1), PACKETS);
        assert_true(atomic_load(&rig.interrupts) > 0);
        unplug();
    }
}

/* The engine's thread is at work on what was submitted, and the driver's waits in the doorbell. */
static void a_doorbell_that_waits_takes_turns_with_the_engine(void **state)
{
    struct softgpu_config config = softgpu_config_default();
    struct softgpu_statistics statistics;

    (void)state;
    plug(&config);
    for (uint32_t n = 1; n <= PACKETS; n++) {
        submit(0, 2 * n);
        put(0, 2 * n + 1, SOFTGPU_DOORBELL_EXECUTE(0));
        assert_int_equal(atomic_load(&rig.registers->engines[0].retired), 2 * n);
        assert_int_equal((uint32_t)atomic_load(&rig.registers->engines[0].completed), 2 * n + 1);
        assert_int_equal(result_of(0), 2 * n + 1);
    }
    softgpu_device_statistics(rig.device, &statistics);
    assert_int_equal(statistics.packets, 2 * PACKETS);
    unplug();
}

static bool is_preempted(void *argument)
{
    return atomic_load(&rig.registers->engines[0].preempted) >> 32 == *(uint32_t *)argument;
}

static void a_preemption_is_answered_while_packets_run(void **state)
{
    struct softgpu_config config = softgpu_config_default();

    (void)state;
    plug(&config);
    for (uint32_t n = 1; n <= 200; n++) {
        uint32_t completed;

        for (uint32_t i = 0; i < 8; i++)
            submit(0, n * 8 + i);
        atomic_store(&rig.registers->engines[0].preempt_fence, 10000 + n);
        ring(SOFTGPU_DOORBELL_PREEMPT(0), rig.given[0]);
        wait_for(is_preempted, n);
        assert_int_equal((uint32_t)atomic_load(&rig.registers->engines[0].preempted), 10000 + n);
        completed = (uint32_t)atomic_load(&rig.registers->engines[0].completed);
        if (completed != 0)
            assert_int_equal(result_of(0), completed);
        wait_for(is_idle, 0);
    }
    unplug();
}

static void after_a_reset_nothing_moves(void **state)
{
    static unsigned char before[4096];
    struct softgpu_config config = softgpu_config_default();

    (void)state;
    plug(&config);
    for (uint32_t n = 1; n <= 100; n++) {
        for (uint32_t i = 0; i < 16; i++)
            submit(i & 1, n * 16 + i);
        ring(SOFTGPU_DOORBELL_RESET, 1);
        memcpy(before, at(rig.result[0]), sizeof(before));
        submit(0, 1);
        assert_memory_equal(before, at(rig.result[0]), sizeof(before)); /* D-240 */
        ring(SOFTGPU_DOORBELL_RESET, 0);
        for (uint32_t i = 0; i < ENGINES; i++)
            wait_for(is_idle, i);
        assert_int_equal(result_of(0), 1);
    }
    unplug();
}

/* ---- fences ---------------------------------------------------------------------------------- */

enum {
    ROOT = 0x10000, /* offsets in the memory segment */
    LEAF = 0x20000,
    FENCES = 0x30000,
    STREAMS = 0x40000,
    STREAM_PAGES = 8,
    PINGS = 400,
};

static void *memory_at(uint64_t offset)
{
    return vidmm_machine_memory(rig.machine,
                                rig.registers->segments[MEMORY - 1].cpu_address + offset, 4096);
}

static uint64_t word_of(uint64_t offset)
{
    return (uint64_t)SOFTGPU_PTE_MARK << SOFTGPU_PTE_MARK_SHIFT | offset |
           (uint64_t)MEMORY << SOFTGPU_PTE_SEGMENT_SHIFT | SOFTGPU_PTE_VALID;
}

/* Addresses are offsets in the memory segment, from the fences to behind the streams. */
static void map_memory(void)
{
    uint64_t *root = memory_at(ROOT), *leaf = memory_at(LEAF);

    root[0] = word_of(LEAF);
    for (uint64_t at = FENCES; at < STREAMS + ENGINES * STREAM_PAGES * 4096; at += 4096)
        leaf[at / 4096] = word_of(at);
    memset(memory_at(FENCES), 0, 4096);
}

/* Signal, or wait for, each value of an engine's fence. */
static unsigned char *put_signal(unsigned char *at, uint32_t engine, uint64_t value)
{
    struct softgpu_op_signal signal = {.command = {SOFTGPU_OP_SIGNAL, sizeof(signal)},
                                       .address = FENCES + 8 * engine,
                                       .value = value};

    memcpy(at, &signal, sizeof(signal));
    return at + sizeof(signal);
}

static unsigned char *put_wait(unsigned char *at, uint32_t engine, uint64_t value)
{
    struct softgpu_op_wait wait = {.command = {SOFTGPU_OP_WAIT, sizeof(wait)},
                                   .address = FENCES + 8 * engine,
                                   .value = value,
                                   .bits = 64};

    memcpy(at, &wait, sizeof(wait));
    return at + sizeof(wait);
}

/* One engine signals first and then waits, the other the other way round. */
static void submit_pings(uint32_t engine)
{
    uint64_t address = STREAMS + (uint64_t)engine * STREAM_PAGES * 4096;
    unsigned char *start = memory_at(address), *at = start;
    struct softgpu_packet packet = {.address = address,
                                    .fence = 1,
                                    .flags = SOFTGPU_PACKET_VIRTUAL,
                                    .root = {.address = ROOT, .segment = MEMORY, .entries = 1}};

    for (uint64_t n = 1; n <= PINGS; n++) {
        if (engine == 0)
            at = put_signal(at, 0, n);
        at = put_wait(at, 1 - engine, n);
        if (engine != 0)
            at = put_signal(at, 1, n);
    }
    packet.size = (uint32_t)(at - start);
    assert_true(packet.size <= STREAM_PAGES * 4096);
    memcpy((char *)rig.registers + rig.registers->engines[engine].ring, &packet, sizeof(packet));
    ring(SOFTGPU_DOORBELL_SUBMIT(engine), ++rig.given[engine]);
}

/* No wake is lost, whichever engine is first: a lost one is a test that never ends. */
static void engines_that_wait_for_each_other_go_on(void **state)
{
    struct softgpu_config config = softgpu_config_default();
    struct softgpu_statistics statistics;
    uint64_t values[ENGINES];

    (void)state;
    config.wddm = 20;
    config.mmu.kind = SOFTGPU_MMU_GPU;
    softgpu_config_set_levels(&config.mmu, 2);
    plug(&config);
    map_memory();
    for (uint32_t i = 0; i < ENGINES; i++)
        submit_pings(i);
    for (uint32_t i = 0; i < ENGINES; i++)
        wait_for(is_idle, i);
    memcpy(values, memory_at(FENCES), sizeof(values));
    assert_int_equal(values[0], PINGS);
    assert_int_equal(values[1], PINGS);
    softgpu_device_statistics(rig.device, &statistics);
    assert_int_equal(statistics.signals, 2 * PINGS);
    assert_true(statistics.waits > 0);
    unplug();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_of_two_engines_end_in_their_order),
        cmocka_unit_test(a_doorbell_that_waits_takes_turns_with_the_engine),
        cmocka_unit_test(a_preemption_is_answered_while_packets_run),
        cmocka_unit_test(after_a_reset_nothing_moves),
        cmocka_unit_test(engines_that_wait_for_each_other_go_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
