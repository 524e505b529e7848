/* test_engine_residency.c: residency lists, paging queues and budgets, plan by plan. */
#include "test_engine_rig.h"

/* Sets of segments: bit n is segment n + 1. */
enum { APERTURE = 1, MEMORY = 2, EITHER = 3 };
enum { PERMANENT = 2 }; /* PermanentSysMem */

static bool by_address; /* the GPU has an MMU: what is paged in lies in runs of pages */

/* The process by whose addresses an MMU moves what is paged; its tables are in system memory. */
static void begin_paging(struct engine_rig *rig)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    event.process.process = 1;
    event.process.paging = 1;
    engine_rig_do(rig, event);
    engine_rig_run(rig);
}

/* Two devices, of processes 1 and 2, with paging queues 1 and 2. */
static void begin(struct engine_rig *rig)
{
    struct vidmm_engine_config config = engine_rig_config();

    config.explicit_residency = true;
    if (by_address)
        config.mmu = (struct vidmm_engine_mmu){.levels = 2,
                                               .index_bits = {4},
                                               .root_entries = 16,
                                               .table_size = {4096, 4096},
                                               .low = 0x10000,
                                               .high = 0x80000};
    engine_rig_init(rig, &config);
    if (by_address)
        begin_paging(rig);
    engine_rig_do(rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 2));
    for (uint32_t device = 1; device <= 2; device++) {
        struct vidmm_event join = {.kind = VIDMM_EVENT_JOIN, .device = device};
        struct vidmm_event queue = {.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = device};

        join.join.process = device;
        queue.paging_queue.queue = device;
        queue.paging_queue.priority = VIDMM_PAGING_QUEUE_NORMAL;
        engine_rig_do(rig, join);
        engine_rig_do(rig, queue);
    }
}

static void create(struct engine_rig *rig, uint32_t id, uint32_t device, uint64_t pages,
                   uint32_t set)
{
    struct vidmm_event event = engine_event_create(id, pages, set);

    event.device = device;
    event.create.wish.priority = 0x78000000;
    event.create.wish.preferred = set == EITHER ? 2 : 0;
    engine_rig_do(rig, event);
}

static NTSTATUS make_resident(struct engine_rig *rig, uint32_t queue, uint32_t flags,
                              const uint32_t *ids, uint32_t count)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAKE_RESIDENT};

    event.residency.queue = queue;
    event.residency.flags = flags;
    event.residency.count = count;
    event.residency.allocations = ids;
    return engine_rig_step(rig, event);
}

static NTSTATUS evict(struct engine_rig *rig, uint32_t device, uint32_t flags, const uint32_t *ids,
                      uint32_t count)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_EVICT, .device = device};

    event.residency.flags = flags;
    event.residency.count = count;
    event.residency.allocations = ids;
    return engine_rig_step(rig, event);
}

static NTSTATUS make_one(struct engine_rig *rig, uint32_t queue, uint32_t id)
{
    return make_resident(rig, queue, 0, &id, 1);
}

static void submit(struct engine_rig *rig, uint32_t device, uint32_t dma_buffer)
{
    struct vidmm_event event = engine_event_submit(dma_buffer, 0, NULL, 0);

    event.device = device;
    event.submit.context = device;
    engine_rig_do(rig, event);
}

/* Index in the log of the first operation of a kind from `from` on; fails if there is none. */
static uint32_t index_of(const struct engine_rig *rig, uint32_t from, uint32_t kind)
{
    while (from < rig->count && rig->log[from].kind != kind)
        from++;
    assert_true(from < rig->count);
    return from;
}

static uint32_t segment_of(const struct engine_rig *rig, uint32_t id)
{
    return vidmm_engine_where(rig->engine, id).segment;
}

static struct vidmm_engine_statistics statistics_of(const struct engine_rig *rig)
{
    struct vidmm_engine_statistics statistics;

    vidmm_engine_get_statistics(rig->engine, &statistics);
    return statistics;
}

/* ---- paging queues --------------------------------------------------------------------------- */

static void the_first_pending_operation_of_a_queue_is_7001(void **state)
{
    struct engine_rig rig;
    uint32_t built, signal;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 4, MEMORY);
    assert_int_equal(vidmm_engine_paging_fence(rig.engine, 1), 7000);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    assert_int_equal(vidmm_engine_residency_answer(rig.engine).value, 7001);
    assert_int_equal(vidmm_engine_paging_fence(rig.engine, 1), 7000);
    engine_rig_run(&rig);
    built = index_of(&rig, 0, VIDMM_DO_BUILD);
    assert_int_equal(rig.log[built].build.operation, VIDMM_FILL);
    signal = index_of(&rig, 0, VIDMM_DO_SIGNAL);
    assert_true(signal > index_of(&rig, built, VIDMM_DO_SUBMIT_PAGING));
    assert_int_equal(rig.log[signal].signal.queue, 1);
    assert_int_equal(rig.log[signal].signal.value, 7001);
    assert_int_equal(rig.log[signal].signal.status, STATUS_SUCCESS);
    assert_int_equal(vidmm_engine_paging_fence(rig.engine, 1), 7001);
    assert_int_equal(segment_of(&rig, 1), 2);
    assert_true(vidmm_engine_is_quiet(rig.engine));
    engine_rig_finish(&rig);
}

static void what_is_in_place_takes_no_value(void **state)
{
    struct engine_rig rig;
    uint32_t ids[] = {1, 1, 2}, from;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 4, MEMORY);
    create(&rig, 2, 1, 4, MEMORY);
    assert_int_equal(make_resident(&rig, 1, 0, ids, 3), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(vidmm_engine_residency_count(rig.engine, 1, 1), 2);
    from = rig.count;
    assert_int_equal(make_resident(&rig, 1, 0, ids, 3), STATUS_SUCCESS);
    assert_int_equal(vidmm_engine_residency_answer(rig.engine).value, 0);
    assert_int_equal(rig.count, from);
    assert_int_equal(vidmm_engine_residency_count(rig.engine, 1, 1), 4);
    assert_int_equal(vidmm_engine_residency_count(rig.engine, 1, 2), 2);
    assert_int_equal(evict(&rig, 1, VIDMM_EVICT_ONLY_IF_NECESSARY, ids + 2, 1), STATUS_SUCCESS);
    assert_int_equal(evict(&rig, 1, VIDMM_EVICT_ONLY_IF_NECESSARY, ids + 2, 1), STATUS_SUCCESS);
    assert_int_equal(make_one(&rig, 1, 2), STATUS_SUCCESS); /* it has not left */
    engine_rig_finish(&rig);
}

