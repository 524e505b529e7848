/* test_thunk_escapes.c: D3DKMT_ESCAPE_VIDMM, type by type. */
#include "test_thunk_rig.h"

#include <vidmm/page_out.h>
#include <vidmm/plan.h>

#include "vidmm/object/adapter.h"
#include "vidmm/object/backing.h"

static NTSTATUS escape(D3DKMT_VIDMM_ESCAPE *message)
{
    D3DKMT_ESCAPE arguments = {.hAdapter = one.adapter,
                               .Type = D3DKMT_ESCAPE_VIDMM,
                               .pPrivateDriverData = message,
                               .PrivateDriverDataSize = sizeof(*message)};

    return vidmm_thunk_Escape(one.process, &arguments);
}

static uint64_t budget_of(D3DKMT_MEMORY_SEGMENT_GROUP group)
{
    D3DKMT_QUERYVIDEOMEMORYINFO arguments = {.hAdapter = one.adapter, .MemorySegmentGroup = group};

    succeeds(vidmm_thunk_QueryVideoMemoryInfo(one.process, &arguments));
    return arguments.Budget;
}

static void budgets_are_set_and_told(void **state)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_GET_BUDGET};
    D3DKMT_HANDLE allocation;
    uint64_t whole;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    allocation = thunk_create(&one, 64);
    thunk_make_resident(&one, allocation);
    whole = budget_of(D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL);
    succeeds(escape(&message));
    assert_int_equal(message.GetBudget.NumBytesToTrim, 0);
    message = (D3DKMT_VIDMM_ESCAPE){.Type = D3DKMT_VIDMMESCAPETYPE_SET_BUDGET};
    message.SetBudget.LocalMemoryBudget = 0x10000;
    message.SetBudget.SystemMemoryBudget = UINT64_MAX;
    succeeds(escape(&message));
    assert_int_equal(budget_of(D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL), 0x10000);
    message = (D3DKMT_VIDMM_ESCAPE){.Type = D3DKMT_VIDMMESCAPETYPE_GET_BUDGET};
    succeeds(escape(&message));
    assert_int_equal(message.GetBudget.NumBytesToTrim, 64 * VIDMM_PAGE_SIZE - 0x10000);
    /* Neither is set if one is wrong. */
    message = (D3DKMT_VIDMM_ESCAPE){.Type = D3DKMT_VIDMMESCAPETYPE_SET_BUDGET};
    message.SetBudget.LocalMemoryBudget = 0x20000;
    message.SetBudget.SystemMemoryBudget = UINT64_C(1) << 40;
    refused(escape(&message), "SystemMemoryBudget");
    message.SetBudget.LocalMemoryBudget = whole + 1;
    message.SetBudget.SystemMemoryBudget = UINT64_MAX;
    refused(escape(&message), "LocalMemoryBudget");
    assert_int_equal(budget_of(D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL), 0x10000);
    message.SetBudget.LocalMemoryBudget = UINT64_MAX;
    succeeds(escape(&message));
    assert_int_equal(budget_of(D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL), whole);
    thunk_finish();
}

static void fragmentation_is_counted(void **state)
{
    D3DKMT_VIDMM_ESCAPE before = {.Type = D3DKMT_VIDMMESCAPETYPE_DEFRAG}, after;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    vidmm_machine_settle(thunk_rig.machine);
    before.Defrag.SegmentId = 2;
    after = before;
    succeeds(escape(&before));
    thunk_make_resident(&one, thunk_create(&one, 16));
    vidmm_machine_settle(thunk_rig.machine);
    succeeds(escape(&after));
    assert_int_equal(after.Defrag.TotalCommitted,
                     before.Defrag.TotalCommitted + 16 * VIDMM_PAGE_SIZE);
    assert_int_equal(after.Defrag.TotalFree, before.Defrag.TotalFree - 16 * VIDMM_PAGE_SIZE);
    assert_true(after.Defrag.LargestGapBefore <= after.Defrag.TotalFree);
    after.Defrag.SegmentId = 3;
    refused(escape(&after), "Defrag.SegmentId is 3; expected 1 to 2");
    after.Defrag.SegmentId = 2;
    after.Defrag.Operation = D3DKMT_DEFRAG_ESCAPE_VERIFY_TRANSFER;
    succeeds(escape(&after)); /* test_thunk_self_tests.c */
    after.Defrag.Operation = 5;
    refused(escape(&after), "Defrag.Operation is 5; expected 0 to 4");
    thunk_finish();
}

