/* build_virtual.c: the paging operations of a GPU with page tables.
 *
 * The tables of the paging process are the start's (paging_tables.h); the engine names addresses of
 * it, and its tables are found by them. The tables of programs are the engine's, by place.
 *
 * Source: DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL, .._FILLVIRTUAL, .._UPDATEPAGETABLE, .._FLUSHTLB;
 * rules D-106 to D-121, D-127, D-264, W-015.
 */
#include "vidmm/ddi/build_virtual.h"

#include <vidmm/plan.h>

#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/page_entries.h"
#include "vidmm/ddi/paging_tables.h"
#include "vidmm/ddi/process.h"
#include "vidmm/ddi/table_memory.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/process.h"

#include "base/assert.h"

bool vidmm_is_virtual(const struct vidmm_operation *operation)
{
    return operation->build.operation == VIDMM_TRANSFER_VIRTUAL ||
           operation->build.operation == VIDMM_FILL_VIRTUAL ||
           operation->build.operation == VIDMM_UPDATE_PAGE_TABLE ||
           operation->build.operation == VIDMM_FLUSH_TLB ||
           operation->build.operation == VIDMM_UPDATE_CONTEXT_ALLOCATION ||
           operation->build.operation == VIDMM_NOTIFY_ALLOCATION ||
           operation->build.operation == VIDMM_SIGNAL_MONITORED_FENCE;
}

/* obeys W-015: its pages are reached by entries that name them; and D-099: those that are accessed
 * physically, by the aperture too, and a primary while it is displayed. */
bool vidmm_is_for_nobody(const struct vidmm_allocation *allocation,
                         const struct vidmm_operation *operation)
{
    DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 flags;

    if (!allocation || allocation->adapter->model == VIDMM_MODEL_PHYSICAL)
        return false;
    flags.Value = allocation->flags;
    if (operation->build.operation == VIDMM_MAP_APERTURE_SEGMENT)
        return !allocation->h_allocation ||
               (!flags.AccessedPhysically &&
                (operation->build.flags & VIDMM_PAGING_DISPLAYED) == 0);
    return operation->build.operation == VIDMM_UNMAP_APERTURE_SEGMENT && !allocation->in_aperture;
}

/* The table that the operation is about. */
static void find_table(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                       uint32_t level, struct vidmm_table_memory *memory)
{
    if (operation->table.process == adapter->system_process->id) {
        vidmm_paging_table_find(adapter, level, operation->table.address, memory);
        return;
    }
    vidmm_table_memory_find(adapter, operation->table.table, operation->table.at, memory);
}

/* obeys D-114 */
static void name_table(const struct vidmm_table_memory *memory,
                       DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    if (update->UpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL) {
        update->PageTableAddress.CpuVirtual = memory->cpu;
    } else if (update->UpdateMode == DXGK_PAGETABLEUPDATE_GPU_VIRTUAL) {
        update->PageTableAddress.GpuVirtual = memory->gpu;
    } else {
        update->PageTableAddress.GpuPhysical.SegmentId = memory->segment;
        update->PageTableAddress.GpuPhysical.SegmentOffset = memory->offset;
    }
}

static void fill_update(struct vidmm_adapter *adapter, const struct vidmm_allocation *allocation,
                        const struct vidmm_operation *operation,
                        DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *update)
{
    struct vidmm_table_memory memory;

    find_table(adapter, operation, operation->table.level, &memory);
    if (operation->table.process != adapter->system_process->id)
        memory.gpu = adapter->miniport->window.address; /* it shows the table */
    update->PageTableLevel = operation->table.level;
    update->hAllocation = allocation ? allocation->h_allocation : NULL; /* obeys D-118 */
    update->UpdateMode = adapter->miniport->mmu.caps.PageTableUpdateMode;
    name_table(&memory, update);
    update->pPageTableEntries = vidmm_page_entries_of(adapter, allocation, operation);
    update->pPageTableEntries64KB = vidmm_page_entries_second(adapter, operation);
    update->StartIndex = operation->table.first; /* obeys D-113 */
    update->NumPageTableEntries = operation->table.count;
    update->Flags.Repeat = (operation->table.flags & VIDMM_PAGING_REPEAT) != 0;
    update->Flags.InitialUpdate = (operation->table.flags & VIDMM_PAGING_INITIAL) != 0;
    update->Flags.Use64KBPages = (operation->table.flags & VIDMM_PAGING_WIDE) != 0;
    update->DriverProtection = /* obeys D-119 */
        operation->table.level == 0 ? operation->table.driver_protection : 0;
    update->AllocationOffsetInBytes = allocation ? operation->table.offset : 0; /* obeys D-117 */
    update->hProcess = vidmm_ddi_process_handle(adapter, operation->table.process);
    update->FirstPteVirtualAddress = operation->table.address;
}

/* obeys D-127 */
static void fill_flush(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                       DXGK_BUILDPAGINGBUFFER_FLUSHTLB *flush)
{
    struct vidmm_table_memory root;

    find_table(adapter, operation, adapter->miniport->mmu.caps.PageTableLevelCount - 1, &root);
    flush->RootPageTableAddress.SegmentId = root.segment;
    flush->RootPageTableAddress.SegmentOffset = root.offset;
    flush->hProcess = vidmm_ddi_process_handle(adapter, operation->table.process);
    flush->StartVirtualAddress = operation->table.address;
    flush->EndVirtualAddress = operation->table.end;
}

