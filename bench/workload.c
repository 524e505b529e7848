/* workload.c: workloads by a seed, and what two policies without placement move for them. */
#include "workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/heap.h"
#include "trace/trace.h"

#include "bench.h"
#include "random.h"

enum { PAGE = 4096 };

/* ---- making them ----------------------------------------------------------------------------- */

static void *grown(void *block, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return block;
    *capacity = *capacity ? 2 * *capacity : 1024;
    block = realloc(block, *capacity * size);
    bench_check(block != NULL, "memory for a workload");
    return block;
}

static uint32_t add_item(struct workload *w, uint64_t size, uint64_t alignment)
{
    w->items = grown(w->items, w->item_count, &w->item_capacity, sizeof(*w->items));
    w->items[w->item_count] =
        (struct workload_item){(size + PAGE - 1) / PAGE * PAGE, alignment, 0, WORKLOAD_FOREVER};
    return w->item_count++;
}

static void name(struct workload *w, uint32_t item)
{
    w->references =
        grown(w->references, w->reference_count, &w->reference_capacity, sizeof(*w->references));
    w->references[w->reference_count++] = (struct workload_reference){item, false};
}

static void submit(struct workload *w)
{
    w->ends = grown(w->ends, w->count, &w->capacity, sizeof(*w->ends));
    w->ends[w->count++] = w->reference_count;
}

uint64_t workload_mixed_size(uint64_t *state)
{
    uint32_t kind = random_below(state, 10);
    double low = kind < 6 ? 0x1p16 : kind < 9 ? 0x1p20 : 0x1p23, high = kind < 6 ? 16 : 8;
    uint64_t size = (uint64_t)(low * exp(random_unit(state) * log(high)));

    return (size + PAGE - 1) / PAGE * PAGE;
}

static uint64_t mixed_alignment(uint64_t *state)
{
    return random_below(state, 2) == 0 ? PAGE : 16 * PAGE;
}

/* Allocations of the mix up to so many bytes in all. */
static void add_mixed(struct workload *w, uint64_t bytes, uint64_t *state)
{
    uint64_t sum = 0;

    while (sum < bytes) {
        uint64_t size = workload_mixed_size(state);

        add_item(w, size, mixed_alignment(state));
        sum += size;
    }
}

/* Each frame sees the first tenth of all bytes, a third of the bytes around the place that the
 * player has come to, and now and then something from anywhere. */
void workload_game(struct workload *w, uint64_t memory, uint64_t seed)
{
    enum { FRAMES = 1200, ANYWHERE = 2 };
    uint64_t state = seed;
    uint32_t frame, fixed, window, i;

    *w = (struct workload){.memory = memory};
    add_mixed(w, memory / 8, &state);
    fixed = w->item_count;
    add_mixed(w, 2 * memory, &state);
    window = (w->item_count - fixed) * 36 / 100;
    for (frame = 0; frame < FRAMES; frame++) {
        uint32_t span = w->item_count - fixed;
        uint32_t from = (uint32_t)((uint64_t)frame * span / FRAMES);

        for (i = 0; i < fixed; i++)
            name(w, i);
        for (i = 0; i < window; i++)
            if (random_below(&state, 3) == 0)
                name(w, fixed + (from + i) % span);
        for (i = 0; i < ANYWHERE; i++)
            name(w, fixed + (from + window + random_below(&state, span - window)) % span);
        submit(w);
    }
}

/* A model is layers of some tensors each; a layer is a DMA buffer. */
enum { MODELS = 10, LAYERS = 24, TENSORS = 6, CACHES = 6 };

static uint32_t add_model(struct workload *w, uint64_t bytes, uint64_t *state)
{
    uint32_t first = w->item_count, layer, tensor;

    for (layer = 0; layer < LAYERS; layer++)
        for (tensor = 0; tensor < TENSORS; tensor++) {
            double share = tensor < 2 ? 0.35 : 0.3 / (TENSORS - 2);

            add_item(w,
                     (uint64_t)((double)bytes / LAYERS * share * (0.8 + 0.4 * random_unit(state))),
                     16 * PAGE);
        }
    return first;
}

static void request(struct workload *w, uint32_t first, uint64_t *state)
{
    uint32_t caches = w->item_count, layer, i;

    for (i = 0; i < CACHES; i++) {
        add_item(w, (4 + random_below(state, 60)) << 20, 16 * PAGE);
        w->items[caches + i].born = w->count;
        w->items[caches + i].dies = w->count + LAYERS - 1;
    }
    for (layer = 0; layer < LAYERS; layer++) {
        for (i = 0; i < TENSORS; i++)
            name(w, first + layer * TENSORS + i);
        name(w, caches + layer % CACHES);
        submit(w);
    }
}

