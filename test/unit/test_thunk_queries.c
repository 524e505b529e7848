/* test_thunk_queries.c: what an adapter is and what it has done, by thunks alone. */
#include "test_thunk_rig.h"

#define BARE_GPU "wddm 1.2\nsegment 1 aperture 1M\nsegment 2 memory 1M\n"

static NTSTATUS query(struct thunk_program *program, KMTQUERYADAPTERINFOTYPE type, void *data,
                      UINT size)
{
    D3DKMT_QUERYADAPTERINFO arguments = {program->adapter, type, data, size};

    return vidmm_thunk_QueryAdapterInfo(program->process, &arguments);
}

static void open_adapter(void)
{
    D3DKMT_OPENADAPTERFROMLUID open = {.AdapterLuid = THUNK_LUID};

    succeeds(vidmm_thunk_OpenAdapterFromLuid(one.process, &open));
    one.adapter = open.hAdapter;
}

/* A process that is alone may have all of a group. */
static uint64_t budget_of(D3DKMT_MEMORY_SEGMENT_GROUP group)
{
    D3DKMT_QUERYVIDEOMEMORYINFO arguments = {.hAdapter = one.adapter, .MemorySegmentGroup = group};

    succeeds(vidmm_thunk_QueryVideoMemoryInfo(one.process, &arguments));
    return arguments.Budget;
}

#define ASK(Type, data) succeeds(query(&one, KMTQAITYPE_##Type, &(data), sizeof(data)))

/* Each answer differs between two adapters that differ in it. */
static void the_answers_are_the_adapters(void **state)
{
    D3DKMT_SEGMENTGROUPSIZEINFO sizes = {0};
    D3DKMT_DRIVERVERSION version = 0;
    D3DKMT_ADAPTERTYPE type = {0};
    D3DKMT_PHYSICAL_ADAPTER_COUNT count = {0};
    D3DKMT_WDDM_2_0_CAPS caps = {0};
    D3DKMT_VIRTUALADDRESSINFO addresses = {0};
    D3DKMT_QUERY_GPUMMU_CAPS mmu = {0};

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    ASK(DRIVERVERSION, version);
    assert_int_equal(version, KMT_DRIVERVERSION_WDDM_2_6);
    ASK(ADAPTERTYPE, type);
    assert_true(type.RenderSupported);
    ASK(PHYSICALADAPTERCOUNT, count);
    assert_int_equal(count.Count, 1);
    ASK(WDDM_2_0_CAPS, caps);
    assert_true(caps.GpuMmuSupported && caps.Support64BitAtomics && !caps.IoMmuSupported);
    ASK(VIRTUALADDRESSINFO, addresses);
    assert_true(addresses.VirtualAddressFlags.VirtualAddressSupported);
    ASK(QUERY_GPUMMU_CAPS, mmu);
    assert_in_range(mmu.Caps.VirtualAddressBitCount, 32, 64);
    ASK(GETSEGMENTGROUPSIZE, sizes);
    assert_int_equal(sizes.LocalMemory, 2 << 20);
    assert_int_equal(sizes.LocalMemory, budget_of(D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL));
    assert_int_equal(sizes.NonLocalMemory, budget_of(D3DKMT_MEMORY_SEGMENT_GROUP_NON_LOCAL));
    assert_int_equal(sizes.NonLocalMemory + sizes.NonBudgetMemory, 1 << 20);
    assert_int_equal(sizes.LegacyInfo.DedicatedVideoMemorySize, 2 << 20);
    sizes.PhysicalAdapterIndex = 1;
    refused(query(&one, KMTQAITYPE_GETSEGMENTGROUPSIZE, &sizes, sizeof(sizes)),
            "PhysicalAdapterIndex is 1; expected 0 to 0");
    thunk_finish();

    thunk_start(BARE_GPU);
    open_adapter();
    ASK(DRIVERVERSION, version);
    assert_int_equal(version, KMT_DRIVERVERSION_WDDM_1_2);
    ASK(WDDM_2_0_CAPS, caps);
    assert_false(caps.GpuMmuSupported);
    ASK(VIRTUALADDRESSINFO, addresses);
    assert_false(addresses.VirtualAddressFlags.VirtualAddressSupported);
    refused_with(query(&one, KMTQAITYPE_QUERY_GPUMMU_CAPS, &mmu, sizeof(mmu)), STATUS_NOT_SUPPORTED,
                 "no page tables");
    thunk_finish();
}

