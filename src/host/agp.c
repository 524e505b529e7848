/* agp.c: the AGP aperture of the machine's chipset, and its GART.
 *
 *     physical   ....[ page | page | page | ... ]....     base .. base + size, below system memory
 *                       |      |
 *     the table      frame 7  none                        an entry a page
 *
 * A device that reads or writes there reaches the page of system memory that the entry names; an entry
 * that names none is no memory. The aperture is the machine's, and one: no two adapters have a segment
 * in it at the same time.
 */
#include <stdlib.h>

#include "host/state.h"

bool vidmm_agp_init(struct vidmm_agp *agp, uint64_t size)
{
    *agp = (struct vidmm_agp){.size = size};
    if (size == 0)
        return true;
    agp->entries = calloc(size / VIDMM_PAGE_SIZE, sizeof(*agp->entries));
    return agp->entries != NULL;
}

void vidmm_agp_finish(struct vidmm_agp *agp)
{
    free(agp->entries);
}

bool vidmm_agp_translate(const struct vidmm_agp *agp, uint64_t *address, uint64_t size)
{
    uint64_t offset = *address - VIDMM_MACHINE_AGP_BASE, in_page = offset % VIDMM_PAGE_SIZE;
    uint64_t frame;

    if (offset >= agp->size)
        return true; /* not there: as it is */
    frame = atomic_load(&agp->entries[offset / VIDMM_PAGE_SIZE]);
    if (frame == 0 || size > VIDMM_PAGE_SIZE - in_page)
        return false;
    *address = frame * VIDMM_PAGE_SIZE + in_page;
    return true;
}

static bool find_aperture(void *context, uint64_t *base, uint64_t *size)
{
    const struct vidmm_slot *slot = context;

    *base = VIDMM_MACHINE_AGP_BASE;
    *size = slot->machine->agp.size;
    return *size != 0;
}

static bool is_inside(struct vidmm_slot *slot, uint64_t first, uint64_t count)
{
    uint64_t pages = slot->machine->agp.size / VIDMM_PAGE_SIZE;

    if (first <= pages && count <= pages - first)
        return true;
    vidmm_machine_misuse(slot->machine, "agp: %llu pages from %llu on, of %llu",
                         (unsigned long long)count, (unsigned long long)first,
                         (unsigned long long)pages);
    return false;
}

static void map(void *context, uint64_t first, uint64_t count, const uint64_t *frames)
{
    struct vidmm_slot *slot = context;

    for (uint64_t i = 0; is_inside(slot, first, count) && i < count; i++)
        atomic_store(&slot->machine->agp.entries[first + i], frames[i]);
}

static void unmap(void *context, uint64_t first, uint64_t count)
{
    struct vidmm_slot *slot = context;

    for (uint64_t i = 0; is_inside(slot, first, count) && i < count; i++)
        atomic_store(&slot->machine->agp.entries[first + i], 0);
}

void vidmm_agp_fill(struct vidmm_slot *slot)
{
    slot->host.find_agp_aperture = find_aperture;
    slot->host.map_agp = map;
    slot->host.unmap_agp = unmap;
}
