/* seen_allocation_info.c: allocation-info.def broken, and answered. */
#include "seen_flags.h"

/* Segment 1 is the aperture, segment 2 the memory; the rig's allocations live in 2. */
static uint32_t preferred;

static void unreadable(DXGK_ALLOCATIONINFO *info)
{
    info->SupportedReadSegmentSet = 2;
    info->SupportedWriteSegmentSet = 3;
    info->PreferredSegment.Value = preferred;
}

static void unwritable(DXGK_ALLOCATIONINFO *info)
{
    info->SupportedReadSegmentSet = 3;
    info->SupportedWriteSegmentSet = 2;
    info->PreferredSegment.Value = preferred;
}

void breaks_S1_010(void **state)
{
    (void)state;
    preferred = 2 | 1 << 6; /* the second of them cannot be read */
    described_broken("S1-010", NULL, unreadable);
}

void keeps_S1_010(void **state)
{
    (void)state;
    preferred = 2;
    described_kept("S1-010", NULL, unreadable);
}

void breaks_S1_012(void **state)
{
    (void)state;
    preferred = 1;
    described_broken("S1-012", NULL, unwritable);
}

void keeps_S1_012(void **state)
{
    (void)state;
    preferred = 2;
    described_kept("S1-012", NULL, unwritable);
}

static void evicted_into_memory(DXGK_ALLOCATIONINFO *info)
{
    info->EvictionSegmentSet = 3;
}

static void evicted_through_aperture(DXGK_ALLOCATIONINFO *info)
{
    info->EvictionSegmentSet = 1;
}

void breaks_S1_013(void **state)
{
    (void)state;
    described_broken("S1-013", NULL, evicted_into_memory);
}

void keeps_S1_013(void **state)
{
    (void)state;
    described_kept("S1-013", NULL, evicted_through_aperture);
}

/* ---- sizes ---- */

static uint64_t described_size, described_rows;
static uint32_t described_alignment;

static void sized(DXGK_ALLOCATIONINFO *info)
{
    info->Size = described_size;
    info->Alignment = described_alignment;
    info->PitchAlignedSize = described_rows;
}

static NTSTATUS create_sized(struct shown *shown, uint64_t size, uint32_t alignment,
                             struct rig_allocation *allocation)
{
    described_size = size;
    described_alignment = alignment;
    described_rows = 0;
    flags_begin(shown, NULL, sized, false);
    return rig_create(&shown->rig, allocation, VIDMM_PAGE_SIZE, 2, 0);
}

void breaks_S1_004(void **state)
{
    struct rig_allocation allocation;
    struct shown shown;

    (void)state;
    shown_refused(&shown, create_sized(&shown, 4096, 3 * 4096, &allocation),
                  STATUS_INVALID_PARAMETER, "S1-004");
    shown_finish(&shown);
}

void keeps_S1_004(void **state)
{
    struct rig_allocation first, second, *list[] = {&first, &second};
    struct shown shown;

    (void)state;
    assert_int_equal(create_sized(&shown, 4096, 0, &first), STATUS_SUCCESS);
    described_alignment = 32 << 10; /* bytes */
    assert_int_equal(rig_create(&shown.rig, &second, VIDMM_PAGE_SIZE, 2, 0), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, list, 2, 3), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    for (size_t i = 0; i < shown.operation_count; i++)
        if (shown.operations[i].kind == VIDMM_DO_PLACED &&
            shown.operations[i].allocation == vidmm_allocation_id(second.handle))
            assert_int_equal(shown.operations[i].placed.place.offset % (32 << 10), 0);
    shown_finish(&shown);
}

void breaks_S1_005(void **state)
{
    struct rig_allocation allocation;
    struct shown shown;

    (void)state;
    shown_refused(&shown, create_sized(&shown, 0, 0, &allocation), STATUS_INVALID_PARAMETER,
                  "S1-005");
    shown_finish(&shown);
}

void keeps_S1_005(void **state)
{
    static const uint64_t sizes[][2] = {{1, 4096}, {4096, 4096}, {4097, 8192}, {40000, 40960}};
    struct rig_allocation allocation;
    struct shown shown;

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        assert_int_equal(create_sized(&shown, sizes[i][0], 0, &allocation), STATUS_SUCCESS);
        assert_int_equal(vidmm_allocation_size(allocation.handle), sizes[i][1]);
        shown_finish(&shown);
    }
}

static const char rows[] = "segment 1 aperture 1M\nsegment 2 memory 256K pitchaligned\n";

void breaks_S1_006(void **state)
{
    struct shown shown;

    (void)state;
    described_size = 8192;
    described_rows = 4096; /* less than Size */
    described_broken("S1-006", rows, sized);
    described_rows = 12288; /* and no segment has rows */
    described_broken("S1-006", NULL, sized);
    for (uint32_t i = 0; i < 2; i++) { /* more than any segment has; rounded up, nothing at all */
        described_rows = i == 0 ? UINT64_C(1) << 44 : UINT64_MAX;
        flags_begin(&shown, rows, sized, false);
        shown_refused(&shown, flags_create(&shown), STATUS_INVALID_PARAMETER, "S1-006");
        shown_finish(&shown);
    }
}

void keeps_S1_006(void **state)
{
    (void)state;
    described_size = 8192;
    described_rows = 12288;
    described_kept("S1-006", rows, sized);
    described_rows = 0;
    described_kept("S1-006", NULL, sized);
}
