/* build.c: DxgkDdiBuildPagingBuffer: operations of the engine as the miniport is asked for them.
 *
 * The only file that knows both spellings of a paging operation. Handles, MDLs, the paging buffer's
 * pointer and what is left of it are added here.
 *
 * Source: DXGKDDI_BUILDPAGINGBUFFER, DXGKARG_BUILDPAGINGBUFFER.
 */
#include "vidmm/ddi/build.h"

#include <string.h>

#include <vidmm/page.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/ddi/address.h"
#include "vidmm/ddi/build_virtual.h"
#include "vidmm/ddi/context.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/ddi/paging_memory.h"
#include "vidmm/ddi/paging_tables.h"
#include "vidmm/ddi/table_window.h"
#include "vidmm/object/aperture_address.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/cache.h"
#include "vidmm/object/command_memory.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/shared_address.h"

#include "base/assert.h"
#include "wddm/level.h"
#include "wddm/rule.h"

static void fill_transfer(const struct vidmm_adapter *adapter,
                          const struct vidmm_allocation *allocation, MDL *mdl,
                          const struct vidmm_operation *operation,
                          DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    uint64_t offset = operation->build.transfer_offset;
    struct vidmm_place source = operation->build.source;
    struct vidmm_place destination = operation->build.destination;

    VIDMM_ASSERT(source.segment <= adapter->segment_count);
    VIDMM_ASSERT(destination.segment <= adapter->segment_count);
    VIDMM_ASSERT(offset % VIDMM_PAGE_SIZE == 0);
    arguments->Transfer.hAllocation = allocation->h_allocation;
    arguments->Transfer.TransferOffset = (UINT)offset; /* obeys D-070: for the segment side */
    arguments->Transfer.TransferSize = operation->build.size;
    arguments->Transfer.MdlOffset = (UINT)(offset >> VIDMM_PAGE_SHIFT); /* obeys D-071 */
    arguments->Transfer.Source.SegmentId = source.segment;
    if (source.segment == 0)
        arguments->Transfer.Source.pMdl = mdl; /* obeys S4-056 */
    else
        arguments->Transfer.Source.SegmentAddress = vidmm_ddi_address(adapter, source);
    arguments->Transfer.Destination.SegmentId = destination.segment;
    if (destination.segment == 0)
        arguments->Transfer.Destination.pMdl = mdl;
    else
        arguments->Transfer.Destination.SegmentAddress = vidmm_ddi_address(adapter, destination);
    arguments->Transfer.Flags.Swizzle = (operation->build.flags & VIDMM_PAGING_SWIZZLE) != 0;
    arguments->Transfer.Flags.Unswizzle = (operation->build.flags & VIDMM_PAGING_UNSWIZZLE) != 0;
    arguments->Transfer.Flags.AllocationIsIdle = (operation->build.flags & VIDMM_PAGING_IDLE) != 0;
    arguments->Transfer.Flags.TransferStart = (operation->build.flags & VIDMM_PAGING_START) != 0;
    arguments->Transfer.Flags.TransferEnd = (operation->build.flags & VIDMM_PAGING_END) != 0;
}

/* obeys S4-041: only cacheable memory in a cache-coherent aperture */
static bool maps_coherently(const struct vidmm_adapter *adapter,
                            const struct vidmm_allocation *allocation, uint32_t segment)
{
    DXGK_ALLOCATIONINFOFLAGS allocation_flags = {.Value = allocation->flags};
    DXGK_SEGMENTFLAGS segment_flags = {.Value = adapter->segments[segment].info.flags};

    return allocation_flags.Cached && segment_flags.CacheCoherent;
}

/* A context allocation whose handle the driver has given up while its paging could not end, or that
 * it has left behind. */
static bool is_given_up(const struct vidmm_allocation *allocation)
{
    return allocation->context_allocation && !allocation->h_allocation;
}

/* obeys D-097: none of a primary's, for what is shared one owner as long as it lives, and for what
 * is given up none: the device may be gone */
static HANDLE owner_of(const struct vidmm_allocation *allocation)
{
    return allocation->primary || is_given_up(allocation) ? NULL : allocation->device->h_device;
}

/* obeys D-101: pages one behind the other are told by the first of them, as all lists of logical
 * pages are */
