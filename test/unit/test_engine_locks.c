/* test_engine_locks.c: claims, and addresses that follow, by the engine alone. */
#include "test_engine_rig.h"

static struct engine_rig rig;

static void begin(void)
{
    const struct vidmm_engine_config config = engine_rig_config();

    engine_rig_init(&rig, &config);
}

static void end(void)
{
    engine_rig_finish(&rig);
}

/* Allocations 1 and 2 fill the segment, each 30 pages of 64, and the CPU holds locks on both. */
static void begin_with_two_locked(void)
{
    begin();
    for (uint32_t id = 1; id <= 2; id++) {
        engine_rig_do(&rig, engine_event_create(id, 30, 2));
        engine_rig_use(&rig, id, true);
        engine_rig_do(&rig, engine_event_lock(id, id, true));
        assert_int_equal(rig.log[rig.count - 1].kind, VIDMM_DO_GRANT);
    }
}

/* How many times something was shown. */
static uint32_t shown(void)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < rig.count; i++)
        count += rig.log[i].kind == VIDMM_DO_SHOW ? 1 : 0;
    return count;
}

static void submit(uint32_t dma_buffer, uint32_t allocation)
{
    const struct vidmm_reference reference = {allocation, 1};

    engine_rig_do(&rig, engine_event_submit(dma_buffer, 0, &reference, 1));
}

static void claimed(uint32_t allocation, uint32_t how)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CLAIMED};

    assert_int_equal(rig.call.kind, VIDMM_DO_CLAIM);
    assert_int_equal(rig.call.allocation, allocation);
    rig.call.kind = 0;
    event.claimed.allocation = allocation;
    event.claimed.granted = how;
    engine_rig_do(&rig, event);
}

static void what_is_claimed_and_moved_is_shown_at_its_new_place(void **state)
{
    const struct vidmm_operation *show;

    (void)state;
    begin_with_two_locked();
    engine_rig_do(&rig, engine_event_create(3, 30, 2));
    submit(3, 3);
    claimed(1, VIDMM_CLAIM_FOLLOWS);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_SHOW));
    assert_int_equal(rig.call.kind, VIDMM_DO_BUILD);
    assert_int_equal(rig.call.allocation, 1);
    engine_rig_run(&rig);
    show = engine_rig_find(&rig, 0, VIDMM_DO_SHOW);
    assert_int_equal(show->allocation, 1);
    assert_int_equal(show->show.place.segment, 0);
    assert_int_equal(shown(), 1);
    end();
}

static void what_is_claimed_for_nothing_is_shown_where_it_is(void **state)
{
    const struct vidmm_operation *show;
    struct vidmm_event unlock = {.kind = VIDMM_EVENT_UNLOCK};

    (void)state;
    begin_with_two_locked();
    engine_rig_do(&rig, engine_event_create(3, 60, 2));
    submit(3, 3);
    claimed(1, VIDMM_CLAIM_FOLLOWS);
    claimed(2, VIDMM_CLAIM_REFUSED);
    show = engine_rig_find(&rig, 0, VIDMM_DO_SHOW);
    assert_non_null(show);
    assert_int_equal(show->allocation, 1);
    assert_int_equal(show->show.place.segment, 2);
    assert_int_equal(rig.call.kind, 0);
    unlock.unlock.allocation = 2;
    engine_rig_do(&rig, unlock);
    claimed(1, VIDMM_CLAIM_FOLLOWS); /* shown, so it is open again */
    claimed(2, VIDMM_CLAIM_GRANTED);
    engine_rig_run(&rig);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_SHOW)->show.place.segment, 0);
    assert_int_equal(shown(), 2);
    end();
}

static void what_is_destroyed_while_it_moves_is_shown_no_more(void **state)
{
    (void)state;
    begin_with_two_locked();
    engine_rig_do(&rig, engine_event_create(3, 30, 2));
    submit(3, 3);
    claimed(1, VIDMM_CLAIM_FOLLOWS);
    engine_rig_do(&rig, engine_event_destroy(1));
    engine_rig_run(&rig);
    assert_non_null(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY));
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY)->allocation, 1);
    end();
}

