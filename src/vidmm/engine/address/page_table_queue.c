/* page_table_queue.c: tables in the queue of their level.
 *
 *     first --> table --> table --> homeless --> table --> last
 *               have memory         the next that wants some is here, or behind it
 *
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

void vidmm_page_table_unlist(struct vidmm_page_table_list *list, struct vidmm_page_table *table)
{
    if (list->homeless == table)
        list->homeless = table->next; /* A32 */
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
