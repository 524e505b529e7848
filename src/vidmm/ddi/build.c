/* build.c: operations of the engine as calls of the miniport.
 *
 * The only file that knows both spellings of a paging operation. What is added here and nowhere
 * else: BaseAddress, handles, MDLs, the paging buffer's pointer and what is left of it.
 *
 * Source: DXGKDDI_BUILDPAGINGBUFFER, DXGKARG_BUILDPAGINGBUFFER, DXGKARG_PATCH,
 * DXGKARG_SUBMITCOMMAND.
 */
#include "vidmm/object/seen.h"

#include "wddm/level.h"

/* ---- addresses ------------------------------------------------------------------------------- */

static LONGLONG address_of(const struct vidmm_adapter *adapter, struct vidmm_place place)
{
    uint64_t base = adapter->segments[place.segment].info.base_address;

    if (VIDMM_LIES(VIDMM_LIE_BARE_OFFSET))
        base = 0;
    return (LONGLONG)(base + place.offset); /* obeys D-007 */
}

static struct vidmm_allocation *allocation_of(struct vidmm_adapter *adapter, uint32_t id)
{
    struct vidmm_allocation *allocation;

    vidmm_adapter_lock(adapter);
    allocation = vidmm_slot_find(&adapter->handles, id - 1, VIDMM_HANDLE_ALLOCATION);
    vidmm_adapter_unlock(adapter);
    return allocation;
}

/* ---- BuildPagingBuffer ----------------------------------------------------------------------- */

