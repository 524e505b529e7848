/* test_pool.c: records of one size. */
#include "harness.h"

#include "base/pool.h"

enum { SIZE = 40, MANY = 3 * VIDMM_POOL_CHUNK + 5 };

static bool is_zeroed(const uint8_t *record)
{
    size_t i;

    for (i = 0; i < SIZE && record[i] == 0; i++) {
    }
    return i == SIZE;
}

static void records_are_zeroed_aligned_and_apart(void **state)
{
    struct counted_memory memory;
    struct vidmm_pool pool;
    uint8_t *records[MANY];
    unsigned round, i;

    (void)state;
    counted_memory_init(&memory);
    vidmm_pool_init(&pool, &memory.table, SIZE);
    for (round = 0; round < 3; round++) {
        for (i = 0; i < MANY; i++) {
            records[i] = vidmm_pool_take(&pool);
            assert_non_null(records[i]);
            assert_int_equal((uintptr_t)records[i] % 8, 0);
            assert_true(is_zeroed(records[i]));
            memset(records[i], (int)i + 1, SIZE);
        }
        for (i = 0; i < MANY; i++) {
            assert_int_equal(records[i][0], i + 1);
            assert_int_equal(records[i][SIZE - 1], i + 1);
        }
        for (i = 0; i < MANY; i++) /* in their order, and the other way */
            vidmm_pool_release(&pool, records[round == 1 ? MANY - 1 - i : i]);
    }
    vidmm_pool_finish(&pool);
    counted_memory_finish(&memory);
}

static void what_was_released_serves_the_next_one(void **state)
{
    struct counted_memory memory;
    struct vidmm_pool pool;
    void *first, *second;

    (void)state;
    counted_memory_init(&memory);
    vidmm_pool_init(&pool, &memory.table, SIZE);
    first = vidmm_pool_take(&pool);
    second = vidmm_pool_take(&pool);
    vidmm_pool_release(&pool, first);
    vidmm_pool_release(&pool, second);
    counted_memory_fail_at(&memory, 1);
    assert_ptr_equal(vidmm_pool_take(&pool), second);
    assert_ptr_equal(vidmm_pool_take(&pool), first);
    assert_false(counted_memory_refused(&memory));
    vidmm_pool_finish(&pool);
    counted_memory_finish(&memory);
}

static void without_memory_nothing_changes(void **state)
{
    struct counted_memory memory;
    struct vidmm_pool pool;
    uint8_t *record = NULL;
    unsigned i;

    (void)state;
    counted_memory_init(&memory);
    vidmm_pool_init(&pool, &memory.table, SIZE);
    counted_memory_fail_at(&memory, 1);
    assert_null(vidmm_pool_take(&pool));
    assert_true(counted_memory_refused(&memory));
    counted_memory_fail_at(&memory, 2);
    for (i = 0; i < VIDMM_POOL_CHUNK; i++) {
        record = vidmm_pool_take(&pool);
        assert_non_null(record);
    }
    assert_null(vidmm_pool_take(&pool));
    vidmm_pool_release(&pool, record);
    assert_ptr_equal(vidmm_pool_take(&pool), record);
    vidmm_pool_finish(&pool);
    counted_memory_finish(&memory);
}

static void finishing_twice_is_finishing_once(void **state)
{
    struct counted_memory memory;
    struct vidmm_pool pool = {0};

    (void)state;
    counted_memory_init(&memory);
    vidmm_pool_finish(&pool);
    vidmm_pool_init(&pool, &memory.table, 1);
    assert_non_null(vidmm_pool_take(&pool));
    vidmm_pool_finish(&pool);
    vidmm_pool_finish(&pool);
    counted_memory_finish(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_zeroed_aligned_and_apart),
        cmocka_unit_test(what_was_released_serves_the_next_one),
        cmocka_unit_test(without_memory_nothing_changes),
        cmocka_unit_test(finishing_twice_is_finishing_once),
    };

    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
