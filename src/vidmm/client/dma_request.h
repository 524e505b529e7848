/* dma_request.h: what a driver is asked to turn into DMA buffers, between render.c, which knows
 * the queue, and the two calls that fill a DMA buffer.
 *
 *     vidmm_render()     a command buffer     DxgkDdiRender    \
 *                                                                > DMA buffer, patch locations >
 *                                                                queue
 *     vidmm_present()    a copy of surfaces   DxgkDdiPresent   /
 *
 * A request lives on the stack of the thread that makes it. Source: DXGKARG_RENDER,
 * DXGKARG_PRESENT.
 */
#ifndef VIDMM_CLIENT_DMA_REQUEST_H
#define VIDMM_CLIENT_DMA_REQUEST_H

#include "vidmm/object/adapter.h"

/* How far the driver came: ends of what it wrote, as it answered them. */
struct vidmm_dma_answer {
    const void *end, *private_end;
    const D3DDDI_PATCHLOCATIONLIST *patches;
};

/* Elements of the allocation list of a present. */
#define VIDMM_PRESENT_LIST (DXGK_PRESENT_DESTINATION_INDEX + 1u)

struct vidmm_dma_request {
    const struct vidmm_render_reference *references;
    uint32_t count;
    bool present;            /* it is a present, and Patch and SubmitCommand are told */
    const char *call_status; /* "status of DxgkDdi..." and so on, for refusals */
    const char *call_end, *call_patch;
    /* Make the call with what is left of the request, from *multipass on, and answer its status. */
    NTSTATUS(*ask)
    (const struct vidmm_dma_request *request, struct vidmm_dma_buffer *dma_buffer, UINT *multipass,
     struct vidmm_dma_answer *answer);
    const void *command; /* what is to be rendered */
    uint32_t command_length;
    const struct vidmm_present *copy; /* what is to be presented */
};

/* Queue as many DMA buffers as the request needs. As vidmm_render() says. */
NTSTATUS vidmm_dma_request(struct vidmm_context *context, const struct vidmm_dma_request *request,
                           bool wait, uint64_t *value, struct vidmm_report *report);

/* The handle that both calls are made with. */
HANDLE vidmm_dma_request_context(const struct vidmm_context *context);

#endif
