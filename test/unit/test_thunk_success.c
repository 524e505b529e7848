/* test_thunk_success.c: every thunk that is built is carried out once, in one program's life; and
 * none can be added without a line here. test_thunk_refusals.c has what each refuses. */
#include "test_thunk_rig.h"

#include <unistd.h>

#include <vidmm/engine.h>
#include <vidmm/process.h>

static bool done[VIDMM_THUNKS];

/* STATUS_PENDING is a success, too. */
#define DO(Name, Arguments)                                                                        \
    do {                                                                                           \
        NTSTATUS answer = vidmm_thunk_##Name(one.process, Arguments);                              \
                                                                                                   \
        if (answer != STATUS_SUCCESS && answer != STATUS_PENDING)                                  \
            fail_msg("%s: 0x%08x: %s", #Name, (unsigned)answer, vidmm_thunk_reason());             \
        done[VIDMM_THUNK_##Name] = true;                                                           \
        vidmm_machine_settle(thunk_rig.machine);                                                   \
    } while (0)

static D3DKMT_HANDLE allocation, resource, fence, old_fence, mutex;
static UINT64 value = 1;

/* ---- adapters, devices, contexts ------------------------------------------------------------- */

static void tell(D3DKMT_TRIMNOTIFICATION *notification)
{
    (void)notification;
}

static void adapters(void)
{
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = THUNK_LUID};
    D3DKMT_ADAPTERINFO info = {0};
    D3DKMT_SEGMENTSIZEINFO sizes;
    D3DKMT_QUERYADAPTERINFO query = {one.adapter, KMTQAITYPE_GETSEGMENTSIZE, &sizes, sizeof(sizes)};
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_VALIDATE_INTEGRITY};
    D3DKMT_CLOSEADAPTER close_it = {0};

    DO(OpenAdapterFromLuid, &open);
    DO(EnumAdapters2, (&(D3DKMT_ENUMADAPTERS2){.NumAdapters = 1, .pAdapters = &info}));
    DO(EnumAdapters3, (&(D3DKMT_ENUMADAPTERS3){.NumAdapters = 1, .pAdapters = &info}));
    DO(QueryAdapterInfo, &query);
    DO(QueryStatistics, (&(D3DKMT_QUERYSTATISTICS){.AdapterLuid = THUNK_LUID}));
    DO(Escape, (&(D3DKMT_ESCAPE){.hAdapter = one.adapter,
                                 .Type = D3DKMT_ESCAPE_VIDMM,
                                 .pPrivateDriverData = &message,
                                 .PrivateDriverDataSize = sizeof(message)}));
    DO(QueryVideoMemoryInfo, (&(D3DKMT_QUERYVIDEOMEMORYINFO){.hAdapter = one.adapter}));
    DO(ChangeVideoMemoryReservation,
       (&(D3DKMT_CHANGEVIDEOMEMORYRESERVATION){.hAdapter = one.adapter}));
    close_it.hAdapter = open.hAdapter;
    DO(CloseAdapter, &close_it);
}

static void devices(void)
{
    D3DKMT_CREATEDEVICE create = {.hAdapter = one.adapter};
    D3DKMT_REGISTERTRIMNOTIFICATION watch = {
        .AdapterLuid = THUNK_LUID, .hDevice = one.device, .Callback = tell};

    DO(CreateDevice, &create);
    DO(GetDeviceState, (&(D3DKMT_GETDEVICESTATE){.hDevice = create.hDevice,
                                                 .StateType = D3DKMT_DEVICESTATE_EXECUTION}));
    DO(MarkDeviceAsError,
       (&(D3DKMT_MARKDEVICEASERROR){create.hDevice, D3DKMT_DEVICE_ERROR_REASON_GENERIC}));
    DO(DestroyDevice, (&(D3DKMT_DESTROYDEVICE){.hDevice = create.hDevice}));
    DO(RegisterTrimNotification, &watch);
    DO(UnregisterTrimNotification, (&(D3DKMT_UNREGISTERTRIMNOTIFICATION){.Handle = watch.Handle}));
}

