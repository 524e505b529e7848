/* BuildPagingBuffer: the bytes end up the same however the paging buffers are cut, under both
 * habits, whatever the driver answers in between.
 */
#include "test_softgpu_world.h"

static uint64_t sum_of(uint64_t sum, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t word;

        memcpy(&word, bytes + i, sizeof(word));
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    return sum;
}

/* A story of every operation, each part of which another depends on. Answers a sum of all memory
 * that is anyone's. Pages that a map changes are not used before it was submitted, nor the other
 * way. */
static uint64_t tell_story(void)
{
    static struct pages first, second, third, back;
    struct softgpu_allocation wanted = wanted_of(4 * 4096 - 5);
    uint64_t memory = SOFTGPU_SEGMENT_BASE(MEMORY), aperture = SOFTGPU_SEGMENT_BASE(APERTURE);
    uint64_t dummy = machine_frame(&world.machine) * 4096, sum = 14695981039346656037u;
    DXGK_ALLOCATIONINFO info;

    assert_int_equal(create(&wanted, 1, &info, NULL), STATUS_SUCCESS);
    take_pages(&first, PAGES);
    take_pages(&second, PAGES);
    take_pages(&third, PAGES);
    take_pages(&back, PAGES);
    for (UINT i = 0; i < PAGES; i++)
        for (UINT j = 0; j < 4096; j++)
            page_at(&first, i)[j] = (unsigned char)(i * 3 + j * 7 + (j >> 8));
    build_fill(memory, 64 * 4096, 0x12345678);
    build_transfer(info.hAllocation, true, &first, 0, memory + 4096, 0, PAGES * 4096 - 77);
    build_map(&second, 0, 8, PAGES);
    submit_paging(); /* a map takes effect at once or in order: nothing may use it in between */
    build_transfer(NULL, true, &first, 3, aperture + 8 * 4096, 5 * 4096, 20 * 4096); /* split */
    build_transfer(info.hAllocation, false, &third, 10, memory + 4096, 7 * 4096, 25 * 4096 + 1);
    build_discard(info.hAllocation, memory + 50 * 4096);
    build_fill(memory + 55 * 4096, 4097, 0xfedcba98);
    submit_paging();
    build_unmap(10, 6, dummy);
    submit_paging();
    build_transfer(info.hAllocation, false, &back, 0, aperture + 8 * 4096, 0, PAGES * 4096);
    submit_paging();
    for (UINT i = 0; i < PAGES; i++) {
        sum = sum_of(sum, page_at(&first, i), 4096);
        sum = sum_of(sum, page_at(&second, i), 4096);
        sum = sum_of(sum, page_at(&third, i), 4096);
        sum = sum_of(sum, page_at(&back, i), 4096);
    }
    sum = sum_of(sum, world.machine.bar[1], 64 * 4096);
    sum = sum_of(sum, machine_at(&world.machine, dummy), 4096);
    destroy(1, &info.hAllocation, NULL);
    return sum;
}

/* Play the story above under a configuration, with nothing wrong about it. */
static uint64_t story_of(const struct softgpu_config *config, bool patch, bool empty)
{
    uint64_t sum;

    begin_paging(config);
    buffer.patch = patch;
    buffer.empty = empty;
    sum = tell_story();
    assert_string_equal(statistics().fault, "");
    assert_string_equal(statistics().refusal, "");
    assert_int_equal(statistics().dummy_accesses, 6);
    end();
    return sum;
}

static uint64_t ample_story(void)
{
    struct softgpu_config config = machine_small_config();

    return story_of(&config, true, false);
}

static void the_story_moves_the_bytes_it_should(void **state)
{
    struct softgpu_config config = machine_small_config();
    static struct pages pages;
    uint64_t memory = SOFTGPU_SEGMENT_BASE(MEMORY);

    (void)state;
    begin_paging(&config);
    take_pages(&pages, PAGES);
    for (UINT i = 0; i < PAGES; i++)
        memset(page_at(&pages, i), (int)i + 1, 4096);
    build_transfer(NULL, true, &pages, 5, memory, 2 * 4096, 3 * 4096);
    submit_paging();
    assert_int_equal(world.machine.bar[1][2 * 4096 - 1], 0xc3);
    assert_int_equal(world.machine.bar[1][2 * 4096], 6);
    assert_int_equal(world.machine.bar[1][4 * 4096], 8);
    assert_int_equal(world.machine.bar[1][5 * 4096], 0xc3);
    end();
}

static void memory_is_the_same_for_every_size_of_paging_buffer(void **state)
{
    uint64_t ample = ample_story();

    (void)state;
    for (uint32_t size = 128; size <= 2048; size += size < 512 ? 8 : 64) {
        struct softgpu_config config = machine_small_config();

        config.paging_buffer = size;
        assert_true(story_of(&config, true, false) == ample);
    }
}

