/* seen_tdr.c: tdr.def broken, and answered. */
#include "hang.h"

static struct shown shown;

/* The engine hangs, and the driver takes part in it so: the adapter stops, with this number. */
static void stops(const char *gpu, const char *number)
{
    struct rig_options options = hang_options(gpu);

    shown_init(&shown, &options, NULL);
    hang_render(&shown);
    assert_int_not_equal(vidmm_adapter_condition(shown.rig.adapter, &shown.rig.report),
                         STATUS_SUCCESS);
    assert_non_null(strstr(shown.rig.report.text, number));
    assert_int_equal(vidmm_device_condition(shown.rig.device, NULL), STATUS_DEVICE_REMOVED);
    rig_stop(&shown.rig);
    shown_end(&shown);
}

/* Or it goes on, the device alone with this status. */
static void goes_on(const char *gpu, NTSTATUS status)
{
    struct rig_options options = hang_options(gpu);

    shown_init(&shown, &options, NULL);
    hang_render(&shown);
    assert_int_equal(vidmm_adapter_condition(shown.rig.adapter, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_device_condition(shown.rig.device, NULL), status);
    hang_finish(&shown);
}

void breaks_D_243(void **state)
{
    (void)state;
    stops("hang 0 1\nengine_reset on\nrecovery aborted_fence\n", "0x119, 0xa");
}

void keeps_D_243(void **state)
{
    (void)state;
    goes_on("hang 0 1\nengine_reset on\n", STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
}

void breaks_D_373(void **state)
{
    (void)state;
    stops("hang 0 1\nengine_reset on\nrecovery group_empty\n", "0x119, 8");
}

void keeps_D_373(void **state)
{
    (void)state;
    goes_on("hang 0 1\nengine_reset on\nrecovery group_all\n",
            STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
}

void breaks_D_374(void **state)
{
    (void)state;
    stops("hang 0 1\nrecovery reset_fails\n", "0x116");
}

void keeps_D_374(void **state)
{
    (void)state;
    goes_on("hang 0 1\n", STATUS_DEVICE_REMOVED);
}
