/* page_table_check.c: whether the records of the tables agree with what their entries say. */
#include <stddef.h>

#include "vidmm/engine/address/page_table_state.h"
#include "base/assert.h"

enum { KINDS = 32 }; /* entries of a leaf that one word of kinds tells */

/* How many of the 32 pairs of bits are 01, where no pair is 11. */
static uint32_t pairs_set(uint64_t pairs)
{
    pairs = (pairs & UINT64_C(0x3333333333333333)) + (pairs >> 2 & UINT64_C(0x3333333333333333));
    pairs = (pairs + (pairs >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(pairs * UINT64_C(0x0101010101010101) >> 56);
}

/* Count the entries of a leaf, a word of kinds at a time: this runs after each event. */
static void count_leaf(const struct vidmm_page_table *leaf, uint32_t entries, uint32_t *used,
                       uint32_t *zeroes)
{
    const uint64_t low = UINT64_C(0x5555555555555555);
    uint32_t index;

    for (index = 0; index < entries; index += KINDS) {
        uint64_t kinds = leaf->entries[index / KINDS].kinds;

        if (entries - index < KINDS)
            kinds &= (UINT64_C(1) << (entries - index) * 2) - 1;
        VIDMM_VERIFY((kinds & kinds >> 1 & low) == 0); /* TABLE: never in a leaf */
        *used += pairs_set((kinds | kinds >> 1) & low);
        *zeroes += pairs_set(kinds & ~(kinds >> 1) & low);
    }
}

/* Sums over all tables. */
struct counts {
    uint64_t tables[VIDMM_PAGE_TABLE_LEVELS], homeless[VIDMM_PAGE_TABLE_LEVELS], owed;
};

static void check_child(const struct vidmm_page_tables *tables,
                        const struct vidmm_page_table *parent, uint32_t index,
                        const struct vidmm_page_table *child)
{
    VIDMM_VERIFY(child->parent == parent && child->index == index && !child->leaving);
    VIDMM_VERIFY(child->level + 1 == parent->level);
    VIDMM_VERIFY(child->owes == (child->wide && !vidmm_page_table_second(parent, index)));
    if (vidmm_page_table_second(parent, index))
        return;                     /* check_pair() */
    VIDMM_VERIFY(child->used != 0); /* A9 */
    VIDMM_VERIFY(!tables->format.zero_entries ||
                 child->zeroes != vidmm_page_table_entries(tables, child)); /* A9 */
}

/* Two leaves of one entry. */
static void check_pair(const struct vidmm_page_tables *tables,
                       const struct vidmm_page_table *narrow, const struct vidmm_page_table *wide)
{
    uint32_t index;

    VIDMM_VERIFY(narrow->level == 0 && !narrow->wide && wide->wide && wide->used != 0); /* A34 */
    VIDMM_VERIFY(!tables->format.zero_entries ||
                 narrow->zeroes + (wide->zeroes << VIDMM_WIDE_SHIFT) != narrow->length); /* A9 */
    for (index = 0; narrow->used != 0 && index < narrow->length; index++)
        VIDMM_VERIFY(vidmm_page_table_kind(narrow, index) == VIDMM_ENTRY_INVALID ||
                     vidmm_page_table_kind(wide, index >> VIDMM_WIDE_SHIFT) ==
                         VIDMM_ENTRY_INVALID); /* A34 */
}

static void check_below(const struct vidmm_page_tables *tables,
                        const struct vidmm_page_table *table, struct counts *counts)
{
    uint32_t entries = vidmm_page_table_entries(tables, table), index, used = 0, zeroes = 0;

    counts->owed += table->owes ? 1 : 0;
    counts->tables[table->level]++;
    counts->homeless[table->level] += table->memory == 0;
    if (table->level == 0)
        count_leaf(table, entries, &used, &zeroes);
    for (index = 0; table->level > 0 && index < entries; index++) {
        struct vidmm_page_table *child, *second = vidmm_page_table_second(table, index);

        VIDMM_VERIFY(!second || vidmm_page_table_kind(table, index) == VIDMM_ENTRY_TABLE);
        if (!table->entries[index].table)
            continue;
        used++;
        switch (vidmm_page_table_entry(table, index, &child)) {
        case VIDMM_ENTRY_ZERO:
            zeroes++;
            break;
        case VIDMM_ENTRY_PAGES:
            counts->owed++;
            break;
        case VIDMM_ENTRY_TABLE:
            check_child(tables, table, index, child);
            check_below(tables, child, counts);
            if (second) {
                check_child(tables, table, index, second);
                check_below(tables, second, counts);
                check_pair(tables, child, second);
            }
            break;
        case VIDMM_ENTRY_INVALID:
            break;
        }
    }
    VIDMM_VERIFY(used == table->used && zeroes == table->zeroes); /* A8 */
    VIDMM_VERIFY(
        (table->fresh || table->dirty_first != table->dirty_end) ==
        (table->next || table->previous || tables->dirty[table->level].first == table)); /* A10 */
}

/* Those that the GPU knows are the first. A33 */
static void check_known(const struct vidmm_page_table_list *queue)
{
    const struct vidmm_page_table *table = queue->first;
    bool known = queue->known != NULL;

    for (; table; table = table->next) {
        VIDMM_VERIFY(vidmm_page_table_is_known(table) == known);
        known = known && table != queue->known;
    }
    VIDMM_VERIFY(!known); /* `known` is in the queue */
}

static void check_queue(const struct vidmm_page_table_list *queue)
{
    const struct vidmm_page_table *table = queue->first;

    for (; table != queue->homeless; table = table->next) {
        VIDMM_VERIFY(table);                                /* `homeless` is in the queue */
        VIDMM_VERIFY(table->memory != 0 || table->leaving); /* A32 */
    }
}

void vidmm_page_tables_check(const struct vidmm_page_tables *tables)
{
    struct counts counts = {0};
    uint32_t level;

    check_below(tables, tables->root, &counts);
    VIDMM_VERIFY(counts.owed == tables->owed && tables->spares[0] >= counts.owed); /* A13 */
    for (level = 0; level < tables->format.levels; level++) {
        VIDMM_VERIFY(counts.tables[level] == tables->count[level]);      /* A12 */
        VIDMM_VERIFY(counts.homeless[level] == tables->homeless[level]); /* A24 */
        check_queue(&tables->dirty[level]);
        check_known(&tables->dirty[level]);
    }
}
