/* test_thunk_counts.c: each thunk with a count, a size, a flag or a number out of its range. Every
 * refusal has its reason, and nothing changes.
 */
#include "test_thunk_arguments.h"

/* ---- counts ---------------------------------------------------------------------------------- */

/* A count, and the reason that a call gives for one below `least` or above `most`. */
static const struct count {
    struct row row;
    UINT *count, least, most;
    const char *reason;
} counts[] = {
#define COUNT(Name, Arguments, Member, Least, Most, Reason)                                        \
    {                                                                                              \
        {#Name, #Member, (call *)(void *)vidmm_thunk_##Name, &Arguments, sizeof(Arguments),        \
         NULL,  KINDS},                                                                            \
            &Arguments.Member, Least, Most, Reason                                                 \
    }
    COUNT(CreateAllocation, create_allocation, NumAllocations, 1, 1024, "expected 1 to 1024"),
    COUNT(CreateAllocation2, create_allocation, NumAllocations, 1, 1024, "expected 1 to 1024"),
    COUNT(DestroyAllocation, destroy_one, AllocationCount, 1, 1024, "expected 1 to 1024"),
    COUNT(DestroyAllocation2, destroy_two, AllocationCount, 1, 1024, "expected 1 to 1024"),
    COUNT(SetAllocationPriority, set_priority, AllocationCount, 1, LONGEST, "expected 1 to 10240"),
    COUNT(GetAllocationPriority, get_priority, AllocationCount, 1, LONGEST, "expected 1 to 10240"),
    COUNT(QueryAllocationResidency, query_residency, AllocationCount, 1, LONGEST,
          "expected 1 to 10240"),
    COUNT(OfferAllocations, offer, NumAllocations, 1, LONGEST, "expected 1 to 10240"),
    COUNT(OfferAllocations, offer_resources, NumAllocations, 1, LONGEST, "expected 1 to 10240"),
    COUNT(ReclaimAllocations2, reclaim, NumAllocations, 1, LONGEST, "expected 1 to 10240"),
    COUNT(ReclaimAllocations2, reclaim_resources, NumAllocations, 1, LONGEST,
          "expected 1 to 10240"),
    COUNT(MakeResident, make_resident, NumAllocations, 1, LONGEST, "expected 1 to 10240"),
    COUNT(Evict, evict, NumAllocations, 1, LONGEST, "expected 1 to 10240"),
    COUNT(Unlock, unlock, NumAllocations, 1, LONGEST, "expected 1 to 10240"),
    COUNT(UpdateGpuVirtualAddress, update_addresses, NumOperations, 1, 65536,
          "expected 1 to 65536"),
    COUNT(SubmitCommand, submit, BroadcastContextCount, 1, BROADCAST, "expected 1 to 64"),
    COUNT(SubmitCommand, submit, NumPrimaries, 0, 16, "expected 0 to 16"),
    COUNT(SubmitCommand, submit, NumHistoryBuffers, 0, 0, "takes none"),
    COUNT(SubmitCommandToHwQueue, submit_hw_written, NumPrimaries, 0, 16, "expected 0 to 16"),
    COUNT(SignalSynchronizationObjectFromCpu, signal_cpu, ObjectCount, 1, OBJECTS,
          "expected 1 to 32"),
    COUNT(WaitForSynchronizationObjectFromCpu, wait_cpu, ObjectCount, 1, OBJECTS,
          "expected 1 to 32"),
    COUNT(SignalSynchronizationObjectFromGpu, signal_gpu, ObjectCount, 1, OBJECTS,
          "expected 1 to 32"),
    COUNT(SignalSynchronizationObjectFromGpu2, signal_gpu2, ObjectCount, 1, OBJECTS,
          "expected 1 to 32"),
    COUNT(SignalSynchronizationObjectFromGpu2, signal_gpu2, BroadcastContextCount, 1, BROADCAST,
          "expected 1 to 64"),
    COUNT(WaitForSynchronizationObjectFromGpu, wait_gpu, ObjectCount, 1, OBJECTS,
          "expected 1 to 32"),
    COUNT(SignalSynchronizationObject2, signal_two, ObjectCount, 1, OBJECTS, "expected 1 to 32"),
    COUNT(SignalSynchronizationObject2, signal_two, BroadcastContextCount, 0, BROADCAST,
          "expected 0 to 64"),
    COUNT(WaitForSynchronizationObject2, wait_two, ObjectCount, 1, OBJECTS, "expected 1 to 32"),
    COUNT(WaitForSynchronizationObject, wait_old, ObjectCount, 1, OBJECTS, "expected 1 to 32"),
    COUNT(SignalSynchronizationObject, signal_old, ObjectCount, 1, OBJECTS, "expected 1 to 32"),
    COUNT(SubmitWaitForSyncObjectsToHwQueue, wait_hw, ObjectCount, 1, OBJECTS, "expected 1 to 32"),
    COUNT(SubmitSignalSyncObjectsToHwQueue, signal_hw, ObjectCount, 1, OBJECTS, "expected 1 to 32"),
    COUNT(SubmitSignalSyncObjectsToHwQueue, signal_hw, BroadcastHwQueueCount, 1, BROADCAST,
          "expected 1 to 64"),
    COUNT(ShareObjectsInternal, share_objects, ObjectCount, 1, 1, "takes 1"),
};

