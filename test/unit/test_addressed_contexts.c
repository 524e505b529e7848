/* test_addressed_contexts.c: allocations that a driver of WDDM 2 makes for its contexts.
 *
 * The GPU saves the context that it leaves, late, and finds what it saved when it runs it again;
 * so these are in a memory segment at an address that the driver is told, on a GPU with page tables
 * by NotifyResidency.
 */
#include "test_addressed.h"

#include <wddm/d3dkmddi_callback.h>

enum { PHYSICALLY = 0x8000 }; /* AccessedPhysically */

static struct vidmm_statistics manager(void)
{
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(rig.adapter, &statistics);
    return statistics;
}

static struct softgpu_statistics gpu(void)
{
    struct softgpu_statistics statistics;

    softgpu_device_statistics(rig.gpu, &statistics);
    return statistics;
}

/* ---- GPUs with page tables ------------------------------------------------------------------- */

static void the_first_packet_finds_them_initialised(void **state)
{
    static const char *const gpus[] = {
        "context_save memory\n", "context_save memory\nhabit immediate\n",
        "context_save memory\nwddm 2.0\n", "context_save memory\nwddm 3.2\n"};

    (void)state;
    for (size_t index = 0; index < sizeof(gpus) / sizeof(gpus[0]); index++) {
        uint64_t address;

        build(gpus[index]);
        begin();
        create(&first, &rig.allocations[0], 4);
        address = map(&first, rig.allocations[0].handle, 0);
        make(&first, rig.allocations[0].handle);
        touch(&first, &rig.allocations[0], address, true);
        assert_int_equal(gpu().context_inits, 2); /* save area and table */
        assert_int_equal(gpu().context_loads, 1);
        touch(&first, &rig.allocations[0], address, false);
        assert_int_equal(manager().context_inits, 2);
        assert_int_equal(gpu().context_loads, 1); /* the engine has not left it since */
        assert_int_equal(gpu().context_saves, 0);
        finish();
    }
}

/* Two programs share the budget, and each takes more than its half. */
static void make_above_budget(struct program *program, struct vidmm_allocation *allocation)
{
    struct vidmm_residency_result result;
    NTSTATUS status =
        vidmm_make_resident(program->queue, &allocation, 1, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER,
                            &result, &rig.report);

    passes(program, status, result.value);
}

/* Two programs whose lists do not fit together take turns: the save area of the one that gives way
 * leaves behind the packet by which the engine leaves its context, and comes back with what was
 * saved. */
static void what_a_node_saves_late_is_found_when_it_comes_back(void **state)
{
    static const char *const gpus[] = {"context_save memory\n",
                                       "context_save memory\nhabit immediate\n",
                                       "context_save memory\npage_table_update gpu_virtual\n"};

    (void)state;
    for (size_t index = 0; index < sizeof(gpus) / sizeof(gpus[0]); index++) {
        uint64_t addresses[2];

        start(gpus[index]);
        begin_program(&second, 2);
        create(&first, &rig.allocations[0], 200);
        create(&second, &rig.allocations[1], 200);
        for (uint32_t one = 0; one < 2; one++) {
            struct program *program = one == 0 ? &first : &second;

            addresses[one] = map(program, rig.allocations[one].handle, 0);
            make_above_budget(program, rig.allocations[one].handle);
        }
        for (uint32_t round = 0; round < 6; round++) {
            touch(&first, &rig.allocations[0], addresses[0], true);
            touch(&second, &rig.allocations[1], addresses[1], true);
        }
        assert_int_equal(gpu().context_inits, 4);
        assert_in_range(gpu().context_saves, 11, 12);
        assert_true(gpu().driver_departures > 0);
        end_program(&second);
        touch(&first, &rig.allocations[0], addresses[0], false);
        finish();
    }
}

/* A program fills the memory that its list may have: its context's allocations are part of it. */
static void a_list_without_room_for_them_is_refused(void **state)
{
    struct vidmm_residency_result result;

    (void)state;
    start("context_save memory\n");
    create(&first, &rig.allocations[0], 225);
    assert_int_equal(
        vidmm_make_resident(first.queue, &rig.allocations[0].handle, 1, 0, &result, &rig.report),
        STATUS_NO_MEMORY);
    assert_true(result.bytes_to_trim > 0);
    finish();
    start("");
    create(&first, &rig.allocations[0], 225);
    make(&first, rig.allocations[0].handle);
    finish();
}

