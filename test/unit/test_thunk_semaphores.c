/* test_thunk_semaphores.c: mutexes and semaphores, which queues of contexts take and give. */
#include "test_thunk_rig.h"

enum { QUEUES = 3 };

/* The contexts of one device; each signals a fence of its own behind what it waits for. */
static D3DKMT_HANDLE contexts[QUEUES], fences[QUEUES];
static const volatile uint64_t *values[QUEUES];
static UINT64 newest[QUEUES];

static D3DKMT_HANDLE make_fence(const volatile uint64_t **value)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {.hDevice = one.device,
                                                  .Info.Type = D3DDDI_MONITORED_FENCE};

    succeeds(vidmm_thunk_CreateSynchronizationObject2(one.process, &create));
    *value = create.Info.MonitoredFence.FenceValueCPUVirtualAddress;
    return create.hSyncObject;
}

static void start(void)
{
    thunk_start(THUNK_GPU);
    begin_program(&one);
    for (unsigned i = 0; i < QUEUES; i++) {
        D3DKMT_CREATECONTEXTVIRTUAL context = {.hDevice = one.device};

        succeeds(vidmm_thunk_CreateContextVirtual(one.process, &context));
        contexts[i] = context.hContext;
        fences[i] = make_fence(&values[i]);
        newest[i] = 0;
    }
}

static D3DKMT_HANDLE make_mutex(BOOL taken)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT create = {.hDevice = one.device,
                                                 .Info.Type = D3DDDI_SYNCHRONIZATION_MUTEX};

    create.Info.SynchronizationMutex.InitialState = taken;
    succeeds(vidmm_thunk_CreateSynchronizationObject(one.process, &create));
    return create.hSyncObject;
}

static D3DKMT_HANDLE make_semaphore(UINT count, UINT most)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT create = {.hDevice = one.device,
                                                 .Info.Type = D3DDDI_SEMAPHORE};

    create.Info.Semaphore.InitialCount = count;
    create.Info.Semaphore.MaxCount = most;
    succeeds(vidmm_thunk_CreateSynchronizationObject(one.process, &create));
    return create.hSyncObject;
}

static void take_two(unsigned queue, D3DKMT_HANDLE first, D3DKMT_HANDLE second)
{
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECT wait = {.hContext = contexts[queue],
                                                .ObjectCount = second != 0 ? 2 : 1,
                                                .ObjectHandleArray = {first, second}};
    UINT64 value = ++newest[queue];
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU signal = {.hContext = contexts[queue],
                                                        .ObjectCount = 1,
                                                        .ObjectHandleArray = &fences[queue],
                                                        .MonitoredFenceValueArray = &value};

    succeeds(vidmm_thunk_WaitForSynchronizationObject(one.process, &wait));
    succeeds(vidmm_thunk_SignalSynchronizationObjectFromGpu(one.process, &signal));
}

static void take(unsigned queue, D3DKMT_HANDLE object)
{
    take_two(queue, object, 0);
}

static void give(unsigned queue, D3DKMT_HANDLE object)
{
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECT signal = {
        .hContext = contexts[queue], .ObjectCount = 1, .ObjectHandleArray = {object}};

    succeeds(vidmm_thunk_SignalSynchronizationObject(one.process, &signal));
}

/* How often each queue has got what it waited for. */
static void have_got(uint64_t first, uint64_t second, uint64_t third)
{
    vidmm_machine_settle(thunk_rig.machine);
    assert_int_equal(*values[0], first);
    assert_int_equal(*values[1], second);
    assert_int_equal(*values[2], third);
}

static void destroy(D3DKMT_HANDLE object)
{
    succeeds(vidmm_thunk_DestroySynchronizationObject(
        one.process, &(D3DKMT_DESTROYSYNCHRONIZATIONOBJECT){.hSyncObject = object}));
}

