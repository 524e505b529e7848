/* test_thunk_faults.c: D3DKMT_ESCAPE_VIDMM, SetFault: what is refused then, and as before without
 * it.
 */
#include "test_thunk_rig.h"

#include "thunk/object.h"
#include "vidmm/object/allocation.h"
#include "vidmm/object/lock_word.h"

#define CPU_VISIBLE 1u
#define EXISTING_CACHED_VISIBLE 0x15u /* ExistingSysMem, Cached, CpuVisible */

enum {
    PROBE_AND_LOCK = 1u,
    NO_DEMOTION = 1u << 2,
    SUB_RANGE = 1u << 4,
    MIN_RANGE = 1u << 5,
    COMPLEX_LOCK = 1u << 6,
    FAIL_ROTATION = 1u << 7,
    ALWAYS_REPATCH = 1u << 10,
    EXPECT_FAILURE = 1u << 11,
    NO_WRITE_COMBINED = 1u << 8,
    FAIL_MAPPING = 1u << 12,
    NEVER_DISCARD = 1u << 13,
    ALWAYS_DISCARD = 1u << 14,
};

static NTSTATUS set_faults(const struct thunk_program *program, uint32_t faults)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_SETFAULT};
    D3DKMT_ESCAPE arguments = {.hAdapter = program->adapter,
                               .Type = D3DKMT_ESCAPE_VIDMM,
                               .pPrivateDriverData = &message,
                               .PrivateDriverDataSize = sizeof(message)};

    message.SetFault.Value = faults;
    return vidmm_thunk_Escape(program->process, &arguments);
}

/* memory: NULL, of the manager's own. */
static NTSTATUS create(void *memory, D3DKMT_HANDLE *handle)
{
    struct softgpu_allocation wish =
        thunk_wish(1, memory ? EXISTING_CACHED_VISIBLE : CPU_VISIBLE, memory ? 1 : 2);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION arguments = {
        .hDevice = one.device, .NumAllocations = 1, .pAllocationInfo2 = &info};
    NTSTATUS status;

    info.pSystemMem = memory;
    status = vidmm_thunk_CreateAllocation2(one.process, &arguments);
    *handle = info.hAllocation;
    return status;
}

static NTSTATUS lock(D3DKMT_HANDLE allocation, void **data)
{
    D3DKMT_LOCK2 arguments = {.hDevice = one.device, .hAllocation = allocation};
    NTSTATUS status = vidmm_thunk_Lock2(one.process, &arguments);

    *data = arguments.pData;
    return status;
}

static struct vidmm_allocation *allocation_of(D3DKMT_HANDLE handle)
{
    struct vidmm_thunk_object *object;

    vidmm_thunk_enter(one.process);
    object = vidmm_thunk_find(one.process, handle, VIDMM_THUNK_ALLOCATION, "handle");
    vidmm_thunk_leave(one.process);
    assert_non_null(object);
    return object->of;
}

static uint32_t caching_of(D3DKMT_HANDLE handle)
{
    return (uint32_t)allocation_of(handle)->backing.caching;
}

static void start(void)
{
    thunk_start(THUNK_GPU);
    begin_program(&one);
}

static void memory_of_a_program_cannot_be_locked(void **state)
{
    void *memory = aligned_alloc(VIDMM_PAGE_SIZE, VIDMM_PAGE_SIZE);
    D3DKMT_HANDLE allocation;

    (void)state;
    start();
    begin_program(&other);
    succeeds(set_faults(&other, PROBE_AND_LOCK)); /* of the adapter: for all processes */
    refused_with(create(memory, &allocation), STATUS_NO_MEMORY, "a test has set ProbeAndLock");
    succeeds(create(NULL, &allocation));
    succeeds(set_faults(&other, 0));
    succeeds(create(memory, &allocation));
    thunk_finish();
    free(memory);
}

static void nothing_is_write_combined(void **state)
{
    D3DKMT_HANDLE before, allocation;
    void *data;

    (void)state;
    start();
    succeeds(create(NULL, &before));
    succeeds(set_faults(&one, NO_WRITE_COMBINED));
    succeeds(create(NULL, &allocation));
    assert_int_equal(caching_of(before), VIDMM_WRITE_COMBINED);
    assert_int_equal(caching_of(allocation), VIDMM_NON_CACHED);
    thunk_make_resident(&one, allocation);
    succeeds(lock(allocation, &data));
    memset(data, 7, VIDMM_PAGE_SIZE);
    assert_int_equal(((unsigned char *)data)[100], 7);
    thunk_finish();
}

