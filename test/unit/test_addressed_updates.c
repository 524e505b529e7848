/* test_addressed_updates.c: changes of addresses that wait for a fence: what goes meanwhile, and
 * what is refused. shows_D_222 shows that they wait, and what they signal. */
#include "test_addressed.h"

#include <vidmm/engine.h>
#include <vidmm/fence.h>

static struct vidmm_fence *fence;

static void start_with_fence(void)
{
    start("");
    assert_int_equal(vidmm_fence_create(first.device, 0, 0, &fence, &rig.report), STATUS_SUCCESS);
    create(&first, &rig.allocations[0], 8);
    create(&first, &rig.allocations[1], 8);
    make(&first, rig.allocations[0].handle);
    make(&first, rig.allocations[1].handle);
    assert_true(reserve(AT, BYTES(64), VIDMM_ADDRESSES_NO_ACCESS) == AT);
}

static struct vidmm_address_operation mapping(uint32_t index, uint64_t page)
{
    return (struct vidmm_address_operation){.base = AT + BYTES(page),
                                            .size = BYTES(8),
                                            .use = {.state = VIDMM_ADDRESSES_MAPPED,
                                                    .access = VIDMM_ADDRESSES_WRITE,
                                                    .allocation = rig.allocations[index].handle}};
}

static NTSTATUS after(uint64_t value, const struct vidmm_address_operation *operations,
                      uint32_t count)
{
    const struct vidmm_fence_point point = {fence, value};

    return vidmm_update_addresses_after(first.context, operations, count, &point, 0, &rig.report);
}

