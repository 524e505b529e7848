/* page_table_write.c: the records that are written to page tables, one at a time.
 *
 *      queue of level 0:   leaf   leaf   leaf        first all leaves,
 *      queue of level 1:   table  table              then what leads to them,
 *      ...                                           the root last (W-012)
 *
 * A record of a leaf is a run of dirty entries that go together: pages of one allocation in order
 * (D-117), or zeroes, or invalid ones; the last two are one entry, repeated. A record of a table
 * above it is all of its dirty entries. A fresh table is cleared first, and then invalid entries of
 * it need no record.
 */
#include "vidmm/engine/address/address_find.h"

#include <vidmm/page.h>
#include "vidmm/engine/address/page_table_state.h"

#define SHIFT VIDMM_PAGE_SHIFT

uint64_t vidmm_page_table_address(const struct vidmm_page_tables *tables,
                                  const struct vidmm_page_table *table, uint32_t index)
{
    uint32_t shift = vidmm_page_table_entry_shift(tables, table);

    return (table->first + ((uint64_t)index << shift)) << SHIFT;
}

/* All entries of the table are to be invalid: it is new, or it leaves. */
static void clear(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                  struct vidmm_page_table_update *update)
{
    VIDMM_ASSERT(table->leaving || table->fresh);

    update->count = vidmm_page_table_entries(tables, table);
    update->repeat = true;
    update->initial = !table->leaving;
    update->address = vidmm_page_table_address(tables, table, 0);
}

/* The end of the run of a leaf's entries that begins at `first`; their meaning goes into the
 * record. */
static uint32_t end_of_run(const struct vidmm_page_tables *tables,
                           const struct vidmm_page_table *table,
                           const struct vidmm_address_space *space,
                           struct vidmm_page_table_update *update)
{
    enum vidmm_entry kind = vidmm_page_table_kind(table, update->first);
    uint32_t end = table->dirty_end, index = update->first + 1;
    uint32_t shift = vidmm_page_table_entry_shift(tables, table);
    const struct vidmm_address_range *range;
    uint64_t first = table->first + ((uint64_t)update->first << shift);

    VIDMM_ASSERT(table->level == 0 && update->first < table->dirty_end);
    while (index < end && vidmm_page_table_kind(table, index) == kind)
        index++;
    if (kind == VIDMM_ENTRY_INVALID)
        return index;
    range = vidmm_address_find_page(space, first);
    VIDMM_ASSERT(range && range->first <= first);
    VIDMM_ASSERT((range->end - first) >> shift > 0); /* A14 */
    update->meaning = vidmm_address_meaning_at(range, update->address);
    return range->end < table->first + ((uint64_t)index << shift)
               ? (uint32_t)((range->end - table->first) >> shift)
               : index;
}

/* Whether a table in a queue needs a record. Invalid entries of one that was cleared do not. */
static bool needs_record(struct vidmm_page_table *table)
{
    if (table->leaving || table->fresh)
        return true;
    while (table->cleared && table->dirty_first < table->dirty_end &&
           vidmm_page_table_kind(table, table->dirty_first) == VIDMM_ENTRY_INVALID)
        table->dirty_first++;
    return table->dirty_first < table->dirty_end;
}

/* A table, which is not leaving, has been written. */
static void end_table(struct vidmm_page_tables *tables, struct vidmm_page_table *table)
{
    VIDMM_ASSERT(!table->leaving && !table->fresh);
    table->adapters = 0;
    table->dirty_first = table->dirty_end = 0;
    vidmm_page_table_unlist(&tables->dirty[table->level], table);
}

/* A record tells of entries above the leaves: the GPU will find the tables that are written. */
static void lead(const struct vidmm_page_table_update *update)
{
    struct vidmm_page_table *child;
    uint32_t index;

    for (index = update->first; index < update->first + update->count; index++) {
        vidmm_page_table_entry(update->table, index, &child);
        if (child && !child->fresh)
            child->led_to = true;
        child = vidmm_page_table_second(update->table, index);
        if (child && !child->fresh)
            child->led_to = true;
    }
}

