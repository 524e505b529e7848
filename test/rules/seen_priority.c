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
    struct vidmm_finding finding;
    struct vidmm_statistics statistics;
    struct shown shown;

    (void)state;
    flags_pass("S1-023", NULL, no_priority, 1);
    flags_begin(&shown, NULL, no_priority, true); /* strict, and yet a warning */
    assert_int_equal(flags_create(&shown), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, "S1-023"), 1);
    assert_true(vidmm_adapter_finding(shown.rig.adapter, 0, &finding));
    assert_true(finding.warning);
    vidmm_adapter_statistics(shown.rig.adapter, &statistics);
    assert_int_equal(statistics.findings, 0);
    shown_finish(&shown);
}

void keeps_S1_023(void **state)
{
    (void)state;
    described_kept("S1-023", NULL, least_priority);
}
