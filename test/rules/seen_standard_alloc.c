/* seen_standard_alloc.c: standard-alloc.def broken, and D-057, and answered. */
#include "together.h"
#include "vidmm/object/allocation.h"

static DXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA *describe;
static NTSTATUS answer;
static bool no_sizes, alters, no_pitch;

static UINT *pitch_in(const DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arguments)
{
    switch ((int)arguments->StandardAllocationType) {
    case D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE:
        return &arguments->pCreateStagingSurfaceData->Pitch;
    case D3DKMDT_STANDARDALLOCATION_GDISURFACE:
        return &arguments->pCreateGdiSurfaceData->Pitch;
    default:
        return &arguments->pCreateShadowSurfaceData->Pitch;
    }
}

static NTSTATUS describe_bent(HANDLE adapter, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arguments)
{
    NTSTATUS status;

    if (answer != STATUS_SUCCESS)
        return answer;
    status = describe(adapter, arguments);
    if (arguments->pAllocationPrivateDriverData == NULL) {
        *pitch_in(arguments) = 0; /* softgpu answers it too early */
        if (no_sizes)
            arguments->AllocationPrivateDriverDataSize = 0;
        if (alters)
            arguments->pCreateShadowSurfaceData->Width++;
    } else if (no_pitch) {
        *pitch_in(arguments) = 33 * 4 - 1;
    }
    return status;
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    describe = driver->DxgkDdiGetStandardAllocationDriverData;
    driver->DxgkDdiGetStandardAllocationDriverData = describe_bent;
}

static NTSTATUS begin_of(struct shown *shown, D3DKMDT_STANDARDALLOCATION_TYPE type)
{
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;

    shown_init(shown, &options, bend);
    return together_standard(shown, type, &resource, NULL);
}

static NTSTATUS begin(struct shown *shown)
{
    return begin_of(shown, D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE);
}

static void straight(void)
{
    answer = STATUS_SUCCESS;
    no_sizes = alters = no_pitch = false;
}

static void nothing_is_seen(const char *rule)
{
    struct shown shown;

    straight();
    assert_int_equal(begin(&shown), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, rule), 0);
    shown_finish(&shown);
}

void breaks_D_057(void **state)
{
    struct shown shown;

    (void)state;
    straight();
    no_sizes = true;
    shown_refused(&shown, begin(&shown), STATUS_INVALID_PARAMETER, "D-057");
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_CREATE_ALLOCATION), 0);
    shown_finish(&shown);
    straight();
    alters = true;
    assert_int_equal(begin(&shown), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, "D-057"), 1);
    shown_finish(&shown);
}

void keeps_D_057(void **state)
{
    (void)state;
    nothing_is_seen("D-057");
}

void breaks_D_379(void **state)
{
    struct shown shown;

    (void)state;
    straight();
    answer = STATUS_UNSUCCESSFUL;
    shown_refused(&shown, begin(&shown), STATUS_NO_MEMORY, "D-379");
    assert_int_equal(shown_findings(&shown, "D-379"), 1);
    shown_finish(&shown);
}

void keeps_D_379(void **state)
{
    struct shown shown;

    (void)state;
    nothing_is_seen("D-379");
    answer = STATUS_NO_MEMORY;
    assert_int_equal(begin(&shown), STATUS_NO_MEMORY);
    assert_int_equal(shown_findings(&shown, "D-379"), 0);
    shown_finish(&shown);
}

/* A surface of the type, and of that kind of GDI's. */
static NTSTATUS make_kind(struct shown *shown, D3DKMDT_STANDARDALLOCATION_TYPE type,
                          D3DKMDT_GDISURFACETYPE gdi)
{
    static _Alignas(VIDMM_PAGE_SIZE) char memory[4 * VIDMM_PAGE_SIZE];
    const struct vidmm_standard standard = {.type = type,
                                            .width = 33,
                                            .height = 20,
                                            .format = D3DDDIFMT_X8R8G8B8,
                                            .gdi = gdi,
                                            .address = memory,
                                            .size = sizeof(memory)};
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;
    NTSTATUS status;

    shown_init(shown, &options, bend);
    status = vidmm_standard_create(shown->rig.device, &standard, &resource, together, NULL,
                                   &shown->rig.report);
    if (status == STATUS_SUCCESS && gdi == D3DKMDT_GDISURFACE_EXISTINGSYSMEM)
        assert_true(together[0]->backing.existing && together[0]->backing.address == memory);
    return status;
}

static const struct kind {
    D3DKMDT_STANDARDALLOCATION_TYPE type;
    D3DKMDT_GDISURFACETYPE gdi;
} with_pitch[] = {
    {D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, D3DKMDT_GDISURFACE_INVALID},
    {D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE, D3DKMDT_GDISURFACE_INVALID},
    {D3DKMDT_STANDARDALLOCATION_GDISURFACE, D3DKMDT_GDISURFACE_STAGING_CPUVISIBLE},
    {D3DKMDT_STANDARDALLOCATION_GDISURFACE, D3DKMDT_GDISURFACE_EXISTINGSYSMEM},
    {D3DKMDT_STANDARDALLOCATION_GDISURFACE, D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER},
};

static const D3DKMDT_GDISURFACETYPE without_pitch[] = {
    D3DKMDT_GDISURFACE_INVALID, /* a texture */
    D3DKMDT_GDISURFACE_TEXTURE, D3DKMDT_GDISURFACE_STAGING, D3DKMDT_GDISURFACE_LOOKUPTABLE};

void breaks_D_381(void **state)
{
    struct shown shown;

    (void)state;
    straight();
    no_pitch = true;
    for (unsigned i = 0; i < sizeof(with_pitch) / sizeof(with_pitch[0]); i++) {
        assert_int_equal(make_kind(&shown, with_pitch[i].type, with_pitch[i].gdi), STATUS_SUCCESS);
        assert_int_equal(shown_findings(&shown, "D-381"), 1);
        shown_finish(&shown);
    }
}

/* Nobody asks for the Pitch of the other kinds of GDI's; and two kinds are the system's own. */
void keeps_D_381(void **state)
{
    struct shown shown;

    (void)state;
    straight();
    for (unsigned i = 0; i < sizeof(with_pitch) / sizeof(with_pitch[0]); i++) {
        assert_int_equal(make_kind(&shown, with_pitch[i].type, with_pitch[i].gdi), STATUS_SUCCESS);
        assert_int_equal(shown_findings(&shown, "D-381"), 0);
        shown_finish(&shown);
    }
    no_pitch = true;
    for (unsigned i = 0; i < sizeof(without_pitch) / sizeof(without_pitch[0]); i++) {
        assert_int_equal(make_kind(&shown, D3DKMDT_STANDARDALLOCATION_GDISURFACE, without_pitch[i]),
                         STATUS_SUCCESS);
        assert_int_equal(shown_findings(&shown, "D-381"), 0);
        shown_finish(&shown);
    }
    shown_refused(&shown,
                  make_kind(&shown, D3DKMDT_STANDARDALLOCATION_GDISURFACE,
                            D3DKMDT_GDISURFACE_TEXTURE_CPUVISIBLE),
                  STATUS_INVALID_PARAMETER, "D-381");
    shown_finish(&shown);
}
