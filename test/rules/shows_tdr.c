/* shows_tdr.c: tdr.def, obeyed. */
#include "flag_words.h"
#include "hang.h"

#include <vidmm/host.h>
#include <vidmm/residency.h>

#include "wddm/call.h"

static struct shown shown;

static void begin(const char *gpu)
{
    struct rig_options options = hang_options(gpu);

    shown_init(&shown, &options, NULL);
}

static size_t find(enum vidmm_ddi ddi)
{
    size_t at = shown_next(&shown, 0, ddi);

    assert_true(at != SIZE_MAX);
    return at;
}

/* ---- everything leaves ----------------------------------------------------------------------- */

static void purge_without_copying(void)
{
    size_t at, restart, transfers = 0, unmaps = 0;

    begin("hang 0 1\n");
    hang_render(&shown);
    at = find(VIDMM_DDI_RESET_FROM_TIMEOUT);
    restart = find(VIDMM_DDI_RESTART_FROM_TIMEOUT);
    assert_true(restart > at);
    for (; at < restart; at++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &shown.calls[at].argument.build;

        if (shown.calls[at].ddi != VIDMM_DDI_BUILD_PAGING_BUFFER || shown.calls[at].returned)
            continue;
        if (build->Operation == DXGK_OPERATION_TRANSFER) {
            assert_int_equal(build->Transfer.TransferSize, 0);
            assert_int_equal(build->Transfer.Source.SegmentId, 2);
            assert_int_equal(build->Transfer.Destination.SegmentId, 0);
            transfers++;
        } else {
            assert_int_equal(build->Operation, DXGK_OPERATION_UNMAP_APERTURE_SEGMENT);
            unmaps += build->UnmapApertureSegment.hAllocation != NULL;
        }
    }
    assert_int_equal(transfers, 1);
    assert_int_equal(unmaps, 1);
    hang_finish(&shown);
}

void shows_D_239(void **state)
{
    (void)state;
    purge_without_copying();
}

/* ---- who is in the driver -------------------------------------------------------------------- */

/* On the machine's own clock. Somebody creates and is in the driver when the reset comes due; when
 * he has left, the reset stays inside while others come. A wait of a tenth of a second ends when
 * nobody can do anything any more: anything that did not happen by then was kept from happening. */
static struct {
    DXGKDDI_CREATEALLOCATION *create;
    DXGKDDI_RESETFROMTIMEOUT *reset;
    unsigned inside, resets, met;
    unsigned coming, kept_out; /* in vidmm_allocation_create(); at the end of the reset */
    bool due, early;           /* the reset was due while he was inside; it came then */
} crowd;

static bool wait_in_driver(bool (*ready)(void *argument), uint64_t time_ns)
{
    const struct vidmm_host *host = vidmm_slot_host(shown.rig.slot);

    return host->wait(host->context, ready, NULL, time_ns);
}

static bool is_due(void *argument)
{
    (void)argument;
    for (size_t i = 0; i < shown.operation_count; i++)
        if (shown.operations[i].kind == VIDMM_DO_RESET)
            return true;
    return false;
}

static bool is_reset(void *argument)
{
    (void)argument;
    return crowd.resets != 0;
}

static bool is_met(void *argument)
{
    (void)argument;
    return crowd.inside != 0;
}

static NTSTATUS create_slowly(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    NTSTATUS status;

    crowd.inside++;
    if (!crowd.due) {
        crowd.due = wait_in_driver(is_due, 10 * HANG_SECOND);
        crowd.early = wait_in_driver(is_reset, HANG_SECOND / 10);
    }
    status = crowd.create(adapter, arguments);
    crowd.inside--;
    return status;
}

static NTSTATUS reset_alone(HANDLE adapter)
{
    crowd.resets++;
    if (!is_met(NULL))
        wait_in_driver(is_met, HANG_SECOND / 10);
    crowd.met += crowd.inside;
    crowd.kept_out = crowd.coming - 1; /* one has left the driver, and pumps */
    return crowd.reset(adapter);
}

