/* host_aperture.c: the CPU host aperture, as the miniport is asked to map its pages.
 *
 *     page of the aperture   4   0   9   1         two arrays of one length (D-176)
 *     page of the segment   20  21  22  23         of the allocation, in its order
 *
 * A call names at most so many pages as there is room for here; a mapping of more takes several. If
 * one of them fails, those before it are undone.
 *
 * Source: DXGKDDI_MAPCPUHOSTAPERTURE, DXGKDDI_UNMAPCPUHOSTAPERTURE and their arguments.
 */
#include "vidmm/ddi/host_aperture.h"

#include <vidmm/engine.h>
#include <vidmm/host.h>
#include <vidmm/page.h>
#include <vidmm/plan.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/mmu.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/object/slot_table.h"

#include "base/assert.h"

#define PAGES 128u /* in a call */
#define PART 8u    /* of the aperture is the most that the view takes for speed */

struct pages {
    uint32_t count;
    UINT32 aperture[PAGES];
    UINT64 memory[PAGES];
};

bool vidmm_ddi_has_host_aperture(const struct vidmm_adapter *adapter, uint32_t segment)
{
    const DRIVER_INITIALIZATION_DATA *driver = &adapter->miniport->driver;
    bool may = !vidmm_adapter_is_linked(adapter) ||
               (adapter->model == VIDMM_MODEL_GPU_MMU &&
                !vidmm_ddi_holds_paging_tables(adapter, segment)); /* the view is of one adapter */

    return adapter->segments[segment].host_pages != 0 && driver->DxgkDdiMapCpuHostAperture &&
           driver->DxgkDdiUnmapCpuHostAperture && may;
}

/* The driver's handle of the allocation, and its pages from `skip` on. */
static HANDLE list(struct vidmm_adapter *adapter, uint32_t id, uint32_t skip, struct pages *pages)
{
    struct vidmm_host_page_pair pairs[PAGES];
    struct vidmm_allocation *allocation;
    uint32_t index;

    vidmm_adapter_lock(adapter);
    allocation = vidmm_slot_find(&adapter->handles, id - 1, VIDMM_HANDLE_ALLOCATION);
    pages->count = vidmm_engine_host_pages(adapter->engine, id, skip, pairs, PAGES);
    vidmm_adapter_unlock(adapter);
    for (index = 0; index < pages->count; index++) {
        pages->aperture[index] = pairs[index].aperture;
        pages->memory[index] = pairs[index].memory;
    }
    return allocation ? allocation->h_allocation : NULL;
}

static NTSTATUS map(struct vidmm_adapter *adapter, uint32_t segment, HANDLE allocation,
                    struct pages *pages)
{
    const DXGKARG_MAPCPUHOSTAPERTURE arguments = {
        .hAllocation = allocation,
        .SegmentId = (WORD)segment,
        .NumberOfPages = pages->count,
        .pCpuHostAperturePages = pages->aperture,
        .pMemorySegmentPages = pages->memory,
    };

    return adapter->miniport->driver.DxgkDdiMapCpuHostAperture(adapter->miniport->h_adapter,
                                                               &arguments);
}

static NTSTATUS unmap(struct vidmm_adapter *adapter, uint32_t segment, struct pages *pages)
{
    const DXGKARG_UNMAPCPUHOSTAPERTURE arguments = {
        .SegmentId = (WORD)segment,
        .NumberOfPages = pages->count,
        .pCpuHostAperturePages = pages->aperture,
    };

    return adapter->miniport->driver.DxgkDdiUnmapCpuHostAperture(adapter->miniport->h_adapter,
                                                                 &arguments);
}

/* The first `count` pages. */
static NTSTATUS unmap_some(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                           uint32_t count)
{
    NTSTATUS status = STATUS_SUCCESS;
    struct pages pages;
    uint32_t done;

    for (done = 0; done < count && status == STATUS_SUCCESS; done += pages.count) {
        (void)list(adapter, operation->allocation, done, &pages);
        VIDMM_ASSERT(pages.count > 0 && pages.count <= count - done); /* mapped by whole calls */
        status = unmap(adapter, operation->host.segment, &pages);
    }
    return status;
}

static NTSTATUS map_all(struct vidmm_adapter *adapter, const struct vidmm_operation *operation)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t done = 0;

    while (done < operation->host.pages && status == STATUS_SUCCESS) {
        struct pages pages;
        HANDLE allocation = list(adapter, operation->allocation, done, &pages);

        VIDMM_ASSERT(pages.count > 0);
        status = map(adapter, operation->host.segment, allocation, &pages); /* obeys D-176 */
        done += status == STATUS_SUCCESS ? pages.count : 0;
    }
    if (status != STATUS_SUCCESS)
        (void)unmap_some(adapter, operation, done);
    return status;
}

void vidmm_ddi_host_aperture(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                             struct vidmm_event *answer)
{
    NTSTATUS status;

    VIDMM_ASSERT(adapter->pumping && operation->host.pages > 0);
    status = operation->kind == VIDMM_DO_MAP_HOST
                 ? map_all(adapter, operation)
                 : unmap_some(adapter, operation, operation->host.pages); /* obeys D-177 */
    answer->kind = VIDMM_EVENT_HOST_ANSWERED;
    answer->host.status = (uint32_t)status;
}

/* ---- the view of page tables ----------------------------------------------------------------- */

/* Page tables have no handle, so hAllocation is null (D-176). Nobody can do without a mapping of
 * theirs (D-174): a refusal ends the start, or the adapter. */

/* At most PAGES of them, from `done` on. */
static void count_pages(uint32_t first, uint64_t memory, uint32_t done, uint32_t count,
                        struct pages *pages)
{
    uint32_t index;

