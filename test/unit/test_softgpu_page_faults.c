/* Page faults of the software GPU: addresses that lead nowhere, and who is told. */
#include "test_softgpu_tables.h"

/* ---- page faults ----------------------------------------------------------------------------- */

/* A fault with this fence and address was told of last. */
static void assert_page_fault(const struct space *space, UINT fence, uint64_t address, UINT level,
                              bool write, const char *why)
{
    const struct event *event = last_event();
    struct softgpu_statistics now = statistics();

    assert_int_equal(event->type, DXGK_INTERRUPT_DMA_PAGE_FAULTED);
    assert_int_equal(event->fence, fence);
    assert_true(event->address == address);
    assert_int_equal(event->level, level);
    assert_int_equal(event->node, NODE);
    assert_int_equal(event->flags, write ? DXGK_PAGE_FAULT_WRITE : 0);
    assert_ptr_equal(event->process, space);
    assert_int_equal(now.page_faults, 1);
    if (strstr(now.fault, why) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", why, now.fault);
}

struct faulty {
    struct softgpu_config config;
    struct space space;
};

static void begin_faulty(struct faulty *faulty)
{
    faulty->config = config_of_tables();
    begin_tables(&faulty->config);
    start_user(&faulty->space);
    map_page(&faulty->space, PAGE_A, MEMORY, 3);
    submit_paging();
}

/* The engine still works, for the same process even. */
static void end_faulty(struct faulty *faulty)
{
    UINT fence;

    map_page(&faulty->space, PAGE_A, MEMORY, 3);
    flush(&faulty->space);
    submit_paging();
    fence = fill_by_user(&faulty->space, PAGE_A, 4096, 0x09090909);
    assert_int_equal(last_event()->type, DXGK_INTERRUPT_DMA_COMPLETED);
    assert_int_equal(last_event()->fence, fence);
    assert_filled(memory_page(3), 9);
    end_space(&faulty->space);
    end_tables();
}

static void an_invalid_entry_is_a_fault_with_its_address(void **state)
{
    struct faulty faulty;
    UINT fence;

    (void)state;
    begin_faulty(&faulty);
    fence = fill_by_user(&faulty.space, PAGE_A, 8192, 0x01010101);
    assert_page_fault(&faulty.space, fence, PAGE_A + 4096, 0, true, "an invalid entry");
    assert_filled(memory_page(3), 1); /* up to there it was done */
    end_faulty(&faulty);
}

static void a_read_that_leads_nowhere_is_no_write(void **state)
{
    struct faulty faulty;
    UINT fence;

    (void)state;
    begin_faulty(&faulty);
    fence = copy_by_user(&faulty.space, PAGE_A + 4096, PAGE_A, 4096);
    assert_page_fault(&faulty.space, fence, PAGE_A + 4096, 0, false, "an invalid entry");
    end_faulty(&faulty);
}

static void what_lies_under_no_table_faults_above(void **state)
{
    struct faulty faulty;
    UINT fence;

    (void)state;
    begin_faulty(&faulty);
    fence = fill_by_user(&faulty.space, UINT64_C(1) << 31, 4096, 1);
    assert_page_fault(&faulty.space, fence, UINT64_C(1) << 31, 2, true, "an invalid entry");
    end_faulty(&faulty);
}

/* A table that was given back, and is somebody else's memory by now. */
static void a_poisoned_table_is_a_fault_of_its_own(void **state)
{
    struct faulty faulty;
    const struct table *leaf;
    unsigned char kept[4096];
    UINT fence;

    (void)state;
    begin_faulty(&faulty);
    leaf = find_table(&faulty.space, 0, PAGE_A, false);
    memcpy(kept, bytes_of_table(leaf), 4096);
    memset(bytes_of_table(leaf), 0xd5, 4096);
    fence = fill_by_user(&faulty.space, PAGE_A, 4096, 1);
    assert_page_fault(&faulty.space, fence, PAGE_A, 0, true, "never written");
    memcpy(bytes_of_table(leaf), kept, 4096);
    end_faulty(&faulty);
}

/* A table whose memory is given back is poison to who walks it still. */
static void a_table_that_was_given_back_is_poison(void **state)
{
    struct faulty faulty;
    struct softgpu_allocation wanted = wanted_of(4096);
    const struct table *leaf;
    DXGK_ALLOCATIONINFO info;
    unsigned char kept[4096];
    UINT fence;

    (void)state;
    begin_faulty(&faulty);
    leaf = find_table(&faulty.space, 0, PAGE_A, false);
    memcpy(kept, bytes_of_table(leaf), 4096);
    assert_int_equal(create(&wanted, 1, &info, NULL), STATUS_SUCCESS);
    build_discard(info.hAllocation, SOFTGPU_SEGMENT_BASE(MEMORY) + leaf->page * 4096);
    submit_paging();
    fence = fill_by_user(&faulty.space, PAGE_A, 4096, 1);
    assert_page_fault(&faulty.space, fence, PAGE_A, 0, true, "never written");
    memcpy(bytes_of_table(leaf), kept, 4096);
    destroy(1, &info.hAllocation, NULL);
    end_faulty(&faulty);
}

/* An offset that is taken for an address, or the other way round, leads nowhere. */
static void segments_do_not_begin_at_address_0(void **state)
{
    struct softgpu_config config = config_of_tables();

    (void)state;
    begin_tables(&config);
    memset(&buffer.args.Fill, 0, sizeof(buffer.args.Fill));
    buffer.args.Operation = DXGK_OPERATION_FILL;
    buffer.args.Fill.FillSize = 4096;
    buffer.args.Fill.FillPattern = 0x12121212;
    buffer.args.Fill.Destination.SegmentId = MEMORY;
    buffer.args.Fill.Destination.SegmentAddress.QuadPart = 5 * 4096;
    build();
    submit_paging();
    assert_int_equal(statistics().faults, 1);
    if (strstr(statistics().fault, "outside") == NULL)
        fail_msg("\"%s\"", statistics().fault);
    assert_int_not_equal(memory_page(5)[0], 0x12);
    build_fill(SOFTGPU_SEGMENT_BASE(MEMORY) + 5 * 4096, 4096, 0x12121212);
    submit_paging();
    assert_int_equal(statistics().faults, 1);
    assert_filled(memory_page(5), 0x12);
    end_tables();
}

static void a_read_only_page_is_read_and_not_written(void **state)
{
    struct faulty faulty;
    UINT fence;

    (void)state;
    begin_faulty(&faulty);
    map_at(&faulty.space, PAGE_A + 4096, 0,
           (DXGK_PTE){.Valid = 1, .ReadOnly = 1, .Segment = MEMORY, .PageAddress = 4});
    submit_paging();
    memset(memory_page(4), 0x44, 4096);
    copy_by_user(&faulty.space, PAGE_A + 4096, PAGE_A, 4096);
    assert_filled(memory_page(3), 0x44);
    fence = fill_by_user(&faulty.space, PAGE_A + 4096, 4096, 1);
    assert_page_fault(&faulty.space, fence, PAGE_A + 4096, 0, true, "read-only");
    assert_filled(memory_page(4), 0x44);
    end_faulty(&faulty);
}

static void commands_do_not_run_from_a_no_execute_page(void **state)
{
    struct faulty faulty;
    UINT fence;

    (void)state;
    begin_faulty(&faulty);
    map_at(&faulty.space, COMMANDS, 0,
           (DXGK_PTE){.Valid = 1, .NoExecute = 1, .PageAddress = faulty.space.stream});
    flush(&faulty.space);
    submit_paging();
    fence = fill_by_user(&faulty.space, PAGE_A, 4096, 1);
    assert_page_fault(&faulty.space, fence, COMMANDS, 0, false, "no-execute");
    map_page(&faulty.space, COMMANDS, 0, faulty.space.stream);
    end_faulty(&faulty);
}

/* D-136 */
static void indices_behind_the_root_fault(void **state)
{
    struct faulty faulty;
    UINT fence;

    (void)state;
    begin_faulty(&faulty);
    set_root(&faulty.space, 1);
    fence = fill_by_user(&faulty.space, UINT64_C(1) << 39, 4096, 1);
    assert_page_fault(&faulty.space, fence, UINT64_C(1) << 39, 3, true, "behind the entries");
    end_faulty(&faulty);
}

static void a_context_without_tables_faults(void **state)
{
    struct faulty faulty;
    UINT fence;

    (void)state;
    begin_faulty(&faulty);
    set_root(&faulty.space, 0);
    fence = fill_by_user(&faulty.space, PAGE_A, 4096, 1);
    assert_page_fault(&faulty.space, fence, COMMANDS, 3, false, "has no page tables");
    set_root(&faulty.space, 512);
    end_faulty(&faulty);
}

static void an_engine_may_stand_until_it_is_reset(void **state)
{
    struct softgpu_config config = config_of_tables();
    DXGKARG_RESETENGINE reset = {.NodeOrdinal = NODE};
    struct space space;
    UINT fence;

    (void)state;
    config.mmu.on_page_fault = SOFTGPU_PAGE_FAULT_STANDS;
    config.engine_reset = true;
    begin_tables(&config);
    start_user(&space);
    fence = fill_by_user(&space, PAGE_A, 4096, 1);
    assert_int_equal(last_event()->type, DXGK_INTERRUPT_DMA_PAGE_FAULTED);
    assert_int_equal(last_event()->flags,
                     DXGK_PAGE_FAULT_WRITE | DXGK_PAGE_FAULT_ENGINE_RESET_REQUIRED);
    map_page(&space, PAGE_A, MEMORY, 3);
    flush(&space);
    submit_paging();
    fill_by_user(&space, PAGE_A, 4096, 0x07070707);
    assert_int_not_equal(last_event()->fence, world.fence); /* it stands */
    assert_int_equal(world.ddi.DxgkDdiResetEngine(world.adapter, &reset), STATUS_SUCCESS);
    assert_int_equal(reset.LastAbortedFenceId, fence);
    fill_by_user(&space, PAGE_A, 4096, 0x08080808);
    assert_filled(memory_page(3), 8);
    end_space(&space);
    end_tables();
}

static void several_faults_are_told_one_by_one(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct space space;
    unsigned before;

    (void)state;
    config.interrupts = SOFTGPU_LATE;
    begin_tables(&config);
    start_user(&space);
    before = world.event_count;
    for (UINT i = 0; i < 20; i++)
        fill_by_user(&space, PAGE_A + i * 4096, 4096, 1);
    assert_int_equal(world.event_count - before, 20);
    assert_int_equal(statistics().page_faults, 20);
    end_space(&space);
    end_tables();
}

/* Let the engine step so often, though nobody takes its interrupt. */
static void step_engine(UINT times)
{
    while (times-- != 0)
        world.machine.engines[NODE].step(world.machine.engines[NODE].engine);
}

/* D-269: the packets before count as completed by the fault */
static void completion_is_not_told_of_behind_a_fault(void **state)
{
    struct faulty faulty;
    unsigned before;

    (void)state;
    begin_faulty(&faulty);
    before = world.event_count;
    world.machine.listener = NULL;
    fill_by_user(&faulty.space, PAGE_A, 4096, 1);
    fill_by_user(&faulty.space, PAGE_A + 4096, 4096, 1);
    world.machine.listener = on_interrupt;
    on_interrupt(&world.machine);
    settle();
    assert_int_equal(world.event_count - before, 1);
    assert_int_equal(last_event()->type, DXGK_INTERRUPT_DMA_PAGE_FAULTED);
    assert_int_equal(last_event()->fence, world.fence);
    end_faulty(&faulty);
}

static void no_fault_is_lost_while_nobody_listens(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct softgpu_virtual_fill fill = {
        .command = {.opcode = SOFTGPU_VIRTUAL_FILL, .size = sizeof(fill)},
        .bytes = 4096,
        .gpuva = PAGE_A,
        .space = SOFTGPU_VIRTUAL_SPACE,
    };
    struct space space;
    unsigned before;

    (void)state;
    begin_tables(&config);
    start_user(&space);
    memcpy(machine_at(&world.machine, space.stream * 4096), &fill, sizeof(fill));
    before = world.event_count;
    world.machine.listener = NULL;
    for (UINT i = 0; i < 12; i++) {
        DXGKARG_SUBMITCOMMANDVIRTUAL args = {.hContext = space.context,
                                             .DmaBufferVirtualAddress = COMMANDS,
                                             .DmaBufferSize = sizeof(fill),
                                             .SubmissionFenceId = 1000 + i,
                                             .NodeOrdinal = NODE};

        assert_int_equal(world.ddi.DxgkDdiSubmitCommandVirtual(world.adapter, &args), 0);
    }
    step_engine(100);
    assert_int_equal(world.event_count, before);
    world.machine.listener = on_interrupt;
    on_interrupt(&world.machine);
    settle();
    assert_int_equal(world.event_count - before, 12);
    for (UINT i = 0; i < 12; i++)
        assert_int_equal(world.events[(before + i) % LOG].fence, 1000 + i);
    end_space(&space);
    end_tables();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_invalid_entry_is_a_fault_with_its_address),
        cmocka_unit_test(a_read_that_leads_nowhere_is_no_write),
        cmocka_unit_test(what_lies_under_no_table_faults_above),
        cmocka_unit_test(a_poisoned_table_is_a_fault_of_its_own),
        cmocka_unit_test(a_table_that_was_given_back_is_poison),
        cmocka_unit_test(segments_do_not_begin_at_address_0),
        cmocka_unit_test(a_read_only_page_is_read_and_not_written),
        cmocka_unit_test(commands_do_not_run_from_a_no_execute_page),
        cmocka_unit_test(indices_behind_the_root_fault),
        cmocka_unit_test(a_context_without_tables_faults),
        cmocka_unit_test(an_engine_may_stand_until_it_is_reset),
        cmocka_unit_test(several_faults_are_told_one_by_one),
        cmocka_unit_test(completion_is_not_told_of_behind_a_fault),
        cmocka_unit_test(no_fault_is_lost_while_nobody_listens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
