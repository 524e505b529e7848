/*
 * Theory. Paging by GPU virtual address. The manager's entries of a page table (DXGK_PTE) become
 * the hardware's words, and the words go where the update mode says:
 *
 *     CPU_VIRTUAL     the processor writes them in this call; the paging buffer stays as it is
 *     GPU_VIRTUAL     a TABLE command with an address of the paging process
 *     GPU_PHYSICAL    a TABLE command with a segment and an offset
 *
 * A long update goes in parts: MultipassOffset counts entries, of the 4 KiB array first, then of
 * the 64 KiB one. All that a command needs stands in it: the manager's arrays are not looked at
 * later.
 */
#include "softgpu/driver_writer.h"

#include "softgpu/driver_private.h"

/* ---- entries --------------------------------------------------------------------------------- */

static UINT shift_of(const struct softgpu_mmu *mmu, UINT level)
{
    UINT shift = SOFTGPU_PAGE_SHIFT;

    for (UINT i = 0; i < level; i++)
        shift += mmu->index_bits[i];
    return shift;
}

/* Name what the caps do not promise; NULL: nothing. */
static const char *unpromised(const struct softgpu_mmu *mmu, const DXGK_PTE *entry)
{
    if (entry->Zero && !mmu->zero_pte)
        return "Zero, and ZeroInPteSupported is 0";
    if (entry->ReadOnly && !mmu->read_only)
        return "ReadOnly, and ReadOnlyMemorySupported is 0";
    if (entry->NoExecute && !mmu->no_execute)
        return "NoExecute, and NoExecuteMemorySupported is 0";
    if (entry->CacheCoherent && !mmu->coherent) /* D-179 */
        return "CacheCoherent, and CacheCoherentMemorySupported is 0";
    if (entry->LargePage && !mmu->large_pages) /* D-123 */
        return "LargePage, and LargePageSupported is 0";
    if (entry->LargePage && entry->Segment == 0 && !entry->Zero && !mmu->system_large)
        return "LargePage of segment 0, and SysMemLargePageSupported is 0";
    if (entry->PageTablePageSize != DXGK_PTE_PAGE_TABLE_PAGE_4KB && mmu->pages_64k == 0)
        return "PageTablePageSize of 64 KiB, and no table is";
    return NULL;
}

/* Name what makes no sense in this place; NULL: nothing. */
static const char *misplaced(const struct softgpu_adapter *adapter, const DXGK_PTE *entry,
                             UINT level, UINT shift)
{
    const struct softgpu_registers *registers = adapter->registers;
    UINT64 frames = (UINT64)1 << (shift - SOFTGPU_PAGE_SHIFT);
    BOOLEAN page = level == 0 || entry->LargePage;
    const struct softgpu_adapter *peer = /* obeys D-229: where it points to */
        softgpu_engine((struct softgpu_adapter *)(uintptr_t)adapter, entry->PhysicalAdapterIndex);

    if (entry->LargePage && level == 0) /* D-123 */
        return "LargePage in a leaf table";
    if (entry->PageTablePageSize != DXGK_PTE_PAGE_TABLE_PAGE_4KB && level != 1)
        return "PageTablePageSize of 64 KiB away from level 1";
    if (peer == NULL)
        return "PhysicalAdapterIndex is of no GPU of the link";
    registers = peer->registers;
    if (entry->Zero)
        return NULL;
    if (entry->Segment != 0 &&
        (entry->Segment > registers->segment_count ||
         registers->segments[entry->Segment - 1].kind != SOFTGPU_SEGMENT_MEMORY))
        return "Segment is no memory segment";
    if (entry->PageAddress >= SOFTGPU_PTE_FRAME_LIMIT)
        return "PageAddress has more than 38 bits";
    if (page && frames > 1 && entry->PageAddress % frames != 0 &&
        !adapter->registers->mmu.unaligned_large)
        return "PageAddress is not aligned to the page";
    return NULL;
}

