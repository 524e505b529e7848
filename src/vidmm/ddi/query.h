/* query.h: the questions to the miniport about its GPU. */
#ifndef VIDMM_DDI_QUERY_H
#define VIDMM_DDI_QUERY_H

#include <stddef.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_report;

/* Ask for caps, segments and nodes, and judge the answers. Refused: the report says why; the
 * adapter cannot start, and gives the tables of banks back when it is stopped. */
NTSTATUS vidmm_ddi_query(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Ask, from 2.0 on, for the segments of a further physical adapter of a link. *descriptors receives
 * theirs, *count of them, each *stride bytes behind the one before; vidmm_free() gives them back.
 * The driver's status, or STATUS_NO_MEMORY: there are none then. */
NTSTATUS vidmm_ddi_ask_segments_of(struct vidmm_adapter *adapter, uint32_t index,
                                   const uint8_t **descriptors, size_t *stride, uint32_t *count);
/* Ask how many bits of a node's time stamps mean something; the answer is not judged. The caller is
 * inside the driver (vidmm_driver_enter()). The driver's status, or STATUS_NO_MEMORY: *bits is
 * nothing then. */
NTSTATUS vidmm_ddi_query_precision(struct vidmm_adapter *adapter, uint32_t node, uint32_t *bits);

#endif
