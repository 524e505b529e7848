/* resource.c: resources, of one device or shared.
 *
 *     unshared     resource --- members: opened, of the device
 *
 *     shared       original --- originals: of the system device, not opened
 *                     ^   ^
 *              opening     opening --- members: opened, of their device; each points to its
 *                          original
 *
 * An original lives until its last opening is closed. An opening is closed when the GPU has done
 * what its device has queued: so no DMA buffer names a closed handle.
 *
 * Invariant (O), the adapter's mutex held:
 *   O1  `openings` is 0 until the original is complete and its creator's opening is there, and
 *       again when the last opening goes. A search for an original by its handle finds none whose
 *       `openings` are 0, and counts its own opening: so the original stays, and its members are
 *       all there. The number of a resource that went may be that of one that is being created.
 *
 * Source: D3DDDICB_ALLOCATE, D3DDDICB_DEALLOCATE, D3DKMTOpenResource; rules D-053, D-058, D-062,
 * D-066.
 */
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/condition.h"
#include "vidmm/client/destroy.h"
#include "vidmm/client/display.h"
#include "vidmm/client/gone.h"
#include "vidmm/client/group.h"
#include "vidmm/client/unlock.h"
#include "vidmm/ddi/allocation.h"
#include "vidmm/ddi/turn.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/report.h"
#include "vidmm/object/resource.h"
#include "vidmm/object/shared_address.h"
#include "vidmm/object/slot_table.h"

#include "base/assert.h"
#include "wddm/rule.h"

/* ---- records --------------------------------------------------------------------------------- */

static struct vidmm_resource *make(struct vidmm_device *device, const void *private_data,
                                   uint32_t private_data_size)
{
    struct vidmm_adapter *adapter = device->adapter;
    struct vidmm_resource *resource =
        vidmm_allocate(adapter->host, sizeof(*resource) + private_data_size);
    uint32_t index;
    bool taken;

    if (!resource)
        return NULL;
    resource->adapter = adapter;
    resource->device = device;
    resource->process = device->process;
    resource->end = &resource->members;
    resource->private_data_size = private_data_size;
    if (private_data_size > 0)
        memcpy(resource->private_data, private_data, private_data_size);
    vidmm_adapter_lock(adapter);
    taken = vidmm_slot_take(&adapter->handles, &adapter->host->memory, resource,
                            VIDMM_HANDLE_RESOURCE, &index);
    vidmm_adapter_unlock(adapter);
    if (!taken) {
        vidmm_free(adapter->host, resource);
        return NULL;
    }
    resource->id = index + 1;
    return resource;
}

static void link(struct vidmm_resource *resource)
{
    struct vidmm_device *device = resource->device;

    VIDMM_ASSERT(!resource->link && resource->device);
    vidmm_adapter_lock(resource->adapter);
    resource->next = device->resources;
    resource->link = &device->resources;
    if (resource->next)
        resource->next->link = &resource->next;
    device->resources = resource;
    vidmm_adapter_unlock(resource->adapter);
}

/* ---- closing --------------------------------------------------------------------------------- */

/* Have the engine let go of all that is left of it; the last that goes takes it along. flags:
 * VIDMM_DESTROY_... */
static void let_go(struct vidmm_resource *resource, uint32_t flags)
{
    struct vidmm_adapter *adapter = resource->adapter;
    struct vidmm_allocation *member = NULL;
    struct vidmm_inside inside;
    bool last;

    VIDMM_ASSERT(!resource->original && !resource->dying);
    vidmm_adapter_lock(adapter);
    resource->pending++; /* G1 */
    resource->dying = true;
    vidmm_adapter_unlock(adapter);
    for (;;) {
        vidmm_adapter_lock(adapter);
        member =
            member ? member->sibling : resource->members; /* an allocation that was let go of stays
                                                           * in the list */
        while (member && member->destroyed)
            member = member->sibling;
        if (member) {
            member->destroyed = true;
            resource->pending++;
            vidmm_allocation_end_by(member, flags);
        }
        vidmm_adapter_unlock(adapter);
        if (!member)
            break;
        vidmm_allocation_let_go(member);
    }
    vidmm_turn_begin(adapter, resource->process, &inside);
    vidmm_adapter_lock(adapter);
    last = --resource->pending == 0; /* G2 */
    vidmm_adapter_unlock(adapter);
    if (last)
        vidmm_resource_gone(resource);
    vidmm_turn_end(&inside);
}

