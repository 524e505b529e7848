/* alone.c: the engine alone, driven by events. */
#include "alone.h"

#include <stdlib.h>
#include <string.h>

#include <wddm/ntstatus.h>

enum { PAGE = 4096, RENDER = 0, PAGING = 1, BUFFERS = 8, APERTURE = 1, MEMORY = 2, PROGRAM = 2 };

static void answer(struct alone *alone, uint32_t kind)
{
    alone->answer = (struct vidmm_event){.kind = kind};
    alone->answers = true;
}

static void carry_out(struct alone *alone, const struct vidmm_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct vidmm_operation *operation = &plan->operations[i];

        switch (operation->kind) {
        case VIDMM_DO_BUILD:
            answer(alone, VIDMM_EVENT_BUILT);
            alone->answer.built.written = 64;
            break;
        case VIDMM_DO_SUBMIT_PAGING:
            alone->fences[PAGING] = operation->submit_paging.fence;
            answer(alone, VIDMM_EVENT_SUBMITTED);
            break;
        case VIDMM_DO_SUBMIT:
            alone->fences[RENDER] = operation->submit.fence;
            answer(alone, VIDMM_EVENT_SUBMITTED);
            break;
        default:
            break;
        }
    }
}

static void step(struct alone *alone, struct vidmm_event event)
{
    struct vidmm_plan plan;

    for (;;) {
        NTSTATUS status;

        event.time_ns = ++alone->time_ns;
        status = vidmm_step(alone->engine, &event, &plan);
        bench_check(status == STATUS_SUCCESS || status == STATUS_PENDING, "an event was refused");
        carry_out(alone, &plan);
        while (plan.more) {
            vidmm_step(alone->engine, NULL, &plan);
            carry_out(alone, &plan);
        }
        if (!alone->answers)
            return;
        event = alone->answer;
        alone->answers = false;
    }
}

static void complete_all(struct alone *alone)
{
    for (uint32_t node = 0; node < ALONE_NODES; node++) {
        struct vidmm_event event;

        if (alone->fences[node] == 0)
            continue;
        event = (struct vidmm_event){.kind = VIDMM_EVENT_FENCE};
        event.fence.node = node;
        event.fence.fence = alone->fences[node];
        alone->fences[node] = 0;
        step(alone, event);
        node = UINT32_MAX; /* the end of one may have let others begin */
    }
}

/* The paging process, by whose addresses an MMU moves what is paged. Its tables are in system
 * memory. */
static void begin_paging(struct alone *alone)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    event.process.process = 1;
    event.process.paging = 1;
    step(alone, event);
    complete_all(alone);
}

/* A program with addresses, a device and a paging queue. */
static void begin_listed(struct alone *alone, uint32_t capacity)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_PROCESS};

    begin_paging(alone);
    event.process.process = PROGRAM;
    step(alone, event);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_DEVICE, .device = 1};
    event.create_device.process = PROGRAM;
    step(alone, event);
    event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = 1};
    event.paging_queue.queue = 1;
    event.paging_queue.priority = VIDMM_PAGING_QUEUE_NORMAL;
    step(alone, event);
    alone->ids = bench_allocate(capacity, sizeof(*alone->ids));
}

static struct vidmm_engine_mmu mmu_of(enum alone_kind kind)
{
    struct vidmm_engine_mmu none = {.levels = 0};

    if (kind == ALONE_PHYSICAL)
        return none;
    if (kind == ALONE_LISTED)
        return (struct vidmm_engine_mmu){.levels = 3,
                                         .index_bits = {9, 9},
                                         .root_entries = 512,
                                         .table_size = {PAGE, PAGE, PAGE},
                                         .low = UINT64_C(1) << 16,
                                         .high = UINT64_C(1) << 39};
    return (struct vidmm_engine_mmu){.levels = 2,
                                     .index_bits = {18}, /* a chunk is 1 GiB */
                                     .root_entries = 64,
                                     .table_size = {PAGE, PAGE},
                                     .low = UINT64_C(1) << 30,
                                     .high = UINT64_C(1) << 36,
                                     .contiguous = kind == ALONE_CONTIGUOUS};
}

void alone_begin(struct alone *alone, uint64_t size, uint32_t capacity, enum alone_kind kind)
{
    struct vidmm_engine_config config = {
        .segment_count = 2,
        .node_count = ALONE_NODES,
        .paging_node = PAGING,
        .queue_limit = 64,
        .first_fence = 1,
        .timeout_ns = UINT64_C(1) << 60,
        .mmu = mmu_of(kind),
        .explicit_residency = kind == ALONE_LISTED,
    };
    struct vidmm_event event = {.kind = VIDMM_EVENT_PAGING_BUFFERS};

    memset(alone, 0, sizeof(*alone));
    config.segments[APERTURE].size = config.segments[APERTURE].commit_limit = UINT64_C(1) << 30;
    config.segments[APERTURE].aperture = true;
    config.segments[MEMORY].size = size;
    bench_memory_init(&alone->memory);
    alone->engine = vidmm_engine_create(&config, &alone->memory.memory);
    bench_check(alone->engine != NULL, "an engine could not be made");
    alone->list = bench_allocate(capacity, sizeof(*alone->list));
    alone->patches = bench_allocate(capacity, sizeof(*alone->patches));
    alone->capacity = capacity;
    event.paging_buffers.first = 1;
    event.paging_buffers.count = BUFFERS;
    step(alone, event);
    if (kind == ALONE_LISTED) {
        begin_listed(alone, capacity);
        return;
    }
    event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_DEVICE, .device = 1};
    step(alone, event);
    if (kind != ALONE_PHYSICAL)
        begin_paging(alone);
}

