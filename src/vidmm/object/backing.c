/* backing.c: the system pages behind an allocation or a command buffer, and their MDL.
 *
 * Either the manager's own, taken from the host, or somebody's that exist and are adopted.
 *
 * Pages are charged when the object is created and kept until it is gone, so that an eviction needs
 * nothing that can run out. A drop gives up the bytes, not the pages.
 */
#include "vidmm/object/backing.h"

#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/memory.h"

#include "base/assert.h"

static uint64_t *frames_of(const struct vidmm_backing *backing)
{
    VIDMM_ASSERT(backing->mdl && backing->pages > 0);
    return (uint64_t *)(void *)MmGetMdlPfnArray(backing->mdl);
}

_Static_assert(sizeof(PFN_NUMBER) == sizeof(uint64_t), "an MDL's page frames are 64 bits");

/* An MDL for so many bytes, its page frames still to be filled in. False: no memory. */
static bool init_mdl(struct vidmm_backing *backing, const struct vidmm_host *host, uint64_t size)
{
    uint64_t pages = (size + VIDMM_PAGE_SIZE - 1) >> VIDMM_PAGE_SHIFT;
    size_t bytes = sizeof(MDL) + pages * sizeof(PFN_NUMBER);
    MDL *mdl = pages <= UINT32_MAX ? vidmm_allocate(host, bytes) : NULL;

    VIDMM_ASSERT(size > 0);
    if (!mdl)
        return false;
    mdl->Size = (SHORT)(uint16_t)bytes; /* 16 bits, as wide as the member is */
    mdl->MdlFlags = MDL_PAGES_LOCKED;
    mdl->ByteCount = (ULONG)size;
    *backing = (struct vidmm_backing){.mdl = mdl, .pages = (uint32_t)pages};
    return true;
}

/* `pages` stays, and is not written: the size of what has lost its pages is asked for at any time
 * (vidmm_allocation_size). */
static void forget(struct vidmm_backing *backing)
{
    backing->mdl = NULL;
    backing->address = NULL;
    backing->logical = 0;
    backing->existing = false;
    backing->reached = false;
}

static void finish_mdl(struct vidmm_backing *backing, const struct vidmm_host *host)
{
    vidmm_free(host, backing->mdl);
    forget(backing);
}

/* Logical pages for it, if memory is remapped for the GPUs. False: there are none. */
static bool take_logical(struct vidmm_backing *backing, const struct vidmm_adapter *adapter)
{
    const struct vidmm_host *host = adapter->host;

    return !adapter->remapped || host->take_logical(host->context, backing->pages,
                                                    adapter->highest_frame, &backing->logical);
}

/* Take as many of the pages behind the first `taken` in units of so many as are whole ones, if the
 * host has them. Answers how many pages are taken then. */
static uint64_t take_units(struct vidmm_backing *backing, const struct vidmm_adapter *adapter,
                           uint64_t unit, uint64_t highest, uint64_t taken)
{
    const struct vidmm_host *host = adapter->host;
    uint64_t count = unit != 0 ? (backing->pages - taken) / unit * unit : 0;

    if (count > 0 && host->take_units &&
        host->take_units(host->context, count, unit, highest, (enum vidmm_caching)backing->caching,
                         frames_of(backing) + taken))
        taken += count;
    return taken;
}

/* Take the pages: in units first, the rest as they come. */
static NTSTATUS init(struct vidmm_backing *backing, const struct vidmm_adapter *adapter,
                     uint64_t size, struct vidmm_units units, bool contiguous,
                     enum vidmm_caching caching)
{
    const struct vidmm_host *host = adapter->host;
    uint64_t highest = adapter->remapped ? VIDMM_ANY_FRAME : adapter->highest_frame, taken;

    VIDMM_ASSERT(!backing->mdl);
    if (!init_mdl(backing, host, size))
        return STATUS_NO_MEMORY;
    backing->caching = (uint8_t)caching;
    taken = take_units(backing, adapter, units.large, highest, 0);
    taken = take_units(backing, adapter, units.wide, highest, taken);
    if (taken < backing->pages &&
        !host->take_pages(host->context, backing->pages - taken, highest, contiguous, caching,
                          frames_of(backing) + taken)) {
        if (taken > 0)
            host->release_pages(host->context, taken, frames_of(backing));
        finish_mdl(backing, host);
        return STATUS_NO_MEMORY;
    }
    if (take_logical(backing, adapter))
        return STATUS_SUCCESS;
    vidmm_backing_finish(backing, host);
    return STATUS_NO_MEMORY;
}

NTSTATUS vidmm_backing_init(struct vidmm_backing *backing, const struct vidmm_adapter *adapter,
                            uint64_t size, bool contiguous, enum vidmm_caching caching)
{
    return init(backing, adapter, size, (struct vidmm_units){0, 0}, contiguous, caching);
}

NTSTATUS vidmm_backing_init_in_units(struct vidmm_backing *backing,
                                     const struct vidmm_adapter *adapter, uint64_t size,
                                     struct vidmm_units units, enum vidmm_caching caching)
{
    return init(backing, adapter, size, units, false, caching);
}

bool vidmm_backing_lies_in_units(const struct vidmm_backing *backing, uint64_t unit)
{
    uint64_t whole = unit != 0 ? backing->pages / unit * unit : 0, first = 0, page;

    for (page = 0; page < whole; page++) {
        uint64_t at = vidmm_backing_page(backing, page << VIDMM_PAGE_SHIFT);

        if (page % unit == 0)
            first = at;
        if (first % unit != 0 || at != first + page % unit)
            return false;
    }
    return whole > 0;
}

