/* test_engine_states.c: the tables of the engine's state machines, the lists of steps that moves
 * are, and what an allocation goes through in them. */
#include "test_engine_rig.h"

#include "vidmm/engine/address/address_space.h"
#include "vidmm/engine/state/buffer_table.h"
#include "vidmm/engine/state/fence_list.h"
#include "vidmm/engine/state/lock_table.h"
#include "vidmm/engine/state/move_steps.h"
#include "vidmm/engine/state/move_pair.h"
#include "vidmm/engine/state/move_table.h"
#include "vidmm/engine/state/offer.h"
#include "vidmm/engine/state/operation_table.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/placement_table.h"

struct table {
    const struct vidmm_transition *rows;
    uint32_t count, states, events;
    const char *(*name)(uint32_t);
    uint32_t last; /* bits of the states that are never left */
};

static const char *move_name(uint32_t state)
{
    return vidmm_move_string((enum move_state)state);
}

static const char *lock_name(uint32_t state)
{
    return vidmm_lock_string((enum lock_state)state);
}

static const char *offer_name(uint32_t state)
{
    return vidmm_offer_string((enum offer_state)state);
}

static const char *operation_name(uint32_t state)
{
    return vidmm_operation_string((enum operation_state)state);
}

static const char *placement_name(uint32_t state)
{
    return vidmm_placement_string((enum placement_state)state);
}

static const char *buffer_name(uint32_t state)
{
    return vidmm_buffer_string((enum paging_buffer_state)state);
}

static const char *fence_list_name(uint32_t state)
{
    return vidmm_fence_list_string((enum fence_list_state)state);
}

enum { TABLES = 7 };

static struct table table_of(uint32_t index)
{
    const struct table tables[TABLES] = {
        {vidmm_move_table, vidmm_move_rows, MOVE_DUE + 1, MOVE_EVENTS, move_name, 0},
        {vidmm_lock_table, vidmm_lock_rows, LOCK_STATES, LOCK_EVENTS, lock_name, 0},
        {vidmm_offer_table, vidmm_offer_rows, OFFER_STATES, OFFER_EVENTS, offer_name, 0},
        {vidmm_operation_table, vidmm_operation_rows, OPERATION_STATES, OPERATION_EVENTS,
         operation_name, 0},
        {vidmm_placement_table, vidmm_placement_rows, PLACEMENT_STATES, PLACEMENT_EVENTS,
         placement_name, 0},
        {vidmm_buffer_table, vidmm_buffer_rows, PAGING_BUFFER_STATES, PAGING_BUFFER_EVENTS,
         buffer_name, 0},
        {vidmm_fence_list_table, vidmm_fence_list_rows, FENCE_LIST_STATES, FENCE_LIST_EVENTS,
         fence_list_name, 1u << FENCE_LIST_OVER},
    };

    return tables[index];
}

static void every_row_names_states_an_event_and_a_function(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < TABLES; t++) {
        struct table table = table_of(t);

        for (uint32_t i = 0; i < table.count; i++) {
            assert_true(table.rows[i].from < table.states);
            assert_true(table.rows[i].to < table.states);
            assert_true(table.rows[i].event < table.events);
            assert_true(table.rows[i].by[0] != '\0');
        }
    }
}

static void every_state_can_be_reached_and_left(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < TABLES; t++) {
        struct table table = table_of(t);
        uint32_t reached = 1, left = 0, all = (1u << table.states) - 1;

        for (uint32_t round = 0; round < table.states; round++)
            for (uint32_t i = 0; i < table.count; i++)
                if ((reached >> table.rows[i].from & 1) != 0)
                    reached |= 1u << table.rows[i].to;
        for (uint32_t i = 0; i < table.count; i++)
            if (table.rows[i].to != table.rows[i].from)
                left |= 1u << table.rows[i].from;
        assert_int_equal(reached, all);
        assert_int_equal(left, all & ~table.last);
    }
}

