/* shows_submission.c: submission.def, obeyed. Splitting is in shows_submission_split.c. */
#include "flag_words.h"
#include "present.h"
#include "rules_rig.h"
#include "unit/test_by_address.h"

static struct shown shown;

static const DXGKARG_PATCH *patch_at(size_t call)
{
    assert_true(call != SIZE_MAX);
    return &shown.calls[call].argument.patch;
}

/* ---- BuildPagingBuffer ----------------------------------------------------------------------- */

static DXGKDDI_BUILDPAGINGBUFFER *honest_build;
static bool build_fails;
static unsigned calls_after_failure;

static NTSTATUS failing_build(HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER *pBuildPagingBuffer)
{
    if (!build_fails)
        return honest_build(hAdapter, pBuildPagingBuffer);
    calls_after_failure++;
    return STATUS_NO_MEMORY;
}

static void bend_build(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_build = driver->DxgkDdiBuildPagingBuffer;
    driver->DxgkDdiBuildPagingBuffer = failing_build;
}

void shows_S4_003(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *a;

    (void)state;
    build_fails = false;
    calls_after_failure = 0;
    shown_init(&shown, &options, bend_build);
    a = shown_create(&shown, 0, 4, 1);
    build_fails = true;
    assert_int_equal(rig_render(&shown.rig, &a, 1, 1), STATUS_SUCCESS);
    shown_settle(&shown);
    assert_int_equal(vidmm_adapter_condition(shown.rig.adapter, &shown.rig.report),
                     STATUS_NO_MEMORY); /* the driver's answer */
    assert_non_null(strstr(shown.rig.report.text, "0x10e"));
    assert_int_equal(calls_after_failure, 1); /* it is not asked again */
    assert_int_equal(rig_render(&shown.rig, &a, 1, 1), STATUS_DEVICE_REMOVED);
    shown_end(&shown);
}

void shows_S4_004(void **state)
{
    unsigned in = 0, out = 0, within = 0, between = 0;

    (void)state;
    for (int through = 0; through < 2; through++) {
        struct rig_options options = rig_defaults();
        size_t at = 0;

        options.evict_through_aperture = through == 1;
        options.adapter.move_directly = true;
        shown_init(&shown, &options, NULL);
        rig_work(&shown.rig, 3, 1500);
        while ((at = shown_next_build(&shown, at, DXGK_OPERATION_TRANSFER)) != SIZE_MAX) {
            const DXGKARG_BUILDPAGINGBUFFER *build = &shown.calls[at++].argument.build;
            UINT from = build->Transfer.Source.SegmentId,
                 to = build->Transfer.Destination.SegmentId;

            assert_true(from != 0 || to != 0);
            in += from == 0;
            out += to == 0;
            within += from != 0 && from == to;
            between += from != 0 && to != 0 && from != to;
        }
        shown_finish(&shown);
    }
    assert_true(in > 0 && out > 0 && within > 0 && between > 0);
}

void shows_S4_057(void **state)
{
    struct rig_allocation *list[2];
    const DXGKARG_BUILDPAGINGBUFFER *first, *second;
    size_t call, submit;

    (void)state;
    shown_init_gpu(&shown, NULL, NULL);
    list[0] = shown_create(&shown, 0, 4, 1);
    list[1] = shown_create(&shown, 1, 4, 1);
    call = shown.call_count;
    assert_int_equal(rig_render(&shown.rig, list, 2, 3), STATUS_SUCCESS);
    call = shown_next_build(&shown, call, DXGK_OPERATION_FILL);
    submit = shown_next(&shown, call, VIDMM_DDI_SUBMIT_COMMAND);
    first = &shown.calls[call].argument.build;
    call = shown_next_build(&shown, call + 1, DXGK_OPERATION_FILL);
    assert_true(call < submit);
    second = &shown.calls[call].argument.build;
    assert_true((char *)second->pDmaBuffer > (char *)first->pDmaBuffer);
    assert_int_equal((char *)second->pDmaBuffer - (char *)first->pDmaBuffer,
                     first->DmaSize - second->DmaSize);
    assert_true(shown_submit(&shown, submit)->Flags.Paging);
    shown_finish(&shown);
}

