/* test_thunk_refusals.c: each thunk with arguments that are wrong in one way: a handle, a count, a
 * flag, a NULL. Every refusal has its reason, and nothing changes.
 */
#include "test_thunk_rig.h"

enum { ROOM = 1200 }; /* bytes of the largest arguments */

enum kind { ADAPTER, DEVICE, CONTEXT, QUEUE, ALLOCATION, RESOURCE, FENCE, HW_QUEUE, KINDS };

static D3DKMT_HANDLE handles[KINDS]; /* of the program, one of each type */
static D3DKMT_HANDLE foreign[KINDS]; /* of the other program; the numbers lead nowhere here */
static D3DKMT_HANDLE dead;

static void hears_nothing(D3DKMT_TRIMNOTIFICATION *notification)
{
    (void)notification;
}

/* Legal arguments of each thunk. The targets of their pointers stay. */
static D3DKMT_HANDLE list[2], contexts[1];
static UINT priorities[2];
static D3DKMT_ALLOCATIONRESIDENCYSTATUS statuses[2];
static struct softgpu_allocation wish;
static D3DDDI_ALLOCATIONINFO2 info;
static D3DKMT_SEGMENTSIZEINFO sizes;
static struct softgpu_escape message;

static D3DKMT_CREATEDEVICE create_device;
static D3DKMT_GETDEVICESTATE device_state = {.StateType = D3DKMT_DEVICESTATE_EXECUTION};
static D3DKMT_DESTROYDEVICE destroy_device;
static D3DKMT_CLOSEADAPTER close_adapter;
static D3DKMT_CREATECONTEXT create_context;
static D3DKMT_CREATECONTEXTVIRTUAL create_virtual;
static D3DKMT_DESTROYCONTEXT destroy_context;
static D3DKMT_CREATEALLOCATION create_allocation = {.NumAllocations = 1, .pAllocationInfo2 = &info};
static D3DKMT_DESTROYALLOCATION destroy_one = {.phAllocationList = list, .AllocationCount = 1};
static D3DKMT_DESTROYALLOCATION2 destroy_two = {.phAllocationList = list, .AllocationCount = 1};
static D3DKMT_SETALLOCATIONPRIORITY set_priority = {
    .phAllocationList = list, .AllocationCount = 1, .pPriorities = priorities};
static D3DKMT_QUERYALLOCATIONRESIDENCY query_residency = {
    .phAllocationList = list, .AllocationCount = 1, .pResidencyStatus = statuses};
static D3DKMT_OFFERALLOCATIONS offer = {
    .HandleList = list, .NumAllocations = 1, .Priority = D3DKMT_OFFER_PRIORITY_LOW};
static D3DKMT_RECLAIMALLOCATIONS2 reclaim = {.HandleList = list, .NumAllocations = 1};
static D3DKMT_CREATEPAGINGQUEUE create_queue;
static D3DDDI_DESTROYPAGINGQUEUE destroy_queue;
static D3DDDI_UPDATEALLOCPROPERTY update_property = {.PropertyMaskValue = 1};
static D3DDDI_MAKERESIDENT make_resident = {.AllocationList = list, .NumAllocations = 1};
static D3DKMT_EVICT evict = {.AllocationList = list, .NumAllocations = 1};
static D3DKMT_QUERYVIDEOMEMORYINFO video_memory;
static D3DKMT_CHANGEVIDEOMEMORYRESERVATION reservation;
static D3DDDI_RESERVEGPUVIRTUALADDRESS reserve = {.Size = 0x10000};
static D3DDDI_MAPGPUVIRTUALADDRESS map = {.SizeInPages = 1};
static D3DKMT_FREEGPUVIRTUALADDRESS free_address = {.BaseAddress = 0x40000000, .Size = 0x1000};
static D3DKMT_SUBMITCOMMAND submit = {
    .Commands = 0x10000, .CommandLength = 16, .BroadcastContextCount = 1};
static D3DKMT_ESCAPE escape = {.pPrivateDriverData = &message,
                               .PrivateDriverDataSize = sizeof(message)};
static D3DKMT_QUERYADAPTERINFO query_adapter = {.Type = KMTQAITYPE_GETSEGMENTSIZE,
                                                .pPrivateDriverData = &sizes,
                                                .PrivateDriverDataSize = sizeof(sizes)};
static D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION changes[1] = {
    {.OperationType = D3DDDI_UPDATEGPUVIRTUALADDRESS_UNMAP}};
static D3DKMT_UPDATEGPUVIRTUALADDRESS update_addresses = {.NumOperations = 1,
                                                          .Operations = changes};
