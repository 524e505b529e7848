/* Pools: blocks, tags, guards, the quarantine, leaks, failing on purpose; lookaside lists. */
#include "rig.h"

#include <sys/mman.h>

#define TAG 0x31676154 /* "Tag1" */

static void a_block_is_aligned_tagged_and_counted(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    for (SIZE_T size = 1; size < 20000; size = size * 3 + 1) {
        unsigned char *block = ExAllocatePoolWithTag(NonPagedPoolNx, size, TAG);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % (size < PAGE_SIZE / 2 ? 16 : PAGE_SIZE), 0);
        assert_int_equal(block[0], 0xA7); /* fresh memory is not zeroed */
        memset(block, 1, size);
        assert_int_equal(vidmm_kit_pool_use(TAG).bytes, size);
        ExFreePoolWithTag(block, TAG);
    }
    assert_int_equal(vidmm_kit_pool_use(0).blocks, 0);
    rig_stop(&rig);
}

static void pool2_zeroes_unless_told_not_to(void **state)
{
    struct rig rig;
    unsigned char *zero, *fresh;

    (void)state;
    rig_start(&rig, NULL);
    zero = ExAllocatePool2(POOL_FLAG_NON_PAGED, 5000, TAG);
    fresh = ExAllocatePool2(POOL_FLAG_PAGED | POOL_FLAG_UNINITIALIZED, 40, TAG);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(zero[i], 0);
    assert_int_equal(fresh[39], 0xA7);
    assert_null(ExAllocatePool2(POOL_FLAG_PAGED | POOL_FLAG_NON_PAGED, 40, TAG));
    assert_found(&rig, BAD_ARGUMENT, 1);
    ExFreePool(zero);
    ExFreePool(fresh);
    rig_stop(&rig);
}

static void a_pool_block_has_a_physical_address_page_by_page(void **state)
{
    struct rig rig;
    char *block;

    (void)state;
    rig_start(&rig, NULL);
    block = ExAllocatePoolWithTag(NonPagedPool, 5 * PAGE_SIZE, TAG);
    for (int i = 0; i < 5; i++) {
        PHYSICAL_ADDRESS address = MmGetPhysicalAddress(block + i * PAGE_SIZE + 123);
        assert_int_equal(address.QuadPart % PAGE_SIZE, 123);
        block[i * PAGE_SIZE + 123] = (char)(i + 1);
        char *seen = vidmm_machine_memory(rig.machine, (uint64_t)address.QuadPart, 1);
        assert_int_equal(*seen, i + 1);
    }
    ExFreePool(block);
    assert_int_equal(MmGetPhysicalAddress(&rig).QuadPart, 0);
    assert_found(&rig, BAD_ARGUMENT, 1);
    rig_stop(&rig);
}

static void writing_outside_a_block_is_found_when_it_is_freed(void **state)
{
    struct rig rig;
    unsigned char *block;

    (void)state;
    rig_start(&rig, NULL);
    for (int large = 0; large < 2; large++) {
        SIZE_T size = large ? PAGE_SIZE : 100;
        block = ExAllocatePoolWithTag(NonPagedPool, size, TAG);
        block[size - 1] = 1;
        ExFreePool(block);
        assert_nothing_found(&rig);
        block = ExAllocatePoolWithTag(NonPagedPool, size, TAG);
        block[size] = 1;
        assert_int_equal(vidmm_kit_check_pool(), 1);
        ExFreePool(block);
        assert_found(&rig, POOL_OVERRUN, 2);
        assert_non_null(strstr(rig.text, large ? "byte 4096" : "byte 100"));
    }
    block = ExAllocatePoolWithTag(NonPagedPool, 100, TAG);
    block[-1] = 1;
    ExFreePool(block);
    assert_found(&rig, POOL_UNDERRUN, 1);
    rig_stop(&rig);
}

static void writing_a_freed_block_is_found(void **state)
{
    struct rig rig;
    unsigned char *block;

    (void)state;
    rig_start(&rig, NULL);
    block = ExAllocatePoolWithTag(NonPagedPool, 100, TAG);
    ExFreePool(block);
    assert_int_equal(vidmm_kit_check_pool(), 0);
    block[50] = 1;
    assert_int_equal(vidmm_kit_check_pool(), 1);
    rig_end(&rig);
    assert_found(&rig, USE_AFTER_FREE, 2);
    assert_nothing_found(&rig);
}

