/* Page tables of the software GPU: what is reached by an address, and what is not. */
#include "test_softgpu_tables.h"

/* ---- what the GPU says of itself ------------------------------------------------------------- */

static void caps_are_as_configured_and_agree(void **state)
{
    struct softgpu_config config = config_of_tables();
    DXGK_QUERYGPUMMUCAPSIN in = {.PhysicalAdapterIndex = 0};
    DXGK_QUERYPHYSICALADAPTERCAPSIN adapter = {.PhysicalAdapterIndex = 0};
    DXGK_PHYSICALADAPTERCAPS physical;
    DXGK_DRIVERCAPS driver;
    DXGKARG_GETNODEMETADATA node;
    DXGK_GPUMMUCAPS caps;

    (void)state;
    config.mmu.large_pages = true;
    config.mmu.invalid_cached = false;
    config.mmu.pages_64k = SOFTGPU_64K_DUAL;
    config.atomics_64 = false;
    begin(&config);
    assert_int_equal(query(DXGKQAITYPE_GPUMMUCAPS, &in, sizeof(in), &caps, sizeof(caps)), 0);
    assert_int_equal(caps.Value, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 10);
    assert_int_equal(caps.PageTableUpdateMode, DXGK_PAGETABLEUPDATE_GPU_PHYSICAL);
    assert_int_equal(caps.VirtualAddressBitCount, 48);
    assert_int_equal(caps.LeafPageTableSizeFor64KPagesInBytes, 4096);
    assert_int_equal(caps.PageTableLevelCount, 4);
    assert_int_equal(query(DXGKQAITYPE_DRIVERCAPS, NULL, 0, &driver, sizeof(driver)),
                     STATUS_SUCCESS);
    assert_int_equal(driver.MemoryManagementCaps.VirtualAddressingSupported, 1);
    assert_int_equal(driver.MemoryManagementCaps.GpuMmuSupported, 1);
    assert_int_equal(driver.SchedulingCaps.No64BitAtomics, 1);
    assert_int_equal(query(DXGKQAITYPE_PHYSICALADAPTERCAPS, &adapter, sizeof(adapter), &physical,
                           sizeof(physical)),
                     STATUS_SUCCESS);
    assert_int_equal(physical.Flags.GpuMmuSupported, 1);
    assert_int_equal(world.ddi.DxgkDdiGetNodeMetadata(world.adapter, 0, &node), STATUS_SUCCESS);
    assert_int_equal(node.GpuMmuSupported, 1);
    end();
}

static void each_level_of_tables_is_described(void **state)
{
    (void)state;
    for (UINT levels = 2; levels <= 6; levels++) {
        struct softgpu_config config = config_of_tables();
        DXGK_QUERYPAGETABLELEVELDESCIN in = {.LevelIndex = 0};
        DXGK_PAGE_TABLE_LEVEL_DESC level;
        UINT bits = 12;

        softgpu_config_set_levels(&config.mmu, levels);
        begin(&config);
        for (in.LevelIndex = 0; in.LevelIndex < levels; in.LevelIndex++) {
            assert_int_equal(
                query(DXGKQAITYPE_PAGETABLELEVELDESC, &in, sizeof(in), &level, sizeof(level)), 0);
            assert_int_equal(level.PageTableSegmentId, MEMORY);
            assert_true(level.PageTableSizeInBytes >= 8u << level.PageTableIndexBitCount);
            assert_int_equal(level.PageTableSizeInBytes % 4096, 0);
            bits += level.PageTableIndexBitCount;
        }
        assert_true(bits == softgpu_address_bits(&config.mmu));
        assert_int_equal(
            query(DXGKQAITYPE_PAGETABLELEVELDESC, &in, sizeof(in), &level, sizeof(level)),
            STATUS_INVALID_PARAMETER);
        end();
    }
}

static void a_resizable_root_has_the_size_that_it_needs(void **state)
{
    struct softgpu_config config = config_of_tables();
    DXGKARG_GETROOTPAGETABLESIZE args = {.NumberOfPte = 513};

    (void)state;
    softgpu_config_set_levels(&config.mmu, 2);
    begin(&config);
    assert_int_equal(world.ddi.DxgkDdiGetRootPageTableSize(world.adapter, &args), 8192);
    end();
    softgpu_config_set_levels(&config.mmu, 3);
    begin(&config);
    assert_int_equal(world.ddi.DxgkDdiGetRootPageTableSize(world.adapter, &args), 0);
    assert_refused("GetRootPageTableSize");
    end();
}

