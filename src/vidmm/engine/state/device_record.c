/* device_record.c: the devices that the engine knows, and which of them are in error.
 *
 *        create             fail                 tell
 *   -----------> at work ----------> in error ----------> in error, and VIDMM_DO_ERROR has said so
 *                                    its work is refused, and what is queued is dropped
 *
 * Invariants
 * K1. `untold` of the engine counts the devices that have failed without VIDMM_DO_ERROR.
 * K2. The system device is never in error (D-375).
 * K3. A device that exists has a record of its packets for each node. It stays with the id when the
 *     device has gone, so that a packet which is still in flight finds it.
 */
#include "vidmm/engine/state/device_record.h"

#include <string.h>

#include <base/grow.h>
#include <wddm/ntstatus.h>

#include "vidmm/engine/state/fence_state.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/plan.h"
#include "wddm/rule.h"

/* Nothing counted yet. `old`: that of an id that was given before, or NULL. NULL: no memory. */
static struct vidmm_packet_use *new_packets(const struct vidmm_engine *engine,
                                            struct vidmm_packet_use *old)
{
    size_t size = engine->config.node_count * sizeof(*old);

    if (!old)
        return engine->memory.allocate(engine->memory.context, size);
    memset(old, 0, size);
    return old;
}

NTSTATUS vidmm_device_record_create(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    struct vidmm_device_record *devices;
    struct vidmm_packet_use *packets;

    if (event->device == 0 || event->device >= VIDMM_IDS ||
        (event->device < engine->device_capacity && engine->devices[event->device].exists))
        return STATUS_INVALID_PARAMETER;
    devices = vidmm_grow(&engine->memory, engine->devices, &engine->device_capacity, event->device,
                         sizeof(*devices));
    if (!devices)
        return STATUS_NO_MEMORY;
    engine->devices = devices;
    packets = new_packets(engine, devices[event->device].packets);
    if (!packets)
        return STATUS_NO_MEMORY;
    devices[event->device] = (struct vidmm_device_record){
        .exists = true,
        .system = event->create_device.system != 0,
        .address_process = event->create_device.process,
        .packets = packets,
    };
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_device_record_destroy(struct vidmm_engine *engine, const struct vidmm_event *event)
{
    if (event->device >= engine->device_capacity || !engine->devices[event->device].exists)
        return STATUS_INVALID_PARAMETER;
    engine->untold -= engine->devices[event->device].untold ? 1 : 0;             /* K1 */
    engine->suspended -= engine->devices[event->device].suspension != 0 ? 1 : 0; /* SU1 */
    engine->devices[event->device] = (struct vidmm_device_record){
        .packets = engine->devices[event->device].packets, /* K3 */
    };
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_device_record_status(const struct vidmm_engine *engine, uint32_t device)
{
    return engine->devices[device].status;
}

void vidmm_device_record_fail(struct vidmm_engine *engine, uint32_t device, uint32_t reason,
                              uint32_t dma_buffer, NTSTATUS status)
{
    struct vidmm_device_record *record = &engine->devices[device];

    VIDMM_ASSERT(device < engine->device_capacity);
    VIDMM_ASSERT(status != STATUS_SUCCESS);
    if (!record->exists || record->system || record->status == STATUS_DEVICE_REMOVED ||
        (record->status != STATUS_SUCCESS && status != STATUS_DEVICE_REMOVED))
        return; /* K2 */
    record->status = status;
    record->reason = (uint8_t)reason;
    record->dma_buffer = dma_buffer;
    record->needed = 0;
    engine->untold += record->untold ? 0 : 1;
    record->untold = true;
    engine->suspension_failed |= record->suspension != 0;
    engine->monitored->failed = true; /* its waits end, and its fences are given up */
    engine->monitored->signals_may_go = true;
    engine->monitored->failed_next = 0;
}

VIDMM_SEES(D_199);
void vidmm_device_record_fault(struct vidmm_engine *engine, uint32_t device, uint32_t dma_buffer,
                               const struct vidmm_event *event)
{
    struct vidmm_device_record *record = &engine->devices[device];
    bool first = record->status == STATUS_SUCCESS;

    vidmm_device_record_fail(engine, device, VIDMM_REASON_PAGE_FAULT, dma_buffer,
                             STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    if (!first || record->status == STATUS_SUCCESS)
        return; /* it has failed before, or cannot fail (K2) */
    record->fault_node = event->fault.node;
    record->fault_flags = event->fault.flags;
    record->fault_address = event->fault.address;
}

void vidmm_device_records_finish(struct vidmm_engine *engine)
{
    uint32_t id;

    for (id = 0; id < engine->device_capacity; id++)
        if (engine->devices[id].packets)
            engine->memory.free(engine->memory.context, engine->devices[id].packets);
    if (engine->devices)
        engine->memory.free(engine->memory.context, engine->devices);
}

struct vidmm_packet_use vidmm_engine_device_packets(const struct vidmm_engine *engine,
                                                    uint32_t device, uint32_t node)
{
    return device < engine->device_capacity && engine->devices[device].exists &&
                   node < engine->config.node_count
               ? engine->devices[device].packets[node] /* K3 */
               : (struct vidmm_packet_use){.submitted = 0};
}

uint64_t vidmm_engine_device_evicted(const struct vidmm_engine *engine, uint32_t device)
{
    return device < engine->device_capacity ? engine->devices[device].evicted : 0;
}

struct vidmm_device_state vidmm_engine_device_state(const struct vidmm_engine *engine,
                                                    uint32_t device)
{
    const struct vidmm_device_record *record = &engine->devices[device];

    if (device >= engine->device_capacity || !record->exists)
        return (struct vidmm_device_state){0};
    return (struct vidmm_device_state){
        .status = (uint32_t)record->status,
        .reason = record->reason,
        .node = record->fault_node,
        .flags = record->fault_flags,
        .address = record->fault_address,
    };
}

bool vidmm_device_record_tell(struct vidmm_engine *engine)
{
    struct vidmm_operation *error;
    uint32_t id = 0;

    if (engine->untold == 0)
        return false;
    while (!engine->devices[id].untold)
        id++; /* K1 */
    engine->devices[id].untold = false;
    engine->untold--;
    error = vidmm_emit(engine, VIDMM_DO_ERROR);
    error->error.device = id;
    error->error.reason = engine->devices[id].reason;
    error->error.dma_buffer = engine->devices[id].dma_buffer;
    error->error.status = (uint32_t)engine->devices[id].status;
    error->error.needed = engine->devices[id].needed;
    return true;
}