static void fill_list(const struct vidmm_backing *backing, DXGK_ADL *list)
{
    const PFN_NUMBER *frames = (const PFN_NUMBER *)(const void *)(backing->mdl + 1);
    uint32_t count = backing->pages, index = 1;

    VIDMM_ASSERT(count > 0 && sizeof(*frames) == sizeof(*list->Pages));
    while (index < count && (backing->logical != 0 || frames[index] == frames[0] + index))
        index++;
    list->PageCount = count;
    list->Flags.Contiguous = index == count;
    if (index == count)
        list->BasePageNumber = vidmm_backing_page(backing, 0);
    else
        list->Pages = frames;
}

/* obeys D-100 */
static bool maps_by_list(const struct vidmm_adapter *adapter)
{
    return adapter->level >= VIDMM_LEVEL(2, 9) &&
           adapter->miniport->caps.MemoryManagementCaps.MapAperture2Supported;
}

static void fill_map2(const struct vidmm_adapter *adapter, struct vidmm_allocation *allocation,
                      const struct vidmm_backing *backing, const struct vidmm_operation *operation,
                      DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    uint64_t offset = operation->build.destination.offset;
    uint32_t segment = operation->build.destination.segment;

    VIDMM_ASSERT(segment != 0 && segment <= adapter->segment_count);
    arguments->Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT2;
    arguments->MapApertureSegment2.hDevice = owner_of(allocation);
    arguments->MapApertureSegment2.hAllocation = allocation->h_allocation; /* obeys D-097 */
    arguments->MapApertureSegment2.SegmentId = segment;
    arguments->MapApertureSegment2.OffsetInPages = offset >> VIDMM_PAGE_SHIFT;
    arguments->MapApertureSegment2.NumberOfPages = operation->build.size >> VIDMM_PAGE_SHIFT;
    fill_list(backing, &arguments->MapApertureSegment2.Adl);
    arguments->MapApertureSegment2.Flags.CacheCoherent =
        maps_coherently(adapter, allocation, segment);
    arguments->MapApertureSegment2.CpuVisibleAddress = /* obeys D-103, D-104 */
        vidmm_aperture_address_give(allocation, segment, offset);
}

static void fill_map(const struct vidmm_adapter *adapter, const struct vidmm_allocation *allocation,
                     MDL *mdl, const struct vidmm_operation *operation,
                     DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    uint32_t segment = operation->build.destination.segment;

    VIDMM_ASSERT(segment != 0 && segment <= adapter->segment_count);
    arguments->MapApertureSegment.hDevice = owner_of(allocation);
    arguments->MapApertureSegment.hAllocation = allocation->h_allocation; /* obeys D-097 */
    arguments->MapApertureSegment.SegmentId = segment;
    arguments->MapApertureSegment.OffsetInPages =
        operation->build.destination.offset >> VIDMM_PAGE_SHIFT;
    arguments->MapApertureSegment.NumberOfPages = operation->build.size >> VIDMM_PAGE_SHIFT;
    arguments->MapApertureSegment.pMdl = mdl;
    arguments->MapApertureSegment.Flags.CacheCoherent =
        maps_coherently(adapter, allocation, segment);
}

static void fill_unmap(const struct vidmm_adapter *adapter,
                       const struct vidmm_allocation *allocation,
                       const struct vidmm_operation *operation,
                       DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    VIDMM_ASSERT(operation->build.destination.segment != 0 && adapter->dummy);
    arguments->UnmapApertureSegment.hDevice = owner_of(allocation);
    arguments->UnmapApertureSegment.hAllocation = allocation->h_allocation;
    arguments->UnmapApertureSegment.SegmentId = operation->build.destination.segment;
    arguments->UnmapApertureSegment.OffsetInPages =
        operation->build.destination.offset >> VIDMM_PAGE_SHIFT;
    arguments->UnmapApertureSegment.NumberOfPages = operation->build.size >> VIDMM_PAGE_SHIFT;
    arguments->UnmapApertureSegment.DummyPage.QuadPart =
        (LONGLONG)vidmm_backing_address(adapter->dummy); /* obeys S4-045 */
}

