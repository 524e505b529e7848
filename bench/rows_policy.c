/* rows_policy.c: rows 6 and 7, who leaves, by the engine alone.
 *
 * Each is measured as the GPU reaches memory: physically, where every allocation has one range of
 * the segment, and through an MMU, where it lies in runs of pages.
 *
 * Row 6: a full segment of 8 GiB and the GPU mix; one more allocation is named, and others leave
 * for it. Occupancy: share of the segment that stays in use. Age rank of those that leave: 0, the
 * oldest of all; 1, the newest. The time is that of the step in which it is decided.
 *
 * Row 7: bytes that come in again under a workload, against what Belady's optimum and the least
 * recently used order bring in where nothing has a place.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "alone.h"
#include "bench.h"
#include "random.h"
#include "workload.h"

#define MEMORY (UINT64_C(8) << 30)

/* ---- row 6 ----------------------------------------------------------------------------------- */

enum { CHANGES = 2000, NAMED = 4 };

struct crowd {
    struct alone alone;
    uint64_t *sizes, *uses; /* by item; uses 0: it is not in the segment */
    uint32_t count, capacity;
    uint64_t now, used, seed;
    double ranks, us[CHANGES], occupancy;
    uint32_t victims, rooms; /* rooms: how often others left for one */
};

static uint32_t join(struct crowd *crowd)
{
    uint32_t item = crowd->count++;

    crowd->sizes[item] = workload_mixed_size(&crowd->seed);
    alone_create(&crowd->alone, item, crowd->sizes[item],
                 random_below(&crowd->seed, 2) == 0 ? 4096 : 65536);
    alone_name(&crowd->alone, item, false);
    crowd->uses[item] = crowd->now;
    crowd->used += crowd->sizes[item];
    return item;
}

/* Share of what is in the segment that was used before `use`. */
static double rank_of(const struct crowd *crowd, uint64_t use)
{
    uint32_t i, older = 0, all = 0;

    for (i = 0; i < crowd->count; i++) {
        older += crowd->uses[i] != 0 && crowd->uses[i] < use ? 1 : 0;
        all += crowd->uses[i] != 0 ? 1 : 0;
    }
    return (double)older / all;
}

static bool see_who_left(struct crowd *crowd)
{
    uint32_t i, before = crowd->victims;

    for (i = 0; i < crowd->count; i++)
        if (crowd->uses[i] != 0 && !alone_is_resident(&crowd->alone, i)) {
            crowd->ranks += rank_of(crowd, crowd->uses[i]);
            crowd->victims++;
        }
    for (i = 0; i < crowd->count; i++)
        if (crowd->uses[i] != 0 && !alone_is_resident(&crowd->alone, i)) {
            crowd->uses[i] = 0;
            crowd->used -= crowd->sizes[i];
        }
    return crowd->victims != before;
}

/* Some that are there are used, so that age is not the order of arrival. */
static void use_some(struct crowd *crowd)
{
    uint32_t i;

    crowd->now++;
    for (i = 0; i < NAMED; i++) {
        uint32_t item = random_below(&crowd->seed, crowd->count);

        if (crowd->uses[item] != 0 && crowd->uses[item] != crowd->now) {
            crowd->uses[item] = crowd->now;
            alone_name(&crowd->alone, item, false);
        }
    }
    if (crowd->alone.count > 0)
        alone_submit(&crowd->alone);
}

static void crowd_change(struct crowd *crowd)
{
    use_some(crowd);
    crowd->now++;
    join(crowd);
    alone_submit(&crowd->alone);
    crowd->us[crowd->rooms] = (double)crowd->alone.decided_ns / 1000;
    crowd->rooms += see_who_left(crowd) ? 1 : 0;
    crowd->occupancy += (double)crowd->used / (double)MEMORY / CHANGES;
}

static void crowd_run(struct crowd *crowd, enum alone_kind kind)
{
    uint32_t change;

    *crowd = (struct crowd){.capacity = 16384, .seed = 11};
    crowd->sizes = bench_allocate(crowd->capacity, sizeof(*crowd->sizes));
    crowd->uses = bench_allocate(crowd->capacity, sizeof(*crowd->uses));
    alone_begin(&crowd->alone, MEMORY, NAMED + 1, kind);
    while (crowd->victims == 0) {
        crowd->now++;
        join(crowd);
        alone_submit(&crowd->alone);
        see_who_left(crowd);
        use_some(crowd);
    }
    crowd->ranks = 0;
    crowd->victims = 0;
    for (change = 0; change < CHANGES; change++)
        crowd_change(crowd);
    alone_finish(&crowd->alone);
    free(crowd->sizes);
    free(crowd->uses);
}

