/* test_thunk_suspension.c: D3DKMT_ESCAPE_VIDMM: SuspendProcess, ResumeProcess. */
#include "test_thunk_rig.h"

#include <vidmm/lock.h>
#include <vidmm/suspend.h>

enum { PAGES = 8 };

static NTSTATUS suspend(const struct thunk_program *program, bool wakes)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_SUSPEND_PROCESS};

    message.SuspendProcess.bAllowWakeOnSubmission = wakes;
    return thunk_escape(program, &message);
}

static NTSTATUS resume(const struct thunk_program *program)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_RESUME_PROCESS};

    return thunk_escape(program, &message);
}

/* All that can go on has ended. */
static void flush(const struct thunk_program *program)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_WAKE};

    message.Wake.bFlush = 1;
    succeeds(thunk_escape(program, &message));
}

static NTSTATUS evict_all(const struct thunk_program *program)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_EVICT};

    return thunk_escape(program, &message);
}

static bool is_in_memory(const struct thunk_program *program, D3DKMT_HANDLE handle)
{
    D3DKMT_ALLOCATIONRESIDENCYSTATUS status = 0;
    D3DKMT_QUERYALLOCATIONRESIDENCY query = {.hDevice = program->device,
                                             .phAllocationList = &handle,
                                             .AllocationCount = 1,
                                             .pResidencyStatus = &status};

    succeeds(vidmm_thunk_QueryAllocationResidency(program->process, &query));
    return status == D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINGPUMEMORY;
}

/* Uses that the GPU has checked, so far. */
static uint64_t checks(void)
{
    struct softgpu_statistics gpu;

    softgpu_device_statistics(thunk_rig.gpu, &gpu);
    assert_int_equal(gpu.content_mismatches, 0);
    return gpu.content_checks;
}

/* Memory that the GPU reaches at *address. */
static D3DKMT_HANDLE create(struct thunk_program *program, uint64_t pages, uint64_t *address)
{
    D3DKMT_HANDLE allocation = thunk_create(program, pages);
    D3DDDI_MAKERESIDENT make = {.hPagingQueue = program->queue,
                                .NumAllocations = 1,
                                .AllocationList = &allocation,
                                .Flags.CantTrimFurther = 1};
    NTSTATUS status = vidmm_thunk_MakeResident(program->process, &make);

    comes(program, status, make.PagingFenceValue);
    *address = thunk_map(program, allocation, pages);
    return allocation;
}

static void start(void)
{
    thunk_start(THUNK_GPU);
    begin_program(&one);
    begin_program(&other);
}

/* ---- work is held back ----------------------------------------------------------------------- */

static void submissions_are_queued_until_the_process_is_resumed(void **state)
{
    uint64_t address, others, before;

    (void)state;
    start();
    create(&one, PAGES, &address);
    create(&other, PAGES, &others);
    succeeds(thunk_touch(&one, address, PAGES, 1, 0));
    flush(&one);
    before = checks();
    succeeds(suspend(&one, false));
    succeeds(thunk_touch(&one, address, PAGES, 1, 1));
    succeeds(thunk_touch_from(&one, 512, address, PAGES, 1, 2));
    flush(&one); /* ... does not wait for them */
    assert_int_equal(checks(), before);
    succeeds(thunk_touch(&other, others, PAGES, 2, 0));
    flush(&other);
    assert_int_equal(checks(), before + 1);
    succeeds(resume(&one));
    flush(&one);
    assert_int_equal(checks(), before + 3); /* in their order, as the contents say */
    succeeds(thunk_touch(&one, address, PAGES, 1, 3));
    flush(&one);
    assert_int_equal(checks(), before + 4);
    thunk_finish();
}

static void calls_answer_meanwhile(void **state)
{
    D3DKMT_GETDEVICESTATE condition = {.StateType = D3DKMT_DEVICESTATE_EXECUTION};
    D3DKMT_HANDLE allocation;
    uint64_t address;

    (void)state;
    start();
    succeeds(suspend(&one, false));
    succeeds(thunk_touch_nothing(&one));
    allocation = create(&one, PAGES, &address); /* its paging fence is waited for, twice */
    assert_true(is_in_memory(&one, allocation));
    memset((void *)(uintptr_t)thunk_lock(&one, one.commands), 0, 64);
    condition.hDevice = one.device;
    succeeds(vidmm_thunk_GetDeviceState(one.process, &condition));
    assert_int_equal(condition.ExecutionState, D3DKMT_DEVICEEXECUTION_ACTIVE);
    {
        D3DKMT_EVICT arguments = {
            .hDevice = one.device, .NumAllocations = 1, .AllocationList = &allocation};

        succeeds(vidmm_thunk_Evict(one.process, &arguments));
    }
    thunk_make_resident(&one, allocation);
    succeeds(resume(&one));
    succeeds(thunk_touch(&one, address, PAGES, 1, 0));
    thunk_finish();
}

