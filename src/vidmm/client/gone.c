/* gone.c: allocations and resources that go.
 *
 *     let go           gone
 *     DESTROY event    DxgkDdiCloseAllocation, DxgkDdiDestroyAllocation, record
 *
 * The engine lets go of each by itself; the members of a resource are kept until the last of them
 * is let go, then all are closed in one call and destroyed in one call (D-053). An allocation freed
 * alone leaves alone.
 *
 * Invariants (G), the adapter's mutex held:
 *   G1  A resource's `pending` counts its members of which the engine was told to let go and has
 *       not, plus 1 while vidmm_resource_destroy() is at work.
 *   G2  A resource is freed when it is dying and `pending` becomes 0, and at no other time.
 *
 * Source: DXGKDDI_CLOSEALLOCATION, DXGKDDI_DESTROYALLOCATION; rules D-053 to D-055.
 */
#include "vidmm/client/gone.h"

#include <vidmm/adapter.h>

#include "vidmm/client/display.h"
#include "vidmm/client/instance.h"
#include "vidmm/client/let_go.h"
#include "vidmm/client/renaming.h"
#include "vidmm/ddi/allocation.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/object/resource.h"
#include "vidmm/object/slot_table.h"

#include "base/assert.h"

void vidmm_allocation_let_go(struct vidmm_allocation *allocation)
{
    VIDMM_ASSERT(!allocation->original);
    vidmm_instances_let_go(allocation);
    vidmm_record_let_go(allocation, false);
}

void vidmm_allocation_destroy(struct vidmm_allocation *allocation)
{
    struct vidmm_allocation *first;

    if (!allocation || allocation->original) /* a shared resource goes as a whole */
        return;
    vidmm_display_forget(allocation);
    first = vidmm_instance_first(allocation);
    if (vidmm_renaming_of(first))
        vidmm_instances_let_go(first);
    vidmm_record_let_go(first, true);
}

/* Nobody who walks over the device's resources finds them any more; the resource itself keeps the
 * device until they are gone. */
static void free_members(struct vidmm_resource *resource)
{
    struct vidmm_allocation *member, *next;

    vidmm_adapter_lock(resource->adapter);
    member = resource->members;
    resource->members = NULL;
    vidmm_adapter_unlock(resource->adapter);
    for (; member; member = next) {
        next = member->sibling;
        vidmm_allocation_free(member);
    }
}

void vidmm_resource_gone(struct vidmm_resource *resource)
{
    struct vidmm_adapter *adapter = resource->adapter;

    vidmm_ddi_close_resource(resource);
    if (resource->created)
        vidmm_ddi_destroy_resource(resource);
    free_members(resource);
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

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    VIDMM_ASSERT(!allocation->joined || (resource && resource->count > 0));
    if (!allocation->joined)
        return;
    *allocation->joined = allocation->sibling;
    if (allocation->sibling)
        allocation->sibling->joined = allocation->joined;
    else
        resource->end = allocation->joined;
    resource->emptied = --resource->count == 0;
}

/* It goes by itself; its resource, if it has one, stays. The mutex is held behind it. */
static void go_alone(struct vidmm_allocation *allocation)
{
    VIDMM_ASSERT(!allocation->original);
    vidmm_ddi_close_allocation(allocation); /* obeys D-053 */
    if (allocation->h_allocation)
        vidmm_ddi_destroy_allocation(allocation);
    vidmm_allocation_give_back(allocation);
    vidmm_adapter_lock(allocation->adapter);
    if (allocation->resource)
        leave_resource(allocation);
    vidmm_allocation_forget(allocation);
}

void vidmm_allocation_gone(struct vidmm_allocation *gone)
{
    struct vidmm_adapter *adapter = gone->adapter;

    vidmm_allocation_gone_and_lock(gone);
    vidmm_adapter_unlock(adapter);
}

void vidmm_allocation_gone_and_lock(struct vidmm_allocation *gone)
{
    struct vidmm_adapter *adapter = gone->adapter;
    struct vidmm_allocation *allocation =
        vidmm_renaming_of(gone) ? vidmm_instance_gone(gone) : gone; /* its record may be gone */
    struct vidmm_resource *resource;
    bool counted;

    if (!allocation) {
        vidmm_adapter_lock(adapter);
        return;
    }
    resource = allocation->resource;
    counted = resource && allocation->destroyed;
    if (!resource || allocation->alone)
        go_alone(allocation);
    else
        vidmm_adapter_lock(adapter);
    if (counted && --resource->pending == 0 && resource->dying) { /* G2 */
        vidmm_adapter_unlock(adapter);
        vidmm_resource_gone(resource);
        vidmm_adapter_lock(adapter);
    }
}
