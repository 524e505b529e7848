/* page_table.c: which page tables there are; page_table_write.c writes them.
 *
 * To set [start, end), each table that has a part of it goes through its entries:
 *
 *      |...|...|##|###|###|#..|...|     entries of one table; # is what is set
 *               ^part      ^part
 *      whole, and not PAGES    the entry says it; the table that it led to leaves
 *      whole, and PAGES        the table below it says it, and is made if it is not there
 *      a part                  the table below it says it; a table that is made says first
 *                              what the entry has said of all addresses
 *      afterwards              a table of which all entries are invalid, or all zero, leaves
 *
 * A leaf keeps two bits an entry, a table above it a pointer an entry. So nothing has to be asked
 * of the address space, and the work is that of the entries that change.
 *
 * If an entry of level 1 has to say something of a part of its addresses, the leaf below it is of
 * one of two forms, and from the second no way leads back:
 *
 *      none, or zero       --> a leaf of 64 KiB, if the part is of whole such pages
 *                          --> a leaf of 4 KiB, else
 *      large page          --> a leaf of 4 KiB, in which every entry is a page
 *      a leaf of 64 KiB    --> a leaf of 4 KiB, once a part is not of whole pages
 *
 * With pairs neither leaf becomes the other (page_table_pair.c).
 *
 * Invariants
 * A8.  `used` and `zeroes` count the entries that are not invalid, and that say zero.
 * A9.  No table but the root has only invalid entries, or only zero ones; nor has a pair.
 * A10. A table is in the queue of its level exactly if it has dirty entries, or is fresh.
 * A11. A table that leaves is led to by no entry, and has no children. It stays dirty until it is
 *      invalidated, if the driver wants that (D-133).
 * A12. `count` tables of a level are led to, or are the root.
 * A13. `owed` is the number of large pages and of leaves of 64 KiB that stand alone; for each there
 *      is a spare leaf, by which it can be replaced, or which can stand beside it.
 * A14. A large page, or an entry of a leaf of 64 KiB, says the same of all its addresses.
 * A23. A written leaf that leaves is one of those `reached` until what led to it has been written:
 *      it can be made to say what is so before its pages are given to something else. One whose
 *      pages stay is made to say nothing, while nothing runs.
 * A25. A dirty table of level 1, which may have large pages, can likewise be written early; then an
 *      entry says nothing that is to lead to a leaf which is not written yet, and stays dirty.
 * A24. `homeless` counts the tables of a level that are counted and have no memory yet.
 * A32. No such table stands before the queue's `homeless`.
 * A33. The tables of a queue that the GPU knows, and that are not written early, are its first, up
 *      to its `known`.
 * A34. A pair is a leaf of 4 KiB, and one of 64 KiB behind it (`second`). The leaf of 64 KiB has an
 *      entry that is not invalid; the other may be empty while there is no spare leaf for A13. One
 *      of the two has nothing but invalid entries for the same 64 KiB (D-124).
 * A15. The tables below old roots stay as long as there is an old root. An old root is not written.
 */
#include "vidmm/engine/address/page_table.h"

#include <string.h>

#include <vidmm/memory.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/address/page_table_state.h"

#define SHIFT VIDMM_PAGE_SHIFT
#define WIDE VIDMM_WIDE_SHIFT
#define MOST_INDEX_BITS 20u

/* ---- the format ---- */

static uint32_t entries_of(const struct vidmm_page_tables *tables, uint32_t level)
{
    return level + 1 == tables->format.levels ? tables->format.root_entries
                                              : 1u << tables->format.index_bits[level];
}