static void fill_transfer(const struct vidmm_adapter *adapter,
                          const struct vidmm_allocation *allocation, MDL *mdl,
                          const struct vidmm_operation *operation,
                          DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    uint64_t offset = operation->build.transfer_offset;
    struct vidmm_place source = operation->build.source;
    struct vidmm_place destination = operation->build.destination;

    arguments->Transfer.hAllocation = allocation->h_allocation;
    arguments->Transfer.TransferOffset = (UINT)offset; /* obeys D-070: for the segment side */
    arguments->Transfer.TransferSize = operation->build.size;
    arguments->Transfer.MdlOffset = (UINT)(offset >> VIDMM_PAGE_SHIFT); /* obeys D-071 */
    if (VIDMM_LIES(VIDMM_LIE_MDL_BYTES))
        arguments->Transfer.MdlOffset = (UINT)offset;
    if (VIDMM_LIES(VIDMM_LIE_MDL_TRANSFER))
        arguments->Transfer.MdlOffset = 0;
    arguments->Transfer.Source.SegmentId = source.segment;
    if (source.segment == 0)
        arguments->Transfer.Source.pMdl = mdl; /* obeys S4-056 */
    else
        arguments->Transfer.Source.SegmentAddress.QuadPart = address_of(adapter, source);
    arguments->Transfer.Destination.SegmentId = destination.segment;
    if (destination.segment == 0)
        arguments->Transfer.Destination.pMdl = mdl;
    else
        arguments->Transfer.Destination.SegmentAddress.QuadPart = address_of(adapter, destination);
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

/* obeys D-097: none of a primary's, and for what is shared one owner as long as it lives */
static HANDLE owner_of(const struct vidmm_allocation *allocation)
{
    return allocation->primary ? NULL : allocation->device->h_device;
}

static void fill_map(const struct vidmm_adapter *adapter, const struct vidmm_allocation *allocation,
                     MDL *mdl, const struct vidmm_operation *operation,
                     DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    uint32_t segment = operation->build.destination.segment;

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
    arguments->UnmapApertureSegment.hDevice = owner_of(allocation);
    arguments->UnmapApertureSegment.hAllocation = allocation->h_allocation;
    arguments->UnmapApertureSegment.SegmentId = operation->build.destination.segment;
    arguments->UnmapApertureSegment.OffsetInPages =
        operation->build.destination.offset >> VIDMM_PAGE_SHIFT;
    arguments->UnmapApertureSegment.NumberOfPages = operation->build.size >> VIDMM_PAGE_SHIFT;
    arguments->UnmapApertureSegment.DummyPage.QuadPart =
        (LONGLONG)(adapter->dummy_frame << VIDMM_PAGE_SHIFT); /* obeys S4-045 */
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

    arguments->SpecialLockTransfer.hAllocation = allocation->h_allocation;
    arguments->SpecialLockTransfer.TransferSize = operation->build.size;
    arguments->SpecialLockTransfer.Source.SegmentId = source.segment;
    arguments->SpecialLockTransfer.Destination.SegmentId = destination.segment;
    if (source.segment == 0) {
        arguments->SpecialLockTransfer.Source.pMdl = allocation->alternate->backing.mdl;
        arguments->SpecialLockTransfer.Destination.SegmentAddress.QuadPart =
            address_of(adapter, destination);
    } else {
        arguments->SpecialLockTransfer.Source.SegmentAddress.QuadPart = address_of(adapter, source);
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
    arguments->InitContextResource.hAllocation = allocation->h_allocation;
    arguments->InitContextResource.Destination.SegmentId = operation->build.destination.segment;
    arguments->InitContextResource.Destination.SegmentAddress.QuadPart =
        address_of(adapter, operation->build.destination);
    /* mapped only where the driver may have it: obeys D-137 */
    arguments->InitContextResource.Destination.VirtualAddress = allocation->backing.address;
}

static void fill_arguments(const struct vidmm_adapter *adapter,
                           const struct vidmm_allocation *allocation, MDL *mdl,
                           const struct vidmm_operation *operation,
                           DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    LONGLONG destination = address_of(adapter, operation->build.destination);

    arguments->Operation = (DXGK_BUILDPAGINGBUFFER_OPERATION)operation->build.operation;
    arguments->MultipassOffset = operation->build.multipass_offset; /* obeys S4-015, S4-016 */
    switch (operation->build.operation) {
    case VIDMM_TRANSFER:
        fill_transfer(adapter, allocation, mdl, operation, arguments);
        break;
    case VIDMM_SPECIAL_LOCK_TRANSFER:
        fill_special(adapter, allocation, operation, arguments);
        break;
    case VIDMM_FILL:
        arguments->Fill.hAllocation = allocation->h_allocation;
        arguments->Fill.FillSize = operation->build.size;
        arguments->Fill.FillPattern = 0;
        arguments->Fill.Destination.SegmentId = operation->build.destination.segment;
        arguments->Fill.Destination.SegmentAddress.QuadPart = destination;
        break;
    case VIDMM_INIT_CONTEXT_RESOURCE:
        fill_init(adapter, allocation, operation, arguments);
        break;
    case VIDMM_DISCARD_CONTENT:
        arguments->DiscardContent.hAllocation = allocation->h_allocation;
        arguments->DiscardContent.Flags.AllocationIsIdle =
            (operation->build.flags & VIDMM_PAGING_IDLE) != 0;
        arguments->DiscardContent.SegmentId = operation->build.destination.segment;
        arguments->DiscardContent.SegmentAddress.QuadPart = destination;
        break;
    case VIDMM_READ_PHYSICAL: /* which allocation it is for, the driver is not told */
        arguments->ReadPhysical.SegmentId = operation->build.destination.segment;
        arguments->ReadPhysical.PhysicalAddress.QuadPart = destination;
        break;
    case VIDMM_WRITE_PHYSICAL:
        arguments->WritePhysical.SegmentId = operation->build.destination.segment;
        arguments->WritePhysical.PhysicalAddress.QuadPart = destination;
        break;
    case VIDMM_MAP_APERTURE_SEGMENT:
        fill_map(adapter, allocation, mdl, operation, arguments);
        break;
    default:
        fill_unmap(adapter, allocation, operation, arguments);
        break;
    }
}

/* The memory of a paging buffer; 1 is the bootstrap buffer's. */
static struct vidmm_paging_memory *memory_of(struct vidmm_adapter *adapter, uint32_t engine,
                                             uint32_t paging_buffer)
{
    if (VIDMM_LIES(VIDMM_LIE_EARLY_REUSE) && paging_buffer > 2)
        paging_buffer = 2;
    return vidmm_paging_of(adapter, engine, paging_buffer);
}

/* A buffer that comes round again: poison where the commands were. Its private data is the driver's
 * from the first use on, and stays as the driver left it (D-013). */
static void refresh(const struct vidmm_adapter *adapter, struct vidmm_paging_memory *paging)
{
    if (paging->fresh)
        return;
    paging->fresh = true;
    paging->used = 0;
    paging->private_used = 0;
    if (adapter->options.poison)
        memset(paging->memory.backing.address, 0xdb, paging->memory.size);
}

void vidmm_kmd_forget_paging(struct vidmm_adapter *adapter)
{
    uint32_t engine, id;

    for (engine = 0; engine < adapter->link_count; engine++)
        for (id = 1; id < VIDMM_PAGING_BUFFERS; id++)
            memory_of(adapter, engine, id)->fresh = false;
}

/* What the driver wrote; it may have answered a pointer outside the buffer. */
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
        if (end > start + paging->memory.size && adapter->call_fails == VIDMM_REASON_NONE)
            adapter->call_fails = VIDMM_REASON_OVERRUN; /* obeys S4-010 */
        return STATUS_INVALID_PARAMETER; /* S4-009: no status of this call, so it ends the adapter
                                            */
    }
    bytes = (uint64_t)(end - (start + paging->used));
    *written = bytes > *written ? bytes : *written;
    paging->used = (uint32_t)(end - start);
    if (paging->memory.private_size > 0)
        paging->private_used = (uint32_t)(private_end - private_start);
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
    bool maps =
        operation == VIDMM_MAP_APERTURE_SEGMENT || operation == VIDMM_UNMAP_APERTURE_SEGMENT;

    if (maps && status != STATUS_SUCCESS && status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER) {
        vidmm_seen(adapter, VIDMM_RULE_D_030,
                   operation == VIDMM_MAP_APERTURE_SEGMENT ? "status of MapApertureSegment"
                                                           : "status of UnmapApertureSegment",
                   (uint32_t)status);
    }
}

