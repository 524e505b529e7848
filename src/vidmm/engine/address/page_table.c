/* page_table.c: which page tables there are; page_table_write.c writes them.
 *
 * To set [start, end), each table that has a part of it goes through its entries:
 *
 *      |...|...|##|###|###|#..|...|     entries of one table; # is what is set
 *               ^part      ^part
 *      whole, and not PAGES    the entry says it; the table that it led to leaves
 *      whole, and PAGES        the table below it says it, and is made if it is not there
 *      a part                  the same, for a part; a table that is made says first what the entry
 *                              has said of all addresses
 *      afterwards              a table of which all entries are invalid, or all zero, leaves
 *
 * A leaf keeps two bits an entry, a table above it a pointer an entry. So nothing has to be asked
 * of the address space, and the work is that of the entries that change.
 *
 * Invariants
 * A8.  `used` and `zeroes` count the entries that are not invalid, and that say zero.
 * A9.  No table but the root has only invalid entries, or only zero ones.
 * A10. A table is in the queue of its level exactly if it has dirty entries, or is fresh.
 * A11. A table that leaves is led to by no entry, and has no children. It stays dirty until it is
 *      invalidated, if the driver wants that (D-133).
 * A12. `count` tables of a level are led to, or are the root.
 */
#include "vidmm/engine/address/page_table.h"

#include <string.h>

#include "vidmm/engine/address/page_table_state.h"

#define SHIFT VIDMM_PAGE_SHIFT
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
    if (bits >= VIDMM_ADDRESS_BITS)
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
    return entries_of(tables, table->level);
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
    *child = table->entries[index].table;
    return *child ? VIDMM_ENTRY_TABLE : VIDMM_ENTRY_INVALID;
}

/* Let the entry say something else, and count. `child`: of TABLE. */
static void say(struct vidmm_page_table *table, uint32_t index, enum vidmm_entry kind,
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
        table->entries[index].table = kind == VIDMM_ENTRY_ZERO ? VIDMM_PAGE_TABLE_ZERO : child;
    }
}

/* ---- queues ---- */

static void append(struct vidmm_page_table_list *list, struct vidmm_page_table *table)
{
    table->next = NULL;
    table->previous = list->last;
    if (list->last)
        list->last->next = table;
    else
        list->first = table;
    list->last = table;
}

void vidmm_page_table_unlist(struct vidmm_page_table_list *list, struct vidmm_page_table *table)
{
    if (table->previous)
        table->previous->next = table->next;
    else
        list->first = table->next;
    if (table->next)
        table->next->previous = table->previous;
    else
        list->last = table->previous;
    table->next = table->previous = NULL;
}