/* Caps, nodes and numbers of the bus are what driver and machine say. */
static void caps_follow_the_driver(void **state)
{
    D3DKMT_WDDM_1_2_CAPS twelve = {0};
    D3DKMT_WDDM_1_3_CAPS thirteen = {0};
    D3DKMT_NODEMETADATA node = {.NodeOrdinalAndAdapterIndex = 99};
    D3DKMT_QUERY_DEVICE_IDS ids = {.DeviceIds = {.BusType = 77}};
    uint16_t vendor = 0, device = 0;
    const struct vidmm_host *host;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    host = vidmm_slot_host(thunk_rig.slot);
    ASK(WDDM_1_2_CAPS, twelve);
    assert_int_equal(twelve.SupportKernelModeCommandBuffer,
                     thunk_rig.driver.DxgkDdiRenderKm != NULL);
    ASK(WDDM_1_3_CAPS, thirteen);
    assert_false(thirteen.IsHybridDiscreteGPU || thirteen.IsHybridIntegratedGPU);
    refused(query(&one, KMTQAITYPE_NODEMETADATA, &node, sizeof(node)), "node is 99");
    node.NodeOrdinalAndAdapterIndex = 0;
    ASK(NODEMETADATA, node);
    assert_true(node.NodeData.GpuMmuSupported);
    assert_true(host->read_config(host->context, 0, &vendor, sizeof(vendor)));
    assert_true(host->read_config(host->context, 2, &device, sizeof(device)));
    ASK(PHYSICALADAPTERDEVICEIDS, ids);
    assert_int_equal(ids.DeviceIds.VendorID, vendor);
    assert_int_equal(ids.DeviceIds.DeviceID, device);
    assert_int_equal(ids.DeviceIds.BusType, 77);
    thunk_finish();
}

static DXGKDDI_GETNODEMETADATA *metadata_really;

static NTSTATUS named(HANDLE adapter, UINT node, DXGKARG_GETNODEMETADATA *metadata)
{
    static const WCHAR name[] = {'O', 'd', 'd', 0x20ac, 0};
    NTSTATUS status = metadata_really(adapter, node, metadata);

    metadata->EngineType = DXGK_ENGINE_TYPE_OTHER;
    memcpy(metadata->FriendlyName, name, sizeof(name));
    return status;
}

static void name_node(DRIVER_INITIALIZATION_DATA *driver)
{
    metadata_really = driver->DxgkDdiGetNodeMetadata;
    driver->DxgkDdiGetNodeMetadata = named;
}

/* A node of no type that has a name has one of its own. */
static void a_node_tells_its_name(void **state)
{
    static const WCHAR name[] = {'O', 'd', 'd', 0x20ac, 0};
    D3DKMT_NODEMETADATA node = {0};

    (void)state;
    thunk_bend = name_node;
    thunk_start(THUNK_GPU);
    thunk_bend = NULL;
    begin_program(&one);
    ASK(NODEMETADATA, node);
    assert_int_equal(node.NodeData.EngineType, DXGK_ENGINE_TYPE_OTHER);
    assert_memory_equal(node.NodeData.FriendlyName, name, sizeof(name));
    thunk_finish();
}

/* A type of question that nobody can answer here is counted. */
static void unknown_questions_are_counted(void **state)
{
    D3DKMT_ADAPTERADDRESS place = {0};
    D3DKMT_GETDEVICESTATE device = {.StateType = D3DKMT_DEVICESTATE_PRESENT};

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    refused_with(query(&one, KMTQAITYPE_ADAPTERADDRESS, &place, sizeof(place)),
                 STATUS_NOT_SUPPORTED, "Type is 6");
    assert_int_equal(vidmm_thunk_missed(one.process, VIDMM_THUNK_QueryAdapterInfo), 1);
    device.hDevice = one.device;
    refused_with(vidmm_thunk_GetDeviceState(one.process, &device), STATUS_NOT_SUPPORTED,
                 "StateType is 2");
    assert_int_equal(vidmm_thunk_missed(one.process, VIDMM_THUNK_GetDeviceState), 1);
    thunk_finish();
}

