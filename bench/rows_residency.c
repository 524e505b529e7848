/* rows_residency.c: WDDM 2, the engine alone: residency lists, and page tables of what is mapped.
 *
 *     20   MakeResident of what is on the list and in place: one by one, and 1,000 at once
 *     22   page tables after mappings and frees at random, by what the mapped addresses touch
 *     23   a submission while a list of 10, or of 10^6, is in place
 *     24   allocations the whole way: created, mapped, resident, evicted, destroyed
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "bench.h"
#include "random.h"

#define PAGE UINT64_C(4096)
#define GRANULE UINT64_C(0x10000)
#define LEAF (UINT64_C(1) << 21)  /* bytes that a leaf translates */
#define ABOVE (UINT64_C(1) << 30) /* ... and a table above it */

enum { FEW = 10, MANY = 1000000, BATCH = 1000, TIMES = 200000, CHANGES = 1000000, SPOTS = 65536 };

static void create(struct alone *alone, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        alone_create(alone, i, PAGE, PAGE);
}

/* ---- row 20 ---------------------------------------------------------------------------------- */

void bench_residency(struct bench *bench)
{
    double one[BENCH_ROUNDS], batch[BENCH_ROUNDS];
    struct alone alone;

    alone_begin(&alone, 2 * BATCH * PAGE, BATCH, ALONE_LISTED);
    create(&alone, BATCH);
    alone_make_resident(&alone, 0, BATCH);
    for (unsigned round = 0; round < BENCH_ROUNDS; round++) {
        uint64_t begun = bench_cpu_now();

        for (uint32_t i = 0; i < TIMES; i++)
            alone_make_resident(&alone, i % BATCH, 1);
        one[round] = (double)(bench_cpu_now() - begun) / TIMES;
        begun = bench_cpu_now();
        for (uint32_t i = 0; i < TIMES / BATCH; i++)
            alone_make_resident(&alone, 0, BATCH);
        batch[round] = (double)(bench_cpu_now() - begun) / TIMES;
    }
    bench_check(alone_is_resident(&alone, 0) && alone_statistics(&alone).page_ins == BATCH,
                "what is in place came in once");
    bench_fact(bench, &(struct bench_line){"20 MakeResident of what is resident, one", "ns",
                                           bench_median(one, BENCH_ROUNDS), 0, NULL, "<= 30", 0});
    bench_fact(bench, &(struct bench_line){"20 ... each of 1,000 at once", "ns",
                                           bench_median(batch, BENCH_ROUNDS), 0, NULL, "<= 10", 0});
    alone_finish(&alone);
}

/* ---- row 22 ---------------------------------------------------------------------------------- */

/* Bytes of the tables that translate what is mapped: a leaf, a table above it, the root. */
static uint64_t touched(const bool *mapped, uint64_t apart)
{
    uint64_t tables = 1, leaf = UINT64_MAX, above = UINT64_MAX;

    for (uint64_t spot = 0; spot < SPOTS; spot++) {
        uint64_t address = (spot + 1) * apart;

        if (!mapped[spot])
            continue;
        tables += address / LEAF != leaf ? 1 : 0;
        tables += address / ABOVE != above ? 1 : 0;
        leaf = address / LEAF;
        above = address / ABOVE;
    }
    return tables * PAGE;
}

void bench_tables(struct bench *bench)
{
    const uint64_t apart = 13 * GRANULE; /* two or three of a leaf, half of which are mapped */
    bool *mapped = bench_allocate(SPOTS, sizeof(*mapped));
    uint64_t random = 22, own;
    struct bench_line line = {.name = "22 page tables after 10^6 maps and frees at random",
                              .unit = "bytes",
                              .reference_name = "touched",
                              .reach = "<= 1.05 times"};
    struct alone alone;

    alone_begin(&alone, 16 * GRANULE, 1, ALONE_LISTED);
    alone_create(&alone, 0, GRANULE, PAGE);
    own = alone_statistics(&alone).table_bytes; /* the paging process's */
    for (uint32_t i = 0; i < CHANGES; i++) {
        uint32_t spot = random_below(&random, SPOTS);

        if (mapped[spot])
            alone_unmap(&alone, (spot + 1) * apart, GRANULE);
        else
            alone_map(&alone, 0, (spot + 1) * apart, GRANULE);
        mapped[spot] = !mapped[spot];
    }
    line.vidmm = (double)(alone_statistics(&alone).table_bytes - own);
    line.reference = (double)touched(mapped, apart);
    bench_cost(bench, &line);
    alone_finish(&alone);
    free(mapped);
}

