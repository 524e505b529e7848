/* test_adapter_decommit.c: offers with ALLOW_DECOMMIT. When system memory runs out, backing stores
 * of what is offered go to who asks, the least wanted first, and no more than are asked for; who
 * reclaims them hears of it, and nobody uses them again.
 */
#include "test_adapter_rig.h"

#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>

enum {
    MEMORY = 2,
    PAGES = 32, /* of an allocation; memory has 64, the machine 2048 */
};

#define SIZE ((uint64_t)PAGES * VIDMM_PAGE_SIZE)
#define ALLOW VIDMM_OFFER_ALLOW_DECOMMIT

static struct rig rig;
static struct vidmm_paging_queue *queue;
static struct rig_allocation fillers[80];
static uint32_t filled;

static void start(const char *gpu)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    rig_init(&rig, &options);
    assert_int_equal(
        vidmm_paging_queue_create(rig.device, VIDMM_PAGING_QUEUE_NORMAL, &queue, &rig.report),
        STATUS_SUCCESS);
    filled = 0;
}

static void finish(void)
{
    rig_judge(&rig, rig.gpu);
    rig_finish(&rig);
}

static NTSTATUS create(struct rig_allocation *allocation)
{
    return rig_create(&rig, allocation, SIZE, MEMORY, 1);
}

/* `count` allocations that this test looks at, with a byte of the CPU's in each. */
static struct rig_allocation *take(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        void *data;

        assert_int_equal(create(&rig.allocations[i]), STATUS_SUCCESS);
        assert_int_equal(vidmm_lock2(rig.allocations[i].handle, 0, &data, &rig.report),
                         STATUS_SUCCESS);
        *(uint8_t *)data = (uint8_t)(1 + i);
        assert_int_equal(vidmm_unlock2(rig.allocations[i].handle, &rig.report), STATUS_SUCCESS);
    }
    return rig.allocations;
}

/* One more of others, as long as there is memory. */
static NTSTATUS one_more(void)
{
    NTSTATUS status;

    assert_true(filled < sizeof(fillers) / sizeof(fillers[0]));
    status = create(&fillers[filled]);
    filled += status == STATUS_SUCCESS ? 1 : 0;
    return status;
}

/* Take all memory but for less than an allocation has, at the cost of nothing that is offered. */
static void fill(void)
{
    uint64_t pages = (8 << 20) / VIDMM_PAGE_SIZE;

    while (pages - vidmm_machine_counts(rig.machine).pages >= PAGES)
        assert_int_equal(one_more(), STATUS_SUCCESS);
}

static struct vidmm_selection selection_of(struct rig_allocation *allocation)
{
    return (struct vidmm_selection){.allocations = &allocation->handle, .allocation_count = 1};
}

static void offer(struct rig_allocation *allocation, uint32_t priority, uint32_t flags)
{
    const struct vidmm_selection one = selection_of(allocation);

    assert_int_equal(vidmm_offer(&one, priority, flags, &rig.report), STATUS_SUCCESS);
}

static enum vidmm_reclaimed reclaim(struct rig_allocation *allocation)
{
    const struct vidmm_selection one = selection_of(allocation);
    struct vidmm_residency_result result = {0};
    enum vidmm_reclaimed reclaimed = (enum vidmm_reclaimed)9;
    NTSTATUS status = vidmm_reclaim_queued(queue, &one, &reclaimed, &result, &rig.report);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &rig.report);
    assert_int_equal(status, STATUS_SUCCESS);
    return reclaimed;
}

static uint64_t bytes_decommitted(void)
{
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(rig.adapter, &statistics);
    return statistics.bytes_decommitted;
}

static void make_resident(struct rig_allocation *allocation)
{
    struct vidmm_residency_result result;
    NTSTATUS status = vidmm_make_resident(queue, &allocation->handle, 1, 0, &result, &rig.report);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result.value, &rig.report);
    assert_int_equal(status, STATUS_SUCCESS);
}

/* It can be destroyed, and all else is refused. */
static void is_lost(struct rig_allocation *allocation)
{
    void *data;

    assert_int_equal(reclaim(allocation), VIDMM_NOT_COMMITTED);
    assert_int_equal(reclaim(allocation), VIDMM_NOT_COMMITTED);
    assert_int_equal(vidmm_lock2(allocation->handle, 0, &data, &rig.report),
                     STATUS_INVALID_PARAMETER);
    offer(allocation, VIDMM_OFFER_LOW, 0); /* again: it stays what it is */
    assert_int_equal(reclaim(allocation), VIDMM_NOT_COMMITTED);
    assert_int_equal(vidmm_allocation_size(allocation->handle), SIZE); /* as it was created */
    vidmm_allocation_destroy(allocation->handle);
    allocation->handle = NULL;
}

static void has_its_byte(struct rig_allocation *allocation, uint8_t byte)
{
    void *data;

    assert_int_equal(vidmm_lock2(allocation->handle, 0, &data, &rig.report), STATUS_SUCCESS);
    assert_int_equal(*(uint8_t *)data, byte);
    assert_int_equal(vidmm_unlock2(allocation->handle, &rig.report), STATUS_SUCCESS);
}

