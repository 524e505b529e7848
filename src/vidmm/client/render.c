/* render.c: a command buffer becomes a DMA buffer and joins the queue.
 *
 * A command buffer that does not fit becomes several DMA buffers, each with a value of its own. So
 * does a present (present.c), which goes the same way.
 *
 * Source: DXGKARG_RENDER; rules D-331 to D-338, D-087, D-088.
 */
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/plan.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmddi_context.h>
#include <wddm/d3dkmddi_submit.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/context_allocation.h"
#include "vidmm/client/dma_request.h"
#include "vidmm/client/lock_word.h"
#include "vidmm/client/offer.h"
#include "vidmm/client/paging_queue.h"
#include "vidmm/client/queue.h"
#include "vidmm/client/rename.h"
#include "vidmm/ddi/allocation_list.h"
#include "vidmm/ddi/gate.h"
#include "vidmm/ddi/patch_list.h"
#include "vidmm/ddi/render.h"
#include "vidmm/object/command_memory.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/seen.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"
#include "base/text.h"
#include "wddm/rule.h"

static void unuse_references(struct vidmm_dma_buffer *dma_buffer)
{
    VIDMM_ASSERT(!dma_buffer->busy);
    while (dma_buffer->allocation_count > 0)
        vidmm_lock_word_unuse(dma_buffer->allocations[--dma_buffer->allocation_count]);
}

/* Keep the CPU from locking what the DMA buffer names. Refused: nothing is kept. */
static NTSTATUS use_references(struct vidmm_dma_buffer *dma_buffer,
                               const struct vidmm_render_reference *references, uint32_t count,
                               struct vidmm_report *report)
{
    uint32_t index, used = 0;
    bool locked;

    VIDMM_ASSERT(!dma_buffer->busy && dma_buffer->context->rendering);
    VIDMM_ASSERT(count <= dma_buffer->reference_room);
    dma_buffer->allocation_count = 0;
    dma_buffer->list_count = count;
    for (index = 0; index < count; index++) {
        struct vidmm_allocation *allocation = references[index].allocation;

        dma_buffer->reference_of[index] = allocation ? used : VIDMM_UNBOUND;
        if (!allocation)
            continue; /* obeys D-338 */
        allocation = vidmm_original(allocation);
        if (!vidmm_lock_word_use(allocation, references[index].write, &locked)) {
            unuse_references(dma_buffer);
            return vidmm_report_refusal(
                report, STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION, "index of a reference",
                index, "the allocation is locked, and no aperture can show it (D-160)");
        }
        dma_buffer->element_of[used] = index;
        dma_buffer->references[used].write = locked ? VIDMM_REFERENCE_LOCKED : 0;
        dma_buffer->allocations[used++] = allocation;
        dma_buffer->allocation_count = used;
    }
    return STATUS_SUCCESS;
}

/* Whether DxgkDdiRender, or DxgkDdiPresent, may answer that. */
static bool is_listed(const struct vidmm_dma_request *request, NTSTATUS status)
{
    static const NTSTATUS listed[] = {
        STATUS_SUCCESS,
        STATUS_NO_MEMORY,
        STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER,
        STATUS_PRIVILEGED_INSTRUCTION,
        STATUS_ILLEGAL_INSTRUCTION,
        STATUS_INVALID_PARAMETER,
        STATUS_INVALID_USER_BUFFER,
        STATUS_INVALID_HANDLE,
        STATUS_GRAPHICS_DRIVER_MISMATCH,
        STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE,
    };
    size_t index;

    if (request->copy &&
        (status == STATUS_INSUFFICIENT_RESOURCES || status == STATUS_GRAPHICS_CANNOTCOLORCONVERT))
        return true;
    for (index = 0; index < sizeof(listed) / sizeof(listed[0]); index++)
        if (listed[index] == status)
            return true;
    return false;
}

/* The driver says that the GPU met an error in the stream: the device is lost. */
static void lose_device(struct vidmm_device *device, const struct vidmm_dma_request *request,
                        NTSTATUS status)
{
    struct vidmm_text text;

    VIDMM_ASSERT(status != STATUS_SUCCESS);
    vidmm_adapter_lock(device->adapter);
    if (device->status == STATUS_SUCCESS) {
        device->status = status;
        text = vidmm_report_begin(&device->report);
        vidmm_text_string(&text, request->copy
                                     ? "DxgkDdiPresent found an error in the DMA stream"
                                     : "DxgkDdiRender found an error in the DMA stream (D-335)");
    }
    vidmm_adapter_unlock(device->adapter);
}

