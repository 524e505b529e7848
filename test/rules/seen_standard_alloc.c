/* seen_standard_alloc.c: standard-alloc.def broken, and D-057, and answered. */
#include "together.h"

static DXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA *describe;
static NTSTATUS answer;
static bool no_sizes, alters, no_pitch;

static NTSTATUS describe_bent(HANDLE adapter, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arguments)
{
    NTSTATUS status;

    if (answer != STATUS_SUCCESS)
        return answer;
    status = describe(adapter, arguments);
    if (arguments->pAllocationPrivateDriverData == NULL) {
        arguments->pCreateShadowSurfaceData->Pitch = 0; /* softgpu answers it too early */
        if (no_sizes)
            arguments->AllocationPrivateDriverDataSize = 0;
        if (alters)
            arguments->pCreateShadowSurfaceData->Width++;
    } else if (no_pitch) {
        arguments->pCreateShadowSurfaceData->Pitch = 33 * 4 - 1;
    }
    return status;
}

static void bend(DRIVER_INITIALIZATION_DATA *driver)
{
    describe = driver->DxgkDdiGetStandardAllocationDriverData;
    driver->DxgkDdiGetStandardAllocationDriverData = describe_bent;
}

static NTSTATUS begin(struct shown *shown)
{
    struct rig_options options = rig_defaults();
    struct vidmm_resource *resource;

    shown_init(shown, &options, bend);
    return together_standard(shown, D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, &resource, NULL);
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

void breaks_D_381(void **state)
{
    struct shown shown;

    (void)state;
    straight();
    no_pitch = true;
    assert_int_equal(begin(&shown), STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, "D-381"), 1);
    shown_finish(&shown);
}

void keeps_D_381(void **state)
{
    (void)state;
    nothing_is_seen("D-381");
}
