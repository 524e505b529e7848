/* device.c: devices, those of programs and the system's.
 *
 * Source: DXGKARG_CREATEDEVICE; rules D-067, D-159, D-293, D-294.
 */
#include "vidmm/client/device.h"

#include <vidmm/adapter.h>
#include <vidmm/plan.h>
#include <vidmm/resource.h>
#include <wddm/d3dkmddi_context.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/context_allocation.h"
#include "vidmm/client/fence.h"
#include "vidmm/client/gone.h"
#include "vidmm/client/hw_queue.h"
#include "vidmm/client/instance.h"
#include "vidmm/client/paging_queue.h"
#include "vidmm/client/process.h"
#include "vidmm/client/suspend.h"
#include "vidmm/ddi/context.h"
#include "vidmm/ddi/device.h"
#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/ddi/range.h"
#include "vidmm/ddi/turn.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/process.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"
#include "wddm/level.h"
#include "wddm/rule.h"

/* From 2.0 on it is its process that has budgets. The mutex is held. */
static NTSTATUS join_process(struct vidmm_adapter *adapter, const struct vidmm_device *device,
                             uint32_t id)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_JOIN, .device = id};
    NTSTATUS status;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if (!device->owner || device->system)
        return STATUS_SUCCESS;
    event.join.process = device->owner->id;
    status = vidmm_pump_step(adapter, &event);
    if (status != STATUS_SUCCESS) {
        event.kind = VIDMM_EVENT_DESTROY_DEVICE;
        vidmm_pump_step(adapter, &event);
    }
    return status;
}

static NTSTATUS take_number(struct vidmm_adapter *adapter, struct vidmm_device *device, bool system)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_DEVICE};
    NTSTATUS status = STATUS_NO_MEMORY;
    uint32_t index;

    VIDMM_ASSERT(device->id == 0 && device->adapter == adapter);
    vidmm_adapter_lock(adapter);
    if (vidmm_slot_take(&adapter->handles, &adapter->host->memory, device, VIDMM_HANDLE_DEVICE,
                        &index)) {
        event.device = index + 1;
        event.create_device.system = system;
        if (!system && vidmm_ddi_has_addresses(adapter))
            event.create_device.process = device->owner->id;
        status = adapter->stopped ? STATUS_DEVICE_REMOVED : vidmm_pump_step(adapter, &event);
        if (status == STATUS_SUCCESS)
            status = join_process(adapter, device, index + 1);
        if (status == STATUS_SUCCESS) {
            device->id = index + 1;
            device->handle = vidmm_handle_of(adapter->number, device->id);
        } else {
            vidmm_slot_release(&adapter->handles, index);
        }
    }
    vidmm_adapter_unlock(adapter);
    return status;
}

static void give_number_back(struct vidmm_device *device)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_DEVICE, .device = device->id};

    VIDMM_ASSERT(device->id != 0);
    vidmm_pump_event(adapter, &event);
    vidmm_adapter_lock(adapter);
    vidmm_slot_release(&adapter->handles, device->id - 1);
    vidmm_adapter_unlock(adapter);
}

static void link_device(struct vidmm_adapter *adapter, struct vidmm_device *device)
{
    vidmm_adapter_lock(adapter);
    device->next = adapter->devices;
    device->link = &adapter->devices;
    if (device->next)
        device->next->link = &device->next;
    adapter->devices = device;
    vidmm_suspend_like_others(device);
    vidmm_adapter_unlock(adapter);
}

static void unlink_device(struct vidmm_adapter *adapter, struct vidmm_device *device)
{
    vidmm_adapter_lock(adapter);
    VIDMM_ASSERT(device->link && *device->link == device);
    *device->link = device->next;
    if (device->next)
        device->next->link = device->link;
    vidmm_adapter_unlock(adapter);
}

/* A device with what its driver says of its DMA buffers, one block. */
struct whole {
    struct vidmm_device device; /* first member: the block is given back by its address */
    DXGK_DEVICEINFO info;
};

static NTSTATUS refuse(const struct vidmm_adapter *adapter, NTSTATUS status, uint64_t process,
                       struct vidmm_report *report)
{
    vidmm_report_refusal(report, status, "the process of the device", process,
                         status == STATUS_DEVICE_REMOVED ? "the adapter has stopped"
                                                         : "no memory, or the driver refused it");
    return vidmm_report_reason(adapter, report, status);
}

