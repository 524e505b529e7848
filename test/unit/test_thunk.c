/* test_thunk.c: what a user-mode driver does from its first call to its last, by thunks alone. */
#include "test_thunk_rig.h"

enum { PAGES = 5 };

static uint64_t wait_idle(void)
{
    uint64_t done;
    struct softgpu_statistics gpu;

    vidmm_machine_settle(thunk_rig.machine);
    softgpu_device_statistics(thunk_rig.gpu, &gpu);
    done = gpu.content_checks;
    return done;
}

static NTSTATUS submit(struct thunk_program *program, UINT length)
{
    D3DKMT_SUBMITCOMMAND command = {.Commands = program->address,
                                    .CommandLength = length,
                                    .BroadcastContextCount = 1,
                                    .BroadcastContext = {program->context}};

    return vidmm_thunk_SubmitCommand(program->process, &command);
}

/* Have the GPU check the pages at an address, and write them. */
static void touch(struct thunk_program *program, uint64_t address, uint32_t id, uint32_t generation)
{
    struct {
        struct softgpu_virtual_touch touch;
        struct softgpu_virtual_reference reference;
    } *words = (void *)program->bytes;
    uint64_t before = wait_idle();

    words->touch = (struct softgpu_virtual_touch){
        .command = {SOFTGPU_VIRTUAL_TOUCH, sizeof(*words)}, .reference_count = 1, .seed = RIG_SEED};
    words->reference = (struct softgpu_virtual_reference){.gpuva = address,
                                                          .pages = PAGES,
                                                          .content_id = id,
                                                          .generation = generation,
                                                          .flags = SOFTGPU_REFERENCE_WRITE};
    succeeds(submit(program, sizeof(*words)));
    assert_int_equal(wait_idle(), before + 1);
}

static void evict(struct thunk_program *program, D3DKMT_HANDLE allocation)
{
    D3DKMT_EVICT arguments = {
        .hDevice = program->device, .NumAllocations = 1, .AllocationList = &allocation};

    succeeds(vidmm_thunk_Evict(program->process, &arguments));
}

static D3DKMT_ALLOCATIONRESIDENCYSTATUS residency(struct thunk_program *program,
                                                  D3DKMT_HANDLE allocation)
{
    D3DKMT_ALLOCATIONRESIDENCYSTATUS status = 0;
    D3DKMT_QUERYALLOCATIONRESIDENCY query = {.hDevice = program->device,
                                             .phAllocationList = &allocation,
                                             .AllocationCount = 1,
                                             .pResidencyStatus = &status};

    succeeds(vidmm_thunk_QueryAllocationResidency(program->process, &query));
    return status;
}

/* Two programs use one address each, which is the same number, and neither sees the other's. */
static void programs_create_map_submit_and_lose_nothing(void **state)
{
    struct thunk_program *programs[] = {&one, &other};
    D3DKMT_HANDLE allocations[2];
    uint64_t addresses[2];

    (void)state;
    thunk_start(THUNK_GPU);
    for (unsigned i = 0; i < 2; i++) {
        begin_program(programs[i]);
        allocations[i] = thunk_create(programs[i], PAGES);
        thunk_make_resident(programs[i], allocations[i]);
        addresses[i] = thunk_map(programs[i], allocations[i], PAGES);
    }
    assert_int_equal(addresses[0], addresses[1]);
    for (uint32_t round = 0; round < 3; round++)
        for (unsigned i = 0; i < 2; i++) {
            assert_int_equal(residency(programs[i], allocations[i]),
                             D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINGPUMEMORY);
            touch(programs[i], addresses[i], i + 1, round);
            evict(programs[i], allocations[i]);
            vidmm_machine_settle(thunk_rig.machine);
            assert_int_equal(residency(programs[i], allocations[i]),
                             D3DKMT_ALLOCATIONRESIDENCYSTATUS_NOTRESIDENT);
            thunk_make_resident(programs[i], allocations[i]);
        }
    thunk_finish();
}

/* Many submissions without a wait: the thunk waits for a place in the queue. */
static void a_full_queue_is_waited_for(void **state)
{
    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    memset(one.bytes, 0, VIDMM_PAGE_SIZE);
    for (unsigned i = 0; i < 100; i++) {
        struct softgpu_virtual_touch *nothing = (void *)one.bytes;

        *nothing =
            (struct softgpu_virtual_touch){.command = {SOFTGPU_VIRTUAL_TOUCH, sizeof(*nothing)}};
        succeeds(submit(&one, sizeof(*nothing)));
    }
    thunk_finish();
}

/* ---- resources ------------------------------------------------------------------------------- */

enum { SHARED = 3 };

static D3DKMT_CREATEALLOCATION share(struct softgpu_allocation wishes[SHARED],
                                     D3DDDI_ALLOCATIONINFO2 infos[SHARED])
{
    D3DKMT_CREATEALLOCATION create = {.hDevice = one.device,
                                      .pPrivateRuntimeData = "runtime",
                                      .PrivateRuntimeDataSize = 8,
                                      .NumAllocations = SHARED,
                                      .pAllocationInfo2 = infos,
                                      .Flags = {.CreateResource = 1, .CreateShared = 1}};

    for (unsigned i = 0; i < SHARED; i++) {
        wishes[i] = thunk_wish(PAGES + i, 0, 2);
        infos[i] = (D3DDDI_ALLOCATIONINFO2){.pPrivateDriverData = &wishes[i],
                                            .PrivateDriverDataSize = sizeof(wishes[i])};
    }
    return create;
}

