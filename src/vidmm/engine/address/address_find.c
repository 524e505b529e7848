/* address_find.c: the ranges of a space in order of address, and the gaps between them.
 *
 *      low                                                            high
 *       |    gap    |####range####|  gap  |##range##|#range#|  (rest)  |
 *                   ^ gap of the range            gap 0 ^
 *
 * A gap stands in the record of the range behind it, in granules of 64 KiB: a request that begins
 * and ends on a granule fits into it if it has as many. The tree carries the largest of a subtree
 * upward, so the lowest gap that is large enough is found in one descent. The addresses behind the
 * last range have no record and are looked at last.
 *
 * An alignment above the granule is a wish: the first PATIENCE gaps that are large enough are tried
 * for it, then any gap that is so large that it fits wherever the gap begins, then it is given up.
 *
 * Invariants
 * A6. `gap` of a range is the number of whole granules between the range before it, or `low`, and
 *     itself; GAP_LIMIT stands for that or more.
 * A7. `gap_most` is the largest `gap` of its subtree.
 */
#include "vidmm/engine/address/address_find.h"

#include <vidmm/page.h>

#include "base/tree.h"
#include "vidmm/engine/address/address_space.h"

#define GRANULE_SHIFT 16u
#define GRANULE_PAGES (VIDMM_ADDRESS_GRANULE >> VIDMM_PAGE_SHIFT)
#define GAP_LIMIT UINT32_MAX

enum { PATIENCE = 16 };

static uint64_t round_up(uint64_t value, uint64_t alignment)
{
    return (value + alignment - 1) & ~(alignment - 1);
}

/* ---- the tree ---- */

VIDMM_TREE_INLINE bool update(struct vidmm_tree_node *node)
{
    struct vidmm_address_range *range = vidmm_address_range_of(node);
    uint32_t most = range->gap, before = range->gap_most;
    unsigned side;

    for (side = 0; side < 2; side++)
        if (node->child[side] && vidmm_address_range_of(node->child[side])->gap_most > most)
            most = vidmm_address_range_of(node->child[side])->gap_most;
    range->gap_most = most; /* A7 */
    return most != before;
}

static uint32_t granules(uint64_t from_page, uint64_t to_page)
{
    uint64_t from = (from_page + GRANULE_PAGES - 1) / GRANULE_PAGES, to = to_page / GRANULE_PAGES;

    if (from >= to)
        return 0;
    return to - from < GAP_LIMIT ? (uint32_t)(to - from) : GAP_LIMIT;
}

static uint64_t end_before(const struct vidmm_address_space *space,
                           const struct vidmm_address_range *range)
{
    struct vidmm_tree_node *previous = vidmm_tree_previous(&range->node);

    return previous ? vidmm_address_range_of(previous)->end : space->low >> VIDMM_PAGE_SHIFT;
}

static void set_gap(struct vidmm_address_range *range, uint64_t from_page)
{
    uint32_t gap = granules(from_page, range->first);

    VIDMM_ASSERT(from_page <= range->first);
    if (range->gap == gap)
        return;
    range->gap = gap; /* A6 */
    vidmm_tree_refresh(&range->node, update);
}

struct vidmm_address_range *vidmm_address_find_page(const struct vidmm_address_space *space,
                                                    uint64_t page)
{
    struct vidmm_tree_node *node = vidmm_tree_root(&space->ranges);
    struct vidmm_address_range *found = NULL;

    while (node) {
        struct vidmm_address_range *range = vidmm_address_range_of(node);

        if (range->end > page) {
            found = range;
            if (range->first <= page)
                break;
            node = node->child[VIDMM_TREE_LEFT];
        } else {
            node = node->child[VIDMM_TREE_RIGHT];
        }
    }
    return found;
}

void vidmm_address_insert(struct vidmm_address_space *space, struct vidmm_address_range *range,
                          struct vidmm_address_range *next)
{
    struct vidmm_tree_node *parent = next ? &next->node : vidmm_tree_root(&space->ranges);
    enum vidmm_tree_side side = next ? VIDMM_TREE_LEFT : VIDMM_TREE_RIGHT;

    if (parent && parent->child[side])
        parent = vidmm_tree_outermost(parent->child[side], VIDMM_TREE_RIGHT);
    if (next && parent != &next->node)
        side = VIDMM_TREE_RIGHT;
    vidmm_tree_insert(&space->ranges, parent, side, &range->node, update);
    VIDMM_ASSERT(end_before(space, range) <= range->first);
    VIDMM_ASSERT(!next ||
                 (vidmm_tree_next(&range->node) == &next->node && range->end <= next->first));
    set_gap(range, end_before(space, range));
    if (next)
        set_gap(next, range->end);
    space->count++;
}

void vidmm_address_remove(struct vidmm_address_space *space, struct vidmm_address_range *range)
{
    struct vidmm_tree_node *next = vidmm_tree_next(&range->node);
    uint64_t before = end_before(space, range);

    VIDMM_ASSERT(space->count > 0);
    vidmm_tree_remove(&range->node, update);
    if (next)
        set_gap(vidmm_address_range_of(next), before);
    space->count--;
}

/* ---- free addresses ---- */

/* The lowest range of a subtree with a gap of that many granules. NULL: there is none. */
static struct vidmm_address_range *lowest_with(struct vidmm_tree_node *node, uint32_t wanted)
{
    if (!node || vidmm_address_range_of(node)->gap_most < wanted)
        return NULL;
    for (;;) {
        struct vidmm_tree_node *left = node->child[VIDMM_TREE_LEFT];

        if (left && vidmm_address_range_of(left)->gap_most >= wanted)
            node = left;
        else if (vidmm_address_range_of(node)->gap >= wanted)
            return vidmm_address_range_of(node);
        else
            node = node->child[VIDMM_TREE_RIGHT];
    }
}