enum { COUNTS = sizeof(counts) / sizeof(counts[0]) };

/* Answers, and counts that other tests look at, or those below. */
static const struct told others[] = {
    {"EnumAdapters2", "NumAdapters"}, /* a_list_of_adapters_has_to_hold_all_of_them */
    {"EnumAdapters3", "NumAdapters"},
    {"Lock", "NumPages"},               /* flags_and_sizes_of_allocations_are_looked_at */
    {"OpenResource", "NumAllocations"}, /* test_thunk.c */
    {"OpenResourceFromNtHandle", "NumAllocations"}, /* test_thunk_nt_handles.c */
    {"QueryResourceInfo", "NumAllocations"},        /* an answer */
    {"QueryResourceInfoFromNtHandle", "NumAllocations"},
    {"Render", "AllocationCount"}, /* test_thunk_locks.c */
    {"Render", "PatchLocationCount"},
    {"Render", "BroadcastContextCount"},
    {"Render", "QueuedBufferCount"}, /* an answer */
};

static bool is_count(const char *member, const char *type)
{
    size_t length = strlen(member);

    return (strcmp(type, "UINT") == 0 || strcmp(type, "ULONG") == 0) &&
           (strncmp(member, "Num", 3) == 0 ||
            (length > 5 && strcmp(member + length - 5, "Count") == 0));
}

static bool is_tested(const char *name, const char *member)
{
    for (unsigned i = 0; i < COUNTS; i++)
        if (is_told(&(struct told){counts[i].row.name, counts[i].row.member}, name, member))
            return true;
    for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (is_told(&others[i], name, member))
            return true;
    return false;
}

static void every_count_of_every_thunk_is_tested(void **state)
{
    (void)state;
    see_members(is_count, is_tested);
}

static void start_with_right_arguments(void)
{
    start();
    use_right_handles();
    list[0] = handles[ALLOCATION];
    contexts[0] = handles[CONTEXT];
    hw_queues[0] = handles[HW_QUEUE];
}

/* Refused, and for the count. */
static void is_refused(const struct count *count, UINT value)
{
    UINT right = *count->count;

    *count->count = value;
    refuses(&count->row, count->row.member);
    if (strstr(vidmm_thunk_reason(), count->reason) == NULL)
        fail_msg("%s, %s is %u: %s", count->row.name, count->row.member, value,
                 vidmm_thunk_reason());
    *count->count = right;
}

/* Refused for what is counted. */
static void is_legal(const struct count *count, UINT value)
{
    UINT right = *count->count;
    NTSTATUS status;

    *count->count = value;
    status = count->row.call(one.process, count->row.arguments);
    if ((status != STATUS_INVALID_PARAMETER && status != STATUS_NOT_SUPPORTED) ||
        strstr(vidmm_thunk_reason(), count->reason) != NULL)
        fail_msg("%s, %s is %u: 0x%08x: %s", count->row.name, count->row.member, value,
                 (unsigned)status, vidmm_thunk_reason());
    *count->count = right;
}

