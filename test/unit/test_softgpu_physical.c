/* The driver half at WDDM 2.x and 3.x, without page tables: the same requests in other words there,
 * and processes. */
#include "test_softgpu_world.h"

static const uint32_t levels[] = {20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

#define LEVELS (sizeof(levels) / sizeof(levels[0]))

static void begin_level(uint32_t level)
{
    struct softgpu_config config = machine_small_config();

    config.wddm = level;
    begin(&config);
}

static void the_table_of_each_level_is_filled_and_no_more(void **state)
{
    static const size_t sizes[LEVELS] = {832,  880,  1032, 1056, 1152, 1192, 1224,
                                         1232, 1232, 1264, 1296, 1376, 1544};

    (void)state;
    for (size_t i = 0; i < LEVELS; i++) {
        DRIVER_INITIALIZATION_DATA data;
        ULONG version = softgpu_driver_version(levels[i]);

        memset(&data, 0x5a, sizeof(data));
        assert_int_equal(softgpu_driver_entry(version, &data), STATUS_SUCCESS);
        assert_int_equal(data.Version, version);
        assert_ptr_equal(data.DxgkDdiSetPowerPState, NULL);
        assert_true(data.DxgkDdiCreateProcess != NULL && data.DxgkDdiDestroyProcess != NULL);
        for (size_t at = sizes[i]; at < sizeof(data); at++)
            assert_int_equal(((unsigned char *)&data)[at], 0x5a);
        for (size_t at = sizes[i] - 8; at < sizes[i]; at++)
            assert_int_not_equal(((unsigned char *)&data)[at], 0x5a);
    }
}

static void caps_fit_each_level(void **state)
{
    static const UINT sizes[LEVELS] = {576, 576, 576, 576, 584, 584, 584,
                                       584, 584, 592, 592, 592, 592};

    (void)state;
    for (size_t i = 0; i < LEVELS; i++) {
        union {
            DXGK_DRIVERCAPS caps;
            unsigned char bytes[640];
        } out;

        begin_level(levels[i]);
        memset(&out, 0x5a, sizeof(out));
        assert_int_equal(query(DXGKQAITYPE_DRIVERCAPS, NULL, 0, &out, sizes[i]), STATUS_SUCCESS);
        for (size_t at = sizes[i]; at < sizeof(out); at++)
            assert_int_equal(out.bytes[at], 0x5a);
        assert_int_equal(out.caps.SchedulingCaps.PreemptionAware, 1);
        assert_int_equal(out.caps.MemoryManagementCaps.Value, 0); /* neither MMU */
        assert_int_equal(query(DXGKQAITYPE_DRIVERCAPS, NULL, 0, &out, sizes[i] - 1),
                         STATUS_INVALID_PARAMETER);
        end();
    }
}

static void the_physical_adapter_names_its_paging_node(void **state)
{
    (void)state;
    for (size_t i = 0; i < LEVELS; i++) {
        DXGK_QUERYPHYSICALADAPTERCAPSIN in = {.PhysicalAdapterIndex = 0};
        UINT size = levels[i] < 27 ? 24 : 32;
        union {
            DXGK_PHYSICALADAPTERCAPS caps;
            unsigned char bytes[64];
        } out;

        begin_level(levels[i]);
        memset(&out, 0x5a, sizeof(out));
        assert_int_equal(query(DXGKQAITYPE_PHYSICALADAPTERCAPS, &in, sizeof(in), &out, size),
                         STATUS_SUCCESS);
        assert_int_equal(out.caps.NumExecutionNodes, 2);
        assert_int_equal(out.caps.PagingNodeIndex, 1);
        assert_int_equal(out.caps.Flags.Value, 0);
        for (size_t at = size; at < sizeof(out); at++)
            assert_int_equal(out.bytes[at], 0x5a);
        in.PhysicalAdapterIndex = 1;
        assert_int_equal(query(DXGKQAITYPE_PHYSICALADAPTERCAPS, &in, sizeof(in), &out, size),
                         STATUS_INVALID_PARAMETER);
        assert_refused("PHYSICALADAPTERCAPS: adapter 1 of 1");
        end();
    }
}

/* Descriptors that lie a stride apart, and a guard behind each. */
struct strided {
    DXGK_SEGMENTDESCRIPTOR4 descriptor;
    unsigned char guard[8];
};

static void segments_are_described_a_stride_apart(void **state)
{
    struct strided described[2];
    DXGK_QUERYSEGMENTIN4 in = {.PhysicalAdapterIndex = 0};
    DXGK_QUERYSEGMENTOUT4 out = {.SegmentDescriptorStride = sizeof(struct strided)};

    (void)state;
    begin_level(20);
    assert_int_equal(query(DXGKQAITYPE_QUERYSEGMENT4, &in, sizeof(in), &out, sizeof(out)),
                     STATUS_SUCCESS);
    assert_int_equal(out.NbSegment, 2);
    memset(described, 0x5a, sizeof(described));
    out.pSegmentDescriptor = (BYTE *)described;
    assert_int_equal(query(DXGKQAITYPE_QUERYSEGMENT4, &in, sizeof(in), &out, sizeof(out)),
                     STATUS_SUCCESS);
    for (int i = 0; i < 2; i++) {
        const DXGK_SEGMENTDESCRIPTOR4 *at = &described[i].descriptor;

        assert_int_equal(at->Flags.Aperture, i == 0);
        assert_int_equal(at->Flags.CpuVisible, i == 1);
        assert_int_equal(at->Flags.ApplicationTarget, i == 1);
        assert_int_equal(at->Flags.LocalBudgetGroup, i == 1);
        assert_int_equal(at->Flags.NonLocalBudgetGroup, i == 0);
        assert_true((uint64_t)at->BaseAddress.QuadPart == SOFTGPU_SEGMENT_BASE(i + 1));
        assert_int_equal(at->Size, 64 * 4096);
        assert_int_equal(at->NumInvalidMemoryRanges, 0);
        for (int k = 0; k < 8; k++)
            assert_int_equal(described[i].guard[k], 0x5a);
    }
    assert_int_equal(out.PagingBufferSegmentId, 1);
    assert_int_equal(out.PagingBufferSize, 65536);
    assert_int_equal(query(DXGKQAITYPE_QUERYSEGMENT3, &in, sizeof(in), &out, sizeof(out)),
                     STATUS_INVALID_PARAMETER);
    assert_refused("QUERYSEGMENT3 asked of a driver of WDDM 2.0");
    end();
}

static void nodes_say_that_they_have_no_mmu(void **state)
{
    DXGKARG_GETNODEMETADATA data;

    (void)state;
    begin_level(20);
    memset(&data, 0x5a, sizeof(data));
    assert_int_equal(world.ddi.DxgkDdiGetNodeMetadata(world.adapter, 1, &data), STATUS_SUCCESS);
    assert_int_equal(data.EngineType, DXGK_ENGINE_TYPE_COPY);
    assert_int_equal(data.GpuMmuSupported, 0);
    assert_int_equal(data.IoMmuSupported, 0);
    end();
}

static NTSTATUS create_process(HANDLE *process, UINT pasids)
{
    ULONG pasid = 7;
    DXGKARG_CREATEPROCESS args = {
        .hDxgkProcess = &world, .NumPasid = pasids, .pPasid = &pasid, .Flags.SystemProcess = 1};
    NTSTATUS status = world.ddi.DxgkDdiCreateProcess(world.adapter, &args);

    *process = args.hKmdProcess;
    return status;
}

static void a_process_outlives_its_devices(void **state)
{
    DXGKARG_CREATEDEVICE args = {.hDevice = &world};
    HANDLE process, device;

    (void)state;
    begin_level(20);
    for (UINT pasids = 0; pasids < 2; pasids++) { /* W-008 */
        assert_int_equal(create_process(&process, pasids), STATUS_SUCCESS);
        assert_int_equal(world.ddi.DxgkDdiDestroyProcess(world.adapter, process), STATUS_SUCCESS);
    }
    assert_int_equal(create_process(&process, 1), STATUS_SUCCESS);
    args.hKmdProcess = process;
    assert_int_equal(world.ddi.DxgkDdiCreateDevice(world.adapter, &args), STATUS_SUCCESS);
    device = args.hDevice;
    assert_int_equal(world.ddi.DxgkDdiDestroyProcess(world.adapter, process),
                     STATUS_INVALID_PARAMETER);
    assert_refused("DestroyProcess: the process has 1 devices");
    assert_int_equal(world.ddi.DxgkDdiDestroyDevice(device), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiDestroyProcess(world.adapter, process), STATUS_SUCCESS);
    end();
}

static void a_device_names_a_process_of_its_adapter(void **state)
{
    DXGKARG_CREATEDEVICE args = {.hDevice = &world};

    (void)state;
    begin_level(20);
    args.hKmdProcess = world.adapter; /* a handle, and no process */
    assert_int_equal(world.ddi.DxgkDdiCreateDevice(world.adapter, &args), STATUS_INVALID_PARAMETER);
    assert_int_equal(world.ddi.DxgkDdiDestroyProcess(world.adapter, world.adapter),
                     STATUS_INVALID_PARAMETER);
    end();
}

static NTSTATUS create_flagged(uint32_t level, UINT flags, DXGK_ALLOCATIONINFO *info)
{
    struct softgpu_allocation wanted = wanted_of(5 * 4096);
    NTSTATUS status;

    begin_level(level);
    wanted.flags = flags;
    wanted.renaming = 5;
    status = create(&wanted, 1, info, NULL);
    if (NT_SUCCESS(status))
        destroy(1, &info->hAllocation, NULL);
    end();
    return status;
}

/* DisableLargePageMapping is where Swizzled was, MapApertureCpuVisible where LinkInstanced was. */
static void the_flag_word_is_that_of_2_0(void **state)
{
    DXGK_ALLOCATIONINFO info;

    (void)state;
    assert_int_equal(create_flagged(13, 1u << 7, &info), STATUS_SUCCESS);
    assert_int_equal(info.Size, 8 * 4096);
    assert_int_equal(info.MaximumRenamingListLength, 5);
    assert_int_equal(create_flagged(20, 1u << 7, &info), STATUS_SUCCESS);
    assert_int_equal(info.Size, 5 * 4096);
    assert_int_equal(info.Alignment, 0);
    assert_int_equal(info.FlagsWddm2.DisableLargePageMapping, 1);
    assert_int_equal(info.PhysicalAdapterIndex, 0);
    for (UINT bit = 0; bit < 32; bit++) {
        BOOLEAN named = bit <= 18 && bit != 10 && bit != 11 && bit != 12 && bit != 13;

        assert_int_equal(NT_SUCCESS(create_flagged(20, 1u << bit, &info)), named);
        assert_int_equal(NT_SUCCESS(create_flagged(21, 1u << bit, &info)), named || bit == 10);
        assert_int_equal(NT_SUCCESS(create_flagged(29, 1u << bit, &info)),
                         named || bit == 10 || bit == 13);
    }
}

static void a_context_says_that_it_needs_patching(void **state)
{
    DXGKARG_CREATECONTEXT args = {.EngineAffinity = 1};
    HANDLE device;

    (void)state;
    begin_level(20);
    device = create_device();
    memset(&args.ContextInfo, 0x5a, sizeof(args.ContextInfo));
    assert_int_equal(world.ddi.DxgkDdiCreateContext(device, &args), STATUS_SUCCESS);
    assert_int_equal(args.ContextInfo.Caps.Value, 0);
    assert_int_equal(args.ContextInfo.PagingCompanionNodeId, 0);
    assert_int_equal(args.ContextInfo.PatchLocationListSize, 1024);
    assert_int_equal(world.ddi.DxgkDdiDestroyContext(args.hContext), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiDestroyDevice(device), STATUS_SUCCESS);
    end();
}

/* D-077 */
static void operations_of_1_x_are_refused_by_name(void **state)
{
    static const DXGK_BUILDPAGINGBUFFER_OPERATION operations[] = {
        DXGK_OPERATION_READ_PHYSICAL, DXGK_OPERATION_WRITE_PHYSICAL,
        DXGK_OPERATION_SPECIAL_LOCK_TRANSFER, DXGK_OPERATION_VIRTUAL_FILL};

    (void)state;
    for (int habit = 0; habit < 2; habit++)
        for (size_t i = 0; i < 4; i++) {
            struct softgpu_config config = machine_small_config();
            unsigned char *before;

            config.wddm = 20;
            config.habit = habit ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
            begin_paging(&config);
            before = buffer.args.pDmaBuffer;
            memset(&buffer.args.Reserved, 0, sizeof(buffer.args.Reserved));
            buffer.args.Operation = operations[i];
            assert_int_equal(world.ddi.DxgkDdiBuildPagingBuffer(world.adapter, &buffer.args),
                             STATUS_NOT_SUPPORTED);
            assert_ptr_equal(buffer.args.pDmaBuffer, before);
            assert_refused("is not for a driver of 2.0");
            end();
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_of_each_level_is_filled_and_no_more),
        cmocka_unit_test(caps_fit_each_level),
        cmocka_unit_test(the_physical_adapter_names_its_paging_node),
        cmocka_unit_test(segments_are_described_a_stride_apart),
        cmocka_unit_test(nodes_say_that_they_have_no_mmu),
        cmocka_unit_test(a_process_outlives_its_devices),
        cmocka_unit_test(a_device_names_a_process_of_its_adapter),
        cmocka_unit_test(the_flag_word_is_that_of_2_0),
        cmocka_unit_test(a_context_says_that_it_needs_patching),
        cmocka_unit_test(operations_of_1_x_are_refused_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
