/*
 * segment_survey.c: the exact search among holes that searches have looked at in vain.
 *
 * The records are grouped by their place in the table, 32 to a group, 32 groups to a group of the
 * next level, and so on up to one group of all:
 *
 *      level 2     [                    all                       ]
 *      level 1     [ records 0-31 ] [ records 32-63 ] [    ...    ]
 *
 * A group keeps, for each alignment that WDDM asks for, a bound: no known hole in it has more pages
 * from its first aligned page on. When a hole becomes known, the bounds above it are raised. When
 * it changes, nothing is done: a bound may be too high, never too low (G8). A search enters the
 * groups whose bound is high enough, and where it comes back with nothing it sets the bound to the
 * truth. So a bound that leads astray does so once, and is paid for by the hole that went away
 * under it: a search is O(log n), amortised.
 *
 * An alignment that is not in the table goes by the bounds of the next smaller one. The search
 * stays exact, but the truth about the smaller alignment may lead astray each time: O(n).
 */
#include "vidmm/engine/space/segment_state.h"

#include <string.h>

enum { GROUP_BITS = 5, GROUP = 1 << GROUP_BITS, LEVELS = 7 };

/* Alignment - 1, in pages, of 4, 8, 16, 32 and 64 KiB and of 2 MiB. */
static const uint32_t align_masks[] = {0, 1, 3, 7, 15, 511};
enum { KINDS = sizeof align_masks / sizeof *align_masks };

/* The position of the bounds of each level. Level 0 is the records themselves and has none. */
struct levels {
    uint32_t count[LEVELS + 1]; /* groups */
    uint32_t first[LEVELS + 1]; /* bound of the first group; KINDS of them a group */
    uint32_t top;
    uint32_t bounds; /* in all levels */
};

static struct levels levels_of(uint32_t capacity)
{
    struct levels levels = {.count = {capacity}};

    do {
        levels.top++;
        levels.count[levels.top] = (levels.count[levels.top - 1] + GROUP - 1) >> GROUP_BITS;
        levels.first[levels.top] = levels.bounds;
        levels.bounds += levels.count[levels.top] * KINDS;
    } while (levels.count[levels.top] > 1);
    return levels;
}

size_t vidmm_survey_size(uint32_t capacity)
{
    return levels_of(capacity).bounds * sizeof(uint32_t);
}

void vidmm_survey_copy(uint32_t *to, uint32_t to_capacity, const uint32_t *from,
                       uint32_t from_capacity)
{
    struct levels wide = levels_of(to_capacity), narrow = levels_of(from_capacity);
    uint32_t level;

    for (level = 1; level <= narrow.top; level++) {
        memcpy(to + wide.first[level], from + narrow.first[level],
               (size_t)narrow.count[level] * KINDS * sizeof *to);
    }
    for (; level <= wide.top; level++) /* the former top is the first group of each new level */
        memcpy(to + wide.first[level], from + narrow.first[narrow.top], KINDS * sizeof *to);
}

/* Pages that the hole after a record has from its first aligned page on; 0 if there is none. */
static uint32_t usable(const struct vidmm_segment *s, uint32_t hole, uint32_t kind)
{
    uint64_t mask = align_masks[kind], start = (at(s, hole)->end + mask) & ~mask;
    uint32_t end = hole_end(s, hole);

    if (hole != ANCHOR && at(s, hole)->end == 0)
        return 0;
    return start < end ? end - (uint32_t)start : 0;
}

/* Raise the bounds above a hole. A group's bound is never below those of its parts, so that the way
 * up may end early. */
static void raise_bounds(struct vidmm_segment *s, const struct levels *levels, uint32_t hole)
{
    uint32_t kind, level;

    for (kind = 0; kind < KINDS; kind++) {
        uint32_t pages = usable(s, hole, kind), group = hole / RECORD;

        for (level = 1; level <= levels->top; level++) {
            group >>= GROUP_BITS;
            uint32_t *bound = &s->survey[levels->first[level] + group * KINDS + kind];
            if (*bound >= pages)
                break;
            *bound = pages;
        }
    }
}

uint32_t vidmm_survey_add(struct vidmm_segment *segment, uint32_t hole, struct wish wish,
                          uint32_t *last)
{
    struct levels levels = levels_of(segment->capacity);

    for (; hole != NONE; hole = at(segment, hole)->hole_next) {
        if (fits(wish, at(segment, hole)->end, hole_end(segment, hole)))
            return hole;
        raise_bounds(segment, &levels, hole);
        *last = hole;
    }
    return NONE;
}

bool vidmm_survey_covers(const struct vidmm_segment *segment, uint32_t hole)
{
    struct levels levels = levels_of(segment->capacity);
    uint32_t kind, level, group = hole / RECORD;

    for (level = 1; level <= levels.top; level++) {
        group >>= GROUP_BITS;
        for (kind = 0; kind < KINDS; kind++)
            if (segment->survey[levels.first[level] + group * KINDS + kind] <
                usable(segment, hole, kind))
                return false;
    }
    return true;
}

struct search {
    struct vidmm_segment *segment;
    struct wish wish;
    struct levels levels;
    uint32_t kind;
};

static uint32_t *bound_of(const struct search *search, uint32_t level, uint32_t group)
{
    return &search->segment->survey[search->levels.first[level] + group * KINDS + search->kind];
}

static uint32_t end_of_group(const struct search *search, uint32_t level, uint32_t group)
{
    uint32_t end = (group + 1) << GROUP_BITS, count = search->levels.count[level - 1];

    return end < count ? end : count;
}

static uint32_t search_records(const struct search *search, uint32_t group)
{
    const struct vidmm_segment *s = search->segment;
    uint32_t i = group << GROUP_BITS, end = end_of_group(search, 1, group), most = 0;

    for (; i < end; i++) {
        uint32_t hole = i * RECORD, pages = usable(s, hole, search->kind);

        if (pages >= search->wish.size && fits(search->wish, at(s, hole)->end, hole_end(s, hole)))
            return hole;
        most = pages > most ? pages : most;
    }
    *bound_of(search, 1, group) = most;
    return NONE;
}

static uint32_t search_group(const struct search *search, uint32_t level, uint32_t group)
{
    uint32_t child = group << GROUP_BITS, end = end_of_group(search, level, group), most = 0;

    if (*bound_of(search, level, group) < search->wish.size)
        return NONE;
    if (level == 1)
        return search_records(search, group);
    for (; child < end; child++) {
        uint32_t hole = search_group(search, level - 1, child);
        uint32_t bound = *bound_of(search, level - 1, child);

        if (hole != NONE)
            return hole;
        most = bound > most ? bound : most;
    }
    *bound_of(search, level, group) = most;
    return NONE;
}

uint32_t vidmm_survey_find(struct vidmm_segment *segment, struct wish wish)
{
    struct search search = {segment, wish, levels_of(segment->capacity), KINDS - 1};

    while (align_masks[search.kind] > wish.align_mask)
        search.kind--;
    return search_group(&search, search.levels.top, 0);
}
