/* The driver half: its reports, its objects, its refusals. */
#include "test_softgpu_world.h"

/* ---- what the adapter is like ---------------------------------------------------------------- */

static void every_level_fills_its_table_and_no_more(void **state)
{
    static const struct {
        ULONG version;
        size_t size;
    } levels[] = {{DXGKDDI_INTERFACE_VERSION_VISTA, 496},
                  {DXGKDDI_INTERFACE_VERSION_VISTA_SP1, 496},
                  {DXGKDDI_INTERFACE_VERSION_WIN7, 568},
                  {DXGKDDI_INTERFACE_VERSION_WIN8, 664},
                  {DXGKDDI_INTERFACE_VERSION_WDDM1_3, 712}};

    (void)state;
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        DRIVER_INITIALIZATION_DATA data;

        memset(&data, 0x5a, sizeof(data));
        assert_int_equal(softgpu_driver_entry(levels[i].version, &data), STATUS_SUCCESS);
        assert_int_equal(data.Version, levels[i].version);
        assert_non_null(data.DxgkDdiBuildPagingBuffer);
        for (size_t at = levels[i].size; at < sizeof(data); at++)
            assert_int_equal(((unsigned char *)&data)[at], 0x5a);
        assert_int_equal(data.DxgkDdiGetNodeMetadata != NULL &&
                             levels[i].version == DXGKDDI_INTERFACE_VERSION_WDDM1_3,
                         levels[i].version == DXGKDDI_INTERFACE_VERSION_WDDM1_3);
    }
    {
        DRIVER_INITIALIZATION_DATA data;

        memset(&data, 0x5a, sizeof(data));
        assert_false(NT_SUCCESS(softgpu_driver_entry(DXGKDDI_INTERFACE_VERSION_WDDM2_1_5, &data)));
        assert_int_equal(data.Version, 0x5a5a5a5a);
        assert_int_equal(softgpu_driver_version(14), 0);
        assert_int_equal(softgpu_driver_version(33), 0);
    }
}

static void caps_fit_each_level(void **state)
{
    static const UINT sizes[] = {336, 528, 544, 552};

    (void)state;
    for (uint32_t level = 10; level <= 13; level++) {
        struct softgpu_config config = machine_small_config();
        union {
            DXGK_DRIVERCAPS caps;
            unsigned char bytes[600];
        } out;
        UINT size = sizes[level - 10];

        config.wddm = level;
        begin(&config);
        memset(&out, 0x5a, sizeof(out));
        assert_int_equal(query(DXGKQAITYPE_DRIVERCAPS, NULL, 0, &out, size), STATUS_SUCCESS);
        for (size_t at = size; at < sizeof(out); at++)
            assert_int_equal(out.bytes[at], 0x5a);
        assert_int_equal(out.caps.SchedulingCaps.MultiEngineAware, 1);
        assert_int_equal(out.caps.SchedulingCaps.PreemptionAware, level >= 12);
        assert_int_equal(out.caps.GpuEngineTopology.NbAsymetricProcessingNodes, 2);
        assert_int_equal(out.caps.MemoryManagementCaps.PagingNode, 1);
        assert_int_equal(out.caps.ApertureSegmentCommitLimit, 64 * 4096);
        assert_int_equal(query(DXGKQAITYPE_DRIVERCAPS, NULL, 0, &out, size - 1),
                         STATUS_INVALID_PARAMETER);
        assert_refused("DRIVERCAPS");
        end();
    }
}

