/*
 * rows_references.c: row 18, instructions that the engine needs for each reference of a DMA buffer,
 * with --callgrind: a list of which everything is in place, and one of which most has to be brought
 * in, 10^3 and 3 * 10^3 long. The cost must not grow with the list.
 *
 * The engine alone: no driver, no bytes. Calls are answered at once, fences as soon as all is
 * submitted. Two lists take turns where something is to be missing: the segment holds three
 * quarters of what both name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vidmm/engine.h>
#include <wddm/ntstatus.h>

#include "bench.h"

enum {
    PAGE = 4096,
    NODES = 2,
    RENDER = 0,
    PAGING = 1,
    BUFFERS = 8,
    FIRST_ID = 2,
    FEW = 4,
    MANY = 12
};

struct references {
    struct bench_memory memory;
    struct vidmm_engine *engine;
    struct vidmm_reference *list;
    struct vidmm_patch_location *patches; /* one a reference */
    struct vidmm_event answer;            /* kind of the call: to be given next, if `answers` */
    bool answers;
    uint32_t fences[NODES]; /* newest submitted; 0: complete */
    uint64_t time_ns;
};

static void carry_out(struct references *r, const struct vidmm_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct vidmm_operation *operation = &plan->operations[i];

        switch (operation->kind) {
        case VIDMM_DO_BUILD:
            r->answer = (struct vidmm_event){.kind = VIDMM_EVENT_BUILT};
            r->answer.built.written = 64;
            r->answers = true;
            break;
        case VIDMM_DO_SUBMIT_PAGING:
            r->fences[PAGING] = operation->submit_paging.fence;
            r->answer = (struct vidmm_event){.kind = VIDMM_EVENT_SUBMITTED};
            r->answers = true;
            break;
        case VIDMM_DO_SUBMIT:
            r->fences[RENDER] = operation->submit.fence;
            r->answer = (struct vidmm_event){.kind = VIDMM_EVENT_SUBMITTED};
            r->answers = true;
            break;
        default:
            break;
        }
    }
}

static void step(struct references *r, struct vidmm_event event)
{
    struct vidmm_plan plan;

    for (;;) {
        event.time_ns = ++r->time_ns;
        bench_check(vidmm_step(r->engine, &event, &plan) == STATUS_SUCCESS, "an event was refused");
        carry_out(r, &plan);
        while (plan.more) {
            vidmm_step(r->engine, NULL, &plan);
            carry_out(r, &plan);
        }
        if (!r->answers)
            return;
        event = r->answer;
        r->answers = false;
    }
}

static void complete_all(struct references *r)
{
    for (uint32_t node = 0; node < NODES; node++) {
        struct vidmm_event event = {.kind = VIDMM_EVENT_FENCE};

        if (r->fences[node] == 0)
            continue;
        event.fence.node = node;
        event.fence.fence = r->fences[node];
        r->fences[node] = 0;
        step(r, event);
        node = UINT32_MAX; /* what ended may have let others begin */
    }
}

static void begin(struct references *r, uint32_t count, bool missing)
{
    struct vidmm_engine_config config = {
        .segment_count = 2,
        .node_count = NODES,
        .paging_node = PAGING,
        .queue_limit = 64,
        .first_fence = 1,
        .timeout_ns = UINT64_C(1) << 60,
    };
    struct vidmm_event event = {.kind = VIDMM_EVENT_PAGING_BUFFERS};
    uint64_t pages = missing ? (uint64_t)count * 3 / 2 : count;

    memset(r, 0, sizeof(*r));
    config.segments[1].size = config.segments[1].commit_limit = UINT64_C(1) << 30;
    config.segments[1].aperture = true;
    config.segments[2].size = (pages + 1) * PAGE;
    bench_memory_init(&r->memory);
    r->engine = vidmm_engine_create(&config, &r->memory.memory);
    bench_check(r->engine != NULL, "an engine could not be made");
    r->list = bench_allocate(count, sizeof(*r->list));
    r->patches = bench_allocate(count, sizeof(*r->patches));
    event.paging_buffers.first = 1;
    event.paging_buffers.count = BUFFERS;
    step(r, event);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_DEVICE, .device = 1};
    step(r, event);
    for (uint32_t i = 0; i < (missing ? 2 * count : count); i++) {
        event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = 1};
        event.create.allocation = FIRST_ID + i;
        event.create.wish = (struct vidmm_wish){.size = PAGE,
                                                .alignment = PAGE,
                                                .read_set = 2,
                                                .write_set = 2,
                                                .eviction_set = 1,
                                                .priority = 0x78000000};
        step(r, event);
    }
}

static void submit(struct references *r, uint32_t count, uint32_t first)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMIT, .device = 1};

    for (uint32_t i = 0; i < count; i++)
        r->list[i] = (struct vidmm_reference){FIRST_ID + first + i, 0};
    for (uint32_t i = 0; i < count; i++)
        r->patches[i] = (struct vidmm_patch_location){i, i, 0};
    event.submit.dma_buffer = 1;
    event.submit.node = RENDER;
    event.submit.size = 64;
    event.submit.context = 1;
    event.submit.references = r->list;
    event.submit.patches = r->patches;
    event.submit.patch_count = count;
    event.submit.reference_count = count;
    step(r, event);
    complete_all(r);
}

static void finish(struct references *r, uint32_t rounds)
{
    struct vidmm_engine_statistics statistics;

    vidmm_engine_get_statistics(r->engine, &statistics);
    bench_check(statistics.submissions == rounds, "a DMA buffer was not submitted");
    vidmm_engine_destroy(r->engine);
    free(r->list);
    free(r->patches);
}

int bench_references_child(int count, char **arguments)
{
    uint32_t references, rounds;
    struct references r;
    bool missing;

    bench_check(count == 3, "--child references wants a kind, references and rounds");
    missing = strcmp(arguments[0], "missing") == 0;
    references = (uint32_t)strtoul(arguments[1], NULL, 10);
    rounds = (uint32_t)strtoul(arguments[2], NULL, 10);
    begin(&r, references, missing);
    for (uint32_t round = 0; round < rounds; round++)
        submit(&r, references, missing && round % 2 == 1 ? references : 0);
    finish(&r, rounds);
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
