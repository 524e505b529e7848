/* queue.h: the queue of a context: which of its DMA buffers are in use.
 *
 *     slot of value v = (v - 1) % dma_buffer_count        completed      next_value
 *                                                             |              |
 *     values  1 2 3 4 5 6 7 8 9 ...                ... done   v  in use  ... v  free
 */
#ifndef VIDMM_CLIENT_QUEUE_H
#define VIDMM_CLIENT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_context;
struct vidmm_dma_buffer;
struct vidmm_report;

/* The DMA buffer of the next value; only who has begun may touch it. */
struct vidmm_dma_buffer *vidmm_queue_next(struct vidmm_context *context);
/* Begin to render: one thread a context, and a free DMA buffer. wait: until there is one. The
 * status of the device, STATUS_DEVICE_REMOVED, STATUS_DEVICE_BUSY or STATUS_TIMEOUT: nothing has
 * begun. The mutex is not held. */
NTSTATUS vidmm_queue_begin(struct vidmm_context *context, bool wait);
/* Say why nothing has begun, by the status that vidmm_queue_begin() has answered, and answer it. */
NTSTATUS vidmm_queue_refuse(struct vidmm_context *context, NTSTATUS status,
                            struct vidmm_report *report);
/* End what was begun. */
void vidmm_queue_end(struct vidmm_context *context);
/* The GPU has done with a DMA buffer, or will never begin it. The mutex is held. */
void vidmm_context_retired(struct vidmm_dma_buffer *dma_buffer, NTSTATUS status);

#endif
