/* seen_power.c: power.def broken, and answered. */
#include "isolated.h"

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

static void saves(const char *gpu, bool older, SIZE_T size, unsigned asked, uint64_t findings)
{
    struct shown shown;

    isolated = (struct isolated){.save_size = size, .older = older};
    if (isolated_start(&shown, gpu, false) != STATUS_SUCCESS)
        fail_msg("%s", shown.rig.report.text);
    assert_int_equal(isolated.size_asked, asked);
    assert_int_equal(shown_findings(&shown, "D-317"), findings);
    shown_finish(&shown);
}

void breaks_D_317(void **state)
{
    static const SIZE_T sizes[] = {1, VIDMM_PAGE_SIZE / 2, VIDMM_PAGE_SIZE - 1,
                                   VIDMM_PAGE_SIZE + 1};
    struct shown shown;

    (void)state;
    for (size_t index = 0; index < sizeof(sizes) / sizeof(sizes[0]); index++)
        saves(ISOLATED_GPU, false, sizes[index], 1, 1);
    isolated = (struct isolated){.save_size = 1};
    shown_refused(&shown, isolated_start(&shown, ISOLATED_GPU, true),
                  STATUS_GRAPHICS_DRIVER_MISMATCH, "D-317");
    assert_null(shown.rig.adapter);
    shown_end(&shown);
}

void keeps_D_317(void **state)
{
    (void)state;
    saves(ISOLATED_GPU, false, 0, 1, 0);
    saves(ISOLATED_GPU, false, VIDMM_PAGE_SIZE, 1, 0);
    saves(ISOLATED_GPU, false, 1000 * VIDMM_PAGE_SIZE, 1, 0);
    saves(ISOLATED_GPU, true, 1, 0, 0); /* nobody isolates it, and it is not asked */
    saves("wddm 2.3\n", false, 1, 0, 0);
}
