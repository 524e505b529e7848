/* rules_tables.c: the rules of page tables and roots, broken and kept. */
#include "rig_virtual.h"

#define LEAF (RIG_TABLES + 2 * RIG_PAGE)  /* of the program's process */
#define MIDDLE (RIG_TABLES + RIG_PAGE)    /* the table above it */
#define OTHER (RIG_TABLES + 8 * RIG_PAGE) /* nothing is there */

static DXGK_PTE one_page(void)
{
    return rig_entry(RIG_MEMORY, 0x200000);
}

/* An entry of level 1 for leaves of 64 KiB pages, with DualPteSupported: the other array. */
static void write_second(struct rig *rig, DXGK_PTE entry)
{
    DXGK_PTE none = {.Flags = 0};
    DXGKARG_BUILDPAGINGBUFFER asked = rig_update(rig->process, 1, MIDDLE, 3, 1, &none);

    rig->mmu |= (DXGK_GPUMMUCAPS){.DualPteSupported = 1}.Value;
    rig_query_mmu(rig);
    asked.UpdatePageTable.pPageTableEntries64KB = &entry;
    rig_build(rig, asked);
}

/* ---- One record ---- */

void breaks_D_114(struct rig *rig)
{
    DXGK_PTE entry = one_page();
    DXGKARG_BUILDPAGINGBUFFER asked = rig_update(rig->process, 0, LEAF, 20, 1, &entry);

    rig_allow(rig, VIDMM_RULE_D_120); /* by another name it is another table */
    asked.UpdatePageTable.UpdateMode = DXGK_PAGETABLEUPDATE_GPU_VIRTUAL;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_114), 1);
    asked.UpdatePageTable.UpdateMode = DXGK_PAGETABLEUPDATE_CPU_VIRTUAL; /* not the system's */
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_114), 2);
    asked = rig_update(rig->process, 0, LEAF, 20, 1, &entry);
    asked.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId = RIG_SEGMENTS + 1;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_114), 3);
    asked = rig_clear(rig->system_process, 0, 0);
    asked.UpdatePageTable.UpdateMode = DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
    asked.UpdatePageTable.PageTableAddress.CpuVirtual = NULL;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_114), 4);
}

/* The paging process's tables are written by the CPU all the same. */
void keeps_D_114(struct rig *rig)
{
    DXGK_PTE entry = one_page();
    DXGKARG_BUILDPAGINGBUFFER asked = rig_clear(rig->system_process, 0, 0);

    rig_build(rig, rig_update(rig->process, 0, LEAF, 20, 1, &entry));
    asked.UpdatePageTable.UpdateMode = DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
    asked.UpdatePageTable.PageTableAddress.CpuVirtual = rig->dma;
    rig_build(rig, asked);
    rig_page_virtual(rig);
}

void breaks_D_119(struct rig *rig)
{
    DXGK_PTE entry = rig_entry(RIG_MEMORY, LEAF);
    DXGKARG_BUILDPAGINGBUFFER asked = rig_update(rig->process, 1, MIDDLE, 0, 1, &entry);

    asked.UpdatePageTable.DriverProtection = 5;
    rig_build(rig, asked);
}

void keeps_D_119(struct rig *rig)
{
    DXGK_PTE entry = one_page();
    DXGKARG_BUILDPAGINGBUFFER asked = rig_update(rig->process, 0, LEAF, 20, 1, &entry);

    asked.UpdatePageTable.DriverProtection = 5;
    rig_build(rig, asked);
}

void breaks_D_121(struct rig *rig)
{
    rig_map_page(rig, rig->process, 0, RIG_MEMORY, RIG_SEGMENT_SIZE);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_121), 1);
    rig_map_page(rig, rig->process, 0, RIG_SEGMENTS + 1, 0);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_121), 2);
    rig_allow(rig, VIDMM_RULE_W_012); /* no table is there either */
    write_second(rig, rig_entry(RIG_MEMORY, RIG_SEGMENT_SIZE));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_121), 3);
}

/* The last page of a segment; any of system memory; and what an invalid entry says. */
void keeps_D_121(struct rig *rig)
{
    DXGK_PTE entry = rig_entry(RIG_SEGMENTS + 1, RIG_SEGMENT_SIZE);

    rig_map_page(rig, rig->process, 0, RIG_MEMORY, RIG_SEGMENT_SIZE - RIG_PAGE);
    rig_map_page(rig, rig->process, 1, 0, UINT64_C(1) << 40);
    entry.Valid = 0;
    rig_build(rig, rig_update(rig->process, 0, LEAF, 30, 1, &entry));
}

