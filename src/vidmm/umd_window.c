/* umd_window.c: the addresses by which the CPU sees an allocation wherever it is.
 *
 *     locked in segment 2          being moved             in the backing store
 *     window -> segment 2 + X  ->  closed: touches wait -> window -> pages, in order
 *
 * An allocation that may live in a memory segment the CPU sees has a window from its first lock on,
 * and keeps it: what is locked again where it was costs no system call. What the window may come to
 * show by an eviction, the backing store, is reserved before it is closed; so no move is begun that
 * would leave the CPU without a place to go on.
 *
 * Source: PFND3DDDI_LOCKCB, "Mapping virtual addresses to a memory segment"; rule D-147.
 */
#include "adapter_state.h"

static const uint64_t *frames_of(const struct vidmm_allocation *allocation)
{
    return (const uint64_t *)(const void *)MmGetMdlPfnArray(allocation->backing.mdl);
}

static bool ensure(struct vidmm_allocation *allocation)
{
    const struct vidmm_host *host = allocation->adapter->host;
    struct vidmm_allocation_window *own = &allocation->window;

    if (!own->window) {
        own->window = host->create_window(host->context, allocation->backing.pages, &own->address);
    }
    return own->window != NULL;
}

static bool reserve(struct vidmm_allocation *allocation)
{
    const struct vidmm_host *host = allocation->adapter->host;
    struct vidmm_allocation_window *own = &allocation->window;

    own->reserved =
        own->reserved || host->reserve_window(host->context, own->window, frames_of(allocation));
    return own->reserved;
}

bool vidmm_window_open(struct vidmm_allocation *allocation, struct vidmm_place place)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    const struct vidmm_host *host = adapter->host;
    struct vidmm_allocation_window *own = &allocation->window;

    if (!ensure(allocation) || (place.segment == 0 && !reserve(allocation))) {
        return false;
    }
    if (own->open && own->place.segment == place.segment && own->place.offset == place.offset) {
        return true;
    }
    if (place.segment == 0) {
        host->show_pages(host->context, own->window, frames_of(allocation));
    } else {
        host->show_physical(host->context, own->window,
                            adapter->segments[place.segment].info.cpu_translated_address +
                                place.offset);
    }
    own->place = place;
    own->open = true;
    return true;
}

bool vidmm_window_try_close(struct vidmm_allocation *allocation)
{
    const struct vidmm_host *host = allocation->adapter->host;

    if (!allocation->window.window || !reserve(allocation)) {
        return false;
    }
    host->close_window(host->context, allocation->window.window);
    allocation->window.open = false;
    return true;
}

void vidmm_window_finish(struct vidmm_allocation *allocation)
{
    const struct vidmm_host *host = allocation->adapter->host;

    if (allocation->window.window) {
        host->destroy_window(host->context, allocation->window.window);
    }
    allocation->window = (struct vidmm_allocation_window){0};
}
