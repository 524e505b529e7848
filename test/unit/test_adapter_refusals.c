/* test_adapter_refusals.c: the refusals that adapter.h allows, each once: by the status that it
 * names, in words that name what was wrong, and with nothing changed.
 *
 * A driver that describes something illegal is softgpu with one answer changed on its way (`bend`).
 */
#include "test_adapter_rig.h"

/* ---- the harness ----------------------------------------------------------------------------- */

static struct rig rig;
static struct vidmm_machine_counts before;

/* The changes to the description of the next allocation. */
static struct bend {
    size_t offset; /* of DXGK_ALLOCATIONINFO */
    uint64_t value;
    size_t width; /* bytes; 0: nothing is changed */
    NTSTATUS status;
} bend;

static NTSTATUS create_allocation(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    NTSTATUS status;

    if (bend.status != STATUS_SUCCESS)
        return bend.status;
    softgpu_driver_entry(rig.driver.Version, &rig.driver);
    status = rig.driver.DxgkDdiCreateAllocation(adapter, arguments);
    rig.driver.DxgkDdiCreateAllocation = create_allocation;
    if (bend.width != 0 && bend.offset == offsetof(DXGK_ALLOCATIONINFO, hAllocation)) {
        DXGKARG_DESTROYALLOCATION forgotten = {
            .NumAllocations = 1, .pAllocationList = &arguments->pAllocationInfo->hAllocation};

        rig.driver.DxgkDdiDestroyAllocation(adapter, &forgotten); /* nobody else can, without it */
    }
    if (bend.width != 0)
        memcpy((char *)arguments->pAllocationInfo + bend.offset, &bend.value, bend.width);
    return status;
}

static void begin_with(struct rig_options options)
{
    memset(&bend, 0, sizeof(bend));
    rig_build(&rig, &options);
    rig.driver.DxgkDdiCreateAllocation = create_allocation;
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    before = vidmm_machine_counts(rig.machine);
}

static void begin(void)
{
    begin_with(rig_defaults());
}

/* A refused call has taken nothing, and everything still works. */
static void end(void)
{
    memset(&bend, 0, sizeof(bend));
    memset(rig.allocations, 0, sizeof(rig.allocations));
    rig_work(&rig, 3, 60);
    rig_read(&rig);
    rig_finish(&rig);
}

static void assert_refused(NTSTATUS status, NTSTATUS expected, const char *word)
{
    struct vidmm_machine_counts now;

    if (status != expected)
        fail_msg("0x%08x, expected 0x%08x: %s", (unsigned)status, (unsigned)expected,
                 rig.report.text);
    if (word != NULL && strstr(rig.report.text, word) == NULL)
        fail_msg("\"%s\" does not name %s", rig.report.text, word);
    vidmm_machine_settle(rig.machine);
    now = vidmm_machine_counts(rig.machine);
    assert_int_equal(now.pages, before.pages);
    assert_int_equal(now.mappings, before.mappings);
    memset(&rig.report, 0, sizeof(rig.report));
}

/* ---- flags of WDDM 2 and 3 ------------------------------------------------------------------- */

