/* shows_offer_reclaim.c: offer-reclaim.def, obeyed. */
#include "offer.h"

/* While a DMA buffer is queued that needs it, an offer waits: the buffer finds its content, though
 * room is wanted at the same time. Afterwards the memory goes to another. */
void shows_D_210(void **state)
{
    struct shown shown;
    struct rig_allocation *list[1];

    (void)state;
    three_begin(&shown);
    three_use(&shown, 0);
    list[0] = &shown.rig.allocations[0];
    assert_int_equal(rig_render(&shown.rig, list, 1, 1), STATUS_SUCCESS); /* not yet done */
    assert_int_equal(three_offer(&shown, 0, VIDMM_OFFER_LOW), STATUS_SUCCESS);
    three_use(&shown, 1);
    three_use(&shown, 2); /* one of the two before has to go */
    assert_int_equal(three_where(&shown, 0), VIDMM_NOT_RESIDENT);
    assert_int_equal(three_where(&shown, 1), VIDMM_RESIDENT_IN_GPU);
    assert_true(three_reclaim(&shown, 0));
    three_use(&shown, 0);
    shown_finish(&shown); /* and every DMA buffer found what it expected */
}

/* Two are offered: say which one goes for a third. */
static uint32_t who_goes(uint32_t first, uint32_t second)
{
    struct shown shown;
    uint32_t gone;

    three_begin(&shown);
    three_use(&shown, 0);
    three_use(&shown, 1);
    assert_int_equal(three_offer(&shown, 0, first), STATUS_SUCCESS);
    assert_int_equal(three_offer(&shown, 1, second), STATUS_SUCCESS);
    three_use(&shown, 2);
    gone = three_where(&shown, 0) == VIDMM_NOT_RESIDENT ? 0 : 1;
    assert_int_equal(three_where(&shown, 1 - gone), VIDMM_RESIDENT_IN_GPU);
    assert_int_equal(three_reclaim(&shown, 0), gone == 0);
    assert_int_equal(three_reclaim(&shown, 1), gone == 1);
    shown_finish(&shown);
    return gone;
}