static void come_to(uint64_t value)
{
    const struct vidmm_fence_point point = {fence, value};

    assert_int_equal(vidmm_fence_signal(first.device, &point, 1, &rig.report), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
}

static uint32_t state_of(uint64_t page)
{
    struct vidmm_address_info info;

    assert_true(vidmm_find_addresses(rig.adapter, 1, 0, AT + BYTES(page), &info));
    return info.state;
}

static void a_destroyed_allocation_is_left_out(void **state)
{
    struct vidmm_address_operation both[2];

    (void)state;
    start_with_fence();
    both[0] = mapping(0, 0);
    both[1] = mapping(1, 8);
    assert_int_equal(after(1, both, 2), STATUS_SUCCESS);
    vidmm_allocation_destroy(rig.allocations[0].handle);
    create(&first, &rig.allocations[0], 8); /* maybe of the number that has come free */
    come_to(1);
    assert_int_equal(state_of(0), VIDMM_ADDRESSES_NO_ACCESS);
    assert_int_equal(state_of(8), VIDMM_ADDRESSES_MAPPED);
    assert_int_equal(vidmm_fence_value(fence), 2);
    touch(&first, &rig.allocations[1], AT + BYTES(8), true);
    finish();
}

static void freed_addresses_are_left_out(void **state)
{
    struct vidmm_address_operation both[2];
    struct vidmm_address_info info;

    (void)state;
    start_with_fence();
    both[0] = mapping(0, 0);
    both[1] = mapping(1, 16);
    assert_int_equal(after(1, both, 2), STATUS_SUCCESS);
    assert_int_equal(vidmm_free_addresses(first.device, AT, BYTES(16), &rig.report),
                     STATUS_SUCCESS);
    come_to(1);
    assert_true(vidmm_find_addresses(rig.adapter, 1, 0, AT, &info));
    assert_true(info.start == AT + BYTES(16));
    assert_int_equal(state_of(16), VIDMM_ADDRESSES_MAPPED);
    assert_int_equal(vidmm_fence_value(fence), 2);
    finish();
}

/* A fence that is destroyed holds nothing back, neither the batch in front nor one behind it. */
static void a_destroyed_fence_holds_nothing_back(void **state)
{
    struct vidmm_address_operation one, other;
    struct vidmm_fence *gone;

    (void)state;
    start_with_fence();
    one = mapping(0, 0);
    other = mapping(1, 8);
    gone = fence;
    assert_int_equal(after(1, &one, 1), STATUS_SUCCESS);
    assert_int_equal(after(7, &other, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_fence_create(first.device, 0, 0, &fence, &rig.report), STATUS_SUCCESS);
    assert_int_equal(after(1, &other, 1), STATUS_SUCCESS);
    vidmm_fence_destroy(gone);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(state_of(0), VIDMM_ADDRESSES_MAPPED);
    assert_int_equal(state_of(8), VIDMM_ADDRESSES_MAPPED);
    assert_int_equal(vidmm_fence_value(fence), 0);
    come_to(1);
    assert_int_equal(vidmm_fence_value(fence), 2);
    finish();
}

static void a_context_gives_up_what_it_has_not_changed(void **state)
{
    struct vidmm_address_operation one;

    (void)state;
    start_with_fence();
    one = mapping(0, 0);
    assert_int_equal(after(1, &one, 1), STATUS_SUCCESS);
    assert_int_equal(after(2, &one, 1), STATUS_SUCCESS);
    vidmm_context_destroy(first.context);
    come_to(1);
    come_to(2);
    assert_int_equal(state_of(0), VIDMM_ADDRESSES_NO_ACCESS);
    assert_int_equal(vidmm_fence_value(fence), 2);
    finish();
}

/* ... and so does a device that goes, and an adapter that stops. */
static void whatever_waits_goes_with_the_device(void **state)
{
    struct vidmm_address_operation one;

    (void)state;
    start_with_fence();
    one = mapping(0, 0);
    assert_int_equal(after(1, &one, 1), STATUS_SUCCESS);
    assert_int_equal(after(2, &one, 1), STATUS_SUCCESS);
    finish();
}

static void nothing_is_waited_for_at_once(void **state)
{
    struct vidmm_address_operation one, other;
    struct vidmm_fence_point point;

    (void)state;
    start_with_fence();
    one = mapping(0, 0);
    other = mapping(1, 8);
    point = (struct vidmm_fence_point){fence, 40};
    assert_int_equal(vidmm_update_addresses_after(first.context, &one, 1, &point,
                                                  VIDMM_UPDATE_AT_ONCE, &rig.report),
                     STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(state_of(0), VIDMM_ADDRESSES_MAPPED);
    assert_int_equal(vidmm_fence_value(fence), 41);
    /* But it does not overtake. */
    assert_int_equal(after(50, &one, 1), STATUS_SUCCESS);
    point.value = 60;
    assert_int_equal(vidmm_update_addresses_after(first.context, &other, 1, &point,
                                                  VIDMM_UPDATE_AT_ONCE, &rig.report),
                     STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(state_of(8), VIDMM_ADDRESSES_NO_ACCESS);
    come_to(50);
    assert_int_equal(state_of(8), VIDMM_ADDRESSES_MAPPED);
    assert_int_equal(vidmm_fence_value(fence), 61);
    finish();
}

/* A program that faults is in error: the rest is given up, and it says so. */
static void a_device_in_error_gives_up(void **state)
{
    struct vidmm_address_operation one;

    (void)state;
    start_with_fence();
    one = mapping(0, 0);
    assert_int_equal(after(1, &one, 1), STATUS_SUCCESS);
    touch_and_fault(&first, &rig.allocations[0], AT);
    assert_int_equal(state_of(0), VIDMM_ADDRESSES_NO_ACCESS);
    assert_int_equal(after(1, &one, 1), vidmm_device_condition(first.device, NULL));
    assert_int_not_equal(vidmm_device_condition(first.device, NULL), STATUS_SUCCESS);
    end_program(&first);
    rig_finish(&rig);
}

static void start_on(const char *gpu)
{
    start(gpu);
    assert_int_equal(vidmm_fence_create(first.device, 0, 0, &fence, &rig.report), STATUS_SUCCESS);
    create(&first, &rig.allocations[0], 8);
    make(&first, rig.allocations[0].handle);
    assert_true(reserve(AT, BYTES(64), VIDMM_ADDRESSES_NO_ACCESS) == AT);
}

/* A wait for the change lets the time pass that the hang takes. */
static NTSTATUS wait_for(uint64_t value)
{
    const struct vidmm_fence_point point = {fence, value};

    return vidmm_fence_wait(first.device, &point, 1, false, &rig.report);
}

/* Have a change be made on such a GPU. Answers how it ends. */
static NTSTATUS change_on(const char *gpu, struct vidmm_address_operation *one)
{
    start_on(gpu);
    *one = mapping(0, 0);
    assert_int_equal(after(1, one, 1), STATUS_SUCCESS);
    come_to(1);
    return wait_for(2);
}

/* A companion's paging buffers, and the tables that it writes, are behind an IOMMU, at the
 * addresses of memory or at others. */
static void a_companion_runs_behind_an_iommu(void **state)
{
    static const char *const gpus[] = {
        "wddm 2.9\nisolation on\ncompanion 0\n",
        "wddm 2.9\nisolation on\nmap_aperture2 on\nremapping on\ncompanion 0\n"};
    struct vidmm_address_operation one;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        start_on(gpus[i]);
        assert_int_equal(vidmm_adapter_isolate(rig.adapter, &rig.report), STATUS_SUCCESS);
        one = mapping(0, 0);
        assert_int_equal(after(1, &one, 1), STATUS_SUCCESS);
        come_to(1);
        assert_int_equal(wait_for(2), STATUS_SUCCESS);
        touch(&first, &rig.allocations[0], AT, true);
        finish();
    }
}

/* The companion is the first to run on node 0, where the engine hangs. It is preempted, and its
 * paging buffer goes there again. */
static void a_companion_that_hangs_goes_on(void **state)
{
    struct vidmm_address_operation one;
    struct vidmm_statistics statistics;

    (void)state;
    assert_int_equal(change_on("companion 0\npreemption on\nhang 0 1 preemptible\n", &one),
                     STATUS_SUCCESS);
    vidmm_adapter_statistics(rig.adapter, &statistics);
    assert_int_equal(statistics.preemptions, 1);
    assert_int_equal(statistics.resets, 0);
    assert_int_equal(vidmm_fence_value(fence), 2);
    touch(&first, &rig.allocations[0], AT, true);
    finish();
}

/* ... or is lost with all that the adapter has. */
static void a_companion_that_is_lost_takes_its_device_along(void **state)
{
    struct vidmm_address_operation one;

    (void)state;
    assert_int_equal(change_on("companion 0\nhang 0 1\n", &one), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_device_condition(first.device, NULL), STATUS_DEVICE_REMOVED);
    assert_int_equal(after(3, &one, 1), STATUS_DEVICE_REMOVED);
    end_program(&first);
    begin_program(&first, 1); /* the process has another one, and its addresses */
    assert_int_equal(vidmm_fence_create(first.device, 0, 0, &fence, &rig.report), STATUS_SUCCESS);
    create(&first, &rig.allocations[1], 8);
    make(&first, rig.allocations[1].handle);
    assert_true(reserve(2 * AT, BYTES(64), VIDMM_ADDRESSES_NO_ACCESS) == 2 * AT);
    one = mapping(1, 0);
    one.base = 2 * AT;
    assert_int_equal(after(1, &one, 1), STATUS_SUCCESS);
    come_to(1);
    assert_int_equal(vidmm_fence_value(fence), 2);
    touch(&first, &rig.allocations[1], 2 * AT, true);
    end_program(&first);
    rig_finish(&rig);
}

/* Its addresses lose their page tables, and have them again before the next change: the change may
 * wait over it. */
static void a_companion_goes_on_when_power_is_back(void **state)
{
    static const char *const gpus[] = {"", "companion 0\n", "levels 2\n"};
    struct vidmm_address_operation one;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        start_on(gpus[i]);
        one = mapping(0, 0);
        assert_int_equal(after(1, &one, 1), STATUS_SUCCESS);
        come_to(1);
        touch(&first, &rig.allocations[0], AT, true);
        one = mapping(0, 8);
        assert_int_equal(after(3, &one, 1), STATUS_SUCCESS);
        assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D3, &rig.report), 0);
        assert_int_equal(vidmm_adapter_set_power(rig.adapter, VIDMM_POWER_D0, &rig.report), 0);
        come_to(3);
        assert_int_equal(vidmm_fence_value(fence), 4);
        one = mapping(0, 16);
        assert_int_equal(after(5, &one, 1), STATUS_SUCCESS);
        come_to(5);
        touch(&first, &rig.allocations[0], AT + BYTES(8), true);
        touch(&first, &rig.allocations[0], AT + BYTES(16), true);
        touch(&first, &rig.allocations[0], AT, true);
        finish();
    }
}