/* Ask one physical adapter. */
static NTSTATUS build_for(struct vidmm_adapter *adapter, uint32_t engine,
                          struct vidmm_allocation *allocation,
                          const struct vidmm_operation *operation, struct vidmm_event *answer)
{
    struct vidmm_paging_memory *paging = memory_of(adapter, engine, operation->build.paging_buffer);
    struct vidmm_link *link = adapter->links[engine];
    DXGKARG_BUILDPAGINGBUFFER arguments;
    NTSTATUS status;

    refresh(adapter, paging);
    memset(&arguments, 0, sizeof(arguments));
    arguments.pDmaBuffer = (uint8_t *)paging->memory.backing.address + paging->used;
    arguments.DmaSize = paging->memory.size - paging->used; /* obeys D-076: packed tightly */
    if (paging->memory.private_size > 0) {
        arguments.pDmaBufferPrivateData =
            (uint8_t *)paging->memory.private_data + paging->private_used;
        arguments.DmaBufferPrivateDataSize = paging->memory.private_size - paging->private_used;
    }
    fill_arguments(adapter, allocation, vidmm_backing_of(allocation, engine)->mdl, operation,
                   &arguments);
    if (vidmm_adapter_is_linked(adapter))
        arguments.MultipassOffset = link->multipass_offset;
    status = adapter->driver.DxgkDdiBuildPagingBuffer(link->h_adapter, &arguments);
    judge_mapping(adapter, operation->build.operation, status);
    adapter->call_fails = vidmm_command_memory_was_overrun(&paging->memory);
    status = take_pointers(adapter, paging, &arguments, status, &answer->built.written);
    link->multipass_offset = arguments.MultipassOffset;
    answer->built.multipass_offset = arguments.MultipassOffset;
    return status;
}

/* What the answers of two physical adapters come to: an error, else BUSY, else INSUFFICIENT. */
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

/* Ask every physical adapter of a link that has not built all of it yet. */
static NTSTATUS build_linked(struct vidmm_adapter *adapter, struct vidmm_allocation *allocation,
                             const struct vidmm_operation *operation, struct vidmm_event *answer)
{
    NTSTATUS worst = STATUS_SUCCESS, status;
    uint32_t engine;

    for (engine = 0; engine < adapter->link_count; engine++) {
        struct vidmm_link *link = adapter->links[engine];

        if (!adapter->build_again) {
            link->multipass_offset = 0; /* obeys S4-015 */
            link->built = false;
        }
        if (!link->built) {
            status = build_for(adapter, engine, allocation, operation, answer);
            link->built = status == STATUS_SUCCESS;
            worst = worse_of(worst, status);
        }
    }
    adapter->build_again = worst != STATUS_SUCCESS;
    return worst;
}

