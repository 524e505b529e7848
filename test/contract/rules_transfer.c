/* rules_transfer.c: the rules of transfer.def, broken and kept. */
#include "rig.h"

/* Pages `first` up to `end` of an allocation of 16 pages, to segment 2. */
static DXGKARG_BUILDPAGINGBUFFER part(const struct rig_allocation *allocation, UINT first, UINT end)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE);

    asked.Transfer.TransferOffset = first * PAGE_SIZE;
    asked.Transfer.TransferSize = (end - first) * PAGE_SIZE;
    asked.Transfer.MdlOffset = first;
    asked.Transfer.Flags.TransferStart = first == 0;
    asked.Transfer.Flags.TransferEnd = end == 16;
    return asked;
}

void breaks_S4_017(struct rig *rig)
{
    struct rig_allocation *gap = rig_simple(rig), *less = rig_simple(rig), *more = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked;

    rig_build(rig, part(gap, 0, 4));
    rig_build(rig, part(gap, 6, 16));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_017), 1);
    rig_build(rig, part(less, 0, 4));
    asked = part(less, 4, 8);
    asked.Transfer.Flags.TransferEnd = 1;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_017), 2);
    rig_allow(rig, VIDMM_RULE_D_071); /* its MDL has no more either */
    rig_build(rig, part(more, 0, 17));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_017), 3);
    rig_allow(rig, VIDMM_RULE_S4_019);
}

/* In four parts; as it is reported, not in whole pages; a page of what has permanent backing. */
void keeps_S4_017(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig), *odd, *permanent;
    DXGKARG_BUILDPAGINGBUFFER asked;

    for (UINT i = 0; i < 16; i += 4)
        rig_build(rig, part(allocation, i, i + 4));
    odd = rig_allocate(rig, 5000, RIG_SET(RIG_MEMORY), RIG_SET(RIG_MEMORY), 0);
    asked = rig_transfer_in(odd, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000);
    asked.Transfer.TransferSize = 5000;
    rig_build(rig, asked);
    rig->info.Flags.PermanentSysMem = 1;
    permanent = rig_simple(rig);
    rig_build(rig, rig_transfer_in(permanent, RIG_MEMORY, RIG_MEMORY_BASE + 0x200000));
    rig_page(rig);
    asked = rig_transfer_in(permanent, RIG_MEMORY, RIG_MEMORY_BASE + 0x200000);
    asked.Transfer.TransferOffset = 3 * PAGE_SIZE;
    asked.Transfer.MdlOffset = 3;
    asked.Transfer.TransferSize = PAGE_SIZE;
    rig_build(rig, asked);
    rig_page(rig);
}

void breaks_S4_018(struct rig *rig)
{
    struct rig_allocation *no_start = rig_simple(rig), *no_end = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked = part(no_start, 0, 4);

    asked.Transfer.Flags.TransferStart = 0;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_018), 1);
    rig_build(rig, part(no_start, 4, 16));
    rig_build(rig, part(no_end, 0, 8));
    asked = part(no_end, 8, 16);
    asked.Transfer.Flags.TransferEnd = 0;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_018), 2);
}

void keeps_S4_018(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_build(rig, part(allocation, 0, 1));
    rig_build(rig, part(allocation, 1, 15));
    rig_build(rig, part(allocation, 15, 16));
    rig_page(rig);
}

void breaks_S4_019(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE);

    asked.Transfer.Flags.TransferStart = 0;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_019), 1);
    asked = rig_transfer_in(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE + 0x100000);
    asked.Transfer.Flags.TransferEnd = 0;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_019), 2);
}

/* A single piece that needs three buffers carries both flags on every pass. */
void keeps_S4_019(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE);

    for (UINT pass = 1; pass < 3; pass++) {
        rig_answer(rig, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 4000, pass);
        rig_build(rig, asked);
        rig_page(rig);
        asked.MultipassOffset = pass;
    }
    rig_build(rig, asked);
    rig_page(rig);
}

