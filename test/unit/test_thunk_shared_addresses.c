/* test_thunk_shared_addresses.c: what a user-mode driver does on a GPU that uses the CPU's page
 * tables, by thunks alone: the addresses are those of Lock2, and of a fence's value.
 */
#include "test_thunk_rig.h"

enum { PAGES = 5, FILL = 0x41414141 };

#define GPU THUNK_GPU "mmu io\n"

static void submit(struct thunk_program *program, UINT length)
{
    D3DKMT_SUBMITCOMMAND command = {.Commands = program->address,
                                    .CommandLength = length,
                                    .BroadcastContextCount = 1,
                                    .BroadcastContext = {program->context}};

    succeeds(vidmm_thunk_SubmitCommand(program->process, &command));
    vidmm_machine_settle(thunk_rig.machine);
}

static void fill_by_gpu(struct thunk_program *program, uint64_t address, uint32_t pattern)
{
    struct softgpu_virtual_fill *words = (void *)program->bytes;

    *words = (struct softgpu_virtual_fill){
        .command = {.opcode = SOFTGPU_VIRTUAL_FILL, .size = sizeof(*words)},
        .bytes = PAGES * VIDMM_PAGE_SIZE,
        .gpuva = address,
        .space = SOFTGPU_VIRTUAL_SPACE,
        .pattern = pattern};
    submit(program, sizeof(*words));
}

static void signal_by_gpu(struct thunk_program *program, uint64_t address, uint64_t value)
{
    struct softgpu_virtual_signal *words = (void *)program->bytes;

    *words = (struct softgpu_virtual_signal){
        .command = {.opcode = SOFTGPU_VIRTUAL_SIGNAL, .size = sizeof(*words)},
        .gpuva = address,
        .value = value};
    submit(program, sizeof(*words));
}

static void evict(struct thunk_program *program, D3DKMT_HANDLE allocation)
{
    D3DKMT_EVICT arguments = {
        .hDevice = program->device, .NumAllocations = 1, .AllocationList = &allocation};

    succeeds(vidmm_thunk_Evict(program->process, &arguments));
}

static void programs_see_what_their_gpu_wrote_where_they_locked(void **state)
{
    struct thunk_program *programs[] = {&one, &other};
    D3DKMT_HANDLE allocations[2];
    uint64_t addresses[2];

    (void)state;
    thunk_start(GPU);
    for (unsigned i = 0; i < 2; i++) {
        begin_program(programs[i]);
        allocations[i] = thunk_create(programs[i], PAGES);
        addresses[i] = thunk_lock(programs[i], allocations[i]);
    }
    assert_true(addresses[0] != addresses[1]);
    for (uint32_t round = 0; round < 3; round++)
        for (unsigned i = 0; i < 2; i++) {
            const uint32_t *words = (const uint32_t *)(uintptr_t)addresses[i];
            const uint32_t pattern = FILL + 2 * round + i;

            thunk_make_resident(programs[i], allocations[i]);
            fill_by_gpu(programs[i], addresses[i], pattern);
            assert_int_equal(words[0], pattern);
            assert_int_equal(words[PAGES * VIDMM_PAGE_SIZE / sizeof(*words) - 1], pattern);
            evict(programs[i], allocations[i]);
        }
    thunk_finish();
}

static void a_fence_is_signaled_where_the_cpu_reads_it(void **state)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 create = {.Info.Type = D3DDDI_MONITORED_FENCE};
    const volatile uint64_t *value;
    UINT64 wanted = 6;

    (void)state;
    thunk_start(GPU);
    begin_program(&one);
    create.hDevice = one.device;
    succeeds(vidmm_thunk_CreateSynchronizationObject2(one.process, &create));
    value = create.Info.MonitoredFence.FenceValueCPUVirtualAddress;
    assert_true(create.Info.MonitoredFence.FenceValueGPUVirtualAddress ==
                (uint64_t)(uintptr_t)value);
    assert_int_equal(*value, 0);
    signal_by_gpu(&one, (uint64_t)(uintptr_t)value, wanted);
    assert_int_equal(*value, wanted);
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMCPU wait = {.hDevice = one.device,
                                                       .ObjectCount = 1,
                                                       .ObjectHandleArray = &create.hSyncObject,
                                                       .FenceValueArray = &wanted};
    succeeds(vidmm_thunk_WaitForSynchronizationObjectFromCpu(one.process, &wait));
    thunk_finish();
}

static void no_other_addresses_are_given(void **state)
{
    D3DDDI_MAPGPUVIRTUALADDRESS map = {.SizeInPages = PAGES, .Protection = {.Write = 1}};

    (void)state;
    thunk_start(GPU);
    begin_program(&one);
    map.hPagingQueue = one.queue;
    map.hAllocation = thunk_create(&one, PAGES);
    refused_with(vidmm_thunk_MapGpuVirtualAddress(one.process, &map), STATUS_NOT_SUPPORTED,
                 "GpuMmuSupported");
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_see_what_their_gpu_wrote_where_they_locked),
        cmocka_unit_test(a_fence_is_signaled_where_the_cpu_reads_it),
        cmocka_unit_test(no_other_addresses_are_given),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
