/* context.c: DxgkDdiCreateContext and DxgkDdiDestroyContext.
 *
 * Source: DXGKARG_CREATECONTEXT, DXGK_CONTEXTINFO; rules D-014, D-261, D-294 to D-297, D-303,
 * D-330.
 */
#include "vidmm/ddi/context.h"

#include <string.h>

#include <wddm/ntstatus.h>

#include "vidmm/ddi/gate.h"
#include "vidmm/ddi/miniport.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/hw_queue.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/slot_table.h"

#include "base/assert.h"
#include "wddm/rule.h"

struct vidmm_context *vidmm_context_of_driver(struct vidmm_context *context)
{
    return context->hw ? context->hw->context : context;
}

HANDLE vidmm_context_handle(const struct vidmm_context *context, uint32_t engine)
{
    if (!context->device->adapter->miniport->multi_engine)
        return context->device->h_device;
    return engine == context->engine ? context->h_context : context->h_linked[engine];
}

uint32_t vidmm_context_engines(const struct vidmm_context *context)
{
    return context->engines;
}

HANDLE vidmm_ddi_system_context(const struct vidmm_adapter *adapter, uint32_t engine)
{
    return engine == 0 ? adapter->miniport->h_system_context
                       : adapter->miniport->links[engine]->h_system_context;
}

VIDMM_SEES(D_014);
NTSTATUS vidmm_ddi_check_context(const struct vidmm_adapter *adapter, const DXGK_CONTEXTINFO *info,
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

/* *handle is the kernel's for callbacks, NULL of a system context, and becomes the miniport's.
 * judged: it may not be refused for what it is. */
static NTSTATUS create_context_in_kmd(struct vidmm_device *device, uint32_t node, uint32_t engine,
                                      DXGK_CREATECONTEXTFLAGS flags, bool judged,
                                      void *private_data, uint32_t private_data_size,
                                      HANDLE *handle, DXGK_CONTEXTINFO *info)
{
    DXGKARG_CREATECONTEXT arguments;
    NTSTATUS status;

    VIDMM_ASSERT(engine < device->adapter->link_count && device->adapter->miniport->multi_engine);
    memset(&arguments, 0, sizeof(arguments));
    arguments.hContext = *handle;
    arguments.NodeOrdinal = node;
    arguments.EngineAffinity = 1u << engine; /* obeys D-297 */
    arguments.Flags = flags;
    arguments.Flags.VirtualAddressing = device->adapter->model != VIDMM_MODEL_PHYSICAL;
    arguments.pPrivateDriverData = private_data;
    arguments.PrivateDriverDataSize = private_data_size;
    vidmm_driver_enter(device->adapter);
    status = device->adapter->miniport->driver.DxgkDdiCreateContext(device->h_device, &arguments);
    vidmm_driver_leave(device->adapter);
    if (status != STATUS_SUCCESS && status != STATUS_NO_MEMORY && private_data_size == 0 && judged)
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
    info->DmaBufferSize = device->info->DmaBufferSize;
    info->DmaBufferSegmentSet = device->info->DmaBufferSegmentSet;
    info->DmaBufferPrivateDataSize = device->info->DmaBufferPrivateDataSize;
    info->AllocationListSize = device->info->AllocationListSize;
    info->PatchLocationListSize = device->info->PatchLocationListSize;
}

/* One context an engine: those of a link run the same, each in its own. `info` is the first's. */
NTSTATUS vidmm_ddi_create_contexts(struct vidmm_context *context, void *private_data,
                                   uint32_t private_data_size, DXGK_CONTEXTINFO *info)
{
    struct vidmm_device *device = context->device;
    const DXGK_CREATECONTEXTFLAGS flags = {.HwQueueSupported = context->makes_queues};
    DXGK_CONTEXTINFO linked;
    HANDLE handle = (HANDLE)(uintptr_t)vidmm_handle_of(device->adapter->number, context->id);
    uint32_t engine;
    NTSTATUS status;

    VIDMM_ASSERT(context->id != 0 && context->node < device->adapter->node_count);
    if (!device->adapter->miniport->multi_engine) {
        info_of_device(device, info);
        return STATUS_SUCCESS;
    }
    VIDMM_ASSERT(context->engines != 0);
    context->engine = (uint32_t)__builtin_ctz(context->engines);
    context->h_context = handle;
    status =
        create_context_in_kmd(device, context->node, context->engine, flags, !context->companion,
                              private_data, private_data_size, &context->h_context, info);
    for (engine = context->engine + 1;
         engine < device->adapter->link_count && status == STATUS_SUCCESS; engine++) {
        if ((context->engines >> engine & 1) == 0)
            continue;
        context->h_linked[engine] = handle;
        status = create_context_in_kmd(device, context->node, engine, flags, !context->companion,
                                       private_data, private_data_size, &context->h_linked[engine],
                                       &linked);
    }
    return status;
}

void vidmm_ddi_destroy_contexts(const struct vidmm_context *context)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    uint32_t engine;

    if (!context->h_context)
        return;
    vidmm_driver_enter(adapter);
    for (engine = 1; engine < adapter->link_count; engine++)
        if (context->h_linked[engine])
            adapter->miniport->driver.DxgkDdiDestroyContext(context->h_linked[engine]);
    adapter->miniport->driver.DxgkDdiDestroyContext(context->h_context);
    vidmm_driver_leave(adapter);
}