/* As a transfer, but for the pages of system memory: those of the alternate address (S4-049). */
static void fill_special(const struct vidmm_adapter *adapter,
                         const struct vidmm_allocation *allocation,
                         const struct vidmm_operation *operation,
                         DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    struct vidmm_place source = operation->build.source;
    struct vidmm_place destination = operation->build.destination;
    uint32_t flags = operation->build.flags;

    VIDMM_ASSERT(allocation->alternate && (source.segment == 0) != (destination.segment == 0));
    VIDMM_ASSERT(operation->build.range >= 1 && operation->build.range <= adapter->range_count);
    arguments->SpecialLockTransfer.hAllocation = allocation->h_allocation;
    arguments->SpecialLockTransfer.TransferSize = operation->build.size;
    arguments->SpecialLockTransfer.Source.SegmentId = source.segment;
    arguments->SpecialLockTransfer.Destination.SegmentId = destination.segment;
    if (source.segment == 0) {
        arguments->SpecialLockTransfer.Source.pMdl = allocation->alternate->backing.mdl;
        arguments->SpecialLockTransfer.Destination.SegmentAddress =
            vidmm_ddi_address(adapter, destination);
    } else {
        arguments->SpecialLockTransfer.Source.SegmentAddress = vidmm_ddi_address(adapter, source);
        arguments->SpecialLockTransfer.Destination.pMdl = allocation->alternate->backing.mdl;
    }
    arguments->SpecialLockTransfer.Flags.Swizzle = (flags & VIDMM_PAGING_SWIZZLE) != 0;
    arguments->SpecialLockTransfer.Flags.Unswizzle = (flags & VIDMM_PAGING_UNSWIZZLE) != 0;
    arguments->SpecialLockTransfer.Flags.AllocationIsIdle = (flags & VIDMM_PAGING_IDLE) != 0;
    arguments->SpecialLockTransfer.Flags.TransferStart = (flags & VIDMM_PAGING_START) != 0;
    arguments->SpecialLockTransfer.Flags.TransferEnd = (flags & VIDMM_PAGING_END) != 0;
    arguments->SpecialLockTransfer.SwizzlingRangeId = operation->build.range - 1;
    arguments->SpecialLockTransfer.SwizzlingRangeData = operation->build.data;
}

static void fill_init(const struct vidmm_adapter *adapter,
                      const struct vidmm_allocation *allocation,
                      const struct vidmm_operation *operation, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    VIDMM_ASSERT(allocation->context_allocation && operation->build.destination.segment != 0);
    arguments->InitContextResource.hAllocation = allocation->h_allocation;
    arguments->InitContextResource.Destination.SegmentId = operation->build.destination.segment;
    arguments->InitContextResource.Destination.SegmentAddress =
        vidmm_ddi_address(adapter, operation->build.destination);
    /* mapped only where the driver may have it: obeys D-137 */
    arguments->InitContextResource.Destination.VirtualAddress = allocation->backing.address;
}

/* It has come to a memory segment, or is about to leave one: obeys D-142 */
static void fill_notice(const struct vidmm_allocation *allocation,
                        const struct vidmm_operation *operation,
                        DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    arguments->NotifyResidency.hAllocation = allocation->h_allocation;
    arguments->NotifyResidency.PhysicalAddress.SegmentId = operation->build.destination.segment;
    arguments->NotifyResidency.PhysicalAddress.SegmentOffset = operation->build.destination.offset;
    arguments->NotifyResidency.Resident = operation->build.destination.segment != 0;
}

static void fill_discard(const struct vidmm_adapter *adapter,
                         const struct vidmm_allocation *allocation,
                         const struct vidmm_operation *operation,
                         DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    arguments->DiscardContent.hAllocation = allocation->h_allocation;
    arguments->DiscardContent.Flags.AllocationIsIdle =
        (operation->build.flags & VIDMM_PAGING_IDLE) != 0;
    arguments->DiscardContent.SegmentId = operation->build.destination.segment;
    arguments->DiscardContent.SegmentAddress =
        vidmm_ddi_address(adapter, operation->build.destination);
}