void breaks_D_123(struct rig *rig)
{
    DXGK_PTE entry = one_page();

    entry.LargePage = 1;
    rig_build(rig, rig_update(rig->process, 1, MIDDLE, 4, 1, &entry));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_123), 1);
    rig->mmu = (DXGK_GPUMMUCAPS){.LargePageSupported = 1}.Value;
    rig_query_mmu(rig);
    rig_build(rig, rig_update(rig->process, 0, LEAF, 30, 1, &entry));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_123), 2);
}

void keeps_D_123(struct rig *rig)
{
    DXGK_PTE entry = one_page();

    rig->mmu = (DXGK_GPUMMUCAPS){.LargePageSupported = 1}.Value;
    rig_query_mmu(rig);
    entry.LargePage = 1;
    rig_build(rig, rig_update(rig->process, 1, MIDDLE, 4, 1, &entry));
}

/* Write entry 0 of the table of level 1: the leaf of 4 KiB pages, and one of 64 KiB pages. */
static void lead_to_both(struct rig *rig, bool wide_too)
{
    DXGK_PTE narrow = rig_entry(RIG_MEMORY, LEAF), wide = rig_entry(RIG_MEMORY, OTHER);
    DXGKARG_BUILDPAGINGBUFFER asked = rig_update(rig->process, 1, MIDDLE, 0, 1, &narrow);

    wide.Valid = wide_too;
    asked.UpdatePageTable.pPageTableEntries64KB = &wide;
    rig_build(rig, asked);
}

/* With DualPteSupported: a leaf of 64 KiB pages appears beside the other. */
static void begin_wide_leaf(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER clear = rig_clear(rig->process, 0, OTHER);

    rig->mmu = (DXGK_GPUMMUCAPS){.DualPteSupported = 1}.Value;
    rig_query_mmu(rig);
    clear.UpdatePageTable.Flags.Use64KBPages = 1;
    clear.UpdatePageTable.NumPageTableEntries = RIG_ENTRIES / 16;
    rig_build(rig, clear);
    lead_to_both(rig, true);
}

/* Write the entry of that leaf for RIG_ADDRESS + range * 64 KiB. */
static void map_range(struct rig *rig, UINT range, bool valid, bool in_the_other_array)
{
    DXGK_PTE entry = rig_entry(RIG_MEMORY, 0x400000);
    UINT index = (UINT)(RIG_ADDRESS >> 16) + range;
    DXGKARG_BUILDPAGINGBUFFER asked = rig_update(rig->process, 0, OTHER, index, 1, &entry);

    entry.Valid = valid;
    asked.UpdatePageTable.Flags.Use64KBPages = 1;
    asked.UpdatePageTable.FirstPteVirtualAddress = (uint64_t)index << 16;
    if (in_the_other_array) {
        asked.UpdatePageTable.pPageTableEntries64KB = &entry;
        asked.UpdatePageTable.pPageTableEntries = NULL;
    }
    rig_build(rig, asked);
}

static void run_program(struct rig *rig)
{
    rig_forget_addresses(rig, rig->process);
    rig_page_virtual(rig);
    rig_set_root(rig, rig->context, RIG_TABLES);
    rig_run_virtual(rig, rig->context);
    rig_complete(rig, RIG_RENDER_NODE, rig->fence);
}

void breaks_D_124(struct rig *rig)
{
    begin_wide_leaf(rig);
    map_range(rig, 1, true, false);
    rig_map_page(rig, rig->process, 31, RIG_MEMORY, 0x200000); /* the last page of that range */
    run_program(rig);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_124), 1);
    map_range(rig, 1, false, true);
    run_program(rig);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_124), 1);
    map_range(rig, 1, true, true);
    run_program(rig);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_124), 2);
}

/* Both leaves are valid, for other ranges; and for one while nothing runs, or if nothing leads to
 * one of them. */
