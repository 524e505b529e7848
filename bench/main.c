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
    {"2", bench_runs, NULL},
    {"3", bench_aligned, NULL},
    {"4", bench_growth, NULL}, /* its instructions come with row 1 */
    {"4", bench_many, NULL},
    {"6, 7", bench_policy, NULL},
    {"9", bench_lock, NULL},
    {"9", bench_thunk, NULL},
    {"10", bench_listed, NULL},
    {"11", bench_submit, NULL},
    {"12", bench_fence, NULL},
    {"13, 16", bench_build, NULL},
    {"15", bench_copy, NULL},
    {"17", bench_replay, NULL},
    {"18", NULL, bench_references_instructions},
    {"20", bench_residency, NULL},
    {"21", bench_address, NULL},
    {"22", bench_tables, NULL},
    {"23", bench_list, bench_list_instructions},
    {"24", bench_lives, NULL},
};

static const char help[] =
    "usage: vidmm-bench [--full | --callgrind | --help] [ROW]\n"
    "Measure vidmm against references in the same process and print a table of ratios.\n"
    "  (nothing)    the short form, about a minute\n"
    "  --full       more steps of each\n"
    "  --callgrind  rows 1, 4, 18 and 23 in instructions an operation, counted by valgrind\n"
    "  ROW          only the group that has the row of this number\n"
    "A ratio below 1 means that vidmm needs less than the reference.\n";

/* Whether the list of rows, "13, 16", has this one. */
static bool has_row(const char *rows, const char *row)
{
    size_t length = strlen(row);

    for (; rows; rows = strchr(rows, ' ')) {
        rows += *rows == ' ';
        if (strncmp(rows, row, length) == 0 && (rows[length] == ',' || rows[length] == 0))
            return true;
    }
    return false;
}

static bool is_row(const char *row)
{
    size_t i;

    for (i = 0; i < sizeof groups / sizeof *groups; i++)
        if (has_row(groups[i].rows, row))
            return true;
    return false;
}

int main(int count, char **arguments)
{
    struct bench bench = {0};
    bool callgrind = false;
    const char *row = NULL;
    size_t i;

    if (count >= 3 && strcmp(arguments[1], "--child") == 0 &&
        strcmp(arguments[2], "references") == 0)
        return bench_references_child(count - 3, arguments + 3);
    if (count >= 3 && strcmp(arguments[1], "--child") == 0 && strcmp(arguments[2], "list") == 0)
        return bench_list_child(count - 3, arguments + 3);
    if (count >= 2 && strcmp(arguments[1], "--child") == 0)
        return bench_churn_child(count - 2, arguments + 2);
    for (int at = 1; at < count; at++) {
        if (strcmp(arguments[at], "--help") == 0) {
            fputs(help, stdout);
            return 0;
        }
        if (strcmp(arguments[at], "--full") == 0) {
            bench.full = true;
        } else if (strcmp(arguments[at], "--callgrind") == 0) {
            callgrind = true;
        } else if (!row && is_row(arguments[at])) {
            row = arguments[at];
        } else {
            fprintf(stderr, "vidmm-bench: no such row or option: '%s'\n%s", arguments[at], help);
            return 2;
        }
    }
    bench_print_head();
    for (i = 0; i < sizeof groups / sizeof *groups; i++) {
        void (*run)(struct bench *) = callgrind ? groups[i].instructions : groups[i].run;

        if (run && (!row || has_row(groups[i].rows, row))) {
            fprintf(stderr, "row %s ...\n", groups[i].rows);
            run(&bench);
        }
    }
    bench_print(&bench);
    return 0;
}
