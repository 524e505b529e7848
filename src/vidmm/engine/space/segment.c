/*
 * segment.c: the ranges inside one segment.
 *
 * RECORDS. A record is a live range and the hole that follows it, if any:
 *
 *      ANCHOR          record 3            record 2          (NONE)
 *      |     hole      | live  |  hole     | live  |         |
 *      +---------------+-------+-----------+-------+         +
 *      start = end = 0 start   end         start   end       start = pages
 *
 * So a hole needs no record: a take uses exactly one, a release gives exactly one back, and holes
 * merge by themselves. A record is 28 bytes; with its share of the survey and of what the table
 * grows ahead, a live range costs less than 31.
 *
 * INDEX (segment_index.h). Holes are kept by cell: a size class, of which there are eight to each
 * doubling, and the third of the segment in which the hole begins:
 *
 *                   low  middle  high  KNOWN
 *      class 1       .      .     .      .
 *      class 2       .      *     .      .       * a cell with holes, in a list
 *      ...                                       . an empty one
 *      class 247     .      .     .      .
 *
 * A bitmap tells in a few instructions which cell with holes is the first after a given one, so of
 * the smallest class with holes the lowest third: size first, then address (from the end, the
 * highest third). Both are needed to keep a segment in one piece; in the benchmark's GPU mix this
 * refuses fewer bytes than exact best fit or exact first fit.
 *
 * SEARCH. A hole of size + alignment - 1 pages has a place wherever it begins.
 *   1. Look at one hole of the class of this sum: it may fit, and if so it fits well.
 *   2. Any hole of a higher class fits: take the first.
 *   3. There is none, so what fits is among the largest holes. Look at PATIENCE of them. If that
 *      was not all, look through their lists: a list in which nothing fits becomes known, that is,
 *      moves to the column KNOWN and into the survey (segment_survey.c), which answers for all
 *      known holes together. A hole is looked at once while it stays as it is: the search is exact,
 *      and O(log n) amortised over the calls that made the holes.
 * A request with a window walks the ranges instead, from the one before the latest release, to the
 * window and through it: first fit, O(n).
 *
 * Invariants
 * G1  The records in use form a ring by `next` and `prev`, from NONE over ANCHOR in order of
 *     address.
 * G2  start <= end <= start of the next; only ANCHOR has start == end.
 * G3  free_pages is the sum of all holes, `live` the number of live ranges.
 * G4  Every record but NONE and ANCHOR is live or spare; a spare one has end == 0.
 * G5  A hole is in the list of one cell: of its class, and of the third of its start or KNOWN.
 * G6  Bit c of `cells` is set if and only if cell c has a hole; bit w of `words` if cells[w] != 0.
 * G7  `near` is ANCHOR or a live range: that before the latest release, or a later one.
 * G8  A known hole can hold no more than the bounds above it in the survey say, at any alignment.
 */
#include "vidmm/engine/space/segment_index.h"

#include <string.h>

#include <vidmm/page.h>

#include "base/assert.h"

enum { FIRST_CAPACITY = 64 };

/* Looks that step 3 takes before it learns. A test may set it to 0, to learn at once. */
#ifndef VIDMM_SEGMENT_PATIENCE
#define VIDMM_SEGMENT_PATIENCE 16
#endif

#define HOLE 0x80000000u
#define PAGE_MASK ((UINT64_C(1) << VIDMM_PAGE_SHIFT) - 1)

static uint32_t hole_size(const struct vidmm_segment *s, uint32_t hole)
{
    return hole_end(s, hole) - at(s, hole)->end;
}

/* ---- The invariants ---- */

