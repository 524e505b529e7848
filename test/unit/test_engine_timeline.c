/* Fence values, and the packets that end at them: engine/state/timeline.h. */
#include "harness.h"

#include "vidmm/engine/state/timeline.h"

static struct vidmm_counter counter;
static struct vidmm_timeline one, other;

/* Two timelines of one counter, whose next value is `next`. */
static void begin(uint64_t next)
{
    counter.next = next;
    vidmm_timeline_init(&one, &counter);
    vidmm_timeline_init(&other, &counter);
}

static void all_before_the_beginning_is_complete(void **state)
{
    (void)state;
    begin(7);
    assert_int_equal(one.completed, 6);
    assert_int_equal(one.newest, 6);
    assert_true(vidmm_timeline_has_passed(&one, UINT64_MAX));
    assert_int_equal(vidmm_timeline_due(&one, 100), UINT64_MAX);
}

static void timelines_of_one_counter_have_an_order_between_them(void **state)
{
    struct vidmm_flight a = {0}, b = {0}, c = {0};

    (void)state;
    begin(7);
    vidmm_timeline_submit(&one, &a, 0);
    vidmm_timeline_submit(&other, &b, 0);
    vidmm_timeline_submit(&one, &c, 0);
    assert_int_equal(a.fence, 7);
    assert_int_equal(b.fence, 8);
    assert_int_equal(c.fence, 9);
    assert_false(vidmm_timeline_has_passed(&one, 7));
    assert_true(vidmm_timeline_has_passed(&other, 7));
    assert_false(vidmm_timeline_has_passed(&other, 8));
}

static void a_counter_of_its_own_is_nothing_special(void **state)
{
    struct vidmm_counter own = {.next = 1};
    struct vidmm_timeline timeline;
    struct vidmm_flight a = {0}, b = {0};

    (void)state;
    begin(7);
    vidmm_timeline_init(&timeline, &own);
    vidmm_timeline_submit(&one, &a, 0);
    vidmm_timeline_submit(&timeline, &b, 0);
    assert_int_equal(b.fence, 1);
    assert_int_equal(vidmm_timeline_check(&timeline), 1);
}

static void zero_is_no_submission_fence(void **state)
{
    struct vidmm_flight flight = {0};

    (void)state;
    begin(UINT64_C(1) << 32);
    vidmm_timeline_submit(&one, &flight, 0);
    assert_int_equal(flight.fence, (UINT64_C(1) << 32) + 1);
}

static void a_reported_fence_is_the_nearest_to_what_is_complete(void **state)
{
    struct vidmm_flight before = {0}, behind = {0};

    (void)state;
    begin(UINT64_C(0xffffffff));
    vidmm_timeline_submit(&one, &before, 0);
    vidmm_timeline_submit(&one, &behind, 0);
    assert_int_equal(vidmm_timeline_widen(&one, 1), (UINT64_C(1) << 32) + 1);
    vidmm_timeline_complete(&one, behind.fence, 0);
    assert_int_equal(vidmm_timeline_widen(&one, UINT32_MAX), UINT64_C(0xffffffff));
}

static void packets_end_in_order_up_to_the_fence(void **state)
{
    struct vidmm_flight a = {0}, b = {0}, c = {0};

    (void)state;
    begin(1);
    vidmm_timeline_submit(&one, &a, 0);
    vidmm_timeline_submit(&one, &b, 0);
    vidmm_timeline_submit(&one, &c, 0);
    vidmm_timeline_complete(&one, 2, 0);
    assert_ptr_equal(vidmm_timeline_take(&one, 2), &a);
    assert_ptr_equal(vidmm_timeline_take(&one, 2), &b);
    assert_null(vidmm_timeline_take(&one, 2));
    assert_null(vidmm_timeline_find(&one, 2));
    assert_ptr_equal(vidmm_timeline_find(&one, 3), &c);
    assert_int_equal(vidmm_timeline_check(&one), 1);
}

static void what_follows_ends_with_the_packet_before_it(void **state)
{
    struct vidmm_flight a = {0}, follows = {0};

    (void)state;
    begin(1);
    assert_false(vidmm_timeline_follow(&one, &follows));
    vidmm_timeline_submit(&one, &a, 0);
    assert_true(vidmm_timeline_follow(&one, &follows));
    assert_int_equal(follows.fence, a.fence);
    assert_int_equal(vidmm_timeline_check(&one), 1);
    vidmm_timeline_complete(&one, 1, 0);
    assert_ptr_equal(vidmm_timeline_take(&one, 1), &a);
    assert_ptr_equal(vidmm_timeline_take(&one, 1), &follows);
}

