/* Theory. Acts are called from one thread on a simulated machine. Between acts the machine is let run
 * until nothing can happen any more (unless `hold`), so what an act brings about stands below it.
 *
 * Contents are known at all times (base/content.h): the GPU checks what a command names, the CPU what
 * it locks, every page of it.
 *
 * S1  an allocation of the story has a handle from its `alloc` to its `destroy`, or to the end of its
 *     process or the adapter
 * S2  generation is the number of the GPU's writes in all commands queued so far
 * S3  cpu[p] is the number of the CPU's writes to page p, digest their sum
 */
#include "tool/scenario.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/residency.h>
#include <wddm/ntstatus.h>

#include "base/content.h"
#include "contract/contract.h"
#include "host/machine.h"
#include "softgpu/device.h"
#include "softgpu/driver.h"
#include "softgpu/softgpu.h"
#include "tool/narrate.h"
#include "wddm/status.h"

#define NODES SOFTGPU_ENGINES

#define FLAG_EXISTING 0x10u /* ExistingSysMem */

struct live {
    struct vidmm_allocation *handle; /* S1 */
    void *bytes;                     /* while locked */
    uint64_t pages, digest;
    uint32_t *cpu;       /* S3 */
    uint32_t generation; /* S2 */
};

struct process {
    struct vidmm_device *device;
    struct vidmm_context *contexts[NODES];
    uint64_t values[NODES]; /* of the newest command */
};

struct run {
    const struct vidmm_scenario *scenario;
    struct vidmm_scenario_result *result;
    uint64_t seed;
    struct vidmm_narrator *narrator;
    struct vidmm_machine *machine;
    struct vidmm_slot *slot;
    struct softgpu_device *gpu;
    bool plugged, held;
    struct vidmm_tap *tap;
    struct vidmm_adapter *adapter;
    bool started; /* it was tried */
    struct process processes[VIDMM_SCENARIO_PROCESSES];
    struct live allocations[VIDMM_SCENARIO_ALLOCATIONS];
    struct existing { /* memory of the programs under allocations that are wished `existing` */
        void *address;
        uint64_t size;
    } existing[VIDMM_SCENARIO_ALLOCATIONS];
    uint32_t existing_count;
    struct vidmm_report report;
    struct vidmm_statistics statistics; /* of the adapter, when it stopped */
    uint32_t findings_told;
};

typedef NTSTATUS act_function(struct run *run, const struct vidmm_act *act);

/* ---- sentences -------------------------------------------------------------------------------- */

/* Why the story cannot be played. Always false. */
__attribute__((format(printf, 2, 3))) static bool problem(struct run *run, const char *format, ...)
{
    va_list arguments;

    if (run->result->problem[0] != 0)
        return false;
    va_start(arguments, format);
    vsnprintf(run->result->problem, sizeof(run->result->problem), format, arguments);
    va_end(arguments);
    return false;
}

/* What should not be; the first is kept. */
__attribute__((format(printf, 3, 4))) static void surprise(struct run *run, uint64_t *counter,
                                                           const char *format, ...)
{
    va_list arguments;

    ++*counter;
    if (run->result->surprise[0] != 0)
        return;
    va_start(arguments, format);
    vsnprintf(run->result->surprise, sizeof(run->result->surprise), format, arguments);
    va_end(arguments);
}

struct status_text {
    char text[64];
};

static struct status_text status_of(NTSTATUS status)
{
    struct status_text name;
    struct vidmm_text text;

    vidmm_text_init(&text, name.text, sizeof(name.text));
    vidmm_status_print(&text, status);
    return name;
}

static void note_misuse(void *argument, const char *text)
{
    problem(argument, "the manager misused the host: %s", text);
}

/* ---- machine and adapter ---------------------------------------------------------------------- */

static bool make_machine(struct run *run)
{
    const struct vidmm_machine_options options = {
        .kind = VIDMM_MACHINE_SIMULATED,
        .seed = run->seed,
        .system_memory = run->scenario->system_memory,
        .agp_aperture = run->scenario->agp_aperture,
        .poison = VIDMM_POISON_WHOLE,
        .misuse = note_misuse,
        .misuse_argument = run,
        .caches_apart = run->scenario->caches_apart,
    };
    struct vidmm_device_model model;
    char error[200] = "";

    run->machine = vidmm_machine_create(&options, error, sizeof(error));
    if (run->machine == NULL)
        return problem(run, "no machine: %s", error);
    run->slot = vidmm_machine_add_slot(run->machine);
    if (run->slot == NULL)
        return problem(run, "no memory for a slot");
    run->gpu = softgpu_device_create(vidmm_slot_bus(run->slot), &run->scenario->gpu, &model, error,
                                     sizeof(error));
    if (run->gpu == NULL)
        return problem(run, "no software GPU: %s", error);
    run->plugged = vidmm_slot_plug(run->slot, &model);
    return run->plugged;
}

