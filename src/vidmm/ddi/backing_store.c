/* backing_store.c: a driver that sees the backing stores of allocations.
 *
 *     is the feature enabled? --> ShareBackingStoreWithKmd in a description --> its address
 *
 * One address for all physical adapters of a link: such an allocation has one backing store.
 *
 * Source: "Sharing the backing store with KMD"; DXGKDDI_SETALLOCATIONBACKINGSTORE,
 * DXGKCB_ISFEATUREENABLED, DXGKCB_QUERYFEATURESUPPORT; rule D-068.
 */
#include "vidmm/ddi/backing_store.h"

#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmddi_query.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/link.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/registry.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"

#include "base/assert.h"
#include "wddm/level.h"

bool vidmm_ddi_shares_backing_stores(const struct vidmm_adapter *adapter)
{
    return adapter->level >= VIDMM_LEVEL(3, 1) &&
           adapter->miniport->driver.DxgkDdiSetAllocationBackingStore != NULL;
}

NTSTATUS vidmm_ddi_set_backing_store(const struct vidmm_allocation *allocation)
{
    const struct vidmm_miniport *miniport = allocation->adapter->miniport;
    DXGKARG_SETALLOCATIONBACKINGSTORE arguments = {.hDriverAllocation = allocation->h_allocation,
                                                   .pBackingStore = allocation->backing.address};

    VIDMM_ASSERT(vidmm_ddi_shares_backing_stores(allocation->adapter));
    VIDMM_ASSERT(arguments.pBackingStore && !allocation->backing.existing);
    return miniport->driver.DxgkDdiSetAllocationBackingStore(miniport->h_adapter, &arguments);
}

/* ---- the callbacks --------------------------------------------------------------------------- */

static BOOLEAN is_enabled(const struct vidmm_adapter *adapter, uint32_t feature)
{
    return feature == DXGK_FEATURE_SHARE_BACKING_STORE_WITH_KMD &&
           vidmm_ddi_shares_backing_stores(adapter);
}

NTSTATUS vidmm_ddi_is_feature_enabled(DXGKARGCB_ISFEATUREENABLED *arguments)
{
    const struct vidmm_link *link =
        arguments ? vidmm_ddi_called_back(arguments->DeviceHandle) : NULL;

    if (!link)
        return STATUS_INVALID_PARAMETER;
    arguments->Enabled = is_enabled(link->adapter, (uint32_t)arguments->FeatureId);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_ddi_query_feature_support(DXGKARGCB_QUERYFEATURESUPPORT *arguments)
{
    const struct vidmm_link *link =
        arguments ? vidmm_ddi_called_back(arguments->DeviceHandle) : NULL;

    if (!link)
        return STATUS_INVALID_PARAMETER;
    arguments->Enabled = arguments->DriverSupportState != DXGK_FEATURE_SUPPORT_ALWAYS_OFF &&
                         is_enabled(link->adapter, (uint32_t)arguments->FeatureId);
    return STATUS_SUCCESS;
}
