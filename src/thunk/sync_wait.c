/* sync_wait.c: signals and waits, by the CPU and in the queues of contexts. */
#include <stdlib.h>

#include <vidmm/adapter.h>
#include <wddm/d3dkmthk_sync.h>
#include <wddm/ntstatus.h>

#include "thunk/async_event.h"
#include "thunk/calls.h"
#include "thunk/process.h"
#include "thunk/semaphore.h"
#include "thunk/sync.h"

/* ---- by the CPU ------------------------------------------------------------------------------ */

static NTSTATUS check_signal_flags(D3DDDICB_SIGNALFLAGS flags)
{
    if (flags.Reserved != 0 || flags.DXGK_SIGNAL_FLAG_INTERNAL0)
        return vidmm_thunk_refuse("Flags is 0x%x, which has reserved bits set", flags.Value);
    if (flags.SignalAtSubmission) {
        vidmm_thunk_refuse("Flags.SignalAtSubmission is not built");
        return STATUS_NOT_SUPPORTED;
    }
    return STATUS_SUCCESS;
}

NTSTATUS
vidmm_thunk_SignalSynchronizationObjectFromCpu(struct vidmm_thunk_process *process,
                                               D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU *arguments)
{
    struct vidmm_fence_point points[VIDMM_FENCES_AT_ONCE];
    struct vidmm_thunk_object *device;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Flags.EnqueueCpuEvent)
        return vidmm_thunk_refuse("Flags.EnqueueCpuEvent is set; the CPU has no queue");
    status = check_signal_flags(arguments->Flags);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_thunk_enter(process);
    device = vidmm_thunk_find(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    status = device == NULL
                 ? STATUS_INVALID_PARAMETER
                 : vidmm_sync_points(process, arguments->ObjectHandleArray, arguments->ObjectCount,
                                     arguments->FenceValueArray, 0, points);
    if (status == STATUS_SUCCESS)
        status =
            vidmm_fence_signal(device->of, points, arguments->ObjectCount, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    return status;
}

/* Inside. The event, if there is one, is given up in any case. */
static NTSTATUS begin_wait(struct vidmm_device *device, const struct vidmm_fence_point *points,
                           const D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU *arguments, int event,
                           struct vidmm_fence_waiting **waiting)
{
    struct vidmm_fence_notice notice = vidmm_async_event_notice(event);
    bool any = arguments->Flags.WaitAny;
    NTSTATUS status;

    if (event < 0)
        return vidmm_fence_wait_begin(device, points, arguments->ObjectCount, any, waiting,
                                      vidmm_thunk_report());
    status = vidmm_fence_notify(device, points, arguments->ObjectCount, any, &notice,
                                vidmm_thunk_report());
    if (status != STATUS_SUCCESS)
        vidmm_async_event_release(event);
    return status;
}

/* Nobody holds fence or device while it blocks: their end ends the wait. */
NTSTATUS vidmm_thunk_WaitForSynchronizationObjectFromCpu(
    struct vidmm_thunk_process *process, D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU *arguments)
{
    struct vidmm_fence_point points[VIDMM_FENCES_AT_ONCE];
    struct vidmm_fence_waiting *waiting = NULL;
    struct vidmm_thunk_object *device;
    int event = -1;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Flags.Reserved != 0)
        return vidmm_thunk_refuse("Flags is 0x%x, which has reserved bits set",
                                  arguments->Flags.Value);
    if (arguments->hAsyncEvent != NULL) {
        event = vidmm_async_event_take(arguments->hAsyncEvent, "hAsyncEvent");
        if (event < 0)
            return STATUS_INVALID_PARAMETER;
    }
    vidmm_thunk_enter(process);
    device = vidmm_thunk_find(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    status = device == NULL
                 ? STATUS_INVALID_PARAMETER
                 : vidmm_sync_points(process, arguments->ObjectHandleArray, arguments->ObjectCount,
                                     arguments->FenceValueArray, 0, points);
    if (status == STATUS_SUCCESS)
        status = begin_wait(device->of, points, arguments, event, &waiting);
    else
        vidmm_async_event_release(event);
    vidmm_thunk_leave(process);
    return status == STATUS_PENDING ? vidmm_fence_wait_end(waiting, vidmm_thunk_report()) : status;
}

/* ---- an event in a queue --------------------------------------------------------------------- */

/* The context's own fence, which no handle leads to: its values count the events that were queued.
 * The context is held, and nobody else is here. */
static NTSTATUS own_fence(struct vidmm_thunk_process *process, struct vidmm_thunk_object *context,
                          struct vidmm_thunk_sync **sync)
{
    struct vidmm_thunk_sync made = {.type = D3DDDI_MONITORED_FENCE, .event = -1};
    struct vidmm_thunk_object *object = vidmm_thunk_child(process, context, VIDMM_THUNK_SYNC);
    NTSTATUS status;

    if (object == NULL) {
        status = vidmm_fence_create(context->parent->of, 0, VIDMM_FENCE_NO_GPU_ACCESS, &made.fence,
                                    vidmm_thunk_report());
        if (status != STATUS_SUCCESS)
            return status;
        status = vidmm_sync_add(process, context, &made, &object);
        if (status != STATUS_SUCCESS) {
            vidmm_fence_destroy(made.fence);
            return status;
        }
    }
    *sync = object->of;
    return STATUS_SUCCESS;
}

/* Have the event set when the context, held, comes to here. The event is given up in any case. */
static NTSTATUS set_in_queue(struct vidmm_thunk_process *process,
                             struct vidmm_thunk_object *context, int event)
{
    struct vidmm_fence_notice notice = vidmm_async_event_notice(event);
    struct vidmm_fence_point point;
    struct vidmm_thunk_sync *sync;
    NTSTATUS status;

    /* Values and queue in one order. */
    pthread_mutex_lock(&process->queue_mutex);
    status = own_fence(process, context, &sync);
    if (status == STATUS_SUCCESS) {
        point = (struct vidmm_fence_point){sync->fence, sync->signals + 1};
        status = vidmm_context_signal_fences(context->of, &point, 1, vidmm_thunk_report());
    }
    if (status == STATUS_SUCCESS) {
        sync->signals++;
        status = vidmm_fence_notify(context->parent->of, &point, 1, false, &notice,
                                    vidmm_thunk_report());
    }
    pthread_mutex_unlock(&process->queue_mutex);
    if (status != STATUS_SUCCESS)
        vidmm_async_event_release(event);
    return status;
}

/* ---- in queues ------------------------------------------------------------------------------- */

/* A wait, or a signal, in the queue of one context. */
struct queued {
    D3DKMT_HANDLE context;
    const char *member; /* that names the context */
    const D3DKMT_HANDLE *objects;
    UINT count;
    const UINT64 *values; /* of monitored fences */
    uint64_t value;       /* of other fences */
    NTSTATUS(*act)
    (struct vidmm_context *context, const struct vidmm_fence_point *points, uint32_t count,
     struct vidmm_report *report);
};

/* ---- turns of mutexes and semaphores --------------------------------------------------------- */

/* Inside: whether the first object is a mutex or a semaphore. */
static bool is_counted(struct vidmm_thunk_process *process, const struct queued *queued)
{
    struct vidmm_thunk_object *object = NULL;

    if (queued->count != 0 && queued->objects != NULL)
        object = vidmm_handle_table_find(&process->table, queued->objects[0]);
    return object != NULL && object->type == VIDMM_THUNK_SYNC &&
           ((struct vidmm_thunk_sync *)object->of)->semaphore != NULL;
}

/* Inside: what a turn of the context is made of, but for its grant. The objects are taken. */
static NTSTATUS find_turn(struct vidmm_thunk_process *process, const struct queued *queued,
                          const struct vidmm_thunk_object *context, struct vidmm_turn_wish *wish)
{
    NTSTATUS status = STATUS_SUCCESS;

    *wish = (struct vidmm_turn_wish){.device = context->parent->of,
                                     .context = context->of,
                                     .waits = queued->act == vidmm_context_wait_for_fences};
    if (queued->count > VIDMM_FENCES_AT_ONCE)
        return vidmm_thunk_refuse("ObjectCount is %u; expected 1 to %u", queued->count,
                                  VIDMM_FENCES_AT_ONCE);
    for (uint32_t i = 0; status == STATUS_SUCCESS && i < queued->count; i++) {
        struct vidmm_thunk_object *object = vidmm_thunk_find(
            process, queued->objects[i], VIDMM_THUNK_SYNC, "an element of ObjectHandleArray");
        const struct vidmm_thunk_sync *sync = object != NULL ? object->of : NULL;

        if (sync == NULL)
            status = STATUS_INVALID_PARAMETER;
        else if (sync->semaphore == NULL || object->parent != context->parent)
            status = vidmm_thunk_refuse("ObjectHandleArray[%u] is 0x%x; expected a mutex or a "
                                        "semaphore of the context's device, as the first is",
                                        (unsigned)i, queued->objects[i]);
        else
            vidmm_semaphore_take(wish->objects[wish->count++] = sync->semaphore);
    }
    return status;
}

/* With the queue's mutex: have the queue come to the turn, and wait there if it is a wait. */
static NTSTATUS queue_turn(struct vidmm_thunk_process *process, struct vidmm_thunk_object *context,
                           struct vidmm_thunk_sync *own, struct vidmm_turn_wish *wish)
{
    struct vidmm_fence_point came = {own->fence, own->signals + 1};
    struct vidmm_fence_notice notice;
    struct vidmm_turn *turn;
    NTSTATUS status = STATUS_SUCCESS;

    if (own->grants == NULL && wish->waits)
        status = vidmm_fence_create(context->parent->of, 0, VIDMM_FENCE_NO_GPU_ACCESS, &own->grants,
                                    vidmm_thunk_report());
    if (status != STATUS_SUCCESS)
        return status;
    wish->grant = (struct vidmm_fence_point){own->grants, own->granted + 1};
    turn = vidmm_turn_create(process->semaphores, wish, &notice);
    if (turn == NULL)
        return STATUS_NO_MEMORY;
    status = vidmm_context_signal_fences(context->of, &came, 1, vidmm_thunk_report());
    if (status == STATUS_SUCCESS) {
        own->signals++;
        if (wish->waits)
            status =
                vidmm_context_wait_for_fences(context->of, &wish->grant, 1, vidmm_thunk_report());
    }
    if (status == STATUS_SUCCESS) {
        own->granted += wish->waits;
        status =
            vidmm_fence_notify(context->parent->of, &came, 1, false, &notice, vidmm_thunk_report());
        if (status != STATUS_SUCCESS && wish->waits) /* nobody would grant it */
            vidmm_fence_signal(context->parent->of, &wish->grant, 1, NULL);
    }
    if (status != STATUS_SUCCESS)
        vidmm_turn_destroy(turn);
    return status;
}

static NTSTATUS take_turn(struct vidmm_thunk_process *process, const struct queued *queued)
{
    struct vidmm_thunk_object *context;
    struct vidmm_turn_wish wish = {.count = 0};
    struct vidmm_thunk_sync *own;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    vidmm_thunk_enter(process);
    context = vidmm_thunk_find(process, queued->context, VIDMM_THUNK_CONTEXT, queued->member);
    if (context != NULL) {
        status = find_turn(process, queued, context, &wish);
        vidmm_thunk_hold(process, context);
    }
    vidmm_thunk_leave(process);
    if (status == STATUS_SUCCESS) {
        pthread_mutex_lock(&process->queue_mutex);
        status = own_fence(process, context, &own);
        if (status == STATUS_SUCCESS)
            status = queue_turn(process, context, own, &wish);
        pthread_mutex_unlock(&process->queue_mutex);
    }
    for (uint32_t i = 0; i < wish.count; i++)
        vidmm_semaphore_release(wish.objects[i]);
    if (context != NULL)
        vidmm_thunk_let_go(process, context);
    return status;
}

/* ---- in queues, by type ---------------------------------------------------------------------- */

static NTSTATUS enqueue(struct vidmm_thunk_process *process, const struct queued *queued)
{
    struct vidmm_fence_point points[VIDMM_FENCES_AT_ONCE];
    struct vidmm_thunk_object *context;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    vidmm_thunk_enter(process);
    if (is_counted(process, queued)) {
        vidmm_thunk_leave(process);
        return take_turn(process, queued);
    }
    context = vidmm_thunk_find(process, queued->context, VIDMM_THUNK_CONTEXT, queued->member);
    if (context != NULL)
        status = vidmm_sync_points(process, queued->objects, queued->count, queued->values,
                                   queued->value, points);
    if (status == STATUS_SUCCESS)
        status = queued->act(context->of, points, queued->count, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    return status;
}

/* The union holds a value for a D3DDDI_FENCE, and a pointer to values for monitored fences; the
 * type of the first object says which. A value is no pointer, so nothing is read at it. */
NTSTATUS vidmm_thunk_WaitForSynchronizationObjectFromGpu(
    struct vidmm_thunk_process *process, D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    return enqueue(process,
                   &(struct queued){arguments->hContext, "hContext", arguments->ObjectHandleArray,
                                    arguments->ObjectCount, arguments->MonitoredFenceValueArray,
                                    arguments->FenceValue, vidmm_context_wait_for_fences});
}

NTSTATUS vidmm_thunk_WaitForSynchronizationObject2(struct vidmm_thunk_process *process,
                                                   D3DKMT_WAITFORSYNCHRONIZATIONOBJECT2 *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    return enqueue(process,
                   &(struct queued){arguments->hContext, "hContext", arguments->ObjectHandleArray,
                                    arguments->ObjectCount, NULL, arguments->Fence.FenceValue,
                                    vidmm_context_wait_for_fences});
}

NTSTATUS
vidmm_thunk_SignalSynchronizationObjectFromGpu(struct vidmm_thunk_process *process,
                                               D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    return enqueue(process,
                   &(struct queued){arguments->hContext, "hContext", arguments->ObjectHandleArray,
                                    arguments->ObjectCount, arguments->MonitoredFenceValueArray,
                                    arguments->Reserved[0], vidmm_context_signal_fences});
}

/* Inside: whether the object is a CPU notification; then *event is its event, for a notice. */
static bool is_notification(struct vidmm_thunk_process *process, const struct queued *queued,
                            int *event)
{
    struct vidmm_thunk_object *object;
    const struct vidmm_thunk_sync *sync;

    if (queued->count != 1 || queued->objects == NULL)
        return false;
    object = vidmm_handle_table_find(&process->table, queued->objects[0]);
    if (object == NULL || object->type != VIDMM_THUNK_SYNC)
        return false;
    sync = object->of;
    if (sync->type != D3DDDI_CPU_NOTIFICATION)
        return false;
    *event = vidmm_async_event_take((HANDLE)(intptr_t)sync->event, "the event of the object");
    return true;
}

/* An event in a queue, which is the program's or a CPU notification's; otherwise a signal
 * of fences. */
static NTSTATUS signal_or_set(struct vidmm_thunk_process *process, const struct queued *queued,
                              bool enqueue_event, HANDLE handle)
{
    struct vidmm_thunk_object *context;
    int event = -1;
    NTSTATUS status;

    if (enqueue_event && queued->count != 0)
        return vidmm_thunk_refuse("ObjectCount is %u; expected 0 with EnqueueCpuEvent",
                                  queued->count);
    vidmm_thunk_enter(process);
    if (!enqueue_event && !is_notification(process, queued, &event)) {
        vidmm_thunk_leave(process);
        return enqueue(process, queued);
    }
    context = vidmm_thunk_find(process, queued->context, VIDMM_THUNK_CONTEXT, queued->member);
    if (context != NULL && enqueue_event)
        event = vidmm_async_event_take(handle, "CpuEventHandle");
    if (context == NULL || event < 0) {
        vidmm_thunk_leave(process);
        vidmm_async_event_release(event);
        return STATUS_INVALID_PARAMETER;
    }
    vidmm_thunk_hold(process, context);
    vidmm_thunk_leave(process);
    status = set_in_queue(process, context, event);
    vidmm_thunk_let_go(process, context);
    return status;
}

NTSTATUS vidmm_thunk_SignalSynchronizationObjectFromGpu2(
    struct vidmm_thunk_process *process, D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2 *arguments)
{
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status =
        vidmm_thunk_check_broadcast(process, VIDMM_THUNK_SignalSynchronizationObjectFromGpu2,
                                    "BroadcastContextCount", arguments->BroadcastContextCount, 1);
    if (status == STATUS_SUCCESS && arguments->BroadcastContextArray == NULL)
        return vidmm_thunk_refuse("BroadcastContextArray is NULL");
    if (status == STATUS_SUCCESS)
        status = check_signal_flags(arguments->Flags);
    if (status != STATUS_SUCCESS)
        return status;
    return signal_or_set(process,
                         &(struct queued){arguments->BroadcastContextArray[0],
                                          "BroadcastContextArray[0]", arguments->ObjectHandleArray,
                                          arguments->ObjectCount,
                                          arguments->MonitoredFenceValueArray,
                                          arguments->FenceValue, vidmm_context_signal_fences},
                         arguments->Flags.EnqueueCpuEvent, arguments->CpuEventHandle);
}

NTSTATUS
vidmm_thunk_SignalSynchronizationObject2(struct vidmm_thunk_process *process,
                                         D3DKMT_SIGNALSYNCHRONIZATIONOBJECT2 *arguments)
{
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status =
        vidmm_thunk_check_broadcast(process, VIDMM_THUNK_SignalSynchronizationObject2,
                                    "BroadcastContextCount", arguments->BroadcastContextCount, 0);
    if (status == STATUS_SUCCESS)
        status = check_signal_flags(arguments->Flags);
    if (status != STATUS_SUCCESS)
        return status;
    return signal_or_set(process,
                         &(struct queued){arguments->hContext, "hContext",
                                          arguments->ObjectHandleArray, arguments->ObjectCount,
                                          NULL, arguments->Fence.FenceValue,
                                          vidmm_context_signal_fences},
                         arguments->Flags.EnqueueCpuEvent, arguments->CpuEventHandle);
}

/* ---- without values -------------------------------------------------------------------------- */

/* The old forms name no value, so none of their objects is a fence. */
static NTSTATUS check_no_fences(struct vidmm_thunk_process *process, const D3DKMT_HANDLE *objects,
                                UINT count)
{
    NTSTATUS status = STATUS_SUCCESS;

    if (count == 0 || count > VIDMM_FENCES_AT_ONCE)
        return vidmm_thunk_refuse("ObjectCount is %u; expected 1 to %u", count,
                                  VIDMM_FENCES_AT_ONCE);
    vidmm_thunk_enter(process);
    for (UINT i = 0; status == STATUS_SUCCESS && i < count; i++) {
        struct vidmm_thunk_object *object = vidmm_thunk_find(process, objects[i], VIDMM_THUNK_SYNC,
                                                             "an element of ObjectHandleArray");

        if (object == NULL)
            status = STATUS_INVALID_PARAMETER;
        else if (((struct vidmm_thunk_sync *)object->of)->fence != NULL)
            status = vidmm_thunk_refuse("ObjectHandleArray[%u] is 0x%x, a fence, and this form has "
                                        "no value for it",
                                        i, objects[i]);
    }
    vidmm_thunk_leave(process);
    return status;
}

NTSTATUS vidmm_thunk_WaitForSynchronizationObject(struct vidmm_thunk_process *process,
                                                  D3DKMT_WAITFORSYNCHRONIZATIONOBJECT *arguments)
{
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_no_fences(process, arguments->ObjectHandleArray, arguments->ObjectCount);
    if (status != STATUS_SUCCESS)
        return status;
    return enqueue(process, &(struct queued){arguments->hContext, "hContext",
                                             arguments->ObjectHandleArray, arguments->ObjectCount,
                                             NULL, 0, vidmm_context_wait_for_fences});
}

NTSTATUS vidmm_thunk_SignalSynchronizationObject(struct vidmm_thunk_process *process,
                                                 D3DKMT_SIGNALSYNCHRONIZATIONOBJECT *arguments)
{
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Flags.EnqueueCpuEvent)
        return vidmm_thunk_refuse("Flags.EnqueueCpuEvent is set; this form has no event");
    status = check_signal_flags(arguments->Flags);
    if (status == STATUS_SUCCESS)
        status = check_no_fences(process, arguments->ObjectHandleArray, arguments->ObjectCount);
    if (status != STATUS_SUCCESS)
        return status;
    return signal_or_set(process,
                         &(struct queued){arguments->hContext, "hContext",
                                          arguments->ObjectHandleArray, arguments->ObjectCount,
                                          NULL, 0, vidmm_context_signal_fences},
                         false, NULL);
}
