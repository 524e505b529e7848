/* destroy.c: allocations and resources go, one by one or as a whole. */
#include <stdlib.h>

#include <vidmm/resource.h>
#include <wddm/d3dkmthk_allocation.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"

/* Inside nothing; removes a resource of a device. */
static NTSTATUS destroy_resource(struct vidmm_thunk_process *process, D3DKMT_HANDLE device_handle,
                                 D3DKMT_HANDLE handle, uint32_t flags)
{
    struct vidmm_thunk_object *device, *resource;
    bool is_its = false;

    vidmm_thunk_enter(process);
    device = vidmm_thunk_find(process, device_handle, VIDMM_THUNK_DEVICE, "hDevice");
    resource = device == NULL
                   ? NULL
                   : vidmm_thunk_find(process, handle, VIDMM_THUNK_RESOURCE, "hResource");
    if (resource != NULL) {
        is_its = resource->parent == device;
        if (!is_its)
            vidmm_thunk_refuse("hResource is 0x%x, of another device than hDevice", handle);
    }
    vidmm_thunk_leave(process);
    if (!is_its)
        return STATUS_INVALID_PARAMETER;
    resource = vidmm_thunk_remove(process, handle, VIDMM_THUNK_RESOURCE, "hResource");
    if (resource == NULL)
        return STATUS_INVALID_PARAMETER;
    vidmm_resource_destroy2(resource->of, flags, vidmm_thunk_report());
    vidmm_thunk_forget(process, resource);
    return STATUS_SUCCESS;
}

static NTSTATUS destroy_listed(struct vidmm_thunk_process *process, D3DKMT_HANDLE device,
                               const D3DKMT_HANDLE *handles, UINT count, uint32_t flags)
{
    struct vidmm_thunk_object **objects = calloc(count, sizeof(*objects));
    struct vidmm_allocation **allocations = calloc(count, sizeof(*allocations));
    NTSTATUS status = STATUS_NO_MEMORY;

    if (objects != NULL && allocations != NULL)
        status = vidmm_thunk_remove_allocations(process, device, handles, count, objects);
    if (status == STATUS_SUCCESS) {
        for (UINT i = 0; i < count; i++)
            allocations[i] = objects[i]->of;
        status = vidmm_allocations_destroy2(allocations, count, flags, vidmm_thunk_report());
        for (UINT i = 0; i < count; i++)
            vidmm_thunk_forget(process, objects[i]);
    }
    free(objects);
    free(allocations);
    return status;
}

static NTSTATUS destroy(struct vidmm_thunk_process *process, D3DKMT_HANDLE device,
                        D3DKMT_HANDLE resource, const D3DKMT_HANDLE *list, UINT count,
                        uint32_t flags)
{
    if (resource != 0 && count != 0)
        return vidmm_thunk_refuse("hResource is 0x%x, and AllocationCount is %u; expected one of "
                                  "them to be 0",
                                  resource, count);
    if (resource != 0)
        return destroy_resource(process, device, resource, flags);
    if (count == 0 || count > VIDMM_RESOURCE_MOST)
        return vidmm_thunk_refuse("AllocationCount is %u; expected 1 to %u", count,
                                  VIDMM_RESOURCE_MOST);
    if (list == NULL)
        return vidmm_thunk_refuse("phAllocationList is NULL");
    return destroy_listed(process, device, list, count, flags);
}

NTSTATUS vidmm_thunk_DestroyAllocation(struct vidmm_thunk_process *process,
                                       D3DKMT_DESTROYALLOCATION *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    return destroy(process, arguments->hDevice, arguments->hResource, arguments->phAllocationList,
                   arguments->AllocationCount, 0);
}

NTSTATUS vidmm_thunk_DestroyAllocation2(struct vidmm_thunk_process *process,
                                        D3DKMT_DESTROYALLOCATION2 *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Flags.Reserved != 0 || arguments->Flags.SystemUseOnly)
        return vidmm_thunk_refuse("Flags is 0x%x; expected AssumeNotInUse and SynchronousDestroy "
                                  "alone",
                                  arguments->Flags.Value);
    return destroy(process, arguments->hDevice, arguments->hResource, arguments->phAllocationList,
                   arguments->AllocationCount,
                   arguments->Flags.Value); /* VIDMM_DESTROY_... are its bits */
}
