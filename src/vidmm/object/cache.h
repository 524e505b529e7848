/* cache.h: the processor's caches, where a device does not see them. Nothing here fails. */
#ifndef VIDMM_OBJECT_CACHE_H
#define VIDMM_OBJECT_CACHE_H

#include <stdbool.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_backing;
struct vidmm_wish;

/* Whether the manager has to flush for it: S0-019, S0-032. */
bool vidmm_cache_is_incoherent(const struct vidmm_adapter *adapter, const struct vidmm_wish *wish,
                               const struct vidmm_backing *backing);
/* The GPU is about to use what the CPU may have written, by a DMA buffer or a transfer. */
void vidmm_cache_give(struct vidmm_allocation *allocation, bool gpu_writes);
/* The CPU is about to use what the GPU may have written. */
void vidmm_cache_take(struct vidmm_allocation *allocation);

#endif
