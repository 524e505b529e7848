/* rows_address.c: row 21: GPU virtual addresses. Mappings of 64 KiB stand in one address space; one
 * of them at random is freed, and one is mapped where the space chooses. Beside it: a thousand
 * mappings. How much memory a mapping takes is counted at the highest. */
#include <stdio.h>
#include <stdlib.h>

#include <wddm/ntstatus.h>

#include "bench.h"
#include "random.h"
#include "vidmm/engine/address/address_space.h"

#define SIZE UINT64_C(0x10000)

enum { FEW = 1000, ROUNDS_AT_ONCE = 200000 };

struct mappings {
    struct vidmm_address_space space;
    struct vidmm_address_link ring;
    struct bench_memory memory;
    uint64_t *addresses, random;
    uint32_t count;
};

static uint64_t map_one(struct mappings *mappings)
{
    struct vidmm_address_wish wish = {.size = SIZE};
    struct vidmm_address_meaning meaning = {.state = VIDMM_ADDRESS_MAPPED,
                                            .access = VIDMM_ADDRESS_WRITE,
                                            .allocation = 1,
                                            .ring = &mappings->ring};
    struct vidmm_address_edit edit;

    bench_check(vidmm_address_decide_map(&mappings->space, &wish, &meaning, &edit) ==
                    STATUS_SUCCESS,
                "addresses could not be mapped");
    vidmm_address_apply(&mappings->space, &edit);
    return edit.start;
}

static void free_one(struct mappings *mappings, uint64_t address)
{
    struct vidmm_address_edit edit;

    bench_check(vidmm_address_decide_free(&mappings->space, address, SIZE, &edit) == STATUS_SUCCESS,
                "addresses could not be freed");
    vidmm_address_apply(&mappings->space, &edit);
}

static void begin(struct mappings *mappings, uint32_t count)
{
    *mappings = (struct mappings){.count = count};
    bench_memory_init(&mappings->memory);
    vidmm_address_space_init(&mappings->space, SIZE, UINT64_C(1) << 47, &mappings->memory.memory);
    vidmm_address_ring_init(&mappings->ring);
    mappings->addresses = bench_allocate(count, sizeof(uint64_t));
    for (uint32_t i = 0; i < count; i++)
        mappings->addresses[i] = map_one(mappings);
}

static void end(struct mappings *mappings)
{
    bench_check(mappings->space.count == mappings->count, "as many mappings as were made");
    vidmm_address_space_finish(&mappings->space);
    free(mappings->addresses);
}

/* Measure ns a free and a map. */
static double turn(struct mappings *mappings)
{
    uint64_t begun = bench_cpu_now();

    for (uint32_t i = 0; i < ROUNDS_AT_ONCE; i++) {
        uint32_t which = random_below(&mappings->random, mappings->count);

        free_one(mappings, mappings->addresses[which]);
        mappings->addresses[which] = map_one(mappings);
    }
    return (double)(bench_cpu_now() - begun) / ROUNDS_AT_ONCE;
}

void bench_address(struct bench *bench)
{
    struct bench_line line = {
        .unit = "ns", .reference_name = "of 1,000", .reach = "<= 300 ns, <= 2 times"};
    struct mappings few, many;
    double ns[2][BENCH_ROUNDS];
    size_t bytes;

    begin(&few, FEW);
    begin(&many, 1000000);
    bytes = many.memory.bytes;
    for (unsigned round = 0; round < BENCH_ROUNDS; round++) {
        ns[0][round] = turn(&few);
        ns[1][round] = turn(&many);
    }
    snprintf(line.name, sizeof line.name, "21 free and map 64 KiB of addresses, of %u mappings",
             many.count);
    line.vidmm = bench_median(ns[1], BENCH_ROUNDS);
    line.reference = bench_median(ns[0], BENCH_ROUNDS);
    bench_cost(bench, &line);
    bench_fact(bench, &(struct bench_line){"21 memory of a mapping", "bytes",
                                           (double)bytes / many.count, 0, NULL, "<= 96", 0});
    end(&few);
    end(&many);
}
