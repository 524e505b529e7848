/* address_space.c: the meaning of addresses; changes, decided and applied.
 *
 * A change is applied in three steps, whatever its kind:
 *
 *      |aaaaaaaaaaaaaaaa|bbbbbbbb|cccccccc|      the reservation as it is
 *              start |                | end
 *      |aaaaaaaa|aaaaaaa|bbbbbbbb|ccccc|ccc|     1. cut at both ends
 *      |aaaaaaaa|                      |ccc|     2. take out what lies between
 *      |aaaaaaaa|nnnnnnnnnnnnnnnnnnnnnn|ccc|     3. put in the new ranges, made before the cuts
 *
 * and at last the first and the last new one join their neighbours, where the meaning goes on. The
 * records that this takes were counted and taken by the decision: two for the cuts, one for each
 * new range. So nothing can fail, and a copy onto itself reads what was there before.
 *
 * Invariants
 * A1. Ranges do not overlap and lie in [low, high).
 * A2. A range that touches the one before it and does not begin a reservation is of the same one:
 *     both have the same `mapping` and `inherited_protection`. A range behind a gap begins one.
 * A3. Two ranges of one reservation that touch differ in meaning, or the second would be the first
 *     one's continuation.
 * A4. A range is in the ring of an allocation if, and only if, it is MAPPED; its `allocation` and
 *     `offset` are 0 if not. In a ring those with a unique driver protection stand first.
 * A5. `count` ranges are in the tree, and `spares` are not.
 */
#include "vidmm/engine/address/address_space.h"

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/address/address_find.h"

#define SHIFT VIDMM_PAGE_SHIFT
#define PAGE_BITS ((UINT64_C(1) << 52) - 1) /* the page of any 64-bit address */

static struct vidmm_address_range *previous_of(const struct vidmm_address_range *range)
{
    struct vidmm_tree_node *previous = vidmm_tree_previous(&range->node);

    return previous ? vidmm_address_range_of(previous) : NULL;
}

/* ---- the rings of allocations ---- */

static struct vidmm_address_range *range_of_link(struct vidmm_address_link *link)
{
    return (struct vidmm_address_range *)(void *)((uintptr_t)link -
                                                  offsetof(struct vidmm_address_range, link));
}

static bool is_unique(uint64_t driver_protection)
{
    return (driver_protection & VIDMM_UNIQUE_PROTECTION) != 0;
}

static void link_behind(struct vidmm_address_range *range, struct vidmm_address_link *link)
{
    VIDMM_ASSERT(link->next && link->next->previous == link);

    range->link = (struct vidmm_address_link){link->next, link};
    link->next->previous = &range->link;
    link->next = &range->link;
}

static void unlink_range(struct vidmm_address_range *range)
{
    VIDMM_ASSERT(range->link.next && range->link.previous);

    range->link.previous->next = range->link.next;
    range->link.next->previous = range->link.previous;
    range->link = (struct vidmm_address_link){NULL, NULL};
}

/* ---- records ---- */

/* Have so many records ready. */
static NTSTATUS prepare(struct vidmm_address_space *space, uint64_t records)
{
    while (space->spares < records) {
        struct vidmm_address_range *range = vidmm_pool_take(&space->pool);

        if (!range)
            return STATUS_NO_MEMORY;
        range->node.child[0] = space->spare ? &space->spare->node : NULL;
        space->spare = range;
        space->spares++;
    }
    return STATUS_SUCCESS;
}

static struct vidmm_address_range *take_spare(struct vidmm_address_space *space)
{
    struct vidmm_address_range *range = space->spare;

    VIDMM_ASSERT(space->spares > 0); /* the decision has counted */
    space->spare = range->node.child[0] ? vidmm_address_range_of(range->node.child[0]) : NULL;
    space->spares--;
    *range = (struct vidmm_address_range){.state = VIDMM_ADDRESS_FREE};
    return range;
}

