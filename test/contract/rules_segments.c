/* rules_segments.c: the rules of segments.def, broken and kept. */
#include "rig.h"

void breaks_D_004(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_allow(rig, VIDMM_RULE_S4_030); /* a segment that does not exist is no memory segment */
    rig_allow(rig, VIDMM_RULE_S1_009); /* nor in a set */
    rig_build(rig, rig_fill(allocation, RIG_SEGMENTS + 1, 0));
}

void keeps_D_004(struct rig *rig)
{
    struct rig_allocation *last =
        rig_allocate(rig, 4096, RIG_SET(RIG_SEGMENTS), RIG_SET(RIG_SEGMENTS), 0);

    rig_build(rig, rig_fill(last, RIG_SEGMENTS, RIG_OTHER_BASE));
    rig_page(rig);
    rig_page_in(rig, rig_simple(rig), 0); /* from segment 0 */
}

void breaks_D_007(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked;

    rig_build(rig, rig_transfer_in(allocation, RIG_MEMORY, 0x20000)); /* the bare offset */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_007), 1);
    asked = rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE + RIG_SEGMENT_SIZE - 4096);
    rig_build(rig, asked); /* begins inside, ends outside */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_007), 2);
    rig_build(rig, rig_discard(allocation, RIG_MEMORY, RIG_MEMORY_BASE - 1));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_007), 3);
    asked = (DXGKARG_BUILDPAGINGBUFFER){.Operation = DXGK_OPERATION_WRITE_PHYSICAL};
    asked.WritePhysical.SegmentId = RIG_APERTURE;
    asked.WritePhysical.PhysicalAddress.QuadPart = 0x1000;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_007), 4);
    asked.Operation = DXGK_OPERATION_READ_PHYSICAL;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_007), 5);
}

void keeps_D_007(struct rig *rig)
{
    struct rig_allocation *last = rig_simple(rig), *first = rig_simple(rig);

    rig_page_in(rig, last, RIG_SEGMENT_SIZE - last->size); /* up to the last byte */
    rig_page_in(rig, first, 0);
    rig_render(rig, last, RIG_MEMORY, RIG_MEMORY_BASE + RIG_SEGMENT_SIZE - last->size);
}

void breaks_S1_009(struct rig *rig)
{
    struct rig_allocation *allocation =
        rig_allocate(rig, 4096, RIG_SET(RIG_OTHER_MEMORY), RIG_SET(RIG_OTHER_MEMORY), 0);
    DXGK_ALLOCATIONLIST list[1];
    DXGKARG_PATCH patch;

    /* bit 2, of segment 3, taken as the identifier 2 */
    rig_build(rig, rig_fill(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S1_009), 1);
    rig_page(rig);
    list[0] = rig_reference(allocation, RIG_MEMORY, RIG_MEMORY_BASE, false);
    patch = rig_dma_patch(rig, list, 1);
    rig_patch(rig, &patch);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S1_009), 2);
}

/* Through an aperture that only the eviction set names, on the way out. */
void keeps_S1_009(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked;

    rig_page_in(rig, allocation, 0);
    rig_map_in(rig, allocation, 16);
    asked = rig_transfer_out(allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    asked.Transfer.Destination.SegmentId = RIG_APERTURE;
    asked.Transfer.Destination.SegmentAddress.QuadPart = RIG_APERTURE_BASE + 16 * PAGE_SIZE;
    rig_build(rig, asked);
    rig_page(rig);
    rig_build(rig, rig_unmap(rig, allocation, 16));
    rig_page(rig);
}

void breaks_S1_011(struct rig *rig)
{
    struct rig_allocation *allocation =
        rig_allocate(rig, 4096, RIG_SET(RIG_MEMORY), RIG_SET(RIG_OTHER_MEMORY), 0);

    rig_page_in(rig, allocation, 0);
    rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE); /* this writes */
}

void keeps_S1_011(struct rig *rig)
{
    struct rig_allocation *allocation =
        rig_allocate(rig, 4096, RIG_SET(RIG_MEMORY), RIG_SET(RIG_OTHER_MEMORY), 0);
    DXGK_ALLOCATIONLIST list[1] = {rig_reference(allocation, RIG_MEMORY, RIG_MEMORY_BASE, false)};
    DXGKARG_PATCH patch;

    rig_page_in(rig, allocation, 0);
    patch = rig_dma_patch(rig, list, 1); /* this reads */
    rig_patch(rig, &patch);
}
