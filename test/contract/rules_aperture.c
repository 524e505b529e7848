/* rules_aperture.c: the rules of aperture.def, broken and kept. */
#include "rig.h"
#include "rig_virtual.h"

static struct rig_allocation *in_aperture(struct rig *rig)
{
    UINT both = RIG_SET(RIG_MEMORY) | RIG_SET(RIG_APERTURE);

    return rig_allocate(rig, 0x10000, both, both, RIG_SET(RIG_APERTURE));
}

/* Map for eviction, and build the transfer through that range. */
static void evict(struct rig *rig, struct rig_allocation *allocation)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_transfer_out(allocation, RIG_MEMORY, RIG_MEMORY_BASE);

    rig_page_in(rig, allocation, 0);
    rig_map_in(rig, allocation, 16);
    asked.Transfer.Destination.SegmentId = RIG_APERTURE;
    asked.Transfer.Destination.SegmentAddress.QuadPart = RIG_APERTURE_BASE + 16 * PAGE_SIZE;
    rig_build(rig, asked);
}

void breaks_S4_043(struct rig *rig)
{
    struct rig_allocation *allocation = in_aperture(rig), *mapped = in_aperture(rig);

    evict(rig, allocation);
    rig_build(rig, rig_unmap(rig, allocation, 16)); /* before the transfer is submitted */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_043), 1);
    rig_page(rig);

    evict(rig, allocation);
    rig_flush(rig);
    rig_build(rig, rig_unmap(rig, allocation, 16)); /* before its fence */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_043), 2);
    rig_page(rig);

    rig_map_in(rig, mapped, 100);
    rig_render(rig, mapped, RIG_APERTURE, RIG_APERTURE_BASE + 100 * PAGE_SIZE);
    rig_build(rig, rig_unmap(rig, mapped, 100)); /* while it is rendered from */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_043), 3);

    rig_build(rig, rig_map(rig, mapped, 0x3000000 / PAGE_SIZE)); /* over the DMA buffer */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_043), 4);
}

void keeps_S4_043(struct rig *rig)
{
    struct rig_allocation *allocation = in_aperture(rig), *mapped = in_aperture(rig);
    UINT fence;

    rig_map_in(rig, mapped, 100);
    fence = rig_render(rig, mapped, RIG_APERTURE, RIG_APERTURE_BASE + 100 * PAGE_SIZE);
    evict(rig, allocation); /* elsewhere in the aperture */
    rig_page(rig);
    rig_build(rig, rig_unmap(rig, allocation, 16));
    rig_page(rig);
    rig_complete(rig, RIG_RENDER_NODE, fence);
    rig_leave_context(rig);
    rig_build(rig, rig_unmap(rig, mapped, 100));
    rig_page(rig);
    evict(rig, allocation);
    rig_page(rig);
    rig_map_in(rig, allocation, 200); /* it is wanted again */
    fence = rig_render(rig, allocation, RIG_APERTURE, RIG_APERTURE_BASE + 200 * PAGE_SIZE);
    rig_build(rig, rig_unmap(rig, allocation, 16)); /* where it went through, and not where it is */
    rig_page(rig);
    rig_complete(rig, RIG_RENDER_NODE, fence);
}

void breaks_S4_044(struct rig *rig)
{
    struct rig_allocation *allocation = in_aperture(rig);
    DXGKARG_BUILDPAGINGBUFFER asked;

    rig_map_in(rig, allocation, 16);
    asked = rig_unmap(rig, allocation, 16);
    asked.UnmapApertureSegment.NumberOfPages++; /* one page too many */
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_044), 1);
    rig_build(rig, rig_unmap(rig, allocation, 16)); /* once more */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_S4_044), 2);
}

/* In parts, from the middle, and two mappings at once. */
void keeps_S4_044(struct rig *rig)
{
    struct rig_allocation *first = in_aperture(rig), *second = in_aperture(rig);
    DXGKARG_BUILDPAGINGBUFFER asked;

    rig_map_in(rig, first, 16);
    rig_map_in(rig, second, 32);
    asked = rig_unmap(rig, first, 20);
    asked.UnmapApertureSegment.NumberOfPages = 4;
    rig_build(rig, asked);
    asked.UnmapApertureSegment.OffsetInPages = 16;
    rig_build(rig, asked);
    asked.UnmapApertureSegment.OffsetInPages = 24;
    asked.UnmapApertureSegment.NumberOfPages = 24;
    rig_build(rig, asked);
    rig_page(rig);
    rig_answer(rig, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 64, 7);
    rig_build(rig, rig_map(rig, first, 64)); /* a reset finds it half done */
    rig->driver->DxgkDdiResetFromTimeout(rig->adapter);
    rig_new_buffer(rig);
    rig_build(rig, rig_unmap(rig, first, 64));
    rig->driver->DxgkDdiRestartFromTimeout(rig->adapter);
    rig_page(rig);
}