static D3DKMT_LOCK lock = {.Flags = {.LockEntire = 1}};
static D3DKMT_UNLOCK unlock = {.NumAllocations = 1, .phAllocations = list};
static D3DKMT_LOCK2 lock_two;
static D3DKMT_UNLOCK2 unlock_two;
static D3DKMT_INVALIDATECACHE invalidate = {.Length = 1};
static D3DKMT_RENDER render = {.CommandLength = 16};
static UINT64 values[2] = {1, 1};
static D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create_sync = {.Info = {.Type = D3DDDI_MONITORED_FENCE}};
static D3DKMT_DESTROYSYNCHRONIZATIONOBJECT destroy_sync;
static D3DKMT_OPENSYNCHRONIZATIONOBJECT open_sync;
static D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU signal_cpu = {
    .ObjectCount = 1, .ObjectHandleArray = list, .FenceValueArray = values};
static D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU wait_cpu = {
    .ObjectCount = 1, .ObjectHandleArray = list, .FenceValueArray = values};
static D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU signal_gpu = {
    .ObjectCount = 1, .ObjectHandleArray = list, .MonitoredFenceValueArray = values};
static D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2 signal_gpu2 = {.ObjectCount = 1,
                                                                 .ObjectHandleArray = list,
                                                                 .BroadcastContextCount = 1,
                                                                 .BroadcastContextArray = contexts,
                                                                 .MonitoredFenceValueArray =
                                                                     values};
static D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU wait_gpu = {
    .ObjectCount = 1, .ObjectHandleArray = list, .MonitoredFenceValueArray = values};
static D3DKMT_SIGNALSYNCHRONIZATIONOBJECT2 signal_two = {.ObjectCount = 1};
static D3DKMT_WAITFORSYNCHRONIZATIONOBJECT2 wait_two = {.ObjectCount = 1};
static D3DKMT_CREATESYNCHRONIZATIONOBJECT create_old = {
    .Info = {.Type = D3DDDI_SYNCHRONIZATION_MUTEX}};
static D3DKMT_WAITFORSYNCHRONIZATIONOBJECT wait_old = {.ObjectCount = 1};
static D3DKMT_SIGNALSYNCHRONIZATIONOBJECT signal_old = {.ObjectCount = 1};
static D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2 open_sync_nt;
static D3DKMT_QUERYRESOURCEINFOFROMNTHANDLE query_nt;
static D3DKMT_OPENRESOURCEFROMNTHANDLE open_nt;
static D3DKMT_GETSHAREDRESOURCEADAPTERLUID shared_luid;
static D3DKMT_QUERYRESOURCEINFO query_resource;
static D3DKMT_OPENRESOURCE open_resource;
static D3DKMT_MARKDEVICEASERROR mark_error = {.Reason = D3DKMT_DEVICE_ERROR_REASON_GENERIC};
static D3DKMT_SETCONTEXTSCHEDULINGPRIORITY set_urgency;
static D3DKMT_GETCONTEXTSCHEDULINGPRIORITY get_urgency;
static D3DKMT_SETCONTEXTINPROCESSSCHEDULINGPRIORITY set_urgency_inside;
static D3DKMT_GETCONTEXTINPROCESSSCHEDULINGPRIORITY get_urgency_inside;
static D3DKMT_GETALLOCATIONPRIORITY get_priority = {
    .phAllocationList = list, .AllocationCount = 1, .pPriorities = priorities};
static D3DKMT_REGISTERTRIMNOTIFICATION register_trim = {
    .AdapterLuid = {.LowPart = 0x1234, .HighPart = 7}, .Callback = hears_nothing};
static D3DKMT_UNREGISTERTRIMNOTIFICATION unregister_trim;
static D3DKMT_HANDLE hw_queues[1];
static D3DKMT_CREATEHWQUEUE create_hw_queue;
static D3DKMT_DESTROYHWQUEUE destroy_hw_queue;
static D3DKMT_SUBMITCOMMANDTOHWQUEUE submit_hw = {
    .HwQueueProgressFenceId = 1, .CommandBuffer = 0x10000, .CommandLength = 16};
static D3DKMT_SUBMITWAITFORSYNCOBJECTSTOHWQUEUE wait_hw = {
    .ObjectCount = 1, .ObjectHandleArray = list, .FenceValueArray = values};
static D3DKMT_SUBMITSIGNALSYNCOBJECTSTOHWQUEUE signal_hw = {.BroadcastHwQueueCount = 1,
                                                            .BroadcastHwQueueArray = hw_queues,
                                                            .ObjectCount = 1,
                                                            .ObjectHandleArray = list,
                                                            .FenceValueArray = values};

typedef NTSTATUS call(struct vidmm_thunk_process *process, void *arguments);

/* A member that is a handle. */
#define ROW(Name, Arguments, Member, Kind)                                                         \
    {                                                                                              \
#Name, (call *)(void *)vidmm_thunk_##Name, &Arguments, sizeof(Arguments),                  \
            (D3DKMT_HANDLE *)&Arguments.Member, Kind                                               \
    }

