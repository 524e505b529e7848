/* shows_protected_vpr_drm.c: protected-vpr-drm.def, obeyed. */
#include "rules_rig.h"

/* Nothing of it is ever mapped for a program: no lock, and no address by any other way. */
void shows_S0_026(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation allocation, *list[] = {&allocation};
    struct vidmm_machine_counts before;
    struct shown shown;
    void *data = NULL;

    (void)state;
    shown_init(&shown, &options, NULL);
    assert_int_equal(rig_create(&shown.rig, &allocation, 2 * VIDMM_PAGE_SIZE, 3, 0x9),
                     STATUS_SUCCESS);
    before = vidmm_machine_counts(shown.rig.machine);
    assert_int_equal(vidmm_lock(allocation.handle, 0, &data), STATUS_INVALID_PARAMETER);
    assert_int_equal(rig_render(&shown.rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(allocation.handle, 0, &data), STATUS_INVALID_PARAMETER);
    assert_null(data);
    shown_settle(&shown);
    assert_int_equal(vidmm_machine_counts(shown.rig.machine).mapping_requests,
                     before.mapping_requests);
    shown_finish(&shown);
}
