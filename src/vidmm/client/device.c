/* device.c: devices, contexts, and the DMA buffers that belong to a context.
 *
 * A miniport that is not MultiEngineAware knows no contexts (D-303): a context is then this face's
 * own object, with the DMA-buffer properties that the miniport gave for the device.
 *
 * Source: DXGKARG_CREATEDEVICE, DXGKARG_CREATECONTEXT; rules D-293 to D-297, D-303, D-330.
 */
#include "vidmm/client/dma_request.h"
#include "vidmm/object/seen.h"

/* ---- devices --------------------------------------------------------------------------------- */

static NTSTATUS take_number(struct vidmm_adapter *adapter, struct vidmm_device *device, bool system)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_DEVICE};
    NTSTATUS status = STATUS_NO_MEMORY;
    uint32_t index;

    vidmm_adapter_lock(adapter);
    if (vidmm_slot_take(&adapter->handles, &adapter->host->memory, device, VIDMM_HANDLE_DEVICE,
                        &index)) {
        event.device = index + 1;
        event.create_device.system = system;
        status = adapter->stopped ? STATUS_DEVICE_REMOVED : vidmm_pump_step(adapter, &event);
        if (status == STATUS_SUCCESS) {
            device->id = index + 1;
            device->handle = adapter->number << 28 | device->id;
        } else {
            vidmm_slot_release(&adapter->handles, index);
        }
    }
    vidmm_adapter_unlock(adapter);
    return status;
}

static void give_number_back(struct vidmm_device *device)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_DEVICE, .device = device->id};

    vidmm_pump_event(adapter, &event);
    vidmm_adapter_lock(adapter);
    vidmm_slot_release(&adapter->handles, device->id - 1);
    vidmm_adapter_unlock(adapter);
}

VIDMM_SEES(D_293);
/* Have the miniport make its side of it. */
static NTSTATUS create_in_kmd(struct vidmm_device *device, bool system)
{
    struct vidmm_adapter *adapter = device->adapter;
    DXGKARG_CREATEDEVICE arguments;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    /* obeys D-294: for callbacks; the answer is the miniport's own */
    arguments.hDevice = (HANDLE)(uintptr_t)device->handle;
    if (adapter->multi_engine)
        arguments.Flags.SystemDevice = system;
    else
        arguments.pInfo = &device->info;
    vidmm_driver_enter(adapter);
    status = adapter->driver.DxgkDdiCreateDevice(adapter->h_adapter, &arguments);
    vidmm_driver_leave(adapter);
    device->h_device = arguments.hDevice;
    if (status != STATUS_SUCCESS && status != STATUS_NO_MEMORY)
        vidmm_seen(adapter, VIDMM_RULE_D_293, "status of DxgkDdiCreateDevice", (uint32_t)status);
    if (status == STATUS_SUCCESS && !adapter->multi_engine && arguments.pInfo &&
        arguments.pInfo != &device->info)
        device->info = *arguments.pInfo; /* it may fill ours, or point to its own */
    return status;
}

static void link_device(struct vidmm_adapter *adapter, struct vidmm_device *device)
{
    vidmm_adapter_lock(adapter);
    device->next = adapter->devices;
    device->link = &adapter->devices;
    if (device->next)
        device->next->link = &device->next;
    adapter->devices = device;
    vidmm_adapter_unlock(adapter);
}

static void unlink_device(struct vidmm_adapter *adapter, struct vidmm_device *device)
{
    vidmm_adapter_lock(adapter);
    *device->link = device->next;
    if (device->next)
        device->next->link = device->link;
    vidmm_adapter_unlock(adapter);
}

NTSTATUS vidmm_device_init(struct vidmm_adapter *adapter, uint64_t process, bool system,
                           struct vidmm_device **result)
{
    struct vidmm_device *device = vidmm_allocate(adapter->host, sizeof(*device));
    NTSTATUS status;

