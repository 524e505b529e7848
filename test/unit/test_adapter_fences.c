/* test_adapter_fences.c: monitored fences, as programs have them: values in memory, signals and
 * waits by the CPU, in the queues of contexts, and by commands.
 */
#include "test_fence_rig.h"

#define PHYSICAL "wddm 2.0\n"
#define IMMEDIATE "habit immediate\n"
#define NARROW "atomics_64 off\n"

/* Page tables and physical addresses, tables written by the CPU at once and by the GPU in order. */
static const char *const gpus[] = {"", IMMEDIATE, PHYSICAL, PHYSICAL IMMEDIATE,
                                   "page_table_update cpu_virtual\npage_table_segment 0\n"};

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

static NTSTATUS notify(struct notice *notice, const struct vidmm_fence_point *points,
                       uint32_t count, bool any)
{
    const struct vidmm_fence_notice call = {note, notice};

    *notice = (struct notice){0, STATUS_PENDING};
    return vidmm_fence_notify(one.device, points, count, any, &call, &fence_rig.report);
}

/* ---- the CPU --------------------------------------------------------------------------------- */

static void the_cpu_signals_and_reads_a_value(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < sizeof(gpus) / sizeof(gpus[0]); kind++) {
        struct vidmm_fence *fence, *other;

        fence_start(gpus[kind]);
        fence = fence_make(one.device, 5, 0);
        other = fence_make(one.device, UINT64_C(1) << 40, 0);
        assert_int_equal(vidmm_fence_value(fence), 5);
        assert_int_equal(*vidmm_fence_address(fence), 5);
        assert_int_equal((uintptr_t)vidmm_fence_address(fence) % 8, 0);
        assert_ptr_not_equal(vidmm_fence_address(fence), vidmm_fence_address(other));
        assert_int_equal(fence_signal(fence, UINT64_C(9000000000)), STATUS_SUCCESS);
        assert_int_equal(*vidmm_fence_address(fence), UINT64_C(9000000000)); /* D-187 */
        assert_int_equal(vidmm_fence_value(fence), UINT64_C(9000000000));
        assert_int_equal(vidmm_fence_value(other), UINT64_C(1) << 40);
        assert_int_equal(fence_signal(fence, 2), STATUS_SUCCESS); /* a lower one is legal */
        assert_int_equal(vidmm_fence_value(fence), 2);
        vidmm_fence_destroy(fence);
        fence_finish(); /* `other` goes with its device */
    }
}

static void a_wait_of_the_cpu_is_over_at_or_above_the_value(void **state)
{
    struct vidmm_fence *fence;

    (void)state;
    fence_start("");
    fence = fence_make(one.device, 5, 0);
    assert_int_equal(fence_wait(fence, 5), STATUS_SUCCESS);
    assert_int_equal(fence_wait(fence, 4), STATUS_SUCCESS);
    assert_int_equal(fence_wait(fence, 6), STATUS_TIMEOUT); /* nobody is there to signal */
    assert_non_null(strstr(fence_rig.report.text, "still come"));
    assert_int_equal(fence_signal(fence, 7), STATUS_SUCCESS); /* who gave up is not missed */
    assert_int_equal(fence_wait(fence, 6), STATUS_SUCCESS);
    fence_finish();
}

static void all_and_any_of_several_are_waited_for(void **state)
{
    struct vidmm_fence *a, *b;
    struct notice all, any;

    (void)state;
    fence_start("");
    a = fence_make(one.device, 0, 0);
    b = fence_make(one.device, 0, 0);
    {
        const struct vidmm_fence_point points[] = {{a, 3}, {b, 2}};
        const struct vidmm_fence_point both[] = {{a, 3}, {b, 5}};

        assert_int_equal(notify(&all, points, 2, false), STATUS_SUCCESS);
        assert_int_equal(notify(&any, points, 2, true), STATUS_SUCCESS);
        assert_int_equal(fence_signal(b, 1), STATUS_SUCCESS);
        assert_int_equal(any.calls, 0);
        assert_int_equal(fence_signal(b, 2), STATUS_SUCCESS);
        assert_int_equal(any.calls, 1);
        assert_int_equal(any.status, STATUS_SUCCESS);
        assert_int_equal(all.calls, 0);
        assert_int_equal(vidmm_fence_signal(one.device, both, 2, NULL), STATUS_SUCCESS);
        assert_int_equal(vidmm_fence_value(a), 3);
        assert_int_equal(vidmm_fence_value(b), 5);
        assert_int_equal(all.calls, 1);
        assert_int_equal(any.calls, 1); /* once (D-188) */
        assert_int_equal(notify(&all, both, 2, false), STATUS_SUCCESS);
        assert_int_equal(all.calls, 1); /* it is so already */
    }
    fence_finish();
}

