/*
 * Theory. A command is written only when there is room for it; a Transfer or Map also goes in
 * parts, as many pages at a time as the room has runs for. MultipassOffset is the number of pages
 * done, so a call that is repeated goes on where the last one stopped, whatever the buffer (obeys
 * S4-014).
 *
 *     page frames of the MDL    17 18 19  4  9 10
 *     runs in the command       {17, 3} {4, 1} {9, 2}
 */
#include "softgpu/driver_writer.h"

#include "softgpu/driver_private.h"

static PPFN_NUMBER frames_of(MDL *mdl)
{
    return (PPFN_NUMBER)(mdl + 1);
}

static UINT64 pages_of_mdl(const MDL *mdl)
{
    return ((UINT64)mdl->ByteOffset + mdl->ByteCount + SOFTGPU_PAGE_SIZE - 1) / SOFTGPU_PAGE_SIZE;
}

static UINT64 pages_of(UINT64 bytes)
{
    return (bytes + SOFTGPU_PAGE_SIZE - 1) / SOFTGPU_PAGE_SIZE;
}

/* Gather runs from frames[0 .. pages), as many as `most`; answers the pages they cover. */
static UINT64 gather_runs(uint64_t *runs, UINT most, const UINT64 *frames, UINT64 pages,
                          UINT *count)
{
    UINT64 done = 0;

    for (*count = 0; *count < most && done < pages; ++*count) {
        UINT64 first = frames[done], length = 1;

        while (done + length < pages && length < SOFTGPU_RUN_FRAMES &&
               frames[done + length] == first + length)
            length++;
        runs[*count] = first | (length - 1) << SOFTGPU_RUN_SHIFT;
        done += length;
    }
    return done;
}

/* ---- Transfer -------------------------------------------------------------------------------- */

static BOOLEAN is_pitch_aligned(const struct softgpu_adapter *adapter, UINT segment)
{
    const struct softgpu_registers *registers = adapter->registers;

    return segment - 1 < registers->segment_count &&
           (registers->segments[segment - 1].flags & SOFTGPU_SEGMENT_PITCH_ALIGNED) != 0;
}

/* The GPU's number of a segment: addresses of the AGP aperture are physical ones. */
static UINT segment_of(const struct softgpu_adapter *adapter, UINT segment)
{
    const struct softgpu_registers *registers = adapter->registers;
    BOOLEAN agp = segment - 1 < registers->segment_count &&
                  registers->segments[segment - 1].kind == SOFTGPU_SEGMENT_AGP;

    return agp ? 0 : segment;
}

/* Without an allocation bytes are copied, not surfaces: neither tiles nor pitch (obeys S4-027). */
static BOOLEAN is_raw(const struct softgpu_adapter *adapter, const DXGKARG_BUILDPAGINGBUFFER *args)
{
    return args->Transfer.hAllocation == NULL &&
           !softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_RAW_PITCHED);
}

/* Address of byte `offset` of what begins at `address` (obeys D-037: whose sizes differ here and in
 * system memory is reconciled by the driver), and whether it is in the GPU's own order. */
static struct softgpu_place place_of(const struct softgpu_adapter *adapter,
                                     const DXGKARG_BUILDPAGINGBUFFER *args, UINT segment,
                                     LARGE_INTEGER address, UINT64 offset, BOOLEAN tiled)
{
    struct softgpu_place place = {.segment = segment_of(adapter, segment)};
    BOOLEAN raw = is_raw(adapter, args);

    place.address = (UINT64)address.QuadPart +
                    (!raw && is_pitch_aligned(adapter, segment) ? softgpu_pitched(offset) : offset);
    if (raw)
        place.segment |= SOFTGPU_PLACE_RAW;
    else if (tiled)
        place.segment |= SOFTGPU_PLACE_TILED;
    return place;
}

/* In a transfer that changes the order of bytes, the segment's side has the GPU's own order. */
static struct softgpu_place source_of(const struct softgpu_adapter *adapter,
                                      const DXGKARG_BUILDPAGINGBUFFER *args, UINT64 offset)
{
    return place_of(adapter, args, args->Transfer.Source.SegmentId,
                    args->Transfer.Source.SegmentAddress, offset, args->Transfer.Flags.Unswizzle);
}

