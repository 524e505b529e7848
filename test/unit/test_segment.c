/* test_segment.c: ranges in a segment, against a model that keeps one byte a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <vidmm/segment.h>

#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)
#define PAGE KIB(4)

/* ---- Host memory that counts, and fails when told ---- */

struct host_memory {
    long blocks, until_failure; /* until_failure < 0: never fails */
};

static void *allocate(void *context, size_t size)
{
    struct host_memory *host = context;
    if (host->until_failure == 0)
        return NULL;
    if (host->until_failure > 0)
        host->until_failure--;
    host->blocks++;
    void *block = aligned_alloc(16, (size + 15) & ~(size_t)15);
    assert_non_null(block);
    memset(block, 0, size);
    return block;
}

static void release_block(void *context, void *block)
{
    struct host_memory *host = context;
    assert_non_null(block);
    host->blocks--;
    free(block);
}

static struct host_memory host;
static const struct vidmm_memory memory = {&host, allocate, release_block};

static void open_segment(struct vidmm_segment *segment, uint64_t size)
{
    host = (struct host_memory){.until_failure = -1};
    assert_true(vidmm_segment_init(segment, size, &memory));
}

static void close_segment(struct vidmm_segment *segment)
{
    vidmm_segment_check(segment);
    vidmm_segment_finish(segment);
    assert_int_equal(host.blocks, 0);
}

