/* range.h: swizzling ranges, as the miniport is asked for them. */
#ifndef VIDMM_DDI_RANGE_H
#define VIDMM_DDI_RANGE_H

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_event;
struct vidmm_operation;

/* Acquire or release a range, and write the answer: VIDMM_EVENT_RANGED. With an alternate address
 * it takes pages for that too; refused: the driver has released the range again. */
void vidmm_ddi_range(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                     struct vidmm_event *answer);
/* Release the ranges of an allocation whose engine has stopped. */
void vidmm_ddi_abandon_ranges(const struct vidmm_allocation *allocation);

#endif
