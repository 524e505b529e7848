/* test_adapter_dump.c: the raw bytes of a memory segment, for whoever asks (dump.h).
 *
 *     the GPU writes an allocation, alone in the segment --> vidmm_read_segment() --> the same
 *     bytes
 */
#include "test_adapter_rig.h"

#include <string.h>

#include <vidmm/dump.h>

enum { MEMORY = 2, PAGES = 24, LOCAL = 2 };

static struct rig rig;
static unsigned char bytes[64 * VIDMM_PAGE_SIZE];

/* ---- what the driver is asked ---- */

static DXGKDDI_BUILDPAGINGBUFFER *build;
static struct {
    DXGKARG_BUILDPAGINGBUFFER last; /* of no allocation */
    unsigned calls, busy;           /* busy: answers to give first */
} raw;

static NTSTATUS build_and_see(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    bool is_raw =
        arguments->Operation == DXGK_OPERATION_TRANSFER && arguments->Transfer.hAllocation == NULL;

    if (is_raw) {
        raw.last = *arguments;
        raw.calls++;
        if (raw.busy > 0) {
            raw.busy--;
            return STATUS_GRAPHICS_ALLOCATION_BUSY;
        }
    }
    return build(adapter, arguments);
}

static void begin(const struct rig_options *options)
{
    rig_build(&rig, options);
    build = rig.driver.DxgkDdiBuildPagingBuffer;
    rig.driver.DxgkDdiBuildPagingBuffer = build_and_see;
    memset(&raw, 0, sizeof(raw));
    memset(bytes, 0xdb, sizeof(bytes));
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
}

static NTSTATUS read_range(uint32_t segment, uint64_t offset, uint64_t size)
{
    struct vidmm_segment_range range = {.segment = segment, .offset = offset, .size = size};

    return vidmm_read_segment(rig.adapter, &range, bytes, &rig.report);
}

/* An allocation of the memory segment, to be written by the GPU; it is alone there. */
static struct rig_allocation *queue_one(void)
{
    struct rig_allocation *one = &rig.allocations[0];

    if (one->handle == NULL)
        assert_int_equal(rig_create(&rig, one, PAGES * VIDMM_PAGE_SIZE, LOCAL, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, &one, 1, 1), STATUS_SUCCESS);
    return one;
}

static struct rig_allocation *draw_one(void)
{
    struct rig_allocation *one = queue_one();

    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
    return one;
}

/* Pages [first, first + count) of what is alone in the segment were read. */
static void assert_pages(const struct rig_allocation *one, uint32_t first, uint32_t count)
{
    uint64_t digest = 0;

    for (uint32_t page = 0; page < count; page++)
        assert_true(vidmm_content_check_page(bytes + page * VIDMM_PAGE_SIZE, rig_key(one),
                                             first + page, one->generation, &digest));
    assert_int_equal(bytes[count * VIDMM_PAGE_SIZE], 0xdb);
}

/* ---- tests ---- */

static void it_is_one_transfer_of_no_allocation(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_statistics before, after;
    struct rig_allocation *one;

    (void)state;
    begin(&options);
    one = draw_one();
    vidmm_adapter_statistics(rig.adapter, &before);
    assert_int_equal(read_range(MEMORY, 4 * VIDMM_PAGE_SIZE, 8 * VIDMM_PAGE_SIZE), STATUS_SUCCESS);
    assert_pages(one, 4, 8);
    assert_int_equal(raw.calls, 1);
    assert_int_equal(raw.last.Transfer.TransferSize, 8 * VIDMM_PAGE_SIZE);
    assert_int_equal(raw.last.Transfer.TransferOffset, 0);
    assert_int_equal(raw.last.Transfer.Source.SegmentId, MEMORY);
    assert_int_equal(raw.last.Transfer.Destination.SegmentId, 0);
    assert_non_null(raw.last.Transfer.Destination.pMdl);
    assert_int_equal(raw.last.Transfer.Flags.Value, 0x18); /* TransferStart, TransferEnd */
    vidmm_adapter_statistics(rig.adapter, &after);
    assert_int_equal(after.bytes_read, 8 * VIDMM_PAGE_SIZE);
    assert_int_equal(after.bytes_out, before.bytes_out);
    assert_int_equal(after.evictions, before.evictions);
    assert_int_equal(after.page_ins, before.page_ins);
    rig_finish(&rig);
}

static void parts_and_busy_answers_change_nothing(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 16; bits++) {
        struct rig_options options = rig_defaults();
        struct rig_allocation *one;

        options.machine_seed = bits; /* frames lie anywhere: no long runs */
        options.gpu = bits & 1 ? bits & 2 ? "habit immediate\npaging_buffer 512\n"
                                          : "paging_buffer 128\ninsufficient every 2\n"
                               : NULL;
        options.adapter.split_transfer_size = bits & 4 ? 3 * VIDMM_PAGE_SIZE : 0;
        begin(&options);
        one = draw_one();
        raw.busy = bits & 8 ? 1 : 0;
        assert_int_equal(read_range(MEMORY, VIDMM_PAGE_SIZE, 20 * VIDMM_PAGE_SIZE), STATUS_SUCCESS);
        assert_pages(one, 1, 20);
        assert_true((bits & 8) == 0 || raw.calls >= 2);
        assert_int_equal(vidmm_adapter_condition(rig.adapter, NULL), STATUS_SUCCESS);
        rig_finish(&rig);
    }
}