static bool is_format(const struct vidmm_page_table_format *format)
{
    uint32_t level, bits = SHIFT;

    if (format->levels < 2 || format->levels > VIDMM_PAGE_TABLE_LEVELS)
        return false;
    if (format->root_entries == 0 || format->root_entries > 1u << MOST_INDEX_BITS)
        return false;
    for (level = 0; level + 1 < format->levels; level++) {
        if (format->index_bits[level] == 0 || format->index_bits[level] > MOST_INDEX_BITS)
            return false;
        bits += format->index_bits[level];
    }
    if (bits >= VIDMM_ADDRESS_BITS || (format->wide_pages && format->index_bits[0] < WIDE) ||
        (format->pairs && !format->wide_pages))
        return false;
    return format->root_entries <= UINT64_C(1) << (VIDMM_ADDRESS_BITS - bits);
}

uint32_t vidmm_page_table_shift(const struct vidmm_page_tables *tables, uint32_t level)
{
    uint32_t shift = 0, below;

    for (below = 0; below < level; below++)
        shift += tables->format.index_bits[below];
    return shift;
}

uint64_t vidmm_page_tables_end(const struct vidmm_page_tables *tables)
{
    uint32_t root = tables->format.levels - 1;

    return (uint64_t)tables->format.root_entries << (vidmm_page_table_shift(tables, root) + SHIFT);
}

uint32_t vidmm_page_table_entries(const struct vidmm_page_tables *tables,
                                  const struct vidmm_page_table *table)
{
    (void)tables;
    return table->length;
}

/* ---- entries ---- */

enum vidmm_entry vidmm_page_table_entry(const struct vidmm_page_table *table, uint32_t index,
                                        struct vidmm_page_table **child)
{
    *child = NULL;
    if (table->level == 0)
        return (enum vidmm_entry)(table->entries[index / 32].kinds >> index % 32 * 2 & 3);
    if (table->entries[index].table == VIDMM_PAGE_TABLE_ZERO)
        return VIDMM_ENTRY_ZERO;
    if (table->entries[index].table == VIDMM_PAGE_TABLE_LARGE)
        return VIDMM_ENTRY_PAGES;
    *child = table->entries[index].table;
    return *child ? VIDMM_ENTRY_TABLE : VIDMM_ENTRY_INVALID;
}

struct vidmm_page_table *vidmm_page_table_second(const struct vidmm_page_table *table,
                                                 uint32_t index)
{
    return table->paired ? table->entries[table->length + index].table : NULL;
}

enum vidmm_entry vidmm_entry_of(enum vidmm_address_state state)
{
    switch (state) {
    case VIDMM_ADDRESS_MAPPED:
        return VIDMM_ENTRY_PAGES;
    case VIDMM_ADDRESS_ZERO:
        return VIDMM_ENTRY_ZERO;
    case VIDMM_ADDRESS_FREE:
    case VIDMM_ADDRESS_NO_ACCESS:
    case VIDMM_ADDRESS_NO_COMMIT:
    case VIDMM_ADDRESS_STATES:
        break;
    }
    return VIDMM_ENTRY_INVALID;
}

/* Let the entry say something else, and count. `child`: of TABLE. */
void vidmm_page_table_say(struct vidmm_page_table *table, uint32_t index, enum vidmm_entry kind,
                          struct vidmm_page_table *child)
{
    enum vidmm_entry was = vidmm_page_table_kind(table, index);

    table->used -= was != VIDMM_ENTRY_INVALID; /* A8 */
    table->used += kind != VIDMM_ENTRY_INVALID;
    table->zeroes -= was == VIDMM_ENTRY_ZERO;
    table->zeroes += kind == VIDMM_ENTRY_ZERO;
    if (table->level == 0) {
        uint64_t *kinds = &table->entries[index / 32].kinds;

        *kinds = (*kinds & ~(UINT64_C(3) << index % 32 * 2)) | (uint64_t)kind << index % 32 * 2;
    } else {
        table->entries[index].table = kind == VIDMM_ENTRY_ZERO    ? VIDMM_PAGE_TABLE_ZERO
                                      : kind == VIDMM_ENTRY_PAGES ? VIDMM_PAGE_TABLE_LARGE
                                                                  : child;
    }
}

/* ---- queues ---- */