/* ---- row 23 ---------------------------------------------------------------------------------- */

static void begin_list(struct alone *alone, uint32_t count)
{
    alone_begin(alone, (count + FEW) * PAGE, count, ALONE_LISTED);
    create(alone, count);
    alone_make_resident(alone, 0, count);
    alone_submit(alone);
}

static double submissions(struct alone *alone)
{
    uint64_t begun = bench_cpu_now();

    for (uint32_t i = 0; i < TIMES; i++)
        alone_submit(alone);
    return (double)(bench_cpu_now() - begun) / TIMES;
}

void bench_list(struct bench *bench)
{
    struct bench_line line = {.unit = "ns", .reference_name = "of 10", .reach = "<= 500 ns"};
    double ns[2][BENCH_ROUNDS];
    struct alone few, many;

    begin_list(&few, FEW);
    begin_list(&many, MANY);
    for (unsigned round = 0; round < BENCH_ROUNDS; round++) {
        ns[0][round] = submissions(&few);
        ns[1][round] = submissions(&many);
    }
    snprintf(line.name, sizeof line.name, "23 submit and end, a list of %u in place", MANY);
    line.vidmm = bench_median(ns[1], BENCH_ROUNDS);
    line.reference = bench_median(ns[0], BENCH_ROUNDS);
    bench_cost(bench, &line);
    alone_finish(&few);
    alone_finish(&many);
}

int bench_list_child(int count, char **arguments)
{
    uint32_t length, rounds;
    struct alone alone;

    bench_check(count == 2, "--child list wants a length and rounds");
    length = (uint32_t)strtoul(arguments[0], NULL, 10);
    rounds = (uint32_t)strtoul(arguments[1], NULL, 10);
    begin_list(&alone, length);
    for (uint32_t round = 0; round < rounds; round++)
        alone_submit(&alone);
    alone_finish(&alone);
    return 0;
}

static double instructions(uint32_t length)
{
    enum { ROUNDS = 1000 };
    char number[16], rounds[16];
    const char *arguments[] = {"--child", "list", number, rounds, NULL};
    double none;

    snprintf(number, sizeof(number), "%u", length);
    snprintf(rounds, sizeof(rounds), "%d", ROUNDS);
    none = bench_instructions(arguments);
    snprintf(rounds, sizeof(rounds), "%d", 2 * ROUNDS);
    return (bench_instructions(arguments) - none) / ROUNDS;
}

void bench_list_instructions(struct bench *bench)
{
    struct bench_line line = {.name = "23 submit and end, a list of 10^6 in place",
                              .unit = "Ir",
                              .reference_name = "of 10",
                              .reach = "<= 1.02 times"};

    line.vidmm = instructions(MANY);
    line.reference = instructions(FEW);
    bench_cost(bench, &line);
}

/* ---- row 24 ---------------------------------------------------------------------------------- */

void bench_lives(struct bench *bench)
{
    uint64_t begun = bench_now();
    struct alone alone;
    size_t before, created, most;

    alone_begin(&alone, (MANY + FEW) * PAGE, BATCH, ALONE_LISTED);
    before = alone.memory.bytes;
    create(&alone, MANY);
    created = alone.memory.bytes - before;
    for (uint32_t i = 0; i < MANY; i++)
        alone_map(&alone, i, (i + 1) * GRANULE, PAGE);
    for (uint32_t i = 0; i < MANY; i += BATCH)
        alone_make_resident(&alone, i, BATCH);
    alone_submit(&alone);
    most = alone.memory.bytes - before;
    bench_check(alone_is_resident(&alone, MANY - 1), "the last of many is not in place");
    for (uint32_t i = 0; i < MANY; i += BATCH)
        alone_evict(&alone, i, BATCH);
    for (uint32_t i = 0; i < MANY; i++)
        alone_destroy(&alone, i);
    bench_fact(bench, &(struct bench_line){"24 an allocation of 10^6, the engine's records",
                                           "bytes", (double)created / MANY, 0, NULL, "<= 300", 0});
    bench_fact(bench, &(struct bench_line){"24 ... mapped and resident", "bytes",
                                           (double)most / MANY, 0, NULL, "<= 300", 0});
    bench_fact(bench,
               &(struct bench_line){"24 ... the whole way", "us",
                                    (double)(bench_now() - begun) / MANY / 1000, 0, NULL, "", 0});
    alone_finish(&alone);
}
