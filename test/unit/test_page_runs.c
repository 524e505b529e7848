/* test_page_runs.c: memory in runs, against a model that looks at every page. */
#include "test_segment_model.h"

#include "vidmm/engine/space/page_runs.h"

#define MIB (UINT64_C(1) << 20)

enum { HELD = 512 };

/* A segment whose pages the model knows, and the runs that are taken in it. */
struct runs_model {
    struct model *model;
    struct vidmm_page_runs held[HELD];
    uint32_t count;
};

/* All pages of the runs belong to `owner` from here on; they are the allocation's, in order. */
static void mark_runs(struct runs_model *m, const struct vidmm_page_runs *runs, uint32_t owner)
{
    uint32_t page = 0, left, i, all = vidmm_page_runs_pages(runs);

    for (; page < all; page += left) {
        uint64_t offset = vidmm_page_runs_at(&m->model->segment, runs, page, &left);

        assert_true(left > 0 && left <= all - page);
        for (i = 0; i < left; i++) {
            uint32_t rest, *place = &m->model->owner[offset / PAGE + i];
            uint64_t same = vidmm_page_runs_at(&m->model->segment, runs, page + i, &rest);

            assert_int_equal(same, offset + i * PAGE);
            assert_int_equal(rest, left - i);
            assert_true((*place == 0) != (owner == 0));
            *place = owner;
        }
    }
    vidmm_page_runs_check(&m->model->segment, runs);
}

/* Whether so many pages are free in runs that begin at the alignment and, but for the last, are
 * multiples of it: whole units everywhere, and one place for what is no whole unit. */
static bool model_has_runs(const struct model *m, const struct vidmm_range_request *request)
{
    uint64_t unit = model_step(request) / PAGE, pages = (request->size + PAGE - 1) / PAGE;
    uint64_t whole = 0, longest = 0, at, left = pages % unit;

    for (at = 0; at < m->pages; at += unit) {
        uint64_t length = 0;

        while (length < unit && model_is_free(m, at + length, 1))
            length++;
        whole += length == unit ? 1 : 0;
        longest = length < unit && length > longest ? length : longest;
    }
    return whole > pages / unit || (whole == pages / unit && left <= longest);
}

static void assert_aligned(const struct model *m, const struct vidmm_range_request *request,
                           const struct vidmm_page_runs *runs)
{
    uint32_t page = 0, left, all = vidmm_page_runs_pages(runs);

    assert_int_equal(all, (request->size + PAGE - 1) / PAGE);
    for (; page < all; page += left) {
        uint64_t offset = vidmm_page_runs_at(&m->segment, runs, page, &left);

        assert_int_equal(offset % model_step(request), 0);
        if (page + left < all)
            assert_int_equal(left * PAGE % model_step(request), 0);
    }
}

static void take(struct runs_model *m, const struct vidmm_range_request *request)
{
    struct vidmm_page_runs runs = {0}, untouched = {0};
    bool expected = model_has_runs(m->model, request);
    uint32_t owner = ++m->model->next_owner;

    assert_int_equal(vidmm_page_runs_take(&m->model->segment, request, owner, &runs), expected);
    if (!expected) {
        assert_memory_equal(&runs, &untouched, sizeof(runs));
        model_assert_same(m->model); /* nothing has changed */
        return;
    }
    assert_aligned(m->model, request, &runs);
    mark_runs(m, &runs, owner);
    m->held[m->count++] = runs;
}

static void release(struct runs_model *m, uint32_t i)
{
    mark_runs(m, &m->held[i], 0);
    vidmm_page_runs_release(&m->model->segment, &m->held[i]);
    assert_int_equal(m->held[i].count, 0);
    assert_null(m->held[i].many);
    m->held[i] = m->held[--m->count];
}

static void everything_free_can_be_had(void **state)
{
    uint64_t seed;
    int step;

    (void)state;
    for (seed = 1; seed <= 6; seed++) {
        struct runs_model m = {.model = model_create(seed, seed % 2 ? 1000 : 8000, 900)};

        for (step = 0; step < 1500; step++) {
            struct vidmm_range_request request = model_request(m.model);

            if (model_below(m.model, 2))
                request.alignment = 0;
            if (m.count < HELD && model_below(m.model, 5) < 3)
                take(&m, &request);
            else if (m.count > 0)
                release(&m, model_below(m.model, m.count));
            if (step % 100 == 0)
                model_assert_same(m.model);
        }
        while (m.count > 0)
            release(&m, 0);
        model_destroy(m.model);
    }
}

