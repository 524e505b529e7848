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
#include "vidmm/ddi/hw_queue.h"
#include "vidmm/ddi/interrupt.h"
#include "vidmm/ddi/linked.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/paging_memory.h"
#include "vidmm/ddi/paging_tables.h"
#include "vidmm/object/facts.h"

#include "wddm/level.h"

/* ---- what the driver can --------------------------------------------------------------------- */

/* obeys D-363: without PreemptionAware a driver is treated as one that cannot (D-306). Nor are the
 * engines of a link stopped one by one: one engine may have done more of a packet than another. */
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

/* A link has the oldest fence that any of its engines with something to do answers: the others wait
 * for that one. */
NTSTATUS vidmm_ddi_query_fence(struct vidmm_adapter *adapter,
                               const struct vidmm_operation *operation, struct vidmm_event *answer)
{
    uint32_t node = operation->recover.node, engine, fence;
    NTSTATUS status;
    bool waits;

    VIDMM_ASSERT(adapter->pumping);
    if (node >= adapter->node_count)
        return vidmm_ddi_hw_queue_fence(adapter, node, &answer->recovered.fence);
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

NTSTATUS vidmm_ddi_preempt(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    DXGKARG_PREEMPTCOMMAND arguments;
    NTSTATUS status;
    uint8_t irql;

    VIDMM_ASSERT(adapter->pumping);
    VIDMM_ASSERT(vidmm_ddi_preempts(adapter) && operation->recover.node < adapter->node_count);
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
NTSTATUS vidmm_ddi_query_engine(struct vidmm_adapter *adapter,
                                const struct vidmm_operation *operation, struct vidmm_event *answer)
{
    DXGKARG_QUERYENGINESTATUS arguments;
    NTSTATUS status;

    VIDMM_ASSERT(operation->recover.node < adapter->node_count);
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

NTSTATUS vidmm_ddi_query_group(struct vidmm_adapter *adapter,
                               const struct vidmm_operation *operation, struct vidmm_event *answer)
{
    DXGKARG_QUERYDEPENDENTENGINEGROUP arguments;
    NTSTATUS status;

    VIDMM_ASSERT(vidmm_ddi_resets_engines(adapter));
    VIDMM_ASSERT(operation->recover.node < adapter->node_count);
    memset(&arguments, 0, sizeof(arguments));
    arguments.NodeOrdinal = operation->recover.node;
    status = adapter->miniport->driver.DxgkDdiQueryDependentEngineGroup(
        adapter->miniport->h_adapter, &arguments);
    answer->recovered.nodes = arguments.DependentNodeOrdinalMask;
    return status;
}

NTSTATUS vidmm_ddi_reset_engine(struct vidmm_adapter *adapter,
                                const struct vidmm_operation *operation, struct vidmm_event *answer)
{
    DXGKARG_RESETENGINE arguments;
    NTSTATUS status;

    VIDMM_ASSERT(vidmm_ddi_resets_engines(adapter));
    VIDMM_ASSERT(operation->recover.node < adapter->node_count);
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
NTSTATUS vidmm_ddi_reset(struct vidmm_adapter *adapter)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    VIDMM_ASSERT(adapter->pumping);
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

/* The memory has lost its bytes: the page tables by which the driver pages come first. */
NTSTATUS vidmm_ddi_restart(struct vidmm_adapter *adapter)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    VIDMM_ASSERT(adapter->pumping);
    vidmm_ddi_resume(adapter, UINT64_MAX);
    vidmm_paging_tables_hide(adapter);
    for (index = 0; index < adapter->link_count && status == STATUS_SUCCESS; index++)
        status = adapter->miniport->driver.DxgkDdiRestartFromTimeout(
            adapter->miniport->links[index]->h_adapter);
    if (status == STATUS_SUCCESS && adapter->model == VIDMM_MODEL_GPU_MMU)
        status = vidmm_paging_tables_write(adapter, NULL);
    return status;
}