static void a_mutex_is_one_queues_at_a_time(void **state)
{
    D3DKMT_HANDLE mutex, taken;

    (void)state;
    start();
    mutex = make_mutex(FALSE);
    take(0, mutex);
    have_got(1, 0, 0);
    take(1, mutex);
    take(2, mutex);
    have_got(1, 0, 0);
    give(0, mutex);
    have_got(1, 1, 0); /* the one that came first */
    give(1, mutex);
    have_got(1, 1, 1);
    taken = make_mutex(TRUE);
    take(0, taken);
    have_got(1, 1, 1);
    give(1, taken);
    have_got(2, 1, 1);
    thunk_finish();
}

static void a_semaphore_counts_to_its_most(void **state)
{
    D3DKMT_HANDLE semaphore;

    (void)state;
    start();
    semaphore = make_semaphore(1, 2);
    take(0, semaphore);
    take(1, semaphore);
    have_got(1, 0, 0);
    for (unsigned i = 0; i < 5; i++)
        give(2, semaphore);
    have_got(1, 1, 0); /* it counts 2 now, not 4 */
    take(0, semaphore);
    take(1, semaphore);
    take(2, semaphore);
    have_got(2, 2, 0);
    thunk_finish();
}

/* A queue that is held back elsewhere has not come, and keeps nobody from it. */
static void who_comes_first_is_first(void **state)
{
    UINT64 value = 1;
    const volatile uint64_t *ignored;
    D3DKMT_HANDLE gate, mutex;
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU wait = {.ObjectCount = 1,
                                                       .MonitoredFenceValueArray = &value};
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU open = {.ObjectCount = 1, .FenceValueArray = &value};

    (void)state;
    start();
    gate = make_fence(&ignored);
    mutex = make_mutex(FALSE);
    wait.hContext = contexts[0];
    wait.ObjectHandleArray = open.ObjectHandleArray = &gate;
    succeeds(vidmm_thunk_WaitForSynchronizationObjectFromGpu(one.process, &wait));
    take(0, mutex);
    take(1, mutex);
    have_got(0, 1, 0);
    open.hDevice = one.device;
    succeeds(vidmm_thunk_SignalSynchronizationObjectFromCpu(one.process, &open));
    have_got(0, 1, 0);
    give(1, mutex);
    have_got(1, 1, 0);
    thunk_finish();
}

static void several_objects_are_taken_all_or_none(void **state)
{
    D3DKMT_HANDLE here, away, twice;

    (void)state;
    start();
    here = make_mutex(FALSE);
    away = make_mutex(TRUE);
    take_two(0, here, away);
    take(1, here); /* passes */
    have_got(0, 1, 0);
    give(2, away);
    have_got(0, 1, 0);
    give(1, here);
    have_got(1, 1, 0);
    twice = make_semaphore(1, 2);
    take_two(1, twice, twice);
    have_got(1, 1, 0);
    give(2, twice);
    have_got(1, 2, 0);
    thunk_finish();
}

static void an_object_that_is_destroyed_keeps_nobody_waiting(void **state)
{
    D3DKMT_HANDLE taken;

    (void)state;
    start();
    taken = make_mutex(TRUE);
    take(0, taken);
    take(0, taken);
    take(1, taken);
    have_got(0, 0, 0);
    destroy(taken);
    have_got(2, 1, 0);
    thunk_finish();
}

/* Two queues wait. The first ends: its waits are over, and it takes nothing. */
static void a_context_that_ends_takes_nothing(void **state)
{
    D3DKMT_HANDLE taken;

    (void)state;
    start();
    taken = make_mutex(TRUE);
    take(0, taken);
    take(1, taken);
    have_got(0, 0, 0);
    succeeds(
        vidmm_thunk_DestroyContext(one.process, &(D3DKMT_DESTROYCONTEXT){.hContext = contexts[0]}));
    have_got(1, 0, 0);
    give(2, taken);
    have_got(1, 1, 0);
    take(1, taken); /* the process ends with it */
    have_got(1, 1, 0);
    thunk_finish();
}

