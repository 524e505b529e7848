/* test_thunk_strangers.c: what is known, but not here: of another adapter, or of another kind of
 * share. test_thunk_refusals.c has handles that are wrong in themselves.
 */
#include "test_thunk_rig.h"

/* ---- two adapters ---------------------------------------------------------------------------- */

#define SECOND_LUID ((LUID){.LowPart = 0x4321, .HighPart = 7})

static struct rig second_rig;

/* Two programs on a machine of two adapters. */
static void start_two(void)
{
    struct rig_options options = rig_defaults();
    struct vidmm_thunk_adapter adapters[2] = {{.luid = THUNK_LUID}, {.luid = SECOND_LUID}};

    thunk_start_machine(THUNK_GPU, true);
    thunk_end_processes();
    options.gpu = THUNK_GPU;
    options.kind = VIDMM_MACHINE_THREADED;
    options.visitors = true;
    rig_build(&second_rig, &options);
    if (vidmm_adapter_start(vidmm_slot_host(second_rig.slot), &second_rig.driver, &second_rig,
                            &second_rig.options.adapter, &second_rig.adapter,
                            &second_rig.report) != STATUS_SUCCESS)
        fail_msg("%s", second_rig.report.text);
    adapters[0].adapter = thunk_rig.adapter;
    adapters[1].adapter = second_rig.adapter;
    thunk_machine = vidmm_thunk_machine_create(adapters, 2);
    assert_non_null(thunk_machine);
    one = other = (struct thunk_program){0};
    one.process = vidmm_thunk_process_create(thunk_machine, 1);
    other.process = vidmm_thunk_process_create(thunk_machine, 2);
    assert_true(one.process != NULL && other.process != NULL);
}

static void finish_two(void)
{
    thunk_end_processes();
    rig_judge(&second_rig, second_rig.gpu);
    rig_finish(&second_rig);
    rig_judge(&thunk_rig, thunk_rig.gpu);
    rig_finish(&thunk_rig);
}

static D3DKMT_HANDLE open_second(const struct thunk_program *program)
{
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = SECOND_LUID};

    succeeds(vidmm_thunk_OpenAdapterFromLuid(program->process, &open));
    return open.hAdapter;
}

static D3DKMT_HANDLE device_below(const struct thunk_program *program, D3DKMT_HANDLE adapter)
{
    D3DKMT_CREATEDEVICE create = {.hAdapter = adapter};

    succeeds(vidmm_thunk_CreateDevice(program->process, &create));
    return create.hDevice;
}

static void hears_nothing(D3DKMT_TRIMNOTIFICATION *notification)
{
    (void)notification;
}

static void a_device_is_watched_at_its_own_adapter(void **state)
{
    D3DKMT_REGISTERTRIMNOTIFICATION watch = {.Callback = hears_nothing, .AdapterLuid = SECOND_LUID};
    D3DKMT_HANDLE second;

    (void)state;
    start_two();
    begin_program(&one);
    second = device_below(&one, open_second(&one));
    watch.hDevice = one.device;
    refused(vidmm_thunk_RegisterTrimNotification(one.process, &watch),
            "of another adapter than AdapterLuid");
    watch.hDevice = second;
    watch.AdapterLuid = THUNK_LUID;
    refused(vidmm_thunk_RegisterTrimNotification(one.process, &watch),
            "of another adapter than AdapterLuid");
    assert_null(watch.Handle);
    watch.AdapterLuid = SECOND_LUID;
    succeeds(vidmm_thunk_RegisterTrimNotification(one.process, &watch));
    assert_non_null(watch.Handle);
    finish_two();
}

static NTSTATUS delay(D3DKMT_HANDLE adapter, D3DKMT_HANDLE queue)
{
    struct thunk_program at = {.process = one.process, .adapter = adapter};
    D3DKMT_VIDMM_ESCAPE ask = {.Type = D3DKMT_VIDMMESCAPETYPE_DELAYEXECUTION};

    ask.DelayExecution.hPagingQueue = queue;
    ask.DelayExecution.Milliseconds = 1;
    return thunk_escape(&at, &ask);
}

