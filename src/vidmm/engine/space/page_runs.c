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
 * Invariants
 * G9   Runs follow each other: each has one page or more, and `end` counts the pages up to it.
 * G10  One run stands in `only`, several stand in `many`.
 */
#include "vidmm/engine/space/page_runs.h"

#include <string.h>

#include <vidmm/page.h>

#include "base/assert.h"

/* Page sizes that page tables know, the largest first. */
#define MEDIUM (UINT64_C(64) << 10)

static const uint64_t units[] = {UINT64_C(2) << 20, MEDIUM, VIDMM_PAGE_SIZE};

enum { UNITS = sizeof(units) / sizeof(units[0]), FIRST_CAPACITY = 8 };

/* Runs that are being taken. */
struct taking {
    struct vidmm_segment *segment;
    struct vidmm_page_runs runs;
    uint32_t capacity; /* of runs.many */
    uint32_t owner;
    uint32_t pages; /* that the allocation has */
    enum vidmm_direction direction;
};

static struct vidmm_page_run *first_of(struct vidmm_page_runs *runs)
{
    return runs->many ? runs->many : &runs->only;
}

static const struct vidmm_page_run *run_of(const struct vidmm_page_runs *runs, uint32_t index)
{
    return runs->many ? &runs->many[index] : &runs->only;
}

uint32_t vidmm_page_runs_pages(const struct vidmm_page_runs *runs)
{
    return runs->count == 0 ? 0 : run_of(runs, runs->count - 1)->end;
}

/* Room for one run more. False: no memory. */
static bool grow(struct taking *taking)
{
    const struct vidmm_memory *memory = &taking->segment->memory;
    uint32_t capacity = taking->capacity == 0 ? FIRST_CAPACITY : taking->capacity * 2;
    struct vidmm_page_run *many;

    if (taking->runs.count < (taking->capacity == 0 ? 1 : taking->capacity))
        return true;
    many = memory->allocate(memory->context, capacity * sizeof(*many));
    if (!many)
        return false;
    memcpy(many, first_of(&taking->runs), taking->runs.count * sizeof(*many));
    if (taking->runs.many)
        memory->free(memory->context, taking->runs.many);
    taking->runs.many = many;
    taking->capacity = capacity;
    return true;
}

/* The range is the next run. There is room for it. */
static void append(struct taking *taking, vidmm_range range)
{
    uint64_t pages = vidmm_range_size(taking->segment, range) >> VIDMM_PAGE_SHIFT;
    uint32_t end = vidmm_page_runs_pages(&taking->runs) + (uint32_t)pages;

    first_of(&taking->runs)[taking->runs.count++] = (struct vidmm_page_run){range, end};
}

static uint64_t left_of(const struct taking *taking)
{
    return (uint64_t)(taking->pages - vidmm_page_runs_pages(&taking->runs)) << VIDMM_PAGE_SHIFT;
}

/* Take what is left in runs that begin at a multiple of `unit`, as far as there are holes with a
 * whole unit. `all`: to the last page; otherwise until less than a unit is left, and what is not
 * whole pages of 64 KiB stays for later. False: no memory. */
static bool take_units(struct taking *taking, uint64_t unit, bool all)
{
    while (left_of(taking) >= (all ? 1 : unit)) {
        uint64_t most = all ? left_of(taking) : left_of(taking) / MEDIUM * MEDIUM;
        vidmm_range range;

        if (!grow(taking))
            return false;
        range =
            vidmm_segment_take_most(taking->segment, most, unit, taking->direction, taking->owner);
        if (range == 0)
            return true;
        append(taking, range);
    }
    return true;
}

/* One run in the window, if there is a window. */
static void take_in_window(struct taking *taking, const struct vidmm_range_request *request)
{
    vidmm_range range = 0;

    if ((request->window_start | request->window_end) != 0)
        range = vidmm_segment_take(taking->segment, request, taking->owner);
    if (range != 0)
        append(taking, range);
}

bool vidmm_page_runs_take(struct vidmm_segment *segment, const struct vidmm_range_request *request,
                          uint32_t owner, struct vidmm_page_runs *runs)
{
    uint64_t pages = (request->size >> VIDMM_PAGE_SHIFT) + (request->size % VIDMM_PAGE_SIZE != 0);
    uint64_t alignment =
        request->alignment < VIDMM_PAGE_SIZE ? VIDMM_PAGE_SIZE : request->alignment;
    struct taking taking = {
        .segment = segment,
        .owner = owner,
        .pages = (uint32_t)pages,
        .direction = request->direction,
    };
    bool memory = true;
    uint32_t i;

    if (pages == 0 || pages > segment->free_pages ||
        (request->alignment & (request->alignment - 1)) != 0)
        return false;
    take_in_window(&taking, request);
    for (i = 0; i < UNITS && memory && units[i] > alignment; i++)
        memory = take_units(&taking, units[i], false);
    memory = memory && take_units(&taking, alignment, true);
    if (vidmm_page_runs_pages(&taking.runs) < pages) {
        vidmm_page_runs_release(segment, &taking.runs);
        return false;
    }
    *runs = taking.runs;
    return true;
}

void vidmm_page_runs_release(struct vidmm_segment *segment, struct vidmm_page_runs *runs)
{
    uint32_t i;

    for (i = 0; i < runs->count; i++)
        vidmm_segment_release(segment, run_of(runs, i)->range);
    if (runs->many)
        segment->memory.free(segment->memory.context, runs->many);
    *runs = (struct vidmm_page_runs){0};
}

uint64_t vidmm_page_runs_at(const struct vidmm_segment *segment, const struct vidmm_page_runs *runs,
                            uint32_t page, uint32_t *pages)
{
    uint32_t low = 0, high = runs->count, begin;

    VIDMM_ASSERT(page < vidmm_page_runs_pages(runs));
    while (high - low > 1) { /* run `low` begins at the page, or before it */
        uint32_t middle = low + (high - low) / 2;

        if (run_of(runs, middle - 1)->end <= page)
            low = middle;
        else
            high = middle;
    }
    begin = low == 0 ? 0 : run_of(runs, low - 1)->end;
    *pages = run_of(runs, low)->end - page;
    return vidmm_range_offset(segment, run_of(runs, low)->range) +
           ((uint64_t)(page - begin) << VIDMM_PAGE_SHIFT);
}

void vidmm_page_runs_check(const struct vidmm_segment *segment, const struct vidmm_page_runs *runs)
{
    uint32_t i, begin = 0;

    VIDMM_VERIFY(runs->count < 2 || runs->many); /* G10 */
    for (i = 0; i < runs->count; i++) {
        const struct vidmm_page_run *run = run_of(runs, i);

        VIDMM_VERIFY(run->end > begin); /* G9 */
        VIDMM_VERIFY(vidmm_range_size(segment, run->range) == (uint64_t)(run->end - begin)
                                                                  << VIDMM_PAGE_SHIFT); /* G9 */
        begin = run->end;
    }
}
