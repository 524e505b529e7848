/* fresh_memory.h: counted memory that is new for each test of a program, by `setup` and `teardown`.
 * A block that has not come back fails the test. */
#ifndef TEST_UNIT_FRESH_MEMORY_H
#define TEST_UNIT_FRESH_MEMORY_H

#include "harness.h"

static struct counted_memory memory;

static int setup(void **state)
{
    (void)state;
    counted_memory_init(&memory);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    counted_memory_finish(&memory);
    return 0;
}

#endif
