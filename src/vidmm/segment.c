/*
 * segment.c: the ranges inside one segment.
 *
 * A record stands for a live range and the hole that follows it, if any:
 *
 *      record 0      record 3            record 1
 *      (no range)
 *      |  hole      | live  |  hole     | live  |        |
 *      +------------+-------+-----------+-------+--------+
 *      0            start   end         start   end      pages
 *
 * Record 0 has an empty live range at page 0: it carries the hole before the first range. So a hole
 * needs no record of its own, a take uses exactly one, and a release gives exactly one back.
 *
 * Invariants
 * S1  The records in use form a ring by `next` and `prev`, from record 0, in order of address.
 * S2  start <= end <= start of the next record (or `pages`); only record 0 has start == end.
 * S3  free_pages is the sum of all holes.
 * S4  Records: in use, spare and fresh ones are `capacity` together; `available` of them are free.
 */
#include <vidmm/segment.h>

#include <string.h>

#include "base/assert.h"

enum { PAGE_SHIFT = 12, FIRST_CAPACITY = 64 };

#define HOLE 0x80000000u
#define PAGE_MASK ((UINT64_C(1) << PAGE_SHIFT) - 1)

struct vidmm_segment_node {
    uint32_t start, end; /* the live range, in pages */
    uint32_t next, prev; /* records in order of address; next of a spare record: the next spare */
    uint32_t owner;
};

/* A request in pages, checked. */
struct wish {
    uint32_t size, align_mask, low, high;
    bool from_end;
};

/* A place for a request: inside the hole that follows record `node`. */
struct place {
    uint32_t node, start;
    bool found;
};

static const struct vidmm_segment_node *node_of(const struct vidmm_segment *s, vidmm_range range)
{
    return &s->nodes[range & ~HOLE];
}

static uint32_t hole_end(const struct vidmm_segment *s, uint32_t node)
{
    uint32_t next = s->nodes[node].next;
    return next ? s->nodes[next].start : s->pages;
}

static uint32_t hole_size(const struct vidmm_segment *s, uint32_t node)
{
    return hole_end(s, node) - s->nodes[node].end;
}

void vidmm_segment_check(const struct vidmm_segment *segment)
{
    uint32_t node = 0, in_use = 0, spare = 0, free_pages = 0;
    do {
        const struct vidmm_segment_node *n = &segment->nodes[node];
        VIDMM_VERIFY(segment->nodes[n->next].prev == node);             /* S1 */
        VIDMM_VERIFY(node == 0 ? n->start == n->end : n->start < n->end); /* S2 */
        VIDMM_VERIFY(n->end <= hole_end(segment, node));                /* S2 */
        free_pages += hole_size(segment, node);
        in_use++;
        VIDMM_VERIFY(in_use <= segment->capacity);
        node = n->next;
    } while (node != 0);
    VIDMM_VERIFY(free_pages == segment->free_pages); /* S3 */
    for (node = segment->spare; node != 0; node = segment->nodes[node].next) {
        spare++;
        VIDMM_VERIFY(spare <= segment->capacity);
    }
    VIDMM_VERIFY(segment->available == spare + segment->capacity - segment->fresh); /* S4 */
    VIDMM_VERIFY(in_use + spare == segment->fresh);                                 /* S4 */
}

/* False: the request can never be met. */
static bool read_request(const struct vidmm_segment *s, const struct vidmm_range_request *request,
                         struct wish *wish)
{
    uint64_t pages = (request->size >> PAGE_SHIFT) + ((request->size & PAGE_MASK) != 0);
    uint64_t align = request->alignment >> PAGE_SHIFT;
    uint64_t low = (request->window_start >> PAGE_SHIFT) + ((request->window_start & PAGE_MASK) != 0);
    uint64_t high = request->window_end >> PAGE_SHIFT;
    if (request->window_end == 0 || high > s->pages)
        high = s->pages;
    if (pages == 0 || pages > high || low > high - pages)
        return false;
    if ((request->alignment & (request->alignment - 1)) != 0)
        return false;
    wish->size = (uint32_t)pages;
    wish->align_mask = align == 0 ? 0 : (uint32_t)(align > UINT32_MAX ? UINT32_MAX : align - 1);
    wish->low = (uint32_t)low;
    wish->high = (uint32_t)high;
    wish->from_end = request->direction == VIDMM_FROM_END;
    return true;
}