static void set_pages(struct vidmm_address_range *range, uint64_t first, uint64_t end)
{
    VIDMM_ASSERT(first < end);

    range->first = first & PAGE_BITS;
    range->end = end;
}

static void give_up(struct vidmm_address_space *space, struct vidmm_address_range *range)
{
    if (range->state == VIDMM_ADDRESS_MAPPED)
        unlink_range(range);
    vidmm_pool_release(&space->pool, range);
}

static void drop(struct vidmm_address_space *space, struct vidmm_address_range *range)
{
    vidmm_address_remove(space, range);
    give_up(space, range);
}

/* ---- beginning and end ---- */

void vidmm_address_space_init(struct vidmm_address_space *space, uint64_t low, uint64_t high,
                              const struct vidmm_memory *memory)
{
    VIDMM_ASSERT(low % VIDMM_ADDRESS_GRANULE == 0 && high % VIDMM_ADDRESS_GRANULE == 0);
    VIDMM_ASSERT(low > 0 && low < high && high <= UINT64_C(1) << VIDMM_ADDRESS_BITS);
    *space = (struct vidmm_address_space){.low = low, .high = high};
    vidmm_pool_init(&space->pool, memory, sizeof(struct vidmm_address_range));
}

void vidmm_address_space_finish(struct vidmm_address_space *space)
{
    struct vidmm_tree_node *node;

    for (node = vidmm_tree_outermost(vidmm_tree_root(&space->ranges), VIDMM_TREE_LEFT); node;
         node = vidmm_tree_next(node))
        if (vidmm_address_range_of(node)->state == VIDMM_ADDRESS_MAPPED)
            unlink_range(vidmm_address_range_of(node));
    vidmm_pool_finish(&space->pool);
    *space = (struct vidmm_address_space){.low = 0};
}

/* ---- meanings ---- */

struct vidmm_address_meaning vidmm_address_meaning_at(const struct vidmm_address_range *range,
                                                      uint64_t address)
{
    uint64_t into = address - vidmm_address_range_start(range);
    bool mapped = range->state == VIDMM_ADDRESS_MAPPED;

    VIDMM_ASSERT(into < vidmm_address_range_end(range) - vidmm_address_range_start(range));
    return (struct vidmm_address_meaning){
        .state = (enum vidmm_address_state)range->state,
        .access = range->access,
        .driver_protection = range->driver_protection,
        .allocation = range->allocation,
        .offset = mapped ? ((uint64_t)range->offset << SHIFT) + into : 0,
        .ring = mapped ? (struct vidmm_address_link *)(uintptr_t)&range->link : NULL,
    };
}

/* Give a range that is in no ring a meaning. `ring` is the head, or a link with the same driver
 * protection: behind it there is a place for one that is unique, before it for any other (A4). */
static void set_meaning(struct vidmm_address_range *range,
                        const struct vidmm_address_meaning *meaning)
{
    range->state = meaning->state;
    range->access = meaning->access & 3;
    range->driver_protection = meaning->driver_protection;
    range->allocation = meaning->allocation;
    range->offset = (uint32_t)(meaning->offset >> SHIFT);
    if (meaning->state == VIDMM_ADDRESS_MAPPED)
        link_behind(range, is_unique(meaning->driver_protection) ? meaning->ring
                                                                 : meaning->ring->previous);
}

/* Whether `next`, which touches `range`, is of the same reservation. */
static bool is_same_reservation(const struct vidmm_address_range *range,
                                const struct vidmm_address_range *next)
{
    return range->end == next->first && !next->begins; /* A2 */
}

static bool goes_on(const struct vidmm_address_range *range, const struct vidmm_address_range *next)
{
    uint64_t pages = range->state == VIDMM_ADDRESS_MAPPED ? range->end - range->first : 0;

    return is_same_reservation(range, next) && range->state == next->state &&
           range->access == next->access && range->driver_protection == next->driver_protection &&
           range->allocation == next->allocation && range->offset + pages == next->offset;
}

