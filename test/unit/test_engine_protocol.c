/* test_engine_protocol.c: calls and their answers: the calls that the engine hands out, and its use
 * of their answers. */
#include "test_engine_rig.h"

static struct engine_rig rig;

static void begin_with(struct vidmm_engine_config config)
{
    engine_rig_init(&rig, &config);
}

static void begin(void)
{
    begin_with(engine_rig_config());
}

static void end(void)
{
    engine_rig_finish(&rig);
}

/* Allocations 1 and 2 of 40 pages each, in 64: using one makes the other leave. */
static void create_two(uint32_t flags)
{
    for (uint32_t id = 1; id <= 2; id++) {
        struct vidmm_event event = engine_event_create(id, 40, 2);

        event.create.wish.flags = flags;
        engine_rig_do(&rig, event);
    }
}

static void submit(uint32_t dma_buffer, uint32_t id, bool write)
{
    const struct vidmm_reference reference = {id, write};

    engine_rig_do(&rig, engine_event_submit(dma_buffer, 0, &reference, 1));
}

/* Answer calls until one of this kind is under way. */
static void answer_until(uint32_t kind)
{
    for (uint32_t i = 0; i < 1000 && rig.call.kind != kind; i++)
        if (rig.call.kind != 0)
            engine_rig_answer(&rig);
        else if (rig.due[1])
            engine_rig_complete(&rig, 1);
        else
            fail_msg("the engine waits, and not for a call of kind %u", kind);
}

static void built(NTSTATUS status, uint32_t multipass, uint64_t written)
{
    assert_int_equal(rig.call.kind, VIDMM_DO_BUILD);
    rig.call.kind = 0;
    engine_rig_do(&rig, engine_event_built(status, multipass, written));
}

static const struct vidmm_operation *last(void)
{
    assert_true(rig.count > 0);
    return &rig.log[rig.count - 1];
}

static void assert_stopped(uint32_t reason)
{
    const struct vidmm_operation *stopped = engine_rig_find(&rig, 0, VIDMM_DO_STOPPED);

    assert_non_null(stopped);
    assert_int_equal(stopped->error.reason, reason);
}

/* ---- BuildPagingBuffer ----------------------------------------------------------------------- */

static void the_first_page_in_fills_and_the_next_transfers(void **state)
{
    (void)state;
    begin();
    create_two(1);
    submit(1, 1, true);
    assert_int_equal(rig.call.build.operation, VIDMM_FILL);
    assert_int_equal(rig.call.build.destination.segment, 2);
    engine_rig_run(&rig);
    engine_rig_use(&rig, 2, true);
    submit(3, 1, false);
    assert_int_equal(rig.call.build.operation, VIDMM_TRANSFER); /* 2 leaves */
    assert_int_equal(rig.call.build.source.segment, 2);
    engine_rig_answer(&rig);
    assert_int_equal(rig.call.build.operation, VIDMM_TRANSFER); /* 1 comes back */
    assert_int_equal(rig.call.build.source.segment, 0);
    assert_int_equal(rig.call.build.flags, VIDMM_PAGING_START | VIDMM_PAGING_END);
    engine_rig_run(&rig);
    end();
}

static void insufficient_brings_the_same_call_in_a_fresh_buffer(void **state)
{
    struct vidmm_operation call;

    (void)state;
    begin();
    create_two(1);
    engine_rig_use(&rig, 1, true);
    submit(1, 2, true);
    call = rig.call;
    built(STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 17, 640);
    assert_int_equal(rig.call.kind, VIDMM_DO_SUBMIT_PAGING);
    assert_int_equal(rig.call.submit_paging.paging_buffer, call.build.paging_buffer);
    answer_until(VIDMM_DO_BUILD);
    assert_int_not_equal(rig.call.build.paging_buffer, call.build.paging_buffer);
    assert_int_equal(rig.call.build.multipass_offset, 17); /* S4-016: as the driver left it */
    assert_int_equal(rig.call.build.flags, call.build.flags | VIDMM_PAGING_AGAIN);
    call.build.paging_buffer = rig.call.build.paging_buffer;
    call.build.flags = rig.call.build.flags;
    call.build.multipass_offset = 17;
    assert_memory_equal(&call, &rig.call, sizeof(call));
    built(STATUS_SUCCESS, 99, 640);
    answer_until(VIDMM_DO_BUILD);
    assert_int_equal(rig.call.build.multipass_offset, 0); /* S4-015: a new operation begins at 0 */
    engine_rig_run(&rig);
    end();
}

