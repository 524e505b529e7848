/* seen_protected_vpr_drm.c: protected-vpr-drm.def broken, and answered. */
#include "primary_flags.h"

#include "wddm/level.h"

void breaks_S0_027(void **state)
{
    (void)state;
    flags_broken("S0-027", NULL, 0xb);
    for (uint32_t bit = 0x10; bit <= 0x20; bit <<= 1) /* with existing memory: of the word alone */
        assert_true(flags_break(VIDMM_RULE_S0_027, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0,
                                0x9 | bit));
}

void keeps_S0_027(void **state)
{
    (void)state;
    flags_kept("S0-027", NULL, 0x8);
}

void breaks_S0_028(void **state)
{
    (void)state;
    primary_flags("S0-028", 0x8, true);
}

void keeps_S0_028(void **state)
{
    (void)state;
    primary_flags("S0-028", 0x8, false);
}