/* ---- statistics ------------------------------------------------------------------------------ */

static D3DKMT_QUERYSTATISTICS_RESULT statistics(D3DKMT_QUERYSTATISTICS_TYPE type, ULONG number)
{
    D3DKMT_QUERYSTATISTICS arguments = {.Type = type, .AdapterLuid = THUNK_LUID};

    arguments.QuerySegment.SegmentId = number;
    succeeds(vidmm_thunk_QueryStatistics(one.process, &arguments));
    return arguments.QueryResult;
}

/* An allocation that becomes resident is in the segment, the transfers and the usage, and one that
 * is evicted is not. */
static void statistics_count_what_happens(void **state)
{
    enum { PAGES = 16, BYTES = PAGES * VIDMM_PAGE_SIZE };

    D3DKMT_QUERYSTATISTICS_RESULT before, after;
    D3DKMT_HANDLE allocation;
    D3DKMT_EVICT evict = {.NumAllocations = 1, .AllocationList = &allocation};
    D3DKMT_QUERYSTATISTICS refusal = {.Type = D3DKMT_QUERYSTATISTICS_SEGMENT,
                                      .AdapterLuid = THUNK_LUID};
    uint64_t resident, usage;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    vidmm_machine_settle(thunk_rig.machine);
    allocation = thunk_create(&one, PAGES);
    before = statistics(D3DKMT_QUERYSTATISTICS_SEGMENT, 1);
    assert_int_equal(before.SegmentInformation.CommitLimit, 2 << 20);
    assert_int_equal(before.SegmentInformation.Aperture, 0);
    assert_int_equal(statistics(D3DKMT_QUERYSTATISTICS_SEGMENT, 0).SegmentInformation.Aperture, 1);
    resident = before.SegmentInformation.BytesResident;
    usage = statistics(D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP, 0)
                .ProcessSegmentGroupInformation.Usage;
    before = statistics(D3DKMT_QUERYSTATISTICS_ADAPTER, 0);
    assert_int_equal(before.AdapterInformation.NbSegments, 2);
    thunk_make_resident(&one, allocation);
    vidmm_machine_settle(thunk_rig.machine);
    assert_int_equal(statistics(D3DKMT_QUERYSTATISTICS_SEGMENT, 1).SegmentInformation.BytesResident,
                     resident + BYTES);
    assert_int_equal(statistics(D3DKMT_QUERYSTATISTICS_PROCESS_SEGMENT_GROUP, 0)
                         .ProcessSegmentGroupInformation.Usage,
                     usage + BYTES);
    after = statistics(D3DKMT_QUERYSTATISTICS_ADAPTER, 0);
    assert_int_equal(after.AdapterInformation.PagingTransfer.BytesTransferredFromMdlToMemory +
                         after.AdapterInformation.PagingTransfer.BytesFilled,
                     before.AdapterInformation.PagingTransfer.BytesTransferredFromMdlToMemory +
                         before.AdapterInformation.PagingTransfer.BytesFilled + BYTES);
    evict.hDevice = one.device;
    succeeds(vidmm_thunk_Evict(one.process, &evict));
    vidmm_machine_settle(thunk_rig.machine);
    before = statistics(D3DKMT_QUERYSTATISTICS_ADAPTER, 0);
    assert_int_equal(before.AdapterInformation.PagingFault.Evictions.Count,
                     after.AdapterInformation.PagingFault.Evictions.Count + 1);
    assert_int_equal(statistics(D3DKMT_QUERYSTATISTICS_SEGMENT, 1).SegmentInformation.BytesResident,
                     resident);
    refusal.QuerySegment.SegmentId = 2;
    refused(vidmm_thunk_QueryStatistics(one.process, &refusal), "SegmentId is 2; expected 0 to 1");
    thunk_finish();
}

/* The GPU writes a page at the address. */
static void write_at(uint64_t gpuva)
{
    succeeds(thunk_touch(&one, gpuva, 1, 1, 0));
    vidmm_machine_settle(thunk_rig.machine);
}

