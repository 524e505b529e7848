/* shows_adapter.c: adapter.def, obeyed. */
#include "flag_words.h"
#include "rules_rig.h"

#include <limits.h>

#include <vidmm/paging_queue.h>
#include <vidmm/residency.h>

#include "wddm/call.h"

static struct shown shown;

/* ---- starting ---- */

static NTSTATUS decline(struct _DEVICE_OBJECT *object, void **context)
{
    (void)object;
    *context = NULL;
    return STATUS_SUCCESS;
}

static void bend_declining(DRIVER_INITIALIZATION_DATA *driver)
{
    driver->DxgkDdiAddDevice = decline;
}

void shows_D_274(void **state)
{
    struct rig_options options = rig_defaults();
    size_t added;

    (void)state;
    shown_build(&shown, &options, bend_declining);
    assert_int_not_equal(rig_start(&shown.rig), STATUS_SUCCESS);
    assert_non_null(strstr(shown.rig.report.text, "MiniportDeviceContext"));
    assert_null(shown.rig.adapter);
    added = shown_next(&shown, 0, VIDMM_DDI_ADD_DEVICE);
    assert_int_not_equal(added, SIZE_MAX);
    assert_int_equal(shown.call_count, added + 2); /* its entry and its return, and nothing after */
    shown_end(&shown);
}

static PDXGKDDI_START_DEVICE start_device;
static ULONG children, relations_size;
static bool relations_zero;
static NTSTATUS relations_status;

static NTSTATUS start_with_children(void *context, DXGK_START_INFO *info,
                                    DXGKRNL_INTERFACE *interface, ULONG *sources, ULONG *count)
{
    NTSTATUS status = start_device(context, info, interface, sources, count);

    *count = children;
    return status;
}

static NTSTATUS query_relations(void *context, DXGK_CHILD_DESCRIPTOR *relations, ULONG size)
{
    (void)context;
    relations_size = size;
    relations_zero = true;
    for (ULONG byte = 0; byte < size; byte++)
        relations_zero = relations_zero && ((const unsigned char *)relations)[byte] == 0;
    return relations_status;
}

static void bend_children(DRIVER_INITIALIZATION_DATA *driver)
{
    start_device = driver->DxgkDdiStartDevice;
    driver->DxgkDdiStartDevice = start_with_children;
    driver->DxgkDdiQueryChildRelations = query_relations;
}

void shows_D_279(void **state)
{
    (void)state;
    for (children = 0; children < 4; children++) {
        shown_init_gpu(&shown, NULL, bend_children);
        assert_int_equal(relations_size, (children + 1) * sizeof(DXGK_CHILD_DESCRIPTOR));
        assert_true(relations_zero);
        shown_finish(&shown);
    }
    relations_status = STATUS_NOT_IMPLEMENTED; /* who has no display may say so */
    children = 0;
    shown_init_gpu(&shown, NULL, bend_children);
    shown_finish(&shown);
    relations_status = STATUS_SUCCESS;
}

/* ---- questions ---- */

static struct question {
    DXGK_QUERYADAPTERINFOTYPE type;
    UINT input_size;
    bool zero;
} questions[32];
static unsigned question_count;
static DXGKDDI_QUERYADAPTERINFO *query_adapter_info;

static NTSTATUS listen(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    struct question *question = &questions[question_count++ % 32];

    *question = (struct question){query->Type, query->InputDataSize, true};
    for (UINT byte = 0; byte < query->InputDataSize; byte++)
        question->zero = question->zero && ((const unsigned char *)query->pInputData)[byte] == 0;
    return query_adapter_info(adapter, query);
}

static void bend_listening(DRIVER_INITIALIZATION_DATA *driver)
{
    query_adapter_info = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = listen;
    question_count = 0;
}

