/* address.c: GPU virtual addresses reserved, mapped, freed. address_update.c changes them. */
#include <vidmm/adapter.h>
#include <vidmm/page.h>
#include <vidmm/process.h>
#include <wddm/d3dkmthk_allocation.h>
#include <wddm/ntstatus.h>

#include "thunk/address.h"
#include "thunk/calls.h"
#include "thunk/process.h"

/* ---- reserve --------------------------------------------------------------------------------- */

static NTSTATUS reservation_state(D3DDDIGPUVIRTUALADDRESS_RESERVATION_TYPE type, uint32_t *state)
{
    switch (type) {
    case D3DDDIGPUVIRTUALADDRESS_RESERVE_NO_ACCESS:
        *state = VIDMM_ADDRESSES_NO_ACCESS;
        return STATUS_SUCCESS;
    case D3DDDIGPUVIRTUALADDRESS_RESERVE_ZERO:
        *state = VIDMM_ADDRESSES_ZERO;
        return STATUS_SUCCESS;
    case D3DDDIGPUVIRTUALADDRESS_RESERVE_NO_COMMIT:
        *state = VIDMM_ADDRESSES_NO_COMMIT;
        return STATUS_SUCCESS;
    }
    return vidmm_thunk_refuse("ReservationType is %d; expected 0 to 2", (int)type);
}

/* Inside: the device and the queue that reserve. The handle's type decides: an adapter's reserves
 * at once. */
static NTSTATUS find_reserver(struct vidmm_thunk_process *process, D3DKMT_HANDLE handle,
                              struct vidmm_device **device, struct vidmm_paging_queue **queue)
{
    struct vidmm_thunk_object *object = vidmm_handle_table_find(&process->table, handle);