static void flags_without_a_behaviour_are_refused_by_name(void **state)
{
    static const struct {
        size_t offset;
        uint64_t value;
        const char *word;
    } rows[] = {
        {offsetof(DXGK_ALLOCATIONINFO, FlagsWddm2), 0x20000, "for HardwareProtected without"},
        {offsetof(DXGK_ALLOCATIONINFO, FlagsWddm2), 0x400, "for CreateInVpr"},
        {offsetof(DXGK_ALLOCATIONINFO, FlagsWddm2), 0x2000, "MapApertureCpuVisible (0x2000)"},
        {offsetof(DXGK_ALLOCATIONINFO, FlagsWddm2), 0x10000, "ExplicitResidencyNotification"},
        {offsetof(DXGK_ALLOCATIONINFO, Flags2), 0x10, "NotifyEviction (0x10)"},
        {offsetof(DXGK_ALLOCATIONINFO, Flags2), 0x20, "NotifyIoMmuUnmap (0x20)"},
        {offsetof(DXGK_ALLOCATIONINFO, Flags2), 0x40, "bits from 0x40 on are reserved"},
    };
    struct rig_options options = rig_defaults();
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .flags = 0x8000, /* AccessedPhysically */
                                            .size = 4096,
                                            .read_set = 2,
                                            .write_set = 2,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    struct vidmm_allocation *allocation;

    (void)state;
    options.gpu = "wddm 3.2\n";
    begin_with(options);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t kept = rows[i].offset == offsetof(DXGK_ALLOCATIONINFO, FlagsWddm2) ? 0x8000 : 0;

        bend = (struct bend){rows[i].offset, rows[i].value | kept, sizeof(uint32_t), 0};
        assert_false(vidmm_allocation_create(rig.device, &wish, sizeof(wish), &allocation,
                                             &rig.report) == STATUS_SUCCESS);
        if (strstr(rig.report.text, rows[i].word) == NULL)
            fail_msg("\"%s\" does not name %s", rig.report.text, rows[i].word);
    }
    /* Those that are kept in any case are not. */
    bend = (struct bend){offsetof(DXGK_ALLOCATIONINFO, Flags2), 0xe, sizeof(uint32_t), 0};
    assert_int_equal(
        vidmm_allocation_create(rig.device, &wish, sizeof(wish), &allocation, &rig.report),
        STATUS_SUCCESS);
    vidmm_allocation_destroy(allocation);
    rig_finish(&rig);
}

/* ---- starting -------------------------------------------------------------------------------- */

static void assert_start_refused(const struct vidmm_adapter_options *options,
                                 const DRIVER_INITIALIZATION_DATA *driver, NTSTATUS expected,
                                 const char *word)
{
    struct vidmm_adapter *adapter = NULL;
    NTSTATUS status = vidmm_adapter_start(vidmm_slot_host(rig.slot), driver, &rig, options,
                                          &adapter, &rig.report);

    assert_null(adapter);
    assert_refused(status, expected, word);
    assert_int_equal(vidmm_machine_counts(rig.machine).blocks, 0);
}

/* A machine with a GPU, and nothing started. */
static void begin_unstarted(void)
{
    struct rig_options options = rig_defaults();

    memset(&bend, 0, sizeof(bend));
    rig_build(&rig, &options);
    before = vidmm_machine_counts(rig.machine);
}

static void end_unstarted(void)
{
    assert_int_equal(rig_start(&rig), STATUS_SUCCESS);
    end();
}

static void options_out_of_their_range_are_refused(void **state)
{
    static const struct {
        const char *name;
        size_t offset, width;
        uint64_t value;
    } rows[] = {
#define ROW(member, value)                                                                         \
    {#member, offsetof(struct vidmm_adapter_options, member),                                      \
     sizeof(((struct vidmm_adapter_options *)0)->member), value}
        ROW(first_fence, 0),         ROW(first_fence, UINT64_C(1) << 63),
        ROW(paging_buffers, 0),      ROW(paging_buffers, 65),
        ROW(dma_buffers, 0),         ROW(dma_buffers, 65),
        ROW(queue_limit, 0),         ROW(queue_limit, 1025),
        ROW(timeout_ms, 0),          ROW(split_transfer_size, 100),
        ROW(split_transfer_size, 1), ROW(split_transfer_size, 4097),
        ROW(link_count, 4),
    };

    (void)state;
    begin_unstarted();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct vidmm_adapter_options options = rig_defaults().adapter;

        memcpy((char *)&options + rows[i].offset, &rows[i].value, rows[i].width);
        assert_start_refused(&options, &rig.driver, STATUS_INVALID_PARAMETER, rows[i].name);
    }
    end_unstarted();
}

static void a_driver_of_no_version_is_refused(void **state)
{
    DRIVER_INITIALIZATION_DATA driver;

    (void)state;
    begin_unstarted();
    driver = rig.driver;
    driver.Version = 0x1000;
    assert_start_refused(&rig.options.adapter, &driver, STATUS_GRAPHICS_DRIVER_MISMATCH, "Version");
    end_unstarted();
}

