/* context_allocation.c: allocations that a miniport makes for its contexts.
 *
 *     DxgkDdiCreateContext --- DxgkCbCreateContextAllocation ---> record, engine not resident yet
 *                                                                   |
 *     each DMA buffer of the context: a reference that no list shows
 *         the first time, and when the content was lost: InitContextResource; then SubmitCommand
 *                                                                   |
 *     DxgkDdiDestroyContext -- DxgkCbDestroyContextAllocation --> the engine lets go, record freed
 *
 * One with SharedAcrossContexts is a reference of each DMA buffer of the device. No program sees
 * them, so none is ever locked, offered or named in an allocation list. To the engine they are
 * allocations of the device with one property more (context.c).
 *
 * The miniport's handle is good until DxgkCbDestroyContextAllocation returns: so that call waits
 * until the engine needs it no more. What is left when its context or device goes, goes with it.
 *
 * Source: DXGKCB_CREATECONTEXTALLOCATION, DXGKCB_DESTROYCONTEXTALLOCATION,
 * DXGKARGCB_CREATECONTEXTALLOCATION, DXGK_CREATECONTEXTALLOCATIONFLAGS; rules D-137 to D-139.
 */
#include "vidmm/object/seen.h"

/* ---- what the miniport asks for -------------------------------------------------------------- */

/* What is being asked for, and for whom. */
struct asked {
    struct vidmm_device *device;
    struct vidmm_context *context; /* NULL: all of the device's */
    DXGK_ALLOCATIONINFO info;
};

static void *find_by_handle(const struct vidmm_adapter *adapter, HANDLE handle, uint8_t type)
{
    uintptr_t number = (uintptr_t)handle;
    void *object = NULL;

    if (number <= UINT32_MAX && number >> 28 == adapter->number && (number & 0xfffffff) != 0) {
        vidmm_adapter_lock(adapter);
        object = vidmm_slot_find(&adapter->handles, (uint32_t)(number & 0xfffffff) - 1, type);
        vidmm_adapter_unlock(adapter);
    }
    return object;
}

static NTSTATUS refuse(struct asked *asked, NTSTATUS status, const char *what, uint64_t value,
                       const char *legal)
{
    return vidmm_report_refusal(asked->device ? &asked->device->refusal : NULL, status, what, value,
                                legal);
}

/* Whose it is to be. */
VIDMM_SEES(D_139);
static NTSTATUS find_owner(struct vidmm_adapter *adapter,
                           const DXGKARGCB_CREATECONTEXTALLOCATION *arguments, struct asked *asked)
{
    bool shared = arguments->ContextAllocationFlags.SharedAcrossContexts;

    asked->device = find_by_handle(adapter, arguments->hDevice, VIDMM_HANDLE_DEVICE);
    if (!asked->device || asked->device->system) {
        return refuse(asked, STATUS_INVALID_PARAMETER, "hDevice", (uintptr_t)arguments->hDevice,
                      "the handle that DxgkDdiCreateDevice was given, of no system device");
    }
    if (shared && arguments->hContext) {
        if (vidmm_breach_is_refused(adapter, VIDMM_RULE_D_139, false, "hContext",
                                    (uintptr_t)arguments->hContext, &asked->device->refusal))
            return STATUS_INVALID_PARAMETER;
        vidmm_seen(adapter, VIDMM_RULE_D_139, "hContext", (uintptr_t)arguments->hContext);
    }
    if (shared)
        return STATUS_SUCCESS;
    asked->context = find_by_handle(adapter, arguments->hContext, VIDMM_HANDLE_CONTEXT);
    if (!asked->context || asked->context->device != asked->device) {
        return refuse(asked, STATUS_INVALID_PARAMETER, "hContext", (uintptr_t)arguments->hContext,
                      "the handle that DxgkDdiCreateContext was given, of a context of hDevice");
    }
    return STATUS_SUCCESS;
}

/* What no context allocation is: locked by a program, scanned out, or somebody's memory. */
static bool flags_are_legal(DXGK_ALLOCATIONINFOFLAGS flags)
{
    DXGK_ALLOCATIONINFOFLAGS legal = {.CpuVisible = 1,
                                      .Cached = 1,
                                      .Protected = 1,
                                      .FromEndOfSegment = 1,
                                      .SynchronousPaging = 1};

    return (flags.Value & ~legal.Value) == 0;
}

