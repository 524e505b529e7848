/* weather.c: the properties of a round: machine, GPU, driver, options, all drawn from a seed.
 *
 * Memory is about a quarter of what the programs use, and the buffers are small. The configuration
 * is legal: the auditor's findings against the driver would drown those against the manager.
 */
#include "stress.h"

#include <stdarg.h>
#include <string.h>

#include <vidmm/page.h>

#include "host/random.h"
#include "softgpu/config.h"

struct draw {
    struct stress_weather *weather;
    uint64_t random;
};

static uint32_t below(struct draw *draw, uint32_t limit)
{
    return vidmm_random_below(&draw->random, limit);
}

static bool chance(struct draw *draw, uint32_t percent)
{
    return below(draw, 100) < percent;
}

static void say(struct draw *draw, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Append to the configuration. */
static void say(struct draw *draw, const char *format, ...)
{
    char *gpu = draw->weather->gpu;
    size_t used = strlen(gpu);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(gpu + used, sizeof(draw->weather->gpu) - used, format, arguments);
    va_end(arguments);
}

#define ONE_OF(draw, ...)                                                                          \
    ((const char *const[]){__VA_ARGS__})[below(draw, sizeof((const char *const[]){__VA_ARGS__}) /  \
                                                         sizeof(const char *))]

static void draw_machine(struct draw *draw, bool simulated)
{
    struct stress_weather *weather = draw->weather;

    weather->kind = simulated ? VIDMM_MACHINE_SIMULATED : VIDMM_MACHINE_THREADED;
    weather->links = chance(draw, 20) ? 2 + below(draw, 2) : 1;
    weather->hangs = chance(draw, 25);
    weather->poor = chance(draw, 15);
    weather->contents = !weather->hangs && chance(draw, 75);
    weather->caches_apart = chance(draw, 20);
    weather->agp = weather->links == 1 && !weather->caches_apart && chance(draw, 30);
    weather->agp_posts = weather->agp && chance(draw, 70);
    weather->level = chance(draw, 60) ? 13 : 10 + below(draw, 3);
}

static void draw_segments(struct draw *draw, unsigned programs)
{
    struct stress_weather *weather = draw->weather;
    uint32_t kib = 16 * (1 + below(draw, 4)) * programs + 256;
    bool pitched = weather->links == 1 && chance(draw, 15);
    bool banked = !pitched && chance(draw, 15);

    weather->pitched = pitched;
    weather->segments = 2;
    say(draw, "segment 1 aperture %uM%s\n", 2 + below(draw, 2),
        chance(draw, 30) ? " cachecoherent" : "");
    if (banked)
        say(draw, "segment 2 memory %uK cpuvisible banks %uK,%uK\n", kib, kib / 4, kib / 2);
    else
        say(draw, "segment 2 memory %uK cpuvisible%s%s\n", pitched ? kib / 3 * 4 : kib,
            pitched ? " pitchaligned" : "", chance(draw, 20) ? " standby hibernate" : "");
    if (chance(draw, 30))
        say(draw, "segment %u memory %uK\n", ++weather->segments, 128 + 64 * below(draw, 4));
    if (weather->agp)
        say(draw, "segment %u agp 4K\n", ++weather->segments);
}

static void draw_nodes(struct draw *draw)
{
    static const char *const engines[] = {"render copy", "render", "render render copy",
                                          "render render render copy"};
    struct stress_weather *weather = draw->weather;
    bool multi = weather->level > 10 && chance(draw, 85);
    uint32_t which = multi ? below(draw, 4) : chance(draw, 50);
    bool preempts = multi && weather->level >= 12 && chance(draw, 70);

    weather->nodes = !multi ? 1 : which == 0 ? 2 : which == 1 ? 1 : which + 1;
    say(draw, "wddm 1.%u\nengines %s\n", weather->level - 10, engines[which]);
    say(draw, "multi_engine %s\npreemption %s\n", multi ? "on" : "off", preempts ? "on" : "off");
    if (weather->level >= 12) {
        say(draw, "engine_reset %s\ncancel %s\n", chance(draw, 60) ? "on" : "off",
            chance(draw, 60) ? "on" : "off");
        if (multi && weather->links == 1 && !weather->pitched && chance(draw, 25))
            say(draw, "context_save %s\n", ONE_OF(draw, "memory", "aperture"));
    }
    if (weather->hangs && weather->level >= 12 && chance(draw, 30))
        say(draw, "recovery %s\n",
            ONE_OF(draw, "preempt_fails", "engine_fails", "group_all", "reset_reports"));
}

static void draw_driver(struct draw *draw)
{
    struct stress_weather *weather = draw->weather;

    bool immediate = chance(draw, 50);

    weather->ranges = weather->links == 1 && chance(draw, 50);
    weather->history = weather->level >= 13 && chance(draw, 60);
    say(draw, "habit %s\ninterrupts %s\n", immediate ? "immediate" : "queued",
        ONE_OF(draw, "prompt", "late"));
    say(draw, "paging_buffer %s\nprivate_data %s\n", ONE_OF(draw, "512", "1K", "4K"),
        immediate ? "1024" : ONE_OF(draw, "0", "64", "1024"));
    say(draw, "paging_buffer_segment %s\ndma_buffer_segment %s\n", ONE_OF(draw, "0", "1"),
        ONE_OF(draw, "0", "1"));
    say(draw, "dma_buffer %s\ndma_private_data %s\n", ONE_OF(draw, "512", "1K", "4K"),
        ONE_OF(draw, "16", "64"));
    say(draw, "allocation_list 64\npatch_list %s\n", ONE_OF(draw, "16", "64", "1024"));
    say(draw, "execute %s\n", weather->contents ? "full" : "none");
    if (weather->ranges)
        say(draw, "ranges %u\nrange_limit %u\n", 1 + below(draw, 4), below(draw, 2));
    say(draw, "alternate_primary %s\n", weather->ranges && chance(draw, 50) ? "on" : "off");
    if (weather->level >= 13)
        say(draw, "history %s\n", ONE_OF(draw, "64", "40", "32", "0"));
    if (chance(draw, 40))
        say(draw, "busy first\n");
    if (chance(draw, 30))
        say(draw, "insufficient every %u\n", 2 + below(draw, 6));
}

static void draw_options(struct draw *draw)
{
    struct vidmm_adapter_options *options = &draw->weather->adapter;
    bool simulated = draw->weather->kind == VIDMM_MACHINE_SIMULATED;

    vidmm_adapter_options_default(options);
    options->first_fence = chance(draw, 50) ? UINT32_MAX - below(draw, 500) : 1;
    options->paging_buffers = 1 + below(draw, 4);
    options->dma_buffers = 1 + below(draw, 4);
    options->queue_limit = 1 + below(draw, 31);
    options->split_transfer_size = chance(draw, 30) ? (1 + below(draw, 4)) * VIDMM_PAGE_SIZE : 0;
    options->move_directly = chance(draw, 50);
    options->submit_empty = chance(draw, 20);
    options->one_operation = chance(draw, 20);
    options->patch_paging = chance(draw, 80);
    options->system_context = chance(draw, 30);
    options->strict = chance(draw, 20);
    options->poison = true;
    /* A driver that does not hang shall not be late on a slow machine. */
    options->timeout_ms = simulated ? 10000 : draw->weather->hangs ? 150 : 300000;
    options->driver_timeout_ms = 0;
}

/* ---- WDDM 2 ---------------------------------------------------------------------------------- */

static void draw_tables(struct draw *draw)
{
    bool in_system = chance(draw, 25); /* with tables of a page each */

    if (draw->weather->io)
        return;
    say(draw, "page_table_update %s\npages_64k %s\nzero_pte %s\n",
        in_system ? ONE_OF(draw, "gpu_physical", "cpu_virtual")
                  : ONE_OF(draw, "gpu_physical", "gpu_virtual"),
        in_system ? "off" : ONE_OF(draw, "off", "single", "dual"), ONE_OF(draw, "on", "off"));
    if (in_system)
        say(draw, "page_table_segment 0\npaging_table_segment 0\n");
    draw->weather->local_tables = !in_system;
    say(draw, "invalid_cached %s\nidle_updates %s\n", "on", chance(draw, 20) ? "on" : "off");
}

/* The version, and an IOMMU that shows the GPU what is mapped for it, at the addresses of memory or
 * at others. */
static void draw_reach(struct draw *draw)
{
    static const char *const versions[] = {"2.0", "2.1", "2.4", "2.6", "2.9", "3.0"};
    uint32_t version = below(draw, 6);
    bool isolated = version >= 2 && chance(draw, 40);

    draw->weather->io = chance(draw, 20);
    if (draw->weather->io) {
        say(draw, "wddm %s\nmmu io\n", versions[version]);
        return;
    }
    say(draw, "wddm %s\nmmu gpu\nisolation %s\n", versions[version], isolated ? "on" : "off");
    if (isolated && version >= 4 && chance(draw, 60))
        say(draw, "map_aperture2 on\nremapping on\n");
    draw->weather->isolated = isolated;
    draw->weather->hw_queues = version >= 3;
}

/* Last of all: seeds that found something go on to be the same otherwise. */
static void draw_trouble(struct draw *draw)
{
    struct stress_weather *weather = draw->weather;

    weather->naps = chance(draw, 30);
    weather->poor = chance(draw, 15);
    weather->hangs = chance(draw, 15);
    weather->links = weather->local_tables && !weather->hosted && chance(draw, 25) ? 2 : 1;
    weather->hw_queues = weather->hw_queues && weather->links == 1 && chance(draw, 60);
    if (weather->hw_queues)
        say(draw, "hw_queues %u\n", 1 + below(draw, 4));
    weather->changes = chance(draw, 50);
    weather->displays = chance(draw, 40);
    if (weather->displays)
        say(draw, "sources %d\n", STRESS_SOURCES);
    if (!weather->hangs)
        return;
    weather->contents = false;
    weather->adapter.timeout_ms = weather->kind == VIDMM_MACHINE_SIMULATED ? 10000 : 150;
    say(draw, "execute none\nengine_reset %s\n", chance(draw, 60) ? "on" : "off");
}

/* A GPU with page tables, whose memory is about a third of what the programs list; the tables of
 * the paging process take their part. */
static void draw_listed(struct draw *draw, const struct stress_options *options, bool simulated)
{
    struct stress_weather *weather = draw->weather;
    uint32_t kib = 64 * (1 + below(draw, 3)) * options->programs + 1024;

    weather->kind = simulated ? VIDMM_MACHINE_SIMULATED : VIDMM_MACHINE_THREADED;
    weather->links = 1;
    weather->level = 20;
    weather->contents = chance(draw, 85);
    weather->segments = 2;
    weather->nodes = 1 + below(draw, 3);
    weather->most_listed = (uint64_t)kib * 512;
    draw_reach(draw);
    draw_tables(draw);
    say(draw, "engines %s\n",
        weather->nodes == 1   ? "render"
        : weather->nodes == 2 ? "render copy"
                              : "render render copy");
    weather->tight = chance(draw, 30);
    if (weather->tight)
        weather->system_memory =
            (4 << 20) + (uint64_t)options->programs * (256 << 10) * (1 + below(draw, 4));
    weather->hosted = !weather->io && chance(draw, 30);
    say(draw, "segment 1 aperture %uM\nsegment 2 memory %uK %s\n", 2 + options->programs,
        kib + 2048, weather->hosted ? "hostaperture" : "cpuvisible");
    say(draw, "habit %s\ninterrupts %s\n", ONE_OF(draw, "queued", "immediate"),
        ONE_OF(draw, "prompt", "late"));
    say(draw, "paging_buffer %s\nprivate_data %s\nexecute %s\n", ONE_OF(draw, "2K", "8K", "64K"),
        ONE_OF(draw, "512", "1024", "4096"), weather->contents ? "full" : "none");
    draw_options(draw);
    weather->adapter.submit_empty = false;
    weather->adapter.isolate = weather->isolated;
    draw_trouble(draw);
}

/* By a stream of its own: the rest of an old seed is the same. */
static void draw_many(struct draw *draw)
{
    struct stress_weather *weather = draw->weather;

    weather->many = true;
    weather->unplugs = chance(draw, 12);
    if (weather->level < 20) {
        weather->displays = chance(draw, 40);
        if (weather->displays)
            say(draw, "sources %d\n", STRESS_SOURCES);
        return;
    }
    if (weather->hw_queues) /* and some for a moment */
        say(draw, "hw_queues %u\n", SOFTGPU_HW_QUEUES);
    if (weather->isolated)
        weather->adapter.isolate = chance(draw, 50); /* else a program attaches it */
    else if (!weather->io && weather->links == 1)
        weather->caches_apart = chance(draw, 25);
}

void stress_weather_draw(struct stress_weather *weather, const struct stress_options *options,
                         uint64_t seed, unsigned level)
{
    struct draw draw = {.weather = weather, .random = vidmm_random_seed(seed)};
    struct draw many = {.weather = weather, .random = vidmm_random_seed(~seed)};
    bool simulated;

    memset(weather, 0, sizeof(*weather));
    weather->seed = seed;
    weather->system_memory = UINT64_C(64) << 20;
    simulated = chance(&draw, 15); /* drawn in any case: the rest is the same with --simulated */
    if (level == 2) {
        draw_listed(&draw, options, options->simulated || simulated);
    } else {
        draw_machine(&draw, options->simulated || simulated);
        draw_segments(&draw, options->programs);
        draw_nodes(&draw);
        draw_driver(&draw);
        draw_options(&draw);
    }
    if (!options->few)
        draw_many(&many);
}
