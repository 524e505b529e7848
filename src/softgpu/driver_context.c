/*
 * Theory. If its GPU wants memory for a context (registers->context_save), the driver makes an
 * allocation a context, the save area, and one a device that all its contexts share, the table:
 *
 *     CreateDevice   --> DxgkCbCreateContextAllocation, SharedAcrossContexts     table
 *     CreateContext  --> DxgkCbCreateContextAllocation, hContext                 save area
 *     BuildPagingBuffer: InitContextResource, Transfer, Map ...                  where it is, noted
 *                        with page tables: NotifyResidency, for a transfer names no segment
 *     SubmitCommand      both addresses go into the packet
 *
 * The system sees to it that they are in place when a packet is submitted (D-138): if one is
 * nowhere then, the driver refuses the packet and names it. The GPU finds one that is in place and
 * wrong (device_context.c).
 *
 * Each has a number of its own, never used again.
 */
#include "softgpu/driver_private.h"

#include <string.h>

#include <wddm/ntstatus.h>

static BOOLEAN has_contexts(const struct softgpu_adapter *adapter)
{
    return adapter->registers->context_save != SOFTGPU_SAVE_NONE &&
           adapter->registers->multi_engine && adapter->level >= 12;
}

/* The segments of a kind that bytes lie in as they are. */
static UINT segments_of(const struct softgpu_registers *registers, UINT kind)
{
    UINT set = 0;

    for (UINT i = 0; i < registers->segment_count; i++)
        if (registers->segments[i].kind == kind &&
            (registers->segments[i].flags & SOFTGPU_SEGMENT_PITCH_ALIGNED) == 0)
            set |= 1u << i;
    return set;
}

static DXGKARGCB_CREATECONTEXTALLOCATION request_of(const struct softgpu_driver_device *device,
                                                    HANDLE context, ULONG size)
{
    const struct softgpu_adapter *adapter = device->adapter;
    const struct softgpu_registers *registers = adapter->registers;
    BOOLEAN aperture = registers->context_save == SOFTGPU_SAVE_APERTURE;
    DXGKARGCB_CREATECONTEXTALLOCATION request;

    memset(&request, 0, sizeof(request));
    request.ContextAllocationFlags.SharedAcrossContexts = context == NULL; /* obeys D-139 */
    request.hAdapter = adapter->dxgk.DeviceHandle;
    request.hDevice = device->dxgk_handle;
    request.hContext = context;
    request.Size = size;
    if (softgpu_has_tables(adapter)) {
        const DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 flags = {.AccessedPhysically = 1,
                                                        .ExplicitResidencyNotification = 1};

        request.Flags.Value = flags.Value; /* nothing else says where a transfer has brought it */
    }
    request.SupportedSegmentSet =
        segments_of(registers, aperture ? SOFTGPU_SEGMENT_APERTURE : SOFTGPU_SEGMENT_MEMORY);
    if (aperture) { /* obeys D-137: that is what it takes to get an address */
        request.Flags.CpuVisible = 1;
        request.Flags.Protected = 1;
    } else {
        request.EvictionSegmentSet = segments_of(registers, SOFTGPU_SEGMENT_APERTURE);
    }
    return request;
}

static NTSTATUS create(struct softgpu_driver_device *device, HANDLE context, ULONG size,
                       struct softgpu_context_allocation **result)
{
    struct softgpu_adapter *adapter = device->adapter;
    DXGKARGCB_CREATECONTEXTALLOCATION request = request_of(device, context, size);
    struct softgpu_context_allocation *allocation =
        softgpu_new_object(SOFTGPU_CONTEXT_ALLOCATION, sizeof(*allocation));
    NTSTATUS status;

    if (allocation == NULL)
        return STATUS_NO_MEMORY;
    allocation->number = atomic_fetch_add(&adapter->context_numbers, 1) + 1;
    allocation->size = size;
    allocation->segments = request.SupportedSegmentSet;
    allocation->by_address = request.Flags.CpuVisible;
    request.hDriverAllocation = allocation;
    status = adapter->dxgk.DxgkCbCreateContextAllocation(&request);
    if (!NT_SUCCESS(status)) {
        softgpu_free_object(allocation);
        return status;
    }
    allocation->dxgk_handle = request.hAllocation;
    *result = allocation;
    return STATUS_SUCCESS;
}

