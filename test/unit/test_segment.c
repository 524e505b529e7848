/* test_segment.c: the promises of a segment, function by function. The model is another test. */
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vidmm/segment.h>

#include "harness.h"

#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)
#define PAGE KIB(4)

static struct counted_memory memory;

static void open_segment(struct vidmm_segment *segment, uint64_t size)
{
    counted_memory_init(&memory);
    assert_true(vidmm_segment_init(segment, size, &memory.table));
}

static void close_segment(struct vidmm_segment *segment)
{
    vidmm_segment_check(segment);
    vidmm_segment_finish(segment);
    counted_memory_finish(&memory);
}

static vidmm_range take(struct vidmm_segment *segment, uint64_t size, uint64_t alignment,
                        enum vidmm_direction direction)
{
    struct vidmm_range_request request = {size, alignment, direction, 0, 0};

    return vidmm_segment_take(segment, &request, 7);
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);

    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    return x ^ (x >> 31);
}

/* ---- Sizes and requests ---- */

static void sizes_out_of_range_are_refused(void **state)
{
    struct vidmm_segment segment;

    (void)state;
    counted_memory_init(&memory);
    assert_false(vidmm_segment_init(&segment, 0, &memory.table));
    assert_false(vidmm_segment_init(&segment, PAGE - 1, &memory.table));
    assert_false(vidmm_segment_init(&segment, UINT64_C(1) << 44, &memory.table));
    assert_false(vidmm_segment_init(&segment, UINT64_MAX, &memory.table));
    counted_memory_finish(&memory);
}

static void the_smallest_and_the_largest_segment_work(void **state)
{
    const uint64_t largest = (UINT64_C(1) << 44) - PAGE;
    struct vidmm_segment segment;

    (void)state;
    open_segment(&segment, PAGE + 1);
    assert_int_equal(vidmm_segment_free_bytes(&segment), PAGE);
    assert_int_not_equal(take(&segment, 1, 0, VIDMM_FROM_END), 0);
    assert_int_equal(take(&segment, 1, 0, VIDMM_FROM_START), 0);
    close_segment(&segment);
    open_segment(&segment, largest);
    vidmm_range top = take(&segment, PAGE, MIB(2), VIDMM_FROM_END);
    assert_int_equal(vidmm_range_offset(&segment, top), (UINT64_C(1) << 44) - MIB(2));
    vidmm_segment_release(&segment, top);
    vidmm_range whole = take(&segment, largest, 0, VIDMM_FROM_START);
    assert_int_equal(vidmm_range_size(&segment, whole), largest);
    close_segment(&segment);
}

static void absurd_requests_are_refused_and_change_nothing(void **state)
{
    static const struct vidmm_range_request absurd[] = {
        {.size = 0},
        {.size = MIB(64) + 1},
        {.size = UINT64_MAX},
        {.size = PAGE, .alignment = 12288},
        {.size = PAGE, .alignment = UINT64_MAX},
        {.size = PAGE, .window_start = MIB(64)},
        {.size = PAGE, .window_start = UINT64_MAX, .window_end = UINT64_MAX},
        {.size = PAGE, .window_start = PAGE, .window_end = PAGE},
        {.size = PAGE, .window_start = MIB(2), .window_end = MIB(1)},
        {.size = PAGE, .window_start = 1, .window_end = 2 * PAGE - 1},
        {.size = PAGE, .alignment = UINT64_C(1) << 63, .window_start = PAGE},
    };
    struct vidmm_segment segment;

    (void)state;
    open_segment(&segment, MIB(64));
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++)
        assert_int_equal(vidmm_segment_take(&segment, &absurd[i], 1), 0);
    assert_int_equal(vidmm_segment_take_at(&segment, 1, PAGE, 1), 0);
    assert_int_equal(vidmm_segment_take_at(&segment, 0, 0, 1), 0);
    assert_int_equal(vidmm_segment_take_at(&segment, MIB(64), PAGE, 1), 0);
    assert_int_equal(vidmm_segment_take_at(&segment, UINT64_MAX - PAGE + 1, PAGE, 1), 0);
    assert_int_equal(vidmm_segment_take_at(&segment, PAGE, UINT64_MAX, 1), 0);
    assert_int_equal(vidmm_segment_free_bytes(&segment), MIB(64));
    vidmm_range whole = take(&segment, MIB(64), UINT64_C(1) << 63, VIDMM_FROM_END);
    assert_int_equal(vidmm_range_offset(&segment, whole), 0);
    assert_int_equal(vidmm_segment_largest_hole(&segment), 0);
    close_segment(&segment);
}

