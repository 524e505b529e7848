/* seen_start.c: rules of the start at WDDM 2.x broken by a scripted driver, and answered. */
#include "unit/test_start_rig.h"

#include "rules_rig.h"

static void starts_and_stops(void)
{
    script_starts();
    script_stop();
    script_finish();
}

/* The calls of an adapter that did not start. */
static bool was_called(const char *line)
{
    for (uint32_t index = 0; index < script.line_count; index++)
        if (strstr(script.lines[index], line) != NULL)
            return true;
    return false;
}

/* ---- segments ---- */

void breaks_D_283(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    script.fills_first_pass = true;
    script_starts();
    assert_true(script_finds("D-283", 1));
    script_stop();
    script_finish();
}

void keeps_D_283(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    script_starts();
    assert_true(script_finds("D-283", 0));
    script_stop();
    script_finish();
}

/* The adapter ends behind the system context, and before anything else. */
void breaks_W_002(void **state)
{
    (void)state;
    for (enum script_model model = SCRIPT_GPU_MMU; model <= SCRIPT_PHYSICAL; model++) {
        script_init(model);
        script.paging_segment = 1;
        script_is_refused("PagingBufferSegmentId is 1", "(W-002)");
        assert_true(was_called("CreateContext"));
        assert_false(was_called("UpdatePageTable"));
    }
}

void keeps_W_002(void **state)
{
    (void)state;
    for (uint32_t segment = 0; segment <= 2; segment += 2) {
        script_init(SCRIPT_GPU_MMU);
        script.paging_segment = segment;
        starts_and_stops();
    }
}

/* A third segment, of memory that the CPU reaches by a window. */
static void add_window(uint32_t index)
{
    const DXGK_SEGMENTDESCRIPTOR4 window = {
        .Flags = {.SupportsCpuHostAperture = 1},
        .BaseAddress = {.QuadPart = 0x40000000},
        .Size = SCRIPT_MEMORY,
        .CpuHostAperture = {.PhysicalAddress = script.memory[1], .SizeInPages = 16},
    };

    script.segment_count = 3;
    script.segments[2] = script.segments[index];
    script.segments[index] = window;
}

void breaks_W_003(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    add_window(1);
    script_is_refused("SupportsCpuHostAperture is 2", "(W-003)");
    assert_false(was_called("CreateProcess"));
}

void keeps_W_003(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    add_window(2);
    starts_and_stops();
}

/* ---- protected ranges ---- */

/* The finding about D-231, in words; NULL: there is none. */
static const char *found_of_protected(void)
{
    struct vidmm_finding finding;

    for (uint32_t index = 0; vidmm_adapter_finding(script.adapter, index, &finding); index++)
        if (strcmp(finding.rule, "D-231") == 0)
            return finding.first;
    return NULL;
}

/* A start with these members in the segment of memory, and the member that is found wrong. */
static void protect(const DXGK_SEGMENTDESCRIPTOR4 *with, const char *found)
{
    DXGK_SEGMENTDESCRIPTOR4 *segment;

    script_init(SCRIPT_GPU_MMU);
    segment = &script.segments[0];
    segment->Flags.VprSupported = with->Flags.VprSupported;
    segment->VprRangeStartOffset = with->VprRangeStartOffset;
    segment->VprRangeSize = with->VprRangeSize;
    segment->VprAlignment = with->VprAlignment;
    segment->NumVprSupported = with->NumVprSupported;
    segment->VprReserveSize = with->VprReserveSize;
    script_starts();
    assert_true(script_finds("D-231", found ? 1 : 0));
    if (found)
        assert_ptr_equal(strstr(found_of_protected(), found), found_of_protected());
    script_stop();
    script_finish();
}

static const DXGK_SEGMENTDESCRIPTOR4 protected_range = {
    .Flags = {.VprSupported = 1},
    .VprRangeStartOffset = 0x20000,
    .VprRangeSize = 0x40000,
    .VprAlignment = 0x20000,
};