static void check_ring(const struct vidmm_segment *s)
{
    uint32_t record = ANCHOR, live = 0, free_pages = 0;

    VIDMM_VERIFY(at(s, NONE)->next == ANCHOR && at(s, NONE)->start == s->pages); /* G1 */
    for (; record != NONE; record = at(s, record)->next) {
        const struct record *r = at(s, record);

        VIDMM_VERIFY(record < s->capacity * RECORD && at(s, r->next)->prev == record); /* G1 */
        VIDMM_VERIFY(record == ANCHOR ? r->start == r->end : r->start < r->end);       /* G2 */
        VIDMM_VERIFY(r->end <= hole_end(s, record));                                   /* G2 */
        free_pages += hole_size(s, record);
        live += record != ANCHOR;
        VIDMM_VERIFY(live < s->capacity);
    }
    VIDMM_VERIFY(free_pages == s->free_pages && live == s->live); /* G3 */
    VIDMM_VERIFY(s->near == ANCHOR || at(s, s->near)->end != 0);  /* G7 */
}

static void check_spare(const struct vidmm_segment *s)
{
    uint32_t spare = 0, record = s->spare;

    for (; record != NONE; record = at(s, record)->next) {
        VIDMM_VERIFY(record < s->capacity * RECORD && at(s, record)->end == 0); /* G4 */
        VIDMM_VERIFY(++spare < s->capacity);
    }
    VIDMM_VERIFY(s->live + spare + FIXED_RECORDS == s->capacity); /* G4 */
}

/* Pages of the holes in the list of a cell. */
static uint64_t check_cell(const struct vidmm_segment *s, uint32_t cell)
{
    uint32_t hole = s->heads[cell], prev = FIRST_IN_CELL | cell;
    uint64_t sum = 0;
    bool has_bit = (s->cells[cell / 64] >> cell % 64 & 1) != 0, known = cell % COLUMNS == KNOWN;

    VIDMM_VERIFY(has_bit == (hole != NONE)); /* G6 */
    for (; hole != NONE; prev = hole, hole = at(s, hole)->hole_next) {
        uint32_t pages = hole_size(s, hole), own = cell_of(s, at(s, hole)->end, pages);

        VIDMM_VERIFY(pages != 0 && at(s, hole)->hole_prev == prev);              /* G5 */
        VIDMM_VERIFY(own == cell || (known && own / COLUMNS == cell / COLUMNS)); /* G5 */
        VIDMM_VERIFY(!known || vidmm_survey_covers(s, hole));                    /* G8 */
        sum += pages;
        VIDMM_VERIFY(sum <= s->free_pages);
    }
    return sum;
}

void vidmm_segment_check(const struct vidmm_segment *segment)
{
    uint32_t cell, cells = (class_of(segment->pages) + 1) * COLUMNS, word;
    uint64_t sum = 0;

    check_ring(segment);
    check_spare(segment);
    for (cell = 0; cell < cells; cell++)
        sum += check_cell(segment, cell);
    VIDMM_VERIFY(sum == segment->free_pages); /* G5: no hole is missing */
    for (word = 0; word <= CELLS / 64; word++) {
        bool has_bit = (segment->words >> word & 1) != 0;

        VIDMM_VERIFY(has_bit == (segment->cells[word] != 0)); /* G6 */
    }
    VIDMM_VERIFY(prev_cell(segment, CELLS) < cells); /* G6 */
}

/* ---- The table grows ---- */

/* Make the records from number `first` on spare, the first of them first in the list. */
static void add_spare(struct vidmm_segment *s, uint32_t first)
{
    uint32_t i = s->capacity;

    while (i-- > first) {
        at(s, i * RECORD)->next = s->spare;
        s->spare = i * RECORD;
    }
}

/* False: no memory, and nothing has changed. */
static bool grow(struct vidmm_segment *s, uint64_t capacity)
{
    size_t size = (size_t)capacity * sizeof(struct record);
    uint32_t old = s->capacity, *table;

    if (capacity * RECORD >= HOLE || capacity > SIZE_MAX / 32) /* 28 bytes and their survey */
        return false;
    table = s->memory.allocate(s->memory.context, size + vidmm_survey_size((uint32_t)capacity));
    if (!table)
        return false;
    uint32_t *survey = table + capacity * RECORD;
    if (s->table) {
        memcpy(table, s->table, old * sizeof(struct record));
        vidmm_survey_copy(survey, (uint32_t)capacity, s->survey, old);
        s->memory.free(s->memory.context, s->table);
    }
    s->table = table;
    s->survey = survey;
    s->capacity = (uint32_t)capacity;
    add_spare(s, old < FIXED_RECORDS ? FIXED_RECORDS : old);
    return true;
}

