/* patch_list.h: the patch locations that the driver has left with a DMA buffer. */
#ifndef VIDMM_DDI_PATCH_LIST_H
#define VIDMM_DDI_PATCH_LIST_H

#include <wddm/wddm_types.h>

struct vidmm_dma_buffer;
struct vidmm_report;

/* Check the patch locations, and put them into the engine's numbers (`patches`).
 * STATUS_INVALID_PARAMETER: one is impossible; the report names `what`, and the number. */
NTSTATUS vidmm_patch_list_take(struct vidmm_dma_buffer *dma_buffer, const char *what,
                               struct vidmm_report *report);

#endif
