/*
 * ranges.c: owners of ranges.
 *
 * Invariants
 *  1. In order of the tree, each range ends at or before the start of the next.
 *  2. start < end.
 *  3. A parent's priority is at least its children's.
 */
#include "contract/ranges.h"

#include <stdlib.h>

static void free_all(struct vidmm_owned_range *range)
{
    while (range != NULL) {
        struct vidmm_owned_range *right = range->right;
        free_all(range->left);
        free(range);
        range = right;
    }
}

void vidmm_ranges_finish(struct vidmm_ranges *ranges)
{
    free_all(ranges->root);
    *ranges = (struct vidmm_ranges){0};
}

struct vidmm_owned_range *vidmm_ranges_after(const struct vidmm_ranges *ranges, uint64_t address)
{
    struct vidmm_owned_range *found = NULL;

    for (struct vidmm_owned_range *range = ranges->root; range != NULL;) {
        if (range->end > address) {
            found = range;
            range = range->left;
        } else {
            range = range->right;
        }
    }
    return found;
}

struct vidmm_owned_range *vidmm_ranges_meet(const struct vidmm_ranges *ranges, uint64_t start,
                                            uint64_t end)
{
    struct vidmm_owned_range *range = vidmm_ranges_after(ranges, start);

    return range != NULL && range->start < end ? range : NULL;
}

bool vidmm_ranges_cover(const struct vidmm_ranges *ranges, uint64_t start, uint64_t end)
{
    while (start < end) {
        const struct vidmm_owned_range *range = vidmm_ranges_after(ranges, start);
        if (range == NULL || range->start > start)
            return false;
        start = range->end;
    }
    return true;
}

/* Split by address: ranges that start below it, and the others. */
static void split(struct vidmm_owned_range *range, uint64_t address,
                  struct vidmm_owned_range **below, struct vidmm_owned_range **others)
{
    if (range == NULL) {
        *below = *others = NULL;
    } else if (range->start < address) {
        split(range->right, address, &range->right, others);
        *below = range;
    } else {
        split(range->left, address, below, &range->left);
        *others = range;
    }
}

/* All of `low` lies below all of `high`. */
static struct vidmm_owned_range *join(struct vidmm_owned_range *low, struct vidmm_owned_range *high)
{
    if (low == NULL)
        return high;
    if (high == NULL)
        return low;
    if (low->priority >= high->priority) {
        low->right = join(low->right, high);
        return low;
    }
    high->left = join(low, high->left);
    return high;
}

static struct vidmm_owned_range *new_range(struct vidmm_ranges *ranges, uint64_t start,
                                           uint64_t end, void *owner, uint64_t tag)
{
    struct vidmm_owned_range *range = malloc(sizeof *range);

    if (range == NULL)
        return NULL;
    ranges->seed = ranges->seed * 1664525 + 1013904223;
    *range = (struct vidmm_owned_range){
        .start = start, .end = end, .owner = owner, .tag = tag, .priority = ranges->seed >> 4};
    return range;
}

static void insert(struct vidmm_ranges *ranges, struct vidmm_owned_range *range)
{
    struct vidmm_owned_range *below, *others;

    split(ranges->root, range->start, &below, &others);
    ranges->root = join(join(below, range), others);
    ranges->count++;
}

static void take_out(struct vidmm_ranges *ranges, struct vidmm_owned_range *range)
{
    struct vidmm_owned_range **link = &ranges->root;

    while (*link != range)
        link = range->start < (*link)->start ? &(*link)->left : &(*link)->right;
    *link = join(range->left, range->right);
    ranges->count--;
    free(range);
}

bool vidmm_ranges_cut(struct vidmm_ranges *ranges, uint64_t start, uint64_t end)
{
    struct vidmm_owned_range *range = vidmm_ranges_meet(ranges, start, end), *rest;

    if (range != NULL && range->start < start && range->end > end) { /* split in two */
        rest = new_range(ranges, end, range->end, range->owner, range->tag + (end - range->start));
        if (rest == NULL)
            return false;
        range->end = start;
        insert(ranges, rest);
        return true;
    }
    while ((range = vidmm_ranges_meet(ranges, start, end)) != NULL) {
        if (range->start >= start && range->end <= end) {
            take_out(ranges, range);
        } else if (range->start < start) {
            range->end = start;
        } else { /* keeps its order: nothing lies between start and end but what is cut */
            range->tag += end - range->start;
            range->start = end;
        }
    }
    return true;
}

bool vidmm_ranges_set(struct vidmm_ranges *ranges, uint64_t start, uint64_t end, void *owner,
                      uint64_t tag)
{
    struct vidmm_owned_range *range = new_range(ranges, start, end, owner, tag);

    if (range == NULL)
        return false;
    if (!vidmm_ranges_cut(ranges, start, end)) {
        free(range);
        return false;
    }
    insert(ranges, range);
    return true;
}