/* obeys D-107 */
static DXGK_MEMORY_TRANSFER_DIRECTION direction_of(const struct vidmm_operation *operation)
{
    if (operation->table.place.segment == 0)
        return DXGK_MEMORY_TRANSFER_SYSTEM_TO_LOCAL;
    return operation->table.at.segment == 0 ? DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM
                                            : DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL;
}

/* The address at which the paging process has its own leaf that maps one of its addresses; 0: it
 * has it nowhere. */
static uint64_t address_of_leaf(struct vidmm_adapter *adapter, uint64_t address)
{
    struct vidmm_table_memory memory;

    vidmm_paging_table_find(adapter, 0, address, &memory);
    return memory.gpu;
}

/* obeys D-109: tables are told as content leaves memory, to a driver that wants it so */
static void name_leaves(struct vidmm_adapter *adapter,
                        DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer)
{
    if (!adapter->miniport->mmu.caps.LegacyBehaviors.SourcePageTableVaInTransfer ||
        transfer->TransferDirection != DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM)
        return;
    transfer->SourcePageTable = address_of_leaf(adapter, transfer->SourceVirtualAddress);
    transfer->DestinationPageTable = address_of_leaf(adapter, transfer->DestinationVirtualAddress);
}

/* obeys D-106, D-108: the addresses are those of the bytes */
static void fill_transfer(struct vidmm_adapter *adapter, const struct vidmm_allocation *allocation,
                          const struct vidmm_operation *operation,
                          DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer)
{
    transfer->hAllocation = allocation->h_allocation;
    transfer->AllocationOffsetInBytes = operation->table.offset;
    transfer->TransferSizeInBytes = operation->table.size;
    transfer->SourceVirtualAddress = operation->table.address;
    transfer->DestinationVirtualAddress = operation->table.end;
    transfer->TransferDirection = direction_of(operation);
    transfer->Flags.Src64KBPages = (operation->table.flags & VIDMM_PAGING_SOURCE_WIDE) != 0;
    transfer->Flags.Dst64KBPages = (operation->table.flags & VIDMM_PAGING_TARGET_WIDE) != 0;
    name_leaves(adapter, transfer);
}

/* obeys D-110 */
static void fill_fill(const struct vidmm_allocation *allocation,
                      const struct vidmm_operation *operation,
                      DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL *fill)
{
    fill->hAllocation = allocation->h_allocation;
    fill->AllocationOffsetInBytes = operation->table.offset;
    fill->FillSizeInBytes = operation->table.size;
    fill->FillPattern = 0;
    fill->DestinationVirtualAddress = operation->table.address;
}

/* obeys D-143: an eviction is of no process, for it goes from all of them; and D-144: an unmap is
 * of the process whose addresses it is about, and never both */
static void fill_notify(struct vidmm_adapter *adapter, const struct vidmm_allocation *allocation,
                        const struct vidmm_operation *operation,
                        DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC *notify)
{
    bool unmaps = (operation->table.flags & VIDMM_PAGING_UNMAPS) != 0;

    notify->hAllocation = allocation->h_allocation;
    notify->Flags.Eviction = !unmaps;
    notify->Flags.IoMmuUnmap = unmaps;
    if (unmaps)
        notify->hKmdProcessHandle = vidmm_ddi_process_handle(adapter, operation->table.process);
    notify->OffsetInBytes = operation->table.offset;
    notify->SizeInBytes = operation->table.size;
    notify->GpuVirtualAddressAtOffset = operation->table.address;
}

/* obeys D-140: the data is that of the newest request, which is answered behind this call */
static void fill_change(const struct vidmm_allocation *allocation,
                        const struct vidmm_operation *operation,
                        DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION *change)
{
    change->ContextAllocation = operation->table.address;
    change->ContextAllocationSize = operation->table.size;
    change->pDriverPrivateData = allocation->private_data;
    change->DriverPrivateDataSize = allocation->private_data_size;
}

/* obeys D-145 */
static void fill_signal(const struct vidmm_operation *operation,
                        DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE *signal)
{
    signal->MonitoredFenceGpuVa = operation->table.address;
    signal->MonitoredFenceValue = operation->table.end;
}

void vidmm_fill_virtual(struct vidmm_adapter *adapter, const struct vidmm_allocation *allocation,
                        const struct vidmm_operation *operation,
                        DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    VIDMM_ASSERT(adapter->pumping && vidmm_is_virtual(operation));
    VIDMM_ASSERT(allocation || operation->table.operation == VIDMM_UPDATE_PAGE_TABLE ||
                 operation->table.operation == VIDMM_FLUSH_TLB);
    if (operation->table.operation == VIDMM_UPDATE_PAGE_TABLE)
        fill_update(adapter, allocation, operation, &arguments->UpdatePageTable);
    else if (operation->table.operation == VIDMM_FLUSH_TLB)
        fill_flush(adapter, operation, &arguments->FlushTlb);
    else if (operation->table.operation == VIDMM_TRANSFER_VIRTUAL)
        fill_transfer(adapter, allocation, operation, &arguments->TransferVirtual);
    else if (operation->table.operation == VIDMM_UPDATE_CONTEXT_ALLOCATION)
        fill_change(allocation, operation, &arguments->UpdateContextAllocation);
    else if (operation->table.operation == VIDMM_NOTIFY_ALLOCATION)
        fill_notify(adapter, allocation, operation, &arguments->NotifyAllocation);
    else if (operation->table.operation == VIDMM_SIGNAL_MONITORED_FENCE)
        fill_signal(operation, &arguments->SignalMonitoredFence);
    else
        fill_fill(allocation, operation, &arguments->FillVirtual);
}
