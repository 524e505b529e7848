/* test_context_allocations.c: allocations that the driver makes for its contexts, the whole way
 * through.
 *
 * The GPU saves the context that it leaves, late, and finds what it saved when it runs it again:
 * content that was not initialised, was evicted at the wrong moment, or is somebody else's by now
 * is a fault.
 */
#include "test_adapter_rig.h"

static struct vidmm_statistics manager_of(const struct rig *rig)
{
    struct vidmm_statistics statistics;

    vidmm_adapter_statistics(rig->adapter, &statistics);
    return statistics;
}

static struct softgpu_statistics gpu_of(const struct rig *rig)
{
    struct softgpu_statistics statistics;

    softgpu_device_statistics(rig->gpu, &statistics);
    return statistics;
}

/* Nothing was wrong, as the GPU and its driver see it. */
static struct softgpu_statistics clean(const struct rig *rig)
{
    struct softgpu_statistics statistics = gpu_of(rig);

    if (statistics.faults + statistics.driver_refusals + statistics.content_mismatches != 0)
        fail_msg("%s%s%s", statistics.fault, statistics.refusal, statistics.mismatch);
    return statistics;
}

static void begin(struct rig *rig, const char *gpu)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    rig_init(rig, &options);
}

static struct rig_allocation *create(struct rig *rig, uint32_t index, uint64_t pages)
{
    struct rig_allocation *allocation = &rig->allocations[index];

    assert_int_equal(rig_create(rig, allocation, pages * VIDMM_PAGE_SIZE, 2, 1), STATUS_SUCCESS);
    return allocation;
}