static bool make_tap(struct run *run)
{
    const struct vidmm_host *host = vidmm_slot_host(run->slot);
    const struct vidmm_tap_config config = {
        .current_irql = host->current_irql,
        .irql_context = host->context,
        .paging_is_not_patched = !run->scenario->manager.patch_paging,
    };
    DRIVER_INITIALIZATION_DATA driver;

    memset(&driver, 0, sizeof(driver));
    if (softgpu_driver_entry(softgpu_driver_version(run->scenario->gpu.wddm), &driver) !=
        STATUS_SUCCESS)
        return problem(run, "softgpu has no driver of this version");
    run->tap = vidmm_tap_create(&config, &driver);
    return run->tap != NULL || problem(run, "no memory for the auditor");
}

static NTSTATUS start_adapter(struct run *run)
{
    struct vidmm_adapter_options options = run->scenario->manager;

    run->started = true;
    options.observer = vidmm_narrator_observer(run->narrator);
    return vidmm_adapter_start(vidmm_slot_host(run->slot), vidmm_tap_driver(run->tap), run,
                               &options, &run->adapter, &run->report);
}

/* Start unseen, if no act has. */
static bool ensure_adapter(struct run *run)
{
    NTSTATUS status;

    if (run->started)
        return run->adapter != NULL ||
               problem(run, "there is no adapter: it did not start, or has been stopped");
    status = start_adapter(run);
    return status == STATUS_SUCCESS || problem(run, "the adapter does not start: %s: %s",
                                               status_of(status).text, run->report.text);
}

static const char *process_name(const struct run *run, uint32_t process)
{
    return run->scenario->process_count > 0 ? run->scenario->processes[process] : NULL;
}

/* The device of a process, made unseen at its first act. */
static bool ensure_device(struct run *run, uint32_t process)
{
    const char *name = process_name(run, process);
    struct process *own = &run->processes[process];
    NTSTATUS status = STATUS_SUCCESS;

    if (own->device != NULL)
        return true;
    vidmm_narrator_process(run->narrator, name != NULL ? name : "the program");
    status = vidmm_device_create(run->adapter, process + 1, &own->device, &run->report);
    return status == STATUS_SUCCESS ||
           problem(run, "no device: %s: %s", status_of(status).text, run->report.text);
}

/* ---- acts ------------------------------------------------------------------------------------- */

static NTSTATUS act_start(struct run *run, const struct vidmm_act *act)
{
    (void)act;
    return start_adapter(run);
}

static struct live *live_of(struct run *run, const struct vidmm_act *act, uint32_t index)
{
    return &run->allocations[run->scenario->references[act->first + index].allocation];
}

static const struct vidmm_scenario_allocation *wish_of(const struct run *run,
                                                       const struct vidmm_act *act, uint32_t index)
{
    return &run->scenario->allocations[run->scenario->references[act->first + index].allocation];
}

/* Memory of the program's own, zeroed, for as long as the story is told. Address NULL: none. */
static struct existing take_existing(struct run *run, const struct vidmm_scenario_allocation *wish)
{
    uint64_t size = (wish->size + VIDMM_PAGE_SIZE - 1) & ~(uint64_t)(VIDMM_PAGE_SIZE - 1);
    struct existing none = {NULL, 0};
    void *address;

    if ((wish->flags & FLAG_EXISTING) == 0)
        return none;
    address = aligned_alloc(VIDMM_PAGE_SIZE, size);
    if (address == NULL) {
        problem(run, "no memory for %s", wish->name);
        return none;
    }
    memset(address, 0, size);
    run->existing[run->existing_count] = (struct existing){address, size};
    return run->existing[run->existing_count++];
}

