/* fields_paging.c: the members of DXGKARG_BUILDPAGINGBUFFER, operation by operation. */
#include "wddm/fields_table.h"

#include <stddef.h>

#include <wddm/d3dkmddi_paging.h>
#include <wddm/d3dkmddi_segment.h>

#include "wddm/fields_own.h"

#define ARG DXGKARG_BUILDPAGINGBUFFER

static const struct vidmm_field transfer[] = {
    HEX(ARG, Transfer.hAllocation, ENTERED),
    NUMBER(ARG, Transfer.TransferOffset, ENTERED),
    NUMBER(ARG, Transfer.TransferSize, ENTERED),
    OWN(ARG, Transfer.Source, ENTERED, vidmm_print_side),
    OWN(ARG, Transfer.Destination, ENTERED, vidmm_print_side),
    MASK(ARG, Transfer.Flags, ENTERED, DXGK_TRANSFERFLAGS),
    NUMBER(ARG, Transfer.MdlOffset, ENTERED),
};
FIELDS(transfer, ARG);

static const struct vidmm_field fill[] = {
    HEX(ARG, Fill.hAllocation, ENTERED),
    NUMBER(ARG, Fill.FillSize, ENTERED),
    HEX(ARG, Fill.FillPattern, ENTERED),
    NUMBER(ARG, Fill.Destination.SegmentId, ENTERED),
    HEX(ARG, Fill.Destination.SegmentAddress, ENTERED),
};
FIELDS(fill, ARG);

static const struct vidmm_field discard[] = {
    HEX(ARG, DiscardContent.hAllocation, ENTERED),
    MASK(ARG, DiscardContent.Flags, ENTERED, DXGK_DISCARDCONTENTFLAGS),
    NUMBER(ARG, DiscardContent.SegmentId, ENTERED),
    HEX(ARG, DiscardContent.SegmentAddress, ENTERED),
};
FIELDS(discard, ARG);

/* ReadPhysical and WritePhysical have the same members in the same places. */
static const struct vidmm_field physical[] = {
    NUMBER(ARG, ReadPhysical.SegmentId, ENTERED),
    HEX(ARG, ReadPhysical.PhysicalAddress, ENTERED),
};
FIELDS(physical, ARG);

static const struct vidmm_field map[] = {
    HEX(ARG, MapApertureSegment.hDevice, ENTERED),
    HEX(ARG, MapApertureSegment.hAllocation, ENTERED),
    NUMBER(ARG, MapApertureSegment.SegmentId, ENTERED),
    NUMBER(ARG, MapApertureSegment.OffsetInPages, ENTERED),
    NUMBER(ARG, MapApertureSegment.NumberOfPages, ENTERED),
    OWN(ARG, MapApertureSegment.pMdl, ENTERED, vidmm_print_mdl),
    MASK(ARG, MapApertureSegment.Flags, ENTERED, DXGK_MAPAPERTUREFLAGS),
    NUMBER(ARG, MapApertureSegment.MdlOffset, ENTERED),
};
FIELDS(map, ARG);

static const struct vidmm_field map2[] = {
    HEX(ARG, MapApertureSegment2.hDevice, ENTERED),
    HEX(ARG, MapApertureSegment2.hAllocation, ENTERED),
    NUMBER(ARG, MapApertureSegment2.SegmentId, ENTERED),
    NUMBER(ARG, MapApertureSegment2.OffsetInPages, ENTERED),
    NUMBER(ARG, MapApertureSegment2.NumberOfPages, ENTERED),
    NUMBER(ARG, MapApertureSegment2.Adl.PageCount, ENTERED),
    HEX(ARG, MapApertureSegment2.Adl.Flags.Value, ENTERED),
    HEX(ARG, MapApertureSegment2.Adl.BasePageNumber, ENTERED),
    MASK(ARG, MapApertureSegment2.Flags, ENTERED, DXGK_MAPAPERTUREFLAGS),
    NUMBER(ARG, MapApertureSegment2.AdlOffset, ENTERED),
    HEX(ARG, MapApertureSegment2.CpuVisibleAddress, ENTERED),
};
FIELDS(map2, ARG);

