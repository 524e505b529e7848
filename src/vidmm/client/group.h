/* group.h: allocations that are created together. */
#ifndef VIDMM_CLIENT_GROUP_H
#define VIDMM_CLIENT_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_description;
struct vidmm_device;
struct vidmm_report;
struct vidmm_resource;
struct vidmm_resource_options;

/* The subject of one call of DxgkDdiCreateAllocation. */
struct vidmm_group {
    struct vidmm_device *device;     /* the device that they belong to */
    struct vidmm_resource *resource; /* NULL: none */
    const struct vidmm_description *descriptions;
    uint32_t count;
    bool over_heap; /* a standard allocation over the memory of its description */
    struct vidmm_allocation **allocations; /* receives them; room for `count` */
    struct vidmm_report *report;
};

/* Whether programs can create allocations on the adapter. STATUS_NOT_SUPPORTED: the report says
 * why. */
NTSTATUS vidmm_group_check_model(const struct vidmm_adapter *adapter, struct vidmm_report *report);
/* Create them, in the driver and the engine; those of a shared resource are not opened. Refused:
 * nothing is left of them, and the report says why. The mutex is not held. */
NTSTATUS vidmm_group_create(const struct vidmm_group *group);
/* The status of a creation that ends so: if it failed and nobody has said why, the report says it.
 * Answers `status`. `report` may be NULL. */
NTSTATUS vidmm_group_explain(struct vidmm_device *device, NTSTATUS status,
                             struct vidmm_report *report);
/* The original of the shared resource that has the handle, which is open somewhere. NULL: there is
 * none. The mutex is held. */
struct vidmm_resource *vidmm_resource_shared(const struct vidmm_adapter *adapter, uint32_t handle);
/* vidmm_resource_create(); over_heap: as above. */
NTSTATUS vidmm_resource_build(struct vidmm_device *device,
                              const struct vidmm_resource_options *options, bool over_heap,
                              const struct vidmm_description *descriptions, uint32_t count,
                              struct vidmm_resource **resource,
                              struct vidmm_allocation **allocations, struct vidmm_report *report);

#endif
