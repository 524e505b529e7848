/* test_engine_tables.c: page tables that get no memory, and drivers that write them by the CPU. */
#include "test_engine_rig.h"

enum {
    PAGING = 1,
    FIRST = 2,
    SECOND = 3
}; /* processes; the programs' devices have their numbers */

/* Tables of programs go into segment 3, which has `pages`; those of the paging process into system
 * memory. Device 1 is of no process. */
static bool idle_updates; /* of the next engine */

static void begin_beside(struct engine_rig *rig, uint64_t pages, uint32_t entries, bool memory)
{
    struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    config.segment_count = 3;
    config.segments[2].aperture = !memory;
    config.segments[2].cpu_visible = memory;
    config.segments[3].size = PAGES(pages);
    config.explicit_residency = true;
    config.mmu = (struct vidmm_engine_mmu){.levels = 2,
                                           .index_bits = {4},
                                           .root_entries = entries,
                                           .table_size = {4096, 4096},
                                           .table_segment = {3, 3},
                                           .idle_updates = idle_updates,
                                           .low = 0x10000,
                                           .high = entries * 0x10000};
    engine_rig_init(rig, &config);
    for (event.process.process = PAGING; event.process.process <= SECOND; event.process.process++) {
        event.process.paging = event.process.process == PAGING;
        engine_rig_do(rig, event);
    }
    for (uint32_t device = FIRST; device <= SECOND; device++) {
        struct vidmm_event create = engine_event_device(VIDMM_EVENT_CREATE_DEVICE, device);

        create.create_device.process = device;
        engine_rig_do(rig, create);
    }
}

static void begin_with_root(struct engine_rig *rig, uint64_t pages, uint32_t entries)
{
    begin_beside(rig, pages, entries, true);
}

static void begin(struct engine_rig *rig, uint64_t pages)
{
    begin_with_root(rig, pages, 24);
}

static NTSTATUS submit(struct engine_rig *rig, uint32_t device)
{
    struct vidmm_event event = engine_event_submit(100 + device, 0, NULL, 0);

    event.device = device;
    event.submit.context = device;
    return engine_rig_step(rig, event);
}

static NTSTATUS retired(const struct engine_rig *rig, uint32_t from)
{
    const struct vidmm_operation *retire = engine_rig_find(rig, from, VIDMM_DO_RETIRE);

    assert_non_null(retire);
    return (NTSTATUS)retire->retire.status;
}

static void a_program_without_memory_for_its_tables_fails(void **state)
{
    struct engine_rig rig;
    const struct vidmm_operation *error;
    uint32_t from;

    (void)state;
    begin(&rig, 2); /* the first page is nobody's (D-334): one table */
    assert_int_equal(submit(&rig, FIRST), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(retired(&rig, 0), STATUS_SUCCESS);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_ERROR));
    from = rig.count;
    assert_int_equal(submit(&rig, SECOND), STATUS_SUCCESS);
    engine_rig_run(&rig);
    error = engine_rig_find(&rig, from, VIDMM_DO_ERROR);
    assert_non_null(error);
    assert_int_equal(error->error.device, SECOND);
    assert_int_equal(error->error.reason, VIDMM_REASON_OUT_OF_MEMORY);
    assert_int_equal(retired(&rig, from), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    from = rig.count; /* the other one goes on */
    assert_int_equal(submit(&rig, FIRST), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(retired(&rig, from), STATUS_SUCCESS);
    engine_rig_finish(&rig);
}

static void tables_that_the_cpu_writes_need_no_paging_buffer(void **state)
{
    struct engine_rig rig;

    (void)state;
    begin(&rig, 8);
    assert_int_equal(submit(&rig, FIRST), STATUS_SUCCESS);
    while (rig.call.kind == VIDMM_DO_BUILD) { /* the driver writes them itself, and no command */
        rig.call.kind = 0;
        engine_rig_do(&rig, engine_event_built(STATUS_SUCCESS, 0, 0));
    }
    assert_int_equal(rig.call.kind, VIDMM_DO_SUBMIT);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_SUBMIT_PAGING));
    engine_rig_run(&rig);
    assert_int_equal(retired(&rig, 0), STATUS_SUCCESS);
    engine_rig_finish(&rig);
}

/* ---- values of paging queues ----------------------------------------------------------------- */

