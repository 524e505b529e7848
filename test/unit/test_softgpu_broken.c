/* Every misbehaviour shows, and only when it is switched on: each has a row here. */
#include "test_softgpu_world.h"

#include "softgpu/broken.h"

/* ---- starting -------------------------------------------------------------------------------- */

static bool start_fails(const struct softgpu_config *config)
{
    NTSTATUS status;

    add(config);
    status = start_device(31);
    end();
    return !NT_SUCCESS(status);
}

static bool has_children(const struct softgpu_config *config)
{
    DXGK_START_INFO info = {.RequiredDmaQueueEntry = 31};
    ULONG sources, children = 0;

    begin(config);
    assert_int_equal(world.ddi.DxgkDdiStopDevice(world.adapter), STATUS_SUCCESS);
    assert_int_equal(
        world.ddi.DxgkDdiStartDevice(world.adapter, &info, &world.dxgk, &sources, &children),
        STATUS_SUCCESS);
    end();
    return children != 0;
}

/* ---- caps ------------------------------------------------------------------------------------ */

static NTSTATUS ask_caps(const struct softgpu_config *config, unsigned char bytes[600])
{
    NTSTATUS status;

    begin(config);
    memset(bytes, 0, 600);
    status = query(DXGKQAITYPE_DRIVERCAPS, NULL, 0, bytes, 552);
    end();
    return status;
}

static DXGK_DRIVERCAPS caps_of(const struct softgpu_config *config)
{
    unsigned char bytes[600];
    DXGK_DRIVERCAPS caps;

    assert_int_equal(ask_caps(config, bytes), STATUS_SUCCESS);
    memcpy(&caps, bytes, sizeof(caps));
    return caps;
}

static bool caps_fail(const struct softgpu_config *config)
{
    unsigned char bytes[600];

    return !NT_SUCCESS(ask_caps(config, bytes));
}

static bool caps_overrun(const struct softgpu_config *config)
{
    unsigned char bytes[600];

    ask_caps(config, bytes);
    return bytes[552] != 0;
}

static bool nodes_are_impossible(const struct softgpu_config *config)
{
    UINT nodes = caps_of(config).GpuEngineTopology.NbAsymetricProcessingNodes;

    return nodes == 0 || nodes > 64;
}

static bool paging_node_is_not_there(const struct softgpu_config *config)
{
    return caps_of(config).MemoryManagementCaps.PagingNode >= 2;
}

static bool preemption_is_alone(const struct softgpu_config *config)
{
    DXGK_DRIVERCAPS caps = caps_of(config);

    return caps.SchedulingCaps.PreemptionAware && !caps.SchedulingCaps.MultiEngineAware;
}

/* ---- segments -------------------------------------------------------------------------------- */

static DXGK_SEGMENTDESCRIPTOR3 descriptors[64];

/* Both passes; answers the second, `first` receives the count of the first. */
static DXGK_QUERYSEGMENTOUT3 ask_segments(const struct softgpu_config *config, UINT *first,
                                          NTSTATUS *status)
{
    DXGK_QUERYSEGMENTIN in = {.AgpApertureBase.QuadPart = 0};
    DXGK_QUERYSEGMENTOUT3 out = {.NbSegment = 0};

    begin(config);
    memset(descriptors, 0, sizeof(descriptors));
    *status = query(DXGKQAITYPE_QUERYSEGMENT3, &in, sizeof(in), &out, sizeof(out));
    *first = out.NbSegment;
    out.pSegmentDescriptor = descriptors;
    if (NT_SUCCESS(*status))
        *status = query(DXGKQAITYPE_QUERYSEGMENT3, &in, sizeof(in), &out, sizeof(out));
    end();
    return out;
}

static bool segments_fail(const struct softgpu_config *config)
{
    NTSTATUS status;
    UINT first;

    ask_segments(config, &first, &status);
    return !NT_SUCCESS(status);
}

static bool segment_counts_are_impossible(const struct softgpu_config *config)
{
    NTSTATUS status;
    UINT first, second = ask_segments(config, &first, &status).NbSegment;

    return first == 0 || first > 32 || first != second;
}

static bool segments_overlap(const struct softgpu_config *config)
{
    NTSTATUS status;
    UINT first;

    ask_segments(config, &first, &status);
    return descriptors[0].BaseAddress.QuadPart == descriptors[1].BaseAddress.QuadPart;
}