/* The same for all engines, where no driver is called: what stood there before is not submitted
 * again. */
static void refresh_all(struct vidmm_adapter *adapter, uint32_t paging_buffer)
{
    uint32_t engine;

    for (engine = 0; engine < adapter->link_count; engine++)
        refresh(adapter, memory_of(adapter, engine, paging_buffer));
}

/* A context allocation whose handle the driver has given up while its paging could not end: of what
 * is left of it, it hears no more than the unmap. */
static bool is_given_up(const struct vidmm_allocation *allocation,
                        const struct vidmm_operation *operation)
{
    return allocation->context_allocation && !allocation->h_allocation &&
           operation->build.operation != VIDMM_UNMAP_APERTURE_SEGMENT;
}

static void build(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                  struct vidmm_event *answer)
{
    struct vidmm_allocation *allocation = allocation_of(adapter, operation->allocation);

    if (is_given_up(allocation, operation)) {
        refresh_all(adapter, operation->build.paging_buffer);
        *answer = (struct vidmm_event){.kind = VIDMM_EVENT_BUILT};
        return;
    }
    if (operation->build.operation == VIDMM_TRANSFER) /* obeys S0-019: the backing store's turn */
        vidmm_cache_give(allocation, is_backing(adapter, operation->build.destination.segment));
    answer->kind = VIDMM_EVENT_BUILT;
    answer->built.written = 0;
    answer->built.status = (uint32_t)(vidmm_adapter_is_linked(adapter)
                                          ? build_linked(adapter, allocation, operation, answer)
                                          : build_for(adapter, 0, allocation, operation, answer));
    if (operation->build.operation == VIDMM_INIT_CONTEXT_RESOURCE && allocation->incoherent &&
        allocation->backing.address) /* obeys S0-019: what the driver wrote by that address */
        vidmm_backing_flush(&allocation->backing, adapter->host);
}

/* ---- Patch and SubmitCommand ----------------------------------------------------------------- */

/* What both calls say about a packet. */
struct packet {
    HANDLE context;
    const struct vidmm_command_memory *memory;
    uint32_t start, end, private_start, private_end;
    uint32_t patch_first, patch_count; /* patch locations of this part */
    uint32_t fence, node, engine;
    bool paging, present, null_rendering, switches;
    bool again; /* it was preempted */
};

static NTSTATUS patch(struct vidmm_adapter *adapter, const struct packet *packet,
                      const struct vidmm_dma_buffer *dma_buffer)
{
    DXGKARG_PATCH arguments;
    NTSTATUS status;

    if (VIDMM_LIES(VIDMM_LIE_NO_PATCH) || (packet->paging && !adapter->options.patch_paging))
        return STATUS_SUCCESS;
    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = packet->context;
    arguments.DmaBufferSegmentId = packet->memory->place.segment;
    arguments.DmaBufferPhysicalAddress.QuadPart =
        (LONGLONG)vidmm_command_memory_address(adapter, packet->memory); /* obeys D-081, D-321 */
    arguments.pDmaBuffer = packet->memory->backing.address;
    arguments.DmaBufferSize = packet->memory->size; /* obeys D-322 */
    arguments.DmaBufferSubmissionStartOffset = packet->start;
    arguments.DmaBufferSubmissionEndOffset = packet->end;
    arguments.pDmaBufferPrivateData = packet->memory->private_data;
    arguments.DmaBufferPrivateDataSize = packet->memory->private_size;
    arguments.DmaBufferPrivateDataSubmissionStartOffset = packet->private_start;
    arguments.DmaBufferPrivateDataSubmissionEndOffset = packet->private_end;
    if (dma_buffer) { /* a paging buffer has no lists: obeys S4-007, D-325 */
        arguments.pAllocationList = dma_buffer->allocation_list;
        arguments.AllocationListSize = dma_buffer->list_count;
        arguments.pPatchLocationList = dma_buffer->patch_list;
        arguments.PatchLocationListSize = dma_buffer->patch_count;
        arguments.PatchLocationListSubmissionStart = packet->patch_first;
        arguments.PatchLocationListSubmissionLength = packet->patch_count;
    }
    arguments.SubmissionFenceId = packet->fence; /* obeys D-326 */
    arguments.Flags.Paging = packet->paging;
    arguments.Flags.Present = packet->present;
    arguments.Flags.NullRendering = packet->null_rendering;
    arguments.EngineOrdinal = packet->engine;
    status = adapter->driver.DxgkDdiPatch(adapter->h_adapter, &arguments);
    if (status != STATUS_SUCCESS)
        adapter->call_fails = VIDMM_REASON_PATCH_FAILED; /* obeys D-079 */
    return status;
}