/* ---- bytes by address ------------------------------------------------------------------------ */

/* Map, write and read in two processes whose addresses overlap; answers a digest of all tables. */
static uint64_t story(const struct softgpu_config *config)
{
    uint64_t digest = 14695981039346656037u, frame;
    struct space first, second;

    begin_tables(config);
    start_user(&first);
    start_user(&second);
    frame = machine_frame(&world.machine);
    map_page(&first, PAGE_A, MEMORY, 3);
    map_page(&first, PAGE_A + 4096, 0, frame);
    map_page(&second, PAGE_A, MEMORY, 4);
    map_page(&second, PAGE_A + 4096, MEMORY, 5);
    flush(&first);
    flush(&second);
    submit_paging();
    fill_by_user(&first, PAGE_A, 8192, 0x11111111);
    fill_by_user(&second, PAGE_A, 4096, 0x22222222);
    copy_by_user(&second, PAGE_A, PAGE_A + 4096, 4096);
    assert_string_equal(statistics().fault, "");
    assert_string_equal(statistics().refusal, "");
    assert_filled(memory_page(3), 0x11);
    assert_filled(machine_at(&world.machine, frame * 4096), 0x11);
    assert_filled(memory_page(4), 0x22);
    assert_filled(memory_page(5), 0x22);
    for (UINT i = 0; i < SMALL.count; i++) {
        const unsigned char *bytes = bytes_of_table(&SMALL.tables[i]);
        UINT size = softgpu_table_size(&config->mmu, SMALL.tables[i].level);

        for (UINT at = 0; at < size && !SMALL.tables[i].space->paging; at++)
            digest = (digest ^ bytes[at]) * 1099511628211u;
    }
    end_space(&first);
    end_space(&second);
    end_tables();
    return digest;
}

static void addresses_lead_where_the_tables_say_with_each_number_of_levels(void **state)
{
    (void)state;
    for (UINT levels = 2; levels <= 6; levels++)
        for (int mapped = 0; mapped < 2; mapped++) {
            struct softgpu_config config = config_of_tables();

            softgpu_config_set_levels(&config.mmu, levels);
            config.paging_buffer_segment = mapped ? APERTURE : 0;
            story(&config);
        }
}

static void who_writes_the_tables_is_all_the_same(void **state)
{
    struct softgpu_config config = config_of_tables();
    uint64_t digest;

    (void)state;
    config.mmu.table_segment = 0;
    config.mmu.update_mode = SOFTGPU_UPDATE_CPU_VIRTUAL;
    digest = story(&config);
    for (int mode = SOFTGPU_UPDATE_GPU_VIRTUAL; mode <= SOFTGPU_UPDATE_GPU_PHYSICAL; mode++)
        for (int habit = 0; habit < 2; habit++)
            for (int tiny = 0; tiny < 2; tiny++)
                for (int every = 0; every < 2; every++) {
                    config.mmu.update_mode = (enum softgpu_update_mode)mode;
                    config.habit = habit ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
                    config.paging_buffer = tiny ? 512 : 65536;
                    config.insufficient_every = every ? 3 : 0;
                    assert_true(story(&config) == digest);
                }
}

static void a_long_update_goes_through_a_short_buffer_in_parts(void **state)
{
    struct softgpu_config config = config_of_tables();
    DXGK_PTE entries[512];
    struct space space;
    const struct table *leaf;
    UINT before;

    (void)state;
    config.paging_buffer = 128;
    begin_tables(&config);
    start_user(&space);
    leaf = table_for(&space, 0, PAGE_A, false);
    submit_paging();
    for (UINT i = 0; i < 512; i++)
        entries[i] = (DXGK_PTE){.Valid = 1, .Segment = MEMORY, .PageAddress = i};
    before = buffer.submissions;
    update(leaf, 0, 512, entries, (DXGK_UPDATEPAGETABLEFLAGS){.Repeat = 0});
    submit_paging();
    assert_in_range(buffer.submissions - before, 42, 46); /* 12 words a buffer */
    for (UINT i = 0; i < 512; i++) {
        uint64_t word;

        memcpy(&word, bytes_of_table(leaf) + i * 8, sizeof(word));
        assert_true(word == (UINT64_C(0xa7) << 56 | (uint64_t)i << 12 | MEMORY << 7 | 1));
    }
    end_space(&space);
    end_tables();
}