static void an_entry_point_that_is_missing_is_named(void **state)
{
    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {
#define ENTRY(name) {#name, offsetof(DRIVER_INITIALIZATION_DATA, name)}
        ENTRY(DxgkDdiAddDevice),
        ENTRY(DxgkDdiStartDevice),
        ENTRY(DxgkDdiStopDevice),
        ENTRY(DxgkDdiRemoveDevice),
        ENTRY(DxgkDdiInterruptRoutine),
        ENTRY(DxgkDdiQueryAdapterInfo),
        ENTRY(DxgkDdiCreateDevice),
        ENTRY(DxgkDdiDestroyDevice),
        ENTRY(DxgkDdiCreateAllocation),
        ENTRY(DxgkDdiDestroyAllocation),
        ENTRY(DxgkDdiOpenAllocation),
        ENTRY(DxgkDdiCloseAllocation),
        ENTRY(DxgkDdiPatch),
        ENTRY(DxgkDdiSubmitCommand),
        ENTRY(DxgkDdiRender),
        ENTRY(DxgkDdiBuildPagingBuffer),
    };

    (void)state;
    begin_unstarted();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        DRIVER_INITIALIZATION_DATA driver = rig.driver;

        memset((char *)&driver + rows[i].offset, 0, sizeof(void *));
        if (rows[i].offset == offsetof(DRIVER_INITIALIZATION_DATA, DxgkDdiRender))
            driver.DxgkDdiPresent = NULL; /* one of the two is enough */
        assert_start_refused(&rig.options.adapter, &driver, STATUS_GRAPHICS_DRIVER_MISMATCH,
                             rows[i].name);
    }
    end_unstarted();
}

static NTSTATUS decline(struct _DEVICE_OBJECT *object, void **context)
{
    (void)object;
    *context = NULL;
    return STATUS_SUCCESS;
}

static NTSTATUS refuse_device(struct _DEVICE_OBJECT *object, void **context)
{
    (void)object, (void)context;
    return STATUS_UNSUCCESSFUL;
}

static void a_driver_may_refuse_or_decline_the_device(void **state)
{
    DRIVER_INITIALIZATION_DATA driver;

    (void)state;
    begin_unstarted();
    driver = rig.driver;
    driver.DxgkDdiAddDevice = refuse_device;
    assert_start_refused(&rig.options.adapter, &driver, STATUS_UNSUCCESSFUL, "DxgkDdiAddDevice");
    driver.DxgkDdiAddDevice = decline;
    assert_start_refused(&rig.options.adapter, &driver, STATUS_GRAPHICS_DRIVER_MISMATCH,
                         "MiniportDeviceContext");
    end_unstarted();
}

static void no_more_than_sixteen_adapters_run_in_a_program(void **state)
{
    enum { MOST = 16 };
    static struct rig rigs[MOST];
    struct rig_options options = rig_defaults();

    (void)state;
    for (uint32_t i = 0; i < MOST; i++)
        rig_init(&rigs[i], &options);
    begin_unstarted();
    assert_start_refused(&rig.options.adapter, &rig.driver, STATUS_NO_MEMORY, "16");
    rig_finish(&rigs[7]);
    end_unstarted();
    for (uint32_t i = 0; i < MOST; i++)
        if (i != 7)
            rig_finish(&rigs[i]);
}

/* ---- devices and contexts -------------------------------------------------------------------- */

static NTSTATUS no_device(HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    (void)adapter, (void)arguments;
    return STATUS_INVALID_PARAMETER;
}

static void a_device_that_the_driver_will_not_have_is_refused(void **state)
{
    struct vidmm_adapter *adapter = NULL;
    DRIVER_INITIALIZATION_DATA driver;

    (void)state;
    begin_unstarted();
    driver = rig.driver;
    driver.DxgkDdiCreateDevice = no_device; /* the system's own device is the first */
    assert_start_refused(&rig.options.adapter, &driver, STATUS_INVALID_PARAMETER, "device");
    assert_null(adapter);
    end_unstarted();
}

