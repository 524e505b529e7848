/*
 * rows_churn.c: rows 1 and 5, the GPU mix in a segment of 8 and of 80 GiB.
 *
 * Every allocator sees the same requests of the same seeds. They take turns, a fifth of the steps
 * at a time; bytes refused is the mean of five seeds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "churn.h"

enum { SEEDS = 5, VIDMM = 0, BEST = 1, FIRST = 2, ALLOCATORS = 3 };

struct contest {
    struct bench_memory memory;
    struct vidmm_segment segment;
    struct tree trees[ALLOCATORS]; /* BEST and FIRST */
    struct churn churns[ALLOCATORS];
};

static void begin(struct contest *contest, const struct churn_stream *stream, uint32_t pages)
{
    uint32_t nodes = 2 * churn_stream_length(pages, 0);
    int i;

    bench_memory_init(&contest->memory);
    bench_check(
        vidmm_segment_init(&contest->segment, (uint64_t)pages << 12, &contest->memory.memory),
        "a segment could not be made");
    tree_init(&contest->trees[BEST], TREE_BEST_FIT, pages, nodes);
    tree_init(&contest->trees[FIRST], TREE_FIRST_FIT, pages, nodes);
    for (i = 0; i < ALLOCATORS; i++)
        churn_init(&contest->churns[i], stream, pages);
    churn_fill(&contest->churns[VIDMM], &contest->segment, segment_take);
    churn_fill(&contest->churns[BEST], &contest->trees[BEST], reference_take);
    churn_fill(&contest->churns[FIRST], &contest->trees[FIRST], reference_take);
}

static void end(struct contest *contest)
{
    int i;

    vidmm_segment_check(&contest->segment);
    vidmm_segment_finish(&contest->segment);
    bench_check(contest->memory.bytes == 0, "the segment kept memory");
    tree_finish(&contest->trees[BEST]);
    tree_finish(&contest->trees[FIRST]);
    for (i = 0; i < ALLOCATORS; i++)
        churn_finish(&contest->churns[i]);
}

/* Nanoseconds an operation, of one turn. */
static double turn(struct contest *contest, int who, uint32_t steps)
{
    struct churn *churn = &contest->churns[who];
    uint64_t operations = churn->operations, begun = bench_cpu_now();

    if (who == VIDMM)
        churn_steps(churn, steps, &contest->segment, segment_take, segment_release);
    else
        churn_steps(churn, steps, &contest->trees[who], reference_take, reference_release);
    return (double)(bench_cpu_now() - begun) / (double)(churn->operations - operations);
}

static double refused_percent(const struct churn *churn)
{
    return 100.0 * (double)churn->pages_refused / (double)churn->pages_asked;
}

struct outcome {
    double ns[ALLOCATORS], refused[ALLOCATORS], metadata;
};

static void run_seed(struct outcome *outcome, uint64_t seed, uint32_t pages, uint32_t steps,
                     double ns[ALLOCATORS][SEEDS * BENCH_ROUNDS])
{
    uint32_t count = churn_stream_length(pages, steps), round;
    struct churn_stream stream = churn_stream_make(seed, count);
    struct contest contest;
    int who;

    begin(&contest, &stream, pages);
    for (round = 0; round < BENCH_ROUNDS; round++)
        for (who = 0; who < ALLOCATORS; who++)
            ns[who][(seed - 1) * BENCH_ROUNDS + round] = turn(&contest, who, steps / BENCH_ROUNDS);
    for (who = 0; who < ALLOCATORS; who++)
        outcome->refused[who] += refused_percent(&contest.churns[who]) / SEEDS;
    outcome->metadata += (double)contest.memory.bytes / contest.segment.live / SEEDS;
    end(&contest);
    free(stream.requests);
}

static struct outcome run(uint32_t pages, uint32_t steps)
{
    static double ns[ALLOCATORS][SEEDS * BENCH_ROUNDS];
    struct outcome outcome = {0};
    uint64_t seed;
    int who;

    for (seed = 1; seed <= SEEDS; seed++)
        run_seed(&outcome, seed, pages, steps, ns);
    for (who = 0; who < ALLOCATORS; who++)
        outcome.ns[who] = bench_median(ns[who], SEEDS * BENCH_ROUNDS);
    return outcome;
}

/* ---- The check: nothing overlaps, and all is where it was asked to be ---- */

