/* test_host_pages.c: the pages of a CPU host aperture, against a model that looks at every page. */
#include "harness.h"

#include "vidmm/engine/space/host_pages.h"

enum { PAGES = 48, OWNERS = 24 };

static void as_many_as_are_free_are_granted_wherever_they_are(void **state)
{
    struct counted_memory memory;
    struct vidmm_host_pages table;
    uint32_t first[PAGES], page, taken[3];

    (void)state;
    counted_memory_init(&memory);
    assert_true(vidmm_host_pages_init(&table, PAGES, &memory.table));
    for (page = 0; page < PAGES; page++)
        first[page] = vidmm_host_pages_take(&table, page + 1, 1);
    assert_int_equal(vidmm_host_pages_take(&table, 100, 1), VIDMM_NO_HOST_PAGE);
    for (page = 1; page < PAGES; page += 2) /* no two free pages lie side by side */
        vidmm_host_pages_release(&table, first[page]);
    assert_int_equal(vidmm_host_pages_take(&table, 100, PAGES / 2 + 1), VIDMM_NO_HOST_PAGE);
    assert_int_equal(table.free, PAGES / 2);
    taken[0] = vidmm_host_pages_take(&table, 100, PAGES / 2);
    assert_int_equal(vidmm_host_pages_length(&table, taken[0]), PAGES / 2);
    vidmm_host_pages_check(&table);
    for (page = taken[0]; page != VIDMM_NO_HOST_PAGE; page = vidmm_host_pages_next(&table, page)) {
        assert_int_equal(page % 2, 1);
        assert_int_equal(table.pages[page].owner, 100);
    }
    vidmm_host_pages_finish(&table, &memory.table);
    counted_memory_finish(&memory);
}

static void a_chain_that_is_trimmed_keeps_its_first_pages(void **state)
{
    struct counted_memory memory;
    struct vidmm_host_pages table;
    uint32_t first, second;

    (void)state;
    counted_memory_init(&memory);
    assert_true(vidmm_host_pages_init(&table, PAGES, &memory.table));
    first = vidmm_host_pages_take(&table, 1, 10);
    second = vidmm_host_pages_next(&table, first);
    vidmm_host_pages_trim(&table, first, 10);
    assert_int_equal(vidmm_host_pages_length(&table, first), 10);
    vidmm_host_pages_trim(&table, first, 2);
    assert_int_equal(vidmm_host_pages_length(&table, first), 2);
    assert_int_equal(vidmm_host_pages_next(&table, first), second);
    assert_int_equal(table.free, PAGES - 2);
    vidmm_host_pages_check(&table);
    vidmm_host_pages_release(&table, first);
    assert_int_equal(table.free, PAGES);
    vidmm_host_pages_check(&table);
    vidmm_host_pages_finish(&table, &memory.table);
    counted_memory_finish(&memory);
}

static void without_pages_or_memory_there_is_nothing(void **state)
{
    struct counted_memory memory;
    struct vidmm_host_pages table;

    (void)state;
    counted_memory_init(&memory);
    assert_true(vidmm_host_pages_init(&table, 0, &memory.table));
    assert_int_equal(vidmm_host_pages_take(&table, 1, 1), VIDMM_NO_HOST_PAGE);
    vidmm_host_pages_check(&table);
    vidmm_host_pages_finish(&table, &memory.table);
    counted_memory_finish(&memory);
    counted_memory_fail_at(&memory, 1);
    assert_false(vidmm_host_pages_init(&table, PAGES, &memory.table));
}

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % below;
}

/* Each page is whose the model says, whatever was taken, trimmed and given back. */
static void many_owners_never_share_a_page(void **state)
{
    struct counted_memory memory;
    struct vidmm_host_pages table;
    uint32_t chain[OWNERS], length[OWNERS] = {0}, held = 0, step;
    uint64_t seed = 13;

    (void)state;
    counted_memory_init(&memory);
    assert_true(vidmm_host_pages_init(&table, PAGES, &memory.table));
    for (step = 0; step < 4000; step++) {
        uint32_t owner = draw(&seed, OWNERS), page, seen = 0;

        if (length[owner] == 0) {
            uint32_t count = 1 + draw(&seed, 9);

            chain[owner] = vidmm_host_pages_take(&table, owner + 1, count);
            assert_true((chain[owner] == VIDMM_NO_HOST_PAGE) == (count > PAGES - held));
            length[owner] = chain[owner] == VIDMM_NO_HOST_PAGE ? 0 : count;
            held += length[owner];
        } else if (draw(&seed, 3) == 0) {
            uint32_t count = 1 + draw(&seed, length[owner]);

            vidmm_host_pages_trim(&table, chain[owner], count);
            held -= length[owner] - count;
            length[owner] = count;
        } else {
            vidmm_host_pages_release(&table, chain[owner]);
            held -= length[owner];
            length[owner] = 0;
        }
        vidmm_host_pages_check(&table);
        assert_int_equal(table.free, PAGES - held);
        for (page = 0; page < PAGES; page++)
            seen += table.pages[page].owner == owner + 1 ? 1 : 0;
        assert_int_equal(seen, length[owner]);
        if (length[owner] > 0)
            assert_int_equal(vidmm_host_pages_length(&table, chain[owner]), length[owner]);
    }
    vidmm_host_pages_finish(&table, &memory.table);
    counted_memory_finish(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_as_are_free_are_granted_wherever_they_are),
        cmocka_unit_test(a_chain_that_is_trimmed_keeps_its_first_pages),
        cmocka_unit_test(without_pages_or_memory_there_is_nothing),
        cmocka_unit_test(many_owners_never_share_a_page),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
