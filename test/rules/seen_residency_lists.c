/* seen_residency_lists.c: residency.def, budget.def, renaming.def and lock2.def broken by programs
 * on a physical driver of WDDM 2.0, and answered. Its memory has 64 pages.
 */
#include "flag_words.h"
#include "rules_rig.h"

#include <vidmm/budget.h>
#include <vidmm/engine.h>
#include <vidmm/lock.h>
#include <vidmm/paging_queue.h>

#include "vidmm/object/adapter.h"

#define BYTES(pages) ((uint64_t)(pages)*VIDMM_PAGE_SIZE)

enum { CANT_TRIM = VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER };
enum { MUST = VIDMM_MAKE_RESIDENT_MUST_SUCCEED };

static struct shown shown;
static struct vidmm_paging_queue *queue;

static void begin(const char *gpu)
{
    shown_init_gpu(&shown, gpu, NULL);
    if (strstr(gpu, "2.0") != NULL)
        assert_int_equal(vidmm_paging_queue_create(shown.rig.device, 1, &queue, &shown.rig.report),
                         0);
}

static struct vidmm_allocation *create(uint32_t index, uint32_t pages)
{
    return shown_create(&shown, index, pages, CPU_VISIBLE | ACCESSED_PHYSICALLY)->handle;
}

static NTSTATUS make(struct vidmm_allocation *allocation, uint32_t flags,
                     struct vidmm_residency_result *result)
{
    NTSTATUS status = vidmm_make_resident(queue, &allocation, 1, flags, result, &shown.rig.report);

    if (status == STATUS_PENDING)
        status = vidmm_paging_queue_wait(queue, result->value, &shown.rig.report);
    return status;
}

static NTSTATUS evict(struct vidmm_allocation *allocation, struct vidmm_residency_result *result)
{
    return vidmm_evict(shown.rig.device, &allocation, 1, 0, result, &shown.rig.report);
}

static uint64_t usage(void)
{
    struct vidmm_budget_info info;

    assert_int_equal(vidmm_query_video_memory(shown.rig.adapter, 1, VIDMM_GROUP_LOCAL, &info, NULL),
                     0);
    return info.usage;
}

static bool may_submit(void)
{
    return rig_render(&shown.rig, NULL, 0, 0) == STATUS_SUCCESS &&
           vidmm_context_wait(shown.rig.context, shown.rig.value) == STATUS_SUCCESS;
}

/* No rule was broken towards the driver, and nothing is left. */
static void end(void)
{
    rig_judge(&shown.rig, shown.rig.gpu);
    rig_stop(&shown.rig);
    shown_is_clean(&shown);
    shown_end(&shown);
}

/* ---- residency.def ---- */

void breaks_D_197(void **state)
{
    struct vidmm_residency_result result;

    (void)state;
    begin("wddm 2.0\n");
    create(0, 16);
    shown_refused(&shown, make(shown.rig.allocations[0].handle, MUST, &result),
                  STATUS_INVALID_PARAMETER, "D-197");
    assert_int_equal(usage(), 0);
    assert_true(may_submit());
    create(1, 56);
    assert_int_equal(make(shown.rig.allocations[0].handle, CANT_TRIM | MUST, &result), 0);
    assert_int_equal(make(shown.rig.allocations[1].handle, CANT_TRIM | MUST, &result),
                     STATUS_NO_MEMORY); /* more than there is */
    assert_int_equal(result.bytes_to_trim, BYTES(8));
    assert_int_equal(usage(), BYTES(16));
    assert_int_not_equal(vidmm_device_condition(shown.rig.device, &shown.rig.report),
                         STATUS_SUCCESS);
    assert_false(may_submit());
    shown_settle(&shown);
    shown_end(&shown);
}

void keeps_D_197(void **state)
{
    struct vidmm_residency_result result;

    (void)state;
    begin("wddm 2.0\n");
    create(0, 16);
    create(1, 56);
    assert_int_equal(make(shown.rig.allocations[0].handle, CANT_TRIM | MUST, &result), 0);
    assert_int_equal(usage(), BYTES(16));
    assert_int_equal(make(shown.rig.allocations[1].handle, CANT_TRIM, &result), STATUS_NO_MEMORY);
    assert_int_equal(make(shown.rig.allocations[1].handle, 0, &result), STATUS_NO_MEMORY);
    assert_int_equal(vidmm_device_condition(shown.rig.device, &shown.rig.report), STATUS_SUCCESS);
    assert_true(may_submit());
    end();
}