static void what_is_found_is_not_taken_until_it_is(void **state)
{
    struct vidmm_segment segment;
    struct vidmm_range_request request = {.size = MIB(1), .alignment = MIB(2)};
    struct vidmm_fit fit;
    vidmm_range range;

    (void)state;
    open_segment(&segment, MIB(8));
    take(&segment, PAGE, 0, VIDMM_FROM_START);
    fit = vidmm_segment_find(&segment, &request);
    assert_true(vidmm_range_is_hole(&segment, fit.hole));
    assert_int_equal(fit.offset, MIB(2));
    assert_int_equal(vidmm_segment_free_bytes(&segment), MIB(8) - PAGE);
    vidmm_segment_check(&segment);
    range = vidmm_segment_take_fit(&segment, fit, request.size, 9);
    assert_int_equal(vidmm_range_offset(&segment, range), MIB(2));
    assert_int_equal(vidmm_range_size(&segment, range), MIB(1));
    assert_int_equal(vidmm_range_owner(&segment, range), 9);
    request.direction = VIDMM_FROM_END;
    assert_int_equal(vidmm_segment_find(&segment, &request).offset, MIB(6));
    request.window_end = MIB(2);
    assert_int_equal(vidmm_segment_find(&segment, &request).hole, 0);
    request.size = MIB(8);
    assert_int_equal(vidmm_segment_find(&segment, &request).hole, 0);
    close_segment(&segment);
}

static void an_empty_segment_is_filled_from_the_end_that_is_asked_for(void **state)
{
    struct vidmm_segment segment;

    (void)state;
    open_segment(&segment, MIB(8));
    vidmm_range low = take(&segment, MIB(1), 0, VIDMM_FROM_START);
    vidmm_range high = take(&segment, MIB(1), 0, VIDMM_FROM_END);
    assert_int_equal(vidmm_range_offset(&segment, low), 0);
    assert_int_equal(vidmm_range_offset(&segment, high), MIB(7));
    close_segment(&segment);
}

static void of_equal_holes_the_one_towards_the_wished_end_is_taken(void **state)
{
    struct vidmm_segment segment;
    vidmm_range piece[9];

    (void)state;
    open_segment(&segment, MIB(9));
    for (int i = 0; i < 9; i++)
        piece[i] = take(&segment, MIB(1), 0, VIDMM_FROM_START);
    vidmm_segment_release(&segment, piece[1]);
    vidmm_segment_release(&segment, piece[7]);
    vidmm_segment_release(&segment, piece[4]);
    vidmm_range low = take(&segment, MIB(1), 0, VIDMM_FROM_START);
    vidmm_range high = take(&segment, MIB(1), 0, VIDMM_FROM_END);
    assert_int_equal(vidmm_range_offset(&segment, low), MIB(1));
    assert_int_equal(vidmm_range_offset(&segment, high), MIB(7));
    close_segment(&segment);
}

/* ---- Ranges ---- */

static void a_live_range_keeps_its_number_place_and_owner(void **state)
{
    enum { COUNT = 5000 };
    static vidmm_range range[COUNT];
    struct vidmm_segment segment;

    (void)state;
    open_segment(&segment, COUNT * PAGE);
    for (uint32_t i = 0; i < COUNT; i++) {
        range[i] = vidmm_segment_take_at(&segment, i * PAGE, PAGE, ~i);
        assert_int_not_equal(range[i], 0);
    }
    for (uint32_t i = 0; i < COUNT; i += 2)
        vidmm_segment_release(&segment, range[i]);
    for (uint32_t i = 1; i < COUNT; i += 2) {
        assert_int_equal(vidmm_range_offset(&segment, range[i]), i * PAGE);
        assert_int_equal(vidmm_range_owner(&segment, range[i]), ~i);
    }
    close_segment(&segment);
}

static void what_is_released_becomes_one_hole_with_its_neighbours(void **state)
{
    struct vidmm_segment segment;
    vidmm_range piece[4], hole;

    (void)state;
    open_segment(&segment, MIB(4));
    for (int i = 0; i < 4; i++)
        piece[i] = take(&segment, MIB(1), 0, VIDMM_FROM_START);
    vidmm_segment_release(&segment, piece[0]);
    vidmm_segment_release(&segment, piece[2]);
    vidmm_segment_release(&segment, piece[1]);
    hole = vidmm_segment_first(&segment);
    assert_true(vidmm_range_is_hole(&segment, hole));
    assert_int_equal(vidmm_range_size(&segment, hole), MIB(3));
    assert_int_equal(vidmm_range_next(&segment, hole), piece[3]);
    assert_int_equal(vidmm_range_prev(&segment, piece[3]), hole);
    close_segment(&segment);
}

