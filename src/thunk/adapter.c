/* adapter.c: adapters opened by LUID or in a list, closed; devices.
 *
 * Every opening has a handle of its own, and what is made under it goes with it.
 */
#include <stdlib.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <wddm/d3dkmthk_adapter.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"
#include "thunk/semaphore.h"
#include "thunk/trim.h"

/* ---- adapters -------------------------------------------------------------------------------- */

struct vidmm_thunk_adapter *vidmm_thunk_adapter_by_luid(struct vidmm_thunk_machine *machine,
                                                        LUID luid)
{
    for (uint32_t i = 0; i < machine->adapter_count; i++)
        if (memcmp(&machine->adapters[i].luid, &luid, sizeof(luid)) == 0)
            return &machine->adapters[i];
    vidmm_thunk_refuse("AdapterLuid is %08x:%08x, which is no adapter's", (unsigned)luid.HighPart,
                       (unsigned)luid.LowPart);
    return NULL;
}

static NTSTATUS open_adapter(struct vidmm_thunk_process *process,
                             struct vidmm_thunk_adapter *adapter, D3DKMT_HANDLE *handle)
{
    struct vidmm_thunk_object *object;
    NTSTATUS status = vidmm_thunk_add(process, NULL, VIDMM_THUNK_ADAPTER, adapter, &object);

    if (status == STATUS_SUCCESS) {
        *handle = object->handle;
        vidmm_thunk_show(process, object);
    }
    return status;
}

NTSTATUS vidmm_thunk_OpenAdapterFromLuid(struct vidmm_thunk_process *process,
                                         D3DKMT_OPENADAPTERFROMLUID *arguments)
{
    struct vidmm_thunk_adapter *adapter;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    adapter = vidmm_thunk_adapter_by_luid(process->machine, arguments->AdapterLuid);
    if (adapter == NULL)
        return STATUS_INVALID_PARAMETER;
    return open_adapter(process, adapter, &arguments->hAdapter);
}

/* A device that was removed. */
static void destroy_device(struct vidmm_thunk_process *process, struct vidmm_thunk_object *device)
{
    vidmm_trims_forget(process->trims, device);
    vidmm_turns_forget(process->semaphores, device->of, NULL);
    vidmm_device_destroy(device->of);
}

static void destroy_devices(struct vidmm_thunk_process *process, struct vidmm_thunk_object *adapter)
{
    for (struct vidmm_thunk_object *object = adapter->children; object != NULL;
         object = object->next)
        if (object->type == VIDMM_THUNK_DEVICE)
            destroy_device(process, object);
}

NTSTATUS vidmm_thunk_CloseAdapter(struct vidmm_thunk_process *process,
                                  D3DKMT_CLOSEADAPTER *arguments)
{
    struct vidmm_thunk_object *adapter;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    adapter = vidmm_thunk_remove(process, arguments->hAdapter, VIDMM_THUNK_ADAPTER, "hAdapter");
    if (adapter == NULL)
        return STATUS_INVALID_PARAMETER;
    destroy_devices(process, adapter);
    vidmm_thunk_forget(process, adapter);
    return STATUS_SUCCESS;
}

/* Open them all; those that were opened are closed again if one cannot be. */
static NTSTATUS enumerate(struct vidmm_thunk_process *process, ULONG *count,
                          D3DKMT_ADAPTERINFO *adapters)
{
    struct vidmm_thunk_machine *machine = process->machine;

    if (adapters == NULL) {
        *count = VIDMM_THUNK_ADAPTERS;
        return STATUS_SUCCESS;
    }
    if (*count < machine->adapter_count) {
        vidmm_thunk_refuse("NumAdapters is %u; this machine has %u", (unsigned)*count,
                           (unsigned)machine->adapter_count);
        return STATUS_BUFFER_TOO_SMALL;
    }
    for (uint32_t i = 0; i < machine->adapter_count; i++) {
        D3DKMT_ADAPTERINFO info = {.AdapterLuid = machine->adapters[i].luid};
        NTSTATUS status = open_adapter(process, &machine->adapters[i], &info.hAdapter);

        if (status != STATUS_SUCCESS) {
            while (i-- > 0)
                vidmm_thunk_CloseAdapter(process,
                                         &(D3DKMT_CLOSEADAPTER){.hAdapter = adapters[i].hAdapter});
            return status;
        }
        adapters[i] = info;
    }
    *count = machine->adapter_count;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_thunk_EnumAdapters2(struct vidmm_thunk_process *process,
                                   D3DKMT_ENUMADAPTERS2 *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    return enumerate(process, &arguments->NumAdapters, arguments->pAdapters);
}

NTSTATUS vidmm_thunk_EnumAdapters3(struct vidmm_thunk_process *process,
                                   D3DKMT_ENUMADAPTERS3 *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    return enumerate(process, &arguments->NumAdapters, arguments->pAdapters);
}

/* ---- devices --------------------------------------------------------------------------------- */

NTSTATUS vidmm_thunk_CreateDevice(struct vidmm_thunk_process *process,
                                  D3DKMT_CREATEDEVICE *arguments)
{
    struct vidmm_thunk_object *adapter, *object;
    struct vidmm_device *device;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Flags.Reserved != 0)
        return vidmm_thunk_refuse("Flags has reserved bits set");
    adapter =
        vidmm_thunk_find_and_hold(process, arguments->hAdapter, VIDMM_THUNK_ADAPTER, "hAdapter");
    if (adapter == NULL)
        return STATUS_INVALID_PARAMETER;
    status = vidmm_device_create(((struct vidmm_thunk_adapter *)adapter->of)->adapter,
                                 process->number, &device, vidmm_thunk_report());
    if (status == STATUS_SUCCESS) {
        status = vidmm_thunk_add(process, adapter, VIDMM_THUNK_DEVICE, device, &object);
        if (status == STATUS_SUCCESS) {
            arguments->hDevice = object->handle;
            vidmm_thunk_show(process, object);
        } else
            vidmm_device_destroy(device);
    }
    vidmm_thunk_let_go(process, adapter);
    return status;
}