/* Make the next record of a table that needs one. */
static void next_of_table(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                          const struct vidmm_address_space *space,
                          struct vidmm_page_table_update *update)
{
    *update = (struct vidmm_page_table_update){.table = table, .adapters = table->adapters};
    if (table->leaving) {
        clear(tables, table, update);
        table->dirty_first = table->dirty_end = 0;
        vidmm_page_table_leave(tables, table);
        return;
    }
    if (table->fresh) {
        clear(tables, table, update);
        table->fresh = false;
        table->cleared = true; /* until something of it becomes dirty once more */
    } else {
        update->first = table->dirty_first;
        update->address = vidmm_page_table_address(tables, table, update->first);
        if (table->level == 0) {
            update->kind = vidmm_page_table_kind(table, update->first);
            update->repeat = update->kind != VIDMM_ENTRY_PAGES;
            update->count = end_of_run(tables, table, space, update) - update->first;
        } else {
            update->kind = VIDMM_ENTRY_TABLE;
            update->count = table->dirty_end - update->first;
            lead(update);
        }
        table->dirty_first += update->count;
    }
    if (!vidmm_page_table_is_listed(table))
        end_table(tables, table);
    else if (update->initial)
        vidmm_page_table_requeue(tables, table); /* A33 */
    VIDMM_ASSERT(update->count > 0);
}

struct vidmm_page_table *vidmm_page_tables_first(struct vidmm_page_tables *tables)
{
    struct vidmm_page_table *table;
    uint32_t level;

    for (level = 0; level < tables->format.levels; level++)
        while ((table = tables->dirty[level].first) != NULL) {
            if (needs_record(table))
                return table;
            end_table(tables, table);
        }
    return NULL;
}

bool vidmm_page_tables_next(struct vidmm_page_tables *tables,
                            const struct vidmm_address_space *space,
                            struct vidmm_page_table_update *update)
{
    struct vidmm_page_table *table = vidmm_page_tables_first(tables);

    if (table)
        next_of_table(tables, table, space, update);
    return table != NULL;
}

/* The first table of a level that has been written, and has something to write that is not written
 * early. NULL: there is none. */
static struct vidmm_page_table *next_known_of(struct vidmm_page_tables *tables, uint32_t level)
{
    const struct vidmm_page_table_list *list = &tables->dirty[level];

    while (list->known && !needs_record(list->first)) /* A33 */
        end_table(tables, list->first);
    return list->known ? list->first : NULL;
}

/* Take the record of a table of level 1 that is written early. False: none is to be. */
static bool next_early(struct vidmm_page_tables *tables, struct vidmm_page_table_update *update)
{
    struct vidmm_page_table *table = tables->format.large_pages ? next_known_of(tables, 1) : NULL;

    if (!table)
        return false;
    *update = (struct vidmm_page_table_update){
        .table = table, .first = table->dirty_first, .early = true, .kind = VIDMM_ENTRY_TABLE};
    update->count = table->dirty_end - table->dirty_first;
    update->address = vidmm_page_table_address(tables, table, update->first);
    table->early = true;                     /* A25 */
    vidmm_page_table_requeue(tables, table); /* A33 */
    lead(update);
    if (!tables->format.invalid_not_cached) /* what it tells as invalid */
        vidmm_page_tables_forget(
            tables, update->address >> SHIFT,
            (update->address >> SHIFT) +
                ((uint64_t)update->count << vidmm_page_table_shift(tables, 1)));
    return true;
}

bool vidmm_page_tables_next_known(struct vidmm_page_tables *tables,
                                  const struct vidmm_address_space *space,
                                  struct vidmm_page_table_update *update)
{
    struct vidmm_page_table *table = next_known_of(tables, 0);

    if (table) {
        next_of_table(tables, table, space, update);
        return true;
    }
    table = tables->reached;
    if (!table)
        return next_early(tables, update);
    tables->reached = table->reached_next;
    *update = (struct vidmm_page_table_update){
        .table = table, .repeat = true, .kind = table->leaves_as, .count = table->length};
    update->address = vidmm_page_table_address(tables, table, 0);
    return true;
}

bool vidmm_page_tables_next_of_old(struct vidmm_page_tables *tables,
                                   struct vidmm_page_table_update *update)
{
    struct vidmm_page_table *old = tables->old_root;

    if (!tables->format.explicit_invalidation || old->cleared)
        return false;
    *update = (struct vidmm_page_table_update){
        .table = old, .repeat = true, .count = old->length}; /* obeys D-133 */
    old->cleared = true;
    return true;
}

bool vidmm_page_tables_flush(struct vidmm_page_tables *tables, uint64_t *start, uint64_t *end)
{
    bool any = tables->flush_start != tables->flush_end;

    *start = tables->flush_start << SHIFT;
    *end = tables->flush_end << SHIFT;
    tables->flush_start = tables->flush_end = 0;
    return any;
}