static NTSTATUS submit_at_dispatch(struct vidmm_adapter *adapter,
                                   const DXGKARG_SUBMITCOMMAND *arguments)
{
    uint8_t irql = adapter->host->raise_irql(adapter->host->context, VIDMM_DISPATCH_LEVEL);
    NTSTATUS status = adapter->driver.DxgkDdiSubmitCommand(adapter->h_adapter, arguments);

    adapter->host->lower_irql(adapter->host->context, irql); /* obeys D-313 */
    return status;
}

static NTSTATUS submit(struct vidmm_adapter *adapter, const struct packet *packet)
{
    DXGKARG_SUBMITCOMMAND arguments;

    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = packet->context;
    arguments.DmaBufferSegmentId = packet->memory->place.segment;
    arguments.DmaBufferPhysicalAddress.QuadPart =
        (LONGLONG)vidmm_command_memory_address(adapter, packet->memory);
    arguments.DmaBufferSize = packet->memory->size;
    arguments.DmaBufferSubmissionStartOffset = packet->start;
    arguments.DmaBufferSubmissionEndOffset = packet->end;
    arguments.pDmaBufferPrivateData = packet->memory->private_data;
    arguments.DmaBufferPrivateDataSize = packet->memory->private_size;
    arguments.DmaBufferPrivateDataSubmissionStartOffset = packet->private_start;
    arguments.DmaBufferPrivateDataSubmissionEndOffset = packet->private_end;
    arguments.SubmissionFenceId = packet->fence;
    arguments.Flags.Paging = packet->paging; /* obeys D-080 */
    arguments.Flags.Present = packet->present;
    arguments.Flags.NullRendering = packet->null_rendering; /* obeys D-258 */
    arguments.Flags.ContextSwitch = packet->switches;       /* obeys D-256 */
    arguments.NodeOrdinal = packet->node;                   /* obeys D-320 */
    arguments.EngineOrdinal = packet->engine;
    arguments.Flags.Resubmission = packet->again && adapter->level >= VIDMM_LEVEL(2, 0);
    vidmm_kmd_resume(adapter, UINT64_C(1) << packet->node);
    return submit_at_dispatch(adapter, &arguments);
}

static NTSTATUS send(struct vidmm_adapter *adapter, const struct packet *packet,
                     const struct vidmm_dma_buffer *dma_buffer)
{
    NTSTATUS status = patch(adapter, packet, dma_buffer);

    return status == STATUS_SUCCESS ? submit(adapter, packet) : status;
}

static NTSTATUS submit_paging_to(struct vidmm_adapter *adapter, uint32_t engine,
                                 const struct vidmm_operation *operation)
{
    struct vidmm_paging_memory *paging =
        memory_of(adapter, engine, operation->submit_paging.paging_buffer);
    HANDLE context =
        engine == 0 ? adapter->h_system_context : adapter->links[engine]->h_system_context;
    struct packet packet = {
        .context = adapter->options.system_context ? context : NULL,
        .memory = &paging->memory,
        .end = paging->used,
        .private_end = paging->private_used,
        .fence = operation->submit_paging.fence,
        .again = operation->submit_paging.again != 0,
        .node = adapter->multi_engine ? adapter->caps.MemoryManagementCaps.PagingNode : 0,
        .engine = engine,
        .paging = true,
    };

    paging->fresh = false;
    return send(adapter, &packet, NULL);
}

