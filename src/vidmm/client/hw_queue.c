/* hw_queue.c: hardware queues, as programs have them.
 *
 *     create:   place --> lane --> fence --> the driver's queue --> the place is taken
 *     destroy:  what is queued ends --> the driver's queue --> fence, place
 *
 * A queue has a lane: a context of the manager's own, with a node of events of its own, so that the
 * arbiter, the waits and the signals treat it as any other queue.
 *
 * Source: D3DKMT_CREATEHWQUEUE, DXGKARG_CREATEHWQUEUE.
 */
#include "vidmm/client/hw_queue.h"

#include <vidmm/adapter.h>
#include <vidmm/fence.h>
#include <vidmm/hw_queue.h>
#include <vidmm/page.h>
#include <vidmm/process.h>
#include <wddm/d3dkmddi_context.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/context.h"
#include "vidmm/client/context_record.h"
#include "vidmm/client/submit_command.h"
#include "vidmm/ddi/hw_queue.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/fence.h"
#include "vidmm/object/hw_queue.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/fence_value.h"

#include "base/assert.h"

#define FLAGS                                                                                      \
    (VIDMM_HW_QUEUE_NO_TIMEOUT | VIDMM_HW_QUEUE_NO_BROADCAST_SIGNAL |                              \
     VIDMM_HW_QUEUE_NO_BROADCAST_WAIT)

uint32_t vidmm_hw_queues_of(const struct vidmm_adapter *adapter, uint32_t node)
{
    if (node >= adapter->node_count || (adapter->miniport->hw_nodes >> node & 1) == 0)
        return 0;
    return adapter->hw_queue_count / adapter->node_count;
}

/* ---- making ---------------------------------------------------------------------------------- */

static NTSTATUS check(const struct vidmm_context *context, uint32_t flags,
                      struct vidmm_report *report)
{
    if (!context || !context->makes_queues) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "context", context != NULL,
                                    "one that was made for hardware queues");
    }
    if ((flags & ~FLAGS) != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "flags", flags,
                                    "DisableGpuTimeout (1), NoBroadcastSignal (2), "
                                    "NoBroadcastWait (4)");
    }
    return vidmm_device_condition(context->device, report);
}

/* Take one of the node's places. False: they are all taken. */
static bool take_place(struct vidmm_hw_queue *queue, uint32_t node, uint32_t *place)
{
    struct vidmm_adapter *adapter = queue->context->device->adapter;
    uint32_t each = vidmm_hw_queues_of(adapter, node), end = (node + 1) * each;

    VIDMM_ASSERT(each > 0);
    vidmm_adapter_lock(adapter);
    for (*place = end - each; *place < end && adapter->hw_queues[*place]; (*place)++) {
    }
    if (*place < end)
        adapter->hw_queues[*place] = queue;
    vidmm_adapter_unlock(adapter);
    return *place < end;
}

static void give_place(struct vidmm_adapter *adapter, uint32_t place)
{
    VIDMM_ASSERT(place < adapter->hw_queue_count);
    vidmm_adapter_lock(adapter);
    adapter->hw_queues[place] = NULL;
    vidmm_adapter_unlock(adapter);
}

/* The pump looks at a queue in its place from the first packet on: all of it is there by then. */
static NTSTATUS make_lane(struct vidmm_hw_queue *queue, uint32_t place, struct vidmm_report *report)
{
    struct vidmm_context *context = queue->context;
    struct vidmm_device *device = context->device;
    DXGK_CONTEXTINFO info = {
        .DmaBufferSize = VIDMM_PAGE_SIZE, /* the driver writes none */
        .DmaBufferPrivateDataSize = context->dma_buffers[0].memory.private_size,
        .AllocationListSize = VIDMM_WRITTEN_PRIMARIES,
    };
    struct vidmm_context *lane = vidmm_context_new(device, device->adapter->node_count + place);
    NTSTATUS status;

    if (!lane)
        return STATUS_NO_MEMORY;
    status = vidmm_context_enter(lane, &info, report);
    if (status != STATUS_SUCCESS)
        return status;
    lane->hw = queue;
    vidmm_adapter_lock(device->adapter);
    queue->lane = lane;
    vidmm_adapter_unlock(device->adapter);
    return status;
}

static NTSTATUS make_fence(struct vidmm_hw_queue *queue, struct vidmm_report *report)
{
    struct vidmm_device *device = queue->context->device;
    struct vidmm_fence *fence;
    NTSTATUS status = vidmm_fence_create(device, 0, VIDMM_FENCE_NO_SIGNAL, &fence, report);

    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_fence_gpu_address(fence, device, &queue->fence_address, report);
    if (status != STATUS_SUCCESS) {
        vidmm_fence_destroy(fence);
        return status;
    }
    fence->of_hw_queue = true;
    queue->fence = fence;
    return status;
}

static NTSTATUS make_in_driver(struct vidmm_hw_queue *queue, uint32_t flags, void *private_data,
                               uint32_t private_data_size, struct vidmm_report *report)
{
    NTSTATUS status = vidmm_ddi_create_hw_queue(queue, flags, private_data, private_data_size);

    return status == STATUS_SUCCESS
               ? status
               : vidmm_report_refusal(report, status, "status of DxgkDdiCreateHwQueue",
                                      (uint32_t)status, "the driver refused a hardware queue");
}

