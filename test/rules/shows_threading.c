/* shows_threading.c: threading.def, obeyed. */
#include "crowd.h"
#include "flag_words.h"
#include "hang.h"
#include "latch.h"
#include "present.h"
#include "ranges.h"
#include <vidmm/display.h>
#include <vidmm/resource.h>

#include "wddm/call.h"

#include <stdatomic.h>

static struct shown shown;

/* In a call of the driver, on a machine with a clock of its own: let everybody else do what he can,
 * a second at most. */
static bool wait_in_driver(bool (*ready)(void *argument), void *argument)
{
    const struct vidmm_host *host = vidmm_slot_host(shown.rig.slot);

    return host->wait(host->context, ready, argument, HANG_SECOND);
}

static bool is_of_the_scheduler(enum vidmm_ddi ddi)
{
    return ddi == VIDMM_DDI_BUILD_PAGING_BUFFER || ddi == VIDMM_DDI_PATCH ||
           ddi == VIDMM_DDI_SUBMIT_COMMAND || ddi == VIDMM_DDI_PREEMPT_COMMAND ||
           ddi == VIDMM_DDI_QUERY_ENGINE_STATUS || ddi == VIDMM_DDI_RESET_ENGINE ||
           ddi == VIDMM_DDI_QUERY_DEPENDENT_ENGINE_GROUP;
}

static enum vidmm_caller_state render_once(void *argument)
{
    struct rig_allocation *both[] = {&shown.rig.allocations[0], &shown.rig.allocations[1]};

    (void)argument;
    assert_int_equal(rig_render(&shown.rig, both, 2, 3), STATUS_SUCCESS);
    vidmm_context_wait(shown.rig.context, shown.rig.value);
    crowd_end();
    return VIDMM_CALLER_DONE;
}

/* With a hang, beside programs that create and destroy: no two of the seven are open at once, and
 * QueryDependentEngineGroup is one of them. */
void shows_D_310(void **state)
{
    struct rig_options options = hang_options("hang 0 1\nengine_reset on\n");

    (void)state;
    options.kind = VIDMM_MACHINE_THREADED;
    options.adapter.timeout_ms = 200;
    shown_init(&shown, &options, crowd_bend);
    assert_int_equal(rig_create(&shown.rig, &shown.rig.allocations[0], 5000, 2, CPU_VISIBLE),
                     STATUS_SUCCESS);
    assert_int_equal(rig_create(&shown.rig, &shown.rig.allocations[1], 9000, 1, CPU_VISIBLE),
                     STATUS_SUCCESS);
    crowd_run(&shown, 1u << CROWD_SCHEDULER, render_once, NULL);
    assert_true(shown_count(&shown, 0, VIDMM_DDI_QUERY_DEPENDENT_ENGINE_GROUP) > 0);
    assert_true(shown_count(&shown, 0, VIDMM_DDI_QUERY_ENGINE_STATUS) > 0);
    assert_true(shown_count(&shown, 0, VIDMM_DDI_RESET_ENGINE) > 0);
    crowd_was_alone(CROWD_SCHEDULER, 6);
    hang_finish(&shown);
}

/* A whole run of paging in which every call of the class stays inside, and others would come. */
void shows_D_078(void **state)
{
    shows_D_310(state);
}

/* ---- level zero ------------------------------------------------------------------------------ */

/* Calls of level zero that come while the scheduler's class is inside. */
enum deed { RENDER, PRESENT, DESCRIBE, QUERY, INTERRUPT, DPC, DEEDS };

/* Two programs on threads. The driver's BuildPagingBuffer stays inside until the call has been
 * entered by the other one: if the manager kept it out for that time, it would wait in vain. */
static struct overlap {
    DRIVER_INITIALIZATION_DATA driver; /* as it was */
    enum deed deed;
    struct vidmm_present copy;
    atomic_bool armed, building;
    bool seen;
    struct latch began, entered;
    struct vidmm_context *contexts[2];
    struct rig_allocation *allocations[2];
    NTSTATUS status[2];
} overlap;

static NTSTATUS lingering_build(HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER *pBuildPagingBuffer)
{
    if (atomic_exchange(&overlap.armed, false)) {
        atomic_store(&overlap.building, true);
        latch_open(&overlap.began);
        overlap.seen = latch_await(&overlap.entered);
        atomic_store(&overlap.building, false);
    }
    return overlap.driver.DxgkDdiBuildPagingBuffer(hAdapter, pBuildPagingBuffer);
}