static NTSTATUS init(struct vidmm_adapter *adapter, uint64_t process, bool system,
                     struct vidmm_device **result, struct vidmm_report *report)
{
    struct whole *whole = vidmm_allocate(adapter->host, sizeof(*whole));
    struct vidmm_device *device = whole ? &whole->device : NULL;
    NTSTATUS status;

    if (!device)
        return refuse(adapter, STATUS_NO_MEMORY, process, report);
    device->info = &whole->info;
    device->adapter = adapter;
    device->process = process;
    device->system = system;
    status = vidmm_process_take(adapter, process, system, &device->owner, report);
    if (status != STATUS_SUCCESS) {
        vidmm_free(adapter->host, device);
        return status;
    }
    status = take_number(adapter, device, system);
    if (status == STATUS_SUCCESS) {
        status = vidmm_ddi_create_device(device, system);
        if (status != STATUS_SUCCESS) {
            vidmm_context_allocations_leave(device, NULL);
            give_number_back(device);
        }
    }
    if (status != STATUS_SUCCESS) {
        vidmm_process_release(device->owner);
        vidmm_free(adapter->host, device);
        return refuse(adapter, status, process, report);
    }
    link_device(adapter, device);
    *result = device;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_device_create(struct vidmm_adapter *adapter, uint64_t process,
                             struct vidmm_device **device, struct vidmm_report *report)
{
    if (vidmm_report_null(adapter, "adapter", report) ||
        vidmm_report_null(device, "device", report))
        return STATUS_INVALID_PARAMETER;
    return init(adapter, process, false, device, report);
}

static bool device_is_empty(void *argument)
{
    const struct vidmm_device *device = argument;
    bool empty;

    vidmm_adapter_lock(device->adapter);
    empty = (!device->allocations && !device->resources) || vidmm_adapter_is_still(device->adapter);
    vidmm_adapter_unlock(device->adapter);
    return empty;
}

/* Are buffers all that is left? Those of paging go later, when paging has stopped. */
static bool device_has_buffers_alone(void *argument)
{
    const struct vidmm_device *device = argument;
    const struct vidmm_allocation *allocation;
    bool none;

    vidmm_adapter_lock(device->adapter);
    for (allocation = device->allocations; allocation && !allocation->h_allocation;
         allocation = allocation->next) {
    }
    none = (!allocation && !device->resources) || vidmm_adapter_is_still(device->adapter);
    vidmm_adapter_unlock(device->adapter);
    return none;
}

/* Those that the engine will never let go of, because it has stopped. */
static void abandon_allocations(struct vidmm_device *device)
{
    struct vidmm_allocation *member;
    struct vidmm_inside inside;

    VIDMM_ASSERT(!device->contexts);
    vidmm_turn_begin(device->adapter, device->process, &inside);
    vidmm_instances_abandon(device);
    while (device->resources) {
        for (member = device->resources->members; member; member = member->sibling)
            vidmm_ddi_abandon_ranges(member);
        vidmm_resource_gone(device->resources);
    }
    while (device->allocations) {
        device->allocations->destroyed = false; /* nobody waits for it */
        vidmm_ddi_abandon_ranges(device->allocations);
        vidmm_allocation_gone(device->allocations);
    }
    vidmm_turn_end(&inside);
}

static struct vidmm_resource *find_living(const struct vidmm_device *device)
{
    struct vidmm_resource *resource;

    vidmm_adapter_lock(device->adapter);
    for (resource = device->resources; resource && resource->dying; resource = resource->next) {
    }
    vidmm_adapter_unlock(device->adapter);
    return resource;
}

static struct vidmm_allocation *find_undestroyed(const struct vidmm_device *device)
{
    struct vidmm_allocation *allocation;

