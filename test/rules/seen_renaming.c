/* seen_renaming.c: renaming.def, broken once and kept once. */
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
    shown_finish(&shown);
    return status;
}

void breaks_D_173(void **state)
{
    struct vidmm_report report = {{0}};

    (void)state;
    assert_int_equal(lock_with(VIDMM_LOCK_NO_EXISTING_REFERENCE, &report),
                     STATUS_INVALID_PARAMETER);
    assert_non_null(strstr(report.text, "D-173"));
}

void keeps_D_173(void **state)
{
    struct vidmm_report report = {{0}};

    (void)state;
    assert_int_equal(lock_with(VIDMM_LOCK_NO_EXISTING_REFERENCE | VIDMM_LOCK_DISCARD, &report),
                     STATUS_SUCCESS);
}
