/* test_engine_runs.c: allocations in runs of pages, in an engine with a GPU MMU.
 *
 * Memory is the 64 pages of segment 2; page tables are in system memory. It is filled with
 * allocations of a page each, and some of them are destroyed: holes where a test wants them. Whole
 * states are checked after each step (step/check.c).
 */
#include "test_engine_rig.h"

#include "vidmm/engine/state/placement_state.h"

enum { MEMORY = 2, SET = 1u << (MEMORY - 1), SIZE = 64, FIRST_FILLER = 100, NEW = 9, CHUNK = 16 };
enum { LOW = 0x10000, HIGH = 0x180000 };

static struct engine_rig rig;
static uint32_t owner[SIZE]; /* filler that has the page */

static struct vidmm_engine_config config_of(bool contiguous)
{
    struct vidmm_engine_config config = engine_rig_config();

    config.mmu = (struct vidmm_engine_mmu){.levels = 3,
                                           .index_bits = {4, 4},
                                           .root_entries = 2,
                                           .table_size = {4096, 4096, 4096},
                                           .low = LOW,
                                           .high = HIGH,
                                           .contiguous = contiguous};
    return config;
}

static void begin_with(const struct vidmm_engine_config *config)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    engine_rig_init(&rig, config);
    for (event.process.process = 1; event.process.process <= 2; event.process.process++) {
        event.process.paging = event.process.process == 1;
        engine_rig_do(&rig, event);
    }
    engine_rig_run(&rig);
}

static void begin(bool contiguous)
{
    struct vidmm_engine_config config = config_of(contiguous);

    begin_with(&config);
}

static void finish(void)
{
    engine_rig_run(&rig);
    engine_rig_finish(&rig);
}

static void create(uint32_t id, uint64_t pages)
{
    engine_rig_do(&rig, engine_event_create(id, pages, SET));
}

static void destroy(uint32_t id)
{
    engine_rig_do(&rig, engine_event_destroy(id));
    engine_rig_run(&rig);
}

static void use(uint32_t id)
{
    engine_rig_use(&rig, id, true);
}

static bool is_in(uint32_t id)
{
    return vidmm_engine_where(rig.engine, id).segment == MEMORY;
}

static uint64_t evictions(void)
{
    struct vidmm_engine_statistics statistics;

    vidmm_engine_get_statistics(rig.engine, &statistics);
    return statistics.evictions;
}

/* Fill all of memory, a page each, the first page being the one used least recently. */
static void fill(void)
{
    for (uint32_t i = 0; i < SIZE; i++) {
        create(FIRST_FILLER + i, 1);
        use(FIRST_FILLER + i);
        owner[vidmm_engine_where(rig.engine, FIRST_FILLER + i).offset / 4096] = FIRST_FILLER + i;
    }
    for (uint32_t page = 0; page < SIZE; page++) {
        assert_int_not_equal(owner[page], 0);
        use(owner[page]);
    }
}

/* Pages [start, end) become a hole. */
static void dig(uint32_t start, uint32_t end)
{
    for (; start < end; start++)
        destroy(owner[start]);
}

/* The page of memory that each page of the allocation is in, by the records for `process` since log
 * index `from`. Answers how many records there were. */
static uint32_t find_pages(uint32_t from, uint32_t process, uint32_t id, uint32_t *pages)
{
    uint32_t records = 0;

    for (uint32_t i = from; i < rig.count; i++) {
        const struct vidmm_operation *told = &rig.log[i];

        if (told->kind != VIDMM_DO_BUILD || told->table.operation != VIDMM_UPDATE_PAGE_TABLE ||
            told->allocation != id || told->table.process != process ||
            told->table.place.segment != MEMORY)
            continue;
        records++;
        for (uint32_t page = 0; page < told->table.count; page++)
            pages[told->table.offset / 4096 + page] =
                (uint32_t)(told->table.place.offset / 4096) + page;
    }
    return records;
}

/* Use a new allocation, and find where it was brought to. */
static uint32_t place_new(struct vidmm_event event, uint32_t *pages)
{
    uint32_t from = rig.count;

    event.create.allocation = NEW;
    engine_rig_do(&rig, event);
    use(NEW);
    assert_true(is_in(NEW));
    return find_pages(from, 1, NEW, pages);
}

