/* seen_submission.c: submission.def broken, and answered. */
#include "flag_words.h"
#include "hang.h"

static DXGKDDI_RENDER *honest_render;
static NTSTATUS render_status;
static ptrdiff_t render_end, render_patches; /* added to what the driver answers */

static NTSTATUS bent_render(HANDLE hContext, DXGKARG_RENDER *pRender)
{
    NTSTATUS status = honest_render(hContext, pRender);

    if (render_end == PTRDIFF_MIN)
        pRender->pDmaBuffer = (char *)pRender->pDmaBuffer - 4096;
    else
        pRender->pDmaBuffer = (char *)pRender->pDmaBuffer + render_end;
    pRender->pPatchLocationListOut += render_patches;
    return status != STATUS_SUCCESS ? status : render_status;
}

static void bend_render(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_render = driver->DxgkDdiRender;
    driver->DxgkDdiRender = bent_render;
}

/* A DMA buffer whose Render answers that. Answers what the program gets, and how often the rule was
 * seen broken. One status loses the device; after any other an honest Render is none the worse. */
static NTSTATUS render_with(NTSTATUS status, ptrdiff_t end, ptrdiff_t patches, const char *rule,
                            uint64_t *findings)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *one;
    struct shown shown;
    NTSTATUS answer, lost;

    shown_init(&shown, &options, bend_render);
    one = &shown.rig.allocations[0];
    assert_int_equal(rig_create(&shown.rig, one, 3 * VIDMM_PAGE_SIZE, 2, CPU_VISIBLE),
                     STATUS_SUCCESS);
    render_status = status;
    render_end = end;
    render_patches = patches;
    answer = rig_render(&shown.rig, &one, 1, 1);
    *findings = shown_findings(&shown, rule);
    render_status = STATUS_SUCCESS;
    render_end = render_patches = 0;
    lost = status == STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE ? status : STATUS_SUCCESS;
    assert_int_equal(vidmm_device_condition(shown.rig.device, NULL), lost);
    assert_int_equal(rig_render(&shown.rig, &one, 1, 1), lost);
    shown_settle(&shown);
    shown_finish(&shown);
    return answer;
}