static void bend_crowd(DRIVER_INITIALIZATION_DATA *driver)
{
    crowd.create = driver->DxgkDdiCreateAllocation;
    crowd.reset = driver->DxgkDdiResetFromTimeout;
    driver->DxgkDdiCreateAllocation = create_slowly;
    driver->DxgkDdiResetFromTimeout = reset_alone;
}

static enum vidmm_caller_state create_and_destroy(void *argument)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .flags = CPU_VISIBLE,
                                            .size = 4096,
                                            .read_set = 1,
                                            .write_set = 1,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    struct vidmm_allocation *allocation = NULL;
    struct vidmm_device *device = argument;

    crowd.coming++;
    if (vidmm_allocation_create(device, &wish, sizeof(wish), &allocation, NULL) != STATUS_SUCCESS)
        allocation = NULL;
    crowd.coming--;
    vidmm_allocation_destroy(allocation);
    return crowd.resets != 0 ? VIDMM_CALLER_DONE : VIDMM_CALLER_RAN;
}

static enum vidmm_caller_state hang(void *argument)
{
    struct rig_allocation *one[] = {&shown.rig.allocations[0]};

    (void)argument;
    assert_int_equal(rig_create(&shown.rig, one[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    return VIDMM_CALLER_DONE;
}

/* A place that the CPU holds is kept from it before the call, and shown again after. */
static void the_frame_buffer_is_out_of_reach(void)
{
    struct rig_allocation *held, *one[1];
    size_t claim = SIZE_MAX, reset = SIZE_MAX, show = SIZE_MAX;
    void *data;

    begin("hang 0 2\n");
    held = &shown.rig.allocations[2];
    assert_int_equal(rig_create(&shown.rig, held, 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    one[0] = held;
    assert_int_equal(rig_render(&shown.rig, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    assert_int_equal(vidmm_lock(held->handle, 0, &data, NULL), STATUS_SUCCESS);
    hang_render(&shown);
    for (size_t i = 0; i < shown.operation_count; i++) {
        claim = shown.operations[i].kind == VIDMM_DO_CLAIM ? i : claim;
        reset = shown.operations[i].kind == VIDMM_DO_RESET ? i : reset;
        show = shown.operations[i].kind == VIDMM_DO_SHOW ? i : show;
    }
    assert_true(claim < reset && reset < show && show != SIZE_MAX);
    assert_int_equal(shown.operations[show].show.place.segment, 0);
    *(volatile char *)data = 1; /* the pointer is good, if its content is lost */
    assert_int_equal(vidmm_unlock(held->handle), STATUS_SUCCESS);
    hang_finish(&shown);
}

static void the_driver_is_empty(uint64_t seed)
{
    struct rig_options options = hang_options("hang 0 1\n");
    struct vidmm_device *devices[2];
    char text[200];

    memset(&crowd, 0, sizeof(crowd));
    options.machine_seed = seed;
    shown_init(&shown, &options, bend_crowd);
    assert_true(vidmm_machine_add_caller(shown.rig.machine, "hangs", hang, NULL));
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(vidmm_device_create(shown.rig.adapter, 2 + i, &devices[i], NULL),
                         STATUS_SUCCESS);
        assert_true(
            vidmm_machine_add_caller(shown.rig.machine, "creates", create_and_destroy, devices[i]));
    }
    if (!vidmm_machine_run(shown.rig.machine, text, sizeof(text)))
        fail_msg("%s", text);
    assert_true(crowd.due);
    assert_false(crowd.early);
    assert_int_equal(crowd.resets, 1);
    assert_int_equal(crowd.met, 0);
    assert_int_equal(crowd.kept_out, 1);
    hang_finish(&shown);
}

void shows_D_241(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++)
        the_driver_is_empty(seed);
    the_frame_buffer_is_out_of_reach();
}

/* ---- time ------------------------------------------------------------------------------------ */

static uint64_t moments[3];

static struct {
    DXGKDDI_QUERYCURRENTFENCE *query;
    DXGKDDI_PREEMPTCOMMAND *preempt;
    DXGKDDI_RESETFROMTIMEOUT *reset;
} clocked;

static NTSTATUS query_at(HANDLE adapter, DXGKARG_QUERYCURRENTFENCE *arguments)
{
    moments[0] = hang_now(&shown);
    return clocked.query(adapter, arguments);
}

static NTSTATUS preempt_at(HANDLE adapter, const DXGKARG_PREEMPTCOMMAND *arguments)
{
    moments[1] = hang_now(&shown);
    return clocked.preempt(adapter, arguments);
}

static NTSTATUS reset_at(HANDLE adapter)
{
    moments[2] = hang_now(&shown);
    return clocked.reset(adapter);
}

static void bend_clock(DRIVER_INITIALIZATION_DATA *driver)
{
    clocked.query = driver->DxgkDdiQueryCurrentFence;
    clocked.preempt = driver->DxgkDdiPreemptCommand;
    clocked.reset = driver->DxgkDdiResetFromTimeout;
    driver->DxgkDdiQueryCurrentFence = query_at;
    driver->DxgkDdiPreemptCommand = preempt_at;
    driver->DxgkDdiResetFromTimeout = reset_at;
}

static bool is_about(uint64_t time, uint64_t expected)
{
    return time >= expected && time < expected + HANG_SECOND / 100;
}

static DXGKDDI_BUILDPAGINGBUFFER *build_paging_buffer;
static struct vidmm_host late_host;
static const struct vidmm_host *machine_host;
static uint64_t late_ns, lingers_ns; /* the host's clock is ahead; the next call stays so long */

static uint64_t late_now(void *context)
{
    return machine_host->now_ns(context) + late_ns;
}

static NTSTATUS build_for_long(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *asked)
{
    late_ns += lingers_ns;
    lingers_ns = 0;
    return build_paging_buffer(adapter, asked);
}

static void bend_to_linger(DRIVER_INITIALIZATION_DATA *driver)
{
    build_paging_buffer = driver->DxgkDdiBuildPagingBuffer;
    driver->DxgkDdiBuildPagingBuffer = build_for_long;
}

static void begin_lingering(void)
{
    struct rig_options options = hang_options(NULL);
    NTSTATUS status;

    options.adapter.timeout_ms = 60000;
    options.adapter.driver_timeout_ms = 100;
    shown_build(&shown, &options, bend_to_linger);
    machine_host = vidmm_slot_host(shown.rig.slot);
    late_host = *machine_host;
    late_host.now_ns = late_now;
    late_ns = lingers_ns = 0;
    status = vidmm_adapter_start(&late_host, &shown.rig.driver, &shown, &shown.rig.options.adapter,
                                 &shown.rig.adapter, &shown.rig.report);
    if (status == STATUS_SUCCESS)
        status = vidmm_device_create(shown.rig.adapter, 1, &shown.rig.device, NULL);
    if (status == STATUS_SUCCESS)
        status = vidmm_context_create(shown.rig.device, 0, NULL, 0, &shown.rig.context, NULL);
    if (status == STATUS_SUCCESS)
        status = rig_create(&shown.rig, &shown.rig.allocations[0], 5000, 2, CPU_VISIBLE);
    assert_int_equal(status, STATUS_SUCCESS);
}

/* The time that a thread may be in the driver, here 100 ms, is over: the adapter stops. */
static void stay_in_the_driver(uint64_t ns, bool stops)
{
    struct rig_allocation *one[] = {&shown.rig.allocations[0]};
    NTSTATUS status;

    begin_lingering();
    lingers_ns = ns;
    rig_render(&shown.rig, one, 1, 1);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    assert_int_equal(lingers_ns, 0);
    status = vidmm_adapter_condition(shown.rig.adapter, &shown.rig.report);
    assert_int_equal(status == STATUS_SUCCESS, !stops);
    if (stops) {
        assert_non_null(strstr(shown.rig.report.text, "0x116"));
        assert_non_null(strstr(shown.rig.report.text, "stayed in the driver"));
    }
    hang_finish(&shown);
}

void shows_D_242(void **state)
{
    struct rig_options options = hang_options("hang 0 1 every\n");
    uint64_t before;

    (void)state;
    vidmm_adapter_options_default(&options.adapter);
    assert_int_equal(options.adapter.timeout_ms, 2000);
    assert_int_equal(options.adapter.driver_timeout_ms, 5000);
    options.adapter.paging_buffers = 2;
    options.adapter.dma_buffers = 1;
    shown_init(&shown, &options, bend_clock);
    for (unsigned resets = 1; resets <= 6; resets++) {
        before = hang_now(&shown);
        hang_render(&shown);
        assert_true(is_about(moments[0], before + 2 * HANG_SECOND));
        assert_true(is_about(moments[1], before + 2 * HANG_SECOND));
        if (resets == 6)
            break;
        assert_true(is_about(moments[2], moments[1] + 2 * HANG_SECOND));
        assert_int_equal(vidmm_adapter_condition(shown.rig.adapter, NULL), STATUS_SUCCESS);
        hang_replace_device(&shown);
    }
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_RESET_FROM_TIMEOUT), 5);
    shown_refused(&shown, vidmm_adapter_condition(shown.rig.adapter, &shown.rig.report),
                  STATUS_TIMEOUT, "0x116");
    hang_finish(&shown);
    options.adapter.timeout_ms = 8000; /* 16 s a reset: never six in a minute */
    shown_init(&shown, &options, NULL);
    for (unsigned resets = 1; resets <= 8; resets++) {
        hang_render(&shown);
        hang_replace_device(&shown);
    }
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_RESET_FROM_TIMEOUT), 8);
    assert_int_equal(vidmm_adapter_condition(shown.rig.adapter, NULL), STATUS_SUCCESS);
    hang_finish(&shown);
    stay_in_the_driver(HANG_SECOND / 11, false);
    stay_in_the_driver(HANG_SECOND / 9, true);
}

/* ---- calls of removed devices ---------------------------------------------------------------- */

/* Its device is removed: these calls say so. */
static void refuse_calls(struct vidmm_allocation *allocation)
{
    struct vidmm_allocation *handles[] = {allocation};
    const struct vidmm_selection one = {.allocations = handles, .allocation_count = 1};
    const uint32_t priority = 0x28000000;
    bool discarded[1];
    void *data;

    assert_int_equal(vidmm_offer(&one, VIDMM_OFFER_LOW, 0, NULL), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_reclaim(&one, discarded, NULL), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_set_priority(&one, &priority, NULL), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_lock(allocation, 0, &data, NULL), STATUS_DEVICE_REMOVED);
}

static void refuse_after_reset(const char *gpu, bool stopped)
{
    begin(gpu);
    hang_render(&shown);
    assert_int_equal(vidmm_adapter_condition(shown.rig.adapter, NULL) != STATUS_SUCCESS, stopped);
    refuse_calls(shown.rig.allocations[0].handle);
    rig_stop(&shown.rig); /* and the handles still close */
    shown_end(&shown);
}

/* Plug and Play stops the device under a program that has work queued, and content in both kinds of
 * segment. */
static void refuse_after_stop(void)
{
    struct vidmm_adapter *adapter;
    struct vidmm_statistics statistics;
    struct vidmm_segment_use use;
    size_t calls;

    begin(NULL);
    adapter = shown.rig.adapter;
    hang_render(&shown);
    assert_int_equal(vidmm_adapter_set_power(adapter, VIDMM_POWER_D3, NULL), STATUS_SUCCESS);
    shown_refused(&shown, vidmm_adapter_pnp_stop(adapter, &shown.rig.report), STATUS_DEVICE_BUSY,
                  "power");
    assert_int_equal(vidmm_adapter_set_power(adapter, VIDMM_POWER_D0, NULL), STATUS_SUCCESS);
    hang_render(&shown);
    vidmm_adapter_segment_use(adapter, 2, &use);
    assert_int_not_equal(use.taken, 0);
    assert_int_equal(vidmm_adapter_pnp_stop(adapter, &shown.rig.report), STATUS_SUCCESS);
    vidmm_adapter_segment_use(adapter, 2, &use);
    assert_int_equal(use.taken, 0);
    calls = shown.call_count;
    for (uint32_t i = 0; i < 2; i++)
        refuse_calls(shown.rig.allocations[i].handle);
    assert_int_equal(shown.call_count, calls); /* the driver hears nothing of them */
    shown_refused(&shown, vidmm_adapter_condition(adapter, &shown.rig.report),
                  STATUS_DEVICE_REMOVED, "Plug and Play");
    shown_refused(&shown, vidmm_adapter_pnp_stop(adapter, &shown.rig.report), STATUS_DEVICE_REMOVED,
                  "rest");
    vidmm_adapter_statistics(adapter, &statistics);
    assert_int_equal(statistics.findings, 0); /* it is nobody's mistake */
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_STOP_DEVICE), 0);
    hang_finish(&shown); /* no rule is broken by the handles that close, and the driver's stop */
}

