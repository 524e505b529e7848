/* test_thunk_evictions.c: D3DKMT_ESCAPE_VIDMM: Evict, EvictByNtHandle, EvictByCriteria. */
#include "test_thunk_rig.h"

#include <unistd.h>

#include <vidmm/display.h>
#include <vidmm/page_out.h>
#include <vidmm/residency.h>
#include <vidmm/resource.h>

#include "thunk/object.h"

#define CPU_VISIBLE 1u
#define EVICTIONS_GPU THUNK_GPU "sources 1\n"

static NTSTATUS evict(const struct thunk_program *program, D3DKMT_HANDLE resource,
                      D3DKMT_HANDLE allocation)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_EVICT};

    message.Evict.ResourceHandle = resource;
    message.Evict.AllocationHandle = allocation;
    return thunk_escape(program, &message);
}

static NTSTATUS evict_by_size(uint64_t minimum, uint64_t maximum, uint32_t flags)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_EVICT_BY_CRITERIA};

    message.EvictByCriteria.MinimumSize = minimum;
    message.EvictByCriteria.MaximumSize = maximum;
    message.EvictByCriteria.Value = flags;
    return thunk_escape(&one, &message);
}

static NTSTATUS evict_by_nt_handle(uint64_t handle)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_EVICT_BY_NT_HANDLE};

    message.EvictByNtHandle.NtHandle = handle;
    return thunk_escape(&one, &message);
}

static void *object_of(const struct thunk_program *program, D3DKMT_HANDLE handle,
                       enum vidmm_thunk_type type)
{
    struct vidmm_thunk_object *object;

    vidmm_thunk_enter(program->process);
    object = vidmm_thunk_find(program->process, handle, type, "handle");
    vidmm_thunk_leave(program->process);
    assert_non_null(object);
    return object->of;
}

/* Bytes of the memory segment that are taken. */
static uint64_t taken(void)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_DEFRAG};

    message.Defrag.SegmentId = 2;
    succeeds(thunk_escape(&one, &message));
    return message.Defrag.TotalCommitted;
}

/* Allocations of a resource that is made with them; resident. */
static D3DKMT_HANDLE create(struct thunk_program *program, const uint64_t *pages, uint32_t count,
                            uint32_t flags, D3DKMT_CREATEALLOCATIONFLAGS how,
                            D3DKMT_HANDLE *handles)
{
    struct softgpu_allocation wishes[4];
    D3DDDI_ALLOCATIONINFO2 infos[4] = {{0}};
    D3DKMT_CREATEALLOCATION arguments = {.hDevice = program->device,
                                         .NumAllocations = count,
                                         .pAllocationInfo2 = infos,
                                         .Flags = how};

    for (uint32_t i = 0; i < count; i++) {
        wishes[i] = thunk_wish(pages[i], flags, 2);
        infos[i].pPrivateDriverData = &wishes[i];
        infos[i].PrivateDriverDataSize = sizeof(wishes[i]);
    }
    succeeds(vidmm_thunk_CreateAllocation2(program->process, &arguments));
    for (uint32_t i = 0; i < count; i++) {
        handles[i] = infos[i].hAllocation;
        thunk_make_resident(program, handles[i]);
    }
    return arguments.hResource;
}

static D3DKMT_HANDLE create_visible(struct thunk_program *program, uint64_t pages)
{
    const D3DKMT_CREATEALLOCATIONFLAGS plain = {0};
    D3DKMT_HANDLE handle;

    create(program, &pages, 1, CPU_VISIBLE, plain, &handle);
    return handle;
}

/* Write a number into each page of it, or look for these. */
static void number_pages(const struct thunk_program *program, D3DKMT_HANDLE allocation,
                         uint32_t count, bool write)
{
    D3DKMT_LOCK2 lock = {.hDevice = program->device, .hAllocation = allocation};
    D3DKMT_UNLOCK2 unlock = {.hDevice = program->device, .hAllocation = allocation};

    succeeds(vidmm_thunk_Lock2(program->process, &lock));
    for (uint32_t page = 0; page < count; page++) {
        uint64_t *number = (void *)((char *)lock.pData + page * VIDMM_PAGE_SIZE);

        if (write)
            *number = 0x1000 + page;
        assert_int_equal(*number, 0x1000 + page);
    }
    succeeds(vidmm_thunk_Unlock2(program->process, &unlock));
}