static void no_hole_is_needed(void **state)
{
    uint32_t pages[20], seen[SIZE] = {0};

    (void)state;
    for (int contiguous = 0; contiguous < 2; contiguous++) {
        begin(contiguous);
        fill();
        dig(3, 8), dig(20, 30), dig(40, 41), dig(50, 54);
        if (contiguous) {
            place_new(engine_event_create(NEW, 20, SET), pages);
            assert_true(evictions() > 0);
        } else {
            place_new(engine_event_create(NEW, 20, SET), pages);
            assert_int_equal(evictions(), 0);
            for (uint32_t i = 0; i < 20; i++) {
                seen[pages[i]]++;
                assert_false(is_in(owner[pages[i]]));
                assert_int_equal(seen[pages[i]], 1);
            }
        }
        finish();
    }
}

/* Records are one a run: each in a chunk of the scratch range, and in the table of the program. */
static void each_run_has_a_record(void **state)
{
    struct vidmm_event map = {.kind = VIDMM_EVENT_MAP_ADDRESSES};
    uint32_t pages[20], mapped[20], from, records = 1;

    (void)state;
    begin(false);
    fill();
    dig(3, 8), dig(20, 30), dig(40, 41), dig(50, 54);
    engine_rig_do(&rig, engine_event_create(NEW, 20, SET));
    map.addresses.process = 2;
    map.addresses.base = LOW;
    map.addresses.state = VIDMM_ADDRESSES_MAPPED;
    map.addresses.allocation = NEW;
    map.addresses.size = PAGES(20);
    engine_rig_do(&rig, map);
    engine_rig_run(&rig);
    from = rig.count;
    use(NEW);
    find_pages(from, 1, NEW, pages);
    for (uint32_t i = 1; i < 20; i++) /* a chunk, and a leaf, ends behind 16 pages */
        records += pages[i] != pages[i - 1] + 1 || i == CHUNK;
    assert_int_equal(find_pages(from, 1, NEW, pages), records);
    assert_int_equal(find_pages(from, 2, NEW, mapped), records);
    assert_memory_equal(pages, mapped, sizeof pages);
    finish();
}

/* A page-out reads the runs where they were, one by one. */
static void runs_are_read_where_they_were(void **state)
{
    uint32_t pages[20], left[20], from;

    (void)state;
    begin(false);
    fill();
    dig(3, 8), dig(20, 30), dig(40, 41), dig(50, 54);
    place_new(engine_event_create(NEW, 20, SET), pages);
    for (uint32_t page = 0; page < SIZE; page++)
        if (vidmm_engine_wish(rig.engine, owner[page]) && is_in(owner[page]))
            use(owner[page]); /* NEW is the oldest now */
    from = rig.count;
    create(NEW + 1, 20);
    use(NEW + 1);
    assert_false(is_in(NEW));
    assert_true(find_pages(from, 1, NEW, left) >= 4);
    assert_memory_equal(pages, left, sizeof pages);
    finish();
}

/* S1-004 for runs. */
static void each_run_begins_at_the_alignment(void **state)
{
    struct vidmm_event event = engine_event_create(NEW, 10, SET);
    uint32_t pages[12];

    (void)state;
    begin(false);
    fill();
    dig(1, 4), dig(6, 13), dig(17, 24), dig(30, 31);
    event.create.wish.alignment = PAGES(4); /* [8, 12) and [20, 24), and no place for two more */
    place_new(event, pages);
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(pages[i] % 4, i % 4);
    assert_int_equal(evictions(), 1); /* the first page: [0, 4) */
    finish();

    begin(false);
    fill();
    dig(0, 3), dig(4, 7), dig(8, 11), dig(20, 21);
    event.create.wish.size = PAGES(12);
    place_new(event, pages);
    assert_int_equal(evictions(), 3); /* the pages 3, 7 and 11, and no more */
    event.create.wish.size = PAGES(10);
    finish();

    begin(false);
    fill();
    dig(6, 14), dig(17, 24); /* [12, 14) will do for the rest */
    place_new(event, pages);
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(pages[i] % 4, i % 4);
    assert_int_equal(evictions(), 0);
    finish();
}

