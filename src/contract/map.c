/* map.c: from a handle, or a pair of handles, to a record of the shadow. */
#include "contract/map.h"

#include <stdlib.h>

static size_t home_of(const struct vidmm_map *map, const void *scope, const void *key)
{
    uint64_t hash = (uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15) ^ (uintptr_t)scope;

    hash ^= hash >> 32;
    hash *= UINT64_C(0xd6e8feb86659fd93);
    return (size_t)(hash >> 32) & (map->capacity - 1);
}

/* The entry of a key, or the free one where it would be. */
static struct vidmm_map_entry *entry_of(const struct vidmm_map *map, const void *scope,
                                        const void *key)
{
    size_t i = home_of(map, scope, key);

    while (map->entries[i].value != NULL &&
           (map->entries[i].key != key || map->entries[i].scope != scope))
        i = (i + 1) & (map->capacity - 1);
    return &map->entries[i];
}

void vidmm_map_finish(struct vidmm_map *map)
{
    free(map->entries);
    *map = (struct vidmm_map){0};
}

void *vidmm_map_find(const struct vidmm_map *map, const void *scope, const void *key)
{
    return map->count == 0 ? NULL : entry_of(map, scope, key)->value;
}

/* Keep the table at most three quarters full. */
static bool grow(struct vidmm_map *map)
{
    struct vidmm_map bigger = {.capacity = map->capacity == 0 ? 64 : map->capacity * 2,
                               .count = map->count};

    if (map->count * 4 < map->capacity * 3)
        return true;
    bigger.entries = calloc(bigger.capacity, sizeof *bigger.entries);
    if (bigger.entries == NULL)
        return false;
    for (size_t i = 0; i < map->capacity; i++)
        if (map->entries[i].value != NULL)
            *entry_of(&bigger, map->entries[i].scope, map->entries[i].key) = map->entries[i];
    free(map->entries);
    *map = bigger;
    return true;
}

bool vidmm_map_set(struct vidmm_map *map, const void *scope, const void *key, void *value)
{
    struct vidmm_map_entry *entry;

    if (!grow(map))
        return false;
    entry = entry_of(map, scope, key);
    if (entry->value == NULL)
        map->count++;
    *entry = (struct vidmm_map_entry){scope, key, value};
    return true;
}

void *vidmm_map_remove(struct vidmm_map *map, const void *scope, const void *key)
{
    struct vidmm_map_entry *entry;
    size_t gap, i;
    void *value;

    if (map->count == 0)
        return NULL;
    entry = entry_of(map, scope, key);
    value = entry->value;
    if (value == NULL)
        return NULL;
    map->count--;
    gap = (size_t)(entry - map->entries);
    entry->value = NULL;
    for (i = (gap + 1) & (map->capacity - 1); map->entries[i].value != NULL;
         i = (i + 1) & (map->capacity - 1)) {
        size_t home = home_of(map, map->entries[i].scope, map->entries[i].key);
        /* may the entry at i move to the gap: is its home not between the two? */
        if (((i - home) & (map->capacity - 1)) >= ((i - gap) & (map->capacity - 1))) {
            map->entries[gap] = map->entries[i];
            map->entries[i].value = NULL;
            gap = i;
        }
    }
    return value;
}
