/* test_thunk_trim.c: programs are told to need less, by callbacks.
 *
 * The budget of a process is lowered to nothing by the manager's escape for tests; then its devices
 * are asked to trim.
 */
#include "test_thunk_rig.h"

#include <pthread.h>
#include <time.h>

enum { PAGES = 4, CALLBACKS = 2 };

/* The newest that a callback has been told. */
static struct told {
    unsigned calls;
    uint64_t bytes;
    uint32_t flags;
    D3DKMT_HANDLE evict; /* the callback takes it off the residency list; 0: nothing */
    bool unregisters;    /* the callback takes back its own registration */
    void *registration;
    NTSTATUS status; /* of what the callback did */
} told[CALLBACKS];

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void is_told(D3DKMT_TRIMNOTIFICATION *notification)
{
    struct told *mine = notification->Context;

    if (mine->evict != 0) {
        D3DKMT_EVICT evict = {
            .hDevice = one.device, .NumAllocations = 1, .AllocationList = &mine->evict};

        mine->status = vidmm_thunk_Evict(one.process, &evict);
    }
    if (mine->unregisters) {
        D3DKMT_UNREGISTERTRIMNOTIFICATION end = {.Handle = mine->registration};

        mine->status = vidmm_thunk_UnregisterTrimNotification(one.process, &end);
    }
    pthread_mutex_lock(&mutex);
    mine->calls++;
    mine->bytes = notification->NumBytesToTrim;
    mine->flags = notification->Flags.Value;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

/* Nobody waits longer than ten seconds. */
static void comes_to(const struct told *which, unsigned calls)
{
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 10;
    pthread_mutex_lock(&mutex);
    while (which->calls < calls)
        if (pthread_cond_timedwait(&changed, &mutex, &end) != 0)
            fail_msg("told %u times; expected %u", which->calls, calls);
    pthread_mutex_unlock(&mutex);
}

static void set_budget(struct thunk_program *program, uint64_t bytes)
{
    D3DKMT_VIDMM_ESCAPE ask = {.Type = D3DKMT_VIDMMESCAPETYPE_SET_BUDGET};
    D3DKMT_ESCAPE escape = {.hAdapter = program->adapter,
                            .Type = D3DKMT_ESCAPE_VIDMM,
                            .pPrivateDriverData = &ask,
                            .PrivateDriverDataSize = sizeof(ask)};

    ask.SetBudget.LocalMemoryBudget = bytes;
    ask.SetBudget.SystemMemoryBudget = UINT64_MAX;
    succeeds(vidmm_thunk_Escape(program->process, &escape));
}

static void *watch(struct thunk_program *program, D3DKMT_HANDLE device, struct told *context)
{
    D3DKMT_REGISTERTRIMNOTIFICATION wish = {
        .AdapterLuid = THUNK_LUID, .hDevice = device, .Callback = is_told, .Context = context};

    succeeds(vidmm_thunk_RegisterTrimNotification(program->process, &wish));
    assert_non_null(wish.Handle);
    return wish.Handle;
}

static NTSTATUS unwatch(void *registration)
{
    D3DKMT_UNREGISTERTRIMNOTIFICATION end = {.Handle = registration, .Callback = is_told};

    return vidmm_thunk_UnregisterTrimNotification(one.process, &end);
}

static D3DKMT_HANDLE start(void)
{
    D3DKMT_HANDLE allocation;

    memset(told, 0, sizeof(told));
    thunk_start_machine(THUNK_GPU, true);
    begin_program(&one);
    allocation = thunk_create(&one, PAGES);
    thunk_make_resident(&one, allocation);
    return allocation;
}

static void every_callback_of_the_device_is_told_and_may_trim(void **state)
{
    D3DKMT_QUERYVIDEOMEMORYINFO info = {.MemorySegmentGroup = D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL};

    (void)state;
    told[1].evict = start();
    watch(&one, one.device, &told[0]);
    watch(&one, one.device, &told[1]);
    set_budget(&one, 0);
    comes_to(&told[0], 1);
    comes_to(&told[1], 1);
    for (unsigned i = 0; i < CALLBACKS; i++) {
        assert_int_equal(told[i].bytes, PAGES * VIDMM_PAGE_SIZE);
        assert_true((D3DDDI_TRIMRESIDENCYSET_FLAGS){.Value = told[i].flags}.TrimToBudget);
    }
    assert_int_equal(told[1].status, STATUS_SUCCESS);
    info.hAdapter = one.adapter;
    succeeds(vidmm_thunk_QueryVideoMemoryInfo(one.process, &info));
    assert_int_equal(info.CurrentUsage, 0);
    thunk_finish();
}

static void a_request_that_stands_is_told_at_registration(void **state)
{
    (void)state;
    start();
    set_budget(&one, 0);
    watch(&one, one.device, &told[0]);
    comes_to(&told[0], 1);
    assert_int_equal(told[0].bytes, PAGES * VIDMM_PAGE_SIZE);
    thunk_finish();
}

/* The second callback shows that the request was told. */
static void nobody_is_called_after_unregistering(void **state)
{
    void *first;

    (void)state;
    start();
    first = watch(&one, one.device, &told[0]);
    watch(&one, one.device, &told[1]);
    succeeds(unwatch(first));
    refused(unwatch(first), "no registration");
    set_budget(&one, 0);
    comes_to(&told[1], 1);
    assert_int_equal(told[0].calls, 0);
    thunk_finish();
}

static void a_callback_may_take_back_its_own_registration(void **state)
{
    (void)state;
    start();
    told[0].unregisters = true;
    told[0].registration = watch(&one, one.device, &told[0]);
    set_budget(&one, 0);
    comes_to(&told[0], 1);
    assert_int_equal(told[0].status, STATUS_SUCCESS);
    refused(unwatch(told[0].registration), "no registration");
    thunk_finish();
}

static void a_device_that_is_destroyed_takes_its_registrations_along(void **state)
{
    D3DKMT_CREATEDEVICE create = {0};
    D3DKMT_DESTROYDEVICE destroy = {0};
    void *gone;

    (void)state;
    start();
    create.hAdapter = one.adapter;
    succeeds(vidmm_thunk_CreateDevice(one.process, &create));
    gone = watch(&one, create.hDevice, &told[0]);
    destroy.hDevice = create.hDevice;
    succeeds(vidmm_thunk_DestroyDevice(one.process, &destroy));
    refused(unwatch(gone), "no registration");
    thunk_finish();
}

static void a_notification_that_cannot_come_is_refused(void **state)
{
    D3DKMT_REGISTERTRIMNOTIFICATION wish = {.AdapterLuid = THUNK_LUID, .Callback = is_told};
    D3DKMT_UNREGISTERTRIMNOTIFICATION end = {0};

    (void)state;
    start();
    wish.hDevice = one.device;
    wish.AdapterLuid.LowPart++;
    refused(vidmm_thunk_RegisterTrimNotification(one.process, &wish), "AdapterLuid");
    wish.AdapterLuid = THUNK_LUID;
    wish.Callback = NULL;
    refused(vidmm_thunk_RegisterTrimNotification(one.process, &wish), "Callback is NULL");
    assert_null(wish.Handle);
    end.Handle = watch(&one, one.device, &told[0]);
    end.Callback = (PFND3DKMT_TRIMNOTIFICATIONCALLBACK)(uintptr_t)1;
    refused(vidmm_thunk_UnregisterTrimNotification(one.process, &end), "expected that one");
    refused(vidmm_thunk_UnregisterTrimNotification(other.process, &end), "no registration");
    end.Callback = NULL;
    succeeds(vidmm_thunk_UnregisterTrimNotification(one.process, &end));
    thunk_finish();
}

static void trims_are_of_2_0_on(void **state)
{
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = THUNK_LUID};
    D3DKMT_CREATEDEVICE device = {0};
    D3DKMT_REGISTERTRIMNOTIFICATION wish = {.AdapterLuid = THUNK_LUID, .Callback = is_told};

    (void)state;
    thunk_start_machine("wddm 1.3\nsegment 1 aperture 1M\nsegment 2 memory 2M cpuvisible\n", true);
    succeeds(vidmm_thunk_OpenAdapterFromLuid(one.process, &open));
    device.hAdapter = open.hAdapter;
    succeeds(vidmm_thunk_CreateDevice(one.process, &device));
    wish.hDevice = device.hDevice;
    refused_with(vidmm_thunk_RegisterTrimNotification(one.process, &wish), STATUS_NOT_SUPPORTED,
                 "2.0");
    assert_null(wish.Handle);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_callback_of_the_device_is_told_and_may_trim),
        cmocka_unit_test(a_request_that_stands_is_told_at_registration),
        cmocka_unit_test(nobody_is_called_after_unregistering),
        cmocka_unit_test(a_callback_may_take_back_its_own_registration),
        cmocka_unit_test(a_device_that_is_destroyed_takes_its_registrations_along),
        cmocka_unit_test(a_notification_that_cannot_come_is_refused),
        cmocka_unit_test(trims_are_of_2_0_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