/* Whether the hole of a record has a place; if so, the one at the wished end. */
static bool fits(const struct vidmm_segment *s, uint32_t node, const struct wish *wish,
                 uint32_t *start)
{
    uint64_t low = s->nodes[node].end, high = hole_end(s, node);
    low = low < wish->low ? wish->low : low;
    high = high > wish->high ? wish->high : high;
    if (high < wish->size)
        return false;
    uint64_t first = (low + wish->align_mask) & ~(uint64_t)wish->align_mask;
    uint64_t last = (high - wish->size) & ~(uint64_t)wish->align_mask;
    *start = (uint32_t)(wish->from_end ? last : first);
    return first <= last && last >= low;
}

static struct place find(const struct vidmm_segment *s, const struct wish *wish)
{
    struct place best = {0, 0, false};
    uint32_t best_size = UINT32_MAX, node = 0;
    do {
        uint32_t start, size = hole_size(s, node);
        if (size >= wish->size && size < best_size && fits(s, node, wish, &start)) {
            best = (struct place){node, start, true};
            best_size = size;
        }
        node = s->nodes[node].next;
    } while (node != 0);
    return best;
}

static vidmm_range take_there(struct vidmm_segment *s, struct place place, uint32_t size,
                              uint32_t owner)
{
    uint32_t id = s->spare, next = s->nodes[place.node].next;
    if (id != 0)
        s->spare = s->nodes[id].next;
    else
        id = s->fresh++;
    s->available--;
    s->free_pages -= size;
    s->nodes[id] = (struct vidmm_segment_node){
        .start = place.start,
        .end = place.start + size,
        .next = next,
        .prev = place.node,
        .owner = owner,
    };
    s->nodes[place.node].next = id;
    s->nodes[next].prev = id;
    return id;
}

bool vidmm_segment_init(struct vidmm_segment *segment, uint64_t size,
                        const struct vidmm_memory *memory)
{
    uint64_t pages = size >> PAGE_SHIFT;
    if (pages == 0 || pages > UINT32_MAX)
        return false;
    *segment = (struct vidmm_segment){.pages = (uint32_t)pages, .memory = *memory};
    segment->nodes = memory->allocate(memory->context, FIRST_CAPACITY * sizeof *segment->nodes);
    if (segment->nodes == NULL)
        return false;
    segment->capacity = FIRST_CAPACITY;
    segment->fresh = 1;
    segment->available = FIRST_CAPACITY - 1;
    segment->free_pages = (uint32_t)pages;
    return true;
}

void vidmm_segment_finish(struct vidmm_segment *segment)
{
    if (segment->nodes != NULL)
        segment->memory.free(segment->memory.context, segment->nodes);
    *segment = (struct vidmm_segment){0};
}

bool vidmm_segment_reserve(struct vidmm_segment *segment, uint32_t ranges)
{
    if (segment->available >= ranges)
        return true;
    uint64_t capacity = (uint64_t)segment->capacity + segment->capacity / 4;
    uint64_t needed = (uint64_t)segment->capacity - segment->available + ranges;
    capacity = capacity < needed ? needed : capacity;
    if (capacity >= HOLE)
        return false;
    struct vidmm_segment_node *nodes = segment->memory.allocate(
        segment->memory.context, (size_t)capacity * sizeof *segment->nodes);
    if (nodes == NULL)
        return false;
    memcpy(nodes, segment->nodes, segment->fresh * sizeof *nodes);
    segment->memory.free(segment->memory.context, segment->nodes);
    segment->nodes = nodes;
    segment->available += (uint32_t)capacity - segment->capacity;
    segment->capacity = (uint32_t)capacity;
    return true;
}

