/* replay_foreign.c: recorded programs on a foreign driver, under the manager.
 *
 *      trace --> program --> manager --> auditor's tap --> shim --> driver
 *
 * The GPU's writes of the recording are not made, since nobody here knows how to command this GPU;
 * the CPU's are, and each is looked for before the next, before the allocation goes, and at the
 * end: so what is lost on its way through memory segment, aperture and system pages is found. A
 * driver without DxgkDdiRender, or with one in name only, presents instead
 * (trace/replay_present.c), and what it shows is compared too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/adapter.h>
#include <vidmm/page.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "check/check.h"
#include "miniport/configuration.h"
#include "miniport/habits.h"
#include "check/display.h"
#include "check/excuse.h"
#include "check/host.h"
#include "miniport/plugged.h"
#include "check/render.h"
#include "check/replay_picture.h"
#include "check/shim.h"
#include "check/user.h"
#include "contract/contract.h"
#include "host/machine.h"
#include "kit/dxgk.h"
#include "kit/kit.h"
#include "trace/heap.h"
#include "trace/replay.h"
#include "trace/trace.h"
#include "wddm/level.h"
#include "wddm/rule.h"
#include "wddm/status.h"

#define COMMAND_SIZE 4096u /* most bytes of a plug-in's command */
#define COPIES_SIZE 4096u  /* and of its copies that go with it */
#define SPARE (UINT64_C(256) << 20)
#define MIB 1048576.0

struct replay {
    const struct vidmm_replay_options *options;
    struct vidmm_board *board;
    struct vidmm_miniport_configuration configuration;
    struct vidmm_check_host host;
    DRIVER_INITIALIZATION_DATA driver; /* the shim's, with AddDevice noted */
    struct vidmm_tap *tap;
    struct vidmm_adapter *adapter;
    struct vidmm_user user;
    struct vidmm_replay_driver umd;
    struct vidmm_trace *traces[VIDMM_REPLAY_FILES];
    struct vidmm_program *programs[VIDMM_REPLAY_FILES];
    struct vidmm_replay_picture picture;
    HANDLE context; /* the last that the driver made; a device where it makes none */
    DXGK_CONTEXTINFO context_info;
    bool is_new;     /* of WDDM 2.0 or above: the program says what is resident */
    bool by_address; /* its GPU has page tables */
    bool by_iommu;   /* it takes those of the processor */
    bool by_context; /* contexts describe DMA buffers; otherwise devices do */
    bool presents;   /* it has no DxgkDdiRender, or one in name only */
};

static struct replay *the_replay; /* AddDevice names nobody */

/* ---- the user-mode driver ---- */

static uint32_t describe(void *context, uint64_t size, uint32_t types, void *buffer)
{
    const struct replay *replay = context;
    const struct vidmm_plugin_wish wish = {size, 0, (types & VIDMM_TRACE_VISIBLE) != 0};
    uint8_t data[VIDMM_USER_PRIVATE];
    uint32_t data_size = 0;

    for (enum vidmm_user_source source = VIDMM_USER_PLUGIN; source < VIDMM_USER_SOURCES; source++)
        if (vidmm_user_describe(&replay->user, source, &wish, data, &data_size))
            break;
    data_size = data_size < VIDMM_REPLAY_PRIVATE ? data_size : VIDMM_REPLAY_PRIVATE;
    memcpy(buffer, data, data_size);
    return data_size;
}

static bool has_commands(const struct replay *replay)
{
    return replay->host.miniport.plugin && replay->host.miniport.plugin->command;
}

static bool can_copy(const struct replay *replay)
{
    return replay->host.miniport.plugin && replay->host.miniport.plugin->copy;
}

static uint32_t command_size(void *context, uint32_t count)
{
    (void)count;
    return (has_commands(context) ? COMMAND_SIZE : 0) + (can_copy(context) ? COPIES_SIZE : 0);
}