static NTSTATUS create_one(struct run *run, const struct vidmm_act *act, uint32_t index)
{
    const struct vidmm_scenario_allocation *wish = wish_of(run, act, index);
    struct live *live = live_of(run, act, index);
    const struct softgpu_allocation private_data = {
        .magic = SOFTGPU_ALLOCATION_MAGIC,
        .flags = wish->flags,
        .size = wish->size,
        .alignment = wish->alignment,
        .read_set = wish->read_set,
        .write_set = wish->write_set,
        .evict_set = wish->evict_set,
        .preferred = wish->preferred,
        .hinted_bank = wish->hinted_bank,
        .priority = wish->priority,
    };
    struct existing existing = take_existing(run, wish);
    NTSTATUS status;

    vidmm_narrator_name(run->narrator, wish->name);
    status = vidmm_allocation_create_over(
        run->processes[act->process].device, &private_data, sizeof(private_data), existing.address,
        existing.size, &live->handle, &run->report);
    if (status != STATUS_SUCCESS)
        return status;
    live->pages = vidmm_allocation_size(live->handle) / VIDMM_PAGE_SIZE;
    live->cpu = calloc(live->pages, sizeof(*live->cpu));
    if (live->cpu == NULL)
        problem(run, "no memory for %s", wish->name);
    return STATUS_SUCCESS;
}

static NTSTATUS act_alloc(struct run *run, const struct vidmm_act *act)
{
    NTSTATUS status = STATUS_SUCCESS;

    for (uint32_t i = 0; i < act->count && status == STATUS_SUCCESS; i++)
        status = create_one(run, act, i);
    return status;
}

/* S1 ends. */
static void forget(struct live *live)
{
    free(live->cpu);
    memset(live, 0, sizeof(*live));
}

/* The content of what was reclaimed is kept, or begins with zeros again. */
static void tell_reclaimed(struct run *run, const struct vidmm_act *act, const bool *discarded)
{
    for (uint32_t i = 0; i < act->count; i++) {
        uint32_t allocation = run->scenario->references[act->first + i].allocation;
        struct live *live = &run->allocations[allocation];
        vidmm_narrator_say(run->narrator, "%s: content %s", run->scenario->allocations[allocation].name,
                           discarded[i] ? "discarded" : "kept");
        if (!discarded[i])
            continue;
        live->digest = live->generation = 0;
        memset(live->cpu, 0, live->pages * sizeof(*live->cpu));
    }
}

static NTSTATUS act_say(struct run *run, const struct vidmm_act *act)
{
    struct vidmm_allocation *handles[VIDMM_SCENARIO_REFERENCES];
    struct vidmm_selection all = {.allocations = handles, .allocation_count = act->count};
    uint32_t values[VIDMM_SCENARIO_REFERENCES];
    bool discarded[VIDMM_SCENARIO_REFERENCES];

    for (uint32_t i = 0; i < act->count; i++) {
        handles[i] = live_of(run, act, i)->handle;
        values[i] = act->value;
    }
    if (act->kind == VIDMM_ACT_OFFER)
        return vidmm_offer(&all, act->value, &run->report);
    if (act->kind == VIDMM_ACT_PRIORITY)
        return vidmm_set_priority(&all, values, &run->report);
    NTSTATUS status = vidmm_reclaim(&all, discarded, &run->report);
    if (status == STATUS_SUCCESS)
        tell_reclaimed(run, act, discarded);
    return status;
}

static NTSTATUS act_destroy(struct run *run, const struct vidmm_act *act)
{
    for (uint32_t i = 0; i < act->count; i++) {
        vidmm_allocation_destroy(live_of(run, act, i)->handle);
        forget(live_of(run, act, i));
    }
    return STATUS_SUCCESS;
}

static NTSTATUS ensure_context(struct run *run, const struct vidmm_act *act)
{
    struct process *own = &run->processes[act->process];
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    if (act->node < NODES && own->contexts[act->node] != NULL)
        return STATUS_SUCCESS;
    if (act->node < NODES) {
        vidmm_narrator_speak(run->narrator, false);
        status = vidmm_context_create(own->device, act->node, NULL, 0, &own->contexts[act->node],
                                      &run->report);
        vidmm_narrator_speak(run->narrator, true);
    }
    return status;
}

static struct vidmm_content_key key_of(const struct run *run, uint32_t allocation)
{
    return (struct vidmm_content_key){run->scenario->seed + 1, allocation + 1};
}

