/* page_table_queue.c: tables in the queue of their level.
 *
 *     first --> known --> table --> table --> homeless --> table --> last
 *     the GPU knows them            have memory            the next that wants some is here, or
 *                                                          behind it
 *
 * Those that the GPU knows are looked for in each step, and found at once: they are the first.
 * Tables get memory in the order of the queue. The place of the last search is kept, so that they
 * are passed once, and not by each search: those of a process that was never submitted stay in the
 * queue with their memory (A28), thousands of them.
 */
#include <base/assert.h>

#include "vidmm/engine/address/page_table_state.h"

void vidmm_page_table_append(struct vidmm_page_table_list *list, struct vidmm_page_table *table)
{
    table->next = NULL;
    table->previous = list->last;
    if (list->last)
        list->last->next = table;
    else
        list->first = table;
    list->last = table;
    if (!list->homeless)
        list->homeless = table; /* A32 */
}

/* Put a table behind those that the GPU knows. */
static void insert_known(struct vidmm_page_table_list *list, struct vidmm_page_table *table)
{
    table->previous = list->known;
    table->next = list->known ? list->known->next : list->first;
    if (table->previous)
        table->previous->next = table;
    else
        list->first = table;
    if (table->next)
        table->next->previous = table;
    else
        list->last = table;
    list->known = table; /* A33 */
    if (table->memory == 0)
        list->homeless = list->first; /* A32 */
}

void vidmm_page_table_enqueue(struct vidmm_page_tables *tables, struct vidmm_page_table *table)
{
    struct vidmm_page_table_list *list = &tables->dirty[table->level];

    if (vidmm_page_table_is_known(table))
        insert_known(list, table);
    else
        vidmm_page_table_append(list, table);
}

void vidmm_page_table_requeue(struct vidmm_page_tables *tables, struct vidmm_page_table *table)
{
    vidmm_page_table_unlist(&tables->dirty[table->level], table);
    vidmm_page_table_enqueue(tables, table);
}

void vidmm_page_table_unlist(struct vidmm_page_table_list *list, struct vidmm_page_table *table)
{
    if (list->homeless == table)
        list->homeless = table->next; /* A32 */
    if (list->known == table)
        list->known = table->previous; /* A33 */
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

struct vidmm_page_table *vidmm_page_tables_homeless(struct vidmm_page_tables *tables)
{
    uint32_t level;

    for (level = 0; level < tables->format.levels; level++) {
        struct vidmm_page_table_list *list = &tables->dirty[level];

        while (list->homeless && (list->homeless->memory != 0 || list->homeless->leaving))
            list->homeless = list->homeless->next; /* A32 */
        if (list->homeless)
            return list->homeless;
        VIDMM_ASSERT(tables->homeless[level] == 0); /* A24: each is fresh, so it is dirty (A10) */
    }
    return NULL;
}
