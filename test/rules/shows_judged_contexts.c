/* shows_judged_contexts.c: D-138, which the auditor judges, brought about on purpose.
 *
 * The driver makes an allocation for each context and one for all contexts of a device, by
 * DxgkCbCreateContextAllocation. It learns from paging operations where they are; so does this
 * test, which notes what each node runs besides:
 *
 *     a packet of a context     what it and its device have is there, and so are its bytes
 *     a paging buffer           takes nothing away of what any node still runs
 */
#include "rules_rig.h"
#include "unit/test_addressed.h"

#include <wddm/d3dkmddi_callback.h>

enum { NODES = 4, MOST = 24, LOCAL = 2 };

struct noted_device {
    HANDLE kernel, driver;
};

struct noted_context {
    HANDLE kernel, driver, device; /* device: the kernel's */
};

/* An allocation of contexts. */
struct kept {
    HANDLE name;    /* the driver's */
    HANDLE context; /* the kernel's; NULL: all of the device */
    HANDLE device;
    bool there, leaves; /* leaves: by the paging buffer that is built */
    bool submitted;     /* what brings it there is */
    UINT node, fence;   /* ... then */
};

static struct {
    DRIVER_INITIALIZATION_DATA driver;
    DXGKRNL_INTERFACE kernel;
    struct noted_device devices[MOST];
    struct noted_context contexts[MOST];
    struct kept kept[MOST];
    unsigned device_count, context_count, kept_count;
    const struct noted_context *runs[NODES]; /* NULL: nothing */
    UINT completed[NODES];
    bool others_leave; /* by the paging buffer that is built: an allocation of no context */
    /* occasions */
    unsigned packets;               /* that found both of theirs */
    unsigned by_another;            /* ... while a node runs another of its device */
    unsigned own_left, shared_left; /* after something else was queued */
    unsigned passed_over; /* paging that takes away something else, and a node runs a context */
} noted;

static const struct noted_context *context_of(HANDLE driver)
{
    for (unsigned i = 0; i < noted.context_count; i++)
        if (noted.contexts[i].driver == driver)
            return &noted.contexts[i];
    fail_msg("a packet of no context");
    return NULL;
}

static struct kept *kept_of(HANDLE name)
{
    for (unsigned i = 0; i < noted.kept_count; i++)
        if (noted.kept[i].name == name)
            return &noted.kept[i];
    return NULL;
}

static bool belongs(const struct kept *kept, const struct noted_context *context)
{
    return kept->device == context->device &&
           (kept->context == NULL || kept->context == context->kernel);
}

/* ---- who has what ---------------------------------------------------------------------------- */

static NTSTATUS make_kept(DXGKARGCB_CREATECONTEXTALLOCATION *request)
{
    NTSTATUS status = noted.kernel.DxgkCbCreateContextAllocation(request);

    assert_int_equal(status, STATUS_SUCCESS);
    assert_true(noted.kept_count < MOST);
    assert_int_equal(request->ContextAllocationFlags.SharedAcrossContexts,
                     request->hContext == NULL);
    noted.kept[noted.kept_count++] = (struct kept){.name = request->hDriverAllocation,
                                                   .context = request->hContext,
                                                   .device = request->hDevice};
    return status;
}

static void notify_kernel(HANDLE adapter, const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    if (data->InterruptType == DXGK_INTERRUPT_DMA_COMPLETED)
        noted.completed[data->DmaCompleted.NodeOrdinal] = data->DmaCompleted.SubmissionFenceId;
    noted.kernel.DxgkCbNotifyInterrupt(adapter, data);
}

static NTSTATUS start_device(PVOID adapter, PDXGK_START_INFO info, PDXGKRNL_INTERFACE interface,
                             PULONG sources, PULONG children)
{
    DXGKRNL_INTERFACE mine = *interface;

    noted.kernel = *interface;
    mine.DxgkCbCreateContextAllocation = make_kept;
    mine.DxgkCbNotifyInterrupt = notify_kernel;
    return noted.driver.DxgkDdiStartDevice(adapter, info, &mine, sources, children);
}

static NTSTATUS create_device(HANDLE adapter, DXGKARG_CREATEDEVICE *arguments)
{
    struct noted_device *device = &noted.devices[noted.device_count++];
    NTSTATUS status;

    assert_true(noted.device_count <= MOST);
    device->kernel = arguments->hDevice;
    status = noted.driver.DxgkDdiCreateDevice(adapter, arguments);
    device->driver = arguments->hDevice;
    return status;
}

