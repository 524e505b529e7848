/* test_thunk_sync.c: fences, waits, signals and events, by thunks alone. */
#include "test_thunk_rig.h"

#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

static D3DKMT_CREATESYNCHRONIZATIONOBJECT2 make(struct thunk_program *program,
                                                D3DDDI_SYNCHRONIZATIONOBJECT_TYPE type,
                                                uint64_t value, UINT shared)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {.hDevice = program->device};

    create.Info.Type = type;
    create.Info.Flags.Shared = shared & 1u;
    create.Info.Fence.FenceValue = value;
    succeeds(vidmm_thunk_CreateSynchronizationObject2(program->process, &create));
    assert_int_not_equal(create.hSyncObject, 0);
    return create;
}

static NTSTATUS signal_by_cpu(struct thunk_program *program, D3DKMT_HANDLE fence, UINT64 value)
{
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU signal = {
        .hDevice = program->device, 1, &fence, &value, {{{0}}}};

    return vidmm_thunk_SignalSynchronizationObjectFromCpu(program->process, &signal);
}

/* event: 0 blocks */
static NTSTATUS wait_by_cpu(struct thunk_program *program, const D3DKMT_HANDLE *fences,
                            const UINT64 *values, UINT count, UINT any, int event)
{
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU wait = {.hDevice = program->device,
                                                       .ObjectCount = count,
                                                       .ObjectHandleArray = fences,
                                                       .FenceValueArray = values,
                                                       .hAsyncEvent = (HANDLE)(intptr_t)event,
                                                       .Flags = {.WaitAny = any & 1u}};

    return vidmm_thunk_WaitForSynchronizationObjectFromCpu(program->process, &wait);
}

static bool is_set(int event)
{
    uint64_t times = 0;

    return read(event, &times, sizeof(times)) == sizeof(times);
}

static void destroy(struct thunk_program *program, D3DKMT_HANDLE fence)
{
    D3DKMT_DESTROYSYNCHRONIZATIONOBJECT arguments = {fence};

    succeeds(vidmm_thunk_DestroySynchronizationObject(program->process, &arguments));
}

static void the_cpu_signals_and_waits(void **state)
{
    const volatile uint64_t *value;
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create;
    D3DKMT_HANDLE fences[2];
    UINT64 values[2] = {42, 7};
    int event = eventfd(0, EFD_NONBLOCK);

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    create = make(&one, D3DDDI_MONITORED_FENCE, 41, 0);
    value = create.Info.MonitoredFence.FenceValueCPUVirtualAddress;
    assert_int_equal(*value, 41);
    assert_int_not_equal(create.Info.MonitoredFence.FenceValueGPUVirtualAddress, 0);
    fences[0] = create.hSyncObject;
    fences[1] = make(&one, D3DDDI_MONITORED_FENCE, 0, 0).hSyncObject;
    succeeds(wait_by_cpu(&one, fences, (UINT64[]){41}, 1, 0, 0));
    refused_with(wait_by_cpu(&one, fences, values, 1, 0, 0), STATUS_TIMEOUT, "can still come");
    succeeds(wait_by_cpu(&one, fences, values, 2, 0, event));
    succeeds(signal_by_cpu(&one, fences[0], 42));
    assert_int_equal(*value, 42);
    assert_false(is_set(event));
    succeeds(wait_by_cpu(&one, fences, values, 2, 1, 0));
    succeeds(signal_by_cpu(&one, fences[1], 9));
    vidmm_machine_settle(thunk_rig.machine);
    assert_true(is_set(event));
    /* A wait that is over tells at once; a fence that goes ends the wait. */
    succeeds(wait_by_cpu(&one, fences, values, 2, 0, event));
    assert_true(is_set(event));
    succeeds(wait_by_cpu(&one, fences, (UINT64[]){100}, 1, 0, event));
    assert_false(is_set(event));
    destroy(&one, fences[0]);
    vidmm_machine_settle(thunk_rig.machine);
    assert_true(is_set(event));
    refused(signal_by_cpu(&one, fences[0], 101), "no handle of this process");
    close(event);
    thunk_finish();
}

/* ---- in queues ------------------------------------------------------------------------------- */

