/* group.c: allocations that are created together.
 *
 *     make     accept, back              open                      engine
 *     record   DxgkDdiCreateAllocation   DxgkDdiOpenAllocation     CREATE_ALLOCATION event
 *
 * A group is one allocation without a resource, or what is added to a resource at once.
 *
 * Source: DXGKDDI_CREATEALLOCATION, DXGKDDI_OPENALLOCATION; rules D-046 to D-052.
 */
#include "vidmm/client/group.h"

#include <vidmm/adapter.h>
#include <vidmm/plan.h>
#include <vidmm/resource.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/accept.h"
#include "vidmm/client/decommit.h"
#include "vidmm/client/gone.h"
#include "vidmm/client/lock_request.h"
#include "vidmm/ddi/allocation.h"
#include "vidmm/ddi/allocation_info.h"
#include "vidmm/ddi/engine_mmu.h"
#include "vidmm/ddi/turn.h"
#include "vidmm/object/adapter.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"
#include "vidmm/pump/pump.h"
#include "vidmm/pump/relief.h"

#include "base/assert.h"

/* Memory that is needed as long as they are being created. */
struct room {
    uint64_t relief;      /* how often memory had come back before this attempt */
    uint64_t needed;      /* bytes of backing stores, as far as it came to that */
    bool short_of_memory; /* it was the manager that had none, not the driver */
    DXGK_ALLOCATIONINFO *infos;
    struct vidmm_wish *wishes;
    uint8_t *private_data; /* of all that are not shared */
};

#define SMALL_DATA 64u

static uint64_t rounded(uint32_t size)
{
    return ((uint64_t)size + 15) & ~UINT64_C(15);
}

/* Whether their private data is shown to the driver again, by openings that may follow. */
static bool keeps_private_data(const struct vidmm_group *group)
{
    return group->resource && group->resource->shared;
}

/* A record for each. The mutex is held. */
static NTSTATUS take_records(const struct vidmm_group *group)
{
    uint32_t index;

    for (index = 0; index < group->count; index++) {
        struct vidmm_allocation *made = vidmm_allocation_take_record(group->device);

        group->allocations[index] = made; /* NULL ends the list */
        if (!made)
            return STATUS_NO_MEMORY;
        made->resource = group->resource;
        made->over_heap = group->over_heap;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS describe_all(const struct vidmm_group *group, uint8_t *private_data)
{
    uint32_t index;

    for (index = 0; index < group->count; index++) {
        const struct vidmm_description *description = &group->descriptions[index];

        if (!vidmm_allocation_describe(group->allocations[index], description,
                                       keeps_private_data(group) ? NULL : private_data))
            return STATUS_NO_MEMORY;
        private_data += rounded(description->private_data_size);
    }
    return STATUS_SUCCESS;
}

static void forget_private_data(const struct vidmm_group *group)
{
    uint32_t index;

    for (index = 0; index < group->count && group->allocations[index]; index++) {
        group->allocations[index]->private_data = NULL;
        group->allocations[index]->private_data_size = 0;
    }
}

static NTSTATUS accept_all(const struct vidmm_group *group, DXGK_ALLOCATIONINFO *infos,
                           struct vidmm_wish *wishes)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    VIDMM_ASSERT(group->count == 0 || group->allocations[0]);
    for (index = 0; index < group->count && status == STATUS_SUCCESS; index++) {
        status = vidmm_allocation_accept(group->allocations[index], &infos[index], &wishes[index],
                                         group->report);
        if (status == STATUS_SUCCESS) {
            status = vidmm_allocation_back(group->allocations[index], &wishes[index],
                                           &group->descriptions[index], group->report);
        }
    }
    return status;
}

/* The mutex is held. */
static NTSTATUS create_in_engine(const struct vidmm_group *group, const struct vidmm_wish *wish,
                                 struct vidmm_allocation *allocation)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = group->device->id};
    struct vidmm_adapter *adapter = allocation->adapter;
    NTSTATUS status;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(allocation->id != 0 && !allocation->original);
    event.create.allocation = allocation->id;
    event.create.wish = *wish;
    event.create.shared = group->resource && group->resource->shared;
    event.create.wish.pinned = event.create.shared && group->resource->primary; /* obeys D-383 */
    status = adapter->stopped ? STATUS_DEVICE_REMOVED : vidmm_pump_step(adapter, &event);
    if (status == STATUS_GRAPHICS_NO_VIDEO_MEMORY) {
        vidmm_report_value(group->report, status,
                           "Size: larger than every segment of its supported sets", wish->size);
    }
    return status;
}

