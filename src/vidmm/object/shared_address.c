/* shared_address.c: the address at which the CPU and the GPU find an allocation.
 *
 * Invariants (V), the adapter's mutex held:
 * V1. `reserved` of what a device has open: the space of its process has the address.
 * V2. `shown` of an allocation: its pages are shown in each space that has its address.
 *
 * Source: IoMmu model; rule D-268.
 */
#include "vidmm/object/shared_address.h"

#include <stdint.h>

#include <vidmm/host.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/process.h"
#include "vidmm/object/record.h"

#include "base/assert.h"

static uint64_t address_of(const struct vidmm_allocation *allocation)
{
    VIDMM_ASSERT(allocation->backing.address);
    return (uint64_t)(uintptr_t)allocation->backing.address;
}

static void map(const struct vidmm_allocation *allocation, const struct vidmm_process *process)
{
    const struct vidmm_host *host = allocation->adapter->host;

    host->map_space(host->context, process->pasid, address_of(allocation),
                    (const uint64_t *)(const void *)MmGetMdlPfnArray(allocation->backing.mdl),
                    true);
}

bool vidmm_shared_address_init(struct vidmm_allocation *allocation)
{
    VIDMM_ASSERT(!allocation->original && allocation->backing.mdl);
    return vidmm_backing_map(&allocation->backing, allocation->adapter->host);
}

bool vidmm_shared_address_reserve(struct vidmm_allocation *opened,
                                  const struct vidmm_process *process)
{
    const struct vidmm_allocation *allocation = vidmm_original(opened);
    const struct vidmm_host *host = opened->adapter->host;

    VIDMM_ASSERT(!opened->reserved);
    if (!allocation->shares || process->system)
        return true;
    vidmm_adapter_lock(opened->adapter);
    opened->reserved = host->reserve_space(host->context, process->pasid, address_of(allocation),
                                           allocation->backing.pages);
    if (opened->reserved && allocation->shown) /* V2 */
        map(allocation, process);
    vidmm_adapter_unlock(opened->adapter);
    return opened->reserved;
}

void vidmm_shared_address_release(struct vidmm_allocation *opened,
                                  const struct vidmm_process *process)
{
    const struct vidmm_host *host = opened->adapter->host;

    if (!opened->reserved)
        return;
    host->release_space(host->context, process->pasid, address_of(vidmm_original(opened)));
    opened->reserved = false; /* V1 */
}

/* In every process: a space that has not reserved the address lets it be. */
static void change(struct vidmm_allocation *allocation, bool shown)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    const struct vidmm_host *host = adapter->host;
    const struct vidmm_process *process;

    VIDMM_ASSERT(!allocation->original);
    if (!allocation->shares)
        return;
    vidmm_adapter_lock(adapter);
    for (process = adapter->processes; process; process = process->next)
        if (shown)
            map(allocation, process);
        else
            host->unmap_space(host->context, process->pasid, address_of(allocation));
    allocation->shown = shown; /* V2 */
    vidmm_adapter_unlock(adapter);
}

void vidmm_shared_address_show(struct vidmm_allocation *allocation)
{
    change(allocation, true);
}

void vidmm_shared_address_hide(struct vidmm_allocation *allocation)
{
    change(allocation, false);
}