static void a_context_on_a_node_that_is_not_there_is_refused(void **state)
{
    struct vidmm_context *context = NULL;

    (void)state;
    begin();
    assert_refused(vidmm_context_create(rig.device, 2, NULL, 0, &context, &rig.report),
                   STATUS_INVALID_PARAMETER, "D-295");
    assert_refused(vidmm_context_create(rig.device, UINT32_MAX, NULL, 0, &context, &rig.report),
                   STATUS_INVALID_PARAMETER, "node");
    assert_null(context);
    end();
}

static void contexts_end_where_the_aperture_does(void **state)
{
    struct vidmm_context *contexts[100];
    uint32_t count = 0;
    NTSTATUS status = STATUS_SUCCESS;

    (void)state;
    begin();
    while (status == STATUS_SUCCESS && count < 100) {
        vidmm_machine_settle(rig.machine);
        before = vidmm_machine_counts(rig.machine);
        status = vidmm_context_create(rig.device, 0, NULL, 0, &contexts[count], &rig.report);
        count += status == STATUS_SUCCESS;
    }
    assert_refused(status, STATUS_GRAPHICS_NO_VIDEO_MEMORY, "room");
    assert_true(count > 10 && count < 100);
    while (count > 0)
        vidmm_context_destroy(contexts[--count]);
    end();
}

/* The pages of a context's first DMA buffers come back when there are none for its last: they are
 * no reason to try again. */
static void contexts_end_where_the_pages_do(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_context *contexts[100];
    uint32_t count = 0;
    NTSTATUS status = STATUS_SUCCESS;

    (void)state;
    options.gpu = "segment 1 aperture 64M\nhabit immediate\ndma_buffer 300K\n";
    rig_init(&rig, &options);
    while (status == STATUS_SUCCESS && count < 100) {
        status = vidmm_context_create(rig.device, 0, NULL, 0, &contexts[count], &rig.report);
        count += status == STATUS_SUCCESS;
    }
    assert_int_equal(status, STATUS_NO_MEMORY);
    assert_in_range(count, 2, 6);
    vidmm_context_destroy(contexts[--count]);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(vidmm_context_create(rig.device, 0, NULL, 0, &contexts[count], &rig.report),
                     STATUS_SUCCESS);
    rig_finish(&rig);
}

/* ---- allocations ----------------------------------------------------------------------------- */

