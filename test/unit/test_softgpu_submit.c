/* SubmitCommand, interrupts, preemption, reset. */
#include "test_softgpu_world.h"

static void exactly_as_many_as_announced_are_queued(void **state)
{
    struct softgpu_config config = machine_small_config();

    (void)state;
    begin_submitting(&config);
    for (UINT i = 1; i <= 31; i++)
        assert_int_equal(submit_empty(i, i & 1), STATUS_SUCCESS);
    assert_false(NT_SUCCESS(submit_empty(32, 0)));
    assert_refused("31 are queued, RequiredDmaQueueEntry is 31");
    settle();
    assert_int_equal(submit_empty(33, 0), STATUS_SUCCESS);
    settle();
    assert_int_equal(statistics().driver_most_queued, 31);
    assert_int_equal(statistics().packets, 32);
    end();
}

static void every_fence_is_reported_on_its_node_and_a_dpc_follows(void **state)
{
    struct softgpu_config config = machine_small_config();

    (void)state;
    begin_submitting(&config);
    for (UINT i = 0; i < 6; i++) {
        assert_int_equal(submit_empty(UINT32_MAX - 2 + i, i & 1), STATUS_SUCCESS);
        settle();
        assert_int_equal(world.event_count, i + 1);
        assert_int_equal(world.events[i].type, DXGK_INTERRUPT_DMA_COMPLETED);
        assert_int_equal(world.events[i].fence, UINT32_MAX - 2 + i);
        assert_int_equal(world.events[i].node, i & 1);
    }
    assert_int_equal(world.dpcs_notified, 6);
    end();
}

static void late_interrupts_report_the_newest_fence_only(void **state)
{
    struct softgpu_config config = machine_small_config();

    (void)state;
    config.interrupts = SOFTGPU_LATE;
    begin_submitting(&config);
    for (UINT i = 1; i <= 9; i++)
        assert_int_equal(submit_empty(i, 1), STATUS_SUCCESS);
    settle();
    assert_int_equal(world.event_count, 1);
    assert_int_equal(world.events[0].fence, 9);
    end();
}

static void the_immediate_habit_reports_before_submit_returns(void **state)
{
    struct softgpu_config config = machine_small_config();

    (void)state;
    config.habit = SOFTGPU_IMMEDIATE;
    begin_submitting(&config);
    for (UINT i = 1; i <= 40; i++) {
        assert_int_equal(submit_empty(i, 1), STATUS_SUCCESS);
        assert_int_equal(world.event_count, i);
        assert_int_equal(world.events[(i - 1) % LOG].fence, i);
    }
    assert_true(world.dpc_pending);
    settle();
    assert_int_equal(world.dpcs_notified, 1); /* they coalesce */
    end();
}

static void an_interrupt_that_is_not_ours_is_not_taken(void **state)
{
    (void)state;
    begin_small();
    assert_false(world.ddi.DxgkDdiInterruptRoutine(world.adapter, 0));
    assert_int_equal(world.event_count, 0);
    end();
}

static void the_current_fence_is_reported_if_it_was_not_yet(void **state)
{
    struct softgpu_config config = machine_small_config();
    DXGKARG_QUERYCURRENTFENCE question = {.NodeOrdinal = 1};

    (void)state;
    config.interrupts = SOFTGPU_LATE;
    begin_submitting(&config);
    assert_int_equal(submit_empty(5, 1), STATUS_SUCCESS);
    while (statistics().packets == 0)
        world.machine.engines[1].step(world.machine.engines[1].engine);
    assert_int_equal(world.event_count, 0);
    assert_int_equal(world.ddi.DxgkDdiQueryCurrentFence(world.adapter, &question), STATUS_SUCCESS);
    assert_int_equal(question.CurrentFence, 5);
    assert_int_equal(world.event_count, 1); /* D-362 */
    settle();
    assert_int_equal(world.event_count, 1);
    question.NodeOrdinal = 2;
    assert_int_equal(world.ddi.DxgkDdiQueryCurrentFence(world.adapter, &question),
                     STATUS_INVALID_PARAMETER);
    end();
}

