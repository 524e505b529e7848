/* allocation.c: allocations and resources, made.
 *
 * The two forms of an element begin alike (D3DDDI_ALLOCATIONINFO, ...INFO2): what is read and
 * written here lies in the part that both have.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vidmm/adapter.h>
#include <vidmm/residency.h>
#include <vidmm/resource.h>
#include <wddm/d3dkmthk_allocation.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/heap_file.h"
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
    int file;                  /* of a heap that other processes may reach; -1: there is none */
};

static D3DDDI_ALLOCATIONINFO *element(const struct creation *creation, UINT index)
{
    return (D3DDDI_ALLOCATIONINFO *)(void *)((char *)creation->arguments->pAllocationInfo +
                                             index * creation->stride);
}

/* ---- what is asked for ----------------------------------------------------------------------- */

static NTSTATUS check_built(D3DKMT_CREATEALLOCATIONFLAGS flags)
{
    const struct {
        bool is_set;
        const char *name;
    } unbuilt[] = {
        {flags.CreateProtected, "CreateProtected"},
        {flags.CrossAdapter && !flags.StandardAllocation, "CrossAdapter"},
        {flags.OpenCrossAdapter, "OpenCrossAdapter"},
        {flags.PartialSharedCreation, "PartialSharedCreation"},
        {flags.WriteWatch, "WriteWatch"},
        {flags.ExistingSection, "ExistingSection"},
        {flags.PhysicallyContiguous, "PhysicallyContiguous"},
        {flags.SharedDisplayable, "SharedDisplayable"},
    };

    for (size_t i = 0; i < sizeof(unbuilt) / sizeof(unbuilt[0]); i++)
        if (unbuilt[i].is_set) {
            vidmm_thunk_refuse("Flags.%s is not built", unbuilt[i].name);
            return STATUS_NOT_SUPPORTED;
        }
    return STATUS_SUCCESS;
}

/* Judge the flags of a creation, and what they go with. */
static NTSTATUS check_flags(const struct vidmm_thunk_object *parent,
                            const D3DKMT_CREATEALLOCATION *arguments)
{
    const struct vidmm_thunk_object *device =
        parent->type == VIDMM_THUNK_RESOURCE ? parent->parent : parent;
    uint32_t flags;
    NTSTATUS status;

    memcpy(&flags, &arguments->Flags, sizeof(flags));
    status = vidmm_creation_check(device->of, flags, arguments->NumAllocations,
                                  arguments->hResource != 0, vidmm_thunk_report());
    return status == STATUS_SUCCESS ? check_built(arguments->Flags) : status;
}

static NTSTATUS check_element(const D3DDDI_ALLOCATIONINFO *info, UINT index, bool existing,
                              bool in_resource)
{
    if (info->pPrivateDriverData == NULL && info->PrivateDriverDataSize != 0)
        return vidmm_thunk_refuse("pPrivateDriverData of element %u is NULL, and its size is %u",
                                  index, info->PrivateDriverDataSize);
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
    NTSTATUS status = STATUS_SUCCESS;

    if (arguments->Flags.Reserved != 0)
        return vidmm_thunk_refuse("Flags has reserved bits set");
    if (arguments->NumAllocations > VIDMM_RESOURCE_MOST ||
        (arguments->NumAllocations == 0 && !resource))
        return vidmm_thunk_refuse("NumAllocations is %u; expected %d to %u",
                                  arguments->NumAllocations, resource ? 0 : 1, VIDMM_RESOURCE_MOST);
    if (arguments->NumAllocations != 0 && arguments->pAllocationInfo == NULL)
        return vidmm_thunk_refuse("pAllocationInfo is NULL");
    if (arguments->pPrivateRuntimeData == NULL && arguments->PrivateRuntimeDataSize != 0)
        return vidmm_thunk_refuse("pPrivateRuntimeData is NULL, and its size is %u",
                                  arguments->PrivateRuntimeDataSize);
    if (arguments->Flags.StandardAllocation && arguments->PrivateDriverDataSize != 0)
        return vidmm_thunk_refuse("PrivateDriverDataSize is %u; expected 0 of a standard "
                                  "allocation",
                                  arguments->PrivateDriverDataSize);
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
    struct vidmm_share_data *data, resource = {0};

    if (!arguments->Flags.CreateShared)
        return true;
    data = calloc(arguments->NumAllocations + 1, sizeof(*data));
    if (data == NULL)
        return false;
    for (UINT i = 0; i < arguments->NumAllocations; i++)
        data[i] = (struct vidmm_share_data){creation->descriptions[i].private_data,
                                            creation->descriptions[i].private_data_size};
    if (!arguments->Flags.StandardAllocation) /* of one, there are no words of the program's */
        resource = (struct vidmm_share_data){arguments->pPrivateDriverData,
                                             arguments->PrivateDriverDataSize};
    creation->share =
        vidmm_share_create((struct vidmm_share_data){arguments->pPrivateRuntimeData,
                                                     arguments->PrivateRuntimeDataSize},
                           resource, data, arguments->NumAllocations);
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
    return creation->arguments->Flags.StandardAllocation || prepare_share(creation);
}