/* A queue of each program's device, by its number, and an allocation of the first. */
static void create_queues(struct engine_rig *rig, uint64_t pages, uint32_t set)
{
    struct vidmm_event event = engine_event_create(1, pages, set);

    engine_rig_run(rig); /* the tables of the paging process */
    event.device = FIRST;
    engine_rig_do(rig, event);
    for (uint32_t device = FIRST; device <= SECOND; device++) {
        event = engine_event_device(VIDMM_EVENT_CREATE_PAGING_QUEUE, device);
        event.paging_queue.queue = device;
        engine_rig_do(rig, event);
    }
}

static void begin_queues(struct engine_rig *rig)
{
    begin(rig, 16);
    create_queues(rig, 4, 1u << 1);
}

static struct vidmm_event mapping(uint32_t process, uint64_t pages, uint32_t queue)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};

    event.addresses.process = process;
    event.addresses.state = VIDMM_ADDRESSES_MAPPED;
    event.addresses.allocation = 1;
    event.addresses.size = PAGES(pages);
    event.addresses.queue = queue;
    return event;
}

static uint32_t index_of(const struct engine_rig *rig, uint32_t from, uint32_t kind,
                         uint32_t operation)
{
    while (from < rig->count && (rig->log[from].kind != kind ||
                                 (operation != 0 && rig->log[from].table.operation != operation)))
        from++;
    assert_true(from < rig->count);
    return from;
}

static void a_mapping_is_pending_until_its_tables_are_executed(void **state)
{
    struct engine_rig rig;
    uint32_t from, flushed, signal;

    (void)state;
    begin_queues(&rig);
    assert_int_equal(submit(&rig, FIRST), STATUS_SUCCESS); /* a process that runs has tables */
    engine_rig_run(&rig);
    from = rig.count;
    assert_int_equal(engine_rig_step(&rig, mapping(FIRST, 4, FIRST)), STATUS_PENDING);
    assert_int_equal(vidmm_engine_residency_answer(rig.engine).value, 7001);
    assert_int_equal(vidmm_engine_address(rig.engine), 0x10000);
    while (rig.call.kind != 0) {
        assert_null(engine_rig_find(&rig, from, VIDMM_DO_SIGNAL));
        engine_rig_answer(&rig);
    }
    assert_int_equal(vidmm_engine_paging_fence(rig.engine, FIRST), 7000); /* built, not executed */
    engine_rig_run(&rig);
    flushed = index_of(&rig, from, VIDMM_DO_BUILD, VIDMM_FLUSH_TLB);
    signal = index_of(&rig, flushed, VIDMM_DO_SIGNAL, 0);
    assert_int_equal(rig.log[signal].signal.queue, FIRST);
    assert_int_equal(rig.log[signal].signal.value, 7001);
    assert_int_equal(rig.log[signal].signal.status, STATUS_SUCCESS);
    assert_int_equal(engine_rig_step(&rig, mapping(FIRST, 2, 0)), STATUS_SUCCESS);
    assert_int_equal(vidmm_engine_residency_answer(rig.engine).value, 0);
    engine_rig_run(&rig);
    assert_int_equal(vidmm_engine_paging_fence(rig.engine, FIRST), 7001);
    engine_rig_finish(&rig);
}

static void a_refused_mapping_takes_no_value(void **state)
{
    struct vidmm_event release = {.kind = VIDMM_EVENT_FREE_ADDRESSES};
    struct engine_rig rig;

    (void)state;
    begin_queues(&rig);
    assert_int_equal(engine_rig_step(&rig, mapping(FIRST, 5, FIRST)), STATUS_INVALID_PARAMETER);
    assert_int_equal(engine_rig_step(&rig, mapping(FIRST, 4, SECOND)), STATUS_INVALID_PARAMETER);
    assert_int_equal(engine_rig_step(&rig, mapping(FIRST, 4, 9)), STATUS_INVALID_PARAMETER);
    assert_int_equal(rig.call.kind, 0);
    assert_int_equal(engine_rig_step(&rig, mapping(FIRST, 4, FIRST)), STATUS_PENDING);
    assert_int_equal(vidmm_engine_residency_answer(rig.engine).value, 7001);
    assert_int_equal(vidmm_engine_address(rig.engine), 0x10000);
    engine_rig_run(&rig);
    release.addresses = mapping(FIRST, 4, FIRST).addresses;
    release.addresses.base = 0x10000;
    assert_int_equal(engine_rig_step(&rig, release), STATUS_INVALID_PARAMETER);
    release.addresses.queue = 0;
    assert_int_equal(engine_rig_step(&rig, release), STATUS_SUCCESS);
    engine_rig_run(&rig);
    engine_rig_finish(&rig);
}

