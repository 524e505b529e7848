/* driver.c: the driver of the symbolic machine: its answer to each call. */
#include "world_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *world_step(struct world *world, struct vidmm_event *event, NTSTATUS *status)
{
    struct vidmm_plan plan;
    const char *problem;
    NTSTATUS answer;

    event->time_ns = world->time += 1000;
    answer = vidmm_step(world->engine, event, &plan);
    if (status)
        *status = answer;
    problem = world_handle(world, &plan);
    while (!problem && plan.more) {
        vidmm_step(world->engine, NULL, &plan);
        problem = world_handle(world, &plan);
    }
    vidmm_engine_check(world->engine);
    return problem || !world->options.even ? problem : world_see_leave(world);
}

/* Write as much of the operation as fits; *pass counts pages done. */
static uint32_t write_record(struct world *world, const struct vidmm_operation *build,
                             uint32_t *pass, uint64_t *written)
{
    struct buffer *buffer = &world->buffers[build->build.paging_buffer];
    bool physical = build->build.operation == VIDMM_READ_PHYSICAL ||
                    build->build.operation == VIDMM_WRITE_PHYSICAL;
    uint64_t pages = physical ? 1 : build->build.size / 4096 - *pass;
    uint64_t room = world->options.paging_buffer_units - buffer->units;
    struct record *record = &buffer->records[buffer->count];

    pages = pages < room ? pages : room;
    if (pages > 0) {
        *record =
            (struct record){build->allocation,
                            build->build.operation,
                            build->build.source,
                            build->build.destination,
                            build->build.transfer_offset / 4096 + *pass,
                            pages,
                            (build->build.flags & VIDMM_PAGING_PURGE) != 0,
                            build->build.flags & (VIDMM_PAGING_SWIZZLE | VIDMM_PAGING_UNSWIZZLE)};
        buffer->count++;
        buffer->units += (uint32_t)pages;
        *written = pages * 16;
        *pass += (uint32_t)pages;
    }
    return physical ? (pages > 0 ? 0 : (uint32_t)STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
           : *pass == build->build.size / 4096 ? 0
                                               : (uint32_t)STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

/* S4-026: with AllocationIsIdle nothing that is still to run names the allocation. */
static const char *check_idle(struct world *world, uint32_t allocation)
{
    uint32_t node, at, index;

    for (node = 0; node < world->options.nodes; node++) {
        const struct node *queue = &world->nodes[node];

        for (at = queue->done; at != queue->tail; at++) {
            const struct packet *packet = &queue->packets[at % QUEUE];
            const struct buffer *buffer = &world->buffers[packet->paging_buffer];
            const struct dma_buffer *dma = &world->dma_buffers[packet->dma_buffer];

            for (index = 0; packet->paging_buffer != 0 && index < buffer->count; index++)
                if (buffer->records[index].allocation == allocation)
                    return FAIL(world, "allocation %u is said to be idle, and paged", allocation);
            for (index = 0; packet->dma_buffer != 0 && index < dma->count + dma->owned; index++)
                if (dma->references[index].allocation == allocation &&
                    packet->places[index].segment != 0)
                    return FAIL(world, "allocation %u is said to be idle, and used", allocation);
        }
    }
    return NULL;
}

bool world_has_range(const struct world *world, uint32_t allocation)
{
    uint32_t range;

    for (range = 1; range <= world->options.ranges; range++)
        if (world->range_owner[range] == allocation)
            return true;
    return false;
}

/* S4-050: by the range of the lock, which is still there on the way out, and of whole pages. */
static const char *check_special(struct world *world, const struct vidmm_operation *build)
{
    const struct allocation *allocation = &world->allocations[build->allocation];
    uint32_t range = build->build.range;

    if (allocation->alternate_pages * 4096ull != build->build.size || range == 0 ||
        range > world->options.ranges) {
        return FAIL(world, "special-lock transfer of allocation %u, by range %u, of %u pages",
                    build->allocation, range, (unsigned)(build->build.size / 4096));
    }
    if (build->build.source.segment == 2 && world->range_owner[range] != build->allocation) {
        return FAIL(world, "allocation %u leaves by range %u of %u", build->allocation, range,
                    world->range_owner[range]);
    }
    return NULL;
}

static const char *answer_build(struct world *world)
{
    const struct vidmm_operation *build = &world->call;
    struct vidmm_event event = {.kind = VIDMM_EVENT_BUILT};
    struct buffer *buffer = &world->buffers[build->build.paging_buffer];
    bool special = build->build.operation == VIDMM_SPECIAL_LOCK_TRANSFER;
    bool table = build->build.operation == VIDMM_MAP_APERTURE_SEGMENT ||
                 build->build.operation == VIDMM_UNMAP_APERTURE_SEGMENT;
    bool may_be_busy = special || build->build.operation == VIDMM_TRANSFER ||
                       build->build.operation == VIDMM_DISCARD_CONTENT;
    uint32_t pass = build->build.multipass_offset;

    if ((build->build.flags & VIDMM_PAGING_IDLE) != 0 && check_idle(world, build->allocation))
        return world->problem;
    if (special && check_special(world, build))
        return world->problem;
    if (build->build.source.segment == 2 && build->build.size > 0 && !special &&
        world_has_range(world, build->allocation))
        return FAIL(world, "allocation %u leaves, and has a swizzling range", build->allocation);
    if (buffer->flying)
        return FAIL(world, "paging buffer %u reused in flight", build->build.paging_buffer);
    if (may_be_busy && world->options.busy_first && pass == 0 &&
        (build->build.flags & VIDMM_PAGING_IDLE) == 0) {
        event.built.status = (uint32_t)STATUS_GRAPHICS_ALLOCATION_BUSY;
    } else if (table && world->options.immediate) {
        struct record record = {build->allocation,
                                build->build.operation,
                                build->build.source,
                                build->build.destination,
                                0,
                                build->build.size / 4096,
                                (build->build.flags & VIDMM_PAGING_PURGE) != 0,
                                0};
        const char *problem = world_run_record(world, &record);

        if (problem)
            return problem;
    } else {
        event.built.status = write_record(world, build, &pass, &event.built.written);
        event.built.multipass_offset = pass;
    }
    world->call.kind = 0;
    return world_step(world, &event, NULL);
}

static void note_fence(struct node *queue, uint32_t fence)
{
    if (queue->submitted == 0 || (int32_t)(fence - queue->submitted) > 0)
        queue->submitted = fence;
}

static void enqueue(struct world *world, uint32_t node, struct packet packet)
{
    struct node *queue = &world->nodes[node];

    queue->packets[queue->tail++ % QUEUE] = packet;
    note_fence(queue, packet.fence);
}

uint32_t world_claim(const struct world *world, struct allocation *allocation)
{
    if (allocation->locks == 0)
        return VIDMM_CLAIM_GRANTED;
    allocation->closed = world->options.windows;
    return world->options.windows ? VIDMM_CLAIM_FOLLOWS : VIDMM_CLAIM_REFUSED;
}

/* D-086: parts tile the DMA buffer, in order, and are cut at split points only. */
static const char *check_part(struct world *world, const struct dma_buffer *dma,
                              const struct vidmm_operation *call)
{
    uint32_t after = call->submit.patch_first + call->submit.patch_count;
    bool last = call->submit.end == dma->commands * COMMAND_BYTES;

    if (call->submit.start != dma->end || (call->submit.end <= dma->end && dma->commands > 0)) {
        return FAIL(world, "a part is %u..%u, the one before it ends at %u", call->submit.start,
                    call->submit.end, dma->end);
    }
    if (last != (call->submit.last != 0)) {
        return FAIL(world, "a part ends at %u, and is said to be%s the last", call->submit.end,
                    last ? " not" : "");
    }
    if (dma->patch_count == 0)
        return last ? NULL : FAIL(world, "what cannot be split was split at %u", call->submit.end);
    if (call->submit.patch_first != dma->patched ||
        (last
             ? after != dma->patch_count
             : after >= dma->patch_count || dma->patches[after].split_offset != call->submit.end)) {
        return FAIL(world, "a part has the patch locations %u to %u", call->submit.patch_first,
                    after);
    }
    return NULL;
}

/* S0-050, S0-051: whether something not yet reported complete pages, or with `uses_too` uses, this
 * allocation, or if it is 0 pages any that is SynchronousPaging. */
static bool is_outstanding(const struct world *world, uint32_t id, bool uses_too)
{
    uint32_t node, at, index;

    for (node = 0; node < world->options.nodes; node++) {
        const struct node *queue = &world->nodes[node];

        for (at = queue->head; at != queue->tail; at++) {
            const struct packet *packet = &queue->packets[at % QUEUE];

            for (index = 0; packet->paging_buffer != 0 && index < packet->paged_count; index++) {
                uint32_t paged = packet->paged[index];

                if (id != 0 ? paged == id : world->allocations[paged].synchronous)
                    return true;
            }
            for (index = 0; packet->dma_buffer != 0 && uses_too && index < REFERENCES; index++) {
                const struct dma_buffer *dma = &world->dma_buffers[packet->dma_buffer];

                if (index < dma->count + dma->owned && dma->references[index].allocation == id &&
                    packet->places[index].segment != 0)
                    return true;
            }
        }
    }
    return false;
}

/* D-084: packets that came back go first, in this order. *packet is it. */
static const char *submit_again(struct world *world, struct node *queue, bool again,
                                const struct packet *packet)
{
    struct packet first = queue->returned[0];

    if (!again) {
        return queue->returned_count == 0
                   ? NULL
                   : FAIL(world, "fence %x goes before what came back", packet->fence);
    }
    if (queue->returned_count == 0 || first.paging_buffer != packet->paging_buffer ||
        first.dma_buffer != packet->dma_buffer || first.start != packet->start ||
        (first.paging_buffer != 0) != (first.fence == packet->fence)) {
        return FAIL(world,
                    "fence %x (paging buffer %u, DMA buffer %u from %u) comes again out of turn: "
                    "%u to come, first %x (%u, %u from %u)",
                    packet->fence, packet->paging_buffer, packet->dma_buffer, packet->start,
                    queue->returned_count, first.fence, first.paging_buffer, first.dma_buffer,
                    first.start);
    }
    first.fence = packet->fence;
    queue->returned_count--;
    memmove(queue->returned, queue->returned + 1,
            queue->returned_count * sizeof(queue->returned[0]));
    queue->packets[queue->tail++ % QUEUE] = first;
    note_fence(queue, first.fence);
    return NULL;
}

/* On a link another GPU may still have to run what this one has not even reported, and bring in
 * from the backing store what that needs: nothing may be written there meanwhile. */
static const char *check_ahead(struct world *world, const struct buffer *buffer)
{
    uint32_t index;

    for (index = 0; index < buffer->count; index++) {
        const struct record *record = &buffer->records[index];

        if (record->operation == VIDMM_TRANSFER && record->destination.segment != 2 &&
            is_outstanding(world, record->allocation, true)) {
            return FAIL(world, "allocation %u leaves while a GPU of the link may need its content",
                        record->allocation);
        }
    }
    return NULL;
}

static const char *submit_paging(struct world *world, const struct vidmm_operation *call)
{
    struct buffer *buffer = &world->buffers[call->submit_paging.paging_buffer];
    struct packet packet = {.fence = call->submit_paging.fence,
                            .paging_buffer = call->submit_paging.paging_buffer};
    struct node *queue = &world->nodes[world->options.paging_node];
    const char *problem = submit_again(world, queue, call->submit_paging.again != 0, &packet);
    uint32_t index;

    if (problem || call->submit_paging.again != 0)
        return problem;
    for (index = 0; index < buffer->count; index++) {
        uint32_t id = buffer->records[index].allocation;

        if (world->allocations[id].synchronous && is_outstanding(world, id, true))
            return FAIL(world, "allocation %u is paged while it is used, or paged", id);
        if (world->allocations[id].synchronous && packet.paged_count < PAGED)
            packet.paged[packet.paged_count++] = id;
    }
    buffer->flying = true;
    problem = world->options.linked ? check_ahead(world, buffer) : NULL;
    enqueue(world, world->options.paging_node, packet);
    return problem;
}

static const char *submit_part(struct world *world, const struct vidmm_operation *call)
{
    struct dma_buffer *dma = &world->dma_buffers[call->submit.dma_buffer];
    struct packet packet = {
        .fence = call->submit.fence,
        .dma_buffer = call->submit.dma_buffer,
        .start = call->submit.start,
        .end = call->submit.end,
        .first = call->submit.patch_first,
        .count = call->submit.patch_count,
    };
    const char *problem =
        submit_again(world, &world->nodes[call->submit.node], call->submit.again != 0, &packet);

    if (problem || call->submit.again != 0)
        return problem;
    problem = check_part(world, dma, call);

    if (!problem && is_outstanding(world, 0, false))
        problem = FAIL(world, "a DMA buffer is submitted during synchronous paging");
    memcpy(packet.places, world->placed, sizeof(packet.places));
    dma->end = call->submit.end;
    dma->patched = call->submit.patch_first + call->submit.patch_count;
    world->counts.splits += call->submit.last == 0;
    enqueue(world, call->submit.node, packet);
    return problem;
}

static const char *submit_switch(struct world *world, const struct vidmm_operation *call)
{
    struct packet packet = {.fence = call->switching.fence, .switches = true};
    const char *problem = submit_again(world, &world->nodes[call->switching.node],
                                       call->switching.again != 0, &packet);

    if (!problem && call->switching.again == 0)
        enqueue(world, call->switching.node, packet);
    return problem;
}

/* D-346: of a device in error, and never submitted. */
static const char *check_cancelled(struct world *world, const struct vidmm_operation *call)
{
    const struct dma_buffer *dma = &world->dma_buffers[call->submit.dma_buffer];

    if (!world->device_dead[dma->context / 2] || call->submit.start != dma->end ||
        call->submit.patch_first != dma->patched) {
        return FAIL(world, "DMA buffer %u is cancelled from %u, submitted to %u",
                    call->submit.dma_buffer, call->submit.start, dma->end);
    }
    return NULL;
}

const char *world_answer_call(struct world *world)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_SUBMITTED};
    struct vidmm_operation call = world->call;
    const char *problem;

    switch (call.kind) {
    case VIDMM_DO_BUILD:
        return answer_build(world);
    case VIDMM_DO_CLAIM:
        event.kind = VIDMM_EVENT_CLAIMED;
        event.claimed.allocation = call.allocation;
        event.claimed.granted = world_claim(world, &world->allocations[call.allocation]);
        break;
    case VIDMM_DO_SUBMIT_PAGING:
        problem = submit_paging(world, &call);
        if (problem)
            return problem;
        break;
    case VIDMM_DO_CANCEL:
        problem = check_cancelled(world, &call);
        if (problem)
            return problem;
        break;
    case VIDMM_DO_SWITCH:
        problem = submit_switch(world, &call);
        if (problem)
            return problem;
        break;
    case VIDMM_DO_SUBMIT:
        problem = submit_part(world, &call);
        if (problem)
            return problem;
        break;
    case VIDMM_DO_ACQUIRE_RANGE:
    case VIDMM_DO_RELEASE_RANGE:
        problem = world_answer_range(world, &call, &event);
        if (problem)
            return problem;
        break;
    case VIDMM_DO_QUERY_FENCE:
    case VIDMM_DO_PREEMPT:
    case VIDMM_DO_QUERY_ENGINE:
    case VIDMM_DO_QUERY_GROUP:
    case VIDMM_DO_RESET_ENGINE:
    case VIDMM_DO_RESET:
    case VIDMM_DO_RESTART:
        event.kind = VIDMM_EVENT_RECOVERED;
        problem = world_recover(world, &call, &event);
        if (problem)
            return problem;
        break;
    default:
        return NULL;
    }
    world->call.kind = 0;
    return world_step(world, &event, NULL);
}
