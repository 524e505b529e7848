/* node.c: the nodes, as the miniport tells of them from WDDM 1.3 on.
 *
 * The manager places nothing by it: it asks because the rules of the call can be seen at no other
 * time.
 *
 * Source: DXGKDDI_GETNODEMETADATA; rules D-296, W-007.
 */
#include "vidmm/ddi/node.h"

#include <string.h>

#include <wddm/ntstatus.h>

#include "vidmm/ddi/hw_queue.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"

#include "base/assert.h"
#include "wddm/level.h"
#include "wddm/rule.h"

static NTSTATUS ask(const struct vidmm_adapter *adapter, uint32_t node,
                    DXGKARG_GETNODEMETADATA *metadata)
{
    memset(metadata, 0, sizeof(*metadata));
    return adapter->miniport->driver.DxgkDdiGetNodeMetadata(adapter->miniport->h_adapter, node,
                                                            metadata);
}

VIDMM_SEES(D_296);
static NTSTATUS judge(struct vidmm_adapter *adapter, bool broken, const char *what, uint64_t value,
                      struct vidmm_report *report)
{
    if (!broken)
        return STATUS_SUCCESS;
    if (vidmm_breach_is_refused(adapter, VIDMM_RULE_D_296, false, what, value, report))
        return STATUS_GRAPHICS_DRIVER_MISMATCH;
    vidmm_seen(adapter, VIDMM_RULE_D_296, what, value);
    return STATUS_SUCCESS;
}

VIDMM_SEES(W_007);
static NTSTATUS check_model(const struct vidmm_adapter *adapter, uint32_t node,
                            const DXGKARG_GETNODEMETADATA *metadata, struct vidmm_report *report)
{
    bool tables = adapter->model == VIDMM_MODEL_GPU_MMU;

    if (adapter->level < VIDMM_LEVEL(2, 0) || (metadata->GpuMmuSupported != 0) == tables)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(
        report, STATUS_GRAPHICS_DRIVER_MISMATCH,
        tables ? "node without GpuMmuSupported in its metadata"
               : "node with GpuMmuSupported in its metadata",
        node,
        tables ? "MemoryManagementCaps has it set, and all agree, or Windows does not start the "
                 "adapter (W-007)"
               : "MemoryManagementCaps has it clear, and all agree, or Windows does not start the "
                 "adapter (W-007)");
}

static NTSTATUS query_node(struct vidmm_adapter *adapter, uint32_t node,
                           struct vidmm_report *report)
{
    DXGKARG_GETNODEMETADATA metadata;
    NTSTATUS status = ask(adapter, node, &metadata);

    if (status == STATUS_SUCCESS)
        vidmm_ddi_hw_note_node(adapter, node, &metadata);
    return status == STATUS_SUCCESS
               ? check_model(adapter, node, &metadata, report)
               : judge(adapter, true, "node that GetNodeMetadata does not know", node, report);
}

NTSTATUS vidmm_ddi_query_nodes(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    uint32_t nodes = adapter->node_count, node;
    DXGKARG_GETNODEMETADATA metadata;
    NTSTATUS status;

    VIDMM_ASSERT(nodes >= 1 && nodes <= VIDMM_NODES);
    if (adapter->level < VIDMM_LEVEL(1, 3))
        return STATUS_SUCCESS;
    if (!adapter->miniport->driver.DxgkDdiGetNodeMetadata)
        return judge(adapter, true, "DxgkDdiGetNodeMetadata", 0, report);
    if (!adapter->miniport->multi_engine) /* how many there are is not known (D-295) */
        return STATUS_SUCCESS;
    for (node = 0; node < nodes; node++) {
        status = query_node(adapter, node, report);
        if (status != STATUS_SUCCESS)
            return status;
    }
    return judge(adapter, ask(adapter, nodes, &metadata) != STATUS_INVALID_PARAMETER,
                 "node that GetNodeMetadata knows though there is none", nodes, report);
}

NTSTATUS vidmm_ddi_node_metadata(const struct vidmm_adapter *adapter, uint32_t node,
                                 DXGK_NODEMETADATA *metadata)
{
    if (!adapter->miniport->driver.DxgkDdiGetNodeMetadata)
        return STATUS_NOT_SUPPORTED;
    return ask(adapter, node, metadata);
}

/* obeys D-305 */
uint32_t vidmm_ddi_node_queue_limit(const struct vidmm_adapter *adapter)
{
    return adapter->level < VIDMM_LEVEL(2, 3)
               ? 0
               : adapter->miniport->caps.SchedulingCaps.HwQueuePacketCap;
}
