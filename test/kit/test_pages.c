/* Pages by other routines than the common ones: of a node, non-cached, mapped the old way. */
#include "rig.h"

#define AT(address) ((PHYSICAL_ADDRESS){.QuadPart = (LONGLONG)(address)})
#define ANYWHERE AT(-1)
#define ZERO AT(0)

/* The bytes at a physical address. */
static char *memory_at(struct rig *rig, uint64_t address)
{
    return vidmm_machine_memory(rig->machine, address, 1);
}

static bool all_zero(struct rig *rig, PMDL mdl)
{
    bool zero = true;

    for (ULONG i = 0; i < MmGetMdlByteCount(mdl) / PAGE_SIZE; i++)
        for (int at = 0; at < PAGE_SIZE; at += 64)
            zero &= memory_at(rig, MmGetMdlPfnArray(mdl)[i] << PAGE_SHIFT)[at] == 0;
    return zero;
}

static void drop(PMDL mdl)
{
    MmFreePagesFromMdl(mdl);
    ExFreePool(mdl);
}

static void pages_of_a_node_are_locked_and_zeroed(void **state)
{
    struct rig rig;
    PMDL mdl;

    (void)state;
    rig_start(&rig, NULL);
    mdl = MmAllocateNodePagesForMdlEx(ZERO, ANYWHERE, ZERO, 5 * PAGE_SIZE - 100, MmCached, 0,
                                      MM_ANY_NODE_OK);
    assert_non_null(mdl);
    assert_int_equal(MmGetMdlByteCount(mdl), 5 * PAGE_SIZE);
    assert_int_equal(MmGetMdlByteOffset(mdl), 0);
    assert_true(mdl->MdlFlags & MDL_PAGES_LOCKED);
    assert_true(all_zero(&rig, mdl));
    memset(memory_at(&rig, MmGetMdlPfnArray(mdl)[0] << PAGE_SHIFT), 7, PAGE_SIZE);
    drop(mdl);
    mdl = MmAllocateNodePagesForMdlEx(ZERO, ANYWHERE, ZERO, 4 * PAGE_SIZE, MmCached, 0,
                                      MM_ALLOCATE_REQUIRE_CONTIGUOUS_CHUNKS |
                                          MM_DONT_ZERO_ALLOCATION);
    for (int i = 1; i < 4; i++)
        assert_int_equal(MmGetMdlPfnArray(mdl)[i], MmGetMdlPfnArray(mdl)[0] + (unsigned)i);
    drop(mdl);
    rig_stop(&rig);
}

static void pages_that_there_are_not_are_refused(void **state)
{
    struct rig rig;
    uint64_t base = VIDMM_MACHINE_SYSTEM_BASE;

    (void)state;
    rig_start(&rig, NULL);
    assert_null(MmAllocateNodePagesForMdlEx(ZERO, ANYWHERE, ZERO, 0, MmCached, 0, 0));
    assert_null(MmAllocateNodePagesForMdlEx(ZERO, AT(base - 1), ZERO, PAGE_SIZE, MmCached, 0, 0));
    assert_null(MmAllocateNodePagesForMdlEx(AT(UINT64_C(1) << 50), ANYWHERE, ZERO, PAGE_SIZE,
                                            MmCached, 0, 0)); /* none so high */
    assert_null(
        MmAllocateNodePagesForMdlEx(ZERO, ANYWHERE, ZERO, UINT64_C(1) << 32, MmCached, 0, 0));
    assert_null(MmAllocatePagesForMdl(ZERO, ANYWHERE, ZERO, SIZE_MAX));
    vidmm_kit_fail_pages(1);
    assert_null(MmAllocateNodePagesForMdlEx(ZERO, ANYWHERE, ZERO, PAGE_SIZE, MmCached, 0, 0));
    rig_stop(&rig);
}

