/* instance.c: the instances of an allocation that was renamed: made, put to sleep, let go of.
 *
 *     allocation --> renaming --> instances[0]  the first, which the miniport has created
 *                                 instances[1]  READY: like it, with memory of its own
 *                                 instances[2]  ASLEEP: a record, until one more is wanted
 *
 *       reserve --> TAKEN -- wake --> (locked by a discard) --> READY
 *                     ^                                           |
 *                     '---- let go <--- surplus, idle, retired ---'      gone --> ASLEEP
 *
 * To the engine an instance is an allocation; to the miniport it is the same one in another place:
 * it has the first one's handles, and no call creates, opens, closes or destroys it (D-170). A
 * record stays until the allocation goes, so that who names an instance that is no more is told so
 * (D-172).
 *
 * Invariants (I), the adapter's mutex held:
 *   I1  The list only grows, and instances[0] is never let go of alone.
 *   I2  A TAKEN instance is the business of one thread. It becomes READY or ASLEEP.
 *   I3  The engine lets go of the first only when all others have left (so no driver call names a
 *       handle that is destroyed): until then `first_gone` waits for `leaving` to be 0.
 *
 * Source: "Requesting to Rename an Allocation"; PFND3DDDI_LOCKCB; rules D-170, D-172.
 */
#include "vidmm/client/instance.h"

#include <string.h>

#include <vidmm/engine.h>
#include <vidmm/plan.h>
#include <vidmm/resource.h>
#include <wddm/ntstatus.h>

#include "vidmm/client/accept.h"
#include "vidmm/client/let_go.h"
#include "vidmm/client/renaming.h"
#include "vidmm/object/device.h"
#include "vidmm/object/memory.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/record.h"
#include "vidmm/pump/pump.h"

#include "base/assert.h"
#include "base/pool.h"

static struct vidmm_instance *find(const struct vidmm_renaming *renaming,
                                   const struct vidmm_allocation *allocation)
{
    uint32_t index = 0;

    VIDMM_ASSERT(renaming->count > 0 && allocation);
    while (renaming->instances[index].allocation != allocation)
        index++;
    return &renaming->instances[index];
}

struct vidmm_allocation *vidmm_instance_newest(struct vidmm_allocation *allocation)
{
    struct vidmm_renaming *renaming = vidmm_renaming_of(allocation);

    return renaming ? renaming->instances[renaming->newest].allocation : allocation;
}

bool vidmm_instance_is_retired(const struct vidmm_allocation *allocation)
{
    const struct vidmm_renaming *renaming = vidmm_renaming_of(allocation);

    return renaming && find(renaming, allocation)->turn < renaming->referenced;
}

/* ---- making them ----------------------------------------------------------------------------- */

static struct vidmm_renaming *begin(struct vidmm_allocation *first)
{
    const struct vidmm_host *host = first->adapter->host;
    struct vidmm_renaming *renaming = vidmm_allocate(host, sizeof(*renaming));

    VIDMM_ASSERT(!vidmm_renaming_of(first) && !first->original);
    if (!renaming)
        return NULL;
    renaming->room = 4;
    renaming->instances = vidmm_allocate(host, renaming->room * sizeof(struct vidmm_instance));
    if (!renaming->instances) {
        vidmm_free(host, renaming);
        return NULL;
    }
    renaming->first = first;
    renaming->instances[0] = (struct vidmm_instance){first, 1, VIDMM_INSTANCE_READY};
    renaming->count = 1;
    renaming->turns = 1;
    renaming->referenced = 1;
    atomic_store_explicit(&first->renaming, renaming, memory_order_release);
    return renaming;
}

static bool make_room(struct vidmm_renaming *renaming)
{
    const struct vidmm_host *host = renaming->first->adapter->host;
    struct vidmm_instance *grown;

    VIDMM_ASSERT(renaming->count <= renaming->room);
    if (renaming->count < renaming->room)
        return true;
    grown = vidmm_allocate(host, 2 * renaming->room * sizeof(*grown));
    if (!grown)
        return false;
    memcpy(grown, renaming->instances, renaming->count * sizeof(*grown));
    vidmm_free(host, renaming->instances);
    renaming->instances = grown;
    renaming->room *= 2;
    return true;
}