static void segments_are_told_in_two_passes(void **state)
{
    (void)state;
    begin_small();
    {
        DXGK_SEGMENTDESCRIPTOR3 descriptors[2];
        DXGK_QUERYSEGMENTIN in = {.AgpApertureBase.QuadPart = 0};
        DXGK_QUERYSEGMENTOUT3 out = {.NbSegment = 0};

        memset(descriptors, 0, sizeof(descriptors));
        assert_int_equal(query(DXGKQAITYPE_QUERYSEGMENT3, &in, sizeof(in), &out, sizeof(out)),
                         STATUS_SUCCESS);
        assert_int_equal(out.NbSegment, 2);
        assert_int_equal(out.PagingBufferSize, 0); /* D-285 */
        out.pSegmentDescriptor = descriptors;
        assert_int_equal(query(DXGKQAITYPE_QUERYSEGMENT3, &in, sizeof(in), &out, sizeof(out)),
                         STATUS_SUCCESS);
        assert_int_equal(out.PagingBufferSegmentId, 1);
        assert_int_equal(out.PagingBufferSize, 65536);
        assert_int_equal(out.PagingBufferPrivateDataSize, 1024);
        assert_int_equal(descriptors[0].Flags.Value, 1);
        assert_int_equal(descriptors[1].Flags.Value, 4);
        assert_true((uint64_t)descriptors[1].BaseAddress.QuadPart == SOFTGPU_SEGMENT_BASE(2));
        assert_true((uint64_t)descriptors[1].CpuTranslatedAddress.QuadPart == MACHINE_BAR(1));
        assert_int_equal(descriptors[0].CommitLimit, 64 * 4096);
        assert_int_equal(query(DXGKQAITYPE_QUERYSEGMENT, &in, sizeof(in), &out, sizeof(out)),
                         STATUS_INVALID_PARAMETER);
        assert_refused("QUERYSEGMENT asked of a driver of WDDM 1.3");
        assert_int_equal(query(DXGKQAITYPE_QUERYSEGMENT3, NULL, 0, &out, sizeof(out)),
                         STATUS_INVALID_PARAMETER);
        assert_int_equal(query(DXGKQAITYPE_QUERYSEGMENT4, &in, sizeof(in), &out, sizeof(out)),
                         STATUS_NOT_SUPPORTED);
    }
    end();
}

static void old_levels_have_the_old_segment_query(void **state)
{
    struct softgpu_config config = machine_small_config();
    DXGK_SEGMENTDESCRIPTOR descriptors[2];
    DXGK_QUERYSEGMENTIN in = {.AgpApertureBase.QuadPart = 0};
    DXGK_QUERYSEGMENTOUT out = {.NbSegment = 2, .pSegmentDescriptor = descriptors};

    (void)state;
    config.wddm = 11;
    begin(&config);
    memset(descriptors, 0, sizeof(descriptors));
    assert_int_equal(query(DXGKQAITYPE_QUERYSEGMENT, &in, sizeof(in), &out, sizeof(out)),
                     STATUS_SUCCESS);
    assert_int_equal(descriptors[0].Flags.Aperture, 1);
    assert_int_equal(descriptors[1].Size, 64 * 4096);
    assert_int_equal(out.PagingBufferSegmentId, 1);
    end();
}

static void every_node_has_metadata_and_no_other(void **state)
{
    DXGKARG_GETNODEMETADATA data;

    (void)state;
    begin_small();
    assert_int_equal(world.ddi.DxgkDdiGetNodeMetadata(world.adapter, 0, &data), STATUS_SUCCESS);
    assert_int_equal(data.EngineType, DXGK_ENGINE_TYPE_3D);
    assert_int_equal(world.ddi.DxgkDdiGetNodeMetadata(world.adapter, 1, &data), STATUS_SUCCESS);
    assert_int_equal(data.EngineType, DXGK_ENGINE_TYPE_COPY);
    assert_int_equal(world.ddi.DxgkDdiGetNodeMetadata(world.adapter, 2, &data),
                     STATUS_INVALID_PARAMETER); /* D-296 */
    end();
}

static void a_longer_queue_than_the_rings_is_refused_at_start(void **state)
{
    struct softgpu_config config = machine_small_config();

    (void)state;
    add(&config);
    assert_int_equal(start_device(32), STATUS_INSUFFICIENT_RESOURCES);
    assert_refused("RequiredDmaQueueEntry 32, the rings hold 31");
    assert_int_equal(start_device(31), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiStopDevice(world.adapter), STATUS_SUCCESS);
    assert_int_equal(start_device(8), STATUS_SUCCESS); /* and again */
    end();
}