static UINT64 word_of(const DXGK_PTE *entry, UINT level, UINT64 protection)
{
    UINT64 word = (UINT64)SOFTGPU_PTE_MARK << SOFTGPU_PTE_MARK_SHIFT;

    if (!entry->Valid)
        return word;
    word |= SOFTGPU_PTE_VALID;
    if (level == 0) /* obeys D-119 */
        word |= (protection & SOFTGPU_PTE_PROTECTION_MASK) << SOFTGPU_PTE_PROTECTION_SHIFT;
    if (entry->Zero)
        return word | SOFTGPU_PTE_ZERO;
    word |= entry->ReadOnly ? SOFTGPU_PTE_READ_ONLY : 0;
    word |= entry->NoExecute ? SOFTGPU_PTE_NO_EXECUTE : 0;
    word |= entry->CacheCoherent ? SOFTGPU_PTE_COHERENT : 0;
    word |= entry->LargePage ? SOFTGPU_PTE_LARGE : 0;
    word |= entry->PageTablePageSize == DXGK_PTE_PAGE_TABLE_PAGE_64KB ? SOFTGPU_PTE_TABLE_64K : 0;
    word |= (UINT64)entry->Segment << SOFTGPU_PTE_SEGMENT_SHIFT;
    if (level == 0 || entry->LargePage) /* a table is of the GPU that walks it */
        word |= (UINT64)entry->PhysicalAdapterIndex << SOFTGPU_PTE_ADAPTER_SHIFT;
    return word | entry->PageAddress << SOFTGPU_PAGE_SHIFT;
}

/* ---- UpdatePageTable ------------------------------------------------------------------------- */

/* One array of entries, and where its words go. */
struct update {
    const DXGK_PTE *entries;
    UINT level, start, count;
    UINT shift;     /* of an entry */
    UINT stride;    /* bytes from one word to the next */
    UINT offset;    /* bytes to the first word of the table */
    BOOLEAN repeat; /* entries[0] stands for all */
    UINT64 protection;
};

static BOOLEAN of_64k_pages(const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *args)
{
    return args->PageTableLevel == 0 && args->Flags.Use64KBPages;
}

/* The arrays of the call: one, or with two pointers an entry two. */
static UINT arrays_of(const struct softgpu_mmu *mmu,
                      const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *args, struct update arrays[2])
{
    BOOLEAN wide = args->PageTableLevel == 1 && mmu->pages_64k == SOFTGPU_64K_DUAL;
    struct update update = {
        .entries = args->pPageTableEntries,
        .level = args->PageTableLevel,
        .start = args->StartIndex,
        .count = args->NumPageTableEntries,
        .shift = of_64k_pages(args) ? 16 : shift_of(mmu, args->PageTableLevel),
        .stride = wide ? 16 : 8,
        .repeat = args->Flags.Repeat,
        .protection = args->DriverProtection,
    };
    UINT count = 0;

    if (of_64k_pages(args) && args->pPageTableEntries64KB != NULL)
        update.entries = args->pPageTableEntries64KB;
    if (update.entries != NULL)
        arrays[count++] = update;
    if (!wide || args->pPageTableEntries64KB == NULL)
        return count;
    update.entries = args->pPageTableEntries64KB;
    update.offset = 8;
    arrays[count++] = update;
    return count;
}

static NTSTATUS check_entries(struct softgpu_adapter *adapter, const struct update *update)
{
    for (UINT i = 0; i < (update->repeat ? 1 : update->count); i++) {
        const DXGK_PTE *entry = &update->entries[i];
        const char *wrong;

        if (!entry->Valid)
            continue;
        wrong = unpromised(&adapter->registers->mmu, entry);
        if (wrong == NULL)
            wrong = misplaced(adapter, entry, update->level, update->shift);
        if (wrong != NULL)
            return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                                  "BuildPagingBuffer: UpdatePageTable, level %u, entry %u: %s",
                                  update->level, update->start + i, wrong);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS check_update(struct softgpu_adapter *adapter,
                             const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *args)
{
    const struct softgpu_mmu *mmu = &adapter->registers->mmu;
    UINT64 limit;

    if (args->PageTableLevel >= mmu->levels)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: UpdatePageTable, level %u of %u",
                              args->PageTableLevel, mmu->levels);
    if (args->UpdateMode != DXGK_PAGETABLEUPDATE_CPU_VIRTUAL && /* D-115: that one at any time */
        (UINT)args->UpdateMode != mmu->update_mode)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: UpdatePageTable, mode %d; the caps say %u",
                              (int)args->UpdateMode, mmu->update_mode);
    if (of_64k_pages(args) && mmu->pages_64k == SOFTGPU_64K_OFF)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: UpdatePageTable, Use64KBPages, and no table is");
    limit = (UINT64)1 << (mmu->index_bits[args->PageTableLevel] - (of_64k_pages(args) ? 4 : 0));
    if (args->StartIndex > limit || args->NumPageTableEntries > limit - args->StartIndex)
        return softgpu_refuse(
            adapter, STATUS_INVALID_PARAMETER,
            "BuildPagingBuffer: UpdatePageTable, level %u, entries %u and %u more "
            "of %llu",
            args->PageTableLevel, args->StartIndex, args->NumPageTableEntries,
            (unsigned long long)limit);
    if (args->UpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL &&
        args->PageTableAddress.CpuVirtual == NULL)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: UpdatePageTable, CpuVirtual is NULL");
    return STATUS_SUCCESS;
}

