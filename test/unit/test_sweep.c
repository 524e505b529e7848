/* How much memory a recorded program needs: policies without places, what comes in again, a sweep
 * over sizes, its picture; and files that a command must not write over. */
#include "fresh_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vidmm/plan.h>

#include "tool/outputs.h"
#include "tool/progress.h"
#include "tool/sweep.h"
#include "tool/sweep_picture.h"
#include "trace/again.h"
#include "trace/bounds.h"
#include "trace/curve.h"
#include "trace/trace.h"

#define PAGE 4096u

/* ---- policies that know no places ------------------------------------------------------------ */

static struct vidmm_trace *parsed(const char *events)
{
    struct vidmm_trace_error error = {""};
    char text[2000];

    snprintf(text, sizeof(text), "# vidmm-trace 1\n# app: a test\n%s", events);
    struct vidmm_trace *trace =
        vidmm_trace_parse(&memory.table, "test", text, strlen(text), &error);
    if (trace == NULL)
        fail_msg("%s", error.text);
    return trace;
}

static void assert_bound(const char *events, uint64_t capacity, enum vidmm_bound_policy policy,
                         uint64_t bytes, uint64_t frames_held)
{
    struct vidmm_trace *trace = parsed(events);
    struct vidmm_bound bound;

    assert_true(vidmm_trace_bound(trace, &memory.table, capacity, policy, &bound));
    assert_int_equal(bound.bytes, bytes);
    assert_int_equal(bound.frames_held, frames_held);
    vidmm_trace_destroy(trace);
}

static const char circle[] = "0 A 1 4096 local\n0 A 2 4096 local\n0 A 3 4096 local\n"
                             "1 S 0 1 1:W\n2 S 0 1 2:R\n3 S 0 1 3:R\n"
                             "4 S 0 1 1:R\n5 S 0 1 2:R\n6 S 0 1 3:R\n";

static void lru_loses_all_of_a_circle_and_belady_the_least(void **state)
{
    (void)state;
    assert_bound(circle, 2 * PAGE, VIDMM_BOUND_LRU, 3 * PAGE, 3);
    assert_bound(circle, 2 * PAGE, VIDMM_BOUND_BELADY, PAGE, 1);
    assert_bound(circle, 3 * PAGE, VIDMM_BOUND_LRU, 0, 0);
    assert_bound(circle, 3 * PAGE, VIDMM_BOUND_BELADY, 0, 0);
}

static void only_as_many_bytes_leave_as_are_wanted(void **state)
{
    static const char events[] = "0 A 1 8192 local\n0 A 2 8000 local\n"
                                 "1 S 0 1 1:W\n2 S 0 1 2:R\n3 S 0 1 1:R\n";

    (void)state;
    assert_bound(events, 3 * PAGE, VIDMM_BOUND_LRU, PAGE, 1);
    assert_bound(events, 2 * PAGE, VIDMM_BOUND_LRU, 2 * PAGE, 1);
}

static void what_is_not_local_or_is_freed_takes_no_memory(void **state)
{
    (void)state;
    assert_bound(
        "0 A 1 4096 local\n0 A 2 4096 visible\n1 S 0 2 1:W 2:R\n2 S 0 1 2:R\n3 S 0 1 1:R\n", PAGE,
        VIDMM_BOUND_LRU, 0, 0);
    assert_bound("0 A 1 4096 local\n1 S 0 1 1:W\n1 C 0\n2 F 1\n3 A 2 4096 local\n4 S 0 1 2:R\n"
                 "5 S 0 1 2:R\n",
                 PAGE, VIDMM_BOUND_LRU, 0, 0);
}

static void a_frame_is_held_once_whatever_comes_in_during_it(void **state)
{
    static const char events[] = "0 A 1 4096 local\n0 A 2 4096 local\n"
                                 "1 S 0 1 1:W\n2 S 0 1 2:R\n3 P\n4 S 0 1 1:R\n5 S 0 1 2:R\n6 P\n"
                                 "7 S 0 1 2:R\n8 P\n";

    (void)state;
    assert_bound(events, PAGE, VIDMM_BOUND_LRU, 2 * PAGE, 1);
}

static void a_submission_that_does_not_fit_has_no_bound(void **state)
{
    struct vidmm_trace *trace = parsed("0 A 1 4096 local\n0 A 2 4096 local\n1 S 0 2 1:W 2:R\n");
    struct vidmm_bound bound = {1, 1};

    (void)state;
    assert_false(vidmm_trace_bound(trace, &memory.table, PAGE, VIDMM_BOUND_LRU, &bound));
    assert_int_equal(bound.bytes, 0);
    assert_int_equal(bound.frames_held, 0);
    assert_int_equal(vidmm_trace_least_memory(trace), 2 * PAGE);
    vidmm_trace_destroy(trace);
}