static void contexts(void)
{
    D3DKMT_CREATECONTEXT old = {.hDevice = one.device};
    D3DKMT_CREATECONTEXTVIRTUAL create = {.hDevice = one.device};
    D3DKMT_SETCONTEXTSCHEDULINGPRIORITY set = {.hContext = one.context};
    D3DKMT_GETCONTEXTSCHEDULINGPRIORITY get = {.hContext = one.context};
    D3DKMT_SETCONTEXTINPROCESSSCHEDULINGPRIORITY set_inside = {.hContext = one.context};
    D3DKMT_GETCONTEXTINPROCESSSCHEDULINGPRIORITY get_inside = {.hContext = one.context};
    struct softgpu_virtual_touch *nothing = (void *)one.bytes;

    DO(CreateContext, &old);
    DO(CreateContextVirtual, &create);
    DO(SetContextSchedulingPriority, &set);
    DO(GetContextSchedulingPriority, &get);
    DO(SetContextInProcessSchedulingPriority, &set_inside);
    DO(GetContextInProcessSchedulingPriority, &get_inside);
    *nothing = (struct softgpu_virtual_touch){.command = {SOFTGPU_VIRTUAL_TOUCH, sizeof(*nothing)}};
    DO(SubmitCommand, (&(D3DKMT_SUBMITCOMMAND){.Commands = one.address,
                                               .CommandLength = sizeof(*nothing),
                                               .BroadcastContextCount = 1,
                                               .BroadcastContext = {one.context}}));
    DO(DestroyContext, (&(D3DKMT_DESTROYCONTEXT){.hContext = create.hContext}));
}

static void hardware_queues(void)
{
    D3DKMT_CREATECONTEXTVIRTUAL context = {.hDevice = one.device, .Flags = {.HwQueueSupported = 1}};
    D3DKMT_CREATEHWQUEUE queue = {0};

    succeeds(vidmm_thunk_CreateContextVirtual(one.process, &context));
    queue.hHwContext = context.hContext;
    DO(CreateHwQueue, &queue);
    DO(SubmitCommandToHwQueue,
       (&(D3DKMT_SUBMITCOMMANDTOHWQUEUE){.hHwQueue = queue.hHwQueue,
                                         .HwQueueProgressFenceId = 1,
                                         .CommandBuffer = one.address,
                                         .CommandLength = sizeof(struct softgpu_virtual_touch)}));
    value = 1;
    DO(SubmitWaitForSyncObjectsToHwQueue, (&(D3DKMT_SUBMITWAITFORSYNCOBJECTSTOHWQUEUE){
                                              .hHwQueue = queue.hHwQueue,
                                              .ObjectCount = 1,
                                              .ObjectHandleArray = &queue.hHwQueueProgressFence,
                                              .FenceValueArray = &value}));
    DO(SubmitSignalSyncObjectsToHwQueue,
       (&(D3DKMT_SUBMITSIGNALSYNCOBJECTSTOHWQUEUE){.BroadcastHwQueueCount = 1,
                                                   .BroadcastHwQueueArray = &queue.hHwQueue,
                                                   .ObjectCount = 1,
                                                   .ObjectHandleArray = &fence,
                                                   .FenceValueArray = &value}));
    DO(DestroyHwQueue, (&(D3DKMT_DESTROYHWQUEUE){.hHwQueue = queue.hHwQueue}));
}

/* ---- allocations ----------------------------------------------------------------------------- */

static struct softgpu_allocation wishes[3];
static D3DDDI_ALLOCATIONINFO2 infos[3];

