/* companion.c: companion contexts.
 *
 * A driver may refuse one, for nothing of a program comes with it: then the system's context makes
 * the changes. One has no DMA buffers: it runs paging buffers alone.
 *
 * Source: "Tile resources"; rule D-266.
 */
#include "vidmm/client/companion.h"

#include <vidmm/engine.h>
#include <vidmm/host.h>
#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <vidmm/process.h>
#include <wddm/d3dkmddi_context.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/context_allocation.h"
#include "vidmm/client/context_record.h"
#include "vidmm/client/paging_queue.h"
#include "vidmm/client/space.h"
#include "vidmm/ddi/context.h"
#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/paging_queue.h"
#include "vidmm/object/process.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"

/* Whether contexts of the adapter have companions. */
static bool has_companions(const struct vidmm_adapter *adapter)
{
    return vidmm_ddi_has_addresses(adapter) && vidmm_ddi_has_contexts(adapter) &&
           vidmm_ddi_writes_tables_by_place(adapter) && !vidmm_adapter_is_linked(adapter);
}

/* Have the engine know it. */
static NTSTATUS accompany(const struct vidmm_context *companion,
                          const struct vidmm_paging_queue *queue, uint32_t context)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_COMPANION};

    event.paging_queue.queue = queue->id;
    event.paging_queue.context = context;
    event.paging_queue.node = companion->node;
    event.paging_queue.process = companion->device->owner->space;
    return vidmm_pump_event(companion->device->adapter, &event);
}

static void undo(struct vidmm_context *companion)
{
    vidmm_ddi_destroy_contexts(companion);
    vidmm_context_allocations_leave(companion->device, companion);
    vidmm_context_free(companion);
}

struct vidmm_context *vidmm_companion_create(struct vidmm_context *context,
                                             struct vidmm_paging_queue *queue)
{
    struct vidmm_device *device = context->device;
    struct vidmm_context *companion;
    DXGK_CONTEXTINFO info;

    if (!has_companions(device->adapter) ||
        context->companion_node >= device->adapter->node_count ||
        vidmm_space_make(device->owner) != STATUS_SUCCESS)
        return NULL;
    companion = vidmm_context_new(device, context->companion_node);
    if (!companion)
        return NULL;
    companion->companion = true;
    if (vidmm_ddi_create_contexts(companion, NULL, 0, &info) == STATUS_SUCCESS &&
        accompany(companion, queue, companion->id) == STATUS_SUCCESS)
        return companion;
    undo(companion);
    return NULL;
}

static bool is_done(void *argument)
{
    const struct vidmm_context *companion = argument;
    struct vidmm_adapter *adapter = companion->device->adapter;
    bool done;

    vidmm_adapter_lock(adapter);
    done = vidmm_adapter_is_still(adapter) ||
           !vidmm_engine_runs_companion(adapter->engine, companion->id);
    vidmm_adapter_unlock(adapter);
    return done;
}

void vidmm_companion_destroy(struct vidmm_context *companion, struct vidmm_paging_queue *queue)
{
    struct vidmm_adapter *adapter;

    if (!companion)
        return;
    adapter = companion->device->adapter;
    accompany(companion, queue, 0);
    vidmm_pump(adapter);
    adapter->host->wait(adapter->host->context, is_done, companion, UINT64_MAX);
    undo(companion);
}

bool vidmm_companion_await(const struct vidmm_context *companion, struct vidmm_paging_queue *queue)
{
    const struct vidmm_process *process = companion->device->owner;
    struct vidmm_event event = {.kind = VIDMM_EVENT_UPDATE_ADDRESSES};
    struct vidmm_residency_result result;

    event.addresses.process = process->space;
    event.addresses.queue = queue->id;
    event.addresses.state = VIDMM_ADDRESSES_NO_ACCESS;
    event.addresses.base = process->space_free;
    event.addresses.size = VIDMM_RESERVATION_GRANULE;
    return vidmm_residency_ask(companion->device, queue, &event, &result) == STATUS_PENDING;
}
