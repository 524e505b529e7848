/* context_allocation.c: allocations that a miniport makes for its contexts.
 *
 *     DxgkDdiCreateContext --- DxgkCbCreateContextAllocation ---> record, engine not resident yet
 *                                                                   |
 *     each DMA buffer of the context: a reference that no list shows
 *         the first time, and when the content was lost: InitContextResource; then SubmitCommand
 *                                                                   |
 *     DxgkDdiDestroyContext -- DxgkCbDestroyContextAllocation --> the engine lets go, record freed
 *
 * One with SharedAcrossContexts is a reference of each DMA buffer of the device. From WDDM 2.0 on
 * either is on the device's residency list too, from its creation to its end. No program sees
 * them, so none is ever locked, offered or named in an allocation list. To the engine they are
 * allocations of the device with one property more (context.c).
 *
 * DxgkCbUpdateContextAllocation waits until the miniport's commands have changed its content. The
 * data that the miniport passes on to itself is copied: the call that reads it comes later, and may
 * come after this one has given up.
 *
 * The miniport's handle is good until DxgkCbDestroyContextAllocation returns: so that call waits
 * until the engine needs it no more. Context allocations that are left when their context or device
 * goes go with it.
 *
 * ddi/context_allocation.c judges the miniport's request.
 *
 * Source: DXGKCB_CREATECONTEXTALLOCATION, DXGKCB_UPDATECONTEXTALLOCATION,
 * DXGKCB_DESTROYCONTEXTALLOCATION; rules D-137 to D-140.
 */
#include "vidmm/client/context_allocation.h"

#include <string.h>

#include <vidmm/plan.h>
#include <vidmm/resource.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmddi_segment.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/accept.h"
#include "vidmm/ddi/above.h"
#include "vidmm/ddi/context.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/grant.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"

/* ---- creation -------------------------------------------------------------------------------- */

/* obeys D-137: the CPU's address is the driver's for as long as it lives, and only under all three
 * conditions, so that it is always that of the backing store. */
static NTSTATUS map_for_driver(struct vidmm_allocation *allocation, const struct vidmm_wish *wish)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = allocation->flags};
    struct vidmm_adapter *adapter = allocation->adapter;
    uint32_t id;

    VIDMM_ASSERT(allocation->context_allocation && allocation->backing.mdl);
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

    VIDMM_ASSERT(allocation->id != 0 && !allocation->link);
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

NTSTATUS vidmm_context_allocation_create(struct vidmm_context_allocation_wish *wished,
                                         struct vidmm_allocation **result)
{
    const struct vidmm_description description = {.vidpn_source = VIDMM_NO_SOURCE};
    struct vidmm_allocation *allocation = vidmm_allocation_make(wished->device, &description);
    struct vidmm_report *report = wished->refusal;
    struct vidmm_wish wish;
    NTSTATUS status;

    if (!allocation)
        return vidmm_report_refusal(report, STATUS_NO_MEMORY, "Size", wished->info.Size,
                                    "there is no memory");
    allocation->context_allocation = true;
    allocation->context = wished->context;
    allocation->h_allocation = wished->info.hAllocation;
    status = vidmm_allocation_accept(allocation, &wished->info, &wish, report);
    if (status == STATUS_SUCCESS)
        status = vidmm_allocation_back(allocation, &wish, &description, report);
    if (status == STATUS_SUCCESS)
        status = map_for_driver(allocation, &wish);
    if (status == STATUS_SUCCESS)
        status = tell_engine(allocation, &wish);
    if (status != STATUS_SUCCESS) {
        vidmm_allocation_free(allocation);
        return report->text[0] != '\0'
                   ? status
                   : vidmm_report_refusal(
                         report, status, "Size", wished->info.Size,
                         "there is no memory, or it is larger than every segment of its set");
    }
    *result = allocation;
    return STATUS_SUCCESS;
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

/* One more thread in the driver waits for the engine, or one less: who has it rest is to know. */
static void want_engine(struct vidmm_adapter *adapter, bool begins)
{
    vidmm_adapter_lock(adapter);
    adapter->engine_wanted = begins ? adapter->engine_wanted + 1 : adapter->engine_wanted - 1;
    vidmm_adapter_unlock(adapter);
    adapter->host->wake(adapter->host->context); /* obeys A3 */
}

/* Wait until it is so. False: it is not. Somebody has to pump; inside of work() nobody would. */
static bool wait_until(struct vidmm_adapter *adapter, bool (*ready)(void *argument), void *argument,
                       uint64_t timeout_ns)
{
    const struct vidmm_host *host = adapter->host;
    bool done;

    if (host->is_in_work && host->is_in_work(host->context))
        return false;
    want_engine(adapter, true);
    done = host->wait(host->context, ready, argument, timeout_ns);
    want_engine(adapter, false);
    return done;
}

/* Have the engine let go of it, and wait as long. False: it has not. */
static bool let_go(struct vidmm_allocation *allocation, uint64_t timeout_ns)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};

    VIDMM_ASSERT(allocation->context_allocation);
    event.destroy.allocation = allocation->id;
    vidmm_adapter_lock(adapter);
    if (!allocation->destroyed && !adapter->stopped)
        vidmm_pump_step(adapter, &event);
    allocation->destroyed = true;
    vidmm_adapter_unlock(adapter);
    return is_gone(allocation) || wait_until(adapter, is_gone, allocation, timeout_ns);
}

/* The miniport may be inside the very call that the engine waits for; then this waits as long as
 * for a fence, and the handle is not named any more. */
