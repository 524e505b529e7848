/* test_umd_rename.c: renaming (include/umd/rename.h) and maps (include/umd/map.h), with contents.
 */
#include "test_umd_rig.h"

#include <pthread.h>

#include <umd/map.h>

static struct counted_memory memory;
static struct umd_test_maker maker;
static struct umd_pool pool;

static struct umd_pool_options options_of(struct umd_test_maker *of, uint32_t most)
{
    of->maker.context = of;
    return (struct umd_pool_options){
        .queues = &queues, .maker = &of->maker, .memory = &memory.table, .most = most};
}

/* A pool of CpuVisible allocations in the aperture. */
static void begin(uint32_t most)
{
    umd_begin("");
    counted_memory_init(&memory);
    maker = umd_maker_of(UMD_VISIBLE, 1);
    const struct umd_pool_options options = options_of(&maker, most);
    fence_succeeds(umd_pool_init(&pool, &options, &fence_rig.report), "pool");
    umd_make_resident(pool.current);
}

static void end(void)
{
    umd_pool_finish(&pool);
    assert_int_equal(maker.made, maker.unmade);
    counted_memory_finish(&memory);
    umd_end();
}

static NTSTATUS map(uint32_t flags, void **data)
{
    fence_rig.report.text[0] = 0;
    return umd_map(&pool, flags, one.device, data, &fence_rig.report);
}

/* Map with these flags, which succeeds, write a number, and unmap. */
static void write_number(uint32_t flags, uint64_t offset, uint64_t number)
{
    void *data = NULL;

    fence_succeeds(map(flags, &data), "map");
    assert_non_null(data);
    memcpy((char *)data + offset, &number, sizeof(number));
    fence_succeeds(umd_unmap(&pool, offset, sizeof(number), &fence_rig.report), "unmap");
}

static uint64_t number_at(uint32_t offset)
{
    uint64_t number;

    memcpy(&number, one.pages + VIDMM_PAGE_SIZE + offset, sizeof(number));
    return number;
}

/* New content, and a submission that reads it. */
static void draw(unsigned queue, uint64_t number)
{
    struct umd_instance *before = pool.current;

    write_number(UMD_MAP_WRITE | UMD_MAP_DISCARD, 0, number);
    if (pool.current != before)
        umd_make_resident(pool.current);
    umd_copy_out(queue, pool.current, 8 * (uint32_t)number);
}

/* ---- renaming -------------------------------------------------------------------------------- */

/* obeys S2-007 */
static void a_discard_does_not_touch_what_the_gpu_reads(void **state)
{
    (void)state;
    begin(4);
    umd_shut(0);
    for (uint64_t number = 1; number <= 3; number++)
        draw(0, number);
    assert_int_equal(number_at(8), 0);
    umd_open();
    fence_settle();
    for (uint32_t number = 1; number <= 3; number++)
        assert_int_equal(number_at(8 * number), number);
    assert_int_equal(pool.renames, 2);
    end();
}

static void a_discard_of_what_is_idle_renames_nothing(void **state)
{
    struct umd_instance *first;

    (void)state;
    begin(4);
    first = pool.current;
    for (uint64_t number = 1; number <= 5; number++) {
        draw(0, number);
        fence_settle();
        assert_ptr_equal(pool.current, first);
    }
    assert_int_equal(pool.count, 1);
    assert_int_equal(maker.made, 1);
    assert_int_equal(pool.renames, 0);
    end();
}

static void the_idle_spare_that_was_renamed_longest_ago_is_taken(void **state)
{
    struct umd_instance *first, *second;

    (void)state;
    begin(4);
    first = pool.current;
    umd_shut(0);
    draw(0, 1);
    draw(0, 2);
    second = pool.current;
    draw(0, 3);
    assert_int_equal(pool.count, 3);
    umd_open();
    fence_settle(); /* all three are idle */
    umd_shut(0);
    umd_copy_out(0, pool.current, 0);
    draw(0, 4);
    assert_ptr_equal(pool.current, first);
    draw(0, 5);
    assert_ptr_equal(pool.current, second);
    assert_int_equal(maker.made, 3);
    umd_open();
    fence_settle();
    assert_int_equal(number_at(32), 4);
    assert_int_equal(number_at(40), 5);
    end();
}