static size_t paging_submissions(size_t from)
{
    size_t count = 0;

    for (; (from = shown_next(&shown, from, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; from++)
        count += shown_submit(&shown, from)->Flags.Paging;
    return count;
}

/* A driver whose paging commands are in the private data alone. */
static NTSTATUS private_build(HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER *pBuildPagingBuffer)
{
    void *start = pBuildPagingBuffer->pDmaBuffer;
    NTSTATUS status = honest_build(hAdapter, pBuildPagingBuffer);

    pBuildPagingBuffer->pDmaBuffer = start;
    return status;
}

static void bend_to_private(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_build = driver->DxgkDdiBuildPagingBuffer;
    driver->DxgkDdiBuildPagingBuffer = private_build;
}

static void commands_in_private_data_are_submitted(void)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *a;
    size_t from, submit;

    options.gpu = "habit immediate\n";
    options.adapter.one_operation = true; /* the bytes of one call are not written over */
    shown_init(&shown, &options, bend_to_private);
    a = shown_create(&shown, 0, 4, 1);
    from = shown.call_count;
    shown_use_one(&shown, a, true);
    assert_int_equal(paging_submissions(from),
                     shown_count_builds(&shown, from, DXGK_OPERATION_FILL));
    assert_int_equal(paging_submissions(from), 1);
    submit = shown_next(&shown, from, VIDMM_DDI_SUBMIT_COMMAND);
    assert_int_equal(shown_submit(&shown, submit)->DmaBufferSubmissionStartOffset,
                     shown_submit(&shown, submit)->DmaBufferSubmissionEndOffset);
    assert_true(shown_submit(&shown, submit)->DmaBufferPrivateDataSubmissionStartOffset <
                shown_submit(&shown, submit)->DmaBufferPrivateDataSubmissionEndOffset);
    rig_work(&shown.rig, 3, 200);
    shown_finish(&shown);
}

void shows_W_018(void **state)
{
    struct rig_allocation *a = &shown.rig.allocations[0];
    size_t from;

    (void)state;
    shown_init_gpu(&shown, "habit immediate\n", NULL); /* it maps inside the call */
    assert_int_equal(rig_create(&shown.rig, a, 4 * VIDMM_PAGE_SIZE, 1, CPU_VISIBLE),
                     STATUS_SUCCESS);
    from = shown.call_count;
    shown_use_one(&shown, a, true);
    assert_int_equal(shown_count_builds(&shown, from, DXGK_OPERATION_MAP_APERTURE_SEGMENT), 1);
    assert_int_equal(paging_submissions(from), 0);
    shown_finish(&shown);
    commands_in_private_data_are_submitted();
}

/* Every call of a paging buffer is told what the calls before it have left. */
void shows_W_019(void **state)
{
    uint32_t size = 0, used = 0, packed = 0;
    const void *next = NULL;
    size_t at = 0;

    (void)state;
    shown_init_gpu(&shown, NULL, NULL);
    rig_work(&shown.rig, 3, 300);
    for (; at < shown.call_count; at++) {
        const struct shown_call *call = &shown.calls[at];
        const DXGKARG_BUILDPAGINGBUFFER *build = &call->argument.build;

        if (call->ddi != VIDMM_DDI_BUILD_PAGING_BUFFER)
            continue;
        if (!call->returned && build->pDmaBuffer != next) { /* a fresh buffer: all of it */
            assert_int_equal((uintptr_t)build->pDmaBuffer % VIDMM_PAGE_SIZE, 0);
            size = size == 0 ? build->DmaSize : size;
            used = 0;
        }
        if (!call->returned) {
            assert_int_equal(build->DmaSize, size - used);
            packed += used > 0;
            next = build->pDmaBuffer;
        } else {
            used += (uint32_t)((const char *)build->pDmaBuffer - (const char *)next);
            next = build->pDmaBuffer;
        }
    }
    assert_true(packed > 20);
    shown_finish(&shown);
}

/* ---- Patch and SubmitCommand ----------------------------------------------------------------- */

void shows_D_258(void **state)
{
    size_t at = 0, seen = 0;

    (void)state;
    shown_init_gpu(&shown, NULL, NULL);
    rig_work(&shown.rig, 3, 100);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++, seen++)
        assert_false(shown_submit(&shown, at)->Flags.NullRendering);
    assert_true(seen > 20);
    shown_finish(&shown);
}

