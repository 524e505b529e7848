/* residency.c: paging queues, residency lists, offers, priorities, budgets. */
#include <stdlib.h>

#include <vidmm/adapter.h>
#include <vidmm/budget.h>
#include <vidmm/caps.h>
#include <vidmm/engine.h>
#include <vidmm/paging_queue.h>
#include <vidmm/plan.h>
#include <vidmm/residency.h>
#include <wddm/d3dkmthk_allocation.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"
#include "thunk/sync.h"

/* ---- paging queues --------------------------------------------------------------------------- */

static NTSTATUS check_queue(const D3DKMT_CREATEPAGINGQUEUE *arguments)
{
    if (arguments->Priority < D3DDDI_PAGINGQUEUE_PRIORITY_BELOW_NORMAL ||
        arguments->Priority > D3DDDI_PAGINGQUEUE_PRIORITY_ABOVE_NORMAL)
        return vidmm_thunk_refuse("Priority is %d; expected -1, 0 or 1", (int)arguments->Priority);
    return STATUS_SUCCESS;
}

/* Whether there is the physical adapter whose page tables the queue is to change (D-229). */
static NTSTATUS check_physical(const struct vidmm_thunk_object *device, UINT index)
{
    struct vidmm_adapter_caps caps;

    vidmm_adapter_get_caps(((struct vidmm_thunk_adapter *)device->parent->of)->adapter, &caps);
    if (index < caps.physical_adapters)
        return STATUS_SUCCESS;
    return vidmm_thunk_refuse("PhysicalAdapterIndex is %u; expected 0 to %u", index,
                              (unsigned)caps.physical_adapters - 1);
}

/* Objects for a queue and for its fence, which is only waited for. */
static NTSTATUS add_queue(struct vidmm_thunk_process *process, struct vidmm_thunk_object *device,
                          struct vidmm_paging_queue *queue, D3DKMT_CREATEPAGINGQUEUE *arguments)
{
    struct vidmm_thunk_sync sync = {.type = D3DDDI_MONITORED_FENCE,
                                    .fence = vidmm_paging_queue_monitored_fence(queue),
                                    .borrowed = true,
                                    .event = -1};
    struct vidmm_thunk_object *object, *fence;
    NTSTATUS status = vidmm_thunk_add(process, device, VIDMM_THUNK_PAGING_QUEUE, queue, &object);

    if (status != STATUS_SUCCESS)
        return status;
    status = vidmm_sync_add(process, object, &sync, &fence);
    if (status != STATUS_SUCCESS) {
        vidmm_thunk_cancel(process, object);
        return status;
    }
    arguments->hPagingQueue = object->handle;
    arguments->hSyncObject = fence->handle;
    arguments->FenceValueCPUVirtualAddress = (void *)(uintptr_t)vidmm_paging_queue_fence(queue);
    vidmm_thunk_show(process, object);
    return status;
}