/* The GPU finds its bytes behind every move, by the same addresses; no submission is lost. */
static void memory_is_compacted_towards_an_end(void **state)
{
    enum { COUNT = 16, EACH = 8 };
    static const D3DKMT_DEFRAG_ESCAPE_OPERATION operations[] = {
        D3DKMT_DEFRAG_ESCAPE_DEFRAG_DOWNWARD, D3DKMT_DEFRAG_ESCAPE_DEFRAG_UPWARD,
        D3DKMT_DEFRAG_ESCAPE_DEFRAG_PASS};
    D3DKMT_HANDLE allocations[COUNT];
    uint64_t addresses[COUNT];
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_DEFRAG};

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    for (uint32_t i = 0; i < COUNT; i++) {
        allocations[i] = thunk_create(&one, EACH);
        thunk_make_resident(&one, allocations[i]);
        addresses[i] = thunk_map(&one, allocations[i], EACH);
        succeeds(thunk_touch_from(&one, i * 128, addresses[i], EACH, i + 1, 0));
    }
    for (uint32_t i = 0; i < COUNT; i += 2) {
        D3DKMT_DESTROYALLOCATION2 destroy = {
            .hDevice = one.device, .phAllocationList = &allocations[i], .AllocationCount = 1};

        succeeds(vidmm_thunk_DestroyAllocation2(one.process, &destroy));
    }
    for (uint32_t round = 0; round < 3; round++) {
        vidmm_machine_settle(thunk_rig.machine);
        message.Defrag.SegmentId = 2;
        message.Defrag.Operation = operations[round];
        succeeds(escape(&message));
        if (round == 0)
            assert_true(message.Defrag.LargestGapAfter >=
                        message.Defrag.LargestGapBefore + EACH * VIDMM_PAGE_SIZE);
        assert_true(message.Defrag.LargestGapAfter <= message.Defrag.TotalFree);
        for (uint32_t i = 1; i < COUNT; i += 2)
            succeeds(thunk_touch_from(&one, i * 128, addresses[i], EACH, i + 1, round + 1));
    }
    message.Defrag.SegmentId = 1; /* an aperture: what it shows is shown elsewhere in it */
    message.Defrag.Operation = D3DKMT_DEFRAG_ESCAPE_DEFRAG_UPWARD;
    succeeds(escape(&message));
    succeeds(thunk_touch_nothing(&one));
    assert_int_equal(vidmm_compact(NULL, 1, VIDMM_COMPACT_UP, NULL), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_compact(thunk_rig.adapter, 0, VIDMM_COMPACT_UP, NULL),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_compact(thunk_rig.adapter, 2, 0, NULL), STATUS_INVALID_PARAMETER);
    thunk_finish();
}

/* Levels cover all bits of an address; segments are as the driver reported them. */
static void tables_and_segments_are_described(void **state)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_GET_VAD_INFO};
    const DXGK_ESCAPE_GPUMMUCAPS *caps = &message.GetVads.GetGpuMmuCaps.GpuMmuCaps;
    const D3DKMT_GET_SEGMENT_CAPS *segments = &message.GetVads.GetSegmentCaps;
    uint32_t bits = 12;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    message.GetVads.Command = D3DKMT_VAD_ESCAPE_GET_GPUMMU_CAPS;
    succeeds(escape(&message));
    assert_in_range(caps->PageTableLevelCount, 2, 6);
    for (uint32_t i = 0; i < caps->PageTableLevelCount; i++) {
        assert_int_equal(caps->PageTableLevelDesk[i].IndexShift, bits - 12);
        bits += caps->PageTableLevelDesk[i].IndexBitCount;
    }
    assert_true(bits >= caps->VirtualAddressBitCount);
    memset(&message, 0, sizeof(message));
    message.Type = D3DKMT_VIDMMESCAPETYPE_GET_VAD_INFO;
    message.GetVads.Command = D3DKMT_VAD_ESCAPE_GET_SEGMENT_CAPS;
    succeeds(escape(&message));
    assert_int_equal(segments->NumSegments, 2);
    assert_true(segments->SegmentCaps[0].bAperture && !segments->SegmentCaps[1].bAperture);
    assert_int_equal(segments->SegmentCaps[1].Size, 2 << 20);
    message.GetVads.Command = 6;
    refused(escape(&message), "expected 0 to 5");
    thunk_finish();
}