    vidmm_adapter_lock(device->adapter);
    for (allocation = device->allocations; allocation && allocation->destroyed;
         allocation = allocation->next) {
    }
    vidmm_adapter_unlock(device->adapter);
    return allocation;
}

/* Wait until the device has no allocations any more, all of which are being destroyed. */
static void wait_empty(struct vidmm_device *device)
{
    vidmm_pump(device->adapter);
    device->adapter->host->wait(device->adapter->host->context, device_is_empty, device,
                                UINT64_MAX);
}

void vidmm_device_wait_for_shared(struct vidmm_device *device)
{
    vidmm_pump(device->adapter);
    device->adapter->host->wait(device->adapter->host->context, device_has_buffers_alone, device,
                                UINT64_MAX);
}

/* From 2.0 on a lock may be held for life, and ends with its allocation. */
VIDMM_SEES(D_159);
static void look_at_locks(const struct vidmm_device *device)
{
    uint64_t unmatched = atomic_load(&device->unmatched);

    if (unmatched > 0 && device->adapter->level < VIDMM_LEVEL(2, 0))
        vidmm_seen(device->adapter, VIDMM_RULE_D_159, "locks of a device without an unlock",
                   unmatched);
}

VIDMM_SEES(D_067);
void vidmm_device_destroy(struct vidmm_device *device)
{
    struct vidmm_adapter *adapter;
    struct vidmm_allocation *allocation;
    struct vidmm_resource *resource;
    struct vidmm_context *lane;

    if (!device)
        return;
    adapter = device->adapter;
    while ((lane = vidmm_hw_queue_lane(device, NULL)) != NULL)
        vidmm_context_destroy(lane); /* its queue has a fence of the device */
    vidmm_fences_finish(device);     /* so that no queue of its contexts waits for them */
    while (device->contexts)
        vidmm_context_destroy(device->contexts);
    while ((resource = find_living(device)) != NULL) {
        if (resource->emptied)
            vidmm_seen(adapter, VIDMM_RULE_D_067, "process of the device", device->process);
        vidmm_resource_destroy(resource);
    }
    while ((allocation = find_undestroyed(device)) != NULL)
        vidmm_allocation_destroy(allocation);
    look_at_locks(device);
    wait_empty(device);
    vidmm_paging_queues_finish(device);
    abandon_allocations(device);
    vidmm_ddi_destroy_device(device);
    vidmm_context_allocations_leave(device, NULL);
    unlink_device(adapter, device);
    give_number_back(device); /* which another device may get */
    vidmm_process_release(device->owner);
    vidmm_free(adapter->host, device);
}

/* obeys W-006: from 2.0 on there are two of them */
NTSTATUS vidmm_system_device_create(struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    NTSTATUS status = init(adapter, 0, true, &adapter->system_device, report);
    struct vidmm_device *second;

    if (status == STATUS_SUCCESS)
        adapter->system_process = adapter->system_device->owner;
    if (status == STATUS_SUCCESS && adapter->level >= VIDMM_LEVEL(2, 0))
        status = init(adapter, 0, true, &second, report);
    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_ddi_create_system_contexts(adapter);
    return status == STATUS_SUCCESS
               ? status
               : vidmm_report_refusal(report, status, "status of DxgkDdiCreateContext",
                                      (uint32_t)status, "the driver refused the system context");
}

/* The second one: the first was made before it, and programs' are not the system's. */
static struct vidmm_device *find_second(struct vidmm_adapter *adapter)
{
    struct vidmm_device *device;

    vidmm_adapter_lock(adapter);
    for (device = adapter->devices; !device->system; device = device->next) {
    }
    vidmm_adapter_unlock(adapter);
    VIDMM_ASSERT(device != adapter->system_device);
    return device;
}

static void destroy_in_kmd(struct vidmm_device *device)
{
    vidmm_ddi_destroy_device(device);
    vidmm_context_allocations_leave(device, NULL);
}

/* obeys D-290 */
NTSTATUS vidmm_system_device_renew(struct vidmm_adapter *adapter)
{
    struct vidmm_device *first = adapter->system_device, *second = find_second(adapter);
    NTSTATUS status;

    VIDMM_ASSERT(adapter->system_process && adapter->level >= VIDMM_LEVEL(2, 0));
    vidmm_ddi_destroy_system_contexts(adapter);
    destroy_in_kmd(second);
    destroy_in_kmd(first);
    status = vidmm_process_renew(adapter->system_process);
    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_create_device(first, true);
    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_create_device(second, true);
    return status == STATUS_SUCCESS ? vidmm_ddi_create_system_contexts(adapter) : status;
}
