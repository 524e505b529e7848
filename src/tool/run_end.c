/* The end of a run: its results. */
#include "tool/run_state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <wddm/ntstatus.h>

#include "base/text.h"
#include "contract/contract.h"
#include "base/size.h"
#include "host/machine.h"
#include "tool/summary.h"
#include "trace/chart.h"
#include "trace/chart_words.h"
#include "wddm/status.h"

bool vidmm_run_problem(struct vidmm_run *run, const char *format, ...)
{
    va_list arguments;

    if (run->result->problem[0] != 0)
        return false;
    va_start(arguments, format);
    vsnprintf(run->result->problem, sizeof(run->result->problem), format, arguments);
    va_end(arguments);
    return false;
}

bool vidmm_run_status_problem(struct vidmm_run *run, const char *what, NTSTATUS status,
                              const char *why)
{
    char name[64];
    struct vidmm_text text;

    vidmm_text_init(&text, name, sizeof(name));
    vidmm_status_print(&text, status);
    return vidmm_run_problem(run, "%s: %s%s%s", what, name, why[0] != 0 ? ": " : "", why);
}

bool vidmm_run_open(struct vidmm_run *run, const char *path, FILE **file)
{
    *file = NULL;
    if (path == NULL)
        return true;
    if (strcmp(path, "-") == 0) {
        int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);

        *file = copy >= 0 ? fdopen(copy, "w") : NULL;
    } else {
        *file = fopen(path, "w");
    }
    return *file != NULL || vidmm_run_problem(run, "%s: %s", path, strerror(errno));
}

bool vidmm_run_close(struct vidmm_run *run, const char *path, FILE **file)
{
    bool written = *file == NULL || (!ferror(*file) && fflush(*file) == 0);

    if (*file != NULL && fclose(*file) != 0)
        written = false;
    *file = NULL;
    return written || vidmm_run_problem(run, "%s: cannot write: %s", path, strerror(errno));
}

/* ---- the end --------------------------------------------------------------------------------- */

/* `name` says which submission it is. Its local allocations may be all that is too much. */
static void submission_problem(struct vidmm_run *run, const struct vidmm_trace *trace,
                               const struct vidmm_report *name)
{
    const struct vidmm_device_error *error = &run->pictures.error;
    const struct vidmm_trace_record *record = vidmm_program_submission(trace, error->submission);
    uint64_t local = record != NULL ? vidmm_trace_submission_bytes(trace, record) : 0;

    if (!run->options->spill && !run->dialect.shares_addresses && run->dialect.command_uses == 0 &&
        local > run->result->memory_bytes)
        vidmm_run_problem(
            run,
            "%s runs out of memory: it needs %" PRIu64 " bytes of the memory segment at "
            "once, which has %" PRIu64 "; all of the trace needs --memory %s, or let it --spill",
            name->text, local, run->result->memory_bytes,
            vidmm_size_written(vidmm_run_least_memory(run)).text);
    vidmm_run_problem(
        run,
        "%s runs out of memory: it needs %" PRIu64 " bytes at once in one segment; the "
        "memory segment has %" PRIu64 ", the aperture %" PRIu64
        " less what DMA and paging buffers take; try a larger --aperture",
        name->text, error->needed, run->result->memory_bytes, run->result->aperture_bytes);
}

/* Say what a program said, and what all of the trace needs. */
static void trace_problem(struct vidmm_run *run, const char *said)
{
    struct vidmm_size_text least = vidmm_size_written(vidmm_run_least_memory(run));

    if (run->dialect.shares_addresses)
        vidmm_run_problem(run, "%s; all of the trace needs --aperture %s besides its commands",
                          said, least.text);
    else
        vidmm_run_problem(run,
                          "%s; all of the trace needs --memory %s%s, and an --aperture for what "
                          "the CPU sees",
                          said, least.text, run->dialect.by_address ? " besides page tables" : "");
}

