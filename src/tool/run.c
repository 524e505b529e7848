/* One run: everything is made in order, and taken apart in the opposite order by take_apart(),
 * which works from whatever state making has reached. */
#include "tool/run_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/bus.h>
#include <vidmm/host.h>
#include <vidmm/page.h>
#include <wddm/dispmprt.h>
#include <wddm/ntstatus.h>

#include "base/size.h"
#include "contract/contract.h"
#include "host/machine.h"
#include "tool/interrupt.h"
#include "trace/heap.h"

#define MIB (UINT64_C(1) << 20)
#define SYSTEM_MEMORY_LEAST (UINT64_C(1) << 30)
#define SYSTEM_MEMORY_SPARE (512 * MIB)  /* for what is not an allocation of a program */
#define FIRST_FENCE UINT64_C(0xffffff00) /* so that fence ids wrap early */
#define FENCE_TIMEOUT_MS 60000u          /* a software GPU that checks contents is slow */
#define SIMULATED_TIMEOUT_MS 10000u      /* ... not by this clock: five hangs are within a minute */
#define COMMAND_USES 1024u               /* most allocations of a command; softgpu has room */
#define LIST_MOST 65536u                 /* elements: the limits of softgpu's configuration */
#define DMA_BUFFER_MOST (1u << 24)
#define BYTES_A_USE 96u  /* of a DMA buffer, and some to spare */
#define STEPS_A_LOOK 16u /* steps of a program between looks at the clock */

static void note_misuse(void *argument, const char *text)
{
    struct vidmm_run *run = argument;

    if (!atomic_flag_test_and_set(&run->misused))
        snprintf(run->misuse, sizeof(run->misuse), "%s", text);
}

/* ---- traces ---------------------------------------------------------------------------------- */

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static bool read_trace(struct vidmm_run *run, uint32_t i)
{
    struct vidmm_run_program *program = &run->result->programs[i];
    struct vidmm_trace_error error = {""};
    struct vidmm_trace *trace = vidmm_trace_read(&vidmm_heap, run->options->files[i], &error);

    if (trace == NULL)
        return vidmm_run_problem(run, "%s", error.text);
    if (run->options->links > 1 && run->options->config.mmu.kind == SOFTGPU_MMU_NONE)
        vidmm_dialect_link(trace);
    if (run->options->config.mmu.kind == SOFTGPU_MMU_IO)
        vidmm_dialect_share(trace);
    run->players[i].trace = trace;
    snprintf(program->name, sizeof(program->name), "%s", name_of(run->options->files[i]));
    const char *app = vidmm_trace_header(trace, "app");
    snprintf(program->app, sizeof(program->app), "%s",
             app != NULL && app[0] != 0 ? app : program->name);
    vidmm_trace_measure(trace, &program->trace);
    run->result->program_count = i + 1;
    return true;
}

static bool read_traces(struct vidmm_run *run)
{
    for (uint32_t i = 0; i < run->options->file_count; i++)
        if (!read_trace(run, i))
            return false;
    return true;
}

uint64_t vidmm_run_least_memory(const struct vidmm_run *run)
{
    uint64_t least = 0;

    for (uint32_t i = 0; i < run->result->program_count; i++) {
        uint64_t one = vidmm_trace_least_memory(run->players[i].trace);

        least = one > least ? one : least;
    }
    return least;
}

/* Say that an allocation fits in no segment where it may live, and what the trace needs. */
static bool refuse_allocation(struct vidmm_run *run, uint32_t program,
                              const struct vidmm_trace_allocation *allocation, bool memory,
                              uint64_t limit)
{
    char needs[80] = "";

    run->result->out_of_memory = true;
    if (memory)
        snprintf(needs, sizeof needs, "; all of the trace needs --memory %s",
                 vidmm_size_written(vidmm_run_least_memory(run)).text);
    return vidmm_run_problem(run,
                             "%s:%" PRIu32 ": allocation %" PRIu32 " has %" PRIu64 " bytes; the "
                             "%s segment where it may live has %" PRIu64 "%s",
                             run->options->files[program], allocation->line, allocation->id,
                             allocation->size, memory ? "memory" : "aperture", limit, needs);
}