void vidmm_page_table_make_dirty(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                                 uint32_t first, uint32_t end)
{
    bool early = table->early;

    table->cleared = false;
    table->early = false; /* A25 */
    if (!vidmm_page_table_is_listed(table))
        vidmm_page_table_enqueue(tables, table); /* A10 */
    else if (early)
        vidmm_page_table_requeue(tables, table); /* A33 */
    table->adapters |= tables->concerned;
    if (table->dirty_first == table->dirty_end) {
        table->dirty_first = first;
        table->dirty_end = end;
        return;
    }
    if (first < table->dirty_first)
        table->dirty_first = first;
    if (end > table->dirty_end)
        table->dirty_end = end;
}

void vidmm_page_tables_forget(struct vidmm_page_tables *tables, uint64_t first, uint64_t end)
{
    if (tables->flush_start == tables->flush_end) {
        tables->flush_start = first;
        tables->flush_end = end;
        return;
    }
    if (first < tables->flush_start)
        tables->flush_start = first;
    if (end > tables->flush_end)
        tables->flush_end = end;
}

/* ---- tables appear and leave ---- */

/* Whether entries of the level may lead to two leaves each. */
static bool is_paired(const struct vidmm_page_tables *tables, uint32_t level)
{
    return level == 1 && tables->format.pairs;
}

static bool take_record(struct vidmm_page_tables *tables, uint32_t level)
{
    uint32_t entries = entries_of(tables, level), words = level == 0 ? (entries + 31) / 32
                                                          : is_paired(tables, level) ? 2 * entries
                                                                                     : entries;
    size_t size = sizeof(struct vidmm_page_table) + words * sizeof(*tables->root->entries);
    const struct vidmm_memory *from =
        (tables->format.backed_levels >> level & 1) != 0 ? tables->format.backed : tables->memory;
    struct vidmm_page_table *table = from->allocate(from->context, size);

    if (!table)
        return false;
    table->from = from;
    table->level = level;
    table->entries = (union vidmm_page_table_entries *)(void *)(table + 1);
    table->next = tables->spare[level];
    tables->spare[level] = table;
    tables->spares[level]++;
    return true;
}

struct vidmm_page_table *vidmm_page_table_make(struct vidmm_page_tables *tables, uint32_t level,
                                               bool wide, struct vidmm_page_table *parent,
                                               uint32_t index, enum vidmm_entry kind)
{
    struct vidmm_page_table *table = tables->spare[level];
    uint32_t entries, entry;

    VIDMM_ASSERT(table); /* it was prepared */
    table->wide = table->owes = wide;
    table->paired = is_paired(tables, level);
    tables->owed += wide ? 1 : 0; /* A13 */
    entries = entries_of(tables, level) >> (wide ? WIDE : 0);
    table->length = entries;
    tables->spare[level] = table->next;
    tables->spares[level]--;
    tables->count[level]++;
    tables->homeless[level]++; /* A24 */
    table->next = NULL;
    table->parent = parent;
    table->index = index;
    table->first =
        parent ? parent->first + ((uint64_t)index << vidmm_page_table_shift(tables, parent->level))
               : 0;
    for (entry = 0; kind != VIDMM_ENTRY_INVALID && entry < entries; entry++)
        vidmm_page_table_say(table, entry, kind, NULL);
    table->fresh = true;
    vidmm_page_table_enqueue(tables, table); /* A10 */
    vidmm_page_table_make_dirty(tables, table, 0, kind == VIDMM_ENTRY_INVALID ? 0 : entries);
    if (kind != VIDMM_ENTRY_INVALID)
        table->adapters = VIDMM_EVERY_ADAPTER; /* the entry has said it to all of them */
    return table;
}

