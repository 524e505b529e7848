/* test_engine_recovery.c: a fence is late: the engine asks, takes back, resets and purges. */
#include "test_engine_rig.h"

#define SECOND UINT64_C(1000000000)

static struct engine_rig rig;

static void begin_with(bool preemption, bool per_engine_reset)
{
    struct vidmm_engine_config config = engine_rig_config();

    config.preemption = preemption;
    config.per_engine_reset = per_engine_reset;
    config.driver_timeout_ns = 5 * SECOND;
    engine_rig_init(&rig, &config);
}

static void end(void)
{
    engine_rig_finish(&rig);
}

static void submit_to(uint32_t dma_buffer, uint32_t node, uint32_t id)
{
    const struct vidmm_reference reference = {id, 1};

    engine_rig_do(&rig, engine_event_submit(dma_buffer, node, &reference, 1));
}

/* Answer calls, and let paging end, until DMA buffers alone are in flight. */
static void settle(void)
{
    for (;;)
        if (rig.call.kind != 0)
            engine_rig_answer(&rig);
        else if (rig.due[rig.paging_node])
            engine_rig_complete(&rig, rig.paging_node);
        else
            return;
}

/* An allocation on its own in segment 2, written by DMA buffer 10, which stays in flight. */
static void begin_hang(bool preemption, bool per_engine_reset)
{
    begin_with(preemption, per_engine_reset);
    engine_rig_do(&rig, engine_event_create(1, 8, 2));
    submit_to(10, 0, 1);
    settle();
    assert_true(rig.due[0]);
    rig.count = 0;
}

static void pass_time(void)
{
    struct vidmm_event tick = {.kind = VIDMM_EVENT_TICK};

    rig.time_ns = vidmm_engine_deadline(rig.engine) - 1000;
    engine_rig_do(&rig, tick);
}

static void expect_call(uint32_t kind)
{
    assert_string_equal(vidmm_operation_name(rig.call.kind), vidmm_operation_name(kind));
}

static void recovered(NTSTATUS status, uint32_t fence, uint64_t nodes)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_RECOVERED};

    event.recovered.status = (uint32_t)status;
    event.recovered.fence = fence;
    event.recovered.nodes = nodes;
    rig.call.kind = 0;
    engine_rig_do(&rig, event);
}

static void preempted(uint32_t node, uint32_t fence, uint32_t last)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PREEMPTED};

    event.preempted.node = node;
    event.preempted.fence = fence;
    event.preempted.last_completed = last;
    engine_rig_do(&rig, event);
}

/* From the late fence to a preemption that has been asked for. Answers its fence. */
static uint32_t preempt(void)
{
    uint32_t fence;

    pass_time();
    expect_call(VIDMM_DO_QUERY_FENCE);
    recovered(STATUS_SUCCESS, 0, 0);
    expect_call(VIDMM_DO_PREEMPT);
    fence = rig.call.recover.fence;
    recovered(STATUS_SUCCESS, 0, 0);
    return fence;
}

static void assert_stopped(uint32_t reason)
{
    const struct vidmm_operation *stopped = engine_rig_find(&rig, 0, VIDMM_DO_STOPPED);

    assert_non_null(stopped);
    assert_string_equal(vidmm_reason_text(stopped->error.reason), vidmm_reason_text(reason));
}

/* ---- asking ---------------------------------------------------------------------------------- */

static void a_lost_interrupt_is_all_that_was_wrong(void **state)
{
    (void)state;
    begin_hang(true, true);
    pass_time();
    expect_call(VIDMM_DO_QUERY_FENCE);
    assert_int_equal(rig.call.recover.node, 0);
    engine_rig_complete(&rig, 0); /* the driver's report inside the call */
    recovered(STATUS_SUCCESS, rig.fences[0], 0);
    assert_int_equal(rig.call.kind, 0);
    assert_non_null(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE));
    assert_true(vidmm_engine_deadline(rig.engine) == UINT64_MAX);
    end();
}

static void a_fence_that_is_answered_and_not_reported_counts(void **state)
{
    (void)state;
    begin_hang(true, true);
    pass_time();
    recovered(STATUS_SUCCESS, rig.fences[0], 0);
    assert_int_equal(rig.call.kind, 0);
    assert_non_null(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE));
    end();
}

/* ---- preempting ------------------------------------------------------------------------------ */

