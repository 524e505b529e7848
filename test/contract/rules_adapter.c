/* rules_adapter.c: the rules of adapter.def, broken and kept. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "rig.h"
#include "wddm/call.h"

static void query(struct rig *rig, DXGK_QUERYADAPTERINFOTYPE type, UINT segments, void *array)
{
    DXGK_QUERYSEGMENTOUT3 out = {.NbSegment = segments, .pSegmentDescriptor = array};
    DXGKARG_QUERYADAPTERINFO arg = {
        .Type = type, .pOutputData = &out, .OutputDataSize = sizeof out};

    rig->driver->DxgkDdiQueryAdapterInfo(rig->adapter, &arg);
}

void breaks_D_001(struct rig *rig)
{
    DXGK_SEGMENTDESCRIPTOR3 segments[RIG_SEGMENTS + 1];

    memset(segments, 0, sizeof segments);
    query(rig, DXGKQAITYPE_QUERYSEGMENT3, RIG_SEGMENTS + 1, segments);
}

void keeps_D_001(struct rig *rig)
{
    DXGK_SEGMENTDESCRIPTOR3 segments[RIG_SEGMENTS];

    memset(segments, 0, sizeof segments);
    query(rig, DXGKQAITYPE_QUERYSEGMENT3, 0, NULL);
    query(rig, DXGKQAITYPE_QUERYSEGMENT3, RIG_SEGMENTS, segments);
}

void breaks_D_282(struct rig *rig)
{
    query(rig, DXGKQAITYPE_QUERYSEGMENT2, 0, NULL);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_282), 1);
    query(rig, DXGKQAITYPE_QUERYSEGMENT, 0, NULL);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_282), 2);
    query(rig, DXGKQAITYPE_QUERYSEGMENT4, 0, NULL);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_282), 3);
}

void keeps_D_282(struct rig *rig)
{
    static const struct {
        ULONG version;
        DXGK_QUERYADAPTERINFOTYPE type;
    } levels[] = {
        {DXGKDDI_INTERFACE_VERSION_VISTA, DXGKQAITYPE_QUERYSEGMENT},
        {DXGKDDI_INTERFACE_VERSION_WIN7, DXGKQAITYPE_QUERYSEGMENT},
        {DXGKDDI_INTERFACE_VERSION_WIN8, DXGKQAITYPE_QUERYSEGMENT3},
        {DXGKDDI_INTERFACE_VERSION_WDDM2_0, DXGKQAITYPE_QUERYSEGMENT4},
    };

    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        rig_expect_none(rig);
        rig_stop(rig);
        rig_start(rig, levels[i].version, NULL);
        query(rig, levels[i].type, 0, NULL);
    }
}

void breaks_D_313(struct rig *rig)
{
    DXGKARG_PREEMPTCOMMAND preempt = {0};

    rig->driver->DxgkDdiPreemptCommand(rig->adapter, &preempt); /* at PASSIVE_LEVEL */
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_313), 1);
    rig_irql = VIDMM_IRQL_DISPATCH;
    rig_allocate(rig, 1, 2, 2, 0); /* CreateAllocation and OpenAllocation at DISPATCH_LEVEL */
    rig_irql = VIDMM_IRQL_PASSIVE;
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_313), 3);
}

void keeps_D_313(struct rig *rig)
{
    DXGKARG_PREEMPTCOMMAND preempt = {0};

    rig_irql = VIDMM_IRQL_DISPATCH;
    rig->driver->DxgkDdiPreemptCommand(rig->adapter, &preempt);
    rig->driver->DxgkDdiDpcRoutine(rig->adapter);
    rig_irql = VIDMM_IRQL_DEVICE;
    rig->driver->DxgkDdiInterruptRoutine(rig->adapter, 0);
    rig_irql = VIDMM_IRQL_PASSIVE;
    rig_page_in(rig, rig_simple(rig), 0);
}

/* ---- Answers of the KMD ---- */

void breaks_D_316(struct rig *rig)
{
    rig->status = STATUS_INVALID_PARAMETER;
    rig->driver->DxgkDdiSetPowerState(rig->adapter, 7, PowerDeviceD3, PowerActionNone);
    rig->status = STATUS_SUCCESS;
}