static const struct row {
    const char *name;
    call *call;
    void *arguments;
    size_t size;
    D3DKMT_HANDLE *handle;
    enum kind kind;
} rows[] = {
    ROW(CloseAdapter, close_adapter, hAdapter, ADAPTER),
    ROW(QueryAdapterInfo, query_adapter, hAdapter, ADAPTER),
    ROW(CreateDevice, create_device, hAdapter, ADAPTER),
    ROW(DestroyDevice, destroy_device, hDevice, DEVICE),
    ROW(GetDeviceState, device_state, hDevice, DEVICE),
    ROW(RegisterTrimNotification, register_trim, hDevice, DEVICE),
    ROW(MarkDeviceAsError, mark_error, hDevice, DEVICE),
    ROW(SetContextSchedulingPriority, set_urgency, hContext, CONTEXT),
    ROW(GetContextSchedulingPriority, get_urgency, hContext, CONTEXT),
    ROW(SetContextInProcessSchedulingPriority, set_urgency_inside, hContext, CONTEXT),
    ROW(GetContextInProcessSchedulingPriority, get_urgency_inside, hContext, CONTEXT),
    ROW(GetAllocationPriority, get_priority, hDevice, DEVICE),
    ROW(CreateContext, create_context, hDevice, DEVICE),
    ROW(CreateContextVirtual, create_virtual, hDevice, DEVICE),
    ROW(DestroyContext, destroy_context, hContext, CONTEXT),
    ROW(CreateAllocation, create_allocation, hDevice, DEVICE),
    ROW(CreateAllocation2, create_allocation, hDevice, DEVICE),
    ROW(DestroyAllocation, destroy_one, hDevice, DEVICE),
    ROW(DestroyAllocation2, destroy_two, hDevice, DEVICE),
    ROW(SetAllocationPriority, set_priority, hDevice, DEVICE),
    ROW(QueryAllocationResidency, query_residency, hDevice, DEVICE),
    ROW(OfferAllocations, offer, hDevice, DEVICE),
    ROW(ReclaimAllocations2, reclaim, hPagingQueue, QUEUE),
    ROW(QueryResourceInfo, query_resource, hDevice, DEVICE),
    ROW(OpenResource, open_resource, hDevice, DEVICE),
    ROW(CreatePagingQueue, create_queue, hDevice, DEVICE),
    ROW(DestroyPagingQueue, destroy_queue, hPagingQueue, QUEUE),
    ROW(UpdateAllocationProperty, update_property, hPagingQueue, QUEUE),
    ROW(MakeResident, make_resident, hPagingQueue, QUEUE),
    ROW(Evict, evict, hDevice, DEVICE),
    ROW(QueryVideoMemoryInfo, video_memory, hAdapter, ADAPTER),
    ROW(ChangeVideoMemoryReservation, reservation, hAdapter, ADAPTER),
    ROW(ReserveGpuVirtualAddress, reserve, hPagingQueue, QUEUE),
    ROW(MapGpuVirtualAddress, map, hPagingQueue, QUEUE),
    ROW(FreeGpuVirtualAddress, free_address, hAdapter, ADAPTER),
    ROW(UpdateGpuVirtualAddress, update_addresses, hDevice, DEVICE),
    ROW(UpdateGpuVirtualAddress, update_addresses, hContext, CONTEXT),
    ROW(UpdateGpuVirtualAddress, update_addresses, hFenceObject, FENCE),
    ROW(SubmitCommand, submit, BroadcastContext[0], CONTEXT),
    ROW(CreateHwQueue, create_hw_queue, hHwContext, CONTEXT),
    ROW(DestroyHwQueue, destroy_hw_queue, hHwQueue, HW_QUEUE),
    ROW(SubmitCommandToHwQueue, submit_hw, hHwQueue, HW_QUEUE),
    ROW(SubmitWaitForSyncObjectsToHwQueue, wait_hw, hHwQueue, HW_QUEUE),
    ROW(Escape, escape, hDevice, DEVICE),
    ROW(Render, render, hContext, CONTEXT),
    ROW(Lock, lock, hDevice, DEVICE),
    ROW(Lock, lock, hAllocation, ALLOCATION),
    ROW(Unlock, unlock, hDevice, DEVICE),
    ROW(Lock2, lock_two, hDevice, DEVICE),
    ROW(Lock2, lock_two, hAllocation, ALLOCATION),
    ROW(Unlock2, unlock_two, hDevice, DEVICE),
    ROW(Unlock2, unlock_two, hAllocation, ALLOCATION),
    ROW(InvalidateCache, invalidate, hDevice, DEVICE),
    ROW(InvalidateCache, invalidate, hAllocation, ALLOCATION),
    ROW(OpenSyncObjectFromNtHandle2, open_sync_nt, hDevice, DEVICE),
    ROW(QueryResourceInfoFromNtHandle, query_nt, hDevice, DEVICE),
    ROW(OpenResourceFromNtHandle, open_nt, hDevice, DEVICE),
    ROW(CreateSynchronizationObject2, create_sync, hDevice, DEVICE),
    ROW(CreateSynchronizationObject, create_old, hDevice, DEVICE),
    ROW(WaitForSynchronizationObject, wait_old, hContext, CONTEXT),
    ROW(SignalSynchronizationObject, signal_old, hContext, CONTEXT),
    ROW(DestroySynchronizationObject, destroy_sync, hSyncObject, FENCE),
    ROW(SignalSynchronizationObjectFromCpu, signal_cpu, hDevice, DEVICE),
    ROW(WaitForSynchronizationObjectFromCpu, wait_cpu, hDevice, DEVICE),
    ROW(SignalSynchronizationObjectFromGpu, signal_gpu, hContext, CONTEXT),
    ROW(WaitForSynchronizationObjectFromGpu, wait_gpu, hContext, CONTEXT),
    ROW(SignalSynchronizationObject2, signal_two, hContext, CONTEXT),
    ROW(SignalSynchronizationObject2, signal_two, ObjectHandleArray[0], FENCE),
    ROW(WaitForSynchronizationObject2, wait_two, hContext, CONTEXT),
    ROW(WaitForSynchronizationObject2, wait_two, ObjectHandleArray[0], FENCE),
};

