/* linked_mmu.h: page tables of the physical adapters of a link, as their driver describes them.
 *
 * Each adapter has tables of its own, at the same places: so all are asked, and what places follow
 * from has to be alike. Nothing is asked without a link, nor of a GPU without page tables.
 *
 * Source: "Linked display adapter", "GPU virtual address"; rules D-228, D-230.
 */
#ifndef VIDMM_DDI_LINKED_MMU_H
#define VIDMM_DDI_LINKED_MMU_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_report;

/* Ask the others what their page tables are like; the lead has answered. Refused: the report names
 * the member, the physical adapter, and both values. */
NTSTATUS vidmm_ddi_query_linked_mmu(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Ask the others what their segments are like; the lead's are known. Refused likewise. */
NTSTATUS vidmm_ddi_query_linked_segments(struct vidmm_adapter *adapter,
                                         struct vidmm_report *report);
/* Have the CPU see the segments of each that hold tables of the paging process. Refused: the device
 * has no such memory. */
NTSTATUS vidmm_ddi_map_linked_tables(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Take that back. */
void vidmm_ddi_unmap_linked_tables(struct vidmm_adapter *adapter);

#endif