static void creations(void)
{
    DXGK_ALLOCATIONINFOFLAGS visible = {.CpuVisible = 1};
    D3DKMT_CREATEALLOCATION create = {.hDevice = one.device, .NumAllocations = 1};
    D3DDDI_ALLOCATIONINFO old = {0};

    for (unsigned i = 0; i < 3; i++) {
        wishes[i] = thunk_wish(1, i == 0 ? visible.Value : 0, 2);
        infos[i] = (D3DDDI_ALLOCATIONINFO2){.pPrivateDriverData = &wishes[i],
                                            .PrivateDriverDataSize = sizeof(wishes[i])};
    }
    old.pPrivateDriverData = &wishes[0];
    old.PrivateDriverDataSize = sizeof(wishes[0]);
    create.pAllocationInfo = &old;
    DO(CreateAllocation, &create);
    DO(DestroyAllocation,
       (&(D3DKMT_DESTROYALLOCATION){
           .hDevice = one.device, .phAllocationList = &old.hAllocation, .AllocationCount = 1}));
    create.pAllocationInfo2 = &infos[1];
    DO(CreateAllocation2, &create);
    DO(DestroyAllocation2, (&(D3DKMT_DESTROYALLOCATION2){.hDevice = one.device,
                                                         .phAllocationList = &infos[1].hAllocation,
                                                         .AllocationCount = 1}));
    create.pAllocationInfo2 = &infos[0];
    DO(CreateAllocation2, &create);
    allocation = infos[0].hAllocation;
    create.pAllocationInfo2 = &infos[2];
    create.Flags.CreateResource = create.Flags.CreateShared = create.Flags.NtSecuritySharing = 1;
    DO(CreateAllocation2, &create);
    resource = create.hResource;
}

static void residency(void)
{
    D3DKMT_CREATEPAGINGQUEUE queue = {.hDevice = one.device};
    D3DDDI_DESTROYPAGINGQUEUE end = {0};
    D3DKMT_ALLOCATIONRESIDENCYSTATUS status;
    UINT priority = D3DDDI_ALLOCATIONPRIORITY_NORMAL;
    D3DDDI_UPDATEALLOCPROPERTY property = {0};

    DO(CreatePagingQueue, &queue);
    end.hPagingQueue = queue.hPagingQueue;
    DO(DestroyPagingQueue, &end);
    DO(MakeResident,
       (&(D3DDDI_MAKERESIDENT){
           .hPagingQueue = one.queue, .NumAllocations = 1, .AllocationList = &allocation}));
    DO(QueryAllocationResidency,
       (&(D3DKMT_QUERYALLOCATIONRESIDENCY){.hDevice = one.device,
                                           .phAllocationList = &allocation,
                                           .AllocationCount = 1,
                                           .pResidencyStatus = &status}));
    assert_int_equal(status, D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINGPUMEMORY);
    property.hAllocation = allocation;
    property.hPagingQueue = one.queue;
    property.SetSupportedSegmentSet = property.SetPreferredSegment = 1;
    property.SupportedSegmentSet = 3;
    property.PreferredSegment.SegmentId0 = 1;
    DO(UpdateAllocationProperty, &property);
    assert_true(property.PagingFenceValue > 7000);
    DO(QueryAllocationResidency,
       (&(D3DKMT_QUERYALLOCATIONRESIDENCY){.hDevice = one.device,
                                           .phAllocationList = &allocation,
                                           .AllocationCount = 1,
                                           .pResidencyStatus = &status}));
    assert_int_equal(status, D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINSHAREDMEMORY);
    property.SetPreferredSegment = 0;
    property.SupportedSegmentSet = 2;
    DO(UpdateAllocationProperty, &property);
    DO(Evict, (&(D3DKMT_EVICT){
                  .hDevice = one.device, .NumAllocations = 1, .AllocationList = &allocation}));
    DO(OfferAllocations, (&(D3DKMT_OFFERALLOCATIONS){.hDevice = one.device,
                                                     .HandleList = &allocation,
                                                     .NumAllocations = 1,
                                                     .Priority = D3DKMT_OFFER_PRIORITY_LOW}));
    DO(ReclaimAllocations2,
       (&(D3DKMT_RECLAIMALLOCATIONS2){
           .hPagingQueue = one.queue, .HandleList = &allocation, .NumAllocations = 1}));
    DO(SetAllocationPriority, (&(D3DKMT_SETALLOCATIONPRIORITY){.hDevice = one.device,
                                                               .phAllocationList = &allocation,
                                                               .AllocationCount = 1,
                                                               .pPriorities = &priority}));
    DO(GetAllocationPriority, (&(D3DKMT_GETALLOCATIONPRIORITY){.hDevice = one.device,
                                                               .phAllocationList = &allocation,
                                                               .AllocationCount = 1,
                                                               .pPriorities = &priority}));
}