static NTSTATUS in_queue(struct thunk_program *program, bool signals, D3DKMT_HANDLE fence,
                         UINT64 value)
{
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU wait = {
        .hContext = program->context, .ObjectCount = 1, .ObjectHandleArray = &fence};
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU signal = {
        .hContext = program->context, .ObjectCount = 1, .ObjectHandleArray = &fence};

    wait.MonitoredFenceValueArray = signal.MonitoredFenceValueArray = &value;
    return signals ? vidmm_thunk_SignalSynchronizationObjectFromGpu(program->process, &signal)
                   : vidmm_thunk_WaitForSynchronizationObjectFromGpu(program->process, &wait);
}

static NTSTATUS event_in_queue(struct thunk_program *program, D3DKMT_HANDLE object, int event)
{
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU2 signal = {.BroadcastContextCount = 1,
                                                         .BroadcastContextArray = &program->context,
                                                         .ObjectHandleArray = &object,
                                                         .ObjectCount = object != 0,
                                                         .Flags = {.EnqueueCpuEvent = object == 0},
                                                         .CpuEventHandle = (HANDLE)(intptr_t)event};

    return vidmm_thunk_SignalSynchronizationObjectFromGpu2(program->process, &signal);
}

static void queues_wait_and_signal_in_order(void **state)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 notification = {0};
    D3DKMT_HANDLE gate, done;
    int first = eventfd(0, EFD_NONBLOCK), second = eventfd(0, EFD_NONBLOCK);

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    notification.hDevice = one.device;
    notification.Info.Type = D3DDDI_CPU_NOTIFICATION;
    notification.Info.CPUNotification.Event = (HANDLE)(intptr_t)second;
    succeeds(vidmm_thunk_CreateSynchronizationObject2(one.process, &notification));
    gate = make(&one, D3DDDI_MONITORED_FENCE, 0, 0).hSyncObject;
    done = make(&one, D3DDDI_MONITORED_FENCE, 0, 0).hSyncObject;
    succeeds(event_in_queue(&one, 0, first));
    succeeds(in_queue(&one, false, gate, 5));
    succeeds(in_queue(&one, true, done, 1));
    succeeds(event_in_queue(&one, notification.hSyncObject, 0));
    vidmm_machine_settle(thunk_rig.machine);
    assert_true(is_set(first));
    assert_false(is_set(second));
    succeeds(signal_by_cpu(&one, gate, 4));
    vidmm_machine_settle(thunk_rig.machine);
    assert_false(is_set(second));
    succeeds(signal_by_cpu(&one, gate, 5));
    succeeds(wait_by_cpu(&one, &done, (UINT64[]){1}, 1, 0, 0));
    vidmm_machine_settle(thunk_rig.machine);
    assert_true(is_set(second));
    /* All that stands behind a wait goes with its context, and whoever waits for it hears. */
    succeeds(in_queue(&one, false, gate, 6));
    succeeds(event_in_queue(&one, 0, first));
    succeeds(
        vidmm_thunk_DestroyContext(one.process, &(D3DKMT_DESTROYCONTEXT){.hContext = one.context}));
    vidmm_machine_settle(thunk_rig.machine);
    assert_true(is_set(first));
    close(first);
    close(second);
    thunk_finish();
}

/* D3DDDI_FENCE: one value for all objects, in queues alone. */
static void plain_fences_are_of_queues(void **state)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create;
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECT2 wait = {.ObjectCount = 1, .Fence = {3}};
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECT2 signal = {.ObjectCount = 1, .Fence = {3}};
    D3DKMT_HANDLE monitored;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    create = make(&one, D3DDDI_FENCE, 2, 0);
    wait.hContext = signal.hContext = one.context;
    wait.ObjectHandleArray[0] = signal.ObjectHandleArray[0] = create.hSyncObject;
    succeeds(vidmm_thunk_SignalSynchronizationObject2(one.process, &signal));
    succeeds(vidmm_thunk_WaitForSynchronizationObject2(one.process, &wait));
    monitored = make(&one, D3DDDI_MONITORED_FENCE, 0, 0).hSyncObject;
    wait.ObjectHandleArray[0] = monitored;
    refused(vidmm_thunk_WaitForSynchronizationObject2(one.process, &wait), "values is NULL");
    wait.ObjectHandleArray[1] = create.hSyncObject;
    wait.ObjectHandleArray[0] = create.hSyncObject;
    wait.ObjectHandleArray[1] = monitored;
    wait.ObjectCount = 2;
    refused(vidmm_thunk_WaitForSynchronizationObject2(one.process, &wait), "fences alone");
    thunk_finish();
}

