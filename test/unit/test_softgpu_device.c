/* The device half: commands do what they say, and what they cannot do is a fault, not a crash. */
#include "test_softgpu_machine.h"

enum { APERTURE = 1, MEMORY = 2 };

#define APERTURE_BASE SOFTGPU_SEGMENT_BASE(APERTURE)
#define MEMORY_BASE SOFTGPU_SEGMENT_BASE(MEMORY)

/* A stream of commands being written, to be submitted from one system page. */
struct stream {
    struct machine *machine;
    uint64_t physical;
    unsigned char *at;
    uint32_t size, commands;
};

static uint32_t given[SOFTGPU_ENGINES];

static void start(struct machine *machine, const struct softgpu_config *config)
{
    machine_init(machine);
    machine_plug(machine, config);
    memset(given, 0, sizeof(given));
}

static struct machine *started(void)
{
    static struct machine machine;
    struct softgpu_config config = machine_small_config();

    start(&machine, &config);
    return &machine;
}

static struct stream stream_of(struct machine *machine)
{
    uint64_t physical = machine_frame(machine) * 4096;

    return (struct stream){.machine = machine, .physical = physical,
                           .at = machine_at(machine, physical)};
}

static void put(struct stream *stream, const void *command, size_t size)
{
    assert_true(stream->size + size <= 4096);
    memcpy(stream->at + stream->size, command, size);
    stream->size += (uint32_t)size;
    stream->commands++;
}

static void submit_packet(struct machine *machine, uint32_t engine, struct softgpu_packet packet)
{
    const struct softgpu_engine_register *at = &machine_registers(machine)->engines[engine];
    unsigned char *ring = machine->bar[0] + at->ring;

    memcpy(ring + (given[engine]++ & (at->slots - 1)) * sizeof(packet), &packet, sizeof(packet));
    assert_true(machine_ring(machine, SOFTGPU_DOORBELL_SUBMIT(engine), given[engine]));
}

static void submit_to(const struct stream *stream, uint32_t engine, uint32_t fence)
{
    submit_packet(stream->machine, engine,
                  (struct softgpu_packet){.address = stream->physical, .size = stream->size,
                                          .fence = fence, .flags = SOFTGPU_PACKET_COUNTED,
                                          .commands = stream->commands});
}

static void run(const struct stream *stream)
{
    submit_to(stream, 0, 7);
    machine_settle_engines(stream->machine);
}

static uint32_t fence_of(struct machine *machine, uint32_t engine)
{
    return (uint32_t)atomic_load(&machine_registers(machine)->engines[engine].completed);
}

/* ---- commands to choose from ------------------------------------------------------------------ */

static void put_map(struct stream *stream, uint64_t first, const uint64_t *frames, uint32_t pages)
{
    struct {
        struct softgpu_op_map map;
        uint64_t runs[64];
    } op = {.map = {.command = {.opcode = SOFTGPU_OP_MAP}, .segment = APERTURE, .first = first,
                    .pages = pages, .runs = pages}};

    memcpy(op.runs, frames, pages * sizeof(frames[0]));
    op.map.command.size = (uint32_t)(sizeof(op.map) + pages * sizeof(uint64_t));
    put(stream, &op, op.map.command.size);
}

static void put_unmap(struct stream *stream, uint64_t first, uint64_t pages, uint64_t frame)
{
    struct softgpu_op_unmap op = {.command = {.opcode = SOFTGPU_OP_UNMAP, .size = sizeof(op)},
                                  .segment = APERTURE, .first = first, .pages = pages,
                                  .physical = frame * 4096};

    put(stream, &op, sizeof(op));
}

/* Between `frames` (scattered, one run each) and a segment address; in: frames are the source. */
static void put_transfer(struct stream *stream, bool in, const uint64_t *frames, uint32_t count,
                         uint64_t address, uint64_t bytes)
{
    struct {
        struct softgpu_op_transfer transfer;
        uint64_t runs[64];
    } op = {.transfer = {.command = {.opcode = SOFTGPU_OP_TRANSFER}, .bytes = bytes}};
    struct softgpu_place *system = in ? &op.transfer.source : &op.transfer.destination;
    struct softgpu_place *local = in ? &op.transfer.destination : &op.transfer.source;

    system->runs = count;
    local->segment = (uint32_t)(address >> 36);
    local->address = address;
    memcpy(op.runs, frames, count * sizeof(frames[0]));
    op.transfer.command.size = (uint32_t)(sizeof(op.transfer) + count * sizeof(uint64_t));
    put(stream, &op, op.transfer.command.size);
}

