/* lock.c: locks of the CPU, in both forms, and its caches.
 *
 * Another instance of an allocation, which a lock with Discard answers, is an allocation below the
 * first one: it has a handle of its own, and goes with the first.
 */
#include <vidmm/cache.h>
#include <vidmm/lock.h>
#include <vidmm/lock2.h>
#include <vidmm/paging_queue.h>
#include <wddm/d3dkmthk_allocation.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"

/* Enter, find an allocation of a device, hold it, leave. */
static struct vidmm_thunk_object *hold_allocation(struct vidmm_thunk_process *process,
                                                  D3DKMT_HANDLE device, D3DKMT_HANDLE handle)
{
    struct vidmm_thunk_object *object;

    vidmm_thunk_enter(process);
    object =
        vidmm_thunk_find_of_device(process, device, handle, VIDMM_THUNK_ALLOCATION, "hAllocation");
    if (object != NULL)
        vidmm_thunk_hold(process, object);
    vidmm_thunk_leave(process);
    return object;
}

/* ---- Lock, of WDDM 1.x ----------------------------------------------------------------------- */

static NTSTATUS check_lock(const D3DKMT_LOCK *arguments)
{
    if (arguments->pPages == NULL && arguments->NumPages != 0)
        return vidmm_thunk_refuse("pPages is NULL, and NumPages is %u", arguments->NumPages);
    return STATUS_SUCCESS;
}

/* The handle of an instance of an allocation that is held. */
static NTSTATUS handle_of_instance(struct vidmm_thunk_process *process,
                                   struct vidmm_thunk_object *allocation,
                                   struct vidmm_allocation *instance, D3DKMT_HANDLE *handle)
{
    struct vidmm_thunk_object *object;
    NTSTATUS status;

    allocation = vidmm_thunk_first_instance(allocation);
    object = vidmm_thunk_instance(process, allocation, instance);
    if (object == NULL) {
        status = vidmm_thunk_add(process, allocation, VIDMM_THUNK_ALLOCATION, instance, &object);
        if (status != STATUS_SUCCESS)
            return status;
        *handle = object->handle;
        vidmm_thunk_show(process, object);
    } else
        *handle = object->handle;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_thunk_Lock(struct vidmm_thunk_process *process, D3DKMT_LOCK *arguments)
{
    struct vidmm_lock_arguments lock = {0};
    struct vidmm_thunk_object *object;
    D3DKMT_HANDLE handle;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_lock(arguments);
    if (status != STATUS_SUCCESS)
        return status;
    object = hold_allocation(process, arguments->hDevice, arguments->hAllocation);
    if (object == NULL)
        return STATUS_INVALID_PARAMETER;
    lock.allocation = object->of;
    lock.flags = arguments->Flags.Value; /* VIDMM_LOCK_... are its bits */
    lock.private_data = arguments->PrivateDriverData;
    lock.page_count = arguments->NumPages;
    lock.pages = arguments->pPages;
    handle = object->handle;
    status = vidmm_lock_pages(&lock, vidmm_thunk_report());
    if (status == STATUS_SUCCESS && lock.allocation != object->of) {
        status = handle_of_instance(process, object, lock.allocation, &handle);
        if (status != STATUS_SUCCESS)
            vidmm_unlock(lock.allocation);
    }
    if (status == STATUS_SUCCESS) {
        arguments->hAllocation = handle;
        arguments->pData = lock.data;
    }
    vidmm_thunk_let_go(process, object);
    return status;
}

/* Inside: all are found before the first is unlocked. */
static NTSTATUS unlock_all(struct vidmm_thunk_process *process, const D3DKMT_UNLOCK *arguments)
{
    const D3DKMT_HANDLE *handles = arguments->phAllocations;
    NTSTATUS status = STATUS_SUCCESS;

    for (UINT i = 0; i < arguments->NumAllocations; i++)
        if (vidmm_thunk_find_of_device(process, arguments->hDevice, handles[i],
                                       VIDMM_THUNK_ALLOCATION,
                                       "an element of phAllocations") == NULL)
            return STATUS_INVALID_PARAMETER;
    for (UINT i = 0; i < arguments->NumAllocations && status == STATUS_SUCCESS; i++) {
        status = vidmm_unlock(vidmm_handle_table_find(&process->table, handles[i])->of);
        if (status != STATUS_SUCCESS)
            vidmm_thunk_refuse("phAllocations[%u] is 0x%x, which is not locked; those before it "
                               "are unlocked",
                               i, handles[i]);
    }
    return status;
}

NTSTATUS vidmm_thunk_Unlock(struct vidmm_thunk_process *process, D3DKMT_UNLOCK *arguments)
{
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->NumAllocations == 0 || arguments->NumAllocations > VIDMM_RESIDENCY_MOST)
        return vidmm_thunk_refuse("NumAllocations is %u; expected 1 to %u",
                                  arguments->NumAllocations, VIDMM_RESIDENCY_MOST);
    if (arguments->phAllocations == NULL)
        return vidmm_thunk_refuse("phAllocations is NULL");
    vidmm_thunk_enter(process);
    status = unlock_all(process, arguments);
    vidmm_thunk_leave(process);
    return status;
}

/* ---- Lock2, of WDDM 2.x ---------------------------------------------------------------------- */

NTSTATUS vidmm_thunk_Lock2(struct vidmm_thunk_process *process, D3DKMT_LOCK2 *arguments)
{
    struct vidmm_thunk_object *object;
    void *data = NULL;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    object = hold_allocation(process, arguments->hDevice, arguments->hAllocation);
    if (object == NULL)
        return STATUS_INVALID_PARAMETER;
    status = vidmm_lock2(object->of, arguments->Flags.Value, &data, vidmm_thunk_report());
    if (status == STATUS_SUCCESS)
        arguments->pData = data;
    vidmm_thunk_let_go(process, object);
    return status;
}

NTSTATUS vidmm_thunk_Unlock2(struct vidmm_thunk_process *process, D3DKMT_UNLOCK2 *arguments)
{
    struct vidmm_thunk_object *object;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    vidmm_thunk_enter(process);
    object = vidmm_thunk_find_of_device(process, arguments->hDevice, arguments->hAllocation,
                                        VIDMM_THUNK_ALLOCATION, "hAllocation");
    if (object != NULL)
        status = vidmm_unlock2(object->of, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    return status;
}

NTSTATUS vidmm_thunk_InvalidateCache(struct vidmm_thunk_process *process,
                                     D3DKMT_INVALIDATECACHE *arguments)
{
    struct vidmm_thunk_object *object;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    vidmm_thunk_enter(process);
    object = vidmm_thunk_find_of_device(process, arguments->hDevice, arguments->hAllocation,
                                        VIDMM_THUNK_ALLOCATION, "hAllocation");
    if (object != NULL)
        status = vidmm_invalidate_cache(vidmm_thunk_device_of(object)->of, object->of,
                                        arguments->Offset, arguments->Length, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    return status;
}