static void notice(enum deed deed)
{
    if (deed == overlap.deed && atomic_load(&overlap.building))
        latch_open(&overlap.entered);
}

static NTSTATUS noticing_render(HANDLE hContext, DXGKARG_RENDER *pRender)
{
    notice(RENDER);
    return overlap.driver.DxgkDdiRender(hContext, pRender);
}

static NTSTATUS noticing_present(HANDLE hContext, DXGKARG_PRESENT *pPresent)
{
    notice(PRESENT);
    return overlap.driver.DxgkDdiPresent(hContext, pPresent);
}

static NTSTATUS noticing_describe(HANDLE hAdapter, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *data)
{
    notice(DESCRIBE);
    return overlap.driver.DxgkDdiGetStandardAllocationDriverData(hAdapter, data);
}

static NTSTATUS noticing_query(HANDLE hAdapter, const DXGKARG_QUERYADAPTERINFO *pQuery)
{
    notice(QUERY);
    return overlap.driver.DxgkDdiQueryAdapterInfo(hAdapter, pQuery);
}

static BOOLEAN noticing_interrupt(PVOID context, ULONG message)
{
    notice(INTERRUPT);
    return overlap.driver.DxgkDdiInterruptRoutine(context, message);
}

static VOID noticing_dpc(PVOID context)
{
    notice(DPC);
    overlap.driver.DxgkDdiDpcRoutine(context);
}

static void bend_to_overlap(DRIVER_INITIALIZATION_DATA *driver)
{
    overlap.driver = *driver;
    driver->DxgkDdiBuildPagingBuffer = lingering_build;
    driver->DxgkDdiRender = noticing_render;
    driver->DxgkDdiPresent = noticing_present;
    driver->DxgkDdiGetStandardAllocationDriverData = noticing_describe;
    driver->DxgkDdiQueryAdapterInfo = noticing_query;
    driver->DxgkDdiInterruptRoutine = noticing_interrupt;
    driver->DxgkDdiDpcRoutine = noticing_dpc;
}

static NTSTATUS render_on(uint32_t which)
{
    struct shown_use use = {overlap.allocations[which], 0, true, false};
    static struct shown_commands commands[2];
    uint64_t value;

    memset(&commands[which], 0, sizeof(commands[which]));
    commands[which].elements = 1;
    commands[which].last = (void *)commands[which].buffer.bytes;
    *commands[which].last =
        (struct softgpu_touch){.command = {SOFTGPU_TOUCH, softgpu_touch_size(0)}, .seed = RIG_SEED};
    commands[which].size = softgpu_touch_size(0);
    shown_add_use(&commands[which], &use);
    return vidmm_render(overlap.contexts[which], &commands[which].buffer, commands[which].size,
                        commands[which].list, commands[which].elements, true, &value, NULL);
}

static enum vidmm_caller_state first_program(void *argument)
{
    (void)argument;
    atomic_store(&overlap.armed, true);
    overlap.status[0] = render_on(0);
    return VIDMM_CALLER_DONE;
}

static NTSTATUS surface(struct vidmm_allocation **allocation)
{
    const struct vidmm_standard wish = {.type = D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE,
                                        .width = 64,
                                        .height = 8,
                                        .format = D3DDDIFMT_X8R8G8B8};
    struct vidmm_resource *resource;
    uint32_t pitch;

    return vidmm_standard_create(shown.rig.device, &wish, &resource, allocation, &pitch, NULL);
}

static NTSTATUS do_deed(void)
{
    const struct vidmm_host *host = vidmm_slot_host(shown.rig.slot);
    const struct vidmm_bus *bus = vidmm_slot_bus(shown.rig.slot);
    struct vidmm_allocation *allocation;
    uint64_t value;
    char data[64];

    switch (overlap.deed) {
    case RENDER:
        return render_on(1);
    case PRESENT:
        return vidmm_present(overlap.contexts[1], &overlap.copy, true, &value, NULL);
    case DESCRIBE:
        return surface(&allocation);
    case QUERY: /* whatever it answers to so few bytes */
        vidmm_query_private(shown.rig.adapter, data, sizeof(data), NULL);
        return STATUS_SUCCESS;
    case INTERRUPT:
        bus->raise_interrupt(bus->context, 0);
        return STATUS_SUCCESS;
    default:
        host->queue_dpc(host->context);
        return STATUS_SUCCESS;
    }
}

static enum vidmm_caller_state second_program(void *argument)
{
    (void)argument;
    if (latch_await(&overlap.began))
        overlap.status[1] = do_deed();
    return VIDMM_CALLER_DONE;
}