/* It was submitted: the end of all work. */
static void settle(const struct thunk_program *program, NTSTATUS submitted)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_WAKE};

    succeeds(submitted);
    message.Wake.bFlush = 1;
    succeeds(thunk_escape(program, &message));
}

/* A submission of commands that touch nothing. */
static void submit(const struct thunk_program *program)
{
    settle(program, thunk_touch_nothing(program));
}

static void start(void)
{
    thunk_start(EVICTIONS_GPU);
    begin_program(&one);
    begin_program(&other);
}

/* ---- by handle ------------------------------------------------------------------------------- */

/* The program does not notice: the list names it, its bytes are there, and the next submission has
 * it in memory again. */
static void an_allocation_leaves_and_comes_back(void **state)
{
    D3DKMT_HANDLE allocation, neighbour;
    uint64_t before;

    (void)state;
    start();
    before = taken();
    allocation = create_visible(&one, 8);
    neighbour = create_visible(&one, 4);
    number_pages(&one, allocation, 8, true);
    assert_int_equal(taken(), before + 12 * VIDMM_PAGE_SIZE);
    succeeds(evict(&one, 0, allocation));
    assert_false(thunk_is_in_memory(&one, allocation));
    assert_true(thunk_is_in_memory(&one, neighbour));
    assert_int_equal(taken(), before + 4 * VIDMM_PAGE_SIZE);
    succeeds(evict(&one, 0, allocation)); /* it has left already */
    number_pages(&one, allocation, 8, false);
    assert_false(thunk_is_in_memory(&one, allocation));
    submit(&one);
    assert_true(thunk_is_in_memory(&one, allocation) && thunk_is_in_memory(&one, neighbour));
    assert_int_equal(taken(), before + 12 * VIDMM_PAGE_SIZE);
    number_pages(&one, allocation, 8, false);
    /* It is counted as before: one Evict is one too many after that. */
    {
        D3DKMT_EVICT arguments = {
            .hDevice = one.device, .NumAllocations = 1, .AllocationList = &allocation};

        succeeds(vidmm_thunk_Evict(one.process, &arguments));
        refused(vidmm_thunk_Evict(one.process, &arguments), "counts it less often");
    }
    thunk_finish();
}

/* The GPU finds by its address what it has written there, wherever that was meanwhile. */
static void the_gpu_finds_what_it_wrote(void **state)
{
    D3DKMT_HANDLE allocation;
    uint64_t address;

    (void)state;
    start();
    allocation = thunk_create(&one, 8);
    thunk_make_resident(&one, allocation);
    address = thunk_map(&one, allocation, 8);
    for (uint32_t generation = 0; generation < 3; generation++) {
        settle(&one, thunk_touch(&one, address, 8, 1, generation));
        assert_true(thunk_is_in_memory(&one, allocation));
        succeeds(evict(&one, 0, allocation));
        assert_false(thunk_is_in_memory(&one, allocation));
    }
    thunk_finish();
}

/* A lock whose address follows keeps nobody in memory, and shows the same bytes. */
static void what_is_locked_leaves_under_its_address(void **state)
{
    D3DKMT_HANDLE allocation;
    D3DKMT_LOCK2 lock = {0};

    (void)state;
    start();
    allocation = create_visible(&one, 2);
    number_pages(&one, allocation, 2, true);
    lock.hDevice = one.device;
    lock.hAllocation = allocation;
    succeeds(vidmm_thunk_Lock2(one.process, &lock));
    assert_true(thunk_is_in_memory(&one, allocation));
    succeeds(evict(&one, 0, allocation));
    assert_false(thunk_is_in_memory(&one, allocation));
    assert_int_equal(*(uint64_t *)(void *)((char *)lock.pData + VIDMM_PAGE_SIZE), 0x1001);
    *(uint64_t *)lock.pData = 7;
    submit(&one);
    assert_int_equal(*(uint64_t *)lock.pData, 7);
    thunk_finish();
}