static uint32_t copy(void *context, uint64_t to, uint64_t from, uint64_t size, void *buffer,
                     uint32_t room)
{
    const struct replay *replay = context;

    memset(buffer, 0, room);
    return vidmm_plugged_copy(replay->host.miniport.plugin, to, from, size, buffer, room);
}

static uint32_t command(void *context, uint64_t seed, const struct vidmm_replay_use *uses,
                        uint32_t count, void *buffer)
{
    const struct replay *replay = context;
    struct vidmm_plugin_use *list;
    uint32_t size = 0;

    (void)seed;
    if (!has_commands(replay))
        return 0;
    memset(buffer, 0, COMMAND_SIZE);
    list = calloc(count + 1, sizeof(*list));
    for (uint32_t i = 0; list && i < count; i++)
        list[i] = (struct vidmm_plugin_use){uses[i].index, uses[i].pages * VIDMM_PAGE_SIZE,
                                            uses[i].write, uses[i].address};
    if (list)
        size =
            vidmm_plugged_command(replay->host.miniport.plugin, list, count, buffer, COMMAND_SIZE);
    free(list);
    return size;
}

/* ---- making ---- */

static bool read_traces(struct replay *replay)
{
    uint64_t memory = SPARE;

    for (uint32_t i = 0; i < replay->options->file_count; i++) {
        struct vidmm_trace_error error = {""};
        struct vidmm_trace_statistics measured;

        replay->traces[i] = vidmm_trace_read(&vidmm_heap, replay->options->files[i], &error);
        if (!replay->traces[i])
            return vidmm_board_problem(replay->board, "%s", error.text);
        vidmm_trace_measure(replay->traces[i], &measured);
        memory += measured.peak_live_bytes + measured.allocations * VIDMM_PAGE_SIZE;
        atomic_fetch_add(&replay->board->all_frames, (unsigned)measured.frames);
    }
    memory = memory / VIDMM_PAGE_SIZE * VIDMM_PAGE_SIZE;
    if (replay->configuration.system_memory < memory)
        replay->configuration.system_memory = memory;
    return true;
}

static NTSTATUS note_adapter(PDEVICE_OBJECT object, PVOID *context)
{
    NTSTATUS status = the_replay->host.table->DxgkDdiAddDevice(object, context);

    the_replay->user.adapter = status == STATUS_SUCCESS ? *context : NULL;
    return status;
}

static NTSTATUS note_device(const HANDLE adapter, DXGKARG_CREATEDEVICE *argument)
{
    NTSTATUS status = the_replay->host.table->DxgkDdiCreateDevice(adapter, argument);

    if (status != STATUS_SUCCESS)
        return status;
    the_replay->context = argument->hDevice;
    if (!the_replay->by_context && argument->pInfo) /* else Flags stand there */
        the_replay->context_info = (DXGK_CONTEXTINFO){
            .DmaBufferSize = argument->pInfo->DmaBufferSize,
            .DmaBufferPrivateDataSize = argument->pInfo->DmaBufferPrivateDataSize,
            .PatchLocationListSize = argument->pInfo->PatchLocationListSize};
    return status;
}

static NTSTATUS note_context(const HANDLE device, DXGKARG_CREATECONTEXT *argument)
{
    NTSTATUS status = the_replay->host.table->DxgkDdiCreateContext(device, argument);

    if (status == STATUS_SUCCESS) {
        the_replay->context = argument->hContext;
        the_replay->context_info = argument->ContextInfo;
    }
    return status;
}