void breaks_D_332(void **state)
{
    uint64_t findings;

    (void)state;
    assert_int_equal(render_with(STATUS_SUCCESS, 1 << 20, 0, "D-332", &findings),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(findings, 1);
    assert_int_equal(render_with(STATUS_SUCCESS, PTRDIFF_MIN, 0, "D-332", &findings),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(findings, 1);
    assert_int_equal(render_with(STATUS_SUCCESS, 0, 1 << 20, "D-332", &findings),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(findings, 1);
    assert_int_equal(render_with(STATUS_SUCCESS, 0, -2, "D-332", &findings),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(findings, 1);
}

void keeps_D_332(void **state)
{
    uint64_t findings;

    (void)state;
    assert_int_equal(render_with(STATUS_SUCCESS, 0, 0, "D-332", &findings), STATUS_SUCCESS);
    assert_int_equal(findings, 0);
}

void breaks_D_335(void **state)
{
    uint64_t findings;

    (void)state;
    assert_int_equal(render_with(STATUS_TIMEOUT, 0, 0, "D-335", &findings), STATUS_TIMEOUT);
    assert_int_equal(findings, 1);
    assert_int_equal(render_with(STATUS_UNSUCCESSFUL, 0, 0, "D-335", &findings),
                     STATUS_UNSUCCESSFUL);
    assert_int_equal(findings, 1);
}

/* ---- an answer that comes when the device is lost already ---- */

static struct shown *late;
static struct rig_allocation *too_large[2];

/* While Render of one context runs, the other's DMA buffer turns out never to fit. */
static NTSTATUS answer_late(HANDLE hContext, DXGKARG_RENDER *pRender)
{
    struct vidmm_context *other = late->rig.context;
    NTSTATUS status = honest_render(hContext, pRender);

    if (!too_large[0])
        return status;
    struct rig_allocation *both[2] = {too_large[0], too_large[1]};
    too_large[0] = NULL;
    assert_int_equal(
        vidmm_context_create(late->rig.device, 0, NULL, 0, &late->rig.context, &late->rig.report),
        STATUS_SUCCESS);
    assert_int_equal(rig_render(&late->rig, both, 2, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_device_condition(late->rig.device, NULL),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    vidmm_context_destroy(late->rig.context);
    late->rig.context = other;
    return STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE;
}

static void bend_late(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_render = driver->DxgkDdiRender;
    driver->DxgkDdiRender = answer_late;
}

/* The first reason stands. */
static void answers_late(void)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *one;
    struct vidmm_report report;
    struct shown shown;

    shown_init(&shown, &options, bend_late);
    late = &shown;
    one = &shown.rig.allocations[2];
    assert_int_equal(
        rig_create(&shown.rig, &shown.rig.allocations[0], 33 * VIDMM_PAGE_SIZE, 2, CPU_VISIBLE),
        STATUS_SUCCESS);
    assert_int_equal(
        rig_create(&shown.rig, &shown.rig.allocations[1], 32 * VIDMM_PAGE_SIZE, 2, CPU_VISIBLE),
        STATUS_SUCCESS);
    assert_int_equal(rig_create(&shown.rig, one, VIDMM_PAGE_SIZE, 2, CPU_VISIBLE), STATUS_SUCCESS);
    too_large[0] = &shown.rig.allocations[0];
    too_large[1] = &shown.rig.allocations[1];
    assert_int_equal(rig_render(&shown.rig, &one, 1, 0), STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    assert_int_equal(vidmm_device_condition(shown.rig.device, &report),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_non_null(strstr(report.text, "D-089"));
    assert_int_equal(shown_findings(&shown, "D-335"), 0);
    shown_settle(&shown);
    shown_finish(&shown);
}

void keeps_D_335(void **state)
{
    static const NTSTATUS listed[] = {
        STATUS_NO_MEMORY,
        STATUS_PRIVILEGED_INSTRUCTION,
        STATUS_ILLEGAL_INSTRUCTION,
        STATUS_INVALID_USER_BUFFER,
        STATUS_INVALID_HANDLE,
        STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE /* and the device is lost */};
    uint64_t findings;

    (void)state;
    for (size_t i = 0; i < sizeof(listed) / sizeof(listed[0]); i++) {
        assert_int_equal(render_with(listed[i], 0, 0, "D-335", &findings), listed[i]);
        assert_int_equal(findings, 0);
    }
    answers_late();
}

/* ---- a guaranteed DMA buffer ---- */

static DXGKDDI_CREATEDEVICE *create_device;
static bool guarantees;

static NTSTATUS create_guaranteed(HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    NTSTATUS status = create_device(adapter, arguments);

    arguments->pInfo->Flags.GuaranteedDmaBufferContract = guarantees;
    return status;
}

static void bend_guarantee(DRIVER_INITIALIZATION_DATA *driver)
{
    create_device = driver->DxgkDdiCreateDevice;
    driver->DxgkDdiCreateDevice = create_guaranteed;
}

/* Render commands of which one DMA buffer holds so many. How often the rule was seen broken. */
static uint64_t render_many(bool guaranteed, uint32_t commands, NTSTATUS expected)
{
    struct rig_options options = rig_defaults();
    struct shown_use uses[40];
    struct shown shown;
    uint64_t findings, value;

    assert_true(commands <= 40);
    guarantees = guaranteed;
    options.gpu = "multi_engine off\ndma_buffer 512\n";
    shown_init(&shown, &options, bend_guarantee);
    for (uint32_t i = 0; i < commands; i++)
        uses[i] = (struct shown_use){.allocation = &shown.rig.allocations[0], .command = i};
    assert_int_equal(
        rig_create(&shown.rig, &shown.rig.allocations[0], 3 * VIDMM_PAGE_SIZE, 2, CPU_VISIBLE),
        STATUS_SUCCESS);
    assert_int_equal(shown_render(&shown, shown.rig.context, uses, commands, &value), expected);
    shown_settle(&shown);
    findings = shown_findings(&shown, "D-088");
    if (expected == STATUS_SUCCESS) {
        shown_finish(&shown);
        return findings;
    }
    assert_non_null(strstr(shown.rig.report.text, "D-088"));
    assert_int_not_equal(vidmm_adapter_condition(shown.rig.adapter, &shown.rig.report),
                         STATUS_SUCCESS);
    assert_non_null(strstr(shown.rig.report.text, "0x10e, 0x16"));
    rig_stop(&shown.rig);
    shown_end(&shown);
    return findings;
}

void breaks_D_088(void **state)
{
    (void)state;
    assert_int_equal(render_many(true, 40, STATUS_DEVICE_REMOVED), 1);
}

void keeps_D_088(void **state)
{
    (void)state;
    assert_int_equal(render_many(true, 3, STATUS_SUCCESS), 0);
    assert_int_equal(render_many(false, 40, STATUS_SUCCESS), 0);
}

/* ---- CancelCommand --------------------------------------------------------------------------- */

static DXGKDDI_CANCELCOMMAND *honest_cancel;
static NTSTATUS cancel_status;

static NTSTATUS cancel(HANDLE hAdapter, const DXGKARG_CANCELCOMMAND *pCancelCommand)
{
    NTSTATUS status = honest_cancel(hAdapter, pCancelCommand);

    return cancel_status != STATUS_SUCCESS ? cancel_status : status;
}

static void bend_cancel(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_cancel = driver->DxgkDdiCancelCommand;
    driver->DxgkDdiCancelCommand = cancel;
}

/* A device fails with DMA buffers in the queue. Answers the adapter's condition. */
static NTSTATUS cancel_with(NTSTATUS status, struct vidmm_report *report)
{
    struct rig_options options = hang_options("hang 0 1\nengine_reset on\n");
    struct shown shown;
    struct rig_allocation *one[] = {&shown.rig.allocations[0]};
    NTSTATUS condition;

    cancel_status = status;
    options.adapter.queue_limit = 1;
    shown_init(&shown, &options, bend_cancel);
    assert_int_equal(rig_create(&shown.rig, one[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(rig_render(&shown.rig, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    shown_settle(&shown);
    assert_true(shown_count(&shown, 0, VIDMM_DDI_CANCEL_COMMAND) > 0);
    condition = vidmm_adapter_condition(shown.rig.adapter, report);
    hang_finish(&shown);
    return condition;
}

void breaks_D_347(void **state)
{
    struct vidmm_report report;

    (void)state;
    assert_int_equal(cancel_with(STATUS_NO_MEMORY, &report), STATUS_NO_MEMORY);
    assert_non_null(strstr(report.text, "0x119, 9"));
    assert_non_null(strstr(report.text, "DxgkDdiCancelCommand"));
}

void keeps_D_347(void **state)
{
    struct vidmm_report report;

    (void)state;
    assert_int_equal(cancel_with(STATUS_SUCCESS, &report), STATUS_SUCCESS);
}