void alone_create(struct alone *alone, uint32_t index, uint64_t size, uint64_t alignment)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = 1};

    event.create.allocation = ALONE_FIRST_ID + index;
    event.create.wish = (struct vidmm_wish){.size = size,
                                            .alignment = alignment,
                                            .read_set = 1u << (MEMORY - 1),
                                            .write_set = 1u << (MEMORY - 1),
                                            .eviction_set = 1u << (APERTURE - 1),
                                            .priority = 0x78000000};
    step(alone, event);
}

void alone_destroy(struct alone *alone, uint32_t index)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION, .device = 1};

    event.destroy.allocation = ALONE_FIRST_ID + index;
    step(alone, event);
    complete_all(alone);
}

void alone_name(struct alone *alone, uint32_t index, bool write)
{
    bench_check(alone->count < alone->capacity, "a list has more references than its capacity");
    alone->list[alone->count] = (struct vidmm_reference){ALONE_FIRST_ID + index, write};
    alone->patches[alone->count] = (struct vidmm_patch_location){alone->count, alone->count, 0};
    alone->count++;
}

void alone_submit(struct alone *alone)
{
    alone_submit_again(alone);
    alone->count = 0;
}

void alone_submit_again(struct alone *alone)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMIT, .device = 1};
    uint64_t begun;

    event.submit.dma_buffer = 1;
    event.submit.node = RENDER;
    event.submit.size = 64;
    event.submit.context = 1;
    event.submit.references = alone->list;
    event.submit.reference_count = alone->count;
    event.submit.patches = alone->patches;
    event.submit.patch_count = alone->count;
    alone->submissions++;
    begun = bench_now();
    step(alone, event);
    alone->decided_ns = bench_now() - begun;
    complete_all(alone);
}

static void change_list(struct alone *alone, uint32_t kind, uint32_t first, uint32_t count)
{
    struct vidmm_event event = {.kind = kind, .device = 1};

    bench_check(count <= alone->capacity, "a list has more allocations than its capacity");
    for (uint32_t i = 0; i < count; i++)
        alone->ids[i] = ALONE_FIRST_ID + first + i;
    event.residency.queue = kind == VIDMM_EVENT_MAKE_RESIDENT ? 1 : 0;
    event.residency.count = count;
    event.residency.allocations = alone->ids;
    step(alone, event);
    complete_all(alone);
}

void alone_make_resident(struct alone *alone, uint32_t first, uint32_t count)
{
    change_list(alone, VIDMM_EVENT_MAKE_RESIDENT, first, count);
}

void alone_evict(struct alone *alone, uint32_t first, uint32_t count)
{
    change_list(alone, VIDMM_EVENT_EVICT, first, count);
}

void alone_map(struct alone *alone, uint32_t index, uint64_t address, uint64_t size)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAP_ADDRESSES};

    event.addresses.process = PROGRAM;
    event.addresses.state = VIDMM_ADDRESSES_MAPPED;
    event.addresses.access = VIDMM_ADDRESSES_WRITE;
    event.addresses.allocation = ALONE_FIRST_ID + index;
    event.addresses.base = address;
    event.addresses.size = size;
    step(alone, event);
    complete_all(alone);
}

void alone_unmap(struct alone *alone, uint64_t address, uint64_t size)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FREE_ADDRESSES};

    event.addresses.process = PROGRAM;
    event.addresses.base = address;
    event.addresses.size = size;
    step(alone, event);
    complete_all(alone);
}

bool alone_is_resident(const struct alone *alone, uint32_t index)
{
    return vidmm_engine_where(alone->engine, ALONE_FIRST_ID + index).segment == MEMORY;
}

struct vidmm_engine_statistics alone_statistics(const struct alone *alone)
{
    struct vidmm_engine_statistics statistics;

    vidmm_engine_get_statistics(alone->engine, &statistics);
    return statistics;
}

void alone_finish(struct alone *alone)
{
    bench_check(alone_statistics(alone).submissions == alone->submissions,
                "a DMA buffer was not submitted");
    vidmm_engine_destroy(alone->engine);
    free(alone->list);
    free(alone->patches);
    free(alone->ids);
}