VIDMM_SEES(D_335);
static NTSTATUS refuse_status(struct vidmm_context *context,
                              const struct vidmm_dma_request *request, NTSTATUS status,
                              struct vidmm_report *report)
{
    if (!is_listed(request, status)) {
        vidmm_seen(context->device->adapter, VIDMM_RULE_D_335, request->call_status,
                   (uint32_t)status);
    }
    if (status == STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE)
        lose_device(context->device, request, status);
    vidmm_report_refusal(report, status, request->call_status, (uint32_t)status,
                         request->copy ? "the driver refused the present"
                                       : "the driver refused the command buffer");
    return vidmm_report_reason(context->device->adapter, report, status);
}

/* The driver has done with a DMA buffer of that size what Windows would stop for. */
static NTSTATUS fail(struct vidmm_adapter *adapter, uint32_t reason, NTSTATUS status, uint32_t size,
                     struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FAIL};

    VIDMM_ASSERT(reason != VIDMM_REASON_NONE);
    event.fail.reason = reason;
    event.fail.status = (uint32_t)status;
    vidmm_pump_event(adapter, &event);
    return vidmm_report_refusal(report, STATUS_DEVICE_REMOVED, "DmaBufferSize", size,
                                vidmm_reason_text(reason));
}

/* The driver guaranteed this size, so the command buffer may not continue in a second one. */
VIDMM_SEES(D_088);
static NTSTATUS fail_guarantee(struct vidmm_adapter *adapter, uint32_t size,
                               struct vidmm_report *report)
{
    vidmm_seen(adapter, VIDMM_RULE_D_088, "DmaBufferSize", size);
    return fail(adapter, VIDMM_REASON_GUARANTEE, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, size,
                report);
}

/* Take in the pointers that the driver has answered. */
VIDMM_SEES(D_332);
static NTSTATUS take_pointers(struct vidmm_adapter *adapter, struct vidmm_dma_buffer *dma_buffer,
                              const struct vidmm_dma_request *request,
                              const struct vidmm_dma_answer *answer, NTSTATUS status,
                              struct vidmm_report *report)
{
    const struct vidmm_command_memory *memory = &dma_buffer->memory;
    const uint8_t *start = memory->backing.address, *end = answer->end;
    const uint8_t *private_end = answer->private_end;
    const D3DDDI_PATCHLOCATIONLIST *patches = answer->patches;
    uint64_t size = memory->size, list = dma_buffer->context->patch_list_size;
    bool ran_out = status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;

    VIDMM_ASSERT(start && dma_buffer->patch_list);
    if (status != STATUS_SUCCESS && !ran_out)
        return refuse_status(dma_buffer->context, request, status, report);
    if (ran_out && dma_buffer->context->device->info->Flags.GuaranteedDmaBufferContract)
        return fail_guarantee(adapter, memory->size, report);
    if (end < start || end > start + size + (ran_out ? 1 : 0) || patches < dma_buffer->patch_list ||
        patches > dma_buffer->patch_list + list) {
        vidmm_seen(adapter, VIDMM_RULE_D_332, request->call_end, (uint64_t)(end - start));
        return vidmm_report_refusal(
            report, STATUS_INVALID_PARAMETER, request->call_end, (uint64_t)(end - start),
            "it, or the patch-location list, ends outside its buffer (D-332)");
    }
    dma_buffer->used = (uint32_t)((uint64_t)(end - start) > size ? size : (uint64_t)(end - start));
    dma_buffer->patch_count = (uint32_t)(patches - dma_buffer->patch_list);
    dma_buffer->private_used =
        memory->private_size > 0 && private_end > (const uint8_t *)memory->private_data &&
                private_end <= (const uint8_t *)memory->private_data + memory->private_size
            ? (uint32_t)(private_end - (const uint8_t *)memory->private_data)
            : memory->private_size;
    return status;
}

