/* hw_queue_work.c: commands, waits and signals in a hardware queue. */
#include <vidmm/fence.h>
#include <vidmm/hw_queue.h>
#include <vidmm/plan.h>
#include <wddm/d3dkmthk_hwqueue.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"
#include "thunk/submission.h"
#include "thunk/sync.h"

NTSTATUS vidmm_thunk_SubmitCommandToHwQueue(struct vidmm_thunk_process *process,
                                            D3DKMT_SUBMITCOMMANDTOHWQUEUE *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    return vidmm_thunk_submit(process, &(struct vidmm_thunk_submission){
                                           .queues = &arguments->hHwQueue,
                                           .queue_count = 1,
                                           .type = VIDMM_THUNK_HW_QUEUE,
                                           .member = "hHwQueue",
                                           .id = arguments->HwQueueProgressFenceId,
                                           .address = arguments->CommandBuffer,
                                           .length = arguments->CommandLength,
                                           .private_data = arguments->pPrivateDriverData,
                                           .private_data_size = arguments->PrivateDriverDataSize,
                                           .primaries = arguments->WrittenPrimaries,
                                           .primary_count = arguments->NumPrimaries});
}

/* Monitored fences alone: the structures have values for no others. Inside. */
static NTSTATUS find_points(struct vidmm_thunk_process *process, const D3DKMT_HANDLE *handles,
                            UINT count, const UINT64 *values, struct vidmm_fence_point *points)
{
    struct vidmm_thunk_object *first = NULL;

    if (values == NULL)
        return vidmm_thunk_refuse("FenceValueArray is NULL");
    if (count != 0 && handles != NULL)
        first = vidmm_thunk_find(process, handles[0], VIDMM_THUNK_SYNC,
                                 "an element of ObjectHandleArray");
    if (first != NULL && ((struct vidmm_thunk_sync *)first->of)->type != D3DDDI_MONITORED_FENCE)
        return vidmm_thunk_refuse("ObjectHandleArray[0] is 0x%x; expected a monitored fence",
                                  handles[0]);
    return vidmm_sync_points(process, handles, count, values, 0, points);
}

NTSTATUS
vidmm_thunk_SubmitWaitForSyncObjectsToHwQueue(struct vidmm_thunk_process *process,
                                              D3DKMT_SUBMITWAITFORSYNCOBJECTSTOHWQUEUE *arguments)
{
    struct vidmm_fence_point points[VIDMM_FENCES_AT_ONCE];
    struct vidmm_thunk_object *queue;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    vidmm_thunk_enter(process);
    queue = vidmm_thunk_find(process, arguments->hHwQueue, VIDMM_THUNK_HW_QUEUE, "hHwQueue");
    if (queue != NULL)
        status = find_points(process, arguments->ObjectHandleArray, arguments->ObjectCount,
                             arguments->FenceValueArray, points);
    if (status == STATUS_SUCCESS)
        status = vidmm_hw_queue_wait_for_fences(queue->of, points, arguments->ObjectCount,
                                                vidmm_thunk_report());
    vidmm_thunk_leave(process);
    return status;
}

static NTSTATUS check_signal(struct vidmm_thunk_process *process,
                             const D3DKMT_SUBMITSIGNALSYNCOBJECTSTOHWQUEUE *arguments)
{
    NTSTATUS status;

    if (arguments->Flags.Value != 0) {
        vidmm_thunk_refuse("Flags is 0x%x; this version takes none", arguments->Flags.Value);
        return arguments->Flags.Reserved != 0 ? STATUS_INVALID_PARAMETER : STATUS_NOT_SUPPORTED;
    }
    status =
        vidmm_thunk_check_broadcast(process, VIDMM_THUNK_SubmitSignalSyncObjectsToHwQueue,
                                    "BroadcastHwQueueCount", arguments->BroadcastHwQueueCount, 1);
    if (status == STATUS_SUCCESS && arguments->BroadcastHwQueueArray == NULL)
        return vidmm_thunk_refuse("BroadcastHwQueueArray is NULL");
    return status;
}

NTSTATUS
vidmm_thunk_SubmitSignalSyncObjectsToHwQueue(struct vidmm_thunk_process *process,
                                             D3DKMT_SUBMITSIGNALSYNCOBJECTSTOHWQUEUE *arguments)
{
    struct vidmm_fence_point points[VIDMM_FENCES_AT_ONCE];
    struct vidmm_thunk_object *queue;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_signal(process, arguments);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_thunk_enter(process);
    queue = vidmm_thunk_find(process, arguments->BroadcastHwQueueArray[0], VIDMM_THUNK_HW_QUEUE,
                             "BroadcastHwQueueArray[0]");
    status = queue == NULL
                 ? STATUS_INVALID_PARAMETER
                 : find_points(process, arguments->ObjectHandleArray, arguments->ObjectCount,
                               arguments->FenceValueArray, points);
    if (status == STATUS_SUCCESS)
        status = vidmm_hw_queue_signal_fences(queue->of, points, arguments->ObjectCount,
                                              vidmm_thunk_report());
    vidmm_thunk_leave(process);
    return status;
}