/* The table is not used any more: something else says `kind` of its addresses. */
static void leave(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                  enum vidmm_entry kind)
{
    bool invalidate = tables->format.explicit_invalidation && !table->fresh;

    if (vidmm_page_table_is_listed(table))
        vidmm_page_table_unlist(&tables->dirty[table->level], table);
    if (table->level == 0 && !table->fresh) { /* A23 */
        table->leaves_as = kind == VIDMM_ENTRY_PAGES ? VIDMM_ENTRY_INVALID : kind;
        table->reached_next = tables->reached;
        tables->reached = table;
    }
    table->parent = NULL;
    table->leaving = true;
    table->fresh = false;
    table->dirty_first = table->dirty_end = 0;
    if (invalidate)
        vidmm_page_table_make_dirty(tables, table, 0,
                                    vidmm_page_table_entries(tables, table)); /* A11 */
    else
        vidmm_page_table_append(&tables->left, table);
}

void vidmm_page_table_drop(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                           enum vidmm_entry kind)
{
    uint32_t entries = vidmm_page_table_entries(tables, table), index;
    struct vidmm_page_table *child;

    for (index = 0; table->level > 0 && index < entries; index++) {
        enum vidmm_entry was = vidmm_page_table_entry(table, index, &child);

        if (vidmm_page_table_second(table, index))
            vidmm_page_table_drop(tables, vidmm_page_table_second(table, index),
                                  VIDMM_ENTRY_INVALID); /* A34: the other says it */
        if (was == VIDMM_ENTRY_TABLE)
            vidmm_page_table_drop(tables, child, kind);
        tables->owed -= was == VIDMM_ENTRY_PAGES ? 1 : 0; /* A13 */
    }
    tables->owed -= table->owes ? 1 : 0; /* A13 */
    tables->count[table->level]--;
    tables->homeless[table->level] -= table->memory == 0; /* A24 */
    leave(tables, table, kind);
}

struct vidmm_page_table *vidmm_page_tables_left(struct vidmm_page_tables *tables)
{
    struct vidmm_page_table *table = tables->old_root ? NULL : tables->left.first; /* A15 */

    if (table)
        vidmm_page_table_unlist(&tables->left, table);
    tables->reached = NULL; /* A23: all has been written */
    return table;
}

void vidmm_page_table_leave(struct vidmm_page_tables *tables, struct vidmm_page_table *table)
{
    vidmm_page_table_unlist(&tables->dirty[table->level], table);
    vidmm_page_table_append(&tables->left, table);
}

void vidmm_page_table_free(struct vidmm_page_table *table)
{
    table->from->free(table->from->context, table);
}

NTSTATUS vidmm_page_tables_init(struct vidmm_page_tables *tables,
                                const struct vidmm_page_table_format *format,
                                const struct vidmm_memory *memory)
{
    *tables = (struct vidmm_page_tables){
        .format = *format, .memory = memory, .concerned = VIDMM_EVERY_ADAPTER};
    if (!is_format(format))
        return STATUS_INVALID_PARAMETER;
    if (!take_record(tables, format->levels - 1))
        return STATUS_NO_MEMORY;
    tables->root =
        vidmm_page_table_make(tables, format->levels - 1, false, NULL, 0, VIDMM_ENTRY_INVALID);
    return STATUS_SUCCESS;
}

static void free_below(struct vidmm_page_tables *tables, struct vidmm_page_table *table)
{
    uint32_t entries = vidmm_page_table_entries(tables, table), index;
    struct vidmm_page_table *child;

    for (index = 0; table->level > 0 && index < entries; index++) {
        if (vidmm_page_table_entry(table, index, &child) == VIDMM_ENTRY_TABLE)
            free_below(tables, child);
        if (vidmm_page_table_second(table, index))
            vidmm_page_table_free(vidmm_page_table_second(table, index));
    }
    vidmm_page_table_free(table);
}

void vidmm_page_tables_finish(struct vidmm_page_tables *tables)
{
    struct vidmm_page_table *table, *next;
    uint32_t level;

    while ((table = tables->old_root) != NULL) {
        tables->old_root = table->next;
        vidmm_page_table_free(table);
    }
    for (level = 0; level < tables->format.levels; level++) {
        for (table = tables->dirty[level].first; table; table = next) {
            next = table->next;
            if (table->leaving)
                vidmm_page_table_leave(tables, table);
        }
        for (table = tables->spare[level]; table; table = next) {
            next = table->next;
            vidmm_page_table_free(table);
        }
    }
    while ((table = vidmm_page_tables_left(tables)) != NULL)
        vidmm_page_table_free(table);
    free_below(tables, tables->root);
    *tables = (struct vidmm_page_tables){.root = NULL};
}

