/* shows_monitored_fence.c: monitored-fence.def and usage-tracking.def, obeyed on a driver with a
 * GPU MMU and on a physical one of WDDM 2.
 */
#include "unit/test_fence_rig.h"

#include <errno.h>
#include <unistd.h>

#include "rules.h"

#include "vidmm/object/context.h"
#include "vidmm/object/fence.h"

#define PHYSICAL "wddm 2.0\n"

struct heard {
    unsigned calls, place; /* among all that were called */
    NTSTATUS status;
};

static unsigned all_calls;

static void hear(void *argument, NTSTATUS status)
{
    struct heard *heard = argument;

    heard->calls++;
    heard->place = ++all_calls;
    heard->status = status;
}

static void listen(struct heard *heard, const struct vidmm_fence_point *points, uint32_t count,
                   bool any)
{
    const struct vidmm_fence_notice notice = {hear, heard};

    *heard = (struct heard){0};
    fence_succeeds(vidmm_fence_notify(one.device, points, count, any, &notice, &fence_rig.report),
                   "notify");
}

static void listen_to(struct heard *heard, struct vidmm_fence *fence, uint64_t value)
{
    const struct vidmm_fence_point point = {fence, value};

    listen(heard, &point, 1, false);
}

static uint32_t half(const struct vidmm_fence *fence)
{
    return *(const volatile uint32_t *)vidmm_fence_address(fence);
}

/* ---- monitored-fence.def --------------------------------------------------------------------- */

void shows_D_185(void **state)
{
    const uint64_t near = UINT64_C(0xffffff00), reach = UINT64_C(0x7fffffff);
    struct vidmm_fence *fence, *second;
    struct heard heard;

    (void)state;
    fence_start("");
    fence = fence_make(one.device, 0, 0);
    second = fence_make(one.device, 0, 0);
    assert_int_equal((uintptr_t)vidmm_fence_address(second) % 8, 0);
    assert_int_equal(fence_address(second, &one) % 8, 0);
    assert_int_equal(fence_signal(fence, UINT64_C(0x123456789abcdef0)), STATUS_SUCCESS);
    assert_true(*vidmm_fence_address(fence) == UINT64_C(0x123456789abcdef0));
    assert_int_equal(vidmm_fence_value(second), 0);
    fence_finish();
    fence_start("atomics_64 off\n");
    fence = fence_make(one.device, near, 0);
    assert_int_equal(fence_signal(fence, near + reach + 1), STATUS_INVALID_PARAMETER);
    assert_int_equal(fence_wait(fence, near + reach + 1), STATUS_INVALID_PARAMETER);
    listen_to(&heard, fence, near + reach);
    fence_gpu_signal(&one, 0, fence, near + 0x200); /* half of it wraps */
    assert_int_equal(fence_wait(fence, near + 0x200), STATUS_SUCCESS);
    assert_int_equal(half(fence), 0x100);
    assert_true(vidmm_fence_value(fence) == near + 0x200);
    assert_int_equal(heard.calls, 0);
    assert_int_equal(fence_signal(fence, near + reach), STATUS_SUCCESS);
    assert_int_equal(heard.calls, 1);
    assert_int_equal(half(fence), (uint32_t)(near + reach));
    fence_finish();
}

/* Have the system write the value there, as the program would. Answers whether it could. */
static bool can_be_written(const volatile void *address, uint64_t value)
{
    bool written;
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], &value, sizeof(value)), sizeof(value));
    written = read(ends[0], (void *)(uintptr_t)address, sizeof(value)) == sizeof(value);
    assert_true(written || errno == EFAULT);
    close(ends[0]);
    close(ends[1]);
    return written;
}

/* A value that the CPU writes by itself does not arrive; one that it signals does, and ends the
 * wait. */
void shows_D_186(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        const volatile uint64_t *address;
        struct vidmm_fence *fence;
        struct heard heard;

        fence_start("");
        fence = fence_make(one.device, 3, shared ? VIDMM_FENCE_SHARED : 0);
        address = vidmm_fence_address(fence);
        listen_to(&heard, fence, 5);
        assert_false(can_be_written(address, 5));
        fence_settle();
        assert_int_equal(*address, 3);
        assert_int_equal(vidmm_fence_value(fence), 3);
        assert_int_equal(heard.calls, 0);
        assert_int_equal(fence_signal(fence, 5), STATUS_SUCCESS);
        assert_int_equal(*address, 5);
        assert_int_equal(heard.calls, 1);
        fence_gpu_signal(&one, 0, fence, 8); /* the GPU writes it elsewhere, and it is seen here */
        assert_int_equal(fence_wait(fence, 8), STATUS_SUCCESS);
        assert_int_equal(*address, 8);
        fence_finish();
    }
}