/* A command buffer of TOUCHes, and the allocation list that goes with it. */
struct commands {
    union {
        struct softgpu_touch align;
        unsigned char bytes[VIDMM_SCENARIO_REFERENCES *
                            (sizeof(struct softgpu_touch) + sizeof(struct softgpu_reference))];
    } buffer;
    uint32_t size;
    struct vidmm_render_reference list[VIDMM_SCENARIO_REFERENCES + 1];
    uint32_t elements;
    struct softgpu_touch *last;
};

/* The element of an allocation: each has one, however often it is named. */
static uint32_t element_of(struct commands *commands, struct vidmm_allocation *allocation,
                           bool write)
{
    uint32_t element = 0;

    while (element < commands->elements && commands->list[element].allocation != allocation)
        element++;
    if (element == commands->elements)
        commands->list[commands->elements++].allocation = allocation;
    commands->list[element].write |= write;
    return element;
}

static void begin_command(struct commands *commands, uint64_t seed)
{
    commands->last = (void *)(commands->buffer.bytes + commands->size);
    *commands->last = (struct softgpu_touch){
        .command = {SOFTGPU_TOUCH, softgpu_touch_size(0)},
        .seed = seed,
    };
    commands->size += commands->last->command.size;
}

/* S2: how often what the reference names was written by those before it in the same act. */
static uint32_t writes_before(const struct run *run, const struct vidmm_act *act, uint32_t index)
{
    const struct vidmm_act_reference *references = &run->scenario->references[act->first];
    uint32_t writes = 0;

    for (uint32_t i = 0; i < index; i++)
        writes += references[i].allocation == references[index].allocation && references[i].write;
    return writes;
}

/* What the command says of one allocation. */
static void add_reference(const struct run *run, const struct vidmm_act *act, uint32_t index,
                          struct commands *commands)
{
    const struct vidmm_act_reference *reference = &run->scenario->references[act->first + index];
    const struct live *live = &run->allocations[reference->allocation];
    struct softgpu_reference *to = (void *)(commands->buffer.bytes + commands->size);

    *to = (struct softgpu_reference){
        .allocation_index = element_of(commands, live->handle, reference->write),
        .flags = (reference->write ? SOFTGPU_REFERENCE_WRITE : 0) |
                 (reference->bound ? SOFTGPU_REFERENCE_BOUND : 0),
        .pages = live->pages,
        .digest = live->digest,
        .content_id = key_of(run, reference->allocation).id,
        .generation = live->generation + writes_before(run, act, index),
    };
    commands->size += (uint32_t)sizeof(*to);
    commands->last->command.size += (uint32_t)sizeof(*to);
    commands->last->reference_count++;
}

/* Several commands need the element without an allocation, by which slots are emptied. */
static void make_commands(const struct run *run, const struct vidmm_act *act,
                          struct commands *commands)
{
    const struct vidmm_act_reference *references = &run->scenario->references[act->first];

    memset(commands, 0, sizeof(*commands));
    commands->elements = act->count > 0 && references[act->count - 1].command > 0 ? 1 : 0;
    begin_command(commands, key_of(run, 0).seed);
    for (uint32_t i = 0; i < act->count; i++) {
        if (i > 0 && references[i].command != references[i - 1].command)
            begin_command(commands, key_of(run, 0).seed);
        add_reference(run, act, i, commands);
    }
}

static NTSTATUS act_submit(struct run *run, const struct vidmm_act *act)
{
    struct commands commands;
    struct process *own = &run->processes[act->process];
    NTSTATUS status = ensure_context(run, act);

    make_commands(run, act, &commands);
    if (status == STATUS_SUCCESS)
        status =
            vidmm_render(own->contexts[act->node], &commands.buffer, commands.size, commands.list,
                         commands.elements, !act->no_wait, &own->values[act->node], &run->report);
    for (uint32_t i = 0; i < act->count && status == STATUS_SUCCESS; i++)
        live_of(run, act, i)->generation +=
            run->scenario->references[act->first + i].write; /* S2 */
    return status;
}

static NTSTATUS act_wait(struct run *run, const struct vidmm_act *act)
{
    const struct process *own = &run->processes[act->process];
    NTSTATUS status = STATUS_SUCCESS;

    for (uint32_t node = 0; node < NODES && status == STATUS_SUCCESS; node++)
        if (own->contexts[node] != NULL)
            status = vidmm_context_wait(own->contexts[node], own->values[node]);
    NTSTATUS condition = vidmm_device_condition(own->device, &run->report);
    return status != STATUS_SUCCESS ? status : condition;
}

