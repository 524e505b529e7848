/* seen_segments.c: segments.def broken, and answered. */
#include "flag_words.h"
#include "placed.h"
#include "seen_flags.h"

/* ---- what a driver tells of its segments ---- */

static DXGKDDI_QUERYADAPTERINFO *query_adapter_info;
static void (*change_segments)(DXGK_QUERYSEGMENTOUT3 *out);

static NTSTATUS query_bent(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    NTSTATUS status = query_adapter_info(adapter, query);
    DXGK_QUERYSEGMENTOUT3 *out = query->pOutputData;

    if (query->Type == DXGKQAITYPE_QUERYSEGMENT3 && out->pSegmentDescriptor != NULL &&
        change_segments != NULL)
        change_segments(out);
    return status;
}

static void bend_segments(DRIVER_INITIALIZATION_DATA *driver)
{
    query_adapter_info = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = query_bent;
}

static NTSTATUS start(struct shown *shown, const char *gpu,
                      void (*change)(DXGK_QUERYSEGMENTOUT3 *out), bool strict)
{
    struct rig_options options = rig_defaults();

    options.gpu = gpu;
    options.adapter.strict = strict;
    change_segments = change;
    shown_build(shown, &options, bend_segments);
    return rig_start(&shown->rig);
}

/* It does not start, strict or not, and says why. */
static void refused(const char *rule, const char *gpu, void (*change)(DXGK_QUERYSEGMENTOUT3 *out))
{
    struct shown shown;

    shown_refused(&shown, start(&shown, gpu, change, false), STATUS_GRAPHICS_DRIVER_MISMATCH, rule);
    assert_null(shown.rig.adapter);
    shown_end(&shown);
}

static void told(const char *rule, void (*change)(DXGK_QUERYSEGMENTOUT3 *out))
{
    struct shown shown;

    assert_int_equal(start(&shown, NULL, change, false), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, rule), 1);
    shown_finish(&shown);
    shown_refused(&shown, start(&shown, NULL, change, true), STATUS_GRAPHICS_DRIVER_MISMATCH, rule);
    assert_null(shown.rig.adapter);
    shown_end(&shown);
}

static void kept(const char *rule, void (*change)(DXGK_QUERYSEGMENTOUT3 *out))
{
    struct shown shown;

    assert_int_equal(start(&shown, NULL, change, true), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, rule), 0);
    shown_finish(&shown);
}

void breaks_D_002(void **state)
{
    (void)state;
    refused("D-002", "broken segments_change\n", NULL);
}

void keeps_D_002(void **state)
{
    (void)state;
    kept("D-002", NULL);
}

static void overlap(DXGK_QUERYSEGMENTOUT3 *out)
{
    out->pSegmentDescriptor[1].BaseAddress.QuadPart =
        out->pSegmentDescriptor[0].BaseAddress.QuadPart +
        (LONGLONG)out->pSegmentDescriptor[0].Size - VIDMM_PAGE_SIZE;
}

void breaks_D_003(void **state)
{
    (void)state;
    refused("D-003", NULL, overlap);
}

void keeps_D_003(void **state)
{
    (void)state;
    kept("D-003", NULL);
}

static void ragged(DXGK_QUERYSEGMENTOUT3 *out)
{
    out->pSegmentDescriptor[1].Size -= 100;
}

static void empty(DXGK_QUERYSEGMENTOUT3 *out)
{
    out->pSegmentDescriptor[1].Size = 0;
}

static void shorter(DXGK_QUERYSEGMENTOUT3 *out)
{
    out->pSegmentDescriptor[1].Size -= VIDMM_PAGE_SIZE;
}

void breaks_D_006(void **state)
{
    (void)state;
    told("D-006", ragged);
    refused("D-006", NULL, empty);
}

void keeps_D_006(void **state)
{
    (void)state;
    kept("D-006", shorter);
}

static void visible_aperture_address(DXGK_QUERYSEGMENTOUT3 *out)
{
    out->pSegmentDescriptor[0].CpuTranslatedAddress.QuadPart = 0x1000;
}

void breaks_D_009(void **state)
{
    (void)state;
    told("D-009", visible_aperture_address);
}