/* The driver's aperture is of the local group, and its memory of the other. */
static NTSTATUS query_with_crossed_groups(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    const DXGK_QUERYSEGMENTOUT4 *out = query->pOutputData;
    NTSTATUS status = thunk_driver_query(adapter, query);

    if (query->Type != DXGKQAITYPE_QUERYSEGMENT4 || out->pSegmentDescriptor == NULL)
        return status;
    for (uint32_t index = 0; index < 2; index++) {
        DXGK_SEGMENTDESCRIPTOR4 *segment =
            (void *)(out->pSegmentDescriptor + index * out->SegmentDescriptorStride);

        segment->Flags.ApplicationTarget = 1;
        segment->Flags.LocalBudgetGroup = index == 0;
        segment->Flags.NonLocalBudgetGroup = index == 1;
    }
    return status;
}

static void groups_of_budgets_go_by_flags(void **state)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_GET_VAD_INFO};
    const D3DKMT_SEGMENT_CAPS *segments = message.GetVads.GetSegmentCaps.SegmentCaps;

    (void)state;
    thunk_query = query_with_crossed_groups;
    thunk_start(THUNK_GPU);
    thunk_query = NULL;
    begin_program(&one);
    message.GetVads.Command = D3DKMT_VAD_ESCAPE_GET_SEGMENT_CAPS;
    succeeds(escape(&message));
    assert_true(segments[0].bAperture && !segments[1].bAperture);
    assert_int_equal(segments[0].BudgetGroup, D3DKMT_MEMORY_SEGMENT_GROUP_LOCAL);
    assert_int_equal(segments[1].BudgetGroup, D3DKMT_MEMORY_SEGMENT_GROUP_NON_LOCAL);
    assert_int_equal(budget_of(D3DKMT_MEMORY_SEGMENT_GROUP_NON_LOCAL), segments[1].Size);
    thunk_finish();
}

/* ---- addresses ------------------------------------------------------------------------------- */

static D3DKMT_VIDMM_ESCAPE vad(uint32_t index)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_GET_VAD_INFO};

    message.GetVads.Command = D3DKMT_VAD_ESCAPE_GETVAD;
    message.GetVads.GetVad.VadIndex = index;
    succeeds(escape(&message));
    return message;
}

static D3DKMT_VIDMM_ESCAPE range(uint64_t address, uint32_t index)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_GET_VAD_INFO};

    message.GetVads.Command = D3DKMT_VAD_ESCAPE_GETVADRANGE;
    message.GetVads.GetVadRange.VadAddress = address;
    message.GetVads.GetVadRange.VaRangeIndex = index;
    return message;
}

static uint32_t vads(void)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_GET_VAD_INFO};

    message.GetVads.Command = D3DKMT_VAD_ESCAPE_GETNUMVADS;
    succeeds(escape(&message));
    return message.GetVads.GetNumVads.NumVads;
}

/* Two pages of a reservation mean two parts of an allocation; a page between them means nothing. */
static void addresses_are_told_by_reservation_and_range(void **state)
{
    D3DDDI_RESERVEGPUVIRTUALADDRESS reserve = {.Size = 0x10000};
    D3DKMT_HANDLE allocation;
    D3DKMT_VIDMM_ESCAPE message;
    uint32_t before, found;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    begin_program(&other);
    before = vads();
    assert_true(before >= 1); /* its commands */
    reserve.hPagingQueue = one.queue;
    comes(&one, vidmm_thunk_ReserveGpuVirtualAddress(one.process, &reserve),
          reserve.PagingFenceValue);
    assert_int_equal(vads(), before + 1);
    for (found = 0; vad(found).GetVads.GetVad.StartAddress != reserve.VirtualAddress; found++) {
    }
    message = vad(found);
    assert_int_equal(message.GetVads.GetVad.NumMappedRanges, 0);
    assert_int_equal(message.GetVads.GetVad.VadType, 0);
    assert_int_equal(message.GetVads.GetVad.EndAddress, reserve.VirtualAddress + 0x10000);
    allocation = thunk_create(&one, 4);
    for (uint64_t page = 0; page < 4; page += 2) {
        D3DDDI_MAPGPUVIRTUALADDRESS map = {.hPagingQueue = one.queue,
                                           .hAllocation = allocation,
                                           .BaseAddress =
                                               reserve.VirtualAddress + page * VIDMM_PAGE_SIZE,
                                           .OffsetInPages = page,
                                           .SizeInPages = 1,
                                           .Protection = {.Write = page == 2}};

        comes(&one, vidmm_thunk_MapGpuVirtualAddress(one.process, &map), map.PagingFenceValue);
    }
    message = vad(found);
    assert_int_equal(message.GetVads.GetVad.NumMappedRanges, 2);
    message = range(message.GetVads.GetVad.VadAddress, 1);
    succeeds(escape(&message));
    assert_int_equal(message.GetVads.GetVadRange.StartAddress, reserve.VirtualAddress + 0x2000);
    assert_int_equal(message.GetVads.GetVadRange.EndAddress, reserve.VirtualAddress + 0x3000);
    assert_int_equal(message.GetVads.GetVadRange.OwnerOffset, 0x2000);
    assert_int_equal(message.GetVads.GetVadRange.Protection, 1);
    assert_true(message.GetVads.GetVadRange.pOwner != 0);
    message = range(reserve.VirtualAddress, 0);
    succeeds(escape(&message));
    assert_int_equal(message.GetVads.GetVadRange.Protection, 0);
    message = range(reserve.VirtualAddress, 2);
    refused(escape(&message), "VaRangeIndex is 2; the VAD has 2");
    message = range(reserve.VirtualAddress + 0x1000, 0);
    refused(escape(&message), "where no VAD begins");
    message = range(reserve.VirtualAddress, 0);
    message.GetVads.GetVadRange.PhysicalAdapterIndex = 1;
    refused(escape(&message), "PhysicalAdapterIndex is 1");
    message = vad(found);
    message.GetVads.GetVad.VadIndex = vads();
    refused(escape(&message), "VadIndex");
    thunk_finish();
}

