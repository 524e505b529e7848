/* test_thunk_threads.c: threads of a program make, use and destroy the same objects at once. Each
 * call is carried out or refused, and nothing is left.
 */
#include "test_thunk_rig.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 1500, PLACES = 8, KINDS = 6 };

enum { ADAPTERS, DEVICES, CONTEXTS, QUEUES, ALLOCATIONS, FENCES };

#define RESERVED UINT64_C(0x40000000) /* addresses of the process, once one thread has them */

/* Handles that any thread may use or destroy, by kind. */
static _Atomic(D3DKMT_HANDLE) places[KINDS][PLACES];
static atomic_uint carried_out, refusals;

struct program_thread {
    pthread_t thread;
    uint64_t random;
};

static uint32_t draw(struct program_thread *self, uint32_t below)
{
    self->random = self->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(self->random >> 33) % below;
}

static D3DKMT_HANDLE any(struct program_thread *self, unsigned kind)
{
    return atomic_load(&places[kind][draw(self, PLACES)]);
}

/* Put a handle where others find it; answers the one that stood there. */
static D3DKMT_HANDLE put(struct program_thread *self, unsigned kind, D3DKMT_HANDLE handle)
{
    return atomic_exchange(&places[kind][draw(self, PLACES)], handle);
}

static void judge(const char *name, NTSTATUS status)
{
    switch (status) {
    case STATUS_SUCCESS:
    case STATUS_PENDING:
        atomic_fetch_add(&carried_out, 1);
        return;
    case STATUS_INVALID_PARAMETER:
    case STATUS_NO_MEMORY:
    case STATUS_GRAPHICS_NO_VIDEO_MEMORY:
        atomic_fetch_add(&refusals, 1);
        return;
    default:
        fprintf(stderr, "%s: 0x%08x: %s\n", name, (unsigned)status, vidmm_thunk_reason());
        abort();
    }
}

static atomic_uint changes;

static void judge_update(NTSTATUS status)
{
    judge("UpdateGpuVirtualAddress", status);
    atomic_fetch_add(&changes, status == STATUS_SUCCESS);
}

#define CALL(Name, Arguments) judge(#Name, vidmm_thunk_##Name(one.process, &Arguments))

/* Destroy the object of a handle that was taken out of its place, so that nothing is left without
 * one: the machine would be out of memory for good. */
static void destroy_object(unsigned kind, D3DKMT_HANDLE handle)
{
    D3DKMT_CLOSEADAPTER adapter = {.hAdapter = handle};
    D3DKMT_DESTROYDEVICE device = {.hDevice = handle};
    D3DKMT_DESTROYCONTEXT context = {.hContext = handle};
    D3DDDI_DESTROYPAGINGQUEUE queue = {.hPagingQueue = handle};
    D3DKMT_DESTROYSYNCHRONIZATIONOBJECT fence = {.hSyncObject = handle};

    switch (kind) {
    case ADAPTERS:
        CALL(CloseAdapter, adapter);
        return;
    case DEVICES:
        CALL(DestroyDevice, device);
        return;
    case CONTEXTS:
        CALL(DestroyContext, context);
        return;
    case QUEUES:
        CALL(DestroyPagingQueue, queue);
        return;
    default:
        CALL(DestroySynchronizationObject, fence);
    }
}

static void make(struct program_thread *self)
{
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = THUNK_LUID};
    D3DKMT_CREATEDEVICE device = {.hAdapter = any(self, ADAPTERS)};
    D3DKMT_CREATECONTEXTVIRTUAL context = {.hDevice = any(self, DEVICES)};
    D3DKMT_CREATEPAGINGQUEUE queue = {.hDevice = any(self, DEVICES)};

    switch (draw(self, 8)) {
    case 0:
        CALL(OpenAdapterFromLuid, open);
        destroy_object(ADAPTERS, put(self, ADAPTERS, open.hAdapter));
        return;
    case 1:
    case 2:
        CALL(CreateDevice, device);
        destroy_object(DEVICES, put(self, DEVICES, device.hDevice));
        return;
    case 3:
    case 4:
        CALL(CreateContextVirtual, context);
        destroy_object(CONTEXTS, put(self, CONTEXTS, context.hContext));
        return;
    default:
        CALL(CreatePagingQueue, queue);
        destroy_object(QUEUES, put(self, QUEUES, queue.hPagingQueue));
    }
}