static void overlap_with(enum deed deed)
{
    static const RECT all = {0, 0, 64, 8};
    struct rig_options options = rig_defaults();
    char stuck[300] = "";

    memset(&overlap, 0, sizeof(overlap));
    overlap.deed = deed;
    latch_init(&overlap.began);
    latch_init(&overlap.entered);
    options.kind = VIDMM_MACHINE_THREADED;
    shown_init(&shown, &options, bend_to_overlap);
    overlap.contexts[0] = shown.rig.context;
    assert_int_equal(
        vidmm_context_create(shown.rig.device, 0, NULL, 0, &overlap.contexts[1], &shown.rig.report),
        STATUS_SUCCESS);
    for (uint32_t i = 0; i < 2; i++)
        overlap.allocations[i] = shown_create(&shown, i, 4, 1);
    overlap.copy.source_rect = overlap.copy.destination_rect = all;
    assert_int_equal(surface(&overlap.copy.source), STATUS_SUCCESS);
    assert_int_equal(surface(&overlap.copy.destination), STATUS_SUCCESS);
    assert_true(vidmm_machine_add_caller(shown.rig.machine, "first", first_program, NULL));
    assert_true(vidmm_machine_add_caller(shown.rig.machine, "second", second_program, NULL));
    assert_true(vidmm_machine_run(shown.rig.machine, stuck, sizeof(stuck)));
    assert_int_equal(overlap.status[0], STATUS_SUCCESS);
    assert_int_equal(overlap.status[1], STATUS_SUCCESS);
    assert_true(overlap.seen);
    vidmm_context_destroy(overlap.contexts[1]);
    shown_finish(&shown); /* and the driver survived: every byte is right */
}

void shows_D_311(void **state)
{
    (void)state;
    for (int deed = RENDER; deed < DEEDS; deed++)
        overlap_with((enum deed)deed);
}

/* ---- level two ---- */

/* The calls of level two that the manager makes. */
enum level_two_call { MESSAGE, NETWORK, INTERRUPTS, PICTURE, LEVEL_TWO_CALLS };

static struct level_two {
    DXGKDDI_ESCAPE *escape;
    DXGKDDI_RENDER *render;
    DXGKDDI_COMMITVIDPN *commit;
    DXGKDDI_CONTROLINTERRUPT *control;
    DXGKDDI_SETVIDPNSOURCEADDRESS *show;
    enum level_two_call call; /* that a program is to ask for */
    bool inside, tried, entered;
    unsigned open; /* calls of the driver that had not returned */
    unsigned calls;
    uint32_t queued; /* packets that the GPU had still to do at such a call */
} level_two;

/* Judge the records at this moment. */
static void look(void)
{
    for (size_t i = 0; i < shown.call_count; i++) {
        const struct shown_call *call = &shown.calls[i];

        if (is_of_the_scheduler(call->ddi) || call->ddi == VIDMM_DDI_RENDER)
            level_two.open += call->returned ? -1u : 1u;
    }
}

static NTSTATUS looking_escape(HANDLE adapter, const DXGKARG_ESCAPE *arguments)
{
    if (arguments->Flags.HardwareAccess)
        look();
    level_two.calls++;
    return level_two.escape(adapter, arguments);
}

static void bend_escape(DRIVER_INITIALIZATION_DATA *driver)
{
    level_two.escape = driver->DxgkDdiEscape;
    driver->DxgkDdiEscape = looking_escape;
}

static NTSTATUS escape(bool hardware_access, uint32_t *queued)
{
    struct softgpu_escape message = {.magic = SOFTGPU_ESCAPE_MAGIC, .queued = 77};
    NTSTATUS status = vidmm_escape(shown.rig.device, &message, sizeof(message), hardware_access,
                                   &shown.rig.report);

    *queued = message.queued;
    return status;
}

/* How much the GPU has to do, by the driver's word. */
static void look_at_hardware(HANDLE adapter)
{
    struct softgpu_escape message = {.magic = SOFTGPU_ESCAPE_MAGIC, .queued = 77};
    const DXGKARG_ESCAPE arguments = {.pPrivateDriverData = &message,
                                      .PrivateDriverDataSize = sizeof(message)};

    look();
    level_two.calls++;
    assert_int_equal(level_two.escape(adapter, &arguments), STATUS_SUCCESS);
    level_two.queued += message.queued;
}