static void freeing_what_is_no_block_is_found(void **state)
{
    struct rig rig;
    char *block;

    (void)state;
    rig_start(&rig, NULL);
    block = ExAllocatePoolWithTag(PagedPool, 100, TAG);
    ExFreePool(block + 16);
    assert_found(&rig, FREE_OF_NOTHING, 1);
    ExFreePoolWithTag(block, TAG + 1);
    assert_found(&rig, WRONG_TAG, 1);
    ExFreePool(block);
    assert_found(&rig, DOUBLE_FREE, 1);
    rig_stop(&rig);
}

static void what_is_left_is_listed_by_tag(void **state)
{
    struct rig rig;

    (void)state;
    rig_start(&rig, NULL);
    for (int i = 0; i < 3; i++)
        assert_non_null(ExAllocatePoolWithTag(PagedPool, 100, TAG));
    rig_end(&rig);
    assert_found(&rig, POOL_LEAK, 1);
    assert_string_equal(rig.text, "tag 'Tag1': 3 blocks, 300 bytes");
    assert_nothing_found(&rig);
}

static void the_nth_allocation_can_fail(void **state)
{
    struct rig rig;
    void *first, *third;

    (void)state;
    rig_start(&rig, NULL);
    vidmm_kit_fail_pool(2);
    first = ExAllocatePoolWithTag(PagedPool, 1, TAG);
    assert_null(ExAllocatePoolZero(PagedPool, 1, TAG));
    third = ExAllocatePoolWithTag(PagedPool, 1, TAG);
    assert_non_null(first);
    assert_non_null(third);
    ExFreePool(first);
    ExFreePool(third);
    rig_stop(&rig);
}

static void paged_pool_at_dispatch_level_is_found(void **state)
{
    struct rig rig;
    KIRQL irql;

    (void)state;
    rig_start(&rig, NULL);
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    ExFreePool(ExAllocatePoolWithTag(NonPagedPool, 1, TAG));
    assert_nothing_found(&rig);
    ExFreePool(ExAllocatePoolWithTag(PagedPool, 1, TAG));
    assert_found(&rig, IRQL_TOO_HIGH, 1);
    KeLowerIrql(irql);
    rig_stop(&rig);
}

static volatile char *touched; /* a byte of a block */

/* Whether this machine can map a page twice. An emulator of another one's programs cannot: paged
 * pool is not watched there, and no touch is found. */
static bool is_watched(void)
{
    char *pages =
        mmap(NULL, 2 * PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void *twice;

    assert_true(pages != MAP_FAILED);
    twice = mremap(pages, 0, PAGE_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, pages + PAGE_SIZE);
    munmap(pages, 2 * PAGE_SIZE);
    return twice != MAP_FAILED;
}

static void assert_touches(struct rig *rig, unsigned count)
{
    if (!is_watched())
        print_message("paged pool is not watched here: no touch is to be found\n");
    assert_found(rig, PAGED_TOUCHED, is_watched() ? count : 0);
}

static void touch(void *argument)
{
    (void)argument;
    touched[0]++;
}

static void touching_paged_pool_at_a_raised_level_is_found(void **state)
{
    static const SIZE_T sizes[] = {100, 3 * PAGE_SIZE};
    EX_SPIN_LOCK shared = 0;
    struct rig rig;
    KSPIN_LOCK lock;
    KIRQL irql;

    (void)state;
    rig_start_with(&rig, NULL, true);
    KeInitializeSpinLock(&lock);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        char *block = ExAllocatePoolWithTag(PagedPool, sizes[i], TAG);

        touched = block + sizes[i] - 1;
        touched[0] = 1;
        vidmm_kit_call(DISPATCH_LEVEL, touch, NULL, "a routine");
        assert_touches(&rig, 1);
        KeRaiseIrql(DISPATCH_LEVEL, &irql);
        touch(NULL);
        touch(NULL); /* by now it is there */
        KeLowerIrql(irql);
        assert_touches(&rig, 1);
        KeAcquireSpinLock(&lock, &irql);
        touch(NULL);
        KeReleaseSpinLock(&lock, irql);
        irql = ExAcquireSpinLockShared(&shared);
        touch(NULL);
        ExReleaseSpinLockShared(&shared, irql);
        assert_touches(&rig, 2);
        assert_int_equal(touched[0], 6); /* and nothing was lost */
        ExFreePool(block);
    }
    rig_stop(&rig);
}