/* ---- entries of page tables ------------------------------------------------------------------ */

/* The way to the entry of an address, by the levels that the caps tell. */
static D3DKMT_VIDMM_ESCAPE entries(uint64_t address, uint32_t level, uint32_t count)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_GET_VAD_INFO}, caps = message;
    const DXGK_ESCAPE_GPUMMUCAPS *mmu = &caps.GetVads.GetGpuMmuCaps.GpuMmuCaps;

    caps.GetVads.Command = D3DKMT_VAD_ESCAPE_GET_GPUMMU_CAPS;
    succeeds(escape(&caps));
    message.GetVads.Command = D3DKMT_VAD_ESCAPE_GET_PTE;
    message.GetVads.GetPte.PageTableLevel = level == 9 ? mmu->PageTableLevelCount - 1 : level;
    message.GetVads.GetPte.NumPtes = count;
    memset(message.GetVads.GetPte.Pte, 0xff, sizeof(message.GetVads.GetPte.Pte));
    for (uint32_t i = 0; i < mmu->PageTableLevelCount; i++)
        message.GetVads.GetPte.PageTableIndex[i] =
            (UINT)((address >> 12 & mmu->PageTableLevelDesk[i].IndexMask) >>
                   mmu->PageTableLevelDesk[i].IndexShift);
    return message;
}

static D3DKMT_GET_PTE read_entries(uint64_t address, uint32_t level, uint32_t count)
{
    D3DKMT_VIDMM_ESCAPE message = entries(address, level, count);

    succeeds(escape(&message));
    assert_int_equal(message.GetVads.Status, STATUS_SUCCESS);
    return message.GetVads.GetPte;
}

/* With b64KBPte. */
static D3DKMT_GET_PTE read_wide_entries(uint64_t address, uint32_t level, uint32_t count)
{
    D3DKMT_VIDMM_ESCAPE message = entries(address, level, count);

    message.GetVads.GetPte.b64KBPte = TRUE;
    succeeds(escape(&message));
    return message.GetVads.GetPte;
}

static D3DKMT_HANDLE create_visible(uint64_t pages)
{
    DXGK_ALLOCATIONINFOFLAGS flags = {.CpuVisible = 1};
    struct softgpu_allocation wish = thunk_wish(pages, flags.Value, 2);
    D3DDDI_ALLOCATIONINFO2 info = {.pPrivateDriverData = &wish,
                                   .PrivateDriverDataSize = sizeof(wish)};
    D3DKMT_CREATEALLOCATION create = {
        .hDevice = one.device, .NumAllocations = 1, .pAllocationInfo2 = &info};

    succeeds(vidmm_thunk_CreateAllocation2(one.process, &create));
    return info.hAllocation;
}