static NTSTATUS looking_commit(HANDLE adapter, const DXGKARG_COMMITVIDPN *arguments)
{
    look_at_hardware(adapter);
    return level_two.commit(adapter, arguments);
}

static NTSTATUS looking_control(HANDLE adapter, const DXGK_INTERRUPT_TYPE type, BOOLEAN enable)
{
    look_at_hardware(adapter);
    return level_two.control(adapter, type, enable);
}

static NTSTATUS looking_show(HANDLE adapter, const DXGKARG_SETVIDPNSOURCEADDRESS *arguments)
{
    look_at_hardware(adapter);
    return level_two.show(adapter, arguments);
}

static void bend_display(DRIVER_INITIALIZATION_DATA *driver)
{
    level_two.escape = driver->DxgkDdiEscape;
    level_two.commit = driver->DxgkDdiCommitVidPn;
    driver->DxgkDdiCommitVidPn = looking_commit;
    level_two.control = driver->DxgkDdiControlInterrupt;
    driver->DxgkDdiControlInterrupt = looking_control;
    level_two.show = driver->DxgkDdiSetVidPnSourceAddress;
    driver->DxgkDdiSetVidPnSourceAddress = looking_show;
}

static struct vidmm_allocation *screen; /* a primary that the rig's device shows */

static void make_screen(void)
{
    const struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                            .size = 9000,
                                            .read_set = 2,
                                            .write_set = 2,
                                            .preferred = 2,
                                            .priority = SOFTGPU_PRIORITY_NORMAL};
    const struct vidmm_description description = {
        .private_data = &wish, .private_data_size = sizeof(wish), .primary = true};
    const struct vidmm_resource_options options = {.shared = false};
    struct vidmm_resource *resource;

    assert_int_equal(vidmm_resource_create(shown.rig.device, &options, &description, 1, &resource,
                                           &screen, &shown.rig.report),
                     STATUS_SUCCESS);
}

/* Ask the manager for a call of level two. */
static NTSTATUS ask_for(enum level_two_call call)
{
    struct vidmm_adapter *adapter = shown.rig.adapter;
    uint32_t queued;

    switch (call) {
    case MESSAGE:
        return escape(true, &queued);
    case NETWORK:
        return vidmm_display_commit(adapter, &shown, 0, screen, &shown.rig.report);
    case INTERRUPTS:
        return vidmm_display_interrupts(adapter, true, &shown.rig.report);
    case PICTURE:
        vidmm_display_hide(adapter, 0, &shown.rig.report);
        return vidmm_display_show(shown.rig.device, 0, screen, &shown.rig.report);
    case LEVEL_TWO_CALLS:
        break;
    }
    return STATUS_INVALID_PARAMETER;
}

/* Work is queued, then comes a call about the display: the work ends first, and what is in memory
 * stays. */
static void rest_for_a_display(enum level_two_call call)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *both[] = {&shown.rig.allocations[0], &shown.rig.allocations[1]};
    size_t operations;

    options.gpu = "sources 1\n";
    memset(&level_two, 0, sizeof(level_two));
    shown_init(&shown, &options, bend_display);
    make_screen();
    assert_int_equal(rig_create(&shown.rig, both[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(rig_create(&shown.rig, both[1], 9000, 1, CPU_VISIBLE), STATUS_SUCCESS);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(rig_render(&shown.rig, both, 2, 3), STATUS_SUCCESS);
    assert_int_equal(ask_for(call), STATUS_SUCCESS);
    shown_settle(&shown);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(rig_render(&shown.rig, both, 2, 3), STATUS_SUCCESS);
    operations = shown.operation_count;
    assert_int_equal(ask_for(call), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, both, 2, 3), STATUS_SUCCESS); /* where it was */
    shown_settle(&shown);
    for (; operations < shown.operation_count; operations++)
        assert_int_not_equal(shown.operations[operations].kind, VIDMM_DO_BUILD);
    assert_int_equal(level_two.calls, 2);
    assert_int_equal(level_two.open, 0);
    assert_int_equal(level_two.queued, 0);
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D3, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(ask_for(call), STATUS_DEVICE_BUSY);
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D0, NULL),
                     STATUS_SUCCESS);
    shown_finish(&shown);
}

/* Work is queued, then a message that needs the hardware: it ends first, and what is in memory
 * stays. */
