/* shows_standard_alloc.c: standard-alloc.def, obeyed. */
#include "together.h"

static DXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA *describe;
static DXGKDDI_CREATEALLOCATION *create_allocation;
static DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA asked[2];
static D3DKMDT_STAGINGSURFACEDATA staging;
static D3DKMDT_SHADOWSURFACEDATA shadow;
static D3DKMDT_SHAREDPRIMARYSURFACEDATA primary;
static unsigned asks;
static uint8_t described[512], given[512];
static UINT described_size, given_size;

/* The driver adds eight bytes of data for the resource to what softgpu says. */
static NTSTATUS describe_noted(HANDLE adapter, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arguments)
{
    NTSTATUS status;

    if (asks < 2)
        asked[asks] = *arguments;
    asks++;
    if (arguments->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE)
        staging = *arguments->pCreateStagingSurfaceData;
    if (arguments->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE)
        shadow = *arguments->pCreateShadowSurfaceData;
    if (arguments->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE)
        primary = *arguments->pCreateSharedPrimarySurfaceData;
    status = describe(adapter, arguments);
    arguments->ResourcePrivateDriverDataSize = 8;
    if (arguments->pAllocationPrivateDriverData != NULL) {
        memcpy(arguments->pResourcePrivateDriverData, "resource", 8);
        described_size = arguments->AllocationPrivateDriverDataSize;
        memcpy(described, arguments->pAllocationPrivateDriverData, described_size);
    }
    return status;
}

static NTSTATUS create_noted(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    assert_int_equal(arguments->PrivateDriverDataSize, 8);
    assert_memory_equal(arguments->pPrivateDriverData, "resource", 8);
    given_size = arguments->pAllocationInfo->PrivateDriverDataSize;
    memcpy(given, arguments->pAllocationInfo->pPrivateDriverData, given_size);
    return create_allocation(adapter, arguments);
}

static void bend_noted(DRIVER_INITIALIZATION_DATA *driver)
{
    asks = 0;
    describe = driver->DxgkDdiGetStandardAllocationDriverData;
    create_allocation = driver->DxgkDdiCreateAllocation;
    driver->DxgkDdiGetStandardAllocationDriverData = describe_noted;
    driver->DxgkDdiCreateAllocation = create_noted;
}

void shows_D_377(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;
    struct shown shown;
    uint32_t pitch = 0;

    (void)state;
    shown_init(&shown, &options, bend_noted);
    assert_int_equal(
        together_standard(&shown, D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, &resource, &pitch),
        STATUS_SUCCESS);
    assert_int_equal(asks, 2);
    assert_null(asked[0].pAllocationPrivateDriverData);
    assert_null(asked[0].pResourcePrivateDriverData);
    assert_non_null(asked[1].pAllocationPrivateDriverData);
    assert_non_null(asked[1].pResourcePrivateDriverData);
    assert_int_equal(asked[1].AllocationPrivateDriverDataSize, sizeof(struct softgpu_allocation));
    assert_int_equal(asked[1].ResourcePrivateDriverDataSize, 8);
    assert_true(pitch >= 33 * 4);
    shown_finish(&shown);
}

void shows_D_378(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;
    struct shown shown;

    (void)state;
    shown_init(&shown, &options, bend_noted);
    assert_int_equal(
        together_standard(&shown, D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE, &resource, NULL),
        STATUS_SUCCESS);
    assert_int_equal(given_size, described_size);
    assert_memory_equal(given, described, given_size); /* the resource's: create_noted() */
    shown_finish(&shown);
}

/* At a level, types up to `newest` and no others; a virtual GPU's as large as it is to be.
 * `oldest`: from WDDM 2.0 on the shared primary of this driver, which the CPU sees in memory, is
 * refused for another reason (W-023). */
static void types_up_to(const char *gpu, int oldest, int newest)
{
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;
    struct shown shown;

    options.gpu = gpu;
    shown_init(&shown, &options, NULL);
    for (int type = oldest; type <= newest; type++) {
        assert_int_equal(
            together_standard(&shown, (D3DKMDT_STANDARDALLOCATION_TYPE)type, &resource, NULL),
            STATUS_SUCCESS);
        if (type == D3DKMDT_STANDARDALLOCATION_VGPU)
            assert_int_equal(vidmm_allocation_size(together[0]), 3 * VIDMM_PAGE_SIZE);
    }
    for (int type = newest + 1; type <= 7; type++)
        shown_refused(
            &shown,
            together_standard(&shown, (D3DKMDT_STANDARDALLOCATION_TYPE)type, &resource, NULL),
            STATUS_INVALID_PARAMETER, "D-380");
    shown_finish(&shown);
}

void shows_D_380(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;
    struct shown shown;

    (void)state;
    types_up_to("wddm 1.0\n", 1, D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE);
    types_up_to("wddm 1.1\n", 1, D3DKMDT_STANDARDALLOCATION_GDISURFACE);
    types_up_to("wddm 2.0\nmmu gpu\n", 2, D3DKMDT_STANDARDALLOCATION_GDISURFACE);
    types_up_to("wddm 2.1\nmmu gpu\n", 2, D3DKMDT_STANDARDALLOCATION_VGPU);
    shown_init(&shown, &options, NULL);
    shown_refused(&shown,
                  together_standard(&shown, (D3DKMDT_STANDARDALLOCATION_TYPE)0, &resource, NULL),
                  STATUS_INVALID_PARAMETER, "D-380");
    shown_finish(&shown);
}