/* How its GPU finds memory, and who says what DMA buffers look like, from its caps. */
static NTSTATUS note_caps(const HANDLE adapter, const DXGKARG_QUERYADAPTERINFO *argument)
{
    NTSTATUS status = the_replay->host.table->DxgkDdiQueryAdapterInfo(adapter, argument);
    const DXGK_DRIVERCAPS *caps = argument->pOutputData;

    if (status != STATUS_SUCCESS || argument->Type != DXGKQAITYPE_DRIVERCAPS)
        return status;
    the_replay->by_context = caps->SchedulingCaps.MultiEngineAware;
    if (the_replay->is_new) {
        the_replay->by_address = caps->MemoryManagementCaps.GpuMmuSupported;
        the_replay->by_iommu = caps->MemoryManagementCaps.IoMmuSupported;
    }
    return status;
}

static bool make_tap(struct replay *replay)
{
    const struct vidmm_tap_config config = {
        .current_irql = replay->host.miniport.host->current_irql,
        .irql_context = replay->host.miniport.host->context,
        .record = vidmm_excuse_record,
        .paging_is_not_patched = !replay->configuration.patch_paging,
    };

    replay->driver = *replay->host.table;
    if (replay->driver.DxgkDdiAddDevice)
        replay->driver.DxgkDdiAddDevice = note_adapter;
    if (replay->driver.DxgkDdiQueryAdapterInfo)
        replay->driver.DxgkDdiQueryAdapterInfo = note_caps;
    if (replay->driver.DxgkDdiCreateDevice)
        replay->driver.DxgkDdiCreateDevice = note_device;
    if (replay->driver.DxgkDdiCreateContext)
        replay->driver.DxgkDdiCreateContext = note_context;
    replay->user = (struct vidmm_user){.driver = &replay->driver,
                                       .plugin = replay->host.miniport.plugin,
                                       .habits = &replay->configuration};
    replay->tap = vidmm_tap_create(&config, &replay->driver);
    return replay->tap || vidmm_board_problem(replay->board, "no memory for the auditor");
}

static const char *name_status(NTSTATUS status, char *name, size_t size)
{
    struct vidmm_text text;

    vidmm_text_init(&text, name, size);
    vidmm_status_print(&text, status);
    return name;
}

static void tell_habits(struct replay *replay, const struct vidmm_statistics *manager)
{
    const struct vidmm_miniport_configuration *habits = &replay->configuration;

    vidmm_board_fact(replay->board, "habit: batching: %s in %s%s",
                     vidmm_counted(manager->paging_operations, "operation").text,
                     vidmm_counted(manager->paging_buffers, "paging buffer").text,
                     habits->batching ? "" : " (configuration: batching off)");
    vidmm_board_fact(replay->board, "habit: transfers: %s",
                     vidmm_miniport_splits(habits)
                         ? "in parts of 1 MiB (configuration: split on)"
                         : "whole (configuration: split on is for parts)");
    vidmm_board_fact(replay->board, "habit: in flight: at most %u (configuration: queue)",
                     habits->queue_limit);
}

/* Can programs be played by the addresses of this GPU? */
static bool judge_addresses(struct replay *replay)
{
    if (replay->by_iommu)
        return vidmm_board_problem(replay->board,
                                   "the GPU takes the page tables of the processor "
                                   "(IoMmuSupported): replay on such a driver is not built yet");
    return !replay->by_address || can_copy(replay) ||
           vidmm_board_problem(replay->board, "the GPU has page tables, and its commands are the "
                                              "program's: give a --plugin with `copy` "
                                              "(vidmm/plugin.h)");
}

static bool start_adapter(struct replay *replay)
{
    struct vidmm_adapter_options options;
    struct vidmm_report report = {""};
    char name[64];

    vidmm_miniport_adapter_options(&replay->configuration, vidmm_kit_is_post_device(), &options);
    options.whole_lists = !has_commands(replay); /* of an empty command nothing is patched */
    options.breach = vidmm_excuse_breach;
    options.observer = replay->picture.path ? &replay->picture.observer : NULL;
    NTSTATUS status = vidmm_adapter_start(replay->host.miniport.host, vidmm_tap_driver(replay->tap),
                                          vidmm_kit_device(), &options, &replay->adapter, &report);
    if (status == STATUS_SUCCESS)
        return judge_addresses(replay);
    replay->adapter = NULL;
    return vidmm_board_problem(replay->board, "the adapter does not start: %s: %s",
                               name_status(status, name, sizeof(name)), report.text);
}