/* ---- what a decision checks ---- */

/* Whether [base, base + size) is made of whole pages and lies in the space. */
static bool is_inside(const struct vidmm_address_space *space, uint64_t base, uint64_t size)
{
    return size != 0 && base % VIDMM_PAGE_SIZE == 0 && size % VIDMM_PAGE_SIZE == 0 &&
           base >= space->low && base < space->high && size <= space->high - base;
}

static bool is_meaning(const struct vidmm_address_meaning *meaning, uint64_t size)
{
    if (meaning->access > (VIDMM_ADDRESS_WRITE | VIDMM_ADDRESS_EXECUTE))
        return false;
    if (meaning->state != VIDMM_ADDRESS_MAPPED)
        return (meaning->state == VIDMM_ADDRESS_ZERO || meaning->state == VIDMM_ADDRESS_NO_ACCESS ||
                meaning->state == VIDMM_ADDRESS_NO_COMMIT) &&
               meaning->access == 0 && meaning->allocation == 0 && meaning->offset == 0 &&
               !meaning->ring;
    return meaning->allocation != 0 && meaning->ring && meaning->offset % VIDMM_PAGE_SIZE == 0 &&
           (meaning->offset >> SHIFT) <= UINT32_MAX &&
           size >> SHIFT <= UINT32_MAX - (meaning->offset >> SHIFT);
}

/* The first range of [start, end) if all of it is of one reservation. NULL: it is not. */
static struct vidmm_address_range *one_reservation(const struct vidmm_address_space *space,
                                                   uint64_t start, uint64_t end)
{
    struct vidmm_address_range *first = vidmm_address_find(space, start), *range = first, *next;

    if (!first || vidmm_address_range_start(first) > start)
        return NULL;
    for (; vidmm_address_range_end(range) < end; range = next) {
        next = vidmm_address_range_next(range);
        if (!next || !is_same_reservation(range, next))
            return NULL;
    }
    return first;
}

static struct vidmm_address_range *one_reserved(const struct vidmm_address_space *space,
                                                uint64_t start, uint64_t size)
{
    struct vidmm_address_range *range =
        is_inside(space, start, size) ? one_reservation(space, start, start + size) : NULL;

    return range && !range->mapping ? range : NULL; /* obeys D-222 */
}

/* Whether the pages [low, high) of a range, of the address space, are of the allocation's pages
 * [first, end). */
static bool maps(const struct vidmm_address_range *range, uint64_t low, uint64_t high,
                 uint64_t first, uint64_t end)
{
    uint64_t from, to;

    if (low >= high)
        return false;
    from = range->offset + (low - range->first);
    to = range->offset + (high - range->first);
    return from < end && first < to;
}

/* Whether a page that would be mapped is mapped elsewhere with another driver protection, and one
 * of the two is unique. Elsewhere is what the change leaves. */
static bool is_contested(const struct vidmm_address_space *space,
                         const struct vidmm_address_meaning *meaning, uint64_t start, uint64_t end,
                         uint64_t size)
{
    uint64_t page = meaning->offset >> SHIFT, page_end = (meaning->offset + size) >> SHIFT;
    uint64_t from = start >> SHIFT, to = end >> SHIFT;
    struct vidmm_address_link *link;

    for (link = meaning->ring->next; link != meaning->ring; link = link->next) {
        struct vidmm_address_range *range = range_of_link(link);
        bool here = vidmm_address_range_space(range) == space;
        uint64_t low = here && range->first < to && from < range->end ? from : range->end;
        uint64_t high = low == range->end ? low : to;

        if (!is_unique(meaning->driver_protection) && !is_unique(range->driver_protection))
            break; /* A4 */
        if (range->driver_protection != meaning->driver_protection &&
            (maps(range, range->first, low, page, page_end) ||
             maps(range, high, range->end, page, page_end)))
            return true;
    }
    return false;
}