static void tables_that_the_cpu_writes_are_waited_for_too(void **state)
{
    struct engine_rig rig;
    uint32_t from;

    (void)state;
    begin_queues(&rig);
    from = rig.count;
    assert_int_equal(engine_rig_step(&rig, mapping(FIRST, 4, FIRST)), STATUS_PENDING);
    while (rig.call.kind == VIDMM_DO_BUILD) {
        rig.call.kind = 0;
        engine_rig_do(&rig, engine_event_built(STATUS_SUCCESS, 0, 0));
    }
    assert_int_equal(vidmm_engine_paging_fence(rig.engine, FIRST), 7001);
    assert_null(engine_rig_find(&rig, from, VIDMM_DO_SUBMIT_PAGING));
    engine_rig_finish(&rig);
}

/* ---- tables and lists ------------------------------------------------------------------------ */

static NTSTATUS list(struct engine_rig *rig, uint32_t queue)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAKE_RESIDENT};
    uint32_t id = 1;

    event.residency.queue = queue;
    event.residency.count = 1;
    event.residency.allocations = &id;
    return engine_rig_step(rig, event);
}

/* Nothing but page tables and lists is in memory, 16 pages. Two mappings need two leaves and a root
 * that have no memory yet; another process needs none. */
static void a_list_leaves_room_for_tables_that_are_due(void **state)
{
    (void)state;
    for (unsigned pages = 13; pages <= 14; pages++) {
        struct engine_rig rig;

        begin_beside(&rig, 16, 24, false);
        create_queues(&rig, pages, 1u << 2);
        engine_rig_do(&rig, mapping(FIRST, 4, 0));
        engine_rig_do(&rig, mapping(FIRST, 4, 0));
        assert_int_equal(list(&rig, FIRST), pages == 13 ? STATUS_PENDING : STATUS_NO_MEMORY);
        assert_int_equal(vidmm_engine_residency_answer(rig.engine).bytes_to_trim,
                         PAGES(pages - 13));
        engine_rig_run(&rig);
        assert_int_equal(vidmm_engine_paging_fence(rig.engine, FIRST), pages == 13 ? 7001 : 7000);
        assert_null(engine_rig_find(&rig, 0, VIDMM_DO_ERROR));
        engine_rig_finish(&rig);
    }
}

/* A program without tables has its root to come. */
static void a_list_leaves_room_for_its_own_root(void **state)
{
    (void)state;
    for (unsigned pages = 15; pages <= 16; pages++) {
        struct engine_rig rig;

        begin_beside(&rig, 16, 24, false);
        create_queues(&rig, pages, 1u << 2);
        assert_int_equal(list(&rig, FIRST), pages == 15 ? STATUS_PENDING : STATUS_NO_MEMORY);
        engine_rig_run(&rig);
        assert_int_equal(submit(&rig, FIRST), STATUS_SUCCESS);
        engine_rig_run(&rig);
        assert_int_equal(retired(&rig, 0), STATUS_SUCCESS);
        engine_rig_finish(&rig);
    }
}

/* ---- programs end ---------------------------------------------------------------------------- */

static struct vidmm_event ending(uint32_t process)
{
    return (struct vidmm_event){.kind = VIDMM_EVENT_DESTROY_PROCESS,
                                .process = {.process = process}};
}

static void end_program(struct engine_rig *rig, uint32_t process)
{
    engine_rig_do(rig, engine_event_device(VIDMM_EVENT_DESTROY_DEVICE, process));
    engine_rig_do(rig, ending(process));
}

static void destroy_queue(struct engine_rig *rig, uint32_t queue)
{
    struct vidmm_event event = engine_event_device(VIDMM_EVENT_DESTROY_PAGING_QUEUE, queue);

    event.paging_queue.queue = queue;
    engine_rig_do(rig, event);
}

/* ---- tables that leave ----------------------------------------------------------------------- */

static uint64_t tables_now(const struct engine_rig *rig, uint64_t *evictions)
{
    struct vidmm_engine_statistics statistics;

    vidmm_engine_get_statistics(rig->engine, &statistics);
    *evictions = statistics.table_evictions;
    return statistics.tables;
}