/* D-119 */
static void the_drivers_own_bits_are_in_leaf_entries_alone(void **state)
{
    (void)state;
    for (UINT level = 0; level < 2; level++) {
        struct softgpu_config config = config_of_tables();
        DXGK_PTE entry = {.Valid = 1, .Segment = MEMORY, .PageAddress = 3};
        struct space space;
        uint64_t word;

        begin_tables(&config);
        start_user(&space);
        map_at(&space, PAGE_A, level, entry);
        buffer.args.UpdatePageTable.pPageTableEntries = &entry;
        buffer.args.UpdatePageTable.DriverProtection = 0x25;
        build();
        submit_paging();
        memcpy(&word,
               bytes_of_table(find_table(&space, level, PAGE_A, false)) +
                   (PAGE_A >> shift_of_level(level) & 511) * 8,
               sizeof(word));
        assert_int_equal(word >> 52 & 15, level == 0 ? 5 : 0);
        end_space(&space);
        end_tables();
    }
}

static void paging_buffers_wait_side_by_side(void **state)
{
    struct softgpu_config config = config_of_tables();

    (void)state;
    begin_tables(&config);
    buffer.held = true;
    for (UINT i = 0; i < 31; i++) {
        build_fill(SOFTGPU_SEGMENT_BASE(MEMORY) + i * 4096ull, 4096, 0x01010101 * (i + 1));
        submit_paging();
        fresh_buffer();
    }
    settle();
    for (UINT i = 0; i < 31; i++)
        assert_filled(memory_page(i), (unsigned char)(i + 1));
    assert_int_equal(statistics().driver_most_queued, 31);
    end_tables();
}

/* The paging process's own addresses. */
static void paging_goes_by_address(void **state)
{
    struct softgpu_config config = config_of_tables();
    DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL *transfer = &buffer.args.TransferVirtual;

    (void)state;
    for (int habit = 0; habit < 2; habit++) {
        config.habit = habit ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
        begin_tables(&config);
        map_page(&SMALL.paging, SCRATCH, MEMORY, 6);
        map_page(&SMALL.paging, SCRATCH + 4096, MEMORY, 9);
        memset(&buffer.args.Reserved, 0, sizeof(buffer.args.Reserved));
        buffer.args.Operation = DXGK_OPERATION_VIRTUAL_FILL;
        buffer.args.FillVirtual.AllocationOffsetInBytes = 77; /* D-106: of no account */
        buffer.args.FillVirtual.FillSizeInBytes = 4096;
        buffer.args.FillVirtual.FillPattern = 0x5e5e5e5e;
        buffer.args.FillVirtual.DestinationVirtualAddress = SCRATCH;
        build();
        memset(&buffer.args.Reserved, 0, sizeof(buffer.args.Reserved));
        buffer.args.Operation = DXGK_OPERATION_VIRTUAL_TRANSFER;
        transfer->AllocationOffsetInBytes = 77;
        transfer->TransferSizeInBytes = 4096;
        transfer->SourceVirtualAddress = SCRATCH;
        transfer->DestinationVirtualAddress = SCRATCH + 4096;
        transfer->TransferDirection = DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL;
        build();
        submit_paging();
        assert_filled(memory_page(6), 0x5e);
        assert_filled(memory_page(9), 0x5e);
        assert_string_equal(statistics().fault, "");
        end_tables();
    }
}

/* ---- translations that are kept -------------------------------------------------------------- */

static void a_translation_is_kept_until_it_is_flushed(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct space space, other;

    (void)state;
    begin_tables(&config);
    start_user(&space);
    start_user(&other);
    map_page(&space, PAGE_A, MEMORY, 3);
    submit_paging();
    fill_by_user(&space, PAGE_A, 4096, 0x01010101);
    map_page(&space, PAGE_A, MEMORY, 4);
    submit_paging();
    fill_by_user(&space, PAGE_A, 4096, 0x02020202);
    assert_filled(memory_page(3), 2); /* stale: nobody flushed */
    flush(&other);
    flush_range(&space, PAGE_A + 0x10000, PAGE_A + 0x20000);
    submit_paging();
    fill_by_user(&space, PAGE_A, 4096, 0x03030303);
    assert_filled(memory_page(3), 3); /* stale: others were flushed */
    flush_range(&space, PAGE_A, PAGE_A + 4096);
    submit_paging();
    fill_by_user(&space, PAGE_A, 4096, 0x04040404);
    assert_filled(memory_page(3), 3);
    assert_filled(memory_page(4), 4);
    end_space(&other);
    end_space(&space);
    end_tables();
}

