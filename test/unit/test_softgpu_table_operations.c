/* Paging operations of a GPU with page tables: what they do beside mapping, and what is refused. */
#include "test_softgpu_tables.h"

static void begin_operation(DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    memset(&buffer.args.Reserved, 0, sizeof(buffer.args.Reserved));
    buffer.args.Operation = operation;
    buffer.args.MultipassOffset = 0;
}

/* ---- what they do ---------------------------------------------------------------------------- */

static void entries_are_copied_from_table_to_table(void **state)
{
    struct softgpu_config config = config_of_tables();
    DXGK_BUILDPAGINGBUFFER_COPY_RANGE ranges[2];
    struct table *source, *destination;
    struct space space;

    (void)state;
    config.paging_buffer = 128; /* a range a buffer */
    begin_tables(&config);
    start_user(&space);
    source = new_table(&space, 0, PAGE_A, false);
    destination = new_table(&space, 0, 2 * PAGE_A, false);
    for (UINT i = 0; i < 8; i++)
        put_entry(source, PAGE_A + i * 4096ull,
                  (DXGK_PTE){.Valid = 1, .Segment = MEMORY, .PageAddress = 40 + i});
    map_page(&SMALL.paging, SCRATCH, MEMORY, source->page);
    map_page(&SMALL.paging, SCRATCH + 0x10000, MEMORY, destination->page);
    for (UINT i = 0; i < 2; i++)
        ranges[i] = (DXGK_BUILDPAGINGBUFFER_COPY_RANGE){.NumPageTableEntries = 3,
                                                        .SrcPageTableAddress = SCRATCH,
                                                        .DstPageTableAddress = SCRATCH + 0x10000,
                                                        .SrcStartPteIndex = 4 * i,
                                                        .DstStartPteIndex = 100 + 10 * i};
    begin_operation(DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES);
    buffer.args.CopyPageTableEntries.NumRanges = 2;
    buffer.args.CopyPageTableEntries.pRanges = ranges;
    build();
    submit_paging();
    assert_string_equal(statistics().fault, "");
    assert_memory_equal(bytes_of_table(destination) + 100 * 8, bytes_of_table(source), 24);
    assert_memory_equal(bytes_of_table(destination) + 110 * 8, bytes_of_table(source) + 32, 24);
    assert_memory_not_equal(bytes_of_table(destination) + 103 * 8, bytes_of_table(source) + 24, 8);
    end_space(&space);
    end_tables();
}

static void a_context_allocation_gets_the_drivers_own_bytes(void **state)
{
    struct softgpu_config config = config_of_tables();
    unsigned char data[301];

    (void)state;
    config.paging_buffer = 128;
    begin_tables(&config);
    map_page(&SMALL.paging, SCRATCH, MEMORY, 6);
    memset(memory_page(6), 0xee, 4096);
    for (UINT i = 0; i < sizeof(data); i++)
        data[i] = (unsigned char)(i * 7);
    begin_operation(DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION);
    buffer.args.UpdateContextAllocation.ContextAllocation = SCRATCH;
    buffer.args.UpdateContextAllocation.ContextAllocationSize = 4096;
    buffer.args.UpdateContextAllocation.pDriverPrivateData = data;
    buffer.args.UpdateContextAllocation.DriverPrivateDataSize = sizeof(data);
    build();
    submit_paging();
    assert_memory_equal(memory_page(6), data, sizeof(data));
    assert_int_equal(memory_page(6)[sizeof(data)], 0xee);
    assert_true(buffer.submissions >= 3);
    assert_string_equal(statistics().fault, "");
    end_tables();
}

static NTSTATUS notify(HANDLE allocation, UINT resident)
{
    begin_operation(DXGK_OPERATION_NOTIFY_RESIDENCY);
    buffer.args.NotifyResidency.hAllocation = allocation;
    buffer.args.NotifyResidency.PhysicalAddress.SegmentId = resident ? MEMORY : 0;
    buffer.args.NotifyResidency.Resident = resident & 1;
    return world.ddi.DxgkDdiBuildPagingBuffer(world.adapter, &buffer.args);
}