void shows_D_382(void **state)
{
    struct vidmm_standard standard = {.type = D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE,
                                      .width = 640,
                                      .height = 480,
                                      .format = D3DDDIFMT_R5G6B5};
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;
    struct shown shown;

    (void)state;
    shown_init(&shown, &options, bend_noted);
    shown_refused(&shown,
                  vidmm_standard_create(shown.rig.device, &standard, &resource, together, NULL,
                                        &shown.rig.report),
                  STATUS_INVALID_PARAMETER, "D-382");
    standard.format = D3DDDIFMT_X8R8G8B8;
    standard.width = standard.height = 50;
    assert_int_equal(vidmm_standard_create(shown.rig.device, &standard, &resource, together, NULL,
                                           &shown.rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(staging.Width, 50); /* of the back buffer; its format is not said */
    assert_int_equal(staging.Height, 50);
    /* shadow and shared primary of one request: the same format and size */
    assert_int_equal(
        together_standard(&shown, D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, &resource, NULL),
        STATUS_SUCCESS);
    assert_int_equal(
        together_standard(&shown, D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, &resource, NULL),
        STATUS_SUCCESS);
    assert_int_equal(shadow.Width, primary.Width);
    assert_int_equal(shadow.Height, primary.Height);
    assert_int_equal(shadow.Format, primary.Format);
    shown_finish(&shown);
}

/* The system describes a standard allocation by the driver's own words. They come back in the first
 * element, for each kind. */
void shows_S1_002(void **state)
{
    static const D3DKMDT_STANDARDALLOCATION_TYPE types[] = {
        D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE,
        D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE};
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;
    struct shown shown;
    size_t at;

    (void)state;
    shown_init(&shown, &options, bend_noted);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        at = shown.call_count;
        described_size = given_size = 0;
        assert_int_equal(together_standard(&shown, types[i], &resource, NULL), STATUS_SUCCESS);
        at = shown_next(&shown, at, VIDMM_DDI_CREATE_ALLOCATION);
        assert_int_equal(shown.calls[at].argument.create.NumAllocations, 1);
        assert_true(described_size > 0);
        assert_int_equal(given_size, described_size); /* of pAllocationInfo[0] */
        assert_memory_equal(given, described, described_size);
    }
    shown_finish(&shown);
}

static uint32_t segment_of_last_use(const struct shown *shown, uint32_t allocation)
{
    uint32_t segment = 0;

    for (size_t i = 0; i < shown->operation_count; i++)
        if (shown->operations[i].kind == VIDMM_DO_PLACED &&
            shown->operations[i].allocation == allocation)
            segment = shown->operations[i].placed.place.segment;
    return segment;
}

/* Half the memory segment is the primary's; others come and go, the primary stays. */
void shows_D_383(void **state)
{
    const struct vidmm_standard standard = {.type = D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE,
                                            .width = 128,
                                            .height = 64,
                                            .format = D3DDDIFMT_X8R8G8B8};
    struct rig_options options = rig_defaults();
    struct vidmm_allocation *theirs[1];
    struct vidmm_resource *ours, *opened;
    struct rig_allocation one = {0}, *list[] = {&one};
    struct vidmm_device *other;
    struct shown shown;
    void *data, *their_data;
    uint32_t segment;
    size_t before;

    (void)state;
    shown_init(&shown, &options, NULL);
    assert_int_equal(vidmm_standard_create(shown.rig.device, &standard, &ours, together, NULL,
                                           &shown.rig.report),
                     STATUS_SUCCESS);
    one = (struct rig_allocation){.handle = together[0], .id = 1000, .pages = 8};
    assert_int_equal(rig_render(&shown.rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    segment = segment_of_last_use(&shown, vidmm_allocation_id(together[0]));
    assert_int_not_equal(segment, 0);
    /* two processes lock it */
    other = together_other(&shown);
    assert_int_equal(
        vidmm_resource_open(other, vidmm_resource_handle(ours), &opened, theirs, 1, NULL),
        STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(together[0], 0, &data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_lock(theirs[0], 0, &their_data, NULL), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(theirs[0]), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(together[0]), STATUS_SUCCESS);
    /* pressure never moves it */
    before = shown.operation_count;
    rig_work(&shown.rig, 5, 200);
    rig_read(&shown.rig);
    for (size_t i = before; i < shown.operation_count; i++)
        if (shown.operations[i].kind == VIDMM_DO_BUILD)
            assert_int_not_equal(shown.operations[i].allocation, vidmm_allocation_id(together[0]));
    assert_int_equal(rig_render(&shown.rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    assert_int_equal(segment_of_last_use(&shown, vidmm_allocation_id(together[0])), segment);
    shown_finish(&shown);
}