/* A rest that is no whole unit has its place behind the last whole one. */
static void a_rest_needs_no_whole_unit(void **state)
{
    struct vidmm_event pinned = engine_event_create(1, 1, SET);
    struct vidmm_event event = engine_event_create(NEW, SIZE - 2, SET);
    struct vidmm_engine_statistics statistics;
    uint32_t pages[SIZE];

    (void)state;
    begin(false);
    pinned.create.wish.pinned = 1;
    pinned.create.wish.flags |= VIDMM_FROM_END_OF_SEGMENT;
    engine_rig_do(&rig, pinned); /* the last page, for good */
    use(1);
    for (uint32_t id = 2; id < SIZE + 1; id++)
        if (id != NEW) {
            create(id, 1);
            use(id);
        }
    event.create.wish.alignment = PAGES(4); /* 15 units, and two pages of the three behind them */
    place_new(event, pages);
    vidmm_engine_get_statistics(rig.engine, &statistics);
    assert_int_equal(statistics.compactions, 0);
    assert_true(is_in(1));
    finish();
}

/* S3-018, and D-018: the direction of a preferred segment comes before the flag. */
static void runs_come_from_the_end(void **state)
{
    static const struct {
        uint32_t flags, preferred, first;
    } cases[] = {
        {0, 0, 8},
        {VIDMM_FROM_END_OF_SEGMENT, 0, 36},
        {0, MEMORY | 0x20, 36},
        {VIDMM_FROM_END_OF_SEGMENT, MEMORY, 8},
    };

    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct vidmm_event event = engine_event_create(NEW, 4, SET);
        uint32_t pages[4];

        begin(false);
        fill();
        dig(8, 40);
        event.create.wish.flags |= cases[i].flags;
        event.create.wish.preferred = cases[i].preferred;
        assert_int_equal(place_new(event, pages), 1);
        assert_int_equal(pages[0], cases[i].first);
        finish();
    }
}

/* Several runs from the end: each at the end of its hole. */
static void every_run_comes_from_the_end_of_its_hole(void **state)
{
    struct vidmm_event event = engine_event_create(NEW, 20, SET);
    uint32_t pages[20];

    (void)state;
    begin(false);
    fill();
    dig(2, 16), dig(30, 42);
    event.create.wish.flags |= VIDMM_FROM_END_OF_SEGMENT;
    place_new(event, pages);
    for (uint32_t i = 0; i < 20; i++)
        assert_true((pages[i] >= 2 && pages[i] < 16) || (pages[i] >= 30 && pages[i] < 42));
    assert_int_equal(pages[19], pages[0] < 16 ? 41 : 15);
    finish();
}

/* S1-007: a bank of the most preferred segment that holds all of it in one piece, or no bank. */
static void a_bank_holds_all_of_it_or_is_not_looked_at(void **state)
{
    static const uint64_t ends[] = {PAGES(16), PAGES(32), PAGES(64)};
    struct vidmm_event event = engine_event_create(NEW, 6, SET);
    struct vidmm_engine_config config = config_of(false);
    uint32_t pages[6];

    (void)state;
    config.segments[MEMORY].bank_count = 3;
    config.segments[MEMORY].bank_ends = ends;
    event.create.wish.preferred = MEMORY;
    event.create.wish.hinted_bank = 2;
    begin_with(&config);
    fill();
    dig(0, 7), dig(20, 31), dig(40, 60);
    place_new(event, pages);
    assert_int_equal(pages[0], 20); /* and not [0, 7), which is left over less of */
    finish();

    begin_with(&config);
    fill();
    dig(2, 8), dig(17, 21), dig(24, 28);
    place_new(event, pages);
    assert_int_equal(pages[0], 2); /* one run, though the bank had two */
    assert_int_equal(pages[5], 7);
    assert_int_equal(evictions(), 0);
    finish();
}

/* The least recently used leave, whoever their neighbours are; nobody else does. */
static void the_oldest_leave(void **state)
{
    (void)state;
    begin(false);
    for (uint32_t id = 1; id <= 8; id++) {
        create(id, 8);
        use(id);
    }
    use(1);
    use(4);
    create(NEW, 20);
    use(NEW);
    for (uint32_t id = 1; id <= 8; id++)
        assert_int_equal(is_in(id), id != 2 && id != 3 && id != 5);
    assert_int_equal(evictions(), 3);
    finish();
}

/* The reads of a list leave before its writes; the first of either before the last. */
static void what_was_read_leaves_before_what_was_written(void **state)
{
    struct vidmm_reference list[8] = {{0}};

    (void)state;
    begin(false);
    for (uint32_t id = 1; id <= 8; id++) {
        create(id, 8);
        list[id - 1] = (struct vidmm_reference){id, id == 1 || id == 2 || id == 4};
    }
    engine_rig_do(&rig, engine_event_submit(1, 0, list, 8));
    engine_rig_run(&rig);
    create(NEW, 40); /* as many as those that it reads have together */
    use(NEW);
    for (uint32_t id = 1; id <= 8; id++)
        assert_int_equal(is_in(id), id == 1 || id == 2 || id == 4);
    create(NEW + 1, 8);
    use(NEW + 1);
    assert_false(is_in(1));
    assert_true(is_in(2) && is_in(4));
    finish();
}