#define PROTECT(member, value, found)                                                              \
    do {                                                                                           \
        DXGK_SEGMENTDESCRIPTOR4 bad = protected_range;                                             \
                                                                                                   \
        bad.member = value;                                                                        \
        protect(&bad, found);                                                                      \
    } while (0)

void breaks_D_231(void **state)
{
    (void)state;
    PROTECT(VprAlignment, 0, "VprAlignment");
    PROTECT(VprRangeStartOffset, 0x10000, "VprRangeStartOffset");
    PROTECT(VprRangeStartOffset, (SIZE_T)1 << 40, "VprRangeStartOffset");
    PROTECT(VprRangeSize, 0, "VprRangeSize");
    PROTECT(VprRangeSize, 0x50000, "VprRangeSize");
    PROTECT(VprRangeSize, (SIZE_T)1 << 40, "VprRangeSize");
    PROTECT(VprReserveSize, 0x40001, "VprReserveSize");
}

void keeps_D_231(void **state)
{
    DXGK_SEGMENTDESCRIPTOR4 none = {.VprRangeStartOffset = 1, .VprAlignment = 2};

    (void)state;
    protect(&protected_range, NULL);
    protect(&none, NULL); /* without the flag they mean nothing */
    PROTECT(VprRangeStartOffset, 0, NULL);
    PROTECT(NumVprSupported, 3, NULL);      /* 0: as many as there is room for */
    PROTECT(VprReserveSize, 0x40000, NULL); /* 0: none */
}

/* ---- page tables ---- */

void breaks_W_004(void **state)
{
    (void)state;
    for (int address = 0; address < 2; address++) {
        script_init(SCRIPT_GPU_MMU);
        script.segments[0].CpuTranslatedAddress.QuadPart = 0;
        script.segments[0].Flags.CpuVisible = address == 0;
        script_is_refused("PagingProcessPageTableSegmentId is 1", "0x10E, 0x49 (W-004)");
        assert_true(was_called("CreateContext"));
        assert_false(was_called("UpdatePageTable"));
    }
}

/* Page tables of all processes where the CPU has a CPU host aperture alone: it shows those that the
 * start writes, before each is written. */
static void shows_tables_by_host_aperture(void)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    size_t map, update, count = 0;

    options.gpu = "wddm 2.6\nmmu gpu\nprivate_data 4K\nsegment 1 aperture 1M\n"
                  "page_table_segment 2\npaging_table_segment 2\n"
                  "segment 2 memory 2M hostaperture\n";
    shown_init(&shown, &options, NULL);
    map = shown_next(&shown, 0, VIDMM_DDI_MAP_CPU_HOST_APERTURE);
    update = shown_next(&shown, 0, VIDMM_DDI_BUILD_PAGING_BUFFER);
    assert_true(map < update && update < shown.call_count);
    for (; update < shown.call_count;
         update = shown_next(&shown, update + 1, VIDMM_DDI_BUILD_PAGING_BUFFER))
        count += shown.calls[update].argument.build.Operation == DXGK_OPERATION_UPDATE_PAGE_TABLE;
    assert_true(count > 0);
    shown_finish(&shown);
}

/* A segment that the CPU sees; or system memory, whatever the segment is. */
void keeps_W_004(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    starts_and_stops();
    script_init(SCRIPT_GPU_MMU);
    script.segments[0].CpuTranslatedAddress.QuadPart = 0;
    script.segments[0].Flags.CpuVisible = 0;
    for (uint32_t level = 0; level < 4; level++)
        script.levels[level].PagingProcessPageTableSegmentId = 0;
    script_starts();
    assert_int_equal(script.root.Address.SegmentId, 0);
    script_stop();
    script_finish();
    shows_tables_by_host_aperture();
}

void breaks_D_115(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    script.writes = 16;
    script_starts();
    assert_true(script_finds("D-115", script.updates));
    script_stop();
    script_finish();
}

void keeps_D_115(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    script_starts();
    assert_true(script_finds("D-115", 0));
    assert_true(script_translate(0) == 0); /* its entries are there on return */
    script_stop();
    script_finish();
}