static void fill_arguments(const struct vidmm_adapter *adapter, struct vidmm_allocation *allocation,
                           const struct vidmm_backing *backing,
                           const struct vidmm_operation *operation,
                           DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    PHYSICAL_ADDRESS destination = vidmm_ddi_address(adapter, operation->build.destination);

    VIDMM_ASSERT(!vidmm_is_virtual(operation));
    arguments->Operation = (DXGK_BUILDPAGINGBUFFER_OPERATION)operation->build.operation;
    switch ((enum vidmm_paging_kind)operation->build.operation) {
    case VIDMM_TRANSFER:
        fill_transfer(adapter, allocation, backing->mdl, operation, arguments);
        break;
    case VIDMM_SPECIAL_LOCK_TRANSFER:
        fill_special(adapter, allocation, operation, arguments);
        break;
    case VIDMM_FILL:
        arguments->Fill.hAllocation = allocation->h_allocation;
        arguments->Fill.FillSize = operation->build.size;
        arguments->Fill.FillPattern = 0;
        arguments->Fill.Destination.SegmentId = operation->build.destination.segment;
        arguments->Fill.Destination.SegmentAddress = destination;
        break;
    case VIDMM_INIT_CONTEXT_RESOURCE:
        fill_init(adapter, allocation, operation, arguments);
        break;
    case VIDMM_DISCARD_CONTENT:
        fill_discard(adapter, allocation, operation, arguments);
        break;
    case VIDMM_READ_PHYSICAL: /* the driver is not told for which allocation it is */
        arguments->ReadPhysical.SegmentId = operation->build.destination.segment;
        arguments->ReadPhysical.PhysicalAddress = destination;
        break;
    case VIDMM_NOTIFY_RESIDENCY:
        fill_notice(allocation, operation, arguments);
        break;
    case VIDMM_TRANSFER_VIRTUAL: /* build_virtual.c */
    case VIDMM_FILL_VIRTUAL:
    case VIDMM_UPDATE_PAGE_TABLE:
    case VIDMM_FLUSH_TLB:
    case VIDMM_UPDATE_CONTEXT_ALLOCATION:
    case VIDMM_NOTIFY_ALLOCATION:
    case VIDMM_SIGNAL_MONITORED_FENCE:
        break;
    case VIDMM_WRITE_PHYSICAL:
        arguments->WritePhysical.SegmentId = operation->build.destination.segment;
        arguments->WritePhysical.PhysicalAddress = destination;
        break;
    case VIDMM_MAP_APERTURE_SEGMENT:
        if (maps_by_list(adapter))
            fill_map2(adapter, allocation, backing, operation, arguments);
        else
            fill_map(adapter, allocation, backing->mdl, operation, arguments);
        break;
    case VIDMM_UNMAP_APERTURE_SEGMENT:
        fill_unmap(adapter, allocation, operation, arguments);
        break;
    }
}

/* Count the bytes that the driver wrote, those of the private data too: the commands may be there
 * alone (obeys W-018). It may have answered a pointer outside the buffer. */
static NTSTATUS take_pointers(struct vidmm_adapter *adapter, struct vidmm_paging_memory *paging,
                              const DXGKARG_BUILDPAGINGBUFFER *arguments, NTSTATUS status,
                              uint64_t *written)
{
    uint8_t *start = paging->memory.backing.address, *private_start = paging->memory.private_data;
    uint8_t *end = arguments->pDmaBuffer, *private_end = arguments->pDmaBufferPrivateData;
    uint64_t bytes;

    if (end < start + paging->used || end > start + paging->memory.size ||
        (paging->memory.private_size > 0 &&
         (private_end < private_start + paging->private_used ||
          private_end > private_start + paging->memory.private_size))) {
        if (end > start + paging->memory.size && adapter->miniport->call_fails == VIDMM_REASON_NONE)
            adapter->miniport->call_fails = VIDMM_REASON_OVERRUN; /* obeys S4-010 */
        return STATUS_INVALID_PARAMETER; /* S4-009: no status of this call, so it ends the adapter
                                            */
    }
    bytes = (uint64_t)(end - (start + paging->used));
    paging->used = (uint32_t)(end - start);
    if (paging->memory.private_size > 0) {
        bytes += (uint64_t)(private_end - (private_start + paging->private_used));
        paging->private_used = (uint32_t)(private_end - private_start);
    }
    *written += bytes;
    return status;
}

/* Whether a side of a transfer is the backing store: by MDL, or mapped into an eviction
 * aperture. */
static bool is_backing(const struct vidmm_adapter *adapter, uint32_t segment)
{
    DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[segment].info.flags};

    return segment == 0 || flags.Aperture;
}