    *queue = NULL;
    if (object != NULL && object->type == VIDMM_THUNK_ADAPTER) {
        struct vidmm_thunk_object *any = vidmm_thunk_any_device(process, object);

        if (any == NULL)
            return vidmm_thunk_refuse("hAdapter is 0x%x, under which the process has no device",
                                      handle);
        *device = any->of;
        return STATUS_SUCCESS;
    }
    object = vidmm_thunk_find(process, handle, VIDMM_THUNK_PAGING_QUEUE, "hPagingQueue");
    if (object == NULL)
        return STATUS_INVALID_PARAMETER;
    *queue = object->of;
    *device = object->parent->of;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_thunk_ReserveGpuVirtualAddress(struct vidmm_thunk_process *process,
                                              D3DDDI_RESERVEGPUVIRTUALADDRESS *arguments)
{
    struct vidmm_address_request request;
    struct vidmm_paging_queue *queue;
    struct vidmm_device *device = NULL;
    uint64_t address = 0, value = 0;
    uint32_t state = 0;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = reservation_state(arguments->ReservationType, &state);
    if (status != STATUS_SUCCESS)
        return status;
    request = (struct vidmm_address_request){arguments->BaseAddress, arguments->MinimumAddress,
                                             arguments->MaximumAddress, arguments->Size};
    vidmm_thunk_enter(process);
    status = find_reserver(process, arguments->hPagingQueue, &device, &queue);
    if (status == STATUS_SUCCESS)
        status =
            vidmm_reserve_addresses(device, queue, &request, state, arguments->DriverProtection,
                                    &address, &value, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    if (NT_SUCCESS(status)) {
        arguments->VirtualAddress = address;
        if (queue != NULL)
            arguments->PagingFenceValue = value;
    }
    return status;
}

/* ---- map ------------------------------------------------------------------------------------- */

NTSTATUS vidmm_thunk_check_protection(D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE protection)
{
    if (protection.Reserved != 0 || protection.SystemUseOnly)
        return vidmm_thunk_refuse("Protection is 0x%llx; expected Write, Execute, Zero and "
                                  "NoAccess alone",
                                  (unsigned long long)protection.Value);
    if (protection.Zero && protection.NoAccess)
        return vidmm_thunk_refuse("Protection has Zero and NoAccess; expected one of them");
    return STATUS_SUCCESS;
}

void vidmm_thunk_protect(struct vidmm_address_use *use,
                         D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE protection)
{
    use->state = VIDMM_ADDRESSES_MAPPED;
    if (protection.Zero)
        use->state = VIDMM_ADDRESSES_ZERO;
    if (protection.NoAccess)
        use->state = VIDMM_ADDRESSES_NO_ACCESS;
    if (protection.Write)
        use->access |= VIDMM_ADDRESSES_WRITE;
    if (protection.Execute)
        use->access |= VIDMM_ADDRESSES_EXECUTE;
}

static NTSTATUS check_pages(const char *member, uint64_t pages)
{
    if (pages > UINT64_MAX / VIDMM_PAGE_SIZE)
        return vidmm_thunk_refuse("%s is %llu; expected 0 to %llu", member,
                                  (unsigned long long)pages,
                                  (unsigned long long)(UINT64_MAX / VIDMM_PAGE_SIZE));
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_thunk_MapGpuVirtualAddress(struct vidmm_thunk_process *process,
                                          D3DDDI_MAPGPUVIRTUALADDRESS *arguments)
{
    struct vidmm_address_request request;
    struct vidmm_thunk_object *queue, *allocation = NULL;
    struct vidmm_address_use use;
    uint64_t address = 0, value = 0;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = vidmm_thunk_check_protection(arguments->Protection);
    if (status == STATUS_SUCCESS)
        status = check_pages("OffsetInPages", arguments->OffsetInPages);
    if (status == STATUS_SUCCESS)
        status = check_pages("SizeInPages", arguments->SizeInPages);
    if (status != STATUS_SUCCESS)
        return status;
    use = (struct vidmm_address_use){.driver_protection = arguments->DriverProtection,
                                     .offset = arguments->OffsetInPages * VIDMM_PAGE_SIZE};
    vidmm_thunk_protect(&use, arguments->Protection);
    request = (struct vidmm_address_request){arguments->BaseAddress, arguments->MinimumAddress,
                                             arguments->MaximumAddress,
                                             arguments->SizeInPages * VIDMM_PAGE_SIZE};
    vidmm_thunk_enter(process);
    queue = vidmm_thunk_find(process, arguments->hPagingQueue, VIDMM_THUNK_PAGING_QUEUE,
                             "hPagingQueue");
    if (queue != NULL && arguments->hAllocation != 0) {
        allocation = vidmm_thunk_find(process, arguments->hAllocation, VIDMM_THUNK_ALLOCATION,
                                      "hAllocation");
        if (allocation == NULL)
            queue = NULL;
        else
            use.allocation = allocation->of;
    }
    status = queue == NULL ? STATUS_INVALID_PARAMETER
                           : vidmm_map_addresses(queue->of, &request, &use, &address, &value,
                                                 vidmm_thunk_report());
    vidmm_thunk_leave(process);
    if (NT_SUCCESS(status)) {
        arguments->VirtualAddress = address;
        arguments->PagingFenceValue = value;
    }
    return status;
}

/* ---- free ------------------------------------------------------------------------------------ */

NTSTATUS vidmm_thunk_FreeGpuVirtualAddress(struct vidmm_thunk_process *process,
                                           D3DKMT_FREEGPUVIRTUALADDRESS *arguments)
{
    struct vidmm_thunk_object *adapter, *device;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    vidmm_thunk_enter(process);
    adapter = vidmm_thunk_find(process, arguments->hAdapter, VIDMM_THUNK_ADAPTER, "hAdapter");
    if (adapter != NULL) {
        device = vidmm_thunk_any_device(process, adapter);
        if (device == NULL)
            vidmm_thunk_refuse("hAdapter is 0x%x, under which the process has no device",
                               arguments->hAdapter);
        else
            status = vidmm_free_addresses(device->of, arguments->BaseAddress, arguments->Size,
                                          vidmm_thunk_report());
    }
    vidmm_thunk_leave(process);
    return status;
}
