/* Arrays that grow by doubling: what was there stays, what is new is zero, a refusal changes
 * nothing. */
#include "harness.h"

#include "base/grow.h"

static struct counted_memory memory;
static uint32_t *array, capacity;

static bool grow(uint32_t index)
{
    uint32_t *grown = vidmm_grow(&memory.table, array, &capacity, index, sizeof(*array));

    if (grown == NULL)
        return false;
    array = grown;
    return true;
}

static int setup(void **state)
{
    (void)state;
    counted_memory_init(&memory);
    array = NULL;
    capacity = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    if (array != NULL)
        memory.table.free(memory.table.context, array);
    counted_memory_finish(&memory);
    return 0;
}

static void elements_stay_and_new_ones_are_zero(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(grow(i));
        assert_true(i < capacity);
        assert_int_equal(array[i], 0);
        array[i] = i + 1;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(array[i], i + 1);
    assert_int_equal(capacity, 1024);
    assert_int_equal(memory.live_blocks, 1); /* the ones before went back */
}

static void what_has_room_does_not_move(void **state)
{
    uint32_t *before;

    (void)state;
    assert_true(grow(100));
    before = array;
    assert_true(grow(0) && grow(100) && grow(capacity - 1));
    assert_ptr_equal(array, before);
}

static void a_refusal_changes_nothing(void **state)
{
    (void)state;
    assert_true(grow(3));
    array[3] = 7;
    uint32_t *before = array, had = capacity;
    counted_memory_fail_at(&memory, 1);
    assert_false(grow(had));
    assert_false(grow(UINT32_MAX)); /* no number is so large */
    assert_ptr_equal(array, before);
    assert_int_equal(capacity, had);
    assert_int_equal(array[3], 7);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(elements_stay_and_new_ones_are_zero),
        TEST(what_has_room_does_not_move),
        TEST(a_refusal_changes_nothing),
    };

    return cmocka_run_group_tests_name("grow", tests, NULL, NULL);
}
