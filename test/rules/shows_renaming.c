/* shows_renaming.c: renaming.def, obeyed. */
#include <vidmm/resource.h>

#include "flag_words.h"
#include "rename.h"

/* How many different ones `count` discards in a row give, each used and never waited for by the
 * program. */
static uint32_t spin(struct shown *shown, struct rig_allocation *versions, uint32_t count)
{
    uint32_t different = 1;

    for (uint32_t n = 1; n <= count; n++) {
        bool seen = false;

        assert_int_equal(rename_discard(&shown->rig, &versions[n - 1], &versions[n], 0),
                         STATUS_SUCCESS);
        rename_use(shown, &versions[n]);
        for (uint32_t k = 0; k < n; k++)
            seen = seen || versions[k].handle == versions[n].handle;
        different += !seen;
    }
    return different;
}

/* As a program does it, `count` times: discard, draw, never wait; beside it something large that
 * crowds the instances out of their segment. */
static void draw(struct shown *shown, struct rig_allocation *versions, uint32_t count)
{
    struct rig_allocation *large = &shown->rig.allocations[0];

    assert_int_equal(rig_create(&shown->rig, large, 36 * VIDMM_PAGE_SIZE, 2, CPU_VISIBLE),
                     STATUS_SUCCESS);
    for (uint32_t n = 0; n < count; n++) {
        assert_int_equal(rename_discard(&shown->rig, &versions[n % 2], &versions[(n + 1) % 2], 0),
                         STATUS_SUCCESS);
        rename_use(shown, &versions[(n + 1) % 2]);
        if (n % 3 == 0)
            assert_int_equal(rig_render(&shown->rig, &large, 1, 1), STATUS_SUCCESS);
    }
}

/* The third instance is the last; the fourth discard waits for the first to be done with. */
void shows_S1_016(void **state)
{
    struct rig_allocation versions[VERSIONS];
    struct shown shown;

    (void)state;
    rename_limit = 3;
    rename_begin(&shown, versions, 1);
    rename_use(&shown, versions);
    assert_int_equal(spin(&shown, versions, VERSIONS - 1), 3);
    rename_end(&shown, versions);
}

void shows_D_168(void **state)
{
    struct rig_allocation versions[VERSIONS];
    struct shown shown;

    (void)state;
    for (uint32_t set = 1; set <= 2; set++) {
        rename_begin(&shown, versions, set);
        /* idle, and nothing is queued: the same */
        assert_int_equal(rename_discard(&shown.rig, &versions[0], &versions[1],
                                        VIDMM_LOCK_NO_EXISTING_REFERENCE),
                         STATUS_SUCCESS);
        assert_ptr_equal(versions[1].handle, versions[0].handle);
        rename_use(&shown, &versions[1]);
        /* busy: another, though the program says that it has nothing queued */
        assert_int_equal(rename_discard(&shown.rig, &versions[1], &versions[2],
                                        VIDMM_LOCK_NO_EXISTING_REFERENCE),
                         STATUS_SUCCESS);
        assert_ptr_not_equal(versions[2].handle, versions[1].handle);
        rename_use(&shown, &versions[2]);
        rename_go(&shown);
        /* idle, and nothing is queued: the same */
        assert_int_equal(rename_discard(&shown.rig, &versions[2], &versions[3],
                                        VIDMM_LOCK_NO_EXISTING_REFERENCE),
                         STATUS_SUCCESS);
        assert_ptr_equal(versions[3].handle, versions[2].handle);
        rename_use(&shown, &versions[3]);
        rename_go(&shown);
        /* something may be queued: the other one that is idle, with what the GPU reads untouched */
        assert_int_equal(rename_discard(&shown.rig, &versions[3], &versions[4], 0), STATUS_SUCCESS);
        assert_ptr_equal(versions[4].handle, versions[0].handle);
        rename_use(&shown, &versions[3]);
        rename_use(&shown, &versions[4]);
        rename_end(&shown, versions);
        rename_kind = VIDMM_MACHINE_THREADED;
        rename_begin(&shown, versions, set);
        draw(&shown, versions, 200);
        rename_end(&shown, versions);
        rename_kind = VIDMM_MACHINE_SIMULATED;
    }
}

static uint64_t pages(const struct shown *shown)
{
    return vidmm_machine_counts(shown->rig.machine).pages;
}

/* Instances beyond the need are given back in time, and come again when they are needed. */
static void shrink_and_grow(struct shown *shown, struct rig_allocation *versions)
{
    uint64_t most = pages(shown);

    rename_go(shown);
    for (uint32_t n = 0; n < 200; n++) {
        struct rig_allocation *from = &versions[n == 0 ? VERSIONS - 1 : n % 2];

        assert_int_equal(rename_discard(&shown->rig, from, &versions[(n + 1) % 2], 0),
                         STATUS_SUCCESS);
        rename_use(shown, &versions[(n + 1) % 2]);
        rename_go(shown);
    }
    /* left are the one that is drawn with, one that is idle, and the first */
    assert_true(most - pages(shown) >= (VERSIONS - 3) * PAGES);
    rename_use(shown, versions);
    assert_int_equal(spin(shown, versions, VERSIONS - 1), VERSIONS);
    assert_int_equal(pages(shown), most);
}