static struct softgpu_place destination_of(const struct softgpu_adapter *adapter,
                                           const DXGKARG_BUILDPAGINGBUFFER *args, UINT64 offset)
{
    return place_of(adapter, args, args->Transfer.Destination.SegmentId,
                    args->Transfer.Destination.SegmentAddress, offset,
                    args->Transfer.Flags.Swizzle);
}

BOOLEAN softgpu_encrypts(const struct softgpu_adapter *adapter, UINT segment)
{
    const struct softgpu_registers *registers = adapter->registers;

    for (UINT i = 0; i < registers->segment_count; i++)
        if ((segment == 0 || segment == i + 1) &&
            (registers->segments[i].flags & SOFTGPU_SEGMENT_CIPHER) != 0)
            return TRUE;
    return FALSE;
}

/* A side that encrypts what leaves it, and one that does not. obeys D-232 */
static UINT cipher_of(const struct softgpu_adapter *adapter, const DXGKARG_BUILDPAGINGBUFFER *args)
{
    UINT from = args->Transfer.Source.SegmentId, to = args->Transfer.Destination.SegmentId;
    BOOLEAN out = from != 0 && softgpu_encrypts(adapter, from);
    BOOLEAN in = to != 0 && softgpu_encrypts(adapter, to);

    return in != out && softgpu_is_protected(args->Transfer.hAllocation) ? SOFTGPU_PLACE_CIPHER : 0;
}

static NTSTATUS put_move(const struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                         const DXGKARG_BUILDPAGINGBUFFER *args)
{
    UINT64 offset = args->Transfer.TransferOffset;
    struct softgpu_op_transfer op = {
        .command = {.opcode = SOFTGPU_OP_TRANSFER, .size = sizeof(op)},
        .bytes = args->Transfer.TransferSize,
        .source = source_of(adapter, args, offset),
        .destination = destination_of(adapter, args, offset),
    };

    op.destination.segment |= cipher_of(adapter, args);
    return softgpu_put(writer, &op, sizeof(op));
}

/* The part of a transfer between an MDL and a segment that there is room for. */
static NTSTATUS put_pages(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                          DXGKARG_BUILDPAGINGBUFFER *args, MDL *mdl)
{
    BOOLEAN in = args->Transfer.Source.SegmentId == 0;
    UINT64 size = args->Transfer.TransferSize, done = args->MultipassOffset, pages, bytes;
    UINT64 offset = args->Transfer.TransferOffset + done * SOFTGPU_PAGE_SIZE;
    struct softgpu_op_transfer op = {.command = {.opcode = SOFTGPU_OP_TRANSFER}};
    struct softgpu_place *system = in ? &op.source : &op.destination;
    struct softgpu_place *local = in ? &op.destination : &op.source;
    UINT runs;

    pages = gather_runs(
        (uint64_t *)(void *)(writer->at + sizeof(op)), softgpu_room_for_words(writer, sizeof(op)),
        frames_of(mdl) + args->Transfer.MdlOffset + done, pages_of(size) - done, &runs);
    if (runs == 0)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    bytes = size - done * SOFTGPU_PAGE_SIZE;
    op.bytes = pages * SOFTGPU_PAGE_SIZE < bytes ? pages * SOFTGPU_PAGE_SIZE : bytes;
    if (done + pages == pages_of(size) &&
        softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_TRANSFER_LAST_PAGE))
        op.bytes = (pages - 1) * SOFTGPU_PAGE_SIZE;
    system->runs = runs;
    /* obeys D-070, D-071: TransferOffset moves the segment side, MdlOffset the page list */
    *local = in ? destination_of(adapter, args, offset) : source_of(adapter, args, offset);
    op.destination.segment |= cipher_of(adapter, args);
    op.command.size = (UINT)(sizeof(op) + runs * sizeof(uint64_t));
    memcpy(writer->at, &op, sizeof(op));
    softgpu_advance(writer, op.command.size);
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_MULTIPASS_RESTART))
        pages = 0;
    args->MultipassOffset = (UINT)(done + pages);
    return done + pages == pages_of(size) ? STATUS_SUCCESS
                                          : STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