static NTSTATUS decide_alter(struct vidmm_address_space *space, struct vidmm_address_range *range,
                             uint64_t base, uint64_t size,
                             const struct vidmm_address_meaning *meaning, uint64_t period,
                             struct vidmm_address_edit *edit)
{
    uint64_t mapped = period != 0 ? period : size;

    if (meaning->state == VIDMM_ADDRESS_MAPPED &&
        is_contested(space, meaning, base, base + size, mapped))
        return STATUS_INVALID_PARAMETER; /* obeys D-221 */
    *edit = (struct vidmm_address_edit){.kind = VIDMM_ADDRESS_ALTER,
                                        .start = base,
                                        .end = base + size,
                                        .meaning = *meaning,
                                        .period = period,
                                        .range = range};
    return prepare(space, 2 + size / mapped);
}

/* Obtain addresses for a reservation or a mapping. */
static NTSTATUS decide_obtain(struct vidmm_address_space *space,
                              const struct vidmm_address_wish *wish, bool mapping,
                              const struct vidmm_address_meaning *meaning,
                              struct vidmm_address_edit *edit)
{
    uint64_t start = wish->base;
    struct vidmm_address_range *next;

    if (start == 0) {
        start = vidmm_address_choose(space, wish, &next);
        if (start == 0)
            return STATUS_NO_MEMORY;
    } else {
        next = vidmm_address_find(space, start);
        if (!is_inside(space, start, wish->size) ||
            (next && vidmm_address_range_start(next) < start + wish->size))
            return STATUS_INVALID_PARAMETER;
    }
    if (meaning->state == VIDMM_ADDRESS_MAPPED &&
        is_contested(space, meaning, start, start, wish->size))
        return STATUS_INVALID_PARAMETER; /* obeys D-221 */
    *edit = (struct vidmm_address_edit){.kind = VIDMM_ADDRESS_OBTAIN,
                                        .start = start,
                                        .end = start + wish->size,
                                        .mapping = mapping,
                                        .meaning = *meaning,
                                        .range = next};
    return prepare(space, 1);
}

static bool is_wish(const struct vidmm_address_wish *wish, uint64_t unit)
{
    if (wish->size == 0 || wish->size % unit != 0 || wish->base % unit != 0)
        return false;
    return wish->base != 0 ||
           (wish->minimum % VIDMM_PAGE_SIZE == 0 && wish->maximum % VIDMM_PAGE_SIZE == 0 &&
            (wish->alignment & (wish->alignment - 1)) == 0);
}

/* ---- decisions ---- */

NTSTATUS vidmm_address_decide_reserve(struct vidmm_address_space *space,
                                      const struct vidmm_address_wish *wish,
                                      const struct vidmm_address_meaning *meaning,
                                      struct vidmm_address_edit *edit)
{
    if (!is_wish(wish, VIDMM_ADDRESS_GRANULE) || !is_meaning(meaning, wish->size) ||
        meaning->state == VIDMM_ADDRESS_MAPPED)
        return STATUS_INVALID_PARAMETER;
    return decide_obtain(space, wish, false, meaning, edit); /* obeys D-224 */
}

NTSTATUS vidmm_address_decide_map(struct vidmm_address_space *space,
                                  const struct vidmm_address_wish *wish,
                                  const struct vidmm_address_meaning *meaning,
                                  struct vidmm_address_edit *edit)
{
    struct vidmm_address_range *range;

    if (!is_wish(wish, VIDMM_PAGE_SIZE) || !is_meaning(meaning, wish->size) ||
        meaning->state == VIDMM_ADDRESS_NO_COMMIT)
        return STATUS_INVALID_PARAMETER;
    range = wish->base != 0 && is_inside(space, wish->base, wish->size)
                ? one_reservation(space, wish->base, wish->base + wish->size)
                : NULL;
    if (!range)
        return decide_obtain(space, wish, true, meaning, edit);
    if (meaning->state != VIDMM_ADDRESS_MAPPED && range->mapping)
        return STATUS_INVALID_PARAMETER; /* obeys D-217 */
    return decide_alter(space, range, wish->base, wish->size, meaning, 0, edit);
}

