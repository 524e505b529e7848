#include "trace/grow.h"

#include <string.h>

#include "base/assert.h"

#define LEAST 256u

bool vidmm_grow(const struct vidmm_memory *memory, void **array, uint32_t *capacity, uint32_t index,
                size_t element_size)
{
    uint32_t larger = *capacity == 0 ? LEAST : *capacity;

    if (index < *capacity)
        return true;
    while (larger <= index && larger <= UINT32_MAX / 2)
        larger *= 2;
    if (larger <= index)
        return false;
    void *grown = memory->allocate(memory->context, larger * element_size);
    if (grown == NULL)
        return false;
    if (*array != NULL) {
        memcpy(grown, *array, *capacity * element_size);
        memory->free(memory->context, *array);
    }
    VIDMM_ASSERT(larger > *capacity);
    *array = grown;
    *capacity = larger;
    return true;
}