/* The fences of a list. */
static const struct row fences[] = {
    ROW(SignalSynchronizationObjectFromCpu, signal_cpu, hDevice, DEVICE),
    ROW(WaitForSynchronizationObjectFromCpu, wait_cpu, hDevice, DEVICE),
    ROW(SignalSynchronizationObjectFromGpu, signal_gpu, hContext, CONTEXT),
    ROW(WaitForSynchronizationObjectFromGpu, wait_gpu, hContext, CONTEXT),
};

enum { FENCES = sizeof(fences) / sizeof(fences[0]) };

/* The allocations of a list. */
static const struct row lists[] = {
    ROW(DestroyAllocation, destroy_one, hDevice, DEVICE),
    ROW(DestroyAllocation2, destroy_two, hDevice, DEVICE),
    ROW(SetAllocationPriority, set_priority, hDevice, DEVICE),
    ROW(GetAllocationPriority, get_priority, hDevice, DEVICE),
    ROW(QueryAllocationResidency, query_residency, hDevice, DEVICE),
    ROW(OfferAllocations, offer, hDevice, DEVICE),
    ROW(ReclaimAllocations2, reclaim, hPagingQueue, QUEUE),
    ROW(MakeResident, make_resident, hPagingQueue, QUEUE),
    ROW(Evict, evict, hDevice, DEVICE),
    ROW(Unlock, unlock, hDevice, DEVICE),
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]), LISTS = sizeof(lists) / sizeof(lists[0]) };

/* Those without a handle that is a member; handles in lists are looked at below. */
static const char *const without_handles[] = {
    "EnumAdapters2",
    "EnumAdapters3",
    "GetSharedResourceAdapterLuid",
    "OpenAdapterFromLuid",
    "OpenSynchronizationObject",
    "QueryStatistics",
    "ShareObjectsInternal",
    "SignalSynchronizationObjectFromGpu2",
    "SubmitSignalSyncObjectsToHwQueue",
    "UnregisterTrimNotification",
};

static bool has_row(const char *name)
{
    for (unsigned i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return true;
    for (unsigned i = 0; i < sizeof(without_handles) / sizeof(without_handles[0]); i++)
        if (strcmp(without_handles[i], name) == 0)
            return true;
    return false;
}

static void every_thunk_has_a_row(void **state)
{
    static const char *const built[] = {
#define BUILT(Name, Arguments) #Name,
#define UNBUILT(Name)
#include "thunk/thunks.def"
#undef BUILT
#undef UNBUILT
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(built) / sizeof(built[0]); i++)
        if (!has_row(built[i]))
            fail_msg("%s has no row", built[i]);
}

static D3DKMT_HANDLE resource_of(struct thunk_program *program)
{
    D3DKMT_CREATEALLOCATION create = {.hDevice = program->device, .Flags = {.CreateResource = 1}};

    succeeds(vidmm_thunk_CreateAllocation2(program->process, &create));
    return create.hResource;
}

static D3DKMT_HANDLE fence_of(struct thunk_program *program)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {.hDevice = program->device};

    create.Info.Type = D3DDDI_MONITORED_FENCE;
    succeeds(vidmm_thunk_CreateSynchronizationObject2(program->process, &create));
    return create.hSyncObject;
}

static D3DKMT_HANDLE mutex_of(struct thunk_program *program)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT create = {.hDevice = program->device,
                                                 .Info.Type = D3DDDI_SYNCHRONIZATION_MUTEX};

    succeeds(vidmm_thunk_CreateSynchronizationObject(program->process, &create));
    return create.hSyncObject;
}