static void values_of_a_queue_are_signalled_in_order(void **state)
{
    struct engine_rig rig;
    uint64_t value = 7000;

    (void)state;
    begin(&rig);
    for (uint32_t id = 1; id <= 5; id++) {
        create(&rig, id, 1, 4, MEMORY);
        assert_int_equal(make_one(&rig, 1, id), STATUS_PENDING);
        assert_int_equal(vidmm_engine_residency_answer(rig.engine).value, 7000 + id);
    }
    engine_rig_run(&rig);
    for (uint32_t i = 0; i < rig.count; i++)
        if (rig.log[i].kind == VIDMM_DO_SIGNAL)
            assert_int_equal(rig.log[i].signal.value, ++value);
    assert_int_equal(value, 7005);
    engine_rig_finish(&rig);
}

/* Without page tables no paging buffer writes a value, and an allocation has none. */
static void a_queue_whose_value_no_paging_buffer_writes_is_refused(void **state)
{
    struct engine_rig rig;
    struct vidmm_event queue = {.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = 1};

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 4, MEMORY);
    queue.paging_queue.queue = 3;
    queue.paging_queue.fences = 1;
    assert_int_equal(engine_rig_step(&rig, queue), STATUS_INVALID_PARAMETER);
    queue.paging_queue.fences = 0;
    queue.paging_queue.offset = 8;
    assert_int_equal(engine_rig_step(&rig, queue), STATUS_INVALID_PARAMETER);
    queue.paging_queue.offset = 0;
    assert_int_equal(engine_rig_step(&rig, queue), STATUS_SUCCESS);
    engine_rig_finish(&rig);
}

static void the_queue_of_higher_priority_goes_first(void **state)
{
    struct engine_rig rig;
    struct vidmm_event queue = {.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = 1};
    uint32_t first;

    (void)state;
    begin(&rig);
    queue.paging_queue.queue = 3;
    queue.paging_queue.priority = VIDMM_PAGING_QUEUE_ABOVE_NORMAL;
    engine_rig_do(&rig, queue);
    create(&rig, 1, 2, 40, MEMORY);
    create(&rig, 2, 1, 4, MEMORY);
    create(&rig, 3, 1, 4, MEMORY);
    engine_rig_do(&rig, engine_event_paging(1, 1));
    assert_int_equal(make_one(&rig, 2, 1), STATUS_PENDING); /* its build is under way */
    assert_int_equal(make_one(&rig, 1, 2), STATUS_PENDING);
    assert_int_equal(make_one(&rig, 3, 3), STATUS_PENDING);
    engine_rig_run(&rig);
    first = index_of(&rig, 0, VIDMM_DO_BUILD) + 1;
    assert_int_equal(rig.log[index_of(&rig, first, VIDMM_DO_BUILD)].allocation, 3);
    engine_rig_finish(&rig);
}

static void a_queue_that_is_destroyed_is_not_signalled_and_frees_its_id_at_the_end(void **state)
{
    struct engine_rig rig;
    struct vidmm_event destroy = {.kind = VIDMM_EVENT_DESTROY_PAGING_QUEUE};
    struct vidmm_event again = {.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = 1};

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 4, MEMORY);
    destroy.paging_queue.queue = again.paging_queue.queue = 1;
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_do(&rig, destroy);
    assert_int_equal(engine_rig_step(&rig, destroy), STATUS_INVALID_PARAMETER);
    assert_int_equal(engine_rig_step(&rig, again), STATUS_INVALID_PARAMETER);
    assert_int_equal(engine_rig_step(&rig, engine_event_device(VIDMM_EVENT_DESTROY_DEVICE, 1)),
                     STATUS_INVALID_PARAMETER);
    engine_rig_run(&rig);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_SIGNAL));
    assert_int_equal(segment_of(&rig, 1), 2);
    engine_rig_do(&rig, again);
    assert_int_equal(vidmm_engine_paging_fence(rig.engine, 1), 7000);
    engine_rig_finish(&rig);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void as_many_evicts_as_makes_take_it_off_the_list(void **state)
{
    struct engine_rig rig;
    const uint32_t twice[] = {1, 1}, one = 1;
    const struct vidmm_operation *built;
    uint32_t from;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 4, MEMORY);
    assert_int_equal(make_resident(&rig, 1, 0, twice, 2), STATUS_PENDING);
    engine_rig_run(&rig);
    from = rig.count;
    assert_int_equal(evict(&rig, 1, 0, &one, 1), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(rig.count, from); /* it is still counted once */
    assert_int_equal(evict(&rig, 1, 0, twice, 2), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_engine_residency_count(rig.engine, 1, 1), 1);
    assert_int_equal(evict(&rig, 1, 0, &one, 1), STATUS_SUCCESS);
    engine_rig_run(&rig);
    built = engine_rig_find(&rig, from, VIDMM_DO_BUILD);
    assert_non_null(built);
    assert_int_equal(built->build.operation, VIDMM_TRANSFER);
    assert_int_equal(built->build.destination.segment, 0);
    assert_int_equal(segment_of(&rig, 1), 0);
    assert_int_equal(evict(&rig, 1, 0, &one, 1), STATUS_INVALID_PARAMETER);
    engine_rig_finish(&rig);
}

