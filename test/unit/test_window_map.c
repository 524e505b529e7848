/* test_window_map.c: which window an address is in, against a plain list. */
#include "harness.h"

#include "host/random.h"
#include "host/window_map.h"

enum { PAGE = 4096, MANY = 300, ROUNDS = 4000 };

/* Nothing but their addresses is looked at. */
static _Alignas(16) char windows[MANY];

struct stretch {
    uintptr_t start;
    uint64_t size; /* 0: it is not in the map */
};

static struct vidmm_window *window_of(unsigned i)
{
    return (struct vidmm_window *)(void *)&windows[2 * (i % (MANY / 2))];
}

static bool overlaps_any(const struct stretch *stretches, struct stretch other)
{
    for (unsigned i = 0; i < MANY / 2; i++)
        if (stretches[i].size != 0 && stretches[i].start < other.start + other.size &&
            other.start < stretches[i].start + stretches[i].size)
            return true;
    return false;
}

/* The answer of a list of all. */
static struct vidmm_window *expected(const struct stretch *stretches, uintptr_t address)
{
    for (unsigned i = 0; i < MANY / 2; i++)
        if (address - stretches[i].start < stretches[i].size)
            return window_of(i);
    return NULL;
}

static void check(const struct stretch *stretches, struct stretch at)
{
    const uintptr_t addresses[] = {at.start - 1, at.start, at.start + at.size / 2,
                                   at.start + at.size - 1, at.start + at.size};

    for (unsigned i = 0; i < sizeof(addresses) / sizeof(*addresses); i++)
        assert_ptr_equal(vidmm_window_map_find(addresses[i]), expected(stretches, addresses[i]));
}

static void each_address_leads_to_its_window(void **state)
{
    static const uintptr_t base = (uintptr_t)0x7f0000000000;
    static const uint32_t most[] = {4, 64, 1024, 5000, 300000}; /* pages */
    static struct stretch stretches[MANY / 2];
    uint64_t random = vidmm_random_seed(17);

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned i = vidmm_random_below(&random, MANY / 2);
        struct stretch *mine = &stretches[i], made;

        if (mine->size != 0) {
            struct stretch gone = *mine;

            vidmm_window_map_remove(mine->start, mine->size);
            mine->size = 0;
            check(stretches, gone);
            continue;
        }
        made.start = base + (uintptr_t)vidmm_random_below(&random, 4000000) * PAGE;
        made.size = (uint64_t)(1 + vidmm_random_below(&random, most[i % 5])) * PAGE;
        if (i % 3 == 0)
            made.start &= ~(uintptr_t)0x1fffff; /* as large mappings begin */
        if (!overlaps_any(stretches, made)) {
            assert_true(vidmm_window_map_add(window_of(i), made.start, made.size));
            *mine = made;
            check(stretches, made);
        }
    }
    for (unsigned i = 0; i < MANY / 2; i++)
        if (stretches[i].size != 0)
            vidmm_window_map_remove(stretches[i].start, stretches[i].size);
}

static void what_no_program_can_touch_leads_nowhere(void **state)
{
    (void)state;
    assert_null(vidmm_window_map_find(0));
    assert_null(vidmm_window_map_find(UINTPTR_MAX));
    assert_null(vidmm_window_map_find((uintptr_t)0x7f0000000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_address_leads_to_its_window),
        cmocka_unit_test(what_no_program_can_touch_leads_nowhere),
    };

    return cmocka_run_group_tests_name("window_map", tests, NULL, NULL);
}