/* W-014 */
static void a_root_that_nobody_uses_may_be_flushed(void **state)
{
    struct softgpu_config config = config_of_tables();

    (void)state;
    begin_tables(&config);
    memset(&buffer.args.Reserved, 0, sizeof(buffer.args.Reserved));
    buffer.args.Operation = DXGK_OPERATION_FLUSH_TLB;
    buffer.args.FlushTlb.RootPageTableAddress.SegmentId = 7;
    buffer.args.FlushTlb.EndVirtualAddress = UINT64_MAX;
    build();
    submit_paging();
    assert_int_equal(statistics().flushes, 1);
    assert_int_equal(statistics().faults, 0);
    end_tables();
}

static void what_was_invalid_is_kept_only_if_the_caps_say_so(void **state)
{
    (void)state;
    for (int cached = 0; cached < 2; cached++) {
        struct softgpu_config config = config_of_tables();
        struct space space;

        config.mmu.invalid_cached = cached;
        begin_tables(&config);
        start_user(&space);
        map_page(&space, PAGE_A, MEMORY, 3);
        submit_paging();
        fill_by_user(&space, PAGE_A, 4096, 0x01010101); /* its neighbour is looked at as well */
        map_page(&space, PAGE_A + 4096, MEMORY, 4);
        submit_paging();
        fill_by_user(&space, PAGE_A + 4096, 4096, 0x02020202);
        assert_int_equal(statistics().page_faults, cached);
        flush(&space);
        submit_paging();
        fill_by_user(&space, PAGE_A + 4096, 4096, 0x02020202);
        assert_filled(memory_page(4), 2);
        end_space(&space);
        end_tables();
    }
}

/* ---- pages of other sizes, and of none ------------------------------------------------------- */

static void a_large_page_ends_the_walk_above_the_leaf(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct space space;

    (void)state;
    config.mmu.large_pages = true;
    begin_tables(&config);
    start_user(&space);
    map_at(&space, 4 * PAGE_A, 1,
           (DXGK_PTE){.Valid = 1, .LargePage = 1, .Segment = MEMORY, .PageAddress = 512});
    flush(&space);
    submit_paging();
    fill_by_user(&space, 4 * PAGE_A + 5 * 4096, 3 * 4096, 0x33333333);
    assert_string_equal(statistics().fault, "");
    assert_filled(memory_page(512 + 5), 0x33);
    assert_filled(memory_page(512 + 7), 0x33);
    assert_int_not_equal(memory_page(512 + 8)[0], 0x33);
    map_at(&space, 4 * PAGE_A, 1,
           (DXGK_PTE){.Valid = 1, .LargePage = 1, .Segment = MEMORY, .PageAddress = 1024});
    submit_paging();
    fill_by_user(&space, 4 * PAGE_A, 4096, 0x34343434);
    assert_filled(memory_page(512), 0x34); /* stale */
    flush_range(&space, 4 * PAGE_A + 4096, 4 * PAGE_A + 8192);
    submit_paging();
    fill_by_user(&space, 4 * PAGE_A, 4096, 0x35353535);
    assert_filled(memory_page(1024), 0x35);
    end_space(&space);
    end_tables();
}

static void map_64k(struct space *space, uint64_t gpuva, uint64_t page)
{
    struct table *table = find_table(space, 0, gpuva, true);
    DXGK_PTE pointer;

    if (table == NULL) {
        struct table *above = table_for(space, 1, gpuva, false);

        table = new_table(space, 0, gpuva >> 21 << 21, true);
        pointer = entry_of_table(table);
        if (SMALL.config.mmu.pages_64k == SOFTGPU_64K_DUAL) {
            pointer.PageTablePageSize = 0;
            buffer.args.UpdatePageTable.pPageTableEntries64KB = &pointer;
        }
        put_entry(above, gpuva, pointer);
    }
    put_entry(table, gpuva, (DXGK_PTE){.Valid = 1, .Segment = MEMORY, .PageAddress = page});
}