/* Packets of programs and of paging are counted apart, and their time together. */
static void a_node_tells_what_it_ran(void **state)
{
    D3DKMT_QUERYSTATISTICS refusal = {.Type = D3DKMT_QUERYSTATISTICS_NODE,
                                      .AdapterLuid = THUNK_LUID};
    D3DKMT_QUERYSTATISTICS_NODE_INFORMATION before, after;
    const D3DKMT_QUERYSTATISTICS_DMA_PACKET_TYPE_INFORMATION *packets;
    D3DKMT_HANDLE allocation;
    uint64_t address;

    (void)state;
    thunk_start(THUNK_GPU "engines render\n");
    begin_program(&one);
    allocation = thunk_create(&one, 16);
    vidmm_machine_settle(thunk_rig.machine);
    before = statistics(D3DKMT_QUERYSTATISTICS_NODE, 0).NodeInformation;
    thunk_make_resident(&one, allocation);
    address = thunk_map(&one, allocation, 16);
    vidmm_machine_settle(thunk_rig.machine);
    after = statistics(D3DKMT_QUERYSTATISTICS_NODE, 0).NodeInformation;
    packets = after.GlobalInformation.PacketStatistics.DmaPacket;
    assert_true(packets[D3DKMT_SystemPagingBuffer].PacketSubmited >
                before.GlobalInformation.PacketStatistics.DmaPacket[D3DKMT_SystemPagingBuffer]
                    .PacketSubmited);
    assert_int_equal(packets[D3DKMT_SystemPagingBuffer].PacketCompleted,
                     packets[D3DKMT_SystemPagingBuffer].PacketSubmited);
    assert_int_equal(packets[D3DKMT_ClientRenderBuffer].PacketSubmited, 0);
    assert_memory_equal(&after.SystemInformation.PacketStatistics,
                        &after.GlobalInformation.PacketStatistics,
                        sizeof(after.SystemInformation.PacketStatistics));
    assert_true(after.SystemInformation.RunningTime.QuadPart >
                before.SystemInformation.RunningTime.QuadPart);
    assert_int_equal(after.GlobalInformation.RunningTime.QuadPart,
                     after.SystemInformation.RunningTime.QuadPart);
    before = after;
    write_at(address);
    after = statistics(D3DKMT_QUERYSTATISTICS_NODE, 0).NodeInformation;
    assert_int_equal(packets[D3DKMT_ClientRenderBuffer].PacketSubmited, 1);
    assert_int_equal(packets[D3DKMT_ClientRenderBuffer].PacketCompleted, 1);
    assert_int_equal(packets[D3DKMT_ClientRenderBuffer].PacketFaulted, 0);
    assert_int_equal(after.SystemInformation.RunningTime.QuadPart,
                     before.SystemInformation.RunningTime.QuadPart);
    assert_true(after.GlobalInformation.RunningTime.QuadPart >
                before.GlobalInformation.RunningTime.QuadPart);
    refusal.QueryNode.NodeId = 99;
    refused(vidmm_thunk_QueryStatistics(one.process, &refusal), "NodeId is 99; expected 0 to");
    thunk_finish();
}

/* A page fault is told with its address. */
static void a_page_fault_is_told(void **state)
{
    struct softgpu_statistics gpu;
    D3DKMT_GETDEVICESTATE device = {.StateType = D3DKMT_DEVICESTATE_EXECUTION};
    D3DKMT_QUERYSTATISTICS_NODE_INFORMATION node;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    device.hDevice = one.device;
    succeeds(vidmm_thunk_GetDeviceState(one.process, &device));
    assert_int_equal(device.ExecutionState, D3DKMT_DEVICEEXECUTION_ACTIVE);
    write_at(0x7000000);
    succeeds(vidmm_thunk_GetDeviceState(one.process, &device));
    assert_int_equal(device.ExecutionState, D3DKMT_DEVICEEXECUTION_ERROR_DMAPAGEFAULT);
    device.StateType = D3DKMT_DEVICESTATE_PAGE_FAULT;
    succeeds(vidmm_thunk_GetDeviceState(one.process, &device));
    assert_int_equal(device.PageFaultState.FaultedVirtualAddress, 0x7000000);
    softgpu_device_statistics(thunk_rig.gpu, &gpu);
    assert_int_equal(gpu.page_faults, 1);
    node = statistics(D3DKMT_QUERYSTATISTICS_NODE, 0).NodeInformation;
    assert_int_equal(
        node.GlobalInformation.PacketStatistics.DmaPacket[D3DKMT_ClientRenderBuffer].PacketFaulted,
        1);
    thunk_finish_after_faults();
}