/* Write a number into each page of an allocation. */
static void number_pages(D3DKMT_HANDLE allocation, uint32_t count)
{
    D3DKMT_LOCK2 lock = {.hDevice = one.device, .hAllocation = allocation};
    D3DKMT_UNLOCK2 unlock = {.hDevice = one.device, .hAllocation = allocation};

    succeeds(vidmm_thunk_Lock2(one.process, &lock));
    for (uint32_t page = 0; page < count; page++)
        *(uint64_t *)(void *)((char *)lock.pData + page * VIDMM_PAGE_SIZE) = 0x1000 + page;
    succeeds(vidmm_thunk_Unlock2(one.process, &unlock));
}

/* The number that lies behind an entry of a leaf: in the segment, or in system memory. */
static uint64_t number_behind(DXGK_PTE entry)
{
    const struct vidmm_host *host = vidmm_slot_host(thunk_rig.slot);
    uint64_t frame = entry.PageAddress, number;
    void *page;

    assert_true(entry.Valid && !entry.Zero);
    if (entry.Segment != 0) {
        assert_int_equal(entry.Segment, 2);
        return *(uint64_t *)(void *)(thunk_rig.adapter->segments[2].cpu +
                                     entry.PageAddress * VIDMM_PAGE_SIZE);
    }
    page = host->map_pages(host->context, 1, &frame);
    assert_non_null(page);
    number = *(uint64_t *)page;
    host->unmap_pages(host->context, page, 1);
    return number;
}

/* Entries of a leaf lead to the pages of the allocation, those above it to a table each. */
static void entries_of_page_tables_are_told(void **state)
{
    D3DKMT_HANDLE allocation;
    D3DKMT_GET_PTE leaf, above, root;
    const uint64_t far = UINT64_C(64) << 20;
    D3DDDI_MAPGPUVIRTUALADDRESS map = {.BaseAddress = far, .SizeInPages = 1};
    uint64_t address;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    allocation = create_visible(4);
    thunk_make_resident(&one, allocation);
    number_pages(allocation, 4);
    address = thunk_map(&one, allocation, 4);
    leaf = read_entries(address, 0, 5);
    assert_int_equal(leaf.NumValidEntries, 5);
    for (uint32_t page = 0; page < 4; page++) {
        assert_int_equal(number_behind(leaf.Pte[page]), 0x1000 + page);
        assert_true(!leaf.Pte[page].ReadOnly && !leaf.Pte[page].NoExecute);
    }
    assert_int_equal(leaf.Pte[4].Flags, 0); /* behind the last page there is nothing */
    assert_int_equal(leaf.b64KBPte, FALSE);
    /* The commands, in system memory, are where the program has them. */
    leaf = read_entries(one.address, 0, 1);
    memcpy(one.bytes, &(uint64_t){77}, 8);
    assert_int_equal(leaf.Pte[0].Segment, 0);
    assert_int_equal(number_behind(leaf.Pte[0]), 77);
    memset(one.bytes, 0, 8);
    map.hPagingQueue = one.queue;
    map.hAllocation = allocation;
    comes(&one, vidmm_thunk_MapGpuVirtualAddress(one.process, &map), map.PagingFenceValue);
    above = read_entries(address, 1, 2);
    assert_int_equal(above.Pte[1].Flags, 0);
    root = read_entries(address, 9, 1);
    assert_true(above.Pte[0].Valid && root.Pte[0].Valid && !above.Pte[0].LargePage);
    assert_int_equal(above.NumValidEntries, 2);
    assert_int_equal(above.Pte[0].PageTablePageSize, DXGK_PTE_PAGE_TABLE_PAGE_4KB);
    assert_true(root.PageTableLevel > 1
                    ? root.Pte[0].PageTableAddress != above.Pte[0].PageTableAddress
                    : root.Pte[0].Flags == above.Pte[0].Flags);
    /* In tables of another process nothing is there. */
    assert_int_equal(read_entries(far, 0, 1).NumValidEntries, 1);
    begin_program(&other);
    {
        D3DKMT_VIDMM_ESCAPE message = entries(far, 0, 1);
        D3DKMT_ESCAPE arguments = {.hAdapter = other.adapter,
                                   .Type = D3DKMT_ESCAPE_VIDMM,
                                   .pPrivateDriverData = &message,
                                   .PrivateDriverDataSize = sizeof(message)};

        succeeds(vidmm_thunk_Escape(other.process, &arguments));
        assert_int_equal(message.GetVads.GetPte.NumValidEntries, 0);
    }
    thunk_finish();
}