static void after_busy_it_is_asked_again_as_idle(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    begin(&options);
    draw_one();
    raw.busy = 1;
    assert_int_equal(read_range(MEMORY, 0, VIDMM_PAGE_SIZE), STATUS_SUCCESS);
    assert_int_equal(raw.calls, 2);
    assert_int_equal(raw.last.Transfer.Flags.AllocationIsIdle, 1);
    rig_finish(&rig);
}

/* S0-019: the copy lies in memory, and the CPU's caches hold the pages as they were. */
static void caches_that_the_gpu_does_not_see_are_flushed_before_the_cpu_reads(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *one;

    (void)state;
    options.caches_apart = true;
    begin(&options);
    one = draw_one();
    assert_int_equal(read_range(MEMORY, 0, PAGES * VIDMM_PAGE_SIZE), STATUS_SUCCESS);
    assert_pages(one, 0, PAGES);
    rig_finish(&rig);
}

static void what_makes_no_sense_is_refused(void **state)
{
    struct vidmm_segment_range wrong[] = {
        {.segment = 0, .size = VIDMM_PAGE_SIZE},
        {.segment = 1, .size = VIDMM_PAGE_SIZE}, /* an aperture */
        {.segment = 3, .size = VIDMM_PAGE_SIZE},
        {.segment = UINT32_MAX, .size = VIDMM_PAGE_SIZE},
        {.segment = MEMORY, .engine = 1, .size = VIDMM_PAGE_SIZE},
        {.segment = MEMORY},
        {.segment = MEMORY, .size = 100},
        {.segment = MEMORY, .offset = 512, .size = VIDMM_PAGE_SIZE},
        {.segment = MEMORY, .size = 65 * VIDMM_PAGE_SIZE},
        {.segment = MEMORY, .offset = 64 * VIDMM_PAGE_SIZE, .size = VIDMM_PAGE_SIZE},
        {.segment = MEMORY, .offset = UINT64_MAX - 4095, .size = VIDMM_PAGE_SIZE},
        {.segment = MEMORY, .offset = VIDMM_PAGE_SIZE, .size = UINT64_MAX - 4095},
        {.segment = MEMORY, .size = UINT64_C(1) << 32},
    };
    struct rig_options options = rig_defaults();

    (void)state;
    begin(&options);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        rig.report.text[0] = 0;
        assert_int_equal(vidmm_read_segment(rig.adapter, &wrong[i], bytes, &rig.report),
                         STATUS_INVALID_PARAMETER);
        assert_non_null(strstr(rig.report.text, " is "));
        assert_int_equal(vidmm_read_segment(rig.adapter, &wrong[i], bytes, NULL),
                         STATUS_INVALID_PARAMETER);
    }
    assert_int_equal(raw.calls, 0);
    assert_int_equal(bytes[0], 0xdb);
    rig_finish(&rig);
}

static void without_power_there_is_nothing_to_read(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *one;

    (void)state;
    begin(&options);
    draw_one();
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D3, NULL), STATUS_SUCCESS);
    assert_int_equal(read_range(MEMORY, 0, VIDMM_PAGE_SIZE), STATUS_DEVICE_BUSY);
    assert_int_equal(bytes[0], 0xdb);
    assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D0, NULL), STATUS_SUCCESS);
    one = draw_one();
    assert_int_equal(read_range(MEMORY, 0, VIDMM_PAGE_SIZE), STATUS_SUCCESS);
    assert_pages(one, 0, 1);
    rig_finish(&rig);
}

/* It waits for what hangs, and with the reset goes what it was to read; the next one is served. */
static void a_reset_takes_what_was_to_be_read(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    options.adapter.timeout_ms = 2000;
    begin(&options);
    draw_one();
    softgpu_device_hang(rig.gpu, 0, 0, false);
    queue_one();
    assert_int_equal(read_range(MEMORY, 0, VIDMM_PAGE_SIZE),
                     STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST);
    assert_int_equal(bytes[0], 0xdb);
    assert_int_equal(read_range(MEMORY, 0, VIDMM_PAGE_SIZE), STATUS_SUCCESS);
    assert_int_equal(vidmm_device_condition(rig.device, NULL), STATUS_DEVICE_REMOVED);
    rig_stop(&rig);
    rig_finish(&rig);
}

static NTSTATUS answers[2];