static void asked(const char *gpu, DXGK_QUERYADAPTERINFOTYPE segments)
{
    unsigned passes = 0, caps = 0;

    shown_init_gpu(&shown, gpu, bend_listening);
    assert_true(question_count < 32);
    for (unsigned i = 0; i < question_count; i++) {
        passes += questions[i].type == segments;
        caps += questions[i].type == DXGKQAITYPE_DRIVERCAPS;
        if (questions[i].type == segments) {
            assert_int_equal(questions[i].input_size, sizeof(DXGK_QUERYSEGMENTIN));
            assert_true(questions[i].zero);
        }
        if (questions[i].type == DXGKQAITYPE_DRIVERCAPS)
            assert_int_equal(questions[i].input_size, 0);
    }
    assert_int_equal(passes, 2);
    assert_int_equal(caps, 1);
    shown_finish(&shown);
}

void shows_D_284(void **state)
{
    (void)state;
    asked("wddm 1.1\n", DXGKQAITYPE_QUERYSEGMENT);
    asked("wddm 1.3\n", DXGKQAITYPE_QUERYSEGMENT3);
}

static void another_version(DXGK_DRIVERCAPS *caps)
{
    caps->WDDMVersion = (DXGK_WDDMVERSION)0x1000; /* of the oldest kit */
}

static void bend_version(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend_caps(driver);
    bend_listening(driver);
}

void shows_D_288(void **state)
{
    unsigned passes = 0;

    (void)state;
    shown_bend.caps = another_version;
    shown_init_gpu(&shown, "wddm 1.3\n", bend_version);
    for (unsigned i = 0; i < question_count; i++)
        passes += questions[i].type == DXGKQAITYPE_QUERYSEGMENT3;
    assert_int_equal(passes, 2); /* as Version says, 1.3 */
    shown_finish(&shown);
}

/* ---- paging buffers ---- */

/* Two buffers of the size that the driver said, mapped into its aperture while the adapter starts,
 * and no operation of an allocation before. */
