/* test_engine_faults.c: what a test has the engine do (VIDMM_EVENT_SET_FAULTS), and that it is as
 * before without. */
#include "test_engine_rig.h"

#include <vidmm/test_fault.h>

/* Sets of segments: bit n is segment n + 1. */
enum { MEMORY = 2, EITHER = 3 };
enum { PERMANENT = 2 }; /* PermanentSysMem */

static struct engine_rig rig;

static void begin_with(struct vidmm_engine_config config)
{
    engine_rig_init(&rig, &config);
}

static void begin(void)
{
    begin_with(engine_rig_config());
}

static NTSTATUS set_faults(uint32_t faults)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SET_FAULTS};

    event.test.faults = faults;
    return engine_rig_step(&rig, event);
}

static void create(uint32_t id, uint64_t pages, uint32_t set)
{
    struct vidmm_event event = engine_event_create(id, pages, set);

    event.device = id;
    event.create.wish.priority = 0x78000000;
    event.create.wish.preferred = set == EITHER ? 2 : 0;
    engine_rig_do(&rig, event);
}

static void offer(uint32_t id)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_OFFER};

    event.offer.allocation = id;
    event.offer.priority = VIDMM_OFFER_LOW;
    engine_rig_do(&rig, event);
}

/* Whether the content has gone meanwhile. */
static bool reclaim(uint32_t id)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_RECLAIM};
    bool discarded = vidmm_engine_discarded(rig.engine, id);

    event.reclaim.allocation = id;
    engine_rig_do(&rig, event);
    return discarded;
}

static uint32_t segment_of(uint32_t id)
{
    return vidmm_engine_where(rig.engine, id).segment;
}

static uint32_t count_of(uint32_t kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < rig.count; i++)
        count += rig.log[i].kind == kind;
    return count;
}

/* ---- offers ---------------------------------------------------------------------------------- */

/* Allocation 1 is offered, and 2 takes all of the segment. */
static bool is_lost_for_room(uint32_t faults)
{
    bool lost;

    begin();
    assert_int_equal(set_faults(faults), STATUS_SUCCESS);
    engine_rig_do(&rig, engine_event_create(1, 8, MEMORY));
    engine_rig_do(&rig, engine_event_create(2, 64, MEMORY));
    engine_rig_use(&rig, 1, true);
    offer(1);
    engine_rig_run(&rig);
    engine_rig_use(&rig, 2, true);
    assert_int_equal(segment_of(1), 0);
    lost = reclaim(1);
    engine_rig_use(&rig, 1, false);
    engine_rig_finish(&rig);
    return lost;
}

static void what_is_offered_keeps_its_content(void **state)
{
    (void)state;
    assert_true(is_lost_for_room(0));
    assert_false(is_lost_for_room(VIDMM_TEST_NEVER_DISCARD));
}

/* 1 is in memory, 2 in system memory, and 3 keeps a copy there. */
static void begin_with_three(void)
{
    struct vidmm_event copied = engine_event_create(3, 4, MEMORY);

    begin();
    copied.create.wish.flags |= PERMANENT;
    engine_rig_do(&rig, engine_event_create(1, 8, MEMORY));
    engine_rig_do(&rig, engine_event_create(2, 64, MEMORY));
    engine_rig_do(&rig, copied);
    engine_rig_use(&rig, 2, true);
    engine_rig_use(&rig, 1, true); /* 2 has left */
    engine_rig_use(&rig, 3, false);
    assert_int_equal(segment_of(2), 0);
}