static bool make_host(struct replay *replay)
{
    if (!vidmm_check_host_open(&replay->host, replay->board, &replay->configuration,
                               replay->options->check.driver, replay->options->check.plugin,
                               replay->options->check.journal, replay->options->check.print))
        return false;
    if (replay->host.miniport.display_only)
        return vidmm_board_problem(replay->board, "the driver is display only: it has no video "
                                                  "memory to replay on");
    replay->is_new = vidmm_level_find(replay->host.table->Version)->level >= VIDMM_LEVEL(2, 0);
    return true;
}

/* No primary, so nothing is committed: the manager's allocations are its own. */
static bool ask_display(struct replay *replay)
{
    struct vidmm_check_display display = {.board = replay->board,
                                          .driver = vidmm_tap_driver(replay->tap)};

    return !vidmm_shim_started(&display.adapter, &display.sources, &display.children) ||
           (vidmm_check_display_children(&display) &&
            (vidmm_check_display_light(&display, false, NULL), true));
}

/* ---- playing ---- */

static enum vidmm_caller_state play(void *program)
{
    switch (vidmm_program_step(program)) {
    case VIDMM_PROGRAM_RAN:
        return VIDMM_CALLER_RAN;
    case VIDMM_PROGRAM_BLOCKED:
        return VIDMM_CALLER_BLOCKED;
    default:
        return VIDMM_CALLER_DONE;
    }
}

/* Ask the driver, in a context of no program's, whether it renders. */
static bool only_presents(struct replay *replay)
{
    struct vidmm_context *context = NULL;
    struct vidmm_device *device = NULL;
    struct vidmm_report report = {""};
    bool presents = !replay->driver.DxgkDdiRender;

    if (presents || !replay->driver.DxgkDdiPresent)
        return presents;
    if (vidmm_device_create(replay->adapter, 1, &device, &report) == STATUS_SUCCESS &&
        vidmm_context_create(device, 0, NULL, 0, &context, &report) == STATUS_SUCCESS)
        presents = !vidmm_check_renders(replay->host.table, replay->host.miniport.host,
                                        replay->context, &replay->context_info, NULL, NULL);
    vidmm_context_destroy(context);
    vidmm_device_destroy(device);
    return presents;
}

static bool make_programs(struct replay *replay)
{
    uint32_t content_base = 0;

    for (uint32_t i = 0; i < replay->options->file_count; i++) {
        struct vidmm_report report = {""};
        const struct vidmm_program_options options = {
            .trace = replay->traces[i],
            .name = replay->options->files[i],
            .adapter = replay->adapter,
            .process = i + 1,
            .driver = &replay->umd,
            .seed = 1,
            .content_base = content_base,
            .execute = true,
            .cpu_only = true,
            .listener = vidmm_replay_picture_view(&replay->picture, i, replay->traces[i]),
            .presents = replay->presents,
            .explicit_residency = replay->is_new,
            .by_address = replay->by_address,
            .by_copies = replay->by_address,
        };
        char name[64];
        NTSTATUS status =
            vidmm_program_create(&vidmm_heap, &options, &replay->programs[i], &report);

        if (status != STATUS_SUCCESS)
            return vidmm_board_problem(
                replay->board, "%s: %s%s: %s", options.name,
                options.presents ? "the driver has no DxgkDdiRender, or in name only, and presents "
                                   "need standard allocations: "
                                 : "",
                name_status(status, name, sizeof(name)), report.text);
        if (!vidmm_machine_add_caller(replay->host.miniport.machine, options.name, play,
                                      replay->programs[i]))
            return vidmm_board_problem(replay->board, "no memory for a program");
        content_base += replay->traces[i]->allocation_count;
    }
    return true;
}