/* Fill the DMA buffer. */
static NTSTATUS ask(const struct vidmm_dma_request *request, struct vidmm_dma_buffer *dma_buffer,
                    UINT *multipass, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = dma_buffer->context->device->adapter;
    struct vidmm_command_memory *memory = &dma_buffer->memory;
    struct vidmm_dma_answer answer;
    uint32_t overrun;
    NTSTATUS status;

    VIDMM_ASSERT(!dma_buffer->busy && memory->backing.address);
    if (adapter->options.poison)
        memset(memory->backing.address, 0xdb, memory->size);
    dma_buffer->present = request->copy != NULL;
    vidmm_driver_enter(adapter);
    status = request->copy ? vidmm_ddi_present(dma_buffer, request->copy, multipass, &answer)
                           : vidmm_ddi_render(dma_buffer, request->command, request->command_length,
                                              multipass, &answer);
    vidmm_driver_leave(adapter);
    overrun = vidmm_guarded_was_overrun(memory);
    if (overrun != VIDMM_REASON_NONE)
        return fail(adapter, overrun, STATUS_SUCCESS, memory->size, report);
    return take_pointers(adapter, dma_buffer, request, &answer, status, report);
}

static NTSTATUS enqueue(struct vidmm_dma_buffer *dma_buffer)
{
    struct vidmm_context *context = dma_buffer->context;
    struct vidmm_adapter *adapter = context->device->adapter;
    struct vidmm_reference *references = dma_buffer->references;
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMIT, .device = context->device->id};
    NTSTATUS status = STATUS_DEVICE_REMOVED;
    uint32_t index;

    VIDMM_ASSERT(!dma_buffer->busy && context->rendering);
    for (index = 0; index < dma_buffer->allocation_count; index++) {
        references[index].allocation = dma_buffer->allocations[index]->id;
        references[index].write =
            (references[index].write & VIDMM_REFERENCE_LOCKED) |
            dma_buffer->allocation_list[dma_buffer->element_of[index]].WriteOperation;
    }
    event.submit.dma_buffer = dma_buffer->id;
    event.submit.node = context->node;
    event.submit.context = context->id;
    event.submit.size = dma_buffer->used;
    event.submit.patch_count = dma_buffer->patch_count; /* obeys W-025 */
    event.submit.patches = dma_buffer->patches;
    event.submit.reference_count = dma_buffer->allocation_count;
    vidmm_adapter_lock(adapter);
    if (!vidmm_context_allocations_refer(dma_buffer, &event.submit.reference_count)) {
        status = STATUS_NO_MEMORY;
    } else if (!adapter->stopped) {
        event.submit.references = dma_buffer->references;
        dma_buffer->busy = true;
        dma_buffer->value = context->next_value++;
        status = vidmm_pump_step(adapter, &event);
        if (status != STATUS_SUCCESS) {
            dma_buffer->busy = false;
            context->next_value--;
        }
    }
    vidmm_adapter_unlock(adapter);
    return status;
}

/* The next DMA buffer, from what is left of the request. */
static NTSTATUS request_part(struct vidmm_context *context, const struct vidmm_dma_request *request,
                             UINT *multipass, struct vidmm_report *report)
{
    struct vidmm_dma_buffer *dma_buffer = vidmm_queue_next(context);
    UINT before = *multipass;
    NTSTATUS status = use_references(dma_buffer, request->references, request->count, report);
    NTSTATUS queued;
    bool filled;

    VIDMM_ASSERT(context->rendering && !dma_buffer->busy);
    if (status != STATUS_SUCCESS)
        return status;
    vidmm_ddi_fill_list(dma_buffer, request->references);
    status = ask(request, dma_buffer, multipass, report);
    if (status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER && *multipass == before) {
        status = vidmm_report_refusal(
            report, STATUS_INVALID_PARAMETER, "DmaBufferSize", dma_buffer->memory.size,
            "the driver ran out of a fresh DMA buffer without progress (D-088)");
    }
    /* if not, all that is behind the allocation list is of an earlier DMA buffer */
    filled = status == STATUS_SUCCESS || status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    queued = filled ? vidmm_patch_list_take(dma_buffer, request->call_patch, report) : status;
    if (queued == STATUS_SUCCESS && dma_buffer->patch_count > 0)
        queued = vidmm_rename_check_patches(dma_buffer, report);
    if (queued != STATUS_SUCCESS) {
        unuse_references(dma_buffer);
        return queued;
    }
    queued = enqueue(dma_buffer);
    if (queued != STATUS_SUCCESS) {
        unuse_references(dma_buffer);
        return vidmm_report_refusal(report, queued, "status of queueing", (uint32_t)queued,
                                    "the DMA buffer cannot be queued");
    }
    vidmm_rename_referenced(dma_buffer);
    return status;
}

