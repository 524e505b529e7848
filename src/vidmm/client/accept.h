/* accept.h: the miniport's description becomes an allocation with a backing store. */
#ifndef VIDMM_CLIENT_ACCEPT_H
#define VIDMM_CLIENT_ACCEPT_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_description;
struct vidmm_report;
struct _DXGK_ALLOCATIONINFO;
struct vidmm_wish;

/* Check and take over what the miniport described; *wish receives what the engine is to know.
 * Refused: the report says why. */
NTSTATUS vidmm_allocation_accept(struct vidmm_allocation *allocation,
                                 struct _DXGK_ALLOCATIONINFO *info, struct vidmm_wish *wish,
                                 struct vidmm_report *report);
/* Take its backing store: pages, or the memory of the description; the wish receives how it lies.
 * Refused: the report says why, and what was taken goes with the record. */
NTSTATUS vidmm_allocation_back(struct vidmm_allocation *allocation, struct vidmm_wish *wish,
                               const struct vidmm_description *description,
                               struct vidmm_report *report);
/* The status for a program, by the driver's answer to DxgkDdiCreateAllocation (D-065). */
NTSTATUS vidmm_allocation_status(struct vidmm_adapter *adapter, NTSTATUS status);

#endif