/* The engines whose driver wrote something into the paging buffer; all, if none did. */
static uint32_t engines_of(struct vidmm_adapter *adapter, uint32_t paging_buffer)
{
    uint32_t all = (1u << adapter->link_count) - 1, engines = 0, engine;

    for (engine = 0; engine < adapter->link_count; engine++)
        engines |= (uint32_t)(memory_of(adapter, engine, paging_buffer)->used > 0) << engine;
    return engines == 0 ? all : engines;
}

static NTSTATUS submit_paging(struct vidmm_adapter *adapter,
                              const struct vidmm_operation *operation)
{
    uint32_t engines, engine;
    NTSTATUS status = STATUS_SUCCESS;

    if (!vidmm_adapter_is_linked(adapter))
        return submit_paging_to(adapter, 0, operation);
    engines = engines_of(adapter, operation->submit_paging.paging_buffer);
    vidmm_linked_submitted(
        adapter, adapter->multi_engine ? adapter->caps.MemoryManagementCaps.PagingNode : 0,
        operation->submit_paging.fence, engines);
    for (engine = 0; engine < adapter->link_count && status == STATUS_SUCCESS; engine++)
        if ((engines >> engine & 1) != 0)
            status = submit_paging_to(adapter, engine, operation);
        else
            memory_of(adapter, engine, operation->submit_paging.paging_buffer)->fresh = false;
    return status;
}

static void name_engine(struct packet *packet, const struct vidmm_dma_buffer *dma_buffer,
                        uint32_t engine)
{
    packet->engine = engine;
    packet->context = vidmm_context_handle(dma_buffer->context, engine);
}

/* Every engine of a link runs it, in its own context. All is patched before one begins: they share
 * the bytes. */
static NTSTATUS broadcast(struct vidmm_adapter *adapter, struct packet *packet,
                          const struct vidmm_dma_buffer *dma_buffer)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t engine;

    vidmm_linked_submitted(adapter, packet->node, packet->fence, (1u << adapter->link_count) - 1);
    for (engine = 0; engine < adapter->link_count && status == STATUS_SUCCESS; engine++) {
        name_engine(packet, dma_buffer, engine);
        status = patch(adapter, packet, dma_buffer);
    }
    for (engine = 0; engine < adapter->link_count && status == STATUS_SUCCESS; engine++) {
        name_engine(packet, dma_buffer, engine);
        status = submit(adapter, packet);
    }
    return status;
}

static NTSTATUS submit_dma_buffer(struct vidmm_adapter *adapter,
                                  const struct vidmm_operation *operation)
{
    const struct vidmm_dma_buffer *dma_buffer;
    struct packet packet;

    vidmm_adapter_lock(adapter);
    dma_buffer = vidmm_slot_find(&adapter->dma_buffers, operation->submit.dma_buffer - 1,
                                 VIDMM_HANDLE_ALLOCATION);
    vidmm_adapter_unlock(adapter);
    packet = (struct packet){
        .context = vidmm_context_handle(dma_buffer->context, 0),
        .memory = &dma_buffer->memory,
        .start = operation->submit.start,
        .end = operation->submit.end,
        .private_end = dma_buffer->private_used, /* start 0: obeys D-082 */
        .patch_first = operation->submit.patch_first,
        .patch_count = dma_buffer->splits ? operation->submit.patch_count : dma_buffer->patch_count,
        .fence = operation->submit.fence,
        .node = operation->submit.node,
        .present = dma_buffer->present,
        .null_rendering = adapter->options.null_rendering,
        .again = operation->submit.again != 0,
    };
    return vidmm_adapter_is_linked(adapter) ? broadcast(adapter, &packet, dma_buffer)
                                            : send(adapter, &packet, dma_buffer);
}

/* Leave the context that the node runs: there are no commands, and the address is that of a buffer
 * that is always there (D-334). */