/* From 2.0 on a list is there for patching alone. */
VIDMM_SEES(D_216);
static NTSTATUS check_new(const struct vidmm_dma_request *request, struct vidmm_report *report)
{
    const struct vidmm_render_reference *references = request->references;
    uint32_t index;

    for (index = 0; index < request->count; index++) {
        DXGK_ALLOCATIONINFOFLAGS flags = {.Value = 0};

        if (references[index].allocation)
            flags.Value = vidmm_original(references[index].allocation)->flags;
        if (references[index].allocation && !flags.AccessedPhysically) { /* obeys D-096 */
            return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "index of a reference",
                                        index, "its allocation has AccessedPhysically (D-096)");
        }
        if (references[index].offer_priority != 0) {
            return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "OfferPriority",
                                        references[index].offer_priority,
                                        "0: from WDDM 2.0 on vidmm_offer() offers (D-216)");
        }
    }
    return STATUS_SUCCESS;
}

VIDMM_SEES(D_211);
static NTSTATUS check(const struct vidmm_context *context, const struct vidmm_dma_request *request,
                      struct vidmm_report *report)
{
    const struct vidmm_render_reference *references = request->references;
    uint32_t index, count = request->count;

    if (context->device->adapter->model != VIDMM_MODEL_PHYSICAL) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "VirtualAddressing", 1,
                                    "commands of such a context are written by the program");
    }
    if (!request->copy && count > context->allocation_list_size) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "references", count,
                                    "that is more than AllocationListSize of the context");
    }
    for (index = 0; index < count; index++) {
        if (references[index].allocation &&
            references[index].allocation->device != context->device) {
            return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "index of a reference",
                                        index, "its allocation is not of the context's device");
        }
        if (references[index].allocation &&
            atomic_load(&vidmm_original(references[index].allocation)->offered)) {
            return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "index of a reference",
                                        index,
                                        "its allocation is offered, and not reclaimed (D-211)");
        }
        if (references[index].offer_priority > VIDMM_OFFER_AUTO) {
            return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "OfferPriority",
                                        references[index].offer_priority,
                                        "NONE, LOW, NORMAL, HIGH or AUTO, 0 to 4 (D-212, D-272)");
        }
    }
    if (vidmm_residency_is_explicit(context->device->adapter, NULL) &&
        check_new(request, report) != STATUS_SUCCESS)
        return STATUS_INVALID_PARAMETER;
    return vidmm_rename_check(references, count, report);
}

NTSTATUS vidmm_dma_request(struct vidmm_context *context, const struct vidmm_dma_request *request,
                           bool wait, uint64_t *value, struct vidmm_report *report)
{
    NTSTATUS status = check(context, request, report);
    UINT multipass = 0;

    while (status == STATUS_SUCCESS) {
        status = vidmm_queue_begin(context, wait || multipass != 0);
        if (status != STATUS_SUCCESS)
            return vidmm_queue_refuse(context, status, report);
        status = request_part(context, request, &multipass, report);
        *value = context->next_value - 1;
        vidmm_queue_end(context);
        vidmm_pump(context->device->adapter);
        if (status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
            break;
        status = STATUS_SUCCESS; /* the rest of it goes into the next DMA buffer */
    }
    if (status == STATUS_SUCCESS)
        vidmm_offer_referenced(context, request->references, request->count);
    if (status != STATUS_SUCCESS) /* a lock may wait for what was not rendered from after all */
        context->device->adapter->host->wake(context->device->adapter->host->context);
    return status;
}

NTSTATUS vidmm_render(struct vidmm_context *context, const void *command, uint32_t command_length,
                      const struct vidmm_render_reference *references, uint32_t reference_count,
                      bool wait, uint64_t *value, struct vidmm_report *report)
{
    const struct vidmm_dma_request request = {
        .references = references,
        .count = reference_count,
        .call_status = "status of DxgkDdiRender",
        .call_end = "pDmaBuffer of DxgkDdiRender, in bytes",
        .call_patch = "a patch location of DxgkDdiRender",
        .command = command,
        .command_length = command_length,
    };

    if (vidmm_report_null(value, "value", report) ||
        vidmm_report_lacking(command, command_length, "command", report) ||
        vidmm_report_lacking(references, reference_count, "references", report))
        return STATUS_INVALID_PARAMETER;
    if (!vidmm_ddi_renders(context->device->adapter)) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "DxgkDdiRender", 0,
                                    "the driver does not have it, it only presents");
    }
    return vidmm_dma_request(context, &request, wait, value, report);
}