static void another_process_opens_what_is_shared(void **state)
{
    struct softgpu_allocation wishes[SHARED], total[SHARED];
    D3DDDI_ALLOCATIONINFO2 infos[SHARED];
    D3DDDI_OPENALLOCATIONINFO2 opened[SHARED] = {0};
    char runtime[8] = "";
    D3DKMT_CREATEALLOCATION create;
    D3DKMT_QUERYRESOURCEINFO query = {0};
    D3DKMT_OPENRESOURCE open = {.pOpenAllocationInfo2 = opened,
                                .NumAllocations = SHARED,
                                .pPrivateRuntimeData = runtime,
                                .PrivateRuntimeDataSize = sizeof(runtime),
                                .pTotalPrivateDriverDataBuffer = total,
                                .TotalPrivateDriverDataBufferSize = sizeof(total)};
    D3DKMT_DESTROYALLOCATION2 destroy = {0};
    uint64_t address;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    begin_program(&other);
    create = share(wishes, infos);
    succeeds(vidmm_thunk_CreateAllocation2(one.process, &create));
    assert_int_not_equal(create.hGlobalShare, 0);
    query.hDevice = open.hDevice = other.device;
    query.hGlobalShare = open.hGlobalShare = create.hGlobalShare;
    succeeds(vidmm_thunk_QueryResourceInfo(other.process, &query));
    assert_int_equal(query.NumAllocations, SHARED);
    assert_int_equal(query.PrivateRuntimeDataSize, 8);
    assert_int_equal(query.TotalPrivateDriverDataSize, sizeof(total));
    open.NumAllocations = SHARED - 1;
    refused(vidmm_thunk_OpenResource(other.process, &open), "NumAllocations is 2; expected 3");
    open.NumAllocations = SHARED;
    open.TotalPrivateDriverDataBufferSize--;
    refused(vidmm_thunk_OpenResource(other.process, &open), "pTotalPrivateDriverDataBuffer");
    open.TotalPrivateDriverDataBufferSize++;
    succeeds(vidmm_thunk_OpenResource(other.process, &open));
    assert_string_equal(runtime, "runtime");
    for (unsigned i = 0; i < SHARED; i++) {
        assert_int_equal(opened[i].PrivateDriverDataSize, sizeof(wishes[i]));
        assert_memory_equal(opened[i].pPrivateDriverData, &wishes[i], sizeof(wishes[i]));
    }
    /* It outlives who made it. */
    destroy.hDevice = one.device;
    destroy.hResource = create.hResource;
    succeeds(vidmm_thunk_DestroyAllocation2(one.process, &destroy));
    refused(vidmm_thunk_DestroyAllocation2(one.process, &destroy), "hResource");
    thunk_make_resident(&other, opened[0].hAllocation);
    address = thunk_map(&other, opened[0].hAllocation, PAGES);
    touch(&other, address, 1, 0);
    /* A shared one goes as a whole. */
    destroy = (D3DKMT_DESTROYALLOCATION2){
        .hDevice = other.device, .phAllocationList = &opened[1].hAllocation, .AllocationCount = 1};
    refused(vidmm_thunk_DestroyAllocation2(other.process, &destroy), "D-066");
    destroy = (D3DKMT_DESTROYALLOCATION2){.hDevice = other.device, .hResource = open.hResource};
    succeeds(vidmm_thunk_DestroyAllocation2(other.process, &destroy));
    refused(vidmm_thunk_OpenResource(other.process, &open), "hGlobalShare");
    thunk_finish();
}

/* ---- what goes with what --------------------------------------------------------------------- */

static void a_closed_adapter_takes_all_below_it(void **state)
{
    D3DKMT_CLOSEADAPTER close;
    D3DKMT_HANDLE allocation;
    D3DKMT_EVICT arguments;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    allocation = thunk_create(&one, PAGES);
    thunk_make_resident(&one, allocation);
    close.hAdapter = one.adapter;
    succeeds(vidmm_thunk_CloseAdapter(one.process, &close));
    refused(vidmm_thunk_CloseAdapter(one.process, &close), "hAdapter");
    arguments =
        (D3DKMT_EVICT){.hDevice = one.device, .NumAllocations = 1, .AllocationList = &allocation};
    refused(vidmm_thunk_Evict(one.process, &arguments), "no handle of this process");
    free(one.bytes);
    one.bytes = NULL;
    begin_program(&one);
    thunk_finish();
}

static void lists_are_destroyed_whole_or_not_at_all(void **state)
{
    D3DKMT_HANDLE list[3];
    D3DKMT_DESTROYALLOCATION2 destroy = {.phAllocationList = list, .AllocationCount = 3};

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    begin_program(&other);
    destroy.hDevice = one.device;
    list[0] = thunk_create(&one, PAGES);
    list[1] = thunk_create(&one, PAGES);
    list[2] = list[0];
    refused(vidmm_thunk_DestroyAllocation2(one.process, &destroy), "named twice");
    list[2] = thunk_create(&other, PAGES);
    refused(vidmm_thunk_DestroyAllocation2(one.process, &destroy), "phAllocationList");
    list[2] = 0x12345;
    refused(vidmm_thunk_DestroyAllocation2(one.process, &destroy), "phAllocationList");
    assert_int_equal(residency(&one, list[0]), D3DKMT_ALLOCATIONRESIDENCYSTATUS_NOTRESIDENT);
    destroy.AllocationCount = 2;
    succeeds(vidmm_thunk_DestroyAllocation2(one.process, &destroy));
    refused(vidmm_thunk_DestroyAllocation2(one.process, &destroy), "phAllocationList");
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_create_map_submit_and_lose_nothing),
        cmocka_unit_test(a_full_queue_is_waited_for),
        cmocka_unit_test(another_process_opens_what_is_shared),
        cmocka_unit_test(a_closed_adapter_takes_all_below_it),
        cmocka_unit_test(lists_are_destroyed_whole_or_not_at_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