static vidmm_range take(struct vidmm_segment *segment, uint64_t size, uint64_t alignment,
                        enum vidmm_direction direction)
{
    struct vidmm_range_request request = {
        .size = size, .alignment = alignment, .direction = direction};
    return vidmm_segment_take(segment, &request, 7);
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* ---- The model: who has each page ---- */

enum { MODEL_PAGES = 4096 };

struct model {
    struct vidmm_segment segment;
    uint32_t pages, live_count;
    uint64_t random;
    uint32_t page_owner[MODEL_PAGES]; /* 0: in a hole */
    vidmm_range live[MODEL_PAGES];
    uint32_t next_owner;
};

static uint32_t below(struct model *m, uint32_t limit)
{
    return (uint32_t)(next_random(&m->random) % limit);
}

static bool is_free(const struct model *m, uint64_t start, uint64_t pages)
{
    for (uint64_t p = start; p < start + pages; p++) {
        if (p >= m->pages || m->page_owner[p] != 0)
            return false;
    }
    return true;
}

/* Whether any page of the window is a place for the request. */
static bool has_place(const struct model *m, const struct vidmm_range_request *r)
{
    uint64_t pages = (r->size + PAGE - 1) / PAGE;
    uint64_t end =
        r->window_end == 0 || r->window_end > m->pages * PAGE ? m->pages * PAGE : r->window_end;
    uint64_t step = r->alignment < PAGE ? PAGE : r->alignment;
    for (uint64_t at = 0; at < end; at += step) {
        if (at >= r->window_start && at + pages * PAGE <= end && is_free(m, at / PAGE, pages))
            return true;
    }
    return false;
}

static void mark(struct model *m, vidmm_range range, uint32_t owner)
{
    uint64_t first = vidmm_range_offset(&m->segment, range) / PAGE;
    uint64_t end = first + vidmm_range_size(&m->segment, range) / PAGE;
    assert_true(end <= m->pages);
    for (uint64_t p = first; p < end; p++) {
        assert_true((m->page_owner[p] == 0) != (owner == 0));
        m->page_owner[p] = owner;
    }
}

/* The chosen place is at the wished end of its hole: one alignment step further is not possible. */
static void assert_wished_end(struct model *m, const struct vidmm_range_request *r, uint64_t offset)
{
    uint64_t step = r->alignment < PAGE ? PAGE : r->alignment;
    uint64_t pages = (r->size + PAGE - 1) / PAGE;
    uint64_t end = r->window_end == 0 ? m->pages * PAGE : r->window_end;
    uint64_t other = r->direction == VIDMM_FROM_START ? offset - step : offset + step;
    bool inside = r->direction == VIDMM_FROM_START ? offset >= r->window_start + step
                                                   : other + pages * PAGE <= end;
    uint64_t low = other < offset ? other : offset;
    if (inside)
        assert_false(is_free(m, low / PAGE, pages + step / PAGE));
}

static struct vidmm_range_request random_request(struct model *m)
{
    struct vidmm_range_request r = {0};
    uint32_t most = 1u << below(m, 12);
    r.size = PAGE * (1 + below(m, most)) - below(m, 2) * below(m, 4096);
    r.alignment = below(m, 3) == 0 ? 0 : UINT64_C(1) << below(m, 25);
    r.direction = below(m, 2) ? VIDMM_FROM_END : VIDMM_FROM_START;
    if (below(m, 3) == 0) {
        r.window_start = below(m, m->pages) * PAGE + below(m, 2) * below(m, 4096);
        r.window_end = below(m, 2) ? below(m, m->pages + 9) * PAGE + below(m, 2) : 0;
    }
    return r;
}

static void model_take(struct model *m)
{
    struct vidmm_range_request r = random_request(m);
    bool expected = has_place(m, &r);
    uint32_t owner = ++m->next_owner;
    vidmm_range range = vidmm_segment_take(&m->segment, &r, owner);
    assert_int_equal(range != 0, expected);
    if (range == 0)
        return;
    uint64_t offset = vidmm_range_offset(&m->segment, range);
    uint64_t size = vidmm_range_size(&m->segment, range);
    assert_int_equal(size, (r.size + PAGE - 1) / PAGE * PAGE);
    assert_int_equal(offset % (r.alignment < PAGE ? PAGE : r.alignment), 0);
    assert_true(offset >= r.window_start);
    assert_true(r.window_end == 0 || offset + size <= r.window_end);
    assert_wished_end(m, &r, offset);
    mark(m, range, owner);
    m->live[m->live_count++] = range;
}

static void model_take_at(struct model *m)
{
    uint64_t start = below(m, m->pages + 4), pages = 1 + below(m, 1u << below(m, 8));
    bool expected = is_free(m, start, pages);
    uint32_t owner = ++m->next_owner;
    vidmm_range range = vidmm_segment_take_at(&m->segment, start * PAGE, pages * PAGE, owner);
    assert_int_equal(range != 0, expected);
    if (range == 0)
        return;
    assert_int_equal(vidmm_range_offset(&m->segment, range), start * PAGE);
    mark(m, range, owner);
    m->live[m->live_count++] = range;
}

static void model_release(struct model *m)
{
    if (m->live_count == 0)
        return;
    uint32_t i = below(m, m->live_count);
    mark(m, m->live[i], 0);
    vidmm_segment_release(&m->segment, m->live[i]);
    m->live[i] = m->live[--m->live_count];
}

/* The walk shows what the model shows, forwards and backwards; the sums agree. */
static void assert_same(struct model *m)
{
    const struct vidmm_segment *s = &m->segment;
    uint64_t at = 0, free_bytes = 0, largest = 0;
    vidmm_range before = 0;
    for (vidmm_range r = vidmm_segment_first(s); r != 0; r = vidmm_range_next(s, r)) {
        uint64_t size = vidmm_range_size(s, r), first = at / PAGE;
        bool hole = vidmm_range_is_hole(s, r);
        assert_int_equal(vidmm_range_offset(s, r), at);
        assert_int_equal(vidmm_range_prev(s, r), before);
        assert_true(size != 0 && at + size <= m->pages * PAGE);
        assert_false(hole && before != 0 && vidmm_range_is_hole(s, before));
        for (uint64_t p = first; p < first + size / PAGE; p++)
            assert_int_equal(m->page_owner[p], hole ? 0 : vidmm_range_owner(s, r));
        free_bytes += hole ? size : 0;
        largest = hole && size > largest ? size : largest;
        at += size;
        before = r;
    }
    assert_int_equal(at, m->pages * PAGE);
    assert_int_equal(vidmm_segment_free_bytes(s), free_bytes);
    assert_int_equal(vidmm_segment_largest_hole(s), largest);
    vidmm_segment_check(s);
}

static void run_model(uint64_t seed, uint32_t pages, int steps)
{
    struct model *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->pages = pages;
    m->random = seed;
    open_segment(&m->segment, pages * PAGE + below(m, 2) * below(m, 4096));
    for (int i = 0; i < steps; i++) {
        uint32_t dice = below(m, 100), busy = i / 400 % 3 == 2 ? 70 : 45;
        if (dice < busy)
            model_release(m);
        else if (dice < busy + 8)
            model_take_at(m);
        else
            model_take(m);
        if (i % 8 == 0)
            assert_same(m);
    }
    assert_same(m);
    close_segment(&m->segment);
    free(m);
}

/* ---- The tests ---- */

static void every_request_is_served_exactly_when_a_place_exists(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 15, 16, 17, 40, 100, 512, 513, 1000, 1600, 4096};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            run_model(seed, sizes[i], 3000);
    }
}

static void sizes_out_of_range_are_refused(void **state)
{
    (void)state;
    struct vidmm_segment segment;
    host = (struct host_memory){.until_failure = -1};
    assert_false(vidmm_segment_init(&segment, 0, &memory));
    assert_false(vidmm_segment_init(&segment, PAGE - 1, &memory));
    assert_false(vidmm_segment_init(&segment, UINT64_C(1) << 44, &memory));
    assert_false(vidmm_segment_init(&segment, UINT64_MAX, &memory));
    assert_int_equal(host.blocks, 0);
    open_segment(&segment, (UINT64_C(1) << 44) - PAGE);
    assert_int_equal(vidmm_segment_free_bytes(&segment), (UINT64_C(1) << 44) - PAGE);
    close_segment(&segment);
}