/* ---- The search ---- */

/* Pages from `start` on, in the hole [low, high) after a record. The record is NONE: no place. */
struct place {
    uint32_t hole, low, high, start;
};

static inline struct place whole_hole(const struct vidmm_segment *s, uint32_t hole)
{
    return (struct place){hole, at(s, hole)->end, hole_end(s, hole), 0};
}

/* The place at the wished end of [low, high), which has one. */
static inline uint32_t place_in(struct wish wish, uint64_t low, uint64_t high)
{
    uint64_t start = wish.from_end ? high - wish.size : low + wish.align_mask;

    return (uint32_t)(start & ~wish.align_mask);
}

/* The last cell below `cell` whose holes may be large enough and are not known. */
static uint32_t lower_cell(const struct vidmm_segment *s, uint32_t cell, struct wish wish)
{
    do {
        cell = prev_cell(s, cell - 1);
    } while (cell % COLUMNS == KNOWN);
    return cell < class_of(wish.size) * COLUMNS ? (uint32_t)NO_CELL : cell;
}

/* Step 3, if it takes long: all unknown bounds become known, up to a hole that fits. */
static uint32_t learn(struct vidmm_segment *s, struct wish wish)
{
    uint32_t cell = lower_cell(s, CELLS, wish);

    for (; cell != NO_CELL; cell = lower_cell(s, cell, wish)) {
        uint32_t last = NONE, hole = vidmm_survey_add(s, s->heads[cell], wish, &last);

        if (hole != NONE)
            return hole;
        move_to_known(s, cell, last);
    }
    return vidmm_survey_find(s, wish);
}

/* Step 3. */
static uint32_t find_among_largest(struct vidmm_segment *s, struct wish wish)
{
    uint32_t cell = lower_cell(s, CELLS, wish), looks = VIDMM_SEGMENT_PATIENCE, hole;

    for (; cell != NO_CELL; cell = lower_cell(s, cell, wish)) {
        for (hole = s->heads[cell]; hole != NONE; hole = at(s, hole)->hole_next) {
            if (looks-- == 0)
                return learn(s, wish);
            if (fits(wish, at(s, hole)->end, hole_end(s, hole)))
                return hole;
        }
    }
    return vidmm_survey_find(s, wish);
}

/* The hole to prefer in the smallest class with holes from that of `cell` on. */
static inline struct place first_hole(const struct vidmm_segment *s, uint32_t cell, bool from_end)
{
    cell = next_cell(s, cell);
    if (from_end)
        cell = prev_cell(s, cell | (COLUMNS - 1));
    return whole_hole(s, s->heads[cell]);
}

/* The search without a window. Always inline, so that the default direction has a copy of its own
 * without a test for the other. */
static inline __attribute__((always_inline)) struct place find(struct vidmm_segment *s,
                                                               struct wish wish)
{
    uint64_t roomy = wish.size + wish.align_mask;
    struct place place = {NONE, 0, 0, 0};

    if (roomy <= s->pages) {
        uint32_t cell = class_of((uint32_t)roomy) * COLUMNS;

        place = first_hole(s, cell, wish.from_end); /* step 1 */
        if (!fits(wish, place.low, place.high))
            place = first_hole(s, cell + COLUMNS, wish.from_end); /* step 2 */
    }
    if (place.hole == NONE)
        place = whole_hole(s, find_among_largest(s, wish));
    place.start = place_in(wish, place.low, place.high);
    return place;
}

/* The place in the part of a hole that lies in [low, high) pages. */
static struct place place_between(const struct vidmm_segment *s, uint32_t hole, struct wish wish,
                                  uint64_t low, uint64_t high)
{
    struct place place = whole_hole(s, hole);

    low = low < place.low ? place.low : low;
    high = high > place.high ? place.high : high;
    if (!fits(wish, low, high))
        return (struct place){NONE, 0, 0, 0};
    place.start = place_in(wish, low, high);
    return place;
}