void shows_D_286(void **state)
{
    struct rig_options options = rig_defaults();
    size_t at, mapped = 0, used = 0;

    (void)state;
    options.gpu = "paging_buffer 8K\npaging_buffer_segment 1\n";
    shown_build(&shown, &options, NULL); /* and started, with no device of a program's */
    assert_int_equal(vidmm_adapter_start(vidmm_slot_host(shown.rig.slot), &shown.rig.driver,
                                         &shown.rig, &shown.rig.options.adapter, &shown.rig.adapter,
                                         &shown.rig.report),
                     STATUS_SUCCESS);
    for (at = 0;
         (at = shown_next_build(&shown, at, DXGK_OPERATION_MAP_APERTURE_SEGMENT)) != SIZE_MAX;
         at++) {
        const DXGKARG_BUILDPAGINGBUFFER *build = &shown.calls[at].argument.build;

        mapped += build->MapApertureSegment.hAllocation == NULL &&
                  build->MapApertureSegment.SegmentId == 1 &&
                  build->MapApertureSegment.NumberOfPages >= 2; /* and a guard */
    }
    assert_int_equal(mapped, options.adapter.paging_buffers);
    assert_int_equal(vidmm_device_create(shown.rig.adapter, 1, &shown.rig.device, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(vidmm_context_create(shown.rig.device, 0, NULL, 0, &shown.rig.context, NULL),
                     STATUS_SUCCESS);
    rig_work(&shown.rig, 5, 60);
    for (at = 0; (at = shown_next(&shown, at, VIDMM_DDI_PATCH)) != SIZE_MAX; at++) {
        const DXGKARG_PATCH *patch = &shown.calls[at].argument.patch;

        if (!patch->Flags.Paging || patch->DmaBufferSegmentId == 0)
            continue; /* one of the manager's own pages maps the others */
        assert_int_equal(patch->DmaBufferSegmentId, 1);
        assert_int_equal(patch->DmaBufferSize, 8192);
        used++;
    }
    assert_true(used > 10);
    shown_finish(&shown);
}

/* ---- submissions ---- */

/* How many were unfinished at once on the node, at most, as the driver saw it; UINT_MAX: on all. */
static unsigned most_unfinished(unsigned node)
{
    struct {
        unsigned node;
        UINT fence;
        bool done;
    } packets[4096];
    unsigned count = 0, most = 0;

    for (size_t at = 0; at < shown.call_count; at++) {
        const struct shown_call *call = &shown.calls[at];
        unsigned unfinished = 0;

        if (call->ddi == VIDMM_DDI_SUBMIT_COMMAND && !call->returned) {
            assert_true(count < 4096);
            packets[count].node = call->argument.submit.NodeOrdinal;
            packets[count].fence = call->argument.submit.SubmissionFenceId;
            packets[count++].done = false;
        }
        if (call->ddi == VIDMM_DDI_NOTIFY_INTERRUPT) {
            const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data = (const void *)&call->argument;

            for (unsigned i = 0; i < count; i++)
                if (packets[i].node == data->DmaCompleted.NodeOrdinal &&
                    packets[i].fence <= data->DmaCompleted.SubmissionFenceId)
                    packets[i].done = true;
        }
        for (unsigned i = 0; i < count; i++)
            unfinished += !packets[i].done && (node == UINT_MAX || packets[i].node == node);
        most = unfinished > most ? unfinished : most;
    }
    return most;
}

void shows_D_278(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation one, *list[] = {&one};

    (void)state;
    options.adapter.queue_limit = 3;
    options.adapter.dma_buffers = 16;
    shown_init(&shown, &options, NULL);
    assert_int_equal(rig_create(&shown.rig, &one, VIDMM_PAGE_SIZE, 2, CPU_VISIBLE), STATUS_SUCCESS);
    for (unsigned i = 0; i < 12; i++)
        assert_int_equal(rig_render(&shown.rig, list, 1, 1), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(shown.rig.context, shown.rig.value), STATUS_SUCCESS);
    shown_settle(&shown);
    assert_int_equal(most_unfinished(UINT_MAX), 3); /* it was reached, and not passed */
    shown_finish(&shown);
}

static UINT packet_cap;

static void with_packet_cap(DXGK_DRIVERCAPS *caps)
{
    caps->SchedulingCaps.Value |= packet_cap << 7; /* HwQueuePacketCap: bits 7 to 10 */
}

/* Queue much on two nodes at that level, with that cap: node 0 shall come to `most` packets. */
static void queue_on_nodes(const char *gpu, UINT cap, unsigned most)
{
    enum { EACH = 12 };
    struct rig_options options = rig_defaults();
    struct rig_allocation one[2], *list[] = {&one[0], &one[1]};
    struct vidmm_paging_queue *queue;
    struct vidmm_residency_result result;
    struct vidmm_context *contexts[2];

    options.gpu = gpu;
    options.adapter.dma_buffers = 2 * EACH;
    packet_cap = cap;
    shown_bend.caps = with_packet_cap;
    shown_init(&shown, &options, shown_bend_caps);
    assert_int_equal(vidmm_paging_queue_create(shown.rig.device, 1, &queue, NULL), STATUS_SUCCESS);
    contexts[0] = shown.rig.context;
    assert_int_equal(vidmm_context_create(shown.rig.device, 1, NULL, 0, &contexts[1], NULL),
                     STATUS_SUCCESS);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(rig_create(&shown.rig, &one[i], VIDMM_PAGE_SIZE, 2, ACCESSED_PHYSICALLY),
                         STATUS_SUCCESS);
        assert_int_equal(vidmm_make_resident(queue, &one[i].handle, 1, 0, &result, NULL),
                         STATUS_PENDING);
        assert_int_equal(vidmm_paging_queue_wait(queue, result.value, NULL), STATUS_SUCCESS);
    }
    shown_settle(&shown);
    shown.call_count = 0;
    for (unsigned i = 0; i < 2 * EACH; i++) {
        shown.rig.context = contexts[i % 2];
        rig_done(&shown.rig, rig_render(&shown.rig, &list[i % 2], 1, 1), "render");
    }
    shown_settle(&shown);
    for (unsigned node = 0; node < 2; node++)
        assert_int_equal(most_unfinished(node), most);
    shown.rig.context = contexts[0];
    vidmm_context_destroy(contexts[1]);
    rig_judge(&shown.rig, shown.rig.gpu);
    rig_stop(&shown.rig);
    shown_is_clean(&shown);
    shown_end(&shown);
    shown_bend.caps = NULL;
}

/* The cap is of each node; none is stated by 0, and below 2.3 the bits mean nothing. */
void shows_D_305(void **state)
{
    (void)state;
    queue_on_nodes("wddm 2.3\nengines render render\n", 3, 3);
    queue_on_nodes("wddm 2.3\nengines render render\n", 1, 1);
    queue_on_nodes("wddm 2.3\nengines render render\n", 0, 12);
    queue_on_nodes("wddm 2.2\nengines render render\n", 3, 12);
}

/* ---- devices, nodes, engines ---- */

/* The number of the return of the call that was entered at record `at`. */
static size_t return_of(size_t at)
{
    size_t end = at + 1;

    while (!shown.calls[end].returned || shown.calls[end].entered != shown.calls[at].sequence)
        end++;
    return end;
}

static DXGKDDI_CREATECONTEXT *create_context;
static DXGKRNL_INTERFACE callbacks;
static HANDLE given_device; /* the handle in DXGKARG_CREATEDEVICE at the entry of the last call */
static NTSTATUS asked_status;
static DXGKDDI_CREATEDEVICE *create_device;

static NTSTATUS create_device_noted(HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    given_device = arguments->hDevice;
    return create_device(adapter, arguments);
}

/* The driver asks for an allocation of its device's contexts, and names the device by that. */
static NTSTATUS create_context_asking(HANDLE device, DXGKARG_CREATECONTEXT *arguments)
{
    DXGKARGCB_CREATECONTEXTALLOCATION request;
    HANDLE none = NULL;

    if (arguments->Flags.SystemContext)
        return create_context(device, arguments);
    memset(&request, 0, sizeof(request));
    request.ContextAllocationFlags.SharedAcrossContexts = 1;
    request.hAdapter = callbacks.DeviceHandle;
    request.hDevice = given_device;
    request.hDriverAllocation = &none;
    request.Size = 4096;
    request.SupportedSegmentSet = 2;
    asked_status = callbacks.DxgkCbCreateContextAllocation(&request);
    if (asked_status == STATUS_SUCCESS)
        callbacks.DxgkCbDestroyContextAllocation(callbacks.DeviceHandle, request.hAllocation);
    return create_context(device, arguments);
}

static NTSTATUS start_and_remember(void *context, DXGK_START_INFO *info,
                                   DXGKRNL_INTERFACE *interface, ULONG *sources, ULONG *count)
{
    callbacks = *interface;
    return start_device(context, info, interface, sources, count);
}

static void bend_asking(DRIVER_INITIALIZATION_DATA *driver)
{
    start_device = driver->DxgkDdiStartDevice;
    driver->DxgkDdiStartDevice = start_and_remember;
    create_device = driver->DxgkDdiCreateDevice;
    driver->DxgkDdiCreateDevice = create_device_noted;
    create_context = driver->DxgkDdiCreateContext;
    driver->DxgkDdiCreateContext = create_context_asking;
}

/* hDevice as it went in serves in a callback. */
static void the_system_knows_what_it_gave(void)
{
    asked_status = STATUS_UNSUCCESSFUL;
    shown_init_gpu(&shown, NULL, bend_asking);
    assert_int_equal(asked_status, STATUS_SUCCESS);
    shown_end(&shown);
}

void shows_D_294(void **state)
{
    size_t at = 0, devices = 0, contexts = 0;
    HANDLE known[8];

    (void)state;
    shown_init_gpu(&shown, NULL, NULL);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_CREATE_DEVICE)) != SIZE_MAX; at++) {
        HANDLE given = shown.calls[at].argument.create_device.hDevice;
        HANDLE answered = shown.calls[return_of(at)].argument.create_device.hDevice;

        assert_non_null(given);
        assert_non_null(answered);
        assert_ptr_not_equal(given, answered);
        known[devices++] = answered;
    }
    assert_int_equal(devices, 2);
    for (at = 0; (at = shown_next(&shown, at, VIDMM_DDI_CREATE_CONTEXT)) != SIZE_MAX; at++) {
        assert_true(shown.calls[at].handle == known[0] || shown.calls[at].handle == known[1]);
        contexts++;
    }
    assert_int_equal(contexts, 2);
    assert_int_equal(rig_create(&shown.rig, &shown.rig.allocations[0], 5000, 2, CPU_VISIBLE),
                     STATUS_SUCCESS);
    at = shown_next(&shown, 0, VIDMM_DDI_OPEN_ALLOCATION);
    assert_ptr_equal(shown.calls[at].handle, known[1]);
    devices = shown.call_count;
    vidmm_allocation_destroy(shown.rig.allocations[0].handle);
    shown.rig.allocations[0].handle = NULL;
    vidmm_device_destroy(shown.rig.device);
    shown_settle(&shown);
    at = shown_next(&shown, devices, VIDMM_DDI_CLOSE_ALLOCATION);
    assert_ptr_equal(shown.calls[at].handle, known[1]);
    at = shown_next(&shown, devices, VIDMM_DDI_DESTROY_DEVICE);
    assert_ptr_equal(shown.calls[at].handle, known[1]);
    shown_finish(&shown);
    the_system_knows_what_it_gave();
}