NTSTATUS vidmm_context_allocation_destroy(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;

    if (!allocation->context_allocation || allocation->destroyed)
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

/* The first that the driver has left behind: it has nothing any more that a handle would name. */
static struct vidmm_allocation *take_first_of(const struct vidmm_device *device,
                                              const struct vidmm_context *context)
{
    struct vidmm_allocation *allocation;

    vidmm_adapter_lock(device->adapter);
    allocation = device->context_allocations;
    while (allocation && context && allocation->context != context)
        allocation = allocation->next;
    if (allocation)
        allocation->h_allocation = NULL;
    vidmm_adapter_unlock(device->adapter);
    return allocation;
}

void vidmm_context_allocations_leave(struct vidmm_device *device,
                                     const struct vidmm_context *context)
{
    struct vidmm_allocation *allocation;

    while ((allocation = take_first_of(device, context)) != NULL) {
        let_go(allocation, UINT64_MAX);
        vidmm_allocation_free(allocation);
    }
}

/* ---- changes --------------------------------------------------------------------------------- */

struct change {
    struct vidmm_allocation *allocation;
    struct vidmm_request request;
};

static bool is_over(void *argument)
{
    const struct change *change = argument;
    struct vidmm_adapter *adapter = change->allocation->adapter;
    bool over;

    vidmm_adapter_lock(adapter);
    over = change->request.done || vidmm_adapter_is_still(adapter);
    vidmm_adapter_unlock(adapter);
    return over;
}

/* Ask the engine. The data is the record's from here on, if that succeeds: what is carried out
 * looks there. `size` bytes. */
static NTSTATUS ask(struct change *change, uint8_t *data, uint32_t size)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_UPDATE_CONTEXT};
    struct vidmm_allocation *allocation = change->allocation;
    NTSTATUS status;

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    if (allocation->adapter->stopped)
        return STATUS_DEVICE_REMOVED;
    event.update_context.allocation = allocation->id;
    event.update_context.request = vidmm_request_begin(allocation->adapter, &change->request);
    status = vidmm_pump_step(allocation->adapter, &event);
    if (status != STATUS_SUCCESS) {
        vidmm_request_end(allocation->adapter, &change->request);
        return status;
    }
    vidmm_free(allocation->adapter->host, allocation->private_data);
    allocation->private_data = data;
    allocation->private_data_size = size;
    return STATUS_SUCCESS;
}

/* obeys D-140: until it has been executed */
static NTSTATUS await(struct change *change)
{
    struct vidmm_adapter *adapter = change->allocation->adapter;
    uint64_t timeout_ns = adapter->options.timeout_ms * UINT64_C(1000000);
    NTSTATUS status = STATUS_TIMEOUT;

    wait_until(adapter, is_over, change, timeout_ns);
    vidmm_adapter_lock(adapter);
    vidmm_request_end(adapter, &change->request);
    if (change->request.done)
        status = change->request.status;
    else if (adapter->stopped)
        status = STATUS_DEVICE_REMOVED;
    else
        adapter->findings++;
    vidmm_adapter_unlock(adapter);
    return status;
}

NTSTATUS vidmm_context_allocation_update(struct vidmm_allocation *allocation,
                                         const void *private_data, uint32_t size)
{
    const struct vidmm_host *host = allocation->adapter->host;
    struct change change = {.allocation = allocation};
    uint8_t *data = NULL;
    NTSTATUS status;

    if (!allocation->context_allocation || allocation->destroyed)
        return STATUS_INVALID_PARAMETER;
    if (size > 0) {
        data = vidmm_allocate(host, size);
        if (!data)
            return STATUS_NO_MEMORY;
        memcpy(data, private_data, size);
    }
    vidmm_adapter_lock(allocation->adapter);
    status = ask(&change, data, size);
    vidmm_adapter_unlock(allocation->adapter);
    if (status != STATUS_SUCCESS) {
        vidmm_free(host, data);
        return status;
    }
    return await(&change);
}

/* ---- references ------------------------------------------------------------------------------ */

/* Room for one reference more than so many that are there. False: no memory. */
static bool reserve(const struct vidmm_host *host, struct vidmm_dma_buffer *dma_buffer,
                    uint32_t count)
{
    struct vidmm_reference *references;

    VIDMM_ASSERT(count <= dma_buffer->reference_room);
    if (count < dma_buffer->reference_room)
        return true;
    references = vidmm_allocate(host, (count + 1) * sizeof(*references));
    if (!references)
        return false;
    memcpy(references, dma_buffer->references, count * sizeof(*references));
    vidmm_free(host, dma_buffer->references);
    dma_buffer->references = references;
    dma_buffer->reference_room = count + 1;
    return true;
}

bool vidmm_context_allocations_refer(struct vidmm_dma_buffer *dma_buffer, uint32_t *count)
{
    const struct vidmm_context *context = vidmm_context_of_driver(dma_buffer->context);
    const struct vidmm_allocation *allocation;

    VIDMM_ASSERT(vidmm_adapter_is_locked(context->device->adapter));
    for (allocation = context->device->context_allocations; allocation;
         allocation = allocation->next) {
        if (allocation->destroyed || (allocation->context && allocation->context != context))
            continue;
        if (!reserve(context->device->adapter->host, dma_buffer, *count))
            return false;
        dma_buffer->references[(*count)++] = (struct vidmm_reference){
            allocation->id, VIDMM_REFERENCE_WRITES | VIDMM_REFERENCE_OWNED}; /* obeys D-138 */
    }
    return true;
}