static void pages_may_be_taken_and_given_at_dispatch_level(void **state)
{
    struct rig rig;
    PMDL mdl, other;

    (void)state;
    rig_start(&rig, NULL);
    KfRaiseIrql(DISPATCH_LEVEL);
    mdl = MmAllocatePagesForMdl(ZERO, ANYWHERE, ZERO, PAGE_SIZE);
    other = MmAllocateNodePagesForMdlEx(ZERO, ANYWHERE, ZERO, PAGE_SIZE, MmCached, 0, 0);
    drop(mdl);
    drop(other);
    assert_nothing_found(&rig);
    KfRaiseIrql(HIGH_LEVEL);
    mdl = MmAllocateNodePagesForMdlEx(ZERO, ANYWHERE, ZERO, PAGE_SIZE, MmCached, 0, 0);
    MmFreePagesFromMdl(mdl);
    assert_found(&rig, IRQL_TOO_HIGH, 2);
    KeLowerIrql(PASSIVE_LEVEL);
    ExFreePool(mdl);
    rig_stop(&rig);
}

#define BASE VIDMM_MACHINE_SYSTEM_BASE
#define MIB (UINT64_C(1) << 20)

static void pages_come_from_the_first_range_and_those_further_on(void **state)
{
    struct rig rig;
    PMDL mdl;

    (void)state;
    rig_start(&rig, NULL);
    /* 16 pages at 8 MiB, at 16 MiB, at 24 MiB ...: of the first what is there, then of the next. */
    mdl = MmAllocatePagesForMdl(AT(BASE + 8 * MIB), AT(BASE + 8 * MIB + 16 * PAGE_SIZE - 1),
                                AT(8 * MIB), 40 * PAGE_SIZE);
    assert_non_null(mdl);
    assert_int_equal(MmGetMdlByteCount(mdl), 40 * PAGE_SIZE);
    assert_true(all_zero(&rig, mdl));
    for (ULONG i = 0; i < 40; i++) {
        uint64_t at = ((uint64_t)MmGetMdlPfnArray(mdl)[i] << PAGE_SHIFT) - BASE;

        assert_int_equal(at / (8 * MIB), 1 + i / 16);
        assert_true(at % (8 * MIB) < 16 * PAGE_SIZE);
    }
    drop(mdl);
    mdl = MmAllocatePagesForMdl(AT(BASE), ANYWHERE, AT(100), PAGE_SIZE);
    assert_found(&rig, BAD_ARGUMENT, 1);
    drop(mdl);
    rig_stop(&rig);
}

static void of_pages_that_are_too_few_as_many_are_given_as_there_are(void **state)
{
    const PHYSICAL_ADDRESS low = AT(BASE + 8 * MIB), high = AT(BASE + 9 * MIB - 1);
    struct rig rig;
    PMDL mdl;

    (void)state;
    rig_start(&rig, NULL);
    assert_null(
        MmAllocatePagesForMdlEx(low, high, ZERO, 2 * MIB, MmCached, MM_ALLOCATE_FULLY_REQUIRED));
    mdl = MmAllocatePagesForMdlEx(low, high, ZERO, 2 * MIB, MmCached, 0);
    assert_int_equal(MmGetMdlByteCount(mdl), MIB);
    assert_null(MmAllocatePagesForMdl(low, high, ZERO, PAGE_SIZE)); /* there is no more */
    drop(mdl);
    assert_null(MmAllocatePagesForMdl(high, low, ZERO, PAGE_SIZE));
    rig_stop(&rig);
}

static void a_level_is_found_once_for_the_routine_that_was_called(void **state)
{
    struct rig rig;
    PMDL mdl;

    (void)state;
    rig_start(&rig, NULL);
    mdl = MmAllocatePagesForMdl(ZERO, ANYWHERE, ZERO, PAGE_SIZE);
    assert_non_null(
        MmMapLockedPagesSpecifyCache(mdl, KernelMode, MmCached, NULL, FALSE, NormalPagePriority));
    KfRaiseIrql(HIGH_LEVEL);
    MmFreePagesFromMdl(mdl); /* unmaps it, which is for DISPATCH_LEVEL too */
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    assert_non_null(strstr(rig.text, "MmFreePagesFromMdl"));
    MmProbeAndLockPages(mdl, KernelMode, IoReadAccess); /* the next call is found again */
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(PASSIVE_LEVEL);
    MmUnlockPages(mdl);
    for (int id = 1; id < VIDMM_KIT_FINDINGS;
         id++) /* of lists without pages this test says nothing */
        rig.found[id] = 0;
    ExFreePool(mdl);
    rig_stop(&rig);
}