NTSTATUS vidmm_thunk_CreatePagingQueue(struct vidmm_thunk_process *process,
                                       D3DKMT_CREATEPAGINGQUEUE *arguments)
{
    struct vidmm_thunk_object *device;
    struct vidmm_paging_queue *queue;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_queue(arguments);
    if (status != STATUS_SUCCESS)
        return status;
    device = vidmm_thunk_find_and_hold(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    status = check_physical(device, arguments->PhysicalAdapterIndex);
    if (status == STATUS_SUCCESS)
        status = vidmm_paging_queue_create_for(
            device->of, (uint32_t)(arguments->Priority - D3DDDI_PAGINGQUEUE_PRIORITY_BELOW_NORMAL),
            arguments->PhysicalAdapterIndex, &queue, vidmm_thunk_report());
    if (status == STATUS_SUCCESS) {
        status = add_queue(process, device, queue, arguments);
        if (status != STATUS_SUCCESS)
            vidmm_paging_queue_destroy(queue);
    }
    vidmm_thunk_let_go(process, device);
    return status;
}

NTSTATUS vidmm_thunk_DestroyPagingQueue(struct vidmm_thunk_process *process,
                                        D3DDDI_DESTROYPAGINGQUEUE *arguments)
{
    struct vidmm_thunk_object *queue;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    queue = vidmm_thunk_remove(process, arguments->hPagingQueue, VIDMM_THUNK_PAGING_QUEUE,
                               "hPagingQueue");
    if (queue == NULL)
        return STATUS_INVALID_PARAMETER;
    vidmm_paging_queue_destroy(queue->of);
    vidmm_thunk_forget(process, queue);
    return STATUS_SUCCESS;
}

/* ---- lists of handles ------------------------------------------------------------------------ */

enum { FEW = 64 };

/* The objects of a list of handles, in place if they are few. */
struct listed {
    void *few[FEW];
    void **of;
};

/* Inside: objects of one device. */
static NTSTATUS find_listed(struct vidmm_thunk_process *process, struct listed *listed,
                            const struct vidmm_thunk_object *device, const D3DKMT_HANDLE *handles,
                            uint32_t count, enum vidmm_thunk_type type, const char *member)
{
    listed->of = count <= FEW ? listed->few : malloc(count * sizeof(*listed->of));
    if (listed->of == NULL)
        return STATUS_NO_MEMORY;
    return vidmm_thunk_find_all(process, device, handles, count, type, member, listed->of);
}

static void finish_listed(struct listed *listed)
{
    if (listed->of != listed->few)
        free(listed->of);
}

static NTSTATUS check_list(const char *member, const D3DKMT_HANDLE *list, uint32_t count)
{
    if (count == 0 || count > VIDMM_RESIDENCY_MOST)
        return vidmm_thunk_refuse("the count of %s is %u; expected 1 to %u", member,
                                  (unsigned)count, VIDMM_RESIDENCY_MOST);
    if (list == NULL)
        return vidmm_thunk_refuse("%s is NULL", member);
    return STATUS_SUCCESS;
}

/* ---- residency lists ------------------------------------------------------------------------- */

NTSTATUS vidmm_thunk_MakeResident(struct vidmm_thunk_process *process,
                                  D3DDDI_MAKERESIDENT *arguments)
{
    struct vidmm_residency_result result = {0};
    struct vidmm_thunk_object *queue;
    struct listed listed;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_list("AllocationList", arguments->AllocationList, arguments->NumAllocations);
    if (status != STATUS_SUCCESS)
        return status;
    listed.of = listed.few;
    vidmm_thunk_enter(process);
    queue = vidmm_thunk_find(process, arguments->hPagingQueue, VIDMM_THUNK_PAGING_QUEUE,
                             "hPagingQueue");
    status = queue == NULL ? STATUS_INVALID_PARAMETER
                           : find_listed(process, &listed, queue->parent, arguments->AllocationList,
                                         arguments->NumAllocations, VIDMM_THUNK_ALLOCATION,
                                         "an element of AllocationList");
    if (status == STATUS_SUCCESS) {
        status = vidmm_make_resident(queue->of, (struct vidmm_allocation **)listed.of,
                                     arguments->NumAllocations, arguments->Flags.Value, &result,
                                     vidmm_thunk_report());
        arguments->PagingFenceValue = result.value;
        arguments->NumBytesToTrim = result.bytes_to_trim;
        if (NT_SUCCESS(status) && arguments->PriorityList != NULL)
            vidmm_set_priority(
                &(struct vidmm_selection){.allocations = (struct vidmm_allocation **)listed.of,
                                          .allocation_count = arguments->NumAllocations},
                arguments->PriorityList, NULL);
    }
    vidmm_thunk_leave(process);
    finish_listed(&listed);
    return status;
}

NTSTATUS vidmm_thunk_Evict(struct vidmm_thunk_process *process, D3DKMT_EVICT *arguments)
{
    struct vidmm_residency_result result = {0};
    struct vidmm_thunk_object *device;
    struct listed listed;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_list("AllocationList", arguments->AllocationList, arguments->NumAllocations);
    if (status != STATUS_SUCCESS)
        return status;
    listed.of = listed.few;
    vidmm_thunk_enter(process);
    device = vidmm_thunk_find(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    status = device == NULL ? STATUS_INVALID_PARAMETER
                            : find_listed(process, &listed, device, arguments->AllocationList,
                                          arguments->NumAllocations, VIDMM_THUNK_ALLOCATION,
                                          "an element of AllocationList");
    if (status == STATUS_SUCCESS) {
        status = vidmm_evict(device->of, (struct vidmm_allocation **)listed.of,
                             arguments->NumAllocations, arguments->Flags.Value, &result,
                             vidmm_thunk_report());
        arguments->NumBytesToTrim = result.bytes_to_trim;
    }
    vidmm_thunk_leave(process);
    finish_listed(&listed);
    return status;
}

/* Reserved bits are refused here; what is legal, and when, the manager says. */
static NTSTATUS check_update(const D3DDDI_UPDATEALLOCPROPERTY *arguments)
{
    if (arguments->SetUnmoveable || arguments->Flags.Unmoveable) {
        vidmm_thunk_refuse("SetUnmoveable (8) is not supported by this version");
        return STATUS_NOT_SUPPORTED;
    }
    if (arguments->Reserved != 0 || arguments->Flags.Reserved != 0)
        return vidmm_thunk_refuse("PropertyMaskValue is 0x%x and Flags is 0x%x; expected no "
                                  "reserved bits",
                                  arguments->PropertyMaskValue, arguments->Flags.Value);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_thunk_UpdateAllocationProperty(struct vidmm_thunk_process *process,
                                              D3DDDI_UPDATEALLOCPROPERTY *arguments)
{
    struct vidmm_residency_result result = {0};
    struct vidmm_thunk_object *queue, *allocation = NULL;
    struct vidmm_property property;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_update(arguments);
    if (status != STATUS_SUCCESS)
        return status;
    property = (struct vidmm_property){.mask = arguments->PropertyMaskValue,
                                       .physical = arguments->Flags.AccessedPhysically,
                                       .segments = arguments->SupportedSegmentSet,
                                       .preferred = arguments->PreferredSegment.Value};
    vidmm_thunk_enter(process);
    queue = vidmm_thunk_find(process, arguments->hPagingQueue, VIDMM_THUNK_PAGING_QUEUE,
                             "hPagingQueue");
    if (queue != NULL)
        allocation = vidmm_thunk_find(process, arguments->hAllocation, VIDMM_THUNK_ALLOCATION,
                                      "hAllocation");
    status = allocation == NULL ? STATUS_INVALID_PARAMETER
                                : vidmm_update_property(queue->of, allocation->of, &property,
                                                        &result, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    if (NT_SUCCESS(status))
        arguments->PagingFenceValue = result.value;
    return status;
}

/* ---- what is selected by resources, or by handles -------------------------------------------- */

/* Inside: find what is selected; the manager says whether it may be, together. The lists are the
 * caller's to finish. */
static NTSTATUS select_listed(struct vidmm_thunk_process *process,
                              const struct vidmm_thunk_object *device,
                              const D3DKMT_HANDLE *resources, const D3DKMT_HANDLE *handles,
                              uint32_t count, struct listed *listed,
                              struct vidmm_selection *selection)
{
    bool by_resource = resources != NULL;
    NTSTATUS status;

    listed->of = listed->few;
    if (by_resource == (handles != NULL))
        return vidmm_thunk_refuse("%s of a list of resources and a list of allocations is given; "
                                  "expected one",
                                  by_resource ? "each" : "none");
    status = check_list("the list", by_resource ? resources : handles, count);
    if (status != STATUS_SUCCESS)
        return status;
    status = find_listed(process, listed, device, by_resource ? resources : handles, count,
                         by_resource ? VIDMM_THUNK_RESOURCE : VIDMM_THUNK_ALLOCATION,
                         "an element of the list");
    *selection = (struct vidmm_selection){0};
    if (by_resource) {
        selection->resources = (struct vidmm_resource **)listed->of;
        selection->resource_count = count;
    } else {
        selection->allocations = (struct vidmm_allocation **)listed->of;
        selection->allocation_count = count;
    }
    return status;
}

/* An act on allocations of a device, which one resource selects, or a list. */
struct act {
    NTSTATUS (*act)(const struct vidmm_selection *selection, const void *argument);
    const void *argument;
};

static NTSTATUS do_to_selected(struct vidmm_thunk_process *process, D3DKMT_HANDLE device,
                               const D3DKMT_HANDLE *resources, const D3DKMT_HANDLE *handles,
                               uint32_t count, const struct act *act)
{
    const struct vidmm_thunk_object *object;
    struct vidmm_selection selection;
    struct listed listed;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    listed.of = listed.few;
    vidmm_thunk_enter(process);
    object = vidmm_thunk_find(process, device, VIDMM_THUNK_DEVICE, "hDevice");
    if (object != NULL)
        status = select_listed(process, object, resources, handles, count, &listed, &selection);
    if (status == STATUS_SUCCESS)
        status = act->act(&selection, act->argument);
    vidmm_thunk_leave(process);
    finish_listed(&listed);
    return status;
}

/* The members name one resource, or a list. */
static NTSTATUS do_to_one(struct vidmm_thunk_process *process, D3DKMT_HANDLE device,
                          const D3DKMT_HANDLE *resource, const D3DKMT_HANDLE *handles,
                          uint32_t count, const struct act *act)
{
    return *resource != 0 ? do_to_selected(process, device, resource, handles, 1, act)
                          : do_to_selected(process, device, NULL, handles, count, act);
}

static NTSTATUS set_priority(const struct vidmm_selection *selection, const void *argument)
{
    const D3DKMT_SETALLOCATIONPRIORITY *arguments = argument;

    return vidmm_set_priority(selection, arguments->pPriorities, vidmm_thunk_report());
}

NTSTATUS vidmm_thunk_SetAllocationPriority(struct vidmm_thunk_process *process,
                                           D3DKMT_SETALLOCATIONPRIORITY *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->pPriorities == NULL)
        return vidmm_thunk_refuse("pPriorities is NULL");
    return do_to_one(process, arguments->hDevice, &arguments->hResource,
                     arguments->phAllocationList, arguments->AllocationCount,
                     &(struct act){set_priority, arguments});
}

static NTSTATUS get_priority(const struct vidmm_selection *selection, const void *argument)
{
    const D3DKMT_GETALLOCATIONPRIORITY *arguments = argument;

    return vidmm_get_priority(selection, arguments->pPriorities, vidmm_thunk_report());
}

NTSTATUS vidmm_thunk_GetAllocationPriority(struct vidmm_thunk_process *process,
                                           D3DKMT_GETALLOCATIONPRIORITY *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->pPriorities == NULL)
        return vidmm_thunk_refuse("pPriorities is NULL");
    return do_to_one(process, arguments->hDevice, &arguments->hResource,
                     arguments->phAllocationList, arguments->AllocationCount,
                     &(struct act){get_priority, arguments});
}

static NTSTATUS query_residency(const struct vidmm_selection *selection, const void *argument)
{
    const D3DKMT_QUERYALLOCATIONRESIDENCY *arguments = argument;

    return vidmm_query_residency(selection, (enum vidmm_residency *)arguments->pResidencyStatus,
                                 vidmm_thunk_report());
}

NTSTATUS vidmm_thunk_QueryAllocationResidency(struct vidmm_thunk_process *process,
                                              D3DKMT_QUERYALLOCATIONRESIDENCY *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->pResidencyStatus == NULL)
        return vidmm_thunk_refuse("pResidencyStatus is NULL");
    return do_to_one(process, arguments->hDevice, &arguments->hResource,
                     arguments->phAllocationList, arguments->AllocationCount,
                     &(struct act){query_residency, arguments});
}

static NTSTATUS offer(const struct vidmm_selection *selection, const void *argument)
{
    const D3DKMT_OFFERALLOCATIONS *arguments = argument;

    return vidmm_offer(selection, (uint32_t)arguments->Priority,
                       arguments->Flags.AllowDecommit ? VIDMM_OFFER_ALLOW_DECOMMIT : 0,
                       vidmm_thunk_report());
}

NTSTATUS vidmm_thunk_OfferAllocations(struct vidmm_thunk_process *process,
                                      D3DKMT_OFFERALLOCATIONS *arguments)
{
    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Flags.Reserved != 0)
        return vidmm_thunk_refuse("Flags has reserved bits set");
    return do_to_selected(process, arguments->hDevice, arguments->pResources, arguments->HandleList,
                          arguments->NumAllocations, &(struct act){offer, arguments});
}

