/* seen_lock1.c: lock1.def, broken once and kept once. */
#include "together.h"

static NTSTATUS lock_with(uint32_t flags, struct vidmm_report *report)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    NTSTATUS status;

    shown_init(&shown, &options, NULL);
    struct rig_allocation *a = &shown.rig.allocations[0];
    assert_int_equal(rig_create(&shown.rig, a, 5000, 1, 1), STATUS_SUCCESS);
    struct vidmm_lock_arguments arguments = {a->handle, flags | VIDMM_LOCK_ENTIRE, 0, NULL, NULL};
    status = vidmm_lock_pages(&arguments, report);
    if (status == STATUS_SUCCESS)
        assert_int_equal(vidmm_unlock(a->handle), STATUS_SUCCESS);
    else
        assert_null(arguments.data);
    shown_finish(&shown);
    return status;
}

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
    struct vidmm_lock_arguments arguments = {one->handle, VIDMM_LOCK_ENTIRE, 0, NULL, NULL};
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

/* A device goes, with an allocation of its own and one of a shared resource that both were locked twice,
 * and unlocked so often. How many locks without an unlock were told of: they are at an end. */
static uint64_t leave_locked(uint32_t unlocks, bool destroy_first)
{
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;
    struct vidmm_device *device;
    struct vidmm_allocation *locked[2];
    struct shown shown;
    uint64_t findings;
    void *data;

    shown_init(&shown, &options, NULL);
    together_describe(1);
    assert_int_equal(vidmm_device_create(shown.rig.adapter, 1, &device, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_resource_create(device, &(struct vidmm_resource_options){.shared = true},
                                           together_descriptions, 1, &resource, &locked[0], NULL),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_allocation_create(device, &together_wishes[1],
                                             sizeof(together_wishes[1]), &locked[1], NULL),
                     STATUS_SUCCESS);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(vidmm_lock(locked[i % 2], 0, &data), STATUS_SUCCESS);
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

void breaks_D_159(void **state)
{
    (void)state;
    assert_int_equal(leave_locked(0, false), 1);
    assert_int_equal(leave_locked(3, false), 1); /* its own */
    assert_int_equal(leave_locked(3, true), 1);
    assert_int_equal(leave_locked(0, true), 1);
}

/* One that another device has open too stays locked for it, and for it alone. */
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
    shown_init(&shown, &options, NULL);
    together_describe(1);
    assert_int_equal(vidmm_resource_create(shown.rig.device,
                                           &(struct vidmm_resource_options){.shared = true},
                                           together_descriptions, 1, &resource, ours, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_device_create(shown.rig.adapter, 1, &device, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_resource_open(device, vidmm_resource_handle(resource), &opened, theirs,
                                         1, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(ours[0], 0, &data), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(theirs[0], 0, &data), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(theirs[0]), STATUS_SUCCESS);
    vidmm_device_destroy(device);
    assert_int_equal(shown_findings(&shown, "D-159"), 0);
    assert_int_equal(vidmm_unlock(ours[0]), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(ours[0]), STATUS_INVALID_PARAMETER);
    shown_finish(&shown);
}
