/* test_thunk_self_tests.c: D3DKMT_ESCAPE_VIDMM: the tests that the manager makes, and what it does
 * later or by the clock. */
#include "vidmm/engine/state/engine_state.h" /* before the names of the rig */

#include "test_thunk_rig.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vidmm/budget.h>
#include <vidmm/plan.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/backing.h"
#include "vidmm/object/device.h"

enum { CPU_VISIBLE = 1, APERTURE = 1, MEMORY = 2, PAGES = 3, MOST = 60000 };

#define MS UINT64_C(1000000)
#define BYTES ((size_t)PAGES * VIDMM_PAGE_SIZE)

static NTSTATUS test(D3DKMT_VIDMMESCAPETYPE type)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = type};

    return thunk_escape(&one, &message);
}

static NTSTATUS verify_transfer(uint32_t segment)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_DEFRAG};

    message.Defrag.Operation = D3DKMT_DEFRAG_ESCAPE_VERIFY_TRANSFER;
    message.Defrag.SegmentId = segment;
    return thunk_escape(&one, &message);
}

static bool is_in_memory(D3DKMT_HANDLE handle)
{
    vidmm_machine_settle(thunk_rig.machine); /* it may be on its way */
    return thunk_is_in_memory(&one, handle);
}

/* One that the CPU sees, resident, with bytes of its own. */
static D3DKMT_HANDLE make(uint32_t flags, uint32_t set, unsigned char byte)
{
    struct softgpu_allocation wish = thunk_wish(PAGES, flags, set);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = one.device, .NumAllocations = 1, .pAllocationInfo2 = &info};
    D3DKMT_UNLOCK2 unlock = {.hDevice = one.device};

    succeeds(vidmm_thunk_CreateAllocation2(one.process, &create));
    thunk_make_resident(&one, info.hAllocation);
    if ((flags & CPU_VISIBLE) != 0) {
        memset((void *)(uintptr_t)thunk_lock(&one, info.hAllocation), byte, BYTES);
        unlock.hAllocation = info.hAllocation;
        succeeds(vidmm_thunk_Unlock2(one.process, &unlock));
    }
    return info.hAllocation;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* The driver, which may lose a byte of what is paged out. */
static DXGKDDI_BUILDPAGINGBUFFER *build_really;
static bool loses;
static unsigned transfers;

static NTSTATUS build(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    if (arguments->Operation == DXGK_OPERATION_VIRTUAL_TRANSFER) {
        transfers++;
        if (loses)
            return STATUS_SUCCESS;
    }
    return build_really(adapter, arguments);
}

static void lose_bytes(DRIVER_INITIALIZATION_DATA *driver)
{
    build_really = driver->DxgkDdiBuildPagingBuffer;
    driver->DxgkDdiBuildPagingBuffer = build;
}

static void begin(void)
{
    loses = false;
    thunk_bend = lose_bytes;
    thunk_start(THUNK_GPU);
    thunk_bend = NULL;
    begin_program(&one);
}

/* All that the CPU sees is compared, but what it has locked; and the process goes on. */
static void bytes_are_compared_behind_the_gpu(void **state)
{
    D3DKMT_HANDLE seen, hidden, locked;
    unsigned char *bytes;

    (void)state;
    begin();
    seen = make(CPU_VISIBLE, MEMORY, 1);
    locked = make(CPU_VISIBLE, MEMORY, 2);
    hidden = make(0, MEMORY, 3);
    bytes = (unsigned char *)(uintptr_t)thunk_lock(&one, locked);
    transfers = 0;
    succeeds(test(D3DKMT_VIDMMESCAPETYPE_RUN_COHERENCY_TEST));
    assert_true(transfers > 0);
    assert_false(is_in_memory(seen));
    assert_true(is_in_memory(locked));
    assert_true(is_in_memory(hidden));
    assert_int_equal(bytes[BYTES - 1], 2);
    succeeds(thunk_touch_nothing(&one)); /* it is suspended no more, and all comes back */
    assert_true(is_in_memory(seen));
    transfers = 0;
    succeeds(verify_transfer(APERTURE));
    assert_int_equal(transfers, 0);
    succeeds(verify_transfer(MEMORY));
    assert_true(transfers > 0);
    assert_false(is_in_memory(seen));
    thunk_finish();
}

static void lost_bytes_are_found(void **state)
{
    D3DKMT_VIDMM_ESCAPE suspend = {.Type = D3DKMT_VIDMMESCAPETYPE_SUSPEND_PROCESS};
    D3DKMT_HANDLE seen;

    (void)state;
    begin();
    seen = make(CPU_VISIBLE, MEMORY, 1);
    loses = true;
    refused_with(test(D3DKMT_VIDMMESCAPETYPE_RUN_COHERENCY_TEST), STATUS_UNSUCCESSFUL,
                 "offset of the first byte that differs is 0");
    loses = false;
    succeeds(thunk_touch_nothing(&one));
    assert_true(is_in_memory(seen));
    loses = true;
    refused_with(verify_transfer(MEMORY), STATUS_UNSUCCESSFUL, "the GPU has paged out");
    loses = false;
    succeeds(thunk_escape(&one, &suspend)); /* a process that is suspended stays so */
    succeeds(test(D3DKMT_VIDMMESCAPETYPE_RUN_COHERENCY_TEST));
    suspend.Type = D3DKMT_VIDMMESCAPETYPE_RESUME_PROCESS;
    succeeds(thunk_escape(&one, &suspend));
    thunk_finish();
}

