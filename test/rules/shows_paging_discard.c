/* shows_paging_discard.c: paging-discard.def, obeyed. */
#include "rules_rig.h"

/* A PermanentSysMem allocation with content, paged in, then made to leave. Answers the number of
 * the first operation of its leaving. */
static size_t make_leave(struct shown *shown, bool write)
{
    struct rig_allocation *a = shown_create(shown, 0, 40, 3), *b = shown_create(shown, 1, 40, 1);
    size_t from;

    assert_true(rig_lock_and_touch(&shown->rig, a, true));
    shown_use_one(shown, a, write);
    from = shown->operation_count;
    shown_use_one(shown, b, true);
    return from;
}

void shows_S0_010(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    size_t from;

    (void)state;
    shown_init(&shown, &options, NULL);
    from = make_leave(&shown, false);
    assert_true(shown_next_paging(&shown, from, &shown.rig.allocations[0], VIDMM_DISCARD_CONTENT) !=
                SIZE_MAX);
    assert_true(shown_next_paging(&shown, from, &shown.rig.allocations[0], VIDMM_TRANSFER) ==
                SIZE_MAX);
    shown_finish(&shown); /* and its bytes are what they were */
}

void shows_S4_031(void **state)
{
    struct rig_options options = rig_defaults();
    const DXGKARG_BUILDPAGINGBUFFER *in, *discard;
    struct shown shown;
    size_t from;

    (void)state;
    shown_init(&shown, &options, NULL);
    from = make_leave(&shown, false);
    in = shown_build_of(&shown,
                        shown_next_paging(&shown, 0, &shown.rig.allocations[0], VIDMM_TRANSFER));
    discard = shown_build_of(
        &shown, shown_next_paging(&shown, from, &shown.rig.allocations[0], VIDMM_DISCARD_CONTENT));
    assert_int_equal(discard->DiscardContent.SegmentId, 2);
    assert_int_equal(discard->DiscardContent.SegmentId, in->Transfer.Destination.SegmentId);
    assert_int_equal(discard->DiscardContent.SegmentAddress.QuadPart,
                     in->Transfer.Destination.SegmentAddress.QuadPart);
    assert_ptr_equal(discard->DiscardContent.hAllocation, in->Transfer.hAllocation);
    shown_finish(&shown);
}
