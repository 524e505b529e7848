/* seen_protected_vpr_drm.c: protected-vpr-drm.def broken, and answered. */
#include "seen_flags.h"

void breaks_S0_027(void **state)
{
    (void)state;
    flags_broken("S0-027", NULL, 0xb);
}

void keeps_S0_027(void **state)
{
    (void)state;
    flags_kept("S0-027", NULL, 0x8);
}