NTSTATUS vidmm_address_decide_update(struct vidmm_address_space *space, uint64_t base,
                                     uint64_t size, const struct vidmm_address_meaning *meaning,
                                     uint64_t period, struct vidmm_address_edit *edit)
{
    struct vidmm_address_range *range = one_reserved(space, base, size);
    struct vidmm_address_meaning is = *meaning;

    if (!range || !is_meaning(meaning, period != 0 ? period : size) ||
        meaning->state == VIDMM_ADDRESS_NO_COMMIT)
        return STATUS_INVALID_PARAMETER;
    if (period % VIDMM_PAGE_SIZE != 0 || (period != 0 && size % period != 0) ||
        (period != 0 && meaning->state != VIDMM_ADDRESS_MAPPED))
        return STATUS_INVALID_PARAMETER;
    if (meaning->state == VIDMM_ADDRESS_ZERO)
        is.driver_protection = range->inherited_protection; /* obeys D-267 */
    return decide_alter(space, range, base, size, &is, period, edit);
}

NTSTATUS vidmm_address_decide_copy(struct vidmm_address_space *space, uint64_t base, uint64_t size,
                                   uint64_t source, struct vidmm_address_edit *edit)
{
    const struct vidmm_address_range *from = one_reserved(space, source, size);
    struct vidmm_address_range *range = one_reserved(space, base, size);
    uint64_t ranges = 0;

    if (!from || !range)
        return STATUS_INVALID_PARAMETER;
    for (; from && vidmm_address_range_start(from) < source + size;
         from = vidmm_address_range_next(from))
        ranges++;
    *edit = (struct vidmm_address_edit){.kind = VIDMM_ADDRESS_COPY,
                                        .start = base,
                                        .end = base + size,
                                        .meaning.driver_protection = range->inherited_protection,
                                        .source = source,
                                        .range = range};
    return prepare(space, 2 + ranges);
}

NTSTATUS vidmm_address_decide_free(struct vidmm_address_space *space, uint64_t base, uint64_t size,
                                   struct vidmm_address_edit *edit)
{
    struct vidmm_address_range *range;
    uint64_t at = base;

    if (!is_inside(space, base, size))
        return STATUS_INVALID_PARAMETER;
    *edit = (struct vidmm_address_edit){.kind = VIDMM_ADDRESS_RELEASE,
                                        .start = base,
                                        .end = base + size,
                                        .range = vidmm_address_find(space, base)};
    for (range = edit->range; at < base + size; range = vidmm_address_range_next(range)) {
        if (!range || vidmm_address_range_start(range) > at)
            return STATUS_INVALID_PARAMETER;
        at = vidmm_address_range_end(range);
    }
    return prepare(space, 2);
}

struct vidmm_address_edit vidmm_address_whole(struct vidmm_address_range *range)
{
    return (struct vidmm_address_edit){.kind = VIDMM_ADDRESS_RELEASE,
                                       .start = vidmm_address_range_start(range),
                                       .end = vidmm_address_range_end(range),
                                       .range = range};
}

/* ---- what was decided ---- */

/* obeys D-267; but one that is unique stays, for all mappings of a page have it (D-221) */
static uint64_t protection_of_copy(const struct vidmm_address_meaning *copied, uint64_t inherited)
{
    bool mapped = copied->state == VIDMM_ADDRESS_MAPPED;

    if (mapped ? is_unique(copied->driver_protection) || is_unique(inherited)
               : copied->state != VIDMM_ADDRESS_ZERO)
        return copied->driver_protection;
    return inherited;
}

