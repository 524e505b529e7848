/* callbacks.c: DXGKRNL_INTERFACE, what the miniport may call.
 *
 * Source: DXGKRNL_INTERFACE and the pages of its members.
 */
#include "vidmm/ddi/callbacks.h"

#include <string.h>

#include <wddm/ntstatus.h>

#include "vidmm/ddi/backing_store.h"
#include "vidmm/ddi/context_allocation.h"
#include "vidmm/ddi/driver_range.h"
#include "vidmm/ddi/interrupt.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/registry.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/resource.h"
#include "vidmm/object/slot_table.h"

#include "wddm/level.h"

/* ---- the device ------------------------------------------------------------------------------ */

static NTSTATUS get_device_information(HANDLE handle, DXGK_DEVICE_INFO *info)
{
    const struct vidmm_link *link = vidmm_ddi_called_back(handle);

    if (!link)
        return STATUS_INVALID_PARAMETER;
    memset(info, 0, sizeof(*info));
    info->MiniportDeviceContext = link->h_adapter;
    info->PhysicalDeviceObject = link->physical_device_object;
    info->HighestPhysicalAddress.QuadPart = -1;
    return STATUS_SUCCESS;
}

static NTSTATUS map_memory(HANDLE handle, PHYSICAL_ADDRESS address, ULONG length, BOOLEAN io_space,
                           BOOLEAN user_mode, MEMORY_CACHING_TYPE cache_type, PVOID *result)
{
    const struct vidmm_link *link = vidmm_ddi_called_back(handle);

    (void)cache_type;
    if (!link || io_space || user_mode || length == 0 || !result)
        return STATUS_INVALID_PARAMETER;
    *result = link->host->map_physical(link->host->context, (uint64_t)address.QuadPart, length);
    return *result ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}

static NTSTATUS unmap_memory(HANDLE handle, PVOID address)
{
    const struct vidmm_link *link = vidmm_ddi_called_back(handle);

    if (!link)
        return STATUS_INVALID_PARAMETER;
    link->host->unmap_physical(link->host->context, address, 0);
    return STATUS_SUCCESS;
}

#define CONFIG_SPACE 0u /* DXGK_WHICHSPACE_CONFIG */

/* The link whose configuration space a callback is about; NULL: none. */
static const struct vidmm_host *find_config(HANDLE handle, ULONG type, PULONG done)
{
    const struct vidmm_link *link = vidmm_ddi_called_back(handle);

    *done = 0;
    return link && type == CONFIG_SPACE ? link->host : NULL;
}

static NTSTATUS read_device_space(HANDLE handle, ULONG type, PVOID buffer, ULONG offset,
                                  ULONG length, PULONG done)
{
    const struct vidmm_host *host = find_config(handle, type, done);

    if (!host)
        return STATUS_INVALID_PARAMETER;
    *done = host->read_config(host->context, offset, buffer, length) ? length : 0;
    return *done == length ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}

static NTSTATUS write_device_space(HANDLE handle, ULONG type, PVOID buffer, ULONG offset,
                                   ULONG length, PULONG done)
{
    const struct vidmm_host *host = find_config(handle, type, done);

    if (!host)
        return STATUS_INVALID_PARAMETER;
    *done = host->write_config(host->context, offset, buffer, length) ? length : 0;
    return *done == length ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}

/* ---- handles --------------------------------------------------------------------------------- */

static struct vidmm_allocation *find_allocation(D3DKMT_HANDLE handle)
{
    return vidmm_registry_find(handle, VIDMM_HANDLE_ALLOCATION);
}

static D3DKMT_HANDLE handle_of(const struct vidmm_resource *resource)
{
    return vidmm_handle_of(resource->adapter->number, resource->id);
}

/* The driver's data, as it attached them. */
static PVOID data_of(struct vidmm_allocation *allocation, const DXGKARGCB_GETHANDLEDATA *arguments)
{
    return arguments->Flags.DeviceSpecific ? allocation->h_device_specific
                                           : vidmm_original(allocation)->h_allocation;
}

/* obeys D-384, W-027 */
static PVOID get_handle_data(const DXGKARGCB_GETHANDLEDATA *arguments)
{
    const struct vidmm_resource *resource;
    struct vidmm_allocation *allocation;

    if (arguments->Type == DXGK_HANDLE_RESOURCE) {
        resource = vidmm_registry_find(arguments->hObject, VIDMM_HANDLE_RESOURCE);
        return resource && !arguments->Flags.DeviceSpecific ? resource->h_resource : NULL;
    }
    allocation =
        arguments->Type == DXGK_HANDLE_ALLOCATION ? find_allocation(arguments->hObject) : NULL;
    if (!allocation ||
        (allocation->adapter->level >= VIDMM_LEVEL(2, 0) && atomic_load(&allocation->opening)))
        return NULL;
    return data_of(allocation, arguments);
}

/* An allocation, or a member of a resource, whose records last as long as its own. The mutex of
 * *adapter is held behind it, unless it answers NULL. */
