/* test_thunk_handles.c: handles of a process: which lead to something, and for how long. */
#include "harness.h"

#include "thunk/handle_table.h"

static struct vidmm_handle_table table;

/* Objects are never looked into here. */
static struct vidmm_thunk_object *object(uintptr_t number)
{
    return (struct vidmm_thunk_object *)(number * 16);
}

static D3DKMT_HANDLE add(uintptr_t number)
{
    D3DKMT_HANDLE handle = vidmm_handle_table_add(&table, object(number));

    assert_int_not_equal(handle, 0);
    assert_null(vidmm_handle_table_find(&table, handle));
    vidmm_handle_table_show(&table, handle);
    assert_ptr_equal(vidmm_handle_table_find(&table, handle), object(number));
    return handle;
}

static void none_is_never_a_handle(void **state)
{
    (void)state;
    vidmm_handle_table_init(&table);
    assert_null(vidmm_handle_table_find(&table, 0));
    add(1);
    assert_null(vidmm_handle_table_find(&table, 0));
    vidmm_handle_table_finish(&table);
}

/* The 32 bits are an index, an instance and a uniqueness, and all of them have to be right. */
static void a_handle_with_one_bit_changed_is_none(void **state)
{
    (void)state;
    vidmm_handle_table_init(&table);
    for (uintptr_t number = 1; number <= 3; number++) {
        D3DKMT_HANDLE handle = add(number);

        for (unsigned bit = 0; bit < 32; bit++) {
            D3DKMT_HANDLE other = handle ^ 1u << bit;

            if (vidmm_handle_table_find(&table, other) != NULL)
                assert_ptr_not_equal(vidmm_handle_table_find(&table, other), object(number));
            if (bit < 6 || bit >= 30)
                assert_null(vidmm_handle_table_find(&table, other));
        }
    }
    vidmm_handle_table_finish(&table);
}

static void a_number_that_died_is_not_used_again_soon(void **state)
{
    D3DKMT_HANDLE dead;

    (void)state;
    vidmm_handle_table_init(&table);
    dead = add(1);
    vidmm_handle_table_remove(&table, dead);
    assert_null(vidmm_handle_table_find(&table, dead));
    for (unsigned i = 0; i < 4 * VIDMM_HANDLE_QUARANTINE; i++) {
        D3DKMT_HANDLE next = add(2 + i);

        assert_int_not_equal(next, dead);
        if (i < VIDMM_HANDLE_QUARANTINE)
            assert_int_not_equal(next >> 6 & 0xffffffu, dead >> 6 & 0xffffffu);
        assert_null(vidmm_handle_table_find(&table, dead));
        vidmm_handle_table_remove(&table, next);
    }
    /* Entries were used again meanwhile: else there would be more of them. */
    assert_in_range(table.count, VIDMM_HANDLE_QUARANTINE, 2 * VIDMM_HANDLE_QUARANTINE);
    vidmm_handle_table_finish(&table);
}

/* An entry has 256 handles, each of them once in 256 uses. */
static void an_entry_gives_each_of_its_handles_in_turn(void **state)
{
    unsigned seen = 0;
    D3DKMT_HANDLE first;

    (void)state;
    vidmm_handle_table_init(&table);
    first = add(1);
    vidmm_handle_table_remove(&table, first);
    for (unsigned i = 0; i < 256 * (VIDMM_HANDLE_QUARANTINE + 1); i++) {
        D3DKMT_HANDLE next = add(2);

        seen += next == first;
        vidmm_handle_table_remove(&table, next);
    }
    assert_int_equal(seen, 1);
    vidmm_handle_table_finish(&table);
}

static void a_hundred_thousand_live_at_once(void **state)
{
    enum { MANY = 100000 };
    D3DKMT_HANDLE *handles = malloc(MANY * sizeof(*handles));

    (void)state;
    assert_non_null(handles);
    vidmm_handle_table_init(&table);
    for (uintptr_t i = 0; i < MANY; i++)
        handles[i] = add(i + 1);
    for (uintptr_t i = 0; i < MANY; i++)
        assert_ptr_equal(vidmm_handle_table_find(&table, handles[i]), object(i + 1));
    vidmm_handle_table_finish(&table);
    free(handles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_never_a_handle),
        cmocka_unit_test(a_handle_with_one_bit_changed_is_none),
        cmocka_unit_test(a_number_that_died_is_not_used_again_soon),
        cmocka_unit_test(an_entry_gives_each_of_its_handles_in_turn),
        cmocka_unit_test(a_hundred_thousand_live_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