static void no_progress_in_a_fresh_buffer_ends_the_adapter(void **state)
{
    (void)state;
    begin();
    create_two(1);
    submit(1, 1, true);
    built(STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 0, 0);
    assert_stopped(VIDMM_REASON_NO_PROGRESS);
    end();
}

static void a_driver_that_always_makes_a_little_progress_is_given_up(void **state)
{
    (void)state;
    begin();
    create_two(1);
    submit(1, 1, true);
    for (uint32_t pass = 0; pass < 20000 && !rig.stopped; pass++) {
        if (rig.call.kind == VIDMM_DO_BUILD)
            built(STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 0, 8);
        else if (rig.call.kind != 0)
            engine_rig_answer(&rig);
        else
            engine_rig_complete(&rig, 1);
        rig.count = rig.stopped ? rig.count : 0; /* the log would be full */
    }
    assert_stopped(VIDMM_REASON_NO_PROGRESS);
    end();
}

static void busy_brings_the_same_call_when_the_allocation_is_idle(void **state)
{
    (void)state;
    begin();
    create_two(1);
    submit(1, 1, true);
    answer_until(VIDMM_DO_SUBMIT);
    engine_rig_answer(&rig); /* 1 is in use on node 0, and stays so */
    submit(2, 2, true);
    assert_int_equal(rig.call.kind, VIDMM_DO_BUILD);
    built(STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0);
    assert_int_equal(rig.call.kind, 0); /* S4-024: no call before it is idle */
    engine_rig_complete(&rig, 0);
    assert_int_equal(rig.call.kind, VIDMM_DO_BUILD);
    assert_true((rig.call.build.flags & VIDMM_PAGING_IDLE) != 0);
    assert_true((rig.call.build.flags & VIDMM_PAGING_AGAIN) != 0);
    built(STATUS_SUCCESS, 0, 64);
    answer_until(VIDMM_DO_SUBMIT_PAGING);
    engine_rig_run(&rig);
    end();
}

static void what_was_built_is_submitted_before_waiting_for_idle(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    const struct vidmm_reference both[] = {{1, 1}, {2, 1}}, third = {3, 1};

    (void)state;
    config.segments[2].size = PAGES(80);
    begin_with(config);
    create_two(1);
    engine_rig_do(&rig, engine_event_create(3, 80, 2));
    engine_rig_do(&rig, engine_event_submit(1, 0, both, 2));
    answer_until(VIDMM_DO_SUBMIT);
    engine_rig_answer(&rig);
    engine_rig_do(&rig, engine_event_submit(2, 0, &third, 1)); /* both must leave */
    built(STATUS_SUCCESS, 0, 64);
    built(STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0);
    /* The paging in the buffer is for 1, which node 0 uses: it goes when node 0 is done. */
    engine_rig_complete(&rig, 0);
    assert_int_equal(rig.call.kind, VIDMM_DO_SUBMIT_PAGING);
    engine_rig_run(&rig);
    end();
}

static void busy_to_what_is_idle_ends_the_adapter(void **state)
{
    (void)state;
    begin();
    create_two(1);
    engine_rig_use(&rig, 1, true);
    submit(1, 2, true);
    built(STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0);
    answer_until(VIDMM_DO_BUILD);
    built(STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0);
    assert_stopped(VIDMM_REASON_BUSY_WHEN_IDLE);
    end();
}

static void busy_to_a_fill_ends_the_adapter(void **state)
{
    (void)state;
    begin();
    create_two(1);
    submit(1, 1, true);
    built(STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0);
    assert_stopped(VIDMM_REASON_BUSY_WHEN_IDLE);
    end();
}

