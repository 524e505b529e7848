/* allocation.c: DxgkDdiCreateAllocation, OpenAllocation, CloseAllocation and DestroyAllocation.
 *
 * Closing and destroying a resource needs room for the handles of its members, which is made when
 * they are created: so it cannot fail.
 *
 * Source: DXGKDDI_CREATEALLOCATION, DXGKDDI_OPENALLOCATION, DXGKDDI_CLOSEALLOCATION,
 * DXGKDDI_DESTROYALLOCATION; rules D-046 to D-055.
 */
#include "vidmm/ddi/allocation.h"

#include <string.h>

#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"
#include "vidmm/object/seen.h"

#include "base/assert.h"
#include "wddm/rule.h"

/* ---- creation -------------------------------------------------------------------------------- */

bool vidmm_resource_reserve(struct vidmm_resource *resource, uint32_t count)
{
    const struct vidmm_host *host = resource->adapter->host;
    HANDLE *handles;

    if (count <= resource->room)
        return true;
    handles = vidmm_allocate(host, count * sizeof(*handles));
    if (!handles)
        return false;
    vidmm_free(host, resource->handles);
    resource->handles = handles;
    resource->room = count;
    return true;
}

NTSTATUS vidmm_ddi_create_allocations(struct vidmm_adapter *adapter,
                                      struct vidmm_resource *resource,
                                      struct vidmm_allocation *const *allocations, uint32_t count,
                                      DXGK_ALLOCATIONINFO *infos)
{
    DXGKARG_CREATEALLOCATION arguments;
    NTSTATUS status;
    uint32_t index;

    VIDMM_ASSERT(count > 0 || resource);
    memset(&arguments, 0, sizeof(arguments));
    for (index = 0; index < count; index++) {
        memset(&infos[index], 0, sizeof(infos[index]));
        infos[index].pPrivateDriverData = allocations[index]->private_data; /* obeys S1-001 */
        infos[index].PrivateDriverDataSize = allocations[index]->private_data_size; /* S1-003 */
    }
    arguments.NumAllocations = count;
    arguments.pAllocationInfo = infos;
    if (resource) {
        arguments.Flags.Resource = 1; /* obeys D-049 */
        arguments.hResource = resource->h_resource;
        arguments.pPrivateDriverData =
            resource->private_data_size > 0 ? resource->private_data : NULL;
        arguments.PrivateDriverDataSize = resource->private_data_size;
    }
    status =
        adapter->miniport->driver.DxgkDdiCreateAllocation(adapter->miniport->h_adapter, &arguments);
    if (status == STATUS_SUCCESS && resource) {
        resource->h_resource = arguments.hResource; /* obeys D-048 */
        resource->created = true;
    }
    for (index = 0; index < count && status == STATUS_SUCCESS; index++)
        allocations[index]->h_allocation = infos[index].hAllocation;
    return status;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static NTSTATUS open_all(struct vidmm_device *device, struct vidmm_allocation **allocations,
                         DXGK_OPENALLOCATIONINFO *infos, uint32_t count, bool create)
{
    const struct vidmm_resource *resource = allocations[0]->resource;
    DXGKARG_OPENALLOCATION arguments;
    NTSTATUS status;
    uint32_t index;

    VIDMM_ASSERT(count > 0 && allocations[0]->device == device);
    memset(&arguments, 0, sizeof(arguments));
    for (index = 0; index < count; index++) {
        atomic_store(&allocations[index]->opening, true);
        infos[index].hAllocation = vidmm_allocation_handle(allocations[index]);
        infos[index].pPrivateDriverData = allocations[index]->private_data;
        infos[index].PrivateDriverDataSize = allocations[index]->private_data_size;
    }
    arguments.NumAllocations = count;
    arguments.pOpenAllocation = infos;
    arguments.Flags.Create = create;
    if (resource && resource->private_data_size > 0) {
        arguments.pPrivateDriverData = (void *)(uintptr_t)resource->private_data;
        arguments.PrivateDriverSize = resource->private_data_size;
    }
    status = device->adapter->miniport->driver.DxgkDdiOpenAllocation(device->h_device, &arguments);
    for (index = 0; index < count; index++)
        atomic_store(&allocations[index]->opening, false);
    return status;
}

static bool take_openings(struct vidmm_allocation **allocations,
                          const DXGK_OPENALLOCATIONINFO *infos, uint32_t count)
{
    bool all = true;
    uint32_t index;

    VIDMM_ASSERT(count > 0);
    for (index = 0; index < count; index++) {
        allocations[index]->h_device_specific = infos[index].hDeviceSpecificAllocation;
        allocations[index]->opened = infos[index].hDeviceSpecificAllocation != NULL;
        all = all && allocations[index]->opened;
    }
    return all;
}

void vidmm_ddi_close_allocation(struct vidmm_allocation *allocation)
{
    struct vidmm_device *device = allocation->device;
    DXGKARG_CLOSEALLOCATION close = {.NumAllocations = 1,
                                     .pOpenHandleList = &allocation->h_device_specific};

    VIDMM_ASSERT(!allocation->opened || allocation->h_device_specific);
    if (allocation->opened) {
        device->adapter->miniport->driver.DxgkDdiCloseAllocation(device->h_device, &close);
        allocation->opened = false;
    }
}

static uint64_t hash(uint64_t hash, const uint8_t *bytes, uint32_t size)
{
    while (size-- > 0)
        hash = (hash ^ *bytes++) * UINT64_C(0x100000001b3);
    return hash;
}

/* The private data that the driver may read and must not change. */
static uint64_t hash_private_data(struct vidmm_allocation **allocations, uint32_t count,
                                  bool create)
{
    const struct vidmm_resource *resource = allocations[0]->resource;
    uint64_t sum = 0;
    uint32_t index;

    if (resource)
        sum = hash(sum, resource->private_data, resource->private_data_size);
    for (index = 0; index < count && !create; index++)
        sum = hash(sum, allocations[index]->private_data, allocations[index]->private_data_size);
    return sum;
}

VIDMM_SEES(D_051);
VIDMM_SEES(D_052);
NTSTATUS vidmm_ddi_open_allocations(struct vidmm_device *device,
                                    struct vidmm_allocation **allocations, uint32_t count,
                                    bool create, struct vidmm_report *report)
{
    const struct vidmm_host *host = device->adapter->host;
    DXGK_OPENALLOCATIONINFO one = {0};
    DXGK_OPENALLOCATIONINFO *infos =
        count == 1 ? &one : vidmm_allocate(host, count * sizeof(*infos));
    bool watched = allocations[0]->resource || !create; /* there is private data to be kept */
    uint64_t sum = watched ? hash_private_data(allocations, count, create) : 0;
    NTSTATUS status;
    uint32_t index;
    bool all;

    VIDMM_ASSERT(count > 0);
    if (!infos)
        return STATUS_NO_MEMORY;
    status = open_all(device, allocations, infos, count, create);
    if (watched && hash_private_data(allocations, count, create) != sum)
        vidmm_seen(device->adapter, VIDMM_RULE_D_052, "Flags.Create", create);
    all = status == STATUS_SUCCESS && take_openings(allocations, infos, count);
    if (infos != &one)
        vidmm_free(host, infos);
    if (status != STATUS_SUCCESS) {
        vidmm_report_value(report, status,
                           "status of DxgkDdiOpenAllocation: the driver would not open it",
                           (uint32_t)status);
        return vidmm_report_reason(device->adapter, report, status);
    }
    if (all)
        return STATUS_SUCCESS;
    for (index = 0; index < count; index++)
        vidmm_ddi_close_allocation(allocations[index]);
    return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                              "hDeviceSpecificAllocation: not NULL after a successful open "
                              "(D-051)",
                              0);
}

