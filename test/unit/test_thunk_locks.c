/* test_thunk_locks.c: the CPU reads and writes allocations, and programs of WDDM 1.x render, by
 * thunks alone. */
#include "test_thunk_rig.h"

enum { PAGES = 3, CPU_VISIBLE = 1 };

#define OLD_GPU "wddm 1.2\nsegment 1 aperture 1M\nsegment 2 memory 1M cpuvisible\n"

static D3DKMT_HANDLE visible(const struct thunk_program *program)
{
    struct softgpu_allocation wish = thunk_wish(PAGES, CPU_VISIBLE, 2);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = program->device, .NumAllocations = 1, .pAllocationInfo2 = &info};

    succeeds(vidmm_thunk_CreateAllocation2(program->process, &create));
    return info.hAllocation;
}

/* One pointer for all locks of an allocation; as many unlocks as locks. */
static void lock2_answers_a_pointer_until_the_last_unlock(void **state)
{
    D3DKMT_LOCK2 lock = {0}, again;
    D3DKMT_UNLOCK2 unlock;
    D3DKMT_INVALIDATECACHE invalidate;
    char *bytes;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    lock.hDevice = one.device;
    lock.hAllocation = visible(&one);
    again = lock;
    unlock = (D3DKMT_UNLOCK2){lock.hDevice, lock.hAllocation};
    succeeds(vidmm_thunk_Lock2(one.process, &lock));
    bytes = lock.pData;
    memset(bytes, 0x5a, PAGES * VIDMM_PAGE_SIZE);
    succeeds(vidmm_thunk_Lock2(one.process, &again));
    assert_ptr_equal(again.pData, bytes);
    invalidate = (D3DKMT_INVALIDATECACHE){lock.hDevice, lock.hAllocation, 1, VIDMM_PAGE_SIZE};
    succeeds(vidmm_thunk_InvalidateCache(one.process, &invalidate));
    invalidate.Offset = PAGES * VIDMM_PAGE_SIZE;
    refused(vidmm_thunk_InvalidateCache(one.process, &invalidate), "ffset");
    succeeds(vidmm_thunk_Unlock2(one.process, &unlock));
    succeeds(vidmm_thunk_Unlock2(one.process, &unlock));
    refused(vidmm_thunk_Unlock2(one.process, &unlock), "lock");
    thunk_make_resident(&one, lock.hAllocation);
    succeeds(vidmm_thunk_Lock2(one.process, &lock));
    for (unsigned i = 0; i < PAGES * VIDMM_PAGE_SIZE; i++)
        assert_int_equal(((unsigned char *)lock.pData)[i], 0x5a);
    succeeds(vidmm_thunk_Unlock2(one.process, &unlock));
    thunk_finish();
}

static NTSTATUS unlock_one(D3DKMT_HANDLE allocation)
{
    D3DKMT_UNLOCK unlock = {one.device, 1, &allocation};

    return vidmm_thunk_Unlock(one.process, &unlock);
}

/* A lock with Discard answers another instance, which has a handle; by it the allocation is locked,
 * unlocked and destroyed. */
static void discard_answers_the_handle_of_another_instance(void **state)
{
    D3DKMT_LOCK lock = {.Flags = {.LockEntire = 1}};
    D3DKMT_DESTROYALLOCATION destroy = {.AllocationCount = 1};
    D3DKMT_HANDLE first, second, both[2];
    void *bytes;

    (void)state;
    thunk_start(OLD_GPU);
    begin_old_program(&one);
    lock.hDevice = destroy.hDevice = one.device;
    first = lock.hAllocation = visible(&one);
    succeeds(vidmm_thunk_Lock(one.process, &lock));
    assert_int_equal(lock.hAllocation, first);
    bytes = lock.pData;
    memset(bytes, 1, PAGES * VIDMM_PAGE_SIZE);
    succeeds(unlock_one(first));
    lock.Flags.Discard = 1;
    succeeds(vidmm_thunk_Lock(one.process, &lock));
    second = lock.hAllocation;
    assert_int_not_equal(second, first);
    assert_ptr_not_equal(lock.pData, bytes);
    memset(lock.pData, 2, PAGES * VIDMM_PAGE_SIZE);
    succeeds(unlock_one(second));
    refused(unlock_one(second), "not locked");
    both[0] = first;
    both[1] = second;
    destroy.phAllocationList = both;
    destroy.AllocationCount = 2;
    refused(vidmm_thunk_DestroyAllocation(one.process, &destroy), "named twice");
    destroy.phAllocationList = &second;
    destroy.AllocationCount = 1;
    succeeds(vidmm_thunk_DestroyAllocation(one.process, &destroy));
    refused(unlock_one(first), "no handle of this process");
    refused(unlock_one(second), "no handle of this process");
    thunk_finish();
}

