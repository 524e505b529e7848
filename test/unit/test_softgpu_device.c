/* The device half: commands do what they say; a device comes and goes. */
#include "test_softgpu_stream.h"

/* ---- the commands ---------------------------------------------------------------------------- */

static void bytes_survive_the_way_in_and_out(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    uint64_t frames[20], back[20];

    (void)state;
    frames_of(machine, frames, 20);
    frames_of(machine, back, 20);
    mark_frames(machine, frames, 20);
    put_transfer(&stream, true, frames, 20, MEMORY_BASE + 5 * 4096, 20 * 4096 - 100);
    put_transfer(&stream, false, back, 20, MEMORY_BASE + 5 * 4096, 20 * 4096 - 100);
    run(&stream);
    for (uint32_t i = 0; i < 20; i++) {
        assert_memory_equal(machine->bar[1] + (5 + i) * 4096, machine_at(machine, frames[i] * 4096),
                            i == 19 ? 3996 : 4096);
        assert_memory_equal(machine_at(machine, back[i] * 4096),
                            machine_at(machine, frames[i] * 4096), i == 19 ? 3996 : 4096);
    }
    assert_int_equal(machine->bar[1][25 * 4096 - 1], 0xc3);
    assert_int_equal(machine_at(machine, back[19] * 4096)[4095], 0xc3);
    assert_int_equal(machine_statistics(machine).bytes_in, 20 * 4096 - 100);
    assert_int_equal(machine_statistics(machine).bytes_out, 20 * 4096 - 100);
    assert_int_equal(machine_statistics(machine).faults, 0);
    assert_int_equal(fence_of(machine, 0), 7);
    machine_finish(machine);
}

static void an_aperture_shows_the_pages_mapped_into_it(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    uint64_t frames[8];

    (void)state;
    frames_of(machine, frames, 8);
    mark_frames(machine, frames, 8);
    put_map(&stream, 10, frames, 8);
    put_move(&stream, APERTURE_BASE + 10 * 4096, MEMORY_BASE, 8 * 4096);
    put_move(&stream, MEMORY_BASE, APERTURE_BASE + 11 * 4096, 4096);
    run(&stream);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(machine->bar[1][i * 4096], i + 1);
    assert_int_equal(machine_at(machine, frames[1] * 4096)[77], 1);
    assert_int_equal(machine_statistics(machine).pages_mapped, 8);
    assert_int_equal(machine_statistics(machine).bytes_in, 8 * 4096);
    assert_int_equal(machine_statistics(machine).faults, 0);
    machine_finish(machine);
}

static void a_run_is_many_frames_and_coalesces(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    uint64_t run_of_6 = (MACHINE_SYSTEM / 4096 + 100) | (uint64_t)5 << SOFTGPU_RUN_SHIFT;

    (void)state;
    for (uint32_t i = 0; i < 6; i++)
        memset(machine->system + (100 + i) * 4096, (int)i + 1, 4096);
    put_transfer(&stream, true, &run_of_6, 1, MEMORY_BASE, 6 * 4096);
    run(&stream);
    assert_memory_equal(machine->bar[1], machine->system + 100 * 4096, 6 * 4096);
    machine_finish(machine);
}

static void moves_that_overlap_go_both_ways(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    unsigned char before[16 * 4096];

    (void)state;
    for (uint32_t i = 0; i < sizeof(before); i++)
        machine->bar[1][i] = before[i] = (unsigned char)(i * 31 + (i >> 8));
    put_move(&stream, MEMORY_BASE, MEMORY_BASE + 4096, 10 * 4096);
    run(&stream);
    assert_memory_equal(machine->bar[1] + 4096, before, 10 * 4096);
    stream = stream_of(machine);
    put_move(&stream, MEMORY_BASE + 4096, MEMORY_BASE + 512, 10 * 4096);
    run(&stream);
    assert_memory_equal(machine->bar[1] + 512, before, 10 * 4096);
    assert_int_equal(machine_statistics(machine).bytes_moved, 20 * 4096);
    machine_finish(machine);
}

