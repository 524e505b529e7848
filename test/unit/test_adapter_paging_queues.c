/* test_adapter_paging_queues.c: programs on physical drivers of WDDM 2.x. Allocations that they
 * make resident are there, by whatever way, and the GPU finds the bytes right with each use.
 */
#include "test_adapter_rig.h"

#include <vidmm/budget.h>
#include <vidmm/engine.h>
#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>
#include <wddm/d3dkmddi_allocation.h>

enum {
    PHYSICALLY = 0x8000, /* AccessedPhysically */
    APERTURE = 1,
    MEMORY = 2,
    EITHER = 3,
    PAGES = 16, /* of an allocation; memory has 64 */
};

#define BYTES(pages) ((uint64_t)(pages)*VIDMM_PAGE_SIZE)

static struct rig rig;
static struct vidmm_paging_queue *queue;

static const char *const levels[] = {"wddm 2.0\n", "wddm 2.1\n", "wddm 2.9\n",
                                     "wddm 3.0\n", "wddm 3.1\n", "wddm 3.2\n"};

static void start(const char *gpu)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    rig_init(&rig, &options);
    assert_int_equal(
        vidmm_paging_queue_create(rig.device, VIDMM_PAGING_QUEUE_NORMAL, &queue, &rig.report),
        STATUS_SUCCESS);
}

static void finish(void)
{
    rig_judge(&rig, rig.gpu);
    rig_finish(&rig);
}

static void create(struct rig_allocation *allocation, uint32_t pages, uint32_t set)
{
    NTSTATUS status = rig_create(&rig, allocation, BYTES(pages), set, PHYSICALLY);

    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, rig.report.text);
}

static NTSTATUS make(struct rig_allocation *allocation, uint32_t flags,
                     struct vidmm_residency_result *result)
{
    return vidmm_make_resident(queue, &allocation->handle, 1, flags, result, &rig.report);
}

static void make_and_wait(struct rig_allocation *allocation, uint32_t flags)
{
    struct vidmm_residency_result result;
    NTSTATUS status = make(allocation, flags, &result);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &rig.report);
    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, rig.report.text);
}

static void evict(struct rig_allocation *allocation)
{
    assert_int_equal(vidmm_evict(rig.device, &allocation->handle, 1, 0, NULL, &rig.report),
                     STATUS_SUCCESS);
}

static void render(struct rig_allocation *allocation, bool write)
{
    NTSTATUS status = rig_render(&rig, &allocation, 1, write ? 1 : 0);

    if (status != STATUS_SUCCESS)
        fail_msg("0x%08x: %s", (unsigned)status, rig.report.text);
}

static void wait_for_all(void)
{
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
}

static struct vidmm_statistics statistics(void)
{
    struct vidmm_statistics out;

    vidmm_adapter_statistics(rig.adapter, &out);
    return out;
}

static uint64_t device_allocations(void)
{
    struct vidmm_machine_counts counts;

    vidmm_machine_settle(rig.machine);
    counts = vidmm_machine_counts(rig.machine);
    return counts.pages;
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Twice the memory, made resident in turn, written and found again. */
static void use_in_turn(const char *gpu, uint32_t set)
{
    struct rig_allocation *all = rig.allocations;
    const uint32_t count = 8;

    start(gpu);
    for (uint32_t index = 0; index < count; index++)
        create(&all[index], PAGES, set);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t index = 0; index < count; index++) {
            make_and_wait(&all[index], 0);
            render(&all[index], round < 2);
            evict(&all[index]);
        }
    }
    wait_for_all();
    assert_int_equal(all[3].generation, 2);
    finish();
}

static void twice_the_memory_is_used_in_turn_on_every_level(void **state)
{
    char gpu[200];

    (void)state;
    for (size_t level = 0; level < sizeof(levels) / sizeof(levels[0]); level++) {
        for (uint32_t set = APERTURE; set <= EITHER; set++) {
            use_in_turn(levels[level], set);
            snprintf(gpu, sizeof(gpu), "%shabit immediate\n", levels[level]);
            use_in_turn(gpu, set);
        }
    }
}

static void content_leaves_and_comes_again(void **state)
{
    (void)state;
    start("wddm 2.0\n");
    for (uint32_t index = 0; index < 8; index++) {
        create(&rig.allocations[index], PAGES, MEMORY);
        make_and_wait(&rig.allocations[index], 0);
        render(&rig.allocations[index], true);
        evict(&rig.allocations[index]);
    }
    wait_for_all();
    assert_true(statistics().evictions >= 4);
    assert_true(statistics().bytes_out >= BYTES(4 * PAGES));
    make_and_wait(&rig.allocations[0], 0);
    render(&rig.allocations[0], false);
    wait_for_all();
    finish();
}