static void a_queue_rests_by_its_own_program_and_adapter(void **state)
{
    D3DKMT_CREATEPAGINGQUEUE queue = {0};
    D3DKMT_HANDLE second, strange;

    (void)state;
    start_two();
    begin_program(&one);
    begin_program(&other);
    queue.hDevice = other.device;
    for (unsigned i = 0; i < 40; i++) /* the last of these numbers leads nowhere in the first */
        succeeds(vidmm_thunk_CreatePagingQueue(other.process, &queue));
    strange = queue.hPagingQueue;
    second = open_second(&one);
    queue.hDevice = device_below(&one, second);
    succeeds(vidmm_thunk_CreatePagingQueue(one.process, &queue));
    refused(delay(one.adapter, strange), "no handle of this process");
    refused(delay(one.adapter, queue.hPagingQueue), "of another adapter than hAdapter");
    refused(delay(second, one.queue), "of another adapter than hAdapter");
    succeeds(delay(second, queue.hPagingQueue));
    succeeds(delay(one.adapter, one.queue));
    finish_two();
}

/* ---- shares ---------------------------------------------------------------------------------- */

enum { FENCES = 40 };

/* The number of a fence that is shared by it. */
static D3DKMT_HANDLE share_fence(void)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {.hDevice = one.device, .Info.Type = D3DDDI_FENCE};

    create.Info.Flags.Shared = 1;
    succeeds(vidmm_thunk_CreateSynchronizationObject2(one.process, &create));
    assert_int_not_equal(create.Info.SharedHandle, 0);
    return create.Info.SharedHandle;
}

static D3DKMT_HANDLE share_resource(void)
{
    struct softgpu_allocation wish = thunk_wish(1, 0, 2);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {.hDevice = one.device,
                                      .Flags = {.CreateResource = 1, .CreateShared = 1},
                                      .NumAllocations = 1,
                                      .pAllocationInfo2 = &info};

    succeeds(vidmm_thunk_CreateAllocation2(one.process, &create));
    return create.hGlobalShare;
}

/* Resources and fences are shared by numbers, too, and no number leads to one of each. */
static void a_shared_number_is_of_one_kind(void **state)
{
    D3DKMT_QUERYRESOURCEINFO query = {0};
    D3DKMT_OPENRESOURCE open = {0};
    D3DKMT_GETSHAREDRESOURCEADAPTERLUID luid = {0};
    D3DKMT_OPENSYNCHRONIZATIONOBJECT sync = {0};
    D3DKMT_HANDLE resource;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    query.hDevice = open.hDevice = one.device;
    resource = share_resource();
    for (unsigned i = 0; i < FENCES; i++) {
        query.hGlobalShare = open.hGlobalShare = luid.hGlobalShare = share_fence();
        refused(vidmm_thunk_QueryResourceInfo(one.process, &query), "no shared resource");
        refused(vidmm_thunk_OpenResource(one.process, &open), "no shared resource");
        refused(vidmm_thunk_GetSharedResourceAdapterLuid(one.process, &luid), "no shared resource");
    }
    sync.hSharedHandle = resource;
    refused(vidmm_thunk_OpenSynchronizationObject(one.process, &sync), "no shared synchronization");
    assert_int_equal(sync.hSyncObject, 0);
    query.hGlobalShare = luid.hGlobalShare = resource;
    sync.hSharedHandle = share_fence();
    succeeds(vidmm_thunk_QueryResourceInfo(one.process, &query));
    succeeds(vidmm_thunk_GetSharedResourceAdapterLuid(one.process, &luid));
    succeeds(vidmm_thunk_OpenSynchronizationObject(one.process, &sync));
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_is_watched_at_its_own_adapter),
        cmocka_unit_test(a_queue_rests_by_its_own_program_and_adapter),
        cmocka_unit_test(a_shared_number_is_of_one_kind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
