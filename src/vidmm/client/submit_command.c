/* submit_command.c: commands that a program has written, at a GPU virtual address.
 *
 * The driver is not asked to fill anything: a place of the context's queue holds the address and
 * the private data until the packet is done. The manager does not know which allocations the
 * commands use; all that the device lists is in place (D-193). Written primaries and the context's
 * own allocations are named.
 *
 * Source: D3DKMT_SUBMITCOMMAND; rules D-091 to D-093, D-219.
 */
#include "vidmm/client/submit_command.h"

#include <string.h>

#include <vidmm/engine.h>
#include <vidmm/plan.h>
#include <vidmm/process.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/context_allocation.h"
#include "vidmm/client/pending_map.h"
#include "vidmm/client/queue.h"
#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/hw_queue.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/witness.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"
#include "wddm/rule.h"

static NTSTATUS check_primaries(const struct vidmm_context *context,
                                const struct vidmm_command *command, struct vidmm_report *report)
{
    uint32_t index;

    if (command->written_primary_count > VIDMM_WRITTEN_PRIMARIES) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "written_primary_count",
                                    command->written_primary_count, "0 to 16 (D-092)");
    }
    if (vidmm_report_lacking(command->written_primaries, command->written_primary_count,
                             "written_primaries", report))
        return STATUS_INVALID_PARAMETER;
    for (index = 0; index < command->written_primary_count; index++) {
        const struct vidmm_allocation *primary = command->written_primaries[index];

        if (!primary || primary->device != context->device) {
            return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER,
                                        "index of a written primary", index,
                                        "an allocation of the context's device");
        }
    }
    return STATUS_SUCCESS;
}

VIDMM_SEES(D_091);
static NTSTATUS check(const struct vidmm_context *context, const struct vidmm_command *command,
                      struct vidmm_report *report)
{
    const struct vidmm_adapter *adapter = context->device->adapter;
    uint32_t room = context->dma_buffers[0].memory.private_size;

    if (!vidmm_ddi_finds_by_address(adapter)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "VirtualAddressingSupported",
                                    adapter->model,
                                    "the GPU finds no commands by an address of a process");
    }
    if (command->length == 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "length", 0,
                                    "1 byte of commands at least");
    }
    if (command->private_data_size > room) { /* obeys D-091 */
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "private_data_size",
                                    command->private_data_size,
                                    "at most DmaBufferPrivateDataSize of the context (D-091)");
    }
    if (vidmm_report_lacking(command->private_data, command->private_data_size, "private_data",
                             report))
        return STATUS_INVALID_PARAMETER;
    return check_primaries(context, command, report);
}

/* Write it into its place. */
static void fill_in(struct vidmm_dma_buffer *place, const struct vidmm_command *command,
                    uint64_t progress)
{
    uint32_t index;

    VIDMM_ASSERT(!place->busy);
    place->primary_count = command->written_primary_count;
    place->address = command->address;
    place->used = command->length;
    place->program_private = place->private_used = command->private_data_size;
    place->list_count = place->patch_count = place->allocation_count = 0;
    place->present = false;
    place->progress = progress;
    place->fence = 0;
    if (command->private_data_size > 0)
        memcpy(place->memory.private_data, command->private_data, command->private_data_size);
    for (index = 0; index < command->written_primary_count; index++)
        place->references[index] = (struct vidmm_reference){
            .allocation = vidmm_original(command->written_primaries[index])->id,
            .write = VIDMM_REFERENCE_WRITES,
        };
}

/* The index of the first primary that is not on the list; their number: there is none. The mutex is
 * held. */
static uint32_t find_unlisted(const struct vidmm_dma_buffer *place, uint32_t count)
{
    const struct vidmm_device *device = place->context->device;
    uint32_t index = 0;

    while (index < count && vidmm_engine_residency_count(device->adapter->engine, device->id,
                                                         place->references[index].allocation) > 0)
        index++;
    return index;
}

/* Whether the commands run as soon as they may: nothing of their context is queued or in flight,
 * and no wait stands before them. The mutex is held. */
static bool nothing_precedes(const struct vidmm_context *context)
{
    uint32_t index;

    for (index = 0; index < context->dma_buffer_count; index++)
        if (context->dma_buffers[index].busy)
            return false;
    return !vidmm_engine_context_waits(context->device->adapter->engine, context->id);
}

/* Commands at an address whose mapping is pending: neither the CPU nor the context has waited for
 * its value. It does no harm here (A21); another manager's GPU might find nothing there. The mutex
 * is held. */