static bool a_segment_size_is_impossible(const struct softgpu_config *config)
{
    NTSTATUS status;
    UINT first;

    ask_segments(config, &first, &status);
    return descriptors[1].Size == 0 || descriptors[1].Size % 4096 != 0 ||
           descriptors[1].Size > (SIZE_T)1 << 62;
}

static bool segment_flags_contradict(const struct softgpu_config *config)
{
    NTSTATUS status;
    UINT first;

    ask_segments(config, &first, &status);
    return descriptors[0].Flags.Agp && descriptors[0].Flags.Aperture;
}

static bool commit_limit_exceeds_the_size(const struct softgpu_config *config)
{
    NTSTATUS status;
    UINT first;

    ask_segments(config, &first, &status);
    return descriptors[0].CommitLimit > descriptors[0].Size;
}

static bool paging_buffer_is_in_no_aperture(const struct softgpu_config *config)
{
    NTSTATUS status;
    UINT first, id = ask_segments(config, &first, &status).PagingBufferSegmentId;

    return id != 0 && (id > 2 || !descriptors[id - 1].Flags.Aperture);
}

static bool paging_buffer_is_empty(const struct softgpu_config *config)
{
    NTSTATUS status;
    UINT first;

    return ask_segments(config, &first, &status).PagingBufferSize == 0;
}

static DXGK_DEVICEINFO device_info(const struct softgpu_config *config)
{
    DXGKARG_CREATEDEVICE args = {.hDevice = &world};
    DXGK_DEVICEINFO info;

    begin(config);
    assert_int_equal(world.ddi.DxgkDdiCreateDevice(world.adapter, &args), STATUS_SUCCESS);
    info = *args.pInfo;
    world.ddi.DxgkDdiDestroyDevice(args.hDevice);
    end();
    return info;
}

static bool dma_buffers_are_in_memory(const struct softgpu_config *config)
{
    return device_info(config).DmaBufferSegmentSet & 2;
}

static bool dma_buffers_are_empty(const struct softgpu_config *config)
{
    return device_info(config).DmaBufferSize == 0;
}

/* ---- allocations ----------------------------------------------------------------------------- */

static DXGK_ALLOCATIONINFO created(const struct softgpu_config *config)
{
    struct softgpu_allocation wanted = wanted_of(4096);
    DXGK_ALLOCATIONINFO info;

    begin(config);
    assert_int_equal(create(&wanted, 1, &info, NULL), STATUS_SUCCESS);
    if (info.hAllocation != NULL)
        destroy(1, &info.hAllocation, NULL);
    end();
    return info;
}

static bool an_allocation_is_impossible(const struct softgpu_config *config)
{
    DXGK_ALLOCATIONINFO info = created(config);
    UINT preferred = info.PreferredSegment.SegmentId0;

    return info.hAllocation == NULL || info.Size == 0 ||
           (info.Alignment & (info.Alignment - 1)) != 0 || info.AllocationPriority == 0 ||
           (info.SupportedWriteSegmentSet & 3) == 0 || (info.EvictionSegmentSet & 2) != 0 ||
           info.Flags.Value >> 19 != 0 ||
           (preferred != 0 && !(info.SupportedWriteSegmentSet >> (preferred - 1) & 1));
}

static bool open_gives_no_handle(const struct softgpu_config *config)
{
    struct softgpu_allocation wanted = wanted_of(4096);
    DXGK_OPENALLOCATIONINFO opened = {.hAllocation = 0x100};
    DXGKARG_OPENALLOCATION args = {.NumAllocations = 1, .pOpenAllocation = &opened};
    DXGK_ALLOCATIONINFO info;
    HANDLE device;

    begin(config);
    device = create_device();
    assert_int_equal(create(&wanted, 1, &info, NULL), STATUS_SUCCESS);
    world.handle_data[0] = info.hAllocation;
    assert_int_equal(world.ddi.DxgkDdiOpenAllocation(device, &args), STATUS_SUCCESS);
    if (opened.hDeviceSpecificAllocation != NULL)
        close_allocation(device, opened.hDeviceSpecificAllocation);
    destroy(1, &info.hAllocation, NULL);
    world.ddi.DxgkDdiDestroyDevice(device);
    end();
    return opened.hDeviceSpecificAllocation == NULL;
}

/* ---- Render, Patch, SubmitCommand ------------------------------------------------------------ */