/* On one node: DMA buffer, paging buffer, DMA buffer, paging buffer. */
static void begin_mixed(uint32_t fences[4])
{
    struct vidmm_engine_config config = engine_rig_config();

    config.paging_node = 0;
    config.preemption = true;
    engine_rig_init(&rig, &config);
    for (uint32_t id = 1; id <= 3; id++)
        engine_rig_do(&rig, engine_event_create(id, 8, 2));
    submit_to(10, 0, 1);
    settle();
    submit_to(11, 0, 2);
    for (uint32_t i = 0; i < 20 && rig.call.kind != 0; i++)
        engine_rig_answer(&rig);
    submit_to(12, 0, 3);
    for (uint32_t i = 0; i < 20 && rig.call.kind != 0; i++)
        engine_rig_answer(&rig);
    for (uint32_t i = 0, n = 0; i < rig.count; i++)
        if (rig.log[i].kind == VIDMM_DO_SUBMIT_PAGING && n < 4)
            fences[n++] = rig.log[i].submit_paging.fence;
    rig.count = 0;
}

static void paging_comes_back_first_and_with_its_fences(void **state)
{
    uint32_t fences[4] = {0}, paging[4] = {0}, rest[4] = {0}, buffers[4] = {0}, n = 0, m = 0;
    uint32_t fence;

    (void)state;
    begin_mixed(fences);
    fence = preempt();
    rig.count = 0;
    preempted(0, fence, fences[0] + 1); /* the first DMA buffer is complete, the rest came back */
    for (uint32_t i = 0; i < 20 && rig.call.kind != 0; i++)
        engine_rig_answer(&rig);
    for (uint32_t i = 0; i < rig.count; i++) {
        if (rig.log[i].kind == VIDMM_DO_SUBMIT_PAGING) {
            assert_int_equal(m, 0); /* before anything else: D-084 */
            assert_int_equal(rig.log[i].submit_paging.again, 1);
            paging[n++] = rig.log[i].submit_paging.fence;
        }
        if (rig.log[i].kind == VIDMM_DO_SUBMIT) {
            assert_int_equal(rig.log[i].submit.again, 1);
            buffers[m] = rig.log[i].submit.dma_buffer;
            rest[m++] = rig.log[i].submit.fence;
        }
    }
    assert_int_equal(n, 2);
    assert_int_equal(paging[0], fences[1]);
    assert_int_equal(paging[1], fences[2]);
    assert_int_equal(m, 2);
    assert_int_equal(buffers[0], 11);
    assert_int_equal(buffers[1], 12);
    assert_true(rest[0] > fence && rest[1] > rest[0]); /* new ones */
    rig.fences[0] = rest[1];
    engine_rig_run(&rig);
    end();
}

static void a_preemption_nobody_asked_for_ends_the_adapter(void **state)
{
    (void)state;
    begin_hang(true, false);
    preempted(0, 77, 0);
    assert_stopped(VIDMM_REASON_UNKNOWN_FENCE);
    end();
}

static void a_failed_preemption_ends_the_adapter(void **state)
{
    (void)state;
    begin_hang(true, false);
    pass_time();
    recovered(STATUS_SUCCESS, 0, 0);
    recovered(STATUS_UNSUCCESSFUL, 0, 0);
    assert_stopped(VIDMM_REASON_PREEMPT_FAILED);
    end();
}

static void nothing_is_submitted_to_a_node_that_is_stopping(void **state)
{
    uint32_t fence;

    (void)state;
    begin_hang(true, false);
    fence = preempt();
    submit_to(11, 0, 1);
    assert_int_equal(rig.call.kind, 0);
    preempted(0, fence, 0);
    assert_int_equal(rig.call.submit.dma_buffer, 10); /* first what came back */
    rig.due[0] = false;
    engine_rig_answer(&rig);
    assert_int_equal(rig.call.submit.dma_buffer, 11);
    engine_rig_run(&rig);
    end();
}

/* ---- resetting an engine --------------------------------------------------------------------- */

/* Its time is up, whatever it answers. */
static void ask_the_engine(uint32_t node)
{
    expect_call(VIDMM_DO_QUERY_ENGINE);
    assert_int_equal(rig.call.recover.node, node);
    recovered(node == 0 ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL, 0, UINT64_C(1) << node);
}

static void hang_to_the_group(void)
{
    begin_hang(true, true);
    preempt();
    pass_time();
    ask_the_engine(0);
    expect_call(VIDMM_DO_QUERY_GROUP);
}