static void every_event_happens_in_some_state_and_none_beyond_them(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < TABLES; t++) {
        struct table table = table_of(t);

        for (uint32_t event = 0; event < table.events; event++) {
            uint32_t happens = 0;

            for (uint32_t from = 0; from < table.states; from++)
                happens +=
                    vidmm_transition_to(table.rows, table.count, from, event) != VIDMM_NO_STATE;
            assert_true(happens > 0);
        }
        assert_int_equal(vidmm_transition_to(table.rows, table.count, table.states, 0),
                         VIDMM_NO_STATE);
    }
}

static void a_move_a_lock_and_an_offer_go_to_one_state(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < 3; t++) {
        struct table table = table_of(t);

        for (uint32_t i = 0; i < table.count; i++)
            assert_int_equal(vidmm_transition_to(table.rows, table.count, table.rows[i].from,
                                                 table.rows[i].event),
                             table.rows[i].to);
    }
}

static void every_state_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < TABLES; t++) {
        struct table table = table_of(t);

        for (uint32_t a = 0; a < table.states; a++) {
            assert_string_not_equal(table.name(a), "unknown");
            for (uint32_t b = 0; b < a; b++)
                assert_string_not_equal(table.name(a), table.name(b));
        }
        assert_string_equal(table.name(table.states), "unknown");
    }
}

static void the_meaning_of_an_address_has_a_name(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < VIDMM_ADDRESS_STATES; a++) {
        const char *name = vidmm_address_string((enum vidmm_address_state)a);

        assert_string_not_equal(name, "unknown");
        for (uint32_t b = 0; b < a; b++)
            assert_string_not_equal(name, vidmm_address_string((enum vidmm_address_state)b));
    }
    assert_string_equal(vidmm_address_string(VIDMM_ADDRESS_STATES), "unknown");
}

/* ---- the lists of steps ---------------------------------------------------------------------- */

static void every_list_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < LISTS; a++) {
        assert_string_not_equal(vidmm_list_string((enum move_list)a), "unknown");
        for (uint32_t b = 0; b < a; b++)
            assert_string_not_equal(vidmm_list_string((enum move_list)a),
                                    vidmm_list_string((enum move_list)b));
    }
    assert_string_equal(vidmm_list_string(LISTS), "unknown");
}

static void every_list_but_none_begins_at_its_first_step_and_ends_with_a_call(void **state)
{
    (void)state;
    for (uint32_t id = LIST_NONE + 1; id < LISTS; id++) {
        const struct vidmm_move_step *steps = vidmm_move_lists[id].steps;
        uint32_t count = 0;

        while (steps[count].kind != STEP_NONE)
            count++;
        assert_in_range(count, 1, VIDMM_LIST_STEPS);
        assert_int_equal(steps[count - 1].kind, STEP_BUILD);
        for (uint32_t i = count; i <= VIDMM_LIST_STEPS; i++)
            assert_int_equal(steps[i].kind, STEP_NONE);
    }
    assert_int_equal(vidmm_move_lists[LIST_NONE].steps[0].kind, STEP_NONE);
}

/* Whether nothing of the list is executed: the GPU has stopped. */
static bool tells(uint32_t id)
{
    return (vidmm_move_lists[id].steps[0].flags & STEP_TELLS) != 0;
}

static void
what_tells_of_a_reset_waits_for_nothing_and_ends_with_the_eviction_aperture(void **state)
{
    uint32_t count = 0;

    (void)state;
    for (uint32_t id = LIST_NONE + 1; id < LISTS; id++) {
        const struct vidmm_move_step *step = vidmm_move_lists[id].steps;
        bool done = false;

        count += tells(id) ? 1 : 0;
        for (; tells(id) && step->kind != STEP_NONE; step++) {
            assert_int_equal(step->kind, STEP_BUILD);
            assert_int_equal(step->flags, STEP_TELLS);
            assert_false(done);
            done = step->destination == END_EVICTION;
            if (step->operation != VIDMM_UNMAP_APERTURE_SEGMENT) /* obeys D-239 */
                assert_int_equal(step->size, SIZE_NONE);
            assert_true(step->operation == VIDMM_UNMAP_APERTURE_SEGMENT ||
                        step->operation == VIDMM_TRANSFER ||
                        step->operation == VIDMM_NOTIFY_RESIDENCY); /* by address alone */
        }
    }
    assert_int_equal(count, 6);
}

