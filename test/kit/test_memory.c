/* Contiguous memory, MDLs, device memory, registers. */
#include "rig.h"

#include <vidmm/host.h>

#define TAG 0x31676154
#define ANYWHERE ((PHYSICAL_ADDRESS){.QuadPart = -1})
#define ZERO ((PHYSICAL_ADDRESS){.QuadPart = 0})

static void contiguous_memory_is_in_a_row_and_has_a_ceiling(void **state)
{
    struct rig rig;
    SIZE_T size = 32 << 20;
    char *memory = NULL;
    PHYSICAL_ADDRESS first;

    (void)state;
    rig_start(&rig, "contiguous_ceiling 2M\n");
    for (; !memory; size /= 2)
        memory = MmAllocateContiguousMemorySpecifyCache(size, ZERO, ANYWHERE, ZERO, MmCached);
    assert_int_equal(size * 2, 2 << 20);
    first = MmGetPhysicalAddress(memory);
    assert_int_not_equal(first.QuadPart, 0);
    for (LONGLONG i = 0; i < 2 << 20; i += PAGE_SIZE)
        assert_int_equal(MmGetPhysicalAddress(memory + i).QuadPart, first.QuadPart + i);
    assert_ptr_equal(MmGetVirtualForPhysical(first), memory);
    assert_true(MmIsAddressValid(memory));
    assert_false(MmIsAddressValid(&rig));
    MmFreeContiguousMemory(memory);
    vidmm_kit_fail_pages(1);
    assert_null(MmAllocateContiguousMemory(4096, ANYWHERE));
    memory = MmAllocateContiguousMemory(4096, ANYWHERE);
    MmFreeContiguousMemory(memory + 16);
    assert_found(&rig, FREE_OF_NOTHING, 1);
    rig_end(&rig);
    assert_found(&rig, CONTIGUOUS_LEAK, 1);
    assert_nothing_found(&rig);
}

static void what_is_mapped_through_the_kits_host_has_frames(void **state)
{
    struct rig rig;
    uint64_t frames[3];
    char *memory;
    PMDL mdl;

    (void)state;
    rig_start(&rig, NULL);
    const struct vidmm_host *host = vidmm_kit_host();
    assert_true(host->take_pages(host->context, 3, UINT64_MAX, false, VIDMM_CACHED, frames));
    memory = host->map_pages(host->context, 3, frames);
    assert_int_equal(MmGetPhysicalAddress(memory + 2 * PAGE_SIZE + 5).QuadPart,
                     frames[2] << PAGE_SHIFT | 5);
    mdl = IoAllocateMdl(memory + PAGE_SIZE, 2 * PAGE_SIZE, FALSE, FALSE, NULL);
    MmProbeAndLockPages(mdl, UserMode, IoWriteAccess);
    assert_int_equal(MmGetMdlPfnArray(mdl)[0], frames[1]);
    assert_int_equal(MmGetMdlPfnArray(mdl)[1], frames[2]);
    MmUnlockPages(mdl);
    IoFreeMdl(mdl);
    host->unmap_pages(host->context, memory, 3);
    MmGetPhysicalAddress(memory);
    assert_found(&rig, BAD_ARGUMENT, 1);
    host->release_pages(host->context, 3, frames);
    rig_stop(&rig);
}

static void an_mdl_of_pool_names_its_frames(void **state)
{
    struct rig rig;
    char *block;
    PMDL mdl, part;

    (void)state;
    rig_start(&rig, NULL);
    block = ExAllocatePoolWithTag(NonPagedPool, 4 * PAGE_SIZE, TAG);
    mdl = IoAllocateMdl(block + 100, 3 * PAGE_SIZE, FALSE, FALSE, NULL);
    assert_int_equal(MmGetMdlByteOffset(mdl), 100);
    assert_int_equal(mdl->Size, MmSizeOfMdl(block + 100, 3 * PAGE_SIZE));
    MmBuildMdlForNonPagedPool(mdl);
    for (int i = 0; i < 4; i++)
        assert_int_equal(MmGetMdlPfnArray(mdl)[i],
                         MmGetPhysicalAddress(block + i * PAGE_SIZE).QuadPart >> PAGE_SHIFT);
    assert_ptr_equal(MmGetSystemAddressForMdlSafe(mdl, NormalPagePriority), block + 100);
    part = IoAllocateMdl(block + PAGE_SIZE, PAGE_SIZE, FALSE, FALSE, NULL);
    IoBuildPartialMdl(mdl, part, block + PAGE_SIZE, PAGE_SIZE);
    assert_int_equal(MmGetMdlPfnArray(part)[0], MmGetMdlPfnArray(mdl)[1]);
    assert_ptr_equal(MmGetSystemAddressForMdlSafe(part, NormalPagePriority), block + PAGE_SIZE);
    IoBuildPartialMdl(mdl, part, block, PAGE_SIZE);
    assert_found(&rig, BAD_ARGUMENT, 1);
    IoFreeMdl(part);
    IoFreeMdl(mdl);
    ExFreePool(block);
    rig_stop(&rig);
}

