#include "tool/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <vidmm/page.h>

#include "softgpu/config.h"
#include "tool/progress.h"
#include "tool/run.h"
#include "tool/size.h"
#include "trace/bounds.h"
#include "trace/heap.h"

#define MIB (UINT64_C(1) << 20)
#define LOGARITHMIC 8u            /* times `from` from which sizes lie at equal ratios */
#define SPARE_OF_PEAK 8u          /* a part of it: room for holes */
#define APERTURE_SPARE (64 * MIB) /* for DMA and paging buffers */
#define APERTURE_LEAST (256 * MIB)
#define APERTURE_MOST (UINT64_C(64) << 30)

static uint64_t pages(double bytes)
{
    return (uint64_t)bytes / VIDMM_PAGE_SIZE * VIDMM_PAGE_SIZE;
}

static bool cannot(struct vidmm_sweep *sweep, const char *why)
{
    if (sweep->problem[0] == 0)
        snprintf(sweep->problem, sizeof(sweep->problem), "%s", why);
    return false;
}

/* ---- one size -------------------------------------------------------------------------------- */

static bool set_segments(struct softgpu_config *config, uint64_t memory, uint64_t aperture)
{
    uint32_t memory_id = softgpu_config_segment(config, SOFTGPU_SEGMENT_MEMORY);
    uint32_t aperture_id = softgpu_config_segment(config, SOFTGPU_SEGMENT_APERTURE);

    if (memory_id == 0 || aperture_id == 0)
        return false;
    config->segments[memory_id - 1].size = config->segments[memory_id - 1].commit_limit = memory;
    config->segments[aperture_id - 1].size = config->segments[aperture_id - 1].commit_limit =
        aperture;
    return true;
}

static uint64_t aperture_for(const struct vidmm_trace *trace)
{
    struct vidmm_trace_statistics statistics;

    vidmm_trace_measure(trace, &statistics);
    uint64_t size = statistics.peak_live_bytes + APERTURE_SPARE;
    size = size / MIB * MIB;
    return size < APERTURE_LEAST ? APERTURE_LEAST : size > APERTURE_MOST ? APERTURE_MOST : size;
}

static bool replay(struct vidmm_sweep *sweep, const struct vidmm_sweep_options *options,
                   const struct vidmm_trace *trace, struct vidmm_sweep_point *point)
{
    static struct vidmm_run_result result;
    struct vidmm_run_options run = {.files = {options->file}, .file_count = 1, .quiet = true};

    run.config = softgpu_config_default();
    run.config.execute = false;
    if (options->wddm != 0)
        run.config.wddm = options->wddm;
    if (!set_segments(&run.config, point->memory, aperture_for(trace)))
        return cannot(sweep, "the software GPU has no memory segment");
    vidmm_run(&run, &result);
    if (result.problem[0] != 0)
        cannot(sweep, result.problem);
    else if (result.violations != 0)
        cannot(sweep, result.violation_report != NULL ? result.violation_report
                                                      : "a rule of the contract was broken");
    sweep->interrupted = result.interrupted;
    point->bytes_again = result.again.bytes_again;
    point->bytes_out = result.again.bytes_out;
    point->frames_held = result.again.frames_held;
    vidmm_run_result_finish(&result);
    return sweep->problem[0] == 0 && sweep->interrupted == 0;
}

static bool bounds(struct vidmm_sweep *sweep, const struct vidmm_trace *trace,
                   struct vidmm_sweep_point *point)
{
    struct vidmm_bound lru, belady;

    if (!vidmm_trace_bound(trace, &vidmm_heap, point->memory, VIDMM_BOUND_LRU, &lru) ||
        !vidmm_trace_bound(trace, &vidmm_heap, point->memory, VIDMM_BOUND_BELADY, &belady))
        return cannot(sweep, "no memory for LRU and Belady");
    point->lru_bytes = lru.bytes;
    point->belady_bytes = belady.bytes;
    return true;
}

/* Do one size, and put its point where it belongs by size. */
static bool try_size(struct vidmm_sweep *sweep, const struct vidmm_sweep_options *options,
                     const struct vidmm_trace *trace, uint64_t memory)
{
    struct vidmm_sweep_point point = {.memory = memory};
    uint32_t at = sweep->count;

    if (!replay(sweep, options, trace, &point) || !bounds(sweep, trace, &point))
        return false;
    while (at > 0 && sweep->points[at - 1].memory > memory) {
        sweep->points[at] = sweep->points[at - 1];
        at--;
    }
    sweep->points[at] = point;
    sweep->count++;
    return true;
}

/* ---- all sizes ------------------------------------------------------------------------------- */

/* The size of a step, 0 .. steps - 1. */
static uint64_t size_of(uint64_t from, uint64_t to, uint32_t step, uint32_t steps)
{
    double part = (double)step / (steps - 1), least = (double)from, most = (double)to;

    if (step == steps - 1)
        return to;
    return pages(to / from >= LOGARITHMIC ? least * pow(most / least, part)
                                          : least + (most - least) * part);
}

static bool shown_try(struct vidmm_sweep *sweep, const struct vidmm_sweep_options *options,
                      const struct vidmm_trace *trace, uint64_t memory,
                      struct vidmm_progress *progress, uint64_t *done)
{
    char detail[200];

