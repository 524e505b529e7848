/* shows_preemption.c: preemption.def, obeyed. */
#include "flag_words.h"
#include "hang.h"

static struct shown shown;

void shows_D_363(void **state)
{
    struct rig_options options = hang_options("hang 0 1\n");
    size_t preempt;

    (void)state;
    shown_init(&shown, &options, NULL);
    hang_render(&shown);
    preempt = shown_next(&shown, 0, VIDMM_DDI_PREEMPT_COMMAND);
    assert_true(preempt < shown_next(&shown, 0, VIDMM_DDI_RESET_FROM_TIMEOUT));
    assert_int_equal(shown.calls[preempt].argument.preempt.NodeOrdinal, 0);
    hang_finish(&shown);
    options.gpu = "hang 0 1\npreemption off\n"; /* as before Windows 8 */
    shown_init(&shown, &options, NULL);
    hang_render(&shown);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_PREEMPT_COMMAND), 0);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_RESET_FROM_TIMEOUT), 1);
    hang_finish(&shown);
}

/* The packets submitted between two calls, by what was submitted before the first, and again
 * after. */
/* One node for all: the packets come back as DMA buffer, paging buffer, DMA buffer. */
static void come_back_in_order(void)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *a[] = {&shown.rig.allocations[0]}, *b[] = {&shown.rig.allocations[1]};
    UINT fences[3] = {0}, again[3] = {0};
    bool paging[3] = {false};
    size_t at, preempt, count = 0;
    char gpu[64];

    options.gpu = "engines render\n";
    shown_init(&shown, &options, NULL);
    snprintf(gpu, sizeof(gpu),
             "engines render\nhang 0 %u preemptible\n", /* after a fill and a use */
             (unsigned)shown_count(&shown, 0, VIDMM_DDI_SUBMIT_COMMAND) + 3);
    shown_finish(&shown);
    options.gpu = gpu;
    options.adapter.timeout_ms = 2000;
    shown_init(&shown, &options, NULL);
    assert_int_equal(rig_create(&shown.rig, a[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(rig_create(&shown.rig, b[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, a, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    assert_int_equal(rig_render(&shown.rig, a, 1, 1), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, b, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    preempt = shown_next(&shown, 0, VIDMM_DDI_PREEMPT_COMMAND);
    assert_true(preempt != SIZE_MAX);
    for (at = preempt; at-- > 0 && count < 3;)
        if (shown.calls[at].ddi == VIDMM_DDI_SUBMIT_COMMAND && !shown.calls[at].returned)
            fences[2 - count++] = shown.calls[at].argument.submit.SubmissionFenceId;
    for (at = preempt, count = 0; count < 3; at++, count++) {
        at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND);
        assert_true(at != SIZE_MAX);
        again[count] = shown.calls[at].argument.submit.SubmissionFenceId;
        paging[count] = shown.calls[at].argument.submit.Flags.Paging;
    }
    assert_true(paging[0] && !paging[1] && !paging[2]);
    assert_int_equal(again[0], fences[1]);
    assert_true(again[1] > fences[2] && again[2] > again[1]);
    shown_finish(&shown);
}

void shows_D_084(void **state)
{
    (void)state;
    come_back_in_order();
}

void shows_D_366(void **state)
{
    struct rig_options options = hang_options("hang 0 3 preemptible\n");
    struct rig_allocation *one[] = {&shown.rig.allocations[0]};
    UINT64 addresses[4] = {0};
    size_t at, preempt, before = 0, again = 0;

    (void)state;
    shown_init(&shown, &options, NULL);
    assert_int_equal(rig_create(&shown.rig, one[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    for (unsigned i = 0; i < 4; i++) /* the third stops the node, the fourth is behind it */
        assert_int_equal(rig_render(&shown.rig, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    preempt = shown_next(&shown, 0, VIDMM_DDI_PREEMPT_COMMAND);
    assert_true(preempt != SIZE_MAX);
    for (at = 0; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++) {
        const DXGKARG_SUBMITCOMMAND *submit = &shown.calls[at].argument.submit;

        if (submit->NodeOrdinal != 0)
            continue;
        if (at < preempt)
            addresses[before++] = (UINT64)submit->DmaBufferPhysicalAddress.QuadPart;
        else
            assert_int_equal(submit->DmaBufferPhysicalAddress.QuadPart, addresses[2 + again++]);
    }
    assert_int_equal(before, 4);
    assert_int_equal(again, 2); /* the third and the fourth, in order, and no other */
    shown_finish(&shown);
}
