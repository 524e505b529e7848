/* test_thunk_refusals.c: each thunk with a handle that is wrong. Every refusal has its reason, and
 * nothing changes. test_thunk_counts.c has counts and flags.
 */
#include "test_thunk_arguments.h"

/* An element of a list, whose pointer is the member. */
#define LIST(Name, Arguments, Member, Element, Kind)                                               \
    {                                                                                              \
#Name, #Member, (call *)(void *)vidmm_thunk_##Name, &Arguments, sizeof(Arguments),         \
            &Element, Kind                                                                         \
    }

static const struct row lists[] = {
    LIST(DestroyAllocation, destroy_one, phAllocationList, list[0], ALLOCATION),
    LIST(DestroyAllocation2, destroy_two, phAllocationList, list[0], ALLOCATION),
    LIST(SetAllocationPriority, set_priority, phAllocationList, list[0], ALLOCATION),
    LIST(GetAllocationPriority, get_priority, phAllocationList, list[0], ALLOCATION),
    LIST(QueryAllocationResidency, query_residency, phAllocationList, list[0], ALLOCATION),
    LIST(OfferAllocations, offer, HandleList, list[0], ALLOCATION),
    LIST(OfferAllocations, offer_resources, pResources, list[0], RESOURCE),
    LIST(ReclaimAllocations2, reclaim, HandleList, list[0], ALLOCATION),
    LIST(ReclaimAllocations2, reclaim_resources, pResources, list[0], RESOURCE),
    LIST(MakeResident, make_resident, AllocationList, list[0], ALLOCATION),
    LIST(Evict, evict, AllocationList, list[0], ALLOCATION),
    LIST(Unlock, unlock, phAllocations, list[0], ALLOCATION),
    LIST(SubmitCommandToHwQueue, submit_hw_written, WrittenPrimaries, list[0], ALLOCATION),
    LIST(SignalSynchronizationObjectFromCpu, signal_cpu, ObjectHandleArray, list[0], FENCE),
    LIST(WaitForSynchronizationObjectFromCpu, wait_cpu, ObjectHandleArray, list[0], FENCE),
    LIST(SignalSynchronizationObjectFromGpu, signal_gpu, ObjectHandleArray, list[0], FENCE),
    LIST(SignalSynchronizationObjectFromGpu2, signal_gpu2, ObjectHandleArray, list[0], FENCE),
    LIST(SignalSynchronizationObjectFromGpu2, signal_gpu2, BroadcastContextArray, contexts[0],
         CONTEXT),
    LIST(WaitForSynchronizationObjectFromGpu, wait_gpu, ObjectHandleArray, list[0], FENCE),
    LIST(SubmitWaitForSyncObjectsToHwQueue, wait_hw, ObjectHandleArray, list[0], FENCE),
    LIST(SubmitSignalSyncObjectsToHwQueue, signal_hw, ObjectHandleArray, list[0], FENCE),
    LIST(SubmitSignalSyncObjectsToHwQueue, signal_hw, BroadcastHwQueueArray, hw_queues[0],
         HW_QUEUE),
    LIST(ShareObjectsInternal, share_objects, ObjectHandleArray, list[0], RESOURCE),
    /* These take mutexes and semaphores; a fence is refused, too (test_thunk_counts.c). */
    ROW(WaitForSynchronizationObject, wait_old, ObjectHandleArray[0], FENCE),
    ROW(SignalSynchronizationObject, signal_old, ObjectHandleArray[0], FENCE),
};

/* Members that may be 0. */
static const struct row options[] = {
    ROW(CreateAllocation, create_allocation, hResource, RESOURCE),
    ROW(CreateAllocation2, create_allocation, hResource, RESOURCE),
    ROW(Escape, escape, hAdapter, ADAPTER),
    ROW(Escape, escape, hContext, CONTEXT),
};

enum { LISTS = sizeof(lists) / sizeof(lists[0]), OPTIONS = sizeof(options) / sizeof(options[0]) };

/* ---- no member is forgotten ------------------------------------------------------------------ */

/* Answers of a call, and members whose count may not be above 0 (test_thunk_counts.c). */
static const struct told not_looked_at[] = {
    {"OpenAdapterFromLuid", "hAdapter"},
    {"CreateDevice", "hDevice"},
    {"CreateContext", "hContext"},
    {"CreateContextVirtual", "hContext"},
    {"CreateAllocation", "hGlobalShare"},
    {"CreateAllocation2", "hGlobalShare"},
    {"CreatePagingQueue", "hPagingQueue"},
    {"CreatePagingQueue", "hSyncObject"},
    {"CreateSynchronizationObject", "hSyncObject"},
    {"CreateSynchronizationObject2", "hSyncObject"},
    {"CreateHwQueue", "hHwQueue"},
    {"CreateHwQueue", "hHwQueueProgressFence"},
    {"OpenSynchronizationObject", "hSyncObject"},
    {"OpenSyncObjectFromNtHandle2", "hSyncObject"},
    {"OpenResource", "hResource"},
    {"OpenResourceFromNtHandle", "hResource"},
    {"OpenResourceFromNtHandle", "hKeyedMutex"},
    {"OpenResourceFromNtHandle", "hSyncObject"},
    {"SubmitCommand", "HistoryBufferArray"},
    {"SignalSynchronizationObject2", "BroadcastContext"},
    {"Render", "BroadcastContext"},
    {"Render", "hDevice"},                    /* hContext by another name */
    {"ReserveGpuVirtualAddress", "hAdapter"}, /* hPagingQueue by another name */
};

static bool is_in_row(const struct row *table, unsigned count, const char *name, const char *member)
{
    for (unsigned i = 0; i < count; i++)
        if (is_told(&(struct told){table[i].name, table[i].member}, name, member))
            return true;
    return false;
}

