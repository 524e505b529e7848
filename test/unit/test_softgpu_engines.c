/* Rings and engines: order, completion, interrupts, preemption, hangs. */
#include "test_softgpu_stream.h"

static void engines_run_side_by_side(void **state)
{
    struct machine *machine = started();
    struct stream slow = stream_of(machine), quick = stream_of(machine);

    (void)state;
    for (uint32_t i = 0; i < 50; i++)
        put_fill(&slow, MEMORY_BASE, 4096, i);
    put_fill(&quick, MEMORY_BASE + 8192, 4096, 1);
    submit_to(&slow, 0, 1);
    submit_to(&quick, 1, 2);
    for (int step = 0; step < 5; step++)
        for (int i = 0; i < 2; i++)
            machine->engines[i].step(machine->engines[i].engine);
    assert_int_equal(fence_of(machine, 1), 2);
    assert_int_equal(fence_of(machine, 0), 0);
    machine_settle_engines(machine);
    assert_int_equal(fence_of(machine, 0), 1);
    machine_finish(machine);
}

static void fences_wrap(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);

    (void)state;
    put_fill(&stream, MEMORY_BASE, 4096, 0);
    for (uint32_t i = 0; i < 10; i++) {
        submit_to(&stream, 0, UINT32_MAX - 4 + i);
        machine_settle_engines(machine);
        assert_int_equal(fence_of(machine, 0), UINT32_MAX - 4 + i);
    }
    assert_int_equal(machine_registers(machine)->engines[0].completed >> 32, 10);
    machine_finish(machine);
}

static void every_packet_interrupts(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);

    (void)state;
    for (uint32_t i = 1; i <= 5; i++)
        submit_to(&stream, 1, i); /* empty ones */
    machine_settle_engines(machine);
    assert_int_equal(machine->interrupts, 5);
    assert_int_equal(atomic_load(&machine_registers(machine)->interrupt), 1 << 1);
    assert_int_equal(fence_of(machine, 1), 5);
    machine_finish(machine);
}

static void late_interrupts_come_once_when_the_queue_is_dry(void **state)
{
    static struct machine machine;
    struct softgpu_config config = machine_small_config();
    struct stream stream;

    (void)state;
    config.interrupts = SOFTGPU_LATE;
    start(&machine, &config);
    stream = stream_of(&machine);
    for (uint32_t i = 1; i <= 5; i++)
        submit_to(&stream, 0, i);
    while (fence_of(&machine, 0) != 5)
        machine.engines[0].step(machine.engines[0].engine);
    assert_int_equal(machine.interrupts, 0);
    machine_settle_engines(&machine);
    assert_int_equal(machine.interrupts, 1);
    machine_finish(&machine);
}

static void a_null_packet_runs_nothing_and_completes(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);

    (void)state;
    put_fill(&stream, MEMORY_BASE, 4096, 1);
    submit_packet(machine, 0,
                  (struct softgpu_packet){.address = stream.physical,
                                          .size = stream.size,
                                          .fence = 12,
                                          .flags = SOFTGPU_PACKET_NULL});
    machine_settle_engines(machine);
    assert_int_equal(fence_of(machine, 0), 12);
    assert_int_equal(machine->bar[1][0], 0xc3);
    machine_finish(machine);
}

static void a_doorbell_that_waits_is_done_on_return(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    const struct softgpu_engine_register *at = &machine_registers(machine)->engines[0];
    struct softgpu_packet packet = {.address = stream.physical, .fence = 3};

    (void)state;
    put_fill(&stream, MEMORY_BASE, 4096, 1);
    packet.size = stream.size;
    memcpy(machine->bar[0] + at->ring, &packet, sizeof(packet));
    assert_true(machine_ring(machine, SOFTGPU_DOORBELL_EXECUTE(0), 1));
    assert_int_equal(fence_of(machine, 0), 3);
    assert_int_equal(machine->bar[1][0], 1);
    assert_int_equal(machine->interrupts, 0);
    machine_finish(machine);
}

static void a_preemption_throws_away_what_has_not_begun(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    struct softgpu_engine_register *at = &machine_registers(machine)->engines[0];

    (void)state;
    put_fill(&stream, MEMORY_BASE, 4096, 1);
    for (uint32_t i = 1; i <= 4; i++)
        submit_to(&stream, 0, i);
    machine->engines[0].step(machine->engines[0].engine); /* packet 1 has begun */
    atomic_store(&at->preempt_fence, 77);
    assert_true(machine_ring(machine, SOFTGPU_DOORBELL_PREEMPT(0), given[0]));
    submit_to(&stream, 0, 5); /* behind the preemption */
    machine_settle_engines(machine);
    assert_true(atomic_load(&at->preempted) == ((uint64_t)1 << 32 | 77));
    assert_int_equal(fence_of(machine, 0), 5);
    assert_int_equal(atomic_load(&at->completed) >> 32, 2);
    assert_int_equal(atomic_load(&at->retired), 5);
    machine_finish(machine);
}