void keeps_D_124(struct rig *rig)
{
    DXGK_PTE zero = rig_entry(0, 0);

    begin_wide_leaf(rig);
    map_range(rig, 1, true, false);
    rig_map_page(rig, rig->process, 15, RIG_MEMORY, 0x200000);
    rig_map_page(rig, rig->process, 32, RIG_MEMORY, 0x300000);
    run_program(rig);
    rig_map_page(rig, rig->process, 16, RIG_MEMORY, 0x200000);
    map_range(rig, 1, false, false);
    run_program(rig);
    lead_to_both(rig, false);
    map_range(rig, 1, true, false);
    run_program(rig);
    rig_unmap_page(rig, rig->process, 16);
    lead_to_both(rig, true);
    run_program(rig);
    zero.Zero = 1; /* no page says whether that counts */
    rig_build(rig,
              rig_update(rig->process, 0, LEAF, (UINT)(RIG_ADDRESS / RIG_PAGE) + 17, 1, &zero));
    run_program(rig);
}

void breaks_D_264(struct rig *rig)
{
    rig_build(rig, rig_clear(rig, 0, OTHER));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_264), 1);
    rig_build(rig, rig_flush_tlb(rig->device, RIG_TABLES));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_264), 2);
}

/* A process that is gone is told of all the same (W-014). */
void keeps_D_264(struct rig *rig)
{
    rig_map_page(rig, rig->process, 0, RIG_MEMORY, 0x200000);
    rig->driver->DxgkDdiDestroyProcess(rig->adapter, rig->process);
    rig_unmap_page(rig, rig->process, 0);
    rig_forget_addresses(rig, rig->process);
}

static DXGKARG_BUILDPAGINGBUFFER copy_of(DXGK_BUILDPAGINGBUFFER_COPY_RANGE *range)
{
    DXGKARG_BUILDPAGINGBUFFER asked = {.Operation = DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES};

    range->SrcPageTableAddress = 0x40000;
    range->DstPageTableAddress = 0x50000;
    range->NumPageTableEntries = 16;
    asked.CopyPageTableEntries.NumRanges = 1;
    asked.CopyPageTableEntries.pRanges = range;
    return asked;
}

void breaks_D_130(struct rig *rig)
{
    DXGK_BUILDPAGINGBUFFER_COPY_RANGE range = {.SrcStartPteIndex = 0};

    rig->mode = DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
    rig_query_mmu(rig);
    rig_build(rig, copy_of(&range));
}

void keeps_D_130(struct rig *rig)
{
    DXGK_BUILDPAGINGBUFFER_COPY_RANGE range = {.SrcStartPteIndex = 0};

    rig_build(rig, copy_of(&range));
}

void breaks_D_129(struct rig *rig)
{
    DXGK_BUILDPAGINGBUFFER_COPY_RANGE range = {.SrcStartPteIndex = 0};
    DXGKARG_BUILDPAGINGBUFFER asked = copy_of(&range);

    range.DstPageTableAddress += RIG_PAGE;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_129), 1);
    asked = copy_of(&range);
    range.DstStartPteIndex = RIG_ENTRIES - 15;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_129), 2);
    asked = copy_of(&range);
    range.NumPageTableEntries = 0;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_129), 3);
    asked.CopyPageTableEntries.NumRanges = 0;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_129), 4);
}

void keeps_D_129(struct rig *rig)
{
    DXGK_BUILDPAGINGBUFFER_COPY_RANGE range = {.DstStartPteIndex = RIG_ENTRIES - 16};

    rig_build(rig, copy_of(&range));
}

/* ---- A table's life ---- */

/* By an address of the paging process, which shows the table at `place`. The rig's own tables are
 * written by their places, against D-114. */
static DXGKARG_BUILDPAGINGBUFFER by_window(struct rig *rig, uint64_t place,
                                           DXGKARG_BUILDPAGINGBUFFER asked)
{
    rig_allow(rig, VIDMM_RULE_D_114);
    rig_map_page(rig, rig->system_process, 0, RIG_MEMORY, place);
    asked.UpdatePageTable.UpdateMode = DXGK_PAGETABLEUPDATE_GPU_VIRTUAL;
    asked.UpdatePageTable.PageTableAddress.GpuVirtual = RIG_ADDRESS;
    return asked;
}