/* ---- what comes in again --------------------------------------------------------------------- */

static const struct vidmm_place nowhere = {0};
static const struct vidmm_place memory_segment = {.segment = 2};

static void create(struct vidmm_again *again, uint32_t allocation)
{
    const struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION,
                                      .create = {.allocation = allocation, .wish = {.size = PAGE}}};

    vidmm_again_event(again, &event);
}

static void transfer(struct vidmm_again *again, uint32_t allocation, struct vidmm_place from,
                     struct vidmm_place to)
{
    const struct vidmm_operation operation = {.kind = VIDMM_DO_BUILD,
                                              .allocation = allocation,
                                              .build = {.operation = VIDMM_TRANSFER,
                                                        .flags = VIDMM_PAGING_END,
                                                        .source = from,
                                                        .destination = to,
                                                        .size = PAGE}};

    vidmm_again_operation(again, &operation);
}

static void assert_counted(const struct vidmm_again *again, uint64_t bytes_again,
                           uint64_t bytes_out, uint64_t frames_held)
{
    struct vidmm_again_count count;

    assert_true(vidmm_again_counted(again, &count));
    assert_int_equal(count.bytes_again, bytes_again);
    assert_int_equal(count.bytes_out, bytes_out);
    assert_int_equal(count.frames_held, frames_held);
}

static void the_first_way_in_is_not_again(void **state)
{
    struct vidmm_again *again = vidmm_again_create(&memory.table, 1);

    (void)state;
    assert_non_null(again);
    create(again, 1);
    transfer(again, 1, nowhere, memory_segment);
    vidmm_again_frame(again);
    assert_counted(again, 0, 0, 0);
    transfer(again, 1, memory_segment, nowhere);
    vidmm_again_frame(again);
    assert_counted(again, 0, PAGE, 1);
    transfer(again, 1, nowhere, memory_segment);
    vidmm_again_frame(again);
    assert_counted(again, PAGE, PAGE, 2);
    vidmm_again_frame(again);
    assert_counted(again, PAGE, PAGE, 2);
    vidmm_again_destroy(again);
}

static void an_id_that_is_used_again_is_another_allocation(void **state)
{
    struct vidmm_again *again = vidmm_again_create(&memory.table, 1);

    (void)state;
    assert_non_null(again);
    create(again, 300);
    transfer(again, 300, nowhere, memory_segment);
    transfer(again, 300, memory_segment, nowhere);
    create(again, 300);
    transfer(again, 300, nowhere, memory_segment);
    assert_counted(again, 0, PAGE, 0);
    vidmm_again_destroy(again);
}

static void what_is_not_counted_for_want_of_memory_is_said(void **state)
{
    struct vidmm_again *again = vidmm_again_create(&memory.table, 1);
    struct vidmm_again_count count;

    (void)state;
    assert_non_null(again);
    counted_memory_fail_at(&memory, 1);
    create(again, 1);
    assert_false(vidmm_again_counted(again, &count));
    vidmm_again_destroy(again);
}

/* ---- a sweep --------------------------------------------------------------------------------- */

#define TRACE SOURCE_ROOT "/traces/chromium_canvas.vmt.gz"

static struct vidmm_sweep sweep;

static bool swept(uint64_t from, uint64_t to, uint32_t steps)
{
    const struct vidmm_sweep_options options = {
        .file = TRACE, .from = from, .to = to, .steps = steps};
    struct vidmm_progress progress = {.total = 1};
    uint64_t done = 0;

    return vidmm_sweep(&options, &progress, &done, &sweep);
}

static void a_sweep_begins_at_the_least_and_ends_where_nothing_is_paged(void **state)
{
    (void)state;
    assert_true(swept(0, 0, 5));
    assert_true(sweep.count > 5 && sweep.count <= 5 + VIDMM_SWEEP_HALVINGS);
    assert_int_equal(sweep.points[0].memory, sweep.least);
    assert_true(sweep.points[0].bytes_again > 0 && sweep.points[0].frames_held > 0);
    assert_true(sweep.points[0].frames_held <= sweep.frames);
    for (uint32_t i = 0; i < sweep.count; i++) {
        const struct vidmm_sweep_point *point = &sweep.points[i];

        assert_true(i == 0 || sweep.points[i - 1].memory < point->memory);
        assert_true(point->belady_bytes <= point->lru_bytes);
        assert_true(point->belady_bytes <= point->bytes_again);
        assert_int_equal(point->memory % PAGE, 0);
        if (point->memory >= sweep.enough)
            assert_int_equal(point->frames_held + point->bytes_again + point->bytes_out, 0);
    }
    const struct vidmm_sweep_point *enough = vidmm_sweep_point(&sweep, sweep.enough);
    assert_non_null(enough);
    assert_true(enough > sweep.points && enough[-1].frames_held > 0);
    assert_true(sweep.knee > sweep.points[0].memory && sweep.knee < sweep.enough);
}

