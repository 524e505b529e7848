/* test_engine_split.c: a DMA buffer whose allocations do not fit together is submitted in parts.
 * The memory segment of the rig has 64 pages. */
#include "test_engine_rig.h"

enum { BYTES = 100 }; /* of a command */

static struct engine_rig rig;
static struct vidmm_patch_location patches[64];
static uint32_t patch_count;

static void begin(void)
{
    struct vidmm_engine_config config = engine_rig_config();

    engine_rig_init(&rig, &config);
    patch_count = 0;
}

static void end(void)
{
    engine_rig_finish(&rig);
}

/* Allocations 1 .. count, of so many pages each. */
static void create(uint32_t count, uint64_t pages)
{
    for (uint32_t id = 1; id <= count; id++)
        engine_rig_do(&rig, engine_event_create(id, pages, 2));
}

static void bind(uint32_t command, uint32_t slot, uint32_t reference)
{
    patches[patch_count++] = (struct vidmm_patch_location){reference, slot, command * BYTES};
}

/* DMA buffer `id` with these references, and the patch locations bound so far. */
static NTSTATUS submit(uint32_t id, const struct vidmm_reference *references, uint32_t count,
                       uint32_t commands)
{
    struct vidmm_event event = engine_event_submit(id, 0, references, count);

    event.submit.size = commands * BYTES;
    event.submit.patches = patches;
    event.submit.patch_count = patch_count;
    return engine_rig_step(&rig, event);
}

static uint32_t submissions(const struct vidmm_operation **found, uint32_t most)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < rig.count; i++)
        if (rig.log[i].kind == VIDMM_DO_SUBMIT) {
            assert_true(count < most);
            found[count++] = &rig.log[i];
        }
    return count;
}

/* The place that the n-th submission was told for reference `index`. */
static struct vidmm_place told(uint32_t submission, uint32_t index)
{
    struct vidmm_place place = {0, 0, 0};
    uint32_t seen = 0;

    for (uint32_t i = 0; i < rig.count && seen <= submission; i++) {
        if (rig.log[i].kind == VIDMM_DO_PLACED && rig.log[i].placed.index == index)
            place = rig.log[i].placed.place;
        seen += rig.log[i].kind == VIDMM_DO_SUBMIT;
    }
    assert_int_equal(seen, submission + 1);
    return place;
}

static void assert_part(const struct vidmm_operation *part, uint32_t start, uint32_t to,
                        uint32_t first, uint32_t count, bool last)
{
    assert_int_equal(part->submit.start, start * BYTES);
    assert_int_equal(part->submit.end, to * BYTES);
    assert_int_equal(part->submit.patch_first, first);
    assert_int_equal(part->submit.patch_count, count);
    assert_int_equal(part->submit.last, last);
}

static void what_fits_is_not_split(void **state)
{
    const struct vidmm_reference references[] = {{1, 1}, {2, 0}};
    const struct vidmm_operation *parts[2];

    (void)state;
    begin();
    create(2, 32);
    bind(0, 0, 0);
    bind(1, 0, 1);
    assert_int_equal(submit(1, references, 2, 2), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(submissions(parts, 2), 1);
    assert_part(parts[0], 0, 2, 0, 2, true);
    end();
}

static void what_does_not_fit_runs_in_parts_of_rising_fences(void **state)
{
    const struct vidmm_reference references[] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}};
    const struct vidmm_operation *parts[4], *retired;

    (void)state;
    begin();
    create(5, 20); /* three at once */
    for (uint32_t i = 0; i < 5; i++)
        bind(i, 0, i);
    assert_int_equal(submit(1, references, 5, 5), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(submissions(parts, 4), 2);
    assert_part(parts[0], 0, 3, 0, 3, false);
    assert_part(parts[1], 3, 5, 3, 2, true);
    assert_true(parts[1]->submit.fence > parts[0]->submit.fence);
    assert_int_equal(told(0, 3).segment, 0); /* not of this part */
    assert_int_equal(told(1, 3).segment, 2);
    assert_int_equal(told(1, 0).segment, 0);
    retired = engine_rig_find(&rig, 0, VIDMM_DO_RETIRE);
    assert_int_equal(retired->retire.status, STATUS_SUCCESS);
    end();
}

/* 1 and 2 of 20 pages lie at 0 and 32, and 12 pages are left behind each: the parts are shorter
 * than their bytes ask for. */