static void destroy(struct softgpu_adapter *adapter, struct softgpu_context_allocation *allocation)
{
    NTSTATUS status;

    if (allocation == NULL)
        return;
    status = adapter->dxgk.DxgkCbDestroyContextAllocation(adapter->dxgk.DeviceHandle,
                                                          allocation->dxgk_handle);
    if (!NT_SUCCESS(status))
        softgpu_refuse(adapter, status, "DxgkCbDestroyContextAllocation answered 0x%x", status);
    softgpu_free_object(allocation); /* nobody names it any more */
}

NTSTATUS softgpu_create_table(struct softgpu_driver_device *device)
{
    return has_contexts(device->adapter) ? create(device, NULL, SOFTGPU_TABLE_SIZE, &device->table)
                                         : STATUS_SUCCESS;
}

void softgpu_destroy_table(struct softgpu_driver_device *device)
{
    destroy(device->adapter, device->table);
    device->table = NULL;
}

NTSTATUS softgpu_create_save(struct softgpu_context *context, HANDLE dxgk_handle)
{
    return has_contexts(context->device->adapter) && !context->system
               ? create(context->device, dxgk_handle, SOFTGPU_SAVE_SIZE, &context->save)
               : STATUS_SUCCESS;
}

void softgpu_destroy_save(struct softgpu_context *context)
{
    destroy(context->device->adapter, context->save);
    context->save = NULL;
}

/* ---- where they are -------------------------------------------------------------------------- */

struct softgpu_context_allocation *softgpu_context_allocation_of(HANDLE handle)
{
    struct softgpu_context_allocation *allocation = handle;

    return allocation != NULL && allocation->kind == SOFTGPU_CONTEXT_ALLOCATION ? allocation : NULL;
}

/* An eviction aperture is no place to be used from. */
static void come(struct softgpu_context_allocation *allocation, UINT segment, UINT64 address)
{
    if (segment != 0 && (allocation->segments >> (segment - 1) & 1) != 0) {
        allocation->segment = segment;
        allocation->address = address;
    }
}

static void leave(struct softgpu_context_allocation *allocation, UINT segment, UINT64 address)
{
    if (segment == allocation->segment && address == allocation->address)
        allocation->segment = 0;
}

static UINT64 address_of_page(UINT segment, SIZE_T page)
{
    return SOFTGPU_SEGMENT_BASE(segment) + ((UINT64)page << SOFTGPU_PAGE_SHIFT);
}

void softgpu_note_context(const DXGKARG_BUILDPAGINGBUFFER *args)
{
    struct softgpu_context_allocation *allocation;

    switch (args->Operation) {
    case DXGK_OPERATION_TRANSFER:
        if ((allocation = softgpu_context_allocation_of(args->Transfer.hAllocation)) == NULL)
            return;
        if (args->Transfer.Source.SegmentId != 0)
            leave(allocation, args->Transfer.Source.SegmentId,
                  (UINT64)args->Transfer.Source.SegmentAddress.QuadPart);
        if (args->Transfer.Destination.SegmentId != 0)
            come(allocation, args->Transfer.Destination.SegmentId,
                 (UINT64)args->Transfer.Destination.SegmentAddress.QuadPart);
        return;
    case DXGK_OPERATION_INIT_CONTEXT_RESOURCE:
        allocation = softgpu_context_allocation_of(args->InitContextResource.hAllocation);
        if (allocation != NULL)
            come(allocation, args->InitContextResource.Destination.SegmentId,
                 (UINT64)args->InitContextResource.Destination.SegmentAddress.QuadPart);
        return;
    case DXGK_OPERATION_NOTIFY_RESIDENCY:
        allocation = softgpu_context_allocation_of(args->NotifyResidency.hAllocation);
        if (allocation != NULL && args->NotifyResidency.Resident)
            come(allocation, args->NotifyResidency.PhysicalAddress.SegmentId,
                 SOFTGPU_SEGMENT_BASE(args->NotifyResidency.PhysicalAddress.SegmentId) +
                     args->NotifyResidency.PhysicalAddress.SegmentOffset);
        else if (allocation != NULL)
            allocation->segment = 0;
        return;
    case DXGK_OPERATION_DISCARD_CONTENT:
        allocation = softgpu_context_allocation_of(args->DiscardContent.hAllocation);
        if (allocation != NULL)
            leave(allocation, args->DiscardContent.SegmentId,
                  (UINT64)args->DiscardContent.SegmentAddress.QuadPart);
        return;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        allocation = softgpu_context_allocation_of(args->MapApertureSegment.hAllocation);
        if (allocation != NULL)
            come(allocation, args->MapApertureSegment.SegmentId,
                 address_of_page(args->MapApertureSegment.SegmentId,
                                 args->MapApertureSegment.OffsetInPages));
        return;
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        allocation = softgpu_context_allocation_of(args->UnmapApertureSegment.hAllocation);
        if (allocation != NULL)
            leave(allocation, args->UnmapApertureSegment.SegmentId,
                  address_of_page(args->UnmapApertureSegment.SegmentId,
                                  args->UnmapApertureSegment.OffsetInPages));
        return;
    default:
        return;
    }
}

