/* build.h: DxgkDdiBuildPagingBuffer. */
#ifndef VIDMM_DDI_BUILD_H
#define VIDMM_DDI_BUILD_H

struct vidmm_adapter;
struct vidmm_event;
struct vidmm_operation;

/* Have an operation built into its paging buffer, by every physical adapter, and write the answer:
 * VIDMM_EVENT_BUILT. `call_fails` holds the breaches by the driver for which Windows stops. */
void vidmm_ddi_build(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                     struct vidmm_event *answer);

#endif