/* The first spare is in use, the second is not. */
static void a_spare_that_is_used_is_passed_over(void **state)
{
    struct umd_instance *second;

    (void)state;
    begin(3);
    umd_shut(0);
    draw(0, 1); /* held */
    draw(1, 2);
    second = pool.current;
    draw(0, 3); /* held */
    fence_settle();
    draw(0, 4);
    assert_ptr_equal(pool.current, second);
    umd_open();
    fence_settle();
    for (uint32_t number = 1; number <= 4; number++)
        assert_int_equal(number_at(8 * number), number);
    assert_int_equal(maker.made, 3);
    end();
}

static void a_pool_grows_to_its_most_and_then_says_that_it_would_wait(void **state)
{
    struct umd_instance *current;
    void *data = (void *)&pool;

    (void)state;
    begin(3);
    umd_shut(0);
    draw(0, 1);
    draw(0, 2);
    draw(0, 3);
    current = pool.current;
    assert_int_equal(pool.count, 3);
    assert_int_equal(map(UMD_MAP_WRITE | UMD_MAP_DISCARD | UMD_MAP_DO_NOT_WAIT, &data),
                     STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_ptr_equal(data, &pool);
    assert_ptr_equal(pool.current, current);
    assert_int_equal(pool.count, 3);
    assert_false(pool.mapped);
    umd_open();
    fence_settle();
    assert_int_equal(map(UMD_MAP_WRITE | UMD_MAP_DISCARD | UMD_MAP_DO_NOT_WAIT, &data),
                     STATUS_SUCCESS);
    fence_succeeds(umd_unmap(&pool, 0, 0, NULL), "unmap");
    end();
}

static void at_its_most_a_pool_waits_for_the_spare_that_is_free_first(void **state)
{
    const struct vidmm_fence_point point = {NULL, 1};
    struct vidmm_fence_point of_gate = point;
    struct umd_instance *first;

    (void)state;
    begin(2);
    first = pool.current;
    umd_shut(0);
    draw(0, 1);
    draw(0, 2);
    of_gate.fence = gate;
    fence_succeeds(vidmm_context_signal_fences(one.contexts[1], &of_gate, 1, &fence_rig.report),
                   "signal");
    opened = 1;
    write_number(UMD_MAP_WRITE | UMD_MAP_DISCARD, 0, 3);
    assert_ptr_equal(pool.current, first);
    assert_int_equal(number_at(8), 1); /* the wait was for this copy */
    umd_copy_out(0, pool.current, 24);
    fence_settle();
    assert_int_equal(number_at(16), 2);
    assert_int_equal(number_at(24), 3);
    end();
}

/* A pool of one: a discard waits, as a write does. */
static void a_pool_of_one_never_renames(void **state)
{
    void *data;

    (void)state;
    begin(1);
    umd_shut(0);
    draw(0, 1);
    assert_int_equal(map(UMD_MAP_WRITE | UMD_MAP_DISCARD | UMD_MAP_DO_NOT_WAIT, &data),
                     STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_int_equal(map(UMD_MAP_WRITE | UMD_MAP_DISCARD, &data), STATUS_TIMEOUT);
    umd_open();
    fence_settle();
    draw(0, 2);
    fence_settle();
    assert_int_equal(number_at(16), 2);
    assert_int_equal(pool.renames, 0);
    end();
}

static void without_memory_a_pool_does_with_what_it_has(void **state)
{
    void *data;

    (void)state;
    begin(8);
    umd_shut(0);
    draw(0, 1);
    draw(0, 2);
    maker.refuses = STATUS_GRAPHICS_NO_VIDEO_MEMORY;
    assert_int_equal(map(UMD_MAP_WRITE | UMD_MAP_DISCARD | UMD_MAP_DO_NOT_WAIT, &data),
                     STATUS_GRAPHICS_ALLOCATION_BUSY);
    maker.refuses = STATUS_SUCCESS;
    counted_memory_fail_at(&memory, 1);
    assert_int_equal(map(UMD_MAP_WRITE | UMD_MAP_DISCARD | UMD_MAP_DO_NOT_WAIT, &data),
                     STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_true(counted_memory_refused(&memory));
    maker.refuses = STATUS_DEVICE_REMOVED; /* this is no shortage */
    assert_int_equal(map(UMD_MAP_WRITE | UMD_MAP_DISCARD, &data), STATUS_DEVICE_REMOVED);
    maker.refuses = STATUS_SUCCESS;
    assert_int_equal(pool.count, 2);
    umd_open();
    fence_settle();
    draw(0, 3);
    assert_int_equal(maker.made, 2);
    end();
}

static void a_pool_that_cannot_begin_leaves_nothing_behind(void **state)
{
    struct umd_pool_options options;

    (void)state;
    umd_begin("");
    counted_memory_init(&memory);
    maker = umd_maker_of(UMD_VISIBLE, 1);
    options = options_of(&maker, 0);
    assert_int_equal(umd_pool_init(&pool, &options, &fence_rig.report), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(fence_rig.report.text, "most: 0"));
    options.most = 2;
    maker.refuses = STATUS_NO_MEMORY;
    assert_int_equal(umd_pool_init(&pool, &options, &fence_rig.report), STATUS_NO_MEMORY);
    maker.refuses = STATUS_SUCCESS;
    counted_memory_fail_at(&memory, 1);
    assert_int_equal(umd_pool_init(&pool, &options, &fence_rig.report), STATUS_NO_MEMORY);
    assert_int_equal(maker.made, 0);
    counted_memory_finish(&memory);
    umd_end();
}

/* ---- trimming -------------------------------------------------------------------------------- */

static void a_trim_unmakes_the_oldest_spares_though_the_gpu_uses_them(void **state)
{
    struct umd_instance *current;

    (void)state;
    begin(4);
    umd_shut(0);
    for (uint64_t number = 1; number <= 4; number++)
        draw(0, number);
    current = pool.current;
    assert_int_equal(umd_pool_trim(&pool, 3), 1);
    assert_int_equal(umd_pool_trim(&pool, 3), 0);
    assert_int_equal(umd_pool_trim(&pool, 0), 2);
    assert_int_equal(pool.count, 1);
    assert_ptr_equal(pool.current, current);
    assert_null(pool.spares);
    assert_int_equal(maker.unmade, 3);
    umd_open();
    fence_settle(); /* obeys S2-004: the commands still found all of them */
    for (uint32_t number = 1; number <= 4; number++)
        assert_int_equal(number_at(8 * number), number);
    end();
}

/* Commands that name it are not queued yet, so nobody would hold its destruction back. */
static void a_trim_leaves_what_is_noted_and_not_submitted(void **state)
{
    struct umd_instance *first;

    (void)state;
    begin(4);
    first = pool.current;
    umd_shut(0);
    draw(0, 1);
    umd_track_use(&first->track, 1, umd_queue_next(&queues, 1), UMD_READ);
    draw(0, 2);
    draw(0, 3);
    assert_int_equal(umd_pool_trim(&pool, 1), 1);
    assert_ptr_equal(pool.spares, first);
    assert_ptr_equal(pool.last_spare, first);
    fence_succeeds(umd_queue_signal(&queues, 1, &fence_rig.report), "signal");
    assert_int_equal(umd_pool_trim(&pool, 1), 1);
    assert_null(pool.spares);
    assert_null(pool.last_spare);
    umd_open();
    end();
}

/* Three at once, for one period; then one at a time. */
static void a_pool_gives_back_what_it_has_not_needed_for_a_period(void **state)
{
    (void)state;
    begin(8);
    umd_shut(0);
    for (uint64_t number = 1; number <= 3; number++)
        draw(0, number);
    umd_open();
    fence_settle();
    for (unsigned i = 3; i < UMD_RENAME_PERIOD; i++)
        write_number(UMD_MAP_WRITE | UMD_MAP_DISCARD, 0, i);
    assert_int_equal(pool.count, 3); /* they were needed in this one */
    for (unsigned i = 0; i < UMD_RENAME_PERIOD - 1; i++)
        write_number(UMD_MAP_WRITE | UMD_MAP_DISCARD, 0, i);
    assert_int_equal(pool.count, 3);
    write_number(UMD_MAP_WRITE | UMD_MAP_DISCARD, 0, 0);
    assert_int_equal(pool.count, 1);
    assert_int_equal(maker.unmade, 2);
    end();
}

/* ---- maps ------------------------------------------------------------------------------------ */

static void refused(uint32_t flags, const char *why)
{
    void *data = (void *)&pool;

    assert_int_equal(map(flags, &data), STATUS_INVALID_PARAMETER);
    if (strstr(fence_rig.report.text, why) == NULL)
        fail_msg("%x: %s", flags, fence_rig.report.text);
    assert_ptr_equal(data, &pool);
    assert_false(pool.mapped);
    assert_int_equal(umd_map(&pool, flags, one.device, &data, NULL), STATUS_INVALID_PARAMETER);
}

static void flags_that_do_not_go_together_are_refused(void **state)
{
    enum { R = UMD_MAP_READ, W = UMD_MAP_WRITE, D = UMD_MAP_DISCARD, N = UMD_MAP_NO_OVERWRITE };
    enum { DO_NOT_WAIT = UMD_MAP_DO_NOT_WAIT };

    (void)state;
    begin(2);
    refused(0, "neither READ (1) nor WRITE (2)");
    refused(DO_NOT_WAIT, "neither");
    refused(32 | W, "0x1f");
    refused(R | D, "WRITE (2) alone");
    refused(R | W | D, "WRITE (2) alone");
    refused(R | W | N, "WRITE (2) alone");
    refused(W | D | N, "not both");
    refused(W | N | DO_NOT_WAIT, "never waits");
    write_number(W | D | DO_NOT_WAIT, 0, 1);
    write_number(R | W | DO_NOT_WAIT, 0, 1);
    end();
}

static void a_map_that_writes_waits_for_reads_and_one_that_reads_does_not(void **state)
{
    void *data = NULL;

    (void)state;
    begin(2);
    umd_shut(0);
    umd_copy_out(0, pool.current, 0);
    assert_int_equal(map(UMD_MAP_READ | UMD_MAP_DO_NOT_WAIT, &data), STATUS_SUCCESS);
    assert_ptr_equal(data, pool.current->data);
    fence_succeeds(umd_unmap(&pool, 0, 0, NULL), "unmap");
    assert_int_equal(map(UMD_MAP_WRITE | UMD_MAP_DO_NOT_WAIT, &data),
                     STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_int_equal(map(UMD_MAP_READ | UMD_MAP_WRITE | UMD_MAP_DO_NOT_WAIT, &data),
                     STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_int_equal(map(UMD_MAP_WRITE, &data),
                     STATUS_TIMEOUT); /* it waits, and the gate is shut */
    assert_false(pool.mapped);
    umd_open();
    write_number(UMD_MAP_WRITE, 0, 7);
    assert_int_equal(pool.renames, 0);
    end();
}

static void a_map_that_reads_waits_for_writes(void **state)
{
    void *data = NULL;

    (void)state;
    begin(2);
    umd_shut(0);
    umd_fill_in(0, pool.current, 0x12345678);
    assert_int_equal(map(UMD_MAP_READ | UMD_MAP_DO_NOT_WAIT, &data),
                     STATUS_GRAPHICS_ALLOCATION_BUSY);
    umd_open();
    fence_succeeds(map(UMD_MAP_READ, &data), "map");
    assert_int_equal(*(uint32_t *)data, 0x12345678);
    fence_succeeds(umd_unmap(&pool, 0, 0, NULL), "unmap");
    end();
}

/* obeys S2-007: 8 bytes behind those that the GPU is to read, while it has not read them. */
static void no_overwrite_never_waits_and_never_renames(void **state)
{
    (void)state;
    begin(2);
    write_number(UMD_MAP_WRITE, 0, 11);
    umd_shut(0);
    umd_copy_out(0, pool.current, 0);
    write_number(UMD_MAP_WRITE | UMD_MAP_NO_OVERWRITE, 8, 12);
    assert_int_equal(pool.renames, 0);
    assert_int_equal(pool.count, 1);
    assert_true(umd_track_is_busy(&queues, &pool.current->track, UMD_WRITE));
    umd_open();
    fence_settle();
    assert_int_equal(number_at(0), 11);
    assert_memory_equal(pool.current->data + 8, &(uint64_t){12}, 8);
    end();
}

static void a_pool_is_mapped_once_at_a_time(void **state)
{
    void *data = NULL, *second = NULL;

    (void)state;
    begin(2);
    assert_int_equal(umd_unmap(&pool, 0, 8, &fence_rig.report), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(fence_rig.report.text, "not mapped"));
    fence_succeeds(map(UMD_MAP_WRITE, &data), "map");
    assert_int_equal(map(UMD_MAP_WRITE | UMD_MAP_NO_OVERWRITE, &second), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(fence_rig.report.text, "it is mapped"));
    assert_null(second);
    assert_true(pool.mapped);
    assert_int_equal(umd_unmap(&pool, 4096, 1, &fence_rig.report), STATUS_INVALID_PARAMETER);
    assert_int_equal(umd_unmap(&pool, 4097, 0, NULL), STATUS_INVALID_PARAMETER);
    assert_int_equal(umd_unmap(&pool, 8, UINT64_MAX, NULL), STATUS_INVALID_PARAMETER);
    assert_true(pool.mapped);
    fence_succeeds(umd_unmap(&pool, 4096, 0, NULL), "unmap");
    end();
}

static void what_the_cpu_does_not_see_is_not_mapped(void **state)
{
    void *data = NULL;

    (void)state;
    umd_begin("");
    counted_memory_init(&memory);
    maker = umd_maker_of(0, 2);
    const struct umd_pool_options options = options_of(&maker, 1);
    fence_succeeds(umd_pool_init(&pool, &options, &fence_rig.report), "pool");
    assert_int_equal(map(UMD_MAP_WRITE | UMD_MAP_DISCARD, &data), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(fence_rig.report.text, "does not see"));
    end();
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREADS = 2, DRAWS = 60 };

/* A thread's own pool, queue and line of output. */
struct painter {
    struct umd_test_maker maker;
    struct umd_pool pool;
    unsigned queue;
    uint64_t wrong;
    char *page; /* of commands, and of what they write */
    struct program program;
};

static pthread_mutex_t commands = PTHREAD_MUTEX_INITIALIZER; /* the program's page of commands */

static void submit(struct painter *painter, uint64_t number)
{
    pthread_mutex_lock(&commands);
    if (one.used > VIDMM_PAGE_SIZE / 2) { /* from the start again, when all is done */
        for (unsigned i = 0; i < THREADS; i++)
            while (umd_queue_passed(&queues, i) + 1 < umd_queue_next(&queues, i))
                vidmm_context_wait(one.contexts[i], umd_queue_next(&queues, i) - 1);
        one.used = 0;
    }
    umd_copy_out(painter->queue, painter->pool.current,
                 8 * (painter->queue * DRAWS + (uint32_t)number % DRAWS));
    pthread_mutex_unlock(&commands);
}

static void *paint(void *argument)
{
    struct painter *painter = argument;

    for (uint64_t number = 1; number <= DRAWS; number++) {
        struct umd_instance *before = painter->pool.current;
        uint64_t word = number << 8 | painter->queue;
        void *data;

        if (umd_map(&painter->pool, UMD_MAP_WRITE | UMD_MAP_DISCARD, one.device, &data, NULL) !=
            STATUS_SUCCESS) {
            painter->wrong++;
            break;
        }
        memcpy(data, &word, sizeof(word));
        painter->wrong += umd_unmap(&painter->pool, 0, 8, NULL) != STATUS_SUCCESS;
        if (painter->pool.current != before || number == 1)
            umd_make_resident(painter->pool.current);
        submit(painter, number);
    }
    return NULL;
}

static void threads_rename_side_by_side_and_every_content_arrives(void **state)
{
    struct rig_options options = rig_defaults();
    static struct painter painters[THREADS];
    pthread_t threads[THREADS];

    (void)state;
    options.kind = VIDMM_MACHINE_THREADED;
    options.visitors = true;
    umd_begin_with("", options);
    counted_memory_init(&memory);
    for (unsigned i = 0; i < THREADS; i++) {
        painters[i] = (struct painter){.maker = umd_maker_of(UMD_VISIBLE, 1), .queue = i};
        const struct umd_pool_options of_pool = options_of(&painters[i].maker, 4);
        fence_succeeds(umd_pool_init(&painters[i].pool, &of_pool, NULL), "pool");
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, paint, &painters[i]), 0);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        fence_succeeds(
            umd_track_wait(&queues, &painters[i].pool.current->track, UMD_WRITE, true, NULL),
            "wait");
        assert_int_equal(painters[i].wrong, 0);
        for (uint64_t number = 1; number <= DRAWS; number++)
            assert_int_equal(number_at(8 * (i * DRAWS + (uint32_t)number % DRAWS)),
                             number << 8 | i);
        umd_pool_finish(&painters[i].pool);
        assert_int_equal(painters[i].maker.made, painters[i].maker.unmade);
    }
    counted_memory_finish(&memory);
    umd_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_discard_does_not_touch_what_the_gpu_reads),
        cmocka_unit_test(a_discard_of_what_is_idle_renames_nothing),
        cmocka_unit_test(the_idle_spare_that_was_renamed_longest_ago_is_taken),
        cmocka_unit_test(a_spare_that_is_used_is_passed_over),
        cmocka_unit_test(a_pool_grows_to_its_most_and_then_says_that_it_would_wait),
        cmocka_unit_test(at_its_most_a_pool_waits_for_the_spare_that_is_free_first),
        cmocka_unit_test(a_pool_of_one_never_renames),
        cmocka_unit_test(without_memory_a_pool_does_with_what_it_has),
        cmocka_unit_test(a_pool_that_cannot_begin_leaves_nothing_behind),
        cmocka_unit_test(a_trim_unmakes_the_oldest_spares_though_the_gpu_uses_them),
        cmocka_unit_test(a_trim_leaves_what_is_noted_and_not_submitted),
        cmocka_unit_test(a_pool_gives_back_what_it_has_not_needed_for_a_period),
        cmocka_unit_test(flags_that_do_not_go_together_are_refused),
        cmocka_unit_test(a_map_that_writes_waits_for_reads_and_one_that_reads_does_not),
        cmocka_unit_test(a_map_that_reads_waits_for_writes),
        cmocka_unit_test(no_overwrite_never_waits_and_never_renames),
        cmocka_unit_test(a_pool_is_mapped_once_at_a_time),
        cmocka_unit_test(what_the_cpu_does_not_see_is_not_mapped),
        cmocka_unit_test(threads_rename_side_by_side_and_every_content_arrives),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