/* First fit in [low, high) pages, in the wished direction, walking from where something changed
 * last: ranges that were released to make room are often taken at once. */
static struct place find_in_window(struct vidmm_segment *s, struct wish wish, uint64_t low,
                                   uint64_t high)
{
    struct place place = {NONE, 0, 0, 0};
    uint32_t hole = s->near;

    if (wish.from_end) {
        while (at(s, hole)->next != NONE && hole_end(s, hole) < high)
            hole = at(s, hole)->next;
        for (; hole != NONE && hole_end(s, hole) > low && place.hole == NONE;
             hole = at(s, hole)->prev)
            place = place_between(s, hole, wish, low, high);
    } else {
        while (hole != ANCHOR && at(s, hole)->start > low)
            hole = at(s, hole)->prev;
        for (; hole != NONE && at(s, hole)->end < high && place.hole == NONE;
             hole = at(s, hole)->next)
            place = place_between(s, hole, wish, low, high);
    }
    s->near = place.hole == NONE ? s->near : place.hole;
    return place;
}

/* Use up a place. There is a spare record. No two members are stored one right after the other:
 * compilers would first pack them into one vector, which takes longer than two stores. */
static inline vidmm_range take_place(struct vidmm_segment *s, struct place place, uint32_t pages,
                                     uint32_t owner)
{
    uint32_t range = s->spare, next = at(s, place.hole)->next, end = place.start + pages;

    remove_hole(s, place.hole);
    s->spare = at(s, range)->next;
    at(s, range)->start = place.start;
    s->free_pages -= pages;
    at(s, range)->end = end;
    at(s, place.hole)->next = range;
    at(s, range)->next = next;
    at(s, next)->prev = range;
    at(s, range)->prev = place.hole;
    s->live++;
    at(s, range)->owner = owner;
    if (place.low != place.start)
        insert(s, place.hole, place.low, place.start - place.low);
    if (end != place.high)
        insert(s, range, end, place.high - end);
    return range;
}

/* ---- The interface ---- */

bool vidmm_segment_init(struct vidmm_segment *segment, uint64_t size,
                        const struct vidmm_memory *memory)
{
    uint64_t pages = size >> VIDMM_PAGE_SHIFT;

    if (pages == 0 || pages > UINT32_MAX)
        return false;
    *segment = (struct vidmm_segment){
        .pages = (uint32_t)pages,
        .free_pages = (uint32_t)pages,
        .thirds_per_page = ((uint64_t)THIRDS << 32) / pages,
        .memory = *memory,
    };

    size_t classes = class_of((uint32_t)pages) + 1;
    segment->heads = memory->allocate(memory->context, classes * COLUMNS * sizeof *segment->heads);
    if (!segment->heads)
        return false;
    if (!grow(segment, FIRST_CAPACITY)) {
        memory->free(memory->context, segment->heads);
        return false;
    }
    at(segment, NONE)->start = segment->pages;
    at(segment, NONE)->next = ANCHOR;
    at(segment, NONE)->prev = ANCHOR;
    segment->near = ANCHOR;
    insert(segment, ANCHOR, 0, segment->pages);
    return true;
}

void vidmm_segment_finish(struct vidmm_segment *segment)
{
    if (segment->table) {
        segment->memory.free(segment->memory.context, segment->table);
        segment->memory.free(segment->memory.context, segment->heads);
    }
    *segment = (struct vidmm_segment){0};
}

bool vidmm_segment_reserve(struct vidmm_segment *segment, uint32_t ranges)
{
    uint64_t needed = (uint64_t)segment->live + FIXED_RECORDS + ranges;
    uint64_t roomy = (uint64_t)segment->capacity + segment->capacity / 16;

    return needed <= segment->capacity || grow(segment, needed > roomy ? needed : roomy);
}

