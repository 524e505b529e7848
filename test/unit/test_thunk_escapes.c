/* test_thunk_escapes.c: D3DKMT_ESCAPE_VIDMM, type by type. */
#include "test_thunk_rig.h"

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
    after.Defrag.Operation = D3DKMT_DEFRAG_ESCAPE_DEFRAG_PASS;
    refused_with(escape(&after), STATUS_NOT_SUPPORTED, "DEFRAG_PASS");
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
    message.GetVads.Command = D3DKMT_VAD_ESCAPE_GET_PTE;
    refused_with(escape(&message), STATUS_NOT_SUPPORTED, "GET_PTE");
    message.GetVads.Command = 6;
    refused(escape(&message), "expected 0 to 5");
    thunk_finish();
}

/* Every type that is not built says its name and is counted; so does every fault. */
static void all_others_are_refused_by_name(void **state)
{
    static const D3DKMT_VIDMMESCAPETYPE unbuilt[] = {1,  2,  3,  4,  5,  6,  9,
                                                     10, 12, 13, 14, 16, 17, 18};
    D3DKMT_VIDMM_ESCAPE message = {.Type = D3DKMT_VIDMMESCAPETYPE_SETFAULT};
    D3DKMT_ESCAPE short_one = {.Type = D3DKMT_ESCAPE_VIDMM, .pPrivateDriverData = &message};
    uint64_t missed = 0;

    (void)state;
    thunk_start(THUNK_GPU);
    begin_program(&one);
    succeeds(escape(&message));
    for (unsigned bit = 0; bit < 15; bit++) {
        message.SetFault.Value = 1u << bit;
        refused_with(escape(&message), STATUS_NOT_SUPPORTED, "SetFault.");
        missed++;
    }
    message.SetFault.Value = 1u << 15;
    refused(escape(&message), "reserved");
    for (unsigned i = 0; i < sizeof(unbuilt) / sizeof(unbuilt[0]); i++) {
        message = (D3DKMT_VIDMM_ESCAPE){.Type = unbuilt[i]};
        refused_with(escape(&message), STATUS_NOT_SUPPORTED, "is not built");
        assert_int_equal(vidmm_thunk_missed(one.process, VIDMM_THUNK_Escape), ++missed);
    }
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
        cmocka_unit_test(tables_and_segments_are_described),
        cmocka_unit_test(all_others_are_refused_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