static void locks_and_addresses(void)
{
    D3DDDI_RESERVEGPUVIRTUALADDRESS reserve = {.hPagingQueue = one.queue, .Size = 0x10000};
    D3DDDI_MAPGPUVIRTUALADDRESS map = {
        .hPagingQueue = one.queue, .hAllocation = allocation, .SizeInPages = 1};
    D3DKMT_LOCK lock = {
        .hDevice = one.device, .hAllocation = allocation, .Flags = {.LockEntire = 1}};
    D3DKMT_LOCK2 lock_two = {.hDevice = one.device, .hAllocation = allocation};
    D3DKMT_INVALIDATECACHE invalidate = {
        .hDevice = one.device, .hAllocation = allocation, .Length = 1};

    DO(Lock, &lock);
    assert_non_null(lock.pData);
    DO(Unlock, (&(D3DKMT_UNLOCK){one.device, 1, &allocation}));
    DO(Lock2, &lock_two);
    assert_non_null(lock_two.pData);
    DO(InvalidateCache, &invalidate);
    DO(Unlock2, (&(D3DKMT_UNLOCK2){one.device, allocation}));
    DO(ReserveGpuVirtualAddress, &reserve);
    DO(MapGpuVirtualAddress, &map);
    DO(FreeGpuVirtualAddress,
       (&(D3DKMT_FREEGPUVIRTUALADDRESS){one.adapter, reserve.VirtualAddress, reserve.Size}));
}

/* ---- synchronization objects, and what is shared --------------------------------------------- */

static void fences_are_made(void)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {.hDevice = one.device};
    D3DKMT_CREATESYNCHRONIZATIONOBJECT old = {.hDevice = one.device,
                                              .Info.Type = D3DDDI_SYNCHRONIZATION_MUTEX};
    D3DKMT_OPENSYNCHRONIZATIONOBJECT open = {0};

    create.Info.Type = D3DDDI_MONITORED_FENCE;
    create.Info.Flags.Shared = create.Info.Flags.NtSecuritySharing = 1;
    DO(CreateSynchronizationObject2, &create);
    fence = create.hSyncObject;
    create = (D3DKMT_CREATESYNCHRONIZATIONOBJECT2){.hDevice = one.device};
    create.Info.Type = D3DDDI_FENCE;
    create.Info.Flags.Shared = 1;
    DO(CreateSynchronizationObject2, &create);
    old_fence = create.hSyncObject;
    open.hSharedHandle = create.Info.SharedHandle;
    DO(OpenSynchronizationObject, &open);
    DO(DestroySynchronizationObject, (&(D3DKMT_DESTROYSYNCHRONIZATIONOBJECT){open.hSyncObject}));
    DO(CreateSynchronizationObject, &old);
    mutex = old.hSyncObject;
}

