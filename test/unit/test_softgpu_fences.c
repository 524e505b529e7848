/* Monitored fences of the software GPU: engines that wait for a value, and who wakes them. */
#include "test_softgpu_tables.h"

#define FENCE (PAGE_A + 64) /* of the process; page 3 of the memory segment */
#define RESULT UINT64_C(0x210000)

/* Wait for a fence, then fill a page: what user mode submits. */
struct stream {
    struct softgpu_virtual_fill before;
    struct softgpu_virtual_wait wait;
    struct softgpu_virtual_fill after;
};

static struct space user;

static struct softgpu_virtual_fill fill_of(uint64_t gpuva, uint32_t pattern)
{
    return (struct softgpu_virtual_fill){
        .command = {.opcode = SOFTGPU_VIRTUAL_FILL, .size = sizeof(struct softgpu_virtual_fill)},
        .bytes = 4096,
        .gpuva = gpuva,
        .space = SOFTGPU_VIRTUAL_SPACE,
        .pattern = pattern,
    };
}

static struct stream stream_of(uint64_t value, uint32_t bits)
{
    return (struct stream){
        .before = fill_of(RESULT, 0x11111111),
        .wait = {.command = {.opcode = SOFTGPU_VIRTUAL_WAIT,
                             .size = sizeof(struct softgpu_op_wait)},
                 .gpuva = FENCE,
                 .value = value,
                 .bits = bits},
        .after = fill_of(RESULT + 4096, 0x22222222),
    };
}

static void set_fence(uint64_t value)
{
    memcpy(memory_page(3) + 64, &value, sizeof(value));
}

static void begin_fences(const struct softgpu_config *config)
{
    begin_tables(config);
    start_user(&user);
    map_page(&user, PAGE_A, MEMORY, 3);
    map_page(&user, RESULT, MEMORY, 4);
    map_page(&user, RESULT + 4096, MEMORY, 5);
    map_page(&SMALL.paging, SCRATCH, MEMORY, 3);
    flush(&user);
    submit_paging();
    for (UINT i = 3; i <= 5; i++)
        memset(memory_page(i), 0, 4096);
}

static void end_fences(void)
{
    assert_string_equal(statistics().fault, "");
    end_space(&user);
    end_tables();
}

/* Have a paging buffer run, and what it wakes. */
static void run_paging(void)
{
    buffer.held = true;
    submit_paging();
    buffer.held = false;
    settle();
}

/* Another engine signals. */
static void signal_by_paging(uint64_t value)
{
    memset(&buffer.args.Reserved, 0, sizeof(buffer.args.Reserved));
    buffer.args.Operation = DXGK_OPERATION_SIGNAL_MONITORED_FENCE;
    buffer.args.SignalMonitoredFence.MonitoredFenceGpuVa = SCRATCH + 64;
    buffer.args.SignalMonitoredFence.MonitoredFenceValue = value;
    build();
    run_paging();
}

static bool is_completed(UINT fence)
{
    DXGKARG_QUERYCURRENTFENCE query = {.NodeOrdinal = NODE};

    assert_int_equal(world.ddi.DxgkDdiQueryCurrentFence(world.adapter, &query), STATUS_SUCCESS);
    return query.CurrentFence == fence;
}

static void assert_held(UINT fence)
{
    assert_false(is_completed(fence));
    assert_filled(memory_page(4), 0x11);
    assert_filled(memory_page(5), 0);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void an_engine_waits_until_another_has_signalled(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct softgpu_config config = config_of_tables();
        struct stream stream = stream_of(7, 64);
        UINT fence;

        config.interrupts = late ? SOFTGPU_LATE : SOFTGPU_PROMPT;
        begin_fences(&config);
        fence = run_user(&user, &stream, sizeof(stream));
        assert_held(fence);
        assert_int_equal(statistics().waits, 1);
        signal_by_paging(6);
        assert_held(fence);
        signal_by_paging(8); /* D-188: at or above */
        assert_true(is_completed(fence));
        assert_filled(memory_page(5), 0x22);
        assert_int_equal(statistics().waits, 1);
        end_fences();
    }
}

