/* seen_flags_v2.c: flags-v2.def broken, and answered: of the word alone, for no allocation of that
 * level is made yet. */
#include "flag_words.h"
#include "seen_flags.h"

#include "wddm/level.h"

void breaks_S3_006(void **state)
{
    (void)state;
    assert_true(
        flags_break(VIDMM_RULE_S3_006, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0, PERMANENT));
    assert_true(flags_break(VIDMM_RULE_S3_006, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0),
                            VIDMM_IS_PRIMARY, CPU_VISIBLE | PERMANENT));
}

void keeps_S3_006(void **state)
{
    (void)state;
    assert_false(flags_break(VIDMM_RULE_S3_006, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0,
                             CPU_VISIBLE | PERMANENT));
    assert_false(
        flags_break(VIDMM_RULE_S3_006, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0, PERMANENT));
}

void breaks_S3_024(void **state)
{
    (void)state;
    assert_true(flags_break(VIDMM_RULE_S3_024, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0,
                            CREATE_IN_VPR));
}

void keeps_S3_024(void **state)
{
    (void)state;
    assert_false(flags_break(VIDMM_RULE_S3_024, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 1), 0,
                             CREATE_IN_VPR));
}

void breaks_S3_025(void **state)
{
    (void)state;
    assert_true(flags_break(VIDMM_RULE_S3_025, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0,
                            SYNCHRONOUS_PAGING));
}

void keeps_S3_025(void **state)
{
    (void)state;
    assert_false(flags_break(VIDMM_RULE_S3_025, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0,
                             SYNCHRONOUS_PAGING));
}

void breaks_S3_026(void **state)
{
    (void)state;
    assert_true(flags_break(VIDMM_RULE_S3_026, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0,
                            LINK_MIRRORED));
}

void keeps_S3_026(void **state)
{
    (void)state;
    assert_false(flags_break(VIDMM_RULE_S3_026, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0,
                             LINK_MIRRORED));
}

void breaks_S3_029(void **state)
{
    (void)state;
    assert_true(flags_break(VIDMM_RULE_S3_029, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0,
                            MAP_APERTURE_CPU_VISIBLE));
}

void keeps_S3_029(void **state)
{
    (void)state;
    assert_false(flags_break(VIDMM_RULE_S3_029, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 9), 0,
                             MAP_APERTURE_CPU_VISIBLE));
}