/* Copy to an instance all that creation and opening have settled for the first. */
static void copy_first(struct vidmm_allocation *made, const struct vidmm_allocation *first)
{
    VIDMM_ASSERT(made != first && !made->link);
    made->adapter = first->adapter;
    made->device = first->device;
    made->h_allocation = first->h_allocation;
    made->h_device_specific = first->h_device_specific;
    made->flags = first->flags;
    made->physical_adapter = first->physical_adapter;
    made->local = first->local;
    made->aperture_read = first->aperture_read;
    made->aperture_written = first->aperture_written;
    made->on_demand = first->on_demand;
    made->keeps_copy = first->keeps_copy;
    made->windowed = first->windowed;
    made->untracked = first->untracked;
    made->destroyed = true; /* not by itself: it goes with the first */
}

size_t vidmm_instance_reserve(struct vidmm_allocation *allocation)
{
    struct vidmm_renaming *renaming = vidmm_renaming_of(allocation);
    struct vidmm_allocation *made;
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(allocation->adapter));
    if (!renaming)
        renaming = begin(allocation);
    for (index = 0; renaming && index < renaming->count; index++) {
        if (renaming->instances[index].state == VIDMM_INSTANCE_ASLEEP) {
            renaming->instances[index].state = VIDMM_INSTANCE_TAKEN;
            return index;
        }
    }
    if (!renaming || !make_room(renaming))
        return SIZE_MAX;
    made = vidmm_pool_take(&allocation->adapter->allocation_pool);
    if (!made)
        return SIZE_MAX;
    copy_first(made, renaming->first);
    atomic_store(&made->renaming, renaming);
    renaming->instances[renaming->count] =
        (struct vidmm_instance){.allocation = made, .state = VIDMM_INSTANCE_TAKEN};
    return renaming->count++;
}

/* Number, backing store and place in the engine, as the first one's. */
static NTSTATUS give_memory(struct vidmm_allocation *made, struct vidmm_wish *wish)
{
    const struct vidmm_description description = {.vidpn_source = VIDMM_NO_SOURCE};
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = made->device->id};
    NTSTATUS status;
    bool numbered;

    VIDMM_ASSERT(made->id == 0 && !made->backing.mdl);
    vidmm_adapter_lock(made->adapter);
    numbered = vidmm_allocation_number(made);
    vidmm_adapter_unlock(made->adapter);
    if (!numbered)
        return STATUS_NO_MEMORY;
    status = vidmm_allocation_back(made, wish, &description, NULL);
    if (status != STATUS_SUCCESS)
        return status;
    event.create.allocation = made->id;
    event.create.wish = *wish;
    return vidmm_pump_event(made->adapter, &event); /* obeys D-170: nobody calls the driver */
}

NTSTATUS vidmm_instance_wake(struct vidmm_renaming *renaming, size_t index)
{
    struct vidmm_adapter *adapter = renaming->first->adapter;
    struct vidmm_allocation *made;
    struct vidmm_wish wish;
    NTSTATUS status;

    vidmm_adapter_lock(adapter);
    made = renaming->instances[index].allocation;
    wish = *vidmm_engine_wish(adapter->engine, renaming->first->id);
    made->in_chores = false;
    if (!made->link)
        vidmm_allocation_link(made);
    vidmm_adapter_unlock(adapter);
    status = give_memory(made, &wish);
    if (status != STATUS_SUCCESS)
        vidmm_allocation_empty(made);
    vidmm_adapter_lock(adapter);
    if (status == STATUS_SUCCESS)
        adapter->instances_made++;
    else
        renaming->instances[index].state = VIDMM_INSTANCE_ASLEEP;
    vidmm_adapter_unlock(adapter);
    return status;
}

/* ---- letting go ------------------------------------------------------------------------------ */