void breaks_S4_020(struct rig *rig)
{
    struct rig_allocation *first = rig_simple(rig), *second = rig_simple(rig);

    rig_build(rig, part(first, 0, 8));
    rig_build(rig, rig_transfer_in(second, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_allow(rig, VIDMM_RULE_S4_017);
    rig_allow(rig, VIDMM_RULE_S4_018);
    rig_build(rig, part(first, 8, 16));
}

/* An operation that is no transfer may come between the parts. */
void keeps_S4_020(struct rig *rig)
{
    struct rig_allocation *first = rig_simple(rig), *second = rig_simple(rig);

    rig_build(rig, part(first, 0, 8));
    rig_build(rig, rig_fill(second, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_build(rig, part(first, 8, 16));
    rig_build(rig, rig_transfer_out(second, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000));
    rig_page(rig);
}

/* An eviction that the KMD answers busy. */
static struct rig_allocation *busy(struct rig *rig, bool idle, DXGKARG_BUILDPAGINGBUFFER *asked)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig_page_in(rig, allocation, 0);
    *asked = rig_transfer_out(allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    asked->Transfer.Flags.AllocationIsIdle = idle;
    rig_answer(rig, STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0x77);
    assert_int_equal(rig_build(rig, *asked), STATUS_GRAPHICS_ALLOCATION_BUSY);
    asked->MultipassOffset = 0x77;
    return allocation;
}

void breaks_S4_023(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked;

    busy(rig, true, &asked);
}

void keeps_S4_023(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked;

    busy(rig, false, &asked);
}

void breaks_S4_024(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked;
    struct rig_allocation *allocation = busy(rig, false, &asked);
    UINT fence;

    rig_build(rig, asked); /* the flag is forgotten */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_024), 1);
    rig_page(rig);
    rig_page_in(rig, allocation, 0);
    fence = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    rig_leave_context(rig);
    asked.MultipassOffset = 0;
    rig_answer(rig, STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0);
    rig_build(rig, asked);
    asked.Transfer.Flags.AllocationIsIdle = 1; /* while a DMA buffer refers to it */
    rig_allow(rig, VIDMM_RULE_S4_026);
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_024), 2);
    rig_complete(rig, RIG_RENDER_NODE, fence);
    rig_page(rig);
    rig_build(rig, rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    asked.Transfer.Flags.AllocationIsIdle = 0;
    rig_answer(rig, STATUS_GRAPHICS_ALLOCATION_BUSY, 0, 0);
    rig_build(rig, asked);
    rig_flush(rig);
    asked.Transfer.Flags.AllocationIsIdle = 1; /* while a paging buffer refers to it */
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_024), 3);
}

/* Operations that do not touch it may go on meanwhile. */
void keeps_S4_024(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked;
    struct rig_allocation *allocation = rig_simple(rig);
    UINT fence;

    busy(rig, false, &asked);
    rig_page_in(rig, allocation, 0x100000);
    fence = rig_render(rig, allocation, RIG_MEMORY, RIG_MEMORY_BASE + 0x100000);
    asked.Transfer.Flags.AllocationIsIdle = 1;
    rig_build(rig, asked);
    rig_page(rig);
    rig_complete(rig, RIG_RENDER_NODE, fence);
}

static struct rig_allocation *victim;

static void submit_victim(struct rig *rig)
{
    rig_render(rig, victim, RIG_MEMORY, RIG_MEMORY_BASE);
}

void breaks_S4_026(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked;

    victim = rig_simple(rig);
    rig_page_in(rig, victim, 0);
    asked = rig_transfer_out(victim, RIG_MEMORY, RIG_MEMORY_BASE);
    asked.Transfer.Flags.AllocationIsIdle = 1;
    rig->during = submit_victim;
    rig_allow(rig, VIDMM_RULE_D_078); /* the same class */
    rig_allow(rig, VIDMM_RULE_D_085);
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_026), 1);
}

