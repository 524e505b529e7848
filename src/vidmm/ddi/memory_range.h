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

/* Put the protected ranges of segments (VprSupported) apart.
 *
 * From WDDM 2.1 on, where CreateInVpr is, such a range is to the engine a segment of its own: a
 * *part*, with an id behind those of the driver's segments, the offsets of the segment that it
 * lies in, and all reserved that is not the range. The segment has the range reserved. So
 * nothing that is placed anywhere by any way is on the wrong side of a bound.
 *
 *     segment 2   |       |#####|            |      # reserved
 *     part 3      |#######|     |############|      told as segment 2, with the same offsets
 *
 * A range that is all of its segment needs no part: what is in the segment is in the range.
 * Invalid ranges that lie in it are reserved in the part. A range for whose part there is no
 * id is as if the segment had none. Once, when the invalid ranges are known.
 * STATUS_NO_MEMORY. */
NTSTATUS vidmm_ddi_part_segments(struct vidmm_adapter *adapter);

#endif
