/* test_adapter_delays.c: paging queues that rest, evictions that come late, periodic trims by the
 * clock (<vidmm/delay.h>). The clock is the machine's: it goes on while somebody waits.
 */
#include "test_addressed.h"

#include <vidmm/delay.h>
#include <vidmm/residency.h>

#define MS UINT64_C(1000000)

enum { FEW = 16, TIGHT = 200 }; /* pages of an allocation; memory has 256 */

static uint64_t delay(struct vidmm_paging_queue *queue, uint64_t ns)
{
    struct vidmm_residency_result result;

    assert_int_equal(vidmm_paging_queue_delay(queue, ns, &result, &rig.report), STATUS_PENDING);
    assert_int_equal(result.bytes_to_trim, 0);
    return result.value;
}

static void await(struct vidmm_paging_queue *queue, uint64_t value)
{
    assert_int_equal(vidmm_paging_queue_wait(queue, value, &rig.report), STATUS_SUCCESS);
}

/* The clock goes on for so long. */
static void pass(uint64_t ns)
{
    uint64_t began = rig_now(&rig);

    await(first.queue, delay(first.queue, ns));
    assert_in_range(rig_now(&rig) - began, ns, ns + MS);
}

static void is_in_memory(struct rig_allocation *allocation, bool expected)
{
    vidmm_machine_settle(rig.machine);
    assert_int_equal(rig_residency(&rig, allocation),
                     expected ? VIDMM_RESIDENT_IN_GPU : VIDMM_NOT_RESIDENT);
}

static void begin_with(uint32_t count)
{
    start("");
    for (uint32_t i = 0; i < count; i++)
        create(&first, &rig.allocations[i], FEW);
}

/* ---- paging queues --------------------------------------------------------------------------- */

/* The queue does what it was asked before first, and what it is asked then when the time is over.
 * Another queue goes on meanwhile, also one of a lower priority. */
static void a_queue_rests(void **state)
{
    struct vidmm_residency_result before, behind, beside;
    struct vidmm_paging_queue *high, *low;
    uint64_t began, rest;

    (void)state;
    begin_with(3);
    assert_int_equal(vidmm_paging_queue_create(first.device, 2, &high, &rig.report), 0);
    assert_int_equal(vidmm_paging_queue_create(first.device, 0, &low, &rig.report), 0);
    began = rig_now(&rig);
    assert_int_equal(
        vidmm_make_resident(high, &rig.allocations[0].handle, 1, 0, &before, &rig.report),
        STATUS_PENDING);
    rest = delay(high, 5 * MS);
    assert_int_equal(
        vidmm_make_resident(high, &rig.allocations[1].handle, 1, 0, &behind, &rig.report),
        STATUS_PENDING);
    assert_int_equal(
        vidmm_make_resident(low, &rig.allocations[2].handle, 1, 0, &beside, &rig.report),
        STATUS_PENDING);
    assert_int_equal(rest, before.value + 1);
    assert_int_equal(behind.value, rest + 1);
    await(high, before.value);
    await(low, beside.value);
    vidmm_machine_settle(rig.machine);
    assert_true(rig_now(&rig) - began < 5 * MS);
    assert_int_equal(vidmm_paging_queue_passed(high), before.value);
    is_in_memory(&rig.allocations[1], false);
    await(high, rest);
    assert_in_range(rig_now(&rig) - began, 5 * MS, 6 * MS);
    await(high, behind.value);
    assert_in_range(rig_now(&rig) - began, 5 * MS, 6 * MS);
    is_in_memory(&rig.allocations[1], true);
    vidmm_paging_queue_destroy(high);
    vidmm_paging_queue_destroy(low);
    finish();
}

/* One begins when the other is over; those of two queues go by side by side. */
static void delays_of_a_queue_add_up(void **state)
{
    struct vidmm_paging_queue *beside;
    uint64_t began, of_beside, last;

    (void)state;
    begin_with(0);
    assert_int_equal(vidmm_paging_queue_create(first.device, 1, &beside, &rig.report), 0);
    began = rig_now(&rig);
    delay(first.queue, 3 * MS);
    of_beside = delay(beside, 6 * MS);
    last = delay(first.queue, 4 * MS);
    await(beside, of_beside);
    assert_in_range(rig_now(&rig) - began, 6 * MS, 7 * MS - 1);
    assert_true(vidmm_paging_queue_passed(first.queue) < last);
    await(first.queue, last);
    assert_in_range(rig_now(&rig) - began, 7 * MS, 8 * MS);
    delay(beside, 2 * MS);
    vidmm_paging_queue_destroy(beside); /* waits */
    assert_in_range(rig_now(&rig) - began, 9 * MS, 10 * MS);
    finish();
}

