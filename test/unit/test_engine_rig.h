/* test_engine_rig.h: an engine alone, for tests that hand it events and look at its plans.
 *
 *     engine_rig_step(&rig, &event)     one event; the operations of its plan join rig.log
 *     engine_rig_answer(&rig)           answer the call that is under way as an honest driver would
 *     engine_rig_run(&rig)              answer, and complete fences, until nothing is under way
 *
 * Segment 1 is an aperture of 64 pages, segment 2 memory of 64 pages that the CPU sees. Node 1
 * pages. Device 1 exists, and paging buffers 1 .. 3.
 */
#ifndef TEST_UNIT_TEST_ENGINE_RIG_H
#define TEST_UNIT_TEST_ENGINE_RIG_H

#include "harness.h"

#include <vidmm/engine.h>
#include <wddm/d3dkmddi_allocation.h>
#include <wddm/ntstatus.h>

enum { ENGINE_RIG_LOG = 4096, ENGINE_RIG_NODES = 2 };

#define PAGES(count) ((uint64_t)(count)*4096)

struct engine_rig {
    struct counted_memory memory;
    struct vidmm_engine *engine;
    uint64_t time_ns;
    struct vidmm_operation log[ENGINE_RIG_LOG];
    uint32_t count;
    struct vidmm_operation call;       /* under way; kind 0: none */
    uint32_t fences[ENGINE_RIG_NODES]; /* newest submitted */
    bool due[ENGINE_RIG_NODES];        /* ... and not yet reported */
    uint32_t paging_node;
    bool stopped;
};

static inline struct vidmm_engine_config engine_rig_config(void)
{
    return (struct vidmm_engine_config){
        .segment_count = 2,
        .node_count = ENGINE_RIG_NODES,
        .paging_node = 1,
        .queue_limit = 31,
        .first_fence = 1,
        .timeout_ns = 2000000000,
        .whole_lists = true, /* most tests have no patch locations */
        .segments[1] = {.size = PAGES(64), .commit_limit = PAGES(64), .aperture = true},
        .segments[2] = {.size = PAGES(64), .cpu_visible = true},
    };
}

static inline void engine_rig_note(struct engine_rig *rig, const struct vidmm_operation *operation)
{
    assert_true(rig->count < ENGINE_RIG_LOG);
    rig->log[rig->count++] = *operation;
    switch (operation->kind) {
    case VIDMM_DO_CLAIM:
    case VIDMM_DO_BUILD:
    case VIDMM_DO_QUERY_FENCE:
    case VIDMM_DO_PREEMPT:
    case VIDMM_DO_QUERY_ENGINE:
    case VIDMM_DO_QUERY_GROUP:
    case VIDMM_DO_RESET_ENGINE:
    case VIDMM_DO_RESET:
    case VIDMM_DO_RESTART:
    case VIDMM_DO_CANCEL:
        rig->call = *operation;
        break;
    case VIDMM_DO_SUBMIT_PAGING:
        rig->call = *operation;
        rig->fences[rig->paging_node] = operation->submit_paging.fence;
        rig->due[rig->paging_node] = true;
        break;
    case VIDMM_DO_SWITCH:
        rig->call = *operation;
        rig->fences[operation->switching.node] = operation->switching.fence;
        rig->due[operation->switching.node] = true;
        break;
    case VIDMM_DO_SUBMIT:
        rig->call = *operation;
        rig->fences[operation->submit.node] = operation->submit.fence;
        rig->due[operation->submit.node] = true;
        break;
    case VIDMM_DO_STOPPED:
        rig->stopped = true;
        break;
    default:
        break;
    }
}

static inline NTSTATUS engine_rig_step(struct engine_rig *rig, struct vidmm_event event)
{
    struct vidmm_plan plan;
    NTSTATUS status;

    if (event.time_ns == 0)
        event.time_ns = rig->time_ns += 1000;
    status = vidmm_step(rig->engine, &event, &plan);
    for (;;) {
        for (uint32_t i = 0; i < plan.count; i++)
            engine_rig_note(rig, &plan.operations[i]);
        vidmm_engine_check(rig->engine);
        if (!plan.more)
            return status;
        assert_int_equal(vidmm_step(rig->engine, NULL, &plan), STATUS_SUCCESS);
    }
}

static inline void engine_rig_do(struct engine_rig *rig, struct vidmm_event event)
{
    assert_int_equal(engine_rig_step(rig, event), STATUS_SUCCESS);
}

static inline void engine_rig_answer(struct engine_rig *rig)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMITTED};

    if (rig->call.kind == VIDMM_DO_BUILD) {
        event.kind = VIDMM_EVENT_BUILT;
        event.built.written = 64;
    } else if (rig->call.kind == VIDMM_DO_CLAIM) {
        event.kind = VIDMM_EVENT_CLAIMED;
        event.claimed.allocation = rig->call.allocation;
        event.claimed.granted = 1;
    } else if (rig->call.kind >= VIDMM_DO_QUERY_FENCE && rig->call.kind <= VIDMM_DO_RESTART) {
        event.kind = VIDMM_EVENT_RECOVERED;
        event.recovered.nodes = UINT64_C(1) << rig->call.recover.node;
        if (rig->call.kind == VIDMM_DO_RESET || rig->call.kind == VIDMM_DO_RESET_ENGINE)
            memset(rig->due, 0, sizeof(rig->due));
    }
    rig->call.kind = 0;
    engine_rig_do(rig, event);
}

