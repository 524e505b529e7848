/* test_thunk_misuse.c: programs that behave badly, and one beside them that loses nothing. */
#include "test_thunk_rig.h"

enum { PAGES = 5, ID = 77 };

/* ---- the neighbour --------------------------------------------------------------------------- */

/* `other` has content in video memory from the beginning on, and looks at it at the end. */
static struct {
    D3DKMT_HANDLE allocation;
    uint64_t address;
    uint32_t generation;
} neighbour;

static struct softgpu_statistics settled(void)
{
    struct softgpu_statistics gpu;

    vidmm_machine_settle(thunk_rig.machine);
    softgpu_device_statistics(thunk_rig.gpu, &gpu);
    return gpu;
}

/* The neighbour has nothing to do with what a program does to content of its own. */
static void neighbour_looks(void)
{
    struct softgpu_statistics before = settled(), after;

    succeeds(thunk_touch(&other, neighbour.address, PAGES, ID, neighbour.generation++));
    after = settled();
    assert_int_equal(after.content_checks, before.content_checks + 1);
    assert_int_equal(after.content_mismatches, before.content_mismatches);
    assert_int_equal(after.faults, before.faults);
}

static void start(void)
{
    thunk_start(THUNK_GPU);
    begin_program(&other);
    neighbour.generation = 0;
    neighbour.allocation = thunk_create(&other, PAGES);
    thunk_make_resident(&other, neighbour.allocation);
    neighbour.address = thunk_map(&other, neighbour.allocation, PAGES);
    neighbour_looks();
}

static D3DKMT_HANDLE create_visible(struct thunk_program *program, uint64_t pages)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.CpuVisible = 1};
    struct softgpu_allocation wish = thunk_wish(pages, flags.Value, 2);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = program->device, .NumAllocations = 1, .pAllocationInfo2 = &info};

    succeeds(vidmm_thunk_CreateAllocation2(program->process, &create));
    return info.hAllocation;
}

/* ---- misuse ---------------------------------------------------------------------------------- */

static NTSTATUS make_resident(struct thunk_program *program, D3DKMT_HANDLE allocation,
                              UINT64 *to_trim)
{
    D3DDDI_MAKERESIDENT make = {
        .hPagingQueue = program->queue, .NumAllocations = 1, .AllocationList = &allocation};
    NTSTATUS status = vidmm_thunk_MakeResident(program->process, &make);

    *to_trim = make.NumBytesToTrim;
    return status;
}

/* A queue that waits for a fence of the program's own that nobody signals. */
static void wait_for_nothing(struct thunk_program *program)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 fence = {.hDevice = program->device,
                                                 .Info.Type = D3DDDI_MONITORED_FENCE};
    UINT64 value = 1;
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU wait = {
        .hContext = program->context, .ObjectCount = 1, .MonitoredFenceValueArray = &value};

    succeeds(vidmm_thunk_CreateSynchronizationObject2(program->process, &fence));
    wait.ObjectHandleArray = &fence.hSyncObject;
    succeeds(vidmm_thunk_WaitForSynchronizationObjectFromGpu(program->process, &wait));
}

/* Each has work at the GPU, a lock, a request for memory that is not answered, and every second a
 * queue that waits for nothing. */