/* Another process takes the memory, and the GPU finds all of it again. */
static void its_memory_leaves_and_comes_back(void **state)
{
    enum { MOST = 300 }; /* of 512 pages */
    D3DKMT_HANDLE allocation, neighbour;
    uint64_t address, others, before;

    (void)state;
    start();
    allocation = create(&one, MOST, &address);
    succeeds(thunk_touch(&one, address, PAGES, 1, 0));
    flush(&one);
    succeeds(suspend(&one, false));
    succeeds(thunk_touch(&one, address, PAGES, 1, 1));
    neighbour = create(&other, MOST, &others);
    assert_true(is_in_memory(&other, neighbour));
    assert_false(is_in_memory(&one, allocation));
    for (uint32_t generation = 0; generation < 3; generation++) {
        succeeds(thunk_touch(&other, others, PAGES, 2, generation));
        flush(&other);
        assert_true(is_in_memory(&other, neighbour)); /* nobody wants it away */
    }
    succeeds(evict_all(&one));
    before = checks();
    succeeds(resume(&one));
    flush(&one);
    assert_int_equal(checks(), before + 1);
    assert_true(is_in_memory(&one, allocation));
    thunk_finish();
}

static void waits_and_signals_of_a_queue_are_held_back(void **state)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 fence = {.Info.Type = D3DDDI_MONITORED_FENCE};
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU signal = {.ObjectCount = 1};
    const volatile uint64_t *value;
    UINT64 one_more = 5;

    (void)state;
    start();
    fence.hDevice = one.device;
    succeeds(vidmm_thunk_CreateSynchronizationObject2(one.process, &fence));
    value = fence.Info.MonitoredFence.FenceValueCPUVirtualAddress;
    signal.hContext = one.context;
    signal.ObjectHandleArray = &fence.hSyncObject;
    signal.MonitoredFenceValueArray = &one_more;
    succeeds(suspend(&one, false));
    succeeds(vidmm_thunk_SignalSynchronizationObjectFromGpu(one.process, &signal));
    flush(&one);
    assert_int_equal(*value, 0);
    succeeds(resume(&one));
    flush(&one);
    assert_int_equal(*value, 5);
    thunk_finish();
}

/* ---- the end of a suspension ----------------------------------------------------------------- */

static void a_submission_wakes_it(void **state)
{
    uint64_t address, before;

    (void)state;
    start();
    create(&one, PAGES, &address);
    succeeds(suspend(&one, true));
    before = checks();
    succeeds(evict_all(&one)); /* that is no submission */
    refused(suspend(&one, true), "suspended already");
    succeeds(thunk_touch(&one, address, PAGES, 1, 0));
    flush(&one);
    assert_int_equal(checks(), before + 1);
    refused(resume(&one), "it is not suspended");
    succeeds(suspend(&one, false));
    succeeds(resume(&one));
    thunk_finish();
}

static void a_device_that_is_created_meanwhile_is_suspended_too(void **state)
{
    struct thunk_program second = {.process = one.process};
    uint64_t address, before;

    (void)state;
    start();
    succeeds(suspend(&one, false));
    second.process = one.process;
    begin_program(&second);
    create(&second, PAGES, &address);
    before = checks();
    succeeds(thunk_touch(&second, address, PAGES, 1, 0));
    flush(&one);
    assert_int_equal(checks(), before);
    succeeds(resume(&one)); /* of all devices */
    flush(&one);
    assert_int_equal(checks(), before + 1);
    thunk_end_processes();
    free(second.bytes);
    rig_finish(&thunk_rig);
}

/* ---- misuse ---------------------------------------------------------------------------------- */

