/* rows_runs.c: row 2, how full a segment is when the first request is refused.
 *
 * A segment is filled and used by the GPU mix at 90 % (row 1). Then requests of the mix go on and
 * nothing is released, until one is refused. Contiguous ranges need a hole; page runs need pages.
 *
 * Said besides: runs an allocation, and which share of the bytes can be mapped by pages of 64 KiB
 * and of 2 MiB.
 */
#include <stdio.h>
#include <stdlib.h>

#include "churn.h"
#include "vidmm/engine/space/page_runs.h"

enum { SEEDS = 5, STEPS = 50000, PAGES_64K = 16, PAGES_2M = 512, PAGE = 4096, LARGEST = 64 << 20 };

/* Allocations in runs, by number. Number 0 is none. */
struct scattered {
    struct vidmm_segment *segment;
    struct vidmm_page_runs **runs, *taken; /* taken: with room for any of them */
    uint32_t *spare;
    uint32_t spares;
};

static uint32_t scattered_take(void *allocator, const struct churn_request *request, uint32_t owner)
{
    struct scattered *scattered = allocator;
    uint32_t number = scattered->spare[scattered->spares - 1];

    if (!vidmm_page_runs_take(scattered->segment, &request->range, owner, scattered->taken))
        return 0;
    scattered->runs[number] = vidmm_page_runs_copy(&scattered->segment->memory, scattered->taken);
    bench_check(scattered->runs[number] != NULL, "no memory");
    scattered->spares--;
    return number;
}

static void scattered_release(void *allocator, uint32_t number)
{
    struct scattered *scattered = allocator;

    vidmm_page_runs_release(scattered->segment, scattered->runs[number]);
    scattered->segment->memory.free(scattered->segment->memory.context, scattered->runs[number]);
    scattered->runs[number] = NULL;
    scattered->spare[scattered->spares++] = number;
}

/* How full it is, in percent, when the first request from here on is refused. */
static double fill_up(struct churn *churn, uint64_t pages, void *allocator, churn_take *take)
{
    const struct churn_request *request = &churn->stream->requests[churn->next];

    while (take(allocator, request, 0) != 0)
        churn->used += (request++)->pages;
    bench_check(request < churn->stream->requests + churn->stream->count, "row 2 is too short");
    return 100 * (double)churn->used / (double)pages;
}

struct outcome {
    double contiguous, runs; /* percent in use */
    double each;             /* runs an allocation */
    double by_64k, by_2m;    /* percent of the bytes */
    double ns[2 * SEEDS];    /* a take or release: contiguous, then in runs */
};

/* Pages of [offset, offset + pages) in whole units. */
static uint64_t whole_units(uint64_t offset, uint64_t pages, uint64_t unit)
{
    uint64_t low = (offset + unit - 1) / unit * unit, high = (offset + pages) / unit * unit;

    return high > low ? high - low : 0;
}

static void look_at(struct outcome *outcome, const struct scattered *scattered, uint32_t count)
{
    uint64_t runs = 0, live = 0, pages = 0, by_64k = 0, by_2m = 0;
    uint32_t number, page, left;

    for (number = 1; number < count; number++) {
        const struct vidmm_page_runs *all = scattered->runs[number];

        if (!all)
            continue;
        vidmm_page_runs_check(scattered->segment, all);
        live++;
        runs += all->count;
        for (page = 0; page < vidmm_page_runs_pages(all); page += left) {
            uint64_t offset = vidmm_page_runs_at(all, page, &left) >> 12;

            pages += left;
            by_64k += whole_units(offset, left, PAGES_64K);
            by_2m += whole_units(offset, left, PAGES_2M);
        }
    }
    outcome->each += (double)runs / (double)live / SEEDS;
    outcome->by_64k += 100 * (double)by_64k / (double)pages / SEEDS;
    outcome->by_2m += 100 * (double)by_2m / (double)pages / SEEDS;
}

