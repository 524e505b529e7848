/* agp.c: the AGP aperture of the machine's chipset, and its GART.
 *
 *     physical   ....[ page | page | page | ... ]....     base .. base + size, below system memory
 *                       |      |
 *     the table      frame 7  none                        an entry a page
 *
 * The bridge may post writes: it has taken them, and memory has not. They stay until a device reads
 * through it, or an entry changes.
 *
 * A device that reads or writes there reaches the page of system memory that the entry names; an
 * entry that names none is no memory. The aperture is the machine's, and one: no two adapters have
 * a segment in it at the same time.
 */
#include <stdlib.h>
#include <string.h>

#include <vidmm/page.h>

#include "host/state.h"

/* A write on its way. */
struct vidmm_posted {
    struct vidmm_posted *next;
    uint64_t address, size; /* of memory; within a page */
    unsigned char bytes[VIDMM_PAGE_SIZE];
};

VIDMM_QUEUE_FUNCTIONS(vidmm_posted_writes, struct vidmm_posted, next);

bool vidmm_agp_init(struct vidmm_agp *agp, uint64_t size)
{
    *agp = (struct vidmm_agp){.size = size};
    pthread_mutex_init(&agp->mutex, NULL);
    if (size == 0)
        return true;
    agp->entries = calloc(size / VIDMM_PAGE_SIZE, sizeof(*agp->entries));
    return agp->entries != NULL;
}

void vidmm_agp_finish(struct vidmm_agp *agp)
{
    struct vidmm_posted *posted;

    while ((posted = vidmm_posted_writes_take(&agp->posted)) != NULL)
        free(posted);
    free(agp->entries);
    pthread_mutex_destroy(&agp->mutex);
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

/* ---- posted writes --------------------------------------------------------------------------- */

static void push(void *context)
{
    struct vidmm_machine *machine = ((struct vidmm_slot *)context)->machine;
    struct vidmm_agp *agp = &machine->agp;
    struct vidmm_posted *posted;

    pthread_mutex_lock(&agp->mutex);
    while ((posted = vidmm_posted_writes_take(&agp->posted)) != NULL) {
        memcpy(vidmm_physical_find(&machine->physical, posted->address, posted->size),
               posted->bytes, posted->size);
        free(posted);
    }
    pthread_mutex_unlock(&agp->mutex);
}

/* Without memory the bridge is full, and lets all of it through. */
static bool post(void *context, uint64_t physical_address, const void *bytes, uint64_t size)
{
    struct vidmm_machine *machine = ((struct vidmm_slot *)context)->machine;
    struct vidmm_agp *agp = &machine->agp;
    uint64_t address = physical_address;
    struct vidmm_posted *posted;

    if (physical_address - VIDMM_MACHINE_AGP_BASE >= agp->size ||
        !vidmm_agp_translate(agp, &address, size))
        return false;
    if (size == 0)
        return true;
    posted = malloc(sizeof(*posted));
    if (posted == NULL) {
        push(context);
        memcpy(vidmm_physical_find(&machine->physical, address, size), bytes, size);
        return true;
    }
    *posted = (struct vidmm_posted){.address = address, .size = size};
    memcpy(posted->bytes, bytes, size);
    pthread_mutex_lock(&agp->mutex);
    vidmm_posted_writes_add(&agp->posted, posted);
    pthread_mutex_unlock(&agp->mutex);
    return true;
}

/* ---- the GART -------------------------------------------------------------------------------- */

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

    push(context);
    for (uint64_t i = 0; is_inside(slot, first, count) && i < count; i++)
        atomic_store(&slot->machine->agp.entries[first + i], frames[i]);
}

static void unmap(void *context, uint64_t first, uint64_t count)
{
    struct vidmm_slot *slot = context;

    push(context);
    for (uint64_t i = 0; is_inside(slot, first, count) && i < count; i++)
        atomic_store(&slot->machine->agp.entries[first + i], 0);
}

void vidmm_agp_fill(struct vidmm_slot *slot)
{
    slot->host.find_agp_aperture = find_aperture;
    slot->host.map_agp = map;
    slot->host.unmap_agp = unmap;
    if (slot->machine->options.agp_posts) {
        slot->bus.post = post;
        slot->bus.push = push;
    }
}