/* ---- setting ---- */

/* Tables of the level that [from, to) needs below a table that is not there. */
static uint64_t tables_in(const struct vidmm_page_tables *tables, uint32_t level, uint64_t from,
                          uint64_t to, bool pages)
{
    uint32_t shift = vidmm_page_table_shift(tables, level + 1);
    uint64_t touched = ((to - 1) >> shift) - (from >> shift) + 1;

    return pages || touched < 2 ? touched : 2; /* of other kinds those with a part of it alone */
}

/* Count what may be missing below a table for [from, to). */
static void count_missing(const struct vidmm_page_tables *tables,
                          const struct vidmm_page_table *table, uint64_t from, uint64_t to,
                          bool pages, uint64_t *missing)
{
    uint32_t shift = vidmm_page_table_shift(tables, table->level), level;
    uint64_t at, end;

    for (at = from; table->level > 0 && at < to; at = end) {
        struct vidmm_page_table *child;

        end = ((at >> shift) + 1) << shift;
        end = end < to ? end : to;
        if (!pages && at % (UINT64_C(1) << shift) == 0 && end - at == UINT64_C(1) << shift)
            continue; /* the entry says it */
        child = NULL;
        if ((at - table->first) >> shift < table->length) /* or the root is to grow */
            vidmm_page_table_entry(table, (uint32_t)((at - table->first) >> shift), &child);
        if (child) {
            count_missing(tables, child, at, end, pages, missing);
            continue;
        }
        for (level = 0; level < table->level; level++)
            missing[level] += tables_in(tables, level, at, end, pages);
    }
}

NTSTATUS vidmm_page_tables_prepare(struct vidmm_page_tables *tables, uint64_t start, uint64_t end,
                                   enum vidmm_entry kind, enum vidmm_page_size most)
{
    bool pages =
        kind == VIDMM_ENTRY_PAGES || (kind == VIDMM_ENTRY_ZERO && !tables->format.zero_entries);
    bool large = kind == VIDMM_ENTRY_PAGES && most == VIDMM_PAGE_LARGE;
    bool wide = kind != VIDMM_ENTRY_PAGES || most != VIDMM_PAGE_4K;
    uint64_t missing[VIDMM_PAGE_TABLE_LEVELS] = {0};
    uint32_t level;

    VIDMM_ASSERT(start < end);
    count_missing(tables, tables->root, start >> SHIFT, end >> SHIFT, pages, missing);
    missing[0] += tables->owed;
    if ((wide && tables->format.wide_pages) || (large && tables->format.large_pages))
        missing[0] += tables_in(tables, 0, start >> SHIFT, end >> SHIFT, pages); /* A13 */
    for (level = 0; level < tables->format.levels; level++)
        while (tables->spares[level] < missing[level])
            if (!take_record(tables, level))
                return STATUS_NO_MEMORY;
    return STATUS_SUCCESS;
}

/* obeys D-128 */
bool vidmm_page_table_may_be_held(const struct vidmm_page_tables *tables, enum vidmm_entry kind)
{
    bool invalid = kind == VIDMM_ENTRY_INVALID || (kind == VIDMM_ENTRY_PAGES && tables->arrives);

    return !invalid || !tables->format.invalid_not_cached;
}

bool vidmm_page_table_may_be_led_to(const struct vidmm_page_tables *tables,
                                    const struct vidmm_page_table *table)
{
    return table->level > 0 || table->led_to || table->zeroes > 0 ||
           !tables->format.invalid_not_cached;
}