static UINT64 word_at(const struct update *update, UINT index)
{
    return word_of(&update->entries[update->repeat ? 0 : index], update->level, update->protection);
}

/* obeys D-115: at once, and nothing is written to the paging buffer */
static void write_by_cpu(const struct update *update, void *table)
{
    for (UINT i = 0; i < update->count; i++) {
        UINT64 word = word_at(update, i);
        char *at = (char *)table + update->offset + (UINT64)(update->start + i) * update->stride;

        atomic_store_explicit((_Atomic UINT64 *)(void *)at, word, memory_order_release);
    }
}

static void name_table(const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *args,
                       const struct update *update, UINT index, struct softgpu_op_table *op)
{
    UINT64 within = update->offset + (UINT64)index * update->stride;

    if (args->UpdateMode == DXGK_PAGETABLEUPDATE_GPU_VIRTUAL) {
        op->segment = SOFTGPU_PLACE_VIRTUAL;
        op->address = args->PageTableAddress.GpuVirtual + within;
    } else {
        op->segment = args->PageTableAddress.GpuPhysical.SegmentId;
        op->address = args->PageTableAddress.GpuPhysical.SegmentOffset + within;
        if (op->segment != 0)
            op->address += SOFTGPU_SEGMENT_BASE(op->segment);
    }
}

/* The part of an array from entry `done` on that there is room for; answers how many entries. */
static UINT put_words(struct softgpu_writer *writer,
                      const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *args,
                      const struct update *update, UINT done)
{
    struct softgpu_op_table op = {.command = {.opcode = SOFTGPU_OP_TABLE},
                                  .stride = update->stride,
                                  .count = update->count - done};
    UINT room = softgpu_room_for_words(writer, sizeof(op));

    if (room == 0)
        return 0;
    if (!update->repeat && op.count > room)
        op.count = room;
    op.words = update->repeat ? 1 : op.count;
    name_table(args, update, update->start + done, &op);
    op.command.size = (UINT)(sizeof(op) + op.words * sizeof(UINT64));
    memcpy(writer->at, &op, sizeof(op));
    for (UINT i = 0; i < op.words; i++) {
        UINT64 word = word_at(update, done + i);

        memcpy(writer->at + sizeof(op) + i * sizeof(word), &word, sizeof(word));
    }
    softgpu_advance(writer, op.command.size);
    return op.count;
}

static NTSTATUS put_update(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                           DXGKARG_BUILDPAGINGBUFFER *build)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *args = &build->UpdatePageTable;
    struct update arrays[2];
    NTSTATUS status = check_update(adapter, args);
    UINT count, done = build->MultipassOffset;

    if (!NT_SUCCESS(status))
        return status;
    count = arrays_of(&adapter->registers->mmu, args, arrays);
    for (UINT i = 0; i < count; i++) {
        status = check_entries(adapter, &arrays[i]);
        if (!NT_SUCCESS(status))
            return status;
    }
    for (UINT i = 0; i < count; i++) {
        if (args->UpdateMode == DXGK_PAGETABLEUPDATE_CPU_VIRTUAL) {
            write_by_cpu(&arrays[i], args->PageTableAddress.CpuVirtual);
            continue;
        }
        while (done < (i + 1) * arrays[i].count) {
            UINT part = put_words(writer, args, &arrays[i], done - i * arrays[i].count);

            if (part == 0)
                return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
            done += part;
            build->MultipassOffset = done;
        }
    }
    return STATUS_SUCCESS;
}

/* ---- CopyPageTableEntries, FlushTlb ---------------------------------------------------------- */

