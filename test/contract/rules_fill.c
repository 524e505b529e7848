/* rules_fill.c: the rules of fill.def, broken and kept. */
#include "rig.h"

void breaks_S4_029(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    rig_build(rig, rig_fill(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
}

void keeps_S4_029(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    rig_complete(rig, RIG_RENDER_NODE, rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    rig_build(rig, rig_fill(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
}

void breaks_S4_030(struct rig *rig)
{
    UINT both = RIG_SET(RIG_MEMORY) | RIG_SET(RIG_APERTURE);
    struct rig_allocation *allocation = rig_allocate(rig, 8192, both, both, 0);

    rig_build(rig, rig_fill(allocation, RIG_APERTURE, RIG_APERTURE_BASE));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_030), 1);
    rig_build(rig, rig_fill(allocation, 0, 0)); /* system memory */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_030), 2);
}

void keeps_S4_030(struct rig *rig)
{
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig_page(rig);
}

static struct rig_allocation *discard(struct rig *rig, bool idle)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked;

    rig_page_in(rig, allocation, 0);
    asked = rig_discard(allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    asked.DiscardContent.Flags.AllocationIsIdle = idle;
    rig_answer(rig, STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0);
    assert_int_equal(rig_build(rig, asked), STATUS_GRAPHICS_ALLOCATION_BUSY);
    return allocation;
}

void breaks_S4_032(struct rig *rig)
{
    discard(rig, true);
}

void keeps_S4_032(struct rig *rig)
{
    discard(rig, false);
}

void breaks_S4_033(struct rig *rig)
{
    struct rig_allocation *allocation = discard(rig, false);
    DXGKARG_BUILDPAGINGBUFFER asked = rig_discard(allocation, RIG_MEMORY, RIG_MEMORY_BASE);

    rig_build(rig, asked); /* the flag is forgotten */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_033), 1);
    rig_page_in(rig, allocation, 0);
    rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    asked.DiscardContent.Flags.AllocationIsIdle = 1;
    rig_build(rig, asked); /* it is not true */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_033), 2);
}

void keeps_S4_033(struct rig *rig)
{
    struct rig_allocation *allocation = discard(rig, false);
    DXGKARG_BUILDPAGINGBUFFER asked = rig_discard(allocation, RIG_MEMORY, RIG_MEMORY_BASE);

    asked.DiscardContent.Flags.AllocationIsIdle = 1;
    rig_build(rig, asked);
    rig_page(rig);
}