static void adapters_of_different_kinds_live_side_by_side(void **state)
{
    struct softgpu_config config = machine_small_config();
    static struct world first;
    DXGK_DRIVERCAPS caps;

    (void)state;
    begin(&config);
    first = world;
    config.wddm = 10;
    config.engine_count = 1;
    memset(&world, 0, sizeof(world));
    begin(&config);
    assert_int_equal(query(DXGKQAITYPE_DRIVERCAPS, NULL, 0, &caps, 336), STATUS_SUCCESS);
    assert_int_equal(caps.GpuEngineTopology.NbAsymetricProcessingNodes, 1);
    assert_int_equal(world.ddi.DxgkDdiStopDevice(world.adapter), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiRemoveDevice(world.adapter), STATUS_SUCCESS);
    machine_finish(&world.machine);
    world = first; /* the bus of the first machine is at its old place again */
    assert_int_equal(query(DXGKQAITYPE_DRIVERCAPS, NULL, 0, &caps, 552), STATUS_SUCCESS);
    assert_int_equal(caps.GpuEngineTopology.NbAsymetricProcessingNodes, 2);
    end();
}

/* ---- objects --------------------------------------------------------------------------------- */

static void an_allocation_is_what_user_mode_asked_for(void **state)
{
    struct softgpu_allocation wanted = wanted_of(10000);
    DXGK_ALLOCATIONINFO info;

    (void)state;
    begin_small();
    wanted.alignment = 65536;
    wanted.evict_set = 1;
    assert_int_equal(create(&wanted, 1, &info, NULL), STATUS_SUCCESS);
    assert_int_equal(info.Size, 10000);
    assert_int_equal(info.Alignment, 65536);
    assert_int_equal(info.SupportedReadSegmentSet, 2);
    assert_int_equal(info.SupportedWriteSegmentSet, 2);
    assert_int_equal(info.EvictionSegmentSet, 1);
    assert_int_equal(info.PreferredSegment.Value, 2);
    assert_int_equal(info.AllocationPriority, SOFTGPU_PRIORITY_NORMAL);
    assert_int_equal(info.Flags.CpuVisible, 1);
    destroy(1, &info.hAllocation, NULL);
    end();
}

