/* test_start_refusals.c: what keeps an adapter at WDDM 2.x from starting, each once broken and once
 * kept. The report names the member, its value and what is legal, and the driver is told of the end
 * in the reverse order (test_start_rig.h looks).
 */
#include "test_start_rig.h"

/* One answer that is wrong, and its nearest neighbour that is right. */
struct refusal {
    const char *name;
    enum script_model model;
    void (*breaks)(void), (*keeps)(void);
    const char *member, *legal; /* of the report */
};

/* ---- the model ---- */

static void both_models(void)
{
    script.caps.MemoryManagementCaps.IoMmuSupported = 1;
}

static void one_model(void)
{
}

static void no_virtual_addresses(void)
{
    script.caps.MemoryManagementCaps.VirtualAddressingSupported = 0;
}

static void virtual_addresses_of_nobody(void)
{
    script.caps.MemoryManagementCaps.VirtualAddressingSupported = 1;
}

static void no_contexts(void)
{
    script.caps.SchedulingCaps.MultiEngineAware = 0;
    script.caps.SchedulingCaps.PreemptionAware = 0;
}

/* ---- nodes ---- */

static void no_nodes(void)
{
    script.physical.NumExecutionNodes = 0;
}

static void too_many_nodes(void)
{
    script.physical.NumExecutionNodes = 65;
}

static void two_nodes(void)
{
    script.physical.NumExecutionNodes = 2;
    script.physical.PagingNodeIndex = 1;
    script.node_count = 2;
}

static void paging_node_behind(void)
{
    script.physical.PagingNodeIndex = 1;
}

/* ---- page tables ---- */

static void levels(uint32_t count, uint32_t width)
{
    script.mmu.PageTableLevelCount = count;
    script.mmu.VirtualAddressBitCount = width;
}

static void one_level(void)
{
    levels(1, 21);
}

static void two_levels(void)
{
    levels(2, 30);
}

static void seven_levels(void)
{
    levels(7, 57);
}

static void six_levels(void)
{
    levels(6, 57);
}

static void narrow_addresses(void)
{
    levels(4, 12);
}

static void wide_addresses(void)
{
    levels(4, 65);
}

static void uncovered_addresses(void)
{
    levels(4, 49);
}

static void covered_addresses(void)
{
    levels(4, 48);
}

static void no_root(void)
{
    levels(2, 21);
}

static void mode_three(void)
{
    script.mmu.PageTableUpdateMode = (DXGK_PAGETABLEUPDATEMODE)3;
}

static void mode_gpu_virtual(void)
{
    script.mmu.PageTableUpdateMode = DXGK_PAGETABLEUPDATE_GPU_VIRTUAL;
}

static void odd_leaf(void)
{
    script.mmu.LeafPageTableSizeFor64KPagesInBytes = 100;
}

static void whole_leaf(void)
{
    script.mmu.LeafPageTableSizeFor64KPagesInBytes = 4096;
}

static void no_index(void)
{
    script.levels[1].PageTableIndexBitCount = 0;
}

static void long_index(void)
{
    script.levels[1].PageTableIndexBitCount = 21;
}

static void root_without_index(void)
{
    two_levels();
    script.levels[1].PageTableIndexBitCount = 0;
    script.levels[1].PageTableSizeInBytes = 0;
}

static void no_table(void)
{
    script.levels[2].PageTableSizeInBytes = 0;
}

static void odd_table(void)
{
    script.levels[2].PageTableSizeInBytes = 4097;
}

static void larger_table(void)
{
    script.levels[2].PageTableSizeInBytes = 8192;
}

static void larger_in_system_memory(void)
{
    larger_table();
    script.levels[2].PagingProcessPageTableSegmentId = 0;
}

static void all_in_system_memory(void)
{
    for (uint32_t level = 0; level < 4; level++) {
        script.levels[level].PageTableSegmentId = 0;
        script.levels[level].PagingProcessPageTableSegmentId = 0;
    }
}

static void odd_alignment(void)
{
    script.levels[0].PageTableAlignmentInBytes = 3;
}

static void large_alignment(void)
{
    script.levels[0].PageTableAlignmentInBytes = 65536;
}

static void unknown_segment(void)
{
    script.levels[0].PageTableSegmentId = 3;
}

static void tables_in_an_aperture(void)
{
    script.levels[3].PagingProcessPageTableSegmentId = 2;
}

/* A leaf of 8 or of 16 entries. */
static void small_leaf(uint32_t bits)
{
    script.levels[0].PageTableIndexBitCount = bits;
    script.mmu.VirtualAddressBitCount = 39 + bits;
    script.mmu.DualPteSupported = 1;
}

static void leaf_below_64k(void)
{
    small_leaf(3);
}