/* D-142 */
static void told_once(const struct softgpu_config *config)
{
    struct softgpu_allocation wanted = wanted_of(4096);
    DXGK_ALLOCATIONINFO info;
    void *before;

    begin_paging(config);
    assert_int_equal(create(&wanted, 1, &info, NULL), STATUS_SUCCESS);
    before = buffer.args.pDmaBuffer;
    assert_int_equal(notify(info.hAllocation, 1), STATUS_SUCCESS);
    assert_int_equal(notify(info.hAllocation, 0), STATUS_SUCCESS);
    assert_ptr_equal(buffer.args.pDmaBuffer, before);
    assert_int_equal(statistics().driver_arrivals, 1);
    assert_int_equal(statistics().driver_departures, 1);
    assert_int_equal(notify(info.hAllocation, 0), STATUS_INVALID_PARAMETER);
    assert_refused("Resident 0, as it was told before");
    assert_int_equal(notify(world.adapter, 1), STATUS_INVALID_PARAMETER);
    destroy(1, &info.hAllocation, NULL);
    end();
}

static void residency_is_told_once_and_writes_nothing(void **state)
{
    (void)state;
    for (int habit = 0; habit < 2; habit++)
        for (int tables = 0; tables < 2; tables++) {
            struct softgpu_config config = config_of_tables();

            config.habit = habit ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
            config.mmu.kind = tables ? SOFTGPU_MMU_GPU : SOFTGPU_MMU_NONE;
            told_once(&config);
        }
}

static void map_by_adl(const DXGK_ADL *adl, ULONG offset, UINT first, UINT count)
{
    begin_operation(DXGK_OPERATION_MAP_APERTURE_SEGMENT2);
    buffer.args.MapApertureSegment2.SegmentId = APERTURE;
    buffer.args.MapApertureSegment2.OffsetInPages = first;
    buffer.args.MapApertureSegment2.NumberOfPages = count;
    buffer.args.MapApertureSegment2.Adl = *adl;
    buffer.args.MapApertureSegment2.AdlOffset = offset;
    build();
}

/* D-101, D-102: both forms, and the offset into the list */
static void an_aperture_shows_pages_of_a_list_of_either_form(void **state)
{
    (void)state;
    for (int habit = 0; habit < 2; habit++) {
        struct softgpu_config config = machine_small_config();
        DXGK_PAGE_NUMBER pages[20], first[20];
        DXGK_ADL scattered = {.PageCount = 20, .Pages = pages};
        DXGK_ADL contiguous = {.PageCount = 20, .Flags.Contiguous = 1};

        config.wddm = 29;
        config.map_aperture2 = true;
        config.paging_buffer = 512;
        config.habit = habit ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
        begin_paging(&config);
        for (UINT i = 0; i < 20; i++)
            pages[i] = machine_frame(&world.machine);
        contiguous.BasePageNumber = MACHINE_SYSTEM / 4096 + 100;
        map_by_adl(&scattered, 3, 10, 17);
        memcpy(first, pages, sizeof(first));
        memset(pages, 0, sizeof(pages)); /* the list is not looked at later */
        map_by_adl(&contiguous, 5, 40, 15);
        build_fill(SOFTGPU_SEGMENT_BASE(APERTURE) + 10 * 4096, 17 * 4096, 0x17171717);
        build_fill(SOFTGPU_SEGMENT_BASE(APERTURE) + 40 * 4096, 15 * 4096, 0x15151515);
        submit_paging();
        assert_int_equal(machine_at(&world.machine, first[3] * 4096)[0], 0x17);
        assert_int_equal(machine_at(&world.machine, first[19] * 4096)[4095], 0x17);
        assert_int_equal(machine_at(&world.machine, MACHINE_SYSTEM + 105 * 4096)[0], 0x15);
        assert_int_equal(machine_at(&world.machine, MACHINE_SYSTEM + 119 * 4096)[9], 0x15);
        assert_int_not_equal(machine_at(&world.machine, MACHINE_SYSTEM + 120 * 4096)[0], 0x15);
        assert_string_equal(statistics().fault, "");
        end();
    }
}

