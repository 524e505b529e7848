/* seen_protected_vpr_drm.c: protected-vpr-drm.def broken, and answered. */
#include "primary_flags.h"

#include "wddm/level.h"

static DXGKDDI_QUERYADAPTERINFO *query;
static struct {
    UINT node;
    bool required;
} protected;

static NTSTATUS answer(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *arguments)
{
    NTSTATUS status = query(adapter, arguments);
    DXGK_PHYSICALADAPTERCAPS *caps = arguments->pOutputData;

    if (arguments->Type == DXGKQAITYPE_PHYSICALADAPTERCAPS && status == STATUS_SUCCESS) {
        caps->VPRPagingNode = protected.node;
        caps->Flags.VPRPagingContextRequired = protected.required;
    }
    return status;
}

static void bend_query(DRIVER_INITIALIZATION_DATA *driver)
{
    query = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = answer;
}

/* softgpu has the nodes 0 and 1. */
static uint64_t found_with(const char *gpu, UINT node, bool required)
{
    struct shown shown;
    uint64_t found;

    protected.node = node;
    protected.required = required;
    shown_init_gpu(&shown, gpu, bend_query);
    found = shown_findings(&shown, "D-233");
    shown_end(&shown);
    return found;
}

void breaks_D_233(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    assert_int_equal(found_with("wddm 2.1\n", 2, true), 1);
    assert_int_equal(found_with("wddm 2.6\n", UINT32_MAX, true), 1);
    protected.node = 2;
    protected.required = true;
    options.gpu = "wddm 2.6\n";
    options.adapter.strict = true;
    shown_build(&shown, &options, bend_query);
    shown_refused(&shown, rig_start(&shown.rig), STATUS_GRAPHICS_DRIVER_MISMATCH, "D-233");
    shown_end(&shown);
}

void keeps_D_233(void **state)
{
    (void)state;
    assert_int_equal(found_with("wddm 2.1\n", 1, true), 0);
    assert_int_equal(found_with("wddm 2.6\n", 0, true), 0);
    assert_int_equal(found_with("wddm 2.6\n", 2, false), 0); /* nobody looks at the node */
    assert_int_equal(found_with("wddm 2.0\n", 2, true), 0);  /* neither of them is there yet */
}

void breaks_S0_027(void **state)
{
    (void)state;
    flags_broken("S0-027", NULL, 0xb);
    for (uint32_t bit = 0x10; bit <= 0x20; bit <<= 1) /* with existing memory: of the word alone */
        assert_true(flags_break(VIDMM_RULE_S0_027, VIDMM_FLAGS_ALLOCATION, VIDMM_LEVEL(1, 3), 0,
                                0x9 | bit));
}

void keeps_S0_027(void **state)
{
    (void)state;
    flags_kept("S0-027", NULL, 0x8);
}

void breaks_S0_028(void **state)
{
    (void)state;
    primary_flags("S0-028", 0x8, true);
}

void keeps_S0_028(void **state)
{
    (void)state;
    primary_flags("S0-028", 0x8, false);
}