static void finish(struct creation *creation)
{
    free(creation->descriptions);
    free(creation->allocations);
    free(creation->objects);
    vidmm_share_destroy(creation->share);
    if (creation->file >= 0) /* the memory stays in it */
        close(creation->file);
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

/* A new resource becomes the program's; `resource` is destroyed if that fails. */
static NTSTATUS add_resource(struct vidmm_thunk_process *process, struct creation *creation,
                             struct vidmm_thunk_object *device, struct vidmm_resource *resource)
{
    D3DKMT_CREATEALLOCATION *arguments = creation->arguments;
    struct vidmm_thunk_object *object;
    NTSTATUS status = vidmm_thunk_add(process, device, VIDMM_THUNK_RESOURCE, resource, &object);

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

static NTSTATUS make_resource(struct vidmm_thunk_process *process, struct creation *creation,
                              struct vidmm_thunk_object *device)
{
    D3DKMT_CREATEALLOCATION *arguments = creation->arguments;
    struct vidmm_resource_options options = {.private_data = arguments->pPrivateDriverData,
                                             .private_data_size = arguments->PrivateDriverDataSize,
                                             .shared = arguments->Flags.CreateShared};
    struct vidmm_resource *resource;
    NTSTATUS status = vidmm_resource_create(device->of, &options, creation->descriptions,
                                            arguments->NumAllocations, &resource,
                                            creation->allocations, vidmm_thunk_report());

    return status == STATUS_SUCCESS ? add_resource(process, creation, device, resource) : status;
}

/* The words of a standard allocation are the driver's. */
static bool share_heap(struct creation *creation)
{
    struct vidmm_description *description = &creation->descriptions[0];

    description->private_data =
        vidmm_allocation_private_data(creation->allocations[0], &description->private_data_size);
    if (!prepare_share(creation))
        return false;
    if (creation->share != NULL && creation->file >= 0) {
        creation->share->file = creation->file;
        creation->share->file_size =
            creation->arguments->pStandardAllocation->ExistingHeapData.Size;
        memcpy(&creation->share->flags, &creation->arguments->Flags, sizeof(uint32_t));
        creation->file = -1;
    }
    return true;
}

static NTSTATUS add_heap(struct vidmm_thunk_process *process, struct creation *creation,
                         struct vidmm_thunk_object *device, struct vidmm_resource *resource)
{
    NTSTATUS status;

    if (resource == NULL) {
        status = add_objects(process, creation, device);
        if (status == STATUS_SUCCESS)
            show_and_answer(process, creation);
        else
            vidmm_allocation_destroy(creation->allocations[0]);
        return status;
    }
    if (share_heap(creation))
        return add_resource(process, creation, device, resource);
    vidmm_resource_destroy(resource);
    return STATUS_NO_MEMORY;
}

/* A heap that adapters share may be opened by the adapter of another machine, in another process
 * of the system. One that cannot be is shared in this machine alone. */
static void prepare_heap(const struct vidmm_thunk_machine *machine, struct creation *creation,
                         const struct vidmm_heap *heap)
{
    const D3DKMT_CREATEALLOCATION *arguments = creation->arguments;

    if (machine->carries && arguments->Flags.NtSecuritySharing && arguments->Flags.CrossAdapter &&
        arguments->Flags.CreateResource && heap->size <= UINT32_MAX)
        creation->file =
            vidmm_heap_file_create(heap->address, heap->size, arguments->pPrivateRuntimeData,
                                   arguments->PrivateRuntimeDataSize);
}

/* A standard allocation over memory of the program. */
static NTSTATUS make_heap(struct vidmm_thunk_process *process, struct creation *creation,
                          struct vidmm_thunk_object *device)
{
    const D3DKMT_CREATESTANDARDALLOCATION *standard = creation->arguments->pStandardAllocation;
    struct vidmm_heap heap = {.address = creation->descriptions[0].address};
    struct vidmm_resource *resource;
    NTSTATUS status;

    if (standard == NULL)
        return vidmm_thunk_refuse("pStandardAllocation is NULL");
    if (standard->Type == D3DKMT_STANDARDALLOCATIONTYPE_INTERNALBACKINGSTORE) {
        vidmm_thunk_refuse("pStandardAllocation->Type is an internal backing store: not built");
        return STATUS_NOT_SUPPORTED;
    }
    if (standard->Type != D3DKMT_STANDARDALLOCATIONTYPE_EXISTINGHEAP)
        return vidmm_thunk_refuse("pStandardAllocation->Type is %d; expected 1, an existing heap",
                                  (int)standard->Type);
    if (standard->Flags.Value != 0)
        return vidmm_thunk_refuse("pStandardAllocation->Flags has reserved bits set");
    heap.size = standard->ExistingHeapData.Size;
    memcpy(&heap.flags, &creation->arguments->Flags, sizeof(heap.flags));
    prepare_heap(process->machine, creation, &heap);
    status = vidmm_heap_create(device->of, &heap, &resource, &creation->allocations[0],
                               vidmm_thunk_report());
    if (status == STATUS_SUCCESS)
        return add_heap(process, creation, device, resource);
    if (creation->file >= 0)
        vidmm_heap_file_undo(heap.address, heap.size, creation->file);
    creation->file = -1;
    return status;
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

static NTSTATUS make(struct vidmm_thunk_process *process, struct creation *creation,
                     struct vidmm_thunk_object *parent)
{
    const D3DKMT_CREATEALLOCATION *arguments = creation->arguments;

    if (!prepare(creation))
        return STATUS_NO_MEMORY;
    if (arguments->Flags.StandardAllocation)
        return make_heap(process, creation, parent);
    if (arguments->Flags.CreateResource)
        return make_resource(process, creation, parent);
    return arguments->hResource != 0 ? make_more(process, creation, parent)
                                     : make_alone(process, creation, parent);
}

static NTSTATUS create(struct vidmm_thunk_process *process, D3DKMT_CREATEALLOCATION *arguments,
                       size_t stride)
{
    struct creation creation = {.arguments = arguments, .stride = stride, .file = -1};
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
    status = check_flags(parent, arguments);
    if (status == STATUS_SUCCESS)
        status = make(process, &creation, parent);
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