/* The part of the new meaning that begins at `at`, and where it ends: `end` at the latest. */
static struct vidmm_address_meaning new_meaning(const struct vidmm_address_space *space,
                                                const struct vidmm_address_edit *edit, uint64_t at,
                                                uint64_t *end)
{
    struct vidmm_address_meaning meaning = edit->meaning;
    uint64_t into = at - edit->start;
    const struct vidmm_address_range *from;

    switch (edit->kind) {
    case VIDMM_ADDRESS_OBTAIN:
    case VIDMM_ADDRESS_ALTER:
        if (edit->period != 0) {
            into %= edit->period;
            if (edit->period - into < *end - at)
                *end = at + (edit->period - into);
        }
        meaning.offset += meaning.state == VIDMM_ADDRESS_MAPPED ? into : 0;
        break;
    case VIDMM_ADDRESS_COPY:
        from = vidmm_address_find(space, edit->source + into);
        if (vidmm_address_range_end(from) - (edit->source + into) < *end - at)
            *end = at + (vidmm_address_range_end(from) - (edit->source + into));
        meaning = vidmm_address_meaning_at(from, edit->source + into);
        meaning.driver_protection = protection_of_copy(&meaning, edit->meaning.driver_protection);
        break;
    case VIDMM_ADDRESS_RELEASE:
        break;
    }
    return meaning;
}

bool vidmm_address_next_change(const struct vidmm_address_space *space,
                               const struct vidmm_address_edit *edit, uint64_t at,
                               struct vidmm_address_change *change)
{
    const struct vidmm_address_range *range;

    if (at >= edit->end)
        return false;
    *change = (struct vidmm_address_change){.start = at, .end = edit->end};
    if (edit->kind != VIDMM_ADDRESS_OBTAIN) {
        range = at == edit->start ? edit->range : vidmm_address_find(space, at);
        VIDMM_ASSERT(range && vidmm_address_range_start(range) <= at);
        change->was = vidmm_address_meaning_at(range, at);
        if (vidmm_address_range_end(range) < change->end)
            change->end = vidmm_address_range_end(range);
        if (vidmm_address_range_start(range) < edit->start)
            change->cuts |= VIDMM_CHANGE_CUTS_BEFORE;
        if (vidmm_address_range_end(range) > edit->end)
            change->cuts |= VIDMM_CHANGE_CUTS_AFTER;
    }
    change->is = new_meaning(space, edit, at, &change->end);
    return true;
}

/* ---- applying ---- */

/* Make the ranges that an edit puts in: the first of a list, in order, by the right child. */
static struct vidmm_address_range *make_ranges(struct vidmm_address_space *space,
                                               const struct vidmm_address_edit *edit)
{
    struct vidmm_address_range *first = NULL, *last = NULL;
    uint64_t at, end;

    VIDMM_ASSERT(edit->start < edit->end);
    for (at = edit->start; at < edit->end; at = end) {
        struct vidmm_address_range *range = take_spare(space);
        struct vidmm_address_meaning meaning;

        end = edit->end;
        meaning = new_meaning(space, edit, at, &end);
        set_meaning(range, &meaning);
        set_pages(range, at >> SHIFT, end >> SHIFT);
        if (last && goes_on(last, range)) { /* A3: by the driver protection that it inherits */
            last->end = range->end;
            give_up(space, range);
            continue;
        }
        if (last)
            last->node.child[VIDMM_TREE_RIGHT] = &range->node;
        else
            first = range;
        last = range;
    }
    return first;
}

/* Cut the range in two, so that one begins at the page. Answers that one. */
static struct vidmm_address_range *cut(struct vidmm_address_space *space,
                                       struct vidmm_address_range *range, uint64_t page)
{
    struct vidmm_address_range *rest = take_spare(space);
    struct vidmm_address_meaning meaning = vidmm_address_meaning_at(range, page << SHIFT);

    VIDMM_ASSERT(range->first < page && page < range->end);
    set_meaning(rest, &meaning);
    rest->inherited_protection = range->inherited_protection;
    rest->mapping = range->mapping;
    set_pages(rest, page, range->end);
    range->end = page;
    vidmm_address_insert(space, rest, vidmm_address_range_next(range));
    return rest;
}

