/* region.c: the pages that a lock names, as the driver's paging operations want them.
 *
 * Numbers are of 64 bits while they are rounded up, so that no sum wraps.
 */
#include <umd/region.h>

#include <stddef.h>

#include <vidmm/adapter.h>
#include <vidmm/lock.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "umd/refuse.h"

static uint64_t rounded_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* obeys S3-009, S0-014 */
NTSTATUS umd_region_widen(const struct umd_region_rule *rule, uint32_t allocation_pages,
                          struct umd_region *region, struct vidmm_report *report)
{
    uint64_t unit = rule->alignment > 1 ? rule->alignment : 1;
    uint64_t least = rounded_up(rule->least > 1 ? rule->least : 1, unit);
    uint64_t first = region->first, end = first + region->count;

    if (region->count == 0)
        return umd_refuse(report, STATUS_INVALID_PARAMETER, "region: it has no pages");
    if (end > allocation_pages)
        return umd_refuse(report, STATUS_INVALID_PARAMETER,
                          "region: some of its pages are behind the allocation's end");
    first -= first % unit;
    end = rounded_up(end, unit);
    if (end - first < least)
        end = first + least;
    if (end > allocation_pages) { /* no room behind it: before it there may be some */
        uint64_t last = rounded_up(allocation_pages, unit);

        first = last < least ? 0 : last - least < first ? last - least : first;
        end = allocation_pages;
    }
    *region = (struct umd_region){(uint32_t)first, (uint32_t)(end - first)};
    return STATUS_SUCCESS;
}

NTSTATUS umd_region_lock(struct vidmm_allocation *allocation, const struct umd_region_rule *rule,
                         uint32_t flags, struct umd_region *region, uint32_t *pages, uint32_t room,
                         void **data, struct vidmm_report *report)
{
    struct vidmm_lock_arguments arguments = {
        .allocation = allocation, .flags = flags, .pages = pages};
    struct umd_region widened = *region;
    NTSTATUS status;

    if ((flags & VIDMM_LOCK_ENTIRE) != 0)
        return umd_refuse(report, STATUS_INVALID_PARAMETER,
                          "flags: LockEntire, which names no pages");
    status = umd_region_widen(
        rule,
        (uint32_t)((vidmm_allocation_size(allocation) + VIDMM_PAGE_SIZE - 1) / VIDMM_PAGE_SIZE),
        &widened, report);
    if (status != STATUS_SUCCESS)
        return status;
    if (widened.count > room)
        return umd_refuse(report, STATUS_INVALID_PARAMETER,
                          "room: for fewer pages than the widened region has");
    for (uint32_t i = 0; i < widened.count; i++)
        pages[i] = widened.first + i;
    arguments.page_count = widened.count;
    status = vidmm_lock_pages(&arguments, report);
    if (status != STATUS_SUCCESS)
        return status;
    *region = widened;
    *data = arguments.data;
    return STATUS_SUCCESS;
}