static uint32_t who_goes_by_priority(uint32_t first, uint32_t second)
{
    struct shown shown;
    uint32_t values[2] = {first, second}, gone;
    struct vidmm_allocation *both[2];
    struct vidmm_selection selection = {.allocations = both, .allocation_count = 2};

    three_begin(&shown);
    three_use(&shown, 0);
    three_use(&shown, 1);
    both[0] = shown.rig.allocations[0].handle;
    both[1] = shown.rig.allocations[1].handle;
    assert_int_equal(vidmm_set_priority(&selection, values, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_offer(&selection, VIDMM_OFFER_AUTO, 0, &shown.rig.report),
                     STATUS_SUCCESS);
    three_use(&shown, 2);
    gone = three_where(&shown, 0) == VIDMM_NOT_RESIDENT ? 0 : 1;
    three_reclaim(&shown, 0);
    three_reclaim(&shown, 1);
    shown_finish(&shown);
    return gone;
}

void shows_D_212(void **state)
{
    struct shown shown;

    (void)state;
    assert_int_equal(who_goes(VIDMM_OFFER_LOW, VIDMM_OFFER_NORMAL), 0);
    assert_int_equal(who_goes(VIDMM_OFFER_NORMAL, VIDMM_OFFER_LOW), 1);
    assert_int_equal(who_goes(VIDMM_OFFER_HIGH, VIDMM_OFFER_NORMAL), 1);
    assert_int_equal(who_goes(VIDMM_OFFER_HIGH, VIDMM_OFFER_LOW), 1);
    assert_int_equal(who_goes_by_priority(0x50000000, 0xa0000000), 0); /* AUTO */
    assert_int_equal(who_goes_by_priority(0xa0000000, 0x28000000), 1);
    three_begin(&shown);
    shown_refused(&shown, three_offer(&shown, 0, 0), STATUS_INVALID_PARAMETER, "D-212"); /* NONE */
    shown_refused(&shown, three_offer(&shown, 0, 5), STATUS_INVALID_PARAMETER, "D-212");
    three_use(&shown, 0); /* it is not offered */
    shown_finish(&shown);
}

/* An answer for each, as it happened; without room for answers the loss is accepted. */
void shows_D_214(void **state)
{
    struct shown shown;
    struct vidmm_allocation *both[2];
    struct vidmm_selection selection = {.allocations = both, .allocation_count = 2};
    bool discarded[2];
    size_t from;

    (void)state;
    three_begin(&shown);
    three_use(&shown, 0);
    three_use(&shown, 1);
    both[0] = shown.rig.allocations[0].handle;
    both[1] = shown.rig.allocations[1].handle;
    from = shown.call_count;
    assert_int_equal(vidmm_offer(&selection, VIDMM_OFFER_NORMAL, 0, &shown.rig.report),
                     STATUS_SUCCESS);
    three_use(&shown, 2);
    assert_int_equal(shown_count_builds(&shown, from, DXGK_OPERATION_DISCARD_CONTENT), 1);
    assert_int_equal(shown_count_builds(&shown, from, DXGK_OPERATION_TRANSFER), 0);
    assert_int_equal(vidmm_reclaim(&selection, discarded, &shown.rig.report), STATUS_SUCCESS);
    for (uint32_t i = 0; i < 2; i++) {
        struct rig_allocation *allocation = &shown.rig.allocations[i];

        assert_int_equal(discarded[i], three_where(&shown, i) == VIDMM_NOT_RESIDENT);
        allocation->generation = discarded[i] ? 0 : allocation->generation;
        allocation->digest = discarded[i] ? 0 : allocation->digest;
    }
    assert_int_not_equal(discarded[0], discarded[1]);
    /* once more, with nothing asked; lost content was lost once */
    assert_int_equal(vidmm_offer(&selection, VIDMM_OFFER_NORMAL, 0, &shown.rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_reclaim(&selection, NULL, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(vidmm_reclaim(&selection, discarded, &shown.rig.report), STATUS_SUCCESS);
    assert_false(discarded[0] || discarded[1]);
    three_use(&shown, 0);
    three_use(&shown, 1);
    shown_finish(&shown);
}

/* A command buffer names two of three with an OfferPriority: both are there while it runs, whoever
 * wants their memory, and are offered when it is done; the gladlier one goes. */
static void offer_by_list(uint32_t first, uint32_t second, uint32_t gone)
{
    struct shown shown;
    struct softgpu_touch nothing = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(0)}};
    struct vidmm_render_reference list[2];
    struct vidmm_allocation *handles[2];
    uint64_t value;
    void *data;

    three_begin(&shown);
    three_use(&shown, 0);
    three_use(&shown, 1);
    for (uint32_t i = 0; i < 2; i++) {
        handles[i] = shown.rig.allocations[i].handle;
        list[i] = (struct vidmm_render_reference){.allocation = handles[i],
                                                  .offer_priority = i == 0 ? first : second};
    }
    assert_int_equal(vidmm_render(shown.rig.context, &nothing, sizeof(nothing), list, 2, true,
                                  &value, &shown.rig.report),
                     STATUS_SUCCESS);
    shown_refused(&shown,
                  vidmm_render(shown.rig.context, &nothing, sizeof(nothing), list, 1, true, &value,
                               &shown.rig.report),
                  first != 0 ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS,
                  first != 0 ? "D-211" : "");
    assert_int_equal(vidmm_context_wait(shown.rig.context, value), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(handles[1], 0, &data, NULL),
                     second != 0 ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS);
    if (second == 0)
        assert_int_equal(vidmm_unlock(handles[1]), STATUS_SUCCESS);
    three_use(&shown, 2);
    assert_int_equal(three_where(&shown, gone), VIDMM_NOT_RESIDENT);
    assert_int_equal(three_where(&shown, 1 - gone), VIDMM_RESIDENT_IN_GPU);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(three_reclaim(&shown, i), i == gone);
    three_use(&shown, 0);
    three_use(&shown, 1);
    shown_finish(&shown);
}

void shows_D_272(void **state)
{
    struct shown shown;
    struct softgpu_touch nothing = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(0)}};
    struct vidmm_render_reference five = {.offer_priority = 5};
    uint64_t value;

    (void)state;
    offer_by_list(VIDMM_OFFER_LOW, VIDMM_OFFER_HIGH, 0);
    offer_by_list(VIDMM_OFFER_HIGH, VIDMM_OFFER_NORMAL, 1);
    offer_by_list(0, VIDMM_OFFER_HIGH, 1); /* NONE: not offered */
    three_begin(&shown);
    five.allocation = shown.rig.allocations[0].handle;
    shown_refused(&shown,
                  vidmm_render(shown.rig.context, &nothing, sizeof(nothing), &five, 1, true, &value,
                               &shown.rig.report),
                  STATUS_INVALID_PARAMETER, "D-272");
    shown_finish(&shown);
}