static void a_value_that_is_there_is_not_waited_for(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct stream stream = stream_of(7, 64);
    UINT fence;

    (void)state;
    begin_fences(&config);
    set_fence(7);
    fence = run_user(&user, &stream, sizeof(stream));
    assert_true(is_completed(fence));
    assert_int_equal(statistics().waits, 0);
    end_fences();
}

/* Memory holds `there`; whether a wait for `value` holds the engine. */
static void judge(uint64_t there, uint64_t value, uint32_t bits, bool atomics_64, bool held)
{
    struct softgpu_config config = config_of_tables();
    struct stream stream = stream_of(value, bits);
    UINT fence;

    config.atomics_64 = atomics_64;
    begin_fences(&config);
    set_fence(there);
    fence = run_user(&user, &stream, sizeof(stream));
    assert_int_equal(is_completed(fence), !held);
    if (held)
        signal_by_paging(value);
    assert_true(is_completed(fence));
    end_fences();
}

/* D-185 */
static void half_a_value_wraps_and_a_whole_one_does_not(void **state)
{
    (void)state;
    judge(UINT64_C(0x100000005), UINT64_C(0x200000005), 64, true, true);
    judge(UINT64_C(0x100000005), UINT64_C(0x0ffffffff), 64, true, false);
    judge(0xfffffffe, 2, 32, true, true);
    judge(1, 0xfffffffe, 32, true, false);
    judge(0x7fffffff, 0x80000000, 32, false, true);
    judge(UINT64_C(0x900000004), 5, 32, false, true); /* the upper half is nobody's */
}

/* ---- who wakes ------------------------------------------------------------------------------- */

static void look(void)
{
    struct softgpu_escape message = {.magic = SOFTGPU_ESCAPE_LOOK};
    DXGKARG_ESCAPE escape = {.pPrivateDriverData = &message,
                             .PrivateDriverDataSize = sizeof(message)};

    assert_int_equal(world.ddi.DxgkDdiEscape(world.adapter, &escape), STATUS_SUCCESS);
    settle();
}

static void what_the_processor_writes_is_seen_when_somebody_says_so(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct stream stream = stream_of(7, 64);
    UINT fence;

    (void)state;
    begin_fences(&config);
    fence = run_user(&user, &stream, sizeof(stream));
    look();
    assert_held(fence);
    set_fence(7);
    settle();
    assert_held(fence); /* nothing looks by itself */
    look();
    assert_true(is_completed(fence));
    end_fences();
}

static void what_another_engine_writes_is_seen_when_its_packet_ends(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct stream stream = stream_of(0x33333333, 32);
    UINT fence;

    (void)state;
    begin_fences(&config);
    fence = run_user(&user, &stream, sizeof(stream));
    assert_held(fence);
    build_fill(SOFTGPU_SEGMENT_BASE(MEMORY) + 3 * 4096, 4096, 0x33333333);
    run_paging();
    assert_true(is_completed(fence));
    end_fences();
}

static void give(const struct space *space, uint64_t gpuva, UINT size, bool again)
{
    DXGKARG_SUBMITCOMMANDVIRTUAL args = {
        .hContext = space->context,
        .DmaBufferVirtualAddress = gpuva,
        .DmaBufferSize = size,
        .SubmissionFenceId = ++world.fence,
        .Flags.Resubmission = again,
        .NodeOrdinal = NODE,
    };

    assert_int_equal(world.ddi.DxgkDdiSubmitCommandVirtual(world.adapter, &args), STATUS_SUCCESS);
}

static void a_late_interrupt_comes_though_the_next_packet_waits(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct stream stream = stream_of(7, 64);
    UINT first, fence;

    (void)state;
    config.interrupts = SOFTGPU_LATE;
    begin_fences(&config);
    memcpy(machine_at(&world.machine, user.stream * 4096), &stream, sizeof(stream));
    give(&user, COMMANDS, sizeof(stream.before), false);
    first = world.fence;
    give(&user, COMMANDS, sizeof(stream), false);
    fence = world.fence;
    settle();
    assert_int_equal(last_event()->type, DXGK_INTERRUPT_DMA_COMPLETED);
    assert_int_equal(last_event()->fence, first);
    signal_by_paging(7);
    assert_true(is_completed(fence));
    end_fences();
}

