/*
 * Theory. Some drivers do not queue: they set up an aperture by the CPU while the paging buffer is
 * being built, and copy the argument structure of everything else into the buffer, to look at it,
 * and at the MDL it points to, when the buffer is submitted.
 *
 *     paging buffer   | RECORD, DXGKARG_BUILDPAGINGBUFFER | RECORD, ... |
 *     at submission   each record becomes commands in the GPU's window, as often as they fill it,
 *                     and each time the GPU runs them before the doorbell returns
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

/* A record as it stands in the paging buffer. */
struct record {
    struct softgpu_command command;
    DXGKARG_BUILDPAGINGBUFFER args;
};

/* The page-table entries [first, first + pages), NULL: there are none such. */
static uint64_t *entries_of(const struct softgpu_adapter *adapter, UINT id, UINT64 first,
                            UINT64 pages)
{
    const struct softgpu_segment_register *segment;
    UINT64 limit;

    if (id - 1 >= adapter->registers->segment_count)
        return NULL;
    segment = &adapter->registers->segments[id - 1];
    limit = segment->kind == SOFTGPU_SEGMENT_APERTURE ? segment->size / SOFTGPU_PAGE_SIZE : 0;
    if (first > limit || pages > limit - first)
        return NULL;
    return (uint64_t *)(void *)((char *)adapter->registers + segment->page_table) + first;
}

/* obeys S4-042: other entries stay as they are, and each entry changes as a whole */
static NTSTATUS map(struct softgpu_adapter *adapter, const DXGKARG_BUILDPAGINGBUFFER *args)
{
    UINT64 first = args->MapApertureSegment.OffsetInPages;
    UINT64 pages = args->MapApertureSegment.NumberOfPages;
    uint64_t flags = args->MapApertureSegment.Flags.CacheCoherent ? SOFTGPU_ENTRY_COHERENT : 0;
    MDL *mdl = args->MapApertureSegment.pMdl;
    uint64_t *entries = entries_of(adapter, args->MapApertureSegment.SegmentId, first, pages);
    const PFN_NUMBER *frames;

    if (entries == NULL || mdl == NULL ||
        args->MapApertureSegment.MdlOffset + pages >
            ((UINT64)mdl->ByteOffset + mdl->ByteCount + SOFTGPU_PAGE_SIZE - 1) / SOFTGPU_PAGE_SIZE)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: MapApertureSegment of %llu pages from %llu on",
                              (unsigned long long)pages, (unsigned long long)first);
    frames = (const PFN_NUMBER *)(mdl + 1) + args->MapApertureSegment.MdlOffset;
    for (UINT64 i = 0; i < pages; i++)
        entries[i] = frames[i] << SOFTGPU_PAGE_SHIFT | SOFTGPU_ENTRY_VALID | flags;
    return STATUS_SUCCESS;
}

/* obeys D-101, D-102; the list is the caller's, and is not looked at later */
static NTSTATUS map2(struct softgpu_adapter *adapter, const DXGKARG_BUILDPAGINGBUFFER *args)
{
    UINT64 first = args->MapApertureSegment2.OffsetInPages;
    UINT64 pages = args->MapApertureSegment2.NumberOfPages;
    UINT64 skipped = args->MapApertureSegment2.AdlOffset;
    uint64_t flags = args->MapApertureSegment2.Flags.CacheCoherent ? SOFTGPU_ENTRY_COHERENT : 0;
    const DXGK_ADL *adl = &args->MapApertureSegment2.Adl;
    uint64_t *entries = entries_of(adapter, args->MapApertureSegment2.SegmentId, first, pages);

    if (entries == NULL || skipped + pages > adl->PageCount)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: MapApertureSegment2 of %llu pages from %llu on",
                              (unsigned long long)pages, (unsigned long long)first);
    for (UINT64 i = 0; i < pages; i++) {
        UINT64 page =
            adl->Flags.Contiguous ? adl->BasePageNumber + skipped + i : adl->Pages[skipped + i];

        entries[i] = page << SOFTGPU_PAGE_SHIFT | SOFTGPU_ENTRY_VALID | flags;
    }
    return STATUS_SUCCESS;
}

/* obeys S4-045 */
static NTSTATUS unmap(struct softgpu_adapter *adapter, const DXGKARG_BUILDPAGINGBUFFER *args)
{
    UINT64 first = args->UnmapApertureSegment.OffsetInPages;
    UINT64 pages = args->UnmapApertureSegment.NumberOfPages;
    UINT64 dummy = (UINT64)args->UnmapApertureSegment.DummyPage.QuadPart;
    uint64_t *entries = entries_of(adapter, args->UnmapApertureSegment.SegmentId, first, pages);

    if (entries == NULL || dummy % SOFTGPU_PAGE_SIZE != 0)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: UnmapApertureSegment of %llu pages from %llu on "
                              "to 0x%llx",
                              (unsigned long long)pages, (unsigned long long)first,
                              (unsigned long long)dummy);
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_UNMAP_IGNORED))
        return STATUS_SUCCESS;
    if (softgpu_adapter_is_broken(adapter, SOFTGPU_BROKEN_UNMAP_TO_ZERO))
        dummy = 0;
    for (UINT64 i = 0; i < pages; i++)
        entries[i] = dummy | SOFTGPU_ENTRY_VALID | SOFTGPU_ENTRY_DUMMY;
    return STATUS_SUCCESS;
}