static void what_may_stay_leaves_when_room_is_wanted(void **state)
{
    struct engine_rig rig;
    const uint32_t one = 1;
    uint32_t from;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 40, MEMORY);
    create(&rig, 2, 1, 40, MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    from = rig.count;
    assert_int_equal(evict(&rig, 1, VIDMM_EVICT_ONLY_IF_NECESSARY, &one, 1), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(rig.count, from);
    assert_int_equal(segment_of(&rig, 1), 2);
    assert_int_equal(make_one(&rig, 1, 2), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(segment_of(&rig, 1), 0);
    assert_int_equal(segment_of(&rig, 2), 2);
    assert_int_equal(statistics_of(&rig).suspensions, 0);
    engine_rig_finish(&rig);
}

/* Two are in place: that one leaves for another device, or goes into an aperture, which was made
 * resident earlier. counted: they are so still, when room is wanted. */
static void fill_memory(uint32_t set, uint32_t newest, bool counted)
{
    const uint32_t order[] = {3 - newest, newest}, three = 3;
    struct engine_rig rig;

    begin(&rig);
    create(&rig, 1, 1, 12, set);
    create(&rig, 2, 1, 12, set);
    create(&rig, 3, 2, 12, MEMORY);
    create(&rig, 4, 2, 40, MEMORY);
    for (uint32_t id = 1; id <= 2; id++) {
        assert_int_equal(make_one(&rig, 1, id), STATUS_PENDING);
        engine_rig_run(&rig);
        assert_int_equal(evict(&rig, 1, VIDMM_EVICT_ONLY_IF_NECESSARY, &id, 1), STATUS_SUCCESS);
    }
    assert_int_equal(make_one(&rig, 2, 4), STATUS_PENDING); /* the memory is full */
    engine_rig_run(&rig);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(make_one(&rig, 1, order[i]), STATUS_SUCCESS);
        if (!counted)
            assert_int_equal(evict(&rig, 1, VIDMM_EVICT_ONLY_IF_NECESSARY, &order[i], 1),
                             STATUS_SUCCESS);
    }
    assert_int_equal(make_resident(&rig, 2, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, &three, 1),
                     STATUS_PENDING);
    engine_rig_run(&rig);
    submit(&rig, 1, 5);
    engine_rig_run(&rig);
    assert_int_equal(segment_of(&rig, newest), 2);
    assert_int_equal(segment_of(&rig, 3 - newest), counted ? APERTURE : 0);
    engine_rig_finish(&rig);
}

static void what_was_made_resident_last_stays_longest(void **state)
{
    (void)state;
    for (uint32_t newest = 1; newest <= 2; newest++) {
        fill_memory(MEMORY, newest, false);
        fill_memory(EITHER, newest, true);
    }
}

static void content_that_was_not_written_is_discarded(void **state)
{
    struct engine_rig rig;
    struct vidmm_event event = engine_event_create(1, 4, MEMORY);
    const uint32_t one = 1;

    (void)state;
    begin(&rig);
    event.create.wish.flags = PERMANENT;
    engine_rig_do(&rig, event);
    for (uint32_t round = 0; round < 3; round++) {
        uint32_t from = rig.count, expected = round == 1 ? VIDMM_DISCARD_CONTENT : VIDMM_TRANSFER;

        /* round 0: its first content has no copy yet; round 1: an early word is enough; round 2:
         * what is submitted behind that word may write it */
        assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
        engine_rig_run(&rig);
        assert_int_equal(make_one(&rig, 1, 1), STATUS_SUCCESS);
        submit(&rig, 1, 10 + round);
        engine_rig_run(&rig);
        assert_int_equal(evict(&rig, 1, VIDMM_EVICT_NOT_WRITTEN_TO, &one, 1), STATUS_SUCCESS);
        assert_int_equal(vidmm_engine_residency_count(rig.engine, 1, 1), 1);
        if (round == 2)
            submit(&rig, 1, 20);
        engine_rig_run(&rig);
        assert_int_equal(evict(&rig, 1, 0, &one, 1), STATUS_SUCCESS);
        engine_rig_run(&rig);
        assert_int_equal(engine_rig_find(&rig, from, VIDMM_DO_BUILD)->build.operation, expected);
        assert_int_equal(segment_of(&rig, 1), 0);
    }
    engine_rig_finish(&rig);
}

/* The same word, of a reference that somebody else counts. */
static void a_list_may_keep_what_was_not_written(void **state)
{
    struct engine_rig rig;
    struct vidmm_event event = engine_event_create(1, 4, MEMORY);
    const uint32_t one = 1, unknown[] = {1, 9};
    uint32_t from;

    (void)state;
    begin(&rig);
    event.create.wish.flags = PERMANENT;
    engine_rig_do(&rig, event);
    create(&rig, 2, 1, 4, MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(evict(&rig, 1, 0, &one, 1), STATUS_SUCCESS);
    engine_rig_run(&rig); /* it has a copy now */
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    submit(&rig, 1, 10);
    engine_rig_run(&rig);
    assert_int_equal(evict(&rig, 1, VIDMM_EVICT_KEEPS | VIDMM_EVICT_NOT_WRITTEN_TO, unknown, 2),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(evict(&rig, 1, VIDMM_EVICT_KEEPS | VIDMM_EVICT_NOT_WRITTEN_TO, &one, 1),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_engine_residency_count(rig.engine, 1, 1), 1);
    assert_true(vidmm_engine_stands_listed(rig.engine, 1, 1));
    assert_false(vidmm_engine_stands_listed(rig.engine, 1, 2));
    assert_false(vidmm_engine_stands_listed(rig.engine, 2, 1));
    from = rig.count;
    assert_int_equal(evict(&rig, 1, 0, &one, 1), STATUS_SUCCESS);
    engine_rig_run(&rig);
    for (; from < rig.count; from++)
        assert_true(rig.log[from].kind != VIDMM_DO_BUILD ||
                    rig.log[from].build.operation == VIDMM_DISCARD_CONTENT ||
                    rig.log[from].build.operation == VIDMM_FLUSH_TLB); /* it is not saved */
    assert_int_equal(segment_of(&rig, 1), 0);
    assert_false(vidmm_engine_stands_listed(rig.engine, 1, 1));
    engine_rig_finish(&rig);
}

static void make_resident_counts_all_or_nothing(void **state)
{
    struct engine_rig rig;
    const uint32_t ids[] = {1, 2, 3}, foreign[] = {1, 4}, unknown[] = {1, 9};

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 30, MEMORY);
    create(&rig, 2, 1, 30, MEMORY);
    create(&rig, 3, 1, 30, MEMORY);
    create(&rig, 4, 2, 4, MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(make_resident(&rig, 1, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, ids, 3),
                     STATUS_NO_MEMORY);
    assert_int_equal(vidmm_engine_residency_answer(rig.engine).bytes_to_trim, PAGES(26));
    assert_int_equal(make_resident(&rig, 1, 0, foreign, 2), STATUS_INVALID_PARAMETER);
    assert_int_equal(make_resident(&rig, 1, 0, unknown, 2), STATUS_INVALID_PARAMETER);
    assert_int_equal(make_resident(&rig, 1, 4, ids, 1), STATUS_INVALID_PARAMETER);
    assert_int_equal(make_resident(&rig, 9, 0, ids, 1), STATUS_INVALID_PARAMETER);
    for (uint32_t id = 1; id <= 4; id++)
        assert_int_equal(vidmm_engine_residency_count(rig.engine, 1, id), id == 1 ? 1 : 0);
    assert_int_equal(make_resident(&rig, 1, 0, ids, 2), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_true(vidmm_engine_is_whole(rig.engine, 1));
    engine_rig_finish(&rig);
}

static void what_must_succeed_and_cannot_puts_the_device_in_error(void **state)
{
    struct engine_rig rig;
    const uint32_t ids[] = {1, 2, 3};
    const struct vidmm_operation *error;
    struct vidmm_event event = engine_event_submit(9, 0, NULL, 0);

    (void)state;
    begin(&rig);
    for (uint32_t id = 1; id <= 3; id++)
        create(&rig, id, 1, 30, MEMORY);
    assert_int_equal(make_resident(&rig, 1, VIDMM_MAKE_RESIDENT_MUST_SUCCEED, ids, 1),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(
        make_resident(&rig, 1,
                      VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER | VIDMM_MAKE_RESIDENT_MUST_SUCCEED, ids,
                      3),
        STATUS_NO_MEMORY);
    error = engine_rig_find(&rig, 0, VIDMM_DO_ERROR);
    assert_non_null(error);
    assert_int_equal(error->error.device, 1);
    assert_int_equal(error->error.reason, VIDMM_REASON_MUST_SUCCEED);
    assert_int_equal(error->error.needed, PAGES(26));
    assert_int_equal(engine_rig_step(&rig, event), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    engine_rig_finish(&rig);
}

/* ---- submissions ----------------------------------------------------------------------------- */

static void a_submission_waits_for_all_of_the_list(void **state)
{
    struct engine_rig rig;
    uint32_t paged, submitted;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 4, MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    submit(&rig, 1, 5);
    while (rig.call.kind != 0)
        engine_rig_answer(&rig);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_SUBMIT)); /* on another node than paging */
    engine_rig_run(&rig);
    paged = index_of(&rig, 0, VIDMM_DO_SUBMIT_PAGING);
    submitted = index_of(&rig, 0, VIDMM_DO_SUBMIT);
    assert_true(submitted > paged);
    assert_true(submitted > index_of(&rig, 0, VIDMM_DO_SIGNAL));
    assert_int_equal(rig.log[submitted].submit.reference_count, 0);
    engine_rig_finish(&rig);
}

static void a_reference_to_what_is_not_listed_puts_the_device_in_error(void **state)
{
    struct engine_rig rig;
    const struct vidmm_reference reference = {1, 1};
    const struct vidmm_operation *error;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 4, MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    engine_rig_use(&rig, 1, true);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_PLACED)->placed.place.segment, 2);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.status, STATUS_SUCCESS);
    assert_int_equal(evict(&rig, 1, VIDMM_EVICT_ONLY_IF_NECESSARY, &reference.allocation, 1),
                     STATUS_SUCCESS);
    engine_rig_do(&rig, engine_event_submit(7, 0, &reference, 1));
    engine_rig_run(&rig);
    error = engine_rig_find(&rig, 0, VIDMM_DO_ERROR);
    assert_non_null(error);
    assert_int_equal(error->error.reason, VIDMM_REASON_NOT_RESIDENT);
    assert_int_equal(error->error.dma_buffer, 7);
    assert_true(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.status != STATUS_SUCCESS);
    engine_rig_finish(&rig);
}

static void nothing_takes_the_place_of_what_packets_in_flight_may_use(void **state)
{
    struct engine_rig rig;
    const uint32_t one = 1;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 40, MEMORY);
    create(&rig, 2, 2, 40, MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    submit(&rig, 1, 5);
    engine_rig_answer(&rig); /* in flight on node 0 */
    assert_int_equal(evict(&rig, 1, 0, &one, 1), STATUS_SUCCESS);
    assert_int_equal(make_one(&rig, 2, 2), STATUS_PENDING);
    while (rig.call.kind != 0)
        engine_rig_answer(&rig);
    assert_false(rig.due[1]); /* the page-out is built, and not submitted */
    engine_rig_complete(&rig, 0);
    engine_rig_run(&rig);
    assert_int_equal(segment_of(&rig, 2), 2);
    engine_rig_finish(&rig);
}

static void a_destroyed_allocation_goes_when_what_was_queued_before_has_run(void **state)
{
    struct engine_rig rig;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 4, MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    submit(&rig, 1, 5);
    engine_rig_do(&rig, engine_event_destroy(1));
    submit(&rig, 1, 6);
    engine_rig_answer(&rig);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY));
    engine_rig_do(&rig,
                  engine_event_fence(0, engine_rig_find(&rig, 0, VIDMM_DO_SUBMIT)->submit.fence));
    assert_non_null(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY)); /* 6 was queued behind it */
    engine_rig_run(&rig);
    assert_true(vidmm_engine_is_quiet(rig.engine));
    engine_rig_finish(&rig);
}