/* No hardware schedules, nothing is virtual, no driver is replaced, and there is no registry. */
static void what_the_machine_has_not_is_told(void **state)
{
    D3DKMT_WDDM_2_7_CAPS newer = {.Value = 1};
    D3DKMT_WDDM_2_9_CAPS newest = {.Value = 1};
    D3DKMT_WDDM_3_0_CAPS flips = {.Value = 1};
    D3DKMT_CROSSADAPTERRESOURCE_SUPPORT crossing = {D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER_COPY};
    D3DKMT_PARAVIRTUALIZATION container = {1};
    D3DKMT_TRACKEDWORKLOAD_SUPPORT tracked = {.Support = 1};
    BOOL updated = 1;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    ASK(WDDM_2_7_CAPS, newer);
    ASK(WDDM_2_9_CAPS, newest);
    ASK(WDDM_3_0_CAPS, flips);
    assert_true(newer.Value == 0 && newest.Value == 0 && flips.Value == 0);
    ASK(CROSSADAPTERRESOURCE_SUPPORT, crossing);
    assert_int_equal(crossing.SupportTier, D3DKMT_CROSSADAPTERRESOURCE_SUPPORT_TIER_NONE);
    ASK(CHECKDRIVERUPDATESTATUS, updated);
    assert_false(updated);
    updated = 1;
    ASK(CHECKDRIVERUPDATESTATUS_RENDER, updated);
    assert_false(updated);
    ASK(PARAVIRTUALIZATION_RENDER, container);
    assert_false(container.SecureContainer);
    ASK(TRACKEDWORKLOAD_SUPPORT, tracked);
    assert_false(tracked.Support);
    tracked.PhysicalAdapterIndex = 1;
    refused(query(&one, KMTQAITYPE_TRACKEDWORKLOAD_SUPPORT, &tracked, sizeof(tracked)),
            "expected 0 to 0");
    thunk_finish();
}

/* ---- identity -------------------------------------------------------------------------------- */

static void is_text(const WCHAR *text, const char *expected)
{
    size_t i = 0;

    for (; expected[i] != '\0'; i++)
        assert_int_equal(text[i], expected[i]);
    assert_int_equal(text[i], 0);
}

static void start_as(const char *description, uint64_t driver_version)
{
    thunk_description = description;
    thunk_driver_version = driver_version;
    thunk_start(THUNK_GPU);
    thunk_description = NULL;
    thunk_driver_version = 0;
    begin_program(&one);
}

static void an_adapter_tells_who_it_is(void **state)
{
    static D3DKMT_DRIVER_DESCRIPTION description;
    D3DKMT_ADAPTERREGISTRYINFO registry;
    D3DKMT_QUERY_ADAPTER_UNIQUE_GUID guid;
    D3DKMT_KMD_DRIVER_VERSION version = {0};

    (void)state;
    start_as("A GPU of tests", UINT64_C(0x0003000200010000));
    ASK(DRIVER_DESCRIPTION, description);
    is_text(description.DriverDescription, "A GPU of tests");
    memset(&description, 1, sizeof(description));
    ASK(DRIVER_DESCRIPTION_RENDER, description);
    is_text(description.DriverDescription, "A GPU of tests");
    for (int render = 0; render < 2; render++) {
        memset(&registry, 1, sizeof(registry));
        if (render)
            ASK(ADAPTERREGISTRYINFO_RENDER, registry);
        else
            ASK(ADAPTERREGISTRYINFO, registry);
        is_text(registry.AdapterString, "A GPU of tests");
        is_text(registry.BiosString, "");
        is_text(registry.DacType, "");
        is_text(registry.ChipType, "");
    }
    ASK(KMD_DRIVER_VERSION, version);
    assert_int_equal(version.DriverVersion.QuadPart, INT64_C(0x0003000200010000));
    memset(&guid, 1, sizeof(guid));
    ASK(QUERY_ADAPTER_UNIQUE_GUID, guid);
    for (unsigned i = 0; i < 38; i++)
        if (i == 0 || i == 37)
            assert_int_equal(guid.AdapterUniqueGUID[i], i == 0 ? '{' : '}');
        else if (i == 9 || i == 14 || i == 19 || i == 24)
            assert_int_equal(guid.AdapterUniqueGUID[i], '-');
        else
            assert_non_null(strchr("0123456789abcdef", guid.AdapterUniqueGUID[i]));
    assert_int_equal(guid.AdapterUniqueGUID[38], 0);
    assert_int_equal(guid.AdapterUniqueGUID[32], '4'); /* of the LUID, 00001234, 0007 */
    assert_int_equal(guid.AdapterUniqueGUID[23], '7');
    thunk_finish();
}