/* If the last one that is chosen frees more than was missing, the newest of the others stay. */
static void nobody_leaves_without_need(void **state)
{
    static const uint64_t sizes[] = {0, 4, 2, 6, 40, 12};

    (void)state;
    begin(false);
    for (uint32_t id = 1; id <= 5; id++) {
        create(id, sizes[id]);
        use(id);
    }
    create(NEW, 44); /* 1 to 4 together have 52: 3 is not needed, nor then 2 */
    use(NEW);
    for (uint32_t id = 1; id <= 5; id++)
        assert_int_equal(is_in(id), id != 1 && id != 4);
    finish();
}

/* A lower class of priority leaves before what is older. */
static void priority_comes_before_age(void **state)
{
    (void)state;
    begin(false);
    for (uint32_t id = 1; id <= 8; id++) {
        struct vidmm_event event = engine_event_create(id, 8, SET);

        event.create.wish.priority = id == 7 ? 0x10000000 : 0x78000000;
        engine_rig_do(&rig, event);
        use(id);
    }
    create(NEW, 12);
    use(NEW);
    for (uint32_t id = 1; id <= 8; id++)
        assert_int_equal(is_in(id), id != 7 && id != 1);
    finish();
}

/* One range is for allocations that are used by their place. */
static void what_is_used_by_its_place_has_one_range(void **state)
{
    static const uint32_t flags[] = {0, VIDMM_ACCESSED_PHYSICALLY, VIDMM_SWIZZLED,
                                     VIDMM_PERMANENT_SYS_MEM};

    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        struct vidmm_event event = engine_event_create(NEW, 16, SET);
        uint32_t pages[16], runs = 1;

        begin(false);
        fill();
        dig(3, 8), dig(20, 30), dig(40, 41), dig(50, 54);
        event.create.wish.flags |= i < 4 ? flags[i] : 0;
        event.create.wish.pinned = i == 4;
        event.create.context_allocation = i == 5;
        place_new(event, pages);
        for (uint32_t page = 1; i < 5 && page < 16; page++)
            runs += pages[page] != pages[page - 1] + 1;
        assert_true(i == 0 ? runs > 1 && evictions() == 0 : runs == 1 && evictions() > 0);
        finish();
    }
}

/* A range is found among allocations in runs, and all runs of such an allocation leave. */
static void a_range_is_found_among_runs(void **state)
{
    struct vidmm_event event = engine_event_create(NEW, 24, SET);
    uint32_t pages[24], in = 0;

    (void)state;
    begin(false);
    fill();
    for (uint32_t page = 0; page < SIZE; page += 4)
        dig(page, page + 2);
    for (uint32_t id = 1; id <= 4; id++) {
        create(id, 8);
        use(id);
    }
    assert_int_equal(evictions(), 0);
    event.create.wish.flags |= VIDMM_ACCESSED_PHYSICALLY;
    place_new(event, pages);
    for (uint32_t page = 1; page < 24; page++)
        assert_int_equal(pages[page], pages[page - 1] + 1);
    for (uint32_t id = 1; id <= 4; id++)
        in += is_in(id);
    assert_true(in < 4);
    finish();
}

/* Allocations that one DMA buffer names go in together, in one range and in runs. */
static void ranges_and_runs_of_one_buffer_fit_together(void **state)
{
    const struct vidmm_reference references[] = {{1, 1}, {2, 1}, {3, 1}};
    struct vidmm_event event = engine_event_create(3, 32, SET);

    (void)state;
    begin(false);
    fill();
    for (uint32_t page = 0; page < SIZE; page += 4)
        dig(page, page + 2);
    create(1, 16);
    create(2, 16);
    use(1);
    use(2);
    assert_int_equal(evictions(), 0); /* they are everywhere */
    event.create.wish.flags |= VIDMM_ACCESSED_PHYSICALLY;
    engine_rig_do(&rig, event);
    engine_rig_do(&rig, engine_event_submit(7, 0, references, 3));
    engine_rig_run(&rig);
    assert_true(is_in(1) && is_in(2) && is_in(3));
    assert_non_null(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE));
    finish();
}