static void only_the_guilty_device_is_in_error(void **state)
{
    const struct vidmm_reference reference = {2, 1};
    struct vidmm_event create = engine_event_create(2, 8, 2), submit;

    (void)state;
    begin_with(true, true);
    engine_rig_do(&rig, engine_event_create(1, 8, 2));
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 2));
    create.device = 2;
    engine_rig_do(&rig, create);
    submit_to(10, 0, 1);
    settle();
    submit = engine_event_submit(11, 0, &reference, 1);
    submit.device = 2;
    engine_rig_do(&rig, submit);
    settle();
    preempt();
    rig.count = 0;
    pass_time();
    ask_the_engine(0);
    expect_call(VIDMM_DO_QUERY_GROUP);
    recovered(STATUS_SUCCESS, 0, 1);
    expect_call(VIDMM_DO_RESET_ENGINE);
    recovered(STATUS_SUCCESS, 2, 0); /* paging had fence 1 */
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_ERROR)->error.device, 1);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_ERROR)->error.reason, VIDMM_REASON_HUNG);
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_RESET));
    assert_int_equal(rig.call.kind, VIDMM_DO_SUBMIT); /* the other goes again */
    assert_int_equal(rig.call.submit.dma_buffer, 11);
    engine_rig_run(&rig);
    assert_int_equal(engine_rig_step(&rig, submit), STATUS_SUCCESS);
    engine_rig_run(&rig);
    end();
}

static void a_failing_engine_reset_becomes_one_of_the_adapter(void **state)
{
    (void)state;
    hang_to_the_group();
    recovered(STATUS_SUCCESS, 0, 1);
    recovered(STATUS_UNSUCCESSFUL, 0, 0);
    expect_call(VIDMM_DO_RESET);
    engine_rig_run(&rig);
    end();
}

static void an_aborted_fence_out_of_range_ends_the_adapter(void **state)
{
    (void)state;
    hang_to_the_group();
    recovered(STATUS_SUCCESS, 0, 1);
    recovered(STATUS_SUCCESS, rig.fences[0] + 1, 0);
    assert_stopped(VIDMM_REASON_ABORTED_FENCE);
    end();
}

/* Between the oldest and the newest of its own, but given to the other node. */
static void an_aborted_fence_of_another_node_ends_the_adapter(void **state)
{
    (void)state;
    hang_to_the_group();
    recovered(STATUS_SUCCESS, 0, 1);
    recovered(STATUS_SUCCESS, 1, 0); /* paging had fence 1 */
    assert_stopped(VIDMM_REASON_ABORTED_FENCE);
    end();
}

/* 0 is what nothing completed looks like, and something was. */
static void no_aborted_fence_where_one_was_complete_ends_the_adapter(void **state)
{
    (void)state;
    begin_hang(true, true);
    engine_rig_complete(&rig, 0);
    submit_to(11, 0, 1);
    settle();
    preempt();
    pass_time();
    ask_the_engine(0);
    recovered(STATUS_SUCCESS, 0, 1);
    expect_call(VIDMM_DO_RESET_ENGINE);
    recovered(STATUS_SUCCESS, 0, 0);
    assert_stopped(VIDMM_REASON_ABORTED_FENCE);
    end();
}

/* A node that depends on another and cannot be preempted does not survive the other's reset. */
static void dependent_nodes_without_preemption_are_reset_too(void **state)
{
    (void)state;
    begin_hang(false, true);
    pass_time();
    expect_call(VIDMM_DO_QUERY_FENCE);
    recovered(STATUS_SUCCESS, 0, 0);
    ask_the_engine(0);
    recovered(STATUS_SUCCESS, 0, 3);
    ask_the_engine(1);
    recovered(STATUS_SUCCESS, 0, 3);
    expect_call(VIDMM_DO_RESET_ENGINE);
    assert_int_equal(rig.call.recover.node, 0);
    recovered(STATUS_SUCCESS, rig.fences[0], 0);
    expect_call(VIDMM_DO_RESET_ENGINE);
    assert_int_equal(rig.call.recover.node, 1);
    recovered(STATUS_SUCCESS, 1, 0); /* the last that it completed */
    rig.due[0] = false;
    engine_rig_run(&rig);
    end();
}

/* ---- contexts that end without power --------------------------------------------------------- */

static void what_an_ended_context_has_queued_is_not_run(void **state)
{
    struct vidmm_event rest = {.kind = VIDMM_EVENT_REST}, abandon = {.kind = VIDMM_EVENT_ABANDON},
                       resume = {.kind = VIDMM_EVENT_RESUME};
    const struct vidmm_reference reference = {1, 1};
    struct vidmm_event submit = engine_event_submit(10, 0, &reference, 1);

    (void)state;
    begin_with(true, true);
    engine_rig_do(&rig, engine_event_create(1, 8, 2));
    rest.rest.request = resume.rest.request = 1;
    rest.rest.power = VIDMM_POWER_D3;
    engine_rig_do(&rig, rest);
    engine_rig_run(&rig);
    for (submit.submit.context = 1; submit.submit.context <= 3; submit.submit.context++) {
        submit.submit.dma_buffer = 9 + submit.submit.context;
        engine_rig_do(&rig, submit);
    }
    rig.count = 0;
    abandon.abandon.context = 2;
    engine_rig_do(&rig, abandon);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.dma_buffer, 11);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.status,
                     (uint32_t)STATUS_DEVICE_REMOVED);
    abandon.abandon.context = 3; /* the last of the queue */
    engine_rig_do(&rig, abandon);
    rig.count = 0;
    engine_rig_do(&rig, resume);
    engine_rig_run(&rig);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_SUBMIT)->submit.dma_buffer, 10);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.dma_buffer, 10);
    submit.submit.dma_buffer = 13;
    engine_rig_do(&rig, submit); /* behind nobody */
    engine_rig_run(&rig);
    end();
}