static NTSTATUS put_copies(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                           DXGKARG_BUILDPAGINGBUFFER *build)
{
    const DXGK_BUILDPAGINGBUFFER_COPYPAGETABLEENTRIES *args = &build->CopyPageTableEntries;

    if (adapter->registers->mmu.update_mode == SOFTGPU_UPDATE_CPU_VIRTUAL) /* D-130 */
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: CopyPageTableEntries, and the processor updates");
    while (build->MultipassOffset < args->NumRanges) {
        const DXGK_BUILDPAGINGBUFFER_COPY_RANGE *range = &args->pRanges[build->MultipassOffset];
        struct softgpu_op_transfer op = {
            .command = {.opcode = SOFTGPU_OP_TRANSFER, .size = sizeof(op)},
            .bytes = (UINT64)range->NumPageTableEntries * 8,
            .source = {.segment = SOFTGPU_PLACE_VIRTUAL,
                       .address = range->SrcPageTableAddress + (UINT64)range->SrcStartPteIndex * 8},
            .destination = {.segment = SOFTGPU_PLACE_VIRTUAL,
                            .address =
                                range->DstPageTableAddress + (UINT64)range->DstStartPteIndex * 8},
        };
        NTSTATUS status;

        if (((range->SrcPageTableAddress | range->DstPageTableAddress) & 0xffff) != 0) /* D-129 */
            return softgpu_refuse(
                adapter, STATUS_INVALID_PARAMETER,
                "BuildPagingBuffer: CopyPageTableEntries, range %u: a table is not "
                "aligned to 64 KiB",
                build->MultipassOffset);
        status = softgpu_put(writer, &op, sizeof(op));
        if (!NT_SUCCESS(status))
            return status;
        build->MultipassOffset++;
    }
    return STATUS_SUCCESS;
}

/* obeys W-014: whether anything uses the root does not matter */
static NTSTATUS put_flush(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                          const DXGK_BUILDPAGINGBUFFER_FLUSHTLB *args)
{
    struct softgpu_op_flush op = {
        .command = {.opcode = SOFTGPU_OP_FLUSH, .size = sizeof(op)},
        .root_segment = args->RootPageTableAddress.SegmentId,
        .root_address = args->RootPageTableAddress.SegmentOffset,
        .start = args->StartVirtualAddress,
        .end = args->EndVirtualAddress,
    };

    if (args->StartVirtualAddress > args->EndVirtualAddress)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: FlushTlb from 0x%llx to 0x%llx",
                              (unsigned long long)args->StartVirtualAddress,
                              (unsigned long long)args->EndVirtualAddress);
    return softgpu_put(writer, &op, sizeof(op));
}

/* ---- bytes by address ------------------------------------------------------------------------ */

static NTSTATUS put_transfer_virtual(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                                     const DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *args)
{
    struct softgpu_op_transfer op = {
        .command = {.opcode = SOFTGPU_OP_TRANSFER, .size = sizeof(op)},
        .bytes = args->TransferSizeInBytes,
        /* obeys D-106: AllocationOffsetInBytes is in the addresses already */
        .source = {.segment = SOFTGPU_PLACE_VIRTUAL, .address = args->SourceVirtualAddress},
        .destination = {.segment = SOFTGPU_PLACE_VIRTUAL,
                        .address = args->DestinationVirtualAddress},
    };

    if ((UINT)args->TransferDirection > DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: TransferVirtual, direction %d",
                              (int)args->TransferDirection);
    if (args->TransferDirection != DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL &&
        softgpu_is_protected(args->hAllocation) && softgpu_encrypts(adapter, 0))
        op.destination.segment |= SOFTGPU_PLACE_CIPHER; /* obeys D-232 */
    return args->TransferSizeInBytes != 0 ? softgpu_put(writer, &op, sizeof(op)) : STATUS_SUCCESS;
}

static NTSTATUS put_fill_virtual(struct softgpu_writer *writer,
                                 const DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL *args)
{
    struct softgpu_op_fill op = {
        .command = {.opcode = SOFTGPU_OP_FILL, .size = sizeof(op)},
        .bytes = args->FillSizeInBytes,
        .address = args->DestinationVirtualAddress,
        .segment = SOFTGPU_PLACE_VIRTUAL,
        .pattern = args->FillPattern,
    };

    return args->FillSizeInBytes != 0 ? softgpu_put(writer, &op, sizeof(op)) : STATUS_SUCCESS;
}

/* obeys D-140: the driver's own data, as it is; MultipassOffset counts bytes */
static NTSTATUS put_data(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                         DXGKARG_BUILDPAGINGBUFFER *build)
{
    const DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION *args = &build->UpdateContextAllocation;

    if (args->DriverPrivateDataSize > args->ContextAllocationSize ||
        (args->pDriverPrivateData == NULL && args->DriverPrivateDataSize != 0))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: UpdateContextAllocation of %u bytes in %llu",
                              args->DriverPrivateDataSize,
                              (unsigned long long)args->ContextAllocationSize);
    while (build->MultipassOffset < args->DriverPrivateDataSize) {
        UINT done = build->MultipassOffset, left = args->DriverPrivateDataSize - done;
        struct softgpu_op_data op = {.command = {.opcode = SOFTGPU_OP_DATA},
                                     .address = args->ContextAllocation + done,
                                     .segment = SOFTGPU_PLACE_VIRTUAL};
        UINT room = softgpu_room_for_words(writer, sizeof(op)) * 8;

        if (room == 0)
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
        op.bytes = left < room ? left : room;
        op.command.size = (UINT)sizeof(op) + (op.bytes + 7) / 8 * 8;
        memcpy(writer->at, &op, sizeof(op));
        memset(writer->at + op.command.size - 8, 0, 8);
        memcpy(writer->at + sizeof(op), (const char *)args->pDriverPrivateData + done, op.bytes);
        softgpu_advance(writer, op.command.size);
        build->MultipassOffset = done + op.bytes;
    }
    return STATUS_SUCCESS;
}

