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
 * merge by themselves. A record is 28 bytes; with its share of the survey and of the growth of the
 * table a live range costs less than 32.
 *
 * INDEX. Holes are kept by cell. A cell is a size class (8 to each doubling, exact below 16 pages)
 * and a column: the fifteenth of the segment that the hole begins in, or KNOWN.
 *
 *                   column 0  1  2 ...           14  KNOWN
 *      class 0             .  .  .               .   .
 *      class 1             .  *  .               *   .        * a cell with holes
 *      ...                                                    . an empty one
 *      class 247           .  .  .               .   .
 *
 * The first cell with holes, at or after a given one, is two looks at a bitmap away: of the smallest
 * class that has holes the one at the lowest address (from the end: the highest), to within a
 * fifteenth of the segment. Size first and address second is what keeps a segment in one piece:
 * either alone, or any hole of a class, leaves far more requests unserved.
 *
 * SEARCH. A hole of size + alignment - 1 pages has a place wherever it begins.
 *   1. Look at one hole of the class that this sum falls into: it may fit, and fits best.
 *   2. Any hole of a higher class fits: take the first.
 *   3. There is none, so what fits is among the largest holes there are. Look at those one by one;
 *      whatever has been looked at in vain goes to the column KNOWN and into the survey
 *      (segment_survey.c), which answers for all known holes at once. A hole is looked at once while
 *      it stays as it is, so a search is O(log n), amortised over the calls that made the holes.
 * A few looks are free (PATIENCE), so that a segment that is merely full never needs the survey.
 * A request with a window is served by walking the ranges instead: first fit, O(n).
 *
 * Invariants
 * S1  The records in use form a ring by `next` and `prev`, from NONE over ANCHOR in order of address.
 * S2  start <= end <= start of the next; only ANCHOR has start == end.
 * S3  free_pages is the sum of all holes, `live` the number of live ranges.
 * S4  Every record but NONE and ANCHOR is live or spare; a spare one has end == 0.
 * S5  A hole is in the list of one cell: its class, and the column of its start or KNOWN.
 * S6  Bit c of `cells` is set if and only if cell c has a hole; bit w of `words` if cells[w] != 0.
 * S7  No hole in a column KNOWN can hold more than the bounds of its groups in the survey say.
 */
#include "segment_state.h"

#include <string.h>

enum { PAGE_SHIFT = 12, FIRST_CAPACITY = 64, PATIENCE = 16 };
/* A cell of class 0 is always empty: no hole has 0 pages. */
enum { NO_CELL = 0, ZONES = 15, KNOWN = ZONES, COLUMNS = 16, CELLS = VIDMM_SEGMENT_CELLS };

#define HOLE 0x80000000u
#define PAGE_MASK ((UINT64_C(1) << PAGE_SHIFT) - 1)

/* ---- Records and the index ---- */

static uint32_t hole_size(const struct vidmm_segment *s, uint32_t hole)
{
    return hole_end(s, hole) - at(s, hole)->end;
}

/* The class of a number of pages: its highest bit and the three below it. */
static inline uint32_t class_of(uint32_t pages)
{
    uint32_t shift = vidmm_highest_bit(pages | 8) - 3;

    return (shift << 3) + (pages >> shift);
}

static inline uint32_t cell_of(const struct vidmm_segment *s, uint32_t start, uint32_t pages)
{
    return class_of(pages) * COLUMNS + (uint32_t)(start * s->zones_per_page >> 32);
}

/* The first cell with holes, from `cell` on; NO_CELL if there is none. */
static inline uint32_t next_cell(const struct vidmm_segment *s, uint32_t cell)
{
    uint32_t word = cell / 64;
    uint64_t bits = s->cells[word] & ~UINT64_C(0) << cell % 64;

    if (bits == 0) {
        uint64_t words = s->words & ~UINT64_C(1) << word;

        if (words == 0) {
            return NO_CELL;
        }
        word = vidmm_lowest_bit(words);
        bits = s->cells[word];
    }
    return word * 64 + vidmm_lowest_bit(bits);
}

/* The last cell with holes of the class that `cell` belongs to. */
static uint32_t last_of_class(const struct vidmm_segment *s, uint32_t cell)
{
    uint32_t first = cell & ~(COLUMNS - 1u);

    return first + vidmm_highest_bit((uint32_t)(s->cells[cell / 64] >> first % 64 & 0xffff) | 1);
}

