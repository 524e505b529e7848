/* An operation that the GPU cannot do is a fault, not a crash: it is counted, described, and left
 * out. */
#include "test_softgpu_stream.h"

/* Submit what `fill` puts: one fault, the fence completes, and a fill behind it is run or not. */
static void faults(void (*puts)(struct stream *stream), bool goes_on, const char *text)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);

    puts(&stream);
    put_fill(&stream, MEMORY_BASE + 32 * 4096, 4096, 0x77777777);
    run(&stream);
    assert_int_equal(machine_statistics(machine).faults, 1);
    if (strstr(machine_statistics(machine).fault, text) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", text, machine_statistics(machine).fault);
    assert_int_equal(fence_of(machine, 0), 7);
    assert_int_equal(machine->bar[1][32 * 4096] == 0x77, goes_on);
    machine_finish(machine);
}

static void below_the_segments(struct stream *stream)
{
    put_fill(stream, 4096, 4096, 0); /* segment 0: a physical address */
}

static void behind_a_segment(struct stream *stream)
{
    put_fill(stream, MEMORY_BASE + 60 * 4096, 5 * 4096, 0);
}

static void in_a_segment_that_is_not_there(struct stream *stream)
{
    put_fill(stream, SOFTGPU_SEGMENT_BASE(3), 4096, 0);
}

static void with_a_size_that_wraps(struct stream *stream)
{
    put_fill(stream, MEMORY_BASE + 4096, UINT64_MAX, 0);
}

static void of_frames_that_are_no_memory(struct stream *stream)
{
    uint64_t frame = 5;

    put_transfer(stream, true, &frame, 1, MEMORY_BASE, 4096);
}

static void of_a_run_that_leaves_memory(struct stream *stream)
{
    uint64_t run = (MACHINE_SYSTEM / 4096 + MACHINE_PAGES - 1) | (uint64_t)1 << SOFTGPU_RUN_SHIFT;

    put_transfer(stream, true, &run, 1, MEMORY_BASE, 2 * 4096);
}

static void of_more_bytes_than_frames(struct stream *stream)
{
    uint64_t frame = MACHINE_SYSTEM / 4096;

    put_transfer(stream, true, &frame, 1, MEMORY_BASE, 4097);
}

static void of_runs_on_both_sides(struct stream *stream)
{
    struct {
        struct softgpu_op_transfer transfer;
        uint64_t runs[2];
    } op = {.transfer = {.command = {.opcode = SOFTGPU_OP_TRANSFER, .size = sizeof(op)},
                         .bytes = 4096,
                         .source.runs = 1,
                         .destination.runs = 1}};

    put(stream, &op, sizeof(op));
}

static void of_runs_that_are_not_there(struct stream *stream)
{
    struct softgpu_op_transfer op = {.command = {.opcode = SOFTGPU_OP_TRANSFER, .size = sizeof(op)},
                                     .bytes = 4096,
                                     .source.runs = UINT32_MAX,
                                     .destination = {.segment = MEMORY, .address = MEMORY_BASE}};

    put(stream, &op, sizeof(op));
}

static void of_a_map_behind_the_aperture(struct stream *stream)
{
    uint64_t frames[2] = {MACHINE_SYSTEM / 4096, MACHINE_SYSTEM / 4096 + 5};

    put_map(stream, 63, frames, 2);
}

static void of_an_unmap_of_memory(struct stream *stream)
{
    struct softgpu_op_unmap op = {
        .command = {.opcode = SOFTGPU_OP_UNMAP, .size = sizeof(op)}, .segment = MEMORY, .pages = 1};

    put(stream, &op, sizeof(op));
}

static void of_a_dummy_page_that_is_no_page(struct stream *stream)
{
    struct softgpu_op_unmap op = {.command = {.opcode = SOFTGPU_OP_UNMAP, .size = sizeof(op)},
                                  .segment = APERTURE,
                                  .pages = 1,
                                  .physical = 12345};

    put(stream, &op, sizeof(op));
}

static void of_a_touch_that_was_not_patched(struct stream *stream)
{
    put_touch(stream, reference_of(0, 1, 3, 0, 0));
}

static void of_a_touch_between_pages(struct stream *stream)
{
    put_touch(stream, reference_of(MEMORY_BASE + 512, 1, 3, 0, 0));
}

static void of_references_that_are_not_there(struct stream *stream)
{
    struct softgpu_op_touch op = {.command = {.opcode = SOFTGPU_OP_TOUCH, .size = sizeof(op)},
                                  .reference_count = 1};

    put(stream, &op, sizeof(op));
}

static void of_a_command_nobody_knows(struct stream *stream)
{
    struct softgpu_command op = {.opcode = 0xdbdbdbdb, .size = 8};

    put(stream, &op, sizeof(op));
}

static void of_a_command_without_a_size(struct stream *stream)
{
    struct softgpu_command op = {.opcode = SOFTGPU_OP_NOTHING};

    put(stream, &op, sizeof(op));
}

static void of_a_command_longer_than_its_packet(struct stream *stream)
{
    struct softgpu_command op = {.opcode = SOFTGPU_OP_NOTHING, .size = 4096};

    put(stream, &op, sizeof(op));
}