/* Render one reference; answers the argument structure afterwards. */
static _Alignas(8) unsigned char render_buffer[4096 + 8]; /* the last 8 are nobody's */

static DXGKARG_RENDER rendered(const struct softgpu_config *config, D3DDDI_PATCHLOCATIONLIST *patch)
{
    struct {
        struct softgpu_touch touch;
        struct softgpu_reference reference;
    } command = {.touch = {.command = {SOFTGPU_TOUCH, sizeof(command)}, .reference_count = 1},
                 .reference = {.pages = 1}};
    struct softgpu_allocation wanted = wanted_of(4096);
    DXGK_ALLOCATIONLIST list = {.hDeviceSpecificAllocation = NULL};
    DXGKARG_RENDER args = {.pCommand = &command,
                           .CommandLength = sizeof(command),
                           .pDmaBuffer = render_buffer,
                           .DmaSize = 4096,
                           .pAllocationList = &list,
                           .AllocationListSize = 1,
                           .pPatchLocationListOut = patch,
                           .PatchLocationListOutSize = 1};
    DXGK_ALLOCATIONINFO info;
    HANDLE device;

    begin(config);
    device = create_device();
    assert_int_equal(create(&wanted, 1, &info, NULL), STATUS_SUCCESS);
    list.hDeviceSpecificAllocation = open_allocation(device, 0, info.hAllocation);
    assert_int_equal(world.ddi.DxgkDdiRender(device, &args), STATUS_SUCCESS);
    args.DmaSize = (UINT)((unsigned char *)args.pDmaBuffer - render_buffer);
    close_allocation(device, list.hDeviceSpecificAllocation);
    destroy(1, &info.hAllocation, NULL);
    world.ddi.DxgkDdiDestroyDevice(device);
    end();
    return args;
}

static bool render_overruns(const struct softgpu_config *config)
{
    D3DDDI_PATCHLOCATIONLIST patch;

    return rendered(config, &patch).DmaSize > 4096;
}

static bool render_writes_behind(const struct softgpu_config *config)
{
    D3DDDI_PATCHLOCATIONLIST patch;

    memset(render_buffer, 0, sizeof(render_buffer));
    rendered(config, &patch);
    return render_buffer[4096] != 0;
}

static bool a_patch_location_is_impossible(const struct softgpu_config *config)
{
    D3DDDI_PATCHLOCATIONLIST patch;

    rendered(config, &patch);
    return patch.PatchOffset > 4096 - 8 || patch.AllocationIndex != 0;
}

static bool patch_fails(const struct softgpu_config *config)
{
    DXGKARG_PATCH args = {.DmaBufferSize = 4096, .Flags.Paging = 1};
    NTSTATUS status;

    begin(config);
    status = world.ddi.DxgkDdiPatch(world.adapter, &args);
    end();
    return !NT_SUCCESS(status);
}

static bool submit_fails(const struct softgpu_config *config)
{
    NTSTATUS status;

    begin_paging(config);
    status = submit_empty(1, 0);
    settle();
    end();
    return !NT_SUCCESS(status);
}

/* ---- BuildPagingBuffer ----------------------------------------------------------------------- */

static struct pages some_pages;

static void set_transfer(UINT pages)
{
    take_pages(&some_pages, PAGES);
    for (UINT i = 0; i < PAGES; i++)
        memset(page_at(&some_pages, i), 0x11, 4096);
    buffer.args.Operation = DXGK_OPERATION_TRANSFER;
    memset(&buffer.args.Transfer, 0, sizeof(buffer.args.Transfer));
    buffer.args.Transfer.hAllocation = &some_pages;
    buffer.args.Transfer.Source.pMdl = &some_pages.mdl;
    buffer.args.Transfer.Destination.SegmentId = MEMORY;
    buffer.args.Transfer.Destination.SegmentAddress.QuadPart =
        (LONGLONG)SOFTGPU_SEGMENT_BASE(MEMORY);
    buffer.args.Transfer.TransferSize = pages * 4096;
    buffer.args.Transfer.Flags.AllocationIsIdle = 1;
}

static NTSTATUS call_build(void)
{
    return world.ddi.DxgkDdiBuildPagingBuffer(world.adapter, &buffer.args);
}

/* Build a transfer of an idle allocation: an answer that is none. */
static bool transfer_is_refused(const struct softgpu_config *config)
{
    NTSTATUS status;

    begin_paging(config);
    set_transfer(1);
    status = call_build();
    end();
    return status != STATUS_SUCCESS;
}

