/* group.c: allocations that are created, opened, closed and destroyed together.
 *
 *     make   accept, back            open    engine             let go          gone
 *     record DxgkDdiCreateAllocation DxgkDdiOpenAllocation ...  DESTROY event   Close, Destroy
 *
 * A group is one allocation without a resource, or what is added to a resource at once. The engine
 * lets go of each by itself; what belongs to a resource is kept until the last of it is let go,
 * then all of it is closed in one call and destroyed in one call (D-053). An allocation freed alone
 * leaves alone.
 *
 * Invariants (G), the adapter's mutex held:
 *   G1  A resource's `pending` counts its members of which the engine was told to let go and has
 *       not, plus 1 while vidmm_resource_destroy() is at work.
 *   G2  A resource is freed when it is dying and `pending` becomes 0, and at no other time.
 *
 * Source: DXGKDDI_CREATEALLOCATION, DXGKDDI_OPENALLOCATION, DXGKDDI_CLOSEALLOCATION,
 * DXGKDDI_DESTROYALLOCATION; rules D-046 to D-055.
 */
#include "vidmm/object/seen.h"

/* ---- records --------------------------------------------------------------------------------- */

bool vidmm_allocation_number(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    uint32_t index;

    if (!vidmm_slot_take(&adapter->handles, &adapter->host->memory, allocation,
                         VIDMM_HANDLE_ALLOCATION, &index))
        return false;
    allocation->id = index + 1;
    return true;
}

uint32_t vidmm_allocation_handle(const struct vidmm_allocation *allocation)
{
    return allocation->adapter->number << 28 | allocation->id;
}

struct vidmm_allocation *vidmm_allocation_record(struct vidmm_device *device)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_allocation *allocation;

    vidmm_adapter_lock(adapter);
    allocation = vidmm_pool_take(&adapter->allocation_pool);
    if (allocation) {
        allocation->adapter = adapter;
        allocation->device = device;
        if (!vidmm_allocation_number(allocation)) {
            vidmm_pool_release(&adapter->allocation_pool, allocation);
            allocation = NULL;
        }
    }
    vidmm_adapter_unlock(adapter);
    return allocation;
}

struct vidmm_allocation *vidmm_allocation_own_record(struct vidmm_device *device)
{
    struct vidmm_allocation *record = vidmm_allocation_record(device);

    if (record) {
        vidmm_adapter_lock(device->adapter);
        record->destroyed = true;
        vidmm_allocation_link(record);
        vidmm_adapter_unlock(device->adapter);
    }
    return record;
}

struct vidmm_allocation *vidmm_allocation_make(struct vidmm_device *device,
                                               const struct vidmm_description *description,
                                               uint8_t *room)
{
    uint32_t size = description->private_data_size;
    struct vidmm_allocation *allocation = vidmm_allocation_record(device);

    if (allocation && size > 0) {
        allocation->private_data = room ? room : vidmm_allocate(device->adapter->host, size);
        if (!allocation->private_data) {
            vidmm_allocation_free(allocation);
            allocation = NULL;
        }
    }
    if (!allocation)
        return NULL;
    allocation->primary = description->primary;
    allocation->private_data_size = size;
    if (size > 0)
        memcpy(allocation->private_data, description->private_data, size);
    return allocation;
}