void keeps_D_009(void **state)
{
    (void)state;
    kept("D-009", NULL); /* segment 2 is CpuVisible, and has one */
}

void breaks_D_012(void **state)
{
    (void)state;
    refused("D-012", "broken paging_in_memory\n", NULL);
}

void keeps_D_012(void **state)
{
    struct shown shown;

    (void)state;
    kept("D-012", NULL);
    assert_int_equal(start(&shown, "paging_buffer_segment 0\n", NULL, true), STATUS_SUCCESS);
    shown_finish(&shown);
}

void breaks_D_014(void **state)
{
    struct shown shown;

    (void)state; /* the adapter starts; a context, whose DMA buffers they are, is not made */
    shown_refused(&shown, start(&shown, "broken dma_in_memory\n", NULL, false),
                  STATUS_GRAPHICS_DRIVER_MISMATCH, "D-014");
    assert_null(shown.rig.context);
    shown_end(&shown);
}

void keeps_D_014(void **state)
{
    struct shown shown;

    (void)state;
    kept("D-014", NULL);
    assert_int_equal(start(&shown, "dma_buffer_segment 0\n", NULL, true), STATUS_SUCCESS);
    shown_finish(&shown);
}

/* ---- banks ---- */

static SIZE_T bank_ends[4];

static void banked(DXGK_QUERYSEGMENTOUT3 *out)
{
    out->pSegmentDescriptor[1].Flags.UseBanking = 1;
    out->pSegmentDescriptor[1].NbOfBanks = 4;
    out->pSegmentDescriptor[1].pBankRangeTable = bank_ends;
}

static void banks_are(SIZE_T first, SIZE_T second, SIZE_T third, SIZE_T fourth)
{
    bank_ends[0] = first;
    bank_ends[1] = second;
    bank_ends[2] = third;
    bank_ends[3] = fourth;
}

void breaks_D_015(void **state)
{
    (void)state;
    banks_are(0x10000, 0x10000, 0x20000, 0x40000);
    told("D-015", banked);
    banks_are(0x10000, 0x8000, 0x20000, 0x40000);
    told("D-015", banked);
    banks_are(0x10000, 0x20000, 0x40000, 0x40000); /* the third leaves nothing to the fourth */
    told("D-015", banked);
}

void keeps_D_015(void **state)
{
    (void)state;
    banks_are(0x10000, 0x20000, 0x30000, 0x40000);
    kept("D-015", banked);
    banks_are(0x10000, 0x20000, 0x30000, 0); /* the last may be left out */
    kept("D-015", banked);
}

static uint32_t bank_hint;

static void hinted(DXGK_ALLOCATIONINFO *info)
{
    info->PreferredSegment.Value = 2;
    info->HintedBank.Value = bank_hint;
}

static const char banks[] = "segment 1 aperture 1M\nsegment 2 memory 256K banks 128K\n";

void breaks_D_016(void **state)
{
    (void)state;
    bank_hint = 3; /* of two */
    described_broken("D-016", banks, hinted);
    bank_hint = 1; /* of none */
    described_broken("D-016", NULL, hinted);
}

void keeps_D_016(void **state)
{
    (void)state;
    bank_hint = 2 | 0x81 << 8;
    described_kept("D-016", banks, hinted);
}

/* ---- overlays ---- */

#define CROWDED "segment 1 aperture 512K\nsegment 2 memory 640K\n"

/* A machine of a level, and the id of the rule there. */
static const struct crowded {
    const char *gpu, *rule;
} of_1_1 = {CROWDED, "S0-044"}, of_2_0 = {"wddm 2.0\n" CROWDED, "S3-021"};

static uint64_t evicted_pages(const struct crowded *at, bool strict, struct shown *shown,
                              uint64_t pages, NTSTATUS *status)
{
    struct rig_options options = rig_defaults();
    struct softgpu_allocation wish = placed_wish(4, 1);
    struct rig_allocation overlay, other;

    options.gpu = at->gpu;
    options.adapter.strict = strict;
    shown_init(shown, &options, NULL);
    wish.flags = OVERLAY;
    placed_create(shown, &overlay, &wish);
    wish = placed_wish(pages, 2);
    wish.evict_set = 1;
    *status = placed_try(shown, &other, &wish);
    return shown_findings(shown, at->rule);
}

