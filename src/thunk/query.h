/* query.h: numbers that more than one question is answered with. */
#ifndef VIDMM_THUNK_QUERY_H
#define VIDMM_THUNK_QUERY_H

#include <stdbool.h>

#include <wddm/d3dkmddi_segment.h>
#include <wddm/d3dkmthk_allocation.h>
#include <wddm/d3dkmthk_query.h>

struct vidmm_adapter;
struct vidmm_adapter_caps;

/* The group that budgets count a segment in, by the flags that the driver reported for it. From
 * WDDM 2.0 on one of two flags chooses the group; both of them or none say nothing, and then, as
 * before 2.0, apertures are non-local and memory is local (D-205). */
D3DKMT_MEMORY_SEGMENT_GROUP vidmm_query_segment_group(const struct vidmm_adapter_caps *caps,
                                                      DXGK_SEGMENTFLAGS flags);

/* Whether budgets count the segment in that group; some count in none. */
bool vidmm_query_is_in_group(const struct vidmm_adapter *adapter, uint32_t segment, uint32_t group);

/* The bytes of the adapter's segments, by the groups that budgets are kept of. The index of the
 * physical adapter is 0. */
void vidmm_query_group_sizes(const struct vidmm_adapter *adapter,
                             D3DKMT_SEGMENTGROUPSIZEINFO *info);

#endif