/* Bytes of the argument structure at the adapter's level that the record needs: all of its own. */
static NTSTATUS copy_record(DXGKARG_BUILDPAGINGBUFFER *args, UINT *commands)
{
    struct record record = {.command = {.opcode = SOFTGPU_OP_RECORD, .size = sizeof(record)}};

    if (args->DmaSize < sizeof(record))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    record.args = *args;
    memcpy(args->pDmaBuffer, &record, sizeof(record));
    args->pDmaBuffer = (char *)args->pDmaBuffer + sizeof(record);
    ++*commands;
    return STATUS_SUCCESS;
}

static NTSTATUS build_record(struct softgpu_adapter *adapter, DXGKARG_BUILDPAGINGBUFFER *args,
                             UINT *commands)
{
    switch (args->Operation) {
    case DXGK_OPERATION_TRANSFER:
    case DXGK_OPERATION_SPECIAL_LOCK_TRANSFER:
    case DXGK_OPERATION_FILL:
    case DXGK_OPERATION_INIT_CONTEXT_RESOURCE:
    case DXGK_OPERATION_DISCARD_CONTENT:
    case DXGK_OPERATION_READ_PHYSICAL:
    case DXGK_OPERATION_WRITE_PHYSICAL:
        return copy_record(args, commands);
    default:
        return softgpu_refuse(
            adapter, STATUS_NOT_SUPPORTED,
            "BuildPagingBuffer: operation %d is not for a driver of " SOFTGPU_LEVEL_FORMAT,
            (int)args->Operation, SOFTGPU_LEVEL(adapter));
    }
}

NTSTATUS softgpu_build_immediate(struct softgpu_adapter *adapter, DXGKARG_BUILDPAGINGBUFFER *args,
                                 UINT *commands)
{
    switch (args->Operation) {
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        return map(adapter, args);
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT2:
        return map2(adapter, args);
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        return unmap(adapter, args);
    case DXGK_OPERATION_NOTIFY_RESIDENCY: /* no command comes of it */
        return softgpu_write_operation(adapter, args, commands);
    default:
        /* Virtual addresses have no place for records: commands need nothing but themselves. */
        return softgpu_has_addresses(adapter) ? softgpu_write_operation(adapter, args, commands)
                                              : build_record(adapter, args, commands);
    }
}

/* ---- at submission --------------------------------------------------------------------------- */

/* Have the GPU run what stands in the window, now. */
static void run_window(struct softgpu_adapter *adapter, UINT node, UINT size, UINT commands)
{
    struct softgpu_packet packet = {
        .address = adapter->register_address + adapter->registers->window,
        .size = size,
        .fence = adapter->nodes[node].fence, /* nothing new is done yet */
        .flags = SOFTGPU_PACKET_PAGING | SOFTGPU_PACKET_COUNTED | SOFTGPU_PACKET_PART,
        .commands = commands,
    };

    if (softgpu_put_packet(adapter, node, &packet))
        softgpu_ring(adapter, SOFTGPU_DOORBELL_EXECUTE(node), adapter->nodes[node].given);
}

static void execute_record(struct softgpu_adapter *adapter, UINT node, const struct record *record)
{
    DXGKARG_BUILDPAGINGBUFFER args = record->args;
    char *window = (char *)adapter->registers + adapter->registers->window;
    NTSTATUS status;

    args.MultipassOffset = 0;
    do {
        UINT commands = 0;

        args.pDmaBuffer = window;
        args.DmaSize = SOFTGPU_WINDOW_SIZE;
        status = softgpu_write_operation(adapter, &args, &commands);
        if (commands != 0)
            run_window(adapter, node, (UINT)((char *)args.pDmaBuffer - window), commands);
        else
            break;
    } while (status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
}

/* All commands of one call of BuildPagingBuffer: records, and what was written to seem busy. */
static void execute_commands(struct softgpu_adapter *adapter, UINT node, const char *at,
                             UINT commands)
{
    for (; commands != 0; commands--) {
        struct softgpu_command command;
        struct record record;

        memcpy(&command, at, sizeof(command));
        if (command.opcode == SOFTGPU_OP_RECORD && command.size == sizeof(record)) {
            memcpy(&record, at, sizeof(record));
            execute_record(adapter, node, &record);
        } else if (command.opcode != SOFTGPU_OP_NOTHING || command.size != sizeof(command)) {
            softgpu_refuse(adapter, STATUS_SUCCESS,
                           "SubmitCommand: command 0x%x of %u bytes in a paging buffer",
                           command.opcode, command.size);
            return;
        }
        at += command.size;
    }
}

void softgpu_execute_records(struct softgpu_adapter *adapter, UINT node,
                             const struct softgpu_private_record *records, UINT count)
{
    for (UINT i = 0; i < count; i++) {
        struct softgpu_private_record record;

        memcpy(&record, &records[i], sizeof(record));
        if (record.mark != SOFTGPU_PRIVATE_MARK || record.at == NULL)
            softgpu_refuse(adapter, STATUS_SUCCESS, "SubmitCommand: private data of no call");
        else
            execute_commands(adapter, node, record.at, record.commands);
    }
}