static void a_resource_leaves_with_all_that_it_has(void **state)
{
    static const uint64_t pages[] = {3, 5};
    const D3DKMT_CREATEALLOCATIONFLAGS how = {.CreateResource = 1};
    D3DKMT_HANDLE resource, of[2], alone;

    (void)state;
    start();
    resource = create(&one, pages, 2, 0, how, of);
    alone = create_visible(&one, 4);
    succeeds(evict(&one, resource, 0));
    assert_true(!thunk_is_in_memory(&one, of[0]) && !thunk_is_in_memory(&one, of[1]));
    assert_true(thunk_is_in_memory(&one, alone));
    submit(&one);
    succeeds(evict(&one, resource, of[1]));
    assert_true(thunk_is_in_memory(&one, of[0]) && !thunk_is_in_memory(&one, of[1]));
    refused(evict(&one, resource, alone), "no allocation of Evict.ResourceHandle");
    assert_true(thunk_is_in_memory(&one, alone));
    thunk_finish();
}

/* Without a handle all of the program leaves, and nothing of another's. */
static void all_of_a_process_leaves(void **state)
{
    D3DKMT_HANDLE own[2], theirs;

    (void)state;
    start();
    own[0] = create_visible(&one, 2);
    own[1] = create_visible(&one, 3);
    theirs = create_visible(&other, 2);
    number_pages(&one, own[1], 3, true);
    succeeds(evict(&one, 0, 0));
    assert_true(!thunk_is_in_memory(&one, own[0]) && !thunk_is_in_memory(&one, own[1]));
    assert_true(thunk_is_in_memory(&other, theirs));
    submit(&one);
    assert_true(thunk_is_in_memory(&one, own[0]) && thunk_is_in_memory(&one, own[1]));
    number_pages(&one, own[1], 3, false);
    thunk_finish();
}

static void wrong_handles_are_refused(void **state)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_EVICT};
    D3DKMT_HANDLE theirs, own;
    uint64_t before;

    (void)state;
    start();
    own = create_visible(&one, 2);
    create_visible(&other, 2);
    theirs = create_visible(&other, 2); /* a handle that only the other program has */
    before = taken();
    refused(evict(&one, 0, theirs), "Evict.AllocationHandle");
    refused(evict(&one, 0, 0xfffffff), "Evict.AllocationHandle");
    refused(evict(&one, 0, one.device), "Evict.AllocationHandle");
    refused(evict(&one, own, 0), "Evict.ResourceHandle");
    refused(evict(&one, own, own), "Evict.ResourceHandle");
    message.Evict.AllocationHandle = own;
    message.Evict.hProcess_Align = 5;
    refused(thunk_escape(&one, &message), "Evict.hProcess is not NULL");
    assert_int_equal(taken(), before);
    assert_true(thunk_is_in_memory(&one, own) && thunk_is_in_memory(&other, theirs));
    thunk_finish();
}

/* ---- what stays ------------------------------------------------------------------------------ */

/* A displayed primary stays, and of its resource nothing leaves; what may leave of a process leaves
 * all the same. */
