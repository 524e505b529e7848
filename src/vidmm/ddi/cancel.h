/* cancel.h: DxgkDdiCancelCommand. */
#ifndef VIDMM_DDI_CANCEL_H
#define VIDMM_DDI_CANCEL_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_operation;

/* Whether the driver wants to hear of what never reached the GPU. */
bool vidmm_ddi_cancels(const struct vidmm_adapter *adapter);
/* Tell it. The driver's status. */
NTSTATUS vidmm_ddi_cancel(struct vidmm_adapter *adapter, const struct vidmm_operation *operation);

#endif
