/* test_thunk_faults.c: D3DKMT_ESCAPE_VIDMM, SetFault: what is refused then, and as before without
 * it.
 */
#include "test_thunk_rig.h"

#include "thunk/object.h"
#include "vidmm/object/allocation.h"

#define CPU_VISIBLE 1u
#define EXISTING_CACHED_VISIBLE 0x15u /* ExistingSysMem, Cached, CpuVisible */

enum {
    PROBE_AND_LOCK = 1u,
    NO_DEMOTION = 1u << 2,
    COMPLEX_LOCK = 1u << 6,
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

static uint32_t caching_of(D3DKMT_HANDLE handle)
{
    struct vidmm_thunk_object *object;

    vidmm_thunk_enter(one.process);
    object = vidmm_thunk_find(one.process, handle, VIDMM_THUNK_ALLOCATION, "handle");
    vidmm_thunk_leave(one.process);
    assert_non_null(object);
    return (uint32_t)((struct vidmm_allocation *)object->of)->backing.caching;
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

/* With one that is not built, or is none, nothing is set. */
static void a_refusal_sets_nothing(void **state)
{
    D3DKMT_HANDLE allocation;
    void *data;

    (void)state;
    start();
    succeeds(create(NULL, &allocation));
    refused_with(set_faults(&one, FAIL_MAPPING | COMPLEX_LOCK), STATUS_NOT_SUPPORTED,
                 "SetFault.ComplexLock");
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
        cmocka_unit_test(a_refusal_sets_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
