/* shows_priority.c: priority.def, obeyed. */
#include "flag_words.h"
#include "offer.h"

#include <vidmm/resource.h>

/* Two are in memory: say which one goes for a third; it may be the one used last. */
static uint32_t who_goes(uint32_t first, uint32_t second)
{
    struct shown shown;
    uint32_t values[2] = {first, second}, gone;
    struct vidmm_allocation *both[2];
    struct vidmm_selection selection = {.allocations = both, .allocation_count = 2};

    three_begin(&shown);
    both[0] = shown.rig.allocations[0].handle;
    both[1] = shown.rig.allocations[1].handle;
    three_use(&shown, 0);
    three_use(&shown, 1);
    assert_int_equal(vidmm_set_priority(&selection, values, &shown.rig.report), STATUS_SUCCESS);
    three_use(&shown, 2);
    gone = three_where(&shown, 0) == VIDMM_NOT_RESIDENT ? 0 : 1;
    assert_int_equal(three_where(&shown, 1 - gone), VIDMM_RESIDENT_IN_GPU);
    shown_finish(&shown); /* a hint: contents are right, whatever it says */
    return gone;
}

void shows_D_208(void **state)
{
    static const uint32_t levels[] = {0x28000000, 0x50000000, 0x78000000, 0xa0000000, 0xc8000000};

    (void)state;
    for (uint32_t i = 1; i < 5; i++) {
        assert_int_equal(who_goes(levels[i - 1], levels[i]), 0);
        assert_int_equal(who_goes(levels[i], levels[i - 1]), 1);
    }
    assert_int_equal(who_goes(0x12345678, 0x9fffffff), 0); /* in between is legal */
    assert_int_equal(who_goes(0xffffffff, 0), 1);
}

void shows_D_209(void **state)
{
    static const struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = CPU_VISIBLE,
        .size = THIRD * VIDMM_PAGE_SIZE,
        .read_set = 2,
        .write_set = 2,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    const struct vidmm_description description = {.private_data = &wish,
                                                  .private_data_size = sizeof(wish),
                                                  .vidpn_source = VIDMM_NO_SOURCE},
                                   descriptions[2] = {description, description};
    const struct vidmm_resource_options options = {.shared = false};
    uint32_t values[2] = {0xc8000000, 0x28000000}; /* the second is not looked at */
    struct vidmm_resource *resource;
    struct vidmm_allocation *members[2];
    struct vidmm_selection whole = {&resource, 1, NULL, 0}, both = {&resource, 1, members, 2};
    enum vidmm_residency residency[2];
    struct vidmm_selection list = {.allocations = members, .allocation_count = 2};
    struct shown shown;

    (void)state;
    three_begin(&shown);
    assert_int_equal(vidmm_resource_create(shown.rig.device, &options, descriptions, 2, &resource,
                                           members, &shown.rig.report),
                     STATUS_SUCCESS);
    shown_refused(&shown, vidmm_set_priority(&both, values, &shown.rig.report),
                  STATUS_INVALID_PARAMETER, "D-209");
    /* one priority for the resource: with a low one of the rig's beside it, that one goes first */
    assert_int_equal(vidmm_set_priority(&whole, values, &shown.rig.report), STATUS_SUCCESS);
    for (uint32_t i = 0; i < 2; i++) {
        struct rig_allocation member = {.handle = members[i], .id = 100 + i, .pages = THIRD};
        struct rig_allocation *use[] = {&member};

        three_use(&shown, i);
        assert_int_equal(rig_render(&shown.rig, use, 1, 1), STATUS_SUCCESS);
        assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    }
    assert_int_equal(vidmm_query_residency(&list, residency, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(residency[0], VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(residency[1], VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(three_where(&shown, 0), VIDMM_NOT_RESIDENT);
    assert_int_equal(three_where(&shown, 1), VIDMM_NOT_RESIDENT);
    /* and each its own by list: the second goes, the first stays */
    assert_int_equal(vidmm_set_priority(&list, values, &shown.rig.report), STATUS_SUCCESS);
    three_use(&shown, 0);
    assert_int_equal(vidmm_query_residency(&list, residency, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(residency[0], VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(residency[1], VIDMM_NOT_RESIDENT);
    shown_finish(&shown);
}