/* The overlay comes when the other is there already. */
static uint64_t overlaid(const struct crowded *at, uint64_t pages, uint64_t overlay_pages,
                         NTSTATUS expected)
{
    struct rig_options options = rig_defaults();
    struct softgpu_allocation wish = placed_wish(pages, 2);
    struct rig_allocation overlay, other;
    struct shown shown;
    uint64_t told;

    options.gpu = at->gpu;
    shown_init(&shown, &options, NULL);
    wish.evict_set = 1;
    placed_create(&shown, &other, &wish);
    wish = placed_wish(overlay_pages, 1);
    wish.flags = OVERLAY;
    assert_int_equal(placed_try(&shown, &overlay, &wish), expected);
    told = shown_findings(&shown, at->rule);
    if (expected != STATUS_SUCCESS) { /* there is no overlay to be crowded */
        wish = placed_wish(103, 2);
        wish.evict_set = 1;
        placed_create(&shown, &other, &wish);
        assert_int_equal(shown_findings(&shown, at->rule), told);
    }
    shown_finish(&shown);
    return told;
}

static void crowded_breaks(const struct crowded *at)
{
    struct shown shown;
    NTSTATUS status;

    assert_int_equal(evicted_pages(at, false, &shown, 103, &status), 1);
    assert_int_equal(status, STATUS_SUCCESS);
    shown_finish(&shown);
    assert_int_equal(evicted_pages(at, true, &shown, 103, &status), 0);
    shown_refused(&shown, status, STATUS_INVALID_PARAMETER, at->rule);
    shown_finish(&shown);
    assert_int_equal(overlaid(at, 103, 4, STATUS_SUCCESS), 1);
}

static void crowded_keeps(const struct crowded *at)
{
    struct shown shown;
    NTSTATUS status;

    assert_int_equal(evicted_pages(at, true, &shown, 102, &status), 0);
    assert_int_equal(status, STATUS_SUCCESS);
    shown_finish(&shown);
    assert_int_equal(overlaid(at, 102, 4, STATUS_SUCCESS), 0);
    assert_int_equal(overlaid(at, 103, 64, STATUS_GRAPHICS_NO_VIDEO_MEMORY), 0);
}

void breaks_S0_044(void **state)
{
    (void)state;
    crowded_breaks(&of_1_1);
}

void keeps_S0_044(void **state)
{
    (void)state;
    crowded_keeps(&of_1_1);
}

void breaks_S3_021(void **state)
{
    (void)state;
    crowded_breaks(&of_2_0);
}

void keeps_S3_021(void **state)
{
    (void)state;
    crowded_keeps(&of_2_0);
}

/* ---- what may be in memory of 64 KiB pages ---- */

#define WIDE_MEMORY "wddm 2.6\nmmu gpu\npages_64k single\n"

static uint32_t aligned_to, supported;

static void aligned(DXGK_ALLOCATIONINFO *info)
{
    info->SupportedReadSegmentSet = info->SupportedWriteSegmentSet = supported;
    info->PreferredSegment.Value = 0;
    info->Alignment = aligned_to;
}

void breaks_D_024(void **state)
{
    (void)state;
    supported = 2;
    aligned_to = 0x8000;
    described_broken("D-024", WIDE_MEMORY, aligned);
    supported = 3; /* it may go elsewhere, too */
    aligned_to = 1;
    described_broken("D-024", WIDE_MEMORY, aligned);
}

void keeps_D_024(void **state)
{
    (void)state;
    supported = 2;
    aligned_to = 0x10000;
    described_kept("D-024", WIDE_MEMORY, aligned);
    aligned_to = 0x20000;
    described_kept("D-024", WIDE_MEMORY, aligned);
    aligned_to = 0x1000;
    described_kept("D-024", "wddm 2.6\nmmu gpu\n", aligned); /* pages of 4 KiB */
    supported = 1;                                           /* and those of the aperture are */
    described_kept("D-024", WIDE_MEMORY, aligned);
}
