/* shadow_host.c: the pages of CPU host apertures that are mapped.
 *
 * Such an aperture belongs to one segment, so a page of it is known by the segment and its number.
 * Whether the driver is told to map a page again before it was unmapped is nobody's rule: the page
 * is mapped then as well.
 */
#include "contract/shadow.h"

#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmddi_segment.h>

/* Neither is NULL, which a map could not keep. */
static const void *scope_of(unsigned id)
{
    return (const void *)(uintptr_t)id;
}

static const void *key_of(uint32_t page)
{
    return (const void *)((uintptr_t)page + 1);
}

void vidmm_shadow_take_host(struct vidmm_shadow *shadow, unsigned id,
                            const DXGK_SEGMENTDESCRIPTOR4 *descriptor)
{
    struct vidmm_shadow_segment *segment = &shadow->segments[id];

    segment->host_pages =
        descriptor->Flags.SupportsCpuHostAperture ? descriptor->CpuHostAperture.SizeInPages : 0;
    segment->host_page_size = descriptor->Flags.Use64KBPages ? 0x10000 : PAGE_SIZE;
}

bool vidmm_shadow_is_host_mapped(const struct vidmm_shadow *shadow, unsigned id, uint32_t page)
{
    return vidmm_map_find(&shadow->host_pages, scope_of(id), key_of(page)) != NULL;
}

static void map_host(struct vidmm_shadow *shadow, const DXGKARG_MAPCPUHOSTAPERTURE *map)
{
    const struct vidmm_shadow_segment *segment = vidmm_shadow_segment(shadow, map->SegmentId);

    if (segment == NULL || map->pCpuHostAperturePages == NULL ||
        map->NumberOfPages > segment->host_pages)
        return; /* D-176 */
    if (map->hAllocation == NULL)
        vidmm_shadow_move_tables(shadow);
    for (UINT64 i = 0; i < map->NumberOfPages; i++)
        if (!vidmm_map_set(&shadow->host_pages, scope_of(map->SegmentId),
                           key_of(map->pCpuHostAperturePages[i]), shadow))
            shadow->lost = true;
}

static void unmap_host(struct vidmm_shadow *shadow, const DXGKARG_UNMAPCPUHOSTAPERTURE *unmap)
{
    const struct vidmm_shadow_segment *segment = vidmm_shadow_segment(shadow, unmap->SegmentId);

    if (segment == NULL || unmap->pCpuHostAperturePages == NULL ||
        unmap->NumberOfPages > segment->host_pages)
        return; /* D-177 */
    for (UINT64 i = 0; i < unmap->NumberOfPages; i++)
        vidmm_map_remove(&shadow->host_pages, scope_of(unmap->SegmentId),
                         key_of(unmap->pCpuHostAperturePages[i]));
}

void vidmm_shadow_take_host_call(struct vidmm_shadow *shadow, enum vidmm_ddi ddi,
                                 const void *argument)
{
    if (ddi == VIDMM_DDI_MAP_CPU_HOST_APERTURE)
        map_host(shadow, argument);
    else if (ddi == VIDMM_DDI_UNMAP_CPU_HOST_APERTURE)
        unmap_host(shadow, argument);
}
