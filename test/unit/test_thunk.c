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
            assert_int_equal(thunk_residency(programs[i], allocations[i]),
                             D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINGPUMEMORY);
            touch(programs[i], addresses[i], i + 1, round);
            evict(programs[i], allocations[i]);
            vidmm_machine_settle(thunk_rig.machine);
            assert_int_equal(thunk_residency(programs[i], allocations[i]),
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
    open.NumAllocations = SHARED + 1;
    refused(vidmm_thunk_OpenResource(other.process, &open), "NumAllocations is 4; expected 3");
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

/* ---- one submission to several contexts ------------------------------------------------------ */

/* The commands run once on each; a context of another device, and one that is none, keep them from
 * all. */
static void commands_go_to_every_context_that_is_named(void **state)
{
    D3DKMT_CREATECONTEXTVIRTUAL second = {0}, foreign = {0};
    D3DKMT_CREATEDEVICE device = {0};
    D3DKMT_SUBMITCOMMAND submit = {.CommandLength = sizeof(struct softgpu_virtual_touch),
                                   .BroadcastContextCount = D3DDDI_MAX_BROADCAST_CONTEXT};
    struct softgpu_virtual_touch *nothing;
    struct softgpu_statistics before, after;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    nothing = (void *)one.bytes;
    *nothing = (struct softgpu_virtual_touch){.command = {SOFTGPU_VIRTUAL_TOUCH, sizeof(*nothing)}};
    submit.Commands = one.address;
    device.hAdapter = one.adapter;
    succeeds(vidmm_thunk_CreateDevice(one.process, &device));
    second.hDevice = one.device;
    foreign.hDevice = device.hDevice;
    succeeds(vidmm_thunk_CreateContextVirtual(one.process, &second));
    succeeds(vidmm_thunk_CreateContextVirtual(one.process, &foreign));
    for (unsigned i = 0; i < D3DDDI_MAX_BROADCAST_CONTEXT; i++)
        submit.BroadcastContext[i] = i % 2 == 0 ? one.context : second.hContext;
    vidmm_machine_settle(thunk_rig.machine);
    softgpu_device_statistics(thunk_rig.gpu, &before);
    submit.BroadcastContext[D3DDDI_MAX_BROADCAST_CONTEXT - 1] = foreign.hContext;
    refused(vidmm_thunk_SubmitCommand(one.process, &submit), "of another device than the first");
    submit.BroadcastContext[D3DDDI_MAX_BROADCAST_CONTEXT - 1] = one.device;
    refused(vidmm_thunk_SubmitCommand(one.process, &submit), "an element of BroadcastContext");
    vidmm_machine_settle(thunk_rig.machine);
    softgpu_device_statistics(thunk_rig.gpu, &after);
    assert_int_equal(after.commands, before.commands);
    submit.BroadcastContext[D3DDDI_MAX_BROADCAST_CONTEXT - 1] = second.hContext;
    succeeds(vidmm_thunk_SubmitCommand(one.process, &submit)); /* more than a queue has room for */
    vidmm_machine_settle(thunk_rig.machine);
    softgpu_device_statistics(thunk_rig.gpu, &after);
    assert_int_equal(after.commands, before.commands + D3DDDI_MAX_BROADCAST_CONTEXT);
    thunk_finish();
}

/* ---- memory of the program as it lies ------------------------------------------------------- */

static D3DDDI_ALLOCATIONINFO2 heap_infos[2];
static D3DKMT_CREATESTANDARDALLOCATION heap_standard;

static D3DKMT_CREATEALLOCATION heap_of(struct thunk_program *program, char *bytes)
{
    for (unsigned i = 0; i < 2; i++)
        heap_infos[i] = (D3DDDI_ALLOCATIONINFO2){.pSystemMem = bytes};
    heap_standard =
        (D3DKMT_CREATESTANDARDALLOCATION){.Type = D3DKMT_STANDARDALLOCATIONTYPE_EXISTINGHEAP,
                                          .ExistingHeapData.Size = PAGES * VIDMM_PAGE_SIZE};
    return (D3DKMT_CREATEALLOCATION){.hDevice = program->device,
                                     .pStandardAllocation = &heap_standard,
                                     .NumAllocations = 1,
                                     .pAllocationInfo2 = heap_infos,
                                     .Flags = {.StandardAllocation = 1,
                                               .ExistingSysMem = 1,
                                               .CreateResource = 1,
                                               .CreateShared = 1,
                                               .CrossAdapter = 1}};
}

#define HEAP_REFUSED(Member, Value, Text)                                                          \
    do {                                                                                           \
        create = heap_of(&one, bytes);                                                             \
        Member = Value;                                                                            \
        refused(vidmm_thunk_CreateAllocation2(one.process, &create), Text);                        \
    } while (0)

static void a_heap_is_asked_for_in_one_way(void **state)
{
    char *bytes = aligned_alloc(VIDMM_PAGE_SIZE, PAGES * VIDMM_PAGE_SIZE);
    D3DKMT_CREATEALLOCATION create;
    D3DKMT_HANDLE resource;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    HEAP_REFUSED(create.Flags.ExistingSysMem, 0, "D-060");
    HEAP_REFUSED(create.Flags.ExistingSection, 1, "D-060");
    HEAP_REFUSED(create.Flags.StandardAllocation, 0, "D-060");
    HEAP_REFUSED(create.Flags.CreateResource, 0, "D-059");
    HEAP_REFUSED(create.NumAllocations, 2, "D-060");
    HEAP_REFUSED(create.NumAllocations, 0, "D-060");
    HEAP_REFUSED(create.PrivateDriverDataSize, 64, "expected 0 of a standard allocation");
    HEAP_REFUSED(create.pStandardAllocation, NULL, "pStandardAllocation is NULL");
    HEAP_REFUSED(heap_standard.Type, 0, "expected 1, an existing heap");
    HEAP_REFUSED(heap_standard.Flags.Value, 1, "reserved bits");
    HEAP_REFUSED(heap_standard.ExistingHeapData.Size, 0x1100, "whole pages");
    HEAP_REFUSED(heap_standard.ExistingHeapData.Size, 0, "whole pages");
    HEAP_REFUSED(heap_infos[0].pSystemMem, NULL, "pSystemMem");
    HEAP_REFUSED(heap_infos[0].pSystemMem, bytes + 1, "page aligned");
    create = heap_of(&one, bytes);
    create.Flags.ExistingSysMem = 0;
    create.Flags.ExistingSection = 1;
    refused_with(vidmm_thunk_CreateAllocation2(one.process, &create), STATUS_NOT_SUPPORTED,
                 "ExistingSection");
    /* of no resource that there is */
    create = (D3DKMT_CREATEALLOCATION){.hDevice = one.device, .Flags.CreateResource = 1};
    succeeds(vidmm_thunk_CreateAllocation2(one.process, &create));
    resource = create.hResource;
    create = heap_of(&one, bytes);
    create.hResource = resource;
    create.Flags.CreateResource = create.Flags.CreateShared = create.Flags.CrossAdapter = 0;
    refused(vidmm_thunk_CreateAllocation2(one.process, &create), "D-060");
    /* programs that set neither CreateShared nor CrossAdapter are served */
    create.hResource = 0;
    succeeds(vidmm_thunk_CreateAllocation2(one.process, &create));
    assert_int_equal(create.hResource, 0);
    thunk_finish();
    free(bytes);
}

/* The GPU writes the program's own bytes, and another process opens them. */
static void a_heap_is_the_programs_own_bytes(void **state)
{
    char *bytes = aligned_alloc(VIDMM_PAGE_SIZE, PAGES * VIDMM_PAGE_SIZE), before[64];
    struct softgpu_allocation words;
    D3DDDI_OPENALLOCATIONINFO2 opened = {0};
    D3DKMT_OPENRESOURCE open = {.pOpenAllocationInfo2 = &opened,
                                .NumAllocations = 1,
                                .pTotalPrivateDriverDataBuffer = &words,
                                .TotalPrivateDriverDataBufferSize = sizeof(words)};
    D3DKMT_CREATEALLOCATION create;
    uint64_t address;

    (void)state;
    memset(bytes, 0, PAGES * VIDMM_PAGE_SIZE);
    memcpy(before, bytes, sizeof(before));
    thunk_start(THUNK_GPU);
    begin_program(&one);
    begin_program(&other);
    create = heap_of(&one, bytes);
    succeeds(vidmm_thunk_CreateAllocation2(one.process, &create));
    thunk_make_resident(&one, heap_infos[0].hAllocation);
    assert_int_equal(thunk_residency(&one, heap_infos[0].hAllocation),
                     D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINSHAREDMEMORY);
    address = thunk_map(&one, heap_infos[0].hAllocation, PAGES);
    touch(&one, address, 1, 0);
    assert_memory_not_equal(bytes, before, sizeof(before));
    assert_memory_not_equal(bytes + (PAGES - 1) * VIDMM_PAGE_SIZE, before, sizeof(before));
    open.hDevice = other.device;
    open.hGlobalShare = create.hGlobalShare;
    succeeds(vidmm_thunk_OpenResource(other.process, &open));
    assert_int_equal(opened.PrivateDriverDataSize, sizeof(words)); /* the driver's own */
    assert_int_equal(words.size, PAGES * VIDMM_PAGE_SIZE);
    thunk_make_resident(&other, opened.hAllocation);
    touch(&other, thunk_map(&other, opened.hAllocation, PAGES), 1, 1);
    thunk_finish();
    free(bytes);
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
    assert_int_equal(thunk_residency(&one, list[0]), D3DKMT_ALLOCATIONRESIDENCYSTATUS_NOTRESIDENT);
    destroy.AllocationCount = 2;
    succeeds(vidmm_thunk_DestroyAllocation2(one.process, &destroy));
    refused(vidmm_thunk_DestroyAllocation2(one.process, &destroy), "phAllocationList");
    thunk_finish();
}

/* ---- words of a program about its device, contexts and allocations -------------------- */

static void a_device_marked_as_in_error_does_no_more_work(void **state)
{
    D3DKMT_MARKDEVICEASERROR mark = {.Reason = D3DKMT_DEVICE_ERROR_REASON_GENERIC};
    D3DKMT_GETDEVICESTATE ask = {.StateType = D3DKMT_DEVICESTATE_EXECUTION};
    D3DKMT_SUBMITCOMMAND submit = {.BroadcastContextCount = 1, .CommandLength = 16};

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    begin_program(&other);
    submit.BroadcastContext[0] = one.context;
    submit.Commands = one.address;
    mark.hDevice = ask.hDevice = one.device;
    succeeds(vidmm_thunk_MarkDeviceAsError(one.process, &mark));
    succeeds(vidmm_thunk_MarkDeviceAsError(one.process, &mark));
    succeeds(vidmm_thunk_GetDeviceState(one.process, &ask));
    assert_int_equal(ask.ExecutionState, D3DKMT_DEVICEEXECUTION_STOPPED);
    refused_with(vidmm_thunk_SubmitCommand(one.process, &submit), STATUS_INTERNAL_ERROR,
                 "marked the device");
    ask.hDevice = other.device;
    succeeds(vidmm_thunk_GetDeviceState(other.process, &ask));
    assert_int_equal(ask.ExecutionState, D3DKMT_DEVICEEXECUTION_ACTIVE);
    thunk_finish();
}

static void priorities_are_answered_as_they_were_set(void **state)
{
    D3DKMT_SETCONTEXTSCHEDULINGPRIORITY set = {.Priority = -7};
    D3DKMT_GETCONTEXTSCHEDULINGPRIORITY get = {.Priority = 99};
    D3DKMT_SETCONTEXTINPROCESSSCHEDULINGPRIORITY set_inside = {.Priority = 1};
    D3DKMT_GETCONTEXTINPROCESSSCHEDULINGPRIORITY get_inside = {.Priority = 99};

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    set.hContext = get.hContext = set_inside.hContext = get_inside.hContext = one.context;
    succeeds(vidmm_thunk_GetContextSchedulingPriority(one.process, &get));
    assert_int_equal(get.Priority, 0);
    succeeds(vidmm_thunk_SetContextSchedulingPriority(one.process, &set));
    succeeds(vidmm_thunk_GetContextSchedulingPriority(one.process, &get));
    assert_int_equal(get.Priority, -7);
    succeeds(vidmm_thunk_GetContextInProcessSchedulingPriority(one.process, &get_inside));
    assert_int_equal(get_inside.Priority, 0);
    succeeds(vidmm_thunk_SetContextInProcessSchedulingPriority(one.process, &set_inside));
    succeeds(vidmm_thunk_GetContextInProcessSchedulingPriority(one.process, &get_inside));
    assert_int_equal(get_inside.Priority, 1);
    thunk_finish();
}

/* A priority that nobody has set is the driver's: SOFTGPU_PRIORITY_NORMAL in thunk_create(). */
static void priorities_of_allocations_are_answered(void **state)
{
    D3DKMT_HANDLE list[2];
    UINT priorities[2] = {0xc8000000u, 0}, answers[2] = {0, 0};
    D3DKMT_SETALLOCATIONPRIORITY set = {
        .phAllocationList = list, .AllocationCount = 1, .pPriorities = priorities};
    D3DKMT_GETALLOCATIONPRIORITY get = {
        .phAllocationList = list, .AllocationCount = 2, .pPriorities = answers};

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    list[0] = thunk_create(&one, 1);
    list[1] = thunk_create(&one, 1);
    set.hDevice = get.hDevice = one.device;
    succeeds(vidmm_thunk_SetAllocationPriority(one.process, &set));
    succeeds(vidmm_thunk_GetAllocationPriority(one.process, &get));
    assert_int_equal(answers[0], 0xc8000000u);
    assert_int_equal(answers[1], SOFTGPU_PRIORITY_NORMAL);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_create_map_submit_and_lose_nothing),
        cmocka_unit_test(a_full_queue_is_waited_for),
        cmocka_unit_test(another_process_opens_what_is_shared),
        cmocka_unit_test(commands_go_to_every_context_that_is_named),
        cmocka_unit_test(a_heap_is_asked_for_in_one_way),
        cmocka_unit_test(a_heap_is_the_programs_own_bytes),
        cmocka_unit_test(a_closed_adapter_takes_all_below_it),
        cmocka_unit_test(lists_are_destroyed_whole_or_not_at_all),
        cmocka_unit_test(a_device_marked_as_in_error_does_no_more_work),
        cmocka_unit_test(priorities_are_answered_as_they_were_set),
        cmocka_unit_test(priorities_of_allocations_are_answered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