static void the_first_value_is_7001_and_the_cpu_reads_it(void **state)
{
    struct vidmm_residency_result result;

    (void)state;
    start("wddm 2.0\n");
    create(&rig.allocations[0], PAGES, MEMORY);
    assert_int_equal(vidmm_paging_queue_passed(queue), 7000);
    assert_int_equal(*vidmm_paging_queue_fence(queue), 7000);
    assert_int_equal(make(&rig.allocations[0], 0, &result), STATUS_PENDING);
    assert_int_equal(result.value, 7001);
    assert_int_equal(vidmm_paging_queue_wait(queue, 7001, &rig.report), STATUS_SUCCESS);
    assert_int_equal(*vidmm_paging_queue_fence(queue), 7001);
    assert_int_equal(rig_residency(&rig, &rig.allocations[0]), VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(make(&rig.allocations[0], 0, &result), STATUS_SUCCESS);
    assert_int_equal(result.value, 0);
    assert_int_equal(vidmm_paging_queue_failure(queue), STATUS_SUCCESS);
    finish();
}

static void an_allocation_is_evicted_as_often_as_it_was_made_resident(void **state)
{
    (void)state;
    start("wddm 2.0\n");
    create(&rig.allocations[0], PAGES, MEMORY);
    make_and_wait(&rig.allocations[0], 0);
    make_and_wait(&rig.allocations[0], 0);
    evict(&rig.allocations[0]);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(rig_residency(&rig, &rig.allocations[0]), VIDMM_RESIDENT_IN_GPU);
    evict(&rig.allocations[0]);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(rig_residency(&rig, &rig.allocations[0]), VIDMM_NOT_RESIDENT);
    assert_int_equal(vidmm_evict(rig.device, &rig.allocations[0].handle, 1, 0, NULL, &rig.report),
                     STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "index of an allocation"));
    finish();
}

static void what_is_not_on_the_list_puts_the_device_in_error(void **state)
{
    (void)state;
    start("wddm 2.0\n");
    create(&rig.allocations[0], PAGES, MEMORY);
    render(&rig.allocations[0], false);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(vidmm_device_condition(rig.device, &rig.report), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "D-094"));
    assert_int_equal(make(&rig.allocations[0], 0, NULL), STATUS_INVALID_PARAMETER);
    finish();
}

/* ---- several devices ------------------------------------------------------------------------- */

struct program {
    struct vidmm_device *device;
    struct vidmm_context *context;
    struct vidmm_paging_queue *queue;
};

/* Go on as a program that has its device still. */
static void go_on_as(const struct program *program)
{
    rig.device = program->device;
    rig.context = program->context;
    queue = program->queue;
}

/* Go on as a program of process 2. */
static void second_program(struct program *first)
{
    *first = (struct program){rig.device, rig.context, queue};
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &rig.device, &rig.report), 0);
    assert_int_equal(vidmm_context_create(rig.device, 0, NULL, 0, &rig.context, &rig.report), 0);
    assert_int_equal(vidmm_paging_queue_create(rig.device, 0, &queue, &rig.report), 0);
}

/* Two lists that do not fit together: the device whose turn it is has its own in place. */
static void a_suspended_device_is_resumed(void **state)
{
    struct program first, second;

    (void)state;
    start("wddm 2.0\n");
    create(&rig.allocations[0], 40, MEMORY);
    make_and_wait(&rig.allocations[0], 0);
    render(&rig.allocations[0], true);
    second_program(&first);
    second = (struct program){rig.device, rig.context, queue};
    create(&rig.allocations[1], 40, MEMORY);
    make_and_wait(&rig.allocations[1], VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER);
    for (uint32_t round = 0; round < 6; round++) {
        render(&rig.allocations[1], true);
        go_on_as(&first);
        render(&rig.allocations[0], true);
        wait_for_all();
        go_on_as(&second);
    }
    assert_true(statistics().suspensions >= 2);
    assert_int_equal(rig.allocations[0].generation, 7);
    vidmm_paging_queue_destroy(first.queue);
    vidmm_device_destroy(rig.device);
    go_on_as(&first);
    render(&rig.allocations[0], false);
    wait_for_all();
    finish();
}

/* ---- the queue ------------------------------------------------------------------------------- */

static void a_queue_may_be_destroyed_with_something_pending(void **state)
{
    struct vidmm_residency_result result;
    uint64_t pages;

    (void)state;
    start("wddm 2.0\n");
    create(&rig.allocations[0], PAGES, MEMORY);
    pages = device_allocations();
    for (uint32_t round = 0; round < 5; round++) {
        assert_int_equal(make(&rig.allocations[0], 0, &result), STATUS_PENDING);
        vidmm_paging_queue_destroy(queue);
        assert_int_equal(rig_residency(&rig, &rig.allocations[0]), VIDMM_RESIDENT_IN_GPU);
        assert_int_equal(vidmm_paging_queue_create(rig.device, 1, &queue, &rig.report), 0);
        assert_int_equal(vidmm_paging_queue_passed(queue), 7000);
        evict(&rig.allocations[0]);
        vidmm_machine_settle(rig.machine);
    }
    assert_int_equal(device_allocations(), pages);
    finish();
}