void workload_server(struct workload *w, uint64_t memory, uint64_t seed)
{
    enum { REQUESTS = 500, SHIFT = 60 };
    uint32_t first[MODELS], number, model;
    uint64_t state = seed;

    *w = (struct workload){.memory = memory};
    for (model = 0; model < MODELS; model++)
        first[model] = add_model(
            w, memory / 10 + random_below(&state, (uint32_t)(memory / 5 >> 12)) * UINT64_C(4096),
            &state);
    for (number = 0; number < REQUESTS; number++) {
        double wanted = random_unit(&state);

        for (model = 0; model < MODELS - 1 && wanted > 0.4; model++)
            wanted = (wanted - 0.4) / 0.6; /* each is wanted less than the one before it */
        request(w, first[(model + number / SHIFT * 3) % MODELS], &state);
    }
}

/* A tab is layers, images and buffers of the mix. */
static void open_tab(struct workload *w, uint32_t *first, uint32_t *count, uint64_t bytes,
                     uint64_t *state)
{
    uint32_t i;

    *first = w->item_count;
    add_mixed(w, bytes / 2 + random_below(state, (uint32_t)(bytes >> 12)) * UINT64_C(4096), state);
    *count = w->item_count - *first;
    for (i = *first; i < w->item_count; i++)
        w->items[i].born = w->count;
}

/* A tab is looked at for some frames; the next one is often the one before, or another
 * that is liked. Sometimes a new one is opened for it. */
void workload_browser(struct workload *w, uint64_t memory, uint64_t seed)
{
    enum { TABS = 40, LOOKS = 700, FRAMES = 4 };
    uint32_t first[TABS], count[TABS], tab = 0, before = 0, look, frame, i;
    uint64_t state = seed, bytes = memory / 20; /* twice as much as memory holds */

    *w = (struct workload){.memory = memory};
    for (i = 0; i < TABS; i++)
        open_tab(w, &first[i], &count[i], bytes, &state);
    for (look = 0; look < LOOKS; look++) {
        uint32_t next = random_below(&state, 4) == 0 ? before : random_below(&state, TABS);

        if (random_below(&state, 2) == 0)
            next /= 4;                                    /* the first few are liked most */
        if (next != tab && random_below(&state, 25) == 0) /* the old one is kept, and not used */
            open_tab(w, &first[next], &count[next], bytes, &state);
        before = tab;
        tab = next;
        for (frame = 0; frame < FRAMES; frame++) {
            for (i = 0; i < count[tab]; i++)
                if (frame == 0 || random_below(&state, 2) == 0)
                    name(w, first[tab] + i);
            submit(w);
        }
    }
}

void workload_loop(struct workload *w, uint64_t memory, double share, uint64_t seed)
{
    enum { LOOPS = 12, IN_ONE = 16 };
    uint64_t state = seed;
    uint32_t loop, i;

    *w = (struct workload){.memory = memory};
    add_mixed(w, (uint64_t)((double)memory * share), &state);
    for (loop = 0; loop < LOOPS; loop++)
        for (i = 0; i < w->item_count; i++) {
            name(w, i);
            if (i % IN_ONE == IN_ONE - 1 || i == w->item_count - 1)
                submit(w);
        }
}

const char *const workload_traces[WORKLOAD_TRACES] = {
    "chromium_canvas", "chromium_webgl", "extremetuxracer", "ffmpeg_vulkan", "glmark2",
    "glmark2_res",     "mpv_vulkan",     "openarena",       "qtquick",       "stk_vk",
    "vkcube",          "vkd3d_gears",    "warzone2100"};

/* Name the local allocations of a submission, each once. Answers their bytes. */
static uint64_t name_local(struct workload *w, const struct vidmm_trace *trace,
                           const struct vidmm_trace_record *record)
{
    uint32_t begun = w->reference_count, i, j;
    uint64_t bytes = 0;

    for (i = 0; i < record->submit.count; i++) {
        uint32_t item = trace->references[record->submit.first + i].allocation;

        if ((trace->allocations[item].types & VIDMM_TRACE_LOCAL) == 0)
            continue;
        for (j = begun; j < w->reference_count && w->references[j].item != item; j++)
            continue;
        if (j == w->reference_count) {
            name(w, item);
            w->items[item].dies = w->count; /* if it is freed at all */
            bytes += w->items[item].size;
        }
        w->references[j].write |= trace->references[record->submit.first + i].write != 0;
    }
    return bytes;
}