static void in_the_immediate_habit_the_submission_returns_and_is_completed_later(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct stream stream = stream_of(7, 64);
    UINT fence;

    (void)state;
    config.habit = SOFTGPU_IMMEDIATE;
    begin_fences(&config);
    fence = run_user(&user, &stream, sizeof(stream));
    assert_held(fence);
    signal_by_paging(7);
    assert_true(is_completed(fence));
    assert_filled(memory_page(5), 0x22);
    end_fences();
}

/* ---- recovery -------------------------------------------------------------------------------- */

static void preempt(UINT preemption_fence)
{
    DXGKARG_PREEMPTCOMMAND args = {.NodeOrdinal = NODE, .PreemptionFenceId = preemption_fence};

    assert_int_equal(world.ddi.DxgkDdiPreemptCommand(world.adapter, &args), STATUS_SUCCESS);
    settle();
}

static void submit_again(const struct stream *stream, bool again)
{
    give(&user, COMMANDS, sizeof(*stream), again);
    settle();
}

/* A new submission runs it from the beginning; one that comes again does not. */
static void a_packet_that_waits_is_taken_back_and_goes_on_where_it_was(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) {
        struct softgpu_config config = config_of_tables();
        struct stream stream = stream_of(7, 64);
        UINT fence;

        begin_fences(&config);
        fence = run_user(&user, &stream, sizeof(stream));
        assert_held(fence);
        preempt(1000);
        assert_int_equal(last_event()->type, DXGK_INTERRUPT_DMA_PREEMPTED);
        assert_int_equal(last_event()->fence, 1000);
        assert_int_not_equal(last_event()->last_completed, fence);
        signal_by_paging(7);
        assert_false(is_completed(fence)); /* nobody runs it */
        assert_filled(memory_page(5), 0);
        memset(memory_page(4), 0x77, 4096);
        submit_again(&stream, again);
        assert_true(is_completed(world.fence));
        assert_filled(memory_page(4), again ? 0x77 : 0x11);
        assert_filled(memory_page(5), 0x22);
        end_fences();
    }
}

static void work_of_other_contexts_runs_while_one_is_taken_back(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct stream stream = stream_of(7, 64);
    struct softgpu_virtual_signal signal = {
        .command = {.opcode = SOFTGPU_VIRTUAL_SIGNAL, .size = sizeof(signal)},
        .gpuva = FENCE,
        .value = 7};
    struct space other;

    (void)state;
    begin_fences(&config);
    start_user(&other);
    map_page(&other, PAGE_A, MEMORY, 3);
    flush(&other);
    submit_paging();
    run_user(&user, &stream, sizeof(stream));
    preempt(1000);
    run_user(&other, &signal, sizeof(signal));
    assert_true(is_completed(world.fence));
    submit_again(&stream, true);
    assert_true(is_completed(world.fence));
    assert_filled(memory_page(5), 0x22);
    end_space(&other);
    end_fences();
}

static void a_wait_that_nobody_ends_is_reset(void **state)
{
    struct softgpu_config config = config_of_tables();
    DXGKARG_QUERYENGINESTATUS status = {.NodeOrdinal = NODE};
    DXGKARG_RESETENGINE reset = {.NodeOrdinal = NODE};
    struct stream stream = stream_of(7, 64);
    UINT fence;

    (void)state;
    config.engine_reset = true;
    begin_fences(&config);
    fence = run_user(&user, &stream, sizeof(stream));
    assert_int_equal(world.ddi.DxgkDdiQueryEngineStatus(world.adapter, &status), STATUS_SUCCESS);
    assert_int_equal(status.EngineStatus.Responsive, 0);
    assert_int_equal(world.ddi.DxgkDdiResetEngine(world.adapter, &reset), STATUS_SUCCESS);
    assert_int_equal(reset.LastAbortedFenceId, fence);
    signal_by_paging(7);
    assert_filled(memory_page(5), 0);
    fence = fill_by_user(&user, RESULT, 4096, 0x44444444);
    assert_true(is_completed(fence));
    assert_filled(memory_page(4), 0x44);
    end_fences();
}

/* ---- nonsense -------------------------------------------------------------------------------- */