static NTSTATUS put_transfer(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                             DXGKARG_BUILDPAGINGBUFFER *args)
{
    BOOLEAN in = args->Transfer.Source.SegmentId == 0;
    BOOLEAN out = args->Transfer.Destination.SegmentId == 0;
    MDL *mdl = in ? args->Transfer.Source.pMdl : args->Transfer.Destination.pMdl;
    UINT64 pages = pages_of(args->Transfer.TransferSize);

    if (args->Transfer.TransferSize == 0) /* obeys D-239: the content is gone, nothing to move */
        return STATUS_SUCCESS;
    if (!in && !out)
        return put_move(adapter, writer, args);
    if (in && out)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: both sides of a Transfer are MDLs");
    if (in ? args->Transfer.Flags.Unswizzle : args->Transfer.Flags.Swizzle)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: a Transfer %s system memory that is to %s",
                              in ? "from" : "to", in ? "unswizzle" : "swizzle");
    if (mdl == NULL || args->Transfer.MdlOffset + pages > pages_of_mdl(mdl) ||
        args->MultipassOffset >= pages)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: Transfer of %llu pages from page %u of an MDL of "
                              "%llu, MultipassOffset %u",
                              (unsigned long long)pages, args->Transfer.MdlOffset,
                              mdl != NULL ? (unsigned long long)pages_of_mdl(mdl) : 0,
                              args->MultipassOffset);
    return put_pages(adapter, writer, args, mdl);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static NTSTATUS put_fill(const struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                         const DXGKARG_BUILDPAGINGBUFFER *args)
{
    struct softgpu_op_fill op = {
        .command = {.opcode = SOFTGPU_OP_FILL, .size = sizeof(op)},
        .bytes = args->Fill.FillSize,
        .address = (UINT64)args->Fill.Destination.SegmentAddress.QuadPart,
        .segment = args->Fill.Destination.SegmentId,
        .pattern = args->Fill.FillPattern,
    };

    if (is_pitch_aligned(adapter, op.segment)) /* FillSize is of the range: so many rows */
        op.bytes = op.bytes / SOFTGPU_PITCH * SOFTGPU_ROW;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_FILL_TAIL))
        op.bytes &= ~(UINT64)(SOFTGPU_PAGE_SIZE - 1);
    return softgpu_put(writer, &op, sizeof(op));
}

static NTSTATUS put_init(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                         const DXGKARG_BUILDPAGINGBUFFER *args)
{
    struct softgpu_op_context op;
    NTSTATUS status;

    if (writer->room < sizeof(op))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    status = softgpu_describe_init(adapter, args, &op);
    return NT_SUCCESS(status) ? softgpu_put(writer, &op, sizeof(op)) : status;
}

/* One of a context: the GPU forgets what it knows of it. */
static NTSTATUS put_drop(struct softgpu_writer *writer,
                         const struct softgpu_context_allocation *allocation,
                         struct softgpu_op_discard *op)
{
    struct softgpu_op_context drop = {
        .command = {.opcode = SOFTGPU_OP_CONTEXT, .size = sizeof(drop)},
        .what = SOFTGPU_CONTEXT_DROP,
        .number = allocation->number,
    };

    if (writer->room < sizeof(*op) + sizeof(drop))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    op->bytes = allocation->size;
    softgpu_put(writer, op, sizeof(*op));
    return softgpu_put(writer, &drop, sizeof(drop));
}