void breaks_D_131(void **state)
{
    (void)state;
    for (uint32_t level = 0; level < 4; level++) {
        script_init(SCRIPT_GPU_MMU);
        script.mmu.PageTableUpdateMode = DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
        for (uint32_t other = 0; other < 4; other++)
            script.levels[other].PageTableSegmentId = other == level;
        script_is_refused("PageTableSegmentId is 1", "(D-131)");
    }
}

void keeps_D_131(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    script.mmu.PageTableUpdateMode = DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
    for (uint32_t level = 0; level < 4; level++)
        script.levels[level].PageTableSegmentId = 0;
    starts_and_stops();
}

void breaks_D_134(void **state)
{
    (void)state;
    for (uint32_t count = 0; count <= 7; count += count == 1 ? 6 : 1) {
        script_init(SCRIPT_GPU_MMU);
        script.mmu.PageTableLevelCount = count;
        script_is_refused("PageTableLevelCount is", "2 to 6 levels (D-134)");
    }
}

/* The size of the root is asked for with two levels, and with no more. */
void keeps_D_134(void **state)
{
    (void)state;
    for (uint32_t count = 2; count <= 6; count++) {
        script_init(SCRIPT_GPU_MMU);
        script.mmu.PageTableLevelCount = count;
        script.mmu.VirtualAddressBitCount = 12 + 9 * count < 57 ? 12 + 9 * count : 57;
        script_starts();
        assert_int_equal(was_called("GetRootPageTableSize 512 entries"), count == 2);
        assert_int_equal(was_called("GetRootPageTableSize"), count == 2);
        script_stop();
        script_finish();
    }
}

void breaks_D_135(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    script.levels[1].PageTableSizeInBytes = 8192;
    script.levels[1].PageTableSegmentId = 0;
    script_is_refused("PageTableSizeInBytes is 8192", "(D-135)");
    script_init(SCRIPT_GPU_MMU);
    script.levels[1].PageTableSizeInBytes = 2048;
    script_is_refused("PageTableSizeInBytes is 2048", "(D-135)");
}

void keeps_D_135(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    script.levels[1].PageTableSizeInBytes = 8192; /* in a memory segment */
    starts_and_stops();
    script_init(SCRIPT_GPU_MMU);
    script.levels[1].PageTableSegmentId = 0;
    script.levels[1].PagingProcessPageTableSegmentId = 0;
    starts_and_stops();
}

/* ---- the model ---- */

void breaks_W_007(void **state)
{
    (void)state;
    for (enum script_model model = SCRIPT_GPU_MMU; model <= SCRIPT_PHYSICAL; model++) {
        script_init(model);
        script.physical.Flags.GpuMmuSupported = model != SCRIPT_GPU_MMU;
        script_is_refused("PHYSICALADAPTERCAPS.Flags is", "(W-007)");
        script_init(model);
        script.nodes[0].GpuMmuSupported = model != SCRIPT_GPU_MMU;
        script_is_refused("GpuMmuSupported in its metadata is 0", "(W-007)");
        assert_false(was_called("CreateProcess"));
    }
}

void keeps_W_007(void **state)
{
    (void)state;
    for (enum script_model model = SCRIPT_GPU_MMU; model <= SCRIPT_PHYSICAL; model++) {
        script_init(model);
        starts_and_stops();
    }
}

void breaks_W_008(void **state)
{
    (void)state;
    for (enum script_model model = SCRIPT_GPU_MMU; model <= SCRIPT_PHYSICAL; model++) {
        script_init(model);
        script.create_process = STATUS_INVALID_PARAMETER;
        script_is_refused("DxgkDdiCreateProcess is 3221225485", "(W-008)");
        assert_false(was_called("CreateDevice"));
    }
}

void keeps_W_008(void **state)
{
    (void)state;
    for (enum script_model model = SCRIPT_GPU_MMU; model <= SCRIPT_PHYSICAL; model++) {
        script_init(model);
        script_starts();
        assert_true(was_called("CreateProcess flags 1, NumPasid 1"));
        script_stop();
        script_finish();
    }
}