static void what_is_displayed_stays(void **state)
{
    struct softgpu_allocation wishes[2] = {thunk_wish(4, 0, 2), thunk_wish(2, 0, 2)};
    D3DDDI_ALLOCATIONINFO2 infos[2] = {{0}};
    D3DKMT_CREATEALLOCATION arguments = {.NumAllocations = 2, .pAllocationInfo2 = infos};
    D3DKMT_HANDLE plain;

    (void)state;
    start();
    for (uint32_t i = 0; i < 2; i++) {
        infos[i].pPrivateDriverData = &wishes[i];
        infos[i].PrivateDriverDataSize = sizeof(wishes[i]);
    }
    infos[0].Flags.Primary = 1;
    arguments.hDevice = one.device;
    arguments.Flags.CreateResource = 1;
    succeeds(vidmm_thunk_CreateAllocation2(one.process, &arguments));
    thunk_make_resident(&one, infos[0].hAllocation);
    thunk_make_resident(&one, infos[1].hAllocation);
    plain = create_visible(&one, 2);
    succeeds(vidmm_display_show(object_of(&one, one.device, VIDMM_THUNK_DEVICE), 0,
                                object_of(&one, infos[0].hAllocation, VIDMM_THUNK_ALLOCATION),
                                NULL));
    refused_with(evict(&one, 0, infos[0].hAllocation), STATUS_GRAPHICS_ALLOCATION_BUSY,
                 "displayed");
    refused_with(evict(&one, arguments.hResource, 0), STATUS_GRAPHICS_ALLOCATION_BUSY, "displayed");
    assert_true(thunk_is_in_memory(&one, infos[0].hAllocation));
    assert_true(thunk_is_in_memory(&one, infos[1].hAllocation));
    succeeds(evict(&one, 0, 0));
    assert_true(thunk_is_in_memory(&one, infos[0].hAllocation));
    assert_true(!thunk_is_in_memory(&one, infos[1].hAllocation) &&
                !thunk_is_in_memory(&one, plain));
    succeeds(vidmm_display_hide(thunk_rig.adapter, 0, NULL));
    submit(&one);
    assert_true(thunk_is_in_memory(&one, plain));
    succeeds(evict_by_size(0, UINT64_MAX, 1)); /* primaries alone */
    assert_false(thunk_is_in_memory(&one, infos[0].hAllocation));
    assert_true(thunk_is_in_memory(&one, plain));
    thunk_finish();
}

/* It would leave without its content. */
static void what_is_offered_is_passed_over(void **state)
{
    D3DKMT_HANDLE allocation, plain;
    D3DKMT_OFFERALLOCATIONS offer = {.NumAllocations = 1, .Priority = D3DKMT_OFFER_PRIORITY_LOW};
    BOOL discarded = TRUE;
    D3DKMT_RECLAIMALLOCATIONS2 reclaim = {.NumAllocations = 1, .pDiscarded = &discarded};

    (void)state;
    start();
    allocation = create_visible(&one, 2);
    plain = create_visible(&one, 2);
    number_pages(&one, allocation, 2, true);
    offer.hDevice = one.device;
    offer.HandleList = &allocation;
    succeeds(vidmm_thunk_OfferAllocations(one.process, &offer));
    refused(evict(&one, 0, allocation), "one that is not offered: reclaim it first");
    succeeds(evict(&one, 0, 0));
    assert_false(thunk_is_in_memory(&one, plain));
    reclaim.hPagingQueue = one.queue;
    reclaim.HandleList = &allocation;
    comes(&one, vidmm_thunk_ReclaimAllocations2(one.process, &reclaim), reclaim.PagingFenceValue);
    assert_false(discarded);
    number_pages(&one, allocation, 2, false);
    thunk_finish();
}

/* ---- by criteria ----------------------------------------------------------------------------- */

/* Sizes from the one to the other, both included, whoever has them. */
static void sizes_choose_among_all_processes(void **state)
{
    D3DKMT_HANDLE small, fitting, large, theirs;

    (void)state;
    start();
    small = create_visible(&one, 2);
    fitting = create_visible(&one, 3);
    large = create_visible(&one, 7);
    theirs = create_visible(&other, 6);
    number_pages(&other, theirs, 6, true);
    succeeds(evict_by_size(3 * VIDMM_PAGE_SIZE, 6 * VIDMM_PAGE_SIZE, 0));
    assert_true(thunk_is_in_memory(&one, small) && thunk_is_in_memory(&one, large));
    assert_true(!thunk_is_in_memory(&one, fitting) && !thunk_is_in_memory(&other, theirs));
    submit(&other);
    assert_true(thunk_is_in_memory(&other, theirs) && !thunk_is_in_memory(&one, fitting));
    number_pages(&other, theirs, 6, false);
    succeeds(evict_by_size(0, UINT64_MAX, 1)); /* there is no primary */
    assert_true(thunk_is_in_memory(&one, small) && thunk_is_in_memory(&other, theirs));
    refused(evict_by_size(2, 1, 0), "EvictByCriteria.MaximumSize is 1; expected 2");
    refused(evict_by_size(0, UINT64_MAX, 2), "EvictByCriteria.Flags is 0x2");
    assert_true(thunk_is_in_memory(&one, small) && thunk_is_in_memory(&other, theirs));
    thunk_finish();
}