/* The GPU checks an allocation and writes it, 20 times, by a command buffer and its list. */
static void old_programs_render(void **state)
{
    D3DKMT_CREATECONTEXT context = {0};
    D3DKMT_RENDER render = {.AllocationCount = 1};
    struct {
        struct softgpu_touch touch;
        struct softgpu_reference reference;
    } * words;
    struct softgpu_statistics before, after;

    (void)state;
    thunk_start(OLD_GPU);
    begin_old_program(&one);
    context.hDevice = one.device;
    succeeds(vidmm_thunk_CreateContext(one.process, &context));
    assert_true(context.CommandBufferSize >= sizeof(*words) && context.AllocationListSize >= 1);
    render.hContext = context.hContext;
    render.CommandLength = sizeof(*words);
    words = context.pCommandBuffer;
    context.pAllocationList[0].hAllocation = visible(&one);
    context.pAllocationList[0].WriteOperation = 1;
    softgpu_device_statistics(thunk_rig.gpu, &before);
    for (uint32_t round = 0; round < 20; round++) {
        words->touch = (struct softgpu_touch){
            .command = {SOFTGPU_TOUCH, sizeof(*words)}, .reference_count = 1, .seed = RIG_SEED};
        words->reference = (struct softgpu_reference){
            .flags = SOFTGPU_REFERENCE_WRITE, .pages = PAGES, .content_id = 1, .generation = round};
        succeeds(vidmm_thunk_Render(one.process, &render));
        assert_ptr_equal(render.pNewCommandBuffer, words);
        assert_in_range(render.QueuedBufferCount, 0, 64);
    }
    vidmm_machine_settle(thunk_rig.machine);
    softgpu_device_statistics(thunk_rig.gpu, &after);
    assert_int_equal(after.content_checks, before.content_checks + 20);
    render.AllocationCount = context.AllocationListSize + 1;
    refused(vidmm_thunk_Render(one.process, &render), "AllocationCount");
    render.AllocationCount = 1;
    render.CommandOffset = context.CommandBufferSize - 1;
    refused(vidmm_thunk_Render(one.process, &render), "CommandLength");
    render.CommandOffset = 0;
    context.pAllocationList[0].hAllocation = one.device;
    refused(vidmm_thunk_Render(one.process, &render), "the handle of a device");
    render.PatchLocationCount = 1;
    refused_with(vidmm_thunk_Render(one.process, &render), STATUS_NOT_SUPPORTED, "PatchLocation");
    render.PatchLocationCount = 0;
    render.BroadcastContextCount = 1;
    refused_with(vidmm_thunk_Render(one.process, &render), STATUS_NOT_SUPPORTED, "Broadcast");
    render.BroadcastContextCount = 0;
    render.hContext = one.device;
    refused(vidmm_thunk_Render(one.process, &render), "hContext");
    thunk_finish();
}

