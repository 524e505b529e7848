/* host_aperture.h: the CPU host aperture, as the miniport is asked to map its pages. */
#ifndef VIDMM_DDI_HOST_APERTURE_H
#define VIDMM_DDI_HOST_APERTURE_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_adapter;
struct vidmm_event;
struct vidmm_operation;

/* Whether the segment has one that can be used: the driver has both functions, and there is one
 * physical adapter. */
bool vidmm_ddi_has_host_aperture(const struct vidmm_adapter *adapter, uint32_t segment);
/* Map or unmap the pages of an allocation, and write the answer: VIDMM_EVENT_HOST_ANSWERED.
 * Refused: none of them is mapped. */
void vidmm_ddi_host_aperture(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                             struct vidmm_event *answer);

#endif