/* One opening of a shared resource. */
static void close(struct vidmm_resource *opening, uint32_t flags)
{
    struct vidmm_adapter *adapter = opening->adapter;
    struct vidmm_resource *original = opening->original;
    struct vidmm_allocation *member;
    struct vidmm_inside inside;
    bool last;

    VIDMM_ASSERT(original && opening->shared && original->shared);
    for (member = opening->members; member; member = member->sibling)
        vidmm_unlock_all(member);
    vidmm_device_wait(opening->device);
    vidmm_turn_begin(adapter, opening->process, &inside);
    vidmm_resource_gone(opening);
    vidmm_turn_end(&inside);
    vidmm_adapter_lock(adapter);
    last = --original->openings == 0;
    vidmm_adapter_unlock(adapter);
    if (last)
        let_go(original, flags & VIDMM_DESTROY_SYNCHRONOUS); /* the GPU has done with it */
}

void vidmm_resource_end(struct vidmm_resource *resource, uint32_t flags)
{
    vidmm_display_forget_resource(resource);
    if (resource->original)
        close(resource, flags);
    else
        let_go(resource, flags);
}

void vidmm_resource_destroy(struct vidmm_resource *resource)
{
    if (resource)
        vidmm_resource_end(resource, 0);
}

/* ---- opening --------------------------------------------------------------------------------- */

static struct vidmm_allocation *make_opening(struct vidmm_resource *opening,
                                             struct vidmm_allocation *original)
{
    const struct vidmm_description description = {.private_data = original->private_data,
                                                  .private_data_size = original->private_data_size,
                                                  .primary = original->primary};
    struct vidmm_allocation *made = vidmm_allocation_make(opening->device, &description);

    VIDMM_ASSERT(!original->original && original->resource == opening->original);
    if (made) {
        made->original = original;
        made->resource = opening;
    }
    if (made && !vidmm_shared_address_reserve(made, opening->device->owner)) {
        vidmm_allocation_free(made);
        return NULL;
    }
    return made;
}

static NTSTATUS make_openings(struct vidmm_resource *opening, struct vidmm_allocation **allocations)
{
    struct vidmm_allocation **end = &opening->members, *original;

    VIDMM_ASSERT(opening->count == 0 && opening->original->count <= opening->room);
    for (original = opening->original->members; original; original = original->sibling) {
        *end = make_opening(opening, original);
        if (!*end)
            return STATUS_NO_MEMORY;
        allocations[opening->count++] = *end;
        end = &(*end)->sibling;
    }
    return STATUS_SUCCESS;
}

/* Open an original that stays for that long. The caller counts the opening, and uncounts it. */
static NTSTATUS open(struct vidmm_device *device, struct vidmm_resource *original, bool create,
                     struct vidmm_resource **result, struct vidmm_allocation **allocations,
                     struct vidmm_report *report)
{
    struct vidmm_resource *opening =
        make(device, original->private_data, original->private_data_size);
    struct vidmm_inside inside;
    NTSTATUS status;

    VIDMM_ASSERT(!original->original && original->shared);
    if (!opening)
        return STATUS_NO_MEMORY;
    opening->original = original;
    opening->shared = true;
    opening->h_resource = original->h_resource;
    vidmm_turn_begin(device->adapter, device->process, &inside);
    status = vidmm_resource_reserve(opening, original->count) ? make_openings(opening, allocations)
                                                              : STATUS_NO_MEMORY;
    if (status == STATUS_SUCCESS)
        status = vidmm_ddi_open_allocations(device, allocations, opening->count, create, report);
    if (status != STATUS_SUCCESS) {
        vidmm_resource_gone(opening);
        opening = NULL;
    }
    vidmm_turn_end(&inside);
    if (opening) {
        link(opening);
        *result = opening;
    }
    return status;
}

struct vidmm_resource *vidmm_resource_shared(const struct vidmm_adapter *adapter, uint32_t handle)
{
    struct vidmm_resource *resource = NULL;

