/*
 * iommu.c: the page tables of processes, as an IOMMU shares them with devices.
 *
 *     process 7 --> PASID 0x29 --> range [0x7000, 0x9000) --> frames 17, 90, to read and write
 *     process 8 --> PASID 0x5b --> range [0x7000, 0x8000) --> frame 4, to read
 *
 * An address space is the processor's: whoever maps pages for a process says so here, and devices
 * find the same pages at the same addresses, by the process's PASID. Two processes may use the same
 * addresses. A range of addresses is reserved first, with room for its entries, so that mapping it
 * cannot fail. PASIDs are far apart, so that nobody is right by accident who mixes up processes, or
 * counts them.
 *
 * Invariants
 * I1. The ranges of a space are in the order of their addresses, and none meets another.
 * I2. A range is reserved by `users` callers, of whom there is one at least; it is mapped or shows
 *     nothing, all of it.
 */
#include <stdlib.h>
#include <string.h>

#include <vidmm/page.h>

#include "host/state.h"

#define FIRST_PASID 0x29u
#define PASID_STEP 0x32u
#define PASID_LIMIT 0x100000u /* a PASID has 20 bits */
#define FIRST_ROOM 16u        /* ranges of a space */

struct range {
    uint64_t first, count; /* pages */
    uint32_t users;
    bool mapped, write;
    uint64_t frames[]; /* `count` of them; right while it is mapped */
};

struct vidmm_iommu_space {
    struct vidmm_iommu_space *next;
    uint32_t pasid;
    size_t count, room;
    struct range **ranges;
};

static struct vidmm_iommu *iommu_of(void *context)
{
    return &((struct vidmm_slot *)context)->machine->iommu;
}

/* The link to the space, or to NULL behind the last. */
static struct vidmm_iommu_space **find_space(struct vidmm_iommu *iommu, uint32_t pasid)
{
    struct vidmm_iommu_space **link = &iommu->spaces;

    while (*link != NULL && (*link)->pasid != pasid)
        link = &(*link)->next;
    return link;
}