/* Write to an allocation by a context, and wait for it. */
static void draw(struct rig *rig, struct vidmm_context *context, struct rig_allocation *allocation)
{
    struct vidmm_context *usual = rig->context;
    uint64_t value = rig->value;

    rig->context = context;
    assert_int_equal(rig_render(rig, &allocation, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(context, rig->value), STATUS_SUCCESS);
    rig->context = usual;
    rig->value = context == usual ? rig->value : value;
    vidmm_machine_settle(rig->machine);
}

static struct vidmm_context *second_context(struct rig *rig, uint32_t node)
{
    struct vidmm_context *context;

    assert_int_equal(vidmm_context_create(rig->device, node, NULL, 0, &context, &rig->report),
                     STATUS_SUCCESS);
    return context;
}

/* ---- what the documents promise -------------------------------------------------------------- */

static void the_first_dma_buffer_brings_them_in_and_initialises_them(void **state)
{
    struct rig_allocation *allocation;
    struct rig rig;

    (void)state;
    begin(&rig, "context_save memory\n");
    allocation = create(&rig, 0, 1);
    assert_int_equal(manager_of(&rig).context_inits, 0); /* not before they are needed */
    draw(&rig, rig.context, allocation);
    assert_int_equal(manager_of(&rig).context_inits, 2); /* save area and table */
    draw(&rig, rig.context, allocation);
    assert_int_equal(manager_of(&rig).context_inits, 2);
    assert_int_equal(clean(&rig).context_loads, 1); /* the engine has not left it since */
    assert_int_equal(clean(&rig).context_saves, 0);
    rig_finish(&rig);
}

static void the_driver_initialises_in_an_aperture_by_its_address(void **state)
{
    struct rig_allocation *allocation;
    struct vidmm_context *other;
    struct rig rig;

    (void)state;
    for (unsigned habit = 0; habit < 2; habit++) {
        begin(&rig,
              habit == 0 ? "context_save aperture\n" : "context_save aperture\nhabit immediate\n");
        allocation = create(&rig, 0, 1);
        other = second_context(&rig, 0);
        draw(&rig, rig.context, allocation);
        draw(&rig, other, allocation);
        draw(&rig, rig.context, allocation);
        assert_int_equal(manager_of(&rig).context_inits, 3); /* the table is shared */
        assert_int_equal(clean(&rig).context_loads, 3);
        rig_finish(&rig);
    }
}

/* Two contexts on two nodes. The second's allocation lets the first's leave only behind a
 * switch. */
static void what_a_node_runs_stays_until_there_is_no_other_room(void **state)
{
    struct rig_allocation *small, *large, *larger;
    struct vidmm_context *other;
    uint64_t saves;
    struct rig rig;

    (void)state;
    begin(&rig, "context_save memory\nengines render render copy\n");
    small = create(&rig, 0, 20);
    large = create(&rig, 1, 24);
    larger = create(&rig, 2, 40);
    other = second_context(&rig, 1);
    draw(&rig, rig.context, small); /* 20 + 16 + 2 pages of 64 */
    draw(&rig, other, large);       /* 24 + 16 more: `small` leaves, though it is no older */
    assert_int_equal(manager_of(&rig).bytes_out, 20 * VIDMM_PAGE_SIZE);
    saves = clean(&rig).context_saves;
    assert_int_equal(saves, 1); /* of the first: it has used `small` */
    draw(&rig, rig.context, small);
    saves = clean(&rig).context_saves;
    draw(&rig, other, larger); /* 40 + 18 pages: not without the first's 16 */
    assert_true(clean(&rig).context_saves > saves);
    assert_true(manager_of(&rig).bytes_out >= (20 + 24 + 16) * VIDMM_PAGE_SIZE);
    draw(&rig, rig.context, small); /* back again, with what was saved */
    assert_int_equal(manager_of(&rig).context_inits, 3);
    clean(&rig);
    rig_finish(&rig);
}

static void one_that_is_destroyed_is_left_first(void **state)
{
    struct rig_allocation *first, *second;
    struct vidmm_context *other;
    struct rig rig;

    (void)state;
    for (unsigned kind = 0; kind < 2; kind++) {
        begin(&rig, kind == 0 ? "context_save memory\n" : "context_save aperture\n");
        first = create(&rig, 0, 40);
        other = second_context(&rig, 0);
        draw(&rig, other, first);
        vidmm_context_destroy(other); /* the engine still has its state */
        assert_int_equal(manager_of(&rig).context_switches, 1);
        assert_int_equal(clean(&rig).context_saves, 1);
        second = create(&rig, 1, 20); /* where it was */
        draw(&rig, rig.context, second);
        rig_read(&rig);
        clean(&rig);
        rig_finish(&rig);
    }
}

/* ---- requests -------------------------------------------------------------------------------- */

static DXGKDDI_START_DEVICE *start_really;
static DXGKRNL_INTERFACE kernel;

static HANDLE last_made; /* the last context allocation that the driver made for itself */
static bool leaves_behind;

static NTSTATUS make(PDXGKARGCB_CREATECONTEXTALLOCATION request)
{
    NTSTATUS status = kernel.DxgkCbCreateContextAllocation(request);

    last_made = request->hAllocation;
    return status;
}

static NTSTATUS leave(HANDLE adapter, HANDLE allocation)
{
    return leaves_behind ? STATUS_SUCCESS
                         : kernel.DxgkCbDestroyContextAllocation(adapter, allocation);
}

static NTSTATUS start_and_remember(PVOID context, PDXGK_START_INFO info, PDXGKRNL_INTERFACE table,
                                   PULONG sources, PULONG children)
{
    kernel = *table;
    table->DxgkCbCreateContextAllocation = make;
    table->DxgkCbDestroyContextAllocation = leave;
    return start_really(context, info, table, sources, children);
}

static HANDLE last_device, last_context; /* the kernel's */
static DXGKDDI_CREATEDEVICE *create_device_really;
static DXGKDDI_CREATECONTEXT *create_context_really;

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

static DXGKDDI_BUILDPAGINGBUFFER *build_really;
static DXGKDDI_DESTROYDEVICE *destroy_device_really;
static HANDLE given_up;      /* by the next call that is built; NULL: nothing */
static HANDLE gone;          /* the driver's last device that was destroyed */
static HANDLE mapped_device; /* of the last mapping of an allocation of the driver's */
static DXGKARG_BUILDPAGINGBUFFER unmapped; /* the last unmap */

static NTSTATUS build_and_remember(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *build)
{
    HANDLE now = given_up;

    given_up = NULL;
    if (now != NULL) /* the engine waits for this very call */
        assert_int_equal(kernel.DxgkCbDestroyContextAllocation(kernel.DeviceHandle, now),
                         STATUS_TIMEOUT);
    if (build->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT &&
        build->MapApertureSegment.hAllocation != NULL)
        mapped_device = build->MapApertureSegment.hDevice;
    if (build->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT)
        unmapped = *build;
    return build_really(adapter, build);
}

static NTSTATUS destroy_device(HANDLE device)
{
    gone = device;
    return destroy_device_really(device);
}

static void begin_remembering(struct rig *rig, const char *gpu)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    options.adapter.driver_timeout_ms = 0; /* the driver waits in a call */
    rig_build(rig, &options);
    start_really = rig->driver.DxgkDdiStartDevice;
    create_device_really = rig->driver.DxgkDdiCreateDevice;
    create_context_really = rig->driver.DxgkDdiCreateContext;
    rig->driver.DxgkDdiStartDevice = start_and_remember;
    rig->driver.DxgkDdiCreateDevice = create_device;
    rig->driver.DxgkDdiCreateContext = create_context;
    build_really = rig->driver.DxgkDdiBuildPagingBuffer;
    destroy_device_really = rig->driver.DxgkDdiDestroyDevice;
    rig->driver.DxgkDdiBuildPagingBuffer = build_and_remember;
    rig->driver.DxgkDdiDestroyDevice = destroy_device;
    assert_int_equal(rig_start(rig), STATUS_SUCCESS);
}