    if (!device)
        return STATUS_NO_MEMORY;
    device->adapter = adapter;
    device->process = process;
    device->system = system;
    status = take_number(adapter, device, system);
    if (status == STATUS_SUCCESS) {
        status = create_in_kmd(device, system);
        if (status != STATUS_SUCCESS) {
            vidmm_context_allocations_leave(device, NULL);
            give_number_back(device);
        }
    }
    if (status != STATUS_SUCCESS) {
        vidmm_free(adapter->host, device);
        return status;
    }
    link_device(adapter, device);
    *result = device;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_device_create(struct vidmm_adapter *adapter, uint64_t process,
                             struct vidmm_device **device, struct vidmm_report *report)
{
    NTSTATUS status = vidmm_device_init(adapter, process, false, device);

    return status == STATUS_SUCCESS
               ? status
               : vidmm_report_refusal(report, status, "the process of the device", process,
                                      status == STATUS_DEVICE_REMOVED
                                          ? "the adapter has stopped"
                                          : "no memory, or the driver refused it");
}

NTSTATUS vidmm_device_condition(const struct vidmm_device *device, struct vidmm_report *report)
{
    NTSTATUS status;

    vidmm_adapter_lock(device->adapter);
    status = device->status;
    if (report && status != STATUS_SUCCESS)
        *report = device->report;
    if (status == STATUS_SUCCESS && device->adapter->stopped) {
        status = STATUS_DEVICE_REMOVED;
        if (report)
            *report = device->adapter->stop_report;
    }
    vidmm_adapter_unlock(device->adapter);
    return status;
}

static bool device_is_empty(void *argument)
{
    const struct vidmm_device *device = argument;
    bool empty;

    vidmm_adapter_lock(device->adapter);
    empty = (!device->allocations && !device->resources) || vidmm_adapter_is_still(device->adapter);
    vidmm_adapter_unlock(device->adapter);
    return empty;
}

/* Those that the engine will never let go of, because it has stopped. */
static void abandon_allocations(struct vidmm_device *device)
{
    struct vidmm_inside inside;

    vidmm_turn_begin(device->adapter, device->process, &inside);
    vidmm_instances_abandon(device);
    while (device->resources)
        vidmm_resource_gone(device->resources);
    while (device->allocations) {
        device->allocations->destroyed = false; /* nobody waits for it */
        vidmm_kmd_abandon_ranges(device->allocations);
        vidmm_allocation_gone(device->allocations);
    }
    vidmm_turn_end(&inside);
}

static bool is_idle(void *argument)
{
    const struct vidmm_device *device = argument;
    const struct vidmm_context *context;
    bool idle = true;

    vidmm_adapter_lock(device->adapter);
    for (context = device->contexts; context && idle; context = context->next)
        idle = !context->rendering && atomic_load(&context->completed) + 1 == context->next_value;
    idle = idle || device->adapter->stopped;
    vidmm_adapter_unlock(device->adapter);
    return idle;
}

void vidmm_device_wait(struct vidmm_device *device)
{
    const struct vidmm_host *host = device->adapter->host;

    host->wait(host->context, is_idle, device, UINT64_MAX);
}

static struct vidmm_resource *find_living(const struct vidmm_device *device)
{
    struct vidmm_resource *resource;

    vidmm_adapter_lock(device->adapter);
    for (resource = device->resources; resource && resource->dying; resource = resource->next) {
    }
    vidmm_adapter_unlock(device->adapter);
    return resource;
}

static struct vidmm_allocation *find_undestroyed(const struct vidmm_device *device)
{
    struct vidmm_allocation *allocation;

