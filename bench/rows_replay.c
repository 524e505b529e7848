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
#include "trace/heap.h"
#include "trace/trace.h"

#define BELADY_LEAST ((uint64_t)1 << 28) /* below that the row is not printed */

/* ---- Belady ---------------------------------------------------------------------------------- */

/* A local allocation of the trace. */
struct item {
    uint64_t size;
    uint64_t in;   /* bytes of it that are resident */
    uint32_t next; /* index of its next use among the references; NEVER: none */
    bool seen, needed;
};

enum { NEVER = 0x7fffffff };

struct belady {
    const struct vidmm_trace *trace;
    struct item *items;
    uint32_t *next_use; /* by reference: index of the same allocation's next reference */
    uint64_t used, capacity, moved;
};

static bool is_local(const struct vidmm_trace *trace, uint32_t allocation)
{
    return (trace->allocations[allocation].types & VIDMM_TRACE_LOCAL) != 0;
}

static struct item *used_last(struct belady *belady)
{
    struct item *worst = NULL;
    uint32_t i;

    for (i = 0; i < belady->trace->allocation_count; i++) {
        struct item *item = &belady->items[i];

        if (item->in > 0 && !item->needed && (!worst || item->next > worst->next))
            worst = item;
    }
    return worst;
}

static void leave(struct belady *belady, struct item *item, uint64_t bytes)
{
    belady->used -= bytes;
    item->in -= bytes;
}

static void enter(struct belady *belady, struct item *item)
{
    uint64_t missing = item->size - item->in;

    while (belady->used + missing > belady->capacity) {
        uint64_t over = belady->used + missing - belady->capacity;
        struct item *victim = used_last(belady);

        bench_check(victim != NULL, "Belady's memory for a submission");
        leave(belady, victim, victim->in < over ? victim->in : over);
    }
    belady->moved += item->seen ? missing : 0; /* the first time it is filled */
    belady->used += missing;
    item->in = item->size;
    item->seen = true;
}

static void need(struct belady *belady, const struct vidmm_trace_record *record, bool needed)
{
    uint32_t i;

    for (i = record->submit.first; i < record->submit.first + record->submit.count; i++) {
        uint32_t allocation = belady->trace->references[i].allocation;

        belady->items[allocation].needed = needed;
        belady->items[allocation].next = belady->next_use[i];
    }
}

static void play_record(struct belady *belady, const struct vidmm_trace_record *record)
{
    uint32_t i;

    if (record->op == VIDMM_TRACE_FREE)
        leave(belady, &belady->items[record->allocation], belady->items[record->allocation].in);
    if (record->op != VIDMM_TRACE_SUBMIT)
        return;
    need(belady, record, true);
    for (i = record->submit.first; i < record->submit.first + record->submit.count; i++) {
        uint32_t allocation = belady->trace->references[i].allocation;

        if (is_local(belady->trace, allocation))
            enter(belady, &belady->items[allocation]);
    }
    need(belady, record, false);
}

/* Bytes that must come in again, whatever the policy. */
static uint64_t belady_bytes(const struct vidmm_trace *trace, uint64_t capacity)
{
    struct belady belady = {
        .trace = trace,
        .items = bench_allocate(trace->allocation_count + 1, sizeof(struct item)),
        .next_use = bench_allocate(trace->reference_count + 1, sizeof(uint32_t)),
        .capacity = capacity,
    };
    uint32_t i;

    for (i = 0; i < trace->allocation_count; i++) {
        belady.items[i].size = (trace->allocations[i].size + 4095) & ~(uint64_t)4095;
        belady.items[i].next = NEVER;
    }
    for (i = trace->reference_count; i-- > 0;) {
        struct item *item = &belady.items[trace->references[i].allocation];

        belady.next_use[i] = item->next;
        item->next = i;
    }
    for (i = 0; i < trace->record_count; i++)
        play_record(&belady, &trace->records[i]);
    free(belady.items);
    free(belady.next_use);
    return belady.moved;
}

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
    uint64_t least, moved = 0;
    unsigned round, rounds = bench->full ? BENCH_ROUNDS : 1;

    snprintf(file, sizeof file, "%s/traces/%s.vmt.gz", BENCH_ROOT, name);
    trace = vidmm_trace_read(&vidmm_heap, file, NULL);
    bench_check(trace != NULL, file);
    least = belady_bytes(trace, memory);
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

void bench_replay(struct bench *bench)
{
    /* Half of what each wants, or what its largest submission needs. */
    static const struct {
        const char *name;
        uint64_t memory;
    } rows[] = {
        {"chromium_canvas", 30334976},
        {"chromium_webgl", 110104576},
        {"openarena", 240304128},
        {"mpv_vulkan", 41369600},
    };
    size_t i;

    for (i = 0; i < sizeof rows / sizeof *rows; i++)
        measure(bench, rows[i].name, rows[i].memory);
}
