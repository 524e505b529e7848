/*
 * rows_copy.c: row 15, what the software copy engine does with one Transfer or Fill record, against
 * the best primitive of the processor over the same page runs: memcpy (memset), string
 * instructions, stores that go past the caches. Contiguous: one run. Scattered: runs of 1 to 16
 * pages in random order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "bench.h"
#include "random.h"
#include "softgpu/device_copy.h"

enum { PAGE = 4096, RUNS_MOST = 65536 };

struct run {
    size_t offset, bytes;
};

struct place {
    uint8_t *destination, *source;
    struct run *runs; /* of both */
    size_t count, bytes;
    struct softgpu_mover mover;
};

static void make_runs(struct place *place, size_t bytes, bool scattered)
{
    uint64_t state = 7;
    size_t offset = 0, i;

    place->count = 0;
    place->bytes = bytes;
    while (offset < bytes) {
        size_t run = scattered ? (1 + random_below(&state, 16)) * PAGE : bytes;

        run = run < bytes - offset ? run : bytes - offset;
        place->runs[place->count++] = (struct run){offset, run};
        offset += run;
    }
    for (i = place->count; i > 1; i--) {
        size_t other = random_below(&state, (uint32_t)i);
        struct run run = place->runs[i - 1];

        place->runs[i - 1] = place->runs[other];
        place->runs[other] = run;
    }
}

/* ---- the ways -------------------------------------------------------------------------------- */

typedef void way(const struct place *place);

static void copy_engine(const struct place *place)
{
    size_t i;

    for (i = 0; i < place->count; i++) {
        const struct run *run = &place->runs[i];
        const void *next = i + 1 < place->count ? place->source + run[1].offset : NULL;

        softgpu_copy(&place->mover, place->destination + run->offset, place->source + run->offset,
                     run->bytes, next, place->bytes);
    }
    softgpu_mover_drain(&place->mover);
}

static void fill_engine(const struct place *place)
{
    size_t i;

    for (i = 0; i < place->count; i++) {
        softgpu_fill(&place->mover, place->destination + place->runs[i].offset, 0x5a5a5a5a, 0,
                     place->runs[i].bytes, place->bytes);
    }
    softgpu_mover_drain(&place->mover);
}

static void copy_library(const struct place *place)
{
    size_t i;

    for (i = 0; i < place->count; i++) {
        memcpy(place->destination + place->runs[i].offset, place->source + place->runs[i].offset,
               place->runs[i].bytes);
    }
}

static void fill_library(const struct place *place)
{
    size_t i;

    for (i = 0; i < place->count; i++)
        memset(place->destination + place->runs[i].offset, 0x5a, place->runs[i].bytes);
}

#if defined(__x86_64__)
static void copy_strings(const struct place *place)
{
    size_t i;

    for (i = 0; i < place->count; i++) {
        uint8_t *to = place->destination + place->runs[i].offset;
        const uint8_t *from = place->source + place->runs[i].offset;
        size_t bytes = place->runs[i].bytes;

        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
    }
}

static void fill_strings(const struct place *place)
{
    size_t i;

    for (i = 0; i < place->count; i++) {
        uint8_t *to = place->destination + place->runs[i].offset;
        size_t bytes = place->runs[i].bytes;

        __asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(0x5a) : "memory");
    }
}

static void copy_past_caches(const struct place *place)
{
    size_t i, at;

    for (i = 0; i < place->count; i++) {
        __m128i *to = (__m128i *)(void *)(place->destination + place->runs[i].offset);
        const __m128i *from =
            (const __m128i *)(const void *)(place->source + place->runs[i].offset);

        for (at = 0; at < place->runs[i].bytes / sizeof(__m128i); at++)
            _mm_stream_si128(&to[at], _mm_loadu_si128(&from[at]));
    }
    _mm_sfence();
}

static void fill_past_caches(const struct place *place)
{
    const __m128i value = _mm_set1_epi8(0x5a);
    size_t i, at;

    for (i = 0; i < place->count; i++) {
        __m128i *to = (__m128i *)(void *)(place->destination + place->runs[i].offset);

        for (at = 0; at < place->runs[i].bytes / sizeof(__m128i); at++)
            _mm_stream_si128(&to[at], value);
    }
    _mm_sfence();
}

static way *const copy_ways[] = {copy_library, copy_strings, copy_past_caches};
static way *const fill_ways[] = {fill_library, fill_strings, fill_past_caches};
#else
static way *const copy_ways[] = {copy_library};
static way *const fill_ways[] = {fill_library};
#endif

enum { WAYS = sizeof copy_ways / sizeof *copy_ways };

/* ---- measuring ------------------------------------------------------------------------------- */

/* GB/s of one way, long enough to be seen by the clock. */
static double speed(way *run, const struct place *place)
{
    size_t repeats = 1 + ((size_t)32 << 20) / place->bytes, i;
    uint64_t begun;

    run(place); /* the caches that the way before it left are not its merit */
    begun = bench_now();
    for (i = 0; i < repeats; i++)
        run(place);
    return (double)(repeats * place->bytes) / (double)(bench_now() - begun);
}

static void measure(struct bench *bench, struct place *place, const char *what, const char *how,
                    way *engine, way *const *ways)
{
    double ours[BENCH_ROUNDS], best[BENCH_ROUNDS];
    struct bench_line line = {
        .unit = "GB/s", .reference_name = "best primitive", .reach = ">= 0.95x"};
    unsigned round, i;

    for (round = 0; round < BENCH_ROUNDS; round++) {
        best[round] = 0;
        ours[round] = speed(engine, place);
        for (i = 0; i < WAYS; i++) {
            double other = speed(ways[i], place);

            best[round] = other > best[round] ? other : best[round];
        }
    }
    snprintf(line.name, sizeof line.name, "15 execution of one %s record, %s, %zu KiB", what, how,
             place->bytes >> 10);
    line.vidmm = bench_median(ours, BENCH_ROUNDS);
    line.reference = bench_median(best, BENCH_ROUNDS);
    bench_yield(bench, &line);
}

static void check(const struct place *place)
{
    memset(place->destination, 0, place->bytes);
    copy_engine(place);
    bench_check(memcmp(place->destination, place->source, place->bytes) == 0, "a copy");
    fill_engine(place);
    bench_check(place->destination[0] == 0x5a &&
                    memcmp(place->destination, place->destination + 1, place->bytes - 1) == 0,
                "a fill");
}

void bench_copy(struct bench *bench)
{
    static const size_t sizes[] = {(size_t)64 << 10, (size_t)1 << 20, (size_t)16 << 20,
                                   (size_t)256 << 20};
    size_t largest = bench->full ? sizes[3] : (size_t)64 << 20, i;
    struct place place = {.runs = bench_allocate(RUNS_MOST, sizeof(struct run))};
    bool scattered = false;

    place.destination = aligned_alloc(PAGE, largest);
    place.source = aligned_alloc(PAGE, largest);
    bench_check(place.destination && place.source, "memory for row 15");
    memset(place.destination, 1, largest);
    for (i = 0; i < largest; i++)
        place.source[i] = (uint8_t)(i * 7 + i / PAGE);
    softgpu_mover_init(&place.mover);
    do {
        for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const char *how = scattered ? "scattered" : "in one run";

            make_runs(&place, sizes[i] < largest ? sizes[i] : largest, scattered);
            check(&place);
            measure(bench, &place, "Transfer", how, copy_engine, copy_ways);
            measure(bench, &place, "Fill", how, fill_engine, fill_ways);
        }
        scattered = !scattered;
    } while (scattered);
    free(place.destination);
    free(place.source);
    free(place.runs);
}
