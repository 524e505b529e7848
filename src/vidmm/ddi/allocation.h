/* allocation.h: DxgkDdiCreateAllocation, OpenAllocation, CloseAllocation and DestroyAllocation.
 *
 * All are called inside the turn of the process that they are about (ddi/turn.h), with the mutex
 * not held.
 */
#ifndef VIDMM_DDI_ALLOCATION_H
#define VIDMM_DDI_ALLOCATION_H

#include <stdbool.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct _DXGK_ALLOCATIONINFO;
struct vidmm_adapter;
struct vidmm_allocation;
struct vidmm_device;
struct vidmm_report;
struct vidmm_resource;

/* Have the miniport create `count` allocations, of a resource or (NULL) of none. It describes each
 * in its element of `infos`, and its handles are taken. The driver's status; refused: there is
 * nothing to destroy. */
NTSTATUS vidmm_ddi_create_allocations(struct vidmm_adapter *adapter,
                                      struct vidmm_resource *resource,
                                      struct vidmm_allocation *const *allocations, uint32_t count,
                                      struct _DXGK_ALLOCATIONINFO *infos);
/* Have them opened for a device; of each opening, allocations[n], the original is there, or it is
 * its own. Allocates, for as long as it lasts. Refused: nothing is open, and the report says
 * why. */
NTSTATUS vidmm_ddi_open_allocations(struct vidmm_device *device,
                                    struct vidmm_allocation **allocations, uint32_t count,
                                    bool create, struct vidmm_report *report);
/* Have one closed, or all members of a resource together (D-053); those that are open. */
void vidmm_ddi_close_allocation(struct vidmm_allocation *allocation);
void vidmm_ddi_close_resource(struct vidmm_resource *resource);
/* Have one destroyed, or a resource with its members; there may be none of these. */
void vidmm_ddi_destroy_allocation(const struct vidmm_allocation *allocation);
void vidmm_ddi_destroy_resource(struct vidmm_resource *resource);
/* Make room for the handles of `count` members, which closing and destroying need; allocates.
 * False: no memory, and there is room for as many as before. */
bool vidmm_resource_reserve(struct vidmm_resource *resource, uint32_t count);

#endif