/* ---- of a paging queue ----------------------------------------------------------------------- */

static void a_paging_queues_fence_is_only_waited_for(void **state)
{
    D3DKMT_CREATEPAGINGQUEUE queue = {0};
    D3DKMT_HANDLE allocation;
    D3DDDI_MAKERESIDENT resident = {.NumAllocations = 1, .AllocationList = &allocation};
    NTSTATUS status;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    queue.hDevice = one.device;
    succeeds(vidmm_thunk_CreatePagingQueue(one.process, &queue));
    allocation = thunk_create(&one, 2);
    resident.hPagingQueue = queue.hPagingQueue;
    status = vidmm_thunk_MakeResident(one.process, &resident);
    assert_true(status == STATUS_PENDING);
    succeeds(wait_by_cpu(&one, &queue.hSyncObject, &resident.PagingFenceValue, 1, 0, 0));
    refused_with(signal_by_cpu(&one, queue.hSyncObject, 9000), STATUS_ACCESS_DENIED, "");
    refused(vidmm_thunk_DestroySynchronizationObject(
                one.process, &(D3DKMT_DESTROYSYNCHRONIZATIONOBJECT){queue.hSyncObject}),
            "goes with its paging queue");
    succeeds(vidmm_thunk_DestroyPagingQueue(one.process,
                                            &(D3DDDI_DESTROYPAGINGQUEUE){queue.hPagingQueue}));
    refused(wait_by_cpu(&one, &queue.hSyncObject, &resident.PagingFenceValue, 1, 0, 0),
            "no handle of this process");
    thunk_finish();
}

/* ---- shared ---------------------------------------------------------------------------------- */

/* A shared fence outlives the process that made it. */
static void shared_fences_belong_to_all_who_opened_them(void **state)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create;
    D3DKMT_OPENSYNCHRONIZATIONOBJECT open = {0};
    int event = eventfd(0, EFD_NONBLOCK);

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    create = make(&one, D3DDDI_MONITORED_FENCE, 1, 1);
    open.hSharedHandle = create.Info.SharedHandle;
    assert_int_not_equal(open.hSharedHandle, 0);
    refused(vidmm_thunk_OpenSynchronizationObject(other.process, &open), "has not opened");
    begin_program(&other);
    succeeds(vidmm_thunk_OpenSynchronizationObject(other.process, &open));
    succeeds(wait_by_cpu(&other, &open.hSyncObject, (UINT64[]){2}, 1, 0, event));
    succeeds(signal_by_cpu(&one, create.hSyncObject, 2));
    vidmm_machine_settle(thunk_rig.machine);
    assert_true(is_set(event));
    vidmm_thunk_process_destroy(one.process);
    one.process = NULL;
    succeeds(in_queue(&other, false, open.hSyncObject, 3));
    succeeds(signal_by_cpu(&other, open.hSyncObject, 3));
    destroy(&other, open.hSyncObject);
    refused(vidmm_thunk_OpenSynchronizationObject(other.process, &open), "no shared");
    close(event);
    thunk_finish();
}

/* ---- threads --------------------------------------------------------------------------------- */

static void *block(void *argument)
{
    const D3DKMT_HANDLE *fence = argument;
    UINT64 value = 1;

    return (void *)(intptr_t)wait_by_cpu(&one, fence, &value, 1, 0, 0);
}

/* The answer to a thread that waits for a fence, when that goes, or with its device: the thread may
 * have come to its wait, or may not have. Others have run so many times. */