/* All that an aperture shows is unmapped, and nothing else; nobody writes behind it. */
static void what_is_unmapped_shows_the_dummy_page(void **state)
{
    const struct vidmm_host *host;
    D3DKMT_HANDLE shown, local;
    uint64_t *page, frame;

    (void)state;
    begin();
    shown = make(0, APERTURE, 0);
    local = make(0, MEMORY, 0);
    assert_int_equal(thunk_residency(&one, shown),
                     D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINSHAREDMEMORY);
    succeeds(test(D3DKMT_VIDMMESCAPETYPE_RUN_UNMAP_TO_DUMMY_PAGE_TEST));
    assert_int_equal(thunk_residency(&one, shown), D3DKMT_ALLOCATIONRESIDENCYSTATUS_NOTRESIDENT);
    assert_true(is_in_memory(local));
    host = vidmm_slot_host(thunk_rig.slot);
    frame = vidmm_backing_frame(thunk_rig.adapter->dummy, 0);
    page = host->map_pages(host->context, 1, &frame);
    assert_non_null(page);
    page[100] = 1; /* as a GPU does that uses an old address */
    refused_with(test(D3DKMT_VIDMMESCAPETYPE_RUN_UNMAP_TO_DUMMY_PAGE_TEST), STATUS_UNSUCCESSFUL,
                 "S4-047");
    page[100] = 0;
    host->unmap_pages(host->context, page, 1);
    succeeds(test(D3DKMT_VIDMMESCAPETYPE_RUN_UNMAP_TO_DUMMY_PAGE_TEST));
    thunk_finish();
}

/* An allocation that is locked leaves under its pointer, which stays, and comes back under it. */
static void access_of_the_cpu_is_suspended(void **state)
{
    D3DKMT_HANDLE locked, other_one;
    unsigned char *bytes;

    (void)state;
    begin();
    locked = make(CPU_VISIBLE, MEMORY, 7);
    other_one = make(CPU_VISIBLE, MEMORY, 8);
    bytes = (unsigned char *)(uintptr_t)thunk_lock(&one, locked);
    succeeds(test(D3DKMT_VIDMMESCAPETYPE_SUSPEND_CPU_ACCESS_TEST));
    assert_false(is_in_memory(locked));
    assert_true(is_in_memory(other_one));
    for (size_t i = 0; i < BYTES; i++)
        assert_int_equal(bytes[i], 7);
    bytes[5] = 9;
    succeeds(thunk_touch_nothing(&one));
    assert_true(is_in_memory(locked));
    assert_int_equal(bytes[5], 9);
    thunk_finish();
}

/* ---- the clock ------------------------------------------------------------------------------- */

static NTSTATUS delay(D3DKMT_HANDLE queue, uint32_t physical_adapter, ULONG milliseconds,
                      uint64_t *value)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_DELAYEXECUTION};
    NTSTATUS status;

    message.DelayExecution.hPagingQueue = queue;
    message.DelayExecution.PhysicalAdapterIndex = physical_adapter;
    message.DelayExecution.Milliseconds = milliseconds;
    message.DelayExecution.PagingFenceValue = 1;
    status = thunk_escape(&one, &message);
    *value = message.DelayExecution.PagingFenceValue;
    return status;
}

/* The clock goes on for so long. */
static void pass(ULONG milliseconds)
{
    uint64_t value;

    succeeds(delay(one.queue, 0, milliseconds, &value));
    comes(&one, STATUS_PENDING, value);
}

static void a_paging_queue_is_delayed(void **state)
{
    uint64_t began, value, before;

    (void)state;
    begin();
    before = *one.fence;
    began = rig_now(&thunk_rig);
    succeeds(delay(one.queue, 0, 5, &value));
    assert_int_equal(value, before + 1);
    assert_int_equal(*one.fence, before);
    comes(&one, STATUS_PENDING, value);
    assert_in_range(rig_now(&thunk_rig) - began, 5 * MS, 6 * MS);
    refused(delay(one.queue, 0, 0, &value), "Milliseconds is 0; expected 1 to 60000");
    refused(delay(one.queue, 0, MOST + 1, &value), "Milliseconds is 60001");
    refused(delay(one.queue, 1, 1, &value), "PhysicalAdapterIndex is 1; expected 0 to 0");
    refused(delay(0, 0, 1, &value), "DelayExecution.hPagingQueue");
    refused(delay(one.device, 0, 1, &value), "DelayExecution.hPagingQueue");
    assert_int_equal(value, 1);
    succeeds(delay(one.queue, 0, MOST, &value));
    assert_int_equal(value, before + 2);
    thunk_finish();
}