static const struct vidmm_field unmap[] = {
    HEX(ARG, UnmapApertureSegment.hDevice, ENTERED),
    HEX(ARG, UnmapApertureSegment.hAllocation, ENTERED),
    NUMBER(ARG, UnmapApertureSegment.SegmentId, ENTERED),
    NUMBER(ARG, UnmapApertureSegment.OffsetInPages, ENTERED),
    NUMBER(ARG, UnmapApertureSegment.NumberOfPages, ENTERED),
    HEX(ARG, UnmapApertureSegment.DummyPage, ENTERED),
};
FIELDS(unmap, ARG);

static const struct vidmm_field special_lock[] = {
    HEX(ARG, SpecialLockTransfer.hAllocation, ENTERED),
    NUMBER(ARG, SpecialLockTransfer.TransferOffset, ENTERED),
    NUMBER(ARG, SpecialLockTransfer.TransferSize, ENTERED),
    OWN(ARG, SpecialLockTransfer.Source, ENTERED, vidmm_print_side),
    OWN(ARG, SpecialLockTransfer.Destination, ENTERED, vidmm_print_side),
    MASK(ARG, SpecialLockTransfer.Flags, ENTERED, DXGK_TRANSFERFLAGS),
    NUMBER(ARG, SpecialLockTransfer.SwizzlingRangeId, ENTERED),
    HEX(ARG, SpecialLockTransfer.SwizzlingRangeData, ENTERED),
};
FIELDS(special_lock, ARG);

static const struct vidmm_field init_context[] = {
    HEX(ARG, InitContextResource.hAllocation, ENTERED),
    OWN(ARG, InitContextResource.Destination, ENTERED, vidmm_print_side),
    HEX(ARG, InitContextResource.Destination.VirtualAddress, ENTERED),
};
FIELDS(init_context, ARG);

/* ---- From WDDM 2.0 on ---- */

static const struct vidmm_field transfer_virtual[] = {
    HEX(ARG, TransferVirtual.hAllocation, ENTERED),
    NUMBER(ARG, TransferVirtual.AllocationOffsetInBytes, ENTERED),
    NUMBER(ARG, TransferVirtual.TransferSizeInBytes, ENTERED),
    HEX(ARG, TransferVirtual.SourceVirtualAddress, ENTERED),
    HEX(ARG, TransferVirtual.DestinationVirtualAddress, ENTERED),
    NUMBER(ARG, TransferVirtual.TransferDirection, ENTERED),
    HEX(ARG, TransferVirtual.Flags, ENTERED),
};
FIELDS(transfer_virtual, ARG);

static const struct vidmm_field fill_virtual[] = {
    HEX(ARG, FillVirtual.hAllocation, ENTERED),
    NUMBER(ARG, FillVirtual.AllocationOffsetInBytes, ENTERED),
    NUMBER(ARG, FillVirtual.FillSizeInBytes, ENTERED),
    HEX(ARG, FillVirtual.FillPattern, ENTERED),
    HEX(ARG, FillVirtual.DestinationVirtualAddress, ENTERED),
};
FIELDS(fill_virtual, ARG);

static const struct vidmm_field update[] = {
    NUMBER(ARG, UpdatePageTable.PageTableLevel, ENTERED),
    HEX(ARG, UpdatePageTable.hAllocation, ENTERED),
    OWN(ARG, UpdatePageTable, ENTERED, vidmm_print_table_place),
    NUMBER(ARG, UpdatePageTable.StartIndex, ENTERED),
    NUMBER(ARG, UpdatePageTable.NumPageTableEntries, ENTERED),
    HEX(ARG, UpdatePageTable.Flags, ENTERED),
    HEX(ARG, UpdatePageTable.DriverProtection, ENTERED),
    NUMBER(ARG, UpdatePageTable.AllocationOffsetInBytes, ENTERED),
    HEX(ARG, UpdatePageTable.hProcess, ENTERED),
    HEX(ARG, UpdatePageTable.FirstPteVirtualAddress, ENTERED),
};
FIELDS(update, ARG);