/* A page that may only be read, one of zeroes, one that has gone. */
static void entries_say_what_may_be_done(void **state)
{
    D3DDDI_RESERVEGPUVIRTUALADDRESS reserve = {.Size = 0x10000};
    D3DDDI_MAPGPUVIRTUALADDRESS map = {.SizeInPages = 1};
    D3DKMT_DESTROYALLOCATION2 destroy = {.AllocationCount = 1};
    D3DKMT_HANDLE allocation;
    D3DKMT_GET_PTE leaf;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    allocation = thunk_create(&one, 1);
    thunk_make_resident(&one, allocation);
    reserve.hPagingQueue = map.hPagingQueue = one.queue;
    reserve.ReservationType = D3DDDIGPUVIRTUALADDRESS_RESERVE_ZERO;
    comes(&one, vidmm_thunk_ReserveGpuVirtualAddress(one.process, &reserve),
          reserve.PagingFenceValue);
    map.hAllocation = allocation;
    map.BaseAddress = reserve.VirtualAddress + 0x3000;
    comes(&one, vidmm_thunk_MapGpuVirtualAddress(one.process, &map), map.PagingFenceValue);
    leaf = read_entries(reserve.VirtualAddress, 0, 16);
    assert_int_equal(leaf.NumValidEntries, 16);
    for (uint32_t page = 0; page < 16; page++) {
        assert_true(leaf.Pte[page].Valid);
        assert_int_equal(leaf.Pte[page].Zero, page != 3);
    }
    assert_true(leaf.Pte[3].ReadOnly && leaf.Pte[3].NoExecute);
    assert_int_equal(leaf.Pte[3].Segment, 2);
    destroy.hDevice = one.device;
    destroy.phAllocationList = &allocation;
    map.hAllocation = thunk_create(&one, 1); /* in no segment yet */
    map.BaseAddress = reserve.VirtualAddress + 0x5000;
    comes(&one, vidmm_thunk_MapGpuVirtualAddress(one.process, &map), map.PagingFenceValue);
    assert_int_equal(read_entries(map.BaseAddress, 0, 1).Pte[0].Flags, 0);
    thunk_make_resident(&one, map.hAllocation);
    assert_int_equal(read_entries(map.BaseAddress, 0, 1).Pte[0].Segment, 2);
    succeeds(vidmm_thunk_DestroyAllocation2(one.process, &destroy));
    leaf = read_entries(reserve.VirtualAddress, 0, 16);
    assert_true(leaf.NumValidEntries == 0 || !leaf.Pte[3].Valid || leaf.Pte[3].Zero);
    thunk_finish();
}

static void entries_end_with_their_table(void **state)
{
    D3DKMT_VIDMM_ESCAPE message;
    D3DKMT_GET_PTE leaf;
    uint64_t end;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    message = entries(one.address, 0, 64);
    for (end = one.address; entries(end, 0, 1).GetVads.GetPte.PageTableIndex[0] != 0;)
        end += VIDMM_PAGE_SIZE;
    leaf = read_entries(end - 3 * VIDMM_PAGE_SIZE, 0, 64);
    assert_int_equal(leaf.NumValidEntries, 3);
    assert_int_equal(leaf.Pte[3].Flags, 0);
    /* An address far from all others has no leaf. */
    leaf = read_entries(one.address + (UINT64_C(1) << 31), 0, 64);
    assert_int_equal(leaf.NumValidEntries, 0);
    message.GetVads.GetPte.NumPtes = 65;
    refused(escape(&message), "GetPte.NumPtes is 65; expected 1 to 64");
    message.GetVads.GetPte.NumPtes = 0;
    refused(escape(&message), "GetPte.NumPtes is 0; expected 1 to 64");
    message = entries(one.address, 0, 1);
    message.GetVads.GetPte.PageTableIndex[1] = 1u << 30;
    refused(escape(&message), "GetPte.PageTableIndex[1] is 1073741824; expected 0 to");
    message = entries(one.address, 0, 1);
    message.GetVads.GetPte.PageTableLevel = 6;
    refused(escape(&message), "GetPte.PageTableLevel is 6; expected 0 to");
    message = entries(one.address, 0, 1);
    message.GetVads.GetPte.PhysicalAdapterIndex = 1;
    refused(escape(&message), "GetPte.PhysicalAdapterIndex is 1; expected 0");
    thunk_finish();
}

/* Leaves of 64 KiB pages say so, and so does what leads to them. With both kinds side by side
 * b64KBPte says which leaf is meant, and which entry of level 1. */