static UINT nodes_told;

static void tell_nodes(DXGK_DRIVERCAPS *caps)
{
    caps->GpuEngineTopology.NbAsymetricProcessingNodes = nodes_told;
}

void shows_D_295(void **state)
{
    struct rig_options options = rig_defaults();
    struct vidmm_context *context;
    size_t at = 0, seen = 0;

    (void)state;
    shown_init_gpu(&shown, "engines render render copy\n", NULL);
    for (uint32_t node = 0; node < 3; node++)
        assert_int_equal(
            vidmm_context_create(shown.rig.device, node, NULL, 0, &context, &shown.rig.report),
            STATUS_SUCCESS);
    shown_refused(&shown,
                  vidmm_context_create(shown.rig.device, 3, NULL, 0, &context, &shown.rig.report),
                  STATUS_INVALID_PARAMETER, "D-295");
    for (; (at = shown_next(&shown, at, VIDMM_DDI_CREATE_CONTEXT)) != SIZE_MAX; at++, seen++)
        assert_true(shown.calls[at].argument.create_context.NodeOrdinal < 3);
    assert_int_equal(seen, 5);
    shown_finish(&shown);
    for (nodes_told = 64; nodes_told <= 65; nodes_told++) {
        shown_bend.caps = tell_nodes;
        shown_build(&shown, &options, shown_bend_caps);
        if (nodes_told == 65)
            shown_refused(&shown, rig_start(&shown.rig), STATUS_GRAPHICS_DRIVER_MISMATCH, "D-295");
        else if (rig_start(&shown.rig) != STATUS_SUCCESS)
            assert_null(strstr(shown.rig.report.text, "D-295")); /* softgpu has no 64 */
        shown_end(&shown);
        shown_bend.caps = NULL;
    }
    shown_init_gpu(&shown, "engines render render copy\nmulti_engine off\n", NULL); /* 3: ignored */
    shown_refused(&shown,
                  vidmm_context_create(shown.rig.device, 1, NULL, 0, &context, &shown.rig.report),
                  STATUS_INVALID_PARAMETER, "D-295");
    shown_finish(&shown);
}