/* obeys D-053: together. Closing and destroying need memory that was reserved at creation. */
void vidmm_ddi_close_resource(struct vidmm_resource *resource)
{
    struct vidmm_device *device = resource->device;
    DXGKARG_CLOSEALLOCATION close = {.pOpenHandleList = resource->handles};
    struct vidmm_allocation *member;

    for (member = resource->members; member; member = member->sibling) {
        if (member->opened) {
            member->opened = false;
            resource->handles[close.NumAllocations++] = member->h_device_specific;
        }
    }
    if (close.NumAllocations > 0)
        device->adapter->miniport->driver.DxgkDdiCloseAllocation(device->h_device, &close);
}

/* ---- destruction ----------------------------------------------------------------------------- */

static void destroy_list(struct vidmm_adapter *adapter, const struct vidmm_resource *resource,
                         const HANDLE *handles, uint32_t count, bool whole)
{
    DXGKARG_DESTROYALLOCATION arguments = {.NumAllocations = count, .pAllocationList = handles};

    if (resource) {
        arguments.hResource = resource->h_resource;
        arguments.Flags.DestroyResource = whole; /* obeys D-054 */
    }
    adapter->miniport->driver.DxgkDdiDestroyAllocation(adapter->miniport->h_adapter, &arguments);
}

void vidmm_ddi_destroy_allocation(const struct vidmm_allocation *allocation)
{
    VIDMM_ASSERT(allocation->h_allocation && !allocation->opened);
    destroy_list(allocation->adapter, allocation->resource, &allocation->h_allocation, 1, false);
}

/* There may be none left: the resource itself is destroyed all the same. */
void vidmm_ddi_destroy_resource(struct vidmm_resource *resource)
{
    struct vidmm_allocation *member;
    uint32_t count = 0;

    VIDMM_ASSERT(resource->created);
    for (member = resource->members; member; member = member->sibling)
        if (member->h_allocation)
            resource->handles[count++] = member->h_allocation;
    destroy_list(resource->adapter, resource, resource->handles, count, true);
}