static void assert_paging_node(const char *gpu, UINT node)
{
    size_t at = 0, seen = 0;

    shown_init_gpu(&shown, gpu, NULL);
    rig_work(&shown.rig, 3, 60);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++) {
        if (!shown_submit(&shown, at)->Flags.Paging)
            continue;
        assert_int_equal(shown_submit(&shown, at)->NodeOrdinal, node);
        seen++;
    }
    assert_true(seen > 5);
    shown_finish(&shown);
}

static DXGKDDI_QUERYADAPTERINFO *honest_query;

/* The caps of the memory manager name node 0, and the physical adapter another. */
static NTSTATUS query_two_nodes(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *arguments)
{
    NTSTATUS status = honest_query(adapter, arguments);

    if (status == STATUS_SUCCESS && arguments->Type == DXGKQAITYPE_DRIVERCAPS)
        ((DXGK_DRIVERCAPS *)arguments->pOutputData)->MemoryManagementCaps.PagingNode = 0;
    return status;
}

static void bend_nodes(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_query = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = query_two_nodes;
}

/* From 2.0, by GPU virtual addresses. */
static void assert_paging_node_index(const char *gpu, UINT node)
{
    struct vidmm_allocation *allocation;
    unsigned from = 0, seen = 0;

    by_bend = (struct by_bend){.driver = bend_nodes};
    by_start(gpu);
    by_bend = (struct by_bend){.driver = NULL};
    allocation = by_create(16 * (uint64_t)VIDMM_PAGE_SIZE, 2);
    by_make_resident(allocation->id);
    by_evict(allocation->id);
    by_make_resident(allocation->id);
    by_wait();
    for (; (from = by_next(from, BY_SUBMIT)) < by_count; from++, seen++)
        assert_int_equal(by_calls[from].submit.NodeOrdinal, node);
    assert_true(seen >= 3);
    vidmm_allocation_destroy(allocation);
    by_finish();
}

void shows_D_260(void **state)
{
    (void)state;
    assert_paging_node_index(BY_GPU "engines render copy\n", 1);
    assert_paging_node_index(BY_GPU "engines render render copy\n", 2);
    assert_paging_node("engines render copy\n", 1);
    assert_paging_node("engines render render copy\n", 2);
    assert_paging_node("engines render render\n", 0);
    assert_paging_node("engines render copy\nmulti_engine off\npreemption off\n", 0);
}

void shows_D_261(void **state)
{
    size_t at = 0, contexts = 0, devices = 0;
    HANDLE system_device = NULL;

    (void)state;
    shown_init_gpu(&shown, "engines render copy\n", NULL);
    for (size_t i = 0; i < shown.call_count; i++) {
        const struct shown_call *call = &shown.calls[i];
        size_t answer = i;

        if (call->ddi != VIDMM_DDI_CREATE_DEVICE || call->returned ||
            !call->argument.create_device.Flags.SystemDevice)
            continue;
        while (!shown.calls[answer].returned || shown.calls[answer].entered != call->sequence)
            answer++;
        system_device = shown.calls[answer].argument.create_device.hDevice;
        devices++;
    }
    for (; (at = shown_next(&shown, at, VIDMM_DDI_CREATE_CONTEXT)) != SIZE_MAX; at++) {
        const DXGKARG_CREATECONTEXT *create = &shown.calls[at].argument.create_context;

        assert_true(create->Flags.SystemContext == (shown.calls[at].handle == system_device));
        if (create->Flags.SystemContext) {
            assert_int_equal(create->NodeOrdinal, 1);
            contexts++;
        }
    }
    assert_int_equal(devices, 1);
    assert_int_equal(contexts, 1);
    shown_finish(&shown);
}

