/* seen_priority.c: priority.def broken, and answered. */
#include "seen_flags.h"

static void no_priority(DXGK_ALLOCATIONINFO *info)
{
    info->AllocationPriority = 0;
}

static void least_priority(DXGK_ALLOCATIONINFO *info)
{
    info->AllocationPriority = 1;
}

void breaks_S1_023(void **state)
{
    (void)state;
    described_broken("S1-023", NULL, no_priority);
}

void keeps_S1_023(void **state)
{
    (void)state;
    described_kept("S1-023", NULL, least_priority);
}