/* ---- by a handle of the system --------------------------------------------------------------- */

static void a_shared_resource_leaves_by_its_nt_handle(void **state)
{
    static const uint64_t pages[] = {3};
    const D3DKMT_CREATEALLOCATIONFLAGS how = {
        .CreateResource = 1, .CreateShared = 1, .NtSecuritySharing = 1};
    D3DKMT_HANDLE resource, allocation, plain;
    HANDLE handle;
    D3DKMT_SHAREOBJECTS share = {
        .ObjectCount = 1, .ObjectHandleArray = &resource, .pSharedNtHandle = &handle};
    int pipes[2];

    (void)state;
    start();
    resource = create(&one, pages, 1, 0, how, &allocation);
    plain = create_visible(&one, 2);
    succeeds(vidmm_thunk_ShareObjectsInternal(one.process, &share));
    succeeds(evict_by_nt_handle((uint64_t)(uintptr_t)handle));
    assert_true(!thunk_is_in_memory(&one, allocation) && thunk_is_in_memory(&one, plain));
    submit(&one);
    assert_true(thunk_is_in_memory(&one, allocation));
    assert_int_equal(pipe(pipes), 0);
    refused(evict_by_nt_handle((uint64_t)pipes[0]), "leads to no resource");
    refused(evict_by_nt_handle(0), "leads to no resource");
    refused(evict_by_nt_handle(UINT64_MAX), "leads to no resource");
    close(pipes[0]);
    close(pipes[1]);
    close((int)(intptr_t)handle);
    refused(evict_by_nt_handle((uint64_t)(uintptr_t)handle), "leads to no resource");
    assert_true(thunk_is_in_memory(&one, allocation));
    thunk_finish();
}

/* ---- below WDDM 2.0 -------------------------------------------------------------------------- */

#define OLD_GPU "wddm 1.3\nsegment 1 aperture 1M\nsegment 2 memory 1M cpuvisible\n"

/* A DMA buffer that names it brings it in. */
static void memory_of_wddm_1_leaves_too(void **state)
{
    struct vidmm_page_out_criteria everything = {.maximum = UINT64_MAX};
    struct rig_options options = rig_defaults();
    struct rig_allocation *allocation;
    struct rig rig;

    (void)state;
    options.gpu = OLD_GPU;
    rig_init(&rig, &options);
    allocation = &rig.allocations[0];
    succeeds(rig_create(&rig, allocation, 4 * VIDMM_PAGE_SIZE, 2, CPU_VISIBLE));
    for (uint32_t round = 0; round < 2; round++) {
        const struct vidmm_selection selection = {.allocations = &allocation->handle,
                                                  .allocation_count = 1};
        enum vidmm_residency residency;

        succeeds(rig_render(&rig, &allocation, 1, 1));
        succeeds(vidmm_context_wait(rig.context, rig.value));
        succeeds(vidmm_query_residency(&selection, &residency, NULL));
        assert_int_equal(residency, VIDMM_RESIDENT_IN_GPU);
        succeeds(round == 0 ? vidmm_page_out(allocation->handle, &rig.report)
                            : vidmm_page_out_all(rig.adapter, &everything, &rig.report));
        succeeds(vidmm_query_residency(&selection, &residency, NULL));
        assert_int_equal(residency, VIDMM_NOT_RESIDENT);
        assert_true(rig_lock_and_touch(&rig, allocation, false));
        assert_int_equal(rig.cpu_mismatches, 0);
    }
    rig_finish(&rig);
}