/* ---- who pays, and when ---------------------------------------------------------------------- */

static void memory_of_an_offer_goes_to_who_asks(const char *gpu)
{
    struct rig_allocation *one;
    struct vidmm_machine_counts before;

    start(gpu);
    one = take(1);
    offer(one, VIDMM_OFFER_NORMAL, ALLOW);
    fill();
    before = vidmm_machine_counts(rig.machine);
    assert_int_equal(bytes_decommitted(), 0);
    assert_int_equal(one_more(), STATUS_SUCCESS);
    assert_int_equal(bytes_decommitted(), SIZE);
    assert_int_equal(vidmm_machine_counts(rig.machine).pages, before.pages);
    assert_int_equal(one_more(), STATUS_NO_MEMORY);
    assert_non_null(strstr(rig.report.text, "system memory"));
    is_lost(one);
    finish();
}

static void system_memory_is_given_to_who_asks(void **state)
{
    (void)state;
    memory_of_an_offer_goes_to_who_asks("wddm 2.0\n");
}

static void with_page_tables_too(void **state)
{
    (void)state;
    memory_of_an_offer_goes_to_who_asks("wddm 2.4\nmmu gpu\n");
}

static void what_was_not_to_be_decommitted_stays(void **state)
{
    struct rig_allocation *one;

    (void)state;
    start("wddm 2.0\n");
    one = take(2);
    offer(&one[0], VIDMM_OFFER_LOW, 0);
    fill();
    assert_int_equal(one_more(), STATUS_NO_MEMORY);
    assert_int_equal(bytes_decommitted(), 0);
    assert_int_equal(reclaim(&one[0]), VIDMM_RECLAIMED);
    has_its_byte(&one[0], 1);
    has_its_byte(&one[1], 2);
    finish();
}

/* The newest offer says whether, and what was reclaimed in time is whole. */
static void what_is_reclaimed_in_time_is_whole(void **state)
{
    struct rig_allocation *one;

    (void)state;
    start("wddm 2.0\n");
    one = take(2);
    offer(&one[0], VIDMM_OFFER_LOW, ALLOW);
    offer(&one[1], VIDMM_OFFER_LOW, ALLOW);
    assert_int_equal(reclaim(&one[0]), VIDMM_RECLAIMED);
    offer(&one[1], VIDMM_OFFER_LOW, 0);
    fill();
    assert_int_equal(one_more(), STATUS_NO_MEMORY);
    has_its_byte(&one[0], 1);
    assert_int_equal(reclaim(&one[1]), VIDMM_RECLAIMED);
    has_its_byte(&one[1], 2);
    finish();
}

/* D-212: each creation takes what it needs, low offers before normal and high ones. */
static void the_least_wanted_go_first_and_no_more_than_needed(void **state)
{
    struct rig_allocation *one;

    (void)state;
    start("wddm 2.0\n");
    one = take(3);
    offer(&one[0], VIDMM_OFFER_HIGH, ALLOW);
    offer(&one[1], VIDMM_OFFER_NORMAL, ALLOW);
    offer(&one[2], VIDMM_OFFER_LOW, ALLOW);
    fill();
    assert_int_equal(one_more(), STATUS_SUCCESS);
    assert_int_equal(bytes_decommitted(), SIZE);
    is_lost(&one[2]);
    assert_int_equal(one_more(), STATUS_SUCCESS);
    assert_int_equal(bytes_decommitted(), 2 * SIZE);
    is_lost(&one[1]);
    assert_int_equal(reclaim(&one[0]), VIDMM_RECLAIMED);
    has_its_byte(&one[0], 1);
    finish();
}

static enum vidmm_residency residency_of(struct rig_allocation *allocation)
{
    const struct vidmm_selection one = selection_of(allocation);
    enum vidmm_residency residency;

    assert_int_equal(vidmm_query_residency(&one, &residency, &rig.report), STATUS_SUCCESS);
    return residency;
}

/* Its content leaves the memory segment first, without a copy. */
static void what_is_in_a_segment_leaves_it(const char *gpu)
{
    struct rig_allocation *one;

    start(gpu);
    one = take(1);
    make_resident(one);
    assert_int_equal(residency_of(one), VIDMM_RESIDENT_IN_GPU);
    offer(one, VIDMM_OFFER_NORMAL, ALLOW);
    fill();
    assert_int_equal(one_more(), STATUS_SUCCESS);
    assert_int_equal(bytes_decommitted(), SIZE);
    assert_int_equal(residency_of(one), VIDMM_NOT_RESIDENT);
    make_resident(one); /* on the list once more, and it stays away: it is offered */
    assert_int_equal(residency_of(one), VIDMM_NOT_RESIDENT);
    is_lost(one);
    finish();
}

static void what_is_in_memory_leaves_it(void **state)
{
    (void)state;
    what_is_in_a_segment_leaves_it("wddm 2.0\n");
}

