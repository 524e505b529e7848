/* allocation.c: allocations and resources, made, opened and destroyed.
 *
 * The two forms of an element begin alike (D3DDDI_ALLOCATIONINFO, ...INFO2), and so do those of an
 * opening: what is read and written here lies in the part that both have.
 */
#include <stdlib.h>

#include <vidmm/adapter.h>
#include <vidmm/residency.h>
#include <vidmm/resource.h>
#include <wddm/d3dkmthk_allocation.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"
#include "thunk/share.h"

/* A creation under way. */
struct creation {
    D3DKMT_CREATEALLOCATION *arguments;
    size_t stride; /* bytes of an element of pAllocationInfo */
    struct vidmm_description *descriptions;
    struct vidmm_allocation **allocations;
    struct vidmm_thunk_object **objects;
    struct vidmm_share *share; /* of a resource that is to be shared */
};

static D3DDDI_ALLOCATIONINFO *element(const struct creation *creation, UINT index)
{
    return (D3DDDI_ALLOCATIONINFO *)(void *)((char *)creation->arguments->pAllocationInfo +
                                             index * creation->stride);
}

/* ---- what is asked for ----------------------------------------------------------------------- */

static NTSTATUS check_flags(D3DKMT_CREATEALLOCATIONFLAGS flags)
{
    const struct {
        bool is_set;
        const char *name;
    } unbuilt[] = {
        {flags.CreateProtected, "CreateProtected"},
        {flags.CrossAdapter, "CrossAdapter"},
        {flags.OpenCrossAdapter, "OpenCrossAdapter"},
        {flags.PartialSharedCreation, "PartialSharedCreation"},
        {flags.WriteWatch, "WriteWatch"},
        {flags.StandardAllocation, "StandardAllocation"},
        {flags.ExistingSection, "ExistingSection"},
        {flags.PhysicallyContiguous, "PhysicallyContiguous"},
        {flags.SharedDisplayable, "SharedDisplayable"},
    };

    if (flags.Reserved != 0)
        return vidmm_thunk_refuse("Flags has reserved bits set");
    if (flags.CreateShared && !flags.CreateResource)
        return vidmm_thunk_refuse("CreateShared is set without CreateResource (D-058, D-059)");
    if (flags.NtSecuritySharing && !flags.CreateShared)
        return vidmm_thunk_refuse("NtSecuritySharing is set without CreateShared (D-059)");
    for (size_t i = 0; i < sizeof(unbuilt) / sizeof(unbuilt[0]); i++)
        if (unbuilt[i].is_set) {
            vidmm_thunk_refuse("Flags.%s is not built", unbuilt[i].name);
            return STATUS_NOT_SUPPORTED;
        }
    return STATUS_SUCCESS;
}

static NTSTATUS check_element(const D3DDDI_ALLOCATIONINFO *info, UINT index, bool existing,
                              bool in_resource)
{
    if (info->pPrivateDriverData == NULL && info->PrivateDriverDataSize != 0)
        return vidmm_thunk_refuse("pPrivateDriverData of element %u is NULL, and its size is %u",
                                  index, info->PrivateDriverDataSize);
    if (info->pSystemMem != NULL && !existing)
        return vidmm_thunk_refuse("pSystemMem of element %u is not NULL without ExistingSysMem",
                                  index);
    if (info->Flags.Primary && !in_resource)
        return vidmm_thunk_refuse("element %u is a primary, and belongs to no resource", index);
    if (info->pSystemMem == NULL && existing)
        return vidmm_thunk_refuse("pSystemMem of element %u is NULL with ExistingSysMem", index);
    return STATUS_SUCCESS;
}

static NTSTATUS check_creation(const struct creation *creation)
{
    const D3DKMT_CREATEALLOCATION *arguments = creation->arguments;
    bool resource = arguments->Flags.CreateResource || arguments->hResource != 0;
    NTSTATUS status = check_flags(arguments->Flags);

    if (status != STATUS_SUCCESS)
        return status;
    if (arguments->NumAllocations > VIDMM_RESOURCE_MOST ||
        (arguments->NumAllocations == 0 && !resource))
        return vidmm_thunk_refuse("NumAllocations is %u; expected %d to %u",
                                  arguments->NumAllocations, resource ? 0 : 1, VIDMM_RESOURCE_MOST);
    if (arguments->NumAllocations != 0 && arguments->pAllocationInfo == NULL)
        return vidmm_thunk_refuse("pAllocationInfo is NULL");
    if (arguments->pPrivateRuntimeData == NULL && arguments->PrivateRuntimeDataSize != 0)
        return vidmm_thunk_refuse("pPrivateRuntimeData is NULL, and its size is %u",
                                  arguments->PrivateRuntimeDataSize);
    if (arguments->pPrivateDriverData == NULL && arguments->PrivateDriverDataSize != 0)
        return vidmm_thunk_refuse("pPrivateDriverData is NULL, and its size is %u",
                                  arguments->PrivateDriverDataSize);
    if (arguments->Flags.CreateResource && arguments->hResource != 0)
        return vidmm_thunk_refuse("CreateResource is set, and hResource is 0x%x",
                                  arguments->hResource);
    for (UINT i = 0; i < arguments->NumAllocations && status == STATUS_SUCCESS; i++)
        status = check_element(element(creation, i), i, arguments->Flags.ExistingSysMem, resource);
    return status;
}