static void touching_paged_pool_below_is_not(void **state)
{
    struct rig rig;
    KIRQL irql;

    (void)state;
    rig_start_with(&rig, NULL, true);
    touched = ExAllocatePoolWithTag(PagedPool, 100, TAG);
    touched[0] = 1;
    for (int i = 0; i < 3; i++) {
        KeRaiseIrql(DISPATCH_LEVEL, &irql);
        KeLowerIrql(irql);
        touch(NULL);
        KeRaiseIrql(DISPATCH_LEVEL, &irql);
        KeLowerIrql(irql);
        vidmm_kit_call(APC_LEVEL, touch, NULL, "a routine");
    }
    assert_int_equal(touched[0], 7);
    ExFreePool((char *)touched);
    touched = ExAllocatePoolWithTag(NonPagedPool, 100, TAG);
    vidmm_kit_call(DISPATCH_LEVEL, touch, NULL, "a routine");
    ExFreePool((char *)touched);
    rig_stop(&rig);
}

/* The machine's own handler of faults lies above the kernel's once there is a window. */
static void paged_pool_comes_back_where_the_machine_has_windows(void **state)
{
    const struct vidmm_host *host;
    struct vidmm_window *window;
    struct rig rig;
    void *address;

    (void)state;
    rig_start_with(&rig, NULL, true);
    host = vidmm_slot_host(rig.slot);
    window = host->create_window(host->context, 1, &address);
    assert_non_null(window);
    touched = ExAllocatePoolWithTag(PagedPool, 100, TAG);
    touched[0] = 0;
    for (int i = 1; i <= 5; i++) {
        vidmm_kit_call(DISPATCH_LEVEL, touch, NULL, "a routine"); /* the same instruction */
        assert_touches(&rig, 1);
        assert_int_equal(touched[0], i);
    }
    ExFreePool((char *)touched);
    host->destroy_window(host->context, window);
    rig_stop(&rig);
}

static void locked_pages_of_paged_pool_stay(void **state)
{
    struct rig rig;
    MDL *first, *second;

    (void)state;
    rig_start_with(&rig, NULL, true);
    touched = ExAllocatePoolWithTag(PagedPool, 2 * PAGE_SIZE, TAG);
    first = IoAllocateMdl((char *)touched, 100, FALSE, FALSE, NULL);
    second = IoAllocateMdl((char *)touched, 2 * PAGE_SIZE, FALSE, FALSE, NULL);
    MmProbeAndLockPages(first, KernelMode, IoWriteAccess);
    MmProbeAndLockPages(second, KernelMode, IoWriteAccess);
    assert_int_equal(MmGetMdlPfnArray(first)[0], MmGetMdlPfnArray(second)[0]);
    MmUnlockPages(second);
    vidmm_kit_call(DISPATCH_LEVEL, touch, NULL, "a routine");
    assert_nothing_found(&rig);
    MmUnlockPages(first);
    vidmm_kit_call(DISPATCH_LEVEL, touch, NULL, "a routine");
    assert_touches(&rig, 1);
    IoFreeMdl(second);
    IoFreeMdl(first);
    ExFreePool((char *)touched);
    rig_stop(&rig);
}

/* Guards and poison of paged blocks are looked at where a block of the other pool is freed. */
static void the_kernels_own_look_at_paged_pool_is_not_found(void **state)
{
    struct rig rig;
    KIRQL irql;

    (void)state;
    rig_start_with(&rig, NULL, true);
    for (int i = 0; i < 600; i++) { /* more than the quarantine holds */
        char *other = ExAllocatePoolWithTag(NonPagedPool, 100, TAG);

        ExFreePool(ExAllocatePoolWithTag(PagedPool, 100, TAG));
        KeRaiseIrql(DISPATCH_LEVEL, &irql);
        ExFreePool(other);
        if (i % 100 == 0)
            assert_int_equal(vidmm_kit_check_pool(), 0);
        KeLowerIrql(irql);
    }
    rig_stop(&rig);
}

/* More than is watched is there all the same. */
static void paged_pool_is_not_bounded_by_what_is_watched(void **state)
{
    struct rig rig;
    char *blocks[3];

    (void)state;
    rig_start_with(&rig, NULL, true);
    for (int i = 0; i < 3; i++) {
        blocks[i] = ExAllocatePoolWithTag(PagedPool, 7 << 20, TAG);
        assert_non_null(blocks[i]);
        memset(blocks[i], i, 7 << 20);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(blocks[i][(7 << 20) - 1], i);
        ExFreePool(blocks[i]);
    }
    rig_stop(&rig);
}