void shows_D_244(void **state)
{
    (void)state;
    refuse_after_reset("hang 0 1\n", false);
    refuse_after_reset("hang 0 1\nrecovery reset_fails\n", true);
    refuse_after_stop();
}

/* ---- one engine ------------------------------------------------------------------------------ */

static struct {
    DXGKDDI_QUERYDEPENDENTENGINEGROUP *group;
    DXGKDDI_PREEMPTCOMMAND *preempt;
    DXGKDDI_RESETENGINE *reset;
    DXGKDDI_DPC_ROUTINE *dpc;
    unsigned dpcs, dpcs_at_reset;
    uint64_t preempted_at, reset_at;
} one_engine;

static VOID count_dpc(PVOID context)
{
    one_engine.dpcs++;
    one_engine.dpc(context);
}

/* The last moment before ResetEngine at which a deferred procedure call can become pending. */
static NTSTATUS query_group_and_queue(HANDLE adapter, DXGKARG_QUERYDEPENDENTENGINEGROUP *arguments)
{
    const struct vidmm_host *host = vidmm_slot_host(shown.rig.slot);

    one_engine.dpcs = 0;
    assert_true(host->queue_dpc(host->context));
    return one_engine.group(adapter, arguments);
}

/* Node 1 is asked and does not answer. */
static NTSTATUS preempt_but_one(HANDLE adapter, const DXGKARG_PREEMPTCOMMAND *arguments)
{
    if (arguments->NodeOrdinal != 1)
        return one_engine.preempt(adapter, arguments);
    one_engine.preempted_at = hang_now(&shown);
    return STATUS_SUCCESS;
}