/* An allocation that fits in no segment is refused before anything is started. */
static bool check_sizes(struct vidmm_run *run)
{
    const struct vidmm_run_result *result = run->result;

    for (uint32_t i = 0; i < result->program_count; i++) {
        const struct vidmm_trace *trace = run->players[i].trace;

        for (uint32_t a = 0; a < trace->allocation_count; a++) {
            const struct vidmm_trace_allocation *allocation = &trace->allocations[a];
            bool memory = vidmm_dialect_memory_only(&run->dialect, allocation->types);
            uint64_t limit = memory ? result->memory_bytes : result->aperture_bytes;

            if (run->options->spill && !run->dialect.shares_addresses &&
                (allocation->types & VIDMM_TRACE_LOCAL) && limit < result->memory_bytes)
                limit = result->memory_bytes;
            if (allocation->size > limit)
                return refuse_allocation(run, i, allocation, memory, limit);
        }
    }
    return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void write_log(void *context, const char *text, size_t length)
{
    fwrite(text, 1, length, context);
}

/* ---- machine, device, adapter ---------------------------------------------------------------- */

/* Enough for every allocation to be in system memory at once. */
static uint64_t system_memory(const struct vidmm_run *run)
{
    uint64_t size = SYSTEM_MEMORY_SPARE;

    for (uint32_t i = 0; i < run->result->program_count; i++) {
        const struct vidmm_trace_statistics *trace = &run->result->programs[i].trace;

        size += trace->peak_live_bytes + trace->allocations * VIDMM_PAGE_SIZE;
    }
    size = size / MIB * MIB;
    return size > SYSTEM_MEMORY_LEAST ? size : SYSTEM_MEMORY_LEAST;
}

/* Write to every page of the range: from then on it is the machine's. */
static void touch(struct vidmm_run *run, uint64_t physical_address, uint64_t size)
{
    volatile uint8_t *bytes = vidmm_machine_memory(run->machine, physical_address, size);

    for (uint64_t offset = 0; bytes != NULL && offset < size; offset += VIDMM_PAGE_SIZE)
        bytes[offset] = bytes[offset];
}

static void warm_up(struct vidmm_run *run)
{
    uint32_t count = vidmm_adapter_segments(run->adapter);

    touch(run, VIDMM_MACHINE_SYSTEM_BASE, system_memory(run));
    for (uint32_t id = 1; id <= count; id++) {
        struct vidmm_segment_info segment;

        vidmm_adapter_segment(run->adapter, id, &segment);
        if (segment.cpu_translated_address != 0)
            touch(run, segment.cpu_translated_address, segment.size);
    }
}

static bool make_machine(struct vidmm_run *run)
{
    struct vidmm_device_model model;
    char error[200] = "";
    const struct vidmm_machine_options options = {
        .kind = run->options->threads ? VIDMM_MACHINE_THREADED : VIDMM_MACHINE_SIMULATED,
        .seed = run->options->seed,
        .system_memory = system_memory(run),
        /* Poison is for whoever checks contents. */
        .poison = run->options->config.execute ? VIDMM_POISON_HEAD : VIDMM_POISON_NOTHING,
        .misuse = note_misuse,
        .misuse_argument = run,
        .caches_apart = run->options->caches_apart,
    };

    errno = 0;
    run->machine = vidmm_machine_create(&options, error, sizeof(error));
    run->result->out_of_memory = run->machine == NULL && errno == ENOMEM;
    if (run->machine == NULL)
        return vidmm_run_problem(run, "no machine: %s", error);
    run->slot = vidmm_machine_add_slot(run->machine);
    if (run->slot == NULL)
        return vidmm_run_problem(run, "no memory for a slot");
    run->device = softgpu_device_create(vidmm_slot_bus(run->slot), &run->options->config, &model,
                                        error, sizeof(error));
    if (run->device == NULL)
        return vidmm_run_problem(run, "no software GPU: %s", error);
    run->plugged = vidmm_slot_plug(run->slot, &model);
    return run->plugged || vidmm_run_problem(run, "the slot is taken");
}

static bool make_link(struct vidmm_run *run)
{
    char error[200] = "";

    return run->options->links <= 1 ||
           vidmm_linked_plug(&run->linked, run->machine, run->device, &run->options->config,
                             run->options->links, error, sizeof(error)) ||
           vidmm_run_problem(run, "no software GPU: %s", error);
}

static bool make_tap(struct vidmm_run *run)
{
    const struct vidmm_host *host = vidmm_slot_host(run->slot);
    DRIVER_INITIALIZATION_DATA driver;
    const struct vidmm_tap_config config = {
        .current_irql = host->current_irql,
        .irql_context = host->context,
        .log = run->ddi_log != NULL ? write_log : NULL,
        .log_context = run->ddi_log,
        .links = run->options->links,
    };

    memset(&driver, 0, sizeof(driver));
    NTSTATUS status =
        softgpu_driver_entry(softgpu_driver_version(run->options->config.wddm), &driver);
    if (status != STATUS_SUCCESS)
        return vidmm_run_status_problem(run, "the driver's entry", status, "");
    vidmm_linked_driver(&run->linked, &driver);
    if (run->options->config.remapping)
        softgpu_driver_remap(&driver);
    run->tap = vidmm_tap_create(&config, &driver);
    return run->tap != NULL || vidmm_run_problem(run, "no memory for the auditor");
}

static bool start_adapter(struct vidmm_run *run)
{
    struct vidmm_report report = {""};
    struct vidmm_adapter_options options;

    vidmm_adapter_options_default(&options);
    options.first_fence = FIRST_FENCE;
    options.timeout_ms = run->options->threads ? FENCE_TIMEOUT_MS : SIMULATED_TIMEOUT_MS;
    options.poison = true;
    options.strict = run->options->strict;
    options.contiguous = run->options->contiguous;
    options.isolate = run->options->config.isolation;
    options.observer = &run->pictures.observer;
    options.driver_reason = softgpu_device_reason;
    options.driver_reason_context = run->device;
    void *device = vidmm_linked_options(&run->linked, &options);
    NTSTATUS status =
        vidmm_adapter_start(vidmm_slot_host(run->slot), vidmm_tap_driver(run->tap),
                            device != NULL ? device : run, &options, &run->adapter, &report);
    if (status == STATUS_SUCCESS)
        return true;
    run->adapter = NULL;
    return vidmm_run_status_problem(run, "the adapter does not start", status, report.text);
}

/* ---- programs -------------------------------------------------------------------------------- */

static void show_progress(struct vidmm_run *run)
{
    struct vidmm_statistics statistics;
    uint64_t frames = 0;

    if (!vidmm_progress_due(&run->progress))
        return;
    for (uint32_t i = 0; i < run->options->file_count; i++)
        frames += atomic_load(&vidmm_program_counts(run->players[i].program)->frames);
    vidmm_adapter_statistics(run->adapter, &statistics);
    vidmm_progress_paged(&run->progress, frames, statistics.bytes_in + statistics.bytes_out);
}

static enum vidmm_caller_state play(void *argument)
{
    struct player *player = argument;
    struct vidmm_run *run = player->run;

    if (atomic_load(&run->failed) || vidmm_interrupt_signal() != 0)
        return VIDMM_CALLER_DONE;
    enum vidmm_program_state state = vidmm_program_step(player->program);
    if (state == VIDMM_PROGRAM_BLOCKED)
        return VIDMM_CALLER_BLOCKED;
    if (player->steps++ % STEPS_A_LOOK == 0 && run->progress.shown)
        show_progress(run);
    if (state == VIDMM_PROGRAM_RAN)
        return VIDMM_CALLER_RAN;
    if (vidmm_program_failure(player->program) != NULL)
        atomic_store(&run->failed, true);
    return VIDMM_CALLER_DONE;
}

static bool make_player(struct vidmm_run *run, uint32_t i, uint32_t content_base)
{
    struct player *player = &run->players[i];
    struct vidmm_report report = {""};
    const struct softgpu_config *config = &run->options->config;
    uint32_t node = 0;

    while (node < config->engine_count && config->engines[node] != SOFTGPU_ENGINE_RENDER)
        node++;
    const struct vidmm_program_options options = {
        .trace = player->trace,
        .name = run->options->files[i],
        .adapter = run->adapter,
        .process = i + 1,
        .node = node,
        .driver = &run->driver,
        .listener = &run->pictures.programs[i].listener,
        .seed = run->options->seed,
        .content_base = content_base,
        .execute = config->execute,
        .explicit_residency = config->wddm >= 20,
        .halve_budget = run->options->halve_budget,
        .by_address = config->mmu.kind != SOFTGPU_MMU_NONE,
        .links = config->mmu.kind == SOFTGPU_MMU_GPU ? run->options->links : 0,
        .shares_addresses = config->mmu.kind == SOFTGPU_MMU_IO,
        .may_wait = run->options->seed != 0,
    };
    NTSTATUS status = vidmm_program_create(&vidmm_heap, &options, &player->program, &report);
    if (status != STATUS_SUCCESS)
        return vidmm_run_status_problem(run, run->options->files[i], status, report.text);
    vidmm_pictures_device(&run->pictures, i);
    player->run = run;
    player->added =
        vidmm_machine_add_caller(run->machine, run->result->programs[i].name, play, player);
    return player->added || vidmm_run_problem(run, "no memory for a caller");
}

static bool make_players(struct vidmm_run *run)
{
    uint32_t content_base = 0;

    for (uint32_t i = 0; i < run->options->file_count; i++) {
        if (!make_player(run, i, content_base))
            return false;
        content_base += run->players[i].trace->allocation_count;
    }
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static uint64_t first_segment_size(const struct softgpu_config *config,
                                   enum softgpu_segment_kind kind)
{
    uint32_t id = softgpu_config_segment(config, kind);

    return id != 0 ? config->segments[id - 1].size : 0;
}

/* The most allocations that a submission names. */
static uint32_t most_named(const struct vidmm_run *run)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < run->options->file_count; i++) {
        const struct vidmm_trace *trace = run->players[i].trace;

        for (uint32_t r = 0; r < trace->record_count; r++)
            if (trace->records[r].op == VIDMM_TRACE_SUBMIT && trace->records[r].submit.count > most)
                most = trace->records[r].submit.count;
    }
    return most;
}

