/* seen_lock1.c: lock1.def, broken once and kept once. */
#include "together.h"

#include <vidmm/lock2.h>

#include "lock_with.h"
#include "ranges.h"

static void expect_refusal(uint32_t flags, const char *id)
{
    struct vidmm_report report = {{0}};

    assert_int_equal(lock_with(flags, &report), STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(report.text, id));
}

void breaks_D_149(void **state)
{
    (void)state;
    expect_refusal(VIDMM_LOCK_READ_ONLY | VIDMM_LOCK_WRITE_ONLY, "D-149");
    expect_refusal(VIDMM_LOCK_IGNORE_SYNC | VIDMM_LOCK_ACQUIRE_APERTURE, "D-149");
    expect_refusal(VIDMM_LOCK_USE_ALTERNATE_VA, "D-149");
}

void keeps_D_149(void **state)
{
    struct vidmm_report report = {{0}};

    (void)state;
    assert_int_equal(lock_with(VIDMM_LOCK_READ_ONLY, &report), STATUS_SUCCESS);
    assert_int_equal(lock_with(VIDMM_LOCK_WRITE_ONLY, &report), STATUS_SUCCESS);
    assert_int_equal(lock_with(VIDMM_LOCK_IGNORE_SYNC | VIDMM_LOCK_DONOT_WAIT, &report),
                     STATUS_SUCCESS);
}

/* ---- what may be locked ---- */

/* A UMD locks what its driver describes with these flags. */
static void lock_described(uint32_t flags, bool broken)
{
    struct rig_options options = rig_defaults();
    struct vidmm_report report = {{0}};
    struct shown shown;
    struct rig_allocation *one;

    shown_init(&shown, &options, NULL);
    one = &shown.rig.allocations[0];
    assert_int_equal(rig_create(&shown.rig, one, 5000, 2, flags), STATUS_SUCCESS);
    struct vidmm_lock_arguments arguments = {.allocation = one->handle, .flags = VIDMM_LOCK_ENTIRE};
    for (uint64_t times = 1; times <= 2; times++) {
        NTSTATUS status = vidmm_lock_pages(&arguments, &report);

        assert_int_equal(status, broken ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS);
        assert_int_equal(shown_findings(&shown, "S0-005"), broken ? times : 0);
        if (!broken)
            assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
    }
    one->handle = broken ? NULL : one->handle; /* nobody can read it */
    shown_finish(&shown);
}

void breaks_S0_005(void **state)
{
    (void)state;
    lock_described(0, true);
}

void keeps_S0_005(void **state)
{
    (void)state;
    lock_described(1, false);
}

/* ---- unlocks ---- */

/* A device of that GPU (NULL: of 1.x) goes, with an allocation of its own and one of a shared
 * resource that both were locked twice, and unlocked so often. How many locks without an unlock
 * were told of: they are at an end. */
