/* page_runs.c: runs of pages, the fewest that are easily found.
 *
 * For each unit, from the largest:
 *
 *     left   |-----------------------------------|
 *            |== a hole's whole units ==|            again, while there are such holes
 *                                       |=====|      one hole holds all but what is below 64 KiB
 *                                             |==|   that, by pages of 4 KiB
 *
 * A smaller unit takes what a larger one leaves, and what is less than a unit: a small allocation
 * does not lie where a large page could, and what is below 64 KiB finds the small holes that
 * others have left. The smallest unit is the alignment, and is exact: if it finds nothing,
 * no hole has a unit more.
 *
 * A hole gives its whole units of a size at once, and falls into two; so a request comes in seven
 * runs a hole at most: one of 2 MiB, two of 64 KiB, four of the alignment.
 *
 * Invariants
 * G9   Runs follow each other: each has one page or more, and `end` counts the pages up to it.
 * G10  A list has room for its runs, and each says where its range is.
 */
#include "vidmm/engine/space/page_runs.h"

#include <string.h>

#include <vidmm/page.h>

#include "base/assert.h"

/* Page sizes that page tables know, the largest first. */
#define MEDIUM (UINT64_C(64) << 10)

static const uint64_t units[] = {UINT64_C(2) << 20, MEDIUM, VIDMM_PAGE_SIZE};

enum { UNITS = sizeof(units) / sizeof(units[0]), RUNS_A_HOLE = 7 };

/* Runs that are being taken. */
struct taking {
    struct vidmm_segment *segment;
    struct vidmm_page_runs *runs;
    uint32_t owner;
    uint32_t pages; /* that the allocation has */
    enum vidmm_direction direction;
};

static uint64_t alignment_of(const struct vidmm_range_request *request)
{
    return request->alignment < VIDMM_PAGE_SIZE ? VIDMM_PAGE_SIZE : request->alignment;
}

static uint64_t pages_of(const struct vidmm_range_request *request)
{
    return (request->size >> VIDMM_PAGE_SHIFT) + (request->size % VIDMM_PAGE_SIZE != 0);
}

/* ---- lists ---- */

struct vidmm_page_runs *vidmm_page_runs_create(const struct vidmm_memory *memory, uint32_t capacity)
{
    struct vidmm_page_runs *runs =
        memory->allocate(memory->context, sizeof(*runs) + (size_t)capacity * sizeof(runs->runs[0]));

    if (runs)
        runs->capacity = capacity;
    return runs;
}

struct vidmm_page_runs *vidmm_page_runs_copy(const struct vidmm_memory *memory,
                                             const struct vidmm_page_runs *runs)
{
    struct vidmm_page_runs *copy = vidmm_page_runs_create(memory, runs->count);

    if (!copy)
        return NULL;
    memcpy(copy->runs, runs->runs, runs->count * sizeof(runs->runs[0]));
    copy->count = runs->count;
    return copy;
}

uint32_t vidmm_page_runs_pages(const struct vidmm_page_runs *runs)
{
    return runs->count == 0 ? 0 : runs->runs[runs->count - 1].end;
}

uint64_t vidmm_page_runs_at(const struct vidmm_page_runs *runs, uint32_t page, uint32_t *pages)
{
    uint32_t low = 0, high = runs->count, begin;

    VIDMM_ASSERT(page < vidmm_page_runs_pages(runs));
    while (high - low > 1) { /* run `low` begins at the page, or before it */
        uint32_t middle = low + (high - low) / 2;

        if (runs->runs[middle - 1].end <= page)
            low = middle;
        else
            high = middle;
    }
    begin = low == 0 ? 0 : runs->runs[low - 1].end;
    *pages = runs->runs[low].end - page;
    return runs->runs[low].offset + ((uint64_t)(page - begin) << VIDMM_PAGE_SHIFT);
}

/* ---- taking ---- */

uint32_t vidmm_page_runs_most(const struct vidmm_segment *segment,
                              const struct vidmm_range_request *request)
{
    uint64_t whole = (request->size - 1) / alignment_of(request) + 1;
    uint64_t holes = RUNS_A_HOLE * ((uint64_t)segment->live + 1);

    VIDMM_ASSERT(request->size > 0 && whole <= UINT32_MAX);
    return (uint32_t)(whole < holes ? whole : holes);
}

/* The range is the next run. */
static void append(struct taking *taking, vidmm_range range)
{
    uint64_t pages = vidmm_range_size(taking->segment, range) >> VIDMM_PAGE_SHIFT;
    uint32_t end = vidmm_page_runs_pages(taking->runs) + (uint32_t)pages;

    VIDMM_ASSERT(taking->runs->count < taking->runs->capacity); /* G10 */
    taking->runs->runs[taking->runs->count++] =
        (struct vidmm_page_run){vidmm_range_offset(taking->segment, range), range, end};
}

static uint64_t left_of(const struct taking *taking)
{
    return (uint64_t)(taking->pages - vidmm_page_runs_pages(taking->runs)) << VIDMM_PAGE_SHIFT;
}

/* Take what is left in runs that begin at a multiple of `unit`, as far as there are holes with a
 * whole unit. `all`: to the last page; otherwise until less than a unit is left, and what is not
 * whole pages of 64 KiB stays for later. */