static void of_a_command_shorter_than_it_needs(struct stream *stream)
{
    struct softgpu_command op = {.opcode = SOFTGPU_OP_FILL, .size = 8};

    put(stream, &op, sizeof(op));
}

static void commands_that_name_nothing_are_left_out(void **state)
{
    (void)state;
    faults(below_the_segments, true, "physical address 0x1000 is not memory");
    faults(behind_a_segment, true, "fill: 20480 bytes at segment 2, address 0x200003c000");
    faults(in_a_segment_that_is_not_there, true, "segment 3");
    faults(with_a_size_that_wraps, true, "18446744073709551615 bytes at segment 2");
    faults(of_frames_that_are_no_memory, true, "physical address 0x5000 is not memory");
    faults(of_a_run_that_leaves_memory, true, "physical address 0x40400000 is not memory");
    faults(of_more_bytes_than_frames, true, "transfer, source: 4097 bytes");
    faults(of_runs_on_both_sides, true, "both sides are runs");
    faults(of_runs_that_are_not_there, true, "4294967295 runs in a command of 48 bytes");
    faults(of_a_map_behind_the_aperture, true,
           "map: 2 pages from 63 on: aperture segment 1 has 64");
    faults(of_an_unmap_of_memory, true, "aperture segment 2 has 0");
    faults(of_a_dummy_page_that_is_no_page, true, "dummy page at 0x3039, which is no page");
    faults(of_a_touch_that_was_not_patched, true, "content 3, 1 pages at 0x0: no place");
    faults(of_a_touch_between_pages, true, "at 0x2000000200: no place");
    faults(of_references_that_are_not_there, true, "touch: 1 references in 24 bytes");
}

static void packets_that_cannot_be_read_on_end_there(void **state)
{
    (void)state;
    faults(of_a_command_nobody_knows, false, "command 0xdbdbdbdb of 8 bytes is unknown");
    faults(of_a_command_without_a_size, false, "of 0 bytes, 40 are left of its packet");
    faults(of_a_command_longer_than_its_packet, false, "of 4096 bytes, 40 are left");
    faults(of_a_command_shorter_than_it_needs, false, "command 0x53470004 of 8 bytes needs 32");
}

static void a_wrong_count_of_commands_is_a_fault(void **state)
{
    for (int more = -1; more <= 1; more += 2) {
        struct machine *machine = started();
        struct stream stream = stream_of(machine);

        (void)state;
        put_fill(&stream, MEMORY_BASE, 4096, 1);
        put_fill(&stream, MEMORY_BASE, 4096, 2);
        stream.commands += (uint32_t)more;
        run(&stream);
        assert_int_equal(machine_statistics(machine).faults, 1);
        assert_int_equal(machine->bar[1][0], more < 0 ? 1 : 2);
        assert_int_equal(fence_of(machine, 0), 7);
        machine_finish(machine);
    }
}

static void a_packet_at_no_memory_is_a_fault(void **state)
{
    struct machine *machine = started();

    (void)state;
    submit_packet(machine, 1, (struct softgpu_packet){.address = 64, .size = 8, .fence = 3});
    submit_packet(machine, 1,
                  (struct softgpu_packet){.address = UINT64_MAX, .size = 8, .fence = 4});
    submit_packet(machine, 1, (struct softgpu_packet){.segment = 9, .size = 8, .fence = 5});
    machine_settle_engines(machine);
    assert_true(machine_statistics(machine).faults >= 3);
    assert_int_equal(fence_of(machine, 1), 5);
    machine_finish(machine);
}

/* Rubbish in commands that look right from outside, and pure rubbish: it all ends in fences. */
static void rubbish_never_crashes_the_gpu(void **state)
{
    static const uint32_t opcodes[] = {SOFTGPU_OP_TOUCH,   SOFTGPU_OP_TRANSFER, SOFTGPU_OP_FILL,
                                       SOFTGPU_OP_DISCARD, SOFTGPU_OP_MAP,      SOFTGPU_OP_UNMAP,
                                       SOFTGPU_OP_ACCESS,  SOFTGPU_OP_NOTHING};
    struct machine *machine = started();
    uint64_t random = 1;

    (void)state;
    for (uint32_t n = 0; n < 20000; n++) {
        struct stream stream = {
            .machine = machine, .physical = MACHINE_SYSTEM, .at = machine->system, .size = 160};
        uint64_t words[20];

        for (uint32_t i = 0; i < 20; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            words[i] = random >> (random >> 58);
            if (random >> 61 == 0)
                words[i] = MEMORY_BASE + (random & 0x3f000);
        }
        if (n % 8 != 0)
            words[0] = opcodes[n / 8 % 8] | (uint64_t)((words[0] & 0x1f) * 8) << 32;
        memcpy(stream.at, words, sizeof(words));
        stream.commands = 1 + n % 3;
        submit_to(&stream, n % 2, n);
        machine_settle_engines(machine);
        assert_int_equal(fence_of(machine, n % 2), n);
    }
    assert_true(machine_statistics(machine).faults > 1000);
    machine_finish(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_that_name_nothing_are_left_out),
        cmocka_unit_test(packets_that_cannot_be_read_on_end_there),
        cmocka_unit_test(a_wrong_count_of_commands_is_a_fault),
        cmocka_unit_test(a_packet_at_no_memory_is_a_fault),
        cmocka_unit_test(rubbish_never_crashes_the_gpu),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