static void scattered_pages_look_contiguous_when_mapped(void **state)
{
    struct rig rig;
    PMDL mdl;
    char *at;
    bool in_a_row = true;

    (void)state;
    rig_start(&rig, NULL);
    mdl = MmAllocatePagesForMdlEx(ZERO, ANYWHERE, ZERO, 40 * PAGE_SIZE, MmCached, 0);
    at = MmMapLockedPagesSpecifyCache(mdl, KernelMode, MmCached, NULL, FALSE, NormalPagePriority);
    assert_true(mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA);
    for (int i = 0; i < 40; i++) {
        uint64_t frame = MmGetMdlPfnArray(mdl)[i];
        assert_int_equal(at[i * PAGE_SIZE], 0);
        at[i * PAGE_SIZE] = (char)i;
        assert_int_equal(*(char *)vidmm_machine_memory(rig.machine, frame << PAGE_SHIFT, 1), i);
        assert_int_equal(MmGetPhysicalAddress(at + i * PAGE_SIZE).QuadPart, frame << PAGE_SHIFT);
        in_a_row &= frame == MmGetMdlPfnArray(mdl)[0] + (unsigned)i;
    }
    assert_false(in_a_row);
    MmUnmapLockedPages(at, mdl);
    assert_false(mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA);
    vidmm_kit_fail_mapping(1);
    assert_null(MmMapLockedPagesSpecifyCache(mdl, KernelMode, MmCached, NULL, FALSE, 0));
    MmFreePagesFromMdl(mdl);
    ExFreePool(mdl);
    rig_stop(&rig);
}

static void an_mdl_freed_in_use_is_found(void **state)
{
    struct rig rig;
    char *block;
    PMDL mdl;

    (void)state;
    rig_start(&rig, NULL);
    block = ExAllocatePoolWithTag(PagedPool, PAGE_SIZE, TAG);
    mdl = IoAllocateMdl(block, PAGE_SIZE, FALSE, FALSE, NULL);
    MmProbeAndLockPages(mdl, KernelMode, IoWriteAccess);
    assert_int_equal(mdl->MdlFlags & (MDL_PAGES_LOCKED | MDL_WRITE_OPERATION),
                     MDL_PAGES_LOCKED | MDL_WRITE_OPERATION);
    IoFreeMdl(mdl);
    assert_found(&rig, MDL_IN_USE, 1);
    mdl = IoAllocateMdl(block, PAGE_SIZE, FALSE, FALSE, NULL);
    MmProbeAndLockPages(mdl, KernelMode, IoReadAccess);
    assert_non_null(MmGetSystemAddressForMdlSafe(mdl, NormalPagePriority));
    MmUnlockPages(mdl);
    MmUnlockPages(mdl);
    assert_found(&rig, MDL_NOT_MAPPED, 1);
    MmUnmapLockedPages(block, mdl);
    assert_found(&rig, MDL_NOT_MAPPED, 1);
    IoFreeMdl(mdl);
    ExFreePool(block);
    rig_stop(&rig);
}

static void a_freed_mdl_that_is_used_is_found(void **state)
{
    struct rig rig;
    PMDL mdl;

    (void)state;
    rig_start_with(&rig, NULL, true);
    mdl = IoAllocateMdl((PVOID)0x10000, PAGE_SIZE, FALSE, FALSE, NULL);
    IoFreeMdl(mdl);
    IoFreeMdl(mdl);
    assert_found(&rig, FREED_MDL, 1);
    if (setjmp(rig.end) == 0) {
        ((volatile MDL *)mdl)->ByteCount = 7;
        fail();
    }
    assert_int_equal(rig.check.code, PAGE_FAULT_IN_NONPAGED_AREA);
    assert_found(&rig, FREED_MDL, 1);
    rig_stop(&rig);
}