/* Nobody wants the room. */
static void what_is_offered_loses_its_content_at_once(void **state)
{
    (void)state;
    begin_with_three();
    for (uint32_t id = 1; id <= 3; id++)
        offer(id);
    engine_rig_run(&rig);
    assert_false(vidmm_engine_discarded(rig.engine, 1) || vidmm_engine_discarded(rig.engine, 2));
    assert_int_equal(set_faults(VIDMM_TEST_ALWAYS_DISCARD), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(segment_of(1), 0);
    assert_int_equal(count_of(VIDMM_DO_DROP), 1);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_DROP)->allocation, 2);
    assert_true(reclaim(1) && reclaim(2));
    assert_false(reclaim(3));
    assert_true(vidmm_engine_is_quiet(rig.engine));
    engine_rig_finish(&rig);
}

static void an_offer_loses_its_content_behind_what_was_queued(void **state)
{
    const struct vidmm_reference reference = {1, 1};

    (void)state;
    begin();
    assert_int_equal(set_faults(VIDMM_TEST_ALWAYS_DISCARD), STATUS_SUCCESS);
    engine_rig_do(&rig, engine_event_create(1, 8, MEMORY));
    engine_rig_do(&rig, engine_event_submit(5, 0, &reference, 1));
    offer(1);
    assert_false(vidmm_engine_discarded(rig.engine, 1));
    engine_rig_run(&rig);
    assert_true(vidmm_engine_discarded(rig.engine, 1)); /* D-210 */
    assert_int_equal(count_of(VIDMM_DO_RETIRE), 1);
    engine_rig_finish(&rig);
}

static NTSTATUS discard(uint32_t id)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DISCARD, .discard = {id}};

    return engine_rig_step(&rig, event);
}

/* The first two do, and neither before it is asked for; not what keeps a copy, nor one that is
 * used still, or is offered no more. */
static void one_offer_loses_its_content_as_it_is_asked_for(void **state)
{
    const struct vidmm_reference reference = {4, 1};

    (void)state;
    begin_with_three();
    engine_rig_do(&rig, engine_event_create(4, 4, MEMORY));
    engine_rig_do(&rig, engine_event_submit(5, 0, &reference, 1));
    for (uint32_t id = 1; id <= 4; id++)
        offer(id);
    assert_int_equal(discard(4), STATUS_SUCCESS);
    assert_false(vidmm_engine_discarded(rig.engine, 4)); /* D-210 */
    engine_rig_run(&rig);
    assert_false(vidmm_engine_discarded(rig.engine, 1) || vidmm_engine_discarded(rig.engine, 2));
    for (uint32_t id = 1; id <= 3; id++)
        assert_int_equal(discard(id), STATUS_SUCCESS);
    assert_true(vidmm_engine_needs_no_backing(rig.engine, 2));
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_DROP)->allocation, 2);
    assert_false(vidmm_engine_needs_no_backing(rig.engine, 1)); /* it is leaving */
    engine_rig_run(&rig);
    assert_int_equal(segment_of(1), 0);
    assert_true(vidmm_engine_needs_no_backing(rig.engine, 1));
    assert_false(vidmm_engine_needs_no_backing(rig.engine, 3));
    assert_true(reclaim(1) && reclaim(2));
    assert_false(vidmm_engine_needs_no_backing(rig.engine, 2));
    assert_false(reclaim(3) || reclaim(4));
    assert_int_equal(discard(4), STATUS_SUCCESS); /* it is in use again */
    assert_false(vidmm_engine_discarded(rig.engine, 4));
    assert_int_equal(discard(9), STATUS_INVALID_PARAMETER);
    assert_int_equal(discard(0), STATUS_INVALID_PARAMETER);
    engine_rig_finish(&rig);
}

/* ---- split points ---------------------------------------------------------------------------- */

