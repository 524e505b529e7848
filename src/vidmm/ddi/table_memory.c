/* table_memory.c: where page tables are, as the miniport is told of them. */
#include "vidmm/ddi/table_memory.h"

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"

#include "base/assert.h"

#define FIRST_BUCKETS 64u

struct vidmm_table_page {
    struct vidmm_backing backing;
    uint32_t table;                /* id */
    struct vidmm_table_page *next; /* in its bucket, or among those put aside */
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
    if (vidmm_backing_init(&page->backing, adapter, VIDMM_PAGE_SIZE, false,
                           vidmm_ddi_table_caching(adapter)) == STATUS_SUCCESS) {
        if (vidmm_backing_map(&page->backing, host))
            return page;
        vidmm_backing_finish(&page->backing, host);
    }
    vidmm_free(host, page);
    return NULL;
}

static void free_page(struct vidmm_adapter *adapter, struct vidmm_table_page *page)
{
    vidmm_backing_finish(&page->backing, adapter->host);
    vidmm_free(adapter->host, page);
}

static void put_aside(struct vidmm_table_pages *pages, struct vidmm_table_page *page)
{
    page->next = pages->aside;
    pages->aside = page;
}

static struct vidmm_table_page *take_aside(struct vidmm_table_pages *pages)
{
    struct vidmm_table_page *page = pages->aside;

    VIDMM_ASSERT(page); /* it was put aside with the table's record */
    pages->aside = page->next;
    return page;
}

/* Give back the pages that no record needs. */
static void trim(struct vidmm_adapter *adapter)
{
    struct vidmm_table_pages *pages = pages_of(adapter);

    while (pages->pages > pages->records && pages->aside) {
        free_page(adapter, take_aside(pages));
        pages->pages--;
    }
}

/* Put one more page aside, if the next record needs it. False: no memory. */
static bool add_page(struct vidmm_adapter *adapter)
{
    struct vidmm_table_pages *pages = pages_of(adapter);
    struct vidmm_table_page *page;

    if (!pages->buckets) {
        pages->buckets =
            vidmm_allocate(adapter->host, FIRST_BUCKETS * sizeof(struct vidmm_table_page *));
        pages->bucket_count = pages->buckets ? FIRST_BUCKETS : 0;
    }
    if (!pages->buckets)
        return false;
    if (pages->pages > pages->records)
        return true; /* the page of a table that has left */
    page = new_page(adapter);
    if (!page)
        return false;
    put_aside(pages, page);
    pages->pages++;
    return true;
}

/* As struct vidmm_memory has it, for a step of the engine. */
static void *take_record(void *context, size_t size)
{
    struct vidmm_adapter *adapter = context;
    void *record = vidmm_allocate(adapter->host, size);

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if (!record)
        return NULL;
    if (!add_page(adapter)) {
        vidmm_free(adapter->host, record);
        return NULL;
    }
    pages_of(adapter)->records++;
    return record;
}

/* Likewise; also while the engine is destroyed, when nobody else is there. */
static void free_record(void *context, void *record)
{
    struct vidmm_adapter *adapter = context;

    vidmm_free(adapter->host, record);
    pages_of(adapter)->records--;
    trim(adapter);
}

const struct vidmm_memory *vidmm_table_memory_backing(struct vidmm_adapter *adapter)
{
    struct vidmm_memory *backing = &pages_of(adapter)->backing;

    *backing =
        (struct vidmm_memory){.context = adapter, .allocate = take_record, .free = free_record};
    return backing;
}

/* ---- pages of tables ------------------------------------------------------------------------- */

static struct vidmm_table_page **bucket_of(const struct vidmm_table_pages *pages, uint32_t table)
{
    return &pages->buckets[table & (pages->bucket_count - 1)];
}

/* NULL: it has none. */
static struct vidmm_table_page *find(const struct vidmm_table_pages *pages, uint32_t table)
{
    struct vidmm_table_page *page = pages->buckets ? *bucket_of(pages, table) : NULL;

    while (page && page->table != table)
        page = page->next;
    return page;
}