/* Map and Unmap may take effect inside the call, all else does when it is executed. */
static void what_may_take_effect_in_the_call_waits_for_the_steps_before_it(void **state)
{
    (void)state;
    for (uint32_t id = LIST_NONE + 1; id < LISTS; id++) {
        const struct vidmm_move_step *step = vidmm_move_lists[id].steps;
        bool executed = false;

        for (; !tells(id) && step->kind != STEP_NONE; step++) {
            bool in_call = step->operation == VIDMM_MAP_APERTURE_SEGMENT ||
                           step->operation == VIDMM_UNMAP_APERTURE_SEGMENT;

            if (step->kind == STEP_CLEAR)
                continue;
            if (in_call)
                assert_int_equal((step->flags & STEP_AFTER_FENCE) != 0, executed);
            executed = executed || !in_call;
            if (step->operation == VIDMM_UNMAP_APERTURE_SEGMENT && step->destination == END_SEGMENT)
                assert_true((step->flags & STEP_NEEDS_DISUSE) != 0);
            if (step->operation == VIDMM_FILL)
                assert_true((step->flags & STEP_NEEDS_DISUSE) != 0); /* obeys S4-029 */
        }
    }
}

static void what_takes_content_from_its_place_vacates_and_what_brings_it_does_not(void **state)
{
    (void)state;
    for (uint32_t id = LIST_NONE + 1; id < LISTS; id++) {
        bool vacates = false, leaves = !vidmm_move_lists[id].inward || id == LIST_DIRECT;
        const struct vidmm_move_step *step = vidmm_move_lists[id].steps;

        for (; step->kind != STEP_NONE; step++)
            vacates = vacates || (step->flags & STEP_VACATES) != 0;
        assert_int_equal(vacates, leaves && id != LIST_READ_SEGMENT && id != LIST_SIGNAL_FENCE &&
                                      !tells(id));
    }
}

static void the_eviction_aperture_is_mapped_first_and_unmapped_last(void **state)
{
    const struct vidmm_move_step *steps = vidmm_move_lists[LIST_OUT_THROUGH].steps;
    struct vidmm_move move = {.inward = false};

    (void)state;
    vidmm_move_assign(&move, LIST_OUT_THROUGH);
    assert_int_equal(vidmm_move_step(&move)->operation, VIDMM_MAP_APERTURE_SEGMENT);
    assert_false(vidmm_move_has_begun(&move));
    assert_ptr_equal(vidmm_move_next_step(&move), &steps[1]);
    move.step = 1;
    assert_int_equal(vidmm_move_step(&move)->operation, VIDMM_TRANSFER);
    assert_true(vidmm_move_has_begun(&move));
    assert_ptr_equal(vidmm_move_next_step(&move), &steps[2]);
    move.step = 2;
    assert_int_equal(vidmm_move_step(&move)->operation, VIDMM_UNMAP_APERTURE_SEGMENT);
    assert_null(vidmm_move_next_step(&move));
}

static void a_cleared_backing_store_is_not_yet_a_call(void **state)
{
    struct vidmm_move move = {.inward = true};

    (void)state;
    vidmm_move_assign(&move, LIST_CLEAR_MAP_INIT);
    move.step = 1;
    assert_false(vidmm_move_has_begun(&move));
    move.progress = 1;
    assert_true(vidmm_move_has_begun(&move));
    move.progress = 0;
    move.step = 2;
    assert_true(vidmm_move_has_begun(&move));
}

/* ---- what an allocation goes through --------------------------------------------------------- */

static struct engine_rig rig;

static void expect(uint32_t id, enum placement_state placement, enum move_state in,
                   enum move_state out)
{
    const struct vidmm_placement *found = vidmm_placement_find(rig.engine, id);

