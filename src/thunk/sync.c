/* sync.c: synchronization objects made, opened, destroyed, and found. */
#include "thunk/sync.h"

#include <stdlib.h>

#include <vidmm/caps.h>
#include <vidmm/plan.h>
#include <wddm/d3dkmthk_share.h>
#include <wddm/d3dkmthk_sync.h>
#include <wddm/ntstatus.h>

#include "thunk/async_event.h"
#include "thunk/calls.h"
#include "thunk/keeper.h"
#include "thunk/mirror.h"
#include "thunk/nt_handle.h"
#include "thunk/process.h"
#include "thunk/semaphore.h"

/* ---- flags ----------------------------------------------------------------------------------- */

static NTSTATUS check_flags(D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS flags)
{
    const struct {
        bool is_set;
        const char *name;
    } unbuilt[] = {
        {flags.CrossAdapter, "CrossAdapter"},
        {flags.TopOfPipeline, "TopOfPipeline"},
        {flags.SignalByKmd, "SignalByKmd"},
        {flags.UnwaitCpuWaitersOnlyOnDestroy, "UnwaitCpuWaitersOnlyOnDestroy"},
    };

    if (flags.Reserved != 0 || flags.Unused || flags.D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS_RESERVED0)
        return vidmm_thunk_refuse("Info.Flags is 0x%x, which has reserved bits set", flags.Value);
    for (size_t i = 0; i < sizeof(unbuilt) / sizeof(unbuilt[0]); i++)
        if (unbuilt[i].is_set) {
            vidmm_thunk_refuse("Info.Flags.%s is not built", unbuilt[i].name);
            return STATUS_NOT_SUPPORTED;
        }
    return STATUS_SUCCESS;
}

