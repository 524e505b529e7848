/* test_segment_model.c: a segment against brute force, for all alignments, directions and
 * windows. */
#include "test_segment_model.h"

static void every_request_is_served_exactly_when_a_place_exists(void **state)
{
    static const uint32_t sizes[] = {1, 2, 15, 16, 17, 40, 100, 512, 513, 1000, 1600, 4096};

    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct model *m = model_create(seed, sizes[i], sizes[i] / 2 + 1);

            model_run(m, 3000);
            model_destroy(m);
        }
    }
}

/* Thousands of small holes: more than a search looks through, and more than one level of groups. */
static void many_small_holes_are_searched_exactly(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct model *m = model_create(seed, MODEL_PAGES, 3);
        struct vidmm_range_request page = {.size = PAGE};

        while (m->live_count < MODEL_PAGES)
            model_take(m, &page);
        while (m->live_count > MODEL_PAGES / 2)
            model_release(m, model_below(m, m->live_count));
        for (int i = 0; i < 4000; i++) {
            struct vidmm_range_request r = {
                .size = PAGE * (1 + model_below(m, 14)),
                .alignment = PAGE << model_below(m, 11),
                .direction = model_below(m, 2) ? VIDMM_FROM_END : VIDMM_FROM_START,
            };

            model_take(m, &r);
            while (m->live_count > MODEL_PAGES / 2)
                model_release(m, model_below(m, m->live_count));
            if (i % 64 == 0)
                model_assert_same(m);
        }
        model_destroy(m);
    }
}

/* A full segment with holes of 17 pages, of which the aligned part is 9. live[0] is a lead of 8
 * pages; live[i] is the range between the holes i - 1 and i. */
enum { HOLE_PAGES = 17, LIVE_PAGES = 15, LEAD = 8, TEETH = 200 };

static const struct vidmm_range_request aligned = {.size = 16 * PAGE, .alignment = 16 * PAGE};

static uint32_t tooth(uint32_t i)
{
    return LEAD + i * (HOLE_PAGES + LIVE_PAGES) - LIVE_PAGES;
}

static struct model *comb_create(void)
{
    struct model *m = model_create(1, tooth(TEETH) + LIVE_PAGES, 1);

    model_take_at(m, 0, LEAD);
    for (uint32_t i = 1; i <= TEETH; i++)
        model_take_at(m, tooth(i), LIVE_PAGES);
    return m;
}

static void one_aligned_place_among_misaligned_holes_is_found(void **state)
{
    struct model *m = comb_create();

    (void)state;
    for (uint32_t i = 1; i <= TEETH; i++) {
        model_take(m, &aligned); /* refused: the model says so */
        assert_int_equal(m->live_count, TEETH + 1);
        model_release(m, i);
        model_take(m, &aligned);
        model_release(m, m->live_count - 1);
        model_take_at(m, tooth(i), LIVE_PAGES);
        vidmm_range last = m->live[m->live_count - 1]; /* back in its place in the list */
        m->live[m->live_count - 1] = m->live[i];
        m->live[i] = last;
    }
    model_destroy(m);
}

static void what_is_known_stays_known_when_the_table_grows(void **state)
{
    struct vidmm_range_request small = {.size = 9 * PAGE, .alignment = 16 * PAGE};

    (void)state;
    for (uint32_t ranges = 100; ranges <= 100000; ranges *= 10) {
        struct model *m = comb_create();

        model_take(m, &aligned); /* refused, and now all holes are known */
        assert_int_equal(m->live_count, TEETH + 1);
        assert_true(vidmm_segment_reserve(&m->segment, ranges));
        vidmm_segment_check(&m->segment);
        model_take(m, &aligned);
        for (uint32_t i = 0; i < TEETH; i++)
            model_take(m, &small);
        assert_int_equal(m->live_count, 2 * TEETH + 1);
        model_take(m, &small);
        assert_int_equal(m->live_count, 2 * TEETH + 1);
        model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_is_served_exactly_when_a_place_exists),
        cmocka_unit_test(many_small_holes_are_searched_exactly),
        cmocka_unit_test(one_aligned_place_among_misaligned_holes_is_found),
        cmocka_unit_test(what_is_known_stays_known_when_the_table_grows),
    };

    return cmocka_run_group_tests_name("segment against brute force", tests, NULL, NULL);
}