static void set_fill(UINT size)
{
    buffer.args.Operation = DXGK_OPERATION_FILL;
    buffer.args.Fill.hAllocation = NULL;
    buffer.args.Fill.FillSize = size;
    buffer.args.Fill.FillPattern = 0x22222222;
    buffer.args.Fill.Destination.SegmentId = MEMORY;
    buffer.args.Fill.Destination.SegmentAddress.QuadPart = (LONGLONG)SOFTGPU_SEGMENT_BASE(MEMORY);
}

static bool fill_is_busy(const struct softgpu_config *config)
{
    NTSTATUS status;

    begin_paging(config);
    set_fill(4096);
    status = call_build();
    end();
    return status == STATUS_GRAPHICS_ALLOCATION_BUSY;
}

static bool the_pointer_leaves_the_buffer(const struct softgpu_config *config)
{
    unsigned char *at;
    bool outside;

    begin_paging(config);
    set_fill(4096);
    call_build();
    at = buffer.args.pDmaBuffer;
    outside = at < buffer.start || at > buffer.start + buffer.size;
    end();
    return outside;
}

static bool a_guard_is_written(const struct softgpu_config *config)
{
    bool written = false;

    begin_paging(config);
    set_fill(4096);
    call_build();
    for (UINT i = 0; i < GUARD; i++)
        written |= buffer.start[buffer.size + i] != 0xdb ||
                   buffer.private_data[buffer.private_size + i] != 0xdb;
    end();
    return written;
}

/* The page that entry 3 of the aperture shows, after a map and an unmap. */
static uint64_t page_after_unmap(const struct softgpu_config *config, uint64_t dummy)
{
    uint64_t entry;

    begin_paging(config);
    take_pages(&some_pages, PAGES);
    build_map(&some_pages, 0, 0, 8);
    submit_paging();
    build_unmap(2, 4, dummy);
    submit_paging();
    memcpy(&entry,
           world.machine.bar[0] + machine_registers(&world.machine)->segments[0].page_table +
               3 * sizeof(entry),
           sizeof(entry));
    end();
    return entry & SOFTGPU_ENTRY_PAGE;
}

static bool unmap_does_not_show_the_dummy_page(const struct softgpu_config *config)
{
    uint64_t dummy = MACHINE_SYSTEM + 77 * 4096;

    return page_after_unmap(config, dummy) != dummy;
}

static bool the_tail_of_a_fill_is_missing(const struct softgpu_config *config)
{
    bool missing;

    begin_paging(config);
    build_fill(SOFTGPU_SEGMENT_BASE(MEMORY), 4096 + 512, 0x22222222);
    submit_paging();
    missing = world.machine.bar[1][4096 + 511] != 0x22;
    end();
    return missing;
}

static bool the_last_page_is_missing(const struct softgpu_config *config)
{
    bool missing;

    begin_paging(config);
    set_transfer(4);
    build();
    submit_paging();
    missing = world.machine.bar[1][3 * 4096] != 0x11;
    end();
    return missing;
}

/* Bytes that are nobody's go by rows all the same. */
static bool raw_bytes_go_by_rows(const struct softgpu_config *config)
{
    struct softgpu_config rows = *config;
    bool skipped;

    rows.segments[1].pitch_aligned = true;
    begin_paging(&rows);
    set_transfer(4);
    buffer.args.Transfer.hAllocation = NULL;
    build();
    submit_paging();
    skipped = world.machine.bar[1][SOFTGPU_ROW] != 0x11;
    end();
    return skipped;
}