static D3DKMT_HANDLE hw_queue_of(struct thunk_program *program)
{
    D3DKMT_CREATECONTEXTVIRTUAL context = {.hDevice = program->device,
                                           .Flags = {.HwQueueSupported = 1}};
    D3DKMT_CREATEHWQUEUE create = {0};

    succeeds(vidmm_thunk_CreateContextVirtual(program->process, &context));
    create.hHwContext = context.hContext;
    succeeds(vidmm_thunk_CreateHwQueue(program->process, &create));
    return create.hHwQueue;
}

static void gather(struct thunk_program *program, D3DKMT_HANDLE *of)
{
    of[ADAPTER] = program->adapter;
    of[DEVICE] = program->device;
    of[CONTEXT] = program->context;
    of[QUEUE] = program->queue;
    of[ALLOCATION] = thunk_create(program, 1);
    of[RESOURCE] = resource_of(program);
    of[FENCE] = fence_of(program);
    of[HW_QUEUE] = hw_queue_of(program);
}

/* The other program has used many numbers before, so that its handles are others. */
static void start(void)
{
    D3DKMT_DESTROYALLOCATION2 destroy = {.phAllocationList = list, .AllocationCount = 1};

    thunk_start(THUNK_QUEUES_GPU);
    for (unsigned i = 0; i < 40; i++) {
        D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = THUNK_LUID};

        succeeds(vidmm_thunk_OpenAdapterFromLuid(other.process, &open));
    }
    begin_program(&one);
    begin_program(&other);
    gather(&one, handles);
    gather(&other, foreign);
    wait_old.ObjectHandleArray[0] = signal_old.ObjectHandleArray[0] = mutex_of(&one);
    wish = thunk_wish(1, 0, 2);
    info = (D3DDDI_ALLOCATIONINFO2){.pPrivateDriverData = &wish,
                                    .PrivateDriverDataSize = sizeof(wish)};
    message.magic = SOFTGPU_ESCAPE_MAGIC;
    list[0] = dead = thunk_create(&one, 1);
    destroy.hDevice = one.device;
    succeeds(vidmm_thunk_DestroyAllocation2(one.process, &destroy));
}

static void refuses(const struct row *row, const char *why)
{
    unsigned char before[ROOM];
    NTSTATUS status;

    assert_in_range(row->size, 1, ROOM);
    memcpy(before, row->arguments, row->size);
    status = row->call(one.process, row->arguments);
    if (status != STATUS_INVALID_PARAMETER)
        fail_msg("%s, %s: 0x%08x", row->name, why, (unsigned)status);
    if (vidmm_thunk_reason()[0] == '\0')
        fail_msg("%s, %s: no reason", row->name, why);
    if (memcmp(before, row->arguments, row->size) != 0)
        fail_msg("%s, %s: the arguments have changed", row->name, why);
}

/* None, one that is dead, one of each other type, one of another process. */
static void wrong_handles(const struct row *row, D3DKMT_HANDLE *member, enum kind kind)
{
    D3DKMT_HANDLE right = *member;

    *member = 0;
    refuses(row, "no handle");
    *member = dead;
    refuses(row, "a handle that is dead");
    *member = 0xffffffffu;
    refuses(row, "a handle made up");
    for (enum kind k = 0; k < KINDS; k++)
        if (k != kind) {
            *member = handles[k];
            if (row->call != (call *)(void *)vidmm_thunk_ReserveGpuVirtualAddress || k != ADAPTER)
                refuses(row, "a handle of another type");
        }
    *member = foreign[kind];
    refuses(row, "a handle of another process");
    *member = right;
}

static void handles_of_another_type_or_process_are_refused(void **state)
{
    (void)state;
    start();
    list[0] = handles[ALLOCATION];
    for (unsigned i = 0; i < ROWS; i++) {
        *rows[i].handle = handles[rows[i].kind];
        wrong_handles(&rows[i], rows[i].handle, rows[i].kind);
    }
    thunk_finish();
}