static void leaf_of_64k(void)
{
    small_leaf(4);
}

static void odd_root(void)
{
    two_levels();
    script.root_size = 100;
}

static void empty_root(void)
{
    two_levels();
    script.root_size = 0;
}

static void large_root_in_system_memory(void)
{
    two_levels();
    all_in_system_memory();
    script.root_size = 8192;
}

static void small_segment(void)
{
    script.segments[0].Size = 4 * 4096;
}

static void segment_of_tables(void)
{
    script.segments[0].Size = 64 * 4096;
}

static void large_paging_buffers(void)
{
    script.paging_segment = 2;
    script.paging_size = 512 << 20;
}

static void small_paging_buffers(void)
{
    script.paging_segment = 2;
}

/* ---- entries ---- */

static void no_submit(void)
{
    script.table.DxgkDdiSubmitCommandVirtual = NULL;
}

static void no_create_process(void)
{
    script.table.DxgkDdiCreateProcess = NULL;
}

static void no_destroy_process(void)
{
    script.table.DxgkDdiDestroyProcess = NULL;
}

static void no_set_root(void)
{
    script.table.DxgkDdiSetRootPageTable = NULL;
}

static void no_root_size(void)
{
    two_levels();
    script.table.DxgkDdiGetRootPageTableSize = NULL;
}

/* With four levels it is never called. */
static void no_root_size_of_four(void)
{
    script.table.DxgkDdiGetRootPageTableSize = NULL;
}

static void no_patch(void)
{
    script.table.DxgkDdiPatch = NULL;
}

/* ---- answers ---- */

static void no_caps(void)
{
    script.query[DXGKQAITYPE_DRIVERCAPS] = STATUS_NOT_SUPPORTED;
}

static void no_mmu_caps(void)
{
    script.query[DXGKQAITYPE_GPUMMUCAPS] = STATUS_NOT_SUPPORTED;
}

static void no_level(void)
{
    script.query[DXGKQAITYPE_PAGETABLELEVELDESC] = STATUS_INVALID_PARAMETER;
}

static void no_segments(void)
{
    script.query[DXGKQAITYPE_QUERYSEGMENT4] = STATUS_NO_MEMORY;
}

static void process_refused(void)
{
    script.create_process = STATUS_NO_MEMORY;
}

static void first_device_refused(void)
{
    script.create_device = STATUS_NO_MEMORY;
    script.fails_at = 1;
}

static void second_device_refused(void)
{
    script.create_device = STATUS_NO_MEMORY;
    script.fails_at = 2;
}

static void context_refused(void)
{
    script.create_context = STATUS_NO_MEMORY;
}