static NTSTATUS put_discard(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                            const DXGKARG_BUILDPAGINGBUFFER *args)
{
    const struct softgpu_driver_allocation *allocation = args->DiscardContent.hAllocation;
    struct softgpu_op_discard op = {
        .command = {.opcode = SOFTGPU_OP_DISCARD, .size = sizeof(op)},
        .address = (UINT64)args->DiscardContent.SegmentAddress.QuadPart,
        .segment = args->DiscardContent.SegmentId,
    };

    if (softgpu_context_allocation_of(args->DiscardContent.hAllocation) != NULL)
        return put_drop(writer, softgpu_context_allocation_of(args->DiscardContent.hAllocation),
                        &op);
    if (allocation == NULL || allocation->kind != SOFTGPU_ALLOCATION)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: DiscardContent of no allocation");
    op.bytes = pages_of(softgpu_size_of(allocation)) * SOFTGPU_PAGE_SIZE;
    return softgpu_put(writer, &op, sizeof(op));
}

static NTSTATUS put_map(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                        DXGKARG_BUILDPAGINGBUFFER *args)
{
    UINT64 pages = args->MapApertureSegment.NumberOfPages, done = args->MultipassOffset, part;
    MDL *mdl = args->MapApertureSegment.pMdl;
    struct softgpu_op_map op = {
        .command = {.opcode = SOFTGPU_OP_MAP},
        .segment = args->MapApertureSegment.SegmentId,
        .flags = args->MapApertureSegment.Flags.CacheCoherent ? SOFTGPU_ENTRY_COHERENT : 0,
        .first = args->MapApertureSegment.OffsetInPages + done,
    };

    if (pages == 0)
        return STATUS_SUCCESS;
    if (mdl == NULL || args->MapApertureSegment.MdlOffset + pages > pages_of_mdl(mdl) ||
        done >= pages)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: MapApertureSegment of %llu pages from page %u of "
                              "an MDL of %llu, MultipassOffset %u",
                              (unsigned long long)pages, args->MapApertureSegment.MdlOffset,
                              mdl != NULL ? (unsigned long long)pages_of_mdl(mdl) : 0,
                              args->MultipassOffset);
    part = gather_runs(
        (uint64_t *)(void *)(writer->at + sizeof(op)), softgpu_room_for_words(writer, sizeof(op)),
        frames_of(mdl) + args->MapApertureSegment.MdlOffset + done, pages - done, &op.runs);
    if (op.runs == 0)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    op.pages = (UINT)part;
    op.command.size = (UINT)(sizeof(op) + op.runs * sizeof(uint64_t));
    memcpy(writer->at, &op, sizeof(op));
    softgpu_advance(writer, op.command.size);
    args->MultipassOffset = (UINT)(done + part);
    return done + part == pages ? STATUS_SUCCESS : STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

/* Gather runs of the pages of a list of either form, from page `done` on (obeys D-101, D-102). */
static UINT64 gather_adl(uint64_t *runs, UINT most, const DXGK_ADL *adl, UINT64 done, UINT64 pages,
                         UINT *count)
{
    UINT64 covered = 0;

    if (!adl->Flags.Contiguous)
        return gather_runs(runs, most, adl->Pages + done, pages, count);
    for (*count = 0; *count < most && covered < pages; ++*count) {
        UINT64 length = pages - covered < SOFTGPU_RUN_FRAMES ? pages - covered : SOFTGPU_RUN_FRAMES;

        runs[*count] = (adl->BasePageNumber + done + covered) | (length - 1) << SOFTGPU_RUN_SHIFT;
        covered += length;
    }
    return covered;
}

/* Whether the CPU's address of the pages is there when it should be (D-103, D-104). */
static BOOLEAN is_address_right(const struct softgpu_driver_allocation *allocation, PVOID address)
{
    DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 flags;

    if (allocation == NULL || allocation->kind != SOFTGPU_ALLOCATION)
        return TRUE;
    flags.Value = allocation->wanted.flags;
    return (address != NULL) == (flags.MapApertureCpuVisible && flags.AccessedPhysically);
}

