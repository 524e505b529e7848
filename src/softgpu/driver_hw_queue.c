/*
 * Theory. The GPU has rings besides those of its nodes (config key hw_queues), and runs them beside
 * one another, each in order. A hardware queue is one of them as long as it lives. It needs no
 * place in the rings of the scheduler, and no preemption touches it.
 *
 *     SubmitCommandToHwQueue   id --> ids[n]; packet, fence n --> ring
 *     interrupt                ring: n is done --> progress fence: ids[n] --> NotifyInterrupt
 *
 * The nodes have RingBufferFenceRelease: the driver writes the progress fence when the GPU has done
 * with the DMA buffer, and programs need not.
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/d3dkmddi_hwqueue.h>
#include <wddm/ntstatus.h>

static UINT ring_of(const struct softgpu_adapter *adapter, UINT place)
{
    return adapter->registers->engine_count + place;
}

static UINT mask_of(const struct softgpu_adapter *adapter, UINT ring)
{
    return adapter->registers->engines[ring].slots - 1;
}

/* ---- CreateHwQueue --------------------------------------------------------------------------- */

static struct softgpu_hw_queue *new_queue(UINT slots)
{
    struct softgpu_hw_queue *queue;

    return softgpu_new_object(SOFTGPU_HW_QUEUE, sizeof(*queue) + slots * sizeof(queue->ids[0]));
}

/* Take a ring that nobody has. FALSE: there is none. */
static BOOLEAN take_ring(struct softgpu_adapter *adapter, struct softgpu_hw_queue *queue)
{
    for (UINT i = 0; i < adapter->registers->hw_queues; i++) {
        struct softgpu_hw_queue *nobody = NULL;

        queue->ring = ring_of(adapter, i);
        if (atomic_compare_exchange_strong(&adapter->hw_queues[i], &nobody, queue))
            return TRUE;
    }
    return FALSE;
}

NTSTATUS SoftgpuCreateHwQueue(HANDLE hHwContext, DXGKARG_CREATEHWQUEUE *pCreateHwQueue)
{
    struct softgpu_context *context = hHwContext;
    struct softgpu_adapter *adapter = context->device->adapter;
    struct softgpu_hw_queue *queue;

    if (context->kind != SOFTGPU_CONTEXT || !context->queues)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "CreateHwQueue: the context was made without HwQueueSupported");
    if (pCreateHwQueue->HwQueueProgressFenceCPUVirtualAddress == NULL ||
        pCreateHwQueue->HwQueueProgressFenceGPUVirtualAddress == 0)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "CreateHwQueue: the progress fence is nowhere");
    queue = new_queue(mask_of(adapter, ring_of(adapter, 0)) + 1); /* all rings are as long */
    if (queue == NULL)
        return STATUS_NO_MEMORY;
    queue->context = context;
    queue->dxgk_handle = pCreateHwQueue->hHwQueue;
    queue->progress = pCreateHwQueue->HwQueueProgressFenceCPUVirtualAddress;
    if (!take_ring(adapter, queue)) {
        softgpu_free_object(queue);
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    pCreateHwQueue->hHwQueue = queue;
    return STATUS_SUCCESS;
}

/* At device level: no report finds it from then on. */
static BOOLEAN leave_ring(PVOID SynchronizeContext)
{
    struct softgpu_hw_queue *queue = SynchronizeContext;
    struct softgpu_adapter *adapter = queue->context->device->adapter;

    atomic_store(&adapter->hw_queues[queue->ring - adapter->registers->engine_count], NULL);
    return TRUE;
}

NTSTATUS SoftgpuDestroyHwQueue(HANDLE hHwQueue)
{
    struct softgpu_hw_queue *queue = hHwQueue;
    struct softgpu_adapter *adapter = queue->context->device->adapter;
    BOOLEAN result = FALSE;

    adapter->dxgk.DxgkCbSynchronizeExecution(adapter->dxgk.DeviceHandle, leave_ring, queue, 0,
                                             &result);
    softgpu_free_object(queue);
    return STATUS_SUCCESS;
}

/* ---- SubmitCommandToHwQueue ------------------------------------------------------------------ */

static struct softgpu_packet packet_of(const struct softgpu_hw_queue *queue,
                                       const DXGKARG_SUBMITCOMMANDTOHWQUEUE *args)
{
    const struct softgpu_context *context = queue->context;
    const struct softgpu_process *process = context->device->process;

    return (struct softgpu_packet){
        .address = args->DmaBufferVirtualAddress,
        .size = args->DmaBufferSize,
        .fence = queue->given,
        .flags = SOFTGPU_PACKET_VIRTUAL | SOFTGPU_PACKET_FIRST |
                 (args->Flags.NullRendering ? SOFTGPU_PACKET_NULL : 0),
        .instance = context->engine,
        .owner = (uint64_t)(uintptr_t)context,
        .pasid = context->device->pasid,
        .root = context->root,
        .process = process != NULL ? (uint64_t)(uintptr_t)process->dxgk_handle : 0,
    };
}

NTSTATUS SoftgpuSubmitCommandToHwQueue(HANDLE hAdapter,
                                       const DXGKARG_SUBMITCOMMANDTOHWQUEUE *pSubmit)
{
    struct softgpu_adapter *adapter = hAdapter;
    struct softgpu_hw_queue *queue = pSubmit->hHwQueue;
    struct softgpu_packet packet;

    if (queue == NULL || queue->kind != SOFTGPU_HW_QUEUE)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "SubmitCommandToHwQueue: no hardware queue");
    if (pSubmit->HwQueueProgressFenceId <= queue->newest)
        return softgpu_refuse(
            adapter, STATUS_INVALID_PARAMETER, "SubmitCommandToHwQueue: id %llu after %llu",
            (unsigned long long)pSubmit->HwQueueProgressFenceId, (unsigned long long)queue->newest);
    if (pSubmit->HwQueueProgressFenceCpuVa != queue->progress)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "SubmitCommandToHwQueue: the progress fence is another");
    queue->given++;
    queue->newest = pSubmit->HwQueueProgressFenceId;
    queue->ids[queue->given & mask_of(adapter, queue->ring)] = queue->newest;
    packet = packet_of(queue, pSubmit);
    return softgpu_give_packet(adapter, queue->ring, &packet);
}

/* ---- reports --------------------------------------------------------------------------------- */

struct softgpu_hw_queue *softgpu_hw_queue_of(const struct softgpu_adapter *adapter, UINT ring)
{
    UINT nodes = adapter->registers->engine_count;

    return ring < nodes ? NULL : atomic_load(&adapter->hw_queues[ring - nodes]);
}

UINT64 softgpu_hw_queue_id(const struct softgpu_adapter *adapter,
                           const struct softgpu_hw_queue *queue, UINT fence)
{
    return queue->ids[fence & mask_of(adapter, queue->ring)];
}

BOOLEAN softgpu_report_progress(struct softgpu_adapter *adapter, UINT ring)
{
    const struct softgpu_hw_queue *queue = softgpu_hw_queue_of(adapter, ring);
    UINT64 completed = atomic_load(&adapter->registers->engines[ring].completed);
    struct softgpu_node *at = &adapter->nodes[ring];
    UINT run = (UINT)(completed >> 32);

    if (queue == NULL || run == at->reported)
        return FALSE;
    at->reported = run;
    atomic_store(queue->progress, softgpu_hw_queue_id(adapter, queue, (UINT)completed));
    return TRUE;
}