static void sizes_below_the_least_are_not_tried(void **state)
{
    (void)state;
    assert_true(swept(PAGE, 64 << 20, 2));
    assert_int_equal(sweep.points[0].memory, sweep.least);
    assert_int_equal(sweep.points[sweep.count - 1].memory, 64 << 20);
}

static void a_range_that_ends_before_it_begins_is_refused_with_both_sizes(void **state)
{
    (void)state;
    assert_false(swept(0, PAGE, 2));
    assert_int_equal(sweep.count, 0);
    assert_non_null(strstr(sweep.problem, "--to 4K"));
    assert_non_null(strstr(sweep.problem, "the least that runs"));
}

static struct vidmm_sweep drawn = {
    .name = "a & b",
    .app = "<an app>",
    .least = 100 << 20,
    .frames = 100,
    .points = {{100 << 20, 600 << 20, 0, 50, 400 << 20, 300 << 20},
               {UINT64_C(2) << 30, 0, 0, 0, 0, 0}},
    .count = 2,
    .enough = UINT64_C(2) << 30,
};

static void a_verdict_says_the_least_the_enough_and_the_card(void **state)
{
    char text[400];

    (void)state;
    vidmm_sweep_verdict(&drawn, text, sizeof(text));
    assert_string_equal(text,
                        "it needs 100.0 MiB at once to run; nothing is paged from 2.0 GiB on; "
                        "a card of 2 GiB holds it");
    assert_float_equal((float)vidmm_sweep_a_second(&drawn, 600, 60), 360, 1e-3);
}

static void a_picture_has_the_lines_the_cards_and_a_dark_side(void **state)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    (void)state;
    assert_non_null(file);
    assert_true(vidmm_sweep_draw(&drawn, 1, 60, file));
    assert_int_equal(fclose(file), 0);
    assert_non_null(strstr(text, "&lt;an app&gt;"));
    assert_non_null(strstr(text, "a &amp; b: LRU"));
    assert_non_null(strstr(text, "prefers-color-scheme:dark"));
    assert_non_null(strstr(text, ">1 GiB<"));
    assert_null(strstr(text, ">4 GiB<")); /* beyond the edge */
    free(text);
}

/* ---- files ----------------------------------------------------------------------------------- */

static char folder[] = "/tmp/vidmm-outputs-XXXXXX";

static bool apart(const char *a, const char *b, const char *input, char error[400])
{
    const struct vidmm_output outputs[] = {{"svg", a}, {"events", b}};

    error[0] = 0;
    return vidmm_outputs_apart(outputs, 2, &input, 1, error, 400);
}

static void outputs_are_apart_by_whatever_name(void **state)
{
    char error[400];

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    FILE *file = fopen("one", "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(link("one", "linked"), 0);

    assert_true(apart("new", "newer", "one", error));
    assert_true(apart(NULL, NULL, "one", error));
    assert_true(apart("/dev/null", "/dev/null", "one", error));
    assert_false(apart("./one", NULL, "one", error));
    assert_string_equal(error, "--svg ./one: it is read, as one; give another file");
    assert_false(apart(NULL, "linked", "one", error));
    assert_false(apart("new", "./new", NULL, error)); /* neither is there yet */
    assert_string_equal(error, "--events ./new: --svg writes it too; give another file");

    assert_int_equal(unlink("one") | unlink("linked"), 0);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(folder), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lru_loses_all_of_a_circle_and_belady_the_least),
        TEST(only_as_many_bytes_leave_as_are_wanted),
        TEST(what_is_not_local_or_is_freed_takes_no_memory),
        TEST(a_frame_is_held_once_whatever_comes_in_during_it),
        TEST(a_submission_that_does_not_fit_has_no_bound),
        TEST(the_first_way_in_is_not_again),
        TEST(an_id_that_is_used_again_is_another_allocation),
        TEST(what_is_not_counted_for_want_of_memory_is_said),
        cmocka_unit_test(a_sweep_begins_at_the_least_and_ends_where_nothing_is_paged),
        cmocka_unit_test(sizes_below_the_least_are_not_tried),
        cmocka_unit_test(a_range_that_ends_before_it_begins_is_refused_with_both_sizes),
        cmocka_unit_test(a_verdict_says_the_least_the_enough_and_the_card),
        cmocka_unit_test(a_picture_has_the_lines_the_cards_and_a_dark_side),
        cmocka_unit_test(outputs_are_apart_by_whatever_name),
    };

    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