static void handles_in_lists_are_looked_at_one_by_one(void **state)
{
    (void)state;
    start();
    for (unsigned i = 0; i < LISTS; i++) {
        *lists[i].handle = handles[lists[i].kind];
        list[0] = handles[ALLOCATION];
        wrong_handles(&lists[i], &list[0], ALLOCATION);
    }
    for (unsigned i = 0; i < FENCES; i++) {
        *fences[i].handle = handles[fences[i].kind];
        list[0] = handles[FENCE];
        wrong_handles(&fences[i], &list[0], FENCE);
    }
    wait_old.hContext = signal_old.hContext = handles[CONTEXT];
    wrong_handles(&(struct row)ROW(WaitForSynchronizationObject, wait_old, hContext, CONTEXT),
                  &wait_old.ObjectHandleArray[0], FENCE);
    wrong_handles(&(struct row)ROW(SignalSynchronizationObject, signal_old, hContext, CONTEXT),
                  &signal_old.ObjectHandleArray[0], FENCE);
    /* The contexts of a list, too. */
    list[0] = handles[FENCE];
    contexts[0] = handles[CONTEXT];
    wrong_handles(
        &(struct row)ROW(SignalSynchronizationObjectFromGpu2, signal_gpu2, Reserved[7], CONTEXT),
        &contexts[0], CONTEXT);
    wrong_handles(
        &(struct row)ROW(SignalSynchronizationObjectFromGpu2, signal_gpu2, Reserved[7], CONTEXT),
        &list[0], FENCE);
    wait_hw.hHwQueue = hw_queues[0] = handles[HW_QUEUE];
    wrong_handles(&(struct row)ROW(SubmitWaitForSyncObjectsToHwQueue, wait_hw, hHwQueue, HW_QUEUE),
                  &list[0], FENCE);
    wrong_handles(&(struct row)ROW(SubmitSignalSyncObjectsToHwQueue, signal_hw,
                                   BroadcastHwQueueCount, HW_QUEUE),
                  &hw_queues[0], HW_QUEUE);
    wrong_handles(&(struct row)ROW(SubmitSignalSyncObjectsToHwQueue, signal_hw,
                                   BroadcastHwQueueCount, HW_QUEUE),
                  &list[0], FENCE);
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
    for (unsigned i = 0; i < ROWS; i++)
        *rows[i].handle = handles[rows[i].kind];
    list[0] = thunk_create(&second, 1);
    for (unsigned i = 0; i < LISTS; i++)
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
    for (unsigned i = 0; i < ROWS; i++) {
        assert_int_equal(rows[i].call(one.process, NULL), STATUS_INVALID_PARAMETER);
        assert_string_equal(vidmm_thunk_reason(), "the arguments are NULL");
    }
    thunk_finish();
}

