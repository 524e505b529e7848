/* rules_host_aperture.c: the rules of cpu-host-aperture.def, broken and kept. */
#include "rig_virtual.h"

enum { PAGES = 4 }; /* of the allocation, which stands from page 8 of segment 3 on */

/* Pages that a call may name. */
static UINT32 window[RIG_HOST_PAGES + 1];
static UINT64 memory[RIG_HOST_PAGES + 1];

/* An adapter with physical addresses, and an allocation in the segment that has the aperture. */
static struct rig_allocation *begin(struct rig *rig)
{
    struct rig_allocation *one;
    UINT set = RIG_SET(RIG_OTHER_MEMORY);

    rig_stop(rig);
    rig_start(rig, DXGKDDI_INTERFACE_VERSION_WDDM2_0, NULL);
    rig->paging_segment = RIG_APERTURE;
    rig_query_mmu(rig);
    rig_have_no_page_tables(rig);
    one = rig_allocate(rig, PAGES * PAGE_SIZE, set, set, 0);
    rig_build(rig, rig_transfer_in(one, RIG_OTHER_MEMORY, RIG_OTHER_BASE + 8 * PAGE_SIZE));
    rig_page(rig);
    return one;
}

static DXGKARG_MAPCPUHOSTAPERTURE mapping(const struct rig_allocation *one)
{
    const UINT32 pages[PAGES] = {4, 0, 9, 1}; /* in any order */

    for (UINT i = 0; i < PAGES; i++) {
        window[i] = pages[i];
        memory[i] = 8 + i;
    }
    return (DXGKARG_MAPCPUHOSTAPERTURE){
        .hAllocation = one == NULL ? NULL : one->handle,
        .SegmentId = RIG_OTHER_MEMORY,
        .NumberOfPages = PAGES,
        .pCpuHostAperturePages = window,
        .pMemorySegmentPages = memory,
    };
}

static DXGKARG_UNMAPCPUHOSTAPERTURE unmapping(void)
{
    mapping(NULL);
    return (DXGKARG_UNMAPCPUHOSTAPERTURE){
        .NumberOfPages = PAGES,
        .pCpuHostAperturePages = window,
        .SegmentId = RIG_OTHER_MEMORY,
    };
}

static NTSTATUS map(struct rig *rig, DXGKARG_MAPCPUHOSTAPERTURE asked)
{
    return rig->driver->DxgkDdiMapCpuHostAperture(rig->adapter, &asked);
}

static NTSTATUS unmap(struct rig *rig, DXGKARG_UNMAPCPUHOSTAPERTURE asked)
{
    return rig->driver->DxgkDdiUnmapCpuHostAperture(rig->adapter, &asked);
}

static void found(struct rig *rig, enum vidmm_rule_id rule, uint64_t times)
{
    assert_int_equal(vidmm_tap_violations_of(rig->tap, rule), times);
}

void breaks_D_174(struct rig *rig)
{
    struct rig_allocation *one = begin(rig);
    DXGKARG_MAPCPUHOSTAPERTURE table = mapping(NULL);

    map(rig, mapping(one));
    rig->status = STATUS_NO_MEMORY;
    unmap(rig, unmapping());
    found(rig, VIDMM_RULE_D_174, 1);
    for (UINT i = 0; i < PAGES; i++)
        memory[i] = 32 + i; /* nobody's: a page table */
    map(rig, table);
    found(rig, VIDMM_RULE_D_174, 2);
    rig->status = STATUS_SUCCESS;
}

/* An allocation may do without. */
void keeps_D_174(struct rig *rig)
{
    struct rig_allocation *one = begin(rig);

    rig->status = STATUS_NO_MEMORY;
    map(rig, mapping(one));
    rig->status = STATUS_SUCCESS;
    map(rig, mapping(one));
    unmap(rig, unmapping());
}