static void a_group_without_its_node_ends_the_adapter(void **state)
{
    (void)state;
    hang_to_the_group();
    recovered(STATUS_SUCCESS, 0, 2);
    assert_stopped(VIDMM_REASON_ENGINE_GROUP);
    end();
}

static void dependent_nodes_have_half_a_second(void **state)
{
    uint64_t before;

    (void)state;
    begin_with(true, true);
    for (uint32_t id = 1; id <= 2; id++)
        engine_rig_do(&rig, engine_event_create(id, 8, 2));
    submit_to(10, 0, 1);
    settle();
    preempt();
    pass_time();
    ask_the_engine(0);
    recovered(STATUS_SUCCESS, 0, 3);
    expect_call(VIDMM_DO_PREEMPT);
    assert_int_equal(rig.call.recover.node, 1);
    before = rig.time_ns;
    recovered(STATUS_SUCCESS, 0, 0);
    assert_true(vidmm_engine_deadline(rig.engine) <= before + SECOND / 2);
    pass_time();
    ask_the_engine(1);
    expect_call(VIDMM_DO_QUERY_GROUP);
    assert_int_equal(rig.call.recover.node, 1);
    recovered(STATUS_SUCCESS, 0, 3);
    expect_call(VIDMM_DO_RESET_ENGINE); /* in order */
    assert_int_equal(rig.call.recover.node, 0);
    recovered(STATUS_SUCCESS, rig.fences[0], 0);
    expect_call(VIDMM_DO_RESET_ENGINE);
    assert_int_equal(rig.call.recover.node, 1);
    rig.due[0] = false;
    engine_rig_run(&rig);
    end();
}

/* It has run all that it had, and says nothing to the preemption (D-365): it has as long once more,
 * and no longer. */
static void an_idle_node_that_does_not_answer_hangs_in_the_end(void **state)
{
    (void)state;
    begin_hang(true, true);
    preempt();
    engine_rig_complete(&rig, 0);
    pass_time();
    assert_int_equal(rig.call.kind, 0); /* the first time */
    pass_time();
    expect_call(VIDMM_DO_QUERY_ENGINE);
    end();
}

static void what_is_reported_of_an_engine_under_reset_does_not_count(void **state)
{
    (void)state;
    hang_to_the_group();
    recovered(STATUS_SUCCESS, 0, 1);
    expect_call(VIDMM_DO_RESET_ENGINE);
    rig.count = 0;
    engine_rig_do(&rig, engine_event_fence(0, rig.fences[0])); /* D-368 */
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE));
    recovered(STATUS_SUCCESS, rig.fences[0], 0);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_ERROR)->error.device, 1);
    engine_rig_run(&rig);
    end();
}

static void paging_that_is_cut_off_takes_the_adapter_with_it(void **state)
{
    (void)state;
    begin_with(true, true);
    engine_rig_do(&rig, engine_event_create(1, 8, 2));
    submit_to(10, 0, 1);
    for (uint32_t i = 0; i < 20 && rig.call.kind != 0; i++)
        engine_rig_answer(&rig); /* the fill is in flight, on node 1 */
    preempt();
    pass_time();
    ask_the_engine(1);
    recovered(STATUS_SUCCESS, 0, 2);
    expect_call(VIDMM_DO_RESET_ENGINE);
    recovered(STATUS_SUCCESS, rig.fences[1], 0);
    expect_call(VIDMM_DO_RESET);
    engine_rig_run(&rig);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_ERROR)->error.reason, VIDMM_REASON_REMOVED);
    end();
}

/* ---- resetting the adapter ------------------------------------------------------------------- */

static const struct vidmm_operation *purge_of(uint32_t id)
{
    for (uint32_t i = 0; i < rig.count; i++)
        if (rig.log[i].kind == VIDMM_DO_BUILD && rig.log[i].allocation == id &&
            (rig.log[i].build.flags & VIDMM_PAGING_PURGE) != 0)
            return &rig.log[i];
    return NULL;
}