/* The next range behind this one with such a gap. NULL: there is none. */
static struct vidmm_address_range *next_with(struct vidmm_address_range *range, uint32_t wanted)
{
    struct vidmm_tree_node *node = &range->node;
    struct vidmm_address_range *found = lowest_with(node->child[VIDMM_TREE_RIGHT], wanted);

    while (!found) {
        bool left = vidmm_tree_side_of(node) == VIDMM_TREE_LEFT;

        node = vidmm_tree_parent(node);
        if (vidmm_tree_is_head(node))
            return NULL;
        if (!left)
            continue;
        if (vidmm_address_range_of(node)->gap >= wanted)
            return vidmm_address_range_of(node);
        found = lowest_with(node->child[VIDMM_TREE_RIGHT], wanted);
    }
    return found;
}

/* A search for free addresses, in bytes. */
struct search {
    uint64_t size, alignment, low, high;
};

/* The lowest place in the gap [from, to) and the window, both ends on a granule in the gap. 0:
 * there is none. */
static uint64_t place_in(const struct search *search, uint64_t from, uint64_t to)
{
    uint64_t low = from > search->low ? from : search->low;
    uint64_t high = to < search->high ? to : search->high;
    uint64_t start = round_up(low, search->alignment);
    uint64_t whole = round_up(search->size, VIDMM_ADDRESS_GRANULE);

    VIDMM_ASSERT((search->alignment & (search->alignment - 1)) == 0 && from <= to);
    if (start >= high || search->size > high - start || whole > to - start)
        return 0;
    return start;
}

/* The first place among the gaps of `wanted` granules, and the range behind it. `patience`: how
 * many gaps are tried. */
static uint64_t first_place(const struct vidmm_address_space *space, const struct search *search,
                            uint64_t wanted, unsigned patience, struct vidmm_address_range **next)
{
    uint32_t gap = wanted < GAP_LIMIT ? (uint32_t)wanted : GAP_LIMIT;
    struct vidmm_address_range *range;
    struct vidmm_tree_node *last;
    uint64_t start;

    if (search->low == space->low) {
        range = lowest_with(vidmm_tree_root(&space->ranges), gap);
    } else {
        range = vidmm_address_find_page(space, search->low >> VIDMM_PAGE_SHIFT);
        if (range && range->gap < gap)
            range = next_with(range, gap);
    }
    for (; range && patience != 0; patience--) {
        uint64_t from = end_before(space, range) << VIDMM_PAGE_SHIFT;

        if (from >= search->high)
            return 0;
        start = place_in(search, from, vidmm_address_range_start(range));
        *next = range;
        if (start != 0)
            return start;
        range = next_with(range, gap);
    }
    if (range)
        return 0;
    *next = NULL;
    last = vidmm_tree_outermost(vidmm_tree_root(&space->ranges), VIDMM_TREE_RIGHT);
    return place_in(search,
                    last ? vidmm_address_range_end(vidmm_address_range_of(last)) : space->low,
                    space->high);
}

uint64_t vidmm_address_choose(const struct vidmm_address_space *space,
                              const struct vidmm_address_wish *wish,
                              struct vidmm_address_range **next)
{
    uint64_t size = wish->size + wish->beyond, start = 0;
    struct search search = {size, VIDMM_ADDRESS_GRANULE, space->low, space->high};
    uint64_t wanted = (size + VIDMM_ADDRESS_GRANULE - 1) >> GRANULE_SHIFT;

    VIDMM_ASSERT(wish->beyond < VIDMM_ADDRESS_GRANULE);
    if (wish->minimum > search.low)
        search.low = wish->minimum;
    if (wish->maximum != 0 && wish->maximum < search.high)
        search.high = wish->maximum;
    if (wish->size > space->high || search.low >= search.high)
        return 0;
    if (wish->alignment > VIDMM_ADDRESS_GRANULE) {
        search.alignment = wish->alignment;
        start = first_place(space, &search, wanted, PATIENCE, next);
        if (start == 0)
            start = first_place(space, &search, wanted + (wish->alignment >> GRANULE_SHIFT) - 1,
                                UINT32_MAX, next);
        search.alignment = VIDMM_ADDRESS_GRANULE;
    }
    if (start == 0)
        start = first_place(space, &search, wanted, UINT32_MAX, next);
    return start != 0 ? start + wish->beyond : 0;
}

/* ---- the check ---- */

void vidmm_address_check_gaps(const struct vidmm_address_space *space)
{
    struct vidmm_tree_node *node =
        vidmm_tree_outermost(vidmm_tree_root(&space->ranges), VIDMM_TREE_LEFT);

    for (; node; node = vidmm_tree_next(node)) {
        const struct vidmm_address_range *range = vidmm_address_range_of(node);
        uint32_t most = range->gap;
        unsigned side;

        VIDMM_VERIFY(range->gap == granules(end_before(space, range), range->first)); /* A6 */
        for (side = 0; side < 2; side++)
            if (node->child[side] && vidmm_address_range_of(node->child[side])->gap_most > most)
                most = vidmm_address_range_of(node->child[side])->gap_most;
        VIDMM_VERIFY(range->gap_most == most); /* A7 */
    }
}
