/* test_adapter_fence_ends.c: monitored fences when things end badly: page faults, hangs, a driver
 * that breaks its contract, and threads that wait and signal at once. Nobody waits for ever.
 */
#include "test_fence_rig.h"

#include <stdatomic.h>

struct notice {
    unsigned calls;
    NTSTATUS status;
};

static void note(void *argument, NTSTATUS status)
{
    struct notice *notice = argument;

    notice->calls++;
    notice->status = status;
}

static void notify(struct program *program, struct notice *notice, struct vidmm_fence *fence,
                   uint64_t value)
{
    const struct vidmm_fence_notice call = {note, notice};
    const struct vidmm_fence_point point = {fence, value};

    *notice = (struct notice){0, STATUS_PENDING};
    fence_succeeds(vidmm_fence_notify(program->device, &point, 1, false, &call, &fence_rig.report),
                   "notify");
}

static void wait_in_queue(struct program *program, unsigned context, struct vidmm_fence *fence,
                          uint64_t value)
{
    const struct vidmm_fence_point point = {fence, value};

    fence_succeeds(
        vidmm_context_wait_for_fences(program->contexts[context], &point, 1, &fence_rig.report),
        "wait");
}

/* ---- page faults ----------------------------------------------------------------------------- */

/* A command that reads or writes where nothing is. */
static void stray(struct program *program, uint64_t address)
{
    const struct softgpu_virtual_fill fill = {
        .command = {SOFTGPU_VIRTUAL_FILL, sizeof(fill)},
        .bytes = 64,
        .gpuva = address,
        .space = SOFTGPU_VIRTUAL_SPACE,
        .pattern = 1,
    };

    fence_submit(program, 0, &fill, sizeof(fill));
}

/* The program that is at fault dies, its waits end, its fences have the greatest value; another
 * goes on. */