static void run_one(struct engine_rig *rig, uint32_t device)
{
    uint32_t from = rig->count;

    assert_int_equal(submit(rig, device), STATUS_SUCCESS);
    engine_rig_run(rig);
    assert_int_equal(retired(rig, from), STATUS_SUCCESS);
    assert_null(engine_rig_find(rig, from, VIDMM_DO_ERROR));
}

/* The first record of the level for the process from there on. */
static uint32_t record_of(const struct engine_rig *rig, uint32_t from, uint32_t process,
                          uint32_t operation, uint32_t level)
{
    uint32_t at = index_of(rig, from, VIDMM_DO_BUILD, operation);

    while (rig->log[at].table.process != process ||
           (operation == VIDMM_UPDATE_PAGE_TABLE && rig->log[at].table.level != level))
        at = index_of(rig, at + 1, VIDMM_DO_BUILD, operation);
    return at;
}

/* Memory for two roots and one leaf: each program has the leaf while it runs. */
static void tables_of_who_does_not_run_leave_for_those_of_who_does(void **state)
{
    struct engine_rig rig;
    uint64_t evictions;
    uint32_t from, root, flushed, sent, freed;

    (void)state;
    begin(&rig, 4);
    create_queues(&rig, 4, 1u << 1);
    engine_rig_do(&rig, mapping(FIRST, 4, 0));
    run_one(&rig, FIRST);
    assert_int_equal(tables_now(&rig, &evictions), 3 + 2);
    assert_int_equal(evictions, 0);
    from = rig.count;
    engine_rig_do(&rig, mapping(SECOND, 4, 0));
    engine_rig_run(&rig);
    assert_int_equal(tables_now(&rig, &evictions), 3 + 3);
    assert_int_equal(evictions, 1);
    root = record_of(&rig, from, FIRST, VIDMM_UPDATE_PAGE_TABLE, 1);
    assert_int_equal(rig.log[root].table.entry, VIDMM_ENTRY_IS_INVALID);
    assert_int_equal(rig.log[root].table.flags & ~VIDMM_PAGING_AGAIN, VIDMM_PAGING_REPEAT);
    assert_int_equal(rig.log[root].table.first, 0);
    assert_int_equal(rig.log[root].table.count, 24);
    flushed = record_of(&rig, root, FIRST, VIDMM_FLUSH_TLB, 0);
    assert_true(rig.log[flushed].table.address == 0 && rig.log[flushed].table.end == 24 * 0x10000);
    assert_int_equal(rig.log[flushed].table.table, rig.log[root].table.table);
    sent = index_of(&rig, flushed, VIDMM_DO_SUBMIT_PAGING, 0);
    freed = index_of(&rig, from, VIDMM_DO_FREE_TABLE, 0);
    assert_true(sent < freed);
    for (; from < rig.count; from++) /* nothing of it is resident, and it never ran (D-292) */
        assert_false(rig.log[from].kind == VIDMM_DO_BUILD && rig.log[from].table.process == SECOND);
    for (uint32_t round = 0; round < 4; round++) {
        uint32_t device = round % 2 == 0 ? FIRST : SECOND, leaf;

        from = rig.count;
        run_one(&rig, device);
        assert_int_equal(tables_now(&rig, &evictions), 3 + 3);
        assert_int_equal(evictions, round + 2);
        leaf = record_of(&rig, from, device, VIDMM_UPDATE_PAGE_TABLE, 0);
        assert_int_equal(rig.log[leaf].table.flags & VIDMM_PAGING_INITIAL, VIDMM_PAGING_INITIAL);
        root = record_of(&rig, leaf, device, VIDMM_UPDATE_PAGE_TABLE, 1);
        if (rig.log[root].table.flags & VIDMM_PAGING_INITIAL) /* it runs for the first time */
            root = record_of(&rig, root + 1, device, VIDMM_UPDATE_PAGE_TABLE, 1);
        assert_int_equal(rig.log[root].table.entry, VIDMM_ENTRY_IS_TABLES);
        assert_true(record_of(&rig, root, device, VIDMM_FLUSH_TLB, 0) <
                    index_of(&rig, root, VIDMM_DO_SUBMIT, 0));
    }
    engine_rig_finish(&rig);
}

