/* test_thunk_old_faults.c: D3DKMT_ESCAPE_VIDMM, SetFault: what shows by the DMA buffers and locks
 * of WDDM 1.x, and what is demoted. Each fault by its name, and nothing of the others.
 */
#include "test_thunk_rig.h"

enum { PAGES = 4 };

/* Swizzled allocations can be locked where they are, by the one range. */
#define OLD_GPU "wddm 1.3\nsegment 1 aperture 1M\nsegment 2 memory 1M\nranges 1\n"

/* ---- the driver looks on --------------------------------------------------------------------- */

static struct {
    DXGKDDI_RENDER *render;
    DXGKDDI_ACQUIRESWIZZLINGRANGE *acquire;
    unsigned hints; /* elements of allocation lists with a place */
    unsigned acquired;
} driver;

static NTSTATUS render(HANDLE context, DXGKARG_RENDER *arguments)
{
    for (UINT i = 0; i < arguments->AllocationListSize; i++)
        driver.hints += arguments->pAllocationList[i].SegmentId != 0;
    return driver.render(context, arguments);
}

static NTSTATUS acquire(HANDLE adapter, DXGKARG_ACQUIRESWIZZLINGRANGE *arguments)
{
    driver.acquired++;
    return driver.acquire(adapter, arguments);
}

static void look_on(DRIVER_INITIALIZATION_DATA *table)
{
    driver.render = table->DxgkDdiRender;
    driver.acquire = table->DxgkDdiAcquireSwizzlingRange;
    table->DxgkDdiRender = render;
    table->DxgkDdiAcquireSwizzlingRange = acquire;
}

/* ---- a program of WDDM 1.3 ------------------------------------------------------------------- */

static D3DKMT_CREATECONTEXT context;
static D3DKMT_HANDLE allocation;
static uint32_t generation; /* of its content */

static void start(void)
{
    const DXGK_ALLOCATIONINFOFLAGS flags = {.CpuVisible = 1, .Swizzled = 1};
    struct softgpu_allocation wish = thunk_wish(PAGES, flags.Value, 2);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {.NumAllocations = 1, .pAllocationInfo2 = &info};

    thunk_bend = look_on;
    thunk_start(OLD_GPU);
    thunk_bend = NULL;
    begin_old_program(&one);
    create.hDevice = context.hDevice = one.device;
    succeeds(vidmm_thunk_CreateContext(one.process, &context));
    succeeds(vidmm_thunk_CreateAllocation2(one.process, &create));
    allocation = info.hAllocation;
    generation = 0;
}

static void set_faults(const struct thunk_program *program, const D3DKMT_VIDMM_ESCAPE *faults)
{
    D3DKMT_VIDMM_ESCAPE message = *faults;

    message.Type = D3DKMT_VIDMMESCAPETYPE_SETFAULT;
    succeeds(thunk_escape(program, &message));
}

/* Have the GPU write the allocation by two commands in one DMA buffer. Answers how often that was
 * split. */
static uint64_t use(void)
{
    struct {
        struct softgpu_touch touch;
        struct softgpu_reference reference;
    } *words = context.pCommandBuffer;
    D3DKMT_RENDER arguments = {
        .hContext = context.hContext, .AllocationCount = 1, .CommandLength = 2 * sizeof(*words)};
    struct vidmm_statistics before, after;

    for (unsigned i = 0; i < 2; i++) {
        words[i].touch = (struct softgpu_touch){
            .command = {SOFTGPU_TOUCH, sizeof(*words)}, .reference_count = 1, .seed = RIG_SEED};
        words[i].reference = (struct softgpu_reference){.flags = SOFTGPU_REFERENCE_WRITE,
                                                        .pages = PAGES,
                                                        .content_id = 1,
                                                        .generation = generation++};
    }
    context.pAllocationList[0] =
        (D3DDDI_ALLOCATIONLIST){.hAllocation = allocation, .WriteOperation = 1};
    vidmm_adapter_statistics(thunk_rig.adapter, &before);
    succeeds(vidmm_thunk_Render(one.process, &arguments));
    vidmm_machine_settle(thunk_rig.machine);
    vidmm_adapter_statistics(thunk_rig.adapter, &after);
    return after.splits - before.splits;
}