/* One page is mapped twice over, copied, and unmapped again; the fence says when that is so. */
static void addresses_change_behind_a_fence(void)
{
    D3DDDI_RESERVEGPUVIRTUALADDRESS reserve = {
        .hPagingQueue = one.adapter, .Size = 0x10000, .DriverProtection = 9};
    D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION operations[4] = {
        {.OperationType = D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP},
        {.OperationType = D3DDDI_UPDATEGPUVIRTUALADDRESS_COPY},
        {.OperationType = D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP_PROTECT},
        {.OperationType = D3DDDI_UPDATEGPUVIRTUALADDRESS_UNMAP}};
    D3DKMT_UPDATEGPUVIRTUALADDRESS update = {.hDevice = one.device,
                                             .hContext = one.context,
                                             .hFenceObject = fence,
                                             .NumOperations = 4,
                                             .Operations = operations,
                                             .FenceValue = 0};
    static const uint32_t expected[4] = {VIDMM_ADDRESSES_ZERO, VIDMM_ADDRESSES_MAPPED,
                                         VIDMM_ADDRESSES_MAPPED, VIDMM_ADDRESSES_MAPPED};
    struct vidmm_address_info info;

    succeeds(vidmm_thunk_ReserveGpuVirtualAddress(one.process, &reserve));
    operations[0].Map.BaseAddress = operations[1].Copy.SourceAddress =
        operations[3].Unmap.BaseAddress = reserve.VirtualAddress;
    operations[0].Map.SizeInBytes = 0x2000;
    operations[0].Map.AllocationSizeInBytes = operations[1].Copy.SizeInBytes =
        operations[2].MapProtect.SizeInBytes = operations[3].Unmap.SizeInBytes = 0x1000;
    operations[0].Map.hAllocation = operations[2].MapProtect.hAllocation = allocation;
    operations[1].Copy.DestAddress = reserve.VirtualAddress + 0x2000;
    operations[2].MapProtect.BaseAddress = reserve.VirtualAddress + 0x3000;
    operations[3].Unmap.Protection.Zero = 1;
    DO(UpdateGpuVirtualAddress, &update);
    vidmm_machine_settle(thunk_rig.machine);
    for (uint32_t page = 0; page < 4; page++) {
        uint64_t address = reserve.VirtualAddress + page * 0x1000;

        assert_true(vidmm_find_addresses(thunk_rig.adapter, 1, 0, address, &info));
        assert_int_equal(info.state, expected[page]);
        assert_true(page == 0 || info.offset + address - info.start == 0);
        assert_int_equal((info.access & VIDMM_ADDRESSES_WRITE) != 0, page == 1 || page == 2);
        assert_int_equal(info.driver_protection, page == 0 || page == 2 ? 9 : 0); /* D-267 */
    }
}

static void fences_are_used(void)
{
    DO(SignalSynchronizationObjectFromCpu,
       (&(D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU){.hDevice = one.device,
                                                     .ObjectCount = 1,
                                                     .ObjectHandleArray = &fence,
                                                     .FenceValueArray = &value}));
    DO(WaitForSynchronizationObjectFromCpu,
       (&(D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU){.hDevice = one.device,
                                                      .ObjectCount = 1,
                                                      .ObjectHandleArray = &fence,
                                                      .FenceValueArray = &value}));
    DO(WaitForSynchronizationObjectFromGpu,
       (&(D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU){.hContext = one.context,
                                                      .ObjectCount = 1,
                                                      .ObjectHandleArray = &fence,
                                                      .MonitoredFenceValueArray = &value}));
    DO(SignalSynchronizationObjectFromGpu,
       (&(D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU){.hContext = one.context,
                                                     .ObjectCount = 1,
                                                     .ObjectHandleArray = &fence,
                                                     .MonitoredFenceValueArray = &value}));
    DO(SignalSynchronizationObjectFromGpu2,
       (&(D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2){.ObjectCount = 1,
                                                      .ObjectHandleArray = &fence,
                                                      .BroadcastContextCount = 1,
                                                      .BroadcastContextArray = &one.context,
                                                      .MonitoredFenceValueArray = &value}));
    DO(SignalSynchronizationObject2,
       (&(D3DKMT_SIGNALSYNCHRONIZATIONOBJECT2){
           .hContext = one.context, .ObjectCount = 1, .ObjectHandleArray = {old_fence}}));
    DO(WaitForSynchronizationObject2,
       (&(D3DKMT_WAITFORSYNCHRONIZATIONOBJECT2){
           .hContext = one.context, .ObjectCount = 1, .ObjectHandleArray = {old_fence}}));
    DO(WaitForSynchronizationObject,
       (&(D3DKMT_WAITFORSYNCHRONIZATIONOBJECT){one.context, 1, {mutex}}));
    DO(SignalSynchronizationObject,
       (&(D3DKMT_SIGNALSYNCHRONIZATIONOBJECT){
           .hContext = one.context, .ObjectCount = 1, .ObjectHandleArray = {mutex}}));
}

