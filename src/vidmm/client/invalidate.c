/* invalidate.c: InvalidateCache: the program keeps cached allocations coherent.
 *
 * Source: D3DKMT_INVALIDATECACHE, "Allocation usage tracking"; rules S2-029, D-180.
 */
#include <vidmm/cache.h>

#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/paging_queue.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/device.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"

static NTSTATUS check(const struct vidmm_device *device, struct vidmm_allocation *allocation,
                      uint64_t offset, uint64_t length, struct vidmm_report *report)
{
    uint64_t bytes = vidmm_original(allocation)->backing.pages * (uint64_t)VIDMM_PAGE_SIZE;

    if (!vidmm_residency_is_explicit(device->adapter, report))
        return STATUS_NOT_SUPPORTED;
    if (allocation->device != device) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "allocation",
                                    vidmm_allocation_handle(allocation), "one of the device");
    }
    if (offset >= bytes) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "offset", offset,
                                    "below the size of the allocation (D-180)");
    }
    if (length == 0 || length > bytes - offset) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "length", length,
                                    "1 byte at least, and no more than follow the offset (D-180)");
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_invalidate_cache(struct vidmm_device *device, struct vidmm_allocation *allocation,
                                uint64_t offset, uint64_t length, struct vidmm_report *report)
{
    NTSTATUS status;

    if (vidmm_report_null(device, "device", report) ||
        vidmm_report_null(allocation, "allocation", report))
        return STATUS_INVALID_PARAMETER;
    status = check(device, allocation, offset, length, report);
    if (status == STATUS_SUCCESS) {
        uint64_t first = offset / VIDMM_PAGE_SIZE, last = (offset + length - 1) / VIDMM_PAGE_SIZE;

        vidmm_backing_flush_pages(&vidmm_original(allocation)->backing, device->adapter->host,
                                  first, last - first + 1);
    }
    return status;
}