static void everything_leaves_and_nothing_is_copied(void **state)
{
    uint32_t at = 0, restart = 0;

    (void)state;
    begin_with(false, false);
    engine_rig_do(&rig, engine_event_create(1, 8, 2));
    engine_rig_do(&rig, engine_event_create(2, 8, 1));
    engine_rig_do(&rig, engine_event_create(3, 8, 2)); /* never used */
    engine_rig_use(&rig, 1, true);
    engine_rig_use(&rig, 2, true);
    submit_to(10, 0, 1);
    settle();
    pass_time();
    recovered(STATUS_SUCCESS, 0, 0);
    expect_call(VIDMM_DO_RESET); /* without PreemptionAware at once */
    rig.count = 0;
    engine_rig_run(&rig);
    assert_int_equal(purge_of(1)->build.operation, VIDMM_TRANSFER);
    assert_int_equal(purge_of(1)->build.size, 0);
    assert_int_equal(purge_of(1)->build.source.segment, 2);
    assert_int_equal(purge_of(2)->build.operation, VIDMM_UNMAP_APERTURE_SEGMENT);
    assert_int_equal(purge_of(2)->build.size, PAGES(8));
    assert_null(purge_of(3));
    for (uint32_t i = 0; i < rig.count; i++) {
        at = (rig.log[i].kind == VIDMM_DO_BUILD) ? i : at;
        restart = rig.log[i].kind == VIDMM_DO_RESTART ? i : restart;
    }
    assert_true(restart > at);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.status,
                     (uint32_t)STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_engine_where(rig.engine, 1).segment, 0);
    assert_int_equal(engine_rig_step(&rig, engine_event_lock(1, 1, true)), STATUS_DEVICE_REMOVED);
    assert_int_equal(engine_rig_step(&rig, engine_event_create(4, 8, 2)), STATUS_DEVICE_REMOVED);
    end();
}

static void new_devices_work_and_old_handles_close(void **state)
{
    const struct vidmm_reference reference = {5, 1};
    struct vidmm_event create = engine_event_create(5, 60, 2), submit;

    (void)state;
    begin_hang(true, false);
    preempt();
    pass_time();
    engine_rig_run(&rig);
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 2));
    create.device = 2;
    engine_rig_do(&rig, create);
    submit = engine_event_submit(20, 0, &reference, 1);
    submit.device = 2;
    rig.count = 0;
    engine_rig_do(&rig, submit);
    engine_rig_run(&rig);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.dma_buffer, 20);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_RETIRE)->retire.status, 0);
    engine_rig_do(&rig, engine_event_destroy(1));
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_DESTROY_DEVICE, 1));
    assert_non_null(engine_rig_find(&rig, 0, VIDMM_DO_DESTROY));
    end();
}

/* It is of the system device, which no reset removes, and waits for the room of what hangs. */
static void what_is_prepared_during_a_reset_is_prepared_again(void **state)
{
    const struct vidmm_reference reference = {2, 1};
    struct vidmm_event device = engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 2);
    struct vidmm_event create = engine_event_create(2, 60, 2), submit;
    const struct vidmm_operation *told;

    (void)state;
    begin_with(false, false);
    engine_rig_do(&rig, engine_event_create(1, 8, 2));
    submit_to(10, 0, 1);
    settle();
    device.create_device.system = 1;
    engine_rig_do(&rig, device);
    create.device = 2;
    engine_rig_do(&rig, create);
    submit = engine_event_submit(20, 0, &reference, 1);
    submit.device = 2;
    engine_rig_do(&rig, submit);
    settle();
    pass_time();
    recovered(STATUS_SUCCESS, 0, 0);
    expect_call(VIDMM_DO_RESET);
    rig.count = 0;
    engine_rig_run(&rig);
    told = engine_rig_find(&rig, 0, VIDMM_DO_SUBMIT);
    assert_non_null(told);
    assert_int_equal(told->submit.dma_buffer, 20);
    assert_int_equal(told->submit.start, 0);
    assert_true(told->submit.last);
    end();
}

/* Answer the build under way: the paging buffer is full. */
static void run_out(void)
{
    assert_int_equal(rig.call.kind, VIDMM_DO_BUILD);
    rig.call.kind = 0;
    engine_rig_do(&rig, engine_event_built(STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 1, 64));
}

/* 1 is half-way out, through the eviction aperture, and 2 half-way in, when the GPU stops; and it
 * stops again when the driver has been told half of that. */