static void add(struct vidmm_table_pages *pages, struct vidmm_table_page *page)
{
    struct vidmm_table_page **bucket = bucket_of(pages, page->table);

    page->next = *bucket;
    *bucket = page;
}

/* Make more buckets where they have become long. Without memory they stay long. */
static void spread(struct vidmm_adapter *adapter)
{
    struct vidmm_table_pages *pages = pages_of(adapter);
    struct vidmm_table_page **old = pages->buckets, *page;
    uint32_t count = pages->bucket_count, index;

    if (pages->in_buckets < 2 * count)
        return;
    pages->buckets =
        vidmm_allocate(adapter->host, 2 * (size_t)count * sizeof(struct vidmm_table_page *));
    if (!pages->buckets) {
        pages->buckets = old;
        return;
    }
    pages->bucket_count = 2 * count;
    for (index = 0; index < count; index++)
        while ((page = old[index]) != NULL) {
            old[index] = page->next;
            add(pages, page);
        }
    vidmm_free(adapter->host, old);
}

/* The page of a table, which becomes its own. */
static struct vidmm_table_page *page_of(struct vidmm_adapter *adapter, uint32_t table)
{
    struct vidmm_table_pages *pages = pages_of(adapter);
    struct vidmm_table_page *page = find(pages, table);

    VIDMM_ASSERT(table >= VIDMM_TABLE_IDS && adapter->pumping);
    if (page)
        return page;
    vidmm_adapter_lock(adapter);
    page = take_aside(pages);
    vidmm_backing_reach(adapter, &page->backing);
    page->table = table;
    add(pages, page);
    pages->in_buckets++;
    spread(adapter);
    vidmm_adapter_unlock(adapter);
    return page;
}

void vidmm_table_memory_release(struct vidmm_adapter *adapter, uint32_t table)
{
    struct vidmm_table_pages *pages = pages_of(adapter);
    struct vidmm_table_page *page = find(pages, table), **link;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter) && table >= VIDMM_TABLE_IDS);
    if (!page)
        return; /* it was in a memory segment */
    link = bucket_of(pages, table);
    while (*link != page)
        link = &(*link)->next;
    *link = page->next;
    pages->in_buckets--;
    vidmm_backing_part(&page->backing, adapter->host);
    put_aside(pages, page);
    trim(adapter);
}

void vidmm_table_memory_finish(struct vidmm_adapter *adapter)
{
    struct vidmm_table_pages *pages = pages_of(adapter);
    uint32_t index;

    for (index = 0; index < pages->bucket_count; index++)
        while (pages->buckets[index]) {
            struct vidmm_table_page *page = pages->buckets[index];

            pages->buckets[index] = page->next;
            put_aside(pages, page);
        }
    while (pages->aside)
        free_page(adapter, take_aside(pages));
    vidmm_free(adapter->host, pages->buckets);
    pages->buckets = NULL;
    pages->bucket_count = pages->in_buckets = 0;
    pages->pages = 0; /* the records go with the engine */
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
    *memory = (struct vidmm_table_memory){.offset = vidmm_backing_address(&page->backing),
                                          .cpu = page->backing.address};
}

void vidmm_table_memory_find(struct vidmm_adapter *adapter, uint32_t table,
                             struct vidmm_place place, struct vidmm_table_memory *memory)
{
    if (place.segment != 0)
        fill_in_segment(adapter, place, memory);
    else
        fill_in_page(page_of(adapter, table), memory);
}

void vidmm_table_memory_known(struct vidmm_adapter *adapter, uint32_t table,
                              struct vidmm_place place, struct vidmm_table_memory *memory)
{
    const struct vidmm_table_page *page = find(pages_of(adapter), table);

    if (place.segment != 0) {
        fill_in_segment(adapter, place, memory);
        return;
    }
    VIDMM_ASSERT(page);
    fill_in_page(page, memory);
}

bool vidmm_table_memory_is_known(struct vidmm_adapter *adapter, uint32_t table,
                                 struct vidmm_place place)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    return place.segment != 0 || find(pages_of(adapter), table);
}