/* ---- the CPU ---------------------------------------------------------------------------------- */

static uint64_t share_of(const struct run *run, const struct vidmm_act *act, uint32_t page)
{
    uint32_t allocation = run->scenario->references[act->first].allocation;

    return vidmm_content_digest(key_of(run, allocation), page,
                                run->allocations[allocation].cpu[page]);
}

/* Look at every page of what is locked. */
static void check_pages(struct run *run, const struct vidmm_act *act)
{
    uint32_t allocation = run->scenario->references[act->first].allocation;
    const struct live *live = &run->allocations[allocation];
    struct vidmm_content_key key = key_of(run, allocation);
    uint64_t wrong = 0;

    for (uint32_t page = 0; page < live->pages; page++) {
        const void *bytes = (const char *)live->bytes + (size_t)page * VIDMM_PAGE_SIZE;
        uint64_t digest = 0;

        if (!vidmm_content_check_page(bytes, key, page, live->generation, &digest) ||
            digest != share_of(run, act, page))
            wrong++;
    }
    run->result->checks++;
    if (wrong == 0)
        return;
    vidmm_narrator_say(run->narrator, "%s: %" PRIu64 " of %" PRIu64 " pages are wrong",
                       wish_of(run, act, 0)->name, wrong, live->pages);
    surprise(run, &run->result->wrong, "line %" PRIu32 ": the CPU finds %" PRIu64 " wrong pages",
             act->line, wrong);
}

static NTSTATUS act_lock(struct run *run, const struct vidmm_act *act)
{
    struct live *live = live_of(run, act, 0);
    uint64_t events = vidmm_narrator_events(run->narrator);
    void *bytes = NULL;
    NTSTATUS status = vidmm_lock(live->handle, act->no_wait ? VIDMM_LOCK_DONOT_WAIT : 0, &bytes);

    if (status != STATUS_SUCCESS)
        return status;
    live->bytes = bytes;
    if (vidmm_narrator_events(run->narrator) == events)
        vidmm_narrator_say(run->narrator, "%s: locked, without asking", wish_of(run, act, 0)->name);
    check_pages(run, act);
    return status;
}