/* A reset removes the devices; a new one's are initialised. */
static void a_device_after_a_reset_has_its_own(void **state)
{
    uint64_t address;

    (void)state;
    start("context_save memory\nhang 0 3\n");
    create(&first, &rig.allocations[0], 4);
    address = map(&first, rig.allocations[0].handle, 0);
    make(&first, rig.allocations[0].handle);
    touch(&first, &rig.allocations[0], address, false);
    touch(&first, &rig.allocations[0], address, false);
    touch_and_fault(&first, &rig.allocations[0], address);
    assert_int_equal(manager().resets, 1);
    end_program(&first);
    begin_program(&first, 2);
    create(&first, &rig.allocations[1], 4);
    address = map(&first, rig.allocations[1].handle, 0);
    make(&first, rig.allocations[1].handle);
    touch(&first, &rig.allocations[1], address, true);
    assert_int_equal(gpu().context_inits, 4);
    finish();
}

/* Contexts come and go while others of their device run. */
static void contexts_come_and_go(void **state)
{
    static const char *const gpus[] = {"context_save memory\n",
                                       "context_save memory\nhabit immediate\n"};

    (void)state;
    for (size_t index = 0; index < sizeof(gpus) / sizeof(gpus[0]); index++) {
        struct vidmm_context *usual;
        uint64_t address, value;

        start(gpus[index]);
        create(&first, &rig.allocations[0], 4);
        address = map(&first, rig.allocations[0].handle, 0);
        make(&first, rig.allocations[0].handle);
        usual = first.context;
        for (uint32_t round = 0; round < 8; round++) {
            touch(&first, &rig.allocations[0], address, true);
            value = first.value;
            first.value = 0;
            assert_int_equal(
                vidmm_context_create(first.device, 0, NULL, 0, &first.context, &rig.report),
                STATUS_SUCCESS);
            touch(&first, &rig.allocations[0], address, true);
            if (round % 2 == 0)
                touch(&first, &rig.allocations[0], address, false);
            vidmm_context_destroy(first.context);
            first.context = usual;
            first.value = value;
        }
        assert_int_equal(gpu().context_inits, 10);
        assert_int_equal(gpu().context_saves, 16);
        finish();
    }
}

/* ---- GPUs with physical addresses ------------------------------------------------------------ */

static void a_gpu_with_physical_addresses_saves_its_contexts_too(void **state)
{
    static const char *const gpus[] = {"wddm 2.0\ncontext_save memory\n",
                                       "wddm 2.0\ncontext_save aperture\n",
                                       "wddm 2.9\ncontext_save memory\nhabit immediate\n"};

    (void)state;
    for (size_t index = 0; index < sizeof(gpus) / sizeof(gpus[0]); index++) {
        struct vidmm_residency_result result;
        struct vidmm_paging_queue *queue;
        struct rig_options options = rig_defaults();
        struct rig_allocation *allocation;
        struct vidmm_context *contexts[2];
        uint64_t values[2] = {0, 0};
        NTSTATUS status;

        options.gpu = gpus[index];
        rig_init(&rig, &options);
        allocation = &rig.allocations[0];
        contexts[0] = rig.context;
        assert_int_equal(vidmm_context_create(rig.device, 0, NULL, 0, &contexts[1], &rig.report),
                         STATUS_SUCCESS);
        assert_int_equal(vidmm_paging_queue_create(rig.device, 1, &queue, &rig.report),
                         STATUS_SUCCESS);
        assert_int_equal(rig_create(&rig, allocation, BYTES(4), MEMORY, PHYSICALLY),
                         STATUS_SUCCESS);
        status = vidmm_make_resident(queue, &allocation->handle, 1, 0, &result, &rig.report);
        if (status == STATUS_PENDING)
            status = vidmm_paging_queue_wait(queue, result.value, &rig.report);
        assert_int_equal(status, STATUS_SUCCESS);
        for (uint32_t round = 0; round < 6; round++) {
            rig.context = contexts[round % 2];
            rig.value = values[round % 2];
            if (rig_render(&rig, &allocation, 1, 1) != STATUS_SUCCESS)
                fail_msg("%s", rig.report.text);
            assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
            values[round % 2] = rig.value;
        }
        rig.context = contexts[0];
        rig.value = values[0];
        assert_int_equal(gpu().context_inits, 3);
        assert_int_equal(gpu().context_saves, 5);
        assert_int_equal(gpu().faults + gpu().driver_refusals, 0);
        rig_finish(&rig);
    }
}

/* ---- the driver's requests ------------------------------------------------------------------- */

enum { CONTEXT_ALLOCATIONS = 8 };

static DXGKRNL_INTERFACE kernel;
static HANDLE last_device, last_context;    /* the kernel's */
static HANDLE handles[CONTEXT_ALLOCATIONS]; /* of context allocations, in order of creation */
static uint32_t handle_count;
static DXGKDDI_START_DEVICE *start_really;
static DXGKDDI_CREATEDEVICE *create_device_really;
static DXGKDDI_CREATECONTEXT *create_context_really;
static DXGKDDI_SETROOTPAGETABLE *set_root_really;