NTSTATUS vidmm_thunk_ReclaimAllocations2(struct vidmm_thunk_process *process,
                                         D3DKMT_RECLAIMALLOCATIONS2 *arguments)
{
    struct vidmm_residency_result result = {0};
    struct vidmm_selection selection;
    struct vidmm_thunk_object *queue;
    struct listed listed = {.of = NULL};
    enum vidmm_reclaimed *results = NULL;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->pResults != NULL && arguments->NumAllocations <= VIDMM_RESIDENCY_MOST) {
        results = calloc(arguments->NumAllocations + (size_t)1, sizeof(*results));
        if (results == NULL)
            return STATUS_NO_MEMORY;
    }
    vidmm_thunk_enter(process);
    listed.of = listed.few;
    queue = vidmm_thunk_find(process, arguments->hPagingQueue, VIDMM_THUNK_PAGING_QUEUE,
                             "hPagingQueue");
    if (queue != NULL)
        status = select_listed(process, queue->parent, arguments->pResources, arguments->HandleList,
                               arguments->NumAllocations, &listed, &selection);
    if (status == STATUS_SUCCESS)
        status =
            vidmm_reclaim_queued(queue->of, &selection, results, &result, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    finish_listed(&listed);
    if (NT_SUCCESS(status)) {
        arguments->PagingFenceValue = result.value;
        for (UINT i = 0; i < arguments->NumAllocations && results != NULL; i++)
            arguments->pResults[i] = (D3DDDI_RECLAIM_RESULT)results[i];
    }
    free(results);
    return status;
}

