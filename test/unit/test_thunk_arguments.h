/* test_thunk_arguments.h: legal arguments of each thunk, every member of them that is a handle, and
 * what the layout table says that there is.
 *
 *     start()            two programs with an object of each type
 *     refuses(row, why)  the call is refused with a reason, and its arguments have not changed
 *     see_members(...)   every member of some kind, of every thunk that is built, is in a table
 */
#ifndef TEST_UNIT_TEST_THUNK_ARGUMENTS_H
#define TEST_UNIT_TEST_THUNK_ARGUMENTS_H

#include "test_thunk_rig.h"

enum {
    ROOM = 1200, /* bytes of the largest arguments */
    LONGEST = 10240,
    MOST_INFOS = 1024,
    OBJECTS = 32,
    BROADCAST = 64
};

/* SHARED: a number that all processes know. No handle of a process is one. */
enum kind { ADAPTER, DEVICE, CONTEXT, QUEUE, ALLOCATION, RESOURCE, FENCE, HW_QUEUE, KINDS, SHARED };

static D3DKMT_HANDLE handles[KINDS]; /* of the program, one of each type */
static D3DKMT_HANDLE foreign[KINDS]; /* of the other program; the numbers lead nowhere here */
static D3DKMT_HANDLE dead;

static void hears_nothing(D3DKMT_TRIMNOTIFICATION *notification)
{
    (void)notification;
}

/* Legal arguments of each thunk. The targets of their pointers stay. */
static D3DKMT_HANDLE list[LONGEST], contexts[BROADCAST], hw_queues[BROADCAST];
static UINT priorities[LONGEST];
static D3DKMT_ALLOCATIONRESIDENCYSTATUS statuses[LONGEST];
static struct softgpu_allocation wish;
static D3DDDI_ALLOCATIONINFO2 infos[MOST_INFOS]; /* the first is legal */
static D3DKMT_SEGMENTSIZEINFO sizes;
static struct softgpu_escape message;

static D3DKMT_CREATEDEVICE create_device;
static D3DKMT_GETDEVICESTATE device_state = {.StateType = D3DKMT_DEVICESTATE_EXECUTION};
static D3DKMT_DESTROYDEVICE destroy_device;
static D3DKMT_CLOSEADAPTER close_adapter;
static D3DKMT_CREATECONTEXT create_context;
static D3DKMT_CREATECONTEXTVIRTUAL create_virtual;
static D3DKMT_DESTROYCONTEXT destroy_context;
static D3DKMT_CREATEALLOCATION create_allocation = {.NumAllocations = 1, .pAllocationInfo2 = infos};
static D3DKMT_DESTROYALLOCATION destroy_one = {.phAllocationList = list, .AllocationCount = 1};
static D3DKMT_DESTROYALLOCATION2 destroy_two = {.phAllocationList = list, .AllocationCount = 1};
static D3DKMT_DESTROYALLOCATION destroy_resource_one;
static D3DKMT_DESTROYALLOCATION2 destroy_resource_two;
static D3DKMT_SETALLOCATIONPRIORITY set_priority = {
    .phAllocationList = list, .AllocationCount = 1, .pPriorities = priorities};
static D3DKMT_QUERYALLOCATIONRESIDENCY query_residency = {
    .phAllocationList = list, .AllocationCount = 1, .pResidencyStatus = statuses};
static D3DKMT_OFFERALLOCATIONS offer = {
    .HandleList = list, .NumAllocations = 1, .Priority = D3DKMT_OFFER_PRIORITY_LOW};
static D3DKMT_SETALLOCATIONPRIORITY set_of_resource = {.pPriorities = priorities};
static D3DKMT_GETALLOCATIONPRIORITY get_of_resource = {.pPriorities = priorities};
static D3DKMT_QUERYALLOCATIONRESIDENCY query_of_resource = {.pResidencyStatus = statuses};
static D3DKMT_OFFERALLOCATIONS offer_resources = {
    .pResources = list, .NumAllocations = 1, .Priority = D3DKMT_OFFER_PRIORITY_LOW};
static D3DKMT_RECLAIMALLOCATIONS2 reclaim_resources = {.pResources = list, .NumAllocations = 1};
static D3DKMT_RECLAIMALLOCATIONS2 reclaim = {.HandleList = list, .NumAllocations = 1};
static D3DKMT_CREATEPAGINGQUEUE create_queue;
static D3DDDI_DESTROYPAGINGQUEUE destroy_queue;
static D3DDDI_UPDATEALLOCPROPERTY update_property = {.PropertyMaskValue = 1,
                                                     .PagingFenceValue = 77};