static void take_units(struct taking *taking, uint64_t unit, bool all)
{
    while (left_of(taking) >= (all ? 1 : unit)) {
        uint64_t most = all ? left_of(taking) : left_of(taking) / MEDIUM * MEDIUM;
        vidmm_range range =
            vidmm_segment_take_most(taking->segment, most, unit, taking->direction, taking->owner);

        if (range == 0)
            return;
        append(taking, range);
    }
}

bool vidmm_page_runs_take(struct vidmm_segment *segment, const struct vidmm_range_request *request,
                          uint32_t owner, struct vidmm_page_runs *runs)
{
    uint64_t pages = pages_of(request), alignment = alignment_of(request);
    struct taking taking = {
        .segment = segment,
        .runs = runs,
        .owner = owner,
        .pages = (uint32_t)pages,
        .direction = request->direction,
    };
    uint32_t i;

    runs->count = 0;
    if (pages == 0 || pages > segment->free_pages ||
        (request->alignment & (request->alignment - 1)) != 0 ||
        !vidmm_segment_reserve(segment, vidmm_page_runs_most(segment, request)))
        return false;
    for (i = 0; i < UNITS && units[i] > alignment; i++)
        take_units(&taking, units[i], false);
    take_units(&taking, alignment, true);
    if (vidmm_page_runs_pages(runs) == pages)
        return true;
    vidmm_page_runs_release(segment, runs);
    runs->count = 0;
    return false;
}

void vidmm_page_runs_release(struct vidmm_segment *segment, struct vidmm_page_runs *runs)
{
    uint32_t i;

    for (i = 0; i < runs->count; i++) {
        VIDMM_ASSERT(runs->runs[i].range != 0);
        vidmm_segment_release(segment, runs->runs[i].range);
        runs->runs[i].range = 0;
    }
}

void vidmm_page_runs_check(const struct vidmm_segment *segment, const struct vidmm_page_runs *runs)
{
    uint32_t i, begin = 0;

    VIDMM_VERIFY(runs->count <= runs->capacity); /* G10 */
    for (i = 0; i < runs->count; i++) {
        const struct vidmm_page_run *run = &runs->runs[i];

        VIDMM_VERIFY(run->end > begin);                                       /* G9 */
        VIDMM_VERIFY(vidmm_range_offset(segment, run->range) == run->offset); /* G10 */
        VIDMM_VERIFY(vidmm_range_size(segment, run->range) == (uint64_t)(run->end - begin)
                                                                  << VIDMM_PAGE_SHIFT); /* G9 */
        begin = run->end;
    }
}

/* ---- supply ---- */

/* Whole units of [low, high). */
static uint64_t units_in(const struct vidmm_page_supply *supply, uint64_t low, uint64_t high)
{
    uint64_t first = (low + supply->unit - 1) / supply->unit, end = high / supply->unit;

    return end > first ? end - first : 0;
}

/* Bytes behind the last whole unit of [low, high), from a multiple of the unit on. */
static uint64_t rest_in(const struct vidmm_page_supply *supply, uint64_t low, uint64_t high)
{
    uint64_t start = high / supply->unit * supply->unit;

    return start >= low ? high - start : 0;
}

void vidmm_page_supply_init(struct vidmm_page_supply *supply, const struct vidmm_segment *segment,
                            const struct vidmm_range_request *request)
{
    uint64_t unit = alignment_of(request), size = pages_of(request) << VIDMM_PAGE_SHIFT;

    VIDMM_ASSERT(size > 0 && (unit & (unit - 1)) == 0);
    *supply = (struct vidmm_page_supply){
        .segment = segment, .unit = unit, .wanted = size / unit, .rest = size % unit};
    if (unit == VIDMM_PAGE_SIZE)
        supply->units = segment->free_pages;
    else
        supply->units = vidmm_segment_units(segment, unit, supply->wanted + 1, &supply->longest);
}

void vidmm_page_supply_join(struct vidmm_page_supply *supply, uint64_t low, uint64_t start,
                            uint64_t end, uint64_t high)
{
    VIDMM_ASSERT(low <= start && start < end && end <= high);
    supply->units +=
        units_in(supply, low, high) - units_in(supply, low, start) - units_in(supply, end, high);
    supply->joined = true;
}

bool vidmm_page_supply_is_enough(struct vidmm_page_supply *supply)
{
    if (supply->units != supply->wanted || supply->rest == 0 || supply->joined)
        return supply->units >= supply->wanted + (supply->rest != 0 ? 1 : 0);
    if (supply->longest < supply->rest && !supply->small_ones) {
        uint64_t longest = vidmm_segment_longest_below(supply->segment, supply->unit);

        supply->small_ones = true;
        supply->longest = longest > supply->longest ? longest : supply->longest;
    }
    return supply->longest >= supply->rest;
}

void vidmm_page_supply_clear(struct vidmm_page_supply *supply)
{
    supply->units = supply->longest = 0;
    supply->joined = false;
    supply->small_ones = true;
}

void vidmm_page_supply_add(struct vidmm_page_supply *supply, uint64_t low, uint64_t high)
{
    uint64_t rest = rest_in(supply, low, high);

    VIDMM_ASSERT(low < high && supply->small_ones && !supply->joined);
    supply->units += units_in(supply, low, high);
    supply->longest = rest > supply->longest ? rest : supply->longest;
}