    VIDMM_ASSERT(vidmm_adapter_is_locked(adapter));
    if (handle >> VIDMM_HANDLE_BITS == adapter->number && vidmm_handle_id(handle) != 0) {
        resource =
            vidmm_slot_find(&adapter->handles, vidmm_handle_id(handle) - 1, VIDMM_HANDLE_RESOURCE);
    }
    return resource && resource->openings > 0 ? resource : NULL; /* O1: an original, opened */
}

/* Find what has the handle, and count one more opening of it. NULL: there is none. */
static struct vidmm_resource *find_shared(struct vidmm_adapter *adapter, uint32_t handle)
{
    struct vidmm_resource *resource;

    vidmm_adapter_lock(adapter);
    resource = vidmm_resource_shared(adapter, handle);
    if (resource)
        resource->openings++; /* O1 */
    vidmm_adapter_unlock(adapter);
    return resource;
}

static void uncount(struct vidmm_resource *original)
{
    bool last;

    VIDMM_ASSERT(!original->original);
    vidmm_adapter_lock(original->adapter);
    VIDMM_ASSERT(original->openings > 0); /* O1 */
    last = --original->openings == 0;
    vidmm_adapter_unlock(original->adapter);
    if (last)
        let_go(original, 0);
}

NTSTATUS vidmm_resource_open(struct vidmm_device *device, uint32_t handle,
                             struct vidmm_resource **resource,
                             struct vidmm_allocation **allocations, uint32_t room,
                             struct vidmm_report *report)
{
    struct vidmm_resource *original;
    NTSTATUS status;

    vidmm_report_clear(report);
    if (vidmm_report_null(resource, "resource", report) ||
        vidmm_report_lacking(allocations, room, "allocations", report))
        return STATUS_INVALID_PARAMETER;
    status = vidmm_device_condition(device, report);
    if (status != STATUS_SUCCESS)
        return status;
    original = find_shared(device->adapter, handle);
    if (!original) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "handle: of a shared resource that is open somewhere", handle);
    }
    if (room < original->count) {
        status = vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                    "room: for as many allocations as the resource has", room);
    } else {
        status = open(device, original, false, resource, allocations, report);
    }
    if (status != STATUS_SUCCESS)
        uncount(original);
    return status;
}

/* ---- creation -------------------------------------------------------------------------------- */

static NTSTATUS check(const struct vidmm_device *device, bool shared,
                      const struct vidmm_description *descriptions, uint32_t count,
                      struct vidmm_report *report)
{
    uint32_t index;
    NTSTATUS status = vidmm_group_check_model(device->adapter, report);

    if (status != STATUS_SUCCESS)
        return status;
    if (count > VIDMM_RESOURCE_MOST || (shared && count == 0)) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "count: 0 to 1024 allocations, and 1 at least of what is "
                                  "shared",
                                  count);
    }
    for (index = 0; index < count; index++) {
        if (!descriptions[index].primary && descriptions[index].vidpn_source != VIDMM_NO_SOURCE) {
            return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                      "vidpn_source: D3DDDI_ID_NOTAPPLICABLE for what is no "
                                      "primary (D-062)",
                                      descriptions[index].vidpn_source); /* obeys D-062 */
        }
    }
    return STATUS_SUCCESS;
}

static NTSTATUS create_group(struct vidmm_resource *resource,
                             const struct vidmm_description *descriptions, uint32_t count,
                             struct vidmm_allocation **allocations, struct vidmm_report *report)
{
    const struct vidmm_group group = {.device = resource->device,
                                      .resource = resource,
                                      .descriptions = descriptions,
                                      .count = count,
                                      .over_heap = resource->over_heap,
                                      .allocations = allocations,
                                      .report = report};

    return vidmm_group_create(&group);
}

static NTSTATUS create_shared(struct vidmm_device *device, struct vidmm_resource *original,
                              const struct vidmm_description *descriptions, uint32_t count,
                              struct vidmm_resource **resource,
                              struct vidmm_allocation **allocations, struct vidmm_report *report)
{
    NTSTATUS status;