static void memory_is_the_same_under_both_habits_and_all_switches(void **state)
{
    uint64_t ample = ample_story();

    (void)state;
    for (unsigned bits = 0; bits < 128; bits++) {
        struct softgpu_config config = machine_small_config();

        config.habit = bits & 1 ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
        config.interrupts = bits & 2 ? SOFTGPU_LATE : SOFTGPU_PROMPT;
        config.busy_first = (bits & 4) != 0;
        config.insufficient_every = bits & 8 ? 2 : 0;
        config.private_data = bits & 64 ? 16 : 1024;
        if (bits & 32)
            config.paging_buffer = 512;
        if (config.habit == SOFTGPU_QUEUED && (bits & 64) && !(bits & 32))
            config.private_data = 0;
        assert_true(story_of(&config, (bits & 16) != 0, (bits & 32) == 0) == ample);
    }
}

static void memory_is_the_same_with_each_call_answered_insufficient_or_busy(void **state)
{
    uint64_t ample = ample_story();

    (void)state;
    for (int habit = 0; habit < 2; habit++)
        for (uint32_t call = 1; call <= 14; call++)
            for (int busy = 0; busy < 2; busy++) {
                struct softgpu_config config = machine_small_config();

                config.habit = habit ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
                if (busy)
                    config.busy_at = call;
                else
                    config.insufficient_at = call;
                assert_true(story_of(&config, true, false) == ample);
            }
}

static void memory_is_the_same_at_every_level(void **state)
{
    uint64_t ample = ample_story();

    (void)state;
    for (uint32_t level = 10; level <= 32; level++) {
        struct softgpu_config config = machine_small_config();

        config.wddm = level;
        if (softgpu_driver_version(level) == 0)
            continue;
        assert_true(story_of(&config, true, false) == ample);
    }
}

static void one_paging_buffer_serves_several_submissions(void **state)
{
    struct softgpu_config config = machine_small_config();
    uint64_t memory = SOFTGPU_SEGMENT_BASE(MEMORY);

    (void)state;
    for (int habit = 0; habit < 2; habit++) {
        config.habit = habit ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
        begin_paging(&config);
        for (UINT i = 0; i < 5; i++) {
            build_fill(memory + i * 4096, 4096, 0x01010101 * (i + 1));
            submit_paging();
            assert_int_equal(world.machine.bar[1][i * 4096 + 4095], i + 1);
        }
        assert_int_equal(buffer.submissions, 5);
        assert_string_equal(statistics().fault, "");
        end();
    }
}

/* A used buffer's private data is as the driver left it (D-013). */
static void private_data_of_an_earlier_use_is_written_over(void **state)
{
    struct softgpu_config config = machine_small_config();
    uint64_t memory = SOFTGPU_SEGMENT_BASE(MEMORY);
    unsigned char left[64];

    (void)state;
    begin_paging(&config);
    build_fill(memory, 4096, 0x01010101);
    build_fill(memory + 4096, 4096, 0x02020202);
    submit_paging();
    memcpy(left, buffer.private_data, sizeof(left));
    fresh_buffer();
    memcpy(buffer.private_data, left, sizeof(left));
    build_fill(memory, 4096, 0x03030303);
    submit_paging();
    assert_string_equal(statistics().fault, "");
    assert_int_equal(statistics().faults, 0);
    assert_int_equal(world.machine.bar[1][4095], 3);
    assert_int_equal(world.machine.bar[1][4096], 2);
    end();
}

static void a_transfer_of_nothing_is_done(void **state)
{
    struct softgpu_config config = machine_small_config();
    static struct pages pages;

    (void)state;
    config.busy_first = true;
    begin_paging(&config);
    take_pages(&pages, 1);
    build_transfer(&pages, false, &pages, 0, SOFTGPU_SEGMENT_BASE(MEMORY), 0, 0); /* D-239 */
    assert_ptr_equal(buffer.args.pDmaBuffer, buffer.start);
    assert_int_equal(buffer.calls, 1);
    end();
}

/* 12 pages in a segment with rows or without, in both directions and from place to place: a
 * Transfer without an allocation moves the bytes of the segment, whatever its flags say. */
