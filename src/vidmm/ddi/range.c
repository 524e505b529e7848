/* range.c: swizzling ranges, as the miniport is asked for them.
 *
 * One call at a time, by whoever pumps (D-163); nothing else is held back by it. The driver's
 * answer is judged here: an address, and the size that was asked for (D-162).
 *
 * Source: DXGKDDI_ACQUIRESWIZZLINGRANGE, DXGKARG_ACQUIRESWIZZLINGRANGE,
 * DXGKDDI_RELEASESWIZZLINGRANGE.
 */
#include "vidmm/ddi/range.h"

#include <vidmm/engine.h>
#include <vidmm/host.h>
#include <vidmm/page.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/window.h"

#include "base/assert.h"
#include "wddm/rule.h"

static NTSTATUS release(struct vidmm_adapter *adapter, uint32_t range, uint32_t data,
                        HANDLE allocation)
{
    const DXGKARG_RELEASESWIZZLINGRANGE arguments = {
        .hAllocation = allocation, .PrivateDriverData = data, .RangeId = range - 1};

    VIDMM_ASSERT(range >= 1 && range <= adapter->range_count);
    adapter->miniport->range_owners[range - 1] = NULL;
    return adapter->miniport->driver.DxgkDdiReleaseSwizzlingRange(adapter->miniport->h_adapter,
                                                                  &arguments);
}

VIDMM_SEES(D_162);
/* Whether the range can be used as the driver has set it up. */
static bool is_usable(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                      const DXGKARG_ACQUIRESWIZZLINGRANGE *arguments)
{
    if (arguments->CPUTranslatedAddress.QuadPart == 0) {
        vidmm_seen(adapter, VIDMM_RULE_D_162, "CPUTranslatedAddress", 0);
        return false;
    }
    if (operation->range.alternate)
        return arguments->RangeSize > 0;
    if (arguments->RangeSize != operation->range.size) {
        vidmm_seen(adapter, VIDMM_RULE_D_162, "RangeSize", arguments->RangeSize);
        return arguments->RangeSize > operation->range.size;
    }
    return true;
}

/* Pages for the alternate address, for when the content is evicted; those of an earlier lock serve
 * if they are as many. False: there is no memory. */
static bool back(struct vidmm_allocation *allocation, uint64_t size)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    uint64_t whole = (size + VIDMM_PAGE_SIZE - 1) & ~(uint64_t)(VIDMM_PAGE_SIZE - 1);

    VIDMM_ASSERT(size > 0);
    if (!allocation->alternate)
        allocation->alternate = vidmm_allocate(adapter->host, sizeof(*allocation->alternate));
    if (!allocation->alternate)
        return false;
    if (allocation->alternate->backing.pages == whole / VIDMM_PAGE_SIZE)
        return true;
    vidmm_adapter_lock(adapter);
    vidmm_window_close_all(allocation);
    vidmm_adapter_unlock(adapter);
    vidmm_backing_finish(&allocation->alternate->backing, adapter->host);
    return vidmm_backing_init(&allocation->alternate->backing, adapter, whole, false,
                              VIDMM_WRITE_COMBINED) == STATUS_SUCCESS;
}

static NTSTATUS acquire(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                        struct vidmm_allocation *allocation)
{
    uint32_t range = operation->range.range;
    DXGKARG_ACQUIRESWIZZLINGRANGE arguments = {
        .hAllocation = allocation->h_allocation,
        .PrivateDriverData = operation->range.data,
        .RangeId = range - 1,
        .SegmentId = operation->range.place.segment,
        .RangeSize = operation->range.size,
    };
    NTSTATUS status = adapter->miniport->driver.DxgkDdiAcquireSwizzlingRange(
        adapter->miniport->h_adapter, &arguments);

    VIDMM_ASSERT(range >= 1 && range <= adapter->range_count);
    VIDMM_ASSERT(!adapter->miniport->range_owners[range - 1]);
    if (status != STATUS_SUCCESS)
        return status;
    if (!is_usable(adapter, operation, &arguments) ||
        (operation->range.alternate && !back(allocation, arguments.RangeSize))) {
        status = release(adapter, range, operation->range.data, allocation->h_allocation);
        return status == STATUS_SUCCESS ? STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED : status;
    }
    adapter->miniport->range_addresses[range - 1] =
        (uint64_t)arguments.CPUTranslatedAddress.QuadPart;
    adapter->miniport->range_owners[range - 1] = allocation;
    adapter->miniport->range_data[range - 1] = operation->range.data;
    return status;
}

void vidmm_ddi_abandon_ranges(const struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    uint32_t range;

    for (range = 1; range <= VIDMM_SWIZZLING_RANGES; range++)
        if (adapter->miniport->range_owners[range - 1] == allocation)
            (void)release(adapter, range, adapter->miniport->range_data[range - 1],
                          allocation->h_allocation);
}

void vidmm_ddi_range(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                     struct vidmm_event *answer)
{
    struct vidmm_allocation *allocation = vidmm_allocation_of(adapter, operation->allocation);
    NTSTATUS status;

    VIDMM_ASSERT(adapter->pumping);
    VIDMM_ASSERT(allocation);
    if (operation->kind == VIDMM_DO_ACQUIRE_RANGE) {
        status = acquire(adapter, operation, allocation);
    } else {
        status = release(adapter, operation->range.range, operation->range.data,
                         allocation->h_allocation);
        vidmm_adapter_lock(adapter);
        vidmm_window_forget(allocation, operation->range.range);
        vidmm_adapter_unlock(adapter);
    }
    answer->kind = VIDMM_EVENT_RANGED;
    answer->ranged.status = (uint32_t)status;
    answer->ranged.size = allocation->alternate
                              ? (uint64_t)allocation->alternate->backing.pages << VIDMM_PAGE_SHIFT
                              : 0;
}
