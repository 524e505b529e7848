/* shows_submission_switch.c: submission.def, obeyed where what a context uses has to move. */
#include "rules_rig.h"

static struct shown shown;

/* The next packet with ContextSwitch at or behind `from`; SIZE_MAX: there is none. */
static size_t next_switch(size_t from)
{
    from = shown_next(&shown, from, VIDMM_DDI_SUBMIT_COMMAND);
    while (from != SIZE_MAX && !shown_submit(&shown, from)->Flags.ContextSwitch)
        from = shown_next(&shown, from + 1, VIDMM_DDI_SUBMIT_COMMAND);
    return from;
}

/* The next submission of a paging buffer with commands. */
static size_t next_paging(size_t from)
{
    from = shown_next(&shown, from, VIDMM_DDI_SUBMIT_COMMAND);
    while (from != SIZE_MAX && (!shown_submit(&shown, from)->Flags.Paging ||
                                shown_submit(&shown, from)->Flags.ContextSwitch))
        from = shown_next(&shown, from + 1, VIDMM_DDI_SUBMIT_COMMAND);
    return from;
}

/* The record of the interrupt that completes the fence, at or behind `from`. */
static size_t completion_of(size_t from, UINT fence)
{
    union {
        union shown_argument argument;
        DXGKARGCB_NOTIFY_INTERRUPT_DATA data;
    } report;

    for (; (from = shown_next(&shown, from, VIDMM_DDI_NOTIFY_INTERRUPT)) != SIZE_MAX; from++) {
        report.argument = shown.calls[from].argument;
        if (report.data.InterruptType == DXGK_INTERRUPT_DMA_COMPLETED &&
            report.data.DmaCompleted.SubmissionFenceId == fence)
            break;
    }
    return from;
}

/* `a` and then `b` do not fit beside each other. Answers the record of the switch. */
static size_t replace(struct rig_allocation *a, struct rig_allocation *b)
{
    size_t start = shown.call_count, use, leave;

    shown_use_one(&shown, a, true);
    use = shown_next(&shown, start, VIDMM_DDI_SUBMIT_COMMAND);
    while (shown_submit(&shown, use)->Flags.Paging)
        use = shown_next(&shown, use + 1, VIDMM_DDI_SUBMIT_COMMAND);
    start = shown.call_count;
    shown_use_one(&shown, b, true);
    leave = next_switch(start);
    assert_true(leave != SIZE_MAX);
    assert_int_equal(shown_submit(&shown, leave)->hContext, shown_submit(&shown, use)->hContext);
    assert_int_equal(shown_submit(&shown, leave)->NodeOrdinal,
                     shown_submit(&shown, use)->NodeOrdinal);
    assert_int_equal(shown_submit(&shown, leave)->DmaBufferSize, 0);
    assert_int_equal(shown_submit(&shown, leave)->DmaBufferSubmissionStartOffset, 0);
    assert_int_equal(shown_submit(&shown, leave)->DmaBufferSubmissionEndOffset, 0);
    assert_int_equal(next_switch(leave + 1), SIZE_MAX); /* once */
    return leave;
}

/* The copy engine moves what the render engine's context has used: the switch is complete
 * before. */
static void switches_another_node(void)
{
    struct rig_allocation *a, *b, *c;
    size_t leave, move;

    shown_init_gpu(&shown, NULL, NULL);
    a = shown_create(&shown, 0, 40, 1);
    b = shown_create(&shown, 1, 40, 1);
    c = shown_create(&shown, 2, 20, 1);
    leave = replace(a, b);
    assert_int_equal(shown_submit(&shown, leave)->Flags.Paging, 0);
    move = next_paging(leave);
    assert_true(completion_of(leave, shown_submit(&shown, leave)->SubmissionFenceId) < move);
    leave = shown.call_count;
    shown_use_one(&shown, c, true); /* beside b: nothing moves */
    assert_int_equal(next_switch(leave), SIZE_MAX);
    leave = replace(c, a); /* b moves, which the same run has used */
    shown_finish(&shown);
}

/* One node: the refresh went through a paging buffer, the newest packet when the context is
 * left. */
static void switches_behind_paging(void)
{
    struct rig_allocation *a, *b, *permanent;
    size_t start;

    shown_init_gpu(&shown, "engines render\n", NULL);
    a = shown_create(&shown, 0, 40, 1);
    b = shown_create(&shown, 1, 40, 1);
    permanent = shown_create(&shown, 2, 4, 3);
    shown_use_one(&shown, permanent, false); /* filled: the backing store has no copy yet */
    assert_true(rig_lock_and_touch(&shown.rig, permanent, true));
    shown_use_one(&shown, permanent, false);
    shown_use_one(&shown, a, true);
    assert_true(rig_lock_and_touch(&shown.rig, permanent, true));
    shown_settle(&shown);
    start = shown.call_count;
    shown_use_one(&shown, b, true);
    assert_true(shown_submit(&shown, next_switch(start))->Flags.Paging);
    assert_int_equal(shown_submit(&shown, next_switch(start))->DmaBufferSubmissionEndOffset, 0);
    assert_true(next_switch(start) < next_paging(start));
    shown_finish(&shown);
}

/* A driver that knows no contexts sees one, the device: an allocation that one of a program's
 * contexts has used is left behind by a switch, though another has run since. */
static void switches_a_device(void)
{
    struct vidmm_context *first, *second;
    struct rig_allocation *a, *b, *c;
    size_t start;

    shown_init_gpu(&shown, "multi_engine off\npreemption off\n", NULL);
    first = shown.rig.context;
    assert_int_equal(vidmm_context_create(shown.rig.device, 0, NULL, 0, &second, &shown.rig.report),
                     STATUS_SUCCESS);
    a = shown_create(&shown, 0, 30, 1);
    b = shown_create(&shown, 1, 4, 0x41); /* at the end of the segment */
    c = shown_create(&shown, 2, 40, 1);
    shown_use_one(&shown, a, true);
    shown.rig.context = second;
    shown_use_one(&shown, b, true);
    start = shown.call_count;
    shown_use_one(&shown, c, true); /* `a` leaves, which the other context has used */
    assert_true(next_switch(start) < next_paging(start));
    shown.rig.context = first;
    shown_finish(&shown);
}

/* Before Windows 8 the flag does not exist. */
static void switches_nothing(void)
{
    struct rig_allocation *a, *b;

    shown_init_gpu(&shown, "wddm 1.1\n", NULL);
    a = shown_create(&shown, 0, 40, 1);
    b = shown_create(&shown, 1, 40, 1);
    shown_use_one(&shown, a, true);
    shown_use_one(&shown, b, true);
    assert_int_equal(next_switch(0), SIZE_MAX);
    shown_finish(&shown);
}

void shows_D_256(void **state)
{
    (void)state;
    switches_another_node();
    switches_behind_paging();
    switches_a_device();
    switches_nothing();
}
