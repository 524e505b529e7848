/* seen_segment_flags.c: segment-flags.def broken, and answered. Those of WDDM 2 by the word
 * alone. */
#include "flag_words.h"
#include "seen_flags.h"

#include "wddm/level.h"

static uint32_t segment_flags; /* of a segment, as the driver describes it */
static uint32_t segment_banks;
static DXGKDDI_QUERYADAPTERINFO *query_adapter_info;

static NTSTATUS query_bent(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    NTSTATUS status = query_adapter_info(adapter, query);
    DXGK_QUERYSEGMENTOUT3 *out = query->pOutputData;
    DXGK_QUERYSEGMENTOUT4 *out4 = query->pOutputData;

    if (query->Type == DXGKQAITYPE_QUERYSEGMENT3 && out->pSegmentDescriptor != NULL)
        out->pSegmentDescriptor[1].Flags.Value = segment_flags;
    if (query->Type == DXGKQAITYPE_QUERYSEGMENT4 && out4->pSegmentDescriptor != NULL) {
        DXGK_SEGMENTDESCRIPTOR4 *second =
            (DXGK_SEGMENTDESCRIPTOR4 *)(void *)(out4->pSegmentDescriptor +
                                                out4->SegmentDescriptorStride);

        second->Flags.Value = segment_flags;
        if (second->Flags.SupportsCpuHostAperture) /* it stands where CpuTranslatedAddress stood */
            second->CpuHostAperture = (DXGK_CPUHOSTAPERTURE){.SizeInPages = 0};
    }
    return status;
}

static void bend_segments(DRIVER_INITIALIZATION_DATA *driver)
{
    query_adapter_info = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = query_bent;
}

static const char *segment_gpu; /* NULL: the rig's own, of WDDM 1.3 */

/* Start with these flags. */
static NTSTATUS start(struct shown *shown, uint32_t flags, bool strict)
{
    struct rig_options options = rig_defaults();

    segment_flags = flags;
    options.gpu = segment_gpu ? segment_gpu : options.gpu;
    options.adapter.strict = strict;
    shown_build(shown, &options, bend_segments);
    return rig_start(&shown->rig);
}

static void finish_unstarted(struct shown *shown)
{
    assert_null(shown->rig.adapter);
    shown_end(shown);
}

/* Told once and let pass; refused by a strict adapter, by its id. */
static void broken(const char *rule, uint32_t flags)
{
    struct shown shown;

    assert_int_equal(start(&shown, flags, false), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, rule), 1);
    shown_finish(&shown);
    assert_int_equal(start(&shown, flags, true), STATUS_GRAPHICS_DRIVER_MISMATCH);
    if (strstr(shown.rig.report.text, rule) == NULL)
        fail_msg("\"%s\" does not name %s", shown.rig.report.text, rule);
    finish_unstarted(&shown);
}

static void kept(const char *rule, uint32_t flags)
{
    struct shown shown;

    assert_int_equal(start(&shown, flags, true), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, rule), 0);
    shown_finish(&shown);
}

void breaks_D_036(void **state)
{
    (void)state;
    broken("D-036", 0x14); /* as Microsoft's own sample does */
}

void keeps_D_036(void **state)
{
    (void)state;
    kept("D-036", 0x4);
}

/* All eight combinations. */
void breaks_D_039(void **state)
{
    static const uint32_t illegal[] = {0x100, 0x200, 0x300, 0x380};

    (void)state;
    for (size_t index = 0; index < sizeof(illegal) / sizeof(illegal[0]); index++)
        broken("D-039", 0x4 | illegal[index]);
}

void keeps_D_039(void **state)
{
    static const uint32_t legal[] = {0, 0x80, 0x180, 0x280};

    (void)state;
    for (size_t index = 0; index < sizeof(legal) / sizeof(legal[0]); index++)
        kept("D-039", 0x4 | legal[index]);
}

/* Break the rule at WDDM 2.0, where the segments are described in another form. */
static void broken_at_2_0(const char *rule, uint32_t flags)
{
    segment_gpu = "wddm 2.0\n";
    broken(rule, flags);
    segment_gpu = NULL;
}

