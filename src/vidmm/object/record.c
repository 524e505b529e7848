/* record.c: the records of allocations, whoever made them.
 */
#include "vidmm/object/record.h"

#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/host.h>
#include <vidmm/page.h>
#include <vidmm/resource.h>

#include "vidmm/object/aperture_address.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/resource.h"
#include "vidmm/object/shared_address.h"
#include "vidmm/object/slot_table.h"
#include "vidmm/object/window.h"

#include "base/assert.h"
#include "base/pool.h"

bool vidmm_allocation_number(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    VIDMM_ASSERT(allocation->id == 0);
    if (!vidmm_slot_take(&adapter->handles, &adapter->host->memory, allocation,
                         VIDMM_HANDLE_ALLOCATION, &index))
        return false;
    allocation->id = index + 1;
    return true;
}

struct vidmm_allocation *vidmm_allocation_of(struct vidmm_adapter *adapter, uint32_t id)
{
    struct vidmm_allocation *allocation;

    vidmm_adapter_lock(adapter);
    allocation = vidmm_slot_find(&adapter->handles, id - 1, VIDMM_HANDLE_ALLOCATION);
    vidmm_adapter_unlock(adapter);
    return allocation;
}

uint32_t vidmm_allocation_handle(const struct vidmm_allocation *allocation)
{
    return vidmm_handle_of(allocation->adapter->number, allocation->id);
}

uint64_t vidmm_allocation_process(const struct vidmm_allocation *allocation)
{
    return allocation->resource ? allocation->resource->process : allocation->device->process;
}

struct vidmm_allocation *vidmm_allocation_take_record(struct vidmm_device *device)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_allocation *allocation = vidmm_pool_take(&adapter->allocation_pool);

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if (!allocation)
        return NULL;
    allocation->adapter = adapter;
    allocation->device = device;
    if (vidmm_allocation_number(allocation))
        return allocation;
    vidmm_pool_release(&adapter->allocation_pool, allocation);
    return NULL;
}

struct vidmm_allocation *vidmm_allocation_record(struct vidmm_device *device)
{
    struct vidmm_allocation *allocation;

    vidmm_adapter_lock(device->adapter);
    allocation = vidmm_allocation_take_record(device);
    vidmm_adapter_unlock(device->adapter);
    return allocation;
}

void vidmm_allocation_link(struct vidmm_allocation *allocation)
{
    struct vidmm_device *device = allocation->device;

    VIDMM_ASSERT(vidmm_adapter_is_locked(device->adapter));
    VIDMM_ASSERT(!allocation->link && allocation->adapter == device->adapter);
    allocation->next = device->allocations;
    allocation->link = &device->allocations;
    if (allocation->next)
        allocation->next->link = &allocation->next;
    device->allocations = allocation;
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

/* Windows, and the driver's address, before the pages that they show. The mutex is held. */
static void give_views_back(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;

    vidmm_window_close_all(allocation);
    vidmm_aperture_address_finish(allocation);
    if (allocation->alternate)
        vidmm_backing_finish(&allocation->alternate->backing, adapter->host);
    vidmm_free(adapter->host, allocation->alternate);
    vidmm_free(adapter->host, allocation->window);
    allocation->alternate = NULL;
    allocation->window = NULL;
}

/* The pages of engine 0 of a link are `first`. */
static void give_pages_back(struct vidmm_allocation *allocation, struct vidmm_backing *first)
{
    struct vidmm_adapter *adapter = allocation->adapter;

    vidmm_backing_finish(first, adapter->host);
    if (allocation->instances) {
        vidmm_instances_finish(adapter, allocation->instances);
        allocation->instances = NULL;
    }
    vidmm_free(adapter->host, allocation->written);
    allocation->written = NULL;
}

/* Under the mutex it ceases to show them, for others look there (D-061); they go without it. */
static void give_memory_back(struct vidmm_allocation *allocation)
{
    struct vidmm_backing first;

    vidmm_shared_address_release(allocation, allocation->device->owner);
    vidmm_adapter_lock(allocation->adapter);
    give_views_back(allocation);
    first = vidmm_backing_take_out(&allocation->backing);
    vidmm_adapter_unlock(allocation->adapter);
    give_pages_back(allocation, &first);
}

void vidmm_allocation_decommit(struct vidmm_allocation *allocation)
{
    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    VIDMM_ASSERT(allocation->may_decommit && !allocation->decommitted);
    VIDMM_ASSERT(!allocation->shares && !allocation->told && !allocation->backing.existing);
    give_views_back(allocation);
    give_pages_back(allocation, &allocation->backing);
    allocation->decommitted = true;
}

/* The mutex is held. */
static void give_number_back(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    if (allocation->id != 0)
        vidmm_slot_release(&adapter->handles, allocation->id - 1);
    allocation->id = 0;
    adapter->changed = true;
}

void vidmm_allocation_empty(struct vidmm_allocation *allocation)
{
    give_memory_back(allocation);
    vidmm_adapter_lock(allocation->adapter);
    give_number_back(allocation);
    vidmm_adapter_unlock(allocation->adapter);
}

void vidmm_allocation_give_back(struct vidmm_allocation *allocation)
{
    VIDMM_ASSERT(!allocation->in_chores || allocation->chores == 0);
    give_memory_back(allocation);
    vidmm_free(allocation->adapter->host, allocation->private_data);
    allocation->private_data = NULL;
}

void vidmm_allocation_forget(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    VIDMM_ASSERT(!allocation->backing.mdl && !allocation->private_data);
    give_number_back(allocation);
    if (allocation->awaited)
        allocation->device->awaited--;
    if (allocation->link) {
        *allocation->link = allocation->next;
        if (allocation->next)
            allocation->next->link = allocation->link;
    }
    vidmm_pool_release(&adapter->allocation_pool, allocation);
}

void vidmm_allocation_free(struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;

    vidmm_allocation_give_back(allocation);
    vidmm_adapter_lock(adapter);
    vidmm_allocation_forget(allocation);
    vidmm_adapter_unlock(adapter);
}

bool vidmm_allocation_describe(struct vidmm_allocation *allocation,
                               const struct vidmm_description *description, uint8_t *room)
{
    uint32_t size = description->private_data_size;

    VIDMM_ASSERT(!allocation->private_data);
    if (size > 0) {
        allocation->private_data = room ? room : vidmm_allocate(allocation->adapter->host, size);
        if (!allocation->private_data)
            return false;
        memcpy(allocation->private_data, description->private_data, size);
    }
    allocation->primary = description->primary;
    allocation->private_data_size = size;
    return true;
}

struct vidmm_allocation *vidmm_allocation_make(struct vidmm_device *device,
                                               const struct vidmm_description *description)
{
    struct vidmm_allocation *allocation = vidmm_allocation_record(device);

    if (allocation && vidmm_allocation_describe(allocation, description, NULL))
        return allocation;
    if (allocation)
        vidmm_allocation_free(allocation);
    return NULL;
}

uint32_t vidmm_allocation_id(const struct vidmm_allocation *allocation)
{
    return allocation->original ? allocation->original->id : allocation->id;
}

uint64_t vidmm_allocation_size(const struct vidmm_allocation *allocation)
{
    const struct vidmm_backing *backing =
        allocation->original ? &allocation->original->backing : &allocation->backing;

    return (uint64_t)backing->pages << VIDMM_PAGE_SHIFT;
}
