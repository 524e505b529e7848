/*
 * Theory. The system changes what the GPU reaches of memory between the two calls. An engine that
 * has done all that it was given reads and writes nothing, so the driver has nothing to stop; it
 * refuses while one has not.
 */
#include "softgpu/driver_private.h"

#include <wddm/ntstatus.h>

NTSTATUS SoftgpuBeginExclusiveAccess(HANDLE hAdapter,
                                     DXGKARG_BEGINEXCLUSIVEACCESS *pBeginExclusiveAccess)
{
    struct softgpu_adapter *adapter = hAdapter;
    const struct softgpu_registers *registers = adapter->registers;

    if (adapter->exclusive || pBeginExclusiveAccess == NULL)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BeginExclusiveAccess: without an argument, or a second time");
    for (UINT node = 0; node < registers->engine_count; node++)
        if (adapter->nodes[node].given != atomic_load(&registers->engines[node].retired))
            return softgpu_refuse(adapter, STATUS_DEVICE_BUSY,
                                  "BeginExclusiveAccess: node %u is at work", node);
    adapter->exclusive = TRUE;
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuEndExclusiveAccess(HANDLE hAdapter, DXGKARG_ENDEXCLUSIVEACCESS *pEndExclusiveAccess)
{
    struct softgpu_adapter *adapter = hAdapter;

    if (!adapter->exclusive || pEndExclusiveAccess == NULL)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "EndExclusiveAccess: without an argument, or without a begin");
    adapter->exclusive = FALSE;
    return STATUS_SUCCESS;
}
