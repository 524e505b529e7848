/* segment.h: one segment as the miniport describes it. */
#ifndef VIDMM_DDI_SEGMENT_H
#define VIDMM_DDI_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_report;

/* Read the descriptor of a segment into segments[id], and judge it; allocates the table of its
 * banks, which the adapter gives back when it stops. Refused: the report says why. */
NTSTATUS vidmm_ddi_take_segment(struct vidmm_adapter *adapter, uint32_t id, const void *descriptor,
                                struct vidmm_report *report);
/* Judge them together, once all are taken: what is asked of them from 2.0 on. */
NTSTATUS vidmm_ddi_check_segments(struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Whether the segment is the chipset's, which its GART maps and not the miniport. */
bool vidmm_segment_is_agp(const struct vidmm_adapter *adapter, uint32_t id);
/* The AGP aperture of the machine. False: there is none. */
bool vidmm_find_agp(const struct vidmm_adapter *adapter, uint64_t *base, uint64_t *size);

#endif
