/* shows_lock1_offered.c: lock1.def, obeyed, for what is offered. */
#include "offer.h"

static void cannot_be_locked(struct shown *shown, uint32_t flags)
{
    struct rig_allocation *one = &shown->rig.allocations[0];
    struct vidmm_lock_arguments arguments = {.allocation = one->handle,
                                             .flags = flags | VIDMM_LOCK_ENTIRE};

    shown_refused(shown, vidmm_lock_pages(&arguments, &shown->rig.report), STATUS_INVALID_PARAMETER,
                  "D-155");
    assert_null(arguments.data);
}

static void can_be_locked(struct shown *shown)
{
    struct rig_allocation *one = &shown->rig.allocations[0];
    void *data;

    assert_int_equal(vidmm_lock(one->handle, 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(one->handle), STATUS_SUCCESS);
}

/* However gladly it is given away, whether the GPU still uses it, its content is there, or is
 * gone. */
void shows_D_155(void **state)
{
    struct rig_allocation *list[1];
    struct shown shown;

    (void)state;
    for (uint32_t priority = VIDMM_OFFER_LOW; priority <= VIDMM_OFFER_AUTO; priority++) {
        three_begin(&shown);
        three_use(&shown, 0);
        can_be_locked(&shown);
        list[0] = &shown.rig.allocations[0];
        assert_int_equal(rig_render(&shown.rig, list, 1, 1), STATUS_SUCCESS); /* queued */
        assert_int_equal(three_offer(&shown, 0, priority), STATUS_SUCCESS);
        cannot_be_locked(&shown, 0);
        cannot_be_locked(&shown, VIDMM_LOCK_DONOT_WAIT);
        assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
        shown_settle(&shown);
        cannot_be_locked(&shown, 0);
        cannot_be_locked(&shown, VIDMM_LOCK_DISCARD);
        three_use(&shown, 1);
        three_use(&shown, 2);
        assert_int_equal(three_where(&shown, 0), VIDMM_NOT_RESIDENT); /* retired */
        cannot_be_locked(&shown, 0);
        assert_true(three_reclaim(&shown, 0));
        can_be_locked(&shown);
        shown_finish(&shown);
    }
}
