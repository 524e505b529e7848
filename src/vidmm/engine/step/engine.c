/* engine.c: make an engine, take it apart, ask it questions. */
#include "vidmm/engine/state/engine_state.h"

#include <string.h>

#include <base/pool.h>
#include <vidmm/page.h>

#include "vidmm/engine/recover/recovery.h"
#include "vidmm/engine/state/budget.h"
#include "vidmm/engine/state/device_record.h"
#include "vidmm/engine/state/fence_state.h"
#include "vidmm/engine/state/host_mapping.h"
#include "vidmm/engine/state/host_state.h"
#include "vidmm/engine/state/listing.h"
#include "vidmm/engine/state/mmu_config.h"
#include "vidmm/engine/state/mmu_state.h"
#include "vidmm/engine/state/place_runs.h"
#include "vidmm/engine/state/placement.h"
#include "vidmm/engine/state/placement_state.h"
#include "vidmm/engine/state/process.h"
#include "vidmm/engine/state/recovery_state.h"
#include "vidmm/engine/state/refreshes.h"
#include "vidmm/engine/state/wish.h"
#include "vidmm/engine/work/arbiter.h"
#include "vidmm/engine/work/eviction.h"
#include "vidmm/engine/work/fence_queue.h"
#include "vidmm/engine/work/trim_interval.h"
#include "vidmm/engine/work/work.h"

/* An engine with the parts that it points to: one allocation. */
struct whole {
    struct vidmm_engine engine; /* first member: the address of both is one */
    struct vidmm_fences monitored;
    struct vidmm_host host;
    struct vidmm_mmu mmu;
    struct vidmm_recovery recovery;
    struct vidmm_reset reset;
    struct vidmm_rest rest;
    struct vidmm_pool placement_pool, move_pool, listing_pool, queue_pool;
};

static bool is_legal(const struct vidmm_engine_config *config)
{
    return config->segment_count >= 1 && config->segment_count < VIDMM_SEGMENTS &&
           config->node_count >= 1 && config->node_count <= VIDMM_NODES &&
           config->paging_node < config->node_count && config->queue_limit >= 1 &&
           (config->hw_first == 0 ||
            (config->paging_node < config->hw_first && config->hw_queues >= 1 &&
             config->node_count / config->hw_first == 1 + config->hw_queues &&
             config->node_count % config->hw_first == 0)) &&
           config->first_fence >= 1 && config->timeout_ns >= 1 &&
           config->split_transfer_size % VIDMM_PAGE_SIZE == 0 && vidmm_mmu_is_legal(config);
}

/* Take the banks over: each ends behind the one before it, the last where the segment ends. */
static bool init_banks(struct vidmm_engine *engine, uint32_t id)
{
    struct vidmm_engine_segment *config = &engine->config.segments[id];
    const uint64_t *ends = config->bank_ends;
    uint64_t before = 0;
    uint32_t bank;

    config->bank_ends = NULL;
    if (config->bank_count == 0)
        return true;
    for (bank = 0; bank < config->bank_count; bank++) {
        if (ends[bank] <= before || ends[bank] > config->size)
            return false;
        before = ends[bank];
    }
    if (before != config->size)
        return false;
    engine->segments[id].bank_ends = engine->memory.allocate(
        engine->memory.context, config->bank_count * sizeof(*engine->segments[id].bank_ends));
    if (!engine->segments[id].bank_ends)
        return false;
    memcpy(engine->segments[id].bank_ends, ends, config->bank_count * sizeof(*ends));
    config->bank_ends = engine->segments[id].bank_ends;
    return true;
}

/* Take what is reserved: ranges of no placement. False: one lies outside of the segment, or in
 * another, or there is no memory. */
