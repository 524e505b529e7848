/* test_thunk_forms.c: the forms of arguments that test_thunk_success.c leaves out: resources
 * instead of allocations, lists of priorities, offers for good, reservations, changes that wait for
 * nothing.
 */
#include "test_thunk_rig.h"

#include <vidmm/engine.h>
#include <vidmm/process.h>

enum { CPU_VISIBLE = 1, PARTS = 2, RESERVED = 24 * VIDMM_PAGE_SIZE };

static void start(void)
{
    thunk_start(THUNK_GPU);
    begin_program(&one);
    vidmm_machine_settle(thunk_rig.machine);
}

/* ---- resources ------------------------------------------------------------------------------- */

struct resource {
    D3DKMT_HANDLE handle, parts[PARTS];
};

static struct resource make_resource(void)
{
    struct softgpu_allocation wish = thunk_wish(3, CPU_VISIBLE, 2);
    D3DDDI_ALLOCATIONINFO2 infos[PARTS];
    D3DKMT_CREATEALLOCATION create = {.hDevice = one.device,
                                      .NumAllocations = PARTS,
                                      .pAllocationInfo2 = infos,
                                      .Flags = {.CreateResource = 1}};
    struct resource made;

    for (unsigned i = 0; i < PARTS; i++)
        infos[i] = (D3DDDI_ALLOCATIONINFO2){.pPrivateDriverData = &wish,
                                            .PrivateDriverDataSize = sizeof(wish)};
    succeeds(vidmm_thunk_CreateAllocation2(one.process, &create));
    made.handle = create.hResource;
    for (unsigned i = 0; i < PARTS; i++)
        made.parts[i] = infos[i].hAllocation;
    return made;
}

static UINT priority_of(D3DKMT_HANDLE resource, D3DKMT_HANDLE allocation)
{
    UINT answer = 0;
    D3DKMT_GETALLOCATIONPRIORITY get = {.hDevice = one.device,
                                        .hResource = resource,
                                        .phAllocationList = resource != 0 ? NULL : &allocation,
                                        .AllocationCount = resource != 0 ? 0 : 1,
                                        .pPriorities = &answer};

    succeeds(vidmm_thunk_GetAllocationPriority(one.process, &get));
    return answer;
}

/* One priority is for all its allocations, and none of another resource; the highest is its own. */
static void a_resource_has_a_priority(void **state)
{
    UINT high = 0xc8000000u, low = 0x28000000u;
    D3DKMT_SETALLOCATIONPRIORITY set = {.pPriorities = &high};
    struct resource wanted, other_one;

    (void)state;
    start();
    wanted = make_resource();
    other_one = make_resource();
    set.hDevice = one.device;
    set.hResource = wanted.handle;
    succeeds(vidmm_thunk_SetAllocationPriority(one.process, &set));
    for (unsigned i = 0; i < PARTS; i++) {
        assert_int_equal(priority_of(0, wanted.parts[i]), high);
        assert_int_equal(priority_of(0, other_one.parts[i]), SOFTGPU_PRIORITY_NORMAL);
    }
    set.hResource = 0;
    set.phAllocationList = &wanted.parts[0];
    set.AllocationCount = 1;
    set.pPriorities = &low;
    succeeds(vidmm_thunk_SetAllocationPriority(one.process, &set));
    assert_int_equal(priority_of(0, wanted.parts[0]), low);
    assert_int_equal(priority_of(wanted.handle, 0), high);
    assert_int_equal(priority_of(other_one.handle, 0), SOFTGPU_PRIORITY_NORMAL);
    thunk_finish();
}

static D3DKMT_ALLOCATIONRESIDENCYSTATUS residency_of(D3DKMT_HANDLE resource)
{
    D3DKMT_ALLOCATIONRESIDENCYSTATUS answer = 0;
    D3DKMT_QUERYALLOCATIONRESIDENCY query = {
        .hDevice = one.device, .hResource = resource, .pResidencyStatus = &answer};

    succeeds(vidmm_thunk_QueryAllocationResidency(one.process, &query));
    return answer;
}

