/* hw_queue.h: DxgkDdiCreateHwQueue, DxgkDdiSubmitCommandToHwQueue, and what a queue has come to.
 *
 * No report says which packet of a hardware queue has ended: the driver reports that monitored
 * fences were signaled, and the progress fence of each queue is read.
 */
#ifndef VIDMM_DDI_HW_QUEUE_H
#define VIDMM_DDI_HW_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct _DXGK_NODEMETADATA;
struct vidmm_adapter;
struct vidmm_dma_buffer;
struct vidmm_event;
struct vidmm_hw_queue;
struct vidmm_notice;
struct vidmm_packet;

/* Note what the driver says of a node: whether it has hardware queues. Called before there are
 * any. */
void vidmm_ddi_hw_note_node(struct vidmm_adapter *adapter, uint32_t node,
                            const struct _DXGK_NODEMETADATA *metadata);

/* Have the driver make the queue, and undo it. The fence is there. The driver's status. */
NTSTATUS vidmm_ddi_create_hw_queue(struct vidmm_hw_queue *queue, uint32_t flags, void *private_data,
                                   uint32_t private_data_size);
void vidmm_ddi_destroy_hw_queue(const struct vidmm_hw_queue *queue);

/* Append a packet to its queue. */
NTSTATUS vidmm_ddi_submit_to_hw_queue(struct vidmm_adapter *adapter,
                                      struct vidmm_dma_buffer *dma_buffer,
                                      const struct vidmm_packet *packet);

/* The next event that says to what a queue has come; false: all is known. The mutex is held, by who
 * pumps. */
bool vidmm_ddi_hw_queue_next(struct vidmm_adapter *adapter, struct vidmm_event *event);
/* The answer to VIDMM_DO_QUERY_FENCE of a queue. STATUS_NOT_SUPPORTED: nothing more than was told;
 * STATUS_PENDING: its packets may take any time. */
NTSTATUS vidmm_ddi_hw_queue_fence(struct vidmm_adapter *adapter, uint32_t node, uint32_t *fence);
/* The node and the fence of a page fault in a queue, by the report's handle and progress id. The
 * mutex is held. */
void vidmm_ddi_hw_queue_fault(const struct vidmm_adapter *adapter,
                              const struct vidmm_notice *notice, struct vidmm_event *event);

#endif