void breaks_D_120(struct rig *rig)
{
    DXGK_PTE entry = one_page();

    rig_build(rig, rig_update(rig->process, 0, OTHER, 0, 1, &entry));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_120), 1);
    /* The address shows a leaf, and a table of level 1 is to be written. */
    rig_build(rig, by_window(rig, 3 * OTHER, rig_clear(rig->process, 0, 0)));
    rig_build(rig, by_window(rig, 3 * OTHER, rig_update(rig->process, 0, 0, 0, 1, &entry)));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_120), 1);
    rig_build(rig, by_window(rig, 3 * OTHER, rig_update(rig->process, 1, 0, 0, 1, &entry)));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_120), 2);
    /* a table of the paging process is not the program's */
    rig_build(rig, rig_update(rig->process, 0, 2 * RIG_PAGE, 40, 1, &entry));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_120), 3);
}

void keeps_D_120(struct rig *rig)
{
    DXGK_PTE entry = one_page();

    rig_build(rig, rig_clear(rig->process, 0, OTHER));
    rig_build(rig, rig_update(rig->process, 0, OTHER, 0, 1, &entry));
    rig_build(rig, rig_clear(rig->system_process, 1, OTHER)); /* the memory is another's now */
    entry = rig_entry(RIG_MEMORY, 2 * RIG_PAGE);
    rig_build(rig, rig_update(rig->system_process, 1, OTHER, 0, 1, &entry));

    /* A table of the paging process is begun by the CPU when the adapter starts. */
    DXGKARG_BUILDPAGINGBUFFER asked = rig_clear(rig->system_process, 0, OTHER);
    asked.UpdatePageTable.UpdateMode = DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
    asked.UpdatePageTable.PageTableAddress.CpuVirtual = &entry;
    rig_build(rig, asked);
    rig_build(rig, rig_update(rig->system_process, 0, 3 * OTHER, 0, 1, &entry));
    rig_build(rig,
              rig_clear(rig->process, 1, 6 * OTHER)); /* so is one whose memory was another's */
    rig_build(rig, rig_update(rig->system_process, 0, 6 * OTHER, 0, 1, &entry));

    /* A CPU host aperture shows another one where the CPU has written that. */
    UINT32 window = 0;
    UINT64 memory = 32;
    const DXGKARG_MAPCPUHOSTAPERTURE map = {.SegmentId = RIG_OTHER_MEMORY,
                                            .NumberOfPages = 1,
                                            .pCpuHostAperturePages = &window,
                                            .pMemorySegmentPages = &memory};
    rig->driver->DxgkDdiMapCpuHostAperture(rig->adapter, &map);
    asked = rig_update(rig->system_process, 1, OTHER, 0, 1, &entry);
    asked.UpdatePageTable.UpdateMode = DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
    asked.UpdatePageTable.PageTableAddress.CpuVirtual = &entry;
    rig_build(rig, asked);

    /* One address shows table after table, of other levels and processes. */
    rig_build(rig, by_window(rig, 4 * OTHER, rig_clear(rig->process, 0, 0)));
    rig_build(rig, by_window(rig, 5 * OTHER, rig_clear(rig->process, 1, 0)));
    rig_build(rig, by_window(rig, 4 * OTHER, rig_update(rig->process, 0, 0, 0, 1, &entry)));
    rig_build(rig, by_window(rig, 5 * OTHER, rig_update(rig->process, 1, 0, 0, 1, &entry)));
}

void breaks_W_009(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_clear(rig->process, 0, OTHER);
    DXGK_PTE entries[RIG_ENTRIES], valid = one_page();

    memset(entries, 0, sizeof entries);
    asked.UpdatePageTable.NumPageTableEntries = RIG_ENTRIES / 2;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_009), 1);
    asked = rig_clear(rig->process, 0, OTHER);
    asked.UpdatePageTable.Flags.Repeat = 0;
    asked.UpdatePageTable.pPageTableEntries = entries;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_009), 2);
    asked = rig_clear(rig->process, 0, OTHER);
    asked.UpdatePageTable.pPageTableEntries = &valid;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_009), 3);
    asked = rig_clear(rig->process, 0, OTHER);
    asked.UpdatePageTable.StartIndex = 1;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_009), 4);
}

void keeps_W_009(struct rig *rig)
{
    rig_build(rig, rig_clear(rig->process, 0, OTHER));
}