/* Follow the records. Answers the memory for it. */
static uint64_t follow(struct workload *w, const struct vidmm_trace *trace)
{
    bool *freed = bench_allocate(trace->allocation_count + 1, 1);
    uint64_t live = 0, peak = 0, largest = 0;
    uint32_t i;

    for (i = 0; i < trace->record_count; i++) {
        const struct vidmm_trace_record *record = &trace->records[i];
        bool allocates = record->op == VIDMM_TRACE_ALLOCATE, frees = record->op == VIDMM_TRACE_FREE;
        uint64_t bytes;

        if ((allocates || frees) &&
            (trace->allocations[record->allocation].types & VIDMM_TRACE_LOCAL) != 0) {
            bytes = w->items[record->allocation].size;
            live = allocates ? live + bytes : live - bytes;
            peak = live > peak ? live : peak;
            freed[record->allocation] = frees;
        }
        bytes = record->op == VIDMM_TRACE_SUBMIT ? name_local(w, trace, record) : 0;
        largest = bytes > largest ? bytes : largest;
        if (bytes > 0)
            submit(w);
    }
    for (i = 0; i < trace->allocation_count; i++)
        w->items[i].dies = freed[i] ? w->items[i].dies : WORKLOAD_FOREVER;
    free(freed);
    return peak / 2 > largest ? peak / 2 / PAGE * PAGE : largest;
}

bool workload_trace(struct workload *w, const char *name_of_it)
{
    struct vidmm_trace *trace;
    char file[300];
    uint32_t i;

    snprintf(file, sizeof file, "%s/traces/%s.vmt.gz", BENCH_ROOT, name_of_it);
    trace = vidmm_trace_read(&vidmm_heap, file, NULL);
    *w = (struct workload){.memory = 0};
    if (!trace)
        return false;
    for (i = 0; i < trace->allocation_count; i++)
        add_item(w, trace->allocations[i].size, PAGE);
    w->memory = follow(w, trace);
    vidmm_trace_destroy(trace);
    return true;
}

void workload_finish(struct workload *w)
{
    free(w->items);
    free(w->references);
    free(w->ends);
    *w = (struct workload){0};
}

/* ---- policies without placement -------------------------------------------------------------- */

/* `key` of an item: the item with the lowest leaves. */
struct bare {
    const struct workload *workload;
    int64_t *keys;
    uint32_t *next_use; /* by reference */
    bool *resident, *seen, *needed;
    uint64_t used, again;
};

static uint32_t lowest(const struct bare *bare)
{
    uint32_t i, best = UINT32_MAX;

    for (i = 0; i < bare->workload->item_count; i++)
        if (bare->resident[i] && !bare->needed[i] &&
            (best == UINT32_MAX || bare->keys[i] < bare->keys[best]))
            best = i;
    bench_check(best != UINT32_MAX, "a DMA buffer of a workload needs more than memory holds");
    return best;
}

static void leave(struct bare *bare, uint32_t item)
{
    if (bare->resident[item])
        bare->used -= bare->workload->items[item].size;
    bare->resident[item] = false;
}

static void enter(struct bare *bare, uint32_t item)
{
    uint64_t size = bare->workload->items[item].size;

    if (bare->resident[item])
        return;
    while (bare->used + size > bare->workload->memory)
        leave(bare, lowest(bare));
    bare->again += bare->seen[item] ? size : 0;
    bare->used += size;
    bare->resident[item] = bare->seen[item] = true;
}

static void play(struct bare *bare, bool belady)
{
    const struct workload *w = bare->workload;
    uint32_t number, i;

    for (number = 0; number < w->count; number++) {
        uint32_t first = workload_first(w, number);

        for (i = first; i < w->ends[number]; i++) {
            bare->needed[w->references[i].item] = true;
            bare->keys[w->references[i].item] =
                belady ? -(int64_t)bare->next_use[i] : (int64_t)number;
        }
        for (i = first; i < w->ends[number]; i++)
            enter(bare, w->references[i].item);
        for (i = first; i < w->ends[number]; i++) {
            uint32_t item = w->references[i].item;

            bare->needed[item] = false;
            if (w->items[item].dies == number)
                leave(bare, item);
        }
    }
}

static uint64_t bytes_again(const struct workload *w, bool belady)
{
    struct bare bare = {.workload = w,
                        .keys = bench_allocate(w->item_count, sizeof(*bare.keys)),
                        .next_use = bench_allocate(w->reference_count, sizeof(*bare.next_use)),
                        .resident = bench_allocate(w->item_count, 1),
                        .seen = bench_allocate(w->item_count, 1),
                        .needed = bench_allocate(w->item_count, 1)};
    uint32_t *next = bench_allocate(w->item_count, sizeof(*next)), i;

    for (i = 0; i < w->item_count; i++)
        next[i] = WORKLOAD_FOREVER;
    for (i = w->reference_count; i-- > 0;) {
        bare.next_use[i] = next[w->references[i].item];
        next[w->references[i].item] = i;
    }
    play(&bare, belady);
    free(next);
    free(bare.keys);
    free(bare.next_use);
    free(bare.resident);
    free(bare.seen);
    free(bare.needed);
    return bare.again;
}

uint64_t workload_lru(const struct workload *w)
{
    return bytes_again(w, false);
}

uint64_t workload_belady(const struct workload *w)
{
    return bytes_again(w, true);
}