static D3DDDI_MAKERESIDENT make_resident = {.AllocationList = list, .NumAllocations = 1};
static D3DKMT_EVICT evict = {.AllocationList = list, .NumAllocations = 1};
static D3DKMT_QUERYVIDEOMEMORYINFO video_memory;
static D3DKMT_CHANGEVIDEOMEMORYRESERVATION reservation;
static D3DDDI_RESERVEGPUVIRTUALADDRESS reserve = {.Size = 0x10000};
static D3DDDI_MAPGPUVIRTUALADDRESS map = {.SizeInPages = 1};
static D3DKMT_FREEGPUVIRTUALADDRESS free_address = {.BaseAddress = 0x40000000, .Size = 0x1000};
static D3DKMT_SUBMITCOMMAND submit = {
    .Commands = 0x10000, .CommandLength = 16, .BroadcastContextCount = 1};
static D3DKMT_SUBMITCOMMAND submit_written = {
    .Commands = 0x10000, .CommandLength = 16, .BroadcastContextCount = 1, .NumPrimaries = 1};
static D3DKMT_VIDMM_ESCAPE to_manager = {.Type = D3DKMT_VIDMMESCAPETYPE_VALIDATE_INTEGRITY};
static D3DKMT_ESCAPE escape_vidmm = {.Type = D3DKMT_ESCAPE_VIDMM,
                                     .pPrivateDriverData = &to_manager,
                                     .PrivateDriverDataSize = sizeof(to_manager)};
static D3DKMT_ESCAPE escape_alone = {.pPrivateDriverData = &message,
                                     .PrivateDriverDataSize = sizeof(message)};
static D3DKMT_ESCAPE escape = {.pPrivateDriverData = &message,
                               .PrivateDriverDataSize = sizeof(message)};
static D3DKMT_QUERYADAPTERINFO query_adapter = {.Type = KMTQAITYPE_GETSEGMENTSIZE,
                                                .pPrivateDriverData = &sizes,
                                                .PrivateDriverDataSize = sizeof(sizes)};
static D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION changes[1] = {
    {.OperationType = D3DDDI_UPDATEGPUVIRTUALADDRESS_UNMAP}};
static D3DKMT_UPDATEGPUVIRTUALADDRESS update_addresses = {.NumOperations = 1,
                                                          .Operations = changes};
static D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION mappings[1] = {
    {.OperationType = D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP, .Map = {.SizeInBytes = 0x1000}}};
static D3DKMT_UPDATEGPUVIRTUALADDRESS update_mapped = {.NumOperations = 1, .Operations = mappings};
static D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION protections[1] = {
    {.OperationType = D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP_PROTECT,
     .MapProtect = {.SizeInBytes = 0x1000}}};
static D3DKMT_UPDATEGPUVIRTUALADDRESS update_protected = {.NumOperations = 1,
                                                          .Operations = protections};
static D3DKMT_LOCK lock = {.Flags = {.LockEntire = 1}};
static D3DKMT_UNLOCK unlock = {.NumAllocations = 1, .phAllocations = list};
static D3DKMT_LOCK2 lock_two;
static D3DKMT_UNLOCK2 unlock_two;
static D3DKMT_INVALIDATECACHE invalidate = {.Length = 1};
static D3DKMT_RENDER render = {.CommandLength = 16};
static UINT64 values[OBJECTS] = {1, 1};
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
static HANDLE nt_handle;
static D3DKMT_SHAREOBJECTS share_objects = {
    .ObjectCount = 1, .ObjectHandleArray = list, .pSharedNtHandle = &nt_handle};
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
static D3DKMT_CREATEHWQUEUE create_hw_queue;
static D3DKMT_DESTROYHWQUEUE destroy_hw_queue;
static D3DKMT_SUBMITCOMMANDTOHWQUEUE submit_hw = {
    .HwQueueProgressFenceId = 1, .CommandBuffer = 0x10000, .CommandLength = 16};
static D3DKMT_SUBMITCOMMANDTOHWQUEUE submit_hw_written = {.HwQueueProgressFenceId = 1,
                                                          .CommandBuffer = 0x10000,
                                                          .CommandLength = 16,
                                                          .NumPrimaries = 1,
                                                          .WrittenPrimaries = list};
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
#Name, #Member, (call *)(void *)vidmm_thunk_##Name, &Arguments, sizeof(Arguments),         \
            (D3DKMT_HANDLE *)&Arguments.Member, Kind                                               \
    }