    assert_string_equal(vidmm_placement_string(vidmm_placement_state(found)),
                        vidmm_placement_string(placement));
    assert_string_equal(move_name(found->moves->in.state), vidmm_move_string(in));
    assert_string_equal(move_name(found->moves->out.state), vidmm_move_string(out));
}

static void submit(uint32_t dma_buffer, uint32_t id)
{
    const struct vidmm_reference reference = {id, 1};

    engine_rig_do(&rig, engine_event_submit(dma_buffer, 0, &reference, 1));
}

static void answer(void)
{
    assert_int_not_equal(rig.call.kind, 0);
    engine_rig_answer(&rig);
}

static void an_allocation_comes_and_goes_as_the_drawing_says(void **state)
{
    const struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event create = engine_event_create(1, 40, 2);

    (void)state;
    engine_rig_init(&rig, &config);
    create.create.wish.eviction_set = 1;
    engine_rig_do(&rig, create);
    engine_rig_do(&rig, engine_event_create(2, 40, 2));
    expect(1, PLACEMENT_OUT, MOVE_IDLE, MOVE_IDLE);
    submit(10, 1);
    assert_string_equal(vidmm_operation_string(vidmm_operation_state(rig.engine)), "called");
    expect(1, PLACEMENT_COMING, MOVE_QUEUED, MOVE_IDLE);
    answer();
    expect(1, PLACEMENT_COMING, MOVE_BUILT, MOVE_IDLE);
    engine_rig_run(&rig);
    expect(1, PLACEMENT_RESIDENT, MOVE_IDLE, MOVE_IDLE);
    submit(11, 2); /* it takes the place of 1 */
    assert_int_equal(rig.call.build.operation, VIDMM_MAP_APERTURE_SEGMENT);
    expect(1, PLACEMENT_GOING, MOVE_IDLE, MOVE_QUEUED);
    answer();
    expect(1, PLACEMENT_GOING, MOVE_IDLE, MOVE_QUEUED);
    answer();
    expect(1, PLACEMENT_GOING, MOVE_IDLE, MOVE_BUILT);
    while (rig.call.kind != 0)
        answer();
    engine_rig_complete(&rig, 1);
    assert_int_equal(rig.call.build.operation, VIDMM_UNMAP_APERTURE_SEGMENT);
    expect(1, PLACEMENT_GOING, MOVE_IDLE, MOVE_DUE);
    engine_rig_run(&rig);
    expect(1, PLACEMENT_OUT, MOVE_IDLE, MOVE_IDLE);
    expect(2, PLACEMENT_RESIDENT, MOVE_IDLE, MOVE_IDLE);
    engine_rig_finish(&rig);
}

static bool has_moves(uint32_t id)
{
    return vidmm_move_pair_is_own(vidmm_placement_find(rig.engine, id));
}

/* An event that names it takes them. They are given back when nobody does, and it has no place. */
static void an_allocation_has_moves_as_long_as_it_may_move(void **state)
{
    const struct vidmm_engine_config config = engine_rig_config();
    const struct vidmm_reference reference = {1, 1};

    (void)state;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, engine_event_create(1, 40, 2));
    engine_rig_do(&rig, engine_event_create(2, 40, 2));
    assert_false(has_moves(1));
    for (size_t n = 1;; n++) {
        NTSTATUS status;

        counted_memory_fail_at(&rig.memory, n);
        status = engine_rig_step(&rig, engine_event_submit(10, 0, &reference, 1));
        if (!counted_memory_refused(&rig.memory))
            break;
        assert_int_equal(status, STATUS_NO_MEMORY);
        assert_false(has_moves(1));
    }
    counted_memory_fail_at(&rig.memory, 0);
    assert_true(has_moves(1));
    engine_rig_run(&rig);
    expect(1, PLACEMENT_RESIDENT, MOVE_IDLE, MOVE_IDLE);
    assert_true(has_moves(1));
    submit(11, 2); /* it takes the place of 1 */
    assert_true(has_moves(1));
    engine_rig_run(&rig);
    expect(1, PLACEMENT_OUT, MOVE_IDLE, MOVE_IDLE);
    assert_false(has_moves(1));
    submit(12, 1); /* and the other way about */
    engine_rig_run(&rig);
    expect(1, PLACEMENT_RESIDENT, MOVE_IDLE, MOVE_IDLE);
    assert_true(has_moves(1));
    assert_false(has_moves(2));
    engine_rig_finish(&rig);
}