/* The grant of a lock, by its request; NULL: it has none yet. */
static const struct vidmm_operation *grant_of(uint32_t request)
{
    for (uint32_t i = rig.count; i-- > 0;)
        if (rig.log[i].kind == VIDMM_DO_GRANT && rig.log[i].grant.request == request)
            return &rig.log[i];
    return NULL;
}

/* The claim found no lock, and its answer closes the place: nothing is granted there before that. A
 * grant behind it opens the place, and it is claimed again (L1). */
static void what_is_being_claimed_is_not_granted(void **state)
{
    (void)state;
    for (uint32_t how = VIDMM_CLAIM_REFUSED; how <= VIDMM_CLAIM_FOLLOWS; how++) {
        uint32_t again = 0;

        begin_with_two_locked();
        engine_rig_do(&rig, engine_event_create(3, 30, 2));
        submit(3, 3);
        engine_rig_do(&rig, engine_event_lock(9, 1, true));
        assert_null(grant_of(9));
        claimed(1, how);
        assert_non_null(grant_of(9));
        while (rig.call.kind == VIDMM_DO_CLAIM) { /* 2 leaves, if 1 does not */
            again += rig.call.allocation == 1;
            claimed(rig.call.allocation, rig.call.allocation == 1 ? how : VIDMM_CLAIM_GRANTED);
        }
        assert_int_equal(again, how == VIDMM_CLAIM_REFUSED ? 0 : 1);
        engine_rig_run(&rig);
        assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.dma_buffer, 3);
        end();
    }
}

/* The answer names it, so its record waits for the answer; and another that takes its id waits. */
static void what_is_destroyed_while_it_is_claimed_goes_after_the_answer(void **state)
{
    (void)state;
    for (uint32_t how = VIDMM_CLAIM_REFUSED; how <= VIDMM_CLAIM_FOLLOWS; how++) {
        begin_with_two_locked();
        engine_rig_do(&rig, engine_event_create(3, 30, 2));
        submit(3, 3);
        engine_rig_do(&rig, engine_event_destroy(1));
        assert_null(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY));
        assert_int_equal(engine_rig_step(&rig, engine_event_create(1, 1, 2)),
                         STATUS_INVALID_PARAMETER);
        claimed(1, how);
        assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY)->allocation, 1);
        engine_rig_run(&rig);
        assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.dma_buffer, 3);
        end();
    }
}

/* A lock that goes with its allocation keeps nobody waiting: a lock that cannot fit is told at
 * once. */
static void what_is_destroyed_while_it_is_locked_is_waited_for_no_more(void **state)
{
    (void)state;
    begin_with_two_locked();
    engine_rig_do(&rig, engine_event_create(3, 60, 2));
    submit(3, 3);
    claimed(1, VIDMM_CLAIM_REFUSED);
    assert_int_equal(rig.call.kind, 0);
    engine_rig_do(&rig, engine_event_destroy(1));
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY)->allocation, 1);
    vidmm_engine_check(rig.engine); /* L4 */
    end();
}

static void a_claim_ends_in_one_of_three_ways(void **state)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CLAIMED};

    (void)state;
    begin_with_two_locked();
    engine_rig_do(&rig, engine_event_create(3, 30, 2));
    submit(3, 3);
    assert_int_equal(rig.call.kind, VIDMM_DO_CLAIM);
    event.claimed.allocation = 1;
    event.claimed.granted = VIDMM_CLAIM_FOLLOWS + 1;
    assert_int_equal(engine_rig_step(&rig, event), STATUS_INVALID_PARAMETER);
    claimed(1, VIDMM_CLAIM_GRANTED);
    engine_rig_run(&rig);
    end();
}

/* The CPU holds a lock on allocation 1 and does not let it go when 3 needs the room; then the GPU
 * hangs in DMA buffer 3, and the adapter is reset. */
