/* recovery.c: the calls of timeout detection and recovery.
 *
 * Source: "Thread synchronization and TDR"; "TDR changes in Windows 8"; DXGKARG_PREEMPTCOMMAND and
 * its kin; rules D-241, D-307, D-313, D-361 to D-374.
 */
#include "vidmm/ddi/recovery.h"

#include <string.h>

#include <vidmm/host.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "base/assert.h"
#include "vidmm/ddi/interrupt.h"
#include "vidmm/ddi/linked.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/paging_memory.h"
#include "vidmm/object/facts.h"

#include "wddm/level.h"

/* ---- what the driver can --------------------------------------------------------------------- */

/* obeys D-363: without PreemptionAware a driver is treated as one that cannot (D-306). Nor are the
 * engines of a link stopped one by one: what one has done of a packet the other has not. */
bool vidmm_ddi_preempts(const struct vidmm_adapter *adapter)
{
    return !vidmm_adapter_is_linked(adapter) && adapter->level >= VIDMM_LEVEL(1, 2) &&
           adapter->miniport->multi_engine &&
           adapter->miniport->caps.SchedulingCaps.PreemptionAware &&
           adapter->miniport->driver.DxgkDdiPreemptCommand;
}

bool vidmm_ddi_resets_engines(const struct vidmm_adapter *adapter)
{
    return !vidmm_adapter_is_linked(adapter) && adapter->level >= VIDMM_LEVEL(1, 2) &&
           adapter->miniport->caps.SupportPerEngineTDR &&
           adapter->miniport->driver.DxgkDdiQueryDependentEngineGroup &&
           adapter->miniport->driver.DxgkDdiResetEngine;
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
    status = adapter->miniport->driver.DxgkDdiQueryCurrentFence(adapter->miniport->h_adapter,
                                                                &arguments);
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

    if (!adapter->miniport->driver.DxgkDdiQueryCurrentFence)
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
    vidmm_ddi_resume(adapter, UINT64_C(1) << operation->recover.node);
    irql = adapter->host->raise_irql(adapter->host->context, VIDMM_DISPATCH_LEVEL); /* D-313 */
    status =
        adapter->miniport->driver.DxgkDdiPreemptCommand(adapter->miniport->h_adapter, &arguments);
    adapter->host->lower_irql(adapter->host->context, irql);
    return status;
}

/* Whether the node makes progress: the driver is told that it is about to lose it. */
static NTSTATUS query_engine(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                             struct vidmm_event *answer)
{
    DXGKARG_QUERYENGINESTATUS arguments;
    NTSTATUS status;

    if (!adapter->miniport->driver.DxgkDdiQueryEngineStatus)
        return STATUS_NOT_SUPPORTED; /* told when the adapter started (D-304) */
    memset(&arguments, 0, sizeof(arguments));
    arguments.NodeOrdinal = operation->recover.node;
    status = adapter->miniport->driver.DxgkDdiQueryEngineStatus(adapter->miniport->h_adapter,
                                                                &arguments);
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
    status = adapter->miniport->driver.DxgkDdiQueryDependentEngineGroup(
        adapter->miniport->h_adapter, &arguments);
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
    status = adapter->miniport->driver.DxgkDdiResetEngine(adapter->miniport->h_adapter, &arguments);
    if (status == STATUS_SUCCESS)
        vidmm_ddi_silence(adapter, UINT64_C(1) << operation->recover.node);
    answer->recovered.fence = arguments.LastAbortedFenceId;
    return status;
}

/* Every physical adapter of a link: the lead's placements are theirs. */
static NTSTATUS reset(struct vidmm_adapter *adapter)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    if (!adapter->miniport->driver.DxgkDdiResetFromTimeout ||
        !adapter->miniport->driver.DxgkDdiRestartFromTimeout)
        return STATUS_NOT_SUPPORTED;
    vidmm_flush_dpcs(adapter); /* obeys D-368 */
    for (index = 0; index < adapter->link_count && status == STATUS_SUCCESS; index++)
        status = adapter->miniport->driver.DxgkDdiResetFromTimeout(
            adapter->miniport->links[index]->h_adapter);
    if (status == STATUS_SUCCESS) {
        vidmm_ddi_silence(adapter, UINT64_MAX);
        vidmm_paging_forget(adapter);
    }
    vidmm_linked_reset(adapter);
    return status;
}

static NTSTATUS restart(struct vidmm_adapter *adapter)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    vidmm_ddi_resume(adapter, UINT64_MAX);
    for (index = 0; index < adapter->link_count && status == STATUS_SUCCESS; index++)
        status = adapter->miniport->driver.DxgkDdiRestartFromTimeout(
            adapter->miniport->links[index]->h_adapter);
    return status;
}

void vidmm_ddi_recover(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                       struct vidmm_event *answer)
{
    NTSTATUS status = STATUS_NOT_SUPPORTED;

    switch ((enum vidmm_operation_kind)operation->kind) {
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
    case VIDMM_DO_RESTART:
        status = restart(adapter);
        break;
    case VIDMM_DO_BUILD:
    case VIDMM_DO_SUBMIT_PAGING:
    case VIDMM_DO_SUBMIT:
    case VIDMM_DO_CANCEL:
    case VIDMM_DO_SWITCH:
    case VIDMM_DO_ACQUIRE_RANGE:
    case VIDMM_DO_RELEASE_RANGE:
    case VIDMM_DO_CLAIM:
    case VIDMM_DO_PLACED:
    case VIDMM_DO_GRANT:
    case VIDMM_DO_SHOW:
    case VIDMM_DO_CLEAR:
    case VIDMM_DO_DROP:
    case VIDMM_DO_RETIRE:
    case VIDMM_DO_DESTROY:
    case VIDMM_DO_ERROR:
    case VIDMM_DO_STOPPED:
    case VIDMM_DO_LOST:
        VIDMM_ASSERT(false); /* ddi/call.c chooses */
        return;
    }
    answer->kind = VIDMM_EVENT_RECOVERED;
    answer->recovered.status = (uint32_t)status;
}