static uint32_t parts_of_what_fits(uint32_t faults)
{
    const struct vidmm_reference references[] = {{1, 1}, {2, 0}};
    const struct vidmm_patch_location patches[] = {{0, 0, 0}, {1, 1, 100}, {0, 0, 200}};
    struct vidmm_event event = engine_event_submit(5, 0, references, 2);
    uint32_t end = 0, parts = 0;

    begin();
    assert_int_equal(set_faults(faults), STATUS_SUCCESS);
    engine_rig_do(&rig, engine_event_create(1, 2, MEMORY));
    engine_rig_do(&rig, engine_event_create(2, 2, MEMORY));
    event.submit.size = 300;
    event.submit.patches = patches;
    event.submit.patch_count = 3;
    engine_rig_do(&rig, event);
    engine_rig_run(&rig);
    for (uint32_t i = 0; i < rig.count; i++)
        if (rig.log[i].kind == VIDMM_DO_SUBMIT) {
            assert_int_equal(rig.log[i].submit.start, end); /* S1: they tile it */
            end = rig.log[i].submit.end;
            parts++;
        }
    assert_int_equal(end, 300);
    assert_int_equal(count_of(VIDMM_DO_RETIRE), 1);
    engine_rig_finish(&rig);
    return parts;
}

static void a_dma_buffer_is_split_wherever_it_can_be(void **state)
{
    (void)state;
    assert_int_equal(parts_of_what_fits(0), 1);
    assert_int_equal(parts_of_what_fits(VIDMM_TEST_SPLIT_POINT), 3);
}

/* ---- demotion -------------------------------------------------------------------------------- */

static void begin_listed(uint32_t faults)
{
    struct vidmm_engine_config config = engine_rig_config();

    config.explicit_residency = true;
    begin_with(config);
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 2));
    for (uint32_t device = 1; device <= 2; device++) {
        struct vidmm_event join = {.kind = VIDMM_EVENT_JOIN, .device = device};
        struct vidmm_event queue = {.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = device};

        join.join.process = device;
        queue.paging_queue.queue = device;
        engine_rig_do(&rig, join);
        engine_rig_do(&rig, queue);
    }
    assert_int_equal(set_faults(faults), STATUS_SUCCESS);
}

static void make_resident(uint32_t queue, uint32_t id)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAKE_RESIDENT};

    event.residency.queue = queue;
    event.residency.flags = VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER;
    event.residency.count = 1;
    event.residency.allocations = &id;
    assert_int_equal(engine_rig_step(&rig, event), STATUS_PENDING);
    engine_rig_run(&rig);
}

static void run(uint32_t device, uint32_t dma_buffer)
{
    struct vidmm_event event = engine_event_submit(dma_buffer, 0, NULL, 0);

    event.device = event.submit.context = device;
    engine_rig_do(&rig, event);
    engine_rig_run(&rig);
}

/* The segment of allocation 1, which may live in an aperture, when it is used behind allocation 2,
 * with which it does not fit. */
static uint32_t segment_under_pressure(uint32_t faults, uint64_t *suspensions)
{
    struct vidmm_engine_statistics statistics;
    uint32_t segment;

    begin_listed(faults);
    create(1, 40, EITHER);
    create(2, 40, MEMORY);
    make_resident(1, 1);
    make_resident(2, 2);
    run(1, 5);
    segment = segment_of(1);
    run(2, 6);
    assert_int_equal(segment_of(2), 2);
    assert_int_equal(count_of(VIDMM_DO_RETIRE), 2);
    assert_int_equal(count_of(VIDMM_DO_ERROR), 0);
    vidmm_engine_get_statistics(rig.engine, &statistics);
    *suspensions = statistics.suspensions;
    engine_rig_finish(&rig);
    return segment;
}

static void nothing_is_demoted_for_another_device(void **state)
{
    uint64_t suspensions;

    (void)state;
    assert_int_equal(segment_under_pressure(0, &suspensions), 1);
    assert_int_equal(suspensions, 0);
    assert_int_equal(segment_under_pressure(VIDMM_TEST_NO_DEMOTION, &suspensions), 2);
    assert_int_equal(suspensions, 1); /* device 2 gave way */
}