static const struct vidmm_field flush[] = {
    NUMBER(ARG, FlushTlb.RootPageTableAddress.SegmentId, ENTERED),
    HEX(ARG, FlushTlb.RootPageTableAddress.SegmentOffset, ENTERED),
    HEX(ARG, FlushTlb.hProcess, ENTERED),
    HEX(ARG, FlushTlb.StartVirtualAddress, ENTERED),
    HEX(ARG, FlushTlb.EndVirtualAddress, ENTERED),
};
FIELDS(flush, ARG);

static const struct vidmm_field copy[] = {
    NUMBER(ARG, CopyPageTableEntries.NumRanges, ENTERED),
};
FIELDS(copy, ARG);

static const struct vidmm_field update_context[] = {
    HEX(ARG, UpdateContextAllocation.ContextAllocation, ENTERED),
    NUMBER(ARG, UpdateContextAllocation.ContextAllocationSize, ENTERED),
    NUMBER(ARG, UpdateContextAllocation.DriverPrivateDataSize, ENTERED),
};
FIELDS(update_context, ARG);

static const struct vidmm_field residency[] = {
    HEX(ARG, NotifyResidency.hAllocation, ENTERED),
    NUMBER(ARG, NotifyResidency.PhysicalAddress.SegmentId, ENTERED),
    HEX(ARG, NotifyResidency.PhysicalAddress.SegmentOffset, ENTERED),
};
FIELDS(residency, ARG);

static const struct vidmm_field signal[] = {
    HEX(ARG, SignalMonitoredFence.MonitoredFenceGpuVa, ENTERED),
    NUMBER(ARG, SignalMonitoredFence.MonitoredFenceValue, ENTERED),
};
FIELDS(signal, ARG);

const struct vidmm_fields *vidmm_fields_of_operation(DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    static const struct vidmm_fields *const operations[] = {
        [DXGK_OPERATION_TRANSFER] = &transfer_fields,
        [DXGK_OPERATION_FILL] = &fill_fields,
        [DXGK_OPERATION_DISCARD_CONTENT] = &discard_fields,
        [DXGK_OPERATION_READ_PHYSICAL] = &physical_fields,
        [DXGK_OPERATION_WRITE_PHYSICAL] = &physical_fields,
        [DXGK_OPERATION_MAP_APERTURE_SEGMENT] = &map_fields,
        [DXGK_OPERATION_UNMAP_APERTURE_SEGMENT] = &unmap_fields,
        [DXGK_OPERATION_SPECIAL_LOCK_TRANSFER] = &special_lock_fields,
        [DXGK_OPERATION_INIT_CONTEXT_RESOURCE] = &init_context_fields,
        [DXGK_OPERATION_MAP_APERTURE_SEGMENT2] = &map2_fields,
        [DXGK_OPERATION_VIRTUAL_TRANSFER] = &transfer_virtual_fields,
        [DXGK_OPERATION_VIRTUAL_FILL] = &fill_virtual_fields,
        [DXGK_OPERATION_UPDATE_PAGE_TABLE] = &update_fields,
        [DXGK_OPERATION_FLUSH_TLB] = &flush_fields,
        [DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES] = &copy_fields,
        [DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION] = &update_context_fields,
        [DXGK_OPERATION_NOTIFY_RESIDENCY] = &residency_fields,
        [DXGK_OPERATION_SIGNAL_MONITORED_FENCE] = &signal_fields,
    };

    if ((unsigned)operation >= sizeof operations / sizeof operations[0])
        return NULL;
    return operations[operation];
}