static void put_move(struct stream *stream, uint64_t from, uint64_t to, uint64_t bytes)
{
    struct softgpu_op_transfer op = {
        .command = {.opcode = SOFTGPU_OP_TRANSFER, .size = sizeof(op)}, .bytes = bytes,
        .source = {.segment = (uint32_t)(from >> 36), .address = from},
        .destination = {.segment = (uint32_t)(to >> 36), .address = to}};

    put(stream, &op, sizeof(op));
}

static void put_fill(struct stream *stream, uint64_t address, uint64_t bytes, uint32_t pattern)
{
    struct softgpu_op_fill op = {.command = {.opcode = SOFTGPU_OP_FILL, .size = sizeof(op)},
                                 .bytes = bytes, .address = address,
                                 .segment = (uint32_t)(address >> 36), .pattern = pattern};

    put(stream, &op, sizeof(op));
}

static struct softgpu_op_reference reference_of(uint64_t address, uint32_t pages, uint32_t id,
                                                uint32_t generation, uint32_t flags)
{
    return (struct softgpu_op_reference){.address = address, .pages = pages, .content_id = id,
                                         .generation = generation, .flags = flags};
}

static void put_touch(struct stream *stream, struct softgpu_op_reference reference)
{
    struct {
        struct softgpu_op_touch touch;
        struct softgpu_op_reference reference;
    } op = {.touch = {.command = {.opcode = SOFTGPU_OP_TOUCH, .size = sizeof(op)},
                      .reference_count = 1, .seed = 99},
            .reference = reference};

    put(stream, &op, sizeof(op));
}

static void frames_of(struct machine *machine, uint64_t *frames, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        frames[i] = machine_frame(machine);
}

static void mark_frames(struct machine *machine, const uint64_t *frames, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        memset(machine_at(machine, frames[i] * 4096), (int)(i + 1), 4096);
}

/* ---- the commands ----------------------------------------------------------------------------- */

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
        assert_memory_equal(machine->bar[1] + (5 + i) * 4096,
                            machine_at(machine, frames[i] * 4096), i == 19 ? 3996 : 4096);
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
            .bytes = 4096, .address = MEMORY_BASE + 4096, .segment = MEMORY};
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

static void reading_and_writing_physical_memory_changes_nothing(void **state)
{
    struct machine *machine = started();
    struct stream stream = stream_of(machine);
    uint64_t frame = machine_frame(machine);
    struct softgpu_op_access op = {.command = {.opcode = SOFTGPU_OP_ACCESS, .size = sizeof(op)},
                                   .address = frame * 4096 + 64};

    (void)state;
    put(&stream, &op, sizeof(op));
    op.write = 1;
    put(&stream, &op, sizeof(op));
    run(&stream);
    assert_int_equal(machine_at(machine, frame * 4096)[64], 0xc3);
    assert_int_equal(machine_statistics(machine).commands, 2);
    assert_int_equal(machine_statistics(machine).faults, 0);
    machine_finish(machine);
}

/* ---- TOUCH ------------------------------------------------------------------------------------ */

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

/* ---- faults ----------------------------------------------------------------------------------- */

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
                         .bytes = 4096, .source.runs = 1, .destination.runs = 1}};

    put(stream, &op, sizeof(op));
}