    VIDMM_ASSERT(count > 0 && !original->original);
    original->device = device->adapter->system_device;
    original->shared = true;
    original->primary = descriptions[0].primary;
    link(original);
    status = create_group(original, descriptions, count, allocations, report);
    if (status == STATUS_SUCCESS)
        status = open(device, original, true, resource, allocations, report);
    if (status == STATUS_SUCCESS) {
        vidmm_adapter_lock(original->adapter);
        original->openings = 1; /* O1 */
        vidmm_adapter_unlock(original->adapter);
    }
    return status;
}

/* Whether a pointer is NULL that what is to be created needs. If there are more than may be
 * created, none is looked at: check() refuses them. */
static bool lacks(const struct vidmm_description *descriptions, uint32_t count,
                  struct vidmm_allocation **allocations, struct vidmm_report *report)
{
    uint32_t index;

    if (vidmm_report_lacking(descriptions, count, "descriptions", report) ||
        vidmm_report_lacking(allocations, count, "allocations", report))
        return true;
    for (index = 0; count <= VIDMM_RESOURCE_MOST && index < count; index++)
        if (vidmm_report_lacking(descriptions[index].private_data,
                                 descriptions[index].private_data_size,
                                 "private_data of a description", report))
            return true;
    return false;
}

NTSTATUS vidmm_resource_build(struct vidmm_device *device,
                              const struct vidmm_resource_options *options, bool over_heap,
                              const struct vidmm_description *descriptions, uint32_t count,
                              struct vidmm_resource **result, struct vidmm_allocation **allocations,
                              struct vidmm_report *report)
{
    struct vidmm_resource *resource;
    NTSTATUS status;

    vidmm_report_clear(report);
    if (vidmm_report_null(options, "options", report) ||
        vidmm_report_null(result, "resource", report) ||
        vidmm_report_lacking(options->private_data, options->private_data_size,
                             "private_data of the resource", report) ||
        lacks(descriptions, count, allocations, report))
        return STATUS_INVALID_PARAMETER;
    status = check(device, options->shared, descriptions, count, report);
    if (status != STATUS_SUCCESS)
        return status;
    resource = make(device, options->private_data, options->private_data_size);
    if (!resource)
        return vidmm_group_explain(device, STATUS_NO_MEMORY, report);
    resource->over_heap = over_heap;
    if (options->shared) {
        status = create_shared(device, resource, descriptions, count, result, allocations, report);
    } else {
        status = create_group(resource, descriptions, count, allocations, report);
        if (status == STATUS_SUCCESS) {
            link(resource);
            *result = resource;
        }
    }
    if (status != STATUS_SUCCESS)
        let_go(resource, 0);
    return vidmm_group_explain(device, status, report);
}

NTSTATUS vidmm_resource_create(struct vidmm_device *device,
                               const struct vidmm_resource_options *options,
                               const struct vidmm_description *descriptions, uint32_t count,
                               struct vidmm_resource **resource,
                               struct vidmm_allocation **allocations, struct vidmm_report *report)
{
    return vidmm_resource_build(device, options, false, descriptions, count, resource, allocations,
                                report);
}

VIDMM_SEES(D_058);
NTSTATUS vidmm_resource_add(struct vidmm_resource *resource,
                            const struct vidmm_description *descriptions, uint32_t count,
                            struct vidmm_allocation **allocations, struct vidmm_report *report)
{
    NTSTATUS status;

    vidmm_report_clear(report);
    if (resource->shared) {
        return vidmm_report_value(report, STATUS_INVALID_PARAMETER,
                                  "resource: shared, so nothing can be added to it (D-058)",
                                  vidmm_resource_handle(resource));
    }
    if (lacks(descriptions, count, allocations, report))
        return STATUS_INVALID_PARAMETER;
    status = check(resource->device, false, descriptions, count, report);
    if (status == STATUS_SUCCESS && count > 0)
        status = create_group(resource, descriptions, count, allocations, report);
    return vidmm_group_explain(resource->device, status, report);
}

/* ---- questions ------------------------------------------------------------------------------- */

uint32_t vidmm_resource_handle(const struct vidmm_resource *resource)
{
    return resource->original ? vidmm_handle_of(resource->adapter->number, resource->original->id)
                              : 0;
}

uint32_t vidmm_resource_count(const struct vidmm_resource *resource)
{
    return resource->count;
}