/* D-115, W-005: the page says that there is no paging buffer, and on Windows there is one. The
 * entries are there on return, and nothing is written. */
static void the_processor_updates_tables_with_a_buffer_and_without(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct table *table;
    void *had;

    (void)state;
    begin_tables(&config);
    table = new_table(&SMALL.paging, 0, PAGE_A, false);
    had = buffer.args.pDmaBuffer;
    for (UINT none = 0; none < 2; none++) {
        DXGKARG_BUILDPAGINGBUFFER args;
        DXGK_PTE entries[] = {{.Valid = 1, .Segment = MEMORY, .PageAddress = 40 + none},
                              {.Valid = 1, .Segment = MEMORY, .PageAddress = 50 + none}};
        uint64_t words[2];

        begin_operation(DXGK_OPERATION_UPDATE_PAGE_TABLE);
        args = buffer.args;
        if (none == 1) {
            args.pDmaBuffer = args.pDmaBufferPrivateData = NULL;
            args.DmaSize = args.DmaBufferPrivateDataSize = 0;
        }
        args.UpdatePageTable.pPageTableEntries = entries;
        args.UpdatePageTable.StartIndex = 7;
        args.UpdatePageTable.NumPageTableEntries = 2;
        args.UpdatePageTable.hProcess = SMALL.paging.process;
        args.UpdatePageTable.UpdateMode = DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
        args.UpdatePageTable.PageTableAddress.CpuVirtual = bytes_of_table(table);
        assert_int_equal(world.ddi.DxgkDdiBuildPagingBuffer(world.adapter, &args), STATUS_SUCCESS);
        assert_ptr_equal(args.pDmaBuffer, none == 1 ? NULL : had);
        memcpy(words, bytes_of_table(table) + 7 * 8, sizeof(words));
        assert_int_equal(words[0] & SOFTGPU_PTE_PAGE, (40 + none) * 4096);
        assert_int_equal(words[1] & SOFTGPU_PTE_PAGE, (50 + none) * 4096);
        assert_true((words[0] & words[1] & SOFTGPU_PTE_VALID) != 0);
    }
    end_tables();
}

/* ---- what is refused ------------------------------------------------------------------------- */

/* An update of one entry of a level is refused, with this in the sentence. */
static void refused_entry(const struct softgpu_config *config, UINT level, DXGK_PTE entry,
                          const char *text)
{
    struct space space;
    DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *args = &buffer.args.UpdatePageTable;
    void *before;

    begin_tables(config);
    start_user(&space);
    submit_paging();
    before = buffer.args.pDmaBuffer;
    begin_operation(DXGK_OPERATION_UPDATE_PAGE_TABLE);
    args->PageTableLevel = level;
    args->pPageTableEntries = &entry;
    args->NumPageTableEntries = 1;
    args->UpdateMode = DXGK_PAGETABLEUPDATE_GPU_PHYSICAL;
    args->PageTableAddress.GpuPhysical.SegmentId = MEMORY;
    args->PageTableAddress.GpuPhysical.SegmentOffset = 1024 * 4096;
    assert_int_equal(world.ddi.DxgkDdiBuildPagingBuffer(world.adapter, &buffer.args),
                     STATUS_INVALID_PARAMETER);
    assert_refused(text);
    assert_ptr_equal(buffer.args.pDmaBuffer, before);
    end_space(&space);
    end_tables();
}

static void entries_say_only_what_the_caps_promise(void **state)
{
    struct softgpu_config config = config_of_tables();

    (void)state;
    config.mmu.zero_pte = config.mmu.read_only = config.mmu.no_execute = false;
    config.mmu.coherent = false;
    refused_entry(&config, 0, (DXGK_PTE){.Valid = 1, .Zero = 1}, "ZeroInPteSupported");
    refused_entry(&config, 0, (DXGK_PTE){.Valid = 1, .ReadOnly = 1}, "ReadOnlyMemorySupported");
    refused_entry(&config, 0, (DXGK_PTE){.Valid = 1, .NoExecute = 1}, "NoExecuteMemorySupported");
    refused_entry(&config, 0, (DXGK_PTE){.Valid = 1, .CacheCoherent = 1},
                  "CacheCoherentMemorySupported");
    refused_entry(&config, 1, (DXGK_PTE){.Valid = 1, .LargePage = 1, .Segment = MEMORY},
                  "LargePageSupported is 0");
    refused_entry(&config, 1, (DXGK_PTE){.Valid = 1, .PageTablePageSize = 1},
                  "PageTablePageSize of 64 KiB");
}

