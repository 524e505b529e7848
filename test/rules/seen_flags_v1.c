/* seen_flags_v1.c: flags-v1.def broken, and answered. */
#include "seen_flags.h"

void breaks_S0_015(void **state)
{
    (void)state;
    flags_broken("S0-015", NULL, 0x2);
}

void keeps_S0_015(void **state)
{
    (void)state;
    flags_kept("S0-015", NULL, 0x3);
}

void breaks_S0_024(void **state)
{
    (void)state;
    flags_broken("S0-024", NULL, 0x4);
}

void keeps_S0_024(void **state)
{
    (void)state;
    flags_kept("S0-024", NULL, 0x5);
}

void breaks_S0_065(void **state)
{
    (void)state;
    flags_broken("S0-065", NULL, 0x80000001);
}

void keeps_S0_065(void **state)
{
    (void)state;
    flags_kept("S0-065", NULL, 0x1);
}