static void live_ranges_are_found_over_the_holes_between_them(void **state)
{
    struct vidmm_segment segment;
    vidmm_range piece[4];
    uint64_t bound = 0;

    (void)state;
    open_segment(&segment, MIB(5));
    for (int i = 0; i < 4; i++)
        piece[i] = take(&segment, MIB(1), 0, VIDMM_FROM_START);
    vidmm_segment_release(&segment, piece[1]);
    assert_int_equal(vidmm_range_live_next(&segment, piece[0], &bound), piece[2]);
    assert_int_equal(bound, MIB(2));
    assert_int_equal(vidmm_range_live_prev(&segment, piece[2], &bound), piece[0]);
    assert_int_equal(bound, MIB(1));
    assert_int_equal(vidmm_range_live_next(&segment, piece[3], &bound), 0);
    assert_int_equal(bound, MIB(5));
    assert_int_equal(vidmm_range_live_prev(&segment, piece[0], &bound), 0);
    assert_int_equal(bound, 0);
    close_segment(&segment);
}

static void the_same_calls_give_the_same_places(void **state)
{
    enum { CALLS = 20000 };
    static uint64_t offsets[2][CALLS];
    static vidmm_range live[CALLS];

    (void)state;
    for (int run = 0; run < 2; run++) {
        struct vidmm_segment segment;
        uint64_t random = 3;
        uint32_t count = 0;

        open_segment(&segment, MIB(512));
        for (uint32_t i = 0; i < CALLS; i++) {
            uint64_t size = PAGE * (1 + next_random(&random) % 600);
            vidmm_range r = take(&segment, size, PAGE << next_random(&random) % 10, i & 1);

            offsets[run][i] = r != 0 ? vidmm_range_offset(&segment, r) : UINT64_MAX;
            if (r != 0)
                live[count++] = r;
            if (count > 700) {
                uint32_t k = (uint32_t)(next_random(&random) % count);

                vidmm_segment_release(&segment, live[k]);
                live[k] = live[--count];
            }
        }
        close_segment(&segment);
    }
    assert_memory_equal(offsets[0], offsets[1], sizeof offsets[0]);
}

static void a_million_ranges_come_and_go(void **state)
{
    enum { COUNT = 1000000 };
    vidmm_range *range = calloc(COUNT, sizeof *range);
    struct vidmm_segment segment;
    uint64_t random = 1;

    (void)state;
    assert_non_null(range);
    open_segment(&segment, COUNT * 9 * PAGE);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint64_t size = PAGE * (1 + next_random(&random) % 8);

        range[i] = take(&segment, size, i & 1 ? KIB(16) : 0, VIDMM_FROM_START);
        assert_int_not_equal(range[i], 0);
    }
    assert_true(atomic_load(&memory.live_bytes) <= (size_t)32 * COUNT);
    vidmm_segment_check(&segment);
    for (uint32_t i = 0; i < COUNT; i++)
        vidmm_segment_release(&segment, range[i]);
    assert_int_equal(vidmm_segment_largest_hole(&segment), COUNT * 9 * PAGE);
    close_segment(&segment);
    free(range);
}

/* ---- Host memory ---- */

static void what_was_reserved_needs_no_memory(void **state)
{
    struct vidmm_segment segment;

    (void)state;
    open_segment(&segment, MIB(64));
    assert_true(vidmm_segment_reserve(&segment, 1000));
    assert_true(vidmm_segment_reserve(&segment, 10));
    counted_memory_fail_at(&memory, 1);
    for (int i = 0; i < 1000; i++)
        assert_int_not_equal(take(&segment, PAGE, 0, i & 1), 0);
    assert_false(counted_memory_refused(&memory));
    assert_false(vidmm_segment_reserve(&segment, 100000));
    assert_true(counted_memory_refused(&memory));
    assert_false(vidmm_segment_reserve(&segment, UINT32_MAX));
    assert_true(vidmm_segment_reserve(&segment, 100000));
    close_segment(&segment);
}

static void a_released_range_serves_the_next_take_without_memory(void **state)
{
    struct vidmm_segment segment;
    vidmm_range range = 0;

    (void)state;
    open_segment(&segment, MIB(64));
    while (segment.live + 2 < segment.capacity) {
        range = take(&segment, PAGE, 0, VIDMM_FROM_START);
        assert_int_not_equal(range, 0);
    }
    counted_memory_fail_at(&memory, 1);
    assert_int_equal(take(&segment, PAGE, 0, VIDMM_FROM_START), 0);
    assert_true(counted_memory_refused(&memory));
    counted_memory_fail_at(&memory, 1);
    vidmm_segment_release(&segment, range);
    assert_int_not_equal(take(&segment, PAGE, 0, VIDMM_FROM_START), 0);
    assert_false(counted_memory_refused(&memory));
    close_segment(&segment);
}

