/* hw_queue.h: hardware queues, whose commands the GPU itself chooses among, from WDDM 2.4 on.
 *
 *     context, made with VIDMM_CONTEXT_HW_QUEUES
 *        |--- queue   commands 1, 2, 3 ... in order      progress fence: 2
 *        '--- queue   commands 1, 2 ...    in order      progress fence: 1
 *
 * The manager hands commands to the driver when it is their turn in their queue and what the device
 * lists is in place; queues do not wait for one another. Each submission names an id, greater than
 * the one before it. When the commands are done the progress fence of the queue has that value: on
 * a node with RingBufferFenceRelease the GPU or its driver sees to that, on others the commands end
 * with the write of it.
 *
 * Ownership: a queue belongs to its context, and goes with it. Everything may be called by any
 * thread, but nobody may name a queue that is being destroyed. After any answer but success nothing
 * has changed.
 *
 * Sources: DXGKARG_CREATEHWQUEUE, DXGKARG_SUBMITCOMMANDTOHWQUEUE, D3DKMT_CREATEHWQUEUE,
 * D3DKMT_SUBMITCOMMANDTOHWQUEUE, D3DDDI_CREATEHWQUEUEFLAGS, DXGK_NODEMETADATA_FLAGS.
 */
#ifndef VIDMM_HW_QUEUE_H
#define VIDMM_HW_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;
struct vidmm_command;
struct vidmm_context;
struct vidmm_device;
struct vidmm_fence;
struct vidmm_fence_point;
struct vidmm_hw_queue;
struct vidmm_report;

/* Bits of D3DDDI_CREATEHWQUEUEFLAGS. The second and the third are about broadcasts of a runtime,
 * which are no calls of this library: they are handed to the driver. */
#define VIDMM_HW_QUEUE_NO_TIMEOUT 1u /* its commands may take any time */
#define VIDMM_HW_QUEUE_NO_BROADCAST_SIGNAL 2u
#define VIDMM_HW_QUEUE_NO_BROADCAST_WAIT 4u

/* How many queues a node of the adapter has at most; 0: it has no hardware queues. */
uint32_t vidmm_hw_queues_of(const struct vidmm_adapter *adapter, uint32_t node);

/* Create a context that has hardware queues, and no commands besides. As vidmm_context_create();
 * STATUS_NOT_SUPPORTED: the node has no hardware queues. Source: HwQueueSupported of
 * DXGK_CREATECONTEXTFLAGS. */
NTSTATUS vidmm_hw_context_create(struct vidmm_device *device, uint32_t node, void *private_data,
                                 uint32_t private_data_size, struct vidmm_context **context,
                                 struct vidmm_report *report);

/* Create a queue of such a context. flags: VIDMM_HW_QUEUE_...; private_data (may be NULL) goes to
 * the driver, which may answer in place. STATUS_INVALID_PARAMETER: a flag that there is not, a
 * context without hardware queues, `queue` is NULL; STATUS_GRAPHICS_NO_VIDEO_MEMORY: the node has
 * as many queues as vidmm_hw_queues_of() says; STATUS_NO_MEMORY; why the device is in error; or the
 * driver's answer. */
NTSTATUS vidmm_hw_queue_create(struct vidmm_context *context, uint32_t flags, void *private_data,
                               uint32_t private_data_size, struct vidmm_hw_queue **queue,
                               struct vidmm_report *report);
/* Destroy it, once its commands are done. Takes NULL. */
void vidmm_hw_queue_destroy(struct vidmm_hw_queue *queue);

/* Its progress fence: a monitored fence that programs wait for, and do not signal. It goes with the
 * queue, and is not to be destroyed. */
struct vidmm_fence *vidmm_hw_queue_fence(const struct vidmm_hw_queue *queue);
/* The address at which the GPU reads and writes the fence, in the process of the queue's device. */
uint64_t vidmm_hw_queue_fence_address(const struct vidmm_hw_queue *queue);

/* Queue commands. id: the value of the progress fence when they are done, greater than those
 * submitted before. Otherwise as vidmm_submit_command(). */
NTSTATUS vidmm_hw_queue_submit(struct vidmm_hw_queue *queue, const struct vidmm_command *command,
                               uint64_t id, bool wait, struct vidmm_report *report);
/* As vidmm_context_wait_for_fences() and vidmm_context_signal_fences(), for what is queued here. */
NTSTATUS vidmm_hw_queue_wait_for_fences(struct vidmm_hw_queue *queue,
                                        const struct vidmm_fence_point *points, uint32_t count,
                                        struct vidmm_report *report);
NTSTATUS vidmm_hw_queue_signal_fences(struct vidmm_hw_queue *queue,
                                      const struct vidmm_fence_point *points, uint32_t count,
                                      struct vidmm_report *report);

#ifdef __cplusplus
}
#endif

#endif
