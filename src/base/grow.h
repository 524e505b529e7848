/* grow.h: arrays that grow by doubling, a table by small numbers for example. */
#ifndef VIDMM_GROW_H
#define VIDMM_GROW_H

#include <stddef.h>
#include <stdint.h>

struct vidmm_memory;

/*
 * Make room for the element `index`. An array begins as NULL with capacity 0; new elements are all
 * zero. It is given back to `memory` by its owner.
 *
 * Answers the array, which is another one if it had to grow: the one before has been given back,
 * and `capacity` has changed. NULL: no memory, or `index` is beyond 2^31; array and capacity are as
 * they were.
 */
void *vidmm_grow(const struct vidmm_memory *memory, void *array, uint32_t *capacity, uint32_t index,
                 size_t element_size);

#endif
