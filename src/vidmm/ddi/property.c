/* property.c: DxgkDdiValidateUpdateAllocationProperty.
 *
 * Source: DXGKARG_VALIDATEUPDATEALLOCPROPERTY; "MCDM implementation guidelines"; rule D-254. The
 * page of the function itself is not published.
 */
#include "vidmm/ddi/property.h"

#include <string.h>

#include <vidmm/plan.h>
#include <wddm/d3dkmddi_allocation.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"

#include "base/assert.h"
#include "wddm/level.h"

bool vidmm_ddi_validates(const struct vidmm_adapter *adapter)
{
    return adapter->level >= VIDMM_LEVEL(2, 1) &&
           adapter->miniport->driver.DxgkDdiValidateUpdateAllocationProperty != NULL;
}

NTSTATUS vidmm_ddi_validate(const struct vidmm_allocation *allocation,
                            const struct vidmm_property *property)
{
    const struct vidmm_miniport *miniport = allocation->adapter->miniport;
    DXGKARG_VALIDATEUPDATEALLOCPROPERTY arguments;

    VIDMM_ASSERT(vidmm_ddi_validates(allocation->adapter) && !allocation->original);
    memset(&arguments, 0, sizeof(arguments));
    arguments.hAllocation = allocation->h_allocation;
    arguments.SupportedSegmentSet = property->segments;
    arguments.PreferredSegment.Value = property->preferred;
    arguments.Flags.AccessedPhysically = property->physical != 0;
    arguments.SetAccessedPhysically = (property->mask & VIDMM_PROPERTY_PHYSICAL) != 0;
    arguments.SetSupportedSegmentSet = (property->mask & VIDMM_PROPERTY_SEGMENTS) != 0;
    arguments.SetPreferredSegment = (property->mask & VIDMM_PROPERTY_PREFERRED) != 0;
    return miniport->driver.DxgkDdiValidateUpdateAllocationProperty(miniport->h_adapter,
                                                                    &arguments);
}