NTSTATUS vidmm_ddi_create_system_contexts(struct vidmm_adapter *adapter)
{
    const DXGK_CREATECONTEXTFLAGS flags = {.SystemContext = 1};
    DXGK_CONTEXTINFO info;
    uint32_t engine;
    NTSTATUS status = STATUS_SUCCESS;

    VIDMM_ASSERT(adapter->system_device && !adapter->miniport->h_system_context);
    if (adapter->miniport->multi_engine) { /* obeys D-261 */
        status = create_context_in_kmd(adapter->system_device, adapter->paging_node, 0, flags, true,
                                       NULL, 0, &adapter->miniport->h_system_context, &info);
    }
    for (engine = 1; engine < adapter->link_count && adapter->miniport->multi_engine &&
                     status == STATUS_SUCCESS;
         engine++) {
        status = create_context_in_kmd(adapter->system_device, adapter->paging_node, engine, flags,
                                       true, NULL, 0,
                                       &adapter->miniport->links[engine]->h_system_context, &info);
    }
    return status;
}

static void destroy_system_context(struct vidmm_adapter *adapter, HANDLE *handle)
{
    if (!*handle)
        return;
    vidmm_driver_enter(adapter);
    adapter->miniport->driver.DxgkDdiDestroyContext(*handle);
    vidmm_driver_leave(adapter);
    *handle = NULL;
}

void vidmm_ddi_destroy_system_contexts(struct vidmm_adapter *adapter)
{
    uint32_t engine;

    for (engine = 1; engine < adapter->link_count; engine++)
        destroy_system_context(adapter, &adapter->miniport->links[engine]->h_system_context);
    destroy_system_context(adapter, &adapter->miniport->h_system_context);
}

HANDLE vidmm_ddi_paging_context(struct vidmm_adapter *adapter, uint32_t engine, uint32_t companion,
                                struct vidmm_context **context)
{
    *context = NULL;
    if (companion == 0)
        return vidmm_ddi_system_context(adapter, engine);
    VIDMM_ASSERT(engine == 0); /* a link has none */
    vidmm_adapter_lock(adapter);
    *context = vidmm_slot_find(&adapter->handles, companion - 1, VIDMM_HANDLE_CONTEXT);
    vidmm_adapter_unlock(adapter);
    VIDMM_ASSERT(*context && (*context)->companion); /* it stays while it has paging buffers */
    return (*context)->h_context;
}

bool vidmm_ddi_has_contexts(const struct vidmm_adapter *adapter)
{
    return adapter->miniport->multi_engine;
}