static NTSTATUS check(struct vidmm_adapter *adapter,
                      const DXGKARGCB_CREATECONTEXTALLOCATION *arguments, struct asked *asked)
{
    NTSTATUS status = find_owner(adapter, arguments, asked);

    if (status != STATUS_SUCCESS)
        return status;
    if ((arguments->ContextAllocationFlags.Value & ~1u) != 0) {
        return refuse(asked, STATUS_INVALID_PARAMETER, "ContextAllocationFlags",
                      arguments->ContextAllocationFlags.Value,
                      "SharedAcrossContexts (1) or 0; MapGpuVirtualAddress is of WDDM 2.x");
    }
    if (!flags_are_legal(arguments->Flags)) {
        return refuse(asked, STATUS_INVALID_PARAMETER, "Flags of a context allocation",
                      arguments->Flags.Value,
                      "CpuVisible, Cached, Protected, FromEndOfSegment, SynchronousPaging");
    }
    if (vidmm_adapter_is_linked(adapter)) {
        return refuse(asked, STATUS_NOT_SUPPORTED, "physical adapters", adapter->link_count,
                      "context allocations of a link are not supported by this version");
    }
    asked->info = (DXGK_ALLOCATIONINFO){
        .Size = arguments->Size,
        .Alignment = arguments->Alignment,
        .SupportedReadSegmentSet = arguments->SupportedSegmentSet,
        .SupportedWriteSegmentSet = arguments->SupportedSegmentSet,
        .EvictionSegmentSet = arguments->EvictionSegmentSet,
        .PreferredSegment = arguments->PreferredSegment,
        .HintedBank = arguments->HintedBank,
        .Flags = arguments->Flags,
        .AllocationPriority = D3DDDI_ALLOCATIONPRIORITY_NORMAL,
        .hAllocation = arguments->hDriverAllocation,
    };
    return STATUS_SUCCESS;
}

/* ---- creation -------------------------------------------------------------------------------- */

/* obeys D-137: the CPU's address is the driver's for as long as it lives, and only under all three
 * conditions, so that it is always that of the backing store. */
static NTSTATUS map_for_driver(struct vidmm_allocation *allocation, const struct vidmm_wish *wish)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};
    struct vidmm_adapter *adapter = allocation->adapter;
    uint32_t id;

    if (!flags.CpuVisible || !flags.Protected)
        return STATUS_SUCCESS;
    for (id = 1; id <= adapter->segment_count; id++) {
        DXGK_SEGMENTFLAGS segment = {.Value = adapter->segments[id].info.flags};

        if ((wish->read_set >> (id - 1) & 1) != 0 && !segment.Aperture)
            return STATUS_SUCCESS;
    }
    return vidmm_backing_map(&allocation->backing, adapter->host) ? STATUS_SUCCESS
                                                                  : STATUS_NO_MEMORY;
}

static NTSTATUS tell_engine(struct vidmm_allocation *allocation, const struct vidmm_wish *wish)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    struct vidmm_device *device = allocation->device;
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = device->id};
    NTSTATUS status = STATUS_DEVICE_REMOVED;

    event.create.allocation = allocation->id;
    event.create.context_allocation = 1;
    event.create.wish = *wish;
    vidmm_adapter_lock(adapter);
    if (!adapter->stopped)
        status = vidmm_pump_step(adapter, &event);
    if (status == STATUS_SUCCESS) {
        allocation->next = device->context_allocations;
        allocation->link = &device->context_allocations;
        if (allocation->next)
            allocation->next->link = &allocation->next;
        device->context_allocations = allocation;
    }
    vidmm_adapter_unlock(adapter);
    return status;
}

