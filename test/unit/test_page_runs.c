/* test_page_runs.c: memory in runs, against a model that looks at every page. */
#include "test_segment_model.h"

#include "vidmm/engine/space/page_runs.h"

#define MIB (UINT64_C(1) << 20)

enum { HELD = 512 };

/* A segment whose pages the model knows, and the runs that are taken in it. */
struct runs_model {
    struct model *model;
    struct vidmm_page_runs *held[HELD];
    uint32_t count;
};

/* An empty list with room for what the request may come in. */
static struct vidmm_page_runs *list_for(struct model *m, const struct vidmm_range_request *request)
{
    struct vidmm_page_runs *runs =
        vidmm_page_runs_create(&m->memory.table, vidmm_page_runs_most(&m->segment, request));

    assert_non_null(runs);
    return runs;
}

/* The runs of a request that is granted. */
static struct vidmm_page_runs *taken(struct model *m, const struct vidmm_range_request *request)
{
    struct vidmm_page_runs *runs = list_for(m, request);

    assert_true(vidmm_page_runs_take(&m->segment, request, 7, runs));
    vidmm_page_runs_check(&m->segment, runs);
    return runs;
}

static void give_back(struct model *m, struct vidmm_page_runs *runs)
{
    vidmm_page_runs_release(&m->segment, runs);
    m->memory.table.free(m->memory.table.context, runs);
}

