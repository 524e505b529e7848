/* handle_table.c: chunks of entries that never move, and a queue of free ones.
 *
 * A thread that finds compares the whole handle with that of the entry, so a handle made up, or one
 * of before, matches no entry.
 */
#include "thunk/handle_table.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t index_of(D3DKMT_HANDLE handle)
{
    return (handle >> 6) & 0xffffffu;
}

static D3DKMT_HANDLE make_handle(uint32_t index, uint8_t used)
{
    return (used & 0x3fu) | index << 6 | (uint32_t)(used >> 6) << 30;
}

static struct vidmm_handle_entry *entry_of(struct vidmm_handle_table *table, uint32_t index)
{
    struct vidmm_handle_entry *chunk =
        atomic_load_explicit(&table->chunks[index / VIDMM_HANDLE_CHUNK], memory_order_acquire);

    return chunk != NULL ? &chunk[index % VIDMM_HANDLE_CHUNK] : NULL;
}

void vidmm_handle_table_init(struct vidmm_handle_table *table)
{
    for (unsigned i = 0; i < VIDMM_HANDLE_CHUNKS; i++)
        atomic_init(&table->chunks[i], NULL);
    table->count = 1;
    table->oldest_free = table->newest_free = table->free_count = 0;
}

void vidmm_handle_table_finish(struct vidmm_handle_table *table)
{
    for (unsigned i = 0; i < VIDMM_HANDLE_CHUNKS; i++)
        free(atomic_load(&table->chunks[i]));
}

/* An entry that was never used; 0: no memory, or there are no more. */
static uint32_t new_entry(struct vidmm_handle_table *table)
{
    uint32_t chunk = table->count / VIDMM_HANDLE_CHUNK;

    if (chunk == VIDMM_HANDLE_CHUNKS)
        return 0;
    if (atomic_load(&table->chunks[chunk]) == NULL) {
        struct vidmm_handle_entry *entries = calloc(VIDMM_HANDLE_CHUNK, sizeof(*entries));

        if (entries == NULL)
            return 0;
        atomic_store_explicit(&table->chunks[chunk], entries, memory_order_release);
    }
    return table->count++;
}

static uint32_t oldest_free(struct vidmm_handle_table *table)
{
    uint32_t index = table->oldest_free;

    table->oldest_free = entry_of(table, index)->next_free;
    table->free_count--;
    return index;
}

D3DKMT_HANDLE vidmm_handle_table_add(struct vidmm_handle_table *table,
                                     struct vidmm_thunk_object *object)
{
    uint32_t index = 0;
    struct vidmm_handle_entry *entry;

    if (table->free_count <= VIDMM_HANDLE_QUARANTINE)
        index = new_entry(table);
    if (index == 0 && table->free_count > 0)
        index = oldest_free(table);
    if (index == 0)
        return 0;
    entry = entry_of(table, index);
    atomic_store_explicit(&entry->object, object, memory_order_relaxed);
    return make_handle(index, entry->used);
}

void vidmm_handle_table_show(struct vidmm_handle_table *table, D3DKMT_HANDLE handle)
{
    struct vidmm_handle_entry *entry = entry_of(table, index_of(handle));

    assert(handle == make_handle(index_of(handle), entry->used));
    atomic_store_explicit(&entry->handle, handle, memory_order_release);
}

struct vidmm_thunk_object *vidmm_handle_table_find(struct vidmm_handle_table *table,
                                                   D3DKMT_HANDLE handle)
{
    struct vidmm_handle_entry *entry = entry_of(table, index_of(handle));

    if (handle == 0 || entry == NULL ||
        atomic_load_explicit(&entry->handle, memory_order_acquire) != handle)
        return NULL;
    return atomic_load_explicit(&entry->object, memory_order_relaxed);
}

void vidmm_handle_table_remove(struct vidmm_handle_table *table, D3DKMT_HANDLE handle)
{
    uint32_t index = index_of(handle);
    struct vidmm_handle_entry *entry = entry_of(table, index);

    assert(handle == make_handle(index, entry->used));
    atomic_store(&entry->handle, 0);
    atomic_store(&entry->object, NULL);
    entry->used++;
    entry->next_free = 0;
    if (table->free_count++ == 0)
        table->oldest_free = index;
    else
        entry_of(table, table->newest_free)->next_free = index;
    table->newest_free = index;
}