/* One of two is another device's. */
void breaks_D_198(void **state)
{
    struct vidmm_device *own, *second;
    struct vidmm_allocation *two[2];
    struct vidmm_residency_result result;

    (void)state;
    begin("wddm 2.0\n");
    own = shown.rig.device;
    for (uint64_t process = 1; process <= 2; process++) { /* of this process too */
        two[0] = create(0, 4);
        assert_int_equal(
            vidmm_device_create(shown.rig.adapter, process, &second, &shown.rig.report), 0);
        shown.rig.device = second;
        two[1] = create(1, 4);
        shown.rig.device = own;
        shown_refused(&shown, vidmm_make_resident(queue, two, 2, 0, &result, &shown.rig.report),
                      STATUS_INVALID_PARAMETER, "D-198");
        assert_int_equal(usage(), 0);
        assert_int_equal(evict(two[0], NULL), STATUS_INVALID_PARAMETER); /* none was counted */
        vidmm_allocation_destroy(two[0]);
        vidmm_allocation_destroy(two[1]);
        vidmm_device_destroy(second);
        shown.rig.allocations[0].handle = shown.rig.allocations[1].handle = NULL;
    }
    assert_true(may_submit());
    end();
}

void keeps_D_198(void **state)
{
    struct vidmm_allocation *two[2];
    struct vidmm_residency_result result;

    (void)state;
    begin("wddm 2.0\n");
    two[0] = create(0, 4);
    two[1] = create(1, 4);
    assert_int_equal(vidmm_make_resident(queue, two, 2, 0, &result, &shown.rig.report),
                     STATUS_PENDING);
    assert_int_equal(vidmm_paging_queue_wait(queue, result.value, &shown.rig.report), 0);
    assert_int_equal(usage(), BYTES(8));
    end();
}

/* ---- budget.def ---- */

/* 40 of 64 pages are resident, and the budget is 30 from now on. */
static void above_budget(void)
{
    struct vidmm_residency_result result;
    struct vidmm_trim_request trim;

    begin("wddm 2.0\n");
    create(0, 16);
    create(1, 24);
    create(2, 4);
    for (unsigned index = 0; index < 2; index++)
        assert_int_equal(make(shown.rig.allocations[index].handle, 0, &result), 0);
    assert_false(vidmm_trim_take(shown.rig.device, &trim));
    assert_int_equal(vidmm_set_budget(shown.rig.adapter, 1, VIDMM_GROUP_LOCAL, BYTES(30), NULL), 0);
    assert_true(vidmm_trim_take(shown.rig.device, &trim));
    assert_int_equal(trim.flags, VIDMM_TRIM_TO_BUDGET);
    assert_int_equal(trim.bytes_to_trim, BYTES(10));
    assert_false(vidmm_trim_take(shown.rig.device, &trim)); /* once */
}

/* A program that does not trim hears by how much, and nothing more becomes resident for it. */
void breaks_D_207(void **state)
{
    struct vidmm_residency_result result;
    struct vidmm_trim_request trim;

    (void)state;
    above_budget();
    assert_int_equal(make(shown.rig.allocations[2].handle, 0, &result), STATUS_NO_MEMORY);
    assert_int_equal(result.bytes_to_trim, BYTES(14));
    assert_int_equal(vidmm_trim_periodic(shown.rig.adapter, false, NULL), 0);
    assert_int_equal(vidmm_trim_periodic(shown.rig.adapter, true, NULL), 0);
    assert_true(vidmm_trim_take(shown.rig.device, &trim));
    assert_int_equal(trim.flags, VIDMM_TRIM_RESTART_PERIODIC); /* not both */
    assert_int_equal(usage(), BYTES(40));
    end();
}

/* One that trims goes on; the periodic requests are two, and never one. */
void keeps_D_207(void **state)
{
    struct vidmm_residency_result result;
    struct vidmm_trim_request trim;

    (void)state;
    above_budget();
    assert_int_equal(evict(shown.rig.allocations[0].handle, &result), 0);
    assert_int_equal(result.bytes_to_trim, 0);
    assert_int_equal(make(shown.rig.allocations[2].handle, 0, &result), 0);
    assert_int_equal(usage(), BYTES(28));
    for (unsigned restart = 0; restart < 2; restart++) {
        assert_int_equal(vidmm_trim_periodic(shown.rig.adapter, restart != 0, NULL), 0);
        assert_true(vidmm_trim_take(shown.rig.device, &trim));
        assert_int_equal(trim.flags,
                         restart != 0 ? VIDMM_TRIM_RESTART_PERIODIC : VIDMM_TRIM_PERIODIC);
        assert_int_equal(trim.bytes_to_trim, 0);
    }
    assert_int_equal(vidmm_trim_periodic(shown.rig.adapter, true, NULL), 0);
    assert_int_equal(vidmm_trim_periodic(shown.rig.adapter, false, NULL), 0);
    assert_true(vidmm_trim_take(shown.rig.device, &trim));
    assert_int_equal(trim.flags, VIDMM_TRIM_PERIODIC);
    end();
}

