/* dma_request.h: the request that a driver turns into DMA buffers, between render.c, which knows
 * the queue, and the two calls that fill a DMA buffer (ddi/render.h).
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

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_context;
struct vidmm_report;

struct vidmm_dma_request {
    const struct vidmm_render_reference *references;
    uint32_t count;
    const char *call_status; /* "status of DxgkDdi..." and so on, for refusals */
    const char *call_end, *call_patch;
    const struct vidmm_present *copy; /* the copy to present; NULL: it is no present */
    const void *command;              /* the commands to render */
    uint32_t command_length;
};

/* Queue as many DMA buffers as the request needs. As vidmm_render() says. */
NTSTATUS vidmm_dma_request(struct vidmm_context *context, const struct vidmm_dma_request *request,
                           bool wait, uint64_t *value, struct vidmm_report *report);

#endif
