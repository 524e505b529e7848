/* shows_residency.c: residency.def, obeyed. */
#include "counted_flushes.h"
#include "flag_words.h"
#include "offer.h"

#include <vidmm/resource.h>

static void wish_for(struct softgpu_allocation *wish, struct vidmm_description *description,
                     uint32_t set)
{
    *wish = (struct softgpu_allocation){
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = CPU_VISIBLE,
        .size = 2 * VIDMM_PAGE_SIZE,
        .read_set = set,
        .write_set = set,
        .priority = SOFTGPU_PRIORITY_NORMAL,
    };
    *description = (struct vidmm_description){
        .private_data = wish, .private_data_size = sizeof(*wish), .vidpn_source = VIDMM_NO_SOURCE};
}

static PDXGKDDI_PATCH honest_patch;
static UINT second_segment; /* of the last DMA buffer: where the second element of its list is */

static NTSTATUS noting_patch(HANDLE hAdapter, const DXGKARG_PATCH *pPatch)
{
    if (!pPatch->Flags.Paging && pPatch->AllocationListSize > 1)
        second_segment = pPatch->pAllocationList[1].SegmentId;
    return honest_patch(hAdapter, pPatch);
}

static void bend_to_note_patches(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_patch = driver->DxgkDdiPatch;
    driver->DxgkDdiPatch = noting_patch;
}

static PDXGKDDI_RENDER honest_render;
static bool names_nothing; /* an empty DMA buffer, whatever the command is */

static NTSTATUS empty_render(HANDLE hContext, DXGKARG_RENDER *pRender)
{
    return names_nothing ? STATUS_SUCCESS : honest_render(hContext, pRender);
}

static void bend_to_name_nothing(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_render = driver->DxgkDdiRender;
    driver->DxgkDdiRender = empty_render;
}

static void use(struct shown *shown, struct vidmm_allocation *handle, uint32_t id)
{
    struct rig_allocation one = {.handle = handle, .id = id, .pages = 2}, *list[] = {&one};

    assert_int_equal(rig_render(&shown->rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown->rig.context, shown->rig.value), STATUS_SUCCESS);
    shown_settle(shown);
}

/* Queue a command that uses the first of two allocations; both are in the list. offer: the second
 * is offered when the DMA buffer is done with it; 0: it is not. */
static void name_the_first_and_offer(struct shown *shown, struct rig_allocation *const list[2],
                                     uint32_t offer)
{
    struct rig_command command = {.touch = {.seed = RIG_SEED}};
    struct vidmm_render_reference references[2] = {{.allocation = list[0]->handle, .write = true},
                                                   {.allocation = list[1]->handle, .write = true}};

    command.touch.command = (struct softgpu_command){SOFTGPU_TOUCH, softgpu_touch_size(1)};
    rig_refer(&command, references, list[0], true);
    references[1].offer_priority = offer;
    assert_int_equal(vidmm_render(shown->rig.context, &command, softgpu_touch_size(1), references,
                                  2, true, &shown->rig.value, &shown->rig.report),
                     STATUS_SUCCESS);
    list[0]->generation++;
}

static void name_the_first_of(struct shown *shown, struct rig_allocation *const list[2])
{
    name_the_first_and_offer(shown, list, 0);
}

static void assert_resident(struct shown *shown, struct rig_allocation *allocation, bool resident)
{
    enum vidmm_residency is;
    struct vidmm_selection one = {.allocations = &allocation->handle, .allocation_count = 1};

    assert_int_equal(vidmm_query_residency(&one, &is, &shown->rig.report), STATUS_SUCCESS);
    assert_int_equal(is, resident ? 1 : 3);
}

/* Two allocations, one of them named: whether the other is made resident too. */
static void name_one(struct rig_options *options, void (*bend)(DRIVER_INITIALIZATION_DATA *),
                     bool both)
{
    struct rig_allocation *list[2];
    struct shown shown;
    void *data;

    shown_init(&shown, options, bend);
    for (uint32_t i = 0; i < 2; i++)
        list[i] = shown_create(&shown, i, 4, 1);
    name_the_first_of(&shown, list);
    assert_int_equal(vidmm_lock(list[1]->handle, VIDMM_LOCK_DONOT_WAIT, &data, NULL),
                     STATUS_GRAPHICS_ALLOCATION_BUSY); /* it is used, wherever it is */
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    shown_settle(&shown);
    assert_resident(&shown, list[0], true);
    assert_resident(&shown, list[1], both);
    assert_int_equal(second_segment, both ? 2 : 0);
    assert_int_equal(shown_count_builds(&shown, 0, DXGK_OPERATION_FILL), both ? 2 : 1);
    assert_true(rig_lock_and_touch(&shown.rig, list[1], true)); /* it is no more */
    shown_use_one(&shown, list[1], true);
    name_the_first_of(&shown, list); /* where it happens to be */
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    assert_int_equal(second_segment, 2);
    shown_finish(&shown);
}