void shows_D_320(void **state)
{
    struct vidmm_context *other;
    struct rig_allocation *a;
    struct vidmm_context *first;
    size_t at, seen[3] = {0, 0, 0};

    (void)state;
    shown_init_gpu(&shown, "engines render render copy\n", NULL);
    assert_int_equal(vidmm_context_create(shown.rig.device, 1, NULL, 0, &other, &shown.rig.report),
                     STATUS_SUCCESS);
    first = shown.rig.context;
    a = shown_create(&shown, 0, 4, 1);
    at = shown.call_count;
    shown_use_one(&shown, a, true);
    shown.rig.context = other;
    assert_int_equal(rig_render(&shown.rig, &a, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(other, shown.rig.value), STATUS_SUCCESS);
    shown.rig.context = first;
    for (; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++) {
        const DXGKARG_SUBMITCOMMAND *submit = shown_submit(&shown, at);

        assert_true(submit->NodeOrdinal < 3);
        assert_true((submit->hContext == NULL) == (submit->NodeOrdinal == 2)); /* paging */
        seen[submit->NodeOrdinal]++;
    }
    assert_true(seen[0] == 1 && seen[1] == 1 && seen[2] >= 1);
    vidmm_context_destroy(other);
    shown_finish(&shown);
}

/* Whether a buffer of no allocation was mapped at this address of segment 1. */
static bool was_mapped_at(uint64_t offset)
{
    size_t at = 0;

    for (; (at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT)) != SIZE_MAX;
         at++) {
        const DXGKARG_BUILDPAGINGBUFFER *map = &shown.calls[at].argument.build;

        if (map->MapApertureSegment.hAllocation == NULL &&
            map->MapApertureSegment.OffsetInPages * VIDMM_PAGE_SIZE == offset)
            return true;
    }
    return false;
}

static void assert_addresses(UINT segment, const char *gpu)
{
    struct vidmm_segment_info info;
    struct rig_allocation *a;
    size_t at, seen = 0;

    shown_init_gpu(&shown, gpu, NULL);
    vidmm_adapter_segment(shown.rig.adapter, 1, &info);
    a = shown_create(&shown, 0, 4, 1);
    at = shown.call_count;
    shown_use_one(&shown, a, true);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_PATCH)) != SIZE_MAX; at++, seen++) {
        const DXGKARG_PATCH *patch = patch_at(at);
        uint64_t address = (uint64_t)patch->DmaBufferPhysicalAddress.QuadPart;

        assert_int_equal(patch->DmaBufferSegmentId, segment);
        if (segment == 0) /* the same bytes, one after the other */
            assert_memory_equal(
                vidmm_machine_memory(shown.rig.machine, address, patch->DmaBufferSize),
                patch->pDmaBuffer, patch->DmaBufferSize);
        else
            assert_true(was_mapped_at(address - info.base_address));
    }
    assert_true(seen >= 2);
    shown_finish(&shown);
}

void shows_D_321(void **state)
{
    (void)state;
    assert_addresses(0, "dma_buffer_segment 0\npaging_buffer_segment 0\n");
    assert_addresses(1, "dma_buffer_segment 1\npaging_buffer_segment 1\n");
}

void shows_D_322(void **state)
{
    struct rig_allocation *a, *b;
    struct shown_use uses[2];
    size_t at = 0, parts = 0, paging = 0;

    (void)state;
    shown_init_gpu(&shown, "dma_buffer 4K\npaging_buffer 8K\n", NULL);
    a = shown_create(&shown, 0, 40, 1);
    b = shown_create(&shown, 1, 40, 1);
    uses[0] = (struct shown_use){a, 0, true, false};
    uses[1] = (struct shown_use){b, 1, true, false};
    assert_int_equal(shown_render(&shown, shown.rig.context, uses, 2, &shown.rig.value),
                     STATUS_SUCCESS);
    shown_settle(&shown);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_PATCH)) != SIZE_MAX; at++)
        assert_int_equal(patch_at(at)->DmaBufferSize, patch_at(at)->Flags.Paging ? 8192 : 4096);
    for (at = 0; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++) {
        if (shown_submit(&shown, at)->Flags.ContextSwitch)
            continue; /* there is no buffer */
        assert_int_equal(shown_submit(&shown, at)->DmaBufferSize,
                         shown_submit(&shown, at)->Flags.Paging ? 8192 : 4096);
        parts += shown_submit(&shown, at)->Flags.Paging == 0;
        paging += shown_submit(&shown, at)->Flags.Paging;
    }
    assert_int_equal(parts, 2);
    assert_true(paging >= 2);
    shown_finish(&shown);
}