static inline void insert_into(struct vidmm_segment *s, uint32_t hole, uint32_t cell)
{
    uint32_t head = s->heads[cell];

    at(s, hole)->hole_next = head;
    at(s, head)->hole_prev = hole;
    at(s, hole)->hole_prev = FIRST_IN_CELL | cell;
    s->heads[cell] = hole;
    if (head == NONE) {
        s->cells[cell / 64] |= UINT64_C(1) << cell % 64;
        s->words |= UINT64_C(1) << cell / 64;
    }
}

static inline void insert(struct vidmm_segment *s, uint32_t hole, uint32_t start, uint32_t pages)
{
    insert_into(s, hole, cell_of(s, start, pages));
}

static inline void remove_hole(struct vidmm_segment *s, uint32_t hole)
{
    uint32_t next = at(s, hole)->hole_next, prev = at(s, hole)->hole_prev;

    at(s, next)->hole_prev = prev;
    if ((prev & FIRST_IN_CELL) == 0) {
        at(s, prev)->hole_next = next;
        return;
    }
    uint32_t cell = prev & ~FIRST_IN_CELL;
    s->heads[cell] = next;
    if (next == NONE) {
        s->cells[cell / 64] ^= UINT64_C(1) << cell % 64;
        if (s->cells[cell / 64] == 0) {
            s->words ^= UINT64_C(1) << cell / 64;
        }
    }
}

/* ---- The invariants ---- */

static void check_ring(const struct vidmm_segment *s)
{
    uint32_t node = ANCHOR, live = 0, free_pages = 0;

    VIDMM_VERIFY(at(s, NONE)->next == ANCHOR && at(s, NONE)->start == s->pages); /* S1 */
    for (; node != NONE; node = at(s, node)->next) {
        const struct record *r = at(s, node);

        VIDMM_VERIFY(node < s->capacity * RECORD && at(s, r->next)->prev == node); /* S1 */
        VIDMM_VERIFY(node == ANCHOR ? r->start == r->end : r->start < r->end);     /* S2 */
        VIDMM_VERIFY(r->end <= hole_end(s, node));                                 /* S2 */
        free_pages += hole_size(s, node);
        live += node != ANCHOR;
        VIDMM_VERIFY(live < s->capacity);
    }
    VIDMM_VERIFY(free_pages == s->free_pages && live == s->live); /* S3 */
}

static void check_spare(const struct vidmm_segment *s)
{
    uint32_t spare = 0, record = s->spare;

    for (; record != NONE; record = at(s, record)->next) {
        VIDMM_VERIFY(record < s->capacity * RECORD && at(s, record)->end == 0); /* S4 */
        VIDMM_VERIFY(++spare < s->capacity);
    }
    VIDMM_VERIFY(s->live + spare + FIXED_RECORDS == s->capacity); /* S4 */
}

/* Pages of the holes in the list of a cell. */
static uint64_t check_cell(const struct vidmm_segment *s, uint32_t cell)
{
    uint32_t hole = s->heads[cell], prev = FIRST_IN_CELL | cell;
    uint64_t sum = 0;
    bool has_bit = (s->cells[cell / 64] >> cell % 64 & 1) != 0;

    VIDMM_VERIFY(has_bit == (hole != NONE)); /* S6 */
    for (; hole != NONE; prev = hole, hole = at(s, hole)->hole_next) {
        uint32_t pages = hole_size(s, hole), own = cell_of(s, at(s, hole)->end, pages);

        VIDMM_VERIFY(at(s, hole)->hole_prev == prev); /* S5 */
        VIDMM_VERIFY(pages != 0 && own / COLUMNS == cell / COLUMNS);
        VIDMM_VERIFY(own == cell || cell % COLUMNS == KNOWN);                  /* S5 */
        VIDMM_VERIFY(cell % COLUMNS != KNOWN || vidmm_survey_covers(s, hole)); /* S7 */
        sum += pages;
        VIDMM_VERIFY(sum <= s->free_pages);
    }
    return sum;
}

