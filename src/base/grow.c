#include "base/grow.h"

#include <string.h>

#include <vidmm/memory.h>

#include "base/assert.h"

#define LEAST 16u /* elements */

void *vidmm_grown(const struct vidmm_memory *memory, void *array, uint32_t *capacity,
                  uint32_t index, size_t element_size)
{
    uint32_t larger = *capacity == 0 ? LEAST : *capacity;

    VIDMM_ASSERT((array == NULL) == (*capacity == 0));
    VIDMM_ASSERT(index >= *capacity);
    while (larger <= index && larger <= UINT32_MAX / 2)
        larger *= 2;
    if (larger <= index)
        return NULL;
    void *grown = memory->allocate(memory->context, larger * element_size);
    if (grown == NULL)
        return NULL;
    if (array != NULL) {
        memcpy(grown, array, *capacity * element_size);
        memory->free(memory->context, array);
    }
    *capacity = larger;
    return grown;
}