void shows_D_187(void **state)
{
    struct vidmm_fence *fence;
    struct heard low, high;
    uint64_t value;

    (void)state;
    fence_start("");
    fence = fence_make(one.device, 0, 0);
    listen_to(&low, fence, 4);
    listen_to(&high, fence, 6);
    {
        const struct vidmm_fence_point point = {fence, 5};

        fence_succeeds(vidmm_context_wait_for_fences(one.contexts[0], &point, 1, NULL), "wait");
        value = fence_fill(&one, 0, 0, 7);
    }
    assert_int_equal(fence_signal(fence, 5), STATUS_SUCCESS);
    assert_int_equal(*vidmm_fence_address(fence), 5); /* the memory has it */
    assert_int_equal(vidmm_context_wait(one.contexts[0], value), STATUS_SUCCESS);
    assert_int_equal(low.calls, 1);
    assert_int_equal(high.calls, 0);
    fence_finish();
}

void shows_D_188(void **state)
{
    struct vidmm_fence *a, *b;
    struct heard all, any, at_once;

    (void)state;
    fence_start("");
    a = fence_make(one.device, 3, 0);
    b = fence_make(one.device, 1, 0);
    {
        const struct vidmm_fence_point points[] = {{a, 4}, {b, 2}}, there[] = {{a, 3}, {b, 9}};

        listen(&all, points, 2, false); /* it returns at once */
        listen(&any, points, 2, true);
        assert_int_equal(all.calls + any.calls, 0);
        listen(&at_once, there, 2, true);
        assert_int_equal(at_once.calls, 1); /* at the value */
        assert_int_equal(fence_signal(b, 7), STATUS_SUCCESS);
        assert_int_equal(any.calls, 1); /* above it */
        assert_int_equal(all.calls, 0);
        assert_int_equal(vidmm_fence_wait(one.device, points, 2, true, NULL), STATUS_SUCCESS);
        /* The GPU comes to the value while the caller blocks. */
        fence_gpu_signal(&one, 0, a, 4);
        assert_int_equal(vidmm_fence_wait(one.device, points, 2, false, NULL), STATUS_SUCCESS);
        assert_int_equal(*vidmm_fence_address(a), 4);
        assert_int_equal(all.calls, 1);
        assert_int_equal(all.status, STATUS_SUCCESS);
    }
    fence_finish();
}

void shows_D_189(void **state)
{
    struct vidmm_fence *fence;
    uint64_t value;

    (void)state;
    fence_start("interrupts late\n");
    fence = fence_make(one.device, 0, 0);
    fence_fill(&one, 0, 0, 1);
    {
        const struct vidmm_fence_point point = {fence, 1};

        /* Nobody has signaled, and the call returns. */
        fence_succeeds(vidmm_context_wait_for_fences(one.contexts[0], &point, 1, NULL), "wait");
    }
    value = fence_fill(&one, 0, 64, 2);
    fence_fill(&one, 1, 128, 3);
    fence_settle();
    assert_int_equal(fence_filled(&one, 0), 1);
    assert_int_equal(fence_filled(&one, 64), 0);
    assert_int_equal(fence_filled(&one, 128), 3);
    fence_gpu_signal(&one, 1, fence, 1);
    assert_int_equal(vidmm_context_wait(one.contexts[0], value), STATUS_SUCCESS);
    assert_int_equal(fence_filled(&one, 64), 2);
    fence_finish();
}

void shows_D_190(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        struct rig_options options = rig_defaults();
        struct vidmm_fence *fence;

        options.caches_apart = apart != 0;
        fence_start_with("", options);
        fence = fence_make(one.device, 0, 0);
        assert_int_equal(fence->page->backing.caching, apart ? VIDMM_NON_CACHED : VIDMM_CACHED);
        assert_int_equal(fence_signal(fence, 2), STATUS_SUCCESS);
        assert_int_equal(*vidmm_fence_address(fence), 2);
        fence_finish();
    }
}