/* Put it into its lists. The mutex is held. */
static void join(struct vidmm_allocation *allocation)
{
    struct vidmm_resource *resource = allocation->resource;

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    VIDMM_ASSERT(!allocation->joined);
    if (!resource)
        return;
    allocation->joined = resource->end;
    *resource->end = allocation;
    resource->end = &allocation->sibling;
    resource->count++;
    resource->emptied = false;
}

static uint64_t process_of(const struct vidmm_group *group)
{
    return group->resource ? group->resource->process : group->device->process;
}

/* The engine knows the first `known`. They leave as if they had been freed; the rest at once. */
static void undo(const struct vidmm_group *group, uint32_t known)
{
    struct vidmm_adapter *adapter = group->device->adapter;
    struct vidmm_inside inside;
    uint32_t index;

    VIDMM_ASSERT(known <= group->count);
    vidmm_turn_begin(adapter, process_of(group), &inside);
    for (index = known; index < group->count && group->allocations[index]; index++) {
        group->allocations[index]->alone = true;
        vidmm_allocation_gone(group->allocations[index]);
    }
    vidmm_turn_end(&inside);
    for (index = 0; index < known; index++)
        vidmm_allocation_destroy(group->allocations[index]);
}

/* obeys S0-049 */
static NTSTATUS set_up_ranges(const struct vidmm_group *group)
{
    NTSTATUS status = STATUS_SUCCESS;
    DXGK_ALLOCATIONINFOFLAGS alternate = {.UseAlternateVA = 1};
    uint32_t index;

    for (index = 0; index < group->count && status == STATUS_SUCCESS; index++) {
        DXGK_ALLOCATIONINFOFLAGS flags = {.Value = group->allocations[index]->flags};

        if (flags.UseAlternateVA && flags.CpuVisible)
            status = vidmm_lock_set_up(group->allocations[index]);
    }
    if (status != STATUS_SUCCESS) {
        vidmm_report_value(group->report, status,
                           "no swizzling range can be set up for it (S0-049); UseAlternateVA",
                           alternate.Value);
    }
    return status;
}

/* The driver knows them: out of it, and into the engine, in one go. */
static NTSTATUS create_known(const struct vidmm_group *group, const struct vidmm_wish *wishes,
                             struct vidmm_inside *inside)
{
    struct vidmm_adapter *adapter = group->device->adapter;
    bool waiting = vidmm_turn_end_and_lock(inside);
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    VIDMM_ASSERT(inside->thread);
    for (index = 0; index < group->count && status == STATUS_SUCCESS; index++) {
        status = create_in_engine(group, &wishes[index], group->allocations[index]);
        if (status == STATUS_SUCCESS) {
            vidmm_allocation_link(group->allocations[index]);
            join(group->allocations[index]);
        }
    }
    vidmm_pump_and_unlock(adapter);
    if (waiting)
        adapter->host->wake(adapter->host->context);
    if (status == STATUS_SUCCESS) {
        status = set_up_ranges(group);
        index += status == STATUS_SUCCESS ? 0 : 1;
    }
    if (status != STATUS_SUCCESS) {
        undo(group, index - 1);
        return status;
    }
    for (index = 0; index < group->count; index++)
        vidmm_ddi_created(adapter, &wishes[index]);
    return status;
}

/* Bytes, as the driver has said. */
static uint64_t needed(const struct vidmm_group *group, const DXGK_ALLOCATIONINFO *infos)
{
    uint64_t bytes = 0;
    uint32_t index;

    for (index = 0; index < group->count; index++)
        bytes += infos[index].Size;
    return bytes;
}

/* In the driver, opened too. Inside the process's turn. */
static NTSTATUS create_and_open(const struct vidmm_group *group, struct room *room)
{
    bool opens = group->count > 0 && (!group->resource || !group->resource->shared);
    NTSTATUS status = vidmm_ddi_create_allocations(group->device->adapter, group->resource,
                                                   group->allocations, group->count, room->infos);

    if (status != STATUS_SUCCESS) {
        vidmm_report_value(group->report, status,
                           "status of DxgkDdiCreateAllocation: the driver refused the "
                           "allocation (D-046)",
                           (uint32_t)status);
        vidmm_report_reason(group->device->adapter, group->report, status);
        return vidmm_allocation_status(group->device->adapter, status);
    }
    status = accept_all(group, room->infos, room->wishes);
    room->short_of_memory |= status == STATUS_NO_MEMORY;
    room->needed = needed(group, room->infos);
    if (status == STATUS_SUCCESS && opens) {
        status = vidmm_ddi_open_allocations(group->device, group->allocations, group->count, true,
                                            group->report);
    }
    return status;
}

