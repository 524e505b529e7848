/* shows_segment_flags.c: segment-flags.def, obeyed. */
#include "flag_words.h"
#include "placed.h"

void shows_D_031(void **state)
{
    struct softgpu_allocation wish = placed_wish(40, 2);
    struct rig_allocation memory, other, aperture;
    struct shown shown;

    (void)state;
    placed_init(&shown, NULL, NULL);
    placed_now(&shown, &memory, &wish);
    placed_now(&shown, &other, &wish);
    placed_use(&shown, &memory, 0);
    wish = placed_wish(40, 1);
    placed_now(&shown, &aperture, &wish);
    assert_int_equal(placed_builds(&shown, 0, &memory, VIDMM_MAP_APERTURE_SEGMENT), 0);
    assert_int_equal(placed_builds(&shown, 0, &memory, VIDMM_FILL), 1);
    assert_int_equal(placed_builds(&shown, 0, &memory, VIDMM_TRANSFER), 2); /* out, and in */
    assert_int_equal(placed_builds(&shown, 0, &aperture, VIDMM_MAP_APERTURE_SEGMENT), 1);
    assert_int_equal(placed_builds(&shown, 0, &aperture, VIDMM_FILL), 0);
    assert_int_equal(placed_builds(&shown, 0, &aperture, VIDMM_TRANSFER), 0);
    shown_finish(&shown);
}

static DXGKDDI_QUERYADAPTERINFO *query_adapter_info;

/* The aperture is said to be pitch-aligned. */
static NTSTATUS query_bent(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    NTSTATUS status = query_adapter_info(adapter, query);
    DXGK_QUERYSEGMENTOUT3 *out = query->pOutputData;

    if (query->Type == DXGKQAITYPE_QUERYSEGMENT3 && out->pSegmentDescriptor != NULL)
        out->pSegmentDescriptor[0].Flags.PitchAlignment = 1;
    return status;
}

static void bend_aperture(DRIVER_INITIALIZATION_DATA *driver)
{
    query_adapter_info = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = query_bent;
}

static void push_out(struct shown *shown, struct rig_allocation *one)
{
    struct softgpu_allocation wish = placed_wish(40, 2);
    struct rig_allocation other;

    wish.evict_set = 1;
    placed_now(shown, one, &wish);
    placed_now(shown, &other, &wish);
}

void shows_D_037(void **state)
{
    struct softgpu_allocation wish = placed_wish(24, 2); /* 32 pages of rows */
    struct rig_allocation one, other, third;
    struct shown shown;
    size_t at;

    (void)state;
    placed_init(&shown, "segment 1 aperture 1M\nsegment 2 memory 256K pitchaligned\n", NULL);
    placed_is(placed_now(&shown, &one, &wish), 2, 0);
    placed_is(placed_now(&shown, &other, &wish), 2, 32);
    placed_now(&shown, &third, &wish); /* 32 of 64 pages: somebody leaves */
    assert_int_equal(vidmm_allocation_size(one.handle), PLACED_PAGES(24));
    at = shown_next_build(&shown, 0, DXGK_OPERATION_FILL);
    assert_int_equal(shown.calls[at].argument.build.Fill.FillSize, PLACED_PAGES(32));
    at = shown_next_build(&shown, 0, DXGK_OPERATION_TRANSFER);
    assert_int_not_equal(at, SIZE_MAX);
    assert_int_equal(shown.calls[at].argument.build.Transfer.TransferSize, PLACED_PAGES(24));
    placed_use(&shown, &one, 0); /* the GPU finds every byte in its row */
    placed_use(&shown, &other, 0);
    shown_finish(&shown);
    placed_init(&shown, NULL, bend_aperture);
    push_out(&shown, &one);
    assert_int_equal(placed_builds(&shown, 0, &one, VIDMM_MAP_APERTURE_SEGMENT), 0);
    assert_int_equal(shown_findings(&shown, "D-037"), 2);
    shown_finish(&shown);
    placed_init(&shown, NULL, NULL);
    push_out(&shown, &one);
    assert_int_equal(placed_builds(&shown, 0, &one, VIDMM_MAP_APERTURE_SEGMENT), 1);
    shown_finish(&shown);
}

/* ---- power ----------------------------------------------------------------------------------- */

/* One allocation in each of two segments; bit n - 1 of the answer: that of segment n was saved. */
static unsigned saved_by(const char *gpu, enum vidmm_power power)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *both[2];
    struct shown it;
    unsigned saved = 0;
    size_t at;

    options.gpu = gpu;
    shown_init(&it, &options, NULL);
    both[0] = &it.rig.allocations[0];
    both[1] = &it.rig.allocations[1];
    assert_int_equal(rig_create(&it.rig, both[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(rig_create(&it.rig, both[1], 5000, 4, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(rig_render(&it.rig, both, 2, 3), STATUS_SUCCESS);
    vidmm_context_wait(it.rig.context, it.rig.value);
    at = it.call_count;
    assert_int_equal(vidmm_adapter_set_power(it.rig.adapter, power, NULL), STATUS_SUCCESS);
    for (; (at = shown_next_build(&it, at, DXGK_OPERATION_TRANSFER)) != SIZE_MAX; at++)
        saved |= 1u << it.calls[at].argument.build.Transfer.Source.SegmentId >> 1;
    assert_int_equal(vidmm_adapter_set_power(it.rig.adapter, VIDMM_POWER_D0, NULL), STATUS_SUCCESS);
    assert_int_equal(rig_render(&it.rig, both, 2, 3), STATUS_SUCCESS); /* and every byte is there */
    vidmm_context_wait(it.rig.context, it.rig.value);
    shown_finish(&it);
    return saved;
}

void shows_D_040(void **state)
{
    static const char standby[] =
        "segment 1 aperture 1M\nsegment 2 memory 256K cpuvisible standby\n"
        "segment 3 memory 256K cpuvisible\n";
    static const char both[] =
        "segment 1 aperture 1M\nsegment 2 memory 256K cpuvisible standby hibernate\n"
        "segment 3 memory 256K cpuvisible standby\n";

    (void)state;
    assert_int_equal(saved_by(standby, VIDMM_POWER_STANDBY), 4);
    assert_int_equal(saved_by(standby, VIDMM_POWER_HIBERNATE), 6);
    assert_int_equal(saved_by(standby, VIDMM_POWER_HYBRID_SLEEP), 6);
    assert_int_equal(saved_by(both, VIDMM_POWER_HIBERNATE), 4);
    assert_int_equal(saved_by(both, VIDMM_POWER_HYBRID_SLEEP), 4);
    assert_int_equal(saved_by(both, VIDMM_POWER_STANDBY), 0);
    assert_int_equal(saved_by(both, VIDMM_POWER_D3), 6);
}