static void what_came_back_is_ended_by_no_report_until_it_goes_again(void **state)
{
    struct vidmm_flight a = {0}, b = {0};

    (void)state;
    begin(1);
    vidmm_timeline_submit(&one, &a, 10);
    vidmm_timeline_submit(&one, &b, 20);
    vidmm_timeline_return(&one, &a);
    vidmm_timeline_return(&one, &b);
    assert_null(vidmm_timeline_find(&one, a.fence));
    assert_int_equal(vidmm_timeline_due(&one, 100), UINT64_MAX);
    assert_int_equal(vidmm_timeline_check(&one), 0);
    assert_ptr_equal(vidmm_timeline_resubmit(&one, 50), &a);
    assert_int_equal(vidmm_timeline_due(&one, 100), 150);
    assert_ptr_equal(vidmm_timeline_find(&one, a.fence), &a);
    assert_ptr_equal(vidmm_timeline_resubmit(&one, 60), &b);
    assert_int_equal(vidmm_timeline_due(&one, 100), 150); /* the first flight's time */
    assert_int_equal(one.returned, 0);
}

/* Two DMA buffers and a paging buffer, one of them twice: what each ran, and how often. */
static void what_packets_ran_is_counted(void **state)
{
    struct vidmm_flight a = {0}, b = {0}, paging = {.paging = true}, off = {.switches = true};

    (void)state;
    begin(1);
    vidmm_timeline_submit(&one, &a, 10);
    vidmm_timeline_submit(&one, &paging, 12);
    vidmm_timeline_submit(&one, &b, 14);
    vidmm_timeline_submit(&one, &off, 16);
    vidmm_timeline_complete(&one, a.fence, 110); /* 100, then the paging buffer is the first */
    assert_ptr_equal(vidmm_timeline_take(&one, a.fence), &a);
    vidmm_timeline_complete(&one, paging.fence, 140); /* 30 */
    assert_ptr_equal(vidmm_timeline_take(&one, paging.fence), &paging);
    vidmm_timeline_ran(&one, 147); /* 7 until it came back */
    vidmm_timeline_return(&one, &b);
    vidmm_timeline_return(&one, &off);
    vidmm_timeline_ran(&one, 1000); /* nothing runs */
    assert_ptr_equal(vidmm_timeline_resubmit(&one, 2000), &b);
    assert_ptr_equal(vidmm_timeline_resubmit(&one, 2000), &off);
    vidmm_timeline_complete(&one, off.fence, 2003); /* one report for both */
    assert_ptr_equal(vidmm_timeline_take(&one, off.fence), &b);
    assert_ptr_equal(vidmm_timeline_take(&one, off.fence), &off);
    vidmm_timeline_ran(&one, 9000);
    assert_int_equal(one.use.render.running_ns, 100 + 7 + 3);
    assert_int_equal(one.use.paging.running_ns, 30);
    assert_int_equal(one.use.render.submitted, 3);
    assert_int_equal(one.use.render.preempted, 1);
    assert_int_equal(one.use.render.completed, 2);
    assert_int_equal(one.use.paging.submitted, 1);
    assert_int_equal(one.use.paging.completed, 1);
    assert_int_equal(one.use.paging.preempted, 0);
    assert_int_equal(one.use.context_switches, 2);
    assert_int_equal(other.use.render.submitted + other.use.paging.submitted, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_before_the_beginning_is_complete),
        cmocka_unit_test(timelines_of_one_counter_have_an_order_between_them),
        cmocka_unit_test(a_counter_of_its_own_is_nothing_special),
        cmocka_unit_test(zero_is_no_submission_fence),
        cmocka_unit_test(a_reported_fence_is_the_nearest_to_what_is_complete),
        cmocka_unit_test(packets_end_in_order_up_to_the_fence),
        cmocka_unit_test(what_follows_ends_with_the_packet_before_it),
        cmocka_unit_test(what_came_back_is_ended_by_no_report_until_it_goes_again),
        cmocka_unit_test(what_packets_ran_is_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