static void pages_of_64_kib_are_entries_of_tables_of_their_own(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct space space;

    (void)state;
    config.mmu.pages_64k = SOFTGPU_64K_SINGLE;
    begin_tables(&config);
    start_user(&space);
    map_64k(&space, 2 * PAGE_A + 0x30000, 32);
    map_page(&space, PAGE_A, MEMORY, 3); /* under the same table of level 1 */
    flush(&space);
    submit_paging();
    fill_by_user(&space, 2 * PAGE_A + 0x30000, 0x10000, 0x64646464);
    fill_by_user(&space, PAGE_A, 4096, 0x04040404);
    assert_string_equal(statistics().fault, "");
    for (UINT i = 0; i < 16; i++)
        assert_filled(memory_page(32 + i), 0x64);
    assert_filled(memory_page(3), 4);
    fill_by_user(&space, 2 * PAGE_A + 0x40000, 4096, 1);
    assert_int_equal(last_event()->type, DXGK_INTERRUPT_DMA_PAGE_FAULTED);
    end_space(&space);
    end_tables();
}

/* D-124 */
static void two_tables_may_stand_side_by_side(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct space space;
    struct table *small, *large;
    DXGK_PTE pointers[2];

    (void)state;
    config.mmu.pages_64k = SOFTGPU_64K_DUAL;
    begin_tables(&config);
    start_user(&space);
    small = new_table(&space, 0, PAGE_A, false);
    large = new_table(&space, 0, PAGE_A, true);
    pointers[0] = entry_of_table(small);
    pointers[1] = entry_of_table(large);
    pointers[1].PageTablePageSize = 0;
    buffer.args.Operation = DXGK_OPERATION_UPDATE_PAGE_TABLE;
    {
        const struct table *above = table_for(&space, 1, PAGE_A, false);
        DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE *args = &buffer.args.UpdatePageTable;

        memset(&buffer.args.Reserved, 0, sizeof(buffer.args.Reserved));
        buffer.args.Operation = DXGK_OPERATION_UPDATE_PAGE_TABLE;
        args->PageTableLevel = 1;
        args->pPageTableEntries = &pointers[0];
        args->pPageTableEntries64KB = &pointers[1];
        args->StartIndex = (UINT)(PAGE_A >> 21) & 511;
        args->NumPageTableEntries = 1;
        args->UpdateMode = DXGK_PAGETABLEUPDATE_GPU_PHYSICAL;
        args->PageTableAddress.GpuPhysical.SegmentId = MEMORY;
        args->PageTableAddress.GpuPhysical.SegmentOffset = above->page * 4096;
        build();
    }
    put_entry(small, PAGE_A, (DXGK_PTE){.Valid = 1, .Segment = MEMORY, .PageAddress = 3});
    put_entry(large, PAGE_A + 0x10000,
              (DXGK_PTE){.Valid = 1, .Segment = MEMORY, .PageAddress = 32});
    flush(&space);
    submit_paging();
    fill_by_user(&space, PAGE_A, 4096, 0x41414141);
    fill_by_user(&space, PAGE_A + 0x10000, 0x10000, 0x42424242);
    assert_string_equal(statistics().fault, "");
    assert_filled(memory_page(3), 0x41);
    assert_filled(memory_page(32), 0x42);
    assert_filled(memory_page(47), 0x42);
    flush(&space);
    submit_paging();
    fill_by_user(&space, PAGE_A + 0x10000, 4096, 0x43434343); /* its neighbours are kept */
    fill_by_user(&space, PAGE_A, 4096, 0x44444444);           /* and lead to the other leaf */
    assert_string_equal(statistics().fault, "");
    assert_filled(memory_page(32), 0x43);
    assert_filled(memory_page(3), 0x44);
    end_space(&space);
    end_tables();
}

static void a_zero_page_reads_zero_and_keeps_nothing(void **state)
{
    (void)state;
    for (UINT level = 0; level < 2; level++) {
        struct softgpu_config config = config_of_tables();
        struct space space;

        begin_tables(&config);
        start_user(&space);
        map_page(&space, PAGE_A, MEMORY, 3);
        map_at(&space, 4 * PAGE_A, level, (DXGK_PTE){.Valid = 1, .Zero = 1});
        flush(&space);
        submit_paging();
        fill_by_user(&space, 4 * PAGE_A, 4096, 0x77777777);
        fill_by_user(&space, PAGE_A, 4096, 0x66666666);
        copy_by_user(&space, 4 * PAGE_A, PAGE_A, 4096);
        assert_string_equal(statistics().fault, "");
        assert_filled(memory_page(3), 0);
        end_space(&space);
        end_tables();
    }
}

