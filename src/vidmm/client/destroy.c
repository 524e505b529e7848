/* destroy.c: allocations and resources are destroyed, by the flags of D3DDDICB_DESTROYALLOCATION2.
 *
 *     no flag            the handle dies at once; the memory goes when all that the devices had
 *                        queued before has run (residency_list.c)
 *     ASSUME_NOT_IN_USE  what its own device has queued does not count
 *     SYNCHRONOUS        the call returns when the memory has gone
 *
 * Invariant (W), the adapter's mutex held: `awaited` of a device counts its allocations that are
 * `awaited`. A thread that waits for 0 waits for those of other threads, too.
 *
 * Source: D3DDDICB_DESTROYALLOCATION2FLAGS; "Allocation usage tracking"; S2-005, D-066, D-181,
 * D-182.
 */
#include "vidmm/client/destroy.h"

#include <vidmm/adapter.h>
#include <vidmm/host.h>
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/renaming.h"
#include "vidmm/client/suspend.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"

void vidmm_allocation_end_by(struct vidmm_allocation *allocation, uint32_t flags)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter) && !allocation->awaited);
    if ((flags & VIDMM_DESTROY_ASSUME_NOT_IN_USE) != 0)
        allocation->unused_by = allocation->device->id;
    if ((flags & VIDMM_DESTROY_SYNCHRONOUS) != 0) {
        allocation->awaited = true;
        allocation->device->awaited++; /* W */
    }
}

static bool has_none_awaited(void *argument)
{
    const struct vidmm_device *device = argument;
    bool none;

    vidmm_adapter_lock(device->adapter);
    none = device->awaited == 0 || vidmm_adapter_is_still(device->adapter);
    vidmm_adapter_unlock(device->adapter);
    return none;
}

/* obeys D-182 */
static void wait_for_end(struct vidmm_device *device)
{
    vidmm_pump(device->adapter);
    vidmm_wait_for_work(device, has_none_awaited, device);
}

static NTSTATUS check_flags(uint32_t flags, struct vidmm_report *report)
{
    if ((flags & ~(VIDMM_DESTROY_ASSUME_NOT_IN_USE | VIDMM_DESTROY_SYNCHRONOUS)) == 0)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "flags", flags,
                                "AssumeNotInUse (1), SynchronousDestroy (2), or both; all other "
                                "bits are 0 (D-182)");
}

/* The first that names what one before it names, by any of its instances; count: none does. */
static uint32_t find_again(struct vidmm_allocation *const *allocations, uint32_t count)
{
    uint32_t again = 0, index;

    if (count == 0)
        return 0;
    vidmm_adapter_lock(allocations[0]->adapter);
    while (again < count && !vidmm_instance_first(allocations[again])->listed)
        vidmm_instance_first(allocations[again++])->listed = true;
    for (index = 0; index < again; index++)
        vidmm_instance_first(allocations[index])->listed = false;
    vidmm_adapter_unlock(allocations[0]->adapter);
    return again;
}

/* Whether all of them may go in one call (D-066). */
static NTSTATUS check(struct vidmm_allocation *const *allocations, uint32_t count,
                      struct vidmm_report *report)
{
    uint32_t index;

    if (vidmm_report_lacking(allocations, count, "allocations", report))
        return STATUS_INVALID_PARAMETER;
    for (index = 0; index < count; index++) {
        const struct vidmm_allocation *one = allocations[index];

        if (!one || one->original || one->device != allocations[0]->device ||
            one->resource != allocations[0]->resource) {
            return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                      "index of an allocation: all of one device, and of one "
                                      "unshared resource or of none (D-066)",
                                      index);
        }
    }
    index = find_again(allocations, count);
    if (index != count) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "index of an allocation: one that is named once", index);
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_allocations_destroy2(struct vidmm_allocation *const *allocations, uint32_t count,
                                    uint32_t flags, struct vidmm_report *report)
{
    struct vidmm_device *device;
    NTSTATUS status;
    uint32_t index;

    vidmm_report_clear(report);
    status = check_flags(flags, report);
    if (status == STATUS_SUCCESS)
        status = check(allocations, count, report);
    if (status != STATUS_SUCCESS || count == 0)
        return status;
    device = allocations[0]->device;
    for (index = 0; index < count; index++) {
        vidmm_adapter_lock(device->adapter);
        vidmm_allocation_end_by(vidmm_instance_first(allocations[index]), flags);
        vidmm_adapter_unlock(device->adapter);
        vidmm_allocation_destroy(allocations[index]);
    }
    if ((flags & VIDMM_DESTROY_SYNCHRONOUS) != 0)
        wait_for_end(device);
    return STATUS_SUCCESS;
}

/* obeys D-183 */
NTSTATUS vidmm_allocations_destroy(struct vidmm_allocation *const *allocations, uint32_t count,
                                   struct vidmm_report *report)
{
    return vidmm_allocations_destroy2(allocations, count, 0, report);
}

NTSTATUS vidmm_resource_destroy2(struct vidmm_resource *resource, uint32_t flags,
                                 struct vidmm_report *report)
{
    struct vidmm_device *device;
    NTSTATUS status;

    vidmm_report_clear(report);
    status = check_flags(flags, report);
    if (status != STATUS_SUCCESS || !resource)
        return status;
    device = resource->original ? resource->adapter->system_device : resource->device;
    vidmm_resource_end(resource, flags);
    if ((flags & VIDMM_DESTROY_SYNCHRONOUS) != 0)
        wait_for_end(device);
    return STATUS_SUCCESS;
}
