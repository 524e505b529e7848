/* bench.c: the report, the clock, and memory that counts. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifndef BENCH_ROOT
#define BENCH_ROOT "."
#endif

/* ---- The report ---- */

static struct bench_line *add(struct bench *bench, const struct bench_line *line)
{
    bench_check(bench->count < BENCH_LINES, "the report has too few lines");
    bench->lines[bench->count] = *line;
    return &bench->lines[bench->count++];
}

void bench_cost(struct bench *bench, const struct bench_line *line)
{
    add(bench, line)->ratio = line->vidmm / line->reference;
}

void bench_yield(struct bench *bench, const struct bench_line *line)
{
    add(bench, line)->ratio = line->reference / line->vidmm;
}

void bench_fact(struct bench *bench, const struct bench_line *line)
{
    add(bench, line)->ratio = 0;
}

static void print_cpu(void)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");

    while (file && fgets(line, sizeof line, file)) {
        char *value = strstr(line, ": ");

        if (strncmp(line, "model name", 10) == 0 && value) {
            printf("cpu       %s", value + 2);
            fclose(file);
            return;
        }
    }
    if (file)
        fclose(file);
    printf("cpu       unknown\n");
}

/* From the environment, or from git as the sources are now. */
static void print_commit(void)
{
    const char *given = getenv("VIDMM_COMMIT");
    char commit[64] = "";
    FILE *git;

    if (!given) {
        git = popen("git -C '" BENCH_ROOT "' describe --always --dirty 2>/dev/null", "r");
        if (git) {
            given = fgets(commit, sizeof commit, git);
            pclose(git);
        }
    }
    commit[strcspn(commit, "\n")] = '\0';
    printf("commit    %s\n\n", given && *given ? given : "unknown");
}

void bench_print_head(void)
{
#ifdef __clang__
    printf("compiler  clang %s\n", __clang_version__);
#else
    printf("compiler  gcc %s\n", __VERSION__);
#endif
    print_cpu();
    print_commit();
}

static void print_line(const struct bench_line *line)
{
    printf("%-66s %-6s %10.4g", line->name, line->unit, line->vidmm);
    if (line->reference_name)
        printf(" %10.4g  %-12s", line->reference, line->reference_name);
    else
        printf(" %10s  %-12s", "", "");
    if (line->ratio > 0)
        printf(" %7.2g", line->ratio);
    else
        printf(" %7s", "");
    printf("  %s\n", line->reach ? line->reach : "");
}

void bench_print(const struct bench *bench)
{
    double sum = 0;
    unsigned i, ratios = 0;

    printf("%-66s %-6s %10s %10s  %-12s %7s  %s\n", "row", "unit", "vidmm", "reference", "",
           "ratio", "aim");
    for (i = 0; i < bench->count; i++) {
        print_line(&bench->lines[i]);
        if (bench->lines[i].ratio > 0) {
            sum += log(bench->lines[i].ratio);
            ratios++;
        }
    }
    if (ratios > 0) {
        printf("%-66s %-6s %10s %10s  %-12s %7.2g  below 1 is better than the reference\n",
               "geometric mean of the ratios", "", "", "", "", exp(sum / ratios));
    }
}

void bench_check(bool right, const char *what)
{
    if (!right) {
        fprintf(stderr, "vidmm-bench: wrong: %s\n", what);
        exit(1);
    }
}

/* ---- The clock ---- */

uint64_t bench_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t bench_cpu_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return (values[count / 2] + values[(count - 1) / 2]) / 2;
}

/* ---- Memory ---- */

/* Large blocks lie on huge pages, as a kernel's do: else the larger rows measure page tables. */
static void *allocate(size_t size)
{
    const size_t huge = (size_t)2 << 20;
    void *block;

    if (size < huge)
        return calloc(1, size);
    block = aligned_alloc(huge, (size + huge - 1) & ~(huge - 1));
    if (block) {
        madvise(block, size, MADV_HUGEPAGE);
        memset(block, 0, size);
    }
    return block;
}

void *bench_allocate(size_t count, size_t size)
{
    void *block = allocate(count * size);

    bench_check(block != NULL, "out of memory");
    return block;
}

/* A block is preceded by its size, 16 bytes ahead to keep the alignment. */
static void *count_and_allocate(void *context, size_t size)
{
    struct bench_memory *memory = context;
    size_t *block = allocate(size + 16);

    if (!block)
        return NULL;
    *block = size;
    memory->bytes += size;
    return (char *)block + 16;
}

static void count_and_free(void *context, void *block)
{
    struct bench_memory *memory = context;
    size_t *whole = (size_t *)(void *)((char *)block - 16);

    memory->bytes -= *whole;
    free(whole);
}

void bench_memory_init(struct bench_memory *memory)
{
    *memory = (struct bench_memory){{memory, count_and_allocate, count_and_free}, 0};
}
