/* shows_paging_special_lock.c: paging-special-lock.def, obeyed. */
#include "ranges.h"

static size_t specials(const struct shown *shown)
{
    return shown_count_builds(shown, 0, DXGK_OPERATION_SPECIAL_LOCK_TRANSFER);
}

/* Locked by its alternate address (or its range alone), evicted, written, unlocked, used again. */
static struct rig_allocation *travel(struct shown *shown, uint32_t flags)
{
    struct rig_allocation *allocation = ranges_drawn(shown, 0, SWIZZLED);
    struct vidmm_lock_arguments arguments = {.allocation = allocation->handle,
                                             .flags = flags | VIDMM_LOCK_ENTIRE};

    assert_int_equal(vidmm_lock_pages(&arguments, &shown->rig.report), STATUS_SUCCESS);
    assert_int_equal(ranges_crowd(shown, true), STATUS_SUCCESS);
    for (uint32_t page = 0; page < allocation->pages; page++)
        rig_touch_page(&shown->rig, allocation, (char *)arguments.data + page * VIDMM_PAGE_SIZE,
                       page, true);
    assert_true(shown->rig.cpu_mismatches == 0);
    ranges_unlock(shown, allocation);
    shown_use_one(shown, allocation, true);
    return allocation;
}

void shows_S4_049(void **state)
{
    struct shown shown;
    const DXGKARG_BUILDPAGINGBUFFER *out, *in;
    size_t at;

    (void)state;
    ranges_init(&shown, "ranges 1\n", NULL);
    travel(&shown, BY_ALTERNATE);
    at = shown_next_build(&shown, 0, DXGK_OPERATION_SPECIAL_LOCK_TRANSFER);
    assert_true(at != SIZE_MAX);
    out = &shown.calls[at].argument.build;
    at = shown_next_build(&shown, at + 1, DXGK_OPERATION_SPECIAL_LOCK_TRANSFER);
    assert_true(at != SIZE_MAX);
    in = &shown.calls[at].argument.build;
    assert_int_equal(out->SpecialLockTransfer.Source.SegmentId, 2);
    assert_int_equal(out->SpecialLockTransfer.Destination.SegmentId, 0);
    assert_int_equal(in->SpecialLockTransfer.Source.SegmentId, 0);
    assert_int_equal(in->SpecialLockTransfer.Destination.SegmentId, 2);
    assert_ptr_equal(in->SpecialLockTransfer.Source.pMdl,
                     out->SpecialLockTransfer.Destination.pMdl);
    assert_true(out->SpecialLockTransfer.Flags.Unswizzle && in->SpecialLockTransfer.Flags.Swizzle);
    shown_finish(&shown); /* and what the CPU wrote there, the GPU found */
}

void shows_S4_050(void **state)
{
    struct rig_allocation *allocation;
    struct shown shown;

    (void)state;
    ranges_init(&shown, "ranges 1\n", NULL);
    allocation = travel(&shown, BY_APERTURE);
    assert_int_equal(specials(&shown), 0); /* not for other locks */
    assert_int_equal(ranges_lock(&shown, allocation, BY_ALTERNATE, 0), STATUS_SUCCESS);
    ranges_unlock(&shown, allocation);
    assert_int_equal(ranges_crowd(&shown, false), STATUS_SUCCESS);
    shown_use_one(&shown, allocation, true);
    assert_int_equal(specials(&shown), 0); /* not after the unlock */
    shown_finish(&shown);
    ranges_init(&shown, "ranges 1\n", NULL);
    travel(&shown, BY_ALTERNATE);
    assert_int_equal(specials(&shown), 2); /* once out and once in */
    shown_finish(&shown);
}

static NTSTATUS acquire_unsupported(HANDLE adapter, DXGKARG_ACQUIRESWIZZLINGRANGE *arguments)
{
    (void)adapter;
    (void)arguments;
    return STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED;
}

static void without_alternate(DRIVER_INITIALIZATION_DATA *driver)
{
    driver->DxgkDdiAcquireSwizzlingRange = acquire_unsupported;
}

void shows_S4_051(void **state)
{
    struct rig_allocation *allocation;
    struct shown shown;

    (void)state;
    for (uint32_t ranges = 0; ranges < 2; ranges++) { /* it has none, or none for this */
        ranges_init(&shown, ranges == 0 ? "ranges 0\n" : "ranges 1\n", without_alternate);
        allocation = ranges_drawn(&shown, 0, SWIZZLED);
        assert_true(ranges_lock(&shown, allocation, BY_ALTERNATE, 0) != STATUS_SUCCESS);
        assert_int_equal(ranges_crowd(&shown, true), STATUS_SUCCESS);
        shown_use_one(&shown, allocation, true);
        assert_int_equal(specials(&shown), 0);
        shown_finish(&shown);
    }
}
