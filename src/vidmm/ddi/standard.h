/* standard.h: DxgkDdiGetStandardAllocationDriverData. */
#ifndef VIDMM_DDI_STANDARD_H
#define VIDMM_DDI_STANDARD_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_device;
struct vidmm_report;
struct vidmm_standard;

/* The driver's description: its private data, of the allocation and of the resource behind
 * it. */
struct vidmm_standard_data {
    uint8_t *bytes; /* the caller gives them back */
    const void *of_allocation, *of_resource;
    uint32_t allocation_size, resource_size;
    uint32_t pitch; /* 0 of a primary */
};

/* Whether the driver has DxgkDdiGetStandardAllocationDriverData. */
bool vidmm_ddi_describes_standard(const struct vidmm_adapter *adapter);
/* Have the driver describe a standard allocation; allocates data->bytes. Refused: the report says
 * why, and there is nothing to give back. */
NTSTATUS vidmm_ddi_describe_standard(struct vidmm_device *device,
                                     const struct vidmm_standard *standard,
                                     struct vidmm_standard_data *data, struct vidmm_report *report);

#endif