/* An allocation that has an address keeps it, wherever it is. */
static void nothing_gets_an_address(void **state)
{
    D3DKMT_HANDLE before, allocation;
    D3DKMT_UNLOCK2 unlock = {0};
    void *data, *again;

    (void)state;
    start();
    succeeds(create(NULL, &before));
    succeeds(lock(before, &data));
    unlock.hDevice = one.device;
    unlock.hAllocation = before;
    succeeds(vidmm_thunk_Unlock2(one.process, &unlock));
    thunk_make_resident(&one, before); /* the next lock of it asks again */
    succeeds(create(NULL, &allocation));
    succeeds(set_faults(&one, FAIL_MAPPING | NO_WRITE_COMBINED));
    assert_int_equal(lock(allocation, &again), STATUS_NO_MEMORY);
    succeeds(lock(before, &again));
    assert_ptr_equal(data, again);
    succeeds(set_faults(&one, NO_WRITE_COMBINED)); /* the set is what was asked for last */
    succeeds(lock(allocation, &again));
    memset(again, 3, VIDMM_PAGE_SIZE);
    thunk_finish();
}

static void offer(D3DKMT_HANDLE allocation)
{
    D3DKMT_OFFERALLOCATIONS arguments = {.hDevice = one.device,
                                         .HandleList = &allocation,
                                         .NumAllocations = 1,
                                         .Priority = D3DKMT_OFFER_PRIORITY_LOW};

    succeeds(vidmm_thunk_OfferAllocations(one.process, &arguments));
}

static D3DDDI_RECLAIM_RESULT reclaim(D3DKMT_HANDLE allocation)
{
    D3DDDI_RECLAIM_RESULT result = D3DDDI_RECLAIM_RESULT_NOT_COMMITTED;
    D3DKMT_RECLAIMALLOCATIONS2 arguments = {.hPagingQueue = one.queue,
                                            .NumAllocations = 1,
                                            .HandleList = &allocation,
                                            .pResults = &result};
    NTSTATUS status = vidmm_thunk_ReclaimAllocations2(one.process, &arguments);

    comes(&one, status, arguments.PagingFenceValue);
    return result;
}

/* 7s are written to the allocation, which is offered and reclaimed. Answers the first byte then. */
static uint8_t byte_after_offer(D3DKMT_HANDLE allocation, D3DDDI_RECLAIM_RESULT *result)
{
    D3DKMT_UNLOCK2 unlock = {.hDevice = one.device, .hAllocation = allocation};
    void *data;
    uint8_t first;

    thunk_make_resident(&one, allocation);
    succeeds(lock(allocation, &data));
    memset(data, 7, VIDMM_PAGE_SIZE);
    succeeds(vidmm_thunk_Unlock2(one.process, &unlock));
    offer(allocation);
    *result = reclaim(allocation);
    succeeds(lock(allocation, &data));
    first = *(uint8_t *)data;
    succeeds(vidmm_thunk_Unlock2(one.process, &unlock));
    return first;
}

/* There is room enough. */
static void what_is_offered_is_discarded_at_once(void **state)
{
    D3DDDI_RECLAIM_RESULT result;
    D3DKMT_HANDLE allocation;

    (void)state;
    start();
    succeeds(create(NULL, &allocation));
    assert_int_equal(byte_after_offer(allocation, &result), 7);
    assert_int_equal(result, D3DDDI_RECLAIM_RESULT_OK);
    succeeds(set_faults(&one, ALWAYS_DISCARD));
    assert_int_equal(byte_after_offer(allocation, &result), 0);
    assert_int_equal(result, D3DDDI_RECLAIM_RESULT_DISCARDED);
    succeeds(set_faults(&one, NEVER_DISCARD | NO_DEMOTION));
    assert_int_equal(byte_after_offer(allocation, &result), 7);
    assert_int_equal(result, D3DDDI_RECLAIM_RESULT_OK);
    thunk_finish();
}

static NTSTATUS evict(D3DKMT_HANDLE allocation)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_EVICT};

    message.Evict.AllocationHandle = allocation;
    return thunk_escape(&one, &message);
}

/* One that is locked stays where it is: its address does not follow. */
static void no_address_follows(void **state)
{
    D3DKMT_UNLOCK2 unlock = {0};
    D3DKMT_HANDLE allocation;
    void *data;

    (void)state;
    start();
    succeeds(create(NULL, &allocation));
    thunk_make_resident(&one, allocation);
    succeeds(lock(allocation, &data));
    *(char *)data = 5;
    succeeds(set_faults(&one, FAIL_ROTATION));
    assert_int_equal(evict(allocation), STATUS_GRAPHICS_ALLOCATION_BUSY);
    unlock.hDevice = one.device;
    unlock.hAllocation = allocation;
    succeeds(vidmm_thunk_Unlock2(one.process, &unlock));
    succeeds(evict(allocation));
    succeeds(thunk_touch_nothing(&one));                         /* it comes back */
    succeeds(set_faults(&one, ALWAYS_REPATCH | EXPECT_FAILURE)); /* these change nothing */
    succeeds(lock(allocation, &data));
    succeeds(evict(allocation));
    assert_int_equal(*(char *)data, 5);
    thunk_finish();
}