static void processes_vanish_while_the_gpu_works(void **state)
{
    (void)state;
    start();
    for (unsigned round = 0; round < 8; round++) {
        D3DKMT_HANDLE allocation, late;
        D3DKMT_LOCK2 lock = {0};
        uint64_t address, before;
        UINT64 to_trim;

        begin_program(&one);
        allocation = thunk_create(&one, PAGES);
        thunk_make_resident(&one, allocation);
        address = thunk_map(&one, allocation, PAGES);
        before = settled().content_checks;
        succeeds(thunk_touch(&one, address, PAGES, round + 1, 0));
        if (round % 2 == 1)
            wait_for_nothing(&one);
        succeeds(thunk_touch_nothing(&one));
        late = create_visible(&one, 16);
        assert_int_equal(make_resident(&one, late, &to_trim), STATUS_PENDING);
        lock.hDevice = one.device;
        lock.hAllocation = late;
        succeeds(vidmm_thunk_Lock2(one.process, &lock));
        vidmm_thunk_process_destroy(one.process);
        assert_int_equal(settled().content_checks, before + 1); /* what was queued has run */
        free(one.bytes);
        one = (struct thunk_program){.process =
                                         vidmm_thunk_process_create(thunk_machine, 100 + round)};
        assert_non_null(one.process);
        neighbour_looks();
        vidmm_adapter_check(thunk_rig.adapter);
    }
    thunk_finish();
}

/* A device that has met a page fault of its own is told so by each call that would queue work. */
static bool is_served(NTSTATUS status)
{
    if (status == STATUS_SUCCESS || status == STATUS_PENDING)
        return true;
    if (status != STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE && status != STATUS_DEVICE_REMOVED)
        fail_msg("0x%08x: %s", (unsigned)status, vidmm_thunk_reason());
    return false;
}

/* It submits work at addresses that are not written yet, and destroys what it has submitted. Its
 * device fails by its own fault; each call is answered. */
static void a_client_never_waits(void **state)
{
    unsigned lost = 0;

    (void)state;
    start();
    begin_program(&one);
    for (unsigned round = 0; round < 100; round++) {
        D3DKMT_HANDLE allocation = thunk_create(&one, 8);
        D3DDDI_MAPGPUVIRTUALADDRESS map = {.hPagingQueue = one.queue,
                                           .hAllocation = allocation,
                                           .SizeInPages = 8,
                                           .Protection = {.Write = 1}};
        D3DKMT_DESTROYALLOCATION2 destroy = {
            .hDevice = one.device, .phAllocationList = &allocation, .AllocationCount = 1};
        NTSTATUS status;
        UINT64 to_trim;

        status = make_resident(&one, allocation, &to_trim);
        if (is_served(status))
            status = vidmm_thunk_MapGpuVirtualAddress(one.process, &map);
        if (is_served(status))
            status = thunk_touch(&one, map.VirtualAddress, PAGES, round + 1, 0);
        lost += !is_served(status);
        succeeds(vidmm_thunk_DestroyAllocation2(one.process, &destroy));
        if (round % 10 == 9)
            neighbour_looks();
    }
    neighbour_looks();
    vidmm_adapter_check(thunk_rig.adapter);
    assert_in_range(lost, 1, 99); /* some was in time, some not */
    thunk_finish_after_faults();
}

/* Twice as much as there is, asked for by one, each part twice. A part that does not fit is refused
 * with the bytes to trim; the neighbour goes on all the while. */
static void a_client_makes_everything_resident_twice_over(void **state)
{
    D3DKMT_HANDLE allocations[64];
    unsigned refusals = 0;

    (void)state;
    start();
    begin_program(&one);
    for (unsigned i = 0; i < 64; i++)
        allocations[i] = thunk_create(&one, 16); /* 4 MiB of 2 */
    for (unsigned i = 0; i < 128; i++) {
        UINT64 to_trim = 0;
        NTSTATUS status = make_resident(&one, allocations[i % 64], &to_trim);

        if (status == STATUS_NO_MEMORY) {
            assert_true(to_trim > 0);
            refusals++;
        } else {
            assert_true(status == STATUS_PENDING || status == STATUS_SUCCESS);
        }
        if (i % 16 == 15)
            neighbour_looks();
    }
    assert_in_range(refusals, 1, 127);
    succeeds(thunk_touch_nothing(&one));
    neighbour_looks();
    vidmm_adapter_check(thunk_rig.adapter);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_vanish_while_the_gpu_works),
        cmocka_unit_test(a_client_never_waits),
        cmocka_unit_test(a_client_makes_everything_resident_twice_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
