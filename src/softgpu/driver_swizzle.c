/*
 * Theory. A swizzling range is an entry of the GPU's registers: where an allocation is, and a
 * stretch of bus addresses at which the CPU sees its bytes in linear order. The driver is not told
 * where: it remembers what the paging operations said when they were built.
 *
 *     register range 1: segment 2, address, bytes, tiled  --doorbell-->  the GPU shows it at
 *                                                                        base + 1 *
 *                                                                        SOFTGPU_RANGE_SIZE
 *
 * The members of a range belong to the swizzling class, which has one thread at a time (D-163).
 */
#include "softgpu/driver_private.h"

#include <wddm/ntstatus.h>

void softgpu_note_place(struct softgpu_driver_allocation *allocation, UINT segment, UINT64 address)
{
    if (allocation == NULL || allocation->kind != SOFTGPU_ALLOCATION)
        return;
    allocation->segment = segment;
    allocation->address = address;
}

static UINT acquired(const struct softgpu_adapter *adapter)
{
    UINT count = 0;

    for (UINT i = 0; i < adapter->registers->range_count; i++)
        count += adapter->ranges[i] != NULL;
    return count;
}

static void forget(struct softgpu_adapter *adapter, UINT range)
{
    if (adapter->ranges[range] != NULL)
        adapter->ranges[range]->ranges--;
    adapter->ranges[range] = NULL;
}

static NTSTATUS set_up(struct softgpu_adapter *adapter, DXGKARG_ACQUIRESWIZZLINGRANGE *args)
{
    struct softgpu_driver_allocation *allocation = args->hAllocation;
    struct softgpu_range_register *range = &adapter->registers->ranges[args->RangeId];

    if (adapter->registers->range_limit != 0 &&
        acquired(adapter) >= adapter->registers->range_limit)
        return STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_RANGE_SIZE))
        args->RangeSize += SOFTGPU_PAGE_SIZE;
    range->segment = allocation->segment;
    range->address = allocation->address;
    range->bytes = args->RangeSize;
    range->tiled = allocation->tiled;
    if (softgpu_ring(adapter, SOFTGPU_DOORBELL_RANGE, args->RangeId | SOFTGPU_RANGE_ON) !=
        STATUS_SUCCESS)
        return STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED;
    adapter->ranges[args->RangeId] = allocation;
    allocation->ranges++;
    args->CPUTranslatedAddress.QuadPart = (LONGLONG)range->cpu_address;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_RANGE_NO_ADDRESS))
        args->CPUTranslatedAddress.QuadPart = 0;
    return STATUS_SUCCESS;
}

NTSTATUS SoftgpuAcquireSwizzlingRange(HANDLE hAdapter,
                                      DXGKARG_ACQUIRESWIZZLINGRANGE *pAcquireSwizzlingRange)
{
    struct softgpu_adapter *adapter = hAdapter;
    const struct softgpu_driver_allocation *allocation = pAcquireSwizzlingRange->hAllocation;

    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_RANGE_STATUS))
        return STATUS_UNSUCCESSFUL;
    if (pAcquireSwizzlingRange->RangeId >= adapter->registers->range_count || allocation == NULL ||
        allocation->kind != SOFTGPU_ALLOCATION)
        return softgpu_refuse(adapter, STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED,
                              "AcquireSwizzlingRange: range %u of %u",
                              pAcquireSwizzlingRange->RangeId, adapter->registers->range_count);
    if (adapter->ranges[pAcquireSwizzlingRange->RangeId] != NULL)
        return softgpu_refuse(adapter, STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED,
                              "AcquireSwizzlingRange: range %u is acquired already",
                              pAcquireSwizzlingRange->RangeId);
    if (allocation->segment != pAcquireSwizzlingRange->SegmentId)
        return softgpu_refuse(adapter, STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED,
                              "AcquireSwizzlingRange: SegmentId %u, the allocation is in %u",
                              pAcquireSwizzlingRange->SegmentId, allocation->segment);
    return set_up(adapter, pAcquireSwizzlingRange);
}

NTSTATUS SoftgpuReleaseSwizzlingRange(HANDLE hAdapter,
                                      const DXGKARG_RELEASESWIZZLINGRANGE *pReleaseSwizzlingRange)
{
    struct softgpu_adapter *adapter = hAdapter;
    UINT range = pReleaseSwizzlingRange->RangeId;

    if (range >= adapter->registers->range_count || adapter->ranges[range] == NULL ||
        adapter->ranges[range] != pReleaseSwizzlingRange->hAllocation)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "ReleaseSwizzlingRange: range %u is not acquired for this allocation",
                              range);
    forget(adapter, range);
    return softgpu_ring(adapter, SOFTGPU_DOORBELL_RANGE, range);
}