/* All pages of the runs belong to `owner` from here on; they are the allocation's, in order. */
static void mark_runs(struct runs_model *m, const struct vidmm_page_runs *runs, uint32_t owner)
{
    uint32_t page = 0, left, i, all = vidmm_page_runs_pages(runs);

    for (; page < all; page += left) {
        uint64_t offset = vidmm_page_runs_at(runs, page, &left);

        assert_true(left > 0 && left <= all - page);
        for (i = 0; i < left; i++) {
            uint32_t rest, *place = &m->model->owner[offset / PAGE + i];
            uint64_t same = vidmm_page_runs_at(runs, page + i, &rest);

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

static void assert_aligned(const struct vidmm_range_request *request,
                           const struct vidmm_page_runs *runs)
{
    uint32_t page = 0, left, all = vidmm_page_runs_pages(runs);

    assert_int_equal(all, (request->size + PAGE - 1) / PAGE);
    for (; page < all; page += left) {
        uint64_t offset = vidmm_page_runs_at(runs, page, &left);

        assert_int_equal(offset % model_step(request), 0);
        if (page + left < all)
            assert_int_equal(left * PAGE % model_step(request), 0);
    }
}

static void take(struct runs_model *m, const struct vidmm_range_request *request)
{
    bool expected = model_has_runs(m->model, request);
    uint32_t owner = ++m->model->next_owner;
    struct vidmm_page_runs *runs = list_for(m->model, request);
    struct vidmm_page_supply supply;

    vidmm_page_supply_init(&supply, &m->model->segment, request);
    assert_int_equal(vidmm_page_supply_is_enough(&supply), expected);
    assert_int_equal(vidmm_page_runs_take(&m->model->segment, request, owner, runs), expected);
    if (!expected) {
        assert_int_equal(runs->count, 0);
        give_back(m->model, runs);
        model_assert_same(m->model); /* nothing has changed */
        return;
    }
    assert_aligned(request, runs);
    mark_runs(m, runs, owner);
    m->held[m->count] = vidmm_page_runs_copy(&m->model->memory.table, runs);
    assert_non_null(m->held[m->count++]);
    m->model->memory.table.free(m->model->memory.table.context, runs);
}

/* The list tells the addresses of what was given back. */
static void release(struct runs_model *m, uint32_t i)
{
    struct vidmm_page_runs *runs = m->held[i];
    uint32_t left;
    uint64_t first = vidmm_page_runs_at(runs, 0, &left);

    mark_runs(m, runs, 0);
    vidmm_page_runs_release(&m->model->segment, runs);
    assert_int_equal(vidmm_page_runs_at(runs, 0, &left), first);
    m->model->memory.table.free(m->model->memory.table.context, runs);
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
    struct vidmm_page_runs *runs;
    uint32_t left;

    (void)state;
    /* free: [64 KiB, 3 MiB) and [3 MiB + 64 KiB, 16 MiB) without [8 MiB, 8 MiB + 64 KiB) */
    assert_true(vidmm_segment_take_at(&m->segment, 0, plug.size, 1) != 0);
    assert_true(vidmm_segment_take_at(&m->segment, 3 * MIB, plug.size, 1) != 0);
    assert_true(vidmm_segment_take_at(&m->segment, 8 * MIB, plug.size, 1) != 0);
    runs = taken(m, &request);
    assert_int_equal(vidmm_page_runs_at(runs, 0, &left) % (2 * MIB), 0);
    assert_int_equal(left, 5 * MIB / PAGE); /* one hole holds all of it */
    give_back(m, runs);

    request.size = 10 * MIB;
    runs = taken(m, &request);
    assert_int_equal(vidmm_page_runs_at(runs, 0, &left), 10 * MIB);
    assert_int_equal(left, 6 * MIB / PAGE);
    assert_int_equal(vidmm_page_runs_at(runs, left, &left), 4 * MIB);
    assert_int_equal(left, 4 * MIB / PAGE);
    assert_int_equal(runs->count, 2);
    give_back(m, runs);

    runs = taken(m, &plug);
    assert_int_equal(vidmm_page_runs_at(runs, 0, &left), plug.size);
    give_back(m, runs);
    plug.direction = VIDMM_FROM_END;
    runs = taken(m, &plug);
    assert_int_equal(vidmm_page_runs_at(runs, 0, &left), 3 * MIB - plug.size);
    give_back(m, runs);
    vidmm_segment_finish(&m->segment);
    counted_memory_finish(&m->memory);
    free(m);
}

/* A rest below 64 KiB finds a small hole, and the rest goes on in whole pages of 64 KiB. */
static void a_small_rest_finds_a_small_hole(void **state)
{
    struct vidmm_range_request request = {.size = 18 * PAGE}, plug = {.size = 14 * PAGE};
    struct model *m = model_create(1, 2048, 1);
    struct vidmm_page_runs *runs;
    uint32_t left;

    (void)state;
    assert_true(vidmm_segment_take_at(&m->segment, 2 * PAGE, plug.size, 1) != 0);
    runs = taken(m, &request);
    assert_int_equal(vidmm_page_runs_at(runs, 0, &left), 16 * PAGE);
    assert_int_equal(left, 16);
    assert_int_equal(vidmm_page_runs_at(runs, 16, &left), 0);
    assert_int_equal(left, 2);
    give_back(m, runs);
    vidmm_segment_finish(&m->segment);
    counted_memory_finish(&m->memory);
    free(m);
}

/* Ranges that will be free count together with the holes beside them. */
static void supply_counts_what_will_be_free(void **state)
{
    struct vidmm_range_request request = {.size = 24 * PAGE, .alignment = 16 * PAGE};
    struct model *m = model_create(1, 256, 1);
    struct vidmm_page_supply supply;
    vidmm_range inner, outer;
    struct vidmm_page_runs *runs;

    (void)state;
    inner = vidmm_segment_take_at(&m->segment, 40 * PAGE, 4 * PAGE, 1);
    outer = vidmm_segment_take_at(&m->segment, 48 * PAGE, 208 * PAGE, 1);
    assert_true(vidmm_segment_take_at(&m->segment, 0, 32 * PAGE, 1) != 0);
    assert_true(inner != 0 && outer != 0);
    vidmm_page_supply_init(&supply, &m->segment, &request); /* [32, 40) and [44, 48) are free */
    assert_false(vidmm_page_supply_is_enough(&supply));
    vidmm_page_supply_join(&supply, 32 * PAGE, 40 * PAGE, 44 * PAGE, 48 * PAGE);
    assert_int_equal(supply.units, 1);
    assert_false(vidmm_page_supply_is_enough(&supply)); /* a rest has been in [32, 40) */
    vidmm_page_supply_join(&supply, 32 * PAGE, 48 * PAGE, 56 * PAGE, 56 * PAGE);
    assert_false(vidmm_page_supply_is_enough(&supply)); /* it would do, and counts as a unit */
    vidmm_page_supply_clear(&supply);
    vidmm_page_supply_add(&supply, 32 * PAGE, 55 * PAGE);
    assert_false(vidmm_page_supply_is_enough(&supply));
    vidmm_page_supply_clear(&supply);
    vidmm_page_supply_add(&supply, 32 * PAGE, 56 * PAGE);
    assert_true(vidmm_page_supply_is_enough(&supply));
    vidmm_segment_release(&m->segment, inner);
    vidmm_segment_release(&m->segment, outer);
    assert_true(vidmm_segment_take_at(&m->segment, 56 * PAGE, 200 * PAGE, 1) != 0);
    runs = taken(m, &request);
    give_back(m, runs);
    request.size = 25 * PAGE;
    runs = list_for(m, &request);
    assert_false(vidmm_page_runs_take(&m->segment, &request, 7, runs));
    give_back(m, runs);
    vidmm_segment_finish(&m->segment);
    counted_memory_finish(&m->memory);
    free(m);
}

static void bad_requests_change_nothing(void **state)
{
    static const struct vidmm_range_request bad[] = {
        {.size = 0},          {.size = PAGE, .alignment = 3 * PAGE},       {.size = 33 * PAGE},
        {.size = UINT64_MAX}, {.size = 17 * PAGE, .alignment = 32 * PAGE},
    };
    struct model *m = model_create(1, 32, 1);
    struct vidmm_page_runs *runs = list_for(m, &(struct vidmm_range_request){.size = 32 * PAGE});
    size_t i;

    (void)state;
    assert_true(vidmm_segment_take_at(&m->segment, 16 * PAGE, PAGE, 1) != 0);
    m->owner[16] = 1;
    for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        assert_false(vidmm_page_runs_take(&m->segment, &bad[i], 7, runs));
        assert_int_equal(runs->count, 0);
        model_assert_same(m);
    }
    give_back(m, runs);
    assert_int_equal(vidmm_segment_take_most(&m->segment, 0, PAGE, VIDMM_FROM_START, 1), 0);
    assert_int_equal(vidmm_segment_take_most(&m->segment, PAGE, 0, VIDMM_FROM_START, 1), 0);
    assert_int_equal(vidmm_segment_take_most(&m->segment, PAGE, 3 * PAGE, VIDMM_FROM_START, 1), 0);
    assert_int_equal(
        vidmm_segment_take_most(&m->segment, 33 * PAGE, UINT64_C(1) << 63, VIDMM_FROM_END, 1), 0);
    model_assert_same(m);
    model_destroy(m);
}

/* Every refusal of memory for records, in turn: nothing has changed, and it works afterwards. With
 * records reserved, memory is never the cause. */
static void no_memory_for_records(void **state)
{
    struct vidmm_range_request all = {.size = 256 * PAGE}, page = {.size = PAGE};
    size_t n;
    bool refused = true;

    (void)state;
    for (n = 1; refused; n++) {
        struct runs_model m = {.model = model_create(1, 512, 1)};
        struct vidmm_page_runs *runs;
        uint32_t i;

        while (m.model->live_count < 512)
            model_take(m.model, &page);
        for (i = 512; i > 0; i -= 2) /* every other page is free */
            model_release(m.model, i - 1);
        runs = list_for(m.model, &all);
        counted_memory_fail_at(&m.model->memory, n);
        if (!vidmm_page_runs_take(&m.model->segment, &all, 999, runs)) {
            assert_true(counted_memory_refused(&m.model->memory));
            assert_int_equal(runs->count, 0);
            model_assert_same(m.model);
            assert_true(vidmm_page_runs_take(&m.model->segment, &all, 999, runs));
        } else {
            refused = counted_memory_refused(&m.model->memory);
        }
        assert_int_equal(vidmm_segment_free_bytes(&m.model->segment), 0);
        assert_int_equal(runs->count, 256);
        give_back(m.model, runs);
        model_destroy(m.model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_free_can_be_had),
        cmocka_unit_test(large_pages_come_first),
        cmocka_unit_test(a_small_rest_finds_a_small_hole),
        cmocka_unit_test(supply_counts_what_will_be_free),
        cmocka_unit_test(bad_requests_change_nothing),
        cmocka_unit_test(no_memory_for_records),
    };

    return cmocka_run_group_tests_name("page_runs", tests, NULL, NULL);
}
