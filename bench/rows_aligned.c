/*
 * rows_aligned.c: row 3, aligned requests where most holes are misaligned.
 *
 * The comb: a full segment with 10^5 holes, each larger than the request, none of which holds an
 * aligned place. Before each request a page of one hole is taken and released again, so that the
 * answer cannot merely be remembered. The first request, which meets 10^5 holes that no request has
 * seen before, has a line of its own.
 *
 * The buddy test pattern (of Linux' tests of its allocators): 4 GiB filled with 65,536 ranges of
 * 8 KiB at 64 KiB alignment, every other one released; then 64 KiB at 64 KiB as often as there is a
 * place, and all of these released. Because the reference needs quadratic time to fill it, only its
 * last FILLS operations are made that way, and timed.
 */
#include <stdio.h>
#include <stdlib.h>

#include <vidmm/segment.h>

#include "bench.h"
#include "tree.h"

enum { PAGE = 4096, HOLES = 100000, REQUESTS = 99, TEETH = 65536, FILLS = 9 };

static void make(struct vidmm_segment *segment, struct bench_memory *memory, uint64_t pages)
{
    bench_memory_init(memory);
    bench_check(vidmm_segment_init(segment, pages * PAGE, &memory->memory),
                "a segment could not be made");
}

static vidmm_range take(struct vidmm_segment *segment, uint32_t pages, uint32_t align)
{
    struct vidmm_range_request request = {.size = (uint64_t)pages * PAGE,
                                          .alignment = (uint64_t)align * PAGE};

    return vidmm_segment_take(segment, &request, 0);
}

/* ---- The comb ---- */

/* Pages: `lead` taken, then a hole and a live range in turn, to the end of the segment. */
struct comb {
    uint32_t lead, hole, live, request;
};

static uint32_t pages_of(const struct comb *comb)
{
    return comb->lead + HOLES * (comb->hole + comb->live);
}

static void comb_segment(struct vidmm_segment *segment, const struct comb *comb)
{
    vidmm_range *holes = bench_allocate(HOLES, sizeof *holes);
    uint32_t i;

    bench_check(take(segment, comb->lead, 1) != 0, "a comb has no room");
    for (i = 0; i < HOLES; i++) {
        holes[i] = take(segment, comb->hole, 1);
        bench_check(holes[i] != 0 && take(segment, comb->live, 1) != 0, "a comb has no room");
    }
    for (i = 0; i < HOLES; i++)
        vidmm_segment_release(segment, holes[i]);
    free(holes);
}

static void comb_tree(struct tree *tree, const struct comb *comb)
{
    uint32_t *holes = bench_allocate(HOLES, sizeof *holes), i;

    bench_check(tree_take(tree, comb->lead, 0) != 0, "a comb has no room");
    for (i = 0; i < HOLES; i++) {
        holes[i] = tree_take(tree, comb->hole, 0);
        bench_check(holes[i] != 0 && tree_take(tree, comb->live, 0) != 0, "a comb has no room");
    }
    for (i = 0; i < HOLES; i++)
        tree_release(tree, holes[i]);
    free(holes);
}

/* Nanoseconds of a request that nothing can serve. */
static double segment_request(struct vidmm_segment *segment, const struct comb *comb)
{
    uint64_t begun = bench_now();
    vidmm_range range = take(segment, comb->request, comb->request);
    double ns = (double)(bench_now() - begun);

    bench_check(range == 0, "a place was found where there is none");
    return ns;
}

static double tree_request(struct tree *tree, const struct comb *comb)
{
    uint64_t begun = bench_now();
    uint32_t range = tree_take(tree, comb->request, comb->request - 1);
    double ns = (double)(bench_now() - begun);

    bench_check(range == 0, "the reference found a place where there is none");
    return ns;
}

static void change(struct vidmm_segment *segment)
{
    vidmm_range page = take(segment, 1, 1);

    bench_check(page != 0, "a page was refused");
    vidmm_segment_release(segment, page);
}

static void run_comb(struct bench *bench, const char *size, const struct comb *comb)
{
    static double ns[REQUESTS], tree_ns[BENCH_ROUNDS];
    struct bench_line line = {.unit = "ns", .reference_name = "best fit"};
    struct bench_memory memory;
    struct vidmm_segment segment;
    struct tree tree;
    double first;
    int i;

    make(&segment, &memory, pages_of(comb));
    comb_segment(&segment, comb);
    tree_init(&tree, TREE_BEST_FIT, pages_of(comb), 2 * HOLES + 3);
    comb_tree(&tree, comb);
    first = segment_request(&segment, comb);
    for (i = 0; i < REQUESTS; i++) {
        change(&segment);
        ns[i] = segment_request(&segment, comb);
        if (i < BENCH_ROUNDS)
            tree_ns[i] = tree_request(&tree, comb);
    }
    line.vidmm = bench_median(ns, REQUESTS);
    line.reference = bench_median(tree_ns, BENCH_ROUNDS);
    line.reach = "<= 1000";
    snprintf(line.name, sizeof line.name, "3 aligned request of %s among 10^5 misaligned holes",
             size);
    bench_cost(bench, &line);
    line.vidmm = first;
    line.reach = "";
    snprintf(line.name, sizeof line.name, "3 ... of %s, the very first one", size);
    bench_fact(bench, &line);
    vidmm_segment_check(&segment);
    vidmm_segment_finish(&segment);
    tree_finish(&tree);
}

