/* main.c: vidmm-bench, which measures vidmm against references and prints a table of ratios. */
#include <stdio.h>
#include <string.h>

#include "bench.h"

/* A row group a line, in the order of the rows. `instructions`: with --callgrind instead. */
static const struct {
    const char *rows;
    void (*run)(struct bench *bench);
    void (*instructions)(struct bench *bench);
} groups[] = {
    {"1, 5", bench_churn, bench_churn_instructions},
    {"3", bench_aligned, NULL},
    {"4", bench_growth, NULL}, /* its instructions come with row 1 */
    {"15", bench_copy, NULL},
    {"17", bench_replay, NULL},
};

static const char help[] =
    "usage: vidmm-bench [--full | --callgrind | --help]\n"
    "Measure vidmm against references in the same process and print a table of ratios.\n"
    "  (nothing)    the short form, under 40 seconds\n"
    "  --full       more steps of each\n"
    "  --callgrind  rows 1 and 4 in instructions an operation, counted by valgrind\n"
    "A ratio below 1 means that vidmm needs less than the reference.\n";

int main(int count, char **arguments)
{
    struct bench bench = {0};
    bool callgrind = false;
    size_t i;

    if (count >= 2 && strcmp(arguments[1], "--child") == 0) {
        return bench_churn_child(count - 2, arguments + 2);
    }
    if (count == 2 && strcmp(arguments[1], "--help") == 0) {
        fputs(help, stdout);
        return 0;
    }
    bench.full = count == 2 && strcmp(arguments[1], "--full") == 0;
    callgrind = count == 2 && strcmp(arguments[1], "--callgrind") == 0;
    if (count > 2 || (count == 2 && !bench.full && !callgrind)) {
        fprintf(stderr, "vidmm-bench: unknown argument '%s'\n%s", arguments[count - 1], help);
        return 2;
    }
    bench_print_head();
    for (i = 0; i < sizeof groups / sizeof *groups; i++) {
        void (*run)(struct bench *) = callgrind ? groups[i].instructions : groups[i].run;

        if (run) {
            fprintf(stderr, "row %s ...\n", groups[i].rows);
            run(&bench);
        }
    }
    bench_print(&bench);
    return 0;
}
