/* shows_lock1_shared.c: lock1.def, obeyed, for what is shared. */
#include "together.h"

void shows_S0_006(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_allocation *theirs[TOGETHER], *again[TOGETHER];
    struct vidmm_resource *ours, *opened, *second;
    struct vidmm_device *same_process;
    struct shown shown;
    void *data = &shown;

    (void)state;
    shown_init(&shown, &options, NULL);
    assert_int_equal(together_create(&shown, true, &ours), STATUS_SUCCESS);
    assert_int_equal(vidmm_resource_open(together_other(&shown), vidmm_resource_handle(ours),
                                         &opened, theirs, TOGETHER, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(theirs[1], 0, &data, NULL), STATUS_INVALID_PARAMETER);
    assert_ptr_equal(data, &shown);
    assert_int_equal(vidmm_unlock(theirs[1]), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_lock(together[1], 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(together[1]), STATUS_SUCCESS);
    /* another device of the process that created it */
    assert_int_equal(vidmm_device_create(shown.rig.adapter, 1, &same_process, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_resource_open(same_process, vidmm_resource_handle(ours), &second, again,
                                         TOGETHER, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(again[1], 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(again[1]), STATUS_SUCCESS);
    shown_finish(&shown);
}