/* One that is legal stands before the one that is not, and is let go of again. */
static void a_list_to_render_names_allocations_of_its_program(void **state)
{
    D3DKMT_CREATECONTEXT context = {0};
    D3DKMT_RENDER render = {.AllocationCount = 2};
    struct softgpu_touch *nothing;
    D3DKMT_HANDLE wrong[4] = {0xffffffffu};
    D3DKMT_DESTROYALLOCATION destroy = {.AllocationCount = 1};
    D3DKMT_CREATEDEVICE device = {0};
    struct thunk_program second;

    (void)state;
    thunk_start(OLD_GPU);
    begin_old_program(&one);
    begin_old_program(&other);
    for (unsigned i = 0; i < 10; i++) /* the last of these numbers leads nowhere in the other */
        wrong[1] = visible(&other);
    context.hDevice = destroy.hDevice = one.device;
    succeeds(vidmm_thunk_CreateContext(one.process, &context));
    wrong[2] = render.hContext = context.hContext;
    render.CommandLength = sizeof(*nothing);
    nothing = context.pCommandBuffer;
    *nothing = (struct softgpu_touch){.command = {SOFTGPU_TOUCH, sizeof(*nothing)}};
    wrong[3] = visible(&one);
    destroy.phAllocationList = &wrong[3];
    succeeds(vidmm_thunk_DestroyAllocation(one.process, &destroy));
    context.pAllocationList[0].hAllocation = visible(&one);
    for (unsigned i = 0; i < 4; i++) {
        char named[16];

        snprintf(named, sizeof(named), " 0x%x,", wrong[i]);
        context.pAllocationList[1].hAllocation = wrong[i];
        refused(vidmm_thunk_Render(one.process, &render), named);
    }
    second = one;
    device.hAdapter = one.adapter;
    succeeds(vidmm_thunk_CreateDevice(one.process, &device));
    second.device = device.hDevice;
    context.pAllocationList[1].hAllocation = visible(&second);
    refused(vidmm_thunk_Render(one.process, &render), "not of the context's device");
    context.pAllocationList[1].hAllocation = 0;
    succeeds(vidmm_thunk_Render(one.process, &render));
    thunk_finish();
}

static void a_lock_of_pages_names_pages_that_there_are(void **state)
{
    UINT pages[PAGES + 1] = {0, 1, 2, 3};
    D3DKMT_LOCK lock = {.NumPages = PAGES + 1, .pPages = pages}, before;

    (void)state;
    thunk_start(OLD_GPU);
    begin_old_program(&one);
    lock.hDevice = one.device;
    lock.hAllocation = visible(&one);
    before = lock;
    refused(vidmm_thunk_Lock(one.process, &lock), "no such page");
    assert_memory_equal(&lock, &before, sizeof(lock));
    refused(unlock_one(lock.hAllocation), "not locked");
    lock.NumPages = PAGES;
    succeeds(vidmm_thunk_Lock(one.process, &lock));
    assert_non_null(lock.pData);
    succeeds(unlock_one(lock.hAllocation));
    lock.Flags.LockEntire = 1;
    refused(vidmm_thunk_Lock(one.process, &lock), "no list of pages");
    thunk_finish();
}

/* A context that submits at addresses has no command buffer. */
static void contexts_with_addresses_do_not_render(void **state)
{
    D3DKMT_RENDER render = {.CommandLength = 16};

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    render.hContext = one.context;
    refused(vidmm_thunk_Render(one.process, &render), "no command buffer");
    thunk_finish();
}

/* Lock2 is of WDDM 2.0, and says so below it. */
static void lock2_is_not_for_drivers_of_1x(void **state)
{
    D3DKMT_LOCK2 lock = {0};
    D3DKMT_INVALIDATECACHE invalidate = {.Length = 1};

    (void)state;
    thunk_start(OLD_GPU);
    begin_old_program(&one);
    lock.hDevice = invalidate.hDevice = one.device;
    lock.hAllocation = invalidate.hAllocation = visible(&one);
    refused_with(vidmm_thunk_Lock2(one.process, &lock), STATUS_NOT_SUPPORTED, "");
    refused_with(vidmm_thunk_InvalidateCache(one.process, &invalidate), STATUS_NOT_SUPPORTED, "");
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lock2_answers_a_pointer_until_the_last_unlock),
        cmocka_unit_test(discard_answers_the_handle_of_another_instance),
        cmocka_unit_test(old_programs_render),
        cmocka_unit_test(a_list_to_render_names_allocations_of_its_program),
        cmocka_unit_test(a_lock_of_pages_names_pages_that_there_are),
        cmocka_unit_test(contexts_with_addresses_do_not_render),
        cmocka_unit_test(lock2_is_not_for_drivers_of_1x),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