static NTSTATUS create_context(HANDLE driver_device, DXGKARG_CREATECONTEXT *arguments)
{
    struct noted_context *context = &noted.contexts[noted.context_count++];
    NTSTATUS status;

    assert_true(noted.context_count <= MOST);
    for (unsigned i = 0; i < noted.device_count; i++)
        if (noted.devices[i].driver == driver_device)
            context->device = noted.devices[i].kernel;
    context->kernel = arguments->hContext;
    status = noted.driver.DxgkDdiCreateContext(driver_device, arguments);
    context->driver = arguments->hContext;
    return status;
}

/* ---- where it is ----------------------------------------------------------------------------- */

static void come(HANDLE name, UINT segment)
{
    struct kept *kept = kept_of(name);

    if (kept == NULL || segment != LOCAL)
        return;
    kept->there = true;
    kept->submitted = false;
}

static void leave(HANDLE name, UINT segment)
{
    struct kept *kept = kept_of(name);

    if (segment != LOCAL)
        return;
    if (kept == NULL) {
        noted.others_leave = true;
        return;
    }
    kept->leaves |= kept->there;
    kept->there = false;
}

/* An operation is in the paging buffer that is built. */
static void note_operation(const DXGKARG_BUILDPAGINGBUFFER *build)
{
    const DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY *residency = &build->NotifyResidency;

    switch (build->Operation) {
    case DXGK_OPERATION_INIT_CONTEXT_RESOURCE:
        come(build->InitContextResource.hAllocation,
             build->InitContextResource.Destination.SegmentId);
        break;
    case DXGK_OPERATION_TRANSFER:
        leave(build->Transfer.hAllocation, build->Transfer.Source.SegmentId);
        come(build->Transfer.hAllocation, build->Transfer.Destination.SegmentId);
        break;
    case DXGK_OPERATION_DISCARD_CONTENT:
        leave(build->DiscardContent.hAllocation, build->DiscardContent.SegmentId);
        break;
    case DXGK_OPERATION_VIRTUAL_TRANSFER:
        if (build->TransferVirtual.TransferDirection == DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM)
            leave(build->TransferVirtual.hAllocation, LOCAL);
        break;
    case DXGK_OPERATION_NOTIFY_RESIDENCY:
        if (residency->Resident)
            come(residency->hAllocation, residency->PhysicalAddress.SegmentId);
        else
            leave(residency->hAllocation, LOCAL);
        break;
    default:
        break;
    }
}

static NTSTATUS build_paging(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER *arguments)
{
    DXGKARG_BUILDPAGINGBUFFER asked = *arguments;
    NTSTATUS status = noted.driver.DxgkDdiBuildPagingBuffer(adapter, arguments);

    if (status == STATUS_SUCCESS)
        note_operation(&asked);
    return status;
}

/* ---- what is submitted ----------------------------------------------------------------------- */

/* Its place, and its bytes: on this node they come before the packet. */
static void is_resident(const struct kept *kept, UINT node)
{
    assert_true(kept->there);
    assert_true(kept->submitted);
    assert_true(kept->node == node || kept->fence <= noted.completed[kept->node]);
}

static void judge_packet(HANDLE handle, UINT node)
{
    const struct noted_context *context = context_of(handle);
    bool own = false, shared = false;

    for (unsigned i = 0; i < noted.kept_count; i++) {
        if (!belongs(&noted.kept[i], context))
            continue;
        is_resident(&noted.kept[i], node);
        own |= noted.kept[i].context != NULL;
        shared |= noted.kept[i].context == NULL;
    }
    assert_true(own && shared);
    noted.packets++;
    for (unsigned other = 0; other < NODES; other++)
        noted.by_another += noted.runs[other] != NULL && noted.runs[other] != context &&
                            noted.runs[other]->device == context->device;
    noted.runs[node] = context;
}

static void judge_departure(struct kept *kept)
{
    for (unsigned node = 0; node < NODES; node++)
        assert_false(noted.runs[node] != NULL && belongs(kept, noted.runs[node]));
    noted.own_left += kept->context != NULL;
    noted.shared_left += kept->context == NULL;
    kept->leaves = false;
}

