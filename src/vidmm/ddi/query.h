/* query.h: what the miniport is asked about its GPU. For the modules of the lower face. */
#ifndef VIDMM_DDI_QUERY_H
#define VIDMM_DDI_QUERY_H

#include "vidmm/object/adapter.h"

/* Ask for caps, segments and nodes, and judge the answers. */
NTSTATUS vidmm_kmd_query(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Ask what each node is; nothing follows from it (ddi/node.c). */
NTSTATUS vidmm_kmd_query_nodes(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Ask how many bits of a node's time stamps mean something; the answer is not judged. The caller is
 * inside the driver (vidmm_driver_enter()). The driver's status, or STATUS_NO_MEMORY. */
NTSTATUS vidmm_kmd_query_precision(struct vidmm_adapter *adapter, uint32_t node, uint32_t *bits);

#endif