/* The program needs more memory than the driver has: neither of them is wrong. */
static bool is_too_large(const struct replay *replay, uint32_t i)
{
    NTSTATUS status = vidmm_program_failure_status(replay->programs[i]);

    return status == STATUS_GRAPHICS_NO_VIDEO_MEMORY ||
           (replay->is_new && status == STATUS_NO_MEMORY);
}

static uint64_t largest_allocation(const struct vidmm_trace *trace)
{
    uint64_t largest = 0;

    for (uint32_t i = 0; i < trace->allocation_count; i++)
        if (trace->allocations[i].size > largest)
            largest = trace->allocations[i].size;
    return largest;
}

static void tell_least_memory(struct replay *replay, uint32_t i, const char *failure)
{
    struct vidmm_trace_statistics measured;
    uint64_t memory = 0, aperture = 0;

    for (uint32_t id = 1; id <= vidmm_adapter_segments(replay->adapter); id++) {
        struct vidmm_segment_info info;

        vidmm_adapter_segment(replay->adapter, id, &info);
        *((DXGK_SEGMENTFLAGS){.Value = info.flags}.Aperture ? &aperture : &memory) += info.size;
    }
    vidmm_trace_measure(replay->traces[i], &measured);
    replay->board->out_of_memory = true;
    vidmm_board_problem(
        replay->board,
        "%s; the largest submission (line %u) names %.1f MiB of the GPU's memory, the largest "
        "allocation has %.1f MiB; the driver has %.1f MiB in memory segments and %.1f MiB in "
        "apertures: configure a device with more memory",
        failure, measured.largest_submission_line, (double)measured.largest_submission_bytes / MIB,
        (double)largest_allocation(replay->traces[i]) / MIB, (double)memory / MIB,
        (double)aperture / MIB);
}

/* The driver's user-mode half writes commands, and nobody has here: the empty command of a
 * submission is refused, and that is the driver's right. */
static bool wants_commands(const struct replay *replay, const char *failure)
{
    return !has_commands(replay) && !can_copy(replay) && strstr(failure, "DxgkDdiRender") != NULL;
}

static void judge_program(struct replay *replay, uint32_t i)
{
    const struct vidmm_program_counts *counts = vidmm_program_counts(replay->programs[i]);
    const char *failure = vidmm_program_failure(replay->programs[i]);
    const char *mismatch = vidmm_program_mismatch(replay->programs[i]);

    vidmm_board_fact(replay->board, "%s: %s, %s, %s compared", replay->options->files[i],
                     vidmm_counted(counts->submissions, "submission").text,
                     vidmm_counted(counts->writes, "write").text,
                     vidmm_counted(counts->pages_checked, "page").text);
    if (replay->presents)
        vidmm_board_fact(replay->board, "%s: the driver %s: %s; the pixels were compared %s",
                         replay->options->files[i],
                         replay->driver.DxgkDdiRender ? "has DxgkDdiRender in name only"
                                                      : "has no DxgkDdiRender",
                         vidmm_counted(counts->presents, "present").text,
                         vidmm_counted(counts->screens, "time").text);
    if (replay->is_new && counts->pages_checked == 0)
        vidmm_board_fact(replay->board,
                         "%s: no bytes were compared: the driver has no memory of programs "
                         "(ExistingSysMem), in which the CPU would see them without a lock",
                         replay->options->files[i]);
    vidmm_board_step(replay->board)->bytes += counts->pages_checked * VIDMM_PAGE_SIZE;
    if (mismatch)
        vidmm_check_find(replay->board, VIDMM_CHECK_LOST, "", "%s (%llu in all)", mismatch,
                         (unsigned long long)counts->mismatches);
    if (failure && is_too_large(replay, i))
        tell_least_memory(replay, i, failure);
    else if (failure && replay->is_new && strstr(failure, ": S: STATUS_INVALID_PARAMETER"))
        vidmm_board_problem(replay->board, "%s",
                            failure); /* the program's fault, not the driver's */
    else if (failure && wants_commands(replay, failure))
        vidmm_board_problem(replay->board,
                            "%s; replay gives it empty commands: a plug-in with `command` "
                            "writes those of the driver",
                            failure);
    else if (failure)
        vidmm_check_find(replay->board, VIDMM_CHECK_STUCK, "", "%s", failure);
}

