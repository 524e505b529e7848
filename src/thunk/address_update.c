/* address_update.c: GPU virtual addresses changed in a batch, when a fence has come to a value.
 *
 * Source: D3DKMTUpdateGpuVirtualAddress, D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION.
 */
#include <stdlib.h>

#include <vidmm/fence.h>
#include <vidmm/plan.h>
#include <vidmm/process.h>
#include <wddm/d3dkmthk_allocation.h>
#include <wddm/ntstatus.h>

#include "thunk/address.h"
#include "thunk/calls.h"
#include "thunk/process.h"
#include "thunk/sync.h"

/* A call under way: its operations, and the allocations that they name. */
struct update {
    struct vidmm_thunk_process *process;
    struct vidmm_thunk_object **used; /* that many, then the context and the fence */
    struct vidmm_address_operation *operations;
    UINT used_count;
};

/* ---- one operation --------------------------------------------------------------------------- */

/* Inside. size: AllocationSizeInBytes; 0 and that of the addresses mean the same (D-223). */
static NTSTATUS describe_mapping(struct update *update, struct vidmm_address_operation *operation,
                                 D3DKMT_HANDLE allocation, D3DGPU_SIZE_T size)
{
    struct vidmm_thunk_object *object =
        vidmm_thunk_find(update->process, allocation, VIDMM_THUNK_ALLOCATION, "hAllocation");

    if (object == NULL)
        return STATUS_INVALID_PARAMETER;
    if (size > operation->size)
        return vidmm_thunk_refuse("AllocationSizeInBytes is %llu; expected 0 to SizeInBytes, %llu",
                                  (unsigned long long)size, (unsigned long long)operation->size);
    operation->use.allocation = object->of;
    operation->use.period = size == operation->size ? 0 : size;
    update->used[update->used_count++] = object;
    return STATUS_SUCCESS;
}

static NTSTATUS describe_map(struct update *update,
                             const D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *from,
                             struct vidmm_address_operation *operation)
{
    operation->base = from->Map.BaseAddress;
    operation->size = from->Map.SizeInBytes;
    operation->use.offset = from->Map.AllocationOffsetInBytes;
    operation->use.state = VIDMM_ADDRESSES_MAPPED; /* read and write, and no other (D-267) */
    operation->use.access = VIDMM_ADDRESSES_WRITE;
    return describe_mapping(update, operation, from->Map.hAllocation,
                            from->Map.AllocationSizeInBytes);
}

static NTSTATUS describe_map_protect(struct update *update,
                                     const D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *from,
                                     struct vidmm_address_operation *operation)
{
    NTSTATUS status = vidmm_thunk_check_protection(from->MapProtect.Protection);

    if (status != STATUS_SUCCESS)
        return status;
    operation->base = from->MapProtect.BaseAddress;
    operation->size = from->MapProtect.SizeInBytes;
    operation->use.offset = from->MapProtect.AllocationOffsetInBytes;
    operation->use.driver_protection = from->MapProtect.DriverProtection;
    vidmm_thunk_protect(&operation->use, from->MapProtect.Protection);
    if (operation->use.state != VIDMM_ADDRESSES_MAPPED)
        return vidmm_thunk_refuse("MapProtect.Protection is 0x%llx; expected Write and Execute "
                                  "alone: Unmap makes addresses Zero or NoAccess",
                                  (unsigned long long)from->MapProtect.Protection.Value);
    return describe_mapping(update, operation, from->MapProtect.hAllocation,
                            from->MapProtect.AllocationSizeInBytes);
}

static NTSTATUS describe_unmap(const D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *from,
                               struct vidmm_address_operation *operation)
{
    D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE protection = from->Unmap.Protection;

    operation->base = from->Unmap.BaseAddress;
    operation->size = from->Unmap.SizeInBytes;
    operation->use.state = protection.Zero ? VIDMM_ADDRESSES_ZERO : VIDMM_ADDRESSES_NO_ACCESS;
    if (protection.Zero + protection.NoAccess != 1 || protection.Value > 0xf)
        return vidmm_thunk_refuse("Unmap.Protection is 0x%llx; expected Zero or NoAccess",
                                  (unsigned long long)protection.Value);
    return STATUS_SUCCESS;
}

static NTSTATUS describe(struct update *update,
                         const D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION *from,
                         struct vidmm_address_operation *operation)
{
    *operation = (struct vidmm_address_operation){0};
    switch (from->OperationType) {
    case D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP:
        return describe_map(update, from, operation);
    case D3DDDI_UPDATEGPUVIRTUALADDRESS_UNMAP:
        return describe_unmap(from, operation);
    case D3DDDI_UPDATEGPUVIRTUALADDRESS_COPY:
        operation->copied = true;
        operation->base = from->Copy.DestAddress;
        operation->size = from->Copy.SizeInBytes;
        operation->source = from->Copy.SourceAddress;
        return STATUS_SUCCESS;
    case D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP_PROTECT:
        return describe_map_protect(update, from, operation);
    }
    return vidmm_thunk_refuse("OperationType is %d; expected 0 to 3", (int)from->OperationType);
}

