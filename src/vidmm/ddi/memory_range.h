/* memory_range.h: memory that the miniport says is not for the manager. */
#ifndef VIDMM_DDI_MEMORY_RANGE_H
#define VIDMM_DDI_MEMORY_RANGE_H

#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_report;
struct vidmm_reserved_range;

/* Ask for the invalid ranges of each segment that has some, and reserve them. Refused: the report
 * says why. The adapter gives the tables back when it stops. */
NTSTATUS vidmm_ddi_query_memory_ranges(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Ask how much of its frame buffer the miniport saves, and what memory its hardware reserves, where
 * it has IoMmuSecureModeSupported. Refused: the report says why. */
NTSTATUS vidmm_ddi_query_hardware_memory(struct vidmm_adapter *adapter,
                                         struct vidmm_report *report);
/* Reserve a range of a segment: nothing is placed there. Before the engine is made.
 * STATUS_NO_MEMORY. */
NTSTATUS vidmm_ddi_reserve_range(struct vidmm_adapter *adapter, uint32_t segment,
                                 struct vidmm_reserved_range range);
/* The range that is reserved and meets [offset, offset + size), with the lowest offset; NULL:
 * there is none. */
const struct vidmm_reserved_range *vidmm_ddi_find_reserved(const struct vidmm_adapter *adapter,
                                                           uint32_t segment, uint64_t offset,
                                                           uint64_t size);

#endif
