/* check_host_aperture.c: the rules of cpu-host-aperture.def. */
#include "contract/audit.h"

#include <stdio.h>

#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

/* An array of pages of the aperture, of either call. */
struct pages {
    const UINT32 *aperture;
    UINT64 count;
    unsigned segment, link;
};

static struct pages pages_of(const struct vidmm_audit_event *event)
{
    if (event->record->ddi == VIDMM_DDI_MAP_CPU_HOST_APERTURE) {
        const DXGKARG_MAPCPUHOSTAPERTURE *map = event->record->argument;

        return (struct pages){map->pCpuHostAperturePages, map->NumberOfPages, map->SegmentId,
                              map->PhysicalAdapterIndex};
    }
    const DXGKARG_UNMAPCPUHOSTAPERTURE *unmap = event->record->argument;

    return (struct pages){unmap->pCpuHostAperturePages, unmap->NumberOfPages, unmap->SegmentId,
                          unmap->PhysicalAdapterIndex};
}

/* Whether the call names pages of an aperture that there is; the reason is said otherwise. */
static bool names_pages(const struct vidmm_audit_event *event, const struct pages *pages, char *why,
                        size_t size)
{
    const struct vidmm_shadow_segment *segment =
        vidmm_shadow_segment(event->shadow, pages->segment);

    if (pages->link >= event->audit->links) {
        snprintf(why, size, "PhysicalAdapterIndex is %u; there are %u", pages->link,
                 event->audit->links);
        return false;
    }
    if (segment == NULL || segment->host_pages == 0) {
        snprintf(why, size, "segment %u has no CPU host aperture", pages->segment);
        return false;
    }
    if (pages->aperture == NULL || pages->count == 0 || pages->count > segment->host_pages) {
        snprintf(why, size, "NumberOfPages is %llu; the aperture has %u pages",
                 (unsigned long long)pages->count, segment->host_pages);
        return false;
    }
    for (UINT64 i = 0; i < pages->count; i++)
        if (pages->aperture[i] >= segment->host_pages) {
            snprintf(why, size, "page %u of the aperture, which has %u pages", pages->aperture[i],
                     segment->host_pages);
            return false;
        }
    return true;
}

/* Whether all of them are mapped, besides. */
static bool names_mapped(const struct vidmm_audit_event *event, const struct pages *pages,
                         char *why, size_t size)
{
    if (!names_pages(event, pages, why, size))
        return false;
    for (UINT64 i = 0; i < pages->count; i++)
        if (!vidmm_shadow_is_host_mapped(event->shadow, pages->segment, pages->aperture[i])) {
            snprintf(why, size, "page %u of the aperture of segment %u is not mapped",
                     pages->aperture[i], pages->segment);
            return false;
        }
    return true;
}

/* A place that is known: one range of the segment. */
static bool is_known_at(const struct vidmm_audit_event *event,
                        const struct vidmm_shadow_allocation *allocation, unsigned segment)
{
    return !event->shadow->pages_by_address && allocation->instance == NULL &&
           allocation->segment == segment;
}

/* The page of the segment that element `index` names is the allocation's. */
static void check_page(const struct vidmm_audit_event *event,
                       const struct vidmm_shadow_allocation *allocation, UINT64 index)
{
    const DXGKARG_MAPCPUHOSTAPERTURE *map = event->record->argument;
    const struct vidmm_shadow_segment *segment =
        vidmm_shadow_segment(event->shadow, map->SegmentId);
    UINT64 page = map->pMemorySegmentPages[index], size = segment->host_page_size;
    const struct vidmm_owned_range *there;

    if (page >= segment->size / size) {
        BREACH(event, D_176, "page %llu of segment %u, which has %llu pages",
               (unsigned long long)page, map->SegmentId,
               (unsigned long long)(segment->size / size));
    } else if (allocation != NULL) {
        UINT64 first = allocation->offset / size;
        UINT64 last = (allocation->offset + allocation->span - 1) / size;

        if (is_known_at(event, allocation, map->SegmentId) && (page < first || page > last))
            BREACH(event, D_176, "page %llu of segment %u; the allocation has pages %llu to %llu",
                   (unsigned long long)page, map->SegmentId, (unsigned long long)first,
                   (unsigned long long)last);
    } else if (!event->shadow->pages_by_address) {
        there = vidmm_ranges_meet(&segment->ranges, page * size, (page + 1) * size);
        if (there != NULL && there->owner != NULL)
            BREACH(event, D_176, "hAllocation is null, and allocation 0x%llx has page %llu",
                   HEX(there->owner), (unsigned long long)page);
    }
}

static void check_map(const struct vidmm_audit_event *event)
{
    const DXGKARG_MAPCPUHOSTAPERTURE *map = event->record->argument;
    const struct vidmm_shadow_allocation *allocation =
        vidmm_shadow_allocation(event->shadow, map->hAllocation);
    const struct pages pages = pages_of(event);
    char why[160];

    if (!names_pages(event, &pages, why, sizeof why))
        BREACH(event, D_176, "%s", why);
    else if (map->pMemorySegmentPages == NULL)
        BREACH(event, D_176, "pMemorySegmentPages is null");
    else if (map->hAllocation != NULL && allocation == NULL)
        BREACH(event, D_176, "hAllocation 0x%llx is no allocation", HEX(map->hAllocation));
    else
        for (UINT64 i = 0; i < map->NumberOfPages; i++)
            check_page(event, allocation, i);
}

CHECKER(D_176)
{
    if (!event->record->returned)
        check_map(event);
}

CHECKER(D_177)
{
    const struct pages pages = pages_of(event);
    char why[160];

    if (!event->record->returned && !names_mapped(event, &pages, why, sizeof why))
        BREACH(event, D_177, "%s", why);
}

/* A mapping of an allocation may be refused: it is shown elsewhere then. Nobody can do without that
 * of a page table, nor without an unmap. A call that is wrong in itself is refused rightly. */
CHECKER(D_174)
{
    bool maps = event->record->ddi == VIDMM_DDI_MAP_CPU_HOST_APERTURE;
    const struct pages pages = pages_of(event);
    char why[160];

    if (!event->record->returned || NT_SUCCESS(event->record->status))
        return;
    if (maps ? VIDMM_EVENT_ARGUMENT(event, DXGKARG_MAPCPUHOSTAPERTURE)->hAllocation == NULL &&
                   names_pages(event, &pages, why, sizeof why)
             : names_mapped(event, &pages, why, sizeof why))
        BREACH(event, D_174, "%s answers 0x%08x", maps ? "Map" : "Unmap",
               (unsigned)event->record->status);
}