struct checked {
    void *allocator;
    const struct tree *tree; /* NULL: the allocator is a segment */
    uint8_t *owner;          /* by page: whether it is taken */
    uint32_t *pages;         /* by range */
};

static uint32_t start_of(const struct checked *checked, uint32_t range)
{
    if (checked->tree)
        return checked->tree->nodes[range].start;
    return (uint32_t)(vidmm_range_offset(checked->allocator, range) >> 12);
}

static void mark(struct checked *checked, uint32_t start, uint32_t pages, uint8_t owner)
{
    uint32_t page;

    for (page = start; page < start + pages; page++) {
        bench_check(checked->owner[page] != owner, "two ranges overlap");
        checked->owner[page] = owner;
    }
}

static uint32_t checked_take(void *allocator, const struct churn_request *request, uint32_t owner)
{
    struct checked *checked = allocator;
    uint32_t range = checked->tree ? reference_take(checked->allocator, request, owner)
                                   : segment_take(checked->allocator, request, owner);

    if (range != 0) {
        uint32_t start = start_of(checked, range);

        bench_check((start & request->align_mask) == 0, "a range is not aligned");
        mark(checked, start, request->pages, 1);
        checked->pages[range] = request->pages;
    }
    return range;
}

static void checked_release(void *allocator, uint32_t range)
{
    struct checked *checked = allocator;

    mark(checked, start_of(checked, range), checked->pages[range], 0);
    if (checked->tree)
        reference_release(checked->allocator, range);
    else
        segment_release(checked->allocator, range);
}

static void check(void)
{
    const uint32_t pages = 1u << 19, steps = 20000;
    struct churn_stream stream = churn_stream_make(99, churn_stream_length(pages, steps));
    int who;

    for (who = 0; who < ALLOCATORS; who++) {
        struct bench_memory memory;
        struct vidmm_segment segment;
        struct tree tree;
        struct churn churn;

        bench_memory_init(&memory);
        bench_check(vidmm_segment_init(&segment, (uint64_t)pages << 12, &memory.memory),
                    "no memory");
        tree_init(&tree, who == BEST ? TREE_BEST_FIT : TREE_FIRST_FIT, pages, 1u << 16);
        struct checked checked = {who == VIDMM ? (void *)&segment : &tree,
                                  who == VIDMM ? NULL : &tree, bench_allocate(pages, 1),
                                  bench_allocate(1u << 20, 4)};
        churn_init(&churn, &stream, pages);
        churn_fill(&churn, &checked, checked_take);
        churn_steps(&churn, steps, &checked, checked_take, checked_release);
        vidmm_segment_check(&segment);
        vidmm_segment_finish(&segment);
        tree_finish(&tree);
        churn_finish(&churn);
        free(checked.owner);
        free(checked.pages);
    }
    free(stream.requests);
}

/* ---- The rows ---- */

static void report(struct bench *bench, unsigned gib, struct outcome o)
{
    bool best = o.refused[BEST] < o.refused[FIRST];
    int better = best ? BEST : FIRST;
    struct bench_line line = {.unit = "ns/op", .reach = ""};

    snprintf(line.name, sizeof line.name, "1 take/release in a segment, GPU mix, 90 %%, %u GiB",
             gib);
    line.vidmm = o.ns[VIDMM];
    line.reference = o.ns[BEST];
    line.reference_name = "best fit";
    bench_cost(bench, &line);
    line.reference = o.ns[FIRST];
    line.reference_name = "first fit";
    bench_cost(bench, &line);
    snprintf(line.name, sizeof line.name, "1 ... bytes refused, %u GiB", gib);
    line.unit = "%";
    line.vidmm = o.refused[VIDMM];
    line.reference = o.refused[better];
    line.reference_name = best ? "best fit" : "first fit";
    line.reach = "<= reference";
    bench_fact(bench, &line);
    line.reference = o.refused[BEST + FIRST - better];
    line.reference_name = best ? "first fit" : "best fit";
    line.reach = "";
    bench_fact(bench, &line);
    snprintf(line.name, sizeof line.name, "5 metadata of a live range, all told, %u GiB", gib);
    line.unit = "bytes";
    line.vidmm = o.metadata;
    line.reference_name = NULL;
    line.reach = "<= 32";
    bench_fact(bench, &line);
}

void bench_churn(struct bench *bench)
{
    check();
    report(bench, 8, run(8u << 18, bench->full ? 1000000 : 100000));
    report(bench, 80, run(80u << 18, bench->full ? 1000000 : 150000));
}
