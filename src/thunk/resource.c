/* resource.c: shared resources, as those see them who open them: first how much there is, then all
 * of it into buffers of the caller. */
#include <stdlib.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/resource.h>
#include <wddm/d3dkmthk_allocation.h>
#include <wddm/d3dkmthk_share.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/nt_handle.h"
#include "thunk/process.h"
#include "thunk/share.h"

static struct vidmm_share *open_share(struct vidmm_thunk_process *process,
                                      const struct vidmm_thunk_object *device, D3DKMT_HANDLE handle)
{
    struct vidmm_thunk_adapter *adapter = device->parent->of;
    struct vidmm_share *share = vidmm_share_open(process->machine, adapter->adapter, handle);

    if (share == NULL)
        vidmm_thunk_refuse("hGlobalShare is 0x%x, which is no shared resource of this adapter",
                           handle);
    return share;
}

/* The answer to both forms of the question; QUERYRESOURCEINFO has its members. */
static void answer_query(D3DKMT_QUERYRESOURCEINFO *arguments, const struct vidmm_share *share)
{
    if (arguments->pPrivateRuntimeData != NULL &&
        arguments->PrivateRuntimeDataSize >= share->runtime.size && share->runtime.size > 0)
        memcpy(arguments->pPrivateRuntimeData, share->runtime.bytes, share->runtime.size);
    arguments->PrivateRuntimeDataSize = share->runtime.size;
    arguments->ResourcePrivateDriverDataSize = share->resource.size;
    arguments->TotalPrivateDriverDataSize = vidmm_share_total(share);
    arguments->NumAllocations = share->count;
}