static void entries_make_sense_where_they_stand(void **state)
{
    struct softgpu_config config = config_of_tables();

    (void)state;
    config.mmu.large_pages = true;
    config.mmu.pages_64k = SOFTGPU_64K_SINGLE;
    refused_entry(&config, 0, (DXGK_PTE){.Valid = 1, .LargePage = 1, .Segment = MEMORY},
                  "LargePage in a leaf table");
    refused_entry(&config, 1, (DXGK_PTE){.Valid = 1, .LargePage = 1},
                  "SysMemLargePageSupported is 0");
    refused_entry(&config, 1,
                  (DXGK_PTE){.Valid = 1, .LargePage = 1, .Segment = MEMORY, .PageAddress = 3},
                  "not aligned to the page");
    refused_entry(&config, 2, (DXGK_PTE){.Valid = 1, .PageTablePageSize = 1}, "away from level 1");
    refused_entry(&config, 0, (DXGK_PTE){.Valid = 1, .Segment = APERTURE}, "no memory segment");
    refused_entry(&config, 0, (DXGK_PTE){.Valid = 1, .Segment = 9}, "no memory segment");
    refused_entry(&config, 0, (DXGK_PTE){.Valid = 1, .PhysicalAdapterIndex = 1},
                  "PhysicalAdapterIndex");
    refused_entry(&config, 0, (DXGK_PTE){.Valid = 1, .PageAddress = UINT64_C(1) << 38},
                  "more than 38 bits");
}

static void refused_update(UINT level, UINT start, UINT count, int mode, const char *text)
{
    struct softgpu_config config = config_of_tables();
    DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *args = &buffer.args.UpdatePageTable;
    DXGK_PTE invalid = {.Flags = 0};

    begin_tables(&config);
    begin_operation(DXGK_OPERATION_UPDATE_PAGE_TABLE);
    args->PageTableLevel = level;
    args->pPageTableEntries = &invalid;
    args->StartIndex = start;
    args->NumPageTableEntries = count;
    args->Flags.Repeat = 1;
    args->UpdateMode = (DXGK_PAGETABLEUPDATEMODE)mode;
    assert_int_equal(world.ddi.DxgkDdiBuildPagingBuffer(world.adapter, &buffer.args),
                     STATUS_INVALID_PARAMETER);
    assert_refused(text);
    end_tables();
}

