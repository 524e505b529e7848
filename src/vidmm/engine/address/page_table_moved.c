/* page_table_moved.c: what is written again, because it lies elsewhere: pages, or the tables.
 *
 * Nothing that an entry says changes here, so tables neither appear nor leave. The invariants are
 * those of page_table.c.
 */
#include "vidmm/engine/address/page_table.h"

#include <stddef.h>

#include <base/assert.h>
#include <vidmm/page.h>

#include "vidmm/engine/address/page_table_state.h"

#define SHIFT VIDMM_PAGE_SHIFT

/* The entries of a leaf for [from, to) are written again; those at both ends that say nothing are
 * not, for the other leaf of a pair says it. */
static void touch_leaf(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                       uint64_t from, uint64_t to)
{
    uint32_t shift = vidmm_page_table_entry_shift(tables, table);
    uint32_t first = (uint32_t)((from - table->first) >> shift);
    uint32_t end = (uint32_t)((to - table->first - 1) >> shift) + 1;

    while (first < end && vidmm_page_table_kind(table, first) == VIDMM_ENTRY_INVALID)
        first++;
    while (first < end && vidmm_page_table_kind(table, end - 1) == VIDMM_ENTRY_INVALID)
        end--;
    if (first == end)
        return;
    vidmm_page_table_make_dirty(tables, table, first, end);
    if (vidmm_page_table_may_be_held(tables, VIDMM_ENTRY_PAGES))
        vidmm_page_tables_forget(tables, from, to);
}

static void touch_below(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                        uint64_t from, uint64_t to)
{
    uint32_t shift = vidmm_page_table_shift(tables, table->level);
    uint64_t at, end;

    if (table->level == 0) {
        touch_leaf(tables, table, from, to);
        return;
    }
    for (at = from; at < to; at = end) {
        uint32_t index = (uint32_t)((at - table->first) >> shift);
        struct vidmm_page_table *child;

        end = ((at >> shift) + 1) << shift;
        end = end < to ? end : to;
        if (vidmm_page_table_entry(table, index, &child) == VIDMM_ENTRY_PAGES) {
            vidmm_page_table_make_dirty(tables, table, index, index + 1);
            if (vidmm_page_table_may_be_held(tables, VIDMM_ENTRY_PAGES))
                vidmm_page_tables_forget(tables, at, end);
        }
        if (child)
            touch_below(tables, child, at, end);
        if (vidmm_page_table_second(table, index))
            touch_leaf(tables, vidmm_page_table_second(table, index), at, end);
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
    vidmm_page_table_make_dirty(tables, table->parent, table->index, table->index + 1);
    vidmm_page_tables_forget(tables, table->first, table->first + (UINT64_C(1) << shift));
}

void vidmm_page_table_house(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                            uint32_t memory)
{
    VIDMM_ASSERT(table->memory == 0 && memory != 0 && !table->leaving);
    table->memory = memory;
    tables->homeless[table->level]--; /* A24 */
}

/* The memory of a table in its queue holds nothing yet. */
static void make_fresh(struct vidmm_page_tables *tables, struct vidmm_page_table *table)
{
    if (table->fresh)
        return;
    table->fresh = true;
    vidmm_page_table_requeue(tables, table); /* A33 */
}

void vidmm_page_tables_take_back(struct vidmm_page_tables *tables,
                                 const struct vidmm_page_table_update *update)
{
    struct vidmm_page_table *table = update->table;

    if (table->leaving)
        return; /* it goes, whatever it says */
    if (update->initial)
        vidmm_page_table_make_dirty(tables, table, 0, table->length);
    else
        vidmm_page_table_make_dirty(tables, table, update->first, update->first + update->count);
    table->adapters |= update->adapters;
    if (update->initial)
        make_fresh(tables, table);
}

/* A table below the root loses its memory, or its bytes. */
static void unhouse(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                    void (*take)(void *context, uint32_t memory), void *context)
{
    if (table->memory != 0 && take) {
        take(context, table->memory);
        table->memory = 0;
        tables->homeless[table->level]++;                                         /* A24 */
        tables->dirty[table->level].homeless = tables->dirty[table->level].first; /* A32 */
    }
    vidmm_page_table_make_dirty(tables, table, 0, table->length);
    make_fresh(tables, table);
    table->led_to = false;
    vidmm_page_table_make_dirty(tables, table->parent, table->index, table->index + 1);
}

static void unhouse_below(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                          uint32_t levels, void (*take)(void *context, uint32_t memory),
                          void *context)
{
    uint32_t index;

    for (index = 0; table->level > 0 && index < table->length; index++) {
        struct vidmm_page_table *child;

        if (vidmm_page_table_entry(table, index, &child) != VIDMM_ENTRY_TABLE)
            continue;
        unhouse_below(tables, child, levels, take, context);
        if ((levels >> child->level & 1) == 0)
            continue;
        unhouse(tables, child, take, context);
        if (vidmm_page_table_second(table, index))
            unhouse(tables, vidmm_page_table_second(table, index), take, context);
    }
}

void vidmm_page_tables_unhouse(struct vidmm_page_tables *tables, uint32_t levels,
                               void (*take)(void *context, uint32_t memory), void *context)
{
    VIDMM_ASSERT(!take || (!tables->reached && !tables->old_root));
    unhouse_below(tables, tables->root, levels, take, context);
    vidmm_page_table_make_dirty(tables, tables->root, 0, tables->root->length);
    if (!take && (levels >> tables->root->level & 1) != 0)
        make_fresh(tables, tables->root);
    vidmm_page_tables_forget(tables, 0, vidmm_page_tables_end(tables) >> SHIFT);
}