static void absurd_requests_are_refused_and_change_nothing(void **state)
{
    (void)state;
    static const struct vidmm_range_request absurd[] = {
        {.size = 0},
        {.size = MIB(64) + 1},
        {.size = UINT64_MAX},
        {.size = PAGE, .alignment = 12288},
        {.size = PAGE, .alignment = UINT64_MAX},
        {.size = PAGE, .window_start = MIB(64)},
        {.size = PAGE, .window_start = UINT64_MAX, .window_end = UINT64_MAX},
        {.size = PAGE, .window_start = PAGE, .window_end = PAGE},
        {.size = PAGE, .window_start = MIB(2), .window_end = MIB(1)},
        {.size = PAGE, .window_start = 1, .window_end = 2 * PAGE - 1},
        {.size = PAGE, .alignment = UINT64_C(1) << 63, .window_start = PAGE},
    };
    struct vidmm_segment segment;
    open_segment(&segment, MIB(64));
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++)
        assert_int_equal(vidmm_segment_take(&segment, &absurd[i], 1), 0);
    assert_int_equal(vidmm_segment_take_at(&segment, 1, PAGE, 1), 0);
    assert_int_equal(vidmm_segment_take_at(&segment, 0, 0, 1), 0);
    assert_int_equal(vidmm_segment_take_at(&segment, UINT64_MAX - PAGE + 1, PAGE, 1), 0);
    assert_int_equal(vidmm_segment_take_at(&segment, PAGE, UINT64_MAX, 1), 0);
    assert_int_equal(vidmm_segment_free_bytes(&segment), MIB(64));
    vidmm_range whole = take(&segment, MIB(64), UINT64_C(1) << 63, VIDMM_FROM_END);
    assert_int_equal(vidmm_range_offset(&segment, whole), 0);
    assert_int_equal(vidmm_segment_largest_hole(&segment), 0);
    close_segment(&segment);
}

static void an_empty_segment_is_filled_from_the_end_that_is_asked_for(void **state)
{
    (void)state;
    struct vidmm_segment segment;
    open_segment(&segment, MIB(8));
    vidmm_range low = take(&segment, MIB(1), 0, VIDMM_FROM_START);
    vidmm_range high = take(&segment, MIB(1), 0, VIDMM_FROM_END);
    assert_int_equal(vidmm_range_offset(&segment, low), 0);
    assert_int_equal(vidmm_range_offset(&segment, high), MIB(7));
    close_segment(&segment);
}

static void a_live_range_keeps_its_number_place_and_owner(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    struct vidmm_segment segment;
    static vidmm_range range[COUNT];
    open_segment(&segment, COUNT * PAGE);
    for (uint32_t i = 0; i < COUNT; i++) {
        range[i] = vidmm_segment_take_at(&segment, i * PAGE, PAGE, ~i);
        assert_int_not_equal(range[i], 0);
    }
    for (uint32_t i = 0; i < COUNT; i += 2)
        vidmm_segment_release(&segment, range[i]);
    for (uint32_t i = 1; i < COUNT; i += 2) {
        assert_int_equal(vidmm_range_offset(&segment, range[i]), i * PAGE);
        assert_int_equal(vidmm_range_owner(&segment, range[i]), ~i);
    }
    close_segment(&segment);
}

static void what_was_reserved_needs_no_memory(void **state)
{
    (void)state;
    struct vidmm_segment segment;
    open_segment(&segment, MIB(64));
    assert_true(vidmm_segment_reserve(&segment, 1000));
    host.until_failure = 0;
    for (int i = 0; i < 1000; i++)
        assert_int_not_equal(take(&segment, PAGE, 0, i & 1), 0);
    assert_false(vidmm_segment_reserve(&segment, UINT32_MAX));
    assert_false(vidmm_segment_reserve(&segment, 100000));
    close_segment(&segment);
}

/* One story, with memory failing at the n-th call. True: it ran to its end. */
static bool story_with_failure_at(long n)
{
    struct vidmm_segment segment;
    host = (struct host_memory){.until_failure = n};
    if (!vidmm_segment_init(&segment, MIB(512), &memory)) {
        assert_int_equal(host.blocks, 0);
        return false;
    }
    uint64_t before = vidmm_segment_free_bytes(&segment), random = 5;
    bool ok = true;
    for (int i = 0; ok && i < 20000; i++) {
        before = vidmm_segment_free_bytes(&segment);
        uint64_t size = PAGE * (1 + next_random(&random) % 8);
        ok = take(&segment, size, PAGE << next_random(&random) % 3, i & 1) != 0;
    }
    if (!ok)
        assert_int_equal(vidmm_segment_free_bytes(&segment), before);
    host.until_failure = -1;
    assert_true(ok || take(&segment, PAGE, 0, VIDMM_FROM_START) != 0);
    close_segment(&segment);
    return ok;
}

static void memory_that_fails_at_any_call_changes_nothing(void **state)
{
    (void)state;
    long n = 0;
    while (!story_with_failure_at(n))
        n++;
    assert_true(n > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_is_served_exactly_when_a_place_exists),
        cmocka_unit_test(sizes_out_of_range_are_refused),
        cmocka_unit_test(absurd_requests_are_refused_and_change_nothing),
        cmocka_unit_test(an_empty_segment_is_filled_from_the_end_that_is_asked_for),
        cmocka_unit_test(a_live_range_keeps_its_number_place_and_owner),
        cmocka_unit_test(what_was_reserved_needs_no_memory),
        cmocka_unit_test(memory_that_fails_at_any_call_changes_nothing),
    };
    return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