static void rest_for_a_message(void)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *both[] = {&shown.rig.allocations[0], &shown.rig.allocations[1]};
    size_t operations;
    uint32_t queued;

    memset(&level_two, 0, sizeof(level_two));
    shown_init(&shown, &options, bend_escape);
    assert_int_equal(rig_create(&shown.rig, both[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(rig_create(&shown.rig, both[1], 9000, 1, CPU_VISIBLE), STATUS_SUCCESS);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(rig_render(&shown.rig, both, 2, 3), STATUS_SUCCESS);
    assert_int_equal(escape(true, &queued), STATUS_SUCCESS);
    assert_int_equal(queued, 0); /* the hardware is idle */
    assert_int_equal(level_two.open, 0);
    shown_settle(&shown);
    operations = shown.operation_count;
    assert_int_equal(escape(true, &queued), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, both, 2, 3), STATUS_SUCCESS); /* where it was */
    shown_settle(&shown);
    for (; operations < shown.operation_count; operations++)
        assert_int_not_equal(shown.operations[operations].kind, VIDMM_DO_BUILD);
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D3, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(escape(true, &queued), STATUS_DEVICE_BUSY);
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D0, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, both, 2, 3), STATUS_SUCCESS);
    assert_int_equal(escape(false, &queued), STATUS_SUCCESS); /* at once */
    assert_int_equal(level_two.calls, 3);
    shown_finish(&shown);
}

static bool is_entered(void *argument)
{
    (void)argument;
    return level_two.entered;
}

/* On the machine's own clock a second passes when nobody can do anything any more: until then
 * another program wants to render. */
static void linger(void)
{
    level_two.inside = true;
    wait_in_driver(is_entered, NULL);
    level_two.inside = false;
}

static NTSTATUS lingering_escape(HANDLE adapter, const DXGKARG_ESCAPE *arguments)
{
    linger();
    return level_two.escape(adapter, arguments);
}

static NTSTATUS lingering_commit(HANDLE adapter, const DXGKARG_COMMITVIDPN *arguments)
{
    linger();
    return level_two.commit(adapter, arguments);
}

static NTSTATUS lingering_control(HANDLE adapter, const DXGK_INTERRUPT_TYPE type, BOOLEAN enable)
{
    linger();
    return level_two.control(adapter, type, enable);
}

static NTSTATUS lingering_show(HANDLE adapter, const DXGKARG_SETVIDPNSOURCEADDRESS *arguments)
{
    linger();
    return level_two.show(adapter, arguments);
}

static NTSTATUS excluded_render(HANDLE context, DXGKARG_RENDER *arguments)
{
    level_two.entered |= level_two.inside;
    return level_two.render(context, arguments);
}

static void bend_lingering(DRIVER_INITIALIZATION_DATA *driver)
{
    level_two.escape = driver->DxgkDdiEscape;
    driver->DxgkDdiEscape = lingering_escape;
    level_two.commit = driver->DxgkDdiCommitVidPn;
    driver->DxgkDdiCommitVidPn = lingering_commit;
    level_two.control = driver->DxgkDdiControlInterrupt;
    driver->DxgkDdiControlInterrupt = lingering_control;
    level_two.show = driver->DxgkDdiSetVidPnSourceAddress;
    driver->DxgkDdiSetVidPnSourceAddress = lingering_show;
    level_two.render = driver->DxgkDdiRender;
    driver->DxgkDdiRender = excluded_render;
}

static enum vidmm_caller_state program_that_asks(void *argument)
{
    (void)argument;
    overlap.status[0] = ask_for(level_two.call);
    return VIDMM_CALLER_DONE;
}

static enum vidmm_caller_state program_that_renders(void *argument)
{
    (void)argument;
    if (!level_two.inside)
        return VIDMM_CALLER_RAN;
    level_two.tried = true;
    overlap.status[1] = render_on(1);
    return VIDMM_CALLER_DONE;
}

static void keep_out_of(enum level_two_call call, uint64_t seed)
{
    struct rig_options options = rig_defaults();
    char stuck[300] = "";

    memset(&overlap, 0, sizeof(overlap));
    memset(&level_two, 0, sizeof(level_two));
    options.machine_seed = seed;
    options.gpu = "sources 1\n";
    shown_init(&shown, &options, bend_lingering);
    level_two.call = call;
    make_screen();
    overlap.contexts[1] = shown.rig.context;
    overlap.allocations[1] = shown_create(&shown, 0, 4, 1);
    assert_true(vidmm_machine_add_caller(shown.rig.machine, "asks", program_that_asks, NULL));
    assert_true(vidmm_machine_add_caller(shown.rig.machine, "renders", program_that_renders, NULL));
    assert_true(vidmm_machine_run(shown.rig.machine, stuck, sizeof(stuck)));
    assert_int_equal(overlap.status[0], STATUS_SUCCESS);
    assert_int_equal(overlap.status[1], STATUS_SUCCESS);
    assert_true(level_two.tried);
    assert_false(level_two.entered);
    shown_finish(&shown);
}