static bool is_open(D3DKMT_HANDLE handle)
{
    return (atomic_load(&allocation_of(handle)->word) & WORD_RIGHT) != 0;
}

/* The engine is asked each time, also for what was locked before. */
static void each_lock_asks(void **state)
{
    D3DKMT_HANDLE before, allocation;
    D3DKMT_UNLOCK2 unlock = {0};
    void *first, *second;

    (void)state;
    start();
    succeeds(create(NULL, &before));
    succeeds(create(NULL, &allocation));
    thunk_make_resident(&one, allocation);
    succeeds(lock(before, &first));
    assert_true(is_open(before));
    succeeds(set_faults(&one, COMPLEX_LOCK));
    assert_false(is_open(before));
    succeeds(lock(before, &second));
    assert_ptr_equal(first, second);
    assert_false(is_open(before));
    succeeds(lock(allocation, &first));
    memset(first, 9, VIDMM_PAGE_SIZE);
    assert_false(is_open(allocation));
    succeeds(evict(allocation)); /* it follows, and is closed behind that too */
    assert_false(is_open(allocation));
    assert_int_equal(*(unsigned char *)first, 9);
    unlock.hDevice = one.device;
    unlock.hAllocation = allocation;
    succeeds(vidmm_thunk_Unlock2(one.process, &unlock));
    succeeds(set_faults(&one, 0));
    succeeds(lock(allocation, &second));
    assert_true(is_open(allocation));
    assert_int_equal(*(unsigned char *)second, 9);
    thunk_finish();
}

static DXGKDDI_BUILDPAGINGBUFFER *build_really;
static unsigned transfers;

static NTSTATUS build(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    transfers += arguments->Operation == DXGK_OPERATION_VIRTUAL_TRANSFER;
    return build_really(adapter, arguments);
}

static void count_transfers(DRIVER_INITIALIZATION_DATA *driver)
{
    build_really = driver->DxgkDdiBuildPagingBuffer;
    driver->DxgkDdiBuildPagingBuffer = build;
}

static unsigned transfers_with(uint32_t faults, D3DKMT_HANDLE allocation)
{
    succeeds(set_faults(&one, faults));
    thunk_make_resident(&one, allocation);
    succeeds(thunk_touch_nothing(&one));
    vidmm_machine_settle(thunk_rig.machine);
    transfers = 0;
    succeeds(evict(allocation));
    return transfers;
}

/* 40 pages: 16, 16 and 8 in pieces of 64 KiB. */
static void memory_is_paged_by_pieces(void **state)
{
    D3DKMT_HANDLE allocation;
    unsigned whole;

    (void)state;
    thunk_bend = count_transfers;
    start();
    thunk_bend = NULL;
    allocation = thunk_create(&one, 40);
    whole = transfers_with(0, allocation);
    assert_int_equal(transfers_with(MIN_RANGE, allocation), 40);
    assert_int_equal(transfers_with(MIN_RANGE | SUB_RANGE, allocation), 40);
    assert_int_equal(transfers_with(SUB_RANGE, allocation), 3);
    assert_int_equal(transfers_with(0, allocation), whole);
    assert_true(whole < 3);
    thunk_finish();
}

/* With two that exclude each other, or one that is none, nothing is set. */
static void a_refusal_sets_nothing(void **state)
{
    D3DKMT_HANDLE allocation;
    void *data;

    (void)state;
    start();
    succeeds(create(NULL, &allocation));
    refused(set_faults(&one, FAIL_MAPPING | 1u << 15), "reserved");
    refused(set_faults(&one, FAIL_MAPPING | NEVER_DISCARD | ALWAYS_DISCARD), "exclude each other");
    succeeds(lock(allocation, &data));
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_a_program_cannot_be_locked),
        cmocka_unit_test(nothing_is_write_combined),
        cmocka_unit_test(nothing_gets_an_address),
        cmocka_unit_test(what_is_offered_is_discarded_at_once),
        cmocka_unit_test(no_address_follows),
        cmocka_unit_test(each_lock_asks),
        cmocka_unit_test(memory_is_paged_by_pieces),
        cmocka_unit_test(a_refusal_sets_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