static void kept_at_2_0(const char *rule, uint32_t flags)
{
    segment_gpu = "wddm 2.0\n";
    kept(rule, flags);
    segment_gpu = NULL;
}

void breaks_D_042(void **state)
{
    (void)state;
    broken_at_2_0("D-042", 0x1004);
    assert_true(flags_break(VIDMM_RULE_D_042, VIDMM_FLAGS_SEGMENT, VIDMM_LEVEL(2, 0), 0, 0x1004));
}

void keeps_D_042(void **state)
{
    (void)state;
    kept_at_2_0("D-042", 0x4);
    assert_false(flags_break(VIDMM_RULE_D_042, VIDMM_FLAGS_SEGMENT, VIDMM_LEVEL(1, 3), 0, 0x1004));
}

void breaks_D_043(void **state)
{
    (void)state;
    broken_at_2_0("D-043", 0x2004);
    assert_true(flags_break(VIDMM_RULE_D_043, VIDMM_FLAGS_SEGMENT, VIDMM_LEVEL(2, 0), 0, 0x2004));
}

void keeps_D_043(void **state)
{
    (void)state;
    kept_at_2_0("D-043", 0x2000);
    assert_false(flags_break(VIDMM_RULE_D_043, VIDMM_FLAGS_SEGMENT, VIDMM_LEVEL(2, 0), 0, 0x2000));
}

void breaks_D_044(void **state)
{
    (void)state;
    broken_at_2_0("D-044", 0x4000);
    assert_true(flags_break(VIDMM_RULE_D_044, VIDMM_FLAGS_SEGMENT, VIDMM_LEVEL(2, 0), 0, 0x4000));
}

void keeps_D_044(void **state)
{
    (void)state;
    kept_at_2_0("D-044", 0x6000);
    assert_false(flags_break(VIDMM_RULE_D_044, VIDMM_FLAGS_SEGMENT, VIDMM_LEVEL(2, 0), 0, 0x6000));
}

void breaks_D_045(void **state)
{
    (void)state;
    broken_at_2_0("D-045", 0x400000);
    assert_true(flags_break(VIDMM_RULE_D_045, VIDMM_FLAGS_SEGMENT, VIDMM_LEVEL(2, 0), 0, 0x400000));
}

void keeps_D_045(void **state)
{
    (void)state;
    kept_at_2_0("D-045", 0x4);
    assert_false(
        flags_break(VIDMM_RULE_D_045, VIDMM_FLAGS_SEGMENT, VIDMM_LEVEL(2, 0), 0, 0x200000));
}

/* ---- of any level ---- */

static void refused(uint32_t flags)
{
    struct shown shown;

    shown_refused(&shown, start(&shown, flags, false), STATUS_GRAPHICS_DRIVER_MISMATCH, "D-032");
    finish_unstarted(&shown);
}

void breaks_D_032(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    refused(0x2); /* there is no AGP aperture */
    refused(0x3);
    refused(0x6);
    options.gpu = "segment 1 aperture 1M\nsegment 2 agp 4K\nsegment 3 agp 4K\n";
    options.agp_aperture = 1 << 20;
    shown_build(&shown, &options, NULL); /* one at most */
    shown_refused(&shown, rig_start(&shown.rig), STATUS_GRAPHICS_DRIVER_MISMATCH, "D-032");
    finish_unstarted(&shown);
}

void keeps_D_032(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    options.gpu = "segment 1 aperture 1M\nsegment 2 memory 256K\nsegment 3 agp 4K\n";
    options.agp_aperture = 1 << 20;
    options.adapter.strict = true;
    shown_init(&shown, &options, NULL);
    shown_finish(&shown);
    kept("D-032", 0x4);
}

static void describe_aperture(DXGK_QUERYSEGMENTOUT3 *out)
{
    out->pSegmentDescriptor[0].Flags.Value = segment_flags;
    out->pSegmentDescriptor[0].NbOfBanks = segment_banks;
}

static NTSTATUS query_aperture(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    NTSTATUS status = query_adapter_info(adapter, query);
    DXGK_QUERYSEGMENTOUT3 *out = query->pOutputData;

    if (query->Type == DXGKQAITYPE_QUERYSEGMENT3 && out->pSegmentDescriptor != NULL)
        describe_aperture(out);
    return status;
}