void shows_D_309(void **state)
{
    (void)state;
    rest_for_a_message();
    for (enum level_two_call call = NETWORK; call < LEVEL_TWO_CALLS; call++)
        rest_for_a_display(call);
    for (enum level_two_call call = MESSAGE; call < LEVEL_TWO_CALLS; call++)
        for (uint64_t seed = 0; seed < 8; seed++)
            keep_out_of(call, seed);
}

/* ---- the exception of level three ---- */

static struct asking {
    DXGKDDI_SET_POWER_STATE *set_power;
    DXGKDDI_QUERYADAPTERINFO *query;
    bool inside, asked, answered;
    NTSTATUS status;
    uint32_t data;
} asking;

static bool is_asked(void *argument)
{
    (void)argument;
    return asking.asked;
}

/* It waits for the question: if that were kept out, in vain. */
static NTSTATUS power_and_wait(PVOID context, ULONG uid, DEVICE_POWER_STATE to, POWER_ACTION action)
{
    asking.inside = true;
    asking.answered |= wait_in_driver(is_asked, NULL);
    asking.inside = false;
    return asking.set_power(context, uid, to, action);
}

static NTSTATUS answer_private(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    const struct vidmm_host *host = vidmm_slot_host(shown.rig.slot);

    if (query->Type != DXGKQAITYPE_UMDRIVERPRIVATE)
        return asking.query(adapter, query);
    asking.asked |= asking.inside;
    host->wake(host->context);
    *(uint32_t *)query->pOutputData = 42;
    return STATUS_SUCCESS;
}

static void bend_asking(DRIVER_INITIALIZATION_DATA *driver)
{
    asking.set_power = driver->DxgkDdiSetPowerState;
    driver->DxgkDdiSetPowerState = power_and_wait;
    asking.query = driver->DxgkDdiQueryAdapterInfo;
    driver->DxgkDdiQueryAdapterInfo = answer_private;
}

static enum vidmm_caller_state change_power(void *argument)
{
    (void)argument;
    asking.status = vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D3, NULL);
    return VIDMM_CALLER_DONE;
}

static enum vidmm_caller_state ask_meanwhile(void *argument)
{
    (void)argument;
    if (!asking.inside)
        return VIDMM_CALLER_RAN;
    assert_int_equal(vidmm_query_private(shown.rig.adapter, &asking.data, sizeof(asking.data),
                                         &shown.rig.report),
                     STATUS_SUCCESS);
    return VIDMM_CALLER_DONE;
}

static void ask_while_the_power_changes(uint64_t seed)
{
    struct rig_options options = rig_defaults();
    char stuck[300] = "";

    memset(&asking, 0, sizeof(asking));
    options.machine_seed = seed;
    shown_init(&shown, &options, bend_asking);
    assert_true(vidmm_machine_add_caller(shown.rig.machine, "power", change_power, NULL));
    assert_true(vidmm_machine_add_caller(shown.rig.machine, "asks", ask_meanwhile, NULL));
    assert_true(vidmm_machine_run(shown.rig.machine, stuck, sizeof(stuck)));
    assert_int_equal(asking.status, STATUS_SUCCESS);
    assert_true(asking.answered); /* before the second was over */
    assert_int_equal(asking.data, 42);
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D0, NULL),
                     STATUS_SUCCESS);
    shown_finish(&shown);
}

void shows_D_308(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++)
        ask_while_the_power_changes(seed);
}

/* ---- level three ---- */

static bool is_of_level_three(enum vidmm_ddi ddi)
{
    return ddi == VIDMM_DDI_ADD_DEVICE || ddi == VIDMM_DDI_START_DEVICE ||
           ddi == VIDMM_DDI_STOP_DEVICE || ddi == VIDMM_DDI_REMOVE_DEVICE ||
           ddi == VIDMM_DDI_SET_POWER_STATE || ddi == VIDMM_DDI_QUERY_CHILD_RELATIONS ||
           ddi == VIDMM_DDI_RESET_FROM_TIMEOUT || ddi == VIDMM_DDI_RESTART_FROM_TIMEOUT;
}

/* The works that have been submitted and not reported, and the pages of the aperture that show
 * something. */
