/* The harness itself must be able to say no: every other test relies on it. */
#include "harness.h"

static void a_block_is_zeroed_aligned_and_counted(void **state)
{
    struct counted_memory memory;
    (void)state;

    counted_memory_init(&memory);
    for (size_t size = 1; size < 100; size++) {
        unsigned char *bytes = memory.table.allocate(memory.table.context, size);
        assert_int_equal((uintptr_t)bytes % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(bytes[i], 0);
        memset(bytes, 0xFF, size);
        assert_int_equal(memory.live_blocks, 1);
        assert_int_equal(memory.live_bytes, size);
        memory.table.free(memory.table.context, bytes);
    }
    counted_memory_finish(&memory);
}

static void the_nth_allocation_fails_and_only_that(void **state)
{
    struct counted_memory memory;
    void *blocks[5];
    (void)state;

    counted_memory_init(&memory);
    counted_memory_fail_at(&memory, 3);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(counted_memory_refused(&memory), i > 2);
        blocks[i] = memory.table.allocate(memory.table.context, 8);
        assert_int_equal(blocks[i] == NULL, i == 2);
    }
    for (size_t i = 0; i < 5; i++)
        if (blocks[i] != NULL)
            memory.table.free(memory.table.context, blocks[i]);
    counted_memory_finish(&memory);
}

static void a_block_that_is_kept_is_a_leak(void **state)
{
    struct counted_memory memory;
    (void)state;

    counted_memory_init(&memory);
    void *block = memory.table.allocate(memory.table.context, 24);
    assert_false(counted_memory_all_back(&memory));
    memory.table.free(memory.table.context, block);
    counted_memory_finish(&memory);
}

static void a_write_in_front_or_behind_is_found(void **state)
{
    struct counted_memory memory;
    (void)state;

    counted_memory_init(&memory);
    unsigned char *bytes = memory.table.allocate(memory.table.context, 24);
    assert_true(counted_block_intact(bytes));
    for (int where = -COUNTED_GUARD; where < 24 + COUNTED_GUARD; where++) {
        unsigned char before = bytes[where];
        bytes[where] = (unsigned char)~before;
        assert_int_equal(counted_block_intact(bytes), where >= 0 && where < 24);
        bytes[where] = before;
    }
    memory.table.free(memory.table.context, bytes);
    counted_memory_finish(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_zeroed_aligned_and_counted),
        cmocka_unit_test(the_nth_allocation_fails_and_only_that),
        cmocka_unit_test(a_block_that_is_kept_is_a_leak),
        cmocka_unit_test(a_write_in_front_or_behind_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