static bool init_reserved(struct vidmm_engine *engine, uint32_t id)
{
    struct vidmm_engine_segment *config = &engine->config.segments[id];
    const struct vidmm_reserved_range *reserved = config->reserved;
    uint32_t index;

    config->reserved = NULL;
    for (index = 0; index < config->reserved_count; index++) {
        if (!vidmm_segment_take_at(&engine->segments[id].ranges, reserved[index].offset,
                                   reserved[index].size, 0))
            return false;
        engine->segments[id].apart += reserved[index].size;
    }
    if (config->part_of != 0) {
        engine->segments[id].parted = engine->segments[id].apart;
        engine->segments[config->part_of].parted = engine->segments[config->part_of].apart;
    }
    return true;
}

/* Whether it is no part, or one of a segment that comes before it, is as large, and is none. */
static bool is_part_rightly(const struct vidmm_engine_config *config, uint32_t id)
{
    const struct vidmm_engine_segment *segment = &config->segments[id];
    const struct vidmm_engine_segment *whole =
        segment->part_of < id ? &config->segments[segment->part_of] : NULL;

    return segment->part_of == 0 ||
           (whole && whole->part_of == 0 && whole->size == segment->size && !whole->aperture &&
            !segment->aperture && segment->host_pages == 0);
}

/* Make for a segment what vidmm_engine_destroy() gives back. */
static bool init_segment(struct vidmm_engine *engine, uint32_t id)
{
    if (!is_part_rightly(&engine->config, id) || !init_banks(engine, id))
        return false;
    if (vidmm_segment_init(&engine->segments[id].ranges, engine->config.segments[id].size,
                           &engine->memory)) {
        if (init_reserved(engine, id))
            return true;
        vidmm_segment_finish(&engine->segments[id].ranges);
    }
    if (engine->segments[id].bank_ends)
        engine->memory.free(engine->memory.context, engine->segments[id].bank_ends);
    return false;
}

/* NULL: there is no memory. */
static struct vidmm_engine *allocate_whole(const struct vidmm_memory *memory)
{
    struct whole *whole = memory->allocate(memory->context, sizeof(*whole));

    if (!whole)
        return NULL;
    whole->engine.memory = *memory;
    whole->engine.monitored = &whole->monitored;
    whole->engine.host = &whole->host;
    whole->engine.mmu = &whole->mmu;
    whole->engine.recovery = &whole->recovery;
    whole->engine.reset = &whole->reset;
    whole->engine.rest = &whole->rest;
    whole->engine.placement_pool = &whole->placement_pool;
    whole->engine.move_pool = &whole->move_pool;
    whole->engine.listing_pool = &whole->listing_pool;
    whole->engine.queue_pool = &whole->queue_pool;
    return &whole->engine;
}

struct vidmm_engine *vidmm_engine_create(const struct vidmm_engine_config *config,
                                         const struct vidmm_memory *memory)
{
    struct vidmm_engine *engine;
    uint32_t id, node;

    if (!is_legal(config) || config->swizzling_ranges > VIDMM_SWIZZLING_RANGES)
        return NULL;
    engine = allocate_whole(memory);
    if (!engine)
        return NULL;
    vidmm_pool_init(engine->placement_pool, &engine->memory, sizeof(struct vidmm_placement));
    vidmm_pool_init(engine->move_pool, &engine->memory, sizeof(struct vidmm_move_pair));
    vidmm_pool_init(engine->listing_pool, &engine->memory, sizeof(struct vidmm_listing));
    vidmm_pool_init(engine->queue_pool, &engine->memory, sizeof(struct vidmm_context_queue));
    engine->config = *config;
    vidmm_budget_init(engine);
    engine->fences.next = config->first_fence;
    for (node = 0; node < config->node_count; node++) {
        vidmm_timeline_init(&engine->nodes[node].timeline, &engine->fences);
        engine->nodes[node].switch_flight.switches = true;
    }
    for (id = 1; id < VIDMM_PAGING_BUFFERS; id++)
        engine->paging_buffers[id].flight.paging = true;
    for (id = 1; id <= config->segment_count; id++) {
        if (!init_segment(engine, id)) {
            engine->config.segment_count = id - 1;
            vidmm_engine_destroy(engine);
            return NULL;
        }
    }
    if (!vidmm_host_init(engine)) {
        vidmm_engine_destroy(engine);
        return NULL;
    }
    return engine;
}