void shows_D_325(void **state)
{
    size_t at = 0, seen = 0;

    (void)state;
    shown_init_gpu(&shown, NULL, NULL);
    rig_work(&shown.rig, 3, 60);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_PATCH)) != SIZE_MAX; at++) {
        const DXGKARG_PATCH *patch = patch_at(at);

        assert_true(patch->Flags.Paging == (patch->pAllocationList == NULL));
        if (!patch->Flags.Paging)
            continue;
        assert_null(patch->pPatchLocationList);
        assert_int_equal(patch->AllocationListSize, 0);
        assert_int_equal(patch->PatchLocationListSize, 0);
        assert_int_equal(patch->PatchLocationListSubmissionStart, 0);
        assert_int_equal(patch->PatchLocationListSubmissionLength, 0);
        seen++;
    }
    assert_true(seen > 5);
    shown_finish(&shown);
}

void shows_D_326(void **state)
{
    size_t at = 0, seen = 0;

    (void)state;
    shown_init_gpu(&shown, NULL, NULL);
    rig_work(&shown.rig, 3, 60);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++, seen++) {
        size_t patch = at;

        if (shown_submit(&shown, at)->Flags.ContextSwitch)
            continue; /* there is nothing to patch */
        while (shown.calls[patch].ddi != VIDMM_DDI_PATCH || shown.calls[patch].returned)
            patch--; /* the newest before it */
        assert_int_equal(patch_at(patch)->SubmissionFenceId,
                         shown_submit(&shown, at)->SubmissionFenceId);
        assert_int_equal(patch_at(patch)->DmaBufferPhysicalAddress.QuadPart,
                         shown_submit(&shown, at)->DmaBufferPhysicalAddress.QuadPart);
    }
    assert_true(seen > 20);
    shown_finish(&shown);
}

/* The fence completes, and nothing has been executed: the allocation is as it was filled. */
void shows_D_345(void **state)
{
    struct rig_options options = rig_defaults();
    struct softgpu_statistics before, after;
    struct rig_allocation *a;
    size_t at;

    (void)state;
    options.adapter.null_rendering = true;
    shown_init(&shown, &options, NULL);
    a = shown_create(&shown, 0, 4, 1);
    softgpu_device_statistics(shown.rig.gpu, &before);
    at = shown.call_count;
    shown_use_one(&shown, a, true);
    a->generation = 0; /* the write did not take place */
    softgpu_device_statistics(shown.rig.gpu, &after);
    assert_int_equal(after.content_checks, before.content_checks);
    assert_int_equal(vidmm_context_completed(shown.rig.context), shown.rig.value);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++)
        assert_true(shown_submit(&shown, at)->Flags.NullRendering !=
                    shown_submit(&shown, at)->Flags.Paging);
    shown_finish(&shown);
}

/* ---- Render ---------------------------------------------------------------------------------- */

/* A command buffer may name as many allocations as the driver's AllocationListSize says. */
static void list_of_all(uint32_t count)
{
    struct softgpu_touch nothing = {.command = {SOFTGPU_TOUCH, softgpu_touch_size(0)}};
    struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                      .size = VIDMM_PAGE_SIZE,
                                      .read_set = 1,
                                      .write_set = 1,
                                      .priority = SOFTGPU_PRIORITY_NORMAL};
    struct vidmm_render_reference list[32] = {{0}};
    uint64_t value;

    assert_int_equal(count, 20);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(vidmm_allocation_create(shown.rig.device, &wish, sizeof(wish),
                                                 &list[i].allocation, &shown.rig.report),
                         STATUS_SUCCESS);
    assert_int_equal(vidmm_render(shown.rig.context, &nothing, sizeof(nothing), list, count, true,
                                  &value, &shown.rig.report),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, value), STATUS_SUCCESS);
    for (uint32_t i = 0; i < count; i++)
        vidmm_allocation_destroy(list[i].allocation);
    shown_settle(&shown);
}

