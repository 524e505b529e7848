/* query.h: numbers that more than one question is answered with. */
#ifndef VIDMM_THUNK_QUERY_H
#define VIDMM_THUNK_QUERY_H

#include <wddm/d3dkmthk_query.h>

struct vidmm_adapter;

/* The bytes of the adapter's segments, by the groups that budgets are kept of. The index of the
 * physical adapter is 0. */
void vidmm_query_group_sizes(const struct vidmm_adapter *adapter,
                             D3DKMT_SEGMENTGROUPSIZEINFO *info);

#endif