void breaks_W_012(struct rig *rig)
{
    DXGK_PTE child = rig_entry(RIG_MEMORY, OTHER);

    rig_build(rig, rig_update(rig->process, 1, MIDDLE, 3, 1, &child)); /* before its leaf */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_012), 1);
    child = rig_entry(RIG_MEMORY, 2 * RIG_PAGE); /* the paging process's leaf */
    rig_build(rig, rig_update(rig->process, 1, MIDDLE, 4, 1, &child));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_012), 2);
    child = rig_entry(RIG_MEMORY, LEAF); /* a leaf is no table of level 1 */
    rig_build(rig, rig_update(rig->process, 2, RIG_TABLES, 5, 1, &child));
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_012), 3);
    rig_map_page(rig, rig->process, 0, RIG_MEMORY, 0x200000);
    rig_forget_addresses(rig, rig->process);
    rig_unmap_page(rig, rig->process, 0); /* and no FlushTlb */
    rig_set_root(rig, rig->context, RIG_TABLES);
    rig_run_virtual(rig, rig->context);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_012), 4);
    rig_forget_addresses(rig, rig->process);
    write_second(rig, rig_entry(RIG_MEMORY, OTHER)); /* a leaf of 64 KiB that is not written */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_012), 5);
    write_second(rig, (DXGK_PTE){.Flags = 0}); /* and no FlushTlb */
    rig_complete(rig, RIG_RENDER_NODE, rig->fence);
    rig_run_virtual(rig, rig->context);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_012), 6);
}

/* A large page leads to no table; what only became valid is remembered by nobody. */
void keeps_W_012(struct rig *rig)
{
    DXGK_PTE child = rig_entry(RIG_MEMORY, OTHER), large = one_page();

    rig->mmu = (DXGK_GPUMMUCAPS){.LargePageSupported = 1}.Value;
    rig_query_mmu(rig);
    large.LargePage = 1;
    rig_build(rig, rig_clear(rig->process, 0, OTHER));
    rig_build(rig, rig_update(rig->process, 1, MIDDLE, 3, 1, &child));
    rig_build(rig, rig_update(rig->process, 1, MIDDLE, 4, 1, &large));
    rig_map_page(rig, rig->process, 0, RIG_MEMORY, 0x200000);
    rig_unmap_page(rig, rig->process, 0);
    rig_forget_addresses(rig, rig->process);
    rig_map_page(rig, rig->process, 1, RIG_MEMORY, 0x200000);
    rig_set_root(rig, rig->context, RIG_TABLES);
    rig_run_virtual(rig, rig->context);
    rig_map_page(rig, rig->system_process, 1, RIG_MEMORY, 0x200000);
    rig_unmap_page(rig, rig->system_process, 1); /* of the other process */
    rig_run_virtual(rig, rig->context);
    rig_complete(rig, RIG_RENDER_NODE, rig->fence);
    rig_renew_process(rig);
    rig_unmap_page(rig, rig->process, 1); /* of the process that had the handle */
    rig_build(rig, rig_clear(rig->process, 2, OTHER + RIG_PAGE));
    rig_set_root(rig, rig->context, OTHER + RIG_PAGE);
    rig_run_virtual(rig, rig->context);
}

/* ---- FlushTlb ---- */

void breaks_D_127(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_flush_tlb(rig->process, RIG_TABLES);

    asked.FlushTlb.StartVirtualAddress = 0x20000;
    asked.FlushTlb.EndVirtualAddress = 0x10000;
    rig_build(rig, asked);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_127), 1);
    rig_build(rig, rig_flush_tlb(rig->process, LEAF)); /* no root */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_127), 2);
    rig_build(rig, rig_flush_tlb(rig->process, 0)); /* the other process's */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_127), 3);
}

void keeps_D_127(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER asked = rig_flush_tlb(rig->process, RIG_TABLES);

    rig_build(rig, asked);
    asked.FlushTlb.StartVirtualAddress = 0x10000;
    asked.FlushTlb.EndVirtualAddress = 0x11000;
    rig_build(rig, asked);
}

void breaks_D_128(struct rig *rig)
{
    rig->mmu = (DXGK_GPUMMUCAPS){.InvalidTlbEntriesNotCached = 1}.Value;
    rig_query_mmu(rig);
    rig_map_page(rig, rig->process, 0, RIG_MEMORY, 0x200000);
    rig_forget_addresses(rig, rig->process);
}

/* A page of a process whose leaf is OTHER, and its root the table behind that. */
static void map_by_other_tables(struct rig *rig)
{
    DXGK_PTE page = rig_entry(RIG_MEMORY, 0x600000);

    rig_build(rig, rig_clear(rig->process, 0, OTHER));
    rig_build(rig, rig_clear(rig->process, 2, OTHER + RIG_PAGE));
    rig_set_root(rig, rig->context, OTHER + RIG_PAGE);
    rig_run_virtual(rig, rig->context);
    rig_build(rig, rig_update(rig->process, 0, OTHER, 0x80, 1, &page));
}