/* A device ran out of memory: say which submission it was, and what it needs (D-089). */
static void out_of_memory_problem(struct vidmm_run *run)
{
    const struct vidmm_device_error *error = &run->pictures.error;

    run->result->out_of_memory = run->result->problem[0] == 0;
    for (uint32_t i = 0; i < run->options->file_count; i++) {
        struct vidmm_report name;
        const struct vidmm_trace *trace = run->players[i].trace;

        if (!error->known || run->pictures.programs[i].device != error->device)
            continue;
        vidmm_program_name_submission(trace, run->options->files[i], error->submission, &name);
        submission_problem(run, trace, &name);
        return;
    }
    for (uint32_t i = 0; i < run->options->file_count; i++) /* it may know better */
        if (vidmm_program_failure(run->players[i].program) != NULL)
            trace_problem(run, vidmm_program_failure(run->players[i].program));
    vidmm_run_problem(run, "a device ran out of memory: %" PRIu64 " bytes are needed at once",
                      error->needed);
}

/* The cause comes before its consequences: only the first problem stays. */
void vidmm_run_check_end(struct vidmm_run *run, bool ended, const char *stuck)
{
    struct vidmm_report report = {""};
    NTSTATUS status = vidmm_adapter_condition(run->adapter, &report);

    if (run->pictures.error.seen && run->pictures.error.reason == VIDMM_REASON_OUT_OF_MEMORY)
        out_of_memory_problem(run);
    if (status != STATUS_SUCCESS)
        vidmm_run_status_problem(run, "the adapter stopped", status, report.text);
    for (uint32_t i = 0; i < run->options->file_count; i++)
        if (vidmm_program_failure(run->players[i].program) != NULL)
            vidmm_run_problem(run, "%s", vidmm_program_failure(run->players[i].program));
    if (!ended)
        vidmm_run_problem(run, "nothing can happen any more: %s", stuck);
}

static void count_program(struct vidmm_run *run, uint32_t i)
{
    struct vidmm_run_program *program = &run->result->programs[i];
    const struct vidmm_program_counts *counts = vidmm_program_counts(run->players[i].program);
    const char *mismatch = vidmm_program_mismatch(run->players[i].program);

    program->frames = atomic_load(&counts->frames);
    program->submissions = atomic_load(&counts->submissions);
    program->allocations = atomic_load(&counts->allocations);
    program->writes = atomic_load(&counts->writes);
    program->trimmed = atomic_load(&counts->trimmed);
    program->renames = atomic_load(&counts->renames);
    program->maps = atomic_load(&counts->maps);
    program->unmaps = atomic_load(&counts->unmaps);
    program->pages_checked = atomic_load(&counts->pages_checked);
    program->mismatches = atomic_load(&counts->mismatches);
    program->check_ns = atomic_load(&counts->check_ns);
    if (run->options->config.execute)
        run->result->checks += program->writes;
    run->result->mismatches += program->mismatches;
    run->result->check_s += (double)program->check_ns / 1e9;
    if (mismatch != NULL && run->result->mismatch[0] == 0)
        snprintf(run->result->mismatch, sizeof(run->result->mismatch), "%s", mismatch);
}

/* Tell the driver's breaches that the manager saw and let pass, a line a rule. */
static void tell_findings(struct vidmm_run *run)
{
    struct vidmm_finding finding;
    size_t size;

    if (!vidmm_adapter_finding(run->adapter, 0, &finding))
        return;
    FILE *file = open_memstream(&run->result->findings, &size);
    if (file == NULL)
        return;
    for (uint32_t i = 0; vidmm_adapter_finding(run->adapter, i, &finding); i++)
        fprintf(file, "%s %s %s, %s: %s\n", finding.party,
                finding.warning ? "is warned of" : "breaks", finding.rule,
                vidmm_counted(finding.count, "time").text, finding.first);
    fclose(file);
}

/* Count the checks of a further GPU of the link. */
static void count_linked(struct vidmm_run *run, const struct softgpu_device *device)
{
    struct vidmm_run_result *result = run->result;
    struct softgpu_statistics gpu;

    softgpu_device_statistics(device, &gpu);
    result->checks += gpu.content_checks;
    result->content_sum += gpu.content_sum;
    result->device.content_pages += gpu.content_pages;
    result->mismatches += gpu.content_mismatches;
    result->check_s += (double)gpu.check_ns / 1e9;
    if (result->device.faults == 0)
        snprintf(result->device.fault, sizeof(result->device.fault), "%s", gpu.fault);
    result->device.faults += gpu.faults;
    if (gpu.mismatch[0] != 0 && result->mismatch[0] == 0)
        snprintf(result->mismatch, sizeof(result->mismatch), "%s", gpu.mismatch);
}