/* A device that fails meanwhile, or goes, does not keep anybody from anything. */
static void a_device_ends_while_its_queue_rests(void **state)
{
    const uint32_t must = VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER | VIDMM_MAKE_RESIDENT_MUST_SUCCEED;
    struct vidmm_residency_result result;
    struct vidmm_allocation *both[2];
    uint64_t value;

    (void)state;
    begin_with(0);
    begin_program(&second, 2);
    for (uint32_t i = 0; i < 2; i++) {
        create(&second, &rig.allocations[i], TIGHT);
        both[i] = rig.allocations[i].handle;
    }
    value = delay(second.queue, 5 * MS);
    assert_int_equal(vidmm_make_resident(second.queue, both, 2, must, NULL, &rig.report),
                     STATUS_NO_MEMORY);
    await(second.queue, value);
    assert_int_equal(vidmm_paging_queue_delay(second.queue, MS, &result, &rig.report),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_int_equal(result.value, 0);
    end_program(&second);
    begin_program(&second, 2);
    delay(second.queue, 5 * MS);
    end_program(&second);
    delay(first.queue, 5 * MS); /* the end of the adapter does not wait for an hour */
    finish();
}

/* ---- evictions ------------------------------------------------------------------------------- */

static void what_is_evicted_leaves_later(void **state)
{
    struct rig_allocation *stays = &rig.allocations[0], *wanted = &rig.allocations[1],
                          *twice = &rig.allocations[2];

    (void)state;
    begin_with(3);
    for (uint32_t i = 0; i < 3; i++)
        make(&first, rig.allocations[i].handle);
    assert_int_equal(vidmm_delay_evictions(rig.adapter, 10 * MS, &rig.report), STATUS_SUCCESS);
    for (uint32_t i = 0; i < 3; i++)
        evict(&first, rig.allocations[i].handle);
    pass(6 * MS);
    is_in_memory(stays, true);
    make(&first, wanted->handle); /* wanted again */
    make(&first, twice->handle);
    evict(&first, twice->handle); /* and again not: its time begins anew */
    pass(6 * MS);
    is_in_memory(stays, false);
    is_in_memory(wanted, true);
    is_in_memory(twice, true);
    pass(6 * MS);
    is_in_memory(wanted, true);
    is_in_memory(twice, false);
    assert_int_equal(vidmm_delay_evictions(rig.adapter, 0, &rig.report), STATUS_SUCCESS);
    evict(&first, wanted->handle);
    is_in_memory(wanted, false);
    finish();
}

/* The room is there for others at any time; what is destroyed is forgotten, and what need not leave
 * stays. */
static void what_leaves_later_keeps_nothing_from_anybody(void **state)
{
    (void)state;
    begin_with(2);
    assert_int_equal(vidmm_delay_evictions(rig.adapter, VIDMM_LONGEST_DELAY_NS, &rig.report),
                     STATUS_SUCCESS);
    create(&first, &rig.allocations[2], TIGHT);
    create(&first, &rig.allocations[3], TIGHT);
    make(&first, rig.allocations[2].handle);
    evict(&first, rig.allocations[2].handle);
    make(&first, rig.allocations[3].handle);
    is_in_memory(&rig.allocations[2], false);
    evict(&first, rig.allocations[3].handle);
    vidmm_allocation_destroy(rig.allocations[3].handle);
    make(&first, rig.allocations[0].handle);
    evict(&first, rig.allocations[0].handle); /* forgotten, for it is wanted again */
    make(&first, rig.allocations[0].handle);
    assert_int_equal(vidmm_evict(first.device, &rig.allocations[0].handle, 1,
                                 VIDMM_EVICT_ONLY_IF_NECESSARY, NULL, &rig.report),
                     STATUS_SUCCESS);
    make(&first, rig.allocations[1].handle);
    evict(&first, rig.allocations[1].handle);
    pass(VIDMM_LONGEST_DELAY_NS - MS);
    is_in_memory(&rig.allocations[1], true);
    pass(2 * MS);
    is_in_memory(&rig.allocations[0], true);
    is_in_memory(&rig.allocations[1], false);
    make(&first, rig.allocations[1].handle);
    evict(&first, rig.allocations[1].handle); /* the adapter stops with it */
    finish();
}

/* ---- trims ----------------------------------------------------------------------------------- */

static void takes(uint32_t flags)
{
    struct vidmm_trim_request request;

    vidmm_machine_settle(rig.machine);
    assert_int_equal(vidmm_trim_take(first.device, &request), flags != 0);
    assert_int_equal(request.flags, flags);
}

static void submit_something(void)
{
    queue_touch(&first, &rig.allocations[0], AT, true);
    assert_int_equal(vidmm_context_wait(first.context, first.value), STATUS_SUCCESS);
}

/* A device that is at work is asked after the maximum, above its budget after the minimum, and one
 * that rests once. */
static void devices_are_asked_by_the_clock(void **state)
{
    (void)state;
    begin_with(1);
    make(&first, rig.allocations[0].handle);
    map(&first, rig.allocations[0].handle, AT);
    assert_int_equal(vidmm_trim_intervals(rig.adapter, 10 * MS, 20 * MS, 50 * MS, &rig.report),
                     STATUS_SUCCESS);
    submit_something();
    pass(18 * MS);
    takes(0);
    pass(3 * MS);
    takes(VIDMM_TRIM_PERIODIC); /* maximum */
    submit_something();
    assert_int_equal(vidmm_set_budget(rig.adapter, 1, VIDMM_GROUP_LOCAL, 0, &rig.report), 0);
    takes(VIDMM_TRIM_TO_BUDGET);
    pass(6 * MS);
    takes(0);
    pass(6 * MS);
    takes(VIDMM_TRIM_PERIODIC); /* minimum */
    pass(44 * MS);
    takes(0);
    pass(6 * MS);
    takes(VIDMM_TRIM_PERIODIC); /* idle */
    pass(1000 * MS);
    takes(0);
    submit_something();
    takes(VIDMM_TRIM_PERIODIC); /* it is above its budget, and was asked long ago */
    assert_int_equal(vidmm_trim_intervals(rig.adapter, 0, 0, 0, &rig.report), STATUS_SUCCESS);
    submit_something();
    pass(1000 * MS);
    takes(0);
    finish();
}

/* The idle interval alone: whoever is at work is not asked. */
static void a_device_at_work_is_left_alone(void **state)
{
    (void)state;
    begin_with(1);
    make(&first, rig.allocations[0].handle);
    map(&first, rig.allocations[0].handle, AT);
    assert_int_equal(vidmm_trim_intervals(rig.adapter, 0, 0, 5 * MS, &rig.report), STATUS_SUCCESS);
    submit_something();
    pass(20 * MS);
    takes(0);
    assert_int_equal(vidmm_trim_intervals(rig.adapter, 0, 0, 5 * MS, &rig.report), STATUS_SUCCESS);
    pass(4 * MS);
    takes(0);
    pass(2 * MS);
    takes(VIDMM_TRIM_PERIODIC);
    finish();
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void refused(NTSTATUS status, const char *text)
{
    assert_int_equal(status, STATUS_INVALID_PARAMETER);
    if (strstr(rig.report.text, text) == NULL)
        fail_msg("\"%s\" has no \"%s\"", rig.report.text, text);
}

static void times_have_limits(void **state)
{
    const uint64_t most = VIDMM_LONGEST_DELAY_NS;
    struct vidmm_residency_result result = {1, 1};
    struct vidmm_report *report = &rig.report;
    uint64_t passed;

    (void)state;
    begin_with(0);
    passed = vidmm_paging_queue_passed(first.queue);
    refused(vidmm_paging_queue_delay(first.queue, 0, &result, report), "ns is 0; 1 to 60000000000");
    assert_int_equal(result.value + result.bytes_to_trim, 0);
    refused(vidmm_paging_queue_delay(first.queue, most + 1, NULL, report), "ns is 60000000001");
    refused(vidmm_paging_queue_delay(NULL, 1, NULL, report), "queue is NULL");
    assert_int_equal(delay(first.queue, 1), passed + 1); /* nothing was queued */
    refused(vidmm_delay_evictions(rig.adapter, most + 1, report), "; 0 to 60000000000");
    refused(vidmm_delay_evictions(NULL, 0, report), "adapter is NULL");
    refused(vidmm_trim_intervals(rig.adapter, 1, most + 1, 0, report), "maximum_ns is 60000000001");
    refused(vidmm_trim_intervals(rig.adapter, 1, 2, most + 1, report), "idle_ns is 60000000001");
    refused(vidmm_trim_intervals(rig.adapter, 3, 2, 0, report), "minimum_ns is 3");
    refused(vidmm_trim_intervals(rig.adapter, 0, 2, 0, report), "minimum_ns is 0");
    refused(vidmm_trim_intervals(rig.adapter, 2, 0, 0, report), "minimum_ns is 2");
    refused(vidmm_trim_intervals(NULL, 0, 0, 0, report), "adapter is NULL");
    finish();
}

static void they_begin_with_wddm_2(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    rig_init(&rig, &options);
    assert_int_equal(vidmm_delay_evictions(rig.adapter, 0, &rig.report), STATUS_NOT_SUPPORTED);
    assert_int_equal(vidmm_trim_intervals(rig.adapter, 0, 0, 0, &rig.report), STATUS_NOT_SUPPORTED);
    rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_rests),
        cmocka_unit_test(delays_of_a_queue_add_up),
        cmocka_unit_test(a_device_ends_while_its_queue_rests),
        cmocka_unit_test(what_is_evicted_leaves_later),
        cmocka_unit_test(what_leaves_later_keeps_nothing_from_anybody),
        cmocka_unit_test(devices_are_asked_by_the_clock),
        cmocka_unit_test(a_device_at_work_is_left_alone),
        cmocka_unit_test(times_have_limits),
        cmocka_unit_test(they_begin_with_wddm_2),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