static void judge_paging(UINT node, UINT fence)
{
    for (unsigned i = 0; i < noted.kept_count; i++) {
        struct kept *kept = &noted.kept[i];

        if (kept->leaves)
            judge_departure(kept);
        if (!kept->there || kept->submitted)
            continue;
        kept->submitted = true;
        kept->node = node;
        kept->fence = fence;
    }
    for (unsigned other = 0; noted.others_leave && other < NODES; other++)
        noted.passed_over += noted.runs[other] != NULL;
    noted.others_leave = false;
}

static NTSTATUS submit_packet(HANDLE adapter, const DXGKARG_SUBMITCOMMAND *packet)
{
    if (packet->Flags.Paging)
        judge_paging(packet->NodeOrdinal, packet->SubmissionFenceId);
    else if (packet->DmaBufferSubmissionStartOffset == packet->DmaBufferSubmissionEndOffset)
        noted.runs[packet->NodeOrdinal] = NULL; /* a switch */
    else
        judge_packet(packet->hContext, packet->NodeOrdinal);
    return noted.driver.DxgkDdiSubmitCommand(adapter, packet);
}

static NTSTATUS submit_virtual(HANDLE adapter, const DXGKARG_SUBMITCOMMANDVIRTUAL *packet)
{
    if (packet->Flags.Paging)
        judge_paging(packet->NodeOrdinal, packet->SubmissionFenceId);
    else if (packet->DmaBufferSize == 0)
        noted.runs[packet->NodeOrdinal] = NULL;
    else
        judge_packet(packet->hContext, packet->NodeOrdinal);
    return noted.driver.DxgkDdiSubmitCommandVirtual(adapter, packet);
}

static void bend_to_note(DRIVER_INITIALIZATION_DATA *driver)
{
    memset(&noted, 0, sizeof(noted));
    noted.driver = *driver;
    driver->DxgkDdiStartDevice = start_device;
    driver->DxgkDdiCreateDevice = create_device;
    driver->DxgkDdiCreateContext = create_context;
    driver->DxgkDdiBuildPagingBuffer = build_paging;
    driver->DxgkDdiSubmitCommand = submit_packet;
    if (driver->DxgkDdiSubmitCommandVirtual != NULL)
        driver->DxgkDdiSubmitCommandVirtual = submit_virtual;
}

/* ---- by physical addresses ------------------------------------------------------------------- */

enum { ROUNDS = 4 };

/* Write to allocations by a context, and wait for it. */
static void draw_all(struct shown *shown, struct vidmm_context *context, unsigned from,
                     unsigned count)
{
    struct rig_allocation *allocations[2] = {&shown->rig.allocations[from],
                                             &shown->rig.allocations[from + 1]};

    shown->rig.context = context;
    assert_int_equal(rig_render(&shown->rig, allocations, count, 3), STATUS_SUCCESS);
    assert_int_equal(vidmm_context_wait(context, shown->rig.value), STATUS_SUCCESS);
    shown_settle(shown);
}

static void draw(struct shown *shown, struct vidmm_context *context, unsigned index)
{
    draw_all(shown, context, index, 1);
}

static struct vidmm_context *on_node(struct shown *shown, struct vidmm_device *device,
                                     uint32_t node)
{
    struct vidmm_context *context;

    if (vidmm_context_create(device, node, NULL, 0, &context, &shown->rig.report) != 0)
        fail_msg("%s", shown->rig.report.text);
    return context;
}

/* A context has 16 pages of 64, and a device 2. Two contexts of one device are on two nodes, and
 * one of another device. An allocation leaves; then the other context's own, and never the
 * device's, which all of its contexts need; for the other device that too. */
static void takes_turns(const char *gpu)
{
    static const uint32_t pages[] = {2, 24, 24, 40};
    enum { OTHERS = sizeof(pages) / sizeof(pages[0]) };
    struct vidmm_device *usual, *other;
    struct vidmm_context *first_one, *second_one, *apart;
    struct shown shown;

    shown_init_gpu(&shown, gpu, bend_to_note);
    usual = shown.rig.device;
    assert_int_equal(vidmm_device_create(shown.rig.adapter, 2, &other, &shown.rig.report), 0);
    first_one = shown.rig.context;
    second_one = on_node(&shown, usual, 1);
    apart = on_node(&shown, other, 1);
    for (unsigned index = 0; index < OTHERS; index++)
        shown_create(&shown, index, pages[index], 1);
    shown.rig.device = other;
    shown_create(&shown, OTHERS, 40, 1);
    shown_create(&shown, OTHERS + 1, 6, 1);
    shown.rig.device = usual;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (round % 2 != 0)
            draw(&shown, first_one, 0); /* it brings the device's back, or the second does */
        draw(&shown, second_one, 1);
        draw(&shown, first_one, 0);
        draw(&shown, second_one, 2); /* 1 leaves, while node 0 runs the first */
        draw(&shown, second_one, 3); /* 2 and what the first has leave */
        draw(&shown, first_one, 0);
        draw_all(&shown, apart, OTHERS, 2); /* all leave */
    }
    shown.rig.context = first_one;
    assert_int_equal(noted.packets, 6 * ROUNDS + ROUNDS / 2);
    assert_true(noted.passed_over >= ROUNDS && noted.by_another >= ROUNDS);
    assert_true(noted.own_left >= 2 * ROUNDS && noted.shared_left >= ROUNDS);
    shown_finish(&shown);
}