/* ---- mapped the old way ---- */

static void locked_pages_are_mapped_or_the_machine_stops(void **state)
{
    struct rig rig;
    PMDL mdl;
    char *at;

    (void)state;
    rig_start(&rig, NULL);
    mdl = MmAllocatePagesForMdl(ZERO, ANYWHERE, ZERO, 2 * PAGE_SIZE);
    at = MmMapLockedPages(mdl, KernelMode);
    assert_ptr_equal(at, mdl->MappedSystemVa);
    at[PAGE_SIZE + 3] = 9;
    assert_int_equal(memory_at(&rig, MmGetMdlPfnArray(mdl)[1] << PAGE_SHIFT)[3], 9);
    assert_null(MmMapLockedPages(NULL, KernelMode));
    assert_found(&rig, BAD_ARGUMENT, 1);
    MmUnmapLockedPages(at, mdl);
    vidmm_kit_fail_mapping(1);
    if (setjmp(rig.end) == 0) {
        MmMapLockedPages(mdl, KernelMode);
        fail();
    }
    assert_int_equal(rig.check.code, NO_MORE_SYSTEM_PTES);
    drop(mdl);
    rig_stop(&rig);
}

static void pages_for_a_process_are_mapped_or_an_exception_is_raised(void **state)
{
    struct rig rig;
    PMDL mdl;
    char *at;

    (void)state;
    rig_start(&rig, NULL);
    mdl = MmAllocatePagesForMdl(ZERO, ANYWHERE, ZERO, PAGE_SIZE);
    KfRaiseIrql(DISPATCH_LEVEL);
    at = MmMapLockedPages(mdl, UserMode);
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(PASSIVE_LEVEL);
    MmUnmapLockedPages(at, mdl);
    vidmm_kit_fail_mapping(1);
    if (setjmp(rig.end) == 0) { /* nobody handles it, so the machine stops */
        MmMapLockedPages(mdl, UserMode);
        fail();
    }
    assert_int_equal(rig.check.code, KMODE_EXCEPTION_NOT_HANDLED);
    assert_int_equal((NTSTATUS)rig.check.parameters[0], STATUS_INSUFFICIENT_RESOURCES);
    assert_found(&rig, UNHANDLED_EXCEPTION, 1);
    drop(mdl);
    rig_stop(&rig);
}

/* ---- contiguous and non-cached memory ---- */

static void contiguous_memory_of_a_node_keeps_to_its_limits(void **state)
{
    struct rig rig;
    char *memory;
    uint64_t first;

    (void)state;
    rig_start(&rig, "contiguous_ceiling 1M\n");
    memory = MmAllocateContiguousNodeMemory(3 * PAGE_SIZE, ZERO, ANYWHERE, ZERO, PAGE_READWRITE, 0);
    first = (uint64_t)MmGetPhysicalAddress(memory).QuadPart;
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(MmGetPhysicalAddress(memory + i * PAGE_SIZE).QuadPart,
                         first + i * PAGE_SIZE);
    assert_ptr_equal(PAGE_ALIGN(memory), memory);
    assert_null(MmAllocateContiguousNodeMemory(2 << 20, ZERO, ANYWHERE, ZERO, PAGE_READWRITE, 0));
    assert_null(MmAllocateContiguousNodeMemory(0, ZERO, ANYWHERE, ZERO, PAGE_READWRITE, 0));
    assert_null(
        MmAllocateContiguousNodeMemory(PAGE_SIZE, ZERO, AT(PAGE_SIZE), ZERO, PAGE_READWRITE, 0));
    MmFreeContiguousMemorySpecifyCache(memory, 3 * PAGE_SIZE, MmCached);
    MmFreeContiguousMemorySpecifyCache(memory, 3 * PAGE_SIZE, MmCached);
    assert_found(&rig, FREE_OF_NOTHING, 1);
    memory = MmAllocateContiguousNodeMemory(PAGE_SIZE, ZERO, ANYWHERE, ZERO, PAGE_READWRITE, 0);
    MmFreeContiguousMemorySpecifyCache(memory, 2 * PAGE_SIZE, MmCached);
    assert_found(&rig, BAD_ARGUMENT, 1);
    rig_stop(&rig);
}

