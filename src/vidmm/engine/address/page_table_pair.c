/* page_table_pair.c: two leaves of one entry, of 4 KiB and of 64 KiB pages (DualPteSupported).
 *
 *      leaf of 4 KiB     | p p p p ... | . . . . | . . . . | z z p p ... |     16 entries each
 *      leaf of 64 KiB    |      .      |    P    |    Z    |      .      |
 *                          ^ smaller     ^ a page, or zeroes, of all 64 KiB
 *
 * One of the two says what is set, and the other is made to say nothing there (A34):
 *
 *      PAGES, of 64 KiB each, and whole ones    by the leaf of 64 KiB
 *      other PAGES                              by the leaf of 4 KiB
 *      zero or invalid                          by the leaf of 64 KiB, if that is there, as far as
 *                                               they are whole; else by the leaf of 4 KiB
 *
 * A page of 64 KiB of which a part is to say something else is cut: the leaf of 4 KiB says what all
 * of it has said, then the part is set. Between the two records it would not be translated, so
 * nothing runs meanwhile (`narrowed`). Nothing else of its leaf changes, and when the part goes, or
 * lies better, a page of 64 KiB may come back. Each leaf appears when it is needed, and leaves when
 * it says nothing. The invariants are those of page_table.c.
 */
#include "vidmm/engine/address/page_table.h"

#include <base/assert.h>

#include "vidmm/engine/address/page_table_state.h"

#define WIDE VIDMM_WIDE_SHIFT
#define WIDE_MASK ((UINT64_C(1) << WIDE) - 1)

/* The leaves of an entry. */
struct pair {
    struct vidmm_page_table *parent;
    uint32_t index;
    struct vidmm_page_table *narrow, *wide; /* NULL: there is none */
};

static struct pair pair_of(struct vidmm_page_table *parent, uint32_t index)
{
    struct pair pair = {.parent = parent, .index = index};
    struct vidmm_page_table *child;

    vidmm_page_table_entry(parent, index, &child);
    pair.wide = vidmm_page_table_second(parent, index);
    if (child && child->wide)
        pair.wide = child;
    else
        pair.narrow = child;
    return pair;
}

/* Let the entry lead to the leaves, of which there is one. */
static void lead_to(struct vidmm_page_tables *tables, const struct pair *pair)
{
    struct vidmm_page_table *parent = pair->parent;

    VIDMM_ASSERT(pair->narrow || pair->wide);
    vidmm_page_table_say(parent, pair->index, VIDMM_ENTRY_TABLE,
                         pair->narrow ? pair->narrow : pair->wide);
    parent->entries[parent->length + pair->index].table = pair->narrow ? pair->wide : NULL;
    vidmm_page_table_make_dirty(tables, parent, pair->index, pair->index + 1);
    if (!pair->wide || pair->wide->owes == !pair->narrow)
        return;
    pair->wide->owes = !pair->narrow; /* A13 */
    tables->owed += pair->narrow ? -UINT64_C(1) : 1;
}

/* The entry has no leaf: make one that says `was` of all its addresses. */
static void make_first(struct vidmm_page_tables *tables, struct pair *pair, bool wide)
{
    uint32_t shift = vidmm_page_table_shift(tables, 1);
    struct vidmm_page_table *child;
    enum vidmm_entry was = vidmm_page_table_entry(pair->parent, pair->index, &child);

    VIDMM_ASSERT(!child && !pair->narrow && !pair->wide);
    tables->owed -= was == VIDMM_ENTRY_PAGES ? 1 : 0; /* A13: it is this one's */
    child = vidmm_page_table_make(tables, 0, wide, pair->parent, pair->index, was);
    tables->narrowed |= was == VIDMM_ENTRY_PAGES ||
                        (was == VIDMM_ENTRY_ZERO && tables->format.large_pages); /* A25 */
    if (was == VIDMM_ENTRY_PAGES && vidmm_page_table_may_be_held(tables, was))
        vidmm_page_tables_forget(tables, child->first, child->first + (UINT64_C(1) << shift));
    *(wide ? &pair->wide : &pair->narrow) = child;
    lead_to(tables, pair);
}

/* Let there be a leaf of 4 KiB. */
static void need_narrow(struct vidmm_page_tables *tables, struct pair *pair)
{
    if (pair->narrow)
        return;
    if (!pair->wide) {
        make_first(tables, pair, false);
        return;
    }
    pair->narrow = vidmm_page_table_make(tables, 0, false, pair->parent, pair->index,
                                         VIDMM_ENTRY_INVALID); /* A13: the spare one is its own */
    lead_to(tables, pair);
}

/* Let there be a leaf of 64 KiB, if there are the records for it. */
static void want_wide(struct vidmm_page_tables *tables, struct pair *pair)
{
    bool first = !pair->narrow;

    if (pair->wide || tables->spares[0] < tables->owed + (first ? 2 : 1) ||
        vidmm_page_table_kind(pair->parent, pair->index) == VIDMM_ENTRY_PAGES)
        return;
    if (first) {
        make_first(tables, pair, true);
        return;
    }
    pair->wide =
        vidmm_page_table_make(tables, 0, true, pair->parent, pair->index, VIDMM_ENTRY_INVALID);
    lead_to(tables, pair);
}

/* Let a leaf say nothing of pages [from, to), which are whole ones of it. Entries at both ends that
 * say nothing already are not written again. */