    vidmm_adapter_lock(device->adapter);
    for (allocation = device->allocations; allocation && allocation->destroyed;
         allocation = allocation->next) {
    }
    vidmm_adapter_unlock(device->adapter);
    return allocation;
}

void vidmm_device_wait_empty(struct vidmm_device *device)
{
    vidmm_pump(device->adapter);
    device->adapter->host->wait(device->adapter->host->context, device_is_empty, device,
                                UINT64_MAX);
}

VIDMM_SEES(D_067);
VIDMM_SEES(D_159);
void vidmm_device_destroy(struct vidmm_device *device)
{
    struct vidmm_adapter *adapter;
    struct vidmm_allocation *allocation;
    struct vidmm_resource *resource;

    if (!device)
        return;
    adapter = device->adapter;
    while (device->contexts)
        vidmm_context_destroy(device->contexts);
    while ((resource = find_living(device)) != NULL) {
        if (resource->emptied)
            vidmm_seen(adapter, VIDMM_RULE_D_067, "process of the device", device->process);
        vidmm_resource_destroy(resource);
    }
    while ((allocation = find_undestroyed(device)) != NULL)
        vidmm_allocation_destroy(allocation);
    if (atomic_load(&device->unmatched) > 0) {
        vidmm_seen(adapter, VIDMM_RULE_D_159, "locks of a device without an unlock",
                   atomic_load(&device->unmatched));
    }
    vidmm_device_wait_empty(device);
    abandon_allocations(device);
    vidmm_driver_enter(adapter);
    adapter->driver.DxgkDdiDestroyDevice(device->h_device);
    vidmm_driver_leave(adapter);
    vidmm_context_allocations_leave(device, NULL);
    give_number_back(device);
    unlink_device(adapter, device);
    vidmm_free(adapter->host, device);
}

/* ---- DMA buffers ----------------------------------------------------------------------------- */

static void finish_dma_buffer(struct vidmm_adapter *adapter, struct vidmm_dma_buffer *dma_buffer)
{
    vidmm_command_memory_finish(adapter, &dma_buffer->memory);
    vidmm_free(adapter->host, dma_buffer->allocation_list);
    vidmm_free(adapter->host, dma_buffer->allocations);
    vidmm_free(adapter->host, dma_buffer->references);
    vidmm_free(adapter->host, dma_buffer->element_of);
    vidmm_free(adapter->host, dma_buffer->reference_of);
    vidmm_free(adapter->host, dma_buffer->patch_list);
    vidmm_free(adapter->host, dma_buffer->patches);
    if (dma_buffer->id != 0) {
        vidmm_adapter_lock(adapter);
        vidmm_slot_release(&adapter->dma_buffers, dma_buffer->id - 1);
        vidmm_adapter_unlock(adapter);
    }
    memset(dma_buffer, 0, sizeof(*dma_buffer));
}

static bool allocate_lists(const struct vidmm_host *host, struct vidmm_dma_buffer *dma_buffer,
                           const DXGK_CONTEXTINFO *info)
{
    size_t allocations = (size_t)info->AllocationListSize + VIDMM_PRESENT_LIST;
    size_t patches = info->PatchLocationListSize;

    dma_buffer->allocation_list =
        vidmm_allocate(host, allocations * sizeof(*dma_buffer->allocation_list));
    dma_buffer->allocations = vidmm_allocate(host, allocations * sizeof(struct vidmm_allocation *));
    dma_buffer->references = vidmm_allocate(host, allocations * sizeof(*dma_buffer->references));
    dma_buffer->reference_room = (uint32_t)allocations;
    dma_buffer->element_of = vidmm_allocate(host, allocations * sizeof(uint32_t));
    dma_buffer->reference_of = vidmm_allocate(host, allocations * sizeof(uint32_t));
    dma_buffer->patch_list = vidmm_allocate(host, (patches + 1) * sizeof(*dma_buffer->patch_list));
    dma_buffer->patches = vidmm_allocate(host, (patches + 1) * sizeof(*dma_buffer->patches));
    return dma_buffer->allocation_list && dma_buffer->allocations && dma_buffer->references &&
           dma_buffer->element_of && dma_buffer->reference_of && dma_buffer->patch_list &&
           dma_buffer->patches;
}

static NTSTATUS init_dma_buffer(struct vidmm_context *context, struct vidmm_dma_buffer *dma_buffer,
                                const DXGK_CONTEXTINFO *info)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    uint32_t index;
    bool taken;

    dma_buffer->context = context;
    vidmm_adapter_lock(adapter);
    taken = vidmm_slot_take(&adapter->dma_buffers, &adapter->host->memory, dma_buffer,
                            VIDMM_HANDLE_ALLOCATION, &index);
    vidmm_adapter_unlock(adapter);
    if (!taken)
        return STATUS_NO_MEMORY;
    dma_buffer->id = index + 1;
    if (!allocate_lists(adapter->host, dma_buffer, info))
        return STATUS_NO_MEMORY;
    return vidmm_command_memory_init(adapter, context->device, &dma_buffer->memory,
                                     info->DmaBufferSegmentSet, info->DmaBufferSize,
                                     info->DmaBufferPrivateDataSize);
}