VIDMM_SEES(D_219);
static NTSTATUS judge_use(const struct vidmm_dma_buffer *place, struct vidmm_report *report)
{
    static const char *const what = "address of commands, whose mapping is pending,";
    const struct vidmm_context *context = place->context;
    struct vidmm_adapter *adapter = context->device->adapter;

    if (!vidmm_pending_map_meets(context->device->owner, place->address, place->used) ||
        !nothing_precedes(context))
        return STATUS_SUCCESS;
    if (vidmm_breach_is_refused(adapter, VIDMM_RULE_D_219, false, what, place->address, report))
        return STATUS_INVALID_PARAMETER;
    vidmm_seen(adapter, VIDMM_RULE_D_219, what, place->address);
    return STATUS_SUCCESS;
}

static NTSTATUS enqueue(struct vidmm_dma_buffer *place, uint32_t primaries,
                        struct vidmm_report *report)
{
    struct vidmm_context *context = place->context;
    struct vidmm_adapter *adapter = context->device->adapter;
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMIT, .device = context->device->id};
    NTSTATUS status = STATUS_DEVICE_REMOVED;
    uint32_t unlisted;

    event.submit.dma_buffer = place->id;
    event.submit.node = context->node;
    event.submit.context = context->id;
    event.submit.size = place->used;
    event.submit.reference_count = primaries;
    event.submit.patches = place->patches;
    vidmm_adapter_lock(adapter);
    unlisted = find_unlisted(place, primaries);
    if (unlisted < primaries) { /* obeys D-093 */
        vidmm_adapter_unlock(adapter);
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "index of a written primary",
                                    unlisted, "one that is on the residency list (D-093)");
    }
    if (!adapter->stopped && judge_use(place, report) != STATUS_SUCCESS) {
        vidmm_adapter_unlock(adapter);
        return STATUS_INVALID_PARAMETER;
    }
    if (!vidmm_context_allocations_refer(place, &event.submit.reference_count)) {
        status = STATUS_NO_MEMORY;
    } else if (!adapter->stopped) {
        event.submit.references = place->references;
        place->busy = true;
        place->value = context->next_value++;
        status = vidmm_pump_step(adapter, &event);
        if (status != STATUS_SUCCESS) {
            place->busy = false;
            context->next_value--;
        }
    }
    vidmm_adapter_unlock(adapter);
    return status == STATUS_SUCCESS
               ? status
               : vidmm_report_refusal(report, status, "status of queueing", (uint32_t)status,
                                      "the commands cannot be queued");
}

/* Somebody may look into the GPU, who says what it has written; without memory nobody does. */
static void watch(struct vidmm_dma_buffer *place)
{
    const struct vidmm_adapter *adapter = place->context->device->adapter;

    if (adapter->options.gpu_wrote && !place->witness)
        place->witness = vidmm_allocate(adapter->host, sizeof(*place->witness));
}

/* The caller is alone on the queue: the newest id is of what was submitted before. */
static NTSTATUS check_progress(const struct vidmm_context *context, uint64_t progress,
                               struct vidmm_report *report)
{
    if (!context->hw || progress > context->hw->newest)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "id of the progress fence",
                                progress, "greater than the one that was submitted before it");
}

NTSTATUS vidmm_submit_commands(struct vidmm_context *context, const struct vidmm_command *command,
                               uint64_t progress, bool wait, uint64_t *value,
                               struct vidmm_report *report)
{
    struct vidmm_dma_buffer *place;
    NTSTATUS status;

    if (vidmm_report_null(command, "command", report) || vidmm_report_null(value, "value", report))
        return STATUS_INVALID_PARAMETER;
    status = check(context, command, report);
    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_queue_begin(context, wait);
    if (status != STATUS_SUCCESS)
        return vidmm_queue_refuse(context, status, report);
    status = check_progress(context, progress, report);
    if (status == STATUS_SUCCESS) {
        place = vidmm_queue_next(context);
        watch(place);
        fill_in(place, command, progress);
        status = enqueue(place, command->written_primary_count, report);
        if (status == STATUS_SUCCESS)
            *value = place->value;
    }
    if (status == STATUS_SUCCESS && context->hw)
        context->hw->newest = progress;
    vidmm_queue_end(context);
    vidmm_pump(context->device->adapter);
    return status;
}

NTSTATUS vidmm_submit_command(struct vidmm_context *context, const struct vidmm_command *command,
                              bool wait, uint64_t *value, struct vidmm_report *report)
{
    if (!context) { /* obeys D-091 */
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "context", 0,
                                    "the context that it goes to, not NULL (D-091)");
    }
    if (context->makes_queues) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "context", context->id,
                                    "its commands go to its hardware queues");
    }
    return vidmm_submit_commands(context, command, 0, wait, value, report);
}
