/* node.h: the nodes, as the miniport tells of them from WDDM 1.3 on. */
#ifndef VIDMM_DDI_NODE_H
#define VIDMM_DDI_NODE_H

#include <vidmm/adapter.h>
#include <wddm/ntstatus.h>

/* Ask what each node is; nothing follows from it. STATUS_GRAPHICS_DRIVER_MISMATCH: a rule is broken
 * and the adapter is strict; the report says which. */
NTSTATUS vidmm_ddi_query_nodes(struct vidmm_adapter *adapter, struct vidmm_report *report);

#endif