/* It is as near as the nearest of its allocations. */
static void a_resource_has_a_place(void **state)
{
    struct resource wanted, other_one;

    (void)state;
    start();
    wanted = make_resource();
    other_one = make_resource();
    assert_int_equal(residency_of(wanted.handle), D3DKMT_ALLOCATIONRESIDENCYSTATUS_NOTRESIDENT);
    thunk_make_resident(&one, wanted.parts[1]);
    assert_int_equal(residency_of(wanted.handle),
                     D3DKMT_ALLOCATIONRESIDENCYSTATUS_RESIDENTINGPUMEMORY);
    assert_int_equal(residency_of(other_one.handle), D3DKMT_ALLOCATIONRESIDENCYSTATUS_NOTRESIDENT);
    thunk_finish();
}

static NTSTATUS lock(D3DKMT_HANDLE allocation)
{
    D3DKMT_LOCK2 arguments = {.hDevice = one.device, .hAllocation = allocation};

    return vidmm_thunk_Lock2(one.process, &arguments);
}

/* Two of three are offered, which shows by what an offer forbids; all three are asked for again,
 * and one that was not offered is there. */
static void resources_are_offered_and_reclaimed(void **state)
{
    struct resource resources[3];
    D3DKMT_HANDLE list[3];
    D3DDDI_RECLAIM_RESULT results[3] = {7, 7, 7};
    D3DKMT_OFFERALLOCATIONS offer = {
        .pResources = list, .NumAllocations = 2, .Priority = D3DKMT_OFFER_PRIORITY_NORMAL};
    D3DKMT_RECLAIMALLOCATIONS2 reclaim = {
        .pResources = list, .NumAllocations = 3, .pResults = results};
    NTSTATUS status;

    (void)state;
    start();
    for (unsigned i = 0; i < 3; i++) {
        resources[i] = make_resource();
        list[i] = resources[i].handle;
        for (unsigned part = 0; part < PARTS; part++)
            thunk_make_resident(&one, resources[i].parts[part]);
    }
    offer.hDevice = one.device;
    reclaim.hPagingQueue = one.queue;
    succeeds(vidmm_thunk_OfferAllocations(one.process, &offer));
    for (unsigned i = 0; i < 3; i++)
        for (unsigned part = 0; part < PARTS; part++)
            assert_int_equal(lock(resources[i].parts[part]) != STATUS_SUCCESS, i < 2);
    status = vidmm_thunk_ReclaimAllocations2(one.process, &reclaim);
    comes(&one, status, reclaim.PagingFenceValue);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(results[i], D3DDDI_RECLAIM_RESULT_OK);
        for (unsigned part = 0; part < PARTS; part++)
            succeeds(lock(resources[i].parts[part]));
    }
    thunk_finish();
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void a_residency_list_sets_priorities(void **state)
{
    D3DKMT_HANDLE list[3];
    UINT priorities[2] = {0xa0000000u, 0x50000000u};
    D3DDDI_MAKERESIDENT make = {
        .NumAllocations = 2, .AllocationList = list, .PriorityList = priorities};
    NTSTATUS status;

    (void)state;
    start();
    for (unsigned i = 0; i < 3; i++)
        list[i] = thunk_create(&one, 1);
    make.hPagingQueue = one.queue;
    status = vidmm_thunk_MakeResident(one.process, &make);
    comes(&one, status, make.PagingFenceValue);
    assert_int_equal(priority_of(0, list[0]), priorities[0]);
    assert_int_equal(priority_of(0, list[1]), priorities[1]);
    assert_int_equal(priority_of(0, list[2]), SOFTGPU_PRIORITY_NORMAL);
    make.hPagingQueue = one.device; /* what is refused sets none */
    priorities[0] = priorities[1];
    refused(vidmm_thunk_MakeResident(one.process, &make), "hPagingQueue");
    assert_int_equal(priority_of(0, list[0]), 0xa0000000u);
    thunk_finish();
}

