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
    LIST(UpdateGpuVirtualAddress, update_mapped, Operations, mappings[0].Map.hAllocation,
         ALLOCATION),
    LIST(UpdateGpuVirtualAddress, update_protected, Operations,
         protections[0].MapProtect.hAllocation, ALLOCATION),
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

/* Refused for that handle, which the reason names, unless it is none. */
static void is_refused(const struct row *row, D3DKMT_HANDLE handle, const char *why)
{
    D3DKMT_HANDLE right = *row->handle;
    char named[16];

    *row->handle = handle;
    refuses(row, why);
    *row->handle = right;
    snprintf(named, sizeof(named), " 0x%x", handle);
    if (handle != 0 && strstr(vidmm_thunk_reason(), named) == NULL)
        fail_msg("%s, %s, %s: \"%s\" has no%s", row->name, row->member, why, vidmm_thunk_reason(),
                 named);
}

/* One that is dead, one of each other type, one of another process; none, unless it may be 0. */
static void wrong_handles(const struct row *row, bool may_be_none)
{
    if (!may_be_none)
        is_refused(row, 0, "no handle");
    is_refused(row, dead, "a handle that is dead");
    is_refused(row, 0xffffffffu, "a handle made up");
    for (enum kind k = 0; k < KINDS; k++)
        if (k != row->kind &&
            (row->call != (call *)(void *)vidmm_thunk_ReserveGpuVirtualAddress || k != ADAPTER))
            is_refused(row, handles[k], "a handle of another type");
    is_refused(row, foreign[row->kind < KINDS ? row->kind : RESOURCE],
               "a handle of another process");
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

/* An allocation of the program's, of a further device. */
static D3DKMT_HANDLE of_another_device(void)
{
    D3DKMT_CREATEDEVICE device = {.hAdapter = one.adapter};
    struct thunk_program second = one;

    succeeds(vidmm_thunk_CreateDevice(one.process, &device));
    second.device = device.hDevice;
    return thunk_create(&second, 1);
}

/* Another device of the program has the handle; hDevice is the first one. */
static void allocations_of_another_device_are_refused(void **state)
{
    (void)state;
    start();
    use_right_handles();
    list[0] = of_another_device();
    for (unsigned i = 0; i < LISTS; i++)
        if (lists[i].kind == ALLOCATION) {
            *lists[i].handle = list[0];
            refuses(&lists[i], "an allocation of another device");
        }
    for (unsigned i = 0; i < ROWS; i++)
        if (rows[i].kind == ALLOCATION) {
            *rows[i].handle = list[0];
            refuses(&rows[i], "an allocation of another device");
        }
    thunk_finish();
}

/* All else is legal: the same operations of an allocation of the context's device are. */
static void addresses_show_no_allocation_of_another_device(void **state)
{
    D3DKMT_HANDLE *shown[] = {&mappings[0].Map.hAllocation, &protections[0].MapProtect.hAllocation};
    D3DKMT_UPDATEGPUVIRTUALADDRESS *updates[] = {&update_mapped, &update_protected};

    (void)state;
    start();
    use_right_handles();
    list[0] = of_another_device();
    reserve.hPagingQueue = one.adapter;
    succeeds(vidmm_thunk_ReserveGpuVirtualAddress(one.process, &reserve));
    mappings[0].Map.BaseAddress = protections[0].MapProtect.BaseAddress = reserve.VirtualAddress;
    for (unsigned i = 0; i < 2; i++) {
        *shown[i] = list[0];
        refused(vidmm_thunk_UpdateGpuVirtualAddress(one.process, updates[i]), "device");
        *shown[i] = handles[ALLOCATION];
        succeeds(vidmm_thunk_UpdateGpuVirtualAddress(one.process, updates[i]));
    }
    vidmm_machine_settle(thunk_rig.machine);
    thunk_finish();
}

static void has_no_addresses(D3DKMT_HANDLE adapter, const char *why)
{
    D3DDDI_RESERVEGPUVIRTUALADDRESS more = {.hPagingQueue = adapter, .Size = 0x10000};
    D3DKMT_FREEGPUVIRTUALADDRESS end = {adapter, reserve.VirtualAddress, reserve.Size};

    refused(vidmm_thunk_ReserveGpuVirtualAddress(one.process, &more), why);
    refused(vidmm_thunk_FreeGpuVirtualAddress(one.process, &end), why);
    assert_int_equal(more.VirtualAddress, 0);
}

/* Addresses are a process's, and the device below that opening of the adapter says whose. */
static void an_adapter_without_a_device_has_no_addresses(void **state)
{
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = THUNK_LUID};
    D3DKMT_FREEGPUVIRTUALADDRESS end = {0};

    (void)state;
    start();
    reserve.hPagingQueue = one.adapter;
    succeeds(vidmm_thunk_ReserveGpuVirtualAddress(one.process, &reserve));
    has_no_addresses(foreign[ADAPTER], "no handle of this process");
    succeeds(vidmm_thunk_OpenAdapterFromLuid(one.process, &open));
    has_no_addresses(open.hAdapter, "under which the process has no device");
    end = (D3DKMT_FREEGPUVIRTUALADDRESS){one.adapter, reserve.VirtualAddress, reserve.Size};
    succeeds(vidmm_thunk_FreeGpuVirtualAddress(one.process, &end));
    thunk_finish();
}

/* ---- the second time ------------------------------------------------------------------------- */

static const struct row *row_of(const char *name, enum kind kind)
{
    for (unsigned i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0 && rows[i].kind == kind)
            return &rows[i];
    fail_msg("%s has no row", name);
    return NULL;
}

static void what_is_destroyed_is_not_destroyed_again(void **state)
{
    static const struct {
        const char *name;
        enum kind kind;
    } endings[] = {
        {"DestroyHwQueue", HW_QUEUE},     {"DestroySynchronizationObject", FENCE},
        {"DestroyPagingQueue", QUEUE},    {"DestroyContext", CONTEXT},
        {"DestroyAllocation2", RESOURCE}, {"DestroyDevice", DEVICE},
        {"CloseAdapter", ADAPTER},
    };

    (void)state;
    start();
    use_right_handles();
    for (unsigned i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        const struct row *row = row_of(endings[i].name, endings[i].kind);

        succeeds(row->call(one.process, row->arguments));
        refuses(row, "the second time");
        if (strstr(vidmm_thunk_reason(), "no handle of this process") == NULL)
            fail_msg("%s: %s", row->name, vidmm_thunk_reason());
    }
    thunk_finish();
}

static void what_is_unlocked_is_not_unlocked_again(void **state)
{
    (void)state;
    start();
    use_right_handles();
    succeeds(vidmm_thunk_Lock2(one.process, &lock_two));
    succeeds(vidmm_thunk_Unlock2(one.process, &unlock_two));
    refused(vidmm_thunk_Unlock2(one.process, &unlock_two), "lock");
    succeeds(vidmm_thunk_Lock2(one.process, &lock_two));
    succeeds(vidmm_thunk_Unlock2(one.process, &unlock_two));
    thunk_finish();
}

/* ---- no arguments, no function ------------------------------------------------------------- */

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
        cmocka_unit_test(addresses_show_no_allocation_of_another_device),
        cmocka_unit_test(an_adapter_without_a_device_has_no_addresses),
        cmocka_unit_test(what_is_destroyed_is_not_destroyed_again),
        cmocka_unit_test(what_is_unlocked_is_not_unlocked_again),
        cmocka_unit_test(null_is_no_structure),
        cmocka_unit_test(what_is_not_built_is_counted),
        cmocka_unit_test(luids_have_to_tell_adapters_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