static void free_work_list(struct vidmm_engine *engine, struct vidmm_work *work)
{
    while (work) {
        struct vidmm_work *next = work->next;

        vidmm_work_free(engine, work);
        work = next;
    }
}

static void free_flights(struct vidmm_engine *engine, struct vidmm_flight *flight)
{
    while (flight) {
        struct vidmm_flight *next = flight->next;

        if (!flight->paging && !flight->switches) {
            struct vidmm_work *work = ((struct vidmm_part *)flight)->work;

            work->flying--;
            if (work->flying == 0 && work->ended)
                vidmm_work_free(engine, work);
        }
        flight = next;
    }
}

/* The memory that a record has beside itself. */
static void free_parts(struct vidmm_engine *engine, struct vidmm_placement *placement)
{
    vidmm_refreshes_finish(engine, placement);
    vidmm_place_finish_runs(engine, placement);
    if (placement->ring)
        engine->memory.free(engine->memory.context, placement->ring);
}

static void free_all(struct vidmm_engine *engine)
{
    const struct vidmm_context_queue *queue;
    uint32_t index;

    for (index = 0; index < engine->config.node_count; index++)
        free_flights(engine, engine->nodes[index].timeline.flights.first);
    for (queue = engine->queues.first; queue; queue = queue->next)
        free_work_list(engine, queue->works.first);
    vidmm_pool_finish(engine->queue_pool);
    free_work_list(engine, engine->retired.first);
    free_work_list(engine, engine->arriving.first);
    free_work_list(engine, engine->monitored->signals.first);
    vidmm_fence_queue_finish(engine);
    while (engine->lock_requests) {
        struct vidmm_lock_request *request = engine->lock_requests;

        engine->lock_requests = request->next;
        engine->memory.free(engine->memory.context, request);
    }
    vidmm_host_finish(engine);
    vidmm_eviction_finish(engine);
    vidmm_mmu_finish(engine); /* its ranges are in the rings of placements */
    for (index = 0; index < engine->placement_capacity; index++)
        if (engine->placements[index])
            free_parts(engine, engine->placements[index]);
    vidmm_pool_finish(engine->placement_pool);
    vidmm_pool_finish(engine->move_pool);
    vidmm_pool_finish(engine->listing_pool);
}

void vidmm_engine_destroy(struct vidmm_engine *engine)
{
    uint32_t id;

    if (!engine)
        return;
    free_all(engine);
    for (id = 1; id <= engine->config.segment_count; id++) {
        vidmm_segment_finish(&engine->segments[id].ranges);
        if (engine->segments[id].bank_ends)
            engine->memory.free(engine->memory.context, engine->segments[id].bank_ends);
    }
    if (engine->placements)
        engine->memory.free(engine->memory.context, engine->placements);
    vidmm_device_records_finish(engine);
    if (engine->paging_queues)
        engine->memory.free(engine->memory.context, engine->paging_queues);
    if (engine->spare_runs)
        engine->memory.free(engine->memory.context, engine->spare_runs);
    if (engine->accounts)
        engine->memory.free(engine->memory.context, engine->accounts);
    if (engine->missing)
        engine->memory.free(engine->memory.context, engine->missing);
    engine->memory.free(engine->memory.context, engine);
}

/* When the next thing is due that waits for a time because a test says so. */
static uint64_t find_due(const struct vidmm_engine *engine)
{
    uint64_t rest = vidmm_arbiter_deadline(engine), eviction = vidmm_eviction_deadline(engine);
    uint64_t trim = vidmm_trim_interval_deadline(engine);

    rest = eviction < rest ? eviction : rest;
    return trim < rest ? trim : rest;
}