void vidmm_page_table_set_leaf(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                               uint64_t from, uint64_t to, enum vidmm_entry kind)
{
    uint32_t shift = vidmm_page_table_entry_shift(tables, table);
    uint32_t first = (uint32_t)((from - table->first) >> shift);
    uint32_t end = (uint32_t)((to - table->first) >> shift), index;
    bool known = false;

    VIDMM_ASSERT(((from | to) & ((UINT64_C(1) << shift) - 1)) == 0); /* A14 */
    for (index = first; index < end; index++) {
        known = known || vidmm_page_table_may_be_held(tables, vidmm_page_table_kind(table, index));
        vidmm_page_table_say(table, index, kind, NULL);
    }
    vidmm_page_table_make_dirty(tables, table, first, end);
    if (known)
        vidmm_page_tables_forget(tables, from, to);
}

void vidmm_page_table_set_entry(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                                uint32_t index, enum vidmm_entry kind)
{
    uint32_t shift = vidmm_page_table_shift(tables, table->level);
    uint64_t first = table->first + ((uint64_t)index << shift);
    struct vidmm_page_table *child, *second = vidmm_page_table_second(table, index);
    enum vidmm_entry was = vidmm_page_table_entry(table, index, &child);

    if (was == kind && kind != VIDMM_ENTRY_PAGES)
        return;
    if (second)
        table->entries[table->length + index].table = NULL;
    vidmm_page_table_say(table, index, kind, NULL);
    tables->owed += kind == VIDMM_ENTRY_PAGES ? 1 : 0; /* A13 */
    tables->owed -= was == VIDMM_ENTRY_PAGES ? 1 : 0;
    vidmm_page_table_make_dirty(tables, table, index, index + 1);
    if (child ? vidmm_page_table_may_be_led_to(tables, child) ||
                    (second && vidmm_page_table_may_be_led_to(tables, second))
              : vidmm_page_table_may_be_held(tables, was))
        vidmm_page_tables_forget(tables, first, first + (UINT64_C(1) << shift));
    if (second)
        vidmm_page_table_drop(tables, second, VIDMM_ENTRY_INVALID); /* A34 */
    if (child)
        vidmm_page_table_drop(tables, child, kind);
}

/* Whether a leaf of 64 KiB can have pages [from, to) say `kind`. */
static bool goes_wide(const struct vidmm_page_tables *tables, uint64_t from, uint64_t to,
                      enum vidmm_entry kind, enum vidmm_page_size most)
{
    return ((from | to) & ((1u << WIDE) - 1)) == 0 &&
           vidmm_page_table_says_wide(tables, kind, most);
}

/* Replace a leaf of 64 KiB by one of 4 KiB that says the same. */
static struct vidmm_page_table *narrow(struct vidmm_page_tables *tables,
                                       struct vidmm_page_table *wide)
{
    struct vidmm_page_table *table = wide->parent, *leaf;
    uint32_t index = wide->index, entry, entries = entries_of(tables, 0);

    tables->narrowed |= !wide->fresh;
    leaf = vidmm_page_table_make(tables, 0, false, table, index, VIDMM_ENTRY_INVALID);
    for (entry = 0; entry < entries; entry++)
        vidmm_page_table_say(leaf, entry, vidmm_page_table_kind(wide, entry >> WIDE), NULL);
    vidmm_page_table_make_dirty(tables, leaf, 0, entries);
    vidmm_page_table_say(table, index, VIDMM_ENTRY_TABLE, leaf);
    vidmm_page_table_make_dirty(tables, table, index, index + 1);
    if (vidmm_page_table_may_be_led_to(tables, wide))
        vidmm_page_tables_forget(tables, leaf->first, leaf->first + entries);
    vidmm_page_table_drop(tables, wide, VIDMM_ENTRY_PAGES); /* A13: the spare one was its own */
    return leaf;
}

/* The table below an entry, of which a part, [from, to), is to say `kind`; it is made if it is not
 * there. NULL: the entry says so of all its addresses. */