vidmm_range vidmm_segment_take(struct vidmm_segment *segment,
                               const struct vidmm_range_request *request, uint32_t owner)
{
    struct wish wish;
    if (!read_request(segment, request, &wish))
        return 0;
    struct place place = find(segment, &wish);
    if (!place.found || !vidmm_segment_reserve(segment, 1))
        return 0;
    return take_there(segment, place, wish.size, owner);
}

vidmm_range vidmm_segment_take_at(struct vidmm_segment *segment, uint64_t offset, uint64_t size,
                                  uint32_t owner)
{
    struct vidmm_range_request request = {size, 0, VIDMM_FROM_START, offset, 0};
    uint64_t end = offset + ((size + PAGE_MASK) & ~PAGE_MASK);
    if ((offset & PAGE_MASK) != 0 || end < size || end < offset)
        return 0;
    request.window_end = end;
    if (end >> PAGE_SHIFT > segment->pages)
        return 0;
    return vidmm_segment_take(segment, &request, owner);
}

void vidmm_segment_release(struct vidmm_segment *segment, vidmm_range range)
{
    struct vidmm_segment_node *n = &segment->nodes[range];
    VIDMM_ASSERT(range != 0 && range < segment->fresh && n->end > n->start);
    segment->free_pages += n->end - n->start;
    segment->nodes[n->prev].next = n->next;
    segment->nodes[n->next].prev = n->prev;
    n->start = n->end = 0;
    n->next = segment->spare;
    segment->spare = range;
    segment->available++;
}

uint64_t vidmm_range_offset(const struct vidmm_segment *segment, vidmm_range range)
{
    const struct vidmm_segment_node *n = node_of(segment, range);
    return (uint64_t)(range & HOLE ? n->end : n->start) << PAGE_SHIFT;
}

uint64_t vidmm_range_size(const struct vidmm_segment *segment, vidmm_range range)
{
    const struct vidmm_segment_node *n = node_of(segment, range);
    uint32_t pages = range & HOLE ? hole_size(segment, range & ~HOLE) : n->end - n->start;
    return (uint64_t)pages << PAGE_SHIFT;
}

uint32_t vidmm_range_owner(const struct vidmm_segment *segment, vidmm_range range)
{
    return node_of(segment, range)->owner;
}

bool vidmm_range_is_hole(const struct vidmm_segment *segment, vidmm_range range)
{
    (void)segment;
    return (range & HOLE) != 0;
}

/* What comes after the live range of a record: its hole, or the next range. */
static vidmm_range after(const struct vidmm_segment *s, uint32_t node)
{
    return hole_size(s, node) != 0 ? node | HOLE : s->nodes[node].next;
}

vidmm_range vidmm_segment_first(const struct vidmm_segment *segment)
{
    return after(segment, 0);
}

vidmm_range vidmm_range_next(const struct vidmm_segment *segment, vidmm_range range)
{
    return range & HOLE ? segment->nodes[range & ~HOLE].next : after(segment, range);
}

vidmm_range vidmm_range_prev(const struct vidmm_segment *segment, vidmm_range range)
{
    if (range & HOLE)
        return range & ~HOLE;
    uint32_t prev = segment->nodes[range].prev;
    return hole_size(segment, prev) != 0 ? prev | HOLE : prev;
}

uint64_t vidmm_segment_free_bytes(const struct vidmm_segment *segment)
{
    return (uint64_t)segment->free_pages << PAGE_SHIFT;
}

uint64_t vidmm_segment_largest_hole(const struct vidmm_segment *segment)
{
    uint32_t largest = 0, node = 0;
    do {
        uint32_t size = hole_size(segment, node);
        largest = size > largest ? size : largest;
        node = segment->nodes[node].next;
    } while (node != 0);
    return (uint64_t)largest << PAGE_SHIFT;
}