/* Pages of 2 MiB are given whole where there are such, and a small rest elsewhere. */
static void large_pages_come_first(void **state)
{
    struct vidmm_range_request request = {.size = 5 * MIB};
    struct vidmm_range_request plug = {.size = 64 * 1024};
    struct model *m = model_create(1, 8 * 512, 1);
    struct vidmm_page_runs runs;
    uint32_t left;

    (void)state;
    /* free: [64 KiB, 3 MiB) and [3 MiB + 64 KiB, 16 MiB) without [8 MiB, 8 MiB + 64 KiB) */
    assert_true(vidmm_segment_take_at(&m->segment, 0, plug.size, 1) != 0);
    assert_true(vidmm_segment_take_at(&m->segment, 3 * MIB, plug.size, 1) != 0);
    assert_true(vidmm_segment_take_at(&m->segment, 8 * MIB, plug.size, 1) != 0);
    assert_true(vidmm_page_runs_take(&m->segment, &request, 7, &runs));
    assert_int_equal(vidmm_page_runs_at(&m->segment, &runs, 0, &left) % (2 * MIB), 0);
    assert_int_equal(left, 5 * MIB / PAGE); /* one hole holds all of it */
    vidmm_page_runs_release(&m->segment, &runs);

    request.size = 10 * MIB;
    assert_true(vidmm_page_runs_take(&m->segment, &request, 7, &runs));
    assert_int_equal(vidmm_page_runs_at(&m->segment, &runs, 0, &left), 10 * MIB);
    assert_int_equal(left, 6 * MIB / PAGE);
    assert_int_equal(vidmm_page_runs_at(&m->segment, &runs, left, &left), 4 * MIB);
    assert_int_equal(left, 4 * MIB / PAGE);
    assert_int_equal(runs.count, 2);
    vidmm_page_runs_release(&m->segment, &runs);

    assert_true(vidmm_page_runs_take(&m->segment, &plug, 7, &runs));
    assert_int_equal(vidmm_page_runs_at(&m->segment, &runs, 0, &left), plug.size);
    vidmm_page_runs_release(&m->segment, &runs);
    plug.direction = VIDMM_FROM_END;
    assert_true(vidmm_page_runs_take(&m->segment, &plug, 7, &runs));
    assert_int_equal(vidmm_page_runs_at(&m->segment, &runs, 0, &left), 3 * MIB - plug.size);
    vidmm_page_runs_release(&m->segment, &runs);
    vidmm_segment_finish(&m->segment);
    counted_memory_finish(&m->memory);
    free(m);
}

/* A rest below 64 KiB finds a small hole, and the rest goes on in whole pages of 64 KiB. */
static void a_small_rest_finds_a_small_hole(void **state)
{
    struct vidmm_range_request request = {.size = 18 * PAGE}, plug = {.size = 14 * PAGE};
    struct model *m = model_create(1, 2048, 1);
    struct vidmm_page_runs runs;
    uint32_t left;

    (void)state;
    assert_true(vidmm_segment_take_at(&m->segment, 2 * PAGE, plug.size, 1) != 0);
    assert_true(vidmm_page_runs_take(&m->segment, &request, 7, &runs));
    assert_int_equal(vidmm_page_runs_at(&m->segment, &runs, 0, &left), 16 * PAGE);
    assert_int_equal(left, 16);
    assert_int_equal(vidmm_page_runs_at(&m->segment, &runs, 16, &left), 0);
    assert_int_equal(left, 2);
    vidmm_page_runs_release(&m->segment, &runs);
    vidmm_segment_finish(&m->segment);
    counted_memory_finish(&m->memory);
    free(m);
}