static void reset_under_a_lock(void)
{
    struct vidmm_event create = engine_event_create(1, 30, 2), tick = {.kind = VIDMM_EVENT_TICK};

    begin();
    create.create.shared = 1;
    engine_rig_do(&rig, create);
    engine_rig_use(&rig, 1, true);
    engine_rig_do(&rig, engine_event_lock(1, 1, true));
    engine_rig_do(&rig, engine_event_create(2, 30, 2));
    engine_rig_use(&rig, 2, true);
    engine_rig_do(&rig, engine_event_create(3, 30, 2));
    submit(3, 3);
    claimed(1, VIDMM_CLAIM_REFUSED);
    while (!rig.due[0])
        if (rig.call.kind != 0)
            engine_rig_answer(&rig);
        else
            engine_rig_complete(&rig, 1);
    engine_rig_answer(&rig);
    rig.time_ns = vidmm_engine_deadline(rig.engine) - 1000;
    engine_rig_do(&rig, tick);
    assert_int_equal(rig.call.kind, VIDMM_DO_QUERY_FENCE);
    engine_rig_run(&rig);
}

static void what_a_reset_stranded_and_comes_back_stays_at_the_unlock(void **state)
{
    const struct vidmm_reference reference = {1, 1};
    struct vidmm_event event, unlock = {.kind = VIDMM_EVENT_UNLOCK};
    struct vidmm_place place;

    (void)state;
    reset_under_a_lock();
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 2));
    event = engine_event_submit(20, 0, &reference, 1);
    event.device = 2;
    engine_rig_do(&rig, event);
    engine_rig_run(&rig);
    place = vidmm_engine_where(rig.engine, 1);
    assert_int_equal(place.segment, 2);
    unlock.unlock.allocation = 1;
    engine_rig_do(&rig, unlock); /* its range is its own again: nothing is given back */
    assert_int_equal(vidmm_engine_where(rig.engine, 1).segment, 2);
    assert_int_equal(vidmm_engine_where(rig.engine, 1).offset, place.offset);
    event.submit.dma_buffer = 21;
    rig.count = 0;
    engine_rig_do(&rig, event);
    engine_rig_run(&rig);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_BUILD));
    end();
}

/* ---- a rest that is waited for in vain ------------------------------------------------------- */

static struct vidmm_event rest_event(uint32_t kind, uint32_t request)
{
    struct vidmm_event event = {.kind = kind};

    event.rest.request = request;
    event.rest.power = kind == VIDMM_EVENT_REST ? VIDMM_POWER_D3 : 0;
    return event;
}

static const struct vidmm_operation *granted(uint32_t request)
{
    for (uint32_t i = 0; i < rig.count; i++)
        if (rig.log[i].kind == VIDMM_DO_GRANT && rig.log[i].grant.request == request)
            return &rig.log[i];
    return NULL;
}

/* A lock by the CPU keeps the adapter from resting; the rest is given up. */
static void a_rest_that_is_given_up_is_none(void **state)
{
    (void)state;
    begin();
    engine_rig_do(&rig, engine_event_create(1, 30, 2));
    engine_rig_do(&rig, engine_event_create(2, 30, 2));
    engine_rig_use(&rig, 1, true);
    engine_rig_use(&rig, 2, true);
    engine_rig_do(&rig, engine_event_lock(1, 1, true));
    rig.count = 0;
    engine_rig_do(&rig, rest_event(VIDMM_EVENT_REST, 5));
    claimed(1, VIDMM_CLAIM_REFUSED);
    engine_rig_run(&rig);
    assert_null(granted(5));
    submit(20, 2); /* it has left, and is not let in */
    engine_rig_run(&rig);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_SUBMIT));
    engine_rig_do(&rig, rest_event(VIDMM_EVENT_RESUME, 6));
    assert_non_null(granted(6));
    engine_rig_run(&rig);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.dma_buffer, 20);
    assert_null(granted(5));
    engine_rig_do(&rig, (struct vidmm_event){.kind = VIDMM_EVENT_UNLOCK, .unlock = {1}});
    engine_rig_do(&rig, rest_event(VIDMM_EVENT_REST, 7)); /* and another may be asked for */
    if (rig.call.kind == VIDMM_DO_CLAIM)
        claimed(rig.call.allocation, VIDMM_CLAIM_GRANTED);
    engine_rig_run(&rig);
    assert_non_null(granted(7));
    engine_rig_do(&rig, rest_event(VIDMM_EVENT_RESUME, 8));
    engine_rig_run(&rig);
    assert_non_null(granted(8));
    end();
}