static enum vidmm_caller_state read_and_hang(void *argument)
{
    (void)argument;
    answers[0] = read_range(MEMORY, 0, VIDMM_PAGE_SIZE);
    return VIDMM_CALLER_DONE;
}

/* Its pages get the place of an allocation that goes, in front of the other reader's. */
static enum vidmm_caller_state wait_behind_it(void *argument)
{
    static unsigned char page[VIDMM_PAGE_SIZE];
    struct vidmm_segment_range range = {.segment = MEMORY, .size = VIDMM_PAGE_SIZE};

    vidmm_allocation_destroy(argument);
    answers[1] = vidmm_read_segment(rig.adapter, &range, page, NULL);
    return VIDMM_CALLER_DONE;
}

/* Another order of the two readers brings one of them behind the reset. */
static bool is_lost(NTSTATUS answer)
{
    assert_true(answer == STATUS_SUCCESS || answer == STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST);
    return answer != STATUS_SUCCESS;
}

/* One is being read, the other waits for its turn, when the adapter is reset. */
static void a_reset_ends_what_waits_to_be_read(void **state)
{
    struct rig_options options = rig_defaults();
    char report[200] = "";
    unsigned both = 0;

    (void)state;
    options.adapter.timeout_ms = 2000;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        options.machine_seed = seed;
        begin(&options);
        assert_int_equal(rig_create(&rig, &rig.allocations[0], VIDMM_PAGE_SIZE, 2, 1), 0);
        draw_one();
        for (uint32_t engine = 0; engine < 2; engine++)
            softgpu_device_hang(rig.gpu, engine, 0, false);
        vidmm_machine_add_caller(rig.machine, "a reader", read_and_hang, NULL);
        vidmm_machine_add_caller(rig.machine, "another", wait_behind_it, rig.allocations[0].handle);
        if (!vidmm_machine_run(rig.machine, report, sizeof(report)))
            fail_msg("%s", report);
        both += is_lost(answers[0]) && is_lost(answers[1]);
        assert_int_equal(read_range(MEMORY, 0, VIDMM_PAGE_SIZE), STATUS_SUCCESS);
        rig_stop(&rig);
        rig_finish(&rig);
    }
    assert_true(both > 0);
}

static void a_stopped_adapter_is_not_read(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    begin(&options);
    draw_one();
    raw.busy = 1000; /* BUSY with AllocationIsIdle: Windows would stop, and this adapter does */
    assert_int_equal(read_range(MEMORY, 0, VIDMM_PAGE_SIZE), STATUS_DEVICE_REMOVED);
    assert_int_equal(read_range(MEMORY, 0, VIDMM_PAGE_SIZE), STATUS_DEVICE_REMOVED);
    assert_int_equal(bytes[0], 0xdb);
    rig_stop(&rig);
    rig_finish(&rig);
}

/* Somebody reads as often as he can while a program works: every page is one that was ever whole.
 * All are callers of the machine: of other threads it does not know that they may still change
 * something. */
static enum vidmm_caller_state keep_reading(void *argument)
{
    static unsigned char all[2][64 * VIDMM_PAGE_SIZE];
    struct vidmm_segment_range range = {.segment = MEMORY, .size = sizeof(all[0])};
    unsigned *reader = argument, number = *reader;

    *reader = 0;
    for (unsigned round = 0; round < 40; round++)
        *reader += vidmm_read_segment(rig.adapter, &range, all[number], NULL) == STATUS_SUCCESS;
    return VIDMM_CALLER_DONE;
}

static enum vidmm_caller_state work(void *argument)
{
    rig_work(argument, 7, 150);
    return VIDMM_CALLER_DONE;
}

static void reading_is_in_nobodys_way(void **state)
{
    struct rig_options options = rig_defaults();
    unsigned readers[2] = {0, 1}; /* each its number, then how many reads succeeded */
    char report[200] = "";

    (void)state;
    options.kind = VIDMM_MACHINE_THREADED;
    begin(&options);
    assert_true(vidmm_machine_add_caller(rig.machine, "a program", work, &rig));
    for (unsigned i = 0; i < 2; i++)
        assert_true(vidmm_machine_add_caller(rig.machine, "a reader", keep_reading, &readers[i]));
    if (!vidmm_machine_run(rig.machine, report, sizeof(report)))
        fail_msg("%s", report);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(readers[i], 40);
    rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_one_transfer_of_no_allocation),
        cmocka_unit_test(parts_and_busy_answers_change_nothing),
        cmocka_unit_test(after_busy_it_is_asked_again_as_idle),
        cmocka_unit_test(caches_that_the_gpu_does_not_see_are_flushed_before_the_cpu_reads),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(without_power_there_is_nothing_to_read),
        cmocka_unit_test(a_reset_takes_what_was_to_be_read),
        cmocka_unit_test(a_reset_ends_what_waits_to_be_read),
        cmocka_unit_test(a_stopped_adapter_is_not_read),
        cmocka_unit_test(reading_is_in_nobodys_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
