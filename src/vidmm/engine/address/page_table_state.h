/* page_table_state.h: declarations that the sources of the page tables share. Private to
 * page_table*.c. */
#ifndef VIDMM_ENGINE_ADDRESS_PAGE_TABLE_STATE_H
#define VIDMM_ENGINE_ADDRESS_PAGE_TABLE_STATE_H

#include "vidmm/engine/address/page_table.h"

/* A word of entries: 32 of a leaf, two bits each, or one of a table above it. */
union vidmm_page_table_entries {
    uint64_t kinds;
    struct vidmm_page_table *table;
};

/* An entry above a leaf that says zero. */
#define VIDMM_PAGE_TABLE_ZERO ((struct vidmm_page_table *)(uintptr_t)1)

/* An entry of level 1 that is a large page. */
#define VIDMM_PAGE_TABLE_LARGE ((struct vidmm_page_table *)(uintptr_t)2)

/* Pages of 4 KiB below an entry of the level, of a leaf of 4 KiB, are 2^shift. */
uint32_t vidmm_page_table_shift(const struct vidmm_page_tables *tables, uint32_t level);

/* Pages of 4 KiB below an entry of the table are 2^shift. */
static inline uint32_t vidmm_page_table_entry_shift(const struct vidmm_page_tables *tables,
                                                    const struct vidmm_page_table *table)
{
    return table->wide ? VIDMM_WIDE_SHIFT : vidmm_page_table_shift(tables, table->level);
}

/* Whether the table, which is not leaving, is in the queue of its level (A10). */
static inline bool vidmm_page_table_is_listed(const struct vidmm_page_table *table)
{
    return table->fresh || table->dirty_first != table->dirty_end;
}

/* Whether the GPU may find the table, and what is dirty of it is not written early (A33). */
static inline bool vidmm_page_table_is_known(const struct vidmm_page_table *table)
{
    return !table->leaving && !table->fresh && !table->early;
}

static inline enum vidmm_entry vidmm_page_table_kind(const struct vidmm_page_table *table,
                                                     uint32_t index)
{
    struct vidmm_page_table *child;

    return vidmm_page_table_entry(table, index, &child);
}

/* Make a table in which each entry says `kind`; a record of it was prepared. `wide`: a leaf of
 * 64 KiB, which stands alone. */
struct vidmm_page_table *vidmm_page_table_make(struct vidmm_page_tables *tables, uint32_t level,
                                               bool wide, struct vidmm_page_table *parent,
                                               uint32_t index, enum vidmm_entry kind);
/* Nothing leads to the table any more, nor to what is below it: all of it is `kind` now, or PAGES
 * that stay where they are. */
void vidmm_page_table_drop(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                           enum vidmm_entry kind);
/* Let the entry say something else, and count. `child`: of TABLE. */
void vidmm_page_table_say(struct vidmm_page_table *table, uint32_t index, enum vidmm_entry kind,
                          struct vidmm_page_table *child);
/* Entries [first, end) are to be written. */
void vidmm_page_table_make_dirty(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                                 uint32_t first, uint32_t end);
/* Let the pages [from, to) of a leaf say `kind`. */
void vidmm_page_table_set_leaf(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                               uint64_t from, uint64_t to, enum vidmm_entry kind);
/* Let the entry say `kind` of all its addresses; it is not TABLE. A large page is another one than
 * before. */
void vidmm_page_table_set_entry(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                                uint32_t index, enum vidmm_entry kind);
/* Whether the GPU may remember an entry that says `kind`. */
bool vidmm_page_table_may_be_held(const struct vidmm_page_tables *tables, enum vidmm_entry kind);
/* Whether the GPU may remember the way to a leaf, or what that has taken the place of. */
bool vidmm_page_table_may_be_led_to(const struct vidmm_page_tables *tables,
                                    const struct vidmm_page_table *table);

/* Whether a leaf of 64 KiB can say `kind`, of pages as large as `most`. */
static inline bool vidmm_page_table_says_wide(const struct vidmm_page_tables *tables,
                                              enum vidmm_entry kind, enum vidmm_page_size most)
{
    if (!tables->format.wide_pages)
        return false;
    return kind == VIDMM_ENTRY_PAGES ? most != VIDMM_PAGE_4K
                                     : kind == VIDMM_ENTRY_INVALID || tables->format.zero_entries;
}

/* Let the pages [from, to) below an entry of a table with pairs say `kind`: page_table_pair.c. */
void vidmm_page_table_set_pair(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                               uint32_t index, uint64_t from, uint64_t to, enum vidmm_entry kind,
                               enum vidmm_page_size most);
/* A pair has changed: the entry may say all of it now, or one leaf is enough. */
void vidmm_page_table_close_pair(struct vidmm_page_tables *tables, struct vidmm_page_table *table,
                                 uint32_t index);

/* The GPU may hold translations of these pages. */
void vidmm_page_tables_forget(struct vidmm_page_tables *tables, uint64_t first, uint64_t end);
/* Put a table at the end of a queue; take it out. */
void vidmm_page_table_append(struct vidmm_page_table_list *list, struct vidmm_page_table *table);
void vidmm_page_table_unlist(struct vidmm_page_table_list *list, struct vidmm_page_table *table);
/* Put a table into the queue of its level; it is in it, and the GPU knows it now, or no more. */
void vidmm_page_table_enqueue(struct vidmm_page_tables *tables, struct vidmm_page_table *table);
void vidmm_page_table_requeue(struct vidmm_page_tables *tables, struct vidmm_page_table *table);
/* A table that was invalidated goes from its queue to those that have left. */
void vidmm_page_table_leave(struct vidmm_page_tables *tables, struct vidmm_page_table *table);

#endif