void vidmm_instance_let_go(struct vidmm_renaming *renaming, size_t index)
{
    struct vidmm_allocation *allocation;

    VIDMM_ASSERT(index != 0); /* I1 */
    vidmm_adapter_lock(renaming->first->adapter);
    allocation = renaming->instances[index].allocation;
    vidmm_adapter_unlock(renaming->first->adapter);
    vidmm_record_let_go(allocation, false);
}

/* One that is to leave for good, TAKEN now; NULL: there is none. */
static struct vidmm_allocation *next_to_leave(struct vidmm_renaming *renaming)
{
    uint32_t index;

    VIDMM_ASSERT(vidmm_adapter_is_locked(renaming->first->adapter));
    VIDMM_ASSERT(renaming->dying);
    for (index = 1; index < renaming->count; index++) {
        struct vidmm_instance *instance = &renaming->instances[index];

        if (instance->state == VIDMM_INSTANCE_READY) {
            instance->state = VIDMM_INSTANCE_TAKEN;
            return instance->allocation;
        }
    }
    return NULL;
}

void vidmm_instances_let_go(struct vidmm_allocation *allocation)
{
    struct vidmm_renaming *renaming = vidmm_renaming_of(allocation);
    struct vidmm_adapter *adapter = allocation->adapter;
    struct vidmm_allocation *leaver;
    uint32_t index;

    if (!renaming || renaming->first != allocation)
        return;
    vidmm_adapter_lock(adapter);
    renaming->dying = true;
    for (index = 1; index < renaming->count; index++)
        renaming->leaving += renaming->instances[index].state != VIDMM_INSTANCE_ASLEEP;
    while ((leaver = next_to_leave(renaming)) != NULL) {
        vidmm_adapter_unlock(adapter);
        vidmm_record_let_go(leaver, false);
        vidmm_adapter_lock(adapter);
    }
    vidmm_adapter_unlock(adapter);
}

/* All records but the first's. Nobody else knows them any more. */
static void finish(struct vidmm_renaming *renaming)
{
    struct vidmm_allocation *first = renaming->first;
    uint32_t index;

    for (index = 1; index < renaming->count; index++)
        vidmm_allocation_free(renaming->instances[index].allocation);
    vidmm_free(first->adapter->host, renaming->instances);
    vidmm_free(first->adapter->host, renaming);
    atomic_store(&first->renaming, NULL);
}

/* True: it was the last of those that leave for good, and the first waits for it. */
static bool fall_asleep(struct vidmm_renaming *renaming, struct vidmm_allocation *allocation)
{
    struct vidmm_adapter *adapter = allocation->adapter;
    struct vidmm_instance *instance;
    bool last;

    VIDMM_ASSERT(allocation != renaming->first); /* I1 */
    vidmm_allocation_empty(allocation);
    atomic_store(&allocation->word, 0);
    allocation->written_all = false;
    vidmm_adapter_lock(adapter);
    instance = find(renaming, allocation);
    instance->state = VIDMM_INSTANCE_ASLEEP;
    instance->turn = 0;
    adapter->instances_gone++;
    last = renaming->dying && --renaming->leaving == 0 && renaming->first_gone; /* I3 */
    vidmm_adapter_unlock(adapter);
    return last;
}

struct vidmm_allocation *vidmm_instance_gone(struct vidmm_allocation *allocation)
{
    struct vidmm_renaming *renaming = vidmm_renaming_of(allocation);
    struct vidmm_allocation *first;
    bool waits;

    if (!renaming)
        return allocation;
    if (renaming->first != allocation && !fall_asleep(renaming, allocation))
        return NULL;
    first = renaming->first;
    vidmm_adapter_lock(first->adapter);
    waits = renaming->leaving > 0;
    renaming->first_gone = waits;
    vidmm_adapter_unlock(first->adapter);
    if (waits)
        return NULL;
    finish(renaming);
    return first;
}

void vidmm_instances_abandon(struct vidmm_device *device)
{
    struct vidmm_allocation *allocation = device->allocations;

    while (allocation) {
        struct vidmm_renaming *renaming = vidmm_renaming_of(allocation);

        allocation = allocation->next;
        if (renaming) {
            finish(renaming);
            allocation = device->allocations; /* others have left the list */
        }
    }
}
