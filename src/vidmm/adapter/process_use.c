/* process_use.c: what a process has of an adapter: a walk over its devices.
 *
 * Submitting, creating and locking count nothing for these answers but the packets of a device on a
 * node, which the engine has. All else is added up when somebody asks.
 */
#include <vidmm/statistics.h>

#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/engine.h>
#include <vidmm/hw_queue.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/d3dkmddi_submit.h>

#include "vidmm/adapter/totals.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/context.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/resource.h"

#include "base/assert.h"

_Static_assert(VIDMM_EVICTED_CLASSES == VIDMM_PRIORITY_RANKS, "the engine's classes");

/* The process's next device; NULL: there is no other. The mutex is held. */
static struct vidmm_device *find(struct vidmm_device *device, uint64_t process)
{
    while (device && (device->system || device->process != process))
        device = device->next;
    return device;
}

/* Its next allocation: its own, then those that it has opened. NULL: there is no other. The mutex
 * is held. */
static struct vidmm_allocation *next_of(const struct vidmm_device *device,
                                        const struct vidmm_allocation *allocation)
{
    const struct vidmm_resource *resource;
    struct vidmm_allocation *next;

    if (allocation && allocation->original) {
        next = allocation->sibling;
        resource = allocation->resource->next;
    } else {
        next = allocation ? allocation->next : device->allocations;
        resource = device->resources;
    }
    for (; !next && resource; resource = resource->next)
        next = resource->original ? resource->members : NULL;
    return next;
}

/* Not the manager's own: buffers, and allocations that the miniport made for its contexts. The
 * mutex is held. */
static bool is_programs(struct vidmm_allocation *allocation, struct vidmm_holding *holding)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    *holding = vidmm_engine_holding(allocation->adapter->engine, vidmm_original(allocation)->id);
    return !allocation->context_allocation && !holding->buffer;
}

static void add(struct vidmm_amount *amount, uint64_t bytes)
{
    amount->count++;
    amount->bytes += bytes;
}

/* ---- segments -------------------------------------------------------------------------------- */

static void add_in(struct vidmm_allocation *allocation, uint32_t segment,
                   struct vidmm_allocations_in *use)
{
    struct vidmm_holding holding;

    if (!is_programs(allocation, &holding) || holding.segment != segment)
        return;
    add(&use->committed, holding.size);
    if (holding.resident)
        add(&use->resident[holding.preference], holding.size);
}

void vidmm_process_allocations(const struct vidmm_adapter *adapter, uint64_t process,
                               uint32_t segment, struct vidmm_allocations_in *use)
{
    struct vidmm_allocation *allocation;
    struct vidmm_device *device;

    *use = (struct vidmm_allocations_in){.committed = {0, 0}};
    if (segment == 0 || segment > adapter->segment_count)
        return;
    vidmm_adapter_lock(adapter);
    for (device = find(adapter->devices, process); device; device = find(device->next, process))
        for (allocation = NULL; (allocation = next_of(device, allocation)) != NULL;)
            add_in(allocation, segment, use);
    vidmm_adapter_unlock(adapter);
}

void vidmm_segment_allocations(const struct vidmm_adapter *adapter, uint32_t segment,
                               struct vidmm_allocations_in *use)
{
    struct vidmm_allocation *allocation;
    const struct vidmm_device *device;

    *use = (struct vidmm_allocations_in){.committed = {0, 0}};
    if (segment == 0 || segment > adapter->segment_count)
        return;
    vidmm_adapter_lock(adapter);
    for (device = adapter->devices; device; device = device->next)
        for (allocation = device->allocations; allocation; allocation = allocation->next)
            add_in(allocation, segment, use);
    vidmm_adapter_unlock(adapter);
}

void vidmm_segment_evicted(const struct vidmm_adapter *adapter, uint32_t segment,
                           uint64_t bytes[VIDMM_PRIORITY_RANKS])
{
    struct vidmm_evicted evicted;

    vidmm_adapter_lock(adapter);
    evicted = vidmm_engine_evicted(adapter->engine, segment);
    vidmm_adapter_unlock(adapter);
    memcpy(bytes, evicted.bytes, sizeof(evicted.bytes));
}

/* ---- the process ----------------------------------------------------------------------------- */

/* Pages are taken for all of it, as long as the engine knows it; existing ones are the
 * program's. */
