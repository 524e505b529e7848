/* Tests of places: engine/state/place.h. */
#include "harness.h"

#include "vidmm/engine/state/place.h"

static struct place in_segment(uint8_t segment, uint64_t offset, bool aperture)
{
    return (struct place){.offset = offset,
                          .range = 7,
                          .kind = PLACE_SEGMENT,
                          .segment = segment,
                          .aperture = aperture};
}

static void a_record_begins_nowhere(void **state)
{
    struct place place = {0}, nowhere = vidmm_place_nowhere();

    (void)state;
    assert_true(vidmm_place_is_nowhere(&place));
    assert_true(vidmm_place_is_nowhere(&nowhere));
    assert_false(vidmm_place_is_system(&place));
    assert_false(vidmm_place_is_segment(&place));
}

static void system_memory_is_a_place_without_addresses(void **state)
{
    struct place place = vidmm_place_system();

    (void)state;
    assert_true(vidmm_place_is_system(&place));
    assert_false(vidmm_place_is_nowhere(&place));
    assert_false(vidmm_place_is_segment(&place));
    assert_int_equal(vidmm_place_tell(&place).segment, 0);
}

static void the_segment_says_whether_it_has_the_content_or_maps_it(void **state)
{
    struct place memory = in_segment(1, 0x1000, false), aperture = in_segment(2, 0x1000, true);

    (void)state;
    assert_true(vidmm_place_is_segment(&memory) && vidmm_place_is_segment(&aperture));
    assert_true(vidmm_place_is_memory(&memory));
    assert_false(vidmm_place_is_aperture(&memory));
    assert_true(vidmm_place_is_aperture(&aperture));
    assert_false(vidmm_place_is_memory(&aperture));
    assert_true(vidmm_place_is_in(&memory, 1));
    assert_false(vidmm_place_is_in(&memory, 2));
}

static void places_are_the_same_by_their_addresses(void **state)
{
    struct place a = in_segment(1, 0, false), b = in_segment(1, 0, false);
    struct place nowhere = vidmm_place_nowhere(), system = vidmm_place_system();

    (void)state;
    b.range = 0;
    assert_true(vidmm_place_is_same(&a, &b));
    b.offset = 0x1000;
    assert_false(vidmm_place_is_same(&a, &b));
    b = in_segment(2, 0, false);
    assert_false(vidmm_place_is_same(&a, &b));
    assert_false(vidmm_place_is_same(&nowhere, &nowhere));
    assert_false(vidmm_place_is_same(&system, &system));
    assert_false(vidmm_place_is_same(&a, &system));
    assert_false(vidmm_place_is_same(&nowhere, &a));
}

static void addresses_do_not_own_the_range(void **state)
{
    struct place taken = in_segment(3, 0x5000, false), copy = vidmm_place_addresses(&taken);

    (void)state;
    assert_true(vidmm_place_is_taken(&taken));
    assert_false(vidmm_place_is_taken(&copy));
    assert_true(vidmm_place_is_same(&taken, &copy));
    assert_int_equal(vidmm_place_tell(&copy).segment, 3);
    assert_int_equal(vidmm_place_tell(&copy).offset, 0x5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_begins_nowhere),
        cmocka_unit_test(system_memory_is_a_place_without_addresses),
        cmocka_unit_test(the_segment_says_whether_it_has_the_content_or_maps_it),
        cmocka_unit_test(places_are_the_same_by_their_addresses),
        cmocka_unit_test(addresses_do_not_own_the_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
