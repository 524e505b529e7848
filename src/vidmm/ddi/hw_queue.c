/* hw_queue.c: hardware queues, as the miniport has them.
 *
 *     submit:  id 7, fence 0x21      id 8, fence 0x24         progress fence in memory: 7
 *                    |                                               |
 *     engine:  FENCE node, 0x21  <-- read when fences were signaled -'
 *
 * The ids are a program's, 64 bits, a sequence a queue; the engine knows its own fences alone. Each
 * place of a queue holds both.
 *
 * Source: DXGKARG_CREATEHWQUEUE, DXGKARG_SUBMITCOMMANDTOHWQUEUE, DXGK_NODEMETADATA_FLAGS,
 * DXGKARGCB_NOTIFY_INTERRUPT_DATA.
 */
#include "vidmm/ddi/hw_queue.h"

#include <stdatomic.h>
#include <string.h>

#include <vidmm/host.h>
#include <vidmm/plan.h>
#include <wddm/d3dkmddi_hwqueue.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/gate.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/packet.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/fence.h"
#include "vidmm/object/hw_queue.h"
#include "vidmm/object/mutex.h"

#include "base/assert.h"
#include "wddm/level.h"

/* ---- which nodes have them ------------------------------------------------------------------- */

static bool has_entries(const DRIVER_INITIALIZATION_DATA *driver)
{
    return driver->DxgkDdiCreateHwQueue && driver->DxgkDdiDestroyHwQueue &&
           driver->DxgkDdiSubmitCommandToHwQueue;
}

void vidmm_ddi_hw_note_node(struct vidmm_adapter *adapter, uint32_t node,
                            const DXGK_NODEMETADATA *metadata)
{
    struct vidmm_miniport *miniport = adapter->miniport;
    uint32_t limit = metadata->Flags.MaxInFlightHwQueueBuffers;

    if (adapter->level < VIDMM_LEVEL(2, 4) || !metadata->Flags.ContextSchedulingSupported ||
        !has_entries(&miniport->driver) || adapter->model != VIDMM_MODEL_GPU_MMU ||
        vidmm_adapter_is_linked(adapter) || miniport->caps.SchedulingCaps.No64BitAtomics)
        return;
    miniport->hw_nodes |= UINT64_C(1) << node;
    if (adapter->level >= VIDMM_LEVEL(2, 5) && limit != 0 &&
        (miniport->hw_limit == 0 || limit < miniport->hw_limit))
        miniport->hw_limit = limit;
}

/* ---- making ---------------------------------------------------------------------------------- */

NTSTATUS vidmm_ddi_create_hw_queue(struct vidmm_hw_queue *queue, uint32_t flags, void *private_data,
                                   uint32_t private_data_size)
{
    struct vidmm_adapter *adapter = queue->lane->device->adapter;
    DXGKARG_CREATEHWQUEUE arguments;
    NTSTATUS status;

    VIDMM_ASSERT(queue->lane->id != 0 && queue->fence);
    memset(&arguments, 0, sizeof(arguments));
    arguments.hHwQueue = (HANDLE)(uintptr_t)vidmm_handle_of(adapter->number, queue->lane->id);
    arguments.Flags.Value = flags;
    arguments.PrivateDriverDataSize = private_data_size;
    arguments.pPrivateDriverData = private_data;
    arguments.hHwQueueProgressFence = vidmm_handle_of(adapter->number, queue->fence->id);
    arguments.HwQueueProgressFenceCPUVirtualAddress = (void *)vidmm_fence_at(queue->fence);
    arguments.HwQueueProgressFenceGPUVirtualAddress = queue->fence_address;
    vidmm_driver_enter(adapter);
    status = adapter->miniport->driver.DxgkDdiCreateHwQueue(queue->context->h_context, &arguments);
    vidmm_driver_leave(adapter);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_adapter_lock(adapter);
    queue->h_queue = arguments.hHwQueue;
    queue->ready = true;
    vidmm_adapter_unlock(adapter);
    return status;
}

void vidmm_ddi_destroy_hw_queue(const struct vidmm_hw_queue *queue)
{
    struct vidmm_adapter *adapter = queue->lane->device->adapter;

    if (!queue->ready)
        return;
    vidmm_driver_enter(adapter);
    adapter->miniport->driver.DxgkDdiDestroyHwQueue(queue->h_queue);
    vidmm_driver_leave(adapter);
}

/* ---- packets --------------------------------------------------------------------------------- */