/* Each context once for each GPU of a link, and then in that GPU's name. */
static void affinities_of_a_link(void)
{
    struct rig_options options = rig_defaults();
    size_t at = 0, seen = 0;

    options.links = 3;
    options.sets = 2;
    shown_init(&shown, &options, NULL);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_CREATE_CONTEXT)) != SIZE_MAX; at++, seen++)
        assert_int_equal(shown.calls[at].argument.create_context.EngineAffinity, 1u << seen % 3);
    assert_int_equal(seen, 6);
    shown_finish(&shown);
}

/* Every node that the lead tells is a node of each GPU, and no GPU has one more: contexts of it are
 * made on each, and work for it goes to each. */
static void nodes_of_a_link(void)
{
    enum { NODES = 3, GPUS = 3 };
    struct rig_options options = rig_defaults();
    struct vidmm_context *contexts[NODES], *more;
    struct rig_allocation *one[] = {&shown.rig.allocations[0]};
    unsigned made[NODES][GPUS] = {{0}}, given[NODES][GPUS] = {{0}};
    const DXGKARG_SUBMITCOMMAND *submit;
    size_t at, start;

    options.gpu = "engines render render render\n";
    options.links = GPUS;
    options.sets = 2;
    shown_init(&shown, &options, NULL);
    contexts[0] = shown.rig.context;
    start = shown.call_count;
    for (uint32_t node = 1; node < NODES; node++)
        assert_int_equal(vidmm_context_create(shown.rig.device, node, NULL, 0, &contexts[node],
                                              &shown.rig.report),
                         STATUS_SUCCESS);
    for (at = start; (at = shown_next(&shown, at, VIDMM_DDI_CREATE_CONTEXT)) != SIZE_MAX; at++) {
        const DXGKARG_CREATECONTEXT *create = &shown.calls[at].argument.create_context;

        assert_true(create->NodeOrdinal < NODES);
        for (uint32_t gpu = 0; gpu < GPUS; gpu++)
            made[create->NodeOrdinal][gpu] += create->EngineAffinity == 1u << gpu;
    }
    start = shown.call_count;
    assert_int_equal(
        vidmm_context_create(shown.rig.device, NODES, NULL, 0, &more, &shown.rig.report),
        STATUS_INVALID_PARAMETER);
    assert_true(shown_next(&shown, start, VIDMM_DDI_CREATE_CONTEXT) == SIZE_MAX);
    shown_create(&shown, 0, 2, 1);
    start = shown.call_count;
    for (uint32_t node = 0; node < NODES; node++) {
        shown.rig.context = contexts[node];
        assert_int_equal(rig_render(&shown.rig, one, 1, 1), STATUS_SUCCESS);
        assert_int_equal(vidmm_context_wait(contexts[node], shown.rig.value), STATUS_SUCCESS);
    }
    for (at = start; (at = shown_next(&shown, at, VIDMM_DDI_SUBMIT_COMMAND)) != SIZE_MAX; at++) {
        submit = &shown.calls[at].argument.submit;
        assert_true(submit->NodeOrdinal < NODES && submit->EngineOrdinal < GPUS);
        if (!submit->Flags.Paging)
            given[submit->NodeOrdinal][submit->EngineOrdinal]++;
    }
    for (uint32_t node = 0; node < NODES; node++)
        for (uint32_t gpu = 0; gpu < GPUS; gpu++) {
            assert_int_equal(made[node][gpu], node == 0 ? 0 : 1); /* the first: by the start */
            assert_int_equal(given[node][gpu], 1);
        }
    for (uint32_t node = 1; node < NODES; node++)
        vidmm_context_destroy(contexts[node]);
    shown.rig.context = contexts[0];
    shown_finish(&shown);
}

