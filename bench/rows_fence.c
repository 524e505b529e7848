/* rows_fence.c: row 12, monitored fences in the engine: what a signal and a wait cost the manager.
 *
 * Waking a thread is the host's; here ends what the manager does before it.
 */
#include <stdlib.h>

#include "bench.h"
#include "random.h"
#include "vidmm/engine/state/monitored_fence.h"

enum { SIGNALS = 1000000, WAITERS = 1000, ROUNDS = 200 };

struct crowd {
    struct vidmm_fence_watch watch;
    struct vidmm_monitored_fence fence;
    struct vidmm_fence_waiter waiters[WAITERS];
    struct vidmm_fence_wait waits[WAITERS];
};

static bool wait_for(struct crowd *crowd, uint32_t index, uint64_t value)
{
    crowd->waits[index] = (struct vidmm_fence_wait){.fence = &crowd->fence, .value = value};
    return vidmm_fence_waiter_begin(&crowd->waiters[index], false, &crowd->waits[index], 1);
}

static double signals(struct crowd *crowd)
{
    uint64_t begun = bench_cpu_now(), bits = 0;
    uint32_t i;

    for (i = 0; i < SIGNALS; i++)
        bits += vidmm_monitored_fence_signal(&crowd->fence, crowd->fence.value + 1);
    bench_check(bits != 0 && crowd->fence.value > SIGNALS, "a signal was lost in row 12");
    return (double)(bench_cpu_now() - begun) / SIGNALS;
}

static double waits_that_are_met(struct crowd *crowd)
{
    uint64_t begun = bench_cpu_now();
    uint32_t i, met = 0;

    for (i = 0; i < SIGNALS; i++)
        met += wait_for(crowd, i % WAITERS, crowd->fence.value - i % 4) ? 1 : 0;
    bench_check(met == SIGNALS, "a wait in row 12 was not met");
    return (double)(bench_cpu_now() - begun) / SIGNALS;
}

/* A waiter, of 1,000 that wait for values in any order: its wait begins; one signal ends all. */
static void wakes(struct crowd *crowd, double *begins, double *ends)
{
    uint64_t random = 1, begun, waiting = 0, ended = 0;
    uint32_t round, i, met = 0;

    for (round = 0; round < ROUNDS; round++) {
        uint64_t base = crowd->fence.value + 1;

        begun = bench_cpu_now();
        for (i = 0; i < WAITERS; i++)
            wait_for(crowd, i, base + random_below(&random, WAITERS));
        waiting += bench_cpu_now() - begun;
        begun = bench_cpu_now();
        vidmm_monitored_fence_see(&crowd->fence, base + WAITERS);
        while (vidmm_fence_waiter_take_met(&crowd->watch))
            met++;
        ended += bench_cpu_now() - begun;
    }
    bench_check(met == ROUNDS * WAITERS, "somebody in row 12 still waits");
    *begins = (double)waiting / met;
    *ends = (double)ended / met;
}

void bench_fence(struct bench *bench)
{
    struct crowd *crowd = bench_allocate(1, sizeof(*crowd));
    double begins, ends;

    vidmm_monitored_fence_init(&crowd->fence, &crowd->watch, 4, false);
    bench_fact(bench, &(struct bench_line){"12 signal of a fence, the engine's part", "ns",
                                           signals(crowd), 0, NULL, "<= 20", 0});
    bench_fact(bench, &(struct bench_line){"12 ... a wait that is already met", "ns",
                                           waits_that_are_met(crowd), 0, NULL, "<= 20", 0});
    wakes(crowd, &begins, &ends);
    bench_fact(bench, &(struct bench_line){"12 ... a wait that begins, among 1,000", "ns", begins,
                                           0, NULL, "", 0});
    bench_fact(bench, &(struct bench_line){"12 ... one of 1,000 waits that a signal ends", "ns",
                                           ends, 0, NULL, "", 0});
    vidmm_fence_watch_check(&crowd->watch);
    free(crowd);
}