NTSTATUS vidmm_thunk_QueryResourceInfo(struct vidmm_thunk_process *process,
                                       D3DKMT_QUERYRESOURCEINFO *arguments)
{
    struct vidmm_thunk_object *device;
    struct vidmm_share *share;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    device = vidmm_thunk_find_and_hold(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    share = open_share(process, device, arguments->hGlobalShare);
    if (share != NULL) {
        answer_query(arguments, share);
        vidmm_share_close(process->machine, share);
    }
    vidmm_thunk_let_go(process, device);
    return share != NULL ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

/* As open_share(), by an NT handle. */
static struct vidmm_share *open_nt_share(struct vidmm_thunk_process *process,
                                         const struct vidmm_thunk_object *device, HANDLE handle)
{
    struct vidmm_thunk_adapter *adapter = device->parent->of;
    struct vidmm_share *share;

    vidmm_nt_handles_sweep(process->machine, false);
    share = vidmm_nt_handle_open_share(process->machine, adapter->adapter, handle);
    if (share == NULL || share->adapter == adapter->adapter)
        return share;
    vidmm_share_close(process->machine, share);
    vidmm_thunk_refuse("hNtHandle is %lld, of another adapter than hDevice",
                       (long long)(intptr_t)handle);
    return NULL;
}

NTSTATUS
vidmm_thunk_QueryResourceInfoFromNtHandle(struct vidmm_thunk_process *process,
                                          D3DKMT_QUERYRESOURCEINFOFROMNTHANDLE *arguments)
{
    struct vidmm_thunk_object *device;
    struct vidmm_share *share;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    device = vidmm_thunk_find_and_hold(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    share = open_nt_share(process, device, arguments->hNtHandle);
    if (share != NULL) {
        D3DKMT_QUERYRESOURCEINFO query = {.pPrivateRuntimeData = arguments->pPrivateRuntimeData,
                                          .PrivateRuntimeDataSize =
                                              arguments->PrivateRuntimeDataSize};

        answer_query(&query, share);
        arguments->PrivateRuntimeDataSize = query.PrivateRuntimeDataSize;
        arguments->ResourcePrivateDriverDataSize = query.ResourcePrivateDriverDataSize;
        arguments->TotalPrivateDriverDataSize = query.TotalPrivateDriverDataSize;
        arguments->NumAllocations = query.NumAllocations;
        vidmm_share_close(process->machine, share);
    }
    vidmm_thunk_let_go(process, device);
    return share != NULL ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

/* ---- open ------------------------------------------------------------------------------------ */

static NTSTATUS check_buffer(const char *name, const void *buffer, UINT size, uint32_t needed)
{
    if (size < needed)
        return vidmm_thunk_refuse("the size of %s is %u; expected %u or more", name, size, needed);
    if (buffer == NULL && needed > 0)
        return vidmm_thunk_refuse("%s is NULL; it receives %u bytes", name, needed);
    return STATUS_SUCCESS;
}

static NTSTATUS check_opening(const D3DKMT_OPENRESOURCE *arguments, const struct vidmm_share *share)
{
    NTSTATUS status = STATUS_SUCCESS;

    if (arguments->NumAllocations != share->count)
        return vidmm_thunk_refuse("NumAllocations is %u; expected %u", arguments->NumAllocations,
                                  share->count);
    if (arguments->pOpenAllocationInfo == NULL)
        return vidmm_thunk_refuse("pOpenAllocationInfo2 is NULL");
    status = check_buffer("pPrivateRuntimeData", arguments->pPrivateRuntimeData,
                          arguments->PrivateRuntimeDataSize, share->runtime.size);
    if (status == STATUS_SUCCESS)
        status = check_buffer("pResourcePrivateDriverData", arguments->pResourcePrivateDriverData,
                              arguments->ResourcePrivateDriverDataSize, share->resource.size);
    if (status == STATUS_SUCCESS)
        status =
            check_buffer("pTotalPrivateDriverDataBuffer", arguments->pTotalPrivateDriverDataBuffer,
                         arguments->TotalPrivateDriverDataBufferSize, vidmm_share_total(share));
    return status;
}

static void copy_out(void *to, struct vidmm_share_data data)
{
    if (data.size > 0)
        memcpy(to, data.bytes, data.size);
}

static void answer(D3DKMT_OPENRESOURCE *arguments, const struct vidmm_thunk_object *resource,
                   struct vidmm_thunk_object *const *objects)
{
    const struct vidmm_share *share = resource->share;
    char *at = arguments->pTotalPrivateDriverDataBuffer;

    copy_out(arguments->pPrivateRuntimeData, share->runtime);
    copy_out(arguments->pResourcePrivateDriverData, share->resource);
    arguments->PrivateRuntimeDataSize = share->runtime.size;
    arguments->ResourcePrivateDriverDataSize = share->resource.size;
    arguments->TotalPrivateDriverDataBufferSize = vidmm_share_total(share);
    for (uint32_t i = 0; i < share->count; i++) {
        D3DDDI_OPENALLOCATIONINFO2 *info = &arguments->pOpenAllocationInfo2[i];

        copy_out(at, share->allocations[i]);
        *info = (D3DDDI_OPENALLOCATIONINFO2){.hAllocation = objects[i]->handle,
                                             .pPrivateDriverData = at,
                                             .PrivateDriverDataSize = share->allocations[i].size};
        at += share->allocations[i].size;
    }
    arguments->hResource = resource->handle;
}

/* Objects for a resource that has been opened, not shown. */
static NTSTATUS add_objects(struct vidmm_thunk_process *process, struct vidmm_thunk_object *device,
                            struct vidmm_resource *resource,
                            struct vidmm_allocation *const *allocations, uint32_t count,
                            struct vidmm_thunk_object **object, struct vidmm_thunk_object **objects)
{
    NTSTATUS status = vidmm_thunk_add(process, device, VIDMM_THUNK_RESOURCE, resource, object);

    if (status != STATUS_SUCCESS)
        return status;
    for (uint32_t i = 0; i < count && status == STATUS_SUCCESS; i++)
        status =
            vidmm_thunk_add(process, *object, VIDMM_THUNK_ALLOCATION, allocations[i], &objects[i]);
    if (status != STATUS_SUCCESS)
        vidmm_thunk_cancel(process, *object);
    return status;
}

/* With the device held; the share is the new resource's on success. */
static NTSTATUS open_resource(struct vidmm_thunk_process *process, D3DKMT_OPENRESOURCE *arguments,
                              struct vidmm_thunk_object *device, struct vidmm_share *share)
{
    struct vidmm_allocation **allocations = calloc(share->count, sizeof(*allocations));
    struct vidmm_thunk_object **objects = calloc(share->count, sizeof(*objects)), *object;
    struct vidmm_resource *resource;
    NTSTATUS status = check_opening(arguments, share);

    if (status == STATUS_SUCCESS && (allocations == NULL || objects == NULL))
        status = STATUS_NO_MEMORY;
    if (status == STATUS_SUCCESS)
        status = vidmm_resource_open(device->of, share->handle, &resource, allocations,
                                     share->count, vidmm_thunk_report());
    if (status == STATUS_SUCCESS) {
        status =
            add_objects(process, device, resource, allocations, share->count, &object, objects);
        if (status == STATUS_SUCCESS) {
            object->share = share;
            answer(arguments, object, objects);
            vidmm_thunk_show(process, object);
        } else
            vidmm_resource_destroy(resource);
    }
    free(allocations);
    free(objects);
    return status;
}

NTSTATUS vidmm_thunk_OpenResource(struct vidmm_thunk_process *process,
                                  D3DKMT_OPENRESOURCE *arguments)
{
    struct vidmm_thunk_object *device;
    struct vidmm_share *share;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    device = vidmm_thunk_find_and_hold(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    share = open_share(process, device, arguments->hGlobalShare);
    if (share != NULL) {
        status = open_resource(process, arguments, device, share);
        if (status != STATUS_SUCCESS)
            vidmm_share_close(process->machine, share);
    }
    vidmm_thunk_let_go(process, device);
    return status;
}

/* There are no keyed mutexes here, and no fence that goes with a resource. */
static void answer_opening(D3DKMT_OPENRESOURCEFROMNTHANDLE *arguments,
                           const D3DKMT_OPENRESOURCE *open)
{
    arguments->PrivateRuntimeDataSize = open->PrivateRuntimeDataSize;
    arguments->ResourcePrivateDriverDataSize = open->ResourcePrivateDriverDataSize;
    arguments->TotalPrivateDriverDataBufferSize = open->TotalPrivateDriverDataBufferSize;
    arguments->hResource = open->hResource;
    arguments->hKeyedMutex = 0;
    arguments->hSyncObject = 0;
}

NTSTATUS vidmm_thunk_OpenResourceFromNtHandle(struct vidmm_thunk_process *process,
                                              D3DKMT_OPENRESOURCEFROMNTHANDLE *arguments)
{
    struct vidmm_thunk_object *device;
    D3DKMT_OPENRESOURCE open;
    struct vidmm_share *share;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    open = (D3DKMT_OPENRESOURCE){
        .NumAllocations = arguments->NumAllocations,
        .pOpenAllocationInfo2 = arguments->pOpenAllocationInfo2,
        .pPrivateRuntimeData = arguments->pPrivateRuntimeData,
        .PrivateRuntimeDataSize = arguments->PrivateRuntimeDataSize,
        .pResourcePrivateDriverData = arguments->pResourcePrivateDriverData,
        .ResourcePrivateDriverDataSize = arguments->ResourcePrivateDriverDataSize,
        .pTotalPrivateDriverDataBuffer = arguments->pTotalPrivateDriverDataBuffer,
        .TotalPrivateDriverDataBufferSize = arguments->TotalPrivateDriverDataBufferSize};
    device = vidmm_thunk_find_and_hold(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    share = open_nt_share(process, device, arguments->hNtHandle);
    if (share != NULL) {
        status = open_resource(process, &open, device, share);
        if (status == STATUS_SUCCESS)
            answer_opening(arguments, &open);
        else
            vidmm_share_close(process->machine, share);
    }
    vidmm_thunk_let_go(process, device);
    return status;
}