static void what_is_mapped_by_address_leaves_it(void **state)
{
    (void)state;
    what_is_in_a_segment_leaves_it("wddm 2.4\nmmu gpu\n");
}

/* The GPU has reached its pages, to copy them: none is given back while it does. */
static void behind_an_iommu_too(void **state)
{
    (void)state;
    what_is_in_a_segment_leaves_it("wddm 2.4\nisolation on\n");
}

/* Two in one selection: each hears its own. */
static void each_element_hears_its_own(void **state)
{
    struct vidmm_allocation *handles[2];
    const struct vidmm_selection both = {.allocations = handles, .allocation_count = 2};
    enum vidmm_reclaimed reclaimed[2] = {VIDMM_RECLAIMED_DISCARDED, VIDMM_RECLAIMED_DISCARDED};
    struct vidmm_residency_result result;
    struct rig_allocation *one;

    (void)state;
    start("wddm 2.0\n");
    one = take(2);
    handles[0] = one[0].handle;
    handles[1] = one[1].handle;
    offer(&one[0], VIDMM_OFFER_LOW, ALLOW);
    offer(&one[1], VIDMM_OFFER_HIGH, ALLOW);
    fill();
    assert_int_equal(one_more(), STATUS_SUCCESS);
    assert_int_equal(vidmm_reclaim_queued(queue, &both, reclaimed, &result, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(reclaimed[0], VIDMM_NOT_COMMITTED);
    assert_int_equal(reclaimed[1], VIDMM_RECLAIMED);
    has_its_byte(&one[1], 2);
    finish();
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void is_refused(NTSTATUS found, NTSTATUS status, const char *words)
{
    assert_int_equal(found, status);
    assert_non_null(strstr(rig.report.text, words));
}

static void flags_that_are_none_are_refused(void **state)
{
    struct vidmm_selection selection;
    struct rig_allocation *one;
    void *data;

    (void)state;
    start("wddm 2.0\n");
    one = take(1);
    selection = selection_of(one);
    is_refused(vidmm_offer(&selection, VIDMM_OFFER_LOW, 2, &rig.report), STATUS_INVALID_PARAMETER,
               "flags of an offer");
    is_refused(vidmm_offer(&selection, VIDMM_OFFER_LOW, UINT32_MAX, &rig.report),
               STATUS_INVALID_PARAMETER, "ALLOW_DECOMMIT");
    assert_int_equal(vidmm_lock2(one->handle, 0, &data, &rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock2(one->handle, &rig.report), STATUS_SUCCESS);
    finish();
}

/* D-215: the results are required, and nothing is reclaimed without. */
static void results_are_required(void **state)
{
    struct vidmm_residency_result result;
    struct vidmm_selection selection;
    struct rig_allocation *one;
    void *data;

    (void)state;
    start("wddm 2.0\n");
    one = take(1);
    selection = selection_of(one);
    offer(one, VIDMM_OFFER_LOW, ALLOW);
    is_refused(vidmm_reclaim_queued(queue, &selection, NULL, &result, &rig.report),
               STATUS_INVALID_PARAMETER, "D-215");
    assert_int_equal(vidmm_lock2(one->handle, 0, &data, &rig.report), STATUS_INVALID_PARAMETER);
    assert_int_equal(reclaim(one), VIDMM_RECLAIMED);
    assert_int_equal(vidmm_reclaim_queued(queue, &selection, NULL, &result, &rig.report),
                     STATUS_SUCCESS); /* it is offered no more */
    has_its_byte(one, 1);
    finish();
}

static void before_2_0_there_is_no_such_offer(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_selection selection;

    (void)state;
    options.gpu = "wddm 1.3\n";
    rig_init(&rig, &options);
    assert_int_equal(create(&rig.allocations[0]), STATUS_SUCCESS);
    selection = selection_of(&rig.allocations[0]);
    assert_int_equal(vidmm_offer(&selection, VIDMM_OFFER_LOW, ALLOW, &rig.report),
                     STATUS_NOT_SUPPORTED);
    assert_int_equal(vidmm_offer(&selection, VIDMM_OFFER_LOW, 0, &rig.report), STATUS_SUCCESS);
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(system_memory_is_given_to_who_asks),
        cmocka_unit_test(with_page_tables_too),
        cmocka_unit_test(what_was_not_to_be_decommitted_stays),
        cmocka_unit_test(what_is_reclaimed_in_time_is_whole),
        cmocka_unit_test(the_least_wanted_go_first_and_no_more_than_needed),
        cmocka_unit_test(what_is_in_memory_leaves_it),
        cmocka_unit_test(what_is_mapped_by_address_leaves_it),
        cmocka_unit_test(behind_an_iommu_too),
        cmocka_unit_test(each_element_hears_its_own),
        cmocka_unit_test(flags_that_are_none_are_refused),
        cmocka_unit_test(results_are_required),
        cmocka_unit_test(before_2_0_there_is_no_such_offer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