/* All of the system's memory, 8 MiB, is asked for. */
static void take_all_memory(void)
{
    for (unsigned i = 0; i < 100; i++) {
        struct softgpu_allocation wish = thunk_wish(32, 0, 2);
        D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                       .PrivateDriverDataSize = sizeof(wish)};
        D3DKMT_CREATEALLOCATION create = {
            .hDevice = one.device, .NumAllocations = 1, .pAllocationInfo2 = &info};
        NTSTATUS status = vidmm_thunk_CreateAllocation2(one.process, &create);

        if (status == STATUS_NO_MEMORY)
            return;
        succeeds(status);
    }
    fail_msg("there is memory without end");
}

/* One of two offers allows it. */
static void an_offer_may_give_its_memory_away(void **state)
{
    D3DKMT_HANDLE list[2];
    D3DDDI_RECLAIM_RESULT results[2] = {7, 7};
    D3DKMT_OFFERALLOCATIONS offer = {
        .HandleList = &list[0], .NumAllocations = 1, .Priority = D3DKMT_OFFER_PRIORITY_LOW};
    D3DKMT_RECLAIMALLOCATIONS2 reclaim = {
        .HandleList = list, .NumAllocations = 2, .pResults = results};
    NTSTATUS status;

    (void)state;
    start();
    for (unsigned i = 0; i < 2; i++) {
        list[i] = thunk_create(&one, 32);
        thunk_make_resident(&one, list[i]);
    }
    offer.hDevice = one.device;
    reclaim.hPagingQueue = one.queue;
    succeeds(vidmm_thunk_OfferAllocations(one.process, &offer));
    offer.HandleList = &list[1];
    offer.Flags.AllowDecommit = 1;
    succeeds(vidmm_thunk_OfferAllocations(one.process, &offer));
    vidmm_machine_settle(thunk_rig.machine);
    take_all_memory();
    status = vidmm_thunk_ReclaimAllocations2(one.process, &reclaim);
    comes(&one, status, reclaim.PagingFenceValue);
    assert_int_equal(results[0], D3DDDI_RECLAIM_RESULT_OK);
    assert_int_equal(results[1], D3DDDI_RECLAIM_RESULT_NOT_COMMITTED);
    thunk_make_resident(&one, list[0]);
    thunk_finish();
}

/* ---- reservations ---------------------------------------------------------------------------- */

static D3DKMT_QUERYVIDEOMEMORYINFO info_of(const struct thunk_program *program,
                                           D3DKMT_MEMORY_SEGMENT_GROUP group)
{
    D3DKMT_QUERYVIDEOMEMORYINFO info = {.hAdapter = program->adapter, .MemorySegmentGroup = group};

    succeeds(vidmm_thunk_QueryVideoMemoryInfo(program->process, &info));
    return info;
}

static NTSTATUS reserve(const struct thunk_program *program, UINT64 bytes)
{
    D3DKMT_CHANGEVIDEOMEMORYRESERVATION change = {.hAdapter = program->adapter,
                                                  .MemorySegmentGroup =
                                                      D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL,
                                                  .Reservation = bytes};

    return vidmm_thunk_ChangeVideoMemoryReservation(program->process, &change);
}

