/* address.c: GPU virtual addresses, as programs ask for them.
 *
 *     request --> whole pages, in range, of the device --> one event --> address and value
 *
 * All that can be said of arguments alone is judged here; overlaps with what is there are judged by
 * the engine, whose refusal changes nothing.
 *
 * Source: pages of process.h; rules D-184, D-217 to D-223.
 */
#include "vidmm/client/address.h"

#include <vidmm/engine.h>
#include <vidmm/page.h>
#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <vidmm/process.h>
#include <wddm/d3dukmdt_sync.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/paging_queue.h"
#include "vidmm/client/pending_map.h"
#include "vidmm/ddi/driver_range.h"
#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/ddi/page_entries.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/device.h"
#include "vidmm/object/facts.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/paging_queue.h"
#include "vidmm/object/process.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/pump/pump.h"

#include "wddm/rule.h"

/* ---- judged by the arguments ----------------------------------------------------------------- */

static NTSTATUS check_model(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    if (vidmm_ddi_has_addresses(adapter))
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "GpuMmuSupported", adapter->model,
                                "the adapter has no page tables that this version writes");
}

VIDMM_SEES(D_218);
static NTSTATUS check_whole(const char *what, uint64_t value, uint64_t granule,
                            struct vidmm_report *report)
{
    if (value % granule == 0)
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, what, value,
                                granule == VIDMM_PAGE_SIZE ? "whole pages of 4096 bytes (D-218)"
                                                           : "whole 64 KiB (D-218)");
}

static NTSTATUS check_range(const char *what, uint64_t base, uint64_t size, uint64_t granule,
                            struct vidmm_report *report)
{
    NTSTATUS status = check_whole(what, base, granule, report);

    if (status == STATUS_SUCCESS)
        status = check_whole("size", size, granule, report);
    if (status == STATUS_SUCCESS && (size == 0 || size > UINT64_MAX - base)) {
        status = vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "size", size,
                                      "from one page to the end of all addresses");
    }
    return status;
}

static NTSTATUS check_request(const struct vidmm_address_request *request, uint64_t granule,
                              struct vidmm_report *report)
{
    NTSTATUS status;

    if (vidmm_report_null(request, "request", report))
        return STATUS_INVALID_PARAMETER;
    status = check_range("base", request->base, request->size, granule, report);
    if (status == STATUS_SUCCESS)
        status = check_whole("minimum", request->minimum, granule, report);
    if (status == STATUS_SUCCESS)
        status = check_whole("maximum", request->maximum, granule, report);
    if (status == STATUS_SUCCESS && request->maximum != 0 && request->maximum <= request->minimum) {
        status = vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "maximum", request->maximum,
                                      "0, or above minimum");
    }
    return status;
}

/* Whether a change of [base, base + size) is one of what the miniport has reserved (D-225). */
static NTSTATUS check_drivers(const struct vidmm_device *device, const char *what, uint64_t base,
                              uint64_t size, bool maps, struct vidmm_report *report)
{
    const struct vidmm_driver_range *range =
        base != 0 ? vidmm_driver_range_at(device->owner, base, base + size) : NULL;

    if (!range || (maps && range->mappable))
        return STATUS_SUCCESS;
    return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, what, base,
                                maps ? "none that the miniport has reserved without "
                                       "AllowUserModeMapping"
                                     : "none that the miniport has reserved: it keeps them");
}

/* Whether the bytes are in the allocation. */
static NTSTATUS check_mapped(const struct vidmm_address_use *use, uint64_t size,
                             struct vidmm_report *report)
{
    uint64_t room = vidmm_allocation_size(use->allocation), end = use->period ? use->period : size;
    NTSTATUS status = check_whole("offset", use->offset, VIDMM_PAGE_SIZE, report);

    if (status == STATUS_SUCCESS)
        status = check_whole("period", use->period, VIDMM_PAGE_SIZE, report);
    if (status == STATUS_SUCCESS && (use->offset > room || end > room - use->offset)) {
        status = vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "offset", use->offset,
                                      "with the size, or the period, inside of the allocation");
    }
    if (status == STATUS_SUCCESS && use->period != 0 && size % use->period != 0) {
        status = vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "period", use->period,
                                      "0, or a part of the size (D-223)");
    }
    return status;
}

