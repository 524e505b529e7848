/* queue.c: the queue of a context: which of its DMA buffers are in use. */
#include "vidmm/client/queue.h"

#include <vidmm/adapter.h>
#include <vidmm/plan.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/hw_queue.h"
#include "vidmm/client/lock_word.h"
#include "vidmm/client/suspend.h"
#include "vidmm/client/witness.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/report.h"

#include "base/assert.h"

static struct vidmm_dma_buffer *slot_of(struct vidmm_context *context, uint64_t value)
{
    VIDMM_ASSERT(value >= 1 && context->dma_buffer_count > 0);
    return &context->dma_buffers[(value - 1) % context->dma_buffer_count];
}

struct vidmm_dma_buffer *vidmm_queue_next(struct vidmm_context *context)
{
    return slot_of(context, context->next_value);
}

void vidmm_context_retired(struct vidmm_dma_buffer *dma_buffer, NTSTATUS status)
{
    struct vidmm_context *context = dma_buffer->context;
    uint64_t completed = atomic_load(&context->completed);
    uint32_t index;

    VIDMM_ASSERT(dma_buffer && dma_buffer->busy);
    VIDMM_ASSERT(vidmm_adapter_is_locked(context->device->adapter));
    for (index = 0; index < dma_buffer->allocation_count; index++)
        vidmm_lock_word_unuse(dma_buffer->allocations[index]);
    if (dma_buffer->witness)
        vidmm_witness_retired(dma_buffer, status);
    dma_buffer->busy = false;
    if (status != STATUS_SUCCESS &&
        (context->given_up == 0 || dma_buffer->value < context->given_up)) {
        context->given_up = dma_buffer->value;
        context->why = status;
    }
    if (status != STATUS_SUCCESS && context->hw)
        vidmm_hw_queue_give_up(context);
    while (completed + 1 < context->next_value && !slot_of(context, completed + 1)->busy)
        completed++;
    atomic_store(&context->completed, completed);
    VIDMM_ASSERT(completed < context->next_value);
}

uint64_t vidmm_context_completed(const struct vidmm_context *context)
{
    return atomic_load(&context->completed);
}

struct waiting {
    struct vidmm_context *context;
    uint64_t value;
};

static bool value_is_reached(void *argument)
{
    const struct waiting *waiting = argument;
    struct vidmm_adapter *adapter = waiting->context->device->adapter;
    bool stopped;

    vidmm_adapter_lock(adapter);
    stopped = adapter->stopped;
    vidmm_adapter_unlock(adapter);
    return stopped || atomic_load(&waiting->context->completed) >= waiting->value;
}

NTSTATUS vidmm_context_wait(struct vidmm_context *context, uint64_t value)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    struct waiting waiting = {context, value};
    NTSTATUS status = STATUS_SUCCESS;

    adapter->host->wait(adapter->host->context, value_is_reached, &waiting, UINT64_MAX);
    vidmm_adapter_lock(adapter);
    if (atomic_load(&context->completed) < value)
        status = STATUS_TIMEOUT;
    else if (context->given_up != 0 && value >= context->given_up)
        status = context->why;
    vidmm_adapter_unlock(adapter);
    return status;
}

/* Whether the next value's slot is free and nobody else is rendering on the context. */
static bool may_begin(void *argument)
{
    struct vidmm_context *context = argument;
    struct vidmm_adapter *adapter = context->device->adapter;
    bool may;

    vidmm_adapter_lock(adapter);
    may = adapter->stopped || context->device->status != STATUS_SUCCESS ||
          (!context->rendering && vidmm_context_is_suspended(context)) ||
          (!context->rendering && adapter->power == VIDMM_POWER_D0 &&
           !slot_of(context, context->next_value)->busy);
    vidmm_adapter_unlock(adapter);
    return may;
}

/* Enter vidmm_render(): one thread a context, and a free DMA buffer. */
NTSTATUS vidmm_queue_begin(struct vidmm_context *context, bool wait)
{
    struct vidmm_adapter *adapter = context->device->adapter;
    NTSTATUS status;
    bool suspended;

    for (;;) {
        vidmm_adapter_lock(adapter);
        status = adapter->stopped ? STATUS_DEVICE_REMOVED : context->device->status;
        if (status == STATUS_SUCCESS &&
            (context->rendering || slot_of(context, context->next_value)->busy))
            status = STATUS_DEVICE_BUSY;
        if (status == STATUS_SUCCESS)
            context->rendering = true;
        suspended = !context->rendering && vidmm_context_is_suspended(context);
        vidmm_adapter_unlock(adapter);
        if (status != STATUS_DEVICE_BUSY || !wait || suspended)
            return status;
        if (!adapter->host->wait(adapter->host->context, may_begin, context, UINT64_MAX))
            return STATUS_TIMEOUT;
    }
}

NTSTATUS vidmm_queue_refuse(struct vidmm_context *context, NTSTATUS status,
                            struct vidmm_report *report)
{
    if (status == STATUS_DEVICE_BUSY || status == STATUS_TIMEOUT) {
        return vidmm_report_refusal(report, status, "DMA buffers of the context",
                                    context->dma_buffer_count,
                                    "all of them are queued or in flight");
    }
    vidmm_device_condition(context->device, report);
    return status;
}

void vidmm_queue_end(struct vidmm_context *context)
{
    vidmm_adapter_lock(context->device->adapter);
    VIDMM_ASSERT(context->rendering);
    context->rendering = false;
    vidmm_adapter_unlock(context->device->adapter);
}