/* Beside what was valid and has changed, all may be flushed; and without the bit. */
void keeps_D_128(struct rig *rig)
{
    DXGKARG_BUILDPAGINGBUFFER elsewhere = rig_flush_tlb(rig->process, RIG_TABLES);

    rig_map_page(rig, rig->process, 0, RIG_MEMORY, 0x200000);
    rig_forget_addresses(rig, rig->process);
    rig->mmu = (DXGK_GPUMMUCAPS){.InvalidTlbEntriesNotCached = 1}.Value;
    rig_query_mmu(rig);
    rig_map_page(rig, rig->process, 1, RIG_MEMORY, 0x300000);
    rig_unmap_page(rig, rig->process, 0);
    rig_forget_addresses(rig, rig->process);
    rig_forget_addresses(rig, rig->process); /* for nothing, which is no fault */
    rig_map_page(rig, rig->process, 4, RIG_MEMORY, 0x500000);
    rig_map_page(rig, rig->process, 4, RIG_MEMORY,
                 0x500000); /* valid before: it left, and is back */
    rig_forget_addresses(rig, rig->process);
    rig_map_page(rig, rig->process, 2, RIG_MEMORY, 0x400000);
    elsewhere.FlushTlb.StartVirtualAddress = 0;
    elsewhere.FlushTlb.EndVirtualAddress = 0x1000;
    rig_build(rig, elsewhere); /* it is about nothing that became valid */
    rig_build(rig, rig_clear(rig->process, 0, RIG_TABLES + 0x2000)); /* what it said is forgotten */
    rig_map_page(rig, rig->process, 3, RIG_MEMORY, 0x400000);
    rig_forget_addresses(rig, rig->process);
    rig_renew_process(rig);
    map_by_other_tables(rig);
    rig_forget_addresses(rig, rig->process); /* of the process that had the handle */
}

/* ---- Roots ---- */

void breaks_D_136(struct rig *rig)
{
    rig_set_root(rig, rig->context, RIG_TABLES);
    rig_run_virtual(rig, rig->context);
    rig_set_root(rig, rig->context, RIG_TABLES); /* it runs */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_136), 1);
    rig_complete(rig, RIG_RENDER_NODE, rig->fence);
    rig_build(rig, rig_clear(rig->system_process, 0, RIG_TABLES)); /* the root has gone */
    rig_run_virtual(rig, rig->context);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_136), 2);
}

void keeps_D_136(struct rig *rig)
{
    DXGK_PTE child = rig_entry(RIG_MEMORY, MIDDLE);

    rig_set_root(rig, rig->context, RIG_TABLES);
    rig_run_virtual(rig, rig->context);
    rig_complete(rig, RIG_RENDER_NODE, rig->fence);
    rig_build(rig, rig_clear(rig->process, 2, OTHER)); /* it moves */
    rig_build(rig, rig_update(rig->process, 2, OTHER, 0, 1, &child));
    rig_set_root(rig, rig->context, OTHER);
    rig_build(rig, rig_clear(rig->system_process, 0, RIG_TABLES));
    rig_run_virtual(rig, rig->context);
    /* The paging process gets its tables anew, where a program has had one: the CPU writes them. */
    rig_build(rig, rig_clear(rig->process, 0, 3 * OTHER));
    rig_set_root(rig, rig->paging_context, 3 * OTHER);
    rig_page_virtual(rig);
}

void breaks_W_013(struct rig *rig)
{
    rig_run_virtual(rig, rig->context);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_013), 1);
    rig_set_root(rig, rig->device, RIG_TABLES); /* no context */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_W_013), 2);
}

/* The system's context has had its root since the start, and paging buffers were built since. */
void keeps_W_013(struct rig *rig)
{
    rig_map_page(rig, rig->process, 0, RIG_MEMORY, 0x200000);
    rig_page_virtual(rig);
    rig_set_root(rig, rig->context, RIG_TABLES);
    rig_run_virtual(rig, rig->context);
    rig_map_page(rig, rig->process, 1, RIG_MEMORY, 0x300000);
    rig_page_virtual(rig);
    rig_run_virtual(rig, rig->context);
}
