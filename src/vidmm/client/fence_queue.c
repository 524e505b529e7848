/* fence_queue.c: waits for monitored fences and signals of them, in the queue of a context.
 *
 * They take no DMA buffer and no value of the context: the engine keeps them in the order of the
 * queue, and the miniport never hears of them.
 *
 * Source: D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU, D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2;
 * rules D-189, D-251.
 */
#include <vidmm/fence.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/fence.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/pump/pump.h"

static NTSTATUS enqueue(struct vidmm_context *context, uint32_t kind,
                        const struct vidmm_fence_point *points, uint32_t count,
                        struct vidmm_report *report)
{
    struct vidmm_device *device = context->device;
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_event event = {.kind = kind};
    struct vidmm_fence_list_of list;
    NTSTATUS status = vidmm_fence_points(device, points, count, kind == VIDMM_EVENT_QUEUE_SIGNAL,
                                         &list, &event, report);

    if (status != STATUS_SUCCESS)
        return status;
    event.fences.context = context->id;
    vidmm_adapter_lock(adapter);
    status = adapter->stopped ? STATUS_DEVICE_REMOVED : vidmm_pump_step(adapter, &event);
    context->has_fences = true;
    vidmm_pump_and_unlock(adapter);
    return status == STATUS_SUCCESS ? status
                                    : vidmm_fence_refuse(device, points, count, status, report);
}

NTSTATUS vidmm_context_wait_for_fences(struct vidmm_context *context,
                                       const struct vidmm_fence_point *points, uint32_t count,
                                       struct vidmm_report *report)
{
    return enqueue(context, VIDMM_EVENT_QUEUE_WAIT, points, count, report);
}

NTSTATUS vidmm_context_signal_fences(struct vidmm_context *context,
                                     const struct vidmm_fence_point *points, uint32_t count,
                                     struct vidmm_report *report)
{
    return enqueue(context, VIDMM_EVENT_QUEUE_SIGNAL, points, count, report);
}