    snprintf(detail, sizeof(detail), "%s with %s", sweep->name, vidmm_size_text(memory).text);
    vidmm_progress_draw(progress, *done, "replays", detail);
    if (vidmm_sweep_point(sweep, memory) == NULL && !try_size(sweep, options, trace, memory))
        return false;
    ++*done;
    return true;
}

/* Index of the first point from which on no frame is held up; count: the last has one that is. */
static uint32_t first_quiet(const struct vidmm_sweep *sweep)
{
    uint32_t i = sweep->count;

    while (i > 0 && sweep->points[i - 1].frames_held == 0)
        i--;
    return i;
}

/* Halve the distance between the last size that pages and the first that does not. */
static bool find_enough(struct vidmm_sweep *sweep, const struct vidmm_sweep_options *options,
                        const struct vidmm_trace *trace, struct vidmm_progress *progress,
                        uint64_t *done)
{
    for (uint32_t i = 0; i < VIDMM_SWEEP_HALVINGS; i++) {
        uint32_t quiet = first_quiet(sweep);

        if (quiet == 0 || quiet == sweep->count)
            return true;
        uint64_t least = sweep->points[quiet - 1].memory, most = sweep->points[quiet].memory;
        if (!shown_try(sweep, options, trace, pages((double)least / 2 + (double)most / 2), progress,
                       done))
            return false;
    }
    return true;
}

/* The point that lies deepest under the straight line from the first to the first quiet one, both
 * axes as parts of their range. */
static uint64_t find_knee(const struct vidmm_sweep *sweep, uint32_t quiet)
{
    const struct vidmm_sweep_point *points = sweep->points;
    double deepest = 0;
    uint64_t knee = 0;

    if (quiet == 0 || quiet == sweep->count || points[0].bytes_again == 0)
        return 0;
    double range = (double)(points[quiet].memory - points[0].memory);
    for (uint32_t i = 1; i < quiet; i++) {
        double line = 1 - (double)(points[i].memory - points[0].memory) / range;
        double depth = line - (double)points[i].bytes_again / (double)points[0].bytes_again;

        if (depth > deepest) {
            deepest = depth;
            knee = points[i].memory;
        }
    }
    return knee;
}

static void conclude(struct vidmm_sweep *sweep)
{
    uint32_t quiet = first_quiet(sweep);

    sweep->enough = quiet < sweep->count ? sweep->points[quiet].memory : 0;
    sweep->knee = find_knee(sweep, quiet);
}

static bool all_sizes(struct vidmm_sweep *sweep, const struct vidmm_sweep_options *options,
                      const struct vidmm_trace *trace, struct vidmm_progress *progress,
                      uint64_t *done)
{
    uint64_t spare = sweep->peak / SPARE_OF_PEAK + MIB;
    uint64_t from = options->from > sweep->least ? options->from : sweep->least;
    uint64_t to = options->to != 0 ? options->to : pages((double)(sweep->peak + spare));

    if (to <= from) {
        snprintf(sweep->problem, sizeof(sweep->problem),
                 "--to %s: the sweep begins at %s%s; give a larger size",
                 vidmm_size_written(to).text, vidmm_size_written(from).text,
                 from == sweep->least ? ", the least that runs" : "");
        return false;
    }
    for (uint32_t step = 0; step < options->steps; step++)
        if (!shown_try(sweep, options, trace, size_of(from, to, step, options->steps), progress,
                       done))
            return false;
    return find_enough(sweep, options, trace, progress, done);
}

static void describe(struct vidmm_sweep *sweep, const struct vidmm_trace *trace, const char *file)
{
    const char *slash = strrchr(file, '/'), *app = vidmm_trace_header(trace, "app");
    struct vidmm_trace_statistics statistics;

    sweep->name = slash != NULL ? slash + 1 : file;
    snprintf(sweep->app, sizeof(sweep->app), "%s", app != NULL && app[0] != 0 ? app : sweep->name);
    vidmm_trace_measure(trace, &statistics);
    sweep->least = vidmm_trace_least_memory(trace);
    sweep->peak = statistics.peak_local_bytes;
    sweep->frames = statistics.frames;
}

bool vidmm_sweep(const struct vidmm_sweep_options *options, struct vidmm_progress *progress,
                 uint64_t *done, struct vidmm_sweep *sweep)
{
    struct vidmm_trace_error error = {""};
    struct vidmm_trace *trace = vidmm_trace_read(&vidmm_heap, options->file, &error);

    memset(sweep, 0, sizeof(*sweep));
    if (trace == NULL)
        return cannot(sweep, error.text);
    describe(sweep, trace, options->file);
    bool whole = sweep->least != 0 || cannot(sweep, "the trace has no local allocation: any "
                                                    "memory is enough");
    whole = whole && all_sizes(sweep, options, trace, progress, done);
    if (whole)
        conclude(sweep);
    vidmm_trace_destroy(trace);
    return whole;
}

const struct vidmm_sweep_point *vidmm_sweep_point(const struct vidmm_sweep *sweep, uint64_t memory)
{
    for (uint32_t i = 0; i < sweep->count; i++)
        if (sweep->points[i].memory == memory)
            return &sweep->points[i];
    return NULL;
}