/* A list that does not fit into memory goes on all the same. */
static void a_list_that_is_too_long_is_demoted_in_part(void **state)
{
    (void)state;
    begin_listed(VIDMM_TEST_NO_DEMOTION);
    create(1, 40, EITHER);
    make_resident(1, 1);
    engine_rig_do(&rig, engine_event_create(3, 40, EITHER));
    make_resident(1, 3);
    run(1, 5);
    assert_int_equal(segment_of(1) + segment_of(3), 1 + 2);
    assert_int_equal(count_of(VIDMM_DO_ERROR), 0);
    assert_int_equal(count_of(VIDMM_DO_RETIRE), 1);
    engine_rig_finish(&rig);
}

/* ---- swizzling ranges ------------------------------------------------------------------------ */

/* How often the driver is asked for a range, by a lock with AcquireAperture of what is in memory.
 * The lock is granted in any case. */
static uint32_t acquisitions(uint32_t faults)
{
    struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event lock = engine_event_lock(9, 1, true);
    struct vidmm_event create_swizzled = engine_event_create(1, 8, MEMORY);
    const struct vidmm_operation *grant;
    uint32_t count;

    config.swizzling_ranges = 1;
    begin_with(config);
    assert_int_equal(set_faults(faults), STATUS_SUCCESS);
    create_swizzled.create.wish.flags |= (DXGK_ALLOCATIONINFOFLAGS){.Swizzled = 1}.Value;
    engine_rig_do(&rig, create_swizzled);
    engine_rig_use(&rig, 1, true);
    lock.lock.flags = VIDMM_LOCKING_APERTURE;
    engine_rig_do(&rig, lock);
    count = count_of(VIDMM_DO_ACQUIRE_RANGE);
    if (count > 0)
        engine_rig_do(&rig, (struct vidmm_event){.kind = VIDMM_EVENT_RANGED});
    engine_rig_run(&rig);
    grant = engine_rig_find(&rig, 0, VIDMM_DO_GRANT);
    assert_non_null(grant);
    assert_int_equal(grant->grant.status, STATUS_SUCCESS);
    assert_int_equal(grant->grant.place.segment, count > 0 ? 2 : 0); /* else it was evicted */
    engine_rig_finish(&rig);
    return count;
}

static void no_swizzling_range_is_acquired(void **state)
{
    (void)state;
    assert_int_equal(acquisitions(0), 1);
    assert_int_equal(acquisitions(VIDMM_TEST_NO_SWIZZLING), 0);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void what_is_no_fault_is_refused(void **state)
{
    (void)state;
    begin();
    assert_int_equal(set_faults(VIDMM_TEST_NEVER_DISCARD), STATUS_SUCCESS);
    assert_int_equal(set_faults(1), STATUS_INVALID_PARAMETER);
    assert_int_equal(set_faults(256), STATUS_INVALID_PARAMETER);
    assert_int_equal(set_faults(VIDMM_TEST_NEVER_DISCARD | VIDMM_TEST_ALWAYS_DISCARD),
                     STATUS_INVALID_PARAMETER);
    engine_rig_do(&rig, engine_event_create(1, 8, MEMORY));
    engine_rig_do(&rig, engine_event_create(2, 64, MEMORY));
    engine_rig_use(&rig, 1, true);
    offer(1);
    engine_rig_use(&rig, 2, true);
    assert_false(reclaim(1)); /* the first is still in force */
    engine_rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_offered_keeps_its_content),
        cmocka_unit_test(what_is_offered_loses_its_content_at_once),
        cmocka_unit_test(an_offer_loses_its_content_behind_what_was_queued),
        cmocka_unit_test(one_offer_loses_its_content_as_it_is_asked_for),
        cmocka_unit_test(a_dma_buffer_is_split_wherever_it_can_be),
        cmocka_unit_test(nothing_is_demoted_for_another_device),
        cmocka_unit_test(a_list_that_is_too_long_is_demoted_in_part),
        cmocka_unit_test(no_swizzling_range_is_acquired),
        cmocka_unit_test(what_is_no_fault_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