static void make_allocations(struct program_thread *self)
{
    struct softgpu_allocation wish = thunk_wish(1 + draw(self, 20), 0, 2);
    D3DDDI_ALLOCATIONINFO2 infos[2] = {
        {.pPrivateDriverData = &wish, .PrivateDriverDataSize = sizeof(wish)},
        {.pPrivateDriverData = &wish, .PrivateDriverDataSize = sizeof(wish)}};
    D3DKMT_CREATEALLOCATION create = {.hDevice = any(self, DEVICES),
                                      .NumAllocations = 2,
                                      .pAllocationInfo2 = infos,
                                      .Flags.CreateResource = draw(self, 2) != 0};

    create.Flags.CreateShared = create.Flags.CreateResource && draw(self, 4) == 0;
    CALL(CreateAllocation2, create);
    for (unsigned i = 0; i < 2; i++)
        put(self, ALLOCATIONS, infos[i].hAllocation);
}

/* Change addresses when a fence has come to 1, and have it come there. All that is named is put
 * where others destroy it meanwhile. */
static void change_addresses(struct program_thread *self)
{
    static const UINT64 value = 1;
    struct softgpu_allocation wish = thunk_wish(1, 0, 2);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_HANDLE device = any(self, DEVICES);
    D3DKMT_CREATEALLOCATION allocation = {
        .hDevice = device, .NumAllocations = 1, .pAllocationInfo2 = &info};
    D3DKMT_CREATECONTEXTVIRTUAL context = {.hDevice = device};
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 fence = {.hDevice = device,
                                                 .Info.Type = D3DDDI_MONITORED_FENCE};
    D3DDDI_RESERVEGPUVIRTUALADDRESS reserve = {
        .hPagingQueue = any(self, ADAPTERS), .BaseAddress = RESERVED, .Size = 0x100000};
    D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION map = {
        .OperationType = D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP,
        .Map = {.BaseAddress = RESERVED, .SizeInBytes = 0x1000}};
    D3DKMT_UPDATEGPUVIRTUALADDRESS update = {
        .hDevice = device, .NumOperations = 1, .Operations = &map, .FenceValue = value};
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU signal = {.hDevice = device,
                                                        .ObjectCount = 1,
                                                        .ObjectHandleArray = &update.hFenceObject,
                                                        .FenceValueArray = &value};

    CALL(ReserveGpuVirtualAddress, reserve);
    CALL(CreateAllocation2, allocation);
    CALL(CreateContextVirtual, context);
    CALL(CreateSynchronizationObject2, fence);
    map.Map.hAllocation = info.hAllocation;
    update.hContext = context.hContext;
    update.hFenceObject = fence.hSyncObject;
    put(self, ALLOCATIONS, info.hAllocation);
    D3DKMT_HANDLE old_context = put(self, CONTEXTS, context.hContext);
    D3DKMT_HANDLE old_fence = put(self, FENCES, fence.hSyncObject);
    for (unsigned i = 0; i < 3; i++)
        judge_update(vidmm_thunk_UpdateGpuVirtualAddress(one.process, &update));
    destroy_object(CONTEXTS, old_context); /* maybe of a thread that is still at this */
    destroy_object(FENCES, old_fence);
    CALL(SignalSynchronizationObjectFromCpu, signal);
}