/* A driver that has an aperture can map and unmap it; there is nothing else to do with one. */
VIDMM_SEES(D_030);
static void judge_mapping(struct vidmm_adapter *adapter, uint32_t operation, NTSTATUS status)
{
    bool unmaps = operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
    bool by_list = operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT2;
    bool maps = operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT || by_list || unmaps;

    if (maps && status != STATUS_SUCCESS && status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER) {
        vidmm_seen(adapter, VIDMM_RULE_D_030,
                   unmaps    ? "status of UnmapApertureSegment"
                   : by_list ? "status of MapApertureSegment2"
                             : "status of MapApertureSegment",
                   (uint32_t)status);
    }
}

/* A driver may not know the operation: no page says that Windows ever asks for it. Then the CPU
 * writes the value, when the fence of the paging buffer has come, and the driver is told once. */
VIDMM_SEES(D_145);
static NTSTATUS judge_signal(struct vidmm_adapter *adapter, uint32_t operation, NTSTATUS status)
{
    if (operation != DXGK_OPERATION_SIGNAL_MONITORED_FENCE ||
        (status != STATUS_NOT_SUPPORTED && status != STATUS_NOT_IMPLEMENTED &&
         status != STATUS_INVALID_PARAMETER))
        return status;
    vidmm_seen(adapter, VIDMM_RULE_D_145, "status of SignalMonitoredFence", (uint32_t)status);
    adapter->miniport->refuses_signals = true;
    return STATUS_SUCCESS;
}

/* The paging buffer of every physical adapter, also of one whose driver is not called: its former
 * content is not submitted again. */
static void refresh_all(struct vidmm_adapter *adapter, uint32_t paging_buffer)
{
    uint32_t engine;

    for (engine = 0; engine < adapter->link_count; engine++)
        vidmm_paging_refresh(adapter, vidmm_paging_memory(adapter, engine, paging_buffer));
}

/* The paging buffer, as much as is left of it. */
static void fill_buffer(struct vidmm_adapter *adapter, uint32_t engine,
                        const struct vidmm_paging_memory *paging,
                        const struct vidmm_operation *operation,
                        DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    uint64_t address = vidmm_paging_tables_buffer(adapter, operation->build.paging_buffer);
    struct vidmm_context *companion;

    arguments->pDmaBuffer = (uint8_t *)paging->memory.backing.address + paging->used;
    arguments->DmaSize =
        paging->memory.size - paging->used; /* obeys D-076, W-019: packed tightly */
    if (paging->memory.private_size > 0) {
        arguments->pDmaBufferPrivateData =
            (uint8_t *)paging->memory.private_data + paging->private_used;
        arguments->DmaBufferPrivateDataSize = paging->memory.private_size - paging->private_used;
    }
    if (adapter->level < VIDMM_LEVEL(2, 0))
        return;
    arguments->hSystemContext = vidmm_ddi_paging_context(
        adapter, engine, vidmm_is_virtual(operation) ? operation->table.context : 0, &companion);
    arguments->DmaBufferGpuVirtualAddress = address; /* obeys W-017 */
    arguments->DmaBufferWriteOffset = paging->used;
}

/* Call the driver, and judge what it has done to the paging buffer. */
static NTSTATUS ask(struct vidmm_adapter *adapter, struct vidmm_link *link,
                    struct vidmm_paging_memory *paging, DXGKARG_BUILDPAGINGBUFFER *arguments,
                    uint64_t *written)
{
    NTSTATUS status =
        adapter->miniport->driver.DxgkDdiBuildPagingBuffer(link->h_adapter, arguments);

    judge_mapping(adapter, arguments->Operation, status);
    status = judge_signal(adapter, arguments->Operation, status);
    adapter->miniport->call_fails = vidmm_guarded_was_overrun(&paging->memory);
    status = take_pointers(adapter, paging, arguments, status, written);
    link->multipass_offset = arguments->MultipassOffset;
    return status;
}

/* Have the window show the page table that the operation writes, if the GPU writes it by address.
 * SUCCESS: it does, or is not needed; *multipass is that of the operation's own call. */
