/* seen_flags_v1.c: flags-v1.def broken, and answered. */
#include "existing.h"
#include "flag_words.h"
#include "primary_flags.h"
#include "wddm/level.h"

/* ---- the word ---- */

/* A word of the other layout, at the level at which it would be read. */
void breaks_S0_001(void **state)
{
    (void)state;
    assert_true(flags_break(VIDMM_RULE_S0_001, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0,
                            CPU_VISIBLE | SYNCHRONOUS_PAGING));
    assert_true(flags_break(VIDMM_RULE_S0_001, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 0), 0,
                            CPU_VISIBLE | USE_ALTERNATE_VA));
    assert_true(flags_break(VIDMM_RULE_S0_001, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 8), 0,
                            CPU_VISIBLE | LINK_INSTANCED));
    assert_true(flags_break(VIDMM_RULE_S0_001, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(3, 0), 0,
                            CPU_VISIBLE | LINK_MIRRORED));
}

void keeps_S0_001(void **state)
{
    const uint32_t every = ALL_NAMED;

    (void)state;
    assert_false(
        flags_break(VIDMM_RULE_S0_001, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0, every));
    assert_false(flags_break(VIDMM_RULE_S0_001, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(2, 9), 0,
                             every & ~(uint32_t)UNNAMED_FROM_2_0)); /* all of the later layout */
    flags_kept("S0-001", NULL, CPU_VISIBLE | SYNCHRONOUS_PAGING);   /* of a driver below 2.0 */
}

void breaks_S0_015(void **state)
{
    (void)state;
    flags_broken("S0-015", NULL, PERMANENT);
}

void keeps_S0_015(void **state)
{
    (void)state;
    flags_kept("S0-015", NULL, CPU_VISIBLE | PERMANENT);
}

void breaks_S0_024(void **state)
{
    (void)state;
    flags_broken("S0-024", NULL, CACHED);
}

void keeps_S0_024(void **state)
{
    (void)state;
    flags_kept("S0-024", NULL, CPU_VISIBLE | CACHED);
}

void breaks_S0_065(void **state)
{
    (void)state;
    flags_broken("S0-065", NULL, CPU_VISIBLE | 1u << 31);
    flags_broken("S0-065", NULL, CPU_VISIBLE | 1u << 19);
    for (unsigned bit = 19; bit < 32; bit++)
        assert_true(flags_break(VIDMM_RULE_S0_065, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0,
                                CPU_VISIBLE | 1u << bit));
}

void keeps_S0_065(void **state)
{
    (void)state;
    flags_kept("S0-065", NULL, CPU_VISIBLE);
}

/* ---- on a primary ---- */

void breaks_S0_016(void **state)
{
    (void)state;
    primary_flags("S0-016", CPU_VISIBLE | PERMANENT, true);
}

void keeps_S0_016(void **state)
{
    (void)state;
    primary_flags("S0-016", CPU_VISIBLE | PERMANENT, false);
}

void breaks_S0_025(void **state)
{
    (void)state;
    primary_flags("S0-025", CPU_VISIBLE | CACHED, true);
}

void keeps_S0_025(void **state)
{
    (void)state;
    primary_flags("S0-025", CPU_VISIBLE | CACHED, false);
}

void breaks_S0_035(void **state)
{
    struct existing existing;

    (void)state;
    existing_take(&existing, 1);
    primary_over("S0-035", &existing, CPU_VISIBLE | EXISTING, true);
    existing_give_back(&existing);
}

void keeps_S0_035(void **state)
{
    struct existing existing;

    (void)state;
    existing_take(&existing, 1);
    primary_over("S0-035", &existing, CPU_VISIBLE | EXISTING, false);
    existing_give_back(&existing);
}

/* ---- existing memory ---- */

void breaks_S0_034(void **state)
{
    (void)state;
    existing_flags("S0-034", CPU_VISIBLE | PERMANENT | EXISTING, false);
    /* Each pair, of the word alone. */
    for (uint32_t other = PERMANENT; other <= EXISTING_KERNEL; other <<= 1)
        assert_true(flags_break(VIDMM_RULE_S0_034, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0,
                                CPU_VISIBLE | EXISTING | other) ==
                    (other != CACHED && other != EXISTING));
}

void keeps_S0_034(void **state)
{
    (void)state;
    existing_flags("S0-034", CPU_VISIBLE | CACHED | EXISTING, true);
}

/* A program's range given for one of the kernel's. */
void breaks_S0_036(void **state)
{
    (void)state;
    existing_flags("S0-036", CPU_VISIBLE | CACHED | EXISTING_KERNEL, false);
    kernel_range(16, 0, "S0-036");
    kernel_range(0, 16, "S0-036");
}