void keeps_S4_026(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked;

    victim = rig_simple(rig);
    rig_page_in(rig, victim, 0);
    rig_complete(rig, RIG_RENDER_NODE, rig_render(rig, victim, RIG_MEMORY, RIG_MEMORY_BASE));
    rig_leave_context(rig);
    asked = rig_transfer_out(victim, RIG_MEMORY, RIG_MEMORY_BASE);
    asked.Transfer.Flags.AllocationIsIdle = 1;
    rig_answer(rig, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 4000, 2);
    rig_build(rig, asked);
    rig_flush(rig); /* its own first pass is no reference */
    rig_new_buffer(rig);
    asked.MultipassOffset = 2;
    rig_build(rig, asked);
    rig_page(rig);
}

void breaks_D_070(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked = part(allocation, 0, 4);

    rig_build(rig, asked);
    asked = part(allocation, 4, 8);
    asked.Transfer.MdlOffset = 0; /* counted on TransferOffset */
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_070), 1);
    asked = part(allocation, 8, 12);
    asked.Transfer.Destination.SegmentAddress.QuadPart += 8 * PAGE_SIZE; /* added twice */
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_070), 2);
    asked = part(allocation, 12, 16);
    rig_answer(rig, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 3000, 2);
    rig_build(rig, asked);
    rig_page(rig);
    asked.Transfer.TransferOffset += 2 * PAGE_SIZE; /* on the second pass */
    asked.MultipassOffset = 2;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_070), 3);
}

/* One MDL for all; an MDL for each part; out and in. */
void keeps_D_070(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked;
    MDL *mdl = rig_new_mdl(8);

    rig_build(rig, part(allocation, 0, 8));
    rig_build(rig, part(allocation, 8, 16));
    for (UINT first = 0; first < 16; first += 8) {
        asked = part(allocation, first, first + 8);
        asked.Transfer.Source.SegmentId = RIG_MEMORY;
        asked.Transfer.Source.SegmentAddress.QuadPart = (LONGLONG)RIG_MEMORY_BASE;
        asked.Transfer.Destination.SegmentId = 0;
        asked.Transfer.Destination.pMdl = allocation->mdl;
        rig_build(rig, asked);
    }
    rig_build(rig, part(allocation, 0, 8));
    asked = part(allocation, 8, 16);
    asked.Transfer.Source.pMdl = mdl;
    asked.Transfer.MdlOffset = 0;
    rig_build(rig, asked);
    rig_page(rig);
    free(mdl);
}

void breaks_D_071(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked = part(allocation, 0, 4);

    rig_build(rig, asked);
    asked = part(allocation, 4, 16);
    asked.Transfer.MdlOffset = 4 * PAGE_SIZE; /* bytes */
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_071), 1);
    asked = rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    asked.Transfer.Source.pMdl = NULL;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_071), 2);
}

void keeps_D_071(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    MDL *larger = rig_new_mdl(20);

    asked.Transfer.Source.pMdl = larger;
    asked.Transfer.MdlOffset = 4;
    rig_build(rig, asked);
    rig_page(rig);
    free(larger);
}

void breaks_D_072(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE);

    asked.Transfer.Flags.Reserved = 1;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_072), 1);
    asked = rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    asked.Transfer.Flags.Swizzle = 1;
    asked.Transfer.Flags.Unswizzle = 1;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_072), 2);
}

void keeps_D_072(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_in(allocation, RIG_MEMORY, RIG_MEMORY_BASE);

    asked.Transfer.Flags.Swizzle = 1;
    rig_build(rig, asked);
    asked = rig_transfer_out(allocation, RIG_MEMORY, RIG_MEMORY_BASE);
    asked.Transfer.Flags.Unswizzle = 1;
    rig_build(rig, asked);
    rig_page(rig);
}