void vidmm_segment_check(const struct vidmm_segment *segment)
{
    uint32_t cell, cells = (class_of(segment->pages) + 1) * COLUMNS;
    uint64_t sum = 0;

    check_ring(segment);
    check_spare(segment);
    for (cell = 0; cell < cells; cell++) {
        sum += check_cell(segment, cell);
    }
    VIDMM_VERIFY(sum == segment->free_pages); /* S5: no hole is missing */
    for (cell = 0; cell < CELLS; cell += 64) {
        bool has_bit = (segment->words >> cell / 64 & 1) != 0;

        VIDMM_VERIFY(has_bit == (segment->cells[cell / 64] != 0)); /* S6 */
        VIDMM_VERIFY(cell < cells || !has_bit);
    }
    VIDMM_VERIFY(segment->cells[CELLS / 64] == 0);
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

    if (capacity * RECORD >= HOLE) {
        return false;
    }
    table = s->memory.allocate(s->memory.context, size + vidmm_survey_size((uint32_t)capacity));
    if (!table) {
        return false;
    }
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

static inline struct place place_in_hole(const struct vidmm_segment *s, uint32_t hole,
                                         struct wish wish)
{
    struct place place = whole_hole(s, hole);

    place.start = place_in(wish, place.low, place.high);
    return place;
}

static void make_known(struct vidmm_segment *s, uint32_t hole, uint32_t cell)
{
    remove_hole(s, hole);
    insert_into(s, hole, cell | KNOWN);
    vidmm_survey_add(s, hole);
}

/* Step 3: every hole that could fit is looked at, or known. */
static struct place find_among_largest(struct vidmm_segment *s, struct wish wish)
{
    uint32_t cell = next_cell(s, class_of(wish.size) * COLUMNS), looked = 0;

    for (; cell != NO_CELL; cell = next_cell(s, cell + 1)) {
        uint32_t hole = cell % COLUMNS == KNOWN ? (uint32_t)NONE : s->heads[cell];

        while (hole != NONE) {
            uint32_t next = at(s, hole)->hole_next;

            if (fits(wish, at(s, hole)->end, hole_end(s, hole))) {
                return place_in_hole(s, hole, wish);
            }
            if (++looked > PATIENCE) {
                make_known(s, hole, cell);
            }
            hole = next;
        }
    }
    return place_in_hole(s, vidmm_survey_find(s, wish), wish);
}

/* The first hole of the cell to prefer, of the cells with holes from `cell` on. */
static inline struct place first_hole(const struct vidmm_segment *s, uint32_t cell, bool from_end)
{
    cell = next_cell(s, cell);
    return whole_hole(s, s->heads[from_end ? last_of_class(s, cell) : cell]);
}

/* Steps 1 and 2. */
static inline struct place find(const struct vidmm_segment *s, struct wish wish)
{
    uint64_t roomy = wish.size + wish.align_mask;
    struct place place = {NONE, 0, 0, 0};

    if (roomy <= s->pages) {
        uint32_t cell = class_of((uint32_t)roomy) * COLUMNS;

        place = first_hole(s, cell, wish.from_end);
        if (!fits(wish, place.low, place.high)) {
            place = first_hole(s, cell + COLUMNS, wish.from_end);
        }
    }
    place.start = place_in(wish, place.low, place.high);
    return place;
}

/* First fit in address order, inside the window. */
static struct place find_in_window(const struct vidmm_segment *s, struct wish wish,
                                   uint64_t window_start, uint64_t window_end)
{
    uint64_t low = (window_start >> PAGE_SHIFT) + ((window_start & PAGE_MASK) != 0);
    uint64_t high = window_end == 0 ? s->pages : window_end >> PAGE_SHIFT;
    uint32_t hole = wish.from_end ? at(s, NONE)->prev : (uint32_t)ANCHOR;

    for (; hole != NONE; hole = wish.from_end ? at(s, hole)->prev : at(s, hole)->next) {
        struct place place = whole_hole(s, hole);
        uint64_t first = place.low < low ? low : place.low;
        uint64_t last = place.high > high ? high : place.high;

        if (fits(wish, first, last)) {
            place.start = place_in(wish, first, last);
            return place;
        }
    }
    return (struct place){NONE, 0, 0, 0};
}

/* Use up a place. There is a spare record. */
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
    if (place.low != place.start) {
        insert(s, place.hole, place.low, place.start - place.low);
    }
    if (end != place.high) {
        insert(s, range, end, place.high - end);
    }
    return range;
}

/* ---- The interface ---- */

bool vidmm_segment_init(struct vidmm_segment *segment, uint64_t size,
                        const struct vidmm_memory *memory)
{
    uint64_t pages = size >> PAGE_SHIFT;

    if (pages == 0 || pages > UINT32_MAX) {
        return false;
    }
    *segment = (struct vidmm_segment){
        .pages = (uint32_t)pages,
        .free_pages = (uint32_t)pages,
        .zones_per_page = ((uint64_t)ZONES << 32) / pages,
        .memory = *memory,
    };
    size_t classes = class_of((uint32_t)pages) + 1;
    segment->heads = memory->allocate(memory->context, classes * COLUMNS * sizeof *segment->heads);
    if (!segment->heads) {
        return false;
    }
    if (!grow(segment, FIRST_CAPACITY)) {
        memory->free(memory->context, segment->heads);
        return false;
    }
    at(segment, NONE)->start = segment->pages;
    at(segment, NONE)->next = ANCHOR;
    at(segment, NONE)->prev = ANCHOR;
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
    uint64_t roomy = (uint64_t)segment->capacity + segment->capacity / 10;

    return needed <= segment->capacity || grow(segment, needed > roomy ? needed : roomy);
}