/* Command buffers are being unmapped: that is finished first, and they are mapped again. */
static void a_rest_that_is_given_up_late_maps_command_buffers_again(void **state)
{
    struct vidmm_event buffer = engine_event_create(1, 2, 1);
    uint32_t place;

    (void)state;
    begin();
    buffer.create.buffer = VIDMM_BUFFER_COMMANDS;
    engine_rig_do(&rig, buffer);
    engine_rig_do(&rig, engine_event_pin(1, 1));
    engine_rig_run(&rig);
    assert_int_equal(granted(1)->grant.place.segment, 1);
    rig.count = 0;
    engine_rig_do(&rig, rest_event(VIDMM_EVENT_REST, 5));
    assert_int_equal(rig.call.kind, VIDMM_DO_BUILD);
    assert_int_equal(rig.call.build.operation, VIDMM_UNMAP_APERTURE_SEGMENT);
    engine_rig_do(&rig, rest_event(VIDMM_EVENT_RESUME, 6));
    assert_null(granted(6));
    assert_int_equal(engine_rig_step(&rig, rest_event(VIDMM_EVENT_RESUME, 7)),
                     STATUS_INVALID_PARAMETER); /* once is enough */
    engine_rig_run(&rig);
    assert_null(granted(5));
    assert_non_null(granted(6));
    for (place = rig.count; rig.log[place - 1].kind != VIDMM_DO_BUILD; place--) {
    }
    assert_int_equal(rig.log[place - 1].build.operation, VIDMM_MAP_APERTURE_SEGMENT);
    engine_rig_do(&rig, engine_event_create(2, 8, 2));
    engine_rig_use(&rig, 2, true);
    end();
}

/* The first lock is refused, for it does not wait; what it needs is done all the same. Until then a
 * lock that ignores the GPU would show the backing store, which the memory segment takes over. */
static void what_is_fetched_for_another_lock_is_not_granted(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    struct vidmm_event alternate = engine_event_lock(1, 1, false);
    struct vidmm_event ignoring = engine_event_lock(2, 1, false);

    (void)state;
    config.swizzling_ranges = 1;
    engine_rig_init(&rig, &config);
    engine_rig_do(&rig, engine_event_create(1, 8, 3));
    engine_rig_do(&rig, engine_event_create(2, 8, 2));
    submit(5, 2); /* its page-in is being built */
    alternate.lock.flags = VIDMM_LOCKING_APERTURE | VIDMM_LOCKING_ALTERNATE;
    ignoring.lock.flags = VIDMM_LOCKING_IGNORE_ALL;
    engine_rig_do(&rig, alternate);
    engine_rig_do(&rig, ignoring);
    for (uint32_t i = 0; i < rig.count; i++)
        if (rig.log[i].kind == VIDMM_DO_GRANT)
            assert_int_equal((NTSTATUS)rig.log[i].grant.status, STATUS_GRAPHICS_ALLOCATION_BUSY);
    engine_rig_run(&rig);
    assert_int_equal(vidmm_engine_where(rig.engine, 1).segment, 2);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_claimed_and_moved_is_shown_at_its_new_place),
        cmocka_unit_test(what_is_claimed_for_nothing_is_shown_where_it_is),
        cmocka_unit_test(what_is_destroyed_while_it_moves_is_shown_no_more),
        cmocka_unit_test(what_is_being_claimed_is_not_granted),
        cmocka_unit_test(what_is_destroyed_while_it_is_claimed_goes_after_the_answer),
        cmocka_unit_test(what_is_destroyed_while_it_is_locked_is_waited_for_no_more),
        cmocka_unit_test(a_claim_ends_in_one_of_three_ways),
        cmocka_unit_test(what_a_reset_stranded_and_comes_back_stays_at_the_unlock),
        cmocka_unit_test(a_rest_that_is_given_up_is_none),
        cmocka_unit_test(a_rest_that_is_given_up_late_maps_command_buffers_again),
        cmocka_unit_test(what_is_fetched_for_another_lock_is_not_granted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