static void a_reset_during_the_purge_tells_of_it_again(void **state)
{
    struct vidmm_event create = engine_event_create(1, 40, 2);

    (void)state;
    create.create.wish.eviction_set = 1;
    begin_with(false, false);
    engine_rig_do(&rig, create);
    engine_rig_do(&rig, engine_event_create(2, 40, 2));
    engine_rig_use(&rig, 1, true);
    submit_to(10, 0, 2);
    while (rig.call.kind != 0)
        engine_rig_answer(&rig);
    assert_true(rig.due[rig.paging_node]);
    for (uint32_t round = 0; round < 2; round++) {
        pass_time();
        if (round == 0) /* the second time it is not asked */
            recovered(STATUS_SUCCESS, 0, 0);
        expect_call(VIDMM_DO_RESET);
        engine_rig_answer(&rig);
        assert_int_equal(rig.call.allocation, 1);
        assert_int_equal(rig.call.build.operation, VIDMM_UNMAP_APERTURE_SEGMENT);
        assert_int_equal(rig.call.build.destination.segment, 1);
        assert_int_equal(rig.call.build.flags, VIDMM_PAGING_PURGE);
        assert_int_equal(rig.call.build.multipass_offset, 0);
        if (round == 0) {
            run_out();
            expect_call(VIDMM_DO_RESTART); /* nothing is submitted before */
            engine_rig_answer(&rig);
            expect_call(VIDMM_DO_SUBMIT_PAGING);
            engine_rig_answer(&rig);
            assert_int_equal(rig.call.kind, 0); /* there is one paging buffer: it waits */
        }
    }
    engine_rig_answer(&rig);
    assert_int_equal(rig.call.allocation, 2);
    assert_int_equal(rig.call.build.operation, VIDMM_TRANSFER);
    assert_int_equal(rig.call.build.size, 0);
    assert_int_equal(rig.call.build.flags, VIDMM_PAGING_PURGE | VIDMM_PAGING_IDLE |
                                               VIDMM_PAGING_START | VIDMM_PAGING_END);
    engine_rig_run(&rig);
    assert_false(rig.stopped);
    for (uint32_t id = 1; id <= 2; id++)
        assert_int_equal(vidmm_engine_where(rig.engine, id).segment, 0);
    end();
}

static void a_full_paging_buffer_is_no_end_of_the_purge(void **state)
{
    uint32_t purged = 0;

    (void)state;
    begin_with(true, false);
    for (uint32_t id = 1; id <= 6; id++) {
        engine_rig_do(&rig, engine_event_create(id, 4, 2));
        engine_rig_use(&rig, id, true);
    }
    submit_to(10, 0, 1);
    settle();
    preempt();
    pass_time();
    expect_call(VIDMM_DO_RESET);
    for (uint32_t i = 0, builds = 0; i < 200 && (rig.call.kind != 0 || rig.due[1]); i++) {
        if (rig.call.kind == VIDMM_DO_BUILD && ++builds % 2 == 0) {
            rig.call.kind = 0;
            engine_rig_do(&rig, engine_event_built(STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 0, 0));
        } else if (rig.call.kind != 0) {
            purged += rig.call.kind == VIDMM_DO_BUILD;
            engine_rig_answer(&rig);
        } else {
            engine_rig_complete(&rig, 1);
        }
    }
    assert_int_equal(purged, 6);
    assert_false(rig.stopped);
    end();
}

static void a_sixth_reset_within_a_minute_ends_the_adapter(void **state)
{
    const struct vidmm_reference none = {0, 0};
    uint32_t device = 1;

    (void)state;
    begin_with(true, false);
    for (; device <= 6; device++) {
        struct vidmm_event submit = engine_event_submit(device, 0, &none, 0);

        assert_false(rig.stopped);
        submit.device = device;
        engine_rig_do(&rig, submit);
        settle();
        preempt();
        pass_time();
        engine_rig_run(&rig);
        if (!rig.stopped)
            engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, device + 1));
        rig.count = rig.stopped ? rig.count : 0;
    }
    assert_stopped(VIDMM_REASON_TIMEOUT); /* D-242 */
    end();
}

static void five_resets_a_minute_are_forgiven_for_ever(void **state)
{
    const struct vidmm_reference none = {0, 0};

    (void)state;
    begin_with(true, false);
    for (uint32_t device = 1; device <= 12; device++) {
        struct vidmm_event submit = engine_event_submit(device, 0, &none, 0);

        submit.device = device;
        engine_rig_do(&rig, submit);
        settle();
        preempt();
        pass_time();
        engine_rig_run(&rig);
        assert_false(rig.stopped);
        rig.time_ns += 8 * SECOND; /* with the 4 that it takes: 12 from one to the next */
        engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, device + 1));
        rig.count = 0;
    }
    end();
}