/* Take out what lies in [first, end), from `range` on, which holds `first`. Answers the first range
 * behind it, or NULL. */
static struct vidmm_address_range *take_out(struct vidmm_address_space *space,
                                            struct vidmm_address_range *range, uint64_t first,
                                            uint64_t end)
{
    struct vidmm_address_range *next;

    VIDMM_ASSERT(range && range->first <= first && first < range->end);
    if (range->first < first)
        range = cut(space, range, first);
    for (; range && range->first < end; range = next) {
        if (range->end > end)
            cut(space, range, end);
        next = vidmm_address_range_next(range);
        drop(space, range);
    }
    return range;
}

/* Join the range to the one before it, where the meaning goes on. */
static void join(struct vidmm_address_space *space, struct vidmm_address_range *range)
{
    struct vidmm_address_range *before = range ? previous_of(range) : NULL;

    if (!before || !goes_on(before, range))
        return;
    VIDMM_ASSERT(before->end == range->first);
    before->end = range->end;
    drop(space, range);
}

/* Put in a list of ranges before `next`. */
static void put_in(struct vidmm_address_space *space, struct vidmm_address_range *first,
                   struct vidmm_address_range *next)
{
    struct vidmm_tree_node *node = &first->node, *following;

    for (; node; node = following) {
        following = node->child[VIDMM_TREE_RIGHT];
        vidmm_address_insert(space, vidmm_address_range_of(node), next);
    }
}

static void obtain(struct vidmm_address_space *space, const struct vidmm_address_edit *edit)
{
    struct vidmm_address_range *range = make_ranges(space, edit);

    range->begins = true; /* A2 */
    range->mapping = edit->mapping;
    range->inherited_protection = edit->mapping ? 0 : edit->meaning.driver_protection;
    put_in(space, range, edit->range);
}

static void alter(struct vidmm_address_space *space, const struct vidmm_address_edit *edit)
{
    struct vidmm_address_range *range = edit->range, *first = make_ranges(space, edit), *next;
    uint64_t start = edit->start >> SHIFT;
    struct vidmm_tree_node *node;

    VIDMM_ASSERT(range && range->first <= start);
    for (node = &first->node; node; node = node->child[VIDMM_TREE_RIGHT]) {
        vidmm_address_range_of(node)->mapping = range->mapping;
        vidmm_address_range_of(node)->inherited_protection = range->inherited_protection;
    }
    first->begins = range->begins && range->first == start; /* A2 */
    next = take_out(space, range, start, edit->end >> SHIFT);
    put_in(space, first, next);
    join(space, next); /* A3 */
    join(space, first);
}

static void release(struct vidmm_address_space *space, const struct vidmm_address_edit *edit)
{
    uint64_t end = edit->end >> SHIFT;
    struct vidmm_address_range *next = take_out(space, edit->range, edit->start >> SHIFT, end);

    if (next && next->first == end)
        next->begins = true; /* A2; it did, if it is of another reservation */
}

void vidmm_address_apply(struct vidmm_address_space *space, const struct vidmm_address_edit *edit)
{
    switch (edit->kind) {
    case VIDMM_ADDRESS_OBTAIN:
        obtain(space, edit);
        break;
    case VIDMM_ADDRESS_ALTER:
    case VIDMM_ADDRESS_COPY:
        alter(space, edit);
        break;
    case VIDMM_ADDRESS_RELEASE:
        release(space, edit);
        break;
    }
}

void vidmm_address_void(struct vidmm_address_range *range)
{
    struct vidmm_address_space *space = vidmm_address_range_space(range);

    VIDMM_ASSERT(range->state == VIDMM_ADDRESS_MAPPED);
    unlink_range(range);
    range->state = VIDMM_ADDRESS_NO_ACCESS;
    range->access = 0;
    range->driver_protection = 0;
    range->allocation = range->offset = 0;        /* A4 */
    join(space, vidmm_address_range_next(range)); /* A3 */
    join(space, range);
}