static void a_device_that_ends_takes_its_turns_along(void **state)
{
    D3DKMT_HANDLE taken;

    (void)state;
    start();
    taken = make_mutex(TRUE);
    take(0, taken);
    take(1, taken);
    give(2, taken);
    succeeds(
        vidmm_thunk_DestroyDevice(one.process, &(D3DKMT_DESTROYDEVICE){.hDevice = one.device}));
    thunk_finish();
}

static void no_other_types_and_devices_are_taken(void **state)
{
    D3DKMT_CREATEDEVICE device = {0};
    D3DKMT_CREATECONTEXTVIRTUAL context = {0};
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 shared = {.Info.Type = D3DDDI_SYNCHRONIZATION_MUTEX};
    D3DKMT_CREATESYNCHRONIZATIONOBJECT create = {.Info.Type = D3DDDI_SEMAPHORE};
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECT2 wait = {.ObjectCount = 2};
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU cpu = {.ObjectCount = 1};
    UINT64 value = 1;

    (void)state;
    start();
    device.hAdapter = one.adapter;
    succeeds(vidmm_thunk_CreateDevice(one.process, &device));
    context.hDevice = device.hDevice;
    succeeds(vidmm_thunk_CreateContextVirtual(one.process, &context));
    wait.hContext = contexts[0];
    wait.ObjectHandleArray[0] = make_mutex(FALSE);
    wait.ObjectHandleArray[1] = fences[0];
    refused(vidmm_thunk_WaitForSynchronizationObject2(one.process, &wait), "[1]");
    wait.ObjectCount = 1;
    wait.hContext = context.hContext;
    refused(vidmm_thunk_WaitForSynchronizationObject2(one.process, &wait), "device");
    wait.hContext = contexts[0];
    succeeds(vidmm_thunk_WaitForSynchronizationObject2(one.process, &wait));
    cpu.hDevice = one.device;
    cpu.ObjectHandleArray = wait.ObjectHandleArray;
    cpu.FenceValueArray = &value;
    refused(vidmm_thunk_WaitForSynchronizationObjectFromCpu(one.process, &cpu), "of type 1");
    shared.hDevice = create.hDevice = one.device;
    shared.Info.Flags.Shared = 1;
    refused_with(vidmm_thunk_CreateSynchronizationObject2(one.process, &shared),
                 STATUS_NOT_SUPPORTED, "without flags");
    create.Info.Semaphore.MaxCount = 1;
    create.Info.Semaphore.InitialCount = 2;
    refused(vidmm_thunk_CreateSynchronizationObject(one.process, &create), "0 to MaxCount, 1");
    thunk_finish();
}

static void they_are_of_2_0_on(void **state)
{
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = THUNK_LUID};
    D3DKMT_CREATEDEVICE device = {0};
    D3DKMT_CREATESYNCHRONIZATIONOBJECT create = {.Info.Type = D3DDDI_SYNCHRONIZATION_MUTEX};

    (void)state;
    thunk_start("wddm 1.2\nsegment 1 aperture 1M\nsegment 2 memory 1M\n");
    succeeds(vidmm_thunk_OpenAdapterFromLuid(one.process, &open));
    device.hAdapter = open.hAdapter;
    succeeds(vidmm_thunk_CreateDevice(one.process, &device));
    create.hDevice = device.hDevice;
    refused_with(vidmm_thunk_CreateSynchronizationObject(one.process, &create),
                 STATUS_NOT_SUPPORTED, "2.0");
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mutex_is_one_queues_at_a_time),
        cmocka_unit_test(a_semaphore_counts_to_its_most),
        cmocka_unit_test(who_comes_first_is_first),
        cmocka_unit_test(several_objects_are_taken_all_or_none),
        cmocka_unit_test(an_object_that_is_destroyed_keeps_nobody_waiting),
        cmocka_unit_test(a_context_that_ends_takes_nothing),
        cmocka_unit_test(a_device_that_ends_takes_its_turns_along),
        cmocka_unit_test(no_other_types_and_devices_are_taken),
        cmocka_unit_test(they_are_of_2_0_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
