/* shows_submission_again.c: submission.def, obeyed for what goes to the GPU twice, or never, and
 * for private data that a driver does not use. */
#include "flag_words.h"
#include "hang.h"

#include "wddm/call.h"

static struct shown shown;

/* The third packet stops the node, the fourth is behind it: both come back, and go again. */
void shows_D_327(void **state)
{
    struct rig_options options = hang_options("hang 0 3 preemptible\n");
    struct rig_allocation *one[] = {&shown.rig.allocations[0]};
    size_t at, preempt, again = 0;

    (void)state;
    shown_init(&shown, &options, NULL);
    assert_int_equal(rig_create(&shown.rig, one[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(rig_render(&shown.rig, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    preempt = shown_next(&shown, 0, VIDMM_DDI_PREEMPT_COMMAND);
    assert_true(preempt != SIZE_MAX);
    for (at = preempt; (at = shown_next(&shown, at, VIDMM_DDI_PATCH)) != SIZE_MAX; at++) {
        const DXGKARG_PATCH *patch = &shown.calls[at].argument.patch;
        unsigned before = 0;

        if (patch->Flags.Paging)
            continue;
        for (size_t old = 0; old < preempt; old++) /* its slot in memory, and its place of before */
            before += shown.calls[old].ddi == VIDMM_DDI_PATCH && !shown.calls[old].returned &&
                      shown.calls[old].argument.patch.pDmaBuffer == patch->pDmaBuffer &&
                      shown.calls[old].argument.patch.SubmissionFenceId != patch->SubmissionFenceId;
        assert_int_equal(before, 1);
        again++;
    }
    assert_int_equal(again, 2);
    shown_finish(&shown); /* patched twice, they wrote what they were to write */
}

/* A node stops before a packet, which comes back; what follows it was not there before. */
static void resubmissions(const char *gpu, bool told)
{
    struct rig_options options = hang_options(gpu);
    size_t preempt, at, again;

    shown_init(&shown, &options, NULL);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(rig_render(&shown.rig, NULL, 0, 0), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    preempt = shown_next(&shown, 0, VIDMM_DDI_PREEMPT_COMMAND);
    assert_true(preempt != SIZE_MAX);
    again = shown_next(&shown, preempt, VIDMM_DDI_SUBMIT_COMMAND);
    assert_int_equal(shown_submit(&shown, again)->Flags.Resubmission, told);
    for (at = 0; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++)
        if (at != again)
            assert_int_equal(shown_submit(&shown, at)->Flags.Resubmission, 0);
    hang_finish(&shown);
}

void shows_D_257(void **state)
{
    (void)state;
    resubmissions("wddm 2.0\nengines render\nhang 0 3 preemptible\n", true);
    resubmissions("wddm 1.3\nengines render\nhang 0 3 preemptible\n", false);
}

/* ---- CancelCommand --------------------------------------------------------------------------- */

/* How often the DMA buffer at this address was handed to a call, in its present use. */
static unsigned times(enum vidmm_ddi ddi, const void *dma)
{
    unsigned count = 0;

    for (size_t at = 0; (at = shown_next(&shown, at, ddi)) != SIZE_MAX; at++)
        if (ddi == VIDMM_DDI_PATCH)
            count += shown.calls[at].argument.patch.pDmaBuffer == dma;
        else if (ddi == VIDMM_DDI_CANCEL_COMMAND)
            count += ((const DXGKARG_CANCELCOMMAND *)(const void *)shown.calls[at].argument.bytes)
                         ->pDmaBuffer == dma;
        else
            count += shown.calls[at].argument.render.pDmaBuffer == dma;
    return count;
}

/* The first of four DMA buffers stops the engine, the queue takes one: the device is in error, and
 * what waits is never submitted. */
static void fail_with_a_queue(const char *gpu)
{
    struct rig_options options = hang_options(gpu);
    struct rig_allocation *one[] = {&shown.rig.allocations[0]};
    size_t at;
    unsigned rendered = 0, submitted = 0, cancelled = 0;
    bool aware = strstr(gpu, "cancel off") == NULL && strstr(gpu, "wddm 1.1") == NULL;

    options.adapter.queue_limit = 1;
    shown_init(&shown, &options, NULL);
    assert_int_equal(rig_create(&shown.rig, one[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(rig_render(&shown.rig, one, 1, 1), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    shown_settle(&shown);
    assert_int_not_equal(vidmm_device_condition(shown.rig.device, NULL), STATUS_SUCCESS);
    for (at = 0; (at = shown_next(&shown, at, VIDMM_DDI_RENDER)) != SIZE_MAX; at++, rendered++) {
        const void *dma = shown.calls[at].argument.render.pDmaBuffer;

        if (times(VIDMM_DDI_PATCH, dma) > 0) {
            assert_int_equal(times(VIDMM_DDI_CANCEL_COMMAND, dma), 0);
            submitted++;
        } else {
            assert_int_equal(times(VIDMM_DDI_CANCEL_COMMAND, dma), aware ? 1 : 0);
            cancelled += aware;
        }
    }
    assert_int_equal(rendered, 4);
    assert_true(submitted >= 1 && submitted < 4);
    assert_int_equal(shown_count(&shown, 0, VIDMM_DDI_CANCEL_COMMAND), cancelled);
    hang_finish(&shown);
}

void shows_D_346(void **state)
{
    (void)state;
    fail_with_a_queue("hang 0 1\nengine_reset on\n"); /* one device in error */
    fail_with_a_queue("hang 0 1\n");                  /* all of the adapter's */
    fail_with_a_queue("hang 0 1\ncancel off\n");
    fail_with_a_queue("hang 0 1\nwddm 1.1\n");
}

/* A driver that keeps in memory of its own what softgpu writes to private data, and leaves the
 * pointer where it was. */
static struct {
    DXGKDDI_BUILDPAGINGBUFFER *build;
    DXGKDDI_SUBMITCOMMAND *submit;
    unsigned char data[1024];
    UINT used;
} aside;

static NTSTATUS build_aside(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    void *here = arguments->pDmaBufferPrivateData;
    NTSTATUS status;

    arguments->pDmaBufferPrivateData = aside.data + aside.used;
    status = aside.build(adapter, arguments);
    aside.used = (UINT)((unsigned char *)arguments->pDmaBufferPrivateData - aside.data);
    arguments->pDmaBufferPrivateData = here;
    return status;
}

static NTSTATUS submit_aside(HANDLE adapter, const DXGKARG_SUBMITCOMMAND *arguments)
{
    DXGKARG_SUBMITCOMMAND own = *arguments;

    if (!own.Flags.Paging)
        return aside.submit(adapter, arguments);
    own.pDmaBufferPrivateData = aside.data;
    own.DmaBufferPrivateDataSubmissionStartOffset = 0;
    own.DmaBufferPrivateDataSubmissionEndOffset = aside.used;
    aside.used = 0;
    return aside.submit(adapter, &own);
}

static void bend_aside(DRIVER_INITIALIZATION_DATA *driver)
{
    aside.build = driver->DxgkDdiBuildPagingBuffer;
    aside.submit = driver->DxgkDdiSubmitCommand;
    aside.used = 0;
    driver->DxgkDdiBuildPagingBuffer = build_aside;
    driver->DxgkDdiSubmitCommand = submit_aside;
}

/* Then each build of a buffer begins at the same byte, and no byte of it is submitted. */
static void submit_without_private_data(void)
{
    struct rig_allocation *list[3];
    const void *first = NULL;
    size_t submissions = 0, builds = 0;

    shown_init_gpu(&shown, "private_data 1024\n", bend_aside);
    for (uint32_t i = 0; i < 3; i++)
        list[i] = shown_create(&shown, i, 4, 1);
    shown_settle(&shown);
    size_t at = shown.call_count;
    assert_int_equal(rig_render(&shown.rig, list, 3, 7), STATUS_SUCCESS);
    shown_settle(&shown);
    for (; at < shown.call_count; at++) {
        const struct shown_call *call = &shown.calls[at];

        if (call->returned)
            continue;
        if (call->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER) {
            if (first == NULL)
                first = call->argument.build.pDmaBufferPrivateData;
            assert_ptr_equal(call->argument.build.pDmaBufferPrivateData, first);
            assert_int_equal(call->argument.build.DmaBufferPrivateDataSize, 1024);
            builds++;
        } else if (call->ddi == VIDMM_DDI_SUBMIT_COMMAND && call->argument.submit.Flags.Paging) {
            const DXGKARG_SUBMITCOMMAND *submit = &call->argument.submit;

            assert_ptr_equal(submit->pDmaBufferPrivateData, first);
            assert_int_equal(submit->DmaBufferPrivateDataSubmissionStartOffset, 0);
            assert_int_equal(submit->DmaBufferPrivateDataSubmissionEndOffset, 0);
            submissions++;
        }
    }
    assert_int_equal(builds, 3);
    assert_int_equal(submissions, 1);
    shown_finish(&shown);
}

void shows_D_323(void **state)
{
    struct rig_allocation *list[4];
    const unsigned char *next = NULL;
    UINT advanced = 0;
    size_t submissions = 0, builds = 0;

    (void)state;
    shown_init_gpu(&shown, "private_data 1024\n", NULL);
    for (uint32_t i = 0; i < 4; i++)
        list[i] = shown_create(&shown, i, 4, 1);
    shown_settle(&shown);
    size_t at = shown.call_count;
    shown_use_one(&shown, list[0], true);
    assert_int_equal(rig_render(&shown.rig, &list[1], 3, 7), STATUS_SUCCESS);
    shown_settle(&shown);
    for (; at < shown.call_count; at++) {
        const struct shown_call *call = &shown.calls[at];

        if (call->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER) {
            const unsigned char *here = call->argument.build.pDmaBufferPrivateData;

            if (!call->returned && next != NULL)
                assert_ptr_equal(here, next);
            if (call->returned && next == NULL)
                advanced = 16; /* softgpu's bytes for one call */
            else if (call->returned)
                advanced += (UINT)(here - next);
            next = call->returned ? here : next;
            builds += call->returned;
        } else if (call->ddi == VIDMM_DDI_SUBMIT_COMMAND && !call->returned &&
                   call->argument.submit.Flags.Paging) {
            const DXGKARG_SUBMITCOMMAND *submit = &call->argument.submit;

            assert_int_equal(submit->DmaBufferPrivateDataSubmissionStartOffset, 0);
            assert_int_equal(submit->DmaBufferPrivateDataSubmissionEndOffset, advanced);
            assert_ptr_equal((const unsigned char *)submit->pDmaBufferPrivateData + advanced, next);
            next = NULL;
            submissions++;
        }
    }
    assert_int_equal(builds, 4);
    assert_int_equal(submissions, 2);
    shown_finish(&shown);
    submit_without_private_data();
}