/* ---- renaming.def, lock2.def ---- */

static struct vidmm_allocation *locked; /* the instance that a lock answered */

/* A lock of an idle allocation of two pages. */
static NTSTATUS lock_by(struct vidmm_allocation *allocation, uint32_t flags, void **data)
{
    struct vidmm_lock_arguments arguments = {.allocation = allocation,
                                             .flags = flags | VIDMM_LOCK_ENTIRE};
    NTSTATUS status = vidmm_lock_pages(&arguments, &shown.rig.report);

    *data = arguments.data;
    locked = arguments.allocation;
    return status;
}

static void discard_fails(uint32_t flags)
{
    struct vidmm_allocation *allocation = create(0, 2);
    void *data;

    assert_int_not_equal(lock_by(allocation, VIDMM_LOCK_DISCARD | flags, &data), STATUS_SUCCESS);
    assert_null(data);
    assert_int_equal(vidmm_unlock(allocation), STATUS_INVALID_PARAMETER); /* nothing is locked */
}

/* A program that counts on the manager for a new instance. */
void breaks_S2_007(void **state)
{
    (void)state;
    begin("wddm 2.0\n");
    discard_fails(0);
    discard_fails(VIDMM_LOCK_NO_EXISTING_REFERENCE);
    end();
}

/* One that goes without; and one below 2.0. */
void keeps_S2_007(void **state)
{
    struct vidmm_residency_result result;
    struct vidmm_allocation *allocation;
    void *data;

    (void)state;
    begin("wddm 2.0\n");
    assert_int_equal(make(create(0, 2), 0, &result), 0);
    shown_use_one(&shown, &shown.rig.allocations[0], true);
    end();
    begin("wddm 1.3\n");
    allocation = create(0, 2);
    assert_int_equal(lock_by(allocation, VIDMM_LOCK_DISCARD, &data), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(locked), STATUS_SUCCESS);
    end();
}

static unsigned ranges; /* that the driver was asked for, or given back */

static void have_ranges(DXGK_DRIVERCAPS *caps)
{
    caps->NumberOfSwizzlingRanges = 2;
}

static NTSTATUS acquire(HANDLE adapter, DXGKARG_ACQUIRESWIZZLINGRANGE *arguments)
{
    (void)adapter;
    (void)arguments;
    ranges++;
    return STATUS_SUCCESS;
}

static NTSTATUS release(HANDLE adapter, const DXGKARG_RELEASESWIZZLINGRANGE *arguments)
{
    (void)adapter;
    (void)arguments;
    ranges++;
    return STATUS_SUCCESS;
}

static void bend_ranges(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend.caps = have_ranges;
    shown_bend_caps(driver);
    driver->DxgkDdiAcquireSwizzlingRange = acquire;
    driver->DxgkDdiReleaseSwizzlingRange = release;
    ranges = 0;
}

/* A driver that says that it has two. */
static void begin_with_ranges(const char *gpu)
{
    shown_init_gpu(&shown, gpu, bend_ranges);
}

/* A program that counts on a range. */
void breaks_S2_013(void **state)
{
    struct vidmm_allocation *allocation;
    void *data;

    (void)state;
    begin_with_ranges("wddm 2.0\n");
    assert_int_equal(shown.rig.adapter->range_count, 0);
    allocation = create(0, 2);
    assert_int_not_equal(
        lock_by(allocation, VIDMM_LOCK_USE_ALTERNATE_VA | VIDMM_LOCK_ACQUIRE_APERTURE, &data),
        STATUS_SUCCESS);
    assert_null(data);
    assert_int_equal(ranges, 0);
    end();
}

/* One that does not: whatever happens to it, the driver is asked for no range. */
void keeps_S2_013(void **state)
{
    struct vidmm_residency_result result;
    struct vidmm_allocation *allocation;

    (void)state;
    begin_with_ranges("wddm 1.3\n");
    assert_int_equal(shown.rig.adapter->range_count, 2);
    end();
    begin_with_ranges("wddm 2.0\n");
    assert_int_equal(vidmm_paging_queue_create(shown.rig.device, 1, &queue, &shown.rig.report), 0);
    allocation = create(0, 2);
    assert_int_equal(make(allocation, 0, &result), 0);
    shown_use_one(&shown, &shown.rig.allocations[0], true);
    assert_int_equal(evict(allocation, &result), 0);
    shown_settle(&shown);
    assert_int_equal(ranges, 0);
    end();
}