/* ---- what is made ---------------------------------------------------------------------------- */

static void describe(struct creation *creation)
{
    for (UINT i = 0; i < creation->arguments->NumAllocations; i++) {
        const D3DDDI_ALLOCATIONINFO *info = element(creation, i);

        creation->descriptions[i] = (struct vidmm_description){
            .private_data = info->pPrivateDriverData,
            .private_data_size = info->PrivateDriverDataSize,
            .primary = info->Flags.Primary,
            .address = (void *)(uintptr_t)info->pSystemMem,
            .vidpn_source = info->Flags.Primary ? info->VidPnSourceId : VIDMM_NO_SOURCE};
    }
}

static bool prepare_share(struct creation *creation)
{
    const D3DKMT_CREATEALLOCATION *arguments = creation->arguments;
    struct vidmm_share_data *data;

    if (!arguments->Flags.CreateShared)
        return true;
    data = calloc(arguments->NumAllocations + 1, sizeof(*data));
    if (data == NULL)
        return false;
    for (UINT i = 0; i < arguments->NumAllocations; i++)
        data[i] = (struct vidmm_share_data){creation->descriptions[i].private_data,
                                            creation->descriptions[i].private_data_size};
    creation->share = vidmm_share_create(
        (struct vidmm_share_data){arguments->pPrivateRuntimeData,
                                  arguments->PrivateRuntimeDataSize},
        (struct vidmm_share_data){arguments->pPrivateDriverData, arguments->PrivateDriverDataSize},
        data, arguments->NumAllocations);
    free(data);
    return creation->share != NULL;
}

static bool prepare(struct creation *creation)
{
    size_t count = creation->arguments->NumAllocations + (size_t)1;

    creation->descriptions = calloc(count, sizeof(*creation->descriptions));
    creation->allocations = calloc(count, sizeof(struct vidmm_allocation *));
    creation->objects = calloc(count, sizeof(struct vidmm_thunk_object *));
    if (creation->descriptions == NULL || creation->allocations == NULL ||
        creation->objects == NULL)
        return false;
    describe(creation);
    return prepare_share(creation);
}

static void finish(struct creation *creation)
{
    free(creation->descriptions);
    free(creation->allocations);
    free(creation->objects);
    vidmm_share_destroy(creation->share);
}

/* Allocations without a resource: all, or none. */
static NTSTATUS create_alone(struct vidmm_device *device, const struct creation *creation)
{
    UINT count = creation->arguments->NumAllocations;

    for (UINT i = 0; i < count; i++) {
        const struct vidmm_description *description = &creation->descriptions[i];
        NTSTATUS status = vidmm_allocation_create_over(
            device, description->private_data, description->private_data_size, description->address,
            0, &creation->allocations[i], vidmm_thunk_report());

        if (status != STATUS_SUCCESS) {
            while (i-- > 0)
                vidmm_allocation_destroy(creation->allocations[i]);
            return status;
        }
    }
    return STATUS_SUCCESS;
}

/* Objects for what was made, below `parent`, not shown. If one cannot be had, those that were are
 * taken back. */
static NTSTATUS add_objects(struct vidmm_thunk_process *process, struct creation *creation,
                            struct vidmm_thunk_object *parent)
{
    for (UINT i = 0; i < creation->arguments->NumAllocations; i++) {
        NTSTATUS status = vidmm_thunk_add(process, parent, VIDMM_THUNK_ALLOCATION,
                                          creation->allocations[i], &creation->objects[i]);

        if (status != STATUS_SUCCESS) {
            while (i-- > 0)
                vidmm_thunk_cancel(process, creation->objects[i]);
            return status;
        }
    }
    return STATUS_SUCCESS;
}

/* D3DDDI_ALLOCATIONINFO2 alone has a priority. */
static void set_priority(const struct creation *creation, UINT index)
{
    const D3DDDI_ALLOCATIONINFO2 *info = &creation->arguments->pAllocationInfo2[index];

    if (creation->stride == sizeof(*info) && info->Flags.OverridePriority)
        vidmm_set_priority(&(struct vidmm_selection){.allocations = &creation->allocations[index],
                                                     .allocation_count = 1},
                           &info->Priority, NULL);
}

static void answer(const struct creation *creation)
{
    for (UINT i = 0; i < creation->arguments->NumAllocations; i++) {
        set_priority(creation, i);
        element(creation, i)->hAllocation = creation->objects[i]->handle;
    }
}

static void show_and_answer(struct vidmm_thunk_process *process, const struct creation *creation)
{
    answer(creation);
    for (UINT i = 0; i < creation->arguments->NumAllocations; i++)
        vidmm_thunk_show(process, creation->objects[i]);
}

/* Below a device: allocations without a resource. */
static NTSTATUS make_alone(struct vidmm_thunk_process *process, struct creation *creation,
                           struct vidmm_thunk_object *device)
{
    NTSTATUS status = create_alone(device->of, creation);

