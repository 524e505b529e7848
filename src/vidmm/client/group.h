/* group.h: allocations that are created together. */
#ifndef VIDMM_CLIENT_GROUP_H
#define VIDMM_CLIENT_GROUP_H

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_report;

/* The subject of one call of DxgkDdiCreateAllocation. */
struct vidmm_group {
    struct vidmm_device *device;     /* the device that they belong to */
    struct vidmm_resource *resource; /* NULL: none */
    const struct vidmm_description *descriptions;
    uint32_t count;
    struct vidmm_allocation **allocations; /* receives them; room for `count` */
    struct vidmm_report *report;
};

/* Whether programs can create allocations on the adapter. STATUS_NOT_SUPPORTED: the report says
 * why. */
NTSTATUS vidmm_group_check_model(const struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Create them, in the driver and the engine; those of a shared resource are not opened. Refused:
 * nothing is left of them, and the report says why. The mutex is not held. */
NTSTATUS vidmm_group_create(const struct vidmm_group *group);

#endif
