/* backing_store.h: DxgkDdiSetAllocationBackingStore, and the feature that it belongs to. */
#ifndef VIDMM_DDI_BACKING_STORE_H
#define VIDMM_DDI_BACKING_STORE_H

#include <stdbool.h>

#include <wddm/d3dkmddi_callback.h>
#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_allocation;

/* Whether DXGK_FEATURE_SHARE_BACKING_STORE_WITH_KMD is enabled: from WDDM 3.1 on, for a driver that
 * has the function. */
bool vidmm_ddi_shares_backing_stores(const struct vidmm_adapter *adapter);
/* Tell the driver where the kernel sees the allocation's backing store, which is mapped: there it
 * stays until the driver has destroyed the allocation. Answers the driver's status. */
NTSTATUS vidmm_ddi_set_backing_store(const struct vidmm_allocation *allocation);

/* DxgkCbIsFeatureEnabled, DxgkCbQueryFeatureSupport. STATUS_INVALID_PARAMETER: NULL, or a handle
 * that is no adapter's. */
NTSTATUS vidmm_ddi_is_feature_enabled(DXGKARGCB_ISFEATUREENABLED *arguments);
NTSTATUS vidmm_ddi_query_feature_support(DXGKARGCB_QUERYFEATURESUPPORT *arguments);

#endif