struct balance {
    UINT newest[2], reported[2];
    UINT64 mapped;
    unsigned open, level_three;
};

static void weigh(struct balance *balance, const struct shown_call *call)
{
    const DXGKARG_BUILDPAGINGBUFFER *build = &call->argument.build;
    const DXGKARG_SUBMITCOMMAND *submit = &call->argument.submit;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data;

    if (call->ddi == VIDMM_DDI_NOTIFY_INTERRUPT) {
        memcpy(&data, &call->argument, sizeof(data));
        if (data.InterruptType == DXGK_INTERRUPT_DMA_COMPLETED)
            balance->reported[data.DmaCompleted.NodeOrdinal] = data.DmaCompleted.SubmissionFenceId;
    }
    if (call->returned)
        return;
    if (call->ddi == VIDMM_DDI_SUBMIT_COMMAND)
        balance->newest[submit->NodeOrdinal] = submit->SubmissionFenceId;
    if (call->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER &&
        build->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT)
        balance->mapped += build->MapApertureSegment.NumberOfPages;
    if (call->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER &&
        build->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT)
        balance->mapped -= build->UnmapApertureSegment.NumberOfPages;
}

enum { STOCK = 64, CHANGES = 4 };

/* Allocations that a program destroys while the power changes: nothing keeps it waiting, so they go
 * at once, or when the driver is free again. */
struct stock {
    struct vidmm_allocation *allocations[STOCK];
    uint32_t left;
};

static enum vidmm_caller_state destroy_meanwhile(void *argument)
{
    struct stock *stock = argument;

    if (!crowd_await(CROWD_LEVEL_THREE) || stock->left == 0)
        return VIDMM_CALLER_DONE;
    vidmm_allocation_destroy(stock->allocations[--stock->left]);
    crowd_pass();
    return VIDMM_CALLER_RAN;
}

static enum vidmm_caller_state render_meanwhile(void *argument)
{
    struct rig_allocation *one[] = {&shown.rig.allocations[0]};

    (void)argument;
    if (!crowd_await(CROWD_LEVEL_THREE))
        return VIDMM_CALLER_DONE;
    assert_int_equal(rig_render(&shown.rig, one, 1, 1), STATUS_SUCCESS);
    return VIDMM_CALLER_RAN;
}

static enum vidmm_caller_state change_power_often(void *argument)
{
    uint32_t *changes = argument;

    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter,
                                             *changes % 2 == 0 ? VIDMM_POWER_D3 : VIDMM_POWER_D0,
                                             NULL),
                     STATUS_SUCCESS);
    if (++*changes < CHANGES)
        return VIDMM_CALLER_RAN;
    crowd_end();
    return VIDMM_CALLER_DONE;
}

/* Others want to create, to render, and to be rid of what they have. */
static void others_stay_outside(void)
{
    struct rig_options options = rig_defaults();
    struct stock stock = {.left = STOCK};
    uint32_t changes = 0;

    options.kind = VIDMM_MACHINE_THREADED;
    shown_init(&shown, &options, crowd_bend);
    shown_create(&shown, 0, 2, 1);
    for (uint32_t i = 0; i < STOCK; i++)
        stock.allocations[i] = crowd_create(shown.rig.device);
    assert_true(vidmm_machine_add_caller(shown.rig.machine, "destroys", destroy_meanwhile, &stock));
    assert_true(vidmm_machine_add_caller(shown.rig.machine, "renders", render_meanwhile, NULL));
    crowd_run(&shown, 1u << CROWD_LEVEL_THREE, change_power_often, &changes);
    crowd_was_alone(CROWD_LEVEL_THREE, CHANGES);
    assert_int_equal(crowd_now.met, 0);
    assert_true(stock.left < STOCK);
    while (stock.left > 0)
        vidmm_allocation_destroy(stock.allocations[--stock.left]);
    shown_finish(&shown);
}

static struct {
    DXGKDDI_INTERRUPT_ROUTINE *interrupt;
    unsigned interrupts;
} below;

static BOOLEAN count_interrupt(PVOID context, ULONG message)
{
    below.interrupts++;
    return below.interrupt(context, message);
}

static void bend_interrupt(DRIVER_INITIALIZATION_DATA *driver)
{
    below.interrupt = driver->DxgkDdiInterruptRoutine;
    driver->DxgkDdiInterruptRoutine = count_interrupt;
}

