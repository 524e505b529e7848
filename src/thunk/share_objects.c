/* share_objects.c: D3DKMTShareObjects: an object that was made with NtSecuritySharing gets a handle
 * of the system. */
#include <stdlib.h>
#include <unistd.h>

#include <vidmm/adapter.h>
#include <vidmm/resource.h>
#include <wddm/d3dkmthk_share.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/carried.h"
#include "thunk/foreign_share.h"
#include "thunk/keeper.h"
#include "thunk/nt_handle.h"
#include "thunk/process.h"
#include "thunk/share.h"
#include "thunk/sync.h"

/* Open a resource on the machine's device, so that it stays while the handle is there. */
static NTSTATUS keep_resource(struct vidmm_thunk_machine *machine, struct vidmm_nt_target *target)
{
    struct vidmm_allocation **allocations = calloc(target->share->count, sizeof(*allocations));
    struct vidmm_device *device;
    NTSTATUS status = STATUS_NO_MEMORY;

    if (allocations != NULL)
        status = vidmm_keeper_take(machine, target->share->adapter, &device);
    if (status == STATUS_SUCCESS)
        status = vidmm_resource_open(device, target->share->handle, &target->resource, allocations,
                                     target->share->count, vidmm_thunk_report());
    free(allocations);
    return status;
}

/* Inside: the share of an object, with one opening more. */
static NTSTATUS find_target(struct vidmm_thunk_process *process, D3DKMT_HANDLE handle,
                            struct vidmm_nt_target *target)
{
    struct vidmm_thunk_object *object = vidmm_handle_table_find(&process->table, handle);

    if (object != NULL && object->type == VIDMM_THUNK_RESOURCE && object->share != NULL)
        target->share = object->share;
    if (object != NULL && object->type == VIDMM_THUNK_SYNC)
        target->sync = ((struct vidmm_thunk_sync *)object->of)->share;
    if ((target->share == NULL || !target->share->nt) &&
        (target->sync == NULL || !target->sync->flags.NtSecuritySharing)) {
        *target = (struct vidmm_nt_target){0};
        return vidmm_thunk_refuse("ObjectHandleArray[0] is 0x%x; expected a resource or a "
                                  "synchronization object that was made with NtSecuritySharing",
                                  handle);
    }
    pthread_mutex_lock(&process->machine->mutex);
    if (target->share != NULL)
        target->share->openings++;
    else
        target->sync->openings++;
    pthread_mutex_unlock(&process->machine->mutex);
    return STATUS_SUCCESS;
}

static NTSTATUS check_sharing(const D3DKMT_SHAREOBJECTS *arguments)
{
    if (arguments->ObjectHandleArray == NULL)
        return vidmm_thunk_refuse("ObjectHandleArray is NULL");
    if (arguments->pSharedNtHandle == NULL)
        return vidmm_thunk_refuse("pSharedNtHandle is NULL");
    if (arguments->ObjectCount != 1)
        return vidmm_thunk_refuse("ObjectCount is %u; this version takes 1",
                                  arguments->ObjectCount);
    if (arguments->pObjectAttributes != NULL) {
        vidmm_thunk_refuse("pObjectAttributes is not NULL; names of handles are not built");
        return STATUS_NOT_SUPPORTED;
    }
    return STATUS_SUCCESS;
}

/* A handle, and in it what another process of the system needs, if it can open the object. */
static NTSTATUS create_handle(struct vidmm_thunk_machine *machine,
                              const struct vidmm_nt_target *target, HANDLE *handle)
{
    struct vidmm_carried carried;
    bool carries = machine->carries && vidmm_export(machine, target, &carried);

    return vidmm_nt_handle_create(machine, target, carries ? &carried : NULL, handle);
}

NTSTATUS vidmm_thunk_ShareObjectsInternal(struct vidmm_thunk_process *process,
                                          D3DKMT_SHAREOBJECTS *arguments)
{
    struct vidmm_nt_target target = {0};
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_sharing(arguments);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_nt_handles_sweep(process->machine, false);
    vidmm_thunk_enter(process);
    status = find_target(process, arguments->ObjectHandleArray[0], &target);
    vidmm_thunk_leave(process);
    if (status == STATUS_SUCCESS && target.share != NULL)
        status = keep_resource(process->machine, &target);
    if (status == STATUS_SUCCESS)
        status = create_handle(process->machine, &target, arguments->pSharedNtHandle);
    if (status != STATUS_SUCCESS) {
        vidmm_sync_share_close(process->machine, target.sync);
        vidmm_resource_destroy(target.resource);
        if (target.share != NULL)
            vidmm_share_close(process->machine, target.share);
    }
    return status;
}

NTSTATUS vidmm_thunk_GetSharedResourceAdapterLuid(struct vidmm_thunk_process *process,
                                                  D3DKMT_GETSHAREDRESOURCEADAPTERLUID *arguments)
{
    struct vidmm_thunk_machine *machine = process->machine;
    struct vidmm_share *share = NULL;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->hNtHandle != NULL)
        share =
            vidmm_nt_handle_open_share(machine, machine->adapters[0].adapter, arguments->hNtHandle);
    else
        vidmm_thunk_refuse("hGlobalShare is 0x%x, which is no shared resource",
                           arguments->hGlobalShare);
    for (uint32_t i = 0; i < machine->adapter_count; i++) {
        struct vidmm_adapter *adapter = machine->adapters[i].adapter;

        if (share == NULL && arguments->hNtHandle == NULL)
            share = vidmm_share_open(machine, adapter, arguments->hGlobalShare);
        if (share != NULL && share->adapter == adapter) {
            arguments->AdapterLuid = machine->adapters[i].luid;
            status = STATUS_SUCCESS;
            break;
        }
    }
    if (share != NULL)
        vidmm_share_close(machine, share);
    return status;
}