static struct vidmm_allocation *find_holdable(const DXGKARGCB_GETHANDLEDATA *arguments,
                                              struct vidmm_adapter **adapter, PVOID *data)
{
    struct vidmm_allocation *allocation = NULL;
    struct vidmm_resource *resource;

    if (arguments->Type == DXGK_HANDLE_ALLOCATION) {
        allocation =
            vidmm_registry_find_and_lock(arguments->hObject, VIDMM_HANDLE_ALLOCATION, adapter);
        if (allocation)
            *data = data_of(allocation, arguments);
        return allocation ? vidmm_original(allocation) : NULL;
    }
    if (arguments->Type != DXGK_HANDLE_RESOURCE || arguments->Flags.DeviceSpecific)
        return NULL;
    resource = vidmm_registry_find_and_lock(arguments->hObject, VIDMM_HANDLE_RESOURCE, adapter);
    if (!resource)
        return NULL;
    *data = resource->h_resource;
    if (!resource->members)
        vidmm_adapter_unlock(*adapter);
    return resource->members ? vidmm_original(resource->members) : NULL;
}

/* obeys D-386, W-027: *hold is the number of what is held. */
static PVOID acquire_handle_data(const DXGKARGCB_GETHANDLEDATA *arguments,
                                 DXGKARG_RELEASE_HANDLE *hold)
{
    struct vidmm_allocation *allocation;
    struct vidmm_adapter *adapter;
    PVOID data = NULL;

    if (hold)
        *hold = NULL;
    allocation = arguments && hold ? find_holdable(arguments, &adapter, &data) : NULL;
    if (!allocation)
        return NULL;
    if (!data || allocation->going || allocation->holds == UINT32_MAX) {
        vidmm_adapter_unlock(adapter);
        return NULL;
    }
    allocation->holds++;
    *hold = (DXGKARG_RELEASE_HANDLE)(uintptr_t)vidmm_allocation_handle(allocation);
    vidmm_adapter_unlock(adapter);
    return data;
}

/* The last one to let go of what has been destroyed meanwhile has it go, on the pump's thread. */
static VOID release_handle_data(DXGKARGCB_RELEASEHANDLEDATA arguments)
{
    uintptr_t handle = (uintptr_t)arguments.ReleaseHandle;
    struct vidmm_allocation *allocation;
    struct vidmm_adapter *adapter;
    bool goes;

    allocation =
        handle <= UINT32_MAX
            ? vidmm_registry_find_and_lock((uint32_t)handle, VIDMM_HANDLE_ALLOCATION, &adapter)
            : NULL;
    if (!allocation)
        return;
    goes = allocation->holds == 1 && allocation->held_back;
    allocation->holds -= allocation->holds != 0;
    if (goes) {
        allocation->held_back = false;
        allocation->next_chore = adapter->graves;
        adapter->graves = allocation;
    }
    vidmm_adapter_unlock(adapter);
    if (goes)
        adapter->host->wake(adapter->host->context);
}

static D3DKMT_HANDLE get_handle_parent(D3DKMT_HANDLE handle)
{
    const struct vidmm_allocation *allocation = find_allocation(handle);

    return allocation && allocation->resource ? handle_of(allocation->resource) : 0;
}

static D3DKMT_HANDLE enum_handle_children(const DXGKARGCB_ENUMHANDLECHILDREN *arguments)
{
    const struct vidmm_resource *resource =
        vidmm_registry_find(arguments->hObject, VIDMM_HANDLE_RESOURCE);
    const struct vidmm_allocation *member = NULL;
    UINT index;

    if (resource) {
        vidmm_adapter_lock(resource->adapter);
        member = resource->members;
        for (index = 0; index < arguments->Index && member; index++)
            member = member->sibling;
        vidmm_adapter_unlock(resource->adapter);
    }
    return member ? vidmm_allocation_handle(member) : 0;
}

/* ---- allocations of contexts ----------------------------------------------------------------- */

static NTSTATUS create_context_allocation(DXGKARGCB_CREATECONTEXTALLOCATION *arguments)
{
    const struct vidmm_link *link = arguments ? vidmm_ddi_called_back(arguments->hAdapter) : NULL;

    if (arguments)
        arguments->hAllocation = NULL;
    return link ? vidmm_ddi_create_context_allocation(link->adapter, arguments)
                : STATUS_INVALID_PARAMETER;
}

static NTSTATUS destroy_context_allocation(HANDLE handle, HANDLE allocation)
{
    const struct vidmm_link *link = vidmm_ddi_called_back(handle);

    return link ? vidmm_ddi_destroy_context_allocation(link->adapter, allocation)
                : STATUS_INVALID_PARAMETER;
}

static NTSTATUS update_context_allocation(HANDLE handle,
                                          const DXGKARGCB_UPDATECONTEXTALLOCATION *arguments)
{
    const struct vidmm_link *link = vidmm_ddi_called_back(handle);

    return link && arguments ? vidmm_ddi_update_context_allocation(link->adapter, arguments)
                             : STATUS_INVALID_PARAMETER;
}