static void a_fill_ends_where_it_should(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);

    (void)state;
    put_fill(&stream, MEMORY_BASE + 3, 8190, 0x04030201);
    run(&stream);
    assert_int_equal(machine->bar[1][2], 0xc3);
    for (uint32_t i = 0; i < 8190; i++)
        assert_int_equal(machine->bar[1][3 + i], i % 4 + 1);
    assert_int_equal(machine->bar[1][8193], 0xc3);
    assert_int_equal(machine_statistics(machine).bytes_filled, 8190);
    machine_finish(machine);
}

static void what_is_discarded_is_poisoned_if_wished(void **state)
{
    for (int poison = 0; poison < 2; poison++) {
        static struct machine machine;
        struct softgpu_config config = machine_small_config();
        struct softgpu_op_discard op = {
            .command = {.opcode = SOFTGPU_OP_DISCARD, .size = sizeof(op)},
            .bytes = 4096,
            .address = MEMORY_BASE + 4096,
            .segment = MEMORY};
        struct stream stream;

        (void)state;
        config.poison_discard = poison;
        start(&machine, &config);
        stream = stream_of(&machine);
        put(&stream, &op, sizeof(op));
        run(&stream);
        assert_int_equal(machine.bar[1][4095], 0xc3);
        assert_int_equal(machine.bar[1][4096] != 0xc3, poison);
        assert_int_equal(machine.bar[1][8191] != 0xc3, poison);
        assert_int_equal(machine.bar[1][8192], 0xc3);
        assert_int_equal(machine_statistics(&machine).bytes_discarded, 4096);
        machine_finish(&machine);
    }
}

static void an_unmapped_range_is_the_dummy_page_and_counted(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    uint64_t frames[4], dummy = machine_frame(machine);

    (void)state;
    frames_of(machine, frames, 4);
    mark_frames(machine, frames, 4);
    put_map(&stream, 0, frames, 4);
    put_unmap(&stream, 1, 2, dummy);
    put_fill(&stream, APERTURE_BASE, 4 * 4096, 0x99999999);
    run(&stream);
    assert_int_equal(machine_at(machine, frames[0] * 4096)[0], 0x99);
    assert_int_equal(machine_at(machine, frames[1] * 4096)[0], 2);
    assert_int_equal(machine_at(machine, frames[2] * 4096)[0], 3);
    assert_int_equal(machine_at(machine, frames[3] * 4096)[0], 0x99);
    assert_int_equal(machine_at(machine, dummy * 4096)[4095], 0x99);
    assert_int_equal(machine_statistics(machine).dummy_accesses, 2);
    assert_int_equal(machine_statistics(machine).pages_unmapped, 2);
    assert_int_equal(machine_statistics(machine).faults, 0);
    machine_finish(machine);
}

static void a_page_that_was_never_mapped_is_a_fault(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);

    (void)state;
    put_move(&stream, APERTURE_BASE + 4096, MEMORY_BASE, 4096);
    run(&stream);
    assert_int_equal(machine_statistics(machine).faults, 1);
    assert_string_equal(machine_statistics(machine).fault,
                        "engine 0, fence 7, byte 0x0: aperture address 0x1000001000 was never "
                        "mapped");
    assert_int_equal(fence_of(machine, 0), 7);
    machine_finish(machine);
}

static void an_access_writes_eight_bytes_or_reads_them(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    uint64_t frame = machine_frame(machine);
    struct softgpu_op_access op = {.command = {.opcode = SOFTGPU_OP_ACCESS, .size = sizeof(op)},
                                   .address = frame * 4096 + 64};
    unsigned char expected[4096];
    const unsigned char *page;

    (void)state;
    memset(expected, 0xc3, sizeof(expected));
    put(&stream, &op, sizeof(op));
    run(&stream);
    assert_memory_equal(machine_at(machine, frame * 4096), expected, sizeof(expected));
    op.write = 1;
    put(&stream, &op, sizeof(op));
    run(&stream);
    page = machine_at(machine, frame * 4096);
    assert_memory_equal(page, expected, 64);
    assert_memory_not_equal(page + 64, expected, 8);
    assert_memory_equal(page + 72, expected, sizeof(expected) - 72);
    assert_int_equal(machine_statistics(machine).commands, 3); /* the first once more */
    assert_int_equal(machine_statistics(machine).faults, 0);
    machine_finish(machine);
}

