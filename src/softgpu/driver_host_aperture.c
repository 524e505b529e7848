/*
 * Theory. The table of the CPU host aperture is the driver's: an entry a page of the window, which
 * the GPU looks at when it is rung. A call that names a page that is taken, or one that is not, or
 * none of the segment, is refused, and nothing of it has been done.
 */
#include "softgpu/driver_private.h"

#include <wddm/ntstatus.h>

/* The adapter of a call, if its segment has the aperture; NULL: a refusal. */
static struct softgpu_adapter *adapter_of(HANDLE hAdapter, const char *call, UINT segment,
                                          UINT index)
{
    struct softgpu_adapter *adapter = softgpu_engine(hAdapter, index);

    if (adapter == NULL) {
        softgpu_refuse(hAdapter, STATUS_SUCCESS, "%s: PhysicalAdapterIndex %u", call, index);
        return NULL;
    }
    if (adapter->registers->host_aperture.segment == 0 ||
        segment != adapter->registers->host_aperture.segment) {
        softgpu_refuse(adapter, STATUS_SUCCESS, "%s: SegmentId %u; the one with an aperture is %u",
                       call, segment, adapter->registers->host_aperture.segment);
        return NULL;
    }
    return adapter;
}

static _Atomic UINT64 *table_of(const struct softgpu_adapter *adapter)
{
    return (_Atomic UINT64 *)(void *)((char *)adapter->registers +
                                      adapter->registers->host_aperture.table);
}

static NTSTATUS set(struct softgpu_adapter *adapter, UINT page, UINT64 entry)
{
    atomic_store(&table_of(adapter)[page], entry);
    return softgpu_ring(adapter, SOFTGPU_DOORBELL_HOST_PAGE, page);
}

static NTSTATUS check_allocation(struct softgpu_adapter *adapter, HANDLE handle)
{
    const struct softgpu_driver_allocation *allocation = handle;

    if (handle == NULL || allocation->kind == SOFTGPU_ALLOCATION || /* obeys D-176 */
        allocation->kind == SOFTGPU_CONTEXT_ALLOCATION)
        return STATUS_SUCCESS;
    return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                          "MapCpuHostAperture: hAllocation is no allocation");
}

static NTSTATUS map_page(struct softgpu_adapter *adapter, UINT page, UINT64 memory)
{
    const struct softgpu_host_register *at = &adapter->registers->host_aperture;
    UINT64 limit = adapter->registers->segments[at->segment - 1].size >> at->page_shift;

    if (page >= at->pages)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "MapCpuHostAperture: page %u; SizeInPages is %u", page, at->pages);
    if (memory >= limit)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "MapCpuHostAperture: page %llu of a segment of %llu",
                              (unsigned long long)memory, (unsigned long long)limit);
    if (atomic_load(&table_of(adapter)[page]) != 0) /* D-177 */
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "MapCpuHostAperture: page %u is mapped already", page);
    if (NT_SUCCESS(set(adapter, page, memory + 1)))
        return STATUS_SUCCESS;
    atomic_store(&table_of(adapter)[page], 0);
    return STATUS_INSUFFICIENT_RESOURCES;
}

/* obeys D-176 */
NTSTATUS SoftgpuMapCpuHostAperture(HANDLE hAdapter, const DXGKARG_MAPCPUHOSTAPERTURE *pArgs)
{
    struct softgpu_adapter *adapter =
        adapter_of(hAdapter, "MapCpuHostAperture", pArgs->SegmentId, pArgs->PhysicalAdapterIndex);
    NTSTATUS status = STATUS_INVALID_PARAMETER;
    UINT64 done = 0;

    if (adapter == NULL)
        return status;
    status = check_allocation(adapter, pArgs->hAllocation);
    for (; done < pArgs->NumberOfPages && NT_SUCCESS(status); done++)
        status =
            map_page(adapter, pArgs->pCpuHostAperturePages[done], pArgs->pMemorySegmentPages[done]);
    if (NT_SUCCESS(status))
        return status;
    for (; done > 1; done--) /* the last was not mapped */
        set(adapter, pArgs->pCpuHostAperturePages[done - 2], 0);
    return status;
}

/* Whether each page is mapped. One that is named twice counts as one. */
static NTSTATUS check_mapped(struct softgpu_adapter *adapter,
                             const DXGKARG_UNMAPCPUHOSTAPERTURE *args)
{
    UINT pages = adapter->registers->host_aperture.pages;

    for (UINT64 i = 0; i < args->NumberOfPages; i++) {
        UINT page = args->pCpuHostAperturePages[i];

        if (page >= pages || atomic_load(&table_of(adapter)[page]) == 0) /* D-177 */
            return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                                  "UnmapCpuHostAperture: page %u of %u is not mapped", page, pages);
    }
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuUnmapCpuHostAperture(HANDLE hAdapter, const DXGKARG_UNMAPCPUHOSTAPERTURE *pArgs)
{
    struct softgpu_adapter *adapter =
        adapter_of(hAdapter, "UnmapCpuHostAperture", pArgs->SegmentId, pArgs->PhysicalAdapterIndex);
    NTSTATUS status;

    if (adapter == NULL)
        return STATUS_INVALID_PARAMETER;
    status = check_mapped(adapter, pArgs);
    for (UINT64 i = 0; i < pArgs->NumberOfPages && NT_SUCCESS(status); i++)
        status = set(adapter, pArgs->pCpuHostAperturePages[i], 0);
    return status;
}

void softgpu_clear_host_aperture(struct softgpu_adapter *adapter)
{
    for (UINT i = 0; i < adapter->registers->host_aperture.pages; i++)
        if (atomic_load(&table_of(adapter)[i]) != 0)
            set(adapter, i, 0);
}