void breaks_D_097(struct rig *rig)
{
    struct rig_allocation *allocation = in_aperture(rig);
    DXGKARG_BUILDPAGINGBUFFER good = rig_map(rig, allocation, 16), asked = good;
    uint64_t found = 0;

    asked.MapApertureSegment.SegmentId = RIG_MEMORY;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_097), ++found);
    asked = good;
    asked.MapApertureSegment.OffsetInPages = 16 * PAGE_SIZE; /* bytes */
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_097), ++found);
    asked = good;
    asked.MapApertureSegment.NumberOfPages = 0;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_097), ++found);
    asked = good;
    asked.MapApertureSegment.MdlOffset = 1; /* one page more than the MDL has */
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_097), ++found);
    asked = good;
    asked.MapApertureSegment.pMdl = NULL;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_097), ++found);
    asked = good;
    asked.MapApertureSegment.hAllocation = allocation->open; /* a handle of another kind */
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_097), ++found);
    asked = good;
    asked.MapApertureSegment.hDevice = rig->context;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_097), ++found);
}

/* An allocation; the last pages; a DMA buffer, which has no allocation and no device. */
void keeps_D_097(struct rig *rig)
{
    struct rig_allocation *allocation = in_aperture(rig);
    DXGKARG_BUILDPAGINGBUFFER asked = rig_map(rig, allocation, 16);
    MDL *mdl = rig_new_mdl(4);

    rig_build(rig, asked);
    asked.MapApertureSegment.hAllocation = NULL;
    asked.MapApertureSegment.hDevice = NULL;
    asked.MapApertureSegment.OffsetInPages = RIG_SEGMENT_SIZE / PAGE_SIZE - 8;
    asked.MapApertureSegment.NumberOfPages = 3;
    asked.MapApertureSegment.pMdl = mdl;
    asked.MapApertureSegment.MdlOffset = 1;
    rig_build(rig, asked);
    rig_page(rig);
    free(mdl);
}

void breaks_D_098(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_map(rig, in_aperture(rig), 16);

    asked.MapApertureSegment.Flags.Reserved = 1;
    rig_build(rig, asked);
}

void keeps_D_098(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_map(rig, in_aperture(rig), 16);

    asked.MapApertureSegment.Flags.CacheCoherent = 1;
    rig_build(rig, asked);
    rig_page(rig);
}

/* A mapping of WDDM 2.9 by a list of as many pages as the allocation has. */
static DXGKARG_BUILDPAGINGBUFFER by_list(struct rig *rig, struct rig_allocation **allocation)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT2};

    rig_stop(rig);
    rig_start(rig, DXGKDDI_INTERFACE_VERSION_WDDM2_9, NULL);
    rig->paging_segment = RIG_APERTURE;
    rig_query_mmu(rig); /* its segments, too */
    rig_have_no_page_tables(rig);
    *allocation = in_aperture(rig);
    asked.MapApertureSegment2.hDevice = rig->device;
    asked.MapApertureSegment2.hAllocation = (*allocation)->handle;
    asked.MapApertureSegment2.SegmentId = RIG_APERTURE;
    asked.MapApertureSegment2.OffsetInPages = 16;
    asked.MapApertureSegment2.NumberOfPages = 16;
    asked.MapApertureSegment2.Adl.PageCount = 16;
    asked.MapApertureSegment2.Adl.Flags.Contiguous = 1;
    asked.MapApertureSegment2.Adl.BasePageNumber = 0x12345678;
    return asked;
}

void breaks_D_102(struct rig *rig)
{
    struct rig_allocation *allocation;
    DXGKARG_BUILDPAGINGBUFFER good = by_list(rig, &allocation), asked = good;

    asked.MapApertureSegment2.AdlOffset = 1; /* one page more than the list has */
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_102), 1);
    asked.MapApertureSegment2.AdlOffset = PAGE_SIZE; /* bytes */
    asked.MapApertureSegment2.NumberOfPages = 1;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_102), 2);
}

/* All of it, and the end of it; what was mapped by a list is unmapped as ever. */
void keeps_D_102(struct rig *rig)
{
    struct rig_allocation *allocation;
    DXGKARG_BUILDPAGINGBUFFER asked = by_list(rig, &allocation);

    rig_build(rig, asked);
    rig_page(rig);
    rig_build(rig, rig_unmap(rig, allocation, 16));
    rig_page(rig);
    asked.MapApertureSegment2.hAllocation = NULL;
    asked.MapApertureSegment2.hDevice = NULL;
    asked.MapApertureSegment2.AdlOffset = 12;
    asked.MapApertureSegment2.NumberOfPages = 4;
    rig_build(rig, asked);
    rig_page(rig);
}