/* Undo what there is of it. */
static void unmake(struct vidmm_hw_queue *queue, uint32_t place)
{
    struct vidmm_adapter *adapter = queue->context->device->adapter;

    if (queue->lane) {
        vidmm_context_destroy(queue->lane);
        return;
    }
    give_place(adapter, place);
    vidmm_free(adapter->host, queue);
}

NTSTATUS vidmm_hw_queue_create(struct vidmm_context *context, uint32_t flags, void *private_data,
                               uint32_t private_data_size, struct vidmm_hw_queue **result,
                               struct vidmm_report *report)
{
    struct vidmm_hw_queue *queue;
    uint32_t place = 0;
    NTSTATUS status;

    if (vidmm_report_null(result, "queue", report) ||
        vidmm_report_lacking(private_data, private_data_size, "private_data", report))
        return STATUS_INVALID_PARAMETER;
    status = check(context, flags, report);
    if (status != STATUS_SUCCESS)
        return status;
    queue = vidmm_allocate(context->device->adapter->host, sizeof(*queue));
    if (!queue)
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "flags", flags,
                                    "no memory for a hardware queue");
    queue->context = context;
    queue->timeless = (flags & VIDMM_HW_QUEUE_NO_TIMEOUT) != 0;
    if (!take_place(queue, context->node, &place)) {
        vidmm_free(context->device->adapter->host, queue);
        return vidmm_report_refusal(report, STATUS_GRAPHICS_NO_VIDEO_MEMORY, "node", context->node,
                                    "it has as many hardware queues as this version serves");
    }
    status = make_lane(queue, place, report);
    if (status == STATUS_SUCCESS)
        status = make_fence(queue, report);
    if (status == STATUS_SUCCESS)
        status = make_in_driver(queue, flags, private_data, private_data_size, report);
    if (status != STATUS_SUCCESS) {
        unmake(queue, place);
        return status;
    }
    *result = queue;
    return status;
}

/* ---- its end --------------------------------------------------------------------------------- */

void vidmm_hw_queue_finish(struct vidmm_context *context)
{
    struct vidmm_hw_queue *queue = context->hw;
    struct vidmm_adapter *adapter = context->device->adapter;

    if (!queue)
        return;
    vidmm_ddi_destroy_hw_queue(queue);
    give_place(adapter, context->node - adapter->node_count);
    if (queue->fence)
        queue->fence->of_hw_queue = false;
    vidmm_fence_destroy(queue->fence);
    context->hw = NULL;
    vidmm_free(adapter->host, queue);
}

/* obeys D-192: as long as a packet may be in the GPU the fence says how far that is */
void vidmm_hw_queue_give_up(const struct vidmm_context *lane)
{
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(lane->device->adapter));
    for (index = 0; index < lane->dma_buffer_count; index++)
        if (lane->dma_buffers[index].busy)
            return;
    vidmm_fence_value_raise(lane->hw->fence, UINT64_MAX);
}

struct vidmm_context *vidmm_hw_queue_lane(const struct vidmm_device *device,
                                          const struct vidmm_context *context)
{
    struct vidmm_context *lane;

    if (device->adapter->hw_queue_count == 0)
        return NULL;
    vidmm_adapter_lock(device->adapter);
    for (lane = device->contexts; lane; lane = lane->next)
        if (lane->hw && (!context || lane->hw->context == context))
            break;
    vidmm_adapter_unlock(device->adapter);
    return lane;
}

void vidmm_hw_queue_destroy(struct vidmm_hw_queue *queue)
{
    if (queue)
        vidmm_context_destroy(queue->lane);
}

/* ---- its use --------------------------------------------------------------------------------- */

struct vidmm_fence *vidmm_hw_queue_fence(const struct vidmm_hw_queue *queue)
{
    return queue->fence;
}

uint64_t vidmm_hw_queue_fence_address(const struct vidmm_hw_queue *queue)
{
    return queue->fence_address;
}

NTSTATUS vidmm_hw_queue_submit(struct vidmm_hw_queue *queue, const struct vidmm_command *command,
                               uint64_t id, bool wait, struct vidmm_report *report)
{
    uint64_t value;

    if (vidmm_report_null(queue, "queue", report))
        return STATUS_INVALID_PARAMETER;
    return vidmm_submit_commands(queue->lane, command, id, wait, &value, report);
}

NTSTATUS vidmm_hw_queue_wait_for_fences(struct vidmm_hw_queue *queue,
                                        const struct vidmm_fence_point *points, uint32_t count,
                                        struct vidmm_report *report)
{
    return vidmm_context_wait_for_fences(queue->lane, points, count, report);
}

NTSTATUS vidmm_hw_queue_signal_fences(struct vidmm_hw_queue *queue,
                                      const struct vidmm_fence_point *points, uint32_t count,
                                      struct vidmm_report *report)
{
    return vidmm_context_signal_fences(queue->lane, points, count, report);
}
