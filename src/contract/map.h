/*
 * map.h: from a handle, or a pair of handles, to a record of the shadow.
 *
 * Open addressing with linear probing; deletion closes the gap, so there are no tombstones. The map
 * holds pointers and owns none of them.
 *
 * Private to src/contract.
 */
#ifndef VIDMM_CONTRACT_MAP_H
#define VIDMM_CONTRACT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vidmm_map_entry {
    const void *scope; /* NULL, or the handle within which `key` is one */
    const void *key;
    void *value; /* NULL: the entry is free */
};

/* All zero is an empty map. */
struct vidmm_map {
    struct vidmm_map_entry *entries;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
};

/* Free the table; its targets are the caller's. */
void vidmm_map_finish(struct vidmm_map *map);

/* Find a value; NULL: there is none. */
void *vidmm_map_find(const struct vidmm_map *map, const void *scope, const void *key);

/* Set the value, not NULL, of a key, in place of one that it may have. False: no memory; nothing
 * has changed. */
bool vidmm_map_set(struct vidmm_map *map, const void *scope, const void *key, void *value);

/* Forget a key. Answers what its value was; NULL: there was none. */
void *vidmm_map_remove(struct vidmm_map *map, const void *scope, const void *key);

#endif
