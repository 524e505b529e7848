/* nodes.c: the symbolic GPU's nodes: they run packets, report, hang, are preempted and reset. */
#include "world_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t last_fence(const struct node *queue)
{
    if (queue->idle)
        return queue->reset_fence;
    return queue->done == 0 ? 0 : queue->packets[(queue->done - 1) % QUEUE].fence;
}

/* Packets that were not executed come back: paging first. */
static void give_back(struct node *queue)
{
    struct packet all[2 * QUEUE];
    uint32_t at, count = 0, paging;

    for (at = queue->done; at != queue->tail; at++)
        all[count++] = queue->packets[at % QUEUE];
    for (at = 0; at < queue->returned_count; at++) /* those that had not gone again yet */
        all[count++] = queue->returned[at];
    queue->returned_count = 0;
    for (paging = 0; paging < 2; paging++) {
        for (at = 0; at < count; at++)
            if ((all[at].paging_buffer != 0) == (paging == 0))
                queue->returned[queue->returned_count++] = all[at];
    }
    queue->head = queue->tail = queue->done;
}

static void reset_adapter(struct world *world)
{
    uint32_t node, id;

    for (node = 0; node < world->options.nodes; node++) {
        struct node *queue = &world->nodes[node];

        queue->head = queue->done = queue->tail;
        queue->hung = queue->hard = false;
        queue->idle = true;
        queue->reset_fence = queue->submitted;
        queue->preempt_fence = queue->returned_count = 0;
        world_load_context(world, node, 0);
    }
    for (id = 0; id < VIDMM_PAGING_BUFFERS; id++) {
        world->buffers[id].count = world->buffers[id].units = 0;
        world->buffers[id].flying = false;
    }
    for (id = 0; id < PAGES; id++) {
        world->memory[id] = POISON;
        world->table[id].segment = 0;
    }
    for (id = 1; id < ALL; id++) {
        struct allocation *allocation = &world->allocations[id];

        allocation->maybe_lost = allocation->known;
        allocation->garbage =
            allocation->locks > 0 && !allocation->closed && allocation->window.segment != 0;
    }
    world->read.reset = true;
    world->counts.resets++;
    world->time += 61000000000; /* the limit of resets a minute is shown elsewhere */
}

/* Engines fail to be reset now and then. */
static void reset_engine(struct world *world, uint32_t node, struct vidmm_event *event)
{
    struct node *queue = &world->nodes[node];

    if (world->time / 1000 % 3 == 0) {
        event->recovered.status = (uint32_t)STATUS_UNSUCCESSFUL;
        return;
    }
    queue->idle = queue->idle && queue->done == queue->tail;
    queue->done += queue->done != queue->tail; /* cut off */
    event->recovered.fence = last_fence(queue);
    give_back(queue);
    queue->hung = queue->hard = false;
    queue->preempt_fence = 0;
    world_load_context(world, node, 0);
}

const char *world_recover(struct world *world, const struct vidmm_operation *call,
                          struct vidmm_event *event)
{
    uint32_t node = call->recover.node;
    const char *problem = NULL;

    switch (call->kind) {
    case VIDMM_DO_QUERY_FENCE:
        problem = world_report(world, node);
        event->recovered.fence = last_fence(&world->nodes[node]);
        break;
    case VIDMM_DO_PREEMPT:
        world->nodes[node].preempt_fence = call->recover.fence;
        break;
    case VIDMM_DO_QUERY_ENGINE:
        event->recovered.nodes = (uint64_t)!world->nodes[node].hung << node;
        break;
    case VIDMM_DO_QUERY_GROUP:
        event->recovered.nodes =
            world->time / 1000 % 2 == 0 ? 3 : UINT64_C(1) << call->recover.node;
        break;
    case VIDMM_DO_RESET_ENGINE:
        reset_engine(world, node, event);
        break;
    case VIDMM_DO_RESET:
        reset_adapter(world);
        break;
    default:
        break;
    }
    return problem;
}

const char *world_answer_range(struct world *world, const struct vidmm_operation *call,
                               struct vidmm_event *event)
{
    uint32_t *owner = &world->range_owner[call->range.range];
    struct allocation *allocation = &world->allocations[call->allocation];
    uint64_t luck = world->time / 1000 % 8;

    event->kind = VIDMM_EVENT_RANGED;
    if (call->kind == VIDMM_DO_RELEASE_RANGE) {
        if (*owner != call->allocation ||
            (allocation->locks > 0 && !allocation->closed &&
             allocation->range == call->range.range && !allocation->garbage)) {
            return FAIL(world, "range %u of allocation %u is released, of %u", call->range.range,
                        call->allocation, *owner);
        }
        *owner = 0;
        return NULL;
    }
    if (*owner != 0 || call->range.place.segment != 2) {
        return FAIL(world, "range %u is acquired for %u, and is %u's", call->range.range,
                    call->allocation, *owner);
    }
    event->ranged.status = luck == 0   ? (uint32_t)STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED
                           : luck == 1 ? (uint32_t)STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE
                                       : 0;
    *owner = event->ranged.status == 0 ? call->allocation : 0;
    if (*owner != 0 && call->range.alternate != 0) {
        allocation->alternate_pages = allocation->pages + (luck & 1);
        event->ranged.size = allocation->alternate_pages * 4096ull;
    }
    return NULL;
}

const char *world_run_node(struct world *world, uint32_t node)
{
    struct node *queue = &world->nodes[node];
    const struct packet *packet = &queue->packets[queue->done % QUEUE];
    const char *problem = NULL;
    uint32_t index;

    if (queue->done == queue->tail || queue->hung)
        return NULL;
    queue->done++;
    queue->idle = false;
    if (packet->dma_buffer != 0)
        return world_run_dma_buffer(world, node, packet);
    if (packet->switches) {
        problem = world_save_context(world, node);
        world_load_context(world, node, 0);
        return problem;
    }
    for (index = 0; index < world->buffers[packet->paging_buffer].count && !problem; index++)
        problem = world_run_record(world, &world->buffers[packet->paging_buffer].records[index]);
    world->buffers[packet->paging_buffer].count = 0;
    world->buffers[packet->paging_buffer].units = 0;
    world->buffers[packet->paging_buffer].flying = false;
    return problem;
}

static const char *report_stop(struct world *world, uint32_t node)
{
    struct node *queue = &world->nodes[node];
    struct vidmm_event event = {.kind = VIDMM_EVENT_PREEMPTED};

    event.preempted.node = node;
    event.preempted.fence = queue->preempt_fence;
    event.preempted.last_completed = last_fence(queue);
    queue->preempt_fence = 0;
    queue->hung = false;
    give_back(queue);
    world->counts.preemptions++;
    return world_step(world, &event, NULL);
}

const char *world_report(struct world *world, uint32_t node)
{
    struct node *queue = &world->nodes[node];
    struct vidmm_event event = {.kind = VIDMM_EVENT_FENCE};

    if (queue->preempt_fence != 0 && !queue->hard)
        return report_stop(world, node);
    if (queue->head == queue->done)
        return NULL;
    queue->head = queue->done;
    event.fence.node = node;
    event.fence.fence = queue->packets[(queue->done - 1) % QUEUE].fence;
    return world_step(world, &event, NULL);
}
