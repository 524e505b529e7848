/* registry.c: the adapters that run, and the objects that their handles stand for.
 *
 * A callback names its physical adapter by DeviceHandle, which is the address of its link; only
 * DxgkCbGetHandleData and its kin bring a 32-bit handle and nothing else, so there is one table of
 * adapters, and a handle carries the adapter's number in its top bits.
 *
 *     31..28   number of the adapter
 *     27..0    id of the object in the adapter
 */
#include "vidmm/ddi/registry.h"

#include "vidmm/ddi/miniport.h"
#include "vidmm/object/mutex.h"
#include "vidmm/object/seen.h"
#include "vidmm/object/slot_table.h"

#include "base/assert.h"
#include "wddm/rule.h"

#define ADAPTERS 16u
#define ID_BITS 28u

static _Atomic(struct vidmm_adapter *) adapters[ADAPTERS];

bool vidmm_adapter_register(struct vidmm_adapter *adapter)
{
    uint32_t number;

    for (number = 0; number < ADAPTERS; number++) {
        struct vidmm_adapter *none = NULL;

        if (atomic_compare_exchange_strong(&adapters[number], &none, adapter)) {
            adapter->number = number;
            return true;
        }
    }
    return false;
}

void vidmm_adapter_unregister(struct vidmm_adapter *adapter)
{
    VIDMM_ASSERT(atomic_load(&adapters[adapter->number]) == adapter);
    atomic_store(&adapters[adapter->number], NULL);
}

/* The physical adapter of `adapter` whose record, or MiniportDeviceContext, the handle is. */
static struct vidmm_link *find_link(const struct vidmm_adapter *adapter, HANDLE handle,
                                    bool context)
{
    uint32_t index;

    for (index = 0; adapter && index < adapter->link_count; index++) {
        struct vidmm_link *link = adapter->miniport->links[index];

        if (handle == (context ? link->h_adapter : (HANDLE)link))
            return link;
    }
    return NULL;
}

/* AddDevice's context is forgiven: every driver has that at hand, and Windows would crash. */
VIDMM_SEES(D_275);
struct vidmm_link *vidmm_ddi_called_back(HANDLE handle)
{
    struct vidmm_link *link = NULL;
    uint32_t number;

    for (number = 0; number < ADAPTERS && handle && !link; number++)
        link = find_link(atomic_load(&adapters[number]), handle, false);
    if (link)
        return link;
    for (number = 0; number < ADAPTERS && handle && !link; number++)
        link = find_link(atomic_load(&adapters[number]), handle, true);
    if (link) {
        vidmm_seen(link->adapter, VIDMM_RULE_D_275, "a callback with AddDevice's context; adapter",
                   link->adapter->number);
    }
    return link;
}

void *vidmm_registry_find_and_lock(uint32_t handle, uint8_t type, struct vidmm_adapter **adapter)
{
    uint32_t id = handle & ((1u << ID_BITS) - 1);
    void *object;

    *adapter = atomic_load(&adapters[handle >> ID_BITS]);
    if (!*adapter || id == 0)
        return NULL;
    vidmm_adapter_lock(*adapter);
    object = vidmm_slot_find(&(*adapter)->handles, id - 1, type);
    if (!object)
        vidmm_adapter_unlock(*adapter);
    return object;
}

void *vidmm_registry_find(uint32_t handle, uint8_t type)
{
    struct vidmm_adapter *adapter;
    void *object = vidmm_registry_find_and_lock(handle, type, &adapter);

    if (object)
        vidmm_adapter_unlock(adapter);
    return object;
}

void *vidmm_registry_find_in(const struct vidmm_adapter *adapter, HANDLE handle, uint8_t type)
{
    uintptr_t number = (uintptr_t)handle;
    void *object = NULL;

    if (number <= UINT32_MAX && number >> VIDMM_HANDLE_BITS == adapter->number &&
        vidmm_handle_id((uint32_t)number) != 0) {
        vidmm_adapter_lock(adapter);
        object = vidmm_slot_find(&adapter->handles, vidmm_handle_id((uint32_t)number) - 1, type);
        vidmm_adapter_unlock(adapter);
    }
    return object;
}