static NTSTATUS put_map2(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                         DXGKARG_BUILDPAGINGBUFFER *args)
{
    UINT64 pages = args->MapApertureSegment2.NumberOfPages, done = args->MultipassOffset, part;
    const DXGK_ADL *adl = &args->MapApertureSegment2.Adl;
    UINT64 first = args->MapApertureSegment2.AdlOffset;
    struct softgpu_op_map op = {
        .command = {.opcode = SOFTGPU_OP_MAP},
        .segment = args->MapApertureSegment2.SegmentId,
        .flags = args->MapApertureSegment2.Flags.CacheCoherent ? SOFTGPU_ENTRY_COHERENT : 0,
        .first = args->MapApertureSegment2.OffsetInPages + done,
    };

    if (pages == 0)
        return STATUS_SUCCESS;
    if (first + pages > adl->PageCount || done >= pages ||
        !is_address_right(args->MapApertureSegment2.hAllocation,
                          args->MapApertureSegment2.CpuVisibleAddress))
        return softgpu_refuse(
            adapter, STATUS_INVALID_PARAMETER,
            "BuildPagingBuffer: MapApertureSegment2 of %llu pages from page %llu of "
            "an ADL of %u, %s CpuVisibleAddress",
            (unsigned long long)pages, (unsigned long long)first, adl->PageCount,
            args->MapApertureSegment2.CpuVisibleAddress != NULL ? "a" : "no");
    part = gather_adl((uint64_t *)(void *)(writer->at + sizeof(op)),
                      softgpu_room_for_words(writer, sizeof(op)), adl, first + done, pages - done,
                      &op.runs);
    if (op.runs == 0)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    op.pages = (UINT)part;
    op.command.size = (UINT)(sizeof(op) + op.runs * sizeof(uint64_t));
    memcpy(writer->at, &op, sizeof(op));
    softgpu_advance(writer, op.command.size);
    args->MultipassOffset = (UINT)(done + part);
    return done + part == pages ? STATUS_SUCCESS : STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

static NTSTATUS put_unmap(const struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                          const DXGKARG_BUILDPAGINGBUFFER *args)
{
    struct softgpu_op_unmap op = {
        .command = {.opcode = SOFTGPU_OP_UNMAP, .size = sizeof(op)},
        .segment = args->UnmapApertureSegment.SegmentId,
        .first = args->UnmapApertureSegment.OffsetInPages,
        .pages = args->UnmapApertureSegment.NumberOfPages,
        .physical = (UINT64)args->UnmapApertureSegment.DummyPage.QuadPart,
    };

    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_UNMAP_IGNORED))
        return STATUS_SUCCESS;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_UNMAP_TO_ZERO))
        op.physical = 0;
    return softgpu_put(writer, &op, sizeof(op));
}

static NTSTATUS put_access(const struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                           UINT segment, PHYSICAL_ADDRESS address, UINT write)
{
    struct softgpu_op_access op = {
        .command = {.opcode = SOFTGPU_OP_ACCESS, .size = sizeof(op)},
        .segment = segment_of(adapter, segment),
        .write = write,
        .address = (UINT64)address.QuadPart,
    };

    return softgpu_put(writer, &op, sizeof(op));
}

/* The allocation's bytes of those that an alternate address shows, which may be more (D-162): whole
 * pages. */
static UINT64 own_bytes(const DXGKARG_BUILDPAGINGBUFFER *args)
{
    const struct softgpu_driver_allocation *allocation = args->SpecialLockTransfer.hAllocation;
    UINT64 shown = args->SpecialLockTransfer.TransferSize;
    UINT64 own = allocation != NULL && allocation->kind == SOFTGPU_ALLOCATION
                     ? softgpu_size_of(allocation)
                     : shown;

    own = (own + SOFTGPU_PAGE_SIZE - 1) / SOFTGPU_PAGE_SIZE * SOFTGPU_PAGE_SIZE;
    return shown < own ? shown : own;
}