static bool all_below(const struct vidmm_backing *backing, uint64_t highest_frame)
{
    uint64_t index;

    for (index = 0; index < backing->pages; index++)
        if (frames_of(backing)[index] > highest_frame)
            return false;
    return true;
}

NTSTATUS vidmm_backing_adopt(struct vidmm_backing *backing, const struct vidmm_adapter *adapter,
                             void *address, uint64_t size, bool kernel)
{
    const struct vidmm_host *host = adapter->host;
    enum vidmm_caching caching;
    NTSTATUS status = STATUS_SUCCESS;

    if (!init_mdl(backing, host, size))
        return STATUS_NO_MEMORY;
    if (!host->lock_pages || !host->lock_pages(host->context, address, backing->pages, kernel,
                                               frames_of(backing), &caching)) {
        finish_mdl(backing, host);
        return STATUS_INVALID_PARAMETER;
    }
    backing->caching = (uint8_t)caching;
    backing->existing = true;
    backing->address = address;
    if (!adapter->remapped && !all_below(backing, adapter->highest_frame))
        status = STATUS_INVALID_PARAMETER;
    else if (!take_logical(backing, adapter))
        status = STATUS_NO_MEMORY;
    if (status != STATUS_SUCCESS)
        vidmm_backing_finish(backing, host);
    return status;
}

void vidmm_backing_reach(const struct vidmm_adapter *adapter, struct vidmm_backing *backing)
{
    const struct vidmm_host *host = adapter->host;

    if (!adapter->isolated || backing->reached)
        return;
    if (backing->logical != 0)
        host->map_logical(host->context, backing->logical, backing->pages, frames_of(backing));
    else
        host->map_domain(host->context, backing->pages, frames_of(backing));
    backing->reached = true;
}

void vidmm_backing_part(struct vidmm_backing *backing, const struct vidmm_host *host)
{
    if (backing->reached && backing->logical != 0)
        host->unmap_logical(host->context, backing->logical, backing->pages);
    else if (backing->reached)
        host->unmap_domain(host->context, backing->pages, frames_of(backing));
    backing->reached = false;
}

void vidmm_backing_flush(const struct vidmm_backing *backing, const struct vidmm_host *host)
{
    vidmm_backing_flush_pages(backing, host, 0, backing->pages);
}

void vidmm_backing_flush_pages(const struct vidmm_backing *backing, const struct vidmm_host *host,
                               uint64_t first, uint64_t count)
{
    VIDMM_ASSERT(first <= backing->pages && count <= backing->pages - first);
    if (host->flush_pages && backing->caching == VIDMM_CACHED)
        host->flush_pages(host->context, count, frames_of(backing) + first);
}

bool vidmm_backing_map(struct vidmm_backing *backing, const struct vidmm_host *host)
{
    if (!backing->address)
        backing->address = host->map_pages(host->context, backing->pages, frames_of(backing));
    return backing->address != NULL;
}

void vidmm_backing_unmap(struct vidmm_backing *backing, const struct vidmm_host *host)
{
    VIDMM_ASSERT(!backing->existing || backing->address);
    if (backing->address && !backing->existing) {
        host->unmap_pages(host->context, backing->address, backing->pages);
        backing->address = NULL;
    }
}

void vidmm_backing_clear(const struct vidmm_backing *backing, const struct vidmm_host *host)
{
    host->clear_pages(host->context, backing->pages, frames_of(backing));
}

void vidmm_backing_drop(const struct vidmm_backing *backing, const struct vidmm_host *host)
{
    host->drop_pages(host->context, backing->pages, frames_of(backing));
}

uint64_t vidmm_backing_frame(const struct vidmm_backing *backing, uint64_t offset)
{
    VIDMM_ASSERT(offset >> VIDMM_PAGE_SHIFT < backing->pages);
    return frames_of(backing)[offset >> VIDMM_PAGE_SHIFT];
}

uint64_t vidmm_backing_page(const struct vidmm_backing *backing, uint64_t offset)
{
    return backing->logical != 0 ? backing->logical + (offset >> VIDMM_PAGE_SHIFT)
                                 : vidmm_backing_frame(backing, offset);
}

uint64_t vidmm_backing_address(const struct vidmm_backing *backing)
{
    return vidmm_backing_page(backing, 0) << VIDMM_PAGE_SHIFT;
}

struct vidmm_backing vidmm_backing_take_out(struct vidmm_backing *backing)
{
    struct vidmm_backing taken = *backing;

    forget(backing);
    return taken;
}

void vidmm_backing_finish(struct vidmm_backing *backing, const struct vidmm_host *host)
{
    if (!backing->mdl)
        return;
    vidmm_backing_part(backing, host);
    if (backing->logical != 0)
        host->release_logical(host->context, backing->logical, backing->pages);
    if (backing->existing) {
        host->unlock_pages(host->context, backing->address, backing->pages, frames_of(backing));
        finish_mdl(backing, host);
        return;
    }
    if (backing->address)
        host->unmap_pages(host->context, backing->address, backing->pages);
    host->release_pages(host->context, backing->pages, frames_of(backing));
    finish_mdl(backing, host);
}

struct vidmm_backing *vidmm_instances_new(const struct vidmm_adapter *adapter)
{
    VIDMM_ASSERT(adapter->link_count > 1);
    return vidmm_allocate(adapter->host, (adapter->link_count - 1) * sizeof(struct vidmm_backing));
}

void vidmm_instances_finish(const struct vidmm_adapter *adapter, struct vidmm_backing *instances)
{
    uint32_t engine;

    for (engine = 1; engine < adapter->link_count && instances; engine++)
        vidmm_backing_finish(&instances[engine - 1], adapter->host);
    vidmm_free(adapter->host, instances);
}