/* The most of a count is taken as such; the handles that it counts are dead. */
static void counts_out_of_their_range_are_refused(void **state)
{
    (void)state;
    start_with_right_arguments();
    for (unsigned i = 0; i < LONGEST; i++)
        list[i] = dead;
    create_allocation.hDevice = dead; /* as many descriptions as the most are not legal */
    for (unsigned i = 0; i < COUNTS; i++) {
        if (counts[i].least > 0)
            is_refused(&counts[i], counts[i].least - 1);
        is_refused(&counts[i], counts[i].most + 1);
        is_refused(&counts[i], UINT32_MAX);
        if (counts[i].most > 1)
            is_legal(&counts[i], counts[i].most);
    }
    thunk_finish();
}

/* A signal that counts when several have come to it. Each is counted as a miss. */
static void signals_by_several_at_once_are_not_built(void **state)
{
    (void)state;
    start_with_right_arguments();
    list[0] = handles[FENCE];
    signal_gpu2.BroadcastContextCount = signal_hw.BroadcastHwQueueCount = 2;
    signal_two.BroadcastContextCount = 1;
    refused_with(vidmm_thunk_SignalSynchronizationObjectFromGpu2(one.process, &signal_gpu2),
                 STATUS_NOT_SUPPORTED, "BroadcastContextCount is 2");
    refused_with(vidmm_thunk_SubmitSignalSyncObjectsToHwQueue(one.process, &signal_hw),
                 STATUS_NOT_SUPPORTED, "BroadcastHwQueueCount is 2");
    refused_with(vidmm_thunk_SignalSynchronizationObject2(one.process, &signal_two),
                 STATUS_NOT_SUPPORTED, "BroadcastContextCount is 1");
    assert_int_equal(
        vidmm_thunk_missed(one.process, VIDMM_THUNK_SignalSynchronizationObjectFromGpu2), 1);
    assert_int_equal(vidmm_thunk_missed(one.process, VIDMM_THUNK_SubmitSignalSyncObjectsToHwQueue),
                     1);
    assert_int_equal(vidmm_thunk_missed(one.process, VIDMM_THUNK_SignalSynchronizationObject2), 1);
    signal_gpu2.BroadcastContextCount = signal_hw.BroadcastHwQueueCount = 1;
    signal_two.BroadcastContextCount = 0;
    thunk_finish();
}

/* Nothing is opened that the list would not hold. */
static void a_list_of_adapters_has_to_hold_all_of_them(void **state)
{
    D3DKMT_ADAPTERINFO adapters[2] = {{0}, {.hAdapter = 77}};
    D3DKMT_ENUMADAPTERS2 two = {.NumAdapters = 0, .pAdapters = adapters};
    D3DKMT_ENUMADAPTERS3 three = {.NumAdapters = 0, .pAdapters = adapters};

    (void)state;
    start();
    refused_with(vidmm_thunk_EnumAdapters2(one.process, &two), STATUS_BUFFER_TOO_SMALL,
                 "NumAdapters is 0; this machine has 1");
    refused_with(vidmm_thunk_EnumAdapters3(one.process, &three), STATUS_BUFFER_TOO_SMALL,
                 "NumAdapters is 0; this machine has 1");
    assert_int_equal(two.NumAdapters + three.NumAdapters, 0);
    assert_int_equal(adapters[0].hAdapter, 0);
    two.NumAdapters = 2;
    succeeds(vidmm_thunk_EnumAdapters2(one.process, &two));
    assert_int_equal(two.NumAdapters, 1);
    assert_int_equal(adapters[0].AdapterLuid.LowPart, THUNK_LUID.LowPart);
    assert_int_equal(adapters[1].hAdapter, 77);
    adapters[0] = (D3DKMT_ADAPTERINFO){0};
    two.NumAdapters = VIDMM_THUNK_ADAPTERS + 1; /* room for more than there can be */
    three.NumAdapters = UINT32_MAX;
    succeeds(vidmm_thunk_EnumAdapters2(one.process, &two));
    assert_int_not_equal(adapters[0].hAdapter, 0);
    succeeds(vidmm_thunk_EnumAdapters3(one.process, &three));
    assert_int_equal(two.NumAdapters, 1);
    assert_int_equal(three.NumAdapters, 1);
    assert_int_equal(adapters[1].hAdapter, 77);
    two.pAdapters = NULL;
    two.NumAdapters = 0;
    succeeds(vidmm_thunk_EnumAdapters2(one.process, &two));
    assert_int_equal(two.NumAdapters, VIDMM_THUNK_ADAPTERS);
    thunk_finish();
}

