/*
 * rows_replay.c: row 17, the replay of a recorded trace in too little memory, commands not
 * executed: the cost of policy, placement, copies and fences together, against a limit: the bytes
 * that Belady's optimum would bring in again (whoever is used last in the future leaves, as many
 * bytes of it as are wanted; no placement, no fragments), at the best copy bandwidth of the machine
 * measured beside each trace. No policy brings in less; bytes that go out are not counted, for an
 * allocation that has a copy need not go.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "softgpu/device_copy.h"
#include "tool/run.h"
#include "trace/bounds.h"
#include "trace/heap.h"
#include "trace/trace.h"
#include "workload.h"

#define BELADY_LEAST ((uint64_t)1 << 28) /* below that the row is not printed */

/* ---- measuring ------------------------------------------------------------------------------- */

/* Bytes a nanosecond of the best copy of 64 MiB. */
static double copy_bandwidth(void)
{
    size_t bytes = (size_t)64 << 20;
    uint8_t *from = bench_allocate(bytes, 1), *to = bench_allocate(bytes, 1);
    struct softgpu_mover mover;
    double best = 0;
    unsigned round;

    softgpu_mover_init(&mover);
    memset(from, 3, bytes);
    memset(to, 4, bytes);
    for (round = 0; round < 2 * BENCH_ROUNDS; round++) {
        uint64_t begun = bench_now();
        double speed;

        if (round % 2 == 0) {
            memcpy(to, from, bytes);
        } else {
            softgpu_copy(&mover, to, from, bytes, NULL, bytes);
            softgpu_mover_drain(&mover);
        }
        speed = (double)bytes / (double)(bench_now() - begun);
        best = speed > best ? speed : best;
    }
    bench_check(memcmp(to, from, bytes) == 0, "a copy of row 17");
    free(from);
    free(to);
    return best;
}

/* *moved receives the bytes that came in. */
static double play_seconds(const char *file, uint64_t memory, uint64_t *moved)
{
    struct vidmm_run_options options = {.files = {file}, .file_count = 1, .warm = true};
    struct vidmm_run_result result;
    char size[32];
    double seconds;

    options.config = softgpu_config_default();
    options.config.execute = false;
    snprintf(size, sizeof size, "2 memory %llu cpuvisible", (unsigned long long)memory);
    bench_check(softgpu_config_set(&options.config, "segment", size, NULL, 0), size);
    vidmm_run(&options, &result);
    bench_check(result.problem[0] == 0, result.problem);
    bench_check(result.mismatches == 0 && result.violations == 0, "the replay of row 17");
    seconds = result.play_s;
    *moved = result.manager.bytes_in;
    vidmm_run_result_finish(&result);
    return seconds;
}

static void measure(struct bench *bench, const char *name, uint64_t memory)
{
    struct bench_line line = {.unit = "s", .reference_name = "Belady / copy", .reach = "<= 1.5x"};
    double seconds[BENCH_ROUNDS], bandwidth;
    struct vidmm_trace *trace;
    char file[300];
    struct vidmm_bound bound;
    uint64_t least, moved = 0;
    unsigned round, rounds = bench->full ? BENCH_ROUNDS : 1;

    snprintf(file, sizeof file, "%s/traces/%s.vmt.gz", BENCH_ROOT, name);
    trace = vidmm_trace_read(&vidmm_heap, file, NULL);
    bench_check(trace != NULL, file);
    bench_check(vidmm_trace_bound(trace, &vidmm_heap, memory, VIDMM_BOUND_BELADY, &bound), file);
    least = bound.bytes;
    vidmm_trace_destroy(trace);
    if (least < BELADY_LEAST) {
        fprintf(stderr, "row 17: %s is not printed: Belady brings in %llu MiB only\n", name,
                (unsigned long long)(least >> 20));
        return;
    }
    bandwidth = copy_bandwidth();
    for (round = 0; round < rounds; round++)
        seconds[round] = play_seconds(file, memory, &moved);
    snprintf(line.name, sizeof line.name, "17 replay of a recorded trace: %s at %llu MiB", name,
             (unsigned long long)(memory >> 20));
    line.vidmm = bench_median(seconds, rounds);
    line.reference = (double)least / bandwidth / 1e9;
    bench_cost(bench, &line);
    bench_fact(bench, &(struct bench_line){
                          "17 ... bytes that come in, against Belady's (the policy's part)", "x",
                          (double)moved / (double)least, 0, NULL, "", 0});
}

/* Each in half of what it wants, or in what its largest submission needs. */
void bench_replay(struct bench *bench)
{
    uint32_t i;

    for (i = 0; i < WORKLOAD_TRACES; i++) {
        struct workload workload;

        bench_check(workload_trace(&workload, workload_traces[i]), workload_traces[i]);
        measure(bench, workload_traces[i], workload.memory);
        workload_finish(&workload);
    }
}