/* Pages, rounded up. A size of 0 is more than any segment has. */
static inline uint64_t pages_of(uint64_t size)
{
    return ((size - 1) >> VIDMM_PAGE_SHIFT) + 1;
}

/* Take a range from the end, or inside a window. */
static struct place find_otherwise(struct vidmm_segment *segment,
                                   const struct vidmm_range_request *request, struct wish wish)
{
    uint64_t low =
        (request->window_start >> VIDMM_PAGE_SHIFT) + ((request->window_start & PAGE_MASK) != 0);
    uint64_t high = request->window_end >> VIDMM_PAGE_SHIFT;

    wish.from_end = request->direction == VIDMM_FROM_END;
    if (request->window_end == 0)
        high = segment->pages;
    if (low == 0 && high >= segment->pages)
        return find(segment, wish);
    return find_in_window(segment, wish, low, high);
}

/* The place for a request, with a record for its range; hole NONE: there is none. */
static inline __attribute__((always_inline)) struct place
find_place(struct vidmm_segment *segment, const struct vidmm_range_request *request)
{
    uint64_t pages = pages_of(request->size), alignment = request->alignment;
    struct wish wish = {(alignment - (alignment != 0)) >> VIDMM_PAGE_SHIFT, (uint32_t)pages, false};
    struct place place = {NONE, 0, 0, 0};

    if (pages > segment->pages || (alignment & (alignment - 1)) != 0)
        return place;
    if ((request->window_start | request->window_end | request->direction) == 0)
        place = find(segment, wish);
    else
        place = find_otherwise(segment, request, wish);
    if (place.hole != NONE && segment->spare == NONE && !vidmm_segment_reserve(segment, 1))
        place.hole = NONE;
    return place;
}

vidmm_range vidmm_segment_take(struct vidmm_segment *segment,
                               const struct vidmm_range_request *request, uint32_t owner)
{
    struct place place = find_place(segment, request);

    return place.hole == NONE
               ? 0
               : take_place(segment, place, (uint32_t)pages_of(request->size), owner);
}

struct vidmm_fit vidmm_segment_find(struct vidmm_segment *segment,
                                    const struct vidmm_range_request *request)
{
    struct place place = find_place(segment, request);

    if (place.hole == NONE)
        return (struct vidmm_fit){0, 0};
    return (struct vidmm_fit){place.hole | HOLE, (uint64_t)place.start << VIDMM_PAGE_SHIFT};
}

vidmm_range vidmm_segment_take_fit(struct vidmm_segment *segment, struct vidmm_fit fit,
                                   uint64_t size, uint32_t owner)
{
    struct place place = whole_hole(segment, fit.hole & ~HOLE);

    VIDMM_ASSERT((fit.hole & HOLE) != 0 && segment->spare != NONE);
    place.start = (uint32_t)(fit.offset >> VIDMM_PAGE_SHIFT);
    VIDMM_ASSERT(place.low <= place.start && pages_of(size) <= place.high - place.start);
    return take_place(segment, place, (uint32_t)pages_of(size), owner);
}

vidmm_range vidmm_segment_take_at(struct vidmm_segment *segment, uint64_t offset, uint64_t size,
                                  uint32_t owner)
{
    uint64_t pages = pages_of(size), page = offset >> VIDMM_PAGE_SHIFT;
    struct vidmm_range_request request = {.size = size, .window_start = offset};

    if (pages > segment->pages || page > segment->pages - pages || (offset & PAGE_MASK) != 0)
        return 0;
    request.window_end = (page + pages) << VIDMM_PAGE_SHIFT;
    return vidmm_segment_take(segment, &request, owner);
}

/* The whole units of a hole that does not hold all of the wish; the wish is for them from here on.
 * The record is NONE: it has not one. */
static struct place most_of(const struct vidmm_segment *s, uint32_t hole, struct wish *wish)
{
    struct place place = whole_hole(s, hole);
    uint64_t unit = wish->align_mask + 1, low = (place.low + wish->align_mask) / unit * unit;
    uint64_t high = place.high / unit * unit;

