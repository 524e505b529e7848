/* witness.h: primaries that commands have written and do not list; witness.c. The mutex is held. */
#ifndef VIDMM_CLIENT_WITNESS_H
#define VIDMM_CLIENT_WITNESS_H

#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_allocation;
struct vidmm_dma_buffer;

/* The DMA buffer goes to its node: note where the primaries are that its commands may write. */
void vidmm_witness_submitted(struct vidmm_dma_buffer *dma_buffer, uint32_t node, uint32_t fence);
/* It is done with; if it has been executed, tell of primaries that it has written and not listed.
 * It is watched. */
void vidmm_witness_retired(struct vidmm_dma_buffer *dma_buffer, NTSTATUS status);
/* It is destroyed, and may leave its place before the GPU is done: nobody asks about it. */
void vidmm_witness_forget(struct vidmm_allocation *allocation);

#endif