static bool nothing_is_remembered_between_passes(const struct softgpu_config *config)
{
    struct softgpu_config small = *config;
    NTSTATUS status;
    UINT offset;

    small.paging_buffer = 128;
    begin_paging(&small);
    set_transfer(PAGES);
    status = call_build();
    offset = buffer.args.MultipassOffset;
    end();
    assert_int_equal(status, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
    return offset == 0;
}

/* ---- completion ------------------------------------------------------------------------------ */

/* Submit two empty buffers of node 1, each reported in turn: fences 5 and 6, two DPCs. */
static void complete_two(const struct softgpu_config *config)
{
    begin_paging(config);
    assert_int_equal(submit_empty(5, 1), STATUS_SUCCESS);
    settle();
    assert_int_equal(submit_empty(6, 1), STATUS_SUCCESS);
    settle();
}

static bool reports_are_not_5_and_6(const struct softgpu_config *config)
{
    bool wrong;

    complete_two(config);
    wrong = world.event_count != 2 || world.events[0].fence != 5 || world.events[1].fence != 6 ||
            world.events[0].node != 1;
    end();
    return wrong;
}

static bool no_dpc_follows(const struct softgpu_config *config)
{
    bool none;

    complete_two(config);
    none = world.dpcs_notified == 0;
    end();
    return none;
}

static bool a_fence_comes_before_its_work(const struct softgpu_config *config)
{
    bool early;

    begin_paging(config);
    build_fill(SOFTGPU_SEGMENT_BASE(MEMORY), 4096, 0x22222222);
    buffer.held = true;
    submit_paging();
    for (int i = 0; i < 8 && world.event_count == 0; i++)
        world.machine.engines[1].step(world.machine.engines[1].engine);
    early = world.machine.bar[1][0] != 0x22;
    settle();
    end();
    return early;
}

static bool preemption_has_no_answer(const struct softgpu_config *config)
{
    DXGKARG_PREEMPTCOMMAND args = {.PreemptionFenceId = 100, .NodeOrdinal = 1};
    bool none;

    begin_paging(config);
    assert_int_equal(world.ddi.DxgkDdiPreemptCommand(world.adapter, &args), STATUS_SUCCESS);
    settle();
    none = world.event_count == 0;
    end();
    return none;
}

/* ---- the rows -------------------------------------------------------------------------------- */

static bool (*const rows[SOFTGPU_BROKEN_COUNT])(const struct softgpu_config *config) = {
    [SOFTGPU_BROKEN_START_FAILS] = start_fails,
    [SOFTGPU_BROKEN_CHILDREN] = has_children,
    [SOFTGPU_BROKEN_CAPS_FAIL] = caps_fail,
    [SOFTGPU_BROKEN_CAPS_OVERRUN] = caps_overrun,
    [SOFTGPU_BROKEN_NODES_ZERO] = nodes_are_impossible,
    [SOFTGPU_BROKEN_NODES_MANY] = nodes_are_impossible,
    [SOFTGPU_BROKEN_PAGING_NODE] = paging_node_is_not_there,
    [SOFTGPU_BROKEN_PREEMPTION_ALONE] = preemption_is_alone,
    [SOFTGPU_BROKEN_SEGMENTS_FAIL] = segments_fail,
    [SOFTGPU_BROKEN_SEGMENTS_ZERO] = segment_counts_are_impossible,
    [SOFTGPU_BROKEN_SEGMENTS_MANY] = segment_counts_are_impossible,
    [SOFTGPU_BROKEN_SEGMENTS_CHANGE] = segment_counts_are_impossible,
    [SOFTGPU_BROKEN_SEGMENTS_OVERLAP] = segments_overlap,
    [SOFTGPU_BROKEN_SEGMENT_EMPTY] = a_segment_size_is_impossible,
    [SOFTGPU_BROKEN_SEGMENT_RAGGED] = a_segment_size_is_impossible,
    [SOFTGPU_BROKEN_SEGMENT_HUGE] = a_segment_size_is_impossible,
    [SOFTGPU_BROKEN_SEGMENT_FLAGS] = segment_flags_contradict,
    [SOFTGPU_BROKEN_COMMIT_LIMIT] = commit_limit_exceeds_the_size,
    [SOFTGPU_BROKEN_PAGING_IN_MEMORY] = paging_buffer_is_in_no_aperture,
    [SOFTGPU_BROKEN_PAGING_NOWHERE] = paging_buffer_is_in_no_aperture,
    [SOFTGPU_BROKEN_PAGING_SIZE_ZERO] = paging_buffer_is_empty,
    [SOFTGPU_BROKEN_DMA_IN_MEMORY] = dma_buffers_are_in_memory,
    [SOFTGPU_BROKEN_DMA_SIZE_ZERO] = dma_buffers_are_empty,
    [SOFTGPU_BROKEN_ALLOCATION_NO_HANDLE] = an_allocation_is_impossible,
    [SOFTGPU_BROKEN_ALLOCATION_EMPTY] = an_allocation_is_impossible,
    [SOFTGPU_BROKEN_ALLOCATION_ALIGNMENT] = an_allocation_is_impossible,
    [SOFTGPU_BROKEN_ALLOCATION_NOWHERE] = an_allocation_is_impossible,
    [SOFTGPU_BROKEN_ALLOCATION_PREFERENCE] = an_allocation_is_impossible,
    [SOFTGPU_BROKEN_ALLOCATION_EVICTION] = an_allocation_is_impossible,
    [SOFTGPU_BROKEN_ALLOCATION_PRIORITY] = an_allocation_is_impossible,
    [SOFTGPU_BROKEN_ALLOCATION_FLAGS] = an_allocation_is_impossible,
    [SOFTGPU_BROKEN_OPEN_NO_HANDLE] = open_gives_no_handle,
    [SOFTGPU_BROKEN_RENDER_OVERRUN] = render_overruns,
    [SOFTGPU_BROKEN_RENDER_WRITES_BEHIND] = render_writes_behind,
    [SOFTGPU_BROKEN_RENDER_PATCH_RANGE] = a_patch_location_is_impossible,
    [SOFTGPU_BROKEN_RENDER_PATCH_INDEX] = a_patch_location_is_impossible,
    [SOFTGPU_BROKEN_PATCH_FAILS] = patch_fails,
    [SOFTGPU_BROKEN_SUBMIT_FAILS] = submit_fails,
    [SOFTGPU_BROKEN_BUILD_ILLEGAL] = transfer_is_refused,
    [SOFTGPU_BROKEN_BUILD_STUCK] = transfer_is_refused,
    [SOFTGPU_BROKEN_BUILD_BUSY_FOREVER] = transfer_is_refused,
    [SOFTGPU_BROKEN_BUILD_BUSY_FILL] = fill_is_busy,
    [SOFTGPU_BROKEN_BUILD_OVERRUN] = the_pointer_leaves_the_buffer,
    [SOFTGPU_BROKEN_BUILD_BACKWARD] = the_pointer_leaves_the_buffer,
    [SOFTGPU_BROKEN_BUILD_WRITES_BEHIND] = a_guard_is_written,
    [SOFTGPU_BROKEN_BUILD_PRIVATE_OVERRUN] = a_guard_is_written,
    [SOFTGPU_BROKEN_UNMAP_TO_ZERO] = unmap_does_not_show_the_dummy_page,
    [SOFTGPU_BROKEN_UNMAP_IGNORED] = unmap_does_not_show_the_dummy_page,
    [SOFTGPU_BROKEN_FILL_TAIL] = the_tail_of_a_fill_is_missing,
    [SOFTGPU_BROKEN_TRANSFER_LAST_PAGE] = the_last_page_is_missing,
    [SOFTGPU_BROKEN_RAW_PITCHED] = raw_bytes_go_by_rows,
    [SOFTGPU_BROKEN_MULTIPASS_RESTART] = nothing_is_remembered_between_passes,
    [SOFTGPU_BROKEN_FENCE_NEVER_GIVEN] = reports_are_not_5_and_6,
    [SOFTGPU_BROKEN_FENCE_TWICE] = reports_are_not_5_and_6,
    [SOFTGPU_BROKEN_FENCE_EARLY] = a_fence_comes_before_its_work,
    [SOFTGPU_BROKEN_FENCE_BACKWARD] = reports_are_not_5_and_6,
    [SOFTGPU_BROKEN_FENCE_NODE] = reports_are_not_5_and_6,
    [SOFTGPU_BROKEN_NO_DPC] = no_dpc_follows,
    [SOFTGPU_BROKEN_NO_NOTIFY_DPC] = no_dpc_follows,
    [SOFTGPU_BROKEN_NO_INTERRUPT] = reports_are_not_5_and_6,
    [SOFTGPU_BROKEN_PREEMPT_IGNORED] = preemption_has_no_answer,
};

static void every_misbehaviour_shows_only_when_it_is_on(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SOFTGPU_BROKEN_COUNT; i++) {
        struct softgpu_config config = machine_small_config();

        if (i >= SOFTGPU_BROKEN_RANGE_STATUS && i <= SOFTGPU_BROKEN_RANGE_SIZE)
            continue; /* this machine has no views: test/rules/seen_lock1.c shows them */
        assert_non_null(rows[i]);
        if (rows[i](&config))
            fail_msg("%s shows in an honest driver", softgpu_broken_name(i));
        config.broken = (uint64_t)1 << i;
        if (!rows[i](&config))
            fail_msg("%s does not show", softgpu_broken_name(i));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_misbehaviour_shows_only_when_it_is_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