/* A DMA buffer that names nothing brings nothing in, however long its list; and what it lists may
 * leave for what the next one names. */
static void name_nothing(void)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *list[3];
    struct shown shown;
    size_t from;

    shown_init(&shown, &options, bend_to_name_nothing);
    for (uint32_t i = 0; i < 3; i++)
        list[i] = shown_create(&shown, i, 30, 1); /* two at a time fit */
    from = shown.operation_count;
    names_nothing = true;
    assert_int_equal(rig_render(&shown.rig, list, 3, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    for (; from < shown.operation_count; from++)
        assert_int_not_equal(shown.operations[from].kind, VIDMM_DO_BUILD);
    for (uint32_t i = 0; i < 3; i++)
        assert_resident(&shown, list[i], false);
    names_nothing = false;
    for (uint32_t i = 0; i < 3; i++)
        shown_use_one(&shown, list[i], true);
    shown_finish(&shown);
}

/* The offer of an element that no patch location names. */
static void offer_the_second(void)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *list[2];
    struct vidmm_selection second = {.allocation_count = 1};
    struct shown shown;
    bool discarded;

    shown_init(&shown, &options, NULL);
    for (uint32_t i = 0; i < 2; i++)
        list[i] = shown_create(&shown, i, 4, 1);
    second.allocations = &list[1]->handle;
    name_the_first_and_offer(&shown, list, VIDMM_OFFER_LOW);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    shown_settle(&shown);
    shown_refused(&shown, rig_render(&shown.rig, &list[1], 1, 0), STATUS_INVALID_PARAMETER,
                  "D-211");
    shown_use_one(&shown, list[0], true);
    assert_int_equal(vidmm_reclaim(&second, &discarded, &shown.rig.report), STATUS_SUCCESS);
    shown_use_one(&shown, list[1], true);
    shown_finish(&shown);
}

/* Bytes of the CPU's of an element that no patch location names are in memory when the DMA buffer
 * runs, and its list has the GPU write there: so the caches forget them before the CPU looks. */
static void flush_the_second(void)
{
    struct rig_allocation *list[2];
    struct shown shown;

    begin_with_caches_apart(&shown, NULL);
    list[0] = shown_create(&shown, 0, 4, CPU_VISIBLE);
    assert_int_equal(rig_create(&shown.rig, &shown.rig.allocations[1], 5 * VIDMM_PAGE_SIZE, 1,
                                CPU_VISIBLE | CACHED),
                     STATUS_SUCCESS);
    list[1] = &shown.rig.allocations[1];
    assert_true(rig_lock_and_touch(&shown.rig, list[1], true));
    assert_int_equal(flushed, 0); /* nothing has changed hands yet */
    name_the_first_of(&shown, list);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    shown_settle(&shown);
    assert_resident(&shown, list[1], false);
    assert_int_equal(flushed, 5);
    assert_true(rig_lock_and_touch(&shown.rig, list[1], false));
    assert_int_equal(flushed, 10);
    assert_int_equal(shown.rig.cpu_mismatches, 0);
    shown_finish(&shown);
}

static void without_patching(DXGK_DRIVERCAPS *caps)
{
    caps->SchedulingCaps.NoDmaPatching = 1;
}

static void bend_to_do_without(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend_caps(driver);
    bend_to_note_patches(driver);
}

void shows_W_025(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    name_one(&options, bend_to_note_patches, false);
    options.adapter.whole_lists = true; /* as the pages have it */
    name_one(&options, bend_to_note_patches, true);
    options.adapter.whole_lists = false;
    shown_bend.caps = without_patching; /* a driver without patch locations */
    name_one(&options, bend_to_do_without, true);
    shown_bend.caps = NULL;
    name_nothing();
    offer_the_second();
    flush_the_second();
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