static void reset_with(const char *gpu, bool whole)
{
    struct vidmm_fence *fence, *kept, *other;

    fence_start(gpu);
    fence_begin_two(2);
    fence = fence_make(one.device, 1, 0);
    kept = fence_make(one.device, 1, VIDMM_FENCE_NO_MAX_VALUE);
    other = fence_make(two.device, 1, 0);
    fence_gpu_signal(&one, 0, fence, 2);
    assert_int_equal(fence_wait(fence, 2), STATUS_SUCCESS);
    softgpu_device_hang(fence_rig.gpu, 0, 0, false);
    fence_gpu_signal(&one, 0, fence, 3);
    assert_true(fence_wait(fence, 3) != STATUS_SUCCESS);
    fence_settle();
    assert_true(*vidmm_fence_address(fence) == UINT64_MAX);
    assert_int_equal(*vidmm_fence_address(kept), 1);
    assert_true(*vidmm_fence_address(other) == (whole ? UINT64_MAX : 1)); /* is it affected? */
    fence_end(&two);
    fence_end(&one);
    rig_finish(&fence_rig);
}

void shows_D_192(void **state)
{
    (void)state;
    reset_with("engine_reset on\n", false);
    reset_with("", true);
}

/* The GPU stands, and the paging buffers run out: of what waits, the queue of the highest priority
 * is served first, though its work came last. */
void shows_D_248(void **state)
{
    enum { COUNT = 6, NORMAL = 4, HIGH = 5 };
    struct vidmm_paging_queue *queues[3];
    struct heard heard[COUNT];
    struct rig_allocation allocations[COUNT];
    struct vidmm_residency_result result;
    struct vidmm_device *own;

    (void)state;
    fence_start("");
    own = fence_rig.device;
    fence_rig.device = one.device;
    for (uint32_t i = 0; i < 3; i++)
        fence_succeeds(vidmm_paging_queue_create(one.device, i, &queues[i], NULL), "queue");
    for (uint32_t i = 0; i < COUNT; i++)
        fence_succeeds(rig_create(&fence_rig, &allocations[i], 20 * VIDMM_PAGE_SIZE, 2, 0),
                       "create");
    fence_rig.device = own;
    all_calls = 0;
    softgpu_device_hang(fence_rig.gpu, 1, 0, true); /* the engine that pages */
    for (uint32_t i = 0; i < COUNT; i++) {
        struct vidmm_paging_queue *queue = queues[i == HIGH ? 2 : i == NORMAL ? 1 : 0];

        assert_int_equal(vidmm_make_resident(queue, &allocations[i].handle, 1, 0, &result, NULL),
                         STATUS_PENDING);
        listen_to(&heard[i], vidmm_paging_queue_monitored_fence(queue), result.value);
    }
    softgpu_device_release(fence_rig.gpu);
    assert_int_equal(vidmm_paging_queue_wait(queues[0], 7000 + NORMAL, NULL), STATUS_SUCCESS);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(heard[i].calls, 1);
    assert_int_equal(heard[0].place, 1);
    assert_true(heard[HIGH].place < heard[NORMAL].place);
    assert_true(heard[NORMAL].place < heard[NORMAL - 1].place);
    fence_finish();
}

/* Two queues of a device: each has a fence and an address of its own, where nobody writes but the
 * manager. */
void shows_D_247(void **state)
{
    const struct vidmm_address_request request = {.size = VIDMM_PAGE_SIZE};
    struct vidmm_address_use map = {.state = VIDMM_ADDRESSES_MAPPED};
    struct vidmm_paging_queue *queues[2] = {NULL, NULL};
    uint64_t address, value = 0;

    (void)state;
    fence_start("");
    for (uint32_t i = 0; i < 2; i++) {
        struct vidmm_fence_point own = {.value = 7001};

        fence_succeeds(vidmm_paging_queue_create(one.device, VIDMM_PAGING_QUEUE_NORMAL, &queues[i],
                                                 &fence_rig.report),
                       "queue");
        own.fence = vidmm_paging_queue_monitored_fence(queues[i]);
        assert_ptr_equal(vidmm_paging_queue_fence(queues[i]), vidmm_fence_address(own.fence));
        assert_int_equal(*vidmm_paging_queue_fence(queues[i]), 7000);
        assert_false(can_be_written(vidmm_paging_queue_fence(queues[i]), 7001));
        assert_int_equal(vidmm_fence_signal(one.device, &own, 1, NULL), STATUS_ACCESS_DENIED);
        assert_int_equal(*vidmm_paging_queue_fence(queues[i]), 7000);
    }
    assert_ptr_not_equal(queues[0], queues[1]);
    assert_ptr_not_equal(vidmm_paging_queue_fence(queues[0]), vidmm_paging_queue_fence(queues[1]));
    assert_ptr_not_equal(vidmm_paging_queue_monitored_fence(queues[0]),
                         vidmm_paging_queue_monitored_fence(queues[1]));
    map.allocation = one.memory;
    assert_int_equal(
        vidmm_map_addresses(queues[1], &request, &map, &address, &value, &fence_rig.report),
        STATUS_PENDING);
    assert_true(value == 7001);
    {
        const struct vidmm_fence_point point = {vidmm_paging_queue_monitored_fence(queues[1]),
                                                value};

        assert_int_equal(vidmm_fence_wait(one.device, &point, 1, false, &fence_rig.report),
                         STATUS_SUCCESS);
    }
    assert_int_equal(*vidmm_paging_queue_fence(queues[0]), 7000);
    assert_int_equal(*vidmm_paging_queue_fence(queues[1]), 7001);
    fence_finish();
}

