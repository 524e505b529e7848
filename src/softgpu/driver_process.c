/*
 * Theory. From WDDM 2.0 on the system tells of each process that comes and goes. A process outlives
 * its devices; page tables are the process's, so that its handle comes with what is done to them.
 */
#include "softgpu/driver_private.h"

#include <wddm/ntstatus.h>

static BOOLEAN is_process(const struct softgpu_adapter *adapter, HANDLE handle)
{
    const struct softgpu_process *process = handle;

    return process != NULL && process->kind == SOFTGPU_PROCESS && process->adapter == adapter;
}

/* Whether the array names the address space, if the GPU is to use it (D-268). */
static NTSTATUS check_pasid(struct softgpu_adapter *adapter, const DXGKARG_CREATEPROCESS *args)
{
    if (!softgpu_shares_addresses(adapter) || (args->NumPasid > adapter->place && args->pPasid))
        return STATUS_SUCCESS;
    return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                          "CreateProcess: NumPasid %u, expected %u or more with IoMmuSupported",
                          args->NumPasid, adapter->place + 1);
}

/* obeys W-008: without an IOMMU address spaces of the processor are of no account to this GPU */
NTSTATUS SoftgpuCreateProcess(HANDLE hAdapter, DXGKARG_CREATEPROCESS *pArgs)
{
    struct softgpu_adapter *adapter = hAdapter;
    struct softgpu_process *process;
    NTSTATUS status = check_pasid(adapter, pArgs);

    if (!NT_SUCCESS(status))
        return status;
    process = softgpu_new_object(SOFTGPU_PROCESS, sizeof(*process));
    if (process == NULL)
        return STATUS_NO_MEMORY;
    process->adapter = adapter;
    process->dxgk_handle = pArgs->hDxgkProcess;
    if (softgpu_shares_addresses(adapter))
        process->pasid = pArgs->pPasid[adapter->place];
    process->system = pArgs->Flags.SystemProcess;
    pArgs->hKmdProcess = process;
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuDestroyProcess(HANDLE hAdapter, HANDLE hKmdProcess)
{
    struct softgpu_adapter *adapter = hAdapter;
    struct softgpu_process *process = hKmdProcess;

    if (!is_process(adapter, process))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "DestroyProcess: the handle is no process of this adapter");
    if (atomic_load(&process->devices) != 0)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "DestroyProcess: the process has %u devices",
                              atomic_load(&process->devices));
    softgpu_free_object(process);
    return STATUS_SUCCESS;
}

BOOLEAN softgpu_enter_process(struct softgpu_driver_device *device, HANDLE hKmdProcess)
{
    if (device->adapter->level < 20 || hKmdProcess == NULL)
        return TRUE;
    if (!is_process(device->adapter, hKmdProcess))
        return FALSE;
    device->process = hKmdProcess;
    atomic_fetch_add(&device->process->devices, 1);
    return TRUE;
}

void softgpu_leave_process(struct softgpu_driver_device *device)
{
    if (device->process != NULL)
        atomic_fetch_sub(&device->process->devices, 1);
    device->process = NULL;
}