static NTSTATUS reset_and_look(HANDLE adapter, DXGKARG_RESETENGINE *arguments)
{
    one_engine.dpcs_at_reset = one_engine.dpcs;
    one_engine.reset_at = hang_now(&shown);
    return one_engine.reset(adapter, arguments);
}

static void bend_engine(DRIVER_INITIALIZATION_DATA *driver)
{
    memset(&one_engine, 0, sizeof(one_engine));
    one_engine.group = driver->DxgkDdiQueryDependentEngineGroup;
    one_engine.preempt = driver->DxgkDdiPreemptCommand;
    one_engine.reset = driver->DxgkDdiResetEngine;
    one_engine.dpc = driver->DxgkDdiDpcRoutine;
    driver->DxgkDdiQueryDependentEngineGroup = query_group_and_queue;
    driver->DxgkDdiPreemptCommand = preempt_but_one;
    driver->DxgkDdiResetEngine = reset_and_look;
    driver->DxgkDdiDpcRoutine = count_dpc;
}

void shows_D_368(void **state)
{
    struct rig_options options =
        hang_options("hang 0 1\nengine_reset on\nrecovery reset_reports\n");
    struct vidmm_statistics statistics;

    (void)state;
    shown_init(&shown, &options, bend_engine);
    hang_render(&shown); /* the cut-off fence is reported inside ResetEngine, and changes nothing */
    vidmm_adapter_statistics(shown.rig.adapter, &statistics);
    assert_int_equal(statistics.engine_resets, 1);
    assert_int_equal(one_engine.dpcs_at_reset, 1);
    assert_int_equal(vidmm_adapter_condition(shown.rig.adapter, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_device_condition(shown.rig.device, NULL),
                     STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    rig_stop(&shown.rig);
    shown_end(&shown);
}

void shows_D_370(void **state)
{
    (void)state;
    begin("hang 0 1\nengine_reset on\nrecovery engine_fails\n");
    hang_render(&shown);
    assert_true(find(VIDMM_DDI_RESET_FROM_TIMEOUT) > find(VIDMM_DDI_RESET_ENGINE));
    assert_int_equal(vidmm_device_condition(shown.rig.device, NULL), STATUS_DEVICE_REMOVED);
    hang_finish(&shown);
}

void shows_D_372(void **state)
{
    struct rig_options options = hang_options("hang 0 1\nengine_reset on\nrecovery group_all\n");
    DXGKARG_RESETENGINE arguments;
    size_t group, reset;

    (void)state;
    shown_init(&shown, &options, bend_engine);
    hang_render(&shown);
    group = find(VIDMM_DDI_QUERY_DEPENDENT_ENGINE_GROUP);
    reset = find(VIDMM_DDI_RESET_ENGINE);
    assert_true(group < reset);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_QUERY_DEPENDENT_ENGINE_GROUP), 2);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_RESET_ENGINE), 2); /* node 1 did not stop */
    memcpy(&arguments, &shown.calls[reset].argument, sizeof(arguments));
    assert_int_equal(arguments.NodeOrdinal, 0);
    reset = shown_next(&shown, reset + 1, VIDMM_DDI_RESET_ENGINE);
    memcpy(&arguments, &shown.calls[reset].argument, sizeof(arguments));
    assert_int_equal(arguments.NodeOrdinal, 1);
    assert_true(is_about(one_engine.reset_at, one_engine.preempted_at + HANG_SECOND / 2));
    group = shown_next(&shown, group, VIDMM_DDI_PREEMPT_COMMAND);
    assert_true(group < reset);
    assert_int_equal(shown.calls[group].argument.preempt.NodeOrdinal, 1);
    rig_stop(&shown.rig);
    assert_int_equal(vidmm_tap_violations_of(shown.tap, VIDMM_RULE_D_365), 1); /* it was idle */
    assert_int_equal(vidmm_tap_violations(shown.tap), 1);
    shown_end(&shown);
}