static void refused(NTSTATUS status, NTSTATUS expected, const char *words)
{
    if (status != expected || strstr(rig.report.text, words) == NULL)
        fail_msg("0x%08x: \"%s\" lacks \"%s\"", (unsigned)status, rig.report.text, words);
    assert_int_equal(state_of(0), VIDMM_ADDRESSES_NO_ACCESS);
}

static void each_argument_is_judged(void **state)
{
    struct vidmm_address_operation one;
    struct vidmm_fence *mute, *own;
    struct vidmm_fence_point point;

    (void)state;
    start_with_fence();
    one = mapping(0, 0);
    point = (struct vidmm_fence_point){fence, 0};
    refused(after(0, NULL, 1), STATUS_INVALID_PARAMETER, "operations");
    refused(after(0, &one, 0), STATUS_INVALID_PARAMETER, "count is 0");
    refused(after(0, &one, 65537), STATUS_INVALID_PARAMETER, "1 to 65536");
    refused(vidmm_update_addresses_after(first.context, &one, 1, NULL, 0, &rig.report),
            STATUS_INVALID_PARAMETER, "after");
    refused(vidmm_update_addresses_after(first.context, &one, 1, &point, 4, &rig.report),
            STATUS_INVALID_PARAMETER, "flags is 4");
    refused(after(UINT64_MAX, &one, 1), STATUS_INVALID_PARAMETER, "below 2^64 - 1");
    point.fence = NULL;
    refused(vidmm_update_addresses_after(first.context, &one, 1, &point, VIDMM_UPDATE_AT_ONCE,
                                         &rig.report),
            STATUS_INVALID_PARAMETER, "fence");
    one.base += 1;
    refused(after(0, &one, 1), STATUS_INVALID_PARAMETER, "base is");
    one = mapping(0, 0);
    one.use.allocation = NULL;
    refused(after(0, &one, 1), STATUS_INVALID_PARAMETER, "D-217");
    one = mapping(0, 60); /* longer than the reservation */
    refused(after(0, &one, 1), STATUS_INVALID_PARAMETER, "D-222");
    one = mapping(0, 0);
    assert_int_equal(vidmm_fence_create(first.device, 0, VIDMM_FENCE_NO_SIGNAL, &mute, &rig.report),
                     STATUS_SUCCESS);
    point.fence = mute;
    refused(vidmm_update_addresses_after(first.context, &one, 1, &point, VIDMM_UPDATE_AT_ONCE,
                                         &rig.report),
            STATUS_ACCESS_DENIED, "D-191");
    assert_int_equal(vidmm_fence_create(first.device, 0, VIDMM_FENCE_NO_WAIT, &mute, &rig.report),
                     STATUS_SUCCESS);
    point.fence = mute;
    refused(vidmm_update_addresses_after(first.context, &one, 1, &point, VIDMM_UPDATE_AT_ONCE,
                                         &rig.report),
            STATUS_ACCESS_DENIED, "D-191");
    begin_program(&second, 2);
    assert_int_equal(vidmm_fence_create(second.device, 0, 0, &own, &rig.report), STATUS_SUCCESS);
    point.fence = own;
    refused(vidmm_update_addresses_after(first.context, &one, 1, &point, VIDMM_UPDATE_AT_ONCE,
                                         &rig.report),
            STATUS_INVALID_PARAMETER, "fence");
    end_program(&second);
    assert_int_equal(vidmm_fence_value(fence), 0);
    finish();
}

