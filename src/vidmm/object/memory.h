/* memory.h: blocks of memory, from the host. */
#ifndef VIDMM_OBJECT_MEMORY_H
#define VIDMM_OBJECT_MEMORY_H

#include <stddef.h>

#include <vidmm/host.h>

/* Allocate a zeroed block. NULL: no memory. The caller gives it back with vidmm_free(). */
static inline void *vidmm_allocate(const struct vidmm_host *host, size_t size)
{
    return host->memory.allocate(host->memory.context, size);
}

/* Give a block back; takes NULL. */
static inline void vidmm_free(const struct vidmm_host *host, void *block)
{
    if (block)
        host->memory.free(host->memory.context, block);
}

#endif