/* The device's is in use on two nodes. The context that has used it last leaves its node, and room
 * is short by less than it has: it stays as long as the other node runs the other context. */
static void two_nodes_keep_it(const char *gpu)
{
    struct vidmm_device *usual, *other;
    struct vidmm_context *first_one, *second_one, *apart;
    struct shown shown;

    shown_init_gpu(&shown, gpu, bend_to_note);
    usual = shown.rig.device;
    assert_int_equal(vidmm_device_create(shown.rig.adapter, 2, &other, &shown.rig.report), 0);
    first_one = shown.rig.context;
    second_one = on_node(&shown, usual, 1);
    apart = on_node(&shown, other, 0);
    shown_create(&shown, 0, 24, 1);
    assert_int_equal(rig_create(&shown.rig, &shown.rig.allocations[1], 2 * VIDMM_PAGE_SIZE, 1, 1),
                     STATUS_SUCCESS); /* in the aperture */
    shown.rig.device = other;
    shown_create(&shown, 2, 30, 1);
    shown.rig.device = usual;
    for (unsigned round = 0; round < ROUNDS; round++) {
        draw(&shown, second_one, 1);
        draw(&shown, first_one, 0);
        draw(&shown, apart, 2);
    }
    shown.rig.context = first_one;
    assert_int_equal(noted.packets, 3 * ROUNDS);
    assert_true(noted.by_another >= ROUNDS && noted.own_left >= 2 * ROUNDS);
    shown_finish(&shown);
}

/* ---- by addresses ---------------------------------------------------------------------------- */

/* Two programs share the budget, and each takes more than its half. */
static void make_above_budget(struct program *program, struct vidmm_allocation *allocation)
{
    struct vidmm_residency_result result;
    NTSTATUS status =
        vidmm_make_resident(program->queue, &allocation, 1, VIDMM_MAKE_RESIDENT_CANT_TRIM_FURTHER,
                            &result, &rig.report);

    passes(program, status, result.value);
}

/* Two programs whose lists do not fit together; the first has two contexts. */
static void lists_take_turns(const char *gpu)
{
    struct program again;
    uint64_t addresses[2];

    build(gpu);
    bend_to_note(&rig.driver);
    begin();
    begin_program(&second, 2);
    again = first;
    if (vidmm_context_create(first.device, 0, NULL, 0, &again.context, &rig.report) != 0)
        fail_msg("%s", rig.report.text);
    for (unsigned one = 0; one < 2; one++) {
        struct program *program = one == 0 ? &first : &second;

        create(program, &rig.allocations[one], 180);
        addresses[one] = map(program, rig.allocations[one].handle, 0);
        make_above_budget(program, rig.allocations[one].handle);
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        touch(&first, &rig.allocations[0], addresses[0], true);
        touch(&again, &rig.allocations[0], addresses[0], true);
        touch(&second, &rig.allocations[1], addresses[1], true);
    }
    assert_int_equal(noted.packets, 3 * ROUNDS);
    assert_true(noted.by_another >= ROUNDS);
    assert_true(noted.own_left >= ROUNDS && noted.shared_left >= ROUNDS / 2);
    end_program(&second);
    finish();
}

void shows_D_138(void **state)
{
    (void)state;
    takes_turns("context_save memory\nengines render render copy\n");
    takes_turns("context_save memory\nengines render render copy\nhabit immediate\n");
    two_nodes_keep_it("context_save memory\nengines render render copy\n");
    lists_take_turns("context_save memory\n");
    lists_take_turns("context_save memory\nhabit immediate\n");
}