static NTSTATUS show_table(struct vidmm_adapter *adapter, uint32_t engine,
                           struct vidmm_paging_memory *paging,
                           const struct vidmm_operation *operation, uint32_t *multipass,
                           uint64_t *written)
{
    struct vidmm_link *link = adapter->miniport->links[engine];
    DXGKARG_BUILDPAGINGBUFFER arguments;
    NTSTATUS status = STATUS_SUCCESS;

    for (;;) {
        memset(&arguments, 0, sizeof(arguments));
        if (!vidmm_table_window_fill(adapter, engine, operation, &arguments))
            return STATUS_SUCCESS;
        fill_buffer(adapter, engine, paging, operation, &arguments);
        arguments.MultipassOffset = *multipass;
        status = ask(adapter, link, paging, &arguments, written);
        if (status != STATUS_SUCCESS)
            return status;
        vidmm_table_window_advance(adapter, engine);
        *multipass = 0;
    }
}

static void fill_call(struct vidmm_adapter *adapter, uint32_t engine,
                      struct vidmm_allocation *allocation, const struct vidmm_operation *operation,
                      DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    if (!vidmm_is_virtual(operation)) {
        fill_arguments(adapter, allocation, vidmm_backing_of(allocation, engine), operation,
                       arguments);
        return;
    }
    arguments->Operation = (DXGK_BUILDPAGINGBUFFER_OPERATION)operation->table.operation;
    vidmm_fill_virtual(adapter, allocation, operation, arguments);
}

/* Ask one physical adapter. */
static NTSTATUS build_for(struct vidmm_adapter *adapter, uint32_t engine,
                          struct vidmm_allocation *allocation,
                          const struct vidmm_operation *operation, struct vidmm_event *answer)
{
    struct vidmm_paging_memory *paging =
        vidmm_paging_memory(adapter, engine, operation->build.paging_buffer);
    struct vidmm_link *link = adapter->miniport->links[engine];
    uint32_t multipass = operation->build.multipass_offset; /* obeys S4-015, S4-016 */
    DXGKARG_BUILDPAGINGBUFFER arguments;
    uint64_t written = 0;
    NTSTATUS status;

    VIDMM_ASSERT(paging->used <= paging->memory.size);
    VIDMM_ASSERT(paging->private_used <= paging->memory.private_size);
    VIDMM_ASSERT(engine == 0 || vidmm_adapter_is_linked(adapter));
    if (vidmm_adapter_is_linked(adapter))
        multipass = link->multipass_offset;
    status = show_table(adapter, engine, paging, operation, &multipass, &written);
    if (status == STATUS_SUCCESS) {
        memset(&arguments, 0, sizeof(arguments));
        fill_call(adapter, engine, allocation, operation, &arguments);
        fill_buffer(adapter, engine, paging, operation, &arguments);
        arguments.MultipassOffset = multipass;
        status = ask(adapter, link, paging, &arguments, &written);
    }
    answer->built.written = written > answer->built.written ? written : answer->built.written;
    answer->built.multipass_offset = link->multipass_offset;
    return status;
}

/* The answers of two physical adapters as one: an error, else BUSY, else INSUFFICIENT. */
static NTSTATUS worse_of(NTSTATUS one, NTSTATUS other)
{
    NTSTATUS order[] = {STATUS_SUCCESS, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER,
                        STATUS_GRAPHICS_ALLOCATION_BUSY};
    size_t index;

    for (index = 0; index < sizeof(order) / sizeof(order[0]); index++) {
        if (one == order[index])
            return other;
        if (other == order[index])
            return one;
    }
    return one;
}

/* The physical adapters of a link that the operation is for, a bit each. With page tables a program
 * chooses which GPU runs what, so an allocation is paged by the one that it belongs to. */
static uint32_t engines_for(const struct vidmm_adapter *adapter,
                            const struct vidmm_allocation *allocation,
                            const struct vidmm_operation *operation)
{
    uint32_t every = (1u << adapter->link_count) - 1;

    if (adapter->model != VIDMM_MODEL_GPU_MMU)
        return every;
    if (operation->build.operation == VIDMM_UPDATE_PAGE_TABLE && operation->table.adapter != 0)
        return 1u << (operation->table.adapter - 1); /* obeys D-228 */
    return allocation && allocation->h_allocation ? 1u << allocation->physical_adapter : every;
}

