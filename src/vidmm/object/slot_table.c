/* slot_table.c: numbers for objects. */
#include "vidmm/object/slot_table.h"

#include <string.h>

#include <vidmm/memory.h>

#include "base/assert.h"

static bool grow(struct vidmm_slot_table *table, const struct vidmm_memory *memory)
{
    uint32_t capacity = table->capacity ? 2 * table->capacity : 64;
    struct vidmm_slot_entry *entries =
        memory->allocate(memory->context, capacity * sizeof(*entries));

    if (!entries)
        return false;
    if (table->entries) {
        memcpy(entries, table->entries, table->capacity * sizeof(*entries));
        memory->free(memory->context, table->entries);
    }
    table->entries = entries;
    table->capacity = capacity;
    return true;
}

bool vidmm_slot_take(struct vidmm_slot_table *table, const struct vidmm_memory *memory,
                     void *object, uint8_t type, uint32_t *index)
{
    VIDMM_ASSERT(object && type != VIDMM_HANDLE_NONE);
    if (table->first_free != 0) {
        *index = table->first_free - 1;
        table->first_free = table->entries[*index].next_free;
    } else {
        if (table->fresh == table->capacity && !grow(table, memory))
            return false;
        *index = table->fresh++;
    }
    table->entries[*index] = (struct vidmm_slot_entry){object, 0, type};
    return true;
}

void *vidmm_slot_find(const struct vidmm_slot_table *table, uint32_t index, uint8_t type)
{
    return index < table->fresh && table->entries[index].type == type ? table->entries[index].object
                                                                      : NULL;
}

void vidmm_slot_release(struct vidmm_slot_table *table, uint32_t index)
{
    VIDMM_ASSERT(index < table->fresh && table->entries[index].object);
    table->entries[index] = (struct vidmm_slot_entry){NULL, table->first_free, 0};
    table->first_free = index + 1;
}

void vidmm_slot_finish(struct vidmm_slot_table *table, const struct vidmm_memory *memory)
{
    VIDMM_ASSERT(table->fresh <= table->capacity);
    if (table->entries)
        memory->free(memory->context, table->entries);
    *table = (struct vidmm_slot_table){0};
}