static NTSTATUS submit_switch(struct vidmm_adapter *adapter,
                              const struct vidmm_operation *operation)
{
    struct vidmm_command_memory empty = memory_of(adapter, 0, 1)->memory;
    struct packet packet = {.memory = &empty,
                            .fence = operation->switching.fence,
                            .node = operation->switching.node,
                            .paging = operation->switching.paging != 0,
                            .switches = true};
    const struct vidmm_context *context;
    NTSTATUS status = STATUS_SUCCESS;

    empty.size = empty.private_size = 0;
    empty.private_data = NULL;
    if (vidmm_adapter_is_linked(adapter))
        vidmm_linked_submitted(adapter, packet.node, packet.fence, (1u << adapter->link_count) - 1);
    for (; packet.engine < adapter->link_count && status == STATUS_SUCCESS; packet.engine++) {
        vidmm_adapter_lock(adapter);
        context = vidmm_slot_find(&adapter->handles, operation->switching.context - 1,
                                  VIDMM_HANDLE_CONTEXT);
        /* it may be destroyed, and the GPU still holds what is left of it */
        packet.context = context ? vidmm_context_handle(context, packet.engine) : NULL;
        vidmm_adapter_unlock(adapter);
        status = submit(adapter, &packet);
    }
    return status;
}

/* ---- the GART -------------------------------------------------------------------------------- */

/* Whether the operation is one that the miniport is not asked for (D-033). */
static bool is_for_gart(const struct vidmm_adapter *adapter,
                        const struct vidmm_operation *operation)
{
    return (operation->build.operation == VIDMM_MAP_APERTURE_SEGMENT ||
            operation->build.operation == VIDMM_UNMAP_APERTURE_SEGMENT) &&
           vidmm_segment_is_agp(adapter, operation->build.destination.segment);
}

static void map_by_gart(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                        struct vidmm_event *answer)
{
    const struct vidmm_allocation *allocation = allocation_of(adapter, operation->allocation);
    const struct vidmm_host *host = adapter->host;
    uint64_t first = operation->build.destination.offset >> VIDMM_PAGE_SHIFT;
    uint64_t count = operation->build.size >> VIDMM_PAGE_SHIFT;

    if (operation->build.operation == VIDMM_MAP_APERTURE_SEGMENT) {
        host->map_agp(host->context, first, count,
                      (const uint64_t *)(const void *)(allocation->backing.mdl + 1));
    } else {
        host->unmap_agp(host->context, first, count);
    }
    answer->kind = VIDMM_EVENT_BUILT;
    answer->built.status = (uint32_t)STATUS_SUCCESS;
    answer->built.multipass_offset = 0;
    answer->built.written = 0;
}

static void call(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                 struct vidmm_event *answer)
{
    switch (operation->kind) {
    case VIDMM_DO_BUILD:
        if (is_for_gart(adapter, operation)) {
            map_by_gart(adapter, operation, answer); /* obeys D-033 */
            return;
        }
        build(adapter, operation, answer);
        return;
    case VIDMM_DO_ACQUIRE_RANGE:
    case VIDMM_DO_RELEASE_RANGE:
        vidmm_kmd_range(adapter, operation, answer);
        return;
    case VIDMM_DO_QUERY_FENCE:
    case VIDMM_DO_PREEMPT:
    case VIDMM_DO_QUERY_ENGINE:
    case VIDMM_DO_QUERY_GROUP:
    case VIDMM_DO_RESET_ENGINE:
    case VIDMM_DO_RESET:
    case VIDMM_DO_RESTART:
        vidmm_kmd_recover(adapter, operation, answer);
        return;
    case VIDMM_DO_SUBMIT_PAGING:
        answer->submitted.status = (uint32_t)submit_paging(adapter, operation);
        break;
    case VIDMM_DO_CANCEL:
        answer->submitted.status = (uint32_t)vidmm_kmd_cancel(adapter, operation);
        break;
    case VIDMM_DO_SWITCH:
        answer->submitted.status = (uint32_t)submit_switch(adapter, operation);
        break;
    default:
        answer->submitted.status = (uint32_t)submit_dma_buffer(adapter, operation);
        break;
    }
    answer->kind = VIDMM_EVENT_SUBMITTED;
}

void vidmm_kmd_call(struct vidmm_adapter *adapter, const struct vidmm_operation *operation,
                    struct vidmm_event *answer)
{
    adapter->call_fails = VIDMM_REASON_NONE;
    call(adapter, operation, answer);
    if (adapter->call_fails != VIDMM_REASON_NONE) {
        uint32_t status = answer->kind == VIDMM_EVENT_SUBMITTED ? answer->submitted.status : 0;

        *answer = (struct vidmm_event){.kind = VIDMM_EVENT_FAIL};
        answer->fail.reason = adapter->call_fails;
        answer->fail.status = status;
    }
}