static void a_destroyed_fence_wakes_who_waits_for_it(void **state)
{
    struct vidmm_fence *fence, *other;
    struct notice notice, device;

    (void)state;
    fence_start("");
    fence = fence_make(one.device, 0, 0);
    other = fence_make(one.device, 0, 0);
    {
        const struct vidmm_fence_point points[] = {{fence, 3}, {other, 2}};

        assert_int_equal(notify(&notice, points, 2, false), STATUS_SUCCESS);
        assert_int_equal(notify(&device, points + 1, 1, false), STATUS_SUCCESS);
        vidmm_fence_destroy(fence);
        assert_int_equal(notice.calls, 1);
        assert_int_equal(notice.status, STATUS_CANCELLED);
        assert_int_equal(device.calls, 0);
    }
    fence_finish();
    assert_int_equal(device.calls, 1);
    assert_int_equal(device.status, STATUS_CANCELLED);
}

/* Places are given again as late as they can be. */
static void many_fences_have_places_of_their_own(void **state)
{
    enum { COUNT = 700 };
    static struct vidmm_fence *fences[COUNT];
    const volatile uint64_t *gone;

    (void)state;
    fence_start("");
    for (uint64_t i = 0; i < COUNT; i++)
        fences[i] = fence_make(one.device, i, 0);
    for (uint64_t i = 0; i < COUNT; i++)
        assert_int_equal(*vidmm_fence_address(fences[i]), i);
    gone = vidmm_fence_address(fences[COUNT - 1]);
    vidmm_fence_destroy(fences[COUNT - 1]);
    fences[COUNT - 1] = fence_make(one.device, 1, 0);
    assert_ptr_not_equal(vidmm_fence_address(fences[COUNT - 1]), gone);
    fence_finish();
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void says(NTSTATUS status, NTSTATUS expected, const char *words)
{
    assert_int_equal(status, expected);
    if (strstr(fence_rig.report.text, words) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", words, fence_rig.report.text);
}

static NTSTATUS ask_for(uint64_t value, uint32_t flags)
{
    struct vidmm_fence *fence = NULL;
    NTSTATUS status = vidmm_fence_create(one.device, value, flags, &fence, &fence_rig.report);

    assert_null(fence);
    return status;
}

static void a_fence_that_cannot_be_is_refused_by_name(void **state)
{
    (void)state;
    fence_start("");
    says(ask_for(0, 32), STATUS_INVALID_PARAMETER, "Shared (1), NoSignal (2)");
    says(ask_for(0, VIDMM_FENCE_NO_SIGNAL | VIDMM_FENCE_NO_WAIT), STATUS_INVALID_PARAMETER,
         "NoSignal (2) or NoWait (4), not both (D-191)");
    says(vidmm_fence_create(one.device, 0, 0, NULL, &fence_rig.report), STATUS_INVALID_PARAMETER,
         "fence is NULL");
    fence_finish();
    fence_start(NARROW);
    says(ask_for(UINT64_C(1) << 32, 0), STATUS_INVALID_PARAMETER, "at most 0xffffffff");
    assert_int_equal(
        vidmm_fence_value(fence_make(one.device, UINT64_C(1) << 32, VIDMM_FENCE_NO_GPU_ACCESS)),
        UINT64_C(1) << 32);
    fence_finish();
}

static void signals_and_waits_are_refused_by_index(void **state)
{
    struct vidmm_report *report = &fence_rig.report;
    struct vidmm_fence_point points[VIDMM_FENCES_AT_ONCE + 1];
    struct vidmm_fence *fence, *foreign, *unsignaled, *unwaited;
    const struct vidmm_fence_notice none = {NULL, NULL};

    (void)state;
    fence_start("");
    fence_begin_two(1);
    fence = fence_make(one.device, 0, 0);
    foreign = fence_make(two.device, 0, 0);
    unsignaled = fence_make(one.device, 0, VIDMM_FENCE_NO_SIGNAL);
    unwaited = fence_make(one.device, 0, VIDMM_FENCE_NO_WAIT);
    for (uint32_t i = 0; i <= VIDMM_FENCES_AT_ONCE; i++)
        points[i] = (struct vidmm_fence_point){fence, 1};
    says(vidmm_fence_signal(one.device, points, 0, report), STATUS_INVALID_PARAMETER, "count is 0");
    says(vidmm_fence_wait(one.device, points, 33, false, report), STATUS_INVALID_PARAMETER,
         "count is 33");
    says(vidmm_fence_signal(one.device, NULL, 1, report), STATUS_INVALID_PARAMETER,
         "points is NULL");
    points[1].fence = NULL;
    says(vidmm_fence_signal(one.device, points, 2, report), STATUS_INVALID_PARAMETER,
         "1; one that is not NULL");
    points[1].fence = foreign;
    says(vidmm_fence_signal(one.device, points, 2, report), STATUS_INVALID_PARAMETER,
         "1; a fence of the device, or one that is Shared");
    says(vidmm_context_wait_for_fences(one.contexts[0], points, 2, report),
         STATUS_INVALID_PARAMETER, "1; a fence of the device");
    points[1].fence = unsignaled;
    says(vidmm_fence_signal(one.device, points, 2, report), STATUS_ACCESS_DENIED,
         "without NoSignal");
    says(vidmm_context_signal_fences(one.contexts[0], points, 2, report), STATUS_ACCESS_DENIED,
         "without NoSignal");
    points[1].fence = unwaited;
    says(vidmm_fence_wait(one.device, points, 2, true, report), STATUS_ACCESS_DENIED,
         "without NoWait");
    points[1].fence = vidmm_paging_queue_monitored_fence(one.queue);
    says(vidmm_fence_signal(one.device, points, 2, report), STATUS_ACCESS_DENIED,
         "without NoSignal");
    says(vidmm_fence_notify(one.device, points, 1, true, NULL, report), STATUS_INVALID_PARAMETER,
         "notice is NULL");
    says(vidmm_fence_notify(one.device, points, 1, true, &none, report), STATUS_INVALID_PARAMETER,
         "over is NULL");
    assert_int_equal(vidmm_fence_value(fence), 0);
    fence_end(&two);
    fence_finish();
}

static void an_address_is_refused_where_the_gpu_finds_nothing(void **state)
{
    struct vidmm_report *report = &fence_rig.report;
    struct vidmm_fence *fence, *apart;
    uint64_t address = 7;

    (void)state;
    fence_start("");
    fence_begin_two(2);
    fence = fence_make(one.device, 0, 0);
    apart = fence_make(one.device, 0, VIDMM_FENCE_NO_GPU_ACCESS);
    says(vidmm_fence_gpu_address(apart, one.device, &address, report), STATUS_NOT_SUPPORTED,
         "without NoGPUAccess");
    says(vidmm_fence_gpu_address(fence, two.device, &address, report), STATUS_INVALID_PARAMETER,
         "2; that of the fence, which is not Shared");
    says(vidmm_fence_gpu_address(fence, one.device, NULL, report), STATUS_INVALID_PARAMETER,
         "address is NULL");
    says(vidmm_fence_gpu_address(NULL, one.device, &address, report), STATUS_INVALID_PARAMETER,
         "fence is NULL");
    assert_int_equal(address, 7);
    fence_end(&two);
    fence_finish();
    fence_start(PHYSICAL);
    fence = fence_make(one.device, 0, 0);
    says(vidmm_fence_gpu_address(fence, one.device, &address, report), STATUS_NOT_SUPPORTED,
         "the GPU has no addresses");
    fence_finish();
}

static void below_wddm_2_there_are_no_fences(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_fence *fence = NULL;
    struct vidmm_fence_point point = {NULL, 1};

    (void)state;
    options.gpu = "wddm 1.3\n";
    rig_init(&fence_rig, &options);
    says(vidmm_fence_create(fence_rig.device, 0, 0, &fence, &fence_rig.report),
         STATUS_NOT_SUPPORTED, "DriverVersion");
    says(vidmm_fence_signal(fence_rig.device, &point, 1, &fence_rig.report), STATUS_NOT_SUPPORTED,
         "DriverVersion");
    rig_finish(&fence_rig);
}

/* ---- 32 bits --------------------------------------------------------------------------------- */

static void half_a_value_wraps_and_reaches_as_far_as_it_may(void **state)
{
    const uint64_t reach = UINT64_C(0x7fffffff), near = UINT64_C(0xfffffff0);
    struct vidmm_fence *fence;

    (void)state;
    fence_start(NARROW);
    fence = fence_make(one.device, near, 0);
    says(fence_signal(fence, near + reach + 1), STATUS_INVALID_PARAMETER,
         "within 0x7fffffff of the newest");
    assert_int_equal(vidmm_fence_value(fence), near);
    assert_int_equal(fence_signal(fence, near + reach), STATUS_SUCCESS);
    assert_int_equal(vidmm_fence_value(fence), near + reach);
    assert_int_equal(*(const volatile uint32_t *)vidmm_fence_address(fence),
                     (uint32_t)(near + reach));
    fence_gpu_signal(&one, 0, fence, near + reach + 5); /* the GPU writes the lower half */
    assert_int_equal(fence_wait(fence, near + reach + 4), STATUS_SUCCESS);
    assert_int_equal(vidmm_fence_value(fence), near + reach + 5);
    fence_finish();
}

/* ---- the GPU --------------------------------------------------------------------------------- */

static void the_gpu_signals_where_the_cpu_waits(void **state)
{
    static const char *const kinds[] = {"", IMMEDIATE, "interrupts late\n",
                                        "page_table_update cpu_virtual\npage_table_segment 0\n",
                                        "page_table_update gpu_virtual\n"};

    (void)state;
    for (unsigned kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
        struct vidmm_fence *fence;
        struct notice notice;

        fence_start(kinds[kind]);
        fence = fence_make(one.device, 0, 0);
        {
            const struct vidmm_fence_point point = {fence, 2};

            assert_int_equal(notify(&notice, &point, 1, false), STATUS_SUCCESS);
        }
        fence_gpu_signal(&one, 0, fence, 1);
        assert_int_equal(fence_wait(fence, 1), STATUS_SUCCESS);
        assert_int_equal(notice.calls, 0);
        fence_fill(&one, 0, 0, 0x77777777);
        fence_gpu_signal(&one, 0, fence, UINT64_C(3) << 33);
        assert_int_equal(fence_wait(fence, UINT64_C(3) << 33), STATUS_SUCCESS);
        assert_int_equal(notice.calls, 1);
        assert_int_equal(fence_filled(&one, 0), 0x77777777);
        assert_int_equal(*vidmm_fence_address(fence), UINT64_C(3) << 33);
        fence_finish();
    }
}

/* A command waits, and the CPU signals: the driver says that the GPU may look. */
static void the_gpu_waits_where_the_cpu_signals(void **state)
{
    struct softgpu_escape look = {.magic = SOFTGPU_ESCAPE_LOOK};
    struct vidmm_fence *fence;
    struct softgpu_virtual_wait wait = {
        .command = {SOFTGPU_VIRTUAL_WAIT, sizeof(wait)}, .value = 4, .bits = 64};

    (void)state;
    fence_start("");
    fence = fence_make(one.device, 0, 0);
    wait.gpuva = fence_address(fence, &one);
    fence_submit(&one, 0, &wait, sizeof(wait));
    fence_fill(&one, 0, 0, 0x55555555);
    fence_settle();
    assert_int_equal(fence_filled(&one, 0), 0);
    assert_int_equal(fence_signal(fence, 4), STATUS_SUCCESS);
    fence_succeeds(vidmm_escape(one.device, &look, sizeof(look), false, NULL), "escape");
    assert_int_equal(vidmm_context_wait(one.contexts[0], 2), STATUS_SUCCESS);
    assert_int_equal(fence_filled(&one, 0), 0x55555555);
    fence_finish();
}

static void processes_share_a_fence_at_addresses_of_their_own(void **state)
{
    struct vidmm_fence *fence, *private;
    uint64_t here, there;

    (void)state;
    fence_start("");
    fence_begin_two(2);
    private = fence_make(one.device, 1, 0);
    fence = fence_make(one.device, 1, VIDMM_FENCE_SHARED);
    here = fence_address(fence, &one);
    there = fence_address(fence, &two);
    assert_int_equal(fence_address(fence, &two), there);
    assert_int_not_equal(here / VIDMM_PAGE_SIZE, fence_address(private, &one) / VIDMM_PAGE_SIZE);
    fence_gpu_signal(&two, 0, fence, 8);
    assert_int_equal(fence_wait(fence, 8), STATUS_SUCCESS);
    fence_gpu_signal(&one, 0, fence, 9);
    {
        const struct vidmm_fence_point point = {fence, 9};

        assert_int_equal(vidmm_fence_wait(two.device, &point, 1, false, NULL), STATUS_SUCCESS);
    }
    fence_end(&two);
    assert_int_equal(fence_signal(fence, 10), STATUS_SUCCESS);
    fence_finish();
}

/* ---- queues ---------------------------------------------------------------------------------- */

static void a_wait_in_a_queue_holds_back_what_is_behind_it(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 2; kind++) {
        struct vidmm_fence *fence;
        uint64_t behind;

        fence_start(kind == 0 ? "" : IMMEDIATE);
        fence = fence_make(one.device, 0, 0);
        {
            const struct vidmm_fence_point point = {fence, 3};

            fence_fill(&one, 0, 0, 0x11111111);
            fence_succeeds(
                vidmm_context_wait_for_fences(one.contexts[0], &point, 1, &fence_rig.report),
                "wait");
        }
        behind = fence_fill(&one, 0, 64, 0x22222222);
        fence_fill(&one, 1, 128, 0x33333333);
        fence_settle();
        assert_int_equal(fence_filled(&one, 0), 0x11111111);
        assert_int_equal(fence_filled(&one, 64), 0); /* D-189 */
        assert_int_equal(fence_filled(&one, 128), 0x33333333);
        assert_int_equal(fence_signal(fence, 2), STATUS_SUCCESS);
        fence_settle();
        assert_int_equal(fence_filled(&one, 64), 0);
        assert_int_equal(fence_signal(fence, 3), STATUS_SUCCESS);
        assert_int_equal(vidmm_context_wait(one.contexts[0], behind), STATUS_SUCCESS);
        assert_int_equal(fence_filled(&one, 64), 0x22222222);
        fence_finish();
    }
}

struct order {
    unsigned calls;
    uint32_t filled;
};

static void look_at_page(void *argument, NTSTATUS status)
{
    struct order *order = argument;

    assert_int_equal(status, STATUS_SUCCESS);
    order->calls++;
    order->filled = fence_filled(&one, 0);
}

/* One context signals, the other waits: what the first did is there. */
static void a_signal_in_a_queue_comes_behind_what_was_before(void **state)
{
    struct order order = {0};
    const struct vidmm_fence_notice notice = {look_at_page, &order};
    struct vidmm_fence *fence;
    uint64_t last;

    (void)state;
    fence_start("interrupts late\n");
    fence = fence_make(one.device, 0, 0);
    {
        const struct vidmm_fence_point point = {fence, 1};

        fence_succeeds(vidmm_context_wait_for_fences(one.contexts[1], &point, 1, NULL), "wait");
        last = fence_fill(&one, 1, 0, 0x44444444); /* over that of the first */
        fence_succeeds(vidmm_fence_notify(one.device, &point, 1, false, &notice, NULL), "notify");
        fence_fill(&one, 0, 0, 0x11111111);
        fence_succeeds(vidmm_context_signal_fences(one.contexts[0], &point, 1, NULL), "signal");
    }
    assert_int_equal(vidmm_context_wait(one.contexts[1], last), STATUS_SUCCESS);
    assert_int_equal(fence_filled(&one, 0), 0x44444444);
    assert_int_equal(order.calls, 1);
    assert_int_equal(order.filled, 0x11111111); /* D-251 */
    assert_int_equal(vidmm_fence_value(fence), 1);
    fence_finish();
}

/* A paging queue's fence is a fence: 7000, then what its operations answer (W-021, D-247). */
static void a_paging_queue_has_a_monitored_fence(void **state)
{
    struct vidmm_paging_queue *queue;
    struct vidmm_fence *fence;
    struct vidmm_residency_result result;
    struct rig_allocation allocation;
    struct vidmm_device *own;
    uint64_t value;

    (void)state;
    fence_start("");
    fence_succeeds(vidmm_paging_queue_create(one.device, 1, &queue, NULL), "queue");
    fence = vidmm_paging_queue_monitored_fence(queue);
    assert_int_equal(vidmm_fence_value(fence), 7000);
    assert_ptr_equal(vidmm_paging_queue_fence(queue), vidmm_fence_address(fence));
    own = fence_rig.device;
    fence_rig.device = one.device;
    fence_succeeds(rig_create(&fence_rig, &allocation, VIDMM_PAGE_SIZE, 2, 0), "create");
    fence_rig.device = own;
    assert_int_equal(vidmm_make_resident(queue, &allocation.handle, 1, 0, &result, NULL),
                     STATUS_PENDING);
    assert_int_equal(result.value, 7001);
    {
        const struct vidmm_fence_point point = {fence, 7001};

        fence_succeeds(vidmm_context_wait_for_fences(one.contexts[0], &point, 1, NULL), "wait");
        value = fence_fill(&one, 0, 0, 0x66666666);
        assert_int_equal(fence_wait(fence, 7001), STATUS_SUCCESS);
    }
    assert_int_equal(*vidmm_paging_queue_fence(queue), 7001);
    assert_int_equal(vidmm_context_wait(one.contexts[0], value), STATUS_SUCCESS);
    vidmm_fence_destroy(fence); /* it is its queue's */
    assert_int_equal(vidmm_fence_value(fence), 7001);
    fence_finish();
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void a_context_is_destroyed_while_it_waits(void **state)
{
    struct vidmm_fence *fence, *gone;

    (void)state;
    fence_start("");
    fence_begin_two(2);
    fence = fence_make(two.device, 0, VIDMM_FENCE_SHARED);
    gone = fence_make(one.device, 0, 0);
    {
        const struct vidmm_fence_point point = {fence, 3}, other = {gone, 3};

        fence_fill(&one, 0, 0, 0x11111111);
        fence_succeeds(vidmm_context_wait_for_fences(one.contexts[0], &point, 1, NULL), "wait");
        fence_fill(&one, 0, 64, 0x22222222);
        fence_succeeds(vidmm_context_wait_for_fences(one.contexts[1], &other, 1, NULL), "wait");
        fence_fill(&one, 1, 128, 0x33333333);
        vidmm_fence_destroy(gone); /* the other goes on */
        vidmm_context_destroy(one.contexts[0]);
        fence_settle();
        assert_int_equal(fence_filled(&one, 0), 0x11111111);
        assert_int_equal(fence_filled(&one, 64), 0);
        assert_int_equal(fence_filled(&one, 128), 0x33333333);
        fence_succeeds(vidmm_context_wait_for_fences(one.contexts[1], &point, 1, NULL), "wait");
    }
    vidmm_device_destroy(one.device); /* it goes with its second wait */
    free(one.pages);
    fence_begin(&one, 1, true);
    fence_end(&two);
    fence_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cpu_signals_and_reads_a_value),
        cmocka_unit_test(a_wait_of_the_cpu_is_over_at_or_above_the_value),
        cmocka_unit_test(all_and_any_of_several_are_waited_for),
        cmocka_unit_test(a_destroyed_fence_wakes_who_waits_for_it),
        cmocka_unit_test(many_fences_have_places_of_their_own),
        cmocka_unit_test(a_fence_that_cannot_be_is_refused_by_name),
        cmocka_unit_test(signals_and_waits_are_refused_by_index),
        cmocka_unit_test(an_address_is_refused_where_the_gpu_finds_nothing),
        cmocka_unit_test(below_wddm_2_there_are_no_fences),
        cmocka_unit_test(half_a_value_wraps_and_reaches_as_far_as_it_may),
        cmocka_unit_test(the_gpu_signals_where_the_cpu_waits),
        cmocka_unit_test(the_gpu_waits_where_the_cpu_signals),
        cmocka_unit_test(processes_share_a_fence_at_addresses_of_their_own),
        cmocka_unit_test(a_wait_in_a_queue_holds_back_what_is_behind_it),
        cmocka_unit_test(a_signal_in_a_queue_comes_behind_what_was_before),
        cmocka_unit_test(a_paging_queue_has_a_monitored_fence),
        cmocka_unit_test(a_context_is_destroyed_while_it_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