static void make_room(struct bench *bench, enum alone_kind kind, const char *what)
{
    static struct crowd crowd;
    struct bench_line line = {.unit = "%", .reach = ">= 99"};

    crowd_run(&crowd, kind);
    bench_check(crowd.rooms >= CHANGES / 10, "allocations leave in row 6");
    snprintf(line.name, sizeof line.name, "6 make room in a full segment%s: kept in use", what);
    line.vidmm = 100 * crowd.occupancy;
    bench_fact(bench, &line);
    line = (struct bench_line){.vidmm = crowd.ranks / crowd.victims, .reach = "<= 0.05"};
    line.unit = "";
    snprintf(line.name, sizeof line.name, "6 ... age rank of those that leave%s", what);
    bench_fact(bench, &line);
    line = (struct bench_line){.vidmm = bench_median(crowd.us, crowd.rooms), .reach = "<= 5"};
    line.unit = "us";
    snprintf(line.name, sizeof line.name, "6 ... the step that decides, median%s", what);
    bench_fact(bench, &line);
}

/* ---- row 7 ----------------------------------------------------------------------------------- */

struct moved {
    uint64_t again; /* bytes that came in again */
    double us;      /* a DMA buffer, of the processor */
};

static void play_one(struct alone *alone, const struct workload *w, uint32_t number, bool *made)
{
    uint32_t i, first = workload_first(w, number);

    for (i = first; i < w->ends[number]; i++) {
        uint32_t item = w->references[i].item;

        if (!made[item])
            alone_create(alone, item, w->items[item].size, w->items[item].alignment);
        made[item] = true;
        alone_name(alone, item, w->references[i].write);
    }
    alone_submit(alone);
    for (i = first; i < w->ends[number]; i++) {
        uint32_t item = w->references[i].item;

        if (w->items[item].dies == number)
            alone_destroy(alone, item);
    }
}

static struct moved play(const struct workload *w, enum alone_kind kind)
{
    bool *made = bench_allocate(w->item_count, 1);
    uint64_t begun = bench_cpu_now();
    struct vidmm_engine_statistics statistics;
    struct alone alone;
    struct moved moved;
    uint32_t number, most = 1;

    for (number = 0; number < w->count; number++)
        if (w->ends[number] - workload_first(w, number) > most)
            most = w->ends[number] - workload_first(w, number);
    alone_begin(&alone, w->memory, most, kind);
    for (number = 0; number < w->count; number++)
        play_one(&alone, w, number, made);
    statistics = alone_statistics(&alone);
    moved =
        (struct moved){statistics.bytes_in, (double)(bench_cpu_now() - begun) / 1000 / w->count};
    alone_finish(&alone);
    free(made);
    return moved;
}

/* The bytes of one kind, beside those of the two policies without placement. */
static void compare(struct bench *bench, const char *what, const struct workload *w,
                    enum alone_kind kind, double belady, double lru)
{
    const char *how = kind == ALONE_RUNS ? "in runs" : "contiguous";
    struct moved moved = play(w, kind);
    struct bench_line line = {.unit = "GiB", .vidmm = (double)moved.again / 0x1p30};

    snprintf(line.name, sizeof line.name, "7 bytes that come in again, %s: %s", how, what);
    line.reference = belady;
    line.reference_name = "Belady";
    line.reach = "<= 1.31x";
    bench_cost(bench, &line);
    snprintf(line.name, sizeof line.name, "7 ... %s, %s, against the least recently used", what,
             how);
    line.reference = lru;
    line.reference_name = "LRU";
    line.reach = "<= 1.02x";
    bench_cost(bench, &line);
    line = (struct bench_line){.unit = "us", .vidmm = moved.us, .reach = ""};
    snprintf(line.name, sizeof line.name, "7 ... %s, %s, a DMA buffer", what, how);
    bench_fact(bench, &line);
}

static void measure(struct bench *bench, const char *what, struct workload *w)
{
    double belady = (double)workload_belady(w) / 0x1p30, lru = (double)workload_lru(w) / 0x1p30;

    if (belady == 0) {
        fprintf(stderr, "row 7: %s is not printed: nothing need come in again\n", what);
        workload_finish(w);
        return;
    }
    compare(bench, what, w, ALONE_PHYSICAL, belady, lru);
    compare(bench, what, w, ALONE_RUNS, belady, lru);
    workload_finish(w);
}

void bench_policy(struct bench *bench)
{
    struct workload w;
    size_t i;

    make_room(bench, ALONE_PHYSICAL, "");
    make_room(bench, ALONE_RUNS, ", in runs");
    workload_game(&w, MEMORY, 1);
    measure(bench, "game", &w);
    workload_server(&w, MEMORY, 2);
    measure(bench, "server", &w);
    workload_browser(&w, MEMORY, 5);
    measure(bench, "browser", &w);
    workload_loop(&w, MEMORY, 1.1, 3);
    measure(bench, "loop of 1.1", &w);
    workload_loop(&w, MEMORY, 1.5, 4);
    measure(bench, "loop of 1.5", &w);
    for (i = 0; i < WORKLOAD_TRACES; i++) {
        bench_check(workload_trace(&w, workload_traces[i]), workload_traces[i]);
        measure(bench, workload_traces[i], &w);
    }
}
