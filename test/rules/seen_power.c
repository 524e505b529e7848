/* seen_power.c: power.def broken, and answered. */
#include "rules_rig.h"

static void change_power(const char *gpu, uint64_t findings)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    options.gpu = gpu;
    shown_init(&shown, &options, NULL);
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D3, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D0, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, "D-314"), findings);
    shown_finish(&shown);
}

void breaks_D_314(void **state)
{
    (void)state;
    change_power("recovery power_fails\n", 2);
}

void keeps_D_314(void **state)
{
    (void)state;
    change_power(NULL, 0);
}
