/*
 * rows_instructions.c: rows 1 and 4 in instructions an operation, with --callgrind.
 *
 * This program runs itself under valgrind, twice for each figure: with few steps and with many. The
 * difference is what the steps between cost, the loop that hands out the requests included. The
 * floor is the same loop around a stack of numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "churn.h"

enum { FEW_STEPS = 50000, MANY_STEPS = 150000 };

static uint64_t run_floor(struct churn *churn, uint32_t steps)
{
    struct floor floor = {bench_allocate(churn->slot_capacity, 4), churn->slot_capacity};
    uint32_t i;

    for (i = 0; i < floor.count; i++)
        floor.stack[i] = i + 1;
    churn_fill(churn, &floor, floor_take);
    churn_steps(churn, steps, &floor, floor_take, floor_release);
    free(floor.stack);
    return churn->operations;
}

static uint64_t run_segment(struct churn *churn, uint32_t pages, uint32_t steps)
{
    struct bench_memory memory;
    struct vidmm_segment segment;

    bench_memory_init(&memory);
    bench_check(vidmm_segment_init(&segment, (uint64_t)pages << 12, &memory.memory),
                "a segment could not be made");
    churn_fill(churn, &segment, segment_take);
    churn_steps(churn, steps, &segment, segment_take, segment_release);
    vidmm_segment_finish(&segment);
    return churn->operations;
}

static uint64_t run_tree(struct churn *churn, enum tree_fit fit, uint32_t pages, uint32_t steps)
{
    struct tree tree;

    tree_init(&tree, fit, pages, 2 * churn->slot_capacity);
    churn_fill(churn, &tree, reference_take);
    churn_steps(churn, steps, &tree, reference_take, reference_release);
    tree_finish(&tree);
    return churn->operations;
}

/* Operations done by one allocator in so many steps. */
static uint64_t run(const char *allocator, uint32_t pages, uint32_t steps)
{
    struct churn_stream stream = churn_stream_make(1, churn_stream_length(pages, MANY_STEPS));
    struct churn churn;
    uint64_t operations;

    churn_init(&churn, &stream, pages);
    if (strcmp(allocator, "floor") == 0) {
        operations = run_floor(&churn, steps);
    } else if (strcmp(allocator, "vidmm") == 0) {
        operations = run_segment(&churn, pages, steps);
    } else {
        bool best = strcmp(allocator, "best fit") == 0;

        operations = run_tree(&churn, best ? TREE_BEST_FIT : TREE_FIRST_FIT, pages, steps);
    }
    churn_finish(&churn);
    free(stream.requests);
    return operations;
}

int bench_churn_child(int count, char **arguments)
{
    bench_check(count == 3, "--child wants an allocator, pages and steps");
    run(arguments[0], (uint32_t)strtoul(arguments[1], NULL, 10),
        (uint32_t)strtoul(arguments[2], NULL, 10));
    return 0;
}

static double count(const char *allocator, uint32_t pages, uint32_t steps)
{
    char pages_text[16], steps_text[16];
    const char *arguments[] = {"--child", allocator, pages_text, steps_text, NULL};

    snprintf(pages_text, sizeof pages_text, "%u", pages);
    snprintf(steps_text, sizeof steps_text, "%u", steps);
    return bench_instructions(arguments);
}

static double instructions(const char *allocator, uint32_t pages)
{
    double operations =
        (double)(run(allocator, pages, MANY_STEPS) - run(allocator, pages, FEW_STEPS));

    return (count(allocator, pages, MANY_STEPS) - count(allocator, pages, FEW_STEPS)) / operations;
}

static void report_churn(struct bench *bench, unsigned gib)
{
    static const char *const references[] = {"floor", "best fit", "first fit"};
    double ours = instructions("vidmm", gib << 18);
    unsigned i;

    for (i = 0; i < sizeof references / sizeof *references; i++) {
        struct bench_line line = {.unit = "Ir/op", .vidmm = ours, .reach = "<= 150"};

        snprintf(line.name, sizeof line.name, "1 take/release in a segment, GPU mix, 90 %%, %u GiB",
                 gib);
        line.reference_name = references[i];
        line.reference = instructions(references[i], gib << 18);
        if (i == 0)
            bench_fact(bench, &line); /* nothing is as cheap as the floor: no ratio */
        else
            bench_cost(bench, &line);
    }
}

void bench_churn_instructions(struct bench *bench)
{
    struct bench_line line = {"4 growth 10^3 -> 10^6 live", "x Ir", .reference_name = "best fit",
                              .reach = "<= 4"};

    report_churn(bench, 8);
    report_churn(bench, 80);
    line.vidmm = instructions("vidmm", churn_segment_pages(1000000)) /
                 instructions("vidmm", churn_segment_pages(1000));
    line.reference = instructions("best fit", churn_segment_pages(1000000)) /
                     instructions("best fit", churn_segment_pages(1000));
    bench_cost(bench, &line);
}