/* ---- what is there ---- */

struct vidmm_address_range *vidmm_address_find(const struct vidmm_address_space *space,
                                               uint64_t address)
{
    return vidmm_address_find_page(space, address >> SHIFT);
}

struct vidmm_address_range *vidmm_address_range_next(const struct vidmm_address_range *range)
{
    struct vidmm_tree_node *next = vidmm_tree_next(&range->node);

    return next ? vidmm_address_range_of(next) : NULL;
}

struct vidmm_address_space *vidmm_address_range_space(struct vidmm_address_range *range)
{
    return (struct vidmm_address_space *)(void *)vidmm_tree_of(&range->node); /* its first member */
}

uint64_t vidmm_address_unique_protection(const struct vidmm_address_link *ring, uint64_t page,
                                         uint64_t *pages)
{
    const struct vidmm_address_link *link;
    uint64_t protection = 0, end = page, other = page + *pages;

    for (link = ring->next; link != ring; link = link->next) {
        const struct vidmm_address_range *range =
            range_of_link((struct vidmm_address_link *)(uintptr_t)link);
        uint64_t last = range->offset + (range->end - range->first);

        if (!is_unique(range->driver_protection))
            break; /* A4 */
        if (range->offset > page) {
            other = range->offset < other ? range->offset : other;
        } else if (last > end) {
            protection = range->driver_protection; /* one for the page, by D-221 */
            end = last;
        }
    }
    if (protection == 0)
        end = other;
    if (end - page < *pages)
        *pages = end - page;
    return protection;
}

static void check_range(const struct vidmm_address_space *space,
                        const struct vidmm_address_range *range,
                        const struct vidmm_address_range *before)
{
    VIDMM_VERIFY(range->first < range->end);
    VIDMM_VERIFY(vidmm_address_range_start(range) >= space->low &&
                 vidmm_address_range_end(range) <= space->high); /* A1 */
    VIDMM_VERIFY(!before || before->end <= range->first);        /* A1 */
    if (!before || before->end < range->first)
        VIDMM_VERIFY(range->begins); /* A2 */
    else if (!range->begins)
        VIDMM_VERIFY(before->mapping == range->mapping &&
                     before->inherited_protection == range->inherited_protection); /* A2 */
    VIDMM_VERIFY(!before || !goes_on(before, range));                              /* A3 */
    VIDMM_VERIFY(range->state != VIDMM_ADDRESS_FREE);
    if (range->state == VIDMM_ADDRESS_MAPPED)
        VIDMM_VERIFY(range->link.next->previous == &range->link &&
                     range->link.previous->next == &range->link && range->allocation != 0); /* A4 */
    else
        VIDMM_VERIFY(!range->link.next && range->allocation == 0 && range->offset == 0); /* A4 */
}

const char *vidmm_address_string(enum vidmm_address_state state)
{
    switch (state) {
    case VIDMM_ADDRESS_FREE:
        return "free";
    case VIDMM_ADDRESS_NO_ACCESS:
        return "no access";
    case VIDMM_ADDRESS_ZERO:
        return "zero";
    case VIDMM_ADDRESS_NO_COMMIT:
        return "no commit";
    case VIDMM_ADDRESS_MAPPED:
        return "mapped";
    case VIDMM_ADDRESS_STATES:
        break;
    }
    return "unknown";
}

void vidmm_address_space_check(const struct vidmm_address_space *space)
{
    struct vidmm_tree_node *node =
        vidmm_tree_outermost(vidmm_tree_root(&space->ranges), VIDMM_TREE_LEFT);
    const struct vidmm_address_range *before = NULL;
    uint64_t count = 0;

    for (; node; node = vidmm_tree_next(node), count++) {
        check_range(space, vidmm_address_range_of(node), before);
        before = vidmm_address_range_of(node);
    }
    VIDMM_VERIFY(count == space->count); /* A5 */
    vidmm_address_check_gaps(space);
}
