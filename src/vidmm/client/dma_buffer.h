/* dma_buffer.h: the DMA buffers of a context. */
#ifndef VIDMM_CLIENT_DMA_BUFFER_H
#define VIDMM_CLIENT_DMA_BUFFER_H

#include <wddm/d3dukmdt_types.h>

struct vidmm_adapter;
struct vidmm_context;
struct _DXGK_CONTEXTINFO;

/* Elements of the allocation list of a present. */
#define VIDMM_PRESENT_LIST (DXGK_PRESENT_DESTINATION_INDEX + 1u)

/* Make all of a context's, as its driver described them; may wait until they have their places.
 * Refused: those that exist go with vidmm_dma_buffers_finish(). */
NTSTATUS vidmm_dma_buffers_init(struct vidmm_context *context,
                                const struct _DXGK_CONTEXTINFO *info);
/* Give them back. None is in use. */
void vidmm_dma_buffers_finish(struct vidmm_context *context);

#endif
