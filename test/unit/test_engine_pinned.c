/* test_engine_pinned.c: overlay and capture allocations, and the three occasions on which they
 * leave. */
#include "test_engine_rig.h"

enum { OVERLAY = 0x100, CAPTURE = 0x200 };

static struct vidmm_event create_flagged(uint32_t id, uint64_t pages, uint32_t set, uint32_t flags)
{
    struct vidmm_event event = engine_event_create(id, pages, set);

    event.create.wish.flags = flags;
    return event;
}

static struct vidmm_event evict_all(uint32_t request, uint32_t reason)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_EVICT_ALL};

    event.evict_all.request = request;
    event.evict_all.reason = reason;
    return event;
}

static void an_overlay_lies_in_the_last_fifth(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();

    (void)state;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, create_flagged(1, 4, 2, OVERLAY));
    engine_rig_do(&rig, create_flagged(2, 8, 2, CAPTURE));
    engine_rig_use(&rig, 1, true);
    engine_rig_use(&rig, 2, true);
    assert_true(vidmm_engine_where(rig.engine, 1).offset >= PAGES(52));
    assert_true(vidmm_engine_where(rig.engine, 2).offset >= PAGES(52));
    assert_int_equal(engine_rig_step(&rig, create_flagged(3, 13, 2, OVERLAY)),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    engine_rig_finish(&rig);
}

static void an_overlay_is_nobodys_victim(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();
    const struct vidmm_operation *error;

    (void)state;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, create_flagged(1, 4, 2, OVERLAY));
    engine_rig_do(&rig, engine_event_create(2, 50, 2));
    engine_rig_do(&rig, engine_event_create(3, 50, 2));
    engine_rig_do(&rig, engine_event_create(4, 61, 2));
    engine_rig_use(&rig, 1, true);
    engine_rig_use(&rig, 2, true);
    engine_rig_use(&rig, 3, true); /* the 50 pages before it go to and fro */
    engine_rig_use(&rig, 2, true);
    assert_int_equal(vidmm_engine_where(rig.engine, 1).segment, 2);
    engine_rig_use(&rig, 4, true);
    error = engine_rig_find(&rig, 0, VIDMM_DO_ERROR);
    assert_non_null(error);
    assert_int_equal(error->error.reason, VIDMM_REASON_OUT_OF_MEMORY);
    assert_int_equal(vidmm_engine_where(rig.engine, 1).segment, 2);
    engine_rig_finish(&rig);
}

static void all_three_exceptions_evict_what_is_pinned(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();

    (void)state;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, create_flagged(1, 4, 2, OVERLAY));
    engine_rig_do(&rig, create_flagged(2, 4, 1, CAPTURE));
    engine_rig_do(&rig, engine_event_create(3, 4, 2));
    for (uint32_t reason = VIDMM_EXCEPTION_RESET; reason <= VIDMM_EXCEPTION_LEVEL_THREE; reason++) {
        uint32_t from = rig.count;
        const struct vidmm_operation *grant;

        for (uint32_t id = 1; id <= 3; id++)
            engine_rig_use(&rig, id, true);
        engine_rig_do(&rig, evict_all(40 + reason, reason));
        engine_rig_run(&rig);
        grant = engine_rig_find(&rig, from, VIDMM_DO_GRANT);
        assert_non_null(grant);
        assert_int_equal(grant->grant.request, 40 + reason);
        for (uint32_t id = 1; id <= 3; id++)
            assert_int_equal(vidmm_engine_where(rig.engine, id).segment, 0);
    }
    engine_rig_finish(&rig);
}

static void everything_leaves_before_the_next_dma_buffer_is_prepared(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();
    const struct vidmm_reference reference = {1, 1};
    uint32_t grant = 0, submit = 0;

    (void)state;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, create_flagged(1, 4, 2, OVERLAY));
    engine_rig_use(&rig, 1, true);
    engine_rig_do(&rig, evict_all(9, VIDMM_EXCEPTION_STOP));
    engine_rig_do(&rig, engine_event_submit(7, 0, &reference, 1));
    engine_rig_run(&rig);
    for (uint32_t i = 0; i < rig.count; i++) {
        if (rig.log[i].kind == VIDMM_DO_GRANT)
            grant = i;
        if (rig.log[i].kind == VIDMM_DO_SUBMIT)
            submit = i;
    }
    assert_true(grant > 0 && submit > grant);
    assert_int_equal(vidmm_engine_where(rig.engine, 1).segment, 2);
    engine_rig_finish(&rig);
}