/* UTF-8 of two, three and four bytes, what is none, and more of it than there is room for. */
static void a_description_is_widened_whole(void **state)
{
    static const WCHAR expected[] = {0xe9, 0x20ac, 0xd83d, 0xde00, '?', '?', 'x', '?', 0};
    static D3DKMT_DRIVER_DESCRIPTION description;
    static char longest[5000];
    D3DKMT_ADAPTERREGISTRYINFO registry;

    (void)state;
    start_as("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x80\xe2\x82x\xff", 0);
    ASK(DRIVER_DESCRIPTION, description);
    assert_memory_equal(description.DriverDescription, expected, sizeof(expected));
    thunk_finish();
    memset(longest, 'y', sizeof(longest) - 1);
    memcpy(&longest[4094], "\xf0\x9f\x98\x80", 4); /* half of it would have room */
    start_as(longest, 0);
    ASK(DRIVER_DESCRIPTION, description);
    assert_int_equal(description.DriverDescription[4093], 'y');
    assert_int_equal(description.DriverDescription[4094], 0);
    ASK(ADAPTERREGISTRYINFO, registry);
    assert_int_equal(registry.AdapterString[258], 'y');
    assert_int_equal(registry.AdapterString[259], 0);
    thunk_finish();
}

static void what_nobody_has_told_is_not_made_up(void **state)
{
    static D3DKMT_DRIVER_DESCRIPTION description;
    D3DKMT_ADAPTERREGISTRYINFO registry;
    D3DKMT_KMD_DRIVER_VERSION version;
    D3DKMT_XBOX xbox = {1};
    D3DKMT_ISBADDRIVERFORHWPROTECTIONDISABLED bad = {1};
    D3DKMT_PANELFITTER_SUPPORT fitter = {1};
    D3DKMT_HYBRID_DLIST_DLL_SUPPORT hybrid = {1};

    (void)state;
    start_as(NULL, 0);
    refused_with(query(&one, KMTQAITYPE_DRIVER_DESCRIPTION, &description, sizeof(description)),
                 STATUS_NOT_SUPPORTED, "no description");
    refused_with(query(&one, KMTQAITYPE_ADAPTERREGISTRYINFO, &registry, sizeof(registry)),
                 STATUS_NOT_SUPPORTED, "no description");
    refused_with(query(&one, KMTQAITYPE_KMD_DRIVER_VERSION, &version, sizeof(version)),
                 STATUS_NOT_SUPPORTED, "nobody has told");
    ASK(XBOX, xbox);
    ASK(QUERY_ISBADDRIVERFORHWPROTECTIONDISABLED, bad);
    ASK(PANELFITTER_SUPPORT, fitter);
    ASK(HYBRID_DLIST_DLL_SUPPORT, hybrid);
    assert_int_equal(xbox.IsXBOX + bad.Disabled + fitter.Supported + hybrid.Supported, 0);
    thunk_finish();
}

/* ---- all types ------------------------------------------------------------------------------- */

static bool is_word(const char *text, const char *name, size_t length)
{
    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name))
        if (strchr(" |(\n", at[-1]) != NULL && strchr(" |),.:;\n", at[length]) != NULL)
            return true;
    return false;
}

/* Whether the text tells of a type; "(and _RENDER)" speaks of two. */
static bool tells_of(const char *text, const char *name)
{
    size_t length = strlen(name);
    char plain[80];

    if (is_word(text, name, length))
        return true;
    if (length < 8 || strcmp(name + length - 7, "_RENDER") != 0)
        return false;
    snprintf(plain, sizeof(plain), "%.*s", (int)length - 7, name);
    return is_word(text, plain, length - 7);
}