static NTSTATUS delay_evictions(LONGLONG ticks)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_SET_EVICTION_CONFIG};

    message.DelayedEvictionConfig.TimerValue = ticks;
    return thunk_escape(&one, &message);
}

/* Its units are of 100 nanoseconds. */
static void evictions_are_delayed(void **state)
{
    D3DKMT_HANDLE allocation;
    D3DKMT_EVICT evict = {.NumAllocations = 1, .AllocationList = &allocation};

    (void)state;
    begin();
    allocation = make(0, MEMORY, 0);
    evict.hDevice = one.device;
    refused(delay_evictions(-1), "TimerValue is -1; expected 0 to 600000000");
    refused(delay_evictions(600000001), "TimerValue is 600000001");
    succeeds(delay_evictions(100000));
    succeeds(vidmm_thunk_Evict(one.process, &evict));
    pass(9);
    assert_true(is_in_memory(allocation));
    pass(2);
    assert_false(is_in_memory(allocation));
    succeeds(delay_evictions(0));
    thunk_make_resident(&one, allocation);
    succeeds(vidmm_thunk_Evict(one.process, &evict));
    assert_false(is_in_memory(allocation));
    thunk_finish();
}

static NTSTATUS set_intervals(ULONG minimum, ULONG maximum, ULONG idle)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_SET_TRIM_INTERVALS};

    message.SetTrimIntervals.MinTrimInterval = minimum;
    message.SetTrimIntervals.MaxTrimInterval = maximum;
    message.SetTrimIntervals.IdleTrimInterval = idle;
    return thunk_escape(&one, &message);
}

static bool is_asked_to_trim(void)
{
    struct vidmm_device *device = thunk_rig.adapter->devices;
    struct vidmm_trim_request request;

    while (device->system || device->process != 1)
        device = device->next;
    vidmm_machine_settle(thunk_rig.machine);
    return vidmm_trim_take(device, &request) && request.flags == VIDMM_TRIM_PERIODIC;
}

/* Their units are milliseconds. */
static void trims_have_intervals(void **state)
{
    (void)state;
    begin();
    refused(set_intervals(0, 1, 0), "MinTrimInterval is 0; expected 1 to 60000");
    refused(set_intervals(MOST + 1, MOST, 0), "MinTrimInterval is 60001");
    refused(set_intervals(3, 2, 0), "MaxTrimInterval is 2; expected 3 to 60000");
    refused(set_intervals(3, MOST + 1, 0), "MaxTrimInterval is 60001");
    refused(set_intervals(1, 2, MOST + 1), "IdleTrimInterval is 60001; expected 0 to 60000");
    succeeds(set_intervals(10, 20, 30));
    succeeds(thunk_touch_nothing(&one));
    pass(15);
    assert_false(is_asked_to_trim());
    pass(10);
    assert_true(is_asked_to_trim());
    pass(30);
    assert_true(is_asked_to_trim());
    pass(5000);
    assert_false(is_asked_to_trim());
    succeeds(set_intervals(0, 0, 0));
    succeeds(thunk_touch_nothing(&one));
    pass(5000);
    assert_false(is_asked_to_trim());
    thunk_finish();
}

/* ---- invariants ------------------------------------------------------------------------------ */

/* No allocation is what its number says. */
static void damage(struct vidmm_engine *engine)
{
    for (uint32_t id = 0; id < engine->placement_capacity; id++)
        if (engine->placements[id] != NULL)
            engine->placements[id]->id++;
}

/* The end of a process that asks for the check, of a manager that is damaged or not. */
static int end_of_check(bool damaged)
{
    pid_t child;
    int status;

    fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGILL, SIG_DFL);
        signal(SIGTRAP, SIG_DFL);
        if (damaged)
            damage(thunk_rig.adapter->engine);
        _exit(test(D3DKMT_VIDMMESCAPETYPE_VALIDATE_INTEGRITY) == STATUS_SUCCESS ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void a_broken_invariant_ends_the_program(void **state)
{
    int status;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    vidmm_machine_settle(thunk_rig.machine);
    assert_int_equal(end_of_check(false), 0);
    status = end_of_check(true);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_compared_behind_the_gpu),
        cmocka_unit_test(lost_bytes_are_found),
        cmocka_unit_test(what_is_unmapped_shows_the_dummy_page),
        cmocka_unit_test(access_of_the_cpu_is_suspended),
        cmocka_unit_test(a_paging_queue_is_delayed),
        cmocka_unit_test(evictions_are_delayed),
        cmocka_unit_test(trims_have_intervals),
        cmocka_unit_test(a_broken_invariant_ends_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