    if (hole == NONE || high <= low)
        return (struct place){NONE, 0, 0, 0};
    VIDMM_ASSERT(high - low <= wish->size); /* or it held all that is wanted */
    wish->size = (uint32_t)(high - low);
    place.start = place_in(*wish, low, high);
    return place;
}

vidmm_range vidmm_segment_take_most(struct vidmm_segment *segment, uint64_t most, uint64_t unit,
                                    enum vidmm_direction direction, uint32_t owner)
{
    uint64_t pages = pages_of(most), unit_pages = unit >> VIDMM_PAGE_SHIFT;
    struct wish wish = {unit_pages - 1, (uint32_t)pages, direction == VIDMM_FROM_END}, one = wish;
    struct place place = {NONE, 0, 0, 0};

    if (most == 0 || unit_pages == 0 || (unit & (unit - 1)) != 0)
        return 0;
    one.size = (uint32_t)unit_pages;
    if (pages <= segment->pages)
        place = find(segment, wish);
    else
        wish.size = segment->pages;
    if (place.hole == NONE)
        place = most_of(segment, segment->heads[prev_cell(segment, CELLS)], &wish);
    if (place.hole == NONE && unit_pages <= segment->pages)
        place = most_of(segment, find(segment, one).hole, &wish);
    if (place.hole == NONE || (segment->spare == NONE && !vidmm_segment_reserve(segment, 1)))
        return 0;
    return take_place(segment, place, wish.size, owner);
}

void vidmm_segment_release(struct vidmm_segment *segment, vidmm_range range)
{
    VIDMM_ASSERT(range > ANCHOR && range < segment->capacity * RECORD && range % RECORD == 0);

    struct record *record = at(segment, range);
    uint32_t prev = record->prev, next = record->next;
    uint32_t low = at(segment, prev)->end, high = at(segment, next)->start;

    VIDMM_ASSERT(record->end != 0); /* G4: it is live */
    if (low != record->start)
        remove_hole(segment, prev);
    if (record->end != high)
        remove_hole(segment, range);
    segment->free_pages += record->end - record->start;
    segment->live--;
    at(segment, prev)->next = next;
    at(segment, next)->prev = prev;
    record->end = 0;
    record->next = segment->spare;
    segment->spare = range;
    segment->near = prev;
    insert(segment, prev, low, high - low);
}

uint64_t vidmm_range_offset(const struct vidmm_segment *segment, vidmm_range range)
{
    const struct record *record = at(segment, range & ~HOLE);

    return (uint64_t)(range & HOLE ? record->end : record->start) << VIDMM_PAGE_SHIFT;
}

uint64_t vidmm_range_size(const struct vidmm_segment *segment, vidmm_range range)
{
    const struct record *record = at(segment, range & ~HOLE);
    uint32_t pages = range & HOLE ? hole_size(segment, range & ~HOLE) : record->end - record->start;

    return (uint64_t)pages << VIDMM_PAGE_SHIFT;
}

uint32_t vidmm_range_owner(const struct vidmm_segment *segment, vidmm_range range)
{
    return at(segment, range)->owner;
}

bool vidmm_range_is_hole(const struct vidmm_segment *segment, vidmm_range range)
{
    (void)segment;
    return (range & HOLE) != 0;
}

/* The record after a live range: its hole, or the next range. */
static vidmm_range after(const struct vidmm_segment *s, uint32_t record)
{
    return hole_size(s, record) != 0 ? record | HOLE : at(s, record)->next;
}

vidmm_range vidmm_segment_first(const struct vidmm_segment *segment)
{
    return after(segment, ANCHOR);
}

vidmm_range vidmm_range_next(const struct vidmm_segment *segment, vidmm_range range)
{
    return range & HOLE ? at(segment, range & ~HOLE)->next : after(segment, range);
}

vidmm_range vidmm_range_prev(const struct vidmm_segment *segment, vidmm_range range)
{
    uint32_t prev = range & HOLE ? range & ~HOLE : at(segment, range)->prev;

    if ((range & HOLE) == 0 && hole_size(segment, prev) != 0)
        return prev | HOLE;
    return prev == ANCHOR ? (vidmm_range)NONE : prev;
}