NTSTATUS vidmm_ddi_submit_to_hw_queue(struct vidmm_adapter *adapter,
                                      struct vidmm_dma_buffer *dma_buffer,
                                      const struct vidmm_packet *packet)
{
    const struct vidmm_hw_queue *queue = dma_buffer->context->hw;
    DXGKARG_SUBMITCOMMANDTOHWQUEUE arguments;

    VIDMM_ASSERT(adapter->pumping && packet->fence != 0 && packet->start == 0);
    memset(&arguments, 0, sizeof(arguments));
    arguments.hHwQueue = queue->h_queue;
    arguments.HwQueueProgressFenceId = dma_buffer->progress;
    arguments.DmaBufferVirtualAddress = packet->address;
    arguments.DmaBufferSize = packet->end;
    if (packet->private_end > 0)
        arguments.pDmaBufferPrivateData = packet->memory->private_data;
    arguments.DmaBufferPrivateDataSize = packet->private_end;
    arguments.Flags.NullRendering = packet->null_rendering;
    arguments.HwQueueProgressFenceGpuVa = queue->fence_address;
    arguments.HwQueueProgressFenceCpuVa = (void *)vidmm_fence_at(queue->fence);
    dma_buffer->fence = packet->fence; /* before the call: it may be done inside it */
    return adapter->miniport->driver.DxgkDdiSubmitCommandToHwQueue(adapter->miniport->h_adapter,
                                                                   &arguments);
}

/* ---- how far they are ------------------------------------------------------------------------ */

/* The fence of the newest packet that is done and has not been told; 0: there is none. */
static uint32_t newest_done(const struct vidmm_hw_queue *queue)
{
    uint64_t value = atomic_load(vidmm_fence_at(queue->fence)), newest = 0;
    const struct vidmm_context *lane = queue->lane;
    uint32_t fence = 0, index;

    for (index = 0; index < lane->dma_buffer_count; index++) {
        const struct vidmm_dma_buffer *place = &lane->dma_buffers[index];

        if (place->busy && place->fence != 0 && place->progress <= value &&
            place->progress > newest) {
            newest = place->progress;
            fence = place->fence;
        }
    }
    return fence;
}

bool vidmm_ddi_hw_queue_next(struct vidmm_adapter *adapter, struct vidmm_event *event)
{
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    for (index = 0; index < adapter->hw_queue_count; index++) {
        struct vidmm_hw_queue *queue = adapter->hw_queues[index];
        uint32_t fence = queue && queue->ready ? newest_done(queue) : 0;

        if (fence == 0 || fence == queue->told)
            continue;
        queue->told = fence;
        *event = (struct vidmm_event){.kind = VIDMM_EVENT_FENCE};
        event->fence.node = queue->lane->node;
        event->fence.fence = fence;
        return true;
    }
    return false;
}

NTSTATUS vidmm_ddi_hw_queue_fence(struct vidmm_adapter *adapter, uint32_t node, uint32_t *fence)
{
    const struct vidmm_hw_queue *queue;
    NTSTATUS status = STATUS_NOT_SUPPORTED;

    VIDMM_ASSERT(node >= adapter->node_count);
    vidmm_adapter_lock(adapter);
    queue = adapter->hw_queues[node - adapter->node_count];
    *fence = queue && queue->ready ? newest_done(queue) : 0;
    if (*fence != 0)
        status = STATUS_SUCCESS;
    else if (queue && queue->timeless)
        status = STATUS_PENDING;
    vidmm_adapter_unlock(adapter);
    return status;
}

/* The kernel's handle of a queue is the number of its lane. */
static const struct vidmm_hw_queue *find(const struct vidmm_adapter *adapter, const void *handle)
{
    uint32_t index;

    for (index = 0; index < adapter->hw_queue_count; index++) {
        const struct vidmm_hw_queue *queue = adapter->hw_queues[index];

        if (queue && queue->ready &&
            (uintptr_t)handle == vidmm_handle_of(adapter->number, queue->lane->id))
            return queue;
    }
    return NULL;
}

void vidmm_ddi_hw_queue_fault(const struct vidmm_adapter *adapter,
                              const struct vidmm_notice *notice, struct vidmm_event *event)
{
    const struct vidmm_hw_queue *queue = find(adapter, notice->queue);
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if ((notice->flags & VIDMM_FAULT_FENCE_INVALID) != 0)
        return; /* the handle means nothing, and the node is the driver's */
    event->fault.node = queue ? queue->lane->node : UINT32_MAX;
    event->fault.fence = 0;
    for (index = 0; queue && index < queue->lane->dma_buffer_count; index++) {
        const struct vidmm_dma_buffer *place = &queue->lane->dma_buffers[index];

        if (place->busy && place->progress == notice->progress)
            event->fault.fence = place->fence;
    }
}