void keeps_S0_036(void **state)
{
    (void)state;
    assert_int_equal(
        kernel_flags("S0-036", CPU_VISIBLE | CACHED | EXISTING_KERNEL, VIDMM_CACHED, false, false),
        0);
}

void breaks_S0_037(void **state)
{
    (void)state;
    assert_int_equal(kernel_flags("S0-037", CPU_VISIBLE | PERMANENT | CACHED | EXISTING_KERNEL,
                                  VIDMM_CACHED, false, false),
                     1);
    kernel_flags("S0-037", CPU_VISIBLE | PERMANENT | CACHED | EXISTING_KERNEL, VIDMM_CACHED, false,
                 true);
    assert_int_equal(kernel_flags("S0-037", CPU_VISIBLE | CACHED | PROTECTED | EXISTING_KERNEL,
                                  VIDMM_CACHED, false, false),
                     1);
    /* Each pair, of the word alone. */
    for (uint32_t other = PERMANENT; other <= EXISTING_KERNEL; other <<= 1)
        assert_true(flags_break(VIDMM_RULE_S0_037, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0,
                                CPU_VISIBLE | EXISTING_KERNEL | other) ==
                    (other != CACHED && other != EXISTING_KERNEL));
}

void keeps_S0_037(void **state)
{
    (void)state;
    assert_int_equal(
        kernel_flags("S0-037", CPU_VISIBLE | CACHED | EXISTING_KERNEL, VIDMM_CACHED, false, false),
        0);
    existing_flags("S0-037", CPU_VISIBLE | CACHED | EXISTING, true);
}

void breaks_S0_038(void **state)
{
    (void)state;
    assert_int_equal(
        kernel_flags("S0-038", CPU_VISIBLE | EXISTING_KERNEL, VIDMM_CACHED, true, false), 1);
    kernel_flags("S0-038", CPU_VISIBLE | EXISTING_KERNEL, VIDMM_CACHED, true, true);
}

void keeps_S0_038(void **state)
{
    (void)state;
    assert_int_equal(
        kernel_flags("S0-038", CPU_VISIBLE | CACHED | EXISTING_KERNEL, VIDMM_CACHED, false, false),
        0);
    assert_int_equal(kernel_flags("S0-038", CPU_VISIBLE, VIDMM_CACHED, true, false), 0);
}

void breaks_S0_020(void **state)
{
    (void)state;
    assert_int_equal(kernel_flags("S0-020", CPU_VISIBLE | CACHED | EXISTING_KERNEL,
                                  VIDMM_WRITE_COMBINED, false, false),
                     1);
    kernel_flags("S0-020", CPU_VISIBLE | CACHED | EXISTING_KERNEL, VIDMM_WRITE_COMBINED, false,
                 true);
}

void keeps_S0_020(void **state)
{
    (void)state;
    assert_int_equal(
        kernel_flags("S0-020", CPU_VISIBLE | CACHED | EXISTING_KERNEL, VIDMM_CACHED, false, false),
        0);
    assert_int_equal(
        kernel_flags("S0-020", CPU_VISIBLE | EXISTING_KERNEL, VIDMM_WRITE_COMBINED, false, false),
        0);
}

enum { ENOUGH = 8 };

void breaks_S0_023(void **state)
{
    (void)state;
    assert_int_equal(locked_and_gone("S0-023", CPU_VISIBLE | CACHED, ENOUGH, VIDMM_LOCK_WRITE_ONLY,
                                     VIDMM_LOCK_WRITE_ONLY),
                     1);
    assert_int_equal(locked_and_gone("S0-023", CPU_VISIBLE | CACHED, 300, VIDMM_LOCK_WRITE_ONLY,
                                     VIDMM_LOCK_WRITE_ONLY),
                     1);
}

/* Not Cached; read once, first or later; too few locks to tell; never locked. */
void keeps_S0_023(void **state)
{
    (void)state;
    assert_int_equal(
        locked_and_gone("S0-023", 1, ENOUGH, VIDMM_LOCK_WRITE_ONLY, VIDMM_LOCK_WRITE_ONLY), 0);
    assert_int_equal(locked_and_gone("S0-023", CPU_VISIBLE | CACHED, ENOUGH + 1,
                                     VIDMM_LOCK_READ_ONLY, VIDMM_LOCK_WRITE_ONLY),
                     0);
    assert_int_equal(
        locked_and_gone("S0-023", CPU_VISIBLE | CACHED, ENOUGH + 1, VIDMM_LOCK_WRITE_ONLY, 0), 0);
    assert_int_equal(locked_and_gone("S0-023", CPU_VISIBLE | CACHED, ENOUGH - 1,
                                     VIDMM_LOCK_WRITE_ONLY, VIDMM_LOCK_WRITE_ONLY),
                     0);
    assert_int_equal(locked_and_gone("S0-023", CPU_VISIBLE | CACHED, 0, 0, 0), 0);
}