static void add_pages(struct vidmm_allocation *allocation, struct vidmm_process_use *use)
{
    const struct vidmm_allocation *original = vidmm_original(allocation);
    const struct vidmm_adapter *adapter = original->adapter;
    const struct vidmm_wish *wish = vidmm_engine_wish(adapter->engine, original->id);
    DXGK_ALLOCATIONINFOFLAGS flags = {.Value = wish ? wish->flags : 0};
    uint64_t bytes = wish ? wish->size * (original->instances ? adapter->link_count : 1) : 0;

    if (flags.ExistingSysMem || flags.ExistingKernelSysMem)
        return;
    use->system_memory += bytes;
    *(flags.Cached ? &use->cached : &use->write_combined) += bytes;
}

static void add_allocation(struct vidmm_allocation *allocation, struct vidmm_process_use *use)
{
    const struct vidmm_adapter *adapter = allocation->adapter;
    struct vidmm_holding holding;

    if (!is_programs(allocation, &holding))
        return;
    add_pages(allocation, use);
    if (holding.resident && holding.preference < VIDMM_PREFERENCE_SLOTS)
        use->by_preference[holding.preference] += holding.size;
    if (holding.demoted && holding.group < VIDMM_SEGMENT_GROUPS &&
        vidmm_engine_residency_count(adapter->engine, allocation->device->id,
                                     vidmm_original(allocation)->id) > 0)
        use->demoted[holding.group][holding.rank] += holding.size;
}

static void add_context(const struct vidmm_context *context, struct vidmm_process_use *use)
{
    uint64_t count = context->dma_buffer_count;

    if (context->dma_buffer_size == 0) /* the sizes of one that is being made are nobody's yet */
        return;
    use->dma_buffers.count += count;
    use->dma_buffers.bytes += count * context->dma_buffer_size;
    use->allocation_lists += count * context->allocation_list_size * sizeof(DXGK_ALLOCATIONLIST);
    use->patch_lists += count * context->patch_list_size * sizeof(D3DDDI_PATCHLOCATIONLIST);
}

static void add_device(const struct vidmm_device *device, struct vidmm_process_use *use)
{
    const struct vidmm_context *context;
    struct vidmm_allocation *allocation;

    for (allocation = NULL; (allocation = next_of(device, allocation)) != NULL;)
        add_allocation(allocation, use);
    for (context = device->contexts; context; context = context->next)
        add_context(context, use);
    use->evicted += vidmm_engine_device_evicted(device->adapter->engine, device->id);
}

void vidmm_process_use(const struct vidmm_adapter *adapter, uint64_t process,
                       struct vidmm_process_use *use)
{
    struct vidmm_device *device;

    *use = (struct vidmm_process_use){.evicted = 0};
    vidmm_adapter_lock(adapter);
    for (device = find(adapter->devices, process); device; device = find(device->next, process))
        add_device(device, use);
    vidmm_adapter_unlock(adapter);
}

/* ---- nodes and sources ----------------------------------------------------------------------- */

/* Packets of its hardware queues ran on the node. */
static void add_node(const struct vidmm_device *device, uint32_t node, struct vidmm_packet_use *use)
{
    const struct vidmm_adapter *adapter = device->adapter;
    uint32_t each = vidmm_hw_queues_of(adapter, node), queue;
    struct vidmm_packet_use more = vidmm_engine_device_packets(adapter->engine, device->id, node);

    vidmm_packets_add(use, &more);
    for (queue = node * each; queue < (node + 1) * each; queue++) {
        more =
            vidmm_engine_device_packets(adapter->engine, device->id, adapter->node_count + queue);
        vidmm_packets_add(use, &more);
    }
}

void vidmm_process_packets(const struct vidmm_adapter *adapter, uint64_t process, uint32_t node,
                           struct vidmm_packet_use *use)
{
    struct vidmm_device *device;

    *use = (struct vidmm_packet_use){.submitted = 0};
    if (node >= adapter->node_count)
        return;
    vidmm_adapter_lock(adapter);
    for (device = find(adapter->devices, process); device; device = find(device->next, process))
        add_node(device, node, use);
    vidmm_adapter_unlock(adapter);
}

uint64_t vidmm_process_frames(const struct vidmm_adapter *adapter, uint64_t process,
                              uint32_t source)
{
    struct vidmm_device *device;
    uint64_t frames = 0;

    if (source >= VIDMM_SOURCES)
        return 0;
    vidmm_adapter_lock(adapter);
    for (device = find(adapter->devices, process); device; device = find(device->next, process))
        frames += device->frames[source];
    vidmm_adapter_unlock(adapter);
    return frames;
}

uint64_t vidmm_source_frames(const struct vidmm_adapter *adapter, uint32_t source)
{
    uint64_t frames = 0;

    vidmm_adapter_lock(adapter);
    if (source < VIDMM_SOURCES)
        frames = adapter->frames[source];
    vidmm_adapter_unlock(adapter);
    return frames;
}
