/* seen_adapter.c: adapter.def broken, and answered. */
#include "rules_rig.h"

static struct shown shown;

/* ---- children ---- */

static bool fills_the_last;

static NTSTATUS query_relations(void *context, DXGK_CHILD_DESCRIPTOR *relations, ULONG size)
{
    (void)context;
    if (fills_the_last)
        relations[size / sizeof(*relations) - 1].ChildUid = 7;
    return STATUS_SUCCESS;
}

static void bend_relations(DRIVER_INITIALIZATION_DATA *driver)
{
    driver->DxgkDdiQueryChildRelations = query_relations;
}

static void children(bool broken)
{
    struct rig_options options = rig_defaults();

    fills_the_last = broken;
    shown_init(&shown, &options, bend_relations);
    assert_int_equal(shown_findings(&shown, "D-280"), broken ? 1 : 0);
    shown_finish(&shown);
}

void breaks_D_280(void **state)
{
    (void)state;
    children(true);
}

void keeps_D_280(void **state)
{
    (void)state;
    children(false);
}

/* ---- whose handle a callback brings ---- */

static DXGKDDI_START_DEVICE *start_device;
static bool takes_its_own;

static NTSTATUS start_with_its_own(PVOID context, DXGK_START_INFO *info,
                                   DXGKRNL_INTERFACE *interface, PULONG sources, PULONG children)
{
    DXGKRNL_INTERFACE changed = *interface;

    if (takes_its_own)
        changed.DeviceHandle = context;
    return start_device(context, info, &changed, sources, children);
}

static void bend_start(DRIVER_INITIALIZATION_DATA *driver)
{
    start_device = driver->DxgkDdiStartDevice;
    driver->DxgkDdiStartDevice = start_with_its_own;
}

/* The driver works all the same; Windows would crash. */
static uint64_t start_and_work(bool broken)
{
    struct rig_options options = rig_defaults();
    uint64_t findings;

    takes_its_own = broken;
    shown_init(&shown, &options, bend_start);
    rig_work(&shown.rig, 3, 20);
    findings = shown_findings(&shown, "D-275");
    shown_finish(&shown);
    return findings;
}

void breaks_D_275(void **state)
{
    (void)state;
    assert_true(start_and_work(true) > 0);
}

void keeps_D_275(void **state)
{
    (void)state;
    assert_int_equal(start_and_work(false), 0);
}

/* ---- statuses ---- */

static NTSTATUS answer;
static DXGKDDI_QUERYADAPTERINFO *query_adapter_info;

static NTSTATUS query_answered(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    return answer != STATUS_SUCCESS && query->Type == DXGKQAITYPE_DRIVERCAPS
               ? answer
               : query_adapter_info(adapter, query);
}

static void bend_query(DRIVER_INITIALIZATION_DATA *driver)
{
    query_adapter_info = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = query_answered;
}

/* Without caps no adapter starts, whatever the status; which rule says so is in the report. */
static void query(NTSTATUS status)
{
    struct rig_options options = rig_defaults();

    answer = status;
    shown_build(&shown, &options, bend_query);
    shown_refused(&shown, rig_start(&shown.rig), status, "D-287");
    shown_end(&shown);
}

void breaks_D_287(void **state)
{
    (void)state;
    query(STATUS_UNSUCCESSFUL);
}

void keeps_D_287(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    answer = STATUS_SUCCESS;
    shown_init(&shown, &options, bend_query);
    assert_int_equal(shown_findings(&shown, "D-287"), 0);
    shown_finish(&shown);
}

static DXGKDDI_CREATEDEVICE *create_device;

static NTSTATUS create_answered(HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    return answer != STATUS_SUCCESS ? answer : create_device(adapter, arguments);
}

static void bend_device(DRIVER_INITIALIZATION_DATA *driver)
{
    create_device = driver->DxgkDdiCreateDevice;
    driver->DxgkDdiCreateDevice = create_answered;
}

static void devices(NTSTATUS status, uint64_t findings)
{
    struct rig_options options = rig_defaults();
    struct vidmm_device *device = NULL;

    answer = STATUS_SUCCESS;
    shown_init(&shown, &options, bend_device);
    answer = status;
    assert_int_equal(vidmm_device_create(shown.rig.adapter, 9, &device, &shown.rig.report), status);
    assert_null(device);
    assert_int_equal(shown_findings(&shown, "D-293"), findings);
    answer = STATUS_SUCCESS;
    assert_int_equal(vidmm_device_create(shown.rig.adapter, 9, &device, &shown.rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, "D-293"), findings);
    shown_finish(&shown);
}

void breaks_D_293(void **state)
{
    (void)state;
    devices(STATUS_INVALID_PARAMETER, 1); /* a limit of its own */
}

void keeps_D_293(void **state)
{
    (void)state;
    devices(STATUS_NO_MEMORY, 0);
}