static const struct row {
    const char *name, *member;
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
    ROW(DestroyAllocation, destroy_resource_one, hDevice, DEVICE),
    ROW(DestroyAllocation, destroy_resource_one, hResource, RESOURCE),
    ROW(DestroyAllocation2, destroy_resource_two, hDevice, DEVICE),
    ROW(DestroyAllocation2, destroy_resource_two, hResource, RESOURCE),
    ROW(SetAllocationPriority, set_priority, hDevice, DEVICE),
    ROW(SetAllocationPriority, set_of_resource, hDevice, DEVICE),
    ROW(SetAllocationPriority, set_of_resource, hResource, RESOURCE),
    ROW(GetAllocationPriority, get_of_resource, hDevice, DEVICE),
    ROW(GetAllocationPriority, get_of_resource, hResource, RESOURCE),
    ROW(QueryAllocationResidency, query_of_resource, hDevice, DEVICE),
    ROW(QueryAllocationResidency, query_of_resource, hResource, RESOURCE),
    ROW(OfferAllocations, offer_resources, hDevice, DEVICE),
    ROW(ReclaimAllocations2, reclaim_resources, hPagingQueue, QUEUE),
    ROW(QueryAllocationResidency, query_residency, hDevice, DEVICE),
    ROW(OfferAllocations, offer, hDevice, DEVICE),
    ROW(ReclaimAllocations2, reclaim, hPagingQueue, QUEUE),
    ROW(QueryResourceInfo, query_resource, hDevice, DEVICE),
    ROW(QueryResourceInfo, query_resource, hGlobalShare, SHARED),
    ROW(OpenResource, open_resource, hDevice, DEVICE),
    ROW(OpenResource, open_resource, hGlobalShare, SHARED),
    ROW(GetSharedResourceAdapterLuid, shared_luid, hGlobalShare, SHARED),
    ROW(OpenSynchronizationObject, open_sync, hSharedHandle, SHARED),
    ROW(CreatePagingQueue, create_queue, hDevice, DEVICE),
    ROW(DestroyPagingQueue, destroy_queue, hPagingQueue, QUEUE),
    ROW(UpdateAllocationProperty, update_property, hPagingQueue, QUEUE),
    ROW(UpdateAllocationProperty, update_property, hAllocation, ALLOCATION),
    ROW(MakeResident, make_resident, hPagingQueue, QUEUE),
    ROW(Evict, evict, hDevice, DEVICE),
    ROW(QueryVideoMemoryInfo, video_memory, hAdapter, ADAPTER),
    ROW(ChangeVideoMemoryReservation, reservation, hAdapter, ADAPTER),
    ROW(ReserveGpuVirtualAddress, reserve, hPagingQueue, QUEUE),
    ROW(MapGpuVirtualAddress, map, hPagingQueue, QUEUE),
    ROW(MapGpuVirtualAddress, map, hAllocation, ALLOCATION),
    ROW(FreeGpuVirtualAddress, free_address, hAdapter, ADAPTER),
    ROW(UpdateGpuVirtualAddress, update_addresses, hDevice, DEVICE),
    ROW(UpdateGpuVirtualAddress, update_addresses, hContext, CONTEXT),
    ROW(UpdateGpuVirtualAddress, update_addresses, hFenceObject, FENCE),
    ROW(UpdateGpuVirtualAddress, update_mapped, hDevice, DEVICE),
    ROW(UpdateGpuVirtualAddress, update_mapped, hContext, CONTEXT),
    ROW(UpdateGpuVirtualAddress, update_mapped, hFenceObject, FENCE),
    ROW(UpdateGpuVirtualAddress, update_protected, hDevice, DEVICE),
    ROW(UpdateGpuVirtualAddress, update_protected, hContext, CONTEXT),
    ROW(UpdateGpuVirtualAddress, update_protected, hFenceObject, FENCE),
    ROW(SubmitCommand, submit, BroadcastContext[0], CONTEXT),
    ROW(SubmitCommand, submit_written, BroadcastContext[0], CONTEXT),
    ROW(SubmitCommand, submit_written, WrittenPrimaries[0], ALLOCATION),
    ROW(CreateHwQueue, create_hw_queue, hHwContext, CONTEXT),
    ROW(DestroyHwQueue, destroy_hw_queue, hHwQueue, HW_QUEUE),
    ROW(SubmitCommandToHwQueue, submit_hw, hHwQueue, HW_QUEUE),
    ROW(SubmitCommandToHwQueue, submit_hw_written, hHwQueue, HW_QUEUE),
    ROW(SubmitWaitForSyncObjectsToHwQueue, wait_hw, hHwQueue, HW_QUEUE),
    ROW(Escape, escape_alone, hAdapter, ADAPTER),
    ROW(Escape, escape, hDevice, DEVICE),
    ROW(Escape, escape_vidmm, hAdapter, ADAPTER),
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

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static inline D3DKMT_HANDLE resource_of(struct thunk_program *program)
{
    D3DKMT_CREATEALLOCATION create = {.hDevice = program->device, .Flags = {.CreateResource = 1}};

    succeeds(vidmm_thunk_CreateAllocation2(program->process, &create));
    return create.hResource;
}

static inline D3DKMT_HANDLE fence_of(struct thunk_program *program)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {.hDevice = program->device};

    create.Info.Type = D3DDDI_MONITORED_FENCE;
    succeeds(vidmm_thunk_CreateSynchronizationObject2(program->process, &create));
    return create.hSyncObject;
}