/* ---- the call -------------------------------------------------------------------------------- */

/* Inside: the fence, which is a monitored one. */
static struct vidmm_thunk_object *find_fence(struct vidmm_thunk_process *process,
                                             D3DKMT_HANDLE handle)
{
    struct vidmm_thunk_object *object =
        vidmm_thunk_find(process, handle, VIDMM_THUNK_SYNC, "hFenceObject");
    const struct vidmm_thunk_sync *sync = object != NULL ? object->of : NULL;

    if (sync == NULL || sync->type == D3DDDI_MONITORED_FENCE)
        return object;
    vidmm_thunk_refuse("hFenceObject is of type %d; expected a monitored fence (5)",
                       (int)sync->type);
    return NULL;
}

/* Inside: all that the call names. The last two are the context and the fence. */
static NTSTATUS find_all(struct update *update, const D3DKMT_UPDATEGPUVIRTUALADDRESS *arguments)
{
    struct vidmm_thunk_object *context, *fence;

    context = vidmm_thunk_find_of_device(update->process, arguments->hDevice, arguments->hContext,
                                         VIDMM_THUNK_CONTEXT, "hContext");
    if (context == NULL)
        return STATUS_INVALID_PARAMETER;
    fence = find_fence(update->process, arguments->hFenceObject);
    if (fence == NULL)
        return STATUS_INVALID_PARAMETER;
    for (UINT i = 0; i < arguments->NumOperations; i++) {
        NTSTATUS status = describe(update, &arguments->Operations[i], &update->operations[i]);

        if (status != STATUS_SUCCESS)
            return status;
    }
    update->used[update->used_count++] = context;
    update->used[update->used_count++] = fence;
    return STATUS_SUCCESS;
}

static NTSTATUS ask(const struct update *update, const D3DKMT_UPDATEGPUVIRTUALADDRESS *arguments,
                    uint32_t flags)
{
    const struct vidmm_thunk_sync *sync = update->used[update->used_count - 1]->of;
    const struct vidmm_fence_point after = {sync->fence, arguments->FenceValue};

    if (arguments->Flags.DoNotWait)
        flags |= VIDMM_UPDATE_AT_ONCE;
    return vidmm_update_addresses_after(update->used[update->used_count - 2]->of,
                                        update->operations, arguments->NumOperations, &after, flags,
                                        vidmm_thunk_report());
}

static NTSTATUS carry_out(struct update *update, const D3DKMT_UPDATEGPUVIRTUALADDRESS *arguments)
{
    NTSTATUS status;

    vidmm_thunk_enter(update->process);
    status = find_all(update, arguments);
    if (status == STATUS_SUCCESS)
        status = ask(update, arguments, VIDMM_UPDATE_DO_NOT_BLOCK);
    if (status != STATUS_DEVICE_BUSY) {
        vidmm_thunk_leave(update->process);
        return status;
    }
    for (UINT i = 0; i < update->used_count; i++)
        vidmm_thunk_hold(update->process, update->used[i]);
    vidmm_thunk_leave(update->process);
    status = ask(update, arguments, 0);
    for (UINT i = 0; i < update->used_count; i++)
        vidmm_thunk_let_go(update->process, update->used[i]);
    return status;
}

static NTSTATUS check(const D3DKMT_UPDATEGPUVIRTUALADDRESS *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->NumOperations == 0 || arguments->NumOperations > VIDMM_UPDATES_AT_ONCE)
        return vidmm_thunk_refuse("NumOperations is %u; expected 1 to %u", arguments->NumOperations,
                                  VIDMM_UPDATES_AT_ONCE);
    if (arguments->Operations == NULL)
        return vidmm_thunk_refuse("Operations is NULL");
    if (arguments->Reserved0 != 0 || arguments->Reserved1 != 0)
        return vidmm_thunk_refuse("Reserved0 and Reserved1 are not 0");
    if (arguments->Flags.Reserved != 0)
        return vidmm_thunk_refuse("Flags is 0x%x; expected DoNotWait (1) alone",
                                  arguments->Flags.Value);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_thunk_UpdateGpuVirtualAddress(struct vidmm_thunk_process *process,
                                             D3DKMT_UPDATEGPUVIRTUALADDRESS *arguments)
{
    struct update update = {.process = process};
    NTSTATUS status = check(arguments);

    if (status != STATUS_SUCCESS)
        return status;
    update.operations = calloc(arguments->NumOperations, sizeof(*update.operations));
    update.used = calloc((size_t)arguments->NumOperations + 2, sizeof(*update.used));
    if (update.operations == NULL || update.used == NULL)
        status = STATUS_NO_MEMORY;
    else
        status = carry_out(&update, arguments);
    free(update.operations);
    free(update.used);
    return status;
}
