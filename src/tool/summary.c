#include "host/exit.h"
#include "tool/summary.h"

#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include <vidmm/adapter.h>

#include "base/text.h"
#include "tool/run.h"
#include "tool/size.h"

/* Sums over the programs of a run; of the largest submission, the largest. */
struct totals {
    uint64_t frames, submissions, allocations, renames;
    uint64_t peak_live, peak_local, largest_submission;
};

static struct totals totals_of(const struct vidmm_run_result *result)
{
    struct totals all = {0};

    for (uint32_t i = 0; i < result->program_count; i++) {
        const struct vidmm_run_program *program = &result->programs[i];

        all.frames += program->frames;
        all.submissions += program->submissions;
        all.allocations += program->allocations;
        all.renames += program->renames;
        all.peak_live += program->trace.peak_live_bytes;
        all.peak_local += program->trace.peak_local_bytes;
        if (program->trace.largest_submission_bytes > all.largest_submission)
            all.largest_submission = program->trace.largest_submission_bytes;
    }
    return all;
}

void vidmm_summary_names(const struct vidmm_run_result *result, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", result->programs[0].app, result->program_count > 1 ? " + " : "",
             result->program_count > 1 ? result->programs[1].app : "");
}

int vidmm_summary_status(const struct vidmm_run_result *result)
{
    if (result->problem[0] != 0)
        return result->out_of_memory ? VIDMM_OUT_OF_MEMORY : VIDMM_COULD_NOT_RUN;
    if (result->mismatches != 0 || result->violations != 0 || result->device.faults != 0 ||
        result->stopped != 0)
        return 1;
    return result->interrupted != 0 ? 128 + result->interrupted : 0;
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_program(const struct vidmm_run_program *program, FILE *file)
{
    struct vidmm_size_text live = vidmm_size_text(program->trace.peak_live_bytes);
    struct vidmm_size_text local = vidmm_size_text(program->trace.peak_local_bytes);
    struct vidmm_size_text largest = vidmm_size_text(program->trace.largest_submission_bytes);

    fprintf(file, "%s\n", program->app);
    fprintf(file, "  %s, %s, %s, %s\n", vidmm_counted(program->frames, "frame").text,
            vidmm_counted(program->submissions, "submission").text,
            vidmm_counted(program->allocations, "allocation").text,
            vidmm_counted(program->writes, "CPU write").text);
    if (program->renames != 0)
        fprintf(file, "  %s went to another instance, for the GPU was reading\n",
                vidmm_counted(program->renames, "CPU write").text);
    fprintf(file, "  %s live at most, %s of it local; largest submission %s\n", live.text,
            local.text, largest.text);
}

static void print_paging(const struct vidmm_run_result *result, FILE *file)
{
    const struct vidmm_statistics *m = &result->manager;
    struct vidmm_size_text in = vidmm_size_text(m->bytes_in);
    struct vidmm_size_text again = vidmm_size_text(result->again.bytes_again);
    struct vidmm_size_text out = vidmm_size_text(m->bytes_out);
    struct vidmm_size_text filled = vidmm_size_text(m->bytes_filled);
    struct vidmm_size_text discarded = vidmm_size_text(m->bytes_discarded);

    fprintf(file, "  paged in %s, %s of it again, out %s; filled %s, discarded %s\n", in.text,
            again.text, out.text, filled.text, discarded.text);
    if (m->bytes_decommitted > 0)
        fprintf(file, "  system memory ran short: %s of what was offered are gone for good\n",
                vidmm_size_text(m->bytes_decommitted).text);
    fprintf(file, "  %s, %s, %s; %s in %s\n", vidmm_counted(m->page_ins, "page-in").text,
            vidmm_counted(m->evictions, "eviction").text,
            vidmm_counted(m->compactions, "compaction").text,
            vidmm_counted(m->paging_operations, "operation").text,
            vidmm_counted(m->paging_buffers, "paging buffer").text);
    fprintf(file, "  %s held up: something was paged out during it, or came in again\n",
            vidmm_counted(result->again.frames_held, "frame").text);
}

/* From WDDM 2.0 on. */
static void print_residency(const struct vidmm_run_result *result, FILE *file)
{
    const struct vidmm_statistics *m = &result->manager;

    if (m->resident_most != 0)
        fprintf(file, "  resident %s of local memory at most; %s, %s\n",
                vidmm_size_text(m->resident_most).text,
                vidmm_counted(m->demotions, "demotion").text,
                vidmm_counted(m->promotions, "promotion").text);
    if (m->paging_table_bytes == 0)
        return;
    fprintf(file, "  page tables: %s at once at most, and %s of the paging process; left %s\n",
            vidmm_size_text(m->table_bytes_most).text, vidmm_size_text(m->paging_table_bytes).text,
            vidmm_counted(m->table_evictions, "time").text);
}

static void print_contents(const struct vidmm_run_result *result, FILE *file)
{
    uint64_t pages = result->device.content_pages;

    for (uint32_t i = 0; i < result->program_count; i++)
        pages += result->programs[i].pages_checked;
    struct vidmm_size_text bytes = vidmm_size_text(pages * 4096);
    fprintf(file, "  contents checked %s, %s in all; their sum is 0x%016" PRIx64 "\n",
            vidmm_counted(result->checks, "time").text, bytes.text, result->content_sum);
    fprintf(file, "  %.2f s, %.2f s of them for contents\n", result->wall_s, result->check_s);
}

static void print_findings(const struct vidmm_run_result *result, FILE *file)
{
    if (result->mismatches != 0)
        fprintf(file, "first mismatch: %s\n", result->mismatch);
    if (result->device.faults != 0)
        fprintf(file, "%s of the GPU; the first: %s\n",
                vidmm_counted(result->device.faults, "fault").text, result->device.fault);
    if (result->stopped != 0)
        fprintf(file, "%s stopped by the IOMMU\n", vidmm_counted(result->stopped, "access").text);
    if (result->device.driver_refusals != 0)
        fprintf(file, "%s refused by the driver; the first: %s\n",
                vidmm_counted(result->device.driver_refusals, "call").text, result->device.refusal);
    if (result->manager.findings != 0)
        fprintf(file, "%s by the driver, seen by the manager\n",
                vidmm_counted(result->manager.findings, "breach").text);
    if (result->findings != NULL)
        fputs(result->findings, file);
    if (result->violation_report != NULL)
        fputs(result->violation_report, file);
}

static void print_interruption(const struct vidmm_run_result *result, FILE *file)
{
    uint64_t all = 0;

    for (uint32_t i = 0; i < result->program_count; i++)
        all += result->programs[i].trace.frames;
    fprintf(file,
            "interrupted after %" PRIu64 " of %" PRIu64 " frames; the figures are for these\n",
            totals_of(result).frames, all);
}

void vidmm_summary_print(const struct vidmm_run_result *result, FILE *file)
{
    struct vidmm_size_text memory = vidmm_size_text(result->memory_bytes);
    struct vidmm_size_text aperture = vidmm_size_text(result->aperture_bytes);
    char names[340];

    for (uint32_t i = 0; i < result->program_count; i++)
        print_program(&result->programs[i], file);
    fprintf(file, "on a GPU with %s of memory and an aperture of %s\n", memory.text, aperture.text);
    print_paging(result, file);
    print_residency(result, file);
    print_contents(result, file);
    print_findings(result, file);
    if (result->interrupted != 0)
        print_interruption(result, file);
    vidmm_summary_names(result, names, sizeof(names));
    fprintf(file, "verdict: %s: %s, %s\n", names,
            vidmm_counted(result->mismatches, "mismatch").text,
            vidmm_counted(result->violations, "violation").text);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static int set_number(json_t *object, const char *key, uint64_t number)
{
    return json_object_set_new(object, key, json_integer((json_int_t)number));
}

/* As text: a number of 64 bits is more than JSON is sure to keep. */
static int set_sum(json_t *object, uint64_t sum)
{
    char text[20];

    snprintf(text, sizeof(text), "0x%016" PRIx64, sum);
    return json_object_set_new(object, "content_sum", json_string(text));
}

static int set_trace(json_t *object, const struct totals *all)
{
    return set_number(object, "peak_live_bytes", all->peak_live) |
           set_number(object, "peak_local_bytes", all->peak_local) |
           set_number(object, "largest_submission_bytes", all->largest_submission);
}

static int set_paging(json_t *object, const struct vidmm_run_result *result)
{
    const struct vidmm_statistics *m = &result->manager;

    return set_number(object, "bytes_in", m->bytes_in) |
           set_number(object, "bytes_in_again", result->again.bytes_again) |
           set_number(object, "bytes_out", m->bytes_out) |
           set_number(object, "bytes_filled", m->bytes_filled) |
           set_number(object, "bytes_discarded", m->bytes_discarded) |
           set_number(object, "bytes_decommitted", m->bytes_decommitted) |
           set_number(object, "evictions", m->evictions) |
           set_number(object, "page_ins", m->page_ins) |
           set_number(object, "resident_bytes_most", m->resident_most) |
           set_number(object, "page_table_bytes_most", m->table_bytes_most) |
           set_number(object, "paging_process_table_bytes", m->paging_table_bytes) |
           set_number(object, "frames_held", result->again.frames_held) |
           set_number(object, "paging_buffers", m->paging_buffers) |
           set_number(object, "paging_operations", m->paging_operations);
}

static json_t *program_object(const struct vidmm_run_program *program)
{
    json_t *object = json_object();
    const struct totals own = {.peak_live = program->trace.peak_live_bytes,
                               .peak_local = program->trace.peak_local_bytes,
                               .largest_submission = program->trace.largest_submission_bytes};

    if (json_object_set_new(object, "app", json_string(program->app)) |
        json_object_set_new(object, "file", json_string(program->name)) |
        set_number(object, "frames", program->frames) |
        set_number(object, "submissions", program->submissions) |
        set_number(object, "allocations", program->allocations) | set_trace(object, &own)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static int set_programs(json_t *object, const struct vidmm_run_result *result)
{
    json_t *array = json_array();
    int failed = 0;

    for (uint32_t i = 0; i < result->program_count; i++)
        failed |= json_array_append_new(array, program_object(&result->programs[i]));
    return json_object_set_new(object, "programs", array) | failed;
}

static int fill(json_t *object, const struct vidmm_run_result *result)
{
    const struct totals all = totals_of(result);
    char names[340];
    int failed;

    vidmm_summary_names(result, names, sizeof(names));
    failed = json_object_set_new(object, "app", json_string(names));
    failed |= set_number(object, "frames", all.frames);
    failed |= set_number(object, "submissions", all.submissions);
    failed |= set_number(object, "allocations", all.allocations);
    failed |= set_number(object, "renames", all.renames);
    failed |= set_number(object, "memory_bytes", result->memory_bytes);
    failed |= set_trace(object, &all);
    failed |= set_paging(object, result);
    failed |= set_number(object, "content_checks", result->checks);
    failed |= set_sum(object, result->content_sum);
    failed |= set_number(object, "content_mismatches", result->mismatches);
    failed |= set_number(object, "violations", result->violations);
    if (result->interrupted != 0)
        failed |= set_number(object, "interrupted", (uint64_t)result->interrupted);
    failed |= json_object_set_new(object, "wall_s", json_real(result->wall_s));
    failed |= json_object_set_new(object, "check_s", json_real(result->check_s));
    if (result->program_count > 1)
        failed |= set_programs(object, result);
    return failed;
}

bool vidmm_summary_json(const struct vidmm_run_result *result, FILE *file)
{
    json_t *object = json_object();
    bool done = object != NULL && fill(object, result) == 0 &&
                json_dumpf(object, file, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0 &&
                fputc('\n', file) != EOF && fflush(file) == 0;

    json_decref(object);
    return done;
}