vidmm_range vidmm_range_live_prev(const struct vidmm_segment *segment, vidmm_range range,
                                  uint64_t *low)
{
    uint32_t prev = at(segment, range)->prev;

    if (low)
        *low = (uint64_t)at(segment, prev)->end << VIDMM_PAGE_SHIFT;
    return prev == ANCHOR ? (vidmm_range)NONE : prev;
}

vidmm_range vidmm_range_live_next(const struct vidmm_segment *segment, vidmm_range range,
                                  uint64_t *high)
{
    uint32_t next = at(segment, range)->next;

    if (high)
        *high = (uint64_t)at(segment, next)->start << VIDMM_PAGE_SHIFT;
    return next;
}

uint64_t vidmm_segment_free_bytes(const struct vidmm_segment *segment)
{
    return (uint64_t)segment->free_pages << VIDMM_PAGE_SHIFT;
}

uint64_t vidmm_segment_largest_hole(const struct vidmm_segment *segment)
{
    uint32_t cell = prev_cell(segment, CELLS), top = cell / COLUMNS, largest = 0, hole;

    for (; cell / COLUMNS == top && cell != NO_CELL; cell = prev_cell(segment, cell - 1)) {
        for (hole = segment->heads[cell]; hole != NONE; hole = at(segment, hole)->hole_next) {
            uint32_t size = hole_size(segment, hole);

            largest = size > largest ? size : largest;
        }
    }
    return (uint64_t)largest << VIDMM_PAGE_SHIFT;
}

/* Bytes of a hole behind its last whole unit, from a multiple of the unit on. */
static uint64_t behind_units(const struct vidmm_segment *s, uint32_t hole, uint32_t unit)
{
    uint32_t low = at(s, hole)->end, high = hole_end(s, hole), start = high / unit * unit;

    return start >= low ? (uint64_t)(high - start) << VIDMM_PAGE_SHIFT : 0;
}

uint64_t vidmm_segment_units(const struct vidmm_segment *segment, uint64_t unit, uint64_t enough,
                             uint64_t *longest)
{
    uint64_t pages = unit >> VIDMM_PAGE_SHIFT, count = 0;
    uint32_t cell = prev_cell(segment, CELLS), hole;

    VIDMM_ASSERT(pages > 0 && (unit & (unit - 1)) == 0);
    *longest = 0;
    if (pages > segment->pages)
        return 0;
    for (; cell != NO_CELL && cell / COLUMNS >= class_of((uint32_t)pages);
         cell = prev_cell(segment, cell - 1)) {
        for (hole = segment->heads[cell]; hole != NONE; hole = at(segment, hole)->hole_next) {
            uint64_t first = (at(segment, hole)->end + pages - 1) / pages;
            uint64_t end = hole_end(segment, hole) / pages;
            uint64_t behind = behind_units(segment, hole, (uint32_t)pages);

            count += end > first ? end - first : 0;
            *longest = behind > *longest ? behind : *longest;
            if (count >= enough)
                return count;
        }
    }
    return count;
}

uint64_t vidmm_segment_longest_below(const struct vidmm_segment *segment, uint64_t unit)
{
    uint64_t pages = unit >> VIDMM_PAGE_SHIFT, longest = 0;
    uint32_t cell = prev_cell(segment, CELLS), hole;

    VIDMM_ASSERT(pages > 0 && (unit & (unit - 1)) == 0);
    if (pages > segment->pages) /* one place begins at a multiple: the start */
        pages = segment->pages + UINT64_C(1);
    for (; cell != NO_CELL; cell = prev_cell(segment, cell - 1)) {
        for (hole = segment->heads[cell]; hole != NONE; hole = at(segment, hole)->hole_next) {
            uint64_t behind = behind_units(segment, hole, (uint32_t)pages);

            longest = behind > longest ? behind : longest;
        }
    }
    return longest;
}