static inline D3DKMT_HANDLE mutex_of(struct thunk_program *program)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT create = {.hDevice = program->device,
                                                 .Info.Type = D3DDDI_SYNCHRONIZATION_MUTEX};

    succeeds(vidmm_thunk_CreateSynchronizationObject(program->process, &create));
    return create.hSyncObject;
}

static inline D3DKMT_HANDLE hw_queue_of(struct thunk_program *program)
{
    D3DKMT_CREATECONTEXTVIRTUAL context = {.hDevice = program->device,
                                           .Flags = {.HwQueueSupported = 1}};
    D3DKMT_CREATEHWQUEUE create = {0};

    succeeds(vidmm_thunk_CreateContextVirtual(program->process, &context));
    create.hHwContext = context.hContext;
    succeeds(vidmm_thunk_CreateHwQueue(program->process, &create));
    return create.hHwQueue;
}

static inline void gather(struct thunk_program *program, D3DKMT_HANDLE *of)
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
static inline void start(void)
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
    infos[0] = (D3DDDI_ALLOCATIONINFO2){.pPrivateDriverData = &wish,
                                        .PrivateDriverDataSize = sizeof(wish)};
    message.magic = SOFTGPU_ESCAPE_MAGIC;
    list[0] = dead = thunk_create(&one, 1);
    destroy.hDevice = one.device;
    succeeds(vidmm_thunk_DestroyAllocation2(one.process, &destroy));
}

static inline void refuses(const struct row *row, const char *why)
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

/* Every handle of the rows leads to an object of its type. */
static inline void use_right_handles(void)
{
    for (unsigned i = 0; i < ROWS; i++)
        *rows[i].handle = rows[i].kind < KINDS ? handles[rows[i].kind] : 0;
}

/* ---- the layout table ------------------------------------------------------------------------ */

/* A member of a thunk, in a table of this test. */
struct told {
    const char *name, *member;
};

/* A member is told without the index that one of its elements has. */
static inline bool is_told(const struct told *told, const char *name, const char *member)
{
    size_t length = strcspn(told->member, "[");

    return strcmp(told->name, name) == 0 && strlen(member) == length &&
           memcmp(told->member, member, length) == 0;
}

typedef bool concerns_type(const char *member, const char *type);
typedef bool is_tested_type(const char *name, const char *member);

static unsigned members_missing;

/* The members of one structure that concern the test; each has to be tested. */
static inline unsigned see_members_of(FILE *table, const char *name, const char *arguments,
                                      concerns_type *concerns, is_tested_type *is_tested)
{
    char line[1000], structure[200], member[200], type[200];
    unsigned rows_seen = 0;

    rewind(table);
    while (fgets(line, sizeof(line), table) != NULL) {
        if (sscanf(line, "%199[^\t]\t%199[^\t]\t%199[^\t]", structure, member, type) != 3 ||
            strcmp(structure, arguments) != 0)
            continue;
        rows_seen++;
        if (concerns(member, type) && !is_tested(name, member)) {
            print_error("%s: %s, a %s, is in no table\n", name, member, type);
            members_missing++;
        }
    }
    return rows_seen;
}

static inline void see_members(concerns_type *concerns, is_tested_type *is_tested)
{
    static const struct {
        const char *name, *arguments;
    } built[] = {
#define BUILT(Name, Arguments) {#Name, #Arguments},
#define UNBUILT(Name)
#include "thunk/thunks.def"
#undef BUILT
#undef UNBUILT
    };
    FILE *table = fopen(SOURCE_ROOT "/test/abi/layout.tsv", "r");

    assert_non_null(table);
    for (unsigned i = 0; i < sizeof(built) / sizeof(built[0]); i++)
        if (see_members_of(table, built[i].name, built[i].arguments, concerns, is_tested) == 0)
            fail_msg("%s has no rows in the table", built[i].arguments);
    fclose(table);
    assert_int_equal(members_missing, 0);
}

#endif