/* The device interrupts: so many times the driver is called. */
static unsigned calls_from_below(void)
{
    const struct vidmm_bus *bus = vidmm_slot_bus(shown.rig.slot);
    unsigned before = below.interrupts;

    for (unsigned i = 0; i < 8; i++)
        bus->raise_interrupt(bus->context, 0);
    return below.interrupts - before;
}

/* Unload is the embedder's to call, once the adapter has stopped: nobody is in the driver then, and
 * nobody comes any more. */
static void nobody_comes_after_the_stop(void)
{
    const struct shown_call *last = &shown.calls[shown.call_count - 1];

    assert_int_equal(last->ddi, VIDMM_DDI_REMOVE_DEVICE);
    assert_true(last->returned);
    assert_int_equal(calls_from_below(), 0);
}

/* The start, a change of power, and the stop: alone in the driver, idle, evicted. */
void shows_D_307(void **state)
{
    struct rig_options options = rig_defaults();
    struct rig_allocation *both[] = {&shown.rig.allocations[0], &shown.rig.allocations[1]};
    struct balance balance = {.open = 0};
    size_t off = SIZE_MAX;

    (void)state;
    shown_init(&shown, &options, bend_interrupt);
    assert_int_equal(rig_create(&shown.rig, both[0], 5000, 2, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(rig_create(&shown.rig, both[1], 9000, 1, CPU_VISIBLE), STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, both, 2, 3), STATUS_SUCCESS);
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D3, NULL),
                     STATUS_SUCCESS); /* while it still renders */
    off = shown.call_count;
    assert_int_equal(shown_count_builds(&shown, 0, DXGK_OPERATION_TRANSFER), 1); /* evicted */
    assert_int_equal(vidmm_adapter_set_power(shown.rig.adapter, VIDMM_POWER_D0, NULL),
                     STATUS_SUCCESS);
    assert_int_equal(rig_render(&shown.rig, both, 2, 3), STATUS_SUCCESS);
    rig_read(&shown.rig);
    assert_true(calls_from_below() > 0);
    rig_stop(&shown.rig);
    nobody_comes_after_the_stop();
    for (size_t i = 0; i < shown.call_count; i++) {
        const struct shown_call *call = &shown.calls[i];

        weigh(&balance, call);
        if (!is_of_level_three(call->ddi) || call->returned)
            continue;
        balance.level_three++;
        assert_true(i + 1 < shown.call_count && shown.calls[i + 1].ddi == call->ddi); /* alone */
        assert_int_equal(balance.newest[0], balance.reported[0]);
        assert_int_equal(balance.newest[1], balance.reported[1]);
        assert_int_equal(balance.mapped, 0);
    }
    assert_true(off != SIZE_MAX && balance.level_three >= 6);
    shown_is_clean(&shown);
    shown_end(&shown);
    others_stay_outside();
}

/* While the GPU is at work. */
static enum vidmm_caller_state lock_and_draw(void *argument)
{
    uint32_t *round = argument;
    struct rig_allocation *drawn = &shown.rig.allocations[(*round + 1) % 4];
    struct rig_allocation *locked = &shown.rig.allocations[*round % 4];

    assert_int_equal(rig_render(&shown.rig, &drawn, 1, 1), STATUS_SUCCESS);
    assert_int_equal(ranges_lock(&shown, locked, BY_APERTURE, 0), STATUS_SUCCESS);
    assert_int_equal(vidmm_unlock(locked->handle), STATUS_SUCCESS);
    if (++*round < 8)
        return VIDMM_CALLER_RAN;
    crowd_end();
    return VIDMM_CALLER_DONE;
}

void shows_D_312(void **state)
{
    struct rig_options options = rig_defaults();
    uint32_t round = 0;

    (void)state;
    options.kind = VIDMM_MACHINE_THREADED;
    options.gpu = "ranges 2\n";
    shown_init(&shown, &options, crowd_bend);
    for (uint32_t index = 0; index < 4; index++)
        ranges_drawn(&shown, index, SWIZZLED);
    crowd_run(&shown, 1u << CROWD_SCHEDULER | 1u << CROWD_SWIZZLING, lock_and_draw, &round);
    assert_true(shown_count(&shown, 0, VIDMM_DDI_ACQUIRE_SWIZZLING_RANGE) >= 4);
    assert_int_equal(ranges_together(&shown), 1);
    crowd_was_alone(CROWD_SWIZZLING, 8);
    crowd_was_alone(CROWD_SCHEDULER, 8);
    shown_finish(&shown); /* the auditor holds every class to its threads */
}
