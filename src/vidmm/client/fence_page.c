/* fence_page.c: pages of system memory with the values of monitored fences, 512 a page.
 *
 *     process --- page of fences that nobody else may name ------ view: its address there
 *            '--- page of one shared fence ---- view, and one in each process that asked for it
 *
 * A place is given again as late as it can be, for a packet that signals a fence may be in flight
 * when the fence is destroyed. A page stays until the last process that sees it has ended, so no
 * entry of a page table leads to a page that is gone.
 *
 * Invariants (N), the mutex held:
 * N1. `count` of a page is the number of bits in `used`, each of them a fence's.
 * N2. A page is in the adapter's list until its owner and the last of its views are gone. Without
 *     an id its views are by the CPU's page tables, or it has none.
 *
 * Source: D3DDDI_MONITORED_FENCE; rules D-185, D-190, D-235.
 */
#include "vidmm/client/fence_page.h"

#include <vidmm/engine.h>
#include <vidmm/host.h>
#include <vidmm/plan.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/device.h"
#include "vidmm/object/fence.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/process.h"
#include "vidmm/object/record.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"

bool vidmm_fences_are_reached(const struct vidmm_adapter *adapter)
{
    return vidmm_ddi_finds_by_address(adapter);
}

/* Whether the GPU uses the CPU's address of a page, which programs may then write (D-268). */
static bool is_shared_with_gpu(const struct vidmm_adapter *adapter)
{
    return adapter->model == VIDMM_MODEL_IO_MMU;
}

/* ---- pages ----------------------------------------------------------------------------------- */

/* obeys D-190 */
static enum vidmm_caching caching_of(const struct vidmm_adapter *adapter)
{
    return adapter->host->flush_pages ? VIDMM_NON_CACHED : VIDMM_CACHED;
}

/* obeys D-186, D-247: programs read it at an address of its own, if the host has such ones. */
static bool show(const struct vidmm_adapter *adapter, struct vidmm_fence_page *page)
{
    const struct vidmm_host *host = adapter->host;

    page->shown =
        !host->map_for_reading || is_shared_with_gpu(adapter)
            ? page->backing.address
            : host->map_for_reading(host->context, vidmm_backing_frame(&page->backing, 0));
    return page->shown != NULL;
}

static void hide(const struct vidmm_fence_page *page, const struct vidmm_host *host)
{
    if (page->shown != page->backing.address)
        host->unmap_for_reading(host->context, page->shown);
}

static NTSTATUS take_memory(struct vidmm_adapter *adapter, struct vidmm_fence_page *page)
{
    struct vidmm_backing *backing = &page->backing;
    NTSTATUS status =
        vidmm_backing_init(backing, adapter, VIDMM_PAGE_SIZE, false, caching_of(adapter));

    if (status != STATUS_SUCCESS)
        return status;
    if (!vidmm_backing_map(backing, adapter->host) || !show(adapter, page)) {
        vidmm_backing_finish(backing, adapter->host);
        return STATUS_NO_MEMORY;
    }
    vidmm_backing_clear(backing, adapter->host);
    if (vidmm_fences_are_reached(adapter))
        vidmm_backing_reach(adapter, backing); /* obeys D-235 */
    return STATUS_SUCCESS;
}

/* Make it one that the engine can map: a record has the pages from here on. */
static NTSTATUS tell_engine(struct vidmm_adapter *adapter, struct vidmm_fence_page *page)
{
    struct vidmm_allocation *record = vidmm_allocation_own_record(adapter->system_device);
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION,
                                .device = adapter->system_device->id};
    DXGK_ALLOCATIONINFOFLAGS flags = {.Cached = page->backing.caching == VIDMM_CACHED};
    NTSTATUS status;

    if (!record)
        return STATUS_NO_MEMORY;
    event.create.allocation = record->id;
    event.create.buffer = VIDMM_BUFFER_FENCES;
    event.create.wish = (struct vidmm_wish){.size = VIDMM_PAGE_SIZE, .alignment = VIDMM_PAGE_SIZE};
    status = vidmm_pump_event(adapter, &event);
    if (status != STATUS_SUCCESS) {
        vidmm_allocation_free(record);
        return status;
    }
    record->backing = page->backing;
    record->flags = flags.Value;
    page->id = record->id;
    return status;
}

/* The engine has no addresses of it any more, or never had: it goes. The mutex is not held. */
static void free_page(struct vidmm_adapter *adapter, struct vidmm_fence_page *page)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};

    VIDMM_ASSERT(page->count == 0 && !page->views); /* N2 */
    hide(page, adapter->host);
    event.destroy.allocation = page->id;
    if (page->id != 0)
        vidmm_pump_event(adapter, &event); /* the record has the pages */
    else
        vidmm_backing_finish(&page->backing, adapter->host);
    vidmm_free(adapter->host, page);
}