static void mdls_and_mappings_left_are_found(void **state)
{
    struct rig rig;
    PMDL mdl;

    (void)state;
    rig_start(&rig, NULL);
    mdl = MmAllocatePagesForMdl(ZERO, ANYWHERE, ZERO, 3 * PAGE_SIZE);
    assert_non_null(MmGetSystemAddressForMdlSafe(mdl, NormalPagePriority));
    rig_end(&rig);
    assert_found(&rig, MAPPING_LEAK, 1);
    assert_found(&rig, MDL_LEAK, 1);
    assert_nothing_found(&rig);
}

/* ---- devices ---- */

static void registers_reach_the_device_model(void **state)
{
    struct rig rig;
    uint64_t start, size;
    bool ports;
    char *at;
    uint32_t *memory;

    (void)state;
    rig_start(&rig, NULL);
    assert_true(vidmm_kit_register_region(0, &start, &size, &ports));
    at = MmMapIoSpace((PHYSICAL_ADDRESS){.QuadPart = (LONGLONG)start}, size, MmNonCached);
    assert_int_equal(READ_REGISTER_ULONG((PULONG)at), 0x4B495430);
    WRITE_REGISTER_ULONG64((PULONG64)(at + 8), 5);
    memory = MmAllocateContiguousMemory(PAGE_SIZE, ANYWHERE);
    memory[0] = 10, memory[1] = 20;
    WRITE_REGISTER_ULONG64((PULONG64)(at + 0x10), (ULONG64)MmGetPhysicalAddress(memory).QuadPart);
    WRITE_REGISTER_ULONG((PULONG)(at + 0x18), 2);
    WRITE_REGISTER_ULONG((PULONG)(at + 0x1C), 1);
    assert_int_equal(memory[0] + memory[1], 40);
    assert_int_equal(READ_REGISTER_ULONG((PULONG)(at + 0x20)), 1);
    assert_int_equal(READ_REGISTER_NOFENCE_ULONG((PULONG)at), 0x4B495430);
    WRITE_REGISTER_NOFENCE_ULONG((PULONG)(at + 0x1C), 1);
    assert_int_equal(memory[0] + memory[1], 50);
    WRITE_REGISTER_NOFENCE_UCHAR((PUCHAR)memory, 7);
    assert_int_equal(READ_REGISTER_NOFENCE_UCHAR((PUCHAR)memory), 7);
    assert_true(vidmm_kit_register_region(1, &start, &size, &ports));
    assert_true(ports);
    assert_int_equal(READ_PORT_UCHAR((PUCHAR)start), 5);
    MmFreeContiguousMemory(memory);
    MmUnmapIoSpace(at, 0x40);
    rig_stop(&rig);
}

static void registers_that_nobody_has_read_as_ones_and_are_found(void **state)
{
    struct rig rig;
    uint64_t start, size;
    bool ports;
    char *at;

    (void)state;
    rig_start_with(&rig, NULL, true);
    vidmm_kit_register_region(0, &start, &size, &ports);
    at = MmMapIoSpaceEx((PHYSICAL_ADDRESS){.QuadPart = (LONGLONG)start}, size, PAGE_READWRITE);
    assert_int_equal(READ_REGISTER_ULONG((PULONG)(at + 0x40)), 0xFFFFFFFF);
    WRITE_REGISTER_ULONG((PULONG)at, 1);
    assert_int_equal(READ_PORT_USHORT((PUSHORT)0x60), 0xFFFF);
    assert_null(MmMapIoSpace((PHYSICAL_ADDRESS){.QuadPart = 0x1000}, 16, MmNonCached));
    assert_found(&rig, NO_REGISTER, 4);
    *(volatile char *)at = 1;
    assert_found(&rig, NO_REGISTER, 1);
    assert_found(&rig, PLAIN_ACCESS, 1);
    MmUnmapIoSpace(at, 4);
    assert_found(&rig, BAD_ARGUMENT, 1);
    MmUnmapIoSpace(at, 4);
    assert_found(&rig, FREE_OF_NOTHING, 1);
    rig_stop(&rig);
}

/* A page of an address descriptor list that the driver maps as if it were a frame. */
static PVOID map_as_frame(MDL *mdl, ULONG64 frame)
{
    PVOID address;

    MmGetMdlPfnArray(mdl)[0] = frame;
    mdl->MdlFlags |= MDL_PAGES_LOCKED;
    address =
        MmMapLockedPagesSpecifyCache(mdl, KernelMode, MmNonCached, NULL, TRUE, NormalPagePriority);
    mdl->MdlFlags &= (SHORT)~MDL_PAGES_LOCKED;
    return address;
}