static void bend_aperture(DRIVER_INITIALIZATION_DATA *driver)
{
    query_adapter_info = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = query_aperture;
}

static NTSTATUS start_aperture(struct shown *shown, uint32_t flags, uint32_t banks, bool strict)
{
    struct rig_options options = rig_defaults();

    segment_flags = flags;
    segment_banks = banks;
    options.adapter.strict = strict;
    shown_build(shown, &options, bend_aperture);
    return rig_start(&shown->rig);
}

static void aperture_told(const char *rule, uint32_t flags, uint32_t banks)
{
    struct shown shown;

    assert_int_equal(start_aperture(&shown, flags, banks, false), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, rule), 1);
    shown_finish(&shown);
    shown_refused(&shown, start_aperture(&shown, flags, banks, true),
                  STATUS_GRAPHICS_DRIVER_MISMATCH, rule);
    finish_unstarted(&shown);
}

static void aperture_kept(const char *rule, uint32_t flags, uint32_t banks)
{
    struct shown shown;

    assert_int_equal(start_aperture(&shown, flags, banks, true), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, rule), 0);
    shown_finish(&shown);
}

void breaks_D_034(void **state)
{
    (void)state;
    aperture_told("D-034", 0x5, 0);
}

void keeps_D_034(void **state)
{
    (void)state;
    aperture_kept("D-034", 0x1, 0);
    kept("D-034", 0x4);
}

void breaks_D_035(void **state)
{
    (void)state;
    aperture_told("D-035", 0x9, 0);   /* no banks */
    aperture_told("D-035", 0x9, 3);   /* no table */
    aperture_told("D-035", 0x9, 128); /* more than can be named */
}

void keeps_D_035(void **state)
{
    (void)state;
    aperture_kept("D-035", 0x9, 1);   /* one bank, all of it, needs no end */
    aperture_kept("D-035", 0x1, 128); /* without UseBanking nobody looks */
}

/* ---- an aperture ---- */

static DXGKDDI_BUILDPAGINGBUFFER *build_paging_buffer;
static DXGK_BUILDPAGINGBUFFER_OPERATION fails;
static bool is_failing;

static NTSTATUS build_but_one(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    return is_failing && arguments->Operation == fails ? STATUS_NOT_SUPPORTED
                                                       : build_paging_buffer(adapter, arguments);
}

static void bend_mapping(DRIVER_INITIALIZATION_DATA *driver)
{
    build_paging_buffer = driver->DxgkDdiBuildPagingBuffer;
    driver->DxgkDdiBuildPagingBuffer = build_but_one;
}

/* An allocation is rendered with through the aperture, then destroyed. Windows would stop where one
 * of the two fails, and so does the adapter. */
static void use_aperture(DXGK_BUILDPAGINGBUFFER_OPERATION failing, bool broken)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *one;
    struct shown shown;

    fails = failing;
    is_failing = false;
    shown_init(&shown, &options, bend_mapping);
    one = &shown.rig.allocations[0];
    is_failing = broken;
    assert_int_equal(rig_create(&shown.rig, one, 9000, 1, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, &one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    vidmm_allocation_destroy(one->handle);
    one->handle = NULL;
    shown_settle(&shown);
    assert_int_equal(shown_findings(&shown, "D-030"), broken);
    if (broken) {
        assert_int_not_equal(vidmm_adapter_condition(shown.rig.adapter, &shown.rig.report),
                             STATUS_SUCCESS);
        assert_non_null(strstr(shown.rig.report.text, "0x10e"));
    } else {
        assert_int_equal(vidmm_adapter_condition(shown.rig.adapter, NULL), STATUS_SUCCESS);
    }
    rig_stop(&shown.rig);
    shown_end(&shown);
}

void breaks_D_030(void **state)
{
    (void)state;
    use_aperture(DXGK_OPERATION_MAP_APERTURE_SEGMENT, true);
    use_aperture(DXGK_OPERATION_UNMAP_APERTURE_SEGMENT, true);
}

void keeps_D_030(void **state)
{
    (void)state;
    use_aperture(DXGK_OPERATION_MAP_APERTURE_SEGMENT, false);
}