/* Its first part has been executed, and would be so twice if it came back. */
static void a_submission_that_was_run_in_part_is_ended_before_a_preemption(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    const struct softgpu_engine_register *at = &machine_registers(machine)->engines[0];
    struct softgpu_packet packet = {.address = stream.physical, .flags = SOFTGPU_PACKET_PART};

    (void)state;
    put_fill(&stream, MEMORY_BASE, 4096, 1);
    packet.size = stream.size;
    softgpu_device_hang(machine->device, 0, 0, true);
    submit_packet(machine, 0, packet);
    submit_to(&stream, 0, 3); /* the end of it: here it hangs */
    submit_to(&stream, 0, 4);
    machine_settle_engines(machine);
    assert_int_equal(machine->bar[1][0], 1);
    assert_int_equal(fence_of(machine, 0), 0);
    assert_true(machine_ring(machine, SOFTGPU_DOORBELL_PREEMPT(0), given[0]));
    machine_settle_engines(machine);
    assert_int_equal(fence_of(machine, 0), 3);
    assert_int_equal(atomic_load(&at->preempted) >> 32, 1);
    assert_int_equal(atomic_load(&at->retired), 3);
    machine_finish(machine);
}

static void an_engine_hangs_on_demand_until_reset(void **state)
{
    static struct machine machine;
    struct softgpu_config config = machine_small_config();
    struct stream stream;

    (void)state;
    config.hang_engine = 0;
    config.hang_packet = 2;
    start(&machine, &config);
    stream = stream_of(&machine);
    for (uint32_t i = 1; i <= 3; i++)
        submit_to(&stream, 0, i);
    machine_settle_engines(&machine);
    assert_int_equal(fence_of(&machine, 0), 1);
    assert_true(machine_ring(&machine, SOFTGPU_DOORBELL_RESET, 1));
    assert_int_equal(atomic_load(&machine_registers(&machine)->engines[0].retired), 3);
    submit_to(&stream, 0, 4);
    machine_settle_engines(&machine);
    assert_int_equal(fence_of(&machine, 0), 1); /* stopped */
    assert_true(machine_ring(&machine, SOFTGPU_DOORBELL_RESET, 0));
    machine_settle_engines(&machine);
    assert_int_equal(fence_of(&machine, 0), 4);
    machine_finish(&machine);
}

static void a_hung_engine_goes_on_when_released(void **state)
{
    static struct machine machine;
    struct softgpu_config config = machine_small_config();
    struct stream stream;

    (void)state;
    config.hang_packet = 1;
    start(&machine, &config);
    stream = stream_of(&machine);
    submit_to(&stream, 0, 9);
    machine_settle_engines(&machine);
    assert_int_equal(fence_of(&machine, 0), 0);
    softgpu_device_release(machine.device);
    machine_settle_engines(&machine);
    assert_int_equal(fence_of(&machine, 0), 9);
    machine_finish(&machine);
}

static void only_the_doorbells_there_are_can_be_rung(void **state)
{
    struct machine *machine = started();
    uint32_t word = 0;

    (void)state;
    assert_false(machine_ring(machine, SOFTGPU_DOORBELL_SUBMIT(2), 0));
    assert_false(machine_ring(machine, 0xa8, 0));
    assert_false(machine_ring(machine, 0x3c, 0));
    assert_false(machine_ring(machine, 0x42, 0));
    assert_false(machine->model.write_config(machine->model.device, 0x40, &word, 2));
    assert_false(machine->model.read_config(machine->model.device, 0x40, &word, 4));
    machine_finish(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_run_side_by_side),
        cmocka_unit_test(fences_wrap),
        cmocka_unit_test(every_packet_interrupts),
        cmocka_unit_test(late_interrupts_come_once_when_the_queue_is_dry),
        cmocka_unit_test(a_null_packet_runs_nothing_and_completes),
        cmocka_unit_test(a_doorbell_that_waits_is_done_on_return),
        cmocka_unit_test(a_preemption_throws_away_what_has_not_begun),
        cmocka_unit_test(a_submission_that_was_run_in_part_is_ended_before_a_preemption),
        cmocka_unit_test(an_engine_hangs_on_demand_until_reset),
        cmocka_unit_test(a_hung_engine_goes_on_when_released),
        cmocka_unit_test(only_the_doorbells_there_are_can_be_rung),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
