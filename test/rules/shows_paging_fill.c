/* shows_paging_fill.c: paging-fill.def, obeyed. */
#include "rules_rig.h"

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