static void contiguous_memory_is_for_dispatch_level_at_most(void **state)
{
    struct rig rig;
    char *memory;

    (void)state;
    rig_start(&rig, NULL);
    KfRaiseIrql(DISPATCH_LEVEL);
    memory = MmAllocateContiguousNodeMemory(PAGE_SIZE, ZERO, ANYWHERE, ZERO, PAGE_READWRITE, 0);
    MmFreeContiguousMemorySpecifyCache(memory, PAGE_SIZE, MmCached);
    assert_nothing_found(&rig);
    KfRaiseIrql(HIGH_LEVEL);
    memory = MmAllocateContiguousNodeMemory(PAGE_SIZE, ZERO, ANYWHERE, ZERO, PAGE_READWRITE, 0);
    MmFreeContiguousMemorySpecifyCache(memory, PAGE_SIZE, MmCached);
    assert_found(&rig, IRQL_TOO_HIGH, 2);
    KeLowerIrql(PASSIVE_LEVEL);
    rig_stop(&rig);
}

static void non_cached_memory_need_not_be_contiguous(void **state)
{
    struct rig rig;
    SIZE_T size = 2 << 20;
    char *memory;

    (void)state;
    rig_start(&rig, "contiguous_ceiling 64K\n");
    memory = MmAllocateNonCachedMemory(size);
    assert_non_null(memory);
    memory[0] = memory[size - 1] = 5;
    assert_true(MmIsAddressValid(memory + size - 1));
    MmFreeContiguousMemory(memory); /* not by that routine */
    assert_found(&rig, FREE_OF_NOTHING, 1);
    MmFreeNonCachedMemory(memory, PAGE_SIZE);
    assert_found(&rig, BAD_ARGUMENT, 1);
    MmFreeNonCachedMemory(memory, size);
    assert_found(&rig, FREE_OF_NOTHING, 1);
    assert_null(MmAllocateNonCachedMemory(0));
    assert_null(MmAllocateNonCachedMemory(UINT64_C(1) << 41));
    vidmm_kit_fail_pages(1);
    assert_null(MmAllocateNonCachedMemory(PAGE_SIZE));
    KfRaiseIrql(DISPATCH_LEVEL);
    memory = MmAllocateNonCachedMemory(PAGE_SIZE);
    MmFreeNonCachedMemory(memory, PAGE_SIZE);
    assert_found(&rig, IRQL_TOO_HIGH, 2);
    KeLowerIrql(PASSIVE_LEVEL);
    MmAllocateNonCachedMemory(PAGE_SIZE);
    rig_end(&rig);
    assert_found(&rig, CONTIGUOUS_LEAK, 1);
    assert_nothing_found(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_of_a_node_are_locked_and_zeroed),
        cmocka_unit_test(pages_that_there_are_not_are_refused),
        cmocka_unit_test(pages_may_be_taken_and_given_at_dispatch_level),
        cmocka_unit_test(pages_come_from_the_first_range_and_those_further_on),
        cmocka_unit_test(of_pages_that_are_too_few_as_many_are_given_as_there_are),
        cmocka_unit_test(a_level_is_found_once_for_the_routine_that_was_called),
        cmocka_unit_test(locked_pages_are_mapped_or_the_machine_stops),
        cmocka_unit_test(pages_for_a_process_are_mapped_or_an_exception_is_raised),
        cmocka_unit_test(contiguous_memory_of_a_node_keeps_to_its_limits),
        cmocka_unit_test(contiguous_memory_is_for_dispatch_level_at_most),
        cmocka_unit_test(non_cached_memory_need_not_be_contiguous),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