/* The numbers of the run itself, before everything is taken apart. */
void vidmm_run_count(struct vidmm_run *run)
{
    struct vidmm_run_result *result = run->result;
    uint64_t address;

    result->wall_s = (double)(vidmm_clock_ns() - run->begun_ns) / 1e9;
    vidmm_adapter_statistics(run->adapter, &result->manager);
    if (!vidmm_again_counted(run->pictures.again, &result->again))
        vidmm_run_problem(run, "no memory to count what comes in again");
    tell_findings(run);
    softgpu_device_statistics(run->device, &result->device);
    result->stopped = vidmm_slot_faults(run->slot, &address);
    result->checks = result->device.content_checks;
    result->content_sum = result->device.content_sum;
    result->mismatches = result->device.content_mismatches;
    result->check_s = (double)result->device.check_ns / 1e9;
    if (result->device.mismatch[0] != 0)
        snprintf(result->mismatch, sizeof(result->mismatch), "%s", result->device.mismatch);
    for (uint32_t place = 1; place < run->options->links; place++)
        count_linked(run, run->linked.gpus[place].device);
    for (uint32_t i = 0; i < run->options->file_count; i++)
        count_program(run, i);
}

static void append_report(void *context, const char *text, size_t length)
{
    fwrite(text, 1, length, context);
}

/* Tell the auditor's findings, after the last call. */
void vidmm_run_judge(struct vidmm_run *run)
{
    struct vidmm_run_result *result = run->result;
    size_t size;

    result->violations = vidmm_tap_violations(run->tap);
    if (!vidmm_tap_complete(run->tap))
        vidmm_run_problem(run, "the auditor ran out of memory");
    if (result->violations == 0)
        return;
    FILE *file = open_memstream(&result->violation_report, &size);
    if (file == NULL)
        return;
    vidmm_tap_report(run->tap, VIDMM_REPORT_TEXT, append_report, file);
    fclose(file);
}

/* The facts that stand above the picture. */
static struct vidmm_chart_facts find_facts(const struct vidmm_run_result *result, bool spill)
{
    struct vidmm_chart_facts facts = {
        .memory = result->memory_bytes,
        .aperture = result->aperture_bytes,
        .spill = spill,
        .manager = &result->manager,
        .mismatches = result->mismatches,
    };

    for (uint32_t i = 0; i < result->program_count; i++) {
        const struct vidmm_run_program *program = &result->programs[i];

        facts.wanted += program->trace.peak_local_bytes;
        facts.frames += program->frames;
        facts.submissions += program->submissions;
        if (program->trace.largest_submission_bytes > facts.needed)
            facts.needed = program->trace.largest_submission_bytes;
    }
    return facts;
}

void vidmm_run_draw(struct vidmm_run *run)
{
    bool presents = run->players[0].trace->presents, two = run->result->program_count > 1;
    struct vidmm_chart_facts facts = find_facts(run->result, run->options->spill);
    struct vidmm_chart_words words;
    char title[340];
    FILE *file;
    struct vidmm_chart_text text = {
        .frame = presents ? "frame" : "submission",
        .axis = two        ? "frames of both programs"
                : presents ? "frames"
                           : "submissions",
    };

    vidmm_summary_names(run->result, title, sizeof(title));
    facts.title = title;
    vidmm_chart_say(&facts, &words, &text);
    if (!vidmm_run_open(run, run->options->timeline, &file))
        return;
    if (!vidmm_chart_write(run->pictures.chart, &text, file))
        vidmm_run_problem(run, "%s: %s", run->options->timeline,
                          ferror(file) ? "cannot be written" : "no memory for the timeline");
    vidmm_run_close(run, run->options->timeline, &file);
}