static void fault_on(const char *gpu)
{
    struct vidmm_page_fault fault = {.node = 77};
    struct vidmm_fence *fence, *kept;
    struct vidmm_report report;
    struct notice notice;
    uint64_t value;

    fence_start(gpu);
    fence_begin_two(2);
    fence = fence_make(one.device, 0, VIDMM_FENCE_SHARED);
    kept = fence_make(one.device, 4, VIDMM_FENCE_NO_MAX_VALUE);
    assert_false(vidmm_device_page_fault(one.device, &fault));
    assert_int_equal(fault.node, 77);
    notify(&one, &notice, kept, 5);
    wait_in_queue(&one, 1, fence, 5);
    fence_fill(&one, 1, 128, 0x33333333);
    wait_in_queue(&two, 0, fence, 5);
    value = fence_fill(&two, 0, 64, 0x22222222);
    stray(&one, UINT64_C(0x123456000));
    assert_int_equal(vidmm_context_wait(two.contexts[0], value), STATUS_SUCCESS);
    fence_settle();
    assert_int_equal(fence_filled(&two, 64), 0x22222222);
    assert_int_equal(fence_filled(&one, 128), 0);
    assert_int_equal(notice.calls, 1);
    assert_int_equal(notice.status, STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    assert_int_equal(vidmm_device_condition(one.device, &report),
                     STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    assert_non_null(strstr(report.text, "0x123456000"));
    assert_true(vidmm_device_page_fault(one.device, &fault));
    assert_int_equal(fault.address, UINT64_C(0x123456000));
    assert_int_equal(fault.node, 0);
    assert_int_equal(fault.flags & VIDMM_FAULT_WRITE, VIDMM_FAULT_WRITE);
    assert_false(vidmm_device_page_fault(two.device, NULL));
    assert_true(vidmm_fence_value(fence) == UINT64_MAX); /* D-192 */
    assert_true(*vidmm_fence_address(fence) == UINT64_MAX);
    assert_int_equal(vidmm_fence_value(kept), 4);
    assert_int_equal(fence_signal(kept, 6), STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    fence_end(&two);
    fence_end(&one);
    rig_finish(&fence_rig);
}

static void a_page_fault_ends_its_device_and_says_where(void **state)
{
    (void)state;
    fault_on("");
    fault_on("habit immediate\n");
    fault_on("interrupts late\n");
    fault_on("page_fault stands\nengine_reset on\n");
}

static DXGKRNL_INTERFACE kernel;
static PDXGKDDI_START_DEVICE start_device;

static NTSTATUS start_and_keep(void *context, DXGK_START_INFO *info, DXGKRNL_INTERFACE *interface,
                               ULONG *sources, ULONG *children)
{
    kernel = *interface;
    return start_device(context, info, interface, sources, children);
}

static BOOLEAN report(PVOID data)
{
    kernel.DxgkCbNotifyInterrupt(kernel.DeviceHandle, data);
    kernel.DxgkCbQueueDpc(kernel.DeviceHandle);
    return TRUE;
}

/* A driver reports a fault that nobody can go on after: the adapter stops, and says so. */
static void stop_by_fault(UINT flags, const char *words)
{
    struct rig_options options = rig_defaults();
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = {.InterruptType = DXGK_INTERRUPT_DMA_PAGE_FAULTED};
    struct vidmm_report text;
    struct vidmm_fence *fence;
    BOOLEAN answer = FALSE;

    options.gpu = "wddm 2.6\n" FENCE_GPU;
    rig_build(&fence_rig, &options);
    start_device = fence_rig.driver.DxgkDdiStartDevice;
    fence_rig.driver.DxgkDdiStartDevice = start_and_keep;
    fence_succeeds(rig_start(&fence_rig), "start");
    fence_begin(&one, 1, true);
    fence = fence_make(one.device, 0, 0);
    data.DmaPageFaulted.PageFaultFlags = (DXGK_PAGE_FAULT_FLAGS)flags;
    kernel.DxgkCbSynchronizeExecution(kernel.DeviceHandle, report, &data, 0, &answer);
    assert_int_equal(answer, TRUE);
    fence_settle();
    assert_int_equal(fence_wait(fence, 1), STATUS_DEVICE_REMOVED);
    assert_true(vidmm_adapter_condition(fence_rig.adapter, &text) != STATUS_SUCCESS);
    if (strstr(text.text, words) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", words, text.text);
    fence_end(&one);
    rig_finish(&fence_rig);
}

static void page_faults_that_nothing_survives_stop_the_adapter(void **state)
{
    (void)state;
    stop_by_fault(DXGK_PAGE_FAULT_FENCE_INVALID, "0x119, 0xd");
    stop_by_fault(DXGK_PAGE_FAULT_FATAL_HARDWARE_ERROR, "0x119, 0xc");
}

/* ---- hangs and stops ------------------------------------------------------------------------- */

static void a_reset_of_the_engine_wakes_who_waits(void **state)
{
    struct vidmm_fence *fence, *own;
    struct notice notice, other;

    (void)state;
    fence_start("engine_reset on\n");
    fence_begin_two(2);
    fence = fence_make(one.device, 0, VIDMM_FENCE_SHARED);
    own = fence_make(two.device, 3, 0);
    notify(&one, &notice, fence, 1);
    notify(&two, &other, fence, 1);
    fence_gpu_signal(&one, 0, fence, 0);
    fence_settle(); /* the page tables are written */
    softgpu_device_hang(fence_rig.gpu, 0, 0, false);
    fence_gpu_signal(&one, 0, fence, 1);
    assert_int_equal(fence_wait(fence, 1), STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    fence_settle();
    assert_int_equal(notice.calls, 1);
    assert_int_equal(notice.status, STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    assert_int_equal(other.calls, 1); /* by the greatest value */
    assert_int_equal(other.status, STATUS_SUCCESS);
    assert_true(vidmm_fence_value(fence) == UINT64_MAX);
    assert_int_equal(vidmm_fence_value(own), 3);
    fence_gpu_signal(&two, 0, own, 9);
    {
        const struct vidmm_fence_point point = {own, 9};

        assert_int_equal(vidmm_fence_wait(two.device, &point, 1, false, NULL), STATUS_SUCCESS);
    }
    fence_end(&two);
    fence_end(&one);
    rig_finish(&fence_rig);
}

/* The adapter stops by itself: Windows would stop (D-090). */
static void an_adapter_that_stops_wakes_who_waits(void **state)
{
    const struct vidmm_fence_point point = {NULL, 1};
    struct vidmm_fence *fence;
    struct notice notice;

    (void)state;
    fence_start("");
    fence = fence_make(one.device, 7, 0);
    notify(&one, &notice, fence, 8);
    wait_in_queue(&one, 1, fence, 8);
    fence_submits_fail = true;
    fence_fill(&one, 0, 0, 1);
    assert_int_equal(fence_wait(fence, 8), STATUS_DEVICE_REMOVED);
    assert_int_equal(notice.calls, 1);
    assert_int_equal(notice.status, STATUS_DEVICE_REMOVED);
    assert_int_equal(fence_signal(fence, 8), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_fence_value(fence), 7);
    assert_int_equal(*vidmm_fence_address(fence), 7);
    assert_int_equal(vidmm_fence_wait(one.device, &point, 1, false, NULL),
                     STATUS_INVALID_PARAMETER);
    fence_end(&one);
    rig_finish(&fence_rig);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { ROUNDS = 200 };

struct relay {
    struct vidmm_fence *there, *back;
    uint64_t sent, answered;
    atomic_uint notices;
};

static void count(void *argument, NTSTATUS status)
{
    struct relay *relay = argument;

    assert_int_equal(status, STATUS_SUCCESS);
    atomic_fetch_add(&relay->notices, 1);
}

/* Signal, and wait for the answer. */
static enum vidmm_caller_state send(void *argument)
{
    struct relay *relay = argument;
    const struct vidmm_fence_notice notice = {count, relay};
    const struct vidmm_fence_point point = {relay->back, relay->sent + 1};

    if (relay->sent == ROUNDS)
        return VIDMM_CALLER_DONE;
    relay->sent++;
    fence_succeeds(vidmm_fence_notify(one.device, &point, 1, true, &notice, NULL), "notify");
    assert_int_equal(fence_signal(relay->there, relay->sent), STATUS_SUCCESS);
    assert_int_equal(vidmm_fence_wait(one.device, &point, 1, false, NULL), STATUS_SUCCESS);
    assert_true(vidmm_fence_value(relay->back) == relay->sent);
    return VIDMM_CALLER_RAN;
}

/* Wait, and have the GPU answer. */
static enum vidmm_caller_state answer(void *argument)
{
    struct relay *relay = argument;
    const struct vidmm_fence_point there = {relay->there, relay->answered + 1};
    const struct vidmm_fence_point back = {relay->back, relay->answered + 1};

    if (relay->answered == ROUNDS)
        return VIDMM_CALLER_DONE;
    assert_int_equal(vidmm_fence_wait(one.device, &there, 1, false, NULL), STATUS_SUCCESS);
    relay->answered++;
    one.used = 0;
    if (relay->answered % 2 == 0)
        fence_gpu_signal(&one, 0, relay->back, relay->answered);
    else
        fence_succeeds(vidmm_context_signal_fences(one.contexts[0], &back, 1, NULL), "signal");
    return VIDMM_CALLER_RAN;
}

static void relay_on(enum vidmm_machine_kind kind, uint64_t seed)
{
    struct rig_options options = rig_defaults();
    struct relay relay = {0};
    char report[300] = "";

    options.kind = kind;
    options.machine_seed = seed;
    fence_start_with("", options);
    relay.there = fence_make(one.device, 0, 0);
    relay.back = fence_make(one.device, 0, 0);
    assert_true(vidmm_machine_add_caller(fence_rig.machine, "sends", send, &relay));
    assert_true(vidmm_machine_add_caller(fence_rig.machine, "answers", answer, &relay));
    if (!vidmm_machine_run(fence_rig.machine, report, sizeof(report)))
        fail_msg("%s", report);
    assert_int_equal(relay.answered, ROUNDS);
    fence_finish(); /* the last notice may come behind the wait for the same value */
    assert_int_equal(atomic_load(&relay.notices), ROUNDS);
}

static void threads_wait_for_each_other(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++)
        relay_on(VIDMM_MACHINE_THREADED, seed);
}

static void threads_wait_for_each_other_under_every_interleaving(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++)
        relay_on(VIDMM_MACHINE_SIMULATED, seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_fault_ends_its_device_and_says_where),
        cmocka_unit_test(page_faults_that_nothing_survives_stop_the_adapter),
        cmocka_unit_test(a_reset_of_the_engine_wakes_who_waits),
        cmocka_unit_test(an_adapter_that_stops_wakes_who_waits),
        cmocka_unit_test(threads_wait_for_each_other),
        cmocka_unit_test(threads_wait_for_each_other_under_every_interleaving),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