void breaks_D_176(struct rig *rig)
{
    struct rig_allocation *one = begin(rig);
    DXGKARG_MAPCPUHOSTAPERTURE asked = mapping(one);
    uint64_t times = 0;

    asked.SegmentId = RIG_MEMORY; /* the CPU has no aperture there */
    map(rig, asked);
    found(rig, VIDMM_RULE_D_176, ++times);
    asked.SegmentId = 0;
    map(rig, asked);
    found(rig, VIDMM_RULE_D_176, ++times);
    asked = mapping(one);
    asked.PhysicalAdapterIndex = 1;
    map(rig, asked);
    found(rig, VIDMM_RULE_D_176, ++times);
    asked = mapping(one);
    asked.NumberOfPages = 0;
    map(rig, asked);
    found(rig, VIDMM_RULE_D_176, ++times);
    asked.NumberOfPages = RIG_HOST_PAGES + 1;
    map(rig, asked);
    found(rig, VIDMM_RULE_D_176, ++times);
    asked = mapping(one);
    asked.pMemorySegmentPages = NULL;
    map(rig, asked);
    found(rig, VIDMM_RULE_D_176, ++times);
    asked = mapping(one);
    window[2] = RIG_HOST_PAGES; /* behind the aperture: an index from its start */
    map(rig, asked);
    found(rig, VIDMM_RULE_D_176, ++times);
    asked = mapping(one);
    memory[0] = RIG_OTHER_BASE / PAGE_SIZE + 8; /* from 0, and not from BaseAddress */
    map(rig, asked);
    found(rig, VIDMM_RULE_D_176, ++times);
    asked = mapping(one);
    memory[0] = 7; /* the page before it */
    memory[3] = 12;
    map(rig, asked);
    found(rig, VIDMM_RULE_D_176, times += 2);
    asked = mapping(one);
    asked.hAllocation = one; /* no handle of the driver's */
    map(rig, asked);
    found(rig, VIDMM_RULE_D_176, ++times);
    asked = mapping(NULL);
    for (UINT i = 0; i < PAGES; i++)
        memory[i] = RIG_SEGMENT_SIZE / PAGE_SIZE - 3 + i; /* the last is none */
    map(rig, asked);
    found(rig, VIDMM_RULE_D_176, ++times);
    map(rig, mapping(NULL)); /* an allocation is not implicit */
    found(rig, VIDMM_RULE_D_176, times += PAGES);
}

void keeps_D_176(struct rig *rig)
{
    struct rig_allocation *one = begin(rig);
    DXGKARG_MAPCPUHOSTAPERTURE asked = mapping(one);

    map(rig, asked);
    asked = mapping(NULL); /* page tables, elsewhere */
    for (UINT i = 0; i < PAGES; i++) {
        window[i] = RIG_HOST_PAGES - 1 - i;
        memory[i] = RIG_SEGMENT_SIZE / PAGE_SIZE - 1 - i;
    }
    map(rig, asked);
}

void breaks_D_177(struct rig *rig)
{
    struct rig_allocation *one = begin(rig);
    DXGKARG_UNMAPCPUHOSTAPERTURE asked;
    uint64_t times = 0;

    unmap(rig, unmapping()); /* nothing is mapped */
    found(rig, VIDMM_RULE_D_177, ++times);
    map(rig, mapping(one));
    rig->status = STATUS_NO_MEMORY; /* no fault of the driver's: the calls are wrong */
    asked = unmapping();
    asked.SegmentId = RIG_MEMORY;
    unmap(rig, asked);
    found(rig, VIDMM_RULE_D_177, ++times);
    asked = unmapping();
    asked.PhysicalAdapterIndex = 1;
    unmap(rig, asked);
    found(rig, VIDMM_RULE_D_177, ++times);
    asked = unmapping();
    window[PAGES - 1] = 2;
    unmap(rig, asked);
    found(rig, VIDMM_RULE_D_177, ++times);
    rig->status = STATUS_SUCCESS;
    unmap(rig, unmapping());
    unmap(rig, unmapping()); /* once more */
    found(rig, VIDMM_RULE_D_177, ++times);
}

/* In parts, and again. */
void keeps_D_177(struct rig *rig)
{
    struct rig_allocation *one = begin(rig);
    DXGKARG_UNMAPCPUHOSTAPERTURE asked;

    map(rig, mapping(one));
    asked = unmapping();
    asked.NumberOfPages = 1;
    unmap(rig, asked);
    asked.pCpuHostAperturePages = &window[1];
    asked.NumberOfPages = PAGES - 1;
    unmap(rig, asked);
    map(rig, mapping(one));
    unmap(rig, unmapping());
}