/* No limit of the driver's: one for each discard, until they would crowd the segment. With a limit
 * that is higher than that: the same. */
void shows_D_169(void **state)
{
    struct rig_allocation versions[VERSIONS];
    struct shown shown;

    (void)state;
    for (uint32_t higher = 0; higher <= 20; higher += 20) {
        rename_limit = higher;
        rename_begin(&shown, versions, 1); /* an aperture of 256 pages: there is always room */
        rename_use(&shown, versions);
        assert_int_equal(spin(&shown, versions, VERSIONS - 1), VERSIONS);
        shrink_and_grow(&shown, versions);
        rename_end(&shown, versions);
        rename_limit = higher;
        rename_begin(&shown, versions, 2); /* 64 pages: half of them */
        rename_use(&shown, versions);
        assert_int_equal(spin(&shown, versions, VERSIONS - 1), 8);
        rename_end(&shown, versions);
    }
}

/* Places that paging operations bring the handle to, from record `from` on. */
static size_t count_places(const struct shown *shown, size_t from, HANDLE handle)
{
    UINT pages[VERSIONS];
    size_t count = 0;

    while ((from = shown_next_build(shown, from, DXGK_OPERATION_MAP_APERTURE_SEGMENT)) !=
           SIZE_MAX) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &shown->calls[from++].argument.build;
        bool seen = build->MapApertureSegment.hAllocation != handle;

        for (size_t k = 0; k < count; k++)
            seen = seen || pages[k] == (UINT)build->MapApertureSegment.OffsetInPages;
        if (!seen)
            pages[count++] = (UINT)build->MapApertureSegment.OffsetInPages;
    }
    return count;
}

void shows_D_170(void **state)
{
    struct rig_allocation versions[VERSIONS];
    struct shown shown;
    size_t from, created, made;

    (void)state;
    rename_begin(&shown, versions, 1);
    created = shown_next(&shown, 0, VIDMM_DDI_CREATE_ALLOCATION);
    while ((from = shown_next(&shown, created + 1, VIDMM_DDI_CREATE_ALLOCATION)) != SIZE_MAX)
        created = from;
    from = shown.call_count;
    rename_use(&shown, versions);
    assert_int_equal(spin(&shown, versions, 3), 4);
    rename_go(&shown);
    assert_int_equal(shown_count(&shown, from, VIDMM_DDI_CREATE_ALLOCATION), 0);
    assert_int_equal(shown_count(&shown, from, VIDMM_DDI_OPEN_ALLOCATION), 0);
    made = shown_next_build(&shown, from, DXGK_OPERATION_MAP_APERTURE_SEGMENT);
    assert_int_not_equal(made, SIZE_MAX);
    assert_int_equal(
        count_places(&shown, from, shown.calls[made].argument.build.MapApertureSegment.hAllocation),
        4);
    from = shown.call_count;
    vidmm_allocation_destroy(versions[2].handle); /* by any instance */
    versions[0].handle = NULL;
    shown_settle(&shown);
    assert_int_equal(shown_count(&shown, from, VIDMM_DDI_CLOSE_ALLOCATION), 1);
    assert_int_equal(shown_count(&shown, from, VIDMM_DDI_DESTROY_ALLOCATION), 1);
    shown_finish(&shown);
}

/* A discard of `a`, which the GPU uses: the same, when it is done. */
static void discard_waits(struct shown *shown, struct rig_allocation *a)
{
    struct rig_allocation same;

    rename_use(shown, a);
    assert_int_equal(rename_discard(&shown->rig, a, &same, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_completed(shown->rig.context), shown->rig.value);
    assert_ptr_equal(same.handle, a->handle);
    *a = same;
    rename_use(shown, a);
}

void shows_D_171(void **state)
{
    struct rig_allocation a;
    struct softgpu_allocation wish = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = CPU_VISIBLE,
        .size = PAGES * VIDMM_PAGE_SIZE,
        .read_set = 1,
        .write_set = 1,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    struct vidmm_description description = {
        .private_data = &wish, .private_data_size = sizeof(wish), .vidpn_source = VIDMM_NO_SOURCE};
    struct vidmm_resource_options options = {0};
    struct vidmm_resource *resource;
    struct shown shown;

    (void)state;
    rename_flags = OVERLAY; /* pinned */
    rename_begin(&shown, &a, 2);
    discard_waits(&shown, &a);
    rename_end(&shown, &a);
    for (uint32_t shared = 0; shared <= 1; shared++) {
        rename_begin(&shown, &a, 1);
        rename_go(&shown);
        vidmm_allocation_destroy(a.handle);
        options.shared = shared != 0;
        description.primary = shared == 0;
        assert_int_equal(vidmm_resource_create(shown.rig.device, &options, &description, 1,
                                               &resource, &a.handle, &shown.rig.report),
                         STATUS_SUCCESS);
        discard_waits(&shown, &a);
        rename_go(&shown);
        vidmm_resource_destroy(resource);
        a.handle = NULL;
        shown_finish(&shown);
    }
}