static void logical_pages_are_not_mapped(void **state)
{
    const uint64_t first = 0x10000, count = 4;
    MDL *mdl;
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    mdl = IoAllocateMdl(NULL, PAGE_SIZE, FALSE, FALSE, NULL);
    vidmm_kit_logical_pages(first, count);
    for (uint64_t page = first; page < first + count; page++) {
        assert_null(MmMapIoSpace((PHYSICAL_ADDRESS){.QuadPart = (LONGLONG)(page << PAGE_SHIFT)}, 16,
                                 MmNonCached));
        assert_null(map_as_frame(mdl, page));
        assert_found(&rig, LOGICAL_PAGE, 2);
    }
    assert_null(MmMapIoSpaceEx((PHYSICAL_ADDRESS){.QuadPart = (LONGLONG)(first - 1) << PAGE_SHIFT},
                               PAGE_SIZE + 1, PAGE_READWRITE));
    assert_found(&rig, LOGICAL_PAGE, 1);
    /* The pages beside them are as they were: nothing is there. */
    assert_null(MmMapIoSpace((PHYSICAL_ADDRESS){.QuadPart = (LONGLONG)(first - 1) << PAGE_SHIFT},
                             PAGE_SIZE, MmNonCached));
    assert_null(
        MmMapIoSpace((PHYSICAL_ADDRESS){.QuadPart = (LONGLONG)(first + count) << PAGE_SHIFT},
                     PAGE_SIZE, MmNonCached));
    assert_found(&rig, NO_REGISTER, 2);
    vidmm_kit_logical_pages(0, 0);
    assert_null(MmMapIoSpace((PHYSICAL_ADDRESS){.QuadPart = (LONGLONG)first << PAGE_SHIFT},
                             PAGE_SIZE, MmNonCached));
    assert_found(&rig, NO_REGISTER, 1);
    IoFreeMdl(mdl);
    rig_stop(&rig);
}

static void resources_list_regions_and_the_interrupt(void **state)
{
    struct rig rig;
    CM_RESOURCE_LIST *list;
    CM_PARTIAL_RESOURCE_DESCRIPTOR *one;
    UCHAR types[8] = {0};
    USHORT vendor = 0;

    (void)state;
    rig_start(&rig, NULL);
    list = vidmm_kit_resources();
    assert_int_equal(list->List[0].PartialResourceList.Count, 3);
    one = list->List[0].PartialResourceList.PartialDescriptors;
    for (ULONG i = 0; i < 3; i++)
        types[one[i].Type]++;
    assert_int_equal(types[CmResourceTypeMemory], 1);
    assert_int_equal(types[CmResourceTypePort], 1);
    assert_int_equal(types[CmResourceTypeInterrupt], 1);
    assert_int_equal(HalGetBusData(PCIConfiguration, 0, 0, &vendor, 2), 2);
    assert_int_equal(vendor, 0x1234);
    rig_stop(&rig);
}

static void the_ranges_of_memory_are_told(void **state)
{
    struct rig rig;
    PHYSICAL_MEMORY_RANGE *ranges;
    PVOID page;

    (void)state;
    rig_start(&rig, NULL);
    ranges = MmGetPhysicalMemoryRanges();
    assert_non_null(ranges);
    page = MmAllocateContiguousMemory(PAGE_SIZE, (PHYSICAL_ADDRESS){.QuadPart = -1});
    assert_in_range(MmGetPhysicalAddress(page).QuadPart, ranges[0].BaseAddress.QuadPart,
                    ranges[0].BaseAddress.QuadPart + ranges[0].NumberOfBytes.QuadPart - 1);
    assert_int_equal(ranges[1].BaseAddress.QuadPart, 0);
    assert_int_equal(ranges[1].NumberOfBytes.QuadPart, 0);
    MmFreeContiguousMemory(page);
    ExFreePool(ranges);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ranges_of_memory_are_told),
        cmocka_unit_test(contiguous_memory_is_in_a_row_and_has_a_ceiling),
        cmocka_unit_test(what_is_mapped_through_the_kits_host_has_frames),
        cmocka_unit_test(an_mdl_of_pool_names_its_frames),
        cmocka_unit_test(scattered_pages_look_contiguous_when_mapped),
        cmocka_unit_test(an_mdl_freed_in_use_is_found),
        cmocka_unit_test(a_freed_mdl_that_is_used_is_found),
        cmocka_unit_test(mdls_and_mappings_left_are_found),
        cmocka_unit_test(registers_reach_the_device_model),
        cmocka_unit_test(registers_that_nobody_has_read_as_ones_and_are_found),
        cmocka_unit_test(logical_pages_are_not_mapped),
        cmocka_unit_test(resources_list_regions_and_the_interrupt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
