/* Memory under IOMMU isolation: callbacks, what outlives what, and routines that go past them. */
#include "rig.h"

#include "kit/dxgk.h"

#define ANYWHERE ((PHYSICAL_ADDRESS){.QuadPart = -1})
#define TAG 0x706f6f6c
#define ADAPTER ((HANDLE)(uintptr_t)0xada)

static DXGKRNL_INTERFACE callbacks(void)
{
    DXGKRNL_INTERFACE given = {.Size = sizeof(given)}, table;

    vidmm_kit_complete_interface(&given, &table);
    return table;
}

static HANDLE map(const DXGKRNL_INTERFACE *dxgk, PMDL mdl)
{
    DXGKARGCB_MAPMDLTOIOMMU wish = {.pMdl = mdl};

    assert_int_equal(dxgk->DxgkCbMapMdlToIoMmu(ADAPTER, &wish), STATUS_SUCCESS);
    assert_non_null(wish.hMemoryHandle);
    return wish.hMemoryHandle;
}

static void unmap(const DXGKRNL_INTERFACE *dxgk, HANDLE handle)
{
    dxgk->DxgkCbUnmapMdlFromIoMmu(ADAPTER, &(DXGKARGCB_UNMAPMDLFROMIOMMU){.hMemoryHandle = handle});
}

static void contiguous_memory_comes_and_goes_by_its_handle(void **state)
{
    DXGKARGCB_ALLOCATECONTIGUOUSMEMORY wish = {.NumberOfBytes = 3 * PAGE_SIZE,
                                               .HighestAcceptableAddress = ANYWHERE};
    DXGKARGCB_FREECONTIGUOUSMEMORY end;
    DXGKRNL_INTERFACE dxgk;
    struct rig rig;
    char *memory;

    (void)state;
    rig_start(&rig, NULL);
    dxgk = callbacks();
    assert_int_equal(dxgk.DxgkCbAllocateContiguousMemory(ADAPTER, &wish), STATUS_SUCCESS);
    memory = wish.pMemory;
    memory[3 * PAGE_SIZE - 1] = 1;
    assert_int_equal(MmGetPhysicalAddress(memory + 2 * PAGE_SIZE).QuadPart,
                     MmGetPhysicalAddress(memory).QuadPart + 2 * PAGE_SIZE);
    end.hMemoryHandle = wish.hMemoryHandle;
    assert_int_equal(dxgk.DxgkCbFreeContiguousMemory(ADAPTER, &end), STATUS_SUCCESS);
    assert_false(MmIsAddressValid(memory));
    assert_int_equal(dxgk.DxgkCbFreeContiguousMemory(ADAPTER, &end), STATUS_INVALID_PARAMETER);
    assert_found(&rig, FREE_OF_NOTHING, 1);
    vidmm_kit_fail_pages(1);
    wish.hMemoryHandle = wish.pMemory = NULL;
    assert_int_equal(dxgk.DxgkCbAllocateContiguousMemory(ADAPTER, &wish),
                     STATUS_INSUFFICIENT_RESOURCES);
    assert_null(wish.hMemoryHandle);
    rig_stop(&rig);
}