/* ---- NotifyAllocation ------------------------------------------------------------------------ */

/* obeys D-143: what is about to be evicted is written anew where it is, by the address that it has
 * now; so an address that leads nowhere is a page fault */
static NTSTATUS put_notify(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                           const DXGK_BUILDPAGINGBUFFER_NOTIFYALLOC *args)
{
    struct softgpu_op_transfer op = {
        .command = {.opcode = SOFTGPU_OP_TRANSFER, .size = sizeof(op)},
        .bytes = args->SizeInBytes,
        .source = {.segment = SOFTGPU_PLACE_VIRTUAL, .address = args->GpuVirtualAddressAtOffset},
        .destination = {.segment = SOFTGPU_PLACE_VIRTUAL,
                        .address = args->GpuVirtualAddressAtOffset},
    };
    const struct softgpu_driver_allocation *allocation = args->hAllocation;
    BOOLEAN unmap = args->Flags.Value == 2;

    if (allocation == NULL || allocation->kind != SOFTGPU_ALLOCATION ||
        (args->Flags.Value != 1 && !unmap) || (args->hKmdProcessHandle != NULL) != unmap ||
        args->SizeInBytes == 0)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: NotifyAllocation of %llu bytes, flags 0x%x",
                              (unsigned long long)args->SizeInBytes, args->Flags.Value);
    /* obeys D-144: its caches hold no pages of memory, so before an unmap there is nothing to do */
    return unmap ? STATUS_SUCCESS : softgpu_put(writer, &op, sizeof(op));
}

/* ---- NotifyResidency ------------------------------------------------------------------------- */

/* obeys D-142: once a commit or eviction */
static NTSTATUS note_residency(struct softgpu_adapter *adapter,
                               const DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY *args)
{
    struct softgpu_driver_allocation *allocation = args->hAllocation;
    struct softgpu_context_allocation *of_context =
        softgpu_context_allocation_of(args->hAllocation);
    UINT *resident;

    if (of_context == NULL && (allocation == NULL || allocation->kind != SOFTGPU_ALLOCATION))
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: NotifyResidency of no allocation");
    resident = of_context != NULL ? &of_context->resident : &allocation->resident;
    if (*resident == args->Resident)
        return softgpu_refuse(
            adapter, STATUS_INVALID_PARAMETER,
            "BuildPagingBuffer: NotifyResidency, Resident %u, as it was told before",
            args->Resident);
    *resident = args->Resident;
    if (of_context == NULL) /* driver_context.c has noted it */
        softgpu_note_place(allocation, args->Resident ? args->PhysicalAddress.SegmentId : 0,
                           args->Resident ? args->PhysicalAddress.SegmentOffset : 0);
    atomic_fetch_add(args->Resident ? &adapter->registers->driver.arrivals
                                    : &adapter->registers->driver.departures,
                     1);
    return STATUS_SUCCESS;
}

NTSTATUS softgpu_write_virtual(struct softgpu_adapter *adapter, struct softgpu_writer *writer,
                               DXGKARG_BUILDPAGINGBUFFER *args)
{
    switch (args->Operation) {
    case DXGK_OPERATION_VIRTUAL_TRANSFER:
        return put_transfer_virtual(adapter, writer, &args->TransferVirtual);
    case DXGK_OPERATION_VIRTUAL_FILL:
        return put_fill_virtual(writer, &args->FillVirtual);
    case DXGK_OPERATION_UPDATE_PAGE_TABLE:
        return put_update(adapter, writer, args);
    case DXGK_OPERATION_FLUSH_TLB:
        return put_flush(adapter, writer, &args->FlushTlb);
    case DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES:
        return put_copies(adapter, writer, args);
    case DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION:
        return put_data(adapter, writer, args);
    case DXGK_OPERATION_NOTIFY_RESIDENCY:
        return note_residency(adapter, &args->NotifyResidency);
    case DXGK_OPERATION_NOTIFY_ALLOC:
        return put_notify(adapter, writer, &args->NotifyAllocation);
    default:
        return softgpu_put_signal(adapter, writer, &args->SignalMonitoredFence);
    }
}
