/* rows_growth.c: row 4, the GPU mix from a thousand to a million live ranges. */
#include <stdlib.h>

#include "churn.h"

enum { VIDMM, BEST, ALLOCATORS };
enum { SIZES = 2, ROUNDS = 15, TIMED_STEPS = 100000 };

struct contest {
    struct churn_stream stream;
    struct bench_memory memory;
    struct vidmm_segment segment;
    struct tree tree;
    struct churn churns[ALLOCATORS];
};

static void begin(struct contest *contest, uint32_t live, uint32_t steps)
{
    uint32_t pages = churn_segment_pages(live);

    contest->stream = churn_stream_make(7, churn_stream_length(pages, steps));
    bench_memory_init(&contest->memory);
    bench_check(
        vidmm_segment_init(&contest->segment, (uint64_t)pages << 12, &contest->memory.memory),
        "a segment could not be made");
    tree_init(&contest->tree, TREE_BEST_FIT, pages, 2 * churn_stream_length(pages, 0));
    churn_init(&contest->churns[VIDMM], &contest->stream, pages);
    churn_init(&contest->churns[BEST], &contest->stream, pages);
    churn_fill(&contest->churns[VIDMM], &contest->segment, segment_take);
    churn_fill(&contest->churns[BEST], &contest->tree, reference_take);
}

static void end(struct contest *contest)
{
    vidmm_segment_check(&contest->segment);
    vidmm_segment_finish(&contest->segment);
    tree_finish(&contest->tree);
    churn_finish(&contest->churns[VIDMM]);
    churn_finish(&contest->churns[BEST]);
    free(contest->stream.requests);
}

static double turn(struct contest *contest, int who, uint32_t steps)
{
    struct churn *churn = &contest->churns[who];
    uint64_t operations = churn->operations, begun = bench_cpu_now();

    if (who == VIDMM)
        churn_steps(churn, steps, &contest->segment, segment_take, segment_release);
    else
        churn_steps(churn, steps, &contest->tree, reference_take, reference_release);
    return (double)(bench_cpu_now() - begun) / (double)(churn->operations - operations);
}

/* ---- Single operations ---- */

struct timed {
    void *allocator;
    double *ns; /* one an operation */
    uint32_t count;
};

static uint32_t timed_take(void *allocator, const struct churn_request *request, uint32_t owner)
{
    struct timed *timed = allocator;
    uint64_t begun = bench_now();
    uint32_t range = segment_take(timed->allocator, request, owner);

    timed->ns[timed->count++] = (double)(bench_now() - begun);
    return range;
}

static void timed_release(void *allocator, uint32_t range)
{
    struct timed *timed = allocator;
    uint64_t begun = bench_now();

    segment_release(timed->allocator, range);
    timed->ns[timed->count++] = (double)(bench_now() - begun);
}

/* The cost of a look at the clock. */
static double clock_ns(void)
{
    static double ns[1001];
    unsigned i;

    for (i = 0; i < 1001; i++) {
        uint64_t begun = bench_now();

        ns[i] = (double)(bench_now() - begun);
    }
    return bench_median(ns, 1001);
}

/* The time that 99 of 100 operations stay under. */
static double p99(struct contest *contest)
{
    struct timed timed = {&contest->segment, bench_allocate(2 * TIMED_STEPS, sizeof(double)), 0};
    double ns;

    churn_steps(&contest->churns[VIDMM], TIMED_STEPS, &timed, timed_take, timed_release);
    bench_median(timed.ns, timed.count); /* sorts */
    ns = timed.ns[timed.count / 100 * 99] - clock_ns();
    free(timed.ns);
    return ns > 0 ? ns : 0;
}

/* A thousand and a million take turns as well, so that both meet the same disturbances. */
void bench_growth(struct bench *bench)
{
    static const uint32_t lives[SIZES] = {1000, 1000000};
    static double rounds[SIZES][ALLOCATORS][ROUNDS];
    static struct contest contests[SIZES];
    uint32_t steps = bench->full ? 100000 : 20000, round, size, who;
    double ns[SIZES][ALLOCATORS], slow;

    for (size = 0; size < SIZES; size++)
        begin(&contests[size], lives[size], ROUNDS * steps + TIMED_STEPS);
    for (round = 0; round < ROUNDS; round++) {
        for (size = 0; size < SIZES; size++)
            for (who = 0; who < ALLOCATORS; who++)
                rounds[size][who][round] = turn(&contests[size], (int)who, steps);
    }
    slow = p99(&contests[SIZES - 1]);
    for (size = 0; size < SIZES; size++) {
        for (who = 0; who < ALLOCATORS; who++)
            ns[size][who] = bench_median(rounds[size][who], ROUNDS);
        end(&contests[size]);
    }
    bench_cost(bench, &(struct bench_line){"4 growth 10^3 -> 10^6 live", "x time",
                                           ns[1][VIDMM] / ns[0][VIDMM], ns[1][BEST] / ns[0][BEST],
                                           "best fit", "<= 4", 0});
    bench_cost(bench, &(struct bench_line){"4 ... at 10^6 live", "ns/op", ns[1][VIDMM], ns[1][BEST],
                                           "best fit", "", 0});
    bench_fact(bench, &(struct bench_line){"4 ... at 10^6 live, 99 of 100 operations stay under",
                                           "ns", slow, 0, NULL, "<= 500", 0});
}