static void a_failing_reset_ends_the_adapter(void **state)
{
    (void)state;
    begin_hang(true, false);
    preempt();
    pass_time();
    expect_call(VIDMM_DO_RESET);
    recovered(STATUS_UNSUCCESSFUL, 0, 0);
    assert_stopped(VIDMM_REASON_RESET_FAILED);
    end();
}

static void a_call_of_more_than_five_seconds_ends_the_adapter(void **state)
{
    (void)state;
    begin_with(true, false);
    engine_rig_do(&rig, engine_event_create(1, 8, 2));
    submit_to(10, 0, 1);
    expect_call(VIDMM_DO_BUILD);
    rig.time_ns += 5 * SECOND + 1;
    engine_rig_step(&rig, engine_event_built(STATUS_SUCCESS, 0, 64));
    assert_stopped(VIDMM_REASON_DRIVER_TIMEOUT);
    end();
}

/* ---- page faults ----------------------------------------------------------------------------- */

static void fault(uint32_t node, uint32_t fence, uint32_t flags)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FAULT};

    event.fault.node = node;
    event.fault.fence = fence;
    event.fault.flags = flags;
    event.fault.address = UINT64_C(0x123456000);
    engine_rig_do(&rig, event);
}

/* Devices 1 and 2: DMA buffers 10 of device 2, 11 of device 1, 12 of device 2 are in flight on node
 * 0, in that order, by the fences answered in *fences. */
static void begin_fault(uint32_t fences[3])
{
    begin_with(true, true);
    engine_rig_do(&rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 2));
    for (uint32_t i = 0; i < 3; i++) {
        struct vidmm_event submit = engine_event_submit(10 + i, 0, NULL, 0);

        submit.device = i == 1 ? 1 : 2;
        engine_rig_do(&rig, submit);
        settle();
        fences[i] = rig.fences[0];
    }
    rig.count = 0;
}

static uint32_t status_of(uint32_t dma_buffer)
{
    for (uint32_t i = 0; i < rig.count; i++)
        if (rig.log[i].kind == VIDMM_DO_RETIRE && rig.log[i].retire.dma_buffer == dma_buffer)
            return rig.log[i].retire.status;
    return STATUS_PENDING; /* it has not retired */
}