static struct vidmm_page_table *open_entry(struct vidmm_page_tables *tables,
                                           struct vidmm_page_table *table, uint64_t from,
                                           uint64_t to, enum vidmm_entry kind,
                                           enum vidmm_page_size most)
{
    uint32_t shift = vidmm_page_table_shift(tables, table->level);
    uint32_t index = (uint32_t)((from - table->first) >> shift);
    struct vidmm_page_table *child;
    enum vidmm_entry was = vidmm_page_table_entry(table, index, &child);
    bool wide = table->level == 1 && goes_wide(tables, from, to, kind, most);

    if (child && child->wide && !wide)
        return narrow(tables, child);
    if (child || (was == kind && kind != VIDMM_ENTRY_PAGES))
        return child;
    tables->owed -= was == VIDMM_ENTRY_PAGES ? 1 : 0; /* A13: it is this one's */
    if (was == VIDMM_ENTRY_PAGES || tables->spares[0] < tables->owed + 2)
        wide = false;
    child = vidmm_page_table_make(tables, table->level - 1, wide, table, index, was);
    tables->narrowed |= was == VIDMM_ENTRY_PAGES ||
                        (was == VIDMM_ENTRY_ZERO && tables->format.large_pages); /* A25 */
    if (was == VIDMM_ENTRY_PAGES && vidmm_page_table_may_be_held(tables, was))
        vidmm_page_tables_forget(tables, child->first, child->first + (UINT64_C(1) << shift));
    vidmm_page_table_say(table, index, VIDMM_ENTRY_TABLE, child);
    vidmm_page_table_make_dirty(tables, table, index, index + 1);
    return child;
}

/* A table below the entry has changed: the entry may say all of it now. */
static void close_entry(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                        const struct vidmm_page_table *child)
{
    uint32_t index = child->index;

    if (vidmm_page_table_second(table, index))
        vidmm_page_table_close_pair(tables, table, index);
    else if (child->used == 0)
        vidmm_page_table_set_entry(tables, table, index, VIDMM_ENTRY_INVALID); /* A9 */
    else if (tables->format.zero_entries &&
             child->zeroes == vidmm_page_table_entries(tables, child))
        vidmm_page_table_set_entry(tables, table, index, VIDMM_ENTRY_ZERO); /* A9 */
}

/* Whether an entry of the table can say `kind` of all its addresses. */
static bool says_whole(const struct vidmm_page_tables *tables, const struct vidmm_page_table *table,
                       uint32_t index, enum vidmm_entry kind, enum vidmm_page_size most)
{
    if (kind != VIDMM_ENTRY_PAGES)
        return kind == VIDMM_ENTRY_INVALID || tables->format.zero_entries;
    return most == VIDMM_PAGE_LARGE && table->level == 1 && tables->format.large_pages &&
           (vidmm_page_table_kind(table, index) == VIDMM_ENTRY_PAGES ||
            tables->spares[0] > tables->owed); /* A13 */
}

static void set_below(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                      uint64_t from, uint64_t to, enum vidmm_entry kind, enum vidmm_page_size most)
{
    uint32_t shift = vidmm_page_table_shift(tables, table->level);
    uint64_t at, end;

    if (table->level == 0) {
        vidmm_page_table_set_leaf(tables, table, from, to, kind);
        return;
    }
    for (at = from; at < to; at = end) {
        uint32_t index = (uint32_t)((at - table->first) >> shift);
        struct vidmm_page_table *child;

        end = ((at >> shift) + 1) << shift;
        end = end < to ? end : to;
        if (end - at == UINT64_C(1) << shift && says_whole(tables, table, index, kind, most)) {
            vidmm_page_table_set_entry(tables, table, index, kind);
            continue;
        }
        if (table->paired) {
            vidmm_page_table_set_pair(tables, table, index, at, end, kind, most);
            vidmm_page_table_entry(table, index, &child);
            if (child && !tables->piecemeal)
                close_entry(tables, table, child);
            continue;
        }
        child = open_entry(tables, table, at, end, kind, most);
        if (child) {
            set_below(tables, child, at, end, kind, most);
            if (!tables->piecemeal)
                close_entry(tables, table, child);
        }
    }
}

