/* test_engine_wish.c: where a wish leads: banks, pitch-aligned sizes, priorities. */
#include "test_engine_rig.h"

static const uint64_t banks[] = {PAGES(8), PAGES(16), PAGES(48), PAGES(64)};

static struct vidmm_engine_config banked(void)
{
    struct vidmm_engine_config config = engine_rig_config();

    config.segments[2].bank_count = 4;
    config.segments[2].bank_ends = banks;
    return config;
}

static struct vidmm_event hinted(uint32_t id, uint64_t pages, uint32_t hint)
{
    struct vidmm_event event = engine_event_create(id, pages, 2);

    event.create.wish.preferred = 2;
    event.create.wish.hinted_bank = hint;
    return event;
}

static uint64_t place_of(struct engine_rig *rig, uint32_t id)
{
    engine_rig_use(rig, id, true);
    assert_int_equal(vidmm_engine_where(rig->engine, id).segment, 2);
    return vidmm_engine_where(rig->engine, id).offset / 4096;
}

static void banks_are_tried_in_the_order_of_the_hints_each_from_its_own_end(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = banked();

    (void)state;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, hinted(1, 4, 0x0082)); /* bank 2, from its end */
    engine_rig_do(&rig, hinted(2, 4, 0x0082));
    engine_rig_do(&rig, hinted(3, 4, 0x0382)); /* bank 2 is full: bank 3, from its start */
    engine_rig_do(&rig, hinted(4, 4, 0x8482));
    engine_rig_do(&rig,
                  hinted(5, 4, 0x84018382)); /* third group: bank 1; third bank from its end */
    assert_int_equal(place_of(&rig, 1), 12);
    assert_int_equal(place_of(&rig, 2), 8);
    assert_int_equal(place_of(&rig, 3), 16);
    assert_int_equal(place_of(&rig, 4), 60);
    assert_int_equal(place_of(&rig, 5), 44);
    engine_rig_finish(&rig);
}

static void a_bank_that_is_too_small_does_not_keep_an_allocation_out(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = banked();

    (void)state;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, hinted(1, 40, 0x01));
    assert_int_equal(vidmm_engine_where(rig.engine, 1).segment, 0);
    place_of(&rig, 1);
    engine_rig_finish(&rig);
}

static void hints_count_for_the_most_preferred_segment_alone(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = banked();
    struct vidmm_event event = hinted(1, 4, 0x03);

    (void)state;
    engine_rig_init(&rig, &config);
    event.create.wish.preferred = 0;
    engine_rig_do(&rig, event);
    assert_int_not_equal(place_of(&rig, 1), 16);
    engine_rig_finish(&rig);
}

static void banks_that_do_not_tile_make_no_engine(void **state)
{
    static const uint64_t wrong[][4] = {{PAGES(8), PAGES(8), PAGES(48), PAGES(64)},
                                        {PAGES(8), PAGES(16), PAGES(48), PAGES(60)},
                                        {PAGES(8), PAGES(16), PAGES(48), PAGES(65)}};
    struct counted_memory memory;

    (void)state;
    counted_memory_init(&memory);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct vidmm_engine_config config = banked();

        config.segments[2].bank_ends = wrong[i];
        assert_null(vidmm_engine_create(&config, &memory.table));
    }
    counted_memory_finish(&memory);
}

static void a_pitch_aligned_range_is_larger_than_what_is_transferred(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event event = engine_event_create(1, 24, 2);
    const struct vidmm_operation *out = NULL;

    (void)state;
    config.segments[2].pitch_aligned = true;
    event.create.wish.pitch_aligned_size = PAGES(40);
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, event);
    event.create.allocation = 2;
    engine_rig_do(&rig, event);
    engine_rig_use(&rig, 1, true);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_BUILD)->build.operation, VIDMM_FILL);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_BUILD)->build.size, PAGES(40));
    engine_rig_use(&rig, 2, true); /* 40 and 40 are more than 64 */
    for (uint32_t i = 0; i < rig.count; i++)
        if (rig.log[i].kind == VIDMM_DO_BUILD && rig.log[i].build.operation == VIDMM_TRANSFER)
            out = &rig.log[i];
    assert_non_null(out);
    assert_int_equal(out->allocation, 1);
    assert_int_equal(out->build.size, PAGES(24));
    event.create.allocation = 3;
    event.create.wish.pitch_aligned_size = PAGES(23); /* S1-006: at least Size */
    assert_int_equal(engine_rig_step(&rig, event), STATUS_INVALID_PARAMETER);
    event.create.wish.pitch_aligned_size = PAGES(65);
    assert_int_equal(engine_rig_step(&rig, event), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    engine_rig_finish(&rig);
}