static void what_fits_by_its_bytes_alone_is_split_too(void **state)
{
    const struct vidmm_reference references[] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}};
    const struct vidmm_operation *parts[3];

    (void)state;
    begin();
    for (uint32_t id = 1; id <= 4; id++) {
        struct vidmm_event event = engine_event_create(id, 20, 2);

        event.create.wish.alignment = id <= 2 ? PAGES(32) : PAGES(1);
        engine_rig_do(&rig, event);
    }
    for (uint32_t i = 0; i < 4; i++)
        bind(i, 0, i);
    assert_int_equal(submit(1, references, 4, 4), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(submissions(parts, 3), 2);
    assert_part(parts[0], 0, 2, 0, 2, false);
    assert_part(parts[1], 2, 4, 2, 2, true);
    assert_int_equal(told(0, 0).offset + told(0, 1).offset, PAGES(32));
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.status, STATUS_SUCCESS);
    end();
}

static void without_split_points_nothing_can_be_done(void **state)
{
    const struct vidmm_reference references[] = {{1, 1}, {2, 1}};
    const struct vidmm_operation *parts[1];

    (void)state;
    begin();
    create(2, 40);
    bind(0, 0, 0);
    bind(0, 1, 1);
    assert_int_equal(submit(1, references, 2, 1), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(submissions(parts, 1), 0);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_ERROR)->error.needed, PAGES(80));
    end();
}