void vidmm_page_tables_set(struct vidmm_page_tables *tables, uint64_t start, uint64_t end,
                           enum vidmm_entry kind, enum vidmm_page_size most)
{
    VIDMM_ASSERT(start < end && end <= vidmm_page_tables_end(tables));
    VIDMM_ASSERT(kind != VIDMM_ENTRY_TABLE);
    set_below(tables, tables->root, start >> SHIFT, end >> SHIFT, kind, most);
}

void vidmm_page_tables_set_begin(struct vidmm_page_tables *tables)
{
    VIDMM_ASSERT(!tables->piecemeal);
    tables->piecemeal = true;
}

static void close_below(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                        uint64_t from, uint64_t to)
{
    uint32_t shift = vidmm_page_table_shift(tables, table->level);
    uint64_t at, end;

    for (at = from; table->level > 0 && at < to; at = end) {
        struct vidmm_page_table *child;

        end = ((at >> shift) + 1) << shift;
        end = end < to ? end : to;
        vidmm_page_table_entry(table, (uint32_t)((at - table->first) >> shift), &child);
        if (child) {
            close_below(tables, child, at, end);
            close_entry(tables, table, child);
        }
    }
}

void vidmm_page_tables_set_end(struct vidmm_page_tables *tables, uint64_t start, uint64_t end)
{
    VIDMM_ASSERT(tables->piecemeal && start < end && end <= vidmm_page_tables_end(tables));
    tables->piecemeal = false;
    close_below(tables, tables->root, start >> SHIFT, end >> SHIFT);
}

/* ---- a root that is resized ---- */

NTSTATUS vidmm_page_tables_resize(struct vidmm_page_tables *tables, uint32_t entries)
{
    struct vidmm_page_table_format format = tables->format;
    struct vidmm_page_table *old = tables->root, *root, *child;
    uint32_t level = format.levels - 1, index, stay;

    stay = entries < format.root_entries ? entries : format.root_entries;
    format.root_entries = entries;
    VIDMM_ASSERT(format.levels == 2 && is_format(&format));
    VIDMM_ASSERT(!tables->spare[level]); /* its records are of one size alone */
    tables->format.root_entries = entries;
    if (!take_record(tables, level)) {
        tables->format.root_entries = old->length;
        return STATUS_NO_MEMORY;
    }
    root = vidmm_page_table_make(tables, level, false, NULL, 0, VIDMM_ENTRY_INVALID);
    for (index = 0; index < stay; index++) {
        enum vidmm_entry kind = vidmm_page_table_entry(old, index, &child);

        vidmm_page_table_say(root, index, kind, child);
        if (child)
            child->parent = root;
        child = vidmm_page_table_second(old, index);
        if (child) {
            root->entries[root->length + index].table = child;
            child->parent = root;
        }
    }
    VIDMM_ASSERT(root->used == old->used); /* none was cut off */
    vidmm_page_table_make_dirty(tables, root, 0, entries);
    tables->count[level]--;
    tables->homeless[level] -= old->memory == 0; /* A24 */
    tables->root = root;
    if (old->fresh) { /* nobody was told of it */
        leave(tables, old, VIDMM_ENTRY_PAGES);
        return STATUS_SUCCESS;
    }
    if (vidmm_page_table_is_listed(old))
        vidmm_page_table_unlist(&tables->dirty[level], old);
    old->dirty_first = old->dirty_end = 0; /* A15 */
    old->cleared = false;
    old->next = tables->old_root;
    tables->old_root = old;
    return STATUS_SUCCESS;
}

void vidmm_page_tables_root_set(struct vidmm_page_tables *tables)
{
    struct vidmm_page_table *old = tables->old_root;

    VIDMM_ASSERT(old);
    VIDMM_ASSERT(!tables->format.explicit_invalidation || old->cleared); /* A11 */
    tables->old_root = old->next;
    old->leaving = true;
    vidmm_page_table_append(&tables->left, old);
}