static void the_memory_that_is_held_is_of_all_kinds(void **state)
{
    PHYSICAL_ADDRESS nothing = {.QuadPart = 0}, highest = {.QuadPart = -1};
    struct rig rig;
    void *block, *run;
    MDL *list;

    (void)state;
    rig_start(&rig, NULL);
    assert_int_equal(vidmm_kit_held_bytes(), 0);
    block = ExAllocatePoolWithTag(NonPagedPool, 1000, TAG);
    run = MmAllocateContiguousMemory(3 * PAGE_SIZE, highest);
    assert_int_equal(vidmm_kit_held_bytes(), 1000 + 3 * PAGE_SIZE);
    list = MmAllocatePagesForMdl(nothing, highest, nothing, 2 * PAGE_SIZE);
    assert_int_equal(vidmm_kit_held_bytes(), 1000 + 5 * PAGE_SIZE);
    MmFreePagesFromMdl(list);
    ExFreePool(list);
    MmFreeContiguousMemory(run);
    ExFreePool(block);
    assert_int_equal(vidmm_kit_held_bytes(), 0);
    rig_stop(&rig);
}

static void freeing_an_active_timer_is_found(void **state)
{
    struct rig rig;
    KTIMER *timer;

    (void)state;
    rig_start(&rig, NULL);
    for (int set = 0; set < 2; set++) {
        timer = ExAllocatePoolWithTag(NonPagedPool, sizeof(*timer), TAG);
        KeInitializeTimer(timer);
        KeSetTimer(timer, in_ms(100000), NULL);
        if (!set)
            assert_true(KeCancelTimer(timer));
        ExFreePool(timer);
        assert_found(&rig, FREED_IN_USE, set);
    }
    rig_stop(&rig);
}

static void lookaside_entries_come_from_the_pool(void **state)
{
    struct rig rig;
    NPAGED_LOOKASIDE_LIST list;
    LOOKASIDE_LIST_EX list_ex;
    PAGED_LOOKASIDE_LIST paged;
    void *entry;

    (void)state;
    rig_start(&rig, NULL);
    ExInitializeNPagedLookasideList(&list, NULL, NULL, 0, 80, TAG, 0);
    ExInitializePagedLookasideList(&paged, NULL, NULL, 0, 80, TAG, 0);
    assert_int_equal(ExInitializeLookasideListEx(&list_ex, NULL, NULL, PagedPool, 0, 80, TAG, 0),
                     0);
    entry = ExAllocateFromNPagedLookasideList(&list);
    assert_int_equal(vidmm_kit_pool_use(TAG).bytes, 80);
    ExDeleteNPagedLookasideList(&list);
    assert_found(&rig, FREED_IN_USE, 1);
    ExFreePool(entry);
    ExFreeToPagedLookasideList(&paged, ExAllocateFromPagedLookasideList(&paged));
    ExDeletePagedLookasideList(&paged);
    ExFreeToLookasideListEx(&list_ex, ExAllocateFromLookasideListEx(&list_ex));
    ExDeleteLookasideListEx(&list_ex);
    assert_null(ExAllocateFromLookasideListEx(&list_ex));
    assert_found(&rig, NOT_INITIALIZED, 1);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_aligned_tagged_and_counted),
        cmocka_unit_test(pool2_zeroes_unless_told_not_to),
        cmocka_unit_test(a_pool_block_has_a_physical_address_page_by_page),
        cmocka_unit_test(writing_outside_a_block_is_found_when_it_is_freed),
        cmocka_unit_test(writing_a_freed_block_is_found),
        cmocka_unit_test(freeing_what_is_no_block_is_found),
        cmocka_unit_test(what_is_left_is_listed_by_tag),
        cmocka_unit_test(the_nth_allocation_can_fail),
        cmocka_unit_test(paged_pool_at_dispatch_level_is_found),
        cmocka_unit_test(touching_paged_pool_at_a_raised_level_is_found),
        cmocka_unit_test(touching_paged_pool_below_is_not),
        cmocka_unit_test(paged_pool_comes_back_where_the_machine_has_windows),
        cmocka_unit_test(locked_pages_of_paged_pool_stay),
        cmocka_unit_test(the_kernels_own_look_at_paged_pool_is_not_found),
        cmocka_unit_test(paged_pool_is_not_bounded_by_what_is_watched),
        cmocka_unit_test(the_memory_that_is_held_is_of_all_kinds),
        cmocka_unit_test(freeing_an_active_timer_is_found),
        cmocka_unit_test(lookaside_entries_come_from_the_pool),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