static NTSTATUS end_of_wait(bool with_device, unsigned yields)
{
    D3DKMT_HANDLE fence;
    pthread_t thread;
    void *status;

    thunk_start_machine(THUNK_GPU, true);
    begin_program(&one);
    fence = make(&one, D3DDDI_MONITORED_FENCE, 0, 0).hSyncObject;
    assert_int_equal(pthread_create(&thread, NULL, block, &fence), 0);
    while (yields-- > 0)
        sched_yield();
    if (with_device)
        succeeds(vidmm_thunk_DestroyDevice(one.process, &(D3DKMT_DESTROYDEVICE){one.device}));
    else
        destroy(&one, fence);
    pthread_join(thread, &status);
    thunk_finish();
    return (NTSTATUS)(intptr_t)status;
}

/* Until a thread was in its wait: such a one is told that it was cancelled. */
static void see_wait_end(bool with_device)
{
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    for (unsigned yields = 1; status != STATUS_CANCELLED; yields *= 2) {
        assert_true(yields < 1u << 24);
        status = end_of_wait(with_device, yields);
        assert_true(status == STATUS_CANCELLED || status == STATUS_INVALID_PARAMETER);
    }
}

/* A thread that blocks does not keep the fence from going, nor its device. */
static void a_wait_ends_with_its_fence_or_device(void **state)
{
    (void)state;
    see_wait_end(false);
    see_wait_end(true);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static NTSTATUS create_with(D3DDDI_SYNCHRONIZATIONOBJECT_TYPE type, UINT flags)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {.hDevice = one.device};

    create.Info.Type = type;
    create.Info.Flags.Value = flags;
    return vidmm_thunk_CreateSynchronizationObject2(one.process, &create);
}

static void wrong_wishes_are_refused_by_name(void **state)
{
    D3DKMT_HANDLE fence, handles[33];
    UINT64 value = 1;
    int pipes[2];

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    fence = make(&one, D3DDDI_MONITORED_FENCE, 0, 0).hSyncObject;
    for (unsigned i = 0; i < 33; i++)
        handles[i] = fence;
    refused(create_with(0, 0), "Info.Type is 0");
    refused(create_with(8, 0), "Info.Type is 8");
    refused_with(create_with(D3DDDI_PERIODIC_MONITORED_FENCE, 0), STATUS_NOT_SUPPORTED,
                 "Info.Type is 6");
    refused_with(create_with(D3DDDI_NATIVE_FENCE, 0), STATUS_NOT_SUPPORTED, "Info.Type is 7");
    refused(create_with(D3DDDI_SEMAPHORE, 0), "MaxCount is 0");
    refused_with(create_with(D3DDDI_MONITORED_FENCE, 4), STATUS_NOT_SUPPORTED, "CrossAdapter");
    refused(create_with(D3DDDI_MONITORED_FENCE, 0x1000), "reserved");
    refused(create_with(D3DDDI_CPU_NOTIFICATION, 0), "CPUNotification.Event");
    refused(wait_by_cpu(&one, handles, &value, 0, 0, 0), "expected 1 to 32");
    refused(wait_by_cpu(&one, handles, &value, 33, 0, 0), "expected 1 to 32");
    refused(wait_by_cpu(&one, NULL, &value, 1, 0, 0), "ObjectHandleArray is NULL");
    refused(wait_by_cpu(&one, handles, NULL, 1, 0, 0), "values is NULL");
    refused(wait_by_cpu(&one, &one.device, &value, 1, 0, 0), "the handle of a device");
    assert_int_equal(pipe(pipes), 0);
    refused(wait_by_cpu(&one, handles, &value, 1, 0, pipes[1]), "descriptor of an eventfd");
    refused(event_in_queue(&one, 0, pipes[1]), "CpuEventHandle");
    refused(event_in_queue(&one, 0, 123456), "CpuEventHandle");
    close(pipes[0]);
    close(pipes[1]);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cpu_signals_and_waits),
        cmocka_unit_test(queues_wait_and_signal_in_order),
        cmocka_unit_test(plain_fences_are_of_queues),
        cmocka_unit_test(a_paging_queues_fence_is_only_waited_for),
        cmocka_unit_test(shared_fences_belong_to_all_who_opened_them),
        cmocka_unit_test(a_wait_ends_with_its_fence_or_device),
        cmocka_unit_test(wrong_wishes_are_refused_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