static void eviction_of_all_needs_a_reason_and_one_request_at_a_time(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();

    (void)state;
    engine_rig_init(&rig, &config);
    assert_int_equal(engine_rig_step(&rig, evict_all(0, 1)), STATUS_INVALID_PARAMETER);
    assert_int_equal(engine_rig_step(&rig, evict_all(1, 0)), STATUS_INVALID_PARAMETER);
    assert_int_equal(engine_rig_step(&rig, evict_all(1, 4)), STATUS_INVALID_PARAMETER);
    engine_rig_do(&rig, engine_event_create(1, 4, 2));
    engine_rig_use(&rig, 1, true);
    engine_rig_do(&rig, evict_all(1, 2));
    assert_int_equal(engine_rig_step(&rig, evict_all(2, 2)), STATUS_INVALID_PARAMETER);
    engine_rig_run(&rig);
    engine_rig_finish(&rig);
}

static void what_a_pinned_one_keeps_from_its_aperture_is_lost(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();
    const struct vidmm_reference reference = {2, 0};
    struct vidmm_event large = engine_event_create(2, 60, 2);

    (void)state;
    large.create.wish.eviction_set = 1;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, create_flagged(1, 8, 1, OVERLAY));
    engine_rig_do(&rig, large);
    engine_rig_do(&rig, engine_event_create(3, 60, 2));
    engine_rig_use(&rig, 1, true);
    engine_rig_use(&rig, 2, true);
    engine_rig_use(&rig, 3, true);
    assert_non_null(engine_rig_find(&rig, 0, VIDMM_DO_LOST));
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_LOST)->allocation, 2);
    assert_int_equal(engine_rig_step(&rig, engine_event_submit(50, 0, &reference, 1)),
                     STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST);
    assert_int_equal(vidmm_engine_where(rig.engine, 3).segment, 2);
    engine_rig_finish(&rig);
}

static void at_80_percent_it_passes_beside_the_overlay(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event large = engine_event_create(2, 51, 2);

    (void)state;
    large.create.wish.eviction_set = 1;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, create_flagged(1, 12, 1, OVERLAY));
    engine_rig_do(&rig, large);
    engine_rig_do(&rig, engine_event_create(3, 60, 2));
    engine_rig_use(&rig, 1, true);
    engine_rig_use(&rig, 2, true);
    engine_rig_use(&rig, 3, true);
    engine_rig_use(&rig, 2, true);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_LOST));
    engine_rig_finish(&rig);
}

static void a_lock_that_would_have_to_evict_it_is_refused(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();
    const struct vidmm_operation *grant;

    (void)state;
    config.segments[2].cpu_visible = false;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, create_flagged(1, 4, 2, OVERLAY | 1));
    engine_rig_use(&rig, 1, true);
    engine_rig_do(&rig, engine_event_lock(5, 1, true));
    grant = engine_rig_find(&rig, 0, VIDMM_DO_GRANT);
    assert_non_null(grant);
    assert_int_equal((NTSTATUS)grant->grant.status, STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION);
    engine_rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_overlay_lies_in_the_last_fifth),
        cmocka_unit_test(an_overlay_is_nobodys_victim),
        cmocka_unit_test(all_three_exceptions_evict_what_is_pinned),
        cmocka_unit_test(everything_leaves_before_the_next_dma_buffer_is_prepared),
        cmocka_unit_test(eviction_of_all_needs_a_reason_and_one_request_at_a_time),
        cmocka_unit_test(what_a_pinned_one_keeps_from_its_aperture_is_lost),
        cmocka_unit_test(at_80_percent_it_passes_beside_the_overlay),
        cmocka_unit_test(a_lock_that_would_have_to_evict_it_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