/* A page of the process, in no list. NULL: *status says why. */
static struct vidmm_fence_page *make_page(struct vidmm_adapter *adapter,
                                          const struct vidmm_process *owner, bool shared,
                                          NTSTATUS *status)
{
    struct vidmm_fence_page *page = vidmm_allocate(adapter->host, sizeof(*page));

    *status = STATUS_NO_MEMORY;
    if (!page)
        return NULL;
    page->owner = owner;
    page->shared = shared;
    page->last = VIDMM_FENCES_OF_PAGE - 1;
    *status = take_memory(adapter, page);
    if (*status == STATUS_SUCCESS && vidmm_ddi_has_addresses(adapter))
        *status = tell_engine(adapter, page);
    if (*status == STATUS_SUCCESS)
        return page;
    if (page->backing.mdl)
        free_page(adapter, page);
    else
        vidmm_free(adapter->host, page);
    return NULL;
}

static void enter(struct vidmm_adapter *adapter, struct vidmm_fence_page *page)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    page->next = adapter->fence_pages;
    page->link = &adapter->fence_pages;
    if (page->next)
        page->next->link = &page->next;
    adapter->fence_pages = page;
}

static void leave(struct vidmm_fence_page *page)
{
    *page->link = page->next;
    if (page->next)
        page->next->link = page->link;
}

/* ---- views ----------------------------------------------------------------------------------- */

static struct vidmm_fence_view *find_view(const struct vidmm_fence_page *page,
                                          const struct vidmm_process *process)
{
    struct vidmm_fence_view *view = page->views;

    while (view && view->process != process)
        view = view->next;
    return view;
}

/* By page tables that the engine writes. */
static NTSTATUS map_by_engine(struct vidmm_adapter *adapter, const struct vidmm_fence_page *page,
                              const struct vidmm_process *process, uint64_t *address)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};
    NTSTATUS status;

    VIDMM_ASSERT(page->id != 0);
    event.addresses.process = process->id;
    event.addresses.state = VIDMM_ADDRESSES_MAPPED;
    event.addresses.access = VIDMM_ADDRESSES_WRITE;
    event.addresses.allocation = page->id;
    event.addresses.size = VIDMM_PAGE_SIZE;
    status = adapter->stopped ? STATUS_DEVICE_REMOVED : vidmm_pump_step(adapter, &event);
    if (status == STATUS_SUCCESS)
        *address = vidmm_engine_address(adapter->engine);
    return status;
}

/* By the CPU's. */
static NTSTATUS map_by_cpu(const struct vidmm_host *host, const struct vidmm_fence_page *page,
                           const struct vidmm_process *process, uint64_t *address)
{
    uint64_t frame = vidmm_backing_frame(&page->backing, 0);

    *address = (uint64_t)(uintptr_t)page->backing.address;
    if (!host->reserve_space(host->context, process->pasid, *address, 1))
        return STATUS_NO_MEMORY;
    host->map_space(host->context, process->pasid, *address, &frame, true);
    return STATUS_SUCCESS;
}