/* The window is a bank: all of it there in one run, or the hint is not followed. */
static void a_bank_is_a_hint(void **state)
{
    struct vidmm_range_request request = {
        .size = MIB, .window_start = 4 * MIB, .window_end = 6 * MIB};
    struct model *m = model_create(1, 2048, 1);
    struct vidmm_page_runs runs;
    uint32_t left;

    (void)state;
    assert_true(vidmm_page_runs_take(&m->segment, &request, 7, &runs));
    assert_int_equal(vidmm_page_runs_at(&m->segment, &runs, 0, &left), 4 * MIB);
    assert_int_equal(runs.count, 1);
    vidmm_page_runs_release(&m->segment, &runs);
    request.size = 3 * MIB;
    assert_true(vidmm_page_runs_take(&m->segment, &request, 7, &runs));
    assert_int_equal(vidmm_page_runs_at(&m->segment, &runs, 0, &left), 0);
    vidmm_page_runs_release(&m->segment, &runs);
    vidmm_segment_finish(&m->segment);
    counted_memory_finish(&m->memory);
    free(m);
}

static void bad_requests_change_nothing(void **state)
{
    static const struct vidmm_range_request bad[] = {
        {.size = 0},
        {.size = PAGE, .alignment = 3 * PAGE},
        {.size = 33 * PAGE},
        {.size = UINT64_MAX},
        {.size = 17 * PAGE, .alignment = 32 * PAGE, .window_start = PAGE},
    };
    struct model *m = model_create(1, 32, 1);
    struct vidmm_page_runs runs = {.count = 42};
    size_t i;

    (void)state;
    assert_true(vidmm_segment_take_at(&m->segment, 16 * PAGE, PAGE, 1) != 0);
    m->owner[16] = 1;
    for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        assert_false(vidmm_page_runs_take(&m->segment, &bad[i], 7, &runs));
        assert_int_equal(runs.count, 42);
        model_assert_same(m);
    }
    assert_int_equal(vidmm_segment_take_most(&m->segment, 0, PAGE, VIDMM_FROM_START, 1), 0);
    assert_int_equal(vidmm_segment_take_most(&m->segment, PAGE, 0, VIDMM_FROM_START, 1), 0);
    assert_int_equal(vidmm_segment_take_most(&m->segment, PAGE, 3 * PAGE, VIDMM_FROM_START, 1), 0);
    assert_int_equal(
        vidmm_segment_take_most(&m->segment, 33 * PAGE, UINT64_C(1) << 63, VIDMM_FROM_END, 1), 0);
    model_assert_same(m);
    model_destroy(m);
}

/* Every refusal of memory for records, in turn: nothing has changed, and it works afterwards. */
static void no_memory_for_records(void **state)
{
    struct vidmm_range_request all = {.size = 256 * PAGE}, page = {.size = PAGE};
    size_t n;
    bool refused = true;

    (void)state;
    for (n = 1; refused; n++) {
        struct runs_model m = {.model = model_create(1, 512, 1)};
        struct vidmm_page_runs runs = {0};
        uint32_t i;

        while (m.model->live_count < 512)
            model_take(m.model, &page);
        for (i = 512; i > 0; i -= 2) /* every other page is free */
            model_release(m.model, i - 1);
        counted_memory_fail_at(&m.model->memory, n);
        if (!vidmm_page_runs_take(&m.model->segment, &all, 999, &runs)) {
            assert_true(counted_memory_refused(&m.model->memory));
            model_assert_same(m.model);
            assert_true(vidmm_page_runs_take(&m.model->segment, &all, 999, &runs));
        } else {
            refused = counted_memory_refused(&m.model->memory);
        }
        assert_int_equal(vidmm_segment_free_bytes(&m.model->segment), 0);
        vidmm_page_runs_release(&m.model->segment, &runs);
        model_destroy(m.model);
    }
    assert_true(n > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_free_can_be_had),      cmocka_unit_test(large_pages_come_first),
        cmocka_unit_test(a_small_rest_finds_a_small_hole), cmocka_unit_test(a_bank_is_a_hint),
        cmocka_unit_test(bad_requests_change_nothing),     cmocka_unit_test(no_memory_for_records),
    };

    return cmocka_run_group_tests_name("page_runs", tests, NULL, NULL);
}
