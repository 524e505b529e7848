/* space.c: the address space of a process in which its companion contexts run.
 *
 *     0x10000          paging buffers (if an aperture is behind them)          64 KiB
 *                      the addresses that they have for paging, too            kept free
 *
 * Nothing else is mapped there. A page has the tile pools and the page tables of the process in it,
 * for operations that name both by address; here a companion writes entries by the physical place
 * of their table, with the place of what is mapped as it is when the wait is over (W-029).
 *
 * Source: "Tile resources"; "Per-process GPU virtual address spaces"; rules D-266, W-029.
 */
#include "vidmm/client/space.h"

#include <vidmm/engine.h>
#include <vidmm/page.h>
#include <vidmm/plan.h>
#include <vidmm/process.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/process.h"
#include "vidmm/ddi/paging_tables.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/command_memory.h"
#include "vidmm/object/device.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/process.h"
#include "vidmm/object/record.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"

/* It goes, and its memory, which is a paging buffer's, stays. */
static void end_record(struct vidmm_adapter *adapter, struct vidmm_allocation *record)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};

    record->backing = (struct vidmm_backing){.mdl = NULL};
    event.destroy.allocation = record->id;
    vidmm_pump_event(adapter, &event);
}

/* Several processes may make their first spaces at once. Answers the record that stays. */
static struct vidmm_allocation *keep_first(struct vidmm_adapter *adapter, uint32_t buffer,
                                           struct vidmm_allocation *record)
{
    struct vidmm_paging_memory *paging = &adapter->paging[0][buffer];
    struct vidmm_allocation *first;

    vidmm_adapter_lock(adapter);
    if (!paging->record) {
        record->backing = paging->memory.backing;
        paging->record = record;
    }
    first = paging->record;
    vidmm_adapter_unlock(adapter);
    if (first != record)
        end_record(adapter, record);
    return first;
}

/* The record of a paging buffer that spaces map, made for the first of them. NULL: no memory. */
static struct vidmm_allocation *record_of(struct vidmm_adapter *adapter, uint32_t buffer)
{
    const struct vidmm_backing *backing = &adapter->paging[0][buffer].memory.backing;
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION,
                                .device = adapter->system_device->id};
    struct vidmm_allocation *record;

    vidmm_adapter_lock(adapter);
    record = adapter->paging[0][buffer].record;
    vidmm_adapter_unlock(adapter);
    if (record)
        return record;
    record = vidmm_allocation_own_record(adapter->system_device);
    if (!record)
        return NULL;
    event.create.allocation = record->id;
    event.create.buffer = VIDMM_BUFFER_FENCES; /* system memory that the manager has, and no list */
    event.create.wish = (struct vidmm_wish){.size = (uint64_t)backing->pages << VIDMM_PAGE_SHIFT,
                                            .alignment = VIDMM_PAGE_SIZE};
    if (vidmm_pump_event(adapter, &event) != STATUS_SUCCESS) {
        vidmm_allocation_free(record);
        return NULL;
    }
    return keep_first(adapter, buffer, record);
}

static NTSTATUS ask(struct vidmm_adapter *adapter, struct vidmm_event *event)
{
    NTSTATUS status;

    vidmm_adapter_lock(adapter);
    status = adapter->stopped ? STATUS_DEVICE_REMOVED : vidmm_pump_step(adapter, event);
    vidmm_adapter_unlock(adapter);
    return status;
}

/* They have the addresses that they have for the system's context. */
static NTSTATUS map_buffers(struct vidmm_process *process)
{
    struct vidmm_adapter *adapter = process->adapter;
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t buffer;

    for (buffer = 1; buffer <= adapter->options.paging_buffers + 1 && status == STATUS_SUCCESS;
         buffer++) {
        uint64_t address = vidmm_paging_tables_buffer(adapter, buffer);
        struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};
        const struct vidmm_allocation *record = address ? record_of(adapter, buffer) : NULL;

        if (address == 0)
            break;
        if (!record)
            return STATUS_NO_MEMORY;
        event.addresses.process = process->space;
        event.addresses.state = VIDMM_ADDRESSES_MAPPED;
        event.addresses.access = VIDMM_ADDRESSES_WRITE | VIDMM_ADDRESSES_EXECUTE;
        event.addresses.allocation = record->id;
        event.addresses.base = address;
        event.addresses.size = (uint64_t)record->backing.pages << VIDMM_PAGE_SHIFT;
        status = ask(adapter, &event);
    }
    return status;
}

void vidmm_space_end(const struct vidmm_process *process)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_PROCESS};

    VIDMM_ASSERT(vidmm_adapter_is_locked(process->adapter));
    event.process.process = process->space;
    if (process->space != 0 && !process->adapter->stopped)
        vidmm_pump_step(process->adapter, &event);
}

NTSTATUS vidmm_space_make(struct vidmm_process *process)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};
    struct vidmm_adapter *adapter = process->adapter;
    NTSTATUS status;

    if (process->space != 0)
        return STATUS_SUCCESS;
    vidmm_adapter_lock(adapter);
    event.process.process = vidmm_process_free_id(adapter);
    event.process.paging = VIDMM_PROCESS_PRIVILEGED;
    if (adapter->stopped)
        status = STATUS_DEVICE_REMOVED;
    else if (vidmm_engine_has_process(adapter->engine, process->lost_space))
        status = STATUS_NO_MEMORY;
    else
        status = vidmm_pump_step(adapter, &event);
    if (status == STATUS_SUCCESS)
        process->space = event.process.process; /* its handle is the process's: obeys D-264 */
    vidmm_adapter_unlock(adapter);
    if (status == STATUS_SUCCESS)
        status = map_buffers(process);
    if (status == STATUS_SUCCESS) {
        event = (struct vidmm_event){.kind = VIDMM_EVENT_RESERVE_ADDRESSES};
        event.addresses.process = process->space;
        event.addresses.state = VIDMM_ADDRESSES_NO_ACCESS;
        event.addresses.size = VIDMM_RESERVATION_GRANULE;
        status = ask(adapter, &event);
    }
    vidmm_adapter_lock(adapter);
    if (status == STATUS_SUCCESS) {
        process->space_free = vidmm_engine_address(adapter->engine);
    } else if (process->space != 0) {
        vidmm_space_end(process);
        process->lost_space = process->space; /* the miniport is still told of its tables' end */
        process->space = 0;
    }
    vidmm_adapter_unlock(adapter);
    return status;
}

void vidmm_spaces_finish(struct vidmm_adapter *adapter)
{
    uint32_t buffer;

    for (buffer = 1; buffer < VIDMM_PAGING_BUFFERS; buffer++) {
        struct vidmm_allocation *record = adapter->paging[0][buffer].record;

        adapter->paging[0][buffer].record = NULL;
        if (record)
            end_record(adapter, record);
    }
}