/* A transfer to or from the pages of an alternate address; there is no MdlOffset. */
static NTSTATUS put_special(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                            DXGKARG_BUILDPAGINGBUFFER *args)
{
    DXGKARG_BUILDPAGINGBUFFER transfer = *args;
    NTSTATUS status;

    transfer.Operation = DXGK_OPERATION_TRANSFER;
    transfer.Transfer.hAllocation = args->SpecialLockTransfer.hAllocation;
    transfer.Transfer.TransferOffset = args->SpecialLockTransfer.TransferOffset;
    transfer.Transfer.TransferSize = own_bytes(args);
    transfer.Transfer.Source.SegmentId = args->SpecialLockTransfer.Source.SegmentId;
    transfer.Transfer.Source.SegmentAddress = args->SpecialLockTransfer.Source.SegmentAddress;
    transfer.Transfer.Destination.SegmentId = args->SpecialLockTransfer.Destination.SegmentId;
    transfer.Transfer.Destination.SegmentAddress =
        args->SpecialLockTransfer.Destination.SegmentAddress;
    transfer.Transfer.Flags = args->SpecialLockTransfer.Flags;
    transfer.Transfer.MdlOffset = 0;
    status = put_transfer(adapter, writer, &transfer);
    args->MultipassOffset = transfer.MultipassOffset;
    return status;
}

static NTSTATUS refuse_operation(struct softgpu_adapter *adapter,
                                 const DXGKARG_BUILDPAGINGBUFFER *args)
{
    return softgpu_refuse(
        adapter, STATUS_NOT_SUPPORTED,
        "BuildPagingBuffer: operation %d is not for a driver of " SOFTGPU_LEVEL_FORMAT,
        (int)args->Operation, SOFTGPU_LEVEL(adapter));
}

static NTSTATUS write_operation(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                                DXGKARG_BUILDPAGINGBUFFER *args)
{
    switch (args->Operation) {
    case DXGK_OPERATION_TRANSFER:
        return put_transfer(adapter, writer, args);
    case DXGK_OPERATION_SPECIAL_LOCK_TRANSFER:
        return put_special(adapter, writer, args);
    case DXGK_OPERATION_FILL:
        return put_fill(adapter, writer, args);
    case DXGK_OPERATION_INIT_CONTEXT_RESOURCE:
        return put_init(adapter, writer, args);
    case DXGK_OPERATION_DISCARD_CONTENT:
        return put_discard(adapter, writer, args);
    case DXGK_OPERATION_READ_PHYSICAL:
        return put_access(adapter, writer, args->ReadPhysical.SegmentId,
                          args->ReadPhysical.PhysicalAddress, 0);
    case DXGK_OPERATION_WRITE_PHYSICAL:
        return put_access(adapter, writer, args->WritePhysical.SegmentId,
                          args->WritePhysical.PhysicalAddress, 1);
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        return put_map(adapter, writer, args);
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        return put_unmap(adapter, writer, args);
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT2:
        return put_map2(adapter, writer, args);
    case DXGK_OPERATION_VIRTUAL_TRANSFER:
    case DXGK_OPERATION_VIRTUAL_FILL:
    case DXGK_OPERATION_UPDATE_PAGE_TABLE:
    case DXGK_OPERATION_FLUSH_TLB:
    case DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES:
    case DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION:
    case DXGK_OPERATION_NOTIFY_RESIDENCY:
    case DXGK_OPERATION_SIGNAL_MONITORED_FENCE:
    case DXGK_OPERATION_NOTIFY_ALLOC:
        return softgpu_write_virtual(adapter, writer, args);
    default:
        return refuse_operation(adapter, args);
    }
}

NTSTATUS softgpu_write_operation(struct softgpu_adapter *adapter, DXGKARG_BUILDPAGINGBUFFER *args,
                                 UINT *commands)
{
    struct softgpu_writer writer = {.at = args->pDmaBuffer, .room = args->DmaSize};
    NTSTATUS status;

    if (((uintptr_t)args->pDmaBuffer & 7) != 0) /* D-076: it begins at a page, we write words */
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: pDmaBuffer is not where the last call left it");
    status = write_operation(adapter, &writer, args);
    args->pDmaBuffer = writer.at;
    *commands += writer.commands;
    return status;
}

/* ---- answers on demand ----------------------------------------------------------------------- */

