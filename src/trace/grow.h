/* grow.h: arrays that grow by doubling. */
#ifndef VIDMM_TRACE_GROW_H
#define VIDMM_TRACE_GROW_H

#include <stdbool.h>
#include <stdint.h>

#include <vidmm/memory.h>

/*
 * Make room for the element `index`; new elements are all zero. An array begins as NULL, with
 * capacity 0, and is given back to `memory`.
 *
 * False: no memory, or no number is so large; array and capacity are as they were.
 */
bool vidmm_grow(const struct vidmm_memory *memory, void **array, uint32_t *capacity, uint32_t index,
                size_t element_size);

#endif