/* ---- one member at a time -------------------------------------------------------------------- */

static D3DKMT_UNREGISTERTRIMNOTIFICATION unregister_trim;
static D3DKMT_OPENADAPTERFROMLUID open_luid = {.AdapterLuid = THUNK_LUID};
static D3DKMT_QUERYSTATISTICS statistics = {.AdapterLuid = THUNK_LUID};

/* The member is put right again. */
#define TRY(Name, Arguments, Member, Value, Text)                                                  \
    do {                                                                                           \
        __typeof__(Arguments) right = Arguments, before;                                           \
                                                                                                   \
        Arguments.Member = Value;                                                                  \
        before = Arguments;                                                                        \
        refused(vidmm_thunk_##Name(one.process, &Arguments), Text);                                \
        assert_memory_equal(&Arguments, &before, sizeof(before));                                  \
        Arguments = right;                                                                         \
    } while (0)

static void flags_and_sizes_of_allocations_are_looked_at(void **state)
{
    (void)state;
    start_with_right_arguments();
    TRY(CreateAllocation2, create_allocation, pAllocationInfo2, NULL, "pAllocationInfo is NULL");
    TRY(CreateAllocation2, create_allocation, Flags.Reserved, 1, "reserved");
    TRY(CreateAllocation2, create_allocation, Flags.CreateShared, 1, "D-059");
    TRY(CreateAllocation2, create_allocation, Flags.ExistingSysMem, 1, "pSystemMem");
    TRY(CreateAllocation2, create_allocation, Flags.ExistingSection, 1, "D-060");
    TRY(CreateAllocation2, create_allocation, Flags.StandardAllocation, 1, "D-060");
    TRY(CreateAllocation2, create_allocation, PrivateRuntimeDataSize, 1, "pPrivateRuntimeData");
    TRY(CreateAllocation2, create_allocation, PrivateDriverDataSize, 1, "pPrivateDriverData");
    TRY(CreateAllocation2, create_allocation, hResource, foreign[RESOURCE], "hResource");
    TRY(DestroyAllocation2, destroy_two, phAllocationList, NULL, "phAllocationList is NULL");
    TRY(DestroyAllocation2, destroy_two, hResource, handles[RESOURCE], "expected one of them");
    TRY(DestroyAllocation2, destroy_two, Flags.Reserved, 1, "Flags");
    TRY(CreateAllocation2, create_allocation, Flags.NtSecuritySharing, 1, "(D-059");
    TRY(Lock, lock, NumPages, 1, "pPages");
    TRY(Lock, lock, Flags.Reserved, 1, "reserved");
    TRY(Unlock, unlock, phAllocations, NULL, "phAllocations");
    TRY(Unlock, unlock, NumAllocations, 1, "not locked");
    TRY(Lock2, lock_two, Flags.Reserved, 1, "lags");
    TRY(Unlock2, unlock_two, hDevice, handles[DEVICE], "lock");
    TRY(InvalidateCache, invalidate, Length, 0, "ength");
    TRY(InvalidateCache, invalidate, Offset, UINT64_MAX, "ffset");
    thunk_finish();
}

/* docs/thunks.md tells why. */
static void flags_of_creations_that_are_not_built_are_named(void **state)
{
    static const struct {
        unsigned bit;
        const char *name;
    } unbuilt[] = {{3, "CreateProtected"},   {11, "CrossAdapter"},
                   {12, "OpenCrossAdapter"}, {13, "PartialSharedCreation"},
                   {15, "WriteWatch"},       {19, "PhysicallyContiguous"},
                   {21, "SharedDisplayable"}};

    (void)state;
    start_with_right_arguments();
    for (size_t i = 0; i < sizeof(unbuilt) / sizeof(unbuilt[0]); i++) {
        D3DKMT_CREATEALLOCATION create = create_allocation;
        uint32_t flags = 1u << unbuilt[i].bit;

        memcpy(&create.Flags, &flags, sizeof(flags));
        refused_with(vidmm_thunk_CreateAllocation2(one.process, &create), STATUS_NOT_SUPPORTED,
                     unbuilt[i].name);
    }
    thunk_finish();
}

static void requests_of_residency_are_looked_at(void **state)
{
    (void)state;
    start_with_right_arguments();
    TRY(MakeResident, make_resident, AllocationList, NULL, "is NULL");
    TRY(MakeResident, make_resident, Flags.Reserved, 1, "flags");
    TRY(UpdateAllocationProperty, update_property, PropertyMaskValue, 0x10, "reserved bits");
    TRY(UpdateAllocationProperty, update_property, Flags.Reserved, 1, "reserved bits");
    TRY(UpdateAllocationProperty, update_property, hAllocation, handles[RESOURCE], "hAllocation");
    TRY(Evict, evict, NumAllocations, 1, "list");
    TRY(OfferAllocations, offer, Priority, 0, "riority");
    TRY(OfferAllocations, offer, Priority, 5, "riority");
    TRY(OfferAllocations, offer, HandleList, NULL, "none of a list");
    TRY(OfferAllocations, offer, pResources, list, "each of a list");
    TRY(OfferAllocations, offer, Flags.Reserved, 1, "reserved");
    TRY(CreatePagingQueue, create_queue, Priority, 2, "expected -1, 0 or 1");
    TRY(CreatePagingQueue, create_queue, Priority, -2, "expected -1, 0 or 1");
    TRY(CreatePagingQueue, create_queue, PhysicalAdapterIndex, 1, "expected 0");
    TRY(QueryVideoMemoryInfo, video_memory, MemorySegmentGroup, 2, "expected 0, local, or 1");
    TRY(QueryVideoMemoryInfo, video_memory, PhysicalAdapterIndex, 1, "expected 0");
    TRY(GetAllocationPriority, get_priority, pPriorities, NULL, "pPriorities");
    thunk_finish();
}

static void ranges_of_addresses_are_looked_at(void **state)
{
    (void)state;
    start_with_right_arguments();
    TRY(ReserveGpuVirtualAddress, reserve, ReservationType, 3, "expected 0 to 2");
    TRY(ReserveGpuVirtualAddress, reserve, Size, 1, "size");
    TRY(MapGpuVirtualAddress, map, OffsetInPages, UINT64_MAX, "OffsetInPages");
    TRY(MapGpuVirtualAddress, map, SizeInPages, UINT64_MAX, "SizeInPages");
    TRY(MapGpuVirtualAddress, map, Protection.Reserved, 1, "Protection");
    TRY(MapGpuVirtualAddress, map, Protection.Value, 12, "Zero and NoAccess");
    TRY(UpdateGpuVirtualAddress, update_addresses, Operations, NULL, "is NULL");
    TRY(UpdateGpuVirtualAddress, update_addresses, Reserved0, 1, "not 0");
    TRY(UpdateGpuVirtualAddress, update_addresses, Flags.Value, 2, "DoNotWait (1) alone");
    TRY(UpdateGpuVirtualAddress, update_addresses, FenceValue, 0, "Unmap.Protection is 0x0");
    changes[0].Unmap.Protection.Value = 0x14;
    TRY(UpdateGpuVirtualAddress, update_addresses, FenceValue, 0, "Unmap.Protection is 0x14");
    changes[0].Unmap.Protection.Value = 4;
    TRY(UpdateGpuVirtualAddress, update_addresses, FenceValue, 0, "size is 0");
    changes[0].Unmap.SizeInBytes = 0x1000;
    TRY(UpdateGpuVirtualAddress, update_addresses, FenceValue, 0, "D-222");
    TRY(UpdateGpuVirtualAddress, update_addresses, FenceValue, UINT64_MAX, "below 2^64 - 1");
    changes[0].OperationType = 4;
    TRY(UpdateGpuVirtualAddress, update_addresses, FenceValue, 0, "OperationType is 4");
    changes[0].OperationType = D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP;
    TRY(UpdateGpuVirtualAddress, update_addresses, FenceValue, 0, "hAllocation");
    changes[0].Map.hAllocation = handles[ALLOCATION];
    changes[0].Map.AllocationSizeInBytes = 0x2000;
    TRY(UpdateGpuVirtualAddress, update_addresses, FenceValue, 0, "AllocationSizeInBytes");
    changes[0].OperationType = D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP_PROTECT;
    changes[0].MapProtect.Protection.Value = 4;
    TRY(UpdateGpuVirtualAddress, update_addresses, FenceValue, 0, "Write and Execute");
    thunk_finish();
}

static void submissions_are_looked_at(void **state)
{
    (void)state;
    start_with_right_arguments();
    TRY(SubmitCommand, submit, CommandLength, 0, "ength");
    TRY(SubmitCommand, submit, PrivateDriverDataSize, 8, "pPrivateDriverData");
    TRY(SubmitCommand, submit, Flags.Reserved, 1, "reserved");
    TRY(CreateHwQueue, create_hw_queue, Flags.NoKmdAccess, 1, "Flags is 0x8");
    TRY(CreateHwQueue, create_hw_queue, Flags.Reserved, 1, "Flags is 0x10");
    TRY(CreateHwQueue, create_hw_queue, PrivateDriverDataSize, 2, "pPrivateDriverData");
    TRY(CreateHwQueue, create_hw_queue, hHwContext, handles[CONTEXT], "made for hardware queues");
    TRY(SubmitCommandToHwQueue, submit_hw, CommandLength, 0, "length");
    TRY(SubmitCommandToHwQueue, submit_hw, HwQueueProgressFenceId, 0, "greater than");
    TRY(SubmitCommandToHwQueue, submit_hw, PrivateDriverDataSize, 2, "pPrivateDriverData");
    TRY(SubmitCommandToHwQueue, submit_hw, NumPrimaries, 1, "WrittenPrimaries is NULL");
    TRY(SubmitWaitForSyncObjectsToHwQueue, wait_hw, ObjectHandleArray, NULL, "is NULL");
    TRY(SubmitWaitForSyncObjectsToHwQueue, wait_hw, FenceValueArray, NULL, "is NULL");
    TRY(SubmitSignalSyncObjectsToHwQueue, signal_hw, FenceValueArray, NULL, "is NULL");
    TRY(SubmitSignalSyncObjectsToHwQueue, signal_hw, Flags.Reserved, 1, "takes none");
    TRY(SubmitSignalSyncObjectsToHwQueue, signal_hw, BroadcastHwQueueArray, NULL, "is NULL");
    TRY(Render, render, Flags.Reserved, 1, "reserved");
    thunk_finish();
}

static void questions_and_shares_are_looked_at(void **state)
{
    (void)state;
    start_with_right_arguments();
    TRY(CreateContextVirtual, create_virtual, NodeOrdinal, 64, "node");
    TRY(CreateContextVirtual, create_virtual, EngineAffinity, 2, "EngineAffinity");
    TRY(CreateContextVirtual, create_virtual, PrivateDriverDataSize, 2, "pPrivateDriverData");
    TRY(CreateDevice, create_device, Flags.Reserved, 1, "reserved");
    TRY(GetDeviceState, device_state, StateType, 7, "StateType");
    TRY(GetDeviceState, device_state, StateType, 0, "StateType");
    TRY(MarkDeviceAsError, mark_error, Reason, 1, "0x80000006");
    TRY(SetContextSchedulingPriority, set_urgency, Priority, 8, "expected -7 to 7");
    TRY(SetContextSchedulingPriority, set_urgency, Priority, -8, "expected -7 to 7");
    TRY(SetContextInProcessSchedulingPriority, set_urgency_inside, Priority, 2, "expected 0");
    TRY(RegisterTrimNotification, register_trim, Callback, NULL, "Callback is NULL");
    TRY(RegisterTrimNotification, register_trim, AdapterLuid.LowPart, 0, "AdapterLuid");
    TRY(UnregisterTrimNotification, unregister_trim, Handle, list, "no registration");
    TRY(OpenAdapterFromLuid, open_luid, AdapterLuid.HighPart, 6, "which is no adapter's");
    TRY(QueryStatistics, statistics, AdapterLuid.LowPart, 0, "which is no adapter's");
    TRY(QueryStatistics, statistics, hProcess, &wish, "hProcess");
    TRY(QueryStatistics, statistics, Type, 20, "Type is 20");
    TRY(QueryVideoMemoryInfo, video_memory, hProcess, &wish, "hProcess");
    TRY(ChangeVideoMemoryReservation, reservation, hProcess, &wish, "hProcess");
    TRY(ChangeVideoMemoryReservation, reservation, MemorySegmentGroup, 2, "expected 0, local");
    TRY(Escape, escape, Flags.Reserved, 1, "reserved bits");
    TRY(Escape, escape, Flags.Reserved2, 1, "reserved bits");
    TRY(Escape, escape_alone, hContext, handles[CONTEXT], "hDevice is 0");
    TRY(Escape, escape, pPrivateDriverData, NULL, "pPrivateDriverData");
    TRY(QueryAdapterInfo, query_adapter, pPrivateDriverData, NULL, "pPrivateDriverData");
    TRY(QueryAdapterInfo, query_adapter, PrivateDriverDataSize, 23, "expected 24");
    TRY(QueryResourceInfoFromNtHandle, query_nt, hNtHandle, (HANDLE)(intptr_t)-1, "hNtHandle");
    TRY(GetSharedResourceAdapterLuid, shared_luid, hGlobalShare, 77, "no shared resource");
    TRY(GetSharedResourceAdapterLuid, shared_luid, hNtHandle, (HANDLE)(intptr_t)9999,
        "no resource");
    thunk_finish();
}

static void signals_and_waits_are_looked_at(void **state)
{
    (void)state;
    start_with_right_arguments();
    TRY(OpenSynchronizationObject, open_sync, hSharedHandle, 0, "no shared");
    TRY(OpenSynchronizationObject, open_sync, hSharedHandle, 77, "no shared");
    TRY(OpenSyncObjectFromNtHandle2, open_sync_nt, hNtHandle, (HANDLE)(intptr_t)99999, "hNtHandle");
    TRY(SignalSynchronizationObjectFromCpu, signal_cpu, Flags.Reserved, 1, "reserved");
    TRY(SignalSynchronizationObjectFromCpu, signal_cpu, Flags.EnqueueCpuEvent, 1, "no queue");
    TRY(WaitForSynchronizationObjectFromCpu, wait_cpu, Flags.Reserved, 1, "reserved");
    TRY(SignalSynchronizationObjectFromGpu2, signal_gpu2, BroadcastContextArray, NULL, "is NULL");
    TRY(CreateSynchronizationObject, create_old, Info.Type, D3DDDI_FENCE, "expected 1, a mutex");
    TRY(CreateSynchronizationObject, create_old, Info.Type, D3DDDI_SEMAPHORE, "MaxCount is 0");
    TRY(WaitForSynchronizationObject, wait_old, ObjectHandleArray[0], handles[FENCE], "a fence");
    TRY(SignalSynchronizationObject, signal_old, ObjectHandleArray[0], handles[FENCE], "a fence");
    TRY(SignalSynchronizationObject, signal_old, Flags.EnqueueCpuEvent, 1, "no event");
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_count_of_every_thunk_is_tested),
        cmocka_unit_test(counts_out_of_their_range_are_refused),
        cmocka_unit_test(signals_by_several_at_once_are_not_built),
        cmocka_unit_test(a_list_of_adapters_has_to_hold_all_of_them),
        cmocka_unit_test(flags_and_sizes_of_allocations_are_looked_at),
        cmocka_unit_test(flags_of_creations_that_are_not_built_are_named),
        cmocka_unit_test(requests_of_residency_are_looked_at),
        cmocka_unit_test(ranges_of_addresses_are_looked_at),
        cmocka_unit_test(submissions_are_looked_at),
        cmocka_unit_test(questions_and_shares_are_looked_at),
        cmocka_unit_test(signals_and_waits_are_looked_at),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