/* Counts. Members are put right again. */
#define TRY(Name, Arguments, Member, Value, Text)                                                  \
    do {                                                                                           \
        __typeof__(Arguments) right = Arguments;                                                   \
                                                                                                   \
        Arguments.Member = Value;                                                                  \
        refused(vidmm_thunk_##Name(one.process, &Arguments), Text);                                \
        Arguments = right;                                                                         \
    } while (0)

static void counts_and_flags_out_of_their_range_are_refused(void **state)
{
    (void)state;
    start();
    for (unsigned i = 0; i < ROWS; i++)
        *rows[i].handle = handles[rows[i].kind];
    list[0] = handles[ALLOCATION];
    TRY(CreateAllocation2, create_allocation, NumAllocations, 0, "expected 1 to 1024");
    TRY(CreateAllocation2, create_allocation, NumAllocations, 1025, "expected 1 to 1024");
    TRY(CreateAllocation2, create_allocation, pAllocationInfo2, NULL, "pAllocationInfo is NULL");
    TRY(CreateAllocation2, create_allocation, Flags.Reserved, 1, "reserved");
    TRY(CreateAllocation2, create_allocation, Flags.CreateShared, 1, "D-059");
    TRY(CreateAllocation2, create_allocation, Flags.ExistingSysMem, 1, "pSystemMem");
    TRY(CreateAllocation2, create_allocation, Flags.ExistingSection, 1, "D-060");
    TRY(CreateAllocation2, create_allocation, Flags.StandardAllocation, 1, "D-060");
    TRY(CreateAllocation2, create_allocation, PrivateRuntimeDataSize, 1, "pPrivateRuntimeData");
    TRY(CreateAllocation2, create_allocation, PrivateDriverDataSize, 1, "pPrivateDriverData");
    TRY(CreateAllocation2, create_allocation, hResource, foreign[RESOURCE], "hResource");
    TRY(DestroyAllocation2, destroy_two, AllocationCount, 0, "expected 1 to 1024");
    TRY(DestroyAllocation2, destroy_two, AllocationCount, 1025, "expected 1 to 1024");
    TRY(DestroyAllocation2, destroy_two, phAllocationList, NULL, "phAllocationList is NULL");
    TRY(DestroyAllocation2, destroy_two, hResource, handles[RESOURCE], "expected one of them");
    TRY(DestroyAllocation2, destroy_two, Flags.Reserved, 1, "Flags");
    TRY(MakeResident, make_resident, NumAllocations, 0, "expected 1 to 10240");
    TRY(MakeResident, make_resident, NumAllocations, 10241, "expected 1 to 10240");
    TRY(MakeResident, make_resident, AllocationList, NULL, "is NULL");
    TRY(MakeResident, make_resident, Flags.Reserved, 1, "flags");
    TRY(UpdateAllocationProperty, update_property, PropertyMaskValue, 0x10, "reserved bits");
    TRY(UpdateAllocationProperty, update_property, Flags.Reserved, 1, "reserved bits");
    TRY(UpdateAllocationProperty, update_property, hAllocation, handles[RESOURCE], "hAllocation");
    TRY(Evict, evict, NumAllocations, 10241, "expected 1 to 10240");
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
    TRY(ReserveGpuVirtualAddress, reserve, ReservationType, 3, "expected 0 to 2");
    TRY(ReserveGpuVirtualAddress, reserve, Size, 1, "size");
    TRY(MapGpuVirtualAddress, map, OffsetInPages, UINT64_MAX, "OffsetInPages");
    TRY(MapGpuVirtualAddress, map, SizeInPages, UINT64_MAX, "SizeInPages");
    TRY(MapGpuVirtualAddress, map, Protection.Reserved, 1, "Protection");
    TRY(MapGpuVirtualAddress, map, Protection.Value, 12, "Zero and NoAccess");
    TRY(UpdateGpuVirtualAddress, update_addresses, NumOperations, 0, "expected 1 to 65536");
    TRY(UpdateGpuVirtualAddress, update_addresses, NumOperations, 65537, "expected 1 to 65536");
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
    TRY(SubmitCommand, submit, BroadcastContextCount, 0, "BroadcastContextCount");
    TRY(SubmitCommand, submit, BroadcastContextCount, 2, "BroadcastContextCount");
    TRY(SubmitCommand, submit, CommandLength, 0, "ength");
    TRY(SubmitCommand, submit, PrivateDriverDataSize, 8, "pPrivateDriverData");
    TRY(SubmitCommand, submit, NumPrimaries, 17, "expected 0 to 16");
    TRY(SubmitCommand, submit, NumHistoryBuffers, 1, "NumHistoryBuffers");
    TRY(SubmitCommand, submit, Flags.Reserved, 1, "reserved");
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
    TRY(GetAllocationPriority, get_priority, AllocationCount, 0, "expected 1 to 10240");
    TRY(GetAllocationPriority, get_priority, AllocationCount, 10241, "expected 1 to 10240");
    TRY(GetAllocationPriority, get_priority, pPriorities, NULL, "pPriorities");
    TRY(RegisterTrimNotification, register_trim, Callback, NULL, "Callback is NULL");
    TRY(RegisterTrimNotification, register_trim, AdapterLuid.LowPart, 0, "AdapterLuid");
    TRY(UnregisterTrimNotification, unregister_trim, Handle, list, "no registration");
    TRY(Escape, escape, pPrivateDriverData, NULL, "pPrivateDriverData");
    TRY(QueryAdapterInfo, query_adapter, pPrivateDriverData, NULL, "pPrivateDriverData");
    TRY(QueryAdapterInfo, query_adapter, PrivateDriverDataSize, 23, "expected 24");
    TRY(OpenSynchronizationObject, open_sync, hSharedHandle, 0, "no shared");
    TRY(OpenSynchronizationObject, open_sync, hSharedHandle, 77, "no shared");
    TRY(OpenSyncObjectFromNtHandle2, open_sync_nt, hNtHandle, (HANDLE)(intptr_t)99999, "hNtHandle");
    TRY(QueryResourceInfoFromNtHandle, query_nt, hNtHandle, (HANDLE)(intptr_t)-1, "hNtHandle");
    TRY(GetSharedResourceAdapterLuid, shared_luid, hGlobalShare, 77, "no shared resource");
    TRY(GetSharedResourceAdapterLuid, shared_luid, hNtHandle, (HANDLE)(intptr_t)9999,
        "no resource");
    TRY(CreateAllocation2, create_allocation, Flags.NtSecuritySharing, 1, "(D-059");
    TRY(SignalSynchronizationObjectFromCpu, signal_cpu, Flags.Reserved, 1, "reserved");
    TRY(SignalSynchronizationObjectFromCpu, signal_cpu, Flags.EnqueueCpuEvent, 1, "no queue");
    TRY(WaitForSynchronizationObjectFromCpu, wait_cpu, Flags.Reserved, 1, "reserved");
    TRY(SignalSynchronizationObjectFromGpu2, signal_gpu2, BroadcastContextCount, 0, "takes 1");
    TRY(SignalSynchronizationObjectFromGpu2, signal_gpu2, BroadcastContextCount, 65, "takes 1");
    TRY(SignalSynchronizationObjectFromGpu2, signal_gpu2, BroadcastContextArray, NULL, "is NULL");
    hw_queues[0] = handles[HW_QUEUE];
    TRY(CreateHwQueue, create_hw_queue, Flags.NoKmdAccess, 1, "Flags is 0x8");
    TRY(CreateHwQueue, create_hw_queue, Flags.Reserved, 1, "Flags is 0x10");
    TRY(CreateHwQueue, create_hw_queue, PrivateDriverDataSize, 2, "pPrivateDriverData");
    TRY(CreateHwQueue, create_hw_queue, hHwContext, handles[CONTEXT], "made for hardware queues");
    TRY(SubmitCommandToHwQueue, submit_hw, CommandLength, 0, "length");
    TRY(SubmitCommandToHwQueue, submit_hw, HwQueueProgressFenceId, 0, "greater than");
    TRY(SubmitCommandToHwQueue, submit_hw, PrivateDriverDataSize, 2, "pPrivateDriverData");
    TRY(SubmitCommandToHwQueue, submit_hw, NumPrimaries, 17, "expected 0 to 16");
    TRY(SubmitCommandToHwQueue, submit_hw, NumPrimaries, 1, "WrittenPrimaries is NULL");
    TRY(SubmitWaitForSyncObjectsToHwQueue, wait_hw, ObjectCount, 0, "expected 1 to 32");
    TRY(SubmitWaitForSyncObjectsToHwQueue, wait_hw, ObjectCount, 33, "expected 1 to 32");
    TRY(SubmitWaitForSyncObjectsToHwQueue, wait_hw, ObjectHandleArray, NULL, "is NULL");
    TRY(SubmitWaitForSyncObjectsToHwQueue, wait_hw, FenceValueArray, NULL, "is NULL");
    TRY(SubmitSignalSyncObjectsToHwQueue, signal_hw, ObjectCount, 33, "expected 1 to 32");
    TRY(SubmitSignalSyncObjectsToHwQueue, signal_hw, FenceValueArray, NULL, "is NULL");
    TRY(SubmitSignalSyncObjectsToHwQueue, signal_hw, Flags.Reserved, 1, "takes none");
    TRY(SubmitSignalSyncObjectsToHwQueue, signal_hw, BroadcastHwQueueCount, 0, "takes 1");
    TRY(SubmitSignalSyncObjectsToHwQueue, signal_hw, BroadcastHwQueueCount, 65, "takes 1");
    TRY(SubmitSignalSyncObjectsToHwQueue, signal_hw, BroadcastHwQueueArray, NULL, "is NULL");
    TRY(SignalSynchronizationObject2, signal_two, BroadcastContextCount, 1, "takes 0");
    TRY(SignalSynchronizationObject2, signal_two, ObjectCount, 33, "expected 1 to 32");
    TRY(WaitForSynchronizationObject2, wait_two, ObjectCount, 33, "expected 1 to 32");
    TRY(CreateSynchronizationObject, create_old, Info.Type, D3DDDI_FENCE, "expected 1, a mutex");
    TRY(CreateSynchronizationObject, create_old, Info.Type, D3DDDI_SEMAPHORE, "MaxCount is 0");
    TRY(WaitForSynchronizationObject, wait_old, ObjectCount, 0, "expected 1 to 32");
    TRY(WaitForSynchronizationObject, wait_old, ObjectCount, 33, "expected 1 to 32");
    TRY(WaitForSynchronizationObject, wait_old, ObjectHandleArray[0], handles[FENCE], "a fence");
    TRY(SignalSynchronizationObject, signal_old, ObjectCount, 0, "expected 1 to 32");
    TRY(SignalSynchronizationObject, signal_old, ObjectCount, 33, "expected 1 to 32");
    TRY(SignalSynchronizationObject, signal_old, ObjectHandleArray[0], handles[FENCE], "a fence");
    TRY(SignalSynchronizationObject, signal_old, Flags.EnqueueCpuEvent, 1, "no event");
    TRY(Render, render, Flags.Reserved, 1, "reserved");
    TRY(Lock, lock, NumPages, 1, "pPages");
    TRY(Lock, lock, Flags.Reserved, 1, "reserved");
    TRY(Unlock, unlock, NumAllocations, 0, "expected 1 to 10240");
    TRY(Unlock, unlock, NumAllocations, 10241, "expected 1 to 10240");
    TRY(Unlock, unlock, phAllocations, NULL, "phAllocations");
    TRY(Unlock, unlock, NumAllocations, 1, "not locked");
    TRY(Lock2, lock_two, Flags.Reserved, 1, "lags");
    TRY(Unlock2, unlock_two, hDevice, handles[DEVICE], "lock");
    TRY(InvalidateCache, invalidate, Length, 0, "ength");
    TRY(InvalidateCache, invalidate, Offset, UINT64_MAX, "ffset");
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
        cmocka_unit_test(every_thunk_has_a_row),
        cmocka_unit_test(handles_of_another_type_or_process_are_refused),
        cmocka_unit_test(handles_in_lists_are_looked_at_one_by_one),
        cmocka_unit_test(allocations_of_another_device_are_refused),
        cmocka_unit_test(null_is_no_structure),
        cmocka_unit_test(counts_and_flags_out_of_their_range_are_refused),
        cmocka_unit_test(what_is_not_built_is_counted),
        cmocka_unit_test(luids_have_to_tell_adapters_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