uint64_t vidmm_engine_deadline(const struct vidmm_engine *engine)
{
    uint64_t deadline = engine->idle ? UINT64_MAX : vidmm_recovery_deadline(engine);
    uint64_t lock = engine->waiting_since_ns == 0
                        ? UINT64_MAX
                        : engine->waiting_since_ns + engine->config.timeout_ns;
    uint64_t retry = engine->mmu->retry_ns == 0 ? UINT64_MAX : engine->mmu->retry_ns;

    uint64_t due = engine->timed ? find_due(engine) : UINT64_MAX;

    deadline = due < deadline ? due : deadline;
    deadline = retry < deadline ? retry : deadline;
    return lock < deadline ? lock : deadline;
}

static void add_use(const struct vidmm_engine *engine, uint32_t segment,
                    struct vidmm_segment_use *use)
{
    const struct vidmm_segment *ranges = &engine->segments[segment].ranges;
    uint64_t free = vidmm_segment_free_bytes(ranges), hole = vidmm_segment_largest_hole(ranges);

    use->free += free;
    use->taken += engine->config.segments[segment].size - engine->segments[segment].apart - free;
    use->largest_hole = hole > use->largest_hole ? hole : use->largest_hole;
}

struct vidmm_segment_use vidmm_engine_segment_use(const struct vidmm_engine *engine,
                                                  uint32_t segment)
{
    struct vidmm_segment_use use = {0};
    uint32_t id;

    for (id = 1; segment != 0 && id <= engine->config.segment_count; id++)
        if (id == segment || engine->config.segments[id].part_of == segment)
            add_use(engine, id, &use);
    return use;
}

struct vidmm_evicted vidmm_engine_evicted(const struct vidmm_engine *engine, uint32_t segment)
{
    struct vidmm_evicted evicted = {{0}};
    uint32_t id, rank;

    for (id = 1; segment != 0 && id <= engine->config.segment_count; id++)
        for (rank = 0; rank < VIDMM_EVICTED_CLASSES; rank++)
            if (id == segment || engine->config.segments[id].part_of == segment)
                evicted.bytes[rank] += engine->segments[id].evicted[rank];
    return evicted;
}

static uint32_t preference_of(const struct vidmm_wish *wish, uint32_t segment)
{
    uint32_t slot = 0;

    while (slot < VIDMM_PREFERENCES && vidmm_wish_preferred(wish, slot) != segment)
        slot++;
    return slot;
}

struct vidmm_holding vidmm_engine_holding(const struct vidmm_engine *engine, uint32_t allocation)
{
    const struct vidmm_placement *placement = vidmm_placement_find(engine, allocation);
    struct vidmm_holding holding = {0};

    if (!placement)
        return holding;
    holding.buffer = placement->buffer;
    if (!vidmm_place_is_segment(&placement->given))
        return holding;
    holding.segment = vidmm_place_tell(&placement->given).segment;
    holding.preference = preference_of(&placement->wish, holding.segment);
    holding.size = vidmm_wish_size_in(engine, &placement->wish, placement->given.segment);
    holding.resident = placement->moves->in.state != MOVE_QUEUED &&
                       vidmm_place_is_segment(&placement->at) &&
                       placement->at.segment == placement->given.segment;
    holding.demoted = vidmm_listing_is_demoted(engine, placement);
    holding.rank = vidmm_priority_class(placement->wish.priority) - VIDMM_PRIORITY_OFFERS;
    holding.group = vidmm_budget_group(engine, &placement->wish);
    return holding;
}

struct vidmm_node_use vidmm_engine_node_use(const struct vidmm_engine *engine, uint32_t node)
{
    return node < engine->config.node_count ? engine->nodes[node].timeline.use
                                            : (struct vidmm_node_use){.context_switches = 0};
}

void vidmm_engine_get_statistics(const struct vidmm_engine *engine,
                                 struct vidmm_engine_statistics *out)
{
    *out = engine->statistics;
}