/* ---- budgets --------------------------------------------------------------------------------- */

static NTSTATUS check_group(D3DKMT_MEMORY_SEGMENT_GROUP group, HANDLE of_process, UINT index)
{
    if (group != D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL &&
        group != D3DKMT_MEMORY_SEGMENT_GROUP_NON_LOCAL)
        return vidmm_thunk_refuse("MemorySegmentGroup is %d; expected 0, local, or 1, non-local",
                                  (int)group);
    if (!vidmm_thunk_is_own(of_process))
        return vidmm_thunk_refuse("hProcess is not NULL; this version answers for the calling "
                                  "process alone");
    if (index != 0)
        return vidmm_thunk_refuse("PhysicalAdapterIndex is %u; expected 0, the lead", index);
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_thunk_QueryVideoMemoryInfo(struct vidmm_thunk_process *process,
                                          D3DKMT_QUERYVIDEOMEMORYINFO *arguments)
{
    struct vidmm_budget_info info;
    struct vidmm_thunk_object *adapter;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_group(arguments->MemorySegmentGroup, arguments->hProcess,
                         arguments->PhysicalAdapterIndex);
    if (status != STATUS_SUCCESS)
        return status;
    status = STATUS_INVALID_PARAMETER;
    vidmm_thunk_enter(process);
    adapter = vidmm_thunk_find(process, arguments->hAdapter, VIDMM_THUNK_ADAPTER, "hAdapter");
    if (adapter != NULL)
        status = vidmm_query_video_memory(
            ((struct vidmm_thunk_adapter *)adapter->of)->adapter, process->number,
            (enum vidmm_segment_group)arguments->MemorySegmentGroup, &info, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    if (status != STATUS_SUCCESS)
        return status;
    arguments->Budget = info.budget;
    arguments->CurrentUsage = info.usage;
    arguments->CurrentReservation = info.reservation;
    arguments->AvailableForReservation = info.available_for_reservation;
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_thunk_ChangeVideoMemoryReservation(struct vidmm_thunk_process *process,
                                                  D3DKMT_CHANGEVIDEOMEMORYRESERVATION *arguments)
{
    struct vidmm_thunk_object *adapter;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    status = check_group(arguments->MemorySegmentGroup, arguments->hProcess,
                         arguments->PhysicalAdapterIndex);
    if (status != STATUS_SUCCESS)
        return status;
    status = STATUS_INVALID_PARAMETER;
    vidmm_thunk_enter(process);
    adapter = vidmm_thunk_find(process, arguments->hAdapter, VIDMM_THUNK_ADAPTER, "hAdapter");
    if (adapter != NULL)
        status = vidmm_reserve_video_memory(((struct vidmm_thunk_adapter *)adapter->of)->adapter,
                                            process->number,
                                            (enum vidmm_segment_group)arguments->MemorySegmentGroup,
                                            arguments->Reservation, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    return status;
}
