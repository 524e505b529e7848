/* property.h: DxgkDdiValidateUpdateAllocationProperty. */
#ifndef VIDMM_DDI_PROPERTY_H
#define VIDMM_DDI_PROPERTY_H

#include <stdbool.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_property;

/* Whether the driver is asked before properties of an allocation change, which it has to be. */
bool vidmm_ddi_validates(const struct vidmm_adapter *adapter);
/* Ask the driver whether they may. The thread is inside the driver (vidmm_driver_enter()). Answers
 * the driver's status. */
NTSTATUS vidmm_ddi_validate(const struct vidmm_allocation *allocation,
                            const struct vidmm_property *property);

#endif