/* ---- TOUCH ----------------------------------------------------------------------------------- */

static void what_touch_wrote_it_finds_again(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    uint64_t address = MEMORY_BASE + 8 * 4096;

    (void)state;
    put_fill(&stream, address, 4 * 4096, 0);
    for (uint32_t g = 0; g < 6; g++)
        put_touch(&stream, reference_of(address, 4, 3, g, SOFTGPU_REFERENCE_WRITE));
    put_touch(&stream, reference_of(address, 4, 3, 6, 0));
    run(&stream);
    assert_int_equal(machine_statistics(machine).content_checks, 7);
    assert_int_equal(machine_statistics(machine).content_pages, 28);
    assert_int_equal(machine_statistics(machine).content_bytes_written, 24 * 512);
    assert_int_equal(machine_statistics(machine).content_mismatches, 0);
    assert_int_equal(machine_statistics(machine).faults, 0);
    machine_finish(machine);
}

static void touch_tells_what_is_wrong_with_a_page(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    struct softgpu_statistics statistics;

    (void)state;
    put_fill(&stream, MEMORY_BASE, 16 * 4096, 0);
    put_touch(&stream, reference_of(MEMORY_BASE, 4, 3, 0, SOFTGPU_REFERENCE_WRITE));
    put_touch(&stream, reference_of(MEMORY_BASE + 8 * 4096, 4, 5, 0, SOFTGPU_REFERENCE_WRITE));
    put_move(&stream, MEMORY_BASE + 8 * 4096, MEMORY_BASE + 2 * 4096, 4096);
    put_touch(&stream, reference_of(MEMORY_BASE, 4, 3, 1, 0));
    put_touch(&stream, reference_of(MEMORY_BASE, 4, 3, 1, 0));
    run(&stream);
    statistics = machine_statistics(machine);
    assert_int_equal(statistics.content_mismatches, 2);
    assert_int_equal(statistics.first_mismatch.finding.kind, VIDMM_CONTENT_FOREIGN);
    assert_int_equal(statistics.first_mismatch.finding.id, 5);
    assert_int_equal(statistics.first_mismatch.content_id, 3);
    assert_int_equal(statistics.first_mismatch.page, 2);
    assert_true(statistics.first_mismatch.address == MEMORY_BASE + 2 * 4096);
    assert_int_equal(statistics.first_mismatch.fence, 7);
    assert_string_equal(statistics.mismatch,
                        "fence 7: content 3, page 2 at 0x2000002000, sector 0: another allocation "
                        "(content 5, page 0, write 1)");
    machine_finish(machine);
}

static void touch_misses_a_lost_cpu_write(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    struct vidmm_content_key key = {.seed = 99, .id = 3};
    struct softgpu_op_reference reference = reference_of(MEMORY_BASE, 2, 3, 0, 0);

    (void)state;
    memset(machine->bar[1], 0, 8192);
    vidmm_content_write_cpu(machine->bar[1] + 4096, key, 1, 1);
    reference.digest = vidmm_content_digest(key, 1, 1);
    put_touch(&stream, reference);
    run(&stream);
    assert_int_equal(machine_statistics(machine).content_mismatches, 0);
    stream = stream_of(machine);
    reference.digest += vidmm_content_digest(key, 0, 1);
    put_touch(&stream, reference);
    run(&stream);
    assert_int_equal(machine_statistics(machine).content_mismatches, 1);
    assert_int_equal(machine_statistics(machine).first_mismatch.finding.kind,
                     VIDMM_CONTENT_LOST_CPU);
    machine_finish(machine);
}