/* How many ranges of the space begin at or below the page. */
static size_t count_up_to(const struct vidmm_iommu_space *space, uint64_t page)
{
    size_t low = 0, high = space->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (space->ranges[middle]->first <= page)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The range that has the page; NULL: there is none. */
static struct range *find_range(const struct vidmm_iommu_space *space, uint64_t page)
{
    size_t below = space != NULL ? count_up_to(space, page) : 0;
    struct range *range = below > 0 ? space->ranges[below - 1] : NULL;

    return range != NULL && page - range->first < range->count ? range : NULL;
}

void vidmm_iommu_init(struct vidmm_iommu *iommu)
{
    *iommu = (struct vidmm_iommu){.next_pasid = FIRST_PASID};
    pthread_mutex_init(&iommu->mutex, NULL);
}

static void close_locked(struct vidmm_iommu_space **link)
{
    struct vidmm_iommu_space *space = *link;

    for (size_t i = 0; i < space->count; i++)
        free(space->ranges[i]);
    free(space->ranges);
    *link = space->next;
    free(space);
}

void vidmm_iommu_finish(struct vidmm_iommu *iommu)
{
    while (iommu->spaces != NULL)
        close_locked(&iommu->spaces);
    pthread_mutex_destroy(&iommu->mutex);
}

/* ---- the host's half ------------------------------------------------------------------------- */

static bool open_space(void *context, uint32_t *pasid)
{
    struct vidmm_iommu *iommu = iommu_of(context);
    struct vidmm_iommu_space *space = malloc(sizeof(*space));
    bool opened;

    if (space == NULL)
        return false;
    pthread_mutex_lock(&iommu->mutex);
    opened = iommu->next_pasid < PASID_LIMIT;
    if (opened) {
        *space = (struct vidmm_iommu_space){.next = iommu->spaces, .pasid = iommu->next_pasid};
        iommu->spaces = space;
        iommu->next_pasid += PASID_STEP;
        *pasid = space->pasid;
    }
    pthread_mutex_unlock(&iommu->mutex);
    if (!opened)
        free(space);
    return opened;
}

static void close_space(void *context, uint32_t pasid)
{
    struct vidmm_iommu *iommu = iommu_of(context);
    struct vidmm_iommu_space **link;

    pthread_mutex_lock(&iommu->mutex);
    link = find_space(iommu, pasid);
    if (*link != NULL)
        close_locked(link);
    pthread_mutex_unlock(&iommu->mutex);
}

static bool make_room(struct vidmm_iommu_space *space)
{
    size_t room = space->room == 0 ? FIRST_ROOM : 2 * space->room;
    struct range **ranges = space->ranges;

    if (space->count < space->room)
        return true;
    ranges = realloc(ranges, room * sizeof(struct range *));
    if (ranges == NULL)
        return false;
    space->ranges = ranges;
    space->room = room;
    return true;
}

/* A new range at its place in the order. False: no memory, or another is in the way. */
static bool insert(struct vidmm_iommu_space *space, uint64_t first, uint64_t count)
{
    size_t at = count_up_to(space, first);
    struct range *range;

    if (find_range(space, first) != NULL ||
        (at < space->count && space->ranges[at]->first - first < count)) /* I1 */
        return false;
    range = make_room(space) ? malloc(sizeof(*range) + count * sizeof(uint64_t)) : NULL;
    if (range == NULL)
        return false;
    *range = (struct range){.first = first, .count = count, .users = 1};
    memmove(space->ranges + at + 1, space->ranges + at,
            (space->count - at) * sizeof(struct range *));
    space->ranges[at] = range;
    space->count++;
    return true;
}

static bool reserve_space(void *context, uint32_t pasid, uint64_t address, uint64_t count)
{
    struct vidmm_iommu *iommu = iommu_of(context);
    uint64_t first = address / VIDMM_PAGE_SIZE;
    bool reserved = false;

    pthread_mutex_lock(&iommu->mutex);
    struct vidmm_iommu_space *space = *find_space(iommu, pasid);
    struct range *range = find_range(space, first);
    if (range != NULL && range->first == first && range->count == count) {
        range->users++;
        reserved = true;
    } else if (space != NULL && address % VIDMM_PAGE_SIZE == 0 && count > 0) {
        reserved = insert(space, first, count);
    }
    pthread_mutex_unlock(&iommu->mutex);
    return reserved;
}

static void release_space(void *context, uint32_t pasid, uint64_t address)
{
    struct vidmm_iommu *iommu = iommu_of(context);
    uint64_t page = address / VIDMM_PAGE_SIZE;

    pthread_mutex_lock(&iommu->mutex);
    struct vidmm_iommu_space *space = *find_space(iommu, pasid);
    struct range *range = find_range(space, page);
    if (range != NULL && --range->users == 0) { /* I2 */
        size_t at = count_up_to(space, page);

        memmove(space->ranges + at - 1, space->ranges + at,
                (space->count - at) * sizeof(struct range *));
        space->count--;
        free(range);
    }
    pthread_mutex_unlock(&iommu->mutex);
}

static void map_space(void *context, uint32_t pasid, uint64_t address, const uint64_t *frames,
                      bool write)
{
    struct vidmm_iommu *iommu = iommu_of(context);

    pthread_mutex_lock(&iommu->mutex);
    struct range *range = find_range(*find_space(iommu, pasid), address / VIDMM_PAGE_SIZE);
    if (range != NULL) {
        memcpy(range->frames, frames, range->count * sizeof(uint64_t));
        range->mapped = true;
        range->write = write;
    }
    pthread_mutex_unlock(&iommu->mutex);
}

static void unmap_space(void *context, uint32_t pasid, uint64_t address)
{
    struct vidmm_iommu *iommu = iommu_of(context);

    pthread_mutex_lock(&iommu->mutex);
    struct range *range = find_range(*find_space(iommu, pasid), address / VIDMM_PAGE_SIZE);
    if (range != NULL)
        range->mapped = false;
    pthread_mutex_unlock(&iommu->mutex);
}

/* ---- the device's half ----------------------------------------------------------------------- */

static bool translate(void *context, uint32_t pasid, uint64_t address, bool write,
                      uint64_t *physical)
{
    struct vidmm_iommu *iommu = iommu_of(context);
    uint64_t page = address / VIDMM_PAGE_SIZE;
    const struct range *range;
    bool found;

    pthread_mutex_lock(&iommu->mutex);
    range = find_range(*find_space(iommu, pasid), page);
    found = range != NULL && range->mapped && (range->write || !write);
    if (found)
        *physical =
            range->frames[page - range->first] * VIDMM_PAGE_SIZE + address % VIDMM_PAGE_SIZE;
    pthread_mutex_unlock(&iommu->mutex);
    return found;
}

void vidmm_iommu_fill(struct vidmm_slot *slot)
{
    slot->bus.translate = translate;
    slot->host.open_space = open_space;
    slot->host.close_space = close_space;
    slot->host.reserve_space = reserve_space;
    slot->host.release_space = release_space;
    slot->host.map_space = map_space;
    slot->host.unmap_space = unmap_space;
}