static void a_page_fault_ends_its_packet_and_its_device_and_no_other(void **state)
{
    struct vidmm_device_state is;
    uint32_t fences[3];

    (void)state;
    begin_fault(fences);
    fault(0, fences[1], VIDMM_FAULT_WRITE);
    assert_int_equal(status_of(10), STATUS_SUCCESS); /* before it: executed */
    assert_int_equal(status_of(11), (uint32_t)STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    assert_int_equal(status_of(12), STATUS_PENDING);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_ERROR)->error.device, 1);
    assert_int_equal(engine_rig_find(&rig, 0, VIDMM_DO_ERROR)->error.dma_buffer, 11);
    is = vidmm_engine_device_state(rig.engine, 1);
    assert_int_equal(is.status, (uint32_t)STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    assert_int_equal(is.reason, VIDMM_REASON_PAGE_FAULT);
    assert_int_equal(is.node, 0);
    assert_int_equal(is.flags, VIDMM_FAULT_WRITE);
    assert_int_equal(is.address, UINT64_C(0x123456000));
    assert_int_equal(vidmm_engine_device_state(rig.engine, 2).status, STATUS_SUCCESS);
    assert_int_equal(vidmm_engine_device_state(rig.engine, 99).reason, 0);
    assert_int_equal(rig.call.kind, 0); /* nothing is reset */
    engine_rig_run(&rig);
    assert_int_equal(status_of(12), STATUS_SUCCESS);
    assert_int_equal(engine_rig_step(&rig, engine_event_submit(14, 0, NULL, 0)),
                     STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    end();
}

static void a_page_fault_that_stops_its_engine_resets_that(void **state)
{
    uint32_t fences[3];

    (void)state;
    begin_fault(fences);
    fault(0, fences[1], VIDMM_FAULT_ENGINE_RESET);
    expect_call(VIDMM_DO_QUERY_ENGINE);
    recovered(STATUS_SUCCESS, 0, 0);
    expect_call(VIDMM_DO_QUERY_GROUP);
    recovered(STATUS_SUCCESS, 0, 1);
    expect_call(VIDMM_DO_RESET_ENGINE);
    recovered(STATUS_SUCCESS, fences[1], 0);
    assert_int_equal(vidmm_engine_device_state(rig.engine, 2).status, STATUS_SUCCESS);
    engine_rig_run(&rig);
    assert_int_equal(status_of(12), STATUS_SUCCESS); /* it went again */
    assert_null(engine_rig_find(&rig, 0, VIDMM_DO_RESET));
    end();
}

static void a_page_fault_that_stops_the_adapter_resets_that(void **state)
{
    uint32_t fences[3];

    (void)state;
    begin_fault(fences);
    fault(0, 0, VIDMM_FAULT_FENCE_INVALID | VIDMM_FAULT_ADAPTER_RESET);
    expect_call(VIDMM_DO_RESET); /* no engine alone */
    engine_rig_run(&rig);
    assert_int_equal(vidmm_engine_device_state(rig.engine, 1).reason, VIDMM_REASON_REMOVED);
    assert_int_equal(vidmm_engine_device_state(rig.engine, 2).reason, VIDMM_REASON_REMOVED);
    end();
}

static void a_page_fault_that_cannot_be_ends_the_adapter(void **state)
{
    static const uint32_t flags[] = {VIDMM_FAULT_FENCE_INVALID, VIDMM_FAULT_FATAL, 0, 0, 0};
    static const uint32_t reasons[] = {VIDMM_REASON_FAULT_FLAGS, VIDMM_REASON_FATAL_FAULT,
                                       VIDMM_REASON_UNKNOWN_FENCE, VIDMM_REASON_UNKNOWN_FENCE,
                                       VIDMM_REASON_COMMAND_FAILED};

    (void)state;
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t fences[3], node = i == 3 ? ENGINE_RIG_NODES : 0, fence;

        begin_fault(fences);
        fence = i == 2 ? fences[2] + 1 : fences[1];
        if (i == 4) { /* paging */
            engine_rig_do(&rig, engine_event_create(1, 8, 2));
            submit_to(20, 0, 1);
            while (rig.call.kind != 0)
                engine_rig_answer(&rig);
            node = rig.paging_node;
            fence = rig.fences[node];
        }
        fault(node, fence, flags[i]);
        assert_stopped(reasons[i]);
        end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_interrupt_is_all_that_was_wrong),
        cmocka_unit_test(a_fence_that_is_answered_and_not_reported_counts),
        cmocka_unit_test(paging_comes_back_first_and_with_its_fences),
        cmocka_unit_test(a_preemption_nobody_asked_for_ends_the_adapter),
        cmocka_unit_test(a_failed_preemption_ends_the_adapter),
        cmocka_unit_test(nothing_is_submitted_to_a_node_that_is_stopping),
        cmocka_unit_test(only_the_guilty_device_is_in_error),
        cmocka_unit_test(a_failing_engine_reset_becomes_one_of_the_adapter),
        cmocka_unit_test(an_aborted_fence_out_of_range_ends_the_adapter),
        cmocka_unit_test(an_aborted_fence_of_another_node_ends_the_adapter),
        cmocka_unit_test(no_aborted_fence_where_one_was_complete_ends_the_adapter),
        cmocka_unit_test(dependent_nodes_without_preemption_are_reset_too),
        cmocka_unit_test(what_an_ended_context_has_queued_is_not_run),
        cmocka_unit_test(a_group_without_its_node_ends_the_adapter),
        cmocka_unit_test(dependent_nodes_have_half_a_second),
        cmocka_unit_test(an_idle_node_that_does_not_answer_hangs_in_the_end),
        cmocka_unit_test(what_is_reported_of_an_engine_under_reset_does_not_count),
        cmocka_unit_test(paging_that_is_cut_off_takes_the_adapter_with_it),
        cmocka_unit_test(everything_leaves_and_nothing_is_copied),
        cmocka_unit_test(new_devices_work_and_old_handles_close),
        cmocka_unit_test(what_is_prepared_during_a_reset_is_prepared_again),
        cmocka_unit_test(a_reset_during_the_purge_tells_of_it_again),
        cmocka_unit_test(a_full_paging_buffer_is_no_end_of_the_purge),
        cmocka_unit_test(a_sixth_reset_within_a_minute_ends_the_adapter),
        cmocka_unit_test(five_resets_a_minute_are_forgiven_for_ever),
        cmocka_unit_test(a_failing_reset_ends_the_adapter),
        cmocka_unit_test(a_page_fault_ends_its_packet_and_its_device_and_no_other),
        cmocka_unit_test(a_page_fault_that_stops_its_engine_resets_that),
        cmocka_unit_test(a_page_fault_that_stops_the_adapter_resets_that),
        cmocka_unit_test(a_page_fault_that_cannot_be_ends_the_adapter),
        cmocka_unit_test(a_call_of_more_than_five_seconds_ends_the_adapter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
