/* test_containers.c: map, ranges and notices of the shadow, against models of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/map.h"
#include "contract/notices.h"
#include "contract/ranges.h"

static uint64_t seed;

static uint64_t next_random(void)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return seed >> 33;
}

/* ---- Map ---- */

enum { KEYS = 600 };

/* Keys that differ in few bits, as handles do, in three scopes. */
static const void *key_of(size_t i)
{
    return (const void *)(uintptr_t)(0x7f0000000000 + i / 3 * 16);
}

static const void *scope_of(size_t i)
{
    return (const void *)(uintptr_t)(i % 3 * 0x1000);
}

static void a_map_finds_what_was_set_and_nothing_else(void **state)
{
    static int values[KEYS * 2];
    static void *model[KEYS];
    struct vidmm_map map = {0};

    (void)state;
    seed = 1;
    memset(model, 0, sizeof model);
    assert_null(vidmm_map_find(&map, NULL, key_of(0)));
    assert_null(vidmm_map_remove(&map, NULL, key_of(0)));
    for (int round = 0; round < 20000; round++) {
        size_t i = next_random() % KEYS;
        assert_ptr_equal(vidmm_map_find(&map, scope_of(i), key_of(i)), model[i]);
        if (next_random() % 2 == 0) {
            model[i] = &values[next_random() % (KEYS * 2)];
            assert_true(vidmm_map_set(&map, scope_of(i), key_of(i), model[i]));
        } else {
            assert_ptr_equal(vidmm_map_remove(&map, scope_of(i), key_of(i)), model[i]);
            model[i] = NULL;
        }
    }
    for (size_t i = 0; i < KEYS; i++)
        assert_ptr_equal(vidmm_map_find(&map, scope_of(i), key_of(i)), model[i]);
    vidmm_map_finish(&map);
}

/* ---- Ranges ---- */

enum { ADDRESSES = 512 };

/* The model: an owner and a tag for each address. */
struct cell {
    void *owner;
    uint64_t tag;
};

static void expect_ranges(const struct vidmm_ranges *ranges, const struct cell *model)
{
    uint64_t address = 0;
    const struct vidmm_owned_range *range;
    size_t count = 0;

    while ((range = vidmm_ranges_after(ranges, address)) != NULL) {
        assert_true(range->start >= address);
        for (; address < range->start; address++)
            assert_null(model[address].owner);
        for (; address < range->end; address++) {
            assert_ptr_equal(model[address].owner, range->owner);
            assert_int_equal(model[address].tag, range->tag + (address - range->start));
        }
        count++;
    }
    for (; address < ADDRESSES; address++)
        assert_null(model[address].owner);
    assert_int_equal(count, ranges->count);
}

static void expect_questions(const struct vidmm_ranges *ranges, const struct cell *model,
                             uint64_t start, uint64_t end)
{
    bool any = false, all = true;

    for (uint64_t address = start; address < end; address++) {
        any |= model[address].owner != NULL;
        all &= model[address].owner != NULL;
    }
    assert_int_equal(vidmm_ranges_meet(ranges, start, end) != NULL, any);
    assert_int_equal(vidmm_ranges_cover(ranges, start, end), all);
}

static void ranges_are_set_cut_and_split(void **state)
{
    static struct cell model[ADDRESSES];
    static int owners[8];
    struct vidmm_ranges ranges = {0};

    (void)state;
    seed = 2;
    memset(model, 0, sizeof model);
    for (int round = 0; round < 5000; round++) {
        uint64_t start = next_random() % ADDRESSES;
        uint64_t end = start + 1 + next_random() % (ADDRESSES - start);
        uint64_t tag = next_random();
        bool set = next_random() % 3 != 0;
        void *owner = &owners[next_random() % 8];
        if (end - start > 40)
            end = start + 1 + end % 40;
        expect_questions(&ranges, model, start, end);
        if (set)
            assert_true(vidmm_ranges_set(&ranges, start, end, owner, tag));
        else
            assert_true(vidmm_ranges_cut(&ranges, start, end));
        for (uint64_t address = start; address < end; address++)
            model[address] = (struct cell){set ? owner : NULL, tag + (address - start)};
        if (round % 7 == 0)
            expect_ranges(&ranges, model);
    }
    expect_ranges(&ranges, model);
    vidmm_ranges_finish(&ranges);
}

/* ---- Notices ---- */

static void notices_come_out_in_order_until_the_list_is_full(void **state)
{
    struct vidmm_notices *notices = malloc(sizeof *notices);
    struct vidmm_notice notice = {.ddi = VIDMM_DDI_NOTIFY_DPC};
    uintptr_t pushed = 0, popped = 0;

    (void)state;
    vidmm_notices_init(notices);
    assert_false(vidmm_notices_pop(notices, &notice));
    for (int round = 0; round < 5; round++) {
        for (;;) {
            notice.handle = (HANDLE)(pushed + 1);
            if (!vidmm_notices_push(notices, &notice))
                break;
            pushed++;
        }
        assert_int_equal(pushed - popped, VIDMM_NOTICES);
        for (int i = 0; i < 100 + round; i++) {
            assert_true(vidmm_notices_pop(notices, &notice));
            assert_int_equal((uintptr_t)notice.handle, ++popped);
        }
    }
    while (vidmm_notices_pop(notices, &notice))
        assert_int_equal((uintptr_t)notice.handle, ++popped);
    assert_int_equal(pushed, popped);
    free(notices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_finds_what_was_set_and_nothing_else),
        cmocka_unit_test(ranges_are_set_cut_and_split),
        cmocka_unit_test(notices_come_out_in_order_until_the_list_is_full),
    };

    return cmocka_run_group_tests_name("containers", tests, NULL, NULL);
}
