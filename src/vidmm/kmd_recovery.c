/* kmd_recovery.c: the calls of timeout detection and recovery, and the gate for calls of level three.
 *
 * Whoever calls the miniport on a program's own thread goes through the gate. A call of level three
 * (D-307) shuts it, is made when the last one is out, and opens it again:
 *
 *     gate:  SHUT | threads inside
 *
 * The pump never waits: while somebody is inside, the call stays due, and the last one out pumps.
 *
 * Source: "Thread synchronization and TDR"; "TDR changes in Windows 8"; DXGKARG_PREEMPTCOMMAND and
 * its kin; rules D-241, D-307, D-313, D-361 to D-374.
 */
#include "adapter_state.h"

#include "wddm/level.h"

/* ---- the gate ------------------------------------------------------------------------------------------- */

#define GATE_SHUT 0x80000000u

static bool has_stopped(const struct vidmm_adapter *adapter)
{
    bool stopped;

    vidmm_adapter_lock(adapter);
    stopped = adapter->stopped;
    vidmm_adapter_unlock(adapter);
    return stopped;
}

static bool gate_is_open(void *argument)
{
    const struct vidmm_adapter *adapter = argument;

    return (atomic_load(&adapter->gate) & GATE_SHUT) == 0 || has_stopped(adapter);
}

static void go_out(struct vidmm_adapter *adapter)
{
    if (atomic_fetch_sub(&adapter->gate, 1) == (GATE_SHUT | 1)) {
        vidmm_pump(adapter);
    }
}

void vidmm_driver_enter(struct vidmm_adapter *adapter)
{
    while ((atomic_fetch_add(&adapter->gate, 1) & GATE_SHUT) != 0) {
        go_out(adapter);
        if (!adapter->host->wait(adapter->host->context, gate_is_open, adapter, UINT64_MAX) ||
            has_stopped(adapter)) {
            atomic_fetch_add(&adapter->gate, 1);
            break; /* nothing can change any more */
        }
    }
}

void vidmm_driver_leave(struct vidmm_adapter *adapter)
{
    go_out(adapter);
}

bool vidmm_gate_shut(struct vidmm_adapter *adapter)
{
    return (atomic_fetch_or(&adapter->gate, GATE_SHUT) & ~GATE_SHUT) == 0;
}

void vidmm_gate_open(struct vidmm_adapter *adapter)
{
    atomic_fetch_and(&adapter->gate, ~GATE_SHUT);
    adapter->host->wake(adapter->host->context);
}

bool vidmm_kmd_needs_gate(const struct vidmm_operation *operation)
{
    return operation->kind == VIDMM_DO_RESET || operation->kind == VIDMM_DO_RESTART; /* D-307 */
}

void vidmm_flush_dpcs(const struct vidmm_adapter *adapter)
{
    if (adapter->host->flush_dpcs) {
        adapter->host->flush_dpcs(adapter->host->context);
    }
}

/* ---- what the driver can --------------------------------------------------------------------------------- */

/* obeys D-363: without PreemptionAware a driver is treated as one that cannot (D-306) */
bool vidmm_kmd_preempts(const struct vidmm_adapter *adapter)
{
    return adapter->level >= VIDMM_LEVEL(1, 2) && adapter->multi_engine &&
           adapter->caps.SchedulingCaps.PreemptionAware && adapter->driver.DxgkDdiPreemptCommand;
}

bool vidmm_kmd_resets_engines(const struct vidmm_adapter *adapter)
{
    return adapter->level >= VIDMM_LEVEL(1, 2) && adapter->caps.SupportPerEngineTDR &&
           adapter->driver.DxgkDdiQueryDependentEngineGroup && adapter->driver.DxgkDdiResetEngine;
}

/* ---- calls ------------------------------------------------------------------------------------------------ */

static NTSTATUS query_fence(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                            struct vidmm_event *answer)
{
    DXGKARG_QUERYCURRENTFENCE arguments;
    NTSTATUS status;

    if (!adapter->driver.DxgkDdiQueryCurrentFence) {
        return STATUS_NOT_SUPPORTED;
    }
    memset(&arguments, 0, sizeof(arguments));
    arguments.NodeOrdinal = operation->recover.node;
    status = adapter->driver.DxgkDdiQueryCurrentFence(adapter->h_adapter, &arguments);
    answer->recovered.fence = arguments.CurrentFence;
    return status;
}

static NTSTATUS preempt(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    DXGKARG_PREEMPTCOMMAND arguments;
    NTSTATUS status;
    uint8_t irql;

    memset(&arguments, 0, sizeof(arguments));
    arguments.PreemptionFenceId = operation->recover.fence;
    arguments.NodeOrdinal = operation->recover.node;
    irql = adapter->host->raise_irql(adapter->host->context, VIDMM_DISPATCH_LEVEL); /* D-313 */
    status = adapter->driver.DxgkDdiPreemptCommand(adapter->h_adapter, &arguments);
    adapter->host->lower_irql(adapter->host->context, irql);
    return status;
}

static NTSTATUS query_group(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                            struct vidmm_event *answer)
{
    DXGKARG_QUERYDEPENDENTENGINEGROUP arguments;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    arguments.NodeOrdinal = operation->recover.node;
    status = adapter->driver.DxgkDdiQueryDependentEngineGroup(adapter->h_adapter, &arguments);
    answer->recovered.nodes = arguments.DependentNodeOrdinalMask;
    return status;
}

static NTSTATUS reset_engine(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                             struct vidmm_event *answer)
{
    DXGKARG_RESETENGINE arguments;
    NTSTATUS status;

    vidmm_flush_dpcs(adapter); /* obeys D-368 */
    memset(&arguments, 0, sizeof(arguments));
    arguments.NodeOrdinal = operation->recover.node;
    status = adapter->driver.DxgkDdiResetEngine(adapter->h_adapter, &arguments);
    answer->recovered.fence = arguments.LastAbortedFenceId;
    return status;
}

static NTSTATUS reset(struct vidmm_adapter *adapter)
{
    if (!adapter->driver.DxgkDdiResetFromTimeout || !adapter->driver.DxgkDdiRestartFromTimeout) {
        return STATUS_NOT_SUPPORTED;
    }
    vidmm_flush_dpcs(adapter); /* obeys D-368 */
    return adapter->driver.DxgkDdiResetFromTimeout(adapter->h_adapter);
}

void vidmm_kmd_recover(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                       struct vidmm_event *answer)
{
    NTSTATUS status = STATUS_NOT_SUPPORTED;

    switch (operation->kind) {
    case VIDMM_DO_QUERY_FENCE:
        status = query_fence(adapter, operation, answer);
        break;
    case VIDMM_DO_PREEMPT:
        status = preempt(adapter, operation);
        break;
    case VIDMM_DO_QUERY_GROUP:
        status = query_group(adapter, operation, answer);
        break;
    case VIDMM_DO_RESET_ENGINE:
        status = reset_engine(adapter, operation, answer);
        break;
    case VIDMM_DO_RESET:
        status = reset(adapter);
        break;
    default:
        status = adapter->driver.DxgkDdiRestartFromTimeout(adapter->h_adapter);
        break;
    }
    answer->kind = VIDMM_EVENT_RECOVERED;
    answer->recovered.status = (uint32_t)status;
}
