/* test_engine_compaction.c: what a segment has moves towards one end of it (VIDMM_EVENT_COMPACT).
 * The memory segment of the rig has 64 pages. */
#include "test_engine_rig.h"

enum { MEMORY = 2 };

static struct engine_rig rig;
static uint32_t requests;

static void begin_with(bool directly)
{
    struct vidmm_engine_config config = engine_rig_config();

    config.move_directly = directly;
    engine_rig_init(&rig, &config);
    requests = 0;
}

static struct vidmm_event compact_event(uint32_t segment, uint32_t way)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_COMPACT, .device = 1};

    event.test.request = ++requests;
    event.test.segment = segment;
    event.test.way = way;
    return event;
}

/* To its end. */
static void compact(uint32_t way)
{
    uint32_t from = rig.count;
    const struct vidmm_operation *grant;

    engine_rig_do(&rig, compact_event(2, way));
    engine_rig_run(&rig);
    grant = engine_rig_find(&rig, from, VIDMM_DO_GRANT);
    assert_non_null(grant);
    assert_int_equal(grant->grant.request, requests);
    assert_int_equal(grant->grant.status, STATUS_SUCCESS);
    assert_true(vidmm_engine_is_quiet(rig.engine));
}

static uint64_t page_of(uint32_t id)
{
    struct vidmm_place place = vidmm_engine_where(rig.engine, id);

    assert_int_equal(place.segment, 2);
    return place.offset / 4096;
}

static uint64_t largest_hole(void)
{
    return vidmm_engine_segment_use(rig.engine, 2).largest_hole / 4096;
}

/* Allocations 1 .. 8 of 8 pages each, in order of address; those with an odd id have gone. */
static void begin_in_fragments(bool directly)
{
    begin_with(directly);
    for (uint32_t id = 1; id <= 8; id++) {
        engine_rig_do(&rig, engine_event_create(id, 8, MEMORY));
        engine_rig_use(&rig, id, true);
    }
    for (uint32_t id = 1; id <= 8; id += 2)
        engine_rig_do(&rig, engine_event_destroy(id));
    engine_rig_run(&rig);
    for (uint32_t id = 2; id <= 8; id += 2)
        assert_int_equal(page_of(id), 8 * (id - 1));
    assert_int_equal(largest_hole(), 8);
}

static uint32_t count_of(uint32_t from, uint32_t operation)
{
    uint32_t count = 0;

    for (uint32_t i = from; i < rig.count; i++)
        count += rig.log[i].kind == VIDMM_DO_BUILD && rig.log[i].build.operation == operation;
    return count;
}

/* ---- the ends -------------------------------------------------------------------------------- */

static void everything_moves_to_the_start(void **state)
{
    (void)state;
    for (uint32_t directly = 0; directly < 2; directly++) {
        uint32_t from;

        begin_in_fragments(directly != 0);
        from = rig.count;
        compact(VIDMM_COMPACT_DOWN);
        for (uint32_t id = 2; id <= 8; id += 2)
            assert_int_equal(page_of(id), 4 * (id - 2)); /* in their order */
        assert_int_equal(largest_hole(), 32);
        /* one transfer each, or out and in again */
        assert_int_equal(count_of(from, VIDMM_TRANSFER), directly != 0 ? 4 : 8);
        from = rig.count;
        compact(VIDMM_COMPACT_DOWN); /* there is nothing to do */
        assert_int_equal(count_of(from, VIDMM_TRANSFER), 0);
        for (uint32_t id = 2; id <= 8; id += 2)
            engine_rig_use(&rig, id, true); /* without a page-in */
        assert_int_equal(count_of(from, VIDMM_TRANSFER), 0);
        engine_rig_finish(&rig);
    }
}

static void everything_moves_to_the_end(void **state)
{
    (void)state;
    begin_in_fragments(false);
    compact(VIDMM_COMPACT_UP);
    for (uint32_t id = 2; id <= 8; id += 2)
        assert_int_equal(page_of(id), 32 + 4 * (id - 2));
    assert_int_equal(largest_hole(), 32);
    engine_rig_finish(&rig);
}

/* 1 stands at the start, and 2 in the middle: to the start one has to move, to the end two. */
static void a_pass_moves_as_few_bytes_as_it_can(void **state)
{
    uint32_t from;

    (void)state;
    begin_with(false);
    for (uint32_t id = 1; id <= 3; id++) {
        engine_rig_do(&rig, engine_event_create(id, 8, MEMORY));
        engine_rig_use(&rig, id, true);
    }
    engine_rig_do(&rig, engine_event_destroy(2));
    engine_rig_run(&rig);
    from = rig.count;
    compact(VIDMM_COMPACT_CHEAPER);
    assert_int_equal(page_of(1), 0);
    assert_int_equal(page_of(3), 8);
    assert_int_equal(count_of(from, VIDMM_TRANSFER), 2);
    compact(VIDMM_COMPACT_UP);
    from = rig.count;
    compact(VIDMM_COMPACT_CHEAPER); /* now the end is nearer */
    assert_int_equal(count_of(from, VIDMM_TRANSFER), 0);
    assert_int_equal(page_of(3), 56);
    engine_rig_finish(&rig);
}

/* ---- around what stays ----------------------------------------------------------------------- */