static void raise(uint32_t *value, uint64_t needed, uint32_t most)
{
    if (*value < needed)
        *value = needed < most ? (uint32_t)needed : most;
}

/* The lists of the GPU by default are as long as the traces need, and its DMA buffers as large. A
 * command names COMMAND_USES allocations at most, which it does in any case below that. Lists that
 * a configuration has made longer or shorter stay. */
static void fit_lists(struct vidmm_run *run)
{
    const struct softgpu_config usual = softgpu_config_default();
    struct softgpu_config *config = &run->fitted.config;
    uint64_t most = most_named(run), whole;

    if (most <= COMMAND_USES || config->allocation_list != usual.allocation_list ||
        config->patch_list != usual.patch_list)
        return;
    whole = (most / COMMAND_USES + 1) * COMMAND_USES;
    raise(&config->allocation_list, most + 1, LIST_MOST); /* and one without an allocation */
    raise(&config->patch_list, whole, LIST_MOST);
    raise(&config->dma_buffer, whole * BYTES_A_USE, DMA_BUFFER_MOST);
    if (run->fitted.command_uses == 0)
        run->dialect.command_uses = COMMAND_USES;
}

/* Do all that needs no machine. */
static bool prepare(struct vidmm_run *run)
{
    const struct vidmm_run_options *options = run->options;
    const struct vidmm_trace *traces[VIDMM_RUN_PROGRAMS] = {NULL, NULL};
    const char *names[VIDMM_RUN_PROGRAMS] = {NULL, NULL};

    run->result->memory_bytes = first_segment_size(&options->config, SOFTGPU_SEGMENT_MEMORY);
    run->result->aperture_bytes = first_segment_size(&options->config, SOFTGPU_SEGMENT_APERTURE);
    vidmm_dialect_init(&run->dialect, &options->config);
    if (options->config.mmu.kind == SOFTGPU_MMU_GPU)
        run->dialect.links = options->links;
    run->dialect.spill = options->spill;
    run->dialect.command_uses = (uint32_t)options->command_uses;
    run->dialect.evict_through_aperture = options->evict_through_aperture;
    if (!read_traces(run))
        return false;
    fit_lists(run);
    run->driver = vidmm_dialect_driver(&run->dialect);
    if (!check_sizes(run) || !vidmm_run_open(run, options->ddi_log, &run->ddi_log) ||
        !vidmm_run_open(run, options->events, &run->events))
        return false;
    for (uint32_t i = 0; i < options->file_count; i++) {
        traces[i] = run->players[i].trace;
        names[i] = run->result->programs[i].name;
    }
    run->pictured = true;
    return vidmm_pictures_init(&run->pictures, &vidmm_heap, &options->config, &run->dialect, traces,
                               names, options->file_count, options->timeline != NULL,
                               run->events) ||
           vidmm_run_problem(run, "no memory for pictures");
}