static void wrong_wait(struct softgpu_virtual_wait wait, bool atomics_64, const char *text)
{
    struct softgpu_config config = config_of_tables();

    config.atomics_64 = atomics_64;
    begin_fences(&config);
    wait.command = (struct softgpu_command){SOFTGPU_VIRTUAL_WAIT, sizeof(wait)};
    assert_true(is_completed(run_user(&user, &wait, sizeof(wait))));
    if (strstr(statistics().fault, text) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", text, statistics().fault);
    assert_int_equal(statistics().waits, 0);
    end_space(&user);
    end_tables();
}

static void a_wait_that_makes_no_sense_is_a_fault(void **state)
{
    (void)state;
    wrong_wait((struct softgpu_virtual_wait){.gpuva = FENCE + 4, .bits = 32}, true, "not aligned");
    wrong_wait((struct softgpu_virtual_wait){.gpuva = FENCE, .bits = 16}, true,
               "16 bits; this GPU compares 32 or 64");
    wrong_wait((struct softgpu_virtual_wait){.gpuva = FENCE, .bits = 64}, false,
               "64 bits; this GPU compares 32");
}

static void a_fence_that_is_unmapped_is_a_page_fault(void **state)
{
    struct softgpu_config config = config_of_tables();
    struct stream stream = stream_of(7, 64);

    (void)state;
    begin_fences(&config);
    run_user(&user, &stream, sizeof(stream));
    unmap_page(&user, PAGE_A);
    flush(&user);
    run_paging();
    assert_int_equal(statistics().page_faults, 1);
    assert_filled(memory_page(5), 0);
    end_space(&user);
    end_tables();
}

/* ---- signals of the system's own buffers ----------------------------------------------------- */

static void the_system_has_a_signal_put_behind_what_it_builds(void **state)
{
    struct softgpu_config config = config_of_tables();
    unsigned char commands[64];
    DXGKARG_SIGNALMONITOREDFENCE args = {.pDmaBuffer = commands,
                                         .DmaSize = sizeof(commands),
                                         .MonitoredFenceGpuVa = FENCE,
                                         .MonitoredFenceValue = 41};
    uint64_t value;

    (void)state;
    begin_fences(&config);
    assert_int_equal(world.ddi.DxgkDdiSignalMonitoredFence(user.context, &args), STATUS_SUCCESS);
    assert_int_equal((unsigned char *)args.pDmaBuffer - commands,
                     sizeof(struct softgpu_virtual_signal));
    assert_int_equal(args.DmaSize, sizeof(commands) - sizeof(struct softgpu_virtual_signal));
    run_user(&user, commands, sizeof(struct softgpu_virtual_signal));
    memcpy(&value, memory_page(3) + 64, sizeof(value));
    assert_int_equal(value, 41);
    args.DmaSize = 8;
    assert_int_equal(world.ddi.DxgkDdiSignalMonitoredFence(user.context, &args),
                     STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
    args.DmaSize = 40;
    args.MonitoredFenceGpuVa = FENCE + 4;
    assert_int_equal(world.ddi.DxgkDdiSignalMonitoredFence(user.context, &args),
                     STATUS_INVALID_PARAMETER);
    assert_refused("expected a multiple of 8");
    end_fences();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_engine_waits_until_another_has_signalled),
        cmocka_unit_test(a_value_that_is_there_is_not_waited_for),
        cmocka_unit_test(half_a_value_wraps_and_a_whole_one_does_not),
        cmocka_unit_test(what_the_processor_writes_is_seen_when_somebody_says_so),
        cmocka_unit_test(what_another_engine_writes_is_seen_when_its_packet_ends),
        cmocka_unit_test(a_late_interrupt_comes_though_the_next_packet_waits),
        cmocka_unit_test(in_the_immediate_habit_the_submission_returns_and_is_completed_later),
        cmocka_unit_test(a_packet_that_waits_is_taken_back_and_goes_on_where_it_was),
        cmocka_unit_test(work_of_other_contexts_runs_while_one_is_taken_back),
        cmocka_unit_test(a_wait_that_nobody_ends_is_reset),
        cmocka_unit_test(a_wait_that_makes_no_sense_is_a_fault),
        cmocka_unit_test(a_fence_that_is_unmapped_is_a_page_fault),
        cmocka_unit_test(the_system_has_a_signal_put_behind_what_it_builds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
