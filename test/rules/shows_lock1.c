/* shows_lock1.c: lock1.def, obeyed. */
#include "rules_rig.h"

enum { CPU_VISIBLE = 1, WHOLE = 30 * VIDMM_PAGE_SIZE };

/* The first allocations of a rig, each of half the memory segment. */
static struct rig_allocation *create(struct shown *shown, uint32_t count, uint32_t set,
                                     uint32_t flags)
{
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(rig_create(&shown->rig, &shown->rig.allocations[i], WHOLE, set, flags),
                         STATUS_SUCCESS);
    return shown->rig.allocations;
}

static void use(struct shown *shown, struct rig_allocation *allocation, bool write)
{
    assert_int_equal(rig_render(&shown->rig, &allocation, 1, write), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
}

/* Read all of what is locked, and write a part. */
static void touch(struct shown *shown, struct rig_allocation *allocation, void *data)
{
    for (uint32_t page = 0; page < allocation->pages; page++)
        rig_touch_page(&shown->rig, allocation, (char *)data + page * VIDMM_PAGE_SIZE, page,
                       page % 3 == 0);
    assert_true(shown->rig.cpu_mismatches == 0);
}

/* Where the newest DMA buffer found its only allocation. */
static uint32_t segment_of_last_use(const struct shown *shown)
{
    for (size_t i = shown->operation_count; i-- > 0;)
        if (shown->operations[i].kind == VIDMM_DO_PLACED)
            return shown->operations[i].placed.place.segment;
    fail_msg("nothing was placed");
    return 0;
}

void shows_S0_004(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    void *data = &shown;

    (void)state;
    shown_init(&shown, &options, NULL);
    create(&shown, 1, 2, 0);
    assert_int_equal(vidmm_lock(shown.rig.allocations[0].handle, 0, &data),
                     STATUS_INVALID_PARAMETER);
    assert_ptr_equal(data, &shown);
    assert_int_equal(vidmm_unlock(shown.rig.allocations[0].handle), STATUS_INVALID_PARAMETER);
    vidmm_allocation_destroy(shown.rig.allocations[0].handle);
    shown.rig.allocations[0].handle = NULL;
    shown_finish(&shown);
}

void shows_D_147(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    for (uint32_t aperture = 0; aperture < 2; aperture++) {
        options.evict_through_aperture = aperture != 0;
        shown_init(&shown, &options, NULL);
        struct rig_allocation *a = create(&shown, 3, 2, CPU_VISIBLE);
        void *data, *again;
        use(&shown, &a[0], true);
        assert_int_equal(vidmm_lock(a[0].handle, 0, &data), STATUS_SUCCESS);
        touch(&shown, &a[0], data);
        size_t from = shown.call_count;
        use(&shown, &a[1], true);
        use(&shown, &a[2], true);
        size_t out = shown_next_build(&shown, from, DXGK_OPERATION_TRANSFER);
        assert_true(out != SIZE_MAX);
        assert_int_equal(shown.calls[out].argument.build.Transfer.Source.SegmentId, 2);
        touch(&shown, &a[0], data);
        assert_int_equal(vidmm_unlock(a[0].handle), STATUS_SUCCESS);
        use(&shown, &a[0], false); /* the GPU finds what was written before and after */
        assert_int_equal(vidmm_lock(a[0].handle, 0, &again), STATUS_SUCCESS);
        assert_ptr_equal(again, data);
        assert_int_equal(vidmm_unlock(a[0].handle), STATUS_SUCCESS);
        shown_finish(&shown);
    }
}

void shows_D_160(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;
    void *data;

    (void)state;
    for (uint32_t set = 2; set <= 3; set++) {
        shown_init(&shown, &options, NULL);
        struct rig_allocation *a = create(&shown, 1, set, CPU_VISIBLE);
        use(&shown, &a[0], true);
        assert_int_equal(segment_of_last_use(&shown), 2);
        assert_int_equal(vidmm_lock(a[0].handle, 0, &data), STATUS_SUCCESS);
        touch(&shown, &a[0], data);
        if (set == 3) { /* an aperture may show it: it moves */
            use(&shown, &a[0], true);
            assert_int_equal(segment_of_last_use(&shown), 1);
            touch(&shown, &a[0], data);
        } else { /* it cannot be elsewhere: the rendering fails */
            assert_int_equal(rig_render(&shown.rig, &a, 1, 1),
                             STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION);
        }
        assert_int_equal(vidmm_unlock(a[0].handle), STATUS_SUCCESS);
        use(&shown, &a[0], true);
        shown_finish(&shown);
    }
}
