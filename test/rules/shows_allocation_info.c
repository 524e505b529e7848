/* shows_allocation_info.c: allocation-info.def, obeyed. */
#include "placed.h"

static DXGKDDI_CREATEALLOCATION *create_allocation;
static uint32_t creations;

static NTSTATUS create_looking(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    const DXGK_ALLOCATIONINFO *info = &arguments->pAllocationInfo[0];
    struct softgpu_allocation wish;

    assert_int_equal(info->PrivateDriverDataSize, sizeof(wish));
    memcpy(&wish, info->pPrivateDriverData, sizeof(wish));
    assert_int_equal(wish.magic, SOFTGPU_ALLOCATION_MAGIC);
    assert_ptr_not_equal(info->pPrivateDriverData, arguments->pPrivateDriverData);
    assert_int_equal(arguments->PrivateDriverDataSize, 0); /* the group has none */
    creations++;
    return create_allocation(adapter, arguments);
}

static void bend_creating(DRIVER_INITIALIZATION_DATA *driver)
{
    create_allocation = driver->DxgkDdiCreateAllocation;
    driver->DxgkDdiCreateAllocation = create_looking;
}

static void create_two(void)
{
    const struct softgpu_allocation wish = placed_wish(4, 2);
    struct rig_allocation one, other;
    struct shown shown;

    creations = 0;
    placed_init(&shown, NULL, bend_creating);
    placed_now(&shown, &one, &wish);
    placed_now(&shown, &other, &wish);
    assert_int_equal(creations, 2);
    shown_finish(&shown);
}

void shows_S1_001(void **state)
{
    (void)state;
    create_two();
}

void shows_S1_003(void **state)
{
    struct softgpu_allocation wish = placed_wish(4, 2);
    struct vidmm_allocation *allocation = NULL;
    struct shown shown;

    (void)state;
    create_two();
    placed_init(&shown, NULL, NULL); /* the driver sees that a byte is missing */
    assert_int_not_equal(vidmm_allocation_create(shown.rig.device, &wish, sizeof(wish) - 1,
                                                 &allocation, &shown.rig.report),
                         STATUS_SUCCESS);
    shown.rig.driver_refusals = 1;
    shown_finish(&shown);
}

static void prefer_what_is_in_no_set(DXGK_ALLOCATIONINFO *info)
{
    info->PreferredSegment.Value = 1 | 3 << 6;
}

void shows_S1_007(void **state)
{
    static const char gpu[] = "segment 1 aperture 1M\nsegment 2 memory 256K banks 64K,128K\n"
                              "segment 3 memory 256K banks 32K,224K\n";
    struct softgpu_allocation wish = placed_wish(4, 6);
    struct rig_allocation one, other, third;
    struct shown shown;

    (void)state;
    placed_init(&shown, gpu, NULL);
    wish.preferred = 3 | 2 << 6;
    wish.hinted_bank = 2;
    placed_is(placed_now(&shown, &one, &wish), 3, 8); /* bank 2 of segment 3 */
    wish.preferred = 2 | 3 << 6;
    placed_is(placed_now(&shown, &other, &wish), 2, 16); /* of segment 2 */
    shown_finish(&shown);
    shown_bend.change = prefer_what_is_in_no_set; /* its banks are nobody's */
    placed_init(&shown, gpu, shown_bend_creation);
    placed_is(placed_now(&shown, &third, &wish), 3, 0);
    shown_finish(&shown);
}

void shows_S1_008(void **state)
{
    static const char gpu[] = "segment 1 aperture 1M\nsegment 2 memory 128K\n"
                              "segment 3 memory 128K\nsegment 4 memory 128K\n";
    static const uint32_t orders[][3] = {{2, 3, 4}, {3, 4, 2}, {4, 2, 3}, {4, 3, 2}, {1, 2, 3}};
    struct softgpu_allocation wish = placed_wish(4, 0xf);
    struct shown shown;

    (void)state;
    placed_init(&shown, gpu, NULL);
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        struct rig_allocation one;

        wish.preferred = orders[i][0] | orders[i][1] << 6 | orders[i][2] << 12;
        assert_int_equal(placed_now(&shown, &one, &wish).segment, orders[i][0]);
    }
    shown_finish(&shown);
}

static DXGK_ALLOCATIONUSAGEHINT *usage_hint;

static void hint(DXGK_ALLOCATIONINFO *info)
{
    info->pAllocationUsageHint = usage_hint;
}

void shows_S1_021(void **state)
{
    static DXGK_ALLOCATIONUSAGEHINT given;
    const struct softgpu_allocation wish = placed_wish(4, 2);
    struct vidmm_place places[2];
    struct rig_allocation one;
    struct shown shown;

    (void)state;
    memset(&given, 0xff, sizeof(given)); /* its value obliges to nothing */
    shown_bend.change = hint;
    for (uint32_t i = 0; i < 2; i++) {
        usage_hint = i == 0 ? NULL : &given;
        placed_init(&shown, NULL, shown_bend_creation);
        places[i] = placed_now(&shown, &one, &wish);
        shown_finish(&shown);
    }
    assert_int_equal(places[0].segment, places[1].segment);
}
