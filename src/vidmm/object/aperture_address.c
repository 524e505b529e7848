/* aperture_address.c: the CPU's address of what MapApertureSegment2 maps.
 *
 * Source: IOMMU DMA remapping, "MapApertureSegment2"; rules D-103, D-104.
 */
#include "vidmm/object/aperture_address.h"

#include <vidmm/host.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/memory.h"

#include "base/assert.h"

#define MAPPINGS 4u /* at once: where it is, and apertures that it has left through */

struct vidmm_aperture_address {
    void *address;
    uint32_t count;
    bool crowded; /* there were more mappings than are known: it stays to the end */
    struct {
        uint64_t offset;
        uint32_t segment;
    } mappings[MAPPINGS];
};

static void *show(const struct vidmm_allocation *allocation)
{
    const struct vidmm_host *host = allocation->adapter->host;

    return host->map_pages(host->context, allocation->backing.pages,
                           (const uint64_t *)(const void *)(allocation->backing.mdl + 1));
}

static void hide(const struct vidmm_allocation *allocation, void *address)
{
    const struct vidmm_host *host = allocation->adapter->host;

    host->unmap_pages(host->context, address, allocation->backing.pages);
}

bool vidmm_aperture_address_init(struct vidmm_allocation *allocation)
{
    const struct vidmm_host *host = allocation->adapter->host;
    struct vidmm_aperture_address *shown = vidmm_allocate(host, sizeof(*shown));

    VIDMM_ASSERT(allocation->backing.mdl && !allocation->aperture_address);
    if (!shown)
        return false;
    shown->address = allocation->backing.existing ? allocation->backing.address : show(allocation);
    if (!shown->address) {
        vidmm_free(host, shown);
        return false;
    }
    allocation->aperture_address = shown;
    return true;
}

/* The place of the mapping among those that are known; their count: it is not known. */
static uint32_t find(const struct vidmm_aperture_address *shown, uint32_t segment, uint64_t offset)
{
    uint32_t index = 0;

    while (index < shown->count &&
           (shown->mappings[index].segment != segment || shown->mappings[index].offset != offset))
        index++;
    return index;
}

void *vidmm_aperture_address_give(struct vidmm_allocation *allocation, uint32_t segment,
                                  uint64_t offset)
{
    struct vidmm_aperture_address *shown = allocation->aperture_address;

    if (!shown)
        return NULL;
    if (find(shown, segment, offset) == shown->count) {
        if (shown->count == MAPPINGS) {
            shown->crowded = true;
        } else {
            shown->mappings[shown->count].segment = segment;
            shown->mappings[shown->count++].offset = offset;
        }
    }
    return shown->address;
}

void vidmm_aperture_address_take(struct vidmm_allocation *allocation, uint32_t segment,
                                 uint64_t offset)
{
    struct vidmm_aperture_address *shown = allocation->aperture_address;
    uint32_t index;
    void *next;

    if (!shown)
        return;
    index = find(shown, segment, offset);
    if (index == shown->count)
        return;
    shown->mappings[index] = shown->mappings[--shown->count];
    if (shown->count > 0 || shown->crowded || allocation->backing.existing)
        return;
    next = show(allocation);
    if (!next)
        return;
    hide(allocation, shown->address); /* obeys D-103 */
    shown->address = next;
}

void vidmm_aperture_address_finish(struct vidmm_allocation *allocation)
{
    struct vidmm_aperture_address *shown = allocation->aperture_address;

    if (!shown)
        return;
    if (!allocation->backing.existing)
        hide(allocation, shown->address);
    vidmm_free(allocation->adapter->host, shown);
    allocation->aperture_address = NULL;
}