/* ---- monitored fences ------------------------------------------------------------------------ */

static void fences_are_signalled_by_user_mode_and_by_paging(void **state)
{
    (void)state;
    for (int bits = 0; bits < 2; bits++) {
        struct softgpu_config config = config_of_tables();
        struct softgpu_virtual_signal signal = {
            .command = {.opcode = SOFTGPU_VIRTUAL_SIGNAL, .size = sizeof(signal)},
            .gpuva = PAGE_A + 64,
            .value = UINT64_C(0x500000007)};
        struct space space;
        unsigned before;
        uint64_t value;

        config.atomics_64 = bits;
        begin_tables(&config);
        start_user(&space);
        map_page(&space, PAGE_A, MEMORY, 3);
        memset(memory_page(3), 0, 4096);
        map_page(&SMALL.paging, SCRATCH, MEMORY, 3);
        flush(&space);
        submit_paging();
        before = world.event_count;
        run_user(&space, &signal, sizeof(signal));
        memcpy(&value, memory_page(3) + 64, 8);
        assert_true(value == (bits ? UINT64_C(0x500000007) : 7));
        assert_int_equal(world.events[before % LOG].type, DXGK_INTERRUPT_MONITORED_FENCE_SIGNALED);
        assert_int_equal(world.events[before % LOG].node, NODE);
        memset(&buffer.args.Reserved, 0, sizeof(buffer.args.Reserved));
        buffer.args.Operation = DXGK_OPERATION_SIGNAL_MONITORED_FENCE;
        buffer.args.SignalMonitoredFence.MonitoredFenceGpuVa = SCRATCH + 64;
        buffer.args.SignalMonitoredFence.MonitoredFenceValue = 12;
        build();
        submit_paging();
        memcpy(&value, memory_page(3) + 64, 8);
        assert_true(value == 12);
        assert_int_equal(statistics().signals, 2);
        end_space(&space);
        end_tables();
    }
}

/* ---- what user mode may do ------------------------------------------------------------------- */

static void a_touch_checks_and_writes_by_address(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct {
        struct softgpu_virtual_touch touch;
        struct softgpu_virtual_reference reference;
    } touch = {.touch = {.command = {.opcode = SOFTGPU_VIRTUAL_TOUCH, .size = sizeof(touch)},
                         .reference_count = 1,
                         .seed = 5},
               .reference = {.gpuva = PAGE_A, .pages = 2, .content_id = 8}};
    struct space space;

    (void)state;
    begin_tables(&config);
    start_user(&space);
    map_page(&space, PAGE_A, MEMORY, 7);
    map_page(&space, PAGE_A + 4096, MEMORY, 3);
    flush(&space);
    submit_paging();
    memset(memory_page(7), 0, 4096);
    memset(memory_page(3), 0, 4096);
    touch.reference.flags = SOFTGPU_REFERENCE_WRITE;
    run_user(&space, &touch, sizeof(touch));
    touch.reference.generation = 1;
    touch.reference.flags = 0;
    run_user(&space, &touch, sizeof(touch));
    assert_string_equal(statistics().mismatch, "");
    assert_int_equal(statistics().content_pages, 4);
    memory_page(3)[100] ^= 1;
    run_user(&space, &touch, sizeof(touch));
    assert_int_equal(statistics().content_mismatches, 1);
    end_space(&space);
    end_tables();
}

