/* host_pages.c: a table with an entry a page; each is in one list, by page numbers.
 *
 *     first_free -> 4 -> 1 -> end        a chain: first -> ... -> end
 *
 * The page that was given back last is taken first. Nothing is searched for, and nothing allocated.
 *
 * Invariants (G belongs to segment.c and page_runs.c as well)
 * HP1. Each page is in the list of the free ones, and has no owner, or in one chain, all of whose
 *     pages have one owner. `free` counts the former.
 */
#include "vidmm/engine/space/host_pages.h"

#include "base/assert.h"

bool vidmm_host_pages_init(struct vidmm_host_pages *table, uint32_t count,
                           const struct vidmm_memory *memory)
{
    uint32_t page;

    *table = (struct vidmm_host_pages){.first_free = VIDMM_NO_HOST_PAGE};
    if (count == 0)
        return true;
    table->pages = memory->allocate(memory->context, (uint64_t)count * sizeof(*table->pages));
    if (!table->pages)
        return false;
    for (page = 0; page < count; page++)
        table->pages[page].next = page + 1 < count ? page + 1 : VIDMM_NO_HOST_PAGE;
    table->first_free = 0;
    table->count = table->free = count;
    return true;
}

void vidmm_host_pages_finish(struct vidmm_host_pages *table, const struct vidmm_memory *memory)
{
    if (table->pages)
        memory->free(memory->context, table->pages);
    *table = (struct vidmm_host_pages){.first_free = VIDMM_NO_HOST_PAGE};
}

uint32_t vidmm_host_pages_take(struct vidmm_host_pages *table, uint32_t owner, uint32_t count)
{
    uint32_t first = table->first_free, last = first, index;

    VIDMM_ASSERT(owner != 0 && count > 0);
    if (count > table->free)
        return VIDMM_NO_HOST_PAGE;
    for (index = 0; index < count; index++) {
        last = index == 0 ? first : table->pages[last].next;
        table->pages[last].owner = owner;
    }
    table->first_free = table->pages[last].next;
    table->pages[last].next = VIDMM_NO_HOST_PAGE;
    table->free -= count;
    return first;
}

void vidmm_host_pages_release(struct vidmm_host_pages *table, uint32_t first)
{
    uint32_t page = first, last = first;

    VIDMM_ASSERT(first < table->count && table->pages[first].owner != 0); /* HP1 */
    for (; page != VIDMM_NO_HOST_PAGE; page = table->pages[page].next) {
        table->pages[page].owner = 0;
        table->free++;
        last = page;
    }
    table->pages[last].next = table->first_free;
    table->first_free = first;
}

void vidmm_host_pages_trim(struct vidmm_host_pages *table, uint32_t first, uint32_t count)
{
    uint32_t last = first, rest;

    VIDMM_ASSERT(first < table->count && table->pages[first].owner != 0 && count > 0); /* HP1 */
    while (--count > 0)
        last = table->pages[last].next;
    rest = table->pages[last].next;
    table->pages[last].next = VIDMM_NO_HOST_PAGE;
    if (rest != VIDMM_NO_HOST_PAGE)
        vidmm_host_pages_release(table, rest);
}

uint32_t vidmm_host_pages_next(const struct vidmm_host_pages *table, uint32_t page)
{
    VIDMM_ASSERT(page < table->count && table->pages[page].owner != 0); /* HP1 */
    return table->pages[page].next;
}

uint32_t vidmm_host_pages_length(const struct vidmm_host_pages *table, uint32_t first)
{
    uint32_t length = 0;

    for (; first != VIDMM_NO_HOST_PAGE; first = table->pages[first].next)
        length++;
    return length;
}

void vidmm_host_pages_check(const struct vidmm_host_pages *table)
{
    uint32_t page, free = 0;

    for (page = table->first_free; page != VIDMM_NO_HOST_PAGE; page = table->pages[page].next) {
        VIDMM_VERIFY(page < table->count && table->pages[page].owner == 0); /* HP1 */
        VIDMM_VERIFY(++free <= table->free);                                /* HP1 */
    }
    VIDMM_VERIFY(free == table->free); /* HP1 */
    for (page = 0; page < table->count; page++) {
        uint32_t next = table->pages[page].next;

        free -= table->pages[page].owner == 0 ? 1 : 0;
        VIDMM_VERIFY(next == VIDMM_NO_HOST_PAGE || next < table->count); /* HP1 */
        VIDMM_VERIFY(next == VIDMM_NO_HOST_PAGE ||
                     table->pages[next].owner == table->pages[page].owner); /* HP1 */
    }
    VIDMM_VERIFY(free == 0); /* HP1 */
}
