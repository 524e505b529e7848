/* seen_lock1.c: lock1.def, broken once and kept once. */
#include "rules_rig.h"

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
