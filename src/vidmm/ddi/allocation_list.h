/* allocation_list.h: the allocation list of a DMA buffer, with the places of what it names. */
#ifndef VIDMM_DDI_ALLOCATION_LIST_H
#define VIDMM_DDI_ALLOCATION_LIST_H

#include <stdint.h>

struct vidmm_dma_buffer;
struct vidmm_place;
struct vidmm_render_reference;

/* Fill the list with what is known of places now; Patch will have what is true then. `references`
 * has as many elements as the list. The mutex is not held. */
void vidmm_ddi_fill_list(struct vidmm_dma_buffer *dma_buffer,
                         const struct vidmm_render_reference *references);
/* Write the place of a reference into its element; nothing for a reference that no list shows. */
void vidmm_ddi_placed(struct vidmm_dma_buffer *dma_buffer, uint32_t index,
                      struct vidmm_place place);

#endif