static void update_refused(void)
{
    script.update = STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

/* ---- segments ---- */

static void overlapping_segments(void)
{
    script.segment_count = 3;
    script.segments[2] = script.segments[1];
    script.segments[1] = script.segments[0];
    script.segments[1].BaseAddress.QuadPart += (LONGLONG)SCRIPT_MEMORY - 4096;
    script.segments[1].CpuTranslatedAddress.QuadPart = (LONGLONG)script.memory[1];
}

static void touching_segments(void)
{
    overlapping_segments();
    script.segments[1].BaseAddress.QuadPart += 4096;
}

static void unknown_paging_segment(void)
{
    script.paging_segment = 3;
}

static void no_paging_buffer(void)
{
    script.paging_size = 0;
}

static void range(uint64_t offset, uint64_t size)
{
    script.segments[0].NumInvalidMemoryRanges = 1;
    script.ranges[0] = (DXGK_MEMORYRANGE){offset, size};
}

static void odd_range(void)
{
    range(100, 4096);
}

static void range_of_64k(void)
{
    script.segments[0].Flags.Use64KBPages = 1;
    range(4096, 65536);
}

static void empty_range(void)
{
    range(4096, 0);
}

static void range_behind(void)
{
    range(SCRIPT_MEMORY - 4096, 8192);
}

static void range_at_the_end(void)
{
    range(SCRIPT_MEMORY - 4096, 4096);
}

static void overlapping_ranges(void)
{
    range(8192, 8192);
    script.segments[0].NumInvalidMemoryRanges = 2;
    script.ranges[1] = (DXGK_MEMORYRANGE){12288, 4096};
}

static void touching_ranges(void)
{
    overlapping_ranges();
    script.ranges[1].SegmentOffset = 16384;
}

static void too_many_ranges(void)
{
    script.segments[0].NumInvalidMemoryRanges = 257;
}

static void untold_ranges(void)
{
    range(4096, 4096);
    script.query[DXGKQAITYPE_SEGMENTMEMORYSTATE] = STATUS_NOT_SUPPORTED;
}

static const struct refusal refusals[] = {
    {"both models", SCRIPT_GPU_MMU, both_models, one_model, "MemoryManagementCaps is 224",
     "exclude"},
    {"tables, no addresses", SCRIPT_GPU_MMU, no_virtual_addresses, one_model,
     "MemoryManagementCaps is 64", "VirtualAddressingSupported (0x20)"},
    {"addresses of nobody", SCRIPT_PHYSICAL, virtual_addresses_of_nobody, one_model,
     "MemoryManagementCaps is 32", "GpuMmuSupported (0x40)"},
    {"no contexts", SCRIPT_IO_MMU, no_contexts, one_model, "SchedulingCaps is 0",
     "MultiEngineAware"},
    {"no nodes", SCRIPT_GPU_MMU, no_nodes, two_nodes, "NumExecutionNodes is 0", "1 to 64"},
    {"65 nodes", SCRIPT_GPU_MMU, too_many_nodes, two_nodes, "NumExecutionNodes is 65", "1 to 64"},
    {"paging node", SCRIPT_GPU_MMU, paging_node_behind, two_nodes, "PagingNodeIndex is 1",
     "below NumExecutionNodes"},
    {"one level", SCRIPT_GPU_MMU, one_level, two_levels, "PageTableLevelCount is 1", "2 to 6"},
    {"seven levels", SCRIPT_GPU_MMU, seven_levels, six_levels, "PageTableLevelCount is 7",
     "2 to 6"},
    {"12 bits", SCRIPT_GPU_MMU, narrow_addresses, covered_addresses, "VirtualAddressBitCount is 12",
     "13 to 64"},
    {"65 bits", SCRIPT_GPU_MMU, wide_addresses, covered_addresses, "VirtualAddressBitCount is 65",
     "13 to 64"},
    {"coverage", SCRIPT_GPU_MMU, uncovered_addresses, covered_addresses, "is 48",
     "do not cover VirtualAddressBitCount"},
    {"no root", SCRIPT_GPU_MMU, no_root, two_levels, "VirtualAddressBitCount is 21",
     "nothing is left for the root"},
    {"mode", SCRIPT_GPU_MMU, mode_three, mode_gpu_virtual, "PageTableUpdateMode is 3",
     "2 (GPU_PHYSICAL)"},
    {"leaf for 64 KiB", SCRIPT_GPU_MMU, odd_leaf, whole_leaf,
     "LeafPageTableSizeFor64KPagesInBytes is 100", "multiple of 4096"},
    {"no index", SCRIPT_GPU_MMU, no_index, root_without_index, "PageTableIndexBitCount is 0",
     "1 to 20 bits"},
    {"long index", SCRIPT_GPU_MMU, long_index, one_model, "PageTableIndexBitCount is 21",
     "1 to 20 bits"},
    {"no table", SCRIPT_GPU_MMU, no_table, larger_table, "PageTableSizeInBytes is 0",
     "multiple of 4096"},
    {"odd table", SCRIPT_GPU_MMU, odd_table, larger_table, "PageTableSizeInBytes is 4097",
     "multiple of 4096"},
    {"system memory", SCRIPT_GPU_MMU, larger_in_system_memory, all_in_system_memory,
     "PageTableSizeInBytes is 8192", "has 4096 bytes"},
    {"alignment", SCRIPT_GPU_MMU, odd_alignment, large_alignment, "PageTableAlignmentInBytes is 3",
     "a power of two"},
    {"unknown segment", SCRIPT_GPU_MMU, unknown_segment, one_model, "PageTableSegmentId is 3",
     "the id of a memory segment"},
    {"aperture", SCRIPT_GPU_MMU, tables_in_an_aperture, all_in_system_memory,
     "PagingProcessPageTableSegmentId is 2", "the id of a memory segment"},
    {"nesting", SCRIPT_GPU_MMU, leaf_below_64k, leaf_of_64k, "of level 0 is 3", "do not nest"},
    {"odd root", SCRIPT_GPU_MMU, odd_root, two_levels, "GetRootPageTableSize answered is 100",
     "multiple of 4096"},
    {"empty root", SCRIPT_GPU_MMU, empty_root, two_levels, "GetRootPageTableSize answered is 0",
     "multiple of 4096"},
    {"large root", SCRIPT_GPU_MMU, large_root_in_system_memory, two_levels,
     "GetRootPageTableSize answered is 8192", "has 4096 bytes"},
    {"no room", SCRIPT_GPU_MMU, small_segment, segment_of_tables, "is 28672", "has no room"},
    {"paging buffers fill it", SCRIPT_GPU_MMU, large_paging_buffers, small_paging_buffers,
     "is 1073741824", "smaller paging buffers"},
    {"no submission", SCRIPT_IO_MMU, no_submit, one_model, "DxgkDdiSubmitCommandVirtual",
     "must be there"},
    {"no process", SCRIPT_IO_MMU, no_create_process, one_model, "DxgkDdiCreateProcess",
     "must be there"},
    {"no end of a process", SCRIPT_GPU_MMU, no_destroy_process, one_model, "DxgkDdiDestroyProcess",
     "must be there"},
    {"no SetRootPageTable", SCRIPT_GPU_MMU, no_set_root, one_model, "DxgkDdiSetRootPageTable",
     "must be there"},
    {"no GetRootPageTableSize", SCRIPT_GPU_MMU, no_root_size, no_root_size_of_four,
     "DxgkDdiGetRootPageTableSize", "must be there"},
    {"no Patch", SCRIPT_PHYSICAL, no_patch, one_model, "DxgkDdiPatch", "must be there"},
    {"DRIVERCAPS", SCRIPT_GPU_MMU, no_caps, one_model, "DRIVERCAPS) is 3221225659", "caps"},
    {"GPUMMUCAPS", SCRIPT_GPU_MMU, no_mmu_caps, one_model, "GPUMMUCAPS) is 3221225659",
     "describes its page tables"},
    {"PAGETABLELEVELDESC", SCRIPT_GPU_MMU, no_level, one_model, "PAGETABLELEVELDESC) is 3221225485",
     "describes each level"},
    {"QUERYSEGMENT4", SCRIPT_PHYSICAL, no_segments, one_model, "segment query is 3221225495",
     "must succeed"},
    {"CreateProcess", SCRIPT_PHYSICAL, process_refused, one_model,
     "DxgkDdiCreateProcess is 3221225495", "NumPasid 1"},
    {"first CreateDevice", SCRIPT_GPU_MMU, first_device_refused, one_model, "process of the device",
     "refused it"},
    {"second CreateDevice", SCRIPT_GPU_MMU, second_device_refused, one_model,
     "process of the device", "refused it"},
    {"CreateContext", SCRIPT_IO_MMU, context_refused, one_model,
     "DxgkDdiCreateContext is 3221225495", "system context"},
    {"UpdatePageTable", SCRIPT_GPU_MMU, update_refused, one_model,
     "UpdatePageTable for the paging process is", "0x10E, 0xB"},
    {"overlap", SCRIPT_GPU_MMU, overlapping_segments, touching_segments, "BaseAddress of a segment",
     "inside another"},
    {"unknown paging segment", SCRIPT_GPU_MMU, unknown_paging_segment, one_model,
     "PagingBufferSegmentId is 3", "aperture segment"},
    {"no paging buffer", SCRIPT_GPU_MMU, no_paging_buffer, one_model, "PagingBufferSize is 0",
     "1 byte to 1 GiB"},
    {"odd range", SCRIPT_GPU_MMU, odd_range, range_at_the_end, "SegmentOffset is 100", "multiple"},
    {"range of 64 KiB", SCRIPT_GPU_MMU, range_of_64k, range_at_the_end, "SegmentOffset is 4096",
     "65536"},
    {"empty range", SCRIPT_GPU_MMU, empty_range, range_at_the_end, "SizeInBytes is 0", "1 or more"},
    {"range behind", SCRIPT_PHYSICAL, range_behind, range_at_the_end, "SegmentOffset is 67104768",
     "ends inside"},
    {"ranges overlap", SCRIPT_GPU_MMU, overlapping_ranges, touching_ranges,
     "SegmentOffset is 12288", "do not overlap"},
    {"too many ranges", SCRIPT_GPU_MMU, too_many_ranges, touching_ranges,
     "NumInvalidMemoryRanges is 257", "256"},
    {"untold ranges", SCRIPT_GPU_MMU, untold_ranges, touching_ranges,
     "SEGMENTMEMORYSTATE) is 3221225659", "lists them"},
};

static void a_driver_that_is_wrong_is_told_why(void **state)
{
    (void)state;
    for (size_t index = 0; index < sizeof(refusals) / sizeof(refusals[0]); index++) {
        print_message("           %s\n", refusals[index].name);
        script_init(refusals[index].model);
        refusals[index].breaks();
        script_is_refused(refusals[index].member, refusals[index].legal);
    }
}

static void its_neighbour_that_is_right_starts(void **state)
{
    (void)state;
    for (size_t index = 0; index < sizeof(refusals) / sizeof(refusals[0]); index++) {
        print_message("           %s\n", refusals[index].name);
        script_init(refusals[index].model);
        refusals[index].keeps();
        script_starts();
        script_stop();
        script_finish();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driver_that_is_wrong_is_told_why),
        cmocka_unit_test(its_neighbour_that_is_right_starts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