void shows_D_328(void **state)
{
    const DXGK_CONTEXTINFO *info = NULL;
    size_t at = 0, seen = 0;

    (void)state;
    shown_init_gpu(&shown, "dma_buffer 12K\nallocation_list 20\npatch_list 33\n", NULL);
    for (size_t i = 0; i < shown.call_count; i++)
        if (shown.calls[i].ddi == VIDMM_DDI_CREATE_CONTEXT && shown.calls[i].returned)
            info = &shown.calls[i].argument.create_context.ContextInfo;
    assert_non_null(info);
    assert_int_equal(info->DmaBufferSize, 12288);
    rig_work(&shown.rig, 3, 60);
    shown_present(&shown);
    for (size_t i = 0; i < shown.call_count; i++) /* the records may have moved */
        if (shown.calls[i].ddi == VIDMM_DDI_CREATE_CONTEXT && shown.calls[i].returned)
            info = &shown.calls[i].argument.create_context.ContextInfo;
    for (; (at = shown_next(&shown, at, VIDMM_DDI_RENDER)) != SIZE_MAX; at++, seen++) {
        const DXGKARG_RENDER *render = &shown.calls[at].argument.render;

        assert_true(render->DmaSize >= info->DmaBufferSize);
        assert_true(render->PatchLocationListOutSize >= info->PatchLocationListSize);
        assert_true(render->DmaBufferPrivateDataSize >= info->DmaBufferPrivateDataSize);
    }
    assert_true(seen > 10);
    at = shown_next(&shown, 0, VIDMM_DDI_PRESENT);
    assert_true(at != SIZE_MAX);

    const DXGKARG_PRESENT *present = &shown.calls[at].argument.present;
    assert_true(present->DmaSize >= info->DmaBufferSize);
    assert_true(present->PatchLocationListOutSize >= info->PatchLocationListSize);
    assert_true(present->DmaBufferPrivateDataSize >= info->DmaBufferPrivateDataSize);
    list_of_all(info->AllocationListSize);
    shown_finish(&shown);
}

enum { PRIVATE = 64, OWN = 16 /* bytes that softgpu writes */ };

static DXGKDDI_RENDER *honest_render;
static unsigned private_firsts, private_agains, private_wrong;
static struct {
    unsigned char *data;
    unsigned char mark;
} private_seen[64];

static bool is_all(const unsigned char *bytes, unsigned count, unsigned char value)
{
    for (unsigned i = 0; i < count; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

/* At first sight the private data are zero; bytes written there then stay. */
static NTSTATUS marking_render(HANDLE hContext, DXGKARG_RENDER *pRender)
{
    unsigned char *data = pRender->pDmaBufferPrivateData;
    unsigned i = 0;

    while (i < 63 && private_seen[i].data != NULL && private_seen[i].data != data)
        i++;
    if (private_seen[i].data == NULL) {
        private_wrong += !is_all(data, PRIVATE, 0);
        private_firsts++;
    } else {
        private_wrong += !is_all(data + OWN, PRIVATE - OWN, private_seen[i].mark);
        private_agains++;
    }
    private_seen[i].data = data;
    private_seen[i].mark = (unsigned char)(0x40 + private_agains);
    memset(data + OWN, private_seen[i].mark, PRIVATE - OWN);
    return honest_render(hContext, pRender);
}

static void bend_render(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_render = driver->DxgkDdiRender;
    driver->DxgkDdiRender = marking_render;
}

void shows_D_330(void **state)
{
    struct rig_options options = rig_defaults();

    (void)state;
    memset(private_seen, 0, sizeof(private_seen));
    private_firsts = private_agains = private_wrong = 0;
    options.gpu = "dma_private_data 64\n";
    shown_init(&shown, &options, bend_render);
    rig_work(&shown.rig, 3, 60);
    assert_int_equal(private_firsts, options.adapter.dma_buffers);
    assert_true(private_agains > 10);
    assert_int_equal(private_wrong, 0);
    shown_finish(&shown);
    shown_init_gpu(&shown, "dma_private_data 0\n", NULL); /* there is none */
    rig_work(&shown.rig, 3, 60);
    for (size_t at = 0; (at = shown_next(&shown, at, VIDMM_DDI_RENDER)) != SIZE_MAX; at++) {
        assert_null(shown.calls[at].argument.render.pDmaBufferPrivateData);
        assert_int_equal(shown.calls[at].argument.render.DmaBufferPrivateDataSize, 0);
    }
    shown_finish(&shown);
}

void shows_D_331(void **state)
{
    size_t at = 0, seen = 0;

    (void)state;
    shown_init_gpu(&shown, "dma_buffer 1000\n", NULL);
    rig_work(&shown.rig, 3, 60);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_RENDER)) != SIZE_MAX; at++, seen++)
        assert_int_equal((uintptr_t)shown.calls[at].argument.render.pDmaBuffer % 4096, 0);
    assert_true(seen > 10);
    shown_finish(&shown);
}

