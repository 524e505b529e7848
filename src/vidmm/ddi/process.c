/* process.c: DxgkDdiCreateProcess and DxgkDdiDestroyProcess.
 *
 * Source: DXGKDDI_CREATEPROCESS, DXGKARG_CREATEPROCESS; rules D-225, D-264,
 * W-008.
 */
#include "vidmm/ddi/process.h"

#include <string.h>

#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/process.h"

NTSTATUS vidmm_ddi_create_process(struct vidmm_process *process)
{
    struct vidmm_adapter *adapter = process->adapter;
    ULONG pasid = process->pasid;
    DXGKARG_CREATEPROCESS arguments;
    NTSTATUS status;

    if (!adapter->miniport->driver.DxgkDdiCreateProcess)
        return STATUS_SUCCESS;
    memset(&arguments, 0, sizeof(arguments));
    arguments.hDxgkProcess = (HANDLE)(uintptr_t)process->handle;
    arguments.Flags.SystemProcess = process->system;
    arguments.NumPasid = 1; /* obeys W-008 */
    arguments.pPasid = &pasid;
    process->in_creation = true;
    status =
        adapter->miniport->driver.DxgkDdiCreateProcess(adapter->miniport->h_adapter, &arguments);
    process->in_creation = false;
    if (status != STATUS_SUCCESS)
        process->range_count = 0;
    process->h_process = status == STATUS_SUCCESS ? arguments.hKmdProcess : NULL;
    process->made = status == STATUS_SUCCESS;
    return status;
}

static const struct vidmm_process *find(const struct vidmm_process *process, uint32_t id)
{
    while (process && !vidmm_process_has(process, id))
        process = process->next;
    return process;
}

/* obeys D-264, also when the miniport was told that the process is gone (W-014) */
HANDLE vidmm_ddi_process_handle(const struct vidmm_adapter *adapter, uint32_t id)
{
    const struct vidmm_process *process;
    HANDLE handle;

    vidmm_adapter_lock(adapter);
    process = find(adapter->processes, id);
    if (!process)
        process = find(adapter->gone_processes, id);
    handle = process ? process->h_process : NULL;
    vidmm_adapter_unlock(adapter);
    return handle;
}

void vidmm_ddi_destroy_process(struct vidmm_process *process)
{
    struct vidmm_adapter *adapter = process->adapter;

    if (!process->made || !adapter->miniport->driver.DxgkDdiDestroyProcess)
        return;
    adapter->miniport->driver.DxgkDdiDestroyProcess(adapter->miniport->h_adapter,
                                                    process->h_process);
    process->made = false;
}
