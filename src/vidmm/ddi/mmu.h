/* mmu.h: how a GPU at WDDM 2.x translates addresses, as its miniport says it.
 *
 *     GpuMmu     page tables of its own, which the manager writes: GPUMMUCAPS, and a description of
 *                each level
 *     IoMmu      the CPU's page tables: there is nothing to describe
 *     physical   segment addresses, as below 2.0
 *
 * Source: DXGK_VIDMMCAPS, DXGK_PHYSICALADAPTERCAPS, DXGK_GPUMMUCAPS, DXGK_PAGE_TABLE_LEVEL_DESC.
 */
#ifndef VIDMM_DDI_MMU_H
#define VIDMM_DDI_MMU_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/d3dkmddi_query.h>

struct vidmm_adapter;
struct vidmm_report;

struct vidmm_mmu {
    bool has_physical_caps; /* the driver has answered PHYSICALADAPTERCAPS */
    DXGK_PHYSICALADAPTERCAPS physical_caps;
    DXGK_GPUMMUCAPS caps; /* of a GPU with page tables, and of no other */
    DXGK_PAGE_TABLE_LEVEL_DESC levels[DXGK_MAX_PAGE_TABLE_LEVEL_COUNT]; /* 0 is the leaf */
    uint32_t root_entries, root_size; /* of programs: entries, bytes */
};

/* Judge what DRIVERCAPS says of address translation, and take it as the adapter's model. Below 2.0
 * there is nothing to judge. */
NTSTATUS vidmm_ddi_take_model(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Ask for PHYSICALADAPTERCAPS and 64BITONLYCAPS, which the driver may refuse, and of a GPU with
 * page tables for GPUMMUCAPS and the levels. */
NTSTATUS vidmm_ddi_query_mmu(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Judge what was said of page tables against the segments, which are known by now. */
NTSTATUS vidmm_ddi_check_tables(const struct vidmm_adapter *adapter, struct vidmm_report *report);

/* Ask for PHYSICAL_MEMORY_CAPS and IOMMU_CAPS, either of which the driver may refuse: then it has
 * said nothing. Every physical adapter has been added, none is started. Below 2.9 nothing is asked.
 */
void vidmm_ddi_query_iommu(struct vidmm_adapter *adapter);
/* The least HighestVisibleAddress that a physical adapter named; UINT64_MAX: none named any. */
uint64_t vidmm_ddi_highest_visible(const struct vidmm_adapter *adapter);
/* Judge the answers, once the caps of the driver are known, and take the limit that they set to
 * memory. STATUS_GRAPHICS_DRIVER_MISMATCH: the adapter is strict, and they are wrong. */
NTSTATUS vidmm_ddi_judge_iommu(struct vidmm_adapter *adapter, struct vidmm_report *report);

/* Flags of the physical adapter that the driver's version has; the others are 0, and so are all if
 * it answered no PHYSICALADAPTERCAPS. */
DXGK_PHYSICALADAPTERFLAGS vidmm_ddi_physical_flags(const struct vidmm_adapter *adapter);
/* How many levels of page tables there are; 0: none. */
uint32_t vidmm_ddi_table_levels(const struct vidmm_adapter *adapter);
/* Whether page tables of the paging process lie in the segment. */
bool vidmm_ddi_holds_paging_tables(const struct vidmm_adapter *adapter, uint32_t segment);
/* The entry point that a driver of this model must have, and has not; NULL: it has them. */
const char *vidmm_ddi_missing_entry(const struct vidmm_adapter *adapter);

#endif