static void submissions_that_make_no_sense_are_refused(void **state)
{
    struct softgpu_config config = machine_small_config();
    DXGKARG_SUBMITCOMMAND args = {.DmaBufferSize = 4096, .SubmissionFenceId = 1};

    (void)state;
    begin_submitting(&config);
    assert_int_equal(submit_empty(1, 2), STATUS_INVALID_PARAMETER);
    args.DmaBufferSubmissionEndOffset = 4097;
    assert_int_equal(world.ddi.DxgkDdiSubmitCommand(world.adapter, &args),
                     STATUS_INVALID_PARAMETER);
    args.DmaBufferSubmissionEndOffset = 8;
    args.DmaBufferSubmissionStartOffset = 16;
    assert_int_equal(world.ddi.DxgkDdiSubmitCommand(world.adapter, &args),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(statistics().driver_refusals, 3);
    settle();
    assert_int_equal(world.event_count, 0);
    end();
}

static void a_preemption_is_answered_with_what_was_completed(void **state)
{
    struct softgpu_config config = machine_small_config();
    DXGKARG_PREEMPTCOMMAND args = {.PreemptionFenceId = 100, .NodeOrdinal = 1};

    (void)state;
    begin_submitting(&config);
    for (UINT i = 1; i <= 4; i++)
        assert_int_equal(submit_empty(i, 1), STATUS_SUCCESS);
    while (statistics().packets < 2)
        world.machine.engines[1].step(world.machine.engines[1].engine);
    assert_int_equal(world.ddi.DxgkDdiPreemptCommand(world.adapter, &args), STATUS_SUCCESS);
    settle();
    assert_int_equal(world.event_count, 3);
    assert_int_equal(world.events[2].type, DXGK_INTERRUPT_DMA_PREEMPTED);
    assert_int_equal(world.events[2].fence, 100);
    assert_int_equal(world.events[2].last_completed, 2);
    assert_int_equal(world.events[2].node, 1);
    assert_int_equal(submit_empty(3, 1), STATUS_SUCCESS); /* D-084: paging keeps its fences */
    settle();
    assert_int_equal(world.events[3].fence, 3);
    end();
}

static void a_preemption_of_nothing_is_reported_by_the_driver_itself(void **state)
{
    struct softgpu_config config = machine_small_config();
    DXGKARG_PREEMPTCOMMAND args = {.PreemptionFenceId = 100, .NodeOrdinal = 0};

    (void)state;
    for (int habit = 0; habit < 2; habit++) {
        config.habit = habit ? SOFTGPU_IMMEDIATE : SOFTGPU_QUEUED;
        begin_submitting(&config);
        assert_int_equal(submit_empty(7, 0), STATUS_SUCCESS);
        settle();
        assert_int_equal(world.ddi.DxgkDdiPreemptCommand(world.adapter, &args), STATUS_SUCCESS);
        assert_int_equal(world.event_count, 2); /* D-365 */
        assert_int_equal(world.events[1].type, DXGK_INTERRUPT_DMA_PREEMPTED);
        assert_int_equal(world.events[1].last_completed, 7);
        end();
    }
}

static void a_reset_gives_the_gpu_back(void **state)
{
    struct softgpu_config config = machine_small_config();
    DXGKARG_QUERYCURRENTFENCE question = {.NodeOrdinal = 1};
    char text[200] = "";
    DXGKARG_COLLECTDBGINFO info = {.pBuffer = text, .BufferSize = sizeof(text)};

    (void)state;
    config.hang_engine = 1;
    config.hang_packet = 2;
    begin_submitting(&config);
    for (UINT i = 1; i <= 3; i++)
        assert_int_equal(submit_empty(i, 1), STATUS_SUCCESS);
    settle();
    assert_int_equal(world.event_count, 1); /* it hangs */
    assert_int_equal(world.ddi.DxgkDdiCollectDbgInfo(world.adapter, &info), STATUS_SUCCESS);
    assert_string_equal(text, "node 0: 0 packets retired, fence 0 completed\n"
                              "node 1: 1 packets retired, fence 1 completed\n");
    assert_int_equal(world.ddi.DxgkDdiResetFromTimeout(world.adapter), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiRestartFromTimeout(world.adapter), STATUS_SUCCESS);
    assert_int_equal(world.ddi.DxgkDdiQueryCurrentFence(world.adapter, &question), STATUS_SUCCESS);
    assert_int_equal(question.CurrentFence, 3); /* D-367 */
    assert_int_equal(world.event_count, 1);
    assert_int_equal(submit_empty(4, 1), STATUS_SUCCESS);
    settle();
    assert_int_equal(world.events[1].fence, 4);
    end();
}

static void without_contexts_all_goes_to_node_0(void **state)
{
    struct softgpu_config config = machine_small_config();
    DXGKARG_CREATECONTEXT args = {.NodeOrdinal = 0, .EngineAffinity = 1};
    HANDLE device;

    (void)state;
    config.multi_engine = false;
    begin_submitting(&config);
    device = create_device();
    assert_int_equal(world.ddi.DxgkDdiCreateContext(device, &args), STATUS_INVALID_PARAMETER);
    assert_int_equal(submit_empty(4, 1), STATUS_SUCCESS);
    settle();
    assert_int_equal(world.events[0].node, 0);
    world.ddi.DxgkDdiDestroyDevice(device);
    end();
}

static void what_the_driver_has_no_use_for_it_says(void **state)
{
    DXGKARG_ESCAPE escape = {.hDevice = NULL};
    DXGK_CHILD_DESCRIPTOR children[1];

    (void)state;
    begin_small();
    assert_int_equal(world.ddi.DxgkDdiEscape(world.adapter, &escape), STATUS_INVALID_PARAMETER);
    memset(children, 0, sizeof(children));
    assert_int_equal(
        world.ddi.DxgkDdiQueryChildRelations(world.adapter, children, sizeof(children)),
        STATUS_SUCCESS);
    assert_int_equal(children[0].ChildDeviceType, TypeUninitialized);
    assert_int_equal(
        world.ddi.DxgkDdiSetPowerState(world.adapter, 0, PowerDeviceD3, PowerActionSleep),
        STATUS_SUCCESS);
    assert_int_equal(
        world.ddi.DxgkDdiControlInterrupt(world.adapter, DXGK_INTERRUPT_DMA_COMPLETED, TRUE),
        STATUS_NOT_IMPLEMENTED);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_as_many_as_announced_are_queued),
        cmocka_unit_test(every_fence_is_reported_on_its_node_and_a_dpc_follows),
        cmocka_unit_test(late_interrupts_report_the_newest_fence_only),
        cmocka_unit_test(the_immediate_habit_reports_before_submit_returns),
        cmocka_unit_test(an_interrupt_that_is_not_ours_is_not_taken),
        cmocka_unit_test(the_current_fence_is_reported_if_it_was_not_yet),
        cmocka_unit_test(submissions_that_make_no_sense_are_refused),
        cmocka_unit_test(a_preemption_is_answered_with_what_was_completed),
        cmocka_unit_test(a_preemption_of_nothing_is_reported_by_the_driver_itself),
        cmocka_unit_test(a_reset_gives_the_gpu_back),
        cmocka_unit_test(without_contexts_all_goes_to_node_0),
        cmocka_unit_test(what_the_driver_has_no_use_for_it_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