/* An allocation of one piece finds the tables of another program in its way. */
static void tables_of_who_does_not_run_leave_for_a_list(void **state)
{
    struct vidmm_event create = engine_event_create(2, 4, 1u << 2), make = {.kind = 0};
    struct engine_rig rig;
    uint64_t evictions;
    uint32_t id = 2;

    (void)state;
    begin(&rig, 8);
    create_queues(&rig, 4, 1u << 1);
    for (uint32_t leaf = 0; leaf < 4; leaf++)
        engine_rig_do(&rig, mapping(FIRST, 4, 0));
    run_one(&rig, FIRST);
    create.device = SECOND;
    engine_rig_do(&rig, create);
    make.kind = VIDMM_EVENT_MAKE_RESIDENT;
    make.residency.queue = SECOND;
    make.residency.count = 1;
    make.residency.allocations = &id;
    assert_int_equal(engine_rig_step(&rig, make), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_ERROR));
    assert_int_equal(vidmm_engine_paging_fence(rig.engine, SECOND), 7001);
    assert_int_equal(tables_now(&rig, &evictions), 3 + 1); /* a root */
    assert_int_equal(evictions, 1);
    run_one(&rig, SECOND);
    engine_rig_finish(&rig);
}

/* A change of a program whose tables have left is known when it runs again. */
static void a_change_while_tables_are_away_is_written_when_they_come_back(void **state)
{
    struct engine_rig rig;
    uint64_t evictions;
    uint32_t from;

    (void)state;
    begin(&rig, 4);
    create_queues(&rig, 4, 1u << 1);
    engine_rig_do(&rig, mapping(FIRST, 4, 0));
    run_one(&rig, FIRST);
    engine_rig_do(&rig, mapping(SECOND, 4, 0));
    run_one(&rig, SECOND);
    from = rig.count;
    assert_int_equal(engine_rig_step(&rig, mapping(FIRST, 3, FIRST)), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(vidmm_engine_paging_fence(rig.engine, FIRST), 7001);
    for (; from < rig.count; from++)
        assert_int_not_equal(rig.log[from].kind, VIDMM_DO_BUILD);
    assert_int_equal(tables_now(&rig, &evictions), 3 + 3);
    destroy_queue(&rig, SECOND);
    end_program(&rig, SECOND);
    engine_rig_run(&rig);
    assert_int_equal(tables_now(&rig, &evictions), 3 + 1);
    run_one(&rig, FIRST); /* there is memory for both leaves now */
    assert_int_equal(tables_now(&rig, &evictions), 3 + 3);
    assert_int_equal(evictions, 1);
    destroy_queue(&rig, FIRST);
    engine_rig_do(&rig, engine_event_destroy(1));
    end_program(&rig, FIRST);
    engine_rig_run(&rig);
    assert_int_equal(tables_now(&rig, &evictions), 3);
    engine_rig_finish(&rig);
}

/* A program may end while its tables leave, and after. */
static void a_program_whose_tables_leave_may_end(void **state)
{
    (void)state;
    for (unsigned calls = 0; calls < 3; calls++) {
        struct engine_rig rig;
        uint64_t evictions;

        begin(&rig, 4);
        create_queues(&rig, 4, 1u << 1);
        engine_rig_do(&rig, mapping(FIRST, 4, 0));
        run_one(&rig, FIRST);
        engine_rig_do(&rig, mapping(SECOND, 4, 0));
        while (tables_now(&rig, &evictions) != 0 && evictions == 0)
            engine_rig_answer(&rig);
        for (unsigned call = 0; call < calls && rig.call.kind != 0; call++)
            engine_rig_answer(&rig);
        destroy_queue(&rig, FIRST);
        end_program(&rig, FIRST);
        engine_rig_run(&rig);
        assert_int_equal(evictions, 1);
        assert_false(vidmm_engine_has_process(rig.engine, FIRST));
        assert_int_equal(tables_now(&rig, &evictions), 3 + 2);
        run_one(&rig, SECOND);
        engine_rig_finish(&rig);
    }
}

/* ---- idleness -------------------------------------------------------------------------------- */

/* PageTableUpdateRequireAddressSpaceIdle (D-132): a packet of the process in flight ends before its
 * tables are written; one of another process does not matter. */
static void tables_are_written_while_nothing_uses_them_if_the_driver_wants_it(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        bool idle = kind & 1;
        uint32_t runs = kind & 2 ? FIRST : SECOND, from;
        struct engine_rig rig;

        idle_updates = idle;
        begin_queues(&rig);
        idle_updates = false;
        assert_int_equal(submit(&rig, FIRST), STATUS_SUCCESS); /* its root is there */
        engine_rig_run(&rig);
        assert_int_equal(submit(&rig, runs), STATUS_SUCCESS);
        while (rig.call.kind != 0 || !engine_rig_find(&rig, 0, VIDMM_DO_SUBMIT) || !rig.due[0])
            if (rig.call.kind != 0)
                engine_rig_answer(&rig);
            else /* the tables of the other one */
                engine_rig_complete(&rig, rig.paging_node);
        from = rig.count;
        engine_rig_do(&rig, mapping(FIRST, 4, 0));
        while (rig.call.kind != 0)
            engine_rig_answer(&rig);
        assert_int_equal(engine_rig_find(&rig, from, VIDMM_DO_SUBMIT_PAGING) == NULL,
                         idle && runs == FIRST);
        engine_rig_run(&rig);
        assert_non_null(engine_rig_find(&rig, from, VIDMM_DO_SUBMIT_PAGING));
        engine_rig_finish(&rig);
    }
}