static void what_is_pinned_offered_or_locked_stays(void **state)
{
    struct vidmm_event offer = {.kind = VIDMM_EVENT_OFFER};
    struct vidmm_event claimed = {.kind = VIDMM_EVENT_CLAIMED};

    (void)state;
    begin_in_fragments(false);
    offer.offer.allocation = 4;
    offer.offer.priority = VIDMM_OFFER_LOW;
    engine_rig_do(&rig, offer);
    engine_rig_do(&rig, engine_event_lock(100, 6, true));
    engine_rig_run(&rig);
    engine_rig_do(&rig, compact_event(2, VIDMM_COMPACT_DOWN));
    assert_int_equal(rig.call.kind, VIDMM_DO_CLAIM); /* 6 is open to the CPU, which has locked it */
    assert_int_equal(rig.call.allocation, 6);
    rig.call.kind = 0;
    claimed.claimed.allocation = 6;
    claimed.claimed.granted = VIDMM_CLAIM_REFUSED;
    engine_rig_do(&rig, claimed);
    engine_rig_run(&rig);
    assert_int_equal(page_of(2), 0);
    assert_int_equal(page_of(4), 24);
    assert_int_equal(page_of(6), 40);
    assert_int_equal(page_of(8), 8); /* past what stays */
    assert_int_equal(largest_hole(), 16);
    assert_false(vidmm_engine_discarded(rig.engine, 4));
    engine_rig_finish(&rig);
}

static void alignments_are_kept(void **state)
{
    struct vidmm_event wide = engine_event_create(9, 8, MEMORY);

    (void)state;
    begin_with(false);
    wide.create.wish.alignment = PAGES(16);
    engine_rig_do(&rig, engine_event_create(1, 4, MEMORY));
    engine_rig_do(&rig, wide);
    engine_rig_do(&rig, engine_event_create(2, 4, MEMORY));
    engine_rig_use(&rig, 1, true);
    engine_rig_use(&rig, 9, true);
    engine_rig_use(&rig, 2, true);
    compact(VIDMM_COMPACT_UP);
    assert_int_equal(page_of(9) % 16, 0);
    compact(VIDMM_COMPACT_DOWN);
    assert_int_equal(page_of(9) % 16, 0);
    assert_true(vidmm_engine_segment_use(rig.engine, 2).largest_hole >= PAGES(36));
    engine_rig_finish(&rig);
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* A list that names what moves is in place when that is done, and its device is not suspended. */
static void lists_are_in_place_behind_it(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event join = {.kind = VIDMM_EVENT_JOIN, .device = 1};
    struct vidmm_event queue = {.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = 1};
    struct vidmm_event make = {.kind = VIDMM_EVENT_MAKE_RESIDENT};
    struct vidmm_event work = engine_event_submit(5, 0, NULL, 0);
    const uint32_t ids[] = {1, 2, 3};
    uint32_t from;

    (void)state;
    config.explicit_residency = true;
    engine_rig_init(&rig, &config);
    join.join.process = 1;
    queue.paging_queue.queue = 1;
    engine_rig_do(&rig, join);
    engine_rig_do(&rig, queue);
    make.residency.queue = 1;
    make.residency.count = 3;
    make.residency.allocations = ids;
    for (uint32_t id = 1; id <= 3; id++)
        engine_rig_do(&rig, engine_event_create(id, 8, MEMORY));
    assert_int_equal(engine_rig_step(&rig, make), STATUS_PENDING);
    engine_rig_run(&rig);
    compact(VIDMM_COMPACT_UP);
    assert_true(vidmm_engine_is_whole(rig.engine, 1));
    assert_int_equal(page_of(1) + page_of(2) + page_of(3), 40 + 48 + 56);
    make.residency.count = 1;
    assert_int_equal(engine_rig_step(&rig, make), STATUS_SUCCESS); /* it is not suspended */
    from = rig.count;
    work.submit.context = 1;
    engine_rig_do(&rig, work);
    engine_rig_run(&rig);
    assert_int_equal(count_of(from, VIDMM_TRANSFER), 0);
    engine_rig_finish(&rig);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void what_makes_no_sense_is_refused(void **state)
{
    struct vidmm_event event;

    (void)state;
    begin_in_fragments(false);
    assert_int_equal(engine_rig_step(&rig, compact_event(0, VIDMM_COMPACT_DOWN)),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(engine_rig_step(&rig, compact_event(3, VIDMM_COMPACT_DOWN)),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(engine_rig_step(&rig, compact_event(2, 0)), STATUS_INVALID_PARAMETER);
    assert_int_equal(engine_rig_step(&rig, compact_event(2, 4)), STATUS_INVALID_PARAMETER);
    event = compact_event(2, VIDMM_COMPACT_DOWN);
    event.test.request = 0;
    assert_int_equal(engine_rig_step(&rig, event), STATUS_INVALID_PARAMETER);
    event.device = 9;
    event.test.request = 9;
    assert_int_equal(engine_rig_step(&rig, event), STATUS_INVALID_PARAMETER);
    assert_int_equal(page_of(2), 8);
    engine_rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_moves_to_the_start),
        cmocka_unit_test(everything_moves_to_the_end),
        cmocka_unit_test(a_pass_moves_as_few_bytes_as_it_can),
        cmocka_unit_test(what_is_pinned_offered_or_locked_stays),
        cmocka_unit_test(alignments_are_kept),
        cmocka_unit_test(lists_are_in_place_behind_it),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