void shows_D_375(void **state)
{
    char gpu[32];

    (void)state;
    begin(NULL);
    snprintf(gpu, sizeof(gpu), "hang 1 %u\n", /* the copy engine: paging hangs */
             (unsigned)shown_count(&shown, 0, VIDMM_DDI_SUBMIT_COMMAND) + 1);
    hang_finish(&shown);
    begin(gpu);
    hang_render(&shown);
    assert_true(find(VIDMM_DDI_RESET_FROM_TIMEOUT) != SIZE_MAX);
    assert_int_equal(vidmm_device_condition(shown.rig.device, NULL), STATUS_DEVICE_REMOVED);
    for (size_t i = 0; i < shown.operation_count; i++)
        if (shown.operations[i].kind == VIDMM_DO_ERROR)
            assert_int_not_equal(shown.operations[i].error.device,
                                 1); /* the first is the system's */
    hang_replace_device(&shown);
    hang_render(&shown); /* pages in */
    assert_int_equal(vidmm_device_condition(shown.rig.device, NULL), STATUS_SUCCESS);
    hang_finish(&shown);
}

void shows_D_376(void **state)
{
    struct rig_options options = hang_options("hang 0 1 every\nengine_reset on\n");

    (void)state;
    options.adapter.dma_buffers = 1;
    shown_init(&shown, &options, NULL);
    for (unsigned resets = 0; resets < 8; resets++) {
        hang_render(&shown);
        hang_replace_device(&shown);
    }
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_RESET_ENGINE), 8);
    assert_true(hang_now(&shown) < 60 * HANG_SECOND);
    assert_int_equal(vidmm_adapter_condition(shown.rig.adapter, NULL), STATUS_SUCCESS);
    hang_finish(&shown);
}