static void any_other_status_ends_the_adapter(void **state)
{
    static const NTSTATUS statuses[] = {STATUS_NO_MEMORY,    STATUS_INVALID_PARAMETER,
                                        STATUS_UNSUCCESSFUL, STATUS_PENDING,
                                        STATUS_TIMEOUT,      1};

    (void)state;
    for (uint32_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        begin();
        create_two(1);
        submit(1, 1, true);
        built(statuses[i], 0, 64);
        assert_stopped(VIDMM_REASON_ILLEGAL_STATUS);
        assert_int_equal(last()->error.status, (uint32_t)statuses[i]);
        end();
    }
}

static void between_start_and_end_no_other_transfer_starts(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    uint32_t open = 0, pieces = 0;

    (void)state;
    config.split_transfer_size = PAGES(7);
    begin_with(config);
    create_two(1);
    engine_rig_use(&rig, 1, true);
    engine_rig_use(&rig, 2, true);
    engine_rig_use(&rig, 1, true);
    for (uint32_t i = 0; i < rig.count; i++) {
        const struct vidmm_operation *o = &rig.log[i];
        if (o->kind != VIDMM_DO_BUILD || o->build.operation != VIDMM_TRANSFER)
            continue;
        pieces++;
        assert_true(((o->build.flags & VIDMM_PAGING_START) != 0) == (open == 0));
        assert_true(open == 0 || open == o->allocation); /* S4-020 */
        open = (o->build.flags & VIDMM_PAGING_END) != 0 ? 0 : o->allocation;
    }
    assert_int_equal(open, 0);
    assert_int_equal(pieces, 3 * 6); /* out, out, in; 40 pages in sevens */
    end();
}

/* ---- submission and fences ------------------------------------------------------------------- */

static void a_command_is_submitted_after_the_fence_of_its_paging(void **state)
{
    (void)state;
    begin();
    create_two(1);
    submit(1, 1, true);
    answer_until(VIDMM_DO_SUBMIT_PAGING);
    engine_rig_answer(&rig);
    assert_int_equal(rig.call.kind, 0); /* D-085 */
    engine_rig_complete(&rig, 1);
    assert_int_equal(rig.call.kind, VIDMM_DO_SUBMIT);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_PLACED)->placed.place.segment, 2);
    engine_rig_run(&rig);
    end();
}

static void a_submission_that_fails_ends_the_adapter(void **state)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMITTED};

    (void)state;
    event.submitted.status = (uint32_t)STATUS_UNSUCCESSFUL;
    for (uint32_t which = 0; which < 2; which++) {
        begin();
        create_two(1);
        submit(1, 1, true);
        answer_until(which == 0 ? VIDMM_DO_SUBMIT_PAGING : VIDMM_DO_SUBMIT);
        engine_rig_do(&rig, event);
        assert_stopped(VIDMM_REASON_SUBMIT_FAILED);
        end();
    }
}

static void no_more_packets_are_in_flight_than_announced(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    uint32_t flying = 0, most = 0;

    (void)state;
    config.queue_limit = 3;
    begin_with(config);
    create_two(1);
    engine_rig_use(&rig, 1, true);
    rig.count = 0;
    for (uint32_t dma = 10; dma < 20; dma++) {
        submit(dma, 1, true);
        if (rig.call.kind != 0)
            engine_rig_answer(&rig);
    }
    for (uint32_t i = 0; i < rig.count; i++)
        flying += rig.log[i].kind == VIDMM_DO_SUBMIT;
    assert_int_equal(flying, 3); /* D-278 */
    engine_rig_run(&rig);
    for (uint32_t i = 0; i < rig.count; i++)
        most += rig.log[i].kind == VIDMM_DO_RETIRE;
    assert_int_equal(most, 10);
    end();
}