/* Pages, rounded up. A size of 0 is more than any segment has. */
static inline uint64_t pages_of(uint64_t size)
{
    return ((size - 1) >> PAGE_SHIFT) + 1;
}

vidmm_range vidmm_segment_take(struct vidmm_segment *segment,
                               const struct vidmm_range_request *request, uint32_t owner)
{
    uint64_t pages = pages_of(request->size), alignment = request->alignment;
    struct wish wish = {(alignment - (alignment != 0)) >> PAGE_SHIFT, (uint32_t)pages,
                        request->direction == VIDMM_FROM_END};
    struct place place;

    if (pages > segment->pages || (alignment & (alignment - 1)) != 0) {
        return 0;
    }
    if ((request->window_start | request->window_end) != 0) {
        place = find_in_window(segment, wish, request->window_start, request->window_end);
        if (place.hole == NONE) {
            return 0;
        }
    } else {
        place = find(segment, wish);
        if (place.hole == NONE) {
            place = find_among_largest(segment, wish);
            if (place.hole == NONE) {
                return 0;
            }
        }
    }
    if (segment->spare == NONE && !vidmm_segment_reserve(segment, 1)) {
        return 0;
    }
    return take_place(segment, place, wish.size, owner);
}

vidmm_range vidmm_segment_take_at(struct vidmm_segment *segment, uint64_t offset, uint64_t size,
                                  uint32_t owner)
{
    uint64_t pages = pages_of(size), page = offset >> PAGE_SHIFT;
    struct vidmm_range_request request = {.size = size, .window_start = offset};

    if (pages > segment->pages || page > segment->pages - pages || (offset & PAGE_MASK) != 0) {
        return 0;
    }
    request.direction = page > segment->pages / 2 ? VIDMM_FROM_END : VIDMM_FROM_START;
    request.window_end = (page + pages) << PAGE_SHIFT;
    return vidmm_segment_take(segment, &request, owner);
}

void vidmm_segment_release(struct vidmm_segment *segment, vidmm_range range)
{
    struct record *record = at(segment, range);
    uint32_t prev = record->prev, next = record->next;
    uint32_t low = at(segment, prev)->end, high = at(segment, next)->start;

    VIDMM_ASSERT(range > ANCHOR && range < segment->capacity * RECORD && record->end != 0);
    if (low != record->start) {
        remove_hole(segment, prev);
    }
    if (record->end != high) {
        remove_hole(segment, range);
    }
    segment->free_pages += record->end - record->start;
    segment->live--;
    at(segment, prev)->next = next;
    at(segment, next)->prev = prev;
    record->end = 0;
    record->next = segment->spare;
    segment->spare = range;
    insert(segment, prev, low, high - low);
}

uint64_t vidmm_range_offset(const struct vidmm_segment *segment, vidmm_range range)
{
    const struct record *record = at(segment, range & ~HOLE);

    return (uint64_t)(range & HOLE ? record->end : record->start) << PAGE_SHIFT;
}

uint64_t vidmm_range_size(const struct vidmm_segment *segment, vidmm_range range)
{
    const struct record *record = at(segment, range & ~HOLE);
    uint32_t pages = range & HOLE ? hole_size(segment, range & ~HOLE) : record->end - record->start;

    return (uint64_t)pages << PAGE_SHIFT;
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

/* What comes after the live range of a record: its hole, or the next range. */
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

    if ((range & HOLE) == 0 && hole_size(segment, prev) != 0) {
        return prev | HOLE;
    }
    return prev == ANCHOR ? (vidmm_range)NONE : prev;
}

uint64_t vidmm_segment_free_bytes(const struct vidmm_segment *segment)
{
    return (uint64_t)segment->free_pages << PAGE_SHIFT;
}

uint64_t vidmm_segment_largest_hole(const struct vidmm_segment *segment)
{
    uint32_t largest = 0, cell, hole;

    if (segment->words == 0) {
        return 0;
    }
    uint32_t word = 63; /* the last class with holes */
    while ((segment->words >> word & 1) == 0) {
        word--;
    }
    for (cell = next_cell(segment, word * 64); cell != NO_CELL;
         cell = next_cell(segment, cell + 1)) {
        for (hole = segment->heads[cell]; hole != NONE; hole = at(segment, hole)->hole_next) {
            uint32_t size = hole_size(segment, hole);

            largest = size > largest ? size : largest;
        }
    }
    return (uint64_t)largest << PAGE_SHIFT;
}
