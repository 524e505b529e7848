/* seen_paging_special_lock.c: paging-special-lock.def broken, and answered. */
#include "ranges.h"

/* Lock by an alternate address, and have the allocation leave. */
static NTSTATUS travel(struct shown *shown)
{
    struct rig_allocation *allocation = ranges_drawn(shown, 0, SWIZZLED);

    assert_int_equal(ranges_lock(shown, allocation, BY_ALTERNATE, 0), STATUS_SUCCESS);
    return ranges_crowd(shown, true);
}

void breaks_S4_052(void **state)
{
    struct shown shown;

    (void)state;
    ranges_init(&shown, "ranges 1\nbroken build_busy_forever\n", NULL);
    assert_true(travel(&shown) != STATUS_SUCCESS);
    assert_true(vidmm_adapter_condition(shown.rig.adapter, &shown.rig.report) != STATUS_SUCCESS);
    assert_non_null(strstr(shown.rig.report.text, "ALLOCATION_BUSY where the allocation is idle"));
    shown_end(&shown);
}

void keeps_S4_052(void **state)
{
    struct shown shown;
    size_t first, again;

    (void)state;
    ranges_init(&shown, "ranges 1\nbusy first\n", NULL);
    assert_int_equal(travel(&shown), STATUS_SUCCESS);
    first = shown_next_build(&shown, 0, DXGK_OPERATION_SPECIAL_LOCK_TRANSFER);
    assert_true(first != SIZE_MAX);
    again = shown_next_build(&shown, first + 1, DXGK_OPERATION_SPECIAL_LOCK_TRANSFER);
    assert_true(again != SIZE_MAX);
    assert_false(shown.calls[first].argument.build.SpecialLockTransfer.Flags.AllocationIsIdle);
    assert_true(shown.calls[again].argument.build.SpecialLockTransfer.Flags.AllocationIsIdle);
    ranges_unlock(&shown, &shown.rig.allocations[0]);
    shown_finish(&shown);
}
