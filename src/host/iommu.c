/*
 * iommu.c: the page tables of processes, as an IOMMU shares them with devices.
 *
 *     process 7 --> PASID 0x29 --> address 0x7000 --> frame 17, to read and write
 *     process 8 --> PASID 0x5b --> address 0x7000 --> frame 4, to read
 *
 * An address space is the processor's: whoever maps pages for a process says so here, and devices
 * find the same pages at the same addresses, by the process's PASID. Two processes may use the same
 * addresses. PASIDs are far apart, so that nobody is right by accident who mixes up processes, or
 * counts them.
 *
 * Invariants
 * I1. An entry is of an open space.
 */
#include <stdlib.h>

#include <vidmm/page.h>

#include "host/state.h"

#define FIRST_PASID 0x29u
#define PASID_STEP 0x32u
#define PASID_LIMIT 0x100000u /* a PASID has 20 bits */

struct vidmm_iommu_entry {
    struct vidmm_iommu_entry *next;
    uint64_t page, frame;
    uint32_t pasid;
    bool write;
};

struct vidmm_iommu_space {
    struct vidmm_iommu_space *next;
    uint32_t pasid;
};

static struct vidmm_iommu *iommu_of(void *context)
{
    return &((struct vidmm_slot *)context)->machine->iommu;
}

static struct vidmm_iommu_entry **bucket_of(struct vidmm_iommu *iommu, uint64_t page)
{
    return &iommu->buckets[page * UINT64_C(0x9e3779b97f4a7c15) >> 52];
}

/* The link to the entry of a page, or to NULL behind the last. */
static struct vidmm_iommu_entry **find(struct vidmm_iommu *iommu, uint32_t pasid, uint64_t page)
{
    struct vidmm_iommu_entry **link = bucket_of(iommu, page);

    while (*link != NULL && ((*link)->pasid != pasid || (*link)->page != page))
        link = &(*link)->next;
    return link;
}

static struct vidmm_iommu_space **find_space(struct vidmm_iommu *iommu, uint32_t pasid)
{
    struct vidmm_iommu_space **link = &iommu->spaces;

    while (*link != NULL && (*link)->pasid != pasid)
        link = &(*link)->next;
    return link;
}

static void drop(struct vidmm_iommu_entry **link)
{
    struct vidmm_iommu_entry *entry = *link;

    *link = entry->next;
    free(entry);
}

void vidmm_iommu_init(struct vidmm_iommu *iommu)
{
    *iommu = (struct vidmm_iommu){.next_pasid = FIRST_PASID};
    pthread_mutex_init(&iommu->mutex, NULL);
}

/* Take away all that is mapped in a space. */
static void empty(struct vidmm_iommu *iommu, uint32_t pasid)
{
    for (unsigned i = 0; i < VIDMM_IOMMU_BUCKETS; i++)
        for (struct vidmm_iommu_entry **link = &iommu->buckets[i]; *link != NULL;)
            if ((*link)->pasid == pasid)
                drop(link);
            else
                link = &(*link)->next;
}

static void close_locked(struct vidmm_iommu *iommu, struct vidmm_iommu_space **link)
{
    struct vidmm_iommu_space *space = *link;

    empty(iommu, space->pasid); /* I1 */
    *link = space->next;
    free(space);
}

void vidmm_iommu_finish(struct vidmm_iommu *iommu)
{
    while (iommu->spaces != NULL)
        close_locked(iommu, &iommu->spaces);
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
        close_locked(iommu, link);
    pthread_mutex_unlock(&iommu->mutex);
}

/* See to it that each page of a range has an entry; new ones show nothing yet. The mutex is held.
 * False: no memory; new ones are left as they are. */
static bool prepare(struct vidmm_iommu *iommu, uint32_t pasid, uint64_t first, uint64_t count)
{
    for (uint64_t page = first; page < first + count; page++) {
        struct vidmm_iommu_entry **link = find(iommu, pasid, page);

        if (*link != NULL)
            continue;
        *link = calloc(1, sizeof(**link));
        if (*link == NULL)
            return false;
        (*link)->pasid = pasid;
        (*link)->page = page;
    }
    return true;
}

/* Take away entries of a range: all, or those that show nothing. The mutex is held. */
static void take_away(struct vidmm_iommu *iommu, uint32_t pasid, uint64_t first, uint64_t count,
                      bool all)
{
    for (uint64_t page = first; page < first + count; page++) {
        struct vidmm_iommu_entry **link = find(iommu, pasid, page);

        if (*link != NULL && (all || (*link)->frame == 0))
            drop(link);
    }
}

static bool map_space(void *context, uint32_t pasid, uint64_t address, uint64_t count,
                      const uint64_t *frames, bool write)
{
    struct vidmm_iommu *iommu = iommu_of(context);
    uint64_t first = address / VIDMM_PAGE_SIZE;
    bool mapped;

    pthread_mutex_lock(&iommu->mutex);
    mapped = *find_space(iommu, pasid) != NULL && address % VIDMM_PAGE_SIZE == 0 &&
             prepare(iommu, pasid, first, count);
    for (uint64_t i = 0; i < count && mapped; i++) {
        struct vidmm_iommu_entry *entry = *find(iommu, pasid, first + i);

        entry->frame = frames[i];
        entry->write = write;
    }
    if (!mapped)
        take_away(iommu, pasid, first, count, false);
    pthread_mutex_unlock(&iommu->mutex);
    return mapped;
}

static void unmap_space(void *context, uint32_t pasid, uint64_t address, uint64_t count)
{
    struct vidmm_iommu *iommu = iommu_of(context);

    pthread_mutex_lock(&iommu->mutex);
    take_away(iommu, pasid, address / VIDMM_PAGE_SIZE, count, true);
    pthread_mutex_unlock(&iommu->mutex);
}

/* ---- the device's half ----------------------------------------------------------------------- */

static bool translate(void *context, uint32_t pasid, uint64_t address, bool write,
                      uint64_t *physical)
{
    struct vidmm_iommu *iommu = iommu_of(context);
    const struct vidmm_iommu_entry *entry;
    bool found;

    pthread_mutex_lock(&iommu->mutex);
    entry = *find(iommu, pasid, address / VIDMM_PAGE_SIZE);
    found = entry != NULL && (entry->write || !write);
    if (found)
        *physical = entry->frame * VIDMM_PAGE_SIZE + address % VIDMM_PAGE_SIZE;
    pthread_mutex_unlock(&iommu->mutex);
    return found;
}

void vidmm_iommu_fill(struct vidmm_slot *slot)
{
    slot->bus.translate = translate;
    slot->host.open_space = open_space;
    slot->host.close_space = close_space;
    slot->host.map_space = map_space;
    slot->host.unmap_space = unmap_space;
}