/* ---- The buddy test pattern ---- */

/* Nanoseconds of a fill operation, and of a pair. */
struct pattern {
    double fill, pair;
};

static struct pattern segment_pattern(vidmm_range *ranges)
{
    struct bench_memory memory;
    struct vidmm_segment segment;
    struct pattern pattern;
    uint64_t begun;
    uint32_t i;

    make(&segment, &memory, 16 * TEETH);
    begun = bench_now();
    for (i = 0; i < TEETH; i++) {
        ranges[i] = take(&segment, 2, 16);
        bench_check(ranges[i] != 0, "the pattern could not be filled");
    }
    pattern.fill = (double)(bench_now() - begun) / TEETH;
    for (i = 0; i < TEETH; i += 2)
        vidmm_segment_release(&segment, ranges[i]);
    begun = bench_now();
    for (i = 0; i < TEETH; i += 2) {
        ranges[i] = take(&segment, 16, 16);
        bench_check(ranges[i] != 0, "the pattern has too few places");
    }
    for (i = 0; i < TEETH; i += 2)
        vidmm_segment_release(&segment, ranges[i]);
    pattern.pair = (double)(bench_now() - begun) / (TEETH / 2);
    vidmm_segment_check(&segment);
    vidmm_segment_finish(&segment);
    return pattern;
}

static struct pattern tree_pattern(uint32_t *ranges)
{
    uint32_t *gaps = bench_allocate(TEETH, sizeof *gaps), i;
    struct tree tree;
    struct pattern pattern;
    uint64_t begun;

    tree_init(&tree, TREE_BEST_FIT, 16 * TEETH, 2 * TEETH + 2);
    for (i = 0; i < TEETH - FILLS; i++) {
        ranges[i] = tree_take(&tree, 2, 0);
        gaps[i] = tree_take(&tree, 14, 0);
    }
    for (i = 0; i < TEETH - FILLS; i++)
        tree_release(&tree, gaps[i]);
    begun = bench_now();
    for (i = TEETH - FILLS; i < TEETH; i++) {
        ranges[i] = tree_take(&tree, 2, 15);
        bench_check(ranges[i] != 0, "the reference could not fill the pattern");
    }
    pattern.fill = (double)(bench_now() - begun) / FILLS;
    for (i = 0; i < TEETH; i += 2)
        tree_release(&tree, ranges[i]);
    begun = bench_now();
    for (i = 0; i < TEETH; i += 2) {
        ranges[i] = tree_take(&tree, 16, 15);
        bench_check(ranges[i] != 0, "the reference found too few places in the pattern");
    }
    for (i = 0; i < TEETH; i += 2)
        tree_release(&tree, ranges[i]);
    pattern.pair = (double)(bench_now() - begun) / (TEETH / 2);
    tree_finish(&tree);
    free(gaps);
    return pattern;
}

static void run_pattern(struct bench *bench)
{
    double fill[2][BENCH_ROUNDS], pair[2][BENCH_ROUNDS];
    uint32_t *ranges = bench_allocate(TEETH, sizeof *ranges), round;
    struct bench_line line = {"3 the buddy test pattern, a fill operation", "ns",
                              .reference_name = "best fit", .reach = "<= 1000"};

    for (round = 0; round < BENCH_ROUNDS; round++) {
        struct pattern ours = segment_pattern(ranges), theirs = tree_pattern(ranges);

        fill[0][round] = ours.fill;
        pair[0][round] = ours.pair;
        fill[1][round] = theirs.fill;
        pair[1][round] = theirs.pair;
    }
    line.vidmm = bench_median(fill[0], BENCH_ROUNDS);
    line.reference = bench_median(fill[1], BENCH_ROUNDS);
    bench_cost(bench, &line);
    snprintf(line.name, sizeof line.name, "3 the buddy test pattern, a pair");
    line.vidmm = bench_median(pair[0], BENCH_ROUNDS);
    line.reference = bench_median(pair[1], BENCH_ROUNDS);
    bench_cost(bench, &line);
    free(ranges);
}

void bench_aligned(struct bench *bench)
{
    /* 528 pages from page 256 of 512 on: 272 aligned ones. 17 from page 8 of 16 on: 9. */
    run_comb(bench, "2 MiB", &(struct comb){.lead = 256, .hole = 528, .live = 496, .request = 512});
    run_comb(bench, "64 KiB", &(struct comb){.lead = 8, .hole = 17, .live = 15, .request = 16});
    run_pattern(bench);
}