static NTSTATUS destroy_at_once(struct engine_rig *rig, uint32_t id, uint32_t device)
{
    struct vidmm_event event = engine_event_destroy(id);

    event.kind = VIDMM_EVENT_DESTROY_AT_ONCE;
    event.device = device;
    return engine_rig_step(rig, event);
}

/* Works of device 1 are queued and in flight. */
static void what_its_device_does_not_use_goes_at_once(void **state)
{
    struct engine_rig rig;
    const uint32_t two = 2;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 4, MEMORY);
    create(&rig, 2, 1, 4, MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    assert_int_equal(make_one(&rig, 1, 2), STATUS_PENDING);
    engine_rig_run(&rig);
    submit(&rig, 1, 5);
    engine_rig_answer(&rig);
    submit(&rig, 1, 6);
    assert_int_equal(destroy_at_once(&rig, 1, 9), STATUS_INVALID_PARAMETER);
    assert_int_equal(destroy_at_once(&rig, 3, 1), STATUS_INVALID_PARAMETER);
    assert_int_equal(destroy_at_once(&rig, 1, 1), STATUS_SUCCESS);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY)->allocation, 1);
    assert_int_equal(evict(&rig, 1, 0, &two, 1), STATUS_SUCCESS); /* waits for 5 and 6 */
    assert_int_equal(destroy_at_once(&rig, 2, 1), STATUS_SUCCESS);
    assert_int_equal(destroy_at_once(&rig, 2, 1), STATUS_INVALID_PARAMETER);
    engine_rig_run(&rig);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY)->allocation, 2);
    assert_true(vidmm_engine_is_quiet(rig.engine));
    engine_rig_finish(&rig);
}

