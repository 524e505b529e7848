/* paging_memory.h: the paging buffers, one a physical adapter, as their commands are written. */
#ifndef VIDMM_DDI_PAGING_MEMORY_H
#define VIDMM_DDI_PAGING_MEMORY_H

#include <stdint.h>

struct vidmm_adapter;
struct vidmm_paging_memory;

/* The memory of a paging buffer; 1 is the bootstrap buffer's. */
struct vidmm_paging_memory *vidmm_paging_memory(struct vidmm_adapter *adapter, uint32_t engine,
                                                uint32_t paging_buffer);
/* Begin it anew, if it has been submitted since: nothing is used of it. */
void vidmm_paging_refresh(const struct vidmm_adapter *adapter, struct vidmm_paging_memory *paging);
/* Forget what was built and never submitted: each paging buffer begins anew. */
void vidmm_paging_forget(struct vidmm_adapter *adapter);

#endif
