/*
 * rows_references.c: row 18, instructions that the engine needs for each reference of a DMA buffer,
 * with --callgrind: a list of which everything is in place, and one of which most has to be brought
 * in, 10^3 and 3 * 10^3 long. The cost must not grow with the list.
 *
 * Two lists take turns where something is to be missing: the segment holds three quarters of what
 * both name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "bench.h"

enum { PAGE = 4096, FEW = 4, MANY = 12 };

int bench_references_child(int count, char **arguments)
{
    uint32_t references, rounds;
    struct alone alone;
    bool missing;

    bench_check(count == 3, "--child references wants a kind, references and rounds");
    missing = strcmp(arguments[0], "missing") == 0;
    references = (uint32_t)strtoul(arguments[1], NULL, 10);
    rounds = (uint32_t)strtoul(arguments[2], NULL, 10);
    alone_begin(&alone, ((uint64_t)references * (missing ? 3 : 2) / 2 + 1) * PAGE, references,
                ALONE_PHYSICAL);
    for (uint32_t i = 0; i < (missing ? 2 * references : references); i++)
        alone_create(&alone, i, PAGE, PAGE);
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; (missing || round == 0) && i < references; i++)
            alone_name(&alone, i + (missing && round % 2 == 1 ? references : 0), false);
        if (missing)
            alone_submit(&alone);
        else
            alone_submit_again(&alone); /* the list is the engine's business, not its making */
    }
    alone_finish(&alone);
    return 0;
}

static double instructions(const char *kind, uint32_t references)
{
    char count[16], rounds[16];
    const char *arguments[] = {"--child", "references", kind, count, rounds, NULL};
    double few;

    snprintf(count, sizeof(count), "%u", references);
    snprintf(rounds, sizeof(rounds), "%d", FEW);
    few = bench_instructions(arguments);
    snprintf(rounds, sizeof(rounds), "%d", MANY);
    return (bench_instructions(arguments) - few) / (MANY - FEW) / references;
}

void bench_references_instructions(struct bench *bench)
{
    static const char *const kinds[] = {"in place", "missing"};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct bench_line line = {.unit = "Ir", .reference_name = "3,000"};

        snprintf(line.name, sizeof(line.name), "18 a reference, %s, of a list of 1,000", kinds[i]);
        line.reach = i == 0 ? "<= 300" : "as many at 3,000";
        line.vidmm = instructions(kinds[i], 1000);
        line.reference = instructions(kinds[i], 3000);
        bench_fact(bench, &line);
    }
}
