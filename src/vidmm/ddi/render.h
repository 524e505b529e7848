/* render.h: DxgkDdiRender and DxgkDdiPresent, which fill a DMA buffer. */
#ifndef VIDMM_DDI_RENDER_H
#define VIDMM_DDI_RENDER_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_dma_buffer;
struct _D3DDDI_PATCHLOCATIONLIST;
struct vidmm_present;

/* How far the driver came: ends of what it wrote, as it answered them. */
struct vidmm_dma_answer {
    const void *end, *private_end;
    const struct _D3DDDI_PATCHLOCATIONLIST *patches;
};

/* Whether the driver has DxgkDdiRender. */
bool vidmm_ddi_renders(const struct vidmm_adapter *adapter);
/* Whether the driver has DxgkDdiPresent. */
bool vidmm_ddi_presents(const struct vidmm_adapter *adapter);
/* Have the DMA buffer filled from a command buffer, or by a copy of surfaces, with what is left of
 * it from *multipass on. The driver's status; *multipass and *answer are what it has left there,
 * and are not judged. The caller is inside the driver (ddi/gate.h). */
NTSTATUS vidmm_ddi_render(struct vidmm_dma_buffer *dma_buffer, const void *command,
                          uint32_t command_length, UINT *multipass,
                          struct vidmm_dma_answer *answer);
NTSTATUS vidmm_ddi_present(struct vidmm_dma_buffer *dma_buffer, const struct vidmm_present *copy,
                           UINT *multipass, struct vidmm_dma_answer *answer);

#endif