static void one_report_completes_all_before_it_and_an_old_one_nothing(void **state)
{
    uint32_t first, count;

    (void)state;
    begin();
    create_two(1);
    engine_rig_use(&rig, 1, true);
    first = rig.fences[0];
    rig.count = 0;
    for (uint32_t dma = 10; dma < 14; dma++) {
        submit(dma, 1, true);
        engine_rig_answer(&rig);
    }
    engine_rig_complete(&rig, 0);
    for (uint32_t i = count = 0; i < rig.count; i++)
        count += rig.log[i].kind == VIDMM_DO_RETIRE;
    assert_int_equal(count, 4);
    engine_rig_do(&rig, engine_event_fence(0, first));
    engine_rig_do(&rig, engine_event_fence(0, first + 1));
    assert_false(rig.stopped);
    end();
}

static void a_fence_that_was_never_given_ends_the_adapter(void **state)
{
    static const struct {
        uint32_t node, ahead;
    } rows[] = {{0, 1}, {0, 1000}, {1, 1}, {2, 0}, {63, 0}, {UINT32_MAX, 0}};

    (void)state;
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin();
        create_two(1);
        engine_rig_use(&rig, 1, true);
        engine_rig_do(&rig, engine_event_fence(rows[i].node, rig.fences[0] + rows[i].ahead));
        assert_stopped(VIDMM_REASON_UNKNOWN_FENCE); /* D-357 */
        end();
    }
}

static void fence_ids_go_round_and_leave_out_zero(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    bool wrapped = false;

    (void)state;
    config.first_fence = 0xfffffffau;
    begin_with(config);
    create_two(1);
    for (uint32_t round = 0; round < 6; round++) {
        engine_rig_use(&rig, 1 + round % 2, true);
        wrapped |= rig.fences[0] < 100;
    }
    for (uint32_t i = 0; i < rig.count; i++)
        if (rig.log[i].kind == VIDMM_DO_SUBMIT)
            assert_int_not_equal(rig.log[i].submit.fence, 0);
    assert_true(wrapped);
    end();
}

/* ---- time ------------------------------------------------------------------------------------ */

static void a_fence_that_does_not_come_is_asked_for_in_time(void **state)
{
    struct vidmm_event tick = {.kind = VIDMM_EVENT_TICK};
    uint64_t deadline;

    (void)state;
    begin();
    create_two(1);
    assert_true(vidmm_engine_deadline(rig.engine) == UINT64_MAX);
    submit(1, 1, true);
    answer_until(VIDMM_DO_SUBMIT_PAGING);
    engine_rig_answer(&rig);
    deadline = vidmm_engine_deadline(rig.engine);
    assert_true(deadline > rig.time_ns && deadline <= rig.time_ns + 2000000000);
    tick.time_ns = deadline - 1;
    engine_rig_do(&rig, tick);
    assert_int_equal(rig.call.kind, 0);
    tick.time_ns = deadline;
    engine_rig_do(&rig, tick);
    assert_int_equal(rig.call.kind, VIDMM_DO_QUERY_FENCE);
    end();
}

static void the_time_of_a_fence_begins_when_it_is_the_first(void **state)
{
    uint64_t before;

    (void)state;
    begin();
    create_two(1);
    engine_rig_use(&rig, 1, true);
    submit(10, 1, true);
    engine_rig_answer(&rig);
    before = vidmm_engine_deadline(rig.engine);
    rig.time_ns += 1500000000;
    submit(11, 1, true);
    engine_rig_answer(&rig);
    assert_true(vidmm_engine_deadline(rig.engine) == before);
    engine_rig_do(&rig, engine_event_fence(0, rig.fences[0] - 1));
    assert_true(vidmm_engine_deadline(rig.engine) >= before + 1500000000);
    engine_rig_run(&rig);
    end();
}

static void time_that_goes_back_is_no_time(void **state)
{
    struct vidmm_event tick = {.kind = VIDMM_EVENT_TICK, .time_ns = 5};

    (void)state;
    begin();
    create_two(1);
    submit(1, 1, true);
    engine_rig_do(&rig, tick);
    engine_rig_run(&rig);
    assert_false(rig.stopped);
    end();
}

/* ---- locks ----------------------------------------------------------------------------------- */