static void of_runs_that_are_not_there(struct stream *stream)
{
    struct softgpu_op_transfer op = {
        .command = {.opcode = SOFTGPU_OP_TRANSFER, .size = sizeof(op)}, .bytes = 4096,
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
    struct softgpu_op_unmap op = {.command = {.opcode = SOFTGPU_OP_UNMAP, .size = sizeof(op)},
                                  .segment = MEMORY, .pages = 1};

    put(stream, &op, sizeof(op));
}

static void of_a_dummy_page_that_is_no_page(struct stream *stream)
{
    struct softgpu_op_unmap op = {.command = {.opcode = SOFTGPU_OP_UNMAP, .size = sizeof(op)},
                                  .segment = APERTURE, .pages = 1, .physical = 12345};

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
    faults(of_more_bytes_than_frames, true, "transfer, source: 4097 bytes");
    faults(of_runs_on_both_sides, true, "both sides are runs");
    faults(of_runs_that_are_not_there, true, "4294967295 runs in a command of 48 bytes");
    faults(of_a_map_behind_the_aperture, true, "map: 2 pages from 63 on: aperture segment 1 has 64");
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
    submit_packet(machine, 1, (struct softgpu_packet){.address = UINT64_MAX, .size = 8, .fence = 4});
    submit_packet(machine, 1, (struct softgpu_packet){.segment = 9, .size = 8, .fence = 5});
    machine_settle_engines(machine);
    assert_true(machine_statistics(machine).faults >= 3);
    assert_int_equal(fence_of(machine, 1), 5);
    machine_finish(machine);
}

/* Rubbish in commands that look right from outside, and pure rubbish: it all ends in fences. */
static void rubbish_never_crashes_the_gpu(void **state)
{
    static const uint32_t opcodes[] = {SOFTGPU_OP_TOUCH,    SOFTGPU_OP_TRANSFER, SOFTGPU_OP_FILL,
                                       SOFTGPU_OP_DISCARD,  SOFTGPU_OP_MAP,      SOFTGPU_OP_UNMAP,
                                       SOFTGPU_OP_ACCESS,   SOFTGPU_OP_NOTHING};
    struct machine *machine = started();
    uint64_t random = 1;

    (void)state;
    for (uint32_t n = 0; n < 20000; n++) {
        struct stream stream = {.machine = machine, .physical = MACHINE_SYSTEM,
                                .at = machine->system, .size = 160};
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

/* ---- engines ---------------------------------------------------------------------------------- */

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
                  (struct softgpu_packet){.address = stream.physical, .size = stream.size,
                                          .fence = 12, .flags = SOFTGPU_PACKET_NULL});
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
    assert_false(machine_ring(machine, 0xa4, 0));
    assert_false(machine_ring(machine, 0x3c, 0));
    assert_false(machine_ring(machine, 0x42, 0));
    assert_false(machine->model.write_config(machine->model.device, 0x40, &word, 2));
    assert_false(machine->model.read_config(machine->model.device, 0x40, &word, 4));
    machine_finish(machine);
}

/* ---- a device comes and goes ------------------------------------------------------------------ */

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
        assert_null(softgpu_device_create(&machine.bus, &config, &machine.model, error,
                                          sizeof(error)));
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
        cmocka_unit_test(reading_and_writing_physical_memory_changes_nothing),
        cmocka_unit_test(what_touch_wrote_it_finds_again),
        cmocka_unit_test(touch_tells_what_is_wrong_with_a_page),
        cmocka_unit_test(touch_misses_a_lost_cpu_write),
        cmocka_unit_test(execute_none_looks_at_nothing),
        cmocka_unit_test(commands_that_name_nothing_are_left_out),
        cmocka_unit_test(packets_that_cannot_be_read_on_end_there),
        cmocka_unit_test(a_wrong_count_of_commands_is_a_fault),
        cmocka_unit_test(a_packet_at_no_memory_is_a_fault),
        cmocka_unit_test(rubbish_never_crashes_the_gpu),
        cmocka_unit_test(engines_run_side_by_side),
        cmocka_unit_test(fences_wrap),
        cmocka_unit_test(every_packet_interrupts),
        cmocka_unit_test(late_interrupts_come_once_when_the_queue_is_dry),
        cmocka_unit_test(a_null_packet_runs_nothing_and_completes),
        cmocka_unit_test(a_doorbell_that_waits_is_done_on_return),
        cmocka_unit_test(a_preemption_throws_away_what_has_not_begun),
        cmocka_unit_test(an_engine_hangs_on_demand_until_reset),
        cmocka_unit_test(a_hung_engine_goes_on_when_released),
        cmocka_unit_test(only_the_doorbells_there_are_can_be_rung),
        cmocka_unit_test(creation_without_means_says_which),
        cmocka_unit_test(segments_lie_apart_and_nowhere_at_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