void shows_D_297(void **state)
{
    size_t at = 0, seen = 0;

    (void)state;
    affinities_of_a_link();
    nodes_of_a_link();
    shown_init_gpu(&shown, NULL, NULL);
    for (; (at = shown_next(&shown, at, VIDMM_DDI_CREATE_CONTEXT)) != SIZE_MAX; at++, seen++)
        assert_int_equal(shown.calls[at].argument.create_context.EngineAffinity, 1);
    assert_int_equal(seen, 2);
    shown_finish(&shown);
}

/* The answers of AddDevice, in order; no two calls of it overlap. */
static size_t added(HANDLE *contexts, size_t most)
{
    size_t count = 0;
    bool inside = false;

    for (size_t at = 0; at < shown.call_count; at++) {
        if (shown.calls[at].ddi != VIDMM_DDI_ADD_DEVICE)
            continue;
        assert_true(inside == shown.calls[at].returned);
        inside = !shown.calls[at].returned;
        if (inside)
            continue;
        assert_true(count < most);
        memcpy(&contexts[count++],
               &((const struct vidmm_ddi_add_device *)(const void *)&shown.calls[at].argument)
                    ->MiniportDeviceContext,
               sizeof(contexts[0]));
    }
    return count;
}

/* Work on a link of so many, and look at the adapter argument of every call. */
static void adapter_arguments(uint32_t links)
{
    struct rig_options options = rig_defaults();
    HANDLE contexts[SOFTGPU_LINKS];
    size_t uses[SOFTGPU_LINKS] = {0};

    options.links = links;
    options.sets = 2;
    shown_init(&shown, &options, NULL);
    rig_work(&shown.rig, 7, 60);
    assert_int_equal(added(contexts, SOFTGPU_LINKS), links);
    for (size_t at = 0; at < shown.call_count; at++) {
        const char *name = vidmm_ddi_call(shown.calls[at].ddi)->handle;
        size_t link = 0;

        if (strcmp(name, "hAdapter") != 0 && strcmp(name, "MiniportDeviceContext") != 0)
            continue;
        while (link < links && contexts[link] != shown.calls[at].handle)
            link++;
        assert_true(link < links);
        uses[link]++;
    }
    for (size_t link = 0; link < links; link++)
        assert_true(uses[link] > 10);
    shown_finish(&shown);
}