static NTSTATUS create_and_remember(DXGKARGCB_CREATECONTEXTALLOCATION *arguments)
{
    NTSTATUS status = kernel.DxgkCbCreateContextAllocation(arguments);

    assert_true(handle_count < CONTEXT_ALLOCATIONS);
    handles[handle_count++] = arguments->hAllocation;
    return status;
}

static NTSTATUS start_and_remember(PVOID adapter, PDXGK_START_INFO info,
                                   PDXGKRNL_INTERFACE interface, PULONG sources, PULONG children)
{
    DXGKRNL_INTERFACE mine = *interface;

    kernel = *interface;
    handle_count = 0;
    mine.DxgkCbCreateContextAllocation = create_and_remember;
    return start_really(adapter, info, &mine, sources, children);
}

/* A machine whose driver's table of callbacks is known. */
static void build_known(const char *gpu)
{
    build(gpu);
    start_really = rig.driver.DxgkDdiStartDevice;
    rig.driver.DxgkDdiStartDevice = start_and_remember;
}

/* ---- changes of their content ---------------------------------------------------------------- */

static NTSTATUS change(HANDLE handle, const void *data, UINT size)
{
    const DXGKARGCB_UPDATECONTEXTALLOCATION update = {.hAllocation = handle,
                                                      .pPrivateDriverData = (PVOID)(uintptr_t)data,
                                                      .PrivateDriverDataSize = size};

    return kernel.DxgkCbUpdateContextAllocation(kernel.DeviceHandle, &update);
}

/* It is changed in memory, and the rest of it is what was saved there. */
static void what_is_away_comes_back_to_be_changed(void **state)
{
    uint64_t addresses[2], comings;

    (void)state;
    build_known("context_save memory\n");
    begin();
    begin_program(&second, 2);
    create(&first, &rig.allocations[0], 200);
    create(&second, &rig.allocations[1], 200);
    addresses[0] = map(&first, rig.allocations[0].handle, 0);
    make_above_budget(&first, rig.allocations[0].handle);
    addresses[1] = map(&second, rig.allocations[1].handle, 0);
    make_above_budget(&second, rig.allocations[1].handle);
    for (uint32_t round = 0; round < 3; round++) {
        touch(&first, &rig.allocations[0], addresses[0], true);
        touch(&second, &rig.allocations[1], addresses[1], true);
        comings = manager().page_ins;
        for (uint32_t index = 0; index < handle_count; index++)
            assert_int_equal(change(handles[index], NULL, 0), STATUS_SUCCESS);
        assert_true(manager().page_ins > comings);
    }
    end_program(&second);
    touch(&first, &rig.allocations[0], addresses[0], false);
    finish();
}

static NTSTATUS from_inside;
static uint32_t changes_built;
static DXGKDDI_BUILDPAGINGBUFFER *build_really;

static NTSTATUS build_and_count(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *build)
{
    changes_built += build->Operation == DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION ? 1 : 0;
    return build_really(adapter, build);
}

/* The pump is in the driver: nothing is carried out before it comes back. */
static void set_root_and_change(HANDLE adapter, const DXGKARG_SETROOTPAGETABLE *arguments)
{
    if (handle_count > 0 && from_inside == STATUS_SUCCESS)
        from_inside = change(handles[0], NULL, 0);
    set_root_really(adapter, arguments);
}

static void a_change_from_inside_the_pump_is_answered_and_made_later(void **state)
{
    uint64_t address;

    (void)state;
    build_known("context_save memory\n");
    set_root_really = rig.driver.DxgkDdiSetRootPageTable;
    rig.driver.DxgkDdiSetRootPageTable = set_root_and_change;
    build_really = rig.driver.DxgkDdiBuildPagingBuffer;
    rig.driver.DxgkDdiBuildPagingBuffer = build_and_count;
    changes_built = 0;
    from_inside = STATUS_SUCCESS;
    begin();
    create(&first, &rig.allocations[0], 4);
    address = map(&first, rig.allocations[0].handle, 0);
    make(&first, rig.allocations[0].handle);
    touch(&first, &rig.allocations[0], address, true);
    assert_int_equal(from_inside, STATUS_TIMEOUT);
    assert_int_equal(changes_built, 1);
    assert_int_equal(change(handles[0], NULL, 0), STATUS_SUCCESS);
    touch(&first, &rig.allocations[0], address, false);
    finish();
}

/* ---- refusals ------------------------------------------------------------------------------- */

static NTSTATUS create_device(HANDLE adapter, DXGKARG_CREATEDEVICE *create)
{
    last_device = create->hDevice;
    return create_device_really(adapter, create);
}

static NTSTATUS create_context(HANDLE device, DXGKARG_CREATECONTEXT *create)
{
    last_context = create->hContext;
    return create_context_really(device, create);
}