static void what_no_driver_may_promise_is_refused(void **state)
{
    static const struct {
        size_t offset;
        uint32_t value;
        const char *text;
    } cases[] = {
        {offsetof(struct softgpu_allocation, magic), 0, "magic"},
        {offsetof(struct softgpu_allocation, flags), 1u << 19, "flags"},
        {offsetof(struct softgpu_allocation, size), 0, "size"},
        {offsetof(struct softgpu_allocation, size) + 4, 0x80000000, "size"},
        {offsetof(struct softgpu_allocation, alignment), 12288, "alignment"},
        {offsetof(struct softgpu_allocation, read_set), 4, "read_set"},
        {offsetof(struct softgpu_allocation, write_set), 0x80000000, "write_set"},
        {offsetof(struct softgpu_allocation, evict_set), 2, "evict_set"},
        {offsetof(struct softgpu_allocation, preferred), 1, "preferred"},
        {offsetof(struct softgpu_allocation, preferred), 31, "preferred"},
        {offsetof(struct softgpu_allocation, preferred), 2 << 6, "preferred"},
        {offsetof(struct softgpu_allocation, preferred), 1u << 30, "preferred"},
        {offsetof(struct softgpu_allocation, priority), 0, "priority"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct softgpu_allocation wanted[2] = {wanted_of(4096), wanted_of(4096)};
        DXGK_ALLOCATIONINFO info[2];

        begin_small();
        memcpy((char *)&wanted[1] + cases[i].offset, &cases[i].value, 4);
        assert_int_equal(create(wanted, 2, info, NULL), STATUS_INVALID_PARAMETER);
        assert_refused(cases[i].text);
        end(); /* the first of the two is gone too */
    }
}

static void private_data_that_is_too_short_is_refused(void **state)
{
    struct softgpu_allocation wanted = wanted_of(4096);
    DXGK_ALLOCATIONINFO info = {.pPrivateDriverData = &wanted,
                                .PrivateDriverDataSize = sizeof(wanted) - 1};
    DXGKARG_CREATEALLOCATION args = {.NumAllocations = 1, .pAllocationInfo = &info};

    (void)state;
    begin_small();
    assert_int_equal(world.ddi.DxgkDdiCreateAllocation(world.adapter, &args),
                     STATUS_INVALID_PARAMETER);
    end();
}

static void resources_come_and_go_with_their_allocations(void **state)
{
    struct softgpu_allocation wanted[2] = {wanted_of(4096), wanted_of(8192)};
    DXGK_ALLOCATIONINFO info[2];
    HANDLE resource = NULL, device, handles[2];

    (void)state;
    begin_small();
    assert_int_equal(create(wanted, 2, info, &resource), STATUS_SUCCESS);
    assert_non_null(resource);
    handles[0] = info[0].hAllocation;
    handles[1] = info[1].hAllocation;
    device = create_device();
    close_allocation(device, open_allocation(device, 0, handles[0]));
    destroy(2, handles, resource);
    assert_int_equal(world.ddi.DxgkDdiDestroyDevice(device), STATUS_SUCCESS);
    end();
}

static void a_handle_without_data_cannot_be_opened(void **state)
{
    struct softgpu_allocation wanted = wanted_of(4096);
    DXGK_ALLOCATIONINFO created;
    DXGK_OPENALLOCATIONINFO info[2] = {{.hAllocation = 0x100}, {.hAllocation = 0x107}};
    DXGKARG_OPENALLOCATION args = {.NumAllocations = 2, .pOpenAllocation = info};
    HANDLE device;

    (void)state;
    begin_small();
    device = create_device();
    assert_int_equal(create(&wanted, 1, &created, NULL), STATUS_SUCCESS);
    world.handle_data[0] = created.hAllocation;
    assert_int_equal(world.ddi.DxgkDdiOpenAllocation(device, &args), STATUS_INVALID_HANDLE);
    assert_refused("handle 0x107 has no data");
    destroy(1, &created.hAllocation, NULL);
    world.ddi.DxgkDdiDestroyDevice(device);
    end();
}

static void standard_allocations_are_described_in_two_calls(void **state)
{
    D3DKMDT_SHADOWSURFACEDATA shadow = {.Width = 100, .Height = 50, .Format = D3DDDIFMT_X8R8G8B8};
    struct softgpu_allocation wanted;
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA args = {.StandardAllocationType =
                                                        D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE,
                                                    .pCreateShadowSurfaceData = &shadow};
    DXGKARG_DESCRIBEALLOCATION description;
    DXGK_ALLOCATIONINFO info;

    (void)state;
    begin_small();
    assert_int_equal(world.ddi.DxgkDdiGetStandardAllocationDriverData(world.adapter, &args),
                     STATUS_SUCCESS);
    assert_int_equal(args.AllocationPrivateDriverDataSize, sizeof(wanted));
    assert_int_equal(shadow.Pitch, 0); /* D-057 */
    args.pAllocationPrivateDriverData = &wanted;
    assert_int_equal(world.ddi.DxgkDdiGetStandardAllocationDriverData(world.adapter, &args),
                     STATUS_SUCCESS);
    assert_int_equal(shadow.Pitch, 448);
    assert_int_equal(wanted.size, 448 * 50);
    assert_int_equal(create(&wanted, 1, &info, NULL), STATUS_SUCCESS);
    description.hAllocation = info.hAllocation;
    assert_int_equal(world.ddi.DxgkDdiDescribeAllocation(world.adapter, &description),
                     STATUS_SUCCESS);
    assert_int_equal(description.Width, 100);
    assert_int_equal(description.Format, D3DDDIFMT_X8R8G8B8);
    destroy(1, &info.hAllocation, NULL);
    end();
}

/* AddDevice, a device, a context, a resource of two allocations, an open: each allocation of pool
 * fails once, and nothing is left behind. */
static bool everything_once(void)
{
    struct softgpu_config config = machine_small_config();
    struct softgpu_allocation wanted[2] = {wanted_of(4096), wanted_of(8192)};
    DXGK_ALLOCATIONINFO info[2];
    DXGKARG_CREATEDEVICE device = {.hDevice = &world};
    DXGKARG_CREATECONTEXT context = {.NodeOrdinal = 0, .EngineAffinity = 1};
    DXGK_OPENALLOCATIONINFO opened = {.hAllocation = 0x100};
    DXGKARG_OPENALLOCATION open = {.NumAllocations = 1, .pOpenAllocation = &opened};
    HANDLE resource = NULL, handles[2];
    bool done = false;

    memset(&world, 0, sizeof(world));
    machine_init(&world.machine);
    machine_plug(&world.machine, &config);
    softgpu_driver_entry(softgpu_driver_version(13), &world.ddi);
    if (!NT_SUCCESS(world.ddi.DxgkDdiAddDevice(NULL, &world.adapter))) {
        machine_finish(&world.machine);
        return false;
    }
    assert_int_equal(start_device(31), STATUS_SUCCESS);
    if (NT_SUCCESS(world.ddi.DxgkDdiCreateDevice(world.adapter, &device))) {
        if (NT_SUCCESS(world.ddi.DxgkDdiCreateContext(device.hDevice, &context))) {
            if (NT_SUCCESS(create(wanted, 2, info, &resource))) {
                handles[0] = world.handle_data[0] = info[0].hAllocation;
                handles[1] = info[1].hAllocation;
                done = NT_SUCCESS(world.ddi.DxgkDdiOpenAllocation(device.hDevice, &open));
                if (done)
                    close_allocation(device.hDevice, opened.hDeviceSpecificAllocation);
                destroy(2, handles, resource);
            }
            world.ddi.DxgkDdiDestroyContext(context.hContext);
        }
        world.ddi.DxgkDdiDestroyDevice(device.hDevice);
    }
    end();
    return done;
}

static void every_allocation_of_pool_fails_once(void **state)
{
    uint32_t n = 1;

    (void)state;
    for (;; n++) {
        bool done;

        softgpu_pool_fail_at(n);
        done = everything_once();
        softgpu_pool_fail_at(0);
        assert_int_equal(softgpu_pool_outstanding(), 0);
        if (done)
            break;
    }
    assert_int_equal(n, 8); /* adapter, device, context, resource, two allocations, open */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_fills_its_table_and_no_more),
        cmocka_unit_test(caps_fit_each_level),
        cmocka_unit_test(segments_are_told_in_two_passes),
        cmocka_unit_test(old_levels_have_the_old_segment_query),
        cmocka_unit_test(every_node_has_metadata_and_no_other),
        cmocka_unit_test(a_longer_queue_than_the_rings_is_refused_at_start),
        cmocka_unit_test(adapters_of_different_kinds_live_side_by_side),
        cmocka_unit_test(an_allocation_is_what_user_mode_asked_for),
        cmocka_unit_test(what_no_driver_may_promise_is_refused),
        cmocka_unit_test(private_data_that_is_too_short_is_refused),
        cmocka_unit_test(resources_come_and_go_with_their_allocations),
        cmocka_unit_test(a_handle_without_data_cannot_be_opened),
        cmocka_unit_test(standard_allocations_are_described_in_two_calls),
        cmocka_unit_test(every_allocation_of_pool_fails_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