/* Its queues and its list go with it. */
static void a_device_may_be_destroyed_with_something_pending(void **state)
{
    (void)state;
    start("wddm 2.0\n");
    create(&rig.allocations[0], PAGES, MEMORY);
    assert_int_equal(make(&rig.allocations[0], 0, NULL), STATUS_PENDING);
    vidmm_device_destroy(rig.device);
    assert_int_equal(vidmm_device_create(rig.adapter, 1, &rig.device, &rig.report), 0);
    finish();
}

/* ---- budgets --------------------------------------------------------------------------------- */

static struct vidmm_budget_info share(uint64_t process)
{
    struct vidmm_budget_info info;

    assert_int_equal(
        vidmm_query_video_memory(rig.adapter, process, VIDMM_GROUP_LOCAL, &info, &rig.report),
        STATUS_SUCCESS);
    return info;
}

static void usage_is_what_the_devices_of_a_process_list(void **state)
{
    (void)state;
    start("wddm 2.0\n");
    create(&rig.allocations[0], PAGES, MEMORY);
    assert_int_equal(share(1).usage, 0);
    assert_int_equal(share(1).budget, BYTES(64));
    make_and_wait(&rig.allocations[0], 0);
    make_and_wait(&rig.allocations[0], 0);
    assert_int_equal(share(1).usage, BYTES(PAGES));
    evict(&rig.allocations[0]);
    evict(&rig.allocations[0]);
    assert_int_equal(share(1).usage, 0);
    finish();
}

static void above_the_budget_nothing_becomes_resident(void **state)
{
    struct vidmm_residency_result result;
    struct vidmm_trim_request trim;
    struct vidmm_allocation *both[2];

    (void)state;
    start("wddm 2.0\n");
    create(&rig.allocations[0], PAGES, MEMORY);
    create(&rig.allocations[1], PAGES, MEMORY);
    assert_int_equal(vidmm_set_budget(rig.adapter, 1, VIDMM_GROUP_LOCAL, BYTES(20), &rig.report),
                     STATUS_SUCCESS);
    both[0] = rig.allocations[0].handle;
    both[1] = rig.allocations[1].handle;
    assert_int_equal(vidmm_make_resident(queue, both, 2, 0, &result, &rig.report),
                     STATUS_NO_MEMORY);
    assert_int_equal(result.bytes_to_trim, BYTES(12));
    assert_int_equal(result.value, 0);
    assert_non_null(strstr(rig.report.text, "NumBytesToTrim"));
    assert_int_equal(share(1).usage, 0);
    make_and_wait(&rig.allocations[0], 0);
    assert_false(vidmm_trim_take(rig.device, &trim));
    assert_int_equal(vidmm_set_budget(rig.adapter, 1, VIDMM_GROUP_LOCAL, BYTES(6), &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_trim_wait(rig.device, &trim), STATUS_SUCCESS);
    assert_int_equal(trim.flags, VIDMM_TRIM_TO_BUDGET);
    assert_int_equal(trim.bytes_to_trim, BYTES(10));
    assert_false(vidmm_trim_take(rig.device, &trim));
    assert_int_equal(trim.flags | trim.bytes_to_trim, 0);
    assert_int_equal(make(&rig.allocations[1], VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, &result),
                     STATUS_PENDING);
    finish();
}

static void what_must_succeed_and_cannot_puts_the_device_in_error(void **state)
{
    const uint32_t must = VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER | VIDMM_MAKE_RESIDENT_MUST_SUCCEED;
    struct vidmm_residency_result result;

    (void)state;
    start("wddm 2.0\n");
    create(&rig.allocations[0], 40, MEMORY);
    create(&rig.allocations[1], 40, MEMORY);
    make_and_wait(&rig.allocations[0], 0);
    assert_int_equal(make(&rig.allocations[1], must, &result), STATUS_NO_MEMORY);
    assert_int_equal(result.bytes_to_trim, BYTES(16));
    assert_int_equal(vidmm_device_condition(rig.device, &rig.report),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_non_null(strstr(rig.report.text, "65536"));
    finish();
}

static void a_reservation_is_kept_free_of_the_others(void **state)
{
    struct vidmm_device *second;

    (void)state;
    start("wddm 2.0\n");
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &second, &rig.report), 0);
    assert_int_equal(share(1).available_for_reservation, BYTES(64));
    assert_int_equal(
        vidmm_reserve_video_memory(rig.adapter, 2, VIDMM_GROUP_LOCAL, BYTES(24), &rig.report),
        STATUS_SUCCESS);
    assert_int_equal(share(2).reservation, BYTES(24));
    assert_int_equal(share(1).budget, BYTES(40));
    assert_int_equal(share(1).available_for_reservation, BYTES(40));
    assert_int_equal(
        vidmm_reserve_video_memory(rig.adapter, 1, VIDMM_GROUP_LOCAL, BYTES(41), &rig.report),
        STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(rig.report.text, "AvailableForReservation"));
    assert_int_equal(share(1).reservation, 0);
    vidmm_device_destroy(second);
    assert_int_equal(share(1).budget, BYTES(64));
    finish();
}