/* Each of the table of values is answered, or docs/thunks.md says why not. */
static void every_type_is_answered_or_told_of(void **state)
{
    FILE *table = fopen(SOURCE_ROOT "/test/abi/enums.tsv", "r");
    FILE *page = fopen(SOURCE_ROOT "/docs/thunks.md", "r");
    static char text[40000], data[1];
    char line[400], name[80], *answered, *others;
    unsigned types = 0;
    int type;

    (void)state;
    assert_true(table != NULL && page != NULL);
    assert_true(fread(text, 1, sizeof(text) - 1, page) > 0);
    answered = strstr(text, "## D3DKMTQueryAdapterInfo");
    others = strstr(answered, "All other types answer");
    *strstr(others, "\n## ") = '\0';
    others[-1] = '\0';
    thunk_start(THUNK_GPU);
    begin_program(&one);
    while (fgets(line, sizeof(line), table) != NULL) {
        uint64_t before = vidmm_thunk_missed(one.process, VIDMM_THUNK_QueryAdapterInfo);
        bool is_answered;

        if (sscanf(line, "KMTQUERYADAPTERINFOTYPE\tKMTQ%*[^_]_%79s %d", name, &type) != 2)
            continue;
        types++;
        query(&one, (KMTQUERYADAPTERINFOTYPE)type, data, sizeof(data));
        is_answered = vidmm_thunk_missed(one.process, VIDMM_THUNK_QueryAdapterInfo) == before;
        if (tells_of(answered, name) != is_answered || tells_of(others, name) == is_answered)
            fail_msg("%s is %s", name, is_answered ? "answered" : "not answered");
    }
    assert_int_equal(types, 81);
    thunk_finish();
    fclose(table);
    fclose(page);
}

/* The structure's end is as long as the program wants the value to be. */
static void a_registry_without_values_is_asked(void **state)
{
    struct {
        D3DDDI_QUERYREGISTRY_INFO info;
        unsigned char behind[8];
    } room = {.info = {.OutputValueSize = 8, .ValueName = {'A'}}, .behind = {1, 2, 3}};
    D3DDDI_QUERYREGISTRY_INFO wrong = room.info;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    ASK(QUERYREGISTRY, room);
    assert_int_equal(room.info.Status, D3DDDI_QUERYREGISTRY_STATUS_FAIL);
    assert_int_equal(room.info.OutputValueSize, 0);
    assert_int_equal(room.info.ValueName[0], 'A');
    assert_int_equal(room.behind[2], 3);
    refused(query(&one, KMTQAITYPE_QUERYREGISTRY, &wrong, sizeof(wrong) - 1), "552 or more");
    wrong.QueryType = D3DDDI_QUERYREGISTRY_MAX;
    refused(query(&one, KMTQAITYPE_QUERYREGISTRY, &wrong, sizeof(wrong)), "QueryType is 4");
    wrong.QueryType = D3DDDI_QUERYREGISTRY_ADAPTERKEY;
    wrong.QueryFlags.Reserved = 1;
    refused(query(&one, KMTQAITYPE_QUERYREGISTRY, &wrong, sizeof(wrong)), "reserved bits");
    wrong.QueryFlags.Reserved = 0;
    wrong.PhysicalAdapterIndex = 1;
    refused(query(&one, KMTQAITYPE_QUERYREGISTRY, &wrong, sizeof(wrong)), "expected 0 to 0");
    assert_int_equal(wrong.Status, D3DDDI_QUERYREGISTRY_STATUS_SUCCESS);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answers_are_the_adapters),
        cmocka_unit_test(caps_follow_the_driver),
        cmocka_unit_test(a_node_tells_its_name),
        cmocka_unit_test(unknown_questions_are_counted),
        cmocka_unit_test(statistics_count_what_happens),
        cmocka_unit_test(a_node_tells_what_it_ran),
        cmocka_unit_test(a_page_fault_is_told),
        cmocka_unit_test(what_the_machine_has_not_is_told),
        cmocka_unit_test(an_adapter_tells_who_it_is),
        cmocka_unit_test(a_description_is_widened_whole),
        cmocka_unit_test(what_nobody_has_told_is_not_made_up),
        cmocka_unit_test(every_type_is_answered_or_told_of),
        cmocka_unit_test(a_registry_without_values_is_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