static void execute_none_looks_at_nothing(void **state)
{
    static struct machine machine;
    struct softgpu_config config = machine_small_config();
    struct stream stream;

    (void)state;
    config.execute = false;
    start(&machine, &config);
    stream = stream_of(&machine);
    put_touch(&stream, reference_of(MEMORY_BASE, 4, 3, 9, SOFTGPU_REFERENCE_WRITE));
    put_fill(&stream, MEMORY_BASE + 4096, 4096, 5);
    run(&stream);
    assert_int_equal(machine.bar[1][0], 0xc3);
    assert_int_equal(machine.bar[1][4096], 5);
    assert_int_equal(machine_statistics(&machine).content_checks, 0);
    assert_int_equal(machine_statistics(&machine).content_mismatches, 0);
    machine_finish(&machine);
}

/* ---- a device comes and goes ----------------------------------------------------------------- */

static void creation_without_means_says_which(void **state)
{
    static const struct {
        unsigned bars_refused;
        int engines;
        const char *text;
    } cases[] = {
        {1, 4, "softgpu: no memory for registers and page tables, 90112 bytes"},
        {2, 4, "softgpu: no memory for memory segments, 262144 bytes"},
        {0, 1, "softgpu: the bus runs 1 engines, not 2"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        static struct machine machine;
        struct softgpu_config config = machine_small_config();
        char error[SOFTGPU_TEXT] = "";

        machine_init(&machine);
        machine.bars_refused = cases[i].bars_refused;
        machine.engine_limit = cases[i].engines;
        assert_null(
            softgpu_device_create(&machine.bus, &config, &machine.model, error, sizeof(error)));
        assert_string_equal(error, cases[i].text);
        machine_finish(&machine);
    }
}

static void segments_lie_apart_and_nowhere_at_zero(void **state)
{
    static struct machine machine;
    struct softgpu_config config = machine_small_config();
    const struct softgpu_segment_register *at;

    (void)state;
    assert_true(softgpu_config_set(&config, "segment", "3 memory 8K", NULL, 0));
    assert_true(softgpu_config_set(&config, "segment", "4 aperture 8K commit 4K", NULL, 0));
    start(&machine, &config);
    at = machine_registers(&machine)->segments;
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(at[i].base_address != 0 && at[i].base_address != at[i].cpu_address);
        for (uint32_t j = 0; j < i; j++)
            assert_true(at[j].base_address + at[j].size <= at[i].base_address);
    }
    assert_true(at[1].cpu_address == MACHINE_BAR(1));
    assert_true(at[2].cpu_address == 0);
    assert_true(at[3].commit_limit == 4096 && at[0].commit_limit == 64 * 4096);
    machine_finish(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_survive_the_way_in_and_out),
        cmocka_unit_test(an_aperture_shows_the_pages_mapped_into_it),
        cmocka_unit_test(a_run_is_many_frames_and_coalesces),
        cmocka_unit_test(moves_that_overlap_go_both_ways),
        cmocka_unit_test(a_fill_ends_where_it_should),
        cmocka_unit_test(what_is_discarded_is_poisoned_if_wished),
        cmocka_unit_test(an_unmapped_range_is_the_dummy_page_and_counted),
        cmocka_unit_test(a_page_that_was_never_mapped_is_a_fault),
        cmocka_unit_test(an_access_writes_eight_bytes_or_reads_them),
        cmocka_unit_test(what_touch_wrote_it_finds_again),
        cmocka_unit_test(touch_tells_what_is_wrong_with_a_page),
        cmocka_unit_test(touch_misses_a_lost_cpu_write),
        cmocka_unit_test(execute_none_looks_at_nothing),
        cmocka_unit_test(creation_without_means_says_which),
        cmocka_unit_test(segments_lie_apart_and_nowhere_at_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