/* ---- contexts -------------------------------------------------------------------------------- */

VIDMM_SEES(D_014);
static NTSTATUS check_info(const struct vidmm_adapter *adapter, const DXGK_CONTEXTINFO *info,
                           struct vidmm_report *report)
{
    uint32_t id;

    if (info->DmaBufferSize == 0 || info->DmaBufferSize > 1u << 26) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, "DmaBufferSize",
                                    info->DmaBufferSize, "it must be 1 byte to 64 MiB");
    }
    if (info->AllocationListSize > 1u << 20 || info->PatchLocationListSize > 1u << 20 ||
        info->DmaBufferPrivateDataSize > 1u << 24) {
        return vidmm_report_refusal(
            report, STATUS_GRAPHICS_DRIVER_MISMATCH, "AllocationListSize", info->AllocationListSize,
            "lists have at most 2^20 elements, private data at most 16 MiB");
    }
    if (info->DmaBufferSegmentSet >> adapter->segment_count != 0) {
        return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH, "DmaBufferSegmentSet",
                                    info->DmaBufferSegmentSet,
                                    "it names a segment that does not exist");
    }
    for (id = 1; id <= adapter->segment_count; id++) {
        DXGK_SEGMENTFLAGS flags = {.Value = adapter->segments[id].info.flags};

        if ((info->DmaBufferSegmentSet >> (id - 1) & 1) != 0 && !flags.Aperture) {
            return vidmm_report_refusal(report, STATUS_GRAPHICS_DRIVER_MISMATCH,
                                        "DmaBufferSegmentSet", info->DmaBufferSegmentSet,
                                        "it may name aperture segments only (D-014)");
        }
    }
    return STATUS_SUCCESS;
}

/* *handle is the kernel's for callbacks, NULL of a system context, and becomes the miniport's. */
static NTSTATUS create_context_in_kmd(struct vidmm_device *device, uint32_t node, uint32_t engine,
                                      bool system, void *private_data, uint32_t private_data_size,
                                      HANDLE *handle, DXGK_CONTEXTINFO *info)
{
    DXGKARG_CREATECONTEXT arguments;
    NTSTATUS status;

    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = *handle;
    arguments.NodeOrdinal = node;
    arguments.EngineAffinity = 1u << engine; /* obeys D-297 */
    arguments.Flags.SystemContext = system;
    arguments.pPrivateDriverData = private_data;
    arguments.PrivateDriverDataSize = private_data_size;
    vidmm_driver_enter(device->adapter);
    status = device->adapter->driver.DxgkDdiCreateContext(device->h_device, &arguments);
    vidmm_driver_leave(device->adapter);
    if (status != STATUS_SUCCESS && status != STATUS_NO_MEMORY && private_data_size == 0)
        vidmm_seen(device->adapter, VIDMM_RULE_D_293, "status of DxgkDdiCreateContext",
                   (uint32_t)status); /* with private data, those may be what it refuses */
    *handle = status == STATUS_SUCCESS ? arguments.hContext : NULL;
    *info = arguments.ContextInfo;
    return status;
}

/* obeys D-303 */
static void info_of_device(const struct vidmm_device *device, DXGK_CONTEXTINFO *info)
{
    memset(info, 0, sizeof(*info));
    info->DmaBufferSize = device->info.DmaBufferSize;
    info->DmaBufferSegmentSet = device->info.DmaBufferSegmentSet;
    info->DmaBufferPrivateDataSize = device->info.DmaBufferPrivateDataSize;
    info->AllocationListSize = device->info.AllocationListSize;
    info->PatchLocationListSize = device->info.PatchLocationListSize;
}