static NTSTATUS create(struct asked *asked, struct vidmm_allocation **result)
{
    const struct vidmm_description description = {.vidpn_source = VIDMM_NO_SOURCE};
    struct vidmm_allocation *allocation = vidmm_allocation_make(asked->device, &description, NULL);
    struct vidmm_report *report = &asked->device->refusal;
    struct vidmm_wish wish;
    NTSTATUS status;

    if (!allocation)
        return refuse(asked, STATUS_NO_MEMORY, "Size", asked->info.Size, "there is no memory");
    allocation->context_allocation = true;
    allocation->context = asked->context;
    allocation->h_allocation = asked->info.hAllocation;
    status = vidmm_allocation_accept(allocation, &asked->info, &wish, report);
    if (status == STATUS_SUCCESS)
        status = vidmm_allocation_back(allocation, &wish, &description, report);
    if (status == STATUS_SUCCESS)
        status = map_for_driver(allocation, &wish);
    if (status == STATUS_SUCCESS)
        status = tell_engine(allocation, &wish);
    if (status != STATUS_SUCCESS) {
        vidmm_allocation_free(allocation);
        return asked->device->refusal.text[0] != '\0'
                   ? status
                   : refuse(asked, status, "Size", asked->info.Size,
                            "there is no memory, or it is larger than every segment of its set");
    }
    *result = allocation;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_context_allocation_create(struct vidmm_adapter *adapter,
                                         DXGKARGCB_CREATECONTEXTALLOCATION *arguments)
{
    struct vidmm_allocation *allocation = NULL;
    struct asked asked = {0};
    NTSTATUS status;

    if (adapter->level < VIDMM_LEVEL(1, 2) || adapter->level >= VIDMM_LEVEL(2, 0))
        return STATUS_NOT_SUPPORTED;
    status = check(adapter, arguments, &asked);
    if (status == STATUS_SUCCESS)
        status = create(&asked, &allocation);
    if (status == STATUS_SUCCESS)
        arguments->hAllocation = (HANDLE)(uintptr_t)vidmm_allocation_handle(allocation);
    return status;
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool is_gone(void *argument)
{
    const struct vidmm_allocation *allocation = argument;
    bool gone;

    vidmm_adapter_lock(allocation->adapter);
    gone = allocation->gone || vidmm_adapter_is_still(allocation->adapter);
    vidmm_adapter_unlock(allocation->adapter);
    return gone;
}

/* Have the engine let go of it, and wait as long. False: it has not. */
static bool let_go(struct vidmm_allocation *allocation, uint64_t timeout_ns)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};

    event.destroy.allocation = allocation->id;
    vidmm_adapter_lock(adapter);
    if (!allocation->destroyed && !adapter->stopped)
        vidmm_pump_step(adapter, &event);
    allocation->destroyed = true;
    vidmm_adapter_unlock(adapter);
    if (is_gone(allocation))
        return true;
    adapter->host->wake(
        adapter->host->context); /* somebody has to pump, and it is not this thread */
    return adapter->host->wait(adapter->host->context, is_gone, allocation, timeout_ns);
}

/* The miniport may be inside the very call that the engine waits for; then this waits as long as
 * for a fence, and the handle is not named any more. */
NTSTATUS vidmm_context_allocation_destroy(struct vidmm_adapter *adapter, HANDLE handle)
{
    struct vidmm_allocation *allocation = find_by_handle(adapter, handle, VIDMM_HANDLE_ALLOCATION);

    if (!allocation || !allocation->context_allocation || allocation->destroyed)
        return STATUS_INVALID_PARAMETER;
    if (!let_go(allocation, adapter->options.timeout_ms * UINT64_C(1000000))) {
        vidmm_adapter_lock(adapter);
        allocation->h_allocation = NULL;
        adapter->findings++;
        vidmm_adapter_unlock(adapter);
        return STATUS_TIMEOUT;
    }
    vidmm_allocation_free(allocation);
    return STATUS_SUCCESS;
}

static struct vidmm_allocation *first_of(const struct vidmm_device *device,
                                         const struct vidmm_context *context)
{
    struct vidmm_allocation *allocation;

    vidmm_adapter_lock(device->adapter);
    allocation = device->context_allocations;
    while (allocation && context && allocation->context != context)
        allocation = allocation->next;
    vidmm_adapter_unlock(device->adapter);
    return allocation;
}

void vidmm_context_allocations_leave(struct vidmm_device *device,
                                     const struct vidmm_context *context)
{
    struct vidmm_allocation *allocation;

    while ((allocation = first_of(device, context)) != NULL) {
        let_go(allocation, UINT64_MAX);
        vidmm_allocation_free(allocation);
    }
}

/* ---- references ------------------------------------------------------------------------------ */

/* Room for so many references. False: no memory. */
static bool reserve(const struct vidmm_host *host, struct vidmm_dma_buffer *dma_buffer,
                    uint32_t count)
{
    struct vidmm_reference *references;

    if (count <= dma_buffer->reference_room)
        return true;
    references = vidmm_allocate(host, count * sizeof(*references));
    if (!references)
        return false;
    memcpy(references, dma_buffer->references, dma_buffer->allocation_count * sizeof(*references));
    vidmm_free(host, dma_buffer->references);
    dma_buffer->references = references;
    dma_buffer->reference_room = count;
    return true;
}

bool vidmm_context_allocations_refer(struct vidmm_dma_buffer *dma_buffer, uint32_t *count)
{
    const struct vidmm_context *context = dma_buffer->context;
    const struct vidmm_allocation *allocation;

    *count = dma_buffer->allocation_count;
    for (allocation = context->device->context_allocations; allocation;
         allocation = allocation->next) {
        if (allocation->destroyed || (allocation->context && allocation->context != context))
            continue;
        if (!reserve(context->device->adapter->host, dma_buffer, *count + 1))
            return false;
        dma_buffer->references[(*count)++] =
            (struct vidmm_reference){allocation->id, VIDMM_REFERENCE_WRITES}; /* obeys D-138 */
    }
    return true;
}