    if (status != STATUS_SUCCESS)
        return status;
    status = add_objects(process, creation, device);
    if (status == STATUS_SUCCESS)
        show_and_answer(process, creation);
    else
        for (UINT i = 0; i < creation->arguments->NumAllocations; i++)
            vidmm_allocation_destroy(creation->allocations[i]);
    return status;
}

/* More allocations of a resource. */
static NTSTATUS make_more(struct vidmm_thunk_process *process, struct creation *creation,
                          struct vidmm_thunk_object *resource)
{
    UINT count = creation->arguments->NumAllocations;
    NTSTATUS status = vidmm_resource_add(resource->of, creation->descriptions, count,
                                         creation->allocations, vidmm_thunk_report());

    if (status != STATUS_SUCCESS)
        return status;
    status = add_objects(process, creation, resource);
    if (status == STATUS_SUCCESS)
        show_and_answer(process, creation);
    else if (count > 0)
        vidmm_allocations_destroy(creation->allocations, count, NULL);
    return status;
}

static NTSTATUS make_resource(struct vidmm_thunk_process *process, struct creation *creation,
                              struct vidmm_thunk_object *device)
{
    D3DKMT_CREATEALLOCATION *arguments = creation->arguments;
    struct vidmm_resource_options options = {.private_data = arguments->pPrivateDriverData,
                                             .private_data_size = arguments->PrivateDriverDataSize,
                                             .shared = arguments->Flags.CreateShared};
    struct vidmm_thunk_object *object;
    struct vidmm_resource *resource;
    NTSTATUS status = vidmm_resource_create(device->of, &options, creation->descriptions,
                                            arguments->NumAllocations, &resource,
                                            creation->allocations, vidmm_thunk_report());

    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_thunk_add(process, device, VIDMM_THUNK_RESOURCE, resource, &object);
    if (status == STATUS_SUCCESS) {
        status = add_objects(process, creation, object);
        if (status != STATUS_SUCCESS)
            vidmm_thunk_cancel(process, object);
    }
    if (status != STATUS_SUCCESS) {
        vidmm_resource_destroy(resource);
        return status;
    }
    arguments->hResource = object->handle;
    arguments->hGlobalShare =
        arguments->Flags.NtSecuritySharing ? 0 : vidmm_resource_handle(resource);
    if (creation->share != NULL) {
        object->share = creation->share;
        creation->share = NULL;
        object->share->adapter = ((struct vidmm_thunk_adapter *)device->parent->of)->adapter;
        object->share->handle = vidmm_resource_handle(resource);
        object->share->nt = arguments->Flags.NtSecuritySharing;
        vidmm_share_publish(process->machine, object->share);
    }
    answer(creation);
    vidmm_thunk_show(process, object);
    return STATUS_SUCCESS;
}

/* The device, or the resource that gets more. */
static struct vidmm_thunk_object *hold_parent(struct vidmm_thunk_process *process,
                                              const D3DKMT_CREATEALLOCATION *arguments)
{
    struct vidmm_thunk_object *device, *parent;

    vidmm_thunk_enter(process);
    device = parent = vidmm_thunk_find(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device != NULL && arguments->hResource != 0) {
        parent = vidmm_thunk_find(process, arguments->hResource, VIDMM_THUNK_RESOURCE, "hResource");
        if (parent != NULL && parent->parent != device) {
            vidmm_thunk_refuse("hResource is 0x%x, of another device than hDevice",
                               arguments->hResource);
            parent = NULL;
        }
    }
    if (parent != NULL)
        vidmm_thunk_hold(process, parent);
    vidmm_thunk_leave(process);
    return parent;
}

static NTSTATUS create(struct vidmm_thunk_process *process, D3DKMT_CREATEALLOCATION *arguments,
                       size_t stride)
{
    struct creation creation = {.arguments = arguments, .stride = stride};
    struct vidmm_thunk_object *parent;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_creation(&creation);
    if (status != STATUS_SUCCESS)
        return status;
    parent = hold_parent(process, arguments);
    if (parent == NULL)
        return STATUS_INVALID_PARAMETER;
    if (!prepare(&creation))
        status = STATUS_NO_MEMORY;
    else if (arguments->Flags.CreateResource)
        status = make_resource(process, &creation, parent);
    else if (arguments->hResource != 0)
        status = make_more(process, &creation, parent);
    else
        status = make_alone(process, &creation, parent);
    finish(&creation);
    vidmm_thunk_let_go(process, parent);
    return status;
}

NTSTATUS vidmm_thunk_CreateAllocation(struct vidmm_thunk_process *process,
                                      D3DKMT_CREATEALLOCATION *arguments)
{
    return create(process, arguments, sizeof(D3DDDI_ALLOCATIONINFO));
}

NTSTATUS vidmm_thunk_CreateAllocation2(struct vidmm_thunk_process *process,
                                       D3DKMT_CREATEALLOCATION *arguments)
{
    return create(process, arguments, sizeof(D3DDDI_ALLOCATIONINFO2));
}

/* ---- what goes ------------------------------------------------------------------------------- */

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
