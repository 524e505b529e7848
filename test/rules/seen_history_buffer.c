/* seen_history_buffer.c: history-buffer.def broken, and answered. */
#include "seen_flags.h"

#include "wddm/level.h"

static const char coherent[] = "segment 1 aperture 1M cachecoherent\n"
                               "segment 2 memory 256K cpuvisible\n";

void breaks_S0_055(void **state)
{
    (void)state;
    flags_broken("S0-055", "wddm 1.2\n", 0x4001);
}

void keeps_S0_055(void **state)
{
    (void)state;
    flags_kept("S0-055", "wddm 1.3\n", 0x4001);
}

void breaks_S0_056(void **state)
{
    (void)state;
    flags_broken("S0-056", NULL, 0x4000);
}

void keeps_S0_056(void **state)
{
    (void)state;
    flags_kept("S0-056", NULL, 0x4001);
}

void breaks_S0_057(void **state)
{
    (void)state;
    flags_broken("S0-057", coherent, 0x4001);
}

void keeps_S0_057(void **state)
{
    (void)state;
    flags_kept("S0-057", coherent, 0x4005);
    flags_kept("S0-057", NULL, 0x4001);
}

void breaks_S0_058(void **state)
{
    (void)state;
    flags_broken("S0-058", NULL, 0x4041);
    for (unsigned bit = 1; bit < 19; bit++) /* each other one, of the word alone */
        if (bit != 2 && bit != 14)
            assert_true(flags_break(VIDMM_RULE_S0_058, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0,
                                    0x4001u | 1u << bit));
}

void keeps_S0_058(void **state)
{
    (void)state;
    flags_kept("S0-058", coherent, 0x4005);
    flags_kept("S0-058", NULL, 0x4001);
}
