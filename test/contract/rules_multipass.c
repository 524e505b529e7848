/* rules_multipass.c: the rules of multipass.def, broken and kept. */
#include "rig.h"

/* A transfer that ran out of room after 4000 bytes; MultipassOffset is as the KMD left it. */
static DXGKARG_BUILDPAGINGBUFFER run_out(struct rig *rig, struct rig_allocation *allocation)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE);

    rig_answer(rig, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 4000, 0x1234);
    assert_int_equal(rig_build(rig, asked), STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
    asked.MultipassOffset = 0x1234;
    return asked;
}

static void given_up(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    run_out(rig, allocation);
    rig_page(rig);
    rig_build(rig, rig_fill(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_012), 1);
    rig_page(rig);
    rig_close(rig, allocation);
    rig_destroy(rig, allocation);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_012), 2);
}

static void other_members(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = run_out(rig, rig_simple(rig));

    rig_page(rig);
    asked.Transfer.Destination.SegmentAddress.QuadPart += PAGE_SIZE;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_012), 3);
    rig_page(rig);
}

void breaks_S4_012(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked;

    given_up(rig);
    other_members(rig);
    asked = run_out(rig, rig_simple(rig));
    rig_flush(rig);
    rig_build(rig, asked); /* in what is left of the same buffer */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_012), 4);
    rig_page(rig);
    for (int i = 0; i < RIG_BUFFERS; i++) { /* all three submitted, none complete */
        rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY,
                                RIG_MEMORY_BASE + 0x100000 * (uint64_t)(i + 1)));
        rig_flush(rig);
        rig_new_buffer(rig);
    }
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x900000));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_012), 5);
}

/* Three passes; meanwhile something that does not touch the allocation; the first buffer again when
 * its fence is complete. */
void keeps_S4_012(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = run_out(rig, rig_simple(rig));
    UINT fence = rig_flush(rig);

    rig_new_buffer(rig);
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_answer(rig, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 3000, 0x2345);
    rig_build(rig, asked);
    asked.MultipassOffset = 0x2345;
    rig_flush(rig);
    rig_new_buffer(rig);
    rig_complete(rig, RIG_PAGING_NODE, fence);
    rig_build(rig, asked);
    rig_flush(rig);
    rig_new_buffer(rig); /* the first one */
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x200000));
    rig_page(rig);
}

void breaks_S4_013(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = run_out(rig, rig_simple(rig));

    rig_new_buffer(rig); /* and nothing of the first one is submitted */
    rig_build(rig, asked);
    rig_flush(rig);
}

void keeps_S4_013(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = run_out(rig, rig_simple(rig));

    rig_flush(rig);
    rig_new_buffer(rig);
    rig_build(rig, asked);
    rig_flush(rig);
}

void breaks_S4_015(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_in(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE);

    asked.MultipassOffset = 1;
    rig_build(rig, asked);
}

void keeps_S4_015(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = run_out(rig, rig_simple(rig));

    rig_page(rig);
    rig_build(rig, asked); /* the second pass, with what is left there */
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_page(rig);
}

void breaks_S4_016(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = run_out(rig, rig_simple(rig));

    rig_page(rig);
    asked.MultipassOffset = 0;
    rig_build(rig, asked);
}

void keeps_S4_016(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = run_out(rig, rig_simple(rig));

    rig_page(rig);
    rig_build(rig, asked);
    rig_page(rig);
}