static void what_another_device_may_use_does_not_go_at_once(void **state)
{
    struct engine_rig rig;
    struct vidmm_event event = engine_event_create(1, 4, MEMORY);

    (void)state;
    begin(&rig);
    event.device = 1;
    event.create.shared = 1;
    event.create.wish.priority = 0x78000000;
    engine_rig_do(&rig, event);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    make_one(&rig, 2, 1);
    engine_rig_run(&rig);
    submit(&rig, 2, 5);
    assert_int_equal(destroy_at_once(&rig, 1, 1), STATUS_SUCCESS);
    while (rig.call.kind != 0)
        engine_rig_answer(&rig);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY));
    engine_rig_complete(&rig, 0);
    engine_rig_run(&rig);
    assert_non_null(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY));
    assert_true(vidmm_engine_is_quiet(rig.engine));
    engine_rig_finish(&rig);
}

/* ---- pressure -------------------------------------------------------------------------------- */

static void devices_whose_lists_do_not_fit_together_take_turns(void **state)
{
    struct engine_rig rig;
    uint32_t retired = 0;

    (void)state;
    begin(&rig);
    for (uint32_t device = 1; device <= 2; device++) {
        create(&rig, device, device, 40, MEMORY);
        assert_int_equal(
            make_resident(&rig, device, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, &device, 1),
            STATUS_PENDING);
        engine_rig_run(&rig);
    }
    assert_true(vidmm_engine_is_whole(rig.engine, 2));
    assert_false(vidmm_engine_is_whole(rig.engine, 1)); /* suspended; its calls answer: */
    assert_int_equal(vidmm_engine_residency_count(rig.engine, 1, 1), 1);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_true(vidmm_engine_is_whole(rig.engine, 1));
    for (uint32_t round = 0; round < 4; round++) {
        submit(&rig, 1 + round % 2, 30 + round);
        engine_rig_run(&rig);
        assert_true(vidmm_engine_is_whole(rig.engine, 1 + round % 2));
        assert_int_equal(segment_of(&rig, 1 + round % 2), 2);
        assert_int_equal(segment_of(&rig, 2 - round % 2), 0);
    }
    for (uint32_t i = 0; i < rig.count; i++) {
        retired += rig.log[i].kind == VIDMM_DO_RETIRE ? 1 : 0;
        assert_true(rig.log[i].kind != VIDMM_DO_ERROR);
    }
    assert_int_equal(retired, 4);
    assert_true(statistics_of(&rig).suspensions >= 4);
    engine_rig_finish(&rig);
}

/* Work that its device's suspension has held back goes on when the device goes. */
static void a_suspension_ends_with_its_device(void **state)
{
    struct engine_rig rig;
    struct vidmm_event suspend = {.kind = VIDMM_EVENT_SUSPEND_DEVICE, .device = 1};

    (void)state;
    begin(&rig);
    suspend.test.suspension = 1;
    assert_int_equal(engine_rig_step(&rig, suspend), STATUS_SUCCESS);
    submit(&rig, 1, 5);
    engine_rig_run(&rig);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE));
    assert_int_equal(engine_rig_step(&rig, engine_event_device(VIDMM_EVENT_DESTROY_DEVICE, 1)),
                     STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_non_null(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE));
    assert_true(vidmm_engine_is_quiet(rig.engine));
    engine_rig_finish(&rig);
}

static unsigned signals_of(const struct engine_rig *rig)
{
    unsigned signals = 0;

    for (uint32_t i = 0; i < rig->count; i++)
        signals += rig->log[i].kind == VIDMM_DO_SIGNAL ? 1 : 0;
    return signals;
}

/* A paging queue that rests ends its works when the engine stops, and not before its time else. */
static void nothing_rests_when_the_engine_stops(void **state)
{
    struct engine_rig rig;
    struct vidmm_event rest = {.kind = VIDMM_EVENT_DELAY};

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 8, MEMORY);
    rest.test.queue = 1;
    rest.test.time_ns[0] = VIDMM_LONGEST_DELAY_NS;
    assert_int_equal(engine_rig_step(&rig, rest), STATUS_PENDING);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(signals_of(&rig), 0);
    assert_int_equal(segment_of(&rig, 1), 0);
    assert_true(vidmm_engine_deadline(rig.engine) <= VIDMM_LONGEST_DELAY_NS + rig.time_ns);
    assert_int_equal(engine_rig_step(&rig, (struct vidmm_event){.kind = VIDMM_EVENT_STOP}),
                     STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(signals_of(&rig), 2);
    engine_rig_finish(&rig);
}