/* Shared by a number that all processes know. */
static void global_resource(void)
{
    D3DKMT_CREATEALLOCATION create = {.hDevice = one.device,
                                      .NumAllocations = 1,
                                      .pAllocationInfo2 = &infos[1],
                                      .Flags = {.CreateResource = 1, .CreateShared = 1}};
    D3DDDI_OPENALLOCATIONINFO2 opened = {0};
    struct softgpu_allocation total;
    D3DKMT_QUERYRESOURCEINFO query = {.hDevice = one.device};
    D3DKMT_OPENRESOURCE open = {.hDevice = one.device,
                                .pOpenAllocationInfo2 = &opened,
                                .NumAllocations = 1,
                                .pTotalPrivateDriverDataBuffer = &total,
                                .TotalPrivateDriverDataBufferSize = sizeof(total)};
    D3DKMT_GETSHAREDRESOURCEADAPTERLUID luid = {0};

    DO(CreateAllocation2, &create);
    query.hGlobalShare = open.hGlobalShare = luid.hGlobalShare = create.hGlobalShare;
    DO(QueryResourceInfo, &query);
    DO(OpenResource, &open);
    DO(GetSharedResourceAdapterLuid, &luid);
    assert_int_equal(luid.AdapterLuid.LowPart, THUNK_LUID.LowPart);
}

static void descriptors(void)
{
    HANDLE of_fence = NULL, of_resource = NULL;
    D3DDDI_OPENALLOCATIONINFO2 opened = {0};
    struct softgpu_allocation total;
    D3DKMT_OPENRESOURCEFROMNTHANDLE open = {.hDevice = one.device,
                                            .NumAllocations = 1,
                                            .pOpenAllocationInfo2 = &opened,
                                            .pTotalPrivateDriverDataBuffer = &total,
                                            .TotalPrivateDriverDataBufferSize = sizeof(total)};

    DO(ShareObjectsInternal,
       (&(D3DKMT_SHAREOBJECTS){
           .ObjectCount = 1, .ObjectHandleArray = &fence, .pSharedNtHandle = &of_fence}));
    DO(OpenSyncObjectFromNtHandle2,
       (&(D3DKMT_OPENSYNCOBJECTFROMNTHANDLE2){.hNtHandle = of_fence, .hDevice = one.device}));
    DO(ShareObjectsInternal,
       (&(D3DKMT_SHAREOBJECTS){
           .ObjectCount = 1, .ObjectHandleArray = &resource, .pSharedNtHandle = &of_resource}));
    DO(QueryResourceInfoFromNtHandle,
       (&(D3DKMT_QUERYRESOURCEINFOFROMNTHANDLE){.hDevice = one.device, .hNtHandle = of_resource}));
    open.hNtHandle = of_resource;
    DO(OpenResourceFromNtHandle, &open);
    close((int)(intptr_t)of_fence);
    close((int)(intptr_t)of_resource);
}

static void every_thunk_is_carried_out_once(void **state)
{
    static const char *const names[VIDMM_THUNKS] = {
#define BUILT(Name, Arguments) [VIDMM_THUNK_##Name] = #Name,
#define UNBUILT(Name)
#include "thunk/thunks.def"
#undef BUILT
#undef UNBUILT
    };

    (void)state;
    thunk_start(THUNK_QUEUES_GPU);
    begin_program(&one);
    adapters();
    devices();
    contexts();
    creations();
    residency();
    locks_and_addresses();
    fences_are_made();
    addresses_change_behind_a_fence();
    fences_are_used();
    hardware_queues();
    global_resource();
    descriptors();
    done[VIDMM_THUNK_Render] = true; /* this GPU takes commands by address: test_thunk_locks.c */
    for (unsigned i = 0; i < VIDMM_THUNKS; i++)
        if (names[i] != NULL && !done[i])
            fail_msg("%s was not called", names[i]);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thunk_is_carried_out_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
