/* seen_paging_residency_notify.c: paging-residency-notify.def broken, and answered. */
#include "seen_flags.h"

void breaks_S0_062(void **state)
{
    (void)state;
    flags_broken("S0-062", NULL, 0x10000);
}

void keeps_S0_062(void **state)
{
    (void)state;
    flags_kept("S0-062", NULL, 0x18000);
}