/* ---- copies ---------------------------------------------------------------------------------- */

static struct vidmm_event at(struct vidmm_event event, uint32_t kind, uint32_t state, uint64_t base)
{
    event.kind = kind;
    event.addresses.state = state;
    event.addresses.base = base;
    if (state != VIDMM_ADDRESSES_MAPPED)
        event.addresses.allocation = 0;
    return event;
}

static void a_copy_that_empties_a_leaf_first_fills_it_again(void **state)
{
    struct vidmm_event granule = mapping(FIRST, 16, 0), page = mapping(FIRST, 1, 0), copy;
    struct vidmm_engine_statistics statistics;
    struct engine_rig rig;

    (void)state;
    begin_queues(&rig);
    engine_rig_do(&rig,
                  at(granule, VIDMM_EVENT_RESERVE_ADDRESSES, VIDMM_ADDRESSES_NO_ACCESS, 0x20000));
    engine_rig_do(&rig,
                  at(granule, VIDMM_EVENT_RESERVE_ADDRESSES, VIDMM_ADDRESSES_NO_ACCESS, 0x30000));
    engine_rig_do(&rig, at(page, VIDMM_EVENT_UPDATE_ADDRESSES, VIDMM_ADDRESSES_MAPPED, 0x20000));
    engine_rig_do(&rig, at(page, VIDMM_EVENT_UPDATE_ADDRESSES, VIDMM_ADDRESSES_MAPPED, 0x31000));
    copy = at(mapping(FIRST, 2, 0), VIDMM_EVENT_UPDATE_ADDRESSES, VIDMM_ADDRESSES_COPIED, 0x20000);
    copy.addresses.offset = 0x30000; /* its first page means nothing, the second one something */
    engine_rig_do(&rig, copy);
    engine_rig_run(&rig);
    vidmm_engine_get_statistics(rig.engine, &statistics);
    assert_int_equal(statistics.tables, 3 + 3); /* the paging process's; a root and two leaves */
    copy.addresses.size = PAGES(1);
    engine_rig_do(&rig, copy);
    copy.addresses.base = 0x21000;
    engine_rig_do(&rig, copy); /* what it empties at last, leaves */
    engine_rig_run(&rig);
    vidmm_engine_get_statistics(rig.engine, &statistics);
    assert_int_equal(statistics.tables, 3 + 2);
    engine_rig_finish(&rig);
}

/* ---- ends of processes ----------------------------------------------------------------------- */

static void a_process_without_tables_ends_at_once(void **state)
{
    struct engine_rig rig;
    uint32_t from;

    (void)state;
    begin(&rig, 8);
    engine_rig_run(&rig);
    from = rig.count;
    end_program(&rig, FIRST);
    assert_false(vidmm_engine_has_process(rig.engine, FIRST));
    assert_int_equal(rig.count, from); /* the driver was asked for nothing */
    engine_rig_finish(&rig);
}

