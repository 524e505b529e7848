/* seen_caps.c: caps.def broken, and answered. */
#include "rules_rig.h"

/* A driver whose caps are bent does not start, with this rule as the reason. */
static void refused(void (*caps)(DXGK_DRIVERCAPS *caps), const char *rule)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    shown_bend.caps = caps;
    shown_build(&shown, &options, shown_bend_caps);
    shown_refused(&shown, rig_start(&shown.rig), STATUS_GRAPHICS_DRIVER_MISMATCH, rule);
    assert_null(shown.rig.adapter);
    shown_end(&shown);
}

/* It starts, and the rule is or is not told. */
static void starts(void (*caps)(DXGK_DRIVERCAPS *caps), const char *gpu, const char *rule,
                   uint64_t findings)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    options.gpu = gpu;
    shown_bend.caps = caps;
    shown_init(&shown, &options, shown_bend_caps);
    assert_int_equal(shown_findings(&shown, rule), findings);
    shown_finish(&shown);
}

static void preempts_alone(DXGK_DRIVERCAPS *caps)
{
    caps->SchedulingCaps.MultiEngineAware = 0;
    caps->SchedulingCaps.PreemptionAware = 1;
}

static void preempts(DXGK_DRIVERCAPS *caps)
{
    caps->SchedulingCaps.MultiEngineAware = 1;
    caps->SchedulingCaps.PreemptionAware = 1;
}

static void does_not_preempt(DXGK_DRIVERCAPS *caps)
{
    caps->SchedulingCaps.PreemptionAware = 0;
}

static void patches_nothing_alone(DXGK_DRIVERCAPS *caps)
{
    does_not_preempt(caps);
    caps->SchedulingCaps.NoDmaPatching = 1;
}

static void patches_nothing_single(DXGK_DRIVERCAPS *caps)
{
    patches_nothing_alone(caps);
    caps->SchedulingCaps.MultiEngineAware = 0;
}

static void patches_nothing(DXGK_DRIVERCAPS *caps)
{
    preempts(caps);
    caps->SchedulingCaps.NoDmaPatching = 1;
}

static void cancels_alone(DXGK_DRIVERCAPS *caps)
{
    does_not_preempt(caps);
    caps->SchedulingCaps.MultiEngineAware = 0;
    caps->SchedulingCaps.CancelCommandAware = 1;
}

static void cancels(DXGK_DRIVERCAPS *caps)
{
    caps->SchedulingCaps.CancelCommandAware = 1;
}

void breaks_D_300(void **state)
{
    (void)state;
    refused(preempts_alone, "D-300");
}

void keeps_D_300(void **state)
{
    (void)state;
    starts(preempts, NULL, "D-300", 0);
}

void breaks_D_301(void **state)
{
    (void)state;
    refused(patches_nothing_alone, "D-301");
    refused(patches_nothing_single, "D-301"); /* nor MultiEngineAware */
}

void keeps_D_301(void **state)
{
    (void)state;
    starts(patches_nothing, NULL, "D-301", 0);
}

void breaks_D_302(void **state)
{
    (void)state;
    refused(cancels_alone, "D-302");
}

void keeps_D_302(void **state)
{
    (void)state;
    starts(cancels, NULL, "D-302", 0);
}

/* ---- single engines ---- */

static void resets_engines(DXGK_DRIVERCAPS *caps)
{
    caps->SupportPerEngineTDR = 1;
}

static unsigned missing; /* the one of the five functions that is not there */

static void bend_without_reset(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend_caps(driver);
    if (missing == 0)
        driver->DxgkDdiResetEngine = NULL;
    if (missing == 1)
        driver->DxgkDdiQueryDependentEngineGroup = NULL;
    if (missing == 2)
        driver->DxgkDdiQueryEngineStatus = NULL;
    if (missing == 3)
        driver->DxgkDdiResetFromTimeout = NULL;
    if (missing == 4)
        driver->DxgkDdiRestartFromTimeout = NULL;
}

void breaks_D_304(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    shown_bend.caps = resets_engines;
    for (missing = 0; missing < 5; missing++) {
        options.adapter.strict = false;
        shown_init(&shown, &options, bend_without_reset);
        assert_int_equal(shown_findings(&shown, "D-304"), 1);
        shown_finish(&shown);
        options.adapter.strict = true;
        shown_build(&shown, &options, bend_without_reset);
        shown_refused(&shown, rig_start(&shown.rig), STATUS_GRAPHICS_DRIVER_MISMATCH, "D-304");
        shown_end(&shown);
    }
}

static NTSTATUS no_such_group(HANDLE adapter, DXGKARG_QUERYDEPENDENTENGINEGROUP *arguments)
{
    (void)adapter, (void)arguments;
    return STATUS_UNSUCCESSFUL;
}

static NTSTATUS no_engine_status(HANDLE adapter, DXGKARG_QUERYENGINESTATUS *arguments)
{
    (void)adapter, (void)arguments;
    return STATUS_UNSUCCESSFUL;
}

static NTSTATUS no_reset(HANDLE adapter, DXGKARG_RESETENGINE *arguments)
{
    (void)adapter, (void)arguments;
    return STATUS_UNSUCCESSFUL;
}

static NTSTATUS no_recovery(HANDLE adapter)
{
    (void)adapter;
    return STATUS_UNSUCCESSFUL;
}

/* All five are there. Their effects are not asked here. */
static void bend_with_reset(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend_caps(driver);
    driver->DxgkDdiQueryDependentEngineGroup = no_such_group;
    driver->DxgkDdiQueryEngineStatus = no_engine_status;
    driver->DxgkDdiResetEngine = no_reset;
    driver->DxgkDdiResetFromTimeout = no_recovery;
    driver->DxgkDdiRestartFromTimeout = no_recovery;
}

void keeps_D_304(void **state)
{
    struct rig_options options = rig_defaults();
    struct shown shown;

    (void)state;
    shown_bend.caps = resets_engines;
    options.adapter.strict = true;
    shown_init(&shown, &options, bend_with_reset);
    assert_int_equal(shown_findings(&shown, "D-304"), 0);
    shown_finish(&shown);
}

void breaks_D_306(void **state)
{
    (void)state;
    starts(does_not_preempt, NULL, "D-306", 1);
}

/* One that preempts; and one of an older level, which cannot. */
void keeps_D_306(void **state)
{
    (void)state;
    starts(preempts, NULL, "D-306", 0);
    starts(does_not_preempt, "wddm 1.1\n", "D-306", 0);
}