/* D-228, D-229: in a link the index says whose GPU is asked about, and whose memory a page is. */
static void indices_name_a_gpu_of_the_link(void **state)
{
    struct softgpu_config config = config_of_tables();
    DXGK_QUERYPHYSICALADAPTERCAPSIN in = {.PhysicalAdapterIndex = 1};
    DXGK_QUERYGPUMMUCAPSIN mmu_in = {.PhysicalAdapterIndex = 1};
    DXGK_QUERYPAGETABLELEVELDESCIN level_in = {.PhysicalAdapterIndex = 1};
    struct softgpu_chain chain = {.uid = 7, .count = 2};
    struct softgpu_physical_device device = {.chain = &chain};
    DXGKARG_GETNODEMETADATA metadata;
    DXGK_PAGE_TABLE_LEVEL_DESC level;
    DXGK_PHYSICALADAPTERCAPS caps;
    LINKED_DEVICE linked;
    DXGK_GPUMMUCAPS mmu;
    struct space space;
    uint64_t word;

    (void)state;
    begin_tables(&config);
    softgpu_driver_link(&world.ddi);
    assert_int_equal(
        world.ddi.DxgkDdiLinkDevice((PDEVICE_OBJECT)(void *)&device, world.adapter, &linked),
        STATUS_SUCCESS);
    chain.members[1] = world.adapter; /* a second one like it */
    for (UINT i = 1; i < 3; i++) {
        NTSTATUS expected = i < 2 ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;

        in.PhysicalAdapterIndex = mmu_in.PhysicalAdapterIndex = i;
        level_in.PhysicalAdapterIndex = i & 0xffff;
        assert_int_equal(
            query(DXGKQAITYPE_PHYSICALADAPTERCAPS, &in, sizeof(in), &caps, sizeof(caps)), expected);
        assert_int_equal(query(DXGKQAITYPE_GPUMMUCAPS, &mmu_in, sizeof(mmu_in), &mmu, sizeof(mmu)),
                         expected);
        assert_int_equal(query(DXGKQAITYPE_PAGETABLELEVELDESC, &level_in, sizeof(level_in), &level,
                               sizeof(level)),
                         expected);
        assert_int_equal(world.ddi.DxgkDdiGetNodeMetadata(world.adapter, i << 16 | 1, &metadata),
                         expected);
    }
    assert_int_equal(statistics().driver_refusals, 3);
    start_user(&space);
    map_at(&space, PAGE_A, 0,
           (DXGK_PTE){.Valid = 1, .Segment = MEMORY, .PhysicalAdapterIndex = 1, .PageAddress = 9});
    submit_paging();
    memcpy(&word, bytes_of_table(find_table(&space, 0, PAGE_A, false)), sizeof(word));
    assert_int_equal(SOFTGPU_PTE_ADAPTER(word), 1);
    assert_int_equal(word & SOFTGPU_PTE_PAGE, 9 * 4096);
    end_space(&space);
    end_tables();
}