static struct softgpu_allocation fine(void)
{
    return (struct softgpu_allocation){
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = (DXGK_ALLOCATIONINFOFLAGS){.CpuVisible = 1}.Value,
        .size = 10000,
        .read_set = 2,
        .write_set = 2,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
}

static void assert_allocation_refused(const struct softgpu_allocation *wish, NTSTATUS expected,
                                      const char *word)
{
    struct vidmm_allocation *allocation = NULL;
    NTSTATUS status =
        vidmm_allocation_create(rig.device, wish, sizeof(*wish), &allocation, &rig.report);

    assert_null(allocation);
    assert_refused(status, expected, word);
}

static void what_a_driver_describes_illegally_is_refused_by_its_rule(void **state)
{
    static const struct {
        size_t offset, width;
        uint64_t value;
        NTSTATUS status;
        const char *word;
    } rows[] = {
#define INFO(member, value, status, word)                                                          \
    {offsetof(DXGK_ALLOCATIONINFO, member), sizeof(((DXGK_ALLOCATIONINFO *)0)->member), value,     \
     status, word}
#define ILLEGAL(member, value, word) INFO(member, value, STATUS_INVALID_PARAMETER, word)
#define LATER(member, value, word) INFO(member, value, STATUS_NOT_SUPPORTED, word)
        ILLEGAL(Size, 0, "Size"),
        ILLEGAL(Size, 0xfffff001, "Size"),
        ILLEGAL(Alignment, 3, "Alignment"),
        ILLEGAL(Alignment, 0x11000, "Alignment"),
        ILLEGAL(SupportedReadSegmentSet, 0, "S1-009"),
        ILLEGAL(SupportedReadSegmentSet, 4, "S1-009"),
        ILLEGAL(SupportedWriteSegmentSet, 4, "S1-011"),
        ILLEGAL(EvictionSegmentSet, 4, "S1-013"),
        ILLEGAL(EvictionSegmentSet, 2, "S1-013"),
        ILLEGAL(PreferredSegment, 1, "S1-010"),
        ILLEGAL(PreferredSegment, 3, "S1-010"),
        ILLEGAL(Flags, 1u << 31 | 1, "S0-065"),
        ILLEGAL(Flags, 1u << 19 | 1, "S0-065"),
        ILLEGAL(Flags, 2, "S0-015"),
        ILLEGAL(Flags, 4, "S0-024"),
        ILLEGAL(Flags, 8 | 2 | 1, "S0-027"),
        ILLEGAL(Flags, 8 | 0x10 | 1, "S0-027"),
        ILLEGAL(Flags, 0x12 | 1, "S0-034"),
        ILLEGAL(Flags, 0x28 | 1, "S0-027"),
        ILLEGAL(Flags, 0x22 | 1, "S0-037"),
        ILLEGAL(Flags, 0x11, "S0-029"),
        ILLEGAL(Flags, 0x21, "S0-036"),
        ILLEGAL(hAllocation, 0, "S1-019"),
        ILLEGAL(PitchAlignedSize, 12288, "S1-006"),
        ILLEGAL(HintedBank, 1, "D-016"),
        ILLEGAL(Flags, 0x401, "S0-048"),
        ILLEGAL(Flags, 0x4000, "S0-056"),
        ILLEGAL(Flags, 0x4041, "S0-058"),
        ILLEGAL(Flags, 0x10001, "S0-062"),
        LATER(Flags, 0x20001, "HardwareProtected"),
    };
    struct softgpu_allocation wish = fine();
    struct rig_options options = rig_defaults();

    (void)state;
    options.adapter.strict = true;
    begin_with(options);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bend = (struct bend){rows[i].offset, rows[i].value, rows[i].width, STATUS_SUCCESS};
        assert_allocation_refused(&wish, rows[i].status, rows[i].word);
    }
    end();
}

static void what_the_driver_refuses_is_refused_with_its_status(void **state)
{
    struct softgpu_allocation wish = fine();

    (void)state;
    begin();
    wish.magic = 0;
    assert_allocation_refused(&wish, STATUS_INVALID_PARAMETER, "D-046");
    rig.driver_refusals = 1;
    wish = fine();
    bend.status = STATUS_UNSUCCESSFUL;
    assert_allocation_refused(&wish, STATUS_INVALID_PARAMETER, "DxgkDdiCreateAllocation");
    bend.status = STATUS_SUCCESS;
    end();
}

static void an_allocation_larger_than_its_segments_is_refused(void **state)
{
    struct softgpu_allocation wish = fine();

    (void)state;
    begin();
    wish.size = 256 * 1024 + 1;
    assert_allocation_refused(&wish, STATUS_GRAPHICS_NO_VIDEO_MEMORY, "Size");
    wish.read_set = wish.write_set = 1;
    wish.size = 1024 * 1024 + 1;
    assert_allocation_refused(&wish, STATUS_GRAPHICS_NO_VIDEO_MEMORY, "Size");
    end();
}

/* ---- locks ----------------------------------------------------------------------------------- */

static struct vidmm_allocation *create(uint32_t set, uint32_t flags, uint64_t size)
{
    struct rig_allocation allocation;