static uint64_t leave_locked_on(const char *gpu, uint32_t unlocks, bool destroy_first)
{
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;
    struct vidmm_device *device;
    struct vidmm_allocation *locked[2];
    struct shown shown;
    uint64_t findings;
    void *data;

    options.gpu = gpu;
    shown_init(&shown, &options, NULL);
    together_describe(1);
    if (gpu != NULL)
        together_wishes[0].read_set = together_wishes[0].write_set = 1; /* obeys W-023 */
    assert_int_equal(vidmm_device_create(shown.rig.adapter, 1, &device, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_resource_create(device, &(struct vidmm_resource_options){.shared = true},
                                           together_descriptions, 1, &resource, &locked[0], NULL),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_allocation_create(device, &together_wishes[1],
                                             sizeof(together_wishes[1]), &locked[1], NULL),
                     STATUS_SUCCESS);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(gpu != NULL ? vidmm_lock2(locked[i % 2], 0, &data, NULL)
                                     : vidmm_lock(locked[i % 2], 0, &data, NULL),
                         STATUS_SUCCESS);
    for (uint32_t i = 0; i < unlocks; i++)
        assert_int_equal(vidmm_unlock(locked[i % 2]), STATUS_SUCCESS);
    if (destroy_first)
        vidmm_allocation_destroy(locked[1]);
    assert_int_equal(shown_findings(&shown, "D-159"), 0);
    vidmm_device_destroy(device);
    findings = shown_findings(&shown, "D-159");
    shown_finish(&shown);
    return findings;
}

static uint64_t leave_locked(uint32_t unlocks, bool destroy_first)
{
    return leave_locked_on(NULL, unlocks, destroy_first);
}

void breaks_D_159(void **state)
{
    (void)state;
    assert_int_equal(leave_locked(0, false), 1);
    assert_int_equal(leave_locked(3, false), 1); /* its own */
    assert_int_equal(leave_locked(3, true), 1);
    assert_int_equal(leave_locked(0, true), 1);
}

/* One that another device has open too stays locked for it, and for it alone. From 2.0 on a lock
 * is for life. */
void keeps_D_159(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_allocation *ours[1], *theirs[1];
    struct vidmm_resource *resource, *opened;
    struct vidmm_device *device;
    struct shown shown;
    void *data;

    (void)state;
    assert_int_equal(leave_locked(4, false), 0);
    assert_int_equal(leave_locked(4, true), 0);
    assert_int_equal(leave_locked_on("wddm 2.0\n", 0, false), 0);
    assert_int_equal(leave_locked_on("wddm 2.0\n", 1, true), 0);
    shown_init(&shown, &options, NULL);
    together_describe(1);
    assert_int_equal(vidmm_resource_create(shown.rig.device,
                                           &(struct vidmm_resource_options){.shared = true},
                                           together_descriptions, 1, &resource, ours, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_device_create(shown.rig.adapter, 1, &device, NULL), STATUS_SUCCESS);
    assert_int_equal(
        vidmm_resource_open(device, vidmm_resource_handle(resource), &opened, theirs, 1, NULL),
        STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(ours[0], 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(theirs[0], 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(theirs[0]), STATUS_SUCCESS);
    vidmm_device_destroy(device);
    assert_int_equal(shown_findings(&shown, "D-159"), 0);
    assert_int_equal(vidmm_unlock(ours[0]), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(ours[0]), STATUS_INVALID_PARAMETER);
    shown_finish(&shown);
}

/* ---- swizzling ranges ------------------------------------------------------------------------ */

static NTSTATUS acquire_unavailable(HANDLE adapter, DXGKARG_ACQUIRESWIZZLINGRANGE *arguments)
{
    (void)adapter;
    (void)arguments;
    return STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE;
}

static NTSTATUS acquire_unsupported(HANDLE adapter, DXGKARG_ACQUIRESWIZZLINGRANGE *arguments)
{
    (void)adapter;
    (void)arguments;
    return STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED;
}

static void never_available(DRIVER_INITIALIZATION_DATA *driver)
{
    driver->DxgkDdiAcquireSwizzlingRange = acquire_unavailable;
}

static void never_supported(DRIVER_INITIALIZATION_DATA *driver)
{
    driver->DxgkDdiAcquireSwizzlingRange = acquire_unsupported;
}

void breaks_D_161(void **state)
{
    struct rig_allocation *allocation;
    struct vidmm_report report;
    struct shown shown;

    (void)state;
    ranges_init(&shown, "ranges 2\nbroken range_status\n", NULL);
    allocation = ranges_drawn(&shown, 0, SWIZZLED);
    assert_int_equal(ranges_lock(&shown, allocation, BY_APERTURE, 0), STATUS_DEVICE_REMOVED);
    assert_true(vidmm_adapter_condition(shown.rig.adapter, &report) != STATUS_SUCCESS);
    assert_non_null(strstr(report.text, "DxgkDdiAcquireSwizzlingRange answered a status"));
    assert_non_null(strstr(report.text, "0x10e, 0xf"));
    shown_end(&shown);
}

/* The driver has means for one range of three: each lock takes those of the one before. */
static void one_at_a_time(void)
{
    struct shown shown;

    ranges_init(&shown, "ranges 3\nrange_limit 1\n", NULL);
    for (uint32_t index = 0; index < 3; index++)
        ranges_drawn(&shown, index, SWIZZLED);
    for (uint32_t index = 0; index < 3; index++) {
        assert_int_equal(ranges_lock(&shown, &shown.rig.allocations[index], BY_APERTURE, 0),
                         STATUS_SUCCESS);
        ranges_unlock(&shown, &shown.rig.allocations[index]);
    }
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_ACQUIRE_SWIZZLING_RANGE), 5);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_RELEASE_SWIZZLING_RANGE), 2);
    assert_int_equal(ranges_unswizzled(&shown, 0), 0);
    shown_finish(&shown);
}

/* None is to be had: the content is evicted, unswizzled. */
static void evicted_instead(void (*bend)(DRIVER_INITIALIZATION_DATA *driver))
{
    struct rig_allocation *allocation;
    struct shown shown;

    ranges_init(&shown, "ranges 2\n", bend);
    allocation = ranges_drawn(&shown, 0, SWIZZLED);
    assert_int_equal(ranges_lock(&shown, allocation, BY_APERTURE, 0), STATUS_SUCCESS);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_ACQUIRE_SWIZZLING_RANGE), 1);
    assert_int_equal(ranges_unswizzled(&shown, 0), 1);
    ranges_unlock(&shown, allocation);
    shown_finish(&shown);
}

void keeps_D_161(void **state)
{
    (void)state;
    one_at_a_time();
    evicted_instead(never_available);
    evicted_instead(never_supported);
}

static void *range_address; /* of a lock that lasts */

static void breaks_a_range(const char *gpu, bool evicted)
{
    struct rig_allocation *allocation;
    struct shown shown;

    ranges_init(&shown, gpu, NULL);
    allocation = ranges_drawn(&shown, 0, SWIZZLED);
    assert_int_equal(ranges_lock(&shown, allocation, BY_APERTURE, 0), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, "D-162"), 1);
    assert_int_equal(ranges_unswizzled(&shown, 0), evicted);
    ranges_unlock(&shown, allocation);
    shown_finish(&shown);
}