static void entries_of_wide_pages_are_told(void **state)
{
    static const char *const kinds[] = {"pages_64k single\n", "pages_64k dual\n"};

    (void)state;
    for (unsigned dual = 0; dual < 2; dual++) {
        D3DKMT_HANDLE allocation;
        D3DKMT_GET_PTE leaf, above;
        char gpu[300];
        const uint64_t address = UINT64_C(64) << 20; /* where nothing else is */
        D3DDDI_MAPGPUVIRTUALADDRESS map = {
            .BaseAddress = address, .SizeInPages = 32, .Protection = {.Write = 1}};

        snprintf(gpu, sizeof(gpu), "%s%s", THUNK_GPU, kinds[dual]);
        thunk_start(gpu);
        begin_program(&one);
        allocation = create_visible(32);
        thunk_make_resident(&one, allocation);
        number_pages(allocation, 32);
        map.hPagingQueue = one.queue;
        map.hAllocation = allocation;
        comes(&one, vidmm_thunk_MapGpuVirtualAddress(one.process, &map), map.PagingFenceValue);
        leaf = read_wide_entries(address, 0, 64);
        above = read_wide_entries(address, 1, 1);
        assert_true(leaf.b64KBPte && above.Pte[0].Valid);
        assert_int_equal(above.Pte[0].PageTablePageSize, DXGK_PTE_PAGE_TABLE_PAGE_64KB);
        assert_int_equal(leaf.NumValidEntries, 32);
        assert_int_equal(number_behind(leaf.Pte[0]), 0x1000);
        assert_int_equal(number_behind(leaf.Pte[1]), 0x1010);
        if (dual != 0) {
            assert_int_equal(read_entries(address, 0, 1).NumValidEntries, 0);
            assert_false(read_entries(address, 1, 1).Pte[0].Valid);
        }
        thunk_finish();
    }
}

/* ---- the manager itself ---------------------------------------------------------------------- */

static void the_manager_wakes_and_looks_at_itself(void **state)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_WAKE};
    D3DKMT_HANDLE allocation;
    D3DDDI_MAKERESIDENT make = {.NumAllocations = 1, .AllocationList = &allocation};

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    allocation = thunk_create(&one, 16);
    make.hPagingQueue = one.queue;
    assert_int_equal(vidmm_thunk_MakeResident(one.process, &make), STATUS_PENDING);
    assert_true(*one.fence < make.PagingFenceValue);
    message.Wake.bFlush = 1;
    succeeds(escape(&message));
    assert_true(*one.fence >= make.PagingFenceValue);
    message = (D3DKMT_VIDMM_ESCAPE){.Type = D3DKMT_VIDMMESCAPETYPE_VALIDATE_INTEGRITY};
    succeeds(escape(&message));
    message.VerifyIntegrity.SegmentId = 3;
    refused(escape(&message), "expected 0 to 2");
    message = (D3DKMT_VIDMM_ESCAPE){.Type = D3DKMT_VIDMMESCAPETYPE_APERTURE_CORRUPTION_CHECK};
    succeeds(escape(&message));
    thunk_finish();
}

static void signal_in_queue(D3DKMT_HANDLE fence, UINT64 value)
{
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMGPU signal = {.hContext = one.context,
                                                        .ObjectCount = 1,
                                                        .ObjectHandleArray = &fence,
                                                        .MonitoredFenceValueArray = &value};

    succeeds(vidmm_thunk_SignalSynchronizationObjectFromGpu(one.process, &signal));
}

/* A queue that waits for a fence which nobody signals keeps no flush from ending: there is nothing
 * that can go on. */
static void a_flush_waits_for_no_fence_of_a_program(void **state)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_WAKE};
    D3DKMT_CREATESYNCHRONIZATIONOBJECT2 fence = {.Info.Type = D3DDDI_MONITORED_FENCE};
    UINT64 value = 7;
    D3DKMT_WAITFORSYNCHRONIZATIONOBJECTFROMGPU wait = {.ObjectCount = 1,
                                                       .MonitoredFenceValueArray = &value};
    D3DKMT_SIGNALSYNCHRONIZATIONOBJECTFROMCPU signal = {.ObjectCount = 1,
                                                        .FenceValueArray = &value};

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    fence.hDevice = signal.hDevice = one.device;
    succeeds(vidmm_thunk_CreateSynchronizationObject2(one.process, &fence));
    wait.hContext = one.context;
    wait.ObjectHandleArray = signal.ObjectHandleArray = &fence.hSyncObject;
    succeeds(vidmm_thunk_WaitForSynchronizationObjectFromGpu(one.process, &wait));
    signal_in_queue(fence.hSyncObject, 9);
    message.Wake.bFlush = 1;
    succeeds(escape(&message));
    assert_int_equal(*(volatile uint64_t *)fence.Info.MonitoredFence.FenceValueCPUVirtualAddress,
                     0);
    succeeds(vidmm_thunk_SignalSynchronizationObjectFromCpu(one.process, &signal));
    succeeds(escape(&message));
    assert_int_equal(*(volatile uint64_t *)fence.Info.MonitoredFence.FenceValueCPUVirtualAddress,
                     9);
    thunk_finish();
}