/* A GPU that writes no fence: the queue signals, when what was before has been executed. */
void shows_D_251(void **state)
{
    struct vidmm_fence *fence;
    struct heard heard;
    uint64_t value = 0;

    (void)state;
    fence_start(PHYSICAL);
    fence_rig.context = one.contexts[0];
    fence = fence_make(one.device, 0, 0);
    listen_to(&heard, fence, 1);
    softgpu_device_hang(fence_rig.gpu, 0, 0, false);
    for (uint32_t i = 0; i < 2; i++)
        fence_succeeds(rig_render(&fence_rig, NULL, 0, 0), "render");
    value = fence_rig.value;
    {
        const struct vidmm_fence_point point = {fence, 1};

        fence_succeeds(vidmm_context_signal_fences(one.contexts[0], &point, 1, NULL), "signal");
    }
    fence_settle();
    assert_int_equal(*vidmm_fence_address(fence), 0);
    assert_int_equal(heard.calls, 0);
    softgpu_device_release(fence_rig.gpu);
    assert_int_equal(fence_wait(fence, 1), STATUS_SUCCESS);
    assert_int_equal(*vidmm_fence_address(fence), 1);
    assert_true(vidmm_context_completed(one.contexts[0]) == value);
    assert_int_equal(heard.calls, 1);
    fence_finish();
}

/* ---- usage-tracking.def ---------------------------------------------------------------------- */

static PDXGKDDI_CREATECONTEXT create_context;
static uint32_t asked_lists;

static NTSTATUS ask_for_lists(HANDLE device, DXGKARG_CREATECONTEXT *arguments)
{
    NTSTATUS status = create_context(device, arguments);

    arguments->ContextInfo.AllocationListSize = asked_lists;
    arguments->ContextInfo.PatchLocationListSize = asked_lists;
    return status;
}

void shows_D_095(void **state)
{
    (void)state;
    for (asked_lists = 0; asked_lists <= 4000; asked_lists += 4000) {
        struct rig_options options = rig_defaults();
        struct vidmm_allocation *primaries[VIDMM_WRITTEN_PRIMARIES + 1];
        struct vidmm_command command = {.length = 64, .written_primaries = primaries};
        uint64_t value;

        options.gpu = "wddm 2.6\n" FENCE_GPU;
        rig_build(&fence_rig, &options);
        create_context = fence_rig.driver.DxgkDdiCreateContext;
        fence_rig.driver.DxgkDdiCreateContext = ask_for_lists;
        fence_succeeds(rig_start(&fence_rig), "start");
        fence_begin(&one, 1, true);
        assert_int_equal(one.contexts[0]->allocation_list_size, VIDMM_WRITTEN_PRIMARIES);
        assert_int_equal(one.contexts[0]->patch_list_size, 0);
        for (uint32_t i = 0; i <= VIDMM_WRITTEN_PRIMARIES; i++)
            primaries[i] = one.memory;
        fence_fill(&one, 0, 0, 5);
        command.address = one.address;
        command.length = one.used;
        command.written_primary_count = VIDMM_WRITTEN_PRIMARIES;
        fence_succeeds(
            vidmm_submit_command(one.contexts[0], &command, true, &value, &fence_rig.report),
            "submit");
        command.written_primary_count++;
        assert_int_equal(
            vidmm_submit_command(one.contexts[0], &command, true, &value, &fence_rig.report),
            STATUS_INVALID_PARAMETER);
        assert_non_null(strstr(fence_rig.report.text, "written_primary_count is 17"));
        fence_finish();
    }
}