uint64_t vidmm_allocation_process(const struct vidmm_allocation *allocation)
{
    return allocation->resource ? allocation->resource->process : allocation->device->process;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static NTSTATUS open_all(struct vidmm_device *device, struct vidmm_allocation **allocations,
                         DXGK_OPENALLOCATIONINFO *infos, uint32_t count, bool create)
{
    const struct vidmm_resource *resource = allocations[0]->resource;
    DXGKARG_OPENALLOCATION arguments;
    uint32_t index;

    memset(&arguments, 0, sizeof(arguments));
    for (index = 0; index < count; index++) {
        infos[index].hAllocation = vidmm_allocation_handle(allocations[index]);
        infos[index].pPrivateDriverData = allocations[index]->private_data;
        infos[index].PrivateDriverDataSize = allocations[index]->private_data_size;
    }
    arguments.NumAllocations = count;
    arguments.pOpenAllocation = infos;
    arguments.Flags.Create = create;
    if (resource && resource->private_data_size > 0) {
        arguments.pPrivateDriverData = (void *)(uintptr_t)resource->private_data;
        arguments.PrivateDriverSize = resource->private_data_size;
    }
    return device->adapter->driver.DxgkDdiOpenAllocation(device->h_device, &arguments);
}

static bool take_openings(struct vidmm_allocation **allocations,
                          const DXGK_OPENALLOCATIONINFO *infos, uint32_t count)
{
    bool all = true;
    uint32_t index;

    for (index = 0; index < count; index++) {
        allocations[index]->h_device_specific = infos[index].hDeviceSpecificAllocation;
        allocations[index]->opened = infos[index].hDeviceSpecificAllocation != NULL;
        all = all && allocations[index]->opened;
    }
    return all;
}

static void close_one(struct vidmm_device *device, struct vidmm_allocation *allocation)
{
    DXGKARG_CLOSEALLOCATION close = {.NumAllocations = 1,
                                     .pOpenHandleList = &allocation->h_device_specific};

    if (allocation->opened) {
        device->adapter->driver.DxgkDdiCloseAllocation(device->h_device, &close);
        allocation->opened = false;
    }
}

static uint64_t hash(uint64_t hash, const uint8_t *bytes, uint32_t size)
{
    while (size-- > 0)
        hash = (hash ^ *bytes++) * UINT64_C(0x100000001b3);
    return hash;
}

/* What the driver must leave alone of the private data that it is shown. */
static uint64_t hash_private_data(struct vidmm_allocation **allocations, uint32_t count,
                                  bool create)
{
    const struct vidmm_resource *resource = allocations[0]->resource;
    uint64_t sum = 0;
    uint32_t index;

    if (resource)
        sum = hash(sum, resource->private_data, resource->private_data_size);
    for (index = 0; index < count && !create; index++)
        sum = hash(sum, allocations[index]->private_data, allocations[index]->private_data_size);
    return sum;
}

VIDMM_SEES(D_051);
VIDMM_SEES(D_052);
NTSTATUS vidmm_group_open(struct vidmm_device *device, struct vidmm_allocation **allocations,
                          uint32_t count, bool create, struct vidmm_report *report)
{
    const struct vidmm_host *host = device->adapter->host;
    DXGK_OPENALLOCATIONINFO one = {0};
    DXGK_OPENALLOCATIONINFO *infos =
        count == 1 ? &one : vidmm_allocate(host, count * sizeof(*infos));
    uint64_t sum = hash_private_data(allocations, count, create);
    NTSTATUS status;
    uint32_t index;
    bool all;

    if (!infos)
        return STATUS_NO_MEMORY;
    status = open_all(device, allocations, infos, count, create);
    if (hash_private_data(allocations, count, create) != sum)
        vidmm_seen(device->adapter, VIDMM_RULE_D_052, "Flags.Create", create);
    all = status == STATUS_SUCCESS && take_openings(allocations, infos, count);
    if (infos != &one)
        vidmm_free(host, infos);
    if (status != STATUS_SUCCESS) {
        return vidmm_allocation_refuse(report, status,
                                       "status of DxgkDdiOpenAllocation: the driver would not "
                                       "open it",
                                       (uint32_t)status);
    }
    if (all)
        return STATUS_SUCCESS;
    for (index = 0; index < count; index++)
        close_one(device, allocations[index]);
    return vidmm_allocation_refuse(report, STATUS_INVALID_PARAMETER,
                                   "hDeviceSpecificAllocation: not NULL after a successful open "
                                   "(D-051)",
                                   0);
}

/* obeys D-053: together. What closing and destroying need was reserved when they were created. */
void vidmm_group_close(struct vidmm_resource *resource)
{
    struct vidmm_device *device = resource->device;
    DXGKARG_CLOSEALLOCATION close = {.pOpenHandleList = resource->handles};
    struct vidmm_allocation *member;

    for (member = resource->members; member; member = member->sibling) {
        if (member->opened) {
            member->opened = false;
            resource->handles[close.NumAllocations++] = member->h_device_specific;
        }
    }
    if (close.NumAllocations > 0)
        device->adapter->driver.DxgkDdiCloseAllocation(device->h_device, &close);
}

bool vidmm_resource_reserve(struct vidmm_resource *resource, uint32_t count)
{
    const struct vidmm_host *host = resource->adapter->host;
    HANDLE *handles;

    if (count <= resource->room)
        return true;
    handles = vidmm_allocate(host, count * sizeof(*handles));
    if (!handles)
        return false;
    vidmm_free(host, resource->handles);
    resource->handles = handles;
    resource->room = count;
    return true;
}

/* ---- creation -------------------------------------------------------------------------------- */

/* What is needed as long as they are being created. */
struct room {
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

static NTSTATUS make_all(const struct vidmm_group *group, uint8_t *private_data)
{
    uint32_t index;

    for (index = 0; index < group->count; index++)
        group->allocations[index] = NULL;
    for (index = 0; index < group->count; index++) {
        const struct vidmm_description *description = &group->descriptions[index];
        struct vidmm_allocation *made = vidmm_allocation_make(
            group->device, description, keeps_private_data(group) ? NULL : private_data);

        if (!made)
            return STATUS_NO_MEMORY;
        made->resource = group->resource;
        group->allocations[index] = made;
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

static NTSTATUS create_in_kmd(const struct vidmm_group *group, DXGK_ALLOCATIONINFO *infos)
{
    struct vidmm_adapter *adapter = group->device->adapter;
    struct vidmm_resource *resource = group->resource;
    DXGKARG_CREATEALLOCATION arguments;
    NTSTATUS status;
    uint32_t index;

    memset(&arguments, 0, sizeof(arguments));
    for (index = 0; index < group->count; index++) {
        infos[index].pPrivateDriverData = group->allocations[index]->private_data;
        infos[index].PrivateDriverDataSize = group->allocations[index]->private_data_size;
    }
    arguments.NumAllocations = group->count;
    arguments.pAllocationInfo = infos;
    if (resource) {
        arguments.Flags.Resource = 1; /* obeys D-049 */
        arguments.hResource = resource->h_resource;
        arguments.pPrivateDriverData =
            resource->private_data_size > 0 ? resource->private_data : NULL;
        arguments.PrivateDriverDataSize = resource->private_data_size;
    }
    status = adapter->driver.DxgkDdiCreateAllocation(adapter->h_adapter, &arguments);
    if (status == STATUS_SUCCESS && resource) {
        resource->h_resource = arguments.hResource; /* obeys D-048 */
        resource->created = true;
    }
    return status;
}

static NTSTATUS accept_all(const struct vidmm_group *group, DXGK_ALLOCATIONINFO *infos,
                           struct vidmm_wish *wishes)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t index;

    for (index = 0; index < group->count; index++)
        group->allocations[index]->h_allocation = infos[index].hAllocation;
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

    event.create.allocation = allocation->id;
    event.create.wish = *wish;
    event.create.shared = group->resource && group->resource->shared;
    event.create.wish.pinned = event.create.shared && group->resource->primary; /* obeys D-383 */
    status = adapter->stopped ? STATUS_DEVICE_REMOVED : vidmm_pump_step(adapter, &event);
    if (status == STATUS_GRAPHICS_NO_VIDEO_MEMORY) {
        vidmm_allocation_refuse(group->report, status,
                                "Size: larger than every segment of its supported sets",
                                wish->size);
    }
    return status;
}

/* Put it into its lists. The mutex is held. */
static void join(struct vidmm_allocation *allocation)
{
    struct vidmm_resource *resource = allocation->resource;

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
    uint32_t index;

    for (index = 0; index < group->count && status == STATUS_SUCCESS; index++) {
        DXGK_ALLOCATIONINFOFLAGS flags = {.Value = group->allocations[index]->flags};

        if (flags.UseAlternateVA && flags.CpuVisible)
            status = vidmm_lock_set_up(group->allocations[index]);
    }
    if (status != STATUS_SUCCESS) {
        vidmm_allocation_refuse(group->report, status,
                                "no swizzling range can be set up for it (S0-049); UseAlternateVA",
                                0x400);
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
        vidmm_kmd_created(adapter, &wishes[index]);
    return status;
}

/* In the driver, opened too. Inside the process's turn. */
static NTSTATUS create_and_open(const struct vidmm_group *group, const struct room *room)
{
    bool opens = group->count > 0 && (!group->resource || !group->resource->shared);
    NTSTATUS status = create_in_kmd(group, room->infos);

    if (status != STATUS_SUCCESS) {
        vidmm_allocation_refuse(group->report, status,
                                "status of DxgkDdiCreateAllocation: the driver refused the "
                                "allocation (D-046)",
                                (uint32_t)status);
        return vidmm_allocation_status(group->device->adapter, status);
    }
    status = accept_all(group, room->infos, room->wishes);
    if (status == STATUS_SUCCESS && opens) {
        status =
            vidmm_group_open(group->device, group->allocations, group->count, true, group->report);
    }
    return status;
}

static NTSTATUS create(const struct vidmm_group *group, const struct room *room)
{
    NTSTATUS status = make_all(group, room->private_data);
    struct vidmm_inside inside;

    vidmm_turn_begin(group->device->adapter, process_of(group), &inside);
    if (status == STATUS_SUCCESS && group->resource &&
        !vidmm_resource_reserve(group->resource, group->resource->count + group->count))
        status = STATUS_NO_MEMORY;
    if (status == STATUS_SUCCESS)
        status = create_and_open(group, room);
    if (!keeps_private_data(group))
        forget_private_data(group);
    if (status == STATUS_SUCCESS)
        return create_known(group, room->wishes, &inside);
    vidmm_turn_end(&inside);
    undo(group, 0);
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
    status = create(group, &room);
    vidmm_free(host, room.private_data);
    return status;
}

NTSTATUS vidmm_group_create(const struct vidmm_group *group)
{
    _Alignas(16) uint8_t private_data[SMALL_DATA]; /* drivers take it for structures */
    DXGK_ALLOCATIONINFO info = {0};
    struct vidmm_wish wish;
    const struct room room = {&info, &wish, private_data};

    if (group->count > 1 ||
        (group->count == 1 && group->descriptions[0].private_data_size > SMALL_DATA))
        return create_many(group);
    return create(group, &room);
}

/* ---- letting go ------------------------------------------------------------------------------ */

/* destroyed: by its owner, by itself. */
static void let_go(struct vidmm_allocation *allocation, bool destroyed)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};
    struct vidmm_adapter *adapter = allocation->adapter;

    vidmm_instances_let_go(allocation);
    vidmm_unlock_all(allocation); /* what the CPU still holds goes with the handle */
    event.destroy.allocation = allocation->id;
    vidmm_adapter_lock(adapter);
    if (destroyed) {
        allocation->destroyed = true;
        allocation->alone = true;
    }
    if (destroyed && allocation->resource)
        allocation->resource->pending++; /* G1 */
    if (!adapter->stopped)
        vidmm_pump_step(adapter, &event);
    vidmm_pump_and_unlock(adapter);
}

void vidmm_allocation_let_go(struct vidmm_allocation *allocation)
{
    let_go(allocation, false);
}

void vidmm_allocation_destroy(struct vidmm_allocation *allocation)
{
    if (allocation && !allocation->original) /* a shared resource goes as a whole */
        let_go(vidmm_instance_first(allocation), true);
}

static void destroy_list(struct vidmm_adapter *adapter, const struct vidmm_resource *resource,
                         const HANDLE *handles, uint32_t count, bool whole)
{
    DXGKARG_DESTROYALLOCATION arguments = {.NumAllocations = count, .pAllocationList = handles};

    if (resource) {
        arguments.hResource = resource->h_resource;
        arguments.Flags.DestroyResource = whole; /* obeys D-054 */
    }
    adapter->driver.DxgkDdiDestroyAllocation(adapter->h_adapter, &arguments);
}

/* There may be none left: the resource itself is destroyed all the same. */
static void destroy_members(struct vidmm_resource *resource)
{
    struct vidmm_allocation *member;
    uint32_t count = 0;

    for (member = resource->members; member; member = member->sibling)
        if (member->h_allocation)
            resource->handles[count++] = member->h_allocation;
    destroy_list(resource->adapter, resource, resource->handles, count, true);
}

void vidmm_resource_gone(struct vidmm_resource *resource)
{
    struct vidmm_adapter *adapter = resource->adapter;

    vidmm_group_close(resource);
    if (resource->created)
        destroy_members(resource);
    while (resource->members) {
        struct vidmm_allocation *member = resource->members;

        resource->members = member->sibling;
        vidmm_allocation_free(member);
    }
    vidmm_adapter_lock(adapter);
    if (resource->link) {
        *resource->link = resource->next;
        if (resource->next)
            resource->next->link = resource->link;
    }
    if (resource->id != 0)
        vidmm_slot_release(&adapter->handles, resource->id - 1);
    adapter->changed = true;
    vidmm_adapter_unlock(adapter);
    vidmm_free(adapter->host, resource->handles);
    vidmm_free(adapter->host, resource);
}

static void leave_resource(struct vidmm_allocation *allocation)
{
    struct vidmm_resource *resource = allocation->resource;

    if (!allocation->joined)
        return;
    *allocation->joined = allocation->sibling;
    if (allocation->sibling)
        allocation->sibling->joined = allocation->joined;
    else
        resource->end = allocation->joined;
    resource->emptied = --resource->count == 0;
}

/* It goes by itself; its resource, if it has one, stays. */
static void go_alone(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;

    close_one(allocation->device, allocation); /* obeys D-053 */
    if (allocation->h_allocation)
        destroy_list(adapter, allocation->resource, &allocation->h_allocation, 1, false);
    if (allocation->resource) {
        vidmm_adapter_lock(adapter);
        leave_resource(allocation);
        vidmm_adapter_unlock(adapter);
    }
    vidmm_allocation_free(allocation);
}

void vidmm_allocation_gone(struct vidmm_allocation *allocation)
{
    struct vidmm_resource *resource = allocation->resource;
    struct vidmm_adapter *adapter = allocation->adapter;
    bool counted = resource && allocation->destroyed, last = false;

    if (vidmm_instance_gone(allocation))
        return;
    if (!resource || allocation->alone)
        go_alone(allocation);
    if (counted) {
        vidmm_adapter_lock(adapter);
        last = --resource->pending == 0 && resource->dying; /* G2 */
        vidmm_adapter_unlock(adapter);
    }
    if (last)
        vidmm_resource_gone(resource);
}