void breaks_D_162(void **state)
{
    (void)state;
    breaks_a_range("ranges 2\nbroken range_no_address\n", true);
    breaks_a_range("ranges 2\nbroken range_size\n", false);
}

/* The content that a lock showed is there still, through the same addresses. */
static void touch_again(struct shown *shown, struct rig_allocation *allocation, uint32_t page)
{
    assert_non_null(range_address);
    rig_touch_page(&shown->rig, allocation, (char *)range_address + page * VIDMM_PAGE_SIZE, page,
                   true);
    assert_true(shown->rig.cpu_mismatches == 0);
}

static PDXGKDDI_ACQUIRESWIZZLINGRANGE honest_acquire;
static UINT more_bytes; /* those that the range shows beyond the allocation */

static NTSTATUS generous_acquire(HANDLE hAdapter, DXGKARG_ACQUIRESWIZZLINGRANGE *arguments)
{
    arguments->RangeSize += more_bytes;
    return honest_acquire(hAdapter, arguments);
}

static void bend_to_more(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_acquire = driver->DxgkDdiAcquireSwizzlingRange;
    driver->DxgkDdiAcquireSwizzlingRange = generous_acquire;
}

/* By an alternate address the size is the driver's: the lock shows all of it, and the pages of
 * system memory that stand for it when the allocation leaves are as many. */
static void goes_on_with_the_drivers_size(UINT more)
{
    struct rig_allocation *a;
    struct shown shown;
    char *data;

    more_bytes = more;
    ranges_init(&shown, "ranges 2\n", bend_to_more);
    a = ranges_drawn(&shown, 0, SWIZZLED);
    assert_int_equal(ranges_lock(&shown, a, BY_ALTERNATE, 0), STATUS_SUCCESS);
    data = ranges_data;
    for (UINT byte = 0; byte < more; byte += VIDMM_PAGE_SIZE)
        assert_true(*(volatile char *)(data + a->pages * VIDMM_PAGE_SIZE + byte) | 1);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_ACQUIRE_SWIZZLING_RANGE), 1);
    assert_int_equal(shown_findings(&shown, "D-162"), 0);
    assert_int_equal(ranges_crowd(&shown, true), STATUS_SUCCESS); /* it leaves, and is followed */
    for (uint32_t page = 0; page < a->pages; page++)
        rig_touch_page(&shown.rig, a, data + page * VIDMM_PAGE_SIZE, page, true);
    assert_true(shown.rig.cpu_mismatches == 0);
    assert_int_equal(shown_count_builds(&shown, 0, DXGK_OPERATION_SPECIAL_LOCK_TRANSFER), 1);
    ranges_unlock(&shown, a);
    shown_use_one(&shown, a, true);
    shown_finish(&shown);
}

void keeps_D_162(void **state)
{
    struct rig_allocation *a, *b;
    struct shown shown;

    (void)state;
    ranges_init(&shown, "ranges 3\n", NULL);
    a = ranges_drawn(&shown, 0, SWIZZLED);
    b = ranges_drawn(&shown, 1, SWIZZLED);
    for (uint32_t data = 0; data < 2; data++) { /* two ranges of a, one of b */
        assert_int_equal(ranges_lock(&shown, a, BY_APERTURE, data), STATUS_SUCCESS);
        ranges_unlock(&shown, a);
    }
    assert_int_equal(ranges_lock(&shown, b, BY_APERTURE, 0), STATUS_SUCCESS);
    range_address = ranges_data;
    assert_int_equal(ranges_lock(&shown, a, BY_APERTURE, 7), STATUS_SUCCESS); /* takes one of its */
    ranges_unlock(&shown, a);
    assert_int_equal(ranges_lock(&shown, a, BY_APERTURE, 1),
                     STATUS_SUCCESS); /* the other is good */
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_ACQUIRE_SWIZZLING_RANGE), 4);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_RELEASE_SWIZZLING_RANGE), 1);
    touch_again(&shown, b, 0); /* nobody released the range that b is locked through */
    ranges_unlock(&shown, a);
    ranges_unlock(&shown, b);
    assert_int_equal(shown_findings(&shown, "D-162"), 0);
    shown_finish(&shown);
    ranges_init(&shown, "ranges 2\nbroken range_size\n", NULL);
    a = ranges_drawn(&shown, 0, SWIZZLED);
    assert_int_equal(ranges_lock(&shown, a, BY_ALTERNATE, 0), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, "D-162"), 0);
    ranges_unlock(&shown, a);
    shown_finish(&shown);
    goes_on_with_the_drivers_size(0);
    goes_on_with_the_drivers_size(VIDMM_PAGE_SIZE);
    goes_on_with_the_drivers_size(3 * VIDMM_PAGE_SIZE);
}
