/* shows_residency.c: residency.def, obeyed. */
#include "offer.h"

static void wish_for(struct softgpu_allocation *wish, struct vidmm_description *description,
                     uint32_t set)
{
    *wish = (struct softgpu_allocation){
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = 1,
        .size = 2 * VIDMM_PAGE_SIZE,
        .read_set = set,
        .write_set = set,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    *description = (struct vidmm_description){
        .private_data = wish, .private_data_size = sizeof(*wish), .vidpn_source = VIDMM_NO_SOURCE};
}

static void use(struct shown *shown, struct vidmm_allocation *handle, uint32_t id)
{
    struct rig_allocation one = {.handle = handle, .id = id, .pages = 2}, *list[] = {&one};

    assert_int_equal(rig_render(&shown->rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
    shown_settle(shown);
}

void shows_D_252(void **state)
{
    struct softgpu_allocation wishes[3];
    struct vidmm_description descriptions[3];
    const struct vidmm_resource_options options = {.shared = false};
    struct vidmm_resource *resource;
    struct vidmm_allocation *members[3];
    struct vidmm_selection list = {.allocations = members, .allocation_count = 3};
    struct vidmm_selection whole = {.resources = &resource, .resource_count = 1};
    enum vidmm_residency each[3], all;
    struct rig_options rig = rig_defaults();
    struct shown shown;

    (void)state;
    shown_init(&shown, &rig, NULL);
    wish_for(&wishes[0], &descriptions[0], 2); /* memory */
    wish_for(&wishes[1], &descriptions[1], 1); /* aperture */
    wish_for(&wishes[2], &descriptions[2], 2);
    assert_int_equal(vidmm_resource_create(shown.rig.device, &options, descriptions, 3, &resource,
                                           members, &shown.rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_query_residency(&whole, &all, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(all, 3);
    use(&shown, members[1], 101);
    assert_int_equal(vidmm_query_residency(&whole, &all, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(all, 2);
    use(&shown, members[0], 100);
    assert_int_equal(vidmm_query_residency(&list, each, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(each[0], 1);
    assert_int_equal(each[1], 2);
    assert_int_equal(each[2], 3);
    assert_int_equal(vidmm_query_residency(&whole, &all, &shown.rig.report), STATUS_SUCCESS);
    assert_int_equal(all, 1); /* the lowest */
    shown_finish(&shown);
}
