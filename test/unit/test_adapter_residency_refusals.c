/* test_adapter_residency_refusals.c: the refusals that paging_queue.h and budget.h allow, each
 * once. The status is the one that they name, the words name the argument, and nothing has changed.
 */
#include "test_adapter_rig.h"

#include <vidmm/budget.h>
#include <vidmm/engine.h>
#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>
#include <wddm/d3dkmddi_allocation.h>

enum { CPU_VISIBLE = 1, PHYSICALLY = 0x8000, APERTURE = 1, MEMORY = 2 };

#define LOCAL VIDMM_GROUP_LOCAL

static struct rig rig;
static struct vidmm_paging_queue *queue;
static struct vidmm_allocation *allocation;
static struct vidmm_machine_counts before;
static struct vidmm_residency_result result;

static void begin(const char *gpu)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    rig_init(&rig, &options);
    queue = NULL;
    allocation = NULL;
    if (strstr(gpu, "wddm 1") == NULL) {
        assert_int_equal(
            vidmm_paging_queue_create(rig.device, VIDMM_PAGING_QUEUE_NORMAL, &queue, &rig.report),
            STATUS_SUCCESS);
        assert_int_equal(
            rig_create(&rig, &rig.allocations[0], 4 * VIDMM_PAGE_SIZE, MEMORY, PHYSICALLY),
            STATUS_SUCCESS);
        allocation = rig.allocations[0].handle;
    }
    vidmm_machine_settle(rig.machine);
    before = vidmm_machine_counts(rig.machine);
    result = (struct vidmm_residency_result){77, 77};
}

static void end(void)
{
    rig_judge(&rig, rig.gpu);
    rig_finish(&rig);
}

/* The status, the words, and nothing that was taken. */
static void assert_refused(NTSTATUS status, NTSTATUS expected, const char *words)
{
    struct vidmm_machine_counts now;

    if (status != expected || strstr(rig.report.text, words) == NULL)
        fail_msg("0x%08x, not 0x%08x: \"%s\" lacks \"%s\"", (unsigned)status, (unsigned)expected,
                 rig.report.text, words);
    vidmm_machine_settle(rig.machine);
    now = vidmm_machine_counts(rig.machine);
    assert_int_equal(now.blocks, before.blocks);
    assert_int_equal(now.pages, before.pages);
    rig.report.text[0] = '\0';
}

static NTSTATUS make(struct vidmm_allocation *const *allocations, uint32_t count, uint32_t flags)
{
    return vidmm_make_resident(queue, allocations, count, flags, &result, &rig.report);
}

static NTSTATUS evict(struct vidmm_allocation *const *allocations, uint32_t count, uint32_t flags)
{
    return vidmm_evict(rig.device, allocations, count, flags, &result, &rig.report);
}