static void a_context_is_of_one_gpu_of_the_link(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct softgpu_chain chain = {.uid = 7, .count = 2};
    struct softgpu_physical_device device = {.chain = &chain};
    DXGKARG_SUBMITCOMMANDVIRTUAL args = {.NodeOrdinal = NODE};
    LINKED_DEVICE linked;
    struct space space;

    (void)state;
    begin_tables(&config);
    softgpu_driver_link(&world.ddi);
    world.ddi.DxgkDdiLinkDevice((PDEVICE_OBJECT)(void *)&device, world.adapter, &linked);
    chain.members[1] = world.adapter;
    start_user(&space);
    args.hContext = space.context;
    args.EngineOrdinal = 2;
    assert_int_equal(world.ddi.DxgkDdiSubmitCommandVirtual(world.adapter, &args),
                     STATUS_INVALID_PARAMETER);
    assert_refused("SubmitCommandVirtual: EngineOrdinal 2");
    args.EngineOrdinal = 1;
    assert_int_equal(world.ddi.DxgkDdiSubmitCommandVirtual(world.adapter, &args),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(statistics().driver_refusals, 2);
    end_space(&space);
    end_tables();
}

static void updates_stay_inside_their_table(void **state)
{
    int physical = DXGK_PAGETABLEUPDATE_GPU_PHYSICAL;

    (void)state;
    refused_update(4, 0, 1, physical, "level 4 of 4");
    refused_update(0, 500, 13, physical, "entries 500 and 13 more of 512");
    refused_update(0, 513, 0, physical, "entries 513 and 0 more of 512");
    refused_update(0, 1, UINT32_MAX, physical, "of 512");
    refused_update(0, 0, 1, DXGK_PAGETABLEUPDATE_GPU_VIRTUAL, "mode 1; the caps say 2");
    refused_update(0, 0, 1, DXGK_PAGETABLEUPDATE_CPU_VIRTUAL, "CpuVirtual is NULL");
}

static void refused_operation(const char *text)
{
    NTSTATUS status = world.ddi.DxgkDdiBuildPagingBuffer(world.adapter, &buffer.args);

    assert_false(NT_SUCCESS(status) || status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
    assert_refused(text);
    end_tables();
}

static void nonsense_is_refused_by_name(void **state)
{
    struct softgpu_config config = config_of_tables();
    DXGK_BUILDPAGINGBUFFER_COPY_RANGE range = {.SrcPageTableAddress = SCRATCH + 4096};

    (void)state;
    begin_tables(&config);
    begin_operation(DXGK_OPERATION_FLUSH_TLB);
    buffer.args.FlushTlb.StartVirtualAddress = 4096;
    refused_operation("FlushTlb from 0x1000 to 0x0");
    begin_tables(&config);
    begin_operation(DXGK_OPERATION_SIGNAL_MONITORED_FENCE);
    buffer.args.SignalMonitoredFence.MonitoredFenceGpuVa = 4;
    refused_operation("SignalMonitoredFence at 0x4");
    begin_tables(&config);
    begin_operation(DXGK_OPERATION_VIRTUAL_TRANSFER);
    buffer.args.TransferVirtual.TransferDirection = (DXGK_MEMORY_TRANSFER_DIRECTION)3;
    refused_operation("TransferVirtual, direction 3");
    begin_tables(&config);
    begin_operation(DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES);
    buffer.args.CopyPageTableEntries.NumRanges = 1;
    buffer.args.CopyPageTableEntries.pRanges = &range;
    refused_operation("not aligned to 64 KiB");
    begin_tables(&config);
    begin_operation(DXGK_OPERATION_MAP_APERTURE_SEGMENT2);
    refused_operation("operation 17 is not for a driver of 2.9");
    config.wddm = 21;
    begin_tables(&config);
    begin_operation(DXGK_OPERATION_SIGNAL_MONITORED_FENCE);
    refused_operation("operation 16 is not for a driver of 2.1");
}

static void refused_submission(UINT node, bool other, UINT private_size, const char *text)
{
    struct softgpu_config config = config_of_tables();
    DXGKARG_SUBMITCOMMANDVIRTUAL args = {
        .SubmissionFenceId = 5, .NodeOrdinal = node, .DmaBufferUmdPrivateDataSize = private_size};

    begin_tables(&config);
    args.hContext = other ? SMALL.paging.device : SMALL.paging.context;
    assert_int_equal(world.ddi.DxgkDdiSubmitCommandVirtual(world.adapter, &args),
                     STATUS_INVALID_PARAMETER); /* D-090 */
    assert_refused(text);
    end_tables();
}

static void submissions_name_a_context_with_addresses_and_its_node(void **state)
{
    (void)state;
    refused_submission(PAGING_NODE, true, 0, "none with virtual addresses");
    refused_submission(NODE, false, 0, "node 0, and the context is of another");
    refused_submission(PAGING_NODE, false, 9, "private data of 0 bytes, 9 of user mode's");
}

static void contexts_have_addresses_only_with_page_tables(void **state)
{
    struct softgpu_config config = machine_small_config();
    DXGKARG_CREATECONTEXT args = {.EngineAffinity = 1, .Flags.VirtualAddressing = 1};
    HANDLE device;

    (void)state;
    config.wddm = 20;
    begin(&config);
    device = create_device();
    assert_int_equal(world.ddi.DxgkDdiCreateContext(device, &args), STATUS_INVALID_PARAMETER);
    assert_refused("VirtualAddressing, and neither GpuMmuSupported nor IoMmuSupported");
    assert_int_equal(world.ddi.DxgkDdiDestroyDevice(device), STATUS_SUCCESS);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_copied_from_table_to_table),
        cmocka_unit_test(a_context_allocation_gets_the_drivers_own_bytes),
        cmocka_unit_test(residency_is_told_once_and_writes_nothing),
        cmocka_unit_test(an_aperture_shows_pages_of_a_list_of_either_form),
        cmocka_unit_test(the_processor_updates_tables_with_a_buffer_and_without),
        cmocka_unit_test(entries_say_only_what_the_caps_promise),
        cmocka_unit_test(entries_make_sense_where_they_stand),
        cmocka_unit_test(indices_name_a_gpu_of_the_link),
        cmocka_unit_test(a_context_is_of_one_gpu_of_the_link),
        cmocka_unit_test(updates_stay_inside_their_table),
        cmocka_unit_test(nonsense_is_refused_by_name),
        cmocka_unit_test(submissions_name_a_context_with_addresses_and_its_node),
        cmocka_unit_test(contexts_have_addresses_only_with_page_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