static void what_stays_in_its_slot_stays_in_its_place(void **state)
{
    const struct vidmm_reference references[] = {{1, 1}, {2, 1}, {3, 1}};
    const struct vidmm_operation *parts[2];

    (void)state;
    begin();
    create(3, 30);
    bind(0, 0, 0);
    bind(0, 1, 1);
    bind(1, 0, 2); /* takes the slot of 1; 2 stays */
    assert_int_equal(submit(1, references, 3, 2), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(submissions(parts, 2), 2);
    assert_int_equal(told(1, 1).segment, 2);
    assert_int_equal(told(1, 1).offset, told(0, 1).offset);
    assert_int_equal(told(1, 2).offset, told(0, 0).offset);
    assert_int_equal(told(1, 0).segment, 0);
    end();
}

/* 1, of 20 pages, sits in the middle of the segment: 2, of 40, fits beside it only if it moves. */
static void split_around_the_middle(bool bound_anew)
{
    const struct vidmm_reference both[] = {{4, 1}, {1, 1}};
    const struct vidmm_reference references[] = {{1, 1}, {3, 1}, {2, 1}};
    const struct vidmm_operation *parts[4];

    begin();
    engine_rig_do(&rig, engine_event_create(1, 20, 2));
    engine_rig_do(&rig, engine_event_create(2, 40, 2));
    engine_rig_do(&rig, engine_event_create(3, 22, 2));
    engine_rig_do(&rig, engine_event_create(4, 21, 2));
    engine_rig_do(&rig, engine_event_submit(9, 0, both, 2));
    engine_rig_run(&rig);
    engine_rig_do(&rig, engine_event_destroy(4));
    engine_rig_run(&rig);
    bind(0, 0, 0);
    bind(0, 1, 1);
    bind(1, 1, 2);
    if (bound_anew)
        bind(1, 0, 0);
    assert_int_equal(submit(1, references, 3, 2), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(submissions(parts, 4), bound_anew ? 3 : 2);
    assert_int_equal(told(1, 0).offset, PAGES(21));
    assert_true(bound_anew == (engine_rig_find(&rig, 0, VIDMM_DO_ERROR) == NULL));
    end();
}

static void what_is_bound_anew_at_the_split_point_may_move(void **state)
{
    (void)state;
    split_around_the_middle(true);
    split_around_the_middle(false);
}

static void a_part_that_does_not_fit_is_the_devices_error(void **state)
{
    const struct vidmm_reference references[] = {{1, 1}, {2, 1}, {3, 1}};
    const struct vidmm_operation *parts[2], *error;

    (void)state;
    begin();
    create(3, 40);
    bind(0, 0, 0);
    bind(1, 0, 1);
    bind(1, 1, 2);
    assert_int_equal(submit(1, references, 3, 2), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(submissions(parts, 2), 1);
    error = engine_rig_find(&rig, 0, VIDMM_DO_ERROR);
    assert_int_equal(error->error.reason, VIDMM_REASON_OUT_OF_MEMORY);
    assert_int_equal(error->error.needed, PAGES(80));
    assert_int_equal((NTSTATUS)engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.status,
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_int_equal(submit(2, references, 3, 2), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    end();
}

/* An allocation that is bound at a split point, in a slot that the next part does not take, is
 * needed there. */
static void a_leak_is_rejected_if_asked_for(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    const struct vidmm_reference references[] = {{1, 1}, {2, 1}, {3, 1}};
    const struct vidmm_operation *parts[2];

    (void)state;
    config.reject_leaks = true;
    engine_rig_init(&rig, &config);
    patch_count = 0;
    create(3, 30);
    bind(0, 0, 0);
    bind(0, 1, 1);
    bind(1, 0, 2);
    assert_int_equal(submit(1, references, 3, 2), STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(submissions(parts, 2), 1);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_ERROR)->error.reason,
                     VIDMM_REASON_BINDING_LEAK);
    end();
}

static void impossible_patch_locations_are_refused(void **state)
{
    const struct vidmm_reference references[] = {{1, 1}, {2, 1}};

    (void)state;
    begin();
    create(2, 8);
    bind(1, 0, 0);
    bind(0, 0, 1); /* split offsets fall */
    assert_int_equal(submit(1, references, 2, 2), STATUS_INVALID_PARAMETER);
    patch_count = 0;
    bind(0, 0, 2); /* no such reference */
    assert_int_equal(submit(1, references, 2, 2), STATUS_INVALID_PARAMETER);
    patch_count = 0;
    bind(3, 0, 0); /* behind the end */
    assert_int_equal(submit(1, references, 2, 2), STATUS_INVALID_PARAMETER);
    patch_count = 0;
    bind(0, 0, VIDMM_UNBOUND);
    bind(2, 0, 1); /* at the end: no split point */
    assert_int_equal(submit(1, references, 2, 2), STATUS_SUCCESS);
    engine_rig_run(&rig);
    end();
}

/* Answer until the driver is to do something at the GPU: packets in flight stay there. */
static void answer(void)
{
    while (rig.call.kind != 0)
        engine_rig_answer(&rig);
}

static bool fills(uint32_t allocation)
{
    for (uint32_t i = 0; i < rig.count; i++)
        if (rig.log[i].kind == VIDMM_DO_BUILD && rig.log[i].allocation == allocation &&
            rig.log[i].build.operation == VIDMM_FILL)
            return true;
    return false;
}

/* S4-029: a list may name what no patch location names, and then it has no place (W-025). */
static void what_a_list_in_flight_names_is_not_filled(void **state)
{
    const struct vidmm_reference references[] = {{1, 0}, {2, 0}};
    const struct vidmm_operation *parts[2];

    struct vidmm_engine_config config = engine_rig_config();

    (void)state;
    config.whole_lists = false;
    engine_rig_init(&rig, &config);
    patch_count = 0;
    create(2, 8);
    bind(0, 0, 0);
    assert_int_equal(submit(1, references, 2, 1), STATUS_SUCCESS);
    answer();
    engine_rig_complete(&rig, 1); /* allocation 1 is there */
    answer();
    assert_int_equal(submissions(parts, 2), 1);
    assert_int_equal(submit(2, references + 1, 1, 1), STATUS_SUCCESS);
    answer();
    assert_false(fills(2));
    engine_rig_complete(&rig, 0);
    answer();
    assert_true(fills(2));
    engine_rig_run(&rig);
    assert_int_equal(submissions(parts, 2), 2);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_is_not_split),
        cmocka_unit_test(what_does_not_fit_runs_in_parts_of_rising_fences),
        cmocka_unit_test(what_fits_by_its_bytes_alone_is_split_too),
        cmocka_unit_test(without_split_points_nothing_can_be_done),
        cmocka_unit_test(what_stays_in_its_slot_stays_in_its_place),
        cmocka_unit_test(what_is_bound_anew_at_the_split_point_may_move),
        cmocka_unit_test(a_part_that_does_not_fit_is_the_devices_error),
        cmocka_unit_test(a_leak_is_rejected_if_asked_for),
        cmocka_unit_test(impossible_patch_locations_are_refused),
        cmocka_unit_test(what_a_list_in_flight_names_is_not_filled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