/* One pointer leads to one range: for a lock, what is in several leaves. */
static void a_lock_has_one_range(void **state)
{
    uint32_t pages[20], from;

    (void)state;
    begin(false);
    fill();
    dig(3, 8), dig(20, 30), dig(40, 41), dig(50, 54);
    place_new(engine_event_create(NEW, 20, SET), pages);
    from = rig.count;
    engine_rig_do(&rig, engine_event_lock(1, NEW, true));
    engine_rig_run(&rig);
    assert_int_equal(engine_rig_find(&rig, from, VIDMM_DO_GRANT)->grant.place.segment, 0);
    assert_false(is_in(NEW));
    from = rig.count;
    engine_rig_do(&rig, engine_event_lock(2, owner[0], true));
    engine_rig_run(&rig);
    assert_int_equal(engine_rig_find(&rig, from, VIDMM_DO_GRANT)->grant.place.segment, MEMORY);
    finish();
}

/* Every refusal of memory for records: it gets a place all the same, in one range if need be. */
static void without_memory_for_records_one_range_does(void **state)
{
    const struct vidmm_reference reference = {NEW, 1};
    bool refused = true;
    uint32_t in_one = 0;

    (void)state;
    for (size_t n = 1; refused; n++) {
        uint32_t pages[20] = {0}, from;
        NTSTATUS status;

        begin(false);
        fill();
        for (uint32_t page = 0; page < SIZE; page += 2)
            destroy(owner[page]);
        create(NEW, 20);
        engine_rig_run(&rig);
        from = rig.count;
        counted_memory_fail_at(&rig.memory, n);
        status = engine_rig_step(&rig, engine_event_submit(7, 0, &reference, 1));
        refused = counted_memory_refused(&rig.memory);
        if (status != STATUS_SUCCESS)
            engine_rig_do(&rig, engine_event_submit(7, 0, &reference, 1));
        engine_rig_run(&rig);
        assert_true(is_in(NEW));
        find_pages(from, 1, NEW, pages);
        in_one += pages[19] == pages[0] + 19;
        finish();
    }
    assert_true(in_one > 0);
}

/* Records that other allocations were promised are kept: those find their places when there is no
 * memory. */
static void records_of_ranges_are_kept_for_others(void **state)
{
    (void)state;
    begin(false);
    fill();
    for (uint32_t page = 0; page < SIZE; page += 2)
        destroy(owner[page]);
    for (uint32_t id = 1; id <= 16; id++)
        if (id != NEW)
            create(id, 1);
    create(NEW, 17);
    use(NEW);
    assert_int_equal(evictions(), 0);
    for (uint32_t id = 1; id <= 16; id++) {
        const struct vidmm_reference reference = {id, 1};

        if (id == NEW)
            continue;
        engine_rig_do(&rig, engine_event_submit(7, 0, &reference, 1));
        counted_memory_fail_at(&rig.memory, 1);
        engine_rig_run(&rig);
        counted_memory_fail_at(&rig.memory, 0);
        assert_true(is_in(id));
    }
    finish();
}

/* With residency lists: what a list wants leaves only if what none wants is not enough, in whatever
 * segment that is. Segment 3 is memory too. */
static void what_a_list_wants_leaves_last(void **state)
{
    struct vidmm_engine_config config = config_of(false);
    struct vidmm_event join = {.kind = VIDMM_EVENT_JOIN, .device = 1};
    struct vidmm_event queue = {.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = 1};
    struct vidmm_event make = {.kind = VIDMM_EVENT_MAKE_RESIDENT};
    struct vidmm_event evict = {.kind = VIDMM_EVENT_EVICT, .device = 1};
    uint32_t id;

    (void)state;
    config.explicit_residency = true;
    config.segment_count = 3;
    config.segments[3].size = PAGES(SIZE);
    begin_with(&config);
    join.join.process = 1;
    queue.paging_queue.queue = 1;
    queue.paging_queue.priority = VIDMM_PAGING_QUEUE_NORMAL;
    engine_rig_do(&rig, join);
    engine_rig_do(&rig, queue);
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 2));
    join.device = queue.device = 2;
    join.join.process = queue.paging_queue.queue = 2;
    engine_rig_do(&rig, join);
    engine_rig_do(&rig, queue);
    make.residency.count = evict.residency.count = 1;
    make.residency.allocations = evict.residency.allocations = &id;
    make.residency.queue = 1;
    for (id = 1; id <= 8; id++) { /* 1 to 4 fill segment 2, 5 to 8 segment 3 */
        engine_rig_do(&rig, engine_event_create(id, 16, id <= 4 ? SET : 4));
        assert_int_equal(engine_rig_step(&rig, make), STATUS_PENDING);
        engine_rig_run(&rig);
    }
    id = 7;
    evict.residency.flags = VIDMM_EVICT_ONLY_IF_NECESSARY;
    engine_rig_do(&rig, evict);
    id = NEW;
    engine_rig_do(&rig, engine_event_create(NEW, 12, SET | 4));
    make.residency.queue = 1;
    assert_int_equal(engine_rig_step(&rig, make), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(vidmm_engine_where(rig.engine, NEW).segment, 3);
    for (id = 1; id <= 8; id++)
        assert_int_equal(vidmm_engine_where(rig.engine, id).segment, id == 7 ? 0 : id <= 4 ? 2 : 3);
    finish();
}

