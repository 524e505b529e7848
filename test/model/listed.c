/* listed.c: programs with explicit residency: they make resident, evict, submit and destroy, and
 * have budgets.
 *
 * A program of this world obeys the rules of Evict: no DMA buffer that waits names the allocation,
 * though packets in flight may use it (D-199). When a DMA buffer is submitted, all of its device's
 * list is in place (D-193); world_use() finds each page as it was left.
 */
#include "world_state.h"

#include <stdio.h>

static bool is_listable(const struct world *world, uint32_t id, uint32_t device)
{
    const struct allocation *allocation = &world->allocations[id];

    return allocation->alive && allocation->device == device;
}

const char *world_make_resident(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_MAKE_RESIDENT};
    uint32_t device = 1 + (argument & 1), ids[LISTED], random = argument, count = 0;
    uint32_t wanted = 1 + (argument >> 1) % LISTED;
    const char *problem;
    NTSTATUS status;

    for (uint32_t tried = 0; tried < 4 * wanted && count < wanted; tried++) {
        uint32_t id = 1 + (random = random * 1664525u + 1013904223u) / 7 % (ALLOCATIONS - 1);

        if (is_listable(world, id, device))
            ids[count++] = id;
    }
    event.residency.queue = device + (argument >> 8 & 1) * 2;
    event.residency.flags = argument >> 9 & 1; /* CantTrimFurther */
    event.residency.count = count;
    event.residency.allocations = ids;
    problem = world_step(world, &event, &status);
    if (status == STATUS_PENDING)
        world->asked[event.residency.queue]++;
    if (status == STATUS_PENDING &&
        vidmm_engine_residency_answer(world->engine).value !=
            VIDMM_FIRST_PAGING_FENCE + world->asked[event.residency.queue])
        return FAIL(world, "paging queue %u left out a value", event.residency.queue);
    if (status == STATUS_NO_MEMORY &&
        vidmm_engine_residency_answer(world->engine).bytes_to_trim == 0)
        return FAIL(world, "no memory, and nothing to trim");
    world->counts.refused += status == STATUS_NO_MEMORY;
    for (uint32_t index = 0; index < count; index++)
        if (status == STATUS_SUCCESS || status == STATUS_PENDING)
            world->allocations[ids[index]].listed++;
    for (uint32_t index = 0; index < count; index++)
        if (vidmm_engine_residency_count(world->engine, device, ids[index]) !=
            world->allocations[ids[index]].listed)
            return FAIL(world, "allocation %u is not counted as it was asked for", ids[index]);
    return problem;
}

/* Whether a DMA buffer that was not submitted yet names it. */
static bool is_awaited(const struct world *world, uint32_t id)
{
    for (uint32_t slot = 1; slot < DMA_BUFFERS; slot++) {
        const struct dma_buffer *dma = &world->dma_buffers[slot];

        for (uint32_t index = 0; dma->used && !dma->submitted && index < dma->count; index++)
            if (dma->references[index].allocation == id)
                return true;
    }
    return false;
}

const char *world_evict(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_EVICT};
    uint32_t id = 1 + argument % (ALLOCATIONS - 1);
    struct allocation *allocation = &world->allocations[id];
    const char *problem;
    NTSTATUS status;
    bool counted;

    if (!allocation->alive || is_awaited(world, id))
        return NULL;
    event.device = allocation->device;
    event.residency.flags = argument >> 8 & 1; /* EvictOnlyIfNecessary */
    if ((argument >> 9 & 7) == 7)
        event.residency.flags |= VIDMM_EVICT_KEEPS;
    event.residency.count = 1;
    event.residency.allocations = &id;
    counted = allocation->listed > 0 && (event.residency.flags & VIDMM_EVICT_KEEPS) == 0;
    allocation->listed -= counted ? 1 : 0; /* what waited for it may be submitted in this step */
    problem = world_step(world, &event, &status);
    if ((event.residency.flags & VIDMM_EVICT_KEEPS) != 0 && !problem)
        return status == STATUS_SUCCESS && vidmm_engine_residency_count(world->engine, event.device,
                                                                        id) == allocation->listed
                   ? NULL
                   : FAIL(world, "allocation %u is not kept", id);
    if ((status == STATUS_SUCCESS) != counted && !problem)
        return FAIL(world, "allocation %u is evicted, or not, against its count", id);
    return problem;
}

const char *world_budget(struct world *world, uint32_t argument)
{
    struct vidmm_event event = {.kind = VIDMM_EVENT_BUDGET};

    event.budget.process = 1 + (argument & 1);
    event.budget.size = (argument >> 1 & 1) != 0
                            ? UINT64_MAX
                            : (argument >> 2) % world->options.memory_pages * 4096;
    return world_step(world, &event, NULL);
}

const char *world_signalled(struct world *world, const struct vidmm_operation *operation)
{
    uint32_t queue = operation->signal.queue;

    if (operation->signal.value != VIDMM_FIRST_PAGING_FENCE + ++world->signalled[queue])
        return FAIL(world, "paging queue %u is signalled out of order", queue);
    if (operation->signal.status != STATUS_SUCCESS && !world->device_dead[1 + (queue - 1) % 2])
        return FAIL(world, "paging queue %u is signalled with 0x%08x", queue,
                    operation->signal.status);
    world->counts.signals++;
    return NULL;
}

/* D-193. */
const char *world_check_whole(struct world *world, uint32_t device)
{
    for (uint32_t id = 1; id < ALLOCATIONS; id++)
        if (is_listable(world, id, device) && world->allocations[id].listed > 0 &&
            world->allocations[id].offer == 0 && vidmm_engine_where(world->engine, id).segment == 0)
            return FAIL(world, "a submission of device %u without allocation %u", device, id);
    return NULL;
}

const char *world_begin_listed(struct world *world)
{
    const char *problem = NULL;

    for (uint32_t device = 1; device <= 2 && !problem; device++) {
        struct vidmm_event event = {.kind = VIDMM_EVENT_JOIN, .device = device};

        event.join.process = device;
        problem = world_step(world, &event, NULL);
        for (uint32_t priority = 0; priority <= 1 && !problem; priority++) {
            event = (struct vidmm_event){.kind = VIDMM_EVENT_CREATE_PAGING_QUEUE, .device = device};
            event.paging_queue.queue = device + 2 * priority;
            event.paging_queue.priority = 1 + priority;
            problem = world_step(world, &event, NULL);
        }
    }
    return problem;
}