static NTSTATUS reserve_addresses(HANDLE handle, DXGKARGCB_RESERVEGPUVIRTUALADDRESSRANGE *arguments)
{
    const struct vidmm_link *link = vidmm_ddi_called_back(handle);

    return link && arguments ? vidmm_ddi_reserve_addresses(link->adapter, arguments)
                             : STATUS_INVALID_PARAMETER;
}

/* ---- what this manager has no part in -------------------------------------------------------- */

static NTSTATUS eval_acpi_method(HANDLE handle, ULONG uid, ACPI_EVAL_INPUT_BUFFER_COMPLEX *input,
                                 ULONG input_size, ACPI_EVAL_OUTPUT_BUFFER *output,
                                 ULONG output_size)
{
    (void)handle, (void)uid, (void)input, (void)input_size, (void)output, (void)output_size;
    return STATUS_NOT_SUPPORTED;
}

static NTSTATUS indicate_child_status(HANDLE handle, DXGK_CHILD_STATUS *status)
{
    (void)handle, (void)status;
    return STATUS_SUCCESS; /* noted by a display stack, which is not here */
}

static NTSTATUS query_services(HANDLE handle, DXGK_SERVICES type, INTERFACE *interface)
{
    (void)handle, (void)type, (void)interface;
    return STATUS_NOT_SUPPORTED;
}

static NTSTATUS is_device_present(HANDLE handle, PPCI_DEVICE_PRESENCE_PARAMETERS parameters,
                                  PBOOLEAN present)
{
    (void)handle, (void)parameters;
    *present = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS query_vidpn_interface(D3DKMDT_HVIDPN vidpn, DXGK_VIDPN_INTERFACE_VERSION version,
                                      const DXGK_VIDPN_INTERFACE **result)
{
    (void)vidpn, (void)version;
    *result = NULL;
    return STATUS_NOT_SUPPORTED;
}

static NTSTATUS query_monitor_interface(HANDLE handle, DXGK_MONITOR_INTERFACE_VERSION version,
                                        const DXGK_MONITOR_INTERFACE **result)
{
    (void)handle, (void)version;
    *result = NULL;
    return STATUS_NOT_SUPPORTED;
}

static NTSTATUS get_capture_address(DXGKARGCB_GETCAPTUREADDRESS *arguments)
{
    (void)arguments;
    return STATUS_NOT_SUPPORTED;
}

static VOID log_etw_event(const GUID *guid, UCHAR type, USHORT size, PVOID buffer)
{
    (void)guid, (void)type, (void)size, (void)buffer;
}

static NTSTATUS exclude_adapter_access(HANDLE handle, ULONG attributes,
                                       PDXGKDDI_PROTECTED_CALLBACK callback, PVOID context)
{
    (void)handle, (void)attributes, (void)callback, (void)context;
    return STATUS_NOT_SUPPORTED;
}

void vidmm_ddi_fill_callbacks(struct vidmm_link *link)
{
    DXGKRNL_INTERFACE *table = &link->callbacks;

    table->Version = link->adapter->miniport->driver.Version;
    table->DeviceHandle = link;
    vidmm_ddi_fill_interrupts(table);
    table->DxgkCbEvalAcpiMethod = eval_acpi_method;
    table->DxgkCbGetDeviceInformation = get_device_information;
    table->DxgkCbIndicateChildStatus = indicate_child_status;
    table->DxgkCbMapMemory = map_memory;
    table->DxgkCbQueryServices = query_services;
    table->DxgkCbReadDeviceSpace = read_device_space;
    table->DxgkCbUnmapMemory = unmap_memory;
    table->DxgkCbWriteDeviceSpace = write_device_space;
    table->DxgkCbIsDevicePresent = is_device_present;
    table->DxgkCbGetHandleData = get_handle_data;
    if (link->adapter->level >= VIDMM_LEVEL(2, 0)) {
        table->DxgkCbAcquireHandleData = acquire_handle_data;
        table->DxgkCbReleaseHandleData = release_handle_data;
        table->DxgkCbUpdateContextAllocation = update_context_allocation;
        table->DxgkCbReserveGpuVirtualAddressRange = reserve_addresses;
    }
    if (link->adapter->level >= VIDMM_LEVEL(2, 6))
        table->DxgkCbIsFeatureEnabled = vidmm_ddi_is_feature_enabled;
    if (link->adapter->level >= VIDMM_LEVEL(2, 9))
        table->DxgkCbQueryFeatureSupport = vidmm_ddi_query_feature_support;
    table->DxgkCbGetHandleParent = get_handle_parent;
    table->DxgkCbEnumHandleChildren = enum_handle_children;
    table->DxgkCbQueryVidPnInterface = query_vidpn_interface;
    table->DxgkCbQueryMonitorInterface = query_monitor_interface;
    table->DxgkCbGetCaptureAddress = get_capture_address;
    table->DxgkCbLogEtwEvent = log_etw_event;
    table->DxgkCbExcludeAdapterAccess = exclude_adapter_access;
    table->DxgkCbCreateContextAllocation = create_context_allocation;
    table->DxgkCbDestroyContextAllocation = destroy_context_allocation;
}