/* Whether the operation may be answered BUSY, now. */
static BOOLEAN may_be_busy(const DXGKARG_BUILDPAGINGBUFFER *args, BOOLEAN idle_too)
{
    if (args->Operation == DXGK_OPERATION_TRANSFER)
        return args->Transfer.hAllocation != NULL && args->Transfer.TransferSize != 0 &&
               (idle_too || !args->Transfer.Flags.AllocationIsIdle);
    if (args->Operation == DXGK_OPERATION_SPECIAL_LOCK_TRANSFER)
        return idle_too || !args->SpecialLockTransfer.Flags.AllocationIsIdle;
    if (args->Operation == DXGK_OPERATION_DISCARD_CONTENT)
        return idle_too || !args->DiscardContent.Flags.AllocationIsIdle;
    return FALSE;
}

/* Note the place to which the operation brings its allocation. */
static void note_place(const DXGKARG_BUILDPAGINGBUFFER *args)
{
    switch (args->Operation) {
    case DXGK_OPERATION_TRANSFER:
        if (args->Transfer.Destination.SegmentId != 0 && args->Transfer.TransferSize != 0)
            softgpu_note_place(args->Transfer.hAllocation, args->Transfer.Destination.SegmentId,
                               (UINT64)args->Transfer.Destination.SegmentAddress.QuadPart);
        break;
    case DXGK_OPERATION_SPECIAL_LOCK_TRANSFER:
        if (args->SpecialLockTransfer.Destination.SegmentId != 0)
            softgpu_note_place(
                args->SpecialLockTransfer.hAllocation,
                args->SpecialLockTransfer.Destination.SegmentId,
                (UINT64)args->SpecialLockTransfer.Destination.SegmentAddress.QuadPart);
        break;
    case DXGK_OPERATION_FILL:
        softgpu_note_place(args->Fill.hAllocation, args->Fill.Destination.SegmentId,
                           (UINT64)args->Fill.Destination.SegmentAddress.QuadPart);
        break;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        softgpu_note_place(
            args->MapApertureSegment.hAllocation, args->MapApertureSegment.SegmentId,
            SOFTGPU_SEGMENT_BASE(args->MapApertureSegment.SegmentId) +
                ((UINT64)args->MapApertureSegment.OffsetInPages << SOFTGPU_PAGE_SHIFT));
        break;
    default:
        break;
    }
}

static BOOLEAN is_busy(const struct softgpu_adapter *adapter, const DXGKARG_BUILDPAGINGBUFFER *args)
{
    const struct softgpu_registers *registers = adapter->registers;

    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_BUILD_BUSY_FOREVER))
        return may_be_busy(args, TRUE);
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_BUILD_BUSY_FILL) &&
        args->Operation == DXGK_OPERATION_FILL)
        return TRUE;
    return (registers->busy_first || registers->busy_at == adapter->build_calls) &&
           may_be_busy(args, FALSE);
}

static BOOLEAN is_insufficient(const struct softgpu_adapter *adapter)
{
    const struct softgpu_registers *registers = adapter->registers;

    return registers->insufficient_at == adapter->build_calls ||
           (registers->insufficient_every != 0 &&
            adapter->build_calls % registers->insufficient_every == 0);
}

/* Say INSUFFICIENT though there is room. On a fresh buffer a command that does nothing is written,
 * because a driver that gets nowhere with all the room there is would be given up. */
static NTSTATUS pretend_insufficient(const struct softgpu_adapter *adapter,
                                     DXGKARG_BUILDPAGINGBUFFER *args, UINT *commands)
{
    struct softgpu_command nothing = {.opcode = SOFTGPU_OP_NOTHING, .size = sizeof(nothing)};

    if (args->DmaSize >= adapter->registers->paging_buffer) {
        memcpy(args->pDmaBuffer, &nothing, sizeof(nothing));
        args->pDmaBuffer = (char *)args->pDmaBuffer + sizeof(nothing);
        ++*commands;
    }
    return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

static void lie_about_buffer(const struct softgpu_adapter *adapter, DXGKARG_BUILDPAGINGBUFFER *args,
                             char *start, UINT size)
{
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_BUILD_OVERRUN))
        args->pDmaBuffer = start + size + 64;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_BUILD_BACKWARD))
        args->pDmaBuffer = start - 64;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_BUILD_WRITES_BEHIND))
        memset(start + size, 0x5a, 8);
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_BUILD_PRIVATE_OVERRUN))
        memset((char *)args->pDmaBufferPrivateData + args->DmaBufferPrivateDataSize, 0x5a, 8);
}

