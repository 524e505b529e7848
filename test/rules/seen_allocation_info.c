/* seen_allocation_info.c: allocation-info.def broken, and answered. */
#include "seen_flags.h"

/* Segment 1 is the aperture, segment 2 the memory; the rig's allocations live in 2. */
static uint32_t preferred;

static void unreadable(DXGK_ALLOCATIONINFO *info)
{
    info->SupportedReadSegmentSet = 2;
    info->SupportedWriteSegmentSet = 3;
    info->PreferredSegment.Value = preferred;
}

static void unwritable(DXGK_ALLOCATIONINFO *info)
{
    info->SupportedReadSegmentSet = 3;
    info->SupportedWriteSegmentSet = 2;
    info->PreferredSegment.Value = preferred;
}

void breaks_S1_010(void **state)
{
    (void)state;
    preferred = 2 | 1 << 6; /* the second of them cannot be read */
    described_broken("S1-010", NULL, unreadable);
}

void keeps_S1_010(void **state)
{
    (void)state;
    preferred = 2;
    described_kept("S1-010", NULL, unreadable);
}

void breaks_S1_012(void **state)
{
    (void)state;
    preferred = 1;
    described_broken("S1-012", NULL, unwritable);
}

void keeps_S1_012(void **state)
{
    (void)state;
    preferred = 2;
    described_kept("S1-012", NULL, unwritable);
}

static void evicted_into_memory(DXGK_ALLOCATIONINFO *info)
{
    info->EvictionSegmentSet = 3;
}

static void evicted_through_aperture(DXGK_ALLOCATIONINFO *info)
{
    info->EvictionSegmentSet = 1;
}

void breaks_S1_013(void **state)
{
    (void)state;
    described_broken("S1-013", NULL, evicted_into_memory);
}

void keeps_S1_013(void **state)
{
    (void)state;
    described_kept("S1-013", NULL, evicted_through_aperture);
}
