/*
 * Theory. A reset takes from the GPU what it was given and did not finish. After it the driver
 * knows of an engine what the engine's registers say; all that was submitted counts as completed
 * after a reset of all (obeys D-367), and the packets cut off count after a reset of one.
 */
#include "softgpu/driver_private.h"

#include <stdio.h>
#include <string.h>

#include <wddm/ntstatus.h>

static struct softgpu_engine_register *engine_of(const struct softgpu_adapter *adapter, UINT node)
{
    return &adapter->registers->engines[node];
}

/* ---- one engine ------------------------------------------------------------------------------ */

/* obeys D-373; engines of this GPU share nothing but memory */
NTSTATUS SoftgpuQueryDependentEngineGroup(HANDLE hAdapter,
                                          DXGKARG_QUERYDEPENDENTENGINEGROUP *pQuery)
{
    const struct softgpu_adapter *adapter = hAdapter;
    const struct softgpu_registers *registers = adapter->registers;

    pQuery->DependentNodeOrdinalMask = (ULONGLONG)1 << pQuery->NodeOrdinal;
    if (registers->recovery == SOFTGPU_GROUP_EMPTY)
        pQuery->DependentNodeOrdinalMask = 0;
    if (registers->recovery == SOFTGPU_GROUP_ALL)
        pQuery->DependentNodeOrdinalMask = ((ULONGLONG)1 << registers->engine_count) - 1;
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuQueryEngineStatus(HANDLE hAdapter, DXGKARG_QUERYENGINESTATUS *pQueryEngineStatus)
{
    const struct softgpu_adapter *adapter =
        softgpu_engine(hAdapter, pQueryEngineStatus->EngineOrdinal);
    UINT node = pQueryEngineStatus->NodeOrdinal;

    if (adapter == NULL || node >= adapter->registers->engine_count)
        return STATUS_INVALID_PARAMETER;
    pQueryEngineStatus->EngineStatus.Value = 0;
    pQueryEngineStatus->EngineStatus.Responsive =
        adapter->nodes[node].given == atomic_load(&engine_of(adapter, node)->retired);
    return STATUS_SUCCESS;
}

struct reset {
    struct softgpu_adapter *adapter;
    UINT node;
    UINT fence; /* LastAbortedFenceId */
};

/* obeys D-367, D-369 */
static BOOLEAN forget_engine(PVOID SynchronizeContext)
{
    struct reset *reset = SynchronizeContext;
    const struct softgpu_engine_register *engine = engine_of(reset->adapter, reset->node);
    struct softgpu_node *at = &reset->adapter->nodes[reset->node];
    UINT64 completed = atomic_load(&engine->completed), aborted = atomic_load(&engine->aborted);

    at->reported = (UINT)(completed >> 32);
    at->preemptions = (UINT)(atomic_load(&engine->preempted) >> 32);
    at->faults = atomic_load(&engine->faults);
    at->signals = atomic_load(&engine->signals);
    if (aborted != 0)
        atomic_store(&at->last_fence, (UINT)aborted);
    else if ((UINT)completed != 0)
        atomic_store(&at->last_fence, (UINT)completed);
    reset->fence = atomic_load(&at->last_fence);
    return TRUE;
}

NTSTATUS SoftgpuResetEngine(HANDLE hAdapter, DXGKARG_RESETENGINE *pResetEngine)
{
    struct softgpu_adapter *adapter = softgpu_engine(hAdapter, pResetEngine->EngineOrdinal);
    struct reset reset = {.adapter = adapter, .node = pResetEngine->NodeOrdinal};
    BOOLEAN result = FALSE;

    if (adapter == NULL || reset.node >= adapter->registers->engine_count ||
        adapter->registers->recovery == SOFTGPU_ENGINE_FAILS)
        return STATUS_UNSUCCESSFUL;
    softgpu_ring(adapter, SOFTGPU_DOORBELL_RESET_ENGINE(reset.node), 1);
    adapter->dxgk.DxgkCbSynchronizeExecution(adapter->dxgk.DeviceHandle, forget_engine, &reset, 0,
                                             &result);
    pResetEngine->LastAbortedFenceId = reset.fence;
    if (adapter->registers->recovery == SOFTGPU_ABORTED_FENCE)
        pResetEngine->LastAbortedFenceId = reset.fence + 1000;
    if (adapter->registers->recovery == SOFTGPU_RESET_REPORTS)
        softgpu_report_again(adapter, reset.node);
    return STATUS_SUCCESS;
}

/* ---- all of them ----------------------------------------------------------------------------- */

void softgpu_stop_gpu(struct softgpu_adapter *adapter)
{
    softgpu_blank(adapter);
    softgpu_ring(adapter, SOFTGPU_DOORBELL_RESET, 1);
}

/* obeys D-367: all that was submitted counts as completed */
static BOOLEAN forget_reports(PVOID SynchronizeContext)
{
    struct softgpu_adapter *adapter = SynchronizeContext;

    for (UINT i = 0; i < softgpu_ring_count(adapter); i++) {
        const struct softgpu_engine_register *engine = engine_of(adapter, i);
        struct softgpu_node *at = &adapter->nodes[i];

        at->reported = (UINT)(atomic_load(&engine->completed) >> 32);
        at->preemptions = (UINT)(atomic_load(&engine->preempted) >> 32);
        at->faults = atomic_load(&engine->faults);
        at->signals = atomic_load(&engine->signals);
        atomic_store(&at->last_fence, at->fence);
    }
    return TRUE;
}

/* obeys D-240: when it returns nothing runs any more */
NTSTATUS SoftgpuResetFromTimeout(HANDLE hAdapter)
{
    struct softgpu_adapter *adapter = hAdapter;
    BOOLEAN result = FALSE;

    if (adapter->registers->recovery == SOFTGPU_RESET_FAILS)
        return STATUS_UNSUCCESSFUL;
    softgpu_stop_gpu(adapter);
    adapter->dxgk.DxgkCbSynchronizeExecution(adapter->dxgk.DeviceHandle, forget_reports, adapter, 0,
                                             &result);
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuRestartFromTimeout(HANDLE hAdapter)
{
    softgpu_ring(hAdapter, SOFTGPU_DOORBELL_RESET, 0);
    return STATUS_SUCCESS;
}

VOID SoftgpuResetDevice(PVOID MiniportDeviceContext)
{
    struct softgpu_adapter *adapter = MiniportDeviceContext;

    if (adapter->registers != NULL)
        softgpu_stop_gpu(adapter);
}

/* A line a node. */
NTSTATUS SoftgpuCollectDbgInfo(HANDLE hAdapter, const DXGKARG_COLLECTDBGINFO *pCollectDbgInfo)
{
    const struct softgpu_adapter *adapter = hAdapter;
    char *text = pCollectDbgInfo->pBuffer;
    SIZE_T room = pCollectDbgInfo->BufferSize;

    for (UINT i = 0; i < adapter->registers->engine_count && room > 1; i++) {
        int length = snprintf(text, room, "node %u: %u packets retired, fence %u completed\n", i,
                              atomic_load(&engine_of(adapter, i)->retired),
                              (UINT)atomic_load(&engine_of(adapter, i)->completed));

        if (length < 0 || (SIZE_T)length >= room)
            break;
        text += length;
        room -= (SIZE_T)length;
    }
    return STATUS_SUCCESS;
}
