/* residency.c: paging queues, residency lists, offers, priorities, budgets. */
#include <stdlib.h>

#include <vidmm/adapter.h>
#include <vidmm/budget.h>
#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"

/* ---- paging queues --------------------------------------------------------------------------- */

NTSTATUS vidmm_thunk_CreatePagingQueue(struct vidmm_thunk_process *process,
                                       D3DKMT_CREATEPAGINGQUEUE *arguments)
{
    struct vidmm_thunk_object *device, *object;
    struct vidmm_paging_queue *queue;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Priority < D3DDDI_PAGINGQUEUE_PRIORITY_BELOW_NORMAL ||
        arguments->Priority > D3DDDI_PAGINGQUEUE_PRIORITY_ABOVE_NORMAL)
        return vidmm_thunk_refuse("Priority is %d; expected -1, 0 or 1", (int)arguments->Priority);
    if (arguments->PhysicalAdapterIndex != 0)
        return vidmm_thunk_refuse("PhysicalAdapterIndex is %u; expected 0, the lead",
                                  arguments->PhysicalAdapterIndex);
    device = vidmm_thunk_find_and_hold(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        return STATUS_INVALID_PARAMETER;
    status = vidmm_paging_queue_create(
        device->of, (uint32_t)(arguments->Priority - D3DDDI_PAGINGQUEUE_PRIORITY_BELOW_NORMAL),
        &queue, vidmm_thunk_report());
    if (status == STATUS_SUCCESS) {
        status = vidmm_thunk_add(process, device, VIDMM_THUNK_PAGING_QUEUE, queue, &object);
        if (status == STATUS_SUCCESS) {
            arguments->hPagingQueue = object->handle;
            arguments->hSyncObject = 0;
            arguments->FenceValueCPUVirtualAddress = (void *)vidmm_paging_queue_fence(queue);
            vidmm_thunk_show(process, object);
        } else
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

/* Inside. */
static NTSTATUS find_listed(struct vidmm_thunk_process *process, struct listed *listed,
                            const D3DKMT_HANDLE *handles, uint32_t count,
                            enum vidmm_thunk_type type, const char *member)
{
    listed->of = count <= FEW ? listed->few : malloc(count * sizeof(*listed->of));
    if (listed->of == NULL)
        return STATUS_NO_MEMORY;
    return vidmm_thunk_find_all(process, handles, count, type, member, listed->of);
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
    vidmm_thunk_enter(process);
    status = find_listed(process, &listed, arguments->AllocationList, arguments->NumAllocations,
                         VIDMM_THUNK_ALLOCATION, "an element of AllocationList");
    queue = vidmm_thunk_find(process, arguments->hPagingQueue, VIDMM_THUNK_PAGING_QUEUE,
                             "hPagingQueue");
    if (queue == NULL)
        status = STATUS_INVALID_PARAMETER;
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
    vidmm_thunk_enter(process);
    status = find_listed(process, &listed, arguments->AllocationList, arguments->NumAllocations,
                         VIDMM_THUNK_ALLOCATION, "an element of AllocationList");
    device = vidmm_thunk_find(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice");
    if (device == NULL)
        status = STATUS_INVALID_PARAMETER;
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

/* ---- what is selected by resources, or by handles -------------------------------------------- */

/* Inside: find what is selected; the manager says whether it may be, together. The lists are the
 * caller's to finish. */
static NTSTATUS select_listed(struct vidmm_thunk_process *process, const D3DKMT_HANDLE *resources,
                              const D3DKMT_HANDLE *handles, uint32_t count, struct listed *listed,
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
    status = find_listed(process, listed, by_resource ? resources : handles, count,
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

/* As above; the members name one resource, or a list. */
static NTSTATUS select_one(struct vidmm_thunk_process *process, D3DKMT_HANDLE device,
                           const D3DKMT_HANDLE *resource, const D3DKMT_HANDLE *handles,
                           uint32_t count, struct listed *listed, struct vidmm_selection *selection)
{
    listed->of = listed->few;
    if (vidmm_thunk_find(process, device, VIDMM_THUNK_DEVICE, "hDevice") == NULL)
        return STATUS_INVALID_PARAMETER;
    if (*resource != 0)
        return select_listed(process, resource, handles, 1, listed, selection);
    return select_listed(process, NULL, handles, count, listed, selection);
}

NTSTATUS vidmm_thunk_SetAllocationPriority(struct vidmm_thunk_process *process,
                                           D3DKMT_SETALLOCATIONPRIORITY *arguments)
{
    struct vidmm_selection selection;
    struct listed listed;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->pPriorities == NULL)
        return vidmm_thunk_refuse("pPriorities is NULL");
    vidmm_thunk_enter(process);
    status =
        select_one(process, arguments->hDevice, &arguments->hResource, arguments->phAllocationList,
                   arguments->AllocationCount, &listed, &selection);
    if (status == STATUS_SUCCESS)
        status = vidmm_set_priority(&selection, arguments->pPriorities, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    finish_listed(&listed);
    return status;
}

NTSTATUS vidmm_thunk_QueryAllocationResidency(struct vidmm_thunk_process *process,
                                              D3DKMT_QUERYALLOCATIONRESIDENCY *arguments)
{
    struct vidmm_selection selection;
    struct listed listed;
    NTSTATUS status;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->pResidencyStatus == NULL)
        return vidmm_thunk_refuse("pResidencyStatus is NULL");
    vidmm_thunk_enter(process);
    status =
        select_one(process, arguments->hDevice, &arguments->hResource, arguments->phAllocationList,
                   arguments->AllocationCount, &listed, &selection);
    if (status == STATUS_SUCCESS)
        status = vidmm_query_residency(
            &selection, (enum vidmm_residency *)arguments->pResidencyStatus, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    finish_listed(&listed);
    return status;
}

NTSTATUS vidmm_thunk_OfferAllocations(struct vidmm_thunk_process *process,
                                      D3DKMT_OFFERALLOCATIONS *arguments)
{
    struct vidmm_selection selection;
    struct listed listed = {.of = NULL};
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->Flags.Reserved != 0)
        return vidmm_thunk_refuse("Flags has reserved bits set");
    vidmm_thunk_enter(process);
    listed.of = listed.few;
    if (vidmm_thunk_find(process, arguments->hDevice, VIDMM_THUNK_DEVICE, "hDevice") != NULL)
        status = select_listed(process, arguments->pResources, arguments->HandleList,
                               arguments->NumAllocations, &listed, &selection);
    if (status == STATUS_SUCCESS)
        status = vidmm_offer(&selection, (uint32_t)arguments->Priority, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    finish_listed(&listed);
    return status;
}

NTSTATUS vidmm_thunk_ReclaimAllocations2(struct vidmm_thunk_process *process,
                                         D3DKMT_RECLAIMALLOCATIONS2 *arguments)
{
    struct vidmm_residency_result result = {0};
    struct vidmm_selection selection;
    struct vidmm_thunk_object *queue;
    struct listed listed = {.of = NULL};
    bool *discarded = NULL;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (arguments == NULL)
        return vidmm_thunk_refuse("the arguments are NULL");
    if (arguments->pDiscarded != NULL && arguments->NumAllocations <= VIDMM_RESIDENCY_MOST) {
        discarded = calloc(arguments->NumAllocations + (size_t)1, sizeof(*discarded));
        if (discarded == NULL)
            return STATUS_NO_MEMORY;
    }
    vidmm_thunk_enter(process);
    listed.of = listed.few;
    queue = vidmm_thunk_find(process, arguments->hPagingQueue, VIDMM_THUNK_PAGING_QUEUE,
                             "hPagingQueue");
    if (queue != NULL)
        status = select_listed(process, arguments->pResources, arguments->HandleList,
                               arguments->NumAllocations, &listed, &selection);
    if (status == STATUS_SUCCESS)
        status =
            vidmm_reclaim_queued(queue->of, &selection, discarded, &result, vidmm_thunk_report());
    vidmm_thunk_leave(process);
    finish_listed(&listed);
    if (NT_SUCCESS(status)) {
        arguments->PagingFenceValue = result.value;
        for (UINT i = 0; i < arguments->NumAllocations && discarded != NULL; i++)
            arguments->pDiscarded[i] = discarded[i];
    }
    free(discarded);
    return status;
}

/* ---- budgets --------------------------------------------------------------------------------- */

static NTSTATUS check_group(D3DKMT_MEMORY_SEGMENT_GROUP group, HANDLE of_process, UINT index)
{
    if (group != D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL &&
        group != D3DKMT_MEMORY_SEGMENT_GROUP_NON_LOCAL)
        return vidmm_thunk_refuse("MemorySegmentGroup is %d; expected 0, local, or 1, non-local",
                                  (int)group);
    if (of_process != NULL)
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