NTSTATUS vidmm_system_context_create(struct vidmm_adapter *adapter)
{
    DXGK_CONTEXTINFO info;
    uint32_t engine;
    NTSTATUS status = vidmm_device_init(adapter, 0, true, &adapter->system_device);

    if (status == STATUS_SUCCESS && adapter->multi_engine) { /* obeys D-261 */
        status = create_context_in_kmd(adapter->system_device,
                                       adapter->caps.MemoryManagementCaps.PagingNode, 0, true, NULL,
                                       0, &adapter->h_system_context, &info);
    }
    for (engine = 1;
         engine < adapter->link_count && adapter->multi_engine && status == STATUS_SUCCESS;
         engine++) {
        status = create_context_in_kmd(adapter->system_device,
                                       adapter->caps.MemoryManagementCaps.PagingNode, engine, true,
                                       NULL, 0, &adapter->links[engine]->h_system_context, &info);
    }
    return status;
}

void vidmm_system_context_destroy(struct vidmm_adapter *adapter)
{
    uint32_t engine;

    for (engine = 1; engine < adapter->link_count; engine++)
        if (adapter->links[engine]->h_system_context)
            adapter->driver.DxgkDdiDestroyContext(adapter->links[engine]->h_system_context);
    if (adapter->h_system_context)
        adapter->driver.DxgkDdiDestroyContext(adapter->h_system_context);
}

static bool take_context_number(struct vidmm_context *context)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    uint32_t index;
    bool taken;

    vidmm_adapter_lock(adapter);
    taken = vidmm_slot_take(&adapter->handles, &adapter->host->memory, context,
                            VIDMM_HANDLE_CONTEXT, &index);
    context->id = taken ? index + 1 : 0;
    vidmm_adapter_unlock(adapter);
    return taken;
}

static void free_context(struct vidmm_context *context)
{
    struct vidmm_adapter *adapter = context->device->adapter;

    vidmm_adapter_lock(adapter);
    if (context->id != 0)
        vidmm_slot_release(&adapter->handles, context->id - 1);
    vidmm_adapter_unlock(adapter);
    vidmm_free(adapter->host, context);
}

static void link_context(struct vidmm_context *context)
{
    struct vidmm_device *device = context->device;

    vidmm_adapter_lock(device->adapter);
    context->next = device->contexts;
    context->link = &device->contexts;
    if (context->next)
        context->next->link = &context->next;
    device->contexts = context;
    vidmm_adapter_unlock(device->adapter);
}

static NTSTATUS init_dma_buffers(struct vidmm_context *context, const DXGK_CONTEXTINFO *info)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    for (index = 0; index < context->dma_buffer_count && status == STATUS_SUCCESS; index++)
        status = init_dma_buffer(context, &context->dma_buffers[index], info);
    return status;
}

/* One context an engine: those of a link run the same, each in its own. `info` is the lead's. */
static NTSTATUS create_contexts_in_kmd(struct vidmm_context *context, void *private_data,
                                       uint32_t private_data_size, DXGK_CONTEXTINFO *info)
{
    struct vidmm_device *device = context->device;
    DXGK_CONTEXTINFO linked;
    HANDLE handle = (HANDLE)(uintptr_t)(device->adapter->number << 28 | context->id);
    uint32_t engine;
    NTSTATUS status;

    device->refusal.text[0] = '\0';
    context->h_context = handle;
    status = create_context_in_kmd(device, context->node, 0, false, private_data, private_data_size,
                                   &context->h_context, info);
    for (engine = 1; engine < device->adapter->link_count && status == STATUS_SUCCESS; engine++) {
        context->h_linked[engine] = handle;
        status = create_context_in_kmd(device, context->node, engine, false, private_data,
                                       private_data_size, &context->h_linked[engine], &linked);
    }
    return status;
}

static void destroy_contexts_in_kmd(const struct vidmm_context *context)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    uint32_t engine;

    if (!context->h_context)
        return;
    vidmm_driver_enter(adapter);
    for (engine = 1; engine < adapter->link_count; engine++)
        if (context->h_linked[engine])
            adapter->driver.DxgkDdiDestroyContext(context->h_linked[engine]);
    adapter->driver.DxgkDdiDestroyContext(context->h_context);
    vidmm_driver_leave(adapter);
}

