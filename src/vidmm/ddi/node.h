/* node.h: the nodes, as the miniport tells of them from WDDM 1.3 on. */
#ifndef VIDMM_DDI_NODE_H
#define VIDMM_DDI_NODE_H

#include <wddm/d3dkmdt_types.h>
#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_report;

/* Ask what each node is; nothing follows from it. STATUS_GRAPHICS_DRIVER_MISMATCH: a rule is broken
 * and the adapter is strict; the report says which. */
NTSTATUS vidmm_ddi_query_nodes(struct vidmm_adapter *adapter, struct vidmm_report *report);

/* Ask the miniport what a node is. The caller is inside the driver. STATUS_NOT_SUPPORTED: it has
 * no DxgkDdiGetNodeMetadata. */
NTSTATUS vidmm_ddi_node_metadata(const struct vidmm_adapter *adapter, uint32_t node,
                                 DXGK_NODEMETADATA *metadata);

/* DMA packets that may be in flight on one node, as the driver says from WDDM 2.3 on (D-305); 0: it
 * states no limit. */
uint32_t vidmm_ddi_node_queue_limit(const struct vidmm_adapter *adapter);

#endif