/* ---- BuildPagingBuffer ----------------------------------------------------------------------- */

/* Leave a record of the commands that this call wrote, in place of whatever an earlier use of the
 * buffer left there: only a new buffer's private data is zero (D-013). */
static void record_commands(DXGKARG_BUILDPAGINGBUFFER *args, void *start, UINT commands)
{
    struct softgpu_private_record record = {
        .mark = SOFTGPU_PRIVATE_MARK, .commands = commands, .at = start};

    memcpy(args->pDmaBufferPrivateData, &record, sizeof(record));
    args->pDmaBufferPrivateData = (char *)args->pDmaBufferPrivateData + sizeof(record);
}

/* obeys D-077 */
static BOOLEAN is_of_level(const struct softgpu_adapter *adapter,
                           DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    BOOLEAN tables = softgpu_has_tables(adapter);

    switch (operation) {
    case DXGK_OPERATION_READ_PHYSICAL:
    case DXGK_OPERATION_WRITE_PHYSICAL:
    case DXGK_OPERATION_SPECIAL_LOCK_TRANSFER:
        return adapter->level < 20;
    case DXGK_OPERATION_NOTIFY_RESIDENCY:
        return adapter->level >= 20;
    case DXGK_OPERATION_SIGNAL_MONITORED_FENCE:
        return softgpu_has_addresses(adapter) && adapter->level >= 22;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT2:
        return adapter->level >= 29 && adapter->registers->map_aperture2;
    case DXGK_OPERATION_NOTIFY_ALLOC:
        return tables && adapter->level >= 32;
    case DXGK_OPERATION_VIRTUAL_TRANSFER:
    case DXGK_OPERATION_VIRTUAL_FILL:
    case DXGK_OPERATION_UPDATE_PAGE_TABLE:
    case DXGK_OPERATION_FLUSH_TLB:
    case DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES:
    case DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION:
        return tables;
    default:
        return operation <= DXGK_OPERATION_INIT_CONTEXT_RESOURCE;
    }
}

static NTSTATUS build(struct softgpu_adapter *adapter, DXGKARG_BUILDPAGINGBUFFER *args,
                      UINT *commands)
{
    if (!is_of_level(adapter, args->Operation))
        return refuse_operation(adapter, args);
    if (is_insufficient(adapter))
        return pretend_insufficient(adapter, args, commands);
    if (adapter->registers->habit == SOFTGPU_IMMEDIATE)
        return softgpu_build_immediate(adapter, args, commands);
    return softgpu_write_operation(adapter, args, commands);
}

/* obeys D-115: nothing is written, and the page says that there is no paging buffer */
static BOOLEAN is_for_processor(const DXGKARG_BUILDPAGINGBUFFER *args)
{
    return args->Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE &&
           args->UpdatePageTable.UpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
}

NTSTATUS SoftgpuBuildPagingBuffer(HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER *pBuildPagingBuffer)
{
    struct softgpu_adapter *adapter = hAdapter;
    DXGKARG_BUILDPAGINGBUFFER *args = pBuildPagingBuffer;
    BOOLEAN records = adapter->registers->private_data != 0; /* obeys D-324 */
    char *start = args->pDmaBuffer;
    UINT size = args->DmaSize, commands = 0;
    NTSTATUS status;

    adapter->build_calls++;
    atomic_fetch_add(&adapter->registers->driver.build_calls, 1);
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_BUILD_ILLEGAL))
        return STATUS_NO_MEMORY;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_BUILD_STUCK))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    if (is_busy(adapter, args))
        return STATUS_GRAPHICS_ALLOCATION_BUSY;
    note_place(args);
    softgpu_note_context(args);
    if (records && !is_for_processor(args) &&
        args->DmaBufferPrivateDataSize < sizeof(struct softgpu_private_record))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    status = build(adapter, args, &commands);
    if (records && commands != 0)
        record_commands(args, start, commands);
    lie_about_buffer(adapter, args, start, size);
    return status;
}
