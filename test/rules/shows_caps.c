/* shows_caps.c: caps.def, obeyed. */
#include "flag_words.h"
#include "present.h"
#include "rules_rig.h"

/* Each submission, patching, rendering and presenting names the device where it would name a
 * context. */
void shows_D_303(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation allocation, *list[] = {&allocation};
    struct shown shown;
    size_t at, created;
    HANDLE device;

    (void)state;
    options.gpu = "multi_engine off\n";
    shown_init(&shown, &options, NULL);
    assert_int_equal(rig_create(&shown.rig, &allocation, VIDMM_PAGE_SIZE, 2, CPU_VISIBLE),
                     STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    shown_present(&shown);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_CREATE_CONTEXT), 0);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_CREATE_DEVICE), 2); /* the system's first */
    created = shown_next(&shown, shown_next(&shown, 0, VIDMM_DDI_CREATE_DEVICE) + 1,
                         VIDMM_DDI_CREATE_DEVICE);
    do
        created++;
    while (shown.calls[created].ddi != VIDMM_DDI_CREATE_DEVICE);
    device = shown.calls[created].argument.create_device.hDevice;
    at = shown_next(&shown, 0, VIDMM_DDI_RENDER);
    assert_ptr_equal(shown.calls[at].handle, device);
    at = shown_next(&shown, 0, VIDMM_DDI_PRESENT);
    assert_ptr_equal(shown.calls[at].handle, device);
    for (at = 0; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++)
        if (!shown.calls[at].argument.submit.Flags.Paging)
            assert_ptr_equal(shown.calls[at].argument.submit.hDevice, device);
    for (at = 0; (at = shown_next(&shown, at, VIDMM_DDI_PATCH)) != SIZE_MAX; at++)
        if (!shown.calls[at].argument.patch.Flags.Paging)
            assert_ptr_equal(shown.calls[at].argument.patch.hDevice, device);
    shown_finish(&shown);
}