static void what_may_live_in_an_aperture_is_demoted_and_comes_back(void **state)
{
    struct engine_rig rig;
    const uint32_t two = 2, three = 3;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 40, EITHER);
    create(&rig, 2, 2, 40, MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(segment_of(&rig, 1), 2);
    assert_int_equal(make_resident(&rig, 2, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, &two, 1),
                     STATUS_PENDING);
    engine_rig_run(&rig);
    submit(&rig, 1, 5);
    engine_rig_run(&rig);
    assert_int_equal(segment_of(&rig, 1), 1); /* in the aperture */
    assert_int_equal(segment_of(&rig, 2), 2);
    assert_true(vidmm_engine_is_whole(rig.engine, 1) && vidmm_engine_is_whole(rig.engine, 2));
    assert_int_equal(statistics_of(&rig).suspensions, 0);
    assert_int_equal(statistics_of(&rig).demotions, 1);
    assert_true(vidmm_engine_holding(rig.engine, 1).demoted);
    assert_false(vidmm_engine_holding(rig.engine, 2).demoted);
    create(&rig, 3, 2, 8, MEMORY);
    assert_int_equal(make_resident(&rig, 2, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, &three, 1),
                     STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(evict(&rig, 2, 0, &three, 1), STATUS_SUCCESS); /* that is not enough */
    engine_rig_run(&rig);
    assert_int_equal(segment_of(&rig, 1), 1);
    assert_int_equal(evict(&rig, 2, 0, &two, 1), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(segment_of(&rig, 1), 2);
    assert_int_equal(statistics_of(&rig).promotions, 1);
    assert_false(vidmm_engine_holding(rig.engine, 1).demoted);
    assert_true(vidmm_engine_is_quiet(rig.engine));
    engine_rig_finish(&rig);
}

static void a_list_that_only_fragments_keep_out_is_placed_anew(void **state)
{
    struct engine_rig rig;
    const uint32_t last = 9;

    (void)state;
    begin(&rig);
    for (uint32_t id = 1; id <= 8; id++) {
        create(&rig, id, 1, 8, MEMORY);
        assert_int_equal(make_one(&rig, 1, id), STATUS_PENDING);
        engine_rig_run(&rig);
    }
    for (uint32_t id = 1; id <= 8; id += 2) {
        assert_int_equal(evict(&rig, 1, 0, &id, 1), STATUS_SUCCESS);
        engine_rig_run(&rig);
    }
    create(&rig, last, 1, 32, MEMORY); /* four holes of eight pages */
    assert_int_equal(make_resident(&rig, 1, 0, &last, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_ERROR));
    assert_true(vidmm_engine_is_whole(rig.engine, 1));
    for (uint32_t id = 2; id <= 8; id += 2)
        assert_int_equal(segment_of(&rig, id), 2);
    assert_int_equal(segment_of(&rig, last), 2);
    engine_rig_finish(&rig);
}

/* ---- budgets --------------------------------------------------------------------------------- */

static struct vidmm_event budget(uint32_t kind, uint32_t process, uint32_t group, uint64_t size)
{
    struct vidmm_event event = {.kind = kind};

    event.budget.process = process;
    event.budget.group = group;
    event.budget.size = size;
    return event;
}

static void above_the_budget_make_resident_says_how_much_to_trim(void **state)
{
    struct engine_rig rig;
    const uint32_t ids[] = {1, 2};

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 16, MEMORY);
    create(&rig, 2, 1, 16, MEMORY);
    engine_rig_do(&rig, budget(VIDMM_EVENT_BUDGET, 1, VIDMM_GROUP_LOCAL, PAGES(20)));
    assert_int_equal(make_resident(&rig, 1, 0, ids, 2), STATUS_NO_MEMORY);
    assert_int_equal(vidmm_engine_residency_answer(rig.engine).bytes_to_trim, PAGES(12));
    assert_int_equal(vidmm_engine_budget(rig.engine, 1, VIDMM_GROUP_LOCAL).usage, 0);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(make_one(&rig, 1, 2), STATUS_NO_MEMORY);
    assert_int_equal(make_resident(&rig, 1, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, ids + 1, 1),
                     STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(vidmm_engine_budget(rig.engine, 1, VIDMM_GROUP_LOCAL).usage, PAGES(32));
    assert_int_equal(vidmm_engine_budget(rig.engine, 1, VIDMM_GROUP_LOCAL).budget, PAGES(20));
    assert_int_equal(evict(&rig, 1, VIDMM_EVICT_ONLY_IF_NECESSARY, ids, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_engine_residency_answer(rig.engine).bytes_to_trim, PAGES(12));
    assert_int_equal(evict(&rig, 1, VIDMM_EVICT_ONLY_IF_NECESSARY, ids, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_engine_residency_answer(rig.engine).bytes_to_trim, 0);
    assert_int_equal(evict(&rig, 1, 0, ids + 1, 1), STATUS_SUCCESS);
    assert_int_equal(statistics_of(&rig).resident_most, PAGES(32));
    engine_rig_finish(&rig);
}

static NTSTATUS join(struct engine_rig *rig, uint32_t device, uint32_t process)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_JOIN, .device = device};

    event.join.process = process;
    return engine_rig_step(rig, event);
}

static void a_device_joins_one_process_before_it_lists_anything(void **state)
{
    struct engine_rig rig;

    (void)state;
    begin(&rig);
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 5));
    for (uint32_t device = 0; device < 2048; device++)
        if (device != 5)
            assert_int_equal(join(&rig, device, 1), STATUS_INVALID_PARAMETER);
    assert_int_equal(join(&rig, UINT32_MAX, 1), STATUS_INVALID_PARAMETER);
    assert_int_equal(join(&rig, 5, 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(join(&rig, 5, VIDMM_PROCESSES), STATUS_INVALID_PARAMETER);
    assert_int_equal(join(&rig, 5, UINT32_MAX), STATUS_INVALID_PARAMETER);
    assert_int_equal(join(&rig, 5, VIDMM_PROCESSES - 1), STATUS_SUCCESS);
    assert_int_equal(join(&rig, 5, VIDMM_PROCESSES - 1), STATUS_INVALID_PARAMETER);
    engine_rig_finish(&rig);
}

static void a_smaller_budget_asks_the_process_to_trim_once(void **state)
{
    struct engine_rig rig;
    const struct vidmm_operation *trim;
    uint32_t from;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 16, MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_TRIM));
    engine_rig_do(&rig, budget(VIDMM_EVENT_BUDGET, 1, VIDMM_GROUP_LOCAL, PAGES(10)));
    trim = engine_rig_find(&rig, 0, VIDMM_DO_TRIM);
    assert_non_null(trim);
    assert_int_equal(trim->trim.device, 1);
    assert_int_equal(trim->trim.flags, VIDMM_TRIM_TO_BUDGET);
    assert_int_equal(trim->trim.bytes_to_trim, PAGES(6));
    from = rig.count;
    engine_rig_do(&rig, budget(VIDMM_EVENT_BUDGET, 1, VIDMM_GROUP_LOCAL, PAGES(8)));
    assert_null(engine_rig_find(&rig, from, VIDMM_DO_TRIM));
    engine_rig_do(&rig, budget(VIDMM_EVENT_BUDGET, 1, VIDMM_GROUP_LOCAL, UINT64_MAX));
    engine_rig_do(&rig, budget(VIDMM_EVENT_BUDGET, 1, VIDMM_GROUP_LOCAL, PAGES(8)));
    assert_non_null(engine_rig_find(&rig, from, VIDMM_DO_TRIM));
    engine_rig_finish(&rig);
}

