/* command_place.c: memory for commands, with a place that the GPU fetches them from.
 *
 * In an aperture it is a placement of the engine like any other, only pinned: pages are taken, the
 * engine finds a range and has it mapped with a null hAllocation (D-097). Otherwise it is one
 * contiguous run of system memory, addressed physically (D-321).
 */
#include "vidmm/pump/command_place.h"

#include <vidmm/page.h>
#include <vidmm/plan.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "vidmm/object/backing.h"
#include "vidmm/object/command_memory.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/pump/ask.h"
#include "vidmm/pump/grant.h"
#include "vidmm/pump/pump.h"
#include "vidmm/pump/state.h"

#include "base/assert.h"

/* The engine is told of a buffer that has a place in one of the apertures. */
static NTSTATUS tell_engine(struct vidmm_adapter *adapter, const struct vidmm_device *device,
                            const struct vidmm_command_memory *memory, uint32_t segment_set)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = device->id};
    DXGK_ALLOCATIONINFOFLAGS flags = {.FromEndOfSegment = memory->own_page};
    NTSTATUS status;

    event.create.allocation = memory->id;
    event.create.buffer = memory->own_page ? VIDMM_BUFFER_OWN_PAGE : VIDMM_BUFFER_COMMANDS;
    event.create.wish = (struct vidmm_wish){
        .size = (uint64_t)memory->backing.pages << VIDMM_PAGE_SHIFT,
        .alignment = VIDMM_PAGE_SIZE,
        .flags = flags.Value,
        .read_set = segment_set,
        .write_set = segment_set,
    };
    vidmm_adapter_lock(adapter);
    status = vidmm_pump_step(adapter, &event);
    vidmm_adapter_unlock(adapter);
    return status;
}

/* Wait until it is mapped there, where it stays until destroyed. */
static NTSTATUS pin(struct vidmm_adapter *adapter, struct vidmm_command_memory *memory)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PIN};
    struct vidmm_request request = {0};
    NTSTATUS status;

    VIDMM_ASSERT(memory->id != 0 && memory->place.segment == 0);
    event.pin.allocation = memory->id;
    status = vidmm_request_ask(adapter, &event, &event.pin.request, &request);
    memory->place = request.place;
    return status;
}

/* Take it out of the engine; its record and pages go when the engine lets go of them. `tried`: it
 * belongs to a creation that failed. */
static void unpin(struct vidmm_adapter *adapter, uint32_t id, bool tried)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};
    struct vidmm_allocation *record;

    vidmm_adapter_lock(adapter);
    record = vidmm_slot_find(&adapter->handles, id - 1, VIDMM_HANDLE_ALLOCATION);
    record->tried = tried;
    vidmm_adapter_unlock(adapter);
    event.destroy.allocation = id;
    vidmm_pump_event(adapter, &event);
}

/* `instances` are those of engines 1 and up, or NULL; they are gone or taken after any answer. */
static NTSTATUS init_in_aperture(struct vidmm_adapter *adapter, struct vidmm_device *device,
                                 struct vidmm_command_memory *memory,
                                 struct vidmm_backing *instances, uint32_t segment_set)
{
    struct vidmm_allocation *record = vidmm_allocation_own_record(device);
    NTSTATUS status;

    VIDMM_ASSERT(segment_set != 0 && memory->id == 0);
    if (!record) {
        vidmm_instances_finish(adapter, instances);
        return STATUS_NO_MEMORY;
    }
    record->backing = memory->backing;
    record->instances = instances;
    memory->id = record->id;
    status = tell_engine(adapter, device, memory, segment_set);
    if (status != STATUS_SUCCESS) {
        vidmm_allocation_free(record);
    } else {
        status = pin(adapter, memory);
        if (status != STATUS_SUCCESS)
            unpin(adapter, record->id, true);
    }
    if (status != STATUS_SUCCESS) {
        memory->backing = (struct vidmm_backing){0};
        memory->id = 0;
    }
    return status;
}

void vidmm_command_memory_finish(struct vidmm_adapter *adapter, struct vidmm_command_memory *memory)
{
    if (memory->id != 0)
        unpin(adapter, memory->id, memory->tried); /* takes the backing store with it */
    vidmm_guarded_finish(adapter, memory);
}

