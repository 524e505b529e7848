/* shows_placement_flags.c: of flags-v1.def what says where an allocation goes, and stays. */
#include "flag_words.h"
#include "placed.h"

#include "unit/test_engine_rig.h"

enum {
    LAST_OF_64 = 60, /* page of an allocation of four pages at the end of the segment */
};

void shows_S0_039(void **state)
{
    struct softgpu_allocation wish = placed_wish(4, 2);
    struct rig_allocation one, two, three;
    struct shown shown;

    (void)state;
    placed_init(&shown, NULL, NULL);
    placed_is(placed_now(&shown, &one, &wish), 2, 0);
    wish.flags = FROM_END;
    placed_is(placed_now(&shown, &two, &wish), 2, LAST_OF_64);
    placed_is(placed_now(&shown, &three, &wish), 2, LAST_OF_64 - 4);
    shown_finish(&shown);
}

void shows_S0_040(void **state)
{
    struct softgpu_allocation wish = placed_wish(4, 2);
    struct rig_allocation one, two, three, four;
    struct shown shown;

    (void)state;
    placed_init(&shown, "segment 1 aperture 1M\nsegment 2 memory 256K banks 128K\n", NULL);
    wish.flags = FROM_END;
    wish.preferred = 2; /* direction 0 */
    placed_is(placed_now(&shown, &one, &wish), 2, 0);
    wish.hinted_bank = 2; /* bottom-up, though the flag says from the end */
    placed_is(placed_now(&shown, &two, &wish), 2, 32);
    wish.flags = 0;
    wish.hinted_bank = 0;
    wish.preferred = 2 | 0x20; /* from the end, though the flag is clear */
    placed_is(placed_now(&shown, &three, &wish), 2, LAST_OF_64);
    wish.hinted_bank = 1 | 0x80;
    placed_is(placed_now(&shown, &four, &wish), 2, 28);
    shown_finish(&shown);
}

/* Others fill the segment again and again; it stays where it is. Then it is to go, for a reason. */
static void stays(uint32_t flag)
{
    struct softgpu_allocation wish = placed_wish(4, 2), others = placed_wish(40, 2);
    struct rig_allocation pinned, one, two;
    struct vidmm_place place;
    struct shown shown;

    placed_init(&shown, NULL, NULL);
    wish.flags = flag;
    place = placed_now(&shown, &pinned, &wish);
    placed_create(&shown, &one, &others);
    placed_create(&shown, &two, &others);
    for (uint32_t round = 0; round < 4; round++) {
        placed_use(&shown, &one, 1);
        placed_use(&shown, &two, 1);
    }
    assert_true(placed_builds(&shown, 0, &one, VIDMM_TRANSFER) > 2); /* they do leave */
    placed_use(&shown, &pinned, 0);
    placed_is(placed_at(&shown, &pinned), place.segment, place.offset / VIDMM_PAGE_SIZE);
    assert_int_equal(placed_builds(&shown, 0, &pinned, VIDMM_TRANSFER), 0);
    shown_finish(&shown);
}

/* Each of the three occasions takes it away. */
static void leaves(uint32_t flag)
{
    struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event create = engine_event_create(1, 4, 2);
    struct vidmm_event event = {.kind = VIDMM_EVENT_EVICT_ALL};
    struct engine_rig rig;

    create.create.wish.flags = flag;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, create);
    for (uint32_t reason = VIDMM_EXCEPTION_RESET; reason <= VIDMM_EXCEPTION_LEVEL_THREE; reason++) {
        engine_rig_use(&rig, 1, true);
        assert_int_equal(vidmm_engine_where(rig.engine, 1).segment, 2);
        event.evict_all.request = 7;
        event.evict_all.reason = reason;
        engine_rig_do(&rig, event);
        engine_rig_run(&rig);
        assert_int_equal(vidmm_engine_where(rig.engine, 1).segment, 0);
    }
    event.evict_all.reason = VIDMM_EXCEPTION_LEVEL_THREE + 1; /* there is no other */
    assert_int_equal(engine_rig_step(&rig, event), STATUS_INVALID_PARAMETER);
    engine_rig_finish(&rig);
}

void shows_S0_042(void **state)
{
    (void)state;
    stays(OVERLAY);
    leaves(OVERLAY);
}

void shows_S0_046(void **state)
{
    struct softgpu_allocation wish = placed_wish(4, 2);
    struct rig_allocation one;
    struct shown shown;

    (void)state;
    stays(CAPTURE);
    leaves(CAPTURE);
    placed_init(&shown, NULL, NULL);
    wish.flags = CAPTURE;
    assert_true(placed_now(&shown, &one, &wish).offset >= PLACED_PAGES(52));
    shown_finish(&shown);
}

void shows_S0_059(void **state)
{
    struct softgpu_allocation wish = placed_wish(30, 2), hole = placed_wish(8, 2);
    struct rig_allocation holes[8], one;
    struct vidmm_place place;
    struct shown shown;

    (void)state; /* every other one of eight goes: 32 pages are free, 8 at a time */
    placed_init(&shown, NULL, NULL);
    for (uint32_t i = 0; i < 8; i++)
        placed_now(&shown, &holes[i], &hole);
    for (uint32_t i = 0; i < 8; i += 2)
        vidmm_allocation_destroy(holes[i].handle);
    shown_settle(&shown);
    wish.flags = ACCESSED_PHYSICALLY;
    place = placed_now(&shown, &one, &wish); /* somebody has to leave for it */
    assert_true(place.segment == 2 && place.offset + PLACED_PAGES(30) <= PLACED_PAGES(64));
    for (uint32_t i = 1; i < 8; i += 2)
        if (placed_builds(&shown, 0, &holes[i], VIDMM_TRANSFER) == 0)
            assert_true(placed_at(&shown, &holes[i]).offset >= place.offset + PLACED_PAGES(30) ||
                        placed_at(&shown, &holes[i]).offset + PLACED_PAGES(8) <= place.offset);
    shown_finish(&shown);
}

void shows_S0_060(void **state)
{
    static struct rig_allocation pages[2048]; /* as many as the machine has */
    struct softgpu_allocation wish = placed_wish(8, 1), page = placed_wish(1, 1);
    struct rig_allocation one;
    const PFN_NUMBER *frames;
    struct shown shown;
    uint32_t breaks = 0, count = 0;
    size_t at;

    (void)state; /* the pages of system memory that are free lie apart */
    placed_init(&shown, NULL, NULL);
    while (count < 2048 && placed_try(&shown, &pages[count], &page) == STATUS_SUCCESS)
        count++;
    assert_true(count > 32 && count < 2048);
    for (uint32_t i = 0; i < 32; i += 2)
        vidmm_allocation_destroy(pages[i].handle);
    shown_settle(&shown);
    wish.flags = ACCESSED_PHYSICALLY;
    at = shown.call_count;
    placed_now(&shown, &one, &wish);
    at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT);
    assert_int_not_equal(at, SIZE_MAX);
    frames =
        (const PFN_NUMBER *)(const void *)(shown.calls[at].argument.build.MapApertureSegment.pMdl +
                                           1);
    for (uint32_t i = 1; i < 8; i++)
        breaks += frames[i] != frames[i - 1] + 1;
    assert_true(breaks > 0);
    shown_finish(&shown);
}