static bool has_power(struct vidmm_adapter *adapter)
{
    bool powered;

    vidmm_adapter_lock(adapter);
    powered = adapter->power == VIDMM_POWER_D0;
    vidmm_adapter_unlock(adapter);
    return powered;
}

static NTSTATUS place_dma_buffers(struct vidmm_context *context, const DXGK_CONTEXTINFO *info,
                                  struct vidmm_report *report)
{
    NTSTATUS status = init_dma_buffers(context, info);

    if (status == STATUS_SUCCESS)
        return status;
    return vidmm_report_refusal(report, status, "DmaBufferSize", info->DmaBufferSize,
                                has_power(context->device->adapter)
                                    ? "there is no room for DMA buffers of so many bytes"
                                    : "they are placed when the adapter has power");
}

NTSTATUS vidmm_context_create(struct vidmm_device *device, uint32_t node, void *private_data,
                              uint32_t private_data_size, struct vidmm_context **result,
                              struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = device->adapter;
    uint32_t count = adapter->options.dma_buffers;
    struct vidmm_context *context;
    DXGK_CONTEXTINFO info;
    NTSTATUS status = STATUS_SUCCESS;

    if (node >= vidmm_adapter_nodes(adapter)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "node", node,
                                    "the adapter has fewer nodes (D-295)");
    }
    context =
        vidmm_allocate(adapter->host, sizeof(*context) + count * sizeof(struct vidmm_dma_buffer));
    if (!context) {
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "node", node,
                                    "no memory for a context");
    }
    context->device = device;
    context->node = node;
    context->next_value = 1;
    context->dma_buffer_count = count;
    if (!take_context_number(context))
        status = STATUS_NO_MEMORY;
    else if (adapter->multi_engine)
        status = create_contexts_in_kmd(context, private_data, private_data_size, &info);
    else
        info_of_device(device, &info);
    if (status != STATUS_SUCCESS) {
        destroy_contexts_in_kmd(context);
        vidmm_context_allocations_leave(device, context);
        free_context(context);
        if (report && device->refusal.text[0] != '\0') {
            *report = device->refusal;
            return status;
        }
        return vidmm_report_refusal(report, status, "node", node, "the driver refused a context");
    }
    context->allocation_list_size = info.AllocationListSize;
    context->patch_list_size = info.PatchLocationListSize;
    link_context(context);
    status = check_info(adapter, &info, report);
    if (status == STATUS_SUCCESS)
        status = place_dma_buffers(context, &info, report);
    if (status != STATUS_SUCCESS) {
        vidmm_context_destroy(context);
        return status;
    }
    *result = context;
    return STATUS_SUCCESS;
}

static bool context_is_idle(void *argument)
{
    const struct vidmm_context *context = argument;
    struct vidmm_adapter *adapter = context->device->adapter;
    bool idle = true;
    uint32_t index;

    vidmm_adapter_lock(adapter);
    for (index = 0; index < context->dma_buffer_count; index++)
        idle &= !context->dma_buffers[index].busy;
    idle |= vidmm_adapter_is_still(adapter);
    vidmm_adapter_unlock(adapter);
    return idle;
}

/* What it has queued cannot run, and nobody waits until it can. */
static void abandon_without_power(struct vidmm_context *context)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_ABANDON};

    if (!has_power(context->device->adapter) && !context_is_idle(context)) {
        event.abandon.context = context->id;
        vidmm_pump_event(context->device->adapter, &event);
    }
}

void vidmm_context_destroy(struct vidmm_context *context)
{
    struct vidmm_adapter *adapter;
    uint32_t index;

    if (!context)
        return;
    adapter = context->device->adapter;
    abandon_without_power(context);
    adapter->host->wait(adapter->host->context, context_is_idle, context, UINT64_MAX);
    for (index = 0; index < context->dma_buffer_count; index++)
        finish_dma_buffer(adapter, &context->dma_buffers[index]);
    destroy_contexts_in_kmd(context);
    vidmm_context_allocations_leave(context->device, context);
    vidmm_adapter_lock(adapter);
    *context->link = context->next;
    if (context->next)
        context->next->link = context->link;
    vidmm_adapter_unlock(adapter);
    free_context(context);
}
