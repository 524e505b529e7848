/* context.c: contexts of programs.
 *
 * Source: DXGKARG_CREATECONTEXT; rules D-295, D-303.
 */
#include "vidmm/client/context.h"

#include <vidmm/adapter.h>
#include <vidmm/engine.h>
#include <vidmm/hw_queue.h>
#include <vidmm/plan.h>
#include <vidmm/process.h>
#include <wddm/d3dkmddi_context.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/context_allocation.h"
#include "vidmm/client/context_record.h"
#include "vidmm/client/dma_buffer.h"
#include "vidmm/client/hw_queue.h"
#include "vidmm/client/suspend.h"
#include "vidmm/client/update_queue.h"
#include "vidmm/ddi/context.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/pump/pump.h"
#include "vidmm/pump/relief.h"

#include "base/assert.h"

static void link_context(struct vidmm_context *context)
{
    struct vidmm_device *device = context->device;

    VIDMM_ASSERT(!context->link);
    vidmm_adapter_lock(device->adapter);
    context->next = device->contexts;
    context->link = &device->contexts;
    if (context->next)
        context->next->link = &context->next;
    device->contexts = context;
    vidmm_adapter_unlock(device->adapter);
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
    NTSTATUS status = vidmm_dma_buffers_init(context, info);
    uint32_t index;

    if (status == STATUS_SUCCESS)
        return status;
    for (index = 0; index < context->dma_buffer_count; index++)
        context->dma_buffers[index].memory.tried = true;
    return vidmm_report_refusal(report, status, "DmaBufferSize", info->DmaBufferSize,
                                has_power(context->device->adapter)
                                    ? "there is no room for DMA buffers of so many bytes"
                                    : "they are placed when the adapter has power");
}

/* For who asks what a process has (vidmm_process_use()). */
static void tell_size(struct vidmm_context *context, uint32_t size)
{
    vidmm_adapter_lock(context->device->adapter);
    context->dma_buffer_size = size;
    vidmm_adapter_unlock(context->device->adapter);
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

/* Whether it is idle; then nobody tells the miniport of its root any more. */
static bool context_may_end(void *argument)
{
    struct vidmm_context *context = argument;
    struct vidmm_adapter *adapter = context->device->adapter;
    bool rooting;

    if (!context_is_idle(context))
        return false;
    vidmm_adapter_lock(adapter);
    rooting = context->rooting;
    context->root.entries = rooting ? context->root.entries : 0;
    vidmm_adapter_unlock(adapter);
    return !rooting;
}

/* Its queued DMA buffers cannot run, and nobody waits until they can. */
static void abandon_without_power(struct vidmm_context *context)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_ABANDON};

    if (!has_power(context->device->adapter) && !context_is_idle(context)) {
        event.abandon.context = context->id;
        vidmm_pump_event(context->device->adapter, &event);
    }
}

/* Whether it has come to a wait for fences, or to its end. */
static bool context_goes_no_further(void *argument)
{
    const struct vidmm_context *context = argument;
    struct vidmm_adapter *adapter = context->device->adapter;
    bool held;

    vidmm_adapter_lock(adapter);
    held = vidmm_engine_context_waits(adapter->engine, context->id) &&
           !vidmm_context_is_suspended(context);
    vidmm_adapter_unlock(adapter);
    return held || context_is_idle(argument);
}

/* Works behind a wait for fences are given up, and no wait is left in its queue. */
static void abandon_waits(struct vidmm_context *context)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    struct vidmm_event event = {.kind = VIDMM_EVENT_ABANDON};

    if (!context->has_fences)
        return;
    vidmm_wait_for_work(context->device, context_goes_no_further, context);
    event.abandon.context = context->id;
    vidmm_pump_event(adapter, &event);
}

static void end(struct vidmm_context *context)
{
    struct vidmm_adapter *adapter = context->device->adapter;

    vidmm_update_queue_finish(context);
    abandon_without_power(context);
    abandon_waits(context);
    vidmm_wait_for_work(context->device, context_may_end, context);
    vidmm_hw_queue_finish(context);
    tell_size(context, 0);
    vidmm_dma_buffers_finish(context);
    vidmm_ddi_destroy_contexts(context);
    vidmm_context_allocations_leave(context->device, context);
    vidmm_adapter_lock(adapter);
    *context->link = context->next;
    if (context->next)
        context->next->link = context->link;
    VIDMM_ASSERT(!context->rendering);
    vidmm_adapter_unlock(adapter);
    vidmm_context_free(context);
}

void vidmm_context_destroy(struct vidmm_context *context)
{
    struct vidmm_context *lane;

    if (!context)
        return;
    while ((lane = vidmm_hw_queue_lane(context->device, context)) != NULL)
        end(lane);
    end(context);
}

/* Have the driver create it. *refusal receives why a context allocation was refused meanwhile; it
 * is empty if none was. */
static NTSTATUS create_in_driver(struct vidmm_context *context, void *private_data,
                                 uint32_t private_data_size, DXGK_CONTEXTINFO *info,
                                 struct vidmm_report *refusal)
{
    struct vidmm_device *device = context->device;
    NTSTATUS status;

    VIDMM_ASSERT(context->id != 0);
    refusal->text[0] = '\0';
    context->refusal = refusal;
    vidmm_adapter_lock(device->adapter);
    device->refusal.text[0] = '\0';
    vidmm_adapter_unlock(device->adapter);
    status = vidmm_ddi_create_contexts(context, private_data, private_data_size, info);
    vidmm_adapter_lock(device->adapter);
    context->refusal = NULL;
    if (refusal->text[0] == '\0')
        *refusal = device->refusal;
    vidmm_adapter_unlock(device->adapter);
    return status;
}