static NTSTATUS check_use(const struct vidmm_device *device, const struct vidmm_address_use *use,
                          uint64_t size, struct vidmm_report *report)
{
    bool mapped;

    if (vidmm_report_null(use, "use", report))
        return STATUS_INVALID_PARAMETER;
    mapped = use->state == VIDMM_ADDRESSES_MAPPED;
    if (!mapped && use->state != VIDMM_ADDRESSES_NO_ACCESS && use->state != VIDMM_ADDRESSES_ZERO) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "state", use->state,
                                    "no access (1), zero (2) or mapped (4)");
    }
    if ((use->access & ~(VIDMM_ADDRESSES_WRITE | VIDMM_ADDRESSES_EXECUTE)) != 0) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "access", use->access,
                                    "write (1) and execute (2)");
    }
    if (mapped != (use->allocation != NULL)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "state", use->state,
                                    "mapped with an allocation, and another without (D-217)");
    }
    if (!mapped)
        return STATUS_SUCCESS;
    if (use->allocation->device != device) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "allocation",
                                    vidmm_allocation_id(use->allocation),
                                    "one of the paging queue's device");
    }
    return check_mapped(use, size, report);
}

/* ---- the engine is asked --------------------------------------------------------------------- */

static void fill_in_use(struct vidmm_event *event, const struct vidmm_address_use *use)
{
    event->addresses.state = use->state;
    event->addresses.access = use->state == VIDMM_ADDRESSES_MAPPED ? use->access : 0;
    event->addresses.driver_protection = use->driver_protection;
    if (use->state != VIDMM_ADDRESSES_MAPPED)
        return;
    event->addresses.allocation = vidmm_original(use->allocation)->id;
    event->addresses.offset = use->offset;
    event->addresses.period = use->period;
}

static void fill_in_request(struct vidmm_event *event, const struct vidmm_address_request *request)
{
    event->addresses.base = request->base;
    event->addresses.size = request->size;
    event->addresses.minimum = request->base == 0 ? request->minimum : 0;
    event->addresses.maximum = request->base == 0 ? request->maximum : 0;
}

/* Keep the notes of the process as the addresses are now. The mutex is held. */
static void note_change(struct vidmm_process *owner, const struct vidmm_event *event,
                        uint64_t address, uint64_t value)
{
    vidmm_pending_map_drop(owner, address, event->addresses.size);
    if (event->kind == VIDMM_EVENT_MAP_ADDRESSES && value != 0)
        vidmm_pending_map_note(owner, event->addresses.queue, address, event->addresses.size,
                               value);
}

/* queue, address, value: or NULL. legal: what the engine refuses, in words. */
static NTSTATUS ask(struct vidmm_device *device, struct vidmm_paging_queue *queue,
                    struct vidmm_event *event, uint64_t *address, uint64_t *value,
                    const char *legal, struct vidmm_report *report)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_residency_result result = {0, 0};
    NTSTATUS status;

    event->addresses.process = device->owner->id;
    event->addresses.queue = queue ? queue->id : 0;
    if (queue && vidmm_adapter_is_linked(adapter))
        event->addresses.adapters = 1u << queue->physical_adapter; /* obeys D-229 */
    vidmm_adapter_lock(adapter);
    status = vidmm_residency_ask(device, queue, event, &result);
    if ((status == STATUS_SUCCESS || status == STATUS_PENDING) && address)
        *address = vidmm_engine_address(adapter->engine);
    if (status == STATUS_SUCCESS || status == STATUS_PENDING)
        note_change(device->owner, event, address ? *address : event->addresses.base, result.value);
    vidmm_pump_and_unlock(adapter);
    if (status == STATUS_SUCCESS || status == STATUS_PENDING) {
        if (value)
            *value = result.value; /* obeys D-219 */
        return status;
    }
    if (status == STATUS_NO_MEMORY) {
        return vidmm_report_refusal(report, status, "size", event->addresses.size,
                                    "no such addresses are free, no memory for their record, or "
                                    "no page for a page table");
    }
    if (status == STATUS_INVALID_PARAMETER && vidmm_device_condition(device, NULL) != status)
        return vidmm_report_refusal(report, status, "base", event->addresses.base, legal);
    vidmm_device_condition(device, report);
    return status;
}