static void a_second_process_shrinks_the_budget_of_the_first_to_its_share(void **state)
{
    struct engine_rig rig;
    const struct vidmm_operation *trim;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 56, EITHER);
    create(&rig, 2, 2, 24, EITHER);
    assert_int_equal(vidmm_engine_budget(rig.engine, 1, VIDMM_GROUP_LOCAL).budget, PAGES(64));
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(vidmm_engine_budget(rig.engine, 2, VIDMM_GROUP_LOCAL).budget, PAGES(32));
    assert_int_equal(make_one(&rig, 2, 2), STATUS_PENDING); /* below its own */
    trim = engine_rig_find(&rig, 0, VIDMM_DO_TRIM);
    assert_non_null(trim);
    assert_int_equal(trim->trim.device, 1);
    assert_int_equal(trim->trim.bytes_to_trim, PAGES(56 - 40));
    engine_rig_run(&rig);
    assert_int_equal(vidmm_engine_budget(rig.engine, 1, VIDMM_GROUP_LOCAL).budget, PAGES(40));
    engine_rig_finish(&rig);
}

static void a_reservation_is_kept_from_the_others(void **state)
{
    struct engine_rig rig;

    (void)state;
    begin(&rig);
    assert_int_equal(
        engine_rig_step(&rig, budget(VIDMM_EVENT_RESERVE, 1, VIDMM_GROUP_LOCAL, PAGES(65))),
        STATUS_INVALID_PARAMETER);
    engine_rig_do(&rig, budget(VIDMM_EVENT_RESERVE, 1, VIDMM_GROUP_LOCAL, PAGES(50)));
    assert_int_equal(vidmm_engine_budget(rig.engine, 2, VIDMM_GROUP_LOCAL).budget, PAGES(14));
    assert_int_equal(
        vidmm_engine_budget(rig.engine, 2, VIDMM_GROUP_LOCAL).available_for_reservation, PAGES(14));
    assert_int_equal(
        vidmm_engine_budget(rig.engine, 1, VIDMM_GROUP_LOCAL).available_for_reservation, PAGES(64));
    assert_int_equal(
        engine_rig_step(&rig, budget(VIDMM_EVENT_RESERVE, 2, VIDMM_GROUP_LOCAL, PAGES(15))),
        STATUS_INVALID_PARAMETER);
    assert_int_equal(
        engine_rig_step(&rig, budget(VIDMM_EVENT_RESERVE, 3, VIDMM_GROUP_LOCAL, PAGES(1))),
        STATUS_INVALID_PARAMETER);
    assert_int_equal(engine_rig_step(&rig, budget(VIDMM_EVENT_BUDGET, 1, 2, PAGES(1))),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(
        engine_rig_step(&rig, budget(VIDMM_EVENT_BUDGET, 1, VIDMM_GROUP_LOCAL, PAGES(65))),
        STATUS_INVALID_PARAMETER);
    engine_rig_finish(&rig);
}

static void a_periodic_trim_and_its_restart_are_never_asked_together(void **state)
{
    struct engine_rig rig;
    struct vidmm_event event = {.kind = VIDMM_EVENT_TRIM};
    uint32_t trims = 0;

    (void)state;
    begin(&rig);
    for (uint32_t restart = 0; restart <= 1; restart++) {
        event.trim.restart = restart;
        engine_rig_do(&rig, event);
    }
    for (uint32_t i = 0; i < rig.count; i++) {
        if (rig.log[i].kind == VIDMM_DO_TRIM) {
            assert_int_equal(rig.log[i].trim.flags,
                             trims < 2 ? VIDMM_TRIM_PERIODIC : VIDMM_TRIM_RESTART_PERIODIC);
            trims++;
        }
    }
    assert_int_equal(trims, 4);
    event.trim.restart = 2;
    assert_int_equal(engine_rig_step(&rig, event), STATUS_INVALID_PARAMETER);
    engine_rig_finish(&rig);
}

/* ---- offers ---------------------------------------------------------------------------------- */

static void a_reclaim_brings_back_what_is_on_the_list(void **state)
{
    struct engine_rig rig;
    struct vidmm_event offer = {.kind = VIDMM_EVENT_OFFER};
    struct vidmm_event reclaim = {.kind = VIDMM_EVENT_RECLAIM_QUEUED};
    const uint32_t ids[] = {1, 2}, three = 3;

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 40, MEMORY);
    create(&rig, 2, 1, 4, MEMORY);
    create(&rig, 3, 2, 40, MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_PENDING);
    engine_rig_run(&rig);
    submit(&rig, 1, 5);
    offer.offer.allocation = 1;
    offer.offer.priority = VIDMM_OFFER_LOW;
    engine_rig_do(&rig, offer);
    offer.offer.allocation = 2;
    engine_rig_do(&rig, offer);
    assert_false(vidmm_engine_discarded(rig.engine, 1));
    engine_rig_run(&rig); /* 5 has run: the offer takes effect */
    assert_int_equal(make_resident(&rig, 2, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER, &three, 1),
                     STATUS_PENDING);
    engine_rig_run(&rig); /* discarded for 3 */
    assert_true(vidmm_engine_discarded(rig.engine, 1));
    assert_int_equal(statistics_of(&rig).suspensions, 0);
    submit(&rig, 1, 6); /* an offered allocation need not be there */
    engine_rig_run(&rig);
    assert_int_equal(segment_of(&rig, 1), 0);
    reclaim.residency.queue = 1;
    reclaim.residency.count = 2;
    reclaim.residency.allocations = ids;
    assert_int_equal(engine_rig_step(&rig, reclaim), STATUS_PENDING);
    assert_int_equal(vidmm_engine_residency_answer(rig.engine).value, 7002);
    engine_rig_run(&rig);
    assert_int_equal(segment_of(&rig, 1), 2);
    assert_int_equal(segment_of(&rig, 2), 0); /* it is on no list */
    assert_int_equal(vidmm_engine_paging_fence(rig.engine, 1), 7002);
    engine_rig_finish(&rig);
}