NTSTATUS vidmm_command_memory_init(struct vidmm_adapter *adapter, struct vidmm_device *device,
                                   struct vidmm_command_memory *memory, uint32_t segment_set,
                                   uint32_t size, uint32_t private_size)
{
    NTSTATUS status = vidmm_guarded_init(adapter, memory, segment_set == 0, size, private_size);

    if (status == STATUS_SUCCESS && segment_set != 0)
        status = init_in_aperture(adapter, device, memory, NULL, segment_set);
    if (status != STATUS_SUCCESS)
        vidmm_command_memory_finish(adapter, memory);
    return status;
}

NTSTATUS vidmm_own_page_init(struct vidmm_adapter *adapter)
{
    struct vidmm_command_memory *memory = &adapter->pump->own_page;
    NTSTATUS status;

    if (adapter->sets.bridged == 0)
        return STATUS_SUCCESS;
    status = vidmm_guarded_init(adapter, memory, false, VIDMM_PAGE_SIZE - VIDMM_GUARD_SIZE, 0);
    memory->own_page = true;
    if (status == STATUS_SUCCESS) {
        status =
            init_in_aperture(adapter, adapter->system_device, memory, NULL, adapter->sets.bridged);
    }
    if (status != STATUS_SUCCESS)
        vidmm_command_memory_finish(adapter, memory);
    return status;
}

/* ---- paging buffers: one an engine ----------------------------------------------------------- */

static NTSTATUS init_instances(struct vidmm_adapter *adapter, uint32_t id, bool contiguous)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t engine;

    for (engine = 0; engine < adapter->link_count && status == STATUS_SUCCESS; engine++) {
        status = vidmm_guarded_init(adapter, &adapter->paging[engine][id].memory, contiguous,
                                    adapter->paging_size, adapter->paging_private_size);
    }
    return status;
}

/* The backing stores of engines 1 and up, for the record; they stay known to the paging buffers. */
static struct vidmm_backing *gather_instances(struct vidmm_adapter *adapter, uint32_t id)
{
    struct vidmm_backing *instances = vidmm_instances_new(adapter);
    uint32_t engine;

    for (engine = 1; engine < adapter->link_count && instances; engine++)
        instances[engine - 1] = adapter->paging[engine][id].memory.backing;
    return instances;
}

/* One place for all; with it the record owns their backing stores. */
static NTSTATUS place_instances(struct vidmm_adapter *adapter, uint32_t id, uint32_t segment_set)
{
    struct vidmm_command_memory *lead = &adapter->paging[0][id].memory;
    struct vidmm_backing *instances = NULL;
    uint32_t engine;
    NTSTATUS status;

    if (vidmm_adapter_is_linked(adapter)) {
        instances = gather_instances(adapter, id);
        if (!instances)
            return STATUS_NO_MEMORY;
    }
    status = init_in_aperture(adapter, adapter->system_device, lead, instances, segment_set);
    for (engine = 1; engine < adapter->link_count; engine++) {
        struct vidmm_command_memory *memory = &adapter->paging[engine][id].memory;

        memory->place = lead->place;
        memory->id = lead->id;
        if (status != STATUS_SUCCESS)
            memory->backing = (struct vidmm_backing){0};
    }
    return status;
}

void vidmm_paging_memory_finish(struct vidmm_adapter *adapter, uint32_t id)
{
    uint32_t engine;

    for (engine = adapter->link_count; engine-- > 1;)
        vidmm_guarded_finish(adapter, &adapter->paging[engine][id].memory);
    vidmm_command_memory_finish(adapter, &adapter->paging[0][id].memory);
}

NTSTATUS vidmm_paging_memory_init(struct vidmm_adapter *adapter, uint32_t id, uint32_t segment_set)
{
    NTSTATUS status = init_instances(adapter, id, segment_set == 0);

    VIDMM_ASSERT(id >= 1 && id <= adapter->options.paging_buffers + 1);
    if (status == STATUS_SUCCESS && segment_set != 0)
        status = place_instances(adapter, id, segment_set);
    if (status != STATUS_SUCCESS)
        vidmm_paging_memory_finish(adapter, id);
    return status;
}
