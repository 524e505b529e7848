/* query.h: the questions to the miniport about its GPU. */
#ifndef VIDMM_DDI_QUERY_H
#define VIDMM_DDI_QUERY_H

#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_report;

/* Ask for caps, segments and nodes, and judge the answers. Refused: the report says why; the
 * adapter cannot start, and gives the tables of banks back when it is stopped. */
NTSTATUS vidmm_ddi_query(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Ask how many bits of a node's time stamps mean something; the answer is not judged. The caller is
 * inside the driver (vidmm_driver_enter()). The driver's status, or STATUS_NO_MEMORY: *bits is
 * nothing then. */
NTSTATUS vidmm_ddi_query_precision(struct vidmm_adapter *adapter, uint32_t node, uint32_t *bits);

#endif