static double contiguous(const struct churn_stream *stream, uint64_t pages, double *ns)
{
    struct bench_memory memory;
    struct vidmm_segment segment;
    struct churn churn;
    uint64_t begun;
    double full;

    bench_memory_init(&memory);
    bench_check(vidmm_segment_init(&segment, pages << 12, &memory.memory), "no memory");
    churn_init(&churn, stream, pages);
    churn_fill(&churn, &segment, segment_take);
    begun = bench_cpu_now();
    churn_steps(&churn, STEPS, &segment, segment_take, segment_release);
    *ns = (double)(bench_cpu_now() - begun) / (double)churn.operations;
    full = fill_up(&churn, pages, &segment, segment_take);
    vidmm_segment_finish(&segment);
    churn_finish(&churn);
    return full;
}

static double in_runs(struct outcome *outcome, const struct churn_stream *stream, uint64_t pages,
                      double *ns)
{
    uint32_t count = stream->count + 1, number;
    struct bench_memory memory;
    struct vidmm_segment segment;
    struct scattered scattered = {&segment, bench_allocate(count, sizeof(*scattered.runs)), NULL,
                                  bench_allocate(count, sizeof(*scattered.spare)), 0};
    struct churn churn;
    uint64_t begun;
    double full;

    for (number = count - 1; number > 0; number--)
        scattered.spare[scattered.spares++] = number;
    bench_memory_init(&memory);
    bench_check(vidmm_segment_init(&segment, pages << 12, &memory.memory), "no memory");
    scattered.taken = vidmm_page_runs_create(&memory.memory, LARGEST / PAGE);
    bench_check(scattered.taken != NULL, "no memory");
    churn_init(&churn, stream, pages);
    churn_fill(&churn, &scattered, scattered_take);
    begun = bench_cpu_now();
    churn_steps(&churn, STEPS, &scattered, scattered_take, scattered_release);
    *ns = (double)(bench_cpu_now() - begun) / (double)churn.operations;
    bench_check(churn.pages_refused == 0, "a request was refused that pages were free for");
    full = fill_up(&churn, pages, &scattered, scattered_take);
    look_at(outcome, &scattered, count);
    for (number = 1; number < count; number++)
        if (scattered.runs[number])
            scattered_release(&scattered, number);
    memory.memory.free(memory.memory.context, scattered.taken);
    vidmm_segment_check(&segment);
    vidmm_segment_finish(&segment);
    bench_check(memory.bytes == 0, "page runs kept memory");
    churn_finish(&churn);
    free(scattered.runs);
    free(scattered.spare);
    return full;
}

static void report(struct bench *bench, unsigned gib)
{
    uint64_t pages = (uint64_t)gib << 18, seed;
    struct outcome outcome = {0};
    struct bench_line line = {.unit = "%", .reach = ">= 99.5"};

    for (seed = 1; seed <= SEEDS; seed++) {
        struct churn_stream stream = churn_stream_make(seed, churn_stream_length(pages, STEPS));

        outcome.contiguous += contiguous(&stream, pages, &outcome.ns[seed - 1]) / SEEDS;
        outcome.runs += in_runs(&outcome, &stream, pages, &outcome.ns[SEEDS + seed - 1]) / SEEDS;
        free(stream.requests);
    }
    snprintf(line.name, sizeof line.name, "2 in use at the first refusal, page runs, %u GiB", gib);
    line.vidmm = outcome.runs;
    line.reference = outcome.contiguous;
    line.reference_name = "contiguous";
    bench_yield(bench, &line);
    snprintf(line.name, sizeof line.name, "2 ... a take or release, %u GiB", gib);
    line.unit = "ns";
    line.reach = "";
    line.vidmm = bench_median(outcome.ns + SEEDS, SEEDS);
    line.reference = bench_median(outcome.ns, SEEDS);
    bench_fact(bench, &line);
    line.reference_name = NULL;
    snprintf(line.name, sizeof line.name, "2 ... runs an allocation, %u GiB", gib);
    line.unit = "";
    line.vidmm = outcome.each;
    bench_fact(bench, &line);
    snprintf(line.name, sizeof line.name, "2 ... in whole pages of 64 KiB, %u GiB", gib);
    line.unit = "%";
    line.vidmm = outcome.by_64k;
    bench_fact(bench, &line);
    snprintf(line.name, sizeof line.name, "2 ... in whole pages of 2 MiB, %u GiB", gib);
    line.vidmm = outcome.by_2m;
    bench_fact(bench, &line);
}

void bench_runs(struct bench *bench)
{
    report(bench, 8);
    report(bench, 80);
}