NTSTATUS vidmm_reserve_addresses(struct vidmm_device *device, struct vidmm_paging_queue *queue,
                                 const struct vidmm_address_request *request, uint32_t state,
                                 uint64_t driver_protection, uint64_t *address, uint64_t *value,
                                 struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_RESERVE_ADDRESSES};
    NTSTATUS status = check_model(device->adapter, report);

    if (status == STATUS_SUCCESS && vidmm_report_null(address, "address", report))
        return STATUS_INVALID_PARAMETER;
    if (status == STATUS_SUCCESS && queue && queue->device != device) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "queue", queue->id,
                                    "a paging queue of the device");
    }
    if (status == STATUS_SUCCESS &&
        (state < VIDMM_ADDRESSES_NO_ACCESS || state > VIDMM_ADDRESSES_NO_COMMIT)) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "state", state,
                                    "no access, zero or no commit, 1 to 3");
    }
    if (status == STATUS_SUCCESS)
        status = check_request(request, VIDMM_RESERVATION_GRANULE, report);
    if (status != STATUS_SUCCESS)
        return status;
    event.addresses.state = state;
    event.addresses.driver_protection = driver_protection;
    fill_in_request(&event, request);
    return ask(device, queue, &event, address, value, "free, in the process's addresses", report);
}

NTSTATUS vidmm_map_addresses(struct vidmm_paging_queue *queue,
                             const struct vidmm_address_request *request,
                             const struct vidmm_address_use *use, uint64_t *address,
                             uint64_t *value, struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};
    NTSTATUS status = check_model(queue->device->adapter, report);

    if (status == STATUS_SUCCESS && vidmm_report_null(address, "address", report))
        return STATUS_INVALID_PARAMETER;
    if (status == STATUS_SUCCESS)
        status = check_request(request, VIDMM_PAGE_SIZE, report);
    if (status == STATUS_SUCCESS)
        status = check_drivers(queue->device, "base", request->base, request->size, true, report);
    if (status == STATUS_SUCCESS)
        status = check_use(queue->device, use, request->size, report);
    if (status == STATUS_SUCCESS && use->period != 0) {
        status = vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "period", use->period,
                                      "0: updates alone repeat an allocation (D-223)");
    }
    if (status != STATUS_SUCCESS)
        return status;
    fill_in_request(&event, request);
    fill_in_use(&event, use);
    return ask(queue->device, queue, &event, address, value,
               "all of it free, or in one reservation, which zero and no access need (D-217)",
               report);
}

NTSTATUS vidmm_address_operation_judge(const struct vidmm_device *device,
                                       const struct vidmm_address_operation *operation,
                                       struct vidmm_event *event, struct vidmm_report *report)
{
    NTSTATUS status = check_model(device->adapter, report);

    *event = (struct vidmm_event){.kind = VIDMM_EVENT_UPDATE_ADDRESSES};
    if (status == STATUS_SUCCESS)
        status = check_range("base", operation->base, operation->size, VIDMM_PAGE_SIZE, report);
    if (status == STATUS_SUCCESS)
        status = check_drivers(device, "base", operation->base, operation->size, true, report);
    if (status == STATUS_SUCCESS && operation->copied)
        status = check_range("source", operation->source, operation->size, VIDMM_PAGE_SIZE, report);
    if (status == STATUS_SUCCESS && operation->copied)
        status = check_drivers(device, "source", operation->source, operation->size, true, report);
    if (status == STATUS_SUCCESS && !operation->copied)
        status = check_use(device, &operation->use, operation->size, report);
    if (status != STATUS_SUCCESS)
        return status;
    event->addresses.process = device->owner->id;
    event->addresses.base = operation->base;
    event->addresses.size = operation->size;
    if (operation->copied) {
        event->addresses.state = VIDMM_ADDRESSES_COPIED;
        event->addresses.offset = operation->source;
    } else {
        fill_in_use(event, &operation->use);
    }
    return status;
}

static NTSTATUS update(struct vidmm_paging_queue *queue,
                       const struct vidmm_address_operation *operation, uint64_t *value,
                       const char *legal, struct vidmm_report *report)
{
    struct vidmm_event event;
    NTSTATUS status = vidmm_address_operation_judge(queue->device, operation, &event, report);

    if (status != STATUS_SUCCESS)
        return status;
    return ask(queue->device, queue, &event, NULL, value, legal, report);
}

NTSTATUS vidmm_update_addresses(struct vidmm_paging_queue *queue, uint64_t base, uint64_t size,
                                const struct vidmm_address_use *use, uint64_t *value,
                                struct vidmm_report *report)
{
    struct vidmm_address_operation operation = {.base = base, .size = size};