void softgpu_name_context(struct softgpu_adapter *adapter, const struct softgpu_context *context,
                          struct softgpu_packet *packet)
{
    const struct softgpu_context_allocation *save = context->save, *table = context->device->table;

    if (save != NULL && table != NULL && (save->segment == 0 || table->segment == 0)) {
        softgpu_refuse(adapter, STATUS_SUCCESS,
                       "SubmitCommand: fence %u, the %s of context %u is nowhere (D-138)",
                       packet->fence, save->segment == 0 ? "save area" : "table", save->number);
        return;
    }
    if (save != NULL) {
        packet->context = save->number;
        packet->save_segment = (uint16_t)save->segment;
        packet->save_address = save->address;
    }
    if (table != NULL) {
        packet->table = table->number;
        packet->table_segment = (uint16_t)table->segment;
        packet->table_address = table->address;
    }
}

/* ---- first content --------------------------------------------------------------------------- */

/* By the CPU, where there is an address. */
static void write_first_content(const struct softgpu_context_allocation *allocation, void *address)
{
    uint64_t *words = address;

    for (ULONG i = 0; i < allocation->size / sizeof(*words); i++)
        words[i] =
            softgpu_context_word(allocation->number, i * sizeof(*words) / SOFTGPU_PAGE_SIZE, 0);
}

NTSTATUS softgpu_describe_init(struct softgpu_adapter *adapter,
                               const DXGKARG_BUILDPAGINGBUFFER *args, struct softgpu_op_context *op)
{
    const struct softgpu_context_allocation *allocation =
        softgpu_context_allocation_of(args->InitContextResource.hAllocation);
    void *address = args->InitContextResource.Destination.VirtualAddress;
    UINT segment = args->InitContextResource.Destination.SegmentId;

    if (allocation == NULL)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: InitContextResource of no context allocation");
    if (segment == 0 || (allocation->segments >> (segment - 1) & 1) == 0)
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: InitContextResource in segment %u", segment);
    if ((address != NULL) != (allocation->by_address != 0)) /* obeys D-137 */
        return softgpu_refuse(adapter, STATUS_INVALID_PARAMETER,
                              "BuildPagingBuffer: InitContextResource %s a VirtualAddress",
                              address != NULL ? "with" : "without");
    *op = (struct softgpu_op_context){
        .command = {.opcode = SOFTGPU_OP_CONTEXT, .size = sizeof(*op)},
        .what = address != NULL ? SOFTGPU_CONTEXT_INITIALISED : SOFTGPU_CONTEXT_INIT,
        .number = allocation->number,
        .segment = segment,
        .bytes = allocation->size,
        .address = (UINT64)args->InitContextResource.Destination.SegmentAddress.QuadPart,
    };
    if (address != NULL)
        write_first_content(allocation, address);
    return STATUS_SUCCESS;
}
