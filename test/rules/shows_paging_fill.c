/* shows_paging_fill.c: paging-fill.def, obeyed. */
#include "hang.h"

void shows_S4_028(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *a, *b;
    struct shown shown;
    size_t first, again;

    (void)state;
    shown_init(&shown, &options, NULL);
    a = shown_create(&shown, 0, 40, 1);
    b = shown_create(&shown, 1, 40, 1);
    shown_use_one(&shown, a, true);
    first = shown_next_paging(&shown, 0, a, VIDMM_FILL);
    assert_true(first != SIZE_MAX);
    assert_true(shown_next_paging(&shown, 0, a, VIDMM_TRANSFER) == SIZE_MAX);
    again = shown.operation_count;
    shown_use_one(&shown, b, true);
    shown_use_one(&shown, a, false); /* it has content by now */
    assert_true(shown_next_paging(&shown, again, a, VIDMM_FILL) == SIZE_MAX);
    assert_true(shown_next_paging(&shown, again, a, VIDMM_TRANSFER) != SIZE_MAX);
    shown_finish(&shown);
}

/* The memory segment is poisoned before the fill: the pattern stands in FillSize bytes from the
 * destination on, and in no other. */
void shows_D_262(void **state)
{
    struct rig_options options = rig_defaults();
    const DXGKARG_BUILDPAGINGBUFFER *fill;
    struct vidmm_segment_info segment;
    struct rig_allocation *a;
    struct shown shown;
    unsigned char *bytes;
    uint64_t start;

    (void)state;
    options.gpu = "execute none\n";
    shown_init(&shown, &options, NULL);
    vidmm_adapter_segment(shown.rig.adapter, 2, &segment);
    bytes = vidmm_machine_memory(shown.rig.machine, segment.cpu_translated_address, segment.size);
    memset(bytes, 0xa5, segment.size);
    a = shown_create(&shown, 0, 3, 1);
    assert_int_equal(rig_render(&shown.rig, &a, 1, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    fill = shown_build_of(&shown, shown_next_paging(&shown, 0, a, VIDMM_FILL));
    assert_int_equal(fill->Fill.FillSize, 3 * VIDMM_PAGE_SIZE);
    start = (uint64_t)fill->Fill.Destination.SegmentAddress.QuadPart - segment.base_address;
    for (uint64_t at = 0; at < segment.size; at++) {
        bool inside = at - start < fill->Fill.FillSize;

        assert_int_equal(bytes[at], inside ? (fill->Fill.FillPattern >> at % 4 * 8 & 0xff) : 0xa5);
    }
    shown_finish(&shown);
}

/* A DMA buffer that names an allocation and has no patch location for it, so it may run while the
 * allocation is nowhere. */
static void name_without_place(struct shown *shown, struct rig_allocation *allocation)
{
    struct softgpu_touch touch = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(0)},
                                  .seed = RIG_SEED};
    const struct vidmm_render_reference list[2] = {{.allocation = NULL},
                                                   {.allocation = allocation->handle}};

    assert_int_equal(vidmm_render(shown->rig.context, &touch, sizeof(touch), list, 2, true,
                                  &shown->rig.value, &shown->rig.report),
                     STATUS_SUCCESS);
}

static bool reports(const struct shown_call *call, UINT fence)
{
    const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data = (const void *)call->argument.bytes;

    return call->ddi == VIDMM_DDI_NOTIFY_INTERRUPT &&
           data->InterruptType == DXGK_INTERRUPT_DMA_COMPLETED &&
           data->DmaCompleted.SubmissionFenceId == fence;
}

/* One that names it hangs until it is preempted; the other one needs the allocation. The fill is
 * asked for when the first has ended, though paging has a node of its own. */
void shows_S4_029(void **state)
{
    struct rig_options options = hang_options("hang 0 1 preemptible\n");
    struct rig_allocation *a;
    struct shown shown;
    size_t fill, named, ended;
    UINT fence;

    (void)state;
    shown_init(&shown, &options, NULL);
    a = shown_create(&shown, 0, 16, 1);
    name_without_place(&shown, a);
    assert_int_equal(rig_render(&shown.rig, &a, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    shown_settle(&shown);
    assert_true(shown_next(&shown, 0, VIDMM_DDI_PREEMPT_COMMAND) != SIZE_MAX);
    fill = shown_next_build(&shown, 0, DXGK_OPERATION_FILL);
    assert_true(fill != SIZE_MAX);
    for (named = fill; shown.calls[named].ddi != VIDMM_DDI_SUBMIT_COMMAND ||
                       shown.calls[named].returned || shown_submit(&shown, named)->Flags.Paging;)
        assert_true(named-- > 0);
    fence = shown_submit(&shown, named)->SubmissionFenceId;
    for (ended = named; ended < fill && !reports(&shown.calls[ended], fence);)
        ended++;
    assert_true(ended < fill);
    shown_finish(&shown);
}
