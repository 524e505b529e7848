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
#include <vidmm/plan.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/slot_table.h"

#include "base/assert.h"

#define PAGES 128u /* in a call */

struct pages {
    uint32_t count;
    UINT32 aperture[PAGES];
    UINT64 memory[PAGES];
};

bool vidmm_ddi_has_host_aperture(const struct vidmm_adapter *adapter, uint32_t segment)
{
    const DRIVER_INITIALIZATION_DATA *driver = &adapter->miniport->driver;

    return adapter->segments[segment].host_pages != 0 && driver->DxgkDdiMapCpuHostAperture &&
           driver->DxgkDdiUnmapCpuHostAperture && !vidmm_adapter_is_linked(adapter);
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