static void copy_raw(const struct softgpu_config *config)
{
    static struct pages pages, back;
    unsigned char *memory;
    uint64_t address = SOFTGPU_SEGMENT_BASE(MEMORY);

    begin_paging(config);
    memory = world.machine.bar[1];
    take_pages(&pages, PAGES);
    take_pages(&back, PAGES);
    for (UINT i = 0; i < PAGES; i++)
        for (UINT j = 0; j < 4096; j++)
            page_at(&pages, i)[j] = (unsigned char)(i * 5 + j * 11 + (j >> 8));
    build_transfer(NULL, true, &pages, 3, address, 2 * 4096, 12 * 4096);
    submit_paging();
    for (UINT i = 0; i < 12; i++)
        assert_memory_equal(memory + (2 + i) * 4096, page_at(&pages, 3 + i), 4096);
    buffer.args.Transfer.Source.SegmentId = MEMORY;
    buffer.args.Transfer.Source.SegmentAddress.QuadPart = (LONGLONG)address;
    buffer.args.Transfer.Destination.SegmentAddress.QuadPart = (LONGLONG)address + 20 * 4096;
    buffer.args.Transfer.Flags.Unswizzle = 1;
    build();
    submit_paging();
    assert_memory_equal(memory + 22 * 4096, memory + 2 * 4096, 12 * 4096);
    build_transfer(NULL, false, &back, 1, address, 22 * 4096, 12 * 4096);
    submit_paging();
    for (UINT i = 0; i < 12; i++)
        assert_memory_equal(page_at(&back, 1 + i), page_at(&pages, 3 + i), 4096);
    assert_string_equal(statistics().fault, "");
    assert_string_equal(statistics().refusal, "");
    end();
}

static void without_an_allocation_bytes_are_copied_as_they_are(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 16; bits++) {
        struct softgpu_config config = machine_small_config();

        config.segments[1].pitch_aligned = (bits & 1) != 0;
        config.habit = bits & 2 ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
        config.paging_buffer = bits & 4 ? bits & 2 ? 512 : 128 : config.paging_buffer;
        config.busy_first = (bits & 8) != 0; /* there is no allocation that could be busy */
        copy_raw(&config);
    }
}

static NTSTATUS build_once(void)
{
    buffer.args.MultipassOffset = 0;
    return world.ddi.DxgkDdiBuildPagingBuffer(world.adapter, &buffer.args);
}

static void operations_that_make_no_sense_are_refused(void **state)
{
    struct softgpu_config config = machine_small_config();
    DXGKARG_BUILDPAGINGBUFFER *args = &buffer.args;
    static struct pages pages;

    (void)state;
    begin_paging(&config);
    take_pages(&pages, 4);
    args->Operation = DXGK_OPERATION_TRANSFER;
    memset(&args->Transfer, 0, sizeof(args->Transfer));
    args->Transfer.TransferSize = 4096;
    args->Transfer.Source.pMdl = args->Transfer.Destination.pMdl = &pages.mdl;
    assert_int_equal(build_once(), STATUS_INVALID_PARAMETER);
    args->Transfer.Destination.SegmentId = MEMORY;
    args->Transfer.MdlOffset = 4; /* behind the last page */
    assert_int_equal(build_once(), STATUS_INVALID_PARAMETER);
    args->Transfer.MdlOffset = 0;
    args->Transfer.Source.pMdl = NULL;
    assert_int_equal(build_once(), STATUS_INVALID_PARAMETER);
    args->Operation = DXGK_OPERATION_DISCARD_CONTENT;
    args->DiscardContent.hAllocation = NULL;
    assert_int_equal(build_once(), STATUS_INVALID_PARAMETER);
    args->Operation = DXGK_OPERATION_SPECIAL_LOCK_TRANSFER;
    assert_int_equal(build_once(), STATUS_INVALID_PARAMETER);
    args->Operation = DXGK_OPERATION_UPDATE_PAGE_TABLE;
    assert_int_equal(build_once(), STATUS_NOT_SUPPORTED);
    args->Operation = DXGK_OPERATION_FILL;
    args->pDmaBuffer = buffer.start + 4;
    assert_int_equal(build_once(), STATUS_INVALID_PARAMETER);
    assert_int_equal(statistics().driver_refusals, 7);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_story_moves_the_bytes_it_should),
        cmocka_unit_test(memory_is_the_same_for_every_size_of_paging_buffer),
        cmocka_unit_test(memory_is_the_same_under_both_habits_and_all_switches),
        cmocka_unit_test(memory_is_the_same_with_each_call_answered_insufficient_or_busy),
        cmocka_unit_test(memory_is_the_same_at_every_level),
        cmocka_unit_test(one_paging_buffer_serves_several_submissions),
        cmocka_unit_test(private_data_of_an_earlier_use_is_written_over),
        cmocka_unit_test(a_transfer_of_nothing_is_done),
        cmocka_unit_test(without_an_allocation_bytes_are_copied_as_they_are),
        cmocka_unit_test(operations_that_make_no_sense_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