static void pages_come_with_a_list_and_go_with_it(void **state)
{
    DXGKARGCB_ALLOCATEPAGESFORMDL wish = {.HighAddress = ANYWHERE, .TotalBytes = 5 * PAGE_SIZE};
    DXGKARGCB_FREEPAGESFROMMDL end;
    DXGKRNL_INTERFACE dxgk;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    dxgk = callbacks();
    assert_int_equal(dxgk.DxgkCbAllocatePagesForMdl(ADAPTER, &wish), STATUS_SUCCESS);
    assert_int_equal(MmGetMdlByteCount(wish.pMdl), 5 * PAGE_SIZE);
    end.hMemoryHandle = wish.hMemoryHandle;
    assert_int_equal(dxgk.DxgkCbFreePagesFromMdl(ADAPTER, &end), STATUS_SUCCESS);
    assert_int_equal(vidmm_machine_counts(rig.machine).pages, 0);
    /* all of them, or none (MM_ALLOCATE_FULLY_REQUIRED) */
    wish.TotalBytes = (SIZE_T)128 << 20;
    assert_int_equal(dxgk.DxgkCbAllocatePagesForMdl(ADAPTER, &wish), STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(vidmm_machine_counts(rig.machine).pages, 0);
    wish.TotalBytes = PAGE_SIZE;
    assert_int_equal(dxgk.DxgkCbAllocatePagesForMdl(ADAPTER, &wish), STATUS_SUCCESS);
    MmFreePagesFromMdl(wish.pMdl); /* it is the graphics kernel's */
    assert_found(&rig, IOMMU_MDL_GONE, 1);
    end.hMemoryHandle = wish.hMemoryHandle;
    assert_int_equal(dxgk.DxgkCbFreePagesFromMdl(ADAPTER, &end), STATUS_SUCCESS);
    IoFreeMdl(wish.pMdl);
    rig_stop(&rig);
}

static PMDL locked_list(void *block)
{
    PMDL mdl = IoAllocateMdl(block, PAGE_SIZE, FALSE, FALSE, NULL);

    MmProbeAndLockPages(mdl, KernelMode, IoWriteAccess);
    return mdl;
}

static void a_list_outlives_its_mapping(void **state)
{
    DXGKRNL_INTERFACE dxgk;
    struct rig rig;
    HANDLE handle;
    void *block;
    PMDL mdl;

    (void)state;
    rig_start(&rig, NULL);
    dxgk = callbacks();
    block = ExAllocatePoolWithTag(NonPagedPool, PAGE_SIZE, TAG);
    mdl = locked_list(block);
    unmap(&dxgk, map(&dxgk, mdl));
    MmUnlockPages(mdl);
    IoFreeMdl(mdl);
    assert_nothing_found(&rig);

    mdl = locked_list(block);
    handle = map(&dxgk, mdl);
    MmUnlockPages(mdl);
    assert_found(&rig, IOMMU_MDL_GONE, 1);
    IoFreeMdl(mdl); /* told once */
    unmap(&dxgk, handle);
    assert_nothing_found(&rig);

    mdl = IoAllocateMdl(block, PAGE_SIZE, FALSE, FALSE, NULL);
    MmBuildMdlForNonPagedPool(mdl);
    handle = map(&dxgk, mdl);
    IoFreeMdl(mdl);
    assert_found(&rig, IOMMU_MDL_GONE, 1);
    unmap(&dxgk, handle);
    unmap(&dxgk, handle);
    assert_found(&rig, FREE_OF_NOTHING, 1);
    assert_int_equal(dxgk.DxgkCbMapMdlToIoMmu(ADAPTER, &(DXGKARGCB_MAPMDLTOIOMMU){.pMdl = mdl}),
                     STATUS_INVALID_PARAMETER);
    assert_found(&rig, FREED_MDL, 1);
    ExFreePoolWithTag(block, TAG);
    rig_stop(&rig);
}

static void memory_of_the_callbacks_is_given_back(void **state)
{
    DXGKARGCB_ALLOCATECONTIGUOUSMEMORY run = {.NumberOfBytes = PAGE_SIZE,
                                              .HighestAcceptableAddress = ANYWHERE};
    DXGKARGCB_ALLOCATEPAGESFORMDL pages = {.HighAddress = ANYWHERE, .TotalBytes = PAGE_SIZE};
    DXGKRNL_INTERFACE dxgk;
    struct rig rig;
    void *block;
    PMDL mdl;

    (void)state;
    rig_start(&rig, NULL);
    dxgk = callbacks();
    assert_int_equal(dxgk.DxgkCbAllocateContiguousMemory(ADAPTER, &run), STATUS_SUCCESS);
    assert_int_equal(dxgk.DxgkCbAllocatePagesForMdl(ADAPTER, &pages), STATUS_SUCCESS);
    block = ExAllocatePoolWithTag(NonPagedPool, PAGE_SIZE, TAG);
    mdl = locked_list(block);
    map(&dxgk, mdl);
    rig_end(&rig);
    assert_found(&rig, IOMMU_LEAK, 3);
    assert_found(&rig, MDL_LEAK, 1); /* of the driver's own list, and of no other */
    assert_found(&rig, POOL_LEAK, 1);
    assert_nothing_found(&rig);
}

static void take_all_ways(void *block)
{
    const PHYSICAL_ADDRESS zero = {.QuadPart = 0};
    PMDL mdl = MmAllocatePagesForMdl(zero, ANYWHERE, zero, PAGE_SIZE);

    MmFreePagesFromMdl(mdl);
    IoFreeMdl(mdl);
    mdl = MmAllocatePagesForMdlEx(zero, ANYWHERE, zero, PAGE_SIZE, MmCached, 0);
    MmFreePagesFromMdl(mdl);
    IoFreeMdl(mdl);
    MmFreeContiguousMemory(MmAllocateContiguousMemory(PAGE_SIZE, ANYWHERE));
    MmFreeContiguousMemory(
        MmAllocateContiguousMemorySpecifyCache(PAGE_SIZE, zero, ANYWHERE, zero, MmCached));
    mdl = locked_list(block);
    MmUnlockPages(mdl);
    IoFreeMdl(mdl);
}

static void an_isolated_driver_takes_memory_by_callbacks_alone(void **state)
{
    DXGKARGCB_ALLOCATEPAGESFORMDL pages = {.HighAddress = ANYWHERE, .TotalBytes = PAGE_SIZE};
    DXGKRNL_INTERFACE dxgk;
    struct rig rig;
    void *block;

    (void)state;
    rig_start(&rig, NULL);
    dxgk = callbacks();
    block = ExAllocatePoolWithTag(NonPagedPool, PAGE_SIZE, TAG);
    take_all_ways(block);
    take_all_ways(block);
    assert_nothing_found(&rig); /* it has not said that it is isolated */
    vidmm_kit_isolate();
    assert_found(&rig, DIRECT_PAGES, 5);
    vidmm_kit_isolate();
    assert_nothing_found(&rig);
    take_all_ways(block);
    assert_found(&rig, DIRECT_PAGES, 5);
    assert_int_equal(dxgk.DxgkCbAllocatePagesForMdl(ADAPTER, &pages), STATUS_SUCCESS);
    dxgk.DxgkCbFreePagesFromMdl(
        ADAPTER, &(DXGKARGCB_FREEPAGESFROMMDL){.hMemoryHandle = pages.hMemoryHandle});
    ExFreePoolWithTag(block, TAG);
    rig_stop(&rig);
}

static void callbacks_are_for_apc_level_at_most(void **state)
{
    DXGKARGCB_ALLOCATEPAGESFORMDL pages = {.HighAddress = ANYWHERE, .TotalBytes = PAGE_SIZE};
    DXGKRNL_INTERFACE dxgk;
    struct rig rig;
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    dxgk = callbacks();
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    assert_int_equal(dxgk.DxgkCbAllocatePagesForMdl(ADAPTER, &pages), STATUS_SUCCESS);
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(irql);
    dxgk.DxgkCbFreePagesFromMdl(
        ADAPTER, &(DXGKARGCB_FREEPAGESFROMMDL){.hMemoryHandle = pages.hMemoryHandle});
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contiguous_memory_comes_and_goes_by_its_handle),
        cmocka_unit_test(pages_come_with_a_list_and_go_with_it),
        cmocka_unit_test(a_list_outlives_its_mapping),
        cmocka_unit_test(memory_of_the_callbacks_is_given_back),
        cmocka_unit_test(an_isolated_driver_takes_memory_by_callbacks_alone),
        cmocka_unit_test(callbacks_are_for_apc_level_at_most),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
