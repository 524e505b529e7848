/* Pools: blocks, tags, guards, the quarantine, leaks, failing on purpose; lookaside lists. */
#include "rig.h"

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
        cmocka_unit_test(freeing_an_active_timer_is_found),
        cmocka_unit_test(lookaside_entries_come_from_the_pool),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
