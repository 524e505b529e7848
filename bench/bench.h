/*
 * bench.h: the tools of every row of the benchmark.
 *
 * A row group is one source file with one function, listed in main.c. It runs vidmm and a reference
 * in turn in the same process, checks that both did right, and adds its lines to the report. A line
 * begins with the number and the name that its row has in the table of aims.
 */
#ifndef VIDMM_BENCH_H
#define VIDMM_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vidmm/memory.h>

enum { BENCH_ROUNDS = 5, BENCH_LINES = 256 };

/* One line of the table. */
struct bench_line {
    char name[72];
    const char *unit;
    double vidmm, reference;
    const char *reference_name; /* NULL: there is none, the line has no ratio */
    const char *reach;          /* the aim, in words */
    double ratio; /* vidmm's cost by the reference's cost: below 1 is better; 0: none */
};

struct bench {
    bool full; /* the long form */
    struct bench_line lines[BENCH_LINES];
    unsigned count;
};

/* Add a line whose ratio is vidmm / reference. */
void bench_cost(struct bench *bench, const struct bench_line *line);

/* Add a line of which more is better: its ratio is reference / vidmm. */
void bench_yield(struct bench *bench, const struct bench_line *line);

/* Add a line of which no ratio is taken. */
void bench_fact(struct bench *bench, const struct bench_line *line);

/* Print compiler, CPU and commit; then the table, and the geometric mean of its ratios. */
void bench_print_head(void);
void bench_print(const struct bench *bench);

/* Say what went wrong and stop with status 1, if `right` is false. */
void bench_check(bool right, const char *what);

/* Nanoseconds of a clock that never goes back. */
uint64_t bench_now(void);

/* Nanoseconds that this thread has run: time that other programs take away does not count. Costs a
 * system call. */
uint64_t bench_cpu_now(void);

/* The median of values; they are sorted in place. */
double bench_median(double *values, size_t count);

/* Zeroed memory, or the program stops. */
void *bench_allocate(size_t count, size_t size);

/* Host memory for vidmm that counts the bytes it has given and not got back. */
struct bench_memory {
    struct vidmm_memory memory;
    size_t bytes;
};
void bench_memory_init(struct bench_memory *memory);

/* Instructions that this program needs with such arguments, counted by valgrind. Stops the program
 * with a reason if valgrind is not there. */
double bench_instructions(const char *const *arguments);

/* The row groups. */
void bench_churn(struct bench *bench);
void bench_churn_instructions(struct bench *bench);
int bench_churn_child(int count, char **arguments); /* the program that bench_instructions() runs */
void bench_references_instructions(struct bench *bench);
int bench_references_child(int count, char **arguments);
void bench_growth(struct bench *bench);
void bench_many(struct bench *bench);
void bench_runs(struct bench *bench);
void bench_aligned(struct bench *bench);
void bench_build(struct bench *bench);
void bench_listed(struct bench *bench);
void bench_lock(struct bench *bench);
void bench_submit(struct bench *bench);
void bench_fence(struct bench *bench);
void bench_thunk(struct bench *bench);
void bench_copy(struct bench *bench);
void bench_replay(struct bench *bench);
void bench_address(struct bench *bench);
void bench_residency(struct bench *bench);
void bench_tables(struct bench *bench);
void bench_list(struct bench *bench);
void bench_list_instructions(struct bench *bench);
int bench_list_child(int count, char **arguments);
void bench_lives(struct bench *bench);
void bench_policy(struct bench *bench);

#endif