static void periodic_trims_are_asked_of_every_device(void **state)
{
    struct vidmm_trim_request trim;
    struct vidmm_device *second;

    (void)state;
    start("wddm 2.0\n");
    assert_int_equal(vidmm_device_create(rig.adapter, 1, &second, &rig.report), 0);
    assert_int_equal(vidmm_trim_periodic(rig.adapter, false, &rig.report), STATUS_SUCCESS);
    assert_true(vidmm_trim_take(rig.device, &trim));
    assert_int_equal(trim.flags, VIDMM_TRIM_PERIODIC);
    assert_int_equal(vidmm_trim_periodic(rig.adapter, true, &rig.report), STATUS_SUCCESS);
    assert_true(vidmm_trim_take(second, &trim));
    assert_int_equal(trim.flags, VIDMM_TRIM_RESTART_PERIODIC); /* never both: D-207 */
    vidmm_device_destroy(second);
    finish();
}

/* ---- offers ---------------------------------------------------------------------------------- */

static void what_is_reclaimed_comes_back_by_the_queue(void **state)
{
    const struct vidmm_selection selection = {.allocations = &rig.allocations[0].handle,
                                              .allocation_count = 1};
    struct vidmm_residency_result result;
    struct program first;
    enum vidmm_reclaimed reclaimed = VIDMM_NOT_COMMITTED;

    (void)state;
    start("wddm 2.0\n");
    create(&rig.allocations[0], 40, MEMORY);
    make_and_wait(&rig.allocations[0], 0);
    render(&rig.allocations[0], true);
    wait_for_all();
    assert_int_equal(vidmm_offer(&selection, VIDMM_OFFER_NORMAL, 0, &rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_reclaim(&selection, NULL, &rig.report), STATUS_NOT_SUPPORTED);
    assert_int_equal(vidmm_reclaim_queued(queue, &selection, &reclaimed, &result, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(reclaimed, VIDMM_RECLAIMED);
    render(&rig.allocations[0], true); /* its content is there still */
    wait_for_all();
    assert_int_equal(vidmm_offer(&selection, VIDMM_OFFER_NORMAL, 0, &rig.report), STATUS_SUCCESS);
    second_program(&first);
    create(&rig.allocations[1], 40, MEMORY);
    make_and_wait(&rig.allocations[1], VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER); /* takes its place */
    vidmm_device_destroy(rig.device);
    go_on_as(&first);
    assert_int_equal(vidmm_reclaim_queued(queue, &selection, &reclaimed, &result, &rig.report),
                     STATUS_PENDING);
    assert_int_equal(reclaimed, VIDMM_RECLAIMED_DISCARDED);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, &rig.report), STATUS_SUCCESS);
    assert_int_equal(rig_residency(&rig, &rig.allocations[0]), VIDMM_RESIDENT_IN_GPU);
    rig.allocations[0].generation = 0; /* zeros */
    render(&rig.allocations[0], true);
    wait_for_all();
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twice_the_memory_is_used_in_turn_on_every_level),
        cmocka_unit_test(content_leaves_and_comes_again),
        cmocka_unit_test(the_first_value_is_7001_and_the_cpu_reads_it),
        cmocka_unit_test(an_allocation_is_evicted_as_often_as_it_was_made_resident),
        cmocka_unit_test(what_is_not_on_the_list_puts_the_device_in_error),
        cmocka_unit_test(a_suspended_device_is_resumed),
        cmocka_unit_test(a_queue_may_be_destroyed_with_something_pending),
        cmocka_unit_test(a_device_may_be_destroyed_with_something_pending),
        cmocka_unit_test(usage_is_what_the_devices_of_a_process_list),
        cmocka_unit_test(above_the_budget_nothing_becomes_resident),
        cmocka_unit_test(what_must_succeed_and_cannot_puts_the_device_in_error),
        cmocka_unit_test(a_reservation_is_kept_free_of_the_others),
        cmocka_unit_test(periodic_trims_are_asked_of_every_device),
        cmocka_unit_test(what_is_reclaimed_comes_back_by_the_queue),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