/* The number of a rule by its id; VIDMM_RULE_COUNT: there is none. */
static uint32_t number_of(const char *name)
{
    char id[16];
    struct vidmm_text text;

    for (uint32_t i = 0; i < VIDMM_RULE_COUNT; i++) {
        vidmm_text_init(&text, id, sizeof(id));
        vidmm_rule_print_id(&text, (enum vidmm_rule_id)i);
        if (strcmp(id, name) == 0)
            return i;
    }
    return VIDMM_RULE_COUNT;
}

/* D-034: an aperture may be CpuVisible for a primary, and what shows something may have one there.
 * check judges it alike. */
static bool is_excepted(const char *rule)
{
    uint32_t sources = 0, children;
    HANDLE adapter;

    return strcmp(rule, "D-034") == 0 && vidmm_shim_started(&adapter, &sources, &children) &&
           sources > 0;
}

/* Count the manager's findings, by rule; answer how often, in all. */
static uint64_t judge_findings(struct replay *replay)
{
    struct vidmm_finding finding;
    uint64_t sum = 0;
    char seen[sizeof(struct vidmm_report) + 40];

    for (uint32_t i = 0; vidmm_adapter_finding(replay->adapter, i, &finding); i++) {
        uint32_t number = number_of(finding.rule);
        const struct vidmm_rule *rule =
            number < VIDMM_RULE_COUNT ? vidmm_rule((enum vidmm_rule_id)number) : NULL;

        snprintf(seen, sizeof(seen), "%s (%s)", finding.first,
                 vidmm_counted(finding.count, "time").text);
        if (finding.warning)
            vidmm_board_note(replay->board, finding.rule, rule ? rule->sentence : "",
                             rule ? rule->source : "", "", seen);
        else if (!is_excepted(finding.rule))
            vidmm_board_judge(replay->board, vidmm_excuse_of_rule(number, finding.count),
                              finding.rule, rule ? rule->sentence : "", rule ? rule->source : "",
                              "", seen);
        sum += finding.warning ? 0 : finding.count;
    }
    return sum;
}

static void draw(struct replay *replay, const struct vidmm_statistics *manager)
{
    char title[300] = "";
    struct vidmm_text text;

    vidmm_text_init(&text, title, sizeof(title));
    for (uint32_t i = 0; i < replay->options->file_count; i++) {
        const char *slash = strrchr(replay->options->files[i], '/');

        vidmm_text_string(&text, i > 0 ? ", " : "");
        vidmm_text_string(&text, slash ? slash + 1 : replay->options->files[i]);
    }
    vidmm_replay_picture_draw(&replay->picture, title, manager);
}

static void judge_adapter(struct replay *replay)
{
    struct vidmm_statistics manager;
    struct vidmm_report report = {""};
    uint64_t told = judge_findings(replay);

    vidmm_adapter_statistics(replay->adapter, &manager);
    draw(replay, &manager);
    vidmm_board_fact(replay->board, "paging: %llu KiB in, %llu KiB out, %s, %s",
                     (unsigned long long)manager.bytes_in >> 10,
                     (unsigned long long)manager.bytes_out >> 10,
                     vidmm_counted(manager.evictions, "eviction").text,
                     vidmm_counted(manager.paging_buffers, "paging buffer").text);
    tell_habits(replay, &manager);
    vidmm_board_step(replay->board)->operations += manager.paging_operations;
    if (vidmm_adapter_condition(replay->adapter, &report) != STATUS_SUCCESS)
        vidmm_check_find(replay->board, VIDMM_CHECK_STUCK, "", "%s", report.text);
    else if (manager.findings > told)
        vidmm_check_find(replay->board, VIDMM_CHECK_UNFORGIVEN, "", "%s",
                         vidmm_counted(manager.findings - told, "time").text);
}