    VIDMM_ASSERT(done < count);
    pages->count = count - done < PAGES ? count - done : PAGES;
    for (index = 0; index < pages->count; index++) {
        pages->aperture[index] = first + done + index;
        pages->memory[index] = memory + done + index;
    }
}

static NTSTATUS unmap_row(struct vidmm_adapter *adapter, uint32_t segment, uint32_t first,
                          uint32_t count)
{
    NTSTATUS status = STATUS_SUCCESS;
    struct pages pages;
    uint32_t done;

    for (done = 0; done < count && status == STATUS_SUCCESS; done += pages.count) {
        count_pages(first, 0, done, count, &pages);
        status = unmap(adapter, segment, &pages);
    }
    return status;
}

static NTSTATUS map_row(struct vidmm_adapter *adapter, uint32_t segment, uint32_t first,
                        uint64_t memory, uint32_t count)
{
    NTSTATUS status = STATUS_SUCCESS;
    struct pages pages;
    uint32_t done = 0;

    while (done < count && status == STATUS_SUCCESS) {
        count_pages(first, memory, done, count, &pages);
        status = map(adapter, segment, NULL, &pages); /* obeys D-174, D-176 */
        done += status == STATUS_SUCCESS ? pages.count : 0;
    }
    if (status != STATUS_SUCCESS)
        (void)unmap_row(adapter, segment, first, done);
    return status;
}

static struct vidmm_table_view *view_of(struct vidmm_adapter *adapter)
{
    return &adapter->miniport->tables.view;
}

static uint32_t page_size_of(const struct vidmm_adapter *adapter)
{
    return adapter->segments[adapter->miniport->tables.view.segment].host_page_size;
}

/* Pages that so many bytes may touch: a table may begin within a page. */
static uint64_t pages_for(uint64_t bytes, uint32_t page)
{
    return (bytes + page - 1) / page + (page > VIDMM_PAGE_SIZE ? 1 : 0);
}

NTSTATUS vidmm_table_view_plan(struct vidmm_adapter *adapter, uint32_t segment, uint64_t end,
                               uint64_t least, uint64_t most, struct vidmm_report *report)
{
    struct vidmm_segment_view *at = &adapter->segments[segment];
    struct vidmm_table_view *view = view_of(adapter);
    uint64_t pages = pages_for(most, at->host_page_size);

    VIDMM_ASSERT(segment != 0 && at->host_pages != 0 && least != 0 && least <= most);
    if (pages > at->host_pages / PART)
        pages = at->host_pages / PART;
    if (pages < pages_for(least, at->host_page_size))
        pages = pages_for(least, at->host_page_size);
    if (pages >= at->host_pages) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH,
                                    "CpuHostAperture.SizeInPages", at->host_pages,
                                    "the CPU writes page tables through it: it has room for the "
                                    "largest of them, and one page more");
    }
    at->host_pages -= (uint32_t)pages;
    *view = (struct vidmm_table_view){
        .segment = segment, .first = at->host_pages, .pages = (uint32_t)pages, .end = end};
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_table_view_take(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    struct vidmm_table_view *view = view_of(adapter);
    uint64_t page, address;

    if (view->segment == 0)
        return STATUS_SUCCESS;
    page = page_size_of(adapter);
    address = adapter->segments[view->segment].host_address + view->first * page;
    view->cpu = adapter->host->map_physical(adapter->host->context, address, view->pages * page);
    return view->cpu
               ? STATUS_SUCCESS
               : vidmm_report_refusal(report, STATUS_NO_MEMORY, "address of the CPU host aperture",
                                      address, "the host cannot show its pages for page tables");
}

void vidmm_table_view_finish(struct vidmm_adapter *adapter)
{
    struct vidmm_table_view *view = view_of(adapter);

    (void)vidmm_table_view_hide(adapter);
    if (view->cpu) {
        adapter->host->unmap_physical(adapter->host->context, view->cpu,
                                      view->pages * (uint64_t)page_size_of(adapter));
    }
    view->cpu = NULL;
}

NTSTATUS vidmm_table_view_hide(struct vidmm_adapter *adapter)
{
    struct vidmm_table_view *view = view_of(adapter);
    uint32_t count = view->count;

    view->count = 0;
    return count == 0 ? STATUS_SUCCESS : unmap_row(adapter, view->segment, view->first, count);
}

uint8_t *vidmm_table_view_find(const struct vidmm_table_view *view, uint32_t page_size,
                               uint64_t offset)
{
    uint64_t start = view->shown * page_size;

    return offset >= start && offset - start < view->count * (uint64_t)page_size
               ? view->cpu + (offset - start)
               : NULL;
}

uint8_t *vidmm_table_view_show(struct vidmm_adapter *adapter, uint64_t offset, uint64_t size,
                               NTSTATUS *status)
{
    struct vidmm_table_view *view = view_of(adapter);
    uint32_t page = page_size_of(adapter);
    uint64_t count;

    VIDMM_ASSERT(view->cpu && size > 0 && offset + size <= view->end);
    *status = STATUS_SUCCESS;
    if (vidmm_table_view_find(view, page, offset) &&
        vidmm_table_view_find(view, page, offset + size - 1))
        return vidmm_table_view_find(view, page, offset);
    *status = vidmm_table_view_hide(adapter);
    if (*status != STATUS_SUCCESS)
        return NULL;
    count = (view->end + page - 1) / page - offset / page;
    count = count < view->pages ? count : view->pages;
    *status = map_row(adapter, view->segment, view->first, offset / page, (uint32_t)count);
    if (*status != STATUS_SUCCESS)
        return NULL;
    view->shown = offset / page;
    view->count = (uint32_t)count;
    VIDMM_ASSERT(vidmm_table_view_find(view, page, offset + size - 1));
    return vidmm_table_view_find(view, page, offset);
}