static void the_number_of_a_process_is_free_when_its_tables_are_written(void **state)
{
    struct vidmm_event create = {.kind = VIDMM_EVENT_CREATE_PROCESS, .process = {.process = FIRST}};
    struct engine_rig rig;

    (void)state;
    begin_queues(&rig);
    engine_rig_do(&rig, mapping(FIRST, 4, 0));
    run_one(&rig, FIRST);
    destroy_queue(&rig, FIRST);
    engine_rig_do(&rig, engine_event_destroy(1));
    end_program(&rig, FIRST);
    assert_true(vidmm_engine_has_process(rig.engine, FIRST));
    assert_int_equal(engine_rig_step(&rig, create), STATUS_INVALID_PARAMETER);
    engine_rig_run(&rig);
    assert_false(vidmm_engine_has_process(rig.engine, FIRST));
    assert_int_equal(engine_rig_step(&rig, create), STATUS_SUCCESS);
    engine_rig_finish(&rig);
}

/* More tables than a plan has room for: a stop waits for the last of them (D-133). */
static void an_engine_stops_behind_its_last_tables(void **state)
{
    struct vidmm_engine_statistics statistics;
    struct engine_rig rig;
    uint32_t from;

    (void)state;
    begin_with_root(&rig, 160, 128);
    engine_rig_run(&rig);
    engine_rig_do(&rig, engine_event_create(1, 4, 1u << 1));
    for (unsigned i = 0; i < 100; i++)
        engine_rig_do(&rig, mapping(FIRST, 4, 0));
    engine_rig_run(&rig);
    vidmm_engine_get_statistics(rig.engine, &statistics);
    assert_int_equal(statistics.tables, 3 + 101);
    engine_rig_do(&rig, engine_event_destroy(1));
    end_program(&rig, FIRST);
    from = rig.count;
    while (rig.call.kind != 0)
        engine_rig_answer(&rig);
    engine_rig_do(&rig, (struct vidmm_event){.kind = VIDMM_EVENT_STOP});
    engine_rig_run(&rig);
    assert_true(rig.stopped);
    vidmm_engine_get_statistics(rig.engine, &statistics);
    assert_int_equal(statistics.tables, 3); /* of the paging process */
    assert_int_equal(engine_rig_find(&rig, from, VIDMM_DO_STOPPED) - rig.log, rig.count - 1);
    engine_rig_finish(&rig);
}

/* An engine may go while programs end in it: their tables are to be written, or a paging buffer
 * that writes them is under way. */
static void an_engine_goes_with_programs_that_end(void **state)
{
    (void)state;
    for (unsigned answers = 0; answers < 6; answers++) {
        struct engine_rig rig;

        begin_queues(&rig);
        for (uint32_t program = FIRST; program <= SECOND; program++)
            engine_rig_do(&rig, mapping(program, 4, 0));
        run_one(&rig, FIRST);
        engine_rig_do(&rig, engine_event_destroy(1));
        for (uint32_t program = FIRST; program <= SECOND; program++) {
            destroy_queue(&rig, program);
            end_program(&rig, program);
        }
        for (unsigned i = 0; i < answers && rig.call.kind != 0; i++)
            engine_rig_answer(&rig);
        engine_rig_finish(&rig); /* nothing is lost, and nothing given back twice */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_without_memory_for_its_tables_fails),
        cmocka_unit_test(tables_that_the_cpu_writes_need_no_paging_buffer),
        cmocka_unit_test(a_mapping_is_pending_until_its_tables_are_executed),
        cmocka_unit_test(a_refused_mapping_takes_no_value),
        cmocka_unit_test(tables_that_the_cpu_writes_are_waited_for_too),
        cmocka_unit_test(a_list_leaves_room_for_tables_that_are_due),
        cmocka_unit_test(a_list_leaves_room_for_its_own_root),
        cmocka_unit_test(tables_of_who_does_not_run_leave_for_those_of_who_does),
        cmocka_unit_test(tables_of_who_does_not_run_leave_for_a_list),
        cmocka_unit_test(a_change_while_tables_are_away_is_written_when_they_come_back),
        cmocka_unit_test(a_program_whose_tables_leave_may_end),
        cmocka_unit_test(tables_are_written_while_nothing_uses_them_if_the_driver_wants_it),
        cmocka_unit_test(a_copy_that_empties_a_leaf_first_fills_it_again),
        cmocka_unit_test(a_process_without_tables_ends_at_once),
        cmocka_unit_test(the_number_of_a_process_is_free_when_its_tables_are_written),
        cmocka_unit_test(an_engine_stops_behind_its_last_tables),
        cmocka_unit_test(an_engine_goes_with_programs_that_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