/* ---- other segments -------------------------------------------------------------------------- */

static void segments_that_an_allocation_cannot_have_are_refused(void **state)
{
    struct engine_rig rig;
    struct vidmm_event change = {.kind = VIDMM_EVENT_UPDATE_PROPERTY};
    static const struct vidmm_property refused[] = {
        {0, 0, 1, 0},                       /* nothing */
        {8, 0, 1, 0},                       /* a property that there is not */
        {VIDMM_PROPERTY_SEGMENTS, 0, 0, 0}, /* no segment */
        {VIDMM_PROPERTY_SEGMENTS, 0, 5, 0}, /* one that there is, and one that there is not */
    };

    (void)state;
    begin(&rig);
    create(&rig, 1, 1, 4, MEMORY);
    change.property.queue = change.property.allocation = 1;
    for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        change.property.to = refused[i];
        assert_int_equal(engine_rig_step(&rig, change), STATUS_INVALID_PARAMETER);
    }
    change.property.to = (struct vidmm_property){VIDMM_PROPERTY_SEGMENTS, 0, 3, 0};
    change.property.queue = 9;
    assert_int_equal(engine_rig_step(&rig, change), STATUS_INVALID_PARAMETER);
    change.property.queue = 1, change.property.allocation = 9;
    assert_int_equal(engine_rig_step(&rig, change), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_engine_paging_fence(rig.engine, 1), 7000);
    change.property.allocation = 1;
    assert_int_equal(engine_rig_step(&rig, change), STATUS_PENDING);
    engine_rig_run(&rig);
    assert_int_equal(vidmm_engine_paging_fence(rig.engine, 1), 7001);
    engine_rig_finish(&rig);
}

/* ---- before WDDM 2 --------------------------------------------------------------------------- */

static void an_engine_without_explicit_residency_refuses_all_of_it(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = 1};
    const uint32_t one = 1;

    (void)state;
    engine_rig_init(&rig, &config);
    event.paging_queue.queue = 1;
    assert_int_equal(engine_rig_step(&rig, event), STATUS_INVALID_PARAMETER);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_JOIN, .device = 1};
    event.join.process = 1;
    assert_int_equal(engine_rig_step(&rig, event), STATUS_INVALID_PARAMETER);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_TRIM};
    assert_int_equal(engine_rig_step(&rig, event), STATUS_INVALID_PARAMETER);
    create(&rig, 1, 1, 4, MEMORY);
    assert_int_equal(make_one(&rig, 1, 1), STATUS_INVALID_PARAMETER);
    assert_int_equal(evict(&rig, 1, 0, &one, 1), STATUS_INVALID_PARAMETER);
    assert_int_equal(destroy_at_once(&rig, 1, 1), STATUS_INVALID_PARAMETER);
    engine_rig_finish(&rig);
}

static int with_an_mmu(void **state)
{
    (void)state;
    by_address = true;
    return 0;
}

int main(void)
{
    const struct CMUnitTest physical[] = {
        /* they look at operations */
        cmocka_unit_test(the_first_pending_operation_of_a_queue_is_7001),
        cmocka_unit_test(a_queue_whose_value_no_paging_buffer_writes_is_refused),
        cmocka_unit_test(the_queue_of_higher_priority_goes_first),
        cmocka_unit_test(as_many_evicts_as_makes_take_it_off_the_list),
        cmocka_unit_test(content_that_was_not_written_is_discarded),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_place_takes_no_value),
        cmocka_unit_test(values_of_a_queue_are_signalled_in_order),
        cmocka_unit_test(a_queue_that_is_destroyed_is_not_signalled_and_frees_its_id_at_the_end),
        cmocka_unit_test(what_may_stay_leaves_when_room_is_wanted),
        cmocka_unit_test(what_was_made_resident_last_stays_longest),
        cmocka_unit_test(a_list_may_keep_what_was_not_written),
        cmocka_unit_test(make_resident_counts_all_or_nothing),
        cmocka_unit_test(what_must_succeed_and_cannot_puts_the_device_in_error),
        cmocka_unit_test(a_submission_waits_for_all_of_the_list),
        cmocka_unit_test(a_reference_to_what_is_not_listed_puts_the_device_in_error),
        cmocka_unit_test(nothing_takes_the_place_of_what_packets_in_flight_may_use),
        cmocka_unit_test(a_destroyed_allocation_goes_when_what_was_queued_before_has_run),
        cmocka_unit_test(what_its_device_does_not_use_goes_at_once),
        cmocka_unit_test(what_another_device_may_use_does_not_go_at_once),
        cmocka_unit_test(devices_whose_lists_do_not_fit_together_take_turns),
        cmocka_unit_test(a_suspension_ends_with_its_device),
        cmocka_unit_test(nothing_rests_when_the_engine_stops),
        cmocka_unit_test(what_may_live_in_an_aperture_is_demoted_and_comes_back),
        cmocka_unit_test(a_list_that_only_fragments_keep_out_is_placed_anew),
        cmocka_unit_test(above_the_budget_make_resident_says_how_much_to_trim),
        cmocka_unit_test(a_device_joins_one_process_before_it_lists_anything),
        cmocka_unit_test(a_smaller_budget_asks_the_process_to_trim_once),
        cmocka_unit_test(a_second_process_shrinks_the_budget_of_the_first_to_its_share),
        cmocka_unit_test(a_reservation_is_kept_from_the_others),
        cmocka_unit_test(a_periodic_trim_and_its_restart_are_never_asked_together),
        cmocka_unit_test(a_reclaim_brings_back_what_is_on_the_list),
        cmocka_unit_test(segments_that_an_allocation_cannot_have_are_refused),
        cmocka_unit_test(an_engine_without_explicit_residency_refuses_all_of_it),
    };

    int failed = cmocka_run_group_tests_name("engine_residency, operations", physical, NULL, NULL) +
                 cmocka_run_group_tests_name("engine_residency", tests, NULL, NULL);

    return failed +
           cmocka_run_group_tests_name("engine_residency by address", tests, with_an_mmu, NULL);
}