static NTSTATUS act_write(struct run *run, const struct vidmm_act *act)
{
    struct live *live = live_of(run, act, 0);
    struct vidmm_content_key key = key_of(run, run->scenario->references[act->first].allocation);

    if (live->bytes == NULL) {
        problem(run, "line %" PRIu32 ": %s is not locked", act->line, wish_of(run, act, 0)->name);
        return STATUS_SUCCESS;
    }
    check_pages(run, act);
    for (uint32_t page = 0; page < live->pages; page++) {
        live->digest -= share_of(run, act, page);
        live->cpu[page]++; /* S3 */
        live->digest += share_of(run, act, page);
        vidmm_content_write_cpu((char *)live->bytes + (size_t)page * VIDMM_PAGE_SIZE, key, page,
                                live->cpu[page]);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS act_unlock(struct run *run, const struct vidmm_act *act)
{
    return vidmm_unlock(live_of(run, act, 0)->handle);
}

/* ---- ends ------------------------------------------------------------------------------------- */

/* Handles of a process, or of all, are dead. */
static void forget_process(struct run *run, uint32_t process)
{
    for (uint32_t i = 0; i < run->scenario->act_count; i++) {
        const struct vidmm_act *act = &run->scenario->acts[i];

        for (uint32_t j = 0;
             act->kind == VIDMM_ACT_ALLOC && act->process == process && j < act->count; j++)
            forget(live_of(run, act, j));
    }
    memset(&run->processes[process], 0, sizeof(run->processes[process]));
}

static NTSTATUS act_exit(struct run *run, const struct vidmm_act *act)
{
    vidmm_device_destroy(run->processes[act->process].device);
    forget_process(run, act->process);
    return STATUS_SUCCESS;
}

static NTSTATUS act_stop(struct run *run, const struct vidmm_act *act)
{
    (void)act;
    vidmm_adapter_statistics(run->adapter, &run->statistics);
    vidmm_adapter_stop(run->adapter);
    run->adapter = NULL;
    run->findings_told = 0;
    for (uint32_t process = 0; process < VIDMM_SCENARIO_PROCESSES; process++)
        forget_process(run, process);
    return STATUS_SUCCESS;
}

static NTSTATUS act_hold(struct run *run, const struct vidmm_act *act)
{
    run->held = act->kind == VIDMM_ACT_HOLD;
    return STATUS_SUCCESS;
}

static NTSTATUS act_release(struct run *run, const struct vidmm_act *act)
{
    (void)act;
    softgpu_device_release(run->gpu);
    return STATUS_SUCCESS;
}

static NTSTATUS act_power(struct run *run, const struct vidmm_act *act)
{
    return vidmm_adapter_set_power(run->adapter, act->power, &run->report);
}

/* ---- going through ---------------------------------------------------------------------------- */

static act_function *const functions[] = {
    [VIDMM_ACT_START] = act_start,   [VIDMM_ACT_ALLOC] = act_alloc,
    [VIDMM_ACT_SUBMIT] = act_submit, [VIDMM_ACT_WAIT] = act_wait,
    [VIDMM_ACT_LOCK] = act_lock,     [VIDMM_ACT_WRITE] = act_write,
    [VIDMM_ACT_UNLOCK] = act_unlock, [VIDMM_ACT_DESTROY] = act_destroy,
    [VIDMM_ACT_EXIT] = act_exit,     [VIDMM_ACT_HOLD] = act_hold,
    [VIDMM_ACT_GO] = act_hold,       [VIDMM_ACT_RELEASE] = act_release,
    [VIDMM_ACT_STOP] = act_stop,     [VIDMM_ACT_POWER] = act_power,
    [VIDMM_ACT_OFFER] = act_say,     [VIDMM_ACT_RECLAIM] = act_say,
    [VIDMM_ACT_PRIORITY] = act_say,
};

static void judge_answer(struct run *run, const struct vidmm_act *act, NTSTATUS status)
{
    if (status != STATUS_SUCCESS)
        vidmm_narrator_say(run->narrator, "refused: %s%s%s", status_of(status).text,
                           run->report.text[0] != 0 ? ": " : "", run->report.text);
    if ((status != STATUS_SUCCESS) == act->refused)
        return;
    if (act->refused)
        vidmm_narrator_say(run->narrator, "not refused");
    surprise(
        run, &run->result->surprises, "line %" PRIu32 ": \"%s\" is %s%s%s%s", act->line, act->text,
        act->refused ? "not refused" : "refused: ", act->refused ? "" : status_of(status).text,
        act->refused || run->report.text[0] == 0 ? "" : ": ", act->refused ? "" : run->report.text);
}

static bool needs_adapter(const struct vidmm_act *act)
{
    return act->kind != VIDMM_ACT_START && act->kind != VIDMM_ACT_RELEASE;
}

static bool needs_device(const struct vidmm_act *act)
{
    return needs_adapter(act) && act->kind != VIDMM_ACT_STOP && act->kind != VIDMM_ACT_HOLD &&
           act->kind != VIDMM_ACT_GO && act->kind != VIDMM_ACT_POWER;
}

/* What the manager has newly seen and let pass. */
static void tell_findings(struct run *run)
{
    struct vidmm_finding finding;

    for (; run->adapter != NULL &&
           vidmm_adapter_finding(run->adapter, run->findings_told, &finding);
         run->findings_told++)
        vidmm_narrator_say(run->narrator, "seen, and let pass: %s", finding.first);
}

static bool perform(struct run *run, const struct vidmm_act *act)
{
    bool sees_process = needs_device(act);
    NTSTATUS status;

    vidmm_narrator_speak(run->narrator, false);
    if (needs_adapter(act) && !ensure_adapter(run))
        return false;
    if (needs_device(act) && !ensure_device(run, act->process))
        return false;
    vidmm_narrator_speak(run->narrator, true);
    vidmm_narrator_act(run->narrator, sees_process ? process_name(run, act->process) : NULL,
                       act->text);
    memset(&run->report, 0, sizeof(run->report));
    status = functions[act->kind](run, act);
    if (!run->held)
        vidmm_machine_settle(run->machine);
    judge_answer(run, act, status);
    tell_findings(run);
    return run->result->problem[0] == 0;
}

/* ---- the end ---------------------------------------------------------------------------------- */

/* What the driver may break if it is said to lie is its own. */
static void tell_breaches(struct run *run)
{
    struct vidmm_violation violation;

    for (size_t i = 0; vidmm_tap_violation(run->tap, i, &violation); i++) {
        const struct vidmm_rule *rule = vidmm_rule(violation.rule);
        char id[16];
        struct vidmm_text text;

        vidmm_text_init(&text, id, sizeof(id));
        vidmm_rule_print_id(&text, violation.rule);
        vidmm_narrator_say(run->narrator, "%s breaks %s: %s", vidmm_rule_party_name(rule->party),
                           id, violation.detail);
        if (rule->party != VIDMM_PARTY_KMD || run->scenario->gpu.broken == 0)
            surprise(run, &run->result->breaches, "%s is broken: %s", id, violation.detail);
    }
    if (!vidmm_tap_complete(run->tap))
        problem(run, "the auditor ran out of memory");
}

static void tell_contents(struct run *run)
{
    struct softgpu_statistics gpu;

    softgpu_device_statistics(run->gpu, &gpu);
    run->result->checks += gpu.content_checks;
    if (gpu.content_mismatches > 0) {
        vidmm_narrator_say(run->narrator, "the GPU finds wrong contents: %s", gpu.mismatch);
        surprise(run, &run->result->wrong, "the GPU finds wrong contents: %s", gpu.mismatch);
        run->result->wrong += gpu.content_mismatches - 1;
    }
    if (gpu.faults > 0) {
        vidmm_narrator_say(run->narrator, "the GPU faults: %s", gpu.fault);
        surprise(run, &run->result->wrong, "the GPU faults: %s", gpu.fault);
    }
}

/* "1 eviction", "2 evictions" */
struct count {
    char text[48];
};

static struct count count_of(uint64_t number, const char *what)
{
    struct count count;

    snprintf(count.text, sizeof(count.text), "%" PRIu64 " %s%s", number, what,
             number == 1 ? "" : "s");
    return count;
}

static void tell_sums(struct run *run)
{
    const struct vidmm_statistics *s = &run->statistics;

    vidmm_narrator_speak(run->narrator, true);
    tell_contents(run);
    tell_breaches(run);
    vidmm_narrator_end(
        run->narrator, "%s, %s; %s filled, %s in, %s out; %s of contents, %" PRIu64 " wrong",
        count_of(s->page_ins, "page-in").text, count_of(s->evictions, "eviction").text,
        vidmm_narrator_size(s->bytes_filled).text, vidmm_narrator_size(s->bytes_in).text,
        vidmm_narrator_size(s->bytes_out).text, count_of(run->result->checks, "check").text,
        run->result->wrong);
}

static void take_apart(struct run *run)
{
    if (run->narrator != NULL)
        vidmm_narrator_speak(run->narrator, false);
    if (run->adapter != NULL)
        act_stop(run, NULL);
    if (run->tap != NULL && run->result->problem[0] == 0)
        tell_sums(run);
    if (run->plugged)
        vidmm_slot_unplug(run->slot);
    softgpu_device_destroy(run->gpu);
    vidmm_tap_destroy(run->tap);
    vidmm_machine_destroy(run->machine);
    while (run->existing_count > 0)
        free(run->existing[--run->existing_count].address);
    if (run->narrator != NULL)
        run->result->narrative = vidmm_narrator_text(run->narrator);
    vidmm_narrator_destroy(run->narrator);
}

void vidmm_scenario_play(const struct vidmm_scenario *scenario, uint64_t seed,
                         struct vidmm_scenario_result *result)
{
    struct run *run = calloc(1, sizeof(*run));

    memset(result, 0, sizeof(*result));
    if (run == NULL) {
        snprintf(result->problem, sizeof(result->problem), "no memory");
        return;
    }
    run->scenario = scenario;
    run->result = result;
    run->seed = seed != 0 ? seed : scenario->seed;
    run->narrator = vidmm_narrator_create();
    if (run->narrator == NULL)
        problem(run, "no memory");
    else if (make_machine(run) && make_tap(run))
        for (uint32_t i = 0; i < scenario->act_count; i++)
            if (!perform(run, &scenario->acts[i]))
                break;
    take_apart(run);
    free(run);
}

void vidmm_scenario_result_finish(struct vidmm_scenario_result *result)
{
    free(result->narrative);
    result->narrative = NULL;
}