NTSTATUS vidmm_thunk_DestroyDevice(struct vidmm_thunk_process *process,
                                   D3DKMT_DESTROYDEVICE *arguments)
{
    struct vidmm_thunk_object *device;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    device = vidmm_thunk_remove(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    destroy_device(process, device);
    vidmm_thunk_forget(process, device);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_thunk_MarkDeviceAsError(struct vidmm_thunk_process *process,
                                       D3DKMT_MARKDEVICEASERROR *arguments)
{
    struct vidmm_thunk_object *device;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Reason != D3DKMT_DEVICE_ERROR_REASON_GENERIC &&
        arguments->Reason != D3DKMT_DEVICE_ERROR_REASON_DRIVER_ERROR)
        return vidmm_thunk_refuse("Reason is 0x%x; expected GENERIC, 0x80000000, or DRIVER_ERROR, "
                                  "0x80000006",
                                  (unsigned)arguments->Reason);
    vidmm_thunk_enter(process);
    device = vidmm_thunk_find(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device != NULL)
        status = vidmm_device_fail(device->of, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    return status;
}

static D3DKMT_DEVICEEXECUTION_STATE execution_state(NTSTATUS condition)
{
    switch (condition) {
    case STATUS_SUCCESS:
        return D3DKMT_DEVICEEXECUTION_ACTIVE;
    case STATUS_GRAPHICS_NO_VIDEO_MEMORY:
        return D3DKMT_DEVICEEXECUTION_ERROR_OUTOFMEMORY;
    case STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE:
        return D3DKMT_DEVICEEXECUTION_HUNG;
    case STATUS_DEVICE_REMOVED:
        return D3DKMT_DEVICEEXECUTION_RESET;
    default:
        return D3DKMT_DEVICEEXECUTION_STOPPED;
    }
}

/* Inside. */
static void answer_execution(struct vidmm_device *device, D3DKMT_GETDEVICESTATE *arguments)
{
    arguments->ExecutionState =
        vidmm_device_page_fault(device, NULL)
            ? D3DKMT_DEVICEEXECUTION_ERROR_DMAPAGEFAULT
            : execution_state(vidmm_device_condition(device, vidmm_thunk_report()));
}

/* Inside. VIDMM_FAULT_... are the bits of DXGK_PAGE_FAULT_FLAGS; the primitive, stage and binding
 * are not known, and 0. */
static void answer_page_fault(struct vidmm_device *device, D3DKMT_GETDEVICESTATE *arguments)
{
    struct vidmm_page_fault fault = {0};

    vidmm_device_page_fault(device, &fault);
    arguments->PageFaultState =
        (D3DKMT_DEVICEPAGEFAULT_STATE){.PageFaultFlags = (DXGK_PAGE_FAULT_FLAGS)fault.flags,
                                       .FaultedVirtualAddress = fault.address};
}

static NTSTATUS check_state_type(struct vidmm_thunk_process *process, D3DKMT_DEVICESTATE_TYPE type)
{
    if (type == D3DKMT_DEVICESTATE_EXECUTION || type == D3DKMT_DEVICESTATE_PAGE_FAULT)
        return STATUS_SUCCESS;
    vidmm_thunk_refuse("StateType is %d; this version answers EXECUTION, 1, and PAGE_FAULT, 5",
                       (int)type);
    if (type < D3DKMT_DEVICESTATE_EXECUTION || type > D3DKMT_DEVICESTATE_PRESENT_QUEUE)
        return STATUS_INVALID_PARAMETER;
    atomic_fetch_add_explicit(&process->missed[VIDMM_THUNK_GetDeviceState], 1,
                              memory_order_relaxed);
    return STATUS_NOT_SUPPORTED;
}

NTSTATUS vidmm_thunk_GetDeviceState(struct vidmm_thunk_process *process,
                                    D3DKMT_GETDEVICESTATE *arguments)
{
    struct vidmm_thunk_object *device;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_state_type(process, arguments->StateType);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_thunk_enter(process);
    device = vidmm_thunk_find(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        status = STATUS_INVALID_PARAMETER;
    else if (arguments->StateType == D3DKMT_DEVICESTATE_EXECUTION)
        answer_execution(device->of, arguments);
    else
        answer_page_fault(device->of, arguments);
    vidmm_thunk_leave(process);
    return status;
}