static void use(struct program_thread *self)
{
    D3DKMT_HANDLE list[2] = {any(self, ALLOCATIONS), any(self, ALLOCATIONS)};
    D3DDDI_MAKERESIDENT make_resident = {
        .hPagingQueue = any(self, QUEUES), .AllocationList = list, .NumAllocations = 2};
    D3DKMT_EVICT evict = {
        .hDevice = any(self, DEVICES), .AllocationList = list, .NumAllocations = 1};
    D3DDDI_MAPGPUVIRTUALADDRESS map = {
        .hPagingQueue = any(self, QUEUES), .hAllocation = list[0], .SizeInPages = 1};
    D3DKMT_OFFERALLOCATIONS offer = {.hDevice = any(self, DEVICES),
                                     .HandleList = list,
                                     .NumAllocations = 2,
                                     .Priority = D3DKMT_OFFER_PRIORITY_LOW};
    D3DKMT_GETDEVICESTATE state = {.hDevice = any(self, DEVICES),
                                   .StateType = D3DKMT_DEVICESTATE_EXECUTION};
    D3DKMT_QUERYSTATISTICS statistics = {
        .Type = (D3DKMT_QUERYSTATISTICS_TYPE)draw(self, D3DKMT_QUERYSTATISTICS_PROCESS_NODE2 + 1),
        .AdapterLuid = THUNK_LUID};

    switch (draw(self, 6)) {
    case 0:
        CALL(MakeResident, make_resident);
        return;
    case 1:
        CALL(Evict, evict);
        return;
    case 2:
        CALL(MapGpuVirtualAddress, map);
        return;
    case 3:
        CALL(OfferAllocations, offer);
        return;
    case 4:
        CALL(QueryStatistics, statistics);
        return;
    default:
        CALL(GetDeviceState, state);
    }
}

static void destroy(struct program_thread *self)
{
    D3DKMT_HANDLE allocation = any(self, ALLOCATIONS);
    D3DKMT_DESTROYALLOCATION2 one_more = {
        .hDevice = any(self, DEVICES), .phAllocationList = &allocation, .AllocationCount = 1};

    switch (draw(self, 16)) {
    case 0:
        destroy_object(ADAPTERS, any(self, ADAPTERS));
        return;
    case 1:
    case 2:
        destroy_object(DEVICES, any(self, DEVICES));
        return;
    case 3:
        destroy_object(CONTEXTS, any(self, CONTEXTS));
        return;
    case 4:
        destroy_object(QUEUES, any(self, QUEUES));
        return;
    default:
        CALL(DestroyAllocation2, one_more);
    }
}

/* The manager's own tests of programs. A process that one thread has suspended is resumed by
 * another, or by whoever has to wait for it. */
static void test_manager(struct program_thread *self)
{
    D3DKMT_VIDMM_ESCAPE message = {0};
    D3DKMT_ESCAPE escape = {.hAdapter = any(self, ADAPTERS),
                            .Type = D3DKMT_ESCAPE_VIDMM,
                            .pPrivateDriverData = &message,
                            .PrivateDriverDataSize = sizeof(message)};

    switch (draw(self, 6)) {
    case 0:
        message.Type = D3DKMT_VIDMMESCAPETYPE_EVICT;
        break;
    case 1:
        message.Type = D3DKMT_VIDMMESCAPETYPE_DEFRAG;
        message.Defrag.SegmentId = 1 + draw(self, 2);
        message.Defrag.Operation = (D3DKMT_DEFRAG_ESCAPE_OPERATION)draw(self, 4);
        break;
    case 2:
        message.Type = D3DKMT_VIDMMESCAPETYPE_SETFAULT;
        message.SetFault.Value = draw(self, 2) << (13 + draw(self, 2)) | draw(self, 16) << 2;
        message.SetFault.Value &= 0x600eu; /* of the engine */
        break;
    case 3:
        message.Type = D3DKMT_VIDMMESCAPETYPE_SUSPEND_PROCESS;
        message.SuspendProcess.bAllowWakeOnSubmission = (BOOL)draw(self, 2);
        break;
    default:
        message.Type = D3DKMT_VIDMMESCAPETYPE_RESUME_PROCESS;
    }
    CALL(Escape, escape);
}

/* Something is queued on a context, which another thread may destroy: a signal. */
static void queue_signal(struct program_thread *self)
{
    static const UINT64 value = 1;
    D3DKMT_HANDLE fence = any(self, FENCES);
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU signal = {.hContext = any(self, CONTEXTS),
                                                        .ObjectCount = 1,
                                                        .ObjectHandleArray = &fence,
                                                        .MonitoredFenceValueArray = &value};

    CALL(SignalSynchronizationObjectFromGpu, signal);
}

static void *run(void *argument)
{
    struct program_thread *self = argument;

    for (unsigned round = 0; round < ROUNDS; round++)
        switch (draw(self, 9)) {
        case 0:
            make(self);
            break;
        case 5:
            test_manager(self);
            break;
        case 6:
            queue_signal(self);
            break;
        case 4:
            change_addresses(self);
            break;
        case 1:
        case 2:
            make_allocations(self);
            break;
        case 3:
            destroy(self);
            break;
        default:
            use(self);
        }
    return NULL;
}