static void assert_unlisted(void)
{
    struct vidmm_budget_info info;

    assert_int_equal(result.value, 0);
    assert_int_equal(vidmm_query_video_memory(rig.adapter, 1, LOCAL, &info, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(info.usage, 0);
}

/* ---- queues ---------------------------------------------------------------------------------- */

static void a_queue_has_a_priority_and_a_place_for_its_handle(void **state)
{
    struct vidmm_paging_queue *none = NULL;

    (void)state;
    begin("wddm 2.0\n");
    assert_refused(vidmm_paging_queue_create(rig.device, 3, &none, &rig.report),
                   STATUS_INVALID_PARAMETER, "priority is 3");
    assert_null(none);
    assert_refused(vidmm_paging_queue_create(rig.device, 0, NULL, &rig.report),
                   STATUS_INVALID_PARAMETER, "queue");
    vidmm_paging_queue_destroy(NULL);
    end();
}

static void a_value_that_was_not_answered_is_not_waited_for(void **state)
{
    (void)state;
    begin("wddm 2.0\n");
    assert_refused(vidmm_paging_queue_wait(queue, 7001, &rig.report), STATUS_INVALID_PARAMETER,
                   "value is 7001");
    assert_int_equal(vidmm_paging_queue_wait(queue, 7000, &rig.report), STATUS_SUCCESS);
    end();
}

/* ---- requests -------------------------------------------------------------------------------- */

static void flags_that_are_none_are_refused(void **state)
{
    (void)state;
    begin("wddm 2.0\n");
    assert_refused(make(&allocation, 1, 4), STATUS_INVALID_PARAMETER, "flags is 4");
    assert_refused(make(&allocation, 1, VIDMM_MAKE_RESIDENT_MUST_SUCCEED), STATUS_INVALID_PARAMETER,
                   "D-197");
    assert_unlisted();
    assert_refused(evict(&allocation, 1, 4), STATUS_INVALID_PARAMETER, "flags is 4");
    end();
}

static void a_request_names_one_allocation_at_least_and_10240_at_most(void **state)
{
    struct vidmm_allocation *none = NULL, *two[2] = {allocation, NULL};

    (void)state;
    begin("wddm 2.0\n");
    two[0] = allocation;
    assert_refused(make(&allocation, 0, 0), STATUS_INVALID_PARAMETER, "count is 0");
    assert_refused(make(&allocation, 10241, 0), STATUS_INVALID_PARAMETER, "count is 10241");
    assert_refused(make(NULL, 1, 0), STATUS_INVALID_PARAMETER, "allocations");
    assert_refused(make(&none, 1, 0), STATUS_INVALID_PARAMETER, "index of an allocation is 0");
    assert_refused(make(two, 2, 0), STATUS_INVALID_PARAMETER, "index of an allocation is 1");
    assert_unlisted();
    assert_refused(evict(&allocation, 0, 0), STATUS_INVALID_PARAMETER, "count is 0");
    assert_refused(evict(two, 2, 0), STATUS_INVALID_PARAMETER, "index of an allocation is 1");
    end();
}

static void an_allocation_of_another_device_is_refused(void **state)
{
    struct vidmm_device *other;

    (void)state;
    begin("wddm 2.0\n");
    assert_int_equal(vidmm_device_create(rig.adapter, 1, &other, &rig.report), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    before = vidmm_machine_counts(rig.machine);
    assert_refused(vidmm_evict(other, &allocation, 1, 0, &result, &rig.report),
                   STATUS_INVALID_PARAMETER, "D-198");
    vidmm_paging_queue_destroy(queue);
    assert_int_equal(vidmm_paging_queue_create(other, 0, &queue, &rig.report), STATUS_SUCCESS);
    assert_refused(make(&allocation, 1, 0), STATUS_INVALID_PARAMETER, "D-198");
    assert_unlisted();
    end();
}

static void an_eviction_names_none_more_often_than_it_is_counted(void **state)
{
    struct vidmm_allocation *twice[2];

    (void)state;
    begin("wddm 2.0\n");
    assert_refused(evict(&allocation, 1, 0), STATUS_INVALID_PARAMETER,
                   "index of an allocation is 0");
    assert_int_equal(make(&allocation, 1, 0), STATUS_PENDING);
    vidmm_machine_settle(rig.machine);
    before = vidmm_machine_counts(rig.machine);
    twice[0] = twice[1] = allocation;
    assert_refused(evict(twice, 2, 0), STATUS_INVALID_PARAMETER, "index of an allocation is 1");
    assert_int_equal(evict(&allocation, 1, 0), STATUS_SUCCESS);
    end();
}

static void a_reclaim_is_of_the_queues_device(void **state)
{
    const struct vidmm_selection selection = {.allocations = &allocation, .allocation_count = 1};
    const struct vidmm_selection nothing = {.allocation_count = 0};
    struct vidmm_device *other;
    enum vidmm_reclaimed reclaimed = VIDMM_NOT_COMMITTED;
    bool discarded = true;

    (void)state;
    begin("wddm 2.0\n");
    assert_refused(vidmm_reclaim_queued(queue, &nothing, &reclaimed, &result, &rig.report),
                   STATUS_INVALID_PARAMETER, "elements of a selection");
    assert_int_equal(vidmm_device_create(rig.adapter, 1, &other, &rig.report), STATUS_SUCCESS);
    vidmm_paging_queue_destroy(queue);
    assert_int_equal(vidmm_paging_queue_create(other, 0, &queue, &rig.report), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    before = vidmm_machine_counts(rig.machine);
    assert_refused(vidmm_reclaim_queued(queue, &selection, &reclaimed, &result, &rig.report),
                   STATUS_INVALID_PARAMETER, "another device");
    assert_int_equal(reclaimed, VIDMM_NOT_COMMITTED);
    assert_refused(vidmm_reclaim(&selection, &discarded, &rig.report), STATUS_NOT_SUPPORTED,
                   "D-215");
    assert_true(discarded);
    end();
}

/* ---- budgets --------------------------------------------------------------------------------- */

static void a_budget_is_of_a_process_with_a_device_and_of_a_group(void **state)
{
    struct vidmm_budget_info info;

    (void)state;
    begin("wddm 2.0\n");
    assert_refused(vidmm_query_video_memory(rig.adapter, 9, LOCAL, &info, &rig.report),
                   STATUS_INVALID_PARAMETER, "process is 9");
    assert_refused(vidmm_query_video_memory(rig.adapter, 0, LOCAL, &info, &rig.report),
                   STATUS_INVALID_PARAMETER, "process is 0"); /* the system's has none */
    assert_refused(
        vidmm_query_video_memory(rig.adapter, 1, VIDMM_SEGMENT_GROUPS, &info, &rig.report),
        STATUS_INVALID_PARAMETER, "group is 2");
    assert_refused(vidmm_query_video_memory(rig.adapter, 1, LOCAL, NULL, &rig.report),
                   STATUS_INVALID_PARAMETER, "info");
    assert_refused(vidmm_reserve_video_memory(rig.adapter, 1, LOCAL, (256 << 10) + 1, &rig.report),
                   STATUS_INVALID_PARAMETER, "size is 262145");
    assert_refused(vidmm_set_budget(rig.adapter, 1, LOCAL, (256 << 10) + 1, &rig.report),
                   STATUS_INVALID_PARAMETER, "size is 262145");
    assert_refused(vidmm_set_budget(rig.adapter, 9, LOCAL, 0, &rig.report),
                   STATUS_INVALID_PARAMETER, "process is 9");
    end();
}

/* ---- levels ---------------------------------------------------------------------------------- */

static void below_2_0_residency_is_not_asked_for(void **state)
{
    struct vidmm_budget_info info;
    struct vidmm_trim_request trim;

    (void)state;
    begin("wddm 1.3\n");
    assert_refused(vidmm_paging_queue_create(rig.device, 0, &queue, &rig.report),
                   STATUS_NOT_SUPPORTED, "DriverVersion");
    assert_refused(evict(&allocation, 1, 0), STATUS_NOT_SUPPORTED, "DriverVersion");
    assert_refused(vidmm_query_video_memory(rig.adapter, 1, LOCAL, &info, &rig.report),
                   STATUS_NOT_SUPPORTED, "DriverVersion");
    assert_refused(vidmm_reserve_video_memory(rig.adapter, 1, LOCAL, 0, &rig.report),
                   STATUS_NOT_SUPPORTED, "DriverVersion");
    assert_refused(vidmm_trim_periodic(rig.adapter, false, &rig.report), STATUS_NOT_SUPPORTED,
                   "DriverVersion");
    assert_false(vidmm_trim_take(rig.device, &trim));
    assert_int_equal(vidmm_trim_wait(rig.device, &trim), STATUS_NOT_SUPPORTED);
    end();
}

/* obeys S3-004 */
static void a_lock_from_2_0_on_needs_an_allocation_that_the_cpu_sees(void **state)
{
    struct vidmm_lock_arguments arguments = {.flags = VIDMM_LOCK_ENTIRE};

    (void)state;
    begin("wddm 2.0\n");
    arguments.allocation = allocation;
    assert_refused(vidmm_lock_pages(&arguments, &rig.report), STATUS_INVALID_PARAMETER, "S3-004");
    end();
}

/* obeys D-096, D-216 */
static void a_list_names_what_is_accessed_physically_and_offers_nothing(void **state)
{
    struct vidmm_render_reference reference = {0};
    struct rig_command command = {.touch = {.seed = RIG_SEED}};
    struct rig_allocation plain;
    uint64_t value;

    (void)state;
    begin("wddm 2.0\n");
    command.touch.command = (struct softgpu_command){SOFTGPU_TOUCH, softgpu_touch_size(0)};
    reference.allocation = allocation;
    reference.offer_priority = VIDMM_OFFER_LOW;
    assert_refused(vidmm_render(rig.context, &command, softgpu_touch_size(0), &reference, 1, true,
                                &value, &rig.report),
                   STATUS_INVALID_PARAMETER, "D-216");
    assert_int_equal(rig_create(&rig, &plain, VIDMM_PAGE_SIZE, MEMORY, 0), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    before = vidmm_machine_counts(rig.machine);
    reference = (struct vidmm_render_reference){.allocation = plain.handle};
    assert_refused(vidmm_render(rig.context, &command, softgpu_touch_size(0), &reference, 1, true,
                                &value, &rig.report),
                   STATUS_INVALID_PARAMETER, "D-096");
    end();
}

/* ---- no memory ------------------------------------------------------------------------------- */

/* A count that no block of numbers is to be had for. */
static void without_host_memory_nothing_is_listed(void **state)
{
    static struct vidmm_allocation *many[10240];

    (void)state;
    begin("wddm 2.0\n");
    for (uint32_t index = 0; index < 10240; index++)
        many[index] = allocation;
    for (uint64_t fail = 1; fail <= 3; fail++) {
        vidmm_machine_fail_allocation(rig.machine, fail);
        NTSTATUS status = make(many, 10240, 0);

        vidmm_machine_fail_allocation(rig.machine, 0);
        if (status == STATUS_PENDING)
            break;
        assert_int_equal(status, STATUS_NO_MEMORY);
        assert_non_null(strstr(rig.report.text, "count is 10240"));
        assert_int_equal(result.bytes_to_trim, 0);
        assert_unlisted();
    }
    end();
}

static void without_host_memory_there_is_no_queue(void **state)
{
    uint64_t refusals = 0;

    (void)state;
    begin("wddm 2.0\n");
    for (uint64_t fail = 1; fail <= 40; fail++) {
        struct vidmm_paging_queue *more = NULL;
        NTSTATUS status;

        vidmm_machine_fail_allocation(rig.machine, fail);
        status = vidmm_paging_queue_create(rig.device, 1, &more, &rig.report);
        vidmm_machine_fail_allocation(rig.machine, 0);
        if (status == STATUS_SUCCESS) {
            vidmm_paging_queue_destroy(more);
            continue;
        }
        assert_int_equal(status, STATUS_NO_MEMORY);
        assert_null(more);
        assert_non_null(strstr(rig.report.text, "no memory for a paging queue"));
        refusals++;
    }
    assert_true(refusals >= 1);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_has_a_priority_and_a_place_for_its_handle),
        cmocka_unit_test(a_value_that_was_not_answered_is_not_waited_for),
        cmocka_unit_test(flags_that_are_none_are_refused),
        cmocka_unit_test(a_request_names_one_allocation_at_least_and_10240_at_most),
        cmocka_unit_test(an_allocation_of_another_device_is_refused),
        cmocka_unit_test(an_eviction_names_none_more_often_than_it_is_counted),
        cmocka_unit_test(a_reclaim_is_of_the_queues_device),
        cmocka_unit_test(a_budget_is_of_a_process_with_a_device_and_of_a_group),
        cmocka_unit_test(without_host_memory_there_is_no_queue),
        cmocka_unit_test(below_2_0_residency_is_not_asked_for),
        cmocka_unit_test(a_lock_from_2_0_on_needs_an_allocation_that_the_cpu_sees),
        cmocka_unit_test(a_list_names_what_is_accessed_physically_and_offers_nothing),
        cmocka_unit_test(without_host_memory_nothing_is_listed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