static void what_makes_no_sense_is_refused(void **state)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_SUSPEND_PROCESS};
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = THUNK_LUID};
    struct thunk_program nobody;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    refused(resume(&one), "it is not suspended");
    message.SuspendProcess.hProcess_Align = 1;
    refused(thunk_escape(&one, &message), "SuspendProcess.hProcess is 0x1; expected NULL");
    message.Type = D3DKMT_VIDMMESCAPETYPE_RESUME_PROCESS;
    message.ResumeProcess.hProcess_Align = 1;
    refused(thunk_escape(&one, &message), "ResumeProcess.hProcess is 0x1; expected NULL");
    succeeds(suspend(&one, false));
    refused(suspend(&one, true), "it is suspended already");
    succeeds(thunk_touch_nothing(&one));
    flush(&one);
    succeeds(resume(&one)); /* AllowWakeOnSubmission was refused with the second one */
    nobody = (struct thunk_program){.process = other.process};
    succeeds(vidmm_thunk_OpenAdapterFromLuid(nobody.process, &open));
    nobody.adapter = open.hAdapter;
    refused(suspend(&nobody, false), "no device on this adapter");
    assert_int_equal(vidmm_process_suspend(NULL, 1, false, NULL), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_process_resume(NULL, 1, NULL), STATUS_INVALID_PARAMETER);
    thunk_finish();
}

/* The end of a context waits for what is queued, so that runs. */
static void a_context_that_is_destroyed_ends_it(void **state)
{
    D3DKMT_DESTROYCONTEXT destroy = {0};
    uint64_t address, before;

    (void)state;
    start();
    create(&one, PAGES, &address);
    before = checks();
    succeeds(suspend(&one, false));
    succeeds(thunk_touch(&one, address, PAGES, 1, 0));
    destroy.hContext = one.context;
    succeeds(vidmm_thunk_DestroyContext(one.process, &destroy));
    assert_int_equal(checks(), before + 1);
    refused(resume(&one), "it is not suspended");
    thunk_finish();
}

static void a_process_may_vanish(void **state)
{
    uint64_t address;

    (void)state;
    start();
    create(&one, PAGES, &address);
    succeeds(suspend(&one, false));
    succeeds(suspend(&other, true));
    for (uint32_t i = 0; i < 3; i++)
        succeeds(thunk_touch_from(&one, i * 128, address, PAGES, 1, i));
    thunk_finish(); /* with all its handles */
}

/* A context has so many places for commands; the next call is refused at once. */
static void a_queue_that_is_full_refuses(void **state)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t count = 0;

    (void)state;
    start();
    succeeds(suspend(&one, false));
    for (; count < 100 && status == STATUS_SUCCESS; count++)
        status = thunk_touch_nothing(&one);
    refused_with(status, STATUS_DEVICE_BUSY, "queued or in flight");
    succeeds(resume(&one));
    flush(&one);
    succeeds(thunk_touch_nothing(&one));
    thunk_finish();
}

/* ---- below WDDM 2 ---------------------------------------------------------------------------- */

/* A command with one reference; the CPU then asks for the memory. */
static void a_lock_that_waits_ends_it(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation allocation, *named = &allocation;
    struct rig rig;
    void *data;

    (void)state;
    rig_init(&rig, &options);
    assert_int_equal(rig_create(&rig, &allocation, PAGES * VIDMM_PAGE_SIZE, 2, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_process_suspend(rig.adapter, 1, false, NULL), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, &named, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(allocation.handle, VIDMM_LOCK_DONOT_WAIT, &data, NULL),
                     STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_int_equal(vidmm_process_suspend(rig.adapter, 1, false, NULL), STATUS_INVALID_PARAMETER);
    assert_true(rig_lock_and_touch(&rig, &allocation, false));
    assert_int_equal(rig.cpu_mismatches, 0);
    assert_int_equal(vidmm_process_resume(rig.adapter, 1, NULL), STATUS_INVALID_PARAMETER);
    vidmm_allocation_destroy(allocation.handle);
    vidmm_device_destroy(rig.device);
    rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(submissions_are_queued_until_the_process_is_resumed),
        cmocka_unit_test(calls_answer_meanwhile),
        cmocka_unit_test(its_memory_leaves_and_comes_back),
        cmocka_unit_test(waits_and_signals_of_a_queue_are_held_back),
        cmocka_unit_test(a_submission_wakes_it),
        cmocka_unit_test(a_device_that_is_created_meanwhile_is_suspended_too),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(a_context_that_is_destroyed_ends_it),
        cmocka_unit_test(a_process_may_vanish),
        cmocka_unit_test(a_queue_that_is_full_refuses),
        cmocka_unit_test(a_lock_that_waits_ends_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