/* The answer to a lock. alternate: at another address, which needs a range. */
static NTSTATUS lock(bool alternate)
{
    D3DKMT_LOCK arguments = {.hDevice = one.device,
                             .hAllocation = allocation,
                             .Flags = {.LockEntire = 1, .AcquireAperture = 1}};
    D3DKMT_UNLOCK unlock = {one.device, 1, &allocation};
    NTSTATUS status;

    arguments.Flags.UseAlternateVA = alternate;
    status = vidmm_thunk_Lock(one.process, &arguments);
    if (status == STATUS_SUCCESS)
        succeeds(vidmm_thunk_Unlock(one.process, &unlock));
    return status;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void a_dma_buffer_is_split_wherever_it_can_be(void **state)
{
    D3DKMT_VIDMM_ESCAPE faults = {0};

    (void)state;
    start();
    assert_int_equal(use(), 0);
    faults.SetFault.SplitPoint = 1;
    set_faults(&one, &faults);
    assert_int_equal(use(), 1);
    faults.SetFault.SplitPoint = 0;
    set_faults(&one, &faults);
    assert_int_equal(use(), 0);
    thunk_finish();
}

static void no_place_is_told_of_before_the_patch(void **state)
{
    D3DKMT_VIDMM_ESCAPE faults = {0};

    (void)state;
    start();
    use();
    driver.hints = 0;
    use();
    assert_int_equal(driver.hints, 1);
    faults.SetFault.NoPrePatching = 1;
    set_faults(&one, &faults);
    use();
    assert_int_equal(driver.hints, 1);
    faults.SetFault.NoPrePatching = 0;
    set_faults(&one, &faults);
    use();
    assert_int_equal(driver.hints, 2);
    thunk_finish();
}

static void no_swizzling_range_is_acquired(void **state)
{
    D3DKMT_VIDMM_ESCAPE faults = {0};

    (void)state;
    start();
    use();
    driver.acquired = 0;
    faults.SetFault.SwizzlingAperture = 1;
    set_faults(&one, &faults);
    assert_int_equal(lock(true), STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE);
    succeeds(lock(false)); /* what is locked has left */
    assert_false(thunk_is_in_memory(&one, allocation));
    assert_int_equal(driver.acquired, 0);
    use();
    faults.SetFault.SwizzlingAperture = 0;
    set_faults(&one, &faults);
    succeeds(lock(true));
    assert_true(thunk_is_in_memory(&one, allocation));
    assert_int_equal(driver.acquired, 1);
    thunk_finish();
}

/* ---- demotion -------------------------------------------------------------------------------- */

static D3DKMT_HANDLE make_resident(struct thunk_program *program, uint64_t pages, uint32_t set)
{
    struct softgpu_allocation wish = thunk_wish(pages, 0, set);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = program->device, .NumAllocations = 1, .pAllocationInfo2 = &info};
    D3DDDI_MAKERESIDENT make = {.hPagingQueue = program->queue,
                                .NumAllocations = 1,
                                .AllocationList = &info.hAllocation,
                                .Flags = {.CantTrimFurther = 1}};
    NTSTATUS status;

    succeeds(vidmm_thunk_CreateAllocation2(program->process, &create));
    status = vidmm_thunk_MakeResident(program->process, &make);
    comes(program, status, make.PagingFenceValue);
    return info.hAllocation;
}

/* One allocation may be in memory or behind the aperture, the other program's in memory alone, and
 * both together are too many. Answers the place of the first when it is used. */
static D3DKMT_ALLOCATIONRESIDENCYSTATUS place_under_pressure(bool no_demotion)
{
    D3DKMT_VIDMM_ESCAPE faults = {0};
    D3DKMT_ALLOCATIONRESIDENCYSTATUS place;
    D3DKMT_HANDLE either;

    thunk_start("wddm 2.6\nmmu gpu\nsegment 1 aperture 4M\nsegment 2 memory 2M cpuvisible\n"
                "private_data 64\n");
    begin_program(&one);
    begin_program(&other);
    faults.SetFault.NoDemotion = no_demotion;
    set_faults(&one, &faults);
    either = make_resident(&one, 300, 3);
    make_resident(&other, 300, 2);
    succeeds(thunk_touch_nothing(&one));
    vidmm_machine_settle(thunk_rig.machine);
    place = thunk_residency(&one, either);
    thunk_finish();
    return place;
}

static void nothing_is_demoted_for_another_program(void **state)
{
    (void)state;
    assert_int_equal(place_under_pressure(false),
                     D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINSHAREDMEMORY);
    assert_int_equal(place_under_pressure(true),
                     D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINGPUMEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dma_buffer_is_split_wherever_it_can_be),
        cmocka_unit_test(no_place_is_told_of_before_the_patch),
        cmocka_unit_test(no_swizzling_range_is_acquired),
        cmocka_unit_test(nothing_is_demoted_for_another_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