/* Map the page in the process. NULL: *status says why. The mutex is held. */
static struct vidmm_fence_view *make_view(struct vidmm_adapter *adapter,
                                          struct vidmm_fence_page *page,
                                          const struct vidmm_process *process, NTSTATUS *status)
{
    struct vidmm_fence_view *view = vidmm_allocate(adapter->host, sizeof(*view));

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    *status = STATUS_NO_MEMORY;
    if (!view)
        return NULL;
    *status = is_shared_with_gpu(adapter) ? map_by_cpu(adapter->host, page, process, &view->address)
                                          : map_by_engine(adapter, page, process, &view->address);
    if (*status != STATUS_SUCCESS) {
        vidmm_free(adapter->host, view);
        return NULL;
    }
    view->process = process;
    view->next = page->views;
    page->views = view;
    return view;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Whether it has a free place for a fence of the process. A shared fence is alone in its page, and
 * no other process sees that yet. */
static bool has_place(const struct vidmm_fence_page *page, const struct vidmm_process *owner,
                      bool shared)
{
    if (page->owner != owner || page->shared != shared || page->count == VIDMM_FENCES_OF_PAGE)
        return false;
    return !shared || (page->count == 0 &&
                       (!page->views || (page->views->process == owner && !page->views->next)));
}

/* The mutex is held. */
static struct vidmm_fence_page *find_page(const struct vidmm_adapter *adapter,
                                          const struct vidmm_process *owner, bool shared)
{
    struct vidmm_fence_page *page = adapter->fence_pages;

    while (page && !has_place(page, owner, shared))
        page = page->next;
    return page;
}

/* The mutex is held. */
static void take_place(struct vidmm_fence_page *page, struct vidmm_fence *fence)
{
    uint32_t index = page->last;

    VIDMM_ASSERT(page->count < VIDMM_FENCES_OF_PAGE); /* N1 */
    do {
        index = (index + 1) % VIDMM_FENCES_OF_PAGE;
    } while ((page->used[index / 64] >> index % 64 & 1) != 0);
    page->used[index / 64] |= UINT64_C(1) << index % 64;
    page->count++;
    page->last = index;
    fence->page = page;
    fence->index = index;
}

/* The GPU finds what the CPU sees from the beginning on, if it finds it by the CPU's address. The
 * mutex is held. */
static NTSTATUS show_to_gpu(struct vidmm_adapter *adapter, struct vidmm_fence_page *page)
{
    NTSTATUS status = STATUS_SUCCESS;

    if (is_shared_with_gpu(adapter) && !find_view(page, page->owner))
        make_view(adapter, page, page->owner, &status);
    return status;
}

NTSTATUS vidmm_fence_page_take(struct vidmm_fence *fence)
{
    struct vidmm_adapter *adapter = fence->device->adapter;
    const struct vidmm_process *owner = fence->device->owner;
    bool shared = (fence->flags & VIDMM_FENCE_SHARED) != 0;
    struct vidmm_fence_page *page;
    NTSTATUS status = STATUS_SUCCESS;

    vidmm_adapter_lock(adapter);
    page = find_page(adapter, owner, shared);
    if (!page) {
        vidmm_adapter_unlock(adapter);
        page = make_page(adapter, owner, shared, &status);
        if (!page)
            return status;
        vidmm_adapter_lock(adapter);
        enter(adapter, page); /* N2 */
    }
    status = show_to_gpu(adapter, page);
    if (status == STATUS_SUCCESS)
        take_place(page, fence);
    vidmm_adapter_unlock(adapter);
    return status;
}

void vidmm_fence_page_release(struct vidmm_fence *fence)
{
    struct vidmm_fence_page *page = fence->page;

    VIDMM_ASSERT(vidmm_adapter_is_locked(fence->device->adapter));
    VIDMM_ASSERT(page->count > 0 && (page->used[fence->index / 64] >> fence->index % 64 & 1) != 0);
    page->used[fence->index / 64] &= ~(UINT64_C(1) << fence->index % 64);
    page->count--; /* N1 */
}

/* ---- asked for, and given back --------------------------------------------------------------- */

uint64_t vidmm_fence_page_address(struct vidmm_fence *fence, const struct vidmm_process *process,
                                  NTSTATUS *status)
{
    struct vidmm_fence_view *view = find_view(fence->page, process);

    VIDMM_ASSERT(fence->page->shared || process == fence->page->owner);
    *status = STATUS_SUCCESS;
    if (!view)
        view = make_view(fence->device->adapter, fence->page, process, status);
    return view ? view->address + fence->index * sizeof(uint64_t) : 0;
}

static void drop_view(struct vidmm_adapter *adapter, struct vidmm_fence_page *page,
                      const struct vidmm_process *process)
{
    struct vidmm_fence_view **link = &page->views, *view = find_view(page, process);

    if (!view)
        return;
    while (*link != view)
        link = &(*link)->next;
    *link = view->next;
    if (is_shared_with_gpu(adapter))
        adapter->host->release_space(adapter->host->context, process->pasid, view->address);
    vidmm_free(adapter->host, view);
}

/* Take one page that nobody sees any more out of the list. NULL: there is none. */
static struct vidmm_fence_page *take_unseen(struct vidmm_adapter *adapter,
                                            const struct vidmm_process *process)
{
    struct vidmm_fence_page *page = adapter->fence_pages;

    for (; page; page = page->next) {
        drop_view(adapter, page, process);
        if (page->owner == process) {
            VIDMM_ASSERT(page->count == 0);
            page->owner = NULL;
        }
        if (!page->owner && !page->views) {
            leave(page); /* N2 */
            return page;
        }
    }
    return NULL;
}

void vidmm_fence_pages_leave(struct vidmm_adapter *adapter, const struct vidmm_process *process)
{
    struct vidmm_fence_page *page;

    do {
        vidmm_adapter_lock(adapter);
        page = take_unseen(adapter, process);
        vidmm_adapter_unlock(adapter);
        if (page)
            free_page(adapter, page);
    } while (page);
}
