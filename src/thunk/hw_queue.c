/* hw_queue.c: hardware queues of a context.
 *
 * A context for them is made by D3DKMTCreateContextVirtual with HwQueueSupported; it is what
 * hHwContext names. D3DKMTCreateHwContext is another way, and the driver's half of it has no page.
 */
#include <vidmm/fence.h>
#include <vidmm/hw_queue.h>
#include <wddm/d3dkmthk_hwqueue.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"
#include "thunk/sync.h"

static NTSTATUS check_new(const D3DKMT_CREATEHWQUEUE *arguments)
{
    if (arguments->Flags.NoKmdAccess || arguments->Flags.Reserved != 0)
        return vidmm_thunk_refuse("Flags is 0x%x; expected DisableGpuTimeout (1), "
                                  "NoBroadcastSignal (2), NoBroadcastWait (4)",
                                  arguments->Flags.Value);
    if (arguments->pPrivateDriverData == NULL && arguments->PrivateDriverDataSize != 0)
        return vidmm_thunk_refuse("pPrivateDriverData is NULL, and its size is %u",
                                  arguments->PrivateDriverDataSize);
    return STATUS_SUCCESS;
}

/* Objects for a queue and for its fence, which is only waited for. */
static NTSTATUS add_queue(struct vidmm_thunk_process *process, struct vidmm_thunk_object *context,
                          struct vidmm_hw_queue *queue, D3DKMT_CREATEHWQUEUE *arguments)
{
    struct vidmm_thunk_sync sync = {.type = D3DDDI_MONITORED_FENCE,
                                    .fence = vidmm_hw_queue_fence(queue),
                                    .borrowed = true,
                                    .event = -1};
    struct vidmm_thunk_object *object, *fence;
    NTSTATUS status = vidmm_thunk_add(process, context, VIDMM_THUNK_HW_QUEUE, queue, &object);

    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_sync_add(process, object, &sync, &fence);
    if (status != STATUS_SUCCESS) {
        vidmm_thunk_cancel(process, object);
        return status;
    }
    arguments->hHwQueue = object->handle;
    arguments->hHwQueueProgressFence = fence->handle;
    arguments->HwQueueProgressFenceCPUVirtualAddress =
        (void *)(uintptr_t)vidmm_fence_address(sync.fence);
    arguments->HwQueueProgressFenceGPUVirtualAddress = vidmm_hw_queue_fence_address(queue);
    vidmm_thunk_show(process, object);
    return status;
}

NTSTATUS vidmm_thunk_CreateHwQueue(struct vidmm_thunk_process *process,
                                   D3DKMT_CREATEHWQUEUE *arguments)
{
    struct vidmm_thunk_object *context;
    struct vidmm_hw_queue *queue;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_new(arguments);
    if (status != STATUS_SUCCESS)
        return status;
    context = vidmm_thunk_find_and_hold(process, arguments->hHwContext, VIDMM_THUNK_CONTEXT,
                                        "hHwContext");
    if (context == NULL)
        return STATUS_INVALID_PARAMETER;
    status =
        vidmm_hw_queue_create(context->of, arguments->Flags.Value, arguments->pPrivateDriverData,
                              arguments->PrivateDriverDataSize, &queue, vidmm_thunk_report());
    if (status == STATUS_SUCCESS) {
        status = add_queue(process, context, queue, arguments);
        if (status != STATUS_SUCCESS)
            vidmm_hw_queue_destroy(queue);
    }
    vidmm_thunk_let_go(process, context);
    return status;
}

NTSTATUS vidmm_thunk_DestroyHwQueue(struct vidmm_thunk_process *process,
                                    D3DKMT_DESTROYHWQUEUE *arguments)
{
    struct vidmm_thunk_object *queue;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    queue = vidmm_thunk_remove(process, arguments->hHwQueue, VIDMM_THUNK_HW_QUEUE, "hHwQueue");
    if (queue == NULL)
        return STATUS_INVALID_PARAMETER;
    vidmm_hw_queue_destroy(queue->of);
    vidmm_thunk_forget(process, queue);
    return STATUS_SUCCESS;
}
