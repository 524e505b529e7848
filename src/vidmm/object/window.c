/* window.c: the addresses by which the CPU sees an allocation wherever it is.
 *
 *     locked in segment 2          being moved             in the backing store
 *     window -> segment 2 + X  ->  closed: touches wait -> window -> pages, in order
 *
 * An allocation that may live in a memory segment the CPU sees has a window from its first lock on,
 * and keeps it: a lock of an allocation that is still in its place costs no system call. The place
 * to which an eviction may turn the window, the backing store, is reserved before the window is
 * closed; so no move is begun that would leave the CPU without a place to go on.
 *
 * Source: PFND3DDDI_LOCKCB, "Mapping virtual addresses to a memory segment"; rule D-147.
 */
#include "vidmm/object/window.h"

#include <vidmm/engine.h>
#include <vidmm/page.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"

#include "base/assert.h"

/* The window that is in use, and the pages of system memory that it comes to show: those of the
 * backing store, or of the alternate address (S4-049). */
static struct vidmm_allocation_window *own_of(struct vidmm_allocation *allocation)
{
    return allocation->by_alternate ? &allocation->alternate->window : allocation->window;
}

static const struct vidmm_backing *backing_of(const struct vidmm_allocation *allocation)
{
    return allocation->by_alternate ? &allocation->alternate->backing : &allocation->backing;
}

static const uint64_t *frames_of(const struct vidmm_allocation *allocation)
{
    return (const uint64_t *)(const void *)MmGetMdlPfnArray(backing_of(allocation)->mdl);
}

/* Whether it may lie in several runs of pages, or be seen by a CPU host aperture. */
static bool may_scatter(const struct vidmm_allocation *allocation)
{
    const struct vidmm_adapter *adapter = allocation->adapter;

    return allocation->untracked && !allocation->by_alternate &&
           (adapter->model != VIDMM_MODEL_PHYSICAL || adapter->sets.hosted != 0);
}

static bool ensure(struct vidmm_allocation *allocation)
{
    const struct vidmm_host *host = allocation->adapter->host;
    struct vidmm_allocation_window *own = own_of(allocation);

    if (!own)
        own = allocation->window = vidmm_allocate(host, sizeof(*own));
    if (own && !own->frames && may_scatter(allocation)) {
        own->frames = vidmm_allocate(host, allocation->backing.pages * sizeof(*own->frames));
        if (!own->frames)
            return false;
    }
    if (own && !own->window) {
        own->window =
            host->create_window(host->context, backing_of(allocation)->pages, &own->address);
    }
    return own && own->window;
}

static bool reserve(struct vidmm_allocation *allocation)
{
    const struct vidmm_host *host = allocation->adapter->host;
    struct vidmm_allocation_window *own = own_of(allocation);

    own->reserved =
        own->reserved || host->reserve_window(host->context, own->window, frames_of(allocation));
    return own->reserved;
}

/* The physical address at which the CPU sees the place, or the range that shows it. */
static uint64_t physical_of(const struct vidmm_adapter *adapter, struct vidmm_place place,
                            uint32_t range)
{
    return range != 0 ? adapter->range_addresses[range - 1]
                      : adapter->segments[place.segment].info.cpu_translated_address + place.offset;
}

/* Whether the engine has buried it in the step that still shows it. */
static bool has_gone(const struct vidmm_allocation *allocation)
{
    uint64_t size;

    return vidmm_engine_where_at(allocation->adapter->engine, allocation->id, 0, &size).segment ==
           0;
}

static bool is_hosted(const struct vidmm_allocation *allocation)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    uint64_t size;

    return adapter
               ->segments[vidmm_engine_where_at(adapter->engine, allocation->id, 0, &size).segment]
               .host_pages != 0;
}

#define PAIRS 64u

/* Note the pages of a CPU host aperture that show it (S2-024): one for each page of the segment
 * that it touches, of which some may be larger than a page of the CPU's. */
static void find_hosted(struct vidmm_allocation *allocation, uint64_t *frames)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    uint64_t bytes = allocation->backing.pages * (uint64_t)VIDMM_PAGE_SIZE, offset, size = 0;
    uint32_t listed = 0, pair = 0, count = 0;
    struct vidmm_host_page_pair pairs[PAIRS];

    for (offset = 0; offset < bytes; offset += size) {
        struct vidmm_place place =
            vidmm_engine_where_at(adapter->engine, allocation->id, offset, &size);
        const struct vidmm_segment_view *view = &adapter->segments[place.segment];
        uint64_t page = view->host_page_size, at;

        for (at = 0; at < size; at += VIDMM_PAGE_SIZE) {
            uint64_t memory = place.offset + at;

            pair += at != 0 && memory % page == 0 ? 1 : 0;
            if (pair >= count) {
                listed += count;
                count =
                    vidmm_engine_host_pages(adapter->engine, allocation->id, listed, pairs, PAIRS);
                pair = 0;
            }
            VIDMM_ASSERT(pair < count && pairs[pair].memory == memory / page);
            frames[(offset + at) / VIDMM_PAGE_SIZE] =
                (view->host_address + pairs[pair].aperture * page + memory % page) /
                VIDMM_PAGE_SIZE;
        }
        pair++; /* the next piece begins on a page of its own */
    }
}