static void make_dirty(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                       uint32_t first, uint32_t end)
{
    if (!vidmm_page_table_is_listed(table))
        append(&tables->dirty[table->level], table); /* A10 */
    table->cleared = false;
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

/* The GPU may hold translations of these pages. */
static void must_forget(struct vidmm_page_tables *tables, uint64_t first, uint64_t end)
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

static bool take_record(struct vidmm_page_tables *tables, uint32_t level)
{
    uint32_t entries = entries_of(tables, level),
             words = level == 0 ? (entries + 31) / 32 : entries;
    size_t size = sizeof(struct vidmm_page_table) + words * sizeof(*tables->root->entries);
    struct vidmm_page_table *table = tables->memory->allocate(tables->memory->context, size);

    if (!table)
        return false;
    table->level = level;
    table->entries = (union vidmm_page_table_entries *)(void *)(table + 1);
    table->next = tables->spare[level];
    tables->spare[level] = table;
    tables->spares[level]++;
    return true;
}

/* Make a table in which each entry says `kind`. */
static struct vidmm_page_table *make_table(struct vidmm_page_tables *tables, uint32_t level,
                                           struct vidmm_page_table *parent, uint32_t index,
                                           enum vidmm_entry kind)
{
    struct vidmm_page_table *table = tables->spare[level];
    uint32_t entries = entries_of(tables, level), entry;

    VIDMM_ASSERT(table); /* it was prepared */
    tables->spare[level] = table->next;
    tables->spares[level]--;
    tables->count[level]++;
    table->next = NULL;
    table->parent = parent;
    table->index = index;
    table->first =
        parent ? parent->first + ((uint64_t)index << vidmm_page_table_shift(tables, parent->level))
               : 0;
    for (entry = 0; kind != VIDMM_ENTRY_INVALID && entry < entries; entry++)
        say(table, entry, kind, NULL);
    make_dirty(tables, table, 0, kind == VIDMM_ENTRY_INVALID ? 0 : entries);
    table->fresh = true;
    return table;
}

/* Nothing leads to the table any more, nor to what is below it. */
static void drop(struct vidmm_page_tables *tables, struct vidmm_page_table *table)
{
    uint32_t entries = entries_of(tables, table->level), index;
    bool invalidate = tables->format.explicit_invalidation && !table->fresh;
    struct vidmm_page_table *child;

    for (index = 0; table->level > 0 && index < entries; index++)
        if (vidmm_page_table_entry(table, index, &child) == VIDMM_ENTRY_TABLE)
            drop(tables, child);
    tables->count[table->level]--;
    table->parent = NULL;
    table->leaving = true;
    table->fresh = false;
    if (vidmm_page_table_is_listed(table))
        vidmm_page_table_unlist(&tables->dirty[table->level], table);
    table->dirty_first = table->dirty_end = 0;
    if (invalidate)
        make_dirty(tables, table, 0, entries); /* A11 */
    else
        append(&tables->left, table);
}

struct vidmm_page_table *vidmm_page_tables_left(struct vidmm_page_tables *tables)
{
    struct vidmm_page_table *table = tables->left.first;

    if (table)
        vidmm_page_table_unlist(&tables->left, table);
    return table;
}

void vidmm_page_table_leave(struct vidmm_page_tables *tables, struct vidmm_page_table *table)
{
    vidmm_page_table_unlist(&tables->dirty[table->level], table);
    append(&tables->left, table);
}

void vidmm_page_table_free(struct vidmm_page_tables *tables, struct vidmm_page_table *table)
{
    tables->memory->free(tables->memory->context, table);
}

NTSTATUS vidmm_page_tables_init(struct vidmm_page_tables *tables,
                                const struct vidmm_page_table_format *format,
                                const struct vidmm_memory *memory)
{
    *tables = (struct vidmm_page_tables){.format = *format, .memory = memory};
    if (!is_format(format))
        return STATUS_INVALID_PARAMETER;
    if (!take_record(tables, format->levels - 1))
        return STATUS_NO_MEMORY;
    tables->root = make_table(tables, format->levels - 1, NULL, 0, VIDMM_ENTRY_INVALID);
    return STATUS_SUCCESS;
}

static void free_below(struct vidmm_page_tables *tables, struct vidmm_page_table *table)
{
    uint32_t entries = entries_of(tables, table->level), index;
    struct vidmm_page_table *child;

    for (index = 0; table->level > 0 && index < entries; index++)
        if (vidmm_page_table_entry(table, index, &child) == VIDMM_ENTRY_TABLE)
            free_below(tables, child);
    vidmm_page_table_free(tables, table);
}

void vidmm_page_tables_finish(struct vidmm_page_tables *tables)
{
    struct vidmm_page_table *table, *next;
    uint32_t level;

    for (level = 0; level < tables->format.levels; level++) {
        for (table = tables->dirty[level].first; table; table = next) {
            next = table->next;
            if (table->leaving)
                vidmm_page_table_leave(tables, table);
        }
        for (table = tables->spare[level]; table; table = next) {
            next = table->next;
            vidmm_page_table_free(tables, table);
        }
    }
    while ((table = vidmm_page_tables_left(tables)) != NULL)
        vidmm_page_table_free(tables, table);
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
                                   enum vidmm_entry kind)
{
    bool pages =
        kind == VIDMM_ENTRY_PAGES || (kind == VIDMM_ENTRY_ZERO && !tables->format.zero_entries);
    uint64_t missing[VIDMM_PAGE_TABLE_LEVELS] = {0};
    uint32_t level;

    VIDMM_ASSERT(start < end && end <= vidmm_page_tables_end(tables));
    count_missing(tables, tables->root, start >> SHIFT, end >> SHIFT, pages, missing);
    for (level = 0; level < tables->format.levels; level++)
        while (tables->spares[level] < missing[level])
            if (!take_record(tables, level))
                return STATUS_NO_MEMORY;
    return STATUS_SUCCESS;
}

/* Let the pages [from, to) of a leaf say `kind`. */
static void set_leaf(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                     uint64_t from, uint64_t to, enum vidmm_entry kind)
{
    bool known = !tables->format.invalid_not_cached;
    uint64_t page;

    for (page = from; page < to; page++) {
        uint32_t index = (uint32_t)(page - table->first);

        known = known || vidmm_page_table_kind(table, index) != VIDMM_ENTRY_INVALID;
        say(table, index, kind, NULL);
    }
    make_dirty(tables, table, (uint32_t)(from - table->first), (uint32_t)(to - table->first));
    if (known)
        must_forget(tables, from, to);
}

/* Let the entry say `kind` of all its addresses; it is not TABLE, nor PAGES. */
static void set_entry(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                      uint32_t index, enum vidmm_entry kind)
{
    uint32_t shift = vidmm_page_table_shift(tables, table->level);
    uint64_t first = table->first + ((uint64_t)index << shift);
    struct vidmm_page_table *child;
    enum vidmm_entry was = vidmm_page_table_entry(table, index, &child);

    if (was == kind)
        return;
    say(table, index, kind, NULL);
    make_dirty(tables, table, index, index + 1);
    if (was != VIDMM_ENTRY_INVALID || !tables->format.invalid_not_cached)
        must_forget(tables, first, first + (UINT64_C(1) << shift));
    if (child)
        drop(tables, child);
}

/* The table below an entry, of which a part is to say `kind`; it is made if it is not there. NULL:
 * the entry says so of all its addresses. */
static struct vidmm_page_table *open_entry(struct vidmm_page_tables *tables,
                                           struct vidmm_page_table *table, uint32_t index,
                                           enum vidmm_entry kind)
{
    struct vidmm_page_table *child;
    enum vidmm_entry was = vidmm_page_table_entry(table, index, &child);

    if (child || was == kind)
        return child;
    child = make_table(tables, table->level - 1, table, index, was);
    say(table, index, VIDMM_ENTRY_TABLE, child);
    make_dirty(tables, table, index, index + 1);
    return child;
}

/* A table below the entry has changed: the entry may say all of it now. */
static void close_entry(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                        uint32_t index, const struct vidmm_page_table *child)
{
    if (child->used == 0)
        set_entry(tables, table, index, VIDMM_ENTRY_INVALID); /* A9 */
    else if (tables->format.zero_entries && child->zeroes == entries_of(tables, child->level))
        set_entry(tables, table, index, VIDMM_ENTRY_ZERO); /* A9 */
}

static void set_below(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                      uint64_t from, uint64_t to, enum vidmm_entry kind)
{
    uint32_t shift = vidmm_page_table_shift(tables, table->level);
    bool whole_entries =
        kind == VIDMM_ENTRY_INVALID || (kind == VIDMM_ENTRY_ZERO && tables->format.zero_entries);
    uint64_t at, end;

    if (table->level == 0) {
        set_leaf(tables, table, from, to, kind);
        return;
    }
    for (at = from; at < to; at = end) {
        uint32_t index = (uint32_t)((at - table->first) >> shift);
        struct vidmm_page_table *child;

        end = ((at >> shift) + 1) << shift;
        end = end < to ? end : to;
        if (whole_entries && end - at == UINT64_C(1) << shift) {
            set_entry(tables, table, index, kind);
            continue;
        }
        child = open_entry(tables, table, index, kind);
        if (child) {
            set_below(tables, child, at, end, kind);
            close_entry(tables, table, index, child);
        }
    }
}

void vidmm_page_tables_set(struct vidmm_page_tables *tables, uint64_t start, uint64_t end,
                           enum vidmm_entry kind)
{
    VIDMM_ASSERT(start < end && end <= vidmm_page_tables_end(tables));
    VIDMM_ASSERT(kind != VIDMM_ENTRY_TABLE);
    set_below(tables, tables->root, start >> SHIFT, end >> SHIFT, kind);
}

static void touch_below(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                        uint64_t from, uint64_t to)
{
    uint32_t shift = vidmm_page_table_shift(tables, table->level);
    uint64_t at, end;

    if (table->level == 0) {
        make_dirty(tables, table, (uint32_t)(from - table->first), (uint32_t)(to - table->first));
        must_forget(tables, from, to);
        return;
    }
    for (at = from; at < to; at = end) {
        struct vidmm_page_table *child;

        end = ((at >> shift) + 1) << shift;
        end = end < to ? end : to;
        vidmm_page_table_entry(table, (uint32_t)((at - table->first) >> shift), &child);
        if (child)
            touch_below(tables, child, at, end);
    }
}

void vidmm_page_tables_touch(struct vidmm_page_tables *tables, uint64_t start, uint64_t end)
{
    VIDMM_ASSERT(start < end && end <= vidmm_page_tables_end(tables));
    touch_below(tables, tables->root, start >> SHIFT, end >> SHIFT);
}

void vidmm_page_table_moved(struct vidmm_page_tables *tables, struct vidmm_page_table *table)
{
    uint32_t shift = vidmm_page_table_shift(tables, table->level + 1);

    if (!table->parent)
        return;
    make_dirty(tables, table->parent, table->index, table->index + 1);
    must_forget(tables, table->first, table->first + (UINT64_C(1) << shift));
}

/* ---- the check ---- */

static void check_below(const struct vidmm_page_tables *tables,
                        const struct vidmm_page_table *table, uint64_t *count)
{
    uint32_t entries = entries_of(tables, table->level), index, used = 0, zeroes = 0;

    count[table->level]++;
    for (index = 0; index < entries; index++) {
        struct vidmm_page_table *child;
        enum vidmm_entry kind = vidmm_page_table_entry(table, index, &child);

        used += kind != VIDMM_ENTRY_INVALID;
        zeroes += kind == VIDMM_ENTRY_ZERO;
        if (!child)
            continue;
        VIDMM_VERIFY(child->parent == table && child->index == index && !child->leaving);
        VIDMM_VERIFY(child->level + 1 == table->level);
        VIDMM_VERIFY(child->used != 0); /* A9 */
        VIDMM_VERIFY(!tables->format.zero_entries ||
                     child->zeroes != entries_of(tables, child->level)); /* A9 */
        check_below(tables, child, count);
    }
    VIDMM_VERIFY(used == table->used && zeroes == table->zeroes); /* A8 */
    VIDMM_VERIFY(
        (table->fresh || table->dirty_first != table->dirty_end) ==
        (table->next || table->previous || tables->dirty[table->level].first == table)); /* A10 */
}

void vidmm_page_tables_check(const struct vidmm_page_tables *tables)
{
    uint64_t count[VIDMM_PAGE_TABLE_LEVELS] = {0};
    uint32_t level;

    check_below(tables, tables->root, count);
    for (level = 0; level < tables->format.levels; level++)
        VIDMM_VERIFY(count[level] == tables->count[level]); /* A12 */
}