static void gdi_draws_by_the_addresses_of_its_list(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct {
        struct softgpu_touch touch;
        struct softgpu_reference reference;
    } touches[2] = {0};
    DXGK_ALLOCATIONLIST list[2] = {{.VirtualAddress = 0},
                                   {.VirtualAddress = PAGE_A, .WriteOperation = 1}};
    unsigned char dma[4096];
    DXGKARG_RENDERGDI args = {.pCommand = touches,
                              .CommandLength = sizeof(touches),
                              .pDmaBuffer = dma,
                              .DmaSize = 100, /* room for one */
                              .pAllocationList = list,
                              .AllocationListSize = 2};
    struct space space;

    (void)state;
    begin_tables(&config);
    start_user(&space);
    map_page(&space, PAGE_A, MEMORY, 7);
    flush(&space);
    submit_paging();
    memset(memory_page(7), 0, 4096);
    for (int i = 0; i < 2; i++) {
        touches[i].touch.command.opcode = SOFTGPU_TOUCH;
        touches[i].touch.command.size = sizeof(touches[i]);
        touches[i].touch.reference_count = 1;
        touches[i].reference.allocation_index = 1;
        touches[i].reference.pages = 1;
        touches[i].reference.flags = SOFTGPU_REFERENCE_WRITE;
        touches[i].reference.generation = (uint32_t)i;
    }
    for (int i = 0; i < 2; i++) {
        args.pDmaBuffer = dma;
        assert_int_equal(world.ddi.DxgkDdiRenderGdi(space.context, &args),
                         i == 0 ? STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER : STATUS_SUCCESS);
        run_user(&space, dma, (UINT)((unsigned char *)args.pDmaBuffer - dma));
    }
    assert_string_equal(statistics().mismatch, "");
    assert_string_equal(statistics().fault, "");
    assert_int_equal(statistics().content_bytes_written, 2 * VIDMM_CONTENT_SECTOR);
    touches[0].reference.allocation_index = 0;
    args.MultipassOffset = 0;
    assert_int_equal(world.ddi.DxgkDdiRenderGdi(space.context, &args), STATUS_INVALID_PARAMETER);
    assert_refused("names no element with an address");
    end_space(&space);
    end_tables();
}

/* Nothing is patched there. */
static void such_a_context_has_no_render(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct space space;
    DXGKARG_RENDER render = {.CommandLength = 0};
    DXGKARG_PRESENT present = {.DmaSize = 0};

    (void)state;
    begin_tables(&config);
    start_user(&space);
    assert_int_equal(world.ddi.DxgkDdiRender(space.context, &render), STATUS_INVALID_PARAMETER);
    assert_refused("Render: the context has virtual addresses");
    assert_int_equal(world.ddi.DxgkDdiPresent(space.context, &present), STATUS_INVALID_PARAMETER);
    end_space(&space);
    end_tables();
}

static void user_mode_names_no_physical_address(void **state)
{
    struct softgpu_op_fill fill = {.command = {.opcode = SOFTGPU_OP_FILL, .size = sizeof(fill)},
                                   .bytes = 4096,
                                   .segment = MEMORY,
                                   .address = SOFTGPU_SEGMENT_BASE(MEMORY)};
    struct softgpu_op_flush flushing = {
        .command = {.opcode = SOFTGPU_OP_FLUSH, .size = sizeof(flushing)}};
    struct softgpu_config config = config_of_tables();
    struct space space;

    (void)state;
    begin_tables(&config);
    start_user(&space);
    memset(memory_page(0), 0x99, 4096);
    run_user(&space, &fill, sizeof(fill));
    run_user(&space, &flushing, sizeof(flushing));
    assert_filled(memory_page(0), 0x99);
    assert_int_equal(statistics().faults, 2);
    assert_non_null(strstr(statistics().fault, "is not for user mode"));
    end_space(&space);
    end_tables();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caps_are_as_configured_and_agree),
        cmocka_unit_test(each_level_of_tables_is_described),
        cmocka_unit_test(a_resizable_root_has_the_size_that_it_needs),
        cmocka_unit_test(addresses_lead_where_the_tables_say_with_each_number_of_levels),
        cmocka_unit_test(who_writes_the_tables_is_all_the_same),
        cmocka_unit_test(a_long_update_goes_through_a_short_buffer_in_parts),
        cmocka_unit_test(the_drivers_own_bits_are_in_leaf_entries_alone),
        cmocka_unit_test(paging_buffers_wait_side_by_side),
        cmocka_unit_test(paging_goes_by_address),
        cmocka_unit_test(a_translation_is_kept_until_it_is_flushed),
        cmocka_unit_test(a_root_that_nobody_uses_may_be_flushed),
        cmocka_unit_test(what_was_invalid_is_kept_only_if_the_caps_say_so),
        cmocka_unit_test(a_large_page_ends_the_walk_above_the_leaf),
        cmocka_unit_test(pages_of_64_kib_are_entries_of_tables_of_their_own),
        cmocka_unit_test(two_tables_may_stand_side_by_side),
        cmocka_unit_test(a_zero_page_reads_zero_and_keeps_nothing),
        cmocka_unit_test(fences_are_signalled_by_user_mode_and_by_paging),
        cmocka_unit_test(a_touch_checks_and_writes_by_address),
        cmocka_unit_test(gdi_draws_by_the_addresses_of_its_list),
        cmocka_unit_test(such_a_context_has_no_render),
        cmocka_unit_test(user_mode_names_no_physical_address),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