    if (vidmm_report_null(use, "use", report))
        return STATUS_INVALID_PARAMETER;
    operation.use = *use;
    return update(queue, &operation, value,
                  "in one reservation that was reserved, and not obtained by mapping (D-222)",
                  report);
}

NTSTATUS vidmm_copy_addresses(struct vidmm_paging_queue *queue, uint64_t base, uint64_t size,
                              uint64_t source, uint64_t *value, struct vidmm_report *report)
{
    struct vidmm_address_operation operation = {
        .base = base, .size = size, .copied = true, .source = source};

    return update(queue, &operation, value,
                  "in one reservation that was reserved, and so the source", report);
}

NTSTATUS vidmm_free_addresses(struct vidmm_device *device, uint64_t base, uint64_t size,
                              struct vidmm_report *report)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FREE_ADDRESSES};
    NTSTATUS status = check_model(device->adapter, report);

    if (status == STATUS_SUCCESS)
        status = check_range("base", base, size, VIDMM_PAGE_SIZE, report);
    if (status == STATUS_SUCCESS)
        status = check_drivers(device, "base", base, size, false, report);
    if (status != STATUS_SUCCESS)
        return status;
    event.addresses.base = base;
    event.addresses.size = size;
    return ask(device, NULL, &event, NULL, NULL, "all of it reserved or mapped (D-220)", report);
}

NTSTATUS vidmm_shared_address(const struct vidmm_allocation *allocation, uint64_t *address,
                              struct vidmm_report *report)
{
    const struct vidmm_allocation *original;

    if (vidmm_report_null(allocation, "allocation", report) ||
        vidmm_report_null(address, "address", report))
        return STATUS_INVALID_PARAMETER;
    original = vidmm_original((struct vidmm_allocation *)(uintptr_t)allocation);
    if (original->adapter->model != VIDMM_MODEL_IO_MMU) {
        return vidmm_report_refusal(report, STATUS_NOT_SUPPORTED, "IoMmuSupported",
                                    original->adapter->model,
                                    "the GPU does not use the CPU's page tables");
    }
    if (!original->shares) {
        return vidmm_report_refusal(report, STATUS_INVALID_PARAMETER, "allocation",
                                    vidmm_allocation_id(allocation),
                                    "one that is not AccessedPhysically, or is for apertures "
                                    "alone: the CPU's page tables lead to system memory (D-268)");
    }
    *address = (uint64_t)(uintptr_t)original->backing.address; /* obeys D-268 */
    return STATUS_SUCCESS;
}

/* A process of programs; NULL: it has no device here. The mutex is held. */
static const struct vidmm_process *process_of(const struct vidmm_adapter *adapter, uint64_t number)
{
    const struct vidmm_process *owner = adapter->processes;

    while (owner && (owner->system || owner->process != number))
        owner = owner->next;
    return owner;
}

bool vidmm_find_addresses(struct vidmm_adapter *adapter, uint64_t process,
                          uint32_t physical_adapter, uint64_t address,
                          struct vidmm_address_info *info)
{
    const struct vidmm_process *owner;
    bool found = false;

    if (check_model(adapter, NULL) != STATUS_SUCCESS)
        return false;
    vidmm_adapter_lock(adapter);
    owner = process_of(adapter, process);
    if (owner)
        found = vidmm_engine_addresses(adapter->engine, owner->id, physical_adapter, address, info);
    vidmm_adapter_unlock(adapter);
    return found;
}

uint32_t vidmm_find_page_entries(struct vidmm_adapter *adapter, uint64_t process,
                                 uint32_t physical_adapter, uint32_t level, const uint32_t *indices,
                                 bool *wide, struct _DXGK_PTE *entries, uint32_t room)
{
    uint32_t path[VIDMM_ENGINE_LEVELS] = {0}, found = 0, i;
    const struct vidmm_process *owner;
    struct vidmm_operation told;

    if (check_model(adapter, NULL) != STATUS_SUCCESS || level >= VIDMM_ENGINE_LEVELS)
        return 0;
    for (i = level; i < VIDMM_ENGINE_LEVELS; i++)
        path[i] = indices[i];
    vidmm_adapter_lock(adapter);
    owner = process_of(adapter, process);
    while (owner && found < room &&
           vidmm_engine_page_entry(adapter->engine, owner->id, physical_adapter, level, path, wide,
                                   &told)) {
        vidmm_page_entries_tell(adapter, &told, &entries[found++]);
        path[level]++;
    }
    vidmm_adapter_unlock(adapter);
    return found;
}