static bool make(struct vidmm_run *run)
{
    return make_machine(run) && make_link(run) && make_tap(run) && start_adapter(run) &&
           make_players(run);
}

static void go(struct vidmm_run *run)
{
    uint64_t frames = 0;
    char stuck[300] = "";

    for (uint32_t i = 0; i < run->options->file_count; i++)
        frames += run->result->programs[i].trace.frames;
    if (run->options->warm)
        warm_up(run);
    if (!run->options->quiet)
        vidmm_progress_begin(&run->progress, frames);
    uint64_t begun_ns = vidmm_clock_ns();
    bool ended = vidmm_machine_run(run->machine, stuck, sizeof(stuck));
    run->result->play_s = (double)(vidmm_clock_ns() - begun_ns) / 1e9;
    vidmm_progress_end(&run->progress);
    vidmm_interrupt_ended();
    run->result->interrupted = ended ? vidmm_interrupt_signal() : 0;
    vidmm_run_check_end(run, ended, stuck);
    vidmm_run_count(run);
    if (run->options->timeline != NULL)
        vidmm_run_draw(run);
}

static void take_apart(struct vidmm_run *run)
{
    const struct vidmm_run_options *options = run->options;

    for (uint32_t i = 0; i < options->file_count; i++)
        vidmm_program_destroy(run->players[i].program);
    vidmm_adapter_stop(run->adapter);
    if (run->tap != NULL)
        vidmm_run_judge(run);
    if (run->pictured && !vidmm_pictures_finish(&run->pictures))
        vidmm_run_problem(run, "%s: %s", options->events,
                          run->events != NULL && ferror(run->events)
                              ? "cannot be written"
                              : "no memory for the recording");
    if (run->plugged)
        vidmm_slot_unplug(run->slot);
    softgpu_device_destroy(run->device);
    vidmm_linked_unplug(&run->linked);
    vidmm_tap_destroy(run->tap);
    vidmm_machine_destroy(run->machine);
    vidmm_run_close(run, options->ddi_log, &run->ddi_log);
    vidmm_run_close(run, options->events, &run->events);
    if (run->misuse[0] != 0)
        vidmm_run_problem(run, "the manager misused the host: %s", run->misuse);
}

void vidmm_run(const struct vidmm_run_options *options, struct vidmm_run_result *result)
{
    struct vidmm_run *run = calloc(1, sizeof(*run));

    memset(result, 0, sizeof(*result));
    if (run == NULL) {
        snprintf(result->problem, sizeof(result->problem), "no memory");
        return;
    }
    run->fitted = *options;
    run->options = &run->fitted;
    run->result = result;
    run->begun_ns = vidmm_clock_ns();
    atomic_flag_clear(&run->misused);
    if (prepare(run) && make(run))
        go(run);
    take_apart(run);
    for (uint32_t i = 0; i < VIDMM_RUN_PROGRAMS; i++)
        vidmm_trace_destroy(run->players[i].trace);
    free(run);
}

void vidmm_run_result_finish(struct vidmm_run_result *result)
{
    free(result->findings);
    result->findings = NULL;
    free(result->violation_report);
    result->violation_report = NULL;
}