static void a_claim_that_is_not_granted_makes_another_leave(void **state)
{
    struct vidmm_event claimed = {.kind = VIDMM_EVENT_CLAIMED},
                       unlock = {.kind = VIDMM_EVENT_UNLOCK};

    (void)state;
    begin();
    for (uint32_t id = 1; id <= 3; id++)
        engine_rig_do(&rig, engine_event_create(id, 30, 2));
    engine_rig_use(&rig, 1, true);
    engine_rig_use(&rig, 2, true);
    engine_rig_do(&rig, engine_event_lock(1, 1, true));
    assert_int_equal(last()->kind, VIDMM_DO_GRANT);
    assert_int_equal(last()->grant.place.segment, 2);
    submit(3, 3, true);
    assert_int_equal(rig.call.kind, VIDMM_DO_CLAIM);
    assert_int_equal(rig.call.allocation, 1);
    rig.call.kind = 0;
    claimed.claimed.allocation = 1;
    engine_rig_do(&rig, claimed);
    assert_int_equal(rig.call.kind, VIDMM_DO_BUILD);
    assert_int_equal(rig.call.allocation, 2);
    unlock.unlock.allocation = 1;
    engine_rig_do(&rig, unlock);
    engine_rig_run(&rig);
    end();
}

static void a_lock_waits_for_what_was_queued_before_it(void **state)
{
    (void)state;
    begin();
    create_two(1);
    submit(1, 1, true);
    engine_rig_do(&rig, engine_event_lock(1, 1, false));
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_GRANT)->grant.status,
                     (uint32_t)STATUS_GRAPHICS_ALLOCATION_BUSY);
    engine_rig_do(&rig, engine_event_lock(2, 1, true));
    answer_until(VIDMM_DO_SUBMIT);
    engine_rig_answer(&rig);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_GRANT)->grant.request, 1);
    engine_rig_complete(&rig, 0);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_GRANT)->grant.request, 2);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_GRANT)->grant.status, STATUS_SUCCESS);
    engine_rig_run(&rig);
    end();
}

/* ---- commit limits --------------------------------------------------------------------------- */

static void an_aperture_shows_no_more_than_its_commit_limit(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();
    const struct vidmm_reference two[] = {{1, 1}, {2, 1}}, fits[] = {{1, 1}, {3, 1}};

    (void)state;
    for (uint32_t all = 0; all < 2;
         all++) { /* of the segment, or of all apertures (D-010, D-011) */
        config = engine_rig_config();
        config.segments[1].commit_limit = all ? PAGES(64) : PAGES(40);
        config.aperture_commit_limit = all ? PAGES(40) : 0;
        begin_with(config);
        engine_rig_do(&rig, engine_event_create(1, 30, 1));
        engine_rig_do(&rig, engine_event_create(2, 30, 1));
        engine_rig_do(&rig, engine_event_create(3, 10, 1));
        engine_rig_use(&rig, 2, true);
        engine_rig_do(&rig, engine_event_submit(1, 0, fits, 2));
        engine_rig_run(&rig);
        assert_null(engine_rig_find(&rig, 0, VIDMM_DO_ERROR));
        engine_rig_do(&rig, engine_event_submit(2, 0, two, 2));
        engine_rig_run(&rig);
        assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_ERROR)->error.reason,
                         VIDMM_REASON_OUT_OF_MEMORY);
        end();
    }
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void what_is_destroyed_in_use_is_not_paged_out(void **state)
{
    (void)state;
    begin();
    create_two(1);
    submit(1, 1, true);
    answer_until(VIDMM_DO_SUBMIT);
    engine_rig_answer(&rig);
    engine_rig_do(&rig, engine_event_destroy(1));
    rig.count = 0;
    submit(2, 2, true);
    assert_int_equal(rig.call.kind, 0);
    engine_rig_complete(&rig, 0);
    assert_non_null(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY));
    assert_int_equal(rig.call.build.operation, VIDMM_FILL);
    assert_int_equal(rig.call.allocation, 2);
    engine_rig_run(&rig);
    end();
}

