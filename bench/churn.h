/*
 * churn.h: the workload of rows 1, 4 and 5: GPU allocations come and go in a segment 90 % full.
 *
 * Sizes: 60 % from 64 KiB to 1 MiB, 30 % from 1 to 8 MiB, 10 % from 8 to 64 MiB, log-uniform in
 * each class, whole pages; half of the requests 64 KiB aligned, the rest page aligned.
 *
 * The segment is filled until the next request would pass 90 %. Each range then taken is a slot. A
 * step picks a slot at random, releases what is there, and takes the next request for it, unless
 * that would pass 90 %. A refused request leaves its slot empty, so sizes keep their distribution.
 * One operation is one take or one release.
 */
#ifndef VIDMM_BENCH_CHURN_H
#define VIDMM_BENCH_CHURN_H

#include <stdint.h>

#include <vidmm/segment.h>

#include "bench.h"
#include "tree.h"

struct churn_request {
    struct vidmm_range_request range;
    uint32_t pages, align_mask;
    uint32_t slot; /* a fraction of 2^32 of the slots */
};

/* The requests that every allocator is given, in order. */
struct churn_stream {
    struct churn_request *requests;
    uint32_t count;
};

/* The work of one allocator with a stream. */
struct churn {
    const struct churn_stream *stream;
    uint32_t next; /* request */
    struct churn_slot {
        uint32_t range, pages; /* pages 0: empty */
    } * slots;
    uint32_t slot_count, slot_capacity;
    uint64_t used, limit; /* pages */
    uint64_t operations, pages_asked, pages_refused;
};

struct churn_stream churn_stream_make(uint64_t seed, uint32_t count);

/* Pages of a segment that has about so many live ranges when it is 90 % full. */
uint32_t churn_segment_pages(uint32_t live);

/* Requests to fill a segment of so many pages, and for so many steps. */
uint32_t churn_stream_length(uint64_t segment_pages, uint32_t steps);

void churn_init(struct churn *churn, const struct churn_stream *stream, uint64_t segment_pages);
void churn_finish(struct churn *churn);

/* The allocators: each is a pair of functions that the loops below are specialised with. */
typedef uint32_t churn_take(void *allocator, const struct churn_request *request, uint32_t owner);
typedef void churn_release(void *allocator, uint32_t range);

static inline uint32_t segment_take(void *segment, const struct churn_request *request,
                                    uint32_t owner)
{
    return vidmm_segment_take(segment, &request->range, owner);
}

static inline void segment_release(void *segment, uint32_t range)
{
    vidmm_segment_release(segment, range);
}

static inline uint32_t reference_take(void *tree, const struct churn_request *request,
                                      uint32_t owner)
{
    (void)owner;
    return tree_take(tree, request->pages, request->align_mask);
}

static inline void reference_release(void *tree, uint32_t range)
{
    tree_release(tree, range);
}

/* The floor: a range is a number from a stack. */
struct floor {
    uint32_t *stack;
    uint32_t count;
};

static inline uint32_t floor_take(void *floor, const struct churn_request *request, uint32_t owner)
{
    struct floor *f = floor;

    (void)request;
    (void)owner;
    return f->stack[--f->count];
}

static inline void floor_release(void *floor, uint32_t range)
{
    struct floor *f = floor;

    f->stack[f->count++] = range;
}

/* Fill up to the limit. */
static inline void churn_fill(struct churn *c, void *allocator, churn_take *take)
{
    for (;; c->next++) {
        const struct churn_request *request = &c->stream->requests[c->next];
        uint32_t range;

        if (c->used + request->pages > c->limit)
            return;
        range = take(allocator, request, c->slot_count);
        if (range != 0) {
            bench_check(c->slot_count < c->slot_capacity, "a churn has too few slots");
            c->slots[c->slot_count++] = (struct churn_slot){range, request->pages};
            c->used += request->pages;
        }
    }
}

static inline void churn_steps(struct churn *c, uint32_t steps, void *allocator, churn_take *take,
                               churn_release *release)
{
    const struct churn_request *request = &c->stream->requests[c->next], *end = request + steps;

    c->next += steps;
    for (; request != end; request++) {
        struct churn_slot *slot = &c->slots[(uint64_t)request->slot * c->slot_count >> 32];

        if (slot->pages != 0) {
            release(allocator, slot->range);
            c->used -= slot->pages;
            slot->pages = 0;
            c->operations++;
        }
        if (c->used + request->pages > c->limit)
            continue;
        c->operations++;
        c->pages_asked += request->pages;
        slot->range = take(allocator, request, request->slot);
        if (slot->range == 0) {
            c->pages_refused += request->pages;
            continue;
        }
        slot->pages = request->pages;
        c->used += request->pages;
    }
}

#endif