void shows_D_273(void **state)
{
    (void)state;
    adapter_arguments(1);
    adapter_arguments(3);
}

/* ---- the POST device ---- */

static unsigned releases, stops;
static NTSTATUS release_answer;
static DXGKDDI_STOP_DEVICE *stop_device;

static NTSTATUS release_display(PVOID context, D3DDDI_VIDEO_PRESENT_TARGET_ID target,
                                DXGK_DISPLAY_INFORMATION *information)
{
    (void)target, (void)information;
    assert_int_equal(stops, 0);
    releases++;
    return release_answer == STATUS_SUCCESS ? stop_device(context) : release_answer;
}

static NTSTATUS count_stop(PVOID context)
{
    stops++;
    return stop_device(context);
}

static void support_non_vga(DXGK_DRIVERCAPS *caps)
{
    caps->SupportNonVGA = TRUE;
}

static void bend_stop(DRIVER_INITIALIZATION_DATA *driver)
{
    stop_device = driver->DxgkDdiStopDevice;
    driver->DxgkDdiStopDevice = count_stop;
    driver->DxgkDdiStopDeviceAndReleasePostDisplayOwnership = release_display;
    shown_bend_caps(driver);
}

static void stop_it(bool post_device, bool declared, NTSTATUS answer, unsigned expected_releases,
                    unsigned expected_stops)
{
    struct rig_options options = rig_defaults();

    releases = stops = 0;
    release_answer = answer;
    shown_bend.caps = declared ? support_non_vga : NULL;
    options.adapter.post_device = post_device;
    shown_init(&shown, &options, bend_stop);
    rig_work(&shown.rig, 1, 10);
    shown_finish(&shown);
    shown_bend.caps = NULL;
    assert_int_equal(releases, expected_releases);
    assert_int_equal(stops, expected_stops);
}

void shows_D_299(void **state)
{
    (void)state;
    stop_it(true, true, STATUS_SUCCESS, 1, 0);
    stop_it(true, true, STATUS_UNSUCCESSFUL, 1, 1);
    stop_it(true, false, STATUS_SUCCESS, 0, 1);
    stop_it(false, true, STATUS_SUCCESS, 0, 1);
}