NTSTATUS vidmm_context_enter(struct vidmm_context *context, DXGK_CONTEXTINFO *info,
                             struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    NTSTATUS status;

    link_context(context);
    status = vidmm_ddi_check_context(adapter, info, report);
    if (adapter->model != VIDMM_MODEL_PHYSICAL) { /* obeys D-095 */
        info->AllocationListSize = VIDMM_WRITTEN_PRIMARIES;
        info->PatchLocationListSize = 0;
    }
    if (adapter->model == VIDMM_MODEL_IO_MMU) /* no aperture shows what is there: private data */
        info->DmaBufferSegmentSet = 0;
    context->allocation_list_size = info->AllocationListSize;
    context->patch_list_size = info->PatchLocationListSize;
    context->companion_node = info->PagingCompanionNodeId;
    if (status == STATUS_SUCCESS)
        status = place_dma_buffers(context, info, report);
    if (status != STATUS_SUCCESS)
        vidmm_context_destroy(context);
    else
        tell_size(context, info->DmaBufferSize);
    return status;
}

/* One that a program wants. */
struct wish {
    struct vidmm_device *device;
    uint32_t node, engines; /* engines 0: all of a link */
    void *private_data;
    uint32_t private_data_size;
    bool queues; /* HwQueueSupported */
};

/* One attempt. *ours: if there is no memory, the manager has none, and not the driver. */
static NTSTATUS create(const struct wish *wish, struct vidmm_context **result,
                       struct vidmm_report *report, bool *ours)
{
    struct vidmm_device *device = wish->device;
    struct vidmm_context *context = vidmm_context_new(device, wish->node);
    struct vidmm_report refusal = {0};
    DXGK_CONTEXTINFO info;
    NTSTATUS status;

    *ours = true;
    if (!context) {
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "node", wish->node,
                                    "no memory for a context");
    }
    context->engines = wish->engines;
    context->makes_queues = wish->queues;
    status =
        create_in_driver(context, wish->private_data, wish->private_data_size, &info, &refusal);
    if (status != STATUS_SUCCESS) {
        *ours = refusal.text[0] != '\0';
        vidmm_ddi_destroy_contexts(context);
        vidmm_context_allocations_leave(device, context);
        vidmm_context_free(context);
        if (report && refusal.text[0] != '\0') {
            *report = refusal;
            return status;
        }
        vidmm_report_refusal(report, status, "node", wish->node, "the driver refused a context");
        return vidmm_report_reason(device->adapter, report, status);
    }
    status = vidmm_context_enter(context, &info, report);
    if (status == STATUS_SUCCESS)
        *result = context;
    return status;
}

/* The engines that a context may run on, and those that it does; 0: it is refused. */
static uint32_t choose_engines(const struct vidmm_adapter *adapter, uint32_t engines,
                               struct vidmm_report *report)
{
    uint32_t every = (1u << adapter->link_count) - 1;
    bool chooses = adapter->model == VIDMM_MODEL_GPU_MMU;

    if ((engines & ~every) == 0 && (chooses || engines == 0 || engines == every))
        return engines == 0 ? every : engines;
    vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "engines", engines,
                         chooses ? "a bit for each physical adapter of the link, or 0 for all"
                                 : "0, or all of the link: without page tables each of its GPUs "
                                   "runs what one does");
    return 0;
}

static NTSTATUS create_and_relieve(struct wish wish, struct vidmm_context **result,
                                   struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = wish.device->adapter;
    NTSTATUS status;
    uint64_t since;
    bool ours;

    if (vidmm_report_null(result, "context", report) ||
        vidmm_report_lacking(wish.private_data, wish.private_data_size, "private_data", report))
        return STATUS_INVALID_PARAMETER;
    if (wish.node >= adapter->node_count) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "node", wish.node,
                                    "the adapter has fewer nodes (D-295)");
    }
    if (wish.queues && vidmm_hw_queues_of(adapter, wish.node) == 0) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "node", wish.node,
                                    "one with hardware queues");
    }
    wish.engines = choose_engines(adapter, wish.engines, report);
    if (wish.engines == 0)
        return STATUS_INVALID_PARAMETER;
    do {
        vidmm_adapter_lock(adapter);
        since = vidmm_relief_count(adapter);
        vidmm_adapter_unlock(adapter);
        vidmm_report_clear(report);
        status = create(&wish, result, report, &ours);
    } while (status == STATUS_NO_MEMORY && ours && vidmm_relief(adapter, since));
    return status;
}

NTSTATUS vidmm_context_create(struct vidmm_device *device, uint32_t node, void *private_data,
                              uint32_t private_data_size, struct vidmm_context **result,
                              struct vidmm_report *report)
{
    return vidmm_context_create_on(device, node, 0, private_data, private_data_size, result,
                                   report);
}

NTSTATUS vidmm_context_create_on(struct vidmm_device *device, uint32_t node, uint32_t engines,
                                 void *private_data, uint32_t private_data_size,
                                 struct vidmm_context **result, struct vidmm_report *report)
{
    return create_and_relieve(
        (struct wish){device, node, engines, private_data, private_data_size, false}, result,
        report);
}

NTSTATUS vidmm_hw_context_create(struct vidmm_device *device, uint32_t node, void *private_data,
                                 uint32_t private_data_size, struct vidmm_context **result,
                                 struct vidmm_report *report)
{
    return create_and_relieve((struct wish){device, node, 0, private_data, private_data_size, true},
                              result, report);
}

void vidmm_context_get_room(const struct vidmm_context *context, struct vidmm_context_room *room)
{
    *room = (struct vidmm_context_room){.command_size = context->dma_buffers[0].memory.size,
                                        .allocations = context->allocation_list_size};
}