void keeps_D_316(struct rig *rig)
{
    rig->driver->DxgkDdiSetPowerState(rig->adapter, 7, PowerDeviceD3, PowerActionNone);
    rig->status = STATUS_UNSUCCESSFUL; /* the adapter's own is another rule's */
    rig->driver->DxgkDdiSetPowerState(rig->adapter, DISPLAY_ADAPTER_HW_ID, PowerDeviceD0,
                                      PowerActionNone);
    rig->status = STATUS_SUCCESS;
}

static void start_again(struct rig *rig)
{
    DXGK_START_INFO info = {.RequiredDmaQueueEntry = 31};
    ULONG sources = 3, children = 4;

    rig->driver->DxgkDdiStopDevice(rig->adapter);
    rig->driver->DxgkDdiStartDevice(rig->adapter, &info, &rig->kernel, &sources, &children);
    assert_int_equal(sources, rig->sets_no_sources ? 3 : 0); /* as without a tap */
    assert_int_equal(children, rig->sets_no_children ? 4 : 0);
}

void breaks_D_276(struct rig *rig)
{
    rig->sets_no_sources = true;
    start_again(rig);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_276), 1);
    rig->sets_no_sources = false;
    rig->sets_no_children = true;
    start_again(rig);
    assert_int_equal(vidmm_tap_violations_of(rig->tap, VIDMM_RULE_D_276), 2);
}

void keeps_D_276(struct rig *rig)
{
    start_again(rig); /* 0 and 0 */
    rig->sets_no_sources = rig->sets_no_children = true;
    rig->status = STATUS_NO_MEMORY; /* it does not start */
    start_again(rig);
    rig->status = STATUS_SUCCESS;
}

static void stay_raised(struct rig *rig)
{
    (void)rig;
    rig_irql = VIDMM_IRQL_DISPATCH;
}

void breaks_S4_055(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);

    rig->during = stay_raised;
    rig_build(rig, rig_fill(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    rig_irql = VIDMM_IRQL_PASSIVE;
}

void keeps_S4_055(struct rig *rig)
{
    rig_build(rig, rig_fill(rig_simple(rig), RIG_MEMORY, RIG_MEMORY_BASE));
    rig_page(rig);
}

/* ---- Two threads ---- */

static atomic_bool inside;

static void *query_status(void *argument)
{
    struct rig *rig = argument;
    DXGKARG_QUERYENGINESTATUS query = {0};

    while (!atomic_load(&inside))
        sched_yield();
    rig->driver->DxgkDdiQueryEngineStatus(rig->adapter, &query);
    atomic_store(&inside, false);
    return NULL;
}

/* Stay inside until the other thread has been, too. */
static void wait_inside(struct rig *rig)
{
    (void)rig;
    atomic_store(&inside, true);
    while (atomic_load(&inside))
        sched_yield();
}

void breaks_D_078(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    pthread_t thread;

    atomic_store(&inside, false);
    assert_int_equal(pthread_create(&thread, NULL, query_status, rig), 0);
    rig->during = wait_inside;
    rig_build(rig, rig_fill(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    pthread_join(thread, NULL);
}

static void *create_and_render(void *argument)
{
    struct rig *rig = argument;
    DXGKARG_RENDER render = {.pDmaBuffer = rig->dma,
                             .DmaSize = PAGE_SIZE,
                             .DmaBufferSegmentId = RIG_APERTURE,
                             .DmaBufferPhysicalAddress.QuadPart = 0x50000000};

    while (!atomic_load(&inside))
        sched_yield();
    rig->driver->DxgkDdiRender(rig->context, &render);
    atomic_store(&inside, false);
    return NULL;
}

/* Calls of level zero overlap, and one call of the class follows another. */
void keeps_D_078(struct rig *rig)
{
    struct rig_allocation *allocation = rig_simple(rig);
    DXGKARG_QUERYENGINESTATUS query = {0};
    pthread_t thread;

    atomic_store(&inside, false);
    assert_int_equal(pthread_create(&thread, NULL, create_and_render, rig), 0);
    rig->during = wait_inside;
    rig_build(rig, rig_fill(allocation, RIG_MEMORY, RIG_MEMORY_BASE));
    pthread_join(thread, NULL);
    rig->driver->DxgkDdiQueryEngineStatus(rig->adapter, &query);
    rig_page(rig);
}