static void a_pitch_aligned_place_is_not_locked_in_place(void **state)
{
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event event = engine_event_create(1, 4, 2);

    (void)state;
    config.segments[2].pitch_aligned = true;
    event.create.wish.pitch_aligned_size = PAGES(8);
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, event);
    engine_rig_use(&rig, 1, true);
    engine_rig_do(&rig, engine_event_lock(5, 1, true));
    engine_rig_run(&rig);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_GRANT)->grant.place.segment, 0);
    engine_rig_finish(&rig);
}

static void a_lower_class_leaves_before_an_older_one(void **state)
{
    static const uint32_t priorities[] = {0xc8000000, 0xa0000000, 0x78000000, 0x50000000,
                                          0x28000000};
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();

    (void)state;
    engine_rig_init(&rig, &config);
    for (uint32_t id = 1; id <= 5; id++) { /* the first is the oldest and the most important */
        struct vidmm_event event = engine_event_create(id, 12, 2);

        event.create.wish.priority = priorities[id - 1];
        engine_rig_do(&rig, event);
        engine_rig_use(&rig, id, true);
    }
    for (uint32_t id = 6; id <= 10; id++) {
        struct vidmm_event event = engine_event_create(id, 12, 2);

        event.create.wish.priority = 0xffffffff;
        engine_rig_do(&rig, event);
        engine_rig_use(&rig, id, true);
        for (uint32_t old = 1; old <= 5; old++)
            assert_int_equal(vidmm_engine_where(rig.engine, old).segment, old > 10 - id ? 0 : 2);
    }
    engine_rig_finish(&rig);
}

/* The oldest lie apart, more of them than are looked at alone: one and what lies beside it
 * leave. */
static void among_many_that_lie_apart_two_that_touch_make_room(void **state)
{
    enum { MANY = 256 };
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();

    (void)state;
    config.segments[2].size = PAGES(MANY);
    engine_rig_init(&rig, &config);
    for (uint32_t id = 1; id <= MANY; id++) {
        engine_rig_do(&rig, engine_event_create(id, 1, 2));
        place_of(&rig, id);
        rig.count = 0;
    }
    for (uint32_t id = 1; id <= MANY; id++)
        if (vidmm_engine_where(rig.engine, id).offset / 4096 % 2 != 0) {
            place_of(&rig, id);
            rig.count = 0;
        }
    engine_rig_do(&rig, engine_event_create(MANY + 1, 2, 2));
    uint64_t place = place_of(&rig, MANY + 1), gone = 0, even = 0;
    for (uint32_t id = 1; id <= MANY; id++)
        gone += vidmm_engine_where(rig.engine, id).segment != 2;
    for (uint32_t i = 0; i < rig.count; i++)
        if (rig.log[i].kind == VIDMM_DO_BUILD && rig.log[i].build.source.segment == 2) {
            uint64_t page = rig.log[i].build.source.offset / 4096;
            assert_in_range(page, place, place + 1);
            even += page % 2 == 0;
        }
    assert_int_equal(gone, 2);
    assert_int_equal(even, 1);
    engine_rig_finish(&rig);
}

/* The oldest lie apart, a hundred and fifty of them before the first that has an old one beside
 * it. */
static void two_old_ones_that_touch_are_found_behind_many_that_lie_apart(void **state)
{
    enum { MANY = 400, OLD = 301, HOT = 1 };
    uint32_t at[MANY];
    struct engine_rig rig;
    struct vidmm_engine_config config = engine_rig_config();

    (void)state;
    config.segments[2].size = PAGES(MANY);
    engine_rig_init(&rig, &config);
    for (uint32_t id = 1; id <= MANY; id++) {
        engine_rig_do(&rig, engine_event_create(id, 1, 2));
        at[place_of(&rig, id)] = id;
        rig.count = 0;
    }
    for (uint32_t turn = 0; turn < 4; turn++) /* even pages; OLD; HOT, often; odd pages */
        for (uint32_t page = 0; page < MANY; page++)
            if ((page == OLD ? 1 : page % 2 * 3) == turn || turn == 2) {
                place_of(&rig, at[turn == 2 ? HOT : page]);
                rig.count = 0;
            }
    engine_rig_do(&rig, engine_event_create(MANY + 1, 2, 2));
    assert_in_range(place_of(&rig, MANY + 1), OLD - 1, OLD);
    engine_rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(banks_are_tried_in_the_order_of_the_hints_each_from_its_own_end),
        cmocka_unit_test(a_bank_that_is_too_small_does_not_keep_an_allocation_out),
        cmocka_unit_test(hints_count_for_the_most_preferred_segment_alone),
        cmocka_unit_test(banks_that_do_not_tile_make_no_engine),
        cmocka_unit_test(a_pitch_aligned_range_is_larger_than_what_is_transferred),
        cmocka_unit_test(a_pitch_aligned_place_is_not_locked_in_place),
        cmocka_unit_test(a_lower_class_leaves_before_an_older_one),
        cmocka_unit_test(among_many_that_lie_apart_two_that_touch_make_room),
        cmocka_unit_test(two_old_ones_that_touch_are_found_behind_many_that_lie_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