static uint32_t fence_flags(D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS flags)
{
    return (flags.Shared ? VIDMM_FENCE_SHARED : 0u) |
           (flags.NtSecuritySharing ? VIDMM_FENCE_NT_SECURITY_SHARING : 0u) |
           (flags.NoSignal ? VIDMM_FENCE_NO_SIGNAL : 0u) |
           (flags.NoWait ? VIDMM_FENCE_NO_WAIT : 0u) |
           (flags.NoSignalMaxValueOnTdr ? VIDMM_FENCE_NO_MAX_VALUE : 0u) |
           (flags.NoGPUAccess ? VIDMM_FENCE_NO_GPU_ACCESS : 0u);
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* They are counted down from here: the numbers of shared resources, which the manager gives, begin
 * at the other end, and no number leads to one of each. */
#define SYNC_NUMBERS UINT32_C(0xfffffffe)

void vidmm_sync_share_publish(struct vidmm_thunk_machine *machine, struct vidmm_sync_share *share)
{
    pthread_mutex_lock(&machine->mutex);
    share->openings = 1;
    if (!share->flags.NtSecuritySharing)
        share->handle = SYNC_NUMBERS - machine->numbered_syncs++;
    share->next = machine->syncs;
    machine->syncs = share;
    pthread_mutex_unlock(&machine->mutex);
}

static struct vidmm_sync_share *open_share(struct vidmm_thunk_machine *machine,
                                           D3DKMT_HANDLE handle)
{
    struct vidmm_sync_share *share;

    pthread_mutex_lock(&machine->mutex);
    for (share = machine->syncs; share != NULL; share = share->next)
        if (handle != 0 && share->handle == handle)
            break;
    if (share != NULL)
        share->openings++;
    pthread_mutex_unlock(&machine->mutex);
    return share;
}

void vidmm_sync_share_close(struct vidmm_thunk_machine *machine, struct vidmm_sync_share *share)
{
    struct vidmm_sync_share **link = &machine->syncs;
    bool last;

    if (share == NULL)
        return;
    pthread_mutex_lock(&machine->mutex);
    last = --share->openings == 0;
    if (last) {
        while (*link != share)
            link = &(*link)->next;
        *link = share->next;
    }
    pthread_mutex_unlock(&machine->mutex);
    if (last) {
        vidmm_mirror_end(share->mirror);
        vidmm_fence_destroy(share->fence);
        free(share);
    }
}

/* ---- objects --------------------------------------------------------------------------------- */

NTSTATUS vidmm_sync_add(struct vidmm_thunk_process *process, struct vidmm_thunk_object *parent,
                        const struct vidmm_thunk_sync *sync, struct vidmm_thunk_object **object)
{
    struct vidmm_thunk_sync *made = malloc(sizeof(*made));
    NTSTATUS status;

    if (made == NULL)
        return STATUS_NO_MEMORY;
    *made = *sync;
    status = vidmm_thunk_add(process, parent, VIDMM_THUNK_SYNC, made, object);
    if (status != STATUS_SUCCESS)
        free(made);
    return status;
}

void vidmm_sync_finish(struct vidmm_thunk_machine *machine, struct vidmm_thunk_sync *sync)
{
    vidmm_sync_share_close(machine, sync->share);
    vidmm_async_event_release(sync->event);
    vidmm_semaphore_end(sync->semaphore);
    free(sync);
}

/* ---- create ---------------------------------------------------------------------------------- */

/* Mutexes and semaphores are of one device: they are not shared, and the GPU does not see them. */
static NTSTATUS check_counts(const D3DDDI_SYNCHRONIZATIONOBJECTINFO2 *info)
{
    if (info->Flags.Value != 0) {
        vidmm_thunk_refuse("Info.Flags is 0x%x; this version makes mutexes and semaphores without "
                           "flags",
                           info->Flags.Value);
        return STATUS_NOT_SUPPORTED;
    }
    if (info->Type == D3DDDI_SYNCHRONIZATION_MUTEX)
        return STATUS_SUCCESS;
    if (info->Semaphore.MaxCount == 0)
        return vidmm_thunk_refuse("Semaphore.MaxCount is 0; expected 1 or more");
    if (info->Semaphore.InitialCount > info->Semaphore.MaxCount)
        return vidmm_thunk_refuse("Semaphore.InitialCount is %u; expected 0 to MaxCount, %u",
                                  info->Semaphore.InitialCount, info->Semaphore.MaxCount);
    return STATUS_SUCCESS;
}

static NTSTATUS check_type(const D3DDDI_SYNCHRONIZATIONOBJECTINFO2 *info)
{
    switch (info->Type) {
    case D3DDDI_FENCE:
    case D3DDDI_MONITORED_FENCE:
        return STATUS_SUCCESS;
    case D3DDDI_CPU_NOTIFICATION:
        if (info->Flags.Value != 0)
            return vidmm_thunk_refuse("Info.Flags is 0x%x; expected 0 of a CPU notification",
                                      info->Flags.Value);
        return STATUS_SUCCESS;
    case D3DDDI_SYNCHRONIZATION_MUTEX:
    case D3DDDI_SEMAPHORE:
        return check_counts(info);
    case D3DDDI_PERIODIC_MONITORED_FENCE:
    case D3DDDI_NATIVE_FENCE:
        vidmm_thunk_refuse("Info.Type is %d, which is not built; this version makes 1 to 5",
                           (int)info->Type);
        return STATUS_NOT_SUPPORTED;
    default:
        return vidmm_thunk_refuse("Info.Type is %d; expected 1 to 7", (int)info->Type);
    }
}

static NTSTATUS check_creation(const D3DKMT_CREATESYNCHRONIZATIONOBJECT2 *arguments)
{
    NTSTATUS status = check_type(&arguments->Info);

    if (status == STATUS_SUCCESS)
        status = check_flags(arguments->Info.Flags);
    if (status == STATUS_SUCCESS && arguments->Info.Type == D3DDDI_MONITORED_FENCE &&
        arguments->Info.MonitoredFence.EngineAffinity > 1)
        status = vidmm_thunk_refuse("EngineAffinity is 0x%x; expected 0 or 1, the first physical "
                                    "adapter",
                                    arguments->Info.MonitoredFence.EngineAffinity);
    return status;
}

/* Queues wait for it by fences, which are there from 2.0 on. */
static NTSTATUS make_semaphore(struct vidmm_thunk_process *process, struct vidmm_adapter *adapter,
                               const D3DDDI_SYNCHRONIZATIONOBJECTINFO2 *info,
                               struct vidmm_thunk_sync *sync)
{
    bool is_mutex = info->Type == D3DDDI_SYNCHRONIZATION_MUTEX;
    uint32_t most = is_mutex ? 1 : info->Semaphore.MaxCount;
    uint32_t count =
        is_mutex ? info->SynchronizationMutex.InitialState == 0 : info->Semaphore.InitialCount;
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(adapter, &caps);
    if (caps.level < 0x200) {
        vidmm_thunk_refuse("hDevice is of an adapter below WDDM 2.0, which has no fences");
        return STATUS_NOT_SUPPORTED;
    }
    sync->semaphore = vidmm_semaphore_create(process->semaphores, count, most);
    return sync->semaphore != NULL ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

/* The fence, or the event, of an object to be. The device is held. */
static NTSTATUS make(struct vidmm_thunk_process *process, const struct vidmm_thunk_object *device,
                     const D3DDDI_SYNCHRONIZATIONOBJECTINFO2 *info, struct vidmm_thunk_sync *sync)
{
    struct vidmm_adapter *adapter = ((struct vidmm_thunk_adapter *)device->parent->of)->adapter;
    struct vidmm_device *owner = device->of;
    uint32_t flags = fence_flags(info->Flags);
    uint64_t value = info->Type == D3DDDI_FENCE ? info->Fence.FenceValue
                                                : info->MonitoredFence.InitialFenceValue;
    NTSTATUS status = STATUS_SUCCESS;

    if (info->Type == D3DDDI_CPU_NOTIFICATION) {
        sync->event = vidmm_async_event_take(info->CPUNotification.Event, "CPUNotification.Event");
        return sync->event >= 0 ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
    }
    if (info->Type == D3DDDI_SYNCHRONIZATION_MUTEX || info->Type == D3DDDI_SEMAPHORE)
        return make_semaphore(process, adapter, info, sync);
    if (info->Type == D3DDDI_FENCE)
        flags |= VIDMM_FENCE_NO_GPU_ACCESS;
    if (info->Flags.Shared) {
        sync->share = calloc(1, sizeof(*sync->share));
        status = sync->share == NULL ? STATUS_NO_MEMORY
                                     : vidmm_keeper_take(process->machine, adapter, &owner);
    }
    if (status == STATUS_SUCCESS)
        status = vidmm_fence_create(owner, value, flags, &sync->fence, vidmm_thunk_report());
    if (status != STATUS_SUCCESS) {
        free(sync->share);
        return status;
    }
    if (sync->share != NULL) {
        *sync->share = (struct vidmm_sync_share){.adapter = adapter,
                                                 .fence = sync->fence,
                                                 .type = info->Type,
                                                 .flags = info->Flags,
                                                 .device = owner};
        vidmm_sync_share_publish(process->machine, sync->share);
    }
    return status;
}

static void unmake(struct vidmm_thunk_machine *machine, const struct vidmm_thunk_sync *sync)
{
    if (sync->share != NULL)
        vidmm_sync_share_close(machine, sync->share);
    else
        vidmm_fence_destroy(sync->fence);
    vidmm_async_event_release(sync->event);
    vidmm_semaphore_end(sync->semaphore);
}

/* The addresses of the value. A GPU without addresses has none: 0. */
static NTSTATUS find_places(const struct vidmm_thunk_sync *sync, struct vidmm_device *device,
                            void **cpu, uint64_t *gpu)
{
    uint64_t address = 0;
    NTSTATUS status = vidmm_fence_gpu_address(sync->fence, device, &address, vidmm_thunk_report());

    if (status == STATUS_NOT_SUPPORTED)
        status = STATUS_SUCCESS;
    if (status == STATUS_SUCCESS) {
        *cpu = (void *)(uintptr_t)vidmm_fence_address(sync->fence);
        *gpu = address;
    }
    return status;
}

static NTSTATUS create(struct vidmm_thunk_process *process, struct vidmm_thunk_object *device,
                       D3DKMT_CREATESYNCHRONIZATIONOBJECT2 *arguments)
{
    D3DDDI_SYNCHRONIZATIONOBJECTINFO2 *info = &arguments->Info;
    struct vidmm_thunk_sync sync = {.type = info->Type, .event = -1};
    struct vidmm_thunk_object *object;
    void *cpu = NULL;
    uint64_t gpu = 0;
    NTSTATUS status = make(process, device, info, &sync);

    if (status != STATUS_SUCCESS)
        return status;
    if (info->Type == D3DDDI_MONITORED_FENCE)
        status = find_places(&sync, device->of, &cpu, &gpu);
    if (status == STATUS_SUCCESS)
        status = vidmm_sync_add(process, device, &sync, &object);
    if (status != STATUS_SUCCESS) {
        unmake(process->machine, &sync);
        return status;
    }
    if (info->Type == D3DDDI_MONITORED_FENCE) {
        info->MonitoredFence.FenceValueCPUVirtualAddress = cpu;
        info->MonitoredFence.FenceValueGPUVirtualAddress = gpu;
    }
    if (sync.share != NULL)
        info->SharedHandle = sync.share->handle;
    arguments->hSyncObject = object->handle;
    vidmm_thunk_show(process, object);
    return STATUS_SUCCESS;
}

NTSTATUS
vidmm_thunk_CreateSynchronizationObject2(struct vidmm_thunk_process *process,
                                         D3DKMT_CREATESYNCHRONIZATIONOBJECT2 *arguments)
{
    struct vidmm_thunk_object *device;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    device = vidmm_thunk_find_and_hold(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    status = check_creation(arguments);
    if (status == STATUS_SUCCESS)
        status = create(process, device, arguments);
    vidmm_thunk_let_go(process, device);
    return status;
}

/* The old form, of mutexes and semaphores alone. */
NTSTATUS
vidmm_thunk_CreateSynchronizationObject(struct vidmm_thunk_process *process,
                                        D3DKMT_CREATESYNCHRONIZATIONOBJECT *arguments)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {0};
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    create.hDevice = arguments->hDevice;
    create.Info.Type = arguments->Info.Type;
    if (arguments->Info.Type == D3DDDI_SYNCHRONIZATION_MUTEX) {
        create.Info.SynchronizationMutex.InitialState =
            arguments->Info.SynchronizationMutex.InitialState;
    } else if (arguments->Info.Type == D3DDDI_SEMAPHORE) {
        create.Info.Semaphore.MaxCount = arguments->Info.Semaphore.MaxCount;
        create.Info.Semaphore.InitialCount = arguments->Info.Semaphore.InitialCount;
    } else {
        return vidmm_thunk_refuse("Info.Type is %d; expected 1, a mutex, or 2, a semaphore",
                                  (int)arguments->Info.Type);
    }
    status = vidmm_thunk_CreateSynchronizationObject2(process, &create);
    if (status == STATUS_SUCCESS)
        arguments->hSyncObject = create.hSyncObject;
    return status;
}

/* ---- open ------------------------------------------------------------------------------------ */

/* The process's adapter that a share is of, held. */
static struct vidmm_thunk_object *hold_adapter(struct vidmm_thunk_process *process,
                                               const struct vidmm_sync_share *share)
{
    struct vidmm_thunk_object *object;

    vidmm_thunk_enter(process);
    pthread_mutex_lock(&process->mutex);
    for (object = process->adapters; object != NULL; object = object->next)
        if (((struct vidmm_thunk_adapter *)object->of)->adapter == share->adapter)
            break;
    pthread_mutex_unlock(&process->mutex);
    if (object != NULL)
        vidmm_thunk_hold(process, object);
    vidmm_thunk_leave(process);
    return object;
}

static NTSTATUS open_below(struct vidmm_thunk_process *process, struct vidmm_thunk_object *parent,
                           struct vidmm_sync_share *share, D3DKMT_HANDLE *handle)
{
    struct vidmm_thunk_sync sync = {
        .type = share->type, .fence = share->fence, .share = share, .event = -1};
    struct vidmm_thunk_object *object;
    NTSTATUS status = vidmm_sync_add(process, parent, &sync, &object);

    if (status == STATUS_SUCCESS) {
        *handle = object->handle;
        vidmm_thunk_show(process, object);
    }
    return status;
}

NTSTATUS vidmm_thunk_OpenSynchronizationObject(struct vidmm_thunk_process *process,
                                               D3DKMT_OPENSYNCHRONIZATIONOBJECT *arguments)
{
    struct vidmm_thunk_object *adapter;
    struct vidmm_sync_share *share;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    share = open_share(process->machine, arguments->hSharedHandle);
    if (share == NULL)
        return vidmm_thunk_refuse("hSharedHandle is 0x%x, which is no shared synchronization "
                                  "object",
                                  arguments->hSharedHandle);
    adapter = hold_adapter(process, share);
    if (adapter == NULL)
        vidmm_thunk_refuse("hSharedHandle is 0x%x, of an adapter that this process has not opened",
                           arguments->hSharedHandle);
    else {
        status = open_below(process, adapter, share, &arguments->hSyncObject);
        vidmm_thunk_let_go(process, adapter);
    }
    if (status != STATUS_SUCCESS)
        vidmm_sync_share_close(process->machine, share);
    return status;
}

/* The flags of an opening: none, or those that the object was made with. */
static NTSTATUS check_opening(const D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2 *arguments,
                              const struct vidmm_sync_share *share)
{
    if ((arguments->Flags.Value & ~share->flags.Value) != 0)
        return vidmm_thunk_refuse("Flags is 0x%x; expected none but 0x%x, with which the object "
                                  "was made",
                                  arguments->Flags.Value, share->flags.Value);
    return STATUS_SUCCESS;
}

static struct vidmm_adapter *adapter_of(const struct vidmm_thunk_object *device)
{
    return ((struct vidmm_thunk_adapter *)device->parent->of)->adapter;
}

static NTSTATUS open_on_device(struct vidmm_thunk_process *process,
                               struct vidmm_thunk_object *device, struct vidmm_sync_share *share,
                               D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2 *arguments)
{
    struct vidmm_thunk_sync sync = {.fence = share->fence};
    uint64_t gpu = 0;
    void *cpu = NULL;
    NTSTATUS status = check_opening(arguments, share);

    if (status == STATUS_SUCCESS && share->adapter != adapter_of(device))
        status = vidmm_thunk_refuse("hNtHandle is %lld, of another adapter than hDevice",
                                    (long long)(intptr_t)arguments->hNtHandle);
    if (status == STATUS_SUCCESS && share->type == D3DDDI_MONITORED_FENCE)
        status = find_places(&sync, device->of, &cpu, &gpu);
    if (status == STATUS_SUCCESS)
        status = open_below(process, device, share, &arguments->hSyncObject);
    if (status == STATUS_SUCCESS && share->type == D3DDDI_MONITORED_FENCE) {
        arguments->MonitoredFence.FenceValueCPUVirtualAddress = cpu;
        arguments->MonitoredFence.FenceValueGPUVirtualAddress = gpu;
    }
    return status;
}

NTSTATUS vidmm_thunk_OpenSyncObjectFromNtHandle2(struct vidmm_thunk_process *process,
                                                 D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2 *arguments)
{
    struct vidmm_thunk_object *device;
    struct vidmm_sync_share *share;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    device = vidmm_thunk_find_and_hold(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    vidmm_nt_handles_sweep(process->machine, false);
    share = vidmm_nt_handle_open_sync(process->machine, adapter_of(device), arguments->hNtHandle);
    if (share != NULL) {
        status = open_on_device(process, device, share, arguments);
        if (status != STATUS_SUCCESS)
            vidmm_sync_share_close(process->machine, share);
    }
    vidmm_thunk_let_go(process, device);
    return status;
}

/* ---- destroy --------------------------------------------------------------------------------- */

/* The object of a paging queue goes with its queue. */
static bool may_be_destroyed(struct vidmm_thunk_process *process, D3DKMT_HANDLE handle)
{
    struct vidmm_thunk_object *object;
    bool may = false;

    vidmm_thunk_enter(process);
    object = vidmm_thunk_find(process, handle, VIDMM_THUNK_SYNC, "hSyncObject");
    if (object != NULL) {
        may = !((struct vidmm_thunk_sync *)object->of)->borrowed;
        if (!may)
            vidmm_thunk_refuse("hSyncObject is 0x%x, which goes with its paging queue", handle);
    }
    vidmm_thunk_leave(process);
    return may;
}

NTSTATUS vidmm_thunk_DestroySynchronizationObject(struct vidmm_thunk_process *process,
                                                  D3DKMT_DESTROYSYNCHRONIZATIONOBJECT *arguments)
{
    struct vidmm_thunk_object *object;
    struct vidmm_thunk_sync *sync;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (!may_be_destroyed(process, arguments->hSyncObject))
        return STATUS_INVALID_PARAMETER;
    object = vidmm_thunk_remove(process, arguments->hSyncObject, VIDMM_THUNK_SYNC, "hSyncObject");
    if (object == NULL)
        return STATUS_INVALID_PARAMETER;
    sync = object->of;
    if (sync->share == NULL)
        vidmm_fence_destroy(sync->fence);
    vidmm_thunk_forget(process, object);
    return STATUS_SUCCESS;
}

/* ---- found by handles ------------------------------------------------------------------------ */

NTSTATUS vidmm_sync_points(struct vidmm_thunk_process *process, const D3DKMT_HANDLE *handles,
                           uint32_t count, const UINT64 *values, uint64_t one,
                           struct vidmm_fence_point *points)
{
    bool monitored = false;

    if (count == 0 || count > VIDMM_FENCES_AT_ONCE)
        return vidmm_thunk_refuse("ObjectCount is %u; expected 1 to %u", (unsigned)count,
                                  VIDMM_FENCES_AT_ONCE);
    if (handles == NULL)
        return vidmm_thunk_refuse("ObjectHandleArray is NULL");
    for (uint32_t i = 0; i < count; i++) {
        struct vidmm_thunk_object *object = vidmm_thunk_find(process, handles[i], VIDMM_THUNK_SYNC,
                                                             "an element of ObjectHandleArray");
        const struct vidmm_thunk_sync *sync = object != NULL ? object->of : NULL;

        if (sync == NULL)
            return STATUS_INVALID_PARAMETER;
        if (i == 0)
            monitored = sync->type == D3DDDI_MONITORED_FENCE;
        if (sync->fence == NULL || monitored != (sync->type == D3DDDI_MONITORED_FENCE))
            return vidmm_thunk_refuse("ObjectHandleArray[%u] is 0x%x, of type %d; expected %s",
                                      (unsigned)i, handles[i], (int)sync->type,
                                      monitored ? "monitored fences alone" : "fences alone");
        if (monitored && values == NULL)
            return vidmm_thunk_refuse("the array of values is NULL");
        points[i] = (struct vidmm_fence_point){sync->fence, monitored ? values[i] : one};
    }
    return STATUS_SUCCESS;
}