static bool is_handle(const char *member, const char *type)
{
    return strstr(type, "D3DKMT_HANDLE") != NULL && strchr(member, '.') == NULL;
}

static bool is_tested(const char *name, const char *member)
{
    for (unsigned i = 0; i < sizeof(not_looked_at) / sizeof(not_looked_at[0]); i++)
        if (is_told(&not_looked_at[i], name, member))
            return true;
    return is_in_row(rows, ROWS, name, member) || is_in_row(lists, LISTS, name, member) ||
           is_in_row(options, OPTIONS, name, member);
}

static void every_handle_of_every_thunk_is_tested(void **state)
{
    (void)state;
    see_members(is_handle, is_tested);
}

/* ---- wrong handles --------------------------------------------------------------------------- */

/* One that is dead, one of each other type, one of another process; none, unless it may be 0. */
static void wrong_handles(const struct row *row, bool may_be_none)
{
    D3DKMT_HANDLE *member = row->handle, right = *member;

    *member = 0;
    if (!may_be_none)
        refuses(row, "no handle");
    *member = dead;
    refuses(row, "a handle that is dead");
    *member = 0xffffffffu;
    refuses(row, "a handle made up");
    for (enum kind k = 0; k < KINDS; k++)
        if (k != row->kind) {
            *member = handles[k];
            if (row->call != (call *)(void *)vidmm_thunk_ReserveGpuVirtualAddress || k != ADAPTER)
                refuses(row, "a handle of another type");
        }
    *member = foreign[row->kind < KINDS ? row->kind : RESOURCE];
    refuses(row, "a handle of another process");
    *member = right;
}

static void handles_of_another_type_or_process_are_refused(void **state)
{
    (void)state;
    start();
    use_right_handles();
    list[0] = handles[ALLOCATION];
    for (unsigned i = 0; i < ROWS; i++)
        wrong_handles(&rows[i], false);
    for (unsigned i = 0; i < OPTIONS; i++)
        wrong_handles(&options[i], true);
    thunk_finish();
}

static void handles_in_lists_are_looked_at_one_by_one(void **state)
{
    (void)state;
    start();
    use_right_handles();
    contexts[0] = handles[CONTEXT];
    hw_queues[0] = handles[HW_QUEUE];
    for (unsigned i = 0; i < LISTS; i++) {
        list[0] = handles[lists[i].handle == list ? lists[i].kind : FENCE];
        wrong_handles(&lists[i], false);
    }
    thunk_finish();
}

/* Another device of the program has the handle; hDevice is the first one. */
static void allocations_of_another_device_are_refused(void **state)
{
    D3DKMT_CREATEDEVICE device = {0};
    struct thunk_program second;

    (void)state;
    start();
    second = one;
    device.hAdapter = one.adapter;
    succeeds(vidmm_thunk_CreateDevice(one.process, &device));
    second.device = device.hDevice;
    use_right_handles();
    list[0] = thunk_create(&second, 1);
    for (unsigned i = 0; i < LISTS; i++)
        if (lists[i].kind == ALLOCATION)
            refuses(&lists[i], "an allocation of another device");
    for (unsigned i = 0; i < ROWS; i++)
        if (rows[i].kind == ALLOCATION) {
            *rows[i].handle = list[0];
            refuses(&rows[i], "an allocation of another device");
        }
    thunk_finish();
}

static void null_is_no_structure(void **state)
{
    (void)state;
    start();
#define BUILT(Name, Arguments)                                                                     \
    refused(vidmm_thunk_##Name(one.process, NULL), "the arguments are NULL");
#define UNBUILT(Name)
#include "thunk/thunks.def"
#undef BUILT
#undef UNBUILT
    thunk_finish();
}

static void what_is_not_built_is_counted(void **state)
{
    (void)state;
    start();
    *(D3DKMT_HANDLE *)&query_adapter.hAdapter = handles[ADAPTER];
    query_adapter.Type = KMTQAITYPE_MODELIST;
    refused_with(vidmm_thunk_QueryAdapterInfo(one.process, &query_adapter), STATUS_NOT_SUPPORTED,
                 "Type is 10");
    query_adapter.Type = KMTQAITYPE_GETSEGMENTSIZE;
    assert_int_equal(vidmm_thunk_missed(one.process, VIDMM_THUNK_CreateSyncFile), 0);
    refused_with(vidmm_thunk_not_supported(one.process, VIDMM_THUNK_CreateSyncFile),
                 STATUS_NOT_SUPPORTED, "D3DKMTCreateSyncFile");
    assert_int_equal(vidmm_thunk_missed(one.process, VIDMM_THUNK_CreateSyncFile), 1);
    assert_int_equal(vidmm_thunk_missed(other.process, VIDMM_THUNK_CreateSyncFile), 0);
    thunk_finish();
}

static void luids_have_to_tell_adapters_apart(void **state)
{
    struct vidmm_thunk_adapter adapters[2] = {{.luid = {1, 0}}, {.luid = {1, 0}}};

    (void)state;
    assert_null(vidmm_thunk_machine_create(adapters, 2));
    assert_null(vidmm_thunk_machine_create(adapters, 0));
    adapters[1].luid = (LUID){0};
    assert_null(vidmm_thunk_machine_create(adapters, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_handle_of_every_thunk_is_tested),
        cmocka_unit_test(handles_of_another_type_or_process_are_refused),
        cmocka_unit_test(handles_in_lists_are_looked_at_one_by_one),
        cmocka_unit_test(allocations_of_another_device_are_refused),
        cmocka_unit_test(null_is_no_structure),
        cmocka_unit_test(what_is_not_built_is_counted),
        cmocka_unit_test(luids_have_to_tell_adapters_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