/* A packet hangs. It is overdue no later than the flush is, and then a preemption has its time. */
static void a_flush_gives_up(void **state)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_WAKE};
    D3DKMT_SUBMITCOMMAND submission = {.CommandLength = 16, .BroadcastContextCount = 1};

    (void)state;
    thunk_start(THUNK_GPU "hang 0 1\n");
    begin_program(&one);
    message.Wake.bFlush = 1;
    succeeds(escape(&message));
    submission.Commands = one.address;
    submission.BroadcastContext[0] = one.context;
    succeeds(vidmm_thunk_SubmitCommand(one.process, &submission));
    refused_with(escape(&message), STATUS_TIMEOUT, "in flight all the time");
    succeeds(escape(&message));
    thunk_finish_after_faults();
}

/* The dummy page stands behind what an aperture does not map. */
static void a_write_behind_an_aperture_is_found(void **state)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_APERTURE_CORRUPTION_CHECK};
    const struct vidmm_host *host;
    uint64_t *page, frame;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    succeeds(escape(&message));
    host = vidmm_slot_host(thunk_rig.slot);
    frame = vidmm_backing_frame(thunk_rig.adapter->dummy, 0);
    page = host->map_pages(host->context, 1, &frame);
    assert_non_null(page);
    page[100] = 1; /* as a GPU does that uses an address too long */
    refused_with(escape(&message), STATUS_UNSUCCESSFUL, "S4-047");
    page[100] = 0;
    host->unmap_pages(host->context, page, 1);
    thunk_finish();
}

/* A message that is none is refused by its member. */
static void wrong_messages_are_refused_by_member(void **state)
{
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_SETFAULT};
    D3DKMT_ESCAPE short_one = {.Type = D3DKMT_ESCAPE_VIDMM, .pPrivateDriverData = &message};

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    succeeds(escape(&message));
    message.SetFault.Value = 1u << 15;
    refused(escape(&message), "reserved");
    assert_int_equal(vidmm_thunk_missed(one.process, VIDMM_THUNK_Escape), 0);
    message.Type = 19;
    refused(escape(&message), "expected 0 to 18");
    short_one.hAdapter = one.adapter;
    refused(vidmm_thunk_Escape(one.process, &short_one), "PrivateDriverDataSize is 0");
    short_one.pPrivateDriverData = NULL;
    refused(vidmm_thunk_Escape(one.process, &short_one), "pPrivateDriverData is NULL");
    short_one.hAdapter = one.device;
    refused(vidmm_thunk_Escape(one.process, &short_one), "hAdapter");
    short_one.Type = D3DKMT_ESCAPE_VIDSCH;
    refused_with(vidmm_thunk_Escape(one.process, &short_one), STATUS_NOT_SUPPORTED, "Type is 3");
    thunk_finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_are_set_and_told),
        cmocka_unit_test(fragmentation_is_counted),
        cmocka_unit_test(memory_is_compacted_towards_an_end),
        cmocka_unit_test(tables_and_segments_are_described),
        cmocka_unit_test(groups_of_budgets_go_by_flags),
        cmocka_unit_test(addresses_are_told_by_reservation_and_range),
        cmocka_unit_test(entries_of_page_tables_are_told),
        cmocka_unit_test(entries_say_what_may_be_done),
        cmocka_unit_test(entries_end_with_their_table),
        cmocka_unit_test(entries_of_wide_pages_are_told),
        cmocka_unit_test(the_manager_wakes_and_looks_at_itself),
        cmocka_unit_test(a_flush_waits_for_no_fence_of_a_program),
        cmocka_unit_test(a_flush_gives_up),
        cmocka_unit_test(a_write_behind_an_aperture_is_found),
        cmocka_unit_test(wrong_messages_are_refused_by_member),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
