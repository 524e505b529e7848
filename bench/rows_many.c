/*
 * rows_many.c: row 4 the whole way: many allocations are created, each is rendered from twice in a
 * memory segment that holds half of them, so that each is evicted and comes back, and all are
 * destroyed. The cost of one is compared with the cost of one of ten times fewer: nothing may look
 * at all of them. Once more with sizes of 1 to 16 pages, where it takes a choice to make room.
 */
#include <stdio.h>
#include <stdlib.h>

#include <vidmm/adapter.h>
#include <wddm/ntstatus.h>

#include "bench.h"
#include "rig.h"
#include "softgpu/config.h"
#include "softgpu/softgpu.h"

enum { AT_ONCE = 250, PAGE = 4096 };
enum phase { CREATE, RENDER, AGAIN, DESTROY, PHASES };

static const char *const names[PHASES] = {[CREATE] = "create",
                                          [RENDER] = "render",
                                          [AGAIN] = "evict and bring back",
                                          [DESTROY] = "destroy"};

struct many {
    struct rig rig;
    struct vidmm_context *context;
    struct vidmm_allocation **allocations;
    uint32_t count, most_pages; /* of each 1 to so many pages */
    uint64_t value;
};

static void begin(struct many *many, uint32_t count, uint32_t most_pages)
{
    struct softgpu_config config = softgpu_config_default();
    uint64_t bytes = (uint64_t)count * PAGE * (most_pages + 1) / 2;
    char segment[64];

    snprintf(segment, sizeof segment, "2 memory %llu", (unsigned long long)bytes / 2);
    bench_check(softgpu_config_set(&config, "segment", segment, NULL, 0), segment);
    config.execute = false;
    rig_begin(&many->rig, &config, VIDMM_MACHINE_SIMULATED, 2 * bytes + (256 << 20));
    rig_start(&many->rig);
    bench_check(vidmm_context_create(many->rig.device, 0, NULL, 0, &many->context, NULL) ==
                    STATUS_SUCCESS,
                "a context");
    many->allocations = bench_allocate(count, sizeof(struct vidmm_allocation *));
    many->count = count;
    many->most_pages = most_pages;
}

static void create_all(struct many *many)
{
    struct softgpu_allocation wish = {.magic = SOFTGPU_ALLOCATION_MAGIC,
                                      .size = PAGE,
                                      .read_set = 2,
                                      .write_set = 2,
                                      .priority = SOFTGPU_PRIORITY_NORMAL};
    uint32_t i;

    for (i = 0; i < many->count; i++) {
        wish.size = (uint64_t)PAGE * (1 + i * 7919 % many->most_pages);
        bench_check(vidmm_allocation_create(many->rig.device, &wish, sizeof wish,
                                            &many->allocations[i], NULL) == STATUS_SUCCESS,
                    "an allocation could not be created");
    }
}

/* A command that names the next ones, from `first` on. */
static void render(struct many *many, uint32_t first)
{
    static struct vidmm_render_reference list[AT_ONCE];
    static struct {
        struct softgpu_touch touch;
        struct softgpu_reference references[AT_ONCE];
    } command;
    uint32_t i;

    command.touch = (struct softgpu_touch){{SOFTGPU_TOUCH, sizeof command}, AT_ONCE, 0, 0};
    for (i = 0; i < AT_ONCE; i++) {
        list[i] = (struct vidmm_render_reference){.allocation = many->allocations[first + i],
                                                  .write = true};
        command.references[i] = (struct softgpu_reference){
            .allocation_index = i, .flags = SOFTGPU_REFERENCE_WRITE, .pages = 1, .content_id = 1};
    }
    bench_check(vidmm_render(many->context, &command, sizeof command, list, AT_ONCE, true,
                             &many->value, NULL) == STATUS_SUCCESS,
                "a command was refused");
}

static void render_all(struct many *many)
{
    uint32_t first;

    for (first = 0; first < many->count; first += AT_ONCE)
        render(many, first);
    bench_check(vidmm_context_wait(many->context, many->value) == STATUS_SUCCESS, "the GPU");
}

static void destroy_all(struct many *many)
{
    uint32_t i;

    for (i = 0; i < many->count; i++)
        vidmm_allocation_destroy(many->allocations[i]);
}

/* Measure ns an allocation of each phase. */
static void run(uint32_t count, uint32_t most_pages, double *ns)
{
    static void (*const phases[PHASES])(struct many *) = {create_all, render_all, render_all,
                                                          destroy_all};
    struct many many;
    unsigned phase;

    begin(&many, count, most_pages);
    for (phase = 0; phase < PHASES; phase++) {
        uint64_t begun = bench_cpu_now();

        phases[phase](&many);
        ns[phase] = (double)(bench_cpu_now() - begun) / count;
    }
    rig_end(&many.rig);
    free(many.allocations);
}

void bench_many(struct bench *bench)
{
    uint32_t count = bench->full ? 1000000 : 100000;
    double few[PHASES], many[PHASES], mixed[PHASES];
    unsigned phase;

    run(count / 10, 1, few);
    run(count, 1, many);
    run(count / 10, 16, mixed);
    for (phase = 0; phase < PHASES; phase++) {
        struct bench_line line = {.unit = "ns", .reference_name = "a tenth of them", .reach = ""};

        snprintf(line.name, sizeof line.name, "4 %s one of %u allocations", names[phase], count);
        line.vidmm = many[phase];
        line.reference = few[phase];
        bench_cost(bench, &line);
    }
    bench_cost(bench, &(struct bench_line){"4 evict and bring back one of 1 to 16 pages", "ns",
                                           mixed[AGAIN], few[AGAIN], "of 1 page", "", 0});
}