/* ---- two adapters ---------------------------------------------------------------------------- */

#define SECOND_LUID ((LUID){.LowPart = 0x4321, .HighPart = 7})

/* The machine has two adapters, and `one` a device and an allocation on each: *second and its
 * answer. */
static D3DKMT_HANDLE start_with_second(struct rig *more, struct thunk_program *second,
                                       D3DKMT_HANDLE *resource)
{
    struct rig_options options = rig_defaults();
    struct vidmm_thunk_adapter adapters[2] = {{.luid = THUNK_LUID}, {.luid = SECOND_LUID}};
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = SECOND_LUID};
    D3DKMT_CREATEDEVICE device = {0};
    struct softgpu_allocation wish = thunk_wish(1, 0, 2);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create_one = {
        .NumAllocations = 1, .pAllocationInfo2 = &info, .Flags.CreateResource = 1};

    thunk_start(EVICTIONS_GPU);
    thunk_end_processes();
    options.gpu = EVICTIONS_GPU;
    rig_build(more, &options);
    assert_int_equal(vidmm_adapter_start(vidmm_slot_host(more->slot), &more->driver, more,
                                         &more->options.adapter, &more->adapter, &more->report),
                     STATUS_SUCCESS);
    adapters[0].adapter = thunk_rig.adapter;
    adapters[1].adapter = more->adapter;
    thunk_machine = vidmm_thunk_machine_create(adapters, 2);
    one = other = (struct thunk_program){0};
    one.process = vidmm_thunk_process_create(thunk_machine, 1);
    other.process = vidmm_thunk_process_create(thunk_machine, 2);
    begin_program(&one);
    *second = (struct thunk_program){.process = one.process};
    succeeds(vidmm_thunk_OpenAdapterFromLuid(one.process, &open));
    second->adapter = device.hAdapter = open.hAdapter;
    succeeds(vidmm_thunk_CreateDevice(one.process, &device));
    second->device = create_one.hDevice = device.hDevice;
    succeeds(vidmm_thunk_CreateAllocation2(one.process, &create_one));
    *resource = create_one.hResource;
    return info.hAllocation;
}

/* A handle leads to one adapter, and the escape is for that one alone. */
static void handles_of_another_adapter_are_refused(void **state)
{
    D3DKMT_HANDLE here, there, resource;
    struct thunk_program second;
    struct rig more;

    (void)state;
    there = start_with_second(&more, &second, &resource);
    here = create_visible(&one, 2);
    refused(evict(&one, 0, there), "of another adapter than hAdapter");
    refused(evict(&one, resource, 0), "of another adapter than hAdapter");
    refused(evict(&second, 0, here), "of another adapter than hAdapter");
    assert_true(thunk_is_in_memory(&one, here));
    succeeds(evict(&second, 0, there));
    succeeds(evict(&second, 0, 0)); /* all of the process, on that adapter */
    assert_true(thunk_is_in_memory(&one, here));
    succeeds(evict(&one, 0, here));
    assert_false(thunk_is_in_memory(&one, here));
    thunk_finish();
    rig_finish(&more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_allocation_leaves_and_comes_back),
        cmocka_unit_test(the_gpu_finds_what_it_wrote),
        cmocka_unit_test(what_is_locked_leaves_under_its_address),
        cmocka_unit_test(a_resource_leaves_with_all_that_it_has),
        cmocka_unit_test(all_of_a_process_leaves),
        cmocka_unit_test(wrong_handles_are_refused),
        cmocka_unit_test(what_is_displayed_stays),
        cmocka_unit_test(what_is_offered_is_passed_over),
        cmocka_unit_test(sizes_choose_among_all_processes),
        cmocka_unit_test(a_shared_resource_leaves_by_its_nt_handle),
        cmocka_unit_test(memory_of_wddm_1_leaves_too),
        cmocka_unit_test(handles_of_another_adapter_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