static NTSTATUS create(const struct vidmm_group *group, struct room *room)
{
    struct vidmm_inside inside;
    NTSTATUS status;

    vidmm_turn_take_and_lock(group->device->adapter, process_of(group), &inside);
    room->relief = vidmm_relief_count(group->device->adapter);
    status = take_records(group);
    vidmm_adapter_unlock(group->device->adapter);
    if (status == STATUS_SUCCESS)
        status = describe_all(group, room->private_data);
    room->short_of_memory = status == STATUS_NO_MEMORY;
    room->needed = 1;
    vidmm_turn_enter(&inside);
    if (status == STATUS_SUCCESS && group->resource &&
        !vidmm_resource_reserve(group->resource, group->resource->count + group->count))
        status = STATUS_NO_MEMORY;
    if (status == STATUS_SUCCESS)
        status = create_and_open(group, room);
    if (!keeps_private_data(group))
        forget_private_data(group);
    if (status == STATUS_SUCCESS) {
        status = create_known(group, room->wishes, &inside);
        /* of several the engine may know some, which are due to go for that alone */
        room->short_of_memory |= status == STATUS_NO_MEMORY && group->count == 1;
        return status;
    }
    vidmm_turn_end(&inside);
    undo(group, 0);
    return status;
}

/* Try again as long as memory comes back, of what was destroyed, else of what is offered. */
static NTSTATUS create_in(const struct vidmm_group *group, struct room *room)
{
    struct vidmm_adapter *adapter = group->device->adapter;
    NTSTATUS status = create(group, room);

    while (status == STATUS_NO_MEMORY && room->short_of_memory &&
           (vidmm_relief(adapter, room->relief) || vidmm_decommit(adapter, room->needed))) {
        vidmm_report_clear(group->report);
        status = create(group, room);
    }
    return status;
}

static NTSTATUS create_many(const struct vidmm_group *group)
{
    const struct vidmm_host *host = group->device->adapter->host;
    size_t bytes = sizeof(DXGK_ALLOCATIONINFO) + sizeof(struct vidmm_wish);
    uint64_t private_bytes = 0;
    struct room room;
    NTSTATUS status;
    uint32_t index;

    for (index = 0; index < group->count; index++)
        private_bytes += rounded(group->descriptions[index].private_data_size);
    room.private_data = vidmm_allocate(host, private_bytes + group->count * bytes);
    if (!room.private_data)
        return STATUS_NO_MEMORY;
    room.infos = (DXGK_ALLOCATIONINFO *)(void *)(room.private_data + private_bytes);
    room.wishes = (struct vidmm_wish *)(void *)(room.infos + group->count);
    status = create_in(group, &room);
    vidmm_free(host, room.private_data);
    return status;
}

NTSTATUS vidmm_group_check_model(const struct vidmm_adapter *adapter, struct vidmm_report *report)
{
    if (adapter->model == VIDMM_MODEL_PHYSICAL || vidmm_ddi_finds_by_address(adapter))
        return STATUS_SUCCESS;
    return vidmm_report_value(
        report, STATUS_NOT_SUPPORTED,
        "allocations of a GPU with page tables that the GPU itself writes by address are not "
        "supported by this version",
        adapter->level);
}

NTSTATUS vidmm_group_explain(struct vidmm_device *device, NTSTATUS status,
                             struct vidmm_report *report)
{
    if (status == STATUS_DEVICE_REMOVED)
        vidmm_device_condition(device, report);
    else if (status != STATUS_SUCCESS && report && report->text[0] == '\0')
        vidmm_report_value(report, status,
                           status == STATUS_NO_MEMORY
                               ? "status: there is no memory for the records of what is created"
                               : "status: the manager cannot create it",
                           (uint32_t)status);
    return status;
}

NTSTATUS vidmm_group_create(const struct vidmm_group *group)
{
    _Alignas(16) uint8_t private_data[SMALL_DATA]; /* drivers take it for structures */
    DXGK_ALLOCATIONINFO info;
    struct vidmm_wish wish;
    struct room room = {.infos = &info, .wishes = &wish, .private_data = private_data};

    VIDMM_ASSERT(group->device && (group->count > 0 || group->resource));
    vidmm_report_clear(group->report);
    if (group->count > 1 ||
        (group->count == 1 && group->descriptions[0].private_data_size > SMALL_DATA))
        return create_many(group);
    return create_in(group, &room);
}
