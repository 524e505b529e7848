/* seen_flags_v2.c: flags-v2.def broken, and answered: of the word alone, for no allocation of that
 * level is made yet. */
#include "seen_flags.h"

#include "wddm/level.h"

void breaks_S3_006(void **state)
{
    (void)state;
    assert_true(flags_break(VIDMM_RULE_S3_006, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0, 0x2));
    assert_true(flags_break(VIDMM_RULE_S3_006, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0),
                            VIDMM_IS_PRIMARY, 0x3));
}

void keeps_S3_006(void **state)
{
    (void)state;
    assert_false(flags_break(VIDMM_RULE_S3_006, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0, 0x3));
    assert_false(flags_break(VIDMM_RULE_S3_006, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0, 0x2));
}

void breaks_S3_024(void **state)
{
    (void)state;
    assert_true(
        flags_break(VIDMM_RULE_S3_024, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0, 0x400));
}

void keeps_S3_024(void **state)
{
    (void)state;
    assert_false(
        flags_break(VIDMM_RULE_S3_024, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 1), 0, 0x400));
}

void breaks_S3_025(void **state)
{
    (void)state;
    assert_true(
        flags_break(VIDMM_RULE_S3_025, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0, 0x800));
}

void keeps_S3_025(void **state)
{
    (void)state;
    assert_false(
        flags_break(VIDMM_RULE_S3_025, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0, 0x800));
}

void breaks_S3_026(void **state)
{
    (void)state;
    assert_true(
        flags_break(VIDMM_RULE_S3_026, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0, 0x1000));
}

void keeps_S3_026(void **state)
{
    (void)state;
    assert_false(
        flags_break(VIDMM_RULE_S3_026, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0, 0x1000));
}

void breaks_S3_029(void **state)
{
    (void)state;
    assert_true(
        flags_break(VIDMM_RULE_S3_029, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0, 0x2000));
}

void keeps_S3_029(void **state)
{
    (void)state;
    assert_false(
        flags_break(VIDMM_RULE_S3_029, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 9), 0, 0x2000));
}