static inline void engine_rig_complete(struct engine_rig *rig, uint32_t node)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FENCE};

    event.fence.node = node;
    event.fence.fence = rig->fences[node];
    rig->due[node] = false;
    engine_rig_do(rig, event);
}

static inline void engine_rig_run(struct engine_rig *rig)
{
    for (uint32_t rounds = 0; rounds < 10000 && !rig->stopped; rounds++)
        if (rig->call.kind != 0)
            engine_rig_answer(rig);
        else if (rig->due[1])
            engine_rig_complete(rig, 1);
        else if (rig->due[0])
            engine_rig_complete(rig, 0);
        else
            return;
    assert_true(rig->stopped);
}

/* ---- events ---------------------------------------------------------------------------------- */

static inline struct vidmm_event engine_event_device(uint32_t kind, uint32_t device)
{
    return (struct vidmm_event){.kind = kind, .device = device};
}

static inline struct vidmm_event engine_event_create(uint32_t id, uint64_t pages, uint32_t set)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_CREATE_ALLOCATION, .device = 1};

    event.create.allocation = id;
    event.create.wish = (struct vidmm_wish){
        .size = PAGES(pages),
        .alignment = 4096,
        .read_set = set,
        .write_set = set,
        .flags = (DXGK_ALLOCATIONINFOFLAGS){.CpuVisible = 1}.Value,
    };
    return event;
}

static inline struct vidmm_event engine_event_destroy(uint32_t id)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_DESTROY_ALLOCATION};

    event.destroy.allocation = id;
    return event;
}

static inline struct vidmm_event engine_event_submit(uint32_t dma_buffer, uint32_t node,
                                                     const struct vidmm_reference *references,
                                                     uint32_t count)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMIT, .device = 1};

    event.submit.dma_buffer = dma_buffer;
    event.submit.node = node;
    event.submit.references = references;
    event.submit.reference_count = count;
    return event;
}

static inline struct vidmm_event engine_event_lock(uint32_t request, uint32_t id, bool wait)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_LOCK};

    event.lock.request = request;
    event.lock.allocation = id;
    event.lock.wait = wait;
    return event;
}

static inline struct vidmm_event engine_event_pin(uint32_t request, uint32_t id)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PIN};

    event.pin.request = request;
    event.pin.allocation = id;
    return event;
}

static inline struct vidmm_event engine_event_paging(uint32_t first, uint32_t count)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_PAGING_BUFFERS};

    event.paging_buffers.first = first;
    event.paging_buffers.count = count;
    return event;
}

static inline struct vidmm_event engine_event_built(NTSTATUS status, uint32_t multipass,
                                                    uint64_t written)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_BUILT};

    event.built.status = (uint32_t)status;
    event.built.multipass_offset = multipass;
    event.built.written = written;
    return event;
}

static inline struct vidmm_event engine_event_fence(uint32_t node, uint32_t fence)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_FENCE};

    event.fence.node = node;
    event.fence.fence = fence;
    return event;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static inline void engine_rig_begin(struct engine_rig *rig,
                                    const struct vidmm_engine_config *config)
{
    memset(rig, 0, sizeof(*rig));
    counted_memory_init(&rig->memory);
    rig->paging_node = config->paging_node;
    rig->engine = vidmm_engine_create(config, &rig->memory.table);
    assert_non_null(rig->engine);
}

static inline void engine_rig_init(struct engine_rig *rig, const struct vidmm_engine_config *config)
{
    engine_rig_begin(rig, config);
    engine_rig_do(rig, engine_event_device(VIDMM_EVENT_CREATE_DEVICE, 1));
    engine_rig_do(rig, engine_event_paging(1, 3));
}

static inline void engine_rig_finish(struct engine_rig *rig)
{
    vidmm_engine_destroy(rig->engine);
    counted_memory_finish(&rig->memory);
}

/* The newest operation of a kind since log index `from`; NULL: there is none. */
static inline const struct vidmm_operation *engine_rig_find(const struct engine_rig *rig,
                                                            uint32_t from, uint32_t kind)
{
    for (uint32_t i = rig->count; i-- > from;)
        if (rig->log[i].kind == kind)
            return &rig->log[i];
    return NULL;
}

/* Use one allocation, to the end. */
static inline void engine_rig_use(struct engine_rig *rig, uint32_t id, bool write)
{
    const struct vidmm_reference reference = {id, write};

    engine_rig_do(rig, engine_event_submit(100 + id, 0, &reference, 1));
    engine_rig_run(rig);
}

#endif
