/* seen_adapter.c: adapter.def broken, and answered. */
#include "rules_rig.h"

static struct shown shown;

/* ---- children ---- */

enum { CHILDREN = 3 };

static DXGKDDI_START_DEVICE *start_childless;
static unsigned filled; /* bit n: element n is filled by the driver */

static NTSTATUS query_relations(void *context, DXGK_CHILD_DESCRIPTOR *relations, ULONG size)
{
    (void)context;
    assert_int_equal(size, (CHILDREN + 1) * sizeof(*relations));
    for (unsigned i = 0; i <= CHILDREN; i++) {
        if ((filled >> i & 1) == 0)
            continue;
        relations[i].ChildDeviceType = TypeVideoOutput;
        relations[i].ChildUid = i;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS start_with_children(PVOID context, DXGK_START_INFO *info,
                                    DXGKRNL_INTERFACE *interface, PULONG sources, PULONG children)
{
    NTSTATUS status = start_childless(context, info, interface, sources, children);

    *children = CHILDREN;
    return status;
}

static void bend_relations(DRIVER_INITIALIZATION_DATA *driver)
{
    start_childless = driver->DxgkDdiStartDevice;
    driver->DxgkDdiStartDevice = start_with_children;
    driver->DxgkDdiQueryChildRelations = query_relations;
}

static void children(unsigned elements, uint64_t findings)
{
    struct rig_options options = rig_defaults();

    filled = elements;
    shown_init(&shown, &options, bend_relations);
    assert_int_equal(shown_findings(&shown, "D-280"), findings);
    shown_finish(&shown);
}

void breaks_D_280(void **state)
{
    (void)state;
    children(0xf, 1); /* the last too */
    children(0x5, 1); /* not the second */
    children(0xe, 2); /* not the first, and the last */
}

void keeps_D_280(void **state)
{
    (void)state;
    children(0x7, 0);
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
    static const NTSTATUS legal[] = {STATUS_INVALID_PARAMETER, STATUS_NO_MEMORY,
                                     STATUS_GRAPHICS_DRIVER_MISMATCH};
    struct rig_options options = rig_defaults();

    (void)state;
    answer = STATUS_SUCCESS;
    shown_init(&shown, &options, bend_query);
    assert_int_equal(shown_findings(&shown, "D-287"), 0);
    shown_finish(&shown);
    for (size_t i = 0; i < sizeof(legal) / sizeof(legal[0]); i++) { /* no breach, and no caps */
        answer = legal[i];
        shown_build(&shown, &options, bend_query);
        assert_int_equal(rig_start(&shown.rig), answer);
        shown_end(&shown);
    }
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

static DXGKDDI_CREATECONTEXT *create_context;

static NTSTATUS context_answered(HANDLE device, DXGKARG_CREATECONTEXT *arguments)
{
    return answer != STATUS_SUCCESS ? answer : create_context(device, arguments);
}

static void bend_context(DRIVER_INITIALIZATION_DATA *driver)
{
    create_context = driver->DxgkDdiCreateContext;
    driver->DxgkDdiCreateContext = context_answered;
}

static void contexts(NTSTATUS status, uint32_t private_size, uint64_t findings)
{
    struct rig_options options = rig_defaults();
    struct vidmm_context *context = NULL;
    uint64_t private_data = 0;

    answer = STATUS_SUCCESS;
    shown_init(&shown, &options, bend_context);
    answer = status;
    assert_int_equal(vidmm_context_create(shown.rig.device, 0, &private_data, private_size,
                                          &context, &shown.rig.report),
                     status);
    assert_null(context);
    assert_int_equal(shown_findings(&shown, "D-293"), findings);
    answer = STATUS_SUCCESS;
    assert_int_equal(
        vidmm_context_create(shown.rig.device, 0, NULL, 0, &context, &shown.rig.report),
        STATUS_SUCCESS);
    assert_int_equal(shown_findings(&shown, "D-293"), findings);
    shown_finish(&shown);
}

void breaks_D_293(void **state)
{
    (void)state;
    devices(STATUS_INVALID_PARAMETER, 1); /* a limit of its own */
    contexts(STATUS_INVALID_PARAMETER, 0, 1);
}

void keeps_D_293(void **state)
{
    (void)state;
    devices(STATUS_NO_MEMORY, 0);
    contexts(STATUS_NO_MEMORY, 0, 0);
    contexts(STATUS_INVALID_PARAMETER, sizeof(uint64_t), 0); /* they may be wrong */
}

/* ---- two passes ---- */

static DXGKDDI_QUERYADAPTERINFO *query_segments;
static bool first_alone_size, first_alone_segment, in_both;

static NTSTATUS query_in_the_wrong_pass(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    NTSTATUS status = query_segments(adapter, query);
    DXGK_QUERYSEGMENTOUT3 *out = query->pOutputData;
    bool first;

    if (query->Type != DXGKQAITYPE_QUERYSEGMENT3)
        return status;
    first = out->pSegmentDescriptor == NULL;
    if (first && (first_alone_size || in_both))
        out->PagingBufferSize = 8192;
    if (first && (first_alone_segment || in_both))
        out->PagingBufferSegmentId = 1;
    if (!first && first_alone_size)
        out->PagingBufferSize = 0;
    if (!first && first_alone_segment)
        out->PagingBufferSegmentId = 0;
    return status;
}

static void bend_passes(DRIVER_INITIALIZATION_DATA *driver)
{
    query_segments = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = query_in_the_wrong_pass;
}

/* How often it was told; the adapter works. */
static uint64_t passes(void)
{
    struct rig_options options = rig_defaults();
    uint64_t findings;

    shown_init(&shown, &options, bend_passes);
    rig_work(&shown.rig, 1, 10);
    findings = shown_findings(&shown, "D-285");
    shown_finish(&shown);
    return findings;
}

static void passes_are_refused(bool strict)
{
    struct rig_options options = rig_defaults();

    options.adapter.strict = strict;
    shown_build(&shown, &options, bend_passes);
    shown_refused(&shown, rig_start(&shown.rig), STATUS_GRAPHICS_DRIVER_MISMATCH, "D-285");
    shown_end(&shown);
}

void breaks_D_285(void **state)
{
    (void)state;
    in_both = false;
    first_alone_segment = true;
    assert_int_equal(passes(), 1); /* and the buffers are in no aperture */
    passes_are_refused(true);
    first_alone_segment = false;
    first_alone_size = true;
    passes_are_refused(false); /* there is no size */
    first_alone_size = false;
}

void keeps_D_285(void **state)
{
    (void)state;
    in_both = false;
    assert_int_equal(passes(), 0);
    in_both = true;
    assert_int_equal(passes(), 0);
}

/* ---- nodes ---- */

static DXGKDDI_GETNODEMETADATA *get_node_metadata;
static NTSTATUS (*answer_node)(UINT node, NTSTATUS honest);

static NTSTATUS get_bent(HANDLE adapter, UINT node, DXGKARG_GETNODEMETADATA *metadata)
{
    return answer_node(node, get_node_metadata(adapter, node, metadata));
}

static void bend_nodes(DRIVER_INITIALIZATION_DATA *driver)
{
    get_node_metadata = driver->DxgkDdiGetNodeMetadata;
    driver->DxgkDdiGetNodeMetadata = answer_node != NULL ? get_bent : NULL;
}

static NTSTATUS honestly(UINT node, NTSTATUS honest)
{
    (void)node;
    return honest;
}

static NTSTATUS not_node_1(UINT node, NTSTATUS honest)
{
    return node == 1 ? STATUS_INVALID_PARAMETER : honest;
}

static NTSTATUS every_node(UINT node, NTSTATUS honest)
{
    (void)node, (void)honest;
    return STATUS_SUCCESS;
}

static void nodes(const char *gpu, NTSTATUS (*answer_by)(UINT node, NTSTATUS honest), bool broken)
{
    struct rig_options options = rig_defaults();

    answer_node = answer_by;
    options.gpu = gpu;
    shown_init(&shown, &options, bend_nodes);
    assert_int_equal(shown_findings(&shown, "D-296"), broken);
    shown_finish(&shown);
    options.adapter.strict = true;
    shown_build(&shown, &options, bend_nodes);
    if (broken)
        shown_refused(&shown, rig_start(&shown.rig), STATUS_GRAPHICS_DRIVER_MISMATCH, "D-296");
    else
        assert_int_equal(rig_start(&shown.rig), STATUS_SUCCESS);
    shown_end(&shown);
}

void breaks_D_296(void **state)
{
    (void)state;
    nodes(NULL, NULL, true);
    nodes(NULL, not_node_1, true);
    nodes(NULL, every_node, true);
}

void keeps_D_296(void **state)
{
    (void)state;
    nodes(NULL, honestly, false);
    nodes("engines render render copy\n", honestly, false);
    nodes("wddm 1.2\n", NULL, false);
}
