/* seen_lock2.c: lock2.def and flags-v2.def, broken once and kept once, on drivers of WDDM 2.0. */
#include "rules_rig.h"

#include <vidmm/lock.h>
#include <vidmm/lock2.h>

static struct shown shown;
static struct vidmm_allocation *one;

static void begin(uint32_t flags)
{
    shown_init_gpu(&shown, "wddm 2.0\n", NULL);
    if (rig_create(&shown.rig, &shown.rig.allocations[0], VIDMM_PAGE_SIZE, 3, flags) !=
        STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
    one = shown.rig.allocations[0].handle;
}

static void end(void)
{
    shown.rig.allocations[0].handle = NULL;
    shown_finish(&shown);
}

void breaks_S2_022(void **state)
{
    void *data = &shown;

    (void)state;
    begin(0x8001);
    for (uint32_t bit = 0; bit < 32; bit++) {
        shown_refused(&shown, vidmm_lock2(one, 1u << bit, &data, &shown.rig.report),
                      STATUS_INVALID_PARAMETER, "S2-022");
        assert_int_equal(vidmm_unlock2(one, NULL),
                         STATUS_INVALID_PARAMETER); /* nothing is locked */
    }
    assert_ptr_equal(data, &shown);
    end();
}

void keeps_S2_022(void **state)
{
    void *data = NULL;

    (void)state;
    begin(0x8001);
    assert_int_equal(vidmm_lock2(one, 0, &data, &shown.rig.report), STATUS_SUCCESS);
    assert_non_null(data);
    assert_int_equal(vidmm_unlock2(one, NULL), STATUS_SUCCESS);
    end();
}

void breaks_D_166(void **state)
{
    (void)state;
    begin(0x8001);
    shown_refused(&shown, vidmm_unlock2(one, &shown.rig.report), STATUS_INVALID_PARAMETER, "D-166");
    shown_refused(&shown, vidmm_unlock2(NULL, &shown.rig.report), STATUS_INVALID_PARAMETER,
                  "allocation");
    end();
}

void keeps_D_166(void **state)
{
    void *data;

    (void)state;
    begin(0x8001);
    for (uint32_t locks = 0; locks < 2; locks++)
        assert_int_equal(vidmm_lock2(one, 0, &data, NULL), STATUS_SUCCESS);
    for (uint32_t locks = 0; locks < 2; locks++)
        assert_int_equal(vidmm_unlock2(one, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock2(one, NULL), STATUS_INVALID_PARAMETER); /* one unlock a lock */
    end();
}

/* pfnLockCb of what is created with these flags. */
static NTSTATUS lock_described(uint32_t flags)
{
    struct vidmm_lock_arguments arguments;
    NTSTATUS status;

    begin(flags);
    arguments = (struct vidmm_lock_arguments){.allocation = one, .flags = VIDMM_LOCK_ENTIRE};
    status = vidmm_lock_pages(&arguments, &shown.rig.report);
    if (status == STATUS_SUCCESS)
        assert_int_equal(vidmm_unlock(one), STATUS_SUCCESS);
    return status;
}

void breaks_S3_004(void **state)
{
    (void)state;
    shown_refused(&shown, lock_described(0x8000), STATUS_INVALID_PARAMETER, "S3-004");
    assert_int_equal(shown_findings(&shown, "S3-004"), 1);
    end();
}

void keeps_S3_004(void **state)
{
    (void)state;
    assert_int_equal(lock_described(0x8001), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, "S3-004"), 0);
    end();
}