static void a_reservation_is_taken_from_what_others_may_reserve(void **state)
{
    const D3DKMT_MEMORY_SEGMENT_GROUP local = D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL;
    D3DKMT_VIDMM_ESCAPE budget = {.Type = D3DKMT_VIDMMESCAPETYPE_SET_BUDGET};
    UINT64 all;

    (void)state;
    start();
    begin_program(&other);
    budget.SetBudget.LocalMemoryBudget = 4096; /* which reservations have nothing to do with */
    budget.SetBudget.SystemMemoryBudget = UINT64_MAX;
    succeeds(thunk_escape(&one, &budget));
    assert_int_equal(info_of(&one, local).Budget, 4096);
    all = info_of(&one, local).AvailableForReservation;
    assert_in_range(all, RESERVED + 1, 2 << 20);
    assert_int_equal(info_of(&one, local).CurrentReservation, 0);
    succeeds(reserve(&other, RESERVED));
    assert_int_equal(info_of(&other, local).CurrentReservation, RESERVED);
    assert_int_equal(info_of(&other, local).AvailableForReservation, all);
    assert_int_equal(info_of(&one, local).CurrentReservation, 0);
    assert_int_equal(info_of(&one, local).AvailableForReservation, all - RESERVED);
    assert_int_equal(info_of(&other, D3DKMT_MEMORY_SEGMENT_GROUP_NON_LOCAL).CurrentReservation, 0);
    refused(reserve(&one, all - RESERVED + 1), "AvailableForReservation");
    assert_int_equal(info_of(&one, local).CurrentReservation, 0);
    succeeds(reserve(&one, all - RESERVED));
    assert_int_equal(info_of(&one, local).CurrentReservation, all - RESERVED);
    succeeds(reserve(&one, 0));
    assert_int_equal(info_of(&other, local).AvailableForReservation, all);
    thunk_finish();
}

/* ---- addresses ------------------------------------------------------------------------------- */

static uint32_t state_of(uint64_t address)
{
    struct vidmm_address_info info;

    vidmm_machine_settle(thunk_rig.machine);
    assert_true(vidmm_find_addresses(thunk_rig.adapter, 1, 0, address, &info));
    return info.state;
}

/* The fence is at 0: a change behind its value 5 waits for somebody to signal that, unless it is
 * not to wait. It signals the value behind, in any case. */
static void a_change_of_addresses_may_wait_for_nothing(void **state)
{
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 fence = {.Info.Type = D3DDDI_MONITORED_FENCE};
    D3DDDI_RESERVEGPUVIRTUALADDRESS range = {.Size = 0x10000};
    D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION operation = {
        .OperationType = D3DDDI_UPDATEGPUVIRTUALADDRESS_MAP, .Map = {.SizeInBytes = 0x1000}};
    D3DKMT_UPDATEGPUVIRTUALADDRESS update = {
        .NumOperations = 1, .Operations = &operation, .FenceValue = 5};

    (void)state;
    start();
    fence.hDevice = update.hDevice = one.device;
    range.hPagingQueue = one.adapter;
    update.hContext = one.context;
    succeeds(vidmm_thunk_CreateSynchronizationObject2(one.process, &fence));
    update.hFenceObject = fence.hSyncObject;
    succeeds(vidmm_thunk_ReserveGpuVirtualAddress(one.process, &range));
    operation.Map.BaseAddress = range.VirtualAddress;
    operation.Map.hAllocation = thunk_create(&one, 1);
    update.Flags.DoNotWait = 1;
    succeeds(vidmm_thunk_UpdateGpuVirtualAddress(one.process, &update));
    assert_int_equal(state_of(range.VirtualAddress), VIDMM_ADDRESSES_MAPPED);
    assert_int_equal(
        *(const volatile UINT64 *)fence.Info.MonitoredFence.FenceValueCPUVirtualAddress, 6);
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resource_has_a_priority),
        cmocka_unit_test(a_resource_has_a_place),
        cmocka_unit_test(resources_are_offered_and_reclaimed),
        cmocka_unit_test(a_residency_list_sets_priorities),
        cmocka_unit_test(an_offer_may_give_its_memory_away),
        cmocka_unit_test(a_reservation_is_taken_from_what_others_may_reserve),
        cmocka_unit_test(a_change_of_addresses_may_wait_for_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