/* Ask every physical adapter of a link that has not built all of it yet. */
static NTSTATUS build_linked(struct vidmm_adapter *adapter, struct vidmm_allocation *allocation,
                             const struct vidmm_operation *operation, struct vidmm_event *answer)
{
    uint32_t engines = engines_for(adapter, allocation, operation), engine;
    NTSTATUS worst = STATUS_SUCCESS, status;

    VIDMM_ASSERT(vidmm_adapter_is_linked(adapter));
    for (engine = 0; engine < adapter->link_count; engine++) {
        struct vidmm_link *link = adapter->miniport->links[engine];

        if (!adapter->miniport->build_again) {
            link->multipass_offset = 0; /* obeys S4-015 */
            link->built = (engines >> engine & 1) == 0;
        }
        if (!link->built) {
            status = build_for(adapter, engine, allocation, operation, answer);
            link->built = status == STATUS_SUCCESS;
            worst = worse_of(worst, status);
        }
    }
    adapter->miniport->build_again = worst != STATUS_SUCCESS;
    return worst;
}

/* Whether the content of what the driver has given up would be needed for it. */
static bool moves_content(const struct vidmm_operation *operation)
{
    return operation->build.operation != VIDMM_UNMAP_APERTURE_SEGMENT &&
           operation->build.operation != VIDMM_UPDATE_PAGE_TABLE &&
           operation->build.operation != VIDMM_FLUSH_TLB;
}

/* obeys S0-019: the GPU is to read or write what the CPU may have written */
static void give_caches(const struct vidmm_adapter *adapter, struct vidmm_allocation *allocation,
                        const struct vidmm_operation *operation)
{
    if (operation->build.operation == VIDMM_TRANSFER)
        vidmm_cache_give(allocation, is_backing(adapter, operation->build.destination.segment));
    if (operation->build.operation == VIDMM_TRANSFER_VIRTUAL)
        vidmm_cache_give(allocation, is_backing(adapter, operation->table.at.segment));
}

/* obeys D-268: the CPU's page tables follow what the aperture shows, or would show */
static void share(struct vidmm_allocation *allocation, const struct vidmm_operation *operation)
{
    if (allocation && operation->build.operation == VIDMM_MAP_APERTURE_SEGMENT)
        vidmm_shared_address_show(allocation);
    if (allocation && operation->build.operation == VIDMM_UNMAP_APERTURE_SEGMENT)
        vidmm_shared_address_hide(allocation);
}

void vidmm_ddi_build(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                     struct vidmm_event *answer)
{
    struct vidmm_allocation *allocation = vidmm_allocation_of(adapter, operation->allocation);

    VIDMM_ASSERT(adapter->pumping && operation->kind == VIDMM_DO_BUILD);
    VIDMM_ASSERT(allocation || vidmm_is_virtual(operation));
    refresh_all(adapter, operation->build.paging_buffer); /* obeys S4-006 */
    share(allocation, operation);
    if (vidmm_is_for_nobody(allocation, operation) ||
        (allocation && is_given_up(allocation) && moves_content(operation))) {
        *answer = (struct vidmm_event){.kind = VIDMM_EVENT_BUILT};
        return;
    }
    give_caches(adapter, allocation, operation);
    answer->kind = VIDMM_EVENT_BUILT;
    answer->built.written = 0;
    answer->built.status = (uint32_t)(vidmm_adapter_is_linked(adapter)
                                          ? build_linked(adapter, allocation, operation, answer)
                                          : build_for(adapter, 0, allocation, operation, answer));
    if (operation->build.operation == VIDMM_MAP_APERTURE_SEGMENT)
        allocation->in_aperture = true;
    if (operation->build.operation == VIDMM_UNMAP_APERTURE_SEGMENT &&
        answer->built.status == (uint32_t)STATUS_SUCCESS)
        allocation->in_aperture = false;
    if (operation->build.operation == VIDMM_UNMAP_APERTURE_SEGMENT &&
        answer->built.status == (uint32_t)STATUS_SUCCESS)
        vidmm_aperture_address_take(allocation, operation->build.destination.segment,
                                    operation->build.destination.offset);
    if (operation->build.operation == VIDMM_INIT_CONTEXT_RESOURCE && allocation->incoherent &&
        allocation->backing.address) /* obeys S0-019: the driver's writes by that address */
        vidmm_backing_flush(&allocation->backing, adapter->host);
}