/* Fill a segment; true if the n-th allocation of host memory, which fails, was never made. */
static bool story_with_failure_at(size_t n)
{
    struct vidmm_segment segment;
    uint64_t before, random = 5;

    counted_memory_init(&memory);
    counted_memory_fail_at(&memory, n);
    if (!vidmm_segment_init(&segment, MIB(512), &memory.table)) {
        counted_memory_finish(&memory);
        return false;
    }
    for (int i = 0; i < 20000; i++) {
        uint64_t size = PAGE * (1 + next_random(&random) % 8);
        uint64_t alignment = PAGE << next_random(&random) % 3;

        before = vidmm_segment_free_bytes(&segment);
        if (take(&segment, size, alignment, i & 1) == 0) {
            assert_true(counted_memory_refused(&memory));
            assert_int_equal(vidmm_segment_free_bytes(&segment), before);
            vidmm_segment_check(&segment);
            assert_int_not_equal(take(&segment, size, alignment, i & 1), 0);
        }
    }
    close_segment(&segment);
    return !counted_memory_refused(&memory);
}

static void memory_that_fails_at_any_call_changes_nothing(void **state)
{
    size_t n = 1;

    (void)state;
    while (!story_with_failure_at(n))
        n++;
    assert_true(n > 10);
}

/* ---- The check ---- */

static void damage_free_pages(struct vidmm_segment *segment)
{
    segment->free_pages++;
}

static void damage_live(struct vidmm_segment *segment)
{
    segment->live--;
}

static void damage_spare(struct vidmm_segment *segment)
{
    segment->spare = 0;
}

static void damage_cell(struct vidmm_segment *segment)
{
    segment->cells[0] ^= 1u << 20;
}

static void damage_words(struct vidmm_segment *segment)
{
    segment->words = ~segment->words;
}

static void damage_size(struct vidmm_segment *segment)
{
    segment->pages--;
}

static void damage_table(struct vidmm_segment *segment)
{
    segment->table[2 * 7 + 1]++; /* the end of the first live range */
}

/* Whether the check stops the program. */
static bool check_stops(void (*damage)(struct vidmm_segment *segment))
{
    struct vidmm_segment segment;
    int status;

    open_segment(&segment, MIB(1));
    take(&segment, KIB(64), 0, VIDMM_FROM_START);
    vidmm_segment_release(&segment, take(&segment, KIB(64), 0, VIDMM_FROM_START));
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGILL, SIG_DFL);
        signal(SIGTRAP, SIG_DFL);
        damage(&segment);
        vidmm_segment_check(&segment);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    close_segment(&segment);
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void the_check_sees_a_damaged_segment(void **state)
{
    (void)state;
    assert_true(check_stops(damage_free_pages));
    assert_true(check_stops(damage_live));
    assert_true(check_stops(damage_spare));
    assert_true(check_stops(damage_cell));
    assert_true(check_stops(damage_words));
    assert_true(check_stops(damage_size));
    assert_true(check_stops(damage_table));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_out_of_range_are_refused),
        cmocka_unit_test(the_smallest_and_the_largest_segment_work),
        cmocka_unit_test(absurd_requests_are_refused_and_change_nothing),
        cmocka_unit_test(what_is_found_is_not_taken_until_it_is),
        cmocka_unit_test(an_empty_segment_is_filled_from_the_end_that_is_asked_for),
        cmocka_unit_test(of_equal_holes_the_one_towards_the_wished_end_is_taken),
        cmocka_unit_test(a_live_range_keeps_its_number_place_and_owner),
        cmocka_unit_test(what_is_released_becomes_one_hole_with_its_neighbours),
        cmocka_unit_test(live_ranges_are_found_over_the_holes_between_them),
        cmocka_unit_test(the_same_calls_give_the_same_places),
        cmocka_unit_test(a_million_ranges_come_and_go),
        cmocka_unit_test(what_was_reserved_needs_no_memory),
        cmocka_unit_test(a_released_range_serves_the_next_take_without_memory),
        cmocka_unit_test(memory_that_fails_at_any_call_changes_nothing),
        cmocka_unit_test(the_check_sees_a_damaged_segment),
    };

    return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