/* Memory ends at each place in turn, and nothing has changed. */
static void without_memory_nothing_has_changed(void **state)
{
    struct vidmm_address_operation one;
    NTSTATUS status = STATUS_NO_MEMORY;
    uint64_t denied;

    (void)state;
    start_with_fence();
    one = mapping(0, 0);
    for (denied = 1; status == STATUS_NO_MEMORY; denied++) {
        assert_int_equal(state_of(0), VIDMM_ADDRESSES_NO_ACCESS);
        vidmm_machine_fail_allocation(rig.machine, denied);
        status = after(5, &one, 1);
        vidmm_machine_fail_allocation(rig.machine, 0);
    }
    assert_int_equal(status, STATUS_SUCCESS);
    assert_true(denied > 3);
    come_to(5);
    assert_int_equal(state_of(0), VIDMM_ADDRESSES_MAPPED);
    assert_int_equal(vidmm_fence_value(fence), 6);
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_destroyed_allocation_is_left_out),
        cmocka_unit_test(freed_addresses_are_left_out),
        cmocka_unit_test(a_destroyed_fence_holds_nothing_back),
        cmocka_unit_test(a_context_gives_up_what_it_has_not_changed),
        cmocka_unit_test(whatever_waits_goes_with_the_device),
        cmocka_unit_test(nothing_is_waited_for_at_once),
        cmocka_unit_test(a_companion_runs_behind_an_iommu),
        cmocka_unit_test(a_companion_that_hangs_goes_on),
        cmocka_unit_test(a_companion_that_is_lost_takes_its_device_along),
        cmocka_unit_test(a_companion_goes_on_when_power_is_back),
        cmocka_unit_test(a_device_in_error_gives_up),
        cmocka_unit_test(each_argument_is_judged),
        cmocka_unit_test(without_memory_nothing_has_changed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