static void an_operation_that_is_refused_is_called_again(void **state)
{
    const struct vidmm_engine_config config = engine_rig_config();

    (void)state;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, engine_event_create(1, 40, 2));
    engine_rig_use(&rig, 1, true);
    engine_rig_do(&rig, engine_event_create(2, 40, 2));
    submit(10, 1);
    submit(11, 2);
    while (rig.call.kind != VIDMM_DO_BUILD)
        answer();
    rig.call.kind = 0;
    engine_rig_do(&rig, engine_event_built(STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0));
    assert_int_equal(vidmm_operation_state(rig.engine), OPERATION_AGAIN_IDLE);
    engine_rig_run(&rig);
    assert_int_equal(vidmm_operation_state(rig.engine), OPERATION_NONE);
    engine_rig_finish(&rig);
}

static enum lock_state lock_of(uint32_t id)
{
    return (enum lock_state)vidmm_placement_find(rig.engine, id)->lock;
}

static void a_lock_opens_a_place_and_a_claim_closes_it(void **state)
{
    const struct vidmm_engine_config config = engine_rig_config();
    static const enum lock_state after[] = {LOCK_REFUSED, LOCK_CLOSED, LOCK_FOLLOWED};

    (void)state;
    for (uint32_t how = VIDMM_CLAIM_REFUSED; how <= VIDMM_CLAIM_FOLLOWS; how++) {
        struct vidmm_event claimed = {.kind = VIDMM_EVENT_CLAIMED};

        engine_rig_init(&rig, &config);
        rig.count = 0;
        engine_rig_do(&rig, engine_event_create(1, 40, 2));
        engine_rig_use(&rig, 1, true);
        assert_int_equal(lock_of(1), LOCK_CLOSED);
        engine_rig_do(&rig, engine_event_lock(1, 1, true));
        assert_int_equal(lock_of(1), LOCK_OPEN);
        engine_rig_do(&rig, engine_event_create(2, 40, 2));
        submit(10, 2);
        assert_int_equal(rig.call.kind, VIDMM_DO_CLAIM);
        rig.call.kind = 0;
        claimed.claimed.allocation = 1;
        claimed.claimed.granted = how;
        engine_rig_do(&rig, claimed);
        assert_int_equal(lock_of(1), after[how]);
        engine_rig_finish(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_names_states_an_event_and_a_function),
        cmocka_unit_test(every_state_can_be_reached_and_left),
        cmocka_unit_test(every_event_happens_in_some_state_and_none_beyond_them),
        cmocka_unit_test(a_move_a_lock_and_an_offer_go_to_one_state),
        cmocka_unit_test(every_state_has_a_name_of_its_own),
        cmocka_unit_test(the_meaning_of_an_address_has_a_name),
        cmocka_unit_test(every_list_has_a_name_of_its_own),
        cmocka_unit_test(every_list_but_none_begins_at_its_first_step_and_ends_with_a_call),
        cmocka_unit_test(what_may_take_effect_in_the_call_waits_for_the_steps_before_it),
        cmocka_unit_test(
            what_tells_of_a_reset_waits_for_nothing_and_ends_with_the_eviction_aperture),
        cmocka_unit_test(what_takes_content_from_its_place_vacates_and_what_brings_it_does_not),
        cmocka_unit_test(the_eviction_aperture_is_mapped_first_and_unmapped_last),
        cmocka_unit_test(a_cleared_backing_store_is_not_yet_a_call),
        cmocka_unit_test(an_allocation_comes_and_goes_as_the_drawing_says),
        cmocka_unit_test(an_allocation_has_moves_as_long_as_it_may_move),
        cmocka_unit_test(an_operation_that_is_refused_is_called_again),
        cmocka_unit_test(a_lock_opens_a_place_and_a_claim_closes_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