static void run_programs(struct replay *replay)
{
    char stuck[300] = "";

    vidmm_board_begin(replay->board, "replay");
    replay->presents = !replay->by_address && only_presents(replay);
    if (!make_programs(replay))
        return;
    if (!vidmm_machine_run(replay->host.miniport.machine, stuck, sizeof(stuck)))
        vidmm_check_find(replay->board, VIDMM_CHECK_STUCK, "", "%s", stuck);
    vidmm_board_apart(true);
    for (uint32_t i = 0; i < replay->options->file_count; i++)
        judge_program(replay, i);
    judge_adapter(replay);
    vidmm_board_apart(false);
}

static void judge_calls(struct replay *replay)
{
    struct vidmm_violation violation;

    for (size_t i = 0; vidmm_tap_violation(replay->tap, i, &violation); i++) {
        const struct vidmm_rule *rule = vidmm_rule(violation.rule);
        struct vidmm_text text;
        char id[16];

        vidmm_text_init(&text, id, sizeof(id));
        vidmm_rule_print_id(&text, violation.rule);
        /* A breach by VidMm is no fault of the driver's, whatever led to it. */
        if (rule->party == VIDMM_PARTY_VIDMM)
            vidmm_board_note(replay->board, id, rule->sentence, rule->source, violation.record,
                             violation.detail);
        else
            vidmm_board_judge(replay->board, vidmm_excuse_of(violation.sequence), id,
                              rule->sentence, rule->source, violation.record, violation.detail);
    }
}

static void take_apart(struct replay *replay)
{
    vidmm_board_begin(replay->board, "stop");
    for (uint32_t i = 0; i < VIDMM_REPLAY_FILES; i++)
        vidmm_program_destroy(replay->programs[i]);
    vidmm_adapter_stop(replay->adapter);
    if (replay->tap)
        judge_calls(replay);
    vidmm_replay_picture_close(&replay->picture);
    vidmm_check_host_close(&replay->host);
    vidmm_tap_destroy(replay->tap);
    for (uint32_t i = 0; i < VIDMM_REPLAY_FILES; i++)
        vidmm_trace_destroy(replay->traces[i]);
}

static enum vidmm_board_end body(struct vidmm_board *board, void *argument)
{
    struct replay *replay = calloc(1, sizeof(*replay));
    enum vidmm_board_end end = VIDMM_BOARD_ENDED;

    if (!replay)
        return VIDMM_BOARD_COULD_NOT_RUN;
    the_replay = replay;
    replay->options = argument;
    replay->board = board;
    replay->configuration = *replay->options->check.configuration;
    replay->host.board = board;
    replay->umd = (struct vidmm_replay_driver){.context = replay,
                                               .describe = describe,
                                               .command_size = command_size,
                                               .command = command,
                                               .copy = copy};
    vidmm_board_begin(board, "start");
    if (read_traces(replay) && make_host(replay) &&
        vidmm_replay_picture_open(&replay->picture, board, replay->options->timeline) &&
        make_tap(replay) && start_adapter(replay) && ask_display(replay))
        run_programs(replay);
    take_apart(replay);
    if (board->problem[0])
        end = atomic_load(&board->finding_count) ? VIDMM_BOARD_GAVE_UP : VIDMM_BOARD_COULD_NOT_RUN;
    free(replay);
    return end;
}

bool vidmm_check_replay(struct vidmm_board *board, const struct vidmm_replay_options *options)
{
    return vidmm_check_watch(board, &options->check, body, (void *)(uintptr_t)options);
}
