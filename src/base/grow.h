/* grow.h: arrays that grow by doubling, a table by small numbers for example. */
#ifndef VIDMM_GROW_H
#define VIDMM_GROW_H

#include <stddef.h>
#include <stdint.h>

struct vidmm_memory;

/* The slow half of vidmm_grow(): `index` is not below `capacity`. */
void *vidmm_grown(const struct vidmm_memory *memory, void *array, uint32_t *capacity,
                  uint32_t index, size_t element_size);

/*
 * Make room for the element `index`. An array begins as NULL with capacity 0; new elements are all
 * zero. It is given back to `memory` by its owner.
 *
 * Answers the array, which is another one if it had to grow: the one before has been given back,
 * and `capacity` has changed. NULL: no memory, or `index` is beyond 2^31; array and capacity are as
 * they were.
 */
static inline void *vidmm_grow(const struct vidmm_memory *memory, void *array, uint32_t *capacity,
                               uint32_t index, size_t element_size)
{
    return index < *capacity ? array : vidmm_grown(memory, array, capacity, index, element_size);
}

#endif