/* Note the pages of a memory segment that it lies in, as the CPU sees them. False: it is one
 * piece. */
static bool find_runs(struct vidmm_allocation *allocation, uint64_t *frames)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    uint64_t bytes = allocation->backing.pages * (uint64_t)VIDMM_PAGE_SIZE, offset = 0, size = 0;

    if (is_hosted(allocation)) {
        find_hosted(allocation, frames);
        return true;
    }
    for (; offset < bytes; offset += size) {
        struct vidmm_place place =
            vidmm_engine_where_at(adapter->engine, allocation->id, offset, &size);
        uint64_t frame = physical_of(adapter, place, 0) / VIDMM_PAGE_SIZE, page;

        VIDMM_ASSERT(place.segment != 0 && size > 0 && size % VIDMM_PAGE_SIZE == 0);
        if (size == bytes)
            return false;
        for (page = 0; page < size / VIDMM_PAGE_SIZE; page++)
            frames[offset / VIDMM_PAGE_SIZE + page] = frame + page;
    }
    return true;
}

bool vidmm_window_open(struct vidmm_allocation *allocation, struct vidmm_place place,
                       uint32_t range)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    const struct vidmm_host *host = adapter->host;
    struct vidmm_allocation_window *own;
    bool scattered;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(range <= adapter->range_count && place.segment <= adapter->segment_count);
    if (!ensure(allocation))
        return false;
    own = own_of(allocation);
    if (place.segment != 0 && own->frames && has_gone(allocation))
        return true; /* nobody can lock it any more, and its addresses are about to go */
    scattered = place.segment != 0 && own->frames && find_runs(allocation, own->frames);
    if ((place.segment == 0 && !reserve(allocation)) ||
        (scattered && !host->reserve_device_pages(host->context, own->window, own->frames)) ||
        (range != 0 &&
         !host->reserve_physical(host->context, own->window, physical_of(adapter, place, range))))
        return false;
    if (own->open && own->place.segment == place.segment && own->place.offset == place.offset &&
        own->range == range && !own->scattered && !scattered)
        return true;
    if (place.segment == 0)
        host->show_pages(host->context, own->window, frames_of(allocation));
    else if (scattered)
        host->show_device_pages(host->context, own->window, own->frames);
    else
        host->show_physical(host->context, own->window, physical_of(adapter, place, range));
    own->place = place;
    own->range = range;
    own->open = true;
    own->scattered = scattered;
    return true;
}

static void forget(struct vidmm_allocation_window *own, uint32_t range)
{
    if (own && own->range == range) {
        own->open = false; /* its pages are to be shown anew */
        own->range = 0;
    }
}

void vidmm_window_forget(struct vidmm_allocation *allocation, uint32_t range)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    VIDMM_ASSERT(range != 0);
    forget(allocation->window, range);
    forget(allocation->alternate ? &allocation->alternate->window : NULL, range);
}

bool vidmm_window_try_close(struct vidmm_allocation *allocation)
{
    const struct vidmm_host *host = allocation->adapter->host;
    struct vidmm_allocation_window *own = own_of(allocation);

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    if (!own || !own->window || !reserve(allocation) ||
        (own->frames && !host->reserve_device_pages(host->context, own->window, NULL)))
        return false;
    host->close_window(host->context, own->window);
    own->open = false;
    return true;
}

static void close(const struct vidmm_host *host, struct vidmm_allocation_window *own)
{
    if (!own)
        return;
    if (own->window)
        host->destroy_window(host->context, own->window);
    vidmm_free(host, own->frames); /* which there may be, though no window could be made */
    *own = (struct vidmm_allocation_window){0};
}

void vidmm_window_close_all(struct vidmm_allocation *allocation)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    close(allocation->adapter->host, allocation->window);
    close(allocation->adapter->host, allocation->alternate ? &allocation->alternate->window : NULL);
}

void *vidmm_window_address(struct vidmm_allocation *allocation)
{
    VIDMM_ASSERT(own_of(allocation) && own_of(allocation)->window);
    return own_of(allocation)->address;
}
