/*
 * test_segment_model.h: a segment and a model of it, which keeps the owner of each page and looks
 * at every page to answer. The model must agree with every answer of the segment.
 */
#ifndef TEST_UNIT_SEGMENT_MODEL_H
#define TEST_UNIT_SEGMENT_MODEL_H

#include <vidmm/segment.h>

#include "harness.h"

#define PAGE UINT64_C(4096)

enum { MODEL_PAGES = 8192 };

struct model {
    struct counted_memory memory;
    struct vidmm_segment segment;
    uint32_t pages, live_count, next_owner;
    uint32_t most_pages; /* of a request, at least */
    uint64_t random;
    uint32_t owner[MODEL_PAGES]; /* of each page; 0: in a hole */
    vidmm_range live[MODEL_PAGES];
};

static inline uint64_t model_random(struct model *m)
{
    uint64_t x = m->random += UINT64_C(0x9E3779B97F4A7C15);

    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static inline uint32_t model_below(struct model *m, uint64_t limit)
{
    return (uint32_t)(model_random(m) % limit);
}

static inline bool model_is_free(const struct model *m, uint64_t start, uint64_t pages)
{
    for (uint64_t p = start; p < start + pages; p++)
        if (p >= m->pages || m->owner[p] != 0)
            return false;
    return true;
}

static inline uint64_t model_step(const struct vidmm_range_request *r)
{
    return r->alignment < PAGE ? PAGE : r->alignment;
}

static inline uint64_t model_window_end(const struct model *m, const struct vidmm_range_request *r)
{
    bool whole = r->window_end == 0 || r->window_end > m->pages * PAGE;

    return whole ? m->pages * PAGE : r->window_end;
}

/* Whether any aligned page of the window begins a place for the request. */
static inline bool model_has_place(const struct model *m, const struct vidmm_range_request *r)
{
    uint64_t pages = (r->size + PAGE - 1) / PAGE, end = model_window_end(m, r);

    for (uint64_t at = 0; at < end; at += model_step(r))
        if (at >= r->window_start && at + pages * PAGE <= end && model_is_free(m, at / PAGE, pages))
            return true;
    return false;
}

/* The place is at the wished end of its hole: one step of the alignment further is none. */
static inline void model_assert_end(const struct model *m, const struct vidmm_range_request *r,
                                    uint64_t offset)
{
    uint64_t step = model_step(r), size = (r->size + PAGE - 1) / PAGE * PAGE;
    bool from_start = r->direction == VIDMM_FROM_START;
    bool inside = from_start ? offset >= r->window_start + step
                             : offset + step + size <= model_window_end(m, r);
    uint64_t low = from_start ? offset - step : offset;

    if (inside)
        assert_false(model_is_free(m, low / PAGE, (size + step) / PAGE));
}

static inline void model_mark(struct model *m, vidmm_range range, uint32_t owner)
{
    uint64_t first = vidmm_range_offset(&m->segment, range) / PAGE;
    uint64_t end = first + vidmm_range_size(&m->segment, range) / PAGE;

    assert_true(end <= m->pages);
    for (uint64_t p = first; p < end; p++) {
        assert_true((m->owner[p] == 0) != (owner == 0));
        m->owner[p] = owner;
    }
}

static inline void model_take(struct model *m, const struct vidmm_range_request *r)
{
    bool expected = model_has_place(m, r);
    uint32_t owner = ++m->next_owner;
    vidmm_range range = vidmm_segment_take(&m->segment, r, owner);

    assert_int_equal(range != 0, expected);
    if (range == 0)
        return;
    uint64_t offset = vidmm_range_offset(&m->segment, range);
    uint64_t size = vidmm_range_size(&m->segment, range);
    assert_int_equal(size, (r->size + PAGE - 1) / PAGE * PAGE);
    assert_int_equal(offset % model_step(r), 0);
    assert_true(offset >= r->window_start && offset + size <= model_window_end(m, r));
    model_assert_end(m, r, offset);
    model_mark(m, range, owner);
    m->live[m->live_count++] = range;
}

static inline void model_take_at(struct model *m, uint64_t start, uint64_t pages)
{
    bool expected = model_is_free(m, start, pages);
    uint32_t owner = ++m->next_owner;
    vidmm_range range = vidmm_segment_take_at(&m->segment, start * PAGE, pages * PAGE, owner);

    assert_int_equal(range != 0, expected);
    if (range != 0) {
        assert_int_equal(vidmm_range_offset(&m->segment, range), start * PAGE);
        model_mark(m, range, owner);
        m->live[m->live_count++] = range;
    }
}

static inline void model_release(struct model *m, uint32_t i)
{
    model_mark(m, m->live[i], 0);
    vidmm_segment_release(&m->segment, m->live[i]);
    m->live[i] = m->live[--m->live_count];
}

/* The walk shows what the model shows, in both directions, and the sums agree. */
static inline void model_assert_same(struct model *m)
{
    const struct vidmm_segment *s = &m->segment;
    uint64_t at = 0, free_bytes = 0, largest = 0;
    vidmm_range before = 0;

    for (vidmm_range r = vidmm_segment_first(s); r != 0; r = vidmm_range_next(s, r)) {
        uint64_t size = vidmm_range_size(s, r);
        bool hole = vidmm_range_is_hole(s, r);

        assert_int_equal(vidmm_range_offset(s, r), at);
        assert_int_equal(vidmm_range_prev(s, r), before);
        assert_true(size != 0 && at + size <= m->pages * PAGE);
        assert_false(hole && before != 0 && vidmm_range_is_hole(s, before));
        for (uint64_t p = at / PAGE; p < (at + size) / PAGE; p++)
            assert_int_equal(m->owner[p], hole ? 0 : vidmm_range_owner(s, r));
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

static inline struct model *model_create(uint64_t seed, uint32_t pages, uint32_t most_pages)
{
    struct model *m = calloc(1, sizeof *m);

    assert_non_null(m);
    assert_true(pages <= MODEL_PAGES);
    m->pages = pages;
    m->most_pages = most_pages;
    m->random = seed;
    counted_memory_init(&m->memory);
    assert_true(
        vidmm_segment_init(&m->segment, pages * PAGE + model_below(m, PAGE), &m->memory.table));
    return m;
}

static inline void model_destroy(struct model *m)
{
    model_assert_same(m);
    vidmm_segment_finish(&m->segment);
    counted_memory_finish(&m->memory);
    free(m);
}

/* Any size up to most_pages, small ones more often; any alignment up to 16 MiB, any direction; one
 * in three with a window. Sizes and windows are seldom whole pages. */
static inline struct vidmm_range_request model_request(struct model *m)
{
    struct vidmm_range_request r = {0};
    uint64_t pages = m->most_pages;

    pages >>= model_below(m, 12);
    r.size = PAGE * (1 + model_below(m, pages + 1)) - model_below(m, 2) * model_below(m, PAGE);
    r.alignment = model_below(m, 3) == 0 ? 0 : UINT64_C(1) << model_below(m, 25);
    r.direction = model_below(m, 2) ? VIDMM_FROM_END : VIDMM_FROM_START;
    if (model_below(m, 3) == 0) {
        r.window_start = model_below(m, m->pages) * PAGE + model_below(m, 2) * model_below(m, PAGE);
        r.window_end =
            model_below(m, 2) ? model_below(m, m->pages + 9) * PAGE + model_below(m, 2) : 0;
    }
    return r;
}

/* The segment fills, stays full, and empties, over and over. */
static inline void model_run(struct model *m, int steps)
{
    for (int i = 0; i < steps; i++) {
        uint32_t dice = model_below(m, 100);
        uint32_t leave = i / 500 % 3 == 2 ? 70 : 40;

        if (dice < leave && m->live_count > 0) {
            model_release(m, model_below(m, m->live_count));
        } else if (dice < leave + 8) {
            model_take_at(m, model_below(m, m->pages + 4), 1 + model_below(m, m->most_pages));
        } else {
            struct vidmm_range_request r = model_request(m);

            model_take(m, &r);
        }
        if (i % 16 == 0)
            model_assert_same(m);
    }
}

#endif