/* A range of a held allocation in runs is free for one that needs a range, however large it is. */
static void a_larger_one_in_runs_gives_way_to_a_range(void **state)
{
    const struct vidmm_reference references[] = {{1, 1}, {2, 1}};
    struct vidmm_event event = engine_event_create(2, 24, SET);
    struct vidmm_engine_statistics statistics;

    (void)state;
    begin(false);
    fill();
    for (uint32_t page = 0; page < SIZE; page += 8)
        dig(page, page + 5);
    create(1, 40); /* it is everywhere */
    use(1);
    assert_int_equal(evictions(), 0);
    event.create.wish.flags |= VIDMM_ACCESSED_PHYSICALLY;
    engine_rig_do(&rig, event);
    engine_rig_do(&rig, engine_event_submit(7, 0, references, 2));
    engine_rig_run(&rig);
    assert_true(is_in(1) && is_in(2));
    vidmm_engine_get_statistics(rig.engine, &statistics);
    assert_int_equal(statistics.compactions, 0); /* the segment was not packed for it */
    finish();
}

/* Preserved is what lies below an offset with all of its runs. */
static void a_rest_preserves_what_lies_below_with_all_runs(void **state)
{
    struct vidmm_event rest = {.kind = VIDMM_EVENT_REST};
    struct vidmm_engine_config config = config_of(false);
    uint32_t pages[8];

    (void)state;
    config.segments[MEMORY].preserved_end = PAGES(32);
    begin_with(&config);
    fill();
    dig(4, 9), dig(60, 63);
    place_new(engine_event_create(NEW, 8, SET), pages);
    assert_int_equal(pages[0], 4);
    assert_int_equal(pages[7], 62);
    create(1, 1);
    dig(10, 11);
    use(1);
    rest.rest.request = 3;
    rest.rest.power = VIDMM_POWER_HIBERNATE;
    engine_rig_do(&rig, rest);
    engine_rig_run(&rig);
    assert_false(is_in(NEW));
    assert_true(is_in(1) && is_in(owner[0]) && !is_in(owner[40]));
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_hole_is_needed),
        cmocka_unit_test(each_run_has_a_record),
        cmocka_unit_test(runs_are_read_where_they_were),
        cmocka_unit_test(each_run_begins_at_the_alignment),
        cmocka_unit_test(a_rest_needs_no_whole_unit),
        cmocka_unit_test(runs_come_from_the_end),
        cmocka_unit_test(every_run_comes_from_the_end_of_its_hole),
        cmocka_unit_test(a_bank_holds_all_of_it_or_is_not_looked_at),
        cmocka_unit_test(the_oldest_leave),
        cmocka_unit_test(what_was_read_leaves_before_what_was_written),
        cmocka_unit_test(nobody_leaves_without_need),
        cmocka_unit_test(priority_comes_before_age),
        cmocka_unit_test(what_is_used_by_its_place_has_one_range),
        cmocka_unit_test(a_range_is_found_among_runs),
        cmocka_unit_test(ranges_and_runs_of_one_buffer_fit_together),
        cmocka_unit_test(a_lock_has_one_range),
        cmocka_unit_test(records_of_ranges_are_kept_for_others),
        cmocka_unit_test(what_a_list_wants_leaves_last),
        cmocka_unit_test(a_larger_one_in_runs_gives_way_to_a_range),
        cmocka_unit_test(a_rest_preserves_what_lies_below_with_all_runs),
        cmocka_unit_test(without_memory_for_records_one_range_does),
    };

    return cmocka_run_group_tests_name("engine_runs", tests, NULL, NULL);
}