static DXGKARGCB_CREATECONTEXTALLOCATION good(void)
{
    static int name;
    DXGKARGCB_CREATECONTEXTALLOCATION request;

    memset(&request, 0, sizeof(request));
    request.hAdapter = kernel.DeviceHandle;
    request.hDevice = last_device;
    request.hContext = last_context;
    request.hDriverAllocation = &name;
    request.Size = 8192;
    request.SupportedSegmentSet = 2;
    return request;
}

static void refused(DXGKARGCB_CREATECONTEXTALLOCATION request, NTSTATUS expected)
{
    request.hAllocation = &request;
    assert_int_equal(kernel.DxgkCbCreateContextAllocation(&request), expected);
    assert_null(request.hAllocation);
}

#define REFUSED(member, value, status)                                                             \
    do {                                                                                           \
        DXGKARGCB_CREATECONTEXTALLOCATION bad = good();                                            \
                                                                                                   \
        bad.member = value;                                                                        \
        refused(bad, status);                                                                      \
    } while (0)

static void requests_that_make_no_sense_are_refused(void **state)
{
    DXGKARGCB_CREATECONTEXTALLOCATION request;
    HANDLE handle, stranger;
    struct rig rig;

    (void)state;
    begin_remembering(&rig, NULL);
    REFUSED(hAdapter, NULL, STATUS_INVALID_PARAMETER);
    REFUSED(hDevice, NULL, STATUS_INVALID_PARAMETER);
    REFUSED(hDevice, (HANDLE)(uintptr_t)12345, STATUS_INVALID_PARAMETER);
    REFUSED(hDevice, last_context, STATUS_INVALID_PARAMETER);
    REFUSED(hContext, NULL, STATUS_INVALID_PARAMETER);
    REFUSED(hContext, last_device, STATUS_INVALID_PARAMETER);
    REFUSED(hDriverAllocation, NULL, STATUS_INVALID_PARAMETER);
    REFUSED(Size, 0, STATUS_INVALID_PARAMETER);
    REFUSED(Size, 1u << 20, STATUS_GRAPHICS_NO_VIDEO_MEMORY); /* the segment has 256 KiB */
    REFUSED(Alignment, 3, STATUS_INVALID_PARAMETER);
    REFUSED(SupportedSegmentSet, 0, STATUS_INVALID_PARAMETER);
    REFUSED(SupportedSegmentSet, 8, STATUS_INVALID_PARAMETER);
    REFUSED(ContextAllocationFlags.Value, 2, STATUS_INVALID_PARAMETER); /* MapGpuVirtualAddress */
    REFUSED(Flags.Overlay, 1, STATUS_INVALID_PARAMETER);
    REFUSED(Flags.PermanentSysMem, 1, STATUS_INVALID_PARAMETER);
    stranger = last_context;
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &(struct vidmm_device *){NULL}, NULL),
                     STATUS_SUCCESS);
    REFUSED(hContext, stranger, STATUS_INVALID_PARAMETER); /* of another device */
    request = good();
    request.ContextAllocationFlags.SharedAcrossContexts = 1;
    request.hContext = NULL;
    assert_int_equal(kernel.DxgkCbCreateContextAllocation(&request), STATUS_SUCCESS);
    handle = request.hAllocation;
    assert_int_equal(kernel.DxgkCbDestroyContextAllocation(NULL, handle), STATUS_INVALID_PARAMETER);
    assert_int_equal(kernel.DxgkCbDestroyContextAllocation(kernel.DeviceHandle, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(kernel.DxgkCbDestroyContextAllocation(kernel.DeviceHandle, stranger),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(kernel.DxgkCbDestroyContextAllocation(kernel.DeviceHandle, handle),
                     STATUS_SUCCESS);
    assert_int_equal(kernel.DxgkCbDestroyContextAllocation(kernel.DeviceHandle, handle),
                     STATUS_INVALID_PARAMETER);
    rig_finish(&rig);
}

static void before_windows_8_there_are_none(void **state)
{
    struct rig rig;

    (void)state;
    begin(&rig, "wddm 1.1\ncontext_save memory\n");
    draw(&rig, rig.context, create(&rig, 0, 1));
    assert_int_equal(manager_of(&rig).context_inits, 0);
    assert_int_equal(clean(&rig).context_loads, 0);
    rig_finish(&rig);
}

static void a_refused_context_says_why(void **state)
{
    struct vidmm_context *context;
    struct rig_options options = rig_defaults();
    struct rig rig;

    (void)state;
    options.gpu = "context_save memory\nsegment 1 aperture 1M\nsegment 2 memory 32K\n";
    rig_build(&rig, &options);
    assert_int_equal(rig_start(&rig), STATUS_GRAPHICS_NO_VIDEO_MEMORY); /* 64 KiB of 32 */
    assert_non_null(strstr(rig.report.text, "Size"));
    assert_int_equal(vidmm_context_create(rig.device, 0, NULL, 0, &context, &rig.report),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    rig_finish(&rig);
}

/* ---- what the driver leaves behind ----------------------------------------------------------- */

static void what_is_left_behind_goes_with_its_context(void **state)
{
    DXGKARGCB_CREATECONTEXTALLOCATION request;
    struct vidmm_context *other;
    struct rig rig;

    (void)state;
    begin_remembering(&rig, NULL);
    other = second_context(&rig, 0);
    request = good();
    assert_int_equal(kernel.DxgkCbCreateContextAllocation(&request), STATUS_SUCCESS);
    vidmm_context_destroy(other);
    assert_int_equal(
        kernel.DxgkCbDestroyContextAllocation(kernel.DeviceHandle, request.hAllocation),
        STATUS_INVALID_PARAMETER);
    request = good();
    request.hContext = NULL;
    request.ContextAllocationFlags.SharedAcrossContexts = 1;
    assert_int_equal(kernel.DxgkCbCreateContextAllocation(&request), STATUS_SUCCESS);
    rig_finish(&rig); /* the device takes it along: nothing of the host's is left */
}

/* A device with a context, which a command has brought in. */
static struct vidmm_device *begin_watching(struct rig *rig)
{
    const struct softgpu_touch nothing = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(0)}};
    struct vidmm_context *context;
    struct vidmm_device *device;
    uint64_t value = 0;

    begin_remembering(rig, "context_save aperture\n");
    memset(&unmapped, 0, sizeof(unmapped));
    mapped_device = gone = NULL;
    assert_int_equal(vidmm_device_create(rig->adapter, 1, &device, &rig->report), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_create(device, 0, NULL, 0, &context, &rig->report),
                     STATUS_SUCCESS);
    assert_int_equal(
        vidmm_render(context, &nothing, nothing.command.size, NULL, 0, true, &value, &rig->report),
        STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(context, value), STATUS_SUCCESS);
    assert_non_null(mapped_device);
    return device;
}

/* The driver destroys the device and leaves its allocations mapped (D-097). */
static void what_is_left_behind_is_unmapped_without_a_name(void **state)
{
    struct vidmm_device *device;
    struct rig rig;

    (void)state;
    device = begin_watching(&rig);
    leaves_behind = true;
    vidmm_device_destroy(device);
    leaves_behind = false;
    vidmm_machine_settle(rig.machine);
    assert_ptr_equal(gone, mapped_device);
    assert_int_equal(unmapped.Operation, DXGK_OPERATION_UNMAP_APERTURE_SEGMENT);
    assert_null(unmapped.UnmapApertureSegment.hAllocation);
    assert_null(unmapped.UnmapApertureSegment.hDevice);
    rig_finish(&rig);
}

/* It gave the handle up, inside the call that the engine waited for: nobody names it any more, nor
 * the device, which may be gone when the unmap comes. */
static void what_was_given_up_is_unmapped_without_a_name(void **state)
{
    struct vidmm_device *device;
    struct rig rig;

    (void)state;
    device = begin_watching(&rig);
    given_up = last_made;
    draw(&rig, rig.context, create(&rig, 0, 1));
    assert_null(given_up);
    assert_int_equal(unmapped.Operation, DXGK_OPERATION_UNMAP_APERTURE_SEGMENT);
    assert_null(unmapped.UnmapApertureSegment.hAllocation);
    assert_null(unmapped.UnmapApertureSegment.hDevice);
    leaves_behind = true; /* it has no handle of it any more */
    vidmm_device_destroy(device);
    leaves_behind = false;
    rig_finish(&rig);
}

/* ---- a program of chance --------------------------------------------------------------------- */

/* Steps of work by two contexts of one device, in turns. */
static void play(struct rig *rig, uint32_t seed)
{
    struct vidmm_context *contexts[2] = {rig->context, second_context(rig, 0)};
    uint64_t values[2] = {0, 0};

    for (uint32_t step = 0; step < 120; step++) {
        uint32_t who = step / 3 % 2;

        rig->context = contexts[who];
        rig->value = values[who];
        rig_work(rig, seed * 1000 + step, 1);
        values[who] = rig->value;
    }
    assert_int_equal(vidmm_context_wait(contexts[1], values[1]), STATUS_SUCCESS);
    rig->context = contexts[0];
    rig->value = values[0];
}

static void a_program_of_chance_finds_its_contexts(void **state)
{
    static const char *const gpus[] = {
        "context_save memory\nmemory 352K\n",
        "context_save memory\nmemory 352K\nhabit immediate\n",
        "context_save aperture\n",
        "context_save memory\nmemory 352K\nengines render\n",
        "context_save memory\nmemory 352K\npaging_buffer 256\nbusy first\n",
        "context_save aperture\ninsufficient every 3\nhabit immediate\n",
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++)
        for (uint32_t seed = 0; seed < 4; seed++) {
            struct rig_options options = rig_defaults();
            struct rig rig;

            options.gpu = gpus[i];
            options.machine_seed = seed;
            rig_init(&rig, &options);
            play(&rig, seed);
            rig_read(&rig);
            assert_true(clean(&rig).context_saves > 10);
            assert_int_equal(manager_of(&rig).findings, 0);
            rig_finish(&rig);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_dma_buffer_brings_them_in_and_initialises_them),
        cmocka_unit_test(the_driver_initialises_in_an_aperture_by_its_address),
        cmocka_unit_test(what_a_node_runs_stays_until_there_is_no_other_room),
        cmocka_unit_test(one_that_is_destroyed_is_left_first),
        cmocka_unit_test(requests_that_make_no_sense_are_refused),
        cmocka_unit_test(before_windows_8_there_are_none),
        cmocka_unit_test(a_refused_context_says_why),
        cmocka_unit_test(what_is_left_behind_goes_with_its_context),
        cmocka_unit_test(what_is_left_behind_is_unmapped_without_a_name),
        cmocka_unit_test(what_was_given_up_is_unmapped_without_a_name),
        cmocka_unit_test(a_program_of_chance_finds_its_contexts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
