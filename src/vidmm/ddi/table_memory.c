/* table_memory.c: where page tables are, as the miniport is told of them. */
#include "vidmm/ddi/table_memory.h"

#include <string.h>

#include <vidmm/host.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"

#include "base/assert.h"

#define FIRST_CAPACITY 64u

struct vidmm_table_page {
    struct vidmm_backing backing;
    struct vidmm_table_page *next; /* among those that are free */
};

static struct vidmm_table_pages *pages_of(struct vidmm_adapter *adapter)
{
    return &adapter->miniport->table_pages;
}

/* ---- pages of system memory ------------------------------------------------------------------ */

/* NULL: no memory. */
static struct vidmm_table_page *new_page(struct vidmm_adapter *adapter)
{
    const struct vidmm_host *host = adapter->host;
    struct vidmm_table_page *page = vidmm_allocate(host, sizeof(*page));

    if (!page)
        return NULL;
    if (vidmm_backing_init(&page->backing, host, VIDMM_PAGE_SIZE, adapter->highest_frame, false,
                           VIDMM_WRITE_COMBINED) == STATUS_SUCCESS) {
        if (vidmm_backing_map(&page->backing, host))
            return page;
        vidmm_backing_finish(&page->backing, host);
    }
    vidmm_free(host, page);
    return NULL;
}

/* Make the table of ids reach to the index. False: no memory. Nobody but the pump calls this, so
 * that the table does not grow twice. */
static bool grow(struct vidmm_adapter *adapter, uint32_t index)
{
    struct vidmm_table_pages *pages = pages_of(adapter);
    uint32_t capacity = pages->capacity != 0 ? pages->capacity : FIRST_CAPACITY;
    struct vidmm_table_page **table, **old = pages->by_id;

    if (index < pages->capacity)
        return true;
    while (capacity <= index)
        capacity *= 2;
    table = vidmm_allocate(adapter->host, capacity * sizeof(struct vidmm_table_page *));
    if (!table)
        return false;
    if (old)
        memcpy(table, old, pages->capacity * sizeof(struct vidmm_table_page *));
    vidmm_adapter_lock(adapter);
    pages->by_id = table;
    pages->capacity = capacity;
    vidmm_adapter_unlock(adapter);
    vidmm_free(adapter->host, old);
    return true;
}

static struct vidmm_table_page *take_free(struct vidmm_adapter *adapter)
{
    struct vidmm_table_pages *pages = pages_of(adapter);
    struct vidmm_table_page *page;

    vidmm_adapter_lock(adapter);
    page = pages->free;
    if (page)
        pages->free = page->next;
    vidmm_adapter_unlock(adapter);
    return page;
}

/* The page of a table, which is given one. NULL: no memory. */
static struct vidmm_table_page *page_of(struct vidmm_adapter *adapter, uint32_t table)
{
    struct vidmm_table_pages *pages = pages_of(adapter);
    uint32_t index = table - VIDMM_TABLE_IDS;

    VIDMM_ASSERT(table >= VIDMM_TABLE_IDS && adapter->pumping);
    if (!grow(adapter, index))
        return NULL;
    if (!pages->by_id[index])
        pages->by_id[index] = take_free(adapter);
    if (!pages->by_id[index])
        pages->by_id[index] = new_page(adapter);
    return pages->by_id[index];
}

void vidmm_table_memory_release(struct vidmm_adapter *adapter, uint32_t table)
{
    struct vidmm_table_pages *pages = pages_of(adapter);
    uint32_t index = table - VIDMM_TABLE_IDS;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter) && table >= VIDMM_TABLE_IDS);
    if (index >= pages->capacity || !pages->by_id[index])
        return; /* it was in a memory segment */
    pages->by_id[index]->next = pages->free;
    pages->free = pages->by_id[index];
    pages->by_id[index] = NULL;
}

static void free_page(struct vidmm_adapter *adapter, struct vidmm_table_page *page)
{
    vidmm_backing_finish(&page->backing, adapter->host);
    vidmm_free(adapter->host, page);
}

void vidmm_table_memory_finish(struct vidmm_adapter *adapter)
{
    struct vidmm_table_pages *pages = pages_of(adapter);
    uint32_t index;

    for (index = 0; index < pages->capacity; index++)
        if (pages->by_id[index])
            free_page(adapter, pages->by_id[index]);
    while (pages->free) {
        struct vidmm_table_page *page = pages->free;

        pages->free = page->next;
        free_page(adapter, page);
    }
    vidmm_free(adapter->host, pages->by_id);
    *pages = (struct vidmm_table_pages){.by_id = NULL};
}

/* ---- places ---------------------------------------------------------------------------------- */

static void fill_in_segment(const struct vidmm_adapter *adapter, struct vidmm_place place,
                            struct vidmm_table_memory *memory)
{
    uint8_t *cpu = adapter->segments[place.segment].cpu;

    VIDMM_ASSERT(place.segment <= adapter->segment_count);
    *memory = (struct vidmm_table_memory){
        .segment = place.segment, .offset = place.offset, .cpu = cpu ? cpu + place.offset : NULL};
}

static void fill_in_page(const struct vidmm_table_page *page, struct vidmm_table_memory *memory)
{
    *memory = (struct vidmm_table_memory){.offset = vidmm_backing_physical(&page->backing),
                                          .cpu = page->backing.address};
}

bool vidmm_table_memory_find(struct vidmm_adapter *adapter, uint32_t table,
                             struct vidmm_place place, struct vidmm_table_memory *memory)
{
    const struct vidmm_table_page *page;

    if (place.segment != 0) {
        fill_in_segment(adapter, place, memory);
        return true;
    }
    page = page_of(adapter, table);
    if (page)
        fill_in_page(page, memory);
    return page != NULL;
}

void vidmm_table_memory_known(struct vidmm_adapter *adapter, uint32_t table,
                              struct vidmm_place place, struct vidmm_table_memory *memory)
{
    const struct vidmm_table_pages *pages = pages_of(adapter);
    uint32_t index = table - VIDMM_TABLE_IDS;

    if (place.segment != 0) {
        fill_in_segment(adapter, place, memory);
        return;
    }
    VIDMM_ASSERT(index < pages->capacity && pages->by_id[index]);
    fill_in_page(pages->by_id[index], memory);
}