/* How often a change of addresses succeeds is a matter of the threads' meetings: they go on until
 * some have. */
static void threads_make_use_and_destroy_the_same_objects(void **state)
{
    struct program_thread threads[THREADS];

    (void)state;
    thunk_start_machine(THUNK_GPU, true);
    for (unsigned i = 0; i < THREADS; i++)
        threads[i].random = i + 1;
    for (unsigned turn = 0; turn < 40 && atomic_load(&changes) <= 10; turn++) {
        for (unsigned i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i].thread, NULL, run, &threads[i]), 0);
        for (unsigned i = 0; i < THREADS; i++)
            assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
    }
    assert_true(atomic_load(&carried_out) > ROUNDS / 4 && atomic_load(&refusals) > ROUNDS / 4);
    assert_true(atomic_load(&changes) > 10);
    thunk_finish();
}

/* ---- turns ----------------------------------------------------------------------------------- */

enum { TURNS = 150 };

static D3DKMT_HANDLE the_mutex;

static void take_turns(const D3DKMT_HANDLE *context, const D3DKMT_HANDLE *fence, UINT64 turn)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT create = {.hDevice = one.device,
                                                 .Info.Type = D3DDDI_SEMAPHORE};
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECT wait = {*context, 1, {the_mutex}};
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECT give = {
        .hContext = *context, .ObjectCount = 1, .ObjectHandleArray = {the_mutex}};
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU signal = {.hContext = *context,
                                                        .ObjectCount = 1,
                                                        .ObjectHandleArray = fence,
                                                        .MonitoredFenceValueArray = &turn};

    create.Info.Semaphore.MaxCount = 1;
    succeeds(vidmm_thunk_WaitForSynchronizationObject(one.process, &wait));
    succeeds(vidmm_thunk_SignalSynchronizationObjectFromGpu(one.process, &signal));
    succeeds(vidmm_thunk_SignalSynchronizationObject(one.process, &give));
    if (turn % 8 != 0)
        return;
    /* A wait that only the object's end ends. */
    succeeds(vidmm_thunk_CreateSynchronizationObject(one.process, &create));
    wait.ObjectHandleArray[0] = create.hSyncObject;
    succeeds(vidmm_thunk_WaitForSynchronizationObject(one.process, &wait));
    succeeds(vidmm_thunk_DestroySynchronizationObject(
        one.process, &(D3DKMT_DESTROYSYNCHRONIZATIONOBJECT){create.hSyncObject}));
}

static void *queue_turns(void *argument)
{
    D3DKMT_CREATECONTEXTVIRTUAL context = {.hDevice = one.device};
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 fence = {.hDevice = one.device,
                                                 .Info.Type = D3DDDI_MONITORED_FENCE};
    UINT64 last = TURNS;
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU wait = {.hDevice = one.device,
                                                       .ObjectCount = 1,
                                                       .ObjectHandleArray = &fence.hSyncObject,
                                                       .FenceValueArray = &last};

    succeeds(vidmm_thunk_CreateContextVirtual(one.process, &context));
    succeeds(vidmm_thunk_CreateSynchronizationObject2(one.process, &fence));
    for (UINT64 turn = 1; turn <= TURNS; turn++)
        take_turns(&context.hContext, &fence.hSyncObject, turn);
    succeeds(vidmm_thunk_WaitForSynchronizationObjectFromCpu(one.process, &wait));
    succeeds(vidmm_thunk_DestroyContext(one.process, &(D3DKMT_DESTROYCONTEXT){context.hContext}));
    return argument;
}

/* Each queue has the mutex once a turn, and nobody is forgotten. */
static void queues_of_threads_take_turns(void **state)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT create = {.Info.Type = D3DDDI_SYNCHRONIZATION_MUTEX};
    pthread_t threads[THREADS];

    (void)state;
    thunk_start_machine(THUNK_GPU, true);
    begin_program(&one);
    create.hDevice = one.device;
    succeeds(vidmm_thunk_CreateSynchronizationObject(one.process, &create));
    the_mutex = create.hSyncObject;
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, queue_turns, NULL), 0);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_make_use_and_destroy_the_same_objects),
        cmocka_unit_test(queues_of_threads_take_turns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