static void what_is_destroyed_and_still_queued_for_is_paged_out_if_it_must(void **state)
{
    struct vidmm_engine_config config = engine_rig_config();

    (void)state;
    begin_with(config);
    create_two(1);
    engine_rig_use(&rig, 1, true);
    submit(2, 2, true); /* at the head, its paging under way */
    submit(1, 1, true); /* behind it, and it needs what 1 holds */
    engine_rig_do(&rig, engine_event_destroy(1));
    assert_int_equal(rig.call.build.operation, VIDMM_TRANSFER);
    assert_int_equal(rig.call.allocation, 1);
    engine_rig_run(&rig);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY)->allocation, 1);
    assert_false(rig.stopped);
    end();
}

static void an_engine_stops_when_all_is_at_rest(void **state)
{
    (void)state;
    begin();
    create_two(1);
    submit(1, 1, true);
    engine_rig_do(&rig, (struct vidmm_event){.kind = VIDMM_EVENT_STOP});
    assert_false(rig.stopped);
    engine_rig_run(&rig);
    assert_stopped(VIDMM_REASON_NONE);
    end();
}

/* An engine can be thrown away at any moment: nothing of it is left. */
static void an_engine_can_be_destroyed_at_any_moment(void **state)
{
    (void)state;
    for (uint32_t moment = 0; moment < 60; moment++) {
        uint32_t left = moment;

        begin();
        create_two(1);
        engine_rig_use(&rig, 1, true);
        submit(2, 2, true);
        submit(3, 1, true);
        submit(4, 2, true);
        engine_rig_do(&rig, engine_event_lock(1, 1, true));
        engine_rig_do(&rig, engine_event_lock(2, 2, true));
        while (left-- > 0 && (rig.call.kind != 0 || rig.due[0] || rig.due[1]))
            if (rig.call.kind != 0)
                engine_rig_answer(&rig);
            else
                engine_rig_complete(&rig, rig.due[1] ? 1 : 0);
        end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_page_in_fills_and_the_next_transfers),
        cmocka_unit_test(insufficient_brings_the_same_call_in_a_fresh_buffer),
        cmocka_unit_test(no_progress_in_a_fresh_buffer_ends_the_adapter),
        cmocka_unit_test(a_driver_that_always_makes_a_little_progress_is_given_up),
        cmocka_unit_test(busy_brings_the_same_call_when_the_allocation_is_idle),
        cmocka_unit_test(what_was_built_is_submitted_before_waiting_for_idle),
        cmocka_unit_test(busy_to_what_is_idle_ends_the_adapter),
        cmocka_unit_test(busy_to_a_fill_ends_the_adapter),
        cmocka_unit_test(any_other_status_ends_the_adapter),
        cmocka_unit_test(between_start_and_end_no_other_transfer_starts),
        cmocka_unit_test(a_command_is_submitted_after_the_fence_of_its_paging),
        cmocka_unit_test(a_submission_that_fails_ends_the_adapter),
        cmocka_unit_test(no_more_packets_are_in_flight_than_announced),
        cmocka_unit_test(one_report_completes_all_before_it_and_an_old_one_nothing),
        cmocka_unit_test(a_fence_that_was_never_given_ends_the_adapter),
        cmocka_unit_test(fence_ids_go_round_and_leave_out_zero),
        cmocka_unit_test(a_fence_that_does_not_come_is_asked_for_in_time),
        cmocka_unit_test(the_time_of_a_fence_begins_when_it_is_the_first),
        cmocka_unit_test(time_that_goes_back_is_no_time),
        cmocka_unit_test(a_claim_that_is_not_granted_makes_another_leave),
        cmocka_unit_test(a_lock_waits_for_what_was_queued_before_it),
        cmocka_unit_test(an_aperture_shows_no_more_than_its_commit_limit),
        cmocka_unit_test(what_is_destroyed_in_use_is_not_paged_out),
        cmocka_unit_test(what_is_destroyed_and_still_queued_for_is_paged_out_if_it_must),
        cmocka_unit_test(an_engine_stops_when_all_is_at_rest),
        cmocka_unit_test(an_engine_can_be_destroyed_at_any_moment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