/* The kernel's handles of the newest device and context are known. */
static void bend_owners(void)
{
    create_device_really = rig.driver.DxgkDdiCreateDevice;
    create_context_really = rig.driver.DxgkDdiCreateContext;
    rig.driver.DxgkDdiCreateDevice = create_device;
    rig.driver.DxgkDdiCreateContext = create_context;
}

/* A request is answered so; what was created is destroyed again. */
static void answers(DXGKARGCB_CREATECONTEXTALLOCATION request, NTSTATUS expected)
{
    request.hAllocation = NULL;
    assert_int_equal(kernel.DxgkCbCreateContextAllocation(&request), expected);
    assert_true((request.hAllocation != NULL) == (expected == STATUS_SUCCESS));
    if (expected == STATUS_SUCCESS)
        assert_int_equal(
            kernel.DxgkCbDestroyContextAllocation(kernel.DeviceHandle, request.hAllocation),
            STATUS_SUCCESS);
}

static void requests_that_make_no_sense_are_refused(void **state)
{
    static int name;
    DXGKARGCB_CREATECONTEXTALLOCATION good, bad;

    (void)state;
    build_known("");
    bend_owners();
    begin();
    memset(&good, 0, sizeof(good));
    good.hAdapter = kernel.DeviceHandle;
    good.hDevice = last_device;
    good.hContext = last_context;
    good.hDriverAllocation = &name;
    good.Size = 8192;
    good.SupportedSegmentSet = MEMORY;
    answers(good, STATUS_SUCCESS);
    good.Flags.Value = PHYSICALLY;
    answers(good, STATUS_SUCCESS);
    bad = good;
    bad.SupportedSegmentSet = MEMORY | APERTURE; /* the aperture does not count */
    answers(bad, STATUS_SUCCESS);
    bad.SupportedSegmentSet = APERTURE;
    answers(bad, STATUS_NOT_SUPPORTED);
    bad = good;
    bad.ContextAllocationFlags.Value = 2; /* MapGpuVirtualAddress */
    answers(bad, STATUS_INVALID_PARAMETER);
    bad = good;
    bad.Flags.Value = 0x800; /* SynchronousPaging until 1.3 */
    answers(bad, STATUS_INVALID_PARAMETER);
    bad = good;
    bad.PhysicalAdapterIndex = 1;
    answers(bad, STATUS_INVALID_PARAMETER);
    bad = good;
    bad.Size = BYTES(150);
    answers(bad, STATUS_SUCCESS);
    create(&first, &rig.allocations[0], 100);
    make(&first, rig.allocations[0].handle);
    answers(bad, STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    answers(good, STATUS_SUCCESS); /* nothing of the others is left */
    finish();
}

/* 150 pages, and a chunk has 128 of them. */
static void changes_that_make_no_sense_are_refused(void **state)
{
    static int name;
    DXGKARGCB_CREATECONTEXTALLOCATION large = {
        .hDriverAllocation = &name, .Size = BYTES(150), .SupportedSegmentSet = MEMORY};

    (void)state;
    build_known("context_save memory\nindex_bits 7 8 8 8\n");
    bend_owners();
    begin();
    create(&first, &rig.allocations[0], 4);
    assert_int_equal(change(NULL, NULL, 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(change(rig.allocations[0].handle, NULL, 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(change(handles[0], NULL, 4), STATUS_INVALID_PARAMETER);
    assert_int_equal(kernel.DxgkCbUpdateContextAllocation(kernel.DeviceHandle, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(kernel.DxgkCbUpdateContextAllocation(NULL, NULL), STATUS_INVALID_PARAMETER);
    large.hAdapter = kernel.DeviceHandle;
    large.hDevice = last_device;
    large.hContext = last_context;
    assert_int_equal(kernel.DxgkCbCreateContextAllocation(&large), STATUS_SUCCESS);
    assert_int_equal(change(large.hAllocation, NULL, 0), STATUS_NOT_SUPPORTED);
    assert_int_equal(kernel.DxgkCbDestroyContextAllocation(kernel.DeviceHandle, large.hAllocation),
                     STATUS_SUCCESS);
    assert_int_equal(change(large.hAllocation, NULL, 0), STATUS_INVALID_PARAMETER);
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_packet_finds_them_initialised),
        cmocka_unit_test(what_a_node_saves_late_is_found_when_it_comes_back),
        cmocka_unit_test(a_device_after_a_reset_has_its_own),
        cmocka_unit_test(contexts_come_and_go),
        cmocka_unit_test(a_list_without_room_for_them_is_refused),
        cmocka_unit_test(a_gpu_with_physical_addresses_saves_its_contexts_too),
        cmocka_unit_test(what_is_away_comes_back_to_be_changed),
        cmocka_unit_test(a_change_from_inside_the_pump_is_answered_and_made_later),
        cmocka_unit_test(changes_that_make_no_sense_are_refused),
        cmocka_unit_test(requests_that_make_no_sense_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