static void silence(struct vidmm_page_tables *tables, struct vidmm_page_table *leaf, uint64_t from,
                    uint64_t to)
{
    uint32_t shift = vidmm_page_table_entry_shift(tables, leaf);
    uint32_t first = (uint32_t)((from - leaf->first) >> shift);
    uint32_t end = (uint32_t)((to - leaf->first) >> shift);

    while (first < end && vidmm_page_table_kind(leaf, first) == VIDMM_ENTRY_INVALID)
        first++;
    while (first < end && vidmm_page_table_kind(leaf, end - 1) == VIDMM_ENTRY_INVALID)
        end--;
    if (first < end)
        vidmm_page_table_set_leaf(tables, leaf, leaf->first + ((uint64_t)first << shift),
                                  leaf->first + ((uint64_t)end << shift), VIDMM_ENTRY_INVALID);
}

static void set_leaf(struct vidmm_page_tables *tables, struct vidmm_page_table *leaf, uint64_t from,
                     uint64_t to, enum vidmm_entry kind)
{
    if (kind == VIDMM_ENTRY_INVALID)
        silence(tables, leaf, from, to);
    else
        vidmm_page_table_set_leaf(tables, leaf, from, to, kind);
}

/* Let the leaf of 4 KiB say what the 64 KiB around a page are. The other is silenced next. */
static void cut(struct vidmm_page_tables *tables, struct pair *pair, uint64_t page)
{
    uint64_t start = page & ~WIDE_MASK, end = start + WIDE_MASK + 1;
    enum vidmm_entry was =
        vidmm_page_table_kind(pair->wide, (uint32_t)((page - pair->wide->first) >> WIDE));

    if (was == VIDMM_ENTRY_INVALID)
        return;
    need_narrow(tables, pair);
    tables->narrowed |= !pair->wide->fresh;
    vidmm_page_table_set_leaf(tables, pair->narrow, start, end, was);
}

/* Let the leaf of 4 KiB say `kind` of pages [from, to). */
static void set_narrow(struct vidmm_page_tables *tables, struct pair *pair, uint64_t from,
                       uint64_t to, enum vidmm_entry kind)
{
    if (from == to)
        return;
    if (pair->wide) {
        if ((from & WIDE_MASK) != 0)
            cut(tables, pair, from);
        if ((to & WIDE_MASK) != 0)
            cut(tables, pair, to);
        silence(tables, pair->wide, from & ~WIDE_MASK, (to + WIDE_MASK) & ~WIDE_MASK);
        if (!pair->narrow && kind == VIDMM_ENTRY_INVALID)
            return;
    }
    need_narrow(tables, pair);
    set_leaf(tables, pair->narrow, from, to, kind);
}

void vidmm_page_table_set_pair(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                               uint32_t index, uint64_t from, uint64_t to, enum vidmm_entry kind,
                               enum vidmm_page_size most)
{
    struct pair pair = pair_of(table, index);
    uint64_t first = (from + WIDE_MASK) & ~WIDE_MASK, last = to & ~WIDE_MASK;
    bool whole = first == from && last == to, pages = kind == VIDMM_ENTRY_PAGES;

    VIDMM_ASSERT(table->paired && from < to && kind != VIDMM_ENTRY_TABLE);
    if (!pair.narrow && !pair.wide && !pages && vidmm_page_table_kind(table, index) == kind)
        return;
    if (vidmm_page_table_says_wide(tables, kind, most) && whole && (pages || !pair.narrow))
        want_wide(tables, &pair);
    if (!pair.wide || first >= last || (pages && !whole) ||
        !vidmm_page_table_says_wide(tables, kind, most)) {
        set_narrow(tables, &pair, from, to, kind);
        return;
    }
    set_narrow(tables, &pair, from, first, kind);
    set_narrow(tables, &pair, last, to, kind);
    set_leaf(tables, pair.wide, first, last, kind);
    if (pair.narrow)
        silence(tables, pair.narrow, first, last);
}

/* One leaf is enough. */
static void part(struct vidmm_page_tables *tables, struct pair *pair, struct vidmm_page_table *gone)
{
    uint64_t end = gone->first + (UINT64_C(1) << vidmm_page_table_shift(tables, 1));

    *(gone->wide ? &pair->wide : &pair->narrow) = NULL;
    lead_to(tables, pair);
    if (vidmm_page_table_may_be_led_to(tables, gone))
        vidmm_page_tables_forget(tables, gone->first, end);
    vidmm_page_table_drop(tables, gone, VIDMM_ENTRY_INVALID);
}

void vidmm_page_table_close_pair(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                                 uint32_t index)
{
    struct pair pair = pair_of(table, index);
    uint32_t zeroes = pair.narrow->zeroes + (pair.wide->zeroes << WIDE);

    if (pair.narrow->used == 0 && pair.wide->used == 0)
        vidmm_page_table_set_entry(tables, table, index, VIDMM_ENTRY_INVALID); /* A9 */
    else if (tables->format.zero_entries && zeroes == pair.narrow->length)
        vidmm_page_table_set_entry(tables, table, index, VIDMM_ENTRY_ZERO); /* A9 */
    else if (pair.wide->used == 0)
        part(tables, &pair, pair.wide);
    else if (pair.narrow->used == 0 && tables->spares[0] > tables->owed)
        part(tables, &pair, pair.narrow); /* A13: the leaf that stays keeps a spare one */
}