    assert_int_equal(rig_create(&rig, &allocation, size, set, flags), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    before = vidmm_machine_counts(rig.machine);
    return allocation.handle;
}

static void a_lock_of_what_is_not_cpu_visible_is_refused(void **state)
{
    struct vidmm_allocation *allocation;
    void *data = &data;

    (void)state;
    begin();
    allocation = create(2, 0, 5000);
    assert_refused(vidmm_lock(allocation, 0, &data, NULL), STATUS_INVALID_PARAMETER, NULL);
    assert_refused(vidmm_lock(allocation, VIDMM_LOCK_DONOT_WAIT, &data, NULL),
                   STATUS_INVALID_PARAMETER, NULL);
    assert_ptr_equal(data, &data);
    end();
}

static void a_lock_with_a_flag_that_is_not_for_it_is_refused(void **state)
{
    struct vidmm_allocation *allocation;
    void *data = &data;

    (void)state;
    begin();
    allocation = create(2, 1, 5000);
    for (uint32_t bit = 11; bit < 32; bit++)
        assert_refused(vidmm_lock(allocation, 1u << bit, &data, NULL), STATUS_INVALID_PARAMETER,
                       NULL);
    assert_refused(vidmm_lock(allocation, VIDMM_LOCK_IGNORE_SYNC, &data, NULL),
                   STATUS_INVALID_PARAMETER, NULL); /* no aperture shows it */
    assert_refused(vidmm_lock(allocation, VIDMM_LOCK_ACQUIRE_APERTURE | VIDMM_LOCK_USE_ALTERNATE_VA,
                              &data, NULL),
                   STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED, NULL);
    assert_ptr_equal(data, &data);
    end();
}

static void an_unlock_of_what_is_not_locked_is_refused(void **state)
{
    struct vidmm_allocation *allocation;
    void *data;

    (void)state;
    begin();
    allocation = create(2, 1, 5000);
    assert_refused(vidmm_unlock(allocation), STATUS_INVALID_PARAMETER, NULL);
    assert_int_equal(vidmm_lock(allocation, 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(allocation, 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(allocation), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(allocation), STATUS_SUCCESS);
    before = vidmm_machine_counts(rig.machine);
    assert_refused(vidmm_unlock(allocation), STATUS_INVALID_PARAMETER, NULL);
    end();
}

/* A GPU whose render engine stops before its first packet. */
static void begin_hung(void)
{
    struct rig_options options = rig_defaults();

    options.gpu = "hang 0 1\n";
    begin_with(options);
}

static void a_lock_that_may_not_wait_is_refused_while_the_gpu_is_busy(void **state)
{
    struct rig_allocation *list[] = {&rig.allocations[0]};
    void *data;

    (void)state;
    begin_hung();
    assert_int_equal(rig_create(&rig, list[0], 5000, 2, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, list, 1, 1), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    before = vidmm_machine_counts(rig.machine);
    assert_refused(vidmm_lock(list[0]->handle, VIDMM_LOCK_DONOT_WAIT, &data, NULL),
                   STATUS_GRAPHICS_ALLOCATION_BUSY, NULL);
    softgpu_device_release(rig.gpu);
    vidmm_machine_settle(rig.machine);
    assert_int_equal(vidmm_lock(list[0]->handle, VIDMM_LOCK_DONOT_WAIT, &data, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(list[0]->handle), STATUS_SUCCESS);
    end();
}

/* ---- rendering ------------------------------------------------------------------------------- */

static NTSTATUS render_one(struct vidmm_allocation *allocation, uint32_t references)
{
    struct rig_command command = {.touch = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(1)},
                                            .reference_count = 1,
                                            .seed = RIG_SEED},
                                  .references = {{.pages = 1, .content_id = 1000}}};
    static struct vidmm_render_reference list[2000];

    for (uint32_t i = 0; i < references; i++)
        list[i] = (struct vidmm_render_reference){.allocation = allocation};
    return vidmm_render(rig.context, &command, softgpu_touch_size(1), list, references, true,
                        &rig.value, &rig.report);
}

static void a_list_that_is_too_long_or_not_the_devices_is_refused(void **state)
{
    struct vidmm_device *device = rig.device, *other;
    struct vidmm_allocation *allocation, *foreign;

    (void)state;
    begin();
    device = rig.device;
    allocation = create(2, 1, 5000);
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &other, &rig.report), STATUS_SUCCESS);
    rig.device = other;
    foreign = create(2, 1, 5000);
    rig.device = device;
    assert_refused(render_one(allocation, 1025), STATUS_INVALID_PARAMETER, "AllocationListSize");
    assert_refused(render_one(foreign, 1), STATUS_INVALID_PARAMETER, "device");
    assert_int_equal(render_one(allocation, 1), STATUS_SUCCESS);
    end();
}

static void what_is_locked_and_may_be_local_cannot_be_rendered_from(void **state)
{
    struct vidmm_allocation *local, *mapped;
    void *data;

    (void)state;
    begin();
    local = create(2, 1, 5000);
    mapped = create(1, 1, 5000);
    assert_int_equal(vidmm_lock(local, 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(mapped, 0, &data, NULL), STATUS_SUCCESS);
    before = vidmm_machine_counts(rig.machine);
    assert_refused(render_one(local, 1), STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION, "D-160");
    assert_int_equal(render_one(mapped, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(local), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(mapped), STATUS_SUCCESS);
    assert_int_equal(render_one(local, 1), STATUS_SUCCESS);
    end();
}

static void a_command_buffer_that_the_driver_refuses_changes_nothing(void **state)
{
    struct rig_allocation *list[] = {&rig.allocations[0]};
    char nonsense[64] = "no command at all";
    struct vidmm_render_reference reference = {.write = true};
    uint64_t value = 77;
    void *data;

    (void)state;
    begin();
    assert_int_equal(rig_create(&rig, list[0], 5000, 2, 1), STATUS_SUCCESS);
    reference.allocation = list[0]->handle;
    assert_int_equal(rig_render(&rig, list, 1, 1), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    before = vidmm_machine_counts(rig.machine);
    assert_refused(vidmm_render(rig.context, nonsense, sizeof(nonsense), &reference, 1, true,
                                &value, &rig.report),
                   STATUS_INVALID_PARAMETER, "DxgkDdiRender");
    rig.driver_refusals = 1;
    /* The allocation is not in use because of it. */
    assert_int_equal(vidmm_lock(list[0]->handle, VIDMM_LOCK_DONOT_WAIT, &data, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(list[0]->handle), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_SUCCESS);
    end();
}

static void without_a_free_dma_buffer_a_rendering_that_may_not_wait_is_refused(void **state)
{
    struct rig_command command = {.touch = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(0)}}};
    uint32_t size = softgpu_touch_size(0);
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t queued = 0;

    (void)state;
    begin_hung();
    while (queued < 10 && status == STATUS_SUCCESS) {
        status = vidmm_render(rig.context, &command, size, NULL, 0, false, &rig.value, &rig.report);
        queued += status == STATUS_SUCCESS;
    }
    assert_int_equal(queued, 4);
    vidmm_machine_settle(rig.machine);
    before = vidmm_machine_counts(rig.machine);
    assert_refused(status, STATUS_DEVICE_BUSY, "DMA buffers of the context is 4");
    assert_int_equal(vidmm_context_completed(rig.context), 0);
    softgpu_device_release(rig.gpu);
    assert_int_equal(vidmm_context_wait(rig.context, 4), STATUS_SUCCESS);
    end();
}

static void what_never_fits_puts_its_device_into_error_and_no_other(void **state)
{
    struct rig_allocation first, second, *both[] = {&first, &second};
    struct vidmm_device *sound = rig.device;
    struct vidmm_context *context;

    (void)state;
    begin();
    sound = rig.device;
    context = rig.context;
    assert_int_equal(vidmm_device_create(rig.adapter, 2, &rig.device, &rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_create(rig.device, 0, NULL, 0, &rig.context, &rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(rig_create(&rig, &first, 33 * VIDMM_PAGE_SIZE, 2, 1), STATUS_SUCCESS);
    assert_int_equal(rig_create(&rig, &second, 32 * VIDMM_PAGE_SIZE, 2, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, both, 2, 3), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(rig.context, 1), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_int_equal(vidmm_context_completed(rig.context), 1); /* given up */
    assert_int_equal(vidmm_device_condition(rig.device, &rig.report),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_non_null(strstr(rig.report.text, "266240")); /* 65 pages */
    assert_non_null(strstr(rig.report.text, "DMA buffer 1"));
    before = vidmm_machine_counts(rig.machine);
    assert_refused(rig_render(&rig, both, 1, 0), STATUS_GRAPHICS_NO_VIDEO_MEMORY, "266240");
    vidmm_device_destroy(rig.device);
    rig.device = sound;
    rig.context = context;
    assert_int_equal(vidmm_device_condition(sound, NULL), STATUS_SUCCESS);
    end();
}

/* ---- an adapter that was reset --------------------------------------------------------------- */

static void a_hung_gpu_removes_the_device_and_a_new_one_works(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation one, another, *list[] = {&one};
    struct vidmm_device *device;
    void *data;

    (void)state;
    options.gpu = "hang 0 1\n";
    options.adapter.timeout_ms = 2000;
    begin_with(options);
    assert_int_equal(rig_create(&rig, &one, 5000, 2, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&rig, list, 1, 1), STATUS_SUCCESS);
    vidmm_machine_settle(rig.machine);
    before = vidmm_machine_counts(rig.machine);
    assert_int_equal(vidmm_context_wait(rig.context, rig.value), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_context_completed(rig.context), rig.value); /* given up */
    assert_int_equal(vidmm_adapter_condition(rig.adapter, &rig.report), STATUS_SUCCESS);
    assert_refused(rig_render(&rig, list, 1, 1), STATUS_DEVICE_REMOVED, "reset");
    assert_refused(vidmm_lock(one.handle, 0, &data, NULL), STATUS_DEVICE_REMOVED, NULL);
    assert_refused(rig_create(&rig, &another, 5000, 2, 1), STATUS_DEVICE_REMOVED, NULL);
    assert_refused(vidmm_device_condition(rig.device, &rig.report), STATUS_DEVICE_REMOVED, "reset");
    assert_int_equal(vidmm_device_create(rig.adapter, 7, &device, &rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_device_condition(device, &rig.report), STATUS_SUCCESS);
    vidmm_device_destroy(device);
    rig_finish(&rig);
}

static void a_value_that_was_never_queued_does_not_come(void **state)
{
    (void)state;
    begin();
    assert_refused(vidmm_context_wait(rig.context, 1), STATUS_TIMEOUT, NULL);
    end();
}

static int prepare(void **state)
{
    (void)state;
    memset(&rig, 0, sizeof(rig));
    return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, prepare)
    const struct CMUnitTest tests[] = {
        TEST(flags_without_a_behaviour_are_refused_by_name),
        TEST(options_out_of_their_range_are_refused),
        TEST(a_driver_of_no_version_is_refused),
        TEST(an_entry_point_that_is_missing_is_named),
        TEST(a_driver_may_refuse_or_decline_the_device),
        TEST(no_more_than_sixteen_adapters_run_in_a_program),
        TEST(a_device_that_the_driver_will_not_have_is_refused),
        TEST(a_context_on_a_node_that_is_not_there_is_refused),
        TEST(contexts_end_where_the_aperture_does),
        cmocka_unit_test(contexts_end_where_the_pages_do),
        TEST(what_a_driver_describes_illegally_is_refused_by_its_rule),
        TEST(what_the_driver_refuses_is_refused_with_its_status),
        TEST(an_allocation_larger_than_its_segments_is_refused),
        TEST(a_lock_of_what_is_not_cpu_visible_is_refused),
        TEST(a_lock_with_a_flag_that_is_not_for_it_is_refused),
        TEST(an_unlock_of_what_is_not_locked_is_refused),
        TEST(a_lock_that_may_not_wait_is_refused_while_the_gpu_is_busy),
        TEST(a_list_that_is_too_long_or_not_the_devices_is_refused),
        TEST(what_is_locked_and_may_be_local_cannot_be_rendered_from),
        TEST(a_command_buffer_that_the_driver_refuses_changes_nothing),
        TEST(without_a_free_dma_buffer_a_rendering_that_may_not_wait_is_refused),
        TEST(what_never_fits_puts_its_device_into_error_and_no_other),
        TEST(a_hung_gpu_removes_the_device_and_a_new_one_works),
        TEST(a_value_that_was_never_queued_does_not_come),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