/* A command buffer of twelve commands, in DMA buffers that hold two each. */
void shows_D_333(void **state)
{
    struct shown_use uses[12];
    unsigned calls = 0;
    UINT left = 0;

    (void)state;
    shown_init_gpu(&shown, "dma_buffer 150\n", NULL);
    shown_create(&shown, 0, 2, 1);
    for (unsigned round = 0; round < 2; round++) {
        size_t from = shown.call_count;

        for (unsigned i = 0; i < 12; i++)
            uses[i] = (struct shown_use){&shown.rig.allocations[0], i, false, false};
        assert_int_equal(shown_render(&shown, shown.rig.context, uses, 12, &shown.rig.value),
                         STATUS_SUCCESS);
        left = 0;
        for (size_t i = from; i < shown.call_count; i++) {
            const struct shown_call *call = &shown.calls[i];

            if (call->ddi != VIDMM_DDI_RENDER)
                continue;
            if (!call->returned)
                assert_int_equal(call->argument.render.MultipassOffset, left);
            else
                left = call->argument.render.MultipassOffset;
            calls += call->returned;
        }
    }
    assert_int_equal(calls, 12);
    shown_settle(&shown);
    shown_finish(&shown);
}

static DXGK_ALLOCATIONLIST render_list[4];
static UINT render_count;

static NTSTATUS listening_render(HANDLE hContext, DXGKARG_RENDER *pRender)
{
    render_count = pRender->AllocationListSize;
    memcpy(render_list, pRender->pAllocationList,
           (render_count < 4 ? render_count : 4) * sizeof(render_list[0]));
    return honest_render(hContext, pRender);
}

static void bend_to_listen(DRIVER_INITIALIZATION_DATA *driver)
{
    honest_render = driver->DxgkDdiRender;
    driver->DxgkDdiRender = listening_render;
}

void shows_D_337(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *list[3];
    HANDLE handles[3];

    (void)state;
    shown_init(&shown, &options, bend_to_listen);
    for (uint32_t i = 0; i < 3; i++) {
        list[i] = shown_create(&shown, i, 30, 1);
        shown_use_one(&shown, list[i], true);
        handles[i] = render_list[0].hDeviceSpecificAllocation;
    }
    assert_true(handles[0] != handles[1] && handles[1] != handles[2] && handles[0] != NULL);
    list[1] = list[2]; /* the first has left; the third is there */
    assert_int_equal(rig_render(&shown.rig, list, 2, 2), STATUS_SUCCESS);
    assert_int_equal(render_count, 2);
    assert_ptr_equal(render_list[0].hDeviceSpecificAllocation, handles[0]);
    assert_ptr_equal(render_list[1].hDeviceSpecificAllocation, handles[2]);
    assert_int_equal(render_list[0].WriteOperation, 0);
    assert_int_equal(render_list[1].WriteOperation, 1);
    assert_int_equal(render_list[0].SegmentId, 0);
    assert_int_equal(render_list[1].SegmentId, 2);
    shown_settle(&shown);
    shown_finish(&shown);
}

/* ---- SynchronousPaging ----------------------------------------------------------------------- */

/* One node: whether the first DMA buffer waits for the completion of the page-in before it. */
static bool render_waits(uint32_t flags)
{
    struct rig_allocation *a;
    size_t paging, dma;
    bool waited;

    shown_init_gpu(&shown, "engines render\n", NULL);
    a = shown_create(&shown, 0, 8, flags);
    paging = shown.call_count;
    assert_int_equal(rig_render(&shown.rig, &a, 1, 1), STATUS_SUCCESS);
    shown_settle(&shown);
    paging = shown_next(&shown, paging, VIDMM_DDI_SUBMIT_COMMAND);
    assert_true(shown_submit(&shown, paging)->Flags.Paging);
    dma = shown_next(&shown, paging + 1, VIDMM_DDI_SUBMIT_COMMAND);
    assert_false(shown_submit(&shown, dma)->Flags.Paging);
    waited = shown_next(&shown, paging, VIDMM_DDI_NOTIFY_INTERRUPT) < dma;
    shown_finish(&shown);
    return waited;
}

void shows_S0_051(void **state)
{
    (void)state;
    assert_true(render_waits(0x801));
    assert_false(render_waits(0x001));
}

/* One operation, then three in one buffer: the range of each submission is what the builds advanced
 * over, and each build goes on where the one before it has left off. */
