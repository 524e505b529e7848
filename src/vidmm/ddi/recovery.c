/* recovery.c: the calls of timeout detection and recovery, and the gate for calls of level
 * three.
 *
 * Whoever calls the miniport on a program's own thread goes through the gate. A call of level three
 * (D-307) shuts it, is made when the last one is out, and opens it again:
 *
 *     gate:  SHUT | threads inside
 *
 * The pump never waits: while somebody is inside, the call stays due, and the last one out pumps.
 * Who wants the driver to himself (adapter/power.c) shuts the gate, waits until the last one is out
 * and nobody pumps, and is the pump until he gives it back.
 *
 * Invariants (A)
 *   A1  Who opens the gate pumps, or is who waited for the driver in vain. So nobody comes in
 *       while a call of level two or three is made.
 *   A2  The waits have an order; who waits holds nothing that stands behind what he waits for:
 *         a process's turn, then the gate;   to have the adapter rest, then the engine's rest, then
 *         the driver, which is the gate and the pump.
 *       Who is inside the gate waits for none of these, for the engine only as long as for a fence
 *       (DxgkCbDestroyContextAllocation), and enters it once. The pump waits for nobody. So those
 *       inside come out, the pump comes to its end, and who wants the driver gets it.
 *   A3  Whoever makes a wait come true wakes who waits: the last one out of a gate that is shut,
 *       who opens it, the pump that ends after somebody has found it at work, who leaves a turn
 *       that another has found taken, who no longer has the adapter rest.
 *
 * Source: "Thread synchronization and TDR"; "TDR changes in Windows 8"; DXGKARG_PREEMPTCOMMAND and
 * its kin; rules D-241, D-307, D-313, D-361 to D-374.
 */
#include "vidmm/object/adapter.h"

#include "wddm/level.h"

/* ---- the gate -------------------------------------------------------------------------------- */

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
    if (atomic_fetch_sub(&adapter->gate, 1) != (GATE_SHUT | 1))
        return;
    vidmm_pump(adapter);
    adapter->host->wake(adapter->host->context); /* A3 */
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
    uint32_t index;

    for (index = 0; index < adapter->link_count; index++) {
        const struct vidmm_host *host = adapter->links[index]->host;

        if (host->flush_dpcs)
            host->flush_dpcs(host->context);
    }
}

/* ---- what the driver can --------------------------------------------------------------------- */

/* obeys D-363: without PreemptionAware a driver is treated as one that cannot (D-306). Nor are the
 * engines of a link stopped one by one: what one has done of a packet the other has not. */
bool vidmm_kmd_preempts(const struct vidmm_adapter *adapter)
{
    return !vidmm_adapter_is_linked(adapter) && adapter->level >= VIDMM_LEVEL(1, 2) &&
           adapter->multi_engine && adapter->caps.SchedulingCaps.PreemptionAware &&
           adapter->driver.DxgkDdiPreemptCommand;
}

bool vidmm_kmd_resets_engines(const struct vidmm_adapter *adapter)
{
    return !vidmm_adapter_is_linked(adapter) && adapter->level >= VIDMM_LEVEL(1, 2) &&
           adapter->caps.SupportPerEngineTDR && adapter->driver.DxgkDdiQueryDependentEngineGroup &&
           adapter->driver.DxgkDdiResetEngine;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static NTSTATUS query_engine_fence(struct vidmm_adapter *adapter, uint32_t node, uint32_t engine,
                                   uint32_t *fence)
{
    DXGKARG_QUERYCURRENTFENCE arguments;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    arguments.NodeOrdinal = node;
    arguments.EngineOrdinal = engine;
    status = adapter->driver.DxgkDdiQueryCurrentFence(adapter->h_adapter, &arguments);
    *fence = arguments.CurrentFence;
    return status;
}

/* Of a link the oldest that an engine with something to do answers: the others wait for that
 * one. */
static NTSTATUS query_fence(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                            struct vidmm_event *answer)
{
    uint32_t node = operation->recover.node, engine, fence;
    NTSTATUS status;
    bool waits;

    if (!adapter->driver.DxgkDdiQueryCurrentFence)
        return STATUS_NOT_SUPPORTED;
    status = query_engine_fence(adapter, node, 0, &answer->recovered.fence);
    waits = vidmm_adapter_is_linked(adapter) && vidmm_linked_is_busy(adapter, 0, node);
    for (engine = 1; engine < adapter->link_count && status == STATUS_SUCCESS; engine++) {
        status = query_engine_fence(adapter, node, engine, &fence);
        if (!vidmm_linked_is_busy(adapter, engine, node))
            continue;
        if (!waits || (int32_t)(fence - answer->recovered.fence) < 0)
            answer->recovered.fence = fence;
        waits = true;
    }
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
    vidmm_kmd_resume(adapter, UINT64_C(1) << operation->recover.node);
    irql = adapter->host->raise_irql(adapter->host->context, VIDMM_DISPATCH_LEVEL); /* D-313 */
    status = adapter->driver.DxgkDdiPreemptCommand(adapter->h_adapter, &arguments);
    adapter->host->lower_irql(adapter->host->context, irql);
    return status;
}

/* Whether the node makes progress: the driver is told that it is about to lose it. */
static NTSTATUS query_engine(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                             struct vidmm_event *answer)
{
    DXGKARG_QUERYENGINESTATUS arguments;
    NTSTATUS status;

    if (!adapter->driver.DxgkDdiQueryEngineStatus)
        return STATUS_NOT_SUPPORTED; /* told when the adapter started (D-304) */
    memset(&arguments, 0, sizeof(arguments));
    arguments.NodeOrdinal = operation->recover.node;
    status = adapter->driver.DxgkDdiQueryEngineStatus(adapter->h_adapter, &arguments);
    answer->recovered.nodes = (uint64_t)arguments.EngineStatus.Responsive
                              << operation->recover.node;
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
    if (status == STATUS_SUCCESS)
        vidmm_kmd_silence(adapter, UINT64_C(1) << operation->recover.node);
    answer->recovered.fence = arguments.LastAbortedFenceId;
    return status;
}

/* Every physical adapter of a link: the lead's placements are theirs. */
static NTSTATUS reset(struct vidmm_adapter *adapter)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    if (!adapter->driver.DxgkDdiResetFromTimeout || !adapter->driver.DxgkDdiRestartFromTimeout)
        return STATUS_NOT_SUPPORTED;
    vidmm_flush_dpcs(adapter); /* obeys D-368 */
    for (index = 0; index < adapter->link_count && status == STATUS_SUCCESS; index++)
        status = adapter->driver.DxgkDdiResetFromTimeout(adapter->links[index]->h_adapter);
    if (status == STATUS_SUCCESS) {
        vidmm_kmd_silence(adapter, UINT64_MAX);
        vidmm_kmd_forget_paging(adapter);
    }
    vidmm_linked_reset(adapter);
    return status;
}

static NTSTATUS restart(struct vidmm_adapter *adapter)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    vidmm_kmd_resume(adapter, UINT64_MAX);
    for (index = 0; index < adapter->link_count && status == STATUS_SUCCESS; index++)
        status = adapter->driver.DxgkDdiRestartFromTimeout(adapter->links[index]->h_adapter);
    return status;
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
    case VIDMM_DO_QUERY_ENGINE:
        status = query_engine(adapter, operation, answer);
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
        status = restart(adapter);
        break;
    }
    answer->kind = VIDMM_EVENT_RECOVERED;
    answer->recovered.status = (uint32_t)status;
}
